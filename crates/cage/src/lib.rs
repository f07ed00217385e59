//! Runs an untrusted program in a sandbox and ends it with everything that it has started.
//!
//! The decision that shapes this crate: a *supervisor* process stands between the caller and
//! the program. It is the caller's own executable, started again under another name
//! ([`run_supervisor_if_requested`] has to be the first call in `main`). The two share a control
//! socket; when the caller ends, in whatever way, the socket is closed, and the supervisor kills
//! the program with all its descendants and exits. Limits are applied by a single-threaded child that then executes the
//! program, so nothing has to run between fork and exec. Doing it in a pre-exec hook was
//! rejected: it needs unsafe code, and no process would remain to clean up.
//!
//! The program's stdin, stdout and stderr are pipes that lead to the caller directly; the
//! supervisor does not forward them.
//!
//! What the sandbox does not do: it does not hide which files exist and how large they are
//! (only their contents), nor the time, nor the load of the machine. Memory is counted as
//! address space, so a runtime that reserves much more than it uses needs a larger limit;
//! in-memory files (`memfd_create`(2)) come on top, up to the limits of file size and open
//! files. A superuser's program keeps the right to read other users' files within its readable
//! folders, and loses all other privileges.
//!
//! ```no_run
//! use cage::{ResourceLimits, Cage, CageMode, Program};
//! use std::process::ExitCode;
//! use std::time::Duration;
//!
//! fn main() -> ExitCode {
//!     if let Some(code) = cage::run_supervisor_if_requested() {
//!         return code;
//!     }
//!     let cage = Cage {
//!         mode: CageMode::Strict,
//!         limits: ResourceLimits::default(),
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
pub use process::{SandboxedProcess, run_supervisor_if_requested, use_supervisor_program};
pub use report::{CageError, CageRefusal, ExitCause, ExitReport, Layer, LayerState};
