//! The rows of questions by which the engine `sat` is measured, with their times:
//!
//! ```console
//! $ cargo run --release -p gridpaper-search --features cadical --example search_check -- cadical
//! ```
//!
//! Words after the solver choose rows whose names contain one of them; `counts` and `implicants`
//! choose the encoding, `broken` leaves one of all images of a solution. `others` asks the counts,
//! the densest, predecessors, and checks a proof; `orphan` looks for an orphan.

use search::{
    AllowedStates, BlockRule, BoxSymmetry, OrphanAnswer, OrphanSearch, PeriodicQuestion,
    PredecessorQuestion, ProblemSolver, SatBackend, SatEncoding, SatOptions, SatSearch,
    SearchAnswer, SearchFlow, verify_proof,
};
use std::error::Error;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A row: its name, the rule, period, motion, box, symmetry, and whether there is a solution.
struct AcceptanceRow {
    name: &'static str,
    rule: &'static str,
    period: u32,
    motion: (i64, i64),
    size: (u32, u32),
    symmetry: BoxSymmetry,
    is_found: bool,
}

const LIFE: &str = "B3/S23";

const fn oscillator(
    name: &'static str,
    period: u32,
    (width, height): (u32, u32),
    symmetry: BoxSymmetry,
    is_found: bool,
) -> AcceptanceRow {
    AcceptanceRow {
        name,
        rule: LIFE,
        period,
        motion: (0, 0),
        size: (width, height),
        symmetry,
        is_found,
    }
}

const fn ship(
    name: &'static str,
    period: u32,
    motion: (i64, i64),
    size: (u32, u32),
    symmetry: BoxSymmetry,
    is_found: bool,
) -> AcceptanceRow {
    AcceptanceRow {
        name,
        rule: LIFE,
        period,
        motion,
        size,
        symmetry,
        is_found,
    }
}

const ROWS: [AcceptanceRow; 18] = {
    use BoxSymmetry::{C1, D2Horizontal, D2Vertical, D8};
    [
        oscillator("1-p3-5x5", 3, (5, 5), C1, false),
        oscillator("2-p3-6x6", 3, (6, 6), C1, false),
        oscillator("3-p3-6x7", 3, (6, 7), C1, false),
        oscillator("4-p3-7x7", 3, (7, 7), C1, true),
        oscillator("5-p3-13x13-D8", 3, (13, 13), D8, true),
        oscillator("6-p4-9x9-D8", 4, (9, 9), D8, false),
        oscillator("7-p4-13x13-D8", 4, (13, 13), D8, false),
        ship("8-c4d-4x4", 4, (1, 1), (4, 4), C1, true),
        ship("9-2c4-7x5", 4, (2, 0), (7, 5), C1, true),
        ship("10-c2-12x8", 2, (1, 0), (12, 8), C1, false),
        ship("11-c3-16x5", 3, (0, 1), (16, 5), C1, true),
        ship("12a-c3-15x5", 3, (0, 1), (15, 5), C1, false),
        ship("12b-c3-16x4", 3, (0, 1), (16, 4), C1, false),
        ship("13-c3-12x11-D2", 3, (0, 1), (12, 11), D2Vertical, false),
        ship("14-c3-12x13-D2", 3, (0, 1), (12, 13), D2Vertical, true),
        ship("15-c4-26x8", 4, (0, 1), (26, 8), C1, true),
        AcceptanceRow {
            rule: "3457/357/5",
            ..ship(
                "16-generations-20x16",
                7,
                (3, 0),
                (20, 16),
                D2Horizontal,
                true,
            )
        },
        oscillator("25-p2-4x4-D8", 2, (4, 4), D8, false),
    ]
};

/// An orphan of Life that `orphan B3/S23 24 8 C1 8` found.
const ORPHAN: &str = "
oooooooooooo.ooo.oo.o...
oo.ooo.o.ooooo.ooo.o.o..
oooo.oooooo..oooo.o.o...
o.o.ooo.o.ooooo.oooo....
.o.o.ooo.o.oo.ooooo.o...
ooo.o.o.o.ooooo.o.oooo..
oo.oooooo.o.o.oo..o.o...
oooooo.ooooo.oooooooo...";

const PULSAR: &str = "
..ooo...ooo..
.............
o....o.o....o
o....o.o....o
o....o.o....o
..ooo...ooo..
.............
..ooo...ooo..
o....o.o....o
o....o.o....o
o....o.o....o
.............
..ooo...ooo..";

