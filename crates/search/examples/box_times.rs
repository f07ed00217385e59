//! How long one question takes, for `cargo xtask peers search`. Of a box:
//! `box_times WIDTH HEIGHT PERIOD DX DY SYMMETRY RULE` prints `found` or `none` and the seconds of
//! processor time, the mean of as many runs as half a second holds. Of ships of any height:
//! `box_times rows OFFSET PERIOD WIDTH SYMMETRY THREADS` prints the number of ships.

use search::{
    CellOrder, CellSearch, CellSearchOptions, PeriodicQuestion, ProblemSolver, RowAnswer,
    RowQuestion, RowSearch, SearchAnswer, SearchFlow, narrow_problem,
};
use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["rows", offset, period, width, symmetry, threads] => {
            let question = RowQuestion {
                rule: "B3/S23".parse()?,
                period: period.parse()?,
                offset: offset.parse()?,
                width: width.parse()?,
                symmetry: symmetry.parse()?,
                tagalongs: false,
                memory: 1 << 31,
            };
            println!("{}", count_ships(question, threads.parse()?)?);
        }
        [width, height, period, dx, dy, symmetry, rule] => {
            let (width, height) = (width.parse()?, height.parse()?);
            let mut question = PeriodicQuestion::new(rule.parse()?, period.parse()?, width, height)
                .moving(dx.parse()?, dy.parse()?);
            question.symmetry = symmetry.parse()?;
            question.up_to_symmetry = true;
            let (mut runs, mut seconds) = (0, 0.0);
            let begun = cpu_seconds();
            let mut is_found = false;
            while seconds < 0.5 {
                let problem = narrow_problem(&question, CellOrder::Auto)?;
                let mut search = CellSearch::new(problem, CellSearchOptions::default());
                let answer = search.solve(&mut |_, _| SearchFlow::Continue);
                is_found = matches!(answer, SearchAnswer::Found(_));
                runs += 1;
                seconds = cpu_seconds() - begun;
            }
            let told = if is_found { "found" } else { "none" };
            println!("{told} {}", seconds / f64::from(runs));
        }
        _ => return Err("expected a box, or rows".into()),
    }
    Ok(())
}

fn count_ships(question: RowQuestion, threads: usize) -> Result<usize, Box<dyn Error>> {
    let jobs = |count: usize, job: &(dyn Fn(usize) + Sync)| {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(number) = take(&next, count) {
                job(number);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(count) {
                scope.spawn(work);
            }
            work();
        });
    };
    let mut search = RowSearch::new(question)?;
    let mut ships = 0;
    while let RowAnswer::Found(_) = search.solve_with(&jobs, &mut |_, _| SearchFlow::Continue) {
        ships += 1;
    }
    Ok(ships)
}

fn take(next: &AtomicUsize, count: usize) -> Option<usize> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    (number < count).then_some(number)
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
