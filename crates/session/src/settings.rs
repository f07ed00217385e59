//! What a colony keeps beside its cells: how it is looked at and how fast it runs.
//!
//! Where a format has a place for comments, settings are comment lines: what LifeViewer
//! knows too is a script such as `[[ ZOOM 8 X 3 Y -4 GPS 30 GRID ]]`, the rest a line such
//! as `gridpaper: dying=on`. Where it has none, they lie in a TOML file beside it, together
//! with the rule and the words that the format cannot tell. A binary place of our own in
//! each format lost: no other program would have kept it.
//!
//! Nothing in foreign scripts is lost: words that are not understood stay, and are written
//! back. Nothing that is wrong with settings stands between a person and the cells.
//!
//! ```
//! use session::settings::Settings;
//! let mut comments = vec!["a gun".to_string(), "[[ GPS 10 LABEL 1 2 8 \"here\" ]]".to_string()];
//! let (settings, warnings) = Settings::from_comments(&mut comments);
//! assert_eq!((settings.speed, warnings.len()), (Some(10.0), 0));
//! assert_eq!(comments, ["a gun"]);
//! assert_eq!(settings.to_comments(), ["[[ GPS 10 ]]", "[[ LABEL 1 2 8 \"here\" ]]"]);
//! ```

mod script;
mod sidecar;

use grid::State;
use num_bigint::{BigInt, BigUint};
use pattern::{Bounds, Format, Pattern};
use render::{Rgb, Zoom};
use std::collections::BTreeMap;
use std::str::FromStr;
use thiserror::Error;

pub use sidecar::{SIDECAR_MOST, sidecar_name};

/// How a colony is looked at and how fast it runs. None, or empty, is as the face has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// How large a cell is.
    pub zoom: Option<Zoom>,
    /// The cell in the middle of the view, counted from the middle of what lives: to the
    /// right, and down. See [`Settings::look_at`] and [`Settings::centre`].
    pub place: Option<(BigInt, BigInt)>,
    /// Generations a second, above 0; infinite is as many as can be.
    pub speed: Option<f64>,
    /// Generations that make one step, from 1.
    pub stride: Option<BigUint>,
    /// The theme's name.
    pub theme: Option<String>,
    /// The colours of states that are not the rule's own.
    pub colours: BTreeMap<State, Rgb>,
    /// Grid lines.
    pub grid: Option<bool>,
    /// Each how manieth grid line is strong; 0 for none.
    pub major: Option<u32>,
    /// Cells that die in the next generation are marked.
    pub dying: Option<bool>,
    /// Cells are coloured by their age.
    pub age: Option<bool>,
    /// What has lived leaves trails.
    pub history: Option<bool>,
    /// The view keeps what lives in sight.
    pub follow: Option<bool>,
    /// What foreign scripts say that is not understood here, as comment lines.
    pub script: Vec<String>,
    /// Settings by names that are not known here, or with values that mean nothing.
    pub unknown: BTreeMap<String, String>,
}

/// What is wrong with settings. The pattern is as it is; the rest of them holds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingsWarning {
    /// A script without its end.
    #[error("a script begins with `[[` and has no `]]`; it stays a comment")]
    Unclosed,
    /// A word of a script with something that it does not take.
    #[error("`{word}` in the script does not take `{value}`; it is kept as it is")]
    Script {
        /// The word.
        word: String,
        /// What stands after it.
        value: String,
    },
    /// A setting with something that it does not take.
    #[error("the setting `{name}` does not take `{value}`; it is kept as it is")]
    Value {
        /// The setting.
        name: String,
        /// What it is set to.
        value: String,
    },
    /// The file beside the pattern is no TOML.
    #[error("the settings beside the pattern cannot be read: line {line}: {problem}")]
    Toml {
        /// From 1.
        line: usize,
        /// What the reader of TOML says.
        problem: String,
    },
}

