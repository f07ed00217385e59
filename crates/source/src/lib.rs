//! Where patterns and rules come from: what a person means by a pattern's name or a rule's text.
//!
//! [`open`] takes a path, a built-in pattern's name, an apgcode, RLE text or a soup's name;
//! [`RuleFiles`] finds the `.rule` and `.gridrule` files that a rule's name may mean. [`snapshot`]
//! is the way back, from a world to a pattern that can be written.
//!
//! The decision that shapes this crate: every program and every face finds inputs by the same
//! order of precedence, so it stands below all of them, beside the engines and not in the editor.
//!
//! ```
//! let glider = source::open("glider".as_ref())?;
//! assert_eq!(glider.title(), "Glider");
//! let typed = source::open("bo$2bo$3o!".as_ref())?;
//! assert_eq!(typed.pattern.cells, glider.pattern.cells);
//! # Ok::<(), source::PatternSourceError>(())
//! ```
#![forbid(unsafe_code)]

mod embedded;
pub mod rule_file;

pub use embedded::embedded;
pub use rule_file::{RuleFiles, RuleResolutionError};

use engine::World;
use grid::{Point, Rect};
use pattern::{Bounds, Format, Pattern, ReadError, ReadLimits, library};
use rule::{Rule, Topology};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The rule of a pattern that names none.
pub const DEFAULT_RULE: &str = "B3/S23";

/// A pattern and its origin.
#[derive(Clone, Debug)]
pub struct Source {
    /// The pattern, as it was read.
    pub pattern: Pattern,
    /// The format it was read from.
    pub format: Format,
    /// The file's folder, if it is a file.
    pub folder: Option<PathBuf>,
    /// The file's name, or the typed text.
    label: String,
}

/// Why a pattern cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PatternSourceError {
    /// The file cannot be read.
    #[error("{name}: {}", io_words(error))]
    Io {
        /// The file's name, as given.
        name: String,
        /// The cause.
        error: io::Error,
    },
    /// The file is too long.
    #[error("{name}: {bytes} bytes, and at most {most} are taken")]
    TooLong {
        /// The file's name, as given.
        name: String,
        /// Its length.
        bytes: u64,
        /// The limit in bytes.
        most: u64,
    },
    /// The format is unknown, or the text is malformed.
    #[error("{}", read_words(label, error))]
    Read {
        /// The name for messages.
        label: String,
        /// The error with its position.
        error: ReadError,
        /// Whether the name is that of a rule file.
        is_rule: bool,
    },
    /// A path leads to no file.
    #[error("{0}: no such file")]
    NoFile(String),
    /// The text is an address, and nothing is fetched.
    #[error("{}", address_words(.0))]
    Address(String),
    /// There is no file and no built-in pattern of that name.
    #[error("{name}: no such file, and no built-in pattern of that name")]
    Unknown {
        /// The name.
        name: String,
        /// The most similar name of a built-in pattern.
        near: Option<&'static str>,
    },
    /// A classroom map is larger than its board.
    #[error(
        "{label}: the map has {width} columns and {height} rows, the board {columns} and {rows}"
    )]
    LargerThanBoard {
        /// The map's name.
        label: String,
        /// The map's columns.
        width: i64,
        /// The map's rows.
        height: i64,
        /// The board's columns.
        columns: u64,
        /// The board's rows.
        rows: u64,
    },
}

impl PatternSourceError {
    /// A hint for the user.
    ///
    /// ```
    /// let error = source::named("glidre").unwrap_err();
    /// assert_eq!(error.hint().as_deref(), Some("did you mean glider?"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read {
                label,
                is_rule: true,
                ..
            } => Some(format!("this is a rule's file: --rule {label} plays it")),
            Self::Unknown {
                near: Some(name), ..
            } => Some(format!("did you mean {name}?")),
            Self::Unknown { near: None, .. } => {
                Some("`gridpaper patterns` lists the built-in ones; RLE text ends with `!`".into())
            }
            Self::LargerThanBoard { width, height, .. } => {
                Some(format!("--size {width}x{height} makes room for it"))
            }
            Self::Address(address) => Some(address_hint(address).into()),
            _ => None,
        }
    }
}

/// The error with file and position, as compilers print it.
fn read_words(label: &str, error: &ReadError) -> String {
    match error.place {
        Some(_) => format!("{label}:{error}"),
        None => format!("{label}: {error}"),
    }
}

