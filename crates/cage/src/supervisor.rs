//! The supervisor process: it starts the child that becomes the program, handles seccomp
//! notifications, and kills all descendants when the program ends, when the caller requests it,
//! and when the caller is gone.

use crate::arch::{ChildExit, SeccompListener, reap, reaped_cpu};
use crate::control_socket::{ControlEvent, ControlMessage, ControlSocket};
use crate::launch_request::LaunchRequest;
use crate::policy::SyscallPolicy;
use crate::refusals::RefusalLog;
use crate::{CageMode, ExitCause, ExitReport, Layer, LayerState, child, descendants};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open,
    set_child_subreaper, set_dumpable_behavior, setsid,
};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The name (argv[0]) of this helper process; no other process has it.
pub(crate) const NAME: &str = "gridpaper:warden";

/// Interval at which processes are counted where starting one causes no notification; the
/// program may exceed its limit for that long.
const COUNT_INTERVAL: Duration = Duration::from_millis(5);

/// Interval at which orphans that have exited are reaped.
const REAP_INTERVAL: Duration = Duration::from_millis(250);

/// Minimum interval between reports of refusals.
const REPORT_INTERVAL: Duration = Duration::from_millis(20);

/// Runs the supervisor until the program has ended.
pub(crate) fn run(request: &LaunchRequest) -> io::Result<()> {
    // Programs of the same user can then neither attach to the supervisor by ptrace(2) nor
    // write to its memory, even if other layers are missing. A process can always inspect
    // itself, so `/proc/self` stays readable here, and exec resets the flag for its children.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let socket = ControlSocket::from_input()?;
    // signals of the terminal (Ctrl-C) must reach neither the supervisor nor the program
    setsid()?;
    set_child_subreaper(Some(getpid()))?;
    let ControlEvent::Message(ControlMessage::Files, files) = socket.receive() else {
        return Ok(());
    };
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    let started = CageSupervisor::start(request, &socket, files);
    match started {
        Ok(mut supervisor) => supervisor.watch(),
        Err(error) => {
            let number = error.raw_os_error().unwrap_or(0);
            socket.send(&ControlMessage::Failed(number))?;
        }
    }
    Ok(())
}

struct CageSupervisor<'a> {
    request: &'a LaunchRequest,
    socket: &'a ControlSocket,
    /// The socket to the child, until it has executed the program.
    child_socket: Option<ControlSocket>,
    program: Pid,
    program_pidfd: OwnedFd,
    listener: Option<SeccompListener>,
    policy: SyscallPolicy,
    refusals: RefusalLog,
    last_report: Instant,
    /// Whether another process was started since the last count.
    needs_count: bool,
    /// When processes were last counted.
    last_count: Instant,
    /// Whether the seccomp filter is active.
    has_filter: bool,
    program_exit: Option<ChildExit>,
}

impl<'a> CageSupervisor<'a> {
    fn start(
        request: &'a LaunchRequest,
        socket: &'a ControlSocket,
        files: Vec<OwnedFd>,
    ) -> io::Result<Self> {
        if !request.cores.is_empty() {
            let mut cores = CpuSet::new();
            for &core in request.cores.iter().filter(|&&core| core < CpuSet::MAX_CPU) {
                cores.set(core);
            }
            // the supervisor's work for the program runs on the same cores
            sched_setaffinity(None, &cores)?;
        }
        let (child_socket, theirs) = ControlSocket::pair()?;
        let child = Command::new("/proc/self/exe")
            .arg0(child::NAME)
            .args(request.to_arguments())
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let files: Vec<_> = files.iter().map(AsFd::as_fd).collect();
        child_socket.send_with_files(&ControlMessage::Files, &files)?;
        let program = Pid::from_child(&child);
        Ok(Self {
            request,
            socket,
            child_socket: Some(child_socket),
            program,
            program_pidfd: pidfd_open(program, PidfdFlags::empty())?,
            listener: None,
            policy: SyscallPolicy::new(request, program),
            refusals: RefusalLog::default(),
            last_report: Instant::now(),
            needs_count: false,
            last_count: Instant::now(),
            has_filter: false,
            program_exit: None,
        })
    }

    /// Handles events until the program has ended or has to be killed.
    fn watch(&mut self) {
        loop {
            let [stop, ended, child_message, syscall] = self.wait();
            // refusals that precede its end are handled first
            if syscall && self.handle_syscall() {
                return self.end(false);
            }
            if child_message {
                self.handle_child_message();
            }
            if stop && !matches!(self.socket.try_receive(), ControlEvent::Nothing) {
                return self.end(true);
            }
            if ended && !syscall && !child_message {
                return self.end(false);
            }
            self.reap_exited();
            if (self.needs_count || self.polls_count())
                && self.last_count.elapsed() >= COUNT_INTERVAL
            {
                self.needs_count = false;
                self.last_count = Instant::now();
                if descendants::list(getpid()).len() > self.request.limits.processes as usize {
                    self.refusals.add(self.policy.too_many());
                    return self.end(false);
                }
            }
            if self.last_report.elapsed() >= REPORT_INTERVAL {
                self.last_report = Instant::now();
                self.refusals
                    .flush(|refusal| self.socket.try_send(&ControlMessage::Refused(refusal)));
            }
        }
    }

    /// Whether processes have to be counted at regular intervals.
    fn polls_count(&self) -> bool {
        let is_limited = self.request.mode != CageMode::Off && self.request.limits.processes > 1;
        is_limited && self.listener.is_none() && self.child_socket.is_none()
    }

