//! A hashed quadtree: every square of the world that differs is held once, and each
//! remembers its own future, so that what repeats, in space or in time, is worked out
//! once. After R. W. Gosper, "Exploiting regularities in large cellular spaces" (1984).
//!
//! Squares of 16 x 16 cells (two states, radius 1), 8 x 8 cells in planes (more states, as
//! logic), 4 x 4 byte cells (more states, other rules) or larger squares of byte cells
//! (greater radii) are the leaves, see `leaf_kind`. The tables are in `store`, the batches in
//! `step`. A step of any length costs no clearing of results: each result carries the step
//! that it is for.
//!
//! Memory is bounded by collection: what the world and the recursion do not hold is freed.
//! A step that needs more at once than the memory given is cut in halves; a world whose
//! single generation does not fit stops, and says so.

mod ages;
mod bits;
mod bytes;
mod capacity;
mod collection;
mod conversion;
mod index;
mod leaf_kind;
mod leaves;
mod lookup;
mod maintenance;
#[cfg(test)]
mod model;
mod nodes;
mod planes;
mod ring;
mod small_leaf;
mod step;
mod step_length;
mod store;
mod summaries;
mod workers;

use crate::kernel::{BitKernel, CellKernel, DirectTableKernel, SquareKernel};
use crate::{
    AdvanceCallback, AdvanceInterruption, MemoryLimitError, Options, UnsupportedError, View, World,
    phase,
};
use bits::BitLeafKind;
use bytes::ByteLeafKind;
use capacity::GrowthOutcome;
use collection::RetentionPolicy;
use conversion::{Reader, tree_of};
use grid::{CellHash, Point, Rect, State};
use leaf_kind::LeafKind;
use num_bigint::{BigInt, BigUint};
use pattern::interrupt::{Checkpoints, checkpoint};
use pattern::{Bounds, Cells, Node, Run, Tree};
use planes::PlaneLeafKind;
use ring::TorusArray;
use rule::{Rule, Topology};
use small_leaf::SmallLeafKind;
use std::cell::RefCell;
use std::collections::HashMap;
use step::{MacroStep, StepInterruption};
use step_length::StepLength;
use store::{NodeStore, StoreCapacityError};
use summaries::NodeSummaries;

/// The first row of the southern half, as in macrocell files.
const TOP: i64 = 1;

/// Steps of logic up to which leaves of bit planes are quicker than small ones of bytes.
/// Generations of 24 states run three times as fast, wires a fifth faster.
const MOST_STEPS: usize = 200;

/// An empty hashed world that may take `memory` bytes.
///
/// # Errors
/// When the topology has edges that do not join to make a torus, or the torus is too large
/// or too odd to be an array of squares.
pub fn hashlife(rule: Rule, memory: u64) -> Result<Box<dyn World>, UnsupportedError> {
    let options = Options {
        memory,
        ..Options::default()
    };
    hashlife_on(rule, &options)
}

/// [`hashlife`], with all that an engine may use.
pub(crate) fn hashlife_on(
    rule: Rule,
    options: &Options,
) -> Result<Box<dyn World>, UnsupportedError> {
    UnsupportedError::unless_empty_stays("hashlife", &rule)?;
    if rule.fills_plane() {
        return Err(refused(format!(
            "{rule}: it counts on empty squares that stay empty; the torus engine does not"
        )));
    }
    if let Some(kernel) = BitKernel::compile(&rule) {
        return hashed(rule, Box::new(BitLeafKind::new(kernel)), options);
    }
    // Before the circuit, which takes thirty to a hundred times as long to make.
    if rule.states() > 2
        && let Some(kernel) = DirectTableKernel::compile(&rule)
    {
        return hashed(rule, Box::new(SmallLeafKind::direct(kernel)), options);
    }
    if rule.states() > 2
        && let Some(kernel) = SquareKernel::compile(&rule, MOST_STEPS)
    {
        match kernel.planes() {
            2 => return hashed(rule, Box::new(PlaneLeafKind::<2>::new(kernel)), options),
            3 => return hashed(rule, Box::new(PlaneLeafKind::<3>::new(kernel)), options),
            4 => return hashed(rule, Box::new(PlaneLeafKind::<4>::new(kernel)), options),
            5 => return hashed(rule, Box::new(PlaneLeafKind::<5>::new(kernel)), options),
            _ => {}
        }
    }
    let (kernel, time_period) = (CellKernel::compile(&rule), rule.time_period());
    if rule.states() > 2 && rule.radius() == 1 {
        return hashed(
            rule,
            Box::new(SmallLeafKind::new(kernel, time_period)),
            options,
        );
    }
    hashed(
        rule,
        Box::new(ByteLeafKind::new(kernel, time_period)),
        options,
    )
}