fn states_of(text: &str) -> (u32, Vec<AllowedStates>) {
    let width = text.split_whitespace().next().map_or(0, str::len) as u32;
    let cells = text.bytes().filter(|cell| !cell.is_ascii_whitespace());
    let states = cells.map(|cell| AllowedStates::only(u8::from(cell == b'o')));
    (width, states.collect())
}

/// The target that a random pattern becomes.
fn child(side: u32, seed: u64) -> Result<Vec<AllowedStates>, Box<dyn Error>> {
    let rule = BlockRule::new(&LIFE.parse()?)?;
    let mut dice = dice::Dice::new(seed);
    let parent: Vec<bool> = (0..(side + 2).pow(2)).map(|_| dice.coin()).collect();
    let mut target = Vec::new();
    for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
        let cells =
            (0..9).map(|cell| parent[((y + cell / 3) * (side + 2) + x + cell % 3) as usize]);
        let block = cells.fold(0, |bits, cell| bits << 1 | usize::from(cell));
        let own = u8::from(block >> 4 & 1 == 1);
        target.push(AllowedStates::only(rule.next(0, own, block)));
    }
    Ok(target)
}

/// Bytes that are also kept for the check.
#[derive(Clone, Default)]
struct SharedText(Arc<Mutex<Vec<u8>>>);

impl Write for SharedText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .map_err(|_| io::ErrorKind::Other)?
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts, densities, predecessors, and a proof that is checked.
fn other_rows(options: SatOptions) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut counts = Vec::new();
    let mut densest = Vec::new();
    for side in 1..=6 {
        let question = PeriodicQuestion {
            empty: true,
            ..PeriodicQuestion::new(LIFE.parse()?, 1, side, side)
        };
        let mut search = SatSearch::new(question.problem()?, options);
        let mut count = 0;
        while let SearchAnswer::Found(states) = search.solve(&mut |_, _| SearchFlow::Continue) {
            count += 1;
            let states: Vec<_> = (0..).zip(states).collect();
            search.exclude(&states);
        }
        counts.push(count);
    }
    println!("20 {counts:?} {:.3} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    for side in 1..=6 {
        let question = PeriodicQuestion {
            empty: true,
            up_to_symmetry: true,
            ..PeriodicQuestion::new(LIFE.parse()?, 1, side, side)
        };
        let mut search = SatSearch::new(question.problem()?, options);
        let mut most = 0;
        while let SearchAnswer::Found(states) = search.solve(&mut |_, _| SearchFlow::Continue) {
            most = states.iter().filter(|&&state| state != 0).count();
            search.require_least(most as u32 + 1);
        }
        densest.push(most);
    }
    println!("21 {densest:?} {:.3} s", start.elapsed().as_secs_f64());
    for (name, text) in [
        ("block", "oo\noo"),
        ("glider", ".o.\n..o\nooo"),
        ("pulsar", PULSAR),
    ] {
        let start = Instant::now();
        let (width, target) = states_of(text);
        let question = PredecessorQuestion {
            margin: 2,
            exact: true,
            ..PredecessorQuestion::new(LIFE.parse()?, width, target)
        };
        let problem = question.problem()?;
        let mut search = SatSearch::new(problem.clone(), options);
        let answer = search.solve(&mut |_, _| SearchFlow::Continue);
        let is_right = matches!(&answer, SearchAnswer::Found(s) if problem.is_solved_by(s));
        println!(
            "23 {name} {is_right} {:.3} s",
            start.elapsed().as_secs_f64()
        );
    }
    let start = Instant::now();
    let (width, target) = states_of(ORPHAN);
    let problem = PredecessorQuestion::new(LIFE.parse()?, width, target).problem()?;
    let proof = SharedText::default();
    let mut search = SatSearch::with_proof(problem, options, Box::new(proof.clone()));
    let answer = search.solve(&mut |_, _| SearchFlow::Continue);
    let solved = start.elapsed().as_secs_f64();
    let mut formula = Vec::new();
    search.write_formula(&mut formula, &["an orphan of 24 x 8"])?;
    let proof = proof.0.lock().map_err(|_| "poisoned")?;
    let verified = verify_proof(&mut &formula[..], &mut &proof[..])?;
    let seconds = start.elapsed().as_secs_f64() - solved;
    let bytes = proof.len();
    println!(
        "24 {answer:?} {solved:.3} s, {bytes} bytes of proof, checked in {seconds:.3} s: {verified:?}"
    );
    for side in [20, 30, 40] {
        for encoding in [SatEncoding::Implicants, SatEncoding::Counts] {
            let start = Instant::now();
            let problem =
                PredecessorQuestion::new(LIFE.parse()?, side, child(side, 1)?).problem()?;
            let options = SatOptions {
                encoding,
                ..options
            };
            let mut search = SatSearch::new(problem, options);
            let answer = search.solve(&mut |_, _| match start.elapsed().as_secs() < 40 {
                true => SearchFlow::Continue,
                false => SearchFlow::Stop,
            });
            let is_found = matches!(answer, SearchAnswer::Found(_));
            let seconds = start.elapsed().as_secs_f64();
            println!("parent of {side} x {side} {encoding:?} {is_found} {seconds:.3} s");
        }
    }
    Ok(())
}

