//! The settings that a pattern carries: how it is viewed and how fast it runs.
//!
//! Where a format has comments, settings are comment lines: what LifeViewer knows too is a script
//! such as `[[ ZOOM 8 X 3 Y -4 GPS 30 GRID ]]`, the rest a line such as `gridpaper: dying=on`.
//! Other formats have a sidecar, a TOML file beside the pattern, which also holds the rule and
//! the description that the format cannot hold. A binary extension of each format was rejected:
//! no other program would have preserved it.
//!
//! Scripts of other programs are preserved: unknown words are kept and written back. Faulty
//! settings cause warnings, and never prevent a pattern from being opened.
//!
//! ```
//! use session::settings::Settings;
//! let mut comments = vec!["a gun".to_string(), "[[ GPS 10 LABEL 1 2 8 \"here\" ]]".to_string()];
//! let (settings, warnings) = Settings::from_comments(&mut comments);
//! assert_eq!((settings.speed, warnings.len()), (Some(10.0), 0));
//! assert_eq!(comments, ["a gun"]);
//! assert_eq!(settings.to_comments(), ["[[ GPS 10 ]]", "[[ LABEL 1 2 8 \"here\" ]]"]);
//! ```

mod presentation;
mod script;
mod sidecar;

use crate::ship_motion::ShipMotion;
use grid::State;
use num_bigint::{BigInt, BigUint};
use pattern::{Bounds, Format, Pattern};
use render::{CellColouring, Rgb, Zoom};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

pub use presentation::{CameraWaypoint, PatternLabel, PointOfInterest, Presentation};
pub(crate) use sidecar::MAX_SIDECAR_BYTES;
pub use sidecar::sidecar_name;

/// A pattern's settings. `None` or empty leaves the choice to the user interface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The size of a cell.
    pub zoom: Option<Zoom>,
    /// The cell in the middle of the view, relative to the middle of the live cells, to the right
    /// and down. See [`Settings::look_at`] and [`Settings::centre`].
    pub place: Option<(BigInt, BigInt)>,
    /// Generations per second, above 0; infinite for no limit.
    pub speed: Option<f64>,
    /// Generations per step, from 1.
    pub stride: Option<BigUint>,
    /// The theme's name.
    pub theme: Option<String>,
    /// Colours of states that differ from the rule's.
    pub colours: BTreeMap<State, Rgb>,
    /// Whether grid lines are shown.
    pub grid: Option<bool>,
    /// The distance between strong grid lines in cells; 0 for none.
    pub major: Option<u32>,
    /// Whether coordinates stand along the edges of the view.
    pub rulers: Option<bool>,
    /// Whether the icons of a rule file are shown.
    pub icons: Option<bool>,
    /// Whether cells that die in the next generation are marked.
    pub dying: Option<bool>,
    /// Whether cells are coloured by age.
    pub age: Option<bool>,
    /// What the colour of a live cell says, where that is neither its state nor its age.
    pub colouring: Option<CellColouring>,
    /// Whether trails are shown where cells have died.
    pub history: Option<bool>,
    /// Whether the view keeps the live cells in sight.
    pub follow: Option<bool>,
    /// How the view moves.
    pub track: Option<ShipMotion>,
    /// Places and generations with a name; each place is as [`Settings::place`].
    pub bookmarks: BTreeMap<String, Bookmark>,
    /// The parts of scripts that are no settings, as comment lines; [`Presentation`] understands
    /// some of them.
    pub script: Vec<String>,
    /// Unknown settings, and known ones with invalid values.
    pub unknown: BTreeMap<String, String>,
}

/// A generation and a view of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bookmark {
    /// The generation; `None` for a place in whatever generation there is.
    pub generation: Option<BigInt>,
    /// The cell in the middle of the view.
    pub place: (BigInt, BigInt),
    /// The size of a cell.
    pub zoom: Zoom,
}

impl fmt::Display for Bookmark {
    /// `1000;3,-4;8`; a place without a generation begins with `now`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = &self.place;
        match &self.generation {
            Some(generation) => write!(f, "{generation};{x},{y};{}", self.zoom),
            None => write!(f, "now;{x},{y};{}", self.zoom),
        }
    }
}

/// Whether a word can be the name of a bookmark: letters, digits and hyphens.
pub(crate) fn is_bookmark_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// What the names of settings that are bookmarks begin with.
const BOOKMARK: &str = "bookmark-";