fn hashed(
    rule: Rule,
    leaf_kind: Box<dyn LeafKind>,
    options: &Options,
) -> Result<Box<dyn World>, UnsupportedError> {
    let ring = match rule.topology() {
        Topology::Unbounded => None,
        _ => Some(TorusArray::new(&rule, &*leaf_kind, options.memory)?),
    };
    let mut world = HashlifeWorld::new(rule, leaf_kind, ring, options.memory);
    world.store.threads = options.threads.max(1);
    world.store.scarce_collections = options.collections.clone();
    Ok(Box::new(world))
}

fn refused(what: String) -> UnsupportedError {
    UnsupportedError {
        engine: "hashlife",
        what,
    }
}

/// A hashed world.
struct HashlifeWorld {
    rule: Rule,
    generation: BigInt,
    store: NodeStore,
    root: u32,
    /// The root is 2^level cells wide and placed as a [`Tree`]'s: the top-left cell of its
    /// south-east quadrant is (0, 1). At least two levels above the leaves.
    level: u32,
    /// On a torus: the same cells, as they are stepped.
    ring: Option<TorusArray>,
    memory: u64,
    /// What a step that is to be gone on with had on the way.
    held: Vec<u32>,
    /// How much it had done.
    done: usize,
    /// How often in turn there was no room for anything to be found out.
    tries: u32,
    /// The longest step, as a power of two, that may fit the memory at once.
    longest: u32,
    /// Whether a stop was asked for since the last run that came to its end...
    is_stopped: bool,
    /// ...and whether there was one before or after the last end, too.
    is_hurried: bool,
    /// Whether the last run stopped for want of memory.
    is_full: bool,
    answers: RefCell<NodeSummaries>,
}

/// A square beside the origin, and where its top-left cell lies.
struct Quadrant {
    square: u32,
    corner: (i64, i64),
}

impl HashlifeWorld {
    fn new(
        rule: Rule,
        leaf_kind: Box<dyn LeafKind>,
        ring: Option<TorusArray>,
        memory: u64,
    ) -> Self {
        let level = leaf_kind.level() + 2;
        Self {
            rule,
            generation: BigInt::ZERO,
            store: NodeStore::new(leaf_kind, memory),
            held: Vec::new(),
            tries: 0,
            longest: u32::MAX,
            is_stopped: false,
            is_hurried: false,
            done: 0,
            root: 0,
            level,
            ring,
            memory,
            is_full: false,
            answers: RefCell::default(),
        }
    }

    /// Does what needs room, again with more where there is none. What it has made by then
    /// may be gone; the world itself stays.
    fn with_room<T>(&mut self, mut f: impl FnMut(&mut Self) -> Result<T, StoreCapacityError>) -> T {
        let mut memory = self.memory;
        let go_on: &mut dyn FnMut() -> bool = &mut || {
            checkpoint();
            true
        };
        self.store.carry_on(go_on);
        loop {
            if let Ok(done) = f(self) {
                return done;
            }
            // What the world itself needs is never refused.
            let roots = self.roots();
            let held = Vec::new();
            if memory == 0
                || self.store.make_room(memory, roots, held, go_on) != GrowthOutcome::Made
            {
                self.store.grow();
            }
            memory = 0;
        }
    }

