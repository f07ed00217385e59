//! Sets of cells with each other: union, intersection, where one stands in another, and what
//! hangs together. Own methods, over runs sorted by row.

use gridpaper::{Cells, Run, State};
use std::collections::HashMap;

/// The most runs that are listed; a quadtree may stand for many more.
const MOST_RUNS: u128 = 1 << 26;
/// The most cells that are listed one by one.
const MOST_CELLS: u64 = 1 << 27;

/// More cells than can be listed.
#[derive(Debug)]
pub(crate) struct TooManyCells;

/// All runs, sorted by row and column.
pub(crate) fn runs(cells: &Cells) -> Result<Vec<Run>, TooManyCells> {
    if cells.walk_length() > MOST_RUNS {
        return Err(TooManyCells);
    }
    let mut runs = Vec::new();
    cells.for_each_run(&mut |run| runs.push(run));
    runs.sort_unstable_by_key(|run| (run.y, run.x));
    Ok(runs)
}

/// All live cells, sorted by row and column.
pub(crate) fn cells(cells: &Cells) -> Result<Vec<(i64, i64, State)>, TooManyCells> {
    let runs = runs(cells)?;
    let count: u64 = runs.iter().map(|run| run.length).sum();
    if count > MOST_CELLS {
        return Err(TooManyCells);
    }
    let mut all = Vec::with_capacity(count as usize);
    for run in runs {
        all.extend((run.x..run.x + run.length as i64).map(|x| (run.y, x, run.state)));
    }
    Ok(all)
}

/// Cells from a list of them; later ones replace earlier ones in the same place.
pub(crate) fn from_cells(mut list: Vec<(i64, i64, State)>) -> Cells {
    list.sort_by_key(|&(y, x, _)| (y, x));
    let mut runs: Vec<Run> = Vec::new();
    let mut last = None;
    for (y, x, state) in list.into_iter().rev() {
        if last == Some((y, x)) {
            continue;
        }
        last = Some((y, x));
        match runs.last_mut() {
            Some(run) if run.y == y && run.state == state && x + 1 == run.x => {
                run.x = x;
                run.length += 1;
            }
            _ => runs.push(Run {
                x,
                y,
                length: 1,
                state,
            }),
        }
    }
    runs.reverse();
    runs.retain(|run| run.state != 0);
    Cells::from_runs(runs)
}

/// What two sets of cells have in each place, by a function of both states.
pub(crate) fn combine(
    first: &Cells,
    second: &Cells,
    state: fn(State, State) -> State,
) -> Result<Cells, TooManyCells> {
    let (first, second) = (runs(first)?, runs(second)?);
    let (mut a, mut b) = (first.as_slice(), second.as_slice());
    let mut combined = Vec::new();
    while let Some(y) = [a.first(), b.first()]
        .into_iter()
        .flatten()
        .map(|run| run.y)
        .min()
    {
        let row = |runs: &[Run]| runs.iter().take_while(|run| run.y == y).count();
        let (in_a, rest_a) = a.split_at(row(a));
        let (in_b, rest_b) = b.split_at(row(b));
        combine_row(in_a, in_b, state, &mut combined);
        (a, b) = (rest_a, rest_b);
    }
    Ok(Cells::from_runs(combined))
}

/// One row of [`combine`]: the row is cut wherever a run of either begins or ends.
fn combine_row(
    first: &[Run],
    second: &[Run],
    state: fn(State, State) -> State,
    into: &mut Vec<Run>,
) {
    let end = |run: &Run| run.x + run.length as i64;
    let mut cuts: Vec<i64> = first
        .iter()
        .chain(second)
        .flat_map(|run| [run.x, end(run)])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let Some(y) = first.first().or(second.first()).map(|run| run.y) else {
        return;
    };
    let (mut i, mut j) = (0, 0);
    for pair in cuts.windows(2) {
        let (x, next) = (pair[0], pair[1]);
        let at = |runs: &[Run], from: &mut usize| {
            while runs.get(*from).is_some_and(|run| end(run) <= x) {
                *from += 1;
            }
            runs.get(*from)
                .filter(|run| run.x <= x)
                .map_or(0, |run| run.state)
        };
        let state = state(at(first, &mut i), at(second, &mut j));
        if state != 0 {
            into.push(Run {
                x,
                y,
                length: (next - x) as u64,
                state,
            });
        }
    }
}

/// Every offset at which all cells of `live` have their states in `cells`, and no cell of `dead`
/// lives there. `goes_on` is asked now and then; `None` where it says no.
pub(crate) fn find_matches(
    cells: &[(i64, i64, State)],
    live: &[(i64, i64, State)],
    dead: &[(i64, i64, State)],
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<(i64, i64)>> {
    let &(anchor_y, anchor_x, anchor_state) = live.first()?;
    let states: HashMap<(i64, i64), State> =
        cells.iter().map(|&(y, x, state)| ((y, x), state)).collect();
    let mut offsets = Vec::new();
    for (number, &(y, x, state)) in cells.iter().enumerate() {
        if number % 1024 == 0 && !goes_on() {
            return None;
        }
        let (dy, dx) = (y - anchor_y, x - anchor_x);
        let has = |&(y, x, state): &(i64, i64, State)| {
            states.get(&(y + dy, x + dx)).copied() == Some(state)
        };
        let is_free = |&(y, x, _): &(i64, i64, State)| !states.contains_key(&(y + dy, x + dx));
        if state == anchor_state && live.iter().all(has) && dead.iter().all(is_free) {
            offsets.push((dx, dy));
        }
    }
    Some(offsets)
}

/// Parts that hang together: cells at most `reach` king's moves apart are in one part. The parts
/// are in the order of their first cells, row by row.
pub(crate) fn components(cells: &[(i64, i64, State)], reach: i64) -> Vec<Vec<(i64, i64, State)>> {
    let numbers: HashMap<(i64, i64), usize> = cells
        .iter()
        .enumerate()
        .map(|(number, &(y, x, _))| ((y, x), number))
        .collect();
    let mut is_seen = vec![false; cells.len()];
    let mut parts = Vec::new();
    for first in 0..cells.len() {
        if std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        let (mut part, mut next) = (Vec::new(), vec![first]);
        while let Some(number) = next.pop() {
            let (y, x, _) = cells[number];
            part.push(cells[number]);
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    let beside = (y.saturating_add(dy), x.saturating_add(dx));
                    if let Some(&other) = numbers.get(&beside)
                        && !std::mem::replace(&mut is_seen[other], true)
                    {
                        next.push(other);
                    }
                }
            }
        }
        parts.push(part);
    }
    parts
}
