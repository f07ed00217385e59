//! The history of a world in its draft: the changes that can be undone and redone, and the
//! checkpoints of earlier generations to go back to.
//!
//! It is TOML behind the pattern, so that the cells before it stay what they are. Cells are texts of
//! the same formats. The newest is kept first, within a bound of bytes.

use crate::checkpoint::WorldCheckpoint;
use crate::command;
use crate::refusal::CommandRefusal;
use crate::session::Session;
use crate::undo::{DocumentCheckpoint, UndoContents, UndoStep};
use crate::viewer::Viewer;
use engine::Snapshot;
use grid::{Point, Rect, State};
use num_bigint::BigInt;
use pattern::{Cells, Format, Pattern};
use rule::Rule;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::sync::Arc;

/// The line between the pattern and its history.
const HISTORY_LINE: &str = "\n--- history\n";

/// The most bytes of a history, nested ones included.
const MAX_BYTES: usize = 16 << 20;

/// Names of changes that are no commands.
const OTHER_NAMES: [&str; 1] = ["go to"];

/// What a change is called whose name is not known.
const UNKNOWN_NAME: &str = "change";

/// The history as it is written.
#[derive(Debug, Default, Deserialize, Serialize)]
struct HistoryRecord {
    content: u64,
    saved: u64,
    last_content: u64,
    has_checkpoint: bool,
    /// Places in the list of checkpoints, in ascending order of generations.
    #[serde(default)]
    timeline: Vec<usize>,
    #[serde(default)]
    checkpoints: Vec<CheckpointRecord>,
    #[serde(default)]
    done: Vec<StepRecord>,
    #[serde(default)]
    undone: Vec<StepRecord>,
}

#[derive(Debug, Deserialize, Serialize)]
struct CheckpointRecord {
    generation: String,
    /// Where it is another one than the world's.
    rule: Option<String>,
    cells: String,
    selection: Option<RectRecord>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct RectRecord {
    x: i64,
    y: i64,
    width: u64,
    height: u64,
}

/// A change, with one kind of contents.
#[derive(Debug, Default, Deserialize, Serialize)]
struct StepRecord {
    name: String,
    generation: String,
    content: u64,
    /// `x,y,state`, separated by blanks.
    points: Option<String>,
    /// The cells of a block.
    cells: Option<String>,
    /// A place in the list of checkpoints.
    checkpoint: Option<usize>,
    /// A draft of another pattern.
    document: Option<String>,
    block: Option<RectRecord>,
    selection: Option<RectRecord>,
}

impl From<Rect> for RectRecord {
    fn from(rect: Rect) -> Self {
        Self {
            x: rect.x,
            y: rect.y,
            width: rect.width,
            height: rect.height,
        }
    }
}

impl From<RectRecord> for Rect {
    fn from(record: RectRecord) -> Self {
        Self::new(record.x, record.y, record.width, record.height)
    }
}

/// The pattern of a draft, and the history behind it, if there is one.
pub(super) fn split_history(bytes: &[u8]) -> (&[u8], Option<&str>) {
    let line = HISTORY_LINE.as_bytes();
    let mut windows = bytes.windows(line.len());
    // a pattern has no such line, and the history of another pattern lies within this one
    let Some(at) = windows.position(|window| window == line) else {
        return (bytes, None);
    };
    let history = std::str::from_utf8(&bytes[at + line.len()..]);
    (&bytes[..at], history.ok())
}

/// Writes a session's history behind its draft. Returns whether all patterns are in it that undo
/// would bring back.
pub(super) fn append_history(session: &Session, draft: &mut Vec<u8>) -> bool {
    let mut writer = HistoryWriter {
        session,
        room: MAX_BYTES.saturating_sub(draft.len()),
        checkpoints: Vec::new(),
        records: Vec::new(),
    };
    let (record, is_whole) = writer.write();
    let is_empty = record.done.is_empty() && record.undone.is_empty() && record.timeline.is_empty();
    if let (false, Ok(text)) = (is_empty, toml::to_string(&record)) {
        draft.extend_from_slice(HISTORY_LINE.as_bytes());
        draft.extend_from_slice(text.as_bytes());
    }
    is_whole
}

struct HistoryWriter<'a> {
    session: &'a Session,
    /// Bytes that may still be written.
    room: usize,
    /// Those that have a record.
    checkpoints: Vec<Arc<WorldCheckpoint>>,
    records: Vec<CheckpointRecord>,
}