    /// The same for what may be refused: where it would need more than the world may take.
    fn within_room<T>(
        &mut self,
        mut f: impl FnMut(&mut Self) -> Result<T, StoreCapacityError>,
    ) -> Result<T, StoreCapacityError> {
        let go_on: &mut dyn FnMut() -> bool = &mut || {
            checkpoint();
            true
        };
        self.store.carry_on(go_on);
        let mut was_collected = false;
        loop {
            if let Ok(done) = f(self) {
                return Ok(done);
            }
            let (before, roots) = (self.store.room(), self.roots());
            let made = self.store.make_room(self.memory, roots, Vec::new(), go_on);
            // What it has made by then is free again each time, and would be for ever.
            let is_stuck = was_collected && self.store.room() == before;
            if made != GrowthOutcome::Made || is_stuck {
                return Err(StoreCapacityError);
            }
            was_collected = self.store.room() == before;
        }
    }

    /// The squares that are the world.
    fn roots(&self) -> Vec<u32> {
        let squares = self.ring.iter().flat_map(TorusArray::squares);
        squares.chain([self.root]).collect()
    }

    /// The same world in a square twice as wide.
    fn widen(&mut self) -> Result<(), StoreCapacityError> {
        let [nw, ne, sw, se] = self.store.children(self.root);
        let four = [[0, 0, 0, nw], [0, 0, ne, 0], [0, sw, 0, 0], [se, 0, 0, 0]];
        let mut wider = [0; 4];
        for (square, around) in wider.iter_mut().zip(four) {
            *square = self.store.node(around)?;
        }
        self.root = self.store.node(wider)?;
        self.level += 1;
        Ok(())
    }

    /// Whether all live cells are in the middle, half as wide.
    fn is_centred(&self) -> bool {
        let quadrants = self.store.children(self.root);
        quadrants.into_iter().enumerate().all(|(i, quadrant)| {
            // The one corner that touches the middle is opposite to the quadrant's own.
            let children = self.store.children(quadrant).into_iter().enumerate();
            children.into_iter().all(|(k, c)| k == 3 - i || c == 0)
        })
    }

    /// Cuts the empty margin off.
    fn narrow(&mut self) -> Result<(), StoreCapacityError> {
        while self.level > self.store.leaf_kind.level() + 2 && self.is_centred() {
            let [nw, ne, sw, se] = self.store.children(self.root);
            let c = |quadrant: u32, corner: usize| self.store.children(quadrant)[corner];
            let four = [c(nw, 3), c(ne, 2), c(sw, 1), c(se, 0)];
            self.root = self.store.node(four)?;
            self.level -= 1;
        }
        Ok(())
    }

