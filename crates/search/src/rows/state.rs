//! The saved form of a search by rows.

use super::row_rule::Row;
use super::ship_ends::ShipEnds;
use thiserror::Error;

/// A row and the node of the rows before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowNode {
    pub(super) parent: u32,
    pub(super) row: Row,
    /// The number of the row that comes after it, modulo a period; the period itself where it does not
    /// grow, since it only leads to nodes that do.
    pub(super) number: u16,
}

impl RowNode {
    pub(super) const ROOT: Self = Self {
        parent: 0,
        row: 0,
        number: 0,
    };
}

/// How far a deepening is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deepening {
    /// The node to begin with.
    pub(super) next: usize,
    /// Which of the open nodes grow as far as the goal, as far as that is known.
    pub(super) kept: Vec<bool>,
    /// The searches that are under way below nodes before that one.
    pub(super) descents: Vec<Descent>,
}

/// A search depth first. It has no rows before it has begun.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Descent {
    /// The node that it begins with.
    pub(super) node: u32,
    /// Two periods of dead rows, and those chosen.
    pub(super) rows: Vec<Row>,
    /// How many of them were given.
    pub(super) given: usize,
    /// The rows that are still to be tried at each depth, one depth after the other.
    pub(super) open: Vec<Row>,
    /// Where those of each depth begin.
    pub(super) begins: Vec<usize>,
}

impl Descent {
    pub(super) fn new(node: u32) -> Self {
        Self {
            node,
            ..Self::default()
        }
    }
}

/// Where a search by rows is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSearchState {
    pub(super) nodes: Vec<RowNode>,
    pub(super) head: usize,
    pub(super) deepening: Option<Deepening>,
    pub(super) depth_goal: usize,
    pub(super) found: Vec<Vec<Row>>,
    pub(super) ends: ShipEnds,
    pub(super) steps: u64,
}

/// What is wrong with a saved state.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowSearchStateError {
    /// It ends too early.
    #[error("the saved search by rows ends too early")]
    Short,
    /// Something does not fit together.
    #[error("the saved search by rows is damaged at byte {0}")]
    Damaged(usize),
}

impl RowSearchState {
    /// Whether it can be of a search with so many different rows and this period.
    pub(super) fn fits(&self, rows: usize, period: usize) -> bool {
        let is_row = |&row: &Row| usize::from(row) < rows;
        let is_descent = |descent: &Descent| {
            let is_begun = descent.rows.len() >= 2 * period;
            let is_long_enough = is_begun || (descent.rows.is_empty() && descent.begins.is_empty());
            is_long_enough && descent.rows.iter().chain(&descent.open).all(is_row)
        };
        let descents = self.deepening.iter().flat_map(|d| &d.descents);
        let is_node = |node: &RowNode| is_row(&node.row) && usize::from(node.number) <= period;
        let is_end = |end: &Vec<Row>| end.len() == 2 * period + 1 && end.iter().all(is_row);
        self.nodes.iter().all(is_node)
            && self.ends.list().all(is_end)
            && self.found.iter().flatten().all(is_row)
            && descents.into_iter().all(is_descent)
    }

