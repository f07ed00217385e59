//! The system calls that a program may not make, and the seccomp filter that refuses them.
//!
//! This is a denylist: programs in any language have to run, and their libraries make
//! unforeseen calls. Calls newer than this list fail with ENOSYS, which libraries handle.
//!
//! A refused call is answered by the filter itself or, where this machine supports it, by the
//! supervisor (seccomp_unotify(2)), which then knows what was tried. Filters are classic BPF
//! programs over `struct seccomp_data` (Linux, seccomp(2); "The BSD Packet Filter", McCanne and
//! Jacobson, 1993).

use crate::arch::{SeccompListener, filter_calls};
use crate::launch_request::LaunchRequest;
use crate::{CageMode, LayerState};
use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGT, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W,
    SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_USER_NOTIF, c_long,
    sock_filter,
};

/// A rule about one system call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SyscallRule {
    /// The call's number.
    pub(crate) call: c_long,
    /// When it is refused.
    pub(crate) when: RefusalCondition,
    /// The errno it fails with.
    pub(crate) error: i32,
    /// What was tried: `to open a socket`.
    pub(crate) what: SyscallAttempt,
}

/// When a call is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RefusalCondition {
    /// Always.
    Always,
    /// Unless this argument is 0 or the program's own process id.
    Other(u8),
    /// Unless it starts a thread: the first argument has `CLONE_THREAD`.
    Process,
    /// Unless it makes a pair of local stream sockets.
    NoPair,
    /// When this argument exceeds the memory limit.
    Large(u8),
    /// When this argument is one of these.
    Among(u8, &'static [u32]),
}

/// What a call tries to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SyscallAttempt {
    /// Fixed text.
    This(&'static str),
    /// To start a process or a thread; the process count decides.
    Start,
    /// To signal a process; the target decides.
    Signal,
    /// To allocate memory: this argument is the size.
    Memory(u8),
    /// To open a socket: the first argument is its family.
    Socket,
    /// To open a file: arguments of the folder (if any), the path and the flags.
    Open(Option<u8>, u8, FlagsLocation),
    /// To change a file: arguments of the folder (if any) and the path.
    Change(Option<u8>, u8),
    /// To execute a file: arguments of the folder (if any) and the path.
    Run(Option<u8>, u8),
}

/// Where a call's flags are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FlagsLocation {
    /// In this argument.
    At(u8),
    /// In the first eight bytes that this argument points to.
    Behind(u8),
}

/// Parameters of the filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FilterParameters {
    /// The program's process id.
    process: u32,
    memory: u64,
    /// Whether the program may have more than one process.
    processes: bool,
    /// Whether landlock is active, so that file names are worth reporting.
    files: bool,
    /// Whether a supervisor answers notifications.
    has_listener: bool,
}

/// The audit architecture number of this processor (linux/audit.h).
#[cfg(target_arch = "x86_64")]
const PROCESSOR: Option<u32> = Some(0xc000_003e);
#[cfg(target_arch = "aarch64")]
const PROCESSOR: Option<u32> = Some(0xc000_00b7);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const PROCESSOR: Option<u32> = None;

/// The newest call that was reviewed for this list: mseal, of Linux 6.10. Above are also the
/// x32 calls of x86-64.
const NEWEST: u32 = 462;

const FILES: SyscallAttempt = SyscallAttempt::This("to change files' owners, permissions or times");
const OTHERS: SyscallAttempt = SyscallAttempt::This("to look into another process");
const SYSTEM: SyscallAttempt = SyscallAttempt::This("to change the system");
const PRIORITY: SyscallAttempt = SyscallAttempt::This("to change priorities");
const SHARE: SyscallAttempt = SyscallAttempt::This("to make something that would outlast it");
const KERNEL: SyscallAttempt =
    SyscallAttempt::This("to use a door of the kernel that is closed here");
const OTHERS_SHARE: SyscallAttempt = SyscallAttempt::This("to use what other programs share");
const SPACE: SyscallAttempt = SyscallAttempt::This("to change its namespaces");

