//! Asks the questions of the acceptance table and prints what was answered and how long it took.
//! `cargo run --release -p gridpaper-search --example rows_check [WORDS]`

use search::{BlockRule, count_cycles, count_still_lifes, densest_still_life, list_still_lifes};
use search::{
    BoxSymmetry, CellOrder, CellSearch, CellSearchOptions, PeriodicQuestion, ProblemSolver,
    SearchAnswer, SearchFlow, narrow_problem,
};
use search::{RowAnswer, RowQuestion, RowSearch, RowSymmetry, SearchProgress};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

struct BoxRow {
    name: &'static str,
    rule: &'static str,
    period: u32,
    velocity: (i64, i64),
    size: (u32, u32),
    symmetry: BoxSymmetry,
    is_found: bool,
    limit: f64,
}

const fn row(
    name: &'static str,
    period: u32,
    velocity: (i64, i64),
    size: (u32, u32),
    symmetry: BoxSymmetry,
    is_found: bool,
    limit: f64,
) -> BoxRow {
    BoxRow {
        name,
        rule: "B3/S23",
        period,
        velocity,
        size,
        symmetry,
        is_found,
        limit,
    }
}

const BOX_ROWS: &[BoxRow] = {
    use BoxSymmetry::{C1, D2Horizontal, D2Vertical, D8};
    &[
        row("1 p3 5x5", 3, (0, 0), (5, 5), C1, false, 0.5),
        row("2 p3 6x6", 3, (0, 0), (6, 6), C1, false, 10.0),
        row("3 p3 6x7", 3, (0, 0), (6, 7), C1, false, 15.0),
        row("4 p3 7x7", 3, (0, 0), (7, 7), C1, true, 2.0),
        row("5 p3 13x13 D8", 3, (0, 0), (13, 13), D8, true, 1.0),
        row("5b p3 15x15 D8", 3, (0, 0), (15, 15), D8, true, 1.0),
        row("6 p4 9x9 D8", 4, (0, 0), (9, 9), D8, false, 2.0),
        row("7 p4 13x13 D8", 4, (0, 0), (13, 13), D8, false, 10.0),
        row("8 c/4d 4x4", 4, (1, 1), (4, 4), C1, true, 0.2),
        row("8b c/4d 5x5", 4, (1, 1), (5, 5), C1, true, 0.2),
        row("9 2c/4 7x5", 4, (2, 0), (7, 5), C1, true, 0.2),
        row("10 c/2 12x8", 2, (0, 1), (12, 8), C1, false, 2.0),
        row("11 c/3 16x5", 3, (0, 1), (16, 5), C1, true, 0.5),
        row("12 c/3 15x5", 3, (0, 1), (15, 5), C1, false, 5.0),
        row("12 c/3 16x4", 3, (0, 1), (16, 4), C1, false, 5.0),
        row(
            "13 c/3 12x11 D2|",
            3,
            (0, 1),
            (12, 11),
            D2Vertical,
            false,
            20.0,
        ),
        row(
            "14 c/3 12x13 D2|",
            3,
            (0, 1),
            (12, 13),
            D2Vertical,
            true,
            1.0,
        ),
        row("15 c/4 26x8", 4, (0, 1), (26, 8), C1, true, 10.0),
        BoxRow {
            rule: "3457/357/5",
            ..row(
                "16 Generations 20x16",
                7,
                (3, 0),
                (20, 16),
                D2Horizontal,
                true,
                5.0,
            )
        },
        row("25 p2 4x4 D8", 2, (0, 0), (4, 4), D8, false, 0.1),
        row("hard loafer", 7, (0, 1), (10, 10), C1, true, f64::INFINITY),
        row(
            "hard 64P2H1V0",
            2,
            (0, 1),
            (31, 8),
            D2Vertical,
            true,
            f64::INFINITY,
        ),
        row(
            "hard box of a copperhead",
            10,
            (0, 1),
            (10, 14),
            D2Vertical,
            true,
            f64::INFINITY,
        ),
    ]
};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // the hard ones are asked by name only
    let wanted = |name: &str| match words.is_empty() {
        true => !name.starts_with("hard"),
        false => words.iter().any(|word| name.contains(word)),
    };
    for row in BOX_ROWS.iter().filter(|row| wanted(row.name)) {
        check_box(row);
    }
    for row in ROW_ROWS.iter().filter(|row| wanted(row.0)) {
        check_rows(row);
    }
    if wanted("22 still lifes") {
        let cpu = cpu_seconds();
        let life = "B3/S23".parse().expect("Life");
        let all = list_still_lifes(&life, 12, &mut |_| SearchFlow::Continue).expect("a list");
        let strict = all.iter().filter(|life| life.is_strict).count();
        let pseudo = all.len() - strict;
        println!(
            "22 still lifes: {strict} strict, {pseudo} pseudo {:.2} s cpu",
            cpu_seconds() - cpu
        );
    }
    for &(name, period, side) in CYCLE_ROWS.iter().filter(|row| wanted(row.0)) {
        check_cycles(name, period, side);
    }
    for side in (1..=12).filter(|_| wanted("20 count")) {
        check_still_lifes(side, true);
    }
    for side in (1..=12).filter(|_| wanted("21 densest")) {
        check_still_lifes(side, false);
    }
}

