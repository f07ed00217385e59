//! What is read of worlds in rectangles and views, emptied by region and put back from
//! snapshots: every engine as `naive`, which has nothing but the plain ways.

use crate::agreement::{AgreementCase, difference, numbers};
use crate::chance::EngineTestRng;
use engine::{EngineChoice, NaiveWorld, Snapshot, Tiles, Torus, View, World};
use grid::{Point, Rect};
use num_bigint::{BigInt, BigUint};
use pattern::{Cells, Run};
use rule::Rule;

/// A rectangle that lies somewhere over the cells, sides around the word and tile edges.
fn some_rect(chance: &mut EngineTestRng, world: &dyn World) -> Rect {
    let all = world.bounds().and_then(|b| b.to_rect());
    let all = all.unwrap_or(Rect::new(-3, -3, 7, 7));
    let sides = [1, 2, 7, 8, 9, 60, 63, 64, 65, 127, 128, 129, 200];
    let mut side = || sides[chance.below(sides.len() as u64) as usize];
    let (width, height) = (side(), side());
    let mut place = |from: i64, size: u64, own: u64| {
        from + chance.below(size + own + 3) as i64 - own as i64 - 1
    };
    let x = place(all.x, all.width, width);
    Rect::new(x, place(all.y, all.height, height), width, height)
}

/// A view that has a rectangle's corner somewhere in it.
fn some_view(chance: &mut EngineTestRng, rect: Rect) -> View {
    let scale = chance.below(11) as u32;
    let scale = if scale == 10 { 70 } else { scale };
    let (width, height) = (chance.between(1, 90) as u32, chance.between(1, 60) as u32);
    let view = View::over(&rect.x.into(), &rect.y.into(), width, height, scale);
    View {
        column: view.column - chance.below(u64::from(width)),
        row: view.row - chance.below(u64::from(height)),
        ..view
    }
}

fn pixels(world: &dyn World, view: &View) -> Vec<(u32, u32, f64)> {
    let mut all = Vec::new();
    world.density(view, &mut |x, y, live| all.push((y, x, live)));
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all
}

fn rows(world: &dyn World, view: &View) -> Vec<(u32, u32, f64)> {
    let mut all = Vec::new();
    world.density_rows(view, &mut |y, row| {
        assert_eq!(row.len(), view.width as usize);
        for (x, &live) in row.iter().enumerate() {
            if live > 0.0 {
                all.push((y, x as u32, live.into()));
            }
        }
    });
    all
}

/// In what a world shows something else than the oracle.
fn shown_otherwise(
    world: &dyn World,
    oracle: &dyn World,
    chance: &mut EngineTestRng,
) -> Option<String> {
    for _ in 0..6 {
        let rect = some_rect(chance, oracle);
        let (mut ours, mut theirs) = (vec![1, 2, 3], Vec::new());
        world.bits_in(rect, &mut ours);
        oracle.bits_in(rect, &mut theirs);
        if ours != theirs {
            return Some(format!("other bits in {rect:?}"));
        }
        world.states_in(rect, &mut ours);
        oracle.states_in(rect, &mut theirs);
        if ours != theirs {
            return Some(format!("other states in {rect:?}"));
        }
        let view = some_view(chance, rect);
        if pixels(world, &view) != pixels(oracle, &view) {
            return Some(format!("other pixels in {view:?}"));
        }
        if rows(world, &view) != pixels(oracle, &view) {
            return Some(format!("other rows of pixels in {view:?}"));
        }
    }
    None
}

/// The engines that take a case, the oracle among them.
fn engines(case: &AgreementCase) -> Vec<EngineChoice> {
    let mut all = case.taken();
    if !all.is_empty() {
        all.push(EngineChoice::Naive);
    }
    all
}

fn step(world: &mut dyn World, n: u64) {
    world.advance(&BigUint::from(n), &mut |_| true).unwrap();
}

