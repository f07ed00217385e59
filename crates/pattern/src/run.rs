use grid::State;

/// A horizontal run of live cells in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// The row.
    pub y: i64,
    /// The leftmost column.
    pub x: i64,
    /// How many cells.
    pub length: u64,
    /// Their state; not 0.
    pub state: State,
}
