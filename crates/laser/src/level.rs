//! The built-in levels: the named ones, each with its purpose, and a pack of graded ones.

use crate::board::Board;
use crate::generator::Grade;
use std::sync::LazyLock;

/// A built-in level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name as one types it: lower case, words joined by dashes.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// The level as a file has it.
    pub text: &'static str,
    /// How hard it is, for a level of the pack.
    pub grade: Option<Grade>,
    /// The fewest moves in which it can be solved, as far as known.
    pub fewest: Option<u32>,
}

impl Entry {
    /// The level.
    #[must_use]
    pub fn board(&self) -> Board {
        self.text
            .parse()
            .expect("a test reads every built-in level")
    }
}

/// All built-in levels: the named ones, then the pack from easy to very hard.
#[must_use]
pub fn all() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(Vec::new);
    &ALL
}

/// The level of that name. Case, spaces, dashes and underscores do not matter.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    let wanted = plain(name);
    all().iter().find(|entry| plain(entry.name) == wanted)
}

/// A name without what people write in different ways.
fn plain(name: &str) -> String {
    let is_kept = |c: &char| !c.is_whitespace() && !matches!(c, '-' | '_');
    name.to_lowercase().chars().filter(is_kept).collect()
}
