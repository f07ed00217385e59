//! The search page: patterns with a property are looked for while one watches.
//!
//! A page without a server has a search of its own, a [`SearchRoom`]: two engines at once, each the
//! work of a lane, and the first answer ends the other. A server has a service for all its pages.

use crate::page_request::{PageAnswer, PageRequest};
use crate::room::{Room, RoomNews};
use crate::{WireClock, small_picture};
use models::search_job::{SearchFind, SearchRequest, SearchTask, SearchView, run_search};
use models::worker_pool::JobPermit;
use pattern::Pattern;
use search::SearchEngine;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;

/// The engines, a lane each.
const ENGINES: [SearchEngine; 2] = [SearchEngine::Cells, SearchEngine::Sat];

/// How often a list that grows is told.
const PACE: Duration = Duration::from_millis(200);

/// What a page asks for.
///
/// ```
/// use models::search_job::SearchRequest;
/// use wire::SearchStart;
///
/// let text = r#"{"task":"osc","rule":"B3/S23","period":3,"width":5,"height":5}"#;
/// let start: SearchStart = serde_json::from_str(text)?;
/// assert_eq!(SearchRequest::from(&start).size, (5, 5));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SearchStart {
    task: SearchTaskName,
    rule: String,
    #[serde(default)]
    period: u32,
    #[serde(default)]
    velocity: String,
    #[serde(default)]
    width: u32,
    #[serde(default)]
    height: u32,
    #[serde(default = "no_symmetry")]
    symmetry: String,
    #[serde(default)]
    max_cells: Option<u32>,
    #[serde(default)]
    drawing: String,
    #[serde(default)]
    free_margin: Option<u32>,
    #[serde(default)]
    all: bool,
    /// The search that this one is begun instead of.
    #[serde(default)]
    pub before: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum SearchTaskName {
    Still,
    Osc,
    Ship,
    Predecessor,
    Orphan,
}

fn no_symmetry() -> String {
    "C1".into()
}

impl From<&SearchStart> for SearchRequest {
    fn from(start: &SearchStart) -> Self {
        let period = start.period;
        Self {
            task: match start.task {
                SearchTaskName::Still => SearchTask::Still,
                SearchTaskName::Osc => SearchTask::Oscillator { period },
                SearchTaskName::Ship => SearchTask::Ship {
                    velocity: start.velocity.clone(),
                },
                SearchTaskName::Predecessor => SearchTask::Predecessor {
                    generations: period,
                },
                SearchTaskName::Orphan => SearchTask::Orphan,
            },
            rule: start.rule.clone(),
            size: (start.width, start.height),
            symmetry: start.symmetry.clone(),
            max_cells: start.max_cells,
            drawing: start.drawing.clone(),
            free_margin: start.free_margin,
            all: start.all,
        }
    }
}

/// How far a search is.
#[must_use]
pub fn search_json(rule: &str, view: &SearchView) -> Value {
    json!({
        "rule": rule,
        "question": view.question,
        "words": view.words(),
        "share": view.share,
        "partial": view.partial,
        "isOver": view.end.is_some(),
        "found": view.found.iter().map(find_json).collect::<Vec<_>>(),
    })
}

fn find_json(find: &SearchFind) -> Value {
    let cells = Pattern::from_text(&find.rle).ok();
    json!({
        "title": find.title(),
        "code": find.code,
        "rle": find.rle,
        "period": find.period,
        "population": find.population,
        "picture": cells.and_then(|pattern| small_picture(&pattern.cells)),
    })
}

/// A search by one engine, as work for a lane.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct LaneSearch {
    engine: usize,
    start: SearchStart,
}

impl LaneSearch {
    /// Searches until there is an answer: whoever no longer wants it ends the lane.
    pub(crate) fn run(
        &self,
        clock: &WireClock,
        report: &mut dyn FnMut(String),
    ) -> Result<(), String> {
        let request = SearchRequest::from(&self.start);
        let engine = *ENGINES.get(self.engine).ok_or("there is no such engine")?;
        let (time, begun) = (WireClock::clone(clock), clock());
        let permit = JobPermit::timed(Duration::MAX, move || time().saturating_sub(begun));
        let state = RefCell::new((report, Duration::ZERO));
        let told = |view: &SearchView| {
            let (report, last) = &mut *state.borrow_mut();
            let now = clock();
            // the first that is found, and the end, are told at once
            if view.found.len() < 2 || view.end.is_some() || now.saturating_sub(*last) > PACE {
                *last = now;
                report(search_json(&request.rule, view).to_string());
            }
        };
        run_search(&request, engine, &permit, &told).map_err(|error| error.to_string())
    }
}

