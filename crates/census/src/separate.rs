//! Cuts a periodic cluster into its true objects: a bi-block is two blocks, a table on a table is
//! one thing (Adam P. Goucher's pseudo-object separation in lifelib; LifeWiki, "Pseudo still
//! life").
//!
//! One period is looked at as points in space and time. Live cells that touch there belong to one
//! island, and islands that keep each other from changing belong to one object.

use crate::{BoxStepper, PeriodicOrbit, StateBox};
use grid::{Point, State};
use rule::{Rule, Site, Transition};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

/// More islands than this are not divided into classes.
const MAX_ISLANDS: usize = 16;

/// Nor is a choice of more divisions than this looked through.
const MAX_DIVISIONS: u64 = 1 << 20;

/// Objects of a longer period stay whole.
const MAX_PERIOD: u64 = 30_000;

/// The offsets within which cells belong to one cluster: all with dx² + dy² <= 5, and the whole
/// 5 x 5 square where two cells that touch at the corners of a third can bring it to life, or
/// where the empty plane blinks. For rules that see further, all cells as far as two can see.
///
/// ```
/// assert_eq!(census::cluster_zone(&"B3/S23".parse()?).len(), 21);
/// assert_eq!(census::cluster_zone(&"B2/S".parse()?).len(), 25);
/// # Ok::<(), rule::RuleError>(())
/// ```
#[must_use]
pub fn cluster_zone(rule: &Rule) -> Vec<(i64, i64)> {
    let reach = 2 * i64::from(rule.radius().max(1));
    let square = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)));
    let is_whole = reach > 2 || joins_corners(rule);
    square
        .filter(|&(dx, dy)| is_whole || dx * dx + dy * dy <= 5)
        .collect()
}

/// Takes the cluster of a cell, which was taken itself, out of an envelope: all cells that are
/// reached by steps of the zone.
pub(crate) fn take_cluster<S: BuildHasher>(
    start: Point,
    zone: &[(i64, i64)],
    envelope: &mut HashSet<Point, S>,
) -> Vec<Point> {
    let (mut found, mut next) = (vec![start], 0);
    while let Some(&p) = found.get(next) {
        next += 1;
        let near = zone.iter().map(|&(dx, dy)| p.offset(dx, dy));
        found.extend(near.filter(|q| envelope.remove(q)));
    }
    found
}

/// Whether cells at opposite corners of a dead one bring it to life, or none at all do.
fn joins_corners(rule: &Rule) -> bool {
    (0..rule.time_period() as u64).any(|generation| {
        let site = Site {
            generation,
            ..Site::default()
        };
        let falling = |dx: i32, dy: i32| State::from(dx == dy && dx.abs() == 1);
        let rising = |dx: i32, dy: i32| State::from(dx == -dy && dx.abs() == 1);
        rule.next(site, falling) != 0
            || rule.next(site, rising) != 0
            || rule.background(generation) != 0
    })
}

/// The least number of live neighbours that can bring a cell to life, as far as 3.
fn birth_minimum(rule: &Rule) -> usize {
    let least = |table: &Transition| match table {
        Transition::Configuration(table) if rule.states() == 2 => {
            let births =
                (0..512usize).filter(|index| index & 16 == 0 && table.rows[0].get(*index) != 0);
            births
                .map(|index| index.count_ones() as usize)
                .min()
                .unwrap_or(3)
        }
        _ => 1,
    };
    let sites = (0..rule.time_period() as u64).flat_map(|generation| {
        (0..4).map(move |at| Site {
            generation,
            x: at & 1,
            y: at >> 1,
        })
    });
    let minimum = sites.map(|site| least(rule.transition(site))).min();
    minimum.unwrap_or(3).clamp(1, 3)
}

