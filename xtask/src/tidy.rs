//! `cargo xtask tidy`: the rules of the project that no compiler holds.
//!
//! Each rule is a function from text to complaints, so that its tests can hand it a bad
//! case; [`run`] hands it the project.

mod circle;
mod dependency;
mod examples;
mod names;
mod source;
mod system;
mod token;

use crate::cargo::{metadata, output};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What is wrong, and where: one line.
type Complaint = String;

/// Checks the whole project and prints every complaint.
pub(crate) fn run(root: &Path) -> ExitCode {
    match complaints(root) {
        Ok(complaints) if complaints.is_empty() => {
            println!("tidy: no complaints");
            ExitCode::SUCCESS
        }
        Ok(complaints) => {
            for complaint in &complaints {
                println!("tidy: {complaint}");
            }
            println!("tidy: {} complaints", complaints.len());
            ExitCode::FAILURE
        }
        Err(error) => {
            println!("tidy: {error}");
            ExitCode::FAILURE
        }
    }
}

fn complaints(root: &Path) -> Result<Vec<Complaint>, String> {
    let mut complaints = dependency::check(&metadata(root)?);
    let texts = texts(root)?;
    for (path, text) in &texts {
        complaints.extend(examples::check(path, text));
        complaints.extend(source::check(path, text));
        complaints.extend(system::check(path, text));
    }
    let named = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()));
    complaints.extend(names::check(named.clone()));
    complaints.extend(circle::check(named));
    Ok(complaints)
}

/// The texts that are part of the project, and their paths, relative to the root.
pub(crate) fn texts(root: &Path) -> Result<Vec<(String, String)>, String> {
    let listed = output(
        Command::new("git")
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .current_dir(root),
    )?;
    let listed = String::from_utf8_lossy(&listed);
    let paths = listed.split('\0').filter(|path| !path.is_empty());
    // A file may have been deleted and not yet be committed so; and a file that is not text has
    // nothing to say here.
    let text = |path: &str| {
        let text = fs::read_to_string(root.join(path)).ok()?;
        Some((path.to_string(), text))
    };
    Ok(paths.filter_map(text).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_project_is_tidy() {
        let complaints = super::complaints(&crate::root()).unwrap();
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}
