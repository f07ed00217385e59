//! How many still lifes lie in a box, and how many live cells the densest of them has, without
//! listing any. Cells are placed row by row; all that matters of what lies behind are the last two
//! rows, so boxes with the same last rows are counted together (the transfer matrix of statistical
//! physics, one cell at a time). A state is the last cells as a number, and the states stay sorted:
//! placing a cell maps those whose oldest cell is dead, and those whose oldest cell is live, each
//! in order, so the two are merged and nothing is hashed. Own method.

use crate::{BlockRule, SearchFlow};
use num_bigint::BigUint;
use thiserror::Error;

/// The shorter side of a box is at most so long.
pub const MAX_COUNTED_SIDE: u32 = 14;

/// Why still lifes cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StillLifeCountError {
    /// Only rules of two states have counts.
    #[error("still lifes are counted for rules of two states, and this one has {0}")]
    States(u16),
    /// Its tables follow each other.
    #[error("still lifes are counted for rules in which dead cells stay dead without neighbours")]
    Alternating,
    /// More states than fit.
    #[error(
        "a box of {width} x {height} is too large to count: its shorter side may have at most {MAX_COUNTED_SIDE} cells"
    )]
    TooLarge {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

/// Called now and then, once a cell at least, with the rows done and all rows.
pub type RowControl<'a> = dyn FnMut(u32, u32) -> SearchFlow + 'a;

/// How many still lifes lie in a box as they are, the empty one among them: nothing changes inside,
/// and nothing is born around it.
///
/// ```
/// use search::{BlockRule, SearchFlow, count_still_lifes};
///
/// let life = BlockRule::new(&"B3/S23".parse()?)?;
/// let count = count_still_lifes(&life, 4, 4, &mut |_, _| SearchFlow::Continue)?;
/// assert_eq!(count, 83_u32.into()); // OEIS A136278
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A rule of more states, a box too large, or that it was stopped.
pub fn count_still_lifes(
    rule: &BlockRule,
    width: u32,
    height: u32,
    control: &mut RowControl<'_>,
) -> Result<BigUint, StillLifeCountError> {
    let sweep = BoxSweep::new(rule, width, height)?;
    // a sum of at most 2^cells boxes
    if width * height <= 128 {
        let sum = |a: &mut u128, b: u128| *a += b;
        return Ok(sweep.run(1_u128, &|count, _| *count, &sum, control)?.into());
    }
    let sum = |a: &mut BigUint, b: BigUint| *a += b;
    sweep.run(
        BigUint::from(1_u32),
        &|count, _| count.clone(),
        &sum,
        control,
    )
}

/// How many live cells the densest still life in a box has.
///
/// ```
/// use search::{BlockRule, SearchFlow, densest_still_life};
///
/// let life = BlockRule::new(&"B3/S23".parse()?)?;
/// let cells = densest_still_life(&life, 5, 5, &mut |_, _| SearchFlow::Continue)?;
/// assert_eq!(cells, 16); // OEIS A055397
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A rule of more states, a box too large, or that it was stopped.
pub fn densest_still_life(
    rule: &BlockRule,
    width: u32,
    height: u32,
    control: &mut RowControl<'_>,
) -> Result<u32, StillLifeCountError> {
    let sweep = BoxSweep::new(rule, width, height)?;
    let grow = |cells: &u16, is_live: bool| cells + u16::from(is_live);
    let most = |a: &mut u16, b: u16| *a = (*a).max(b);
    Ok(sweep.run(0_u16, &grow, &most, control)?.into())
}

/// States between two questions whether to go on: some milliseconds.
const CONTROL_PACE: u64 = 1 << 18;

/// The value after one more cell, and how the values of equal states are joined.
type SweepValues<'a, V> = (&'a dyn Fn(&V, bool) -> V, &'a dyn Fn(&mut V, V));

/// A box whose cells are placed one by one, each row with a dead cell on either side.
struct BoxSweep {
    width: u32,
    height: u32,
    /// By arrangement of a block, whether its middle stays as it is.
    is_stable: Vec<bool>,
}

impl BoxSweep {
    fn new(rule: &BlockRule, width: u32, height: u32) -> Result<Self, StillLifeCountError> {
        if rule.states() != 2 {
            return Err(StillLifeCountError::States(rule.states()));
        }
        if rule.time_period() != 1 || rule.next(0, 0, 0) != 0 {
            return Err(StillLifeCountError::Alternating);
        }
        if width.min(height) > MAX_COUNTED_SIDE || u64::from(width) * u64::from(height) > 0xFFFF {
            return Err(StillLifeCountError::TooLarge { width, height });
        }
        let turned = width > height;
        let is_stable = (0..512_usize).map(|arrangement| {
            // rows of a box that is laid on its side are its columns
            let block = if turned {
                transpose(arrangement)
            } else {
                arrangement
            };
            let own = (block >> 4 & 1) as u8;
            rule.next(0, own, block) == own
        });
        Ok(Self {
            width: width.min(height),
            height: width.max(height),
            is_stable: is_stable.collect(),
        })
    }

    /// The value of the boxes that are stable, from that of the empty beginning: `place` gives the
    /// value after one more cell, `merge` joins those of equal states.
    fn run<V: Clone>(
        &self,
        start: V,
        place: &dyn Fn(&V, bool) -> V,
        merge: &dyn Fn(&mut V, V),
        control: &mut RowControl<'_>,
    ) -> Result<V, StillLifeCountError> {
        let row = self.width + 2;
        // there are dead cells before
        let mut states = vec![(0_u64, start)];
        let mut placed = Vec::new();
        for y in 0..self.height + 3 {
            let mut control = || match control(y.min(self.height), self.height) {
                SearchFlow::Continue => Ok(()),
                SearchFlow::Stop => Err(StillLifeCountError::Stopped),
            };
            // of the last row two cells are enough: a state is two rows and two cells
            for x in 0..if y == self.height + 2 { 2 } else { row } {
                let is_inside = (1..=self.width).contains(&x) && y < self.height;
                placed.clear();
                self.place_cell(
                    &states,
                    is_inside,
                    (place, merge),
                    &mut placed,
                    &mut control,
                )?;
                std::mem::swap(&mut states, &mut placed);
            }
        }
        // what is left of the box is dead
        Ok(states.swap_remove(0).1)
    }

    /// The states after one more cell.
    fn place_cell<V>(
        &self,
        states: &[(u64, V)],
        is_inside: bool,
        (place, merge): SweepValues<'_, V>,
        placed: &mut Vec<(u64, V)>,
        control: &mut dyn FnMut() -> Result<(), StillLifeCountError>,
    ) -> Result<(), StillLifeCountError> {
        let oldest = 1_u64 << (2 * (self.width + 2) + 1);
        let split = states.partition_point(|(state, _)| state & oldest == 0);
        let (dead, live) = states.split_at(split);
        let choices = |list| self.choices(list, is_inside, oldest);
        let (mut dead, mut live) = (choices(dead).peekable(), choices(live).peekable());
        for steps in 0_u64.. {
            if steps.is_multiple_of(CONTROL_PACE) {
                control()?;
            }
            let next = match (dead.peek(), live.peek()) {
                (Some(a), Some(b)) if a.0 <= b.0 => dead.next(),
                (Some(_), None) => dead.next(),
                _ => live.next(),
            };
            let Some((state, value, is_live)) = next else {
                break;
            };
            let value = place(value, is_live);
            match placed.last_mut() {
                Some((last, before)) if *last == state => merge(before, value),
                _ => placed.push((state, value)),
            }
        }
        Ok(())
    }

    /// What each state becomes with a dead and with a live cell, in order, where the block that
    /// is complete then is stable.
    fn choices<'a, V>(
        &'a self,
        states: &'a [(u64, V)],
        is_inside: bool,
        oldest: u64,
    ) -> impl Iterator<Item = (u64, &'a V, bool)> {
        let row = self.width + 2;
        let cells = if is_inside { 0..2 } else { 0..1_u64 };
        states.iter().flat_map(move |(state, value)| {
            cells.clone().filter_map(move |cell| {
                let all = state << 1 | cell;
                let block = (all >> (2 * row) & 7) << 6 | (all >> row & 7) << 3 | all & 7;
                let kept = all & (oldest << 1).wrapping_sub(1);
                self.is_stable[block as usize].then_some((kept, value, cell == 1))
            })
        })
    }
}

