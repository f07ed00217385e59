//! Sidecar files: settings in a TOML file beside a pattern whose format cannot hold them, with
//! whatever else the format cannot hold.
//!
//! ```toml
//! # how gridpaper shows the pattern beside this file
//! rule = "B36/S23:T100,80"
//! zoom = "8"
//! place = "3,-4"
//! grid = true
//!
//! [colours]
//! 1 = "#d55e00"
//! ```

use super::{ParsedSettings, Settings, SettingsWarning};
use num_bigint::BigInt;
use pattern::{Bounds, Format, FormatLoss, Pattern};
use source::DEFAULT_RULE;
use std::fmt::Write as _;
use toml::{Table, Value};

/// The largest sidecar in bytes; a longer file is ignored.
pub(crate) const MAX_SIDECAR_BYTES: u64 = 1 << 20;

/// The file name of a pattern's sidecar.
///
/// ```
/// assert_eq!(session::settings::sidecar_name("map.cells"), "map.cells.toml");
/// ```
#[must_use]
pub fn sidecar_name(name: &str) -> String {
    format!("{name}.toml")
}

/// Whether a format loses something of a pattern that a sidecar would keep.
pub(super) fn has_lost(pattern: &Pattern, format: Format) -> bool {
    !lost(pattern, format).is_empty()
}

/// The parts of a pattern that its sidecar keeps, by name.
fn lost(pattern: &Pattern, format: Format) -> Table {
    let mut table = Table::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            table.insert(name.into(), value);
        }
    };
    let text = |text: &Option<String>| text.clone().map(Value::String);
    for loss in pattern::losses(pattern, format) {
        match loss {
            FormatLoss::Rule => {
                let rule = pattern.rule.clone().filter(|rule| rule != DEFAULT_RULE);
                put("rule", text(&rule));
            }
            FormatLoss::RuleBlock => put("rule-file", text(&pattern.rule_block)),
            FormatLoss::Name => put("name", text(&pattern.name)),
            FormatLoss::Author => put("author", text(&pattern.author)),
            FormatLoss::Generation => {
                put("generation", Some(pattern.generation.to_string().into()));
            }
            FormatLoss::Comments => {
                let lines = pattern.comments.iter().cloned().map(Value::String);
                put("comments", Some(Value::Array(lines.collect())));
            }
            _ => {}
        }
    }
    if loses_place(pattern, format) {
        // Relative to the live cells, since the file's box may differ.
        let corner = pattern.cells.bounds();
        let corner = corner.map(|b| format!("{},{}", b.x, b.y));
        put("corner", corner.map(Value::String));
    }
    table
}

/// Whether the cells would be read back at another position. A pattern without a position is
/// centred in a grid, so there even (0, 0) has to be stored.
fn loses_place(pattern: &Pattern, format: Format) -> bool {
    let has_grid = pattern.rule.as_ref().is_some_and(|rule| rule.contains(':'));
    let by_rows = matches!(format, Format::Plaintext | Format::Classroom);
    let is_middled = has_grid && by_rows && pattern.position.is_some();
    is_middled || pattern::losses(pattern, format).contains(&FormatLoss::Position)
}

pub(super) fn write(settings: &Settings, pattern: &Pattern, format: Format) -> String {
    let mut table = lost(pattern, format);
    for (name, value) in &settings.unknown {
        table.insert(name.clone(), value.clone().into());
    }
    for (name, value) in settings.named() {
        let value = match value.as_str() {
            "on" => Value::Boolean(true),
            "off" => Value::Boolean(false),
            _ => Value::String(value),
        };
        table.insert(name, value);
    }
    if !settings.script.is_empty() {
        let lines = settings.script.iter().cloned().map(Value::String);
        table.insert("script".into(), Value::Array(lines.collect()));
    }
    if !settings.colours.is_empty() {
        let colours = settings.colours.iter();
        let colours = colours.map(|(state, colour)| (state.to_string(), colour.to_string().into()));
        table.insert("colours".into(), Value::Table(colours.collect()));
    }
    let mut text = String::from("# how gridpaper shows the pattern beside this file\n");
    // Writing to a String cannot fail.
    let _ = write!(text, "{table}");
    text
}

