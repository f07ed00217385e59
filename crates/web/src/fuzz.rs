//! What a page says, without a socket: the way in for the fuzz targets, and for nobody else.

use crate::message::TabMessage;
use crate::pages;
use session::Command;

/// Lets a page of this name hear these messages, one after the other, and gives how many of
/// them were read; none where no page has the name. Nothing is searched, played or written.
#[must_use]
pub fn hear(page: &str, messages: &[&str]) -> Option<usize> {
    match page.trim() {
        "worlds" => Some(read(messages, |text| match TabMessage::read(text) {
            Ok(TabMessage::Do { text, .. }) => text.parse::<Command>().is_ok(),
            read => read.is_ok(),
        })),
        "classroom" => Some(pages::classroom::hear(messages)),
        "laser" => Some(pages::laser::hear(messages)),
        "play" => Some(read(messages, pages::play::reads)),
        "arena" => Some(read(messages, pages::arena::reads)),
        "replays" => {
            pages::replays::reads(&messages.join("\n"));
            Some(messages.len())
        }
        _ => None,
    }
}

fn read(messages: &[&str], reads: impl Fn(&str) -> bool) -> usize {
    messages.iter().filter(|text| reads(text)).count()
}
