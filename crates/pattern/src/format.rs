//! The file formats: detection by content, reading and writing.

pub mod apgcode;
pub mod classroom;
mod frame;
mod gzip;
mod life105;
mod life106;
mod macrocell;
mod mcell;
mod plaintext;
mod rle;

use crate::budget::ReadBudget;
use crate::error::{PatternFault, PatternProblem, ReadError, WriteError};
use crate::text::lines;
use crate::{FormatLoss, Pattern, ReadLimits};
use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

pub use gzip::is_compressed;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Run-length encoding, two-state and multistate.
    Rle,
    /// Rows of `.` and `O`.
    Plaintext,
    /// The classroom's rows of `.`, `O`, `R`, `B` and digits.
    Classroom,
    /// `#Life 1.05`: blocks of `.` and `*`.
    Life105,
    /// `#Life 1.06`: a line for each live cell.
    Life106,
    /// A quadtree, two-state and multistate.
    Macrocell,
    /// MCell's own; read only.
    MCell,
    /// A name that encodes the cells, such as `xq4_153`.
    Apgcode,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Rle,
        Self::Plaintext,
        Self::Classroom,
        Self::Life105,
        Self::Life106,
        Self::Macrocell,
        Self::MCell,
        Self::Apgcode,
    ];

    /// The name that people and options use.
    ///
    /// ```
    /// use pattern::Format;
    ///
    /// assert_eq!(Format::Macrocell.name(), "macrocell");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rle => "rle",
            Self::Plaintext => "plaintext",
            Self::Classroom => "classroom",
            Self::Life105 => "life105",
            Self::Life106 => "life106",
            Self::Macrocell => "macrocell",
            Self::MCell => "mcell",
            Self::Apgcode => "apgcode",
        }
    }

    /// The format with a [`Format::name`] or ending, in any case.
    ///
    /// ```
    /// use pattern::Format;
    ///
    /// assert_eq!(Format::from_name("RLE"), Some(Format::Rle));
    /// assert_eq!(Format::from_name("mc"), Some(Format::Macrocell));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let mut named = Self::ALL
            .into_iter()
            .filter(|format| format.name() == lower);
        named.next().or_else(|| Self::from_ending(&lower))
    }

    /// The endings of its files' names, the usual one first.
    ///
    /// ```
    /// use pattern::Format;
    ///
    /// assert_eq!(Format::Plaintext.extensions(), ["cells", "txt"]);
    /// ```
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Rle => &["rle"],
            Self::Plaintext => &["cells", "txt"],
            Self::Classroom => &[],
            Self::Life105 => &["lif", "life"],
            Self::Life106 => &["lif", "life"],
            Self::Macrocell => &["mc"],
            Self::MCell => &["mcl"],
            Self::Apgcode => &["apg"],
        }
    }

    /// The format that the extension of a file's name suggests, `.gz` or not. Extensions that
    /// two formats share mean plaintext and Life 1.05.
    ///
    /// ```
    /// use pattern::Format;
    ///
    /// assert_eq!(Format::from_path("old/gun.mc.gz".as_ref()), Some(Format::Macrocell));
    /// ```
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        Self::from_ending(name.rsplit_once('.')?.1)
    }

    fn from_ending(ending: &str) -> Option<Self> {
        let mut known = Self::ALL.into_iter();
        known.find(|format| format.extensions().contains(&ending))
    }

    /// Whether it is written here too, or read only.
    ///
    /// ```
    /// use pattern::Format;
    ///
    /// assert!(Format::Rle.is_written());
    /// assert!(!Format::MCell.is_written());
    /// ```
    #[must_use]
    pub fn is_written(self) -> bool {
        self != Self::MCell
    }

    /// The default limit of the bytes written.
    fn longest(self) -> u64 {
        match self {
            Self::Plaintext | Self::Classroom | Self::Life105 | Self::Life106 => 1 << 30,
            _ => 1 << 34,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which format a text is in, by its content; none if it has no format's marks.
///
/// A file that is marked as one format can still be broken: this looks at its beginning.
///
/// ```
/// use pattern::{Format, detect};
///
/// assert_eq!(detect(b"#Life 1.06\n0 0\n"), Some(Format::Life106));
/// assert_eq!(detect(b".O.\n..O\nOOO\n"), Some(Format::Plaintext));
/// assert_eq!(detect(b"bo$2bo$3o!"), Some(Format::Rle));
/// assert_eq!(detect(b"Dear Sir,"), None);
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<Format> {
    let bytes = without_mark(bytes);
    for (mark, format) in [
        ("[M2]", Format::Macrocell),
        ("#MCell", Format::MCell),
        ("#Life 1.05", Format::Life105),
        ("#Life 1.06", Format::Life106),
    ] {
        if bytes.starts_with(mark.as_bytes()) {
            return Some(format);
        }
    }
    let mut begun = false;
    for line in lines(bytes) {
        let text = line.bytes.trim_ascii();
        match text {
            [] => continue,
            [b'#', b'P', b' ' | b'\t', ..] if !begun => return Some(Format::Life105),
            [b'#', ..] => {}
            [b'!', ..] => return Some(plaintext_or_classroom(bytes)),
            [b'[', ..] => return None,
            _ if rle::is_header(text) || rle::is_data(text) => return Some(Format::Rle),
            // With marks above, but without its first line.
            _ if begun && plaintext::is_row(text) => return Some(Format::Life105),
            _ if plaintext::is_row(text) || classroom::is_row(text) => {
                return Some(plaintext_or_classroom(bytes));
            }
            _ if apgcode::is_code(text) => return Some(Format::Apgcode),
            _ => return None,
        }
        begun = true;
    }
    None
}

/// Distinguishes the classroom's maps from plaintext by their colours and digits.
fn plaintext_or_classroom(bytes: &[u8]) -> Format {
    let rows = || {
        lines(bytes)
            .map(|line| line.bytes)
            .filter(|line| !line.starts_with(b"!"))
    };
    let coloured = |row: &[u8]| {
        let row = row.split(|&b| b == b'!').next().unwrap_or(row);
        row.iter().any(|b| matches!(b, b'R' | b'B' | b'0'..=b'7'))
    };
    if rows().any(coloured) && rows().all(classroom::is_row) {
        Format::Classroom
    } else {
        Format::Plaintext
    }
}

/// Reads a pattern in the format that its content shows; compressed ones too.
///
/// # Errors
/// With the place of the first fault; nothing is half read.
///
/// ```
/// let (block, format) = pattern::read(b"!Name: Block\nOO\nOO\n")?;
/// assert_eq!(format, pattern::Format::Plaintext);
/// assert_eq!(block.name.as_deref(), Some("Block"));
/// # Ok::<(), pattern::ReadError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<(Pattern, Format), ReadError> {
    read_with_limits(bytes, ReadLimits::default())
}

/// The same with other limits.
///
/// # Errors
/// The same.
///
/// ```
/// use pattern::{ReadLimits, read_with_limits};
///
/// let limits = ReadLimits { memory: 1 << 16, ..ReadLimits::default() };
/// assert!(read_with_limits(b"bo$2bo$3o!", limits).is_ok());
/// assert!(read_with_limits("o$".repeat(1 << 16).as_bytes(), limits).is_err());
/// ```
pub fn read_with_limits(bytes: &[u8], limits: ReadLimits) -> Result<(Pattern, Format), ReadError> {
    let mut budget = ReadBudget::new(limits.memory);
    let unpacked = gzip::unpacked(bytes, limits, &mut budget)?;
    let format = detect(&unpacked).ok_or(ReadError {
        place: None,
        problem: PatternProblem::UnknownFormat,
    })?;
    Ok((read_text(&unpacked, format, &mut budget)?, format))
}

/// Reads a text of about `length` bytes without holding it whole, if that is possible: RLE that is
/// not compressed. None for other formats and for texts with faults, which [`read_with_limits`]
/// reads or describes.
///
/// # Errors
/// When the input fails.
///
/// ```
/// use pattern::{ReadLimits, read_in_parts};
///
/// let (text, limits) = ("o$".repeat(1 << 16), ReadLimits::default());
/// let read = read_in_parts(&mut text.as_bytes(), 1 << 17, limits)?;
/// assert_eq!(read.map(|column| column.cells.population()), Some(65536_u32.into()));
/// assert!(read_in_parts(&mut &b"O.O\nOOO\n"[..], 8, limits)?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_in_parts(
    input: &mut dyn Read,
    length: u64,
    limits: ReadLimits,
) -> io::Result<Option<Pattern>> {
    let mut part = Vec::with_capacity(PART);
    input.take(PART as u64).read_to_end(&mut part)?;
    if detect(&part) != Some(Format::Rle) || without_mark(&part).len() < part.len() {
        return Ok(None);
    }
    let mut budget = ReadBudget::new(limits.memory);
    Ok(rle::read_in_parts(part, input, length, &mut budget)?.ok())
}

