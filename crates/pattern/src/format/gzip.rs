//! Compressed files of any format (RFC 1952).
//!
//! Deflate expands up to 1032 times, so 1 MB can stand for 1 GiB. Two bounds are checked at
//! every step of unpacking. (The length in the trailer is not used: in a truncated file those
//! bytes are something else.)

use super::ReadLimits;
use crate::budget::ReadBudget;
use crate::error::{PatternProblem, ReadError};
use flate2::bufread::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// Whether bytes begin as compressed ones do.
///
/// ```
/// assert!(pattern::is_compressed(&[0x1f, 0x8b, 0x08]));
/// assert!(!pattern::is_compressed(b"3o!"));
/// ```
#[must_use]
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// How much is unpacked between two looks at the bounds.
const STEP: usize = 64 << 10;

/// The bytes unpacked, or as they are when they are not packed.
pub(super) fn unpacked<'a>(
    bytes: &'a [u8],
    limits: ReadLimits,
    budget: &mut ReadBudget,
) -> Result<Cow<'a, [u8]>, ReadError> {
    if !is_compressed(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    unpack(bytes, limits, budget)
        .map(Cow::Owned)
        .map_err(|problem| ReadError {
            place: None,
            problem,
        })
}

fn unpack(
    bytes: &[u8],
    limits: ReadLimits,
    budget: &mut ReadBudget,
) -> Result<Vec<u8>, PatternProblem> {
    let mut text: Vec<u8> = Vec::new();
    let mut decoder = MultiGzDecoder::new(bytes);
    loop {
        budget.reserve(&mut text, STEP)?;
        let step = (&mut decoder).take(STEP as u64).read_to_end(&mut text);
        let step = step.map_err(|_| PatternProblem::BrokenCompression)?;
        if step == 0 {
            return Ok(text);
        }
        let taken = bytes.len() - decoder.get_ref().len();
        check(text.len() as u64, taken as u64, limits)?;
    }
}

/// Checks the size of the output, and its ratio to the input, against the limits.
fn check(unpacked: u64, packed: u64, limits: ReadLimits) -> Result<(), PatternProblem> {
    if unpacked > limits.unpacked {
        return Err(PatternProblem::UnpacksTooLarge(limits.unpacked));
    }
    let allowed = packed.saturating_mul(limits.ratio);
    if unpacked > allowed.saturating_add(ReadLimits::FREE_BYTES) {
        return Err(PatternProblem::UnpacksTooFar {
            ratio: limits.ratio,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_with_limits, write_compressed};
    use std::io::Write;

    fn packed(rle: &str) -> Vec<u8> {
        let pattern = crate::Pattern::from_text(rle).unwrap();
        let mut out = Vec::new();
        write_compressed(&pattern, Format::Rle, &mut out).unwrap();
        out
    }

    fn gzipped(text: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(text).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn unpacks_up_to_the_limit() {
        let bytes = packed("x = 3, y = 1\n3o!");
        let within = |unpacked| ReadLimits {
            unpacked,
            ..ReadLimits::default()
        };
        let (pattern, format) = read_with_limits(&bytes, within(17)).unwrap();
        assert_eq!(pattern.cells.population(), 3u8.into());
        assert_eq!(format, Format::Rle);
        let error = read_with_limits(&bytes, within(16)).unwrap_err();
        assert_eq!(error.to_string(), "unpacks to more than 16 bytes");
        let error = read_with_limits(&bytes[..20], ReadLimits::default()).unwrap_err();
        assert_eq!(error.problem, PatternProblem::BrokenCompression);
    }

    #[test]
    fn bombs_are_refused_before_they_are_unpacked() {
        let text = [b"x = 3, y = 3\n".to_vec(), b"o$".repeat(20 << 20)].concat();
        let bomb = gzipped(&text);
        // Several files one after the other are one.
        let many = gzipped(&[b' '; 1 << 20]).repeat(40);
        let far = PatternProblem::UnpacksTooFar { ratio: 200 };
        for (name, bytes) in [("one", &bomb), ("many", &many)] {
            let error = read_with_limits(bytes, ReadLimits::default()).unwrap_err();
            assert_eq!(error.problem, far, "{name}");
        }
        let words = "unpacks to more than 200 times its size, and to more than 16 MiB";
        assert_eq!(far.to_string(), words);
        // What is small may be packed as well as it likes.
        let rows = gzipped(&b"o$".repeat(1 << 20));
        assert!(read_with_limits(&rows, ReadLimits::default()).is_ok());
        let little = ReadLimits {
            memory: 1 << 20,
            ..ReadLimits::default()
        };
        let error = read_with_limits(&rows, little).unwrap_err();
        assert_eq!(error.problem, PatternProblem::NeedsMemory(1 << 20));
    }
}