impl Settings {
    /// Whether there is nothing to keep.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Keeps the cell in the middle of the view, given where the world's live cells are.
    pub fn look_at(&mut self, centre: &(BigInt, BigInt), bounds: Option<&Bounds>) {
        let (x, y) = middle(bounds);
        self.place = Some((&centre.0 - x, &centre.1 - y));
    }

    /// The cell in the middle of the view, given where the world's live cells are.
    #[must_use]
    pub fn centre(&self, bounds: Option<&Bounds>) -> Option<(BigInt, BigInt)> {
        let (x, y) = middle(bounds);
        self.place.as_ref().map(|(dx, dy)| (x + dx, y + dy))
    }

    /// As comment lines, without a format's marks: scripts first, then what only this
    /// program knows. None where there is nothing to keep.
    #[must_use]
    pub fn to_comments(&self) -> Vec<String> {
        script::write(self)
    }

    /// Takes the settings out of a pattern's comments. What is left is for people.
    pub fn from_comments(comments: &mut Vec<String>) -> (Self, Vec<SettingsWarning>) {
        let mut read = ParsedSettings::default();
        script::read(comments, &mut read);
        (read.settings, read.warnings)
    }

    /// As the text of a file beside a pattern's, with what the format cannot tell of the
    /// pattern: its rule, its words, its generation and where it lies.
    #[must_use]
    pub fn to_toml(&self, pattern: &Pattern, format: Format) -> String {
        sidecar::write(self, pattern, format)
    }

    /// Reads such a text, and completes the pattern from it.
    pub fn from_toml(text: &str, pattern: &mut Pattern) -> (Self, Vec<SettingsWarning>) {
        let mut read = ParsedSettings::default();
        sidecar::read(text, pattern, &mut read);
        (read.settings, read.warnings)
    }

    /// Puts the settings where the format has room: into the pattern's comments, or into
    /// the text that comes back, which belongs beside the file.
    #[must_use]
    pub fn pack(&self, pattern: &mut Pattern, format: Format) -> Option<String> {
        if !carries_comments(format) {
            let needed = !self.is_empty() || sidecar::has_lost(pattern, format);
            return needed.then(|| self.to_toml(pattern, format));
        }
        let beside =
            sidecar::has_lost(pattern, format).then(|| Self::default().to_toml(pattern, format));
        pattern.comments.extend(self.to_comments());
        beside
    }

    /// Takes the settings of a pattern that was read, from its comments and from the text
    /// beside its file, which counts for more; what the text tells of the pattern is put
    /// into it.
    pub fn unpack(pattern: &mut Pattern, beside: Option<&str>) -> (Self, Vec<SettingsWarning>) {
        let mut read = ParsedSettings::default();
        if let Some(text) = beside {
            sidecar::read(text, pattern, &mut read);
        }
        let (inside, warnings) = Self::from_comments(&mut pattern.comments);
        read.settings.fill_from(inside);
        read.warnings.extend(warnings);
        (read.settings, read.warnings)
    }

    /// What is not set is as there.
    fn fill_from(&mut self, other: Self) {
        fn fill<T>(own: &mut Option<T>, other: Option<T>) {
            if own.is_none() {
                *own = other;
            }
        }
        fill(&mut self.zoom, other.zoom);
        fill(&mut self.place, other.place);
        fill(&mut self.speed, other.speed);
        fill(&mut self.stride, other.stride);
        fill(&mut self.theme, other.theme);
        fill(&mut self.grid, other.grid);
        fill(&mut self.major, other.major);
        fill(&mut self.dying, other.dying);
        fill(&mut self.age, other.age);
        fill(&mut self.history, other.history);
        fill(&mut self.follow, other.follow);
        for (state, colour) in other.colours {
            self.colours.entry(state).or_insert(colour);
        }
        for (name, value) in other.unknown {
            self.unknown.entry(name).or_insert(value);
        }
        self.script.extend(other.script);
    }

