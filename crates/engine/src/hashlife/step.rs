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

/// How many squares are worked out between two looks at memory and control: a few
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
        let tag = (power << 1 | phase as u32) + 1;
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
        let quadrants = self.store.children(node);
        let middles = self.held.len();
        for i in 0..9 {
            let square = self.ninth(quadrants, i);
            let middle = self.future(square, below, first, phase)?;
            self.held.push(middle);
        }
        let later = if first == 0 {
            (phase + 1) % self.store.grain.time_period()
        } else {
            phase
        };
        for i in [0, 1, 3, 4] {
            let m = |k: usize| self.held[middles + i + k];
            let four = [m(0), m(1), m(3), m(4)];
            let quadrant = if two_halves {
                let square = self.store.node(four);
                self.future(square, below, first, later)?
            } else {
                self.middle_of(four)
            };
            self.held.push(quadrant);
        }
        let q = |k: usize| self.held[middles + 9 + k];
        let four = [q(0), q(1), q(2), q(3)];
        Ok(self.store.node(four))
    }

    /// One of the nine overlapping squares of a node with these quadrants.
    fn ninth(&mut self, q: [u32; 4], i: usize) -> u32 {
        let [nw, ne, sw, se] = q;
        let c = |quadrant: u32, corner: usize| self.store.children(quadrant)[corner];
        let children = match i {
            0 => return nw,
            1 => [c(nw, 1), c(ne, 0), c(nw, 3), c(ne, 2)],
            2 => return ne,
            3 => [c(nw, 2), c(nw, 3), c(sw, 0), c(sw, 1)],
            4 => [c(nw, 3), c(ne, 2), c(sw, 1), c(se, 0)],
            5 => [c(ne, 2), c(ne, 3), c(se, 0), c(se, 1)],
            6 => return sw,
            7 => [c(sw, 1), c(se, 0), c(sw, 3), c(se, 2)],
            _ => return se,
        };
        self.store.node(children)
    }

    /// The middle of four squares, without a step in time.
    fn middle_of(&mut self, four: [u32; 4]) -> u32 {
        if four == [0; 4] {
            return 0;
        }
        if four.iter().any(|square| square & LEAF != 0) {
            let leaves = four.map(|leaf| self.store.leaf(leaf));
            let leaf = self.store.grain.step(leaves, 0, 0);
            return self.store.intern(leaf);
        }
        let [nw, ne, sw, se] = four;
        let c = |quadrant: u32, corner: usize| self.store.children(quadrant)[corner];
        let children = [c(nw, 3), c(ne, 2), c(sw, 1), c(se, 0)];
        self.store.node(children)
    }

    /// Now and then: may we go on, and does it still fit?
    fn look(&mut self) -> Result<(), Stop> {
        self.calls += 1;
        if self.calls < LOOK_EVERY {
            return Ok(());
        }
        self.calls = 0;
        if !(self.go_on)() {
            return Err(Stop::Asked);
        }
        if self.store.bytes() > self.memory {
            let squares = self.held.iter().copied();
            self.store.collect(squares.filter(|&square| square != 0));
            // With less than an eighth to spare, the next collection would follow at once.
            if self.store.bytes() > self.memory / 8 * 7 {
                return Err(Stop::Memory);
            }
        }
        Ok(())
    }
}
