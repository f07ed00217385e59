//! Ships of a given width and any height, row by row: the way of D. Eppstein's `gfind`
//! ("Searching for Spaceships", 2000) and of `qfind`. All beginnings of ships grow by a row at a
//! time, breadth first, and each pair of periods of rows is kept once; when memory ends, what
//! cannot grow by some more rows is found depth first and left out. Where nothing is left, no ship
//! of this velocity is so narrow.

mod look_ahead;
mod question;
mod row_rule;
mod state;

pub use question::{
    MAX_ROW_PERIOD, MAX_ROW_WIDTH, RowQuestion, RowQuestionError, RowSymmetry, RowSymmetryError,
};
pub use state::{RowSearchState, RowSearchStateError};

use crate::{SearchFlow, SearchProgress};
use dice::mix;
use grid::Point;
use look_ahead::RowPhases;
use row_rule::{Row, RowRule};
use state::{Deepening, Descent, RowNode};

/// What a search by rows ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowAnswer {
    /// The live cells of a ship in one generation. The next call goes on.
    Found(Vec<Point>),
    /// There is none, or none but those found before.
    Exhausted,
    /// It was stopped; calling again goes on.
    Stopped,
}

/// Asked now and then: how far the search is, and for the live cells of what it is trying. Its
/// answer says whether to go on.
pub type RowSearchControl<'a> =
    dyn FnMut(&SearchProgress, &dyn Fn() -> Vec<Point>) -> SearchFlow + 'a;

/// The engine that goes row by row.
///
/// ```
/// use search::{RowAnswer, RowQuestion, RowSearch, RowSymmetry, SearchFlow};
///
/// let spaceship = RowQuestion {
///     rule: "B3/S23".parse()?,
///     period: 4,
///     offset: 2,
///     width: 5,
///     symmetry: RowSymmetry::None,
///     memory: 1 << 24,
/// };
/// let mut search = RowSearch::new(spaceship)?;
/// let RowAnswer::Found(cells) = search.solve(&mut |_, _| SearchFlow::Continue) else {
///     panic!("the lightweight spaceship is four cells wide in one of its phases, five in all");
/// };
/// assert!(cells.len() == 9 || cells.len() == 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RowSearch {
    question: RowQuestion,
    rule: RowRule,
    phases: RowPhases,
    /// In the order in which they were found; the first stands for all rows dead.
    nodes: Vec<RowNode>,
    /// The nodes before this one have been extended.
    head: usize,
    /// A hash table of the nodes by their last two periods of rows; 0 is a free place.
    visited: Vec<u32>,
    deepening: Option<Deepening>,
    /// How many rows the last deepening looked for.
    depth_goal: usize,
    found: Vec<Vec<Row>>,
    steps: u64,
}

/// The control is asked after so many extended rows.
const STEPS_BETWEEN: u64 = 1 << 12;
/// A deepening looks for so many rows more at least.
const LEAST_DEEPENING: usize = 3;

impl RowSearch {
    /// From the beginning.
    ///
    /// # Errors
    /// A question that cannot be searched by rows.
    pub fn new(question: RowQuestion) -> Result<Self, RowQuestionError> {
        let rule = question.check()?;
        let mut search = Self {
            rule: RowRule::new(
                &rule,
                question.width,
                question.symmetry,
                question.memory / 2,
            ),
            phases: RowPhases::new(question.period, question.offset),
            nodes: Vec::new(),
            head: 0,
            visited: Vec::new(),
            deepening: None,
            depth_goal: 0,
            found: Vec::new(),
            steps: 0,
            question,
        };
        search.nodes.push(RowNode::ROOT);
        search.rehash();
        Ok(search)
    }

    /// Where it is, to go on from there later. What has been found stays found.
    #[must_use]
    pub fn state(&self) -> RowSearchState {
        RowSearchState {
            nodes: self.nodes.clone(),
            head: self.head,
            deepening: self.deepening.clone(),
            depth_goal: self.depth_goal,
            found: self.found.clone(),
            steps: self.steps,
        }
    }

