use crate::View;
use grid::{CellHash, Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::{Bounds, Cells, Run};
use rule::Rule;
use thiserror::Error;

/// Why an engine does not take a rule, a topology or a cell.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{engine} does not take {what}")]
pub struct Unsupported {
    /// The engine.
    pub engine: &'static str,
    /// What it does not take.
    pub what: String,
}

impl Unsupported {
    /// Refuses a rule that fills an endless world by itself.
    pub(crate) fn unless_empty_stays(engine: &'static str, rule: &Rule) -> Result<(), Self> {
        if rule.topology().rect().is_some() || !rule.fills_plane() {
            return Ok(());
        }
        let what = format!(
            "{rule} in an endless world: with B0 it fills all of it at once; it needs a grid, as \
             in `:T100,50`"
        );
        Err(Self { engine, what })
    }

    /// Refuses a state that the rule does not have.
    pub(crate) fn unless_state(
        engine: &'static str,
        rule: &Rule,
        state: State,
    ) -> Result<(), Self> {
        let states = rule.states();
        if u16::from(state) < states {
            return Ok(());
        }
        let what = format!("state {state}: the rule {rule} has {states} states");
        Err(Self { engine, what })
    }
}

/// Advancing was stopped before its end. The world stands at a whole generation, the one
/// that [`World::generation`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped before the end")]
pub struct Interrupted;

/// Asked now and then while a world advances; `false` stops it.
///
/// It is given the number of generations done since the call began, as far as known.
pub type Control<'a> = dyn FnMut(&BigUint) -> bool + 'a;

/// Cells, a rule, and a generation.
///
/// States are as shown, see [`rule::Rule`]: 0 is the empty plane.
pub trait World: Send {
    /// The engine's name: `naive`, `torus`, `tiles`, `hashlife`.
    fn engine(&self) -> &'static str;

    /// What moves the cells on, in words: which kernel the rule gets, and why.
    fn kernel(&self) -> String;

    /// The rule, with its topology.
    fn rule(&self) -> &Rule;

    /// Generations since the pattern as loaded, plus the generation that it was loaded at.
    fn generation(&self) -> &BigInt;

    /// Says what generation this is. Rules that look at the parity of time look at this.
    fn set_generation(&mut self, generation: BigInt);

    /// The state of a cell; 0 outside a bounded grid.
    fn get(&self, p: Point) -> State;

    /// Sets a cell.
    ///
    /// # Errors
    /// When the cell lies outside the grid (or further out than this engine reaches), or
    /// the rule has no such state. Nothing has changed then.
    fn set(&mut self, p: Point, state: State) -> Result<(), Unsupported>;

    /// Adds the cells of a pattern to the world, as they lie. Cells outside a bounded grid
    /// are dropped.
    ///
    /// # Errors
    /// When a state is too high for the rule, or a cell further out than this engine
    /// reaches. What the world then holds is not specified.
    fn load(&mut self, cells: &Cells) -> Result<(), Unsupported>;

    /// All live cells.
    fn cells(&self) -> Cells;

    /// The live cells inside `rect`, as runs cut to it, row by row.
    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run));

    /// What a view from far off shows: for each of its pixels that has live cells, once and
    /// in no order, how many pixels from the left and from the top it lies, and how many
    /// live cells it has (exact up to 2^53, at most [`f64::MAX`]).
    ///
    /// Any part of a world of any size can be seen; what it costs follows the pixels, or
    /// the runs in the view where an engine has nothing better.
    fn density(&self, view: &View, f: &mut dyn FnMut(u32, u32, f64)) {
        view.by_runs(self, f);
    }

    /// Moves `n` generations on.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` said to stop.
    fn advance(&mut self, n: &BigUint, control: &mut Control<'_>) -> Result<(), Interrupted>;

    /// How many cells are not in state 0.
    fn population(&self) -> BigUint;

    /// The box around the live cells; none when there are none.
    fn bounds(&self) -> Option<Bounds>;

    /// A hash of the live cells and their states, relative to the corner of the bounds: the
    /// same from every engine.
    fn hash(&self) -> CellHash {
        self.cells().hash()
    }
}
