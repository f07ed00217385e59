//! Calls of the Linux kernel that no safe library has: filters of calls and the ear for
//! what they catch (seccomp(2), seccomp_unotify(2)), what a child has used (wait4(2)), and
//! closing what was left open (close_range(2)).

#[allow(unsafe_code)]
mod linux;

pub(crate) use linux::{
    ChildExit, SeccompListener, SyscallNotification, SyscallResponse, close_the_rest, filter_calls,
    reap, reaped_cpu,
};