/// How much of a text is held at a time.
const PART: usize = 1 << 17;

/// Reads a pattern in a format that is known; compressed ones too.
///
/// # Errors
/// With the place of the first fault; nothing is half read.
///
/// ```
/// use pattern::{Format, read_as};
///
/// // The rows alone do not tell that the colours are the classroom's.
/// let map = read_as(b".O\n", Format::Classroom)?;
/// assert_eq!(map.size, Some((2, 1)));
/// # Ok::<(), pattern::ReadError>(())
/// ```
pub fn read_as(bytes: &[u8], format: Format) -> Result<Pattern, ReadError> {
    read_as_with_limits(bytes, format, ReadLimits::default())
}

/// The same, within other limits.
///
/// # Errors
/// The same.
///
/// ```
/// use pattern::{Format, ReadLimits, read_as_with_limits};
///
/// let limits = ReadLimits { memory: 16, ..ReadLimits::default() };
/// assert!(read_as_with_limits(b"o$o$o!", Format::Rle, limits).is_err());
/// ```
pub fn read_as_with_limits(
    bytes: &[u8],
    format: Format,
    limits: ReadLimits,
) -> Result<Pattern, ReadError> {
    let mut budget = ReadBudget::new(limits.memory);
    let unpacked = gzip::unpacked(bytes, limits, &mut budget)?;
    read_text(&unpacked, format, &mut budget)
}

