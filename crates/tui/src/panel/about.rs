//! The panel with facts about the pattern: what it is, and where it comes from.

use super::{PanelContext, PanelRequest, ScrollRows, window, wrapped};
use models::identification::{IdentificationJob, IdentificationState, IdentificationSubject};
use models::worker_pool::WorkerPool;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use session::{Session, Status};
use source::bytes_words;

/// The search for what the pattern is, and the scroll position of the facts.
#[derive(Debug, Default)]
pub(crate) struct AboutPanel {
    pub(crate) rows: ScrollRows,
    /// None without a thread to look on.
    job: Option<IdentificationJob>,
}

/// The width of the column of names.
const NAMES: usize = 16;

impl AboutPanel {
    /// Begins to look what the selection is, or all of it, where there is a thread for that.
    pub(crate) fn open(session: &Session, pool: Option<&WorkerPool>) -> Self {
        let job = pool.map(|pool| {
            let (rule, cells) = session.selected_cells();
            IdentificationJob::start(pool, IdentificationSubject { rule, cells })
        });
        Self {
            rows: ScrollRows::default(),
            job,
        }
    }

    /// Whether it still looks.
    pub(crate) fn is_looking(&self) -> bool {
        let state = self.job.as_ref().map(IdentificationJob::state);
        matches!(state, Some(IdentificationState::Looking(_)))
    }

    /// What the pattern is, as far as that is known.
    fn identified(&self) -> Vec<(&'static str, String)> {
        match self.job.as_ref().map(IdentificationJob::state) {
            None => Vec::new(),
            Some(IdentificationState::Looking(generation)) => {
                vec![("it is", format!("looking: generation {generation}"))]
            }
            Some(IdentificationState::Failed(error)) => vec![("it is", error)],
            Some(IdentificationState::Found(card)) => {
                let mut rows = vec![("it is", card.title)];
                rows.extend(card.rows);
                rows
            }
        }
    }

    pub(crate) fn key(&mut self, event: &KeyEvent) -> PanelRequest {
        if self.rows.scroll_key(event) {
            return PanelRequest::Stay;
        }
        match event.code {
            KeyCode::Char('i' | 'q') | KeyCode::Enter => PanelRequest::Close,
            _ => PanelRequest::Stay,
        }
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let ink = context.ink;
        let hint = "↑ ↓ scroll · esc closes";
        let inner = window(buffer, area, (78, 30), ("about", hint), ink);
        let columns = usize::from(inner.width).saturating_sub(NAMES);
        let mut lines = Vec::new();
        let mut all = self.identified();
        if !all.is_empty() {
            all.push(("", String::new()));
        }
        all.extend(facts(
            context.status,
            &context.session.world().rule().explain(),
        ));
        for (name, value) in all {
            for (index, line) in wrapped(&value, columns).into_iter().enumerate() {
                lines.push((if index == 0 { name } else { "" }, line));
            }
        }
        let first = self.rows.scrolled(inner, lines.len());
        for ((name, line), y) in lines.iter().skip(first).zip(inner.y..inner.bottom()) {
            buffer.set_stringn(inner.x, y, name, NAMES - 1, ink.soft());
            buffer.set_stringn(inner.x + NAMES as u16, y, line, columns, ink.text());
        }
    }
}

fn facts(status: &Status, rule: &str) -> Vec<(&'static str, String)> {
    let bounds = status.bounds.as_ref().map_or_else(
        || "no live cells".to_string(),
        |b| format!("{} x {} cells from {},{}", b.width, b.height, b.x, b.y),
    );
    let mut facts = vec![
        ("name", status.name.clone()),
        ("author", status.author.clone()),
        ("comments", status.comments.join("\n")),
        ("file", status.file.clone().unwrap_or_default()),
        ("generation", status.generation.clone()),
        ("population", status.population.clone()),
        ("bounds", bounds),
        ("engine", format!("{}: {}", status.engine, status.why)),
        ("memory", format!("{} at most", bytes_words(status.memory))),
        ("rule", rule.to_string()),
    ];
    if let Some(area) = &status.selection {
        let words = format!(
            "{} x {} from {},{}",
            area.width, area.height, area.x, area.y
        );
        facts.push(("selected", words));
    }
    if let Some([width, height]) = status.clip {
        facts.push(("clipboard", format!("{width} x {height}")));
    }
    facts.retain(|(_, value)| !value.is_empty());
    facts
}
