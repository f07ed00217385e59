mod appearance;
mod bookmark;
mod cell_marker;
mod edit;
mod file;
mod format_offer;
mod playback;
mod presentation;
mod saving;
mod shape;
mod world_copy;

pub use cell_marker::{CellMarker, CellMarkerOptions};
pub(crate) use file::OpeningOptions;
pub use format_offer::FormatOffer;
pub use saving::EncodedPattern;
pub(crate) use saving::PacedWriter;
pub use world_copy::WorldCopy;

use crate::cell_change::{CellChange, LiveSegments};
use crate::change_counter::ChangeCounter;
use crate::checkpoint::WorldCheckpoint;
use crate::clip::{Clip, Motion};
use crate::command::{Command, PasteMode};
use crate::display::DisplaySettings;
use crate::file_access::FileAccess;
use crate::periods::PeriodSearch;
use crate::refusal::CommandRefusal;
use crate::settings::{Bookmark, Presentation, Settings};
use crate::timeline::Timeline;
use crate::trails::Trails;
use crate::undo::{UndoContents, UndoHistory, UndoStep};
use crate::viewer::Viewer;
use crate::world_info::WorldInfo;
use engine::{EngineChoice, Options, Snapshot, UnsupportedError, World};
use grid::Rect;
use num_bigint::BigInt;
use pattern::Pattern;
use pattern::interrupt::{ContinueCheck, Interruption, interruptible};
use playback::WorldPlayback;
use plot::RunSeries;
use render::Zoom;
use rule::Rule;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// A world may take this fraction of the memory; the other half is for undo history, checkpoints,
/// and commands at work.
pub(crate) const WORLD_FRACTION: u64 = 2;

/// The undo history may take this fraction of the memory, and so may the checkpoints.
const HISTORY_FRACTION: u64 = 8;

/// A checkpoint of more bytes than this is loaded into a new world, so that loading can be
/// stopped; below it, loading takes some hundredths of a second even cell by cell.
const MANY_CHECKPOINT_BYTES: u64 = 1 << 22;

/// The rule of an empty world.
pub(crate) const FIRST_RULE: &str = "B3/S23";

/// A simulation session: one world, and all that a user can do with it.
pub struct Session {
    pub(crate) file_access: FileAccess,
    pub(crate) world: Box<dyn World>,
    /// Why this engine was chosen.
    pub(crate) engine_reason: String,
    /// The requested engine.
    pub(crate) engine_choice: EngineChoice,
    /// The memory limit of the world in bytes.
    pub(crate) memory: u64,
    pub(crate) info: WorldInfo,
    /// By name; the places are cells of the world.
    pub(crate) bookmarks: BTreeMap<String, Bookmark>,
    pub(crate) display: DisplaySettings,
    /// What its scripts play, and the middle that their places are relative to.
    pub(crate) presentation: Presentation,
    pub(crate) presentation_middle: (BigInt, BigInt),
    /// The settings that came with the pattern, including those that were not understood.
    pub(crate) pattern_settings: Settings,
    pub(crate) selection: Option<Rect>,
    pub(crate) clip: Option<Clip>,
    /// More patterns of the text that the clipboard's cells came from.
    pub(crate) clip_queue: VecDeque<String>,
    pub(crate) paste_mode: PasteMode,
    pub(crate) runs_while_drawing: bool,
    pub(crate) undo_history: UndoHistory,
    pub(crate) timeline: Timeline,
    /// Whether the timeline has a checkpoint since the last change.
    pub(crate) has_checkpoint: bool,
    pub(crate) playback: WorldPlayback,
    pub(crate) run_series: RunSeries,
    /// Counts births and deaths, and the box around the live cells, for the plot.
    pub(crate) change_counter: Option<ChangeCounter>,
    pub(crate) trails: Option<Trails>,
    pub(crate) periods: PeriodSearch,
    /// The version of the contents: each edit gets a new number, undo restores the old one.
    pub(crate) content: u64,
    /// The version that was last saved or opened.
    pub(crate) saved: u64,
    /// The last version number in use.
    pub(crate) last_content: u64,
    pub(crate) revision: u64,
    pub(crate) look_revision: u64,
    /// How many patterns have been opened, and where to look at the last one.
    pub(crate) opened_count: u64,
    pub(crate) initial_view: InitialView,
    /// The live cells before the step under way, and what the last step changed.
    pub(crate) before_step: Option<LiveSegments>,
    pub(crate) last_change: Option<CellChange>,
    /// A message for the user that outlives the next command.
    pub(crate) message: Option<String>,
    /// The seed for random commands without a seed of their own.
    pub(crate) seed: u64,
    /// Called while a command works, to ask whether to continue.
    pub(crate) go_on: Arc<ContinueCheck>,
    /// The clock that step sizes are tried with; none are tried without.
    pub(crate) clock: Option<Arc<SessionClock>>,
}

