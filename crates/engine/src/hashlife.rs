//! HashLife: a hash-consed quadtree in which every distinct node is stored once and memoises
//! its result (its centre, some generations later), so that whatever repeats in space or in
//! time is computed once. After R. W. Gosper, "Exploiting regularities in large cellular
//! spaces" (1984).
//!
//! Leaves are 16 x 16 cells (two states, radius 1), 8 x 8 cells in bit planes (more states, as
//! a circuit), 4 x 4 byte cells (more states, other rules) or larger squares of byte cells
//! (greater radii); see `leaf_kind`. The tables are in `store`, the recursion in `step`. A
//! change of step length clears no results: a result's tag says which step it is for.
//!
//! Memory is bounded by garbage collection: nodes that neither the world nor the recursion
//! refers to are freed. A step that does not fit in memory is split into shorter ones. A world
//! whose single generation does not fit stops, and reports it.

mod bits;
mod border;
mod bytes;
mod capacity;
mod conversion;
mod edit;
mod leaf_kind;
#[cfg(test)]
mod model;
mod planes;
mod post_order;
mod ring;
mod run;
mod small_leaf;
mod step;
mod step_length;
mod store;
mod summaries;

use crate::{
    AdvanceCallback, AdvanceInterruption, MemoryLimitError, Options, UnsupportedError, View, World,
};
use bits::BitLeafKind;
use border::{BorderedLeafKind, PlaneBorder};
use bytes::ByteLeafKind;
use capacity::GrowthOutcome;
use conversion::export_tree;
use grid::{CellHash, Point, Rect, State};
use kernel::{BitKernel, CellKernel, DirectTableKernel, PlaneLeafKernel, TreeLeafKernel};
use leaf_kind::LeafKind;
use num_bigint::{BigInt, BigUint};
use pattern::interrupt::{Checkpoints, checkpoint};
use pattern::{Bounds, Cells, Run};
use planes::PlaneLeafKind;
use ring::TorusArray;
use rule::{Rule, Site, Topology, Transition};
use run::needs_too_many_levels;
use small_leaf::SmallLeafKind;
use std::cell::RefCell;
use std::collections::HashMap;
use store::{NodeStore, StoreCapacityError};
use summaries::NodeSummaries;

/// The first row of the southern half, as in macrocell files.
const SOUTH_HALF_Y: i64 = 1;

/// Operations of a circuit up to which leaves of bit planes are quicker than small leaves of
/// bytes. WireWorld's take three quarters of the instructions.
const MAX_CIRCUIT_STEPS: usize = 200;

/// An empty HashLife world that may use `memory` bytes.
///
/// # Errors
/// When the topology has edges and an infinite side, when they mirror or turn cells and the rule tells
/// that, or when a torus needs too large an array of nodes.
///
/// ```
/// use engine::open_hashlife;
/// use grid::Point;
///
/// let mut world = open_hashlife("B3/S23".parse()?, 64 << 20)?;
/// for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
///     world.set(Point::new(x, y), 1)?;
/// }
/// world.advance(&(1u64 << 60).into(), &mut |_| true)?;
/// let bounds = world.bounds().unwrap();
/// assert_eq!(bounds.x, (1u64 << 58).into()); // a glider goes a cell in four generations
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_hashlife(rule: Rule, memory: u64) -> Result<Box<dyn World>, UnsupportedError> {
    let options = Options {
        memory,
        ..Options::default()
    };
    open_hashlife_with(rule, &options)
}

/// [`hashlife`], with all options.
pub(crate) fn open_hashlife_with(
    rule: Rule,
    options: &Options,
) -> Result<Box<dyn World>, UnsupportedError> {
    UnsupportedError::check_background("hashlife", &rule)?;
    if rule.fills_plane() {
        return Err(unsupported(format!(
            "{rule}: it counts on empty squares that stay empty; the torus engine does not"
        )));
    }
    let leaf_kind = choose_leaf_kind(&rule);
    boxed_world(rule, leaf_kind, options)
}