/// The search of one page.
///
/// ```
/// use models::worker_pool::JobPermit;
/// use std::{sync::Arc, time::Duration};
/// use wire::{Room, RoomNews, SearchRoom, WireClock, run_job};
///
/// let mut room = SearchRoom::default();
/// let wanted = r#"{"task":"osc","rule":"B3/S23","period":2,"width":3,"height":3}"#;
/// room.request(format!("/search/start\n{wanted}").as_bytes());
/// let Some(RoomNews::Work { lane, job: Some(job) }) = room.take() else { panic!("there is work") };
/// let clock: WireClock = Arc::new(|| Duration::ZERO);
/// let permit = JobPermit::timed(Duration::MAX, || Duration::ZERO);
/// run_job(&job, &permit, &clock, &mut |report| room.hear(lane, &report));
/// let state = String::from_utf8(room.request(b"/search/state.json?id=1\n"))?;
/// assert!(state.contains("\"isOver\":true") && state.contains("\"title\":\"blinker\""));
/// # Ok::<(), std::string::FromUtf8Error>(())
/// ```
#[derive(Debug, Default)]
pub struct SearchRoom {
    /// The number of the search, and how far it is.
    run: Option<(u64, Value)>,
    /// The engines that are at work.
    lanes: Vec<u32>,
    begun: u64,
    news: VecDeque<RoomNews>,
}

impl SearchRoom {
    fn start(&mut self, body: &[u8]) -> PageAnswer {
        let start: SearchStart = match serde_json::from_slice(body) {
            Ok(start) => start,
            Err(error) => return PageAnswer::problem(422, error, None),
        };
        let request = SearchRequest::from(&start);
        let question = match request.question() {
            Ok(question) => question,
            Err(error) => return PageAnswer::problem(422, error, None),
        };
        self.end(None);
        let view = SearchView {
            question,
            ..SearchView::default()
        };
        self.begun += 1;
        self.run = Some((self.begun, search_json(&request.rule, &view)));
        for (lane, engine) in (0..).zip(0..ENGINES.len()) {
            let search = LaneSearch {
                engine,
                start: start.clone(),
            };
            let job = Some(json!({ "search": search }).to_string());
            self.news.push_back(RoomNews::Work { lane, job });
            self.lanes.push(lane);
        }
        PageAnswer::json(200, &json!({ "id": self.begun.to_string() }))
    }

    /// Ends all lanes but one.
    fn end(&mut self, but: Option<u32>) {
        self.lanes.retain(|&lane| {
            let stays = but == Some(lane);
            if !stays {
                self.news.push_back(RoomNews::Work { lane, job: None });
            }
            stays
        });
    }

    fn stop(&mut self) {
        if self.lanes.is_empty() {
            return;
        }
        self.end(None);
        if let Some((_, view)) = &mut self.run {
            let found = view["found"].as_array().map_or(0, Vec::len);
            let patterns = models::counted(found, "pattern");
            view["words"] = format!("stopped: {patterns}, and nothing more is known").into();
            view["partial"] = json!([]);
            view["isOver"] = true.into();
        }
    }
}

impl Room for SearchRoom {
    fn tell(&mut self, _text: &str) -> Result<(), String> {
        Err("a search is asked, and not told".into())
    }

    fn take(&mut self) -> Option<RoomNews> {
        self.news.pop_front()
    }

    fn hear(&mut self, lane: u32, report: &str) {
        let Some((_, view)) = self.run.as_mut().filter(|_| self.lanes.contains(&lane)) else {
            return;
        };
        let Ok(mut heard) = serde_json::from_str::<Value>(report) else {
            return;
        };
        if let Some(error) = heard.get("error") {
            let mut ended = view.clone();
            ended["words"] = error.clone();
            ended["isOver"] = true.into();
            heard = ended;
        }
        let is_over = heard["isOver"] == true;
        let has_found = heard["found"]
            .as_array()
            .is_some_and(|found| !found.is_empty());
        let is_beaten = heard["words"]
            .as_str()
            .is_some_and(|words| words.starts_with("stopped"));
        let is_alone = self.lanes == [lane];
        // one that has no more memory, or broke down, leaves the other at work
        if is_over && (is_beaten || report.starts_with("{\"error\"")) && !is_alone {
            self.lanes.retain(|&other| other != lane);
            return;
        }
        *view = heard;
        if is_over {
            self.end(Some(lane));
            self.lanes.clear();
        } else if has_found && !is_alone {
            self.end(Some(lane));
        }
    }

