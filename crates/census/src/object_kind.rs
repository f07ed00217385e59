//! What the code of an object says of it without being decoded.

use std::fmt;

/// What kind of object a code names, and the numbers in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectKind {
    /// The kind.
    pub class: ObjectClass,
    /// The period in generations, where it is known from the code.
    pub period: Option<u64>,
    /// The number of cells, of a still life.
    pub cells: Option<u64>,
}

/// The kinds of objects in a census.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectClass {
    /// `xs`: a still life.
    StillLife,
    /// `xp`: an oscillator.
    Oscillator,
    /// `xq`: a spaceship.
    Spaceship,
    /// `yl`: it grows linearly.
    LinearGrowth,
    /// `ov_`: periodic, and too large for a code.
    Oversized,
    /// `zz_` and `PATHOLOGICAL`: neither periodic nor linear.
    Irregular,
    /// `methuselah_`, `messless_`, `megasized_`: said of a soup, and no object.
    Note,
}

impl ObjectKind {
    /// Reads the prefix of a code.
    ///
    /// ```
    /// use census::{ObjectClass, ObjectKind};
    ///
    /// let toad = ObjectKind::of("xp2_7e");
    /// assert_eq!((toad.class, toad.period, toad.cells), (ObjectClass::Oscillator, Some(2), None));
    /// assert_eq!(ObjectKind::of("xs4_33").cells, Some(4));
    /// assert_eq!(ObjectKind::of("megasized_31h").class, ObjectClass::Note);
    /// ```
    #[must_use]
    pub fn of(code: &str) -> Self {
        let head = code.split('_').next().unwrap_or_default();
        let number = |prefix: &str| head.strip_prefix(prefix).and_then(|n| n.parse().ok());
        let (class, period, cells) = if let Some(cells) = number("xs") {
            (ObjectClass::StillLife, Some(1), Some(cells))
        } else if let Some(period) = number("xp") {
            (ObjectClass::Oscillator, Some(period), None)
        } else if let Some(period) = number("xq") {
            (ObjectClass::Spaceship, Some(period), None)
        } else if let Some(period) = number("yl") {
            (ObjectClass::LinearGrowth, Some(period), None)
        } else if head == "ov" {
            (ObjectClass::Oversized, None, None)
        } else if head == "zz" || code == "PATHOLOGICAL" {
            (ObjectClass::Irregular, None, None)
        } else {
            (ObjectClass::Note, None, None)
        };
        Self {
            class,
            period,
            cells,
        }
    }
}

impl ObjectClass {
    /// The short word of stores.
    ///
    /// ```
    /// assert_eq!(census::ObjectKind::of("xq4_153").class.word(), "q");
    /// ```
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::StillLife => "s",
            Self::Oscillator => "p",
            Self::Spaceship => "q",
            Self::LinearGrowth => "yl",
            Self::Oversized => "ov",
            Self::Irregular => "zz",
            Self::Note => "meta",
        }
    }
}

impl fmt::Display for ObjectClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StillLife => "still life",
            Self::Oscillator => "oscillator",
            Self::Spaceship => "spaceship",
            Self::LinearGrowth => "linear growth",
            Self::Oversized => "oversized",
            Self::Irregular => "irregular",
            Self::Note => "note",
        })
    }
}
