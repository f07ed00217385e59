use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How large a cell is on the sheet.
///
/// As text it is the pixels that a cell is wide (`20`), or how many cells a pixel is wide
/// (`1:4`), from 2^64 on as a power (`1:2^100`).
///
/// ```
/// use render::Zoom;
/// assert_eq!("20".parse(), Ok(Zoom::In(20)));
/// assert_eq!("1:4".parse(), Ok(Zoom::Out(2)));
/// assert_eq!(Zoom::In(1).farther(), Zoom::Out(1));
/// assert_eq!(Zoom::Out(100).to_string(), "1:2^100");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zoom {
    /// The width and height of a cell in pixels, 1 to [`Zoom::NEAREST`].
    In(u32),
    /// A pixel is 2 to this power cells wide and high, 1 to [`Zoom::FARTHEST`].
    Out(u32),
}

/// Pixels a cell, from one step to the next; beyond lie the powers of two cells a pixel.
const LADDER: [u32; 18] = [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64,
];

impl Zoom {
    /// The most pixels that a cell can be wide.
    pub const NEAREST: u32 = 64;
    /// The greatest power of two of cells in a pixel.
    pub const FARTHEST: u32 = 100_000;

    /// The next step at which cells are larger; the last one stays.
    ///
    /// ```
    /// use render::Zoom;
    ///
    /// assert_eq!(Zoom::Out(1).closer(), Zoom::In(1));
    /// assert_eq!(Zoom::In(Zoom::NEAREST).closer(), Zoom::In(Zoom::NEAREST));
    /// ```
    #[must_use]
    pub fn closer(self) -> Self {
        match self {
            Self::In(pixels) => {
                let larger = LADDER.into_iter().find(|&step| step > pixels);
                Self::In(larger.unwrap_or(Self::NEAREST))
            }
            Self::Out(0 | 1) => Self::In(1),
            Self::Out(power) => Self::Out(power - 1),
        }
    }

    /// The next step at which cells are smaller; the last one stays.
    ///
    /// ```
    /// use render::Zoom;
    ///
    /// assert_eq!(Zoom::In(8).farther(), Zoom::In(6));
    /// assert_eq!(Zoom::In(1).farther(), Zoom::Out(1));
    /// ```
    #[must_use]
    pub fn farther(self) -> Self {
        match self {
            Self::In(0 | 1) => Self::Out(1),
            Self::In(pixels) => {
                let mut steps = LADDER.into_iter().rev();
                Self::In(steps.find(|&step| step < pixels).unwrap_or(1))
            }
            Self::Out(power) => Self::Out((power + 1).min(Self::FARTHEST)),
        }
    }

    /// The steps at which a cell is whole pixels, the smallest cells first.
    #[must_use]
    pub fn steps() -> &'static [u32] {
        &LADDER
    }
}

/// A text that is no zoom.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ZoomError {
    /// Neither of the two forms.
    #[error(
        "`{0}` is no zoom: expected the pixels a cell is wide, such as 20, or the cells a pixel \
         is wide, such as 1:4"
    )]
    Shape(String),
    /// More or fewer pixels a cell than there can be.
    #[error("`{0}`: a cell is 1 to {nearest} pixels wide", nearest = Zoom::NEAREST)]
    Pixels(String),
    /// A number of cells a pixel that is no power of two.
    #[error("`1:{cells}`: the cells of a pixel are a power of two: try 1:{below} or 1:{above}")]
    Power {
        /// What was asked for.
        cells: u64,
        /// The power of two below it.
        below: u64,
        /// The power of two above it.
        above: u128,
    },
    /// Further out than anything goes.
    #[error("`{0}`: a pixel is at most 2^{farthest} cells wide", farthest = Zoom::FARTHEST)]
    Far(String),
}

impl FromStr for Zoom {
    type Err = ZoomError;

