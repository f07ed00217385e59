use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A colour of sRGB, eight bits each.
///
/// ```
/// use render::Rgb;
///
/// assert_eq!("#1d2433".parse(), Ok(Rgb { r: 0x1d, g: 0x24, b: 0x33 }));
/// assert_eq!("f00".parse::<Rgb>().unwrap().to_string(), "#ff0000");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rgb {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Rgb {
    /// From `0xrrggbb`.
    ///
    /// ```
    /// use render::Rgb;
    ///
    /// assert_eq!(Rgb::hex(0xff8000), Rgb { r: 255, g: 128, b: 0 });
    /// ```
    #[must_use]
    pub const fn hex(number: u32) -> Self {
        Self {
            r: (number >> 16) as u8,
            g: (number >> 8) as u8,
            b: number as u8,
        }
    }

    /// The colour `part` of the way to another, 0 to 1.
    ///
    /// ```
    /// use render::Rgb;
    ///
    /// let grey = Rgb::hex(0x000000).mix(Rgb::hex(0xffffff), 0.5);
    /// assert_eq!(grey, Rgb::hex(0x808080));
    /// ```
    #[must_use]
    pub fn mix(self, other: Self, part: f32) -> Self {
        let part = part.clamp(0.0, 1.0);
        let between =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part).round() as u8;
        Self {
            r: between(self.r, other.r),
            g: between(self.g, other.g),
            b: between(self.b, other.b),
        }
    }

    /// How bright it looks, 0 to 1 (WCAG 2.2, "relative luminance").
    pub(crate) fn luminance(self) -> f64 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// How well two colours can be read on each other, 1 to 21 (WCAG 2.2, "contrast ratio").
    ///
    /// ```
    /// use render::{Rgb, Theme};
    ///
    /// assert!((Rgb::hex(0).contrast(Rgb::hex(0xffffff)) - 21.0).abs() < 1e-9);
    /// let theme = Theme::PAPER;
    /// assert!(theme.text.contrast(theme.sheet) > 7.0); // level AAA of the guidelines
    /// ```
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Red, green and blue as light, 0 to 1 (IEC 61966-2-1, sRGB).
    pub(crate) fn linear(self) -> [f64; 3] {
        [self.r, self.g, self.b].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        })
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

/// A text that is no colour.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no colour: expected # and six hexadecimal digits, such as #1d2433")]
pub struct RgbError(pub String);

impl FromStr for Rgb {
    type Err = RgbError;

    /// Reads `#rrggbb`, and the short `#rgb`; the `#` may be left out.
    fn from_str(text: &str) -> Result<Self, RgbError> {
        let refused = || RgbError(text.into());
        let trimmed = text.trim();
        let digits = trimmed.strip_prefix('#').unwrap_or(trimmed);
        let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex);
        match (number, digits.len()) {
            (Some(number), 6) => Ok(Self::hex(number)),
            (Some(number), 3) => {
                let part = |shift: u32| ((number >> shift & 0xf) * 0x11) as u8;
                Ok(Self {
                    r: part(8),
                    g: part(4),
                    b: part(0),
                })
            }
            _ => Err(refused()),
        }
    }
}

/// The named colours in which everything is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// What a person types.
    pub name: &'static str,
    /// The paper.
    pub sheet: Rgb,
    /// What lies around a bounded sheet.
    pub surround: Rgb,
    /// Grid lines.
    pub rule: Rgb,
    /// Each tenth grid line.
    pub rule_bold: Rgb,
    /// Live cells.
    pub ink: Rgb,
    /// Trails of what has lived.
    pub pencil: Rgb,
    /// Live cells that are empty in the next generation.
    pub dying: Rgb,
    /// The red pencil.
    pub red: Rgb,
    /// The blue pencil.
    pub blue: Rgb,
    /// What is selected.
    pub selection: Rgb,
    /// Words.
    pub text: Rgb,
    /// Words that matter less.
    pub text_soft: Rgb,
    /// What can be pressed, and links.
    pub accent: Rgb,
}

