//! The warden: it starts what becomes the program, hears what the program is refused, and
//! ends everything when the program ends, when it is told to, and when we are gone.

use crate::arch::{ChildExit, SeccompListener, reap, reaped_cpu};
use crate::control_socket::{ControlEvent, ControlMessage, ControlSocket};
use crate::launch_request::LaunchRequest;
use crate::policy::SyscallPolicy;
use crate::refusals::RefusalLog;
use crate::{CageMode, ExitCause, ExitReport, Layer, LayerState, descendants};
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

/// How long it may go on with more processes than it may have, and how often they are
/// counted where starting one is not heard.
const COUNT: Duration = Duration::from_millis(5);

/// How often orphans that have ended are taken leave of, where there can be some.
const SWEEP: Duration = Duration::from_millis(250);

/// News of refusals go out no more often than this.
const NEWS: Duration = Duration::from_millis(20);

/// Does the warden's work to its end.
pub(crate) fn run(order: &LaunchRequest) -> io::Result<()> {
    // Programs of the same user can then neither attach to the supervisor by ptrace(2) nor
    // write to its memory, whatever else the sandbox lacks. A process may always look into
    // itself, so `/proc/self` stays readable here, and what it starts is as usual again.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let line = ControlSocket::from_input()?;
    // a signal for those at the terminal is not for us, nor for what we guard
    setsid()?;
    set_child_subreaper(Some(getpid()))?;
    let ControlEvent::Message(ControlMessage::Files, files) = line.hear() else {
        return Ok(());
    };
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    let started = CageSupervisor::start(order, &line, files);
    match started {
        Ok(mut warden) => warden.watch(),
        Err(error) => {
            let number = error.raw_os_error().unwrap_or(0);
            line.say(&ControlMessage::Failed(number))?;
        }
    }
    Ok(())
}

struct CageSupervisor<'a> {
    order: &'a LaunchRequest,
    line: &'a ControlSocket,
    /// To what becomes the program, until it has.
    inner: Option<ControlSocket>,
    process: Pid,
    alive: OwnedFd,
    ear: Option<SeccompListener>,
    judge: SyscallPolicy,
    refusals: RefusalLog,
    told: Instant,
    /// Whether another process was started since they were counted.
    count: bool,
    /// When that was.
    counted: Instant,
    /// Whether the filter of calls holds.
    calls: bool,
    gone: Option<ChildExit>,
}

impl<'a> CageSupervisor<'a> {
    fn start(
        order: &'a LaunchRequest,
        line: &'a ControlSocket,
        files: Vec<OwnedFd>,
    ) -> io::Result<Self> {
        if !order.cores.is_empty() {
            let mut cores = CpuSet::new();
            for &core in order.cores.iter().filter(|&&core| core < CpuSet::MAX_CPU) {
                cores.set(core);
            }
            // what we do for the program is done on its cores, too
            sched_setaffinity(None, &cores)?;
        }
        let (inner, theirs) = ControlSocket::pair()?;
        let child = Command::new("/proc/self/exe")
            .arg0(crate::process::INNER)
            .args(order.words())
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let files: Vec<_> = files.iter().map(AsFd::as_fd).collect();
        inner.hand(&ControlMessage::Files, &files)?;
        let process = Pid::from_child(&child);
        Ok(Self {
            order,
            line,
            inner: Some(inner),
            process,
            alive: pidfd_open(process, PidfdFlags::empty())?,
            ear: None,
            judge: SyscallPolicy::new(order, process),
            refusals: RefusalLog::default(),
            told: Instant::now(),
            count: false,
            counted: Instant::now(),
            calls: false,
            gone: None,
        })
    }

    /// Until the program has ended, or has to.
    fn watch(&mut self) {
        loop {
            let [order, ended, news, call] = self.wait();
            // what it was refused before it ended is heard before it has ended
            if call && self.hear_call() {
                return self.end(false);
            }
            if news {
                self.hear_inner();
            }
            if order && !matches!(self.line.try_hear(), ControlEvent::Nothing) {
                return self.end(true);
            }
            if ended && !call && !news {
                return self.end(false);
            }
            self.sweep();
            if (self.count || self.counts()) && self.counted.elapsed() >= COUNT {
                self.count = false;
                self.counted = Instant::now();
                if descendants::below(getpid()).len() > self.order.bounds.processes as usize {
                    self.refusals.add(self.judge.too_many());
                    return self.end(false);
                }
            }
            if self.told.elapsed() >= NEWS {
                self.told = Instant::now();
                self.refusals
                    .tell(|one| self.line.try_say(&ControlMessage::Refused(one)));
            }
        }
    }

    /// Whether processes have to be counted all the time.
    fn counts(&self) -> bool {
        let many = self.order.mode != CageMode::Off && self.order.bounds.processes > 1;
        many && self.ear.is_none() && self.inner.is_none()
    }

