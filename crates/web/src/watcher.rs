//! What one tab sees, and what it is to be sent next.

use crate::frame::{self, FrameHeaderFields};
use crate::reply;
use crate::tab_message_queue::TabMessageQueue;
use session::{Session, Viewer};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most frames that a tab may have asked for and not drawn.
const MOST_CREDIT: u32 = 4;

/// Frames are at least so far apart: 60 a second.
const BETWEEN_FRAMES: Duration = Duration::from_micros(16_500);

/// The same for what is told in words: 20 a second.
const BETWEEN_STATUSES: Duration = Duration::from_millis(50);

/// The same for the plot: 4 a second.
const BETWEEN_PLOTS: Duration = Duration::from_millis(250);

/// A tab, as the workbench knows it.
pub(crate) struct TabWatcher {
    pub(crate) viewer: Viewer,
    pub(crate) outbox: Arc<TabMessageQueue>,
    /// It has said how many pixels it sees.
    is_sized: bool,
    /// It has seen nothing so far that could stay in the middle.
    goes_home: bool,
    credit: u32,
    /// The last command that was done for it.
    id: u64,
    /// It sees something else than at its last frame, status or look, whatever the world
    /// did.
    frame: SendSchedule,
    status: SendSchedule,
    look: SendSchedule,
    plot: Option<SendSchedule>,
    told: String,
}

/// What of the session a tab has been sent last.
#[derive(Clone, Copy, Debug)]
struct SendSchedule {
    /// At which revision; none when it has to be sent anew.
    revision: Option<u64>,
    /// Not before.
    due: Instant,
}

impl SendSchedule {
    fn nothing(now: Instant) -> Self {
        Self {
            revision: None,
            due: now,
        }
    }

    /// When something is to be sent: none where there is nothing new.
    fn wanted(&self, revision: u64) -> Option<Instant> {
        (self.revision != Some(revision)).then_some(self.due)
    }

    fn sent(&mut self, revision: u64, due: Instant) {
        *self = Self {
            revision: Some(revision),
            due,
        };
    }
}

/// What light and dark tabs are told of the colours: made once for all of them.
#[derive(Default)]
pub(crate) struct ThemePayloads {
    revision: u64,
    texts: [Option<String>; 2],
}

impl ThemePayloads {
    fn of(&mut self, session: &Session, viewer: &Viewer) -> &str {
        if self.revision != session.look_revision() {
            *self = Self {
                revision: session.look_revision(),
                ..Self::default()
            };
        }
        self.texts[usize::from(viewer.is_dark)].get_or_insert_with(|| {
            let rule = session.world().rule();
            let names = rule.look().map_or(&[][..], |look| &look.names);
            reply::look(&session.palette(viewer), rule.states(), names)
        })
    }
}