    /// Moves on, at once.
    fn leap(
        &mut self,
        span: &StepLength,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepInterruption> {
        if !self.store.carry_on(go_on) {
            return Err(StepInterruption::Asked);
        }
        self.store.begin(span);
        loop {
            let before = (self.root, self.level);
            let outcome = match self.ring {
                None => self.try_leap(span, go_on),
                Some(_) => self.leap_around(span, go_on),
            };
            if outcome.is_err() {
                // It may have been made wider by then.
                (self.root, self.level) = before;
            }
            let held = std::mem::take(&mut self.held);
            let memory = self.memory;
            // Room that is gone before anything is found out in it will never do.
            self.tries = if self.done == 0 { self.tries + 1 } else { 0 };
            if self.tries > 3 && outcome == Err(StepInterruption::Full) {
                self.tries = 0;
                return Err(StepInterruption::Memory);
            }
            match outcome {
                Err(StepInterruption::Full) => {}
                other => {
                    self.tries = 0;
                    self.with_room(Self::narrow);
                    return other;
                }
            }
            let room = (self.store.nodes.lines(), self.store.leaves.room());
            let roots = self.roots();
            match self.store.make_room(memory, roots, held, go_on) {
                GrowthOutcome::Made => {}
                GrowthOutcome::Later => return Err(StepInterruption::Asked),
                GrowthOutcome::None => return Err(StepInterruption::Memory),
            }
            if room != (self.store.nodes.lines(), self.store.leaves.room()) {
                // More room is another try.
                self.tries = 0;
            }
        }
    }

    /// [`HashlifeWorld::leap`] on the plane, as long as there is room.
    fn try_leap(
        &mut self,
        span: &StepLength,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepInterruption> {
        // The light of the step must stay inside the middle: an empty margin a quarter wide.
        let least = span.power() + 2 + self.store.leaf_kind.slowness();
        while self.level < least || !self.is_centred() {
            self.widen()?;
        }
        self.widen()?;
        let phase = phase(&self.generation, self.store.leaf_kind.time_period() as u32);
        let asked = MacroStep {
            nodes: &[self.root],
            level: self.level,
            span,
            phase,
        };
        let outcome = workers::take(&self.store, asked, go_on);
        (self.held, self.done) = (outcome.held, outcome.done);
        self.root = outcome.futures?[0];
        self.level -= 1;
        self.generation += BigInt::from(span.generations().clone());
        Ok(())
    }

    /// [`World::advance`], but for what comes before and after on a torus: in shorter steps
    /// where one does not fit the memory at once.
    fn leaps(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        let mut left = StepLength::cut(&self.generation, n);
        // Each level is asked for one thing alone at a time where squares are the same all
        // over, since two would drive each other out; where memory is scarce, since that is
        // the least to hold; where several threads could take one for the other; and where
        // there are stops, between which what was driven out would be all that is done.
        let is_shared = self.store.threads > 1 && !left.iter().all(StepLength::is_short);
        if self.ring.is_some() || self.longest < u32::MAX || is_shared || self.is_hurried {
            left = left.iter().flat_map(StepLength::powers).collect();
        }
        left.reverse();
        let mut done = BigUint::ZERO;
        while let Some(span) = left.pop() {
            let is_longer = span.power() > self.longest;
            let leap = if is_longer {
                Err(StepInterruption::Memory)
            } else {
                self.leap(&span, &mut || control(&done))
            };
            match leap {
                Ok(()) => done += span.generations(),
                Err(StepInterruption::Asked) => {
                    (self.is_stopped, self.is_hurried) = (true, true);
                    return Err(AdvanceInterruption);
                }
                Err(StepInterruption::Memory | StepInterruption::Full) => {
                    if !is_longer {
                        let roots = self.roots();
                        self.store
                            .collect(roots, Vec::new(), RetentionPolicy::Squares);
                    }
                    let parts = span.parts();
                    if parts.is_empty() {
                        // A single generation does not fit: the world itself is this large.
                        self.longest = u32::MAX;
                        self.is_full = true;
                        return Err(AdvanceInterruption);
                    }
                    // Known from now on, also to who comes again after a stop.
                    let fits = if span.is_even() {
                        span.power() - 1
                    } else {
                        span.power()
                    };
                    self.longest = self.longest.min(fits);
                    left.extend(parts.into_iter().rev());
                    continue;
                }
            }
            if !control(&done) {
                return Err(AdvanceInterruption);
            }
        }
        self.longest = u32::MAX;
        self.is_hurried = std::mem::take(&mut self.is_stopped);
        Ok(())
    }

    /// The root and the level of a world with these cells alone.
    fn read(&mut self, tree: &Tree) -> Result<(u32, u32), StoreCapacityError> {
        let padded;
        let least = self.store.leaf_kind.level() + 2;
        let tree = if tree.level < least {
            padded = padded_tree(tree, least);
            &padded
        } else {
            tree
        };
        let root = Reader::new(&self.store, tree).square(tree.root, tree.level)?;
        Ok((root, tree.level))
    }

    fn two_state(&self) -> bool {
        self.rule.states() == 2
    }

    /// A square with one cell set; its corner opposite to `corner` touches the origin.
    fn with_near_cell(
        &self,
        square: u32,
        level: u32,
        corner: usize,
        p: Point,
        state: State,
    ) -> Result<u32, StoreCapacityError> {
        if level > 61 {
            let mut children = self.store.children(square);
            let inner = 3 - corner;
            children[inner] = self.with_near_cell(children[inner], level - 1, corner, p, state)?;
            return self.store.node(children);
        }
        let side = 1i64 << level;
        let within = |c: i64| if c < 0 { c + side } else { c } as u64;
        self.store
            .with_cell(square, level, within(p.x), within(p.y), state)
    }

    /// Puts other squares in place of those that [`HashlifeWorld::near`] gives. What lies further
    /// out stays, or not.
    fn change_near(
        &mut self,
        outer_stays: bool,
        mut change: impl FnMut(&NodeStore, u32, u32, (i64, i64)) -> Result<u32, StoreCapacityError>,
    ) {
        self.root = self.with_room(|world| world.changed_near(outer_stays, &mut change));
        self.with_room(Self::narrow);
        self.forget_array();
    }

    fn changed_near(
        &self,
        outer_stays: bool,
        change: &mut impl FnMut(&NodeStore, u32, u32, (i64, i64)) -> Result<u32, StoreCapacityError>,
    ) -> Result<u32, StoreCapacityError> {
        let (level, near) = self.near();
        let store = &self.store;
        let mut four = [0; 4];
        for (changed, Quadrant { square, corner }) in four.iter_mut().zip(near) {
            *changed = change(store, square, level, corner)?;
        }
        // From the innermost outwards, the squares that hold each other.
        let mut outer = vec![store.children(self.root)];
        for _ in level + 1..self.level {
            let last = outer[outer.len() - 1];
            let inner = |i: usize| store.children(last[i])[3 - i];
            outer.push(std::array::from_fn(inner));
        }
        outer.pop();
        for around in outer.into_iter().rev() {
            for (i, square) in four.iter_mut().enumerate() {
                let mut children = if outer_stays {
                    store.children(around[i])
                } else {
                    [0; 4]
                };
                children[3 - i] = *square;
                *square = store.node(children)?;
            }
        }
        store.node(four)
    }

    /// Gives the leaves that have cells of `rect`, with their corners.
    fn each_leaf(&self, rect: Rect, f: &mut dyn FnMut(&[u64], i64, i64)) {
        let (level, quadrants) = self.near();
        for Quadrant { square, corner } in quadrants {
            self.store.leaves_in(square, level, corner, &rect, f);
        }
    }

    /// The quadrants around the origin, cut to at most 2^61 cells, with their corners.
    fn near(&self) -> (u32, [Quadrant; 4]) {
        let mut level = self.level - 1;
        let mut four = self.store.children(self.root);
        while level > 61 {
            for (i, square) in four.iter_mut().enumerate() {
                *square = self.store.children(*square)[3 - i];
            }
            level -= 1;
        }
        let side = 1i64 << level;
        let corners = [(-side, TOP - side), (0, TOP - side), (-side, TOP), (0, TOP)];
        let quadrant = |i: usize| Quadrant {
            square: four[i],
            corner: corners[i],
        };
        (level, std::array::from_fn(quadrant))
    }
}

impl World for HashlifeWorld {
    fn engine(&self) -> &'static str {
        "hashlife"
    }

    fn kernel(&self) -> String {
        let leaves = self.store.leaf_kind.describe();
        match &self.ring {
            Some(ring) => format!("{leaves}, {}", ring.describe()),
            None => leaves,
        }
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn generation(&self) -> &BigInt {
        &self.generation
    }

    fn set_generation(&mut self, generation: BigInt) {
        self.generation = generation;
    }

    fn get(&self, p: Point) -> State {
        let (level, quadrants) = self.near();
        let side = 1u64 << level;
        for Quadrant { square, corner } in quadrants {
            let (x, y) = corner;
            if Rect::new(x, y, side, side).contains(p) {
                return self
                    .store
                    .state(square, level, p.x.abs_diff(x), p.y.abs_diff(y));
            }
        }
        0
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError> {
        UnsupportedError::unless_state("hashlife", &self.rule, state)?;
        if p.x.unsigned_abs() >> 60 > 0 || p.y.unsigned_abs() >> 60 > 0 {
            let what = format!("a cell as far out as {}, {}", p.x, p.y);
            return Err(refused(what));
        }
        if !self.rule.topology().contains(p) {
            let what = format!("the cell {}, {}: it lies outside the grid", p.x, p.y);
            return Err(refused(what));
        }
        // Seen from the root's middle, which lies one row below the origin.
        let p = p.offset(0, -TOP);
        let outside = |level: u32| {
            let half = 1i64 << (level - 1).min(62);
            !(-half..half).contains(&p.x) || !(-half..half).contains(&p.y)
        };
        while outside(self.level) {
            self.with_room(Self::widen);
        }
        let corner = usize::from(p.x >= 0) + 2 * usize::from(p.y >= 0);
        self.root = self.with_room(|world| {
            let mut quadrants = world.store.children(world.root);
            let (quadrant, level) = (&mut quadrants[corner], world.level);
            *quadrant = world.with_near_cell(*quadrant, level - 1, corner, p, state)?;
            world.store.node(quadrants)
        });
        self.forget_array();
        Ok(())
    }

    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError> {
        UnsupportedError::unless_state("hashlife", &self.rule, cells.max_state())?;
        let made;
        let tree = match cells.as_tree() {
            Some(tree) => tree,
            None => {
                made = cells.to_tree();
                &made
            }
        };
        let loaded = self.within_room(|world| {
            let (mut other, mut level) = world.read(tree)?;
            while world.level < level {
                world.widen()?;
            }
            // The read one is widened as a world is.
            let own = (world.root, world.level);
            (world.root, world.level) = (other, level);
            let mut widened = Ok(());
            while widened.is_ok() && world.level < own.1 {
                widened = world.widen();
            }
            (other, level) = (world.root, world.level);
            (world.root, world.level) = own;
            widened?;
            let (mut known, mut checkpoints) = (HashMap::new(), Checkpoints::new());
            let store = &world.store;
            let both = store.overlaid(own.0, other, level, &mut known, &mut checkpoints)?;
            Ok((both, level))
        });
        (self.root, self.level) = loaded.map_err(|StoreCapacityError| {
            refused(format!(
                "a pattern of {} live cells: its squares would not fit {} MiB",
                cells.population(),
                self.memory >> 20
            ))
        })?;
        self.cut_to_grid();
        self.forget_array();
        Ok(())
    }

    fn cells(&self) -> Cells {
        Cells::from_tree(tree_of(
            &self.store,
            self.root,
            self.level,
            self.two_state(),
        ))
    }

    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run)) {
        let (mut runs, mut checkpoints) = (Vec::new(), Checkpoints::new());
        let (level, quadrants) = self.near();
        for Quadrant { square, corner } in quadrants {
            self.store
                .runs(square, level, corner, &rect, &mut runs, &mut checkpoints);
        }
        runs.sort_unstable_by_key(|run: &Run| {
            checkpoints.step();
            (run.y, run.x)
        });
        let mut joined: Option<Run> = None;
        for run in runs {
            checkpoints.step();
            if let Some(last) = &mut joined {
                let end = last.x.saturating_add_unsigned(last.length);
                if last.y == run.y && last.state == run.state && end == run.x {
                    last.length += run.length;
                    continue;
                }
                f(*last);
            }
            joined = Some(run);
        }
        if let Some(last) = joined {
            f(last);
        }
    }

    fn bits_in(&self, rect: Rect, bits: &mut Vec<u8>) {
        let stride = rect.width.div_ceil(8) as usize;
        bits.clear();
        bits.resize(stride * rect.height as usize, 0);
        let kind = &self.store.leaf_kind;
        let side = 1usize << kind.level();
        self.each_leaf(rect, &mut |leaf, x, y| {
            let seen = Rect::new(x, y, side as u64, side as u64).intersection(&rect);
            let left = seen.x.abs_diff(x) as usize;
            for row in seen.y..seen.bottom() {
                let to = row.abs_diff(rect.y) as usize * stride;
                let (mut column, mut at) = (left, seen.x.abs_diff(rect.x) as usize);
                let end = left + seen.width as usize;
                while column < end {
                    // To the end of a byte, of the leaf's part or of eight cells at once.
                    let count = (end - column).min(8 - at % 8);
                    let eight = kind.live8(leaf, column, row.abs_diff(y) as usize);
                    let eight = eight & (0xff >> (8 - count));
                    bits[to + at / 8] |= eight.reverse_bits() >> (at % 8);
                    column += count;
                    at += count;
                }
            }
        });
    }

    fn states_in(&self, rect: Rect, states: &mut Vec<State>) {
        let stride = rect.width as usize;
        states.clear();
        states.resize(stride * rect.height as usize, 0);
        let kind = &self.store.leaf_kind;
        let side = 1u64 << kind.level();
        self.each_leaf(rect, &mut |leaf, x, y| {
            let seen = Rect::new(x, y, side, side).intersection(&rect);
            for row in seen.y..seen.bottom() {
                let start = row.abs_diff(rect.y) as usize * stride;
                for column in seen.x..seen.right() {
                    let (dx, dy) = (column.abs_diff(x) as usize, row.abs_diff(y) as usize);
                    let at = start + column.abs_diff(rect.x) as usize;
                    states[at] = kind.get(leaf, dx, dy);
                }
            }
        });
    }

    fn erase(&mut self, rect: Rect) {
        self.change_near(true, |store, square, level, corner| {
            store.emptied(square, level, corner, &rect)
        });
    }

    fn keep_only(&mut self, rect: Rect) {
        self.change_near(false, |store, square, level, corner| {
            store.clipped(square, level, corner, &rect)
        });
    }

    fn exhausted(&self) -> Option<MemoryLimitError> {
        self.is_full.then_some(MemoryLimitError {
            engine: "hashlife",
            allowed: self.memory,
        })
    }

    fn density(&self, view: &View, f: &mut dyn FnMut(u32, u32, f64)) {
        self.answers
            .borrow_mut()
            .density(&self.store, self.root, self.level, view, f);
    }

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        self.is_full = false;
        self.lay_array();
        let outcome = self.leaps(n, control);
        self.show_array();
        outcome
    }

