//! What a step changed, in words: for who cannot see the board.
//!
//! Own method: the rows of live cells before and after are compared segment by segment. Worlds of
//! many cells are not compared: nobody would be told in time.

use engine::World;
use num_bigint::{BigInt, BigUint};
use std::ops::ControlFlow;

/// Worlds of more live cells, or of more row segments, are not compared.
const MOST_CELLS: u64 = 100_000;
const MOST_SEGMENTS: usize = 20_000;

/// The live cells of a generation.
#[derive(Clone, Debug)]
pub(crate) struct LiveSegments {
    /// Row, first column and length, in order.
    segments: Vec<(i64, i64, u64)>,
}

/// How many cells a change made live, and how many it made empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellChange {
    pub(crate) generation: BigInt,
    born: u64,
    died: u64,
    population: BigUint,
}

impl LiveSegments {
    /// Those of a world; `None` where there are too many.
    pub(crate) fn of(world: &dyn World) -> Option<Self> {
        if world.population() > MOST_CELLS.into() {
            return None;
        }
        let mut segments = Vec::new();
        let ended = world.cells().try_for_each_run(&mut |run| {
            segments.push((run.y, run.x, run.length));
            match segments.len() <= MOST_SEGMENTS {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        segments.sort_unstable();
        ended.is_continue().then_some(Self { segments })
    }

    fn count(&self) -> u64 {
        self.segments.iter().map(|(_, _, length)| length).sum()
    }

    /// How many cells are live in both.
    fn common(&self, other: &Self) -> u64 {
        let (mut a, mut b) = (
            self.segments.iter().peekable(),
            other.segments.iter().peekable(),
        );
        let mut common = 0;
        while let (Some(&&(y, x, length)), Some(&&(v, u, width))) = (a.peek(), b.peek()) {
            let (end, far) = (
                i128::from(x) + i128::from(length),
                i128::from(u) + i128::from(width),
            );
            if y == v {
                let both = end.min(far) - i128::from(x.max(u));
                common += u64::try_from(both).unwrap_or(0);
            }
            match (y, end) <= (v, far) {
                true => a.next(),
                false => b.next(),
            };
        }
        common
    }

    /// What has changed since.
    pub(crate) fn change_to(&self, world: &dyn World) -> Option<CellChange> {
        let after = Self::of(world)?;
        let common = self.common(&after);
        Some(CellChange {
            generation: world.generation().clone(),
            born: after.count() - common,
            died: self.count() - common,
            population: world.population(),
        })
    }
}

impl CellChange {
    /// In words: `12 born, 9 died, population 116`.
    pub(crate) fn words(&self) -> String {
        let Self {
            born,
            died,
            population,
            ..
        } = self;
        match (born, died) {
            (0, 0) => format!("nothing changed, population {population}"),
            _ => format!("{born} born, {died} died, population {population}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Against sets of cells.
    #[test]
    fn segments_have_in_common_what_sets_have() {
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..300 {
            let mut make = || {
                let cells: BTreeSet<(i64, i64)> = (0..next(40))
                    .map(|_| (next(4) as i64 - 2, next(12) as i64 - 6))
                    .collect();
                // neighbours are now and then one segment
                let mut segments: Vec<(i64, i64, u64)> = Vec::new();
                for &(y, x) in &cells {
                    match segments.last_mut() {
                        Some((v, u, length))
                            if *v == y && *u + *length as i64 == x && next(2) == 0 =>
                        {
                            *length += 1;
                        }
                        _ => segments.push((y, x, 1)),
                    }
                }
                (cells, LiveSegments { segments })
            };
            let ((a, before), (b, after)) = (make(), make());
            assert_eq!(
                before.common(&after),
                a.intersection(&b).count() as u64,
                "{before:?} {after:?}"
            );
        }
    }
}
