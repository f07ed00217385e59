//! Which formats can hold the world as it is now.

use crate::session::Session;
use crate::session::saving::MAX_WRITTEN_LEAVES;
use num_bigint::BigUint;
use pattern::{Format, Pattern, WriteError};
use std::io::{self, Write};

/// Patterns of more cells are not tried out: to find that one is too large, a writer may walk all
/// of them.
const MAX_TRIED_CELLS: u32 = 1 << 20;

/// What saving in a format would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatOffer {
    /// The format.
    pub format: Format,
    /// Why it cannot hold this world; none where it can.
    pub refusal: Option<String>,
    /// What it would leave out, such as `the comments`.
    pub losses: Vec<String>,
}

impl Session {
    /// All formats that are written, and whether each can hold the world as it is. A large world
    /// may still turn out too large when it is saved.
    ///
    /// ```
    /// use pattern::Format;
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"open wireworld-or".parse()?)?;
    /// let offers = session.format_offers();
    /// let of = |format| offers.iter().find(|offer| offer.format == format).expect("is written");
    /// assert_eq!(of(Format::Rle).refusal, None);
    /// assert!(of(Format::Life106).refusal.is_some(), "it has no states");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format_offers(&self) -> Vec<FormatOffer> {
        let words = self.words();
        let pattern = source::snapshot_for(self.world.as_ref(), &words, Format::Rle);
        let on_board = source::snapshot_for(self.world.as_ref(), &words, Format::Classroom);
        let formats = Format::ALL.into_iter().filter(|format| format.is_written());
        let offer = |format| {
            let pattern = match format {
                Format::Classroom => &on_board,
                _ => &pattern,
            };
            let losses = pattern::losses(pattern, format);
            FormatOffer {
                format,
                refusal: self.format_refusal(pattern, format),
                losses: losses.iter().map(ToString::to_string).collect(),
            }
        };
        formats.map(offer).collect()
    }

    fn format_refusal(&self, pattern: &Pattern, format: Format) -> Option<String> {
        let name = format.name();
        let lost = pattern::losses(pattern, format);
        if let Some(&loss) = lost.iter().find(|loss| loss.is_of_cells()) {
            return Some(WriteError::CannotHold { format: name, loss }.to_string());
        }
        if format != Format::Macrocell && pattern.cells.walk_length() > MAX_WRITTEN_LEAVES {
            return Some(format!("as {name} so many cells would take very long"));
        }
        let is_small = pattern.cells.population() <= BigUint::from(MAX_TRIED_CELLS);
        if matches!(format, Format::Rle | Format::Macrocell) || !is_small {
            return None;
        }
        let most = self.written_limit();
        match pattern::write_with_limits(pattern, format, most, &mut RefusingWriter) {
            // What it writes is refused here, so it has nothing against the pattern.
            Ok(()) | Err(WriteError::Io(_)) => None,
            Err(error) => Some(error.to_string()),
        }
    }
}

/// A writer that takes nothing.
struct RefusingWriter;

impl Write for RefusingWriter {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Other.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
