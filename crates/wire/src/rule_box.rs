//! The rule box of the page: rules in words, and completions.

use crate::reply;
use pattern::Pattern;
use serde_json::{Value, json};
use session::file_access::FileAccess;

/// The most that is offered.
const MOST: usize = 40;

/// A rule's name, its own and in words, or why it is none.
pub fn explain(file_access: &FileAccess, text: &str) -> Value {
    match file_access.parse_rule(text, &Pattern::default(), None) {
        Ok(rule) => json!({
            "ok": true,
            "name": rule.to_string(),
            "family": rule.family(),
            "words": rule.explain().trim_end(),
            "states": rule.states(),
        }),
        Err(error) => reply::problem(&error, error.hint()),
    }
}

/// What a word may become: named rules, rules that have files, and one rule of each family.
/// What begins with the word comes first.
pub fn complete(file_access: &FileAccess, word: &str) -> Value {
    let wanted = plain(word);
    let named = rule::named_rules().iter();
    let named = named.map(|r| (r.name.to_string(), format!("{}: {}", r.rule, r.about)));
    let files = file_access
        .rule_names()
        .into_iter()
        .map(|name| (name, "a rule file".to_string()));
    let families = rule::families().iter();
    let families = families.map(|f| (f.example.to_string(), format!("{}: {}", f.name, f.about)));
    let all: Vec<(String, String)> = named.chain(files).chain(families).collect();
    let begins = |(text, _): &&(String, String)| plain(text).starts_with(&wanted);
    let (first, others): (Vec<_>, Vec<_>) = all.iter().partition(begins);
    let mentions = |(text, words): &&(String, String)| {
        plain(text).contains(&wanted) || plain(words).contains(&wanted)
    };
    let found = first
        .into_iter()
        .chain(others.into_iter().filter(mentions))
        .take(MOST);
    found
        .map(|(text, words)| json!({ "text": text, "words": words }))
        .collect()
}

/// A name in its normal form for comparison: no case, spaces, hyphens or underscores.
fn plain(text: &str) -> String {
    let letters = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_'));
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_in_words() {
        let file_access = FileAccess::default();
        let explanation = explain(&file_access, "highlife");
        assert_eq!(explanation["name"], "B36/S23");
        assert_eq!(explanation["states"], 2);
        assert!(explanation["words"].as_str().unwrap().len() > 10);
        let explanation = explain(&file_access, "B9/S");
        assert_eq!(explanation["ok"], false);
        assert!(explanation["error"].is_string());
    }

    #[test]
    fn words_become_rules() {
        let file_access = FileAccess::default();
        let texts = |word: &str| -> Vec<String> {
            let found = complete(&file_access, word);
            let rows = found.as_array().unwrap().iter();
            rows.map(|row| row["text"].as_str().unwrap().to_string())
                .collect()
        };
        assert_eq!(texts("hig")[0], "HighLife");
        assert!(
            texts("wireworld")
                .iter()
                .any(|text| plain(text) == "wireworld")
        );
        assert!(texts("").len() > 10);
        assert!(texts("no rule has this word").is_empty());
    }
}
