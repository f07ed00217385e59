//! A plain world, which the quick ones are held against: an array of cells, of which those near
//! live ones are asked for their next state, one at a time, by the rule itself. Under a rule of
//! weighted sums each live cell is added to the sums of the cells that see it, and under one that
//! the 3 x 3 block decides to the blocks that it is in. Own method.
//!
//! The array has room for soups that settle, and for those that grow until that is known; what
//! comes near its edge goes on in the engine's oracle. Memory is taken where cells are looked at.

use engine::{NaiveWorld, World};
use grid::State;
use num_traits::ToPrimitive;
use pattern::{Cells, Run};
use rule::{CountTable, Rule, Site, Transition};

/// Columns and rows; no power of two, so that rows do not share lines of the processor's cache.
const SIDE: usize = 12_096;

/// Cells on a large square.
#[derive(Debug)]
pub(crate) struct PlainGrid {
    rule: Rule,
    /// Of rules with two states that look one cell far, by phase: the next state by the nine cells
    /// from the top left, the first the lowest bit.
    tables: Vec<Vec<State>>,
    /// Of rules of weighted sums.
    count: Option<CountTable>,
    generation: u64,
    cells: Vec<State>,
    /// Where live cells are.
    live: Vec<usize>,
    /// What is looked at in this step, and in each of its places whether it is, and the sum there, or
    /// the block as nine bits.
    looks: Vec<usize>,
    is_looked_at: Vec<bool>,
    sums: Vec<i32>,
    /// No live cell is nearer to an edge.
    room: usize,
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
        let count = count_table(&rule);
        let summed = if count.is_some() || phases > 0 {
            SIDE * SIDE
        } else {
            0
        };
        let tables = (0..phases).map(|phase| (0..512).map(|nine| next(phase, nine)).collect());
        Self {
            tables: tables.collect(),
            count,
            rule,
            generation: 0,
            cells: vec![0; SIDE * SIDE],
            live: Vec::new(),
            looks: Vec::new(),
            is_looked_at: vec![false; SIDE * SIDE],
            sums: vec![0; summed],
            room: 0,
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
        self.room = 0;
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
            if self.beyond.is_none() && self.room <= reach {
                let to_edge = |at: usize| at.min(SIDE - 1 - at);
                let rooms = self.live.iter();
                let rooms = rooms.map(|&at| to_edge(at % SIDE).min(to_edge(at / SIDE)));
                self.room = rooms.min().unwrap_or(SIDE);
                if self.room <= reach && !self.leave(&self.cells()) {
                    return false;
                }
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
        self.room -= reach;
        let mut looks = std::mem::take(&mut self.looks);
        let mut next = Vec::with_capacity(self.live.len());
        let is_looked_at = &mut self.is_looked_at;
        let mut look = |at: usize| {
            if !is_looked_at[at] {
                is_looked_at[at] = true;
                looks.push(at);
            }
        };
        if let Some(table) = &self.count {
            for &live in &self.live {
                look(live);
                let value = table.values[usize::from(self.cells[live])];
                for cell in table.neighbourhood.cells() {
                    let ahead = cell.dy as isize * SIDE as isize + cell.dx as isize;
                    let at = live.wrapping_add_signed(-ahead);
                    look(at);
                    self.sums[at] += value * cell.weight;
                }
            }
        } else if !self.tables.is_empty() {
            for &live in &self.live {
                for k in 0..9 {
                    // the cell that sees it there in its block
                    let at = live + SIDE + 1 - (k / 3 * SIDE + k % 3);
                    look(at);
                    self.sums[at] |= 1 << k;
                }
            }
        } else {
            for &live in &self.live {
                for row in 0..=2 * reach {
                    let first = live + row * SIDE - reach * (SIDE + 1);
                    (first..=first + 2 * reach).for_each(&mut look);
                }
            }
        }
        for at in looks.drain(..) {
            self.is_looked_at[at] = false;
            let state = self.next_state(at);
            if let Some(sum) = self.sums.get_mut(at) {
                *sum = 0;
            }
            if state != 0 {
                next.push((at, state));
            }
        }
        self.looks = looks;
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
        if let Some(table) = &self.count {
            let sum = i64::from(self.sums[at]) - table.least;
            return table.rows[usize::from(self.cells[at])].get(sum as usize);
        }
        let phases = self.tables.len() as u64;
        if phases > 0 {
            return self.tables[(self.generation % phases) as usize][self.sums[at] as usize];
        }
        let look = |dx: i32, dy: i32| {
            let at = at as i64 + i64::from(dy) * SIDE as i64 + i64::from(dx);
            // rows beside the array are empty, as cells near its edge are not looked at here
            self.cells.get(at as usize).copied().unwrap_or(0)
        };
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

    /// The live cells with their states, in any order, to be compared with later ones; none once
    /// it goes on in the oracle.
    pub(crate) fn copy_live(&self) -> Option<Vec<(usize, State)>> {
        let copy = || self.live.iter().map(|&at| (at, self.cells[at]));
        self.beyond.is_none().then(|| copy().collect())
    }

    /// Whether the cells are those of a copy.
    pub(crate) fn is_copied(&self, copy: &[(usize, State)]) -> bool {
        let is_same = |&(at, state): &(usize, State)| self.cells[at] == state;
        self.beyond.is_none() && copy.len() == self.live.len() && copy.iter().all(is_same)
    }

    pub(crate) fn population(&self) -> u64 {
        match &self.beyond {
            Some(world) => world.population().to_u64().unwrap_or(u64::MAX),
            None => self.live.len() as u64,
        }
    }
}

/// The table of a rule that is one of weighted sums, in which empty cells count nothing.
fn count_table(rule: &Rule) -> Option<CountTable> {
    match rule.transition(Site::default()) {
        Transition::Count(table) if rule.time_period() == 1 && table.values[0] == 0 => {
            Some(table.clone())
        }
        _ => None,
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
