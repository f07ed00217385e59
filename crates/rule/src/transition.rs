use crate::{LookupTable, Neighbourhood};
use grid::{Point, State, Symmetry};

/// A table that maps the cells seen to the next state.
#[derive(Clone, Debug, PartialEq)]
pub enum Transition {
    /// Looks up the configuration of the 3 x 3 block.
    Configuration(ConfigurationTable),
    /// Looks up a weighted sum over a neighbourhood.
    Count(CountTable),
    /// Looks up the exact states of a list of cells.
    Lookup(LookupTable),
}

impl Transition {
    /// The next state. `state_at(dx, dy)` gives the states around; (0, 0) is the cell itself.
    ///
    /// ```
    /// use rule::{Rule, Site};
    ///
    /// let seeds: Rule = "Seeds".parse()?;
    /// let two = |dx: i32, dy: i32| u8::from(dy == 0 && dx != 0);
    /// assert_eq!(seeds.transition(Site::default()).next(two), 1);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn next(&self, state_at: impl FnMut(i32, i32) -> State) -> State {
        match self {
            Self::Configuration(table) => table.next(state_at),
            Self::Count(table) => table.next(state_at),
            Self::Lookup(table) => table.next(state_at),
        }
    }

    /// Whether it decides alike when all that it sees is turned or mirrored. Tables of exact
    /// states are taken for none that does.
    pub(crate) fn is_symmetric(&self, symmetry: Symmetry) -> bool {
        let moved = |(dx, dy): (i32, i32)| {
            let Point { x, y } = symmetry.apply(Point::new(dx.into(), dy.into()));
            (x, y)
        };
        match self {
            Self::Configuration(table) => table.is_symmetric(moved),
            Self::Count(table) => table.neighbourhood.is_symmetric(moved),
            Self::Lookup(_) => false,
        }
    }

    /// How far it looks.
    ///
    /// ```
    /// use rule::{Rule, Site};
    ///
    /// let life: Rule = "Life".parse()?;
    /// assert_eq!(life.transition(Site::default()).radius(), 1);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn radius(&self) -> u32 {
        match self {
            Self::Configuration(_) => 1,
            Self::Count(table) => table.neighbourhood.radius(),
            Self::Lookup(table) => table.radius(),
        }
    }
}

/// The next state of a cell that is in one given state now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransitionRow {
    /// Whatever it sees.
    Constant(State),
    /// By what it sees: the 9-bit configuration, or the sum less the least sum.
    By(Vec<State>),
}

impl TransitionRow {
    /// The next state for an index.
    ///
    /// ```
    /// use rule::TransitionRow;
    ///
    /// assert_eq!(TransitionRow::Constant(1).get(511), 1);
    /// assert_eq!(TransitionRow::By(vec![0, 0, 1]).get(2), 1);
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> State {
        match self {
            Self::Constant(state) => *state,
            Self::By(next) => next[index],
        }
    }
}

/// A table indexed by the configuration of the counted cells in the 3 x 3 block.
///
/// The index has nine bits, the most significant for the north-west cell, row by row,
/// the cell itself among them:
///
/// ```text
/// 256 128 64
///  32  16  8
///   4   2  1
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigurationTable {
    /// Whether a cell of this state sets its bit; one entry a state.
    pub counted: Vec<bool>,
    /// One row a state of the cell itself; a [`TransitionRow::By`] has 512 entries.
    pub rows: Vec<TransitionRow>,
}

impl ConfigurationTable {
    /// Whether all rows are the same for the cells at other places.
    fn is_symmetric(&self, moved: impl Fn((i32, i32)) -> (i64, i64)) -> bool {
        let place = |(x, y): (i64, i64)| (3 * (y + 1) + x + 1) as usize;
        let places = Self::OFFSETS.map(|offset| place(moved(offset)));
        let turned = |index: usize| {
            let bits = places.iter().enumerate();
            bits.fold(0, |turned, (from, to)| {
                turned | (index >> (8 - from) & 1) << (8 - to)
            })
        };
        self.rows.iter().all(|row| match row {
            TransitionRow::Constant(_) => true,
            TransitionRow::By(next) => (0..512).all(|index| next[index] == next[turned(index)]),
        })
    }

    /// Offsets of the nine cells, the most significant bit first.
    pub const OFFSETS: [(i32, i32); 9] = [
        (-1, -1),
        (0, -1),
        (1, -1),
        (-1, 0),
        (0, 0),
        (1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
    ];

    fn next(&self, mut state_at: impl FnMut(i32, i32) -> State) -> State {
        let mut index = 0;
        for (dx, dy) in Self::OFFSETS {
            index = index << 1 | usize::from(self.counted[usize::from(state_at(dx, dy))]);
        }
        self.rows[usize::from(state_at(0, 0))].get(index)
    }
}

/// A table indexed by a weighted sum over a neighbourhood.
///
/// The sum is `weight(dx, dy) * value(state there)` over all cells of the neighbourhood.
///
/// ```
/// use rule::{Rule, Site, Transition};
///
/// let rule: Rule = "R2,C2,S2-4,B3,NN".parse()?;
/// let Transition::Count(table) = rule.transition(Site::default()) else {
///     panic!("sums decide");
/// };
/// assert_eq!((table.least, table.rows[0].get(3), table.rows[0].get(4)), (0, 1, 0));
/// # Ok::<(), rule::RuleError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CountTable {
    /// Which cells count, and how much.
    pub neighbourhood: Neighbourhood,
    /// What a cell of each state is worth; one entry a state.
    pub values: Vec<i32>,
    /// The least sum that a neighbourhood can have: index 0 of a [`TransitionRow::By`].
    pub least: i64,
    /// One row a state of the cell itself; a [`TransitionRow::By`] has an entry for each sum from
    /// the least to the greatest.
    pub rows: Vec<TransitionRow>,
}

impl CountTable {
    fn next(&self, mut state_at: impl FnMut(i32, i32) -> State) -> State {
        let mut sum = 0;
        for cell in self.neighbourhood.cells() {
            let state = state_at(cell.dx, cell.dy);
            sum += i64::from(cell.weight) * i64::from(self.values[usize::from(state)]);
        }
        self.rows[usize::from(state_at(0, 0))].get((sum - self.least) as usize)
    }
}
