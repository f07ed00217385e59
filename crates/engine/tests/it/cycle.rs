//! A grid that is advanced far sees when a state comes again, skips whole rounds, and gives the
//! same answers as the oracle, which sees nothing.

use engine::{EngineChoice, NaiveWorld, Options, World, open, open_job, place_pattern};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use pattern::soup::SoupRecipe;
use pattern::{Cells, Pattern};
use rule::Rule;
use std::collections::HashMap;

/// A rule with its edges, and the sides and states of the soup in it.
const CASES: [(&str, u64, u64, u16); 20] = [
    ("B3/S23:T20,14", 20, 14, 2),
    ("B3/S23:T13,11", 13, 11, 2),
    ("B3/S23:T16,16", 16, 16, 2),
    ("B3/S23:T17+3,9", 17, 9, 2),
    ("B3/S23:T9,17-2", 9, 17, 2),
    ("B3/S23:P15,20", 15, 20, 2),
    ("B3/S23:K16*,15", 16, 15, 2),
    ("B3/S23:K15,16*+1", 15, 16, 2),
    ("B3/S23:C14,15", 14, 15, 2),
    ("B3/S23:S15", 15, 15, 2),
    ("B36/S23:K17*,16", 17, 16, 2),
    ("B03/S23:T16,16", 16, 16, 2),
    ("B03/S23:P11,12", 11, 12, 2),
    ("345/2/4:T14,16", 14, 16, 4),
    ("345/2/4:S13", 13, 13, 4),
    ("WireWorld:C12,9", 12, 9, 4),
    ("B2/S34H:T10,12", 10, 12, 2),
    ("R2,C0,M1,S6..11,B6..9,NM:T14,14", 14, 14, 2),
    // tables that take turns, and never come to rest
    ("BBM:T6,6", 6, 6, 2),
    ("B36/S23|B2/S34H:T12,16", 12, 16, 2),
];

fn soup((rule, width, height, states): (&str, u64, u64, u16)) -> (Rule, Pattern) {
    let recipe = SoupRecipe {
        states,
        seed: 9,
        ..SoupRecipe::new(width, height)
    };
    (rule.parse().unwrap(), recipe.pattern().unwrap())
}

fn advance(world: &mut dyn World, n: impl Into<BigUint>) {
    world.advance(&n.into(), &mut |_| true).unwrap();
}

/// The states of the oracle up to the first that comes again: the cells at each generation, and
/// the generation that the last would lead back to. `None` if that is too many.
fn states(rule: &Rule, pattern: &Pattern) -> Option<(Vec<Cells>, usize)> {
    let mut oracle = NaiveWorld::new(rule.clone());
    oracle
        .load(&place_pattern(pattern, rule.topology()))
        .unwrap();
    let (mut all, mut seen) = (Vec::new(), HashMap::new());
    for generation in 0..20_000 {
        let cells = oracle.cells();
        let phase = generation % rule.time_period();
        let key = (cells.hash(), cells.bounds().map(|b| (b.x, b.y)), phase);
        if let Some(&before) = seen.get(&key)
            && all[before] == cells
        {
            return Some((all, before));
        }
        seen.insert(key, generation);
        all.push(cells);
        advance(&mut oracle, 1_u32);
    }
    None
}

/// Every topology and kind of rule, in each engine: near generations, and such as only a known
/// cycle leads to.
#[test]
fn cycles_are_those_of_the_oracle() {
    let mut found = 0;
    for case in CASES {
        let (rule, pattern) = soup(case);
        let Some((states, entry)) = states(&rule, &pattern) else {
            continue;
        };
        let period = states.len() - entry;
        for choice in [EngineChoice::Torus, EngineChoice::Tiles, EngineChoice::Auto] {
            for n in [
                BigUint::from(4_095_u32),
                BigUint::from(9_601_u32),
                BigUint::from(10_u32).pow(30) + 7_u32,
            ] {
                let what = format!("{} in {choice} to {n}", case.0);
                let options = Options::default();
                let Ok(opened) = open_job(choice, &rule, &pattern, &n, &options) else {
                    assert_eq!(choice, EngineChoice::Tiles, "{what}");
                    continue;
                };
                let mut world = opened.world;
                advance(&mut *world, n.clone());
                let at = match n.to_usize() {
                    Some(n) if n < states.len() => n,
                    _ => ((&n - entry) % period).to_usize().unwrap() + entry,
                };
                assert_eq!(*world.generation(), BigInt::from(n.clone()), "{what}");
                assert_eq!(world.cells(), states[at], "{what}");
                let population = states[at].population();
                assert_eq!(world.population(), population, "{what}");
                if let Some(cycle) = world.cycle() {
                    assert_eq!(cycle.period, period as u64, "{what}");
                    assert!(cycle.found_at < n.clone().into(), "{what}");
                    found += 1;
                }
                if n.bits() > 64 && world.engine() != "hashlife" {
                    assert!(world.cycle().is_some(), "{what}");
                }
            }
        }
    }
    assert!(found > 60, "only {found} cycles were found");
}

