#![no_main]
//! A rule in any notation: what is read is written as something that is read as the same.

use libfuzzer_sys::fuzz_target;
use rule::Rule;

#[path = "../meaning.rs"]
mod meaning;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // a large radius means a large table, and nothing else
    if text.len() > 300 || meaning::is_wide(text) {
        return;
    }
    match text.parse::<Rule>() {
        Ok(rule) => {
            let written = rule.to_string();
            let again: Rule = written
                .parse()
                .unwrap_or_else(|e| panic!("{text} {written} {e}"));
            assert_eq!(again, rule, "{text} {written}");
            meaning::look(&rule);
        }
        Err(error) => {
            assert!(error.offset <= text.len(), "{error:?}");
            let _ = error.to_string();
        }
    }
});
