//! Another world that a tab has laid over its own.
//!
//! The two worlds have threads of their own. This one asks the other for what it shows in the same
//! view, again whenever the view or the other world has changed, and never has more than one
//! question open: a world that is slow to answer is shown as it was last.

use crate::clock::WireClock;
use crate::world_state::WorldState;
use num_bigint::BigInt;
use render::{Frame, FrameComparison, Viewport};
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

/// A comparison, and what it is with.
#[derive(Debug)]
pub(crate) struct WorldComparison<'a> {
    pub(crate) id: &'a str,
    pub(crate) title: String,
    pub(crate) generation: &'a BigInt,
    pub(crate) cells: FrameComparison,
}

/// Another world, as a tab sees it through its own view.
pub struct ComparedWorld {
    id: String,
    state: WorldState,
    /// The other world's revision, which its thread keeps up to date.
    revision: Arc<AtomicU64>,
    request: ViewRequest,
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
        request: ViewRequest,
    ) -> Self {
        Self {
            id,
            state,
            revision,
            request,
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
        (self.request)(viewport.clone(), sender)
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
        while !is_same_view(&self.view) {
            let now = clock();
            if self.pending.is_none() && !self.ask(&frame.viewport, now) {
                return None;
            }
            let pending = self.pending.as_ref()?;
            match pending.recv_timeout(end.saturating_sub(now)) {
                Ok(view) => self.view = Some(view),
                // it comes later, and the frame is sent again then
                Err(_) => return None,
            }
            self.pending = None;
        }
        let view = self.view.as_ref()?;
        Some(WorldComparison {
            id: &self.id,
            title: self.state.summary().title,
            generation: &view.generation,
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
        let request: ViewRequest = Box::new(move |viewport, sender| {
            asked.lock().unwrap().push((viewport, sender));
            true
        });
        let state = WorldState::default();
        let mut other = ComparedWorld::new("x".into(), state, Arc::clone(&revision), request);
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
        let request: ViewRequest = Box::new(|_, _| false);
        let mut other =
            ComparedWorld::new("x".into(), WorldState::default(), Arc::default(), request);
        assert_eq!(other.look(&Viewport::new(64, 48), Duration::ZERO), None);
    }
}
