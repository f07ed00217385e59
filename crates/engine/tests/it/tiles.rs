//! `tiles` against a plain stepper over [`Rule::next`] that knows nothing of tiles.

use dice::Dice;
use engine::{NaiveWorld, Tiles, World, open_hashlife};
use grid::{CellHash, Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::{Cells, Run};
use rule::{Rule, Site};
use std::collections::BTreeMap;

/// Live cells, and how a rule moves them on, cell by cell.
#[derive(Clone, Debug, Default, PartialEq)]
struct ReferencePlane(BTreeMap<Point, State>);

impl ReferencePlane {
    fn step(&mut self, rule: &Rule, generation: u64) {
        let Some(rect) = self.rect() else { return };
        let r = i64::from(rule.radius());
        let (width, height) = (rect.width as i64, rect.height as i64);
        // A dense copy with room for what can be born, and for what is seen from there.
        let stride = width + 4 * r;
        let mut dense = vec![0; (stride * (height + 4 * r)) as usize];
        let (left, top) = (rect.x - 2 * r, rect.y - 2 * r);
        let at = |x: i64, y: i64| ((y - top) * stride + x - left) as usize;
        for (p, s) in &self.0 {
            dense[at(p.x, p.y)] = *s;
        }
        self.0.clear();
        for y in rect.y - r..rect.y + height + r {
            for x in rect.x - r..rect.x + width + r {
                let look = |dx: i32, dy: i32| dense[at(x + i64::from(dx), y + i64::from(dy))];
                let next = rule.next(Site { generation, x, y }, look);
                if next != 0 {
                    self.0.insert(Point::new(x, y), next);
                }
            }
        }
    }

    fn rect(&self) -> Option<Rect> {
        let one = |p: &Point| Rect::new(p.x, p.y, 1, 1);
        self.0.keys().map(one).reduce(|a, b| a.union(&b))
    }

    fn hash(&self) -> CellHash {
        let Some(rect) = self.rect() else {
            return CellHash::EMPTY;
        };
        let cell = |(p, s): (&Point, &State)| CellHash::cell(p.x, p.y, *s);
        let sum = self.0.iter().map(cell).fold(CellHash::EMPTY, |a, b| a + b);
        sum.relative_to(rect.x, rect.y)
    }

    fn runs(&self) -> Vec<Run> {
        let run = |(p, s): (&Point, &State)| Run {
            y: p.y,
            x: p.x,
            length: 1,
            state: *s,
        };
        self.0.iter().map(run).collect()
    }
}

fn rule(text: &str) -> Rule {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn soup(draw: &mut Dice, states: u16, at: Point, width: u64, height: u64) -> ReferencePlane {
    let mut plain = ReferencePlane::default();
    for y in 0..height as i64 {
        for x in 0..width as i64 {
            if draw.below(100) < 45 {
                let state = 1 + draw.below(u32::from(states) - 1) as State;
                plain.0.insert(at.offset(x, y), state);
            }
        }
    }
    plain
}

fn assert_same(world: &Tiles, plain: &ReferencePlane, case: &str) {
    let mut found = BTreeMap::new();
    let mut last: Option<Run> = None;
    let everywhere = Rect::new(i64::MIN, i64::MIN, u64::MAX, u64::MAX);
    world.runs_in(everywhere, &mut |run| {
        if let Some(last) = last {
            let joined = last.y == run.y && last.x + last.length as i64 == run.x;
            assert!(last < run, "{case}: {run:?} after {last:?}");
            assert!(!joined || last.state != run.state, "{case}: {run:?} apart");
        }
        last = Some(run);
        for x in 0..run.length as i64 {
            found.insert(Point::new(run.x + x, run.y), run.state);
        }
    });
    if found != plain.0 {
        let missing = plain.0.iter().find(|(p, s)| found.get(p) != Some(s));
        let extra = found.iter().find(|(p, s)| plain.0.get(p) != Some(s));
        panic!("{case}: missing {missing:?}, extra {extra:?}");
    }
    assert_eq!(world.population(), BigUint::from(plain.0.len()), "{case}");
    let bounds = world.bounds().and_then(|b| b.to_rect());
    assert_eq!(bounds, plain.rect(), "{case}");
    assert_eq!(world.hash(), plain.hash(), "{case}");
}

fn advance(world: &mut Tiles, n: u64) {
    let done = world.advance(&n.into(), &mut |_| true);
    done.expect("nobody stops it");
}

/// Rules of every kind that a plane of tiles tells apart, and how wide a soup the plain
/// stepper can bear.
const RULES: &[(&str, u64)] = &[
    ("B3/S23", 129),
    ("B36/S23", 65),
    ("B2/S", 65),
    ("B1357/S1357", 65),
    ("B3678/S34678", 65),
    ("B0123478/S01234678", 65),
    ("B03/S23", 65),
    ("B08/S012", 30),
    ("B3/S23V", 65),
    ("B2/S34H", 65),
    ("B2-a/S12", 65),
    ("B02ek/S23-q", 30),
    ("W110", 40),
    ("345/2/4", 65),
    ("/2/3", 40),
    ("R5,C0,M1,S34..58,B34..45,NM", 65),
    ("R2,C0,M0,S6..11,B6..9,NN", 65),
    ("R7,C3,M1,S24..48,B26..40,NC", 30),
    ("R3,C0,M0,S2..9,B0..3,NM", 20),
    ("R2,C2,S4-9,B4-6,NL", 30),
    ("base", 30),
    ("colorised", 30),
    ("extended", 65),
    ("weighted", 129),
    ("2/2/8", 129),
    ("R5,C0,M1,S34..58,B34..45,NM|B3/S23", 40),
    ("B45/S34L", 65),
    ("M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", 65),
];

#[test]
fn soups_of_every_kind_of_rule() {
    let mut draw = Dice::new(1);
    for (text, most) in RULES {
        let rule = rule(text);
        for size in [1, 2, 30, 63, 64, 65, 127, 128, 129] {
            if size > *most {
                continue;
            }
            // Across the corner of four tiles, of either kind.
            let at = Point::new(
                draw.below(size as u32 + 9) as i64 - size as i64 - 4,
                draw.below(size as u32 + 9) as i64 - size as i64 - 4,
            );
            let mut plain = soup(&mut draw, rule.states(), at, size, size.min(65));
            let mut world = Tiles::new(rule.clone()).unwrap();
            world.load(&Cells::from_runs(plain.runs())).unwrap();
            assert_same(&world, &plain, &format!("{text}, {size} wide, as loaded"));
            let mut generation = 0;
            for _ in 0..5 {
                let n = u64::from(draw.below(if size > 65 { 4 } else { 6 }));
                advance(&mut world, n);
                for g in generation..generation + n {
                    plain.step(&rule, g);
                }
                generation += n;
                let case = format!("{text}, {size} wide at {at:?}, generation {generation}");
                assert_same(&world, &plain, &case);
                assert_eq!(*world.generation(), BigInt::from(generation));
            }
        }
    }
}

#[test]
fn cells_set_while_running() {
    let mut draw = Dice::new(2);
    for text in [
        "B3/S23",
        "B03/S23",
        "/2/3",
        "R2,C0,M0,S6..11,B6..9,NN",
        "B2/S34H",
    ] {
        let rule = rule(text);
        let mut plain = ReferencePlane::default();
        let mut world = Tiles::new(rule.clone()).unwrap();
        let mut generation = 0_u64;
        for turn in 0..120 {
            // Now and then it is left alone for long, so that something falls asleep.
            let n = if turn % 20 == 19 {
                90
            } else {
                draw.below(4).into()
            };
            if plain.rect().is_some_and(|r| r.width > 500) {
                plain.0.clear();
                world = Tiles::new(rule.clone()).unwrap();
                world.set_generation(generation.into());
            }
            for _ in 0..draw.below(12) {
                let p = Point::new(draw.below(20) as i64 - 10, draw.below(20) as i64 - 10);
                let state = draw.below(rule.states().into()) as State;
                world.set(p, state).unwrap();
                assert_eq!(world.get(p), state, "{text} at {generation}");
                plain.0.insert(p, state);
                plain.0.retain(|_, s| *s != 0);
            }
            assert_same(&world, &plain, &format!("{text}, set at {generation}"));
            advance(&mut world, n);
            for g in generation..generation + n {
                plain.step(&rule, g);
            }
            generation += n;
            assert_same(&world, &plain, &format!("{text}, generation {generation}"));
        }
    }
}

#[test]
fn time_may_be_set_to_another_parity() {
    let rule = rule("B03/S23");
    for n in 0..4 {
        let mut draw = Dice::new(3);
        let mut plain = soup(&mut draw, 2, Point::new(50, 55), 20, 12);
        let mut world = Tiles::new(rule.clone()).unwrap();
        world.load(&Cells::from_runs(plain.runs())).unwrap();
        let mut generation = 0;
        for to in [n, n + 1, 8, 11, 11, 3, 0] {
            for g in generation..generation + n {
                plain.step(&rule, g);
            }
            advance(&mut world, n);
            assert_same(&world, &plain, &format!("from {generation}, {n} on"));
            generation = to;
            world.set_generation(generation.into());
            assert_same(&world, &plain, &format!("at {generation}"));
        }
        world.set_generation((-7).into());
        advance(&mut world, 2);
        plain.step(&rule, 1);
        plain.step(&rule, 0);
        assert_same(&world, &plain, "from generation -7");
    }
}

fn drawn(rows: &[&str], at: Point) -> Cells {
    let mut runs = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, c) in row.bytes().enumerate() {
            if c == b'o' {
                let p = at.offset(x as i64, y as i64);
                runs.push(Run {
                    y: p.y,
                    x: p.x,
                    length: 1,
                    state: 1,
                });
            }
        }
    }
    Cells::from_runs(runs)
}

