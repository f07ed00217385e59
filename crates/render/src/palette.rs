use crate::{Content, Rgb, Theme};
use grid::State;
use rule::Rule;
use std::collections::HashSet;

/// The colours of one rule in one theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    /// By state; 0 is the sheet. States that the rule lacks are ink.
    pub states: [Rgb; 256],
    /// Live cells that are empty in the next generation.
    pub dying: Rgb,
    /// Live cells by age, the new-born first: of the marks 64 to 127.
    pub ages: [Rgb; 64],
    /// Dead cells by how long ago they died: of the marks 1 to 63, the longest ago first.
    /// The first one is the sheet.
    pub history: [Rgb; 64],
    /// Pixels of many cells, by density; 0 is the sheet.
    pub density: [Rgb; 256],
    /// What else is drawn.
    pub theme: Theme,
}

/// How states get their colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColourScheme {
    /// A clearly distinct colour for each state.
    Distinct,
    /// All that lives is ink.
    Ink,
    /// State 1 is ink, the others fade towards the sheet.
    Fading,
    /// State 1 is ink, the others glow from red towards the sheet.
    Glowing,
    /// Greys from ink towards the sheet.
    Grey,
}

/// The names for [`Palette::named`], but for `rule`, and what each is.
const SCHEMES: [(&str, ColourScheme); 5] = [
    ("distinct", ColourScheme::Distinct),
    ("ink", ColourScheme::Ink),
    ("fading", ColourScheme::Fading),
    ("glowing", ColourScheme::Glowing),
    ("grey", ColourScheme::Grey),
];

impl Palette {
    /// The default palette of a rule: its own colours where a rule file gives them, else those
    /// of its family. Two states: ink. Ageing states fade. Coloured rules keep their colours.
    /// All other states get colours that are distinct for colour-blind viewers too (Okabe and
    /// Ito, Color Universal Design, 2008), in their order.
    ///
    /// ```
    /// use render::{Palette, Theme};
    ///
    /// let theme = Theme::PAPER;
    /// let wires = Palette::of(&"WireWorld".parse()?, &theme);
    /// assert_eq!((wires.states[1], wires.states[2]), (theme.blue, theme.red)); // heads and tails
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn of(rule: &Rule, theme: &Theme) -> Self {
        let mut palette = Self::by_family(rule, theme);
        if let Some(appearance) = rule.appearance() {
            for state in 0..=255 {
                if let Some([r, g, b]) = appearance.colour(state, rule.states()) {
                    // The colour of nothing would be that of the sheet, for two themes.
                    if state > 0 && u16::from(state) < rule.states() {
                        palette.states[usize::from(state)] = Rgb { r, g, b };
                    }
                }
            }
        }
        palette
    }

    /// A palette by name: `rule` is [`Palette::of`], the others are [`Palette::names`].
    ///
    /// ```
    /// use render::{Palette, Theme};
    ///
    /// let rule = "Star Wars".parse()?;
    /// let grey = Palette::named("grey", &rule, &Theme::PAPER).unwrap();
    /// assert_ne!(grey, Palette::of(&rule, &Theme::PAPER));
    /// assert!(Palette::named("mauve", &rule, &Theme::PAPER).is_none());
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn named(name: &str, rule: &Rule, theme: &Theme) -> Option<Self> {
        let name = name.trim();
        if name.eq_ignore_ascii_case("rule") {
            return Some(Self::of(rule, theme));
        }
        let mut schemes = SCHEMES.iter();
        let found = schemes.find(|scheme| scheme.0.eq_ignore_ascii_case(name));
        found.map(|scheme| Self::by_scheme(scheme.1, rule.states(), theme))
    }

