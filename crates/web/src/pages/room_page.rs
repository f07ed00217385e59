//! A page with a room of its own ([`Room`]): its messages by a socket, its long work on threads.

use super::page_socket::{MalformedMessage, PageMessageQueue, converse};
use crate::panic_containment::{ContainedPanic, contain};
use crate::response::run_blocking;
use axum::extract::ws::WebSocket;
use models::worker_pool::{JobHandle, WorkerPool};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;
use wire::{LONGEST_WORK, Room, RoomNews, WireClock, reply, run_job};

/// A page, for as long as its socket is open. Its work ends with it.
struct RoomPage<R> {
    room: R,
    queue: Arc<PageMessageQueue>,
    work_pool: Arc<WorkerPool>,
    /// What is done in each lane.
    work: HashMap<u32, JobHandle>,
}

type SharedRoomPage<R> = Mutex<RoomPage<R>>;

/// Serves a page with this room until it goes.
pub(super) async fn serve<R: Room + Send + 'static>(
    socket: WebSocket,
    room: R,
    work_pool: Arc<WorkerPool>,
) {
    let queue = Arc::new(PageMessageQueue::default());
    let page = Arc::new(Mutex::new(RoomPage {
        room,
        queue: Arc::clone(&queue),
        work_pool,
        work: HashMap::new(),
    }));
    lock(&page).deliver(&Arc::downgrade(&page));
    converse(socket, queue, |text| {
        let page = Arc::clone(&page);
        async move {
            // some milliseconds at most, but those who answer others should not wait for them
            let done = run_blocking(move || {
                let mut room_page = lock(&page);
                let told = room_page.room.tell(&text);
                room_page.deliver(&Arc::downgrade(&page));
                told
            });
            // what broke down has been logged
            done.await.unwrap_or(Ok(())).map_err(MalformedMessage)
        }
    })
    .await;
}

fn lock<R>(page: &SharedRoomPage<R>) -> MutexGuard<'_, RoomPage<R>> {
    page.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<R: Room + Send + 'static> RoomPage<R> {
    /// Queues what the room has for its page, and begins and ends work; by `page` its reports find
    /// the room.
    fn deliver(&mut self, page: &Weak<SharedRoomPage<R>>) {
        while let Some(news) = self.room.take() {
            match news {
                RoomNews::Text(text) => self.queue.send(text),
                RoomNews::Frame(_) | RoomNews::Draft(_) => {
                    debug_assert!(false, "only worlds have frames and want drafts");
                }
                RoomNews::Work { lane, job: None } => drop(self.work.remove(&lane)),
                RoomNews::Work {
                    lane,
                    job: Some(job),
                } => {
                    let work = self.begin(lane, job, page.clone());
                    self.work.insert(lane, work);
                }
            }
        }
    }

    /// Begins work when a thread is free. After a panic the page gets an error message.
    fn begin(&self, lane: u32, job: String, page: Weak<SharedRoomPage<R>>) -> JobHandle {
        let queue = Arc::clone(&self.queue);
        self.work_pool.begin(Some(LONGEST_WORK), move |permit| {
            let mut report = |report: String| {
                let Some(page) = page.upgrade() else { return };
                let mut room_page = lock(&page);
                // other work has replaced this
                if permit.is_wanted() {
                    room_page.room.hear(lane, &report);
                    room_page.deliver(&Arc::downgrade(&page));
                }
            };
            let begun = Instant::now();
            let clock: WireClock = Arc::new(move || begun.elapsed());
            let done = contain(|| run_job(&job, permit, &clock, &mut report));
            if let Err(ContainedPanic(words)) = done {
                let message = format!("this broke down, a fault of gridpaper's own: {words}");
                queue.send(reply::to_malformed(message));
            }
        })
    }
}
