//! Programs that want what is not theirs.

use crate::harness::*;
use cage::{CageMode, ExitCause, Layer, ResourceLimits, SandboxedProcess};
use prerequisite::{Prerequisite, missing};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

fn best(limits: ResourceLimits, folder: &ScratchFolder, words: &[&str]) -> ProgramTranscript {
    run(&cage(CageMode::Best, limits), &program(folder, words)).expect("it runs")
}

#[test]
fn files_elsewhere_are_not_read() {
    let (folder, secrets) = (ScratchFolder::new("reader"), ScratchFolder::new("secrets"));
    let secret = secrets.file("secret", "42");
    folder.file("own", "7");
    std::os::unix::fs::symlink(&secret, folder.0.join("link")).expect("ours");
    let name = secret.to_str().expect("plain");
    let home = std::env::var("HOME").unwrap_or_default();
    let home = if PathBuf::from(&home).is_dir() {
        home
    } else {
        "/var".into()
    };
    let words = [
        "read",
        "own",
        "read",
        name,
        "read",
        "link",
        "list",
        &home,
        "read",
        "/etc/shadow",
        "read",
        "/etc/no-such-file",
        "list",
        "/proc/1",
        "run",
        name,
        "list",
        ".",
    ];
    let told = best(ResourceLimits::default(), &folder, &words);
    if !told.holds(Layer::Files) {
        return;
    }
    let no = "PermissionDenied";
    let expected = format!(
        "read: done\nread: {no}\nread: {no}\nlist: {no}\nread: {no}\nread: NotFound\n\
         list: {no}\nrun: {no}\nlist: done\n"
    );
    assert_eq!(told.output, expected);
    if !told.holds(Layer::Calls) {
        return;
    }
    assert_eq!(told.refused(&format!("to read {name}")), 2, "{told:?}");
    assert_eq!(told.refused("to read /etc/shadow"), 1, "{told:?}");
    let home = PathBuf::from(home).canonicalize().expect("a home");
    assert_eq!(told.refused(&format!("to read {}", home.display())), 1);
    let all: u64 = told.ended.refusals.iter().map(|r| r.times).sum();
    assert_eq!(all, 6, "{told:?}");

    // what it may read besides
    let mut cage = cage(CageMode::Best, ResourceLimits::default());
    cage.readable.push(secrets.0.clone());
    let told = run(&cage, &program(&folder, &["read", name, "write", name])).expect("it runs");
    assert_eq!(told.output, format!("read: done\nwrite: {no}\n"));
    assert_eq!(std::fs::read(&secret).expect("ours"), b"42");
}

#[test]
fn nothing_is_written() {
    let (folder, place) = (ScratchFolder::new("writer"), ScratchFolder::new("place"));
    let file = place.file("file", "42");
    folder.file("own", "7");
    let file = file.to_str().expect("plain");
    let new = place.0.join("new");
    let new = new.to_str().expect("plain");
    let words = [
        "write",
        file,
        "write",
        new,
        "write",
        "own",
        "write",
        "new",
        "truncate",
        file,
        "remove",
        file,
        "folder",
        new,
        "rename",
        file,
        new,
        "permit",
        file,
        "write",
        "/dev/null",
    ];
    let told = best(ResourceLimits::default(), &folder, &words);
    if !told.holds(Layer::Files) || !told.holds(Layer::Calls) {
        return;
    }
    let refused = told
        .output
        .lines()
        .filter(|l| l.ends_with(": PermissionDenied"));
    assert_eq!(refused.count(), 9, "{told:?}");
    assert!(told.output.ends_with("\nwrite: done\n"), "{told:?}");
    assert_eq!(std::fs::read(file).expect("ours"), b"42");
    assert_eq!(std::fs::read_dir(&place.0).expect("ours").count(), 1);
    assert_eq!(std::fs::read_dir(&folder.0).expect("ours").count(), 1);
    assert_eq!(told.refused(&format!("to write {file}")), 4, "{told:?}");
    assert_eq!(told.refused(&format!("to write {new}")), 2, "{told:?}");
    let own = folder.0.join("own");
    assert_eq!(told.refused(&format!("to write {}", own.display())), 1);
    let what = "to change files' owners, permissions or times";
    assert_eq!(told.refused(what), 1);
}

#[test]
fn sockets_are_not_opened() {
    let folder = ScratchFolder::new("socket");
    let words = [
        "socket",
        "local-socket",
        "/run/x",
        "pair",
        "datagrams",
        "socket",
    ];
    let told = best(ResourceLimits::default(), &folder, &words);
    if !told.holds(Layer::Calls) {
        return;
    }
    let no = "PermissionDenied";
    let expected =
        format!("socket: {no}\nlocal-socket: {no}\npair: done\ndatagrams: {no}\nsocket: {no}\n");
    assert_eq!(told.output, expected);
    assert_eq!(told.refused("to open a socket"), 2, "{told:?}");
    assert_eq!(told.refused("to open a local socket"), 2);
}

#[test]
fn a_thousand_processes_are_not_started() {
    let folder = ScratchFolder::new("thousand");
    let told = best(
        ResourceLimits::default(),
        &folder,
        &["thread", "start", "1000"],
    );
    if !told.holds(Layer::Calls) {
        return;
    }
    assert_eq!(told.output, "thread: done\nstart: 0 of 1000\n");
    assert_eq!(told.refused("to start a process"), 1000);
    assert_eq!(told.ended.cause, ExitCause::Code(0));
    // with two, one at a time is no harm
    let limits = ResourceLimits {
        processes: 2,
        ..ResourceLimits::default()
    };
    let told = best(limits, &folder, &["start", "50"]);
    assert_eq!(told.output, "start: 50 of 50\n", "{told:?}");
    assert_eq!(told.ended.refusals, []);
}

