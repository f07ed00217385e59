//! Limits of memory and size for reading and writing.

/// The limits of a reader.
///
/// ```
/// use pattern::{ReadLimits, read_with_limits};
/// let limits = ReadLimits { memory: 1 << 20, ..ReadLimits::default() };
/// let rows = "o$".repeat(1 << 20);
/// let error = read_with_limits(rows.as_bytes(), limits).unwrap_err();
/// assert_eq!(error.problem.to_string(), "the pattern needs more than 1 MiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// The most bytes that compressed input may unpack to.
    pub unpacked: u64,
    /// The greatest compression ratio after the first [`ReadLimits::FREE_BYTES`] bytes. It is
    /// checked throughout the stream and not only at its end, so that a decompression bomb costs
    /// no more than the free part.
    pub ratio: u64,
    /// The most bytes that reading may hold: text that was unpacked, cells in the form that
    /// they are collected in and in the one that they end in, and comments. What would pass
    /// it is refused before it is allocated. Text that is passed in is not counted.
    pub memory: u64,
}

impl ReadLimits {
    /// The bytes that may be unpacked at any ratio.
    pub const FREE_BYTES: u64 = 16 << 20;
}

impl Default for ReadLimits {
    /// 1 GiB, a ratio of 200, and no limit of memory.
    ///
    /// Deflate's greatest ratio is 1032. Of 355 patterns of Golly's and other collections,
    /// which are run-length encoded or hashed already, the one that packs best has a ratio
    /// of 45, and what is larger than a megabyte has 3.4 at most.
    fn default() -> Self {
        Self {
            unpacked: 1 << 30,
            ratio: 200,
            memory: u64::MAX,
        }
    }
}

/// A number of bytes for people: `64 MiB`, `1.5 GiB`, `17 bytes`.
pub(crate) fn size(bytes: u128) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = (1..=UNITS.len())
        .rev()
        .find(|power| bytes >> (10 * power) > 0);
    let Some(power) = power else {
        return format!("{bytes} bytes");
    };
    let unit = UNITS[power - 1];
    let (whole, rest) = (bytes >> (10 * power), bytes & ((1 << (10 * power)) - 1));
    match (rest * 10) >> (10 * power) {
        0 => format!("{whole} {unit}"),
        tenths if whole < 100 => format!("{whole}.{tenths} {unit}"),
        _ => format!("{whole} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_words() {
        for (bytes, words) in [
            (17, "17 bytes"),
            (1 << 10, "1 KiB"),
            (64 << 20, "64 MiB"),
            (3 << 29, "1.5 GiB"),
            ((1 << 31) + 1, "2 GiB"),
            (u128::from(u64::MAX), "15.9 EiB"),
            (1 << 90, "1073741824 EiB"),
        ] {
            assert_eq!(size(bytes), words);
        }
    }
}
