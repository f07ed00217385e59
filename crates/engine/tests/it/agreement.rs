//! All engines that take a rule agree with `naive`: random rules of every family, on the
//! plane and on every kind of grid.
//!
//! `GRIDPAPER_CASES` says how many rules each test draws (the long form: 10000, in release
//! mode), `GRIDPAPER_FROM` the number of the first. A case is made from its number alone, so
//! one that failed is run again by `GRIDPAPER_FROM=number GRIDPAPER_CASES=1`. What fails is
//! made as small as it can be while it still does, and told at the end, all of it.

use crate::chance::{EngineTestRng, KINDS};
use engine::{EngineChoice, NaiveWorld, Options, Tiles, World, open};
use grid::State;
use num_bigint::BigUint;
use pattern::{Cells, Pattern, Run};
use rule::{Rule, Topology};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// All engines but the oracle.
pub(crate) const ENGINES: [EngineChoice; 3] = [
    EngineChoice::Torus,
    EngineChoice::Tiles,
    EngineChoice::Hashlife,
];

/// The numbers of the cases that each test runs.
pub(crate) fn numbers() -> std::ops::Range<u64> {
    let asked = |name| {
        let text = std::env::var(name).ok()?;
        Some(
            text.parse()
                .unwrap_or_else(|e| panic!("{name}={text}: {e}")),
        )
    };
    let first = asked("GRIDPAPER_FROM").unwrap_or(0);
    first..first + asked("GRIDPAPER_CASES").unwrap_or(4 * KINDS)
}

/// A rule on a world, some cells, and how often it steps.
#[derive(Clone)]
pub(crate) struct AgreementCase {
    number: u64,
    pub(crate) rule: Rule,
    /// What the rule was read from.
    text: String,
    runs: Vec<Run>,
    generation: u64,
    pub(crate) steps: Vec<u64>,
}

