//! The built-in patterns: well-known ones, each with its name, its discoverer, where that
//! can be looked up, and a claim that the tests hold it to.
//!
//! They are RLE texts inside the program, so that a copy of the one binary has them all.
//! A folder read when the program runs would have to be found first.
//!
//! Each text opens with these comment lines:
//!
//! ```text
//! #N Acorn                                         its name
//! #O Charles Corderman, 1971                       who found it, and when
//! #C seven cells that take ...                     what it does
//! #C source: LifeWiki "Acorn"                      where the facts can be looked up
//! #C claim: methuselah settles 5206 population 633 what a test can check
//! ```
//!
//! The claims are written like this:
//!
//! | claim | says |
//! |---|---|
//! | `still life` | the next generation is the same |
//! | `oscillator period P` | the same after P generations and not before |
//! | `spaceship period P dx X dy Y` | the same after P generations and not before, X to the right and Y down |
//! | `gun period P adds N` | N more live cells after each P generations, and the gun itself is as it was |
//! | `puffer period P dx X dy Y adds N after G` | from generation G on, N more live cells after each P generations, and its front that much further; `dx X dy Y` is left out where gliders run ahead of the front |
//! | `replicator period P copies N` | after P generations nothing but N copies of itself |
//! | `methuselah settles G population N` | N live cells from generation G on, and another number shortly before |
//! | `grows to N at G` | N live cells at generation G, more than at half that time |
//! | `arrives x X y Y state S at G` | the cell at X, Y has state S at generation G and never before |
//! | `keeps x X y Y state S until G` | the cell at X, Y has state S from the start to generation G, while cells around it change |
//!
//! A pattern whose rule has no notation brings it with it, as a `.rule` file behind its
//! cells.

use crate::{Format, Pattern};
use std::sync::LazyLock;

/// A built-in pattern.
///
/// ```
/// let acorn = pattern::library::find("acorn").unwrap();
/// assert_eq!((acorn.title(), acorn.kind), ("Acorn", "methuselah"));
/// assert_eq!(acorn.author(), "Charles Corderman, 1971");
/// assert_eq!(acorn.claim(), Some("methuselah settles 5206 population 633"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryPattern {
    /// Its name as one types it: lower case, words joined by dashes.
    pub name: &'static str,
    /// What kind of thing it is: `still-life`, `oscillator`, `spaceship`, …
    pub kind: &'static str,
    /// The whole file, in RLE.
    pub text: &'static str,
}

impl LibraryPattern {
    /// Its name as one writes it: `Gosper glider gun`.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.line("#N ").unwrap_or(self.name)
    }

    /// Who found it, and when, as far as known.
    #[must_use]
    pub fn author(&self) -> &'static str {
        self.line("#O ").unwrap_or("unknown")
    }

    /// One sentence on what it does.
    #[must_use]
    pub fn description(&self) -> &'static str {
        self.line("#C ").unwrap_or_default()
    }

    /// Where the facts can be looked up.
    #[must_use]
    pub fn source(&self) -> Option<&'static str> {
        self.line("#C source: ")
    }

    /// What it is held to; see the table at the top of this module.
    #[must_use]
    pub fn claim(&self) -> Option<&'static str> {
        self.line("#C claim: ")
    }

    /// The rule that it lives in, as its header writes it.
    ///
    /// ```
    /// assert_eq!(pattern::library::find("caterer").unwrap().rule(), Some("B3/S23"));
    /// ```
    #[must_use]
    pub fn rule(&self) -> Option<&'static str> {
        let header = self.line("x = ")?;
        header.split_once("rule = ").map(|(_, rule)| rule.trim())
    }

    /// Its cells, its rule and all that its file says.
    ///
    /// ```
    /// let gun = pattern::library::find("gosper-glider-gun").unwrap().pattern();
    /// assert_eq!(gun.cells.population(), 36_u8.into());
    /// ```
    #[must_use]
    pub fn pattern(&self) -> Pattern {
        crate::read_as(self.text.as_bytes(), Format::Rle)
            .expect("a test reads every built-in pattern")
    }

    /// What stands behind the first line that opens with `mark`.
    fn line(&self, mark: &str) -> Option<&'static str> {
        let mut lines = self.text.lines();
        lines.find_map(|line| line.strip_prefix(mark))
    }
}