/// The time since any moment.
type SessionClock = dyn Fn() -> Duration + Send + Sync;

/// The view that a pattern is opened with.
#[derive(Clone, Debug, Default)]
pub(crate) struct InitialView {
    pub(crate) zoom: Option<Zoom>,
    pub(crate) centre: Option<(BigInt, BigInt)>,
}

/// The result of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandReply {
    /// A message, where the effect is easy to miss.
    pub note: Option<String>,
    /// Whether it can be undone, so that a user interface offers that.
    pub undo: bool,
    /// RLE for the system's clipboard.
    pub clip: Option<String>,
    /// The name of the file that was written.
    pub file: Option<String>,
}

impl CommandReply {
    pub(crate) fn note(note: impl Into<String>) -> Self {
        Self {
            note: Some(note.into()),
            ..Self::default()
        }
    }

    pub(crate) fn undoable(note: impl Into<String>) -> Self {
        Self {
            undo: true,
            ..Self::note(note)
        }
    }
}

impl Session {
    /// An empty world under the Game of Life. `seed` is used for random commands without a seed
    /// of their own.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let session = Session::new(FileAccess::default(), 1);
    /// let status = session.status(&Viewer::new(9, 9));
    /// assert_eq!((status.rule.as_str(), status.population.as_str()), ("B3/S23", "0"));
    /// ```
    #[must_use]
    pub fn new(file_access: FileAccess, seed: u64) -> Self {
        let rule: Rule = FIRST_RULE.parse().expect("the first rule is a rule");
        let memory = file_access.limits.memory / WORLD_FRACTION;
        let options = Options {
            memory,
            ..Options::default()
        };
        let nothing = Pattern::default();
        let opened = engine::open_endless(EngineChoice::Auto, None, &rule, &nothing, &options)
            .expect("an engine takes an empty plane of Life");
        let history = file_access
            .limits
            .undo
            .min(file_access.limits.memory / HISTORY_FRACTION);
        Self {
            memory,
            file_access,
            world: opened.world,
            engine_reason: opened.engine_reason,
            engine_choice: EngineChoice::Auto,
            bookmarks: BTreeMap::new(),
            info: WorldInfo {
                label: "untitled".into(),
                ..WorldInfo::default()
            },
            display: DisplaySettings::default(),
            presentation: Presentation::default(),
            presentation_middle: (BigInt::ZERO, BigInt::ZERO),
            pattern_settings: Settings::default(),
            selection: None,
            clip: None,
            clip_queue: VecDeque::new(),
            paste_mode: PasteMode::default(),
            runs_while_drawing: false,
            undo_history: UndoHistory::new(history),
            timeline: Timeline::new(history),
            has_checkpoint: false,
            playback: WorldPlayback::default(),
            run_series: RunSeries::default(),
            change_counter: None,
            trails: None,
            periods: PeriodSearch::default(),
            content: 0,
            saved: 0,
            last_content: 0,
            revision: 1,
            look_revision: 1,
            opened_count: 1,
            initial_view: InitialView::default(),
            before_step: None,
            last_change: None,
            message: None,
            seed,
            go_on: Arc::new(|| true),
            clock: None,
        }
    }

