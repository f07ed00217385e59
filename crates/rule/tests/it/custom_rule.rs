//! User-defined rules, as texts and in Rust.

use dice::Dice;
use rule::{Automaton, AutomatonError, CustomRule, CustomRuleProblem, Neighbourhood, Rule, Site};

/// A sheet of 11 x 11 random cells, seen from its middle; some sheets are nearly empty.
pub(super) fn sheet(chance: &mut Dice, states: u16) -> Vec<u8> {
    let density = 1 + chance.below(8);
    let cell = |_| match chance.below(8) < density {
        true => chance.below(states.into()) as u8,
        false => 0,
    };
    (0..121).map(cell).collect()
}

pub(super) fn seen(sheet: &[u8], dx: i32, dy: i32) -> u8 {
    sheet[((dy + 5) * 11 + dx + 5) as usize]
}

// ---- the files of the classroom

const CLASSROOM: [(&str, &str); 5] = [
    ("base", include_str!("../../../../rules/my-base.gridrule")),
    (
        "colorised",
        include_str!("../../../../rules/my-colorised.gridrule"),
    ),
    (
        "extended",
        include_str!("../../../../rules/my-extended.gridrule"),
    ),
    (
        "weighted",
        include_str!("../../../../rules/my-weighted.gridrule"),
    ),
    (
        "generations",
        include_str!("../../../../rules/my-generations.gridrule"),
    ),
];