/// The cells of the first phase, part by part: what remains alone goes on as it does beside the
/// others. One part where the object is a true one.
///
/// ```
/// use census::{BoxStepper, OrbitLimits, PeriodicOrbit, decode, split_object};
///
/// let mut stepper = BoxStepper::new(&"B3/S23".parse()?);
/// let mut parts = |code: &str| {
///     let cells = decode(code)?;
///     let orbit = PeriodicOrbit::find(&mut stepper, &cells, 0, &OrbitLimits::default()).ok()?;
///     Some(split_object(&mut stepper, &orbit).len())
/// };
/// assert_eq!(parts("xs8_rr"), Some(2)); // a bi-block
/// assert_eq!(parts("xs12_raar"), Some(1)); // a table on a table
/// # Ok::<(), rule::RuleError>(())
/// ```
pub fn split_object(stepper: &mut BoxStepper, orbit: &PeriodicOrbit) -> Vec<StateBox> {
    let whole = || vec![orbit.phases[0].clone()];
    if orbit.period() > MAX_PERIOD || orbit.phases[0].population() < 2 {
        return whole();
    }
    let space = SpaceTime::new(orbit, stepper.radius() as i64);
    let mut islands = DisjointSets::new(space.points);
    space.join_touching(&mut islands);
    if islands.count() == 1 {
        return whole();
    }
    let mut loose = islands.clone();
    space.join_around_dead(&mut loose, birth_minimum(stepper.rule()));
    if loose.count() > 1 {
        let classes = space.classes(&mut loose);
        if classes.iter().all(|class| space.is_alone(class, stepper)) {
            return classes
                .iter()
                .map(|class| class.phases[0].clone())
                .collect();
        }
    }
    let islands = loop {
        let classes = space.classes(&mut islands);
        if classes.len() < 2 {
            return whole();
        }
        match space.sole_partner(&classes, stepper) {
            Some((a, b)) => islands.join(a, b),
            None => break classes,
        }
    };
    if islands.iter().all(|island| space.is_alone(island, stepper)) {
        return islands
            .iter()
            .map(|island| island.phases[0].clone())
            .collect();
    }
    let few_suffice = orbit.period() <= 3 && !orbit.is_moving();
    let most_classes = match cluster_zone(stepper.rule()).len() {
        21 if few_suffice => 4, // a plane map takes four colours
        25 if few_suffice => 7,
        _ => islands.len(),
    };
    space
        .divide(&islands, most_classes, stepper)
        .unwrap_or_else(whole)
}

/// Points of space and time that belong together, and a number of one of them.
#[derive(Clone, Debug)]
struct PointClass {
    point: u32,
    /// Its cells in each phase.
    phases: Vec<StateBox>,
}

/// The live cells of one period, numbered.
struct SpaceTime<'a> {
    orbit: &'a PeriodicOrbit,
    radius: i64,
    points: usize,
    /// For each phase the number of each cell of its box; `u32::MAX` for dead ones.
    numbers: Vec<Vec<u32>>,
}

impl<'a> SpaceTime<'a> {
    fn new(orbit: &'a PeriodicOrbit, radius: i64) -> Self {
        let mut points = 0;
        let mut number = |&state: &State| {
            if state == 0 {
                return u32::MAX;
            }
            points += 1;
            points - 1
        };
        let phases = orbit.phases.iter();
        let numbers = phases.map(|phase| phase.states().iter().map(&mut number).collect());
        let numbers = numbers.collect();
        Self {
            orbit,
            radius,
            points: points as usize,
            numbers,
        }
    }

    /// The number of the point at `p` in phase `age`, which may be one past the last.
    fn number(&self, age: usize, p: Point) -> Option<u32> {
        let (age, p) = if age == self.orbit.phases.len() {
            (0, p.offset(-self.orbit.dx, -self.orbit.dy))
        } else {
            (age, p)
        };
        let phase = &self.orbit.phases[age];
        let (column, row) = (p.x - phase.x, p.y - phase.y);
        let inside =
            column >= 0 && row >= 0 && column < phase.width() as i64 && row < phase.height() as i64;
        let at = inside.then(|| row as usize * phase.width() + column as usize)?;
        let number = self.numbers[age][at];
        (number != u32::MAX).then_some(number)
    }

