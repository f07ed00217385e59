//! Saving: a world as a pattern with its settings, encoded in a format, and written.

use super::playback::USUAL_SPEED;
use crate::refusal::CommandRefusal;
use crate::session::{CommandReply, Session};
use crate::settings::{self, Settings};
use crate::viewer::Viewer;
use num_traits::One as _;
use pattern::interrupt::checkpoint;
use pattern::{Format, Pattern};
use std::io;
use std::path::Path;

/// A pattern encoded as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedPattern {
    /// The file's name, with its extension.
    pub name: String,
    /// The file's contents.
    pub bytes: Vec<u8>,
    /// Settings that the format cannot hold: name and text of a sidecar file.
    pub sidecar: Option<(String, Vec<u8>)>,
    /// Messages about what the format cannot hold.
    pub losses: Vec<String>,
}

/// Encoding a file is limited to this fraction of the memory.
const FILE_FRACTION: u64 = 4;

/// A quadtree of more leaves than this is not written as runs, which would take minutes.
pub(super) const MAX_WRITTEN_LEAVES: u128 = 1 << 28;

impl Session {
    /// The current settings of the pattern.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"stride 16".parse()?)?;
    /// assert_eq!(session.settings(&viewer).stride, Some(16u8.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn settings(&self, viewer: &Viewer) -> Settings {
        let usual = crate::display::DisplaySettings::default();
        let display = &self.display;
        let other = |is: bool, usual: bool| (is != usual).then_some(is);
        // What the pattern's script says is written as it was.
        let told = self.presentation.ages;
        let play = &self.playback;
        let mut settings = Settings {
            zoom: Some(viewer.viewport.zoom),
            speed: Some(play.speed).filter(|speed| (speed - USUAL_SPEED).abs() > 1e-9),
            stride: Some(play.stride.clone()).filter(|n| !n.is_one()),
            theme: display
                .theme
                .filter(|theme| told.is_none() || *theme != render::Theme::BLUEPRINT)
                .map(|theme| theme.name.to_string()),
            colours: display.colours.clone(),
            grid: other(display.grid, usual.grid),
            major: Some(display.major).filter(|major| *major != usual.major),
            rulers: other(display.rulers, usual.rulers),
            icons: other(display.icons, usual.icons),
            dying: other(display.dying, usual.dying),
            age: other(display.is_by_age(), told.unwrap_or(usual.is_by_age())),
            colouring: Some(display.colouring).filter(|by| by.needs_periods()),
            history: other(display.history, told.unwrap_or(usual.history)),
            follow: other(viewer.follow, self.presentation.fits),
            track: viewer.track.as_ref().map(|track| track.motion),
            // Settings that were not understood are kept.
            ..self.pattern_settings.clone()
        };
        let bounds = self.world.bounds();
        settings.look_at(&viewer.viewport.centre(), bounds.as_ref());
        self.carried_bookmarks(&mut settings);
        settings
    }

    /// The world and its description as a pattern, without settings.
    #[must_use]
    pub fn pattern(&self) -> Pattern {
        source::snapshot(self.world.as_ref(), &self.words())
    }

    pub(super) fn words(&self) -> Pattern {
        Pattern {
            name: self.info.name.clone(),
            author: self.info.author.clone(),
            comments: self.info.comments.clone(),
            rule_block: self.info.rule_block.clone(),
            ..Pattern::default()
        }
    }

    /// Encodes the pattern in a format: the cells, the description, and the settings, in the file
    /// or in its sidecar.
    ///
    /// # Errors
    /// When the format cannot hold the cells.
    pub fn encode(
        &self,
        viewer: &Viewer,
        format: Format,
        name: &str,
    ) -> Result<EncodedPattern, CommandRefusal> {
        self.run_interruptible("save", || self.written(viewer, format, name))?
    }

    /// The most bytes of a file that is held in memory.
    pub(super) fn written_limit(&self) -> u64 {
        self.file_access.limits.memory / FILE_FRACTION
    }

    fn written(
        &self,
        viewer: &Viewer,
        format: Format,
        name: &str,
    ) -> Result<EncodedPattern, CommandRefusal> {
        let mut pattern = source::snapshot_for(self.world.as_ref(), &self.words(), format);
        let steps = pattern.cells.walk_length();
        if format != Format::Macrocell && steps > MAX_WRITTEN_LEAVES {
            let cells = pattern.cells.population();
            return Err(CommandRefusal::TooLong { cells });
        }
        let settings = self.settings(viewer);
        let lost = pattern::losses(&pattern, format);
        let losses = lost
            .iter()
            .map(|loss| format!("{format} cannot carry {loss}"));
        let losses = losses.collect();
        let beside = settings.pack(&mut pattern, format);
        let sidecar = beside.map(|text| (settings::sidecar_name(name), text.into_bytes()));
        let mut out = PacedWriter::default();
        if name.ends_with(".gz") {
            pattern::write_compressed(&pattern, format, &mut out)?;
        } else {
            pattern::write_with_limits(&pattern, format, self.written_limit(), &mut out)?;
        }
        Ok(EncodedPattern {
            name: name.to_string(),
            bytes: out.bytes,
            sidecar,
            losses,
        })
    }

    pub(crate) fn save(
        &mut self,
        viewer: &Viewer,
        name: Option<&str>,
        format: Option<Format>,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        let (own_name, own_format) = match &self.info.file {
            Some((name, format)) => (Some(name.clone()), Some(*format)),
            None => (None, None),
        };
        if let (Some(name), None) = (name, format)
            && name.ends_with(".csv")
        {
            return self.save_curves(name, anyway);
        }
        let is_own = name.is_none();
        let name = name
            .map(str::to_string)
            .or(own_name)
            .ok_or(CommandRefusal::NoFile)?;
        let by_ending = Format::from_path(Path::new(&name));
        let written = |format: &Format| format.is_written() && *format != Format::Apgcode;
        let format = format
            .or(own_format.filter(|_| is_own))
            .or(by_ending)
            .unwrap_or(Format::Rle);
        let format = if written(&format) {
            format
        } else {
            Format::Rle
        };
        let saved = self.encode(viewer, format, &name)?;
        let sidecar = saved.sidecar.as_ref().map(|(_, bytes)| bytes.as_slice());
        match self.file_access.write(&name, &saved.bytes, sidecar, anyway) {
            Ok(_) => {}
            Err(error) if error.is_question() => {
                return Err(CommandRefusal::Asks {
                    question: error.to_string(),
                    command: format!("anyway save {name} as {}", format.name()),
                    yes: "overwrite it",
                });
            }
            Err(error) => return Err(error.into()),
        }
        self.info.file = Some((name.clone(), format));
        if self.info.name.is_none() {
            self.info.label.clone_from(&name);
        }
        self.mark_saved();
        let mut note = format!("saved {name}");
        for loss in &saved.losses {
            note.push_str("; ");
            note.push_str(loss);
        }
        Ok(CommandReply {
            file: Some(name),
            ..CommandReply::note(note)
        })
    }

    /// Writes a file that saves nothing of the world, such as a picture of it.
    ///
    /// # Errors
    /// When the name is not allowed here, when there is such a file and it is not to be overwritten,
    /// or when writing fails.
    ///
    /// ```
    /// use session::{Session, file_access::FileAccess};
    /// let mut session = Session::new(FileAccess::default(), 0);
    /// assert!(session.write_file("a.png", b"", false).is_err(), "by default there are no files");
    /// ```
    pub fn write_file(
        &mut self,
        name: &str,
        bytes: &[u8],
        overwrites: bool,
    ) -> Result<(), crate::file_access::FileAccessError> {
        self.file_access
            .write(name, bytes, None, overwrites)
            .map(|_| ())
    }

    /// Writes the points of the plot, which is no pattern and saves nothing of the world.
    fn save_curves(&mut self, name: &str, anyway: bool) -> Result<CommandReply, CommandRefusal> {
        let csv = self.run_series.csv();
        match self.file_access.write(name, csv.as_bytes(), None, anyway) {
            Ok(_) => {}
            Err(error) if error.is_question() => {
                return Err(CommandRefusal::Asks {
                    question: error.to_string(),
                    command: format!("anyway save {name}"),
                    yes: "overwrite it",
                });
            }
            Err(error) => return Err(error.into()),
        }
        Ok(CommandReply::note(format!(
            "saved the points of the plot as {name}"
        )))
    }
}

/// A writer into memory that checks now and then whether to stop.
#[derive(Default)]
pub(crate) struct PacedWriter {
    pub(crate) bytes: Vec<u8>,
    /// Bytes since the last check.
    since: usize,
}

impl PacedWriter {
    /// Appends to existing bytes.
    pub(crate) fn after(bytes: Vec<u8>) -> Self {
        Self { bytes, since: 0 }
    }
}

impl io::Write for PacedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        /// A few milliseconds of writing.
        const BYTES_PER_CHECK: usize = 1 << 18;
        self.since += bytes.len();
        if self.since >= BYTES_PER_CHECK {
            self.since = 0;
            checkpoint();
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
