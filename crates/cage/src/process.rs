//! Starting a program in its cage, and ending it.

use crate::control_socket::{ControlEvent, ControlMessage, ControlSocket};
use crate::launch_request::LaunchRequest;
use crate::lookup::{ProgramLocation, find};
use crate::{
    Cage, CageError, CageMode, CageRefusal, ExitCause, ExitReport, Layer, LayerState, Program,
    child, descendants,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Access, access};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What the hidden processes are called; nothing else begins so.
pub(crate) const WARDEN: &str = "gridpaper:warden";
pub(crate) const INNER: &str = "gridpaper:inner";

/// How long ending may take when the machine does not let processes end.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often is looked whether a supervisor that takes long has been stopped.
const GLANCE: Duration = Duration::from_millis(50);

/// The program that is run again as the warden.
static AGAIN: OnceLock<PathBuf> = OnceLock::new();

/// A program that runs. Dropping it ends the program, without grace.
#[derive(Debug)]
pub struct SandboxedProcess {
    stdin: Option<OwnedFd>,
    stdout: OwnedFd,
    stderr: OwnedFd,
    line: ControlSocket,
    warden: Child,
    id: u32,
    layers: Vec<(Layer, LayerState)>,
    refusals: Vec<CageRefusal>,
    ended: Option<ExitReport>,
}

