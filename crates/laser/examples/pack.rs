//! Makes the pack of graded levels: `cargo run --release -p gridpaper-laser --example pack >
//! crates/laser/levels/pack.txt`. The same pack each time, in a few minutes.
//!
//! Only levels for which the solver never had to give up are taken: a quicker solver would
//! make the same ones.

use dice::Dice;
use laser::Board;
use laser::generator::{GeneratedLevel, Grade, LevelRecipe, Pieces, generate};
use laser::level::pack;
use std::collections::HashSet;

/// Levels of each grade.
const EACH: usize = 25;

/// The shapes of a grade's levels: sides and pieces, from and to.
struct GradeShape {
    grade: Grade,
    sides: [u32; 2],
    pieces: [u32; 2],
    walls: [u32; 2],
}

const SHAPES: [GradeShape; 4] = [
    GradeShape {
        grade: Grade::Easy,
        sides: [6, 8],
        pieces: [2, 4],
        walls: [15, 30],
    },
    GradeShape {
        grade: Grade::Medium,
        sides: [7, 10],
        pieces: [4, 5],
        walls: [15, 30],
    },
    GradeShape {
        grade: Grade::Hard,
        sides: [8, 12],
        pieces: [5, 7],
        walls: [15, 30],
    },
    GradeShape {
        grade: Grade::VeryHard,
        sides: [10, 15],
        pieces: [6, 10],
        walls: [15, 30],
    },
];

const HEAD: &str = "\
# A hundred levels of the laser puzzle, from easy to very hard, each with one solution.
# Made by: cargo run --release -p gridpaper-laser --example pack > crates/laser/levels/pack.txt
# Each opens with its name, a line for people, the recipe that makes it again
# (gridpaper laser generate --size 8x6 --pieces 2 --walls 24 --seed 1 and so on), and what
# the proof of its one solution found: the fewest moves, and the choices that the solver
# tried when the pack was made. crates/laser/src/level/pack.rs reads it.
";

fn main() {
    print!("{HEAD}");
    let mut seen = HashSet::new();
    for (index, shape) in SHAPES.iter().enumerate() {
        let mut dice = Dice::of_part(2026, index as u64);
        let mut levels: Vec<(LevelRecipe, GeneratedLevel)> = Vec::new();
        while levels.len() < EACH {
            let recipe = shape.recipe(levels.len(), &mut dice);
            let Ok(made) = generate(&recipe, &mut |progress| progress.tries < 200) else {
                continue;
            };
            if made.grade == shape.grade && made.unknown == 0 && seen.insert(plain(&made.board)) {
                levels.push((recipe, made));
                eprint!("\r{} {} of {EACH} ", shape.grade, levels.len());
            }
        }
        eprintln!();
        levels.sort_by_key(|(_, made)| (made.effort.score(), made.effort.nodes));
        for (number, (recipe, made)) in levels.iter().enumerate() {
            let name = format!("{}-{:02}", shape.grade, number + 1);
            print!("\n{}", pack::write(&name, recipe, made));
        }
    }
}

impl GradeShape {
    /// A recipe for the level after so many others: as many levels with each number of
    /// pieces, or few pieces would win, since they come out more often.
    fn recipe(&self, done: usize, dice: &mut Dice) -> LevelRecipe {
        let [from, to] = self.pieces;
        let kinds = (to - from + 1) as usize;
        let pieces = from + (done * kinds / EACH) as u32;
        let mut between = |[from, to]: [u32; 2]| from + dice.below(to - from + 1);
        LevelRecipe {
            width: between(self.sides),
            height: between(self.sides),
            pieces: Pieces::Number(pieces),
            walls: between(self.walls),
            seed: u64::from(dice.below(1_000_000)),
            difficulty: None,
        }
    }
}

/// A level without its hardware: two levels with the same one are too much alike.
fn plain(board: &Board) -> String {
    board.without_hardware().to_string()
}
