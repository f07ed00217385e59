//! The verdict on a level: solvability, number of solutions, fewest moves and grade.
//! All that it states is proven; unknown values stay open.

use crate::counted;
use crate::worker_pool::JobPermit;
use laser::generator::{Grade, ProofEffort};
use laser::solver::{Aim, Question, solve};
use laser::{Board, Light};
use std::time::Duration;

/// Solutions are counted up to this number.
const MOST_SOLUTIONS: u64 = 10;

/// What is known of a level so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelVerdict {
    /// Whether there is anything to light.
    has_sensors: bool,
    /// Whether it is solved as it stands.
    stands_solved: bool,
    /// Whether it can be solved.
    pub solvable: Option<bool>,
    /// How many solutions there are at least.
    solutions: u64,
    /// Whether these are all.
    is_counted: bool,
    /// The fewest moves that were found,
    pub moves: Option<u32>,
    /// and whether none are fewer.
    pub is_fewest: bool,
    /// How hard it is.
    pub grade: Option<Grade>,
}

/// Analyses a board and reports each time more is known; `true` marks the last report.
///
/// ```
/// use laser::Board;
/// use models::laser::judge;
/// use models::worker_pool::WorkerPool;
/// use std::sync::mpsc::channel;
///
/// let board: Board = "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?;
/// let pool = WorkerPool::new(Default::default());
/// pool.spawn("solver", 1)?;
/// let (sender, verdicts) = channel();
/// let _job = pool.begin(None, move |permit| {
///     judge(&board, permit, &mut |verdict, _| { let _ = sender.send(verdict.clone()); });
/// });
/// let last = verdicts.iter().last().expect("a verdict");
/// assert_eq!((last.solvable, last.moves, last.is_fewest), (Some(true), Some(1), true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(board: &Board, permit: &JobPermit, report: &mut dyn FnMut(&LevelVerdict, bool)) {
    let status = Light::of(board).status(board);
    let mut verdict = LevelVerdict {
        has_sensors: status.sensors > 0,
        stands_solved: status.is_solved(),
        solvable: status.is_solved().then_some(true),
        ..LevelVerdict::default()
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

impl LevelVerdict {
    /// Whether there is just one solution, once that is known.
    ///
    /// ```
    /// let verdict = models::laser::LevelVerdict::default();
    /// assert_eq!(verdict.is_unique(), None, "nothing is known yet");
    /// ```
    #[must_use]
    pub fn is_unique(&self) -> Option<bool> {
        match (self.solutions, self.is_counted) {
            (2.., _) => Some(false),
            (solutions, true) => Some(solutions == 1),
            (_, false) => None,
        }
    }

    /// The verdict in words; what is not known yet is looked for, unless this is the last report.
    ///
    /// ```
    /// let verdict = models::laser::LevelVerdict::default();
    /// assert_eq!(verdict.words(true), "no sensor, so nothing to solve");
    /// ```
    #[must_use]
    pub fn words(&self, is_last: bool) -> String {
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
            Some(moves) if self.is_fewest => parts.push(counted(moves, "move")),
            Some(moves) => parts.push(format!("{} at most", counted(moves, "move"))),
            None => parts.push(open("fewest moves")),
        }
        parts.extend(self.grade.map(|grade| grade.to_string()));
        parts.join(" · ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker_pool::WorkerPool;
    use std::sync::mpsc::channel;

    fn words(level: &str) -> String {
        let board: Board = level.parse().unwrap();
        let pool = WorkerPool::new(Default::default());
        pool.spawn("test", 1).unwrap();
        let (sender, received) = channel();
        let _job = pool.begin(None, move |permit| {
            judge(&board, permit, &mut |verdict, is_last| {
                if is_last {
                    sender.send(verdict.words(true)).unwrap();
                }
            });
        });
        received.recv().unwrap()
    }

    #[test]
    fn levels_are_judged() {
        let mirror = "4 3\nW W SvW\nL>. . W\nW M/W W";
        assert!(words(mirror).starts_with("one solution · 1 move · "));
        for (level, expected) in [
            ("2 1\nL>W", "no sensor, so nothing to solve"),
            ("3 1\nL<M/S<", "this level cannot be solved"),
            ("3 1\nL>. S<", "solved as it stands · one solution"),
        ] {
            let words = words(level);
            assert!(words.starts_with(expected), "{words}");
        }
    }
}