/// All built-in patterns, in the order in which lists show them: the best known first, then
/// kind by kind, in each kind those of Conway's rule first, by name; circuits and the patterns
/// of von Neumann's 29 states come last.
///
/// ```
/// let all = pattern::library::all();
/// assert!(all.iter().all(|entry| entry.source().is_some()));
/// let names: Vec<&str> = all.iter().map(|entry| entry.name).collect();
/// assert_eq!(names[..3], ["glider", "gosper-glider-gun", "pulsar"]);
/// ```
#[must_use]
pub fn all() -> &'static [LibraryPattern] {
    static SORTED: LazyLock<Vec<LibraryPattern>> = LazyLock::new(|| {
        let mut sorted = ENTRIES.to_vec();
        sorted.sort_by_cached_key(sort_key);
        sorted
    });
    &SORTED
}

/// What most people look for first.
const BEST_KNOWN: [&str; 3] = ["glider", "gosper-glider-gun", "pulsar"];

/// Every kind, in the order of lists.
///
/// ```
/// let kinds = pattern::library::KINDS;
/// assert!(pattern::library::all().iter().all(|entry| kinds.contains(&entry.kind)));
/// ```
pub const KINDS: [&str; 9] = [
    "methuselah",
    "spaceship",
    "gun",
    "oscillator",
    "still-life",
    "puffer",
    "growth",
    "replicator",
    "circuit",
];

/// The place of a pattern in lists; see [`all`].
fn sort_key(entry: &LibraryPattern) -> (usize, bool, usize, bool, &'static str) {
    let rank = |names: &[&str], name| names.iter().position(|n| *n == name);
    let rule = entry.rule().unwrap_or("B3/S23");
    let is_last = entry.kind == "circuit" || rule.starts_with("JvN") || rule.starts_with("Nobili");
    (
        rank(&BEST_KNOWN, entry.name).unwrap_or(BEST_KNOWN.len()),
        is_last,
        rank(&KINDS, entry.kind).unwrap_or(KINDS.len()),
        rule != "B3/S23",
        entry.name,
    )
}

/// The pattern of that name. Case, spaces, dashes and underscores do not matter; both the
/// short name and the title will do.
///
/// ```
/// let gun = pattern::library::find("Gosper Glider Gun").unwrap();
/// assert_eq!(gun.name, "gosper-glider-gun");
/// assert!(pattern::library::find("no such pattern").is_none());
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static LibraryPattern> {
    let wanted = plain(name);
    if wanted.is_empty() {
        return None;
    }
    let is_wanted = |entry: &&LibraryPattern| plain(entry.name) == wanted;
    let is_titled = |entry: &&LibraryPattern| plain(entry.title()) == wanted;
    all()
        .iter()
        .find(is_wanted)
        .or_else(|| all().iter().find(is_titled))
}

/// The names nearest to a misspelt one, nearest first; at most three, and none when
/// nothing is near.
///
/// ```
/// assert_eq!(pattern::library::suggest("rpentonimo"), ["r-pentomino"]);
/// ```
#[must_use]
pub fn suggest(name: &str) -> Vec<&'static str> {
    const MAX_SUGGESTIONS: usize = 3;
    // No name is as long, and the distance takes the product of both lengths.
    const MAX_NAME_LENGTH: usize = 100;
    if name.len() > MAX_NAME_LENGTH {
        return Vec::new();
    }
    let wanted: Vec<char> = plain(name).chars().collect();
    // A third of the letters may be wrong: `gospergun` is still not `glider`.
    let max_distance = wanted.len() / 3;
    let mut near: Vec<(usize, &'static str)> = Vec::new();
    for entry in all() {
        let to_name = distance(&wanted, &plain(entry.name).chars().collect::<Vec<_>>());
        let to_title = distance(&wanted, &plain(entry.title()).chars().collect::<Vec<_>>());
        let least = to_name.min(to_title);
        if least <= max_distance {
            near.push((least, entry.name));
        }
    }
    near.sort_unstable();
    // What is twice as far as the best guess is no guess.
    let best = near.first().map_or(0, |&(least, _)| least);
    near.retain(|&(least, _)| least <= best + 1);
    near.truncate(MAX_SUGGESTIONS);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The patterns that have `word` somewhere in their name, their kind or their text;
/// case does not matter. An empty word is in all of them.
///
/// Those that have it in their name come first.
///
/// ```
/// let guns = pattern::library::search("glider gun");
/// assert!(guns.iter().any(|entry| entry.name == "simkin-glider-gun"));
/// ```
#[must_use]
pub fn search(word: &str) -> Vec<&'static LibraryPattern> {
    let wanted = word.trim().to_lowercase();
    let squeezed = plain(word);
    let named = |entry: &LibraryPattern| {
        plain(entry.name).contains(&squeezed) || plain(entry.title()).contains(&squeezed)
    };
    let (mut found, others): (Vec<&LibraryPattern>, Vec<&LibraryPattern>) =
        all().iter().partition(|entry| named(entry));
    let mentions = |entry: &&LibraryPattern| entry.kind == wanted || prose(entry).contains(&wanted);
    found.extend(others.into_iter().filter(mentions));
    found
}