fn read_text(bytes: &[u8], format: Format, budget: &mut ReadBudget) -> Result<Pattern, ReadError> {
    let bytes = without_mark(bytes);
    let read: Result<Pattern, PatternFault> = match format {
        Format::Rle => rle::read(bytes, budget),
        Format::Plaintext => plaintext::read(bytes, budget),
        Format::Classroom => classroom::read_located(bytes, &classroom::Options::default(), budget)
            .map(|read| read.pattern),
        Format::Life105 => life105::read(bytes, budget),
        Format::Life106 => life106::read(bytes, budget),
        Format::Macrocell => macrocell::read(bytes, budget),
        Format::MCell => mcell::read(bytes, budget),
        Format::Apgcode => apgcode::read(bytes, budget),
    };
    read.map_err(|fault| fault.locate(bytes))
}

/// Without the byte order mark that some editors put in front.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Writes a pattern. Metadata that the format cannot hold is left out, see [`losses`]; cells
/// never are.
///
/// At most 1 GiB is written in formats that write cells one by one, and 16 GiB in others.
///
/// # Errors
/// When the format cannot hold the cells, when the file would be longer than that, or when
/// `out` fails.
///
/// ```
/// use pattern::{Format, Pattern};
///
/// let mut text = Vec::new();
/// pattern::write(&Pattern::from_text("bo$2bo$3o!")?, Format::Life106, &mut text)?;
/// assert_eq!(text, b"#Life 1.06\n1 0\n2 1\n0 2\n1 2\n2 2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(pattern: &Pattern, format: Format, out: &mut dyn Write) -> Result<(), WriteError> {
    write_with_limits(pattern, format, format.longest(), out)
}

/// The same with a limit on the bytes written. Where a format writes cells one by one, or all
/// of a box, nothing is written of a pattern that exceeds it.
///
/// # Errors
/// The same.
///
/// ```
/// use pattern::{Format, Pattern, WriteError};
///
/// let line = Pattern::from_text("1000o!")?;
/// let mut text = Vec::new();
/// let error = pattern::write_with_limits(&line, Format::Plaintext, 100, &mut text).unwrap_err();
/// assert!(matches!(error, WriteError::TooManyCells { most: 100, .. }));
/// assert!(pattern::write_with_limits(&line, Format::Rle, 100, &mut text).is_ok());
/// # Ok::<(), pattern::ReadError>(())
/// ```
pub fn write_with_limits(
    pattern: &Pattern,
    format: Format,
    most: u64,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let lost = losses(pattern, format);
    if let Some(&loss) = lost.iter().find(|loss| loss.is_of_cells()) {
        let format = format.name();
        return Err(WriteError::CannotHold { format, loss });
    }
    let most = most.min(format.longest());
    let mut bounded = BoundedWriter {
        out,
        left: most,
        is_full: false,
    };
    let out = &mut bounded;
    let written = match format {
        Format::Rle => rle::write(pattern, out),
        Format::Plaintext => plaintext::write(pattern, most, out),
        Format::Classroom => classroom::write(pattern, most, out),
        Format::Life105 => life105::write(pattern, most, out),
        Format::Life106 => life106::write(pattern, most, out),
        Format::Macrocell => macrocell::write(pattern, out),
        Format::MCell => Err(WriteError::NotWritten {
            format: format.name(),
        }),
        Format::Apgcode => Err(WriteError::PeriodUnknown),
    };
    if bounded.is_full {
        let format = format.name();
        return Err(WriteError::TooLarge { format, most });
    }
    written
}

