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
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::MissedTickBehavior;
use wire::{
    ComparedWorld, ComparisonChange, ComparisonCommand, TabMessage, TabMessageError, reply,
};

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
            let comparison = match &outcome {
                Ok(TabMessage::Do { text, id }) => {
                    ComparisonCommand::read(text).map(|command| (*id, command))
                }
                _ => None,
            };
            if let Some((id, command)) = comparison {
                let sent = match self.comparison_change(command).await {
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
                };
                if sent.is_err() {
                    return self.close(TabCloseReason::Server).await;
                }
                continue;
            }
            let outcome = match outcome {
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
    async fn comparison_change(
        &self,
        command: Result<ComparisonCommand, &'static str>,
    ) -> Result<ComparisonChange, String> {
        match command? {
            ComparisonCommand::Together(_) if !self.world.may_draw() => Err(WATCHES.into()),
            ComparisonCommand::Together(switch) => Ok(ComparisonChange::Together(switch)),
            ComparisonCommand::Off => Ok(ComparisonChange::With(None)),
            ComparisonCommand::With { id, key } => {
                let other = self.compared(&id, key).await?;
                Ok(ComparisonChange::With(Some(Box::new(other))))
            }
        }
    }

    /// The world that `compare` names, woken where it is asleep. A visitor's browser gives the
    /// world's key too.
    async fn compared(&self, id: &str, key: Option<String>) -> Result<ComparedWorld, String> {
        if id == self.world.keys.id {
            return Err("a world is compared with another one, and this is the same".into());
        }
        let visitor = WorldVisitor {
            key,
            is_owner: self.world.visitor.is_owner,
        };
        let other = self.world.worlds.to_compare(id, &visitor).await;
        other.map_err(|error| match error {
            WorldsError::Unknown => format!("there is no open world {id} here"),
            error => error.to_string(),
        })
    }

    /// Closes the tab; the sender returns first.
    async fn close(&self, end: TabCloseReason) {
        self.queue.end(end);
        std::future::pending().await
    }
}
