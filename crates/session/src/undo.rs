//! Undo and redo.
//!
//! Each step holds the contents that are *not* there now: undo and redo both exchange the two.

use crate::checkpoint::WorldCheckpoint;
use crate::display::DisplaySettings;
use crate::settings::Settings;
use crate::world_info::WorldInfo;
use grid::{Point, Rect, State};
use num_bigint::BigInt;
use pattern::Cells;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::Arc;

/// The contents of an undo step.
#[derive(Clone, Debug)]
pub(crate) enum UndoContents {
    /// Single cells, each once.
    Points(Vec<(Point, State)>),
    /// All cells of a rectangle.
    Block(Rect, Cells),
    /// A checkpoint, possibly shared with the timeline.
    Checkpoint(Arc<WorldCheckpoint>),
    /// All of another pattern that was open.
    Document(Box<DocumentCheckpoint>),
}

/// A pattern that was open, with its description, its settings and its own history.
#[derive(Clone, Debug)]
pub(crate) struct DocumentCheckpoint {
    pub(crate) world: WorldCheckpoint,
    pub(crate) info: WorldInfo,
    pub(crate) settings: Settings,
    pub(crate) display: DisplaySettings,
    pub(crate) history: UndoHistory,
    /// The content version that was last saved or opened.
    pub(crate) saved: u64,
}

impl UndoContents {
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Points(points) => size_of_val(points.as_slice()) as u64,
            Self::Block(_, cells) => cells.bytes(),
            Self::Checkpoint(checkpoint) => checkpoint.bytes(),
            Self::Document(document) => document.world.bytes() + document.history.bytes(&|_| false),
        }
    }
}

/// A change that can be undone or redone.
#[derive(Clone, Debug)]
pub(crate) struct UndoStep {
    /// The change's name in a word or two: `draw`, `run`.
    pub(crate) name: &'static str,
    pub(crate) contents: UndoContents,
    /// The generation at which it was made.
    pub(crate) generation: BigInt,
    /// The selection on the other side of the change.
    pub(crate) selection: Option<Rect>,
    /// The content version on the other side: see [`crate::Session`].
    pub(crate) content: u64,
    bytes: u64,
}

impl UndoStep {
    pub(crate) fn new(
        name: &'static str,
        contents: UndoContents,
        generation: BigInt,
        selection: Option<Rect>,
        content: u64,
    ) -> Self {
        let bytes = contents.bytes() + 64;
        Self {
            name,
            contents,
            generation,
            selection,
            content,
            bytes,
        }
    }
}

/// A change in the list of changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeEntry {
    /// The change's name in a word or two: `draw`, `run`.
    pub name: &'static str,
    /// The generation at which it was made.
    pub generation: String,
    /// How many cells it gave another state, where they were listed one by one.
    pub cells: Option<usize>,
}

/// The changes that can be undone and redone. `undo 3` undoes the first three, `redo 2` redoes
/// the first two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeList {
    /// Changes that can be undone, the last one first.
    pub done: Vec<ChangeEntry>,
    /// Changes that can be redone, the next one first.
    pub undone: Vec<ChangeEntry>,
    /// How many more can be undone than are listed.
    pub older: usize,
}

/// The undo and redo stacks.
#[derive(Clone, Debug)]
pub(crate) struct UndoHistory {
    done: VecDeque<UndoStep>,
    undone: Vec<UndoStep>,
    /// The limit in bytes for all steps; the last one may exceed it.
    limit: u64,
}

