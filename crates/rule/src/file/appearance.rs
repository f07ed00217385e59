//! `@NAMES`, `@COLORS` and `@ICONS`: how states are called and shown.

use super::RuleFileError;
use super::RuleFileProblem;
use super::text::{RuleFileLine, RuleFileSection, sections};
use grid::State;

/// A colour: red, green, blue.
pub type RuleColour = [u8; 3];

/// The names, colours and icons of the states of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleAppearance {
    /// Names by state, in the order of the file.
    pub names: Vec<(State, String)>,
    /// Colours; of two entries for one state the later applies.
    pub colours: Vec<ColourEntry>,
    /// The lines of `@ICONS` as they stand there: XPM pictures, or the name of a shape.
    pub icons: Option<String>,
}

/// One line of `@COLORS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourEntry {
    /// The colour of one state.
    Flat(State, RuleColour),
    /// From the colour of state 1 to that of the last state, in even steps.
    Gradient(RuleColour, RuleColour),
}

impl RuleAppearance {
    /// Reads these sections alone, as of a file that several rules share.
    ///
    /// # Errors
    /// When a section is not written as it should be.
    ///
    /// ```
    /// let wires = rule::RuleAppearance::read("@COLORS\n1 0 128 255\n2 255 255 255")?;
    /// assert_eq!(wires.colour(1, 3), Some([0, 128, 255]));
    /// # Ok::<(), rule::RuleFileError>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, RuleFileError> {
        Self::of(&sections(text))
    }

    pub(super) fn of(sections: &[RuleFileSection<'_>]) -> Result<Self, RuleFileError> {
        let first = |kind| sections.iter().find(|s| s.kind() == kind);
        let mut appearance = Self::default();
        if let Some(section) = first("@NAMES") {
            for &line in &section.lines {
                appearance.names.extend(name(line)?);
            }
        }
        if let Some(section) = first("@COLORS") {
            for &line in &section.lines {
                appearance.colours.extend(paint(line)?);
            }
        }
        if let Some(section) = first("@ICONS") {
            let lines: Vec<&str> = section.lines.iter().map(|line| line.text).collect();
            appearance.icons = Some(lines.join("\n").trim_matches('\n').to_string());
        }
        Ok(appearance)
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Fills empty sections from those of a shared file, each section as a whole.
    ///
    /// ```
    /// use rule::RuleAppearance;
    ///
    /// let mut own = RuleAppearance::read("@NAMES\n1 wire")?;
    /// own.fill_from(RuleAppearance::read("@NAMES\n1 other\n@COLORS\n1 9 9 9")?);
    /// assert_eq!((own.name(1), own.colour(1, 2)), (Some("wire"), Some([9, 9, 9])));
    /// # Ok::<(), rule::RuleFileError>(())
    /// ```
    pub fn fill_from(&mut self, shared: Self) {
        if self.names.is_empty() {
            self.names = shared.names;
        }
        if self.colours.is_empty() {
            self.colours = shared.colours;
        }
        self.icons = self.icons.take().or(shared.icons);
    }

    /// A state's name.
    ///
    /// ```
    /// let named = rule::RuleAppearance::read("@NAMES\n0 empty\n1 head of an electron")?;
    /// assert_eq!(named.name(1), Some("head of an electron"));
    /// assert_eq!(named.name(2), None);
    /// # Ok::<(), rule::RuleFileError>(())
    /// ```
    #[must_use]
    pub fn name(&self, state: State) -> Option<&str> {
        let mut names = self.names.iter().rev();
        let found = names.find(|name| name.0 == state);
        found.map(|name| name.1.as_str())
    }

    /// The colour of a state in a rule with `states` states.
    ///
    /// ```
    /// // from red to blue, through the states 1 to 3
    /// let ageing = rule::RuleAppearance::read("@COLORS\n255 0 0 0 0 255")?;
    /// assert_eq!(ageing.colour(1, 4), Some([255, 0, 0]));
    /// assert_eq!(ageing.colour(2, 4), Some([128, 0, 127]));
    /// # Ok::<(), rule::RuleFileError>(())
    /// ```
    #[must_use]
    pub fn colour(&self, state: State, states: u16) -> Option<RuleColour> {
        self.colours.iter().rev().find_map(|paint| match *paint {
            ColourEntry::Flat(painted, colour) => (painted == state).then_some(colour),
            ColourEntry::Gradient(from, to) => {
                (state > 0).then(|| between(from, to, u16::from(state) - 1, states.max(2) - 2))
            }
        })
    }
}

/// The colour `step` of `steps` steps from one to the other.
fn between(from: RuleColour, to: RuleColour, step: u16, steps: u16) -> RuleColour {
    let mut colour = from;
    let (step, steps) = (i32::from(step), i32::from(steps.max(1)));
    for (part, to) in colour.iter_mut().zip(to) {
        let whole = i32::from(*part);
        *part = (whole + (i32::from(to) - whole) * step.min(steps) / steps) as u8;
    }
    colour
}

fn name(line: RuleFileLine<'_>) -> Result<Option<(State, String)>, RuleFileError> {
    let text = line.text.trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let (state, name) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Ok(Some((small(line, state, "a state")?, name.trim().into())))
}

fn paint(line: RuleFileLine<'_>) -> Result<Option<ColourEntry>, RuleFileError> {
    let Some(text) = line.content() else {
        return Ok(None);
    };
    // words may follow the numbers
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = words
        .iter()
        .take_while(|w| w.bytes().all(|b| b.is_ascii_digit()));
    let count = count.count();
    let number = |i: usize| small(line, words[i], "a part of a colour, 0 to 255");
    let colour = |i: usize| Ok([number(i)?, number(i + 1)?, number(i + 2)?]);
    Ok(Some(match count {
        4 | 5 => ColourEntry::Flat(small(line, words[0], "a state, 0 to 255")?, colour(1)?),
        6.. => ColourEntry::Gradient(colour(0)?, colour(3)?),
        _ => {
            let wrong = words.get(count).copied().unwrap_or(&text[text.len()..]);
            let what = "a state, red, green and blue, or two colours";
            return Err(line.expected(wrong, what));
        }
    }))
}

/// A number up to 255.
fn small(line: RuleFileLine<'_>, word: &str, what: &'static str) -> Result<u8, RuleFileError> {
    let number = line.number(word, what)?;
    let wrong = |_| line.at(word, RuleFileProblem::Expected(what));
    u8::try_from(number).map_err(wrong)
}
