//! Numbers and sizes on the command line.

use num_bigint::BigUint;
use num_traits::Pow as _;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Maximum number of digits: more generations than 10^100000 are a mistake.
const MOST_BITS: u64 = 1 << 20;

/// A number of generations: `1103`, `1_000_000`, `10^12`, `2^64`, `3*2^20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CountArgument(pub(crate) BigUint);

impl FromStr for CountArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut product = BigUint::from(1u8);
        for factor in text.split('*') {
            product *= power(factor.trim())?;
            if product.bits() > MOST_BITS {
                return Err(too_large());
            }
        }
        Ok(Self(product))
    }
}

/// A signed number of generations: a [`CountArgument`], backwards with a minus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GenerationOffset {
    pub(crate) count: BigUint,
    pub(crate) backwards: bool,
}

impl FromStr for GenerationOffset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let count = text.strip_prefix(['-', '\u{2212}']);
        let backwards = count.is_some();
        let CountArgument(count) = count.unwrap_or(text).parse()?;
        Ok(Self { count, backwards })
    }
}

/// `BASE` or `BASE^EXPONENT`.
fn power(text: &str) -> Result<BigUint, String> {
    let Some((base, exponent)) = text.split_once('^') else {
        return digits(text);
    };
    let base = digits(base.trim())?;
    let exponent = digits(exponent.trim())?;
    if base <= BigUint::from(1u8) {
        let is_one = exponent == BigUint::ZERO || base != BigUint::ZERO;
        return Ok(BigUint::from(u8::from(is_one)));
    }
    let exponent = u32::try_from(exponent).map_err(|_| too_large())?;
    if u64::from(exponent) * (base.bits() - 1) > MOST_BITS {
        return Err(too_large());
    }
    Ok(base.pow(exponent))
}

fn digits(text: &str) -> Result<BigUint, String> {
    let plain: String = text.chars().filter(|&c| c != '_').collect();
    if plain.is_empty() || !plain.bytes().all(|b| b.is_ascii_digit()) {
        return Err("expected a whole number such as 1000, 1_000, 10^12 or 2^64".into());
    }
    if plain.len() as u64 > MOST_BITS / 4 {
        return Err(too_large());
    }
    plain
        .parse()
        .map_err(|_| "expected a whole number".to_string())
}

fn too_large() -> String {
    format!("larger than 2^{MOST_BITS}")
}

/// An amount of memory: `512M`, `4G`, `1.5GiB`, or plain bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryArgument(pub(crate) u64);

impl FromStr for MemoryArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || "expected an amount of memory such as 512M or 4G".to_string();
        let end = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let number: f64 = number.parse().map_err(|_| refuse())?;
        let unit = unit.trim().to_ascii_lowercase();
        let unit = unit.strip_suffix("ib").or(unit.strip_suffix('b'));
        let unit = unit.map_or_else(|| text[end..].trim().to_ascii_lowercase(), str::to_string);
        let shift = match unit.as_str() {
            "" => 0,
            "k" => 10,
            "m" => 20,
            "g" => 30,
            "t" => 40,
            _ => return Err(refuse()),
        };
        let bytes = number * (1u64 << shift) as f64;
        if !(1.0..9e18).contains(&bytes) {
            return Err(refuse());
        }
        Ok(Self(bytes as u64))
    }
}

/// Formats it in the largest unit that divides it: `4G`.
impl fmt::Display for MemoryArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut units = [(40, "T"), (30, "G"), (20, "M"), (10, "K")].into_iter();
        let whole = |&(shift, _): &(u32, _)| self.0.trailing_zeros() >= shift && self.0 > 0;
        match units.find(whole) {
            Some((shift, unit)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Columns and rows: `25x25`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SizeArgument {
    /// Columns, at least 1.
    pub(crate) width: u64,
    /// Rows, at least 1.
    pub(crate) height: u64,
}

impl SizeArgument {
    /// The longest side that a bounded grid may have, as in Golly.
    const LONGEST: u64 = 2_000_000_000;
}

impl FromStr for SizeArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || "expected WIDTHxHEIGHT, such as 64x64".to_string();
        let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(refuse)?;
        let side = |text: &str| {
            let side: u64 = text.trim().parse().map_err(|_| refuse())?;
            match side {
                0 => Err("a side is at least 1 cell long".to_string()),
                1..=Self::LONGEST => Ok(side),
                _ => Err(format!("a side is at most {} cells long", Self::LONGEST)),
            }
        };
        Ok(Self {
            width: side(width)?,
            height: side(height)?,
        })
    }
}

/// A time to wait: seconds above 0, with a fraction or without.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|&s| s > 0.0);
    seconds
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .ok_or_else(|| "give a number of seconds above 0".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_in_every_spelling() {
        let rows: &[(&str, Option<&str>)] = &[
            ("0", Some("0")),
            ("1103", Some("1103")),
            ("1_000_000", Some("1000000")),
            ("10^12", Some("1000000000000")),
            ("2^64", Some("18446744073709551616")),
            ("3*2^20", Some("3145728")),
            ("0^0", Some("1")),
            ("0^9", Some("0")),
            ("1^99999999999999999999", Some("1")),
            ("", None),
            ("-1", None),
            ("1.5", None),
            ("10^", None),
            ("_", None),
            ("9^9999999999", None),
            ("2^1048577*2", None),
        ];
        for (text, expected) in rows {
            let got = text.parse::<CountArgument>().ok().map(|c| c.0.to_string());
            assert_eq!(got.as_deref(), *expected, "{text:?}");
        }
    }

    #[test]
    fn a_minus_goes_back() {
        let read = |text: &str| {
            let journey = text.parse::<GenerationOffset>().ok();
            journey.map(|j| (j.count.to_string(), j.backwards))
        };
        assert_eq!(read("-10^2"), Some(("100".into(), true)));
        assert_eq!(read("\u{2212}7"), Some(("7".into(), true)));
        assert_eq!(read("8"), Some(("8".into(), false)));
        assert_eq!(["--8", "-", "", "+8"].map(read), [None, None, None, None]);
    }

    #[test]
    fn memory_is_read_in_every_unit() {
        let rows: &[(&str, Option<u64>)] = &[
            ("1000", Some(1000)),
            ("64k", Some(64 << 10)),
            ("512M", Some(512 << 20)),
            ("4G", Some(4 << 30)),
            ("4GB", Some(4 << 30)),
            ("1.5 GiB", Some(3 << 29)),
            ("0", None),
            ("4X", None),
            ("G", None),
            ("", None),
        ];
        for (text, expected) in rows {
            assert_eq!(
                text.parse::<MemoryArgument>().ok().map(|m| m.0),
                *expected,
                "{text:?}"
            );
        }
        for text in ["4G", "1536M", "3K", "1000", "2T"] {
            let memory: MemoryArgument = text.parse().unwrap();
            assert_eq!(memory.to_string(), text);
        }
    }

    #[test]
    fn sizes_have_two_sides() {
        let rows: &[(&str, Option<(u64, u64)>)] = &[
            ("25x25", Some((25, 25))),
            ("3X4", Some((3, 4))),
            ("2000000000x1", Some((2_000_000_000, 1))),
            ("2000000001x1", None),
            ("0x4", None),
            ("4", None),
            ("4x", None),
            ("-4x4", None),
        ];
        for (text, expected) in rows {
            let got = text
                .parse::<SizeArgument>()
                .ok()
                .map(|s| (s.width, s.height));
            assert_eq!(got, *expected, "{text:?}");
        }
    }
}
