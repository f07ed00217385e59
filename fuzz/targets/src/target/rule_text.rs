//! Rules: in any notation, as a `.rule` file, and as a file of one's own. What is read has a
//! next state for whatever is seen, and what is wrong is told with a place that there is.

use super::{bytes_of, owned};
use crate::Target;
use rule::{Rule, RuleAppearance, Site};

/// A rule in any notation: what is read is written as something that is read as the same.
pub(super) const RULESTRING: Target = Target {
    name: "rulestring",
    check: |bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return;
        };
        // a large radius means a large table, and nothing else
        if text.len() > 300 || is_wide(text) {
            return;
        }
        match text.parse::<Rule>() {
            Ok(rule) => {
                let written = rule.to_string();
                let again: Rule = written
                    .parse()
                    .unwrap_or_else(|e| panic!("{text} {written} {e}"));
                assert_eq!(again, rule, "{text} {written}");
                steps(&rule);
            }
            Err(error) => {
                assert!(error.offset <= text.len(), "{error:?}");
                let _ = error.to_string();
            }
        }
    },
    seeds: || {
        let families = rule::families().iter().map(|family| family.example);
        let named = rule::named_rules()
            .iter()
            .flat_map(|rule| [rule.rule, rule.name]);
        let texts: Vec<&str> = families.chain(named).collect();
        bytes_of(&texts)
    },
    words: || {
        owned(&[
            "B3/S23",
            "b2n3-q5y6c",
            "s23-a4ei",
            "W110",
            "R5,C0,M1,S34..58,B34..45,NM",
            "NN",
            "NC",
            "NW0123",
            "N@",
            ",C3,",
            "/4",
            "/G5",
            "V",
            "H",
            "L",
            "T",
            ":T64,64",
            ":P30,20",
            ":K30*,20",
            ":K30,20*+1",
            ":C30,20",
            ":S32",
            ":H",
            ":T0,0",
            ":T30+5,20",
            "M0,2,8",
            "MS,D0;8;4",
            "MAP",
            "AAAA",
            "|",
            "2PCA4,",
            "JvN29",
            "Investigator",
            "History",
            "Super",
        ])
    },
    gate_runs: 1500,
};

/// A `.rule` file.
pub(super) const RULE_FILE: Target = Target {
    name: "rule_file",
    check: |bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return;
        };
        let _ = RuleAppearance::read(text);
        match Rule::from_file(text) {
            Ok(rule) => steps(&rule),
            Err(error) => has_place(text, error.line, error.column, &error.to_string()),
        }
    },
    seeds: || {
        bytes_of(&[
            "@RULE East\n@TABLE\nn_states:3\nneighborhood:oneDimensional\nsymmetries:none\n\
             var a={0,1,2}\nvar b={0,1,2}\nvar c={0,1,2}\na,b,c,b\n",
            "@RULE Wire\n\nwords\n@TABLE\nn_states:4\nneighborhood:Moore\nsymmetries:permute\n\
             var a={0,1,2,3}\nvar b=a\nvar c=a\nvar d=a\nvar e=a\nvar f=a\nvar g=a\nvar h=a\n\
             var i={0,2,3}\nvar j=i\nvar k=i\nvar l=i\nvar m=i\nvar n=i\nvar o=i\n\
             1,a,b,c,d,e,f,g,h,2\n2,a,b,c,d,e,f,g,h,3\n3,1,i,j,k,l,m,n,o,1\n\
             3,1,1,i,j,k,l,m,n,1\n@COLORS\n1 0 128 255\n2 255 255 255\n3 255 128 0\n",
            "@RULE Neumann\n@TABLE\nn_states:2\nneighborhood:vonNeumann\nsymmetries:rotate4reflect\n\
             0,1,0,0,0,1\n1,1,1,0,0,0\n",
            "@RULE Hex\n@TABLE\nn_states:2\nneighborhood:hexagonal\nsymmetries:rotate6\n\
             0,1,0,0,0,0,0,1\n",
            "@RULE Blocks\n@TABLE\nn_states:2\nneighborhood:Margolus\nsymmetries:none\n\
             1,0,0,0 : 0,0,0,1\n0,0,0,1 : 1,0,0,0\n",
            "@RULE Tree\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=7\n1 0 1\n2 0 0\n2 0 0\n\
             3 1 2\n3 2 1\n4 3 4\n5 5 5\n@ICONS\nXPM\n\"7 7 2 1\"\n\". c #000000\"\n\"A c #FFFFFF\"\n",
        ])
    },
    words: || {
        owned(&[
            "@RULE",
            "@TABLE",
            "@TREE",
            "@COLORS",
            "@ICONS",
            "@NAMES",
            "n_states:2",
            "neighborhood:Moore",
            "neighborhood:vonNeumann",
            "neighborhood:hexagonal",
            "neighborhood:oneDimensional",
            "neighborhood:Margolus",
            "neighborhood:square4_figure8v",
            "neighborhood:square4_figure8h",
            "neighborhood:square4_cyclic",
            "neighborhood:triangularVonNeumann",
            "neighborhood:triangularMoore",
            "symmetries:none",
            "symmetries:permute",
            "symmetries:rotate2",
            "symmetries:rotate3",
            "symmetries:rotate4",
            "symmetries:rotate4reflect",
            "symmetries:rotate6",
            "symmetries:rotate6reflect",
            "symmetries:reflect_horizontal",
            "symmetries:reflect",
            "var",
            "a={0,1}",
            "b=a",
            "num_states=2",
            "num_neighbors=8",
            "num_nodes=3",
            "XPM",
        ])
    },
    gate_runs: 1000,
};

/// A rule of one's own.
pub(super) const OWN_RULE: Target = Target {
    name: "own_rule",
    check: |bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return;
        };
        if is_wide(text) {
            return;
        }
        match Rule::from_source(text) {
            Ok(rule) => steps(&rule),
            Err(error) => has_place(text, error.line, error.column, &error.to_string()),
        }
    },
    seeds: || bytes_of(OWN_RULES),
    words: || super::words_of(OWN_RULES.iter().copied()),
    gate_runs: 1000,
};

const OWN_RULES: &[&str] = &[
    include_str!("../../../../rules/my-base.gridrule"),
    include_str!("../../../../rules/my-colorised.gridrule"),
    include_str!("../../../../rules/my-extended.gridrule"),
    include_str!("../../../../rules/my-generations.gridrule"),
    include_str!("../../../../rules/my-weighted.gridrule"),
];

/// Whether a number of two digits or more stands where a radius may: such rules have large
/// tables, which take their time and show nothing new.
fn is_wide(text: &str) -> bool {
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
fn steps(rule: &Rule) {
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
    assert!(!rule.explain().is_empty());
    if let Some(inverse) = rule.inverse() {
        assert_eq!(inverse.inverse().as_ref(), Some(rule));
    }
}

/// A message tells a place that there is.
fn has_place(text: &str, line: usize, column: usize, message: &str) {
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