fn life(cells: &Cells) -> Tiles {
    let rule = "B3/S23".parse().expect("Life is a rule");
    let mut world = Tiles::new(rule).expect("Life has no edges");
    world.load(cells).expect("the cells are near");
    world
}

#[test]
fn methuselahs_settle_as_they_are_known_to() {
    for (name, rows, generations, population) in [
        ("r-pentomino", &[".oo", "oo.", ".o."][..], 1103, 116),
        ("acorn", &[".o.....", "...o...", "oo..ooo"], 5206, 633),
        ("diehard", &["......o.", "oo......", ".o...ooo"], 130, 0),
    ] {
        for at in [
            Point::new(0, 0),
            Point::new(-1_000_003, 59),
            Point::new(1 << 40, -(1 << 50)),
        ] {
            let mut world = life(&drawn(rows, at));
            advance(&mut world, generations);
            assert_eq!(
                world.population(),
                BigUint::from(population as u32),
                "{name}"
            );
            let mut in_parts = life(&drawn(rows, at));
            for part in [1, 1, 3, generations - 5] {
                advance(&mut in_parts, part);
            }
            assert_eq!(world.hash(), in_parts.hash(), "{name}");
            assert_eq!(world.bounds(), in_parts.bounds(), "{name}");
        }
    }
}