    /// Waits for an order, the program's end, news of what becomes it, or a call.
    fn wait(&mut self) -> [bool; 4] {
        let one_process = self.calls && self.order.bounds.processes <= 1;
        let mut limit = (!one_process).then_some(SWEEP);
        if self.count || self.counts() {
            limit = Some(COUNT);
        } else if self.refusals.is_news() {
            limit = Some(NEWS);
        }
        let limit = limit.map(|time| Timespec::try_from(time).expect("less than a second"));
        let mut files = vec![
            PollFd::new(self.line, PollFlags::IN),
            PollFd::new(&self.alive, PollFlags::IN),
        ];
        files.extend(self.inner.iter().map(|f| PollFd::new(f, PollFlags::IN)));
        files.extend(self.ear.iter().map(|f| PollFd::new(f, PollFlags::IN)));
        if poll(&mut files, limit.as_ref()).is_err() {
            return [false; 4];
        }
        let ready: Vec<_> = files.iter().map(PollFd::revents).collect();
        let inner = self.inner.is_some();
        let call = ready.get(2 + usize::from(inner)).copied();
        let call = call.unwrap_or(PollFlags::empty());
        let calls = call.contains(PollFlags::IN);
        if !call.is_empty() && !calls {
            // nobody is left who could call
            self.ear = None;
        }
        [
            !ready[0].is_empty(),
            !ready[1].is_empty(),
            inner && !ready[2].is_empty(),
            calls,
        ]
    }

    fn hear_inner(&mut self) {
        let Some(inner) = &self.inner else { return };
        match inner.try_hear() {
            ControlEvent::Nothing => {}
            ControlEvent::Closed => {
                self.inner = None;
                let id = self.process.as_raw_pid().cast_unsigned();
                let _ = self.line.say(&ControlMessage::Started(id));
            }
            ControlEvent::Message(ControlMessage::Files, files) => {
                self.ear = files.into_iter().next().map(SeccompListener::from);
            }
            ControlEvent::Message(ControlMessage::Ready, _) => {}
            ControlEvent::Message(message, _) => {
                if matches!(
                    message,
                    ControlMessage::Layer(Layer::Calls, LayerState::Holds)
                ) {
                    self.calls = true;
                }
                let _ = self.line.say(&message);
            }
        }
    }

    /// Hears a call and answers it, and tells whether the program is to be ended for it.
    fn hear_call(&mut self) -> bool {
        let Some(ear) = &self.ear else { return false };
        match ear.hear() {
            Ok(notice) => {
                let judgement = self.judge.judge(ear, &notice);
                // What it tries for the first time is told before it goes on: its game may
                // be over a moment later. There are few names, so this cannot be abused.
                if let Some(what) = judgement.tried
                    && self.refusals.add(what)
                {
                    let line = self.line;
                    self.refusals
                        .tell(|one| line.try_say(&ControlMessage::Refused(one)));
                }
                if judgement.ends {
                    return true;
                }
                ear.answer(&notice, judgement.answer);
                if judgement.starts {
                    // it will be there in a moment
                    self.count = true;
                    self.counted = Instant::now();
                }
            }
            // whoever called has been ended meanwhile
            Err(error) if error.raw_os_error() == Some(libc::ENOENT) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // not an ear
            Err(_) => self.ear = None,
        }
        false
    }

    /// Takes leave of whatever has ended.
    fn sweep(&mut self) {
        while let Some(gone) = reap(false) {
            self.leave(gone);
        }
    }

    fn leave(&mut self, gone: ChildExit) {
        if gone.process == self.process {
            self.gone = Some(gone);
        }
    }

    /// Ends all that is left, and tells how it was.
    fn end(&mut self, ordered: bool) {
        self.sweep();
        let mut others = descendants::below(getpid());
        others.retain(|&one| one != self.process);
        // those that wait for an answer get none, and start nothing more
        self.ear = None;
        loop {
            descendants::end_below(getpid());
            if self.gone.is_none() {
                // where /proc is not to be seen, this one can still be ended; it is ours
                // until we take leave of it
                let _ = kill_process(self.process, Signal::KILL);
            }
            match reap(true) {
                Some(gone) => self.leave(gone),
                None => break,
            }
        }
        let how = match self.gone.map(|gone| gone.status) {
            Some(Ok(code)) => ExitCause::Code(code),
            Some(Err(signal)) if !(ordered && signal == libc::SIGKILL) => ExitCause::Signal(signal),
            _ => ExitCause::Killed,
        };
        let line = self.line;
        self.refusals
            .tell(|one| line.say(&ControlMessage::Refused(one)).is_ok());
        // where nobody is left to hear it, nothing is lost
        let _ = line.say(&ControlMessage::Ended(ExitReport {
            how,
            left: u32::try_from(others.len()).unwrap_or(u32::MAX),
            peak_memory: self.gone.map_or(0, |gone| gone.peak_memory),
            cpu: reaped_cpu(),
            refusals: Vec::new(),
        }));
    }
}
