//! What is printed is read as the same rule: random rules of every family.

use proptest::prelude::*;
use rule::{Rule, Site};

/// Digits of a set of counts, some with letters.
fn counts(most: u32, letters: bool) -> impl Strategy<Value = String> {
    let alphabet = move |n: u32| match (letters, most, n) {
        (true, 8, 1 | 7) => "ce",
        (true, 8, 2 | 6) => "aceikn",
        (true, 8, 3 | 5) => "aceijknqry",
        (true, 8, 4) => "aceijknqrtwyz",
        (true, 6, 2..=4) => "mop",
        _ => "",
    };
    let one = move |n: u32| {
        let length = alphabet(n).len();
        (0..4_u8, 1..1_u32 << length.max(1)).prop_map(move |(kind, bits)| {
            let chosen = alphabet(n).chars().enumerate();
            let chosen = chosen.filter(|(i, _)| bits >> i & 1 == 1).map(|c| c.1);
            let chosen: String = chosen.collect();
            match kind {
                0 => String::new(),
                1 if !chosen.is_empty() => format!("{n}{chosen}"),
                2 if !chosen.is_empty() => format!("{n}-{chosen}"),
                _ => n.to_string(),
            }
        })
    };
    (0..=most)
        .map(one)
        .collect::<Vec<_>>()
        .prop_map(|parts| parts.concat())
}

fn around() -> impl Strategy<Value = (u32, &'static str)> {
    prop::sample::select(vec![(8, ""), (6, "H"), (4, "V"), (3, "HT")])
}

fn life_like() -> impl Strategy<Value = String> {
    (around(), any::<bool>()).prop_flat_map(|((most, suffix), letters)| {
        let set = || counts(most, letters);
        (set(), set(), 0..3_u8).prop_map(move |(b, s, spelling)| match spelling {
            0 => format!("B{b}/S{s}{suffix}"),
            1 => format!("s{s}b{b}{suffix}"),
            _ => format!("{s}/{b}{suffix}"),
        })
    })
}

fn generations() -> impl Strategy<Value = String> {
    (around(), any::<bool>()).prop_flat_map(|((most, suffix), letters)| {
        let set = || counts(most, letters);
        (set(), set(), 2..=256_u32, 0..4_u8).prop_map(move |(b, s, n, spelling)| {
            let b = b.trim_start_matches('0');
            match spelling {
                0 => format!("{s}/{b}/{n}{suffix}"),
                1 => format!("B{b}/S{s}/C{n}{suffix}"),
                2 => format!("b{b}s{s}_g{n}{suffix}"),
                _ => format!("g{n}b{b}s{s}{suffix}"),
            }
        })
    })
}

fn larger() -> impl Strategy<Value = String> {
    let codes = "MNC2BD+X*#HA3LG".chars().collect::<Vec<_>>();
    let code = prop::sample::select(codes);
    let list = || prop::collection::vec((1..9_u32, 0..3_u32), 0..4);
    (1..6_u32, 0..9_u32, 0..3_u8, list(), list(), code).prop_map(|(r, c, m, s, b, code)| {
        let text = |list: Vec<(u32, u32)>| {
            let fits = list.into_iter().filter(|n| n.0 + n.1 <= 3 * r.min(2));
            let parts = fits.map(|(from, more)| match more {
                0 => from.to_string(),
                1 => format!("{from}-{}", from + 1),
                _ => format!("{from}..{}", from + more),
            });
            parts.collect::<Vec<_>>().join(",")
        };
        let m = ["", ",M0", ",M1"][usize::from(m)];
        format!("R{r},C{c}{m},S{},B{},N{code}", text(s), text(b))
    })
}

fn matrix() -> impl Strategy<Value = String> {
    let grid = prop::sample::select(vec!["", "H", "L"]);
    let digits = "[0-9a-f]{100}";
    (1..4_usize, any::<bool>(), digits, grid, 2..5_usize).prop_map(|(r, bits, digits, grid, c)| {
        let cells = (2 * r + 1) * (2 * r + 1);
        match (bits, c) {
            (true, _) => format!("R{r},C{c},S0,B,N@{}{grid}", &digits[..r * (r + 1)]),
            (_, 4) => format!(
                "R{r},C{c},S0,B,NW{}{grid},0{}",
                &digits[..cells],
                &digits[..3]
            ),
            _ if 2 * cells <= 100 => format!("R{r},C{c},S0,B,NW{}{grid}", &digits[..2 * cells]),
            _ => format!("R{r},C{c},S0,B,NW{}{grid}", &digits[..cells]),
        }
    })
}

fn map() -> impl Strategy<Value = String> {
    let length = prop::sample::select(vec![86, 22, 6]);
    let tail = prop::sample::select(vec!["", "==", "/2", "/5", "==/256"]);
    (length, "[A-Za-z0-9+/]{86}", tail).prop_map(|(length, digits, tail)| {
        // the first digit tells about the empty plane, which must stay so for many states
        format!("MAPA{}{tail}", &digits[1..length])
    })
}

fn triangular() -> impl Strategy<Value = String> {
    let shapes = vec![
        (12, "L"),
        (3, "LE"),
        (9, "lv"),
        (6, "LI"),
        (6, "lO"),
        (9, "LB"),
        (3, "LR"),
    ];
    let set = |bits: u16, most: usize| -> String {
        let digits = "0123456789xYz".chars().take(most + 1).enumerate();
        let chosen = digits.filter(|(n, _)| bits >> n & 1 == 1);
        chosen.map(|(_, digit)| digit).collect()
    };
    let shape = prop::sample::select(shapes);
    (shape, any::<u16>(), any::<u16>(), 1..257_u16).prop_map(move |((most, suffix), b, s, n)| {
        let survival = set(s, most);
        match n {
            1 => format!("B{}/S{survival}{suffix}", set(b, most)),
            2 => format!("{survival}/{}{suffix}", set(b, most)),
            _ => format!("{survival}/{}/{n}{suffix}", set(b & !1, most)),
        }
    })
}

