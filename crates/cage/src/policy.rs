//! The supervisor's decisions on the system calls that the filter notifies it of.
//!
//! Paths are only reported: Landlock alone decides about files, since the path that the
//! supervisor reads may change before the kernel uses it (a TOCTOU race).

use crate::arch::{SeccompListener, SyscallNotification, SyscallResponse};
use crate::launch_request::LaunchRequest;
use crate::syscalls::{FilterParameters, FlagsLocation, SyscallAttempt, SyscallRule, rules};
use crate::{descendants, layers};
use rustix::process::{Pid, getpid};
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Files that libraries read to learn the user's name. Access is refused but not reported,
/// since it says nothing about the program.
const PROBED: [&str; 2] = ["/etc/passwd", "/etc/group"];

/// Thread limit per process: a machine has some ten thousand thread ids, and a program that
/// takes them all blocks all others.
const MAX_THREADS: u64 = 1024;

/// Decides about the system calls of one program.
#[derive(Debug)]
pub(crate) struct SyscallPolicy {
    process: Pid,
    processes: u32,
    rules: Vec<SyscallRule>,
    /// The paths that it may read, canonical.
    readable: Vec<PathBuf>,
}

/// The decision on one system call.
#[derive(Debug, PartialEq)]
pub(crate) struct PolicyDecision {
    pub(crate) response: SyscallResponse,
    /// What the program tried, if that was refused or is going to be.
    pub(crate) attempt: Option<String>,
    /// Whether the call starts another process.
    pub(crate) starts_process: bool,
    /// Whether the program is killed for it.
    pub(crate) ends_program: bool,
}

impl SyscallPolicy {
    pub(crate) fn new(request: &LaunchRequest, process: Pid) -> Self {
        let number = process.as_raw_pid().cast_unsigned();
        let own = |path: PathBuf| {
            let proc = Path::new("/proc/self");
            if path == proc {
                PathBuf::from(format!("/proc/{number}"))
            } else {
                path
            }
        };
        Self {
            process,
            processes: request.limits.processes,
            rules: rules(&FilterParameters::for_supervisor(request, number)),
            readable: layers::readable(request)
                .filter_map(|path| own(path).canonicalize().ok())
                .collect(),
        }
    }

    /// Decides about a system call.
    pub(crate) fn decide(
        &self,
        listener: &SeccompListener,
        notification: &SyscallNotification,
    ) -> PolicyDecision {
        let refuse = |error, what: String| PolicyDecision {
            response: SyscallResponse::Fail(error),
            attempt: Some(what),
            starts_process: false,
            ends_program: false,
        };
        let allow = |attempt| PolicyDecision {
            response: SyscallResponse::Continue,
            attempt,
            starts_process: false,
            ends_program: false,
        };
        let rule = self
            .rules
            .iter()
            .find(|rule| rule.call == notification.number.into());
        let Some(rule) = rule else {
            return refuse(libc::EPERM, format!("call {}", notification.number));
        };
        let argument = |at: u8| notification.arguments[usize::from(at)];
        let path = |folder: Option<u8>, at: u8| {
            let path = read_path(notification.thread, folder.map(argument), argument(at))?;
            // if the notification is still pending, the memory that was read was the caller's
            listener.is_pending(notification).then_some(path)
        };
        match rule.what {
            SyscallAttempt::This(what) => refuse(rule.error, what.into()),
            SyscallAttempt::Memory(at) => refuse(
                rule.error,
                format!("to get {} bytes of memory at once", argument(at)),
            ),
            SyscallAttempt::Socket if argument(0) == 1 => {
                refuse(rule.error, "to open a local socket".into())
            }
            SyscallAttempt::Socket => refuse(rule.error, "to open a socket".into()),
            SyscallAttempt::Start if is_thread(rule, argument(0)) => {
                let is_over =
                    thread_count(notification.thread).is_some_and(|count| count >= MAX_THREADS);
                match is_over {
                    true => refuse(
                        libc::EAGAIN,
                        format!("to have more than {MAX_THREADS} threads"),
                    ),
                    false => allow(None),
                }
            }
            SyscallAttempt::Start => {
                self.decide_start(rule, argument(0), rule.call == libc::SYS_clone)
            }
            SyscallAttempt::Signal if self.may_signal(argument(0)) => allow(None),
            SyscallAttempt::Signal => refuse(rule.error, "to signal another process".into()),
            SyscallAttempt::Open(folder, at, flags) => {
                let flags = match flags {
                    FlagsLocation::At(at) => argument(at),
                    FlagsLocation::Behind(at) => {
                        read_u64(notification.thread, argument(at)).unwrap_or(0)
                    }
                };
                allow(path(folder, at).and_then(|path| self.refused_open(&path, flags)))
            }
            SyscallAttempt::Change(folder, at) => {
                allow(path(folder, at).and_then(|path| self.refused_write(&path)))
            }
            SyscallAttempt::Run(folder, at) => {
                allow(path(folder, at).and_then(|path| self.refused_read("run", &path)))
            }
        }
    }

