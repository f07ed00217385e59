//! Ships of a given width and any height, row by row: the way of D. Eppstein's `gfind`
//! ("Searching for Spaceships", 2000) and of `qfind`. All beginnings of ships grow by a row at a
//! time, breadth first, and each pair of periods of rows is kept once; when memory ends, what
//! cannot grow by some more rows is found depth first and left out. Where nothing is left, no ship
//! of this velocity is so narrow.
//!
//! There are finitely many pairs of periods of rows, so the search ends. A ship is found where only
//! dead rows may follow, and of those with the same last rows one is told. Unless tagalongs are
//! asked for, nothing is searched behind that place: every other ship then begins with one that
//! ends as one of those told.

mod look_ahead;
mod question;
mod row_rule;
mod ship_ends;
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
use ship_ends::ShipEnds;
use state::{Deepening, Descent, RowNode};
use std::hint::black_box;
use std::sync::{Mutex, OnceLock, PoisonError};

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

/// Runs a job for each number below the first argument, in any order and on any threads, and
/// returns when all have ended.
pub type RowJobRunner<'a> = dyn Fn(usize, &(dyn Fn(usize) + Sync)) + 'a;

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
///     tagalongs: false,
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
    /// A hash table of the nodes by their last two periods of rows, sorted by the hash but for
    /// collisions: its upper half, and the node; 0 is a free place.
    visited: Vec<u64>,
    visited_count: usize,
    deepening: Option<Deepening>,
    /// How many rows the last deepening looked for.
    depth_goal: usize,
    found: Vec<Vec<Row>>,
    /// How the ships end that were found.
    ends: ShipEnds,
    steps: u64,
}

/// Tables are not forgotten before they hold so much.
const LEAST_TABLE_BYTES: u64 = 1 << 22;
/// A deepening looks for so many rows more at least.
const LEAST_DEEPENING: usize = 3;
/// Nodes are extended by so many at most between two questions to the control.
const MOST_AT_ONCE: usize = 1 << 14;
/// One job extends so many nodes.
const NODES_A_JOB: usize = 1 << 8;
/// Where the rows of generations differ in their distances, a node grows by a period of rows depth
/// first, or by fewer where that takes so many steps: only what is not dead by then is kept. (What
/// repeats does so after whole periods, and is seen in the table of those visited.)
const LEAP_STEPS: u64 = 1 << 12;
/// So many leaps are looked up at once.
const LEAPS_AT_ONCE: usize = 32;
/// So many searches depth first are under way at once, and this many in one job.
const DESCENTS: usize = 1 << 10;
const DESCENTS_A_JOB: usize = 1 << 3;
/// Each of them goes so many steps on between two questions to the control.
const DESCENT_STEPS: u64 = 1 << 8;
const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// What some nodes grow to.
#[derive(Default)]
struct RowGrowth {
    /// The open nodes that grow, and where in the list of leaps what they grow to ends.
    nodes: Vec<(usize, usize)>,
    leaps: Vec<RowLeap>,
    ships: Vec<Vec<Row>>,
    steps: u64,
}

