//! A torus, as an array of squares that repeats for ever.
//!
//! The squares are as large as the sides allow: the largest power of two that divides both
//! sides and the shift. On the plane that the torus is when it is unrolled, a square twice
//! as wide begins at each of them, made of it and its neighbours, and so on upwards; there
//! are never more different squares of one size than the array has. So 2^k generations
//! cost the size of the array times k at most, and less the more of it is alike.
//!
//! A grid whose sides have no such power of two in common lies several times in its array:
//! a grid of 10 x 6 as 8 x 8 times in one of 80 x 48.

use super::leaf_kind::{LeafCells, LeafKind};
use super::leaves::LeafTable;
use super::step::{MacroStep, StepInterruption};
use super::step_length::StepLength;
use super::store::{NodeStore, StoreCapacityError};
use super::workers;
use super::{HashlifeWorld, TOP, refused};
use crate::{UnsupportedError, World, phase};
use grid::Rect;
use num_bigint::BigInt;
use pattern::interrupt::Checkpoints;
use pattern::{Cells, Run};
use rule::{Axis, Rule, Topology};
use std::collections::HashMap;

/// Squares of an array that holds its grid more than once may be this many: a grid that
/// shares little with its squares is stepped cell by cell in effect.
const MOST_REPEATED: u64 = 1 << 14;

/// The array, and how the grid lies in it.
#[derive(Clone)]
pub(super) struct TorusArray {
    /// The grid, in world coordinates.
    grid: Rect,
    /// Where the grid lies again on the unrolled plane, as often as it lies in the array.
    copies: Vec<(i64, i64)>,
    /// The squares of the array are 2^level cells wide. Its first one's corner is the
    /// cell (0, [`TOP`]).
    level: u32,
    /// Counted in squares.
    shape: FundamentalDomain,
    /// Row by row; none when the cells have changed since.
    squares: Option<Vec<u32>>,
}

/// A rectangle that repeats all over the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FundamentalDomain {
    width: i64,
    height: i64,
    /// What lies beyond the bottom (`Horizontal`) or the right edge lies so much further
    /// along that edge.
    shift: Option<(Axis, i64)>,
}

impl FundamentalDomain {
    /// Where in the rectangle a place of the plane is.
    fn reduced(&self, (x, y): (i64, i64)) -> (i64, i64) {
        let (x, y) = match self.shift {
            None => (x, y),
            Some((Axis::Horizontal, by)) => (x + y.div_euclid(self.height) % self.width * by, y),
            Some((Axis::Vertical, by)) => (x, y + x.div_euclid(self.width) % self.height * by),
        };
        (x.rem_euclid(self.width), y.rem_euclid(self.height))
    }

    fn index(&self, place: (i64, i64)) -> usize {
        let (x, y) = self.reduced(place);
        (y * self.width + x) as usize
    }

