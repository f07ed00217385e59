//! Fuzzing without a guide: mutations of the corpus, one after the other, until the time is over.
//!
//! It needs no instrumentation, so the stable compiler will do, and the profile that the gate
//! compiles anyway, with its checks of overflow and its debug assertions. Each input is in a
//! file before it is run, so that whatever ends the process can be repeated.

use crate::{CorpusError, Mutator, Target};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Seek as _, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// One input may take so much of a processor; then the process ends with [`SLOW_EXIT`].
const LONGEST_RUN: Duration = Duration::from_secs(20);

/// The slowest input is kept if it takes longer than this.
const REMARKABLE: Duration = Duration::from_secs(1);

/// How the process ends when an input took too long.
pub const SLOW_EXIT: i32 = 3;

/// So often a crash is tried with a part of its input left out.
const MOST_REDUCTIONS: u32 = 500;

/// One input in so many becomes one that others are made of.
const PROMOTION: usize = 64;

/// So many inputs are mutated at most, besides the corpus.
const MOST_PROMOTED: usize = 256;

thread_local! {
    /// The place and the words of this thread's last panic.
    static LAST_PANIC: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

/// Fuzzing cannot go on.
#[derive(Debug, Error)]
pub enum FuzzerError {
    /// The corpus cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// What was found cannot be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

/// A panic that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// Where it panicked: file, line and column.
    pub place: String,
    /// What it said.
    pub message: String,
    /// The file that the input is in.
    pub path: PathBuf,
}

/// What came of fuzzing a target.
#[derive(Clone, Debug, Default)]
pub struct FuzzerReport {
    /// How many inputs were run.
    pub runs: u64,
    /// How many of them panicked, those at places that were known already included.
    pub panics: u64,
    /// The most processor time that one took.
    pub slowest: Duration,
    /// At how many places that were not known before.
    pub new_places: u64,
}

/// Runs mutations of one target's corpus.
#[derive(Debug)]
pub struct Fuzzer {
    target: &'static Target,
    /// Where crashes are written, a file each.
    folder: PathBuf,
    /// The input that is being run.
    current: File,
    /// Names of files that are known, without what follows the place.
    known: BTreeSet<String>,
    /// Is told each new crash at once, since the next input may end the process.
    tell: fn(&Crash),
    report: FuzzerReport,
}

impl Fuzzer {
    /// One that writes its crashes into a folder, and tells them. What lies there already is known, and is not
    /// written again.
    ///
    /// # Errors
    /// When the folder cannot be made or read.
    pub fn new(
        target: &'static Target,
        folder: &Path,
        tell: fn(&Crash),
    ) -> Result<Self, FuzzerError> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let mut known = BTreeSet::new();
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let name = entry.map_err(at(folder))?.file_name();
            let name = name.to_string_lossy();
            if let Some((place, _)) = name.rsplit_once('-') {
                known.insert(place.to_string());
            }
        }
        let path = current_input(folder);
        let current = File::create(&path).map_err(at(&path))?;
        Ok(Self {
            target,
            folder: folder.into(),
            current,
            known,
            tell,
            report: FuzzerReport::default(),
        })
    }

    /// Runs the corpus and then mutations of it, until the time is over.
    ///
    /// # Errors
    /// When the corpus cannot be read, or a file cannot be written.
    pub fn run(mut self, seed: u64, time: Duration) -> Result<FuzzerReport, FuzzerError> {
        let begun = Instant::now();
        catch_places();
        let watched = watch(&self.folder);
        let mut corpus = self.target.corpus()?;
        for input in &corpus {
            self.try_one(input, &watched)?;
        }
        let kept = corpus.len();
        let mut mutator = Mutator::new(seed, (self.target.words)());
        while begun.elapsed() < time {
            let input = mutator.next(&corpus);
            let is_fine = self.try_one(&input, &watched)?;
            if is_fine && mutator.below(PROMOTION) == 0 {
                match corpus.len() < kept + MOST_PROMOTED {
                    true => corpus.push(input),
                    false => corpus[kept + mutator.below(MOST_PROMOTED)] = input,
                }
            }
        }
        let path = current_input(&self.folder);
        fs::remove_file(&path).map_err(at(&path))?;
        Ok(self.report)
    }

    /// Whether nothing panicked.
    fn try_one(&mut self, input: &[u8], watched: &AtomicU64) -> Result<bool, FuzzerError> {
        let path = current_input(&self.folder);
        self.write_current(input).map_err(at(&path))?;
        self.report.runs += 1;
        watched.store(self.report.runs, Ordering::Relaxed);
        let begun = processor_time();
        let panic = crash(self.target, input);
        let took = processor_time().saturating_sub(begun);
        watched.store(0, Ordering::Relaxed);
        if took > self.report.slowest {
            self.report.slowest = took;
            if took > REMARKABLE {
                let path = self.folder.join("slowest");
                fs::write(&path, input).map_err(at(&path))?;
            }
        }
        let Some((place, message)) = panic else {
            return Ok(true);
        };
        self.report.panics += 1;
        let name = format!("panic-{}", slug(&place));
        if self.known.insert(name.clone()) {
            let input = reduced(self.target, input, &place);
            let path = self.folder.join(format!("{name}-{:08x}", hash(&input)));
            fs::write(&path, &input).map_err(at(&path))?;
            let crash = Crash {
                place,
                message,
                path,
            };
            (self.tell)(&crash);
            self.report.new_places += 1;
        }
        Ok(false)
    }

    fn write_current(&mut self, input: &[u8]) -> io::Result<()> {
        self.current.rewind()?;
        self.current.set_len(0)?;
        self.current.write_all(input)
    }
}

