//! Settings in comment lines, as LifeViewer's scripts: words between `[[` and `]]`, followed by
//! numbers, in any case.
//!
//! Supported are `ZOOM` (or `Z`; pixels per cell, below 1 or negative for zooming out), `X` and
//! `Y` (the middle of the view, relative to the pattern's), `GPS` (generations per second),
//! `STEP` (generations per step), `TRACK` (cells a generation that the view goes), `GRID`, `GRIDMAJOR`, and `COLOR` of a state by its number. Only
//! initial values are read: words after `T` or `POI` belong to a later moment or another view, and
//! are left as they are, as is all that [`Presentation`](super::Presentation) understands.
//! Source: LifeWiki, "LifeViewer/Scripts".

use super::{ParsedSettings, Settings, SettingsWarning, give};
use crate::ship_motion::ShipMotion;
use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive as _, ToPrimitive as _};
use render::{Rgb, Zoom};

/// The prefix of settings that only this program knows.
const OWN: &str = "gridpaper:";

/// The maximum length of lines.
const WIDTH: usize = 70;

/// The limit of `X` and `Y`: half of the smallest grid that LifeViewer may have.
const FAR: i64 = 4096;

/// The largest `STEP` and `GPS`.
const MOST_STEP: u64 = 50;
const MOST_SPEED: f64 = 60.0;
/// The largest distance between strong grid lines.
const MOST_MAJOR: u32 = 16;
/// The longest period of a track, and the most decimals of its numbers.
const MOST_PERIOD: u64 = 1_000_000;
const MOST_DECIMALS: usize = 6;
/// The furthest zoom out: 2^4 cells a pixel.
const FARTHEST: u32 = 4;

/// Writes settings as comment lines.
pub(super) fn write(settings: &Settings) -> Vec<String> {
    let mut words = ScriptLines::default();
    let mut told: Vec<&str> = Vec::new();
    let zoom = settings.zoom.and_then(|zoom| match zoom {
        Zoom::In(pixels) => Some(pixels.to_string()),
        Zoom::Out(k) if k <= FARTHEST => Some(0.5f64.powi(k as i32).to_string()),
        Zoom::Out(_) => None,
    });
    if let Some(zoom) = zoom {
        words.push(format!("ZOOM {zoom}"));
        told.push("zoom");
    }
    if let Some((x, y)) = &settings.place {
        let is_near = |c: &BigInt| *c >= BigInt::from(-FAR) && *c <= BigInt::from(FAR);
        if is_near(x) && is_near(y) {
            words.push(format!("X {x} Y {y}"));
            told.push("place");
        }
    }
    if let Some(speed) = settings.speed
        && speed.fract() == 0.0
        && (1.0..=MOST_SPEED).contains(&speed)
    {
        words.push(format!("GPS {speed}"));
        told.push("speed");
    }
    if let Some(stride) = &settings.stride
        && *stride <= BigUint::from(MOST_STEP)
    {
        words.push(format!("STEP {stride}"));
        told.push("stride");
    }
    if let Some(ShipMotion { dx, dy, period }) = settings.track {
        let rate = |cells: i64| match cells {
            0 => "0".to_string(),
            cells => format!("{cells}/{period}"),
        };
        words.push(format!("TRACK {} {}", rate(dx), rate(dy)));
        told.push("track");
    }
    if settings.grid == Some(true) {
        words.push("GRID".into());
        told.push("grid");
    }
    if let Some(major) = settings.major
        && major <= MOST_MAJOR
    {
        words.push(format!("GRIDMAJOR {major}"));
        told.push("major");
    }
    for (state, Rgb { r, g, b }) in &settings.colours {
        words.push(format!("COLOR {state} {r} {g} {b}"));
    }
    let mut lines: Vec<String> = words.lines.iter().map(|w| format!("[[ {w} ]]")).collect();
    lines.extend(settings.script.iter().cloned());
    lines.extend(own_line(settings, &told));
    lines
}

