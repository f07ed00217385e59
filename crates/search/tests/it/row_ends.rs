//! The search by rows beside one without look-ahead: it knows a rule on three rows, made cell by
//! cell, and looks at every state that can be reached. The ends of ships are the same in both.

use dice::Dice;
use grid::Point;
use rule::Rule;
use search::{BlockRule, RowAnswer, RowQuestion, RowSearch, RowSymmetry, SearchFlow};
use std::collections::{BTreeMap, BTreeSet};

/// The last two periods of rows of a ship, and the number of the row after them.
type ShipEnd = (Vec<usize>, usize);

/// A strip of cells with a velocity.
struct SlowStrip {
    period: usize,
    rows: usize,
    /// What the middle one of three rows becomes, where no cell beside the strip is born.
    next: Vec<Option<usize>>,
    /// The number of row 0 of each generation of a period and of the first one after it.
    numbers: Vec<usize>,
    are_alike: bool,
}

impl SlowStrip {
    fn new(question: &RowQuestion) -> Self {
        let block = BlockRule::new(&question.rule).expect("radius 1");
        let rows = 1 << question.width;
        let three = (0..rows * rows * rows).map(|i| [i / rows / rows, i / rows % rows, i % rows]);
        let (period, offset) = (question.period as usize, question.offset as usize);
        let common = (1..=period)
            .filter(|divisor| period % divisor == 0 && offset % divisor == 0)
            .max();
        let common = common.expect("one divides all");
        // a row of generation t + P is the row so many places further down of generation t
        let number = |t: usize| offset * t + t % period / (period / common);
        Self {
            period,
            rows,
            next: three.map(|rows| next_row(&block, rows, question)).collect(),
            numbers: (0..=period).map(number).collect(),
            are_alike: common == 1,
        }
    }

    fn next(&self, rows: [usize; 3]) -> Option<usize> {
        self.next[(rows[0] * self.rows + rows[1]) * self.rows + rows[2]]
    }

    /// Whether a row may come after the last two periods of rows.
    fn fits(&self, last: &[usize], row: usize, number: usize) -> bool {
        let (period, numbers) = (self.period, &self.numbers);
        // the generation that has the new row, and the row two above it
        let t = (0..period).find(|&t| numbers[t] % period == number % period);
        let t = t.expect("each number is of one generation");
        let target = period + numbers[t + 1] - numbers[t];
        self.next([last[0], last[period], row]) == Some(last[target])
    }

    fn is_end(&self, last: &[usize], number: usize) -> bool {
        let mut last = last.to_vec();
        (number..number + last.len()).all(|number| {
            let fits = self.fits(&last, 0, number);
            last.remove(0);
            last.push(0);
            fits
        })
    }

    /// The ends of all ships, those behind others only if asked for.
    fn ends(&self, tagalongs: bool) -> BTreeSet<ShipEnd> {
        let mut ends = BTreeSet::new();
        let numbers = 0..if self.are_alike { 1 } else { self.period };
        let dead = vec![0; 2 * self.period];
        let mut queue: Vec<ShipEnd> = numbers.map(|number| (dead.clone(), number)).collect();
        let mut seen: BTreeSet<ShipEnd> = queue.iter().cloned().collect();
        while let Some((last, number)) = queue.pop() {
            for row in (0..self.rows).filter(|&row| self.fits(&last, row, number)) {
                let mut next = last[1..].to_vec();
                next.push(row);
                let number = (number + 1) % self.period;
                let state = (next, if self.are_alike { 0 } else { number });
                if row != 0 && self.is_end(&state.0, number) {
                    ends.insert(state.clone());
                    if !tagalongs {
                        continue;
                    }
                }
                if seen.insert(state.clone()) {
                    queue.push(state);
                }
            }
        }
        ends
    }

    /// The end of a ship, whose cells in the first generation these are.
    fn end_of(&self, cells: &[Point]) -> ShipEnd {
        let mut strip: BTreeMap<i64, usize> = BTreeMap::new();
        for cell in cells.iter().filter(|cell| cell.x >= 0) {
            *strip.entry(cell.y).or_default() |= 1 << cell.x;
        }
        let height = cells.iter().map(|cell| cell.y).max().unwrap_or(0) + self.period as i64;
        let row = |strip: &BTreeMap<i64, usize>, y: i64| strip.get(&y).copied().unwrap_or(0);
        // far enough above and below for a period
        let above = 2 * self.period as i64;
        let mut numbered = BTreeMap::new();
        for t in 0..self.period {
            for y in -above..=height {
                let number = y * self.period as i64 + self.numbers[t] as i64;
                numbered.insert(number, row(&strip, y));
            }
            let becomes = |y: i64| {
                let three = [y - 1, y, y + 1].map(|y| row(&strip, y));
                self.next(three).expect("nothing is born beside the strip")
            };
            strip = (-above..=height).map(|y| (y, becomes(y))).collect();
        }
        let mut live = numbered.iter().filter(|(_, row)| **row != 0);
        let last = *live.next_back().expect("a ship has cells").0;
        let length = 2 * self.period as i64;
        let end = (last + 1 - length..=last)
            .map(|number| numbered.get(&number).copied().unwrap_or(0))
            .collect();
        let number = (last + 1).rem_euclid(self.period as i64) as usize;
        (end, if self.are_alike { 0 } else { number })
    }
}