/// The quickest leaves for a rule.
fn choose_leaf_kind(rule: &Rule) -> Box<dyn LeafKind> {
    if let Some(kernel) = BitKernel::compile(rule, jit::backend()) {
        return Box::new(BitLeafKind::new(kernel));
    }
    let time_period = rule.time_period();
    if rule.states() == 2 || rule.radius() != 1 {
        return Box::new(ByteLeafKind::new(CellKernel::compile(rule), time_period));
    }
    // Where no sum decides, a circuit is larger, and takes thirty to a hundred times as long to
    // compile as what is tried before it.
    let is_sum = matches!(rule.transition(Site::default()), Transition::Count(_));
    let planes = || choose_planes(rule);
    if let Some(kind) = is_sum.then(planes).flatten() {
        return kind;
    }
    if let Some(kernel) = DirectTableKernel::compile(rule) {
        return Box::new(SmallLeafKind::direct(kernel));
    }
    if let Some(kernel) = TreeLeafKernel::new(rule) {
        return Box::new(SmallLeafKind::tree(kernel));
    }
    if let Some(kind) = (!is_sum).then(planes).flatten() {
        return kind;
    }
    Box::new(SmallLeafKind::new(CellKernel::compile(rule), time_period))
}

/// Leaves of bit planes, if the rule has a small circuit.
fn choose_planes(rule: &Rule) -> Option<Box<dyn LeafKind>> {
    let kernel = PlaneLeafKernel::compile(rule, MAX_CIRCUIT_STEPS, jit::backend())?;
    Some(match kernel.planes() {
        2 => Box::new(PlaneLeafKind::<2>::new(kernel)),
        3 => Box::new(PlaneLeafKind::<3>::new(kernel)),
        4 => Box::new(PlaneLeafKind::<4>::new(kernel)),
        _ => Box::new(PlaneLeafKind::<5>::new(kernel)),
    })
}

fn boxed_world(
    rule: Rule,
    leaf_kind: Box<dyn LeafKind>,
    options: &Options,
) -> Result<Box<dyn World>, UnsupportedError> {
    let (mut leaf_kind, mut torus, mut border) = (leaf_kind, None, None);
    match (rule.topology(), rule.topology().rect()) {
        (Topology::Unbounded, _) => {}
        (Topology::Plane { .. }, Some(grid)) => {
            let kernel = CellKernel::compile(&rule);
            border = Some(PlaneBorder::new(grid, rule.radius()));
            leaf_kind = Box::new(BorderedLeafKind::new(leaf_kind, kernel));
        }
        _ => torus = Some(TorusArray::new(&rule, &*leaf_kind, options.memory)?),
    }
    let mut world = HashlifeWorld::new(rule, leaf_kind, torus, options.memory);
    world.border = border;
    world.store.threads = options.threads.max(1);
    world.store.scarce_collections = options.collections.clone();
    Ok(Box::new(world))
}

fn unsupported(what: String) -> UnsupportedError {
    UnsupportedError {
        engine: "hashlife",
        what,
    }
}

/// A world held as a HashLife quadtree.
struct HashlifeWorld {
    rule: Rule,
    generation: BigInt,
    store: NodeStore,
    root: u32,
    /// The root is 2^level cells wide and placed as a [`Tree`]'s: the top-left cell of its
    /// south-east quadrant is (0, 1). At least two levels above the leaves.
    level: u32,
    /// On a torus: the same cells, as the array that is stepped.
    torus: Option<TorusArray>,
    /// On a plane with edges: what is laid around it to be stepped.
    border: Option<PlaneBorder>,
    memory: u64,
    /// Nodes in flight when the last step was interrupted; they are kept for its resumption.
    in_flight: Vec<u32>,
    /// Results that the last attempt at a step computed.
    computed: usize,
    /// Results that all attempts at steps computed.
    work: u64,
    /// Successive attempts that filled the tables before they computed a single result.
    failed_attempts: u32,
    /// The longest step, as a power of two, that is expected to fit in memory.
    max_exponent: u32,
    /// Whether a run was interrupted since the last completed one.
    was_interrupted: bool,
    /// Whether a run was interrupted before or after the last completed one.
    expects_interruption: bool,
    /// Whether the last run stopped because memory was exhausted.
    is_out_of_memory: bool,
    summaries: RefCell<NodeSummaries>,
}