/// The line for settings that scripts cannot express.
fn own_line(settings: &Settings, told: &[&str]) -> Option<String> {
    let named = settings.named();
    let unknown = settings.unknown.iter();
    // Known settings override unknown ones of the same name.
    let unknown = unknown.filter(|(name, _)| named.iter().all(|(other, _)| other != *name));
    let mut line = String::from(OWN);
    for (name, value) in &named {
        if !told.contains(&name.as_str()) {
            line += &format!(" {name}={value}");
        }
    }
    for (name, value) in unknown {
        line += &format!(" {name}={value}");
    }
    (line.len() > OWN.len()).then_some(line)
}

/// Breaks words into lines of limited length.
#[derive(Default)]
struct ScriptLines {
    lines: Vec<String>,
}

impl ScriptLines {
    fn push(&mut self, words: String) {
        match self.lines.last_mut() {
            Some(line) if line.len() + words.len() + " [[  ]]".len() <= WIDTH => {
                line.push(' ');
                line.push_str(&words);
            }
            _ => self.lines.push(words),
        }
    }
}

/// Takes settings out of comment lines.
pub(super) fn read(comments: &mut Vec<String>, read: &mut ParsedSettings) {
    let lines = std::mem::take(comments);
    let mut at_start = true;
    let mut next = 0;
    while let Some(line) = lines.get(next) {
        next += 1;
        if let Some(named) = own_words(line) {
            for (name, value) in named {
                read.set(name, value);
            }
            continue;
        }
        if !line.contains("[[") {
            comments.push(line.clone());
            continue;
        }
        // A script may span several lines.
        let mut text = line.clone();
        let mut further = lines[next..].iter();
        let mut end = end_of(&text);
        while end == ScriptEnding::Open
            && let Some(line) = further.next()
        {
            text.push('\n');
            text.push_str(line);
            end = end_of(&text);
        }
        if end != ScriptEnding::Closed {
            read.warnings.push(SettingsWarning::Unclosed);
            comments.push(line.clone());
            continue;
        }
        next = lines.len() - further.len();
        take_scripts(&text, &mut at_start, comments, read);
    }
}

/// The names and values of a `gridpaper:` line; `None` where it is not of that form.
fn own_words(line: &str) -> Option<Vec<(&str, &str)>> {
    let words = line.trim_start().strip_prefix(OWN)?.split_whitespace();
    let named = words.map(|word| {
        let (name, value) = word.split_once('=')?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let is_value = !value.contains("[[") && !value.contains("]]");
        (is_value && !name.is_empty() && name.chars().all(is_name)).then_some((name, value))
    });
    named.collect()
}

/// The state of the last script of a text.
#[derive(PartialEq)]
enum ScriptEnding {
    /// Each `[[` has its `]]`.
    Closed,
    /// The last one may be closed on the next line.
    Open,
    /// Another one begins inside.
    Broken,
}

fn end_of(text: &str) -> ScriptEnding {
    let mut rest = text;
    while let Some((_, script)) = rest.split_once("[[") {
        let Some((inside, after)) = script.split_once("]]") else {
            return if script.contains("[[") {
                ScriptEnding::Broken
            } else {
                ScriptEnding::Open
            };
        };
        if inside.contains("[[") {
            return ScriptEnding::Broken;
        }
        rest = after;
    }
    ScriptEnding::Closed
}

/// Takes the scripts out of a text whose scripts are all closed; the text around them stays a
/// comment.
fn take_scripts(
    text: &str,
    at_start: &mut bool,
    comments: &mut Vec<String>,
    read: &mut ParsedSettings,
) {
    let mut around = String::new();
    let mut rest = text;
    while let Some((before, script)) = rest.split_once("[[") {
        let (script, after) = script.split_once("]]").unwrap_or((script, ""));
        around.push_str(before);
        let left = Script::new(script).take(at_start, read);
        if !left.trim().is_empty() {
            let lines = format!("[[ {} ]]", left.trim());
            let lines = lines.lines().map(str::to_string);
            read.settings.script.extend(lines);
        }
        rest = after;
    }
    around.push_str(rest);
    if !around.trim().is_empty() {
        comments.extend(around.lines().map(|line| line.trim_end().to_string()));
    }
}

