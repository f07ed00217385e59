//! How many arrangements of a box repeat after so many generations, without listing any: as still
//! lifes are counted (`still_life_count`), but a cell is placed with all its states of a period at
//! once. One dead cell stands between two rows, and what is born on either side of the box is asked
//! where it is placed. Own method.

use crate::still_life_count::{RowControl, transpose};
use crate::{BlockRule, SearchFlow};
use thiserror::Error;

/// Why arrangements that repeat cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CycleCountError {
    /// Only rules of two states have counts, and of one table.
    #[error(
        "oscillators are counted row by row for rules of two states in which dead cells stay dead without neighbours"
    )]
    Rule,
    /// A state does not fit.
    #[error(
        "a box of {width} x {height} is too large to count period {period} row by row: its shorter side may have at most {most} cells"
    )]
    TooLarge {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Generations.
        period: u32,
        /// The longest shorter side.
        most: u32,
    },
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

/// How many oscillators of a period lie in a box as they are, in every phase, each image and each
/// phase counted: those that repeat sooner are left out. With period 1 the empty box counts too.
///
/// ```
/// use search::{BlockRule, SearchFlow, count_cycles};
///
/// let life = BlockRule::new(&"B3/S23".parse()?)?;
/// let count = count_cycles(&life, 2, 3, 4, &mut |_, _| SearchFlow::Continue)?;
/// assert_eq!(count, 4, "the two phases of a blinker, in two places");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A rule of more states, a box too large, or that it was stopped.
pub fn count_cycles(
    rule: &BlockRule,
    period: u32,
    width: u32,
    height: u32,
    control: &mut RowControl<'_>,
) -> Result<u128, CycleCountError> {
    let whole = CycleSweep::new(rule, period, width, height)?.run(control)?;
    let mut sum = whole as i128;
    // those of a period that divides this one, by inclusion and exclusion (Moebius)
    for divisor in (1..period).filter(|divisor| period.is_multiple_of(*divisor)) {
        let sign = moebius(period / divisor);
        if sign != 0 {
            let sweep = CycleSweep::new(rule, divisor, width, height)?;
            sum += sign * sweep.run(control)? as i128;
        }
    }
    Ok(sum as u128)
}

fn moebius(mut number: u32) -> i128 {
    let mut sign = 1;
    for prime in 2.. {
        if number == 1 {
            break;
        }
        if number.is_multiple_of(prime) {
            number /= prime;
            if number.is_multiple_of(prime) {
                return 0;
            }
            sign = -sign;
        }
    }
    sign
}

/// A state is the last two rows and two cells, the newest lowest, each cell with a bit a generation.
struct CycleSweep {
    period: u32,
    width: u32,
    height: u32,
    /// By arrangement of a block, whether its middle is live next.
    next: Vec<bool>,
    /// By three cells and generation, which are live.
    triples: Vec<[u16; MAX_CYCLE]>,
}

/// The longest period that fits for boxes of one column.
const MAX_CYCLE: usize = 9;

impl CycleSweep {
    fn new(
        rule: &BlockRule,
        period: u32,
        width: u32,
        height: u32,
    ) -> Result<Self, CycleCountError> {
        if rule.states() != 2 || rule.time_period() != 1 || rule.next(0, 0, 0) != 0 {
            return Err(CycleCountError::Rule);
        }
        // (2 (side + 1) + 3) cells of a bit a generation
        let most = (64 / period.max(1)).saturating_sub(5) / 2;
        if width.min(height) > most || period as usize > MAX_CYCLE || period == 0 {
            return Err(CycleCountError::TooLarge {
                width,
                height,
                period,
                most,
            });
        }
        let turned = width > height;
        let next = (0..512_usize).map(|arrangement| {
            let block = if turned {
                transpose(arrangement)
            } else {
                arrangement
            };
            rule.next(0, (block >> 4 & 1) as u8, block) == 1
        });
        let triple = |cells: usize| {
            std::array::from_fn(|generation| {
                let bit = |cell: u32| cells >> (cell * period + generation as u32) & 1;
                if generation < period as usize {
                    (bit(2) << 2 | bit(1) << 1 | bit(0)) as u16
                } else {
                    0
                }
            })
        };
        Ok(Self {
            period,
            width: width.min(height),
            height: width.max(height),
            next: next.collect(),
            triples: (0..1_usize << (3 * period)).map(triple).collect(),
        })
    }

