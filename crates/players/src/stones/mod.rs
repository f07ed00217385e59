//! `strong`: a player made for [`games::stones`].
//!
//! It looks ahead by alpha-beta, one depth after another (iterative deepening), with a
//! table of the positions it has met. What all moves of a position lead to is known for the
//! price of three ticks ([`Children`](games::stones::Children)); that serves three times:
//! the moves that change nothing are all one move, the others are looked at in the order of
//! the lead they give at once, and the last ply of each line is not searched at all, since
//! the best lead after it can be read off.
//!
//! Only the moves with the best leads are looked into. A proven win is one nevertheless: a
//! position counts as lost only when *every* move of it was seen to lose.

mod evaluate;
mod search;
mod table;

pub use evaluate::Weights;
pub use search::Search;

use crate::{Clock, Limits, Player, PlayerError, Spec, Thought, Value, Watch};
use games::stones::{Point, Position, Stones};
use games::{Dice, Game as _, Joint, Outcome, Seat};
use search::{Found, PROVEN, Run};
use table::Table;

/// What is thought about, if nothing is said: 50 ms a move.
const PACE: u64 = 50;

/// Alpha-beta with an evaluation of its own.
#[derive(Debug)]
pub struct Strong {
    limits: Limits,
    search: Search,
    seed: u64,
    table: Table,
}

impl Strong {
    /// The player that was found best, with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::with_search(limits, Search::default())
    }

    /// A player that searches in a way of its own, for trying them out.
    #[must_use]
    pub fn with_search(limits: Limits, search: Search) -> Self {
        Self {
            limits,
            search,
            seed: 0,
            table: Table::default(),
        }
    }

    /// Reads the options of `strong:ms=50`.
    ///
    /// # Errors
    /// A limit is no number above 0.
    pub fn read(spec: &mut Spec<'_>) -> Result<Self, PlayerError> {
        Ok(Self::new(Limits::read(spec, Limits::of_time(PACE))?))
    }

    /// Room for the positions that such a search may meet.
    fn room(&self) -> usize {
        let nodes = self
            .limits
            .nodes
            .unwrap_or(u64::MAX)
            .clamp(1 << 10, 1 << 17);
        nodes.next_power_of_two() as usize
    }
}

impl Default for Search {
    fn default() -> Self {
        Self {
            weights: Weights([45, 76, 24, 0, 36, 0, 66, 0]),
            width: [30, 5, 5],
            root_width: 10,
            sift: 200,
        }
    }
}

impl Player<Stones> for Strong {
    fn name(&self) -> String {
        format!("strong:{}", self.limits.text("nodes"))
    }

    fn begin(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn think(
        &mut self,
        game: &Stones,
        state: &Position,
        seat: Seat,
        watch: &mut dyn Watch<Point>,
    ) -> Thought<Point> {
        // nothing is kept from move to move, so that a choice comes from the position and
        // the seed alone; all that was met is met again soon enough
        self.table.clear(self.room());
        let mut dice = Dice::of_part(self.seed, game.hash(state));
        let clock = Clock::start(self.limits);
        let mut run = Run::new(
            game,
            &self.search,
            &mut self.table,
            clock,
            watch,
            state.ply(),
        );
        let deepest = self.limits.depth.unwrap_or(u32::MAX);
        let found = run.deepen(
            state.board(),
            seat,
            deepest,
            &mut dice,
            |found, clock, watch| watch.report(&thought(found, clock.nodes(), seat)),
        );
        thought(&found, run.clock.nodes(), seat)
    }
}

fn thought(found: &Found, nodes: u64, seat: Seat) -> Thought<Point> {
    let value = match found.value {
        value if value >= PROVEN => Value::Proven(Outcome::Win(seat)),
        value if value <= -PROVEN => Value::Proven(Outcome::Win(seat.other())),
        value => Value::Lead(f64::from(value) / 100.0),
    };
    Thought {
        line: found.line.iter().map(|&m| Joint::One(m)).collect(),
        value: (found.depth > 0).then_some(value),
        nodes,
        depth: found.depth,
        ..Thought::plain(found.line[0])
    }
}
