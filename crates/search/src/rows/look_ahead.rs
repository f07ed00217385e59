//! Which rows can come next. Rows of all generations stand in one sequence: the row y of
//! generation t has the number P*y + f(t), where f grows by the offset in a period P, so that a
//! ship's rows in the next period are its own (D. Eppstein, "Searching for Spaceships", 2000).
//! A new row m completes the block of rows whose middle is m - P. It is tried only where it can
//! itself be what follows from the rows before it, and where the rows at the same place in the
//! generations after it can be chosen, one after the other. Those that can are kept as sets.

use super::row_rule::{Row, RowRule};

/// How the rows of generations follow each other.
pub(super) struct RowPhases {
    pub(super) period: usize,
    /// By number modulo the period, how much further the row of the next generation stands.
    steps: Vec<usize>,
    /// By number modulo the period, how far before it that of the generation before stands.
    steps_back: Vec<usize>,
}

impl RowPhases {
    pub(super) fn new(period: u32, offset: u32) -> Self {
        let divisor = greatest_common_divisor(period, offset);
        let number = |t: u32| {
            let (cycles, rest) = (t / period, t % period);
            (cycles * period * offset + offset * rest + rest / (period / divisor)) as usize
        };
        let period_rows = period as usize;
        let mut phases = Self {
            period: period_rows,
            steps: vec![0; period_rows],
            steps_back: vec![0; period_rows],
        };
        for t in 0..period {
            let step = number(t + 1) - number(t);
            phases.steps[number(t) % period_rows] = step;
            phases.steps_back[number(t + 1) % period_rows] = step;
        }
        phases
    }

    /// Whether rows of all generations are alike, so that a ship may begin with any of them.
    pub(super) fn are_alike(&self) -> bool {
        self.steps.iter().all(|&step| step == self.steps[0])
    }

    /// By how many rows a search grows until it looks whether it has been there: where rows of all
    /// generations are alike, what has repeated after any number of rows has repeated.
    pub(super) fn leap_length(&self) -> usize {
        if self.are_alike() { 1 } else { self.period }
    }

    /// Adds the rows that may come after the last two periods of rows. `number` is that of the new
    /// row.
    pub(super) fn next_rows(
        &self,
        rule: &RowRule,
        rows: &[Row],
        number: usize,
        next: &mut Vec<Row>,
    ) {
        let add = match rule.words() {
            1 => Self::add_next_rows::<1>,
            2 => Self::add_next_rows::<2>,
            4 => Self::add_next_rows::<4>,
            8 => Self::add_next_rows::<8>,
            16 => Self::add_next_rows::<16>,
            32 => Self::add_next_rows::<32>,
            _ => Self::add_next_rows::<64>,
        };
        add(self, rule, rows, number, next);
    }

    /// Whether all rows after the last two periods of rows may be dead: a ship ends with these.
    /// `number` is that of the row after them.
    pub(super) fn is_end(&self, rule: &RowRule, rows: &[Row], number: usize) -> bool {
        let row = |place: usize| rows.get(place).copied().unwrap_or(0);
        (0..2 * self.period).all(|place| {
            let middle = place + self.period;
            let target = middle + self.steps[(number + place) % self.period];
            rule.may_end(row(place), row(middle), row(target))
        })
    }

    fn add_next_rows<const WORDS: usize>(
        &self,
        rule: &RowRule,
        rows: &[Row],
        number: usize,
        next: &mut Vec<Row>,
    ) {
        let period = self.period;
        let phase = number % period;
        let (above, middle) = (rows[0], rows[period]);
        let target = rows[period + self.steps[phase]];
        let mut candidates = rule.third_rows::<WORDS>(above, middle, target);
        if is_empty(&candidates) {
            return;
        }
        let back = self.steps_back[phase];
        let before = rule.reached::<WORDS>(rows[period - back], rows[2 * period - back]);
        (0..WORDS).for_each(|word| candidates[word] &= before[word]);
        if is_empty(&candidates) {
            return;
        }
        if let Some(chain) = Chain::<WORDS>::new(self, rule, rows, number) {
            for_each(&candidates, |row| {
                if chain.is_possible(rule, row) {
                    next.push(row);
                }
                false
            });
        }
    }
}

/// The rows at the same place in the generations after a new row, as far as what they can be is
/// known already.
struct Chain<const WORDS: usize> {
    links: [Link<WORDS>; CHAIN_LENGTH],
    length: usize,
}

const CHAIN_LENGTH: usize = 8;
/// Rows below a chain are looked for in so many steps.
const MOST_STEPS_BELOW: u32 = 64;

#[derive(Clone, Copy)]
struct Link<const WORDS: usize> {
    /// The row above the link before, in its generation.
    above: Row,
    rows: LinkRows<WORDS>,
}

/// What a link can be.
#[derive(Clone, Copy)]
enum LinkRows<const WORDS: usize> {
    /// One of these.
    Known([u64; WORDS]),
    /// A third row to these two, from which the new row follows.
    Open(Row, Row),
}

