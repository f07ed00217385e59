//! One tab's socket: messages in, news out.
//!
//! A tab has so many places for what it says. Each message takes one, and gives it back
//! when it has been dealt with, a command when its reply is on its way. A tab that talks
//! and does not listen has none left after a while, and is not listened to either.

use crate::message::{TabMessage, TabMessageError};
use crate::reply;
use crate::tab_message_queue::{TabMessageQueue, TabUpdate};
use crate::workbench::{WorkbenchHandle, WorkbenchRequest};
use axum::body::Bytes;
use axum::extract::ws::{self, CloseFrame, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::MissedTickBehavior;

/// How many messages of a tab may be on their way.
const PLACES: usize = 32;

/// How many messages may be no messages before the tab is closed.
const MOST_MALFORMED: u32 = 20;

/// A tab is asked so often whether it is there. Its answers keep the connection open, see
/// [`crate::listener`].
const BETWEEN_PINGS: Duration = Duration::from_secs(10);

/// Serves a tab until it goes, or has to.
pub(crate) async fn serve(socket: WebSocket, line: WorkbenchHandle, tab: u64) {
    let outbox = Arc::new(TabMessageQueue::default());
    if line
        .send(WorkbenchRequest::Join {
            tab,
            outbox: Arc::clone(&outbox),
        })
        .is_err()
    {
        return;
    }
    let (sink, stream) = socket.split();
    let reader = Reader {
        line: line.clone(),
        tab,
        outbox: Arc::clone(&outbox),
    };
    tokio::select! {
        () = send(sink, &outbox) => {}
        () = reader.read(stream) => {}
    }
    // It may have ended before the tab did.
    let _ = line.send(WorkbenchRequest::Leave { tab });
}

/// Sends news until there is no more, or nobody to take it.
async fn send(mut sink: SplitSink<WebSocket, ws::Message>, outbox: &TabMessageQueue) {
    let mut ping = tokio::time::interval(BETWEEN_PINGS);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ping.reset();
    loop {
        let message = tokio::select! {
            news = outbox.next() => match news {
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

/// Why a tab is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TabCloseReason {
    /// The server ends.
    Server,
    /// It said too much that is no message.
    Malformed,
    /// What it said was too long, or is no text.
    Unreadable,
}

impl TabCloseReason {
    fn code(self) -> u16 {
        match self {
            Self::Server => close_code::AWAY,
            Self::Malformed => close_code::POLICY,
            Self::Unreadable => close_code::UNSUPPORTED,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Server => "the server has stopped",
            Self::Malformed => "too many messages that are none",
            Self::Unreadable => "a message that is too long, or no text",
        }
    }
}

struct Reader {
    line: WorkbenchHandle,
    tab: u64,
    outbox: Arc<TabMessageQueue>,
}

impl Reader {
    /// Passes on what the tab says, until it goes. Returns only then, or when all has been
    /// said to it that is to be said: what is on its way out is not cut off.
    async fn read(self, mut stream: SplitStream<WebSocket>) {
        let places = Arc::new(Semaphore::new(PLACES));
        let mut malformed = 0;
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return;
            };
            let text = match stream.next().await {
                None | Some(Ok(ws::Message::Close(_))) => return,
                Some(Ok(ws::Message::Ping(_) | ws::Message::Pong(_))) => continue,
                Some(Ok(ws::Message::Text(text))) => Ok(text),
                Some(Ok(ws::Message::Binary(_))) => Err(TabMessageError::Binary),
                Some(Err(_)) => return self.end(TabCloseReason::Unreadable).await,
            };
            let said = text.and_then(|text| TabMessage::read(&text));
            let said = match said {
                Ok(message) => self.line.send(WorkbenchRequest::Said {
                    tab: self.tab,
                    message,
                    place,
                }),
                Err(error) => {
                    malformed += 1;
                    self.outbox.reply(reply::to_malformed(error), Some(place));
                    if malformed >= MOST_MALFORMED {
                        return self.end(TabCloseReason::Malformed).await;
                    }
                    continue;
                }
            };
            if said.is_err() {
                return self.end(TabCloseReason::Server).await;
            }
        }
    }

    /// Lets the tab be closed; whoever sends returns first.
    async fn end(&self, end: TabCloseReason) {
        self.outbox.end(end);
        std::future::pending().await
    }
}
