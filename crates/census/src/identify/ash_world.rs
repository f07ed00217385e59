//! What a pattern is run in until it settles or grows: the census's tiles where the rule allows
//! it, else the engine's. The former tell the population of every generation in passing, and what
//! has settled costs them nothing.

use super::ash::{ClusterStates, cut_by_definition};
use crate::growth::steady::add_steady;
use crate::settle::cluster::{ClusterCutter, CutCells, TouchReach};
use crate::settle::plane::SoupPlane;
use crate::settle::plane::copy::PlaneCopy;
use crate::settle::plane::escape::CLEARANCE;
use crate::settle::watched_plane::{plane_bytes, plane_cells, watched_plane};
use crate::{BoxStepper, OrbitLimits, PeriodicOrbit, StateBox, cluster_zone};
use engine::{Snapshot, Tiles, World};
use grid::Point;
use num_traits::ToPrimitive;
use pattern::{Cells, Run};
use rule::Rule;

/// A pattern's cells, and the generation.
pub(super) enum AshWorld<'a> {
    Plane(Box<AshPlane>),
    Engine(&'a mut Tiles),
}

/// Cells to come back to.
#[derive(Clone, Debug)]
pub(super) enum AshCheckpoint {
    /// With the gliders that were taken out of it.
    Plane(Box<PlaneCopy>, Vec<Point>),
    Engine(Snapshot),
}

impl AshCheckpoint {
    pub(super) fn generation(&self) -> u64 {
        match self {
            Self::Plane(copy, _) => copy.generation(),
            Self::Engine(snapshot) => snapshot.generation().to_u64().unwrap_or(u64::MAX),
        }
    }
}

/// A plane of the census, for a rule of two states that does not alternate.
pub(super) struct AshPlane {
    plane: SoupPlane,
    cutter: ClusterCutter,
    stepper: BoxStepper,
    zone: Vec<(i64, i64)>,
    /// Those of the gliders that were taken out, and when they were.
    escaped: Vec<(u64, PeriodicOrbit)>,
    /// How often gliders had been put back then.
    returns: usize,
}

impl AshPlane {
    /// With the cells, at generation 0. None where it cannot hold them or does not know the rule.
    pub(super) fn new(rule: &Rule, cells: &Cells) -> Option<Self> {
        let points = plane_cells(cells)?;
        let zone = cluster_zone(rule);
        let reach = match zone.len() {
            21 => TouchReach::Rounded,
            _ => TouchReach::Square,
        };
        let mut plane = Self {
            plane: watched_plane(rule)?,
            cutter: ClusterCutter::new(reach),
            stepper: BoxStepper::new(rule),
            zone,
            escaped: Vec::new(),
            returns: 0,
        };
        plane.plane.take_gliders(true);
        plane.plane.return_gliders(true);
        plane.plane.clear();
        plane.plane.load(&points);
        Some(plane)
    }

    fn put(&mut self, copy: &PlaneCopy, gliders: &[Point]) {
        self.plane.restore(copy, false);
        self.escaped.clear();
        if !gliders.is_empty() {
            let cells: Vec<_> = gliders.iter().map(|p| (p.x as i32, p.y as i32)).collect();
            self.plane.load(&cells);
        }
    }

    /// Takes out the gliders that fly away from everything.
    pub(super) fn let_gliders_escape(&mut self) {
        self.plane.let_streams_escape(CLEARANCE);
    }

    /// Adds all populations up to so many, when it is proven what they are: see [`add_steady`].
    pub(super) fn add_steady(&self, populations: &mut Vec<u64>, count: usize) -> bool {
        add_steady(&self.plane, populations, count)
    }

    /// All cells, row by row.
    pub(super) fn sorted_points(&mut self) -> Vec<Point> {
        let mut points = self.points();
        points.sort_unstable_by_key(|p| (p.y, p.x));
        points
    }

    /// Whether something came near a glider that was taken out: then the cells may be wrong.
    pub(super) fn is_escape_doubtful(&self) -> bool {
        self.plane.is_escape_doubtful()
    }

    /// How many tiles are stepped just now.
    pub(super) fn active_tiles(&self) -> u64 {
        self.plane.due_tiles() as u64
    }