/// A quadrant of the world and the position of its top-left cell.
struct Quadrant {
    node: u32,
    corner: (i64, i64),
}

impl HashlifeWorld {
    fn new(
        rule: Rule,
        leaf_kind: Box<dyn LeafKind>,
        torus: Option<TorusArray>,
        memory: u64,
    ) -> Self {
        let level = leaf_kind.level() + 2;
        Self {
            rule,
            generation: BigInt::ZERO,
            store: NodeStore::new(leaf_kind, memory),
            in_flight: Vec::new(),
            failed_attempts: 0,
            max_exponent: u32::MAX,
            was_interrupted: false,
            expects_interruption: false,
            computed: 0,
            work: 0,
            root: 0,
            level,
            torus,
            border: None,
            memory,
            is_out_of_memory: false,
            summaries: RefCell::default(),
        }
    }

    /// Runs `f`, and runs it again with larger tables for as long as they are full. Nodes that
    /// `f` has made may be freed in between; the world itself stays.
    fn retry_growing<T>(
        &mut self,
        mut f: impl FnMut(&mut Self) -> Result<T, StoreCapacityError>,
    ) -> T {
        let mut memory = self.memory;
        let keep_going: &mut dyn FnMut() -> bool = &mut || {
            checkpoint();
            true
        };
        self.store.run_maintenance(keep_going);
        loop {
            if let Ok(done) = f(self) {
                return done;
            }
            // What the world itself needs is granted even beyond the budget.
            let roots = self.roots();
            let in_flight = Vec::new();
            if memory == 0
                || self
                    .store
                    .ensure_capacity(memory, roots, in_flight, keep_going)
                    != GrowthOutcome::Available
            {
                self.store.grow();
            }
            memory = 0;
        }
    }

    /// The same, but fails where the world would exceed its memory budget.
    fn retry_within_budget<T>(
        &mut self,
        mut f: impl FnMut(&mut Self) -> Result<T, StoreCapacityError>,
    ) -> Result<T, StoreCapacityError> {
        let keep_going: &mut dyn FnMut() -> bool = &mut || {
            checkpoint();
            true
        };
        self.store.run_maintenance(keep_going);
        let mut was_collected = false;
        loop {
            if let Ok(done) = f(self) {
                return Ok(done);
            }
            let (before, roots) = (self.store.capacity(), self.roots());
            let made = self
                .store
                .ensure_capacity(self.memory, roots, Vec::new(), keep_going);
            // Each attempt's nodes are garbage after it, so attempts that free as much as they
            // use would never end.
            let is_stuck = was_collected && self.store.capacity() == before;
            if made != GrowthOutcome::Available || is_stuck {
                return Err(StoreCapacityError);
            }
            was_collected = self.store.capacity() == before;
        }
    }

    /// The nodes that hold the world: roots for the garbage collector.
    fn roots(&self) -> Vec<u32> {
        let nodes = self.torus.iter().flat_map(TorusArray::nodes);
        nodes.chain([self.root]).collect()
    }

    /// The same world in a root twice as wide.
    fn widen(&mut self) -> Result<(), StoreCapacityError> {
        let [nw, ne, sw, se] = self.store.children(self.root);
        let four = [[0, 0, 0, nw], [0, 0, ne, 0], [0, sw, 0, 0], [se, 0, 0, 0]];
        let mut wider = [0; 4];
        for (node, around) in wider.iter_mut().zip(four) {
            *node = self.store.intern_node(around)?;
        }
        self.root = self.store.intern_node(wider)?;
        self.level += 1;
        Ok(())
    }

