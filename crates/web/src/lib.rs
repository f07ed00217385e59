//! The workbench as a page: a server on this machine, and the page that it serves.
//!
//! The decision that shapes this crate: the world is stepped here, natively, and the page
//! only draws what it is sent. One thread owns the session; tabs talk to it over a
//! WebSocket and get binary frames of what is visible, each paid for with credit, so a slow
//! browser gets fewer frames and never a queue of old ones. (The engines in the page itself,
//! as WebAssembly, lost: one thread without AVX, memory that a browser grants, and two
//! tabs would see two worlds.)
//!
//! What a person can do is the session's: a tab sends the text of a command, and this crate
//! knows no rule, no cell and no key. It looks after what a server has to: who may talk to
//! it, how much each may cost, and that work outlives a crash (`--state`).
//!
//! [`Server`] is what there is to meet, and [`Options`] what it is told.
//!
//! ```
//! use web::{Options, Port, Server};
//!
//! let mut options = Options::new(session::file_access::FileAccess::default());
//! options.port = Port::Exactly(0);
//! let server = Server::bind(options)?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! let stopper = server.stopper();
//! let running = std::thread::spawn(move || server.run());
//! stopper.stop();
//! running.join().expect("a server does not panic")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod assets;
mod clip;
mod draft;
mod frame;
#[doc(hidden)]
pub mod fuzz;
mod guard;
mod library;
mod listener;
mod message;
mod options;
mod pages;
mod panic_containment;
mod reply;
mod route;
mod rule_box;
mod server;
mod tab;
mod tab_message_queue;
mod watcher;
mod workbench;

pub use options::{AllowedBot, Options, Port, Start, StartFile, StartSheet, StateFolder};
pub use server::{BindError, Server, ServerRunError, Stopper};
