//! The view of one tab, and the schedule of what it is sent.

use crate::clock::WireClock;
use crate::compared_world::ComparedWorld;
use crate::frame::{self, FrameHeaderFields};
use crate::news::{NewsSink, TabNews};
use crate::reply;
use num_bigint::BigInt;
use plot::PlotDrawing;
use session::command::Switch;
use session::{Session, Viewer};
use std::time::Duration;

/// The most credit for frames that a tab can have.
const MOST_CREDIT: u32 = 4;

/// The least time between frames: 60 a second.
const BETWEEN_FRAMES: Duration = Duration::from_micros(16_500);

/// The same for the status: 20 a second.
const BETWEEN_STATUSES: Duration = Duration::from_millis(50);

/// The same for the plot: 4 a second.
const BETWEEN_PLOTS: Duration = Duration::from_millis(250);

/// The width and height of a character on the page's rulers in pixels.
const RULER_CHARACTER: (u32, u32) = (7, 14);

/// A tab, as the workbench knows it.
pub(crate) struct TabWatcher<Sink> {
    pub(crate) viewer: Viewer,
    pub(crate) queue: Sink,
    /// It has said how many pixels it sees.
    is_sized: bool,
    /// It has seen nothing so far that could stay in the middle.
    centres_view: bool,
    credit: u32,
    /// The last command that was done for it.
    id: u64,
    /// The schedules for this tab's own changes, besides those of the world.
    frame: SendSchedule,
    status: SendSchedule,
    look: SendSchedule,
    plot: Option<SendSchedule>,
    /// Another world that is laid over this one.
    comparison: Option<ComparedWorld>,
    /// That is where it goes along: no frame shows one of the two ahead.
    is_in_step: bool,
    /// The plot is sent with its curves on their axes.
    shows_curves: bool,
    last_status: String,
}

/// When one kind of message was last sent, and when it is next due.
#[derive(Clone, Copy, Debug)]
struct SendSchedule {
    /// The revision sent last; `None` when it has to be sent again.
    revision: Option<u64>,
    /// Not before.
    due: Duration,
}

impl SendSchedule {
    fn nothing(now: Duration) -> Self {
        Self {
            revision: None,
            due: now,
        }
    }

    /// When to send next; `None` while there is nothing new.
    fn next_due(&self, revision: u64) -> Option<Duration> {
        (self.revision != Some(revision)).then_some(self.due)
    }

    fn sent(&mut self, revision: u64, due: Duration) {
        *self = Self {
            revision: Some(revision),
            due,
        };
    }
}

/// The theme messages for light and dark tabs, made once for all of them.
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
            let names = rule
                .appearance()
                .map_or(&[][..], |appearance| &appearance.names);
            reply::look(
                &session.palette(viewer),
                rule.states(),
                names,
                &session.icons(),
            )
        })
    }
}

