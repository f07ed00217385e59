//! The unsafe calls, each behind a safe function.

use libc::{
    SECCOMP_FILTER_FLAG_NEW_LISTENER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, SECCOMP_IOCTL_NOTIF_ID_VALID,
    SECCOMP_IOCTL_NOTIF_RECV, SECCOMP_IOCTL_NOTIF_SEND, SECCOMP_SET_MODE_FILTER,
    SECCOMP_USER_NOTIF_FLAG_CONTINUE, seccomp_notif, seccomp_notif_resp, sock_filter, sock_fprog,
};
use rustix::process::Pid;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

/// A seccomp user-notification descriptor (seccomp_unotify(2)).
#[derive(Debug)]
pub(crate) struct SeccompListener(OwnedFd);

/// A system call that waits for a response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SyscallNotification {
    id: u64,
    /// The thread that called.
    pub(crate) thread: i32,
    /// The call's number.
    pub(crate) number: i32,
    /// Its arguments.
    pub(crate) arguments: [u64; 6],
}

/// The response to a system call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SyscallResponse {
    /// The kernel executes it.
    Continue,
    /// It fails with this errno.
    Fail(i32),
}

/// Installs a filter for this thread and all its descendants, for good. Returns the listener if
/// one was requested.
///
/// # Errors
/// The kernel rejects it; nothing is filtered then.
pub(crate) fn filter_calls(
    program: &[sock_filter],
    with_listener: bool,
) -> io::Result<Option<SeccompListener>> {
    let length = u16::try_from(program.len()).map_err(io::Error::other)?;
    let program = sock_fprog {
        len: length,
        filter: program.as_ptr().cast_mut(),
    };
    // Without this flag older kernels enable speculation mitigations for the process, which
    // slow it down.
    let flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW
        | if with_listener {
            SECCOMP_FILTER_FLAG_NEW_LISTENER
        } else {
            0
        };
    // SAFETY: the kernel copies `len` instructions from `filter`, which point to that many,
    // and writes nothing.
    let got = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            SECCOMP_SET_MODE_FILTER,
            flags,
            &raw const program,
        )
    };
    if got < 0 {
        return Err(io::Error::last_os_error());
    }
    if !with_listener {
        return Ok(None);
    }
    let fd = RawFd::try_from(got).map_err(io::Error::other)?;
    // SAFETY: with this flag the call returns a file that was opened for us alone.
    Ok(Some(SeccompListener(unsafe { OwnedFd::from_raw_fd(fd) })))
}

impl From<OwnedFd> for SeccompListener {
    /// A listener received from another process; operations on any other file fail.
    fn from(file: OwnedFd) -> Self {
        Self(file)
    }
}

impl AsFd for SeccompListener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl SeccompListener {
    /// The next notification; blocks until there is one.
    pub(crate) fn receive(&self) -> io::Result<SyscallNotification> {
        // SAFETY: this structure of the kernel's holds numbers only, and all zeros is what
        // it is to be before the call.
        let mut notification: seccomp_notif = unsafe { MaybeUninit::zeroed().assume_init() };
        self.control(SECCOMP_IOCTL_NOTIF_RECV, &mut notification)?;
        Ok(SyscallNotification {
            id: notification.id,
            thread: notification.pid.cast_signed(),
            number: notification.data.nr,
            arguments: notification.data.args,
        })
    }

    /// Whether the notification is still pending: if so, its thread id is still that of the
    /// caller.
    pub(crate) fn is_pending(&self, notification: &SyscallNotification) -> bool {
        let mut id = notification.id;
        self.control(SECCOMP_IOCTL_NOTIF_ID_VALID, &mut id).is_ok()
    }

    /// Responds. It does not matter if the caller is gone.
    pub(crate) fn respond(&self, notification: &SyscallNotification, response: SyscallResponse) {
        let (error, flags) = match response {
            // libc has this flag as a wider type than the field
            SyscallResponse::Continue => (0, SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
            SyscallResponse::Fail(error) => (-error, 0),
        };
        let mut reply = seccomp_notif_resp {
            id: notification.id,
            val: 0,
            error,
            flags,
        };
        let _ = self.control(SECCOMP_IOCTL_NOTIF_SEND, &mut reply);
    }

    /// Private: `operation` has to be one that reads and writes a `T`.
    fn control<T>(&self, operation: libc::Ioctl, with: &mut T) -> io::Result<()> {
        // SAFETY: the three callers give the operation whose structure `T` is (linux/
        // seccomp.h), and it is valid for reading and writing. On a file that is no ear the
        // operations, whose numbers are seccomp's own, fail.
        let got = unsafe { libc::ioctl(self.0.as_raw_fd(), operation, std::ptr::from_mut(with)) };
        if got < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }
}

/// A child that has exited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChildExit {
    pub(crate) process: Pid,
    /// Its exit code, or the signal that ended it.
    pub(crate) status: Result<i32, i32>,
    /// Peak resident memory in bytes.
    pub(crate) peak_memory: u64,
}

/// Reaps a child that has exited; `None` where there is none, or none yet. With `wait` it
/// blocks for one.
pub(crate) fn reap(wait: bool) -> Option<ChildExit> {
    let mut status = 0;
    let options = libc::__WALL | if wait { 0 } else { libc::WNOHANG };
    // SAFETY: numbers only, for which all zeros is a value.
    let mut usage: libc::rusage = unsafe { MaybeUninit::zeroed().assume_init() };
    let child = loop {
        // SAFETY: both pointers are valid for writing what wait4(2) writes through them.
        let got = unsafe { libc::wait4(-1, &raw mut status, options, &raw mut usage) };
        if got >= 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            break got;
        }
    };
    if child <= 0 {
        return None;
    }
    let status = if libc::WIFEXITED(status) {
        Ok(libc::WEXITSTATUS(status))
    } else {
        Err(libc::WTERMSIG(status))
    };
    Some(ChildExit {
        process: Pid::from_raw(child)?,
        status,
        peak_memory: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
    })
}

/// CPU time of all reaped children and their descendants.
pub(crate) fn reaped_cpu() -> Duration {
    // SAFETY: numbers only, for which all zeros is a value.
    let mut usage: libc::rusage = unsafe { MaybeUninit::zeroed().assume_init() };
    // SAFETY: the pointer is valid for writing what getrusage(2) writes through it.
    let got = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) };
    if got < 0 {
        return Duration::ZERO;
    }
    [usage.ru_utime, usage.ru_stime]
        .map(|time| {
            let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
            let micros = u64::try_from(time.tv_usec).unwrap_or(0);
            Duration::from_secs(seconds) + Duration::from_micros(micros)
        })
        .into_iter()
        .sum()
}

/// Marks all files but stdin, stdout and stderr close-on-exec.
pub(crate) fn close_inherited_on_exec() -> io::Result<()> {
    let first: libc::c_uint = 3;
    // SAFETY: with this flag nothing is closed now, so no file of ours becomes invalid, and
    // no memory is touched.
    let got = unsafe {
        libc::syscall(
            libc::SYS_close_range,
            first,
            libc::c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    };
    if got < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
