//! Messages of a classroom page: one JSON object each, with one field.

use serde::Deserialize;

/// A message.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ClassroomMessage {
    /// So many rounds on.
    Step(u32),
    /// Back to round 0.
    Restart(bool),
    /// An empty map.
    Clear(bool),
    /// Columns and rows.
    Size([u32; 2]),
    /// A built-in map.
    Open(String),
    /// The text of a `.cells` file.
    Read {
        text: String,
        #[serde(default)]
        centre: bool,
        #[serde(default)]
        cs100: bool,
        #[serde(default)]
        lenient: bool,
    },
    /// Cells to draw as one rule has them: in a state, or each in its next one.
    Draw {
        rule: String,
        cells: Vec<[u32; 2]>,
        state: Option<u8>,
    },
    /// Why a cell will be what it will be, under all rules.
    Why { x: u32, y: u32 },
    /// What the page was told last, before its connection was lost.
    Resume(Box<SavedClassroom>),
}

/// The saved state of a page.
#[derive(Debug, Deserialize)]
pub(super) struct SavedClassroom {
    pub(super) size: [u32; 2],
    pub(super) round: u64,
    /// Each rule's board, as its `.cells` file has it.
    pub(super) boards: [String; 5],
    /// The same at round 0.
    pub(super) start: [String; 5],
}
