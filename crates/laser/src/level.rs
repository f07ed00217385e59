//! The built-in levels: the named ones, each with its purpose, and a pack of graded ones.
//!
//! They are compiled into the program, so that a copy of the binary has them all.

pub mod pack;

use crate::board::Board;
use crate::generator::Grade;
use pack::PackLevel;
use std::sync::LazyLock;

/// A built-in level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinLevel {
    /// Its name as one types it: lower case, words joined by dashes.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// The level as a file has it.
    pub text: &'static str,
    /// How hard it is, for a level of the pack.
    pub grade: Option<Grade>,
    /// The fewest moves in which it can be solved; none where it cannot be.
    pub fewest: Option<u32>,
}

impl BuiltinLevel {
    /// The level.
    ///
    /// ```
    /// let level = laser::level::find("simple-mirror").unwrap();
    /// assert_eq!(level.board().pieces().count(), 1);
    /// ```
    #[must_use]
    pub fn board(&self) -> Board {
        self.text
            .parse()
            .expect("a test reads every built-in level")
    }
}

/// All built-in levels: the named ones, then the pack from easy to very hard, and last the few
/// that cannot be solved and are there to be looked at.
///
/// ```
/// use laser::Light;
///
/// for level in laser::level::all() {
///     let board = level.board();
///     assert!(!Light::of(&board).status(&board).is_solved(), "{}", level.name);
/// }
/// ```
#[must_use]
pub fn all() -> &'static [BuiltinLevel] {
    static ALL: LazyLock<Vec<BuiltinLevel>> = LazyLock::new(|| {
        let of_pack = graded().iter().map(|packed| BuiltinLevel {
            name: packed.name,
            purpose: packed.purpose,
            text: packed.text,
            grade: Some(packed.grade),
            fewest: Some(packed.moves),
        });
        let mut all: Vec<BuiltinLevel> = NAMED.iter().copied().chain(of_pack).collect();
        all.sort_by_key(|level| level.fewest.is_none());
        all
    });
    &ALL
}

/// The built-in levels that have a solution: what there is to be solved, and what counts of
/// levels for people say.
///
/// ```
/// use laser::level;
///
/// assert!(level::solvable().count() < level::all().len());
/// assert!(level::solvable().all(|level| level.fewest.is_some()));
/// ```
pub fn solvable() -> impl Iterator<Item = &'static BuiltinLevel> {
    all().iter().filter(|level| level.fewest.is_some())
}

/// The level of that name. Case, spaces, dashes and underscores do not matter.
///
/// ```
/// assert_eq!(laser::level::find("Simple Laser").unwrap().fewest, Some(1));
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static BuiltinLevel> {
    let wanted = plain(name);
    all().iter().find(|entry| plain(entry.name) == wanted)
}

/// The name with the least edit distance (Damerau and Levenshtein), at most a third of its letters; of several, the
/// first.
///
/// ```
/// assert_eq!(laser::level::suggest("simpel-laser"), Some("simple-laser"));
/// assert_eq!(laser::level::suggest("chess"), None);
/// ```
#[must_use]
pub fn suggest(name: &str) -> Option<&'static str> {
    let wanted = plain(name);
    let names = all().iter().map(|entry| {
        let changes = strsim::damerau_levenshtein(&wanted, &plain(entry.name));
        (changes, entry.name)
    });
    let (changes, name) = names.min_by_key(|&(changes, _)| changes)?;
    (changes <= wanted.chars().count() / 3).then_some(name)
}

/// The levels of the pack, from easy to very hard, each with its recipe.
///
/// ```
/// let pack = laser::level::graded();
/// assert!(pack.is_sorted_by_key(|level| level.grade));
/// ```
#[must_use]
pub fn graded() -> &'static [PackLevel<'static>] {
    static GRADED: LazyLock<Vec<PackLevel<'static>>> = LazyLock::new(|| {
        pack::read(include_str!("../levels/pack.txt")).expect("a test reads the pack")
    });
    &GRADED
}