impl<Sink: NewsSink> TabWatcher<Sink> {
    /// A new tab, with the view of another one if there is one.
    pub(crate) fn new(queue: Sink, beside: Option<Viewer>) -> Self {
        let now = Duration::ZERO;
        Self {
            centres_view: beside.is_none(),
            viewer: beside.unwrap_or_else(|| Viewer::new(1280, 720)),
            queue,
            is_sized: false,
            credit: 0,
            id: 0,
            frame: SendSchedule::nothing(now),
            status: SendSchedule::nothing(now),
            look: SendSchedule::nothing(now),
            plot: None,
            comparison: None,
            is_in_step: true,
            shows_curves: false,
            last_status: String::new(),
        }
    }

    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        if std::mem::take(&mut self.centres_view) {
            let is_dark = self.viewer.is_dark;
            self.viewer = Viewer::new(width, height);
            self.viewer.is_dark = is_dark;
        } else {
            self.viewer.resize(width, height);
        }
        self.is_sized = true;
        self.invalidate();
    }

    /// How many pixels it sees: none before it has said so.
    pub(crate) fn pixels(&self) -> u64 {
        let (width, height) = (self.viewer.viewport.width, self.viewer.viewport.height);
        match self.is_sized {
            true => u64::from(width) * u64::from(height),
            false => 0,
        }
    }

    pub(crate) fn set_dark(&mut self, is_dark: bool) {
        self.viewer.is_dark = is_dark;
        self.look.revision = None;
        self.invalidate();
    }

    pub(crate) fn give_credit(&mut self, credit: u32) {
        self.credit = self.credit.saturating_add(credit).min(MOST_CREDIT);
    }

    pub(crate) fn watch_plot(&mut self, on: bool) {
        // asking again and again does not make it come more often
        let due = self.plot.map_or(Duration::ZERO, |plot| plot.due);
        self.plot = on.then_some(SendSchedule {
            revision: None,
            due,
        });
    }

    pub(crate) fn watch_curves(&mut self, on: bool) {
        self.shows_curves = on;
        if let Some(plot) = &mut self.plot {
            plot.revision = None;
        }
    }

    /// Lays another world over this one, or takes it away. Returns what there is to say.
    pub(crate) fn compare_with(&mut self, other: Option<ComparedWorld>) -> String {
        let note = match &other {
            Some(other) => format!("compared with {}", other.title()),
            None if self.comparison.is_some() => "compared no more".into(),
            None => "no world is compared".into(),
        };
        self.comparison = other;
        self.is_in_step = true;
        self.invalidate();
        note
    }

    /// Lets the other world go along with this one. Returns what there is to say, or what stands
    /// in the way.
    pub(crate) fn set_together(
        &mut self,
        switch: Switch,
        generation: &BigInt,
    ) -> Result<String, &'static str> {
        let other = self.comparison.as_mut();
        let other = other.ok_or("no world is compared, so none can step together with this one")?;
        let is_together = switch.of(other.is_together());
        if !other.set_together(is_together, generation) {
            return Err("the other world may not be changed, or was not seen yet");
        }
        self.invalidate();
        let note = match is_together {
            true => "the two worlds step together",
            false => "each world steps by itself",
        };
        Ok(note.into())
    }

    /// Tells the other world how far this one is. Whether it is there too.
    pub(crate) fn keep_step(&mut self, generation: &BigInt) -> bool {
        let other = self.comparison.as_mut();
        self.is_in_step = other.is_none_or(|other| other.keep_step(generation));
        self.is_in_step
    }

    /// This world was led to a generation by another one.
    pub(crate) fn was_led_to(&mut self, generation: &BigInt) {
        if let Some(other) = &mut self.comparison {
            other.was_led_to(generation);
        }
    }

    /// Sees what the other world has to show. Returns `false` where that has ended.
    fn look_at_other(&mut self, now: Duration) -> bool {
        let Some(other) = self.comparison.as_mut().filter(|other| other.due() <= now) else {
            return true;
        };
        match other.look(&self.viewer.viewport, now) {
            Some(true) => self.frame.revision = None,
            Some(false) => {}
            None => {
                self.compare_with(None);
            }
        }
        self.comparison.is_some()
    }

    /// A command of this tab was done, or refused.
    pub(crate) fn command_done(&mut self, id: u64) {
        self.id = id;
        self.invalidate();
    }

    /// Forgets all that was sent: the session was replaced.
    pub(crate) fn reset(&mut self) {
        self.look.revision = None;
        if let Some(plot) = &mut self.plot {
            plot.revision = None;
        }
        self.invalidate();
    }

    fn invalidate(&mut self) {
        self.frame.revision = None;
        self.status.revision = None;
    }

    /// When the next thing is to be sent; none while there is nothing new.
    pub(crate) fn due(&self, session: &Session, now: Duration) -> Option<Duration> {
        let revision = session.revision();
        let frame = self
            .frame
            .next_due(revision)
            .filter(|_| self.is_sized && self.credit > 0);
        let other = self.comparison.as_ref().map(ComparedWorld::due);
        let other = other.filter(|_| self.is_sized && self.credit > 0);
        let status = self.status.next_due(revision);
        let look = self.look.next_due(session.look_revision());
        let plot = self.plot.and_then(|plot| plot.next_due(revision));
        // a frame that is still waiting is looked after from time to time
        let frame = frame.map(|due| match self.queue.takes_frame() && self.is_in_step {
            true => due,
            false => due.max(now + BETWEEN_FRAMES),
        });
        [frame, status, look, plot, other]
            .into_iter()
            .flatten()
            .min()
    }

    /// Sends what is due; stops early when a stop request arrives.
    pub(crate) fn send_due(
        &mut self,
        session: &mut Session,
        payloads: &mut ThemePayloads,
        clock: &WireClock,
    ) {
        let now = clock();
        let look_revision = session.look_revision();
        if self
            .look
            .next_due(look_revision)
            .is_some_and(|due| due <= now)
        {
            let look = payloads.of(session, &self.viewer).to_string();
            self.queue.put(TabNews::Look(look));
            self.look.sent(look_revision, now);
            self.frame.revision = None;
        }
        if self.is_sized && self.credit > 0 && !self.look_at_other(now) {
            let notice = "the world that was compared has ended: it is compared no more";
            self.queue.put(TabNews::Reply(reply::to_malformed(notice)));
        }
        let revision = session.revision();
        let may_send = self.is_sized && self.credit > 0 && self.queue.takes_frame();
        let may_send = may_send && self.is_in_step;
        if may_send && self.frame.next_due(revision).is_some_and(|due| due <= now) {
            let sent =
                session.interruptible_read(|session| self.send_frame(session, revision, clock));
            if sent.is_none() {
                return;
            }
            self.credit -= 1;
            // one that comes late does not put off all that follow
            let due = self.frame.due + BETWEEN_FRAMES;
            self.frame.sent(revision, due.max(now + BETWEEN_FRAMES / 2));
        }
        if self.status.next_due(revision).is_some_and(|due| due <= now) {
            let begun = clock();
            let sent = session.interruptible_read(|session| self.send_status(session));
            if sent.is_none() {
                return;
            }
            // where the numbers of a large world take long, they come more seldom
            let pause = (clock().saturating_sub(begun) * 8).max(BETWEEN_STATUSES);
            self.status.sent(revision, begun + pause);
        }
        if let Some(plot) = &mut self.plot
            && plot.next_due(revision).is_some_and(|due| due <= now)
        {
            let curves = self
                .shows_curves
                .then(|| PlotDrawing::new(session.run_series(), &self.viewer.plot));
            let points = reply::plot(session.plot(), curves.as_ref());
            self.queue.put(TabNews::Plot(points));
            plot.sent(revision, now + BETWEEN_PLOTS);
        }
    }

    fn send_frame(&mut self, session: &mut Session, revision: u64, clock: &WireClock) {
        let frame = session.frame(&mut self.viewer);
        let world = session.world();
        // the plot ends with the world as it is: nothing has to be counted
        let last = session.plot().points().last();
        let last = last.filter(|(generation, _)| generation == world.generation());
        let rulers = session.rulers(&self.viewer, RULER_CHARACTER);
        let is_comparing = self.comparison.is_some();
        let comparison = self.comparison.as_mut();
        let comparison = comparison.and_then(|other| other.compare(&frame, clock));
        let fields = FrameHeaderFields {
            comparison: comparison.as_ref(),
            is_comparing,
            rulers: rulers.as_ref(),
            id: self.id,
            generation: world.generation(),
            population: last.map(|(_, population)| population),
            revision,
        };
        let bytes = frame::encode(&frame, &fields);
        self.queue.put(TabNews::Frame(bytes));
    }

    fn send_status(&mut self, session: &mut Session) {
        let status = session.status(&self.viewer);
        // A status has texts for keys, and numbers that JSON can hold.
        let Ok(status) = serde_json::to_string(&status) else {
            return;
        };
        if status != self.last_status {
            let text = format!("{{\"status\":{status}}}");
            self.queue.put(TabNews::Status(text));
            self.last_status = status;
        }
    }
}