/// Refused prctl(2) options: to drop the parent death signal, and to hide from `/proc` where
/// that shows only inspectable processes (`hidepid`).
const REFUSED_PRCTL: [u32; 2] = [
    libc::PR_SET_PDEATHSIG.cast_unsigned(),
    libc::PR_SET_DUMPABLE.cast_unsigned(),
];

/// Refused fcntl(2) commands: to direct signals of a file's events to any process (landlock
/// prevents that only since Linux 6.12), and to delay other writers by a lease.
const REFUSED_FCNTL: [u32; 3] = [
    libc::F_SETOWN.cast_unsigned(),
    15, // F_SETOWN_EX
    libc::F_SETLEASE.cast_unsigned(),
];

/// Refused ioctl(2) requests: the same, and flags of read-only files that an owner can set:
/// FIOSETOWN, SIOCSPGRP, FS_IOC_SETFLAGS, FS_IOC_SETVERSION, FS_IOC_FSSETXATTR
/// (asm-generic/sockios.h and linux/fs.h).
const REFUSED_IOCTL: [u32; 5] = [0x8901, 0x8902, 0x4008_6602, 0x4008_7602, 0x401c_5820];

/// Calls that are always refused.
const PLAIN: &[(SyscallAttempt, &[c_long])] = &[
    (
        FILES,
        &[
            libc::SYS_fchmod,
            libc::SYS_fchmodat,
            452, // fchmodat2
            libc::SYS_fchown,
            libc::SYS_fchownat,
            libc::SYS_utimensat,
            libc::SYS_setxattr,
            libc::SYS_lsetxattr,
            libc::SYS_fsetxattr,
            libc::SYS_removexattr,
            libc::SYS_lremovexattr,
            libc::SYS_fremovexattr,
        ],
    ),
    (
        OTHERS,
        &[
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev,
            libc::SYS_process_madvise,
            448, // process_mrelease
            libc::SYS_pidfd_getfd,
            libc::SYS_kcmp,
            libc::SYS_migrate_pages,
            libc::SYS_move_pages,
        ],
    ),
    (
        SYSTEM,
        &[
            libc::SYS_mount,
            libc::SYS_umount2,
            libc::SYS_pivot_root,
            libc::SYS_chroot,
            libc::SYS_fsopen,
            libc::SYS_fsconfig,
            libc::SYS_fsmount,
            libc::SYS_fspick,
            libc::SYS_move_mount,
            libc::SYS_open_tree,
            libc::SYS_mount_setattr,
            libc::SYS_swapon,
            libc::SYS_swapoff,
            libc::SYS_reboot,
            libc::SYS_kexec_load,
            libc::SYS_init_module,
            libc::SYS_finit_module,
            libc::SYS_delete_module,
            libc::SYS_acct,
            libc::SYS_quotactl,
            443, // quotactl_fd
            libc::SYS_settimeofday,
            libc::SYS_clock_settime,
            libc::SYS_clock_adjtime,
            libc::SYS_adjtimex,
            libc::SYS_sethostname,
            libc::SYS_setdomainname,
            libc::SYS_syslog,
            libc::SYS_vhangup,
        ],
    ),
    (
        PRIORITY,
        &[
            libc::SYS_setpriority,
            libc::SYS_ioprio_set,
            libc::SYS_sched_setscheduler,
            libc::SYS_sched_setparam,
            libc::SYS_sched_setattr,
        ],
    ),
    (
        SHARE,
        &[
            libc::SYS_shmget,
            libc::SYS_semget,
            libc::SYS_msgget,
            libc::SYS_mq_open,
            libc::SYS_add_key,
            libc::SYS_request_key,
            libc::SYS_keyctl,
        ],
    ),
    // existing IPC objects are accessible by number alone
    (
        OTHERS_SHARE,
        &[
            libc::SYS_shmat,
            libc::SYS_shmctl,
            libc::SYS_semop,
            libc::SYS_semtimedop,
            libc::SYS_semctl,
            libc::SYS_msgsnd,
            libc::SYS_msgrcv,
            libc::SYS_msgctl,
            libc::SYS_mq_unlink,
        ],
    ),
    (
        KERNEL,
        &[
            libc::SYS_bpf,
            libc::SYS_perf_event_open,
            libc::SYS_userfaultfd,
            libc::SYS_fanotify_init,
            libc::SYS_name_to_handle_at,
            libc::SYS_open_by_handle_at,
            libc::SYS_bind,
            libc::SYS_connect,
            libc::SYS_listen,
        ],
    ),
    (SPACE, &[libc::SYS_unshare, libc::SYS_setns]),
];

