//! The file of a saved search: a version, the question that it is of, a number that tells apart
//! what is drawn or fixed in it, and the run.

use crate::failure::CliFailure;
use crate::output;
use search::{RowSearchState, SavedRun};
use std::collections::BTreeSet;
use std::path::Path;

/// The first line of the file; another version has another number.
const VERSION: &str = "gridpaper search 2";

/// A saved search.
pub(super) struct SavedSearch {
    question: String,
    digest: u64,
    run: SavedRun,
}

impl SavedSearch {
    pub(super) fn new(question: String, digest: u64, run: SavedRun) -> Self {
        Self {
            question,
            digest,
            run,
        }
    }

    pub(super) fn read(path: &Path) -> Result<Self, CliFailure> {
        let name = path.display();
        let bytes = std::fs::read(path).map_err(|error| CliFailure::io(path.display(), &error))?;
        let wrong =
            |what: &dyn std::fmt::Display| CliFailure::wrong(format_args!("{name}: {what}"));
        let text = String::from_utf8(bytes).map_err(|_| wrong(&"no saved search"))?;
        let mut lines = text.splitn(4, '\n');
        let version = lines.next().unwrap_or_default();
        if version != VERSION {
            let what = match version.starts_with("gridpaper search ") {
                true => "saved by another version of the program",
                false => "no saved search",
            };
            return Err(wrong(&what));
        }
        let question = lines.next().and_then(|line| line.strip_prefix("question "));
        let question = question.ok_or_else(|| wrong(&"line 2: the question is missing"))?;
        let digest = lines.next().and_then(|line| line.strip_prefix("cells "));
        let digest = digest.and_then(|digest| u64::from_str_radix(digest, 16).ok());
        let digest = digest.ok_or_else(|| wrong(&"line 3: the number of its cells is missing"))?;
        let run = lines.next().unwrap_or_default().parse::<SavedRun>();
        let run = run.map_err(|error| wrong(&error))?;
        Ok(Self::new(question.to_owned(), digest, run))
    }

    /// The run, where it is of this question.
    pub(super) fn of_question(
        self,
        path: &Path,
        question: &str,
        digest: u64,
    ) -> Result<SavedRun, CliFailure> {
        let is_same = self.question == question;
        if is_same && self.digest == digest {
            return Ok(self.run);
        }
        let name = path.display();
        let hint = if is_same {
            "its words are the same, and the cells that it is about are not".to_owned()
        } else {
            format!("it is of: {}", self.question)
        };
        Err(CliFailure::wrong(format_args!("{name}: saved from another question")).with_hint(hint))
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), CliFailure> {
        output::to_file(path, |out| {
            let Self {
                question,
                digest,
                run,
            } = self;
            let text = format!("{VERSION}\nquestion {question}\ncells {digest:016x}\n{run}");
            let written = out.write_all(text.as_bytes());
            written.map_err(|error| CliFailure::io(path.display(), &error))
        })
    }
}

/// A saved search by rows: lines as above, and then bytes.
pub(super) struct SavedRows {
    /// The codes of the ships that were told.
    pub(super) keys: BTreeSet<String>,
    pub(super) state: RowSearchState,
}

impl SavedRows {
    pub(super) fn read(path: &Path, question: &str) -> Result<Self, CliFailure> {
        let name = path.display();
        let bytes = std::fs::read(path).map_err(|error| CliFailure::io(path.display(), &error))?;
        let wrong =
            |what: &dyn std::fmt::Display| CliFailure::wrong(format_args!("{name}: {what}"));
        let mut rest = &bytes[..];
        let mut line = || {
            let end = rest.iter().position(|&byte| byte == b'\n')?;
            let line = std::str::from_utf8(&rest[..end]).ok()?;
            rest = &rest[end + 1..];
            Some(line)
        };
        if line() != Some(VERSION) {
            return Err(wrong(&"no search saved by this version of the program"));
        }
        let saved = line().and_then(|line| line.strip_prefix("question "));
        if saved != Some(question) {
            let hint = saved.map(|saved| format!("it is of: {saved}"));
            return Err(wrong(&"saved from another question").with_hint(hint));
        }
        let mut keys = BTreeSet::new();
        loop {
            match line().map(|line| line.split_once(' ').unwrap_or((line, ""))) {
                Some(("key", key)) => keys.insert(key.to_owned()),
                Some(("rows", "3")) => break,
                _ => return Err(wrong(&"no saved search by rows")),
            };
        }
        let state = RowSearchState::from_bytes(rest).map_err(|error| wrong(&error))?;
        Ok(Self { keys, state })
    }

    pub(super) fn write(
        path: &Path,
        question: &str,
        keys: &BTreeSet<String>,
        state: &RowSearchState,
    ) -> Result<(), CliFailure> {
        output::to_file(path, |out| {
            let keys: String = keys.iter().map(|key| format!("key {key}\n")).collect();
            let text = format!("{VERSION}\nquestion {question}\n{keys}rows 3\n");
            let written = out
                .write_all(text.as_bytes())
                .and_then(|()| out.write_all(&state.to_bytes()));
            written.map_err(|error| CliFailure::io(path.display(), &error))
        })
    }
}
