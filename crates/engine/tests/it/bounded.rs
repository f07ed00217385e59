//! Grids with edges of all kinds in hashed quadtrees: held against the oracle, and against the engine
//! that steps every cell.

use crate::chance::EngineTestRng;
use crate::ring::{advance, same};
use engine::{EngineChoice, NaiveWorld, Options, Torus, World, open, open_hashlife};
use grid::Point;
use num_bigint::{BigInt, BigUint};
use pattern::Pattern;
use rule::Rule;

/// How many random cases there are.
const CASES: u64 = 120;

/// Every family on grids of many sizes, those around a leaf's among them.
#[test]
fn random_grids_agree_with_the_definition() {
    let mut taken = 0;
    for number in 0..CASES {
        let mut chance = EngineTestRng::new(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let drawn = chance.any_rule(number);
        let (width, height) = (chance.between(8, 50), chance.between(8, 50));
        let shape = match chance.below(6) {
            0 | 1 => format!("P{width},{height}"),
            2 => format!("K{width}*,{height}"),
            3 => format!("K{width},{height}*"),
            4 => format!("C{width},{height}"),
            _ => format!("S{width}"),
        };
        let what = format!("case {number}: {}:{shape}", drawn.text);
        let rule = drawn.rule.with_topology(shape.parse().unwrap());
        let rect = rule.topology().rect().unwrap();
        let pattern = Pattern {
            cells: chance.soup(rect.x, rect.y, rect.width, rect.height, rule.states()),
            position: Some(Point::new(0, 0)),
            generation: BigInt::from(chance.below(2)),
            ..Pattern::default()
        };
        let options = Options::default();
        let opened = open(EngineChoice::Hashlife, &rule, &pattern, None, &options);
        let mut world = opened.unwrap_or_else(|e| panic!("{what}: {e}")).world;
        taken += u64::from(world.engine() == "hashlife");
        let mut oracle = NaiveWorld::new(rule.clone());
        oracle.load(&pattern.cells).unwrap();
        oracle.set_generation(pattern.generation.clone());
        same(&*world, &oracle, &what);
        let steps = if rule.radius() > 3 { 2 } else { 8 };
        for n in [1, chance.between(1, steps)] {
            advance(&mut *world, n);
            advance(&mut oracle, n);
            same(&*world, &oracle, &format!("{what}, {n} more"));
        }
    }
    assert!(taken > CASES / 2, "only {taken} were hashed");
}

/// Large steps, far beyond the size of the grid, against every cell at every generation; cells are
/// set and removed in between.
#[test]
fn steps_longer_than_the_grid_is_wide() {
    for (number, text) in [
        "B3/S23:P64,64",
        "B3/S23:P10,6",
        "B3/S23:P37,41",
        "B3/S23:P200,3",
        "B36/S23:P65,33",
        "B03/S23:P32,30",
        "345/2/4:P24,40",
        "WireWorld:P24,17",
        "B2/S34H:P18,22",
        "B45/S34L:P36,20",
        "B36/S23|B2/S34H:P32,16",
        "R2,C0,M1,S6..11,B6..9,NM:P40,33",
        "B3/S23:K64*,32",
        "B3/S23:K33*,20",
        "B3/S23:K30*+1,21",
        "B3/S23:K21,30*+1",
        "B3/S23:C32,64",
        "B3/S23:C10,13",
        "B3/S23:S32",
        "B3/S23:S13",
        "B36/S23:S21",
        "B03/S23:S16",
        "345/2/4:K24*,40",
        "345/2/4:S17",
        "WireWorld:C24,17",
        "R2,C0,M1,S6..11,B6..9,NM:S33",
        "R5,C0,M1,S34..58,B34..45,NM:P50,60",
    ]
    .into_iter()
    .enumerate()
    {
        let mut chance = EngineTestRng::new(number as u64);
        let rule: Rule = text.parse().unwrap();
        let rect = rule.topology().rect().unwrap();
        let cells = chance.soup(rect.x, rect.y, rect.width, rect.height, rule.states());
        let mut oracle = Torus::new(rule.clone()).unwrap();
        let mut world = open_hashlife(rule, 1 << 30).unwrap();
        oracle.load(&cells).unwrap();
        world.load(&cells).unwrap();
        for n in [1_u32, 64, 1, 300, 3, 1024] {
            advance(&mut *world, n);
            advance(&mut oracle, n);
            same(&*world, &oracle, &format!("{text}, {n} more"));
            let p = Point::new(rect.x + i64::from(n % 3), rect.y);
            let state = 1 - world.get(p).min(1);
            world.set(p, state).unwrap();
            oracle.set(p, state).unwrap();
        }
    }
}

/// A gun on a large plane, whose gliders end at the edge, as far as no stepping goes; and where
/// memory is scarce or the run is stopped, the same.
#[test]
fn a_gun_fires_at_the_edge_for_ever() {
    let gun = pattern::library::find("gosper-glider-gun")
        .unwrap()
        .pattern();
    let rule: Rule = "B3/S23:P3000,2000".parse().unwrap();
    let opened = |memory: u64| {
        let options = Options {
            memory,
            ..Options::default()
        };
        let opened = open(EngineChoice::Hashlife, &rule, &gun, None, &options);
        opened.unwrap().world
    };
    let (mut world, mut tight) = (opened(1 << 30), opened(1 << 21));
    assert_eq!(world.engine(), "hashlife");
    let options = Options::default();
    let stepped = open(EngineChoice::Tiles, &rule, &gun, None, &options);
    let mut stepped = stepped.unwrap().world;
    for n in [5_000_u32, 15_000] {
        advance(&mut *world, n);
        advance(&mut *stepped, n);
        let goal = world.generation().clone();
        let mut patience = 1_u64;
        while *tight.generation() < goal {
            let left = (&goal - tight.generation()).to_biguint().unwrap();
            let mut asked = 0;
            let _ = tight.advance(&left, &mut |_| {
                asked += 1;
                asked < patience
            });
            patience *= 2;
        }
        same(&*world, &*stepped, "stepped");
        same(&*tight, &*world, "with little memory");
    }
    let far = BigUint::from(10_u32).pow(30);
    advance(&mut *world, far.clone());
    advance(&mut *stepped, far);
    same(&*world, &*stepped, "10^30 more");
    assert!(stepped.cycle().is_some());
}
