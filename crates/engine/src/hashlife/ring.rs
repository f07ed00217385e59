//! A torus, as an array of nodes that repeats over the plane.
//!
//! The array's nodes are as large as the sides allow: their width is the largest power of two
//! that divides both sides and the shift. On the plane that is the unrolled torus, a node twice
//! as wide begins at each of them, made of it and its neighbours, and so on upwards; no level
//! has more distinct nodes than the array. So 2^k generations cost at most k times the size of
//! the array, and less where the torus repeats itself.
//!
//! A grid whose sides share no such power of two lies several times in its array: a grid of 10
//! x 6 lies 8 x 8 times in one of 80 x 48.
//!
//! Klein bottles, cross-surfaces and spheres lie in tori twice as large, with copies that are
//! mirrored or turned, if the rule does not tell these apart: around them, on the plane, lies what
//! lies around them in their own world (`rule::Topology::resolve`).
//!
//! Own method.

use super::leaf_kind::{LeafCells, LeafKind};
use super::step::workers;
use super::step::{MacroStep, StepInterruption};
use super::step_length::StepLength;
use super::store::leaves::LeafTable;
use super::store::{NodeStore, StoreCapacityError};
use super::{HashlifeWorld, SOUTH_HALF_Y, unsupported};
use crate::{UnsupportedError, World, phase};
use grid::{Point, Rect, Symmetry};
use num_bigint::BigInt;
use pattern::interrupt::Checkpoints;
use pattern::{Cells, Run};
use rule::{Axis, Rule, Topology};
use std::collections::HashMap;

/// The largest array, in nodes, that holds its grid more than once. Such grids share so few
/// nodes that they are in effect stepped cell by cell.
const MOST_REPEATED: u64 = 1 << 14;

/// The array, and how the grid lies in it.
#[derive(Clone)]
pub(super) struct TorusArray {
    /// The grid, in world coordinates.
    grid: Rect,
    /// The grid's copies in the array: the first is the grid itself.
    copies: Vec<GridCopy>,
    /// The array's nodes are 2^level cells wide. The first one's top-left cell is (0,
    /// [`SOUTH_HALF_Y`]).
    level: u32,
    /// The shape of the array, in nodes.
    shape: FundamentalDomain,
    /// The nodes, row by row; none when the cells have changed since.
    nodes: Option<Vec<u32>>,
}

/// A rectangle that tiles the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FundamentalDomain {
    width: i64,
    height: i64,
    /// The offset along the edge between what lies beyond the bottom (`Horizontal`) or the
    /// right edge and the rectangle.
    shift: Option<(Axis, i64)>,
}

/// A copy of a grid: where its cells lie, counted from the grid's corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GridCopy {
    symmetry: Symmetry,
    /// Added once the cells are mirrored or turned.
    offset: (i64, i64),
}

impl GridCopy {
    /// The smallest torus in which a grid of this shape lies, and how; none for strips and planes.
    fn in_torus(topology: &Topology) -> Option<((i64, i64), Vec<Self>)> {
        let (width, height) = topology.size();
        let (w, h) = (i64::try_from(width).ok()?, i64::try_from(height).ok()?);
        topology.rect()?;
        let copy = |symmetry, offset| Self { symmetry, offset };
        let own = copy(Symmetry::Identity, (0, 0));
        Some(match *topology {
            Topology::Unbounded | Topology::Plane { .. } => return None,
            Topology::Torus { .. } => ((w, h), vec![own]),
            Topology::Klein { twisted, shift, .. } => match twisted {
                Axis::Horizontal => (
                    (w, 2 * h),
                    vec![own, copy(Symmetry::MirrorX, (w - 1 - shift, h))],
                ),
                Axis::Vertical => (
                    (2 * w, h),
                    vec![own, copy(Symmetry::MirrorY, (w, h - 1 - shift))],
                ),
            },
            Topology::CrossSurface { .. } => (
                (2 * w, 2 * h),
                vec![
                    own,
                    copy(Symmetry::MirrorY, (w, h - 1)),
                    copy(Symmetry::MirrorX, (w - 1, h)),
                    copy(Symmetry::Rotate180, (2 * w - 1, 2 * h - 1)),
                ],
            ),
            Topology::Sphere { .. } => (
                (2 * w, 2 * h),
                vec![
                    own,
                    copy(Symmetry::Rotate270, (0, 2 * w - 1)),
                    copy(Symmetry::Rotate180, (2 * w - 1, 2 * w - 1)),
                    copy(Symmetry::Rotate90, (2 * w - 1, 0)),
                ],
            ),
        })
    }

