//! The status of a session, for display.

use crate::cell_change::CellChange;
use crate::session::Session;
use crate::timeline::TimelineMark;
use crate::undo::ChangeList;
use crate::viewer::Viewer;
use grid::{Rect, State};
use serde::Serialize;

/// The status of a session, for display. Integers that may be large are texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// The displayed name.
    pub title: String,
    /// Whether there are edits that are in no file.
    pub unsaved: bool,
    /// The rule, with its topology.
    pub rule: String,
    /// The rule's family.
    pub family: &'static str,
    /// How many states it has.
    pub states: u16,
    /// The topology as in a rule's suffix: `T64,64`; empty for the unbounded plane.
    pub topology: String,
    /// The current generation.
    pub generation: String,
    /// The number of live cells.
    pub population: String,
    /// Their bounding box.
    pub bounds: Option<Area>,
    /// The engine in use.
    pub engine: &'static str,
    /// The requested engine.
    pub choice: &'static str,
    /// Why this engine is in use.
    pub why: String,
    /// The memory limit of a world in bytes.
    pub memory: u64,
    /// Whether it is running.
    pub running: bool,
    /// The way to a target generation, if one is under way.
    pub going: Option<GenerationSpan>,
    /// The set speed in generations per second; `None` for no limit.
    pub speed: Option<f64>,
    /// Generations per step.
    pub stride: String,
    /// Whether steps double while running.
    pub hyper: bool,
    /// The measured speed in generations per second.
    pub measured: f64,
    /// Which editing commands are available.
    pub can: EditAvailability,
    /// The changes that can be undone and redone.
    pub changes: ChangeList,
    /// Checkpoints of earlier generations, in ascending order.
    pub timeline: Vec<TimelineMark>,
    /// The selected rectangle.
    pub selection: Option<Area>,
    /// The live cells in it, where they are quickly counted.
    pub selected: Option<u64>,
    /// The clipboard's columns and rows.
    pub clip: Option<[u64; 2]>,
    /// How many patterns more the clipboard's text has.
    pub clip_more: usize,
    /// The display settings.
    pub settings: DisplayStatus,
    /// How pasted cells combine with existing cells.
    pub paste_mode: &'static str,
    /// The pattern's own name.
    pub name: String,
    /// The pattern's author.
    pub author: String,
    /// The pattern's comments.
    pub comments: Vec<String>,
    /// The names of places and generations, each with its generation; empty for a place alone.
    pub bookmarks: Vec<(String, String)>,
    /// The texts at cells that are shown now.
    pub labels: Vec<LabelStatus>,
    /// The file that was opened or saved last.
    pub file: Option<String>,
    /// What the step to this generation changed, in words, where it was one: for who cannot see
    /// the board.
    pub change: Option<String>,
    /// A message for the user.
    pub message: Option<String>,
    /// The viewer's own state.
    pub viewer: ViewerStatus,
}

/// A text at a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelStatus {
    /// The cell's column and row.
    pub place: [String; 2],
    /// The text; a line break is `\n`.
    pub text: String,
    /// The size of its letters in pixels.
    pub size: f64,
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

/// A range of generations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GenerationSpan {
    /// The first generation.
    pub from: String,
    /// The last generation.
    pub to: String,
}

/// Which editing commands are available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EditAvailability {
    /// The change that would be undone.
    pub undo: Option<&'static str>,
    /// The change that would be redone.
    pub redo: Option<&'static str>,
    /// Whether an earlier generation can be returned to.
    pub back: bool,
    /// Whether the clipboard has cells.
    pub paste: bool,
}

/// The display settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisplayStatus {
    /// The name of a theme, or `auto` where the user interface chooses.
    pub theme: &'static str,
    /// Whether grid lines are shown.
    pub grid: bool,
    /// The distance between strong grid lines in cells.
    pub major: u32,
    /// Whether coordinates stand along the edges.
    pub rulers: bool,
    /// Whether the icons of a rule file are shown.
    pub icons: bool,
    /// Whether dying cells are marked.
    pub dying: bool,
    /// Whether cells are coloured by age.
    pub age: bool,
    /// What the colour of a live cell says: `state`, `age`, `heat` or `period`.
    pub colouring: &'static str,
    /// Where cells are coloured by period: each period that there is, by its mark from 64 on.
    pub periods: Vec<u64>,
    /// Whether trails are shown.
    pub history: bool,
    /// Whether a running world keeps running while it is drawn on.
    pub run_while_drawing: bool,
}

/// The viewer's own state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViewerStatus {
    /// Pixels per cell, or `1:` cells per pixel.
    pub zoom: String,
    /// The pointer's tool.
    pub tool: &'static str,
    /// The pen's state.
    pub pen: State,
    /// The symmetry that is drawn with.
    pub symmetry: Option<SymmetryStatus>,
    /// Whether the view keeps the live cells in sight.
    pub follow: bool,
    /// The way that the view goes with a ship: cells to the right and down, in generations.
    pub track: Option<String>,
    /// What the plot shows: `population births log-y`.
    pub curves: String,
    /// The cell at the cursor.
    pub cursor: Option<[String; 2]>,
    /// The state of that cell.
    pub cursor_state: Option<State>,
}

