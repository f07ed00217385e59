//! Adversarial texts: refused or parsed, never with a panic, and with no more stack, memory or
//! time than their length justifies.

use dice::Dice;
use rule::{CustomRule, CustomRuleProblem, Rule};

const DEEP: usize = 1_000_000;

fn table(body: &str) -> String {
    format!("@RULE X\n@TABLE\n{body}\n")
}

fn tree(body: &str) -> String {
    format!("@RULE X\n@TREE\n{body}\n")
}

fn file_error(text: &str) -> String {
    let error = Rule::from_file(text).map(|rule| rule.to_string());
    error.expect_err(text).to_string()
}

/// Issue 28: these divided by the size of a ring that was too small, or read transitions by
/// another neighbourhood.
#[test]
fn a_table_that_tells_no_symmetries_has_the_usual_ones() {
    let usual = "and the usual one, `rotate4`, does not go with";
    for (name, expected) in [
        (
            "hexagonal",
            "none, rotate2, rotate3, rotate6, rotate6reflect, permute",
        ),
        ("oneDimensional", "none, reflect, permute"),
        (
            "triangularVonNeumann",
            "none, rotate, rotate_reflect, permute",
        ),
        ("triangularMoore", "none, rotate, rotate_reflect, permute"),
    ] {
        let error = file_error(&table(&format!("neighborhood:{name}")));
        let words = format!(
            "3:14: no line tells the symmetries, {usual} {name}; \
             expected a line `symmetries:` and one of {expected}"
        );
        assert_eq!(error, words);
    }
    let blocks = [
        "Margolus",
        "square4_figure8v",
        "square4_figure8h",
        "square4_cyclic",
    ];
    for name in blocks.into_iter().chain(["vonNeumann", "Moore"]) {
        let head = format!("n_states:2\nneighborhood:{name}\n");
        let line = match name {
            "vonNeumann" => "0,1,0,0,0,1",
            "Moore" => "0,1,0,0,0,0,0,0,0,1",
            _ => "1,0,0,0 : 0,0,0,1",
        };
        let silent = Rule::from_file(&table(&format!("{head}{line}")));
        let told = Rule::from_file(&table(&format!("{head}symmetries:rotate4\n{line}")));
        assert_eq!(silent.unwrap(), told.unwrap(), "{name}");
    }
    // The name may stand anywhere, also below what it is for.
    let late = Rule::from_file(&table(
        "n_states:2\nneighborhood:hexagonal\n0,1,0,0,0,0,0,1\nsymmetries:rotate6",
    ));
    assert!(late.is_ok());
}

#[test]
fn a_header_does_not_change_what_has_been_read() {
    let nodes = "num_states=2\nnum_neighbors=4\n1 0 1\n";
    for (text, error) in [
        (
            table("0,0,0,0,0,0\nneighborhood:Moore\nsymmetries:none"),
            "4:1: this line stands below the first transition, which has been read without it",
        ),
        (
            table("n_states:9\n8,0,0,0,0,0\nn_states:8"),
            "5:10: state 8 is not one of the 8 states, expected 0 to 7",
        ),
        (
            table("n_states:9\nvar a={8}\nn_states:2"),
            "5:10: state 8 is not one of the 2 states, expected 0 to 1",
        ),
        (
            tree(&format!("{nodes}num_states=200")),
            "6:1: this line stands below the first node, which has been read without it",
        ),
        (
            tree(&format!("{nodes}num_neighbors=8")),
            "6:1: this line stands below the first node, which has been read without it",
        ),
    ] {
        assert_eq!(file_error(&text), error, "{text}");
    }
}

#[test]
fn a_tree_of_a_million_levels_is_refused() {
    let mut text = tree("num_states=2\nnum_neighbors=8\n1 0 1");
    for depth in 2..=DEEP {
        let below = depth - 2;
        text += &format!("{depth} {below} {below}\n");
    }
    let error = file_error(&text);
    assert!(
        error.ends_with("node 999999 has depth 1000000, expected 9"),
        "{error}"
    );
}