#[test]
fn the_classroom_files_equal_the_built_in_rules() {
    for (name, text) in CLASSROOM {
        let built_in: Rule = name.parse().unwrap();
        let own = Rule::from_source(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(own.to_string(), format!("my-{name}"));
        assert_eq!(
            (own.states(), own.radius()),
            (built_in.states(), built_in.radius())
        );
        let mut chance = Dice::new(7);
        let mut born = 0;
        for _ in 0..20_000 {
            let cells = sheet(&mut chance, own.states());
            let look = |dx, dy| seen(&cells, dx, dy);
            let next = built_in.next(Site::default(), look);
            born += usize::from(next != 0);
            assert_eq!(own.next(Site::default(), look), next, "{name}: {cells:?}");
        }
        assert!(
            born > 500,
            "{name}: the sheets are too plain to tell anything"
        );
    }
}

#[test]
fn the_classroom_files_run_the_same_worlds() {
    const SIDE: i32 = 25;
    for (name, text) in CLASSROOM {
        let rules = [
            name.parse::<Rule>().unwrap(),
            Rule::from_source(text).unwrap(),
        ];
        let mut chance = Dice::new(25);
        let start: Vec<u8> = (0..SIDE * SIDE)
            .map(|_| match (chance.below(3), name) {
                (0, "colorised") => 2 + chance.below(2) as u8,
                (0, _) => 1,
                _ => 0,
            })
            .collect();
        let mut worlds = [start.clone(), start];
        for generation in 0..30 {
            for (rule, world) in rules.iter().zip(&mut worlds) {
                let at = |x: i32, y: i32| match (0..SIDE).contains(&x) && (0..SIDE).contains(&y) {
                    true => world[(y * SIDE + x) as usize],
                    false => 0,
                };
                let cells = (0..SIDE * SIDE).map(|i| (i % SIDE, i / SIDE));
                let next = cells
                    .map(|(x, y)| rule.next(Site::default(), |dx, dy| at(x + dx, y + dy)))
                    .collect();
                *world = next;
            }
            assert_eq!(worlds[0], worlds[1], "{name} at {generation}");
        }
    }
}

// ---- what is refused, and where

/// Two states, eight neighbours, and an expression from line 6 on.
fn with_next(expression: &str) -> String {
    format!("rule mine\nstates\n  0 dead\n  1 alive\nneighbourhood moore\n{expression}")
}

/// The text is refused at that line and column, with these words, and this in the hint.
fn refused(rows: &[(&str, &str, &str, &str)]) {
    for (text, place, words, hint) in rows {
        let error = CustomRule::read(text).map(|own| own.rule).expect_err(text);
        let told = error.to_string();
        assert!(
            told.starts_with(&format!("{place}: ")),
            "{text}\n{told}, not at {place}"
        );
        assert!(told.contains(words), "{text}\n{told}");
        let own_hint = error.hint.unwrap_or_default();
        assert!(own_hint.contains(hint), "{text}\nhint: {own_hint}");
    }
}

#[test]
fn headers_that_are_refused() {
    refused(&[
        (
            "",
            "1:1",
            "expected `rule` and the rule's name, found the end of the file",
            "",
        ),
        ("// nothing\n\n", "1:1", "expected `rule`", ""),
        (
            "# mine\nrule a",
            "1:1",
            "expected `rule`",
            "a comment starts with `//`",
        ),
        ("rull mine", "1:1", "found `rull`", "did you mean `rule`?"),
        (
            "rule",
            "1:5",
            "expected the rule's name, found the end of the line",
            "",
        ),
        ("rule my rule", "1:9", "found `rule`", "one word: `my-rule`"),
        ("rule B3/S23", "1:6", "letters, digits", ""),
        (
            "rule HighLife",
            "1:6",
            "already means the rule B36/S23",
            "`my-HighLife`",
        ),
        (
            "rule mine\nstate",
            "2:1",
            "expected `states`",
            "did you mean `states`?",
        ),
        (
            "rule mine\nstates 0 dead",
            "2:8",
            "expected the end of the line",
            "",
        ),
        ("rule mine\nstates", "2:7", "0 states", ""),
        (
            "rule mine\nstates\nnext",
            "3:1",
            "expected a state's number and name",
            "",
        ),
        (
            "rule mine\nstates\n 1 alive",
            "3:2",
            "state 1 stands where state 0",
            "0, 1, 2",
        ),
        (
            "rule mine\nstates\n 0 dead\n 2 old",
            "4:2",
            "state 2 stands where state 1",
            "",
        ),
        (
            "rule mine\nstates\n 0",
            "3:3",
            "expected the state's name",
            "",
        ),
        (
            "rule mine\nstates\n 0 self",
            "3:4",
            "a word of the language",
            "",
        ),
        ("rule mine\nstates\n 0 a-b", "3:4", "expected a name", ""),
        ("rule mine\nstates\n 0 a\n 1 a", "4:4", "`a` is taken", ""),
        (
            "rule mine\nstates\n 0 a .\n 1 b .",
            "4:6",
            "`.` is taken",
            "",
        ),
        (
            "rule mine\nstates\n 0 a . o",
            "3:8",
            "expected one letter",
            "",
        ),
        (
            "rule mine\nstates\n 0 a . grren",
            "3:8",
            "found `grren`",
            "did you mean `green`?",
        ),
        ("rule mine\nstates\n 0 a #12345g", "3:6", "or a colour", ""),
        (
            "rule mine\nstates\n 0 a\nnext",
            "4:1",
            "1 states, expected 2 to 256",
            "",
        ),
        (
            "rule mine\nstates\n 0 a\n 1 b\nnext",
            "5:1",
            "expected `neighbourhood`",
            "",
        ),
    ]);
}

#[test]
fn neighbourhoods_that_are_refused() {
    let with = |neighbourhood: &str| {
        format!("rule mine\nstates\n  0 dead\n  1 alive\n{neighbourhood}\nnext\n 0")
    };
    let rows = [
        (
            "neighbourhood more",
            "5:15",
            "found `more`",
            "did you mean `moore`?",
        ),
        (
            "neighbourhood moore 0",
            "5:21",
            "the radius is 0, expected 1 to 500",
            "",
        ),
        ("neighbourhood moore two", "5:21", "expected a radius", ""),
        (
            "neighbourhood moore 1 1",
            "5:23",
            "expected the end of the line",
            "",
        ),
        ("neighbourhood", "6:1", "expected a drawing", ""),
        (
            "neighbourhood\n 1 1 1\n 1 1 1",
            "5:14",
            "no `x`",
            "in the middle",
        ),
        ("neighbourhood\n 1 x 1\n 1 x 1", "7:4", "a second `x`", ""),
        (
            "neighbourhood\n 1 x 1\n 1 1",
            "7:5",
            "2 weights, the first one has 3",
            "weight 0",
        ),
        (
            "neighbourhood\n 1 x 1\n 1 1 1 1",
            "7:8",
            "4 weights, the first one has 3",
            "",
        ),
        ("neighbourhood\n 1 x y", "6:6", "expected a weight", ""),
        ("neighbourhood\n 1 x 1000001", "6:6", "too large", ""),
    ];
    for (neighbourhood, place, words, hint) in rows {
        refused(&[(&with(neighbourhood), place, words, hint)]);
    }
}

#[test]
fn expressions_that_are_refused() {
    let rows = [
        ("nxt 0", "6:1", "expected `next`", "did you mean `next`?"),
        ("next", "6:5", "found the end of the file", ""),
        (
            "next alife",
            "6:6",
            "nothing is called `alife`",
            "did you mean `alive`?",
        ),
        (
            "next count(ded)",
            "6:12",
            "nothing is called `ded`",
            "did you mean `dead`?",
        ),
        (
            "next phase",
            "6:6",
            "nothing is called `phase`",
            "the states are dead, alive",
        ),
        (
            "next sefl",
            "6:6",
            "nothing is called",
            "did you mean `self`?",
        ),
        (
            "next\n if self == 0 { 0 }",
            "7:2",
            "this `if` has no `else`",
            "else { … }",
        ),
        (
            "next if self == 0 { 0 } else if self == 1 { 1 }",
            "6:30",
            "no `else`",
            "",
        ),
        (
            "next if self { 0 } else { 1 }",
            "6:9",
            "`self` is a number",
            "`self == 3`",
        ),
        (
            "next if self = 0 { 0 } else { 1 }",
            "6:14",
            "found `=`",
            "`==` compares",
        ),
        ("next self == 1", "6:6", "`self == 1` is a condition", ""),
        (
            "next 1 + (self == 1)",
            "6:10",
            "is a condition, and a number",
            "",
        ),
        (
            "next if 1 { 0 } else { self == 1 }",
            "6:9",
            "`1` is a number",
            "",
        ),
        (
            "next if self == 1 { 1 } else { self == 1 }",
            "6:32",
            "is a condition",
            "",
        ),
        (
            "next if 0 <= self <= 1 { 1 } else { 0 }",
            "6:19",
            "two comparisons",
            "in 2..3",
        ),
        (
            "next if self == 1 && self == 1 { 1 } else { 0 }",
            "6:19",
            "`&`",
            "`and`",
        ),
        ("next self / 2", "6:11", "`/`", "no division"),
        ("next self;", "6:10", "`;`", "leave it out"),
        ("next 0 # empty", "6:8", "`#`", "`//`"),
        ("next 0 1", "6:8", "expected an operator or the end", ""),
        ("next self } else { 0 }", "6:11", "found `}`", ""),
        ("next (self", "6:11", "expected `)`", ""),
        ("next count alive", "6:12", "expected `(` after `count`", ""),
        (
            "next count()",
            "6:12",
            "expected the name or the number of a state",
            "",
        ),
        (
            "next count(2)",
            "6:12",
            "no state 2, the states are 0 to 1",
            "",
        ),
        (
            "next count(alive..dead)",
            "6:12",
            "goes down, from 1 to 0",
            "",
        ),
        (
            "next if self in 1..0 { 1 } else { 0 }",
            "6:17",
            "goes down",
            "",
        ),
        (
            "next if count(alive) == 9 { 1 } else { 0 }",
            "6:9",
            "`count(alive)` is 0 to 8, and here stands 9",
            "come to 8",
        ),
        (
            "next if count(alive) in 3, 9..12 { 1 } else { 0 }",
            "6:9",
            "`count(alive)` is 0 to 8, and `9..12` is 9 to 12",
            "",
        ),
        (
            "next if self > 1 { 1 } else { 0 }",
            "6:9",
            "`self` is 0 to 1",
            "",
        ),
        ("next let if = 3 0", "6:10", "a word of the language", ""),
        ("next let alive = 3 0", "6:10", "`alive` is taken", ""),
        ("next let n = 3 let n = 4 0", "6:20", "`n` is taken", ""),
        ("next let n 3 0", "6:12", "expected `=`", ""),
        (
            "next 0 let n = 3",
            "6:8",
            "expected",
            "before the expression",
        ),
        (
            "next self + 1",
            "6:6",
            "can become 2 (for a cell of state alive)",
            "count",
        ),
        (
            "next if self == 1 { 0 } else { count(alive) - 1 }",
            "6:32",
            "can become -1 (for a cell of state dead)",
            "count(alive) is 0",
        ),
        ("next 99999999999999999999", "6:6", "too large", ""),
    ];
    for (expression, place, words, hint) in rows {
        // without a count there is nothing to say of what the cell sees
        let hint = if expression == "next self + 1" {
            ""
        } else {
            hint
        };
        refused(&[(&with_next(expression), place, words, hint)]);
    }
    let deep = format!("next {}self{}", "(".repeat(500), ")".repeat(500));
    refused(&[(&with_next(&deep), "6:66", "more than 60 brackets", "")]);
    let minus = with_next(&format!("next {}self", "- ".repeat(100_000)));
    assert!(CustomRule::read(&minus).is_ok());
    let long = with_next(&format!("next min(1, 0{})", " + self".repeat(20_000)));
    assert!(CustomRule::read(&long).is_ok());
}

#[test]
fn what_just_about_happens_is_taken() {
    // each is true at one end of what its left side can be, and false one further on
    let rows = [
        ("1 - self", 0, -1),
        ("1 - self", 1, 2),
        ("-self", -1, -2),
        ("self - count(alive)", -8, -9),
        ("self - count(alive)", 1, 2),
        ("self + count(alive)", 9, 10),
        ("count(alive) * count(dead)", 64, 65),
        ("-2 * count(alive)", -16, -17),
        ("(self - 1) * (count(alive) - 8)", 8, 9),
        ("min(count(alive), 3, 5)", 3, 4),
        ("max(self, 3, 2)", 3, 4),
        ("max(self, 3, 2)", 3, 2),
        ("if self == 0 { 4 } else { 7 }", 7, 8),
    ];
    for (left, end, beyond) in rows {
        let with = |limit: i64, comparison: &str| {
            let condition = format!("self == 1 and ({left}) {comparison} {limit}");
            Rule::from_source(&with_next(&format!(
                "next if {condition} {{ 1 }} else {{ 0 }}"
            )))
        };
        for comparison in ["==", "in"] {
            assert!(with(end, comparison).is_ok(), "{left} {comparison} {end}");
            let error = with(beyond, comparison).expect_err(left);
            let is_never = matches!(error.problem, CustomRuleProblem::NeverTrue { .. });
            assert!(is_never, "{left} {comparison} {beyond}: {error}");
        }
    }
}

#[test]
fn places_count_characters_and_lines_of_all_systems() {
    let text =
        "\u{feff}rule größe\r\nstates\r\n  0 tot\r\n  1 über ö\r\nneighborhood moore\r\nnext ö";
    refused(&[(text, "6:6", "nothing is called `ö`", "")]);
    let own = CustomRule::read(&text.replace("next ö", "next self")).unwrap();
    assert_eq!(own.rule.to_string(), "größe");
    assert_eq!(
        (own.states[1].name.as_str(), own.states[1].letter),
        ("über", Some('ö'))
    );
}

#[test]
fn tables_that_would_be_too_large_are_refused() {
    let states: Vec<String> = (0..10).map(|i| format!(" {i} s{i}")).collect();
    let counts: Vec<String> = (1..10).map(|i| format!("count({i})")).collect();
    let counts = counts.join(" * ");
    let text = format!(
        "rule mine\nstates\n{}\nneighbourhood moore\nnext min({counts}, 9)",
        states.join("\n")
    );
    let error = Rule::from_source(&text).unwrap_err();
    assert_eq!(
        error.problem,
        CustomRuleProblem::TooLarge {
            entries: 9_u64.pow(9) * 10,
            most: 1 << 24
        }
    );
    // states that are counted together cost nothing
    let text = text.replace(&counts, "count(1..9), count(0)");
    assert!(Rule::from_source(&text).is_ok());
    let wide = with_next("next if count(alive) == 1000000 { 1 } else { 0 }");
    let wide = Rule::from_source(&wide.replace("moore", "moore 500")).unwrap();
    assert_eq!(wide.radius(), 500);
}

#[test]
fn states_keep_their_looks() {
    let text = "rule mine\nstates\n 0 dead\n 1 fire red *\n 2 ash #0a0B0c // grey\n\
                neighbourhood hexagonal 2\nnext if self == fire { ash } else { dead }";
    let own = CustomRule::read(text).unwrap();
    let looks: Vec<_> = own.states.iter().map(|s| (s.letter, s.colour)).collect();
    assert_eq!(looks[0], (None, None));
    assert_eq!((looks[1].0, looks[1].1.is_some()), (Some('*'), true));
    assert_eq!(looks[2], (None, Some([10, 11, 12])));
    assert_eq!((own.rule.family(), own.rule.states()), ("Own", 3));
}

#[test]
fn neighbourhoods_by_name_and_drawn() {
    let cells = |neighbourhood: &str| {
        let text = with_next("next if count(1) > 0 { 1 } else { 0 }");
        let rule = Rule::from_source(&text.replace("moore", neighbourhood)).unwrap();
        let sees =
            |x: i32, y: i32| rule.next(Site::default(), |dx, dy| u8::from((dx, dy) == (x, y))) == 1;
        let row = |y| {
            (-2..=2)
                .map(|x| if sees(x, y) { 'o' } else { '.' })
                .collect::<String>()
        };
        (-2..=2).map(row).collect::<Vec<_>>().join(" ")
    };
    let rows = [
        ("moore", "..... .ooo. .o.o. .ooo. ....."),
        ("moore 2", "ooooo ooooo oo.oo ooooo ooooo"),
        ("von-neumann", "..... ..o.. .o.o. ..o.. ....."),
        ("von-neumann 2", "..o.. .ooo. oo.oo .ooo. ..o.."),
        ("hexagonal", "..... .oo.. .o.o. ..oo. ....."),
        ("hexagonal 2", "ooo.. oooo. oo.oo .oooo ..ooo"),
        ("\n 1 1 x", "..... ..... oo... ..... ....."),
        ("\n x .\n . 3", "..... ..... ..... ...o. ....."),
    ];
    for (neighbourhood, drawing) in rows {
        assert_eq!(cells(neighbourhood), drawing, "{neighbourhood}");
    }
    // the hexagon is the one of other hexagonal rules
    let built_in: Rule = "B1/SH".parse().unwrap();
    for (dx, dy) in (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y))) {
        let look = |x: i32, y: i32| u8::from((x, y) == (dx, dy) && (x, y) != (0, 0));
        let text = with_next("next if count(1) == 1 and self == 0 { 1 } else { 0 }");
        let own = Rule::from_source(&text.replace("moore", "hexagonal")).unwrap();
        let next = |rule: &Rule| rule.next(Site::default(), look);
        assert_eq!(next(&own), next(&built_in), "{dx} {dy}");
    }
}