/// The system's error message, in this program's style.
///
/// ```
/// let error = std::io::Error::from_raw_os_error(2);
/// assert_eq!(source::io_words(&error), "no such file or directory");
/// ```
#[must_use]
pub fn io_words(error: &io::Error) -> String {
    // Rust appends `(os error 2)`, which is of no use to users.
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    let mut words = String::with_capacity(text.len());
    if let Some(first) = letters.next() {
        words.extend(first.to_lowercase());
    }
    words.push_str(letters.as_str());
    words
}

impl Source {
    /// Reads the bytes of a file, possibly compressed; `label` is used in messages.
    ///
    /// # Errors
    /// When they are in no known format, or malformed.
    ///
    /// ```
    /// use source::Source;
    ///
    /// let block = Source::read(b"!Name: Block\nOO\nOO\n", "block.cells")?;
    /// assert_eq!((block.title(), block.label()), ("Block", "block.cells"));
    /// let error = Source::read(b"x = 1\no?", "broken.rle").unwrap_err();
    /// assert!(error.to_string().starts_with("broken.rle:"));
    /// # Ok::<(), source::PatternSourceError>(())
    /// ```
    pub fn read(bytes: &[u8], label: &str) -> Result<Self, PatternSourceError> {
        Self::read_with_limits(bytes, label, ReadLimits::default())
    }

    /// As [`Source::read`], within limits.
    ///
    /// # Errors
    /// As [`Source::read`].
    ///
    /// ```
    /// use pattern::ReadLimits;
    /// use source::Source;
    ///
    /// let limits = ReadLimits { memory: 16, ..ReadLimits::default() };
    /// assert!(Source::read_with_limits(b"o$o$o!", "three.rle", limits).is_err());
    /// ```
    pub fn read_with_limits(
        bytes: &[u8],
        label: &str,
        limits: ReadLimits,
    ) -> Result<Self, PatternSourceError> {
        Self::new(pattern::read_with_limits(bytes, limits), label)
    }

    /// Reads typed text or the clipboard: RLE with or without a header, an apgcode, or the text
    /// of a file. Where the format is not recognisable, the text is read as RLE.
    ///
    /// # Errors
    /// With the position of the first error.
    ///
    /// ```
    /// use source::Source;
    ///
    /// let (code, rle) = (Source::typed("xp2_111")?, Source::typed("3o!")?);
    /// assert_eq!(code.pattern.cells, rle.pattern.cells);
    /// # Ok::<(), source::PatternSourceError>(())
    /// ```
    pub fn typed(text: &str) -> Result<Self, PatternSourceError> {
        let bytes = text.as_bytes();
        let read = match pattern::detect(bytes) {
            Some(_) => pattern::read(bytes),
            None => pattern::read_as(bytes, Format::Rle).map(|pattern| (pattern, Format::Rle)),
        };
        Self::new(read, "PATTERN")
    }

    fn new(
        read: Result<(Pattern, Format), ReadError>,
        label: &str,
    ) -> Result<Self, PatternSourceError> {
        let (pattern, format) = read.map_err(|error| PatternSourceError::Read {
            label: label.to_string(),
            error,
            is_rule: rule_file::is_path(label),
        })?;
        Ok(Self {
            pattern,
            format,
            folder: None,
            label: label.to_string(),
        })
    }

    /// A pattern that was made, and not read; `label` is what messages call it.
    ///
    /// ```
    /// use pattern::{Format, Pattern};
    /// use source::Source;
    ///
    /// let made = Source::of(Pattern::default(), Format::Rle, "an empty sheet");
    /// assert_eq!(made.title(), "an empty sheet");
    /// ```
    #[must_use]
    pub fn of(pattern: Pattern, format: Format, label: &str) -> Self {
        Self {
            pattern,
            format,
            folder: None,
            label: label.to_string(),
        }
    }

    /// The pattern's own name, or its origin.
    #[must_use]
    pub fn title(&self) -> &str {
        self.pattern.name.as_deref().unwrap_or(&self.label)
    }

    /// The same source with another name for messages.
    ///
    /// ```
    /// let glider = source::named("glider")?.labelled("the clipboard");
    /// assert_eq!(glider.label(), "the clipboard");
    /// # Ok::<(), source::PatternSourceError>(())
    /// ```
    #[must_use]
    pub fn labelled(mut self, label: &str) -> Self {
        self.label = label.to_string();
        self
    }

    /// The name for messages.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The rule that the pattern names or contains; else the default rule.
    #[must_use]
    pub fn rule_text(&self) -> &str {
        rule_text(&self.pattern)
    }
}

