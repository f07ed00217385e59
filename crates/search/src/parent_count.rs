//! How many parents a target has, exactly, and how a search for orphans weighs targets: transfer of
//! the cells of two columns, cell by cell (the broken profile of statistical mechanics).

use crate::{AllowedStates, BLOCK_ARRANGEMENTS, BlockRule, BlockRuleError, SearchFlow};
use num_bigint::BigUint;
use thiserror::Error;

/// Targets are at most so high (or wide, if that is less), so that two arrays of 2^(2 h + 6)
/// numbers have room: 1 GiB at 10.
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

/// The same, or `None` once `control` says so, which is asked for each cell of the parents.
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
        let mut profile = Profile::new(length, Residue::one(prime));
        for line in 0..lines + 2 {
            for place in 0..length + 2 {
                if control() == SearchFlow::Stop {
                    return Ok(None);
                }
                let asked = (line.checked_sub(2)).zip(place.checked_sub(2));
                match asked {
                    Some((line, place)) => profile.step_to(&table, wanted(line, place)),
                    None => profile.step(),
                }
            }
        }
        let residue = profile.total().value;
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
    /// Nothing, with what else the number carries.
    fn zero(self) -> Self;
    /// A sum.
    fn plus(self, other: Self) -> Self;
}

impl ArrangementWeight for bool {
    fn zero(self) -> Self {
        false
    }

    fn plus(self, other: Self) -> Self {
        self || other
    }
}

impl ArrangementWeight for f32 {
    fn zero(self) -> Self {
        0.0
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// A number modulo a prime.
#[derive(Clone, Copy)]
struct Residue {
    value: u64,
    prime: u64,
}

impl Residue {
    fn one(prime: u64) -> Self {
        Self { value: 1, prime }
    }
}

impl ArrangementWeight for Residue {
    fn zero(self) -> Self {
        Self { value: 0, ..self }
    }

    fn plus(self, other: Self) -> Self {
        let sum = self.value + other.value;
        let value = if sum >= self.prime {
            sum - self.prime
        } else {
            sum
        };
        Self { value, ..self }
    }
}

/// For each arrangement of the last two columns and two cells more, a weight of all arrangements
/// before that end so.
#[derive(Clone)]
pub(crate) struct Profile<T> {
    /// Cells of a column.
    column: u32,
    pub(crate) weights: Vec<T>,
}

impl<T: ArrangementWeight> Profile<T> {
    /// Before the first cell, for targets of this height.
    pub(crate) fn new(height: u32, one: T) -> Self {
        let column = height + 2;
        let mut weights = vec![one.zero(); 1 << (2 * column + 2)];
        weights[0] = one;
        Self { column, weights }
    }

    /// The next cell down the column, or the first of the next one, where it completes no block of
    /// the target: by what it is, nothing is asked.
    pub(crate) fn step(&mut self) {
        let oldest = self.weights.len() / 2;
        let next = (0..self.weights.len()).map(|cells| {
            let before = cells >> 1;
            self.weights[before].plus(self.weights[before | oldest])
        });
        self.weights = next.collect();
    }

    /// The next cell, which completes a block: the weights where the cell in its middle is dead
    /// next, and where it is live.
    pub(crate) fn split(&self, table: &[bool]) -> [Self; 2] {
        let column = self.column;
        let oldest = self.weights.len() / 2;
        let zero = self.weights[0].zero();
        let mut split = [(); 2].map(|()| Self {
            column,
            weights: vec![zero; self.weights.len()],
        });
        let [dead, live] = &mut split;
        let both = dead.weights.iter_mut().zip(&mut live.weights);
        for (cells, (dead, live)) in both.enumerate() {
            // an arrangement has the cells in order, the last in bit 0; a column further back is
            // `column` bits higher, and the oldest cell of the block is no longer among them
            let right = cells & 7;
            let middle = cells >> column & 7;
            let left = cells >> (2 * column) & 3;
            let block = left << 6 | middle << 3 | right;
            for (block, before) in [(block, cells >> 1), (block | 1 << 8, cells >> 1 | oldest)] {
                let weight = self.weights[before];
                if table[block & 511] {
                    *live = live.plus(weight);
                } else {
                    *dead = dead.plus(weight);
                }
            }
        }
        split
    }

    /// The next cell, which completes a block of whose middle only these states are wanted.
    pub(crate) fn step_to(&mut self, table: &[bool], wanted: [bool; 2]) {
        match wanted {
            [true, true] => self.step(),
            _ => {
                let [dead, live] = self.split(table);
                *self = if wanted[0] { dead } else { live };
                if wanted == [false, false] {
                    let zero = self.weights[0].zero();
                    self.weights.fill(zero);
                }
            }
        }
    }

    /// All weights together.
    fn total(&self) -> T {
        let zero = self.weights[0].zero();
        self.weights
            .iter()
            .fold(zero, |sum, &weight| sum.plus(weight))
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
