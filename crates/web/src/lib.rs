//! The web interface: a local HTTP server and the pages that it serves.
//!
//! The world is stepped natively in the server; the page only draws. One thread owns the session;
//! tabs talk to it over a WebSocket and receive binary frames of the visible part. Each frame costs
//! one credit, so a slow browser gets fewer frames and never a backlog. (Engines compiled to
//! WebAssembly in the server's page were rejected: one thread without AVX, browser memory limits, and
//! two tabs would have two worlds. The page without a server has them: `cargo xtask site`.)
//!
//! Commands are the session's: a tab sends the text of a command, and this crate knows no rule, no
//! cell and no key. It handles admission of clients, limits on resources, and state that survives a
//! crash (`--state`).
//!
//! [`Server`] is the entry point, and [`Options`] its configuration.
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
mod draft;
mod film;
#[doc(hidden)]
pub mod fuzz;
mod guard;
mod identify;
mod listener;
mod memory_pool;
mod options;
mod page_route;
mod pages;
mod panic_containment;
mod rate_limit;
mod response;
mod route;
mod server;
mod tab;
mod tab_message_queue;
mod workbench;
mod world_access;
mod world_routes;
mod worlds;

pub use options::{AllowedBot, Options, Port, Start, StartFile, StartSheet, StateFolder};
/// The files of the page for a host that serves files alone, by name. What they need besides, the
/// program as WebAssembly and what talks to it, `cargo xtask site` adds.
#[doc(hidden)]
#[must_use]
pub fn static_files() -> Vec<(String, Vec<u8>)> {
    assets::static_files()
}

pub use server::{BindError, Server, ServerRunError, Stopper};
