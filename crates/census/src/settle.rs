//! When a soup has settled.
//!
//! The readings are apgsearch's (its `stabilise.h`, facts only): the population of the whole
//! plane is read every so many generations, until it has stayed the same long enough. Most soups
//! end before: nothing but period 2 and gliders that fly away is left, which is certain.

pub(crate) mod cluster;
pub(crate) mod plane;
pub(crate) mod step;

use plane::SoupPlane;

/// Readings before a soup counts as growing, or as something of a very long period.
const READINGS: u32 = 1000;

/// What the readings say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The population repeats; it is to be watched for this many generations.
    Settled {
        /// Generations to watch.
        duration: u64,
        /// The last generation at which a reading differed from the one before.
        changed: u64,
    },
    /// It does not, to the last reading.
    Unsettled,
}

/// Reads the population until it stays the same.
pub(crate) fn read_until_settled(plane: &mut SoupPlane) -> Reading {
    let (mut period, mut equal, mut before) = (12, 0, 0);
    let mut changed = plane.generation();
    for i in 0..READINGS {
        let needed = match i {
            0..40 => 15,
            40..60 => 20,
            60..80 => 25,
            _ => 30,
        };
        period = match i {
            400 => 18,
            500 => 24,
            600 => 30,
            _ => period,
        };
        plane.advance(period);
        let population = plane.population();
        if population == before {
            equal += 1;
        } else {
            (equal, before) = (0, population);
            changed = plane.generation();
            period ^= 4;
        }
        if plane.is_quiet() {
            let duration = 2;
            return Reading::Settled { duration, changed };
        }
        if equal == needed {
            let duration = period;
            return Reading::Settled { duration, changed };
        }
    }
    Reading::Unsettled
}

/// Before each attempt to cut the ash: generations to advance, and to watch. The first watches
/// for as long as the readings said.
pub(crate) const ATTEMPTS: [(u64, Option<u64>); 6] = [
    (0, None),
    (120, Some(960)),
    (480, Some(3840)),
    (1920, Some(7680)),
    (7680, Some(7680)),
    (30720, Some(7680)),
];
