//! Ships of a given width and any height: `gridpaper search ship --width`.

use super::saved::SavedRows;
use super::{SearchDisplay, SearchOptions, SearchWords, stopped};
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use census::StateBox;
use grid::Point;
use models::parallel_jobs::run_jobs;
use rule::Rule;
use search::{
    FoundPattern, RowAnswer, RowQuestion, RowSearch, RowSymmetry, SearchFlow, SearchProgress,
    Velocity,
};
use std::collections::BTreeSet;
use std::num::NonZero;
use std::thread;
use std::time::Instant;

/// What is asked for.
pub(super) struct RowShip {
    pub(super) rule: Rule,
    pub(super) velocity: Velocity,
    pub(super) width: u32,
    pub(super) symmetry: RowSymmetry,
    /// Whether what goes on behind a ship is searched, too.
    pub(super) tagalongs: bool,
}

impl RowShip {
    /// Searches by rows, and says how it ended.
    pub(super) fn search(self, options: &SearchOptions) -> Result<(), CliFailure> {
        let Self {
            rule,
            velocity,
            width,
            symmetry,
            tagalongs,
        } = self;
        if options.proof.is_some() {
            let message = "--proof: a search by rows goes through all ships, and writes no proof";
            return Err(CliFailure::wrong(message));
        }
        if options.cubes.is_some() {
            let message = "--cubes: a search by rows is not cut; --threads shares it out";
            return Err(CliFailure::wrong(message));
        }
        if velocity.columns != 0 {
            let message = format!(
                "--width: a search by rows is for ships that move along columns, and not at {velocity}"
            );
            return Err(CliFailure::wrong(message).with_hint("give a box with --size".to_owned()));
        }
        let question = RowQuestion {
            rule: rule.clone(),
            period: velocity.period,
            offset: velocity.rows.unsigned_abs() as u32,
            width,
            symmetry,
            tagalongs,
            memory: options.memory.0,
        };
        let half = if symmetry == RowSymmetry::None {
            ""
        } else {
            " on each side of the axis"
        };
        let place = format!("{velocity}, {width} columns{half}, symmetry {symmetry}, {rule}");
        let behind = if tagalongs { ", tagalongs" } else { "" };
        let words = SearchWords {
            kind: "spaceship",
            question: format!("search ship: {place}{behind}"),
            none: format!("no spaceship of {place} of any height"),
            size: (0, 0),
            rule: rule.clone(),
            keeps_place: false,
        };
        for path in options.save.iter() {
            output::check_place(path)?;
        }
        let mut keys = BTreeSet::new();
        let mut search = match &options.resume {
            Some(path) => {
                let saved = SavedRows::read(path, &words.question)?;
                keys = saved.keys;
                RowSearch::resume(question, saved.state)
            }
            None => RowSearch::new(question),
        }
        .map_err(CliFailure::wrong)?;
        let begun = Instant::now();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let mut watch = SearchDisplay::new(options, begun);
        // the search keeps to its share of the memory by itself
        watch.memory = u64::MAX;
        let threads = options
            .threads
            .or_else(|| thread::available_parallelism().ok());
        let threads = threads.unwrap_or(NonZero::<usize>::MIN);
        let jobs = |count: usize, job: &(dyn Fn(usize) + Sync)| run_jobs(threads, count, job);
        let mut told = 0;
        let mut saved = Instant::now();
        loop {
            let mut is_due = false;
            let answer = search.solve_with(&jobs, &mut |progress, cells| {
                watch.rows(&mut lines, progress, cells);
                is_due = options.save.is_some() && saved.elapsed() > options.save_every;
                let goes_on = !interrupts.asked_to_stop() && watch.has_room() && !is_due;
                if goes_on {
                    SearchFlow::Continue
                } else {
                    SearchFlow::Stop
                }
            });
            match answer {
                RowAnswer::Found(cells) => {
                    let cells = StateBox::from_points(&cells);
                    let mut found = FoundPattern::named(&rule, cells).map_err(CliFailure::wrong)?;
                    found.cells = StateBox::from_points(&found.cells.points());
                    check(&found, velocity)?;
                    if !keys.insert(found.apgcode.clone().unwrap_or_default()) {
                        continue;
                    }
                    lines.clear();
                    let words = SearchWords {
                        size: (found.cells.width() as u32, found.cells.height() as u32),
                        question: words.question.clone(),
                        none: String::new(),
                        rule: rule.clone(),
                        ..words
                    };
                    options.tell(&found, &words, begun.elapsed().as_secs_f64())?;
                    told += 1;
                    if told >= options.patterns() {
                        return Ok(());
                    }
                }
                RowAnswer::Exhausted => {
                    lines.clear();
                    if keys.is_empty() {
                        let message =
                            format!("{}; the engine rows has gone through all of it", words.none);
                        return Err(CliFailure::No {
                            message,
                            hint: None,
                        });
                    }
                    let behind = match tagalongs {
                        true => "",
                        false => "; what may follow behind a ship was not searched",
                    };
                    note(format_args!("these are all: {}{behind}", keys.len()));
                    return Ok(());
                }
                RowAnswer::Stopped => {
                    if let Some(path) = &options.save {
                        SavedRows::write(path, &words.question, &keys, &search.state())?;
                        saved = Instant::now();
                    }
                    if !interrupts.asked_to_stop() && watch.has_room() {
                        continue;
                    }
                    lines.clear();
                    let message = watch.ended(options.save.as_deref());
                    return Err(stopped(&interrupts, message));
                }
            }
        }
    }
}

/// A ship may repeat sooner than it was asked to, at the same speed.
fn check(found: &FoundPattern, velocity: Velocity) -> Result<(), CliFailure> {
    let period = found.period.unwrap_or(0);
    let is_it = period > 0
        && u64::from(velocity.period).is_multiple_of(period)
        && found.dy.abs() * (i64::from(velocity.period) / period as i64) == velocity.rows.abs();
    if is_it {
        return Ok(());
    }
    Err(CliFailure::wrong(
        "what was found is not what was asked for: it moves otherwise",
    ))
}

impl SearchDisplay {
    /// Progress of a search by rows.
    fn rows(
        &mut self,
        lines: &mut LiveTerminalLines,
        progress: &SearchProgress,
        cells: &dyn Fn() -> Vec<Point>,
    ) {
        let partial = || {
            let cells = StateBox::from_points(&cells());
            let rows = cells.states().chunks(cells.width().max(1));
            let rows = rows.map(|row| {
                row.iter()
                    .map(|&state| if state == 0 { '.' } else { 'o' })
                    .collect::<String>()
            });
            rows.collect::<Vec<_>>().join("\n")
        };
        self.show(lines, "rows", progress, &partial);
    }
}
