//! The census page: soups are run and what they leave is counted. The page asks how far it is.
//!
//! A page without a server has a census of its own, a [`CensusRoom`], whose soups are counted in
//! several lanes at once; a server has one for all.

use crate::clock::WireClock;
use crate::page_request::{PageAnswer, PageRequest};
use crate::room::{Room, RoomNews};
use models::census_count::{CensusCount, CensusPart, CensusRequest, CensusRow, CensusView};
use pattern::{Cells, Pattern};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The most lanes.
const MOST_LANES: u32 = 8;

/// How often a lane reports.
const PACE: Duration = Duration::from_millis(200);

/// Objects that are sent at a time.
const LISTED: usize = 200;

/// The largest object that is drawn, in columns and in rows.
const LARGEST_PICTURE: u64 = 40;

/// What a page asks for.
#[derive(Clone, Debug, Deserialize, Serialize)]
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

/// A share of a census, as work for a lane.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct LaneCensus {
    /// The number of the census in its room.
    run: u64,
    start: CensusStart,
    share: u32,
    of: u32,
}

/// What a lane reports.
#[derive(Debug, Deserialize, Serialize)]
struct LaneCensusReport {
    run: u64,
    /// The rule was probed, and its soups are counted.
    #[serde(default)]
    is_probed: bool,
    #[serde(default)]
    error: Option<String>,
    #[serde(default, with = "CensusPartFields")]
    part: CensusPart,
}

/// The fields of a part, for its text.
#[derive(Deserialize, Serialize)]
#[serde(remote = "CensusPart")]
struct CensusPartFields {
    soups: u64,
    tally: BTreeMap<String, (u64, Option<u64>)>,
    settled: u64,
    lifespan_sum: u64,
    longest: u64,
}

impl LaneCensus {
    /// Counts the share to its end: whoever no longer wants it ends the lane. The first lane probes
    /// the rule before.
    pub(crate) fn run(
        &self,
        clock: &WireClock,
        report: &mut dyn FnMut(String),
    ) -> Result<(), String> {
        let request = CensusRequest::from(self.start.clone());
        let empty = || LaneCensusReport {
            run: self.run,
            is_probed: false,
            error: None,
            part: CensusPart::default(),
        };
        let mut tell = |told: &LaneCensusReport| {
            // texts and numbers are JSON
            report(serde_json::to_string(told).unwrap_or_default());
        };
        if self.share == 0 {
            let error = request.probe().err();
            let is_countable = error.is_none();
            tell(&LaneCensusReport {
                is_probed: is_countable,
                error,
                ..empty()
            });
            if !is_countable {
                return Ok(());
            }
        }
        let (mut part, mut told) = (CensusPart::default(), clock());
        let counted = request.count_share(self.share.into(), self.of.into(), &mut |more| {
            part.add(more);
            let now = clock();
            if now.saturating_sub(told) >= PACE {
                told = now;
                let part = std::mem::take(&mut part);
                tell(&LaneCensusReport { part, ..empty() });
            }
            true
        });
        tell(&LaneCensusReport { part, ..empty() });
        counted.map_err(|error| error.to_string())
    }
}

/// A census of one page.
///
/// ```
/// use models::worker_pool::JobPermit;
/// use std::{sync::Arc, time::Duration};
/// use wire::{CensusRoom, Room, RoomNews, WireClock, run_job};
///
/// let clock: WireClock = Arc::new(|| Duration::ZERO);
/// let mut room = CensusRoom::new(Arc::clone(&clock), 2);
/// let ask = |room: &mut CensusRoom, input: &str| {
///     String::from_utf8_lossy(&room.request(input.as_bytes())).into_owned()
/// };
/// let wanted = r#"{"rule":"B3/S23","symmetry":"C1","root":"mine","soups":20}"#;
/// assert!(ask(&mut room, &format!("/census/start\n{wanted}")).contains("\"status\":200"));
/// let permit = JobPermit::timed(Duration::MAX, || Duration::ZERO);
/// while let Some(RoomNews::Work { lane, job: Some(job) }) = room.take() {
///     run_job(&job, &permit, &clock, &mut |report| room.hear(lane, &report));
/// }
/// let state = ask(&mut room, "/census/state.json?search=blinker");
/// assert!(state.contains("\"soups\":20") && state.contains("\"name\":\"blinker\""));
/// ```
pub struct CensusRoom {
    clock: WireClock,
    /// How many lanes count at once.
    lanes: u32,
    /// The number of the census.
    run: u64,
    start: Option<CensusStart>,
    count: Option<CensusCount>,
    begun: Duration,
    /// The time that was spent on it.
    spent: Duration,
    news: VecDeque<RoomNews>,
}

