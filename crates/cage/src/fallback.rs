//! Other systems than Linux: programs run without a sandbox and are killed with their handle.

use crate::{
    Cage, CageError, CageMode, CageRefusal, ExitCause, ExitReport, Layer, LayerState, Program,
};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// A running program. Dropping it kills the program at once.
#[derive(Debug)]
pub struct SandboxedProcess {
    stdin: Option<OwnedFd>,
    stdout: OwnedFd,
    stderr: OwnedFd,
    child: Child,
    layers: Vec<(Layer, LayerState)>,
}

/// Does nothing here: there is no supervisor.
#[must_use]
pub fn run_supervisor_if_requested() -> Option<ExitCode> {
    None
}

/// Does nothing here: there is no supervisor.
#[doc(hidden)]
pub fn use_supervisor_program(_: &Path) {}

impl Cage {
    /// Starts a program. Its pipes are non-blocking.
    ///
    /// # Errors
    /// There is no such program, or the mode is strict.
    ///
    /// ```no_run
    /// use cage::{Cage, CageError, Program};
    ///
    /// let bot = Program {
    ///     program: "python3".into(),
    ///     arguments: vec!["bot.py".into()],
    ///     folder: "bots/mine".into(),
    ///     cores: vec![],
    /// };
    /// let process = Cage::default().start(&bot)?;
    /// println!("it runs as process {}", process.id());
    /// # Ok::<(), CageError>(())
    /// ```
    pub fn start(&self, program: &Program) -> Result<SandboxedProcess, CageError> {
        let why = || String::from("cages are for Linux");
        let state = match self.mode {
            CageMode::Strict => {
                let layer = Layer::Files;
                return Err(CageError::Lacks { layer, why: why() });
            }
            CageMode::Best => LayerState::Missing(why()),
            CageMode::Off => LayerState::Off,
        };
        let failed = |error| CageError::Program {
            program: program.program.to_string_lossy().into_owned(),
            error,
        };
        let mut child = Command::new(&program.program)
            .args(&program.arguments)
            .current_dir(&program.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed(io::Error::other("it has no pipes")));
        };
        let (stdin, stdout, stderr) = (stdin.into(), stdout.into(), stderr.into());
        for pipe in [&stdin, &stdout, &stderr] {
            rustix::io::ioctl_fionbio(pipe, true).map_err(|e| failed(e.into()))?;
        }
        Ok(SandboxedProcess {
            stdin: Some(stdin),
            stdout,
            stderr,
            child,
            layers: Layer::ALL.map(|layer| (layer, state.clone())).to_vec(),
        })
    }
}

impl SandboxedProcess {
    /// The program's stdin; `None` after [`SandboxedProcess::close_stdin`]. Non-blocking.
    #[must_use]
    pub fn stdin(&self) -> Option<&OwnedFd> {
        self.stdin.as_ref()
    }

    /// The program's stdout. Non-blocking.
    #[must_use]
    pub fn stdout(&self) -> &OwnedFd {
        &self.stdout
    }

    /// The program's stderr. Non-blocking.
    #[must_use]
    pub fn stderr(&self) -> &OwnedFd {
        &self.stderr
    }

    /// A descriptor to poll: readable when the program prints or closes its stdout.
    #[must_use]
    pub fn event_fd(&self) -> BorrowedFd<'_> {
        self.stdout.as_fd()
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The state of each layer.
    #[must_use]
    pub fn layers(&self) -> &[(Layer, LayerState)] {
        &self.layers
    }

    /// Closes its stdin.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Refusals since the last call: none without a sandbox.
    pub fn take_refusals(&mut self) -> Vec<CageRefusal> {
        Vec::new()
    }

    /// How it has ended, if it has; does not block.
    ///
    /// ```no_run
    /// # fn example(mut process: cage::SandboxedProcess) {
    /// if let Some(cause) = process.try_wait() {
    ///     println!("it ended too early: {cause:?}");
    /// }
    /// # }
    /// ```
    pub fn try_wait(&mut self) -> Option<ExitCause> {
        use std::os::unix::process::ExitStatusExt;
        let status = self.child.try_wait().ok().flatten()?;
        Some(match (status.code(), status.signal()) {
            (Some(code), _) => ExitCause::Code(code),
            (None, Some(signal)) => ExitCause::Signal(signal),
            (None, None) => ExitCause::Killed,
        })
    }

    /// Closes its stdin, waits up to `grace` for it to end, and kills it.
    ///
    /// ```no_run
    /// use std::time::Duration;
    ///
    /// # fn example(process: cage::SandboxedProcess) {
    /// let report = process.end(Duration::from_millis(100));
    /// println!("it took {:?}, and left {} processes", report.cpu, report.killed_descendants);
    /// # }
    /// ```
    pub fn end(mut self, grace: Duration) -> ExitReport {
        self.close_stdin();
        let until = Instant::now() + grace;
        let cause = loop {
            match self.try_wait() {
                Some(cause) => break cause,
                None if Instant::now() >= until => break ExitCause::Killed,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        ExitReport {
            cause,
            killed_descendants: 0,
            peak_memory: 0,
            cpu: Duration::ZERO,
            refusals: Vec::new(),
        }
    }
}

impl Drop for SandboxedProcess {
    fn drop(&mut self) {
        // fails where it has ended already
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