    /// Sets the stop check of commands: `go_on` is called now and then while a command works;
    /// `false` ends it with [`CommandRefusal::Stopped`]. [`Session::tick`] has its own.
    ///
    /// ```
    /// # use session::{CommandRefusal, Session, Viewer, file_access::FileAccess};
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.set_stop_check(|| false);
    /// let draw = "draw 1 0,0 900000,0".parse()?;
    /// let refused = session.apply(&mut viewer, &draw);
    /// assert!(matches!(refused, Err(CommandRefusal::Stopped(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_stop_check(&mut self, go_on: impl Fn() -> bool + Send + Sync + 'static) {
        self.go_on = Arc::new(go_on);
    }

    /// Lends the session a clock, which tells the time since any moment. A large pattern is then
    /// opened with a step size that suits it: what the engine does in about a tenth of a second.
    ///
    /// ```
    /// # use session::{Session, Viewer, file_access::FileAccess};
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// let started = std::time::Instant::now();
    /// session.set_clock(move || started.elapsed());
    /// session.apply(&mut viewer, &"open glider".parse()?)?;
    /// assert_eq!(session.status(&viewer).stride, "1", "a glider is small");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_clock(&mut self, clock: impl Fn() -> Duration + Send + Sync + 'static) {
        self.clock = Some(Arc::new(clock));
    }

    /// Reads the world, unless the stop check of [`Session::set_stop_check`] ends it: frames and
    /// counts of very many cells take long, too.
    ///
    /// ```
    /// use session::{Session, file_access::FileAccess};
    ///
    /// let mut session = Session::new(FileAccess::default(), 0);
    /// assert_eq!(session.interruptible_read(|s| s.world().population()), Some(0u8.into()));
    /// ```
    pub fn interruptible_read<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let go_on = Arc::clone(&self.go_on);
        interruptible(&go_on, || read(self)).ok()
    }

    /// Does interruptible work on many cells. It must not change the session.
    pub(crate) fn run_interruptible<T>(
        &self,
        what: &'static str,
        work: impl FnOnce() -> T,
    ) -> Result<T, CommandRefusal> {
        self.check_continue(what)?;
        interruptible(&self.go_on, work).map_err(|Interruption| CommandRefusal::Stopped(what))
    }

    /// Finishes the engine's pending work before the world is changed in place; fails where it is
    /// stopped.
    pub(crate) fn finish_pending(&mut self, what: &'static str) -> Result<(), CommandRefusal> {
        self.interruptible_read(|session| session.world.finish_pending_work())
            .ok_or(CommandRefusal::Stopped(what))?;
        self.check_continue(what)
    }

    /// Fails where the current command is to stop.
    pub(crate) fn check_continue(&self, what: &'static str) -> Result<(), CommandRefusal> {
        match (self.go_on)() {
            true => Ok(()),
            false => Err(CommandRefusal::Stopped(what)),
        }
    }

    /// Approximate memory use in bytes: the world, checkpoints and undo history, the clipboard,
    /// ages and trails. At most [`crate::file_access::SessionLimits::memory`], not counting what
    /// a command needs while it works.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// let before = session.bytes();
    /// session.apply(&mut viewer, &"open gosper-glider-gun".parse()?)?;
    /// session.apply(&mut viewer, &"select all".parse()?)?;
    /// session.apply(&mut viewer, &"copy".parse()?)?;
    /// assert!(session.bytes() > before && session.bytes() <= session.file_access().limits.memory);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let changes = self
            .undo_history
            .bytes(&|checkpoint| self.timeline.contains(checkpoint));
        let clip = self.clip.as_ref().map_or(0, |clip| clip.cells.bytes());
        let trails = self.trails.as_ref().map_or(0, Trails::bytes);
        let periods = self.periods.bytes();
        self.world.bytes() + self.timeline.bytes() + changes + clip + trails + periods
    }

    /// Makes room for more bytes: drops the oldest checkpoints and undo steps if needed.
    pub(crate) fn reserve_memory(
        &mut self,
        what: &'static str,
        bytes: u64,
    ) -> Result<(), CommandRefusal> {
        let most = self.file_access.limits.memory;
        loop {
            if self.bytes().saturating_add(bytes) <= most {
                return Ok(());
            }
            if !self.undo_history.drop_oldest() && !self.timeline.drop_some() {
                return Err(CommandRefusal::NoRoom { what, most });
            }
        }
    }

    /// Keeps a checkpoint of the world, if there is room.
    pub(crate) fn keep_checkpoint(&mut self) {
        if self.reserve_memory("run", self.checkpoint_bytes()).is_ok()
            && let Ok(checkpoint) = self.run_interruptible("run", || Arc::new(self.checkpoint()))
        {
            self.timeline.push(checkpoint);
        }
    }

    /// Approximate bytes of a checkpoint: stepping engines hold each cell twice, and most of the
    /// memory of HashLife is its cache.
    pub(crate) fn checkpoint_bytes(&self) -> u64 {
        match self.world.engine() == EngineChoice::Hashlife.name() {
            true => self.world.bytes() / 8,
            false => self.world.bytes() / 2,
        }
    }

    /// Applies a command.
    ///
    /// # Errors
    /// When it cannot be done, or would lose something that is too large for undo and asks for
    /// confirmation first. Nothing has changed in that case.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"set 0,0 1".parse()?)?;
    /// let reply = session.apply(&mut viewer, &"new".parse()?)?;
    /// assert!(reply.undo, "the edit comes back by undo");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(
        &mut self,
        viewer: &mut Viewer,
        command: &Command,
    ) -> Result<CommandReply, CommandRefusal> {
        self.move_to_opened(viewer);
        let reply = self.obey(viewer, command, false)?;
        self.move_to_opened(viewer);
        self.refresh_periods();
        Ok(reply)
    }

    fn obey(
        &mut self,
        viewer: &mut Viewer,
        command: &Command,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        use Command as C;
        match command {
            C::Anyway(command) => self.obey(viewer, command, true),
            C::Seen(command) => match self.reveal_target(viewer, command) {
                Some(message) => Ok(CommandReply::note(message)),
                None => self.obey(viewer, command, anyway),
            },
            C::Run => self.run(),
            C::Stop => self.stop(),
            C::Toggle if self.is_busy() => self.stop(),
            C::Toggle => self.run(),
            C::Step(n) => self.step(n.as_ref()),
            C::Back(n) => self.back(n.as_ref()),
            C::Reset => self.reset(),
            C::GoTo(generation) => self.go_to(generation),
            C::Cancel => self.cancel(),
            C::Speed(change) => self.set_speed(*change),
            C::Stride(change) => self.set_stride(change),
            C::Hyper(switch) => self.set_hyper(*switch),
            C::Engine(choice) => self.set_engine(*choice),
            C::Memory(bytes) => self.set_memory(*bytes),
            C::Set(p, state) => self.set(viewer, *p, *state),
            C::Flip(p) => self.flip(viewer, *p),
            C::Draw {
                more,
                state,
                points,
            } => self.draw(viewer, *more, *state, points),
            C::Shape {
                shape,
                is_filled,
                state,
                corners,
            } => self.draw_shape(viewer, *shape, *is_filled, *state, *corners),
            C::Flood(state, from) => self.flood(*state, *from),
            C::Symmetry(symmetry, about) => self.set_symmetry(viewer, *symmetry, *about),
            C::Pen(state) => self.set_pen(viewer, *state),
            C::RunWhileDrawing(switch) => {
                self.runs_while_drawing = switch.of(self.runs_while_drawing);
                Ok(CommandReply::default())
            }
            C::Undo(count) => self.repeat(*count, Self::undo, "undid"),
            C::Redo(count) => self.repeat(*count, Self::redo, "redid"),
            C::Select(selecting) => self.select(viewer, *selecting),
            C::Cut => self.cut(),
            C::Copy => self.copy(),
            C::Clipboard(text) => self.take_clipboard_text(text),
            C::PasteNext => self.take_next_pattern(),
            C::Paste { at, mode, text } => self.paste(viewer, *at, *mode, text.as_deref()),
            C::PasteMode(mode) => {
                self.paste_mode = *mode;
                Ok(CommandReply::default())
            }
            C::PasteMirror(mirror) => self.transform_clip(|rect| Motion::mirror(rect, *mirror)),
            C::PasteRotate(turn) => self.transform_clip(|rect| Motion::rotate(rect, *turn)),
            C::Mirror(mirror) => self.mirror(*mirror),
            C::Rotate(turn) => self.rotate(*turn),
            C::Shift(dx, dy) => self.shift(*dx, *dy),
            C::Random(scatter) => self.random(viewer, scatter),
            C::Fill(state) => self.fill(*state),
            C::Clear(region) => self.clear(*region),
            C::New => self.open_empty(viewer, anyway),
            C::Rule(text) => self.set_rule(text),
            C::Resize(topology) => self.resize(topology),
            C::Soup {
                width,
                height,
                scatter,
                symmetry,
            } => self.soup(
                viewer,
                *width,
                *height,
                scatter,
                symmetry.as_deref(),
                anyway,
            ),
            C::Open(text) => self.open(viewer, text, anyway),
            C::Save { name, format } => self.save(viewer, name.as_deref(), *format, anyway),
            C::Name(text) => self.describe(|about| about.name = some(text)),
            C::Author(text) => self.describe(|about| about.author = some(text)),
            C::Comment(text) => {
                let lines = text.lines().map(str::to_string).collect();
                self.describe(|about| about.comments = lines)
            }
            C::Bookmark { name, is_set } => self.set_bookmark(viewer, name, *is_set),
            C::Visit(name) => self.visit(viewer, name),
            C::Revert => self.revert(viewer, anyway),
            command => self.apply_view(viewer, command),
        }
    }

    /// Whether it is running, or on its way to a generation.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.playback.is_busy()
    }

    /// Whether changes would be lost with the session: those of the open pattern, or of one that
    /// undo brings back.
    #[must_use]
    pub fn holds_unsaved(&self) -> bool {
        self.is_unsaved() || self.undo_history.has_document()
    }

    /// Increases whenever a frame may look different.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Increases whenever colours or settings change.
    #[must_use]
    pub fn look_revision(&self) -> u64 {
        self.look_revision
    }

    /// Changes with each edit: when it differs from the value at the last draft, a new draft is
    /// due.
    #[must_use]
    pub fn content(&self) -> u64 {
        self.content
    }

    /// Whether there are edits that are in no file.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.content != self.saved
    }

    /// Marks the current contents as saved.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"set 0,0 1".parse()?)?;
    /// assert!(session.is_unsaved());
    /// session.mark_saved();
    /// assert!(!session.is_unsaved());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mark_saved(&mut self) {
        self.saved = self.content;
        self.revision += 1;
    }

    /// The world, read-only.
    #[must_use]
    pub fn world(&self) -> &dyn World {
        self.world.as_ref()
    }

    /// What the session may access.
    #[must_use]
    pub fn file_access(&self) -> &FileAccess {
        &self.file_access
    }

    /// The state of a cell; `None` where it is unknown.
    #[must_use]
    pub(crate) fn cell(&self, x: &BigInt, y: &BigInt) -> Option<grid::State> {
        let (x, y) = (i64::try_from(x).ok()?, i64::try_from(y).ok()?);
        Some(self.world.get(grid::Point::new(x, y)))
    }

    /// A checkpoint of the current state.
    pub(crate) fn checkpoint(&self) -> WorldCheckpoint {
        WorldCheckpoint {
            rule: self.world.rule().clone(),
            cells: self.world.snapshot(),
            selection: self.selection,
        }
    }

    /// Restores a checkpoint. Where it is refused or stopped, nothing has changed.
    pub(crate) fn restore(
        &mut self,
        what: &'static str,
        checkpoint: &WorldCheckpoint,
    ) -> Result<(), CommandRefusal> {
        if *self.world.rule() != checkpoint.rule {
            self.reopen(what, &checkpoint.rule, &checkpoint.cells)?;
        } else if checkpoint.cells.bytes() > MANY_CHECKPOINT_BYTES && self.has_memory_for_copy() {
            self.world = self.rebuild_world(what, &checkpoint.cells, |_| Ok(()))?;
        } else {
            let was = self.world.snapshot();
            if let Err(refusal) = self.world.restore(&checkpoint.cells) {
                self.world.restore(&was)?;
                return Err(refusal.into());
            }
        }
        self.selection = checkpoint.selection;
        self.mark_replaced();
        Ok(())
    }

    /// A copy of the world with other cells, modified in some way, to replace it. It can be
    /// stopped, since it changes nothing in the session.
    pub(crate) fn rebuild_world(
        &self,
        what: &'static str,
        cells: &Snapshot,
        change: impl FnOnce(&mut dyn World) -> Result<(), UnsupportedError>,
    ) -> Result<Box<dyn World>, CommandRefusal> {
        let first: Option<EngineChoice> = self.world.engine().parse().ok();
        let made = self.run_interruptible(what, || {
            let nothing = Pattern::default();
            let options = self.options();
            let rule = self.world.rule();
            let opened = engine::open_endless(self.engine_choice, first, rule, &nothing, &options)?;
            let mut world = opened.world;
            world.restore(cells)?;
            change(&mut *world)?;
            Ok::<_, UnsupportedError>(world)
        });
        Ok(made??)
    }

    /// Whether there is memory for a second world and a list of its cells.
    pub(crate) fn has_memory_for_copy(&self) -> bool {
        let both = self.bytes().saturating_add(self.world.bytes());
        both <= self.file_access.limits.memory / 4 * 3
    }

    /// The world was replaced, not advanced.
    pub(crate) fn mark_replaced(&mut self) {
        if let Some(trails) = &mut self.trails {
            trails.reset(self.world.as_ref());
        }
        self.mark_changed();
    }

    /// Cells have changed within the same generation.
    fn mark_changed(&mut self) {
        self.revision += 1;
        self.message = None;
        let (generation, population) = (self.world.generation().clone(), self.world.population());
        self.run_series.push_population(generation, population);
    }

    /// Prepares for an edit: cancels activity, and stops running unless drawing may go on
    /// meanwhile.
    pub(crate) fn begin_edit(&mut self) {
        if self.playback.is_going() || !self.runs_while_drawing {
            self.playback.halt();
        }
    }

    /// Records an edit: adds an undo step, and drops later checkpoints.
    pub(crate) fn record_edit(
        &mut self,
        what: &'static str,
        contents: UndoContents,
        selection: Option<Rect>,
    ) {
        let generation = self.world.generation().clone();
        let step = UndoStep::new(what, contents, generation, selection, self.content);
        self.undo_history.push(step);
        self.new_content();
        self.drop_later();
    }

    pub(crate) fn new_content(&mut self) {
        self.last_content += 1;
        self.content = self.last_content;
    }

    /// Drops checkpoints and points of the plot from this generation on.
    pub(crate) fn drop_later(&mut self) {
        self.timeline.drop_from(self.world.generation());
        self.has_checkpoint = false;
        if let Some(trails) = &mut self.trails {
            trails.record_edit(self.world.as_ref());
        }
        self.mark_changed();
    }

    /// Undoes or redoes a number of changes, or as many as there are.
    fn repeat(
        &mut self,
        count: u32,
        one: fn(&mut Self) -> Result<CommandReply, CommandRefusal>,
        verb: &str,
    ) -> Result<CommandReply, CommandRefusal> {
        let first = one(self)?;
        let mut done = 1;
        while done < count && one(self).is_ok() {
            done += 1;
        }
        match done {
            1 => Ok(first),
            _ => Ok(CommandReply::note(format!("{verb} {done} changes"))),
        }
    }

    fn undo(&mut self) -> Result<CommandReply, CommandRefusal> {
        self.playback.halt();
        let step = self
            .undo_history
            .pop_done()
            .ok_or(CommandRefusal::NothingToUndo)?;
        let what = step.name;
        match self.exchange(&step) {
            Ok(step) => self.undo_history.push_undone(step),
            Err(refusal) => {
                self.undo_history.push_redone(step);
                return Err(refusal);
            }
        }
        Ok(CommandReply::note(format!("undid {what}")))
    }

    fn redo(&mut self) -> Result<CommandReply, CommandRefusal> {
        self.playback.halt();
        let step = self
            .undo_history
            .pop_undone()
            .ok_or(CommandRefusal::NothingToRedo)?;
        let what = step.name;
        match self.exchange(&step) {
            Ok(step) => self.undo_history.push_redone(step),
            Err(refusal) => {
                self.undo_history.push_undone(step);
                return Err(refusal);
            }
        }
        Ok(CommandReply::note(format!("redid {what}")))
    }

    /// Applies an undo step, and returns the inverse step.
    fn exchange(&mut self, step: &UndoStep) -> Result<UndoStep, CommandRefusal> {
        let (selection, content) = (self.selection, self.content);
        self.finish_pending(step.name)?;
        let contents = match &step.contents {
            UndoContents::Points(points) => {
                let mut points = points.clone();
                for (p, state) in &mut points {
                    let was = self.world.get(*p);
                    self.world.set(*p, *state)?;
                    *state = was;
                }
                UndoContents::Points(points)
            }
            // The current cells may be too many to list.
            UndoContents::Block(rect, cells) if self.has_many_cells() => {
                UndoContents::Checkpoint(self.replace_checkpointed(step.name, *rect, cells)?)
            }
            UndoContents::Block(rect, cells) => {
                let was = self.cells_in(step.name, *rect)?;
                self.exchange_block(*rect, cells, &was)?;
                UndoContents::Block(*rect, was)
            }
            UndoContents::Checkpoint(checkpoint) => {
                let was = self.run_interruptible(step.name, || self.checkpoint())?;
                self.restore(step.name, checkpoint)?;
                UndoContents::Checkpoint(Arc::new(was))
            }
            UndoContents::Document(document) => {
                UndoContents::Document(Box::new(self.exchange_document(step.name, document)?))
            }
        };
        self.selection = step.selection;
        self.content = step.content;
        self.drop_later();
        let generation = step.generation.clone();
        Ok(UndoStep::new(
            step.name, contents, generation, selection, content,
        ))
    }

    /// Moves a viewer to a pattern that was opened since its last command.
    fn move_to_opened(&mut self, viewer: &mut Viewer) {
        if viewer.arrived == self.opened_count {
            return;
        }
        viewer.arrived = self.opened_count;
        viewer.cursor = None;
        viewer.pen = viewer
            .pen
            .min((self.world.rule().states() - 1) as u8)
            .max(1);
        self.apply_initial_view(viewer);
    }

    fn describe(
        &mut self,
        change: impl FnOnce(&mut WorldInfo),
    ) -> Result<CommandReply, CommandRefusal> {
        change(&mut self.info);
        self.new_content();
        self.revision += 1;
        Ok(CommandReply::default())
    }

    /// A new seed.
    pub(crate) fn next_seed(&mut self) -> u64 {
        // The increment of SplitMix64, which spreads consecutive seeds.
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.seed
    }
}

/// `None` where the text is empty.
fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_string())
}
