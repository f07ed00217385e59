//! Which calls of the kernel a program may not make, and the filter that sees to it.
//!
//! A list of what is refused, not of what is allowed: programs in any language have to run,
//! and their libraries make calls that nobody thinks of. What is newer than this list is
//! refused as if the kernel did not know it yet, which libraries expect.
//!
//! A refused call is either answered by the filter itself or, where this machine can, by
//! the warden, which then knows what was tried. Filters are programs for a little machine
//! (`struct seccomp_data` in Linux's seccomp(2); the instructions are those of "The BSD
//! Packet Filter", McCanne and Jacobson, 1993).

use crate::arch::{SeccompListener, filter_calls};
use crate::launch_request::LaunchRequest;
use crate::{CageMode, LayerState};
use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGT, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W,
    SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_USER_NOTIF, c_long,
    sock_filter,
};

/// A call that may be refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SyscallRule {
    /// Its number.
    pub(crate) call: c_long,
    /// When.
    pub(crate) when: RefusalCondition,
    /// How it fails.
    pub(crate) error: i32,
    /// What was tried: `to open a socket`.
    pub(crate) what: SyscallAttempt,
}

/// When a call is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RefusalCondition {
    /// Always.
    Always,
    /// Unless this argument is this process, or 0, which stands for it.
    Other(u8),
    /// Unless it starts a thread: its first argument has that bit.
    Process,
    /// Unless it is a pair of streams within this machine.
    NoPair,
    /// When this argument is more than the memory that there may be.
    Large(u8),
    /// When this argument is one of these.
    Among(u8, &'static [u32]),
}

/// What a call tries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SyscallAttempt {
    /// This.
    This(&'static str),
    /// To start a process or a thread; how many there may be decides.
    Start,
    /// To signal a process; which one decides.
    Signal,
    /// To get memory: this argument is how much.
    Memory(u8),
    /// To open a socket: the first argument is its family.
    Socket,
    /// To open a file: the folder's argument if it has one, the path's, and the flags'.
    Open(Option<u8>, u8, FlagsLocation),
    /// To change a file: the folder's argument if it has one, and the path's.
    Change(Option<u8>, u8),
    /// To run a file: the folder's argument if it has one, and the path's.
    Run(Option<u8>, u8),
}

/// Where a call has its flags.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FlagsLocation {
    /// In this argument.
    At(u8),
    /// In the first eight bytes of what this argument points to.
    Behind(u8),
}

/// What is asked of the filter besides refusing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FilterParameters {
    /// The process that it is for.
    process: u32,
    memory: u64,
    /// Whether the program may have more than one process.
    processes: bool,
    /// Whether landlock keeps the program from files, so that their names are worth asking.
    files: bool,
    /// Whether somebody answers for the filter.
    ear: bool,
}

/// The kernel's name of this machine's processor (linux/audit.h).
#[cfg(target_arch = "x86_64")]
const PROCESSOR: Option<u32> = Some(0xc000_003e);
#[cfg(target_arch = "aarch64")]
const PROCESSOR: Option<u32> = Some(0xc000_00b7);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const PROCESSOR: Option<u32> = None;

/// The newest call that was looked at for this list: mseal, of Linux 6.10. Beyond lie also
/// the numbers that x86's calls have a second time, for another size of pointers.
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

/// What a process may not ask for itself: not to be told when its warden is gone, and not to
/// be seen in `/proc` where that shows each person only what they may look into (`hidepid`).
const WISHES: [u32; 2] = [
    libc::PR_SET_PDEATHSIG.cast_unsigned(),
    libc::PR_SET_DUMPABLE.cast_unsigned(),
];

/// What may not be asked of an open file: that a signal of any kind goes to any process when
/// something happens to it (landlock hinders that since Linux 6.12 only), or that others wait
/// before they write to it. Linux, fcntl(2).
const HOLDS: [u32; 3] = [
    libc::F_SETOWN.cast_unsigned(),
    15, // F_SETOWN_EX
    libc::F_SETLEASE.cast_unsigned(),
];

/// The same by the other door, and marks on files that may only be read, which an owner can
/// set: FIOSETOWN, SIOCSPGRP, FS_IOC_SETFLAGS, FS_IOC_SETVERSION, FS_IOC_FSSETXATTR
/// (asm-generic/sockios.h and linux/fs.h).
const CONTROLS: [u32; 5] = [0x8901, 0x8902, 0x4008_6602, 0x4008_7602, 0x401c_5820];

/// The rules in words that never depend on the cage.
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
    // what somebody else has made can be had by number alone
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

/// The older ways of some calls, which only some processors have.
#[cfg(target_arch = "x86_64")]
mod older {
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
mod older {
    use super::{SyscallAttempt, c_long};

