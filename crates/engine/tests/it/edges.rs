//! `tiles` on grids of every shape, against the oracle and over edges far out.

use crate::chance::{EngineTestRng, FAMILIES};
use engine::{NaiveWorld, Tiles, World};
use grid::Point;
use num_bigint::BigUint;
use pattern::{Cells, Run};
use rule::Rule;

/// Everything that can be asked is answered as the oracle does.
#[track_caller]
fn agree(world: &Tiles, oracle: &NaiveWorld, about: &str) {
    assert_eq!(world.population(), oracle.population(), "{about}");
    assert_eq!(world.bounds(), oracle.bounds(), "{about}");
    assert_eq!(world.hash(), oracle.hash(), "{about}");
    assert_eq!(world.cells(), oracle.cells(), "{about}");
}

fn advance(world: &mut dyn World, n: u64) {
    let done = world.advance(&n.into(), &mut |_| true);
    done.expect("nobody stops it");
}

/// Loads, steps and draws on both; `false` where `tiles` does not take the rule.
fn run(chance: &mut EngineTestRng, rule: &Rule, steps: &[u64]) -> bool {
    let Ok(mut world) = Tiles::new(rule.clone()) else {
        return false;
    };
    let mut oracle = NaiveWorld::new(rule.clone());
    let (width, height) = rule.topology().size();
    // An infinite side is filled across the origin; what sticks out is dropped.
    let side = |n: u64| if n == 0 { 9 } else { n.min(140) };
    let corner = |n: u64| if n == 0 { -4 } else { -((n / 2) as i64) - 1 };
    let (x, y) = (corner(width), corner(height));
    let cells = chance.soup(x, y, side(width) + 2, side(height) + 2, rule.states());
    world.load(&cells).unwrap();
    oracle.load(&cells).unwrap();
    agree(&world, &oracle, &format!("{rule}, as loaded"));
    for n in steps {
        advance(&mut world, *n);
        advance(&mut oracle, *n);
        agree(&world, &oracle, &format!("{rule}, {n} on"));
        for _ in 0..3 {
            let x = x + chance.below(side(width)) as i64 + 1;
            let y = y + chance.below(side(height)) as i64 + 1;
            let state = chance.below(u64::from(rule.states())) as u8;
            let p = Point::new(x, y);
            world.set(p, state).unwrap();
            oracle.set(p, state).unwrap();
            assert_eq!(world.get(p), state, "{rule}");
        }
        agree(&world, &oracle, &format!("{rule}, drawn on"));
    }
    true
}

#[test]
fn grids_of_every_shape() {
    let mut chance = EngineTestRng::new(77);
    for rule in [
        "B3/S23",
        "B2/S34H",
        "B03/S23",
        "345/2/4",
        "/2/3",
        "R2,C0,M0,S6..11,B6..9,NN",
        "R5,C0,M1,S34..58,B34..45,NM",
        "R9,C3,M1,S60..120,B61..100,NM",
    ] {
        for (w, h) in [(1, 1), (1, 3), (2, 2), (3, 65), (64, 63), (12, 7), (129, 6)] {
            let by = chance.below(w);
            let shapes = [
                format!("P{w},{h}"),
                format!("T{w},{h}"),
                format!("T{w}+{by},{h}"),
                format!("T{w},{h}-{by}"),
                format!("K{w}*,{h}"),
                format!("K{w},{h}*"),
                format!("C{w},{h}"),
                format!("S{w}"),
                format!("T{w},0"),
                format!("T0,{h}"),
                format!("P0,{h}"),
                format!("P{w},0"),
            ];
            for shape in shapes {
                // The oracle is slow where much is seen.
                if rule.starts_with("R9") && (w > 3 || h > 12) || w * h > 900 && chance.below(3) > 0
                {
                    continue;
                }
                let text = format!("{rule}:{shape}");
                let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
                assert!(run(&mut chance, &rule, &[1, 1, 2, 3]), "{text} is refused");
            }
        }
    }
}

#[test]
fn rules_of_every_family_on_small_grids() {
    for family in 0..FAMILIES {
        for case in 0..4 {
            let mut chance = EngineTestRng::new(family * 1000 + case + 31);
            let text = chance.rule(family);
            let (w, h) = (chance.between(1, 40), chance.between(1, 40));
            let shape = match chance.below(5) {
                0 => format!("P{w},{h}"),
                1 => format!("T{w},0"),
                2 => format!("T0,{h}"),
                3 => format!("K{w}*,{h}"),
                _ => format!("T{w},{h}+{}", chance.below(h)),
            };
            let Ok(rule) = format!("{text}:{shape}").parse::<Rule>() else {
                continue;
            };
            run(&mut chance, &rule, &[1, 2, 1]);
        }
    }
}

fn glider(x: i64, y: i64) -> Cells {
    let cells = [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)];
    let run = |(dx, dy): (i64, i64)| Run {
        y: y + dy,
        x: x + dx,
        length: 1,
        state: 1,
    };
    Cells::from_runs(cells.map(run).to_vec())
}

#[test]
fn a_glider_goes_over_the_edges_of_a_grid_of_two_thousand_million() {
    const HALF: i64 = 1_000_000_000;
    let rule: Rule = "B3/S23:T2000000000,2000000000".parse().unwrap();
    let mut world = Tiles::new(rule).unwrap();
    world.load(&glider(HALF - 10, HALF - 7)).unwrap();
    let hash = world.hash();
    advance(&mut world, 400);
    assert_eq!(world.population(), BigUint::from(5_u8));
    assert_eq!(world.hash(), hash);
    // A hundred cells on in both directions, and around.
    for (dx, dy) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
        assert_eq!(world.get(Point::new(-HALF + 90 + dx, -HALF + 93 + dy)), 1);
    }
}

#[test]
fn what_settles_at_an_edge_sleeps() {
    // A blinker across the seam.
    let rule: Rule = "B3/S23:T1000000,1000000".parse().unwrap();
    let mut world = Tiles::new(rule).unwrap();
    for x in [499_999, -500_000, -499_999] {
        world.set(Point::new(x, 0), 1).unwrap();
    }
    let n = (BigUint::from(1_u8) << 200) + 1_u8;
    world.advance(&n, &mut |_| true).unwrap();
    for y in [-1, 0, 1] {
        assert_eq!(world.get(Point::new(-500_000, y)), 1);
    }
    assert_eq!(world.population(), BigUint::from(3_u8));
}

#[test]
fn a_spaceship_goes_up_a_tube() {
    let rule: Rule = "B3/S23:T15,0".parse().unwrap();
    let mut world = Tiles::new(rule).unwrap();
    world.load(&glider(-1, 0)).unwrap();
    let hash = world.hash();
    // Fifteen cells around and down, a hundred times.
    advance(&mut world, 60 * 100);
    assert_eq!(world.hash(), hash);
    assert_eq!(world.get(Point::new(0, 1500)), 1);
}
