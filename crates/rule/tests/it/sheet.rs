//! A reference world: a map of live cells, stepped by evaluating the rule and the topology for
//! every cell.

use grid::{Point, State};
use rule::{Rule, Site};
use std::collections::BTreeMap;

pub(crate) type RuleTestCells = BTreeMap<(i64, i64), State>;

pub(crate) struct RuleTestGrid {
    rule: Rule,
    /// Live cells by row, then column.
    pub(crate) cells: RuleTestCells,
    pub(crate) generation: u64,
    /// Where the pattern's top-left corner was put, x and y.
    pub(crate) corner: [i64; 2],
}

impl RuleTestGrid {
    /// A pattern at its position: at the origin, or in the middle of a bounded grid.
    pub(crate) fn new(rule: Rule, rle: &str) -> Self {
        let (_, (width, height)) = Self::read(rle, 0, 0);
        let (w, h) = rule.topology().size();
        let bounded = (w, h) != (0, 0);
        let half = |side: u64| -((side / 2) as i64);
        let fits = (w == 0 || width <= w) && (h == 0 || height <= h);
        let (left, top) = match (bounded, fits) {
            (false, _) => (0, 0),
            (true, true) => (half(width), half(height)),
            (true, false) => (half(w), half(h)),
        };
        let mut cells = Self::read(rle, left, top).0;
        cells.retain(|&(y, x), _| rule.topology().contains(Point::new(x, y)));
        Self {
            rule,
            cells,
            generation: 0,
            corner: [left, top],
        }
    }

    /// The cells of an RLE with a given top-left cell, and the size in its header.
    pub(crate) fn read(rle: &str, left: i64, top: i64) -> (RuleTestCells, (u64, u64)) {
        let mut cells = RuleTestCells::new();
        let mut size = (0, 0);
        let (mut x, mut y) = (left, top);
        for line in rle.lines() {
            if line.starts_with("x =") {
                let mut parts = line.split([',', '=']).map(str::trim).skip(1).step_by(2);
                let mut number = || parts.next().and_then(|n| n.parse().ok()).unwrap();
                size = (number(), number());
                continue;
            }
            let (mut count, mut high) = (0, 0);
            for c in line.chars() {
                let times = count.max(1);
                match c {
                    '0'..='9' => {
                        count = count * 10 + i64::from(c.to_digit(10).unwrap());
                        continue;
                    }
                    'p'..='y' => {
                        high = (u32::from(c) - u32::from('p') + 1) * 24;
                        continue;
                    }
                    '$' => {
                        y += times;
                        x = left;
                    }
                    'b' | '.' => x += times,
                    'o' | 'A'..='X' => {
                        let low = if c == 'o' { 1 } else { u32::from(c) - 64 };
                        let state = (high + low) as State;
                        for _ in 0..times {
                            cells.insert((y, x), state);
                            x += 1;
                        }
                    }
                    '!' => return (cells, size),
                    other => panic!("{other} in an RLE"),
                }
                (count, high) = (0, 0);
            }
        }
        (cells, size)
    }

    /// Left, top, right, bottom of the live cells.
    pub(crate) fn bounds(&self) -> Option<[i64; 4]> {
        let (top, bottom) = (self.cells.keys().next()?.0, self.cells.keys().last()?.0);
        let columns = self.cells.keys().map(|&(_, x)| x);
        let (left, right) = (columns.clone().min()?, columns.max()?);
        Some([left, top, right, bottom])
    }

    pub(crate) fn step(&mut self) {
        let Some([left, top, right, bottom]) = self.bounds() else {
            self.generation += 1;
            return;
        };
        let topology = self.rule.topology();
        let reach = i64::from(self.rule.radius());
        let (w, h) = topology.size();
        let span = |side: u64, from: i64, to: i64| match side {
            0 => from - reach..to + reach + 1,
            _ => -((side / 2) as i64)..side as i64 - (side / 2) as i64,
        };
        // a dense copy, so that looking is quick
        let (columns, rows) = (right - left + 1, bottom - top + 1);
        let mut dense = vec![0; (columns * rows) as usize];
        for (&(y, x), &state) in &self.cells {
            dense[((y - top) * columns + x - left) as usize] = state;
        }
        let look = |x: i64, y: i64| {
            let Some(p) = topology.resolve(Point::new(x, y)) else {
                return 0;
            };
            if p.x < left || p.x > right || p.y < top || p.y > bottom {
                return 0;
            }
            dense[((p.y - top) * columns + p.x - left) as usize]
        };
        let mut next = RuleTestCells::new();
        for y in span(h, top, bottom) {
            for x in span(w, left, right) {
                let site = Site {
                    generation: self.generation,
                    x,
                    y,
                };
                let state = self
                    .rule
                    .next(site, |dx, dy| look(x + i64::from(dx), y + i64::from(dy)));
                if state != 0 {
                    next.insert((y, x), state);
                }
            }
        }
        self.cells = next;
        self.generation += 1;
    }
}
