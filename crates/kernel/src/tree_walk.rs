//! Lookup tables by exact states: a tree walk for each cell, one level for all cells of a
//! block at a time, so that the processor waits for many loads at once. The three cells of a
//! row are looked up at once where their tree is small enough: WireWorld runs 1.6 times as
//! fast. That tree is made once so many cells were stepped that it is worth the while.

use super::row_tree::RowTree;
use grid::State;
use rule::LookupTable;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A table by the exact states of some cells.
#[derive(Clone, Debug)]
pub(super) struct LookupTreeWalk {
    table: LookupTable,
    rows: Arc<LateRowTree>,
    /// The width of the padding.
    margin: usize,
}

/// A tree over rows of cells that is made when it is worth its time.
#[derive(Debug, Default)]
struct LateRowTree {
    /// The cells that were stepped without it.
    walked: AtomicU64,
    /// None where it would be too large.
    tree: OnceLock<Option<RowTree>>,
}

/// Cells that walk down the tree together.
const BLOCK: usize = 64;

/// The cells that are stepped before the tree over rows is made: some milliseconds, which is
/// what the largest of these trees take.
const CELLS_BEFORE_ROWS: u64 = 1 << 20;

impl LookupTreeWalk {
    pub(super) fn new(table: &LookupTable, margin: usize) -> Self {
        Self {
            rows: Arc::default(),
            table: table.clone(),
            margin,
        }
    }

    /// The tree over rows for a job that goes on with so many cells, if it has become long
    /// enough and the tree is small enough.
    fn rows(&self, cells: usize) -> Option<&RowTree> {
        let rows = &*self.rows;
        if rows.tree.get().is_none() {
            let walked = rows.walked.fetch_add(cells as u64, Ordering::Relaxed);
            // of several threads one makes it, and no other waits
            let is_due = walked < CELLS_BEFORE_ROWS && walked + cells as u64 >= CELLS_BEFORE_ROWS;
            if is_due {
                let _ = rows.tree.set(self.compile_rows());
            }
        }
        rows.tree.get()?.as_ref()
    }

    fn compile_rows(&self) -> Option<RowTree> {
        let table = &self.table;
        RowTree::compile(table.tree()?, table.offsets(), table.states().into())
    }

    /// Steps rows of `width` cells.
    pub(super) fn step(&self, width: usize, padded: &[State], next: &mut [State]) {
        let rows = self.rows(next.len());
        let stride = width + 2 * self.margin;
        for (y, out) in next.chunks_exact_mut(width).enumerate() {
            let centre = (y + self.margin) * stride + self.margin;
            for (block, out) in out.chunks_mut(BLOCK).enumerate() {
                self.block(rows, centre + block * BLOCK, stride, padded, out);
            }
        }
    }