/// Legacy calls that only some architectures have.
#[cfg(target_arch = "x86_64")]
mod legacy {
    use super::{FILES, FlagsLocation, SYSTEM, SyscallAttempt, c_long};

    pub(super) const PLAIN: &[(SyscallAttempt, &[c_long])] = &[
        (
            FILES,
            &[
                libc::SYS_chmod,
                libc::SYS_chown,
                libc::SYS_lchown,
                libc::SYS_utime,
                libc::SYS_utimes,
                libc::SYS_futimesat,
            ],
        ),
        (
            SYSTEM,
            &[
                libc::SYS_iopl,
                libc::SYS_ioperm,
                libc::SYS_modify_ldt,
                libc::SYS_kexec_file_load,
            ],
        ),
    ];

    pub(super) const START: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];

    pub(super) const PATHS: &[(c_long, SyscallAttempt)] = &[
        (
            libc::SYS_open,
            SyscallAttempt::Open(None, 0, FlagsLocation::At(1)),
        ),
        (libc::SYS_creat, SyscallAttempt::Change(None, 0)),
        (libc::SYS_unlink, SyscallAttempt::Change(None, 0)),
        (libc::SYS_rename, SyscallAttempt::Change(None, 0)),
        (libc::SYS_mkdir, SyscallAttempt::Change(None, 0)),
        (libc::SYS_rmdir, SyscallAttempt::Change(None, 0)),
        (libc::SYS_link, SyscallAttempt::Change(None, 1)),
        (libc::SYS_symlink, SyscallAttempt::Change(None, 1)),
        (libc::SYS_mknod, SyscallAttempt::Change(None, 0)),
    ];
}

#[cfg(not(target_arch = "x86_64"))]
mod legacy {
    use super::{SyscallAttempt, c_long};

    pub(super) const PLAIN: &[(SyscallAttempt, &[c_long])] = &[];
    pub(super) const START: &[c_long] = &[];
    pub(super) const PATHS: &[(c_long, SyscallAttempt)] = &[];
}

/// Calls with paths. Landlock decides about them; they are only reported.
const PATHS: &[(c_long, SyscallAttempt)] = &[
    (
        libc::SYS_openat,
        SyscallAttempt::Open(Some(0), 1, FlagsLocation::At(2)),
    ),
    (
        libc::SYS_openat2,
        SyscallAttempt::Open(Some(0), 1, FlagsLocation::Behind(2)),
    ),
    (libc::SYS_unlinkat, SyscallAttempt::Change(Some(0), 1)),
    (libc::SYS_renameat2, SyscallAttempt::Change(Some(0), 1)),
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    (libc::SYS_renameat, SyscallAttempt::Change(Some(0), 1)),
    (libc::SYS_mkdirat, SyscallAttempt::Change(Some(0), 1)),
    (libc::SYS_linkat, SyscallAttempt::Change(Some(2), 3)),
    (libc::SYS_symlinkat, SyscallAttempt::Change(Some(1), 2)),
    (libc::SYS_mknodat, SyscallAttempt::Change(Some(0), 1)),
    (libc::SYS_truncate, SyscallAttempt::Change(None, 0)),
    (libc::SYS_execve, SyscallAttempt::Run(None, 0)),
    (libc::SYS_execveat, SyscallAttempt::Run(Some(0), 1)),
];