/// A row on the way from a node to one that grows later.
struct RowLeap {
    /// One more than the place of the row before it in the list; 0 is the node.
    before: u32,
    row: Row,
    /// As in a node.
    number: u16,
    /// The upper half of the hash of the last rows, where it is open.
    hash: u32,
}

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
                (question.memory / 2).max(LEAST_TABLE_BYTES),
            ),
            phases: RowPhases::new(question.period, question.offset),
            nodes: Vec::new(),
            head: 0,
            visited: Vec::new(),
            visited_count: 0,
            deepening: None,
            depth_goal: 0,
            found: Vec::new(),
            ends: ShipEnds::default(),
            steps: 0,
            question,
        };
        search.nodes.push(RowNode::ROOT);
        search.revisit();
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
            ends: self.ends.clone(),
            steps: self.steps,
        }
    }

    /// Goes on from a state of the same question.
    ///
    /// # Errors
    /// A question that cannot be searched by rows, or not from this state.
    pub fn resume(question: RowQuestion, state: RowSearchState) -> Result<Self, RowQuestionError> {
        let mut search = Self::new(question)?;
        if !state.fits(search.rule.rows(), search.phases.period) {
            return Err(RowQuestionError::State);
        }
        search.nodes = state.nodes;
        search.head = state.head;
        search.deepening = state.deepening;
        search.depth_goal = state.depth_goal;
        search.found = state.found;
        search.ends = state.ends;
        search.steps = state.steps;
        search.revisit();
        Ok(search)
    }

    /// Searches for the next ship.
    pub fn solve(&mut self, control: &mut RowSearchControl<'_>) -> RowAnswer {
        self.solve_with(&|count, job| (0..count).for_each(job), control)
    }

    /// The same with jobs that may run at once. What is found, and in which order, does not depend
    /// on how they run.
    ///
    /// ```
    /// use search::{RowAnswer, RowQuestion, RowSearch, RowSymmetry, SearchFlow};
    ///
    /// let question = RowQuestion {
    ///     rule: "B3/S23".parse()?,
    ///     period: 4,
    ///     offset: 1,
    ///     width: 4,
    ///     symmetry: RowSymmetry::Even,
    ///     tagalongs: false,
    ///     memory: 1 << 24,
    /// };
    /// let mut search = RowSearch::new(question)?;
    /// let two_halves = |count: usize, job: &(dyn Fn(usize) + Sync)| {
    ///     std::thread::scope(|scope| {
    ///         scope.spawn(|| (0..count / 2).for_each(job));
    ///         (count / 2..count).for_each(job);
    ///     });
    /// };
    /// let answer = search.solve_with(&two_halves, &mut |_, _| SearchFlow::Continue);
    /// assert_eq!(answer, RowAnswer::Exhausted);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with(
        &mut self,
        jobs: &RowJobRunner<'_>,
        control: &mut RowSearchControl<'_>,
    ) -> RowAnswer {
        loop {
            if !self.found.is_empty() {
                let rows = self.found.remove(0);
                return RowAnswer::Found(self.cells(&rows));
            }
            self.rule.limit_memory();
            if self.deepening.is_some() {
                if self.deepen(jobs, control) == SearchFlow::Stop {
                    return RowAnswer::Stopped;
                }
            } else if self.head == self.nodes.len() {
                return RowAnswer::Exhausted;
            } else if self.nodes.len() >= self.most_nodes() {
                self.begin_deepening();
            } else {
                self.extend(jobs);
                let rows = self.rows_of(self.head.min(self.nodes.len() - 1));
                let partial = || self.cells(&rows);
                let progress = self.progress(rows.len() as u64, None);
                if control(&progress, &partial) == SearchFlow::Stop {
                    return RowAnswer::Stopped;
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
                + (self.nodes.capacity() * size_of::<RowNode>() + self.visited.len() * 8) as u64,
        }
    }

    fn most_nodes(&self) -> usize {
        // a node, and twice a place in the table of those visited
        (self.question.memory as usize / 2 / (size_of::<RowNode>() + 16)).max(1 << 12)
    }

    /// How many nodes are extended at once: the tables that they ask for are not forgotten before.
    fn most_at_once(&self) -> usize {
        let pairs = (2 + self.phases.period) as u64;
        let tables = self.question.memory / 8 / (pairs * self.rule.pair_bytes());
        MOST_AT_ONCE
            .min(self.most_nodes() / 4)
            .min(tables as usize)
            .max(NODES_A_JOB)
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

    /// Adds all that the nodes at the head can grow to.
    fn extend(&mut self, jobs: &RowJobRunner<'_>) {
        let begin = self.head;
        let end = self.nodes.len().min(begin + self.most_at_once());
        let count = (end - begin).div_ceil(NODES_A_JOB);
        let grown: Vec<OnceLock<RowGrowth>> = (0..count).map(|_| OnceLock::new()).collect();
        jobs(count, &|job| {
            let begin = begin + job * NODES_A_JOB;
            grown[job].get_or_init(|| self.grow(begin..end.min(begin + NODES_A_JOB)));
        });
        self.head = end;
        for growth in grown.into_iter().filter_map(OnceLock::into_inner) {
            self.steps += growth.steps;
            growth
                .ships
                .into_iter()
                .for_each(|ship| self.add_ship(ship));
            let mut begin = 0;
            let mut touched = 0;
            for (node, end) in growth.nodes {
                // the nodes that the rows of this one became
                let mut nodes = vec![node as u32];
                for (place, leap) in growth.leaps[..end].iter().enumerate().skip(begin) {
                    if place == touched {
                        touched = growth.leaps.len().min(place + LEAPS_AT_ONCE);
                        self.touch(&growth.leaps[place..touched]);
                    }
                    let node = RowNode {
                        parent: nodes[leap.before as usize],
                        row: leap.row,
                        number: leap.number,
                    };
                    nodes.push(self.nodes.len() as u32);
                    if self.is_open(node) {
                        self.visit(node, leap.hash);
                    } else {
                        self.nodes.push(node);
                    }
                }
                begin = end;
            }
        }
        while self.head < self.nodes.len() && !self.is_open(self.nodes[self.head]) {
            self.head += 1;
        }
    }

    /// Keeps a ship that ends as no other did.
    fn add_ship(&mut self, rows: Vec<Row>) {
        let period = self.phases.period;
        // where rows of all generations are alike, their number does not matter
        let number = match self.phases.are_alike() {
            true => 0,
            false => rows.len() % period,
        };
        if self.ends.add(&rows, period, number) {
            self.found.push(rows);
        }
    }

    /// Whether a node is one that grows, and not one on the way there.
    fn is_open(&self, node: RowNode) -> bool {
        usize::from(node.number) < self.phases.period
    }

    /// Loads the places of some leaps in the table of those visited: all at once, since each is far
    /// from the others and none waits for another here.
    fn touch(&self, leaps: &[RowLeap]) {
        let entries = leaps.iter().map(|leap| self.visited[self.place(leap.hash)]);
        black_box(entries.fold(0, |all, entry| all ^ entry));
    }

    /// What some nodes can grow to.
    fn grow(&self, nodes: std::ops::Range<usize>) -> RowGrowth {
        let length = 2 * self.phases.period;
        let mut growth = RowGrowth::default();
        for node in nodes.filter(|&node| self.is_open(self.nodes[node])) {
            let number = usize::from(self.nodes[node].number);
            let rows = self.window(node)[..length].to_vec();
            let mut leap = LeapSearch {
                growth: &mut growth,
                node,
                number,
                dead_rows: 0,
                most_steps: 0,
                rows,
                open: Vec::new(),
            };
            if leap.rows.iter().all(|&row| row == 0) && !self.phases.are_alike() {
                // a ship begins with a live row, in any phase where they are not alike
                let begun = self.rows_of(node).len();
                leap.dead_rows = (self.phases.period - 1).saturating_sub(begun);
            }
            leap.most_steps = leap.growth.steps + LEAP_STEPS;
            self.leap(&mut leap, 0);
            if growth.nodes.last().map_or(0, |last| last.1) < growth.leaps.len() {
                growth.nodes.push((node, growth.leaps.len()));
            }
        }
        growth
    }

    /// Adds what grows from the rows on a leap. Those before are at this place of the list.
    fn leap(&self, leap: &mut LeapSearch<'_>, before: u32) {
        let (period, length) = (self.phases.period, 2 * self.phases.period);
        let depth = leap.rows.len() - length;
        let first = leap.growth.nodes.last().map_or(0, |last| last.1);
        let begin = leap.open.len();
        let last = &leap.rows[depth..];
        let is_dead = last.iter().all(|&row| row == 0);
        let ends = is_ended(last);
        let number = leap.number + depth;
        self.phases
            .next_rows(&self.rule, last, number, &mut leap.open);
        leap.growth.steps += 1;
        let is_last =
            depth + 1 == self.phases.leap_length() || leap.growth.steps >= leap.most_steps;
        let mut hash = None;
        for place in begin..leap.open.len() {
            let row = leap.open[place];
            if row == 0 && (ends || is_dead && depth >= leap.dead_rows) {
                continue;
            }
            leap.rows.push(row);
            let is_ship = row != 0
                && self
                    .phases
                    .is_end(&self.rule, &leap.rows[depth + 1..], number + 1);
            if is_ship {
                let mut ship = self.rows_of(leap.node);
                ship.extend(&leap.rows[length..]);
                leap.growth.ships.push(ship);
            }
            leap.rows.pop();
            if is_ship && !self.question.tagalongs {
                continue;
            }
            let own = leap.growth.leaps.len();
            // where they are alike, what comes is the same whatever the number
            let next_number = match self.phases.are_alike() {
                true => 0,
                false => (number + 1) % period,
            };
            let mut next = RowLeap {
                before,
                row,
                number: period as u16,
                hash: 0,
            };
            if is_last {
                let rows = &leap.rows[depth + 1..];
                let hash = *hash.get_or_insert_with(|| hash_rows(rows, next_number));
                next.number = next_number as u16;
                next.hash = hash_with(hash, row);
                leap.growth.leaps.push(next);
                continue;
            }
            leap.growth.leaps.push(next);
            leap.rows.push(row);
            self.leap(leap, (own - first + 1) as u32);
            leap.rows.pop();
            if leap.growth.leaps.len() == own + 1 {
                leap.growth.leaps.pop();
            }
        }
        leap.open.truncate(begin);
    }

    /// Adds a node, but where its last rows have been seen.
    fn visit(&mut self, node: RowNode, hash: u32) {
        if self.visited_count * 4 >= self.visited.len() * 3 {
            self.rehash();
        }
        let mask = self.visited.len() - 1;
        let mut place = self.place(hash);
        while self.visited[place] != 0 {
            let entry = self.visited[place];
            if (entry >> 32) as u32 == hash && self.is_like(node, entry as u32 as usize) {
                return;
            }
            place = (place + 1) & mask;
        }
        self.visited[place] = u64::from(hash) << 32 | self.nodes.len() as u64;
        self.visited_count += 1;
        self.nodes.push(node);
    }

    /// Where a hash belongs in the table of those visited.
    fn place(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.visited.len() as u64) >> 32) as usize
    }

    /// Whether a node to be added has the number and the last rows of another.
    fn is_like(&self, node: RowNode, other: usize) -> bool {
        let length = 2 * self.phases.period;
        let (before, rows) = (self.window(node.parent as usize), self.window(other));
        self.nodes[other].number == node.number
            && rows[length - 1] == node.row
            && rows[..length - 1] == before[1..length]
    }

    /// Makes the table of those visited twice as large.
    fn rehash(&mut self) {
        let size = (self.visited.len() * 2).max(1 << 12);
        let entries = std::mem::replace(&mut self.visited, vec![0; size]);
        for entry in entries.into_iter().filter(|&entry| entry != 0) {
            let mut place = self.place((entry >> 32) as u32);
            while self.visited[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.visited[place] = entry;
        }
    }

    /// Makes the table of those visited anew.
    fn revisit(&mut self) {
        self.visited.clear();
        self.visited_count = 0;
        self.rehash();
        let nodes = std::mem::take(&mut self.nodes);
        let length = 2 * self.phases.period;
        self.nodes.reserve(nodes.len());
        self.nodes.push(RowNode::ROOT);
        for &node in &nodes[1..] {
            let count = self.nodes.len();
            if self.is_open(node) {
                let rows = self.window(node.parent as usize);
                let hash = hash_rows(&rows[1..length], usize::from(node.number));
                self.visit(node, hash_with(hash, node.row));
            }
            // two nodes that went on alike before stay two
            if self.nodes.len() == count {
                self.nodes.push(node);
            }
        }
    }

    fn begin_deepening(&mut self) {
        let depth = self.rows_of(self.head).len();
        self.depth_goal = (depth + LEAST_DEEPENING).max(self.depth_goal);
        self.deepening = Some(Deepening {
            next: self.head,
            kept: vec![false; self.nodes.len() - self.head],
            descents: Vec::new(),
        });
    }

    /// Looks from some open nodes for rows down to the goal; in the end leaves out those without.
    fn deepen(
        &mut self,
        jobs: &RowJobRunner<'_>,
        control: &mut RowSearchControl<'_>,
    ) -> SearchFlow {
        let Some(mut deepening) = self.deepening.take() else {
            return SearchFlow::Continue;
        };
        while deepening.descents.len() < DESCENTS && deepening.next < self.nodes.len() {
            if self.is_open(self.nodes[deepening.next]) {
                deepening.descents.push(Descent::new(deepening.next as u32));
            }
            deepening.next += 1;
        }
        if deepening.descents.is_empty() {
            self.end_deepening(&deepening.kept);
            return SearchFlow::Continue;
        }
        let mut trials: Vec<DescentTrial> = std::mem::take(&mut deepening.descents)
            .into_iter()
            .map(DescentTrial::new)
            .collect();
        let parts: Vec<Mutex<&mut [DescentTrial]>> =
            trials.chunks_mut(DESCENTS_A_JOB).map(Mutex::new).collect();
        jobs(parts.len(), &|job| {
            let mut part = parts[job].lock().unwrap_or_else(PoisonError::into_inner);
            part.iter_mut().for_each(|trial| self.descend(trial));
        });
        drop(parts);
        let mut tried = Vec::new();
        for trial in trials {
            self.steps += trial.steps;
            trial.found.into_iter().for_each(|ship| self.add_ship(ship));
            match trial.is_deep {
                Some(is_deep) => {
                    deepening.kept[trial.descent.node as usize - self.head] = is_deep;
                    if tried.is_empty() {
                        tried = trial.descent.rows;
                    }
                }
                None => deepening.descents.push(trial.descent),
            }
        }
        if let Some(descent) = deepening.descents.first() {
            tried.clone_from(&descent.rows);
        }
        let done = (deepening.next - self.head - deepening.descents.len()) as f64;
        let share = done / deepening.kept.len() as f64;
        self.deepening = Some(deepening);
        let rows = &tried[tried.len().min(2 * self.phases.period)..];
        let progress = self.progress(rows.len() as u64, Some(share));
        control(&progress, &|| self.cells(rows))
    }

    /// Puts the rows that can come next on the stack; what was found is one row longer.
    fn open_next(&self, trial: &mut DescentTrial) {
        let length = 2 * self.phases.period;
        let Descent {
            rows, open, begins, ..
        } = &mut trial.descent;
        let begin = open.len();
        begins.push(begin);
        trial.steps += 1;
        let last = &rows[rows.len() - length..];
        self.phases
            .next_rows(&self.rule, last, rows.len() - length, open);
        let (is_ended, number) = (is_ended(last), rows.len() - length + 1);
        let mut kept = begin;
        for place in begin..open.len() {
            let row = open[place];
            rows.push(row);
            let last = &rows[rows.len() - length..];
            let is_ship = row != 0 && self.phases.is_end(&self.rule, last, number);
            if is_ship {
                trial.found.push(rows[length..].to_vec());
            }
            rows.pop();
            if row == 0 && is_ended || is_ship && !self.question.tagalongs {
                continue;
            }
            open[kept] = row;
            kept += 1;
        }
        open.truncate(kept);
    }

    /// Depth first from some rows, until there are as many as the goal, or for some steps.
    fn descend(&self, trial: &mut DescentTrial) {
        let length = 2 * self.phases.period;
        let goal = length + self.depth_goal;
        if trial.descent.rows.is_empty() {
            trial.descent.rows = vec![0; length];
            let rows = self.rows_of(trial.descent.node as usize);
            trial.descent.rows.extend(rows);
            trial.descent.given = trial.descent.rows.len();
            self.open_next(trial);
        }
        while trial.steps < DESCENT_STEPS {
            // the next of the rows that are open, at this depth or above
            let descent = &mut trial.descent;
            loop {
                let Some(&begin) = descent.begins.last() else {
                    trial.is_deep = Some(false);
                    return;
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
                trial.is_deep = Some(true);
                return;
            }
            self.open_next(trial);
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
        if self.nodes.len() * 2 > self.most_nodes() {
            // the same goal again would leave out nothing
            self.depth_goal += LEAST_DEEPENING;
        }
        self.revisit();
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

/// A node on its way to nodes some rows further.
struct LeapSearch<'a> {
    growth: &'a mut RowGrowth,
    node: usize,
    /// The number of the row that comes after the node's.
    number: usize,
    /// How many of the next rows may be dead while all before are.
    dead_rows: usize,
    /// With so many steps of the growth it ends.
    most_steps: u64,
    /// The last two periods of rows of the node, and those chosen.
    rows: Vec<Row>,
    /// The rows that are to be tried at each depth, one depth after the other.
    open: Vec<Row>,
}

/// Some steps of a search depth first, and what came of them.
struct DescentTrial {
    descent: Descent,
    steps: u64,
    found: Vec<Vec<Row>>,
    /// Whether the node grows as far as the goal, where that is known.
    is_deep: Option<bool>,
}

impl DescentTrial {
    fn new(descent: Descent) -> Self {
        Self {
            descent,
            steps: 0,
            found: Vec::new(),
            is_deep: None,
        }
    }
}

/// Whether with one more dead row all the last rows are dead: a ship has ended before.
fn is_ended(last: &[Row]) -> bool {
    last[0] != 0 && last[1..].iter().all(|&row| row == 0)
}

/// What a number and all rows of a window but the last give to its hash.
fn hash_rows(rows: &[Row], number: usize) -> u64 {
    rows.iter().fold(number as u64, |hash, &row| {
        hash.wrapping_mul(HASH_FACTOR).wrapping_add(row.into())
    })
}

/// The upper half of a window's hash.
fn hash_with(hash: u64, row: Row) -> u32 {
    let hash = hash.wrapping_mul(HASH_FACTOR).wrapping_add(row.into());
    (mix(hash) >> 32) as u32
}