    fn around(&self, p: Point) -> impl Iterator<Item = Point> + use<> {
        let r = self.radius;
        (-r..=r).flat_map(move |dy| (-r..=r).map(move |dx| p.offset(dx, dy)))
    }

    /// Joins cells that touch, in one generation or in two that follow each other.
    fn join_touching(&self, sets: &mut DisjointSets) {
        for (age, phase) in self.orbit.phases.iter().enumerate() {
            for (p, _) in phase.cells() {
                let Some(own) = self.number(age, p) else {
                    continue;
                };
                for q in self.around(p) {
                    let touching = [self.number(age, q), self.number(age + 1, q)];
                    touching
                        .into_iter()
                        .flatten()
                        .for_each(|other| sets.join(own, other));
                }
            }
        }
    }

    /// Joins all live neighbours of each dead cell that has at least `least` of them.
    fn join_around_dead(&self, sets: &mut DisjointSets, least: usize) {
        let r = self.radius;
        for (age, phase) in self.orbit.phases.iter().enumerate() {
            for y in phase.y - r..phase.y + phase.height() as i64 + r {
                for x in phase.x - r..phase.x + phase.width() as i64 + r {
                    let p = Point::new(x, y);
                    if phase.get(p) != 0 {
                        continue;
                    }
                    let live = || self.around(p).filter_map(|q| self.number(age, q));
                    if live().count() >= least {
                        let first = live().next().unwrap_or(0);
                        live().for_each(|other| sets.join(first, other));
                    }
                }
            }
        }
    }

    /// The classes in the order of their first points.
    fn classes(&self, sets: &mut DisjointSets) -> Vec<PointClass> {
        let mut order: HashMap<u32, usize> = HashMap::new();
        let mut cells: Vec<Vec<Vec<(Point, State)>>> = Vec::new();
        let mut points = Vec::new();
        for (age, phase) in self.orbit.phases.iter().enumerate() {
            for (p, state) in phase.cells() {
                let Some(number) = self.number(age, p) else {
                    continue;
                };
                let root = sets.find(number);
                let class = *order.entry(root).or_insert_with(|| {
                    points.push(number);
                    cells.push(vec![Vec::new(); self.orbit.phases.len()]);
                    points.len() - 1
                });
                cells[class][age].push((p, state));
            }
        }
        let classes = points.into_iter().zip(cells).map(|(point, ages)| {
            let phases = ages
                .into_iter()
                .map(|age| StateBox::from_cells(age.into_iter()));
            PointClass {
                point,
                phases: phases.collect(),
            }
        });
        classes.collect()
    }

    /// What a class is after phase `age`.
    fn successor(&self, class: &PointClass, age: usize) -> StateBox {
        match class.phases.get(age + 1) {
            Some(next) => next.clone(),
            None => class.phases[0].translated(self.orbit.dx, self.orbit.dy),
        }
    }

    /// Whether a class goes on by itself as it does among the others.
    fn is_alone(&self, class: &PointClass, stepper: &mut BoxStepper) -> bool {
        (0..class.phases.len()).all(|age| {
            let generation = self.orbit.generation + age as u64;
            stepper.step(&class.phases[age], generation) == self.successor(class, age)
        })
    }

