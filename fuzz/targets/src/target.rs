//! The targets: a module for each kind of input.

mod command;
mod draft;
mod game;
mod haul;
mod level;
mod message;
mod part;
mod pattern_file;
mod plan;
mod replay;
mod rule_text;
mod search_file;
mod session_script;
mod settings;

use crate::Target;

/// All targets.
pub const TARGETS: &[Target] = &[
    pattern_file::DETECT,
    pattern_file::RLE,
    pattern_file::PLAINTEXT,
    pattern_file::CLASSROOM,
    pattern_file::LIFE105,
    pattern_file::LIFE106,
    pattern_file::MACROCELL,
    pattern_file::MCELL,
    pattern_file::APGCODE,
    rule_text::RULESTRING,
    rule_text::RULE_FILE,
    rule_text::OWN_RULE,
    game::GAME,
    haul::HAUL,
    part::PART,
    search_file::SEARCH_FILE,
    replay::REPLAY,
    level::LEVEL,
    command::COMMAND,
    message::MESSAGE,
    draft::DRAFT,
    settings::SETTINGS,
    plan::PLAN,
    session_script::SESSION,
];

/// The words of some texts, each once: what a mutation puts in.
fn words_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let words = texts.into_iter().flat_map(str::split_whitespace);
    let mut words: Vec<String> = words.map(str::to_string).collect();
    words.sort();
    words.dedup();
    words
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

fn bytes_of(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
