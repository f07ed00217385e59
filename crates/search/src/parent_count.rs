//! How many parents a target has, exactly, and how a search for orphans weighs targets: transfer of
//! the cells of two columns, cell by cell (the broken profile of statistical mechanics).

use crate::{AllowedStates, BLOCK_ARRANGEMENTS, BlockRule, BlockRuleError, SearchFlow};
use num_bigint::BigUint;
use thiserror::Error;

/// Targets are at most so high (or wide, if that is less), so that 2^(2 h + 6) numbers have room:
/// 512 MiB at 10.
pub const MAX_COUNT_HEIGHT: u32 = 10;

/// What primes below 2^61 lack to that: one for each pass over the target.
const BELOW_PRIMES: [u64; 24] = [
    1, 31, 45, 229, 259, 283, 339, 391, 403, 465, 531, 579, 675, 759, 799, 819, 829, 843, 859, 939,
    985, 1015, 1153, 1195,
];

/// The parents of a target cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParentCountError {
    /// The rule cannot be searched.
    #[error(transparent)]
    Rule(#[from] BlockRuleError),
    /// More than two states.
    #[error("parents are counted for rules of two states, and this one has {0}")]
    States(u16),
    /// Both sides are too long.
    #[error(
        "a target of {width} x {height} is too large to count its parents: one side has at most {MAX_COUNT_HEIGHT} cells, and there are at most 1200 with a ring of two around"
    )]
    TooLarge {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// No cells.
    #[error("a target without cells has no parents")]
    NoCells,
}

/// How many arrangements of (`width` + 2) x (height + 2) cells become the target in a generation.
/// The target is given row by row, the states that each cell may have.
///
/// ```
/// use search::{AllowedStates, count_parents};
///
/// let life = "B3/S23".parse()?;
/// assert_eq!(count_parents(&life, 1, &[AllowedStates::only(1)])?, 140_u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A rule of more than two states or one that cannot be searched; a target that is too large.
pub fn count_parents(
    rule: &rule::Rule,
    width: u32,
    target: &[AllowedStates],
) -> Result<BigUint, ParentCountError> {
    let counted = count_parents_while(rule, width, target, &mut || SearchFlow::Continue)?;
    Ok(counted.expect("nothing stops it"))
}

/// The same, or `None` once `control` says so, which is asked every few milliseconds.
///
/// ```
/// use search::{AllowedStates, SearchFlow, count_parents_while};
///
/// let life = "B3/S23".parse()?;
/// let stop = &mut || SearchFlow::Stop;
/// assert_eq!(count_parents_while(&life, 1, &[AllowedStates::only(1)], stop)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As for [`count_parents`].
pub fn count_parents_while(
    rule: &rule::Rule,
    width: u32,
    target: &[AllowedStates],
    control: &mut dyn FnMut() -> SearchFlow,
) -> Result<Option<BigUint>, ParentCountError> {
    let table = block_table(rule)?;
    let height = (target.len() as u64)
        .checked_div(u64::from(width))
        .unwrap_or(0) as u32;
    if width == 0 || height == 0 {
        return Err(ParentCountError::NoCells);
    }
    let cells = (u64::from(width) + 2) * (u64::from(height) + 2);
    if width.min(height) > MAX_COUNT_HEIGHT || cells > 1200 {
        return Err(ParentCountError::TooLarge { width, height });
    }
    // the columns of the transfer are the shorter lines of the target
    let is_upright = height <= width;
    let (lines, length) = if is_upright {
        (width, height)
    } else {
        (height, width)
    };
    let wanted = |line: u32, place: u32| {
        let (x, y) = if is_upright {
            (line, place)
        } else {
            (place, line)
        };
        let states = target[(y * width + x) as usize];
        [states.contains(0), states.contains(1)]
    };
    let table = if is_upright {
        table
    } else {
        transposed(&table)
    };
    let passes = cells.div_ceil(60) as usize + 1;
    let mut total = BigUint::ZERO;
    let mut modulus = BigUint::from(1_u32);
    for &missing in &BELOW_PRIMES[..passes] {
        let prime = (1 << 61) - missing;
        let mut profile = Profile::new(length, 1_u64, prime);
        for line in 0..lines + 2 {
            for place in 0..length + 2 {
                let states = line.checked_sub(2).zip(place.checked_sub(2));
                let asked = match states.map(|(line, place)| wanted(line, place)) {
                    None | Some([true, true]) => None,
                    Some([false, false]) => return Ok(Some(BigUint::ZERO)),
                    Some([_, is_live]) => Some((&table[..], is_live)),
                };
                if profile.advance(asked, control) == SearchFlow::Stop {
                    return Ok(None);
                }
            }
        }
        let residue = profile.total();
        // the remainder theorem: the number modulo all primes so far and this one
        let so_far = (&total % prime).try_into().unwrap_or(0_u64);
        let missing = (prime - so_far + residue) % prime;
        let scale: u64 = (&modulus % prime).try_into().unwrap_or(0);
        let factor = multiply(missing, inverse(scale, prime), prime);
        total += &modulus * factor;
        modulus *= prime;
    }
    Ok(Some(total))
}

