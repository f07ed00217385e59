//! Where a soup runs: on its own tiles where the rule allows it, else in a world of the crate
//! `engine`, which is slower and takes every rule. The tiles are held against a plain world,
//! with clusters cut by their definition. Own method.

use super::cluster::{ClusterCutter, CutCells, TouchReach};
use super::plain_grid::PlainGrid;
use super::plane::SoupPlane;
use crate::StateBox;
use crate::point_set::{PointMap, PointSet};
use crate::separate::take_cluster;
use engine::{Tiles, World};
use grid::{Point, State};
use num_traits::ToPrimitive;
use pattern::{Cells, Run};
use rule::Rule;

/// The most cells of the box of a cluster.
const MOST_AREA: u64 = 1 << 24;

/// A soup's cells on an endless plane, under any rule.
#[derive(Debug)]
pub(crate) enum SoupWorld {
    /// Rules that look no further than one cell.
    Tiles(Box<SoupPlane>, ClusterCutter),
    /// All others.
    Engine(EngineSoup),
}

/// A cluster's cells, as it is cut.
#[derive(Debug)]
pub(crate) enum ClusterCells<'a> {
    /// All in state 1.
    Live(CutCells<'a>),
    /// In any states, in their place.
    States(StateBox),
}

impl SoupWorld {
    /// An empty plane. None for rules that depend on a cell's place, alternate between more than
    /// two tables, fill the plane or are not on an endless one. `zone` is what clusters are
    /// within.
    pub(crate) fn new(rule: &Rule, zone: &[(i64, i64)]) -> Option<Self> {
        let reach = match zone.len() {
            21 => TouchReach::Rounded,
            _ => TouchReach::Square,
        };
        if let Some(plane) = SoupPlane::new(rule) {
            return Some(Self::Tiles(Box::new(plane), ClusterCutter::new(reach)));
        }
        let world = EngineWorld::Tiles(Box::new(Tiles::new(rule.clone()).ok()?));
        EngineSoup::new(rule, world, zone).map(Self::Engine)
    }

    /// The same by a plain world.
    pub(crate) fn by_definition(rule: &Rule, zone: &[(i64, i64)]) -> Option<Self> {
        let world = EngineWorld::Plain(Box::new(PlainGrid::new(rule.clone())));
        EngineSoup::new(rule, world, zone).map(Self::Engine)
    }