    /// The same copy elsewhere.
    fn moved(self, (dx, dy): (i64, i64)) -> Self {
        let (x, y) = self.offset;
        Self {
            offset: (x + dx, y + dy),
            ..self
        }
    }

    /// A run of cells, and where it lies in the copy: as one run, or cell by cell.
    fn runs(&self, grid: &Rect, run: Run, f: &mut dyn FnMut(i64, i64, i64)) {
        let place = |along: i64| {
            let cell = Point::new(run.x - grid.x + along, run.y - grid.y);
            let Point { x, y } = self.symmetry.apply(cell);
            (x + self.offset.0 + grid.x, y + self.offset.1 + grid.y)
        };
        let length = run.length as i64;
        let (first, last) = (place(0), place(length - 1));
        if first.1 == last.1 {
            return f(first.0.min(last.0), first.1, length);
        }
        for along in 0..length {
            let (x, y) = place(along);
            f(x, y, 1);
        }
    }
}

impl FundamentalDomain {
    /// The position in the rectangle that a position on the plane stands for.
    fn wrap(&self, (x, y): (i64, i64)) -> (i64, i64) {
        let (x, y) = match self.shift {
            None => (x, y),
            Some((Axis::Horizontal, by)) => (x + y.div_euclid(self.height) % self.width * by, y),
            Some((Axis::Vertical, by)) => (x, y + x.div_euclid(self.width) % self.height * by),
        };
        (x.rem_euclid(self.width), y.rem_euclid(self.height))
    }

    fn index(&self, place: (i64, i64)) -> usize {
        let (x, y) = self.wrap(place);
        (y * self.width + x) as usize
    }

    /// All positions, row by row.
    fn cells(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let Self { width, height, .. } = *self;
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// The same rectangle in smaller units.
    fn scaled(&self, parts: i64) -> Self {
        Self {
            width: self.width * parts,
            height: self.height * parts,
            shift: self.shift.map(|(axis, by)| (axis, by * parts)),
        }
    }
}

impl TorusArray {
    /// # Errors
    /// When the rule's topology lies in no torus, or needs too many nodes.
    pub(super) fn new(
        rule: &Rule,
        leaf_kind: &dyn LeafKind,
        memory: u64,
    ) -> Result<Self, UnsupportedError> {
        let topology = rule.topology();
        let (Some(((width, height), grid_copies)), Some(grid)) =
            (GridCopy::in_torus(topology), topology.rect())
        else {
            return Err(unsupported(format!(
                "the topology `{topology}`: of worlds with edges it takes those of finite size"
            )));
        };
        let mut symmetries = grid_copies.iter().map(|copy| copy.symmetry);
        if !symmetries.all(|s| s == Symmetry::Identity || rule.is_symmetric(s)) {
            return Err(unsupported(format!(
                "{rule}: over its edges cells are mirrored or turned, and the rule tells that"
            )));
        }
        let shift = match *topology {
            Topology::Torus { shift, .. } => shift,
            _ => None,
        };
        if rule.fills_plane() {
            return Err(unsupported(format!(
                "{rule}: an empty square would not stay empty"
            )));
        }
        // Translations that lead to the same cell again.
        let (across, down) = match shift {
            None => ((width, 0), (0, height)),
            Some((Axis::Horizontal, by)) => ((width, 0), (-by.rem_euclid(width), height)),
            Some((Axis::Vertical, by)) => ((width, -by.rem_euclid(height)), (0, height)),
        };
        let is_even = |(x, y): (i64, i64)| match rule.phases() {
            1 => true,
            2 => (x + y) % 2 == 0,
            _ => x % 2 == 0 && y % 2 == 0,
        };
        if !is_even(across) || !is_even(down) {
            return Err(unsupported(format!(
                "a torus of {width} x {height} under a rule that tells even places from odd \
                 ones: around it they would mix"
            )));
        }
        // How often each has to be repeated to be a whole number of leaves.
        let leaf = 1i64 << leaf_kind.level();
        let times = |(x, y): (i64, i64)| leaf / largest_power_of_two_divisor(x | y).min(leaf);
        let (by_across, by_down) = (times(across), times(down));
        let unit = [across.0 * by_across, across.1 * by_across]
            .into_iter()
            .chain([down.0 * by_down, down.1 * by_down])
            .fold(0, |all, c| all | c);
        let level = unit.trailing_zeros();
        let (columns, rows) = ((across.0 * by_across) >> level, (down.1 * by_down) >> level);
        let nodes = columns as u64 * rows as u64;
        let repeated = by_across * by_down > 1;
        // Memory required for each node of the array, of which the node itself is a small part.
        let (most, bytes) = if repeated {
            (MOST_REPEATED, 8 * LeafTable::bytes_of(leaf_kind.words()))
        } else {
            (u64::MAX, 128)
        };
        if nodes > most.min(memory / bytes) {
            let side = 1u64 << level;
            return Err(unsupported(format!(
                "a torus of {width} x {height} under this rule: its sides share so little with \
                 squares that it would be {columns} x {rows} of {side} x {side} cells"
            )));
        }
        let shape = FundamentalDomain {
            width: columns,
            height: rows,
            shift: match shift {
                None => None,
                Some((axis @ Axis::Horizontal, _)) => {
                    Some((axis, ((-down.0 * by_down) >> level) % columns))
                }
                Some((axis @ Axis::Vertical, _)) => {
                    Some((axis, ((-across.1 * by_across) >> level) % rows))
                }
            },
        };
        let steps = (0..by_across).flat_map(|a| (0..by_down).map(move |d| (a, d)));
        let places = steps.map(|(a, d)| (a * across.0 + d * down.0, a * across.1 + d * down.1));
        let copies = places.flat_map(|place| {
            let copies = grid_copies.iter();
            copies.map(move |copy| copy.moved(place))
        });
        Ok(Self {
            grid,
            copies: copies.collect(),
            level,
            shape,
            nodes: None,
        })
    }

