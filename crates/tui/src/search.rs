//! The search screen: patterns with a property are looked for while one watches.
//!
//! [`SearchScreen`] is a [`JobScreen`]; the search itself is `models::search_job`.

use crate::bar::{BarPiece, cut};
use crate::ink::Ink;
use crate::job_screen::{JobKeyAction, JobScreen, JobScreenModel, PatternChoice, RowPart};
use crate::panel::ChoiceRows;
use crate::screens::{ScreenKey, key};
use models::search_job::{SearchFind, SearchJob, SearchRequest, SearchTask, SearchView};
use models::worker_pool::WorkerPool;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The search screen.
pub type SearchScreen = JobScreen<SearchScreenModel>;

/// What the search screen asks and shows.
pub struct SearchScreenModel {
    request: SearchRequest,
    /// What each task was given last: it is kept while others are asked for.
    period: String,
    velocity: String,
    generations: String,
    job: Option<SearchJob>,
    view: SearchView,
}

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchField {
    /// The rule.
    Rule,
    /// The period, the velocity, or the generations before.
    Period,
    /// The box.
    Size,
    /// The symmetry.
    Symmetry,
    /// Live cells at most.
    MostCells,
    /// The cells that are known.
    Drawing,
    /// Free rows and columns around them.
    Margin,
}

/// What a key changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchChange {
    /// The next task.
    Task,
    /// All, or one.
    All,
}

impl Default for SearchScreenModel {
    fn default() -> Self {
        Self {
            request: SearchRequest::in_box(SearchTask::Oscillator { period: 3 }, (7, 7)),
            period: "3".into(),
            velocity: "c/3".into(),
            generations: "1".into(),
            job: None,
            view: SearchView::default(),
        }
    }
}

impl SearchScreenModel {
    /// What the period's key types, by task.
    fn pace(&self) -> &String {
        match self.request.task {
            SearchTask::Ship { .. } => &self.velocity,
            SearchTask::Predecessor { .. } => &self.generations,
            _ => &self.period,
        }
    }

    fn enter_pace(&mut self, text: &str) -> Result<(), String> {
        let Self {
            request,
            period,
            velocity,
            generations,
            ..
        } = self;
        let (kept, is_number) = match request.task {
            SearchTask::Ship { .. } => (velocity, false),
            SearchTask::Predecessor { .. } => (generations, true),
            _ => (period, true),
        };
        if is_number && text.parse::<u32>().is_err() {
            return Err(format!("{text}: that is no number of generations"));
        }
        *kept = text.into();
        self.request.task = self.task_like(&self.request.task);
        Ok(())
    }

    /// A task of this kind, with what was typed for it.
    fn task_like(&self, task: &SearchTask) -> SearchTask {
        let number = |text: &String| text.parse().unwrap_or(1);
        match task {
            SearchTask::Oscillator { .. } => SearchTask::Oscillator {
                period: number(&self.period),
            },
            SearchTask::Ship { .. } => SearchTask::Ship {
                velocity: self.velocity.clone(),
            },
            SearchTask::Predecessor { .. } => SearchTask::Predecessor {
                generations: number(&self.generations),
            },
            SearchTask::Still | SearchTask::Orphan => task.clone(),
        }
    }

    /// What is asked, in a line.
    fn asked(&self) -> String {
        let SearchRequest {
            task,
            size: (width, height),
            symmetry,
            ..
        } = &self.request;
        let in_box = match self.request.drawing.is_empty() {
            true => format!("{width}x{height} {symmetry}"),
            false => format!("as drawn, {symmetry}"),
        };
        match task {
            SearchTask::Still => format!("still life {in_box}"),
            SearchTask::Oscillator { period } => format!("oscillator of period {period} {in_box}"),
            SearchTask::Ship { velocity } => format!("spaceship {velocity} {in_box}"),
            SearchTask::Predecessor { generations } => {
                let before = models::counted(*generations, "generation");
                format!("what becomes the drawing in {before}")
            }
            SearchTask::Orphan => "whether the drawing is an orphan".into(),
        }
    }
}

