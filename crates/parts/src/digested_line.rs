//! Lines that end with the SHA-256 of what stands before: a JSON object whose last key is `digest`.

use sha2::{Digest as _, Sha256};

/// A SHA-256.
pub type UnitDigest = [u8; 32];

/// What stands before the digest of a line.
const MARK: &str = ",\"digest\":\"";
/// What stands behind it.
const END: &str = "\"}";
/// The length of a digest.
const DIGITS: usize = 64;

const HEXADECIMAL: &[u8; 16] = b"0123456789abcdef";

/// The SHA-256 of a text, in hexadecimal digits.
///
/// ```
/// assert!(parts::text_digest("").starts_with("e3b0c442"));
/// ```
#[must_use]
pub fn text_digest(text: &str) -> String {
    hexadecimal(&Sha256::digest(text).into())
}

/// Closes a JSON object with its digest; the digest comes second.
///
/// ```
/// let (line, digest) = parts::close_line(r#"{"unit":2}"#.into());
/// assert_eq!(line, format!(r#"{{"unit":2,"digest":"{digest}"}}"#));
/// assert_eq!(parts::read_digested(&line)?.0, r#"{"unit":2"#);
/// # Ok::<(), &'static str>(())
/// ```
#[must_use]
pub fn close_line(mut line: String) -> (String, String) {
    let digest = text_digest(&line);
    line.pop();
    line += MARK;
    line += &digest;
    line += END;
    (line, digest)
}

/// What stands in a line before its digest, where that is the right one, and the digest.
///
/// # Errors
/// There is no digest, or it is of something else.
///
/// ```
/// assert_eq!(parts::read_digested("{\"unit\":2}"), Err("it has no digest"));
/// ```
pub fn read_digested(line: &str) -> Result<(&str, UnitDigest), &'static str> {
    let (counts, kept) = line
        .len()
        .checked_sub(MARK.len() + DIGITS + END.len())
        .and_then(|at| line.split_at_checked(at))
        .and_then(|(counts, tail)| {
            let tail = tail.strip_prefix(MARK)?;
            Some((counts, tail.strip_suffix(END)?))
        })
        .ok_or("it has no digest")?;
    let mut digest = Sha256::new();
    digest.update(counts);
    digest.update(b"}");
    let digest = digest.finalize().into();
    match is_hexadecimal(&digest, kept) {
        true => Ok((counts, digest)),
        false => Err("its digest is another"),
    }
}

/// Whether a text is a digest in hexadecimal digits.
///
/// ```
/// assert!(parts::is_hexadecimal(&[0x5a; 32], &"5a".repeat(32)));
/// assert!(!parts::is_hexadecimal(&[0x5a; 32], &"5A".repeat(32)));
/// ```
#[must_use]
pub fn is_hexadecimal(digest: &UnitDigest, text: &str) -> bool {
    let mut pairs = digest.iter().zip(text.as_bytes().chunks_exact(2));
    text.len() == DIGITS
        && pairs.all(|(byte, pair)| {
            let digits = [byte >> 4, byte & 15].map(|digit| HEXADECIMAL[usize::from(digit)]);
            pair == digits
        })
}

/// A digest in hexadecimal digits.
///
/// ```
/// assert_eq!(parts::hexadecimal(&[0x5a; 32]), "5a".repeat(32));
/// ```
#[must_use]
pub fn hexadecimal(digest: &UnitDigest) -> String {
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(HEXADECIMAL[usize::from(digit)]))
        .collect()
}
