//! The test child, its folder, and helpers to run it.

use cage::{
    Cage, CageError, CageMode, ExitReport, Layer, LayerState, Program, ResourceLimits,
    SandboxedProcess,
};
use prerequisite::{Prerequisite, missing};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A timeout that is long enough for anything that is going to happen.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) fn test_child() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_gridpaper-cage-test-child"))
}

/// A folder with nothing in it.
pub(crate) struct ScratchFolder(pub(crate) PathBuf);

impl ScratchFolder {
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("gridpaper-cage-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path.canonicalize().expect("it is there"))
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("ours");
        path
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn cage(mode: CageMode, limits: ResourceLimits) -> Cage {
    cage::use_supervisor_program(test_child());
    Cage {
        mode,
        limits,
        readable: Vec::new(),
    }
}

/// The test child with these arguments.
pub(crate) fn program(folder: &ScratchFolder, words: &[&str]) -> Program {
    other(folder, test_child().as_os_str(), words)
}

pub(crate) fn other(
    folder: &ScratchFolder,
    program: impl Into<OsString>,
    words: &[&str],
) -> Program {
    Program {
        program: program.into(),
        arguments: words.iter().map(Into::into).collect(),
        folder: folder.0.clone(),
        cores: Vec::new(),
    }
}

/// A program's output and how it ended.
#[derive(Debug)]
pub(crate) struct ProgramTranscript {
    pub(crate) output: String,
    pub(crate) errors: String,
    pub(crate) layers: Vec<(Layer, LayerState)>,
    pub(crate) ended: ExitReport,
}

impl ProgramTranscript {
    /// How often this was refused.
    pub(crate) fn refused(&self, what: &str) -> u64 {
        let named = self.ended.refusals.iter().filter(|r| r.what == what);
        named.map(|refusal| refusal.times).sum()
    }

    #[track_caller]
    pub(crate) fn holds(&self, layer: Layer) -> bool {
        let holds = self.layers.contains(&(layer, LayerState::Holds));
        if !holds {
            let why = format!("{layer} does not hold: {:?}", self.layers);
            missing(Prerequisite::Cage, why);
        }
        holds
    }
}

/// Runs a program until it ends by itself.
pub(crate) fn run(cage: &Cage, program: &Program) -> Result<ProgramTranscript, CageError> {
    let mut process = cage.start(program)?;
    process.close_stdin();
    let layers = process.layers().to_vec();
    let output = drain(process.stdout());
    let errors = drain(process.stderr());
    let ended = process.end(TIMEOUT);
    Ok(ProgramTranscript {
        output,
        errors,
        layers,
        ended,
    })
}

/// Reads until the other end is closed.
pub(crate) fn drain(pipe: &OwnedFd) -> String {
    let mut output = Vec::new();
    while let Some(bytes) = more(pipe, 4096) {
        output.extend(bytes);
    }
    String::from_utf8_lossy(&output).into_owned()
}

/// Reads one line with its newline.
pub(crate) fn line(pipe: &OwnedFd) -> String {
    let mut output = Vec::new();
    while !output.ends_with(b"\n") {
        // reads not beyond the line
        output.extend(more(pipe, 1).unwrap_or_else(|| panic!("it is closed after {output:?}")));
    }
    String::from_utf8_lossy(&output).into_owned()
}

fn more(pipe: &OwnedFd, most: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; most];
    let limit = Timespec::try_from(TIMEOUT).expect("short");
    loop {
        let mut files = [PollFd::new(pipe, PollFlags::IN)];
        let ready = poll(&mut files, Some(&limit)).expect("a pipe");
        assert!(ready > 0, "nothing comes");
        match rustix::io::read(pipe.as_fd(), &mut bytes) {
            Ok(0) => return None,
            Ok(length) => {
                bytes.truncate(length);
                return Some(bytes);
            }
            Err(rustix::io::Errno::AGAIN) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

pub(crate) fn say(process: &SandboxedProcess, text: &str) {
    let stdin = process.stdin().expect("open");
    assert_eq!(rustix::io::write(stdin, text.as_bytes()), Ok(text.len()));
}

/// Waits until the condition holds.
pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !so() {
        assert!(begun.elapsed() < TIMEOUT, "{what}: not yet");
        std::thread::yield_now();
    }
}

/// Whether this process exists and has not exited.
pub(crate) fn lives(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest.to_string());
    state.is_some_and(|state| !state.starts_with(['Z', 'X']))
}
