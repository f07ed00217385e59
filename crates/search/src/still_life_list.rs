//! All still lifes of up to so many cells, without a box. From the first live cell in reading order
//! on, every cell within two cells of a live one is decided in turn, dead or live, as long as each
//! live cell can still stay and no dead one must be born. So a pattern is complete when nothing
//! near it is open. Own method; what counts as one object is that of M. D. Niemiec's lists: parts
//! belong together where a dead cell between them has more neighbours than a birth needs.

use crate::{BlockRule, BlockRuleError, SearchFlow};
use grid::{Point, Symmetry};
use rule::Rule;
use std::collections::HashSet;
use thiserror::Error;

/// A still life of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedStillLife {
    /// Its live cells, in one of its orientations.
    pub cells: Vec<Point>,
    /// Whether it is a strict one; a pseudo still life falls into two that are stable alone.
    pub is_strict: bool,
}

/// Why still lifes cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StillLifeListError {
    /// The rule cannot be searched.
    #[error(transparent)]
    Rule(#[from] BlockRuleError),
    /// It is not by counts.
    #[error(
        "{0} does not go by the number of live neighbours: its still lifes can be searched in boxes"
    )]
    NotTotalistic(String),
    /// Too many cells.
    #[error("still lifes of up to {0} cells are too many: up to {MAX_LISTED_CELLS} can be listed")]
    TooMany(u32),
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

/// The most cells of a still life in a list.
pub const MAX_LISTED_CELLS: u32 = 24;

/// All still lifes of up to `most` cells, up to symmetry and translation, the smallest first:
/// strict and pseudo ones. `control` is told now and then how many there are so far.
///
/// ```
/// use search::{SearchFlow, list_still_lifes};
///
/// let small = list_still_lifes(&"B3/S23".parse()?, 6, &mut |_| SearchFlow::Continue)?;
/// // block and tub; boat; aircraft carrier, barge, beehive, ship, snake
/// assert_eq!(small.iter().map(|life| life.cells.len()).collect::<Vec<_>>(), [4, 4, 5, 6, 6, 6, 6, 6]);
/// assert!(small.iter().all(|life| life.is_strict));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A rule that does not go by counts, or too many cells, or that it was stopped.
pub fn list_still_lifes(
    rule: &Rule,
    most: u32,
    control: &mut dyn FnMut(usize) -> SearchFlow,
) -> Result<Vec<ListedStillLife>, StillLifeListError> {
    if most > MAX_LISTED_CELLS {
        return Err(StillLifeListError::TooMany(most));
    }
    let counts = CountRule::new(&BlockRule::new(rule)?)
        .ok_or_else(|| StillLifeListError::NotTotalistic(rule.to_string()))?;
    let mut growth = Growth::new(counts, most as usize);
    growth.put(growth.first, LIVE);
    let mut steps = 0_u64;
    loop {
        steps += 1;
        if steps.is_multiple_of(1 << 16) && control(growth.found.len()) == SearchFlow::Stop {
            return Err(StillLifeListError::Stopped);
        }
        if !growth.advance() {
            break;
        }
    }
    let mut found = growth.found;
    // the order in which they were found is the same for all of one size
    found.sort_by_key(|life| life.cells.len());
    Ok(found)
}

/// For how many neighbours a dead cell is born and a live one stays.
#[derive(Clone, Copy)]
struct CountRule {
    birth: [bool; 9],
    survival: [bool; 9],
}

impl CountRule {
    fn new(rule: &BlockRule) -> Option<Self> {
        let mut counts = Self {
            birth: [false; 9],
            survival: [false; 9],
        };
        if rule.states() != 2 || rule.time_period() != 1 || rule.next(0, 0, 0) != 0 {
            return None;
        }
        for own in 0..2_usize {
            let list = if own == 0 {
                &mut counts.birth
            } else {
                &mut counts.survival
            };
            for (count, value) in list.iter_mut().enumerate() {
                let mut arrangements = (0..512_usize).filter(|bits| {
                    bits >> 4 & 1 == own && bits.count_ones() as usize - own == count
                });
                let next = |bits: usize| rule.next(0, own as u8, bits) == 1;
                *value = arrangements.next().is_some_and(next);
                if arrangements.any(|bits| next(bits) != *value) {
                    return None;
                }
            }
        }
        Some(counts)
    }
}

const OPEN: u8 = 0;
const DEAD: u8 = 1;
const LIVE: u8 = 2;

/// A pattern under way on a field that is large enough.
struct Growth {
    rule: CountRule,
    most: usize,
    width: usize,
    /// The first live cell; those before it in reading order are dead.
    first: usize,
    states: Vec<u8>,
    live_neighbours: Vec<u8>,
    open_neighbours: Vec<u8>,
    /// Cells near live ones in the order in which they are decided, some more than once.
    agenda: Vec<usize>,
    /// Cells that were put: the cell, how long the agenda was, and the place in it that was next.
    path: Vec<(usize, usize, usize)>,
    next: usize,
    live: Vec<usize>,
    is_possible: bool,
    found: Vec<ListedStillLife>,
    seen: HashSet<Vec<Point>>,
}

