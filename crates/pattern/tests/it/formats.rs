//! What is written comes back, in every format; and what format a text is in.

use crate::cells::runs;
use grid::Point;
use num_bigint::BigInt;
use pattern::{Cells, Format, FormatLoss, Pattern, apgcode, detect, losses, read, read_as, write};
use proptest::prelude::*;

fn written(pattern: &Pattern, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(pattern, format, &mut bytes).unwrap();
    bytes
}

fn word() -> impl Strategy<Value = String> {
    "[A-Za-z0-9äß'()#!][A-Za-z0-9äß'()#! ]{0,12}[a-z]"
}

prop_compose! {
    fn some_pattern(states: u8, reach: i64)(
        runs in runs(states, reach),
        as_tree in any::<bool>(),
        rule in prop::option::of(prop::sample::select(vec!["B3/S23", "23/36", "B36/S23:T80,90"])),
        generation in prop_oneof![Just(0i128), any::<i128>()],
        position in prop::option::of((-90i64..90, -90i64..90)),
        name in prop::option::of(word()),
        author in prop::option::of(word()),
        comments in prop::collection::vec(word(), 0..3),
    ) -> Pattern {
        let cells = Cells::from_runs(runs);
        Pattern {
            cells: if as_tree { Cells::from_tree(cells.to_tree()) } else { cells },
            rule: rule.map(Into::into),
            generation: BigInt::from(generation),
            position: position.map(|(x, y)| Point::new(x, y)),
            name,
            author,
            comments,
            ..Pattern::default()
        }
    }
}

/// All that the format does not lose is the same after writing and reading.
fn check(pattern: &Pattern, format: Format) {
    let lost = losses(pattern, format);
    if lost.iter().any(|loss| loss.is_of_cells()) || !format.is_written() {
        assert!(write(pattern, format, &mut Vec::new()).is_err());
        return;
    }
    if format == Format::Apgcode {
        return check_apgcode(pattern);
    }
    let bytes = written(pattern, format);
    let text = String::from_utf8_lossy(&bytes);
    let again = read_as(&bytes, format).unwrap_or_else(|error| panic!("{format}: {error}\n{text}"));
    if !lost.contains(&FormatLoss::Position) {
        assert_eq!(again.cells, pattern.cells, "{format}:\n{text}");
    } else {
        assert_eq!(
            again.cells.hash(),
            pattern.cells.hash(),
            "{format}:\n{text}"
        );
        assert_eq!(again.cells.population(), pattern.cells.population());
    }
    let same =
        |loss, same: bool| assert!(same || lost.contains(&loss), "{format} {loss:?}:\n{text}");
    if format == Format::Life105 && pattern.rule.as_deref() == Some("B3/S23") {
        assert_eq!(again.rule.as_deref(), Some("23/3"));
    } else {
        same(FormatLoss::Rule, again.rule == pattern.rule);
    }
    same(
        FormatLoss::Generation,
        again.generation == pattern.generation,
    );
    same(FormatLoss::Name, again.name == pattern.name);
    same(FormatLoss::Author, again.author == pattern.author);
    same(FormatLoss::Comments, again.comments == pattern.comments);
    if matches!(format, Format::Rle | Format::Macrocell | Format::Life106) {
        let detected = detect(&bytes);
        assert_eq!(detected, Some(format), "{text}");
    }
    assert_eq!(
        written(&again, format).len(),
        bytes.len(),
        "{format}:\n{text}"
    );
}

fn check_apgcode(pattern: &Pattern) {
    let code = apgcode::encode("xp1", &pattern.cells).unwrap();
    let again = read_as(code.as_bytes(), Format::Apgcode).unwrap();
    assert_eq!(again.cells.hash(), pattern.cells.hash(), "{code}");
    assert_eq!(
        again.cells.population(),
        pattern.cells.population(),
        "{code}"
    );
}