/// What the middle one of three rows becomes, cell by cell in both halves.
fn next_row(block: &BlockRule, rows: [usize; 3], question: &RowQuestion) -> Option<usize> {
    let width = i64::from(question.width);
    let cell = |row: usize, x: i64| {
        let x = match question.symmetry {
            _ if x >= 0 => x,
            RowSymmetry::None => return 0,
            RowSymmetry::Odd => -x,
            RowSymmetry::Even => -1 - x,
            RowSymmetry::Gutter if x == -1 => return 0,
            RowSymmetry::Gutter => -2 - x,
        };
        if x < width { row >> x & 1 } else { 0 }
    };
    let next = |x: i64| {
        let three = rows.map(|row| cell(row, x - 1) << 2 | cell(row, x) << 1 | cell(row, x + 1));
        let own = cell(rows[1], x) as u8;
        usize::from(block.next(0, own, three[0] << 6 | three[1] << 3 | three[2]))
    };
    let has_axis = matches!(question.symmetry, RowSymmetry::Odd | RowSymmetry::Even);
    let is_narrow = next(width) == 0 && (has_axis || next(-1) == 0);
    is_narrow.then(|| (0..width).map(|x| next(x) << x).sum())
}

/// The ends of what the search by rows finds.
fn found_ends(strip: &SlowStrip, question: &RowQuestion) -> BTreeSet<ShipEnd> {
    let mut search = RowSearch::new(question.clone()).expect("a question");
    let mut ends = BTreeSet::new();
    loop {
        match search.solve(&mut |_, _| SearchFlow::Continue) {
            RowAnswer::Found(cells) => {
                let end = strip.end_of(&cells);
                assert!(ends.insert(end), "{question:?}: told twice: {cells:?}");
            }
            answer => {
                assert_eq!(answer, RowAnswer::Exhausted);
                return ends;
            }
        }
    }
}

/// A rule, the period and the rows of a velocity, columns, their symmetry, and in how many ways
/// ships end there.
type StripRow = (&'static str, (u32, u32), u32, RowSymmetry, usize);

/// Rules with narrow ships.
const STRIPS: &[StripRow] = {
    use RowSymmetry::{Even, Gutter, None, Odd};
    &[
        ("B36/S024678", (2, 1), 5, None, 6),
        ("B3678/S02358", (2, 1), 3, None, 1),
        ("B3578/S145", (2, 1), 5, Odd, 14),
        ("B37/S01357", (2, 1), 5, Odd, 15),
        ("B356/S2458", (2, 1), 5, Even, 4),
        ("B38/S0357", (2, 1), 5, Gutter, 6),
        ("B3468/S13478", (3, 1), 4, None, 1),
        ("B3468/S13478", (3, 1), 4, Odd, 1),
        ("B358/S457", (3, 1), 4, Even, 1),
        ("B24678/S02457", (3, 1), 4, Even, 1),
        ("B346/S1345", (3, 1), 4, Gutter, 1),
        ("B37/S134", (4, 1), 3, Odd, 1),
        ("B36/S0356", (4, 2), 3, Odd, 14),
        ("B34/S0147", (4, 2), 3, Odd, 16),
        ("B3457/S124", (4, 2), 3, Even, 4),
    ]
};

#[test]
fn ships_end_as_in_a_search_of_every_state() {
    let mut longer = 0;
    for &(rule, (period, offset), width, symmetry, count) in STRIPS {
        let question = RowQuestion {
            rule: rule.parse().expect("a rule"),
            period,
            offset,
            width,
            symmetry,
            tagalongs: false,
            memory: 1 << 24,
        };
        let strip = SlowStrip::new(&question);
        for tagalongs in [false, true] {
            let ends = strip.ends(tagalongs);
            match tagalongs {
                false => assert_eq!(ends.len(), count, "{question:?}"),
                true => longer += ends.len() - count,
            }
            for memory in [1 << 24, 1 << 12] {
                let question = RowQuestion {
                    tagalongs,
                    memory,
                    ..question.clone()
                };
                assert_eq!(found_ends(&strip, &question), ends, "{question:?}");
            }
        }
    }
    assert!(longer > 0, "something goes on behind some of them");
}

#[test]
fn where_no_ship_ends_none_is_found() {
    let mut dice = Dice::new(19);
    for velocity in [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2)].repeat(4) {
        let births: String = ('3'..='8').filter(|_| dice.coin()).collect();
        let survivals: String = ('0'..='8').filter(|_| dice.coin()).collect();
        let rule: Rule = format!("B{births}/S{survivals}").parse().expect("a rule");
        let question = RowQuestion {
            rule,
            period: velocity.0,
            offset: velocity.1,
            width: if velocity.0 == 4 { 2 } else { 3 },
            symmetry: dice.pick(&RowSymmetry::ALL).expect("there are four"),
            tagalongs: true,
            memory: 1 << 24,
        };
        let strip = SlowStrip::new(&question);
        let ends = strip.ends(true);
        assert_eq!(found_ends(&strip, &question), ends, "{question:?}");
    }
}
