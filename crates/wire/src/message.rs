//! Messages of a workbench tab: one JSON object each.

use serde::Deserialize;
use thiserror::Error;

/// A validated message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TabMessage {
    /// The size of the view in pixels.
    Size {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A command, as text; the reply bears its number.
    Do {
        /// The command.
        text: String,
        /// Its number.
        id: u64,
    },
    /// Credit for this many more frames.
    Credit(u32),
    /// Whether the plot is visible.
    Plot(bool),
    /// Whether its curves are, drawn large on their axes.
    Curves(bool),
    /// Whether the page is dark where the theme is left to it.
    Dark(bool),
}

/// The longest accepted message in bytes; large because patterns are pasted.
pub const LONGEST: usize = 1 << 20;

/// The longest side of a view in pixels.
const LONGEST_SIDE: u32 = 8192;

/// The most pixels of a view: more than the largest screens have.
const MOST_PIXELS: u64 = 36 << 20;

/// What is wrong with a message.
#[derive(Debug, Error)]
pub enum TabMessageError {
    /// It is no JSON of a message.
    #[error("no message that is known here: {0}")]
    Unread(#[from] serde_json::Error),
    /// It says several things, or none.
    #[error("a message says one thing: size, do, credit, plot, curves or dark")]
    NotOne,
    /// It is no text.
    #[error("messages are text, not bytes")]
    Binary,
    /// A command without its number.
    #[error("a command has an id, a number that grows")]
    NoId,
    /// A view that is too large, or empty.
    #[error(
        "a view of {0} x {1} pixels: it has 1 to {LONGEST_SIDE} a side, and at most {MOST_PIXELS} in all"
    )]
    Size(u32, u32),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTabMessage {
    size: Option<[u32; 2]>,
    #[serde(rename = "do")]
    command: Option<String>,
    id: Option<u64>,
    credit: Option<u32>,
    plot: Option<bool>,
    curves: Option<bool>,
    dark: Option<bool>,
}

impl TabMessage {
    /// Reads one.
    ///
    /// # Errors
    /// Says why it is none.
    ///
    /// ```
    /// use wire::TabMessage;
    /// assert_eq!(TabMessage::read(r#"{"credit":2}"#)?, TabMessage::Credit(2));
    /// assert!(TabMessage::read(r#"{"credit":2,"plot":true}"#).is_err());
    /// # Ok::<(), wire::TabMessageError>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, TabMessageError> {
        let raw: RawTabMessage = serde_json::from_str(text)?;
        let id = raw.id;
        let fields: [Option<Result<Self, TabMessageError>>; 6] = [
            raw.size
                .map(|[width, height]| Ok(Self::Size { width, height })),
            raw.command.map(|text| {
                let id = id.ok_or(TabMessageError::NoId)?;
                Ok(Self::Do { text, id })
            }),
            raw.credit.map(|credit| Ok(Self::Credit(credit))),
            raw.plot.map(|on| Ok(Self::Plot(on))),
            raw.curves.map(|on| Ok(Self::Curves(on))),
            raw.dark.map(|on| Ok(Self::Dark(on))),
        ];
        let mut fields = fields.into_iter().flatten();
        let (Some(message), None) = (fields.next(), fields.next()) else {
            return Err(TabMessageError::NotOne);
        };
        let message = message?;
        if let Self::Size { width, height } = message {
            let fits = |side| (1..=LONGEST_SIDE).contains(&side);
            let pixels = u64::from(width) * u64::from(height);
            if !fits(width) || !fits(height) || pixels > MOST_PIXELS {
                return Err(TabMessageError::Size(width, height));
            }
        }
        Ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_one_thing() {
        let size = |width, height| Some(TabMessage::Size { width, height });
        let rows = [
            (r#"{"size":[1280,720]}"#, size(1280, 720)),
            (r#"{"size":[8192,4608]}"#, size(8192, 4608)),
            (
                r#"{"do":"zoom in","id":17}"#,
                Some(TabMessage::Do {
                    text: "zoom in".into(),
                    id: 17,
                }),
            ),
            (r#"{"credit":2}"#, Some(TabMessage::Credit(2))),
            (r#"{"plot":true}"#, Some(TabMessage::Plot(true))),
            (r#"{"curves":true}"#, Some(TabMessage::Curves(true))),
            (r#"{"dark":false}"#, Some(TabMessage::Dark(false))),
            (r#"{"do":"zoom in"}"#, None),
            (r#"{"do":"zoom in","id":-1}"#, None),
            (r#"{"do":7,"id":1}"#, None),
            (r#"{"size":[0,720]}"#, None),
            (r#"{"size":[8193,1]}"#, None),
            (r#"{"size":[8192,8192]}"#, None),
            (r#"{"size":[1e9,1]}"#, None),
            (r#"{"size":[1]}"#, None),
            (r#"{"credit":1,"plot":true}"#, None),
            (r#"{"id":1}"#, None),
            (r#"{"jump":1}"#, None),
            (r#"{}"#, None),
            (r#"[]"#, None),
            ("", None),
            ("{", None),
        ];
        for (text, expected) in rows {
            assert_eq!(TabMessage::read(text).ok(), expected, "{text}");
        }
    }

    /// Issue 28: no depth of a text is a depth of the stack.
    #[test]
    fn a_message_may_be_as_deep_as_it_likes_and_is_none() {
        let deep = 100_000;
        for text in [
            "[".repeat(deep),
            "{\"do\":".repeat(deep),
            "{\"plot\":".to_string() + &"[".repeat(deep),
            "{\"new\":".to_string() + &"[".repeat(deep) + &"]".repeat(deep) + "}",
        ] {
            let error = TabMessage::read(&text).unwrap_err().to_string();
            assert!((1..200).contains(&error.len()), "{error:.300}");
        }
    }
}
