//! `cargo xtask book`: the book of `docs/`, built by mdBook where that is installed.
//!
//! The chapters are plain Markdown that a forge shows as it is, so the book must not need
//! anything but links between files. [`link`] holds them to that, in a test that needs no
//! mdBook: every chapter stands in `SUMMARY.md`, and every link leads somewhere.
//!
//! The book is built into `book/docs` of the target folder. What chapters link to outside
//! `docs/` (small bots, rules, plans) is copied beside it, so that those links hold there too.

mod link;

use crate::cargo::target;
use link::BookLink;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The book's folder, seen from the root.
const DOCS: &str = "docs";

pub(crate) fn run(root: &Path) -> ExitCode {
    match build(root) {
        Ok(place) => {
            println!("book: {}", place.join("index.html").display());
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("book: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Builds it, and tells where it is.
///
/// # Errors
/// When a link leads nowhere, or mdBook is missing.
pub(crate) fn build(root: &Path) -> Result<PathBuf, String> {
    let complaints = complaints(root)?;
    if !complaints.is_empty() {
        return Err(complaints.join("\nbook: "));
    }
    let version = Command::new("mdbook")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if version.is_err() {
        return Err(
            "mdbook is not installed: `cargo install mdbook --locked` installs it; without it, \
             docs/README.md is the first page, as plain Markdown"
                .into(),
        );
    }
    let book = target(root)?.join("book");
    let place = book.join(DOCS);
    let status = Command::new("mdbook")
        .arg("build")
        .arg("--dest-dir")
        .arg(&place)
        .arg(root)
        .status()
        .map_err(|e| format!("mdbook: {e}"))?;
    if !status.success() {
        return Err(format!("mdbook: {status}"));
    }
    // mdBook makes an index of each README, and leaves links to it as they are
    for chapter in chapters(root)? {
        let Ok(chapter) = chapter.strip_prefix(DOCS) else {
            continue;
        };
        if chapter.ends_with("README.md") {
            let index = place.join(chapter).with_file_name("index.html");
            let copy = index.with_file_name("README.html");
            fs::copy(&index, copy).map_err(|e| format!("{}: {e}", index.display()))?;
        }
    }
    for file in outside(root)? {
        let copy = book.join(&file);
        let folder = copy.parent().unwrap_or(&book);
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        fs::copy(root.join(&file), &copy).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(place)
}

/// The book's chapters and the other texts for people, seen from the root, in order.
fn texts(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found: Vec<PathBuf> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "DEPENDENCIES.md",
        "SECURITY.md",
        "crates/laser/levels/README.md",
        "examples/bots/README.md",
    ]
    .map(PathBuf::from)
    .to_vec();
    found.extend(chapters(root)?);
    Ok(found)
}

/// All Markdown under `docs/`, seen from the root, in order.
fn chapters(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(DOCS)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(root.join(&folder));
        let entries = entries.map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let entry = entry.map_err(|e| format!("{}: {e}", folder.display()))?;
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn read(root: &Path, path: &Path) -> Result<String, String> {
    fs::read_to_string(root.join(path)).map_err(|e| format!("{}: {e}", path.display()))
}

/// A path without `.` and `..`; `None` where it leads out of the root.
fn straight(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            std::path::Component::CurDir => {}
            part => out.push(part),
        }
    }
    Some(out)
}

/// Where a link leads, seen from the root; `None` for other places of the net, and for paths
/// out of this project.
fn target_of(path: &Path, link: &BookLink) -> Option<PathBuf> {
    if link.path.is_empty() {
        return Some(path.to_path_buf());
    }
    straight(&path.parent()?.join(&link.path))
}

/// What chapters link to outside the book.
fn outside(root: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let mut found = BTreeSet::new();
    for path in chapters(root)? {
        for link in link::links(&read(root, &path)?) {
            found.extend(target_of(&path, &link).filter(|target| !target.starts_with(DOCS)));
        }
    }
    Ok(found)
}

/// What is wrong with the book: chapters that nobody finds, links that lead nowhere.
fn complaints(root: &Path) -> Result<Vec<String>, String> {
    let mut complaints = Vec::new();
    let summary = Path::new(DOCS).join("SUMMARY.md");
    let listed: Vec<_> = link::links(&read(root, &summary)?)
        .iter()
        .filter_map(|link| target_of(&summary, link))
        .collect();
    for path in chapters(root)? {
        if path != summary && !listed.contains(&path) {
            complaints.push(format!(
                "{} does not stand in docs/SUMMARY.md",
                path.display()
            ));
        }
    }
    for path in texts(root)? {
        for link in link::links(&read(root, &path)?) {
            if let Some(why) = fault(root, &path, &link)? {
                complaints.push(format!(
                    "{}:{}: {}: {why}",
                    path.display(),
                    link.line,
                    link.text()
                ));
            }
        }
    }
    Ok(complaints)
}

/// What is wrong with a link.
fn fault(root: &Path, path: &Path, link: &BookLink) -> Result<Option<String>, String> {
    let Some(target) = target_of(path, link) else {
        return Ok(Some("leads out of this project".into()));
    };
    let place = root.join(&target);
    if !place.exists() {
        return Ok(Some("leads nowhere".into()));
    }
    let is_text = target.extension().is_some_and(|ending| ending == "md");
    let leaves = path.starts_with(DOCS) && !target.starts_with(DOCS);
    if leaves && (is_text || !place.is_file()) {
        let why = "the built book has files of the project beside it, and no folders or Markdown";
        return Ok(Some(why.into()));
    }
    if link.anchor.is_empty() {
        return Ok(None);
    }
    if !is_text {
        return Ok(Some("only Markdown has places to link to".into()));
    }
    let anchors = link::anchors(&read(root, &target)?);
    Ok((!anchors.contains(&link.anchor)).then(|| "there is no such heading".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_is_listed_and_every_link_leads_somewhere() {
        let complaints = complaints(&crate::root()).unwrap();
        assert!(complaints.is_empty(), "{complaints:#?}");
    }

    #[test]
    fn bad_links_are_told() {
        let root = crate::root();
        let rows = [
            ("docs/games.md", "arena.md", None),
            ("docs/games.md", "arena.md#tournaments", None),
            ("docs/games.md", "arena.md#cricket", Some("no such heading")),
            ("docs/games.md", "nowhere.md", Some("leads nowhere")),
            ("docs/games.md", "../../secrets", Some("leads out")),
            (
                "docs/games.md",
                "../examples/bots/README.md",
                Some("no folders or Markdown"),
            ),
            ("docs/games.md", "../examples/bots/chance.c", None),
            ("README.md", "docs/games.md", None),
            ("README.md", "LICENSE-MIT#x", Some("only Markdown")),
        ];
        for (path, text, expected) in rows {
            let links = link::links(&format!("[x]({text})"));
            let told = fault(&root, Path::new(path), &links[0]).unwrap();
            match expected {
                None => assert_eq!(told, None, "{path}: {text}"),
                Some(piece) => assert!(
                    told.clone().is_some_and(|told| told.contains(piece)),
                    "{text}: {told:?}"
                ),
            }
        }
    }
}
