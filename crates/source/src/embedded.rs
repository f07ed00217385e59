//! Patterns within other text: a post in a forum, a page of a wiki, an answer in a mail.

/// The texts of all RLE patterns in a text, in order: those with a header, which may be quoted
/// and have comment lines before it, and single words such as `bo$2bo$3o!`.
///
/// What follows a header belongs to its pattern up to the first `!`; where none comes, or a line
/// that is no cells comes before it, there is no pattern.
///
/// ```
/// let post = "Look at this:\n> x = 3, y = 3, rule = B3/S23\n> bo$2bo$3o!\nor at 2o$2o!, a block.";
/// let found = source::embedded(post);
/// assert_eq!(found, ["x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n", "2o$2o!\n"]);
/// ```
#[must_use]
pub fn embedded(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut comments: Vec<&str> = Vec::new();
    let mut lines = text.lines().map(without_quotes).peekable();
    while let Some(line) = lines.next() {
        let Some(header) = header_in(line) else {
            if line.starts_with('#') {
                comments.push(line);
            } else {
                comments.clear();
                found.extend(line.split_whitespace().filter_map(bare));
            }
            continue;
        };
        let mut block: Vec<&str> = std::mem::take(&mut comments);
        block.push(header);
        while let Some(line) = lines.next_if(|line| is_body(line)) {
            let end = line.find('!');
            block.push(end.map_or(line, |end| &line[..=end]));
            if end.is_some() {
                found.push(block.iter().flat_map(|line| [line, "\n"]).collect());
                break;
            }
        }
    }
    found
}

/// A line without the signs of a quotation before it.
fn without_quotes(line: &str) -> &str {
    line.trim_start_matches(['>', '|', ' ', '\t']).trim_end()
}

/// The header of a pattern in a line, which may have a mark of the page before it, `[code]`.
fn header_in(line: &str) -> Option<&str> {
    let start = line.match_indices('x').map(|(at, _)| at).find(|at| {
        let before = line[..*at].chars().next_back();
        let squeezed: String = line[*at..].chars().filter(|c| !c.is_whitespace()).collect();
        let sizes = squeezed.strip_prefix("x=").and_then(|rest| {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            rest.strip_prefix(",y=")
        });
        before.is_none_or(|c| !c.is_alphanumeric())
            && sizes.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    })?;
    Some(&line[start..])
}

/// Whether a line can stand below a header.
fn is_body(line: &str) -> bool {
    let cells = line.split('!').next().unwrap_or(line);
    let known = |b: u8| matches!(b, b'0'..=b'9' | b'b' | b'o' | b'$' | b'.' | b'A'..=b'X' | b'p'..=b'y' | b' ' | b'\t');
    line.starts_with('#') || cells.bytes().all(known)
}

/// A word that is a pattern without a header. It has a count or an end of a row, for "boo!" is
/// a word of people.
fn bare(word: &str) -> Option<String> {
    let start = word.find(|c: char| c.is_ascii_digit() || "bo$".contains(c))?;
    let end = word.find('!')?;
    let cells = word.get(start..end)?;
    let is_rle = cells.contains('o')
        && cells.contains('$')
        && cells
            .bytes()
            .all(|b| b.is_ascii_digit() || b"bo$".contains(&b));
    is_rle.then(|| format!("{cells}!\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_post_is_read_for_its_patterns() {
        let rows: &[(&str, &[&str])] = &[
            ("", &[]),
            ("Boo! That is all. x = y", &[]),
            (
                "[code]x = 3, y = 1\n3o![/code] thanks!",
                &["x = 3, y = 1\n3o!\n"],
            ),
            (
                "see\n#N Block\n#C two by two\nx=2,y=2,rule=B3/S23\n2o$\n2o! and more\n",
                &["#N Block\n#C two by two\nx=2,y=2,rule=B3/S23\n2o$\n2o!\n"],
            ),
            // without an end, or with words in between, it is none
            ("x = 3, y = 3\nbo$2bo$\nwell, I forgot the rest!", &[]),
            (
                "x = 1, y = 1\no!\n\n#C lost\nprose\nx = 2, y = 1\n2o!",
                &["x = 1, y = 1\no!\n", "x = 2, y = 1\n2o!\n"],
            ),
            (
                "try (bo$2bo$3o!) or \"2o$2o!\".",
                &["bo$2bo$3o!\n", "2o$2o!\n"],
            ),
            (
                ">> x = 4, y = 1, rule = WireWorld\r\n>> A2.B!\r\n",
                &["x = 4, y = 1, rule = WireWorld\nA2.B!\n"],
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(embedded(text), *expected, "{text}");
        }
        for text in embedded(rows[3].0) {
            let (block, _) = pattern::read(text.as_bytes()).unwrap();
            assert_eq!(block.name.as_deref(), Some("Block"));
        }
    }
}
