//! The table of the page's texts in another language: it has every text that documents and modules
//! name, and fills in as much.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("page")
}

/// The table's entries. Each is a key (a name or a string), a colon, a string and a comma.
fn table() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(page().join("texts/de.js")).unwrap();
    let (_, body) = text.split_once("TEXTS = {").expect("the table begins");
    let mut rest = body;
    let mut entries = BTreeMap::new();
    loop {
        rest = rest.trim_start();
        if rest.starts_with("//") {
            rest = rest.split_once('\n').unwrap().1;
            continue;
        }
        if rest.starts_with('}') {
            return entries;
        }
        let (key, after) = match rest.starts_with('"') {
            true => string(rest),
            false => {
                let (key, _) = rest.split_once(':').unwrap();
                (key.to_string(), &rest[key.len()..])
            }
        };
        let after = after.strip_prefix(':').expect("a colon follows a key");
        let (value, after) = string(after.trim_start());
        rest = after.strip_prefix(',').expect("a comma ends an entry");
        assert!(entries.insert(key.clone(), value).is_none(), "{key} twice");
    }
}

/// A string in double quotes, and what follows it.
fn string(text: &str) -> (String, &str) {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let string = stream.next().expect("a string").unwrap();
    let end = stream.byte_offset();
    (string, &text[end..])
}

/// The texts of a document: those between tags, and the attributes that people read.
fn texts_of_document(html: &str) -> Vec<String> {
    // places to fill in stand inside attributes too
    let parts = html.split("<!--");
    let parts = parts.map(|part| part.split_once("-->").map_or(part, |(_, after)| after));
    let html: String = parts.collect();
    let mut texts = Vec::new();
    let mut rest = html.as_str();
    while let Some((text, after)) = rest.split_once('<') {
        texts.push(text.to_string());
        let (tag, after) = after.split_once('>').unwrap();
        for name in ["title", "aria-label", "placeholder", "alt"] {
            if let Some((_, value)) = tag.split_once(&format!(" {name}=\"")) {
                texts.push(value.split_once('"').unwrap().0.to_string());
            }
        }
        rest = after;
        // what programs read
        for skipped in ["script", "style", "code"] {
            if tag.split(' ').next() == Some(skipped) {
                rest = rest.split_once(&format!("</{skipped}>")).unwrap().1;
            }
        }
    }
    let plain = |text: String| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words
            .join(" ")
            .replace("&quot;", "\"")
            .replace("&amp;", "&")
    };
    texts.into_iter().map(plain).collect()
}

/// The strings that follow a mark in a module, up to the end of the line.
fn strings_after(module: &str, mark: &str) -> Vec<String> {
    let lines = module.lines();
    let found = lines.filter_map(|line| line.split_once(mark));
    found
        .map(|(_, rest)| string(&format!("\"{rest}")).0)
        .collect()
}

fn has_words(text: &str) -> bool {
    text.split(|c: char| !c.is_lowercase())
        .any(|word| word.len() > 1)
}

#[test]
fn the_german_table_has_every_text_of_the_documents() {
    let table = table();
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(page()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".html") && name != "missing.html" {
            let html = std::fs::read_to_string(&path).unwrap();
            texts.extend(
                texts_of_document(&html)
                    .into_iter()
                    .map(|text| (text, name.clone())),
            );
        }
    }
    let words = std::fs::read_to_string(page().join("words.js")).unwrap();
    for line in words.lines().filter(|line| line.ends_with("\",")) {
        texts.extend(
            strings_after(line, ": \"")
                .into_iter()
                .map(|text| (text, "words.js".into())),
        );
    }
    for module in [
        "cell-cursor.js",
        "help.js",
        "laser/main.js",
        "laser/editor.js",
        "play/table.js",
        "replays/main.js",
        "arena/tournament.js",
        "classroom/main.js",
    ] {
        let text = std::fs::read_to_string(page().join(module)).unwrap();
        texts.extend(
            strings_after(&text, "words: \"")
                .into_iter()
                .map(|text| (text, module.into())),
        );
    }
    assert!(texts.len() > 400, "{}", texts.len());
    let missing: Vec<_> = texts
        .iter()
        .filter(|(text, _)| has_words(text) && !table.contains_key(text))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn each_translation_fills_in_as_much() {
    for (text, other) in table() {
        assert!(!other.trim().is_empty(), "{text}");
        assert_eq!(
            text.matches("{}").count(),
            other.matches("{}").count(),
            "{text}"
        );
    }
}