impl Growth {
    fn new(rule: CountRule, most: usize) -> Self {
        // each live cell is at most two cells from another
        let (width, height) = (4 * most + 8, 2 * most + 8);
        let first = 3 * width + width / 2;
        let mut states = vec![OPEN; width * height];
        states[..first].fill(DEAD);
        let mut growth = Self {
            rule,
            most,
            width,
            first,
            live_neighbours: vec![0; states.len()],
            open_neighbours: vec![8; states.len()],
            states,
            agenda: Vec::new(),
            path: Vec::new(),
            next: 0,
            live: Vec::new(),
            is_possible: true,
            found: Vec::new(),
            seen: HashSet::new(),
        };
        for cell in width + 1..growth.first {
            for neighbour in growth.neighbours(cell) {
                growth.open_neighbours[neighbour] -= 1;
            }
        }
        growth
    }

    fn neighbours(&self, cell: usize) -> [usize; 8] {
        let w = self.width;
        [
            cell - w - 1,
            cell - w,
            cell - w + 1,
            cell - 1,
            cell + 1,
            cell + w - 1,
            cell + w,
            cell + w + 1,
        ]
    }

    /// Decides the next cell, or turns the last one round; false at the end.
    fn advance(&mut self) -> bool {
        if self.is_possible {
            while let Some(&cell) = self.agenda.get(self.next) {
                if self.states[cell] == OPEN {
                    self.put(cell, DEAD);
                    return true;
                }
                self.next += 1;
            }
            self.tell();
        }
        while let Some((cell, state)) = self.take_back() {
            if state == DEAD && self.live.len() < self.most {
                self.put(cell, LIVE);
                return true;
            }
        }
        false
    }

    fn put(&mut self, cell: usize, state: u8) {
        self.path.push((cell, self.agenda.len(), self.next));
        self.states[cell] = state;
        let neighbours = self.neighbours(cell);
        for neighbour in neighbours {
            self.open_neighbours[neighbour] -= 1;
            self.live_neighbours[neighbour] += u8::from(state == LIVE);
        }
        if state == LIVE {
            self.live.push(cell);
            // those beside it first, then those that see the same dead cells
            let w = self.width as isize;
            let far = (-2..=2).flat_map(|y| (-2..=2).map(move |x| (x, y)));
            let far = far.filter(|&(x, y): &(isize, isize)| x.abs().max(y.abs()) == 2);
            self.agenda.extend(neighbours);
            self.agenda
                .extend(far.map(|(x, y)| cell.wrapping_add_signed(y * w + x)));
        }
        let all = neighbours.into_iter().chain([cell]);
        self.is_possible = all.into_iter().all(|cell| self.can_be_stable(cell));
    }

    fn take_back(&mut self) -> Option<(usize, u8)> {
        let (cell, agenda, next) = self.path.pop()?;
        let state = std::mem::replace(&mut self.states[cell], OPEN);
        for neighbour in self.neighbours(cell) {
            self.open_neighbours[neighbour] += 1;
            self.live_neighbours[neighbour] -= u8::from(state == LIVE);
        }
        if state == LIVE {
            self.live.pop();
        }
        self.agenda.truncate(agenda);
        self.next = next;
        Some((cell, state))
    }

    /// Whether a cell can stay as it is with as many live cells more as are allowed.
    fn can_be_stable(&self, cell: usize) -> bool {
        let least = usize::from(self.live_neighbours[cell]);
        let most = least + usize::from(self.open_neighbours[cell]);
        let spare = self.most - self.live.len();
        let mut counts = least..=most.min(least + spare);
        match self.states[cell] {
            LIVE => counts.any(|count| self.rule.survival[count]),
            DEAD => counts.any(|count| !self.rule.birth[count]),
            _ => true,
        }
    }

    /// Keeps the pattern, where it is one object and has not been seen in another orientation.
    fn tell(&mut self) {
        let w = self.width;
        let points = self
            .live
            .iter()
            .map(|&cell| Point::new((cell % w) as i64, (cell / w) as i64));
        let points: Vec<Point> = points.collect();
        let least = Symmetry::ALL.into_iter().map(|symmetry| {
            let turned: Vec<Point> = points.iter().map(|&p| symmetry.apply(p)).collect();
            let left = turned.iter().map(|p| p.x).min().unwrap_or(0);
            let top = turned.iter().map(|p| p.y).min().unwrap_or(0);
            let mut moved: Vec<Point> = turned
                .iter()
                .map(|p| Point::new(p.x - left, p.y - top))
                .collect();
            moved.sort_unstable_by_key(|p| (p.y, p.x));
            moved
        });
        let Some(cells) = least.min_by(|a, b| {
            a.iter()
                .map(|p| (p.y, p.x))
                .cmp(b.iter().map(|p| (p.y, p.x)))
        }) else {
            return;
        };
        if !self.seen.insert(cells.clone()) {
            return;
        }
        let islands = self.islands();
        if !self.is_one_object(&islands) {
            return;
        }
        let is_strict = !self.falls_apart(&islands);
        self.found.push(ListedStillLife { cells, is_strict });
    }

