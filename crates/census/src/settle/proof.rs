//! The proof that it is over: what is left are periodic parts that never touch, and ships on
//! free lanes. Own method.
//!
//! A ship's lane is its cells of one period, moved again and again by what it moves in one: it
//! leaves the ash behind after finitely many. Two ships of different velocities meet only where
//! their boxes meet, which two inequalities a side decide; with the same velocity they keep
//! their distance. Boxes are wider than ships, so the answer may be a doubt where there is
//! no danger: then time passes, the boxes part, and the question is asked again.

use crate::PeriodicOrbit;
use crate::point_set::PointSet;
use grid::Point;

/// Whether it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettlingProof {
    /// Nothing will ever touch anything.
    Over,
    /// An oscillator was not watched for a whole period: watch for this long.
    Watch(u64),
    /// A ship may hit something.
    Doubtful,
}

/// A ship: where its cells are in one period, and how it moves.
struct LaneShip {
    cells: Vec<Point>,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    dx: i64,
    dy: i64,
    /// Columns and rows in one generation.
    velocity: (f64, f64),
}

impl LaneShip {
    /// `reach` is how far apart two cells touch.
    fn new(orbit: &PeriodicOrbit, reach: i64) -> Self {
        let cells = cells_of(orbit);
        // the place at any time is within one more step of the line
        let slack = (orbit.dx.abs().max(orbit.dy.abs()) + reach + 1) as f64;
        let fold = |value: fn(&Point) -> i64, pick: fn(f64, f64) -> f64, start: f64| {
            cells.iter().map(|p| value(p) as f64).fold(start, pick)
        };
        let period = orbit.period() as f64;
        Self {
            left: fold(|p| p.x, f64::min, f64::INFINITY) - slack,
            top: fold(|p| p.y, f64::min, f64::INFINITY) - slack,
            right: fold(|p| p.x, f64::max, f64::NEG_INFINITY) + slack,
            bottom: fold(|p| p.y, f64::max, f64::NEG_INFINITY) + slack,
            dx: orbit.dx,
            dy: orbit.dy,
            velocity: (orbit.dx as f64 / period, orbit.dy as f64 / period),
            cells,
        }
    }

    /// Whether the lane touches one of the cells.
    fn may_hit_ash(&self, ash: &AshCells, zone: &[(i64, i64)]) -> bool {
        if ash.cells.is_empty() {
            return false;
        }
        let ends = &ash.ends;
        for step in 0.. {
            let (dx, dy) = (step * self.dx, step * self.dy);
            let has_passed = |d: i64, first: f64, last: f64, low: i64, high: i64, by: i64| {
                d > 0 && first as i64 + by > high || d < 0 && (last as i64 + by) < low
            };
            if has_passed(self.dx, self.left, self.right, ends[0].x, ends[1].x, dx)
                || has_passed(self.dy, self.top, self.bottom, ends[0].y, ends[1].y, dy)
            {
                return false;
            }
            let mut moved = self.cells.iter().map(|p| p.offset(dx, dy));
            if moved.any(|p| ash.is_touched(p, zone)) {
                return true;
            }
        }
        false
    }

    fn may_hit_ship(&self, other: &Self) -> bool {
        let (vx, vy) = (
            other.velocity.0 - self.velocity.0,
            other.velocity.1 - self.velocity.1,
        );
        if vx == 0.0 && vy == 0.0 {
            return false;
        }
        let x = meeting_times(other.left - self.right, other.right - self.left, vx);
        let y = meeting_times(other.top - self.bottom, other.bottom - self.top, vy);
        x.0.max(y.0).max(0.0) <= x.1.min(y.1)
    }
}

/// The times between which `low + v * t <= 0 <= high + v * t`.
fn meeting_times(low: f64, high: f64, v: f64) -> (f64, f64) {
    if v == 0.0 {
        return if low <= 0.0 && high >= 0.0 {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            (f64::INFINITY, f64::NEG_INFINITY)
        };
    }
    let (a, b) = (-low / v, -high / v);
    (a.min(b), a.max(b))
}

fn cells_of(orbit: &PeriodicOrbit) -> Vec<Point> {
    let phases = orbit.phases.iter().flat_map(|phase| phase.points());
    let mut cells: Vec<Point> = phases.collect();
    cells.sort_unstable_by_key(|p| (p.y, p.x));
    cells.dedup();
    cells
}

/// The cells in which something that stays is live at any time.
struct AshCells {
    cells: PointSet,
    /// Squares of 8 x 8 cells that something may touch ash from: most of the plane is in none.
    squares: PointSet,
    /// The corners of the box around them.
    ends: [Point; 2],
}

impl AshCells {
    /// `reach` is how far apart two cells touch.
    fn new(fixed: &[&PeriodicOrbit], reach: i64) -> Self {
        let cells: PointSet = fixed.iter().flat_map(|orbit| cells_of(orbit)).collect();
        let mut squares = PointSet::default();
        let mut ends = [
            Point::new(i64::MAX, i64::MAX),
            Point::new(i64::MIN, i64::MIN),
        ];
        for p in &cells {
            ends[0] = Point::new(ends[0].x.min(p.x), ends[0].y.min(p.y));
            ends[1] = Point::new(ends[1].x.max(p.x), ends[1].y.max(p.y));
            for y in (p.y - reach) >> 3..=(p.y + reach) >> 3 {
                for x in (p.x - reach) >> 3..=(p.x + reach) >> 3 {
                    squares.insert(Point::new(x, y));
                }
            }
        }
        Self {
            cells,
            squares,
            ends,
        }
    }

    fn is_touched(&self, p: Point, zone: &[(i64, i64)]) -> bool {
        self.squares.contains(&Point::new(p.x >> 3, p.y >> 3))
            && zone
                .iter()
                .any(|&(x, y)| self.cells.contains(&p.offset(x, y)))
    }
}

/// Whether the objects, watched for so many generations without touching, never touch.
pub(crate) fn prove(objects: &[PeriodicOrbit], watched: u64, zone: &[(i64, i64)]) -> SettlingProof {
    let (ships, fixed): (Vec<_>, Vec<_>) = objects.iter().partition(|orbit| orbit.is_moving());
    let longest = fixed.iter().map(|orbit| orbit.period()).max().unwrap_or(1);
    if longest > watched {
        return SettlingProof::Watch(longest.next_multiple_of(2));
    }
    let reach = zone.iter().map(|(x, _)| *x).max().unwrap_or(2);
    let ash = AshCells::new(&fixed, reach);
    let ships: Vec<_> = ships
        .into_iter()
        .map(|orbit| LaneShip::new(orbit, reach))
        .collect();
    let is_doubtful = |(i, ship): (usize, &LaneShip)| {
        ships[i + 1..].iter().any(|other| ship.may_hit_ship(other)) || ship.may_hit_ash(&ash, zone)
    };
    match ships.iter().enumerate().any(is_doubtful) {
        true => SettlingProof::Doubtful,
        false => SettlingProof::Over,
    }
}
