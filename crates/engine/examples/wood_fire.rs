//! A rule of one's own, written in Rust: a fire runs through a wood that grows back. It gets
//! every engine, and they agree.
//!
//!     cargo run --release --example wood_fire
//!
//! `docs/rules-of-your-own.md` has the same as a text file, and the story of it.

use engine::{Choice, Options, open};
use num_bigint::BigUint;
use pattern::{Cells, Pattern, Run};
use rule::{Automaton, Neighbourhood, Rule, Topology};
use std::error::Error;

const TREE: u8 = 1;
const FIRE: u8 = 2;
const ASH: u8 = 3;

struct WoodFire;

impl Automaton for WoodFire {
    fn name(&self) -> &str {
        "wood-fire"
    }

    fn states(&self) -> u16 {
        4
    }

    fn neighbourhood(&self) -> Neighbourhood {
        Neighbourhood::from_weights(1, |dx, dy| i32::from(dx.abs() + dy.abs() == 1))
    }

    fn counted(&self) -> Vec<Vec<u8>> {
        vec![vec![FIRE]]
    }

    fn next(&self, own: u8, counts: &[i64]) -> u8 {
        match own {
            TREE if counts[0] >= 1 => FIRE,
            FIRE => ASH,
            ASH => TREE,
            own => own,
        }
    }
}

/// A wood of 40 x 16 trees with a line of fire that ends in the middle, ash on one side of
/// it: so the fire can leave on the other side alone.
fn wood() -> Pattern {
    let run = |x, y, length, state| Run {
        x,
        y,
        length,
        state,
    };
    let rows = (0..16).flat_map(|y| match y {
        7 => vec![run(0, y, 20, FIRE), run(20, y, 20, TREE)],
        8 => vec![run(0, y, 20, ASH), run(20, y, 20, TREE)],
        _ => vec![run(0, y, 40, TREE)],
    });
    Pattern {
        cells: Cells::from_runs(rows.collect()),
        size: Some((40, 16)),
        ..Pattern::default()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let endless = Rule::from_automaton(&WoodFire)?;
    let bounded = endless.with_topology(Topology::Plane {
        width: 40,
        height: 16,
    });
    let generations = BigUint::from(1000_u32);
    for (engine, rule) in [
        (Choice::Naive, &bounded),
        (Choice::Torus, &bounded),
        (Choice::Tiles, &endless),
        (Choice::Hashlife, &endless),
    ] {
        let opened = open(engine, rule, &wood(), None, &Options::default())?;
        let mut world = opened.world;
        world.advance(&generations, &mut |_| true)?;
        println!("{engine}: {} after {generations} generations", world.hash());
        if engine != Choice::Torus {
            continue;
        }
        // how it looks then
        for y in -8..8 {
            let cell = |x| [' ', 't', '#', '.'][usize::from(world.get(grid::Point::new(x, y)))];
            println!("    {}", (-20..20).map(cell).collect::<String>());
        }
    }
    Ok(())
}