impl<const WORDS: usize> Chain<WORDS> {
    /// None where a link has no row at all.
    fn new(phases: &RowPhases, rule: &RowRule, rows: &[Row], number: usize) -> Option<Self> {
        let period = phases.period;
        let mut chain = Self {
            links: [Link {
                above: 0,
                rows: LinkRows::Open(0, 0),
            }; CHAIN_LENGTH],
            length: 0,
        };
        let mut ahead = 0;
        let mut above = rows[period];
        while chain.length < CHAIN_LENGTH {
            ahead += phases.steps[(number + ahead) % period];
            let target = period + ahead + phases.steps[(number + ahead) % period];
            if target > 2 * period || ahead >= period {
                break;
            }
            let pair = (rows[ahead], rows[period + ahead]);
            let rows = match rows.get(target) {
                None => LinkRows::Open(pair.0, pair.1),
                Some(&target) => {
                    let rows = rule.third_rows(pair.0, pair.1, target);
                    if is_empty(&rows) {
                        return None;
                    }
                    LinkRows::Known(rows)
                }
            };
            chain.links[chain.length] = Link { above, rows };
            above = pair.1;
            chain.length += 1;
        }
        Some(chain)
    }

    /// Whether the links can be chosen, one after the other, where the new row is given.
    fn is_possible(&self, rule: &RowRule, row: Row) -> bool {
        let Some((last, links)) = self.links[..self.length].split_last() else {
            return true;
        };
        let mut current = [0; WORDS];
        current[usize::from(row >> 6)] = 1 << (row & 63);
        for link in links {
            let mut reached = [0; WORDS];
            for_each(&current, |row| {
                let more = rule.reached::<WORDS>(link.above, row);
                (0..WORDS).for_each(|word| reached[word] |= more[word]);
                false
            });
            let rows = link.rows(rule, row);
            current = std::array::from_fn(|word| reached[word] & rows[word]);
            if is_empty(&current) {
                return false;
            }
        }
        let rows = last.rows(rule, row);
        let is_reached = for_each(&current, |row| {
            let reached = rule.reached::<WORDS>(last.above, row);
            (0..WORDS).any(|word| reached[word] & rows[word] != 0)
        });
        is_reached && self.goes_on_below(rule, row, 0, row, None, &mut { MOST_STEPS_BELOW })
    }

    /// Whether the links from one on can be chosen so that the rows below them, from which they
    /// follow, follow from each other too. `before` is the row before the link, and `below` the row
    /// before that with what can lie below it; where this takes too many steps the answer is yes.
    fn goes_on_below(
        &self,
        rule: &RowRule,
        row: Row,
        index: usize,
        before: Row,
        below: Option<(Row, &[u64; WORDS])>,
        steps: &mut u32,
    ) -> bool {
        if index == self.length || *steps == 0 {
            return true;
        }
        *steps -= 1;
        let link = &self.links[index];
        let reached = rule.reached::<WORDS>(link.above, before);
        let mut rows = link.rows(rule, row);
        (0..WORDS).for_each(|word| rows[word] &= reached[word]);
        if is_empty(&rows) {
            return false;
        }
        let mut possible = [u64::MAX; WORDS];
        if let Some((above, rows)) = below {
            possible = [0; WORDS];
            for_each(rows, |row| {
                let more = rule.reached::<WORDS>(above, row);
                (0..WORDS).for_each(|word| possible[word] |= more[word]);
                false
            });
        }
        for_each(&rows, |next| {
            let mut below = rule.third_rows::<WORDS>(link.above, before, next);
            (0..WORDS).for_each(|word| below[word] &= possible[word]);
            !is_empty(&below)
                && self.goes_on_below(rule, row, index + 1, next, Some((before, &below)), steps)
        })
    }
}

impl<const WORDS: usize> Link<WORDS> {
    /// What it can be, where the new row is given.
    #[inline]
    fn rows(&self, rule: &RowRule, row: Row) -> [u64; WORDS] {
        match self.rows {
            LinkRows::Known(rows) => rows,
            LinkRows::Open(a, b) => rule.third_rows(a, b, row),
        }
    }
}

#[inline]
fn is_empty<const WORDS: usize>(set: &[u64; WORDS]) -> bool {
    set.iter().fold(0, |all, word| all | word) == 0
}

/// Goes through a set until it is told that this is enough, and says whether it was.
#[inline]
fn for_each<const WORDS: usize>(
    set: &[u64; WORDS],
    mut is_enough: impl FnMut(Row) -> bool,
) -> bool {
    for (word, &rows) in set.iter().enumerate() {
        let mut rows = rows;
        while rows != 0 {
            if is_enough((word * 64) as Row + rows.trailing_zeros() as Row) {
                return true;
            }
            rows &= rows - 1;
        }
    }
    false
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_period_have_all_numbers() {
        for (period, offset) in [(3, 1), (4, 1), (4, 2), (5, 2), (6, 2), (6, 3), (7, 3)] {
            let phases = RowPhases::new(period, offset);
            assert_eq!(
                phases.steps.iter().sum::<usize>(),
                (period * offset) as usize
            );
            assert!(
                phases
                    .steps
                    .iter()
                    .all(|&step| (1..period as usize).contains(&step))
            );
            let mut number = 0;
            let mut seen = vec![false; period as usize];
            for _ in 0..period {
                assert!(!std::mem::replace(
                    &mut seen[number % period as usize],
                    true
                ));
                let step = phases.steps[number % period as usize];
                number += step;
                assert_eq!(phases.steps_back[number % period as usize], step);
            }
        }
    }
}