    fn decide_start(&self, rule: &SyscallRule, flags: u64, has_flags: bool) -> PolicyDecision {
        let spaces = libc::CLONE_NEWNS
            | libc::CLONE_NEWCGROUP
            | libc::CLONE_NEWUTS
            | libc::CLONE_NEWIPC
            | libc::CLONE_NEWUSER
            | libc::CLONE_NEWPID
            | libc::CLONE_NEWNET;
        let makes_namespace = has_flags && flags & u64::from(spaces.cast_unsigned()) != 0;
        let is_over = || descendants::list(getpid()).len() >= self.processes as usize;
        // A program limited to one process goes on without another. One that exceeds a higher
        // limit is killed: how a fork bomb behaves when refused is unpredictable.
        let (attempt, ends_program) = if makes_namespace {
            ("to change its namespaces".into(), false)
        } else if self.processes <= 1 {
            ("to start a process".into(), false)
        } else if is_over() {
            (self.too_many(), true)
        } else {
            return PolicyDecision {
                response: SyscallResponse::Continue,
                attempt: None,
                starts_process: true,
                ends_program: false,
            };
        };
        PolicyDecision {
            response: SyscallResponse::Fail(rule.error),
            attempt: Some(attempt),
            starts_process: false,
            ends_program,
        }
    }

    /// The attempt that is reported for exceeding the process limit.
    pub(crate) fn too_many(&self) -> String {
        format!("to start more than {} processes", self.processes)
    }

    /// Whether the target is one of its own threads, processes or process groups.
    fn may_signal(&self, target: u64) -> bool {
        // pid_t is a signed 32-bit number
        let target = target as u32 as i32;
        target != -1 && descendants::contains(self.process, target.saturating_abs())
    }

    fn refused_open(&self, path: &Path, flags: u64) -> Option<String> {
        let has_flag = |flag: i32| flags & u64::from(flag.cast_unsigned()) != 0;
        if has_flag(libc::O_PATH) {
            return None;
        }
        let writes =
            has_flag(libc::O_ACCMODE) || has_flag(libc::O_CREAT) || has_flag(libc::O_TRUNC);
        if !writes {
            return self.refused_read("read", path);
        }
        // opening a missing file fails anyway, unless it would be created
        if !has_flag(libc::O_CREAT) && !path.exists() {
            return None;
        }
        self.refused_write(path)
    }

    fn refused_read(&self, what: &str, path: &Path) -> Option<String> {
        let path = path.canonicalize().ok()?;
        let inside = self.readable.iter().any(|root| path.starts_with(root));
        let is_unreported =
            inside || self.is_own(&path) || PROBED.iter().any(|p| path == Path::new(p));
        (!is_unreported).then(|| format!("to {what} {}", one_line(&path)))
    }

    fn refused_write(&self, path: &Path) -> Option<String> {
        let folder = path.parent()?.canonicalize().ok()?;
        let path = folder.join(path.file_name()?);
        let is_unreported = layers::writable(&path) || self.is_own(&path);
        (!is_unreported).then(|| format!("to write {}", one_line(&path)))
    }

    /// Whether a path is in the program's own `/proc` folder.
    fn is_own(&self, path: &Path) -> bool {
        let number = || {
            let number = path.strip_prefix("/proc").ok()?.iter().next()?;
            number.to_str()?.parse().ok()
        };
        number().is_some_and(|number| descendants::contains(self.process, number))
    }
}

/// Whether a call starts a thread, not a process.
fn is_thread(rule: &SyscallRule, flags: u64) -> bool {
    rule.call == libc::SYS_clone && flags & u64::from(libc::CLONE_THREAD.cast_unsigned()) != 0
}

/// Number of threads of a thread's process: the link count of its `task` folder minus 2.
fn thread_count(thread: i32) -> Option<u64> {
    let folder = std::fs::metadata(format!("/proc/{thread}/task")).ok()?;
    folder.nlink().checked_sub(2)
}

/// A path on one line.
fn one_line(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// The absolute path at this address of a thread's memory.
fn read_path(thread: i32, folder: Option<u64>, at: u64) -> Option<PathBuf> {
    let mut bytes = vec![0; 4096];
    let memory = File::open(format!("/proc/{thread}/mem")).ok()?;
    let length = memory.read_at(&mut bytes, at).ok()?;
    bytes.truncate(length);
    bytes.truncate(bytes.iter().position(|&byte| byte == 0)?);
    let path = PathBuf::from(OsString::from_vec(bytes));
    for own in ["/proc/self", "/proc/thread-self"] {
        if let Ok(rest) = path.strip_prefix(own) {
            return Some(Path::new(&format!("/proc/{thread}")).join(rest));
        }
    }
    if path.is_absolute() {
        return Some(path);
    }
    // a file descriptor is a signed 32-bit number
    let folder = folder.map_or(libc::AT_FDCWD, |folder| folder as u32 as i32);
    let folder = if folder == libc::AT_FDCWD {
        format!("/proc/{thread}/cwd")
    } else {
        format!("/proc/{thread}/fd/{folder}")
    };
    Some(std::fs::read_link(folder).ok()?.join(path))
}

fn read_u64(thread: i32, at: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    let memory = File::open(format!("/proc/{thread}/mem")).ok()?;
    memory.read_exact_at(&mut bytes, at).ok()?;
    Some(u64::from_ne_bytes(bytes))
}
