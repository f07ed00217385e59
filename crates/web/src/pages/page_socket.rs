//! The socket of a page in a room: letters out, in order and never too many; messages in,
//! one after the other.
//!
//! A room puts what is new into the [`PageMessageQueue`] of everybody who watches. A page that does
//! not keep up is closed rather than owed more and more: it comes back and is told
//! everything as it stands then. (A place for only the newest, as the workbench has for its
//! frames, lost here: a move that is not told is a move missed.)

use crate::reply;
use axum::body::Bytes;
use axum::extract::ws::{self, CloseFrame, WebSocket, close_code};
use futures_util::future::BoxFuture;
use futures_util::{SinkExt as _, StreamExt as _};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::MissedTickBehavior;

/// How many pages may be in all rooms at once, the workbench's tabs not counted.
pub(crate) const PAGES: usize = 512;

/// The longest message that a room's page may send, in bytes, where a room says no other.
pub(crate) const LONGEST: usize = 64 << 10;

/// So many letters may wait for one page.
const MOST_WAITING: usize = 256;

/// And so many bytes of them.
const MOST_BYTES: usize = 4 << 20;

/// How many messages may be no messages before the page is closed.
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

/// What waits to be sent to one page.
#[derive(Debug, Default)]
pub(crate) struct PageMessageQueue {
    waiting: Mutex<PendingPageMessages>,
    news: Notify,
}

#[derive(Debug, Default)]
struct PendingPageMessages {
    letters: VecDeque<Arc<str>>,
    bytes: usize,
    close: Option<PageCloseReason>,
}

impl PageMessageQueue {
    /// Queues a text, the same one for as many pages as there are. A page with too many
    /// letters before it is closed instead.
    pub(crate) fn send(&self, text: impl Into<Arc<str>>) {
        let text = text.into();
        let mut waiting = self.lock();
        if waiting.close.is_none() {
            waiting.bytes += text.len();
            waiting.letters.push_back(text);
            if waiting.letters.len() > MOST_WAITING || waiting.bytes > MOST_BYTES {
                waiting.letters.clear();
                waiting.close = Some(PageCloseReason::Behind);
            }
        }
        drop(waiting);
        self.news.notify_one();
    }

    /// Closes the page after what was queued.
    pub(crate) fn close(&self, close: PageCloseReason) {
        self.lock().close.get_or_insert(close);
        self.news.notify_one();
    }

    /// Whether nothing more can be sent.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().close.is_some()
    }

    async fn next(&self) -> Result<Arc<str>, PageCloseReason> {
        loop {
            // asked for before looking, so that what comes in between is not missed
            let news = self.news.notified();
            {
                let mut waiting = self.lock();
                if let Some(letter) = waiting.letters.pop_front() {
                    waiting.bytes -= letter.len().min(waiting.bytes);
                    return Ok(letter);
                }
                if let Some(close) = waiting.close {
                    return Err(close);
                }
            }
            news.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, PendingPageMessages> {
        // nothing is left half done in there
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a page said is no message that the room knows: the words are for the page.
#[derive(Debug)]
pub(crate) struct MalformedMessage(pub(crate) String);

/// Serves a page until it goes or has to: sends its letters, and lets `hear` do what it says,
/// one message at a time; the next one waits until that is done.
pub(crate) async fn converse<Hearing>(
    socket: WebSocket,
    letters: Arc<PageMessageQueue>,
    mut hear: impl FnMut(String) -> Hearing + Send,
) where
    Hearing: Future<Output = Result<(), MalformedMessage>> + Send,
{
    converse_boxed(socket, letters, &mut |text| Box::pin(hear(text))).await;
}

/// The conversation itself, compiled once for all rooms.
async fn converse_boxed<'a>(
    socket: WebSocket,
    letters: Arc<PageMessageQueue>,
    hear: &mut (dyn FnMut(String) -> BoxFuture<'a, Result<(), MalformedMessage>> + Send),
) {
    let (mut sink, mut stream) = socket.split();
    let send = async {
        let mut ping = tokio::time::interval(BETWEEN_PINGS);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        loop {
            let message = tokio::select! {
                letter = letters.next() => match letter {
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
            let heard = match message {
                ws::Message::Text(text) => hear(text.to_string()).await,
                ws::Message::Binary(_) => {
                    Err(MalformedMessage("messages are text, not bytes".into()))
                }
                ws::Message::Ping(_) | ws::Message::Pong(_) => continue,
                ws::Message::Close(_) => return,
            };
            if let Err(MalformedMessage(words)) = heard {
                letters.send(reply::to_malformed(words));
                malformed += 1;
                if malformed >= MOST_MALFORMED {
                    letters.close(PageCloseReason::Malformed);
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
        let letters = PageMessageQueue::default();
        letters.send("one");
        letters.send("two");
        letters.close(PageCloseReason::Gone);
        letters.send("three");
        assert_eq!(letters.next().await.as_deref(), Ok("one"));
        assert_eq!(letters.next().await.as_deref(), Ok("two"));
        assert_eq!(letters.next().await, Err(PageCloseReason::Gone));
        assert_eq!(letters.next().await, Err(PageCloseReason::Gone));
    }

    #[tokio::test]
    async fn a_page_that_does_not_listen_is_closed() {
        for (text, most) in [
            ("x".to_string(), MOST_WAITING),
            ("x".repeat(MOST_BYTES / 4), 4),
        ] {
            let letters = PageMessageQueue::default();
            let mut sent = 0;
            while !letters.is_closed() {
                letters.send(text.as_str());
                sent += 1;
                assert!(sent <= most + 1);
            }
            assert_eq!(sent, most + 1);
            assert_eq!(letters.next().await, Err(PageCloseReason::Behind));
        }
    }
}
