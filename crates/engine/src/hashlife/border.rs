//! A plane with edges: a border of cells that stay dead lies around the grid, as wide as a cell
//! sees, and nothing beyond it comes to life. So the world runs as on the endless plane, for any
//! number of generations.
//!
//! The border is laid before the world is stepped and taken away after, so that cells are read as
//! on any plane.
//!
//! Own method.

use super::leaf_kind::{LeafCells, LeafKind};
use super::store::{NodeStore, StoreCapacityError};
use super::{HashlifeWorld, SOUTH_HALF_Y};
use grid::{CellHash, Point, Rect, State};
use kernel::CellKernel;
use std::collections::HashMap;

/// Leaves that know which of their cells are border: those of another kind, and then a bit for each
/// cell, row by row.
///
/// Groups of leaves without a border are stepped by the other kind; those with one go cell by cell,
/// fifty times as slowly. They are few: all leaves along an edge where nothing happens are one.
pub(super) struct BorderedLeafKind {
    inner: Box<dyn LeafKind>,
    kernel: CellKernel,
}

impl BorderedLeafKind {
    /// Around a kind of leaves for the same rule as the kernel's.
    pub(super) fn new(inner: Box<dyn LeafKind>, kernel: CellKernel) -> Self {
        Self { inner, kernel }
    }

    fn side(&self) -> usize {
        1 << self.inner.level()
    }

    /// The cells of a leaf, and its border.
    fn parts<'a>(&self, leaf: &'a [u64]) -> (&'a [u64], &'a [u64]) {
        leaf.split_at(self.inner.words())
    }

    fn cells<'a>(&self, leaf: &'a [u64]) -> &'a [u64] {
        self.parts(leaf).0
    }

    fn is_border(&self, leaf: &[u64], x: usize, y: usize) -> bool {
        let bit = y * self.side() + x;
        self.parts(leaf).1[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The centre of four leaves after some generations, cell by cell.
    fn middle(&self, four: &[u64], phase: u64, generations: u32, middle: &mut [u64]) {
        let (side, period) = (self.side(), self.inner.time_period());
        let leaves: Vec<&[u64]> = four.chunks_exact(self.words()).collect();
        let at = |x: usize, y: usize| (leaves[2 * (y / side) + x / side], x % side, y % side);
        let mut width = 2 * side;
        let all = (0..width * width).map(|i| at(i % width, i / width));
        let mut now: Vec<State> = all.map(|(leaf, x, y)| self.get(leaf, x, y)).collect();
        // As with the other kinds: the square's corner has an even column and an odd row.
        let radius = self.kernel.radius() as usize;
        let mut corner = 0;
        for generation in 0..u64::from(generations) {
            width -= 2 * radius;
            corner += radius;
            let mut next = vec![0; width * width];
            let origin = Point::new(corner as i64, corner as i64 + SOUTH_HALF_Y);
            let time = (phase + generation) % period;
            self.kernel
                .step(time, origin, width, width, &now, &mut next);
            for (i, state) in next.iter_mut().enumerate().filter(|(_, state)| **state > 0) {
                let (leaf, x, y) = at(corner + i % width, corner + i / width);
                if self.is_border(leaf, x, y) {
                    *state = 0;
                }
            }
            now = next;
        }
        middle.fill(0);
        let margin = (width - side) / 2;
        for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
            let state = now[(y + margin) * width + x + margin];
            self.set(middle, x, y, state);
            let (leaf, from_x, from_y) = at(x + side / 2, y + side / 2);
            if self.is_border(leaf, from_x, from_y) {
                self.set_border(middle, x, y, true);
            }
        }
    }
}

impl LeafKind for BorderedLeafKind {
    fn level(&self) -> u32 {
        self.inner.level()
    }

    fn speed_exponent(&self) -> u32 {
        self.inner.speed_exponent()
    }

    fn time_period(&self) -> u64 {
        self.inner.time_period()
    }

    fn words(&self) -> usize {
        self.inner.words() + (self.side() * self.side()).div_ceil(64)
    }

    fn get(&self, leaf: &[u64], x: usize, y: usize) -> State {
        self.inner.get(self.cells(leaf), x, y)
    }

    fn set(&self, leaf: &mut [u64], x: usize, y: usize, state: State) {
        self.inner.set(&mut leaf[..self.inner.words()], x, y, state);
    }

    fn set_border(&self, leaf: &mut [u64], x: usize, y: usize, is_border: bool) {
        let bit = y * self.side() + x;
        let word = &mut leaf[self.inner.words() + bit / 64];
        *word = *word & !(1 << (bit % 64)) | u64::from(is_border) << (bit % 64);
    }

    fn advance(&self, fours: &[u64], phase: u64, generations: u32, leaf_results: &mut [u64]) {
        let (words, inner) = (self.words(), self.inner.words());
        let (mut open, mut places) = (Vec::new(), Vec::new());
        for (i, four) in fours.chunks_exact(4 * words).enumerate() {
            let mut leaves = four.chunks_exact(words);
            if leaves.all(|leaf| self.parts(leaf).1.iter().all(|&word| word == 0)) {
                places.push(i);
                let leaves = four.chunks_exact(words);
                leaves.for_each(|leaf| open.extend_from_slice(&leaf[..inner]));
            } else {
                let middle = &mut leaf_results[i * words..(i + 1) * words];
                self.middle(four, phase, generations, middle);
            }
        }
        let mut stepped = vec![0; places.len() * inner];
        self.inner.advance(&open, phase, generations, &mut stepped);
        for (i, cells) in places.into_iter().zip(stepped.chunks_exact(inner)) {
            let middle = &mut leaf_results[i * words..(i + 1) * words];
            middle[..inner].copy_from_slice(cells);
            middle[inner..].fill(0);
        }
    }