#[test]
fn a_glider_goes_far_in_every_direction() {
    for (dx, dy) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
        let glider = [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)];
        let run = |(x, y): (i64, i64)| Run {
            y: y * dy,
            x: x * dx,
            length: 1,
            state: 1,
        };
        let mut world = life(&Cells::from_runs(glider.map(run).to_vec()));
        let hash = world.hash();
        advance(&mut world, 40_000);
        assert_eq!(world.hash(), hash);
        for (x, y) in glider {
            assert_eq!(
                world.get(Point::new((x + 10_000) * dx, (y + 10_000) * dy)),
                1
            );
        }
        assert_eq!(world.population(), BigUint::from(5_u32));
    }
}

#[test]
fn what_has_settled_costs_no_time_however_long() {
    let mut world = life(&drawn(&["ooo"], Point::new(58, 59)));
    let n = (BigUint::from(1_u32) << 300) + 1_u32;
    world.advance(&n, &mut |_| true).unwrap();
    assert_eq!(*world.generation(), BigInt::from(n));
    let bounds = world.bounds().and_then(|b| b.to_rect());
    assert_eq!(bounds, Some(Rect::new(59, 58, 1, 3)));
    advance(&mut world, 1);
    let bounds = world.bounds().and_then(|b| b.to_rect());
    assert_eq!(bounds, Some(Rect::new(58, 59, 3, 1)));
}