impl Theme {
    /// Light: ink on warm off-white.
    pub const PAPER: Self = Self {
        name: "paper",
        sheet: Rgb::hex(0xfbf8ef),
        surround: Rgb::hex(0xe6e1d3),
        rule: Rgb::hex(0xd5e0ea),
        rule_bold: Rgb::hex(0xa9c1d8),
        ink: Rgb::hex(0x1d2433),
        pencil: Rgb::hex(0xb4b3ad),
        dying: Rgb::hex(0x878b93),
        red: Rgb::hex(0xb8322a),
        blue: Rgb::hex(0x1f5fae),
        selection: Rgb::hex(0x2f74c0),
        text: Rgb::hex(0x1d2433),
        text_soft: Rgb::hex(0x596070),
        accent: Rgb::hex(0x1f5fae),
    };

    /// For printing: the same ink on white. It is none of the themes to choose from.
    pub const PRINT: Self = Self {
        name: "print",
        sheet: Rgb::hex(0xffffff),
        surround: Rgb::hex(0xeeeeee),
        ..Self::PAPER
    };

    /// Dark: chalk on deep blue-grey.
    pub const BLUEPRINT: Self = Self {
        name: "blueprint",
        sheet: Rgb::hex(0x17283d),
        surround: Rgb::hex(0x0f1b2b),
        rule: Rgb::hex(0x243a55),
        rule_bold: Rgb::hex(0x3d5a7c),
        ink: Rgb::hex(0xf1f4f2),
        pencil: Rgb::hex(0x55708f),
        dying: Rgb::hex(0x93a7bc),
        red: Rgb::hex(0xff8672),
        blue: Rgb::hex(0x7ab8ff),
        selection: Rgb::hex(0xffd479),
        text: Rgb::hex(0xf1f4f2),
        text_soft: Rgb::hex(0xa9bacb),
        accent: Rgb::hex(0x8cc4ff),
    };

    /// Light, with the most contrast: black on white.
    pub const CONTRAST: Self = Self {
        name: "contrast",
        sheet: Rgb::hex(0xffffff),
        surround: Rgb::hex(0xe4e4e4),
        rule: Rgb::hex(0xdcdcdc),
        rule_bold: Rgb::hex(0xa8a8a8),
        ink: Rgb::hex(0x000000),
        pencil: Rgb::hex(0x9a9a9a),
        dying: Rgb::hex(0x767676),
        red: Rgb::hex(0xb00020),
        blue: Rgb::hex(0x0040c0),
        selection: Rgb::hex(0x0050d0),
        text: Rgb::hex(0x000000),
        text_soft: Rgb::hex(0x333333),
        accent: Rgb::hex(0x0040c0),
    };

    /// Light: brown ink on old paper.
    pub const SEPIA: Self = Self {
        name: "sepia",
        sheet: Rgb::hex(0xfaf3e6),
        surround: Rgb::hex(0xebe0ca),
        rule: Rgb::hex(0xe8dcc2),
        rule_bold: Rgb::hex(0xbfa678),
        ink: Rgb::hex(0x3a2314),
        pencil: Rgb::hex(0xb09a74),
        dying: Rgb::hex(0x8a7250),
        red: Rgb::hex(0xb8322a),
        blue: Rgb::hex(0x1f5fae),
        selection: Rgb::hex(0x2a62a8),
        text: Rgb::hex(0x3a2314),
        text_soft: Rgb::hex(0x65503a),
        accent: Rgb::hex(0x1d4f91),
    };

    /// Dark: chalk on black, with amber to press.
    pub const NIGHT: Self = Self {
        name: "night",
        sheet: Rgb::hex(0x0b0c0e),
        surround: Rgb::hex(0x000000),
        rule: Rgb::hex(0x202327),
        rule_bold: Rgb::hex(0x3c424a),
        ink: Rgb::hex(0xf1f4f2),
        pencil: Rgb::hex(0x4a6480),
        dying: Rgb::hex(0x93a7bc),
        red: Rgb::hex(0xff8672),
        blue: Rgb::hex(0x7ab8ff),
        selection: Rgb::hex(0x9ad0ff),
        text: Rgb::hex(0xf1f4f2),
        text_soft: Rgb::hex(0xa9bacb),
        accent: Rgb::hex(0xffc36b),
    };