/// A name without what people write in different ways.
fn plain(name: &str) -> String {
    let is_kept = |c: &char| !c.is_whitespace() && !matches!(c, '-' | '_');
    name.to_lowercase().chars().filter(is_kept).collect()
}

/// One [`BuiltinLevel`] a name, the fewest moves behind it, where it can be solved; its file lies in
/// `levels/<name>.level`.
macro_rules! named {
    ($($name:literal ($fewest:expr): $purpose:literal,)*) => {
        &[$(BuiltinLevel {
            name: $name,
            purpose: $purpose,
            text: include_str!(concat!("../levels/", $name, ".level")),
            grade: None,
            fewest: $fewest,
        }),*]
    };
}

// The list, made by hand; a test holds it against the folder.
const NAMED: &[BuiltinLevel] = named! {
    "empty" (None): "nothing but empty tiles: no light, nothing to move",
    "walls" (None): "walls and empty tiles, and no light: what a board looks like before anything happens on it",
    "simple-laser" (Some(1)): "one laser, one sensor, and a mirror in the way",
    "simple-mirror" (Some(1)): "one mirror turns the beam round the corner",
    "simple-splitter" (Some(1)): "one splitter makes two beams of one",
    "simple-tmirror" (Some(1)): "one T-mirror sends light to both sides",
    "many-lasers" (Some(4)): "four lasers, four mirrors, and beams that run round one another",
    "mirrors" (Some(3)): "a long way from mirror to mirror: each place is right, and each mirror is wrong",
    "splitters" (Some(3)): "nine splitters and eleven sensors: light runs in cycles and must reach all of them",
    "tmirrors" (None): "to look at: all four T-mirrors, each with light from all four sides; it has no sensor",
    "sensors" (Some(7)): "eight sensors that must be lit at once by one laser",
    "shared-mirror" (Some(3)): "two beams, and one mirror that must turn both, a side for each",
    "cycle" (Some(6)): "light that comes round to where it has been, and the sensors that it passes on its way",
    "threeway" (Some(2)): "one beam that must be split in three",
    "example" (Some(8)): "every kind of piece, once",
    "hard" (Some(7)): "two lasers, six sensors, one solution, and none of the seven pieces where it should be",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_however_it_is_written() {
        for name in ["very-hard-07", "Very Hard 07", "VERYHARD07", "very_hard-07"] {
            assert_eq!(find(name).map(|entry| entry.name), Some("very-hard-07"));
        }
        assert_eq!(find("no such level"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn a_name_that_is_nearly_right_is_understood() {
        for (name, meant) in [
            ("exampel", Some("example")),
            ("easy-1", Some("easy-01")),
            ("very hard 077", Some("very-hard-07")),
            ("no such level", None),
            ("", None),
        ] {
            assert_eq!(suggest(name), meant, "{name}");
        }
    }

    /// The table in the folder of the levels, by name.
    fn table() -> Vec<(&'static str, &'static str)> {
        let rows = include_str!("../levels/README.md").lines();
        let rows = rows.filter_map(|row| row.strip_prefix("| ")?.strip_suffix(" |"));
        let rows = rows.filter_map(|row| row.split_once(" | "));
        rows.skip(1).collect()
    }

    #[test]
    fn the_named_levels_are_those_of_the_folder() {
        let named: Vec<_> = NAMED
            .iter()
            .map(|entry| (entry.name, entry.purpose))
            .collect();
        assert_eq!(named, table());
        let folder = std::fs::read_dir("levels").unwrap();
        let files = folder.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut files: Vec<String> = files
            .filter_map(|file| Some(file.strip_suffix(".level")?.to_string()))
            .collect();
        files.sort();
        let mut names: Vec<&str> = NAMED.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        assert_eq!(names, files);
    }

    #[test]
    fn every_level_is_read_and_has_a_name_of_its_own() {
        let mut names = std::collections::HashSet::new();
        for entry in all() {
            assert!(names.insert(plain(entry.name)), "{}", entry.name);
            assert_eq!(entry.board().to_string(), entry.text, "{}", entry.name);
        }
    }
}
