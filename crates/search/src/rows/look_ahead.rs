//! Which rows can come next. Rows of all generations stand in one sequence: the row y of
//! generation t has the number P*y + f(t), where f grows by the offset in a period P, so that a
//! ship's rows in the next period are its own (D. Eppstein, "Searching for Spaceships", 2000).
//! A new row m completes the block of rows whose middle is m - P. It is tried only where it can
//! itself be what follows from the rows before it, and where the rows at the same place in the
//! generations after it can be chosen, one after the other.

use super::row_rule::{Row, RowRule};

/// How the rows of generations follow each other.
pub(super) struct RowPhases {
    pub(super) period: usize,
    /// By number modulo the period, how much further the row of the next generation stands.
    steps: Vec<usize>,
    /// By number modulo the period, how far before it that of the generation before stands.
    steps_back: Vec<usize>,
    memory: ChainMemory,
}

/// What is known of the rows of a chain's links: by link and row, when it was seen, twice, and
/// whether the chain goes on from it.
#[derive(Default)]
struct ChainMemory {
    seen: Vec<u32>,
    now: u32,
}

impl ChainMemory {
    /// Forgets all.
    fn clear(&mut self, rows: usize) {
        self.now += 1;
        if self.seen.len() != rows * CHAIN_LENGTH || self.now == 1 << 30 {
            self.seen = vec![0; rows * CHAIN_LENGTH];
            self.now = 1;
        }
    }
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
            memory: ChainMemory::default(),
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

    /// The rows that may come after the last two periods of rows. `number` is that of the new row.
    pub(super) fn next_rows(
        &mut self,
        rule: &mut RowRule,
        rows: &[Row],
        number: usize,
        next: &mut Vec<Row>,
    ) {
        let period = self.period;
        let phase = number % period;
        let slot = rule.slot(rows[0], rows[period]);
        let target = rows[period + self.steps[phase]];
        if !rule.has_third_row(slot, target) {
            return;
        }
        let back = self.steps_back[phase];
        let before = rule.slot(rows[period - back], rows[2 * period - back]);
        let mut chain = Chain::default();
        let is_possible = chain.prepare(self, rule, rows, number);
        if !is_possible {
            return;
        }
        let memory = &mut self.memory;
        memory.clear(rule.rows());
        for index in 0..rule.third_rows(slot, target).len() {
            let row = rule.third_rows(slot, target)[index];
            if rule.has_third_row(before, row) && chain.is_possible(rule, memory, row) {
                next.push(row);
            }
        }
    }
}

/// The rows at the same place in the generations after a new row, as far as what they can be is
/// known already.
#[derive(Default)]
struct Chain {
    links: [Link; CHAIN_LENGTH],
    length: usize,
}

const CHAIN_LENGTH: usize = 8;

#[derive(Clone, Copy, Default)]
struct Link {
    /// The row above the link before, in its generation.
    above: Row,
    /// The tables of the rows this one is the third row to.
    slot: usize,
    /// What follows from these; none where it is the new row.
    target: Option<Row>,
}

impl Chain {
    /// False where a link has no row at all.
    fn prepare(
        &mut self,
        phases: &RowPhases,
        rule: &mut RowRule,
        rows: &[Row],
        number: usize,
    ) -> bool {
        let period = phases.period;
        let mut ahead = 0;
        let mut above = rows[period];
        while self.length < CHAIN_LENGTH {
            ahead += phases.steps[(number + ahead) % period];
            let target = period + ahead + phases.steps[(number + ahead) % period];
            if target > 2 * period || ahead >= period {
                break;
            }
            let slot = rule.slot(rows[ahead], rows[period + ahead]);
            let target = rows.get(target).copied();
            if target.is_some_and(|target| !rule.has_third_row(slot, target)) {
                return false;
            }
            self.links[self.length] = Link {
                above,
                slot,
                target,
            };
            above = rows[period + ahead];
            self.length += 1;
        }
        true
    }

    fn is_possible(&self, rule: &mut RowRule, memory: &mut ChainMemory, row: Row) -> bool {
        // what is known of a link holds for all new rows, unless one of them follows from the chain
        if self.links[..self.length]
            .iter()
            .any(|link| link.target.is_none())
        {
            memory.clear(rule.rows());
        }
        self.continues(rule, memory, row, 0, row)
    }

    /// Whether the links from one on can be chosen, where the row before it is given.
    fn continues(
        &self,
        rule: &mut RowRule,
        memory: &mut ChainMemory,
        row: Row,
        index: usize,
        before: Row,
    ) -> bool {
        if index == self.length {
            return true;
        }
        let link = self.links[index];
        let reach = rule.slot(link.above, before);
        let target = link.target.unwrap_or(row);
        for place in 0..rule.third_rows(link.slot, target).len() {
            let candidate = rule.third_rows(link.slot, target)[place];
            if !rule.has_third_row(reach, candidate) {
                continue;
            }
            if index + 1 == self.length {
                return true;
            }
            let at = index * rule.rows() + usize::from(candidate);
            let known = memory.seen[at];
            let goes_on = if known >> 1 == memory.now {
                known & 1 == 1
            } else {
                let goes_on = self.continues(rule, memory, row, index + 1, candidate);
                memory.seen[at] = memory.now << 1 | u32::from(goes_on);
                goes_on
            };
            if goes_on {
                return true;
            }
        }
        false
    }
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