/// A symmetry that is drawn with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymmetryStatus {
    /// Its name, such as `D4+`.
    pub name: String,
    /// Twice the place of the point that the copies lie about, in cells.
    pub centre: [String; 2],
}

/// The most labels that are shown at once.
const MOST_LABELS_SHOWN: usize = 200;

impl Session {
    /// The status for a viewer.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"open glider".parse()?)?;
    /// let status = session.status(&viewer);
    /// assert_eq!((status.title.as_str(), status.population.as_str()), ("Glider", "5"));
    /// assert_eq!(status.bounds.map(|area| area.width).as_deref(), Some("3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
            choice: self.engine_choice.name(),
            why: self
                .world
                .engine_reason()
                .unwrap_or(&self.engine_reason)
                .to_string(),
            memory: self.memory,
            running: self.playback.is_running(),
            going: self.playback.span().map(|(from, to)| GenerationSpan {
                from: from.to_string(),
                to: to.to_string(),
            }),
            speed: Some(self.playback.speed).filter(|speed| speed.is_finite()),
            stride: self.playback.stride.to_string(),
            hyper: self.playback.is_hyper,
            measured: self.playback.measured,
            can: EditAvailability {
                undo: self.undo_history.next_undo(),
                redo: self.undo_history.next_redo(),
                back: self
                    .timeline
                    .start()
                    .is_some_and(|start| start.cells.generation() < self.world.generation()),
                paste: self.clip.is_some(),
            },
            changes: self.undo_history.changes(),
            timeline: self.timeline.marks(),
            selection: self.selection.map(|r| Area {
                x: r.x.to_string(),
                y: r.y.to_string(),
                width: r.width.to_string(),
                height: r.height.to_string(),
            }),
            selected: self.selection.and_then(|rect| self.count_in(rect)),
            clip_more: self.clip_queue.len(),
            clip: self.clip.as_ref().map(|clip| [clip.width, clip.height]),
            settings: DisplayStatus {
                theme: self.display.theme.map_or("auto", |theme| theme.name),
                grid: self.display.grid,
                major: self.display.major,
                rulers: self.display.rulers,
                icons: self.display.icons,
                dying: self.display.dying,
                age: self.display.is_by_age(),
                colouring: self.display.colouring.name(),
                periods: self.period_legend(),
                history: self.display.history,
                run_while_drawing: self.runs_while_drawing,
            },
            paste_mode: self.paste_mode.name(),
            name: self.info.name.clone().unwrap_or_default(),
            author: self.info.author.clone().unwrap_or_default(),
            bookmarks: self
                .bookmarks
                .iter()
                .map(|(name, bookmark)| {
                    let generation = bookmark.generation.as_ref();
                    (
                        name.clone(),
                        generation.map_or_else(String::new, ToString::to_string),
                    )
                })
                .collect(),
            labels: self.labels(viewer),
            comments: self.info.comments.clone(),
            file: self.info.file.as_ref().map(|(name, _)| name.clone()),
            change: self
                .last_change
                .as_ref()
                .filter(|change| change.generation == *self.world.generation())
                .map(CellChange::words),
            message: self.message.clone(),
            viewer: ViewerStatus {
                zoom: viewer.viewport.zoom.to_string(),
                tool: viewer.tool.name(),
                pen: viewer.pen,
                symmetry: viewer.symmetry.map(|drawing| SymmetryStatus {
                    name: drawing.symmetry.to_string(),
                    centre: [drawing.centre.x, drawing.centre.y].map(|c| c.to_string()),
                }),
                follow: viewer.follow,
                curves: viewer.plot.to_string(),
                track: viewer.track.as_ref().map(|track| track.motion.to_string()),
                cursor: cursor.map(|(x, y)| [x.to_string(), y.to_string()]),
                cursor_state: cursor.and_then(|(x, y)| self.cell(x, y)),
            },
        }
    }

    /// The labels that a viewer sees now.
    fn labels(&self, viewer: &Viewer) -> Vec<LabelStatus> {
        let (generation, zoom) = (self.world.generation(), viewer.viewport.zoom);
        let (middle_x, middle_y) = &self.presentation_middle;
        let labels = self.presentation.labels.iter();
        let shown = labels.filter(|label| label.is_shown(generation, zoom));
        let told = shown.take(MOST_LABELS_SHOWN).map(|label| LabelStatus {
            place: [
                (middle_x + &label.place.0).to_string(),
                (middle_y + &label.place.1).to_string(),
            ],
            text: label.text.clone(),
            size: label.size_at(zoom),
        });
        told.collect()
    }

    /// The live cells of a rectangle; `None` where it is too large to count at each status.
    fn count_in(&self, rect: Rect) -> Option<u64> {
        const MOST: u64 = 1 << 20;
        let mut live = 0;
        if rect.width.saturating_mul(rect.height) > MOST {
            return None;
        }
        self.world.runs_in(rect, &mut |run| live += run.length);
        Some(live)
    }

    /// The displayed name: the pattern's name, or its origin.
    #[must_use]
    pub fn title(&self) -> &str {
        self.info.title()
    }
}
