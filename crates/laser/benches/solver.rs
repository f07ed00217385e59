//! How long the solver takes for generated levels: to find a solution, to prove that there
//! is no other, and to find the fewest moves. Medians, and the worst.
//!
//! The levels of a row are those of the seeds from 1 on, the same each time; to make those
//! with ten pieces takes some minutes. Ten pieces are measured among more walls, since with
//! fewer the generator hardly finds a level with one solution only. Arguments pick
//! rows by a part of their names: `cargo bench -p gridpaper-laser --bench solver -- 15x15`.

use laser::Board;
use laser::generator::{LevelRecipe, Pieces, generate};
use laser::solver::{Aim, Question, solve};
use std::time::{Duration, Instant};

/// Side, pieces, walls in percent, levels.
const ROWS: [(u32, u32, u32, u64); 3] = [(8, 4, 20, 100), (15, 6, 25, 100), (15, 10, 35, 100)];

/// Longer than this, and the level counts as not solved.
const LONGEST: Duration = Duration::from_secs(60);

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    println!("level           asked     median       90 %      worst   nodes: median      worst");
    for (side, pieces, walls, levels) in ROWS {
        let name = format!("{side}x{side}, {pieces} pieces");
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part)) {
            continue;
        }
        let begun = Instant::now();
        let boards: Vec<Board> = (1..=levels)
            .filter_map(|seed| {
                let recipe = LevelRecipe {
                    width: side,
                    height: side,
                    pieces: Pieces::Number(pieces),
                    walls,
                    seed,
                    difficulty: None,
                };
                Some(generate(&recipe, &mut |_| true).ok()?.board)
            })
            .collect();
        println!(
            "{name}: {} levels made in {:.1?}",
            boards.len(),
            begun.elapsed()
        );
        row(&name, "any", Aim::Any, &boards);
        row(&name, "unique", Aim::All { up_to: 2 }, &boards);
        row(&name, "fewest", Aim::Fewest, &boards);
    }
}

fn row(name: &str, asked: &str, aim: Aim, boards: &[Board]) {
    let mut times = Vec::new();
    let mut nodes = Vec::new();
    let mut open = 0;
    for board in boards {
        let begun = Instant::now();
        let answer = solve(board, Question::new(aim), &mut |_| {
            begun.elapsed() < LONGEST
        });
        let is_done = match aim {
            Aim::Any => answer.solvable.is_some(),
            Aim::All { .. } => answer.is_complete,
            Aim::Fewest => answer.is_fewest,
        };
        open += u32::from(!is_done);
        times.push(begun.elapsed());
        nodes.push(answer.nodes);
    }
    times.sort_unstable();
    nodes.sort_unstable();
    let (Some(worst), Some(most)) = (times.last(), nodes.last()) else {
        return;
    };
    let (median, tenth) = (times[times.len() / 2], times[times.len() * 9 / 10]);
    let middle = nodes[nodes.len() / 2];
    println!(
        "{name:<15} {asked:<7} {:>9} {:>10} {:>10} {middle:>15} {most:>10}{}",
        format!("{median:.1?}"),
        format!("{tenth:.1?}"),
        format!("{worst:.1?}"),
        if open > 0 {
            format!("  {open} not known")
        } else {
            String::new()
        },
    );
}
