//! Columns of cells in bits, stepped together, against the rule.

use crate::bit::RULES;
use dice::Dice;
use kernel::simd::{SimdElement, SimdTask, Vector, with_each_width};
use kernel::{
    BitColumn, BitKernel, ColumnAdvance, ColumnTask, InterpreterOnly, MAX_COLUMNS, word_of_row,
};
use rule::{Rule, Site};

/// The rows of a column.
const ROWS: usize = 64;

#[test]
fn every_row_has_a_word_of_its_own() {
    let mut words: Vec<usize> = (0..ROWS).map(word_of_row).collect();
    assert_eq!(words[..9], [0, 8, 16, 24, 32, 40, 48, 56, 1]);
    words.sort_unstable();
    assert!(words.into_iter().eq(0..ROWS));
}

/// Advances some columns together.
struct ManyColumnsTask<'a> {
    kernel: &'a BitKernel,
    phases: [usize; 2],
    generations: usize,
    rows: &'a [BitColumn],
    next: &'a mut [BitColumn],
}

impl SimdTask<u64> for ManyColumnsTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        self.kernel.with_columns::<V>(self.phases, self);
    }
}

impl<V: Vector<u64>> ColumnTask<V> for ManyColumnsTask<'_> {
    #[inline(always)]
    fn run<A: ColumnAdvance<V>>(self, advance: &mut A) {
        let together = A::columns().as_mut().len();
        let chunks = self.rows.chunks(together);
        for (rows, next) in chunks.zip(self.next.chunks_mut(together)) {
            for (k, rows) in rows.iter().enumerate() {
                advance.take_in(k, rows);
            }
            advance.advance(rows.len(), self.generations);
            for (k, (rows, next)) in rows.iter().zip(next).enumerate() {
                advance.give_back(k, rows, next);
            }
        }
    }
}

/// Tests the cells that a column determines, after up to four generations, against the
/// rule, cell by cell.
fn check(text: &str) {
    let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    let kernel = BitKernel::compile(&rule, &InterpreterOnly).unwrap();
    let mut dice = Dice::new(3);
    let start: Vec<[u64; ROWS]> = (0..MAX_COLUMNS + 3)
        .map(|_| std::array::from_fn(|_| dice.word() & dice.word()))
        .collect();
    let columns: Vec<BitColumn> = start
        .iter()
        .map(|rows| {
            let mut column = BitColumn::BLANK;
            for (y, row) in rows.iter().enumerate() {
                *column.row_mut(y) = *row;
            }
            column
        })
        .collect();
    for phase in 0..kernel.time_period() {
        let mut now = start.clone();
        for generations in 0..=4 {
            let phases = [phase, phase + 1].map(|phase| phase % kernel.time_period());
            for count in [1, 2, 8, 9, 11] {
                with_each_width(|| {
                    let mut next = vec![BitColumn([7; ROWS]); count];
                    u64::dispatch(ManyColumnsTask {
                        kernel: &kernel,
                        phases,
                        generations,
                        rows: &columns[..count],
                        next: &mut next,
                    });
                    for (got, wanted) in next.iter().zip(&now) {
                        let rows = wanted.iter().enumerate();
                        let rows = rows.take(ROWS - generations).skip(generations);
                        for (y, wanted) in rows {
                            let wrong = got.row(y) ^ wanted;
                            let known = wrong << generations >> (2 * generations);
                            assert_eq!(known, 0, "{text}, phase {phase}, row {y} of {count}");
                        }
                    }
                });
            }
            for rows in &mut now {
                let cell = |x: i64, y: i64| {
                    let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
                    let is_inside = (0..64).contains(&x);
                    row.map_or(0, |row| if is_inside { (row >> x & 1) as u8 } else { 0 })
                };
                let site = Site {
                    generation: (phase + generations) as u64,
                    ..Site::default()
                };
                let next = |x: i64, y: i64| {
                    let look = |dx: i32, dy: i32| cell(x + i64::from(dx), y + i64::from(dy));
                    u64::from(rule.next(site, look))
                };
                *rows =
                    std::array::from_fn(|y| (0..64).map(|x| next(x, y as i64) << x).sum::<u64>());
            }
        }
        // A single word of rows in natural order, by a generation.
        let next = kernel.advance_word(phase, &start[0]);
        let column = &columns[0];
        let mut wanted = [BitColumn::BLANK];
        u64::dispatch(ManyColumnsTask {
            kernel: &kernel,
            phases: [phase; 2],
            generations: 1,
            rows: std::slice::from_ref(column),
            next: &mut wanted,
        });
        for (y, next) in next.into_iter().enumerate().take(ROWS - 1).skip(1) {
            assert_eq!(next, wanted[0].row(y), "{text}, row {y}");
        }
    }
}

#[test]
fn columns_follow_the_rule() {
    for rule in RULES {
        check(rule);
    }
}
