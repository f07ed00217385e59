//! The oracle: every cell that could change asks [`Rule::next`], one at a time.
//!
//! Slow and obvious on purpose. It takes every rule and every topology, and all other
//! engines are held against it.

use crate::{Control, Interrupted, Unsupported, World, phase};
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::{Bounds, Cells, Run};
use rule::{Rule, Site, Topology};
use std::collections::{BTreeMap, BTreeSet};

/// The oracle's world: a sorted map of the live cells.
#[derive(Clone, Debug)]
pub struct Naive {
    rule: Rule,
    generation: BigInt,
    live: BTreeMap<Point, State>,
}

/// Cells further out than this are refused, so that no coordinate can overflow.
const REACH: i64 = 1 << 60;

impl Naive {
    /// An empty world of any rule and topology, at generation 0.
    #[must_use]
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            generation: BigInt::ZERO,
            live: BTreeMap::new(),
        }
    }

    fn step(&mut self) {
        let generation = phase(&self.generation, self.rule.time_period() as u32);
        let topology = self.rule.topology();
        let mut next = BTreeMap::new();
        for p in self.candidates() {
            let site = Site {
                generation,
                x: p.x,
                y: p.y,
            };
            let look = |dx: i32, dy: i32| {
                let seen = topology.resolve(p.offset(dx.into(), dy.into()));
                seen.and_then(|q| self.live.get(&q)).copied().unwrap_or(0)
            };
            let state = self.rule.next(site, look);
            if state != 0 {
                next.insert(p, state);
            }
        }
        self.live = next;
        self.generation += 1;
    }

    /// All cells of the grid that could be live in the next generation.
    fn candidates(&self) -> BTreeSet<Point> {
        let reach = i64::from(self.rule.radius());
        let topology = self.rule.topology();
        if let Some(grid) = topology.rect() {
            return points(grid).collect();
        }
        if *topology == Topology::Unbounded {
            let around = |p: &Point| {
                points(Rect::from_corners(
                    p.offset(-reach, -reach),
                    p.offset(reach, reach),
                ))
            };
            return self.live.keys().flat_map(around).collect();
        }
        // One side is infinite: the whole width of the strip, as far as the light reaches.
        let Some(mut strip) = self.live_rect() else {
            return BTreeSet::new();
        };
        let (width, height) = topology.size();
        strip.x -= reach;
        strip.y -= reach;
        strip.width += 2 * reach as u64;
        strip.height += 2 * reach as u64;
        if width > 0 {
            (strip.x, strip.width) = (-((width / 2) as i64), width);
        }
        if height > 0 {
            (strip.y, strip.height) = (-((height / 2) as i64), height);
        }
        points(strip).collect()
    }

    fn live_rect(&self) -> Option<Rect> {
        let mut points = self.live.keys();
        let first = *points.next()?;
        let mut rect = Rect::from_corners(first, first);
        for p in points {
            rect = rect.union(&Rect::from_corners(*p, *p));
        }
        Some(rect)
    }

    fn check(&self, p: Point, state: State) -> Result<(), Unsupported> {
        Unsupported::unless_state("naive", &self.rule, state)?;
        if p.x.abs() > REACH || p.y.abs() > REACH {
            return Err(Unsupported {
                engine: "naive",
                what: format!("a cell as far out as {}, {}", p.x, p.y),
            });
        }
        Ok(())
    }
}

fn points(rect: Rect) -> impl Iterator<Item = Point> {
    let columns = rect.x..rect.right();
    (rect.y..rect.bottom()).flat_map(move |y| columns.clone().map(move |x| Point::new(x, y)))
}

impl World for Naive {
    fn engine(&self) -> &'static str {
        "naive"
    }

    fn kernel(&self) -> String {
        "the rule's tables, cell by cell".into()
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
        self.live.get(&p).copied().unwrap_or(0)
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), Unsupported> {
        self.check(p, state)?;
        if !self.rule.topology().contains(p) {
            return Err(Unsupported {
                engine: "naive",
                what: format!("the cell {}, {}: it lies outside the grid", p.x, p.y),
            });
        }
        if state == 0 {
            self.live.remove(&p);
        } else {
            self.live.insert(p, state);
        }
        Ok(())
    }

    fn load(&mut self, cells: &Cells) -> Result<(), Unsupported> {
        let mut refused = None;
        cells.for_each_run(&mut |run| {
            for i in 0..run.length {
                let p = Point::new(run.x + i as i64, run.y);
                if refused.is_none() && self.rule.topology().contains(p) {
                    match self.check(p, run.state) {
                        Ok(()) => _ = self.live.insert(p, run.state),
                        Err(why) => refused = Some(why),
                    }
                }
            }
        });
        refused.map_or(Ok(()), Err)
    }

    fn cells(&self) -> Cells {
        let run = |(p, state): (&Point, &State)| Run {
            y: p.y,
            x: p.x,
            length: 1,
            state: *state,
        };
        Cells::from_runs(self.live.iter().map(run).collect())
    }

    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run)) {
        let mut current: Option<Run> = None;
        for (p, &state) in &self.live {
            if !rect.contains(*p) {
                continue;
            }
            if let Some(run) = &mut current {
                if run.y == p.y && run.state == state && run.x + run.length as i64 == p.x {
                    run.length += 1;
                    continue;
                }
                f(*run);
            }
            current = Some(Run {
                y: p.y,
                x: p.x,
                length: 1,
                state,
            });
        }
        if let Some(run) = current {
            f(run);
        }
    }

    fn advance(&mut self, n: &BigUint, control: &mut Control<'_>) -> Result<(), Interrupted> {
        let mut done = BigUint::ZERO;
        while done < *n {
            self.step();
            done += 1u32;
            if !control(&done) {
                return Err(Interrupted);
            }
        }
        Ok(())
    }

    fn population(&self) -> BigUint {
        self.live.len().into()
    }

    fn bounds(&self) -> Option<Bounds> {
        self.live_rect().map(Bounds::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glider_moves_one_cell_in_four_generations() {
        let mut world = Naive::new("B3/S23".parse().unwrap());
        for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
            world.set(Point::new(x, y), 1).unwrap();
        }
        let before = world.hash();
        world.advance(&4u32.into(), &mut |_| true).unwrap();
        assert_eq!(world.bounds(), Some(Rect::new(1, 1, 3, 3).into()));
        assert_eq!(world.hash(), before);
        assert_eq!(world.generation(), &BigInt::from(4));
    }

    #[test]
    fn a_stopped_world_stands_at_a_whole_generation() {
        let mut world = Naive::new("B3/S23".parse().unwrap());
        world.set(Point::new(0, 0), 1).unwrap();
        let stop = world.advance(&10u32.into(), &mut |done| *done < 3u32.into());
        assert_eq!(stop, Err(Interrupted));
        assert_eq!(world.generation(), &BigInt::from(3));
    }

    #[test]
    fn a_state_that_the_rule_lacks_is_refused() {
        let mut world = Naive::new("B3/S23".parse().unwrap());
        let refusal = world.set(Point::new(0, 0), 2).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "naive does not take state 2: the rule B3/S23 has 2 states"
        );
    }
}
