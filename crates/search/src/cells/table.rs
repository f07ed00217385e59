//! The tables of constraints: for each descriptor, what follows. An entry has ten bits for the
//! positions whose value follows, ten for the values, and the uppermost for a constraint that
//! cannot hold. Own method.

use super::core::{CONFLICT, POSITIONS, TableShape};

/// A table before its place is known.
pub(super) struct ConstraintTable {
    pub(super) entries: Vec<u32>,
    pub(super) weights: [[u16; 2]; POSITIONS],
}

impl ConstraintTable {
    pub(super) fn shape(&self, base: u32) -> TableShape {
        TableShape {
            base,
            weights: self.weights,
        }
    }

    /// A relation of the variables at some positions. `holds` gets a bit for each position, in
    /// their order. Descriptors have base 3: not known, false, true.
    pub(super) fn of_relation(positions: &[usize], holds: &dyn Fn(u32) -> bool) -> Self {
        let mut weights = [[0; 2]; POSITIONS];
        let powers: Vec<usize> = (0..positions.len() as u32)
            .map(|i| 3_usize.pow(i))
            .collect();
        for (&position, &power) in positions.iter().zip(&powers) {
            weights[position] = [power as u16, 2 * power as u16];
        }
        let size = 3_usize.pow(positions.len() as u32);
        let digit = |index: usize, i: usize| index / powers[i] % 3;
        let mut is_possible = vec![false; size];
        for index in (0..size).rev() {
            let free = (0..positions.len()).find(|&i| digit(index, i) == 0);
            is_possible[index] = match free {
                Some(i) => is_possible[index + powers[i]] || is_possible[index + 2 * powers[i]],
                None => holds(
                    (0..positions.len())
                        .fold(0, |bits, i| bits | u32::from(digit(index, i) == 2) << i),
                ),
            };
        }
        let entry = |index: usize| {
            if !is_possible[index] {
                return CONFLICT;
            }
            let free = (0..positions.len()).filter(|&i| digit(index, i) == 0);
            free.fold(0, |entry, i| {
                let can_be_false = is_possible[index + powers[i]];
                let can_be_true = is_possible[index + 2 * powers[i]];
                entry | forced(positions[i], can_be_false, can_be_true)
            })
        };
        Self {
            entries: (0..size).map(entry).collect(),
            weights,
        }
    }

    /// A relation of how many of some positions are true, and of two more variables. Descriptors
    /// have four bits for those that are false, four for those that are true, and two each for
    /// the others.
    pub(super) fn of_count(
        counted: &[usize],
        own: usize,
        next: usize,
        holds: &dyn Fn(u32, bool, bool) -> bool,
    ) -> Self {
        let mut weights = [[0; 2]; POSITIONS];
        for &position in counted {
            weights[position] = [1, 1 << 4];
        }
        weights[own] = [1 << 8, 2 << 8];
        weights[next] = [1 << 10, 2 << 10];
        let total = counted.len() as u32;
        // for each count the own and next values that it goes with, a bit each
        let of_count: Vec<u8> = (0..=total)
            .map(|count| {
                let values = [(false, false), (false, true), (true, false), (true, true)];
                let goes = |(bit, &(own, next)): (usize, &(bool, bool))| {
                    u8::from(holds(count, own, next)) << bit
                };
                values.iter().enumerate().map(goes).sum()
            })
            .collect();
        // the bits that are left where the own value, and where the next one, is known
        let own_bits = |code: u32| [0b1111, 0b0011, 0b1100][code as usize];
        let next_bits = |code: u32| [0b1111, 0b0101, 0b1010][code as usize];
        let is_possible = |dead: u32, live: u32, own: u32, next: u32| {
            let counts = &of_count[live as usize..=(total - dead) as usize];
            let values = counts.iter().fold(0, |all, values| all | values);
            values & own_bits(own) & next_bits(next) != 0
        };
        let entry = |descriptor: u32| {
            let (dead, live) = (descriptor & 15, descriptor >> 4 & 15);
            let (own_code, next_code) = (descriptor >> 8 & 3, descriptor >> 10 & 3);
            if dead + live > total || own_code == 3 || next_code == 3 {
                return CONFLICT;
            }
            if !is_possible(dead, live, own_code, next_code) {
                return CONFLICT;
            }
            let mut entry = 0;
            if dead + live < total {
                let can_be_false = is_possible(dead + 1, live, own_code, next_code);
                let can_be_true = is_possible(dead, live + 1, own_code, next_code);
                for &position in counted {
                    entry |= forced(position, can_be_false, can_be_true);
                }
            }
            if own_code == 0 {
                let can_be = [1, 2].map(|own| is_possible(dead, live, own, next_code));
                entry |= forced(own, can_be[0], can_be[1]);
            }
            if next_code == 0 {
                let can_be = [1, 2].map(|next| is_possible(dead, live, own_code, next));
                entry |= forced(next, can_be[0], can_be[1]);
            }
            entry
        };
        Self {
            entries: (0..3 << 10).map(entry).collect(),
            weights,
        }
    }
}

fn forced(position: usize, can_be_false: bool, can_be_true: bool) -> u32 {
    match (can_be_false, can_be_true) {
        (true, true) => 0,
        _ => 1 << position | u32::from(can_be_true) << (POSITIONS + position),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_tables_say_the_same_of_life() {
        let life = |count: u32, own: bool, next: bool| next == (count == 3 || own && count == 2);
        let counted = [0, 1, 2, 3, 5, 6, 7, 8];
        let by_count = ConstraintTable::of_count(&counted, 4, 9, &life);
        let positions = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        let by_relation = ConstraintTable::of_relation(&positions, &|bits| {
            let count = (bits & 0b1_1110_1111).count_ones();
            life(count, bits >> 4 & 1 == 1, bits >> 9 & 1 == 1)
        });
        for index in 0..3_usize.pow(10) {
            let digits: Vec<usize> = (0..10).map(|i| index / 3_usize.pow(i) % 3).collect();
            let descriptor = |table: &ConstraintTable| {
                let known = digits.iter().enumerate().filter(|&(_, &digit)| digit > 0);
                known
                    .map(|(i, &digit)| usize::from(table.weights[i][digit - 1]))
                    .sum::<usize>()
            };
            let entry = by_relation.entries[descriptor(&by_relation)];
            let mut other = by_count.entries[descriptor(&by_count)];
            // that of counts says it of neighbours which are known too
            for (i, _) in digits.iter().enumerate().filter(|&(_, &digit)| digit > 0) {
                other &= !(1 << i | 1 << (POSITIONS + i));
            }
            assert_eq!(entry, other, "{digits:?}");
        }
    }
}
