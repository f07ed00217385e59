//! The test child that the tests run in sandboxes: it does what its arguments say, one after
//! the other, and prints each outcome on a line.

use cage::{Cage, CageMode, LayerState, Program, ResourceLimits};
use rustix::process::{Signal, getppid, kill_process};
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

fn main() -> ExitCode {
    if let Some(code) = cage::run_supervisor_if_requested() {
        return code;
    }
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().unwrap_or_default();
        let result = match word.as_str() {
            "echo" => return echo(),
            "hang" => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            "exit" => return ExitCode::from(next().parse::<u8>().unwrap_or(99)),
            "abort" => std::process::abort(),
            "burn" => loop {
                std::hint::spin_loop();
            },
            "say" => next(),
            "wait" => outcome(io::stdin().read_line(&mut String::new())),
            "read" => outcome(fs::read(next()).map(|bytes| bytes.len())),
            "list" => outcome(fs::read_dir(next()).map(Iterator::count)),
            "write" => outcome(fs::write(next(), "x")),
            "truncate" => outcome(fs::OpenOptions::new().append(true).open(next())),
            "remove" => outcome(fs::remove_file(next())),
            "folder" => outcome(fs::create_dir(next())),
            "rename" => outcome(fs::rename(next(), next())),
            "permit" => outcome(permit(Path::new(&next()))),
            "socket" => outcome(TcpStream::connect("127.0.0.1:9")),
            "local-socket" => outcome(std::os::unix::net::UnixStream::connect(next())),
            "pair" => outcome(std::os::unix::net::UnixStream::pair()),
            "datagrams" => outcome(std::os::unix::net::UnixDatagram::pair()),
            "start" => start(next().parse().unwrap_or(0)),
            "run" => outcome(Command::new(next()).status()),
            "daemon" => daemon(),
            "thread" => outcome(std::thread::Builder::new().spawn(|| {})),
            "threads" => threads(next().parse().unwrap_or(0)),
            "memory" => memory(next().parse().unwrap_or(0)),
            "kill-supervisor" => outcome(signal_parent(Signal::KILL)),
            "stop-supervisor" => outcome(signal_parent(Signal::STOP)),
            "files" => open_files(),
            "environment" => environment(),
            "status" => status(&next()),
            "arena" => return arena(&next()),
            "within" => return within(&next(), words),
            other => format!("no such word: {other}"),
        };
        println!("{word}: {result}");
    }
    ExitCode::SUCCESS
}

fn outcome<T, E: Into<io::Error>>(result: Result<T, E>) -> String {
    match result.map_err(Into::into) {
        Ok(_) => "done".into(),
        Err(error) => format!("{:?}", error.kind()),
    }
}

fn echo() -> ExitCode {
    let (input, mut output) = (io::stdin().lock(), io::stdout().lock());
    for line in input.lines() {
        let Ok(line) = line else { break };
        if writeln!(output, "{line}").is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

fn permit(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o0))
}

fn start(times: usize) -> String {
    let done = (0..times)
        .filter(|_| Command::new("/bin/true").status().is_ok())
        .count();
    format!("{done} of {times}")
}

/// Leaves an orphan in a session of its own.
fn daemon() -> String {
    let script = "setsid sh -c 'sleep 1000 & echo $!; exit 0'; sleep 1000 & echo $!";
    let script = script.replace("sleep 1000", "sleep 1000 <&- >&- 2>&-");
    match Command::new("/bin/sh").args(["-c", &script]).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).replace('\n', " "),
        Err(error) => format!("{:?}", error.kind()),
    }
}

/// Starts threads that stay alive; returns how many could be started.
fn threads(most: usize) -> String {
    let small = || std::thread::Builder::new().stack_size(16 << 10);
    let begun = (0..most).take_while(|_| small().spawn(std::thread::park).is_ok());
    format!("{} of {most}", begun.count())
}

fn memory(bytes: usize) -> String {
    let mut memory: Vec<u8> = Vec::new();
    match memory.try_reserve_exact(bytes) {
        Ok(()) => {
            // only touched memory counts
            memory.resize(bytes, 1);
            std::hint::black_box(&memory);
            "done".into()
        }
        Err(_) => "OutOfMemory".into(),
    }
}

fn signal_parent(signal: Signal) -> io::Result<()> {
    let parent = getppid().ok_or(io::ErrorKind::NotFound)?;
    Ok(kill_process(parent, signal)?)
}

fn open_files() -> String {
    let names = fs::read_dir("/proc/self/fd").into_iter().flatten();
    let names = names.flatten().filter_map(|entry| {
        let target = fs::read_link(entry.path()).ok()?;
        let own = target.starts_with("/proc");
        (!own).then(|| target.to_string_lossy().into_owned())
    });
    let mut names: Vec<_> = names.collect();
    names.sort();
    names.join(" ")
}

fn environment() -> String {
    let mut names: Vec<_> = std::env::vars().map(|(k, v)| format!("{k}={v}")).collect();
    names.sort();
    names.join(" ")
}

/// A line of `/proc/self/status`.
fn status(name: &str) -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines().filter_map(|line| line.split_once(':'));
    let line = lines.find(|(key, _)| *key == name);
    line.map_or("", |(_, value)| value.trim()).into()
}

/// Runs a program in a nested sandbox; prints the state of each layer, then the program's
/// output, or why it was not started.
fn within(mode: &str, mut words: impl Iterator<Item = String>) -> ExitCode {
    let cage = Cage {
        mode: mode.parse::<CageMode>().unwrap_or_default(),
        ..Cage::default()
    };
    let program = Program {
        program: words.next().unwrap_or_default().into(),
        arguments: words.map(Into::into).collect(),
        folder: "/".into(),
        cores: Vec::new(),
    };
    let process = match cage.start(&program) {
        Ok(process) => process,
        Err(error) => {
            println!("not started: {error}");
            return ExitCode::SUCCESS;
        }
    };
    for (layer, state) in process.layers() {
        let state = match state {
            LayerState::Holds => "holds",
            LayerState::Off => "off",
            LayerState::Missing(_) => "missing",
        };
        println!("{layer}: {state}");
    }
    let mut output = String::new();
    let read = rustix::io::ioctl_fionbio(process.stdout(), false)
        .map_err(io::Error::from)
        .and_then(|()| process.stdout().try_clone())
        .and_then(|pipe| fs::File::from(pipe).read_to_string(&mut output));
    print!("{output}");
    if let Err(error) = read {
        println!("unread: {error}");
    }
    process.end(Duration::from_secs(20));
    ExitCode::SUCCESS
}

/// Starts a program in a nested sandbox, prints the process ids, and waits to be killed.
fn arena(mode: &str) -> ExitCode {
    let cage = Cage {
        mode: mode.parse::<CageMode>().unwrap_or_default(),
        limits: ResourceLimits {
            processes: 8,
            ..ResourceLimits::default()
        },
        readable: Vec::new(),
    };
    let program = std::env::current_exe().unwrap_or_default();
    let program = Program {
        folder: program.parent().unwrap_or(Path::new("/")).into(),
        program: program.into(),
        arguments: ["daemon", "hang"].map(Into::into).into(),
        cores: Vec::new(),
    };
    let process = match cage.start(&program) {
        Ok(process) => process,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut line = Vec::new();
    while !line.ends_with(b"\n") {
        let mut byte = [0];
        if let Ok(1) = rustix::io::read(process.stdout(), &mut byte) {
            line.push(byte[0]);
        }
        std::thread::yield_now();
    }
    println!("{} {}", process.id(), String::from_utf8_lossy(&line).trim());
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}
