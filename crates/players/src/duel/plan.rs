//! Plans: a seat's columns for the coming turns.

use games::Dice;
use games::duel::Column;

/// The most columns that a plan can hold.
pub(super) const MAX_LENGTH: usize = 24;

/// Columns, the next turn's first; nothing is played after them. A column may cost more
/// than there will be: what cannot be paid is left out as it is played ([`affordable`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ColumnPlan(pub(super) [Column; MAX_LENGTH]);

impl ColumnPlan {
    /// The empty plan.
    pub(super) const IDLE: Self = Self([0; MAX_LENGTH]);

    /// The column for a turn, counted from 0.
    #[inline]
    pub(super) fn column(&self, turn: usize) -> Column {
        self.0.get(turn).copied().unwrap_or(0)
    }

    /// The rest of the plan after `turns` turns.
    pub(super) fn after(&self, turns: usize) -> Self {
        Self(std::array::from_fn(|turn| {
            self.column(turn.saturating_add(turns))
        }))
    }

    /// A plan of random columns.
    pub(super) fn random(rows: u32, length: usize, dice: &mut Dice) -> Self {
        let mut plan = Self::IDLE;
        for column in &mut plan.0[..length] {
            *column = random_column(rows, dice);
        }
        plan
    }

    /// A random neighbour of the plan.
    pub(super) fn changed(&self, rows: u32, length: usize, dice: &mut Dice) -> Self {
        let mut plan = *self;
        let changes = 1 + u32::from(dice.below(3) == 0) + u32::from(dice.below(4) == 0);
        for _ in 0..changes {
            plan.change(rows, length, dice);
        }
        plan
    }

    fn change(&mut self, rows: u32, length: usize, dice: &mut Dice) {
        let columns = &mut self.0[..length];
        let turn = dice.below(length as u32) as usize;
        match dice.below(10) {
            0..=2 => columns[turn] = random_column(rows, dice),
            3..=5 => columns[turn] ^= 1 << dice.below(rows),
            6 => columns[turn] = rolled(rows, columns[turn], dice.coin()),
            7 => columns.swap(turn, dice.below(length as u32) as usize),
            8 => {
                // all that follows comes a turn later
                columns[turn..].rotate_right(1);
                columns[turn] = if dice.coin() {
                    0
                } else {
                    random_column(rows, dice)
                };
            }
            _ => {
                columns[turn..].rotate_left(1);
                columns[length - 1] = 0;
            }
        }
    }
}

/// The affordable part of a column: ones are dropped from the bottom up.
#[inline]
pub(super) fn affordable(mut column: Column, mana: u32) -> Column {
    while column.count_ones() > mana {
        column &= !(1 << (31 - column.leading_zeros()));
    }
    column
}

/// The distribution of the number of ones in a random column: mostly one, two or three, since a
/// seat gets two mana a turn.
const COSTS: [u32; 16] = [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5];

fn random_column(rows: u32, dice: &mut Dice) -> Column {
    let cost = COSTS[dice.below(COSTS.len() as u32) as usize];
    (0..cost).fold(0, |column, _| column | 1 << dice.below(rows))
}

/// A column moved down or up by one row; the rows wrap.
fn rolled(rows: u32, column: Column, is_down: bool) -> Column {
    let every = u32::MAX >> (32 - rows);
    let (top, bottom) = (column & 1, column >> (rows - 1));
    if is_down {
        column << 1 & every | bottom
    } else {
        column >> 1 | top << (rows - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_paid_is_left_out_from_the_bottom_up() {
        for (column, mana, expected) in [
            (0b1011_0110, 9, 0b1011_0110),
            (0b1011_0110, 5, 0b1011_0110),
            (0b1011_0110, 3, 0b0001_0110),
            (0b1011_0110, 1, 0b0000_0010),
            (u32::MAX, 0, 0),
        ] {
            assert_eq!(affordable(column, mana), expected, "{column:b} for {mana}");
        }
    }

    #[test]
    fn columns_roll_over_the_edge() {
        for (rows, column, down, up) in [
            (8, 0b1000_0001, 0b0000_0011, 0b1100_0000),
            (1, 1, 1, 1),
            (32, 1 << 31, 1, 1 << 30),
        ] {
            assert_eq!(rolled(rows, column, true), down);
            assert_eq!(rolled(rows, column, false), up);
        }
    }

    #[test]
    fn changes_stay_on_the_board_and_in_the_plan() {
        let mut dice = Dice::new(5);
        for (rows, length) in [(1, 1), (8, 5), (32, MAX_LENGTH)] {
            let mut plan = ColumnPlan::random(rows, length, &mut dice);
            for _ in 0..5000 {
                plan = plan.changed(rows, length, &mut dice);
                assert!(plan.0.iter().all(|c| c.leading_zeros() >= 32 - rows));
                assert!(plan.0[length..].iter().all(|&c| c == 0));
            }
        }
    }

    #[test]
    fn time_passes() {
        let mut plan = ColumnPlan::IDLE;
        plan.0[..3].copy_from_slice(&[1, 2, 3]);
        assert_eq!(plan.after(2).0[..2], [3, 0]);
        assert_eq!(plan.after(usize::MAX), ColumnPlan::IDLE);
    }
}
