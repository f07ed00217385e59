//! The census page: soups are run and what they leave is counted. The page asks how far it is.
//!
//! A page without a server has a census of its own, a [`CensusRoom`]; a server has one for all.

use crate::clock::WireClock;
use crate::page_request::{PageAnswer, PageRequest};
use crate::room::{Room, RoomNews};
use models::census_count::{CensusCount, CensusRequest, CensusRow, CensusView};
use pattern::{Cells, Pattern};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// Objects that are sent at a time.
const LISTED: usize = 200;

/// The largest object that is drawn, in columns and in rows.
const LARGEST_PICTURE: u64 = 40;

/// What a page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CensusStart {
    rule: String,
    symmetry: String,
    root: String,
    soups: u64,
}

impl From<CensusStart> for CensusRequest {
    fn from(start: CensusStart) -> Self {
        Self {
            rule: start.rule,
            symmetry: start.symmetry,
            root: start.root,
            soups: start.soups,
        }
    }
}

/// A census of one page.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use wire::{CensusRoom, Room};
///
/// let mut room = CensusRoom::new(Arc::new(|| Duration::ZERO));
/// let ask = |room: &mut CensusRoom, input: &str| {
///     String::from_utf8_lossy(&room.request(input.as_bytes())).into_owned()
/// };
/// let wanted = r#"{"rule":"B3/S23","symmetry":"C1","root":"mine","soups":20}"#;
/// assert!(ask(&mut room, &format!("/census/start\n{wanted}")).contains("\"status\":200"));
/// assert_eq!(room.poll(Duration::ZERO), 0.0, "there is more to do");
/// while room.poll(Duration::ZERO) >= 0.0 {}
/// let state = ask(&mut room, "/census/state.json?search=blinker");
/// assert!(state.contains("\"soups\":20") && state.contains("\"name\":\"blinker\""));
/// ```
pub struct CensusRoom {
    clock: WireClock,
    count: Option<CensusCount>,
    /// The time that was spent on it.
    spent: Duration,
}

impl CensusRoom {
    /// A page without a census.
    #[must_use]
    pub fn new(clock: WireClock) -> Self {
        Self {
            clock,
            count: None,
            spent: Duration::ZERO,
        }
    }

    fn start(&mut self, body: &[u8]) -> PageAnswer {
        if self.count.as_ref().is_some_and(|count| !count.is_over()) {
            let hint = Some("stop it first");
            return PageAnswer::problem(409, "a census is counted already", hint);
        }
        let start: CensusStart = match serde_json::from_slice(body) {
            Ok(start) => start,
            Err(error) => return PageAnswer::problem(422, error, None),
        };
        let mut request = CensusRequest::from(start);
        match request.settings() {
            // however it was written
            Ok(settings) => request.rule = settings.rule.to_string(),
            Err(error) => return PageAnswer::problem(422, error, None),
        }
        match CensusCount::begin(request) {
            Ok(count) => {
                self.count = Some(count);
                self.spent = Duration::ZERO;
                PageAnswer::json(200, &json!({}))
            }
            Err(error) => PageAnswer::problem(422, error, None),
        }
    }

    fn state(&self, search: &str) -> Value {
        let shown = self.count.as_ref().map(|count| {
            let soups = count.view(0.0).soups as f64;
            let view = count.view(soups / self.spent.as_secs_f64().max(1e-6));
            census_json(count.request(), &view, search)
        });
        json!({ "run": shown })
    }
}

impl Room for CensusRoom {
    fn tell(&mut self, _text: &str) -> Result<(), String> {
        Err("a census is asked, and not told".into())
    }

    fn take(&mut self) -> Option<RoomNews> {
        None
    }

    fn poll(&mut self, slice: Duration) -> f64 {
        let Some(count) = self.count.as_mut().filter(|count| !count.is_over()) else {
            return -1.0;
        };
        let begun = (self.clock)();
        count.go_on(&mut || (self.clock)().saturating_sub(begun) < slice);
        self.spent += (self.clock)().saturating_sub(begun);
        match count.is_over() {
            true => -1.0,
            false => 0.0,
        }
    }

    fn request(&mut self, input: &[u8]) -> Vec<u8> {
        let request = PageRequest::of_bytes(input);
        let answer = match request.path() {
            "/census/start" => self.start(request.body()),
            "/census/stop" => {
                self.count.iter_mut().for_each(CensusCount::stop);
                PageAnswer::json(200, &json!({}))
            }
            "/census/state.json" => {
                let search = request.value("search").unwrap_or_default();
                PageAnswer::json(200, &self.state(search))
            }
            _ => PageAnswer::problem(404, "there is nothing here", None),
        };
        answer.to_bytes()
    }
}

/// How far a census is, with the objects whose code, name or kind has `search`.
#[must_use]
pub fn census_json(request: &CensusRequest, view: &CensusView, search: &str) -> Value {
    let search = &search.to_lowercase();
    let found = |row: &&CensusRow| {
        let name = row.name.unwrap_or_default();
        row.code.contains(search) || name.contains(search) || row.kind.contains(search)
    };
    let rows = view.rows.iter().filter(found).take(LISTED);
    json!({
        "rule": request.rule,
        "symmetry": request.symmetry,
        "root": request.root,
        "soups": view.soups,
        "planned": view.planned,
        "objects": view.objects,
        "kinds": view.rows.len(),
        "perSecond": view.soups_per_second,
        "lifespans": view.lifespans,
        "isOver": view.is_over,
        "error": view.error,
        "rows": rows.map(row_json).collect::<Vec<_>>(),
    })
}

fn row_json(row: &CensusRow) -> Value {
    json!({
        "code": row.code,
        "name": row.name,
        "kind": row.kind,
        "count": row.count,
        "soup": row.soup,
        "picture": picture(&row.code),
    })
}

/// The cells of an object, a text for each row; none of what is large or has no cells.
fn picture(code: &str) -> Option<Vec<String>> {
    small_picture(&Pattern::from_text(code).ok()?.cells)
}

/// The cells of a small pattern, a text for each row.
///
/// ```
/// let cells = pattern::Pattern::from_text("bo$2bo$3o!").expect("a glider").cells;
/// assert_eq!(wire::small_picture(&cells).expect("it is small"), [".o.", "..o", "ooo"]);
/// ```
#[must_use]
pub fn small_picture(cells: &Cells) -> Option<Vec<String>> {
    let rect = cells.bounds()?.to_rect()?;
    if rect.width > LARGEST_PICTURE || rect.height > LARGEST_PICTURE {
        return None;
    }
    let mut rows = vec![vec!['.'; rect.width as usize]; rect.height as usize];
    cells.for_each_run(&mut |run| {
        let from = (run.x - rect.x) as usize;
        rows[(run.y - rect.y) as usize][from..from + run.length as usize].fill('o');
    });
    Some(rows.into_iter().map(String::from_iter).collect())
}
