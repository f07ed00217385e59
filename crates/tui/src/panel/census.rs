//! The panel of a census of the world's rule: soups are counted while it is open.

use super::{PanelContext, PanelRequest, window};
use crate::bar::grouped;
use models::census_run::{CensusRequest, CensusRun};
use models::worker_pool::WorkerPool;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use session::Session;

/// As many soups are counted.
const SOUPS: u64 = 10_000;

/// The text that the soups are made of.
const ROOT: &str = "gridpaper";

/// A census under way.
#[derive(Debug)]
pub(crate) struct CensusPanel {
    run: CensusRun,
}

impl CensusPanel {
    /// Begins to count soups under the world's rule.
    ///
    /// # Errors
    /// A rule that has no census, or no thread.
    pub(crate) fn open(session: &Session, pool: Option<&WorkerPool>) -> Result<Self, String> {
        let pool = pool.ok_or("there is no thread to count on")?;
        let request = CensusRequest {
            rule: session.world().rule().to_string(),
            symmetry: "C1".into(),
            root: ROOT.into(),
            soups: SOUPS,
        };
        let run = CensusRun::start(pool, request, None).map_err(|error| error.to_string())?;
        Ok(Self { run })
    }

    /// Whether it still counts.
    pub(crate) fn is_counting(&self) -> bool {
        !self.run.view().is_over
    }

    pub(crate) fn key(&mut self, event: &KeyEvent) -> PanelRequest {
        match event.code {
            KeyCode::Enter => match self.run.view().rows.first() {
                Some(row) => PanelRequest::SendAndClose(format!("new {}", row.code)),
                None => PanelRequest::Stay,
            },
            KeyCode::Char(' ') => {
                self.run.stop();
                PanelRequest::Stay
            }
            KeyCode::Char('q') => PanelRequest::Close,
            _ => PanelRequest::Stay,
        }
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let ink = context.ink;
        let hint = "enter opens the first beside · space stops · esc closes";
        let inner = window(buffer, area, (78, 30), ("census", hint), ink);
        let view = self.run.view();
        let number = |number: u64| grouped(&number.to_string());
        let head = format!(
            "{}: {} of {} soups, {} objects",
            self.run.request().rule,
            number(view.soups),
            number(view.planned),
            number(view.objects)
        );
        let rows = view.rows.iter().map(|row| {
            let name = row.name.unwrap_or_default();
            format!("{:>9}  {:<22} {name}", number(row.count), row.code)
        });
        let head = [head, view.error.clone().unwrap_or_default()];
        for (line, y) in head.into_iter().chain(rows).zip(inner.y..inner.bottom()) {
            buffer.set_stringn(inner.x, y, line, inner.width.into(), ink.text());
        }
    }
}
