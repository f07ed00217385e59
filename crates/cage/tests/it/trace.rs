//! Programs that look into other processes, on machines that lack a layer or two.

use crate::harness::*;
use cage::{CageMode, ExitCause, Layer, ResourceLimits};
use prerequisite::{Prerequisite, missing};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Tries each way into the processes that its arguments name (`parent`, `child`, a number), and
/// prints a line for each: the process, the call, and `done` or the error's name.
const TRACER: &str = r#"
import ctypes, errno, os, platform, signal, sys
NUMBERS = {
    'x86_64': dict(ptrace=101, readv=310, writev=311, kcmp=312, perf=298),
    'aarch64': dict(ptrace=117, readv=270, writev=271, kcmp=272, perf=241),
}[platform.machine()]
NUMBERS.update(open=434, getfd=438, madvise=440)
library = ctypes.CDLL(None, use_errno=True)
library.syscall.restype = ctypes.c_long

def call(name, *arguments):
    ctypes.set_errno(0)
    words = [ctypes.c_long(NUMBERS[name])]
    words += [a if not isinstance(a, int) else ctypes.c_long(a) for a in arguments]
    return library.syscall(*words)

class Segment(ctypes.Structure):
    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]

memory = ctypes.create_string_buffer(8192)
here = ctypes.create_string_buffer(8)
own = ctypes.byref(Segment(ctypes.addressof(here), 8))
far = ctypes.byref(Segment(ctypes.addressof(memory), 8))
# a software clock of that process, in `struct perf_event_attr`
clock = ctypes.create_string_buffer(b'\x01\0\0\0\x40\0\0\0' + bytes(120), 128)

def child():
    number = os.fork()
    if number == 0:
        while True:
            signal.pause()
    return number

for name in sys.argv[1:]:
    process = {'parent': os.getppid, 'child': child}.get(name, lambda: int(name))()
    handle = call('open', process, 0)
    ways = {
        'process_vm_readv': lambda: call('readv', process, own, 1, far, 1, 0),
        'process_vm_writev': lambda: call('writev', process, own, 1, far, 1, 0),
        'pidfd_getfd': lambda: call('getfd', handle, 0, 0),
        'process_madvise': lambda: call('madvise', handle, far, 1, 20, 0),
        'kcmp': lambda: call('kcmp', os.getpid(), process, 1, 0, 0),
        'perf_event_open': lambda: call('perf', clock, process, -1, -1, 0),
        # last: what it has stopped answers no more
        'ptrace': lambda: call('ptrace', 16, process, 0, 0),
    }
    for way, attempt in ways.items():
        outcome = 'done' if attempt() >= 0 else errno.errorcode[ctypes.get_errno()]
        print(name, way, outcome, flush=True)
    if name == 'child':
        os.kill(process, signal.SIGKILL)
"#;

/// Becomes the program of its second argument on, in a kernel that lacks what its first names:
/// `landlock`, `seccomp`, and `listener`, which is seccomp's notification alone. (A filter makes
/// those calls fail as a kernel without them does.)
const WITHOUT: &str = r#"
import ctypes, errno, os, platform, struct, sys
seccomp = {'x86_64': 317, 'aarch64': 277}[platform.machine()]
lacks = sys.argv[1].split(',')
load = lambda at: struct.pack('HBBI', 0x20, 0, 0, at)
equal = lambda value, over: struct.pack('HBBI', 0x15, 0, over, value)
has = lambda bits, over: struct.pack('HBBI', 0x45, 0, over, bits)
give = lambda value: struct.pack('HBBI', 0x06, 0, 0, value)
fail = lambda error: give(0x00050000 | error)
program = [load(0)]
if 'landlock' in lacks:
    program += [equal(444, 1), fail(errno.ENOSYS)]
if 'seccomp' in lacks:
    program += [equal(seccomp, 1), fail(errno.EINVAL)]
if 'listener' in lacks:
    # the lower half of the second argument: the flags
    program += [equal(seccomp, 3), load(24), has(8, 1), fail(errno.EINVAL)]
program += [give(0x7fff0000)]
text = ctypes.create_string_buffer(b''.join(program))
filters = struct.pack('HxxxxxxQ', len(program), ctypes.addressof(text))
library = ctypes.CDLL(None, use_errno=True)
assert library.prctl(38, 1, 0, 0, 0) == 0, 'no new privileges'
assert library.prctl(22, 2, ctypes.c_char_p(filters), 0, 0) == 0, 'filter'
os.execv(sys.argv[2], sys.argv[2:])
"#;

const PYTHON: &str = "/usr/bin/python3";

