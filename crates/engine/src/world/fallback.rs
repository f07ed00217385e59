//! Queries and edits for any world, through its runs: slow, simple, and the oracle for the
//! quicker implementations.

use crate::{Snapshot, UnsupportedError, World};
use grid::{Point, Rect, State};
use num_bigint::BigInt;
use pattern::{Cells, Run};

/// [`World::bits_in`].
pub(crate) fn bits<W: World + ?Sized>(world: &W, rect: Rect, bits: &mut Vec<u8>) {
    let stride = rect.width.div_ceil(8) as usize;
    bits.clear();
    bits.resize(stride * rect.height as usize, 0);
    world.runs_in(rect, &mut |run| {
        let row = run.y.abs_diff(rect.y) as usize * stride;
        let first = run.x.abs_diff(rect.x) as usize;
        for x in first..first + run.length as usize {
            bits[row + x / 8] |= 0x80 >> (x % 8);
        }
    });
}

/// [`World::states_in`].
pub(crate) fn states<W: World + ?Sized>(world: &W, rect: Rect, states: &mut Vec<State>) {
    let stride = rect.width as usize;
    states.clear();
    states.resize(stride * rect.height as usize, 0);
    world.runs_in(rect, &mut |run| {
        let row = run.y.abs_diff(rect.y) as usize * stride;
        let first = row + run.x.abs_diff(rect.x) as usize;
        states[first..first + run.length as usize].fill(run.state);
    });
}

/// [`World::erase`].
pub(crate) fn erase<W: World + ?Sized>(world: &mut W, rect: Rect) {
    let mut runs: Vec<Run> = Vec::new();
    world.runs_in(rect, &mut |run| runs.push(run));
    for run in runs {
        for x in (run.x..).take(run.length as usize) {
            let emptied = world.set(Point::new(x, run.y), 0);
            emptied.expect("a cell that lives can be emptied");
        }
    }
}

/// The four rectangles around one: all other cells of the plane.
pub(crate) fn around(rect: Rect) -> [Rect; 4] {
    let all = Rect::new(i64::MIN, i64::MIN, u64::MAX, u64::MAX);
    if rect.is_empty() {
        return [all, Rect::default(), Rect::default(), Rect::default()];
    }
    let from = |x: i64| u64::MAX - x.abs_diff(i64::MIN);
    let beside = |x: i64, width: u64| Rect::new(x, rect.y, width, rect.height);
    let (right, bottom) = (rect.right(), rect.bottom());
    [
        Rect::new(all.x, all.y, u64::MAX, rect.y.abs_diff(i64::MIN)),
        beside(i64::MIN, rect.x.abs_diff(i64::MIN)),
        beside(right, from(right)),
        Rect::new(all.x, bottom, u64::MAX, from(bottom)),
    ]
}

/// [`World::restore`].
pub(crate) fn restore<W: World + ?Sized>(
    world: &mut W,
    snapshot: &Snapshot,
) -> Result<(), UnsupportedError> {
    replace_cells(world, &snapshot.cells(), snapshot.generation())
}

/// [`World::replace_cells`].
pub(crate) fn replace_cells<W: World + ?Sized>(
    world: &mut W,
    cells: &Cells,
    generation: &BigInt,
) -> Result<(), UnsupportedError> {
    UnsupportedError::check_state(world.engine(), world.rule(), cells.max_state())?;
    world.keep_only(Rect::default());
    world.set_generation(generation.clone());
    world.load(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_sides_are_all_but_the_middle() {
        for rect in [
            Rect::new(-3, 2, 7, 5),
            Rect::new(i64::MIN, 0, 5, 5),
            Rect::new(i64::MAX - 5, i64::MAX - 5, 5, 5),
            Rect::new(0, 0, 0, 9),
        ] {
            let sides = around(rect);
            let edges = [rect.x, rect.y, rect.right(), rect.bottom()];
            let near = |c: i64| [c.saturating_sub(1), c, c.saturating_add(1)];
            let places = edges.into_iter().flat_map(near);
            let places: Vec<i64> = places.chain([i64::MIN, 0, i64::MAX - 1]).collect();
            for &x in places.iter().filter(|&&c| c < i64::MAX) {
                for &y in places.iter().filter(|&&c| c < i64::MAX) {
                    let p = Point::new(x, y);
                    let covered = sides.iter().filter(|side| side.contains(p)).count();
                    assert_eq!(covered + usize::from(rect.contains(p)), 1, "{rect:?} {p:?}");
                }
            }
        }
    }
}
