//! The warden's answers to the calls that the filter asks about, and their names.
//!
//! Landlock alone decides about files: what the name of a file was when the warden looked
//! may be another name a moment later. Names are for the record.

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

/// What libraries read in order to learn who runs them. It is refused, but says nothing of
/// the program.
const PROBED: [&str; 2] = ["/etc/passwd", "/etc/group"];

/// So many threads a process may have at a time: a machine has numbers for some ten thousand,
/// and a program that takes them all lets nobody else's start.
const MOST_THREADS: u64 = 1024;

/// What is known of the program whose calls are judged.
#[derive(Debug)]
pub(crate) struct SyscallPolicy {
    process: Pid,
    processes: u32,
    rules: Vec<SyscallRule>,
    /// What it may read, with no link in it.
    readable: Vec<PathBuf>,
}

/// What a judge says.
#[derive(Debug, PartialEq)]
pub(crate) struct PolicyDecision {
    pub(crate) answer: SyscallResponse,
    /// What it tried, where that was refused or is going to be.
    pub(crate) tried: Option<String>,
    /// Whether there will be another process.
    pub(crate) starts: bool,
    /// Whether the program is ended for it.
    pub(crate) ends: bool,
}

impl SyscallPolicy {
    pub(crate) fn new(order: &LaunchRequest, process: Pid) -> Self {
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
            processes: order.bounds.processes,
            rules: rules(&FilterParameters::of_warden(order, number)),
            readable: layers::readable(order)
                .filter_map(|path| own(path).canonicalize().ok())
                .collect(),
        }
    }

    /// Judges a call.
    pub(crate) fn judge(
        &self,
        ear: &SeccompListener,
        notice: &SyscallNotification,
    ) -> PolicyDecision {
        let no = |error, what: String| PolicyDecision {
            answer: SyscallResponse::No(error),
            tried: Some(what),
            starts: false,
            ends: false,
        };
        let go = |tried| PolicyDecision {
            answer: SyscallResponse::Go,
            tried,
            starts: false,
            ends: false,
        };
        let rule = self
            .rules
            .iter()
            .find(|rule| rule.call == notice.number.into());
        let Some(rule) = rule else {
            return no(libc::EPERM, format!("call {}", notice.number));
        };
        let argument = |at: u8| notice.arguments[usize::from(at)];
        let path = |folder: Option<u8>, at: u8| {
            let path = path(notice.thread, folder.map(argument), argument(at))?;
            // only now it is sure whose memory that was
            ear.waits(notice).then_some(path)
        };
        match rule.what {
            SyscallAttempt::This(what) => no(rule.error, what.into()),
            SyscallAttempt::Memory(at) => no(
                rule.error,
                format!("to get {} bytes of memory at once", argument(at)),
            ),
            SyscallAttempt::Socket if argument(0) == 1 => {
                no(rule.error, "to open a local socket".into())
            }
            SyscallAttempt::Socket => no(rule.error, "to open a socket".into()),
            SyscallAttempt::Start if is_thread(rule, argument(0)) => {
                let many = threads(notice.thread).is_some_and(|count| count >= MOST_THREADS);
                match many {
                    true => no(
                        libc::EAGAIN,
                        format!("to have more than {MOST_THREADS} threads"),
                    ),
                    false => go(None),
                }
            }
            SyscallAttempt::Start => self.start(rule, argument(0), rule.call == libc::SYS_clone),
            SyscallAttempt::Signal if self.may_signal(argument(0)) => go(None),
            SyscallAttempt::Signal => no(rule.error, "to signal another process".into()),
            SyscallAttempt::Open(folder, at, flags) => {
                let flags = match flags {
                    FlagsLocation::At(at) => argument(at),
                    FlagsLocation::Behind(at) => word(notice.thread, argument(at)).unwrap_or(0),
                };
                go(path(folder, at).and_then(|path| self.open(&path, flags)))
            }
            SyscallAttempt::Change(folder, at) => {
                go(path(folder, at).and_then(|path| self.write(&path)))
            }
            SyscallAttempt::Run(folder, at) => {
                go(path(folder, at).and_then(|path| self.read("run", &path)))
            }
        }
    }

    fn start(&self, rule: &SyscallRule, flags: u64, has_flags: bool) -> PolicyDecision {
        let spaces = libc::CLONE_NEWNS
            | libc::CLONE_NEWCGROUP
            | libc::CLONE_NEWUTS
            | libc::CLONE_NEWIPC
            | libc::CLONE_NEWUSER
            | libc::CLONE_NEWPID
            | libc::CLONE_NEWNET;
        let leaves = has_flags && flags & u64::from(spaces.cast_unsigned()) != 0;
        let many = || descendants::below(getpid()).len() >= self.processes as usize;
        // One that may have none besides itself goes on without it. One that may have some and
        // wants more is ended: what a bomb of shells does that are refused is chance.
        let (tried, ends) = if leaves {
            ("to change its namespaces".into(), false)
        } else if self.processes <= 1 {
            ("to start a process".into(), false)
        } else if many() {
            (self.too_many(), true)
        } else {
            return PolicyDecision {
                answer: SyscallResponse::Go,
                tried: None,
                starts: true,
                ends: false,
            };
        };
        PolicyDecision {
            answer: SyscallResponse::No(rule.error),
            tried: Some(tried),
            starts: false,
            ends,
        }
    }

    /// What a program tried that has more processes than it may.
    pub(crate) fn too_many(&self) -> String {
        format!("to start more than {} processes", self.processes)
    }

    /// Its own threads and processes, and a group of theirs.
    fn may_signal(&self, target: u64) -> bool {
        // a process is a number of 32 bits with a sign
        let target = target as u32 as i32;
        target != -1 && descendants::belongs(self.process, target.saturating_abs())
    }

    fn open(&self, path: &Path, flags: u64) -> Option<String> {
        let has = |flag: i32| flags & u64::from(flag.cast_unsigned()) != 0;
        if has(libc::O_PATH) {
            return None;
        }
        let writes = has(libc::O_ACCMODE) || has(libc::O_CREAT) || has(libc::O_TRUNC);
        if !writes {
            return self.read("read", path);
        }
        // a file that is not there cannot be refused, except where it would be made
        if !has(libc::O_CREAT) && !path.exists() {
            return None;
        }
        self.write(path)
    }

    fn read(&self, what: &str, path: &Path) -> Option<String> {
        let path = path.canonicalize().ok()?;
        let inside = self.readable.iter().any(|root| path.starts_with(root));
        let quiet = inside || self.is_own(&path) || PROBED.iter().any(|p| path == Path::new(p));
        (!quiet).then(|| format!("to {what} {}", shown(&path)))
    }

    fn write(&self, path: &Path) -> Option<String> {
        let folder = path.parent()?.canonicalize().ok()?;
        let path = folder.join(path.file_name()?);
        let quiet = layers::writable(&path) || self.is_own(&path);
        (!quiet).then(|| format!("to write {}", shown(&path)))
    }

    /// Whether it is what the kernel says of the program itself.
    fn is_own(&self, path: &Path) -> bool {
        let number = || {
            let number = path.strip_prefix("/proc").ok()?.iter().next()?;
            number.to_str()?.parse().ok()
        };
        number().is_some_and(|number| descendants::belongs(self.process, number))
    }
}

