//! The rooms: each a document with an address of its own, and what answers it.
//!
//! A room is one module here. It gives its routes and owns its state; what it knows of games,
//! tournaments and puzzles is asked of the crates below, which the terminal asks too. Rooms
//! share the frame of their documents ([`crate::assets`]), the socket's loop ([`page_socket`]) and how
//! a board is told ([`board`]), and nothing else, so that a new room is a line in [`ALL`] and
//! one in [`routes`].

pub(crate) mod arena;
pub(crate) mod board;
pub(crate) mod classroom;
pub(crate) mod laser;
pub(crate) mod page_socket;
pub(crate) mod play;
pub(crate) mod replays;

use crate::assets;
use crate::options::AllowedBot;
use crate::route::refused;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A room as its address and the list of rooms have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageRoute {
    /// What it is called, and what its files are called.
    pub(crate) name: &'static str,
    /// Its address.
    pub(crate) path: &'static str,
}

/// All rooms, in the order of the list.
pub(crate) const ALL: [PageRoute; 6] = [
    PageRoute::new(PageRoute::WORLDS, "/"),
    PageRoute::new("play", "/play"),
    PageRoute::new("replays", "/replays"),
    PageRoute::new("arena", "/arena"),
    PageRoute::new("laser", "/laser"),
    PageRoute::new("classroom", "/classroom"),
];

impl PageRoute {
    /// The workbench, the one room with a frame of its own.
    pub(crate) const WORLDS: &'static str = "worlds";

    const fn new(name: &'static str, path: &'static str) -> Self {
        Self { name, path }
    }

    /// The list of rooms, as HTML, with this one marked.
    pub(crate) fn links(&self) -> String {
        let links: String = ALL
            .iter()
            .map(|room| {
                let current = if room == self {
                    " aria-current=\"page\""
                } else {
                    ""
                };
                format!("<a href=\"{}\"{current}>{}</a>", room.path, room.name)
            })
            .collect();
        format!(
            "<nav class=\"rooms\" aria-label=\"rooms\"><button type=\"button\" id=\"rooms-fold\" \
             class=\"plain rooms-fold\" aria-expanded=\"false\" aria-controls=\"rooms-list\" \
             title=\"rooms\"><svg class=\"icon\" aria-hidden=\"true\"><use href=\"#i-rooms\"/></svg>\
             <span>{}</span></button><div id=\"rooms-list\" class=\"rooms-list\">{links}</div></nav>",
            self.name
        )
    }
}

/// Whether a sign has no place in a name that others read: what turns the order of letters
/// around, or has no width, could pass for another name.
pub(crate) fn is_unseen(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' |
            '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// What rooms are made from.
#[derive(Clone, Debug)]
pub(crate) struct PageContext {
    /// Programs that the server's owner lets visitors play against, by name.
    pub(crate) bots: Arc<[AllowedBot]>,
    /// Where what outlives the server is kept; `None` for nowhere.
    pub(crate) state: Option<PathBuf>,
    /// Where chance starts from.
    pub(crate) seed: u64,
    /// Places for pages in rooms: each takes one for as long as its socket is open.
    pub(crate) places: Arc<Semaphore>,
    /// Set when the server ends: whoever thinks or plays on a thread of a room stops then.
    pub(crate) has_ended: Arc<AtomicBool>,
    /// Threads that have something to do then.
    last_words: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl PageContext {
    pub(crate) fn new(bots: Vec<AllowedBot>, state: Option<PathBuf>, seed: u64) -> Self {
        Self {
            bots: bots.into(),
            state,
            seed,
            places: Arc::new(Semaphore::new(page_socket::PAGES)),
            has_ended: Arc::default(),
            last_words: Arc::default(),
        }
    }

    /// A thread of a room that the server waits for when it ends: it looks at
    /// [`PageContext::has_ended`], and keeps what it has to keep.
    pub(crate) fn wait_for(&self, thread: JoinHandle<()>) {
        let threads = self.last_words.lock();
        threads.unwrap_or_else(PoisonError::into_inner).push(thread);
    }

    /// Waits for those threads.
    pub(crate) fn ended(&self) {
        let threads = self.last_words.lock();
        let threads = std::mem::take(&mut *threads.unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // a room that broke down has said so
            let _ = thread.join();
        }
    }
}

/// All answers of all rooms, but for what the workbench's own page asks.
pub(crate) fn routes(rooms: &PageContext) -> Router {
    let documents = ALL.into_iter().fold(Router::new(), |router, room| {
        let answer = move |headers: HeaderMap| async move { assets::document(&room, &headers) };
        router.route(room.path, get(answer))
    });
    documents
        .merge(play::routes(rooms))
        .merge(replays::routes(rooms))
        .merge(arena::routes(rooms))
        .merge(laser::routes(rooms))
        .merge(classroom::routes(rooms))
}

/// The document of the room with this name, for addresses below the room's own
/// (`/play/ID`).
pub(crate) fn document(name: &str, headers: &HeaderMap) -> Response {
    let room = ALL.iter().find(|room| room.name == name);
    assets::document(room.unwrap_or(&ALL[0]), headers)
}

/// A page's socket, which takes no longer messages than so many bytes, and a place for it,
/// where there is one left.
fn seat(
    upgrade: WebSocketUpgrade,
    places: &Arc<Semaphore>,
    longest: usize,
) -> Option<(WebSocketUpgrade, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).try_acquire_owned().ok()?;
    let upgrade = upgrade.max_message_size(longest).max_frame_size(longest);
    Some((upgrade, place))
}

/// The answer where there is no place left.
fn crowded() -> Response {
    let told = format!("{} pages are in the rooms already", page_socket::PAGES);
    let hint = Some("close some of them");
    refused(StatusCode::SERVICE_UNAVAILABLE, told, hint)
}

/// JSON that is another the next time.
fn unkept(told: &Value) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(told)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_room_has_its_files() {
        for room in ALL {
            let response = assets::document(&room, &HeaderMap::new());
            assert_eq!(response.status(), 200, "{}", room.name);
        }
    }

    #[test]
    fn the_list_marks_where_one_is() {
        let links = ALL[1].links();
        assert!(links.contains("<a href=\"/play\" aria-current=\"page\">play</a>"));
        assert_eq!(links.matches("aria-current").count(), 1);
        assert_eq!(links.matches("<a ").count(), ALL.len());
    }
}
