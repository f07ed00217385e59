//! How many patterns that repeat lie in a box: `--count`.

use super::{EngineArgument, SearchDisplay, SearchOptions, refused, stopped};
use crate::failure::CliFailure;
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use grid::Symmetry;
use search::{
    BlockRule, BoxSymmetry, CellSearch, CycleCountError, PeriodicQuestion, PopulationLimits,
    ProblemSolver, SearchAnswer, SearchEngine, SearchFlow, SearchProgress, count_cycles,
};
use std::time::Instant;

impl SearchOptions {
    /// Counts what lies in the box, each image and each phase for itself.
    pub(super) fn count_periodic(
        &self,
        questions: Vec<PeriodicQuestion>,
        place: &str,
    ) -> Result<(), CliFailure> {
        self.refuse_for("--count")?;
        if self.engine == EngineArgument::Sat {
            let message = "--count: the engine sat finds patterns and does not count them";
            return Err(CliFailure::wrong(message).with_hint("leave out --engine".to_owned()));
        }
        let begun = Instant::now();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let mut watch = SearchDisplay::new(self, begun);
        let mut count = 0_u128;
        let mut is_complete = true;
        for question in questions {
            let rule = BlockRule::new(&question.rule).map_err(|error| refused(error.into()))?;
            let by_rows = self.engine == EngineArgument::Auto && is_plain(&question);
            if by_rows {
                let mut is_full = false;
                let mut control = |progress: &SearchProgress| {
                    let (row, states) = (progress.depth, progress.nodes);
                    lines.show(|_| format!("row {row}, {states} states"));
                    let is_late = self.time.is_some_and(|time| begun.elapsed() >= time);
                    is_full = progress.bytes > self.memory.0;
                    if interrupts.asked_to_stop() || is_late || is_full {
                        SearchFlow::Stop
                    } else {
                        SearchFlow::Continue
                    }
                };
                let (period, width, height) = (question.period, question.width, question.height);
                // where this does not fit, the other engine is asked
                match count_cycles(&rule, period, width, height, &mut control) {
                    Ok(cycles) => {
                        count += cycles;
                        continue;
                    }
                    Err(CycleCountError::Stopped) if !is_full => {
                        is_complete = false;
                        break;
                    }
                    Err(_) => {}
                }
            }
            let question = PeriodicQuestion {
                up_to_symmetry: false,
                ..question
            };
            let problem = question.problem().map_err(refused)?;
            let table = problem.generations[0].clone();
            let mut search = CellSearch::new(problem, self.cell_options());
            let answer = loop {
                let answer = search.solve(&mut |progress, assignment| {
                    let partial = table.partial(assignment);
                    watch.progress(&mut lines, SearchEngine::Cells, progress, &partial);
                    if interrupts.asked_to_stop() || !watch.has_room() {
                        SearchFlow::Stop
                    } else {
                        SearchFlow::Continue
                    }
                });
                match answer {
                    SearchAnswer::Found(_) => count += 1,
                    end => break end,
                }
            };
            if answer == SearchAnswer::Stopped {
                is_complete = false;
                break;
            }
        }
        lines.clear();
        if !is_complete {
            let message = format!("{}; {count} were counted by then", watch.ended(None));
            return Err(stopped(&interrupts, message));
        }
        if self.json {
            return output::line(format_args!("{{\"count\":{count},\"complete\":true}}"));
        }
        output::line(format_args!(
            "{count} {place}, each image and each phase counted"
        ))
    }
}

/// Whether it is an oscillator, and nothing but its period and its box is asked.
fn is_plain(question: &PeriodicQuestion) -> bool {
    question.symmetry == BoxSymmetry::C1
        && question.transform == Symmetry::Identity
        && (question.dx, question.dy) == (0, 0)
        && question.population == PopulationLimits::default()
        && question.diagonal_width.is_none()
        && question.fixed.is_empty()
        && !question.subperiod
        && question.empty == (question.period == 1)
}
