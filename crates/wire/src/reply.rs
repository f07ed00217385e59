//! Replies to pages as JSON.

use num_bigint::{BigInt, BigUint};
use pattern::Format;
use plot::{PlotDrawing, PlotSeries};
use render::{FrameComparison, Palette, Rgb, StateIcons, Theme};
use serde_json::{Value, json};
use session::command::{self, Group};
use session::{CommandRefusal, CommandReply, FormatOffer};
use std::sync::OnceLock;

/// The outcome of a command or an upload.
pub fn outcome(outcome: &Result<CommandReply, CommandRefusal>) -> Value {
    match outcome {
        Ok(reply) => {
            let mut body = json!({ "ok": true });
            if let Some(note) = &reply.note {
                body["note"] = note.as_str().into();
            }
            if reply.undo {
                body["undo"] = true.into();
            }
            if let Some(clip) = &reply.clip {
                body["clip"] = clip.as_str().into();
            }
            if let Some(file) = &reply.file {
                body["file"] = file.as_str().into();
            }
            body
        }
        Err(CommandRefusal::Asks {
            question,
            command,
            yes,
        }) => json!({
            "ok": false,
            "ask": { "question": question, "command": command, "yes": yes },
        }),
        Err(refusal) => problem(refusal, refusal.hint()),
    }
}

/// An error and its hint.
pub fn problem(error: impl ToString, hint: Option<impl Into<String>>) -> Value {
    let mut body = json!({ "ok": false, "error": error.to_string() });
    if let Some(hint) = hint {
        body["hint"] = hint.into().into();
    }
    body
}

/// The reply to a command of a tab.
pub fn to_command(id: u64, outcome: &Result<CommandReply, CommandRefusal>) -> String {
    let mut reply = self::outcome(outcome);
    reply["id"] = id.into();
    json!({ "reply": reply }).to_string()
}

/// The reply to a command that panicked.
pub fn to_broken_command(id: u64, error: &str) -> String {
    let mut reply = problem(error, None::<String>);
    reply["id"] = id.into();
    json!({ "reply": reply }).to_string()
}

/// The answer to a malformed message.
pub fn to_malformed(error: impl ToString) -> String {
    json!({ "error": error.to_string() }).to_string()
}

/// The HTTP status for the outcome of an upload: what a command asks first is a conflict.
pub fn code(outcome: &Result<CommandReply, CommandRefusal>) -> u16 {
    match outcome {
        Ok(_) => 200,
        Err(CommandRefusal::Asks { .. }) => 409,
        Err(_) => 422,
    }
}

/// The first message to a tab: commands, keys, formats and limits.
///
/// `files` are the pattern files of the server's folder, where it has one.
pub fn welcome(tab: u64, upload: u64, files: Option<&[String]>, note: Option<&str>) -> String {
    let own = json!({
        "tab": tab,
        "limits": { "upload": upload, "message": crate::message::LONGEST },
        "folder": files.is_some(),
        "files": files.unwrap_or_default(),
        "note": note,
    });
    let (own, constant_part) = (own.to_string(), constant_part());
    // both are objects that have something in them
    format!(
        "{{\"welcome\":{},{}}}",
        &own[..own.len() - 1],
        &constant_part[1..]
    )
}

/// The part of the welcome that is the same for all tabs, made once.
fn constant_part() -> &'static str {
    static CONSTANT_PART: OnceLock<String> = OnceLock::new();
    CONSTANT_PART.get_or_init(|| {
        let commands = command::ALL.iter().map(|entry| {
            json!({
                "name": entry.name,
                "usage": entry.usage,
                "group": entry.group.title(),
                "help": entry.help,
                "examples": entry.examples,
            })
        });
        let compare = json!({
            "name": "compare",
            "usage": "WORLD | together [on|off|toggle] | off",
            "group": Group::See.title(),
            "help": "another open world laid over this one, in three colours; together: both step at once",
            "examples": ["compare off"],
        });
        let commands = commands.chain([compare]);
        let keys = command::KEYS.iter();
        let keys = keys.map(|key| json!({ "keys": key.keys, "command": key.command }));
        let groups = Group::ALL.iter().map(|group| group.title());
        let formats = Format::ALL.into_iter().filter(|format| format.is_written());
        let formats = formats.map(|format| {
            let extension = format.extensions().first().copied().unwrap_or_default();
            json!({ "name": format.name(), "extension": extension })
        });
        let themes = Theme::ALL.iter().map(|theme| theme.name);
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "commands": Value::from_iter(commands),
            "groups": Value::from_iter(groups),
            "keys": Value::from_iter(keys),
            "formats": Value::from_iter(formats),
            "themes": Value::from_iter(themes),
            "topologies": topologies(),
        })
        .to_string()
    })
}

