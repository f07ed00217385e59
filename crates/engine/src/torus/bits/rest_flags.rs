//! Rows that rest: as they are now they were four generations before, as many as there are
//! buffers, and so were all that their cells see. What comes of them came of them then, too,
//! and lies where it would be written: nothing needs to be done.
//!
//! ```text
//! buffer       a   b   c   d   a   b       rows 1 to 3 were the same in 4 and in 8:
//! generation   4   5   6   7   8   9       row 2 of 9 is row 2 of 5, which is there
//! ```
//!
//! Own method.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// The rows of a buffer that did not change since it was last written. Each thread writes flags
/// of its own rows, and reads those of rows whose cells it may read.
#[derive(Default)]
pub(super) struct RowRestFlags(Vec<AtomicBool>);

impl RowRestFlags {
    pub(super) fn new(rows: usize) -> Self {
        Self((0..rows).map(|_| AtomicBool::new(false)).collect())
    }

    /// Whether rows are watched at all.
    pub(super) fn is_kept(&self) -> bool {
        !self.0.is_empty()
    }

    pub(super) fn set(&self, row: usize, rests: bool) {
        self.0[row].store(rests, Ordering::Relaxed);
    }

    pub(super) fn get(&self, row: usize) -> bool {
        self.0[row].load(Ordering::Relaxed)
    }

    /// The rows that must be stepped, since a row within `radius` does not rest; as ranges with
    /// at least `gap` rows between them.
    pub(super) fn awake(&self, rows: Range<usize>, radius: usize, gap: usize) -> Vec<Range<usize>> {
        let mut awake: Vec<Range<usize>> = Vec::new();
        for row in rows.start - radius..rows.end + radius {
            if self.get(row) {
                continue;
            }
            let from = row.saturating_sub(radius).max(rows.start);
            let to = (row + radius + 1).min(rows.end);
            match awake.last_mut() {
                Some(last) if from <= last.end + gap => last.end = to,
                _ => awake.push(from..to),
            }
        }
        awake
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BitSheet, SheetKernel};
    use super::RowRestFlags;
    use crate::query::BlockCells;
    use crate::torus::TorusSheet;
    use dice::Dice;
    use grid::Rect;
    use rule::{Rule, Topology};

    #[test]
    fn rows_are_awake_where_they_see_one_that_is() {
        let rest = RowRestFlags::new(40);
        (0..40).for_each(|row| rest.set(row, true));
        let awake = |rows, radius, gap| rest.awake(rows, radius, gap);
        assert!(awake(2..38, 2, 0).is_empty());
        rest.set(10, false);
        rest.set(20, false);
        assert_eq!(awake(2..38, 2, 0), [8..13, 18..23]);
        assert_eq!(awake(2..38, 2, 4), [8..13, 18..23]);
        assert_eq!(awake(2..38, 2, 5).len(), 1);
        // Seen from outside of the rows, and cut at their ends.
        assert_eq!(awake(12..19, 2, 0), [12..13, 18..19]);
        rest.set(1, false);
        assert_eq!(awake(2..9, 2, 0), [2..4, 8..9]);
    }

    /// Life, but that crowded cells fare as chance has it: costly, and soon at rest.
    fn costly(edges: &str) -> Rule {
        let mut dice = Dice::new(1);
        let live = |index: u32| {
            let around = (index & !16).count_ones();
            match around {
                5.. => dice.coin(),
                _ => around == 3 || (around == 2 && index & 16 != 0),
            }
        };
        let bits: Vec<bool> = (0..512).map(live).collect();
        let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digit = |six: &[bool]| {
            let value = (0..6).fold(0, |v, k| 2 * v + usize::from(six.get(k) == Some(&true)));
            char::from(digits[value])
        };
        let map: String = bits.chunks(6).map(digit).collect();
        format!("MAP{map}:{edges}").parse().unwrap()
    }

    /// What does not look at rest is held against the rule elsewhere.
    fn restless(rule: &Rule) -> BitSheet {
        let kernel = SheetKernel::compile(rule).unwrap();
        let topology: Topology = *rule.topology();
        BitSheet::unwatched(kernel, topology, topology.rect().unwrap())
    }