impl AgreementCase {
    pub(crate) fn on_the_plane(number: u64) -> Self {
        let mut chance = EngineTestRng::new(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let drawn = chance.any_rule(number);
        let reach = drawn.rule.radius();
        // The oracle looks at every cell within the radius, and soups grow.
        let (width, height) = match reach {
            0..=2 => chance.sides(reach),
            _ => (chance.between(1, 18), chance.between(1, 14)),
        };
        let place = |chance: &mut EngineTestRng| chance.between(0, 200) as i64 - 130;
        let (x, y) = (place(&mut chance), place(&mut chance));
        let cells = chance.soup(x, y, width, height, drawn.rule.states());
        Self {
            number,
            rule: drawn.rule,
            text: drawn.text,
            runs: runs_of(&cells),
            generation: chance.below(2),
            steps: match reach {
                0..=2 => vec![1, 1, chance.between(2, 6)],
                _ => vec![1, 1, 1],
            },
        }
    }

    pub(crate) fn on_a_grid(number: u64) -> Self {
        let mut chance = EngineTestRng::new(number.wrapping_mul(0x9e6c_63d0_876a_3f6b));
        let drawn = chance.any_rule(number);
        let reach = drawn.rule.radius();
        let shape = chance.topology(reach);
        let topology: Topology = shape[1..]
            .parse()
            .unwrap_or_else(|e| panic!("{shape}: {e}"));
        let (width, height) = topology.size();
        // Where a side is infinite, the soup lies somewhere along it.
        let (soup_width, soup_height) = (
            if width == 0 {
                chance.between(1, 70)
            } else {
                width
            },
            if height == 0 {
                chance.between(1, 70)
            } else {
                height
            },
        );
        let corner = |side: u64, chance: &mut EngineTestRng| match side {
            0 => chance.between(0, 200) as i64 - 130,
            _ => -((side / 2) as i64),
        };
        let (x, y) = (corner(width, &mut chance), corner(height, &mut chance));
        let cells = chance.soup(x, y, soup_width, soup_height, drawn.rule.states());
        let most = if reach > 2 { 2 } else { 6 };
        Self {
            number,
            rule: drawn.rule.with_topology(topology),
            text: format!("{}{shape}", drawn.text),
            runs: runs_of(&cells),
            generation: chance.below(2),
            steps: vec![1, chance.between(1, most)],
        }
    }

    fn pattern(&self) -> Pattern {
        let cells = Cells::from_runs(self.runs.clone());
        let corner = cells.bounds().and_then(|b| b.to_rect());
        Pattern {
            cells,
            // Cells are where they are, on a grid too.
            position: corner.map(|r| grid::Point::new(r.x, r.y)),
            generation: self.generation.into(),
            ..Pattern::default()
        }
    }

    pub(crate) fn world(&self, engine: EngineChoice) -> Option<Box<dyn World>> {
        // half of them with the circuit that comes after a while where many cells change
        if engine == EngineChoice::Tiles && self.number.is_multiple_of(2) {
            let mut tiles = Tiles::new(self.rule.clone()).ok()?;
            tiles.load(&self.pattern().cells).ok()?;
            tiles.set_generation(self.generation.into());
            return Some(Box::new(tiles));
        }
        let opened = open(
            engine,
            &self.rule,
            &self.pattern(),
            None,
            &Options::default(),
        );
        opened.ok().map(|opened| opened.world)
    }

    /// Which engines take it; none of them where the oracle does not.
    pub(crate) fn taken(&self) -> Vec<EngineChoice> {
        if self.world(EngineChoice::Naive).is_none() {
            return Vec::new();
        }
        let engines = ENGINES.into_iter();
        engines
            .filter(|&e| {
                self.world(e)
                    .is_some_and(|world| world.engine() == e.name())
            })
            .collect()
    }

    /// In what an engine disagrees with the oracle, if it does.
    fn disagreement(&self, engine: EngineChoice) -> Option<String> {
        let oracle = self.world(EngineChoice::Naive)?;
        let run = || self.compared(self.world(engine)?, oracle);
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or(panic.downcast_ref::<&str>().map(ToString::to_string));
            Some(format!("panic: {}", text.unwrap_or_default()))
        })
    }

    fn compared(&self, mut world: Box<dyn World>, mut oracle: Box<dyn World>) -> Option<String> {
        if let Some(what) = difference(&*world, &*oracle) {
            return Some(format!("{what} at the start"));
        }
        let mut done = 0;
        for &n in &self.steps {
            let steps = BigUint::from(n);
            oracle.advance(&steps, &mut |_| true).unwrap();
            world.advance(&steps, &mut |_| true).unwrap();
            done += n;
            if let Some(what) = difference(&*world, &*oracle) {
                return Some(format!("{what} after {done} generations"));
            }
        }
        None
    }

    /// The smallest case found in which the engine still disagrees.
    fn shrunk(mut self, engine: EngineChoice) -> Self {
        let fails = |case: &Self| case.disagreement(engine).is_some();
        // fewer generations
        for steps in [vec![1], vec![1, 1], vec![2]] {
            let fewer = Self {
                steps,
                ..self.clone()
            };
            if fails(&fewer) {
                self = fewer;
                break;
            }
        }
        // fewer cells: pieces are left out, half of all at first, one cell at last
        let mut piece = self.runs.len().div_ceil(2);
        while piece > 0 {
            let mut at = 0;
            while at < self.runs.len() {
                let mut fewer = self.clone();
                fewer.runs.drain(at..(at + piece).min(self.runs.len()));
                if fails(&fewer) {
                    self = fewer;
                } else {
                    at += piece;
                }
            }
            piece = if piece == 1 { 0 } else { piece.div_ceil(2) };
        }
        self
    }
}

impl fmt::Display for AgreementCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            number,
            generation,
            steps,
            ..
        } = self;
        write!(f, "case {number}: {}", self.rule.family())?;
        write!(
            f,
            ", steps {steps:?} from generation {generation}, rule {}",
            self.text
        )?;
        write!(f, "\n{} cells:", self.runs.len())?;
        for run in self.runs.iter().take(40) {
            write!(f, " {},{}={}", run.x, run.y, run.state)?;
        }
        Ok(())
    }
}

/// One run a cell, so that each can be left out.
fn runs_of(cells: &Cells) -> Vec<Run> {
    let mut runs = Vec::new();
    cells.for_each_run(&mut |run| {
        let cell = |i| Run {
            x: run.x + i,
            length: 1,
            ..run
        };
        runs.extend((0..run.length as i64).map(cell));
    });
    runs
}

/// Everything that two worlds can be asked must be answered alike.
pub(crate) fn difference(world: &dyn World, oracle: &dyn World) -> Option<String> {
    if world.generation() != oracle.generation() {
        return Some(format!("generation {}", world.generation()));
    }
    let (ours, theirs) = (world.population(), oracle.population());
    if ours != theirs {
        return Some(format!("population {ours}, not {theirs}"));
    }
    if world.bounds() != oracle.bounds() {
        return Some(format!(
            "bounds {:?}, not {:?}",
            world.bounds(),
            oracle.bounds()
        ));
    }
    if world.hash() != oracle.hash() {
        return Some("another hash".into());
    }
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    if let Some(all) = oracle.bounds().and_then(|b| b.to_rect()) {
        world.runs_in(all, &mut |run| ours.push(run));
        oracle.runs_in(all, &mut |run| theirs.push(run));
    }
    (ours != theirs).then(|| "other runs".into())
}