    /// The number of the island of each live cell: cells side by side are one.
    fn islands(&self) -> Vec<(usize, usize)> {
        let mut islands: Vec<(usize, usize)> = Vec::new();
        for &start in &self.live {
            if islands.iter().any(|&(cell, _)| cell == start) {
                continue;
            }
            let number = islands
                .iter()
                .map(|&(_, number)| number + 1)
                .max()
                .unwrap_or(0);
            let mut next = islands.len();
            islands.push((start, number));
            while let Some(&(cell, _)) = islands.get(next) {
                next += 1;
                for neighbour in self.neighbours(cell) {
                    let is_new = || islands.iter().all(|&(known, _)| known != neighbour);
                    if self.states[neighbour] == LIVE && is_new() {
                        islands.push((neighbour, number));
                    }
                }
            }
        }
        islands
    }

    /// Whether the islands hang together by dead cells with more neighbours than births need.
    fn is_one_object(&self, islands: &[(usize, usize)]) -> bool {
        let needed = self
            .rule
            .birth
            .iter()
            .position(|&is_born| is_born)
            .unwrap_or(9);
        let number_of = |cell: usize| islands.iter().find(|&&(known, _)| known == cell);
        let mut groups: Vec<usize> = (0..islands.len()).collect();
        for &(cell, _) in islands {
            for dead in self.neighbours(cell) {
                let is_bridge =
                    self.states[dead] == DEAD && usize::from(self.live_neighbours[dead]) > needed;
                if !is_bridge {
                    continue;
                }
                let around = self.neighbours(dead).into_iter().filter_map(number_of);
                let around: Vec<usize> = around.map(|&(_, number)| groups[number]).collect();
                for group in &mut groups {
                    if around.contains(group) {
                        *group = around[0];
                    }
                }
            }
        }
        islands
            .iter()
            .all(|&(_, number)| groups[number] == groups[0])
    }

    /// Whether some of the islands are stable without the others, and these too.
    fn falls_apart(&self, islands: &[(usize, usize)]) -> bool {
        let count = islands
            .iter()
            .map(|&(_, number)| number + 1)
            .max()
            .unwrap_or(0);
        (1..1_u32 << count.saturating_sub(1)).any(|part| {
            [part, !part].iter().all(|&part| {
                let cells = islands
                    .iter()
                    .filter(|&&(_, number)| part >> number & 1 == 1);
                let cells: Vec<usize> = cells.map(|&(cell, _)| cell).collect();
                self.is_stable_alone(&cells)
            })
        })
    }

    fn is_stable_alone(&self, cells: &[usize]) -> bool {
        let near = cells
            .iter()
            .flat_map(|&cell| self.neighbours(cell))
            .chain(cells.iter().copied());
        near.into_iter().all(|cell| {
            let neighbours = self.neighbours(cell);
            let count = neighbours
                .iter()
                .filter(|cell| cells.contains(cell))
                .count();
            if cells.contains(&cell) {
                self.rule.survival[count]
            } else {
                !self.rule.birth[count]
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OEIS A019473 and A056613, from 4 cells on.
    const STRICT: [usize; 11] = [2, 1, 5, 4, 9, 10, 25, 46, 121, 240, 619];
    const PSEUDO: [usize; 11] = [0, 0, 0, 0, 1, 1, 7, 16, 55, 110, 279];

    fn check_as_many_as_published(most: u32) {
        let life = "B3/S23".parse().expect("Life");
        let all = list_still_lifes(&life, most, &mut |_| SearchFlow::Continue).expect("a list");
        let count = |cells: usize, is_strict: bool| {
            let kept = all.iter().filter(|life| life.cells.len() == cells);
            kept.filter(|life| life.is_strict == is_strict).count()
        };
        for cells in 4..=most as usize {
            assert_eq!(
                count(cells, true),
                STRICT[cells - 4],
                "strict, {cells} cells"
            );
            assert_eq!(
                count(cells, false),
                PSEUDO[cells - 4],
                "pseudo, {cells} cells"
            );
        }
    }

    #[test]
    fn as_many_as_published() {
        check_as_many_as_published(12);
    }

    #[test]
    #[ignore = "two seconds, in `cargo xtask long`: cargo nextest run -p gridpaper-search --run-ignored only published_to_14"]
    fn as_many_as_published_to_14_cells() {
        check_as_many_as_published(14);
    }

    #[test]
    fn what_cannot_be_listed_is_said() {
        let refused = |text: &str, most: u32| {
            let rule = text.parse().expect("a rule");
            let listed = list_still_lifes(&rule, most, &mut |_| SearchFlow::Continue);
            listed.expect_err("refused").to_string()
        };
        assert!(refused("B2-a/S12", 4).contains("number of live neighbours"));
        assert!(refused("B3/S23", 30).contains("up to 24"));
    }
}
