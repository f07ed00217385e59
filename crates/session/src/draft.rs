//! Drafts: a world with its description and settings as bytes, to recover after a crash.
//!
//! A draft is a first line, a header in TOML, a line `---`, and the pattern as RLE, or as
//! macrocell where it is held as a quadtree. So the cells of a draft can be recovered by hand. A world
//! that falls asleep has its history behind that.

mod file;
mod folder;
mod history;

pub use crate::refusal::DraftError;
pub use file::DraftFile;
pub use folder::FolderLock;

use crate::refusal::CommandRefusal;
use crate::session::{CommandReply, OpeningOptions, PacedWriter, Session};
use crate::viewer::Viewer;
use pattern::Format;
use rule::Topology;
use serde::{Deserialize, Serialize};

/// The first line of a draft.
const FIRST_LINE: &str = "gridpaper draft 1";

/// Writing as runs is limited to this fraction of the memory.
const RUNS_FRACTION: u64 = 8;

/// The separator between header and pattern.
const SEPARATOR: &str = "\n---\n";

/// The header: what the pattern's own format does not hold.
#[derive(Debug, Default, Deserialize, Serialize)]
struct DraftHeader {
    /// The displayed name.
    label: String,
    /// Whether there are edits that are in no file.
    unsaved: bool,
    /// The file that was opened, and its format.
    file: Option<String>,
    format: Option<String>,
    /// The settings and description that the pattern's format cannot hold.
    beside: Option<String>,
    /// Whether the plane is unbounded: a classroom rule without a topology would get its board's.
    #[serde(default)]
    unbounded: bool,
}

/// A draft that has the world's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryDraft {
    /// The draft.
    pub bytes: Vec<u8>,
    /// Whether all patterns are in it that undo would bring back.
    pub holds_documents: bool,
}

impl Session {
    /// The world, its description and its settings as a draft. [`Session::content`] says when a
    /// new one is due.
    ///
    /// # Errors
    /// When a cell's coordinates are too large for the formats.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"set 3,4 1".parse()?)?;
    /// let bytes = session.draft(&viewer)?;
    /// assert!(bytes.starts_with(b"gridpaper draft 1\n"));
    /// assert_eq!(Session::draft_is_unsaved(&bytes), Some(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draft(&self, viewer: &Viewer) -> Result<Vec<u8>, CommandRefusal> {
        let mut pattern = self.pattern();
        // With very many runs, a quadtree is several times smaller; it must also fit in memory
        // when it is read back.
        let most = self.file_access.limits.memory / RUNS_FRACTION;
        let format = match pattern.cells.as_tree().is_some() || pattern.cells.bytes() > most {
            true => Format::Macrocell,
            false => Format::Rle,
        };
        let beside = self.settings(viewer).pack(&mut pattern, format);
        let head = DraftHeader {
            label: self.info.label.clone(),
            unsaved: self.is_unsaved(),
            file: self.info.file.as_ref().map(|(name, _)| name.clone()),
            format: self
                .info
                .file
                .as_ref()
                .map(|(_, format)| format.name().to_string()),
            beside,
            unbounded: *self.world.rule().topology() == Topology::Unbounded,
        };
        let head = toml::to_string(&head).expect("texts and a switch are TOML");
        let bytes = format!("{FIRST_LINE}\n{head}{SEPARATOR}").into_bytes();
        let mut out = PacedWriter::after(bytes);
        pattern::write(&pattern, format, &mut out)?;
        Ok(out.bytes)
    }

    /// As [`Session::draft`], with what can be undone and redone and the generations to go back to,
    /// within a bound: for a world that leaves memory.
    ///
    /// # Errors
    /// As [`Session::draft`].
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// for text in ["open glider", "set 9,9 1"] {
    ///     session.apply(&mut viewer, &text.parse()?)?;
    /// }
    /// let draft = session.draft_with_history(&viewer)?;
    /// let mut later = Session::new(FileAccess::default(), 0);
    /// later.restore_draft(&mut viewer, &draft.bytes)?;
    /// later.apply(&mut viewer, &"undo".parse()?)?;
    /// assert_eq!(later.status(&viewer).population, "5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draft_with_history(&self, viewer: &Viewer) -> Result<HistoryDraft, CommandRefusal> {
        let mut bytes = self.draft(viewer)?;
        let holds_documents = history::append_history(self, &mut bytes);
        Ok(HistoryDraft {
            bytes,
            holds_documents,
        })
    }

    /// As [`Session::draft`], but it can be stopped as commands can: a draft of a large world
    /// takes a while.
    ///
    /// # Errors
    /// As [`Session::draft`], and [`CommandRefusal::Stopped`].
    pub fn draft_interruptible(&self, viewer: &Viewer) -> Result<Vec<u8>, CommandRefusal> {
        self.run_interruptible("draft", || self.draft(viewer))?
    }

    /// Replaces the current state by a draft. Unsaved edits are still unsaved.
    ///
    /// # Errors
    /// When the bytes are not a draft. Nothing has changed in that case.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"open glider".parse()?)?;
    /// let bytes = session.draft(&viewer)?;
    /// let mut later = Session::new(FileAccess::default(), 0);
    /// later.restore_draft(&mut viewer, &bytes)?;
    /// assert_eq!(later.status(&viewer).population, "5");
    /// assert!(later.restore_draft(&mut viewer, b"something else").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore_draft(
        &mut self,
        viewer: &mut Viewer,
        bytes: &[u8],
    ) -> Result<CommandReply, CommandRefusal> {
        let (head, cells) = split(bytes)?;
        let (cells, history) = history::split_history(cells);
        let found = self.file_access.read_own(&head.label, cells, head.beside)?;
        let opening = OpeningOptions {
            is_unbounded: head.unbounded,
            ..OpeningOptions::default()
        };
        self.open_located_with(viewer, found, opening)?;
        let format = head.format.as_deref().and_then(Format::from_name);
        self.info.file = head.file.zip(format);
        self.info.label = head.label;
        if head.unsaved {
            self.new_content();
        }
        if let Some(history) = history {
            history::restore_history(self, history);
        }
        Ok(CommandReply::default())
    }

    /// Whether a draft has edits that are in no file; `None` where the bytes are not a draft.
    #[must_use]
    pub fn draft_is_unsaved(bytes: &[u8]) -> Option<bool> {
        split(bytes).ok().map(|(head, _)| head.unsaved)
    }
}

fn split(bytes: &[u8]) -> Result<(DraftHeader, &[u8]), DraftError> {
    let rest = bytes
        .strip_prefix(FIRST_LINE.as_bytes())
        .ok_or(DraftError::Foreign)?;
    let between = SEPARATOR.as_bytes();
    let end = rest
        .windows(between.len())
        .position(|window| window == between);
    let end = end.ok_or(DraftError::Foreign)?;
    let head = std::str::from_utf8(&rest[..end]).map_err(|_| DraftError::Foreign)?;
    let head = toml::from_str(head).map_err(|e| DraftError::Head(e.message().to_string()))?;
    Ok((head, &rest[end + between.len()..]))
}