impl CensusRoom {
    /// A page without a census. One is counted in so many lanes at once.
    #[must_use]
    pub fn new(clock: WireClock, lanes: u32) -> Self {
        Self {
            clock,
            lanes: lanes.clamp(1, MOST_LANES),
            run: 0,
            start: None,
            count: None,
            begun: Duration::ZERO,
            spent: Duration::ZERO,
            news: VecDeque::new(),
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
        let mut request = CensusRequest::from(start.clone());
        match request.settings() {
            // however it was written
            Ok(settings) => request.rule = settings.rule.to_string(),
            Err(error) => return PageAnswer::problem(422, error, None),
        }
        match CensusCount::begin(request) {
            Ok(count) => {
                self.count = Some(count);
                (self.begun, self.spent) = ((self.clock)(), Duration::ZERO);
                self.start = Some(start);
                self.run += 1;
                // the others begin once the rule was probed
                self.order(0);
                PageAnswer::json(200, &json!({}))
            }
            Err(error) => PageAnswer::problem(422, error, None),
        }
    }

    fn order(&mut self, lane: u32) {
        let Some(start) = self.start.clone() else {
            return;
        };
        let share = LaneCensus {
            run: self.run,
            start,
            share: lane,
            of: self.lanes,
        };
        let job = Some(json!({ "census": share }).to_string());
        self.news.push_back(RoomNews::Work { lane, job });
    }

    /// Ends what is counted.
    fn end(&mut self) {
        // a report that is on its way is of no census
        self.run += 1;
        for lane in 0..self.lanes {
            self.news.push_back(RoomNews::Work { lane, job: None });
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
        self.news.pop_front()
    }

    fn hear(&mut self, _lane: u32, report: &str) {
        let Some(count) = self.count.as_mut().filter(|count| !count.is_over()) else {
            return;
        };
        let report: LaneCensusReport = match serde_json::from_str(report) {
            Ok(report) => report,
            // a lane that broke down knows no number
            Err(_) => {
                let heard: Value = serde_json::from_str(report).unwrap_or_default();
                let words = heard["error"].as_str().unwrap_or("a lane broke down");
                count.fail(words.into());
                return self.end();
            }
        };
        if report.run != self.run {
            return;
        }
        count.add(report.part);
        if let Some(words) = report.error {
            count.fail(words);
        }
        let is_over = count.is_over();
        self.spent = (self.clock)().saturating_sub(self.begun);
        if report.is_probed && !is_over {
            for lane in 1..self.lanes {
                self.order(lane);
            }
        }
    }

    fn request(&mut self, input: &[u8]) -> Vec<u8> {
        let request = PageRequest::of_bytes(input);
        let answer = match request.path() {
            "/census/start" => self.start(request.body()),
            "/census/stop" => {
                if let Some(count) = self.count.as_mut().filter(|count| !count.is_over()) {
                    count.stop();
                    self.end();
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn ask(room: &mut CensusRoom, input: &str) -> Value {
        let answer = room.request(input.as_bytes());
        let at = answer.iter().position(|&byte| byte == b'\n').unwrap();
        serde_json::from_slice(&answer[at + 1..]).unwrap()
    }

    fn wanted(rule: &str, soups: u32) -> String {
        let body = json!({ "rule": rule, "symmetry": "C1", "root": "mine", "soups": soups });
        format!("/census/start\n{body}")
    }

    /// A clock by which a lane reports every second piece.
    fn clock() -> WireClock {
        let looks = std::sync::atomic::AtomicU64::new(0);
        let next = move || looks.fetch_add(101, std::sync::atomic::Ordering::Relaxed);
        Arc::new(move || Duration::from_millis(next()))
    }

    /// The orders that a room has given, and the lanes that it has ended.
    fn orders(room: &mut CensusRoom) -> (Vec<(u32, String)>, Vec<u32>) {
        let (mut jobs, mut ended) = (Vec::new(), Vec::new());
        while let Some(RoomNews::Work { lane, job }) = room.take() {
            match job {
                Some(job) => jobs.push((lane, job)),
                None => ended.push(lane),
            }
        }
        (jobs, ended)
    }

    fn reports(job: &str) -> Vec<String> {
        let order: Value = serde_json::from_str(job).unwrap();
        let share: LaneCensus = serde_json::from_value(order["census"].clone()).unwrap();
        let mut reports = Vec::new();
        assert_eq!(
            share.run(&clock(), &mut |report| reports.push(report)),
            Ok(())
        );
        reports
    }

    /// However many lanes there are, and in whatever order they report, the table is the same.
    #[test]
    fn a_census_of_several_lanes_is_that_of_one() {
        let mut tables = Vec::new();
        for lanes in [1, 2, 3, 5] {
            let mut room = CensusRoom::new(clock(), lanes);
            ask(&mut room, &wanted("life", 95));
            let (first, _) = orders(&mut room);
            assert_eq!(first.len(), 1, "the rule is probed by one");
            let mut waiting: Vec<(u32, Vec<String>)> = vec![(0, reports(&first[0].1))];
            let begun = waiting[0].1.remove(0);
            room.hear(0, &begun);
            let (others, _) = orders(&mut room);
            assert_eq!(others.len() + 1, lanes as usize);
            waiting.extend(others.iter().map(|(lane, job)| (*lane, reports(job))));
            assert!(waiting.iter().any(|(_, reports)| reports.len() > 1));
            // the last lane first, in turns
            while !waiting.is_empty() {
                waiting.retain_mut(|(lane, reports)| {
                    let report = reports.pop();
                    report.iter().for_each(|report| room.hear(*lane, report));
                    report.is_some()
                });
                waiting.reverse();
            }
            let mut run = ask(&mut room, "/census/state.json\n")["run"].take();
            assert_eq!((&run["soups"], &run["isOver"]), (&json!(95), &json!(true)));
            assert!(run["perSecond"].take().as_f64().unwrap() > 0.0);
            tables.push(run);
        }
        let mut alone = CensusCount::begin(CensusRequest {
            rule: "B3/S23".into(),
            symmetry: "C1".into(),
            root: "mine".into(),
            soups: 95,
        })
        .unwrap();
        alone.go_on(&mut || true);
        let mut expected = census_json(alone.request(), &alone.view(0.0), "");
        expected["perSecond"].take();
        for table in tables {
            assert_eq!(table, expected);
        }
    }

    #[test]
    fn a_census_is_stopped_and_begun_anew() {
        let mut room = CensusRoom::new(clock(), 3);
        ask(&mut room, &wanted("B3/S23", 50));
        let (first, _) = orders(&mut room);
        let old = reports(&first[0].1);
        assert!(ask(&mut room, &wanted("B3/S23", 50))["error"].is_string());
        ask(&mut room, "/census/stop\n{}");
        assert_eq!(orders(&mut room).1, [0, 1, 2]);
        old.iter().for_each(|report| room.hear(0, report));
        let run = |room: &mut CensusRoom| ask(room, "/census/state.json\n")["run"].take();
        assert_eq!(
            (&run(&mut room)["soups"], orders(&mut room).0.len()),
            (&json!(0), 0)
        );
        ask(&mut room, &wanted("B3/S23", 50));
        old.iter().for_each(|report| room.hear(0, report));
        assert_eq!(run(&mut room)["soups"], 0, "it was of the last one");
        room.hear(0, "{\"error\":\"it broke down\"}");
        let broken = run(&mut room);
        assert_eq!(
            (&broken["error"], &broken["isOver"]),
            (&json!("it broke down"), &json!(true))
        );
        assert_eq!(orders(&mut room).1, [0, 1, 2]);
        // one that cannot be counted
        ask(&mut room, &wanted("B2/S", 50));
        let (first, _) = orders(&mut room);
        for report in reports(&first[0].1) {
            room.hear(0, &report);
        }
        let refused = run(&mut room);
        assert!(refused["error"].as_str().unwrap().contains("explosive"));
        assert_eq!(
            (&refused["isOver"], orders(&mut room).0.len()),
            (&json!(true), 0)
        );
    }
}
