//! Where a pattern and its rule come from: the PATTERN argument, `--rule`, `--size`.

use crate::argument::Size;
use crate::failure::Failure;
use crate::rule_file::{self, RuleFiles, RuleFolder};
use clap::Args;
use grid::{Point, Rect};
use pattern::{Bounds, Format, Pattern, ReadError, library};
use rule::{Rule, Topology};
use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The rule of a pattern that names none.
pub(crate) const DEFAULT_RULE: &str = "B3/S23";

/// A pattern, and what messages call it.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) pattern: Pattern,
    /// The format it was read from.
    pub(crate) format: Format,
    /// The folder that the file lies in, if it is a file.
    pub(crate) folder: Option<PathBuf>,
    /// The file's name, or what else was typed.
    label: String,
}

impl Source {
    /// The pattern's own name, or where it comes from.
    pub(crate) fn title(&self) -> &str {
        self.pattern.name.as_deref().unwrap_or(&self.label)
    }

    /// The rule that the pattern names, or brings with it; else the usual one.
    pub(crate) fn rule_text(&self) -> &str {
        let block = self.pattern.rule_block.as_deref();
        let brought = block.and_then(|block| rule::rule_name(block).ok());
        let named = self.pattern.rule.as_deref();
        named.or(brought).unwrap_or(DEFAULT_RULE)
    }

    /// What messages call it.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    fn read(bytes: &[u8], label: &str) -> Result<Self, Failure> {
        Self::new(pattern::read(bytes), label)
    }

    /// What was typed instead of a name. It shows no format where it is broken early on,
    /// and is then taken for RLE, which is what people type.
    fn typed(text: &str) -> Result<Self, Failure> {
        let bytes = text.as_bytes();
        let read = match pattern::detect(bytes) {
            Some(_) => pattern::read(bytes),
            None => pattern::read_as(bytes, Format::Rle).map(|pattern| (pattern, Format::Rle)),
        };
        Self::new(read, "PATTERN")
    }

    fn new(read: Result<(Pattern, Format), ReadError>, label: &str) -> Result<Self, Failure> {
        let (pattern, format) = read.map_err(|e| match e.place {
            Some(_) => Failure::wrong(format_args!("{label}:{e}")),
            None => Failure::wrong(format_args!("{label}: {e}")),
        })?;
        Ok(Self {
            pattern,
            format,
            folder: None,
            label: label.to_string(),
        })
    }
}

/// Finds what a PATTERN argument means: a file, `-`, a built-in name, an apgcode, or RLE
/// text, in that order.
pub(crate) fn open(argument: &OsStr) -> Result<Source, Failure> {
    // a file may have any name; nothing else is called by what is no text
    let path = Path::new(argument);
    let argument = &*argument.to_string_lossy();
    if argument == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|e| Failure::io("standard input", &e))?;
        return Source::read(&bytes, "standard input");
    }
    if path.exists() {
        let bytes = std::fs::read(path).map_err(|e| Failure::io(argument, &e))?;
        let read = Source::read(&bytes, argument);
        let mut source = read.map_err(|e| match rule_file::is_path(path) {
            true => e.with_hint(format!("this is a rule's file: --rule {argument} plays it")),
            false => e,
        })?;
        source.folder = path.parent().map(|folder| match folder.as_os_str() {
            here if here.is_empty() => PathBuf::from("."),
            _ => folder.to_path_buf(),
        });
        return Ok(source);
    }
    if let Some(entry) = library::find(argument) {
        return Source::read(entry.text.as_bytes(), entry.name);
    }
    if looks_like_apgcode(argument) || looks_like_rle(argument) {
        return Source::typed(argument);
    }
    Err(unknown(argument))
}

/// `xs4_33`, `xp2_7`, `xq4_153`: a letter for the kind, a number, and the cells.
fn looks_like_apgcode(text: &str) -> bool {
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

/// What can be no file's and no pattern's name: it has an end, an end of a row, or nothing
/// but counted cells.
fn looks_like_rle(text: &str) -> bool {
    text.contains(['!', '$', '\n'])
        || (text.contains(|c: char| c.is_ascii_digit())
            && text.ends_with(['b', 'o'])
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || "bo ".contains(c)))
}