/// Cases of both kinds by turns: there are an odd number of kinds of rules.
fn cases() -> impl Iterator<Item = (u64, AgreementCase)> {
    numbers().map(|n| match n % 2 {
        0 => (n, AgreementCase::on_the_plane(n)),
        _ => (n, AgreementCase::on_a_grid(n)),
    })
}

#[test]
fn worlds_show_the_same() {
    for (number, case) in cases() {
        let Some(mut oracle) = case.world(EngineChoice::Naive) else {
            continue;
        };
        let mut worlds: Vec<_> = case
            .taken()
            .into_iter()
            .map(|e| case.world(e).unwrap())
            .collect();
        for n in [0].iter().chain(&case.steps) {
            step(&mut *oracle, *n);
            for world in &mut worlds {
                step(&mut **world, *n);
                let mut chance = EngineTestRng::new(number);
                let what = shown_otherwise(&**world, &*oracle, &mut chance);
                assert_eq!(what, None, "{}, {case}", world.engine());
            }
        }
    }
}

#[test]
fn worlds_are_emptied_alike() {
    for (number, case) in cases() {
        for engine in case.taken() {
            let mut oracle = case.world(EngineChoice::Naive).unwrap();
            let mut world = case.world(engine).unwrap();
            let mut chance = EngineTestRng::new(number);
            for (round, n) in case.steps.iter().enumerate() {
                let rect = some_rect(&mut chance, &*oracle);
                if round == 1 {
                    world.keep_only(rect);
                    oracle.keep_only(rect);
                } else {
                    world.erase(rect);
                    oracle.erase(rect);
                }
                let what = difference(&*world, &*oracle);
                assert_eq!(what, None, "{engine}, {rect:?}, {case}");
                step(&mut *world, *n);
                step(&mut *oracle, *n);
                let what = difference(&*world, &*oracle);
                assert_eq!(what, None, "{engine}, {rect:?} and on, {case}");
            }
            world.keep_only(Rect::default());
            assert_eq!(world.population(), BigUint::ZERO, "{engine}, {case}");
        }
    }
}

#[test]
fn snapshots_go_back_and_from_engine_to_engine() {
    // A third of them: each kind of rule still comes once.
    for (_, case) in cases().step_by(3) {
        let engines = engines(&case);
        let open = |&engine: &EngineChoice| (engine, case.world(engine).unwrap());
        let mut others: Vec<_> = engines.iter().map(open).collect();
        for &from in &engines {
            let mut world = case.world(from).unwrap();
            let mut taken: Vec<(Snapshot, Cells)> = Vec::new();
            for n in [0].iter().chain(&case.steps) {
                step(&mut *world, *n);
                let snapshot = world.snapshot();
                assert_eq!(snapshot.generation(), world.generation());
                assert_eq!(snapshot.cells(), world.cells(), "{from}, {case}");
                taken.push((snapshot, world.cells()));
            }
            for (to, other) in &mut others {
                for (snapshot, cells) in taken.iter().rev() {
                    other.restore(snapshot).unwrap();
                    assert_eq!(other.generation(), snapshot.generation());
                    assert_eq!(other.cells(), *cells, "{from} to {to}, {case}");
                }
                // It is a world like any other: it runs, and comes to the same.
                for (n, (_, cells)) in case.steps.iter().zip(&taken[1..]) {
                    step(&mut **other, *n);
                    assert_eq!(other.cells(), *cells, "{from} to {to} and on, {case}");
                }
            }
        }
    }
}

fn life(shape: &str) -> Rule {
    format!("B3/S23{shape}").parse().unwrap()
}

#[test]
fn what_a_grid_cannot_hold_is_dropped_or_refused() {
    let far = Run {
        y: 0,
        x: 30,
        length: 40,
        state: 1,
    };
    let snapshot = Snapshot::from_cells(7.into(), Cells::from_runs(vec![far]));
    let mut world = Torus::new(life(":T100,10")).unwrap();
    world.restore(&snapshot).unwrap();
    assert_eq!(world.population(), 20u32.into());
    assert_eq!(*world.generation(), 7.into());
    // One of other states leaves the world as it is.
    let mut wires = Tiles::new("WireWorld".parse().unwrap()).unwrap();
    wires.set(Point::new(0, 0), 3).unwrap();
    assert!(world.restore(&wires.snapshot()).is_err());
    assert_eq!(world.population(), 20u32.into());
}