    fn watched(rule: &Rule, threads: usize) -> BitSheet {
        let mut sheet = restless(rule);
        sheet.set_threads(threads);
        sheet.watch();
        sheet
    }

    fn same(one: &BitSheet, other: &BitSheet) -> bool {
        match (one.pack(), other.pack()) {
            (BlockCells::Bits { words: one, .. }, BlockCells::Bits { words: other, .. }) => {
                one == other
            }
            _ => false,
        }
    }

    fn resting(sheet: &BitSheet) -> usize {
        (0..sheet.height)
            .filter(|y| sheet.buffers[0].rest.get(y + sheet.margin))
            .count()
    }

    /// Soups that settle, in strides of any length, drawn on now and then.
    #[test]
    fn what_rests_need_not_be_stepped() {
        for (edges, threads) in [
            ("T192,1100", 1),
            ("T192,1100", 3),
            ("P130,900", 1),
            ("P130,900", 2),
            ("T64,120", 1),
        ] {
            let rule = costly(edges);
            let Rect { width, height, .. } = rule.topology().rect().unwrap();
            let (mut quick, mut slow) = (watched(&rule, threads), restless(&rule));
            let mut dice = Dice::new(5);
            let mut below = |n: u64| u64::from(dice.below(n as u32));
            let mut rested = 0;
            for round in 0..60 {
                // A soup at first, and later gliders that fly over the edges.
                let mut drawn = Vec::new();
                if round % 12 == 0 {
                    let some = (0..width * height / 3).map(|_| {
                        let (x, y) = (below(width), below(height));
                        // Most of the sheet stays empty; what is not lies across the edges.
                        (x, y / 3 + height - height / 6)
                    });
                    drawn.extend(some);
                } else if round % 12 > 5 {
                    let (x, y) = (below(width), below(24));
                    let glider = [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)];
                    let up = y > 8;
                    let turned = glider.map(|(dx, dy)| (dx, if up { 2 - dy } else { dy }));
                    drawn.extend(turned.map(|(dx, dy)| (x + dx, y + dy + height - 8)));
                }
                for (x, y) in drawn {
                    let (x, y) = ((x % width) as usize, (y % height) as usize);
                    quick.put(x, y, 1);
                    slow.put(x, y, 1);
                }
                if round % 12 == 9 {
                    let rows = height as usize / 9..height as usize / 7;
                    quick.erase(rows.clone(), 3, 60);
                    slow.erase(rows, 3, 60);
                }
                let stride = 1 + below(70);
                for sheet in [&mut quick, &mut slow] {
                    assert_eq!(sheet.advance(0, stride, &mut || true), stride);
                }
                assert!(same(&quick, &slow), "{edges}, {threads} threads, {round}");
                // What lies beyond the edges may take long to be seen inside of them.
                let beyond = |y: usize| {
                    let height = height as usize;
                    quick.buffers.iter().all(|rows| {
                        let inside = rows.row(y + height);
                        rows.row(y) == inside && rows.rest.get(y) == rows.rest.get(y + height)
                    })
                };
                let joined = edges.starts_with('T');
                assert!(!joined || (0..quick.margin).all(beyond), "{edges}, {round}");
                rested += resting(&quick);
            }
            assert!(rested > 100, "{edges}: {rested}");
        }
    }

    /// A generation that is given up has written over some of the one before.
    #[test]
    fn a_generation_that_is_given_up_is_none_to_compare_with() {
        let rule = costly("T64,700000");
        let (mut quick, mut slow) = (watched(&rule, 1), restless(&rule));
        for sheet in [&mut quick, &mut slow] {
            for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
                sheet.put(10 + x, 100 + y, 1);
            }
            assert_eq!(sheet.advance(0, 3, &mut || true), 3);
            assert_eq!(sheet.advance(0, 1, &mut || false), 0, "it was not asked");
            assert_eq!(sheet.advance(0, 3, &mut || true), 3);
        }
        assert!(same(&quick, &slow));
    }
}