/// The rule that a pattern names or contains; else the default rule.
///
/// ```
/// use pattern::Pattern;
///
/// assert_eq!(source::rule_text(&Pattern::default()), "B3/S23");
/// let brain = Pattern::from_text("x = 1, y = 1, rule = /2/3\no!")?;
/// assert_eq!(source::rule_text(&brain), "/2/3");
/// # Ok::<(), pattern::ReadError>(())
/// ```
#[must_use]
pub fn rule_text(pattern: &Pattern) -> &str {
    let block = pattern.rule_block.as_deref();
    let brought = block.and_then(|block| rule::rule_name(block).ok());
    let named = pattern.rule.as_deref();
    named.or(brought).unwrap_or(DEFAULT_RULE)
}

/// Resolves a text to a pattern: a file, a built-in name, an apgcode, RLE text, or the name of a
/// soup, in that order.
///
/// # Errors
/// When it is none of these, or cannot be read.
///
/// ```
/// use std::ffi::OsStr;
///
/// assert_eq!(source::open(OsStr::new("acorn"))?.title(), "Acorn");
/// assert!(source::open(OsStr::new("no/such/file.rle")).is_err());
/// # Ok::<(), source::PatternSourceError>(())
/// ```
pub fn open(argument: &OsStr) -> Result<Source, PatternSourceError> {
    open_within(argument, u64::MAX)
}

/// As [`open`], with a memory limit in bytes for the cells of a file.
///
/// # Errors
/// As [`open`].
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("column.rle");
/// std::fs::write(&file, "o$".repeat(1000))?;
/// assert!(source::open_within(file.as_os_str(), 1 << 20).is_ok());
/// assert!(source::open_within(file.as_os_str(), 1 << 10).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open_within(argument: &OsStr, memory: u64) -> Result<Source, PatternSourceError> {
    // A file may have any name; other sources need valid Unicode.
    let path = Path::new(argument);
    if path.exists() {
        return open_file(path, u64::MAX, memory);
    }
    named(&argument.to_string_lossy())
}

/// Reads a file with limits in bytes for its length and for the memory of its cells; compressed
/// ones may expand to four times the limit, and to 1 GiB.
///
/// # Errors
/// When it is too long, cannot be read, or is malformed.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("block.rle");
/// std::fs::write(&file, "2o$2o!")?;
/// let block = source::open_file(&file, 100, 1 << 20).expect("a block");
/// assert_eq!(block.folder.as_deref(), Some(folder.path()));
/// assert!(source::open_file(&file, 5, 1 << 20).is_err(), "six bytes");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open_file(path: &Path, most: u64, memory: u64) -> Result<Source, PatternSourceError> {
    let name = path.to_string_lossy();
    let failed = |error: io::Error| PatternSourceError::Io {
        name: name.to_string(),
        error,
    };
    let bytes = path.metadata().map_err(failed)?.len();
    if bytes > most {
        let name = name.to_string();
        return Err(PatternSourceError::TooLong { name, bytes, most });
    }
    let limits = limits(most, memory);
    let in_parts = match bytes > READ_IN_PARTS {
        true => {
            let mut file = std::fs::File::open(path).map_err(failed)?;
            pattern::read_in_parts(&mut file, bytes, limits).map_err(failed)?
        }
        false => None,
    };
    let mut source = match in_parts {
        Some(pattern) => Source::of(pattern, Format::Rle, &name),
        None => {
            let bytes = std::fs::read(path).map_err(failed)?;
            Source::read_with_limits(&bytes, &name, limits)?
        }
    };
    source.folder = path.parent().map(|folder| match folder.as_os_str() {
        here if here.is_empty() => PathBuf::from("."),
        _ => folder.to_path_buf(),
    });
    Ok(source)
}

/// Files of more bytes are not held whole while they are read, where their format allows that.
const READ_IN_PARTS: u64 = 1 << 20;

/// Read limits for a file of at most `most` bytes whose cells take at most `memory` bytes.
///
/// ```
/// let limits = source::limits(1 << 20, 1 << 30);
/// assert_eq!((limits.unpacked, limits.memory), (4 << 20, 1 << 30));
/// ```
#[must_use]
pub fn limits(most: u64, memory: u64) -> ReadLimits {
    let default = ReadLimits::default();
    ReadLimits {
        unpacked: most.saturating_mul(4).min(default.unpacked),
        memory,
        ..default
    }
}

