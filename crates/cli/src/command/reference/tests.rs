//! What the reference rests on, and what the texts for people show.

use super::*;
use clap::Parser as _;
use std::path::{Path, PathBuf};

#[test]
fn every_shape_is_one() {
    for (written, _) in SHAPES {
        let rule: Result<rule::Rule, _> = format!("B3/S23{written}").parse();
        assert_eq!(rule.unwrap().to_string(), format!("B3/S23{written}"));
    }
}

#[test]
fn nothing_is_a_sign_of_markdown() {
    assert_eq!(plain("a <B> | *c*_d"), "a \\<B\\> \\| \\*c\\*\\_d");
    assert_eq!(plain("answer `?` to *it*"), "answer `?` to \\*it\\*");
    assert_eq!(plain("one ` alone"), "one \\` alone");
    assert_eq!(code("a|b"), "`a\\|b`");
}

/// Every text that tells people to type commands.
fn texts() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = [
        "README.md",
        "crates/laser/levels/README.md",
        "examples/bots/README.md",
    ]
    .map(|name| root.join(name))
    .to_vec();
    let pages = std::fs::read_dir(root.join("docs")).unwrap();
    files.extend(pages.map(|entry| entry.unwrap().path()));
    files.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    files.sort();
    files
}

/// The commands of this program in a line that tells people what to type.
fn typed(line: &str) -> Option<Vec<Vec<String>>> {
    let line = line.trim().replace("cargo run --release --", "gridpaper");
    let words = shlex::split(line.strip_prefix("$ ").unwrap_or(&line))?;
    let is_end = |word: &String| ["|", ">", ">>", "<", "&&", "||"].contains(&word.as_str());
    let parts = words.split(is_end);
    let ours = parts.filter(|part| part.first().is_some_and(|word| word == "gridpaper"));
    Some(ours.map(<[String]>::to_vec).collect())
}

/// A command that the book shows and the program does not take would be found by whoever
/// tries it first.
#[test]
fn every_command_in_the_texts_is_one() {
    let mut count = 0;
    for path in texts() {
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.replace("\\\n", " ");
        for line in text.lines() {
            let is_typed = ["$ ", "    gridpaper "]
                .iter()
                .any(|sign| line.starts_with(sign));
            if !is_typed {
                continue;
            }
            let place = format!("{}: {line}", path.display());
            // what ends with `;` is one word to shlex
            let line = line.replace("; ", " && ");
            for words in typed(&line).unwrap_or_else(|| panic!("{place}: quotation marks")) {
                count += 1;
                if let Err(error) = CliArguments::try_parse_from(words) {
                    panic!("{place}\n{error}");
                }
            }
        }
    }
    assert!(count > 60, "only {count} commands were found");
}

/// The README counts the levels that can be solved, as the page does.
#[test]
fn the_readme_counts_the_levels() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(path).unwrap();
    let count = laser::level::solvable().count();
    assert!(
        text.contains(&format!("\n{count} levels with ")),
        "{count} levels"
    );
}
