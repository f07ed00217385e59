//! A world that is laid over the one of a page without a server: opened from its draft beside that
//! one, which it goes along with.

use crate::compared_world::{
    ComparedView, ComparedWorld, GoAlongRequest, ViewRequest, WorldRequests,
};
use crate::world_state::{WorldState, lock};
use render::Frame;
use session::Session;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The session, and who waits for it.
struct LedSession {
    session: Session,
    /// Dropped once it is where the leading world is.
    led_by: Option<Sender<()>>,
}

/// Another world in the same machine. It answers at once, and is stepped by whoever owns it.
#[derive(Clone)]
pub(crate) struct BesideWorld {
    led: Arc<Mutex<LedSession>>,
    state: WorldState,
    revision: Arc<AtomicU64>,
}

impl BesideWorld {
    pub(crate) fn new(session: Session) -> Self {
        let state = WorldState::default();
        state.update(|summary| session.title().clone_into(&mut summary.title));
        Self {
            revision: Arc::new(AtomicU64::new(session.revision())),
            led: Arc::new(Mutex::new(LedSession {
                session,
                led_by: None,
            })),
            state,
        }
    }

    /// It, to be laid over another one.
    pub(crate) fn to_compare(&self, id: String) -> ComparedWorld {
        let (seen, told) = (Arc::clone(&self.led), Arc::clone(&self.led));
        let view: ViewRequest = Box::new(move |viewport, answer| {
            let session = &lock(&seen).session;
            let view = ComparedView {
                frame: Frame::of(session.world(), &viewport),
                generation: session.world().generation().clone(),
                revision: session.revision(),
            };
            answer.send(view).is_ok()
        });
        let go_along: GoAlongRequest = Box::new(move |to, there| {
            let led = &mut *lock(&told);
            // a world that cannot follow stays where it is
            led.led_by = led.session.go_along(&to).is_ok().then_some(there);
            true
        });
        let requests = WorldRequests {
            view,
            go_along: Some(go_along),
        };
        let revision = Arc::clone(&self.revision);
        ComparedWorld::new(id, self.state.clone(), revision, requests)
    }

    /// Goes on to where it is led. Whether it is still on its way.
    pub(crate) fn go_on(&self, elapsed: Duration, go_on: &mut dyn FnMut() -> bool) -> bool {
        let led = &mut *lock(&self.led);
        if led.session.is_going() {
            led.session.tick(elapsed, go_on);
            self.revision
                .store(led.session.revision(), Ordering::Relaxed);
        }
        let is_going = led.session.is_going();
        if !is_going {
            led.led_by = None;
        }
        is_going
    }
}
