//! A world with one tab, for a page that has its world inside: messages go in and come out by calls,
//! and it is stepped by whoever owns it.
//!
//! Another world may be laid over it, which is opened beside it from the draft that the page has kept:
//! it goes along where that is wanted, and nothing of it is kept.

use crate::beside_world::BesideWorld;
use crate::clock::WireClock;
use crate::compared_world::ComparisonChange;
use crate::comparison_command::ComparisonCommand;
use crate::film::{self, FilmFormat};
use crate::message::TabMessage;
use crate::news::{NewsSink, PendingNews, TabNews, WireMessage};
use crate::page_request::{PageAnswer, PageRequest};
use crate::reply;
use crate::room::{Room, RoomNews};
use crate::settling::SettlingWatch;
use crate::world_host::WorldHost;
use engine::{EngineChoice, Options};
use serde_json::json;
use session::Session;
use session::file_access::FileAccess;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The only tab.
const TAB: u64 = 1;

/// The least time between drafts; longer if a draft takes long to make.
const BETWEEN_DRAFTS: Duration = Duration::from_secs(2);

/// A file that is opened may have this part of the memory.
const UPLOAD_PART: u64 = 8;

/// A world that is compared may have this part of it, besides.
const BESIDE_PART: u64 = 4;

/// The wait for the next generation of a world that runs slowly.
const SLOW_WORLD_WAIT: Duration = Duration::from_millis(3);

/// Where the news of the tab wait until they are taken.
#[derive(Clone, Debug, Default)]
struct NewsBox(Rc<RefCell<PendingNews<String>>>);

impl NewsSink for NewsBox {
    fn put(&self, news: TabNews) {
        self.0.borrow_mut().put(news, |text| text);
    }

    fn takes_frame(&self) -> bool {
        self.0.borrow().takes_frame()
    }
}

/// A world that is to be compared, and whose draft is wanted.
#[derive(Debug)]
struct AwaitedWorld {
    world: String,
    /// The command's.
    id: u64,
    /// The page was asked for its draft.
    is_asked: bool,
}

/// A world with one tab.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use wire::{HostedWorld, Room, RoomNews};
///
/// let mut world = HostedWorld::open(64 << 20, 1, Arc::new(|| Duration::ZERO));
/// # assert!(world.draft(true).is_none());
/// world.tell(r#"{"do":"open glider","id":1}"#)?;
/// let begins = |news, with| matches!(news, Some(RoomNews::Text(text)) if text.starts_with(with));
/// assert!(begins(world.take(), "{\"welcome\""), "a tab is welcomed");
/// assert!(begins(world.take(), "{\"reply\""), "a command has a reply");
/// let draft = world.draft(true).expect("there is something to keep");
/// assert!(world.restore(&draft));
/// # Ok::<(), String>(())
/// ```
pub struct HostedWorld {
    host: WorldHost<NewsBox>,
    news: NewsBox,
    seed: u64,
    clock: WireClock,
    last_step: Duration,
    /// The revision that was kept last.
    kept: Option<u64>,
    settling: SettlingWatch,
    /// No draft before.
    draft_due: Duration,
    /// What the page calls it.
    name: String,
    awaited: Option<AwaitedWorld>,
    beside: Option<BesideWorld>,
}

impl HostedWorld {
    /// An empty world that may hold so many bytes.
    #[must_use]
    pub fn open(memory: u64, seed: u64, clock: WireClock) -> Self {
        let mut file_access = FileAccess::default();
        file_access.limits.memory = memory;
        file_access.limits.undo = memory / 8;
        file_access.limits.grid = file_access.limits.grid.min(memory);
        file_access.limits.upload = memory / UPLOAD_PART;
        let session = session(file_access, seed, &clock);
        let mut host = WorldHost::new(session, Arc::clone(&clock));
        let news = NewsBox::default();
        host.join(TAB, news.clone());
        Self {
            kept: Some(host.session.revision()),
            host,
            news,
            seed,
            last_step: clock(),
            clock,
            settling: SettlingWatch::default(),
            draft_due: Duration::ZERO,
            name: String::new(),
            awaited: None,
            beside: None,
        }
    }

