//! Another world that a tab has laid over its own.
//!
//! The two worlds have threads of their own. This one asks the other for what it shows in the same
//! view, again whenever the view or the other world has changed, and never has more than one
//! question open: a world that is slow to answer is shown as it was last.
//!
//! Two worlds may step together: this one leads, the other one goes to each generation that this
//! one has reached, and this one goes no further before the other one is there.

use crate::clock::WireClock;
use crate::world_state::WorldState;
use num_bigint::BigInt;
use render::{Frame, FrameComparison, Viewport};
use session::command::Switch;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

/// How often the other world is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(33);

/// How long a frame waits for the other world's one of the same view.
const MAX_WAIT: Duration = Duration::from_millis(20);

/// A world that does not change is asked again after this time, so that it stays awake.
const STAYS_AWAKE: Duration = Duration::from_secs(1);

/// What a world shows in a view.
#[derive(Debug)]
pub struct ComparedView {
    /// The part of it.
    pub frame: Frame,
    /// Its generation.
    pub generation: BigInt,
    /// Its revision.
    pub revision: u64,
}

/// Asks a world for what it shows in a view. Returns whether the world is there.
pub type ViewRequest = Box<dyn Fn(Viewport, Sender<ComparedView>) -> bool + Send>;

/// Asks a world to go to a generation. The sender is dropped once it is there, or goes there no
/// more. Returns whether the world is there.
pub type GoAlongRequest = Box<dyn Fn(BigInt, Sender<()>) -> bool + Send>;

/// How a world is reached.
pub struct WorldRequests {
    /// For what it shows.
    pub view: ViewRequest,
    /// Where it may be changed.
    pub go_along: Option<GoAlongRequest>,
}

/// A world that goes along with another one.
#[derive(Debug)]
struct Lockstep {
    /// How many generations it is ahead.
    lead: BigInt,
    /// The last generation of the leading world that it was told.
    told: BigInt,
    /// Disconnected once it is there.
    pending: Option<Receiver<()>>,
}

impl Lockstep {
    fn is_pending(&mut self) -> bool {
        let pending = self.pending.as_ref().map(Receiver::try_recv);
        if !matches!(pending, Some(Err(TryRecvError::Empty))) {
            self.pending = None;
        }
        self.pending.is_some()
    }
}

/// What a tab's command changes of its comparison.
pub enum ComparisonChange {
    /// Another world, or none any more.
    With(Option<Box<ComparedWorld>>),
    /// Whether that goes along with this one.
    Together(Switch),
}

/// A comparison, and what it is with.
#[derive(Debug)]
pub(crate) struct WorldComparison<'a> {
    pub(crate) id: &'a str,
    pub(crate) title: String,
    pub(crate) generation: &'a BigInt,
    /// Whether the other world goes along with this one; nothing where it may not.
    pub(crate) is_together: Option<bool>,
    pub(crate) cells: FrameComparison,
}

/// Another world, as a tab sees it through its own view.
pub struct ComparedWorld {
    id: String,
    state: WorldState,
    /// The other world's revision, which its thread keeps up to date.
    revision: Arc<AtomicU64>,
    requests: WorldRequests,
    lockstep: Option<Lockstep>,
    /// The answer that is on its way.
    pending: Option<Receiver<ComparedView>>,
    view: Option<ComparedView>,
    /// When it was asked last.
    asked: Duration,
    /// When it is looked at next.
    due: Duration,
}

impl ComparedWorld {
    /// A world by its name, what is known of it, its revision, and how it is asked.
    pub fn new(
        id: String,
        state: WorldState,
        revision: Arc<AtomicU64>,
        requests: WorldRequests,
    ) -> Self {
        Self {
            id,
            state,
            revision,
            requests,
            lockstep: None,
            pending: None,
            view: None,
            asked: Duration::ZERO,
            due: Duration::ZERO,
        }
    }

    pub(crate) fn title(&self) -> String {
        self.state.summary().title
    }

    pub(crate) fn due(&self) -> Duration {
        self.due
    }

    /// Whether the two worlds step together.
    pub(crate) fn is_together(&self) -> bool {
        self.lockstep.is_some()
    }

    /// Lets the other world go along with this one, which is at a generation, or no more. Returns
    /// `false` where it may not be changed, or was not seen yet.
    pub(crate) fn set_together(&mut self, is_together: bool, generation: &BigInt) -> bool {
        self.lockstep = None;
        let may_lead = self.requests.go_along.is_some();
        if let Some(view) = self.view.as_ref().filter(|_| is_together && may_lead) {
            self.lockstep = Some(Lockstep {
                lead: &view.generation - generation,
                told: generation.clone(),
                pending: None,
            });
        }
        self.lockstep.is_some() == is_together
    }

