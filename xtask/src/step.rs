//! The steps that the checks consist of, each a call of cargo; those that several chores run are here.

use crate::absence::AbsenceRecord;
use crate::cargo::cargo;
use crate::compiler::Wrapper;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// One check: what it is called, and the command.
pub(crate) struct XtaskStep {
    pub(crate) name: &'static str,
    pub(crate) arguments: &'static [&'static str],
    pub(crate) environment: &'static [(&'static str, &'static str)],
}

impl XtaskStep {
    pub(crate) const fn new(name: &'static str, arguments: &'static [&'static str]) -> Self {
        Self {
            name,
            arguments,
            environment: &[],
        }
    }
}

pub(crate) const FORMAT: XtaskStep = XtaskStep::new("fmt", &["fmt", "--all", "--check"]);
/// Clippy compiles all that there is: see [`crate::compiler`]. This and all that follows is of the
/// whole workspace, with the features that it has by itself and in cargo's profile `dev`: so
/// each crate is compiled once.
pub(crate) const BUILD: XtaskStep = XtaskStep::new(
    "build with clippy",
    &["build", "--workspace", "--all-targets"],
);
/// Examples and benches are not run.
pub(crate) const NEXTEST: XtaskStep = XtaskStep::new(
    "test",
    &[
        "nextest",
        "run",
        "--workspace",
        "--lib",
        "--bins",
        "--tests",
    ],
);
/// Where nextest is not installed. Unit and integration tests only: doctests come next.
pub(crate) const PLAIN_TEST: XtaskStep = XtaskStep::new(
    "test",
    &["test", "--workspace", "--lib", "--bins", "--tests"],
);
/// The same, for a list of packages to follow.
pub(crate) const SOME_TESTS: XtaskStep =
    XtaskStep::new("test", &["test", "--lib", "--bins", "--tests"]);

/// The filter by which nextest runs the tests of some packages.
pub(crate) fn of_packages(names: &[&str]) -> String {
    let filters = names.iter().map(|name| format!("package(={name})"));
    filters.collect::<Vec<_>>().join(" | ")
}

/// Runs one step, with some arguments more; tells why it failed. What is missing for it is
/// recorded.
pub(crate) fn run_step(
    root: &Path,
    step: &XtaskStep,
    more: &[String],
    record: &AbsenceRecord,
) -> Result<(), String> {
    println!("{}", heading(step, more));
    // What the step prints is not caught: a runner's closing lines are for whoever
    // reads the log.
    let status = command(root, step, more, record)?.status();
    outcome(step, status)
}

/// Runs one step while others run: what it prints comes after its heading, when it has ended.
pub(crate) fn run_step_aside(
    root: &Path,
    step: &XtaskStep,
    record: &AbsenceRecord,
) -> Result<(), String> {
    let ended = command(root, step, &[], record)?.output();
    let mut out = std::io::stdout().lock();
    let printed = ended.and_then(|ended| {
        writeln!(out, "{}", heading(step, &[]))?;
        out.write_all(&ended.stderr)?;
        out.write_all(&ended.stdout)?;
        Ok(ended.status)
    });
    outcome(step, printed)
}

fn heading(step: &XtaskStep, more: &[String]) -> String {
    let more = more.iter().map(String::as_str);
    let words: Vec<&str> = step.arguments.iter().copied().chain(more).collect();
    format!("==> {}: cargo {}", step.name, words.join(" "))
}

fn command(
    root: &Path,
    step: &XtaskStep,
    more: &[String],
    record: &AbsenceRecord,
) -> Result<Command, String> {
    // what is made for release is measured, and is made as everybody makes it
    let is_checked = !["fmt", "--release"]
        .iter()
        .any(|word| step.arguments.contains(word));
    let wrapper = is_checked.then(|| Wrapper::of(root)).transpose()?;
    let mut command = cargo(root);
    command
        .args(step.arguments)
        .args(more)
        .envs(wrapper.map(Wrapper::variables).into_iter().flatten())
        .envs(step.environment.iter().copied())
        .envs([record.variable()])
        .envs(record.is_fresh().then_some(("CARGO_INCREMENTAL", "0")));
    Ok(command)
}

fn outcome(step: &XtaskStep, status: std::io::Result<ExitStatus>) -> Result<(), String> {
    let why = match status {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    Err(format!("{}: {why}", step.name))
}