#[test]
fn runs_are_cut_to_the_rectangle() {
    let mut draw = Dice::new(4);
    for text in ["B3/S23", "/2/3"] {
        let rule = rule(text);
        let plain = soup(&mut draw, rule.states(), Point::new(-70, -70), 140, 140);
        let mut world = Tiles::new(rule).unwrap();
        world.load(&Cells::from_runs(plain.runs())).unwrap();
        for _ in 0..200 {
            let mut side = || (i64::from(draw.below(160)) - 80, u64::from(draw.below(140)));
            let ((x, width), (y, height)) = (side(), side());
            let rect = Rect::new(x, y, width, height);
            let mut found = ReferencePlane::default();
            world.runs_in(rect, &mut |run| {
                for x in 0..run.length as i64 {
                    found.0.insert(Point::new(run.x + x, run.y), run.state);
                }
            });
            let mut expected = plain.clone();
            expected.0.retain(|p, _| rect.contains(*p));
            assert_eq!(found, expected, "{text}, {rect:?}");
        }
    }
}

#[test]
fn stopping_leaves_a_whole_generation() {
    let rows = [".o.....", "...o...", "oo..ooo"];
    let mut world = life(&drawn(&rows, Point::new(0, 0)));
    // A gun's worth of work: enough to be asked more than once.
    let mut cells = Vec::new();
    for i in 0..400 {
        drawn(&rows, Point::new(i % 20 * 500, i / 20 * 500)).for_each_run(&mut |r| cells.push(r));
    }
    world.load(&Cells::from_runs(cells)).unwrap();
    let before = world.clone();
    let mut asked = 0;
    let mut told = BigUint::default();
    let result = world.advance(&5206_u32.into(), &mut |done| {
        asked += 1;
        assert!(*done > told);
        told = done.clone();
        asked < 3
    });
    assert!(result.is_err());
    assert_eq!(*world.generation(), BigInt::from(told.clone()));
    let mut again = before;
    again.advance(&told, &mut |_| true).unwrap();
    assert_eq!(again.hash(), world.hash());
}

/// A world that is ready at once, and one that has its circuit from the start: before the one
/// makes its own, while it does, and after that.
#[test]
fn circuits_come_when_there_is_enough_to_do() {
    let mut draw = Dice::new(31);
    for text in [
        "345/2/4",
        "WireWorld",
        "/2/3:T240,180",
        "LifeHistory",
        "B3/S23Super",
        "R2,C3,M0,S2..3,B3..3,NM",
    ] {
        let rule = rule(text);
        let at = Point::new(-20, -30);
        let soup = Cells::from_runs(soup(&mut draw, rule.states(), at, 110, 70).runs());
        let (mut soon, mut once) = (
            Tiles::with_deferred_circuit(rule.clone()).unwrap(),
            Tiles::new(rule).unwrap(),
        );
        for world in [&mut soon, &mut once] {
            world.load(&soup).unwrap();
        }
        assert_eq!(soon.kernel(), once.kernel(), "{text}");
        for n in [1, 2, 30, 61, 50, 100] {
            advance(&mut soon, n);
            advance(&mut once, n);
            assert_eq!(soon.generation(), once.generation());
            assert_eq!(
                soon.cells(),
                once.cells(),
                "{text} at {}",
                once.generation()
            );
            let p = at.offset(draw.below(110) as i64, draw.below(70) as i64);
            let state = draw.below(3) as State;
            soon.set(p, state).unwrap();
            once.set(p, state).unwrap();
        }
    }
    // what has no room as a table has it as planes of bits
    let mut soon = Tiles::with_deferred_circuit(rule("/2/3"))
        .unwrap()
        .with_memory_limit(1 << 21);
    let runs = soup(&mut draw, 3, Point::new(0, 0), 60, 60).runs();
    soon.load(&Cells::from_runs(runs)).unwrap();
    advance(&mut soon, 200);
    assert_eq!(*soon.generation(), 200.into());
}