// ---- in Rust

/// Counts and answers as the test tells.
struct PlainAutomaton {
    name: &'static str,
    states: u16,
    counted: Vec<Vec<u8>>,
    next: fn(u8, &[i64]) -> u8,
}

impl Automaton for PlainAutomaton {
    fn name(&self) -> &str {
        self.name
    }

    fn states(&self) -> u16 {
        self.states
    }

    /// The cell itself counts, with a weight below 0.
    fn neighbourhood(&self) -> Neighbourhood {
        Neighbourhood::from_weights(1, |dx, dy| if (dx, dy) == (0, 0) { -2 } else { 1 + dx })
    }

    fn counted(&self) -> Vec<Vec<u8>> {
        self.counted.clone()
    }

    fn next(&self, own: u8, counts: &[i64]) -> u8 {
        (self.next)(own, counts)
    }
}

#[test]
fn a_cell_may_count_itself() {
    let next = |own: u8, counts: &[i64]| {
        let sum = i64::from(own) + 2 * counts[0] + 3 * counts[1];
        sum.rem_euclid(3) as u8
    };
    let counted = vec![vec![1], vec![1, 2]];
    let plain = PlainAutomaton {
        name: "mine",
        states: 3,
        counted,
        next,
    };
    let rule = Rule::from_automaton(&plain).unwrap();
    let mut chance = Dice::new(3);
    for _ in 0..2000 {
        let cells = sheet(&mut chance, 3);
        let mut counts = [0, 0];
        for cell in plain.neighbourhood().cells() {
            let state = seen(&cells, cell.dx, cell.dy);
            counts[0] += i64::from(cell.weight) * i64::from(state == 1);
            counts[1] += i64::from(cell.weight) * i64::from(state != 0);
        }
        let wanted = next(seen(&cells, 0, 0), &counts);
        assert_eq!(
            rule.next(Site::default(), |dx, dy| seen(&cells, dx, dy)),
            wanted
        );
    }
}