/// The file that holds the input being run: when the process is gone, it is what ended it.
#[must_use]
pub fn current_input(folder: &Path) -> PathBuf {
    folder.join("current")
}

/// Keeps the input that ended a process, under a name that says how it ended; none where there
/// is no such input.
///
/// # Errors
/// When it cannot be renamed.
pub fn keep_current(folder: &Path, how: &str) -> io::Result<Option<PathBuf>> {
    let from = current_input(folder);
    let Ok(input) = fs::read(&from) else {
        return Ok(None);
    };
    let to = folder.join(format!("{how}-{:08x}", hash(&input)));
    fs::rename(from, &to)?;
    Ok(Some(to))
}

/// Where a target panics on an input, and what it says; none where it does not.
fn crash(target: &Target, input: &[u8]) -> Option<(String, String)> {
    LAST_PANIC.set(None);
    let check = AssertUnwindSafe(|| (target.check)(input));
    panic::catch_unwind(check).err()?;
    let unknown = || ("nowhere".to_string(), String::new());
    Some(LAST_PANIC.take().unwrap_or_else(unknown))
}

/// A part of the input that panics at the same place, by leaving out ever smaller pieces
/// (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
fn reduced(target: &Target, input: &[u8], place: &str) -> Vec<u8> {
    let mut input = input.to_vec();
    let mut tries = 0;
    let mut size = input.len() / 2;
    while size > 0 {
        let mut begin = 0;
        while begin < input.len() && tries < MOST_REDUCTIONS {
            tries += 1;
            let mut less = input.clone();
            less.drain(begin..(begin + size).min(input.len()));
            match crash(target, &less) {
                Some((found, _)) if found == place => input = less,
                _ => begin += size,
            }
        }
        size /= 2;
    }
    input
}

/// From now on panics are not printed, but remembered with their places.
fn catch_places() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        let message = info.payload_as_str().unwrap_or_default();
        LAST_PANIC.set(Some((
            place.unwrap_or_else(|| "nowhere".into()),
            message.into(),
        )));
    }));
}

/// Ends the process when one input takes too long. The number of the run is told here, and 0
/// between two.
fn watch(folder: &Path) -> Arc<AtomicU64> {
    let run = Arc::new(AtomicU64::new(0));
    let (watched, folder) = (Arc::clone(&run), folder.to_path_buf());
    std::thread::spawn(move || {
        let (mut last, mut begun) = (0, Duration::ZERO);
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let (run, now) = (watched.load(Ordering::Relaxed), processor_time());
            if run != last {
                (last, begun) = (run, now);
            } else if run > 0 && now.saturating_sub(begun) > LONGEST_RUN {
                // the input is lost if it cannot be kept, and the end is told all the same
                let _ = keep_current(&folder, "slow");
                std::process::exit(SLOW_EXIT);
            }
        }
    });
    run
}

/// What this process's first thread has used of a processor, where the system tells; else how
/// long it has been. On a busy machine the two are far apart.
fn processor_time() -> Duration {
    use std::sync::OnceLock;
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let told = fs::read_to_string("/proc/self/schedstat").ok();
    let used = told.and_then(|told| told.split(' ').next()?.parse().ok());
    match used {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => BEGUN.get_or_init(Instant::now).elapsed(),
    }
}

/// A place as a part of a file's name.
fn slug(place: &str) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    place.chars().map(sign).collect()
}

/// FNV-1a in 32 bits (Fowler, Noll, Vo): a name for an input.
fn hash(input: &[u8]) -> u32 {
    input.iter().fold(0x811c_9dc5, |hash: u32, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> FuzzerError {
    move |error| FuzzerError::Io {
        path: path.into(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_told_by_its_place_and_made_smaller() {
        const FRAGILE: Target = Target {
            name: "fragile",
            check: |bytes| assert!(!bytes.windows(2).any(|two| two == b"ab"), "ab"),
            seeds: Vec::new,
            words: Vec::new,
            gate_runs: 0,
        };
        catch_places();
        assert_eq!(crash(&FRAGILE, b"ba"), None);
        let input = [b"x".repeat(300), b"ab".to_vec(), b"y".repeat(100)].concat();
        let (place, message) = crash(&FRAGILE, &input).unwrap();
        assert!(place.contains("fuzzer.rs:") && message == "ab");
        assert_eq!(reduced(&FRAGILE, &input, &place), b"ab");
    }
}
