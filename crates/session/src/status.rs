//! All that a face prints, in one piece.

use crate::session::Session;
use crate::viewer::Viewer;
use grid::{Rect, State};
use serde::Serialize;

/// All that a face prints. Integers that may be large are texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// What the colony is called.
    pub title: String,
    /// Whether there are edits that no file has.
    pub unsaved: bool,
    /// The rule, with its topology.
    pub rule: String,
    /// The rule's family.
    pub family: &'static str,
    /// How many states it has.
    pub states: u16,
    /// As written after a rule: `T64,64`; empty for the endless plane.
    pub topology: String,
    /// Generations since the pattern as loaded.
    pub generation: String,
    /// How many cells live.
    pub population: String,
    /// The box around them.
    pub bounds: Option<Area>,
    /// What does the stepping.
    pub engine: &'static str,
    /// Which engine was asked for.
    pub choice: &'static str,
    /// Why this engine.
    pub why: String,
    /// Bytes that a world may take.
    pub memory: u64,
    /// Whether it runs.
    pub running: bool,
    /// The generation that is being gone to.
    pub going: Option<GenerationSpan>,
    /// Generations a second that are wanted; none for as many as can be.
    pub speed: Option<f64>,
    /// Generations a step.
    pub stride: String,
    /// Whether steps double while running.
    pub hyper: bool,
    /// Generations a second that were really done.
    pub measured: f64,
    /// What can be done just now.
    pub can: EditAvailability,
    /// The selected rectangle.
    pub selection: Option<Area>,
    /// How many cells live in it, where that is soon counted.
    pub selected: Option<u64>,
    /// The clipboard's columns and rows.
    pub clip: Option<[u64; 2]>,
    /// Settings.
    pub settings: DisplayStatus,
    /// How pasted cells meet what is there.
    pub paste_mode: &'static str,
    /// The colony's own name.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// Words about it.
    pub comments: Vec<String>,
    /// The file that it came from, or was saved to.
    pub file: Option<String>,
    /// What a person has to be told.
    pub message: Option<String>,
    /// What is the viewer's own.
    pub viewer: ViewerStatus,
}

/// A rectangle of cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Area {
    /// Leftmost column.
    pub x: String,
    /// Topmost row.
    pub y: String,
    /// Columns.
    pub width: String,
    /// Rows.
    pub height: String,
}

/// From one generation to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GenerationSpan {
    /// Where it set out.
    pub from: String,
    /// Where it goes.
    pub to: String,
}

/// What can be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EditAvailability {
    /// What would be taken back.
    pub undo: Option<&'static str>,
    /// What would be made again.
    pub redo: Option<&'static str>,
    /// Whether there is a past to go back to.
    pub back: bool,
    /// Whether there is something to paste.
    pub paste: bool,
}

/// How the sheet is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisplayStatus {
    /// `paper`, `blueprint`, or `auto` where it is left to the face.
    pub theme: &'static str,
    /// Grid lines.
    pub grid: bool,
    /// Each how manieth line is strong.
    pub major: u32,
    /// Cells that are about to die.
    pub dying: bool,
    /// Ages.
    pub age: bool,
    /// Trails.
    pub history: bool,
    /// Whether drawing leaves it running.
    pub run_while_drawing: bool,
}

/// What is the viewer's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViewerStatus {
    /// Pixels a cell, or `1:` cells a pixel.
    pub zoom: String,
    /// What the pointer does.
    pub tool: &'static str,
    /// The state that is drawn with.
    pub pen: State,
    /// Whether the view keeps what lives in sight.
    pub follow: bool,
    /// The cell that is pointed at.
    pub cursor: Option<[String; 2]>,
    /// Its state.
    pub cursor_state: Option<State>,
}

impl Session {
    /// All that a face prints.
    #[must_use]
    pub fn status(&self, viewer: &Viewer) -> Status {
        let rule = self.world.rule();
        let bounds = self.world.bounds();
        let cursor = viewer.cursor.as_ref();
        Status {
            title: self.title().to_string(),
            unsaved: self.is_unsaved(),
            rule: rule.to_string(),
            family: rule.family(),
            states: rule.states(),
            topology: rule
                .topology()
                .to_string()
                .trim_start_matches(':')
                .to_string(),
            generation: self.world.generation().to_string(),
            population: self.world.population().to_string(),
            bounds: bounds.map(|b| Area {
                x: b.x.to_string(),
                y: b.y.to_string(),
                width: b.width.to_string(),
                height: b.height.to_string(),
            }),
            engine: self.world.engine(),
            choice: self.choice.name(),
            why: self.world.why().unwrap_or(&self.why).to_string(),
            memory: self.memory,
            running: self.play.is_running(),
            going: self.play.way().map(|(from, to)| GenerationSpan {
                from: from.to_string(),
                to: to.to_string(),
            }),
            speed: Some(self.play.speed).filter(|speed| speed.is_finite()),
            stride: self.play.stride.to_string(),
            hyper: self.play.is_hyper,
            measured: self.play.measured,
            can: EditAvailability {
                undo: self.changes.can_undo(),
                redo: self.changes.can_redo(),
                back: self
                    .timeline
                    .start()
                    .is_some_and(|start| start.cells.generation() < self.world.generation()),
                paste: self.clip.is_some(),
            },
            selection: self.selection.map(|r| Area {
                x: r.x.to_string(),
                y: r.y.to_string(),
                width: r.width.to_string(),
                height: r.height.to_string(),
            }),
            selected: self.selection.and_then(|rect| self.count_in(rect)),
            clip: self.clip.as_ref().map(|clip| [clip.width, clip.height]),
            settings: DisplayStatus {
                theme: self.look.theme.map_or("auto", |theme| theme.name),
                grid: self.look.grid,
                major: self.look.major,
                dying: self.look.dying,
                age: self.look.age,
                history: self.look.history,
                run_while_drawing: self.runs_while_drawing,
            },
            paste_mode: self.paste_mode.name(),
            name: self.about.name.clone().unwrap_or_default(),
            author: self.about.author.clone().unwrap_or_default(),
            comments: self.about.comments.clone(),
            file: self.about.file.as_ref().map(|(name, _)| name.clone()),
            message: self.message.clone(),
            viewer: ViewerStatus {
                zoom: viewer.viewport.zoom.to_string(),
                tool: viewer.tool.name(),
                pen: viewer.pen,
                follow: viewer.follow,
                cursor: cursor.map(|(x, y)| [x.to_string(), y.to_string()]),
                cursor_state: cursor.and_then(|(x, y)| self.cell(x, y)),
            },
        }
    }

    /// How many cells of a rectangle live; none where it is too large to be looked at often.
    fn count_in(&self, rect: Rect) -> Option<u64> {
        const MOST: u64 = 1 << 20;
        let mut live = 0;
        if rect.width.saturating_mul(rect.height) > MOST {
            return None;
        }
        self.world.runs_in(rect, &mut |run| live += run.length);
        Some(live)
    }

    /// What the colony is called: its name, or where it comes from.
    #[must_use]
    pub fn title(&self) -> &str {
        self.about.name.as_deref().unwrap_or(&self.about.label)
    }
}