impl TabWatcher {
    /// A tab that begins where another one is, or was.
    pub(crate) fn new(outbox: Arc<TabMessageQueue>, beside: Option<Viewer>) -> Self {
        let now = Instant::now();
        Self {
            goes_home: beside.is_none(),
            viewer: beside.unwrap_or_else(|| Viewer::new(1280, 720)),
            outbox,
            is_sized: false,
            credit: 0,
            id: 0,
            frame: SendSchedule::nothing(now),
            status: SendSchedule::nothing(now),
            look: SendSchedule::nothing(now),
            plot: None,
            told: String::new(),
        }
    }

    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        if std::mem::take(&mut self.goes_home) {
            let is_dark = self.viewer.is_dark;
            self.viewer = Viewer::new(width, height);
            self.viewer.is_dark = is_dark;
        } else {
            self.viewer.resize(width, height);
        }
        self.is_sized = true;
        self.has_changed();
    }

    /// How many pixels it sees: none before it has said so.
    pub(crate) fn pixels(&self) -> u64 {
        let (width, height) = (self.viewer.viewport.width, self.viewer.viewport.height);
        match self.is_sized {
            true => u64::from(width) * u64::from(height),
            false => 0,
        }
    }

    pub(crate) fn darken(&mut self, is_dark: bool) {
        self.viewer.is_dark = is_dark;
        self.look.revision = None;
        self.has_changed();
    }

    pub(crate) fn give_credit(&mut self, credit: u32) {
        self.credit = self.credit.saturating_add(credit).min(MOST_CREDIT);
    }

    pub(crate) fn watch_plot(&mut self, on: bool) {
        // asking again and again does not make it come more often
        let due = self.plot.map_or_else(Instant::now, |plot| plot.due);
        self.plot = on.then_some(SendSchedule {
            revision: None,
            due,
        });
    }

    /// A command of this tab was done, or refused.
    pub(crate) fn has_done(&mut self, id: u64) {
        self.id = id;
        self.has_changed();
    }

    /// The session is another one: nothing that this tab was sent holds any more.
    pub(crate) fn begin_again(&mut self) {
        self.look.revision = None;
        if let Some(plot) = &mut self.plot {
            plot.revision = None;
        }
        self.has_changed();
    }

    fn has_changed(&mut self) {
        self.frame.revision = None;
        self.status.revision = None;
    }

    /// When the next thing is to be sent; none while there is nothing new.
    pub(crate) fn due(&self, session: &Session) -> Option<Instant> {
        let revision = session.revision();
        let frame = self
            .frame
            .wanted(revision)
            .filter(|_| self.is_sized && self.credit > 0);
        let status = self.status.wanted(revision);
        let look = self.look.wanted(session.look_revision());
        let plot = self.plot.and_then(|plot| plot.wanted(revision));
        // a frame that is still waiting is looked after from time to time
        let frame = frame.map(|due| match self.outbox.takes_frame() {
            true => due,
            false => due.max(Instant::now() + BETWEEN_FRAMES),
        });
        [frame, status, look, plot].into_iter().flatten().min()
    }

    /// Sends what is due, until somebody stops something: what is left comes after that.
    pub(crate) fn show(&mut self, session: &mut Session, looks: &mut ThemePayloads) {
        let now = Instant::now();
        let look_revision = session.look_revision();
        if self
            .look
            .wanted(look_revision)
            .is_some_and(|due| due <= now)
        {
            self.outbox
                .look(looks.of(session, &self.viewer).to_string());
            self.look.sent(look_revision, now);
            self.frame.revision = None;
        }
        let revision = session.revision();
        let may_have = self.is_sized && self.credit > 0 && self.outbox.takes_frame();
        if may_have && self.frame.wanted(revision).is_some_and(|due| due <= now) {
            let sent = session.unless_stopped(|session| self.send_frame(session, revision));
            if sent.is_none() {
                return;
            }
            self.credit -= 1;
            // one that comes late does not put off all that follow
            let due = self.frame.due + BETWEEN_FRAMES;
            self.frame.sent(revision, due.max(now + BETWEEN_FRAMES / 2));
        }
        if self.status.wanted(revision).is_some_and(|due| due <= now) {
            let begun = Instant::now();
            let sent = session.unless_stopped(|session| self.send_status(session));
            if sent.is_none() {
                return;
            }
            // where the numbers of a large world take long, they come more seldom
            let pause = (begun.elapsed() * 8).max(BETWEEN_STATUSES);
            self.status.sent(revision, begun + pause);
        }
        if let Some(plot) = &mut self.plot
            && plot.wanted(revision).is_some_and(|due| due <= now)
        {
            self.outbox.plot(reply::plot(session.plot()));
            plot.sent(revision, now + BETWEEN_PLOTS);
        }
    }

    fn send_frame(&mut self, session: &mut Session, revision: u64) {
        let frame = session.frame(&mut self.viewer);
        let world = session.world();
        // the plot ends with the world as it is: nothing has to be counted
        let last = session.plot().points().last();
        let last = last.filter(|(generation, _)| generation == world.generation());
        let moment = FrameHeaderFields {
            id: self.id,
            generation: world.generation(),
            population: last.map(|(_, population)| population),
            revision,
        };
        self.outbox.frame(frame::encoded(&frame, &moment));
    }

    fn send_status(&mut self, session: &mut Session) {
        let status = session.status(&self.viewer);
        // A status has texts for keys, and numbers that JSON can hold.
        let Ok(status) = serde_json::to_string(&status) else {
            return;
        };
        if status != self.told {
            self.outbox.status(format!("{{\"status\":{status}}}"));
            self.told = status;
        }
    }
}
