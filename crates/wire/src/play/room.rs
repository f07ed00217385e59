//! The play page for one person: setting a game up, and one table with players of the program, which
//! think elsewhere.

use super::host::{AdviceQuestion, TableHost, TablePageSink};
use super::menu;
use super::request::{RequestedTable, TableRequest, TableRequestError};
use super::seat::{SeatPlayer, TableSeatError};
use super::stored_table::StoredTable;
use super::table::{PlayTable, PlayTableSetup};
use super::thought::{PlayThought, PlayThoughtReport, seat as seat_of};
use super::visitor::{LONGEST_THOUGHT, check_house_player};
use crate::clock::WireClock;
use crate::page_request::{PageAnswer, PageRequest};
use crate::room::{Room, RoomNews};
use dice::Dice;
use games::{AnyGame, Seat};
use matches::{Fault, TableError};
use models::play::GameTable;
use serde_json::json;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The lane of advice; those of the seats are their numbers.
const ADVICE: u32 = 2;

/// The least time between drafts.
const BETWEEN_DRAFTS: Duration = Duration::from_millis(300);

/// What the room has for its carrier, in order.
#[derive(Clone, Debug, Default)]
struct RoomNewsBox(Rc<RefCell<VecDeque<RoomNews>>>);

impl RoomNewsBox {
    fn put(&self, news: RoomNews) {
        self.0.borrow_mut().push_back(news);
    }
}

impl TablePageSink for RoomNewsBox {
    fn send(&self, text: Arc<str>) {
        self.put(RoomNews::Text(text.as_ref().into()));
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn close(&self) {}
}

/// The keeper of the table.
struct PlayRoomHost {
    clock: WireClock,
    dice: Dice,
    news: RoomNewsBox,
    /// For which epoch each seat's player was asked.
    asked: [Option<u64>; 2],
    question: Option<AdviceQuestion>,
}

impl TableHost for PlayRoomHost {
    type Page = RoomNewsBox;
    type Player = ();

    fn now(&self) -> Duration {
        (self.clock)()
    }

    fn new_token(&mut self) -> Result<String, String> {
        Ok(format!("{:016x}", self.dice.word()))
    }

    fn seat_player(&self, text: &str, game: &AnyGame) -> Result<(), TableSeatError> {
        Ok(check_house_player(text, game)?)
    }

    fn begin_epoch(&mut self, _epoch: u64) {
        for seat in Seat::BOTH {
            if self.asked[seat.index()].take().is_some() {
                let lane = seat.index() as u32;
                self.news.put(RoomNews::Work { lane, job: None });
            }
        }
    }

    fn think(&mut self, seat: Seat, epoch: u64, game: &GameTable, player: &SeatPlayer<()>) {
        let thought = PlayThought {
            game: game.game().to_string(),
            seat: seat.index(),
            player: player.text.clone(),
            is_advice: false,
            seed: game.seed(),
            history: game.table().history().to_vec(),
            milliseconds: LONGEST_THOUGHT.as_millis() as u64,
        };
        self.asked[seat.index()] = Some(epoch);
        self.news.put(RoomNews::Work {
            lane: seat.index() as u32,
            job: Some(thought.to_job()),
        });
    }

    fn advise(&mut self, question: AdviceQuestion, _page: &RoomNewsBox) -> bool {
        if self.question.is_some() {
            return false;
        }
        let request = &question.request;
        let thought = PlayThought {
            game: question.game.to_string(),
            seat: request.seat.index(),
            player: request.adviser.clone().unwrap_or_default(),
            is_advice: true,
            seed: request.seed,
            history: request.history.clone(),
            milliseconds: question.longest.as_millis() as u64,
        };
        self.news.put(RoomNews::Work {
            lane: ADVICE,
            job: Some(thought.to_job()),
        });
        self.question = Some(question);
        true
    }
}

/// The play page of one person.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use wire::{PlayRoom, Room, RoomNews};
///
/// let clock = || Arc::new(|| Duration::ZERO);
/// let mut room = PlayRoom::new(clock(), 1, None);
/// let wanted = r#"{"game":"tictactoe","seats":["me","perfect"]}"#;
/// let answer = room.request(format!("/play/tables\n{wanted}").as_bytes());
/// let answer = String::from_utf8_lossy(&answer);
/// let (_, body) = answer.split_once('\n').expect("a head and a body");
/// let made: serde_json::Value = serde_json::from_str(body)?;
///
/// // the page goes to the table
/// let key = made["key"].as_str().map(String::from);
/// let mut table = PlayRoom::new(clock(), 1, key);
/// assert!(table.restore(made["stored"].as_str().unwrap_or_default().as_bytes()));
/// table.tell(r#"{"do":"move","text":"B2","id":1}"#)?;
/// let news = std::iter::from_fn(|| table.take());
/// assert!(news.into_iter().any(|news| matches!(news, RoomNews::Work { lane: 1, job: Some(_) })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlayRoom {
    clock: WireClock,
    dice: Dice,
    news: RoomNewsBox,
    /// The key of the page's seat.
    key: Option<String>,
    table: Option<PlayTable<PlayRoomHost>>,
    /// The page at the table.
    page: u64,
    draft_due: Duration,
    /// Whether a page that comes to a table was told that there is none.
    is_gone_told: bool,
}