/// Cells in any order, each with a set of its own: as many collections as there are ways to
/// take some of the sets away.
#[test]
fn permuted_variables_cost_no_more_than_they_may() {
    let mut text = String::from("n_states:256\nneighborhood:triangularMoore\nsymmetries:permute\n");
    for name in 0..12 {
        let states = (0..256).filter(|state| state % 13 != name);
        let states: Vec<String> = states.map(|state| state.to_string()).collect();
        text += &format!("var a{name}={{{}}}\n", states.join(","));
    }
    let around: Vec<String> = (0..12).map(|name| format!("a{name}")).collect();
    text += &format!("1,{},2\n", around.join(","));
    let rule = Rule::from_file(&table(&text)).unwrap();
    // No cell of state 13 n can lie where the n-th set is asked for: here two are in the way of
    // one another, in all of 12! orders.
    let next = |states: [u8; 12]| {
        let mut cells = states.iter();
        rule.next(
            rule::Site {
                x: 1,
                ..Default::default()
            },
            |dx, dy| match (dx, dy) {
                (0, 0) => 1,
                _ => *cells.next().unwrap(),
            },
        )
    };
    assert_eq!(next([12; 12]), 2);
    assert_eq!(next([1; 12]), 1);
}

#[test]
fn suffixes_in_a_row_are_refused_at_once() {
    for suffix in ["History", "Super", "Investigator"] {
        let text = format!("B3/S23{}", suffix.repeat(DEEP / 10));
        let error = text.parse::<Rule>().unwrap_err();
        let words = format!("{suffix} states need a rule of two states");
        assert!(error.to_string().contains(&words), "{suffix}");
    }
    for piece in [
        "|", "(", "B", "/", "R1", "S", "MAP", "M0,", "-", ":T", "é", "g9", "2PCA4,1,",
    ] {
        let text = piece.repeat(DEEP);
        assert!(text.parse::<Rule>().is_err(), "{piece}");
    }
}

fn own(states: usize, expression: &str) -> String {
    let states: Vec<String> = (0..states).map(|n| format!("{n} s{n}")).collect();
    let states = states.join("\n");
    format!("rule x-x\nstates\n{states}\nneighbourhood moore\nnext\n{expression}\n")
}

#[test]
fn an_expression_a_million_deep_is_refused_or_read() {
    let refused = |text: &str| CustomRule::read(&own(2, text)).unwrap_err().problem;
    for (open, close) in [
        ("(", ")"),
        ("min(", ")"),
        ("-(", ")"),
        ("if 1 == 1 { ", " } else { 0 }"),
        ("if (", " == 1) { 0 } else { 1 }"),
    ] {
        let text = format!("{}0{}", open.repeat(DEEP), close.repeat(DEEP));
        assert_eq!(refused(&text), CustomRuleProblem::TooDeep(60), "{open}");
        assert_eq!(
            refused(&open.repeat(DEEP)),
            CustomRuleProblem::TooDeep(60),
            "{open}"
        );
    }
    // Chains are no nests. Nothing else is wrong with these, so they are read, or take too long
    // to work out.
    for text in [
        format!("if {} 1 == 1 {{ 1 }} else {{ 0 }}", "not ".repeat(DEEP)),
        format!("{}0", "- ".repeat(DEEP)),
        format!("0{}", " + 0".repeat(DEEP)),
    ] {
        let read = CustomRule::read(&own(2, &text));
        let hard = matches!(
            read.as_ref().map_err(|error| &error.problem),
            Ok(_) | Err(CustomRuleProblem::Background(_))
        );
        assert!(hard, "{:?}", read.err());
    }
}

#[test]
fn a_rule_that_takes_hours_to_work_out_is_refused() {
    let states = 100;
    let all = "count(s1) + count(s2) + count(s3)";
    let sum = format!(
        "if {all} < 0{} {{ 1 }} else {{ 0 }}",
        " + 0".repeat(DEEP / 10)
    );
    let text = own(states, &sum);
    let error = CustomRule::read(&text).unwrap_err();
    let long = matches!(
        error.problem,
        CustomRuleProblem::TooLong { .. } | CustomRuleProblem::NeverTrue { .. }
    );
    assert!(long, "{error}");
    let lets: String = (0..100_000).map(|n| format!("let a{n} = {n}\n")).collect();
    assert!(CustomRule::read(&own(2, &format!("{lets}0"))).is_ok());
    let sets: Vec<String> = (0..100_000)
        .map(|n| format!("count(s{})", n % 200))
        .collect();
    let error = CustomRule::read(&own(256, &format!("{} * 0", sets.join(" + ")))).unwrap_err();
    assert!(
        matches!(error.problem, CustomRuleProblem::TooLarge { .. }),
        "{error}"
    );
}

