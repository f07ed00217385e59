//! The panel of a search that begins with the selection: its predecessor, an oscillator through it,
//! or whether it is an orphan.

use super::{PanelContext, PanelRequest, window, wrapped};
use models::search_job::{LONGEST_SIDE, SearchJob, SearchRequest, SearchTask};
use models::worker_pool::WorkerPool;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use session::{Session, Status};

/// So many free rows and columns lie around the cells that an oscillator goes through.
const FREE_MARGIN: u32 = 2;

/// What can be asked, in words.
const USAGE: &str = "search predecessor, search orphan, or search osc PERIOD";

/// A search under way, and what it found.
#[derive(Debug)]
pub(crate) struct SearchPanel {
    job: SearchJob,
}

impl SearchPanel {
    /// Begins to search with the selection, or all cells.
    ///
    /// # Errors
    /// Words that ask for nothing, cells that cannot be searched with, or no thread.
    pub(crate) fn open(
        words: &str,
        session: &Session,
        status: &Status,
        pool: Option<&WorkerPool>,
    ) -> Result<Self, String> {
        let task = match words.split_once(' ').unwrap_or((words, "")) {
            ("predecessor", "") => SearchTask::Predecessor { generations: 1 },
            ("orphan", "") => SearchTask::Orphan,
            ("osc", period) => SearchTask::Oscillator {
                period: period.trim().parse().map_err(|_| USAGE.to_owned())?,
            },
            _ => return Err(USAGE.into()),
        };
        let free_margin = matches!(task, SearchTask::Oscillator { .. }).then_some(FREE_MARGIN);
        let pool = pool.ok_or("there is no thread to search on")?;
        let request = SearchRequest {
            rule: session.world().rule().to_string(),
            drawing: drawing(session, status)?,
            free_margin,
            ..SearchRequest::in_box(task, (1, 1))
        };
        let job = SearchJob::start(pool, request, None).map_err(|error| error.to_string())?;
        Ok(Self { job })
    }

    /// Whether it still searches.
    pub(crate) fn is_searching(&self) -> bool {
        self.job.view().end.is_none()
    }

    pub(crate) fn key(&mut self, event: &KeyEvent) -> PanelRequest {
        match event.code {
            KeyCode::Enter => match self.job.view().found.first() {
                Some(find) => PanelRequest::SendAndClose(format!("new {}", find.rle)),
                None => PanelRequest::Stay,
            },
            KeyCode::Char(' ') => {
                self.job.stop();
                PanelRequest::Stay
            }
            KeyCode::Char('q') => PanelRequest::Close,
            _ => PanelRequest::Stay,
        }
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let ink = context.ink;
        let hint = "enter opens it beside · space stops · esc closes";
        let inner = window(buffer, area, (78, 30), ("search", hint), ink);
        let view = self.job.view();
        let mut lines = wrapped(&view.question, inner.width.into());
        lines.extend(wrapped(&view.words(), inner.width.into()));
        let cells = view.found.first().map_or(&view.partial, |find| &find.rows);
        lines.extend(view.found.first().map(|find| find.title().to_owned()));
        lines.extend(cells.iter().cloned());
        for (line, y) in lines.iter().zip(inner.y..inner.bottom()) {
            buffer.set_stringn(inner.x, y, line, inner.width.into(), ink.text());
        }
    }
}

/// The selection, or the box of all cells, run-length encoded.
fn drawing(session: &Session, status: &Status) -> Result<String, String> {
    let (_, cells) = session.selected_cells();
    let area = status.selection.as_ref().or(status.bounds.as_ref());
    let area = area.ok_or("no cell is live")?;
    let sides = (area.width.parse::<u32>(), area.height.parse::<u32>());
    let is_small = |side: &u32| *side <= LONGEST_SIDE;
    let (Ok(width), Ok(height)) = sides else {
        return Err(too_large());
    };
    let corner = (area.x.parse::<i64>(), area.y.parse::<i64>());
    let ((Ok(x), Ok(y)), true) = (corner, is_small(&width) && is_small(&height)) else {
        return Err(too_large());
    };
    let mut rows = vec![vec!['.'; width as usize]; height as usize];
    cells.for_each_run(&mut |run| {
        let letter = match run.state {
            1 => 'o',
            state => char::from(b'A' + (state.saturating_sub(1)).min(23)),
        };
        let from = (run.x - x) as usize;
        rows[(run.y - y) as usize][from..from + run.length as usize].fill(letter);
    });
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    Ok(rows.join("$") + "!")
}

fn too_large() -> String {
    format!("{LONGEST_SIDE} columns and rows at most are searched with: select fewer")
}
