//! The WebSocket of a workbench tab.
//!
//! Each message takes one of a fixed number of permits and returns it once it has been handled, a
//! command when its reply is being sent. A tab that sends without reading runs out of permits, and
//! then its messages are not read either.

use crate::tab_message_queue::{TabCloseReason, TabMessageQueue, TabUpdate};
use crate::workbench::{WorkbenchHandle, WorkbenchRequest};
use crate::world_access::WorldAccess;
use crate::worlds::{WorldVisitor, WorldsError};
use axum::body::Bytes;
use axum::extract::ws::{self, CloseFrame, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use session::Command;
use session::command::Switch;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::MissedTickBehavior;
use wire::reply;
use wire::{ComparedWorld, ComparisonChange};
use wire::{TabMessage, TabMessageError};

/// The number of messages of a tab in flight.
const MOST_PENDING: usize = 32;

/// The number of malformed messages after which the tab is closed.
const MOST_MALFORMED: u32 = 20;

/// The ping interval. Pongs keep the connection open, see [`crate::listener`].
const BETWEEN_PINGS: Duration = Duration::from_secs(10);

/// Serves a tab until either side closes. One that may not draw changes its own view alone.
pub(crate) async fn serve(
    socket: WebSocket,
    world: WorldAccess,
    workbench: WorkbenchHandle,
    tab: u64,
) {
    let queue = Arc::new(TabMessageQueue::default());
    if workbench
        .send(WorkbenchRequest::Join {
            tab,
            queue: Arc::clone(&queue),
        })
        .is_err()
    {
        return;
    }
    let (sink, stream) = socket.split();
    let reader = Reader {
        workbench: workbench.clone(),
        tab,
        world,
        queue: Arc::clone(&queue),
    };
    tokio::select! {
        () = send(sink, &queue) => {}
        () = reader.read(stream) => {}
    }
    // It may have ended before the tab did.
    let _ = workbench.send(WorkbenchRequest::Leave { tab });
}

/// Sends updates until the queue ends or the connection fails.
async fn send(mut sink: SplitSink<WebSocket, ws::Message>, queue: &TabMessageQueue) {
    let mut ping = tokio::time::interval(BETWEEN_PINGS);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ping.reset();
    loop {
        let message = tokio::select! {
            update = queue.next() => match update {
                TabUpdate::Text(text) => ws::Message::Text(text.into()),
                TabUpdate::Frame(frame) => ws::Message::Binary(frame),
                TabUpdate::End(end) => {
                    let close = CloseFrame { code: end.code(), reason: end.words().into() };
                    // It ends either way.
                    let _ = sink.send(ws::Message::Close(Some(close))).await;
                    return;
                }
            },
            _ = ping.tick() => ws::Message::Ping(Bytes::new()),
        };
        if sink.send(message).await.is_err() {
            return;
        }
    }
}

/// Whether one who only watches may send it. What is no command gets its own reply.
fn is_for_watchers(text: &str) -> bool {
    let command = text.parse::<Command>();
    command.is_ok_and(|command| command.is_for_one_viewer())
}

/// What follows `compare`, the command of the tab itself, where it is that.
fn words_of_compare(text: &str) -> Option<&str> {
    let words = text.trim().strip_prefix("compare")?;
    (words.is_empty() || words.starts_with(char::is_whitespace)).then_some(words)
}

/// The switch of `compare together`.
fn switch_of_together(words: &str) -> Option<Switch> {
    let mut words = words.split_whitespace();
    let (Some("together"), switch, None) = (words.next(), words.next(), words.next()) else {
        return None;
    };
    match switch {
        None | Some("on") => Some(Switch::On),
        Some("off") => Some(Switch::Off),
        Some("toggle") => Some(Switch::Toggle),
        Some(_) => None,
    }
}

/// The reply to a comparison with nothing.
const COMPARE_USAGE: &str =
    "compare with what: the list of all worlds has a button for each, and `compare off` ends it";

struct Reader {
    workbench: WorkbenchHandle,
    tab: u64,
    world: WorldAccess,
    queue: Arc<TabMessageQueue>,
}

/// The reply to who may only watch.
const WATCHES: &str = "you were invited to watch this world: only who may draw can change it";

impl Reader {
    /// Forwards messages until the tab goes. After an error it waits for the sender to finish, so
    /// that queued output is not cut off.
    async fn read(self, mut stream: SplitStream<WebSocket>) {
        let permits = Arc::new(Semaphore::new(MOST_PENDING));
        let mut malformed = 0;
        loop {
            let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
                return;
            };
            let text = match stream.next().await {
                None | Some(Ok(ws::Message::Close(_))) => return,
                Some(Ok(ws::Message::Ping(_) | ws::Message::Pong(_))) => continue,
                Some(Ok(ws::Message::Text(text))) => Ok(text),
                Some(Ok(ws::Message::Binary(_))) => Err(TabMessageError::Binary),
                Some(Err(_)) => return self.close(TabCloseReason::Unreadable).await,
            };
            let outcome = text.and_then(|text| TabMessage::read(&text));
            let outcome = match outcome {
                Ok(TabMessage::Do { text, id }) if words_of_compare(&text).is_some() => {
                    let words = words_of_compare(&text).unwrap_or_default();
                    match self.comparison_change(words).await {
                        Ok(change) => self.workbench.send(WorkbenchRequest::Compare {
                            tab: self.tab,
                            id,
                            change,
                            permit,
                        }),
                        Err(problem) => {
                            let reply = reply::to_broken_command(id, &problem);
                            self.queue.reply(reply, Some(permit));
                            continue;
                        }
                    }
                }
                Ok(TabMessage::Do { text, id })
                    if !self.world.may_draw() && !is_for_watchers(&text) =>
                {
                    let reply = reply::to_broken_command(id, WATCHES);
                    self.queue.reply(reply, Some(permit));
                    continue;
                }
                Ok(message) => self.workbench.send(WorkbenchRequest::Message {
                    tab: self.tab,
                    message,
                    permit,
                }),
                Err(error) => {
                    malformed += 1;
                    self.queue.reply(reply::to_malformed(error), Some(permit));
                    if malformed >= MOST_MALFORMED {
                        return self.close(TabCloseReason::Malformed).await;
                    }
                    continue;
                }
            };
            if outcome.is_err() {
                return self.close(TabCloseReason::Server).await;
            }
        }
    }

    /// What `compare` is to change.
    async fn comparison_change(&self, words: &str) -> Result<ComparisonChange, String> {
        match switch_of_together(words) {
            Some(_) if !self.world.may_draw() => Err(WATCHES.into()),
            Some(switch) => Ok(ComparisonChange::Together(switch)),
            None => self.compared(words).await.map(ComparisonChange::With),
        }
    }

    /// The world that `compare` names, woken where it is asleep; none for `off`. A visitor's
    /// browser gives the world's key too.
    async fn compared(&self, words: &str) -> Result<Option<Box<ComparedWorld>>, String> {
        let mut words = words.split_whitespace();
        let (id, key) = match (words.next(), words.next(), words.next()) {
            (Some("off"), None, None) => return Ok(None),
            (Some(id), key, None) => (id, key),
            _ => return Err(COMPARE_USAGE.into()),
        };
        if id == self.world.keys.id {
            return Err("a world is compared with another one, and this is the same".into());
        }
        let visitor = WorldVisitor {
            key: key.map(String::from),
            is_owner: self.world.visitor.is_owner,
        };
        let other = self.world.worlds.to_compare(id, &visitor).await;
        let other = other.map_err(|error| match error {
            WorldsError::Unknown => format!("there is no open world {id} here"),
            error => error.to_string(),
        })?;
        Ok(Some(Box::new(other)))
    }

    /// Closes the tab; the sender returns first.
    async fn close(&self, end: TabCloseReason) {
        self.queue.end(end);
        std::future::pending().await
    }
}
