//! Whether a pattern repeats itself. Engineered patterns do, and continue to; soups do not. Where
//! one does, HashLife is the better engine from the start, whatever form its file has.
//!
//! Own method; the bounds were measured on the patterns that Golly comes with.

use pattern::{Cells, Run};
use std::ops::ControlFlow;

/// Live leaves of 8 x 8 cells, or of 2 x 2 where there are more than two states, that make
/// [`sharing`] meaningful; for fewer, both engines are soon tried.
const MIN_LEAVES_TO_JUDGE: u128 = 1 << 12;

/// The [`sharing`] from which on HashLife is used without a trial. It is 0.8 for soups, 1.2 for
/// waterbear, 1.8 to 8 for demonoids, Gemini, caterpillar, von Neumann's machines and the prime
/// computer, 166 for the tape of a constructor in Codd's automaton, and hundreds for metapixels.
/// HashLife is at least twice as quick on the second and all those after it, from 64 generations
/// to 10,000.
const MIN_SHARING: f64 = 1.2;

/// Runs that are made a quadtree to see whether it is worth making one of all: half a millisecond's
/// worth.
const SAMPLE: usize = 1 << 13;

/// Whether cells that are held as a quadtree repeat themselves.
pub(super) fn repeats(cells: &Cells) -> bool {
    sharing(cells) >= MIN_SHARING
}

/// Cells that are held as runs, as a quadtree.
pub(super) struct JudgedTree {
    pub(super) cells: Cells,
    /// Whether they repeat themselves.
    pub(super) repeats: bool,
}

/// Cells that are held as runs, as a quadtree if they repeat themselves or seemed to. Of those that
/// do not, seldom more than a sample is looked at.
pub(super) fn judged_tree(cells: &Cells) -> Option<JudgedTree> {
    if cells.as_tree().is_some() || cells.walk_length() < MIN_LEAVES_TO_JUDGE {
        return None;
    }
    let mut first = Vec::with_capacity(SAMPLE);
    let _ = cells.try_for_each_run(&mut |run: Run| {
        first.push(run);
        match first.len() < SAMPLE {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    let is_all = first.len() < SAMPLE;
    let sample = Cells::from_tree(Cells::from_runs(first).to_tree());
    let tree = match is_all {
        true => sample,
        false if mean_occurrences(&sample) < MIN_SHARING => return None,
        false => Cells::from_tree(cells.to_tree()),
    };
    Some(JudgedTree {
        repeats: repeats(&tree),
        cells: tree,
    })
}

/// The [`mean_occurrences`] in a quadtree of enough leaves; a few cells are no evidence.
fn sharing(cells: &Cells) -> f64 {
    match cells.walk_length() > MIN_LEAVES_TO_JUDGE {
        true => mean_occurrences(cells),
        false => 0.0,
    }
}

/// How often each distinct node of a quadtree stands in it on average, by its leaves; 0 for runs.
fn mean_occurrences(cells: &Cells) -> f64 {
    cells.as_tree().map_or(0.0, |tree| {
        cells.walk_length() as f64 / tree.nodes.len() as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EngineChoice, Options, open_job};
    use dice::Dice;
    use pattern::Pattern;

    /// Rows of runs: each of the given length, with a gap of the next length after it.
    fn rows(count: i64, mut length: impl FnMut() -> u32) -> Cells {
        let mut runs = Vec::new();
        for y in 0..count {
            let mut x = 0;
            while x < 2000 {
                let run = u64::from(length());
                runs.push(Run {
                    y,
                    x,
                    length: run,
                    state: 1,
                });
                x += run as i64 + i64::from(length());
            }
        }
        Cells::from_runs(runs)
    }

    #[test]
    fn a_pattern_that_repeats_itself_becomes_a_tree() {
        // more runs than a sample, and fewer
        for count in [200, 16] {
            let mut dice = Dice::new(1);
            let soup = rows(count, || 1 + dice.below(4));
            assert!(soup.walk_length() > MIN_LEAVES_TO_JUDGE);
            let judged = judged_tree(&soup);
            // a sample that is all of it is at hand for a trial
            assert_eq!(judged.is_some(), count == 16, "{count}");
            assert!(judged.is_none_or(|judged| !judged.repeats && judged.cells == soup));
            let mut lengths = [1, 2, 3, 2].into_iter().cycle();
            let tape = rows(count, || lengths.next().unwrap());
            let judged = judged_tree(&tape).unwrap();
            // a short tape has too few leaves for a judgement
            assert_eq!(judged.repeats, count == 200, "{count}");
            assert!(judged.cells.as_tree().is_some());
            assert_eq!(judged.cells, tape);
        }
        assert!(judged_tree(&rows(1, || 9)).is_none(), "few cells");
    }

    /// A job on a tape is hashed at once, whatever holds its cells, and one on a soup is stepped.
    #[test]
    fn a_job_takes_the_engine_that_suits_its_cells() {
        let (rule, many) = ("B3/S23".parse().unwrap(), 100u32.into());
        let engine_of = |cells: Cells| {
            let pattern = Pattern {
                cells,
                ..Pattern::default()
            };
            let options = Options::default();
            let opened = open_job(EngineChoice::Auto, &rule, &pattern, &many, &options).unwrap();
            assert_eq!(opened.world.population(), pattern.cells.population());
            (opened.world.engine(), opened.engine_reason)
        };
        let mut lengths = [1, 2, 3, 2].into_iter().cycle();
        let tape = rows(200, || lengths.next().unwrap());
        let hashed = ("hashlife", "the pattern repeats itself".to_string());
        assert_eq!(engine_of(Cells::from_tree(tape.to_tree())), hashed);
        assert_eq!(engine_of(tape), hashed);
        let mut dice = Dice::new(1);
        assert_eq!(engine_of(rows(200, || 1 + dice.below(4))).0, "tiles");
    }

    /// What begins with a tape and goes on as a soup is judged by all of it.
    #[test]
    fn all_of_a_pattern_decides() {
        let mut dice = Dice::new(1);
        let mut drawn = 0;
        let mixed = rows(600, || {
            drawn += 1;
            match drawn < 2 * SAMPLE {
                true => 2,
                false => 1 + dice.below(4),
            }
        });
        assert!(!judged_tree(&mixed).unwrap().repeats);
    }
}
