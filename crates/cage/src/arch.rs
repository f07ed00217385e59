//! Linux system calls that no safe library offers: seccomp filters and notifications
//! (seccomp(2), seccomp_unotify(2)), resource usage of children (wait4(2)) and closing
//! inherited files (close_range(2)).

#[allow(unsafe_code)]
mod linux;

pub(crate) use linux::{
    ChildExit, SeccompListener, SyscallNotification, SyscallResponse, close_inherited_on_exec,
    filter_calls, reap, reaped_cpu,
};
