//! What a page and a world say to each other, whatever carries it: a socket of the server, or the
//! messages of a worker in a page without one.
//!
//! A page sends texts ([`TabMessage`]) and is sent texts and frames ([`TabNews`]). Each frame costs
//! a credit, so a slow page gets fewer frames and never a backlog. [`WorldHost`] is one world with
//! the tabs that look at it: it does what they say, and sends them what is due. It has no thread,
//! no socket and no clock. (A page without a server that speaks to the session in words of its own
//! was rejected: all that is tested with the server would be new there.)
//!
//! What a page asks for once, a file or a picture, is in [`PageRequest`]. The other rooms of the
//! page are a [`Room`] each, and so is a world for a page that has it inside ([`HostedWorld`]).
//!
//! ```
//! use session::{Session, file_access::FileAccess};
//! use std::{cell::RefCell, rc::Rc, sync::Arc, time::Duration};
//! use wire::{NewsSink, PendingNews, TabMessage, TabNews, WorldHost};
//!
//! #[derive(Clone, Default)]
//! struct Tab(Rc<RefCell<PendingNews<String>>>);
//! impl NewsSink for Tab {
//!     fn put(&self, news: TabNews) {
//!         self.0.borrow_mut().put(news, |text| text);
//!     }
//!     fn takes_frame(&self) -> bool {
//!         self.0.borrow().takes_frame()
//!     }
//! }
//!
//! let session = Session::new(FileAccess::default(), 1);
//! let mut host = WorldHost::new(session, Arc::new(|| Duration::ZERO));
//! let tab = Tab::default();
//! host.join(1, tab.clone());
//! let message = TabMessage::read(r#"{"do":"open glider","id":7}"#)?;
//! let reply = host.tell(1, &message).expect("a command has a reply");
//! assert!(reply.contains("\"id\":7"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod beside_world;
pub mod board;
mod census;
mod classroom;
mod clip;
mod clock;
mod compared_world;
mod comparison_command;
mod film;
mod frame;
mod hosted_world;
mod identification;
mod laser;
mod library;
mod message;
mod news;
mod page_request;
mod play;
mod replays;
pub mod reply;
mod room;
mod rule_box;
mod search;
mod settling;
mod thumbnail;
mod watcher;
mod work;
mod world_host;
mod world_state;

pub use census::{CensusRoom, CensusStart, census_json, small_picture};
pub use classroom::ClassroomRoom;
pub use clip::to_json as clip_json;
pub use clock::WireClock;
pub use compared_world::{
    ComparedView, ComparedWorld, ComparisonChange, GoAlongRequest, ViewRequest, WorldRequests,
};
pub use comparison_command::ComparisonCommand;
pub use film::{
    FilmError, FilmFormat, FilmPiece, FilmPlan, FilmQuery, FilmReader, FilmScene, make_film,
    make_film_of_job,
};
pub use hosted_world::HostedWorld;
#[doc(hidden)]
pub use hosted_world::run_case;
pub use identification::card_json;
pub use laser::LaserRoom;
pub use library::{list as library_list, picture as library_picture};
pub use message::{LONGEST, TabMessage, TabMessageError};
pub use news::{NewsSink, PendingNews, TabNews, WireMessage};
pub use page_request::{PageAnswer, PageRequest};
pub use play::{
    AdviceQuestion, HousePlayerError, LONGEST_THOUGHT, PlayRoom, PlayTable, PlayTableSetup,
    RequestedTable, SeatPerson, SeatPlayer, StoredSeat, StoredTable, StoredTableError, TableAction,
    TableActionError, TableHost, TableMessage, TablePageSink, TableRequest, TableRequestError,
    TableSeat, TableSeatError, VisitorPlayerError, check_house_player, check_pace, equal_secrets,
    game_menu, game_rules, is_unseen, refuse_program,
};
pub use replays::{ReplaysRoom, file as replays_json};
pub use room::{Room, RoomNews};
pub use rule_box::{complete as complete_rule, explain as explain_rule};
pub use search::{SearchRoom, SearchStart, search_json};
pub use thumbnail::{ThumbnailScene, draw as draw_thumbnail};
pub use work::{LONGEST_WORK, run_job};
pub use world_host::WorldHost;
pub use world_state::{WorldState, WorldSummary, lock};
