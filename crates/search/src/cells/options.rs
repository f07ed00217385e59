//! How a search by cells goes about it.

/// The order of the cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellOrder {
    /// Along the shorter side; diagonally where the cells lie in a diagonal band.
    #[default]
    Auto,
    /// Row by row.
    Row,
    /// Column by column.
    Column,
    /// Diagonal by diagonal, from the upper left.
    Diagonal,
}

/// What a cell is guessed to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellGuess {
    /// Dead.
    Dead,
    /// Live.
    #[default]
    Live,
    /// Either, by the seed and the cell.
    Random,
}

/// How a search by cells goes about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellSearchOptions {
    /// The order of the cells.
    pub order: CellOrder,
    /// What is tried first.
    pub guess: CellGuess,
    /// For random guesses.
    pub seed: u64,
}
