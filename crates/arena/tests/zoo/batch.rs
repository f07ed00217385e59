//! Many games in a process of its own, which tells what it holds before and after: in a
//! test's process other tests start bots at the same time.

use arena::{Match, MatchConditions};
use matches::{Opening, TimeControl};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What this process holds: open files, children, and kilobytes of memory.
#[derive(Clone, Copy, Debug)]
struct ProcessResources {
    files: usize,
    children: usize,
    memory: u64,
}

impl ProcessResources {
    fn now() -> Self {
        let files = std::fs::read_dir("/proc/self/fd").unwrap();
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let memory = status.lines().find_map(|line| {
            let kilobytes = line.strip_prefix("VmRSS:")?.trim().strip_suffix("kB")?;
            kilobytes.trim().parse().ok()
        });
        Self {
            files: files.count(),
            children: children(),
            memory: memory.unwrap(),
        }
    }
}

/// Processes that have this one for a parent, those included that have ended and were not
/// asked about.
fn children() -> usize {
    let own = std::process::id();
    let is_child = |entry: std::io::Result<std::fs::DirEntry>| {
        let stat = std::fs::read_to_string(entry.ok()?.path().join("stat")).ok()?;
        // the name before may hold anything
        let mut rest = stat.rsplit_once(')')?.1.split_whitespace();
        let parent: u32 = rest.nth(1)?.parse().ok()?;
        (parent == own).then_some(())
    };
    let all = std::fs::read_dir("/proc").unwrap();
    all.filter_map(is_child).count()
}

/// Plays some games, then `games` more, and prints what was held after the first and after
/// the last: `files 5 5 children 0 0 memory 4000 4100 faults 0 seconds 1.5`.
pub(crate) fn batch(game: &str, bots: [&str; 2], games: u64) {
    let play = |games| {
        let contest = Match {
            games,
            opening: Opening::Turns(0..=0),
            conditions: MatchConditions {
                time_control: Some(TimeControl::from_millis(20_000, 10_000)),
                ..MatchConditions::default()
            },
            is_recorded: true,
            ..Match::new(game.parse().unwrap(), bots.map(|bot| bot.parse().unwrap()))
        };
        let told = &mut |_: &_, _: &[_]| ControlFlow::Continue(());
        let tally = contest.run(&AtomicBool::new(false), told).unwrap();
        assert_eq!(tally.games(), games);
        tally.faults.iter().sum::<u64>()
    };
    play(20);
    let before = ProcessResources::now();
    let started = Instant::now();
    let faults = play(games);
    let seconds = started.elapsed().as_secs_f64();
    let after = ProcessResources::now();
    println!(
        "files {} {} children {} {} memory {} {} faults {faults} seconds {seconds:.2}",
        before.files, after.files, before.children, after.children, before.memory, after.memory
    );
}