    /// The names for [`Palette::named`].
    ///
    /// ```
    /// assert!(render::Palette::names().eq(["rule", "distinct", "ink", "fading", "glowing", "grey"]));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        let schemes = SCHEMES.iter().map(|scheme| scheme.0);
        std::iter::once("rule").chain(schemes)
    }

    /// The same but for the colour of one state. That of state 0 is the sheet's.
    ///
    /// ```
    /// use render::{Palette, Rgb, Theme};
    ///
    /// let red = Rgb::hex(0xff0000);
    /// let palette = Palette::of(&"Life".parse()?, &Theme::PAPER).with_colour(1, red);
    /// assert_eq!(palette.states[1], red);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn with_colour(mut self, state: State, colour: Rgb) -> Self {
        if state == 0 {
            self.theme.sheet = colour;
            self.history = history(&self.theme);
            self.density = density(&self.theme, self.states[1]);
        }
        self.states[usize::from(state)] = colour;
        if state == 1 {
            self.ages = ages(&self.theme, colour);
            self.density = density(&self.theme, colour);
        }
        self
    }

    /// The colour of a cell in a state that bears a mark of a [`crate::Frame`].
    ///
    /// ```
    /// use render::{DYING, Palette, Theme};
    ///
    /// let palette = Palette::of(&"Life".parse()?, &Theme::PAPER);
    /// assert_eq!(palette.marked_colour(1, 0), palette.states[1]);
    /// assert_eq!(palette.marked_colour(1, 64), palette.ages[0]); // just born
    /// assert_eq!(palette.marked_colour(1, DYING), palette.dying);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn marked_colour(&self, state: State, mark: u8) -> Rgb {
        match mark {
            1..64 => self.history[usize::from(mark)],
            64..128 => self.ages[usize::from(mark - 64)],
            crate::DYING => self.dying,
            _ => self.states[usize::from(state)],
        }
    }

    /// The colours that a painted frame of a rule with `states` states can have, for a file
    /// with a fixed palette: the most important first, without duplicates.
    ///
    /// ```
    /// use render::{Content, Palette, Theme};
    ///
    /// let palette = Palette::of(&"Life".parse()?, &Theme::PAPER);
    /// let colours = palette.colours(2, &Content::Density { levels: vec![] });
    /// assert_eq!(colours[..2], [Theme::PAPER.sheet, Theme::PAPER.ink]);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn colours(&self, states: u16, content: &Content) -> Vec<Rgb> {
        let theme = &self.theme;
        let mut colours = vec![self.states[0], self.states[1]];
        colours.extend([theme.surround, theme.rule, theme.rule_bold]);
        match content {
            Content::Density { .. } => colours.extend(&self.density[1..]),
            Content::Cells { marks, .. } => {
                if marks.is_some() {
                    colours.push(self.dying);
                }
                colours.extend(&self.states[2..usize::from(states.clamp(2, 256))]);
                let marks = marks.as_deref().unwrap_or_default();
                if marks.iter().any(|&mark| (1..128).contains(&mark)) {
                    colours.extend(self.ages.iter().chain(&self.history));
                }
            }
        }
        let mut seen = HashSet::new();
        colours.retain(|&colour| seen.insert(colour));
        colours
    }

    fn by_family(rule: &Rule, theme: &Theme) -> Self {
        let states = rule.states();
        let plain = |scheme| Self::by_scheme(scheme, states, theme);
        let with = |colours: &[(State, Rgb)]| {
            let mut palette = plain(ColourScheme::Distinct);
            for &(state, colour) in colours {
                palette.states[usize::from(state)] = colour;
            }
            palette
        };
        let Theme { red, blue, ink, .. } = *theme;
        let pale = |colour: Rgb| colour.mix(theme.sheet, 0.62);
        if states == 2 {
            return plain(ColourScheme::Ink);
        }
        let distinct = distinct(theme);
        let (orange, yellow, purple) = (distinct[1], distinct[4], distinct[7]);
        match rule.family() {
            "Generations" | "Larger than Life" | "Higher range" | "Weighted" | "MCell weighted"
            | "MAP" | "Alternating" | "Hexagonal" | "von Neumann" | "Triangular" => {
                plain(ColourScheme::Fading)
            }
            "Classroom" if states == 4 => with(&[(2, red), (3, blue)]),
            "Classroom" => plain(ColourScheme::Fading),
            "Colours" => with(&[(1, red), (2, blue), (3, yellow), (4, purple)]),
            // heads, tails, copper
            "WireWorld" => with(&[(1, blue), (2, red), (3, orange)]),
            "History" => with(&[
                (1, ink),
                (2, theme.pencil.mix(blue, 0.35).mix(theme.sheet, 0.4)),
                (3, red.mix(ink, 0.45)),
                (4, pale(red)),
                (5, orange),
                (6, theme.text_soft),
            ]),
            "Super" => {
                // what is on is strong, what is off and marked is pale
                let mut palette = with(&[(1, ink), (2, pale(blue)), (6, theme.text_soft)]);
                for state in 3..26_u8 {
                    let colour = distinct[usize::from(state - 1) / 2 % distinct.len()];
                    if state % 2 == 1 {
                        palette.states[usize::from(state)] = colour;
                    } else if state != 6 {
                        palette.states[usize::from(state)] = pale(colour);
                    }
                }
                palette
            }
            _ => plain(ColourScheme::Distinct),
        }
    }

    fn by_scheme(scheme: ColourScheme, states: u16, theme: &Theme) -> Self {
        let mut colours = [theme.ink; 256];
        colours[0] = theme.sheet;
        let last = usize::from(states.max(2)) - 1;
        let ramp = |from: Rgb, state: usize| {
            // from state 2 to the last one, which can still be seen
            let part = (state - 2) as f32 / (last - 1).max(1) as f32;
            from.mix(theme.sheet, part * 0.9)
        };
        for (state, colour) in colours.iter_mut().enumerate().take(last + 1).skip(2) {
            *colour = match scheme {
                ColourScheme::Ink => theme.ink,
                ColourScheme::Distinct => distinct_at(theme, state - 1),
                ColourScheme::Fading => ramp(theme.blue.mix(theme.sheet, 0.15), state),
                ColourScheme::Glowing => ramp(theme.red.mix(theme.sheet, 0.1), state),
                ColourScheme::Grey => ramp(theme.ink.mix(theme.sheet, 0.35), state),
            };
        }
        Self {
            states: colours,
            dying: theme.dying,
            ages: ages(theme, theme.ink),
            history: history(theme),
            density: density(theme, theme.ink),
            theme: *theme,
        }
    }
}

