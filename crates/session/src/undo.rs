//! Taking changes back, and making them again.
//!
//! Each step holds what is *not* there now: to undo it is to exchange the two, and to redo
//! it is to exchange them again.

use crate::checkpoint::WorldCheckpoint;
use grid::{Point, Rect, State};
use pattern::Cells;
use std::collections::VecDeque;
use std::sync::Arc;

/// What there was, or will be.
#[derive(Clone, Debug)]
pub(crate) enum UndoContents {
    /// Single cells, each once.
    Points(Vec<(Point, State)>),
    /// All cells of a rectangle.
    Block(Rect, Cells),
    /// Everything. The timeline may have the same.
    Scene(Arc<WorldCheckpoint>),
}

impl UndoContents {
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Points(points) => size_of_val(points.as_slice()) as u64,
            Self::Block(_, cells) => cells.bytes(),
            Self::Scene(scene) => scene.bytes(),
        }
    }
}

/// A change that was made.
#[derive(Clone, Debug)]
pub(crate) struct UndoStep {
    /// In a word or two: `draw`, `run`.
    pub(crate) what: &'static str,
    pub(crate) other: UndoContents,
    /// What was selected on the other side of it.
    pub(crate) selection: Option<Rect>,
    /// Which content the other side had: see [`crate::Session`].
    pub(crate) content: u64,
    bytes: u64,
}

impl UndoStep {
    pub(crate) fn new(
        what: &'static str,
        other: UndoContents,
        selection: Option<Rect>,
        content: u64,
    ) -> Self {
        let bytes = other.bytes() + 64;
        Self {
            what,
            other,
            selection,
            content,
            bytes,
        }
    }
}

/// What can be taken back, and made again.
#[derive(Debug)]
pub(crate) struct UndoHistory {
    done: VecDeque<UndoStep>,
    undone: Vec<UndoStep>,
    /// Bytes that all steps together may take; the last one may take more.
    allowed: u64,
}

impl UndoHistory {
    pub(crate) fn new(allowed: u64) -> Self {
        Self {
            done: VecDeque::new(),
            undone: Vec::new(),
            allowed,
        }
    }

    /// Takes in a change that was made just now.
    pub(crate) fn push(&mut self, step: UndoStep) {
        self.undone.clear();
        self.done.push_back(step);
        self.trim();
    }

    /// The last change, if it is one of these and nothing has been taken back since.
    pub(crate) fn last_mut(&mut self, what: &str) -> Option<&mut UndoStep> {
        let can_go_on = self.undone.is_empty();
        self.done
            .back_mut()
            .filter(|step| can_go_on && step.what == what)
    }

    /// The last change, which is to be taken back: what it leaves is given to
    /// [`UndoHistory::was_undone`].
    pub(crate) fn take_done(&mut self) -> Option<UndoStep> {
        self.done.pop_back()
    }

    pub(crate) fn was_undone(&mut self, step: UndoStep) {
        self.undone.push(step);
    }

    pub(crate) fn take_undone(&mut self) -> Option<UndoStep> {
        self.undone.pop()
    }

    pub(crate) fn was_redone(&mut self, step: UndoStep) {
        self.done.push_back(step);
        self.trim();
    }

    /// What would be taken back next.
    pub(crate) fn can_undo(&self) -> Option<&'static str> {
        self.done.back().map(|step| step.what)
    }

    /// What would be made again next.
    pub(crate) fn can_redo(&self) -> Option<&'static str> {
        self.undone.last().map(|step| step.what)
    }

    /// Bytes of all steps, but for scenes that somebody else has, too.
    pub(crate) fn bytes(&self, is_shared: &dyn Fn(&Arc<WorldCheckpoint>) -> bool) -> u64 {
        let own = |step: &&UndoStep| match &step.other {
            UndoContents::Scene(scene) => !is_shared(scene),
            _ => true,
        };
        let steps = self.done.iter().chain(&self.undone).filter(own);
        steps.map(|step| step.bytes).sum()
    }

    /// Forgets the change that lies furthest back; the last one stays. Whether there was one.
    pub(crate) fn forget_first(&mut self) -> bool {
        let is_more = self.done.len() > 1;
        if is_more {
            self.done.pop_front();
        }
        is_more
    }

    pub(crate) fn clear(&mut self) {
        self.done.clear();
        self.undone.clear();
    }

    /// Counts a step again that was added to.
    pub(crate) fn recount_last(&mut self) {
        if let Some(step) = self.done.back_mut() {
            step.bytes = step.other.bytes() + 64;
        }
        self.trim();
    }

    /// Forgets what lies furthest back.
    fn trim(&mut self) {
        let undone: u64 = self.undone.iter().map(|step| step.bytes).sum();
        let mut all: u64 = undone + self.done.iter().map(|step| step.bytes).sum::<u64>();
        while all > self.allowed && self.done.len() > 1 {
            all -= self.done.pop_front().map_or(0, |step| step.bytes);
        }
    }
}