/// A tokenised script, and which of its words are left over.
struct Script<'a> {
    /// Words and quoted texts, each with the preceding white space.
    tokens: Vec<(&'a str, &'a str)>,
    next: usize,
    left: String,
}

impl<'a> Script<'a> {
    fn new(text: &'a str) -> Self {
        let mut tokens = Vec::new();
        let mut rest = text;
        loop {
            let word = rest.trim_start();
            if word.is_empty() {
                break;
            }
            let space = &rest[..rest.len() - word.len()];
            let end = match word.strip_prefix('"') {
                // The token includes both quotation marks.
                Some(quoted) => quoted.find('"').map_or(word.len(), |end| end + 2),
                None => word.find(char::is_whitespace).unwrap_or(word.len()),
            };
            tokens.push((space, &word[..end]));
            rest = &word[end..];
        }
        Self {
            tokens,
            next: 0,
            left: String::new(),
        }
    }

    /// Takes the known words; returns the rest of the text, on as many lines.
    fn take(mut self, at_start: &mut bool, read: &mut ParsedSettings) -> String {
        while let Some((_, word)) = self.tokens.get(self.next) {
            let word = word.to_ascii_uppercase();
            *at_start &= !matches!(word.as_str(), "T" | "POI");
            let part = match *at_start {
                true => self.understand(&word, read),
                false => ScriptClause::left(1),
            };
            let tokens = part.tokens.min(self.tokens.len() - self.next);
            if !part.is_understood {
                self.keep(tokens);
            }
            self.next += tokens;
        }
        self.left
    }

    fn understand(&self, word: &str, read: &mut ParsedSettings) -> ScriptClause {
        let number = self.number(1);
        let settings = &mut read.settings;
        let whole = || number.and_then(BigInt::from_f64);
        let understood = match word {
            "GRID" => {
                settings.grid = Some(true);
                return ScriptClause::understood(1);
            }
            "COLOR" | "COLOUR" => return self.colour(read),
            "TRACK" => return self.track(read),
            "ZOOM" | "Z" => give(number.and_then(zoom), &mut settings.zoom),
            "X" => {
                let y = settings.place.clone().map_or(BigInt::ZERO, |(_, y)| y);
                give(whole().map(|x| (x, y)), &mut settings.place)
            }
            "Y" => {
                let x = settings.place.clone().map_or(BigInt::ZERO, |(x, _)| x);
                give(whole().map(|y| (x, y)), &mut settings.place)
            }
            "GPS" => give(number.filter(|n| *n > 0.0), &mut settings.speed),
            "STEP" => {
                let stride = number.filter(|n| *n >= 1.0 && n.fract() == 0.0);
                give(stride.and_then(BigUint::from_f64), &mut settings.stride)
            }
            "GRIDMAJOR" => give(number.and_then(|n| n.to_u32()), &mut settings.major),
            _ => return ScriptClause::left(1),
        };
        if understood {
            return ScriptClause::understood(2);
        }
        read.warnings.push(SettingsWarning::Script {
            word: word.into(),
            value: self.word(1).into(),
        });
        // An invalid value stays with its word.
        ScriptClause::left(2)
    }

    /// The colour of a state. Other elements have colours too; their names are not commands.
    fn colour(&self, read: &mut ParsedSettings) -> ScriptClause {
        let of = self.word(1);
        let parts: Vec<f64> = (2..5).map_while(|i| self.number(i)).collect();
        let tokens = match parts.len() {
            0 if self.word(2).is_empty() => 2,
            0 => 3,
            parts => 2 + parts,
        };
        let part = |n: f64| n.to_u8().filter(|_| n.fract() == 0.0);
        let colour = match *parts.as_slice() {
            [r, g, b] => match (part(r), part(g), part(b)) {
                (Some(r), Some(g), Some(b)) => Some(Rgb { r, g, b }),
                _ => None,
            },
            _ => self.word(2).parse::<Rgb>().ok(),
        };
        match (of.parse::<u8>(), colour) {
            (Ok(state), Some(colour)) => {
                read.settings.colours.insert(state, colour);
                ScriptClause::understood(tokens)
            }
            (Ok(_), None) => {
                read.warnings.push(SettingsWarning::Script {
                    word: format!("COLOR {of}"),
                    value: self.word(2).into(),
                });
                ScriptClause::left(tokens)
            }
            (Err(_), _) => ScriptClause::left(tokens),
        }
    }