/// Okabe and Ito's colours, ink for their black. A dark sheet would swallow their blue and
/// their vermilion, which are a little lighter there.
fn distinct(theme: &Theme) -> [Rgb; 8] {
    let is_light = theme.sheet.luminance() > 0.5;
    let of = |light, dark| Rgb::hex(if is_light { light } else { dark });
    [
        theme.ink,
        Rgb::hex(0xe69f00),
        Rgb::hex(0x56b4e9),
        Rgb::hex(0x009e73),
        Rgb::hex(0xf0e442),
        of(0x0072b2, 0x1f78c8),
        of(0xd55e00, 0xe0662a),
        Rgb::hex(0xcc79a7),
    ]
}

/// Colours beyond the first eight: the same ones, paler and paler, then with ink in them.
pub(crate) fn distinct_at(theme: &Theme, index: usize) -> Rgb {
    let base = distinct(theme);
    let colour = base[index % base.len()];
    match index / base.len() {
        0 => colour,
        1 => colour.mix(theme.sheet, 0.45),
        2 => colour.mix(theme.ink, 0.45),
        round => {
            // the golden ratio spreads any number of rounds evenly
            let part = (round as f32 * 0.618_034).fract();
            let towards = if round % 2 == 0 {
                theme.ink
            } else {
                theme.sheet
            };
            colour.mix(towards, 0.15 + 0.5 * part)
        }
    }
}

fn ages(theme: &Theme, old: Rgb) -> [Rgb; 64] {
    // most of the way is gone in the first generations
    let young = theme.blue.mix(theme.sheet, 0.2);
    std::array::from_fn(|age| young.mix(old, (age as f32 / 63.0).sqrt()))
}

fn history(theme: &Theme) -> [Rgb; 64] {
    std::array::from_fn(|mark| match mark {
        0 => theme.sheet,
        _ => theme
            .sheet
            .mix(theme.pencil, 0.25 + 0.75 * mark as f32 / 63.0),
    })
}

fn density(theme: &Theme, ink: Rgb) -> [Rgb; 256] {
    // a lone cell far off is still to be seen
    std::array::from_fn(|level| match level {
        0 => theme.sheet,
        _ => theme.sheet.mix(ink, 0.3 + 0.7 * level as f32 / 255.0),
    })
}
