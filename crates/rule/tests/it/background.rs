//! B0 against the published formulas: Golly emulates such rules by others without B0.

use proptest::prelude::*;
use rule::{Rule, Site};

const LETTERS: &str = "aceijknqrtwyz";

/// `c` and `e` of four neighbours trade places in a complement, and so on.
fn exchanged(letter: char) -> char {
    let pairs = ["ce", "it", "nr", "yj", "qw"];
    let pair = pairs.iter().find(|p| p.contains(letter));
    pair.and_then(|p| p.chars().find(|&c| c != letter))
        .unwrap_or(letter)
}

/// All of `most` counts that are not in `counts`, each turned by `to`.
fn without(counts: &[u32], most: u32, to: impl Fn(u32) -> u32) -> String {
    let mut left: Vec<u32> = (0..=most).filter(|n| !counts.contains(n)).map(to).collect();
    left.sort_unstable();
    left.iter().map(ToString::to_string).collect()
}

fn within(counts: &[u32], most: u32, to: impl Fn(u32) -> u32) -> String {
    let others: Vec<u32> = (0..=most).filter(|n| !counts.contains(n)).collect();
    without(&others, most, to)
}

fn rule(text: &str) -> Rule {
    text.parse().unwrap()
}

/// Whether both give the same next state for every 3 x 3 block at a generation.
fn same(a: &Rule, b: &Rule, generation: u64) -> bool {
    let site = Site {
        generation,
        ..Site::default()
    };
    (0..512_u16).all(|c| {
        let look = |dx: i32, dy: i32| (c >> (4 - 3 * dy - dx) & 1) as u8;
        a.next(site, look) == b.next(site, look)
    })
}

/// Holds `B0…/S…` with a suffix against the rules it is emulated by.
fn check(birth: &[u32], survival: &[u32], most: u32, suffix: &str) {
    let list = |counts: &[u32]| within(counts, most, |n| n);
    let text = format!("B{}/S{}{suffix}", list(birth), list(survival));
    let own = rule(&text);
    let other = |n: u32| most - n;
    if survival.contains(&most) {
        let b = without(survival, most, other);
        let s = without(birth, most, other);
        let emulated = rule(&format!("B{b}/S{s}{suffix}"));
        assert_eq!(own.time_period(), 1, "{text}");
        assert_eq!(own.background(0), 1);
        assert!(same(&own, &emulated, 0), "{text} is not {emulated}");
    } else {
        let (b, s) = (without(birth, most, |n| n), without(survival, most, |n| n));
        let even = rule(&format!("B{b}/S{s}{suffix}"));
        let (b, s) = (within(survival, most, other), within(birth, most, other));
        let odd = rule(&format!("B{b}/S{s}{suffix}"));
        assert_eq!(own.time_period(), 2, "{text}");
        assert_eq!((own.background(0), own.background(1)), (0, 1));
        assert!(
            same(&own, &even, 4),
            "{text} is not {even} in even generations"
        );
        assert!(
            same(&own, &odd, 7),
            "{text} is not {odd} in odd generations"
        );
    }
}

#[test]
fn the_worked_examples() {
    check(&[0, 3], &[2, 3], 8, "");
    let antilife = rule("B0123478/S01234678");
    assert!(same(&antilife, &rule("B3/S23"), 0));
    let blinking = rule("B03/S23");
    assert!(same(&blinking, &rule("B1245678/S0145678"), 0));
    assert!(same(&blinking, &rule("B56/S58"), 1));
    assert_eq!(blinking.to_string(), "B03/S23");
}

#[test]
fn letters_trade_places() {
    // B0 and S8: births are the complements of what does not survive
    for letter in LETTERS.chars() {
        let own = rule(&format!("B01234-{letter}5678/S012345678"));
        let other = exchanged(letter);
        let emulated = rule(&format!("B/S4{other}"));
        assert!(same(&own, &emulated, 0), "{letter} and {other}");
    }
}

#[test]
fn bits_of_a_map_are_negated_and_reversed() {
    // births with none and with all, survival of none: 0 -> 1, and no other way to live
    let map = |bits: [bool; 32]| {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digit = |six: &[bool]| {
            let value = (0..6).fold(0, |v, i| v << 1 | usize::from(six.get(i) == Some(&true)));
            char::from(alphabet[value])
        };
        rule(&format!(
            "MAP{}",
            bits.chunks(6).map(digit).collect::<String>()
        ))
    };
    let mut bits = [false; 32];
    for at in [0, 3, 9, 20] {
        bits[at] = true;
    }
    let own = map(bits);
    assert!(same(&own, &map(bits.map(|b| !b)), 0));
    let mut reversed = bits;
    reversed.reverse();
    assert!(same(&own, &map(reversed), 1));
    bits[31] = true;
    reversed = bits;
    reversed.reverse();
    assert!(same(&map(bits), &map(reversed.map(|b| !b)), 0));
}

proptest! {
    #[test]
    fn every_neighbourhood(birth: u16, survival: u16, at in 0..3_usize) {
        let (most, suffix) = [(8, ""), (6, "H"), (4, "V")][at];
        let counts = |bits: u16| -> Vec<u32> { (0..=most).filter(|n| bits >> n & 1 == 1).collect() };
        check(&counts(birth | 1), &counts(survival), most, suffix);
    }

    #[test]
    fn the_definition_holds_at_any_range(birth: u32, survival: u32, at in 0..4_usize, seed: u64) {
        let code = ["NM", "NN", "NL", "NB"][at];
        let size = [24, 12, 36, 12][at];
        let holds = |bits: u32, n: u32| bits.rotate_left(n / 32) >> (n % 32) & 1 == 1;
        let (birth, survival) = (birth | 1, survival & !1);
        let list = |bits: u32| {
            let counts = (0..=size).filter(|&n| holds(bits, n));
            counts.map(|n| n.to_string()).collect::<Vec<_>>().join(",")
        };
        let own = rule(&format!("R2,C2,S{},B{},{code}", list(survival), list(birth)));
        let bare = |n: u32, alive: bool| u8::from(holds(if alive { survival } else { birth }, n));
        for generation in 0..2 {
            let site = Site { generation, ..Site::default() };
            let now = own.background(generation);
            let cell = |dx: i32, dy: i32| (seed >> ((dx * 7 + dy * 13) & 63) & 1) as u8;
            let rule::Transition::Count(table) = own.transition(site) else {
                panic!("counts")
            };
            let around = table.neighbourhood.cells();
            let count = around.iter().filter(|c| cell(c.dx, c.dy) != now).count() as u32;
            let wanted = bare(count, cell(0, 0) != now) ^ own.background(generation + 1);
            prop_assert_eq!(own.next(site, cell), wanted);
        }
    }
}
