//! The terminal user interface: the plane in half blocks and braille, and the session's commands
//! by keys, mouse and command line.
//!
//! Each screen is a value. [`App`] takes events and the elapsed time, and draws itself into a
//! buffer of characters; [`run()`] is the thin event loop that connects it to a real terminal,
//! and restores the terminal afterwards. So a test can say: this screen, these keys, that screen.
//! Widgets that hold the terminal were rejected: they could only be tested through one.
//!
//! The other screens work the same way: [`play`], [`replay`], [`tournament`], [`laser`],
//! [`classroom`], [`census`], [`search`], and the menu in [`screens`].
//!
//! All changes to cells go through a [`session::Command`]. The key bindings are the session's
//! table, plus a few for what only a terminal has: a command line, and panels.
//!
//! ```
//! use ratatui::crossterm::event::Event;
//! use session::{Session, file_access::FileAccess};
//! let mut app = tui::App::new(Session::new(FileAccess::default(), 0), (80, 24), tui::TerminalProfile::default());
//! app.send("open gosper-glider-gun");
//! app.event(&tui::key("Space").map(Event::Key).expect("a key"));
//! app.tick(std::time::Duration::ZERO, &mut || true);
//! assert_eq!(app.session().status(app.viewer()).generation, "1");
//! ```
#![forbid(unsafe_code)]

mod app;
mod bar;
pub mod census;
pub mod classroom;
mod drawing;
mod event_loop;
mod ink;
mod input;
mod job_screen;
mod keys;
pub mod laser;
mod line;
mod panel;
mod picture;
mod picture_export;
pub mod play;
pub mod replay;
mod rulers;
mod screen_state;
pub mod screens;
pub mod search;
mod sheet;
pub mod tournament;

pub use app::{App, SessionMaker, TerminalProfile};
pub use event_loop::{FullScreenApp, ScreenExit, TerminalError, check, run, show};
pub use ink::ColourDepth;
pub use job_screen::{JobScreen, JobScreenModel, PatternChoice};
pub use keys::event as key;
pub use picture::picture;
