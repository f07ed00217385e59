//! A proof search: can this seat complete a line, whatever the other does? (Own method. That
//! threats are searched before quiet moves is the idea of threat-space search: Allis, van den Herik
//! and Huntjens, *Go-Moku and Threat-Space Search*, 1993.)

use super::lines::{MnkCanonicalImage, MnkCellSet, MnkLineTable, MnkSymmetryImages, ONE, bits};
use super::table::{AttackBounds, AttackTable};
use crate::{SearchBudget, SearchObserver};
use games::mnk::Cell;

/// The result for the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttackResult {
    /// It wins against any defence.
    Wins,
    /// It does not win with this many quiet moves.
    NotYet,
    /// It does not win with any number of them.
    Never,
    /// The search was stopped.
    Stopped,
}

/// A search for one attacker's win.
///
/// The search deepens by quiet moves: attacker's moves that threaten nothing, so that the
/// defender may answer freely. Threats and forced answers are free, since they hardly branch.
/// It looks for wins without a quiet move first, then with one, and so on, until there is a win
/// or no branch was cut for lack of quiet moves. Deepening by plies was rejected: wins in these
/// games are long sequences of threats after few quiet moves.
pub(super) struct AttackSearch<'a> {
    pub(super) lines: &'a MnkLineTable,
    pub(super) table: &'a mut AttackTable,
    pub(super) budget: &'a mut SearchBudget,
    pub(super) observer: &'a mut dyn SearchObserver<Cell>,
}

const ATTACKER: u8 = 1;
const DEFENDER: u8 = 2;