    /// Goes on from a state of the same question.
    ///
    /// # Errors
    /// A question that cannot be searched by rows.
    pub fn resume(question: RowQuestion, state: RowSearchState) -> Result<Self, RowQuestionError> {
        let mut search = Self::new(question)?;
        search.nodes = state.nodes;
        search.head = state.head;
        search.deepening = state.deepening;
        search.depth_goal = state.depth_goal;
        search.found = state.found;
        search.steps = state.steps;
        search.rehash();
        Ok(search)
    }

    /// Searches for the next ship.
    pub fn solve(&mut self, control: &mut RowSearchControl<'_>) -> RowAnswer {
        loop {
            if let Some(rows) = self.found.pop() {
                return RowAnswer::Found(self.cells(&rows));
            }
            if self.deepening.is_some() {
                if self.deepen(control) == SearchFlow::Stop {
                    return RowAnswer::Stopped;
                }
            } else if self.head == self.nodes.len() {
                return RowAnswer::Exhausted;
            } else if self.nodes.len() >= self.most_nodes() {
                self.begin_deepening();
            } else {
                self.extend();
                if self.steps.is_multiple_of(STEPS_BETWEEN) {
                    let node = self.head.min(self.nodes.len() - 1);
                    let partial = || self.cells(&self.rows_of(node));
                    let depth = self.rows_of(node).len() as u64;
                    if control(&self.progress(depth, None), &partial) == SearchFlow::Stop {
                        return RowAnswer::Stopped;
                    }
                }
            }
        }
    }

    fn progress(&self, depth: u64, share: Option<f64>) -> SearchProgress {
        SearchProgress {
            nodes: self.steps,
            depth,
            share,
            bytes: self.rule.bytes()
                + (self.nodes.capacity() * size_of::<RowNode>() + self.visited.len() * 4) as u64,
        }
    }

    fn most_nodes(&self) -> usize {
        // a node, and twice a place in the table of those visited
        (self.question.memory as usize / 2 / (size_of::<RowNode>() + 8)).max(1 << 12)
    }

    /// All rows of a node from the first on.
    fn rows_of(&self, node: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut node = node;
        while node != 0 {
            rows.push(self.nodes[node].row);
            node = self.nodes[node].parent as usize;
        }
        rows.reverse();
        rows
    }

    /// The last two periods of rows of a node, and how many rows it has modulo a period.
    fn window(&self, node: usize) -> [Row; 2 * MAX_ROW_PERIOD as usize] {
        let mut rows = [0; 2 * MAX_ROW_PERIOD as usize];
        let mut node = node;
        for place in (0..2 * self.phases.period).rev() {
            rows[place] = self.nodes[node].row;
            node = self.nodes[node].parent as usize;
        }
        rows
    }

    /// Adds all that the node at the head can grow to.
    fn extend(&mut self) {
        let node = self.head;
        self.head += 1;
        self.steps += 1;
        self.rule.limit_memory();
        let number = usize::from(self.nodes[node].number);
        let length = 2 * self.phases.period;
        let rows = self.window(node);
        let mut next = Vec::new();
        self.phases
            .next_rows(&mut self.rule, &rows[..length], number, &mut next);
        let is_dead = rows[..length].iter().all(|&row| row == 0);
        for row in next {
            // a ship begins with a live row, in any phase where they are not alike
            let begins_later =
                is_dead && row == 0 && (self.phases.are_alike() || node + 1 >= self.phases.period);
            if begins_later {
                continue;
            }
            let child = RowNode {
                parent: node as u32,
                row,
                number: ((number + 1) % self.phases.period) as u16,
            };
            if !is_dead && row == 0 && rows[1..length].iter().all(|&row| row == 0) {
                let mut ship = self.rows_of(node);
                ship.push(row);
                self.found.insert(0, ship);
                continue;
            }
            self.nodes.push(child);
            let is_root = is_dead && row == 0;
            if !is_root && !self.visit(self.nodes.len() - 1) {
                self.nodes.pop();
            }
        }
        if self.nodes.len() * 2 > self.visited.len() {
            self.rehash();
        }
    }