    /// Bytes, in small numbers: a node is the distance to its parent's number and its row.
    ///
    /// ```
    /// use search::{RowQuestion, RowSearch, RowSearchState, RowSymmetry};
    ///
    /// let question = RowQuestion {
    ///     rule: "B3/S23".parse()?,
    ///     period: 3,
    ///     offset: 1,
    ///     width: 4,
    ///     symmetry: RowSymmetry::Even,
    ///     tagalongs: false,
    ///     memory: 1 << 20,
    /// };
    /// let state = RowSearch::new(question)?.state();
    /// assert_eq!(RowSearchState::from_bytes(&state.to_bytes())?, state);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |number: u64| put_number(&mut bytes, number);
        for number in [
            self.nodes.len(),
            self.head,
            self.depth_goal,
            self.found.len(),
        ] {
            put(number as u64);
        }
        put(self.steps);
        for (index, node) in self.nodes.iter().enumerate() {
            put(index as u64 - u64::from(node.parent));
            put(u64::from(node.row));
            put(u64::from(node.number));
        }
        put(self.ends.list().len() as u64);
        for rows in self.found.iter().chain(self.ends.list()) {
            put(rows.len() as u64);
            rows.iter().for_each(|&row| put(row.into()));
        }
        match &self.deepening {
            None => put(0),
            Some(deepening) => {
                put(1);
                put(deepening.next as u64);
                for bits in deepening.kept.chunks(7) {
                    put(bits
                        .iter()
                        .rev()
                        .fold(0, |word, &bit| word << 1 | u64::from(bit)));
                }
                put(deepening.descents.len() as u64);
                for descent in &deepening.descents {
                    put(descent.node.into());
                    put(descent.given as u64);
                    for rows in [&descent.rows, &descent.open] {
                        put(rows.len() as u64);
                        rows.iter().for_each(|&row| put(row.into()));
                    }
                    put(descent.begins.len() as u64);
                    descent.begins.iter().for_each(|&begin| put(begin as u64));
                }
            }
        }
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// Bytes that are not such a state.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RowSearchStateError> {
        let mut at = 0;
        let mut take = || take_number(bytes, &mut at);
        let (count, head) = (take()? as usize, take()? as usize);
        let (depth_goal, found_count) = (take()? as usize, take()? as usize);
        let steps = take()?;
        let mut nodes = Vec::new();
        for index in 0..count {
            let (distance, row, number) = (take()? as usize, take()?, take()?);
            let is_possible =
                (index.min(1)..=index).contains(&distance) && row <= 0xFFFF && number <= 0xFFFF;
            if !is_possible {
                return Err(RowSearchStateError::Damaged(at));
            }
            nodes.push(RowNode {
                parent: (index - distance) as u32,
                row: row as Row,
                number: number as u16,
            });
        }
        let end_count = take()? as usize;
        let mut list = || {
            let rows = (0..take()?).map(|_| Ok(take()? as Row));
            rows.collect::<Result<Vec<_>, RowSearchStateError>>()
        };
        let found = (0..found_count).map(|_| list()).collect::<Result<_, _>>()?;
        let ends = (0..end_count).map(|_| list()).collect::<Result<_, _>>()?;
        let deepening = match take()? {
            0 => None,
            _ => {
                let next = take()? as usize;
                let open = count
                    .checked_sub(head)
                    .filter(|_| (head..=count).contains(&next));
                let open = open.ok_or(RowSearchStateError::Short)?;
                let mut kept = Vec::new();
                while kept.len() < open {
                    let bits = take()?;
                    kept.extend((0..7.min(open - kept.len())).map(|bit| bits >> bit & 1 == 1));
                }
                let mut descents = Vec::new();
                for _ in 0..take()? {
                    let (node, given) = (take()? as usize, take()? as usize);
                    let mut list = || (0..take()?).map(|_| take()).collect::<Result<Vec<_>, _>>();
                    let (rows, open, begins) = (list()?, list()?, list()?);
                    let is_possible = (head..next).contains(&node)
                        && given <= rows.len()
                        && begins.iter().all(|&begin| begin <= open.len() as u64);
                    if !is_possible {
                        return Err(RowSearchStateError::Damaged(at));
                    }
                    let to_rows = |list: Vec<u64>| list.into_iter().map(|row| row as Row).collect();
                    descents.push(Descent {
                        node: node as u32,
                        rows: to_rows(rows),
                        given,
                        open: to_rows(open),
                        begins: begins.into_iter().map(|begin| begin as usize).collect(),
                    });
                }
                Some(Deepening {
                    next,
                    kept,
                    descents,
                })
            }
        };
        if head > count || count == 0 || at != bytes.len() {
            return Err(RowSearchStateError::Damaged(at));
        }
        Ok(Self {
            nodes,
            head,
            deepening,
            depth_goal,
            found,
            ends,
            steps,
        })
    }
}

/// Seven bits a byte, the lowest first; the uppermost bit says that there are more.
fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &[u8], at: &mut usize) -> Result<u64, RowSearchStateError> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let byte = *bytes.get(*at).ok_or(RowSearchStateError::Short)?;
        *at += 1;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(RowSearchStateError::Damaged(*at))
}
