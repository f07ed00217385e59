//! Small workloads whose instructions are counted, so that speed is not lost unseen.
//!
//! `cargo xtask instructions` runs each under valgrind and holds what it counts against
//! `benches/instructions.json`. Instructions are the same on every machine as long as
//! it takes the same paths, so the portable kernels are forced, no thread is started, and what
//! is drawn at random comes from a seed. Seconds would need an idle machine and say less.
//!
//!     instructions                                the names of the workloads
//!     instructions NAME                           runs one
//!     instructions torus SIDE GENERATIONS BITS    steps a soup with vectors of so many bits,
//!                                                 for `cargo xtask peers`
//!
//! This is a program and no bench, so that the gate builds it without what benches need.
#![forbid(unsafe_code)]

use engine::{EngineChoice, Options};
use num_bigint::BigUint;
use pattern::soup::SoupRecipe;
use pattern::{Format, Pattern, library};
use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

/// Any failure, for a person to read.
type InstructionCountError = Box<dyn Error>;

/// What is to be counted, once it is ready.
type PreparedWorkload = Box<dyn FnOnce() -> Result<String, InstructionCountError>>;

/// A workload: its name, and what makes it ready.
type InstructionWorkload = (
    &'static str,
    fn() -> Result<PreparedWorkload, InstructionCountError>,
);

const WORKLOADS: [InstructionWorkload; 10] = [
    ("hashlife-methuselah", || {
        run(built_in("acorn")?, EngineChoice::Hashlife, 2_000)
    }),
    ("hashlife-breeder", || {
        let breeder = built_in("20-cell-quadratic-growth")?;
        run(breeder, EngineChoice::Hashlife, 1 << 10)
    }),
    ("hashlife-multistate", || {
        run(soup("345/2/6", 128, 6)?, EngineChoice::Hashlife, 100)
    }),
    ("tiles-soup", || {
        run(soup("B3/S23", 512, 2)?, EngineChoice::Tiles, 1_000)
    }),
    ("tiles-methuselah", || {
        run(built_in("rabbits")?, EngineChoice::Tiles, 17_000)
    }),
    ("torus-life", || {
        run(
            soup("B3/S23:T1024,1024", 1024, 2)?,
            EngineChoice::Torus,
            400,
        )
    }),
    ("torus-generations", || {
        run(soup("345/2/4:T512,512", 512, 4)?, EngineChoice::Torus, 100)
    }),
    ("torus-radius", || {
        let bosco = "R5,C0,M1,S34..58,B34..45,NM:T512,512";
        run(soup(bosco, 512, 2)?, EngineChoice::Torus, 30)
    }),
    ("read-rle", || {
        let text = written(&soup("B3/S23", 1024, 2)?, Format::Rle)?;
        Ok(Box::new(move || read(&text)))
    }),
    ("read-macrocell", || {
        let mut world = open(&soup("B3/S23", 1024, 2)?, EngineChoice::Hashlife)?.world;
        world.advance(&BigUint::from(64_u32), &mut |_| true)?;
        let settled = Pattern {
            cells: world.cells(),
            rule: Some("B3/S23".into()),
            ..Pattern::default()
        };
        let text = written(&settled, Format::Macrocell)?;
        Ok(Box::new(move || read(&text)))
    }),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        [] => {
            WORKLOADS.iter().for_each(|(name, _)| println!("{name}"));
            Ok(())
        }
        ["torus", side, generations, bits] => torus(side, generations, bits),
        [name] => count(name),
        _ => Err("usage: instructions [NAME] | torus SIDE GENERATIONS BITS".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("instructions: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a workload and tells what came of it.
fn count(name: &str) -> Result<(), InstructionCountError> {
    engine::limit_vector_width(64);
    let known = WORKLOADS.iter().find(|(known, _)| *known == name);
    let (_, prepare) = known.ok_or_else(|| format!("`{name}` is no workload"))?;
    let ready = prepare()?;
    println!("{}", counted(ready)?);
    Ok(())
}

/// The one function whose instructions count, with all that it calls: valgrind is told its
/// name, so it is not to be merged into another.
#[inline(never)]
fn counted(ready: PreparedWorkload) -> Result<String, InstructionCountError> {
    black_box(ready())
}

/// Makes a world ready to be advanced; what comes of it is its population.
fn run(
    pattern: Pattern,
    engine: EngineChoice,
    generations: u32,
) -> Result<PreparedWorkload, InstructionCountError> {
    let mut world = open(&pattern, engine)?.world;
    Ok(Box::new(move || {
        world.advance(&BigUint::from(generations), &mut |_| true)?;
        Ok(world.population().to_string())
    }))
}

fn open(
    pattern: &Pattern,
    engine: EngineChoice,
) -> Result<engine::OpenedWorld, InstructionCountError> {
    let rule = pattern.rule.as_deref().unwrap_or("B3/S23").parse()?;
    let options = Options {
        memory: 256 << 20,
        ..Options::default()
    };
    Ok(engine::open(engine, &rule, pattern, None, &options)?)
}

fn read(text: &[u8]) -> Result<String, InstructionCountError> {
    let (pattern, _) = pattern::read(text)?;
    Ok(pattern.cells.population().to_string())
}

fn built_in(name: &str) -> Result<Pattern, InstructionCountError> {
    let entry = library::find(name).ok_or_else(|| format!("no pattern {name}"))?;
    Ok(entry.pattern())
}

fn soup(rule: &str, side: u64, states: u16) -> Result<Pattern, InstructionCountError> {
    let recipe = SoupRecipe {
        states,
        seed: 1,
        ..SoupRecipe::new(side, side)
    };
    let rule = Some(rule.into());
    Ok(Pattern {
        rule,
        ..recipe.pattern()?
    })
}

fn written(pattern: &Pattern, format: Format) -> Result<Vec<u8>, InstructionCountError> {
    let mut text = Vec::new();
    pattern::write(pattern, format, &mut text)?;
    Ok(text)
}

/// Steps a soup on a torus that no file would hold, and prints its seconds.
fn torus(side: &str, generations: &str, bits: &str) -> Result<(), InstructionCountError> {
    engine::limit_vector_width(bits.parse()?);
    let (side, generations): (u64, u64) = (side.parse()?, generations.parse()?);
    let rule = format!("B3/S23:T{side},{side}").parse()?;
    let empty = Pattern::default();
    let options = Options::default();
    let mut world = engine::open(EngineChoice::Torus, &rule, &empty, None, &options)?.world;
    let rect = rule.topology().rect().expect("a torus has sides");
    // Knuth's multiplier for words of 64 bits; its highest bit is random enough for a soup.
    let mut seed = 1_u64;
    for y in rect.y..rect.bottom() {
        for x in rect.x..rect.right() {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if seed >> 63 == 1 {
                world.set(grid::Point::new(x, y), 1)?;
            }
        }
    }
    let begun = Instant::now();
    world.advance(&BigUint::from(generations), &mut |_| true)?;
    let seconds = begun.elapsed().as_secs_f64();
    let (population, kernel) = (world.population(), world.kernel());
    println!("{{\"population\":{population},\"seconds\":{seconds},\"kernel\":{kernel:?}}}");
    Ok(())
}
