//! Feeds messages to the pages without a socket, for the fuzz targets only.

use crate::pages;
use session::Command;
use wire::TabMessage;

/// Lets the page of this name handle these messages in order and returns how many could be parsed;
/// `None` for an unknown page. Nothing is searched, played or written.
#[must_use]
pub fn handle_messages(page: &str, messages: &[&str]) -> Option<usize> {
    match page.trim() {
        "worlds" => Some(read(messages, |text| match TabMessage::read(text) {
            Ok(TabMessage::Do { text, .. }) => text.parse::<Command>().is_ok(),
            read => read.is_ok(),
        })),
        "classroom" => Some(pages::classroom::handle(messages)),
        "laser" => Some(pages::laser::handle(messages)),
        "play" => Some(read(messages, pages::play::reads)),
        "census" => Some(read(messages, pages::census::reads)),
        "search" => Some(read(messages, pages::search::reads)),
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
