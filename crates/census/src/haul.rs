//! The text that Catagolue takes of a census, written and read.
//!
//! The lines and their order are those of apgsearch v5.2 (`searcher.h`, facts only). Nothing is
//! sent from here. A haul has no line for a proof of work, which only the sender could add; where
//! one is read it is passed over.

use md5::{Digest, Md5};
use rule::Rule;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::str::FromStr;
use thiserror::Error;

/// The code of nothing at all, which is not listed.
const NOTHING: &str = "xs0_0";

/// What a census found, as it is handed in.
///
/// ```
/// use census::haul::Haul;
///
/// let haul = Haul {
///     version: "gridpaper-0.2.0".into(),
///     root: "k_example".into(),
///     rule: "b3s23".into(),
///     symmetry: "C1".into(),
///     soups: 2,
///     tally: [("xs4_33".into(), 7), ("xp2_7".into(), 9)].into(),
///     samples: [("xs4_33".into(), vec![0, 1])].into(),
/// };
/// let text = haul.to_string();
/// assert!(text.contains("@NUM_OBJECTS 16\n\n@CENSUS TABLE\nxp2_7 9\nxs4_33 7\n"));
/// assert_eq!(text.parse::<Haul>()?, haul);
/// # Ok::<(), census::haul::HaulError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Haul {
    /// The program that made it.
    pub version: String,
    /// The root of the seed strings.
    pub root: String,
    /// The rule as lifelib writes it, see [`haul_rule`].
    pub rule: String,
    /// The symmetry of the soups.
    pub symmetry: String,
    /// How many soups were run.
    pub soups: u64,
    /// How often each object was found, by its code.
    pub tally: BTreeMap<String, u64>,
    /// Soups in which an object was found.
    pub samples: BTreeMap<String, Vec<u64>>,
}

/// A text is not a haul.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HaulError {
    /// The last line has no end.
    #[error("the haul ends within line {0}: the rest of it is missing")]
    Cut(usize),
    /// A line is not of the form that its place asks for.
    #[error("line {line} of the haul is {text:?}, which is no {expected}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        text: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A line of the head is missing.
    #[error("the haul has no line {0}")]
    Missing(&'static str),
    /// The hash is not that of the root.
    #[error("the haul's root {root} has the MD5 {actual}, not {written}")]
    Hash {
        /// The root.
        root: String,
        /// Its hash.
        actual: String,
        /// The hash in the haul.
        written: String,
    },
    /// The objects do not add up.
    #[error("the haul's table has {counted} objects, and its head says {written}")]
    Sum {
        /// Those of the table.
        counted: u64,
        /// Those of the head.
        written: u64,
    },
}

/// A rule's text as hauls have it, which is lifelib's: lower case, without a slash. A rule for
/// which that is no text keeps its own.
///
/// ```
/// use census::haul::haul_rule;
///
/// assert_eq!(haul_rule("B3/S23"), "b3s23");
/// assert_eq!(haul_rule("B2-a/S12"), "b2-as12");
/// assert_eq!(haul_rule("345/2/4"), "g4b2s345");
/// ```
#[must_use]
pub fn haul_rule(rule: &str) -> String {
    let means_the_same = |text: &String| {
        let read: Result<Rule, _> = text.parse();
        read.is_ok_and(|read| read.to_string() == rule)
    };
    let parts: Vec<&str> = rule.split('/').collect();
    let short = match parts[..] {
        [survival, birth, states] => format!("g{states}b{birth}s{survival}"),
        _ => rule.replace('/', ""),
    };
    let candidates = [short.to_ascii_lowercase(), rule.to_ascii_lowercase()];
    let mut same = candidates.into_iter().filter(means_the_same);
    same.next().unwrap_or_else(|| rule.to_owned())
}

impl Haul {
    /// Codes and counts, the most frequent first.
    fn rows(&self) -> Vec<(&str, u64)> {
        let rows = self
            .tally
            .iter()
            .map(|(code, count)| (code.as_str(), *count));
        let mut rows: Vec<_> = rows.filter(|(code, _)| *code != NOTHING).collect();
        rows.sort_unstable_by_key(|&(code, count)| Reverse((count, code)));
        rows
    }
}

