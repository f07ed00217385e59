//! The saved form of a search by rows.

use super::row_rule::Row;
use thiserror::Error;

/// A row and the node of the rows before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowNode {
    pub(super) parent: u32,
    pub(super) row: Row,
    /// The number of the row that comes after it, modulo a period.
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
    /// Which of the open nodes before it grow as far as the goal.
    pub(super) kept: Vec<bool>,
    /// How far the search below that node is, where it has begun.
    pub(super) descent: Option<Descent>,
}

/// A search depth first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Descent {
    /// Two periods of dead rows, and those chosen.
    pub(super) rows: Vec<Row>,
    /// How many of them were given.
    pub(super) given: usize,
    /// The rows that are still to be tried at each depth, one depth after the other.
    pub(super) open: Vec<Row>,
    /// Where those of each depth begin.
    pub(super) begins: Vec<usize>,
}

/// Where a search by rows is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSearchState {
    pub(super) nodes: Vec<RowNode>,
    pub(super) head: usize,
    pub(super) deepening: Option<Deepening>,
    pub(super) depth_goal: usize,
    pub(super) found: Vec<Vec<Row>>,
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
        let mut parent_before = 0;
        for node in &self.nodes {
            put(u64::from(node.parent - parent_before));
            put(u64::from(node.row));
            put(u64::from(node.number));
            parent_before = node.parent;
        }
        for rows in &self.found {
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
                put(u64::from(deepening.descent.is_some()));
                if let Some(descent) = &deepening.descent {
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
        let mut parent = 0_u64;
        for index in 0..count {
            parent += take()?;
            let (row, number) = (take()?, take()?);
            let is_possible = parent < index.max(1) as u64 && row <= 0xFFFF && number <= 0xFFFF;
            if !is_possible {
                return Err(RowSearchStateError::Damaged(at));
            }
            nodes.push(RowNode {
                parent: parent as u32,
                row: row as Row,
                number: number as u16,
            });
        }
        let mut found = Vec::new();
        for _ in 0..found_count {
            let rows = (0..take()?).map(|_| Ok(take()? as Row));
            found.push(rows.collect::<Result<_, RowSearchStateError>>()?);
        }
        let deepening = match take()? {
            0 => None,
            _ => {
                let next = take()? as usize;
                let done = next.checked_sub(head).filter(|_| next <= count);
                let done = done.ok_or(RowSearchStateError::Short)?;
                let mut kept = Vec::new();
                while kept.len() < done {
                    let bits = take()?;
                    kept.extend((0..7.min(done - kept.len())).map(|bit| bits >> bit & 1 == 1));
                }
                let descent = match take()? {
                    0 => None,
                    _ => {
                        let given = take()? as usize;
                        let mut list =
                            || (0..take()?).map(|_| take()).collect::<Result<Vec<_>, _>>();
                        let (rows, open, begins) = (list()?, list()?, list()?);
                        let to_rows =
                            |list: Vec<u64>| list.into_iter().map(|row| row as Row).collect();
                        let begins = begins.into_iter().map(|begin| begin as usize).collect();
                        let (rows, open) = (to_rows(rows), to_rows(open));
                        Some(Descent {
                            rows,
                            given,
                            open,
                            begins,
                        })
                    }
                };
                Some(Deepening {
                    next,
                    kept,
                    descent,
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