    /// Empties the plane, and goes back to generation 0.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Tiles(plane, _) => plane.clear(),
            Self::Engine(soup) => soup.replace(&Cells::default()),
        }
    }

    /// Whether gliders that fly away are taken out, where that can be done.
    pub(crate) fn take_gliders(&mut self, take: bool) {
        if let Self::Tiles(plane, _) = self {
            plane.take_gliders(take);
        }
    }

    /// Adds cells of state 1; the plane was empty.
    pub(crate) fn load(&mut self, cells: &[(i32, i32)]) {
        match self {
            Self::Tiles(plane, _) => plane.load(cells),
            Self::Engine(soup) => {
                let run = |&(x, y): &(i32, i32)| Run {
                    y: y.into(),
                    x: x.into(),
                    length: 1,
                    state: 1,
                };
                soup.replace(&Cells::from_runs(cells.iter().map(run).collect()));
            }
        }
    }

    /// Adds a square of 16 x 16 cells; the plane was empty.
    pub(crate) fn load_square(&mut self, square: &[u16; 16]) {
        if let Self::Tiles(plane, _) = self {
            return plane.load_square(square);
        }
        let all = (0..256).map(|at| (at % 16, at / 16));
        let live = all.filter(|&(x, y)| square[y as usize] >> x & 1 == 1);
        self.load(&live.collect::<Vec<_>>());
    }

    pub(crate) fn generation(&self) -> u64 {
        match self {
            Self::Tiles(plane, _) => plane.generation(),
            Self::Engine(soup) => soup.generation,
        }
    }

    /// Whether nothing is left but what has period 1 or 2, and gliders taken out.
    pub(crate) fn is_quiet(&self) -> bool {
        match self {
            Self::Tiles(plane, _) => plane.is_quiet(),
            Self::Engine(soup) => soup.is_quiet,
        }
    }

    /// How many gliders were taken out.
    pub(crate) fn escaped(&self) -> u64 {
        match self {
            Self::Tiles(plane, _) => plane.escaped(),
            Self::Engine(_) => 0,
        }
    }

    /// Whether something entered the quadrant of a glider that was taken out.
    pub(crate) fn is_escape_doubtful(&self) -> bool {
        match self {
            Self::Tiles(plane, _) => plane.is_escape_doubtful(),
            Self::Engine(_) => false,
        }
    }

    /// Advances by an even number of generations.
    pub(crate) fn advance(&mut self, generations: u64) {
        match self {
            Self::Tiles(plane, _) => plane.advance(generations),
            Self::Engine(soup) => soup.advance(generations),
        }
    }

    /// Advances and collects the cells that are alive at any time, the first and the last among
    /// them.
    pub(crate) fn advance_with_envelope(&mut self, generations: u64) {
        match self {
            Self::Tiles(plane, _) => plane.advance_with_envelope(generations),
            Self::Engine(soup) => soup.advance_with_envelope(generations),
        }
    }

    /// The population of the whole plane.
    pub(crate) fn population(&mut self) -> u64 {
        match self {
            Self::Tiles(plane, _) => plane.population(),
            Self::Engine(soup) => soup.population(),
        }
    }

    /// Calls `f` with each cluster that has live cells, from the top. The plane has just been
    /// advanced with its envelope. False when it is too large to be cut.
    pub(crate) fn cut(&mut self, mut f: impl FnMut(ClusterCells<'_>)) -> bool {
        match self {
            Self::Tiles(plane, cutter) => {
                let mut fits = true;
                let is_cut = cutter.cut(plane, |cells| {
                    fits &= is_small(&cells);
                    match plane.planes() {
                        _ if !fits => {}
                        1 => f(ClusterCells::Live(cells)),
                        _ => f(ClusterCells::States(states_of(plane, cells))),
                    }
                });
                is_cut && fits
            }
            Self::Engine(soup) => soup.cut(|states| f(ClusterCells::States(states))),
        }
    }
}

/// The states of a cluster's cells, in their place.
fn states_of(plane: &SoupPlane, cells: CutCells<'_>) -> StateBox {
    let cell = |x: i32, y: i32| (Point::new(x.into(), y.into()), plane.state(x, y));
    let mut states = Vec::new();
    match cells {
        CutCells::Rows(left, top, rows) => {
            for (y, &row) in (top..).zip(rows) {
                let mut bits = row;
                while bits != 0 {
                    states.push(cell(left + bits.trailing_zeros() as i32, y));
                    bits &= bits - 1;
                }
            }
        }
        CutCells::Cells(cells) => states.extend(cells.iter().map(|&(x, y)| cell(x, y))),
    }
    StateBox::from_cells(states.into_iter())
}

/// Whether a cluster can be held in its box.
fn is_small(cells: &CutCells<'_>) -> bool {
    match cells {
        CutCells::Rows(..) => true,
        CutCells::Cells(cells) => has_small_box(cells.iter().map(|&(x, y)| (x.into(), y.into()))),
    }
}

fn has_small_box(cells: impl Iterator<Item = (i64, i64)> + Clone) -> bool {
    let side = |at: fn((i64, i64)) -> i64| {
        let (low, high) = (cells.clone().map(at).min(), cells.clone().map(at).max());
        low.zip(high)
            .map_or(0, |(low, high)| high.abs_diff(low) + 1)
    };
    side(|(x, _)| x).saturating_mul(side(|(_, y)| y)) <= MOST_AREA
}

/// What a soup runs in that has no tiles of its own.
#[derive(Debug)]
enum EngineWorld {
    Tiles(Box<Tiles>),
    Plain(Box<PlainGrid>),
}

impl EngineWorld {
    /// False where the cells cannot be held.
    fn replace(&mut self, cells: &Cells) -> bool {
        match self {
            Self::Tiles(world) => world.replace_cells(cells, &0.into()).is_ok(),
            Self::Plain(grid) => grid.replace(cells),
        }
    }

