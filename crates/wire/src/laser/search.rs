//! What a laser page has searched: as the text of a job, and what comes of it.

use super::message::LaserRecipeRequest;
use super::view_model;
use grid::Point;
use laser::generator::{self, GenerateError, GeneratorProgress, Grade};
use laser::solver::SolverAnswer;
use laser::{Board, Move};
use models::laser::{judge, solve_permitted};
use models::worker_pool::JobPermit;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;

/// The interval of the generator's progress messages.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// Something to search.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LaserSearch {
    /// The fewest moves that solve a board.
    Solve { board: String },
    /// The verdict on a drawing with this number.
    Judge { board: String, id: u64 },
    /// A level.
    Generate(LaserRecipeRequest),
}

/// The solver's answer as a report.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct LaserSearchReport {
    solvable: Option<bool>,
    at_least: u32,
    moves: Option<Vec<[i64; 4]>>,
    is_fewest: bool,
}

impl LaserSearchReport {
    /// Reads a report; one of work that broke down says nothing.
    pub(super) fn read(text: &str) -> SolverAnswer {
        let report: Self = serde_json::from_str(text).unwrap_or_default();
        let moves = report.moves.map(|moves| {
            let step = |[x, y, to_x, to_y]: [i64; 4]| Move {
                from: Point::new(x, y),
                to: Point::new(to_x, to_y),
            };
            moves.into_iter().map(step).collect()
        });
        SolverAnswer {
            solvable: report.solvable,
            at_least: report.at_least,
            moves,
            is_fewest: report.is_fewest,
            ..SolverAnswer::default()
        }
    }
}

impl From<SolverAnswer> for LaserSearchReport {
    fn from(answer: SolverAnswer) -> Self {
        let place = |step: Move| [step.from.x, step.from.y, step.to.x, step.to.y];
        Self {
            solvable: answer.solvable,
            at_least: answer.at_least,
            moves: answer
                .moves
                .map(|moves| moves.into_iter().map(place).collect()),
            is_fewest: answer.is_fewest,
        }
    }
}

impl LaserSearch {
    /// Its text.
    pub(super) fn to_job(&self) -> String {
        json!({ "laser": self }).to_string()
    }

    /// Searches, and reports what is to be told.
    ///
    /// # Errors
    /// It is none that a room asks for.
    pub(crate) fn run(
        &self,
        permit: &JobPermit,
        report: &mut dyn FnMut(String),
    ) -> Result<(), String> {
        let board = |text: &str| text.parse::<Board>().map_err(|error| error.to_string());
        match self {
            Self::Solve { board: text } => {
                let answer = solve_permitted(&board(text)?, permit, &mut |_| {});
                report(json!(LaserSearchReport::from(answer)).to_string());
            }
            Self::Judge { board: text, id } => {
                judge(&board(text)?, permit, &mut |verdict, is_last| {
                    report(view_model::verdict(verdict, *id, is_last).to_string());
                });
            }
            Self::Generate(request) => generate(request, permit, report)?,
        }
        Ok(())
    }
}

fn generate(
    request: &LaserRecipeRequest,
    permit: &JobPermit,
    report: &mut dyn FnMut(String),
) -> Result<(), String> {
    let recipe = request.recipe()?;
    let mut reported = permit.elapsed();
    let made = generator::generate(&recipe, &mut |progress| {
        let now = permit.elapsed();
        if now >= reported + PROGRESS_INTERVAL {
            reported = now;
            let nearest = progress.nearest.map(Grade::name);
            let GeneratorProgress { tries, reached, .. } = progress;
            let progress_message =
                json!({ "making": { "tries": tries, "nearest": nearest, "reached": reached } });
            report(progress_message.to_string());
        }
        permit.goes_on()
    });
    let body = match made {
        Ok(made) => view_model::made(&recipe, &made),
        Err(GenerateError::Stopped { tries }) => {
            let seconds = permit.elapsed().as_secs();
            let words = format!(
                "no such level among {tries} boards in {seconds} s; another seed may have one, or a smaller board"
            );
            json!({ "unmade": { "words": words } })
        }
        Err(error) => json!({ "unmade": { "words": error.to_string() } }),
    };
    report(body.to_string());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_breaks_down_says_nothing() {
        let answer = LaserSearchReport::read("{\"error\":\"no\"}");
        assert_eq!((answer.moves, answer.solvable), (None, None));
    }
}
