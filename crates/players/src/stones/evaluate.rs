//! What a position looks to be worth, without looking ahead.

use games::Seat;
use games::stones::{Board, Children, Leads, count};

/// How much each thing counts for, in hundredths of a stone.
///
/// The seat that is to move is "own". A quiet tick is one in which nobody puts a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Own stones less the other's, now.
    pub now: i32,
    /// The same after one quiet tick.
    pub next: i32,
    /// The same after two quiet ticks.
    pub later: i32,
    /// The same after the own move that is best for it.
    pub best: i32,
    /// Stones that stand where they stood through two quiet ticks, own less the other's.
    pub still: i32,
    /// The share of all stones that the own lead is, in the position one quiet tick ahead:
    /// what it counts if every stone is one's own.
    pub share: i32,
}

impl Weights {
    /// How many there are.
    pub const COUNT: usize = 6;

    /// As a list, in the order of the fields.
    #[must_use]
    pub fn list(&self) -> [i32; Self::COUNT] {
        [
            self.now, self.next, self.later, self.best, self.still, self.share,
        ]
    }

    /// From a list, in the order of the fields.
    #[must_use]
    pub fn from_list([now, next, later, best, still, share]: [i32; Self::COUNT]) -> Self {
        Self {
            now,
            next,
            later,
            best,
            still,
            share,
        }
    }

    /// What a position looks to be worth to the seat to move, whose moves are `children`.
    #[inline]
    pub(super) fn of(&self, board: &Board, children: &Children, leads: &Leads) -> i32 {
        let seat = children.seat();
        let own = |lead: i32| match seat {
            Seat::First => lead,
            Seat::Second => -lead,
        };
        let next = children.base();
        let mut value = self.next * leads.base();
        if self.now != 0 {
            value += self.now * own(board.lead());
        }
        if self.best != 0 {
            let best = leads.best(children.legal()).map_or(0, |best| best.0);
            value += self.best * best;
        }
        if self.later != 0 || self.still != 0 {
            let later = next.ticked();
            value += self.later * own(later.lead());
            if self.still != 0 {
                let [black, white] = Seat::BOTH.map(|seat| {
                    let [now, next, later] = [board, next, &later].map(|b| b.stones(seat));
                    let stay = std::array::from_fn(|row| now[row] & next[row] & later[row]);
                    count(&stay) as i32
                });
                value += self.still * own(black - white);
            }
        }
        if self.share != 0 {
            let [black, white] = Seat::BOTH.map(|seat| count(next.stones(seat)) as i32);
            value += self.share * own(black - white) / (black + white + 4);
        }
        value
    }
}