impl PlayRoom {
    /// A page that sets a game up, or with `key` one that comes to its table, which is restored next.
    #[must_use]
    pub fn new(clock: WireClock, seed: u64, key: Option<String>) -> Self {
        Self {
            clock,
            dice: Dice::new(seed),
            news: RoomNewsBox::default(),
            key,
            table: None,
            page: 0,
            draft_due: Duration::ZERO,
            is_gone_told: false,
        }
    }

    fn host(&mut self) -> PlayRoomHost {
        PlayRoomHost {
            clock: Arc::clone(&self.clock),
            dice: Dice::new(self.dice.word()),
            news: self.news.clone(),
            asked: [None; 2],
            question: None,
        }
    }

    /// A new table, as it is kept.
    fn make(&mut self, body: &[u8]) -> PageAnswer {
        let request: TableRequest = match serde_json::from_slice(body) {
            Ok(request) => request,
            Err(error) => return PageAnswer::problem(422, error, None),
        };
        match self.made(&request) {
            Ok(body) => PageAnswer::json(200, &body),
            Err(error) => PageAnswer::problem(422, &error, error.hint()),
        }
    }

    fn made(&mut self, request: &TableRequest) -> Result<serde_json::Value, TableRequestError> {
        let mut host = self.host();
        let RequestedTable {
            game,
            occupants,
            key,
        } = request.resolve(&mut host)?;
        let id: String = (0..10)
            .map(|_| char::from(b'a' + host.dice.below(26) as u8))
            .collect();
        let setup = PlayTableSetup {
            id: id.clone(),
            number: 1,
            game,
            occupants,
            turns: &request.turns,
            is_public: request.public,
            hints: request.hints,
            seed: host.dice.word(),
        };
        let table = PlayTable::new(setup, host)
            .map_err(|(turn, error)| TableRequestError::Turn { turn, error })?;
        let stored = table.stored()().map(|stored| stored.text());
        Ok(json!({ "id": id, "key": key, "stored": stored.unwrap_or_default() }))
    }

    fn replay(&self) -> PageAnswer {
        let stored = self.table.as_ref().map(|table| table.stored()());
        match stored {
            None => PageAnswer::problem(404, "there is no such table, or not any more", None),
            Some(Err(error)) => PageAnswer::problem(500, error, None),
            Some(Ok(stored)) => PageAnswer::file(
                format!("{}.replay", stored.id),
                matches::replay::text(&stored.record).into_bytes(),
            ),
        }
    }
}

impl Room for PlayRoom {
    fn tell(&mut self, text: &str) -> Result<(), String> {
        match &mut self.table {
            Some(table) => table.tell(self.page, text),
            None => Err("there is no table here".into()),
        }
    }

    fn take(&mut self) -> Option<RoomNews> {
        self.news.0.borrow_mut().pop_front()
    }

    fn poll(&mut self, _slice: Duration) -> f64 {
        if self.key.is_some() && self.table.is_none() && !self.is_gone_told {
            self.is_gone_told = true;
            self.news.send(json!({ "gone": true }).to_string().into());
        }
        let now = (self.clock)();
        if let Some(table) = &mut self.table {
            table.maintain(now, |()| Duration::MAX);
        }
        -1.0
    }

    fn request(&mut self, input: &[u8]) -> Vec<u8> {
        let request = PageRequest::of_bytes(input);
        let answer = match request.path() {
            "/play/games.json" => PageAnswer::json(200, &menu::to_json([])),
            "/play/rules.json" => match request.value("game").unwrap_or_default().parse() {
                Ok(game) => PageAnswer::json(200, &menu::rules(&game)),
                Err(error) => PageAnswer::problem(422, error, None),
            },
            "/play/tables.json" => PageAnswer::json(200, &json!({ "tables": [] })),
            "/play/tables" => self.make(request.body()),
            path if path.ends_with("/replay") => self.replay(),
            _ => PageAnswer::problem(404, "there is nothing here", None),
        };
        answer.to_bytes()
    }

    fn hear(&mut self, lane: u32, report: &str) {
        let Some(table) = &mut self.table else { return };
        let (thought, spent) = PlayThoughtReport::read(report);
        if lane == ADVICE {
            if let Some(question) = table.host.question.take() {
                table.finish_advice(&question, thought);
            }
            return;
        }
        let seat = seat_of(lane as usize);
        let Some(epoch) = table.host.asked[seat.index()].take() else {
            return;
        };
        let thought = thought.map_err(|error| TableError::Fault {
            name: String::new(),
            fault: Fault::NotStarted(error),
        });
        table.finish_thought(seat, epoch, thought, Some(spent));
    }

    fn draft(&mut self, now: bool) -> Option<Vec<u8>> {
        let begun = (self.clock)();
        let table = self.table.as_mut()?;
        if !(now || begun >= self.draft_due) || !table.has_changed() {
            return None;
        }
        self.draft_due = begun + BETWEEN_DRAFTS;
        Some(table.stored()().ok()?.text().into_bytes())
    }

