//! Whole worlds: new worlds, changes of rule and topology, opening files.

use super::edit::{cells, count_outside};
use super::playback::USUAL_SPEED;
use crate::clip::runs_of;
use crate::command::Scatter;
use crate::file_access::LocatedPattern;
use crate::opening_step;
use crate::refusal::CommandRefusal;
use crate::session::{CommandReply, FIRST_RULE, InitialView, Session, WORLD_FRACTION};
use crate::settings::{Presentation, Settings};
use crate::undo::{DocumentCheckpoint, UndoContents, UndoStep};
use crate::viewer::{CameraTrack, Viewer};
use crate::world_info::WorldInfo;
use engine::{EngineChoice, Options, Snapshot, World};
use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, ToPrimitive as _};
use pattern::interrupt::with_check;
use pattern::{Cells, Pattern, Run};
use render::CellColouring;
use rule::{Rule, Topology};
use std::path::Path;
use std::sync::Arc;

/// How a pattern is opened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpeningOptions {
    /// Ignores the board that belongs to the rule.
    pub(crate) is_unbounded: bool,
    /// Looks for the step size of a large pattern that names none, and starts one whose script
    /// says so.
    pub(crate) is_by_person: bool,
}

/// A pattern that another one replaces is kept for undo up to this fraction of the memory.
const KEPT_FRACTION: u64 = 16;

/// A quadtree with more leaves than this is not counted.
const MAX_COUNTED_LEAVES: u64 = 1 << 26;

impl Session {
    pub(crate) fn options(&self) -> Options {
        Options {
            memory: self.memory,
            ..Options::default()
        }
    }

    /// Opens the same cells under another rule, in a suitable engine.
    pub(crate) fn reopen(
        &mut self,
        what: &'static str,
        rule: &Rule,
        snapshot: &Snapshot,
    ) -> Result<(), CommandRefusal> {
        let opened = self.run_interruptible(what, || {
            let pattern = Pattern {
                cells: snapshot.cells(),
                position: Some(grid::Point::default()),
                generation: snapshot.generation().clone(),
                ..Pattern::default()
            };
            engine::open_endless(self.engine_choice, None, rule, &pattern, &self.options())
        })??;
        (self.world, self.engine_reason) = (opened.world, opened.engine_reason);
        self.look_revision += 1;
        Ok(())
    }

    pub(crate) fn set_engine(
        &mut self,
        choice: EngineChoice,
    ) -> Result<CommandReply, CommandRefusal> {
        // A snapshot, and a second world.
        self.reserve_memory("engine", 2 * self.checkpoint_bytes())?;
        let snapshot = self.run_interruptible("engine", || self.world.snapshot())?;
        let rule = self.world.rule().clone();
        let was = std::mem::replace(&mut self.engine_choice, choice);
        if let Err(refusal) = self.reopen("engine", &rule, &snapshot) {
            self.engine_choice = was;
            return Err(refusal);
        }
        self.revision += 1;
        Ok(CommandReply::note(format!(
            "{}: {}",
            self.world.engine(),
            self.engine_reason
        )))
    }

    /// Sets the limit of all that the session holds, in bytes. A world's limit follows it, unless
    /// another one was asked for that is still below.
    ///
    /// ```
    /// # use session::{Session, Viewer, file_access::FileAccess};
    /// let mut session = Session::new(FileAccess::default(), 0);
    /// session.set_memory_budget(64 << 20);
    /// assert_eq!(session.status(&Viewer::new(9, 9)).memory, 32 << 20);
    /// ```
    pub fn set_memory_budget(&mut self, bytes: u64) {
        let was = std::mem::replace(&mut self.file_access.limits.memory, bytes);
        let most = bytes / WORLD_FRACTION;
        if was != bytes && (self.memory > most || self.memory == was / WORLD_FRACTION) {
            self.memory = most;
            self.world.set_memory_limit(most);
        }
    }

