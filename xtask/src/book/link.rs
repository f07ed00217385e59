//! Links and headings of a Markdown text, as far as this project writes them.
//!
//! `lychee --offline` (over 300 crates, and no part of a test) would replace only half of what
//! reads this list: that a link and its anchor exist. That each chapter stands in the summary,
//! which files are copied beside the book, and which links break there needs the list itself;
//! mdBook checks no links.

/// A link to a file of the project, or to a place in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookLink {
    /// The line that it stands in, from 1.
    pub(super) line: usize,
    /// The file as it is written; empty for the file itself.
    pub(super) path: String,
    /// What follows `#`; empty where nothing does.
    pub(super) anchor: String,
}

impl BookLink {
    /// As it is written.
    pub(super) fn text(&self) -> String {
        match self.anchor.is_empty() {
            true => self.path.clone(),
            false => format!("{}#{}", self.path, self.anchor),
        }
    }
}

/// The lines that are no code, each with its number.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().zip(1..).filter_map(move |(line, number)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((number, line))
    })
}

/// The line without what stands between back ticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// All links and pictures of a text that lead to files: `[words](path#anchor)`. A link may
/// break its line within the words, not within the brackets behind them.
pub(super) fn links(text: &str) -> Vec<BookLink> {
    let mut links = Vec::new();
    for (line, words) in prose(text) {
        let words = without_code(words);
        for piece in words.split("](").skip(1) {
            let Some((target, _)) = piece.split_once(')') else {
                continue;
            };
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            links.push(BookLink {
                line,
                path: path.to_owned(),
                anchor: anchor.to_owned(),
            });
        }
    }
    links
}

/// The names by which a text's headings can be linked to: lower case, blanks as dashes, no
/// punctuation; the second one of a name has `-1` after it.
pub(super) fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (_, line) in prose(text) {
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let name: String = heading
            .trim()
            .chars()
            .filter_map(|sign| match sign {
                ' ' => Some('-'),
                '-' | '_' => Some(sign),
                _ if sign.is_alphanumeric() => Some(sign.to_ascii_lowercase()),
                _ => None,
            })
            .collect();
        let before = names.iter().filter(|other| **other == name).count();
        found.push(match before {
            0 => name.clone(),
            n => format!("{name}-{n}"),
        });
        names.push(name);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_code() {
        let text = "See [a](b.md), [c](d.md#e)\n![p](q.png) and `[no](x)`\n```\n[no](y)\n```\n\
                    [away](https://example.org) [here](#there)\n";
        let found: Vec<_> = links(text)
            .iter()
            .map(|link| (link.line, link.text()))
            .collect();
        let expected = [(1, "b.md"), (1, "d.md#e"), (2, "q.png"), (6, "#there")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn headings_have_names() {
        let text = "# A Heading, with `code`\n## Twice\n```\n# no\n```\n## Twice\n#no\n";
        assert_eq!(anchors(text), ["a-heading-with-code", "twice", "twice-1"]);
    }
}
