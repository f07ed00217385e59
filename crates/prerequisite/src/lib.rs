//! Requirements of tests on the machine: processor instructions, a kernel with sandbox support,
//! programs, a data folder.
//!
//! A test that finds a requirement missing reports it here, with [`missing`] or with a check
//! that calls it ([`is_met`], [`data`]), and returns, or continues without the part that needs
//! it. The report is printed, it is appended to the file that the variable `GRIDPAPER_NOT_RUN`
//! names, which `cargo xtask test` lists at its end, and it fails the test where the variable
//! `GRIDPAPER_REQUIRE` names the requirement. So a test that did not run is never taken for one
//! that passed.
//!
//! `#[ignore]` was rejected: it is decided when a test is compiled, not where it runs. So was a
//! test runner of our own: its tests would no longer be those that `cargo test` knows.
//!
//! ```
//! use prerequisite::{Prerequisite, is_met};
//!
//! if is_met(Prerequisite::Avx2) {
//!     // ... what is to hold with these instructions
//! }
//! ```
//!
//! Only tests and the workspace's tools depend on this crate; it depends on none of them.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::sync::Mutex;

/// The variable that lists what must be there, by name, with commas between.
pub const REQUIRE: &str = "GRIDPAPER_REQUIRE";

/// The variable that names the file to which each [`Absence`] is appended.
pub const NOT_RUN: &str = "GRIDPAPER_NOT_RUN";

/// Something that not every machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prerequisite {
    /// A processor with AVX2 and what comes with it (BMI1, POPCNT).
    Avx2,
    /// A processor with AVX-512: F, BW, VL, DQ and VPOPCNTDQ.
    Avx512,
    /// Chromium and its driver, Node and npm: what the page's tests drive and are checked with.
    Browser,
    /// A kernel that supports every layer of the sandbox of external programs.
    Cage,
    /// A C compiler, as `cc`.
    Cc,
    /// Two cores or more, so that two jobs can have one each.
    Cores,
    /// The folder of patterns and known results that `GRIDPAPER_DATA` names.
    Data,
    /// Firefox and its driver, `geckodriver`.
    Firefox,
    /// A device that runs shaders, or a driver that stands in for one.
    Gpu,
    /// The compiler and the processor that the counts of instructions are written down for.
    Instructions,
    /// Java.
    Java,
    /// Node.
    Node,
    /// Perl.
    Perl,
    /// Python 3.
    Python3,
    /// A Rust compiler that can be started as `rustc`.
    Rustc,
    /// Valgrind.
    Valgrind,
}

impl Prerequisite {
    /// All of them, in the order of their names.
    pub const ALL: [Self; 16] = [
        Self::Avx2,
        Self::Avx512,
        Self::Browser,
        Self::Cage,
        Self::Cc,
        Self::Cores,
        Self::Data,
        Self::Firefox,
        Self::Gpu,
        Self::Instructions,
        Self::Java,
        Self::Node,
        Self::Perl,
        Self::Python3,
        Self::Rustc,
        Self::Valgrind,
    ];

    /// Its name, as [`REQUIRE`] has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Browser => "browser",
            Self::Cage => "cage",
            Self::Cc => "cc",
            Self::Cores => "cores",
            Self::Data => "data",
            Self::Firefox => "firefox",
            Self::Gpu => "gpu",
            Self::Instructions => "instructions",
            Self::Java => "java",
            Self::Node => "node",
            Self::Perl => "perl",
            Self::Python3 => "python3",
            Self::Rustc => "rustc",
            Self::Valgrind => "valgrind",
        }
    }
}

impl fmt::Display for Prerequisite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no prerequisite has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is nothing that tests need; known are {}", Prerequisite::ALL.map(Prerequisite::name).join(", "))]
pub struct UnknownPrerequisite {
    /// The name.
    pub name: String,
}

impl FromStr for Prerequisite {
    type Err = UnknownPrerequisite;

    fn from_str(name: &str) -> Result<Self, UnknownPrerequisite> {
        let found = Self::ALL.into_iter().find(|one| one.name() == name);
        found.ok_or_else(|| UnknownPrerequisite { name: name.into() })
    }
}

/// Parses a list such as [`REQUIRE`]'s; spaces and empty items are ignored.
///
/// # Errors
/// When a name in it is unknown: a misspelt one would require nothing.
pub fn parse_list(list: &str) -> Result<BTreeSet<Prerequisite>, UnknownPrerequisite> {
    let names = list.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::parse)
        .collect()
}

/// Something that was missing, and the test that would have needed it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Absence {
    /// What is missing.
    pub what: Prerequisite,
    /// How it was detected.
    pub why: String,
    /// The file and, where it is known, the test.
    pub place: String,
}

impl fmt::Display for Absence {
    /// As one line, which [`Absence::read`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (why, place) = (one_line(&self.why), one_line(&self.place));
        write!(f, "{}\t{place}\t{why}", self.what)
    }
}

