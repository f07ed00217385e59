//! What a workbench is asked, and the handle that asks it.

use crate::response::ServiceError;
use crate::tab_message_queue::TabMessageQueue;
use models::identification::IdentificationSubject;
use num_bigint::BigInt;
use pattern::Format;
use render::{Picture, Viewport};
use session::file_access::LocatedPattern;
use session::{CommandRefusal, CommandReply, EncodedPattern, FormatOffer, PictureExtent};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use wire::{
    ComparedView, ComparedWorld, ComparisonChange, FilmScene, GoAlongRequest, TabMessage,
    ThumbnailScene, ViewRequest, WorldRequests, WorldState,
};

/// A request to the workbench.
pub(crate) enum WorkbenchRequest {
    /// A tab has come.
    Join {
        tab: u64,
        queue: Arc<TabMessageQueue>,
    },
    /// A tab has gone.
    Leave { tab: u64 },
    /// A message of a tab, with the permit that it returns when handled; a command's permit goes
    /// with its reply.
    Message {
        tab: u64,
        message: TabMessage,
        permit: OwnedSemaphorePermit,
    },
    /// A dropped or chosen file, already parsed.
    Load {
        found: Box<LocatedPattern>,
        anyway: bool,
        answer: oneshot::Sender<Result<CommandReply, CommandRefusal>>,
    },
    /// The world as a file.
    Save {
        format: Format,
        name: String,
        /// It is for a link, which does not count as saved.
        is_shared: bool,
        answer: oneshot::Sender<Result<EncodedPattern, CommandRefusal>>,
    },
    /// Which formats can hold the world.
    Formats {
        answer: oneshot::Sender<Vec<FormatOffer>>,
    },
    /// The points of the plot, as comma-separated values.
    PlotCsv { answer: oneshot::Sender<String> },
    /// What the clipboard holds, as JSON.
    Clip {
        answer: oneshot::Sender<Option<String>>,
    },
    /// A tab's view as an SVG or as pixels.
    Svg {
        tab: Option<u64>,
        /// On white paper.
        is_printed: bool,
        extent: PictureExtent,
        answer: oneshot::Sender<String>,
    },
    Picture {
        tab: Option<u64>,
        extent: PictureExtent,
        answer: oneshot::Sender<Picture>,
    },
    /// A copy of the world before a generation, and how a tab looks at it.
    Film {
        tab: Option<u64>,
        from: BigInt,
        answer: oneshot::Sender<Result<FilmScene, CommandRefusal>>,
    },
    /// The icons of the rule's states, one below the other, in a tab's colours.
    Icons {
        tab: Option<u64>,
        side: u32,
        answer: oneshot::Sender<Option<Picture>>,
    },
    /// A checkpoint of the timeline by its number, and a tab's colours.
    Thumbnail {
        tab: Option<u64>,
        id: u64,
        answer: oneshot::Sender<Option<ThumbnailScene>>,
    },
    /// What is selected, to be identified.
    Subject {
        answer: oneshot::Sender<IdentificationSubject>,
    },
    /// The world and its settings as a draft; none where that cannot be made.
    Draft {
        answer: oneshot::Sender<Option<Vec<u8>>>,
    },
    /// What the world shows in a view of another one, which it is laid over.
    ComparedView {
        viewport: Box<Viewport>,
        answer: mpsc::Sender<ComparedView>,
    },
    /// Another world to lay over this one in a tab, or a change of that: the outcome of a command.
    Compare {
        tab: u64,
        id: u64,
        change: ComparisonChange,
        permit: OwnedSemaphorePermit,
    },
    /// Another world has reached this generation, and this one goes along: the sender is dropped
    /// once it is there.
    GoAlong { to: BigInt, there: mpsc::Sender<()> },
    /// Whether the world runs on while nobody looks.
    RunOn(bool),
    /// Ends the workbench, which keeps a draft.
    Sleep,
    /// Ends the workbench with the server.
    Stop,
    /// A panic, for tests of the recovery.
    #[cfg(test)]
    Panic,
}

impl WorkbenchRequest {
    /// Whether it stops the running command.
    pub(super) fn is_stop(&self) -> bool {
        match self {
            Self::Stop => true,
            Self::Message {
                message: TabMessage::Do { text, .. },
                ..
            } => matches!(text.trim(), "stop" | "cancel"),
            _ => false,
        }
    }
}

/// A handle for sending requests to the workbench.
#[derive(Clone, Debug)]
pub(crate) struct WorkbenchHandle {
    pub(super) requests: Sender<WorkbenchRequest>,
    /// How many requests wait: a world that is being stepped stops for them.
    pub(super) waiting: Arc<AtomicUsize>,
    /// How many of them stop the running command: a long command polls this.
    pub(super) stops: Arc<AtomicUsize>,
    /// Whether the workbench has ended.
    pub(super) has_ended: Arc<AtomicBool>,
    /// The session's revision.
    pub(super) revision: Arc<AtomicU64>,
}

impl WorkbenchHandle {
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::SeqCst)
    }

    pub(crate) fn send(&self, request: WorkbenchRequest) -> Result<(), ServiceError> {
        if request.is_stop() {
            self.stops.fetch_add(1, Ordering::SeqCst);
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        self.requests.send(request).map_err(|_| ServiceError::Ended)
    }

    /// This world, to be laid over another one, which may lead it where it may be changed.
    pub(crate) fn to_compare(&self, id: &str, state: WorldState, may_draw: bool) -> ComparedWorld {
        let send = |this: &Self, request| !this.has_ended() && this.send(request).is_ok();
        let (looked_at, led) = (self.clone(), self.clone());
        let view: ViewRequest = Box::new(move |viewport, answer| {
            let viewport = Box::new(viewport);
            let request = WorkbenchRequest::ComparedView { viewport, answer };
            send(&looked_at, request)
        });
        let go_along: GoAlongRequest =
            Box::new(move |to, there| send(&led, WorkbenchRequest::GoAlong { to, there }));
        let requests = WorldRequests {
            view,
            go_along: may_draw.then_some(go_along),
        };
        ComparedWorld::new(id.to_string(), state, Arc::clone(&self.revision), requests)
    }

    /// Sends a request with a channel for its answer, and waits for the answer.
    pub(crate) async fn request<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<T>) -> WorkbenchRequest,
    ) -> Result<T, ServiceError> {
        let (answer, receiver) = oneshot::channel();
        self.send(request(answer))?;
        receiver
            .await
            .map_err(|_| match self.has_ended.load(Ordering::SeqCst) {
                true => ServiceError::Ended,
                false => ServiceError::BrokenDown,
            })
    }
}