    /// The same by the name that the page has for it: it is compared with others, and not with itself.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    fn compare(&mut self, id: u64, command: Result<ComparisonCommand, &'static str>) {
        let change = match command {
            Ok(ComparisonCommand::Off) => ComparisonChange::With(None),
            Ok(ComparisonCommand::Together(switch)) => ComparisonChange::Together(switch),
            Ok(ComparisonCommand::With { id: world, .. }) if world == self.name => {
                let words = "a world is compared with another one, and this is the same";
                return self.refuse(id, words);
            }
            Ok(ComparisonCommand::With { id: world, .. }) => {
                if let Some(before) = self.awaited.take() {
                    self.refuse(before.id, "another comparison was wanted meanwhile");
                }
                self.awaited = Some(AwaitedWorld {
                    world,
                    id,
                    is_asked: false,
                });
                return;
            }
            Err(words) => return self.refuse(id, words),
        };
        if matches!(change, ComparisonChange::With(None)) {
            self.beside = None;
        }
        self.change(id, change);
    }

    fn change(&mut self, id: u64, change: ComparisonChange) {
        if let Some(reply) = self.host.compare(TAB, id, change) {
            self.news.put(TabNews::Reply(reply));
        }
    }

    fn refuse(&self, id: u64, words: &str) {
        let reply = reply::to_broken_command(id, words);
        self.news.put(TabNews::Reply(reply));
    }

    /// Another world from its draft.
    fn open_beside(&self, draft: &[u8]) -> Option<BesideWorld> {
        let mut file_access = self.host.session.file_access().clone();
        let memory = file_access.limits.memory / BESIDE_PART;
        file_access.limits.memory = memory;
        file_access.limits.undo = memory / 8;
        let mut other = session(file_access, self.seed, &self.clock);
        let mut viewer = self.host.viewer_of(None);
        other.restore_draft(&mut viewer, draft).ok()?;
        Some(BesideWorld::new(other))
    }
}

impl Room for HostedWorld {
    fn tell(&mut self, text: &str) -> Result<(), String> {
        let message = TabMessage::read(text).map_err(|error| error.to_string())?;
        if let TabMessage::Do { text, id } = &message
            && let Some(command) = ComparisonCommand::read(text)
        {
            self.compare(*id, command);
            return Ok(());
        }
        if let Some(reply) = self.host.tell(TAB, &message) {
            self.news.put(TabNews::Reply(reply));
        }
        Ok(())
    }

    /// Steps the world, and sends what is due.
    fn poll(&mut self, slice: Duration) -> f64 {
        let clock = Arc::clone(&self.clock);
        let now = clock();
        let elapsed = now.saturating_sub(self.last_step);
        self.last_step = now;
        let end = now + slice;
        let beside = self.beside.as_ref();
        let is_led = beside.is_some_and(|other| other.go_on(elapsed, &mut || clock() < end));
        let is_in_step = self.host.keep_step();
        let is_busy = self.host.session.is_busy();
        let mut has_stepped = false;
        if is_busy && is_in_step {
            has_stepped = self.host.session.tick(elapsed, &mut || clock() < end);
        }
        // no frame shows this one ahead of the other
        let is_in_step = self.host.keep_step();
        if is_busy && let Some((at, period)) = self.settling.look(&self.host.session, now) {
            let settled = json!({ "generation": at.to_string(), "period": period.to_string() });
            let text = json!({ "settled": settled }).to_string();
            self.news.put(TabNews::Reply(text));
        }
        self.host.send_updates(&|| false);
        if is_busy && has_stepped || is_led || !is_in_step {
            return 0.0;
        }
        let now = clock();
        let slow = is_busy.then_some(now + SLOW_WORLD_WAIT);
        let due = self.host.next_due().into_iter().chain(slow).min();
        due.map_or(-1.0, |due| due.saturating_sub(now).as_secs_f64() * 1000.0)
    }

