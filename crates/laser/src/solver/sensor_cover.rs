//! A lower bound on the pieces needed to serve several lines of light at once.

use super::cell_contents::{EMPTY, KINDS, kind};
use super::choice::SolverChoice;

/// The most lines considered, one bit each; there are hardly ever more.
const MAX_LINES: usize = 32;

/// Lines of light on each of which a piece that is left has to be put, with the places and
/// the kinds that can serve it.
///
/// Two lines without a place and a kind in common need a piece each, so of lines of which
/// no two have anything in common each needs a piece of its own, of a kind that can serve
/// it: where there are more such lines than pieces, or they cannot all get one of the kinds
/// that are left (a matching of lines with pieces, by augmenting paths: Kuhn 1955), there is no
/// solution. The lines are picked one by one, each time the one that has something in
/// common with the fewest others; any pick proves what it proves.
#[derive(Debug)]
pub(super) struct SensorCoverBound {
    lines: Vec<CoverLine>,
    /// For each cell, the lines that have a place there, one bit each.
    at: Vec<u32>,
    places: Vec<CoverCell>,
}

#[derive(Clone, Copy, Debug)]
struct CoverLine {
    /// Its places.
    from: usize,
    to: usize,
    /// The kinds that can serve it, one bit each.
    kinds: u16,
    /// The lines with which it can share a piece.
    shares: u32,
}

#[derive(Clone, Copy, Debug)]
struct CoverCell {
    cell: u32,
    kinds: u16,
}

impl SensorCoverBound {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            lines: Vec::new(),
            at: vec![0; cells],
            places: Vec::new(),
        }
    }

    pub(super) fn cells(&self) -> usize {
        self.at.len()
    }

    /// Forgets all lines.
    pub(super) fn clear(&mut self) {
        for place in self.places.drain(..) {
            self.at[place.cell as usize] = 0;
        }
        self.lines.clear();
    }

    /// Adds a line, with all the ways to serve it. A line that may do without a piece is left
    /// out.
    pub(super) fn add(&mut self, choices: &[SolverChoice]) {
        let from = self.places.len();
        if self.lines.len() == MAX_LINES {
            return;
        }
        for &choice in choices {
            match choice {
                SolverChoice::Put { to, content, .. } if content != EMPTY => {
                    let kinds = 1 << kind(content);
                    match self.places[from..].last_mut() {
                        Some(place) if place.cell == to => place.kinds |= kinds,
                        _ => self.places.push(CoverCell { cell: to, kinds }),
                    }
                }
                _ => {
                    self.places.truncate(from);
                    return;
                }
            }
        }
        let number = self.lines.len();
        let mut line = CoverLine {
            from,
            to: self.places.len(),
            kinds: 0,
            shares: 0,
        };
        for i in from..self.places.len() {
            let CoverCell { cell, kinds } = self.places[i];
            line.kinds |= kinds;
            let mut others = self.at[cell as usize] & !line.shares;
            while others != 0 {
                let other = others.trailing_zeros() as usize;
                others &= others - 1;
                let CoverLine { from, to, .. } = self.lines[other];
                let there = self.places[from..to].iter();
                if there
                    .clone()
                    .any(|place| place.cell == cell && place.kinds & kinds != 0)
                {
                    line.shares |= 1 << other;
                    self.lines[other].shares |= 1 << number;
                }
            }
            self.at[cell as usize] |= 1 << number;
        }
        self.lines.push(line);
    }

    /// Whether more pieces are needed than are left.
    pub(super) fn exceeds_stock(&self, stock: &[u32; KINDS]) -> bool {
        let mut left = u32::MAX
            .checked_shr(32 - self.lines.len() as u32)
            .unwrap_or(0);
        let mut matching = CoverMatching {
            cover: self,
            stock,
            by_kind: [0; KINDS],
        };
        while left != 0 {
            let mut best = (u32::MAX, 0);
            let mut rest = left;
            while rest != 0 {
                let line = rest.trailing_zeros();
                rest &= rest - 1;
                let others = (self.lines[line as usize].shares & left).count_ones();
                best = best.min((others, line));
            }
            let line = best.1 as usize;
            left &= !(self.lines[line].shares | 1 << line);
            if !matching.serve(line, &mut 0) {
                return true;
            }
        }
        false
    }
}

/// A matching of lines with pieces.
struct CoverMatching<'a> {
    cover: &'a SensorCoverBound,
    stock: &'a [u32; KINDS],
    /// The lines that a kind serves, one bit each.
    by_kind: [u32; KINDS],
}

impl CoverMatching<'_> {
    /// Finds a piece for one more line by an augmenting path.
    fn serve(&mut self, line: usize, tried: &mut u16) -> bool {
        for kind in 1..KINDS {
            if (self.cover.lines[line].kinds & !*tried) >> kind & 1 == 0 {
                continue;
            }
            *tried |= 1 << kind;
            if self.by_kind[kind].count_ones() < self.stock[kind] {
                self.by_kind[kind] |= 1 << line;
                return true;
            }
            let mut others = self.by_kind[kind];
            while others != 0 {
                let other = others.trailing_zeros() as usize;
                others &= others - 1;
                if self.serve(other, tried) {
                    self.by_kind[kind] &= !(1 << other);
                    self.by_kind[kind] |= 1 << line;
                    return true;
                }
            }
        }
        false
    }
}
