//! Escapes any text into one line or one word of a line.

/// Where the escaped text is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EscapeContext {
    /// The rest of a line: blanks are allowed inside, not at the ends.
    Rest,
    /// One word: no blanks, and no colon, which separates a move from its times. The empty word
    /// is `\e`.
    Word,
}

/// Escapes a text.
pub(super) fn escape(text: &str, kind: EscapeContext) -> String {
    if text.is_empty() && kind == EscapeContext::Word {
        return r"\e".into();
    }
    let last = text.chars().count().saturating_sub(1);
    let mut escaped = String::with_capacity(text.len());
    for (i, sign) in text.chars().enumerate() {
        let is_within = kind == EscapeContext::Rest && i > 0 && i < last;
        match sign {
            '\\' => escaped.push_str(r"\\"),
            '\n' => escaped.push_str(r"\n"),
            '\r' => escaped.push_str(r"\r"),
            '\t' => escaped.push_str(r"\t"),
            ' ' if !is_within => escaped.push_str(r"\s"),
            _ if is_unseen(sign) || (sign == ':' && kind == EscapeContext::Word) => {
                escaped.push_str(&format!("\\u{{{:x}}}", u32::from(sign)));
            }
            _ => escaped.push(sign),
        }
    }
    escaped
}

/// Control and invisible characters.
fn is_unseen(sign: char) -> bool {
    sign.is_control()
        || (sign.is_whitespace() && sign != ' ')
        || matches!(
            sign,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
        )
}

/// Unescapes a text.
///
/// # Errors
/// The byte position of an invalid escape.
pub(super) fn unescape(text: &str) -> Result<String, usize> {
    if text == r"\e" {
        return Ok(String::new());
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let escape = &rest[at..];
        let wrong = text.len() - escape.len();
        let (sign, length) = read_escape(escape).ok_or(wrong)?;
        plain.push(sign);
        rest = &escape[length..];
    }
    plain.push_str(rest);
    Ok(plain)
}

/// The character of the escape at the beginning of a text, and the escape's length.
fn read_escape(text: &str) -> Option<(char, usize)> {
    let sign = match text.as_bytes().get(1)? {
        b'\\' => '\\',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b's' => ' ',
        b'u' => {
            let (number, _) = text.strip_prefix(r"\u{")?.split_once('}')?;
            let has_sign = number.starts_with('+');
            let code = u32::from_str_radix(number, 16).ok().filter(|_| !has_sign);
            return Some((char::from_u32(code?)?, r"\u{}".len() + number.len()));
        }
        _ => return None,
    };
    Some((sign, 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn written_moves_have_no_invisible_characters() {
        let rows = [
            ("my bot --flag", "my bot --flag", r"my\sbot\s--flag"),
            (" a ", r"\sa\s", r"\sa\s"),
            ("", "", r"\e"),
            ("a:b", "a:b", r"a\u{3a}b"),
            ("C:\\bots\n", r"C:\\bots\n", r"C\u{3a}\\bots\n"),
            ("\u{1b}[31m", r"\u{1b}[31m", r"\u{1b}[31m"),
            ("täfelchen ✎", "täfelchen ✎", r"täfelchen\s✎"),
            ("\u{202e}x\u{a0}y", r"\u{202e}x\u{a0}y", r"\u{202e}x\u{a0}y"),
        ];
        for (text, rest, word) in rows {
            assert_eq!(escape(text, EscapeContext::Rest), rest);
            assert_eq!(escape(text, EscapeContext::Word), word);
        }
    }

    #[test]
    fn wrong_escapes_are_found() {
        for (text, at) in [
            (r"a\", 1),
            (r"ab\x", 2),
            (r"\u{d800}", 0),
            (r"\u{+41}", 0),
            (r"ä\u{}", 2),
            (r"\\\u{41", 2),
        ] {
            assert_eq!(unescape(text), Err(at), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text: String) {
            for kind in [EscapeContext::Rest, EscapeContext::Word] {
                let escaped = escape(&text, kind);
                prop_assert!(!escaped.contains('\n') && !escaped.contains('\r'));
                prop_assert_eq!(escaped.trim(), &escaped);
                prop_assert_eq!(unescape(&escaped), Ok(text.clone()));
            }
            prop_assert!(!escape(&text, EscapeContext::Word).contains([' ', ':']));
        }

        #[test]
        fn nothing_panics(text in r"(\\|u|\{|\}|[0-9a-f]|ä|.){0,12}") {
            let _ = unescape(&text);
        }
    }
}