    fn take(&mut self) -> Option<RoomNews> {
        let news = self.news.0.borrow_mut().take();
        Some(match news {
            Some(WireMessage::Reply(text) | WireMessage::Text(text)) => RoomNews::Text(text),
            Some(WireMessage::Frame(frame)) => RoomNews::Frame(frame),
            None => {
                let awaited = self.awaited.as_mut().filter(|awaited| !awaited.is_asked)?;
                awaited.is_asked = true;
                RoomNews::Draft(awaited.world.clone())
            }
        })
    }

    fn lend(&mut self, world: &str, draft: Option<&[u8]>) {
        let awaited = self.awaited.take_if(|awaited| awaited.world == world);
        let Some(awaited) = awaited else {
            return;
        };
        let Some(beside) = draft.and_then(|draft| self.open_beside(draft)) else {
            let words = match draft {
                Some(_) => format!("the world {world} cannot be opened beside this one"),
                None => format!("there is no open world {world} here"),
            };
            return self.refuse(awaited.id, &words);
        };
        let other = beside.to_compare(awaited.world);
        self.beside = Some(beside);
        self.change(awaited.id, ComparisonChange::With(Some(Box::new(other))));
    }

    fn request(&mut self, input: &[u8]) -> Vec<u8> {
        let request = PageRequest::of_bytes(input);
        if request.path() == "/draft" {
            let draft = self.host.session.draft(&self.host.viewer_of(Some(TAB)));
            return match draft {
                Ok(draft) => PageAnswer::job(draft).to_bytes(),
                Err(refusal) => PageAnswer::problem(422, &refusal, None).to_bytes(),
            };
        }
        if let Some(format) = FilmFormat::of_path(request.path()) {
            return film::answer(&request, format, &self.host).to_bytes();
        }
        request.answer(&mut self.host).to_bytes()
    }

    fn draft(&mut self, now: bool) -> Option<Vec<u8>> {
        let revision = self.host.session.revision();
        let begun = (self.clock)();
        let is_due = now || begun >= self.draft_due;
        if !is_due || !self.host.was_touched || self.kept == Some(revision) {
            return None;
        }
        let draft = self.host.session.draft(&self.host.viewer_of(Some(TAB)));
        let ended = (self.clock)();
        // a large world may take a while: at most a fortieth of the time goes into drafts
        let pause = (ended.saturating_sub(begun) * 40).max(BETWEEN_DRAFTS);
        self.draft_due = ended + pause;
        self.kept = Some(revision);
        draft.ok()
    }

    /// Restores a draft into a new session.
    fn restore(&mut self, draft: &[u8]) -> bool {
        let mut restored = session(
            self.host.session.file_access().clone(),
            self.seed,
            &self.clock,
        );
        let mut viewer = self.host.viewer_of(None);
        let is_restored = restored.restore_draft(&mut viewer, draft).is_ok();
        if is_restored {
            self.host.session = restored;
            self.host.was_touched = true;
            self.kept = Some(self.host.session.revision());
            self.host.reset_tabs();
        }
        is_restored
    }
}

/// A session with a clock. No command is ever stopped: that would unwind, and a panic ends all here.
fn session(file_access: FileAccess, seed: u64, clock: &WireClock) -> Session {
    let mut session = Session::new(file_access, seed);
    let clock = Arc::clone(clock);
    session.set_clock(move || clock());
    session
}

/// Runs a case of the tests that hold machines against each other: a line with the engine, the generations and the rule, and then a pattern. Returns
/// the population and the hash of the cells, or what is wrong.
#[must_use]
pub fn run_case(input: &[u8]) -> String {
    case(input).unwrap_or_else(|problem| format!("error: {problem}"))
}

