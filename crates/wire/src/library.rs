//! The built-in patterns for the page: a list, and a thumbnail of each.

use engine::{EngineChoice, Options};
use pattern::library::{self, LibraryPattern};
use render::{Frame, Palette, PictureStyle, Theme, Viewport};
use rule::Rule;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How large the pictures are, in pixels.
const SIZE: (u32, u32) = (160, 120);

/// The list as JSON, made once.
pub fn list() -> &'static str {
    static LIST: OnceLock<String> = OnceLock::new();
    LIST.get_or_init(|| {
        let entries = library::all().iter().map(|entry| {
            let bounds = entry.pattern().cells.bounds();
            let side = |side: Option<String>| side.and_then(|side| side.parse::<u64>().ok());
            json!({
                "name": entry.name,
                "title": entry.title(),
                "author": entry.author(),
                "kind": entry.kind,
                "rule": entry.rule(),
                "description": entry.description(),
                "width": side(bounds.as_ref().map(|b| b.width.to_string())),
                "height": side(bounds.as_ref().map(|b| b.height.to_string())),
            })
        });
        serde_json::Value::from_iter(entries).to_string()
    })
}

/// The picture of a built-in pattern as PNG; none where there is no such pattern. Pictures
/// are kept, and made one at a time: a page asks for all of them at once, while a world
/// may be running.
pub fn picture(name: &str, theme: &str) -> Option<Arc<[u8]>> {
    type Pictures = HashMap<(&'static str, &'static str), Arc<[u8]>>;
    static MADE: Mutex<Option<Pictures>> = Mutex::new(None);
    let entry = library::find(name)?;
    let theme = Theme::find(theme)?;
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let made = made.get_or_insert_default();
    if let Some(picture) = made.get(&(entry.name, theme.name)) {
        return Some(picture.clone());
    }
    let picture: Arc<[u8]> = Arc::from(draw(entry, &theme)?);
    made.insert((entry.name, theme.name), picture.clone());
    Some(picture)
}

/// None where no engine takes it, which no built-in pattern does.
fn draw(entry: &LibraryPattern, theme: &Theme) -> Option<Vec<u8>> {
    let pattern = entry.pattern();
    let rule = match &pattern.rule_block {
        Some(block) => Rule::from_file(block).ok()?,
        None => pattern
            .rule
            .as_deref()
            .unwrap_or(source::DEFAULT_RULE)
            .parse()
            .ok()?,
    };
    let opened = engine::open(
        EngineChoice::Auto,
        &rule,
        &pattern,
        None,
        &Options::default(),
    )
    .ok()?;
    let world = opened.world;
    let (width, height) = SIZE;
    let viewport = match world.bounds() {
        Some(bounds) => Viewport::fitting_on(rule.lattice(), &bounds, width, height),
        None => Viewport::new(width, height),
    };
    let style = PictureStyle {
        grid: false,
        ..PictureStyle::default()
    };
    let frame = Frame::of(world.as_ref(), &viewport);
    Some(render::png(
        &frame.paint(&Palette::of(&rule, theme), &style),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_pattern_has_a_picture() {
        let list: serde_json::Value = serde_json::from_str(list()).unwrap();
        assert_eq!(list.as_array().unwrap().len(), library::all().len());
        for entry in library::all() {
            assert!(draw(entry, &Theme::PAPER).is_some(), "{}", entry.name);
        }
    }

    #[test]
    fn themes_and_names_are_known_ones() {
        let paper = picture("glider", "paper").unwrap();
        assert_eq!(paper[1..4], *b"PNG");
        assert_ne!(paper, picture("glider", "blueprint").unwrap());
        assert!(picture("glider", "no theme").is_none());
        assert!(picture("no pattern", "paper").is_none());
    }
}
