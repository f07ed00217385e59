//! The choices among which the search branches.

use super::cell_contents::{EMPTY, LaserCellContents, ways};
use super::partial_board::PartialBoard;
use crate::direction::Direction;

/// A choice at a branch; each solution satisfies exactly one of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum SolverChoice {
    /// The open cells from `from` to before `to` are empty, and `content` is at `to`.
    Put {
        from: u32,
        way: Direction,
        to: u32,
        content: LaserCellContents,
    },
    /// Light enters a piece in this direction, and in none of those before.
    Feed {
        cell: u32,
        heading: Direction,
        never: u8,
    },
}

impl SolverChoice {
    /// Applies the choice.
    pub(super) fn apply(self, state: &mut PartialBoard) {
        match self {
            Self::Put {
                from,
                way,
                to,
                content,
            } => {
                let mut cell = from;
                while cell != to && !state.is_dead {
                    if state.is_open(cell) {
                        state.decide(cell, EMPTY);
                    }
                    cell = state.grid.step(cell, way);
                }
                if !state.is_dead {
                    state.decide(to, content);
                }
            }
            Self::Feed {
                cell,
                heading,
                never,
            } => {
                for way in ways(never) {
                    state.forbid((cell, way));
                }
                if !state.is_dead {
                    state.demand((cell, heading));
                }
            }
        }
    }
}