    fn request(&mut self, input: &[u8]) -> Vec<u8> {
        let request = PageRequest::of_bytes(input);
        let answer = match request.path() {
            "/search/start" => self.start(request.body()),
            "/search/stop" => {
                self.stop();
                PageAnswer::json(200, &json!({}))
            }
            "/search/state.json" => {
                let id = request.value("id").unwrap_or_default();
                let run = self
                    .run
                    .as_ref()
                    .filter(|(number, _)| number.to_string() == id);
                PageAnswer::json(200, &json!({ "run": run.map(|(_, view)| view) }))
            }
            _ => PageAnswer::problem(404, "there is nothing here", None),
        };
        answer.to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn ask(room: &mut SearchRoom, input: &str) -> Value {
        let answer = room.request(input.as_bytes());
        let at = answer.iter().position(|&byte| byte == b'\n').unwrap();
        serde_json::from_slice(&answer[at + 1..]).unwrap()
    }

    fn started(room: &mut SearchRoom, wanted: &str) -> Vec<(u32, String)> {
        let id = ask(room, &format!("/search/start\n{wanted}"));
        assert!(id["id"].is_string(), "{id}");
        let mut jobs = Vec::new();
        while let Some(RoomNews::Work { lane, job }) = room.take() {
            jobs.extend(job.map(|job| (lane, job)));
        }
        jobs
    }

    fn reports(job: &str) -> Vec<String> {
        let clock: WireClock = Arc::new(|| Duration::ZERO);
        let order: Value = serde_json::from_str(job).unwrap();
        let search: LaneSearch = serde_json::from_value(order["search"].clone()).unwrap();
        let mut reports = Vec::new();
        let done = search.run(&clock, &mut |report| reports.push(report));
        assert_eq!(done, Ok(()));
        reports
    }

    const BLINKER: &str = r#"{"task":"osc","rule":"B3/S23","period":2,"width":3,"height":3}"#;

    #[test]
    fn the_first_answer_ends_the_other_engine() {
        let mut room = SearchRoom::default();
        for winner in 0..ENGINES.len() {
            let jobs = started(&mut room, BLINKER);
            assert_eq!(jobs.len(), 2);
            let (lane, job) = &jobs[winner];
            for report in reports(job) {
                room.hear(*lane, &report);
            }
            let other = 1 - *lane;
            let ended = RoomNews::Work {
                lane: other,
                job: None,
            };
            assert_eq!(room.take(), Some(ended));
            let state = ask(
                &mut room,
                &format!("/search/state.json?id={}\n", winner + 1),
            );
            assert_eq!(state["run"]["found"][0]["title"], "blinker", "{state}");
            // what the other has said meanwhile is not heard
            room.hear(other, "{\"error\":\"it broke down\"}");
            assert_eq!(
                ask(
                    &mut room,
                    &format!("/search/state.json?id={}\n", winner + 1)
                ),
                state
            );
        }
        assert_eq!(
            ask(&mut room, "/search/state.json?id=1\n"),
            json!({ "run": null })
        );
    }

    #[test]
    fn one_that_breaks_down_leaves_the_other_at_work() {
        let mut room = SearchRoom::default();
        let jobs = started(&mut room, BLINKER);
        room.hear(0, "{\"error\":\"it broke down\"}");
        let run = ask(&mut room, "/search/state.json?id=1\n")["run"].clone();
        assert_eq!(
            (&run["isOver"], &run["words"]),
            (&json!(false), &json!("it begins"))
        );
        for report in reports(&jobs[1].1) {
            room.hear(1, &report);
        }
        assert_eq!(
            ask(&mut room, "/search/state.json?id=1\n")["run"]["isOver"],
            true
        );
        started(&mut room, BLINKER);
        for lane in [0, 1] {
            room.hear(lane, "{\"error\":\"it broke down\"}");
        }
        let run = ask(&mut room, "/search/state.json?id=2\n")["run"].clone();
        assert_eq!(
            (&run["isOver"], &run["words"]),
            (&json!(true), &json!("it broke down"))
        );
    }

    #[test]
    fn a_search_is_stopped_and_bad_ones_are_refused() {
        let mut room = SearchRoom::default();
        started(&mut room, BLINKER);
        ask(&mut room, "/search/stop\n{}");
        assert_eq!([room.take(), room.take()].into_iter().flatten().count(), 2);
        let run = ask(&mut room, "/search/state.json?id=1\n")["run"].clone();
        assert_eq!(
            run["words"],
            "stopped: 0 patterns, and nothing more is known"
        );
        let refused = ask(
            &mut room,
            "/search/start\n{\"task\":\"orphan\",\"rule\":\"B3/S23\"}",
        );
        assert_eq!(refused["error"], "draw what it is to become");
        assert!(ask(&mut room, "/search/start\n{\"task\":\"proof\"}")["error"].is_string());
        assert_eq!(room.take(), None);
    }
}