/// Looks for an orphan and proves it: `orphan RULE COLUMNS ROWS SYMMETRY BEAM`.
fn find_orphan(words: &[String]) -> Result<(), Box<dyn Error>> {
    let [rule, width, height, symmetry, beam] = words else {
        return Err("orphan RULE COLUMNS ROWS SYMMETRY BEAM".into());
    };
    let rule: rule::Rule = rule.parse()?;
    let size: (u32, u32) = (width.parse()?, height.parse()?);
    let start = Instant::now();
    let mut search = OrphanSearch::new(&rule, size, symmetry.parse()?, beam.parse()?, 1)?;
    let answer = search.run(&mut |_, _| SearchFlow::Continue);
    println!(
        "{:.3} s, energy {:.3}",
        start.elapsed().as_secs_f64(),
        search.energy()
    );
    let OrphanAnswer::Found(states) = answer else {
        return Ok(());
    };
    for row in states.chunks(size.0 as usize) {
        let row: String = row
            .iter()
            .map(|&s| if s == 0 { '.' } else { 'o' })
            .collect();
        println!("{row}");
    }
    let target: Vec<AllowedStates> = states
        .iter()
        .map(|&state| AllowedStates::only(state))
        .collect();
    let problem = PredecessorQuestion::new(rule, size.0, target).problem()?;
    let mut search = SatSearch::new(problem, SatOptions::default());
    let answer = search.solve(&mut |_, _| SearchFlow::Continue);
    println!("{:.3} s, proof: {answer:?}", start.elapsed().as_secs_f64());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "orphan") {
        return find_orphan(&words[1..]);
    }
    let has = |word: &str| words.iter().any(|given| given == word);
    let backend = match has("cadical") {
        #[cfg(feature = "cadical")]
        true => SatBackend::Cadical,
        _ => SatBackend::Batsat,
    };
    let encoding = match (has("counts"), has("implicants")) {
        (true, _) => SatEncoding::Counts,
        (_, true) => SatEncoding::Implicants,
        _ => SatEncoding::Auto,
    };
    let chosen: Vec<&String> = words
        .iter()
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    println!("{backend:?} {encoding:?} broken: {}", has("broken"));
    if has("others") {
        return other_rows(SatOptions {
            backend,
            encoding,
            ..SatOptions::default()
        });
    }
    for row in &ROWS {
        if !chosen.is_empty() && !chosen.iter().any(|word| row.name.starts_with(*word)) {
            continue;
        }
        let (width, height) = row.size;
        let question = PeriodicQuestion {
            symmetry: row.symmetry,
            up_to_symmetry: has("broken"),
            ..PeriodicQuestion::new(row.rule.parse()?, row.period, width, height)
        };
        let question = question.moving(row.motion.0, row.motion.1);
        let start = Instant::now();
        let options = SatOptions {
            backend,
            encoding,
            ..SatOptions::default()
        };
        let mut search = SatSearch::new(question.problem()?, options);
        let mut conflicts = 0;
        let limit = 200.0;
        let answer = search.solve(&mut |progress, _| {
            conflicts = progress.nodes;
            if start.elapsed().as_secs_f64() > limit {
                SearchFlow::Stop
            } else {
                SearchFlow::Continue
            }
        });
        let seconds = start.elapsed().as_secs_f64();
        let (said, is_right) = match answer {
            SearchAnswer::Found(_) => ("found", row.is_found),
            SearchAnswer::Exhausted => ("none", !row.is_found),
            SearchAnswer::Stopped => ("stopped", false),
        };
        let (variables, clauses) = (search.variables(), search.clauses());
        println!(
            "{:22} {said:8} {} {seconds:8.3} s, {variables} variables, \
             {clauses} clauses, {conflicts} conflicts",
            row.name,
            if is_right { "right" } else { "WRONG" },
        );
    }
    Ok(())
}