    fn allow(&mut self, bytes: u64) {
        self.memory = bytes;
    }

    fn bytes(&self) -> u64 {
        self.store.bytes() + self.answers.borrow().bytes()
    }

    fn population(&self) -> BigUint {
        self.answers
            .borrow_mut()
            .population(&self.store, self.root, self.level)
    }

    fn bounds(&self) -> Option<Bounds> {
        NodeSummaries::bounds(&self.store, self.root, self.level)
    }

    fn hash(&self) -> CellHash {
        self.answers
            .borrow_mut()
            .hash(&self.store, self.root, self.level)
    }
}

/// The same tree in a square 2^level cells wide.
fn padded_tree(tree: &Tree, level: u32) -> Tree {
    let mut padded = tree.clone();
    while padded.level < level {
        if let Node::Branch([nw, ne, sw, se]) = padded.nodes[padded.root as usize] {
            let first = padded.nodes.len() as u32;
            padded.nodes.push(Node::Branch([0, 0, 0, nw]));
            padded.nodes.push(Node::Branch([0, 0, ne, 0]));
            padded.nodes.push(Node::Branch([0, sw, 0, 0]));
            padded.nodes.push(Node::Branch([se, 0, 0, 0]));
            padded
                .nodes
                .push(Node::Branch([first, first + 1, first + 2, first + 3]));
            padded.root = first + 4;
        }
        padded.level += 1;
    }
    padded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soup(memory: u64) -> HashlifeWorld {
        let rule: Rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule).unwrap();
        let mut world = HashlifeWorld::new(rule, Box::new(BitLeafKind::new(kernel)), None, memory);
        let mut seed = 1_u64;
        for (x, y) in (0..80).flat_map(|y| (0..80).map(move |x| (x, y))) {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            world
                .set(Point::new(x, y), (seed >> 60 & 1) as State)
                .unwrap();
        }
        world
    }

    /// A run that makes many times the squares that may be held at once comes out the same,
    /// and stays within what it was given but for the squares of one look.
    #[test]
    fn memory_is_kept_by_collecting_and_by_shorter_steps() {
        let mut roomy = soup(1 << 30);
        let n = BigUint::from(3000_u32);
        roomy.advance(&n, &mut |_| true).unwrap();
        for memory in [1 << 16, 1 << 17, 1 << 18] {
            assert!(roomy.store.bytes() > 4 * memory, "{}", roomy.store.bytes());
            let mut tight = soup(memory);
            tight.advance(&n, &mut |_| true).unwrap();
            assert_eq!(tight.memory, memory, "the world itself fits");
            assert!(tight.store.bytes() < memory + 4096, "{memory} bytes");
            assert_eq!(tight.hash(), roomy.hash(), "{memory} bytes");
        }
    }

    /// Where not even one generation fits, the world stops where it is and loses nothing;
    /// with more memory it goes on.
    #[test]
    fn a_world_that_outgrows_its_memory_stops() {
        const ACORN: [(i64, i64); 7] = [(1, 0), (3, 1), (0, 2), (1, 2), (4, 2), (5, 2), (6, 2)];
        let acorn = |memory: u64| {
            let rule: Rule = "B3/S23".parse().unwrap();
            let kernel = BitKernel::compile(&rule).unwrap();
            let mut world =
                HashlifeWorld::new(rule, Box::new(BitLeafKind::new(kernel)), None, memory);
            for (x, y) in ACORN {
                world.set(Point::new(x, y), 1).unwrap();
            }
            world
        };
        for memory in [1 << 12, 1 << 13] {
            let mut tight = acorn(memory);
            let n = BigUint::from(3000_u32);
            assert_eq!(tight.advance(&n, &mut |_| true), Err(AdvanceInterruption));
            assert_eq!(tight.exhausted().map(|full| full.allowed), Some(memory));
            let done = tight.generation().to_biguint().unwrap();
            assert!(done > 10_u32.into() && done < n, "{done}");
            let mut roomy = acorn(1 << 30);
            roomy.advance(&done, &mut |_| true).unwrap();
            assert_eq!(tight.hash(), roomy.hash());
            assert_eq!(roomy.exhausted(), None);
            // Asked again, it stops again, wherever it comes to: other steps than those that
            // were tried may fit by a square.
            assert_eq!(tight.advance(&n, &mut |_| true), Err(AdvanceInterruption));
            let last = tight.generation().to_biguint().unwrap();
            roomy.advance(&(&last - &done), &mut |_| true).unwrap();
            let done = last;
            assert!(done < n, "{done}");
            assert_eq!(tight.hash(), roomy.hash());
            tight.memory = 1 << 30;
            tight.advance(&(&n - &done), &mut |_| true).unwrap();
            roomy.advance(&(n - done), &mut |_| true).unwrap();
            assert_eq!(tight.exhausted(), None);
            assert_eq!(tight.hash(), roomy.hash());
        }
    }
}