    /// The settings that have a name and a value, except colours and scripts.
    fn named(&self) -> Vec<(&'static str, String)> {
        let switch = |on: Option<bool>| on.map(|on| if on { "on" } else { "off" }.to_string());
        let place = self.place.as_ref().map(|(x, y)| format!("{x},{y}"));
        let speed = self.speed.map(|speed| match speed.is_finite() {
            true => speed.to_string(),
            false => "max".to_string(),
        });
        let all = [
            ("zoom", self.zoom.map(|zoom| zoom.to_string())),
            ("place", place),
            ("speed", speed),
            ("stride", self.stride.as_ref().map(ToString::to_string)),
            ("theme", self.theme.clone()),
            ("grid", switch(self.grid)),
            ("major", self.major.map(|major| major.to_string())),
            ("dying", switch(self.dying)),
            ("age", switch(self.age)),
            ("history", switch(self.history)),
            ("follow", switch(self.follow)),
        ];
        let set = all.into_iter();
        set.filter_map(|(name, value)| value.map(|value| (name, value)))
            .collect()
    }
}

/// The cell in the middle of a box; of what is empty, the origin.
fn middle(bounds: Option<&Bounds>) -> (BigInt, BigInt) {
    let Some(bounds) = bounds else {
        return (BigInt::ZERO, BigInt::ZERO);
    };
    let half = |side: &BigUint| BigInt::from(side / 2u8);
    (
        &bounds.x + half(&bounds.width),
        &bounds.y + half(&bounds.height),
    )
}

/// Whether a format's files have room for comment lines, and so for settings.
#[must_use]
pub fn carries_comments(format: Format) -> bool {
    !matches!(
        format,
        Format::Life106 | Format::Classroom | Format::MCell | Format::Apgcode
    )
}

/// Settings that are being read.
#[derive(Default)]
struct ParsedSettings {
    settings: Settings,
    warnings: Vec<SettingsWarning>,
}

impl ParsedSettings {
    /// Takes a setting by its name. One that is not known is kept; so is one that means
    /// nothing, with a warning.
    fn set(&mut self, name: &str, value: &str) {
        let settings = &mut self.settings;
        let understood = match name {
            "zoom" => take(value, &mut settings.zoom),
            "place" => give(read_place(value), &mut settings.place),
            "speed" => give(read_speed(value), &mut settings.speed),
            "stride" => {
                let stride = value.parse::<BigUint>().ok();
                give(stride.filter(|n| *n != BigUint::ZERO), &mut settings.stride)
            }
            "theme" => {
                let is_word = !value.is_empty() && !value.contains(char::is_whitespace);
                give(is_word.then(|| value.to_string()), &mut settings.theme)
            }
            "grid" => give(read_switch(value), &mut settings.grid),
            "major" => take(value, &mut settings.major),
            "dying" => give(read_switch(value), &mut settings.dying),
            "age" => give(read_switch(value), &mut settings.age),
            "history" => give(read_switch(value), &mut settings.history),
            "follow" => give(read_switch(value), &mut settings.follow),
            _ => {
                settings.unknown.insert(name.into(), value.into());
                true
            }
        };
        if !understood {
            self.warnings.push(SettingsWarning::Value {
                name: name.into(),
                value: value.into(),
            });
            self.settings.unknown.insert(name.into(), value.into());
        }
    }
}

/// Puts a value where it belongs, if there is one.
fn give<T>(value: Option<T>, to: &mut Option<T>) -> bool {
    let there = value.is_some();
    if there {
        *to = value;
    }
    there
}

fn take<T: FromStr>(text: &str, to: &mut Option<T>) -> bool {
    give(text.parse().ok(), to)
}

fn read_switch(text: &str) -> Option<bool> {
    match text {
        "on" | "true" => Some(true),
        "off" | "false" => Some(false),
        _ => None,
    }
}

fn read_place(text: &str) -> Option<(BigInt, BigInt)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

fn read_speed(text: &str) -> Option<f64> {
    if text == "max" {
        return Some(f64::INFINITY);
    }
    let speed: f64 = text.parse().ok()?;
    (speed.is_finite() && speed > 0.0).then_some(speed)
}
