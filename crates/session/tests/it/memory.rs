//! What a session says that it holds is what an allocator counts, and no command passes what
//! was allowed.

use cap::Cap;
use session::file_access::FileAccess;
use session::{Command, Session, Viewer};
use std::alloc::System;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Says which case a process measures.
const CASE: &str = "GRIDPAPER_COUNTED_CASE";

const MIB: u64 = 1 << 20;

/// What the count is held against.
#[derive(Clone, Copy, PartialEq)]
enum MemoryMeasure {
    /// What was allocated.
    Allocator,
    /// The memory that is there for the process: hashing maps tables of its own, and reserves
    /// more of them than it uses.
    Resident,
    /// Nothing: it is looked at how much there was at most.
    Nothing,
}

/// Commands, and what must be true of the count.
const CASES: [(&[&str], MemoryMeasure); 8] = [
    (
        &["engine naive", "anyway soup 900x900 0.4"],
        MemoryMeasure::Allocator,
    ),
    (
        &["engine hashlife", "anyway soup 1000x1000 0.4", "step 20000"],
        MemoryMeasure::Resident,
    ),
    (
        &[
            "engine hashlife",
            "rule 345/2/4",
            "anyway soup 300x300 0.2",
            "step 2500",
        ],
        MemoryMeasure::Resident,
    ),
    (
        &["engine tiles", "anyway soup 6000x5000 0.02", "step 8"],
        MemoryMeasure::Allocator,
    ),
    (
        &[
            "engine tiles",
            "rule 345/2/4",
            "anyway soup 2500x2500 0.1",
            "step 3",
        ],
        MemoryMeasure::Allocator,
    ),
    (
        &[
            "anyway rule B3/S23:T16384,16384",
            "engine torus",
            "anyway soup 300x300 0.4",
            "step 1",
        ],
        MemoryMeasure::Allocator,
    ),
    (
        &[
            "anyway rule R21,C3,M1,S390..700,B400..600,NM:T4096,4096",
            "engine torus",
            "draw 1 0,0 90,0",
        ],
        MemoryMeasure::Allocator,
    ),
    (
        &[
            "anyway soup 300x300 0.4",
            "engine naive",
            "paste -2147483648,65535 or 2000000o$2000000o!",
            "hyper on",
            "step 65",
            "run",
            "stop",
            "paste 0,0 or 2000000o$2000000o!",
            "engine tiles",
            "step 4",
            "undo",
            "undo",
        ],
        MemoryMeasure::Nothing,
    ),
];

/// Bytes in memory of all that has neither a file nor a name: mapped tables, and what is
/// allocated in large pieces.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let (mut is_nameless, mut bytes) = (false, 0);
    for line in text.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["Rss:", kib, _] if is_nameless => bytes += kib.parse::<u64>().unwrap() << 10,
            [first, ..] if !first.ends_with(':') => is_nameless = words.len() == 5,
            _ => {}
        }
    }
    bytes
}

/// The other side of [`what_is_held_is_what_is_counted`].
#[test]
fn one_case_is_measured() {
    let Ok(case) = std::env::var(CASE) else {
        return;
    };
    let (commands, by) = CASES[case.parse::<usize>().unwrap()];
    let (before, resident_before) = (ALLOCATOR.allocated() as u64, resident());
    let mut file_access = FileAccess::default();
    file_access.limits.memory = 256 * MIB;
    let mut session = Session::new(file_access, 1);
    let mut viewer = Viewer::new(64, 48);
    for text in commands {
        let command: Command = text.parse().unwrap();
        // what is refused for want of memory is what this is about
        let _ = session.apply(&mut viewer, &command);
        if by == MemoryMeasure::Resident {
            session.finish_going();
        }
        for _ in 0..20 {
            let mut left = 20;
            session.tick(Duration::from_millis(12), &mut || {
                left -= 1;
                left > 0
            });
        }
    }
    let held = ALLOCATOR.allocated() as u64 - before;
    let peak = ALLOCATOR.max_allocated();
    let resident = resident() - resident_before;
    let said = session.bytes();
    println!("held {held} resident {resident} said {said} peak {peak}");
}

#[test]
fn what_is_held_is_what_is_counted() {
    for (number, (commands, by)) in CASES.iter().enumerate() {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "memory::one_case_is_measured", "--nocapture"]);
        // what is freed in large pieces is given back at once
        command.env("MALLOC_MMAP_THRESHOLD_", "65536");
        let output = command.env(CASE, number.to_string()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{commands:?}: {text}");
        let told = text.lines().find_map(|line| line.split_once("held "));
        let words = told.unwrap().1.split(' ').filter_map(|w| w.parse().ok());
        let [allocated, resident, said, peak] = words.collect::<Vec<u64>>()[..] else {
            panic!("{commands:?}: {text}");
        };
        println!("{commands:?}: {text}");
        assert!(peak <= 256 * MIB, "{commands:?}: {} MiB", peak / MIB);
        let held = match by {
            MemoryMeasure::Allocator => allocated,
            MemoryMeasure::Resident => resident,
            MemoryMeasure::Nothing => continue,
        };
        let is_near = held * 5 <= said * 6 && said * 5 <= held * 6;
        assert!(is_near, "{commands:?}: {held} held, {said} said");
    }
}