pub(super) fn read(text: &str, pattern: &mut Pattern, read: &mut ParsedSettings) {
    let table: Table = match text.parse() {
        Ok(table) => table,
        Err(error) => {
            let error: toml::de::Error = error;
            let before = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(before).filter(|&b| b == b'\n').count();
            let problem = error.message().lines().next().unwrap_or_default();
            read.warnings.push(SettingsWarning::Toml {
                line,
                problem: problem.to_lowercase(),
            });
            return;
        }
    };
    for (name, value) in table {
        let understood = match (name.as_str(), &value) {
            ("colours", Value::Table(colours)) => {
                read_colours(colours, read);
                true
            }
            ("script", Value::Array(lines)) => texts(lines, &mut read.settings.script),
            ("comments", Value::Array(lines)) => texts(lines, &mut pattern.comments),
            ("rule", Value::String(text)) => or(&mut pattern.rule, text),
            ("rule-file", Value::String(text)) => or(&mut pattern.rule_block, text),
            ("name", Value::String(text)) => or(&mut pattern.name, text),
            ("author", Value::String(text)) => or(&mut pattern.author, text),
            ("generation", value) => match plain(value).parse::<BigInt>() {
                Ok(generation) => {
                    pattern.generation = generation;
                    true
                }
                Err(_) => false,
            },
            ("corner", value) => put_at(&plain(value), pattern),
            ("colours" | "script" | "comments" | "rule" | "rule-file" | "name" | "author", _) => {
                false
            }
            (name, value) => {
                read.set(name, &plain(value));
                true
            }
        };
        if !understood {
            let value = plain(&value);
            read.warnings.push(SettingsWarning::Value { name, value });
        }
    }
}

/// A value as plain text.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Sets a value unless the file itself has one.
fn or(own: &mut Option<String>, text: &str) -> bool {
    own.get_or_insert_with(|| text.to_string());
    true
}

/// Appends the values if all of them are texts; returns whether they are.
fn texts(lines: &[Value], to: &mut Vec<String>) -> bool {
    let lines = lines.iter().map(|line| line.as_str().map(str::to_string));
    let Some(lines) = lines.collect::<Option<Vec<String>>>() else {
        return false;
    };
    to.extend(lines);
    true
}

fn read_colours(colours: &Table, read: &mut ParsedSettings) {
    for (state, colour) in colours {
        let text = plain(colour);
        match (state.parse::<u8>(), text.parse::<render::Rgb>()) {
            (Ok(state), Ok(colour)) => {
                read.settings.colours.insert(state, colour);
            }
            _ => read.warnings.push(SettingsWarning::Value {
                name: format!("colours.{state}"),
                value: text,
            }),
        }
    }
}

/// Moves the live cells so that the corner of their bounding box is at this position.
fn put_at(text: &str, pattern: &mut Pattern) -> bool {
    let corner = text.split_once(',');
    let corner = corner.and_then(|(x, y)| {
        let (x, y) = (x.trim().parse::<i64>().ok()?, y.trim().parse::<i64>().ok()?);
        Some((x, y))
    });
    let Some((x, y)) = corner else {
        return false;
    };
    let bounds = pattern.cells.bounds();
    let Some(now) = bounds.as_ref().and_then(Bounds::to_rect) else {
        return true;
    };
    let (Some(right), Some(down)) = (x.checked_sub(now.x), y.checked_sub(now.y)) else {
        return false;
    };
    let far = |side: u64| i64::try_from(side).ok();
    let fits = |c: i64, side: u64| far(side).is_some_and(|side| c.checked_add(side).is_some());
    if !fits(x, now.width) || !fits(y, now.height) {
        return false;
    }
    pattern.cells = pattern.cells.translated(right, down);
    // The corner of the cells, since the header's box is not known.
    pattern.position = Some(grid::Point::new(x, y));
    pattern.size = Some((now.width, now.height));
    true
}
