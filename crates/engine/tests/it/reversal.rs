//! Rules that can be undone, back and forth.

use engine::{BackwardError, EngineChoice, Options, World, open, open_backward};
use grid::Point;
use num_bigint::{BigInt, BigUint};
use pattern::Pattern;
use rule::Rule;

/// What a world has come to, as a pattern.
fn taken(world: &dyn World) -> Pattern {
    Pattern {
        cells: world.cells(),
        position: Some(Point::new(0, 0)),
        generation: world.generation().clone(),
        ..Pattern::default()
    }
}

/// A field of some cells with a corner at odd places.
fn soup(generation: i64) -> Pattern {
    let text = b"4bo2b2o3bob2o$2obo3b4o$b3ob2obo2bob3o$obo2b4ob2o$3bo5b3o$b2obob3o2b2o!";
    let (mut pattern, _) = pattern::read(text).unwrap();
    pattern.position = Some(Point::new(-5, -3));
    pattern.cells = pattern.cells.translated(-5, -3);
    pattern.generation = generation.into();
    pattern
}

#[test]
fn there_and_back_again_is_the_start() {
    let mut done = 0;
    for text in [
        "BBM",
        "M0,2,8,3,1,5,6,7,4,9,10,11,12,13,14,15",
        "M0,2,8,3,1,5,6,7,4,9,10,11,12,13,14,15:T40,30",
        "BBM:T64,64",
        // the plane blinks
        "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0",
        "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0:T30,40",
        // the plane is full
        "M0,14,13,3,11,5,6,1,7,9,10,2,12,4,8,15",
    ] {
        let rule: Rule = text.parse().unwrap();
        for choice in [
            EngineChoice::Naive,
            EngineChoice::Torus,
            EngineChoice::Tiles,
            EngineChoice::Hashlife,
        ] {
            for (start, steps) in [(0, 1_u32), (0, 20), (7, 21), (-3, 64)] {
                let pattern = soup(start);
                let options = Options::default();
                let Ok(opened) = open_backward(choice, &rule, &pattern, None, &options) else {
                    continue;
                };
                done += 1;
                let mut back = opened.world;
                assert_eq!(back.rule(), &rule);
                back.advance(&steps.into(), &mut |_| true).unwrap();
                assert_eq!(*back.generation(), BigInt::from(start - i64::from(steps)));
                let mut again = open(choice, &rule, &taken(&*back), None, &options)
                    .unwrap()
                    .world;
                assert_ne!(again.cells(), pattern.cells, "{text} stands still");
                again.advance(&steps.into(), &mut |_| true).unwrap();
                assert_eq!(
                    again.cells(),
                    pattern.cells,
                    "{text}, {choice}, {steps} from {start}"
                );
                assert_eq!(*again.generation(), pattern.generation);
                // and forth and back
                let mut forth = open(choice, &rule, &pattern, None, &options).unwrap().world;
                forth.advance(&steps.into(), &mut |_| true).unwrap();
                let ahead = taken(&*forth);
                let mut home = open_backward(choice, &rule, &ahead, None, &options)
                    .unwrap()
                    .world;
                home.advance(&steps.into(), &mut |_| true).unwrap();
                assert_eq!(
                    home.cells(),
                    pattern.cells,
                    "{text}, {choice}, {steps} from {start}"
                );
            }
        }
    }
    assert!(done > 60, "only {done} worlds went back");
}

#[test]
fn a_stop_on_the_way_back_is_told_right() {
    let rule: Rule = "BBM:T512,512".parse().unwrap();
    let opened = open_backward(
        EngineChoice::Auto,
        &rule,
        &soup(0),
        None,
        &Options::default(),
    );
    let mut back = opened.unwrap().world;
    let many = BigUint::from(1_u32) << 200;
    assert!(back.advance(&many, &mut |_| false).is_err());
    assert!(*back.generation() < BigInt::ZERO);
    let mut forth = open(
        EngineChoice::Auto,
        &rule,
        &taken(&*back),
        None,
        &Options::default(),
    );
    let forth = &mut forth.as_mut().unwrap().world;
    let steps = (-back.generation()).to_biguint().unwrap();
    forth.advance(&steps, &mut |_| true).unwrap();
    assert_eq!(forth.cells(), soup(0).cells);
}

#[test]
fn what_cannot_go_back_says_why() {
    let refused = |text: &str| {
        let rule: Rule = text.parse().unwrap();
        open_backward(
            EngineChoice::Auto,
            &rule,
            &soup(0),
            None,
            &Options::default(),
        )
        .unwrap_err()
    };
    assert!(matches!(refused("B3/S23"), BackwardError::Rule(_)));
    assert!(matches!(
        refused("M0,1,2,3,4,5,6,7,8,9,10,11,12,13,0,15"),
        BackwardError::Rule(_)
    ));
    for grid in ["P20,20", "T21,20", "K20*,20", "S20"] {
        assert!(
            matches!(refused(&format!("BBM:{grid}")), BackwardError::Edges(_)),
            "{grid}"
        );
    }
}