fn hash_of(root: &str) -> String {
    let digest = Md5::digest(root);
    digest.iter().fold(String::new(), |mut text, byte| {
        // writing to a string cannot fail
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl fmt::Display for Haul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows();
        let objects: u64 = rows.iter().map(|(_, count)| count).sum();
        writeln!(f, "@VERSION {}", self.version)?;
        writeln!(f, "@MD5 {}", hash_of(&self.root))?;
        writeln!(f, "@ROOT {}", self.root)?;
        writeln!(f, "@RULE {}", self.rule)?;
        writeln!(f, "@SYMMETRY {}", self.symmetry)?;
        writeln!(f, "@NUM_SOUPS {}", self.soups)?;
        writeln!(f, "@NUM_OBJECTS {objects}")?;
        writeln!(f, "\n@CENSUS TABLE")?;
        for (code, count) in &rows {
            writeln!(f, "{code} {count}")?;
        }
        writeln!(f, "\n@SAMPLE_SOUPIDS")?;
        for (code, _) in &rows {
            let samples = self.samples.get(*code).filter(|soups| !soups.is_empty());
            if let Some(samples) = samples {
                write!(f, "{code}")?;
                for soup in samples {
                    write!(f, " {soup}")?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// The part of a haul that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HaulPart {
    Head,
    Table,
    Samples,
}

impl FromStr for Haul {
    type Err = HaulError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut haul = Self::default();
        let mut part = HaulPart::Head;
        let mut head: BTreeMap<&str, &str> = BTreeMap::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim_end();
            let wrong = |expected| HaulError::Line {
                line: i + 1,
                text: line.into(),
                expected,
            };
            match line {
                "" => continue,
                "@CENSUS TABLE" => part = HaulPart::Table,
                "@SAMPLE_SOUPIDS" => part = HaulPart::Samples,
                _ if part == HaulPart::Head => {
                    if let Some((key, value)) = line.split_once(' ') {
                        head.insert(key, value);
                    }
                }
                _ if part == HaulPart::Table => {
                    let row = line.split_once(' ');
                    let row = row.and_then(|(code, n)| Some((code, n.trim().parse::<u64>().ok()?)));
                    let (code, count) = row.ok_or_else(|| wrong("code and count"))?;
                    let sum = haul.tally.entry(code.into()).or_default();
                    *sum = sum
                        .checked_add(count)
                        .ok_or_else(|| wrong("count below 2^64"))?;
                }
                _ => {
                    let mut words = line.split_whitespace();
                    let code = words.next().unwrap_or_default();
                    let soups: Result<Vec<_>, _> = words.map(str::parse).collect();
                    let soups = soups.map_err(|_| wrong("code and numbers of soups"))?;
                    haul.samples.insert(code.into(), soups);
                }
            }
        }
        haul.read_head(&head)?;
        if part != HaulPart::Samples {
            return Err(HaulError::Missing("@SAMPLE_SOUPIDS"));
        }
        // what is cut between two lines of samples is a haul with fewer of them
        match text.ends_with('\n') {
            true => Ok(haul),
            false => Err(HaulError::Cut(text.lines().count())),
        }
    }
}

impl Haul {
    fn read_head(&mut self, head: &BTreeMap<&str, &str>) -> Result<(), HaulError> {
        let text = |key| head.get(key).copied().ok_or(HaulError::Missing(key));
        let number = |key| -> Result<u64, HaulError> {
            text(key)?.parse().map_err(|_| HaulError::Missing(key))
        };
        self.version = text("@VERSION")?.into();
        self.root = text("@ROOT")?.into();
        self.rule = text("@RULE")?.into();
        self.symmetry = text("@SYMMETRY")?.into();
        self.soups = number("@NUM_SOUPS")?;
        let (actual, written) = (hash_of(&self.root), text("@MD5")?);
        if actual != written.to_ascii_lowercase() {
            return Err(HaulError::Hash {
                root: self.root.clone(),
                actual,
                written: written.into(),
            });
        }
        let written = number("@NUM_OBJECTS")?;
        let counts = self.tally.values();
        let counted = counts.fold(0_u64, |sum, &count| sum.saturating_add(count));
        if counted != written {
            return Err(HaulError::Sum { counted, written });
        }
        Ok(())
    }
}