    pub(crate) fn set_memory(&mut self, bytes: u64) -> Result<CommandReply, CommandRefusal> {
        let most = self.file_access.limits.memory / WORLD_FRACTION;
        if bytes > most {
            return Err(CommandRefusal::TooMuchMemory { bytes, most });
        }
        let snapshot = self.run_interruptible("memory", || self.world.snapshot())?;
        let rule = self.world.rule().clone();
        let was = std::mem::replace(&mut self.memory, bytes);
        if let Err(refusal) = self.reopen("memory", &rule, &snapshot) {
            self.memory = was;
            return Err(refusal);
        }
        Ok(CommandReply::default())
    }

    /// The open pattern, for undo to bring it back when another one has replaced it; none where
    /// nothing would be lost. Asks where it is too large to be kept.
    fn keep_unsaved(
        &mut self,
        what: &'static str,
        anyway: bool,
        command: String,
    ) -> Result<Option<UndoStep>, CommandRefusal> {
        if anyway || !self.is_unsaved() {
            return Ok(None);
        }
        let bytes = self.checkpoint_bytes();
        let most = self.file_access.limits.memory / KEPT_FRACTION;
        if bytes > most || self.reserve_memory(what, 2 * bytes).is_err() {
            return Err(CommandRefusal::Asks {
                question: format!(
                    "{} has changes that no file has, and is too large to be kept for undo",
                    self.title()
                ),
                command: format!("anyway {command}"),
                yes: "discard them",
            });
        }
        let document = Box::new(self.document(what)?);
        let contents = UndoContents::Document(document);
        Ok(Some(UndoStep::new(
            what,
            contents,
            self.world.generation().clone(),
            self.selection,
            self.content,
        )))
    }

    /// Puts the pattern that was replaced into the history of the new one.
    fn put_aside(&mut self, kept: Option<UndoStep>, reply: CommandReply) -> CommandReply {
        let Some(step) = kept else { return reply };
        let UndoContents::Document(document) = &step.contents else {
            return reply;
        };
        let title = document.info.title();
        let note = format!("{title} was not saved: undo brings it back");
        self.undo_history.push(step);
        CommandReply {
            note: Some(
                reply
                    .note
                    .map_or(note.clone(), |told| format!("{told}; {note}")),
            ),
            undo: true,
            ..reply
        }
    }

    /// All of the open pattern, with as much of its history as there is room for.
    pub(crate) fn document(
        &self,
        what: &'static str,
    ) -> Result<DocumentCheckpoint, CommandRefusal> {
        let world = self.run_interruptible(what, || self.checkpoint())?;
        let room = self.file_access.limits.memory / KEPT_FRACTION;
        let history = self.undo_history.newest(room.saturating_sub(world.bytes()));
        Ok(DocumentCheckpoint {
            world,
            info: self.info.clone(),
            settings: self.pattern_settings.clone(),
            display: self.display.clone(),
            history,
            saved: self.saved,
        })
    }

    /// Brings another pattern back in place of the open one, which is returned.
    pub(crate) fn exchange_document(
        &mut self,
        what: &'static str,
        document: &DocumentCheckpoint,
    ) -> Result<DocumentCheckpoint, CommandRefusal> {
        let was = self.document(what)?;
        self.restore(what, &document.world)?;
        self.info = document.info.clone();
        self.pattern_settings = document.settings.clone();
        self.change_display(|display| *display = document.display.clone());
        self.undo_history = document.history.clone();
        self.saved = document.saved;
        self.timeline.clear();
        self.run_series.clear();
        self.initial_view = InitialView::default();
        self.opened_count += 1;
        Ok(was)
    }

