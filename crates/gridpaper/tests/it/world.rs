//! Worlds: how they are made, moved on, and begun again.

use gridpaper::{Engine, Error, Pattern, PutMode, Rect, World};
use num_bigint::BigInt;
use std::ops::ControlFlow;

#[test]
fn engines_agree() {
    let run = |engine| {
        let acorn = Pattern::open("acorn").unwrap();
        let builder = World::builder().pattern(&acorn).engine(engine);
        let mut world = builder.build().unwrap();
        world.run(300_u64).unwrap();
        (world.hash(), world.population(), world.generation().clone())
    };
    let expected = run(Engine::Naive);
    for engine in [Engine::Auto, Engine::Tiles, Engine::Hashlife] {
        assert_eq!(run(engine), expected, "{engine}");
    }
}

#[test]
fn a_world_that_is_reset_is_a_new_one() {
    let names = ["acorn", "glider", "gosper-glider-gun", "r-pentomino"];
    for engine in [Engine::Auto, Engine::Tiles, Engine::Hashlife] {
        let mut kept = World::builder().engine(engine).build().unwrap();
        for name in names {
            let pattern = Pattern::open(name).unwrap();
            let builder = World::builder().pattern(&pattern).engine(engine);
            let mut new = builder.build().unwrap();
            kept.reset(&pattern).unwrap();
            kept.run(200_u64).unwrap();
            new.run(200_u64).unwrap();
            assert_eq!(kept.hash(), new.hash(), "{name} by {engine}");
            assert_eq!(kept.bounds(), new.bounds(), "{name} by {engine}");
            assert_eq!(kept.generation(), new.generation(), "{name} by {engine}");
        }
    }
}

#[test]
fn a_fork_goes_its_own_way() {
    let mut world = World::open("acorn").unwrap();
    world.run(10_u64).unwrap();
    let before = world.snapshot();
    let mut fork = world.fork().unwrap();
    assert_eq!(fork.hash(), world.hash());
    fork.run(50_u64).unwrap();
    world.run(50_u64).unwrap();
    assert_eq!(fork.hash(), world.hash());
    fork.clear(Rect::new(-1000, -1000, 2000, 2000));
    assert_eq!(fork.population(), 0_u32.into());
    world.restore(&before).unwrap();
    assert_eq!(*world.generation(), 10.into());
}

#[test]
fn patterns_are_put_in_three_ways() {
    let row = Pattern::parse("3o!").unwrap();
    let hook = Pattern::parse("o$2o!").unwrap();
    for (mode, expected) in [
        (PutMode::Or, vec![(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)]),
        (PutMode::Copy, vec![(0, 0), (1, 0), (1, 1), (2, 1)]),
        (PutMode::Xor, vec![(0, 0), (2, 0), (1, 1), (2, 1)]),
    ] {
        let mut world = World::new(&row).unwrap();
        world.put(&hook, (1, 0), mode).unwrap();
        let cells: Vec<_> = world.cells().map(|(x, y, _)| (x, y)).collect();
        assert_eq!(cells, expected, "{mode:?}");
    }
}

#[test]
fn reversible_rules_go_back() {
    let mut world = World::builder()
        .pattern_text("2bo2b3o$bo!")
        .unwrap()
        .rule("M0,2,8,3,1,5,6,7,4,9,10,11,12,13,14,15")
        .build()
        .unwrap();
    let before = world.hash();
    world.run(77_u64).unwrap();
    world.run_back(77_u64).unwrap();
    assert_eq!(world.hash(), before);
    assert_eq!(*world.generation(), 0.into());
}

#[test]
fn a_run_can_be_stopped_and_gone_on_with() {
    for engine in [Engine::Naive, Engine::Tiles] {
        let builder = World::builder().pattern_text("acorn").unwrap();
        let mut world = builder.engine(engine).build().unwrap();
        let mut whole = world.fork().unwrap();
        let total = match engine {
            Engine::Naive => 200_u64,
            _ => 1_000_000,
        };
        let stopped = world.run_with(total, |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(Error::Stopped)), "{engine}");
        let rest = BigInt::from(total) - world.generation();
        assert!(rest > 0.into(), "{engine}");
        world.run(rest.to_biguint().unwrap()).unwrap();
        whole.run(total).unwrap();
        assert_eq!(world.generation(), whole.generation(), "{engine}");
        assert_eq!(world.hash(), whole.hash(), "{engine}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let unknown = World::open("glidder").unwrap_err();
    assert!(matches!(unknown, Error::Pattern(_)));
    assert!(
        unknown.to_string().contains("no built-in pattern"),
        "{unknown}"
    );
    let broken = Pattern::parse("x = 3, y = 3\n3o%!").unwrap_err();
    assert!(broken.to_string().contains("2:"), "{broken}");
    let rule = World::builder().rule("B3/S2x").build().unwrap_err();
    assert!(matches!(rule, Error::Rule(_)), "{rule}");
    let small = World::builder()
        .pattern_text("gosper-glider-gun")
        .unwrap()
        .engine(Engine::Torus)
        .rule("B3/S23:T100000,100000")
        .memory(1 << 20)
        .build();
    assert!(matches!(small, Err(Error::Unsupported(_))));
}