impl Absence {
    /// Reads a line of the file that [`NOT_RUN`] names; `None` where it is none of ours.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let mut parts = line.splitn(3, '\t');
        let what = parts.next()?.parse().ok()?;
        let place = parts.next()?.into();
        let why = parts.next()?.into();
        Some(Self { what, why, place })
    }

    /// Prints it, and appends it to the file that [`NOT_RUN`] names; once for each place in a
    /// process.
    fn record(&self) {
        static RECORDED: Mutex<BTreeSet<Absence>> = Mutex::new(BTreeSet::new());
        let mut recorded = match RECORDED.lock() {
            Ok(recorded) => recorded,
            Err(poisoned) => poisoned.into_inner(),
        };
        if !recorded.insert(self.clone()) {
            return;
        }
        eprintln!("not run here: {}: {} ({})", self.what, self.why, self.place);
        let Some(path) = std::env::var_os(NOT_RUN) else {
            return;
        };
        if let Err(error) = self.append_to(path.as_ref()) {
            panic!("{}: {error}", Path::new(&path).display());
        }
    }

    /// Appends it to a file, as one line, written at once: so processes that append to the same
    /// file do not mix their lines.
    ///
    /// # Errors
    /// When that cannot be done.
    pub fn append_to(&self, path: &Path) -> std::io::Result<()> {
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)?;
        file.write_all(format!("{self}\n").as_bytes())
    }
}

/// Reports that a test, or a part of it, is not run, since a requirement is missing.
///
/// # Panics
/// When [`REQUIRE`] names it, or names something unknown; and when it cannot be written down.
#[track_caller]
pub fn missing(what: Prerequisite, why: impl fmt::Display) {
    let file = Location::caller().file();
    let thread = std::thread::current();
    let place = match thread.name() {
        Some(test) if test != "main" => format!("{file}: {test}"),
        _ => file.to_string(),
    };
    let why = why.to_string();
    let absence = Absence { what, why, place };
    absence.record();
    let required = std::env::var(REQUIRE).unwrap_or_default();
    match parse_list(&required) {
        Ok(required) => assert!(
            !required.contains(&what),
            "{REQUIRE} names {what}, and it is missing: {}",
            absence.why
        ),
        Err(error) => panic!("{REQUIRE}: {error}"),
    }
}

/// Whether this machine meets a requirement; reports it as [`missing`] if not. For requirements
/// that can be checked in one way only: processor features, and programs, which are started.
///
/// # Panics
/// As [`missing`] does, and for what has no such way.
#[must_use]
#[track_caller]
pub fn is_met(what: Prerequisite) -> bool {
    let lacking = match what {
        Prerequisite::Avx2 => lacking_instructions(has_avx2(), "AVX2"),
        Prerequisite::Avx512 => lacking_instructions(has_avx512(), "AVX-512"),
        Prerequisite::Cores => {
            let cores = std::thread::available_parallelism().map_or(1, Into::into);
            (cores < 2).then(|| "there is one core".to_string())
        }
        Prerequisite::Cc
        | Prerequisite::Firefox
        | Prerequisite::Java
        | Prerequisite::Node
        | Prerequisite::Perl
        | Prerequisite::Python3
        | Prerequisite::Rustc
        | Prerequisite::Valgrind => lacking_program(what),
        Prerequisite::Browser
        | Prerequisite::Cage
        | Prerequisite::Data
        | Prerequisite::Gpu
        | Prerequisite::Instructions => panic!("{what} has no one sign"),
    };
    if let Some(why) = &lacking {
        missing(what, why);
    }
    lacking.is_none()
}

fn lacking_instructions(has: bool, name: &str) -> Option<String> {
    (!has).then(|| format!("this processor has no {name}"))
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_avx2() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_avx512() -> bool {
    false
}

/// Why a program cannot be used, if it cannot: it is run with an option that prints its
/// version.
fn lacking_program(what: Prerequisite) -> Option<String> {
    let option = match what {
        Prerequisite::Java => "-version",
        _ => "--version",
    };
    let program = match what {
        Prerequisite::Firefox => "geckodriver",
        what => what.name(),
    };
    let status = Command::new(program)
        .arg(option)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => None,
        Ok(status) => Some(format!("{program} {option} fails: {status}")),
        Err(error) => Some(format!("{program} cannot be started: {error}")),
    }
}

/// The folder of patterns and known results: the one that `GRIDPAPER_DATA` names, else
/// `shared/data` beside the project. It may not be there.
#[must_use]
pub fn data_folder() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("GRIDPAPER_DATA").map_or(beside, PathBuf::from)
}

/// A file or folder in the [`data_folder`]; says that it is [`missing`] where it is not there.
///
/// # Panics
/// As [`missing`] does.
#[must_use]
#[track_caller]
pub fn data(path: impl AsRef<Path>) -> Option<PathBuf> {
    let (folder, path) = (data_folder(), path.as_ref());
    let found = folder.join(path);
    if found.exists() {
        return Some(found);
    }
    let why = match folder.is_dir() {
        true => format!("the folder of data has no {}", path.display()),
        false => "there is no folder of data: set GRIDPAPER_DATA".into(),
    };
    missing(Prerequisite::Data, why);
    None
}