    /// The nodes of the array: roots for the garbage collector.
    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> {
        self.nodes.iter().flatten().copied()
    }

    /// Describes how the torus is held.
    pub(super) fn describe(&self) -> String {
        let (FundamentalDomain { width, height, .. }, side) = (self.shape, 1u64 << self.level);
        let array = format!("on a torus of {width} x {height} squares of {side} x {side} cells");
        match self.copies.len() {
            1 => array,
            times => format!("{array}, which has the grid {times} times"),
        }
    }

    /// The cells of the grid at each of its copies in the array.
    fn repeated(&self, runs: &[Run]) -> Cells {
        let cells = self.shape.scaled(1 << self.level);
        let mut all = Vec::with_capacity(runs.len() * self.copies.len());
        for run in runs {
            for copy in &self.copies {
                copy.runs(&self.grid, *run, &mut |mut x, y, mut left| {
                    while left > 0 {
                        let (column, row) = cells.wrap((x, y - SOUTH_HALF_Y));
                        let length = left.min(cells.width - column);
                        all.push(Run {
                            y: row + SOUTH_HALF_Y,
                            x: column,
                            length: length as u64,
                            state: run.state,
                        });
                        x += length;
                        left -= length;
                    }
                });
            }
        }
        Cells::from_runs(all)
    }
}

/// The largest power of two that divides `n`.
fn largest_power_of_two_divisor(n: i64) -> i64 {
    n & n.wrapping_neg()
}

impl HashlifeWorld {
    /// Drops what lies outside a bounded grid.
    pub(super) fn clip_to_grid(&mut self) {
        let torus = self.torus.as_ref().map(|torus| torus.grid);
        let Some(grid) = torus.or(self.border.map(|border| border.grid)) else {
            return;
        };
        self.root = self.retry_growing(|world| {
            // No grid is 2^32 cells wide.
            while world.level > 33 {
                let quadrants = world.store.children(world.root);
                let inner: [u32; 4] =
                    std::array::from_fn(|i| world.store.children(quadrants[i])[3 - i]);
                world.root = world.store.intern_node(inner)?;
                world.level -= 1;
            }
            let half = 1i64 << (world.level - 1);
            let corner = (-half, SOUTH_HALF_Y - half);
            world.store.clip(world.root, world.level, corner, &grid)
        });
        self.retry_growing(Self::shrink);
    }

    /// To be called when the cells have changed.
    pub(super) fn invalidate_array(&mut self) {
        if let Some(torus) = &mut self.torus {
            torus.nodes = None;
        }
    }

