//! The WebSocket loop of a page: queued messages out in order, incoming messages one after the
//! other.
//!
//! A service puts updates into the [`PageMessageQueue`] of each page. A page that does not keep up
//! is closed; it reconnects and receives the whole state. (One slot for the newest update, as the
//! workbench has for frames, was rejected: every move must arrive.)

use axum::body::Bytes;
use axum::extract::ws::{self, CloseFrame, WebSocket, close_code};
use futures_util::future::BoxFuture;
use futures_util::{SinkExt as _, StreamExt as _};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::MissedTickBehavior;
use wire::{TablePageSink, reply};

/// The number of connected pages, the workbench's tabs not counted.
pub(crate) const PAGES: usize = 512;

/// The default limit of an incoming message, in bytes.
pub(crate) const LONGEST: usize = 64 << 10;

/// The number of messages that may wait for one page.
const MOST_WAITING: usize = 256;

/// Their total size in bytes.
const MOST_BYTES: usize = 4 << 20;

/// The number of malformed messages after which the page is closed.
const MOST_MALFORMED: u32 = 20;

const BETWEEN_PINGS: Duration = Duration::from_secs(10);

/// Why a page is closed by the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageCloseReason {
    /// It did not take what it was sent.
    Behind,
    /// It said too much that is no message.
    Malformed,
    /// What it looks at is gone.
    Gone,
}

impl PageCloseReason {
    fn code(self) -> u16 {
        match self {
            Self::Behind => close_code::AGAIN,
            Self::Malformed => close_code::POLICY,
            Self::Gone => close_code::AWAY,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Behind => "this page fell behind; it is told everything anew",
            Self::Malformed => "too many messages that are none",
            Self::Gone => "there is nothing here any more",
        }
    }
}

/// The queue of messages to one page.
#[derive(Debug, Default)]
pub(crate) struct PageMessageQueue {
    waiting: Mutex<PendingPageMessages>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct PendingPageMessages {
    messages: VecDeque<Arc<str>>,
    bytes: usize,
    close: Option<PageCloseReason>,
}

impl PageMessageQueue {
    /// Queues a text, which pages may share. A page with too many pending messages is closed
    /// instead.
    pub(crate) fn send(&self, text: impl Into<Arc<str>>) {
        let text = text.into();
        let mut waiting = self.lock();
        if waiting.close.is_none() {
            waiting.bytes += text.len();
            waiting.messages.push_back(text);
            if waiting.messages.len() > MOST_WAITING || waiting.bytes > MOST_BYTES {
                waiting.messages.clear();
                waiting.close = Some(PageCloseReason::Behind);
            }
        }
        drop(waiting);
        self.changed.notify_one();
    }

    /// Closes the page after what was queued.
    pub(crate) fn close(&self, close: PageCloseReason) {
        self.lock().close.get_or_insert(close);
        self.changed.notify_one();
    }

    /// Whether nothing more can be sent.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().close.is_some()
    }

    async fn next(&self) -> Result<Arc<str>, PageCloseReason> {
        loop {
            // asked for before looking, so that what comes in between is not missed
            let changed = self.changed.notified();
            {
                let mut waiting = self.lock();
                if let Some(text) = waiting.messages.pop_front() {
                    waiting.bytes -= text.len().min(waiting.bytes);
                    return Ok(text);
                }
                if let Some(close) = waiting.close {
                    return Err(close);
                }
            }
            changed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, PendingPageMessages> {
        // nothing is left half done in there
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The queue of a page at a table.
#[derive(Clone, Debug)]
pub(crate) struct TablePageQueue(pub(crate) Arc<PageMessageQueue>);

impl TablePageSink for TablePageQueue {
    fn send(&self, text: Arc<str>) {
        self.0.send(text);
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    fn close(&self) {
        self.0.close(PageCloseReason::Gone);
    }
}

/// A message that the page's service does not know; the text is for the page.
#[derive(Debug)]
pub(crate) struct MalformedMessage(pub(crate) String);

/// Serves a page until either side closes: sends queued messages, and calls `handle` for one
/// incoming message at a time.
pub(crate) async fn converse<Handling>(
    socket: WebSocket,
    queue: Arc<PageMessageQueue>,
    mut handle: impl FnMut(String) -> Handling + Send,
) where
    Handling: Future<Output = Result<(), MalformedMessage>> + Send,
{
    converse_boxed(socket, queue, &mut |text| Box::pin(handle(text))).await;
}

/// The loop itself, compiled once for all pages.
async fn converse_boxed<'a>(
    socket: WebSocket,
    queue: Arc<PageMessageQueue>,
    handle: &mut (dyn FnMut(String) -> BoxFuture<'a, Result<(), MalformedMessage>> + Send),
) {
    let (mut sink, mut stream) = socket.split();
    let send = async {
        let mut ping = tokio::time::interval(BETWEEN_PINGS);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        loop {
            let message = tokio::select! {
                text = queue.next() => match text {
                    Ok(text) => ws::Message::Text(text.as_ref().into()),
                    Err(close) => {
                        let frame = CloseFrame { code: close.code(), reason: close.words().into() };
                        // It ends either way.
                        let _ = sink.send(ws::Message::Close(Some(frame))).await;
                        return;
                    }
                },
                _ = ping.tick() => ws::Message::Ping(Bytes::new()),
            };
            if sink.send(message).await.is_err() {
                return;
            }
        }
    };
    let listen = async {
        let mut malformed = 0;
        while let Some(Ok(message)) = stream.next().await {
            let outcome = match message {
                ws::Message::Text(text) => handle(text.to_string()).await,
                ws::Message::Binary(_) => {
                    Err(MalformedMessage("messages are text, not bytes".into()))
                }
                ws::Message::Ping(_) | ws::Message::Pong(_) => continue,
                ws::Message::Close(_) => return,
            };
            if let Err(MalformedMessage(words)) = outcome {
                queue.send(reply::to_malformed(words));
                malformed += 1;
                if malformed >= MOST_MALFORMED {
                    queue.close(PageCloseReason::Malformed);
                    // what is on its way out is not cut off
                    return std::future::pending().await;
                }
            }
        }
    };
    tokio::select! {
        () = send => {}
        () = listen => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn letters_come_in_order_and_then_the_end() {
        let queue = PageMessageQueue::default();
        queue.send("one");
        queue.send("two");
        queue.close(PageCloseReason::Gone);
        queue.send("three");
        assert_eq!(queue.next().await.as_deref(), Ok("one"));
        assert_eq!(queue.next().await.as_deref(), Ok("two"));
        assert_eq!(queue.next().await, Err(PageCloseReason::Gone));
        assert_eq!(queue.next().await, Err(PageCloseReason::Gone));
    }

    #[tokio::test]
    async fn a_page_that_does_not_listen_is_closed() {
        for (text, most) in [
            ("x".to_string(), MOST_WAITING),
            ("x".repeat(MOST_BYTES / 4), 4),
        ] {
            let queue = PageMessageQueue::default();
            let mut sent = 0;
            while !queue.is_closed() {
                queue.send(text.as_str());
                sent += 1;
                assert!(sent <= most + 1);
            }
            assert_eq!(sent, most + 1);
            assert_eq!(queue.next().await, Err(PageCloseReason::Behind));
        }
    }
}
