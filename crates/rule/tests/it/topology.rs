//! How the edges of bounded grids are joined.

use grid::Point;
use proptest::prelude::*;
use rule::{Rule, Topology};

fn shape(text: &str) -> Topology {
    *format!("B3/S23:{text}").parse::<Rule>().unwrap().topology()
}

#[test]
fn every_spelling() {
    let rows = [
        ("P30,20", ":P30,20"),
        ("p30", ":P30,30"),
        ("P0,0", ""),
        ("T0", ""),
        ("T24", ":T24,24"),
        ("t15,0", ":T15,0"),
        ("T14+5,12", ":T14+5,12"),
        ("T14,12-5", ":T14,12-5"),
        ("T14+0,12", ":T14,12"),
        ("K14*,12", ":K14*,12"),
        ("K14*", ":K14*,14"),
        ("K13,12*+1", ":K13,12*+1"),
        ("C14,12", ":C14,12"),
        ("C5", ":C5,5"),
        ("S14", ":S14"),
        ("S14,14", ":S14"),
        ("T2000000000", ":T2000000000,2000000000"),
    ];
    for (text, written) in rows {
        assert_eq!(shape(text).to_string(), written);
        assert_eq!(
            format!("Life:{text}").parse::<Rule>().unwrap().to_string(),
            format!("B3/S23{written}")
        );
    }
}

#[test]
fn what_is_wrong_and_where() {
    let rows = [
        ("", 0, "expected P (plane)"),
        ("Q5", 0, "expected P (plane)"),
        ("T", 1, "expected the width"),
        ("T5,", 3, "expected the height"),
        ("T5,5,5", 4, "the end of the grid"),
        ("T2000000001", 1, "expected 0 to 2000000000"),
        ("P5+1,5", 2, "only a torus"),
        ("T5+1,5+1", 6, "one pair of edges can be shifted"),
        ("T5+1,0", 5, "finite"),
        ("T5+,3", 3, "expected the shift"),
        ("K5,5", 2, "a `*` must tell"),
        ("K5*,5*", 5, "not both"),
        ("K5*+1,6", 2, "even"),
        ("K6*+2,6", 2, "+1 or not at all"),
        ("K6*,6+1", 5, "only the twisted edges"),
        ("K0*,6", 1, "finite"),
        ("C5,0", 3, "finite"),
        ("C5*,5", 2, "only a Klein bottle"),
        ("S5,6", 3, "one side length"),
    ];
    for (text, offset, words) in rows {
        let error = format!("Life:{text}").parse::<Rule>().expect_err(text);
        assert_eq!(error.offset, 5 + offset, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// The grid with one more row or column on each side, letters by cell.
fn picture(text: &str) -> Vec<String> {
    let shape = shape(text);
    let rect = shape.rect().unwrap();
    let letter = |p: Point| match shape.resolve(p) {
        Some(p) => (b'a' + ((p.y - rect.y) * rect.width as i64 + p.x - rect.x) as u8) as char,
        None => '.',
    };
    let row = |y| {
        (rect.x - 1..=rect.right())
            .map(|x| letter(Point::new(x, y)))
            .collect()
    };
    (rect.y - 1..=rect.bottom()).map(row).collect()
}

#[test]
fn the_border_of_each_kind() {
    let rows: [(&str, [&str; 5]); 9] = [
        ("P4,3", ["......", ".abcd.", ".efgh.", ".ijkl.", "......"]),
        ("T4,3", ["lijkli", "dabcda", "hefghe", "lijkli", "dabcda"]),
        ("T4+1,3", ["klijkl", "dabcda", "hefghe", "lijkli", "abcdab"]),
        ("T4,3+1", ["hijkla", "labcde", "defghi", "hijkla", "labcde"]),
        ("K4*,3", ["ilkjil", "dabcda", "hefghe", "lijkli", "adcbad"]),
        ("K4,3*", ["dijkla", "labcdi", "hefghe", "dijkla", "labcdi"]),
        ("C4,3", ["alkjid", "labcdi", "hefghe", "dijkla", "idcbal"]),
        ("S3", ["aadgc", "aabcg", "bdefh", "cghii", "gcfii"]),
        (
            "K4*+1,3",
            ["lkjilk", "dabcda", "hefghe", "lijkli", "dcbadc"],
        ),
    ];
    for (text, wanted) in rows {
        assert_eq!(picture(text), wanted, "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_seen_lies_on_the_grid(at in 0..9_usize, w in 1..12_i64, x in -600..600_i64, y in -600..600_i64) {
        let h = w + 3;
        let even = 2 * w;
        let text = match at {
            0 => format!("T{w},{h}"),
            1 => format!("T{w}+5,{h}"),
            2 => format!("T{w},{h}-7"),
            3 => format!("K{w}*,{h}"),
            4 => format!("K{h},{even}*+1"),
            5 => format!("C{w},{h}"),
            6 => format!("S{w}"),
            7 => format!("T{w},0"),
            _ => format!("K{even}*+1,{h}"),
        };
        let shape = shape(&text);
        let seen = shape.resolve(Point::new(x, y)).unwrap();
        prop_assert!(shape.contains(seen));
        prop_assert_eq!(shape.resolve(seen), Some(seen));
        // a step from a cell and the step back, by way of whatever edge
        let size = shape.size();
        for (axis, period) in [(Point::new(1, 0), size.0 as i64), (Point::new(0, 1), size.1 as i64)] {
            if period == 0 {
                continue;
            }
            // twice round, times every shift, is home again
            let round = 2 * period * size.0.max(1) as i64 * size.1.max(1) as i64;
            let far = Point::new(x + axis.x * round, y + axis.y * round);
            prop_assert_eq!(shape.resolve(far), Some(seen), "{}", text);
        }
    }
}

/// A sphere crossed edge by edge, in any order: the expected result of [`Topology::resolve`].
#[test]
fn a_sphere_edge_by_edge() {
    let n = 5;
    let sphere = shape("S5");
    for y in -23..23 {
        for x in -23..23 {
            for rows_first in [true, false] {
                let (mut a, mut b) = (x, y);
                while !(0..n).contains(&a) || !(0..n).contains(&b) {
                    let row = !(0..n).contains(&b) && (rows_first || (0..n).contains(&a));
                    (a, b) = match (row, a < 0, b < 0) {
                        (true, _, true) => (-1 - b, a),
                        (true, _, false) => (2 * n - 1 - b, a),
                        (false, true, _) => (b, -1 - a),
                        (false, false, _) => (b, 2 * n - 1 - a),
                    };
                }
                let seen = sphere.resolve(Point::new(x - 2, y - 2));
                assert_eq!(seen, Some(Point::new(a - 2, b - 2)), "{x}, {y}");
            }
        }
    }
}

#[test]
fn far_away_is_reached_at_once() {
    for text in ["T3,4+1", "K3*,4", "C3,4", "S3", "P3"] {
        for at in [i64::MIN, i64::MAX] {
            let seen = shape(text).resolve(Point::new(at, at));
            assert_eq!(seen.is_some(), text != "P3");
        }
    }
}