    /// Moves the cells of a torus into its array, before it is stepped.
    pub(super) fn load_array(&mut self) {
        let Some(torus) = &self.torus else {
            return;
        };
        if torus.nodes.is_none() {
            let nodes = self.retry_growing(Self::build_array);
            if let Some(torus) = &mut self.torus {
                torus.nodes = Some(nodes);
            }
        }
        (self.root, self.level) = (0, self.store.leaf_kind.level() + 2);
    }

    /// Builds the array from the world's cells.
    fn build_array(&mut self) -> Result<Vec<u32>, StoreCapacityError> {
        let torus = self.torus.clone().expect("only a torus is laid");
        if torus.copies.len() > 1 {
            let mut runs = Vec::new();
            self.runs_in(torus.grid, &mut |run| runs.push(run));
            let (root, level) = self.import_tree(&torus.repeated(&runs).to_tree())?;
            let own = (self.root, self.level);
            (self.root, self.level) = (root, level);
            let nodes = self.build_array_from_root(&torus);
            (self.root, self.level) = own;
            return nodes;
        }
        self.build_array_from_root(&torus)
    }

    /// Builds the array from the world's cells as they lie on the plane.
    fn build_array_from_root(
        &mut self,
        torus: &TorusArray,
    ) -> Result<Vec<u32>, StoreCapacityError> {
        while self.level <= torus.level {
            self.widen()?;
        }
        let FundamentalDomain { width, height, .. } = torus.shape;
        let mut nodes = vec![0; (width * height) as usize];
        let half = 1i64 << (self.level - 1 - torus.level);
        let mut checkpoints = Checkpoints::new();
        let mut pending = vec![(self.root, self.level, (-half, -half))];
        while let Some((node, level, (x, y))) = pending.pop() {
            if node == 0 {
                continue;
            }
            if level == torus.level {
                let place = &mut nodes[torus.shape.index((x, y))];
                let known = &mut HashMap::new();
                *place = self
                    .store
                    .overlay(*place, node, level, known, &mut checkpoints)?;
                continue;
            }
            let half = 1i64 << (level - 1 - torus.level);
            for (i, quadrant) in self.store.children(node).into_iter().enumerate() {
                let (right, down) = ((i % 2) as i64, (i / 2) as i64);
                pending.push((quadrant, level - 1, (x + right * half, y + down * half)));
            }
        }
        Ok(nodes)
    }

    /// Moves the cells of a torus back to the plane, where they can be read, after it was
    /// stepped.
    pub(super) fn store_array(&mut self) {
        if self.torus.is_some() {
            (self.root, self.level) = self.retry_growing(|world| world.unroll_array());
            self.clip_to_grid();
        }
    }

    /// The world's cells on the plane: the root and its level.
    fn unroll_array(&self) -> Result<(u32, u32), StoreCapacityError> {
        let torus = self.torus.as_ref().expect("only a torus is laid");
        let nodes = torus
            .nodes
            .as_deref()
            .expect("an array was laid to be stepped");
        let unrolled = UnrolledRegion {
            shape: torus.shape,
            nodes,
            level: torus.level,
            first: (
                torus.grid.x >> torus.level,
                (torus.grid.y - SOUTH_HALF_Y) >> torus.level,
            ),
            last: (
                (torus.grid.right() - 1) >> torus.level,
                (torus.grid.bottom() - 1 - SOUTH_HALF_Y) >> torus.level,
            ),
        };
        let (first, last) = (unrolled.first, unrolled.last);
        let reach = [-first.0, -first.1, last.0 + 1, last.1 + 1];
        let reach = reach.into_iter().max().unwrap_or(1).max(1);
        let up = reach.unsigned_abs().next_power_of_two().ilog2();
        let level = (torus.level + up).max(self.store.leaf_kind.level() + 1);
        let side = 1i64 << (level - torus.level);
        let corners = [(-side, -side), (0, -side), (-side, 0), (0, 0)];
        let mut four = [0; 4];
        for (node, corner) in four.iter_mut().zip(corners) {
            *node = unrolled.node_at(&self.store, level, corner)?;
        }
        Ok((self.store.intern_node(four)?, level + 1))
    }

