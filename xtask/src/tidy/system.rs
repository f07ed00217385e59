//! Which code may use the operating system: everything below the user interfaces is also meant
//! for machines without files, clocks and threads, such as WebAssembly.

use super::Complaint;

/// Crates of which only the modules in [`EXCEPTIONS`] use the system.
const PORTABLE: [&str; 16] = [
    "dice",
    "engine",
    "games",
    "grid",
    "gridpaper",
    "jit",
    "kernel",
    "laser",
    "matches",
    "pattern",
    "players",
    "render",
    "rule",
    "session",
    "source",
    "wire",
];

/// What is not everywhere.
const SYSTEM: [&str; 5] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
];

/// Modules that use the system: how it is kept from machines without it.
const EXCEPTIONS: [(&str, &str); 11] = [
    // threads are started where more than one is asked for, and else never
    ("crates/engine/src/arch/fork_join.rs", "std::thread"),
    ("crates/engine/src/arch/sync.rs", "std::thread"),
    ("crates/engine/src/hashlife/capacity.rs", "std::thread"),
    ("crates/engine/src/hashlife/step/workers.rs", "std::thread"),
    ("crates/engine/src/torus/bytes.rs", "std::thread"),
    ("crates/engine/src/torus/large_radius.rs", "std::thread"),
    // asks first whether there is a clock
    ("crates/engine/src/open/race/clock.rs", "std::time::Instant"),
    // the system's clock, for those who pass it on; not compiled where there is none
    ("crates/players/src/clock.rs", "std::time::Instant"),
    // files that a person names
    ("crates/session/src/", "std::fs"),
    ("crates/source/src/", "std::fs"),
    // a tool that counts instructions
    ("crates/engine/src/bin/", ""),
];

/// Complains about the first use of each part of the system in a file, tests apart.
pub(super) fn check(path: &str, text: &str) -> Vec<Complaint> {
    let is_portable = |name: &str| path.starts_with(&format!("crates/{name}/src/"));
    if !path.ends_with(".rs") || !PORTABLE.iter().any(|name| is_portable(name)) {
        return Vec::new();
    }
    let code = || {
        let lines = text.lines().zip(1..);
        lines.take_while(|(line, _)| *line != "#[cfg(test)]")
    };
    let mut complaints = Vec::new();
    for used in SYSTEM {
        let is_excepted = EXCEPTIONS
            .iter()
            .any(|(module, what)| path.starts_with(module) && used.starts_with(what));
        let mut lines = code().filter(|(line, _)| !line.trim_start().starts_with("//"));
        if let Some((_, number)) = lines.find(|(line, _)| uses(line, used))
            && !is_excepted
        {
            complaints.push(format!("{path}:{number}: {used} is not everywhere"));
        }
    }
    complaints
}

/// Whether a line names `used`, with or without the names that a `use` gathers in braces.
fn uses(line: &str, used: &str) -> bool {
    if line.contains(used) {
        return true;
    }
    let Some((module, name)) = used.rsplit_once("::") else {
        return false;
    };
    let gathered = format!("{module}::{{");
    line.split_once(&gathered).is_some_and(|(_, names)| {
        let mut names = names.split(|c: char| !c.is_alphanumeric() && c != '_');
        names.any(|each| each == name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_use_of_the_system_is_found() {
        let rows: &[(&str, &str, usize)] = &[
            ("crates/rule/src/a.rs", "use std::fs::File;", 1),
            ("crates/rule/src/a.rs", "use std::{fmt, fs};", 1),
            ("crates/rule/src/a.rs", "use std::{fmt, fs_like};", 0),
            (
                "crates/rule/src/a.rs",
                "use std::time::{Duration, Instant};",
                1,
            ),
            ("crates/rule/src/a.rs", "use std::time::Duration;", 0),
            (
                "crates/rule/src/a.rs",
                "// std::fs\n#[cfg(test)]\nuse std::fs;",
                0,
            ),
            ("crates/rule/tests/it/a.rs", "use std::fs;", 0),
            ("crates/web/src/a.rs", "use std::net::TcpStream;", 0),
            ("crates/source/src/lib.rs", "std::fs::read(a);", 0),
            ("crates/source/src/lib.rs", "std::thread::spawn(a);", 1),
            (
                "crates/engine/src/open/race/clock.rs",
                "use std::time::Instant;",
                0,
            ),
            (
                "crates/engine/src/open.rs",
                "use std::{thread, process};",
                2,
            ),
        ];
        for (path, text, expected) in rows {
            let complaints = check(path, text);
            assert_eq!(
                complaints.len(),
                *expected,
                "{path} {text:?}: {complaints:?}"
            );
        }
    }
}