    fn paint8(&self, leaf: &mut [u64], x: usize, y: usize, bits: u64) {
        self.inner
            .paint8(&mut leaf[..self.inner.words()], x, y, bits);
    }

    fn bits8(&self, leaf: &[u64], x: usize, y: usize) -> u64 {
        self.inner.bits8(self.cells(leaf), x, y)
    }

    fn live8(&self, leaf: &[u64], x: usize, y: usize) -> u8 {
        self.inner.live8(self.cells(leaf), x, y)
    }

    fn population(&self, leaf: &[u64]) -> u64 {
        self.inner.population(self.cells(leaf))
    }

    fn margins(&self, leaf: &[u64]) -> [u32; 4] {
        self.inner.margins(self.cells(leaf))
    }

    fn hash(&self, leaf: &[u64]) -> CellHash {
        self.inner.hash(self.cells(leaf))
    }

    fn describe(&self) -> String {
        self.inner.describe()
    }
}

/// The border of a plane with edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneBorder {
    /// The cells of the world.
    pub(super) grid: Rect,
    /// The grid with the border.
    outer: Rect,
}

impl PlaneBorder {
    /// Around a grid whose cells see `radius` cells far.
    pub(super) fn new(grid: Rect, radius: u32) -> Self {
        let by = i64::from(radius.max(1));
        let grown = |side: u64| side + 2 * by.unsigned_abs();
        let outer = Rect::new(
            grid.x - by,
            grid.y - by,
            grown(grid.width),
            grown(grid.height),
        );
        Self { grid, outer }
    }

    /// What of the grid, and of the grid with its border, lies in a square, relative to it.
    fn within(&self, square: Rect) -> (Rect, Rect) {
        let part = |rect: Rect| {
            let part = rect.intersection(&square);
            match part.is_empty() {
                true => Rect::default(),
                false => Rect {
                    x: part.x - square.x,
                    y: part.y - square.y,
                    ..part
                },
            }
        };
        (part(self.grid), part(self.outer))
    }
}

/// A square, and what [`PlaneBorder::within`] it there is: squares that are alike get their border
/// once.
type BorderedNodes = HashMap<(u32, u32, (Rect, Rect)), u32>;

impl HashlifeWorld {
    /// Lays the border around the grid, before the world is stepped.
    pub(super) fn lay_border(&mut self) {
        self.change_border(true);
    }

    /// Takes the border away, after the world was stepped.
    pub(super) fn lift_border(&mut self) {
        self.change_border(false);
    }

    fn change_border(&mut self, is_laid: bool) {
        let Some(border) = self.border else {
            return;
        };
        let holds = |level: u32| {
            let half = 1i64 << (level - 1);
            let square = Rect::new(-half, SOUTH_HALF_Y - half, 1 << level, 1 << level);
            border.outer.intersection(&square) == border.outer
        };
        while !holds(self.level) {
            self.retry_growing(Self::widen);
        }
        self.root = self.retry_growing(|world| {
            let half = 1i64 << (world.level - 1);
            let corner = (-half, SOUTH_HALF_Y - half);
            let known = &mut BorderedNodes::new();
            world
                .store
                .with_border(world.root, world.level, corner, &border, is_laid, known)
        });
        if !is_laid {
            self.retry_growing(Self::shrink);
        }
    }
}

impl NodeStore {
    /// The node with or without the border; its top-left cell is `corner`.
    fn with_border(
        &self,
        node: u32,
        level: u32,
        (x, y): (i64, i64),
        border: &PlaneBorder,
        is_laid: bool,
        known: &mut BorderedNodes,
    ) -> Result<u32, StoreCapacityError> {
        let side = 1u64 << level;
        let within = border.within(Rect::new(x, y, side, side));
        let (grid, outer) = within;
        if grid == outer {
            return Ok(node);
        }
        if let Some(&changed) = known.get(&(node, level, within)) {
            return Ok(changed);
        }
        let changed = if level == self.leaf_kind.level() {
            let mut leaf: LeafCells = match node {
                0 => self.leaf_kind.empty(),
                _ => self.leaf(node),
            };
            for (row, column) in (0..side).flat_map(|row| (0..side).map(move |c| (row, c))) {
                let p = Point::new(column as i64, row as i64);
                if outer.contains(p) && !grid.contains(p) {
                    let (column, row) = (column as usize, row as usize);
                    self.leaf_kind.set_border(&mut leaf, column, row, is_laid);
                }
            }
            self.intern_leaf(&leaf)?
        } else {
            let half = 1i64 << (level - 1);
            let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
            let mut four = self.children(node);
            for (child, corner) in four.iter_mut().zip(corners) {
                *child = self.with_border(*child, level - 1, corner, border, is_laid, known)?;
            }
            self.intern_node(four)?
        };
        known.insert((node, level, within), changed);
        Ok(changed)
    }
}
