//! Births and deaths for the plot.
//!
//! Both are counted in the last generation of a step: the step stops one generation early, its
//! live cells are kept as runs, and the runs of the next generation are laid over them. Own
//! method.

use engine::{AdvanceInterruption, World};
use num_bigint::BigUint;
use num_traits::One as _;
use pattern::Run;
use plot::{RunQuantity, RunSeries};

/// Patterns of more runs than this are not counted: it would take longer than the step.
const MAX_RUNS: usize = 1 << 16;

/// Steps of more generations than this are not cut in two, for the sake of hashed quadtrees.
const MAX_STEP: u64 = 1024;

/// Counts births and deaths while a world is advanced.
#[derive(Debug, Default)]
pub struct ChangeCounter {
    /// Births and deaths in the last generation, where they were counted.
    last: Option<(u64, u64)>,
}

impl ChangeCounter {
    /// Advances a world by a number of generations, and counts what changes in the last one. Long
    /// steps, and those of very many cells, are not counted.
    ///
    /// # Errors
    /// When `advance` is interrupted.
    ///
    /// ```
    /// use engine::World;
    /// use plot::{RunQuantity, RunSeries};
    /// use session::ChangeCounter;
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// world.set(grid::Point::new(0, 0), 1)?;
    /// let (mut counter, mut series) = (ChangeCounter::default(), RunSeries::default());
    /// let mut advance = |world: &mut dyn World, n: &_| world.advance(n, &mut |_| true);
    /// counter.advance(&mut world, &1_u8.into(), &mut advance).map_err(|_| "stopped")?;
    /// counter.record(&world, &mut series);
    /// assert_eq!(series.of(RunQuantity::Deaths).points(), [(1.into(), 1_u8.into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance(
        &mut self,
        world: &mut dyn World,
        n: &BigUint,
        advance: &mut dyn FnMut(&mut dyn World, &BigUint) -> Result<(), AdvanceInterruption>,
    ) -> Result<(), AdvanceInterruption> {
        self.last = None;
        let one = BigUint::one();
        if *n < one || *n > MAX_STEP.into() {
            return advance(world, n);
        }
        if *n > one {
            advance(world, &(n - &one))?;
        }
        let before = live_runs(world);
        advance(world, &one)?;
        self.last = before.and_then(|before| Some(changes(&before, &live_runs(world)?)));
        Ok(())
    }

    /// Adds what was counted to the plot, and the size of the box around the live cells.
    ///
    /// ```
    /// use engine::World;
    /// use plot::{RunQuantity, RunSeries};
    /// use session::ChangeCounter;
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// world.set(grid::Point::new(0, 0), 1)?;
    /// let (mut counter, mut series) = (ChangeCounter::default(), RunSeries::default());
    /// let mut advance = |world: &mut dyn World, n: &_| world.advance(n, &mut |_| true);
    /// counter.advance(&mut world, &1_u8.into(), &mut advance).map_err(|_| "stopped")?;
    /// counter.record(&world, &mut series);
    /// assert_eq!(series.of(RunQuantity::Births).points(), [(1.into(), 0_u8.into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(&mut self, world: &dyn World, series: &mut RunSeries) {
        let generation = world.generation();
        if let Some((births, deaths)) = self.last.take() {
            series.push(RunQuantity::Births, generation.clone(), births.into());
            series.push(RunQuantity::Deaths, generation.clone(), deaths.into());
        }
        let (width, height) = world
            .bounds()
            .map_or_else(Default::default, |bounds| (bounds.width, bounds.height));
        series.push(RunQuantity::Width, generation.clone(), width);
        series.push(RunQuantity::Height, generation.clone(), height);
    }
}

/// The live cells, row by row; nothing where they are too many.
fn live_runs(world: &dyn World) -> Option<Vec<Run>> {
    let mut runs = Vec::new();
    let Some(bounds) = world.bounds() else {
        return Some(runs);
    };
    let rect = bounds.to_rect()?;
    world.runs_in(rect, &mut |run| {
        if runs.len() <= MAX_RUNS {
            runs.push(run);
        }
    });
    (runs.len() <= MAX_RUNS).then_some(runs)
}

/// How many cells of `after` were dead in `before`, and the other way round. Both are ordered
/// by rows and columns.
fn changes(before: &[Run], after: &[Run]) -> (u64, u64) {
    let length = |runs: &[Run]| runs.iter().map(|run| run.length).sum::<u64>();
    let end = |run: &Run| (run.y, run.x.saturating_add_unsigned(run.length));
    let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
    let mut common = 0;
    while let (Some(a), Some(b)) = (old.peek(), new.peek()) {
        if a.y == b.y {
            let stop = end(a).1.min(end(b).1);
            common += stop.saturating_sub(a.x.max(b.x)).max(0) as u64;
        }
        // The run that ends first has no further cells in common.
        if end(a) <= end(b) {
            old.next();
        } else {
            new.next();
        }
    }
    (length(after) - common, length(before) - common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::Point;
    use std::collections::HashSet;

    fn cells(runs: &[Run]) -> HashSet<(i64, i64)> {
        let cells = runs.iter();
        cells
            .flat_map(|run| (0..run.length).map(|i| (run.x + i as i64, run.y)))
            .collect()
    }

    /// What is counted by runs is what is counted cell by cell.
    #[test]
    fn changes_are_those_of_the_cells() {
        for rule in ["B3/S23", "/2/3", "B2/S34H"] {
            let mut world = engine::NaiveWorld::new(rule.parse().unwrap());
            for i in 0..400_i64 {
                let (x, y) = (i * 7919 % 31, i * 104_729 % 23);
                world.set(Point::new(x - 15, y - 11), 1).unwrap();
            }
            for _ in 0..12 {
                let before = live_runs(&world).unwrap();
                world.advance(&BigUint::one(), &mut |_| true).unwrap();
                let after = live_runs(&world).unwrap();
                let (old, new) = (cells(&before), cells(&after));
                let (births, deaths) = (new.difference(&old).count(), old.difference(&new).count());
                assert_eq!(
                    changes(&before, &after),
                    (births as u64, deaths as u64),
                    "{rule}"
                );
            }
        }
    }
}
