//! What a session says that it holds is what an allocator counts, and no command passes what
//! was allowed.

use cap::Cap;
use session::desk::Desk;
use session::{Command, Session, Viewer};
use std::alloc::System;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Says which case a process measures.
const CASE: &str = "GRIDPAPER_COUNTED_CASE";

const MIB: u64 = 1 << 20;

/// Commands, and whether the count must be true: what hashing reserves is not all in use.
const CASES: [(&[&str], bool); 6] = [
    (&["engine naive", "anyway soup 900x900 0.4"], true),
    (
        &["engine tiles", "anyway soup 6000x5000 0.02", "step 8"],
        true,
    ),
    (
        &[
            "engine tiles",
            "rule 345/2/4",
            "anyway soup 2500x2500 0.1",
            "step 3",
        ],
        true,
    ),
    (
        &[
            "anyway rule B3/S23:T16384,16384",
            "engine torus",
            "anyway soup 300x300 0.4",
            "step 1",
        ],
        true,
    ),
    (
        &[
            "anyway rule R21,C3,M1,S390..700,B400..600,NM:T4096,4096",
            "engine torus",
            "draw 1 0,0 90,0",
        ],
        true,
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
        false,
    ),
];

/// The other side of [`what_is_held_is_what_is_counted`].
#[test]
fn one_case_is_measured() {
    let Ok(case) = std::env::var(CASE) else {
        return;
    };
    let (commands, _) = CASES[case.parse::<usize>().unwrap()];
    let before = ALLOCATOR.allocated() as u64;
    let mut desk = Desk::default();
    desk.limits.memory = 256 * MIB;
    let mut session = Session::new(desk, 1);
    let mut viewer = Viewer::new(64, 48);
    for text in commands {
        let command: Command = text.parse().unwrap();
        // what is refused for want of memory is what this is about
        let _ = session.apply(&mut viewer, &command);
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
    println!("held {held} said {} peak {peak}", session.bytes());
}

#[test]
fn what_is_held_is_what_is_counted() {
    for (number, (commands, is_true)) in CASES.iter().enumerate() {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "counted::one_case_is_measured", "--nocapture"]);
        let output = command.env(CASE, number.to_string()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{commands:?}: {text}");
        let told = text.lines().find_map(|line| line.split_once("held "));
        let words = told.unwrap().1.split(' ').filter_map(|w| w.parse().ok());
        let [held, said, peak] = words.collect::<Vec<u64>>()[..] else {
            panic!("{commands:?}: {text}");
        };
        println!("{commands:?}: {text}");
        assert!(peak <= 256 * MIB, "{commands:?}: {} MiB", peak / MIB);
        let is_near = held * 5 <= said * 6 && said * 5 <= held * 6;
        assert!(
            is_near || !is_true,
            "{commands:?}: {held} held, {said} said"
        );
    }
}