    fn from_str(text: &str) -> Result<Self, ZoomError> {
        let text = text.trim();
        let shape = || ZoomError::Shape(text.into());
        let Some((one, cells)) = text.split_once(':') else {
            let number = digits(text).ok_or_else(shape)?;
            let pixels = number
                .parse()
                .ok()
                .filter(|p| (1..=Self::NEAREST).contains(p));
            return pixels
                .map(Self::In)
                .ok_or_else(|| ZoomError::Pixels(text.into()));
        };
        if one.trim() != "1" {
            return Err(shape());
        }
        let cells = cells.trim();
        let far = || ZoomError::Far(text.into());
        let power = match cells.strip_prefix("2^") {
            Some(power) => digits(power)
                .ok_or_else(shape)?
                .parse()
                .map_err(|_| far())?,
            None => {
                let number = digits(cells).ok_or_else(shape)?;
                let cells: u64 = number.parse().map_err(|_| far())?;
                if cells == 0 {
                    return Err(shape());
                }
                let below = 1 << cells.ilog2();
                if cells != below {
                    return Err(ZoomError::Power {
                        cells,
                        below,
                        above: u128::from(below) * 2,
                    });
                }
                cells.ilog2()
            }
        };
        match power {
            0 => Ok(Self::In(1)),
            1..=Self::FARTHEST => Ok(Self::Out(power)),
            _ => Err(far()),
        }
    }
}

/// The text, if it is made of digits alone.
fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then_some(text)
}

impl fmt::Display for Zoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::In(pixels) => write!(f, "{pixels}"),
            Self::Out(power @ 0..64) => write!(f, "1:{}", 1_u64 << power),
            Self::Out(power) => write!(f, "1:2^{power}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_goes_up_as_it_came_down() {
        let mut zoom = Zoom::In(64);
        let mut way = vec![zoom];
        for _ in 0..120 {
            zoom = zoom.farther();
            way.push(zoom);
        }
        assert_eq!(zoom, Zoom::Out(103));
        while let Some(was) = way.pop() {
            assert_eq!(zoom, was);
            zoom = zoom.closer();
        }
        assert_eq!(zoom, Zoom::In(64));
        assert_eq!(zoom.closer(), zoom);
        let end = Zoom::Out(Zoom::FARTHEST);
        assert_eq!(end.farther(), end);
        // from between two steps, the next ones
        assert_eq!(Zoom::In(7).closer(), Zoom::In(8));
        assert_eq!(Zoom::In(7).farther(), Zoom::In(6));
    }

    #[test]
    fn every_text_is_read_and_written() {
        for (text, zoom) in [
            ("1", Zoom::In(1)),
            ("64", Zoom::In(64)),
            ("7", Zoom::In(7)),
            ("1:2", Zoom::Out(1)),
            ("1:9223372036854775808", Zoom::Out(63)),
            ("1:2^64", Zoom::Out(64)),
            ("1:2^100000", Zoom::Out(100_000)),
        ] {
            assert_eq!(text.parse(), Ok(zoom));
            assert_eq!(zoom.to_string(), text);
        }
        assert_eq!(" 1 : 16 ".parse(), Ok(Zoom::Out(4)));
        assert_eq!("1:2^3".parse(), Ok(Zoom::Out(3)));
        assert_eq!("1:1".parse(), Ok(Zoom::In(1)));
        for (text, words) in [
            ("", "no zoom"),
            ("x", "no zoom"),
            ("2:4", "no zoom"),
            ("1:0", "no zoom"),
            ("1:2^", "no zoom"),
            ("+4", "no zoom"),
            ("0", "1 to 64"),
            ("65", "1 to 64"),
            ("99999999999999999999", "1 to 64"),
            ("1:3", "try 1:2 or 1:4"),
            (
                "1:18446744073709551615",
                "1:9223372036854775808 or 1:18446744073709551616",
            ),
            ("1:2^100001", "at most 2^100000"),
            ("1:18446744073709551616", "at most"),
        ] {
            let error = text.parse::<Zoom>().expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