/// Whether a call starts a thread of the process that makes it.
fn is_thread(rule: &SyscallRule, flags: u64) -> bool {
    rule.call == libc::SYS_clone && flags & u64::from(libc::CLONE_THREAD.cast_unsigned()) != 0
}

/// How many threads the process of a thread has: the kernel counts each as a link to their
/// folder, as folders are counted in any folder.
fn threads(thread: i32) -> Option<u64> {
    let folder = std::fs::metadata(format!("/proc/{thread}/task")).ok()?;
    folder.nlink().checked_sub(2)
}

/// A path as it stands in a record: on one line.
fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// The path that a thread names, from the root.
fn path(thread: i32, folder: Option<u64>, at: u64) -> Option<PathBuf> {
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
    // a file is a number of 32 bits with a sign
    let folder = folder.map_or(libc::AT_FDCWD, |folder| folder as u32 as i32);
    let folder = if folder == libc::AT_FDCWD {
        format!("/proc/{thread}/cwd")
    } else {
        format!("/proc/{thread}/fd/{folder}")
    };
    Some(std::fs::read_link(folder).ok()?.join(path))
}

fn word(thread: i32, at: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    let memory = File::open(format!("/proc/{thread}/mem")).ok()?;
    memory.read_exact_at(&mut bytes, at).ok()?;
    Some(u64::from_ne_bytes(bytes))
}
