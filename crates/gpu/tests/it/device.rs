//! Worlds on a device against the oracle. A driver that stands in for a device will do: Debian's
//! `mesa-vulkan-drivers` has one.

use crate::shader::RULES;
use dice::Dice;
use engine::{NaiveWorld, World};
use gpu::{GpuDevice, GpuWorld, SpaceRule, run_soup, run_soups_on_device};
use grid::Point;
use prerequisite::{Prerequisite, missing};
use rule::Rule;

fn device() -> Option<&'static GpuDevice> {
    GpuDevice::shared()
        .map_err(|error| missing(Prerequisite::Gpu, error))
        .ok()
}

/// The same soup in a world on the device and in the oracle.
fn pair(device: &'static GpuDevice, rule: &Rule, dice: &mut Dice) -> (GpuWorld, NaiveWorld) {
    let mut world = GpuWorld::new(device, rule.clone(), 1 << 30)
        .unwrap_or_else(|error| panic!("{rule}: {error}"));
    let mut oracle = NaiveWorld::new(rule.clone());
    let rect = rule.topology().rect().expect("a bounded grid");
    for y in rect.y..rect.bottom() {
        for x in rect.x..rect.right() {
            if dice.below(3) == 0 {
                let state = 1 + dice.below(u32::from(rule.states()) - 1) as u8;
                world.set(Point::new(x, y), state).expect("a cell");
                oracle.set(Point::new(x, y), state).expect("a cell");
            }
        }
    }
    (world, oracle)
}

fn assert_same(world: &GpuWorld, oracle: &NaiveWorld, what: &str) {
    assert_eq!(world.generation(), oracle.generation(), "{what}");
    assert_eq!(world.population(), oracle.population(), "{what}");
    assert_eq!(world.bounds(), oracle.bounds(), "{what}");
    assert_eq!(world.hash(), oracle.hash(), "{what}");
    assert!(world.cells() == oracle.cells(), "{what}");
}

#[test]
fn random_grids_of_each_family_and_shape_do_as_the_oracle() {
    let Some(device) = device() else { return };
    let mut dice = Dice::new(36);
    for round in 0..4 {
        for name in RULES {
            let (width, height) = (3 + dice.below(70), 3 + dice.below(40));
            // rules over blocks want even sides
            let (width, height) = (width & !1, height & !1);
            let (width, height) = (width.max(4), height.max(4));
            let shape = match (round, name.starts_with('M') && !name.starts_with("MAP")) {
                (0, _) | (_, true) => format!("T{width},{height}"),
                (1, _) => format!("P{width},{height}"),
                (2, _) => format!("K{width}*,{height}"),
                _ => format!("T{width}+5,{height}"),
            };
            let Ok(rule) = format!("{name}:{shape}").parse::<Rule>() else {
                continue;
            };
            let (mut world, mut oracle) = pair(device, &rule, &mut dice);
            for generations in [1_u32, 1, 2, 7] {
                world
                    .advance(&generations.into(), &mut |_| true)
                    .expect("it runs");
                oracle
                    .advance(&generations.into(), &mut |_| true)
                    .expect("it runs");
                assert_same(&world, &oracle, &rule.to_string());
            }
        }
    }
}

#[test]
fn edits_between_runs_count() {
    let Some(device) = device() else { return };
    let mut dice = Dice::new(7);
    let rule: Rule = "345/2/4:C40,33".parse().expect("a rule");
    let (mut world, mut oracle) = pair(device, &rule, &mut dice);
    for _ in 0..12 {
        let rect = rule.topology().rect().expect("a grid");
        let p = Point::new(
            rect.x + i64::from(dice.below(40)),
            rect.y + i64::from(dice.below(33)),
        );
        let state = dice.below(4) as u8;
        world.set(p, state).expect("a cell");
        oracle.set(p, state).expect("a cell");
        world.advance(&3u32.into(), &mut |_| true).expect("it runs");
        oracle
            .advance(&3u32.into(), &mut |_| true)
            .expect("it runs");
        assert_same(&world, &oracle, "after an edit");
    }
    let snapshot = world.snapshot();
    world.advance(&5u32.into(), &mut |_| true).expect("it runs");
    world.restore(&snapshot).expect("it fits");
    assert_same(&world, &oracle, "back again");
}

#[test]
fn who_says_no_stops_at_a_whole_generation() {
    let Some(device) = device() else { return };
    let rule: Rule = "B3/S23:T64,64".parse().expect("a rule");
    let (mut world, mut oracle) = pair(device, &rule, &mut Dice::new(3));
    assert!(world.advance(&1_000_000u32.into(), &mut |_| false).is_err());
    let reached = world.generation().magnitude().clone();
    assert!(reached > 0u32.into() && reached < 1_000_000u32.into());
    oracle.advance(&reached, &mut |_| true).expect("it runs");
    assert_same(&world, &oracle, "stopped");
}

#[test]
fn what_it_cannot_take_is_refused() {
    let Some(device) = device() else { return };
    for (rule, why) in [
        ("B3/S23", "endless"),
        ("B3/S23:T100,0", "endless"),
        ("B3/S23:T100000,100000", "MiB"),
        ("R50,C0,M1,S1..2000,B1500..1800,NM:T200,200", "no circuit"),
    ] {
        let rule: Rule = rule.parse().expect("a rule");
        let error = GpuWorld::new(device, rule, 1 << 20).expect_err(why);
        assert!(error.to_string().contains(why), "{error}");
    }
}

/// A part of the map of rules, soup by soup, as the processor has it.
#[test]
fn a_soup_under_many_rules_does_as_on_the_processor() {
    let Some(device) = device() else { return };
    let mut dice = Dice::new(11);
    let mut word = || u64::from(dice.below(u32::MAX)) << 32 | u64::from(dice.below(u32::MAX));
    let soup = std::array::from_fn(|_| word());
    let rules: Vec<_> = (0..300)
        .map(|_| {
            let place = word();
            SpaceRule::at(place as u32 % 512, (place >> 32) as u32 % 256)
        })
        .chain([
            SpaceRule::at(96, 32),
            SpaceRule::at(511, 255),
            SpaceRule::at(0, 0),
        ])
        .collect();
    for generations in [2, 3, 40] {
        let told = run_soups_on_device(device, &soup, &rules, generations, &mut |_| true)
            .expect("it runs");
        for (rule, outcome) in rules.iter().zip(told) {
            let expected = run_soup(&soup, *rule, generations);
            assert_eq!(outcome, expected, "{} after {generations}", rule.name());
        }
    }
}