    /// Tells the other world which generation this one has reached. Whether it is there too.
    pub(crate) fn keep_step(&mut self, generation: &BigInt) -> bool {
        let (Some(lockstep), Some(request)) = (&mut self.lockstep, &self.requests.go_along) else {
            return true;
        };
        if lockstep.is_pending() {
            return false;
        }
        if lockstep.told == *generation {
            return true;
        }
        let (sender, receiver) = channel();
        lockstep.told = generation.clone();
        lockstep.pending = Some(receiver);
        // one that has ended is noticed when it is looked at
        !request(generation + &lockstep.lead, sender)
    }

    /// This world was led to a generation by another one, which need not be led in turn.
    pub(crate) fn was_led_to(&mut self, generation: &BigInt) {
        if let Some(lockstep) = &mut self.lockstep {
            lockstep.told = generation.clone();
        }
    }

    /// Whether what it was last seen to show is out of date, where both are to be of one moment.
    fn lags(&self) -> bool {
        let seen = self.view.as_ref().map(|view| view.revision);
        self.is_together() && seen != Some(self.revision.load(Ordering::Relaxed))
    }

    /// Takes what has come, and asks for what has changed. Whether there is something new, or
    /// nothing where the other world has ended.
    pub(crate) fn look(&mut self, viewport: &Viewport, now: Duration) -> Option<bool> {
        self.due = now + BETWEEN_LOOKS;
        let is_new = match self.pending.as_ref().map(Receiver::try_recv) {
            Some(Ok(view)) => {
                self.pending = None;
                self.view = Some(view);
                true
            }
            // the question was lost when its thread recovered
            Some(Err(TryRecvError::Disconnected)) => {
                self.pending = None;
                false
            }
            Some(Err(TryRecvError::Empty)) | None => false,
        };
        let is_current = self.view.as_ref().is_some_and(|view| {
            view.frame.viewport == *viewport
                && view.revision == self.revision.load(Ordering::Relaxed)
                && now.saturating_sub(self.asked) < STAYS_AWAKE
        });
        let is_there = is_current || self.pending.is_some() || self.ask(viewport, now);
        is_there.then_some(is_new)
    }

    fn ask(&mut self, viewport: &Viewport, now: Duration) -> bool {
        let (sender, receiver) = channel();
        self.asked = now;
        self.pending = Some(receiver);
        (self.requests.view)(viewport.clone(), sender)
    }