/// Regions of 10^9 cells a side cost what lives in them.
#[test]
fn wide_regions_are_emptied_quickly() {
    const FAR: i64 = 500_000_000;
    let rule = life("");
    let far = Rect::new(-FAR, -FAR, 2 * FAR as u64, 2 * FAR as u64);
    for engine in [EngineChoice::Tiles, EngineChoice::Hashlife] {
        let pattern = pattern::Pattern {
            cells: block_at_corners(FAR),
            position: Some(Point::new(-FAR, -FAR)),
            ..pattern::Pattern::default()
        };
        let options = engine::Options::default();
        let mut world = engine::open(engine, &rule, &pattern, None, &options)
            .unwrap()
            .world;
        let all = world.snapshot();
        assert_eq!(world.population(), 20u32.into());
        // Three of the five lie inside; the last row and column do not.
        world.erase(far);
        assert_eq!(world.population(), 4u32.into(), "{engine}");
        world.restore(&all).unwrap();
        assert_eq!(world.population(), 20u32.into());
        world.keep_only(Rect::new(-10, -10, 20, 20));
        assert_eq!(
            world.bounds(),
            Some(Rect::new(0, 0, 2, 2).into()),
            "{engine}"
        );
        let view = View::over(&(-FAR).into(), &(-FAR).into(), 40, 30, 26);
        assert_eq!(pixels(&*world, &view).len(), 2, "{engine}");
    }
}

/// Blocks in the middle, inside three corners and just outside the fourth.
fn block_at_corners(far: i64) -> Cells {
    let corners = [
        (-far, -far),
        (far - 2, -far),
        (-far, far - 2),
        (far, far),
        (0, 0),
    ];
    let rows = corners.into_iter().flat_map(|(x, y)| [(x, y), (x, y + 1)]);
    let run = |(x, y)| Run {
        y,
        x,
        length: 2,
        state: 1,
    };
    Cells::from_runs(rows.map(run).collect())
}

/// A hashed world reaches further than any rectangle, and is emptied there too.
#[test]
fn what_lies_beyond_all_coordinates_is_emptied() {
    let mut world = engine::open_hashlife(life(""), 1 << 28).unwrap();
    let (glider, _) = pattern::read(b"bob$2bo$3o!").unwrap();
    world.load(&glider.cells).unwrap();
    let n = BigUint::from(1u32) << 80;
    world.advance(&n, &mut |_| true).unwrap();
    world.set(Point::new(5, 5), 1).unwrap();
    world.erase(Rect::new(-9, -9, 30, 30));
    assert_eq!(world.population(), 5u32.into());
    let there = world.snapshot();
    world.keep_only(Rect::new(-9, -9, 30, 30));
    assert_eq!(world.population(), BigUint::ZERO);
    world.restore(&there).unwrap();
    assert_eq!(world.population(), 5u32.into());
    assert!(world.bounds().unwrap().x > BigInt::from(1) << 77);
}

#[test]
fn a_snapshot_is_about_as_small_as_its_cells() {
    let mut torus = Torus::new(life(":T1024,512")).unwrap();
    torus
        .load(&EngineTestRng::new(3).soup(-512, -256, 1024, 512, 2))
        .unwrap();
    let bytes = torus.snapshot().bytes();
    assert!((65_536..66_000).contains(&bytes), "{bytes}");
    let mut tiles = Tiles::new(life("")).unwrap();
    tiles.set(Point::new(0, 0), 1).unwrap();
    tiles.set(Point::new(1_000_000_000, 0), 1).unwrap();
    let bytes = tiles.snapshot().bytes();
    assert!(bytes < 1100, "{bytes}");
    let mut naive = NaiveWorld::new(life(""));
    naive.restore(&tiles.snapshot()).unwrap();
    assert_eq!(naive.cells(), tiles.cells());
}