    /// Two points of islands that are to be joined: one that alone gives birth to a cell too
    /// many, and the only other that is near that cell.
    fn sole_partner(&self, islands: &[PointClass], stepper: &mut BoxStepper) -> Option<(u32, u32)> {
        for (at, island) in islands.iter().enumerate() {
            for (age, phase) in island.phases.iter().enumerate() {
                let next = stepper.step(phase, self.orbit.generation + age as u64);
                let expected = self.successor(island, age);
                if next == expected {
                    continue;
                }
                for (p, _) in next.cells().filter(|&(p, _)| expected.get(p) == 0) {
                    let is_near = |&other: &usize| {
                        let phase = &islands[other].phases[age];
                        other != at && self.around(p).any(|q| phase.get(q) != 0)
                    };
                    let mut near = (0..islands.len()).filter(is_near);
                    if let (Some(other), None) = (near.next(), near.next()) {
                        return Some((island.point, islands[other].point));
                    }
                }
            }
        }
        None
    }

    /// The first division of the islands into two classes, then three and so on, of which each
    /// goes on by itself.
    fn divide(
        &self,
        islands: &[PointClass],
        most_classes: usize,
        stepper: &mut BoxStepper,
    ) -> Option<Vec<StateBox>> {
        if islands.len() > MAX_ISLANDS {
            return None;
        }
        let mut known: HashMap<u32, bool> = HashMap::new();
        for count in 2..=most_classes.min(islands.len()) {
            let divisions = (count as u64).checked_pow(islands.len() as u32);
            if divisions.is_none_or(|divisions| divisions > MAX_DIVISIONS) {
                return None;
            }
            // Restricted growth: each island is in a class that has one before it, or in the
            // next new class.
            let mut of = vec![0; islands.len()];
            loop {
                let used = of.iter().max().map_or(0, |most| most + 1);
                if used == count {
                    let mut masks = vec![0u32; count];
                    for (island, &class) in of.iter().enumerate() {
                        masks[class] |= 1 << island;
                    }
                    let is_right = masks.iter().all(|&mask| {
                        *known
                            .entry(mask)
                            .or_insert_with(|| self.is_alone(&union(islands, mask), stepper))
                    });
                    if is_right {
                        let parts = masks
                            .iter()
                            .map(|&mask| union(islands, mask).phases.swap_remove(0));
                        return Some(parts.collect());
                    }
                }
                if !advance(&mut of, count) {
                    break;
                }
            }
        }
        None
    }
}

/// The islands of the mask as one class.
fn union(islands: &[PointClass], mask: u32) -> PointClass {
    let chosen = || {
        (0..islands.len())
            .filter(|at| mask >> at & 1 == 1)
            .map(|at| &islands[at])
    };
    let ages = 0..islands[0].phases.len();
    let phases = ages.map(|age| {
        let cells: Vec<_> = chosen()
            .flat_map(|island| island.phases[age].cells())
            .collect();
        StateBox::from_cells(cells.into_iter())
    });
    PointClass {
        point: 0,
        phases: phases.collect(),
    }
}

/// The next string of restricted growth over `count` classes, in order; false after the last.
fn advance(of: &mut [usize], count: usize) -> bool {
    for at in (1..of.len()).rev() {
        let new_class = of[..at].iter().max().map_or(0, |most| most + 1);
        if of[at] < new_class.min(count - 1) {
            of[at] += 1;
            of[at + 1..].fill(0);
            return true;
        }
    }
    false
}

/// Disjoint sets of numbers (union-find with path halving).
#[derive(Clone, Debug)]
struct DisjointSets {
    parents: Vec<u32>,
    sets: usize,
}

impl DisjointSets {
    fn new(count: usize) -> Self {
        Self {
            parents: (0..count as u32).collect(),
            sets: count,
        }
    }

    fn count(&self) -> usize {
        self.sets
    }

    fn find(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            let above = self.parents[number as usize];
            self.parents[number as usize] = self.parents[above as usize];
            number = above;
        }
        number
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parents[a.max(b) as usize] = a.min(b);
            self.sets -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_come_once_each() {
        let mut of = vec![0; 4];
        let mut seen = vec![of.clone()];
        while advance(&mut of, 4) {
            seen.push(of.clone());
        }
        assert_eq!(seen.len(), 15, "the Bell number of 4");
        assert!(seen.is_sorted());
    }
}