    fn run(&self, control: &mut RowControl<'_>) -> Result<u128, CycleCountError> {
        let row = self.width + 1;
        let kept = (1_u64 << ((2 * row + 2) * self.period)) - 1;
        let mut states = vec![(0_u64, 1_u128)];
        for y in 0..self.height + 3 {
            if control(y.min(self.height), self.height) == SearchFlow::Stop {
                return Err(CycleCountError::Stopped);
            }
            for x in 0..if y == self.height + 2 { 1 } else { row } {
                let is_inside = x < self.width && y < self.height;
                let cells = if is_inside { 1_u64 << self.period } else { 1 };
                let mut placed = Vec::with_capacity(states.len());
                for &(state, count) in &states {
                    let all = (0..cells).map(|cell| state << self.period | cell);
                    let right = all.filter(|&all| self.is_right(all, x));
                    placed.extend(right.map(|all| (all & kept, count)));
                }
                // sorted runs, one for each of the oldest cells
                placed.sort_by_key(|&(state, _)| state);
                placed.dedup_by(|next, first| {
                    let is_same = next.0 == first.0;
                    first.1 += if is_same { next.1 } else { 0 };
                    is_same
                });
                states = placed;
            }
        }
        // what is left of the box is dead
        Ok(states.first().map_or(0, |state| state.1))
    }

    /// Whether the block that a cell in this column completes is right in every generation.
    fn is_right(&self, all: u64, x: u32) -> bool {
        let triple = |first: u32| {
            let cells = all >> (first * self.period) & ((1 << (3 * self.period)) - 1);
            &self.triples[cells as usize]
        };
        let row = self.width + 1;
        let (above, middle, below) = (triple(2 * row), triple(row), triple(0));
        let period = self.period as usize;
        (0..period).all(|generation| {
            let block = above[generation] << 6 | middle[generation] << 3 | below[generation];
            if x == 0 {
                // the middle is the dead cell between the rows: the left column is the right end of
                // the rows above, and the right one the left end of these rows
                return !self.next[usize::from(block & 0o444)]
                    && !self.next[usize::from(block & 0o111)];
            }
            let later = middle[(generation + 1) % period] >> 1 & 1;
            self.next[usize::from(block)] == (later == 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exhaustive, PeriodicQuestion, ProblemSolver, SearchAnswer};

    fn run_on(_: u32, _: u32) -> SearchFlow {
        SearchFlow::Continue
    }

    #[test]
    fn every_box_of_every_rule_has_as_many_as_are_listed() {
        let mut all = 0;
        for text in ["B3/S23", "B2/S34H", "B2-a3/S12", "B2e3ai/S1e2k"] {
            for (period, width, height) in [
                (1, 3, 4),
                (2, 1, 5),
                (2, 3, 2),
                (2, 2, 3),
                (3, 3, 3),
                (4, 2, 3),
                (6, 2, 2),
            ] {
                let rule = text.parse().expect("a rule");
                let question = PeriodicQuestion {
                    empty: period == 1,
                    ..PeriodicQuestion::new(rule, period, width, height)
                };
                let problem = question.problem().expect("a question");
                let mut solver = Exhaustive::new(problem.clone());
                let mut count = 0;
                while let SearchAnswer::Found(_) = solver.solve(&mut |_, _| SearchFlow::Continue) {
                    count += 1;
                }
                let counted = count_cycles(&problem.rule, period, width, height, &mut run_on);
                assert_eq!(counted, Ok(count), "{text} {period} {width} x {height}");
                all += count;
            }
        }
        assert!(all > 20, "{all}");
    }

    #[test]
    fn what_cannot_be_counted_is_said() {
        let refused = |text: &str, period, side| {
            let rule = BlockRule::new(&text.parse().expect("a rule")).expect("radius 1");
            let counted = count_cycles(&rule, period, side, side, &mut run_on);
            counted.expect_err("refused").to_string()
        };
        assert!(refused("B2/S/3", 2, 3).contains("two states"));
        assert!(refused("B3/S23", 3, 9).contains("at most 8 cells"));
        let life = BlockRule::new(&"B3/S23".parse().expect("Life")).expect("radius 1");
        let stopped = count_cycles(&life, 2, 3, 3, &mut |_, _| SearchFlow::Stop);
        assert_eq!(stopped, Err(CycleCountError::Stopped));
    }
}
