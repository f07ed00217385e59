//! Starting a program in its cage, and ending it.

use crate::{Bounds, Mode};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use thiserror::Error;

/// What a program is run in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cage {
    /// How much of it there has to be.
    pub mode: Mode,
    /// How much the program may use.
    pub bounds: Bounds,
    /// What it may read besides its own folder and the system's libraries: folders and
    /// files.
    pub readable: Vec<PathBuf>,
}

/// What is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The program: a path, or a name that is looked for in `PATH`.
    pub program: OsString,
    /// What it is given.
    pub arguments: Vec<OsString>,
    /// The folder that it starts in, and may read.
    pub folder: PathBuf,
    /// The cores that it may run on, by number; empty for all.
    pub cores: Vec<usize>,
}

/// One layer of the cage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// A process group of its own.
    Group,
    /// Limits of memory, time, processes and files.
    Limits,
    /// No new privileges.
    Privileges,
    /// Landlock: files that it may read, and none that it may write.
    Files,
    /// Seccomp: no sockets, no processes besides its own, no signals to others.
    Calls,
}

/// What became of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It holds.
    Holds,
    /// It was not asked for.
    Off,
    /// This machine does not have it, and why.
    Missing(String),
}

/// Something that the program tried and the cage refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What it tried, in words: `to open a socket`, `to read /etc/shadow`.
    pub what: String,
    /// How often, as far as it was counted.
    pub times: u64,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.times {
            1 => write!(f, "tried {}: refused", self.what),
            times => write!(f, "tried {}, {times} times: refused", self.what),
        }
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// It went on, and was ended.
    Killed,
}

/// What is known of a program when it has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub how: How,
    /// How many processes it had left behind, which were ended too.
    pub left: u32,
    /// The most memory that its own process held, in bytes; 0 where that is not known.
    pub peak_memory: u64,
    /// Time on a processor, of itself and all that it had started.
    pub cpu: Duration,
    /// What it had tried and was refused.
    pub refusals: Vec<Refusal>,
}

/// Why a program was not started.
#[derive(Debug, Error)]
pub enum CageError {
    /// There is no such program, or it cannot be run.
    #[error("{program}: {error}")]
    Program {
        /// Its name.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// A strict cage lacks a layer.
    #[error("the cage lacks {layer}: {why}")]
    Lacks {
        /// The layer.
        layer: Layer,
        /// Why this machine does not have it.
        why: String,
    },
    /// [`warden`] is not called where this program begins.
    #[error("this program has no warden: call cage::warden first in main")]
    NoWarden,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Group => "process group",
            Self::Limits => "resource limits",
            Self::Privileges => "no new privileges",
            Self::Files => "landlock",
            Self::Calls => "seccomp",
        })
    }
}

/// A program that runs.
#[derive(Debug)]
pub struct Caged {
    stdin: Option<OwnedFd>,
    stdout: OwnedFd,
    stderr: OwnedFd,
    child: Child,
    layers: Vec<(Layer, State)>,
}

/// The first line of `main`: the warden's work, where this process was started to be one;
/// `None` where it was not. Nothing may have been done before, no thread started.
#[must_use]
pub fn warden() -> Option<ExitCode> {
    None
}

impl Cage {
    /// Starts a program. Its pipes do not block ([`Caged::stdin`] and the others).
    ///
    /// # Errors
    /// There is no such program, or a layer is missing in a strict cage.
    pub fn start(&self, program: &Program) -> Result<Caged, CageError> {
        let mut command = Command::new(&program.program);
        command
            .args(&program.arguments)
            .current_dir(&program.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let failed = |error| CageError::Program {
            program: program.program.to_string_lossy().into_owned(),
            error,
        };
        let mut child = command.spawn().map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three were asked for as pipes");
        };
        let (stdin, stdout, stderr) = (stdin.into(), stdout.into(), stderr.into());
        for pipe in [&stdin, &stdout, &stderr] {
            rustix::io::ioctl_fionbio(pipe, true).map_err(|e| failed(e.into()))?;
        }
        Ok(Caged {
            stdin: Some(stdin),
            stdout,
            stderr,
            child,
            layers: vec![(Layer::Group, State::Off)],
        })
    }
}

impl Caged {
    /// Where to write to the program; `None` after [`Caged::close`]. Does not block.
    #[must_use]
    pub fn stdin(&self) -> Option<&OwnedFd> {
        self.stdin.as_ref()
    }

    /// What the program prints. Does not block.
    #[must_use]
    pub fn stdout(&self) -> &OwnedFd {
        &self.stdout
    }

    /// What the program complains. Does not block.
    #[must_use]
    pub fn stderr(&self) -> &OwnedFd {
        &self.stderr
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What became of each layer.
    #[must_use]
    pub fn layers(&self) -> &[(Layer, State)] {
        &self.layers
    }

    /// Closes its input: it is told no more.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// What was refused since this was asked last.
    pub fn refusals(&mut self) -> Vec<Refusal> {
        Vec::new()
    }

    /// How it has ended, if it has; does not wait.
    pub fn has_ended(&mut self) -> Option<How> {
        None
    }

    /// Closes its input, gives it some time to end by itself, and ends it and all that it
    /// has started. What it printed meanwhile can still be read beforehand through clones of
    /// its pipes, not afterwards.
    pub fn end(mut self, grace: Duration) -> Ended {
        self.close();
        let until = Instant::now() + grace;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                return ended(How::Code(status.code().unwrap_or(-1)));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        ended(How::Killed)
    }
}

fn ended(how: How) -> Ended {
    Ended {
        how,
        left: 0,
        peak_memory: 0,
        cpu: Duration::ZERO,
        refusals: Vec::new(),
    }
}
