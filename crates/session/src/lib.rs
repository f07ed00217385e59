//! The live workbench, with no screen in it: the single owner of what a person can do.
//!
//! A [`Session`] has a world, where it began and where it has been, what was changed and
//! can be undone, a selection, a clipboard, settings. Every face (a page, a terminal, a
//! script) sends it the same [`Command`]s, as a type or as text, and asks it for frames;
//! what is a face's own (where it looks, the tool in hand) is in a [`Viewer`], so that
//! several may watch one session.
//!
//! The decision that shapes this crate: it has no clock, no thread and no socket. Its owner
//! says how much time went by ([`Session::tick`]) and how long it may work, so that a
//! server, a terminal and a test drive it the same way. Callbacks into a face lost: each
//! face would have had its own idea of what happens when.
//!
//! ```
//! use session::{Command, Session, Viewer, file_access::FileAccess};
//! let mut session = Session::new(FileAccess::default(), 0);
//! let mut viewer = Viewer::new(640, 480);
//! for text in ["open glider", "step 4", "select all", "copy"] {
//!     let command: Command = text.parse()?;
//!     session.apply(&mut viewer, &command)?;
//!     session.arrive_there();
//! }
//! assert_eq!(session.status(&viewer).generation, "4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod checkpoint;
pub mod classroom;
mod clip;
pub mod command;
mod display;
pub mod draft;
mod edit;
mod file;
pub mod file_access;
mod macro_step;
mod playback;
mod plot;
mod refusal;
mod session;
pub mod settings;
mod status;
mod timeline;
mod trails;
mod undo;
mod view;
mod viewer;

pub use clip::Clip;
pub use command::Command;
pub use file::EncodedPattern;
pub use plot::Plot;
pub use refusal::CommandRefusal;
pub use session::{CommandReply, Session};
pub use status::{Area, DisplayStatus, EditAvailability, GenerationSpan, Status, ViewerStatus};
pub use viewer::Viewer;