    /// Waits for a request to stop, the program's end, a message of the child, or a seccomp
    /// notification, in this order.
    fn wait(&mut self) -> [bool; 4] {
        let is_single = self.has_filter && self.request.limits.processes <= 1;
        let mut limit = (!is_single).then_some(REAP_INTERVAL);
        if self.needs_count || self.polls_count() {
            limit = Some(COUNT_INTERVAL);
        } else if self.refusals.has_unreported() {
            limit = Some(REPORT_INTERVAL);
        }
        let limit = limit.map(|time| Timespec::try_from(time).expect("less than a second"));
        let mut files = vec![
            PollFd::new(self.socket, PollFlags::IN),
            PollFd::new(&self.program_pidfd, PollFlags::IN),
        ];
        files.extend(
            self.child_socket
                .iter()
                .map(|f| PollFd::new(f, PollFlags::IN)),
        );
        files.extend(self.listener.iter().map(|f| PollFd::new(f, PollFlags::IN)));
        if poll(&mut files, limit.as_ref()).is_err() {
            return [false; 4];
        }
        let ready: Vec<_> = files.iter().map(PollFd::revents).collect();
        let has_child = self.child_socket.is_some();
        let events = ready.get(2 + usize::from(has_child)).copied();
        let events = events.unwrap_or(PollFlags::empty());
        let has_notification = events.contains(PollFlags::IN);
        if !events.is_empty() && !has_notification {
            // every process with this filter has ended
            self.listener = None;
        }
        [
            !ready[0].is_empty(),
            !ready[1].is_empty(),
            has_child && !ready[2].is_empty(),
            has_notification,
        ]
    }

    fn handle_child_message(&mut self) {
        let Some(child_socket) = &self.child_socket else {
            return;
        };
        match child_socket.try_receive() {
            ControlEvent::Nothing => {}
            ControlEvent::Closed => {
                self.child_socket = None;
                let id = self.program.as_raw_pid().cast_unsigned();
                let _ = self.socket.send(&ControlMessage::Started(id));
            }
            ControlEvent::Message(ControlMessage::Files, files) => {
                self.listener = files.into_iter().next().map(SeccompListener::from);
            }
            ControlEvent::Message(ControlMessage::Ready, _) => {}
            ControlEvent::Message(message, _) => {
                if matches!(
                    message,
                    ControlMessage::Layer(Layer::Calls, LayerState::Holds)
                ) {
                    self.has_filter = true;
                }
                let _ = self.socket.send(&message);
            }
        }
    }

    /// Answers a seccomp notification; returns whether the program has to be killed for it.
    fn handle_syscall(&mut self) -> bool {
        let Some(listener) = &self.listener else {
            return false;
        };
        match listener.receive() {
            Ok(notification) => {
                let decision = self.policy.decide(listener, &notification);
                // The first attempt of each kind is reported before the call returns, since the
                // game may be over a moment later. The number of kinds is bounded, so this
                // cannot be abused.
                if let Some(what) = decision.attempt
                    && self.refusals.add(what)
                {
                    let socket = self.socket;
                    self.refusals
                        .flush(|refusal| socket.try_send(&ControlMessage::Refused(refusal)));
                }
                if decision.ends_program {
                    return true;
                }
                listener.respond(&notification, decision.response);
                if decision.starts_process {
                    // the new process appears after the call
                    self.needs_count = true;
                    self.last_count = Instant::now();
                }
            }
            // the calling thread has been killed meanwhile
            Err(error) if error.raw_os_error() == Some(libc::ENOENT) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // not a listener
            Err(_) => self.listener = None,
        }
        false
    }

    /// Reaps all children that have exited.
    fn reap_exited(&mut self) {
        while let Some(exit) = reap(false) {
            self.record_exit(exit);
        }
    }

    fn record_exit(&mut self, exit: ChildExit) {
        if exit.process == self.program {
            self.program_exit = Some(exit);
        }
    }

    /// Kills all descendants and reports how the program ended.
    fn end(&mut self, was_requested: bool) {
        self.reap_exited();
        let mut orphans = descendants::list(getpid());
        orphans.retain(|&orphan| orphan != self.program);
        // pending calls get no answer, so they start nothing more
        self.listener = None;
        loop {
            descendants::kill_all(getpid());
            if self.program_exit.is_none() {
                // without /proc the program can still be killed; its id is valid until it is
                // reaped
                let _ = kill_process(self.program, Signal::KILL);
            }
            match reap(true) {
                Some(exit) => self.record_exit(exit),
                None => break,
            }
        }
        let cause = match self.program_exit.map(|exit| exit.status) {
            Some(Ok(code)) => ExitCause::Code(code),
            Some(Err(signal)) if !(was_requested && signal == libc::SIGKILL) => {
                ExitCause::Signal(signal)
            }
            _ => ExitCause::Killed,
        };
        let socket = self.socket;
        self.refusals
            .flush(|refusal| socket.send(&ControlMessage::Refused(refusal)).is_ok());
        // nothing is lost if the caller is gone
        let _ = socket.send(&ControlMessage::Ended(ExitReport {
            cause,
            killed_descendants: u32::try_from(orphans.len()).unwrap_or(u32::MAX),
            peak_memory: self.program_exit.map_or(0, |exit| exit.peak_memory),
            cpu: reaped_cpu(),
            refusals: Vec::new(),
        }));
    }
}