/// A writer that fails beyond a number of bytes.
struct BoundedWriter<'a> {
    out: &'a mut dyn Write,
    left: u64,
    is_full: bool,
}

impl Write for BoundedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() as u64 > self.left {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let written = self.out.write(bytes)?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a pattern, compressed.
///
/// # Errors
/// As [`write()`].
///
/// ```
/// use pattern::{Format, Pattern};
///
/// let block = Pattern::from_text("2o$2o!")?;
/// let mut bytes = Vec::new();
/// pattern::write_compressed(&block, Format::Rle, &mut bytes)?;
/// assert!(pattern::is_compressed(&bytes));
/// assert_eq!(pattern::read(&bytes)?.0.cells, block.cells);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_compressed(
    pattern: &Pattern,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let mut packer = flate2::write::GzEncoder::new(out, flate2::Compression::default());
    write(pattern, format, &mut packer)?;
    packer.finish()?;
    Ok(())
}

/// The parts of a pattern that a format cannot hold. Empty when reading gives all of it back.
///
/// ```
/// use pattern::{Format, FormatLoss, Pattern, losses};
///
/// let named = Pattern::from_text("#N Block\n2o$2o!")?;
/// assert_eq!(losses(&named, Format::Life106), [FormatLoss::Name]);
/// assert!(losses(&named, Format::Rle).is_empty());
/// # Ok::<(), pattern::ReadError>(())
/// ```
#[must_use]
pub fn losses(pattern: &Pattern, format: Format) -> Vec<FormatLoss> {
    let highest = pattern.cells.max_state();
    let bounds = pattern.cells.bounds();
    let near = bounds.as_ref().map(crate::Bounds::to_rect);
    let out_of_reach = near == Some(None);
    let near = near.flatten();
    // Without a sign for it, the corner of what is written is (0, 0).
    let corner = match format {
        _ if out_of_reach => None,
        Format::Plaintext | Format::Classroom => Some(frame::of(pattern)),
        Format::Apgcode => near,
        _ => None,
    };
    let displaced = corner.is_some_and(|corner| (corner.x, corner.y) != (0, 0));
    let tells_rule = match (format, &pattern.rule) {
        (_, None) | (Format::Macrocell, _) => true,
        (Format::Rle, Some(rule)) => rle::can_tell(rule),
        (Format::Life105, Some(rule)) => life105::survival_first(rule).is_some(),
        _ => false,
    };
    let tells_states = match format {
        Format::Rle | Format::Macrocell | Format::Apgcode => true,
        Format::Plaintext | Format::Life105 | Format::Life106 => highest <= 1,
        Format::Classroom => classroom::Alphabet::of(pattern).is_some(),
        Format::MCell => false,
    };
    let tells_text = !matches!(
        format,
        Format::Life106 | Format::Classroom | Format::Apgcode
    );
    let tells_generation = matches!(format, Format::Rle | Format::Macrocell);
    let checks = [
        (!tells_states, FormatLoss::States),
        (
            out_of_reach && format != Format::Macrocell,
            FormatLoss::Extent,
        ),
        (!tells_rule, FormatLoss::Rule),
        (
            pattern.rule_block.is_some() && format != Format::Rle,
            FormatLoss::RuleBlock,
        ),
        (displaced, FormatLoss::Position),
        (
            pattern.generation != 0.into() && !tells_generation,
            FormatLoss::Generation,
        ),
        (pattern.name.is_some() && !tells_text, FormatLoss::Name),
        (pattern.author.is_some() && !tells_text, FormatLoss::Author),
        (
            !pattern.comments.is_empty() && !tells_text,
            FormatLoss::Comments,
        ),
    ];
    let lost = checks.into_iter().filter(|(lost, _)| *lost);
    lost.map(|(_, loss)| loss).collect()
}

impl Pattern {
    /// Parses typed text: RLE data, with or without a header, or an apgcode.
    ///
    /// # Errors
    /// With the place of the first fault.
    ///
    /// ```
    /// use pattern::Pattern;
    ///
    /// assert_eq!(Pattern::from_text("3o!")?.cells, Pattern::from_text("xp2_111")?.cells);
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    pub fn from_text(text: &str) -> Result<Self, ReadError> {
        read(text.as_bytes()).map(|(pattern, _)| pattern)
    }
}