/// What a program that looks into others prints, in a cage of this mode on a machine that lacks
/// these.
fn traced(lacks: &str, mode: &str, targets: &[&str]) -> String {
    let output = Command::new(PYTHON)
        .args(["-c", WITHOUT, lacks])
        .arg(test_child())
        .args(["within", mode, PYTHON, "-c", TRACER])
        .args(targets)
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{lacks} {mode}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn has_python() -> bool {
    let is_there = Path::new(PYTHON).exists();
    if !is_there {
        missing(Prerequisite::Python3, format!("there is no {PYTHON}"));
    }
    is_there
}

/// The ways of [`TRACER`] that need no more than the same user.
const WAYS: [&str; 5] = [
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_getfd",
    "kcmp",
    "ptrace",
];

/// Whether a line of [`TRACER`]'s says that it may not. Another error would say that it may,
/// and that something else was wrong.
fn is_refused(line: &str) -> bool {
    ["EPERM", "EACCES"]
        .iter()
        .any(|error| line.ends_with(error))
}

#[test]
fn every_way_into_a_process_is_one() {
    if !has_python() {
        return;
    }
    // what this program may look into it does: elsewhere a refusal is one
    let told = traced("", "off", &["child"]);
    for way in WAYS {
        assert!(told.contains(&format!("child {way} done\n")), "{told}");
    }
}

#[test]
fn a_program_in_any_cage_looks_into_nobody() {
    if !has_python() {
        return;
    }
    let us = std::process::id().to_string();
    for lacks in [
        "",
        "listener",
        "landlock",
        "landlock,listener",
        "seccomp",
        "landlock,seccomp",
    ] {
        for mode in ["strict", "best"] {
            let told = traced(lacks, mode, &["parent", &us]);
            let what = format!("{mode} without `{lacks}`:\n{told}");
            // it depends on the machine too whether a program is started, see below
            let is_started = !told.starts_with("not started: the cage lacks ");
            let attempts = told.lines().filter(|line| is_refused(line)).count();
            assert_eq!(attempts, if is_started { 14 } else { 0 }, "{what}");
            let has_both = told.contains("landlock: holds") && told.contains("seccomp: holds");
            if lacks.is_empty() && !has_both {
                missing(Prerequisite::Cage, what.clone());
            }
            let may_start = match mode {
                "strict" => !lacks.contains("landlock") && !lacks.contains("seccomp"),
                _ => lacks != "landlock,seccomp",
            };
            assert!(may_start || !is_started, "{what}");
        }
    }
    // nothing is called a cage there, and so it runs
    let told = traced("landlock,seccomp", "off", &["child"]);
    assert!(told.contains("child ptrace done\n"), "{told}");
}

#[test]
fn a_program_without_a_cage_does_not_look_into_its_supervisor() {
    if !has_python() {
        return;
    }
    let folder = ScratchFolder::new("supervisor-trace");
    let told = run(
        &cage(CageMode::Off, ResourceLimits::default()),
        &other(&folder, PYTHON, &["-c", TRACER, "parent"]),
    )
    .expect("it runs");
    assert_eq!(told.output.lines().count(), 7, "{told:?}");
    for line in told.output.lines() {
        let needs_no_more = WAYS.iter().any(|way| line.contains(way));
        assert!(is_refused(line) || !needs_no_more, "{told:?}");
    }
}

/// Leaves a daemon, and then does to its supervisor what its argument says.
const DAEMON: &str = r#"
import ctypes, os, signal, sys, time
first = os.fork()
if first == 0:
    os.setsid()
    os.closerange(0, 3)
    daemon = os.fork()
    if daemon:
        os._exit(0)
    time.sleep(1000)
os.waitpid(first, 0)
if sys.argv[1] == 'trace':
    ctypes.CDLL(None).ptrace(16, os.getppid(), None, None)
else:
    os.kill(os.getppid(), signal.SIGSTOP)
print('done', flush=True)
time.sleep(1000)
"#;

/// The children of a process, however far below it.
fn below(process: u32) -> Vec<u32> {
    let path = format!("/proc/{process}/task/{process}/children");
    let children = std::fs::read_to_string(path).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|id| id.parse().ok());
    children
        .flat_map(|id| [vec![id], below(id)].concat())
        .collect()
}

/// Issue 28: a bot that attached to its supervisor outlived the game.
#[test]
fn a_supervisor_that_is_held_up_leaves_nothing() {
    if !has_python() {
        return;
    }
    let folder = ScratchFolder::new("held");
    for way in ["trace", "stop"] {
        let cage = cage(CageMode::Off, ResourceLimits::default());
        let program = other(&folder, PYTHON, &["-c", DAEMON, way]);
        let caged = cage.start(&program).expect("it runs");
        assert_eq!(line(caged.stdout()), "done\n");
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", caged.id()));
        let stat = stat.expect("it lives");
        let (_, rest) = stat.rsplit_once(") ").expect("as always");
        let supervisor = rest.split(' ').nth(1).expect("as always");
        let all = below(supervisor.parse().expect("a number"));
        assert_eq!(all.len(), 2, "the bot and its daemon: {all:?}");
        let ended = caged.end(Duration::ZERO);
        let left: Vec<_> = all.iter().filter(|&&id| lives(id)).collect();
        for &&id in &left {
            let id = i32::try_from(id)
                .ok()
                .and_then(rustix::process::Pid::from_raw);
            let kill = rustix::process::Signal::KILL;
            let _ = rustix::process::kill_process(id.expect("a process"), kill);
        }
        assert!(left.is_empty(), "{way}: {left:?} outlived the game");
        assert_eq!(ended.cause, ExitCause::Killed, "{way}");
    }
}

#[test]
fn a_cage_that_keeps_nobody_out_is_none() {
    if !has_python() {
        return;
    }
    let told = traced("landlock,seccomp", "best", &["parent"]);
    let expected = format!("not started: the cage lacks {}: ", Layer::Calls);
    assert!(told.starts_with(&expected), "{told}");
}