#[test]
fn an_empty_plane_of_two_states_may_fill_and_of_more_may_not() {
    let text = |states: &str, next: &str| {
        format!("rule mine\nstates\n  0 dead\n  1 alive\n{states}neighbourhood moore\nnext {next}")
    };
    let filling = "if count(alive) == 3 { alive } else if self == alive and count(alive) == 2 \
                   { alive } else if self == dead and count(alive) == 0 { alive } else { 0 }";
    let rows = [
        (filling.to_string(), "B03/S23"),
        // a full plane that stays is shown as the empty one
        (
            filling.replace(
                "{ 0 }",
                "{ if count(alive) == 8 and self == 1 { 1 } else { 0 } }",
            ),
            "B03/S238",
        ),
    ];
    for (next, twin) in rows {
        let own = Rule::from_source(&text("", &next)).unwrap_or_else(|e| panic!("{e}"));
        let twin: Rule = twin.parse().unwrap();
        let mut chance = Dice::new(3);
        for generation in [0, 1, 2] {
            assert_eq!(own.background(generation), twin.background(generation));
            let site = Site {
                generation,
                ..Site::default()
            };
            for _ in 0..2000 {
                let cells = sheet(&mut chance, 2);
                let look = |dx, dy| seen(&cells, dx, dy);
                assert_eq!(
                    own.next(site, look),
                    twin.next(site, look),
                    "{twin}: {cells:?}"
                );
            }
        }
    }
    let next = "if count(alive) > 7 { 0 } else { alive }";
    let error = Rule::from_source(&text("  2 other\n", next)).unwrap_err();
    let words = "7:39: an empty plane would not stay empty: a cell of state 0 with only such \
                 cells around it becomes alive";
    assert!(error.to_string().starts_with(words), "{error}");
}