/// All of the text but its cells, in lower case, with the kind in front.
fn prose(entry: &LibraryPattern) -> String {
    let is_prose = |line: &&str| line.starts_with('#') || line.starts_with("x = ");
    let lines: Vec<&str> = entry.text.lines().filter(is_prose).collect();
    format!("{}\n{}", entry.kind, lines.join("\n")).to_lowercase()
}

/// A name without what people write in different ways.
fn plain(name: &str) -> String {
    let is_kept = |c: &char| !c.is_whitespace() && !matches!(c, '-' | '_' | '\'' | '.');
    name.to_lowercase().chars().filter(is_kept).collect()
}

/// How many letters must be put in, taken out, changed or swapped with their neighbour to
/// make one word of the other: the optimal string alignment distance, which allows the four edits
/// of Damerau (1964), one at a place, and is computed as Wagner and Fischer (1974) do.
fn distance(from: &[char], to: &[char]) -> usize {
    let width = to.len() + 1;
    let mut cost = vec![0; (from.len() + 1) * width];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            cost[i * width + j] = if i == 0 || j == 0 {
                i + j
            } else {
                let changed = usize::from(from[i - 1] != to[j - 1]);
                let mut least = (cost[(i - 1) * width + j] + 1)
                    .min(cost[i * width + j - 1] + 1)
                    .min(cost[(i - 1) * width + j - 1] + changed);
                let swapped =
                    i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
                if swapped {
                    least = least.min(cost[(i - 2) * width + j - 2] + 1);
                }
                least
            };
        }
    }
    cost[from.len() * width + to.len()]
}

/// One [`LibraryPattern`] a name; its file lies in `patterns/<kind>/<name>.rle`.
macro_rules! entries {
    ($($kind:literal: [$($name:literal),* $(,)?])*) => {
        &[$($(LibraryPattern {
            name: $name,
            kind: $kind,
            text: include_str!(concat!("../patterns/", $kind, "/", $name, ".rle")),
        }),*),*]
    };
}