/// Resolves a text without files: a built-in name, an apgcode, RLE text, or the name of a soup as
/// Catagolue writes it, in that order.
///
/// # Errors
/// When it is none of these, or cannot be read.
///
/// ```
/// assert_eq!(source::named("gosper-glider-gun")?.pattern.cells.population(), 36_u8.into());
/// assert_eq!(source::named("C1/census_seed_a0")?.pattern.cells.population(), 126_u8.into());
/// assert!(source::named("no-such-pattern").is_err());
/// # Ok::<(), source::PatternSourceError>(())
/// ```
pub fn named(text: &str) -> Result<Source, PatternSourceError> {
    if let Some(entry) = library::find(text) {
        return Source::read(entry.text.as_bytes(), entry.name);
    }
    let is_typed = looks_like_apgcode(text) || looks_like_rle(text);
    if is_typed && !is_address(text) {
        return Source::typed(text);
    }
    let name = text.to_string();
    if is_address(text) {
        return Err(PatternSourceError::Address(name));
    }
    if let Some(soup) = soup(text) {
        return Ok(soup);
    }
    if text.contains(['/', '\\', '.']) {
        return Err(PatternSourceError::NoFile(name));
    }
    let near = library::suggest(text).first().copied();
    Err(PatternSourceError::Unknown { name, near })
}

/// The soup of a name such as `C1/n_GcpqZ62YqD3310086454`: a symmetry, and a seed that ends with
/// the number of the soup. Its top left cell is at (0, 0).
#[cfg(feature = "census")]
fn soup(text: &str) -> Option<Source> {
    let name: census::SoupName = text.parse().ok()?;
    if !name.seed.ends_with(|c: char| c.is_ascii_digit()) || name.seed.contains(['/', '\\']) {
        return None;
    }
    let cells = census::soup::hash_soup(&name.symmetry, &name.seed);
    let corner = cells.bounds().as_ref().and_then(Bounds::to_rect);
    let (x, y) = corner.map_or((0, 0), |corner| (corner.x, corner.y));
    let pattern = Pattern {
        cells: cells.translated(-x, -y),
        name: Some(name.to_string()),
        ..Pattern::default()
    };
    Some(Source::of(pattern, Format::Rle, text))
}

/// Soups of seeds are the census's.
#[cfg(not(feature = "census"))]
fn soup(_: &str) -> Option<Source> {
    None
}

/// Whether a text looks like an apgcode: `xs4_33`, `xp2_7`, `xq4_153`: a letter for the kind, a
/// number, and the cells.
///
/// ```
/// assert!(source::looks_like_apgcode("xq4_153"));
/// assert!(!source::looks_like_apgcode("glider"));
/// ```
#[must_use]
pub fn looks_like_apgcode(text: &str) -> bool {
    let Some((prefix, body)) = text.split_once('_') else {
        return false;
    };
    let kind = ["xs", "xp", "xq"];
    let number = kind.iter().find_map(|kind| prefix.strip_prefix(kind));
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    number.is_some_and(is_number)
        && body
            .bytes()
            .all(|b| b.is_ascii_digit() || b.is_ascii_lowercase() || b == b'_')
}

/// Whether a text is an address, as of a page in the web: one word with a scheme before `://`.
///
/// ```
/// assert!(source::is_address("https://conwaylife.com/patterns/acorn.rle"));
/// assert!(!source::is_address("patterns/acorn.rle"));
/// ```
#[must_use]
pub fn is_address(text: &str) -> bool {
    let text = text.trim();
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    !text.contains(char::is_whitespace)
        && text
            .split_once("://")
            .is_some_and(|(scheme, _)| is_scheme(scheme))
}

/// What is said where an address stands in place of a file's name.
///
/// ```
/// let words = source::address_words("https://a.org/acorn.rle");
/// assert!(words.ends_with("is an address, and this program fetches nothing by itself"));
/// ```
#[must_use]
pub fn address_words(address: &str) -> String {
    let address = address.trim();
    format!("{address} is an address, and this program fetches nothing by itself")
}

/// What to do with an address instead.
///
/// ```
/// assert!(source::address_hint("https://a.org/acorn.rle").starts_with("save the file"));
/// ```
#[must_use]
pub fn address_hint(address: &str) -> &'static str {
    match address.trim().to_ascii_lowercase().starts_with("file:") {
        true => "name the file by its path, without `file://`",
        false => "save the file and open that, or paste its text",
    }
}

/// Whether a text can only be RLE: it has an end mark, an end of a row, or nothing but counted
/// cells.
fn looks_like_rle(text: &str) -> bool {
    text.contains(['!', '$', '\n'])
        || (text.contains(|c: char| c.is_ascii_digit())
            && text.ends_with(['b', 'o'])
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || "bo ".contains(c)))
}

