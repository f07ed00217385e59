//! Growth that is proven long before its readings are complete: all that stays repeats exactly, and
//! gliders leave it. Own method.

use crate::settle::plane::SoupPlane;
use crate::settle::plane::escape::TOUCHING;

/// The longest period of the gains that is looked for.
const LONGEST_PERIOD: usize = 160;

/// The least number of readings whose gains have to be equal before a proof is tried.
const EQUAL_GAINS: usize = 128;

/// The least number of generations after which cells are compared.
const SHORTEST_ROUND: usize = 32;

/// Adds all populations up to so many, when it is proven what they are. The last of `populations`
/// is that of the plane.
///
/// The cells on the plane, gliders that were taken out left aside, have to be the same three times,
/// with as many generations between, and no glider in doubt. So what stays runs through the same
/// phases for ever, as long as no glider that has left comes back to it. One that left in the first
/// of these two rounds was behind nothing that lives in all phases of the second; later it is
/// farther out, and the phases are the same, so it never is; and one that leaves later flies as it
/// did. Two gliders do not meet: one that is taken out is behind all others, which are ever farther
/// out when the next one is.
pub(crate) fn add_steady(plane: &SoupPlane, populations: &mut Vec<u64>, count: usize) -> bool {
    let Some(period) = gain_period(populations) else {
        return false;
    };
    // planes advance by two generations
    let period = period << (period % 2);
    let round = period * SHORTEST_ROUND.div_ceil(period);
    let mut plane = plane.clone();
    plane.return_gliders(false);
    plane.let_streams_escape(TOUCHING);
    let start = cells_of(&plane);
    let mut more = Vec::new();
    for _ in 0..2 {
        plane.advance_with_populations(round as u64, &mut more);
        plane.let_streams_escape(TOUCHING);
        if plane.is_escape_doubtful() || cells_of(&plane) != start {
            return false;
        }
    }
    let gain = more[2 * round - 1].saturating_sub(more[round - 1]);
    if gain == 0 {
        return false;
    }
    populations.append(&mut more);
    for at in populations.len()..count {
        populations.push(populations[at - round] + gain);
    }
    true
}

/// The least number of readings after which the population has lately grown by always the same.
fn gain_period(populations: &[u64]) -> Option<usize> {
    let end = populations.len();
    (1..=LONGEST_PERIOD).find(|&period| {
        let compared = EQUAL_GAINS.max(2 * period);
        let Some(first) = end.checked_sub(compared + period) else {
            return false;
        };
        let gain = |at: usize| populations[at + period].checked_sub(populations[at]);
        let last = gain(end - 1 - period).filter(|&last| last > 0);
        last.is_some() && (first..end - period).all(|at| gain(at) == last)
    })
}

/// Tiles keep their order, so equal cells come in equal order.
fn cells_of(plane: &SoupPlane) -> Vec<(i32, i32)> {
    let mut cells = Vec::new();
    plane.for_each_cell(|x, y| cells.push((x, y)));
    cells
}
