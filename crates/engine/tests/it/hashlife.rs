//! What only the hashed quadtree promises: any number of generations, bounded memory.

use crate::chance::EngineTestRng;
use engine::{
    AdvanceInterruption, EngineChoice, NaiveWorld, Options, Tiles, View, World, open, open_hashlife,
};
use grid::Point;
use num_bigint::{BigInt, BigUint};
use pattern::{Cells, Pattern, library};
use rule::Rule;

const GUN: &str = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4b
obo$10bo5bo7bo$11bo3bo$12b2o!";

fn life(cells: &Cells, memory: u64) -> Box<dyn World> {
    let mut world = open_hashlife("B3/S23".parse().unwrap(), memory).unwrap();
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

/// Ten thousand levels of nodes: nothing that is asked of such a world takes a stack frame for
/// each. A thread with so small a stack would overflow at a twentieth of them.
#[test]
fn ten_thousand_levels_need_no_deep_stack() {
    let work = || {
        let generations = BigUint::from(10u32).pow(1000) * 30u32;
        let mut world = life(&gun(), 1 << 30);
        world.advance(&generations, &mut |_| true).unwrap();
        assert_eq!(world.population(), &generations / 30u32 * 5u32 + 36u32);

        let glider = pattern::read(b"bob$2bo$3o!").unwrap().0.cells;
        let mut world = life(&glider, 1 << 30);
        let generations = BigUint::from(1u32) << 10_000;
        world.advance(&generations, &mut |_| true).unwrap();
        let bounds = world.bounds().unwrap();
        let (x, width) = (BigInt::from(generations / 4u32), 3u32.into());
        assert_eq!((&bounds.x, &bounds.width), (&x, &width));
        // Seen so that a quadrant of the root is some pixels wide.
        let scale = bounds.x.bits() as u32 - 4;
        let half = -(BigInt::from(1) << (scale + 5));
        let view = View::over(&half, &half, 64, 64, scale);
        let mut seen = 0.0;
        world.density(&view, &mut |_, _, live| seen += live);
        assert_eq!(seen, 5.0);
        // As a quadtree, and back over what is there.
        let cells = world.cells();
        let mut again = life(&cells, 1 << 30);
        again.load(&cells).unwrap();
        assert_eq!(again.population(), 5u32.into());
        assert_eq!(again.hash(), world.hash());
        again.set(Point::new(-9, 3), 1).unwrap();
        assert_eq!(again.get(Point::new(-9, 3)), 1);
    };
    let small = std::thread::Builder::new().stack_size(1 << 18);
    small.spawn(work).unwrap().join().unwrap();
}

/// Levels that would not fit in memory are refused before anything is done.
#[test]
fn a_million_digits_are_refused() {
    let mut world = life(&gun(), 1 << 30);
    let generations = BigUint::from(1u32) << 3_000_000;
    assert!(world.advance(&generations, &mut |_| true).is_err());
    assert!(world.memory_limit_error().is_some());
    assert_eq!(world.generation(), &BigInt::ZERO);
    advance(&mut *world, "30");
    assert_eq!(world.population(), 41u32.into());
    assert_eq!(world.memory_limit_error(), None);
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
    let cells = EngineTestRng::new(3).soup(-40, -40, 80, 80, 2);
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
    let cells = EngineTestRng::new(4).soup(0, 0, 40, 40, 2);
    let mut oracle = NaiveWorld::new("B3/S23".parse().unwrap());
    oracle.load(&cells).unwrap();
    let mut world = life(&cells, 1 << 30);
    for n in [1u32, 7, 2, 16, 3, 33, 8, 1, 64, 5, 600, 1000] {
        oracle.advance(&n.into(), &mut |_| true).unwrap();
        world.advance(&n.into(), &mut |_| true).unwrap();
        assert_eq!(world.hash(), oracle.hash(), "after {n} more");
    }
}

#[test]
fn odd_starts_of_strobing_rules() {
    let rule: Rule = "B03/S23".parse().unwrap();
    let cells = EngineTestRng::new(5).soup(0, 0, 12, 12, 2);
    for start in 0..4 {
        let mut oracle = NaiveWorld::new(rule.clone());
        let mut world = open_hashlife(rule.clone(), 1 << 30).unwrap();
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
    advance(&mut *world, "1000");
    // The steps meet at 1024, and nobody wants the second.
    let stopped = world.advance(&1000u32.into(), &mut |_| false);
    assert_eq!(stopped, Err(AdvanceInterruption));
    let generation = world.generation().clone();
    assert_eq!(generation, BigInt::from(1024));
    let mut again = life(&gun(), 1 << 30);
    advance(&mut *again, &generation.to_string());
    assert_eq!(world.hash(), again.hash());
}

#[test]
fn worlds_that_it_does_not_take_are_refused_with_a_reason() {
    for (rule, reason) in [
        (
            "B3/S23:P0,10",
            "hashlife does not take the topology `:P0,10`",
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
        let refusal = open_hashlife(rule.parse().unwrap(), 1 << 30).err().unwrap();
        assert!(refusal.to_string().starts_with(reason), "{refusal}");
    }
}

/// Rules that see as far as rules may, against the definition where that is not too slow,
/// else against the tiles.
#[test]
fn wide_rules() {
    let mut weights = EngineTestRng::new(12);
    let square = (0..67 * 67).map(|_| char::from(b"01258"[weights.below(5) as usize]));
    let weighted = format!("R33,C2,S2-30,B5-40,NW{}", square.collect::<String>());
    for (text, cells, steps) in [
        ("R33,C2,S2..9,B2..8,NM", 2, 1),
        ("R40,C4,M1,S2..5,B2..4,NN", 2, 1),
        (&weighted, 2, 1),
        ("R64,C2,S3..9,B4..8,NC", 9, 2),
        ("R65,C2,M1,S5..9,B4..6,NM", 9, 2),
        ("R50,C3,S9..60,B12..40,NG", 9, 2),
        ("R129,C2,S1..9,B2..8,N+", 9, 2),
        ("R256,C2,S3..9,B4..8,NN", 9, 1),
        ("R500,C2,S3..9,B4..8,NM", 9, 1),
        ("R500,C3,M1,S2..9,B5..8,NC", 9, 1),
    ] {
        let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut chance = EngineTestRng::new(u64::from(rule.radius()));
        let mut other: Box<dyn World> = match rule.radius() {
            ..=40 => Box::new(NaiveWorld::new(rule.clone())),
            _ => Box::new(Tiles::new(rule.clone()).unwrap()),
        };
        let mut world = open_hashlife(rule.clone(), 1 << 30).unwrap();
        for _ in 0..cells {
            let reach = u64::from(rule.radius());
            let place = |chance: &mut EngineTestRng| chance.below(2 * reach) as i64 - reach as i64;
            let p = Point::new(place(&mut chance), place(&mut chance));
            for world in [&mut *world, &mut *other] {
                world.set(p, 1).unwrap();
            }
        }
        for generation in 1..=steps {
            world.advance(&1_u32.into(), &mut |_| true).unwrap();
            other.advance(&1_u32.into(), &mut |_| true).unwrap();
            let what = format!("{} after {generation}", &text[..text.len().min(40)]);
            assert!(other.population() > 0_u32.into(), "{what}: nothing to see");
            assert_eq!(world.population(), other.population(), "{what}");
            assert_eq!(world.bounds(), other.bounds(), "{what}");
            assert_eq!(world.hash(), other.hash(), "{what}");
        }
    }
}

/// The pixels of a view, sorted.
fn pixels(world: &dyn World, view: &View) -> Vec<(u32, u32, u64)> {
    let mut pixels = Vec::new();
    world.density(view, &mut |x, y, live| pixels.push((y, x, live as u64)));
    pixels.sort_unstable();
    pixels
}

#[test]
fn views_from_far_off_count_what_is_there() {
    let mut chance = EngineTestRng::new(21);
    for text in ["B3/S23", "345/2/4", "B3/S23:T96,64"] {
        let rule: Rule = text.parse().unwrap();
        let cells = chance.soup(-45, -30, 90, 60, rule.states());
        let mut oracle = NaiveWorld::new(rule.clone());
        let mut tiles: Vec<Box<dyn World>> = Vec::new();
        if let Ok(world) = Tiles::new(rule.clone()) {
            tiles.push(Box::new(world));
        }
        tiles.push(open_hashlife(rule.clone(), 1 << 30).unwrap());
        oracle.load(&cells).unwrap();
        for world in &mut tiles {
            world.load(&cells).unwrap();
        }
        for _ in 0..60 {
            let scale = chance.below(9) as u32;
            let mut place = || {
                let far = 100 >> scale.min(6);
                BigInt::from(chance.below(2 * far + 1)) - far
            };
            let (column, row) = (place(), place());
            let view = View {
                column,
                row,
                width: chance.between(1, 60) as u32,
                height: chance.between(1, 60) as u32,
                scale,
            };
            let expected = counted(&oracle, &view);
            assert_eq!(pixels(&oracle, &view), expected, "naive: {view:?}");
            for world in &tiles {
                let name = world.engine();
                assert_eq!(pixels(&**world, &view), expected, "{name}: {view:?}");
            }
        }
    }
}

/// Cell by cell, by the definition of [`View`].
fn counted(world: &dyn World, view: &View) -> Vec<(u32, u32, u64)> {
    let mut counts = std::collections::BTreeMap::new();
    world.cells().for_each_run(&mut |run| {
        for x in run.x..run.x + run.length as i64 {
            let column = (BigInt::from(x) >> view.scale) - &view.column;
            let row = (BigInt::from(run.y - 1) >> view.scale) - &view.row;
            if let (Ok(column), Ok(row)) = (u32::try_from(column), u32::try_from(row))
                && column < view.width
                && row < view.height
            {
                *counts.entry((row, column)).or_insert(0) += 1;
            }
        }
    });
    let pixels = counts.into_iter();
    pixels.map(|((row, column), n)| (row, column, n)).collect()
}

/// The far end of a gun's stream is seen where it must be, beyond what 64 bits can tell.
#[test]
fn a_view_of_a_world_of_any_size() {
    let mut world = life(&gun(), 1 << 30);
    let n = BigUint::from(10_u32).pow(40) * 30_u32;
    world.advance(&n, &mut |_| true).unwrap();
    let bounds = world.bounds().unwrap();
    let view = View::fitting(&bounds, 300, 200);
    assert!(view.scale > 100);
    let seen = pixels(&*world, &view);
    // One diagonal, without a gap.
    assert!(seen.len() >= 100);
    for pair in seen.windows(2) {
        let (row, column) = (pair[1].0 - pair[0].0, pair[1].1 as i32 - pair[0].1 as i32);
        assert!(row <= 1 && (0..=1).contains(&column), "{pair:?}");
    }
    let mut all = 0.0;
    world.density(&view, &mut |_, _, live| all += live);
    let population: f64 = world.population().to_string().parse().unwrap();
    assert!((all / population - 1.0).abs() < 1e-9);
    // Its last glider, cell by cell.
    let last = View::over(
        &(&bounds.x + BigInt::from(bounds.width.clone()) - 3),
        &(&bounds.y + BigInt::from(bounds.height.clone()) - 3),
        3,
        3,
        0,
    );
    assert_eq!(pixels(&*world, &last).len(), 5);
    let far = View {
        scale: 10_000,
        column: (-1).into(),
        row: (-1).into(),
        width: 2,
        height: 2,
    };
    assert!(pixels(&*world, &far).len() <= 4);
}

/// Several threads over the same tables find the same world, wherever they run out of room
/// and whenever they are told to stop.
#[test]
fn threads_change_nothing() {
    const FAR: u32 = 2500;
    for text in ["B3/S23", "345/2/4", "B3/S23:T640,512", "B03/S23"] {
        let rule: Rule = text.parse().unwrap();
        // of some other seeds the world itself outgrows the least memory
        let mut chance = EngineTestRng::new(30);
        let cells = chance.soup(-100, -90, 200, 180, rule.states());
        let pattern = Pattern {
            cells,
            ..Pattern::default()
        };
        let world = |threads: usize, memory: u64| {
            let options = Options {
                memory,
                threads,
                ..Options::default()
            };
            let opened = open(EngineChoice::Hashlife, &rule, &pattern, None, &options);
            opened.unwrap().world
        };
        let mut one = world(1, 1 << 30);
        one.advance(&FAR.into(), &mut |_| true).unwrap();
        let mut stops = 0;
        for (threads, memory) in [(2, 1 << 30), (3, 1 << 20), (7, 1 << 22)] {
            let mut more = world(threads, memory);
            more.advance(&FAR.into(), &mut |_| true).unwrap();
            let what = format!("{text}: {threads} threads in {memory} bytes");
            assert_eq!(more.hash(), one.hash(), "{what}");
            assert_eq!(more.population(), one.population(), "{what}");
            let mut stopped = world(threads, memory);
            while stopped.generation() < one.generation() {
                let left = BigUint::from(FAR) - stopped.generation().to_biguint().unwrap();
                let patience = 2 + chance.below(5);
                let mut asked = 0;
                let outcome = stopped.advance(&left, &mut |_| {
                    asked += 1;
                    asked < patience
                });
                stops += usize::from(outcome == Err(AdvanceInterruption));
            }
            assert_eq!(stopped.hash(), one.hash(), "{what}, stopped");
        }
        assert!(stops > 2, "{text}: stopped {stops} times");
    }
}

/// Who waits for a run can see whether it has too little memory, by any engine.
#[test]
fn collections_are_counted_where_memory_is_full() {
    let rule: Rule = "B3/S23".parse().unwrap();
    let cells = EngineTestRng::new(8).soup(-100, -90, 200, 180, 2);
    let pattern = Pattern {
        cells,
        ..Pattern::default()
    };
    for (choice, memory, is_full) in [
        (EngineChoice::Hashlife, 1 << 30, false),
        (EngineChoice::Hashlife, 1 << 20, true),
        (EngineChoice::Tiles, 1 << 20, false),
    ] {
        let options = Options {
            memory,
            ..Options::default()
        };
        let mut world = open(choice, &rule, &pattern, None, &options).unwrap().world;
        world.advance(&1500_u32.into(), &mut |_| true).unwrap();
        assert_eq!(options.collections.count() > 0, is_full, "{choice:?}");
    }
}

/// Whatever the steps are that lead there, the world is the same: tags of results tell steps
/// apart, and more kinds of steps come by than there are tags.
#[test]
fn steps_of_every_size_lead_to_the_same_world() {
    const FAR: u64 = 100_000;
    let cells = library::find("acorn").unwrap().pattern().cells;
    let whole = |memory: u64, steps: &mut dyn FnMut() -> u64| {
        let mut world = life(&cells, memory);
        let mut left = FAR;
        while left > 0 {
            let step = steps().clamp(1, left);
            world.advance(&step.into(), &mut |_| true).unwrap();
            left -= step;
        }
        (world.hash(), world.population())
    };
    let expected = whole(1 << 30, &mut || FAR);
    for step in [7, 64, 999, 1000, 1024, 10_000, 65_536] {
        assert_eq!(whole(1 << 30, &mut || step), expected, "{step}");
    }
    let mut odd = 0;
    let mut steps = || {
        odd += 1;
        [1, 2, 3, 7, 1 << (odd % 14), 10_u64.pow(odd % 5)][odd as usize % 6]
    };
    assert_eq!(whole(1 << 30, &mut steps), expected);
    let mut chance = EngineTestRng::new(9);
    let mut steps = || chance.below(3000);
    assert_eq!(whole(1 << 30, &mut steps), expected);
    assert_eq!(whole(1 << 19, &mut steps), expected);
}

/// Stopped at any moment and asked to go on, a world comes to where it would have come.
#[test]
fn a_world_that_is_stopped_again_and_again_goes_on_to_the_same_end() {
    let far = BigUint::from(1_u32 << 16);
    let cells = library::find("acorn").unwrap().pattern().cells;
    let mut whole = life(&cells, 1 << 30);
    whole.advance(&far, &mut |_| true).unwrap();
    for memory in [1 << 19, 1 << 30] {
        let mut world = life(&cells, memory);
        let mut stops = 0;
        while world.generation() < &BigInt::from(far.clone()) {
            let left = &far - world.generation().to_biguint().unwrap();
            let mut looks = 0;
            let outcome = world.advance(&left, &mut |_| {
                looks += 1;
                looks <= 1 + stops % 5
            });
            stops += u32::from(outcome.is_err());
            // What is seen in between is a world too.
            let _ = world.population();
        }
        assert_eq!(world.hash(), whole.hash(), "{memory}");
    }
}

/// Who never waits for long gets there too, however odd the step. What is found out of
/// this one in a run would drive out what was found out before, were it not for the powers
/// of two that it goes on in.
#[test]
fn an_odd_step_in_many_short_runs_comes_to_its_end() {
    const FAR: u32 = 3001;
    let serviettes = || {
        let mut world = open_hashlife("B234/S".parse().unwrap(), 1 << 30).unwrap();
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            world.set(Point::new(x, y), 1).unwrap();
        }
        world
    };
    let mut whole = serviettes();
    whole.advance(&FAR.into(), &mut |_| true).unwrap();
    let mut world = serviettes();
    let mut runs = 0;
    while world.generation() < &BigInt::from(FAR) {
        let left = BigUint::from(FAR) - world.generation().to_biguint().unwrap();
        let mut looks = 0;
        let _ = world.advance(&left, &mut |_| {
            looks += 1;
            looks < 2
        });
        runs += 1;
        assert!(runs < 2000, "at {} of {FAR}", world.generation());
    }
    assert!(runs > 200, "stopped {runs} times");
    assert_eq!(world.hash(), whole.hash());
}