    /// Steps the cells from `centre` on, at most [`BLOCK`].
    fn block(
        &self,
        rows: Option<&RowTree>,
        centre: usize,
        stride: usize,
        padded: &[State],
        out: &mut [State],
    ) {
        let start = |dx: i32, dy: i32| {
            let row = centre as isize + dy as isize * stride as isize;
            (row + dx as isize) as usize
        };
        if let Some(rows) = rows {
            let states = self.table.states();
            let mut at = [rows.root; BLOCK];
            let at = &mut at[..out.len()];
            let mut index = [0; BLOCK];
            for group in &rows.groups {
                let cells = &padded[start(group.dx, group.dy)..];
                let index = &mut index[..at.len()];
                index.fill(0);
                for i in 0..group.levels.len() {
                    for (index, &state) in index.iter_mut().zip(&cells[i..]) {
                        *index = *index * states + u16::from(state);
                    }
                }
                for (at, &index) in at.iter_mut().zip(&*index) {
                    *at = rows.entries[*at as usize + usize::from(index)];
                }
            }
            for (out, at) in out.iter_mut().zip(at) {
                *out = *at as State;
            }
            return;
        }
        let Some(tree) = self.table.tree() else {
            for (x, out) in out.iter_mut().enumerate() {
                *out = self.table.next(|dx, dy| padded[start(dx, dy) + x]);
            }
            return;
        };
        let entries = &tree.entries[..];
        let mut at = [tree.root; BLOCK];
        let at = &mut at[..out.len()];
        for &(dx, dy) in self.table.offsets() {
            let cells = &padded[start(dx, dy)..][..at.len()];
            for (at, &state) in at.iter_mut().zip(cells) {
                *at = entries[*at as usize + usize::from(state)];
            }
        }
        for (out, at) in out.iter_mut().zip(at) {
            *out = *at as State;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;
    use rule::{Rule, Site, Transition};

    /// A rule file with random transitions.
    fn file(dice: &mut Dice, shape: &str, cells: usize, states: u32) -> String {
        let all: Vec<String> = (0..states).map(|state| state.to_string()).collect();
        let mut text =
            format!("@RULE X\n@TABLE\nn_states:{states}\nneighborhood:{shape}\nsymmetries:none\n");
        for name in 0..=cells {
            text += &format!("var v{name}={{{}}}\n", all.join(","));
        }
        text += &format!("{}\n", vec!["0"; cells + 2].join(","));
        for _ in 0..2 + dice.below(8) {
            let line = (0..=cells).map(|name| match dice.below(3) {
                0 => dice.below(states).to_string(),
                _ => format!("v{name}"),
            });
            let line: Vec<String> = line.collect();
            text += &format!("{},{}\n", line.join(","), dice.below(states));
        }
        text
    }

    #[test]
    fn both_trees_follow_the_table() {
        let mut dice = Dice::new(29);
        let shapes = [
            ("oneDimensional", 2),
            ("vonNeumann", 4),
            ("hexagonal", 6),
            ("Moore", 8),
        ];
        let mut made = 0;
        for case in 0..60 {
            let (shape, cells) = shapes[case % 4];
            let states = [2, 3, 8, 17, 64][case / 4 % 5];
            let text = file(&mut dice, shape, cells, states);
            let rule = Rule::from_file(&text).unwrap_or_else(|e| panic!("{e} in {text}"));
            let Transition::Lookup(table) = rule.transition(Site::default()) else {
                panic!("files hold lookup tables");
            };
            let walk = LookupTreeWalk::new(table, 1);
            let (width, height) = ([1, 63, 65, 130][case / 4 % 4], 7);
            let stride = width + 2;
            let padded: Vec<State> = (0..stride * (height + 2))
                .map(|_| dice.below(states) as State)
                .collect();
            let wanted: Vec<State> = (0..width * height)
                .map(|i| {
                    let centre: usize = (i / width + 1) * stride + i % width + 1;
                    table.next(|dx, dy| {
                        padded
                            [centre.strict_add_signed(dy as isize * stride as isize + dx as isize)]
                    })
                })
                .collect();
            let mut next = vec![0; width * height];
            walk.step(width, &padded, &mut next);
            assert!(next == wanted, "cell by cell: {text}");
            // the step that makes the cells enough has the rows already
            let before = CELLS_BEFORE_ROWS - next.len() as u64;
            walk.rows.walked.store(before, Ordering::Relaxed);
            walk.step(width, &padded, &mut next);
            assert!(next == wanted, "by rows: {text}");
            let rows = walk.rows.tree.get().expect("it was tried");
            made += usize::from(rows.is_some());
        }
        assert!(made > 40, "{made} trees over rows");
    }

    #[test]
    fn rows_are_made_when_enough_was_stepped_and_only_once() {
        let text = "@RULE X\n@TABLE\nn_states:2\nneighborhood:Moore\nsymmetries:none";
        let rule = Rule::from_file(text).unwrap();
        let Transition::Lookup(table) = rule.transition(Site::default()) else {
            panic!("files hold lookup tables");
        };
        let walk = LookupTreeWalk::new(table, 1);
        let half = CELLS_BEFORE_ROWS as usize / 2;
        assert!(walk.rows(half).is_none());
        assert!(walk.rows(half - 1).is_none());
        let copy = walk.clone();
        let first = walk.rows(1).map(std::ptr::from_ref);
        assert!(first.is_some());
        assert_eq!(copy.rows(1).map(std::ptr::from_ref), first);
    }
}