/// The family whose maps are placed at the top left of the board.
const CLASSROOM: &str = "Classroom";

/// Whether it is one of the five classroom rules.
///
/// ```
/// assert!(source::is_of_classroom(&"weighted".parse()?));
/// assert!(!source::is_of_classroom(&"Life".parse()?));
/// # Ok::<(), rule::RuleError>(())
/// ```
#[must_use]
pub fn is_of_classroom(rule: &Rule) -> bool {
    rule.family() == CLASSROOM
}

/// Classroom rules get a plane of 25 x 25 unless they name a topology.
///
/// ```
/// assert_eq!(source::default_board("base".parse()?).to_string(), "base:P25,25");
/// assert_eq!(source::default_board("Life".parse()?).to_string(), "B3/S23");
/// # Ok::<(), rule::RuleError>(())
/// ```
#[must_use]
pub fn default_board(rule: Rule) -> Rule {
    if !is_of_classroom(&rule) || *rule.topology() != Topology::Unbounded {
        return rule;
    }
    rule.with_topology(Topology::Plane {
        width: 25,
        height: 25,
    })
}

/// Places a classroom map at the top left of its board, see [`place_on_board`].
///
/// # Errors
/// When the map is larger than the board.
///
/// ```
/// use grid::Point;
///
/// let rule = source::default_board("base".parse()?);
/// let map = source::Source::typed(".O\n")?;
/// let placed = source::on_its_board(map, &rule)?;
/// assert_eq!(placed.pattern.position, Some(Point::new(-12, -12))); // a board of 25 x 25
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_its_board(mut source: Source, rule: &Rule) -> Result<Source, PatternSourceError> {
    place_on_board(&mut source.pattern, &source.label, rule)?;
    Ok(source)
}

/// Places a classroom map at the top left of its board, where the course has it; other patterns
/// stay as they are. `label` is used in messages.
///
/// # Errors
/// When the map is larger than the board; it is not changed in that case.
///
/// ```
/// let rule = "base:P2,2".parse()?;
/// let mut map = pattern::Pattern::from_text("3o!")?;
/// assert!(source::place_on_board(&mut map, "row", &rule).is_err(), "three columns on two");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn place_on_board(
    pattern: &mut Pattern,
    label: &str,
    rule: &Rule,
) -> Result<(), PatternSourceError> {
    let (true, Some(board)) = (is_of_classroom(rule), rule.topology().rect()) else {
        return Ok(());
    };
    if pattern.position.is_some() {
        return Ok(());
    }
    let Some(last) = pattern.cells.bounds().as_ref().and_then(Bounds::to_rect) else {
        return Ok(());
    };
    let room = Rect::new(0, 0, board.width, board.height);
    if last.intersection(&room) != last {
        return Err(PatternSourceError::LargerThanBoard {
            label: label.to_string(),
            width: last.right(),
            height: last.bottom(),
            columns: board.width,
            rows: board.height,
        });
    }
    pattern.cells = pattern.cells.translated(board.x, board.y);
    pattern.position = Some(Point::new(board.x, board.y));
    Ok(())
}

/// The world as a pattern for writing, with the description of the file that it came from: name,
/// author, comments, and `@RULE` block.
///
/// ```
/// use engine::World;
///
/// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
/// world.load(&pattern::Pattern::from_text("3o!")?.cells)?;
/// let words = pattern::Pattern { name: Some("Blinker".into()), ..pattern::Pattern::default() };
/// let saved = source::snapshot(&world, &words);
/// assert_eq!((saved.name, saved.rule), (Some("Blinker".into()), Some("B3/S23".into())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn snapshot(world: &dyn World, words: &Pattern) -> Pattern {
    let cells = world.cells();
    let corner = cells.bounds().as_ref().and_then(Bounds::to_rect);
    let rule = world.rule().with_topology(Topology::Unbounded).to_string();
    let block = words.rule_block.clone();
    Pattern {
        position: corner.map(|r| Point::new(r.x, r.y)),
        cells,
        rule: Some(world.rule().to_string()),
        size: None,
        generation: world.generation().clone(),
        name: words.name.clone(),
        author: words.author.clone(),
        comments: words.comments.clone(),
        // An `@RULE` block is kept while its rule is in use.
        rule_block: block.filter(|block| rule::rule_name(block).is_ok_and(|name| name == rule)),
    }
}

