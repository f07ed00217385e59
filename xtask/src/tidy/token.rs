//! The tokens of a source file, with what brackets enclose as one of them.

use super::Complaint;
use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind};

/// A token. Comments are none.
#[derive(Debug)]
pub(super) enum TokenTree {
    /// A name or a keyword, without `r#`.
    Name(String),
    Sign(char),
    /// A pair of brackets, by the opening one, and what it encloses.
    Group(char, Vec<TokenTree>),
    /// A number, a string, a character or a lifetime.
    Literal,
}

/// Reads a source file.
pub(super) fn read(file: &str, text: &str) -> Result<Vec<TokenTree>, Complaint> {
    let mut open: Vec<(char, Vec<TokenTree>)> = Vec::new();
    let mut trees = Vec::new();
    let mut at = 0;
    for token in ra_ap_rustc_lexer::tokenize(text, FrontmatterAllowed::No) {
        let word = &text[at..at + token.len as usize];
        let sign = word.chars().next().unwrap_or(' ');
        at += word.len();
        let tree = match token.kind {
            TokenKind::Whitespace | TokenKind::LineComment { .. } => continue,
            TokenKind::BlockComment { .. } => continue,
            TokenKind::Ident => TokenTree::Name(word.into()),
            TokenKind::RawIdent => TokenTree::Name(word["r#".len()..].into()),
            TokenKind::Literal { .. } | TokenKind::Lifetime { .. } => TokenTree::Literal,
            TokenKind::OpenParen | TokenKind::OpenBrace | TokenKind::OpenBracket => {
                open.push((sign, std::mem::take(&mut trees)));
                continue;
            }
            TokenKind::CloseParen | TokenKind::CloseBrace | TokenKind::CloseBracket => {
                let line = || text[..at].lines().count();
                let (opening, around) = open
                    .pop()
                    .ok_or_else(|| format!("{file}:{}: `{sign}` closes nothing", line()))?;
                TokenTree::Group(opening, std::mem::replace(&mut trees, around))
            }
            _ => TokenTree::Sign(sign),
        };
        trees.push(tree);
    }
    match open.pop() {
        Some((opening, _)) => Err(format!("{file}: a `{opening}` is never closed")),
        None => Ok(trees),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_enclose_and_comments_are_no_tokens() {
        let text = "r#use /* ( */ a::b('(', \"[\", 'x: r\"{\") // }\n";
        let trees = read("a.rs", text).unwrap();
        let shape = format!("{trees:?}");
        assert_eq!(
            shape,
            "[Name(\"use\"), Name(\"a\"), Sign(':'), Sign(':'), Name(\"b\"), Group('(', \
             [Literal, Sign(','), Literal, Sign(','), Literal, Sign(':'), Literal])]"
        );
        assert!(read("a.rs", "\n}").unwrap_err().starts_with("a.rs:2: `}`"));
        assert!(read("a.rs", "f(").unwrap_err().contains("`(`"));
    }
}