/// A problem with settings. The pattern and the other settings are not affected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingsWarning {
    /// A script is not closed.
    #[error("a script begins with `[[` and has no `]]`; it stays a comment")]
    Unclosed,
    /// A word of a script has an invalid value.
    #[error("`{word}` in the script does not take `{value}`; it is kept as it is")]
    Script {
        /// The word.
        word: String,
        /// The text after it.
        value: String,
    },
    /// A setting has an invalid value.
    #[error("the setting `{name}` does not take `{value}`; it is kept as it is")]
    Value {
        /// The setting.
        name: String,
        /// The value.
        value: String,
    },
    /// The sidecar is not valid TOML.
    #[error("the settings beside the pattern cannot be read: line {line}: {problem}")]
    Toml {
        /// The line, from 1.
        line: usize,
        /// The parser's message.
        problem: String,
    },
}

impl Settings {
    /// Whether no setting is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Stores the cell in the middle of the view, relative to the middle of the live cells.
    ///
    /// ```
    /// use pattern::Bounds;
    /// use session::settings::Settings;
    ///
    /// let (y, width, height) = (0.into(), 2u8.into(), 2u8.into());
    /// let left = Bounds { x: 10.into(), y, width, height };
    /// let right = Bounds { x: 50.into(), ..left.clone() };
    /// let mut settings = Settings::default();
    /// settings.look_at(&(11.into(), 1.into()), Some(&left));
    /// // The view goes with the cells.
    /// assert_eq!(settings.centre(Some(&right)), Some((51.into(), 1.into())));
    /// ```
    pub fn look_at(&mut self, centre: &(BigInt, BigInt), bounds: Option<&Bounds>) {
        let (x, y) = middle(bounds);
        self.place = Some((&centre.0 - x, &centre.1 - y));
    }

    /// The cell in the middle of the view, from the bounds of the live cells.
    ///
    /// ```
    /// use session::settings::Settings;
    ///
    /// let settings = Settings { place: Some((3.into(), 4.into())), ..Settings::default() };
    /// assert_eq!(settings.centre(None), Some((3.into(), 4.into())), "without live cells, from 0,0");
    /// ```
    #[must_use]
    pub fn centre(&self, bounds: Option<&Bounds>) -> Option<(BigInt, BigInt)> {
        let (x, y) = middle(bounds);
        self.place.as_ref().map(|(dx, dy)| (x + dx, y + dy))
    }

    /// The settings as comment lines without a format's comment marks: scripts first, then the
    /// settings that only this program knows. Empty where nothing is set.
    #[must_use]
    pub fn to_comments(&self) -> Vec<String> {
        script::write(self)
    }

    /// Takes the settings out of a pattern's comments, and leaves the other comments.
    ///
    /// ```
    /// use session::settings::Settings;
    ///
    /// let written = Settings { stride: Some(8u8.into()), ..Settings::default() };
    /// let mut comments = written.to_comments();
    /// comments.push("a gun".into());
    /// let (read, warnings) = Settings::from_comments(&mut comments);
    /// assert_eq!((read, warnings.len()), (written, 0));
    /// assert_eq!(comments, ["a gun"]);
    /// ```
    pub fn from_comments(comments: &mut Vec<String>) -> (Self, Vec<SettingsWarning>) {
        let mut read = ParsedSettings::default();
        script::read(comments, &mut read);
        (read.settings, read.warnings)
    }

    /// The settings as the text of a sidecar, with what the format cannot hold of the pattern:
    /// rule, description, generation and position.
    #[must_use]
    pub fn to_toml(&self, pattern: &Pattern, format: Format) -> String {
        sidecar::write(self, pattern, format)
    }

    /// Reads a sidecar, and completes the pattern from it.
    ///
    /// ```
    /// use session::settings::Settings;
    ///
    /// let mut pattern = pattern::Pattern::default();
    /// let text = "rule = \"B36/S23\"\ngrid = true\n";
    /// let (settings, warnings) = Settings::from_toml(text, &mut pattern);
    /// assert_eq!((settings.grid, warnings.len()), (Some(true), 0));
    /// assert_eq!(pattern.rule.as_deref(), Some("B36/S23"));
    /// ```
    pub fn from_toml(text: &str, pattern: &mut Pattern) -> (Self, Vec<SettingsWarning>) {
        let mut read = ParsedSettings::default();
        sidecar::read(text, pattern, &mut read);
        (read.settings, read.warnings)
    }

    /// Puts the settings into the pattern's comments where the format has comments, else into the
    /// returned text of a sidecar.
    ///
    /// ```
    /// use pattern::{Format, Pattern};
    /// use session::settings::Settings;
    ///
    /// let settings = Settings { stride: Some(8u8.into()), ..Settings::default() };
    /// let mut pattern = Pattern::default();
    /// assert_eq!(settings.pack(&mut pattern, Format::Rle), None);
    /// assert!(!pattern.comments.is_empty(), "RLE has comments");
    /// let sidecar = settings.pack(&mut pattern, Format::Life106);
    /// assert!(sidecar.is_some_and(|text| text.contains("stride")));
    /// ```
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