#[test]
fn automata_that_are_refused() {
    let check = |name, states, counted: &[&[u8]], next, words: &str| {
        let counted = counted.iter().map(|set| set.to_vec()).collect();
        let plain = PlainAutomaton {
            name,
            states,
            counted,
            next,
        };
        let error: AutomatonError = Rule::from_automaton(&plain).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    };
    check("a b", 2, &[&[1]], |_, _| 0, "`a b` is no name");
    check(
        "Life",
        2,
        &[&[1]],
        |_, _| 0,
        "already means the rule B3/S23",
    );
    check("mine", 1, &[&[1]], |_, _| 0, "1 states");
    check("mine", 257, &[&[1]], |_, _| 0, "257 states");
    check("mine", 2, &[&[2]], |_, _| 0, "state 2 is counted");
    check(
        "mine",
        2,
        &[&[1]],
        |_, n| 2 * u8::from(n[0] == 3),
        "that counts [3] becomes 2",
    );
    check("mine", 3, &[&[1]], |_, n| u8::from(n[0] == 0), "becomes 1");
    let sets: Vec<Vec<u8>> = (1..9).map(|s| vec![s]).collect();
    let sets: Vec<&[u8]> = sets.iter().map(Vec::as_slice).collect();
    check("mine", 9, &sets, |_, _| 0, "cases apart");
}