/// How many cases of a family there were, and how many of them each engine took.
#[derive(Default)]
struct AgreementTally {
    cases: u64,
    taken: [u64; ENGINES.len()],
}

/// Runs the cases, and tells at the end what was seen and what went wrong.
#[track_caller]
fn all_agree(make: impl Fn(u64) -> AgreementCase) {
    const TOLD: usize = 20;
    let mut tallies: BTreeMap<&str, AgreementTally> = BTreeMap::new();
    let mut wrong = Vec::new();
    for number in numbers() {
        let case = make(number);
        let tally = tallies.entry(case.rule.family()).or_default();
        tally.cases += 1;
        let taken = case.taken();
        for (engine, count) in ENGINES.into_iter().zip(&mut tally.taken) {
            if !taken.contains(&engine) {
                continue;
            }
            *count += 1;
            if case.disagreement(engine).is_some() && wrong.len() < TOLD {
                let small = case.clone().shrunk(engine);
                let what = small.disagreement(engine).unwrap_or_default();
                let told = format!("{engine}: {what}\n{small}");
                eprintln!("{told}");
                wrong.push(told);
            }
        }
    }
    println!(
        "{:<24} {:>6} {:>6} {:>6} {:>8}",
        "family", "rules", "torus", "tiles", "hashlife"
    );
    for (
        family,
        AgreementTally {
            cases,
            taken: [torus, tiles, hashlife],
        },
    ) in &tallies
    {
        println!("{family:<24} {cases:>6} {torus:>6} {tiles:>6} {hashlife:>8}");
    }
    assert!(
        wrong.is_empty(),
        "{} disagree:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    for (family, tally) in &tallies {
        let enough = tally.cases < 4 || tally.taken.iter().any(|&n| n > 0);
        assert!(enough, "no engine takes {family}");
    }
}

#[test]
fn on_the_unbounded_plane() {
    all_agree(AgreementCase::on_the_plane);
}

#[test]
fn on_bounded_grids() {
    all_agree(AgreementCase::on_a_grid);
}

/// A world that differs in one cell is told from the oracle, and the case is made small.
#[test]
fn a_wrong_cell_is_seen() {
    let rule: Rule = "B3/S23".parse().unwrap();
    let cells = |state: State, x| {
        Cells::from_runs(vec![Run {
            y: 0,
            x,
            length: 1,
            state,
        }])
    };
    let world = |cells: &Cells| {
        let mut world = NaiveWorld::new(rule.clone());
        world.load(cells).unwrap();
        world
    };
    let (here, there) = (world(&cells(1, 0)), world(&cells(1, 1)));
    assert_eq!(difference(&here, &here), None);
    assert!(difference(&here, &there).unwrap().starts_with("bounds"));
    let none = world(&Cells::from_runs(Vec::new()));
    assert!(difference(&here, &none).unwrap().starts_with("population"));
}

#[test]
fn when_a_world_is_drawn_on_between_steps() {
    let rule: Rule = "B3/S23".parse().unwrap();
    let mut chance = EngineTestRng::new(7);
    let pattern = Pattern {
        cells: chance.soup(-9, -9, 20, 20, 2),
        ..Pattern::default()
    };
    for engine in [EngineChoice::Tiles, EngineChoice::Hashlife] {
        let mut world = open(engine, &rule, &pattern, None, &Options::default())
            .unwrap()
            .world;
        let mut oracle = NaiveWorld::new(rule.clone());
        oracle.load(&pattern.cells).unwrap();
        let mut chance = EngineTestRng::new(8);
        for round in 0..40 {
            for _ in 0..10 {
                let place = |c: &mut EngineTestRng| c.between(0, 160) as i64 - 80;
                let p = grid::Point::new(place(&mut chance), place(&mut chance));
                let state = 1 - world.get(p);
                world.set(p, state).unwrap();
                oracle.set(p, state).unwrap();
            }
            let n = BigUint::from(chance.below(5));
            world.advance(&n, &mut |_| true).unwrap();
            oracle.advance(&n, &mut |_| true).unwrap();
            assert_eq!(
                difference(&*world, &oracle),
                None,
                "{engine}: round {round}"
            );
        }
    }
}
