//! The verdict on an editor's drawing: solvability, number of solutions, fewest moves and grade.
//! All that it states is proven; unknown values stay open.

use super::search::SearchPermit;
use super::view_model::counted;
use laser::generator::{Grade, ProofEffort};
use laser::solver::{Aim, Question, solve};
use laser::{Board, Light};
use serde_json::{Value, json};
use std::time::Duration;

/// Solutions are counted up to this number.
const MOST_SOLUTIONS: u64 = 10;

/// What is known of a drawing so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct DraftVerdict {
    /// Whether there is anything to light.
    has_sensors: bool,
    /// Whether it is solved as it stands.
    stands_solved: bool,
    solvable: Option<bool>,
    /// How many solutions there are at least.
    solutions: u64,
    /// Whether these are all.
    is_counted: bool,
    /// The fewest moves that were found, and whether none are fewer.
    moves: Option<u32>,
    is_fewest: bool,
    grade: Option<Grade>,
}

/// Analyses a board and reports each time more is known; `true` marks the last report.
pub(super) fn judge(
    board: &Board,
    permit: &SearchPermit,
    report: &mut dyn FnMut(&DraftVerdict, bool),
) {
    let status = Light::of(board).status(board);
    let mut verdict = DraftVerdict {
        has_sensors: status.sensors > 0,
        stands_solved: status.is_solved(),
        solvable: status.is_solved().then_some(true),
        ..DraftVerdict::default()
    };
    if status.sensors == 0 {
        verdict.solvable = Some(false);
        return report(&verdict, true);
    }
    let part = |aim, seconds| {
        let until = Duration::from_secs(seconds);
        solve(board, Question::new(aim), &mut |_| {
            permit.goes_on_until(until)
        })
    };
    let all = part(
        Aim::All {
            up_to: MOST_SOLUTIONS,
        },
        4,
    );
    verdict.solvable = verdict.solvable.or(all.solvable);
    verdict.solutions = all.solutions.len() as u64;
    verdict.is_counted = all.is_complete;
    if all.is_complete && all.solutions.len() == 1 {
        let effort = ProofEffort {
            nodes: all.nodes,
            pieces: board.pieces().count() as u32,
        };
        verdict.grade = Some(effort.grade());
    }
    if verdict.solvable == Some(false) {
        return report(&verdict, true);
    }
    report(&verdict, false);
    if verdict.solvable.is_none() {
        verdict.solvable = part(Aim::Any, 7).solvable;
        report(&verdict, false);
    }
    if verdict.stands_solved {
        (verdict.moves, verdict.is_fewest) = (Some(0), true);
    } else {
        let fewest = part(Aim::Fewest, 10);
        verdict.solvable = verdict.solvable.or(fewest.solvable);
        verdict.moves = fewest.moves.map(|moves| moves.len() as u32);
        verdict.is_fewest = fewest.is_fewest;
    }
    report(&verdict, true);
}

impl DraftVerdict {
    /// The verdict as a message to the page.
    pub(super) fn to_json(&self, id: u64, is_last: bool) -> Value {
        json!({ "verdict": {
            "id": id,
            "done": is_last,
            "solvable": self.solvable,
            "unique": self.is_unique(),
            "moves": self.moves,
            "fewest": self.moves.filter(|_| self.is_fewest),
            "grade": self.grade.map(Grade::name),
            "words": self.words(is_last),
        }})
    }

    fn is_unique(&self) -> Option<bool> {
        match (self.solutions, self.is_counted) {
            (2.., _) => Some(false),
            (solutions, true) => Some(solutions == 1),
            (_, false) => None,
        }
    }

    fn words(&self, is_last: bool) -> String {
        if !self.has_sensors {
            return "no sensor, so nothing to solve".into();
        }
        if self.solvable == Some(false) {
            return "this level cannot be solved".into();
        }
        let mut parts: Vec<String> = Vec::new();
        if self.stands_solved {
            parts.push("solved as it stands".into());
        }
        let open = |what: &str| match is_last {
            true => format!("{what}: not known"),
            false => format!("{what}: looking"),
        };
        match (self.solvable, self.solutions, self.is_counted) {
            (None, ..) => return open("whether it can be solved"),
            (_, 1, true) => parts.push("one solution".into()),
            (_, solutions, true) => parts.push(format!("{solutions} solutions")),
            (_, solutions, false) if solutions >= MOST_SOLUTIONS => {
                parts.push(format!("{solutions} solutions or more"));
            }
            (_, solutions @ 2.., false) => parts.push(format!("{solutions} solutions at least")),
            _ => parts.push(open("can be solved, whether in one way only")),
        }
        match self.moves {
            Some(0) => {}
            Some(moves) if self.is_fewest => parts.push(counted(moves)),
            Some(moves) => parts.push(format!("{} at most", counted(moves))),
            None => parts.push(open("fewest moves")),
        }
        parts.extend(self.grade.map(|grade| grade.to_string()));
        parts.join(" · ")
    }
}