    /// What it takes, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        plane_bytes(&self.plane)
    }

    fn advance(&mut self, generations: u64) {
        self.plane.advance(generations & !1);
        if generations % 2 == 1 {
            self.plane.advance_once();
        }
    }

    /// The gliders that were taken out, as they are now.
    fn escaped_now(&mut self) -> Vec<StateBox> {
        if self.returns != self.plane.returns() {
            self.returns = self.plane.returns();
            self.escaped.clear();
        }
        let known = self.escaped.len();
        for (generation, points) in self.plane.escaped_gliders().skip(known) {
            let cells = StateBox::from_points(&points);
            let limits = OrbitLimits::default();
            // they are known to be gliders
            if let Ok(orbit) = PeriodicOrbit::find(&mut self.stepper, &cells, 0, &limits) {
                self.escaped.push((generation, orbit));
            }
        }
        let now = self.plane.generation();
        let at = |(then, orbit): &(u64, PeriodicOrbit)| orbit.at((now - then) as i64);
        self.escaped.iter().map(at).collect()
    }

    /// All cells, in any order.
    fn points(&mut self) -> Vec<Point> {
        let mut points = Vec::new();
        let escaped = self.escaped_now();
        self.plane
            .for_each_cell(|x, y| points.push(Point::new(x.into(), y.into())));
        points.extend(escaped.iter().flat_map(StateBox::points));
        points
    }

    fn clusters(&mut self, generations: u64) -> Vec<ClusterStates> {
        self.plane
            .advance_with_envelope(generations.next_multiple_of(2));
        let mut clusters: Vec<ClusterStates> = Vec::new();
        let live = |x: i32, y: i32| (Point::new(x.into(), y.into()), 1);
        let is_cut = self.cutter.cut(&self.plane, |cells| {
            let mut cluster = Vec::new();
            match cells {
                CutCells::Rows(left, top, rows) => {
                    for (y, &row) in (top..).zip(rows) {
                        let mut bits = row;
                        while bits != 0 {
                            cluster.push(live(left + bits.trailing_zeros() as i32, y));
                            bits &= bits - 1;
                        }
                    }
                }
                CutCells::Cells(cells) => cluster.extend(cells.iter().map(|&(x, y)| live(x, y))),
            }
            clusters.push(cluster);
        });
        if !is_cut {
            clusters = self.clusters_by_definition();
        }
        let glider = |cells: &StateBox| cells.cells().collect();
        clusters.extend(self.escaped_now().iter().map(glider));
        clusters.sort_by_key(|cluster| cluster.first().map(|(p, _)| (p.y, p.x)));
        clusters
    }

    /// The same where the plane is too wide for rows of bits.
    fn clusters_by_definition(&self) -> Vec<ClusterStates> {
        let (mut live, mut envelope) = (Vec::new(), Vec::new());
        self.plane.for_each_tile(|left, top, now, ever| {
            let points = |rows: &[u32], points: &mut Vec<Point>| {
                for (y, &row) in (top..).zip(rows) {
                    let columns = (0..28).filter(|x| row >> (x + 2) & 1 == 1);
                    points.extend(columns.map(|x| Point::new((left + x).into(), y.into())));
                }
            };
            points(now, &mut live);
            points(ever, &mut envelope);
        });
        live.sort_unstable_by_key(|p| (p.y, p.x));
        let live: Vec<_> = live.into_iter().map(|p| (p, 1)).collect();
        cut_by_definition(&self.zone, &live, envelope.into_iter().collect())
    }
}

impl AshWorld<'_> {
    pub(super) fn generation(&self) -> u64 {
        match self {
            Self::Plane(plane) => plane.plane.generation(),
            Self::Engine(world) => world.generation().to_u64().unwrap_or(u64::MAX),
        }
    }

    /// Advances by up to so many generations, and adds the population after each to a list: one
    /// more than was asked for where the number is odd. False when it cannot go on for want of
    /// memory.
    pub(super) fn advance_with_populations(
        &mut self,
        generations: u64,
        populations: &mut Vec<u64>,
    ) -> bool {
        match self {
            Self::Plane(plane) => {
                let generations = generations.next_multiple_of(2);
                plane
                    .plane
                    .advance_with_populations(generations, populations);
                true
            }
            Self::Engine(world) => (0..generations).all(|_| {
                let is_done = world.advance(&1u8.into(), &mut |_| true).is_ok();
                if is_done {
                    populations.push(world.population().to_u64().unwrap_or(u64::MAX));
                }
                is_done
            }),
        }
    }

    /// Advances, as far as memory lasts.
    pub(super) fn advance(&mut self, generations: u64) {
        match self {
            Self::Plane(plane) => plane.advance(generations),
            Self::Engine(world) => {
                let _ = world.advance(&generations.into(), &mut |_| true);
            }
        }
    }

    pub(super) fn cells(&mut self) -> Cells {
        match self {
            Self::Plane(plane) => {
                let run = |p: Point| Run {
                    y: p.y,
                    x: p.x,
                    length: 1,
                    state: 1,
                };
                Cells::from_runs(plane.points().into_iter().map(run).collect())
            }
            Self::Engine(world) => world.cells(),
        }
    }

    pub(super) fn checkpoint(&mut self) -> AshCheckpoint {
        match self {
            Self::Plane(plane) => {
                let gliders = plane.escaped_now();
                let points = gliders.iter().flat_map(StateBox::points).collect();
                AshCheckpoint::Plane(Box::new(plane.plane.copy()), points)
            }
            Self::Engine(world) => AshCheckpoint::Engine(world.snapshot()),
        }
    }

    /// Goes back, or on, to a checkpoint of this world. Gliders that had been taken out are among
    /// the cells again.
    pub(super) fn restore(&mut self, checkpoint: &AshCheckpoint) {
        match (self, checkpoint) {
            (Self::Plane(plane), AshCheckpoint::Plane(copy, gliders)) => plane.put(copy, gliders),
            (Self::Engine(world), AshCheckpoint::Engine(snapshot)) => {
                let _ = world.restore(snapshot);
            }
            _ => {}
        }
    }

    /// The same; but gliders that had been taken out are so again.
    pub(super) fn resume(&mut self, checkpoint: &AshCheckpoint) {
        match (self, checkpoint) {
            (Self::Plane(plane), AshCheckpoint::Plane(copy, _)) => {
                plane.plane.restore(copy, true);
                plane.escaped.clear();
            }
            (world, checkpoint) => world.restore(checkpoint),
        }
    }

    /// Runs on by `generations`, and gives the clusters of the cells at the end, from the top. One
    /// of a world whose rule depends on the generation is left at one that its cycle begins at.
    ///
    /// `keep_going` is asked now and then; after `false` there are no clusters.
    pub(super) fn clusters(
        &mut self,
        rule: &Rule,
        generations: u64,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Vec<ClusterStates> {
        match self {
            Self::Plane(plane) => match keep_going() {
                true => plane.clusters(generations),
                false => Vec::new(),
            },
            Self::Engine(world) => super::ash::clusters(rule, world, generations, keep_going),
        }
    }
}