    /// Whether all live cells are in the centre, half as wide as the root.
    fn is_centred(&self) -> bool {
        let quadrants = self.store.children(self.root);
        quadrants.into_iter().enumerate().all(|(i, quadrant)| {
            // Only one child of a quadrant touches the centre: the one opposite to the
            // quadrant's own corner.
            let children = self.store.children(quadrant).into_iter().enumerate();
            children.into_iter().all(|(k, c)| k == 3 - i || c == 0)
        })
    }

    /// Removes the empty margin.
    fn shrink(&mut self) -> Result<(), StoreCapacityError> {
        while self.level > self.store.leaf_kind.level() + 2 && self.is_centred() {
            let [nw, ne, sw, se] = self.store.children(self.root);
            let c = |quadrant: u32, corner: usize| self.store.children(quadrant)[corner];
            let four = [c(nw, 3), c(ne, 2), c(sw, 1), c(se, 0)];
            self.root = self.store.intern_node(four)?;
            self.level -= 1;
        }
        Ok(())
    }

    fn two_state(&self) -> bool {
        self.rule.states() == 2
    }

    /// Calls `f` for the leaves that overlap `rect`, with their top-left cells.
    fn for_each_leaf(&self, rect: Rect, f: &mut dyn FnMut(&[u64], i64, i64)) {
        let (level, quadrants) = self.central_quadrants();
        for Quadrant { node, corner } in quadrants {
            self.store.leaves_in(node, level, corner, &rect, f);
        }
    }