impl UndoHistory {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            done: VecDeque::new(),
            undone: Vec::new(),
            limit,
        }
    }

    /// All changes, as they follow each other in the two stacks.
    pub(crate) fn steps(
        &self,
    ) -> (
        impl DoubleEndedIterator<Item = &UndoStep>,
        impl DoubleEndedIterator<Item = &UndoStep>,
    ) {
        (self.done.iter(), self.undone.iter())
    }

    /// Adds a change.
    pub(crate) fn push(&mut self, step: UndoStep) {
        self.undone.clear();
        self.done.push_back(step);
        self.trim();
    }

    /// The last change, if it is of this kind and nothing has been undone since.
    pub(crate) fn last_mut(&mut self, name: &str) -> Option<&mut UndoStep> {
        let can_go_on = self.undone.is_empty();
        self.done
            .back_mut()
            .filter(|step| can_go_on && step.name == name)
    }

    /// Takes the last change to undo it: its inverse goes to [`UndoHistory::push_undone`].
    pub(crate) fn pop_done(&mut self) -> Option<UndoStep> {
        self.done.pop_back()
    }

    pub(crate) fn push_undone(&mut self, step: UndoStep) {
        self.undone.push(step);
    }

    pub(crate) fn pop_undone(&mut self) -> Option<UndoStep> {
        self.undone.pop()
    }

    pub(crate) fn push_redone(&mut self, step: UndoStep) {
        self.done.push_back(step);
        self.trim();
    }

    /// The name of the change to undo next.
    pub(crate) fn next_undo(&self) -> Option<&'static str> {
        self.done.back().map(|step| step.name)
    }

    /// The name of the change to redo next.
    pub(crate) fn next_redo(&self) -> Option<&'static str> {
        self.undone.last().map(|step| step.name)
    }

    /// The newest changes, as they are listed.
    pub(crate) fn changes(&self) -> ChangeList {
        const MOST: usize = 50;
        let entry = |step: &UndoStep| ChangeEntry {
            name: step.name,
            generation: step.generation.to_string(),
            cells: match &step.contents {
                UndoContents::Points(points) => Some(points.len()),
                _ => None,
            },
        };
        ChangeList {
            done: self.done.iter().rev().take(MOST).map(entry).collect(),
            undone: self.undone.iter().rev().take(MOST).map(entry).collect(),
            older: self.done.len().saturating_sub(MOST),
        }
    }

    /// Bytes of all steps, without checkpoints that are shared.
    pub(crate) fn bytes(&self, is_shared: &dyn Fn(&Arc<WorldCheckpoint>) -> bool) -> u64 {
        let own = |step: &&UndoStep| match &step.contents {
            UndoContents::Checkpoint(checkpoint) => !is_shared(checkpoint),
            _ => true,
        };
        let steps = self.done.iter().chain(&self.undone).filter(own);
        steps.map(|step| step.bytes).sum()
    }

    /// Drops the oldest change, but never the last one. Returns whether there was one.
    pub(crate) fn drop_oldest(&mut self) -> bool {
        let is_more = self.done.len() > 1;
        if is_more {
            self.done.pop_front();
        }
        is_more
    }

    /// The newest changes that take so many bytes at most, and those that were undone if there is
    /// room for all of them.
    pub(crate) fn newest(&self, bytes: u64) -> Self {
        let mut room = bytes;
        let mut fits = |step: &&UndoStep| {
            let rest = room.checked_sub(step.bytes);
            room = rest.unwrap_or(room);
            rest.is_some()
        };
        let done = self.done.iter().rev().take_while(&mut fits).count();
        let undone = self.undone.iter().take_while(&mut fits).count();
        let are_all_undone_kept = undone == self.undone.len();
        Self {
            done: self.done.range(self.done.len() - done..).cloned().collect(),
            undone: match are_all_undone_kept {
                true => self.undone.clone(),
                false => Vec::new(),
            },
            limit: self.limit,
        }
    }

    /// Whether a pattern that was not saved can be brought back.
    pub(crate) fn has_document(&self) -> bool {
        let mut steps = self.done.iter().chain(&self.undone);
        steps.any(|step| matches!(step.contents, UndoContents::Document(_)))
    }

    pub(crate) fn clear(&mut self) {
        self.done.clear();
        self.undone.clear();
    }

    /// Updates the size of the last step after it has grown.
    pub(crate) fn update_last_size(&mut self) {
        if let Some(step) = self.done.back_mut() {
            step.bytes = step.contents.bytes() + 64;
        }
        self.trim();
    }

    /// Drops the oldest changes until the limit holds.
    fn trim(&mut self) {
        let undone: u64 = self.undone.iter().map(|step| step.bytes).sum();
        let mut all: u64 = undone + self.done.iter().map(|step| step.bytes).sum::<u64>();
        while all > self.limit && self.done.len() > 1 {
            all -= self.done.pop_front().map_or(0, |step| step.bytes);
        }
    }
}
