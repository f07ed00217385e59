//! One question, answered with proof: can this seat complete a line, whatever the other does?

use super::lines::{MnkCanonicalImage, MnkCellSet, MnkLineTable, MnkSymmetryImages, ONE, bits};
use super::table::{AttackBounds, AttackTable};
use crate::{Clock, SearchObserver};
use games::mnk::Cell;

/// The answer to whether the attacker wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttackResult {
    /// It does, against anything.
    Wins,
    /// Not with so few quiet moves.
    NotYet,
    /// It does not, whatever it tries.
    Never,
    /// The search was stopped.
    Stopped,
}

/// A search for one attacker's win.
///
/// The search goes by quiet moves: moves of the attacker's that threaten nothing, so that
/// the defender may answer as it likes. Threats and forced answers are free, since they
/// hardly branch. It first looks for wins without a quiet move, then with one, and so on,
/// until there is a win or nothing was left out for lack of quiet moves. Counting plies
/// instead lost: wins in these games are long rows of threats after few quiet moves.
pub(super) struct AttackSearch<'a> {
    pub(super) lines: &'a MnkLineTable,
    pub(super) table: &'a mut AttackTable,
    pub(super) clock: &'a mut Clock,
    pub(super) watch: &'a mut dyn SearchObserver<Cell>,
}

const ATTACKER: u8 = 1;
const DEFENDER: u8 = 2;

impl AttackSearch<'_> {
    /// The attacker's move that was found best here, if one was.
    pub(super) fn best(&self, views: &MnkSymmetryImages) -> Option<u32> {
        let known = self.recall(&views.key(), ATTACKER);
        (known.best != AttackBounds::NO_MOVE).then_some(u32::from(known.best))
    }

    /// Whether the attacker wins; `attacker_moves` says who is to move. Nobody has a line.
    pub(super) fn run(&mut self, views: &MnkSymmetryImages, attacker_moves: bool) -> AttackResult {
        for quiet in 0..=64 {
            let answer = if attacker_moves {
                self.attacker(views, quiet)
            } else {
                self.defender(views, quiet)
            };
            if answer != AttackResult::NotYet {
                return answer;
            }
        }
        unreachable!("with a quiet move for each cell nothing is left out")
    }

    fn counts(&mut self) -> bool {
        self.clock.goes_on(1, self.watch)
    }

    /// The attacker is to move, with so many quiet moves to spend.
    fn attacker(&mut self, views: &MnkSymmetryImages, quiet: u8) -> AttackResult {
        if !self.counts() {
            return AttackResult::Stopped;
        }
        let (own, other) = (views.attacker(), views.defender());
        let survey = self.lines.survey(own, other);
        if survey.attacker_wins != 0 {
            return AttackResult::Wins;
        }
        match survey.defender_wins.count_ones() {
            0 => {}
            1 => {
                let block = survey.defender_wins.trailing_zeros();
                return self.defender(&self.lines.attack(views, block), quiet);
            }
            _ => return AttackResult::Never,
        }
        // a breaker that moves second holds everything below one half (Erdős and
        // Selfridge, "On a combinatorial game", 1973)
        if survey.potential < ONE / 2 {
            return AttackResult::Never;
        }
        let key = views.key();
        let known = self.recall(&key, ATTACKER);
        if let Some(answer) = told(known, quiet) {
            return answer;
        }
        if self.lines.is_paired_off(own, other) {
            self.learn(&key, ATTACKER, AttackResult::Never, quiet, known.best, 1);
            return AttackResult::Never;
        }
        let before = self.clock.nodes();
        // a cell on no line that anybody can complete is a move passed over, and a stone
        // more never harms: any other cell does at least as well
        let alive = survey.attacker_alive | survey.defender_alive;
        let threats = survey.attacker_threats;
        let mut answer = AttackResult::Never;
        let mut best = known.best;
        let order = self.order(own, other, alive, threats, known.best);
        for &(_, cell) in order.as_slice() {
            let is_threat = threats >> cell & 1 == 1;
            if !is_threat && quiet == 0 {
                answer = AttackResult::NotYet;
                continue;
            }
            let next = self.lines.attack(views, u32::from(cell));
            match self.defender(&next, if is_threat { quiet } else { quiet - 1 }) {
                AttackResult::Wins => {
                    (answer, best) = (AttackResult::Wins, cell);
                    break;
                }
                AttackResult::NotYet => answer = AttackResult::NotYet,
                AttackResult::Never => {}
                AttackResult::Stopped => return AttackResult::Stopped,
            }
        }
        let work = self.clock.nodes() - before;
        self.learn(&key, ATTACKER, answer, quiet, best, work);
        answer
    }

    /// The defender is to move.
    fn defender(&mut self, views: &MnkSymmetryImages, quiet: u8) -> AttackResult {
        if !self.counts() {
            return AttackResult::Stopped;
        }
        let (attacker, defender) = (views.attacker(), views.defender());
        let survey = self.lines.survey(attacker, defender);
        if survey.defender_wins != 0 {
            return AttackResult::Never;
        }
        match survey.attacker_wins.count_ones() {
            0 => {}
            1 => {
                let block = survey.attacker_wins.trailing_zeros();
                return self.attacker(&self.lines.defend(views, block), quiet);
            }
            _ => return AttackResult::Wins,
        }
        // a breaker that moves first holds everything below one
        if survey.potential < ONE {
            return AttackResult::Never;
        }
        let key = views.key();
        let known = self.recall(&key, DEFENDER);
        if let Some(answer) = told(known, quiet) {
            return answer;
        }
        let before = self.clock.nodes();
        let alive = survey.attacker_alive | survey.defender_alive;
        let mut answer = AttackResult::Wins;
        let mut best = known.best;
        let order = self.order(defender, attacker, alive, 0, known.best);
        for &(_, cell) in order.as_slice() {
            let next = self.lines.defend(views, u32::from(cell));
            match self.attacker(&next, quiet) {
                AttackResult::Wins => {}
                AttackResult::Stopped => return AttackResult::Stopped,
                holds => {
                    (answer, best) = (holds, cell);
                    break;
                }
            }
        }
        let work = self.clock.nodes() - before;
        self.learn(&key, DEFENDER, answer, quiet, best, work);
        answer
    }

    /// The moves worth a look, the best first.
    fn order(
        &self,
        own: MnkCellSet,
        other: MnkCellSet,
        alive: MnkCellSet,
        first: MnkCellSet,
        best: u8,
    ) -> AttackMoveOrder {
        let weights = self.lines.weigh(own, other);
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

    /// What the table knows; the best move as it lies here.
    fn recall(&self, key: &MnkCanonicalImage, mover: u8) -> AttackBounds {
        let mut known = self.table.get(key.stones, mover);
        if known.best != AttackBounds::NO_MOVE {
            known.best = self.lines.turn_out(key, known.best);
        }
        known
    }

    fn learn(
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
            known.best = self.lines.turn_in(key, best);
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

/// What the table knows of this many quiet moves.
fn told(known: AttackBounds, quiet: u8) -> Option<AttackResult> {
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