    pub(crate) fn open_empty(
        &mut self,
        viewer: &mut Viewer,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        let kept = self.keep_unsaved("new", anyway, "new".into())?;
        let rule: Rule = FIRST_RULE.parse().expect("the first rule is a rule");
        let nothing = Snapshot::from_cells(BigInt::ZERO, Cells::default());
        self.reopen("new", &rule, &nothing)?;
        let info = WorldInfo {
            label: "untitled".into(),
            ..WorldInfo::default()
        };
        self.adopt_pattern(viewer, info, Settings::default());
        Ok(self.put_aside(kept, CommandReply::default()))
    }

    pub(crate) fn set_rule(&mut self, text: &str) -> Result<CommandReply, CommandRefusal> {
        let words = Pattern {
            rule_block: self.info.rule_block.clone(),
            ..Pattern::default()
        };
        let folder = self
            .info
            .file
            .as_ref()
            .and_then(|(name, _)| Path::new(name).parent());
        let rule = self.file_access.parse_rule(text, &words, folder)?;
        // The topology is kept unless the rule names one.
        let rule = match (rule.topology(), self.world.rule().topology()) {
            (Topology::Unbounded, shape) if !text.contains(':') => rule.with_topology(*shape),
            _ => rule,
        };
        self.change_world(&rule, "rule")
    }

    pub(crate) fn resize(&mut self, topology: &Topology) -> Result<CommandReply, CommandRefusal> {
        let rule = self.world.rule().with_topology(*topology);
        self.change_world(&rule, "resize")
    }

    /// Moves the cells to another rule or topology, as far as possible.
    fn change_world(
        &mut self,
        rule: &Rule,
        what: &'static str,
    ) -> Result<CommandReply, CommandRefusal> {
        self.check_size(rule.topology())?;
        self.reserve_memory(what, 2 * self.checkpoint_bytes())?;
        let mut snapshot = self.run_interruptible(what, || self.world.snapshot())?;
        let listed = self.run_interruptible(what, || snapshot.cells())?;
        let highest = rule.states() - 1;
        // Nodes of a quadtree are shared, so its cells cannot be changed one by one.
        let is_foreign = u16::from(listed.max_state()) > highest;
        let is_listed = is_foreign || *rule.topology() != Topology::Unbounded;
        if is_listed && listed.walk_length() > MAX_COUNTED_LEAVES.into() {
            let cells = listed.population().to_u128().unwrap_or(u128::MAX);
            let most = MAX_COUNTED_LEAVES;
            return Err(CommandRefusal::TooMany { what, cells, most });
        }
        let lost = self.run_interruptible(what, || count_outside(&listed, rule.topology()))?;
        let mut notes = Vec::new();
        if lost > 0 {
            notes.push(format!(
                "{} outside the grid were lost",
                cells(&lost.into())
            ));
        }
        if is_foreign {
            notes.push(format!(
                "{rule} has {} states; cells in higher ones became state 1",
                rule.states()
            ));
            let folded = self.run_interruptible(what, || {
                let runs = runs_of(&listed).into_iter().map(|run| match run.state {
                    state if u16::from(state) > highest => Run { state: 1, ..run },
                    _ => run,
                });
                Cells::from_runs(runs.collect())
            })?;
            snapshot = Snapshot::from_cells(snapshot.generation().clone(), folded);
        }
        self.playback.halt();
        let checkpoint = self.run_interruptible(what, || self.checkpoint())?;
        let selection = self.selection;
        self.reopen(what, rule, &snapshot)?;
        self.record_edit(
            what,
            UndoContents::Checkpoint(Arc::new(checkpoint)),
            selection,
        );
        self.look_revision += 1;
        Ok(CommandReply {
            note: (!notes.is_empty()).then(|| notes.join("; ")),
            undo: true,
            ..CommandReply::default()
        })
    }

    /// Checks a bounded grid against the session's limits.
    fn check_size(&self, topology: &Topology) -> Result<(), CommandRefusal> {
        let (width, height) = topology.size();
        let cells = u128::from(width) * u128::from(height);
        let most = self.file_access.limits.grid;
        // A sparse grid stores only its populated tiles; the bound is on the length of its sides.
        let longest = 1 << 31;
        if cells > most.into() && (width > longest || height > longest) {
            let what = "the grid";
            return Err(CommandRefusal::TooMany { what, cells, most });
        }
        Ok(())
    }

