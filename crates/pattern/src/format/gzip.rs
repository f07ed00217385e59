//! Compressed files of any format (RFC 1952).

use super::Limits;
use crate::error::{Problem, ReadError};
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// Whether bytes begin as compressed ones do.
#[must_use]
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// The bytes unpacked, or as they are when they are not packed.
pub(super) fn unpacked(bytes: &[u8], limits: Limits) -> Result<Cow<'_, [u8]>, ReadError> {
    if !is_compressed(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    let error = |problem| ReadError {
        place: None,
        problem,
    };
    let mut text = Vec::new();
    let mut unpacking = MultiGzDecoder::new(bytes).take(limits.unpacked.saturating_add(1));
    let done = unpacking.read_to_end(&mut text);
    done.map_err(|_| error(Problem::BrokenCompression))?;
    if text.len() as u64 > limits.unpacked {
        return Err(error(Problem::UnpacksTooLarge(limits.unpacked)));
    }
    Ok(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_within, write_compressed};

    fn packed(rle: &str) -> Vec<u8> {
        let pattern = crate::Pattern::from_text(rle).unwrap();
        let mut out = Vec::new();
        write_compressed(&pattern, Format::Rle, &mut out).unwrap();
        out
    }

    #[test]
    fn unpacks_up_to_the_limit() {
        let bytes = packed("x = 3, y = 1\n3o!");
        let (pattern, format) = read_within(&bytes, Limits { unpacked: 17 }).unwrap();
        assert_eq!(pattern.cells.population(), 3u8.into());
        assert_eq!(format, Format::Rle);
        let error = read_within(&bytes, Limits { unpacked: 16 }).unwrap_err();
        assert_eq!(error.to_string(), "unpacks to more than 16 bytes");
        let error = read_within(&bytes[..20], Limits::default()).unwrap_err();
        assert_eq!(error.problem, Problem::BrokenCompression);
    }
}