/// Installs the filter in this process. `files` tells whether landlock is active.
pub(crate) fn install_filter(
    request: &LaunchRequest,
    files: bool,
) -> (LayerState, Option<SeccompListener>) {
    if request.mode == CageMode::Off {
        return (LayerState::Off, None);
    }
    let mut parameters = FilterParameters {
        process: std::process::id(),
        memory: request.limits.memory,
        processes: request.limits.processes > 1,
        files,
        has_listener: true,
    };
    let Some(processor) = PROCESSOR else {
        return (
            LayerState::Missing("there is no filter for this processor".into()),
            None,
        );
    };
    // only one filter of a process tree can have a listener, and old kernels support none
    if let Ok(listener) = filter_calls(&build_filter(processor, &parameters), true) {
        return (LayerState::Holds, listener);
    }
    parameters.has_listener = false;
    match filter_calls(&build_filter(processor, &parameters), false) {
        Ok(_) => (LayerState::Holds, None),
        Err(error) => (LayerState::Missing(error.to_string()), None),
    }
}

/// All rules.
pub(crate) fn rules(parameters: &FilterParameters) -> Vec<SyscallRule> {
    let rule = |call, when, error, what| SyscallRule {
        call,
        when,
        error,
        what,
    };
    let mut rules = vec![
        rule(
            libc::SYS_socket,
            RefusalCondition::Always,
            libc::EACCES,
            SyscallAttempt::Socket,
        ),
        rule(
            libc::SYS_socketpair,
            RefusalCondition::NoPair,
            libc::EACCES,
            SyscallAttempt::Socket,
        ),
        rule(
            libc::SYS_mmap,
            RefusalCondition::Large(1),
            libc::ENOMEM,
            SyscallAttempt::Memory(1),
        ),
        rule(
            libc::SYS_mremap,
            RefusalCondition::Large(2),
            libc::ENOMEM,
            SyscallAttempt::Memory(2),
        ),
        rule(
            libc::SYS_prlimit64,
            RefusalCondition::Other(0),
            libc::EPERM,
            OTHERS,
        ),
        rule(
            libc::SYS_sched_setaffinity,
            RefusalCondition::Always,
            libc::EPERM,
            SyscallAttempt::This("to change its cores"),
        ),
        rule(
            libc::SYS_prctl,
            RefusalCondition::Among(0, &REFUSED_PRCTL),
            libc::EPERM,
            SyscallAttempt::This("to loosen what ties it to its warden"),
        ),
        rule(
            libc::SYS_fcntl,
            RefusalCondition::Among(1, &REFUSED_FCNTL),
            libc::EPERM,
            SyscallAttempt::This("to have others signalled or kept waiting"),
        ),
        rule(
            libc::SYS_ioctl,
            RefusalCondition::Among(1, &REFUSED_IOCTL),
            libc::EPERM,
            SyscallAttempt::This("to change files' flags, or whom they signal"),
        ),
    ];
    let signals = [
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
    ];
    rules.extend(signals.map(|call| {
        rule(
            call,
            RefusalCondition::Other(0),
            libc::EPERM,
            SyscallAttempt::Signal,
        )
    }));
    let signal = SyscallAttempt::This("to signal another process");
    rules.push(rule(
        libc::SYS_pidfd_send_signal,
        RefusalCondition::Always,
        libc::EPERM,
        signal,
    ));
    // A filter cannot read the flags of clone3(2), which are in memory: it fails with ENOSYS,
    // and libraries fall back to clone(2). Threads are counted by the supervisor if it is
    // notified of them.
    let when = if parameters.has_listener {
        RefusalCondition::Always
    } else {
        RefusalCondition::Process
    };
    let start = [(libc::SYS_clone, when)];
    let legacy = legacy::START
        .iter()
        .map(|&call| (call, RefusalCondition::Always));
    for (call, when) in start.into_iter().chain(legacy) {
        // without a listener the supervisor counts processes afterwards
        if parameters.has_listener || !parameters.processes {
            rules.push(rule(call, when, libc::EPERM, SyscallAttempt::Start));
        }
    }
    for &(what, calls) in PLAIN.iter().chain(legacy::PLAIN) {
        rules.extend(
            calls
                .iter()
                .map(|&call| rule(call, RefusalCondition::Always, libc::EPERM, what)),
        );
    }
    if parameters.files && parameters.has_listener {
        let paths = PATHS.iter().chain(legacy::PATHS);
        rules.extend(
            paths.map(|&(call, what)| rule(call, RefusalCondition::Always, libc::EACCES, what)),
        );
    }
    rules
}