#[test]
fn long_words_are_not_measured_and_great_weights_are_refused() {
    let long = "a".repeat(DEEP);
    let text = format!("rule x-x\nstates\n0 dead\n1 b{long}\nneighbourhood moore\nnext\n{long}\n");
    let error = CustomRule::read(&text).unwrap_err();
    assert!(matches!(error.problem, CustomRuleProblem::UnknownName(_)));
    let text = "rule x-x\nstates\n0 a\n1 b\nneighbourhood\n-9223372036854775808 x\nnext\n0";
    let error = CustomRule::read(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "6:1: the number is too large, expected 1000000 at most"
    );
}

const PIECES: [&str; 36] = [
    "0",
    "1",
    "9",
    "255",
    "256",
    "257",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "-",
    "-9223372036854775808",
    ",",
    ":",
    ";",
    "/",
    "|",
    "_",
    ".",
    "..",
    "é",
    "\u{feff}",
    "\n",
    "\r\n",
    "#",
    "@TREE\n",
    "{",
    "}",
    "(",
    "History",
    "T",
    "S",
    "B",
    "H",
    "L",
    "x",
];

const TEXTS: [&str; 7] = [
    "@RULE X\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:rotate8reflect\nvar a={0,1,2}\n\
     var b=a\n0,1,a,b,a,0,0,0,0,a\n@NAMES\n1 one\n@COLORS\n1 2 3 4\n",
    "@RULE X\n@TABLE\nn_states:2\nneighborhood:Margolus\nsymmetries:permute\n1,0,0,0 : 0,0,0,1\n",
    "@RULE X\n@TABLE\nneighborhood:triangularMoore\nsymmetries:permute\n0,1,1,1,0,0,0,0,0,0,0,0,0,1\n",
    "@RULE X\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=7\n1 1 1\n1 0 0\n2 0 0\n2 1 1\n\
     3 2 3\n4 4 4\n5 5 5\n",
    "rule x-y\nstates\n0 dead . black\n1 on O #102030\n2 off\nneighbourhood\n1 2 1\n. x .\n-1 0 3\n\
     next\nlet a = count(on) - 2 * count(off)\nif a in 2..3, 5 and not self == off { on } else { 0 }\n",
    "rule x-y\nstates\n0 dead\n1 on\nneighbourhood hexagonal 2\nnext\nmin(count(on), 1)\n",
    "B3/S23:T100+3,50",
];

/// Each text that parses can be evaluated and described.
fn use_of(rule: &Rule) {
    let site = rule::Site::default();
    let last = (rule.states() - 1) as u8;
    for state in [0, 1, last] {
        assert!(u16::from(rule.next(site, |_, _| state)) < rule.states());
        let _ = rule.next(site, |dx, dy| if (dx + dy) % 2 == 0 { state } else { 0 });
    }
    let _ = (
        rule.explain(),
        rule.inverse(),
        rule.background(1),
        rule.fills_plane(),
    );
    let _ = (rule.topology().rect(), rule.topology().size());
}

#[test]
fn broken_texts_are_refused_or_read() {
    let mut noise = Dice::new(0x9e37_79b9_7f4a_7c15);
    let examples = rule::families().iter().map(|family| family.example);
    let texts: Vec<&str> = examples.chain(TEXTS).collect();
    for round in 0..6000 {
        let mut text: Vec<char> = texts[round % texts.len()].chars().collect();
        for _ in 0..1 + noise.below(4) {
            let at = noise.below(text.len() as u32 + 1) as usize;
            match noise.below(4) {
                0 => {
                    let piece = noise.pick(&PIECES).unwrap().chars();
                    text.splice(at..at, piece);
                }
                1 if at < text.len() => {
                    text.remove(at);
                }
                2 => text.truncate(at),
                _ => {
                    let from = noise.below(text.len().max(1) as u32) as usize;
                    let to = (from + noise.below(12) as usize).min(text.len());
                    let copy = text[from.min(to)..to].to_vec();
                    text.splice(at..at, copy);
                }
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(rule) = text.parse::<Rule>() {
            use_of(&rule);
        }
        if let Ok(rule) = Rule::from_file(&text) {
            use_of(&rule);
        }
        if let Ok(own) = CustomRule::read(&text) {
            use_of(&own.rule);
        }
    }
}
