//! What a tab is told: one slot for each kind of update instead of a queue.
//!
//! A newer status replaces an unsent older one, and a frame is made only when the previous one is
//! being sent, so the cost of a slow reader is bounded. Replies must all arrive.

use std::collections::VecDeque;
use std::sync::Arc;

/// Something that a tab is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TabNews {
    /// A text that must arrive.
    Reply(String),
    /// The colours of the world.
    Look(String),
    /// What the world is like.
    Status(String),
    /// The points of the plot.
    Plot(String),
    /// A frame as bytes.
    Frame(Vec<u8>),
}

/// Where the news of a tab go.
pub trait NewsSink {
    /// Takes news; all but replies take the place of older news of their kind.
    fn put(&self, news: TabNews);

    /// Whether the previous frame has been taken for sending.
    fn takes_frame(&self) -> bool;
}

impl<Sink: NewsSink> NewsSink for Arc<Sink> {
    fn put(&self, news: TabNews) {
        Sink::put(self, news);
    }

    fn takes_frame(&self) -> bool {
        Sink::takes_frame(self)
    }
}

/// The news that wait for one tab. `Reply` is a text, and what is held until it is sent.
#[derive(Debug)]
pub struct PendingNews<Reply> {
    replies: VecDeque<Reply>,
    texts: [Option<String>; 3],
    frame: Option<Vec<u8>>,
}

/// What is to be sent next.
#[derive(Debug, PartialEq, Eq)]
pub enum WireMessage<Reply> {
    /// A text that must arrive.
    Reply(Reply),
    /// Another text.
    Text(String),
    /// A frame.
    Frame(Vec<u8>),
}

impl<Reply> Default for PendingNews<Reply> {
    fn default() -> Self {
        Self {
            replies: VecDeque::new(),
            texts: [None, None, None],
            frame: None,
        }
    }
}

impl<Reply> PendingNews<Reply> {
    /// Puts news into their slot; a reply is made of its text.
    ///
    /// ```
    /// use wire::{PendingNews, TabNews, WireMessage};
    /// let mut pending = PendingNews::default();
    /// for status in ["old", "new"] {
    ///     pending.put(TabNews::Status(status.into()), |text| text);
    /// }
    /// pending.put(TabNews::Reply("done".into()), |text| text);
    /// assert_eq!(pending.take(), Some(WireMessage::Reply("done".into())));
    /// assert_eq!(pending.take(), Some(WireMessage::Text("new".into())));
    /// assert_eq!(pending.take(), None);
    /// ```
    pub fn put(&mut self, news: TabNews, reply: impl FnOnce(String) -> Reply) {
        match news {
            TabNews::Reply(text) => self.replies.push_back(reply(text)),
            TabNews::Look(text) => self.texts[0] = Some(text),
            TabNews::Status(text) => self.texts[1] = Some(text),
            TabNews::Plot(text) => self.texts[2] = Some(text),
            TabNews::Frame(frame) => self.frame = Some(frame),
        }
    }

    /// The next reply.
    pub fn take_reply(&mut self) -> Option<Reply> {
        self.replies.pop_front()
    }

    /// The next message: replies first, a frame last.
    ///
    /// ```
    /// let mut pending = wire::PendingNews::<String>::default();
    /// assert_eq!(pending.take(), None);
    /// ```
    pub fn take(&mut self) -> Option<WireMessage<Reply>> {
        if let Some(reply) = self.replies.pop_front() {
            return Some(WireMessage::Reply(reply));
        }
        let text = self.texts.iter_mut().find_map(Option::take);
        text.map(WireMessage::Text)
            .or_else(|| self.frame.take().map(WireMessage::Frame))
    }

    /// Whether the previous frame has been taken.
    pub fn takes_frame(&self) -> bool {
        self.frame.is_none()
    }
}
