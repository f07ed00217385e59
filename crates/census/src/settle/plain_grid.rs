//! A plain world, which the quick ones are held against: an array of cells, of which those near
//! live ones are asked for their next state, one at a time, by the rule itself. Own method.
//!
//! The array has room for soups that settle; what comes near its edge goes on in the engine's oracle.

use engine::{NaiveWorld, World};
use grid::State;
use num_traits::ToPrimitive;
use pattern::{Cells, Run};
use rule::{Rule, Site};

/// Columns and rows.
const SIDE: usize = 1 << 11;

/// Cells on a large square.
#[derive(Debug)]
pub(crate) struct PlainGrid {
    rule: Rule,
    /// Of rules with two states that look one cell far, by phase: the next state by the nine cells
    /// from the top left, the first the lowest bit.
    tables: Vec<Vec<State>>,
    generation: u64,
    cells: Vec<State>,
    /// Where live cells are.
    live: Vec<usize>,
    /// The step in which each cell was looked at last.
    looks: Vec<u64>,
    step: u64,
    /// The world, once it is too large for the array.
    beyond: Option<NaiveWorld>,
}

impl PlainGrid {
    pub(crate) fn new(rule: Rule) -> Self {
        let phases = match rule.states() == 2 && rule.radius() == 1 {
            true => rule.time_period() as u64,
            false => 0,
        };
        let next = |generation: u64, nine: u32| {
            let site = Site {
                generation,
                ..Site::default()
            };
            rule.next(site, |dx, dy| {
                (nine >> (3 * (dy + 1) + dx + 1) & 1) as State
            })
        };
        let tables = (0..phases).map(|phase| (0..512).map(|nine| next(phase, nine)).collect());
        Self {
            tables: tables.collect(),
            rule,
            generation: 0,
            cells: vec![0; SIDE * SIDE],
            live: Vec::new(),
            looks: vec![0; SIDE * SIDE],
            step: 0,
            beyond: None,
        }
    }

    /// Puts the cells in place of all, at generation 0. False where they cannot be held.
    pub(crate) fn replace(&mut self, cells: &Cells) -> bool {
        for &at in &self.live {
            self.cells[at] = 0;
        }
        self.live.clear();
        self.beyond = None;
        self.generation = 0;
        let mut fits = true;
        cells.for_each_run(&mut |run| {
            for x in run.x..run.x + run.length as i64 {
                match place(x, run.y) {
                    Some(at) => {
                        self.cells[at] = run.state;
                        self.live.push(at);
                    }
                    None => fits = false,
                }
            }
        });
        fits || self.leave(cells)
    }

    /// Goes on in the oracle.
    fn leave(&mut self, cells: &Cells) -> bool {
        let mut world = NaiveWorld::new(self.rule.clone());
        let is_held = world.replace_cells(cells, &self.generation.into()).is_ok();
        self.beyond = Some(world);
        is_held
    }

    /// Advances; false where that cannot be done.
    pub(crate) fn advance(&mut self, generations: u64) -> bool {
        for _ in 0..generations {
            let reach = self.rule.radius() as usize;
            let is_near = |at: usize| {
                let inside = reach..SIDE - reach;
                !inside.contains(&(at % SIDE)) || !inside.contains(&(at / SIDE))
            };
            if self.beyond.is_none()
                && self.live.iter().any(|&at| is_near(at))
                && !self.leave(&self.cells())
            {
                return false;
            }
            if let Some(world) = &mut self.beyond {
                let advanced = world.advance(&1_u8.into(), &mut |_| true);
                if advanced.is_err() || world.memory_limit_error().is_some() {
                    return false;
                }
            } else {
                self.advance_once(reach);
            }
            self.generation += 1;
        }
        true
    }

    fn advance_once(&mut self, reach: usize) {
        self.step += 1;
        let mut next = Vec::with_capacity(self.live.len());
        for &live in &self.live {
            for row in 0..=2 * reach {
                let first = live + row * SIDE - reach * (SIDE + 1);
                for at in first..=first + 2 * reach {
                    if self.looks[at] != self.step {
                        self.looks[at] = self.step;
                        let state = self.next_state(at);
                        if state != 0 {
                            next.push((at, state));
                        }
                    }
                }
            }
        }
        for &at in &self.live {
            self.cells[at] = 0;
        }
        self.live.clear();
        for (at, state) in next {
            self.cells[at] = state;
            self.live.push(at);
        }
    }

    fn next_state(&self, at: usize) -> State {
        let look = |dx: i32, dy: i32| {
            let at = at as i64 + i64::from(dy) * SIDE as i64 + i64::from(dx);
            // rows beside the array are empty, as cells near its edge are not looked at here
            self.cells.get(at as usize).copied().unwrap_or(0)
        };
        let phases = self.tables.len() as u64;
        if phases > 0 {
            let table = &self.tables[(self.generation % phases) as usize];
            let nine = (0..9).map(|k| usize::from(look(k % 3 - 1, k / 3 - 1)) << k);
            return table[nine.sum::<usize>()];
        }
        let site = Site {
            generation: self.generation,
            ..Site::default()
        };
        self.rule.next(site, look)
    }

    pub(crate) fn cells(&self) -> Cells {
        if let Some(world) = &self.beyond {
            return world.cells();
        }
        let half = (SIDE / 2) as i64;
        let run = |&at: &usize| Run {
            y: (at / SIDE) as i64 - half,
            x: (at % SIDE) as i64 - half,
            length: 1,
            state: self.cells[at],
        };
        Cells::from_runs(self.live.iter().map(run).collect())
    }

    pub(crate) fn population(&self) -> u64 {
        match &self.beyond {
            Some(world) => world.population().to_u64().unwrap_or(u64::MAX),
            None => self.live.len() as u64,
        }
    }
}

/// Where a cell lies in the array.
fn place(x: i64, y: i64) -> Option<usize> {
    let side = |at: i64| {
        let at = usize::try_from(at.checked_add((SIDE / 2) as i64)?).ok()?;
        (at < SIDE).then_some(at)
    };
    Some(side(y)? * SIDE + side(x)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soup::hash_soup;

    /// Under a rule of each kind, at a place where the edge is reached soon too.
    #[test]
    fn it_steps_as_the_oracle_does() {
        for rule in [
            "B3/S23",
            "B2n3/S23-q",
            "B2/S34H",
            "23/3/6",
            "R3,C2,M1,S14..23,B14..18,NM",
            "B3/S23|B36/S23",
        ] {
            let rule: Rule = rule.parse().unwrap();
            for away in [0, (SIDE / 2) as i64 - 24] {
                let soup = hash_soup(&"C1".parse().unwrap(), "edge").translated(away, -away);
                let mut grid = PlainGrid::new(rule.clone());
                let mut oracle = NaiveWorld::new(rule.clone());
                assert!(grid.replace(&soup));
                oracle.replace_cells(&soup, &0.into()).unwrap();
                for _ in 0..15 {
                    assert!(grid.advance(2));
                    oracle.advance(&2_u8.into(), &mut |_| true).unwrap();
                    assert_eq!(grid.cells(), oracle.cells(), "{rule} {away}");
                    assert_eq!(Some(grid.population()), oracle.population().to_u64());
                }
            }
        }
    }
}
