//! The static evaluation.

use games::Seat;
use games::stones::StonesBoard;

/// The weights of the lead, in hundredths of a stone, after the numbers of quiet ticks in
/// [`EvaluationWeights::TICKS`]. A quiet tick is one without a move.
///
/// The current numbers of stones say little: many of them are about to die, and others about to
/// be born. So the board evolves alone for a while, and the leads along the way are summed up.
/// The later ticks are worth their time: without those after the fourth, 50 of 60 games were
/// lost in spite of 1.7 times as many positions. Sixteen are too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationWeights(pub [i32; EvaluationWeights::COUNT]);

impl EvaluationWeights {
    /// The quiet ticks after which the lead is looked at.
    pub const TICKS: [u32; Self::COUNT] = [0, 1, 2, 3, 4, 6, 8, 12];

    /// How many weights there are.
    pub const COUNT: usize = 8;

    /// The evaluation of a position for the seat to move.
    #[inline]
    pub(super) fn of(&self, board: &StonesBoard, seat: Seat) -> i32 {
        let mut value = 0;
        let mut board = *board;
        let mut tick = 0;
        for (&weight, at) in self.0.iter().zip(Self::TICKS) {
            if weight == 0 {
                continue;
            }
            while tick < at {
                board = board.ticked();
                tick += 1;
            }
            value += weight * board.lead();
        }
        match seat {
            Seat::First => value,
            Seat::Second => -value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game as _;
    use games::stones::{Stones, point};

    /// A block of black stones stays, a white blinker turns: 4 to 3 at all times; a lone
    /// black stone is gone after one tick.
    #[test]
    fn leads_are_summed_up_along_the_way() {
        let mut board = StonesBoard::default();
        for (column, row) in [(3, 3), (3, 4), (4, 3), (4, 4), (18, 18)] {
            board.put(Seat::First, point(column, row));
        }
        for column in 10..13 {
            board.put(Seat::Second, point(column, 10));
        }
        let weights = EvaluationWeights([1000, 100, 0, 0, 0, 10, 0, 1]);
        assert_eq!(weights.of(&board, Seat::First), 2111);
        assert_eq!(weights.of(&board, Seat::Second), -2111);
    }

    #[test]
    fn the_start_is_even() {
        let start = Stones::default().start();
        let weights = EvaluationWeights([7; EvaluationWeights::COUNT]);
        assert_eq!(weights.of(start.board(), Seat::First), 0);
    }
}
