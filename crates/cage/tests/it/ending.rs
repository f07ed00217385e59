//! However it ends, nothing is left.

use crate::harness::*;
use cage::{CageMode, ExitCause, ResourceLimits};
use prerequisite::{Prerequisite, missing};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn family(processes: u32) -> ResourceLimits {
    ResourceLimits {
        processes,
        ..ResourceLimits::default()
    }
}

/// The numbers in a line.
fn numbers(line: &str) -> Vec<u32> {
    let numbers: Vec<u32> = line
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    assert!(!numbers.is_empty(), "{line}");
    numbers
}

#[test]
fn what_does_not_end_is_ended() {
    let folder = ScratchFolder::new("hang");
    for mode in [CageMode::Best, CageMode::Off] {
        let cage = cage(mode, ResourceLimits::default());
        let caged = cage.start(&program(&folder, &["hang"])).expect("it runs");
        let id = caged.id();
        let ended = caged.end(Duration::from_millis(10));
        assert_eq!(
            (ended.cause, ended.killed_descendants),
            (ExitCause::Killed, 0)
        );
        assert!(!lives(id));
        // a script that does not want to
        let words = ["-c", "trap '' TERM HUP INT; echo on; while :; do :; done"];
        let caged = cage.start(&other(&folder, "sh", &words)).expect("it runs");
        assert_eq!(line(caged.stdout()), "on\n");
        assert_eq!(caged.end(Duration::ZERO).cause, ExitCause::Killed);
        // one that is dropped
        let caged = cage.start(&program(&folder, &["hang"])).expect("it runs");
        let id = caged.id();
        drop(caged);
        assert!(!lives(id));
    }
}

#[test]
fn what_is_left_behind_is_ended() {
    let folder = ScratchFolder::new("daemon");
    for mode in [CageMode::Best, CageMode::Off] {
        let cage = cage(mode, family(8));
        let told = run(&cage, &program(&folder, &["daemon"])).expect("it runs");
        assert_eq!(
            (told.ended.cause, told.ended.killed_descendants),
            (ExitCause::Code(0), 2),
            "{told:?}"
        );
        let left = numbers(&told.output);
        assert_eq!(left.len(), 2);
        assert!(!left.iter().any(|&id| lives(id)));
    }
}

#[test]
fn nothing_outlives_an_arena_that_is_killed() {
    for mode in ["best", "off"] {
        let mut arena = Command::new(test_child())
            .args(["arena", mode])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut line = String::new();
        let output = arena.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let family = numbers(&line);
        assert_eq!(family.len(), 3, "{line}");
        let arena_id = Pid::from_child(&arena);
        let supervisor = parent(family[0]);
        assert_eq!(parent(supervisor), arena.id());
        assert!(family.iter().all(|&id| lives(id)));
        kill_process(arena_id, Signal::KILL).expect("ours");
        arena.wait().expect("ours");
        for id in family.into_iter().chain([supervisor]) {
            until("all are gone", || !lives(id));
        }
    }
}

fn parent(id: u32) -> u32 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it lives");
    let (_, rest) = stat.rsplit_once(") ").expect("as always");
    let parent = rest.split(' ').nth(1).expect("as always");
    parent.parse().expect("a number")
}

/// What this process has open, and which children.
fn belongings() -> (usize, usize) {
    let files = std::fs::read_dir("/proc/self/fd").expect("ours").count();
    let tasks = std::fs::read_dir("/proc/self/task").expect("ours");
    let children = tasks.flatten().map(|task| {
        let text = std::fs::read_to_string(task.path().join("children"));
        text.unwrap_or_default().split_whitespace().count()
    });
    (files, children.sum())
}

/// Other tests start programs meanwhile, so this runs in a process of its own.
#[test]
fn a_thousand_programs_leave_nothing() {
    if std::env::var_os("GRIDPAPER_THOUSAND").is_none() {
        let again = std::env::current_exe().expect("this test");
        let output = Command::new(again)
            .args(["--exact", "ending::a_thousand_programs_leave_nothing"])
            .args(["--nocapture"])
            .env("GRIDPAPER_THOUSAND", "1")
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr);
        eprint!("{text}");
        assert!(output.status.success(), "{text}");
        return;
    }
    let folder = ScratchFolder::new("thousand-times");
    let cage = cage(CageMode::Best, ResourceLimits::default());
    let once = || {
        let caged = cage.start(&program(&folder, &["echo"])).expect("it runs");
        let id = caged.id();
        assert_eq!(caged.end(TIMEOUT).cause, ExitCause::Code(0));
        assert!(!lives(id));
    };
    once();
    let before = belongings();
    for _ in 0..1000 {
        once();
    }
    assert_eq!(belongings(), before);
}

#[test]
fn two_that_start_at_once_share_nothing() {
    let folder = ScratchFolder::new("two");
    let cage = cage(CageMode::Best, ResourceLimits::default());
    let listing = || {
        let mut all = Vec::new();
        for _ in 0..25 {
            let told = run(&cage, &program(&folder, &["files"])).expect("it runs");
            all.push(told.output);
        }
        all
    };
    let all: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(listing)).collect();
        let all = threads.into_iter();
        all.flat_map(|t| t.join().expect("no test failed"))
            .collect()
    });
    for files in all {
        assert_eq!(files.split_whitespace().count(), 4, "{files}");
    }
}

/// Its first thread ends, and so it looks as if it had; another one goes on.
const HEADLESS: &str = "
import ctypes, os, platform, threading, time
call = {'x86_64': 60, 'aarch64': 93}[platform.machine()]
first = os.fork()
if first == 0:
    os.setsid()
    threading.Thread(target=time.sleep, args=(1000,)).start()
    ctypes.CDLL(None).syscall(call, 0)
print(first, flush=True)
time.sleep(1000)
";

#[test]
fn a_process_without_its_first_thread_is_ended_too() {
    if !Path::new("/usr/bin/python3").exists() {
        return missing(Prerequisite::Python3, "there is no /usr/bin/python3");
    }
    let folder = ScratchFolder::new("headless");
    for mode in [CageMode::Best, CageMode::Off] {
        let cage = cage(mode, family(2));
        let python = other(&folder, "/usr/bin/python3", &["-c", HEADLESS]);
        let caged = cage.start(&python).expect("it runs");
        let child = numbers(&line(caged.stdout()))[0];
        until("the first thread has ended", || !lives(child));
        // it would be there for a quarter of an hour: that is not waited for
        let ended = caged.end(Duration::ZERO);
        let is_there = Path::new(&format!("/proc/{child}")).exists();
        if is_there {
            let child = i32::try_from(child).ok().and_then(Pid::from_raw);
            let _ = kill_process(child.expect("a process"), Signal::KILL);
        }
        assert!(!is_there, "{mode}: it went on");
        assert_eq!(
            (ended.cause, ended.killed_descendants),
            (ExitCause::Killed, 1),
            "{mode}"
        );
    }
}