#[test]
fn what_cannot_be_held_is_refused() {
    let mut world = life(&Cells::default());
    let far = Point::new(0, (1 << 62) + 1);
    for (p, state, part) in [(Point::new(0, 0), 2, "state 2"), (far, 1, "2^62")] {
        let error = world.set(p, state).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let run = |y, length| Run {
        y,
        x: -5,
        length,
        state: 1,
    };
    for run in [run(i64::MIN, 1), run(0, u64::MAX), run(0, 1 << 50)] {
        assert!(world.load(&Cells::from_runs(vec![run])).is_err(), "{run:?}");
    }
    assert_eq!(world.bounds(), None);
    // a quadtree reaches further than runs can be listed
    let mut hashed = open_hashlife(rule("B3/S23"), 1 << 26).unwrap();
    hashed.load(&Cells::from_runs(vec![run(0, 3)])).unwrap();
    let glider = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)].map(|(y, x)| Point::new(x, y));
    for p in glider {
        hashed.set(p, 1).unwrap();
    }
    hashed
        .advance(&BigUint::from(10_u8).pow(30), &mut |_| true)
        .unwrap();
    for text in ["B3/S23", "B3/S23:T0,30"] {
        for mut other in [
            Box::new(Tiles::new(rule(text)).unwrap()) as Box<dyn World>,
            Box::new(NaiveWorld::new(rule(text))),
        ] {
            let error = other.restore(&hashed.snapshot()).unwrap_err().to_string();
            assert!(error.contains("from the origin"), "{error}");
        }
    }
    for text in ["B3/S23:T20,30", "345/2/4:T0,30", "R2,C2,S2-4,B3,NM:P9,0"] {
        let rule = rule(text);
        let mut world = Tiles::new(rule).unwrap();
        let error = world.set(Point::new(15, 15), 1).unwrap_err().to_string();
        assert!(error.contains("outside the grid"), "{text}: {error}");
    }
}

#[test]
fn a_pattern_that_does_not_fit_is_refused_before_it_is_held() {
    let line = |length: u64| {
        pattern::Cells::from_runs(vec![pattern::Run {
            y: 0,
            x: -7,
            length,
            state: 1,
        }])
    };
    for rule in ["B3/S23", "R2,C2,S2-4,B3,NM", "345/2/4"] {
        let rule: Rule = rule.parse().unwrap();
        let world = || Tiles::new(rule.clone()).unwrap().with_memory_limit(1 << 20);
        world().load(&line(1000)).unwrap();
        for length in [1 << 20, 1 << 40, 1 << 61] {
            let refusal = world().load(&line(length)).unwrap_err().to_string();
            assert!(refusal.contains("would not fit 1 MiB"), "{refusal}");
        }
    }
}

#[test]
fn auto_hashes_what_does_not_fit_tiles() {
    let pattern = pattern::read(b"x = 1, y = 1\n99999999999o!").unwrap().0;
    let life: Rule = "B3/S23".parse().unwrap();
    let options = engine::Options::default();
    let opened = engine::open(engine::EngineChoice::Auto, &life, &pattern, None, &options).unwrap();
    assert_eq!(opened.world.engine(), "hashlife");
    assert!(
        opened.engine_reason.starts_with("tiles does not take"),
        "{}",
        opened.engine_reason
    );
}

/// A gun in too little room: the run ends at a whole generation, with every cell there.
#[test]
fn what_outgrows_its_room_stops_and_loses_nothing() {
    const GUN: &str = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4b\
obo$10bo5bo7bo$11bo3bo$12b2o!";
    let (gun, _) = pattern::read(GUN.as_bytes()).unwrap();
    for (rule, room) in [("B3/S23", 20_000), ("B3/S23:T0,3000", 200_000)] {
        let world = |room: u64| {
            let mut world = Tiles::new(rule.parse().unwrap())
                .unwrap()
                .with_memory_limit(room);
            world.load(&gun.cells).unwrap();
            world
        };
        let (mut tight, mut roomy) = (world(room), world(1 << 30));
        let n = BigUint::from(100_000u32);
        assert!(tight.advance(&n, &mut |_| true).is_err());
        let full = tight.memory_limit_error().unwrap();
        assert_eq!((full.engine, full.limit), ("tiles", room));
        let done = tight.generation().to_biguint().unwrap();
        assert!(done > 100u32.into() && done < n, "{done}");
        roomy.advance(&done, &mut |_| true).unwrap();
        assert_eq!(roomy.memory_limit_error(), None);
        assert_eq!(tight.cells(), roomy.cells());
        // One generation at a time ends in the same place.
        let mut slow = world(room);
        let one = BigUint::from(1u32);
        while slow.advance(&one, &mut |_| true).is_ok() {}
        assert_eq!(slow.memory_limit_error(), Some(full));
        assert_eq!(slow.generation(), tight.generation());
        assert_eq!(slow.cells(), tight.cells());
        // With what is too much erased, it goes on.
        let first = Rect::new(0, 0, 40, 10);
        tight.keep_only(first);
        roomy.keep_only(first);
        for world in [&mut tight, &mut roomy] {
            world.advance(&64u32.into(), &mut |_| true).unwrap();
        }
        assert_eq!(tight.memory_limit_error(), None);
        assert_eq!(tight.cells(), roomy.cells());
    }
}
