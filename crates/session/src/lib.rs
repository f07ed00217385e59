//! A simulation session without a user interface: one world and every command that a user has.
//!
//! A [`Session`] holds a world, its checkpoints and undo history, a selection, a clipboard, and
//! settings. Every user interface (web page, terminal, script) sends it the same [`Command`]s, as
//! a type or as text, and asks it for frames. What belongs to one user interface (its viewport
//! and tool) is in a [`Viewer`], so that several can watch one session.
//!
//! A session has no clock, no thread and no socket. Its owner passes the elapsed time to
//! [`Session::tick`] and limits the work, so that a server, a terminal and a test drive it the
//! same way. Callbacks into the user interface were rejected: each interface would have had its
//! own order of events.
//!
//! ```
//! use session::{Command, Session, Viewer, file_access::FileAccess};
//! let mut session = Session::new(FileAccess::default(), 0);
//! let mut viewer = Viewer::new(640, 480);
//! for text in ["open glider", "step 4", "select all", "copy"] {
//!     let command: Command = text.parse()?;
//!     session.apply(&mut viewer, &command)?;
//!     session.finish_going();
//! }
//! assert_eq!(session.status(&viewer).generation, "4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod cell_change;
mod cell_distance;
mod change_counter;
mod checkpoint;
mod clip;
pub mod command;
mod display;
pub mod draft;
pub mod file_access;
mod heading;
mod macro_step;
mod opening_step;
mod periods;
mod picture_extent;
mod refusal;
mod session;
pub mod settings;
mod ship_motion;
mod status;
mod timeline;
mod trails;
mod undo;
mod view;
mod viewer;
mod world_info;

pub use change_counter::ChangeCounter;
pub use clip::Clip;
pub use command::Command;
pub use picture_extent::{PictureExtent, bounds_of_both};
pub use refusal::CommandRefusal;
pub use session::{
    CellMarker, CellMarkerOptions, CommandReply, EncodedPattern, FormatOffer, Session, WorldCopy,
};
pub use ship_motion::ShipMotion;
pub use status::{
    Area, DisplayStatus, EditAvailability, GenerationSpan, Status, SymmetryStatus, ViewerStatus,
};
pub use timeline::TimelineMark;
pub use undo::{ChangeEntry, ChangeList};
pub use viewer::{CameraTrack, DrawingSymmetry, Viewer};