/// The same runs in parts of any length, interrupted at any moment.
#[test]
fn interruptions_change_nothing() {
    for case in [CASES[0], CASES[9], CASES[13], CASES[18]] {
        let (rule, pattern) = soup(case);
        let n = BigUint::from(10_u32).pow(25) + 12_345_u32;
        for choice in [EngineChoice::Torus, EngineChoice::Tiles] {
            let opened = |()| open(choice, &rule, &pattern, None, &Options::default());
            let (Ok(whole), Ok(parts)) = (opened(()), opened(())) else {
                continue;
            };
            let (mut whole, mut parts) = (whole.world, parts.world);
            advance(&mut *whole, n.clone());
            let (goal, mut patience) = (BigInt::from(n.clone()), 1);
            while *parts.generation() < goal {
                let left = (&goal - parts.generation()).to_biguint().unwrap();
                let mut asked = 0;
                let before = parts.generation().clone();
                let _ = parts.advance(&left, &mut |_| {
                    asked += 1;
                    asked < patience
                });
                assert!(*parts.generation() >= before);
                patience += 3;
            }
            assert_eq!(parts.cells(), whole.cells(), "{} in {choice}", case.0);
            assert_eq!(
                parts.cycle().map(|c| c.period),
                whole.cycle().map(|c| c.period)
            );
        }
    }
}

/// What was known of the cells is forgotten when they are edited.
#[test]
fn an_edit_ends_a_cycle() {
    let (rule, pattern) = soup(CASES[0]);
    let mut world = open(
        EngineChoice::Torus,
        &rule,
        &pattern,
        None,
        &Options::default(),
    );
    let world = &mut world.as_mut().unwrap().world;
    advance(&mut **world, 100_000_u32);
    assert!(world.cycle().is_some());
    let mut oracle = NaiveWorld::new(rule);
    oracle.load(&world.cells()).unwrap();
    for x in 0..3 {
        let p = grid::Point::new(x, 2);
        let state = 1 - world.get(p);
        world.set(p, state).unwrap();
        oracle.set(p, state).unwrap();
    }
    assert!(world.cycle().is_none());
    advance(&mut **world, 77_u32);
    advance(&mut oracle, 77_u32);
    assert_eq!(world.cells(), oracle.cells());
}

/// A world whose copy would not fit in memory is stepped as ever.
#[test]
fn nothing_is_kept_where_there_is_no_room() {
    let (rule, pattern) = soup(CASES[0]);
    let options = Options {
        memory: 1 << 12,
        ..Options::default()
    };
    let Ok(mut opened) = open(EngineChoice::Torus, &rule, &pattern, None, &options) else {
        panic!("the world itself fits");
    };
    let world = &mut opened.world;
    assert!(world.bytes() * 2 > options.memory, "{}", world.bytes());
    advance(&mut **world, 20_000_u32);
    assert!(world.cycle().is_none());
}

#[test]
fn as_far_as_hashing_goes() {
    for case in [("B3/S23:T20,14", 20, 14, 2), ("B3/S23:T64,64", 64, 64, 2)] {
        let n = BigUint::from(10_u32).pow(30) + 7_u32;
        let (rule, pattern) = soup(case);
        let mut worlds = [EngineChoice::Torus, EngineChoice::Hashlife].map(|engine| {
            let opened = open(engine, &rule, &pattern, None, &Options::default());
            opened.unwrap().world
        });
        for world in &mut worlds {
            advance(&mut **world, n.clone());
            assert_eq!(*world.generation(), BigInt::from(n.clone()), "{case:?}");
        }
        assert_eq!(worlds[0].hash(), worlds[1].hash(), "{case:?}");
        assert_eq!(worlds[0].population(), worlds[1].population(), "{case:?}");
    }
}

/// A run that is raced goes in parts; its cycle begins after the first window and is found all the
/// same.
#[test]
fn what_settles_late_is_found_by_the_race_too() {
    for shape in ["S150", "T150,151", "K150*,151"] {
        let text = format!("B3/S23:{shape}");
        let (rule, pattern) = soup((&text, 120, 120, 2));
        let n = BigUint::from(10_u32).pow(30);
        let options = Options::default();
        let mut worlds = [EngineChoice::Auto, EngineChoice::Torus].map(|choice| {
            let opened = open_job(choice, &rule, &pattern, &n, &options);
            opened.unwrap().world
        });
        for world in &mut worlds {
            advance(&mut **world, n.clone());
        }
        assert_eq!(worlds[0].cells(), worlds[1].cells(), "{text}");
        assert!(worlds[1].cycle().is_some(), "{text}");
    }
}