impl JobScreenModel for SearchScreenModel {
    type Field = SearchField;
    type Change = SearchChange;

    const NAME: &'static str = "search";
    const VERB: &'static str = "searches";
    const NOTHING: &'static str = "nothing is found yet: space begins";
    #[rustfmt::skip]
    const KEYS: &'static [ScreenKey<JobKeyAction<SearchField, SearchChange>>] = &[
        key("Space", JobKeyAction::Go, "search, or stop"),
        key("t", JobKeyAction::Change(SearchChange::Task), "what is looked for: oscillators, spaceships, still lifes, predecessors, an orphan"),
        key("r", JobKeyAction::Type(SearchField::Rule), "the rule"),
        key("p", JobKeyAction::Type(SearchField::Period), "the period, the velocity, or the generations before"),
        key("b", JobKeyAction::Type(SearchField::Size), "the box: columns x rows"),
        key("y", JobKeyAction::Type(SearchField::Symmetry), "the symmetry: C1, D2|, D8"),
        key("m", JobKeyAction::Type(SearchField::MostCells), "live cells at most"),
        key("d", JobKeyAction::Type(SearchField::Drawing), "what is known: o is live, . is dead, ? is free, $ ends a row"),
        key("f", JobKeyAction::Type(SearchField::Margin), "free rows and columns around the live cells that are known"),
        key("a", JobKeyAction::Change(SearchChange::All), "list all, or one"),
        key("Enter", JobKeyAction::Open(RowPart::Pattern), "open the chosen pattern"),
        key("?", JobKeyAction::Help, "this help"),
        key("q", JobKeyAction::Leave, "leave"),
        key("Escape", JobKeyAction::Leave, ""),
    ];

    fn is_running(&self) -> bool {
        self.job.is_some() && self.view.end.is_none()
    }

    fn start(&mut self, pool: &WorkerPool) -> Result<(), String> {
        let job = SearchJob::start(pool, self.request.clone(), None);
        let job = job.map_err(|error| error.to_string())?;
        self.view = job.view();
        self.job = Some(job);
        Ok(())
    }

    fn stop(&self) {
        if let Some(job) = &self.job {
            job.stop();
        }
    }

    fn update(&mut self) -> Result<bool, String> {
        let before = std::mem::take(&mut self.view);
        self.view = self.job.as_ref().map(SearchJob::view).unwrap_or_default();
        Ok(self.view != before)
    }

    fn text(&self, field: SearchField) -> String {
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let (width, height) = self.request.size;
        match field {
            SearchField::Rule => self.request.rule.clone(),
            SearchField::Period => self.pace().clone(),
            SearchField::Size => format!("{width}x{height}"),
            SearchField::Symmetry => self.request.symmetry.clone(),
            SearchField::MostCells => number(self.request.max_cells).unwrap_or_default(),
            SearchField::Drawing => self.request.drawing.clone(),
            SearchField::Margin => number(self.request.free_margin).unwrap_or_default(),
        }
    }

    fn label(&self, field: SearchField) -> &'static str {
        match (field, &self.request.task) {
            (SearchField::Rule, _) => "rule ",
            (SearchField::Period, SearchTask::Ship { .. }) => "velocity ",
            (SearchField::Period, SearchTask::Predecessor { .. }) => "generations before ",
            (SearchField::Period, _) => "period ",
            (SearchField::Size, _) => "box ",
            (SearchField::Symmetry, _) => "symmetry ",
            (SearchField::MostCells, _) => "cells at most ",
            (SearchField::Drawing, _) => "known ",
            (SearchField::Margin, _) => "free around it ",
        }
    }

    fn hint(&self, field: SearchField) -> &'static str {
        match field {
            SearchField::Drawing => "3?$?o?$3?!",
            _ => "",
        }
    }

    fn enter(&mut self, field: SearchField, text: &str) -> Result<(), String> {
        let refusal = |what: &str| format!("{text}: that is no {what}");
        let number = || match text {
            "" => Ok(None),
            _ => text.parse().map(Some).map_err(|_| refusal("number")),
        };
        match field {
            SearchField::Rule => self.request.rule = text.into(),
            SearchField::Symmetry => self.request.symmetry = text.into(),
            SearchField::Drawing => self.request.drawing = text.into(),
            SearchField::MostCells => self.request.max_cells = number()?,
            SearchField::Margin => self.request.free_margin = number()?,
            SearchField::Size => {
                let sides = text.split_once('x').and_then(|(width, height)| {
                    width.trim().parse().ok().zip(height.trim().parse().ok())
                });
                self.request.size = sides.ok_or_else(|| refusal("box: columns x rows"))?;
            }
            SearchField::Period => self.enter_pace(text)?,
        }
        Ok(())
    }

    fn change(&mut self, change: SearchChange) {
        match change {
            SearchChange::Task => {
                let next = match self.request.task {
                    SearchTask::Oscillator { .. } => SearchTask::Ship {
                        velocity: String::new(),
                    },
                    SearchTask::Ship { .. } => SearchTask::Still,
                    SearchTask::Still => SearchTask::Predecessor { generations: 1 },
                    SearchTask::Predecessor { .. } => SearchTask::Orphan,
                    SearchTask::Orphan => SearchTask::Oscillator { period: 1 },
                };
                self.request.task = self.task_like(&next);
            }
            SearchChange::All => self.request.all = !self.request.all,
        }
    }

    fn listed(&self) -> usize {
        self.view.found.len()
    }

    fn choice(&self, row: usize, _: RowPart) -> Option<PatternChoice> {
        let (find, job) = self.view.found.get(row).zip(self.job.as_ref())?;
        let body = find.rle.lines().filter(|line| {
            let is_header = line.starts_with('#') || line.contains('=');
            !is_header
        });
        Some(PatternChoice {
            pattern: body.collect(),
            rule: job.request().rule.clone(),
        })
    }

    fn question(&self, ink: Ink) -> Vec<BarPiece> {
        let how_many = if self.request.all { "all" } else { "one" };
        vec![
            BarPiece::left(2, self.request.rule.clone(), ink.strong()),
            BarPiece::left(1, self.asked(), ink.text()),
            BarPiece::right(3, how_many, ink.soft()),
        ]
    }

    /// The cells lie beside the list.
    fn draw_list(&self, rows: &mut ChoiceRows, buffer: &mut Buffer, area: Rect, ink: Ink) {
        let list = Rect::new(area.x, area.y, area.width / 2, area.height);
        let lines: Vec<String> = self.view.found.iter().map(line).collect();
        if lines.is_empty() {
            let words = match (self.job.is_some(), self.is_running()) {
                (false, _) => "space searches",
                (true, true) => "nothing is found yet",
                (true, false) => "nothing was found",
            };
            buffer.set_stringn(list.x, list.y, words, list.width.into(), ink.soft());
        }
        rows.draw(buffer, list, &lines, ink);
        let cells = match self.view.found.get(rows.chosen) {
            Some(find) if !self.is_running() => &find.rows,
            _ => &self.view.partial,
        };
        for (y, text) in (list.y..list.bottom()).zip(cells) {
            let x = list.right() + 1;
            let room = usize::from(area.right().saturating_sub(x));
            buffer.set_stringn(x, y, text, room, ink.text());
        }
    }

    fn words(&self) -> String {
        match self.job.is_some() {
            true => self.view.words(),
            false => String::new(),
        }
    }
}

fn line(find: &SearchFind) -> String {
    let cells = models::counted(find.population, "cell");
    let code = find.code.as_deref().filter(|&code| code != find.title());
    let text = format!(
        "{:<24} {cells:>10} {}",
        cut(find.title(), 24),
        code.unwrap_or("")
    );
    text.trim_end().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        crate::screens::check_keys(SearchScreenModel::KEYS);
    }
}