proptest! {
    #[test]
    fn two_states_come_back(pattern in some_pattern(1, 60)) {
        Format::ALL.into_iter().for_each(|format| check(&pattern, format));
    }

    #[test]
    fn eight_states_come_back(pattern in some_pattern(7, 20)) {
        Format::ALL.into_iter().for_each(|format| check(&pattern, format));
    }

    #[test]
    fn all_states_come_back(pattern in some_pattern(255, 100)) {
        Format::ALL.into_iter().for_each(|format| check(&pattern, format));
    }

    #[test]
    fn far_cells_come_back(pattern in some_pattern(3, 1 << 60)) {
        check(&pattern, Format::Rle);
        check(&pattern, Format::Macrocell);
    }

    #[test]
    fn the_classroom_keeps_its_board(
        runs in prop::collection::vec((0..25i64, 0..25i64, 0..3u8), 0..80),
    ) {
        let run = |(y, x, state): (i64, i64, u8)| pattern::Run {
            y,
            x,
            length: 1,
            state: if state > 0 { state + 1 } else { 0 },
        };
        let pattern = Pattern {
            cells: Cells::from_runs(runs.into_iter().map(run).collect()),
            rule: Some("colorised".into()),
            size: Some((25, 25)),
            ..Pattern::default()
        };
        let bytes = written(&pattern, Format::Classroom);
        prop_assert_eq!(bytes.len(), 25 * 26);
        let again = read_as(&bytes, Format::Classroom).unwrap();
        prop_assert_eq!(again.cells, pattern.cells);
        prop_assert_eq!(again.size, Some((25, 25)));
    }
}

#[test]
fn formats_are_told_by_content() {
    for (text, format) in [
        ("", None),
        ("\n \n", None),
        ("#C only a comment\n", None),
        ("hello world", None),
        ("<html>", None),
        ("[M3]\n", None),
        ("[M2] (x)\n", Some(Format::Macrocell)),
        ("#MCell 4.00\n", Some(Format::MCell)),
        ("#Life 1.05\n", Some(Format::Life105)),
        ("#P -1 3\n.*\n", Some(Format::Life105)),
        ("#D x\n#N\n#P 0 0\n.*\n", Some(Format::Life105)),
        ("#Life 1.06\n", Some(Format::Life106)),
        ("#C x\n\nx = 3, y = 3\nbo$2bo$3o!", Some(Format::Rle)),
        ("\u{feff}x=3,y=3\nbo$2bo$3o!", Some(Format::Rle)),
        ("bo$2bo$3o!", Some(Format::Rle)),
        ("3o", Some(Format::Rle)),
        ("xA!", Some(Format::Rle)),
        ("2.A$3A!", Some(Format::Rle)),
        ("!Name: x\n.O\n", Some(Format::Plaintext)),
        (".O.\n..O\nOOO", Some(Format::Plaintext)),
        ("!x\n..*\n", Some(Format::Plaintext)),
        ("..RB\n", Some(Format::Classroom)),
        ("!x\n01234567\n", Some(Format::Classroom)),
        (". O R ! comment\n", Some(Format::Classroom)),
        ("xq4_153", Some(Format::Apgcode)),
        ("  xp2_7\n", Some(Format::Apgcode)),
        (
            "yl144_1_16_afb5f3db909e60548f086e22ee3353ac",
            Some(Format::Apgcode),
        ),
    ] {
        assert_eq!(detect(text.as_bytes()), format, "{text}");
    }
}

#[test]
fn names_and_endings() {
    use std::path::Path;
    for (path, format) in [
        ("a/b.rle", Some(Format::Rle)),
        ("B.RLE.GZ", Some(Format::Rle)),
        ("x.mc.gz", Some(Format::Macrocell)),
        ("x.cells", Some(Format::Plaintext)),
        ("x.lif", Some(Format::Life105)),
        ("x.mcl", Some(Format::MCell)),
        ("x", None),
        ("x.png", None),
    ] {
        assert_eq!(Format::from_path(Path::new(path)), format, "{path}");
    }
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
}

#[test]
fn what_is_lost_is_told() {
    let text =
        "#CXRLE Pos=1,2 Gen=5\n#N n\n#O o\n#C c\nx = 2, y = 1, rule = B2/S/C3\nAB!\n@RULE X\n";
    let (pattern, _) = read(text.as_bytes()).unwrap();
    let check = |format, expected: &[FormatLoss]| {
        assert_eq!(losses(&pattern, format), expected, "{format}");
    };
    use FormatLoss::{Author, Comments, Generation, Name, Position, Rule, RuleBlock, States};
    check(Format::Rle, &[]);
    check(Format::Macrocell, &[RuleBlock]);
    check(
        Format::Plaintext,
        &[States, Rule, RuleBlock, Position, Generation],
    );
    check(Format::Life105, &[States, Rule, RuleBlock, Generation]);
    check(
        Format::Life106,
        &[States, Rule, RuleBlock, Generation, Name, Author, Comments],
    );
    let error = write(&pattern, Format::Life106, &mut Vec::new()).unwrap_err();
    let expected = "life106 cannot hold this pattern: it has no sign for some of the states";
    assert_eq!(error.to_string(), expected);
}
