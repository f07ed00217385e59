//! Starting a sandboxed program and ending it.

use crate::control_socket::{ControlEvent, ControlMessage, ControlSocket};
use crate::launch_request::LaunchRequest;
use crate::lookup::{ProgramLocation, find};
use crate::{
    Cage, CageError, CageMode, CageRefusal, ExitCause, ExitReport, Layer, LayerState, Program,
    child, descendants, supervisor,
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

/// How long to wait for processes to end after they were killed.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// Interval at which a slow supervisor is checked for having been stopped.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The executable that is started as the supervisor.
static SUPERVISOR_PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// A running program. Dropping it kills the program at once.
#[derive(Debug)]
pub struct SandboxedProcess {
    stdin: Option<OwnedFd>,
    stdout: OwnedFd,
    stderr: OwnedFd,
    socket: ControlSocket,
    supervisor: Child,
    id: u32,
    layers: Vec<(Layer, LayerState)>,
    refusals: Vec<CageRefusal>,
    ended: Option<ExitReport>,
}

/// Runs the supervisor if this process was started as one, and returns its exit code; `None`
/// otherwise. It has to be the first call in `main`, before any thread is started.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     if let Some(code) = cage::run_supervisor_if_requested() {
///         return code; // this process was started as a supervisor
///     }
///     println!("the program itself");
///     ExitCode::SUCCESS
/// }
/// ```
#[must_use]
pub fn run_supervisor_if_requested() -> Option<ExitCode> {
    let mut arguments = std::env::args_os();
    let name = arguments.next();
    let role = match name.as_ref().and_then(|name| name.to_str()) {
        Some(supervisor::NAME) => supervisor::run,
        Some(child::NAME) => child::run,
        _ => {
            // This path stays valid when the executable is rebuilt or replaced.
            SUPERVISOR_PROGRAM.get_or_init(|| "/proc/self/exe".into());
            return None;
        }
    };
    let done = LaunchRequest::parse(arguments).map(|request| role(&request));
    Some(match done {
        Some(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Uses another executable, whose `main` begins with [`run_supervisor_if_requested`], as the
/// supervisor: for tests, which do not control their `main`. Only the first call counts.
#[doc(hidden)]
pub fn use_supervisor_program(program: &Path) {
    SUPERVISOR_PROGRAM.get_or_init(|| program.to_path_buf());
}

impl Cage {
    /// Starts a program. Its pipes are non-blocking. Its environment is reduced to `PATH`
    /// (where it was found, and the system's), `HOME` and `PWD` (its folder), `LANG`, `SHELL`
    /// and `PYTHONDONTWRITEBYTECODE`. With [`CageMode::Off`] it inherits the caller's.
    ///
    /// # Errors
    /// There is no such program, or a layer is missing that the mode requires.
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
        let supervisor_program = SUPERVISOR_PROGRAM.get().ok_or(CageError::NoSupervisor)?;
        let failed = |error| CageError::Program {
            program: program.program.to_string_lossy().into_owned(),
            error,
        };
        let folder = program.folder.canonicalize().map_err(|error| {
            let folder = program.folder.display();
            let message = match error.kind() {
                io::ErrorKind::NotFound => format!("there is no folder {folder}"),
                _ => format!("its folder {folder}: {error}"),
            };
            failed(io::Error::new(error.kind(), message))
        })?;
        if !folder.is_dir() || access(&folder, Access::EXEC_OK).is_err() {
            let folder = folder.display();
            let message = format!("{folder} is no folder that may be entered");
            return Err(failed(io::Error::other(message)));
        }
        let found = find(&program.program, &folder).map_err(failed)?;
        let mut process = self
            .spawn(supervisor_program, program, folder, found)
            .map_err(failed)?;
        match process.wait_for_start() {
            Ok(()) => Ok(process),
            Err(error) => Err(match self.mode.lacking(&process.layers) {
                Some((layer, why)) => CageError::Lacks { layer, why },
                None => failed(error),
            }),
        }
    }

    fn spawn(
        &self,
        supervisor_program: &Path,
        program: &Program,
        folder: PathBuf,
        found: ProgramLocation,
    ) -> io::Result<SandboxedProcess> {
        let mut command = Command::new(supervisor_program);
        if self.mode != CageMode::Off {
            command.env_clear().envs(environment(&found, &folder)?);
        }
        let absolute = |path: &PathBuf| std::path::absolute(path);
        let extra: Vec<_> = self
            .readable
            .iter()
            .map(absolute)
            .collect::<Result<_, _>>()?;
        let request = LaunchRequest {
            mode: self.mode,
            limits: self.limits.clone(),
            cores: program.cores.clone(),
            folder,
            readable: found.reads.into_iter().chain(extra).collect(),
            program: found.path,
            arguments: program.arguments.clone(),
        };
        let (socket, theirs) = ControlSocket::pair()?;
        let flags = rustix::pipe::PipeFlags::CLOEXEC;
        let (input, stdin) = rustix::pipe::pipe_with(flags)?;
        let (stdout, output) = rustix::pipe::pipe_with(flags)?;
        let (stderr, errors) = rustix::pipe::pipe_with(flags)?;
        for ours in [&stdin, &stdout, &stderr] {
            rustix::io::ioctl_fionbio(ours, true)?;
        }
        let supervisor = command
            .arg0(supervisor::NAME)
            .args(request.to_arguments())
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let process = SandboxedProcess {
            stdin: Some(stdin),
            stdout,
            stderr,
            socket,
            supervisor,
            id: 0,
            layers: Vec::new(),
            refusals: Vec::new(),
            ended: None,
        };
        let files = [input.as_fd(), output.as_fd(), errors.as_fd()];
        process
            .socket
            .send_with_files(&ControlMessage::Files, &files)?;
        Ok(process)
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

    /// A descriptor to poll: readable when the program has ended or was refused something.
    #[must_use]
    pub fn event_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
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

    /// The refusals since the last call.
    ///
    /// ```no_run
    /// # fn example(mut process: cage::SandboxedProcess) {
    /// for refusal in process.take_refusals() {
    ///     println!("it {refusal}"); // it tried to open a socket: refused
    /// }
    /// # }
    /// ```
    pub fn take_refusals(&mut self) -> Vec<CageRefusal> {
        self.receive_all();
        std::mem::take(&mut self.refusals)
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
        self.receive_all();
        self.ended.as_ref().map(|ended| ended.cause)
    }

    /// Closes its stdin, waits up to `grace` for it to end, and kills it with all its
    /// descendants. Clone its pipes beforehand to read what it prints meanwhile.
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
        self.wait_for_close(grace);
        self.shut_down();
        let mut ended = self.ended.take().unwrap_or(ExitReport {
            cause: ExitCause::Killed,
            killed_descendants: 0,
            peak_memory: 0,
            cpu: Duration::ZERO,
            refusals: Vec::new(),
        });
        ended.refusals = std::mem::take(&mut self.refusals);
        ended
    }

    /// Waits until the program has been executed.
    fn wait_for_start(&mut self) -> io::Result<()> {
        loop {
            match self.socket.receive() {
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
                // refusals can come before the start
                ControlEvent::Message(message, _) => self.apply_message(message),
                ControlEvent::Nothing => {}
            }
        }
    }

    /// Handles all waiting messages; returns false once the socket is closed.
    fn receive_all(&mut self) -> bool {
        loop {
            match self.socket.try_receive() {
                ControlEvent::Message(message, _) => self.apply_message(message),
                ControlEvent::Nothing => return true,
                ControlEvent::Closed => return false,
            }
        }
    }

    fn apply_message(&mut self, message: ControlMessage) {
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

    /// Waits until the supervisor has exited, at most `most`; returns whether it has.
    fn wait_for_close(&mut self, most: Duration) -> bool {
        let until = Instant::now() + most;
        while self.receive_all() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let left = Timespec::try_from(left).ok();
            // on error or timeout the loop checks again
            let _ = poll(
                &mut [PollFd::new(&self.socket, PollFlags::IN)],
                left.as_ref(),
            );
        }
        true
    }

    /// Waits until the supervisor has killed everything; returns whether it has. Where no
    /// sandbox prevents it, a program can stop its supervisor (SIGSTOP, ptrace(2)), which then
    /// cleans up nothing: its descendants are then killed from here, while they still are its
    /// own.
    fn wait_for_end(&mut self) -> bool {
        let until = Instant::now() + KILL_TIMEOUT;
        let supervisor = Pid::from_child(&self.supervisor);
        while !self.wait_for_close(STOP_POLL_INTERVAL) {
            if Instant::now() >= until {
                descendants::kill_all(supervisor);
                return false;
            }
            if descendants::is_stopped(supervisor) {
                descendants::kill_all(supervisor);
                // it continues, reaps them and reports how they ended
                let _ = kill_process(supervisor, Signal::CONT);
            }
        }
        true
    }

    /// Kills everything and reaps the supervisor.
    fn shut_down(&mut self) {
        self.socket.try_send(&ControlMessage::End);
        if !self.wait_for_end() {
            let _ = self.supervisor.kill();
        }
        let _ = self.supervisor.wait();
        let group = self.id.try_into().ok().and_then(Pid::from_raw);
        if let (None, Some(group)) = (&self.ended, group) {
            // The supervisor was killed. The program died with it (parent death signal); this
            // kills its process group.
            let _ = kill_process_group(group, Signal::KILL);
        }
        // a second call does nothing
        self.id = 0;
    }
}

impl Drop for SandboxedProcess {
    fn drop(&mut self) {
        self.shut_down();
    }
}