fn case(input: &[u8]) -> Result<String, String> {
    fn words(error: impl ToString) -> String {
        error.to_string()
    }
    let end = input.iter().position(|&byte| byte == b'\n');
    let (head, pattern) = input.split_at(end.unwrap_or(input.len()));
    let head = String::from_utf8_lossy(head);
    let mut parts = head.splitn(3, ' ');
    let mut part = || {
        parts
            .next()
            .ok_or("a case begins with ENGINE GENERATIONS RULE")
    };
    let (engine, generations, rule) = (part()?, part()?, part()?);
    let choice: EngineChoice = engine.parse().map_err(words)?;
    let generations = generations.parse().map_err(words)?;
    let rule = rule.parse().map_err(words)?;
    let pattern = pattern.get(1..).unwrap_or_default();
    let pattern = pattern::read(pattern).map_err(words)?.0;
    let options = Options {
        memory: 512 << 20,
        ..Options::default()
    };
    let opened = engine::open_job(choice, &rule, &pattern, &generations, &options);
    let mut world = opened.map_err(words)?.world;
    let advanced = world.advance(&generations, &mut |_| true);
    advanced.map_err(words)?;
    Ok(format!("{} {}", world.population(), world.hash()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::{FilmPiece, FilmQuery, FilmReader, FilmScene, make_film, make_film_of_job};
    use serde_json::Value;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A clock that goes on by a few milliseconds whenever it is looked at.
    fn clock() -> WireClock {
        let looks = AtomicU64::new(0);
        Arc::new(move || Duration::from_millis(5 * looks.fetch_add(1, Ordering::Relaxed)))
    }

    fn open(name: &str) -> HostedWorld {
        let mut world = HostedWorld::open(64 << 20, 1, clock()).named(name);
        world.tell(r#"{"size":[64,48]}"#).unwrap();
        world
    }

    fn say(world: &mut HostedWorld, text: &str) {
        let message = json!({ "do": text, "id": 7 }).to_string();
        world.tell(&message).unwrap();
    }

    /// What a world has for its page: the worlds that it wants, the replies, and the headers of
    /// frames.
    #[derive(Default)]
    struct HeardNews {
        wanted: Vec<String>,
        replies: Vec<Value>,
        frames: Vec<Value>,
    }

    fn heard(world: &mut HostedWorld) -> HeardNews {
        let mut all = HeardNews::default();
        for _ in 0..200 {
            world.tell(r#"{"credit":1}"#).unwrap();
            world.poll(Duration::from_millis(40));
            while let Some(news) = world.take() {
                match news {
                    RoomNews::Draft(name) => all.wanted.push(name),
                    RoomNews::Text(text) => {
                        let mut text: Value = serde_json::from_str(&text).unwrap();
                        if text["reply"].is_object() {
                            all.replies.push(text["reply"].take());
                        }
                    }
                    RoomNews::Frame(frame) => {
                        let end = 4 + u32::from_le_bytes(frame[..4].try_into().unwrap()) as usize;
                        let header = serde_json::from_slice(&frame[4..end]).unwrap();
                        all.frames.push(header);
                    }
                    RoomNews::Work { .. } => panic!("a world has no work for others"),
                }
            }
        }
        all
    }

    fn draft_of(commands: &[&str]) -> Vec<u8> {
        let mut other = open("other");
        for text in commands {
            say(&mut other, text);
        }
        heard(&mut other);
        let answer = other.request(b"/draft\n");
        let end = answer.iter().position(|&byte| byte == b'\n').unwrap();
        assert_eq!(other.draft(true).as_deref(), Some(&answer[end + 1..]));
        answer[end + 1..].to_vec()
    }

    /// Another world is laid over this one, and goes along.
    #[test]
    fn worlds_are_compared_and_step_together() {
        let draft = draft_of(&["open glider", "draw 1 0,0 0,0"]);
        let mut world = open("this");
        say(&mut world, "open glider");
        say(&mut world, "compare other key");
        let first = heard(&mut world);
        assert_eq!(first.wanted, ["other"], "once");
        assert_eq!(first.replies.len(), 1, "it has to wait for the draft");
        world.lend("another", Some(&draft));
        assert!(
            heard(&mut world).replies.is_empty(),
            "nobody asked for that"
        );
        world.lend("other", Some(&draft));
        let compared = heard(&mut world);
        assert_eq!(compared.replies[0]["ok"], true, "{:?}", compared.replies);
        let found = &compared.frames.last().unwrap()["compared"];
        assert_eq!(
            [&found["both"], &found["here"], &found["there"]].map(Value::as_u64),
            [Some(5), Some(0), Some(1)]
        );
        assert_eq!(found["id"], "other");
        // this one alone goes on
        say(&mut world, "goto 4");
        let alone = heard(&mut world).frames.pop().unwrap();
        assert_eq!(
            (&alone["generation"], &alone["compared"]["generation"]),
            (&json!("4"), &json!("0"))
        );
        say(&mut world, "compare together");
        assert_eq!(heard(&mut world).replies[0]["ok"], true);
        say(&mut world, "goto 40");
        let together = heard(&mut world);
        for frame in &together.frames {
            let number = |text: &Value| text.as_str().unwrap().parse::<i64>().unwrap();
            let lead = number(&frame["generation"]) - number(&frame["compared"]["generation"]);
            assert_eq!(lead, 4, "no frame shows one of the two ahead");
        }
        assert_eq!(together.frames.last().unwrap()["generation"], "40");
        say(&mut world, "compare off");
        let after = heard(&mut world);
        assert!(after.frames.last().unwrap().get("compared").is_none());
        // the world goes on alone
        say(&mut world, "goto 44");
        assert_eq!(heard(&mut world).frames.last().unwrap()["generation"], "44");
    }

    #[test]
    fn comparisons_that_cannot_be_say_why() {
        let mut world = open("this");
        let rows: [(&str, Option<&[u8]>, &str); 5] = [
            ("compare this", None, "this is the same"),
            ("compare", None, "compare with what"),
            ("compare together", None, "no world is compared"),
            ("compare other", None, "there is no open world other here"),
            ("compare other", Some(b"no draft"), "cannot be opened"),
        ];
        for (text, draft, words) in rows {
            say(&mut world, text);
            for wanted in heard_wanted(&mut world) {
                world.lend(&wanted, draft);
            }
            let said = std::iter::from_fn(|| world.take());
            let said: Vec<String> = said
                .filter_map(|news| match news {
                    RoomNews::Text(text) => Some(text),
                    _ => None,
                })
                .collect();
            assert!(
                said.iter().any(|text| text.contains(words)),
                "{text}: {said:?}"
            );
        }
        // one that takes the place of another
        say(&mut world, "compare one");
        say(&mut world, "compare two");
        assert_eq!(heard(&mut world).wanted, ["two"]);
    }

    /// The worlds that are wanted, with nothing else taken.
    fn heard_wanted(world: &mut HostedWorld) -> Vec<String> {
        let awaited = world.awaited.iter_mut().filter(|awaited| !awaited.is_asked);
        awaited
            .map(|awaited| {
                awaited.is_asked = true;
                awaited.world.clone()
            })
            .collect()
    }

    fn still_clock() -> WireClock {
        Arc::new(|| Duration::ZERO)
    }

    /// The pieces of a film.
    #[derive(Default)]
    struct PieceList(RefCell<Vec<Vec<u8>>>);

    impl FilmReader for PieceList {
        fn put(&self, piece: FilmPiece) -> std::io::Result<()> {
            self.0.borrow_mut().push(piece.wrapped());
            Ok(())
        }

        fn hear_sign(&self, _: u32) {}

        fn is_read(&self) -> bool {
            true
        }

        fn holds(&self, _: u64) {}
    }

    /// An answer's first line, and the content behind it.
    fn parts(answer: &[u8]) -> (serde_json::Value, &[u8]) {
        let end = answer.iter().position(|&byte| byte == b'\n').unwrap();
        (
            serde_json::from_slice(&answer[..end]).unwrap(),
            &answer[end + 1..],
        )
    }

    /// The file of wrapped pieces, and the pictures done; or what went wrong.
    fn file(pieces: &[Vec<u8>]) -> Result<(Vec<u8>, u32), String> {
        let (mut file, mut last) = (Vec::new(), 0);
        for piece in pieces {
            let number = |at: usize| u32::from_le_bytes(piece[at..at + 4].try_into().unwrap());
            assert_eq!(piece.len(), 8 + number(4) as usize);
            if number(0) == u32::MAX {
                return Err(String::from_utf8(piece[8..].to_vec()).unwrap());
            }
            last = number(0);
            file.extend(&piece[8..]);
        }
        Ok((file, last))
    }

    /// A film of a draft, in a machine of its own, is the file that the session's own copy gives.
    #[test]
    fn a_film_of_an_order_is_that_of_the_world() {
        let mut world = HostedWorld::open(64 << 20, 1, still_clock());
        let tell = |world: &mut HostedWorld, text: &str| {
            let message = serde_json::json!({ "do": text, "id": 1 }).to_string();
            world.tell(&message).unwrap();
        };
        world.tell(r#"{"size":[161,121]}"#).unwrap();
        world.tell(r#"{"dark":true}"#).unwrap();
        for text in [
            "open gosper-glider-gun",
            "zoom 4",
            "pan 7,3",
            "theme system",
            "step 70",
        ] {
            tell(&mut world, text);
        }
        while world.poll(Duration::from_secs(1)) == 0.0 {}
        let rows = [
            ("gif", "from=70&to=100&every=10", 4),
            ("apng", "from=90&to=96&every=3&fps=5", 3),
            ("gif", "from=75&to=90&every=15&whole=1&zoom=2", 2),
            // before where it is
            ("gif", "from=0&to=30&every=30&tab=1", 2),
        ];
        for (kind, query, pictures) in rows {
            let address = format!("/film.{kind}?{query}&progress=1");
            let answer = world.request(format!("{address}\n").as_bytes());
            let (head, job) = parts(&answer);
            assert_eq!(head["status"], 200, "{address}");
            let mut pieces = Vec::new();
            make_film_of_job(job, &still_clock(), &mut |piece| pieces.push(piece));
            let made = file(&pieces).unwrap();
            assert_eq!(made.1, pictures, "{address}");

            let request = PageRequest::read(&address, Vec::new());
            let plan = FilmQuery::of(&request).plan().unwrap();
            let host = &world.host;
            let viewer = host.viewer_of(Some(1));
            let scene = FilmScene::of(&host.session, &viewer, &plan.from).unwrap();
            let expected = PieceList::default();
            let format = FilmFormat::of_path(&format!("/film.{kind}")).unwrap();
            make_film(&scene, &plan, format, 1 << 26, &still_clock(), &expected).unwrap();
            assert_eq!(made, file(&expected.0.borrow()).unwrap(), "{address}");
        }
    }

    #[test]
    fn films_that_cannot_be_made_say_why() {
        let mut world = HostedWorld::open(64 << 20, 1, still_clock());
        let rows = [
            ("/film.gif?from=9&to=3", 400, "3 comes before 9"),
            ("/film.gif?from=0&to=9000", 400, "show fewer generations"),
            ("/film.apng?to=3", 400, "is no generation"),
            ("/film.gif?from=-3&to=3", 422, "start"),
        ];
        for (address, status, words) in rows {
            let answer = world.request(format!("{address}\n").as_bytes());
            let (head, body) = parts(&answer);
            assert_eq!(head["status"], status, "{address}");
            let body = String::from_utf8_lossy(body);
            assert!(body.contains(words), "{address}: {body}");
        }
        for job in [&b""[..], b"{}", b"{\"query\":1}\nx"] {
            let mut pieces = Vec::new();
            make_film_of_job(job, &still_clock(), &mut |piece| pieces.push(piece));
            let error = file(&pieces).unwrap_err();
            assert!(error.starts_with("this is no order"), "{error}");
        }
    }
}
