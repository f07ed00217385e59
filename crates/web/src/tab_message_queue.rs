//! Pending messages for one tab: one slot for each kind of update instead of a queue.
//!
//! A newer status replaces an unsent older one, and a frame is made only when the previous one is
//! being sent, so the cost of a slow browser is bounded. Replies must all arrive; their number is
//! bounded by the tab's permits, see [`crate::tab`].

use axum::body::Bytes;
use axum::extract::ws::close_code;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit};
use wire::{NewsSink, PendingNews, TabNews, WireMessage};

/// The updates for one tab.
#[derive(Debug, Default)]
pub(crate) struct TabMessageQueue {
    waiting: Mutex<PendingTabMessages>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct PendingTabMessages {
    news: PendingNews<QueuedTabReply>,
    end: Option<TabCloseReason>,
}

/// A text that must arrive, and the permit that it holds until it is sent.
#[derive(Debug)]
struct QueuedTabReply {
    text: String,
    _permit: Option<OwnedSemaphorePermit>,
}

/// What is to be sent next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TabUpdate {
    Text(String),
    Frame(Bytes),
    /// Nothing more comes.
    End(TabCloseReason),
}

impl NewsSink for TabMessageQueue {
    fn put(&self, news: TabNews) {
        self.queue(news, None);
    }

    fn takes_frame(&self) -> bool {
        self.lock().news.takes_frame()
    }
}

impl TabMessageQueue {
    /// Queues a text that must arrive.
    pub(crate) fn reply(&self, text: String, permit: Option<OwnedSemaphorePermit>) {
        self.queue(TabNews::Reply(text), permit);
    }

    fn queue(&self, news: TabNews, permit: Option<OwnedSemaphorePermit>) {
        let reply = |text| QueuedTabReply {
            text,
            _permit: permit,
        };
        self.lock().news.put(news, reply);
        self.changed.notify_one();
    }

    /// Says that the tab is to be closed, after the replies.
    pub(crate) fn end(&self, end: TabCloseReason) {
        self.lock().end = Some(end);
        self.changed.notify_one();
    }

    /// The next thing to send, as soon as there is one.
    pub(crate) async fn next(&self) -> TabUpdate {
        loop {
            // asked for before looking, so that what comes in between is not missed
            let changed = self.changed.notified();
            if let Some(next) = self.take() {
                return next;
            }
            changed.await;
        }
    }

    fn take(&self) -> Option<TabUpdate> {
        let mut waiting = self.lock();
        if let Some(reply) = waiting.news.take_reply() {
            return Some(TabUpdate::Text(reply.text));
        }
        if let Some(end) = waiting.end {
            return Some(TabUpdate::End(end));
        }
        Some(match waiting.news.take()? {
            WireMessage::Reply(reply) => TabUpdate::Text(reply.text),
            WireMessage::Text(text) => TabUpdate::Text(text),
            WireMessage::Frame(frame) => TabUpdate::Frame(frame.into()),
        })
    }

    fn lock(&self) -> MutexGuard<'_, PendingTabMessages> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a tab is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TabCloseReason {
    /// The server ends.
    Server,
    /// The world falls asleep.
    Asleep,
    /// It said too much that is no message.
    Malformed,
    /// What it said was too long, or is no text.
    Unreadable,
}

impl TabCloseReason {
    pub(crate) fn code(self) -> u16 {
        match self {
            Self::Server | Self::Asleep => close_code::AWAY,
            Self::Malformed => close_code::POLICY,
            Self::Unreadable => close_code::UNSUPPORTED,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Server => "the server has stopped",
            Self::Asleep => "the world fell asleep: it wakes when it is opened again",
            Self::Malformed => "too many messages that are none",
            Self::Unreadable => "a message that is too long, or no text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_news_gives_way_and_replies_do_not() {
        let queue = TabMessageQueue::default();
        let put = |news| NewsSink::put(&queue, news);
        put(TabNews::Frame(b"1".to_vec()));
        assert!(!queue.takes_frame());
        for text in ["a", "b"] {
            put(TabNews::Status(text.into()));
            queue.reply(text.into(), None);
        }
        put(TabNews::Look("look".into()));
        let sent: Vec<Option<TabUpdate>> = (0..6).map(|_| queue.take()).collect();
        let text = |text: &str| Some(TabUpdate::Text(text.into()));
        let frame = Some(TabUpdate::Frame(Bytes::from_static(b"1")));
        assert_eq!(
            sent,
            [text("a"), text("b"), text("look"), text("b"), frame, None]
        );
        assert!(queue.takes_frame());
        put(TabNews::Status("late".into()));
        queue.end(TabCloseReason::Server);
        assert_eq!(queue.take(), Some(TabUpdate::End(TabCloseReason::Server)));
    }
}