    /// How many cells the view goes in a generation, to the right and down.
    fn track(&self, read: &mut ParsedSettings) -> ScriptClause {
        let motion = rate(self.word(1)).zip(rate(self.word(2)));
        let motion = motion.and_then(|((dx, across), (dy, down))| {
            let period = across / common_divisor(across, down) * down;
            let times = |of: u64| i64::try_from(period / of).ok();
            Some(ShipMotion {
                dx: dx.checked_mul(times(across)?)?,
                dy: dy.checked_mul(times(down)?)?,
                period,
            })
        });
        if let Some(motion) = motion {
            read.settings.track = Some(motion).filter(|motion| (motion.dx, motion.dy) != (0, 0));
            return ScriptClause::understood(3);
        }
        read.warnings.push(SettingsWarning::Script {
            word: "TRACK".into(),
            value: format!("{} {}", self.word(1), self.word(2)).trim().into(),
        });
        ScriptClause::left(3)
    }

    /// The word at an offset; empty at the end.
    fn word(&self, ahead: usize) -> &'a str {
        self.tokens
            .get(self.next + ahead)
            .map_or("", |token| token.1)
    }

    fn number(&self, ahead: usize) -> Option<f64> {
        let number = self.word(ahead).parse::<f64>().ok();
        number.filter(|n| n.is_finite())
    }

    fn keep(&mut self, tokens: usize) {
        for (space, word) in self.tokens.iter().skip(self.next).take(tokens) {
            let apart = if space.contains('\n') { '\n' } else { ' ' };
            self.left.push(apart);
            self.left.push_str(word);
        }
    }
}

/// The words of a script; quoted texts are one word each, with their quotation marks.
pub(super) fn words(text: &str) -> Vec<&str> {
    let tokens = Script::new(text).tokens.into_iter();
    tokens.map(|(_, word)| word).collect()
}

/// Words of a script that belong together.
struct ScriptClause {
    tokens: usize,
    is_understood: bool,
}

impl ScriptClause {
    fn understood(tokens: usize) -> Self {
        Self {
            tokens,
            is_understood: true,
        }
    }

    fn left(tokens: usize) -> Self {
        Self {
            tokens,
            is_understood: false,
        }
    }
}

/// A number of cells a generation as a fraction: `-1/3`, `0.25`, `1`.
fn rate(word: &str) -> Option<(i64, u64)> {
    let (numerator, denominator) = match word.split_once('/') {
        Some((cells, period)) => (cells.parse::<i64>().ok()?, period.parse::<u64>().ok()?),
        None => {
            let (whole, part) = word.split_once('.').unwrap_or((word, ""));
            let is_number = part.len() <= MOST_DECIMALS && part.bytes().all(|b| b.is_ascii_digit());
            let digits = format!("{whole}{part}");
            let cells = digits.parse::<i64>().ok().filter(|_| is_number)?;
            (cells, 10_u64.pow(part.len() as u32))
        }
    };
    if denominator == 0 || denominator > MOST_PERIOD {
        return None;
    }
    let common = common_divisor(numerator.unsigned_abs(), denominator);
    Some((numerator / common as i64, denominator / common))
}

/// By Euclid's algorithm.
fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The zoom for a number of pixels per cell; a negative number is a fraction.
pub(super) fn zoom(pixels: f64) -> Option<Zoom> {
    let pixels = if pixels < 0.0 { -1.0 / pixels } else { pixels };
    if pixels >= 1.0 {
        return Some(Zoom::In((pixels.round() as u32).clamp(1, 64)));
    }
    let k = (-pixels.log2()).round();
    match k as u32 {
        0 if pixels > 0.0 => Some(Zoom::In(1)),
        k @ 1..=64 => Some(Zoom::Out(k)),
        _ => None,
    }
}