    /// All places, row by row.
    fn places(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let Self { width, height, .. } = *self;
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// The same rectangle, counted in smaller parts.
    fn times(&self, parts: i64) -> Self {
        Self {
            width: self.width * parts,
            height: self.height * parts,
            shift: self.shift.map(|(axis, by)| (axis, by * parts)),
        }
    }
}

impl TorusArray {
    /// # Errors
    /// When the rule's world is no torus, or takes too many squares.
    pub(super) fn new(
        rule: &Rule,
        leaf_kind: &dyn LeafKind,
        memory: u64,
    ) -> Result<Self, UnsupportedError> {
        let topology = rule.topology();
        let (Topology::Torus { shift, .. }, Some(grid)) = (*topology, topology.rect()) else {
            return Err(refused(format!(
                "the topology `{topology}`: of worlds with edges it takes tori of finite size"
            )));
        };
        if rule.fills_plane() {
            return Err(refused(format!(
                "{rule}: an empty square would not stay empty"
            )));
        }
        let (width, height) = (grid.width as i64, grid.height as i64);
        // Steps that lead to the same cell again.
        let (across, down) = match shift {
            None => ((width, 0), (0, height)),
            Some((Axis::Horizontal, by)) => ((width, 0), (-by.rem_euclid(width), height)),
            Some((Axis::Vertical, by)) => ((width, -by.rem_euclid(height)), (0, height)),
        };
        let even = |(x, y): (i64, i64)| match rule.places() {
            1 => true,
            2 => (x + y) % 2 == 0,
            _ => x % 2 == 0 && y % 2 == 0,
        };
        if !even(across) || !even(down) {
            return Err(refused(format!(
                "a torus of {width} x {height} under a rule that tells even places from odd \
                 ones: around it they would mix"
            )));
        }
        // How often each step is taken until all of it is a whole number of leaves.
        let leaf = 1i64 << leaf_kind.level();
        let times = |(x, y): (i64, i64)| leaf / low_bit(x | y).min(leaf);
        let (by_across, by_down) = (times(across), times(down));
        let unit = [across.0 * by_across, across.1 * by_across]
            .into_iter()
            .chain([down.0 * by_down, down.1 * by_down])
            .fold(0, |all, c| all | c);
        let level = unit.trailing_zeros();
        let (columns, rows) = ((across.0 * by_across) >> level, (down.1 * by_down) >> level);
        let squares = columns as u64 * rows as u64;
        let repeated = by_across * by_down > 1;
        // Bytes that there should be for each square, of which its own are a small part.
        let (most, bytes) = if repeated {
            (MOST_REPEATED, 8 * LeafTable::bytes_of(leaf_kind.words()))
        } else {
            (u64::MAX, 128)
        };
        if squares > most.min(memory / bytes) {
            let side = 1u64 << level;
            return Err(refused(format!(
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
        let copies = steps.map(|(a, d)| (a * across.0 + d * down.0, a * across.1 + d * down.1));
        Ok(Self {
            grid,
            copies: copies.collect(),
            level,
            shape,
            squares: None,
        })
    }

    /// The squares that are held.
    pub(super) fn squares(&self) -> impl Iterator<Item = u32> {
        self.squares.iter().flatten().copied()
    }

    /// How the torus is held, in words.
    pub(super) fn describe(&self) -> String {
        let (FundamentalDomain { width, height, .. }, side) = (self.shape, 1u64 << self.level);
        let array = format!("on a torus of {width} x {height} squares of {side} x {side} cells");
        match self.copies.len() {
            1 => array,
            times => format!("{array}, which has the grid {times} times"),
        }
    }

    /// The cells of the grid as they lie in the array, where it has the grid more than
    /// once.
    fn repeated(&self, runs: &[Run]) -> Cells {
        let cells = self.shape.times(1 << self.level);
        let mut all = Vec::with_capacity(runs.len() * self.copies.len());
        for run in runs {
            for (dx, dy) in &self.copies {
                let (mut x, y) = (run.x + dx, run.y - TOP + dy);
                let mut left = run.length as i64;
                while left > 0 {
                    let (column, row) = cells.reduced((x, y));
                    let length = left.min(cells.width - column);
                    all.push(Run {
                        y: row + TOP,
                        x: column,
                        length: length as u64,
                        state: run.state,
                    });
                    x += length;
                    left -= length;
                }
            }
        }
        Cells::from_runs(all)
    }
}

/// The largest power of two that divides `n`.
fn low_bit(n: i64) -> i64 {
    n & n.wrapping_neg()
}

impl HashlifeWorld {
    /// Drops what lies outside a bounded grid.
    pub(super) fn cut_to_grid(&mut self) {
        let Some(grid) = self.ring.as_ref().map(|ring| ring.grid) else {
            return;
        };
        self.root = self.with_room(|world| {
            // No grid is 2^32 cells wide.
            while world.level > 33 {
                let quadrants = world.store.children(world.root);
                let inner: [u32; 4] =
                    std::array::from_fn(|i| world.store.children(quadrants[i])[3 - i]);
                world.root = world.store.node(inner)?;
                world.level -= 1;
            }
            let half = 1i64 << (world.level - 1);
            let corner = (-half, TOP - half);
            world.store.clipped(world.root, world.level, corner, &grid)
        });
        self.with_room(Self::narrow);
    }

    /// To be called when the cells were changed.
    pub(super) fn forget_array(&mut self) {
        if let Some(ring) = &mut self.ring {
            ring.squares = None;
        }
    }

    /// Before a torus is stepped: its cells are in the array, and nowhere else.
    pub(super) fn lay_array(&mut self) {
        let Some(ring) = &self.ring else {
            return;
        };
        if ring.squares.is_none() {
            let squares = self.with_room(Self::laid);
            if let Some(ring) = &mut self.ring {
                ring.squares = Some(squares);
            }
        }
        (self.root, self.level) = (0, self.store.leaf_kind.level() + 2);
    }

    /// The array with the world's cells.
    fn laid(&mut self) -> Result<Vec<u32>, StoreCapacityError> {
        let ring = self.ring.clone().expect("only a torus is laid");
        if ring.copies.len() > 1 {
            let mut runs = Vec::new();
            self.runs_in(ring.grid, &mut |run| runs.push(run));
            let (root, level) = self.read(&ring.repeated(&runs).to_tree())?;
            let own = (self.root, self.level);
            (self.root, self.level) = (root, level);
            let squares = self.laid_root(&ring);
            (self.root, self.level) = own;
            return squares;
        }
        self.laid_root(&ring)
    }

    /// The array with the world's cells as they are on the plane.
    fn laid_root(&mut self, ring: &TorusArray) -> Result<Vec<u32>, StoreCapacityError> {
        while self.level <= ring.level {
            self.widen()?;
        }
        let FundamentalDomain { width, height, .. } = ring.shape;
        let mut squares = vec![0; (width * height) as usize];
        let half = 1i64 << (self.level - 1 - ring.level);
        let mut checkpoints = Checkpoints::new();
        let mut pending = vec![(self.root, self.level, (-half, -half))];
        while let Some((square, level, (x, y))) = pending.pop() {
            if square == 0 {
                continue;
            }
            if level == ring.level {
                let place = &mut squares[ring.shape.index((x, y))];
                let known = &mut HashMap::new();
                *place = self
                    .store
                    .overlaid(*place, square, level, known, &mut checkpoints)?;
                continue;
            }
            let half = 1i64 << (level - 1 - ring.level);
            for (i, quadrant) in self.store.children(square).into_iter().enumerate() {
                let (right, down) = ((i % 2) as i64, (i / 2) as i64);
                pending.push((quadrant, level - 1, (x + right * half, y + down * half)));
            }
        }
        Ok(squares)
    }

    /// After a torus was stepped: the grid's cells stand on the plane, where they are seen.
    pub(super) fn show_array(&mut self) {
        if self.ring.is_some() {
            (self.root, self.level) = self.with_room(|world| world.shown());
            self.cut_to_grid();
        }
    }

    /// The world's cells on the plane.
    fn shown(&self) -> Result<(u32, u32), StoreCapacityError> {
        let ring = self.ring.as_ref().expect("only a torus is laid");
        let squares = ring
            .squares
            .as_deref()
            .expect("an array was laid to be stepped");
        let unrolled = UnrolledRegion {
            shape: ring.shape,
            squares,
            level: ring.level,
            first: (ring.grid.x >> ring.level, (ring.grid.y - TOP) >> ring.level),
            last: (
                (ring.grid.right() - 1) >> ring.level,
                (ring.grid.bottom() - 1 - TOP) >> ring.level,
            ),
        };
        let (first, last) = (unrolled.first, unrolled.last);
        let reach = [-first.0, -first.1, last.0 + 1, last.1 + 1];
        let reach = reach.into_iter().max().unwrap_or(1).max(1);
        let up = reach.unsigned_abs().next_power_of_two().ilog2();
        let level = (ring.level + up).max(self.store.leaf_kind.level() + 1);
        let side = 1i64 << (level - ring.level);
        let corners = [(-side, -side), (0, -side), (-side, 0), (0, 0)];
        let mut four = [0; 4];
        for (square, corner) in four.iter_mut().zip(corners) {
            *square = unrolled.square(&self.store, level, corner)?;
        }
        Ok((self.store.node(four)?, level + 1))
    }

    /// Moves a torus on, as long as there is room.
    pub(super) fn leap_around(
        &mut self,
        span: &StepLength,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepInterruption> {
        let ring = self.ring.as_ref().expect("only a torus is leapt around");
        let squares = ring
            .squares
            .as_ref()
            .expect("an array is laid to be stepped");
        let shape = ring.shape;
        let level = (span.power() + 2 + self.store.leaf_kind.slowness()).max(ring.level + 1);
        let mut wide = squares.clone();
        // Where one lands two squares of the present size to the right, and down.
        let (mut right, mut down) = (shape.reduced((1, 0)), shape.reduced((0, 1)));
        // The same half a square of the size before.
        let mut offset = (0, 0);
        for up in ring.level..level {
            if up > ring.level + 1 {
                offset = shape.reduced((2 * offset.0, 2 * offset.1));
            } else if up == ring.level + 1 {
                offset = shape.reduced((1, 1));
            }
            let place = |(x, y): (i64, i64), (dx, dy): (i64, i64)| (x + dx, y + dy);
            let mut wider = Vec::with_capacity(wide.len());
            for at in shape.places() {
                let below = place(at, down);
                let four = [at, place(at, right), below, place(below, right)];
                let four = four.map(|place| wide[shape.index(place)]);
                wider.push(self.store.node(four)?);
            }
            wide = wider;
            let twice = |(x, y)| shape.reduced((2 * x, 2 * y));
            (right, down) = (twice(right), twice(down));
        }
        let phase = phase(&self.generation, self.store.leaf_kind.time_period() as u32);
        let asked = MacroStep {
            nodes: &wide,
            level,
            span,
            phase,
        };
        let outcome = workers::take(&self.store, asked, go_on);
        (self.held, self.done) = (outcome.held, outcome.done);
        let results = outcome.futures?;
        let mut moved = vec![0; squares.len()];
        if level == ring.level + 1 {
            // Each result is half a square beyond its place, to the right and down.
            for (at, square) in shape.places().zip(&mut moved) {
                let before = [(-1, -1), (0, -1), (-1, 0), (0, 0)];
                let four = before.map(|(dx, dy)| results[shape.index((at.0 + dx, at.1 + dy))]);
                *square = self.store.middle(ring.level, four)?;
            }
        } else {
            for (at, &result) in shape.places().zip(&results) {
                let mut first = result;
                for _ in ring.level..level - 1 {
                    first = self.store.children(first)[0];
                }
                moved[shape.index((at.0 + offset.0, at.1 + offset.1))] = first;
            }
        }
        if let Some(ring) = &mut self.ring {
            ring.squares = Some(moved);
        }
        self.generation += BigInt::from(span.generations().clone());
        Ok(())
    }
}

/// A part of the plane that a torus is when it is unrolled.
struct UnrolledRegion<'a> {
    shape: FundamentalDomain,
    squares: &'a [u32],
    level: u32,
    /// The first and the last square that are wanted, across and down.
    first: (i64, i64),
    last: (i64, i64),
}

impl UnrolledRegion<'_> {
    /// A square of the plane, its corner counted in squares of the array.
    fn square(
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
            return Ok(self.squares[self.shape.index((x, y))]);
        }
        let half = side / 2;
        let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
        let mut four = [0; 4];
        for (square, corner) in four.iter_mut().zip(corners) {
            *square = self.square(store, level - 1, corner)?;
        }
        store.node(four)
    }
}

impl NodeStore {
    /// The middle of four squares of a level, as wide as one of them.
    fn middle(&self, level: u32, four: [u32; 4]) -> Result<u32, StoreCapacityError> {
        if level == self.leaf_kind.level() {
            let mut cells = LeafCells::new();
            for leaf in four {
                cells.extend(self.leaf(leaf));
            }
            let mut middle = self.leaf_kind.empty();
            self.leaf_kind.advance(&cells, 0, 0, &mut middle);
            return self.intern(&middle);
        }
        let inner = std::array::from_fn(|i| self.children(four[i])[3 - i]);
        self.node(inner)
    }
}
