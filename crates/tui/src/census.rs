//! The census screen: soups are run while one watches, and what they leave stands in a table.
//!
//! [`CensusScreen`] is a [`JobScreen`]; the census itself is `models::census_run`.

use crate::bar::{BarPiece, cut};
use crate::ink::Ink;
use crate::job_screen::{JobKeyAction, JobScreen, JobScreenModel, PatternChoice, RowPart};
use crate::panel::ChoiceRows;
use crate::screens::{ScreenKey, key};
use models::census_run::{CensusRequest, CensusRow, CensusRun, CensusView};
use models::worker_pool::WorkerPool;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The census screen.
pub type CensusScreen = JobScreen<CensusScreenModel>;

/// What the census screen asks and shows.
pub struct CensusScreenModel {
    request: CensusRequest,
    census: Option<CensusRun>,
    view: CensusView,
    /// Only objects whose name, kind or code has this are listed.
    search: String,
}

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CensusField {
    /// The rule.
    Rule,
    /// The symmetry of the soups.
    Symmetry,
    /// The text that the soups are made of.
    Root,
    /// How many soups.
    Soups,
    /// The filter of the list.
    Search,
}

impl Default for CensusScreenModel {
    fn default() -> Self {
        Self {
            request: CensusRequest {
                rule: "B3/S23".into(),
                symmetry: "C1".into(),
                root: "gridpaper".into(),
                soups: 10_000,
            },
            census: None,
            view: CensusView::default(),
            search: String::new(),
        }
    }
}

impl CensusScreenModel {
    fn rows(&self) -> Vec<&CensusRow> {
        let search = self.search.to_lowercase();
        let found = |row: &&CensusRow| {
            let name = row.name.unwrap_or_default();
            row.code.contains(&search) || name.contains(&search) || row.kind.contains(&search)
        };
        self.view.rows.iter().filter(found).collect()
    }
}

impl JobScreenModel for CensusScreenModel {
    type Field = CensusField;
    type Change = ();

