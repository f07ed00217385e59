//! A room: what a page shows besides worlds, and a world as well, as whoever carries the messages
//! sees it.
//!
//! A room does what a page says at once and never waits. What takes long is an order
//! ([`RoomNews::Work`]) that the carrier has done elsewhere, by [`crate::run_job`], and whose
//! reports it hands back: a server on a thread, a page without one in a worker of its own.

use crate::page_request::PageAnswer;
use std::time::Duration;

/// What a room has for its carrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoomNews {
    /// A text for the page.
    Text(String),
    /// A frame for the page.
    Frame(Vec<u8>),
    /// Long work to be begun, in the place of what is done in its lane; with no job, that is ended.
    Work {
        /// Of the few things that a room has done at a time, which one it is.
        lane: u32,
        /// What is to be done, for [`crate::run_job`].
        job: Option<String>,
    },
    /// The draft of another world is wanted, by its name: [`Room::lend`] takes it.
    Draft(String),
}

/// A room of one page.
///
/// ```
/// use wire::{ClassroomRoom, Room, RoomNews};
///
/// let mut room = ClassroomRoom::default();
/// let Some(RoomNews::Text(welcome)) = room.take() else { panic!("a page is welcomed") };
/// assert!(welcome.starts_with("{\"welcome\":"));
/// room.tell(r#"{"step":2}"#)?;
/// let Some(RoomNews::Text(view)) = room.take() else { panic!("boards are shown again") };
/// assert!(view.contains("\"round\":2"));
/// assert!(room.tell("no message").is_err());
/// # Ok::<(), String>(())
/// ```
pub trait Room {
    /// Does what the page says.
    ///
    /// # Errors
    /// Says why it is no message.
    fn tell(&mut self, text: &str) -> Result<(), String>;

    /// What comes next, where there is something.
    fn take(&mut self) -> Option<RoomNews>;

    /// Goes on for at most this long. Returns the milliseconds until there is more to do: a
    /// negative number where nothing is to be done until something is said.
    fn poll(&mut self, _slice: Duration) -> f64 {
        -1.0
    }

    /// Answers a request: an address, a line feed, and the body.
    fn request(&mut self, _input: &[u8]) -> Vec<u8> {
        PageAnswer::problem(404, "there is nothing here", None).to_bytes()
    }

    /// Takes what the work in a lane reports.
    fn hear(&mut self, _lane: u32, _report: &str) {}

    /// Takes the draft of another world that was wanted; none where that is not kept.
    fn lend(&mut self, _world: &str, _draft: Option<&[u8]>) {}

    /// What is to be kept where there is something new and, unless it is wanted `now`, enough time
    /// has gone by.
    fn draft(&mut self, _now: bool) -> Option<Vec<u8>> {
        None
    }

    /// Restores what was kept. Returns whether that succeeded.
    fn restore(&mut self, _draft: &[u8]) -> bool {
        false
    }
}