    /// Takes the settings out of a pattern's comments and its sidecar. The sidecar takes
    /// precedence, and completes the pattern.
    ///
    /// ```
    /// use session::settings::Settings;
    ///
    /// let mut pattern = pattern::Pattern {
    ///     comments: Settings { major: Some(8), ..Settings::default() }.to_comments(),
    ///     ..Default::default()
    /// };
    /// let (settings, _) = Settings::unpack(&mut pattern, Some("major = 5\n"));
    /// assert_eq!(settings.major, Some(5), "the sidecar wins");
    /// assert!(pattern.comments.is_empty());
    /// ```
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

    /// Fills unset settings from others.
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
        fill(&mut self.rulers, other.rulers);
        fill(&mut self.icons, other.icons);
        fill(&mut self.dying, other.dying);
        fill(&mut self.age, other.age);
        fill(&mut self.colouring, other.colouring);
        fill(&mut self.history, other.history);
        fill(&mut self.follow, other.follow);
        fill(&mut self.track, other.track);
        for (state, colour) in other.colours {
            self.colours.entry(state).or_insert(colour);
        }
        for (name, bookmark) in other.bookmarks {
            self.bookmarks.entry(name).or_insert(bookmark);
        }
        for (name, value) in other.unknown {
            self.unknown.entry(name).or_insert(value);
        }
        self.script.extend(other.script);
    }

    /// The settings that have a name and a value: all except colours and scripts.
    fn named(&self) -> Vec<(String, String)> {
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
            ("rulers", switch(self.rulers)),
            ("icons", switch(self.icons)),
            ("dying", switch(self.dying)),
            ("age", switch(self.age)),
            ("colouring", self.colouring.map(|by| by.name().to_string())),
            ("history", switch(self.history)),
            ("follow", switch(self.follow)),
            ("track", self.track.map(|motion| motion.to_string())),
        ];
        let set = all.into_iter();
        let set = set.filter_map(|(name, value)| value.map(|value| (name.to_string(), value)));
        let bookmarks = self.bookmarks.iter();
        let bookmarks =
            bookmarks.map(|(name, bookmark)| (format!("{BOOKMARK}{name}"), bookmark.to_string()));
        set.chain(bookmarks).collect()
    }
}

/// The cell in the middle of a box; without a box, the origin.
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

/// Whether files of a format have comments, and so can hold settings.
///
/// ```
/// use pattern::Format;
/// use session::settings::carries_comments;
///
/// assert!(carries_comments(Format::Rle) && !carries_comments(Format::Life106));
/// ```
#[must_use]
pub fn carries_comments(format: Format) -> bool {
    !matches!(
        format,
        Format::Life106 | Format::Classroom | Format::MCell | Format::Apgcode
    )
}

/// Settings while they are being parsed.
#[derive(Default)]
struct ParsedSettings {
    settings: Settings,
    warnings: Vec<SettingsWarning>,
}

impl ParsedSettings {
    /// Sets a setting by name. Unknown ones are kept; so are those with invalid values, with a
    /// warning.
    fn set(&mut self, name: &str, value: &str) {
        let settings = &mut self.settings;
        if let Some(bookmark) = name.strip_prefix(BOOKMARK) {
            let read = read_bookmark(value).filter(|_| is_bookmark_name(bookmark));
            if let Some(read) = read {
                settings.bookmarks.insert(bookmark.into(), read);
                return;
            }
        }
        let understood = match name {
            name if name.starts_with(BOOKMARK) => false,
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
            "rulers" => give(read_switch(value), &mut settings.rulers),
            "icons" => give(read_switch(value), &mut settings.icons),
            "dying" => give(read_switch(value), &mut settings.dying),
            "age" => give(read_switch(value), &mut settings.age),
            "colouring" => give(CellColouring::find(value), &mut settings.colouring),
            "history" => give(read_switch(value), &mut settings.history),
            "follow" => give(read_switch(value), &mut settings.follow),
            "track" => give(ShipMotion::parse(value), &mut settings.track),
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

/// Stores a parsed value; returns whether there was one.
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

fn read_bookmark(text: &str) -> Option<Bookmark> {
    let mut parts = text.split(';');
    let bookmark = Bookmark {
        generation: match parts.next()? {
            "now" => None,
            generation => Some(generation.parse().ok()?),
        },
        place: read_place(parts.next()?)?,
        zoom: parts.next()?.parse().ok()?,
    };
    parts.next().is_none().then_some(bookmark)
}

fn read_speed(text: &str) -> Option<f64> {
    if text == "max" {
        return Some(f64::INFINITY);
    }
    let speed: f64 = text.parse().ok()?;
    (speed.is_finite() && speed > 0.0).then_some(speed)
}