const CYCLE_ROWS: &[(&str, u32, u32)] = &[
    ("count p2 5x5", 2, 5),
    ("count p3 5x5", 3, 5),
    ("count p2 6x6", 2, 6),
    ("count p3 6x6", 3, 6),
    ("hard count p2 7x7", 2, 7),
    ("hard count p3 7x7", 3, 7),
    ("hard count p2 8x8", 2, 8),
    ("hard count p3 8x8", 3, 8),
];

/// Counts oscillators with two engines.
fn check_cycles(name: &str, period: u32, side: u32) {
    let rule: rule::Rule = "B3/S23".parse().expect("Life");
    let block = BlockRule::new(&rule).expect("radius 1");
    let cpu = cpu_seconds();
    let by_rows = count_cycles(&block, period, side, side, &mut |_| SearchFlow::Continue);
    let rows_cpu = cpu_seconds() - cpu;
    println!("{name}: {by_rows:?} row by row, {rows_cpu:.2} s cpu");
    let problem = PeriodicQuestion::new(rule, period, side, side).problem();
    let mut search = CellSearch::new(problem.expect("a box"), CellSearchOptions::default());
    let mut count = 0;
    while let SearchAnswer::Found(_) = search.solve(&mut |_, _| SearchFlow::Continue) {
        count += 1;
    }
    let cells_cpu = cpu_seconds() - cpu - rows_cpu;
    println!("{name}: {count} by cells, {cells_cpu:.2} s cpu");
    assert_eq!(by_rows, Ok(count));
}

