//! Soups one after the other allocate nothing.
//!
//! The allocator that counts is global, so this test is a binary of its own, with one test.

use cap::Cap;
use dice::Dice;
use gridpaper::{Pattern, Rect, World};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

const SOUP: Rect = Rect::new(0, 0, 16, 16);

/// Runs soups, the same ones each time, and returns how many cells they leave.
fn run_soups(world: &mut World, empty: &Pattern) -> u64 {
    let mut dice = Dice::new(7);
    let mut left = 0;
    for _ in 0..200 {
        let bits: [u64; 16] = std::array::from_fn(|_| dice.word());
        world.write_bits(SOUP, &bits).expect("Life has state 1");
        world.run(100_u64).expect("there is memory");
        left += u64::try_from(world.population()).expect("they are few");
        let mut read = [0; 16];
        world.read_bits(SOUP, &mut read).expect("16 words");
        world.reset(empty).expect("an empty pattern");
        assert_eq!(world.population(), 0_u32.into());
    }
    left
}

#[test]
fn a_soup_after_a_soup_allocates_nothing() {
    let empty = Pattern::parse("!").expect("no cells");
    for (engine, rule) in [
        ("tiles", "B3/S23"),
        ("tiles", "B36/S23"),
        ("torus", "B3/S23:T64,64"),
        ("torus", "B36/S23:P30,70"),
    ] {
        let builder = World::builder().rule(rule);
        let engine = engine.parse().expect("an engine of that name");
        let mut world = builder.engine(engine).build().expect("it takes the rule");
        let first = run_soups(&mut world, &empty);
        let before = ALLOCATOR.total_allocated();
        assert_eq!(run_soups(&mut world, &empty), first);
        let bytes = ALLOCATOR.total_allocated() - before;
        assert_eq!(bytes, 0, "{engine:?} by {rule}");
    }
}