impl AttackSearch<'_> {
    /// The attacker's best move in this position, if one was found.
    pub(super) fn best(&self, images: &MnkSymmetryImages) -> Option<u32> {
        let known = self.lookup(&images.key(), ATTACKER);
        (known.best != AttackBounds::NO_MOVE).then_some(u32::from(known.best))
    }

    /// Whether the attacker wins; `attacker_moves` says who is to move. Nobody has a line.
    pub(super) fn run(&mut self, images: &MnkSymmetryImages, attacker_moves: bool) -> AttackResult {
        for quiet in 0..=64 {
            let answer = if attacker_moves {
                self.search_attacker(images, quiet)
            } else {
                self.search_defender(images, quiet)
            };
            if answer != AttackResult::NotYet {
                return answer;
            }
        }
        unreachable!("with a quiet move for each cell nothing is left out")
    }

    fn counts(&mut self) -> bool {
        self.budget.goes_on(1, self.observer)
    }

    /// Searches a node where the attacker is to move, with `quiet` quiet moves left.
    fn search_attacker(&mut self, images: &MnkSymmetryImages, quiet: u8) -> AttackResult {
        if !self.counts() {
            return AttackResult::Stopped;
        }
        let (own, other) = (images.attacker(), images.defender());
        let statistics = self.lines.statistics(own, other);
        if statistics.attacker_wins != 0 {
            return AttackResult::Wins;
        }
        match statistics.defender_wins.count_ones() {
            0 => {}
            1 => {
                let block = statistics.defender_wins.trailing_zeros();
                return self.search_defender(&self.lines.attack(images, block), quiet);
            }
            _ => return AttackResult::Never,
        }
        // as second player, the breaker holds any potential below one half (Erdős and
        // Selfridge, "On a combinatorial game", 1973)
        if statistics.potential < ONE / 2 {
            return AttackResult::Never;
        }
        let key = images.key();
        let known = self.lookup(&key, ATTACKER);
        if let Some(answer) = result_for(known, quiet) {
            return answer;
        }
        if self.lines.is_paired_off(own, other) {
            self.store(&key, ATTACKER, AttackResult::Never, quiet, known.best, 1);
            return AttackResult::Never;
        }
        let before = self.budget.nodes();
        // a cell on no open line is a pass, and an extra stone never harms: any other cell does
        // at least as well
        let alive = statistics.attacker_alive | statistics.defender_alive;
        let threats = statistics.attacker_threats;
        let mut answer = AttackResult::Never;
        let mut best = known.best;
        let order = self.order_moves(own, other, alive, threats, known.best);
        for &(_, cell) in order.as_slice() {
            let is_threat = threats >> cell & 1 == 1;
            if !is_threat && quiet == 0 {
                answer = AttackResult::NotYet;
                continue;
            }
            let next = self.lines.attack(images, u32::from(cell));
            match self.search_defender(&next, if is_threat { quiet } else { quiet - 1 }) {
                AttackResult::Wins => {
                    (answer, best) = (AttackResult::Wins, cell);
                    break;
                }
                AttackResult::NotYet => answer = AttackResult::NotYet,
                AttackResult::Never => {}
                AttackResult::Stopped => return AttackResult::Stopped,
            }
        }
        let work = self.budget.nodes() - before;
        self.store(&key, ATTACKER, answer, quiet, best, work);
        answer
    }

    /// Searches a node where the defender is to move.
    fn search_defender(&mut self, images: &MnkSymmetryImages, quiet: u8) -> AttackResult {
        if !self.counts() {
            return AttackResult::Stopped;
        }
        let (attacker, defender) = (images.attacker(), images.defender());
        let statistics = self.lines.statistics(attacker, defender);
        if statistics.defender_wins != 0 {
            return AttackResult::Never;
        }
        match statistics.attacker_wins.count_ones() {
            0 => {}
            1 => {
                let block = statistics.attacker_wins.trailing_zeros();
                return self.search_attacker(&self.lines.defend(images, block), quiet);
            }
            _ => return AttackResult::Wins,
        }
        // as first player, the breaker holds any potential below one
        if statistics.potential < ONE {
            return AttackResult::Never;
        }
        let key = images.key();
        let known = self.lookup(&key, DEFENDER);
        if let Some(answer) = result_for(known, quiet) {
            return answer;
        }
        let before = self.budget.nodes();
        let alive = statistics.attacker_alive | statistics.defender_alive;
        let mut answer = AttackResult::Wins;
        let mut best = known.best;
        let order = self.order_moves(defender, attacker, alive, 0, known.best);
        for &(_, cell) in order.as_slice() {
            let next = self.lines.defend(images, u32::from(cell));
            match self.search_attacker(&next, quiet) {
                AttackResult::Wins => {}
                AttackResult::Stopped => return AttackResult::Stopped,
                holds => {
                    (answer, best) = (holds, cell);
                    break;
                }
            }
        }
        let work = self.budget.nodes() - before;
        self.store(&key, DEFENDER, answer, quiet, best, work);
        answer
    }

    /// The relevant moves, the best first.
    fn order_moves(
        &self,
        own: MnkCellSet,
        other: MnkCellSet,
        alive: MnkCellSet,
        first: MnkCellSet,
        best: u8,
    ) -> AttackMoveOrder {
        let weights = self.lines.cell_weights(own, other);
        let mut order = AttackMoveOrder {
            moves: [(0, 0); 64],
            count: 0,
        };
        for cell in bits(alive & !(own | other)) {
            let mut weight = weights[cell as usize];
            if first >> cell & 1 == 1 {
                weight += 1 << 29;
            }
            if cell == u32::from(best) {
                weight += 1 << 30;
            }
            order.moves[order.count] = (weight, cell as u8);
            order.count += 1;
        }
        order.moves[..order.count].sort_unstable_by(|a, b| b.cmp(a));
        order
    }

    /// Looks up the table, with the best move in this position's orientation.
    fn lookup(&self, key: &MnkCanonicalImage, mover: u8) -> AttackBounds {
        let mut known = self.table.get(key.stones, mover);
        if known.best != AttackBounds::NO_MOVE {
            known.best = self.lines.of_canonical(key, known.best);
        }
        known
    }

    fn store(
        &mut self,
        key: &MnkCanonicalImage,
        mover: u8,
        answer: AttackResult,
        quiet: u8,
        best: u8,
        work: u64,
    ) {
        let mut known = self.table.get(key.stones, mover);
        if best != AttackBounds::NO_MOVE {
            known.best = self.lines.to_canonical(key, best);
        }
        match answer {
            AttackResult::Wins => known.wins_with = known.wins_with.min(quiet),
            AttackResult::NotYet => known.fails_below = known.fails_below.max(quiet + 1),
            AttackResult::Never => known.fails_below = AttackBounds::NEVER,
            AttackResult::Stopped => return,
        }
        self.table.put(key.stones, mover, known, work);
    }
}

/// The result that the bounds imply for this many quiet moves.
fn result_for(known: AttackBounds, quiet: u8) -> Option<AttackResult> {
    if known.fails_below == AttackBounds::NEVER {
        Some(AttackResult::Never)
    } else if known.wins_with <= quiet {
        Some(AttackResult::Wins)
    } else if quiet < known.fails_below {
        Some(AttackResult::NotYet)
    } else {
        None
    }
}

/// Moves with their weights.
struct AttackMoveOrder {
    moves: [(u32, u8); 64],
    count: usize,
}

impl AttackMoveOrder {
    fn as_slice(&self) -> &[(u32, u8)] {
        &self.moves[..self.count]
    }
}