    /// Puts a node into the table of those visited; false where its rows have been seen.
    fn visit(&mut self, node: usize) -> bool {
        let place = self.place(node);
        if self.visited[place] != 0 {
            return false;
        }
        self.visited[place] = node as u32;
        true
    }

    /// Where a node's rows stand in the table, or where they belong.
    fn place(&self, node: usize) -> usize {
        let length = 2 * self.phases.period;
        let rows = self.window(node);
        let number = self.nodes[node].number;
        let mut hash = u64::from(number);
        for rows in rows[..length].chunks(4) {
            let word = rows
                .iter()
                .fold(0, |word, &row| word << 16 | u64::from(row));
            hash = mix(hash ^ word).rotate_left(17);
        }
        let mask = self.visited.len() - 1;
        let mut place = mix(hash) as usize & mask;
        loop {
            let other = self.visited[place] as usize;
            let is_same = || {
                self.nodes[other].number == number && self.window(other)[..length] == rows[..length]
            };
            if other == 0 || other == node || is_same() {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    /// Makes the table of those visited anew, large enough for twice as many.
    fn rehash(&mut self) {
        let size = (self.nodes.len() * 4).next_power_of_two().max(1 << 12);
        self.visited.clear();
        self.visited.resize(size, 0);
        for node in 1..self.nodes.len() {
            let place = self.place(node);
            if self.visited[place] == 0 {
                self.visited[place] = node as u32;
            }
        }
    }

    fn begin_deepening(&mut self) {
        let depth = self.rows_of(self.head).len();
        self.depth_goal = (depth + LEAST_DEEPENING).max(self.depth_goal);
        self.deepening = Some(Deepening {
            next: self.head,
            kept: Vec::new(),
            descent: None,
        });
    }

    /// Looks from each open node for rows down to the goal, and leaves out those without.
    fn deepen(&mut self, control: &mut RowSearchControl<'_>) -> SearchFlow {
        while let Some(mut deepening) = self.deepening.take() {
            if deepening.next == self.nodes.len() {
                self.end_deepening(&deepening.kept);
                return SearchFlow::Continue;
            }
            let mut descent = match deepening.descent.take() {
                Some(descent) => descent,
                None => self.begin_descent(deepening.next),
            };
            let share = deepening.kept.len() as f64 / (self.nodes.len() - self.head) as f64;
            let end = self.descend(&mut descent, share, control);
            match end {
                DescentEnd::Stopped | DescentEnd::Found => deepening.descent = Some(descent),
                DescentEnd::Deep | DescentEnd::Dead => {
                    deepening.kept.push(end == DescentEnd::Deep);
                    deepening.next += 1;
                }
            }
            self.deepening = Some(deepening);
            match end {
                DescentEnd::Stopped => return SearchFlow::Stop,
                DescentEnd::Found => return SearchFlow::Continue,
                DescentEnd::Deep | DescentEnd::Dead => {}
            }
        }
        SearchFlow::Continue
    }

    fn begin_descent(&mut self, node: usize) -> Descent {
        let mut rows = vec![0; 2 * self.phases.period];
        rows.extend(self.rows_of(node));
        let mut descent = Descent {
            given: rows.len(),
            rows,
            open: Vec::new(),
            begins: Vec::new(),
        };
        self.open_next(&mut descent);
        descent
    }

    /// Puts the rows that can come next on the stack; what was found is one row longer.
    fn open_next(&mut self, descent: &mut Descent) {
        let length = 2 * self.phases.period;
        let (rows, open) = (&descent.rows, &mut descent.open);
        let begin = open.len();
        descent.begins.push(begin);
        self.steps += 1;
        self.rule.limit_memory();
        let last = &rows[rows.len() - length..];
        self.phases
            .next_rows(&mut self.rule, last, rows.len() - length, open);
        // with one more dead row it is a ship, and nothing follows a ship
        let is_ended = last[0] != 0 && last[1..].iter().all(|&row| row == 0);
        if is_ended && open[begin..].contains(&0) {
            let kept: Vec<Row> = open.drain(begin..).filter(|&row| row != 0).collect();
            open.extend(kept);
            self.found.push(rows[length..].to_vec());
        }
    }

    /// Depth first from some rows, until there are as many as the goal.
    fn descend(
        &mut self,
        descent: &mut Descent,
        share: f64,
        control: &mut RowSearchControl<'_>,
    ) -> DescentEnd {
        let length = 2 * self.phases.period;
        let goal = length + self.depth_goal;
        loop {
            if !self.found.is_empty() {
                return DescentEnd::Found;
            }
            // the next of the rows that are open, at this depth or above
            loop {
                let Some(&begin) = descent.begins.last() else {
                    return DescentEnd::Dead;
                };
                if descent.open.len() > begin
                    && let Some(row) = descent.open.pop()
                {
                    descent.rows.push(row);
                    break;
                }
                descent.begins.pop();
                if descent.rows.len() > descent.given {
                    descent.rows.pop();
                }
            }
            if descent.rows.len() >= goal {
                return DescentEnd::Deep;
            }
            self.open_next(descent);
            if self.steps.is_multiple_of(STEPS_BETWEEN) {
                let partial = || self.cells(&descent.rows[length..]);
                let depth = (descent.rows.len() - length) as u64;
                let progress = self.progress(depth, Some(share));
                if control(&progress, &partial) == SearchFlow::Stop {
                    return DescentEnd::Stopped;
                }
            }
        }
    }

    /// Leaves out what was not kept, and all that only led there.
    fn end_deepening(&mut self, kept_nodes: &[bool]) {
        let mut is_kept = vec![false; self.nodes.len()];
        is_kept[0] = true;
        is_kept[self.head..].copy_from_slice(kept_nodes);
        for node in (1..self.nodes.len()).rev() {
            if is_kept[node] {
                is_kept[self.nodes[node].parent as usize] = true;
            }
        }
        let mut renumbered = vec![0; self.nodes.len()];
        let mut kept = Vec::new();
        let mut head = 0;
        for (node, &old) in self.nodes.iter().enumerate() {
            if node == self.head {
                head = kept.len();
            }
            if is_kept[node] {
                renumbered[node] = kept.len() as u32;
                let parent = renumbered[old.parent as usize];
                kept.push(RowNode { parent, ..old });
            }
        }
        if self.head >= self.nodes.len() {
            head = kept.len();
        }
        self.nodes = kept;
        self.head = head;
        self.rehash();
    }

    /// The live cells of the generation that has the first row.
    fn cells(&self, rows: &[Row]) -> Vec<Point> {
        let width = self.question.width;
        let mut cells = Vec::new();
        for (y, &row) in rows.iter().step_by(self.phases.period).enumerate() {
            for x in (0..width).filter(|x| row >> x & 1 == 1) {
                let x = i64::from(x);
                let other = match self.question.symmetry {
                    RowSymmetry::None => x,
                    RowSymmetry::Odd => -x,
                    RowSymmetry::Even => -1 - x,
                    RowSymmetry::Gutter => -2 - x,
                };
                cells.push(Point::new(x, y as i64));
                if other != x {
                    cells.push(Point::new(other, y as i64));
                }
            }
        }
        cells
    }
}

/// How a search from a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DescentEnd {
    /// It grows as far as asked.
    Deep,
    /// It does not.
    Dead,
    /// A ship has been found on the way.
    Found,
    /// It was told to stop.
    Stopped,
}