    fn restore(&mut self, draft: &[u8]) -> bool {
        let text = String::from_utf8_lossy(draft);
        let Ok(stored) = StoredTable::read("here", &text) else {
            return false;
        };
        // later than what the page knows, if its worker has broken down
        let version = (self.clock)().as_millis() as u64;
        let host = self.host();
        let Some(mut table) = PlayTable::restore(stored, host, version) else {
            return false;
        };
        let key = self.key.clone().unwrap_or_default();
        let page = table.join(self.news.clone(), key);
        self.page = page.unwrap_or_default();
        self.table = Some(table);
        page.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_job;
    use models::worker_pool::JobPermit;
    use serde_json::Value;

    fn clock() -> WireClock {
        Arc::new(|| Duration::ZERO)
    }

    fn asked(room: &mut PlayRoom, input: &str) -> Value {
        let answer = String::from_utf8(room.request(input.as_bytes())).unwrap();
        serde_json::from_str(answer.split_once('\n').unwrap().1).unwrap()
    }

    /// What the page is told that says this, with all thinking done at once.
    fn told(room: &mut PlayRoom, message: &str) -> Vec<Value> {
        if !message.is_empty() {
            room.tell(message).unwrap();
        }
        let mut told = Vec::new();
        while let Some(news) = room.take() {
            match news {
                RoomNews::Text(text) => told.push(serde_json::from_str(&text).unwrap()),
                RoomNews::Work {
                    lane,
                    job: Some(job),
                } => {
                    let permit = JobPermit::timed(Duration::from_secs(60), || Duration::ZERO);
                    let mut reports = Vec::new();
                    run_job(&job, &permit, &clock(), &mut |report| reports.push(report));
                    reports.iter().for_each(|report| room.hear(lane, report));
                }
                _ => {}
            }
        }
        told
    }

    /// A page at a new table.
    fn begun(seats: [&str; 2]) -> PlayRoom {
        let mut setup = PlayRoom::new(clock(), 1, None);
        let wanted = json!({ "game": "tictactoe", "seats": seats, "name": "Ada" });
        let made = asked(&mut setup, &format!("/play/tables\n{wanted}"));
        let key = made["key"].as_str().unwrap_or_default().to_string();
        let mut room = PlayRoom::new(clock(), 2, Some(key));
        assert!(
            room.restore(made["stored"].as_str().unwrap().as_bytes()),
            "{made}"
        );
        room
    }

    fn history(told: &[Value]) -> usize {
        let mut tables = told.iter().filter_map(|message| message.get("table"));
        tables.next_back().unwrap()["history"]
            .as_array()
            .unwrap()
            .len()
    }

    #[test]
    fn a_person_plays_a_player_of_the_program() {
        let mut room = begun(["me", "perfect"]);
        let first = told(&mut room, "");
        assert_eq!(first[0]["you"]["seat"], 0);
        let moved = told(&mut room, r#"{"do":"move","text":"B2","id":1}"#);
        assert_eq!(history(&moved), 2);
        let hint = told(&mut room, r#"{"do":"hint","id":2}"#);
        assert!(hint[0]["advice"]["choice"].is_string(), "{hint:?}");
        let back = told(&mut room, r#"{"do":"back","id":3}"#);
        assert_eq!(history(&back), 0);
        told(&mut room, r#"{"do":"move","text":"A1","id":4}"#);
        // the page comes again
        let draft = room.draft(true).unwrap();
        assert!(room.draft(true).is_none(), "nothing is new");
        let mut again = PlayRoom::new(clock(), 3, room.key.clone());
        assert!(again.restore(&draft));
        let seen = told(&mut again, "");
        assert_eq!((&seen[0]["you"]["seat"], history(&seen)), (&json!(0), 2));
        assert!(!again.restore(b"no table"));
    }

    #[test]
    fn two_players_play_to_the_end_and_leave_a_replay() {
        let mut room = begun(["perfect", "perfect"]);
        let told = told(&mut room, "");
        let last = told.last().unwrap();
        assert_eq!(last["table"]["outcome"], "draw");
        let answer = String::from_utf8(room.request(b"/play/x/replay\n")).unwrap();
        assert!(answer.contains("tictactoe"), "{answer}");
    }

    #[test]
    fn what_cannot_be_played_is_told_with_the_reason() {
        let mut room = PlayRoom::new(clock(), 1, None);
        for (body, words) in [
            ("{}", "missing field"),
            (r#"{"game":"chess","seats":["me","open"]}"#, "chess"),
            (r#"{"game":"stones","seats":["me","cmd:sh"]}"#, "program"),
            (r#"{"game":"stones","seats":["me","me"]}"#, "one seat"),
        ] {
            let answer = asked(&mut room, &format!("/play/tables\n{body}"));
            assert!(
                answer["error"].as_str().unwrap().contains(words),
                "{answer}"
            );
        }
        let mut gone = PlayRoom::new(clock(), 1, Some(String::new()));
        gone.poll(Duration::ZERO);
        assert_eq!(told(&mut gone, ""), [json!({ "gone": true })]);
    }
}