    /// All of them: the usual light and dark one first.
    pub const ALL: [Self; 5] = [
        Self::PAPER,
        Self::BLUEPRINT,
        Self::CONTRAST,
        Self::SEPIA,
        Self::NIGHT,
    ];

    /// Whether its sheet is dark.
    ///
    /// ```
    /// use render::Theme;
    ///
    /// assert!(Theme::NIGHT.is_dark() && !Theme::SEPIA.is_dark());
    /// ```
    #[must_use]
    pub fn is_dark(&self) -> bool {
        self.sheet.luminance() < 0.5
    }

    /// The theme of that name, in any case.
    ///
    /// ```
    /// use render::Theme;
    ///
    /// assert_eq!(Theme::find("Blueprint"), Some(Theme::BLUEPRINT));
    /// assert_eq!(Theme::find("neon"), None);
    /// ```
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|theme| theme.name.eq_ignore_ascii_case(name.trim()))
    }

    /// All colours by name, as custom properties of the page and the terminal call them.
    ///
    /// ```
    /// use render::Theme;
    ///
    /// assert!(Theme::PAPER.colours().contains(&("ink", Theme::PAPER.ink)));
    /// ```
    #[must_use]
    pub fn colours(&self) -> [(&'static str, Rgb); 13] {
        [
            ("sheet", self.sheet),
            ("desk", self.surround),
            ("rule", self.rule),
            ("rule-bold", self.rule_bold),
            ("ink", self.ink),
            ("pencil", self.pencil),
            ("dying", self.dying),
            ("red", self.red),
            ("blue", self.blue),
            ("selection", self.selection),
            ("text", self.text),
            ("text-soft", self.text_soft),
            ("accent", self.accent),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_and_written() {
        let ink = Rgb {
            r: 0x1d,
            g: 0x24,
            b: 0x33,
        };
        assert_eq!("#1d2433".parse(), Ok(ink));
        assert_eq!(" 1D2433 ".parse(), Ok(ink));
        assert_eq!("#f0a".parse(), Ok(Rgb::hex(0x00ff_00aa)));
        assert_eq!(ink.to_string(), "#1d2433");
        for text in [
            "", "#", "#12345", "#1234567", "#12345g", "red", "#+12345", "é",
        ] {
            assert!(text.parse::<Rgb>().is_err(), "{text}");
        }
    }

    #[test]
    fn words_can_be_read_on_the_sheet() {
        for theme in Theme::ALL {
            for (name, colour) in theme.colours() {
                let least = match name {
                    "ink" | "text" | "text-soft" | "accent" | "red" | "blue" => 4.5,
                    // what is drawn, and need not be read
                    "dying" | "selection" => 3.0,
                    "pencil" => 1.8,
                    "rule" => 1.15,
                    "rule-bold" => 1.5,
                    _ => 1.0,
                };
                let contrast = colour.contrast(theme.sheet);
                assert!(contrast >= least, "{name} of {}: {contrast}", theme.name);
            }
            for (name, colour) in [("text", theme.text), ("text-soft", theme.text_soft)] {
                let contrast = colour.contrast(theme.surround);
                assert!(
                    contrast >= 4.5,
                    "{name} on the desk of {}: {contrast}",
                    theme.name
                );
            }
        }
        let most = Theme::CONTRAST;
        assert!((most.text.contrast(most.sheet) - 21.0).abs() < 1e-9);
        // black on white is the most there can be
        let most = Rgb::hex(0).contrast(Rgb::hex(0x00ff_ffff));
        assert!((most - 21.0).abs() < 1e-9);
    }

    #[test]
    fn themes_are_found_by_name() {
        assert_eq!(Theme::find(" Paper"), Some(Theme::PAPER));
        assert_eq!(Theme::find("blueprint"), Some(Theme::BLUEPRINT));
        assert_eq!(Theme::find("auto"), None);
    }
}
