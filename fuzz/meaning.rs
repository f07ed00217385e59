//! What every reader of rules is held to.

use rule::{Rule, Site};

#[allow(dead_code, reason = "files do not have radii")]
/// Whether a number of two digits or more stands where a radius may: such rules have large
/// tables, which take their time and show nothing new.
pub(crate) fn is_wide(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let after_r = |part: &str| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let end = digits.find(|c: char| !c.is_ascii_digit());
        digits[..end.unwrap_or(digits.len())].len() > 1
    };
    parts.any(|part| part.contains('r') && after_r(part)) || {
        // five numbers with commas, the first of them the radius
        let first = lower.split(',').next().unwrap_or_default();
        lower.matches(',').count() == 4 && first.trim().len() > 1
    }
}

/// Asks for next states everywhere, and for the words.
pub(crate) fn look(rule: &Rule) {
    let states = rule.states();
    assert!((2..=256).contains(&states));
    for generation in 0..rule.time_period() as u64 {
        for place in 0..4 {
            let site = Site {
                generation,
                x: place % 2,
                y: place / 2,
            };
            assert!(u16::from(rule.next(site, |_, _| 0)) < states);
            let radius = rule.radius() as i32;
            for seed in 1..4_i32 {
                let state = |dx: i32, dy: i32| {
                    assert!(
                        dx.abs().max(dy.abs()) <= radius,
                        "{dx} {dy} is out of {radius}"
                    );
                    let number = (dx * 7 + dy * 13 + seed * 5)
                        .unsigned_abs()
                        .wrapping_mul(2_654_435_761);
                    ((number >> 8) % u32::from(states)) as u8
                };
                assert!(u16::from(rule.next(site, state)) < states);
            }
        }
    }
    assert!(!rule.describe().is_empty());
    if let Some(inverse) = rule.inverse() {
        assert_eq!(inverse.inverse().as_ref(), Some(rule));
    }
}

/// A message tells a place that there is.
#[allow(dead_code, reason = "not every target has a place to tell")]
pub(crate) fn place(text: &str, line: usize, column: usize, message: &str) {
    let lines = text.lines().count().max(1);
    assert!(
        (1..=lines + 1).contains(&line),
        "line {line} of {lines}: {message}"
    );
    let length = text
        .lines()
        .nth(line - 1)
        .map_or(0, |line| line.chars().count());
    assert!(
        (1..=length + 2).contains(&column),
        "column {column} of {length}: {message}"
    );
}
