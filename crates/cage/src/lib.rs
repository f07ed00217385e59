//! A program that is not ours, run so that it can do no harm and leaves nothing behind.
//!
//! The decision that shapes this crate: between us and the program stands a *warden*, which
//! is this very program run again under another name ([`supervisor`] is the first line of
//! `main`). The warden holds one end of a line, the leash; when we are gone, however we
//! went, the leash breaks, and the warden ends everything that the program has started and
//! then itself. Limits are laid on by a process that has one thread and becomes the program
//! afterwards, so nothing has to be done between fork and exec. Doing all of it in a hook
//! before exec lost: it would have to be unsafe code, and nobody would be left to clean up.
//!
//! The program's own input, output and errors are pipes straight to us; the warden is not in
//! their way.
//!
//! What a cage does not do: it does not hide which files there are and how large they are
//! (only what is in them), nor the time, nor how busy the machine is. Memory is counted as
//! address space, so that what reserves much more than it uses, as some runtimes do, wants
//! a larger bound; files that are in memory alone (`memfd_create`(2)) come on top, as many and
//! as long as files may be. A superuser's program keeps the right to read, within its folders, what
//! belongs to others, and loses all else.
//!
//! ```no_run
//! use cage::{ResourceLimits, Cage, CageMode, Program};
//! use std::process::ExitCode;
//! use std::time::Duration;
//!
//! fn main() -> ExitCode {
//!     if let Some(code) = cage::supervisor() {
//!         return code;
//!     }
//!     let cage = Cage {
//!         mode: CageMode::Strict,
//!         bounds: ResourceLimits::default(),
//!         readable: Vec::new(),
//!     };
//!     let program = Program {
//!         program: "python3".into(),
//!         arguments: vec!["bot.py".into()],
//!         folder: "bots/mine".into(),
//!         cores: Vec::new(),
//!     };
//!     let bot = match cage.start(&program) {
//!         Ok(bot) => bot,
//!         Err(error) => {
//!             eprintln!("{error}");
//!             return ExitCode::FAILURE;
//!         }
//!     };
//!     // ... talk through bot.stdin() and bot.stdout() ...
//!     let ended = bot.end(Duration::from_millis(100));
//!     for refusal in ended.refusals {
//!         eprintln!("it {refusal}"); // it tried to read /etc/passwd: refused
//!     }
//!     ExitCode::SUCCESS
//! }
//! ```
#![deny(unsafe_code)]

#[cfg(target_os = "linux")]
mod arch;
#[cfg(target_os = "linux")]
mod child;
mod config;
#[cfg(target_os = "linux")]
mod control_socket;
#[cfg(target_os = "linux")]
mod descendants;
#[cfg(target_os = "linux")]
mod launch_request;
#[cfg(target_os = "linux")]
mod layers;
mod limits;
#[cfg(target_os = "linux")]
mod lookup;
#[cfg(target_os = "linux")]
mod policy;
#[cfg(target_os = "linux")]
mod process;
#[cfg(not(target_os = "linux"))]
#[path = "fallback.rs"]
mod process;
#[cfg(target_os = "linux")]
mod refusals;
mod report;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
mod syscalls;

pub use config::{Cage, Program};
pub use limits::{CageMode, CageModeError, ResourceLimits};
pub use process::{SandboxedProcess, use_warden, warden};
pub use report::{CageError, CageRefusal, ExitCause, ExitReport, Layer, LayerState};
