//! What only the hashed quadtree promises: any number of generations, bounded memory.

use crate::chance::Chance;
use engine::{Interrupted, Naive, World, hashlife};
use grid::Point;
use num_bigint::{BigInt, BigUint};
use pattern::{Cells, Pattern, library};
use rule::Rule;

const GUN: &str = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4b
obo$10bo5bo7bo$11bo3bo$12b2o!";

fn life(cells: &Cells, memory: u64) -> Box<dyn World> {
    let mut world = hashlife("B3/S23".parse().unwrap(), memory).unwrap();
    world.load(cells).unwrap();
    world
}

fn gun() -> Cells {
    let (Pattern { cells, .. }, _) = pattern::read(GUN.as_bytes()).unwrap();
    cells
}

fn advance(world: &mut dyn World, n: &str) {
    let n: BigUint = n.parse().unwrap();
    world.advance(&n, &mut |_| true).unwrap();
}

/// A glider each 30 generations, 5 cells each: exact at any age, and the phases repeat.
#[test]
fn a_gun_after_a_googol_generations() {
    let mut world = life(&gun(), 1 << 30);
    advance(&mut *world, "300");
    let early = world.population();
    let googol = BigUint::from(10u32).pow(100) * 30u32;
    world.advance(&googol, &mut |_| true).unwrap();
    assert_eq!(
        world.population(),
        early + BigUint::from(10u32).pow(100) * 5u32
    );
    assert_eq!(world.generation(), &(BigInt::from(10).pow(100) * 30 + 300));
    // The gun itself still stands at the origin, and can be drawn on.
    assert_eq!(world.get(Point::new(0, 4)), 1);
    assert_eq!(world.get(Point::new(0, 3)), 0);
    let before = world.population();
    world.set(Point::new(-50, -50), 1).unwrap();
    assert_eq!(world.population(), before + 1u32);
    world.set(Point::new(-50, -50), 0).unwrap();
    world.set(Point::new(0, 4), 0).unwrap();
    assert_eq!(world.get(Point::new(0, 4)), 0);
}

/// The spacefiller Max grows by an exact square law, one for each phase of 4; what three
/// early generations tell must hold after a googol.
#[test]
fn a_spacefiller_keeps_its_square_law_for_a_googol_generations() {
    let cells = library::find("max").unwrap().pattern().cells;
    let at = |n: BigInt| {
        let mut world = life(&cells, 1 << 30);
        let n = n.to_biguint().unwrap();
        world.advance(&n, &mut |_| true).unwrap();
        BigInt::from(world.population())
    };
    for phase in 0..4 {
        let start = BigInt::from(1000 + phase);
        let [a, b, c] = [0, 4, 8].map(|later| at(&start + later));
        // p(start + 4 k) = a + k (b - a) + k (k - 1) / 2 (c - 2 b + a), by differences.
        let steps = BigInt::from(10).pow(100);
        let bends = &steps * (&steps - 1u32) / 2u32;
        let expected = &a + &steps * (&b - &a) + bends * (&c - &b - &b + &a);
        assert_eq!(at(start + steps * 4u32), expected, "phase {phase}");
    }
}

#[test]
fn little_memory_gives_the_same_world() {
    let cells = Chance(3).soup(-40, -40, 80, 80, 2);
    let mut roomy = life(&cells, 1 << 30);
    // Far less than the run would take: collections, and steps cut in halves.
    let mut tight = life(&cells, 1 << 16);
    for n in ["1000", "1", "500"] {
        advance(&mut *roomy, n);
        advance(&mut *tight, n);
        assert_eq!(tight.generation(), roomy.generation());
        assert_eq!(tight.hash(), roomy.hash());
        assert_eq!(tight.bounds(), roomy.bounds());
    }
}

#[test]
fn a_change_of_step_keeps_the_answer() {
    let cells = Chance(4).soup(0, 0, 40, 40, 2);
    let mut oracle = Naive::new("B3/S23".parse().unwrap());
    oracle.load(&cells).unwrap();
    let mut world = life(&cells, 1 << 30);
    for n in [1u32, 7, 2, 16, 3, 33, 8, 1, 64, 5] {
        oracle.advance(&n.into(), &mut |_| true).unwrap();
        world.advance(&n.into(), &mut |_| true).unwrap();
        assert_eq!(world.hash(), oracle.hash(), "after {n} more");
    }
}

#[test]
fn odd_starts_of_strobing_rules() {
    let rule: Rule = "B03/S23".parse().unwrap();
    let cells = Chance(5).soup(0, 0, 12, 12, 2);
    for start in 0..4 {
        let mut oracle = Naive::new(rule.clone());
        let mut world = hashlife(rule.clone(), 1 << 30).unwrap();
        for world in [&mut oracle as &mut dyn World, &mut *world] {
            world.load(&cells).unwrap();
            world.set_generation(start.into());
            world.advance(&13u32.into(), &mut |_| true).unwrap();
        }
        assert_eq!(world.hash(), oracle.hash(), "from generation {start}");
    }
}

#[test]
fn a_stopped_run_stands_at_a_whole_generation() {
    let mut world = life(&gun(), 1 << 30);
    let mut asked = 0;
    let stopped = world.advance(&1000u32.into(), &mut |_| {
        asked += 1;
        asked < 3
    });
    assert_eq!(stopped, Err(Interrupted));
    let generation = world.generation().clone();
    assert!(generation > BigInt::ZERO && generation < BigInt::from(1000));
    let mut again = life(&gun(), 1 << 30);
    advance(&mut *again, &generation.to_string());
    assert_eq!(world.hash(), again.hash());
}

#[test]
fn worlds_that_it_does_not_take_are_refused_with_a_reason() {
    for (rule, reason) in [
        (
            "B3/S23:P10,10",
            "hashlife does not take the topology `:P10,10`",
        ),
        (
            "B3/S23:T0,16",
            "hashlife does not take the topology `:T0,16`",
        ),
        (
            "B3/S23:T1001,999",
            "hashlife does not take a torus of 1001 x 999",
        ),
        (
            "B45/S34L:T15,16",
            "hashlife does not take a torus of 15 x 16 under a rule that tells even",
        ),
    ] {
        let refusal = hashlife(rule.parse().unwrap(), 1 << 30).err().unwrap();
        assert!(refusal.to_string().starts_with(reason), "{refusal}");
    }
}