/// The same, sized for a file format: a classroom map of a bounded grid has exactly the grid's
/// rows and columns. Other formats use the bounding box of the live cells.
///
/// ```
/// use pattern::{Format, Pattern};
///
/// let world = engine::Torus::new("base:P4,3".parse()?)?;
/// let map = source::snapshot_for(&world, &Pattern::default(), Format::Classroom);
/// assert_eq!(map.size, Some((4, 3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn snapshot_for(world: &dyn World, words: &Pattern, format: Format) -> Pattern {
    let mut pattern = snapshot(world, words);
    if let (Format::Classroom, Some(board)) = (format, world.rule().topology().rect()) {
        pattern.position = Some(Point::new(board.x, board.y));
        pattern.size = Some((board.width, board.height));
    }
    pattern
}

/// A number of bytes in words: `256 MiB`.
///
/// ```
/// assert_eq!(source::bytes_words(256 << 20), "256 MiB");
/// assert_eq!(source::bytes_words(1500), "1.5 KiB");
/// ```
#[must_use]
pub fn bytes_words(bytes: u64) -> String {
    let mut words = String::new();
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.iter().find(|(shift, _)| bytes >> shift > 0);
    // Writing to a String cannot fail.
    let _ = match unit {
        None => write!(words, "{bytes} bytes"),
        Some((shift, unit)) if bytes.trailing_zeros() >= *shift => {
            write!(words, "{} {unit}", bytes >> shift)
        }
        Some((shift, unit)) => {
            let amount = bytes as f64 / (1u64 << shift) as f64;
            write!(words, "{amount:.1} {unit}")
        }
    };
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apgcodes_and_rle_are_told_from_names() {
        let rows = [
            ("xs4_33", true, false),
            ("xp2_7", true, false),
            ("xp3_co9nas0san9oczgoldlo0oldlogz1047210127401", true, false),
            ("xq4_153", true, false),
            ("xs_33", false, false),
            ("xr4_33", false, false),
            ("bo$2bo$3o!", false, true),
            ("3o", false, true),
            ("2o3b2o", false, true),
            ("bob", false, false),
            ("25p3h1v0.1", false, false),
            ("boo", false, false),
        ];
        for (text, is_apgcode, is_rle) in rows {
            assert_eq!(looks_like_apgcode(text), is_apgcode, "{text}");
            assert_eq!(looks_like_rle(text), is_rle, "{text}");
        }
    }

    /// Issue 31: an address was called a file that does not exist.
    #[test]
    fn addresses_are_not_taken_for_files() {
        let rows = [
            ("https://a.org/gun.rle", true),
            (" HTTP://a.org/3o!", true),
            ("file:///home/me/gun.rle", true),
            ("www/gun.rle", false),
            ("c:/gun.rle", false),
            ("://", false),
            ("#C https://a.org\n3o!", false),
        ];
        for (text, is) in rows {
            assert_eq!(is_address(text), is, "{text}");
            let refused = matches!(named(text), Err(PatternSourceError::Address(_)));
            assert_eq!(refused, is, "{text}");
        }
        let refused = RuleFiles::for_user().read("https://a.org/Snow.rule", "--rule");
        let error = refused.unwrap_err();
        let words = "--rule: https://a.org/Snow.rule is an address, and this program fetches nothing by itself";
        assert_eq!(error.to_string(), words);
        assert!(error.hint().unwrap().starts_with("save the file"));
    }

    #[test]
    fn soups_are_told_from_paths() {
        for (text, population) in [
            ("C1/census_seed_a0", Some(126_u32)),
            ("D8_4/census_seed_a0", Some(468)),
            ("C1/soups/a1", None),
            ("C1/soup.rle", None),
            ("soups/a1", None),
            ("C1/", None),
        ] {
            let found = named(text).ok().map(|soup| soup.pattern.cells.population());
            assert_eq!(found, population.map(Into::into), "{text}");
        }
        let refused = matches!(named("soups/a1"), Err(PatternSourceError::NoFile(_)));
        assert!(refused, "a path stays one");
    }

    #[test]
    fn io_errors_are_in_our_own_tone() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(io_words(&error), "no such file or directory");
    }

    #[test]
    fn bytes_are_told_shortly() {
        let rows = [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1 << 10, "1 KiB"),
            (3 << 19, "1.5 MiB"),
            (256 << 20, "256 MiB"),
            (4 << 30, "4 GiB"),
        ];
        for (bytes, words) in rows {
            assert_eq!(bytes_words(bytes), words);
        }
    }
}