/// For each arrangement of a block whether its cell is live next.
pub(crate) fn block_table(rule: &rule::Rule) -> Result<Vec<bool>, ParentCountError> {
    let rule = BlockRule::new(rule)?;
    if rule.states() != 2 {
        return Err(ParentCountError::States(rule.states()));
    }
    // the target stands at a generation that is a multiple of the tables' number
    let table = rule.time_period() - 1;
    let next = |arrangement: usize| {
        let own = (arrangement >> 4 & 1) as u8;
        // bit 8 is the north-west cell; the transfer goes down the columns, the new cell is bit 0
        rule.next(table, own, transpose_block(arrangement)) == 1
    };
    Ok((0..BLOCK_ARRANGEMENTS).map(next).collect())
}

/// Rows and columns of a block exchanged.
fn transpose_block(arrangement: usize) -> usize {
    let bit = |row: usize, column: usize| arrangement >> (8 - 3 * row - column) & 1;
    let cells = (0..3).flat_map(|row| (0..3).map(move |column| (row, column)));
    cells.fold(0, |bits, (row, column)| bits << 1 | bit(column, row))
}

/// The table with rows and columns exchanged.
pub(crate) fn transposed(table: &[bool]) -> Vec<bool> {
    let all = 0..BLOCK_ARRANGEMENTS;
    all.map(|arrangement| table[transpose_block(arrangement)])
        .collect()
}

/// A number that counts arrangements.
pub(crate) trait ArrangementWeight: Copy {
    /// Of no arrangement.
    const NONE: Self;
    /// A sum, where it is one of numbers modulo something.
    fn plus(self, other: Self, modulus: u64) -> Self;
}

impl ArrangementWeight for bool {
    const NONE: Self = false;

    fn plus(self, other: Self, _: u64) -> Self {
        self | other
    }
}

impl ArrangementWeight for f32 {
    const NONE: Self = 0.0;

    fn plus(self, other: Self, _: u64) -> Self {
        self + other
    }
}

impl ArrangementWeight for u64 {
    const NONE: Self = 0;

    fn plus(self, other: Self, modulus: u64) -> Self {
        let sum = self + other;
        if sum >= modulus { sum - modulus } else { sum }
    }
}

/// The control is asked after so many weights, which take a millisecond or two.
pub(crate) const WEIGHTS_PER_CONTROL: usize = 1 << 18;

/// For each arrangement of the last two columns and two cells more, a weight of all arrangements
/// before that end so.
pub(crate) struct Profile<T> {
    /// Cells of a column.
    column: u32,
    modulus: u64,
    /// The bit of an index that is the last cell; the cells before it are the bits above, and go on
    /// at bit 0.
    last: u32,
    pub(crate) weights: Vec<T>,
}

impl<T: ArrangementWeight> Profile<T> {
    /// Before the first cell, for targets of this height.
    pub(crate) fn new(height: u32, one: T, modulus: u64) -> Self {
        let column = height + 2;
        let mut weights = vec![T::NONE; 1 << (2 * column + 2)];
        weights[0] = one;
        Self {
            column,
            modulus,
            last: 0,
            weights,
        }
    }

