//! Gosper's recursion: a square twice as wide knows its middle.

use super::grain::Grain;
use super::store::{LEAF, Store};

/// Why a step did not come to its end. Nothing is lost: the world has not moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Who asked for the step no longer wants it.
    Asked,
    /// What the step needs at once does not fit the memory given.
    Memory,
}

/// One step under way.
pub(super) struct Stepper<'a, 'c, G: Grain> {
    pub(super) store: &'a mut Store<G>,
    /// What must outlive a collection: the root, and what the recursion holds.
    pub(super) held: &'a mut Vec<u32>,
    /// Bytes that the tables may take.
    pub(super) memory: u64,
    /// Asked now and then whether to go on.
    pub(super) go_on: &'a mut (dyn FnMut() -> bool + 'c),
    calls: u32,
}

/// How many squares are worked out between two questions whether to go on: a few
/// milliseconds' worth.
const LOOK_EVERY: u32 = 1 << 12;

impl<'a, 'c, G: Grain> Stepper<'a, 'c, G> {
    pub(super) fn new(
        store: &'a mut Store<G>,
        held: &'a mut Vec<u32>,
        memory: u64,
        go_on: &'a mut (dyn FnMut() -> bool + 'c),
    ) -> Self {
        Self {
            store,
            held,
            memory,
            go_on,
            calls: 0,
        }
    }

    /// The middle half of a node of a level after 2^`power` generations, where
    /// `power <= level - 2 - slowness`. `phase` is the generation that is left, modulo the
    /// rule's time period.
    pub(super) fn future(
        &mut self,
        node: u32,
        level: u32,
        power: u32,
        phase: u64,
    ) -> Result<u32, Stop> {
        if node == 0 {
            return Ok(0);
        }
        let tag = (power << 2 | phase as u32) + 1;
        if let Some(result) = self.store.recall(node, tag) {
            return Ok(result);
        }
        let base = self.store.grain.level() + 1;
        let result = if level == base {
            let four = self.store.children(node).map(|leaf| self.store.leaf(leaf));
            let leaf = self.store.grain.step(four, phase, 1 << power);
            self.store.intern(leaf)
        } else {
            let height = self.held.len();
            self.held.push(node);
            self.look()?;
            let result = self.combine(node, level, power, phase)?;
            self.held.truncate(height);
            result
        };
        self.store.remember(node, tag, result);
        Ok(result)
    }

    /// [`Stepper::future`] from the nine overlapping squares half as wide:
    ///
    /// ```text
    /// 0 1 2      nine squares, each known at its middle;
    /// 3 4 5      then four squares of four middles, each known at its own middle
    /// 6 7 8
    /// ```
    fn combine(&mut self, node: u32, level: u32, power: u32, phase: u64) -> Result<u32, Stop> {
        let below = level - 1;
        // Where the step is the longest that this level can take, it is made of two halves;
        // where it is shorter, the second half of the way stands still.
        let two_halves = power == level - 2 - self.store.grain.slowness();
        let first = if two_halves { power - 1 } else { power };
        let squares = self.nine(node);
        self.held.extend(squares);
        let middles = self.held.len();
        for square in squares {
            let middle = self.future(square, below, first, phase)?;
            self.held.push(middle);
        }
        let m = |k: usize| self.held[middles + k];
        let fours = [0, 1, 3, 4].map(|i| [m(i), m(i + 1), m(i + 3), m(i + 4)]);
        if !two_halves {
            let quadrants = self.middles_of(fours);
            return Ok(self.store.node(quadrants));
        }
        // rules go by the generation's rest by four at most
        let later = (phase + (1 << first.min(2))) % self.store.grain.time_period();
        let squares = self.store.nodes(fours);
        self.held.extend(squares);
        let mut quadrants = [0; 4];
        for (quadrant, square) in quadrants.iter_mut().zip(squares) {
            *quadrant = self.future(square, below, first, later)?;
            self.held.push(*quadrant);
        }
        Ok(self.store.node(quadrants))
    }

    /// The nine overlapping squares of a node, half as wide.
    fn nine(&mut self, node: u32) -> [u32; 9] {
        let [nw, ne, sw, se] = self.store.children(node);
        let [a, b, c, d] = [nw, ne, sw, se].map(|quadrant| self.store.children(quadrant));
        let [n, w, middle, e, s] = self.store.nodes([
            [a[1], b[0], a[3], b[2]],
            [a[2], a[3], c[0], c[1]],
            [a[3], b[2], c[1], d[0]],
            [b[2], b[3], d[0], d[1]],
            [c[1], d[0], c[3], d[2]],
        ]);
        [nw, n, ne, w, middle, e, sw, s, se]
    }

    /// The middles of four times four squares, without a step in time.
    fn middles_of(&mut self, fours: [[u32; 4]; 4]) -> [u32; 4] {
        if fours.iter().flatten().any(|square| square & LEAF != 0) {
            return fours.map(|four| {
                let leaves = four.map(|leaf| self.store.leaf(leaf));
                let leaf = self.store.grain.step(leaves, 0, 0);
                self.store.intern(leaf)
            });
        }
        let wanted = fours.map(|[nw, ne, sw, se]| {
            let c = |quadrant: u32, corner: usize| self.store.children(quadrant)[corner];
            [c(nw, 3), c(ne, 2), c(sw, 1), c(se, 0)]
        });
        self.store.nodes(wanted)
    }

    /// Does it still fit? And, now and then: may we go on?
    fn look(&mut self) -> Result<(), Stop> {
        if self.store.bytes() > self.memory {
            let squares = self.held.iter().copied();
            self.store.collect(squares.filter(|&square| square != 0));
            // With less than an eighth to spare, the next collection would follow at once.
            if self.store.bytes() > self.memory / 8 * 7 {
                return Err(Stop::Memory);
            }
        }
        self.calls += 1;
        if self.calls < LOOK_EVERY {
            return Ok(());
        }
        self.calls = 0;
        if (self.go_on)() {
            Ok(())
        } else {
            Err(Stop::Asked)
        }
    }
}