    /// One attempt at a macro step on a torus; fails when the tables are full.
    pub(super) fn try_torus_macro_step(
        &mut self,
        length: &StepLength,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepInterruption> {
        let torus = self.torus.as_ref().expect("only a torus is leapt around");
        let nodes = torus
            .nodes
            .as_ref()
            .expect("an array is laid to be stepped");
        let shape = torus.shape;
        let level =
            (length.exponent() + 2 + self.store.leaf_kind.speed_exponent()).max(torus.level + 1);
        let mut wide = nodes.clone();
        // The positions one current node's width to the right, and down.
        let (mut right, mut down) = (shape.wrap((1, 0)), shape.wrap((0, 1)));
        // Half a width of the previous level, both ways.
        let mut offset = (0, 0);
        for up in torus.level..level {
            if up > torus.level + 1 {
                offset = shape.wrap((2 * offset.0, 2 * offset.1));
            } else if up == torus.level + 1 {
                offset = shape.wrap((1, 1));
            }
            let place = |(x, y): (i64, i64), (dx, dy): (i64, i64)| (x + dx, y + dy);
            let mut wider = Vec::with_capacity(wide.len());
            for at in shape.cells() {
                let below = place(at, down);
                let four = [at, place(at, right), below, place(below, right)];
                let four = four.map(|place| wide[shape.index(place)]);
                wider.push(self.store.intern_node(four)?);
            }
            wide = wider;
            let twice = |(x, y)| shape.wrap((2 * x, 2 * y));
            (right, down) = (twice(right), twice(down));
        }
        let phase = phase(&self.generation, self.store.leaf_kind.time_period() as u32);
        let request = MacroStep {
            nodes: &wide,
            level,
            length,
            phase,
        };
        let outcome = workers::run(&self.store, request, keep_going);
        self.store.ages.count_results(&outcome.computed);
        self.computed = outcome.computed.iter().sum();
        self.work += self.computed as u64;
        self.in_flight = outcome.in_flight;
        let results = outcome.results?;
        let mut moved = vec![0; nodes.len()];
        if level == torus.level + 1 {
            // Each result lies half a node's width to the right of and below its position.
            for (at, node) in shape.cells().zip(&mut moved) {
                let before = [(-1, -1), (0, -1), (-1, 0), (0, 0)];
                let four = before.map(|(dx, dy)| results[shape.index((at.0 + dx, at.1 + dy))]);
                *node = self.store.centre_of(torus.level, four)?;
            }
        } else {
            for (at, &result) in shape.cells().zip(&results) {
                let mut first = result;
                for _ in torus.level..level - 1 {
                    first = self.store.children(first)[0];
                }
                moved[shape.index((at.0 + offset.0, at.1 + offset.1))] = first;
            }
        }
        if let Some(torus) = &mut self.torus {
            torus.nodes = Some(moved);
        }
        self.generation += BigInt::from(length.generations().clone());
        Ok(())
    }
}

/// A part of the unrolled torus.
struct UnrolledRegion<'a> {
    shape: FundamentalDomain,
    nodes: &'a [u32],
    level: u32,
    /// The first and the last node that are wanted, across and down.
    first: (i64, i64),
    last: (i64, i64),
}

impl UnrolledRegion<'_> {
    /// A node of the plane, its corner counted in nodes of the array.
    fn node_at(
        &self,
        store: &NodeStore,
        level: u32,
        (x, y): (i64, i64),
    ) -> Result<u32, StoreCapacityError> {
        let side = 1i64 << (level - self.level);
        let outside = |at: i64, first: i64, last: i64| at > last || at + side <= first;
        if outside(x, self.first.0, self.last.0) || outside(y, self.first.1, self.last.1) {
            return Ok(0);
        }
        if level == self.level {
            return Ok(self.nodes[self.shape.index((x, y))]);
        }
        let half = side / 2;
        let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
        let mut four = [0; 4];
        for (node, corner) in four.iter_mut().zip(corners) {
            *node = self.node_at(store, level - 1, corner)?;
        }
        store.intern_node(four)
    }
}

impl NodeStore {
    /// The centre of four nodes of a level, as wide as one of them.
    fn centre_of(&self, level: u32, four: [u32; 4]) -> Result<u32, StoreCapacityError> {
        if level == self.leaf_kind.level() {
            let mut cells = LeafCells::new();
            for leaf in four {
                cells.extend(self.leaf(leaf));
            }
            let mut middle = self.leaf_kind.empty();
            self.leaf_kind.advance(&cells, 0, 0, &mut middle);
            return self.intern_leaf(&middle);
        }
        let inner = std::array::from_fn(|i| self.children(four[i])[3 - i]);
        self.intern_node(inner)
    }
}
