//! A grid that is advanced far sees when a state comes again, and gives the same answers as
//! one that is advanced by steps too short for that.

use engine::{EngineChoice, Options, World, open};
use num_bigint::{BigInt, BigUint};
use pattern::Pattern;
use pattern::soup::SoupRecipe;
use rule::Rule;

/// A rule with its edges, and the sides and states of the soup in it.
const CASES: [(&str, u64, u64, u16); 9] = [
    ("B3/S23:T20,14", 20, 14, 2),
    ("B3/S23:T64,64", 64, 64, 2),
    ("B3/S23:T65+3,63", 65, 63, 2),
    ("B3/S23:P31,40", 31, 40, 2),
    ("B36/S23:K33*,16", 33, 16, 2),
    ("B03/S23:T32,32", 32, 32, 2),
    ("345/2/4:T30,30", 30, 30, 4),
    ("R2,C0,M1,S6..11,B6..9,NM:T24,24", 24, 24, 2),
    // tables that take turns, and never come to rest
    ("BBM:T16,16", 16, 16, 2),
];

fn soup(
    (rule, width, height, states): (&str, u64, u64, u16),
    engine: EngineChoice,
) -> Box<dyn World> {
    let recipe = SoupRecipe {
        states,
        seed: 9,
        ..SoupRecipe::new(width, height)
    };
    let rule: Rule = rule.parse().unwrap();
    let pattern: Pattern = recipe.pattern().unwrap();
    let opened = open(engine, &rule, &pattern, None, &Options::default());
    opened.unwrap().world
}

fn advance(world: &mut dyn World, n: impl Into<BigUint>) {
    world.advance(&n.into(), &mut |_| true).unwrap();
}

#[test]
fn circles_are_skipped_and_nothing_else() {
    for case in CASES {
        for far in [3_841_u32, 9_600, 40_007] {
            let (mut far_world, mut near) = (
                soup(case, EngineChoice::Torus),
                soup(case, EngineChoice::Torus),
            );
            advance(&mut *far_world, far);
            for from in (0..far).step_by(1000) {
                advance(&mut *near, (far - from).min(1000));
            }
            assert_eq!(far_world.generation(), near.generation(), "{case:?}");
            assert_eq!(far_world.cells(), near.cells(), "{case:?} after {far}");
        }
    }
}

#[test]
fn as_far_as_hashing_goes() {
    for case in &CASES[..2] {
        let n = BigUint::from(10_u32).pow(30) + 7_u32;
        let mut worlds =
            [EngineChoice::Torus, EngineChoice::Hashlife].map(|engine| soup(*case, engine));
        for world in &mut worlds {
            advance(&mut **world, n.clone());
            assert_eq!(*world.generation(), BigInt::from(n.clone()), "{case:?}");
        }
        assert_eq!(worlds[0].hash(), worlds[1].hash(), "{case:?}");
        assert_eq!(worlds[0].population(), worlds[1].population(), "{case:?}");
    }
}