/// The shapes that a world may have, as the words that `resize` takes.
fn topologies() -> Value {
    let rows = [
        ("unbounded", "unbounded", "no edges"),
        ("plane", "WxH plane", "dead outside"),
        ("torus", "WxH torus", "each edge joined to the opposite one"),
        (
            "klein",
            "WxH klein",
            "one pair of edges joined with a twist",
        ),
        (
            "cross",
            "WxH cross",
            "both pairs of edges joined with a twist",
        ),
        (
            "sphere",
            "WxW sphere",
            "top joined to left, right to bottom",
        ),
    ];
    let rows =
        rows.map(|(name, usage, words)| json!({ "name": name, "usage": usage, "words": words }));
    rows.into_iter().collect()
}

/// A theme's colours by their names.
pub fn colours(theme: &Theme) -> [(&'static str, String); 13] {
    [
        ("sheet", theme.sheet),
        ("desk", theme.surround),
        ("rule", theme.rule),
        ("rule_bold", theme.rule_bold),
        ("ink", theme.ink),
        ("pencil", theme.pencil),
        ("dying", theme.dying),
        ("red", theme.red),
        ("blue", theme.blue),
        ("selection", theme.selection),
        ("text", theme.text),
        ("text_soft", theme.text_soft),
        ("accent", theme.accent),
    ]
    .map(|(name, colour)| (name, colour.to_string()))
}

/// The colours of a world: of as many states as it has.
pub fn look(palette: &Palette, states: u16, names: &[(u8, String)], icons: &StateIcons) -> String {
    let mut theme = json!({ "name": palette.theme.name });
    for (name, colour) in self::colours(&palette.theme) {
        theme[name] = colour.into();
    }
    let colours = |colours: &[Rgb]| Value::from_iter(colours.iter().map(Rgb::to_string));
    let states = usize::from(states).clamp(2, palette.states.len());
    let mut named = vec![String::new(); states];
    for (state, name) in names {
        if let Some(place) = named.get_mut(usize::from(*state)) {
            place.clone_from(name);
        }
    }
    json!({ "look": {
        "theme": theme,
        "states": colours(&palette.states[..states]),
        "dying": palette.dying.to_string(),
        "ages": colours(&palette.ages),
        "history": colours(&palette.history),
        "density": colours(&palette.density),
        "compared": colours(&FrameComparison::colours(&palette.theme)),
        "names": named,
        "icons": icons.sides().collect::<Vec<_>>(),
    }})
    .to_string()
}

/// The points of the plot, as texts: both numbers may be of any length. With curves, these on
/// their axes too.
pub fn plot(plot: &PlotSeries, curves: Option<&PlotDrawing>) -> String {
    let mut body = json!({ "points": points(plot.points()) });
    if let Some(drawing) = curves {
        let round = |part: f64| (part * 1e4).round() / 1e4;
        let curves = drawing.curves.iter().map(|curve| {
            let places = curve.places.iter();
            json!({
                "name": curve.quantity.name(),
                "places": places.map(|(x, y)| json!([round(*x), round(*y)])).collect::<Value>(),
                "values": points(&curve.values),
            })
        });
        body["drawing"] = json!({
            "curves": curves.collect::<Value>(),
            "across": drawing.across,
            "across_title": drawing.across_title,
            "up": drawing.up,
            "up_title": drawing.up_title,
        });
    }
    json!({ "plot": body }).to_string()
}

fn points(points: &[(BigInt, BigUint)]) -> Value {
    let points = points.iter();
    points
        .map(|(generation, value)| json!([generation.to_string(), value.to_string()]))
        .collect()
}

/// Which formats can hold the world as it is, and what they leave out.
pub fn format_offers(offers: &[FormatOffer]) -> Value {
    let offers = offers.iter().map(|offer| {
        json!({
            "name": offer.format.name(),
            "extension": offer.format.extensions().first(),
            "refusal": offer.refusal,
            "losses": offer.losses,
        })
    });
    offers.collect()
}

/// A safe file name with an extension of its format.
pub fn file_name(name: &str, format: Format) -> String {
    let name = name.trim().replace(['/', '\\'], "-");
    let name = name.trim_start_matches('.');
    let name = if name.is_empty() { "untitled" } else { name };
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    let has_ending = format.extensions().iter().any(|ending| {
        plain
            .strip_suffix(ending)
            .is_some_and(|stem| stem.ends_with('.'))
    });
    if has_ending {
        return name.to_string();
    }
    // what has no ending of its own is text
    let ending = format.extensions().first().unwrap_or(&"txt");
    format!("{name}.{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_get_names_that_lead_nowhere_else() {
        let rows = [
            ("glider", Format::Rle, "glider.rle"),
            ("glider.rle", Format::Rle, "glider.rle"),
            ("glider.rle.gz", Format::Rle, "glider.rle.gz"),
            ("glider.rle", Format::Plaintext, "glider.rle.cells"),
            ("gliderrle", Format::Rle, "gliderrle.rle"),
            ("../../etc/passwd", Format::Rle, "-..-etc-passwd.rle"),
            (".hidden", Format::Rle, "hidden.rle"),
            ("", Format::Rle, "untitled.rle"),
        ];
        for (name, format, expected) in rows {
            assert_eq!(file_name(name, format), expected, "{name:?}");
        }
    }
}
