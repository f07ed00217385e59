//! What the checks could not run on this machine, and the tests that are left out on purpose.
//!
//! Tests say what they miss through the crate `prerequisite`, each in a process of its own: it
//! is written to a file that an environment variable names. [`AbsenceRecord`] is that file. At the end
//! of the gate [`report`] lists what is in it, and [`report_ignored`] the tests that are left
//! out wherever they are run, each with its reason.

use prerequisite::{Absence, NOT_RUN, Prerequisite, REQUIRE, parse_list};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What was missing in one run of checks.
#[derive(Debug)]
pub(crate) struct AbsenceRecord {
    file: PathBuf,
    required: BTreeSet<Prerequisite>,
    is_fresh: bool,
}

impl AbsenceRecord {
    /// An empty one, in cargo's target folder.
    ///
    /// # Errors
    /// When it cannot be written, or [`REQUIRE`] names what nobody knows.
    pub(crate) fn begin(root: &Path) -> Result<Self, String> {
        let target = crate::cargo::target(root)?;
        let built = std::fs::read_dir(target.join("debug/incremental"));
        let names = built.into_iter().flatten().flatten();
        let mut names = names.map(|entry| entry.file_name());
        // this program has been built by then, and nothing else in a fresh clone
        let is_fresh = !names.any(|name| name.to_string_lossy().starts_with("engine-"));
        Self::at(target.join("not-run"), is_fresh)
    }

    fn at(file: PathBuf, is_fresh: bool) -> Result<Self, String> {
        let required = std::env::var(REQUIRE).unwrap_or_default();
        let required = parse_list(&required).map_err(|error| format!("{REQUIRE}: {error}"))?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        std::fs::write(&file, "").map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(Self {
            file,
            required,
            is_fresh,
        })
    }

    /// Whether nothing was built here to be built again after a change: what makes that quick
    /// takes a tenth longer the first time, and whoever runs all checks in a fresh clone may
    /// change nothing.
    pub(crate) fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// The variable that tells tests where it is.
    pub(crate) fn variable(&self) -> (&'static str, &Path) {
        (NOT_RUN, &self.file)
    }

    /// Says that a check of ours is not run, since something is missing.
    ///
    /// # Errors
    /// When that is required, or cannot be written down.
    pub(crate) fn missing(&self, what: Prerequisite, why: &str, place: &str) -> Result<(), String> {
        if self.required.contains(&what) {
            return Err(format!("{REQUIRE} names {what}, and it is missing: {why}"));
        }
        println!("==> not run here: {what}: {why}");
        let absence = Absence {
            what,
            why: why.into(),
            place: place.into(),
        };
        absence.append_to(&self.file).map_err(|e| e.to_string())
    }

    /// All that was missing so far.
    pub(crate) fn read(&self) -> Result<Vec<Absence>, String> {
        let text = std::fs::read_to_string(&self.file).map_err(|e| e.to_string())?;
        let lines = text.lines().map(|line| {
            Absence::read(line).ok_or(format!("{}: unreadable: {line}", self.file.display()))
        });
        lines.collect()
    }
}

/// What was missing, and where, for the end of a run; empty where nothing was.
pub(crate) fn report(absences: &[Absence]) -> String {
    let mut reasons: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    for absence in absences {
        let reason = (absence.what, absence.why.as_str());
        reasons.entry(reason).or_default().insert(&absence.place);
    }
    let mut text = String::new();
    if !reasons.is_empty() {
        text += "==> not run here:\n";
    }
    for ((what, why), places) in reasons {
        let _ = writeln!(text, "    {what}: {why}");
        for place in places {
            let _ = writeln!(text, "        {place}");
        }
    }
    text
}

/// A test that is left out wherever it is not asked for by name.
#[derive(Debug, PartialEq, Eq)]
struct IgnoredTest {
    test: String,
    reason: String,
}

/// The tests that are left out on purpose, for the end of a run.
pub(crate) fn report_ignored(texts: &[(String, String)]) -> String {
    let mut text = String::from("==> left out on purpose:\n");
    for (path, source) in texts {
        let is_ours = path.ends_with(".rs") && !path.starts_with("fuzz/");
        for IgnoredTest { test, reason } in ignored(source).into_iter().filter(|_| is_ours) {
            let _ = writeln!(text, "    {path}: {test}: {reason}");
        }
    }
    text
}

/// The tests of a source that have an attribute to be left out, with a reason. (One without is
/// found by `cargo xtask tidy`.)
fn ignored(source: &str) -> Vec<IgnoredTest> {
    let begin = ["#[", "ignore = \""].concat();
    let mut found = Vec::new();
    let mut reason = None;
    let lines = source.lines().map(str::trim);
    for line in lines.filter(|line| !line.starts_with("//")) {
        if let Some(rest) = line.strip_prefix(&begin) {
            reason = rest.strip_suffix("\"]");
        }
        let function = line.split_once("fn ").map(|(_, rest)| rest);
        let Some((name, _)) = function.and_then(|rest| rest.split_once('(')) else {
            continue;
        };
        if let Some(reason) = reason.take() {
            found.push(IgnoredTest {
                test: name.to_string(),
                reason: reason.to_string(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_listed_by_its_reason() {
        let absence = |what, why: &str, place: &str| Absence {
            what,
            why: why.into(),
            place: place.into(),
        };
        assert_eq!(report(&[]), "");
        let absences = [
            absence(Prerequisite::Data, "there is no folder", "b.rs: two"),
            absence(Prerequisite::Cage, "an old kernel", "c.rs"),
            absence(Prerequisite::Data, "there is no folder", "a.rs: one"),
            absence(Prerequisite::Data, "there is no folder", "b.rs: two"),
        ];
        let expected = "==> not run here:\n    cage: an old kernel\n        c.rs\n    \
                        data: there is no folder\n        a.rs: one\n        b.rs: two\n";
        assert_eq!(report(&absences), expected);
    }

    #[test]
    fn what_is_written_down_is_read_again() {
        let file = std::env::temp_dir().join(format!("gridpaper-not-run-{}", std::process::id()));
        let mut record = AbsenceRecord::at(file.clone(), false).unwrap();
        record.required = [Prerequisite::Browser].into();
        let missing = |what| record.missing(what, "why", "place");
        assert_eq!(missing(Prerequisite::Valgrind), Ok(()));
        let error = missing(Prerequisite::Browser).unwrap_err();
        assert_eq!(
            error,
            "GRIDPAPER_REQUIRE names browser, and it is missing: why"
        );
        let read = record.read().unwrap();
        assert_eq!((read.len(), read[0].what), (1, Prerequisite::Valgrind));
        std::fs::write(&file, "nonsense\n").unwrap();
        assert!(record.read().is_err());
        std::fs::remove_file(file).unwrap();
    }

    #[test]
    fn tests_that_are_left_out_are_found_with_their_reasons() {
        let source = [
            "#[test]\n    #[",
            "ignore = \"long\"]\n    fn one() {\n        let x = f(fn_two());\n    }\n\
             /// Another fn (that is none).\n#[tokio::test]\n#[",
            "ignore = \"needs a moon\"]\npub async fn two() {}\n#[test]\nfn three() {}\n",
        ]
        .concat();
        let of = |test: &str, reason: &str| IgnoredTest {
            test: test.into(),
            reason: reason.into(),
        };
        assert_eq!(
            ignored(&source),
            [of("one", "long"), of("two", "needs a moon")]
        );
    }
}