impl HistoryWriter<'_> {
    fn write(&mut self) -> (HistoryRecord, bool) {
        let session = self.session;
        let (done, undone) = session.undo_history.steps();
        let mut kept_done = Vec::new();
        let mut is_whole = true;
        for step in done.rev() {
            match self.step(step) {
                Some(record) => kept_done.push(record),
                None => {
                    is_whole = false;
                    break;
                }
            }
        }
        kept_done.reverse();
        // those that were undone follow each other from the last one of the list on
        let mut kept_undone = Vec::new();
        for step in undone.rev() {
            match self.step(step) {
                Some(record) => kept_undone.push(record),
                None => {
                    is_whole = false;
                    break;
                }
            }
        }
        kept_undone.reverse();
        let mut timeline = Vec::new();
        let all = session.timeline.checkpoints();
        // the start first, then from the newest one back
        let order = all.iter().take(1).chain(all.iter().skip(1).rev());
        for checkpoint in order {
            match self.checkpoint(checkpoint) {
                Some(place) => timeline.push((checkpoint.cells.generation().clone(), place)),
                None => break,
            }
        }
        timeline.sort();
        let record = HistoryRecord {
            content: session.content,
            saved: session.saved,
            last_content: session.last_content,
            has_checkpoint: session.has_checkpoint && timeline.len() == all.len(),
            timeline: timeline.into_iter().map(|(_, place)| place).collect(),
            checkpoints: std::mem::take(&mut self.records),
            done: kept_done,
            undone: kept_undone,
        };
        (record, is_whole || !session.undo_history.has_document())
    }

    fn step(&mut self, step: &UndoStep) -> Option<StepRecord> {
        let mut record = StepRecord {
            name: step.name.into(),
            generation: step.generation.to_string(),
            content: step.content,
            selection: step.selection.map(RectRecord::from),
            ..StepRecord::default()
        };
        match &step.contents {
            UndoContents::Points(points) => {
                let mut text = String::new();
                for (p, state) in points {
                    // writing to a String cannot fail
                    let _ = write!(text, "{},{},{state} ", p.x, p.y);
                }
                record.points = Some(self.fitting(text)?);
            }
            UndoContents::Block(rect, cells) => {
                record.block = Some((*rect).into());
                record.cells = Some(self.cells(cells, self.session.world.rule())?);
            }
            UndoContents::Checkpoint(checkpoint) => {
                record.checkpoint = Some(self.checkpoint(checkpoint)?);
            }
            UndoContents::Document(document) => {
                let text = draft_of_document(self.session, document).ok()?;
                record.document = Some(self.fitting(text)?);
            }
        }
        Some(record)
    }

    /// The place of a checkpoint in the list, where there is room for it.
    fn checkpoint(&mut self, checkpoint: &Arc<WorldCheckpoint>) -> Option<usize> {
        let known = self
            .checkpoints
            .iter()
            .position(|own| Arc::ptr_eq(own, checkpoint));
        if known.is_some() {
            return known;
        }
        // as text it may be smaller or larger than in memory
        if checkpoint.bytes() / 4 > self.room as u64 {
            return None;
        }
        let is_own = checkpoint.rule == *self.session.world.rule();
        let record = CheckpointRecord {
            generation: checkpoint.cells.generation().to_string(),
            rule: (!is_own).then(|| checkpoint.rule.to_string()),
            selection: checkpoint.selection.map(RectRecord::from),
            cells: self.cells(&checkpoint.cells.cells(), &checkpoint.rule)?,
        };
        self.checkpoints.push(Arc::clone(checkpoint));
        self.records.push(record);
        Some(self.records.len() - 1)
    }

    fn cells(&mut self, cells: &Cells, rule: &Rule) -> Option<String> {
        let corner = cells.bounds().and_then(|bounds| bounds.to_rect());
        let pattern = Pattern {
            cells: cells.clone(),
            position: corner.map(|rect| Point::new(rect.x, rect.y)),
            rule: Some(rule.to_string()),
            ..Pattern::default()
        };
        let format = match cells.as_tree() {
            Some(_) => Format::Macrocell,
            None => Format::Rle,
        };
        let mut bytes = Vec::new();
        pattern::write(&pattern, format, &mut bytes).ok()?;
        self.fitting(String::from_utf8(bytes).ok()?)
    }

    fn fitting(&mut self, text: String) -> Option<String> {
        self.room = self.room.checked_sub(text.len())?;
        Some(text)
    }
}