/// Calls that fail with ENOSYS and are not reported.
const UNKNOWN: [c_long; 4] = [
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

impl FilterParameters {
    /// The parameters for the supervisor, which sees every notification.
    pub(crate) fn for_supervisor(request: &LaunchRequest, process: u32) -> Self {
        Self {
            process,
            memory: request.limits.memory,
            processes: request.limits.processes > 1,
            files: true,
            has_listener: true,
        }
    }
}

/// Offsets of the call's number and the architecture in `struct seccomp_data`.
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;

/// Offset of an argument's low 32 bits; the high ones are 4 further on the little-endian
/// architectures that have a [`PROCESSOR`].
fn low_word(argument: u8) -> u32 {
    16 + 8 * u32::from(argument)
}

fn load(from: u32) -> sock_filter {
    instruction(BPF_LD | BPF_W | BPF_ABS, from, 0, 0)
}

fn ret(value: u32) -> sock_filter {
    instruction(BPF_RET | BPF_K, value, 0, 0)
}

/// Skips `yes` or `no` instructions.
fn jump(test: u32, value: u32, yes: u8, no: u8) -> sock_filter {
    instruction(BPF_JMP | test | BPF_K, value, yes, no)
}

fn instruction(code: u32, value: u32, yes: u8, no: u8) -> sock_filter {
    sock_filter {
        // codes are small
        code: code as u16,
        jt: yes,
        jf: no,
        k: value,
    }
}

fn errno_action(error: i32) -> u32 {
    SECCOMP_RET_ERRNO | error.cast_unsigned()
}

fn call_number(call: c_long) -> u32 {
    u32::try_from(call).expect("numbers of calls are small")
}

fn build_filter(processor: u32, parameters: &FilterParameters) -> Vec<sock_filter> {
    let mut program = vec![
        load(MACHINE),
        jump(BPF_JEQ, processor, 1, 0),
        ret(SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(BPF_JGT, NEWEST, 0, 1),
        ret(errno_action(libc::ENOSYS)),
    ];
    for call in UNKNOWN {
        program.push(jump(BPF_JEQ, call_number(call), 0, 1));
        program.push(ret(errno_action(libc::ENOSYS)));
    }
    for rule in rules(parameters) {
        let refuse = if parameters.has_listener {
            SECCOMP_RET_USER_NOTIF
        } else {
            errno_action(rule.error)
        };
        let body = rule_body(&rule.when, parameters, refuse);
        let length = u8::try_from(body.len()).expect("a rule is a few instructions");
        program.push(jump(BPF_JEQ, call_number(rule.call), 0, length));
        program.extend(body);
    }
    program.push(ret(SECCOMP_RET_ALLOW));
    program
}

/// The instructions of one rule; every path through them returns.
fn rule_body(
    when: &RefusalCondition,
    parameters: &FilterParameters,
    refuse: u32,
) -> Vec<sock_filter> {
    let allow = ret(SECCOMP_RET_ALLOW);
    let refuse = ret(refuse);
    match *when {
        RefusalCondition::Always => vec![refuse],
        RefusalCondition::Other(argument) => vec![
            load(low_word(argument)),
            jump(BPF_JEQ, 0, 1, 0),
            jump(BPF_JEQ, parameters.process, 0, 1),
            allow,
            refuse,
        ],
        RefusalCondition::Process => vec![
            load(low_word(0)),
            jump(BPF_JSET, libc::CLONE_THREAD.cast_unsigned(), 0, 1),
            allow,
            refuse,
        ],
        RefusalCondition::NoPair => vec![
            load(low_word(0)),
            jump(BPF_JEQ, libc::AF_UNIX.cast_unsigned(), 0, 4),
            load(low_word(1)),
            // the type argument also holds flags
            instruction(BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0),
            jump(BPF_JEQ, libc::SOCK_STREAM.cast_unsigned(), 0, 1),
            allow,
            refuse,
        ],
        RefusalCondition::Large(argument) => {
            let (high, low) = ((parameters.memory >> 32) as u32, parameters.memory as u32);
            vec![
                load(low_word(argument) + 4),
                jump(BPF_JGT, high, 4, 0),
                jump(BPF_JEQ, high, 0, 2),
                load(low_word(argument)),
                jump(BPF_JGT, low, 1, 0),
                allow,
                refuse,
            ]
        }
        RefusalCondition::Among(argument, values) => {
            let mut body = vec![load(low_word(argument))];
            for (at, &value) in values.iter().enumerate() {
                let over = values.len() - at;
                let over = u8::try_from(over).expect("a rule has a few values");
                body.push(jump(BPF_JEQ, value, over, 0));
            }
            body.extend([allow, refuse]);
            body
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: u32 = 7;
    const OURS: u32 = 4711;

    fn parameters(processes: bool, listener: bool) -> FilterParameters {
        FilterParameters {
            process: OURS,
            memory: (1 << 32) + 5,
            processes,
            files: true,
            has_listener: listener,
        }
    }

    /// A BPF interpreter for the instructions used here.
    fn decide(program: &[sock_filter], machine: u32, call: c_long, arguments: &[u64]) -> u32 {
        let mut seen = vec![call as u32, machine, 0, 0];
        for at in 0..6 {
            let argument = arguments.get(at).copied().unwrap_or(0);
            seen.extend([argument as u32, (argument >> 32) as u32]);
        }
        let (mut at, mut held) = (0, 0);
        loop {
            let step = program[at];
            let (code, value) = (u32::from(step.code), step.k);
            at += 1;
            let holds = if code == BPF_LD | BPF_W | BPF_ABS {
                held = seen[value as usize / 4];
                continue;
            } else if code == BPF_ALU | BPF_AND | BPF_K {
                held &= value;
                continue;
            } else if code == BPF_RET | BPF_K {
                return value;
            } else if code == BPF_JMP | BPF_JEQ | BPF_K {
                held == value
            } else if code == BPF_JMP | BPF_JGT | BPF_K {
                held > value
            } else {
                assert_eq!(code, BPF_JMP | BPF_JSET | BPF_K, "another instruction");
                held & value != 0
            };
            at += usize::from(if holds { step.jt } else { step.jf });
        }
    }

    #[test]
    fn the_filter_refuses_what_the_rules_say_and_nothing_else() {
        let (yes, ask) = (SECCOMP_RET_ALLOW, SECCOMP_RET_USER_NOTIF);
        let thread = libc::CLONE_THREAD as u64 | 17;
        let stream = libc::SOCK_STREAM as u64;
        let big = parameters(false, true).memory;
        let ours = u64::from(OURS);
        let rows: &[(c_long, &[u64], u32)] = &[
            (libc::SYS_read, &[], yes),
            (libc::SYS_sendmsg, &[], yes),
            (libc::SYS_exit_group, &[], yes),
            (libc::SYS_socket, &[1, 1], ask),
            (libc::SYS_socket, &[2, 1], ask),
            (libc::SYS_socketpair, &[1, stream], yes),
            (libc::SYS_socketpair, &[1, stream | 0o2_000_000], yes),
            (libc::SYS_socketpair, &[1, 2], ask),
            (libc::SYS_socketpair, &[2, stream], ask),
            (libc::SYS_clone, &[17], ask),
            (libc::SYS_clone3, &[], errno_action(libc::ENOSYS)),
            (libc::SYS_io_uring_setup, &[], errno_action(libc::ENOSYS)),
            (libc::SYS_mmap, &[0, 4096], yes),
            (libc::SYS_mmap, &[0, big - 6], yes),
            (libc::SYS_mmap, &[0, big], yes),
            (libc::SYS_mmap, &[0, big + 1], ask),
            (libc::SYS_mmap, &[0, 2 << 32], ask),
            (libc::SYS_mmap, &[0, u64::MAX], ask),
            (libc::SYS_mremap, &[0, big, 100], yes),
            (libc::SYS_mremap, &[0, 100, 100 << 30], ask),
            (libc::SYS_kill, &[ours, 9], yes),
            (libc::SYS_kill, &[0, 9], yes),
            (libc::SYS_kill, &[1, 9], ask),
            (libc::SYS_kill, &[u64::MAX, 9], ask),
            (libc::SYS_tgkill, &[ours, 9, 6], yes),
            (libc::SYS_prlimit64, &[0], yes),
            (libc::SYS_prlimit64, &[1], ask),
            (libc::SYS_prctl, &[1, 0], ask),
            (libc::SYS_prctl, &[4, 0], ask),
            (libc::SYS_prctl, &[15, 0], yes),
            (libc::SYS_fcntl, &[0, 1], yes),
            (libc::SYS_fcntl, &[0, 8, 1], ask),
            (libc::SYS_fcntl, &[0, 15], ask),
            (libc::SYS_fcntl, &[0, 1024], ask),
            (libc::SYS_fcntl, &[8, 4], yes),
            (libc::SYS_ioctl, &[0, 0x5401], yes),
            (libc::SYS_ioctl, &[0, 0x8901], ask),
            (libc::SYS_ioctl, &[0, 0x4008_6602], ask),
            (libc::SYS_ioctl, &[0, 0x401c_5820], ask),
            (libc::SYS_shmat, &[3], ask),
            (libc::SYS_semop, &[3], ask),
            (libc::SYS_msgrcv, &[3], ask),
            (libc::SYS_mq_unlink, &[], ask),
            (libc::SYS_openat, &[], ask),
            (libc::SYS_ptrace, &[], ask),
            (c_long::from(NEWEST) + 1, &[], errno_action(libc::ENOSYS)),
            (0x4000_0000, &[], errno_action(libc::ENOSYS)),
            (-1, &[], errno_action(libc::ENOSYS)),
        ];
        let program = build_filter(HERE, &parameters(false, true));
        for (call, arguments, expected) in rows {
            let got = decide(&program, HERE, *call, arguments);
            assert_eq!(got, *expected, "{call} {arguments:?}: {got:x}");
        }
        // without a listener the same is refused, and calls that would only be reported are not
        let deaf = build_filter(HERE, &parameters(false, false));
        for (call, arguments, expected) in rows {
            let got = decide(&deaf, HERE, *call, arguments);
            let listened = PATHS.iter().any(|(path, _)| path == call);
            if listened {
                assert_eq!(got, yes, "{call}");
            } else if *expected == ask {
                let error = got ^ SECCOMP_RET_ERRNO;
                assert!((1..200).contains(&error), "{call}: {got:x}");
            } else {
                assert_eq!(got, *expected, "{call}");
            }
        }
        // threads are counted only with a listener
        assert_eq!(decide(&program, HERE, libc::SYS_clone, &[thread]), ask);
        assert_eq!(decide(&deaf, HERE, libc::SYS_clone, &[thread]), yes);
        // call numbers differ between architectures
        let got = decide(&program, HERE + 1, libc::SYS_read, &[]);
        assert_eq!(got, SECCOMP_RET_KILL_PROCESS);
    }

    #[test]
    fn a_family_is_counted_by_whoever_listens() {
        let fork = [17];
        let with = |processes, listener| {
            let program = build_filter(HERE, &parameters(processes, listener));
            decide(&program, HERE, libc::SYS_clone, &fork)
        };
        assert_eq!(with(true, true), SECCOMP_RET_USER_NOTIF);
        assert_eq!(with(true, false), SECCOMP_RET_ALLOW);
        assert_eq!(with(false, false), errno_action(libc::EPERM));
    }

    #[test]
    fn no_call_has_two_rules() {
        let mut calls: Vec<_> = rules(&parameters(false, true))
            .iter()
            .map(|r| r.call)
            .collect();
        calls.extend(UNKNOWN);
        calls.sort_unstable();
        let twice = calls.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None);
        assert!(calls.iter().all(|&call| call <= c_long::from(NEWEST)));
    }
}
