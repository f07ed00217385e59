//! What a small pattern becomes, generation by generation, until it repeats as a whole. Brent's
//! cycle finding over the cells themselves ("An improved Monte Carlo factorization algorithm",
//! BIT 20, 1980); all generations are kept, so that the first that repeats is found exactly.

use super::IdentifyOptions;
use crate::apgcode::WORK_BEFORE_SWELLING;
use crate::{PeriodicOrbit, StateBox};

/// Cells of all generations together, which bounds time and memory.
const MAX_WORK: usize = 1 << 26;

/// A pattern whose box grows past this many cells, and past [`MAX_SWELLING`] times its first box,
/// is left to another method.
const LEAST_AREA: usize = 1 << 14;

/// See [`LEAST_AREA`].
const MAX_SWELLING: usize = 9;

/// How a pattern ends.
#[derive(Debug)]
pub(super) enum PatternEnd {
    /// It repeats as a whole, from the first generation of the orbit on.
    Orbit {
        orbit: PeriodicOrbit,
        /// Of each generation before the orbit and in it.
        populations: Vec<u64>,
    },
    /// It is gone at a generation.
    Death { generation: u64 },
    /// Not known within the limits.
    Limit,
    /// The caller wanted no more.
    Interruption,
}

/// Runs `cells` until they repeat. `swells` says, if it knows, whether the box around the cells is
/// larger than so many cells in some generation. A cell of a generation costs `cost`. `step` gives the cells after a generation,
/// and nothing where they are too far apart; `repeats` says
/// whether the second is the first again, perhaps moved, at ages that differ by the number.
pub(super) fn find_end(
    cells: &StateBox,
    options: &IdentifyOptions,
    cost: usize,
    step: &mut dyn FnMut(&StateBox, u64) -> Option<StateBox>,
    repeats: &dyn Fn(&StateBox, &StateBox, u64) -> bool,
    swells: &mut dyn FnMut(usize) -> bool,
    control: &mut dyn FnMut(u64) -> bool,
) -> PatternEnd {
    let largest = (MAX_SWELLING * cells.area()).max(LEAST_AREA);
    let most_work = MAX_WORK.min(usize::try_from(options.memory).unwrap_or(MAX_WORK));
    let mut ages = vec![cells.clone()];
    let mut work = cells.area();
    let mut may_swell = true;
    let (mut marker, mut next_question) = (0, 0);
    loop {
        let last = ages.len() as u64 - 1;
        if work >= next_question {
            next_question = work + (1 << 20);
            if !control(last) {
                return PatternEnd::Interruption;
            }
        }
        let Some(now) = step(&ages[last as usize], last) else {
            return PatternEnd::Limit;
        };
        let age = last + 1;
        work += cost * (now.area() + 64);
        if now.is_empty() {
            return PatternEnd::Death { generation: age };
        }
        if repeats(&ages[marker as usize], &now, age - marker) {
            let length = (age - marker) as usize;
            ages.push(now);
            let mut start = marker as usize;
            while start > 0 && repeats(&ages[start - 1], &ages[start - 1 + length], length as u64) {
                start -= 1;
            }
            ages.truncate(start + length + 1);
            let populations = ages.iter().map(StateBox::population).collect();
            let (dx, dy) = (
                ages[start + length].x - ages[start].x,
                ages[start + length].y - ages[start].y,
            );
            ages.pop();
            let orbit = PeriodicOrbit {
                generation: start as u64,
                phases: ages.split_off(start),
                dx,
                dy,
            };
            return PatternEnd::Orbit { orbit, populations };
        }
        if now.area() > largest || work > most_work || age - marker > options.period {
            return PatternEnd::Limit;
        }
        // it would be so in the end
        if may_swell && work > WORK_BEFORE_SWELLING {
            may_swell = false;
            if swells(largest) {
                return PatternEnd::Limit;
            }
        }
        ages.push(now);
        if age.is_power_of_two() {
            marker = age;
        }
    }
}
