//! Which public functions have no example.

use super::Complaint;

/// Crates whose public functions all have an example that is compiled, but for those whose body is
/// one line: getters and their like.
const CRATES: [&str; 21] = [
    "arena",
    "batch",
    "cage",
    "dice",
    "engine",
    "games",
    "grid",
    "gridpaper",
    "jit",
    "kernel",
    "laser",
    "matches",
    "models",
    "pattern",
    "players",
    "plot",
    "render",
    "rule",
    "session",
    "source",
    "tournament",
];

/// Holds one file of a library against the rule. `path` is relative to the root.
pub(super) fn check(path: &str, text: &str) -> Vec<Complaint> {
    let folder = |name: &str| path.starts_with(&format!("crates/{name}/src/"));
    if !CRATES.iter().any(|name| folder(name)) || !path.ends_with(".rs") {
        return Vec::new();
    }
    // Tests stand at the end of a file.
    let end = text.find("\n#[cfg(test)]\nmod ").unwrap_or(text.len());
    let lines: Vec<&str> = text[..end].lines().collect();
    let mut complaints = Vec::new();
    let mut doc: Vec<&str> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        if code.starts_with("///") || code.starts_with("#[") {
            doc.push(code);
            continue;
        }
        if let Some(name) = public_function(code) {
            let is_hidden = doc.contains(&"#[doc(hidden)]");
            if !is_hidden && !has_example(&doc) && has_long_body(&lines[number..]) {
                complaints.push(format!(
                    "{path}:{}: `{name}` has no example that is compiled",
                    number + 1
                ));
            }
        }
        doc.clear();
    }
    complaints
}

/// The name, where a line begins a function that everybody may call.
fn public_function(code: &str) -> Option<&str> {
    let code = code.strip_prefix("pub ")?;
    let code = code.strip_prefix("const ").unwrap_or(code);
    let name = code.strip_prefix("fn ")?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

/// Whether a code block opens that the compiler sees: one without a language, or that is only not
/// run.
fn has_example(doc: &[&str]) -> bool {
    let fences = doc.iter().filter_map(|line| {
        let line = line.strip_prefix("///")?.trim();
        line.strip_prefix("```")
    });
    // Every other fence closes a block.
    fences
        .step_by(2)
        .any(|language| matches!(language, "" | "no_run"))
}

/// Whether a function's body has more than one line, where `lines` begin with its first one.
fn has_long_body(lines: &[&str]) -> bool {
    let indent = lines[0].len() - lines[0].trim_start().len();
    let close = format!("{}}}", " ".repeat(indent));
    let open = lines.iter().position(|line| line.ends_with('{'));
    let close = lines.iter().position(|line| *line == close);
    match (open, close) {
        (Some(open), Some(close)) => close > open + 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_without_an_example_are_found() {
        let function = |doc: &str, head: &str, body: &str| {
            check(
                "crates/grid/src/rect.rs",
                &format!("impl Rect {{\n{doc}    {head} {{\n{body}    }}\n}}\n"),
            )
        };
        let long = "        let x = 1;\n        x\n";
        let example = "    /// What.\n    ///\n    /// ```\n    /// f();\n    /// ```\n";
        let rows = [
            ("    /// What.\n", "pub fn new() -> u8", long, 1),
            ("    /// What.\n", "pub const fn new() -> u8", long, 1),
            (
                "    /// What.\n    #[must_use]\n",
                "pub fn new() -> u8",
                long,
                1,
            ),
            (
                "    /// ```text\n    /// a\n    /// ```\n",
                "pub fn new()",
                long,
                1,
            ),
            (example, "pub fn new() -> u8", long, 0),
            (
                "    /// ```no_run\n    /// f();\n    /// ```\n",
                "pub fn new()",
                long,
                0,
            ),
            ("    /// What.\n", "pub fn new() -> u8", "        1\n", 0),
            ("    /// What.\n", "pub(crate) fn new() -> u8", long, 0),
            ("    /// What.\n", "fn new() -> u8", long, 0),
            ("    #[doc(hidden)]\n", "pub fn new() -> u8", long, 0),
        ];
        for (doc, head, body, expected) in rows {
            assert_eq!(function(doc, head, body).len(), expected, "{doc}{head}");
        }
    }

    #[test]
    fn a_head_of_several_lines_is_no_body() {
        let text = "/// What.\npub fn new(\n    a: u8,\n    b: u8,\n) -> u8 {\n    a + b\n}\n";
        assert!(check("crates/rule/src/lib.rs", text).is_empty());
        let text = text.replace("    a + b\n", "    let c = a;\n    c + b\n");
        assert_eq!(check("crates/rule/src/lib.rs", &text).len(), 1);
    }

    #[test]
    fn tests_and_other_crates_need_none() {
        let function = "/// What.\npub fn new() {\n    a();\n    b();\n}\n";
        assert!(check("crates/web/src/lib.rs", function).is_empty());
        assert!(check("crates/rule/tests/it/main.rs", function).is_empty());
        let tests = format!("fn a() {{}}\n\n#[cfg(test)]\nmod tests {{\n{function}}}\n");
        assert!(check("crates/rule/src/lib.rs", &tests).is_empty());
    }
}
