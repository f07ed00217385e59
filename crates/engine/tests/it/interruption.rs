//! Worlds whose generations take longer than anybody waits: they ask often, and are moved on
//! by whoever says no each time as by whoever never does.

use engine::{EngineChoice, Options, Tiles, World, open};
use grid::{Point, Rect};
use num_bigint::{BigInt, BigUint};
use pattern::soup::SoupRecipe;
use pattern::{Cells, Pattern, Run};
use rule::Rule;

/// An engine, a rule with its shape, the sides of a soup, and how often each of its generations
/// asks at least.
const CASES: [(EngineChoice, &str, u64, u64, u64); 7] = [
    (
        EngineChoice::Torus,
        "R12,C0,M1,S200..300,B200..280:T16384,16384",
        500,
        500,
        1,
    ),
    (
        EngineChoice::Torus,
        "R21,C0,M1,S500..900,B500..800:P4096,1024",
        900,
        900,
        1,
    ),
    (
        EngineChoice::Torus,
        "R13,C0,M1,S200..350,B200..300:T20,250000",
        20,
        900,
        1,
    ),
    (EngineChoice::Tiles, "345/2/4", 1100, 1100, 1),
    (EngineChoice::Tiles, "345/2/4:T1200,1100", 1200, 1100, 1),
    (
        EngineChoice::Tiles,
        "R9,C0,M1,S100..180,B100..160",
        900,
        900,
        1,
    ),
    (EngineChoice::Naive, "B3/S23", 150, 150, 5),
];

/// What somebody does to a world.
type WorldChange<'a> = &'a dyn Fn(&mut dyn World);

fn soup((engine, rule, width, height, _): (EngineChoice, &str, u64, u64, u64)) -> Box<dyn World> {
    let rule: Rule = rule.parse().unwrap();
    let recipe = SoupRecipe {
        states: rule.states(),
        seed: 5,
        ..SoupRecipe::new(width, height)
    };
    let pattern: Pattern = recipe.pattern().unwrap();
    let opened = open(engine, &rule, &pattern, None, &Options::default()).unwrap();
    assert_eq!(opened.world.engine(), engine.name());
    opened.world
}

/// To a generation, by slices that end when asked for the nth time.
fn slice(world: &mut dyn World, to: u64, nth: u64) -> u64 {
    let mut asks = 0;
    while *world.generation() < to.into() {
        let left = (BigInt::from(to) - world.generation())
            .to_biguint()
            .unwrap();
        let mut asked = 0;
        let _ = world.advance(&left, &mut |_| {
            asked += 1;
            asked < nth
        });
        asks += asked;
        assert!(asks < 100_000, "no slice gets any further");
    }
    asks
}

#[test]
fn whoever_says_no_each_time_gets_there_too() {
    for case in CASES {
        let (mut whole, mut first, mut third) = (soup(case), soup(case), soup(case));
        whole.advance(&3u32.into(), &mut |_| true).unwrap();
        let asks = slice(&mut *first, 3, 1);
        assert!(asks >= 3 * case.4, "{case:?} asked {asks} times");
        slice(&mut *third, 3, 3);
        for sliced in [first, third] {
            assert_eq!(sliced.generation(), whole.generation(), "{case:?}");
            assert_eq!(sliced.hash(), whole.hash(), "{case:?}");
        }
    }
}

/// In the middle of a generation, a world is what it was before it, and takes changes.
#[test]
fn what_changes_in_the_middle_of_a_generation_counts() {
    let block = Cells::from_runs(
        (0..90)
            .map(|y| Run {
                y,
                x: -9,
                length: 9,
                state: 1,
            })
            .collect(),
    );
    for case in CASES {
        let changes: [WorldChange<'_>; 6] = [
            &|world| world.set(Point::new(3, 4), 0).unwrap(),
            &|world| world.erase(Rect::new(-9, -9, 90, 90)),
            &|world| world.load(&block).unwrap(),
            &|world| world.restore(&world.snapshot()).unwrap(),
            &|world| world.set_generation(7.into()),
            &|world| world.keep_only(Rect::new(-9, -90, 9, 900)),
        ];
        let (mut whole, mut sliced) = (soup(case), soup(case));
        for (i, change) in changes.into_iter().enumerate() {
            // the first slice of a generation, and not the whole of it
            let stopped = sliced.advance(&BigUint::from(1u32), &mut |_| false);
            if stopped.is_err() {
                assert_eq!(sliced.generation(), whole.generation(), "{case:?}");
                assert_eq!(sliced.population(), whole.population(), "{case:?}");
            } else {
                whole.advance(&1u32.into(), &mut |_| true).unwrap();
            }
            for world in [&mut whole, &mut sliced] {
                change(&mut **world);
            }
            let to = u64::try_from(whole.generation()).unwrap() + 2;
            whole.advance(&2u32.into(), &mut |_| true).unwrap();
            slice(&mut *sliced, to, 1);
            assert_eq!(sliced.hash(), whole.hash(), "{case:?}, change {i}");
        }
    }
}

/// Four generations of very many tiles go together or not at all: each time they are given up,
/// more of them is done before that is asked.
#[test]
fn rounds_of_many_tiles_come_to_their_end() {
    let mut runs = Vec::new();
    for i in 0..90_000_i64 {
        let (x, y) = (i % 300 * 61, i / 300 * 61);
        for (x, y, length) in [(x + 1, y, 2), (x, y + 1, 2), (x + 1, y + 2, 1)] {
            runs.push(Run {
                y,
                x,
                length,
                state: 1,
            });
        }
    }
    let mut whole = Tiles::new("B3/S23".parse().unwrap()).unwrap();
    whole.load(&Cells::from_runs(runs)).unwrap();
    let mut sliced = whole.clone();
    whole.advance(&8u32.into(), &mut |_| true).unwrap();
    let asks = slice(&mut sliced, 8, 1);
    assert!((2..40).contains(&asks), "{asks}");
    assert_eq!(sliced.hash(), whole.hash());
}

/// A kilobyte of macrocell has more cells than anybody can list: engines that list them say so at
/// once, and hashing takes it.
#[test]
fn a_vast_quadtree_is_refused_by_whoever_would_list_it() {
    let mut text = String::from("[M2] (x)\n$$..*$...*$.***$\n");
    for level in 4..40 {
        let below = level - 3;
        text += &format!("{level} {below} {below} {below} {below}\n");
    }
    let (pattern, _) = pattern::read(text.as_bytes()).unwrap();
    assert_eq!(pattern.cells.walk_length(), 1 << 72);
    let options = Options::default();
    for (choice, rule) in [
        (EngineChoice::Naive, "B3/S23"),
        (EngineChoice::Tiles, "B3/S23"),
        (EngineChoice::Torus, "B3/S23:T64,64"),
        (EngineChoice::Tiles, "B3/S23:P64,0"),
    ] {
        let refused = open(choice, &rule.parse().unwrap(), &pattern, None, &options);
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("live cells"), "{refused}");
    }
    let rule: Rule = "B3/S23".parse().unwrap();
    let opened = open(EngineChoice::Auto, &rule, &pattern, None, &options).unwrap();
    assert_eq!(opened.world.engine(), "hashlife");
}
