//! What waits to be sent to one tab: a place for each kind of news, not a queue.
//!
//! A newer status takes the place of an older one that was not sent yet, and a frame is
//! only made when the one before is on its way, so what a slow browser costs does not
//! grow. Replies all have to arrive; there are never more of them than the tab has places
//! for commands, see [`crate::tab`].

use crate::tab::TabCloseReason;
use axum::body::Bytes;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit};

/// News for one tab.
#[derive(Debug, Default)]
pub(crate) struct TabMessageQueue {
    waiting: Mutex<PendingTabMessages>,
    news: Notify,
}

#[derive(Debug, Default)]
struct PendingTabMessages {
    replies: VecDeque<QueuedTabReply>,
    look: Option<String>,
    status: Option<String>,
    plot: Option<String>,
    frame: Option<Bytes>,
    end: Option<TabCloseReason>,
}

/// A text that must arrive, and the place that it takes until then.
#[derive(Debug)]
struct QueuedTabReply {
    text: String,
    _place: Option<OwnedSemaphorePermit>,
}

/// What is to be sent next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TabUpdate {
    Text(String),
    Frame(Bytes),
    /// Nothing more comes.
    End(TabCloseReason),
}

impl TabMessageQueue {
    /// Queues a text that must arrive.
    pub(crate) fn reply(&self, text: String, place: Option<OwnedSemaphorePermit>) {
        self.put(|waiting| {
            waiting.replies.push_back(QueuedTabReply {
                text,
                _place: place,
            })
        });
    }

    pub(crate) fn look(&self, text: String) {
        self.put(|waiting| waiting.look = Some(text));
    }

    pub(crate) fn status(&self, text: String) {
        self.put(|waiting| waiting.status = Some(text));
    }

    pub(crate) fn plot(&self, text: String) {
        self.put(|waiting| waiting.plot = Some(text));
    }

    pub(crate) fn frame(&self, frame: Bytes) {
        self.put(|waiting| waiting.frame = Some(frame));
    }

    /// Whether the frame before is on its way.
    pub(crate) fn takes_frame(&self) -> bool {
        self.lock().frame.is_none()
    }

    /// Says that the tab is to be closed, after the replies.
    pub(crate) fn end(&self, end: TabCloseReason) {
        self.put(|waiting| waiting.end = Some(end));
    }

    /// The next thing to send, as soon as there is one.
    pub(crate) async fn next(&self) -> TabUpdate {
        loop {
            // asked for before looking, so that what comes in between is not missed
            let news = self.news.notified();
            if let Some(next) = self.take() {
                return next;
            }
            news.await;
        }
    }

    fn take(&self) -> Option<TabUpdate> {
        let mut waiting = self.lock();
        if let Some(reply) = waiting.replies.pop_front() {
            return Some(TabUpdate::Text(reply.text));
        }
        if let Some(end) = waiting.end {
            return Some(TabUpdate::End(end));
        }
        let waiting = &mut *waiting;
        for text in [&mut waiting.look, &mut waiting.status, &mut waiting.plot] {
            if let Some(text) = text.take() {
                return Some(TabUpdate::Text(text));
            }
        }
        waiting.frame.take().map(TabUpdate::Frame)
    }

    fn put(&self, change: impl FnOnce(&mut PendingTabMessages)) {
        change(&mut self.lock());
        self.news.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, PendingTabMessages> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_news_gives_way_and_replies_do_not() {
        let outbox = TabMessageQueue::default();
        outbox.frame(Bytes::from_static(b"1"));
        assert!(!outbox.takes_frame());
        for text in ["a", "b"] {
            outbox.status(text.into());
            outbox.reply(text.into(), None);
        }
        outbox.look("look".into());
        let sent: Vec<Option<TabUpdate>> = (0..6).map(|_| outbox.take()).collect();
        let text = |text: &str| Some(TabUpdate::Text(text.into()));
        let frame = Some(TabUpdate::Frame(Bytes::from_static(b"1")));
        assert_eq!(
            sent,
            [text("a"), text("b"), text("look"), text("b"), frame, None]
        );
        assert!(outbox.takes_frame());
        outbox.status("late".into());
        outbox.end(TabCloseReason::Server);
        assert_eq!(outbox.take(), Some(TabUpdate::End(TabCloseReason::Server)));
    }
}
