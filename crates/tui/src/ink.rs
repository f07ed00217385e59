//! Colours in the terminal: true colour, 256 colours, or none.

use ratatui::style::{Color, Modifier, Style};
use render::{Rgb, Theme};
use std::ffi::OsStr;

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourDepth {
    /// Any colour.
    #[default]
    True,
    /// The cube of 216 colours and the 24 greys.
    Indexed,
    /// None: bold, dim, underlined and reversed characters are used instead.
    None,
}

impl ColourDepth {
    /// Detects the depth from NO_COLOR (<https://no-color.org>), COLORTERM and TERM, which
    /// `variable` looks up.
    ///
    /// ```
    /// use tui::ColourDepth;
    /// let depth = ColourDepth::of(|name| match name {
    ///     "TERM" => Some("tmux-256color".into()),
    ///     _ => None,
    /// });
    /// assert_eq!(depth, ColourDepth::Indexed);
    /// ```
    pub fn of(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Self {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let has = |name: &str, words: &[&str]| {
            let value = variable(name).unwrap_or_default();
            let value = value.to_string_lossy().to_lowercase();
            words.iter().any(|word| value.contains(word))
        };
        if is_set("NO_COLOR") || variable("TERM").as_deref() == Some(OsStr::new("dumb")) {
            return Self::None;
        }
        if has("COLORTERM", &["truecolor", "24bit"]) || has("TERM", &["direct", "truecolor"]) {
            return Self::True;
        }
        if has(
            "TERM",
            &["256", "kitty", "alacritty", "ghostty", "foot", "wezterm"],
        ) {
            return Self::Indexed;
        }
        Self::None
    }

    /// The parameters of an ANSI sequence after `38;` or `48;` for the nearest colour; `None`
    /// without colours.
    ///
    /// ```
    /// use tui::ColourDepth;
    /// let red = render::Rgb::hex(0xff0000);
    /// assert_eq!(ColourDepth::True.parameters(red).as_deref(), Some("2;255;0;0"));
    /// assert_eq!(ColourDepth::Indexed.parameters(red).as_deref(), Some("5;196"));
    /// assert_eq!(ColourDepth::None.parameters(red), None);
    /// ```
    #[must_use]
    pub fn parameters(self, rgb: Rgb) -> Option<String> {
        let Rgb { r, g, b } = rgb;
        match self {
            Self::True => Some(format!("2;{r};{g};{b}")),
            Self::Indexed => Some(format!("5;{}", indexed(rgb))),
            Self::None => None,
        }
    }
}

/// Whether the terminal has a dark background, by COLORFGBG (set by rxvt and others); the default
/// is dark.
pub(crate) fn is_dark(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> bool {
    let colours = variable("COLORFGBG").unwrap_or_default();
    let colours = colours.to_string_lossy();
    match colours.rsplit(';').next().map(str::parse::<u8>) {
        Some(Ok(paper)) => paper < 7 || paper == 8,
        _ => true,
    }
}

/// The colours of a theme at a colour depth.
#[derive(Clone, Copy, Debug)]
pub struct Ink {
    pub(crate) depth: ColourDepth,
    pub(crate) theme: Theme,
}

impl Ink {
    /// Whether there are colours.
    pub(crate) fn has_colour(self) -> bool {
        self.depth != ColourDepth::None
    }

    pub(crate) fn colour(self, rgb: Rgb) -> Color {
        match self.depth {
            ColourDepth::True => Color::Rgb(rgb.r, rgb.g, rgb.b),
            ColourDepth::Indexed => Color::Indexed(indexed(rgb)),
            ColourDepth::None => Color::Reset,
        }
    }

    /// A foreground on a background colour, without attributes.
    pub(crate) fn on(self, ink: Rgb, paper: Rgb) -> Style {
        Style::new().fg(self.colour(ink)).bg(self.colour(paper))
    }

    /// Texts of bars and panels.
    pub(crate) fn text(self) -> Style {
        self.on(self.theme.text, self.theme.surround)
    }

    /// Less important texts.
    pub(crate) fn soft(self) -> Style {
        let style = self.on(self.theme.text_soft, self.theme.surround);
        self.or(style, Modifier::DIM)
    }

    /// Emphasised texts.
    pub(crate) fn strong(self) -> Style {
        self.text().add_modifier(Modifier::BOLD)
    }

    /// Keys and buttons.
    pub(crate) fn accent(self) -> Style {
        let style = self.on(self.theme.accent, self.theme.surround);
        style.add_modifier(Modifier::BOLD)
    }

    /// Errors.
    pub(crate) fn wrong(self) -> Style {
        let style = self.on(self.theme.red, self.theme.surround);
        self.or(style, Modifier::BOLD)
    }

    /// The selected row of a list.
    pub(crate) fn chosen(self) -> Style {
        if self.has_colour() {
            self.on(self.theme.sheet, self.theme.accent)
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }

    /// A modifier that replaces a colour where there are none.
    fn or(self, style: Style, modifier: Modifier) -> Style {
        if self.has_colour() {
            style
        } else {
            style.add_modifier(modifier)
        }
    }
}

/// The levels of xterm's cube of 6 x 6 x 6 colours, from index 16 on.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of xterm's colours 16 to 255: the cube and the greys.
fn indexed(rgb: Rgb) -> u8 {
    let nearest = |part: u8| {
        let by_distance = |(_, level): &(usize, &u8)| level.abs_diff(part);
        let nearest = LEVELS.iter().enumerate().min_by_key(by_distance);
        nearest.map_or(0, |(index, _)| index)
    };
    let cube = [rgb.r, rgb.g, rgb.b].map(nearest);
    let mean = (u32::from(rgb.r) + u32::from(rgb.g) + u32::from(rgb.b)) / 3;
    let grey = (mean.saturating_sub(3) / 10).min(23) as u8;
    let far = |r: u8, g: u8, b: u8| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(r, rgb.r) + square(g, rgb.g) + square(b, rgb.b)
    };
    let of_grey = 8 + 10 * grey;
    let [r, g, b] = cube.map(|index| LEVELS[index]);
    if far(of_grey, of_grey, of_grey) < far(r, g, b) {
        232 + grey
    } else {
        (16 + 36 * cube[0] + 6 * cube[1] + cube[2]) as u8
    }
}

/// The colour of an xterm index from 16 on.
pub(crate) fn of_index(index: u8) -> Rgb {
    let (r, g, b) = match index {
        0..16 => (0, 0, 0),
        16..232 => {
            let cube = index - 16;
            let level = |i: u8| LEVELS[usize::from(i)];
            (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        232.. => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
    };
    Rgb { r, g, b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_heeded() {
        for (variables, depth) in [
            (
                &[("COLORTERM", "truecolor")] as &[(&str, &str)],
                ColourDepth::True,
            ),
            (
                &[("COLORTERM", "24bit"), ("TERM", "xterm")],
                ColourDepth::True,
            ),
            (
                &[("COLORTERM", "truecolor"), ("NO_COLOR", "1")],
                ColourDepth::None,
            ),
            (
                &[("COLORTERM", "truecolor"), ("NO_COLOR", "")],
                ColourDepth::True,
            ),
            (&[("TERM", "xterm-256color")], ColourDepth::Indexed),
            (
                &[("TERM", "dumb"), ("COLORTERM", "truecolor")],
                ColourDepth::None,
            ),
            (&[("TERM", "vt100")], ColourDepth::None),
            (&[], ColourDepth::None),
        ] {
            let found = ColourDepth::of(|name| {
                let found = variables.iter().find(|(n, _)| *n == name);
                found.map(|(_, value)| value.into())
            });
            assert_eq!(found, depth, "{variables:?}");
        }
    }

    #[test]
    fn the_nearest_of_256_is_found() {
        for (rgb, index) in [
            (Rgb::hex(0x000000), 16),
            (Rgb::hex(0xffffff), 231),
            (Rgb::hex(0xff0000), 196),
            (Rgb::hex(0x808080), 244),
        ] {
            assert_eq!(indexed(rgb), index, "{rgb}");
        }
        // Each indexed colour maps to itself.
        for index in 16..=255 {
            assert_eq!(of_index(indexed(of_index(index))), of_index(index));
        }
    }
}
