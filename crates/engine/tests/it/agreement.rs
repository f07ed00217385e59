//! All engines that take a rule agree with `naive`.

use crate::chance::{Chance, FAMILIES, SIZES};
use engine::{Choice, Naive, Options, World, open};
use num_bigint::BigUint;
use pattern::Pattern;
use rule::Rule;

/// How many random cases each test runs a family; `GRIDPAPER_CASES` asks for more.
fn cases() -> u64 {
    let asked = std::env::var("GRIDPAPER_CASES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(6)
}

/// Worlds of all engines but `naive` that take the rule, with the pattern in them.
fn worlds(rule: &Rule, pattern: &Pattern) -> Vec<Box<dyn World>> {
    let engines = [Choice::Torus, Choice::Tiles, Choice::Hashlife];
    let opened = engines.map(|engine| open(engine, rule, pattern, None, &Options::default()));
    opened.into_iter().flatten().map(|o| o.world).collect()
}

/// Everything that two worlds can be asked must be answered alike.
#[track_caller]
fn agree(world: &dyn World, oracle: &dyn World, about: &str) {
    let engine = world.engine();
    assert_eq!(world.generation(), oracle.generation(), "{engine}: {about}");
    assert_eq!(world.population(), oracle.population(), "{engine}: {about}");
    assert_eq!(world.bounds(), oracle.bounds(), "{engine}: {about}");
    assert_eq!(world.hash(), oracle.hash(), "{engine}: {about}");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    if let Some(all) = oracle.bounds().and_then(|b| b.to_rect()) {
        world.runs_in(all, &mut |run| ours.push(run));
        oracle.runs_in(all, &mut |run| theirs.push(run));
    }
    assert!(ours == theirs, "{engine}: other runs: {about}");
}

fn run(rule: &Rule, pattern: &Pattern, steps: &[u64], about: &str) -> usize {
    let mut oracle = open(Choice::Naive, rule, pattern, None, &Options::default())
        .unwrap()
        .world;
    let mut others = worlds(rule, pattern);
    for &n in steps {
        let n = BigUint::from(n);
        oracle.advance(&n, &mut |_| true).unwrap();
        for world in &mut others {
            world.advance(&n, &mut |_| true).unwrap();
            agree(&**world, &*oracle, about);
        }
    }
    others.len()
}

#[test]
fn on_the_unbounded_plane() {
    for family in 0..FAMILIES {
        let mut taken = 0;
        for case in 0..cases() {
            let mut chance = Chance(family * 1000 + case);
            let text = chance.rule(family);
            let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            let most = if rule.radius() > 2 { 2 } else { SIZES.len() };
            let size = |chance: &mut Chance| SIZES[chance.below(most as u64) as usize];
            let (mut width, mut height) = (size(&mut chance), size(&mut chance));
            if rule.radius() > 2 {
                (width, height) = (width * 9, height * 7);
            }
            let (x, y) = (chance.between(0, 200), chance.between(0, 200));
            let (x, y) = (x as i64 - 130, y as i64 - 130);
            let cells = chance.soup(x, y, width, height, rule.states());
            let pattern = Pattern {
                cells,
                generation: chance.below(2).into(),
                ..Pattern::default()
            };
            let steps = [1, 1, chance.between(2, 6)];
            let about = format!("family {family} case {case}: {rule}, {width}x{height} at {x},{y}");
            taken += run(&rule, &pattern, &steps, &about);
        }
        assert!(taken > 0, "no engine takes family {family}");
    }
}

#[test]
fn on_bounded_grids() {
    for family in 0..FAMILIES {
        let mut taken = 0;
        for case in 0..cases() {
            let mut chance = Chance(family * 1000 + case + 500);
            let size = |chance: &mut Chance| SIZES[chance.below(SIZES.len() as u64) as usize];
            let (w, h) = (size(&mut chance), size(&mut chance));
            let text = chance.rule(family);
            let plain: Rule = text.parse().unwrap();
            // Radius r asks for a grid at least 2r wide.
            let (w, h) = (
                w.max(2 * u64::from(plain.radius())),
                h.max(2 * u64::from(plain.radius())),
            );
            let topology = match chance.below(7) {
                0 => format!(":P{w},{h}"),
                1 | 2 => format!(":T{w},{h}"),
                3 => format!(":T{w}+{},{h}", chance.below(w)),
                4 => format!(":T{w},{h}-{}", chance.below(h)),
                _ if plain.radius() > 1 || plain.is_checkered() => format!(":T{w},{h}"),
                5 => match chance.below(3) {
                    0 => format!(":K{w}*,{h}"),
                    1 => format!(":K{w},{h}*"),
                    _ => format!(":C{w},{h}"),
                },
                _ => format!(":S{w}"),
            };
            let rule: Rule = format!("{text}{topology}")
                .parse()
                .unwrap_or_else(|e| panic!("{text}{topology}: {e}"));
            let grid = rule.topology().rect().unwrap();
            let cells = chance.soup(grid.x, grid.y, grid.width, grid.height, rule.states());
            let pattern = Pattern {
                cells,
                position: Some(grid::Point::new(grid.x, grid.y)),
                ..Pattern::default()
            };
            let about = format!("family {family} case {case}: {rule}");
            let steps = if rule.radius() > 2 { [1, 1] } else { [1, 3] };
            taken += run(&rule, &pattern, &steps, &about);
        }
        assert!(taken > 0, "no engine but naive takes family {family}");
    }
}

#[test]
fn when_a_world_is_drawn_on_between_steps() {
    let rule: Rule = "B3/S23".parse().unwrap();
    let mut chance = Chance(7);
    let pattern = Pattern {
        cells: chance.soup(-9, -9, 20, 20, 2),
        ..Pattern::default()
    };
    for mut world in worlds(&rule, &pattern) {
        let mut oracle = Naive::new(rule.clone());
        oracle.load(&pattern.cells).unwrap();
        let mut chance = Chance(8);
        for round in 0..40 {
            for _ in 0..10 {
                let place = |c: &mut Chance| c.between(0, 160) as i64 - 80;
                let p = grid::Point::new(place(&mut chance), place(&mut chance));
                let state = 1 - world.get(p);
                world.set(p, state).unwrap();
                oracle.set(p, state).unwrap();
            }
            let n = BigUint::from(chance.below(5));
            world.advance(&n, &mut |_| true).unwrap();
            oracle.advance(&n, &mut |_| true).unwrap();
            agree(&*world, &oracle, &format!("round {round}"));
        }
    }
}