    pub(crate) fn soup(
        &mut self,
        viewer: &mut Viewer,
        width: u64,
        height: u64,
        scatter: &Scatter,
        symmetry: Option<&str>,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        let command = crate::Command::Soup {
            width,
            height,
            scatter: *scatter,
            symmetry: symmetry.map(str::to_string),
        };
        let kept = self.keep_unsaved("soup", anyway, command.to_string())?;
        let mut soup = self.make_soup(width, height, scatter, symmetry)?;
        let rule = self.world.rule().clone();
        let (x, y) = (-((width / 2) as i64), -((height / 2) as i64));
        soup.cells = self.run_interruptible("a soup", || soup.cells.translated(x, y))?;
        let lost = count_outside(&soup.cells, rule.topology());
        let count = cells(&soup.cells.population());
        let soup_cells = Snapshot::from_cells(BigInt::ZERO, soup.cells);
        self.reopen("a soup", &rule, &soup_cells)?;
        let info = WorldInfo {
            label: format!("{width}x{height} soup"),
            comments: soup.comments,
            ..WorldInfo::default()
        };
        let settings = Settings {
            zoom: None,
            place: None,
            ..self.settings(viewer)
        };
        self.adopt_pattern(viewer, info, settings);
        // The new world is in no file yet.
        self.new_content();
        let reply = CommandReply::note(match lost {
            0 => format!("{count} filled at random"),
            lost => {
                format!("{count} filled at random, {lost} of them left out, outside the grid")
            }
        });
        Ok(self.put_aside(kept, reply))
    }

    pub(crate) fn open(
        &mut self,
        viewer: &mut Viewer,
        text: &str,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        let found = self.file_access.open(text)?;
        let kept = self.keep_unsaved("open", anyway, format!("open {text}"))?;
        let reply = self.open_located(viewer, found)?;
        Ok(self.put_aside(kept, reply))
    }

    /// Opens a dropped or uploaded file from its bytes and the text of its sidecar.
    ///
    /// # Errors
    /// As [`Session::apply`]; nothing has changed in that case.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.load(&mut viewer, "block.cells", b"OO\nOO\n", None, false)?;
    /// assert_eq!(session.title(), "block.cells");
    /// # Ok::<(), session::CommandRefusal>(())
    /// ```
    pub fn load(
        &mut self,
        viewer: &mut Viewer,
        name: &str,
        bytes: &[u8],
        sidecar: Option<String>,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        // Errors in the file are reported before any question is asked.
        let found = self.file_access.read(name, bytes, sidecar)?;
        self.load_located(viewer, found, anyway)
    }

    /// As [`Session::load`], for a pattern that [`crate::file_access::FileAccess::read`] has
    /// read: reading a large file takes a while, and the session need not wait for it.
    ///
    /// # Errors
    /// As [`Session::load`].
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// let found = session.file_access().read("block.cells", b"OO\nOO\n", None)?;
    /// session.load_located(&mut viewer, found, false)?;
    /// assert_eq!(session.world().population(), 4u8.into());
    /// # Ok::<(), session::CommandRefusal>(())
    /// ```
    pub fn load_located(
        &mut self,
        viewer: &mut Viewer,
        found: LocatedPattern,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        let kept = self.keep_unsaved("open", anyway, format!("open {}", found.name))?;
        let reply = self.open_located(viewer, found)?;
        Ok(self.put_aside(kept, reply))
    }

    /// Replaces the world by a located pattern.
    pub(crate) fn open_located(
        &mut self,
        viewer: &mut Viewer,
        found: LocatedPattern,
    ) -> Result<CommandReply, CommandRefusal> {
        let opening = OpeningOptions {
            is_by_person: true,
            ..OpeningOptions::default()
        };
        self.open_located_with(viewer, found, opening)
    }