type RowRow = (&'static str, u32, u32, u32, RowSymmetry, usize);

const ROW_ROWS: &[RowRow] = &[
    ("17 c/3 w6 even", 3, 1, 6, RowSymmetry::Even, 1),
    ("17b c/3 w8 odd", 3, 1, 8, RowSymmetry::Odd, 1),
    ("18 c/4 w7 even", 4, 1, 7, RowSymmetry::Even, 0),
    ("18 2c/5 w7 odd", 5, 2, 7, RowSymmetry::Odd, 0),
    ("18 c/5 w8 odd", 5, 1, 8, RowSymmetry::Odd, 0),
    ("19 c/5 w9 even", 5, 1, 9, RowSymmetry::Even, 1),
    ("hard copperhead", 10, 1, 5, RowSymmetry::Even, 1),
    ("hard weekender", 7, 2, 9, RowSymmetry::Even, 1),
    ("hard loafer rows", 7, 1, 10, RowSymmetry::None, 1),
];

fn check_rows(row: &RowRow) {
    let &(name, period, offset, width, symmetry, _) = row;
    let question = RowQuestion {
        rule: "B3/S23".parse().expect("Life"),
        period,
        offset,
        width,
        symmetry,
        tagalongs: false,
        memory: 1 << 30,
    };
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let mut search = RowSearch::new(question).expect("a question");
    let mut found = 0;
    let mut last = SearchProgress::default();
    loop {
        let answer = search.solve_with(&run_jobs, &mut |progress, _| {
            last = progress.clone();
            if start.elapsed().as_secs_f64() > limit() {
                SearchFlow::Stop
            } else {
                SearchFlow::Continue
            }
        });
        match answer {
            RowAnswer::Found(cells) => {
                if found == 0 {
                    println!(
                        "{name}: {} cells, {:.3} s",
                        cells.len(),
                        cpu_seconds() - cpu
                    );
                }
                found += 1;
            }
            RowAnswer::Exhausted => break println!("exhausted"),
            RowAnswer::Stopped => break println!("stopped"),
        }
    }
    println!(
        "{name:24} {found} ships {:9.4} s cpu {:9.3} s {last:?}",
        cpu_seconds() - cpu,
        start.elapsed().as_secs_f64(),
    );
}

/// Seconds after which a question is left, the variable `LIMIT` or ten minutes.
fn limit() -> f64 {
    let limit = std::env::var("LIMIT").ok().and_then(|n| n.parse().ok());
    limit.unwrap_or(600.0)
}

/// Jobs on as many threads as the variable `THREADS` says, else on one.
fn run_jobs(count: usize, job: &(dyn Fn(usize) + Sync)) {
    let threads = std::env::var("THREADS").ok().and_then(|n| n.parse().ok());
    let next = AtomicUsize::new(0);
    let work = || while_next(&next, count, job);
    std::thread::scope(|scope| {
        for _ in 1..threads.unwrap_or(1).min(count) {
            scope.spawn(work);
        }
        work();
    });
}

fn while_next(next: &AtomicUsize, count: usize, job: &(dyn Fn(usize) + Sync)) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= count {
            return;
        }
        job(number);
    }
}

fn check_still_lifes(side: u32, is_count: bool) {
    let life = BlockRule::new(&"B3/S23".parse().expect("Life")).expect("radius 1");
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let go_on = &mut |_, _| SearchFlow::Continue;
    let told = if is_count {
        count_still_lifes(&life, side, side, go_on)
            .expect("small")
            .to_string()
    } else {
        densest_still_life(&life, side, side, go_on)
            .expect("small")
            .to_string()
    };
    println!(
        "{} {side}x{side} {told:12} {:9.4} s cpu {:9.3} s",
        if is_count { "20 count" } else { "21 densest" },
        cpu_seconds() - cpu,
        start.elapsed().as_secs_f64(),
    );
}

fn check_box(row: &BoxRow) {
    let rule = row.rule.parse().expect("a rule");
    let mut question = PeriodicQuestion::new(rule, row.period, row.size.0, row.size.1)
        .moving(row.velocity.0, row.velocity.1);
    question.symmetry = row.symmetry;
    question.up_to_symmetry = true;
    let problem = narrow_problem(&question, CellOrder::Auto).expect("a question");
    let repeats: u32 = std::env::var("REPEAT")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    let (start, cpu) = (Instant::now(), cpu_seconds());
    for _ in 1..repeats {
        let problem = narrow_problem(&question, CellOrder::Auto).expect("a question");
        let mut search = CellSearch::new(problem.clone(), CellSearchOptions::default());
        search.solve(&mut |_, _| SearchFlow::Continue);
    }
    let mut search = CellSearch::new(problem.clone(), CellSearchOptions::default());
    let mut nodes = 0;
    let answer = search.solve(&mut |progress, _| {
        nodes = progress.nodes;
        if start.elapsed().as_secs_f64() > limit() {
            SearchFlow::Stop
        } else {
            SearchFlow::Continue
        }
    });
    let told = match &answer {
        SearchAnswer::Found(states) => {
            assert!(problem.is_solved_by(states), "{}: a wrong answer", row.name);
            "found"
        }
        SearchAnswer::Exhausted => "none",
        SearchAnswer::Stopped => "stopped",
    };
    let seconds = start.elapsed().as_secs_f64();
    let is_right = told == if row.is_found { "found" } else { "none" };
    println!(
        "{:24} {told:8} {:9.4} s cpu {seconds:9.3} s (limit {:5}) {nodes:10} nodes{}",
        row.name,
        (cpu_seconds() - cpu) / f64::from(repeats),
        row.limit,
        if is_right { "" } else { "   WRONG" },
    );
}

/// Processor time of this process, where the system tells it.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: f64 = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}
