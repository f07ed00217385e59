//! What survives a crash: the world, its words and settings, in one piece of bytes.
//!
//! A first line, a head in TOML, a line `---`, and the pattern as RLE, or as macrocell where
//! it is held as a quadtree. So a person can take the cells out of a draft by hand.

mod file;
mod folder;

pub use file::DraftFile;
pub use folder::FolderLock;

use crate::file::PacedWriter;
use crate::refusal::CommandRefusal;
use crate::session::{CommandReply, Session};
use crate::viewer::Viewer;
use pattern::Format;
use rule::Topology;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The first line of a draft.
const FIRST: &str = "gridpaper draft 1";

/// Runs may take this part of the memory to be written as such.
const RUNS_PART: u64 = 8;

/// What stands between the head and the pattern.
const BETWEEN: &str = "\n---\n";

/// What of a draft is not in its pattern.
#[derive(Debug, Default, Deserialize, Serialize)]
struct DraftHeader {
    /// What the faces call it.
    label: String,
    /// Whether there were edits that no file has.
    unsaved: bool,
    /// The file that it came from, and its format.
    file: Option<String>,
    format: Option<String>,
    /// Settings and words for which the pattern's format has no place.
    beside: Option<String>,
    /// Whether the sheet has no edges: a classroom's rule that names none would get its board.
    #[serde(default)]
    unbounded: bool,
}

/// Why bytes are no draft.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DraftError {
    /// It does not begin as one.
    #[error("this is no draft")]
    Foreign,
    /// Its head cannot be read.
    #[error("the draft's head cannot be read: {0}")]
    Head(String),
}

impl Session {
    /// The world, its words and its settings, to be written down now and then: see
    /// [`Session::content`] for when.
    ///
    /// # Errors
    /// When the cells lie further out than the formats reach.
    pub fn draft(&self, viewer: &Viewer) -> Result<Vec<u8>, CommandRefusal> {
        let mut pattern = self.pattern();
        // Where there are very many runs, a quadtree is several times as small, and has to be read
        // again in the memory that there is.
        let most = self.desk.limits.memory / RUNS_PART;
        let format = match pattern.cells.as_tree().is_some() || pattern.cells.bytes() > most {
            true => Format::Macrocell,
            false => Format::Rle,
        };
        let beside = self.settings(viewer).pack(&mut pattern, format);
        let head = DraftHeader {
            label: self.about.label.clone(),
            unsaved: self.is_unsaved(),
            file: self.about.file.as_ref().map(|(name, _)| name.clone()),
            format: self
                .about
                .file
                .as_ref()
                .map(|(_, format)| format.name().to_string()),
            beside,
            unbounded: *self.world.rule().topology() == Topology::Unbounded,
        };
        let head = toml::to_string(&head).expect("texts and a switch are TOML");
        let bytes = format!("{FIRST}\n{head}{BETWEEN}").into_bytes();
        let mut out = PacedWriter::after(bytes);
        pattern::write(&pattern, format, &mut out)?;
        Ok(out.bytes)
    }

    /// [`Session::draft`], unless it is stopped on the way as commands are: making one of a large
    /// world takes a while.
    ///
    /// # Errors
    /// As [`Session::draft`], and [`CommandRefusal::Stopped`].
    pub fn draft_meanwhile(&self, viewer: &Viewer) -> Result<Vec<u8>, CommandRefusal> {
        self.interruptible("draft", || self.draft(viewer))?
    }

    /// Puts a draft in place of what there is. Edits that no file had are unsaved still.
    ///
    /// # Errors
    /// When the bytes are no draft. Nothing has changed then.
    pub fn restore_draft(
        &mut self,
        viewer: &mut Viewer,
        bytes: &[u8],
    ) -> Result<CommandReply, CommandRefusal> {
        let (head, cells) = split(bytes)?;
        let found = self.desk.read_own(&head.label, cells, head.beside)?;
        self.take_on(viewer, found, head.unbounded)?;
        let format = head.format.as_deref().and_then(Format::from_name);
        self.about.file = head.file.zip(format);
        self.about.label = head.label;
        if head.unsaved {
            self.new_content();
        }
        Ok(CommandReply::default())
    }

    /// Whether a draft has edits that no file has; none where the bytes are no draft.
    #[must_use]
    pub fn draft_is_unsaved(bytes: &[u8]) -> Option<bool> {
        split(bytes).ok().map(|(head, _)| head.unsaved)
    }
}

fn split(bytes: &[u8]) -> Result<(DraftHeader, &[u8]), DraftError> {
    let rest = bytes
        .strip_prefix(FIRST.as_bytes())
        .ok_or(DraftError::Foreign)?;
    let between = BETWEEN.as_bytes();
    let place = rest
        .windows(between.len())
        .position(|window| window == between);
    let place = place.ok_or(DraftError::Foreign)?;
    let head = std::str::from_utf8(&rest[..place]).map_err(|_| DraftError::Foreign)?;
    let head = toml::from_str(head).map_err(|e| DraftError::Head(e.message().to_string()))?;
    Ok((head, &rest[place + between.len()..]))
}