#[test]
fn a_bomb_of_processes_stays_small() {
    let folder = ScratchFolder::new("bomb");
    let script = folder.file("bomb.sh", "sh bomb.sh & sh bomb.sh & echo $$; wait\n");
    let limits = ResourceLimits {
        processes: 10,
        ..ResourceLimits::default()
    };
    let cage = cage(CageMode::Best, limits);
    let program = |script: &str| other(&folder, "sh", &["-c", script]);
    if !run(&cage, &program("true"))
        .expect("it runs")
        .holds(Layer::Calls)
    {
        return;
    }
    let bomb = format!("exec sh {}", script.display());
    let told = run(&cage, &program(&bomb)).expect("it runs");
    assert!(
        told.refused("to start more than 10 processes") > 0,
        "{told:?}"
    );
    for id in told.output.lines() {
        let id = id.parse().expect("a number");
        until("all are gone", || !lives(id));
    }
}

#[test]
fn memory_has_a_bound() {
    let folder = ScratchFolder::new("memory");
    let hundred = (100u64 << 30).to_string();
    let told = best(
        ResourceLimits::default(),
        &folder,
        &["memory", &hundred, "memory", "1000000"],
    );
    assert_eq!(told.output, "memory: OutOfMemory\nmemory: done\n");
    assert_eq!(told.ended.cause, ExitCause::Code(0));
    if told.holds(Layer::Calls) {
        let named = &told.ended.refusals[0].what;
        assert!(named.ends_with(" bytes of memory at once"), "{told:?}");
        assert!(named.starts_with("to get 1073741"), "{told:?}");
    }
    let limits = ResourceLimits {
        memory: 64 << 20,
        ..ResourceLimits::default()
    };
    let told = best(
        limits,
        &folder,
        &["memory", "20000000", "memory", "67000000"],
    );
    assert_eq!(told.output, "memory: done\nmemory: OutOfMemory\n");
    assert!(
        (20 << 20..64 << 20).contains(&told.ended.peak_memory),
        "{told:?}"
    );
}

#[test]
fn the_supervisor_is_not_to_be_killed() {
    let folder = ScratchFolder::new("supervisor");
    let told = best(
        ResourceLimits::default(),
        &folder,
        &["kill-supervisor", "say", "on"],
    );
    if !told.holds(Layer::Calls) {
        return;
    }
    assert_eq!(told.output, "kill-supervisor: PermissionDenied\nsay: on\n");
    assert_eq!(told.refused("to signal another process"), 1);
    // where nothing keeps it from that, it goes with its supervisor, and its family with us
    let cage = cage(CageMode::Off, ResourceLimits::default());
    let words = ["wait", "run", "./family", "kill-supervisor", "hang"];
    let script = folder.file("family", "#!/bin/sh\nsleep 1000 <&- >&- 2>&- &\necho $!\n");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let mut caged: SandboxedProcess = cage.start(&program(&folder, &words)).expect("it runs");
    say(&caged, "now\n");
    let id = caged.id();
    let child = line(caged.stdout());
    assert_eq!(child, "wait: done\n");
    let child = line(caged.stdout()).trim().parse().expect("a number");
    until("it is gone", || !lives(id));
    assert!(lives(child));
    assert_eq!(caged.try_wait(), None);
    assert_eq!(caged.end(TIMEOUT).cause, ExitCause::Killed);
    until("all are gone", || !lives(child));
}

#[test]
fn refusals_are_told_while_it_runs() {
    let folder = ScratchFolder::new("news");
    let cage = cage(CageMode::Best, ResourceLimits::default());
    let program = program(&folder, &["socket", "echo"]);
    let mut caged = cage.start(&program).expect("it runs");
    assert_eq!(line(caged.stdout()), "socket: PermissionDenied\n");
    let mut refusals = Vec::new();
    until("it is told", || {
        refusals.extend(caged.take_refusals());
        !refusals.is_empty()
    });
    assert_eq!(refusals[0].to_string(), "tried to open a socket: refused");
    // and not again
    assert_eq!(caged.end(TIMEOUT).refusals, []);
}

#[test]
fn what_was_refused_is_known_before_the_program_goes_on() {
    let folder = ScratchFolder::new("prompt");
    let words = ["read", "/etc/shadow", "socket", "wait"];
    let caged = cage(CageMode::Best, ResourceLimits::default()).start(&program(&folder, &words));
    let mut caged = caged.expect("it runs");
    let holds = |layer| caged.layers().contains(&(layer, cage::LayerState::Holds));
    if !holds(Layer::Files) || !holds(Layer::Calls) {
        return missing(Prerequisite::Cage, format!("{:?}", caged.layers()));
    }
    // the second may be there when the first is asked for
    let mut refusals = Vec::new();
    for (said, what) in [
        ("read: PermissionDenied\n", "to read /etc/shadow"),
        ("socket: PermissionDenied\n", "to open a socket"),
    ] {
        assert_eq!(line(caged.stdout()), said);
        refusals.extend(caged.take_refusals());
        assert!(refusals.iter().any(|r| r.what == what), "{refusals:?}");
    }
}

#[test]
fn threads_have_an_end() {
    let folder = ScratchFolder::new("threads");
    let words = ["threads", "1000", "threads", "2000"];
    let told = best(ResourceLimits::default(), &folder, &words);
    if !told.holds(Layer::Calls) {
        return;
    }
    // the first thread counts too
    assert_eq!(told.output, "threads: 1000 of 1000\nthreads: 23 of 2000\n");
    assert_eq!(
        told.refused("to have more than 1024 threads"),
        1,
        "{told:?}"
    );
}