    /// As [`Self::open_located`].
    pub(crate) fn open_located_with(
        &mut self,
        viewer: &mut Viewer,
        mut found: LocatedPattern,
        opening: OpeningOptions,
    ) -> Result<CommandReply, CommandRefusal> {
        // The sidecar may name the rule that the format cannot hold.
        let beside = found.sidecar.take();
        let (mut settings, warnings) = Settings::unpack(&mut found.pattern, beside.as_deref());
        let mut notes: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let mut rule = self.file_access.rule_of(&found)?;
        if opening.is_unbounded {
            rule = rule.with_topology(Topology::Unbounded);
        }
        self.check_size(rule.topology())?;
        source::place_on_board(&mut found.pattern, &found.name, &rule)?;
        let pattern = &found.pattern;
        // The old world and the parsed pattern are both held until the new world exists.
        let most = self.file_access.limits.memory;
        let needed = self.bytes().saturating_add(pattern.cells.bytes());
        let options = Options {
            memory: self.memory.min(most.saturating_sub(needed)),
            ..self.options()
        };
        let (opened, lost) = self.run_interruptible("open", || {
            let opened = engine::open_endless(self.engine_choice, None, &rule, pattern, &options);
            let placed = engine::place_pattern(pattern, rule.topology());
            (opened, count_outside(&placed, rule.topology()))
        })?;
        let mut opened = match opened {
            Err(_) if options.memory < self.memory / 2 => {
                return Err(CommandRefusal::NoRoom { what: "open", most });
            }
            opened => opened?,
        };
        opened.world.set_memory_limit(self.memory);
        let is_timed = settings.stride.is_some() || settings.speed.is_some();
        if opening.is_by_person && !is_timed {
            let power = self.try_opening_steps(opened.world.as_mut(), options.memory)?;
            if power > 0 {
                let stride = BigUint::one() << power;
                notes.push(format!(
                    "steps of {stride} generations, as this is large; stride 1 shows each one"
                ));
                settings.speed = Some(USUAL_SPEED * f64::from(power).exp2());
                settings.stride = Some(stride);
            }
        }
        if lost > 0 {
            notes.push(format!(
                "{} outside the grid were left out",
                cells(&lost.into())
            ));
        }
        (self.world, self.engine_reason) = (opened.world, opened.engine_reason);
        let path = found
            .path
            .as_ref()
            .map(|path| match &self.file_access.files {
                crate::file_access::Files::Folder(_) => found.name.clone(),
                _ => path.display().to_string(),
            });
        let info = WorldInfo {
            label: found.name.clone(),
            name: found.pattern.name.clone(),
            author: found.pattern.author.clone(),
            comments: found.pattern.comments.clone(),
            rule_block: found.pattern.rule_block.clone(),
            file: path.map(|path| (path, found.format)),
        };
        self.adopt_pattern(viewer, info, settings);
        let ignored = &self.presentation.ignored;
        if !ignored.is_empty() {
            notes.push(format!(
                "the script's words {} have no effect here",
                ignored.join(", ")
            ));
        }
        if opening.is_by_person && self.presentation.starts {
            self.run()?;
        }
        Ok(CommandReply {
            note: (!notes.is_empty()).then(|| notes.join("; ")),
            ..CommandReply::default()
        })
    }

    /// The step that suits a pattern which is being opened, as a power of two. The world is where
    /// it was afterwards.
    fn try_opening_steps(&self, world: &mut dyn World, memory: u64) -> Result<u32, CommandRefusal> {
        let Some(clock) = &self.clock else {
            return Ok(0);
        };
        let most = self.run_interruptible("open", || opening_step::longest_power(world))?;
        // A snapshot of a world that fills its memory has no room.
        if most == 0 || world.bytes() > memory / 2 {
            return Ok(0);
        }
        let start = self.run_interruptible("open", || world.snapshot())?;
        let power = with_check(&self.go_on, || {
            opening_step::try_steps(world, most, clock.as_ref())
        });
        self.check_continue("open")?;
        world.restore(&start)?;
        Ok(power)
    }

