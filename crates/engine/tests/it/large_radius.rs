//! Wide rules on grids against the oracle: every shape of neighbourhood, radii from 1 to 60
//! and a few far ones, every way to join edges, grids narrower than a cell sees.

use crate::chance::EngineTestRng;
use engine::{NaiveWorld, Torus, World};
use pattern::Cells;
use rule::Rule;

const SHAPES: [&str; 16] = [
    "M", "N", "C", "2", "B", "D", "+", "X", "*", "#", "H", "A", "G", "L", "@", "W",
];

/// A random wide rule of a shape, its sums around what a half-full soup has.
fn rule(chance: &mut EngineTestRng, shape: &str, radius: u64) -> String {
    let cells = (2 * radius + 1).pow(2);
    let digits = |chance: &mut EngineTestRng, number: u64, most: u64| -> String {
        let digit = |_| char::from_digit(chance.between(0, most) as u32, 16).unwrap();
        (0..number).map(digit).collect()
    };
    let states = match chance.below(3) {
        0 => chance.between(3, 9),
        _ => 2,
    };
    let (shape, values) = match shape {
        "@" => (format!("@{}", digits(chance, (cells - 1) / 4, 15)), ""),
        "W" => {
            // 8 to f stand for 0 to -7
            let most = *[1, 3, 10].get(chance.below(3) as usize).unwrap();
            let weights = digits(chance, cells, most);
            match (states, chance.below(2)) {
                (4, _) => (format!("W{weights}"), ",0132"),
                (_, 0) => (format!("W{weights}H"), ""),
                _ => (format!("W{weights}L"), ""),
            }
        }
        _ => (shape.to_string(), ""),
    };
    let old = chance.below(2) == 0 && shape.len() == 1 && shape != "L";
    let (middle, part) = (chance.below(2), 20 + chance.below(20));
    let text = |most: u64| {
        let (s0, s1) = (most * part / 100, most * 3 / 5);
        let (b0, b1) = ((most * (part + 5) / 100).max(1), (most / 2).max(1));
        let b0 = b0.min(b1);
        if old {
            let states = if states == 2 { 0 } else { states };
            format!("R{radius},C{states},M{middle},S{s0}..{s1},B{b0}..{b1},N{shape}")
        } else {
            format!("R{radius},C{states},S{s0}-{s1},B{b0}-{b1},N{shape}{values}")
        }
    };
    // The greatest sum that the rule takes, to within an eighth.
    let mut most = (radius + 1).pow(4).max(7 * cells);
    while text(most).parse::<Rule>().is_err() {
        assert!(most > 1, "{}: {:?}", text(1), text(1).parse::<Rule>().err());
        most = most * 7 / 8;
    }
    text(most)
}

/// Every kind of grid, of about these sides.
fn edges(chance: &mut EngineTestRng, width: u64, height: u64) -> String {
    let even = width + width % 2;
    match chance.below(11) {
        0 | 1 => format!("P{width},{height}"),
        2 | 3 => format!("T{width},{height}"),
        4 => format!("T{width}+{},{height}", chance.below(2 * width)),
        5 => format!("T{width},{height}-{}", chance.below(2 * height)),
        6 => format!("K{width}*,{height}"),
        7 => format!("K{width},{height}*"),
        8 => format!("K{even}*+1,{height}"),
        9 => format!("C{width},{height}"),
        _ => format!("S{}", width.min(height)),
    }
}

fn check(chance: &mut EngineTestRng, text: &str, steps: u64) {
    let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    let rect = rule.topology().rect().unwrap();
    let cells = chance.soup(rect.x, rect.y, rect.width, rect.height, rule.states());
    let mut torus = Torus::new(rule.clone()).unwrap();
    let mut naive = NaiveWorld::new(rule);
    let generation = chance.below(2);
    for world in [&mut torus as &mut dyn World, &mut naive] {
        world.load(&cells).unwrap();
        world.set_generation(generation.into());
    }
    for step in 1..=steps {
        for world in [&mut torus as &mut dyn World, &mut naive] {
            world.advance(&1_u32.into(), &mut |_| true).unwrap();
        }
        let (got, wanted) = (torus.cells(), naive.cells());
        let runs = |cells: &Cells| {
            let mut runs = Vec::new();
            cells.for_each_run(&mut |run| runs.push((run.y, run.x, run.length, run.state)));
            runs
        };
        assert_eq!(
            runs(&got),
            runs(&wanted),
            "{text} from generation {generation}, after {step}, by {}",
            torus.kernel()
        );
        assert_eq!(torus.population(), naive.population(), "{text}");
    }
}

#[test]
fn every_shape_up_to_radius_60() {
    /// Looks of the oracle for a rule.
    const LOOKS: u64 = 60_000;
    let mut number = 0;
    for shape in SHAPES {
        for radius in [1, 2, 3, 4, 5, 7, 8, 10, 13, 21, 33, 47, 60] {
            if shape == "G" && radius > 50 || "@W".contains(shape) && radius > 21 {
                continue;
            }
            number += 1;
            let mut chance = EngineTestRng::new(number * 0x51_7cc1);
            let rule = rule(&mut chance, shape, radius);
            let looks = (2 * radius + 1).pow(2);
            let cells = (LOOKS / looks).max(12);
            // Long rows, squares and high grids.
            let width = match chance.below(3) {
                0 => chance.between(cells / 3, cells).min(300),
                1 => chance.between(1, 4),
                _ => cells.isqrt(),
            };
            let height = (cells / width).clamp(1, 200);
            let edges = edges(&mut chance, width, height);
            check(&mut chance, &format!("{rule}:{edges}"), 2);
        }
    }
}

#[test]
fn a_few_far_ones() {
    for (number, (shape, radius)) in [
        ("M", 127),
        ("N", 200),
        ("M", 200),
        ("C", 130),
        ("L", 100),
        ("+", 200),
        ("*", 128),
        ("D", 128),
        ("#", 500),
        ("M", 500),
    ]
    .into_iter()
    .enumerate()
    {
        let mut chance = EngineTestRng::new(number as u64 * 0x2f_0b4d);
        let rule = rule(&mut chance, shape, radius);
        let sides: (u64, u64) = match radius {
            500 => (2, 1),
            _ => (chance.between(2, 5), chance.between(1, 2)),
        };
        let edges = edges(&mut chance, sides.0, sides.1);
        check(&mut chance, &format!("{rule}:{edges}"), 1);
    }
}

/// Rows longer than many lanes: the sums that run along are begun in each lane.
#[test]
fn long_rows() {
    for (number, shape) in SHAPES.into_iter().enumerate() {
        let mut chance = EngineTestRng::new(number as u64 * 0x9d_31f5 + 7);
        let radius = chance.between(2, 4);
        let rule = rule(&mut chance, shape, radius);
        let width = chance.between(250, 700);
        let edges = edges(&mut chance, width, 2);
        check(&mut chance, &format!("{rule}:{edges}"), 2);
    }
}
