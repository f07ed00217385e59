//! Tori as arrays of hashed squares: held against the oracle, and against the engine that
//! steps every cell.

use crate::chance::{EngineTestRng, KINDS};
use engine::{EngineChoice, NaiveWorld, Options, Torus, World, open, open_hashlife};
use grid::Point;
use num_bigint::{BigInt, BigUint};
use pattern::{Cells, Pattern, Run};
use rule::Rule;

/// How many random cases each family gets.
fn cases() -> u64 {
    let asked = std::env::var("GRIDPAPER_CASES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(4 * KINDS)
}

pub(crate) fn advance(world: &mut dyn World, n: impl Into<BigUint>) {
    world.advance(&n.into(), &mut |_| true).unwrap();
}

fn rule(text: &str) -> Rule {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// A soup all over the grid.
fn soup(chance: &mut EngineTestRng, rule: &Rule) -> Cells {
    let rect = rule.topology().rect().unwrap();
    chance.soup(rect.x, rect.y, rect.width, rect.height, rule.states())
}

#[track_caller]
pub(crate) fn same(world: &dyn World, oracle: &dyn World, what: &str) {
    assert_eq!(world.generation(), oracle.generation(), "{what}");
    assert_eq!(world.population(), oracle.population(), "{what}");
    assert_eq!(world.bounds(), oracle.bounds(), "{what}");
    assert_eq!(world.hash(), oracle.hash(), "{what}");
    assert_eq!(world.cells(), oracle.cells(), "{what}");
}

/// Every family, on tori of many sizes, shifted and not; those that are not taken are
/// opened in another engine, and are right all the same.
#[test]
fn random_tori_agree_with_the_definition() {
    let mut taken = 0;
    for number in 0..cases() {
        let mut chance = EngineTestRng::new(number.wrapping_mul(0x51a2_9c33_71bb_04d7));
        let drawn = chance.any_rule(number);
        let unit = [1, 2, 4, 8, 16, 32, 64][chance.below(7) as usize];
        let mut side = || (unit * chance.between(1, (64 / unit).max(1))).max(3);
        let (width, height) = (side(), side());
        let by = unit * chance.below(3);
        let shape = match chance.below(4) {
            0 if by > 0 => format!("T{width}+{by},{height}"),
            1 if by > 0 => format!("T{width},{height}-{by}"),
            _ => format!("T{width},{height}"),
        };
        let what = format!("case {number}: {}:{shape}", drawn.text);
        let rule = drawn.rule.with_topology(shape.parse().unwrap());
        let pattern = Pattern {
            cells: soup(&mut chance, &rule),
            position: Some(Point::new(0, 0)),
            generation: BigInt::from(chance.below(2)),
            ..Pattern::default()
        };
        let opened = open(
            EngineChoice::Hashlife,
            &rule,
            &pattern,
            None,
            &Options::default(),
        );
        let mut world = opened.unwrap_or_else(|e| panic!("{what}: {e}")).world;
        taken += u64::from(world.engine() == "hashlife");
        let mut oracle = NaiveWorld::new(rule.clone());
        oracle.load(&pattern.cells).unwrap();
        oracle.set_generation(pattern.generation.clone());
        same(&*world, &oracle, &what);
        // The oracle looks at all neighbours of all cells.
        let steps = if rule.radius() > 3 { 2 } else { 8 };
        for n in [1, chance.between(1, steps)] {
            advance(&mut *world, n);
            advance(&mut oracle, n);
            same(&*world, &oracle, &format!("{what}, {n} more"));
        }
    }
    assert!(taken > cases() * 3 / 4, "only {taken} were hashed");
}

/// Large steps, far beyond the size of the grid, against every cell at every generation.
#[test]
fn steps_longer_than_the_torus_is_wide() {
    for (number, text) in [
        "B3/S23:T64,64",
        "B3/S23:T48,32",
        "B3/S23:T10,6",
        "B3/S23:T37,41",
        "B36/S23:T64+16,32",
        "B3/S23:T30+7,20",
        "B3/S23:T30,20-3",
        "B03/S23:T32,32",
        "345/2/4:T24,40",
        "B2/S34H:T18,22",
        "B45/S34L:T36,20",
        "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15:T40,64",
        "B36/S23|B2/S34H:T32,16",
        "R2,C0,M1,S6..11,B6..9,NM:T40,33",
    ]
    .into_iter()
    .enumerate()
    {
        let mut chance = EngineTestRng::new(number as u64);
        let rule = rule(text);
        let cells = soup(&mut chance, &rule);
        let mut oracle = Torus::new(rule.clone()).unwrap();
        let mut world = open_hashlife(rule, 1 << 30).unwrap();
        oracle.load(&cells).unwrap();
        world.load(&cells).unwrap();
        for n in [1_u32, 64, 1, 1000, 3, 4096, 12_345] {
            advance(&mut *world, n);
            advance(&mut oracle, n);
            same(&*world, &oracle, &format!("{text}, {n} more"));
        }
    }
}

/// A glider comes back to where it was after four times the side, however often.
#[test]
fn a_glider_goes_round_very_often() {
    for (text, around) in [
        ("B3/S23:T65536,65536", 4 * 65536),
        ("B3/S23:T100,100", 400),
        ("B3/S23:T100,75", 1200),
        ("B3/S23:T1572864,1572864", 4 * 1_572_864),
    ] {
        let mut world = open_hashlife(rule(text), 1 << 30).unwrap();
        for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
            world.set(Point::new(x, y), 1).unwrap();
        }
        let start = world.cells();
        advance(&mut *world, BigUint::from(10_u32).pow(20) * around as u32);
        assert_eq!(world.cells(), start, "{text}");
        advance(&mut *world, 4_u32);
        assert_eq!(world.cells(), start.translated(1, 1), "{text}");
        advance(&mut *world, BigUint::from(around as u32) - 4_u32);
        assert_eq!(world.cells(), start, "{text}");
    }
}

#[test]
fn little_memory_gives_the_same_torus() {
    let rule = rule("B3/S23:T128,96");
    let cells = soup(&mut EngineTestRng::new(9), &rule);
    let mut roomy = open_hashlife(rule.clone(), 1 << 30).unwrap();
    let mut tight = open_hashlife(rule, 1 << 16).unwrap();
    for world in [&mut roomy, &mut tight] {
        world.load(&cells).unwrap();
    }
    for n in [300_u32, 1, 512] {
        advance(&mut *roomy, n);
        advance(&mut *tight, n);
        same(&*tight, &*roomy, &format!("{n} more"));
    }
}

#[test]
fn a_torus_is_drawn_on_between_steps() {
    for text in ["B3/S23:T64,32", "B3/S23:T21,30", "345/2/4:T16+8,24"] {
        let rule = rule(text);
        let rect = rule.topology().rect().unwrap();
        let mut world = open_hashlife(rule.clone(), 1 << 30).unwrap();
        let mut oracle = NaiveWorld::new(rule);
        let mut chance = EngineTestRng::new(8);
        for round in 0..30 {
            for _ in 0..20 {
                let p = Point::new(
                    rect.x + chance.below(rect.width) as i64,
                    rect.y + chance.below(rect.height) as i64,
                );
                let state = 1 - world.get(p).min(1);
                world.set(p, state).unwrap();
                oracle.set(p, state).unwrap();
            }
            let n = chance.below(5);
            advance(&mut *world, n);
            advance(&mut oracle, n);
            same(&*world, &oracle, &format!("{text}, round {round}"));
        }
        let outside = Point::new(rect.right(), rect.y);
        assert_eq!(world.get(outside), 0);
        let refusal = world.set(outside, 1).unwrap_err();
        assert!(
            refusal.to_string().contains("outside the grid"),
            "{refusal}"
        );
    }
}

#[test]
fn cells_outside_the_grid_are_dropped() {
    let run = |y, x, length| Run {
        y,
        x,
        length,
        state: 1,
    };
    let far = 1 << 40;
    let cells = Cells::from_runs(vec![run(-far, -far, 5), run(0, -40, 80), run(33, 3, 4)]);
    for text in ["B3/S23:T64,64", "B3/S23:T10,70"] {
        let mut world = open_hashlife(rule(text), 1 << 30).unwrap();
        let mut oracle = NaiveWorld::new(rule(text));
        world.load(&cells).unwrap();
        oracle.load(&cells).unwrap();
        same(&*world, &oracle, text);
        advance(&mut *world, 3_u32);
        advance(&mut oracle, 3_u32);
        same(&*world, &oracle, text);
    }
}

/// Where hashing was asked for and cannot be had, the reason is told.
#[test]
fn another_engine_stands_in_and_says_why() {
    for (text, engine, reason) in [
        ("B2/S34H:K20*,30", "torus", "and the rule tells that"),
        ("W110:S20", "torus", "and the rule tells that"),
        ("B45/S34L:C16,16", "torus", "and the rule tells that"),
        (
            "B3/S23:T1001,999",
            "torus",
            "it would be 1001 x 999 of 16 x 16 cells",
        ),
        ("B45/S34L:T15,16", "torus", "even places from odd ones"),
        ("B3/S23:T0,16", "naive or tiles", "the topology `:T0,16`"),
    ] {
        let options = Options::default();
        let opened = open(
            EngineChoice::Hashlife,
            &rule(text),
            &Pattern::default(),
            None,
            &options,
        );
        let opened = opened.unwrap();
        assert!(engine.contains(opened.world.engine()), "{text}");
        assert!(
            opened.engine_reason.contains(reason),
            "{text}: {}",
            opened.engine_reason
        );
        assert!(
            opened
                .engine_reason
                .ends_with("one generation goes at a time")
        );
    }
}

#[test]
fn many_generations_on_a_torus_are_hashed() {
    for (text, generations, engine) in [
        ("B3/S23:T64,64", "1000", "torus"),
        // nearly empty
        ("B3/S23:T64,64", "1000000", "hashlife"),
        ("B3/S23:T64,64", "1000000000000", "hashlife"),
        ("B3/S23:P64,64", "1000000000000", "torus"),
        ("B3/S23:T1001,999", "1000000000000", "torus"),
    ] {
        let generations: BigUint = generations.parse().unwrap();
        let options = Options::default();
        let opened = open(
            EngineChoice::Auto,
            &rule(text),
            &Pattern::default(),
            Some(&generations),
            &options,
        );
        assert_eq!(opened.unwrap().world.engine(), engine, "{text}");
    }
}
