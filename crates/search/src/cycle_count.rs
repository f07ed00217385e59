//! How many arrangements of a box repeat after so many generations, without listing any: as still
//! lifes are counted (`still_life_count`), but a cell is placed with all its states of a period at
//! once. One dead cell stands between two rows, and what is born on either side of the box is asked
//! where it is placed. The rows above the middle and those below are counted for themselves. Own
//! method.

use crate::still_life_count::transpose;
use crate::{BlockRule, SearchFlow, SearchProgress};
use dice::mix;
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

/// Asked now and then how far the count is. Its answer says whether to go on.
type CycleControl<'a> = dyn FnMut(&SearchProgress) -> SearchFlow + 'a;

/// How many oscillators of a period lie in a box as they are, in every phase, each image and each
/// phase counted: those that repeat sooner are left out. With period 1 the empty box counts too.
///
/// ```
/// use search::{BlockRule, SearchFlow, count_cycles};
///
/// let life = BlockRule::new(&"B3/S23".parse()?)?;
/// let count = count_cycles(&life, 2, 3, 4, &mut |_| SearchFlow::Continue)?;
/// assert_eq!(count, 4, "the two phases of a blinker, in two places");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The control is told how many states of the last two rows there are, the row, and the bytes that
/// they take.
///
/// # Errors
/// A rule of more states, a box too large, or that it was stopped.
pub fn count_cycles(
    rule: &BlockRule,
    period: u32,
    width: u32,
    height: u32,
    control: &mut CycleControl<'_>,
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
/// Between two rows, states that are images in the mirror or in time are counted as one: as many
/// arrangements lead to each of them, and from each.
struct CycleSweep {
    period: u32,
    width: u32,
    height: u32,
    /// By arrangement of a block, whether its middle is live next.
    next: Vec<bool>,
    /// Whether left and right are alike.
    is_mirrored: bool,
    /// By three cells and generation, which are live.
    triples: Vec<[u16; MAX_CYCLE]>,
}

/// So many states grow by a row at once, about.
const MOST_AT_ONCE: u64 = 1 << 16;
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
        let next: Vec<bool> = next.collect();
        let mirror = |block: usize| (block & 0o111) << 2 | block & 0o222 | block >> 2 & 0o111;
        let is_mirrored = (0..512).all(|block| next[block] == next[mirror(block)]);
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
            next,
            is_mirrored,
            triples: (0..1_usize << (3 * period)).map(triple).collect(),
        })
    }

    /// The rows above the middle and those below, turned round, meet in two rows that both have.
    fn run(&self, control: &mut CycleControl<'_>) -> Result<u128, CycleCountError> {
        let middle = self.height / 2;
        let upper = self.sweep(middle, control)?;
        let flip = |block: usize| (block & 7) << 6 | block & 0o70 | block >> 6;
        let flipped = Self {
            next: (0..512).map(|block| self.next[flip(block)]).collect(),
            triples: self.triples.clone(),
            ..*self
        };
        let other = match flipped.next == self.next && self.height == 2 * middle {
            true => None,
            false => Some(flipped.sweep(self.height - middle, control)?),
        };
        let lower = other.as_ref().unwrap_or(&upper);
        let row = (self.width + 1) * self.period;
        let both = upper.iter().map(|&(state, count)| {
            let turned = state >> row | (state & ((1 << row) - 1)) << row;
            let least = self.images(turned).into_iter().min().unwrap_or(turned);
            let place = lower.binary_search_by_key(&least, |&(state, _)| state);
            let below = place.map_or(0, |place| lower[place].1);
            let mut images = self.images(state);
            images.sort_unstable();
            images.dedup();
            count / images.len() as u128 * below
        });
        Ok(both.sum())
    }

    /// How many arrangements of all rows up to this one end in each state, its images together.
    fn sweep(
        &self,
        last: u32,
        control: &mut CycleControl<'_>,
    ) -> Result<Vec<(u64, u128)>, CycleCountError> {
        let row = self.width + 1;
        let mut states = vec![(0_u64, 1_u128)];
        for y in 0..=last {
            // those with different last rows never become alike: part after part takes less memory
            let parts = states.len() as u64 / MOST_AT_ONCE + 1;
            let last_row = |state: u64| state & ((1 << (row * self.period)) - 1);
            let mut placed = Vec::new();
            for part in 0..parts {
                let held = (states.len() + placed.len()) as u64;
                let progress = SearchProgress {
                    nodes: held,
                    depth: y.into(),
                    share: None,
                    bytes: held * size_of::<(u64, u128)>() as u64,
                };
                if control(&progress) == SearchFlow::Stop {
                    return Err(CycleCountError::Stopped);
                }
                let of_part = |&&(state, _): &&(u64, u128)| mix(last_row(state)) % parts == part;
                let mut some: Vec<_> = states.iter().filter(of_part).copied().collect();
                for x in 0..row {
                    let is_inside = x < self.width && y < self.height;
                    some = self.place(&some, x, if is_inside { 1 << self.period } else { 1 });
                }
                let image = |state| self.images(state).into_iter().min().unwrap_or(state);
                placed.extend(some.into_iter().map(|(state, count)| (image(state), count)));
            }
            placed.sort_unstable_by_key(|&(state, _)| state);
            states = add_up(placed);
        }
        Ok(states)
    }

    /// The states after a cell in this column, which has so many states.
    fn place(&self, states: &[(u64, u128)], x: u32, cells: u64) -> Vec<(u64, u128)> {
        let kept = (1_u64 << ((2 * self.width + 4) * self.period)) - 1;
        let mut placed = Vec::with_capacity(states.len());
        for &(state, count) in states {
            let all = (0..cells).map(|cell| state << self.period | cell);
            let right = all.filter(|&all| self.is_right(all, x));
            placed.extend(right.map(|all| (all & kept, count)));
        }
        // sorted runs, one for each of the oldest cells
        placed.sort_by_key(|&(state, _)| state);
        add_up(placed)
    }

    /// The images of a state between two rows; the cells before them are forgotten.
    fn images(&self, state: u64) -> Vec<u64> {
        let (period, cells) = (self.period, 2 * self.width + 2);
        let cell = (1 << period) - 1;
        let state = state & ((1 << (cells * period)) - 1);
        let mirror = (0..cells).fold(0, |image, place| {
            let row = place / (self.width + 1) * (self.width + 1);
            // the dead cell is the newest of a row
            let from = if place == row {
                row
            } else {
                2 * row + self.width + 1 - place
            };
            image | (state >> (from * period) & cell) << (place * period)
        });
        let newest = (0..cells).fold(0, |all, place| all | 1_u64 << (place * period));
        let sides = [state, mirror].into_iter();
        let sides = sides.take(1 + usize::from(self.is_mirrored));
        let later = |&image: &u64| {
            Some((image & !(newest << (period - 1))) << 1 | image >> (period - 1) & newest)
        };
        sides
            .flat_map(|side| std::iter::successors(Some(side), later).take(period as usize))
            .collect()
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
            // what is born beside the box: the dead cell between the rows is the middle or the end
            if x == 0 {
                return !self.next[usize::from(block & 0o111)];
            }
            if x == self.width && self.next[usize::from((block & 0o222) << 1)] {
                return false;
            }
            let later = middle[(generation + 1) % period] >> 1 & 1;
            self.next[usize::from(block)] == (later == 1)
        })
    }
}

/// Makes one of those that are the same, and adds their counts.
fn add_up(mut states: Vec<(u64, u128)>) -> Vec<(u64, u128)> {
    states.dedup_by(|next, first| {
        let is_same = next.0 == first.0;
        first.1 += if is_same { next.1 } else { 0 };
        is_same
    });
    states
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exhaustive, PeriodicQuestion, ProblemSolver, SearchAnswer};

    fn run_on(_: &SearchProgress) -> SearchFlow {
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
        let stopped = count_cycles(&life, 2, 3, 3, &mut |_| SearchFlow::Stop);
        assert_eq!(stopped, Err(CycleCountError::Stopped));
    }
}