    /// False where it cannot go on.
    fn advance(&mut self, generations: u64) -> bool {
        match self {
            Self::Tiles(world) => {
                let advanced = world.advance(&generations.into(), &mut |_| true);
                advanced.is_ok() && world.memory_limit_error().is_none()
            }
            Self::Plain(grid) => grid.advance(generations),
        }
    }

    fn cells(&self) -> Cells {
        match self {
            Self::Tiles(world) => world.cells(),
            Self::Plain(grid) => grid.cells(),
        }
    }

    fn population(&self) -> u64 {
        match self {
            Self::Tiles(world) => world.population().to_u64().unwrap_or(u64::MAX),
            Self::Plain(grid) => grid.population(),
        }
    }
}

/// A soup in a world of the crate `engine`, or in a plain one.
#[derive(Debug)]
pub(crate) struct EngineSoup {
    world: EngineWorld,
    zone: Vec<(i64, i64)>,
    generation: u64,
    is_quiet: bool,
    /// Whether the world could not go on.
    has_failed: bool,
    envelope: PointSet,
}

impl EngineSoup {
    fn new(rule: &Rule, world: EngineWorld, zone: &[(i64, i64)]) -> Option<Self> {
        let fits = !rule.is_checkered()
            && rule.time_period() <= 2
            && rule.topology().rect().is_none()
            && !rule.fills_plane();
        fits.then(|| Self {
            world,
            zone: zone.to_vec(),
            generation: 0,
            is_quiet: false,
            has_failed: false,
            envelope: PointSet::default(),
        })
    }

    fn replace(&mut self, cells: &Cells) {
        self.generation = 0;
        self.is_quiet = false;
        self.has_failed = !self.world.replace(cells);
    }

    /// What has period 2 is not run.
    fn advance(&mut self, generations: u64) {
        self.generation += generations;
        if self.is_quiet || generations < 2 {
            return;
        }
        self.step(generations - 2);
        if let EngineWorld::Plain(grid) = &self.world
            && let Some(before) = grid.copy_live()
        {
            self.step(2);
            if let EngineWorld::Plain(grid) = &self.world {
                self.is_quiet = !self.has_failed && grid.is_copied(&before);
            }
            return;
        }
        let before = (self.population(), self.world.cells());
        self.step(2);
        self.is_quiet = before == (self.population(), self.world.cells());
    }

    fn step(&mut self, generations: u64) {
        self.has_failed |= !self.world.advance(generations);
    }

    fn advance_with_envelope(&mut self, generations: u64) {
        self.envelope.clear();
        let watched = if self.is_quiet { 2 } else { generations };
        for age in 0..=watched {
            if age > 0 {
                self.step(1);
            }
            let envelope = &mut self.envelope;
            self.world.cells().for_each_run(&mut |run| {
                let columns = run.x..run.x + run.length as i64;
                envelope.extend(columns.map(|x| Point::new(x, run.y)));
            });
        }
        self.generation += generations;
    }

    fn population(&self) -> u64 {
        match self.has_failed {
            true => u64::MAX,
            false => self.world.population(),
        }
    }

    fn cut(&mut self, mut f: impl FnMut(StateBox)) -> bool {
        if self.has_failed {
            return false;
        }
        let mut live: PointMap<State> = PointMap::default();
        self.world.cells().for_each_run(&mut |run| {
            let columns = run.x..run.x + run.length as i64;
            live.extend(columns.map(|x| (Point::new(x, run.y), run.state)));
        });
        let mut starts: Vec<Point> = self.envelope.iter().copied().collect();
        starts.sort_unstable_by_key(|p| (p.y, p.x));
        for start in starts {
            if !self.envelope.remove(&start) {
                continue;
            }
            let found = take_cluster(start, &self.zone, &mut self.envelope);
            let cells: Vec<_> = found
                .iter()
                .filter_map(|p| live.get(p).map(|&state| (*p, state)))
                .collect();
            if !has_small_box(cells.iter().map(|(p, _)| (p.x, p.y))) {
                return false;
            }
            if !cells.is_empty() {
                f(StateBox::from_cells(cells.into_iter()));
            }
        }
        true
    }
}
