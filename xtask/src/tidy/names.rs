//! What types and files may be called.

use super::Complaint;
use std::collections::BTreeMap;

/// Names that stand for the same idea wherever they are, as in the standard library.
const IDIOMS: [&str; 7] = [
    "Args", "Builder", "Error", "Iter", "Options", "Reader", "Writer",
];

/// Names that are defined once for each platform.
const FOR_EACH_PLATFORM: [&str; 2] = ["InstructionSet", "SandboxedProcess"];

/// The front's own types, which wrap those of this name in a crate below.
const FRONT: [&str; 2] = ["Pattern", "World"];

/// Words that name no thing: participles, pronouns and their like.
const NO_NOUNS: [&str; 104] = [
    "About",
    "Above",
    "Added",
    "After",
    "Again",
    "Also",
    "Around",
    "Asked",
    "At",
    "Bare",
    "Before",
    "Below",
    "Beside",
    "Between",
    "Beyond",
    "Both",
    "By",
    "Called",
    "Caged",
    "Can",
    "Changed",
    "Checked",
    "Chosen",
    "Counted",
    "Decoupled",
    "Done",
    "Drawn",
    "Each",
    "Either",
    "Ended",
    "Every",
    "Far",
    "Few",
    "Forgotten",
    "Found",
    "Given",
    "Gone",
    "Heard",
    "Held",
    "Here",
    "Hosted",
    "How",
    "Hurried",
    "Impatient",
    "Inside",
    "Kept",
    "Known",
    "Last",
    "Late",
    "Left",
    "Live",
    "Lost",
    "Made",
    "Many",
    "Marked",
    "Most",
    "Named",
    "Near",
    "Never",
    "Next",
    "Now",
    "Off",
    "On",
    "Once",
    "Open",
    "Opened",
    "Other",
    "Others",
    "Ours",
    "Out",
    "Outside",
    "Over",
    "Own",
    "Packed",
    "Perfect",
    "Placed",
    "Plain",
    "Played",
    "Quick",
    "Read",
    "Ready",
    "Refused",
    "Running",
    "Said",
    "Saved",
    "Seated",
    "Seen",
    "Selecting",
    "Shown",
    "Strong",
    "Taken",
    "There",
    "Tilted",
    "Told",
    "Turned",
    "Twice",
    "Typed",
    "Under",
    "Unrolled",
    "Until",
    "Wanted",
    "Watched",
    "What",
    "When",
];

/// Each type's name stands once in the workspace and is a noun, and modules have one style.
pub(super) fn check<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut first: BTreeMap<&str, String> = BTreeMap::new();
    for (path, text) in files.filter(|(path, _)| path.ends_with(".rs")) {
        if path.ends_with("/mod.rs") {
            complaints.push(format!(
                "{path}: expected the module's name: name.rs beside the folder name/"
            ));
        }
        for (line, name) in types(text) {
            let place = format!("{path}:{line}");
            if NO_NOUNS.contains(&name) {
                complaints.push(format!("{place}: the type `{name}` is no noun"));
            }
            let is_wrapper = path.starts_with("crates/gridpaper/") && FRONT.contains(&name);
            if is_wrapper || IDIOMS.contains(&name) || FOR_EACH_PLATFORM.contains(&name) {
                continue;
            }
            match first.get(name) {
                Some(first) => {
                    complaints.push(format!("{place}: the type `{name}` is also in {first}"));
                }
                None => {
                    first.insert(name, place);
                }
            }
        }
    }
    complaints
}

/// The types that a file defines, and the lines where it does. Types of traits and of
/// implementations are none of them.
fn types(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().zip(1..).filter_map(|(line, number)| {
        let code = line.trim_start();
        let is_inner = code.len() < line.len();
        let code = match code.strip_prefix("pub(") {
            Some(rest) => rest.split_once(") ")?.1,
            None => code.strip_prefix("pub ").unwrap_or(code),
        };
        let code = code.strip_prefix(&["unsafe", " "].concat()).unwrap_or(code);
        let (kind, rest) = code.split_once(' ')?;
        let is_type = ["struct", "enum", "trait", "union"].contains(&kind);
        let is_alias = kind == "type" && !is_inner;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let name = &rest[..end.unwrap_or(rest.len())];
        let is_name = name.starts_with(|c: char| c.is_ascii_uppercase());
        (is_name && (is_type || is_alias)).then_some((number, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_finds_its_bad_case() {
        let twice = "struct Tile;\npub(crate) enum Tile<T> {}";
        let rows: &[(&str, &str, usize)] = &[
            ("crates/a/src/b.rs", "pub struct Tile;", 0),
            ("crates/a/src/b.rs", twice, 1),
            ("crates/a/src/b.rs", "struct Error;\ntype Error = u8;", 0),
            (
                "crates/a/src/b.rs",
                "    type Item = u8;\n    type Item = u8;",
                0,
            ),
            ("crates/a/src/b.rs", "    struct Tile;\ntrait Tile {}", 1),
            ("crates/a/src/b.rs", "pub(super) struct Told(u8);", 1),
            ("crates/a/src/b/mod.rs", "", 1),
            ("docs/a.md", twice, 0),
        ];
        for (path, text, expected) in rows {
            let complaints = check(std::iter::once((*path, *text)));
            assert_eq!(
                complaints.len(),
                *expected,
                "{path} {text:?}: {complaints:?}"
            );
        }
    }
}