    /// The four quadrants around the origin, cut to at most 2^61 cells a side.
    fn central_quadrants(&self) -> (u32, [Quadrant; 4]) {
        let mut level = self.level - 1;
        let mut four = self.store.children(self.root);
        while level > 61 {
            for (i, node) in four.iter_mut().enumerate() {
                *node = self.store.children(*node)[3 - i];
            }
            level -= 1;
        }
        let side = 1i64 << level;
        let corners = [
            (-side, SOUTH_HALF_Y - side),
            (0, SOUTH_HALF_Y - side),
            (-side, SOUTH_HALF_Y),
            (0, SOUTH_HALF_Y),
        ];
        let quadrant = |i: usize| Quadrant {
            node: four[i],
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
        match &self.torus {
            Some(torus) => format!("{leaves}, {}", torus.describe()),
            None if self.border.is_some() => format!("{leaves}, within a border that stays dead"),
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
        let (level, quadrants) = self.central_quadrants();
        let side = 1u64 << level;
        for Quadrant { node, corner } in quadrants {
            let (x, y) = corner;
            if Rect::new(x, y, side, side).contains(p) {
                return self
                    .store
                    .state(node, level, p.x.abs_diff(x), p.y.abs_diff(y));
            }
        }
        0
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError> {
        UnsupportedError::check_state("hashlife", &self.rule, state)?;
        if p.x.unsigned_abs() >> 60 > 0 || p.y.unsigned_abs() >> 60 > 0 {
            let what = format!("a cell as far out as {}, {}", p.x, p.y);
            return Err(unsupported(what));
        }
        if !self.rule.topology().contains(p) {
            let what = format!("the cell {}, {}: it lies outside the grid", p.x, p.y);
            return Err(unsupported(what));
        }
        // Relative to the root's centre, which lies one row below the origin.
        let p = p.offset(0, -SOUTH_HALF_Y);
        let outside = |level: u32| {
            let half = 1i64 << (level - 1).min(62);
            !(-half..half).contains(&p.x) || !(-half..half).contains(&p.y)
        };
        while outside(self.level) {
            self.retry_growing(Self::widen);
        }
        let corner = usize::from(p.x >= 0) + 2 * usize::from(p.y >= 0);
        self.root = self.retry_growing(|world| {
            let mut quadrants = world.store.children(world.root);
            let (quadrant, level) = (&mut quadrants[corner], world.level);
            *quadrant = world.with_cell_near_origin(*quadrant, level - 1, corner, p, state)?;
            world.store.intern_node(quadrants)
        });
        self.invalidate_array();
        Ok(())
    }

    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError> {
        UnsupportedError::check_state("hashlife", &self.rule, cells.max_state())?;
        let made;
        let tree = match cells.as_tree() {
            Some(tree) => tree,
            None => {
                made = cells.to_tree();
                &made
            }
        };
        let loaded = self.retry_within_budget(|world| {
            let (mut other, mut level) = world.import_tree(tree)?;
            while world.level < level {
                world.widen()?;
            }
            // Widens the imported tree with the world's own method.
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
            let both = store.overlay(own.0, other, level, &mut known, &mut checkpoints)?;
            Ok((both, level))
        });
        (self.root, self.level) = loaded.map_err(|StoreCapacityError| {
            unsupported(format!(
                "a pattern of {} live cells: its squares would not fit {} MiB",
                cells.population(),
                self.memory >> 20
            ))
        })?;
        self.clip_to_grid();
        self.invalidate_array();
        Ok(())
    }

    fn cells(&self) -> Cells {
        Cells::from_tree(export_tree(
            &self.store,
            self.root,
            self.level,
            self.two_state(),
        ))
    }

    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run)) {
        let (mut runs, mut checkpoints) = (Vec::new(), Checkpoints::new());
        let (level, quadrants) = self.central_quadrants();
        for Quadrant { node, corner } in quadrants {
            self.store
                .runs(node, level, corner, &rect, &mut runs, &mut checkpoints);
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
        self.for_each_leaf(rect, &mut |leaf, x, y| {
            let seen = Rect::new(x, y, side as u64, side as u64).intersection(&rect);
            let left = seen.x.abs_diff(x) as usize;
            for row in seen.y..seen.bottom() {
                let to = row.abs_diff(rect.y) as usize * stride;
                let (mut column, mut at) = (left, seen.x.abs_diff(rect.x) as usize);
                let end = left + seen.width as usize;
                while column < end {
                    // Up to the end of the byte, of the leaf's part or of eight cells.
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
        self.for_each_leaf(rect, &mut |leaf, x, y| {
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
        self.replace_central(true, |store, node, level, corner| {
            store.erase(node, level, corner, &rect)
        });
    }

    fn keep_only(&mut self, rect: Rect) {
        self.replace_central(false, |store, node, level, corner| {
            store.clip(node, level, corner, &rect)
        });
    }

    fn memory_limit_error(&self) -> Option<MemoryLimitError> {
        self.is_out_of_memory.then_some(MemoryLimitError {
            engine: "hashlife",
            limit: self.memory,
        })
    }

    fn density(&self, view: &View, f: &mut dyn FnMut(u32, u32, f64)) {
        self.summaries
            .borrow_mut()
            .density(&self.store, self.root, self.level, view, f);
    }

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        self.is_out_of_memory = needs_too_many_levels(n, self.memory);
        if self.is_out_of_memory {
            return Err(AdvanceInterruption);
        }
        self.load_array();
        self.lay_border();
        let outcome = self.run_macro_steps(n, control);
        self.lift_border();
        self.store_array();
        outcome
    }

    fn set_memory_limit(&mut self, bytes: u64) {
        self.memory = bytes;
    }

    fn work(&self) -> Option<u64> {
        Some(self.work)
    }

    fn bytes(&self) -> u64 {
        self.store.bytes() + self.summaries.borrow().bytes()
    }

    fn population(&self) -> BigUint {
        self.summaries
            .borrow_mut()
            .population(&self.store, self.root, self.level)
    }

    fn bounds(&self) -> Option<Bounds> {
        NodeSummaries::bounds(&self.store, self.root, self.level)
    }

    fn hash(&self) -> CellHash {
        self.summaries
            .borrow_mut()
            .hash(&self.store, self.root, self.level)
    }
}