    /// The comparison with a frame. Waits a moment for the other world where that has not been
    /// seen in this view.
    pub(crate) fn compare(
        &mut self,
        frame: &Frame,
        clock: &WireClock,
    ) -> Option<WorldComparison<'_>> {
        let end = clock() + MAX_WAIT;
        let is_same_view = |view: &Option<ComparedView>| matches!(view, Some(view) if view.frame.viewport == frame.viewport);
        while !is_same_view(&self.view) || self.lags() {
            let now = clock();
            if now >= end && is_same_view(&self.view) {
                // what is a moment old is better than nothing
                break;
            }
            if self.pending.is_none() && !self.ask(&frame.viewport, now) {
                return None;
            }
            let pending = self.pending.as_ref()?;
            // where the answer is there already, nothing waits: a page without a server cannot
            let seen = pending.try_recv().ok();
            match seen.or_else(|| pending.recv_timeout(end.saturating_sub(now)).ok()) {
                Some(view) => self.view = Some(view),
                None if is_same_view(&self.view) => break,
                // it comes later, and the frame is sent again then
                None => return None,
            }
            self.pending = None;
        }
        let view = self.view.as_ref()?;
        Some(WorldComparison {
            id: &self.id,
            title: self.state.summary().title,
            generation: &view.generation,
            is_together: self
                .requests
                .go_along
                .is_some()
                .then_some(self.lockstep.is_some()),
            cells: FrameComparison::of(frame, &view.frame)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn frame(viewport: &Viewport) -> Frame {
        let world = session::Session::new(session::file_access::FileAccess::default(), 0);
        Frame::of(world.world(), viewport)
    }

    fn seen(viewport: &Viewport, revision: u64) -> ComparedView {
        ComparedView {
            frame: frame(viewport),
            generation: BigInt::ZERO,
            revision,
        }
    }

    /// One question at a time, again when something changed, and no wait for who is slow.
    #[test]
    fn the_other_world_is_asked_when_it_has_changed() {
        type Question = (Viewport, Sender<ComparedView>);
        let questions: Arc<Mutex<Vec<Question>>> = Arc::default();
        let revision = Arc::new(AtomicU64::new(1));
        let asked = Arc::clone(&questions);
        let view: ViewRequest = Box::new(move |viewport, sender| {
            asked.lock().unwrap().push((viewport, sender));
            true
        });
        let requests = WorldRequests {
            view,
            go_along: None,
        };
        let state = WorldState::default();
        let mut other = ComparedWorld::new("x".into(), state, Arc::clone(&revision), requests);
        let (near, now) = (Viewport::new(64, 48), Duration::ZERO);
        let begun = std::time::Instant::now();
        let clock: WireClock = Arc::new(move || begun.elapsed());
        assert_eq!(other.look(&near, now), Some(false));
        assert_eq!(other.look(&near, now), Some(false));
        assert!(
            other.compare(&frame(&near), &clock).is_none(),
            "it has not answered"
        );
        let answer = |revision| {
            let (viewport, sender) = questions.lock().unwrap().pop().expect("it was asked");
            assert!(questions.lock().unwrap().is_empty(), "more than once");
            sender.send(seen(&viewport, revision)).unwrap();
        };
        answer(1);
        assert_eq!(other.look(&near, now), Some(true));
        assert!(other.compare(&frame(&near), &clock).is_some());
        assert_eq!(other.look(&near, now), Some(false));
        assert!(questions.lock().unwrap().is_empty(), "nothing has changed");
        revision.store(2, Ordering::Relaxed);
        assert_eq!(other.look(&near, now), Some(false));
        answer(2);
        assert_eq!(other.look(&near, now), Some(true));
        let far = near.panned(9, 0);
        assert_eq!(other.look(&far, now), Some(false));
        assert_eq!(questions.lock().unwrap().len(), 1);
        questions.lock().unwrap().clear();
        assert!(
            other.compare(&frame(&far), &clock).is_none(),
            "its answer was lost"
        );
        assert_eq!(other.look(&near, now + STAYS_AWAKE), Some(false));
        assert_eq!(questions.lock().unwrap().len(), 1, "and it is asked again");
    }

    #[test]
    fn a_world_that_has_ended_is_noticed() {
        let requests = WorldRequests {
            view: Box::new(|_, _| false),
            go_along: None,
        };
        let state = WorldState::default();
        let mut other = ComparedWorld::new("x".into(), state, Arc::default(), requests);
        assert_eq!(other.look(&Viewport::new(64, 48), Duration::ZERO), None);
        assert!(
            !other.set_together(true, &BigInt::ZERO),
            "it may not be led"
        );
    }

    /// The leading world waits for the other one, which is told each generation once.
    #[test]
    fn worlds_that_step_together_wait_for_each_other() {
        type Told = (BigInt, Sender<()>);
        let told: Arc<Mutex<Vec<Told>>> = Arc::default();
        let list = Arc::clone(&told);
        // each look sees another revision: 1, 2, 3
        let looks = AtomicU64::new(0);
        let requests = WorldRequests {
            view: Box::new(move |viewport, sender| {
                let revision = looks.fetch_add(1, Ordering::Relaxed) + 1;
                sender.send(seen(&viewport, revision)).is_ok()
            }),
            go_along: Some(Box::new(move |to, sender| {
                list.lock().unwrap().push((to, sender));
                true
            })),
        };
        let revision = Arc::new(AtomicU64::new(1));
        let state = WorldState::default();
        let mut other = ComparedWorld::new("x".into(), state, Arc::clone(&revision), requests);
        let generation = |n: i64| BigInt::from(n);
        assert!(
            !other.set_together(true, &generation(5)),
            "it was not seen yet"
        );
        let (view, now) = (Viewport::new(64, 48), Duration::ZERO);
        let begun = std::time::Instant::now();
        let clock: WireClock = Arc::new(move || begun.elapsed());
        assert_eq!(other.look(&view, now), Some(false));
        assert_eq!(other.look(&view, now), Some(true));
        // the other one is at generation 0
        assert!(other.set_together(true, &generation(5)) && other.is_together());
        assert!(other.keep_step(&generation(5)), "nothing has moved");
        assert!(!other.keep_step(&generation(7)));
        assert!(!other.keep_step(&generation(8)), "it is not there yet");
        let (to, sender) = told.lock().unwrap().pop().unwrap();
        assert_eq!((to, told.lock().unwrap().len()), (generation(2), 0));
        drop(sender);
        assert!(!other.keep_step(&generation(8)), "the next one");
        let (to, sender) = told.lock().unwrap().pop().unwrap();
        assert_eq!(to, generation(3));
        drop(sender);
        assert!(other.keep_step(&generation(8)));
        // what it was led to itself is no news for the other one
        other.was_led_to(&generation(9));
        assert!(other.keep_step(&generation(9)));
        // a view of an earlier moment is seen anew
        let mut compared = |now| {
            revision.store(now, Ordering::Relaxed);
            other.compare(&frame(&view), &clock).expect("it was seen");
            other.view.as_ref().unwrap().revision
        };
        assert_eq!([compared(1), compared(3), compared(3)], [1, 3, 3]);
        assert!(other.set_together(false, &generation(9)) && other.keep_step(&generation(11)));
    }
}
