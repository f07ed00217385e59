//! Dying cells, compared with the oracle.

use crate::{soup, world};
use engine::{EngineChoice, NaiveWorld, World};
use grid::{Point, Rect};
use rule::Rule;

/// One rule of each family, and the odd ones.
const RULES: [&str; 27] = [
    "B3/S23",
    "B2-a/S12",
    "B0123478/S01234678",
    "B013/S2",
    "B2/S34H",
    "B13/S012V",
    "B456/S34L",
    "345/2/4",
    "23/03/4",
    "R2,C2,M1,S6..11,B6..9,NM",
    "R5,C2,M1,S34..58,B34..45,NM",
    "R3,C4,S2-4,9,B3,NN",
    "R1,C2,S2-3,B3,NW111101111",
    "MAPHmlphg",
    "BBM",
    "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
    "2PCA4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15",
    "B3/S23History",
    "B3/S23Super",
    "W30",
    "WireWorld",
    "JvN29",
    "B2/S|B3/S23",
    "QuadLife",
    "colorised",
    "weighted",
    "generations",
];

const SHAPES: [&str; 9] = [
    "",
    ":P20,16",
    ":T20,16",
    ":T20+3,16",
    ":K20*,16",
    ":K20,16*+1",
    ":C20,16",
    ":S16",
    ":T0,16",
];

/// What of the rectangle lives now and does not in the next generation.
fn by_stepping(world: &NaiveWorld, rect: Rect) -> Vec<Point> {
    let mut next = world.clone();
    next.advance(&1_u32.into(), &mut |_| true).unwrap();
    let columns = || rect.x..rect.right();
    let cells = (rect.y..rect.bottom()).flat_map(|y| columns().map(move |x| Point::new(x, y)));
    let dies = |p: &Point| world.get(*p) != 0 && next.get(*p) == 0;
    cells.filter(dies).collect()
}

#[test]
fn what_dies_is_what_the_oracle_lets_die() {
    let mut deaths = 0;
    for name in RULES {
        for shape in SHAPES {
            let Ok(rule) = format!("{name}{shape}").parse::<Rule>() else {
                continue;
            };
            if rule.fills_plane() && rule.topology().rect().is_none() {
                continue;
            }
            for seed in 1..=3 {
                let mut naive = NaiveWorld::new(rule.clone());
                let cells = soup(seed, -9 - seed as i64, -8, 18, rule.states());
                let inside = cells
                    .into_iter()
                    .filter(|c| rule.topology().contains(Point::new(c.0, c.1)));
                for (x, y, state) in inside {
                    naive.set(Point::new(x, y), state).unwrap();
                }
                naive.set_generation((seed as i64 - 2).into());
                for rect in [
                    Rect::new(-15, -12, 31, 25),
                    Rect::new(-3, -4, 5, 7),
                    Rect::new(4, -9, 9, 3),
                    Rect::new(100, 100, 5, 5),
                    Rect::new(0, 0, 0, 3),
                    // too large to be laid out
                    Rect::new(-40_000, -40_000, 80_000, 80_000),
                ] {
                    if rect.width > 1000 && seed > 1 {
                        continue;
                    }
                    let mut seen = Vec::new();
                    render::for_each_dying(&naive, rect, &mut |p| seen.push(p));
                    let near = rect.intersection(&Rect::new(-50, -50, 200, 200));
                    assert_eq!(seen, by_stepping(&naive, near), "{rule} in {rect:?}");
                    deaths += seen.len();
                }
            }
        }
    }
    assert!(deaths > 10_000, "only {deaths} died: nothing was shown");
}

#[test]
fn every_engine_is_seen_the_same() {
    for (name, choice) in [
        ("B3/S23", EngineChoice::Hashlife),
        ("B3/S23", EngineChoice::Tiles),
        ("345/2/4", EngineChoice::Hashlife),
        ("B013/S2:T64,63", EngineChoice::Torus),
        ("R5,C2,M1,S34..58,B34..45,NM:K64*,32", EngineChoice::Torus),
        ("BBM", EngineChoice::Tiles),
    ] {
        let states = name.parse::<Rule>().unwrap().states();
        let cells = soup(5, -16, -16, 31, states);
        let (mut quick, mut naive) = (
            world(choice, name, &cells),
            world(EngineChoice::Naive, name, &cells),
        );
        for world in [&mut quick, &mut naive] {
            world.advance(&3_u32.into(), &mut |_| true).unwrap();
        }
        let seen = |world: &dyn World| {
            let mut seen = Vec::new();
            render::for_each_dying(world, Rect::new(-40, -40, 90, 90), &mut |p| seen.push(p));
            seen
        };
        assert_eq!(
            seen(quick.as_ref()),
            seen(naive.as_ref()),
            "{name} in {choice}"
        );
    }
}
