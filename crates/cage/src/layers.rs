//! The layers that the child applies to itself before it executes the program: limits,
//! privileges and files. The seccomp filter is in [`syscalls`](crate::syscalls).

use crate::launch_request::LaunchRequest;
use crate::lookup::SYSTEM;
use crate::{CageMode, Layer, LayerState, ResourceLimits};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{
    CapabilitySet, capabilities, remove_capability_from_bounding_set, set_capabilities,
    set_no_new_privs,
};
use std::path::{Path, PathBuf};

/// Configuration and system information that every program may read, besides programs and
/// libraries.
const COMMON: [&str; 36] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/ld-musl-x86_64.path",
    "/etc/ld-musl-aarch64.path",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/locale.alias",
    "/etc/nsswitch.conf",
    "/etc/python2.7",
    "/etc/python3",
    "/etc/java",
    "/etc/java-8-openjdk",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
    "/etc/mono",
    "/etc/nodejs",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
    "/etc/pki/tls/openssl.cnf",
    "/etc/crypto-policies",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/cgroups",
    "/proc/filesystems",
    "/proc/sys/vm",
    "/proc/sys/kernel",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/dev/urandom",
];

/// Harmless devices.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random"];

/// Applies all layers but the seccomp filter. None with [`CageMode::Off`].
pub(crate) fn apply(request: &LaunchRequest) -> Vec<(Layer, LayerState)> {
    if request.mode == CageMode::Off {
        // only a superuser has this capability, and may lack the right to drop it for good
        let _ = drop_trace_capability();
        return Layer::ALL.map(|layer| (layer, LayerState::Off)).to_vec();
    }
    // the readable paths have to be opened before privileges are dropped
    let rules = landlock_rules(request);
    let privileges = to_state(no_new_privileges());
    let files = match rules.and_then(landlock::RulesetCreated::restrict_self) {
        Ok(status) => landlock_state(&status.landlock),
        Err(error) => LayerState::Missing(error.to_string()),
    };
    let old = to_state(drop_old_privileges());
    let privileges = if old == LayerState::Holds {
        privileges
    } else {
        old
    };
    vec![
        (Layer::Group, LayerState::Holds),
        (Layer::Limits, to_state(set_limits(&request.limits))),
        (Layer::Privileges, privileges),
        (Layer::Files, files),
    ]
}

/// The paths that a program may read, the request's own last.
pub(crate) fn readable(request: &LaunchRequest) -> impl Iterator<Item = PathBuf> {
    let common = SYSTEM.iter().chain(&COMMON).chain(&DEVICES);
    let own = request.readable.iter().chain([&request.folder]).cloned();
    common.map(PathBuf::from).chain(own)
}

/// Whether a program may write here.
pub(crate) fn writable(path: &Path) -> bool {
    DEVICES.iter().any(|device| path == Path::new(device))
}

fn to_state(done: rustix::io::Result<()>) -> LayerState {
    match done {
        Ok(()) => LayerState::Holds,
        Err(error) => LayerState::Missing(std::io::Error::from(error).to_string()),
    }
}

fn set_limits(limits: &ResourceLimits) -> rustix::io::Result<()> {
    // RLIMIT_NPROC is not used: it counts all processes of the user, and does not bind a
    // superuser.
    let mut resources = vec![
        (Resource::As, limits.memory, 0),
        (Resource::Fsize, limits.file_size, 0),
        (Resource::Nofile, u64::from(limits.files), 0),
        (Resource::Core, 0, 0),
    ];
    if let Some(time) = limits.cpu {
        // SIGXCPU at the soft limit, SIGKILL one second later
        let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
        resources.push((Resource::Cpu, seconds.max(1), 1));
    }
    for (resource, most, more) in resources {
        let ceiling = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit {
            current: Some(most.min(ceiling)),
            maximum: Some(most.saturating_add(more).min(ceiling)),
        };
        setrlimit(resource, limit)?;
    }
    Ok(())
}

fn no_new_privileges() -> rustix::io::Result<()> {
    set_no_new_privs(true)
}

/// Drops all capabilities but that to read any file: the program's folder need not be the
/// superuser's.
fn drop_old_privileges() -> rustix::io::Result<()> {
    let mut sets = capabilities(None)?;
    sets.permitted &= CapabilitySet::DAC_READ_SEARCH;
    sets.effective &= sets.permitted;
    sets.inheritable = CapabilitySet::empty();
    set_capabilities(None, sets)
}

/// Drops `CAP_SYS_PTRACE` (capabilities(7)): with it a superuser's program could stop or change
/// its supervisor by ptrace(2) before that has cleaned up. Its own children can be traced
/// without.
fn drop_trace_capability() -> rustix::io::Result<()> {
    let mut sets = capabilities(None)?;
    if !sets.permitted.contains(CapabilitySet::SYS_PTRACE) {
        return Ok(());
    }
    // else a superuser's program regains it at exec
    remove_capability_from_bounding_set(CapabilitySet::SYS_PTRACE)?;
    sets.permitted -= CapabilitySet::SYS_PTRACE;
    sets.effective -= CapabilitySet::SYS_PTRACE;
    sets.inheritable -= CapabilitySet::SYS_PTRACE;
    set_capabilities(None, sets)
}

fn landlock_rules(request: &LaunchRequest) -> Result<landlock::RulesetCreated, RulesetError> {
    let newest = ABI::V9;
    let run = AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute;
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    let own = request.readable.iter().chain([&request.folder]);
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(newest))?
        .handle_access(AccessNet::from_all(newest))?
        .scope(BitFlags::<Scope>::from(Scope::Signal) | Scope::AbstractUnixSocket)?
        .create()?
        .add_rules(path_beneath_rules(SYSTEM, run))?
        .add_rules(path_beneath_rules(own, run))?
        .add_rules(path_beneath_rules(COMMON, read))?
        .add_rules(path_beneath_rules(DEVICES, device))?;
    Ok(rules)
}

/// Before ABI 3 landlock did not restrict truncation.
fn landlock_state(status: &LandlockStatus) -> LayerState {
    match status {
        LandlockStatus::NotEnabled => LayerState::Missing("it is switched off".into()),
        LandlockStatus::NotImplemented => {
            LayerState::Missing("this kernel does not have it".into())
        }
        LandlockStatus::Available { effective_abi, .. } if *effective_abi < ABI::V3 => {
            LayerState::Missing("this kernel's is too old: Linux 6.2 or later is needed".into())
        }
        LandlockStatus::Available { .. } => LayerState::Holds,
    }
}