fn unknown(argument: &str) -> Failure {
    let looks_like_path = argument.contains(['/', '\\', '.']);
    if looks_like_path {
        return Failure::wrong(format_args!("{argument}: no such file"));
    }
    let near = library::suggest(argument);
    let hint = near.first().map_or_else(
        || "`gridpaper patterns` lists the built-in ones; RLE text ends with `!`".to_string(),
        |name| format!("did you mean {name}?"),
    );
    Failure::wrong(format_args!(
        "{argument}: no such file, and no built-in pattern of that name"
    ))
    .with_hint(hint)
}

/// The options that say which rule is meant.
#[derive(Debug, Args)]
pub(crate) struct RuleArguments {
    /// Run this rule instead of the one the pattern names: a notation, a name, or the path
    /// of a .rule or .gridrule file
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,

    #[command(flatten)]
    folder: RuleFolder,
}

impl RuleArguments {
    /// The rule: the one that was given, else the pattern's, else B3/S23; on a bounded
    /// grid if there is a size.
    pub(crate) fn rule(&self, source: &Source, size: Option<Size>) -> Result<Rule, Failure> {
        let (text, place) = match &self.rule {
            Some(text) => (text.as_str(), "--rule"),
            None => (source.rule_text(), source.label()),
        };
        let mut files = RuleFiles::of(source);
        if self.rule.is_some() {
            files = files.for_typed();
        }
        let rule = self.folder.before(files)?.read(text, place)?;
        let Some(Size { width, height }) = size else {
            return Ok(default_board(rule));
        };
        match rule.topology() {
            Topology::Unbounded => Ok(rule.with_topology(Topology::Plane { width, height })),
            topology if topology.size() == (width, height) => Ok(rule),
            topology => Err(Failure::wrong(format_args!(
                "--size {width}x{height}: the rule has a grid of its own, {topology}"
            ))
            .with_hint("leave --size out, or give --rule without a grid".to_string())),
        }
    }
}

/// Reads a rule that comes without a pattern; `place` says where it stood.
pub(crate) fn parse_rule(text: &str, place: &str, folder: &RuleFolder) -> Result<Rule, Failure> {
    folder.before(RuleFiles::of_person())?.read(text, place)
}

/// The classroom's rules are played on a sheet of 25 x 25 unless told otherwise.
fn default_board(rule: Rule) -> Rule {
    let fixed = rule.family() == CLASSROOM && *rule.topology() == Topology::Unbounded;
    if !fixed {
        return rule;
    }
    rule.with_topology(Topology::Plane {
        width: 25,
        height: 25,
    })
}

/// The family whose maps start at the top left of the board.
const CLASSROOM: &str = "Classroom";

/// Puts a classroom map at the top left of its board, where the course has it; all other
/// patterns stay as they are.
pub(crate) fn on_its_board(mut source: Source, rule: &Rule) -> Result<Source, Failure> {
    let (CLASSROOM, Some(board)) = (rule.family(), rule.topology().rect()) else {
        return Ok(source);
    };
    if source.pattern.position.is_some() {
        return Ok(source);
    }
    let pattern = &mut source.pattern;
    let Some(last) = pattern.cells.bounds().as_ref().and_then(Bounds::to_rect) else {
        return Ok(source);
    };
    let room = Rect::new(0, 0, board.width, board.height);
    if last.intersection(&room) != last {
        let (width, height) = (last.right(), last.bottom());
        return Err(Failure::wrong(format_args!(
            "{}: the map has {width} columns and {height} rows, the board {} and {}",
            source.label, board.width, board.height
        ))
        .with_hint(format!("--size {width}x{height} makes room for it")));
    }
    pattern.cells = pattern.cells.translated(board.x, board.y);
    pattern.position = Some(Point::new(board.x, board.y));
    Ok(source)
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
}