    const NAME: &'static str = "census";
    const VERB: &'static str = "counts";
    const NOTHING: &'static str = "nothing is counted yet: space begins";
    #[rustfmt::skip]
    const KEYS: &'static [ScreenKey<JobKeyAction<CensusField, ()>>] = &[
        key("Space", JobKeyAction::Go, "count, or stop"),
        key("r", JobKeyAction::Type(CensusField::Rule), "the rule"),
        key("y", JobKeyAction::Type(CensusField::Symmetry), "the symmetry of the soups: C1, D8_4"),
        key("t", JobKeyAction::Type(CensusField::Root), "the text that the soups are made of"),
        key("n", JobKeyAction::Type(CensusField::Soups), "how many soups"),
        key("/", JobKeyAction::Type(CensusField::Search), "search the objects"),
        key("Enter", JobKeyAction::Open(RowPart::Pattern), "open the chosen object"),
        key("o", JobKeyAction::Open(RowPart::Soup), "open a soup that leaves it"),
        key("?", JobKeyAction::Help, "this help"),
        key("q", JobKeyAction::Leave, "leave"),
        key("Escape", JobKeyAction::Leave, ""),
    ];

    fn is_running(&self) -> bool {
        self.census.is_some() && !self.view.is_over
    }

    fn start(&mut self, pool: &WorkerPool) -> Result<(), String> {
        let census = CensusRun::start(pool, self.request.clone(), None);
        let census = census.map_err(|error| error.to_string())?;
        self.view = census.view();
        self.census = Some(census);
        Ok(())
    }

    fn stop(&self) {
        if let Some(census) = &self.census {
            census.stop();
        }
    }

    fn update(&mut self) -> Result<bool, String> {
        let before = std::mem::take(&mut self.view);
        self.view = self
            .census
            .as_ref()
            .map(CensusRun::view)
            .unwrap_or_default();
        match &self.view.error {
            Some(error) => Err(error.clone()),
            None => Ok(self.view != before),
        }
    }

    fn text(&self, field: CensusField) -> String {
        match field {
            CensusField::Rule => self.request.rule.clone(),
            CensusField::Symmetry => self.request.symmetry.clone(),
            CensusField::Root => self.request.root.clone(),
            CensusField::Soups => self.request.soups.to_string(),
            CensusField::Search => self.search.clone(),
        }
    }

    fn label(&self, field: CensusField) -> &'static str {
        match field {
            CensusField::Rule => "rule ",
            CensusField::Symmetry => "symmetry ",
            CensusField::Root => "root ",
            CensusField::Soups => "soups ",
            CensusField::Search => "⌕ ",
        }
    }

    fn hint(&self, field: CensusField) -> &'static str {
        match field {
            CensusField::Search => "a name, a kind or a code",
            _ => "",
        }
    }

    fn enter(&mut self, field: CensusField, text: &str) -> Result<(), String> {
        match field {
            CensusField::Rule => self.request.rule = text.into(),
            CensusField::Symmetry => self.request.symmetry = text.into(),
            CensusField::Root => self.request.root = text.into(),
            CensusField::Search => self.search = text.into(),
            CensusField::Soups => {
                let digits: String = text.chars().filter(|&c| c != '_' && c != ',').collect();
                let refusal = |_| format!("{text}: that is no number of soups");
                self.request.soups = digits.parse().map_err(refusal)?;
            }
        }
        Ok(())
    }

    fn is_filter(field: CensusField) -> bool {
        field == CensusField::Search
    }

    fn change(&mut self, (): ()) {}

    fn listed(&self) -> usize {
        self.rows().len()
    }

    fn choice(&self, row: usize, what: RowPart) -> Option<PatternChoice> {
        let row = *self.rows().get(row)?;
        let pattern = match what {
            RowPart::Pattern => row.code.clone(),
            RowPart::Soup => row.soup.clone()?,
        };
        let rule = self.census.as_ref()?.request().rule.clone();
        Some(PatternChoice { pattern, rule })
    }

    fn question(&self, ink: Ink) -> Vec<BarPiece> {
        let CensusRequest {
            rule,
            symmetry,
            root,
            soups,
        } = &self.request;
        vec![
            BarPiece::left(1, rule.clone(), ink.strong()),
            BarPiece::left(2, format!("{symmetry}/{root}"), ink.text()),
            BarPiece::right(1, models::counted(*soups, "soup"), ink.soft()),
        ]
    }

    fn draw_list(&self, rows: &mut ChoiceRows, buffer: &mut Buffer, area: Rect, ink: Ink) {
        let width = usize::from(area.width);
        let heading = columns(["object", "kind", "count", "per soup", "code"], width);
        buffer.set_stringn(area.x, area.y, heading, width, ink.soft());
        let list = Rect::new(area.x, area.y + 1, area.width, area.height - 1);
        let found = self.rows();
        let lines: Vec<String> = found
            .iter()
            .map(|row| line(row, self.view.soups, width))
            .collect();
        if lines.is_empty() {
            let words = match (self.census.is_some(), self.search.is_empty()) {
                (false, _) => "space counts what these soups leave",
                (true, false) => "no object has these words",
                (true, true) => "the first soups are run",
            };
            buffer.set_stringn(list.x, list.y, words, width, ink.soft());
        }
        rows.draw(buffer, list, &lines, ink);
    }

    fn words(&self) -> String {
        let view = &self.view;
        if self.census.is_none() {
            return String::new();
        }
        let soups = match view.is_over {
            true => models::counted(view.soups, "soup"),
            false => format!("{} of {} soups", view.soups, view.planned),
        };
        let kinds = models::counted(view.rows.len() as u64, "kind");
        let objects = models::counted(view.objects, "object");
        format!(
            "{soups} · {objects} of {kinds} · {:.0} a second",
            view.soups_per_second
        )
    }
}

/// The columns of the table, as many as there is room for.
fn columns(cells: [&str; 5], width: usize) -> String {
    let [name, kind, count, rate, code] = cells;
    let mut text = format!("{:<24} {count:>12}", cut(name, 24));
    if width >= 60 {
        text += &format!(" {rate:>10}");
    }
    if width >= 76 {
        text += &format!("  {kind:<13}");
    }
    if width >= 100 {
        text += &format!(" {code}");
    }
    cut(&text, width)
}

fn line(row: &CensusRow, soups: u64, width: usize) -> String {
    let name = row.name.unwrap_or(&row.code);
    let rate = row.count as f64 / soups.max(1) as f64;
    let rate = format!("{rate:.5}");
    columns(
        [name, &row.kind, &row.count.to_string(), &rate, &row.code],
        width,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        crate::screens::check_keys(CensusScreenModel::KEYS);
    }
}