// The list, made by hand; a test holds it against the folder.
const ENTRIES: &[LibraryPattern] = entries! {
    "circuit": [
        "jvn-builder",
        "jvn-coincidence",
        "jvn-lone-pulse",
        "nobili-crossing",
        "partitioned-collision",
        "wireworld-diode",
        "wireworld-diode-blocked",
        "wireworld-or",
        "wireworld-or-both",
        "wireworld-xor",
        "wireworld-xor-both",
    ]
    "growth": [
        "10-cell-infinite-growth",
        "20-cell-quadratic-growth",
        "5x5-infinite-growth",
        "extended-ring",
        "extended-row",
        "generations-long-row",
        "generations-row",
        "gnarl-seed",
        "history-glider",
        "max",
        "maze-wickstretcher",
        "one-row-infinite-growth",
        "rule-110-seed",
        "rule-30-seed",
        "serviettes-seed",
        "sierpinski-triangle",
        "super-trail",
        "weighted-block",
        "weighted-plus",
    ]
    "gun": [
        "bi-gun",
        "gosper-glider-gun",
        "simkin-glider-gun",
    ]
    "methuselah": [
        "acorn",
        "b-heptomino",
        "blom",
        "bunnies",
        "century",
        "colorised-meeting",
        "diehard",
        "gliders-by-the-dozen",
        "herschel",
        "immigration-r-pentomino",
        "iwona",
        "justyna",
        "lidka",
        "multum-in-parvo",
        "pi-heptomino",
        "r-pentomino",
        "rabbits",
        "switch-engine",
        "thunderbird",
    ]
    "oscillator": [
        "1-2-3",
        "101",
        "22p36",
        "28p7-1",
        "30p25",
        "34p13",
        "43p18",
        "achims-p144",
        "achims-p16",
        "alternating-hexagonal-p12",
        "base-clocks",
        "beacon",
        "beluchenkos-p37",
        "blinker",
        "blocker",
        "bosco-brick",
        "bugsmovie-ring",
        "burloaferimeter",
        "caterer",
        "clock",
        "colorised-blinker",
        "cribbage",
        "critters-p24",
        "critters-p8",
        "critters-p80",
        "cross",
        "figure-eight",
        "frogs-p6",
        "fumarole",
        "hertz-oscillator",
        "hexagonal-p12",
        "hexagonal-p30",
        "hexagonal-p48",
        "highlife-p96",
        "history-blinker",
        "history-marked-blinker",
        "hutton-pulse-loop",
        "investigator-p14",
        "investigator-p4",
        "investigator-p6",
        "investigator-p8",
        "jam",
        "just-friends-p14",
        "just-friends-p6",
        "jvn-p10",
        "jvn-pulse-loop",
        "jvn-two-pulses",
        "koks-galaxy",
        "map-p10",
        "map-p4",
        "map-p6",
        "mazing",
        "mold",
        "neon-blobs-p22",
        "neon-blobs-p6",
        "octagon-2",
        "partitioned-orbit",
        "pentadecathlon",
        "phoenix-1",
        "pinwheel",
        "pulsar",
        "quadlife-pulsar",
        "queen-bee-shuttle",
        "range-2-cross-p2",
        "range-2-diamond-p8",
        "range-2-hexagonal-p3",
        "range-2-saltire-p4",
        "range-2-saltire-p8",
        "rattlesnake",
        "silvers-p5",
        "smiley",
        "snake-p12",
        "sombreros",
        "star-wars-p12",
        "super-blinker",
        "toad",
        "triangular-p4-outer",
        "triangular-p8-outer",
        "triangular-p9",
        "tumbler",
        "twin-bees-shuttle",
        "unix",
        "von-neumann-blinking-slab",
        "von-neumann-p10",
        "von-neumann-p14",
        "von-neumann-p4",
        "weighted-p3",
        "weighted-p6",
        "wireworld-loop",
        "worker-bee",
    ]
    "puffer": [
        "2x2-line-puffer",
        "block-laying-switch-engine",
        "noahs-ark",
        "puffer-1",
        "puffer-2",
        "pufferfish",
        "space-rake",
    ]
    "replicator": [
        "fredkin-replicator",
        "hexagonal-replicator",
        "highlife-replicator",
        "von-neumann-replicator",
    ]
    "spaceship": [
        "25p3h1v0-1",
        "25p3h1v0-2",
        "27p4h1v1",
        "2x2-ship",
        "30p5h2v0",
        "44p5h2v0",
        "alternating-glider",
        "alternating-lwss",
        "b2n3-s23-q-glider",
        "base-glider",
        "big-glider",
        "billiard-ball",
        "bombers-ship",
        "bosco-bug",
        "bosco-diagonal-bug",
        "bosco-fast-bug",
        "bosco-odd-bug",
        "bosco-slow-bug",
        "brain",
        "brians-brain-glider",
        "brians-brain-ship",
        "bug",
        "bugsmovie-bug",
        "canada-goose",
        "coe-ship",
        "colorised-glider",
        "cooties-ship",
        "copperhead",
        "crab",
        "dart",
        "fireball",
        "frogs-ship",
        "gaussian-ship",
        "glider",
        "hexagonal-diagonal-ship",
        "hexagonal-orthogonal-ship",
        "highlife-bomber",
        "hpp-particle",
        "hwss",
        "immigration-glider",
        "just-friends-glider",
        "life-day-and-night-ship",
        "loafer",
        "lopsided-climber",
        "lopsided-p16-ship",
        "lopsided-pair",
        "lopsided-ship",
        "lwss",
        "map-life-glider",
        "moon",
        "morley-glider",
        "mwss",
        "orion-2",
        "partitioned-particle",
        "quadlife-painter",
        "seal",
        "sir-robin",
        "spider",
        "star-wars-ship",
        "super-glider",
        "tlife-ship",
        "triangular-glider",
        "triangular-row-ship",
        "turtle",
        "weekender",
        "weighted-life-glider",
        "worms-ship",
        "x66",
    ]
    "still-life": [
        "aircraft-carrier",
        "barge",
        "beehive",
        "beehive-at-beehive",
        "block",
        "boat",
        "canoe",
        "dead-spark-coil",
        "eater-1",
        "eater-2",
        "extended-block",
        "generations-block",
        "hat",
        "loaf",
        "long-boat",
        "mango",
        "mickey-mouse",
        "pond",
        "ship",
        "snake",
        "snark",
        "tub",
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_begin_with_what_people_look_for() {
        let names: Vec<&str> = all().iter().map(|e| e.name).collect();
        let place = |name| names.iter().position(|n| *n == name).unwrap();
        assert_eq!(names[..3], ["glider", "gosper-glider-gun", "pulsar"]);
        let order = [
            "acorn",
            "lwss",
            "simkin-glider-gun",
            "pentadecathlon",
            "block",
            "jvn-builder",
        ];
        assert!(order.map(place).is_sorted());
        for pair in all().windows(2) {
            assert!(sort_key(&pair[0]) < sort_key(&pair[1]));
        }
        for entry in all() {
            assert!(KINDS.contains(&entry.kind), "{}", entry.kind);
            let is_jvn = entry.name.starts_with("jvn") || entry.kind == "circuit";
            assert!(!is_jvn || place(entry.name) > place("highlife-replicator"));
        }
        assert_eq!(all().len(), ENTRIES.len());
    }

    #[test]
    fn sorted_and_each_name_once() {
        for pair in ENTRIES.windows(2) {
            assert!(
                (pair[0].kind, pair[0].name) < (pair[1].kind, pair[1].name),
                "{} before {}",
                pair[0].name,
                pair[1].name
            );
        }
        let mut names: Vec<String> = all().iter().map(|e| plain(e.name)).collect();
        names.sort();
        for pair in names.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
    }

    #[test]
    fn every_name_and_title_finds_its_own_entry() {
        for entry in all() {
            assert_eq!(find(entry.name), Some(entry));
            assert_eq!(find(entry.title()), Some(entry), "{}", entry.title());
            assert_eq!(
                find(&entry.name.to_uppercase().replace('-', "_")),
                Some(entry)
            );
        }
        assert_eq!(find(""), None);
        assert_eq!(find(" - "), None);
        assert_eq!(find("gosper"), None);
    }

    #[test]
    fn the_folder_holds_what_the_list_holds() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/patterns");
        let mut files = 0;
        for kind in std::fs::read_dir(folder).unwrap() {
            let kind = kind.unwrap();
            if !kind.file_type().unwrap().is_dir() {
                continue;
            }
            for file in std::fs::read_dir(kind.path()).unwrap() {
                let name = file.unwrap().file_name().into_string().unwrap();
                let name = name
                    .strip_suffix(".rle")
                    .unwrap_or_else(|| panic!("{name} is no RLE"));
                let entry = find(name).unwrap_or_else(|| panic!("{name} is not in the list"));
                assert_eq!(entry.name, name);
                assert_eq!(entry.kind, kind.file_name().to_str().unwrap());
                files += 1;
            }
        }
        assert_eq!(files, all().len());
    }

    #[test]
    fn each_is_read_and_says_what_its_lines_say() {
        for entry in all() {
            let pattern = entry.pattern();
            assert_eq!(pattern.name.as_deref(), Some(entry.title()));
            assert_eq!(pattern.author.as_deref(), Some(entry.author()));
            assert_eq!(pattern.rule.as_deref(), entry.rule());
            let comments: Vec<&str> = pattern.comments.iter().map(String::as_str).collect();
            let source = format!("source: {}", entry.source().unwrap());
            let claim = format!("claim: {}", entry.claim().unwrap());
            assert_eq!(comments, [entry.description(), &source, &claim]);
        }
    }

    #[test]
    fn misspelt_names_get_near_ones() {
        let rows: &[(&str, &[&str])] = &[
            ("glidre", &["glider"]),
            ("gosper gun glider", &[]),
            ("gospre-glider-gun", &["gosper-glider-gun"]),
            ("Acron", &["acorn"]),
            ("xyzzyxyzzy", &[]),
            ("", &[]),
        ];
        for &(typed, expected) in rows {
            assert_eq!(suggest(typed), expected, "{typed}");
        }
    }

    #[test]
    fn words_are_searched_everywhere() {
        let names = |word| search(word).iter().map(|e| e.name).collect::<Vec<_>>();
        assert!(names("Gosper").contains(&"eater-1"));
        assert_eq!(names("gosper")[0], "gosper-glider-gun");
        assert!(names("period 15").contains(&"pentadecathlon"));
        assert!(names("still-life").contains(&"block"));
        assert!(names("B36/S23").contains(&"highlife-replicator"));
        assert_eq!(search("").len(), all().len());
        assert!(search("no such word").is_empty());
    }

    #[test]
    fn distances() {
        let rows = [
            ("", "", 0),
            ("ab", "ba", 1),
            ("abc", "abc", 0),
            ("abc", "", 3),
            ("loaf", "loafer", 2),
        ];
        for (a, b, expected) in rows {
            let letters = |s: &str| s.chars().collect::<Vec<_>>();
            assert_eq!(distance(&letters(a), &letters(b)), expected, "{a} {b}");
        }
    }
}