/// A block whose rows become columns.
pub(crate) fn transpose(arrangement: usize) -> usize {
    let bit = |x: usize, y: usize| arrangement >> (8 - (3 * y + x)) & 1;
    let cells = (0..9).map(|index| bit(index / 3, index % 3));
    cells.fold(0, |bits, cell| bits << 1 | cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exhaustive, PeriodicQuestion, ProblemSolver, SearchAnswer};

    fn block_rule(text: &str) -> BlockRule {
        BlockRule::new(&text.parse().expect("a rule")).expect("radius 1")
    }

    fn run_on(_: u32, _: u32) -> SearchFlow {
        SearchFlow::Continue
    }

    #[test]
    fn counts_and_densities_are_those_published() {
        let life = block_rule("B3/S23");
        // OEIS A136278 and A055397
        let counts = [1, 2, 12, 83, 417, 3928, 127_425, 4_782_725_u64];
        let most = [0, 4, 6, 8, 16, 18, 28, 36];
        for (side, (count, most)) in (1..).zip(counts.into_iter().zip(most)) {
            let counted = count_still_lifes(&life, side, side, &mut run_on);
            assert_eq!(counted, Ok(count.into()), "{side}");
            assert_eq!(
                densest_still_life(&life, side, side, &mut run_on),
                Ok(most),
                "{side}"
            );
        }
    }

    #[test]
    fn every_box_of_every_rule_has_as_many_as_are_listed() {
        for text in ["B3/S23", "B2/S34H", "B2-a3/S12", "B2e3ai/S1e2k"] {
            for (width, height) in [(1, 4), (4, 1), (3, 4), (4, 3), (5, 2)] {
                let question = PeriodicQuestion {
                    empty: true,
                    ..PeriodicQuestion::new(text.parse().expect("a rule"), 1, width, height)
                };
                let problem = question.problem().expect("a question");
                let mut solver = Exhaustive::new(problem.clone());
                let (mut count, mut most) = (0_u32, 0);
                while let SearchAnswer::Found(states) =
                    solver.solve(&mut |_, _| SearchFlow::Continue)
                {
                    count += 1;
                    let states = problem.generations[0].states(&states);
                    most = most.max(states.iter().filter(|&&state| state == 1).count() as u32);
                }
                let rule = block_rule(text);
                let counted = count_still_lifes(&rule, width, height, &mut run_on);
                assert_eq!(counted, Ok(count.into()), "{text} {width} x {height}");
                let densest = densest_still_life(&rule, width, height, &mut run_on);
                assert_eq!(densest, Ok(most), "{text} {width} x {height}");
            }
        }
    }

    #[test]
    fn what_cannot_be_counted_is_said() {
        let refused = |text: &str, side: u32| {
            let counted = count_still_lifes(&block_rule(text), side, side, &mut run_on);
            counted.expect_err("refused").to_string()
        };
        assert!(refused("B2/S/3", 3).contains("two states"));
        assert!(refused("B0/S", 3).contains("stay dead"));
        assert!(refused("B3/S23", 40).contains("40 x 40 is too large"));
        let stopped = count_still_lifes(&block_rule("B3/S23"), 3, 3, &mut |_, _| SearchFlow::Stop);
        assert_eq!(stopped, Err(StillLifeCountError::Stopped));
    }
}