/// Another pattern as a draft with its own history.
fn draft_of_document(
    session: &Session,
    document: &DocumentCheckpoint,
) -> Result<String, CommandRefusal> {
    let mut other = Session::new(session.file_access.clone(), 0);
    other.exchange_document("draft", document)?;
    let bytes = other.draft_with_history(&Viewer::new(1280, 720))?.bytes;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Gives a session that a draft was restored into the history that was written behind it. What
/// cannot be read is left out, with all that is older.
pub(super) fn restore_history(session: &mut Session, text: &str) {
    let record = toml::from_str::<HistoryRecord>(text).ok();
    let is_unsaved = session.is_unsaved();
    let is_its_own = |record: &HistoryRecord| (record.content != record.saved) == is_unsaved;
    let Some(record) = record.filter(is_its_own) else {
        return;
    };
    let checkpoints: Vec<_> = record
        .checkpoints
        .iter()
        .map(|record| checkpoint_of(session, record).map(Arc::new))
        .collect();
    let find = |place: usize| checkpoints.get(place).cloned().flatten();
    let mut done: Vec<UndoStep> = Vec::new();
    for step in record.done.iter().rev() {
        match step_of(session, step, &find) {
            Some(step) => done.push(step),
            None => break,
        }
    }
    done.reverse();
    let mut undone: Vec<UndoStep> = Vec::new();
    for step in record.undone.iter().rev() {
        match step_of(session, step, &find) {
            Some(step) => undone.push(step),
            None => break,
        }
    }
    undone.reverse();
    session.undo_history.clear();
    for step in done {
        session.undo_history.push_redone(step);
    }
    for step in undone {
        session.undo_history.push_undone(step);
    }
    session.timeline.clear();
    let now = session.world.generation().clone();
    let timeline: Option<Vec<_>> = record.timeline.iter().map(|&place| find(place)).collect();
    let is_whole = timeline.is_some();
    for checkpoint in timeline.unwrap_or_default() {
        if *checkpoint.cells.generation() <= now {
            session.timeline.push(checkpoint);
        }
    }
    session.has_checkpoint = record.has_checkpoint && is_whole;
    session.content = record.content;
    session.saved = record.saved;
    session.last_content = record.last_content.max(record.content).max(record.saved);
    // older than what there is room for is dropped
    let _ = session.reserve_memory("open", 0);
    session.revision += 1;
}

fn cells_of(text: &str) -> Option<Cells> {
    Some(pattern::read(text.as_bytes()).ok()?.0.cells)
}

fn checkpoint_of(session: &Session, record: &CheckpointRecord) -> Option<WorldCheckpoint> {
    let rule = match &record.rule {
        None => session.world.rule().clone(),
        Some(text) => {
            let words = Pattern {
                rule_block: session.info.rule_block.clone(),
                ..Pattern::default()
            };
            session.file_access.parse_rule(text, &words, None).ok()?
        }
    };
    let generation: BigInt = record.generation.parse().ok()?;
    Some(WorldCheckpoint {
        rule,
        cells: Snapshot::from_cells(generation, cells_of(&record.cells)?),
        selection: record.selection.map(Rect::from),
    })
}

fn step_of(
    session: &Session,
    record: &StepRecord,
    find: &impl Fn(usize) -> Option<Arc<WorldCheckpoint>>,
) -> Option<UndoStep> {
    let contents = if let Some(points) = &record.points {
        UndoContents::Points(points_of(points)?)
    } else if let (Some(rect), Some(cells)) = (record.block, &record.cells) {
        UndoContents::Block(rect.into(), cells_of(cells)?)
    } else if let Some(place) = record.checkpoint {
        UndoContents::Checkpoint(find(place)?)
    } else {
        let mut other = Session::new(session.file_access.clone(), 0);
        let draft = record.document.as_ref()?.as_bytes();
        other
            .restore_draft(&mut Viewer::new(1280, 720), draft)
            .ok()?;
        UndoContents::Document(Box::new(other.document("open").ok()?))
    };
    let known = OTHER_NAMES.iter().find(|name| **name == record.name);
    let command = || command::entry(&record.name).map(|entry| entry.name);
    let name = known.copied().or_else(command).unwrap_or(UNKNOWN_NAME);
    Some(UndoStep::new(
        name,
        contents,
        record.generation.parse().ok()?,
        record.selection.map(Rect::from),
        record.content,
    ))
}

fn points_of(text: &str) -> Option<Vec<(Point, State)>> {
    let point = |word: &str| {
        let mut parts = word.split(',');
        let p = Point::new(parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let state = parts.next()?.parse().ok()?;
        parts.next().is_none().then_some((p, state))
    };
    text.split_whitespace().map(point).collect()
}