fn margolus() -> impl Strategy<Value = String> {
    let ends = prop::sample::select(vec![(0, 0), (0, 7), (0, 15), (15, 0), (15, 15)]);
    let inner = prop::collection::vec(0..16_u8, 14);
    (ends, inner, any::<bool>()).prop_map(|((first, last), inner, own)| {
        let numbers = [vec![first], inner, vec![last]].concat();
        let numbers = numbers.iter().map(ToString::to_string);
        let numbers: Vec<_> = numbers.collect();
        if own {
            format!("m{}", numbers.join(","))
        } else {
            format!("MS,D{}", numbers.join(";"))
        }
    })
}

fn mcell() -> impl Strategy<Value = String> {
    let places = prop::sample::subsequence(
        vec!["NW", "nn", "NE", "WW", "Me", "EE", "SW", "SS", "SE"],
        1..=9,
    );
    let places = places.prop_shuffle();
    let weights = prop::collection::vec(-256..257_i32, 9);
    let sums = || prop::collection::vec(0..2304_u32, 0..9);
    (places, weights, sums(), sums(), 0..257_u32).prop_map(|(places, weights, rs, rb, states)| {
        let weights = places.iter().zip(weights);
        let weights = weights.map(|(place, weight)| format!("{place}{weight}"));
        let survival = rs.iter().map(|sum| format!("RS{sum}"));
        let birth = rb.iter().filter(|&&sum| sum > 0 || states < 3);
        let birth = birth.map(|sum| format!("RB{sum}"));
        let items = weights.chain(survival).chain(birth);
        let items: Vec<_> = items.chain([format!("HI{states}")]).collect();
        items.join(",")
    })
}

/// Pairs that bring the empty plane back: without B0, or of one rule twice.
fn alternating() -> impl Strategy<Value = String> {
    let part = || prop_oneof![generations(), larger(), map()];
    let even = (0..128).prop_map(|n| format!("W{}|W{}", 2 * n, 254 - 2 * n));
    prop_oneof![
        (part(), part()).prop_map(|(even, odd)| format!("{even}|{odd}")),
        life_like().prop_map(|rule| format!("{rule}|{rule}")),
        even,
    ]
}

fn others() -> impl Strategy<Value = String> {
    let classroom = ["base", "Colorised", "extended", "weighted", "generations"];
    let named = rule::named_rules().iter().map(|named| named.name);
    let numbers = (0..256).map(|n| format!("W{n}"));
    let all = classroom
        .into_iter()
        .chain(named)
        .map(String::from)
        .chain(numbers);
    prop::sample::select(all.collect::<Vec<_>>())
}

fn shape() -> impl Strategy<Value = String> {
    (0..10_u8, 0..40_u64, 1..40_u64, -9..9_i64).prop_map(|(kind, w, h, s)| match kind {
        0 => format!(":P{w},{h}"),
        1 => format!(":t{w},{h}"),
        2 => format!(":T{h}"),
        3 => format!(":T{},{h}{s:+}", w + 1),
        4 => format!(":T{h}{s:+},{}", w + 1),
        5 => format!(":K{h}*,{}", w + 1),
        6 => format!(":K{h},{}*+1", 2 * w + 2),
        7 => format!(":C{h},{}", w + 1),
        8 => format!(":S{h}"),
        _ => String::new(),
    })
}

fn any_rule() -> impl Strategy<Value = String> {
    let rule = prop_oneof![
        life_like(),
        generations(),
        larger(),
        matrix(),
        map(),
        triangular(),
        margolus(),
        mcell(),
        alternating(),
        others()
    ];
    (rule, shape()).prop_map(|(rule, shape)| rule + &shape)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn printed_rules_are_read_back(text in any_rule(), seed: u64) {
        let rule: Rule = match text.parse() {
            Ok(rule) => rule,
            Err(error) => return Err(TestCaseError::fail(format!("{error}"))),
        };
        let printed = rule.to_string();
        let again: Rule = printed.parse().map_err(|e| TestCaseError::fail(format!("{e}")))?;
        prop_assert_eq!(&again, &rule);
        prop_assert_eq!(again.to_string(), printed);
        prop_assert!(!rule.explain().is_empty());
        // the same text must also mean the same
        for generation in 0..2 {
            for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let site = Site { generation, x, y };
                let look = |dx: i32, dy: i32| {
                    let mixed = seed.rotate_left((dx * 5 + dy * 17).rem_euclid(64) as u32);
                    (mixed % u64::from(rule.states())) as u8
                };
                let next = rule.next(site, look);
                prop_assert!(u16::from(next) < rule.states());
                prop_assert_eq!(again.next(site, look), next);
                prop_assert_eq!(rule.next(site, |_, _| 0), 0, "the empty plane stays");
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "[bBsSgrRCMNmapLhH0-9/_,.=:TKP@W+*|-]{0,24}") {
        if let Ok(rule) = text.parse::<Rule>() {
            prop_assert_eq!(rule.to_string().parse::<Rule>().unwrap(), rule);
        }
    }

    #[test]
    fn nor_does_any_character(text in "\\PC{0,12}") {
        let _ = text.parse::<Rule>();
    }
}
