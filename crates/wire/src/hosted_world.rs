//! A world with one tab, for a page that has its world inside: messages go in and come out by calls,
//! and it is stepped by whoever owns it.

use crate::clock::WireClock;
use crate::message::TabMessage;
use crate::news::{NewsSink, PendingNews, TabNews, WireMessage};
use crate::page_request::PageRequest;
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

/// A world with one tab.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use wire::{HostedWorld, Room, RoomNews};
///
/// let mut world = HostedWorld::open(64 << 20, 1, Arc::new(|| Duration::ZERO));
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
        }
    }
}

impl Room for HostedWorld {
    fn tell(&mut self, text: &str) -> Result<(), String> {
        let message = TabMessage::read(text).map_err(|error| error.to_string())?;
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
        let is_busy = self.host.session.is_busy();
        let mut has_stepped = false;
        if is_busy {
            let end = now + slice;
            has_stepped = self.host.session.tick(elapsed, &mut || clock() < end);
        }
        if is_busy && let Some((at, period)) = self.settling.look(&self.host.session, now) {
            let settled = json!({ "generation": at.to_string(), "period": period.to_string() });
            let text = json!({ "settled": settled }).to_string();
            self.news.put(TabNews::Reply(text));
        }
        self.host.send_updates(&|| false);
        if is_busy && has_stepped {
            return 0.0;
        }
        let now = clock();
        let slow = is_busy.then_some(now + SLOW_WORLD_WAIT);
        let due = self.host.next_due().into_iter().chain(slow).min();
        due.map_or(-1.0, |due| due.saturating_sub(now).as_secs_f64() * 1000.0)
    }

    fn take(&mut self) -> Option<RoomNews> {
        Some(match self.news.0.borrow_mut().take()? {
            WireMessage::Reply(text) | WireMessage::Text(text) => RoomNews::Text(text),
            WireMessage::Frame(frame) => RoomNews::Frame(frame),
        })
    }

    fn request(&mut self, input: &[u8]) -> Vec<u8> {
        PageRequest::of_bytes(input)
            .answer(&mut self.host)
            .to_bytes()
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