    /// Resets everything that belonged to the previous pattern.
    fn adopt_pattern(&mut self, viewer: &mut Viewer, info: WorldInfo, settings: Settings) {
        self.playback.halt();
        self.info = info;
        self.selection = None;
        self.undo_history.clear();
        self.timeline.clear();
        self.has_checkpoint = false;
        self.run_series.clear();
        self.new_content();
        self.saved = self.content;
        self.presentation = Presentation::of(&settings);
        let origin = Settings {
            place: Some((BigInt::ZERO, BigInt::ZERO)),
            ..Settings::default()
        };
        let middle = origin.centre(self.world.bounds().as_ref());
        self.presentation_middle = middle.unwrap_or_default();
        self.apply_settings(&settings);
        self.adopt_bookmarks(&settings);
        self.initial_view = InitialView {
            zoom: settings.zoom,
            centre: settings.centre(self.world.bounds().as_ref()),
        };
        self.opened_count += 1;
        viewer.follow = settings.follow.unwrap_or(self.presentation.fits);
        let start = || self.world.generation().clone();
        viewer.track = settings
            .track
            .map(|motion| CameraTrack::new(motion, start()));
        viewer.arrived = 0;
        self.pattern_settings = settings;
        self.mark_replaced();
    }

    /// Applies a pattern's settings.
    fn apply_settings(&mut self, settings: &Settings) {
        let usual = crate::display::DisplaySettings::default();
        self.playback.speed = settings.speed.unwrap_or(USUAL_SPEED);
        self.playback.stride = settings.stride.clone().unwrap_or_else(BigUint::one);
        self.playback.is_hyper = false;
        let ages = self.presentation.ages;
        self.change_display(|display| {
            // The user's theme stays where the pattern names none. LifeViewer's are dark.
            let theme = match (&settings.theme, ages) {
                (Some(theme), _) => render::Theme::find(theme),
                (None, Some(_)) => Some(render::Theme::BLUEPRINT),
                (None, None) => display.theme,
            };
            *display = crate::display::DisplaySettings {
                theme,
                colours: settings.colours.clone(),
                grid: settings.grid.unwrap_or(usual.grid),
                major: settings.major.unwrap_or(usual.major),
                rulers: settings.rulers.unwrap_or(usual.rulers),
                icons: settings.icons.unwrap_or(usual.icons),
                dying: settings.dying.unwrap_or(usual.dying),
                colouring: settings.colouring.unwrap_or(match settings.age.or(ages) {
                    Some(true) => CellColouring::Age,
                    _ => usual.colouring,
                }),
                history: settings.history.or(ages).unwrap_or(usual.history),
            };
        });
    }

    pub(crate) fn revert(
        &mut self,
        viewer: &mut Viewer,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        let (name, _) = self.info.file.clone().ok_or(CommandRefusal::NoFile)?;
        self.open(viewer, &name, anyway)
    }

    /// Describes a rule in words.
    ///
    /// # Errors
    /// When the text is not a rule.
    ///
    /// ```
    /// use session::{Session, file_access::FileAccess};
    ///
    /// let session = Session::new(FileAccess::default(), 0);
    /// let (rule, words) = session.describe_rule("highlife")?;
    /// assert_eq!(rule.to_string(), "B36/S23");
    /// assert!(words.contains("3 or 6"));
    /// # Ok::<(), session::CommandRefusal>(())
    /// ```
    pub fn describe_rule(&self, text: &str) -> Result<(Rule, String), CommandRefusal> {
        let words = Pattern {
            rule_block: self.info.rule_block.clone(),
            ..Pattern::default()
        };
        let rule = self.file_access.parse_rule(text, &words, None)?;
        let described = rule.explain();
        Ok((rule, described))
    }
}
