//! The workbench as a screen in the terminal: the sheet in half blocks and braille, the
//! session's commands under keys, mouse and a line.
//!
//! The decision that shapes this crate: the screen is a value. [`App`] takes events and the
//! time that went by, and draws itself into a buffer of characters; [`run()`] is the thin
//! loop that fetches both from a real terminal and puts it back as it was. So a test says:
//! this screen, these keys, that screen. Widgets that hold on to the terminal lost: they
//! could only be tested through one.
//!
//! The other rooms are values too: [`play`], [`replay`], [`tournament`], [`laser`],
//! [`classroom`], and [`screens`], from where one goes into them.
//!
//! What a person can do is the session's to know; nothing here changes a cell but by a
//! [`session::Command`]. The keys are the session's table, and a few for what only a
//! terminal has: a line to type commands on, and panels.
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
pub mod classroom;
mod drawing;
mod event_loop;
mod ink;
mod input;
mod keys;
pub mod laser;
mod line;
mod mouse;
mod panel;
mod picture;
pub mod play;
pub mod replay;
pub mod screens;
mod sheet;
pub mod tournament;

pub use app::{App, TerminalProfile};
pub use event_loop::{ScreenExit, TerminalError, check, run};
pub use ink::ColourDepth;
pub use keys::event as key;
pub use picture::picture;