    /// The next cell down the column, or the first of the next one. Where it completes a block, what
    /// is asked is the table of blocks and what the block must be there. Once `control` stops it, the
    /// profile is of no use.
    pub(crate) fn advance(
        &mut self,
        asked: Option<(&[bool], bool)>,
        control: &mut dyn FnMut() -> SearchFlow,
    ) -> SearchFlow {
        let (column, modulus, bits) = (self.column, self.modulus, 2 * self.column + 2);
        // the new cell takes the bit of the oldest, so all weights stay where they are
        let last = (self.last + bits - 1) % bits;
        self.last = last;
        let fits = asked.map(|(table, wanted)| -> [bool; BLOCK_ARRANGEMENTS] {
            std::array::from_fn(|block| table[block] == wanted)
        });
        let (bit, mask) = (1 << last, (1 << bits) - 1);
        let pairs = self.weights.len() / 2;
        for first in (0..pairs).step_by(WEIGHTS_PER_CONTROL) {
            if control() == SearchFlow::Stop {
                return SearchFlow::Stop;
            }
            for pair in first..pairs.min(first + WEIGHTS_PER_CONTROL) {
                let dead = pair >> last << (last + 1) | pair & (bit - 1);
                let live = dead | bit;
                let old = [self.weights[dead], self.weights[live]];
                let Some(fits) = &fits else {
                    let sum = old[0].plus(old[1], modulus);
                    (self.weights[dead], self.weights[live]) = (sum, sum);
                    continue;
                };
                // the cells in order, the last in bit 0; a column further back is `column` bits higher
                let cells = (dead >> last | dead << (bits - last)) & mask;
                let (right, middle, left) =
                    (cells & 7, cells >> column & 7, cells >> (2 * column) & 3);
                let block = left << 6 | middle << 3 | right;
                let weight = |block: usize| {
                    let of = |block: usize, old: T| if fits[block & 511] { old } else { T::NONE };
                    of(block, old[0]).plus(of(block | 1 << 8, old[1]), modulus)
                };
                (self.weights[dead], self.weights[live]) = (weight(block), weight(block | 1));
            }
        }
        SearchFlow::Continue
    }

    /// A copy; `None` once `control` stops it.
    pub(crate) fn copy(&self, control: &mut dyn FnMut() -> SearchFlow) -> Option<Self> {
        let mut weights = Vec::with_capacity(self.weights.len());
        for some in self.weights.chunks(WEIGHTS_PER_CONTROL) {
            weights.extend_from_slice(some);
            if control() == SearchFlow::Stop {
                return None;
            }
        }
        Some(Self { weights, ..*self })
    }

    /// All weights together.
    fn total(&self) -> T {
        let sum = |sum: T, &weight: &T| sum.plus(weight, self.modulus);
        self.weights.iter().fold(T::NONE, sum)
    }
}

fn multiply(a: u64, b: u64, prime: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(prime)) as u64
}

/// The inverse modulo a prime, by Fermat's theorem.
fn inverse(number: u64, prime: u64) -> u64 {
    let (mut base, mut exponent, mut result) = (number, prime - 2, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base, prime);
        }
        base = multiply(base, base, prime);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exhaustive, PredecessorQuestion, ProblemSolver, SearchAnswer, SearchFlow};
    use dice::Dice;

    #[test]
    fn counts_are_those_of_the_oracle() {
        let mut dice = Dice::new(5);
        for round in 0..16 {
            let rule = dice
                .pick(&["B3/S23", "B1/S", "B2-a3/S12", "B2/S34H", "B02/S1"])
                .expect("rules");
            let (width, height) = dice
                .pick(&[(2, 1), (1, 2), (1, 3), (3, 1), (2, 2)])
                .expect("sizes");
            let cells = [
                AllowedStates::only(0),
                AllowedStates::only(1),
                AllowedStates::below(2),
            ];
            let target: Vec<AllowedStates> = (0..width * height)
                .map(|_| dice.pick(&cells).expect("three"))
                .collect();
            let rule: rule::Rule = rule.parse().expect("a rule");
            let question = PredecessorQuestion::new(rule.clone(), width, target.clone());
            let mut oracle = Exhaustive::new(question.problem().expect("a question"));
            let mut expected = 0_u32;
            while let SearchAnswer::Found(_) = oracle.solve(&mut |_, _| SearchFlow::Continue) {
                expected += 1;
            }
            let found = count_parents(&rule, width, &target).expect("small");
            assert_eq!(found, expected.into(), "{round} {rule} {width} {target:?}");
        }
    }

    #[test]
    fn all_targets_together_have_all_parents_as_parents() {
        let rule: rule::Rule = "B3/S23".parse().expect("Life");
        // 13 x 5 cells, more than one prime can tell
        let free = vec![AllowedStates::below(2); 33];
        let all = count_parents(&rule, 11, &free).expect("small");
        assert_eq!(all, BigUint::from(1_u32) << 65);
        let mut dead = free.clone();
        let mut live = free;
        (dead[19], live[19]) = (AllowedStates::only(0), AllowedStates::only(1));
        let halves = count_parents(&rule, 11, &dead).expect("small")
            + count_parents(&rule, 11, &live).expect("small");
        assert_eq!(halves, all);
        let error = count_parents(&rule, 11, &[AllowedStates::only(0); 121]).expect_err("large");
        assert!(
            error
                .to_string()
                .starts_with("a target of 11 x 11 is too large"),
            "{error}"
        );
    }
}