/// The first line of `main`: the warden's work, where this process was started to be one;
/// `None` where it was not. Nothing may have been done before, no thread started.
#[must_use]
pub fn warden() -> Option<ExitCode> {
    let mut words = std::env::args_os();
    let name = words.next();
    let role = match name.as_ref().and_then(|name| name.to_str()) {
        Some(WARDEN) => crate::supervisor::run,
        Some(INNER) => child::run,
        _ => {
            // Whatever is built at our path meanwhile, this is what runs.
            AGAIN.get_or_init(|| "/proc/self/exe".into());
            return None;
        }
    };
    let done = LaunchRequest::parse(words).map(|order| role(&order));
    Some(match done {
        Some(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Takes another program for the warden, one whose `main` begins with [`warden`]: for tests,
/// whose `main` is not theirs. The first call counts.
#[doc(hidden)]
pub fn use_warden(program: &Path) {
    AGAIN.get_or_init(|| program.to_path_buf());
}

impl Cage {
    /// Starts a program. Its pipes do not block ([`SandboxedProcess::stdin`] and the others). Its
    /// environment is a small one of its own: `PATH` (where it was found, and the system's),
    /// `HOME` and `PWD` (its folder), `LANG`, `SHELL`, and a word to Python not to write
    /// beside its programs. In a cage that is off it has ours.
    ///
    /// # Errors
    /// There is no such program, or a layer is missing that the mode cannot do without.
    pub fn start(&self, program: &Program) -> Result<SandboxedProcess, CageError> {
        let again = AGAIN.get().ok_or(CageError::NoWarden)?;
        let failed = |error| CageError::Program {
            program: program.program.to_string_lossy().into_owned(),
            error,
        };
        let folder = program.folder.canonicalize().map_err(|error| {
            let folder = program.folder.display();
            let words = match error.kind() {
                io::ErrorKind::NotFound => format!("there is no folder {folder}"),
                _ => format!("its folder {folder}: {error}"),
            };
            failed(io::Error::new(error.kind(), words))
        })?;
        if !folder.is_dir() || access(&folder, Access::EXEC_OK).is_err() {
            let folder = folder.display();
            let words = format!("{folder} is no folder that may be entered");
            return Err(failed(io::Error::other(words)));
        }
        let found = find(&program.program, &folder).map_err(failed)?;
        let mut caged = self.spawn(again, program, folder, found).map_err(failed)?;
        match caged.begin() {
            Ok(()) => Ok(caged),
            Err(error) => Err(match self.mode.lacking(&caged.layers) {
                Some((layer, why)) => CageError::Lacks { layer, why },
                None => failed(error),
            }),
        }
    }

    fn spawn(
        &self,
        again: &Path,
        program: &Program,
        folder: PathBuf,
        found: ProgramLocation,
    ) -> io::Result<SandboxedProcess> {
        let mut command = Command::new(again);
        if self.mode != CageMode::Off {
            command.env_clear().envs(environment(&found, &folder)?);
        }
        let absolute = |path: &PathBuf| std::path::absolute(path);
        let extra: Vec<_> = self
            .readable
            .iter()
            .map(absolute)
            .collect::<Result<_, _>>()?;
        let order = LaunchRequest {
            mode: self.mode,
            bounds: self.bounds.clone(),
            cores: program.cores.clone(),
            folder,
            readable: found.reads.into_iter().chain(extra).collect(),
            program: found.path,
            arguments: program.arguments.clone(),
        };
        let (line, theirs) = ControlSocket::pair()?;
        let flags = rustix::pipe::PipeFlags::CLOEXEC;
        let (input, stdin) = rustix::pipe::pipe_with(flags)?;
        let (stdout, output) = rustix::pipe::pipe_with(flags)?;
        let (stderr, errors) = rustix::pipe::pipe_with(flags)?;
        for ours in [&stdin, &stdout, &stderr] {
            rustix::io::ioctl_fionbio(ours, true)?;
        }
        let warden = command
            .arg0(WARDEN)
            .args(order.words())
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let caged = SandboxedProcess {
            stdin: Some(stdin),
            stdout,
            stderr,
            line,
            warden,
            id: 0,
            layers: Vec::new(),
            refusals: Vec::new(),
            ended: None,
        };
        let files = [input.as_fd(), output.as_fd(), errors.as_fd()];
        caged.line.hand(&ControlMessage::Files, &files)?;
        Ok(caged)
    }
}

fn environment(
    found: &ProgramLocation,
    folder: &Path,
) -> io::Result<Vec<(&'static str, OsString)>> {
    let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    let path = found.homes.iter().cloned().chain(system);
    let path = std::env::join_paths(path).map_err(io::Error::other)?;
    Ok(vec![
        ("PATH", path),
        ("HOME", folder.into()),
        ("PWD", folder.into()),
        ("LANG", "C.UTF-8".into()),
        ("SHELL", "/bin/sh".into()),
        ("PYTHONDONTWRITEBYTECODE", "1".into()),
    ])
}

impl SandboxedProcess {
    /// Where to write to the program; `None` after [`SandboxedProcess::close`]. Does not block.
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

    /// Becomes readable when there is news of it: it has ended, or was refused something.
    /// To be polled, not to be read.
    #[must_use]
    pub fn news(&self) -> BorrowedFd<'_> {
        self.line.as_fd()
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// What became of each layer.
    #[must_use]
    pub fn layers(&self) -> &[(Layer, LayerState)] {
        &self.layers
    }

    /// Closes its input: it is told no more.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// What was refused since this was asked last.
    pub fn refusals(&mut self) -> Vec<CageRefusal> {
        self.listen();
        std::mem::take(&mut self.refusals)
    }

    /// How it has ended, if it has; does not wait.
    pub fn has_ended(&mut self) -> Option<ExitCause> {
        self.listen();
        self.ended.as_ref().map(|ended| ended.how)
    }

    /// Closes its input, gives it some time to end by itself, and ends it and all that it
    /// has started. What it printed meanwhile can still be read beforehand through clones of
    /// its pipes, not afterwards.
    pub fn end(mut self, grace: Duration) -> ExitReport {
        self.close();
        self.wait(grace);
        self.finish();
        let mut ended = self.ended.take().unwrap_or(ExitReport {
            how: ExitCause::Killed,
            left: 0,
            peak_memory: 0,
            cpu: Duration::ZERO,
            refusals: Vec::new(),
        });
        ended.refusals = std::mem::take(&mut self.refusals);
        ended
    }

    /// Waits until it runs.
    fn begin(&mut self) -> io::Result<()> {
        loop {
            match self.line.hear() {
                ControlEvent::Message(ControlMessage::Layer(layer, state), _) => {
                    self.layers.push((layer, state))
                }
                ControlEvent::Message(ControlMessage::Started(id), _) => {
                    self.id = id;
                    return Ok(());
                }
                ControlEvent::Message(ControlMessage::Failed(0), _) => {
                    return Err(io::ErrorKind::Unsupported.into());
                }
                ControlEvent::Message(ControlMessage::Failed(number), _) => {
                    return Err(io::Error::from_raw_os_error(number));
                }
                ControlEvent::Closed => return Err(io::Error::other("its warden has ended")),
                // it can have been refused something already
                ControlEvent::Message(message, _) => self.take(message),
                ControlEvent::Nothing => {}
            }
        }
    }

    /// Hears all that there is to hear; whether there will be more.
    fn listen(&mut self) -> bool {
        loop {
            match self.line.try_hear() {
                ControlEvent::Message(message, _) => self.take(message),
                ControlEvent::Nothing => return true,
                ControlEvent::Closed => return false,
            }
        }
    }

    fn take(&mut self, message: ControlMessage) {
        match message {
            ControlMessage::Refused(refusal) => {
                match self.refusals.iter_mut().find(|r| r.what == refusal.what) {
                    Some(known) => known.times += refusal.times,
                    None => self.refusals.push(refusal),
                }
            }
            ControlMessage::Ended(ended) => self.ended = Some(ended),
            _ => {}
        }
    }

    /// Waits until the warden has gone, but no longer than this; whether it has.
    fn wait(&mut self, most: Duration) -> bool {
        let until = Instant::now() + most;
        while self.listen() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let left = Timespec::try_from(left).ok();
            // whatever woke us, there is something to hear or time has passed
            let _ = poll(&mut [PollFd::new(&self.line, PollFlags::IN)], left.as_ref());
        }
        true
    }

    /// Waits until the warden has ended everything; whether it has. Where no sandbox hinders
    /// it, a program can stop its supervisor (SIGSTOP, ptrace(2)), which then cleans up
    /// nothing: it is done here then, while the descendants still are its own.
    fn wait_for_end(&mut self) -> bool {
        let until = Instant::now() + PATIENCE;
        let warden = Pid::from_child(&self.warden);
        while !self.wait(GLANCE) {
            if Instant::now() >= until {
                descendants::end_below(warden);
                return false;
            }
            if descendants::is_stopped(warden) {
                descendants::end_below(warden);
                // it goes on, takes leave of them and tells how they ended
                let _ = kill_process(warden, Signal::CONT);
            }
        }
        true
    }

    /// Has everything ended, and takes leave of the warden.
    fn finish(&mut self) {
        self.line.try_say(&ControlMessage::End);
        if !self.wait_for_end() {
            let _ = self.warden.kill();
        }
        let _ = self.warden.wait();
        let group = self.id.try_into().ok().and_then(Pid::from_raw);
        if let (None, Some(group)) = (&self.ended, group) {
            // Somebody has ended the warden. The program has gone with it; this is for what
            // it had started.
            let _ = kill_process_group(group, Signal::KILL);
        }
        // the second time there is nothing to do
        self.id = 0;
    }
}

impl Drop for SandboxedProcess {
    fn drop(&mut self) {
        self.finish();
    }
}