    pub(super) const PLAIN: &[(SyscallAttempt, &[c_long])] = &[];
    pub(super) const START: &[c_long] = &[];
    pub(super) const PATHS: &[(c_long, SyscallAttempt)] = &[];
}

/// Calls with names of files. Landlock decides about them; they are only listened to.
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

/// Lays the filter on this process. `files` tells whether landlock holds.
pub(crate) fn lay(order: &LaunchRequest, files: bool) -> (LayerState, Option<SeccompListener>) {
    if order.mode == CageMode::Off {
        return (LayerState::Off, None);
    }
    let mut terms = FilterParameters {
        process: std::process::id(),
        memory: order.bounds.memory,
        processes: order.bounds.processes > 1,
        files,
        ear: true,
    };
    let Some(processor) = PROCESSOR else {
        return (
            LayerState::Missing("there is no filter for this processor".into()),
            None,
        );
    };
    // only one in a family of processes can have an ear, and old kernels have none
    if let Ok(ear) = filter_calls(&filter(processor, &terms), true) {
        return (LayerState::Holds, ear);
    }
    terms.ear = false;
    match filter_calls(&filter(processor, &terms), false) {
        Ok(_) => (LayerState::Holds, None),
        Err(error) => (LayerState::Missing(error.to_string()), None),
    }
}

/// All that is refused or listened to.
pub(crate) fn rules(terms: &FilterParameters) -> Vec<SyscallRule> {
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
            RefusalCondition::Among(0, &WISHES),
            libc::EPERM,
            SyscallAttempt::This("to loosen what ties it to its warden"),
        ),
        rule(
            libc::SYS_fcntl,
            RefusalCondition::Among(1, &HOLDS),
            libc::EPERM,
            SyscallAttempt::This("to have others signalled or kept waiting"),
        ),
        rule(
            libc::SYS_ioctl,
            RefusalCondition::Among(1, &CONTROLS),
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
    // What a thread is started with lies where a filter cannot look; libraries then take
    // the older call.
    // Threads are counted by the warden, if it hears of them.
    let when = if terms.ear {
        RefusalCondition::Always
    } else {
        RefusalCondition::Process
    };
    let start = [(libc::SYS_clone, when)];
    let older = older::START
        .iter()
        .map(|&call| (call, RefusalCondition::Always));
    for (call, when) in start.into_iter().chain(older) {
        // without an ear the warden counts them afterwards
        if terms.ear || !terms.processes {
            rules.push(rule(call, when, libc::EPERM, SyscallAttempt::Start));
        }
    }
    for &(what, calls) in PLAIN.iter().chain(older::PLAIN) {
        rules.extend(
            calls
                .iter()
                .map(|&call| rule(call, RefusalCondition::Always, libc::EPERM, what)),
        );
    }
    if terms.files && terms.ear {
        let paths = PATHS.iter().chain(older::PATHS);
        rules.extend(
            paths.map(|&(call, what)| rule(call, RefusalCondition::Always, libc::EACCES, what)),
        );
    }
    rules
}

/// Calls that fail as if the kernel did not have them, without a word.
const UNKNOWN: [c_long; 4] = [
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

impl FilterParameters {
    /// Those under which the warden knows what it hears.
    pub(crate) fn of_warden(order: &LaunchRequest, process: u32) -> Self {
        Self {
            process,
            memory: order.bounds.memory,
            processes: order.bounds.processes > 1,
            files: true,
            ear: true,
        }
    }
}

/// Where the call's number is in what a filter sees, and the machine's name.
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;

/// Where the lower half of an argument is; the upper one is 4 further, on the machines that
/// have a [`PROCESSOR`].
fn lower(argument: u8) -> u32 {
    16 + 8 * u32::from(argument)
}

fn load(from: u32) -> sock_filter {
    instruction(BPF_LD | BPF_W | BPF_ABS, from, 0, 0)
}

fn give(value: u32) -> sock_filter {
    instruction(BPF_RET | BPF_K, value, 0, 0)
}

/// Goes on `yes` or `no` instructions further.
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

fn fail(error: i32) -> u32 {
    SECCOMP_RET_ERRNO | error.cast_unsigned()
}

fn number(call: c_long) -> u32 {
    u32::try_from(call).expect("numbers of calls are small")
}

fn filter(processor: u32, terms: &FilterParameters) -> Vec<sock_filter> {
    let mut program = vec![
        load(MACHINE),
        jump(BPF_JEQ, processor, 1, 0),
        give(SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(BPF_JGT, NEWEST, 0, 1),
        give(fail(libc::ENOSYS)),
    ];
    for call in UNKNOWN {
        program.push(jump(BPF_JEQ, number(call), 0, 1));
        program.push(give(fail(libc::ENOSYS)));
    }
    for rule in rules(terms) {
        let refuse = if terms.ear {
            SECCOMP_RET_USER_NOTIF
        } else {
            fail(rule.error)
        };
        let body = body(&rule.when, terms, refuse);
        let length = u8::try_from(body.len()).expect("a rule is a few instructions");
        program.push(jump(BPF_JEQ, number(rule.call), 0, length));
        program.extend(body);
    }
    program.push(give(SECCOMP_RET_ALLOW));
    program
}

/// What is done once the call is known; every way through it gives something.
fn body(when: &RefusalCondition, terms: &FilterParameters, refuse: u32) -> Vec<sock_filter> {
    let allow = give(SECCOMP_RET_ALLOW);
    let refuse = give(refuse);
    match *when {
        RefusalCondition::Always => vec![refuse],
        RefusalCondition::Other(argument) => vec![
            load(lower(argument)),
            jump(BPF_JEQ, 0, 1, 0),
            jump(BPF_JEQ, terms.process, 0, 1),
            allow,
            refuse,
        ],
        RefusalCondition::Process => vec![
            load(lower(0)),
            jump(BPF_JSET, libc::CLONE_THREAD.cast_unsigned(), 0, 1),
            allow,
            refuse,
        ],
        RefusalCondition::NoPair => vec![
            load(lower(0)),
            jump(BPF_JEQ, libc::AF_UNIX.cast_unsigned(), 0, 4),
            load(lower(1)),
            // beside the kind there are flags
            instruction(BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0),
            jump(BPF_JEQ, libc::SOCK_STREAM.cast_unsigned(), 0, 1),
            allow,
            refuse,
        ],
        RefusalCondition::Large(argument) => {
            let (high, low) = ((terms.memory >> 32) as u32, terms.memory as u32);
            vec![
                load(lower(argument) + 4),
                jump(BPF_JGT, high, 4, 0),
                jump(BPF_JEQ, high, 0, 2),
                load(lower(argument)),
                jump(BPF_JGT, low, 1, 0),
                allow,
                refuse,
            ]
        }
        RefusalCondition::Among(argument, values) => {
            let mut body = vec![load(lower(argument))];
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

    fn terms(processes: bool, ear: bool) -> FilterParameters {
        FilterParameters {
            process: OURS,
            memory: (1 << 32) + 5,
            processes,
            files: true,
            ear,
        }
    }

    /// The little machine, as far as our programs use it.
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
        let big = terms(false, true).memory;
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
            (libc::SYS_clone3, &[], fail(libc::ENOSYS)),
            (libc::SYS_io_uring_setup, &[], fail(libc::ENOSYS)),
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
            (c_long::from(NEWEST) + 1, &[], fail(libc::ENOSYS)),
            (0x4000_0000, &[], fail(libc::ENOSYS)),
            (-1, &[], fail(libc::ENOSYS)),
        ];
        let program = filter(HERE, &terms(false, true));
        for (call, arguments, expected) in rows {
            let got = decide(&program, HERE, *call, arguments);
            assert_eq!(got, *expected, "{call} {arguments:?}: {got:x}");
        }
        // without an ear the same is refused, and what would only be listened to is not
        let deaf = filter(HERE, &terms(false, false));
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
        // threads are counted where somebody can
        assert_eq!(decide(&program, HERE, libc::SYS_clone, &[thread]), ask);
        assert_eq!(decide(&deaf, HERE, libc::SYS_clone, &[thread]), yes);
        // other machines' calls have other numbers
        let got = decide(&program, HERE + 1, libc::SYS_read, &[]);
        assert_eq!(got, SECCOMP_RET_KILL_PROCESS);
    }

    #[test]
    fn a_family_is_counted_by_whoever_listens() {
        let fork = [17];
        let with = |processes, ear| {
            let program = filter(HERE, &terms(processes, ear));
            decide(&program, HERE, libc::SYS_clone, &fork)
        };
        assert_eq!(with(true, true), SECCOMP_RET_USER_NOTIF);
        assert_eq!(with(true, false), SECCOMP_RET_ALLOW);
        assert_eq!(with(false, false), fail(libc::EPERM));
    }

    #[test]
    fn no_call_has_two_rules() {
        let mut calls: Vec<_> = rules(&terms(false, true)).iter().map(|r| r.call).collect();
        calls.extend(UNKNOWN);
        calls.sort_unstable();
        let twice = calls.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None);
        assert!(calls.iter().all(|&call| call <= c_long::from(NEWEST)));
    }
}
