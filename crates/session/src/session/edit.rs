//! Drawing, selecting, and editing a selection.

use crate::checkpoint::WorldCheckpoint;
use crate::clip::{Clip, Motion, check_reach, combined, runs_of};
use crate::command::{
    Mirror, PasteMode, Region, Scatter, ScatterAmount, SelectionChange, TurnDirection,
};
use crate::heading::named_pattern;
use crate::refusal::CommandRefusal;
use crate::session::{CommandReply, Session};
use crate::undo::UndoContents;
use crate::viewer::Viewer;
use engine::EngineChoice;
use grid::{Point, Rect, State};
use num_traits::ToPrimitive as _;
use pattern::soup::{Fill, SoupRecipe};
use pattern::{Cells, Pattern, Run};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// The most cells of one stroke.
pub(crate) const MAX_STROKE_CELLS: u64 = 1 << 20;

/// The most rows of a filled block: each row is a run.
const MAX_FILLED_ROWS: u64 = 1 << 20;

/// The most cells of a soup, dead ones included, because making one cannot be stopped.
const MAX_SOUP_CELLS: u64 = 1 << 25;

/// The largest rectangle of a quadtree, in cells, that is read leaf by leaf.
const MAX_LISTED_AREA: u128 = 1 << 28;

/// Cells, or runs of them, between two checks whether to stop.
const RUNS_PER_CHECK: usize = 1 << 14;

/// With more live cells than this, cells are not copied or moved one by one: a stop has to wait
/// for each piece of such work, which should take a tenth of a second at most.
const MANY_CELLS: u64 = 1 << 22;

/// The same for worlds of more bytes than this.
const MANY_BYTES: u64 = 1 << 28;

/// Blocks of more cells than this are not written in place, however few runs they have.
const MAX_IN_PLACE: u64 = 1 << 26;

impl Session {
    /// The live cells of a rectangle, if they fit in memory.
    pub(crate) fn cells_in(&self, what: &'static str, rect: Rect) -> Result<Cells, CommandRefusal> {
        let most = self.file_access.limits.memory;
        let room = most.saturating_sub(self.bytes());
        // The runs as they are collected, and as they are stored.
        let room = room / (size_of::<Run>() as u64 + 32);
        self.run_interruptible(what, || {
            let (mut runs, mut is_full) = (Vec::new(), false);
            self.world.runs_in(rect, &mut |run| {
                is_full |= runs.len() as u64 >= room;
                if !is_full {
                    runs.push(run);
                }
            });
            match is_full {
                true => Err(CommandRefusal::NoRoom { what, most }),
                false => Ok(Cells::from_runs(runs)),
            }
        })?
    }

    /// Replaces the cells of a rectangle. Nothing has changed where the new cells are refused.
    pub(crate) fn exchange_block(
        &mut self,
        rect: Rect,
        cells: &Cells,
        was: &Cells,
    ) -> Result<(), CommandRefusal> {
        self.world.erase(rect);
        let refused = self.world.load(cells);
        if refused.is_err() {
            self.world.erase(rect);
            self.world.load(was)?;
        }
        Ok(refused?)
    }

    pub(crate) fn set(
        &mut self,
        viewer: &Viewer,
        p: Point,
        state: State,
    ) -> Result<CommandReply, CommandRefusal> {
        self.put("set", &viewer.images(&[p]), state)
    }

    /// Flips the cell at `p`, or the one at the cursor. Drawing by keys alone puts a visible
    /// cursor there.
    pub(crate) fn flip(
        &mut self,
        viewer: &mut Viewer,
        p: Option<Point>,
    ) -> Result<CommandReply, CommandRefusal> {
        let p = match p {
            Some(p) => p,
            None => {
                let middle = || viewer.viewport.centre();
                let (x, y) = viewer.cursor.clone().unwrap_or_else(middle);
                let here = x.to_i64().zip(y.to_i64());
                viewer.cursor = Some((x, y));
                let (x, y) = here.ok_or(CommandRefusal::TooFar)?;
                Point::new(x, y)
            }
        };
        let pen = viewer.pen.max(1);
        let state = if self.world.get(p) == 0 { pen } else { 0 };
        self.put("draw", &viewer.images(&[p]), state)
    }

    pub(crate) fn draw(
        &mut self,
        viewer: &Viewer,
        more: bool,
        state: State,
        points: &[Point],
    ) -> Result<CommandReply, CommandRefusal> {
        let cells = viewer.images(&self.line(points)?);
        let goes_on = more && self.undo_history.last_mut("draw").is_some();
        if !goes_on {
            return self.put("draw", &cells, state);
        }
        self.takes_state(state)?;
        let before = self.changed(&cells, state)?;
        if before.is_empty() {
            return Ok(CommandReply::default());
        }
        self.write(&before, state)?;
        if let Some(step) = self.undo_history.last_mut("draw")
            && let UndoContents::Points(stroke) = &mut step.contents
        {
            // Cells that the stroke has drawn already keep their original state in the undo step.
            let known: HashSet<Point> = stroke.iter().map(|(p, _)| *p).collect();
            stroke.extend(before.into_iter().filter(|(p, _)| !known.contains(p)));
        }
        self.undo_history.update_last_size();
        self.drop_later();
        Ok(CommandReply::default())
    }

    /// Gives cells a state, as one change.
    pub(crate) fn put(
        &mut self,
        what: &'static str,
        cells: &[Point],
        state: State,
    ) -> Result<CommandReply, CommandRefusal> {
        self.takes_state(state)?;
        if let [p] = cells
            && !self.world.rule().topology().contains(*p)
        {
            return Err(CommandRefusal::OutsideGrid { x: p.x, y: p.y });
        }
        let before = self.changed(cells, state)?;
        self.reserve_memory(
            what,
            UndoContents::Points(Vec::new()).bytes() + 24 * before.len() as u64,
        )?;
        self.begin_edit();
        if before.is_empty() {
            return Ok(CommandReply::default());
        }
        let selection = self.selection;
        self.write(&before, state)?;
        self.record_edit(what, UndoContents::Points(before), selection);
        Ok(CommandReply {
            undo: true,
            ..CommandReply::default()
        })
    }

    /// The cells that would change, with their current states.
    fn changed(
        &self,
        cells: &[Point],
        state: State,
    ) -> Result<Vec<(Point, State)>, CommandRefusal> {
        let topology = self.world.rule().topology();
        let mut changed = Vec::new();
        for some in cells.chunks(RUNS_PER_CHECK) {
            let inside = some.iter().filter(|p| topology.contains(**p));
            let with_state = inside.map(|p| (*p, self.world.get(*p)));
            changed.extend(with_state.filter(|(_, was)| *was != state));
            if cells.len() > RUNS_PER_CHECK {
                self.check_continue("draw")?;
            }
        }
        Ok(changed)
    }

    /// Gives a state to cells whose states are given. Where one is refused, or the work is
    /// stopped, all are restored.
    fn write(&mut self, before: &[(Point, State)], state: State) -> Result<(), CommandRefusal> {
        self.finish_pending("draw")?;
        for (i, (p, _)) in before.iter().enumerate() {
            let asks = i > 0 && i % RUNS_PER_CHECK == 0;
            let stopped = if asks {
                self.check_continue("draw")
            } else {
                Ok(())
            };
            if let Err(refusal) = stopped.and_then(|()| Ok(self.world.set(*p, state)?)) {
                for (p, was) in &before[..i] {
                    // The previous state is always accepted.
                    let _ = self.world.set(*p, *was);
                }
                return Err(refusal);
            }
        }
        Ok(())
    }

    pub(crate) fn takes_state(&self, state: State) -> Result<(), CommandRefusal> {
        let rule = self.world.rule();
        if u16::from(state) < rule.states() {
            return Ok(());
        }
        Err(CommandRefusal::NoSuchState {
            rule: rule.to_string(),
            states: rule.states(),
            state,
        })
    }

    /// The cells of a polyline, each once.
    fn line(&self, points: &[Point]) -> Result<Vec<Point>, CommandRefusal> {
        let length = |a: &Point, b: &Point| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
        let all: u128 = points
            .windows(2)
            .map(|pair| u128::from(length(&pair[0], &pair[1])))
            .sum();
        if all >= MAX_STROKE_CELLS.into() {
            return Err(CommandRefusal::TooMany {
                what: "a line",
                cells: all,
                most: MAX_STROKE_CELLS,
            });
        }
        let mut seen = HashSet::new();
        let mut cells = Vec::new();
        if all > RUNS_PER_CHECK as u128 {
            self.check_continue("draw")?;
        }
        let mut reach = |p: Point| {
            if seen.insert(p) {
                cells.push(p);
            }
        };
        points.first().copied().into_iter().for_each(&mut reach);
        for pair in points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let steps = length(&a, &b) as i64;
            for step in 1..=steps {
                // Rounded to the nearest cell, halves away from the start.
                let part = |from: i64, to: i64| {
                    let far = i128::from(to) - i128::from(from);
                    let doubled = 2 * far * i128::from(step) + i128::from(steps);
                    from + doubled.div_euclid(2 * i128::from(steps)) as i64
                };
                reach(Point::new(part(a.x, b.x), part(a.y, b.y)));
            }
        }
        Ok(cells)
    }

    pub(crate) fn set_pen(
        &mut self,
        viewer: &mut Viewer,
        state: State,
    ) -> Result<CommandReply, CommandRefusal> {
        self.takes_state(state)?;
        viewer.pen = state;
        Ok(CommandReply::default())
    }

    pub(crate) fn select(
        &mut self,
        viewer: &mut Viewer,
        selecting: SelectionChange,
    ) -> Result<CommandReply, CommandRefusal> {
        let bounds = || self.world.bounds().and_then(|bounds| bounds.to_rect());
        self.selection = match selecting {
            SelectionChange::Cells(rect) => {
                check_reach(rect)?;
                Some(rect).filter(|rect| !rect.is_empty())
            }
            SelectionChange::Object(at) => return self.select_object(viewer, at),
            SelectionChange::Grow => return self.grow_selection(),
            SelectionChange::Next => return self.select_part(viewer, true),
            SelectionChange::Previous => return self.select_part(viewer, false),
            SelectionChange::Nothing => None,
            SelectionChange::All => {
                let all = bounds().filter(|rect| check_reach(*rect).is_ok());
                let nothing = CommandRefusal::NothingLives("here, or they lie too far out");
                Some(all.ok_or(nothing)?)
            }
            SelectionChange::Shrink => {
                let rect = self.selected()?;
                let inside = self
                    .listed_cells_in("select", rect)?
                    .bounds()
                    .and_then(|b| b.to_rect());
                Some(inside.ok_or(CommandRefusal::NothingLives("in the selection"))?)
            }
        };
        self.revision += 1;
        Ok(CommandReply::default())
    }

    pub(crate) fn selected(&self) -> Result<Rect, CommandRefusal> {
        self.selection.ok_or(CommandRefusal::NothingSelected)
    }

    /// Replaces all cells of a rectangle.
    fn replace(
        &mut self,
        what: &'static str,
        rect: Rect,
        cells: &Cells,
        selection: Option<Rect>,
    ) -> Result<(), CommandRefusal> {
        // A world with very many cells is kept as a checkpoint in the engine's form.
        let was_selected = self.selection;
        let is_much =
            cells.walk_length() > MANY_CELLS.into() || cells.population() > MAX_IN_PLACE.into();
        let contents = if is_much || self.has_many_cells() {
            UndoContents::Checkpoint(self.replace_checkpointed(what, rect, cells)?)
        } else {
            let was = self.cells_in(what, rect)?;
            self.reserve_memory(what, was.bytes())?;
            self.finish_pending(what)?;
            self.exchange_block(rect, cells, &was)?;
            UndoContents::Block(rect, was)
        };
        self.begin_edit();
        self.selection = selection;
        self.record_edit(what, contents, was_selected);
        Ok(())
    }

    /// As `replace`, for many live cells before or after. Returns the undo step.
    pub(crate) fn replace_checkpointed(
        &mut self,
        what: &'static str,
        rect: Rect,
        cells: &Cells,
    ) -> Result<Arc<WorldCheckpoint>, CommandRefusal> {
        self.reserve_memory(what, self.checkpoint_bytes())?;
        let checkpoint = self.run_interruptible(what, || self.checkpoint())?;
        if self.has_memory_for_copy() {
            self.world = self.rebuild_world(what, &checkpoint.cells, |world| {
                world.erase(rect);
                world.load(cells)
            })?;
        } else {
            self.finish_pending(what)?;
            self.world.erase(rect);
            if let Err(refusal) = self.world.load(cells) {
                self.world.restore(&checkpoint.cells)?;
                return Err(refusal.into());
            }
        }
        Ok(Arc::new(checkpoint))
    }

    /// Whether there are too many live cells to edit them one by one: engines that store single
    /// cells or intern nodes take eight times as long. In a world that takes much memory, few
    /// live cells may lie among much data.
    pub(crate) fn has_many_cells(&self) -> bool {
        let (most, is_large) = match self.world.engine().parse() {
            Ok(EngineChoice::Naive | EngineChoice::Hashlife) => (MANY_CELLS / 8, false),
            _ => (MANY_CELLS, self.world.bytes() > MANY_BYTES),
        };
        is_large || self.world.population() > most.into()
    }

    /// The cells of a rectangle, if there are few enough to edit them one by one.
    pub(crate) fn listed_cells_in(
        &self,
        what: &'static str,
        rect: Rect,
    ) -> Result<Cells, CommandRefusal> {
        if self.has_many_cells() {
            let mut live = 0_u128;
            // A quadtree may hold more cells than can be listed.
            let area = u128::from(rect.width) * u128::from(rect.height);
            if area > MAX_LISTED_AREA && self.world.engine() == EngineChoice::Hashlife.name() {
                let cells = self.world.population().to_u128().unwrap_or(u128::MAX);
                return Err(CommandRefusal::TooMany {
                    what,
                    cells,
                    most: MANY_CELLS,
                });
            }
            self.run_interruptible(what, || {
                self.world
                    .runs_in(rect, &mut |run| live += u128::from(run.length));
            })?;
            if live > MANY_CELLS.into() {
                return Err(CommandRefusal::TooMany {
                    what,
                    cells: live,
                    most: MANY_CELLS,
                });
            }
        }
        self.cells_in(what, rect)
    }

    pub(crate) fn cut(&mut self) -> Result<CommandReply, CommandRefusal> {
        let rect = self.selected()?;
        let reply = self.copy()?;
        self.replace("cut", rect, &Cells::default(), self.selection)?;
        let count = self.clip.as_ref().map(|clip| clip.cells.population());
        Ok(CommandReply {
            clip: reply.clip,
            ..CommandReply::undoable(format!("cut {}", cells(&count.unwrap_or_default())))
        })
    }

    pub(crate) fn copy(&mut self) -> Result<CommandReply, CommandRefusal> {
        let rect = self.selected()?;
        let clip = Clip {
            width: rect.width,
            height: rect.height,
            cells: self
                .listed_cells_in("copy", rect)?
                .translated(-rect.x, -rect.y),
        };
        let rule = self.world.rule().with_topology(rule::Topology::Unbounded);
        let text = clip.to_rle(&rule.to_string());
        let note = format!("copied {}", cells(&clip.cells.population()));
        self.clip = Some(clip);
        self.revision += 1;
        Ok(CommandReply {
            clip: text,
            ..CommandReply::note(note)
        })
    }

    pub(crate) fn take_clipboard_text(
        &mut self,
        text: &str,
    ) -> Result<CommandReply, CommandRefusal> {
        let mut patterns = VecDeque::from(source::embedded(text));
        // Several in one text are taken one after the other. One may have words around it; where
        // there is none, it is another format, a name or a mistake.
        let first = match patterns.len() {
            0 => None,
            1 if pattern::detect(text.as_bytes()).is_some() => None,
            _ => patterns.pop_front(),
        };
        let clip = self.clip_of(first.as_deref().unwrap_or(text))?;
        self.clip_queue = match first {
            Some(_) => patterns,
            None => VecDeque::new(),
        };
        Ok(self.hold_clip(clip))
    }

    /// The next pattern of the text that the clipboard's cells came from.
    pub(crate) fn take_next_pattern(&mut self) -> Result<CommandReply, CommandRefusal> {
        let next = self
            .clip_queue
            .front()
            .ok_or(CommandRefusal::NoMorePatterns)?;
        let clip = self.clip_of(next)?;
        self.clip_queue.pop_front();
        Ok(self.hold_clip(clip))
    }

    fn hold_clip(&mut self, clip: Clip) -> CommandReply {
        let count = cells(&clip.cells.population());
        self.clip = Some(clip);
        self.revision += 1;
        CommandReply::note(match self.clip_queue.len() {
            0 => format!("{count} ready to paste"),
            1 => format!("{count} ready to paste; paste-next takes the other pattern of the text"),
            more => {
                format!("{count} ready to paste; paste-next takes the next of {more} patterns more")
            }
        })
    }

    /// Reads a text as cells: RLE, an apgcode, or any other format.
    fn clip_of(&self, text: &str) -> Result<Clip, CommandRefusal> {
        let bytes = text.as_bytes();
        let pattern = match pattern::detect(bytes) {
            Some(_) => self.file_access.read("the text", bytes, None)?.pattern,
            None => named_pattern(text, self.world.rule())?,
        };
        let steps = pattern.cells.walk_length();
        if steps > MANY_CELLS.into() {
            return Err(CommandRefusal::TooMany {
                what: "paste",
                cells: steps,
                most: MANY_CELLS,
            });
        }
        Clip::of_pattern(&pattern)
    }

    /// The selected rectangle.
    #[must_use]
    pub fn selection(&self) -> Option<Rect> {
        self.selection
    }

    /// How pasted cells combine with existing ones.
    #[must_use]
    pub fn paste_mode(&self) -> PasteMode {
        self.paste_mode
    }

    /// The cells that would be pasted, for a preview.
    #[must_use]
    pub fn clip(&self) -> Option<&Clip> {
        self.clip.as_ref()
    }

    pub(crate) fn paste(
        &mut self,
        viewer: &Viewer,
        at: Option<Point>,
        mode: Option<PasteMode>,
        text: Option<&str>,
    ) -> Result<CommandReply, CommandRefusal> {
        let clip = match text {
            Some(text) => self.clip_of(text)?,
            None => self.clip.clone().ok_or(CommandRefusal::NothingToPaste)?,
        };
        self.takes_state(clip.cells.max_state())?;
        let at = at.unwrap_or_else(|| self.paste_place(viewer, &clip));
        let rect = clip.rect_at(at);
        check_reach(rect)?;
        let mode = mode.unwrap_or(self.paste_mode);
        // Pasted cells, existing cells, and the clipboard.
        self.reserve_memory("paste", 3 * clip.cells.bytes())?;
        let pasted = clip.cells.translated(at.x, at.y);
        let lost = self.outside(&pasted);
        let there = self.listed_cells_in("paste", rect)?;
        let after = self.run_interruptible("paste", || combined(&there, &pasted, rect, mode))?;
        self.replace("paste", rect, &after, self.selection)?;
        self.clip = Some(clip);
        let count = cells(&pasted.population());
        Ok(CommandReply::undoable(match lost {
            0 => format!("pasted {count}"),
            lost => format!("pasted {count}, {lost} of them left out, outside the grid"),
        }))
    }

    /// Where to paste without a given place: the selection, the cursor, or the middle of the
    /// view.
    fn paste_place(&self, viewer: &Viewer, clip: &Clip) -> Point {
        if let Some(rect) = self.selection {
            return Point::new(rect.x, rect.y);
        }
        let cell = |(x, y): &(num_bigint::BigInt, num_bigint::BigInt)| {
            Some(Point::new(x.to_i64()?, y.to_i64()?))
        };
        if let Some(at) = viewer.cursor.as_ref().and_then(cell) {
            return at;
        }
        let middle = cell(&viewer.viewport.centre()).unwrap_or_default();
        Point::new(
            middle.x.saturating_sub_unsigned(clip.width / 2),
            middle.y.saturating_sub_unsigned(clip.height / 2),
        )
    }

    /// How many of these cells lie outside the grid.
    pub(crate) fn outside(&self, cells: &Cells) -> u64 {
        count_outside(cells, self.world.rule().topology())
    }

    pub(crate) fn mirror(&mut self, mirror: Mirror) -> Result<CommandReply, CommandRefusal> {
        let rect = self.selected()?;
        self.transform("mirror", rect, &Motion::mirror(rect, mirror))
    }

    pub(crate) fn rotate(&mut self, turn: TurnDirection) -> Result<CommandReply, CommandRefusal> {
        let rect = self.selected()?;
        self.transform("rotate", rect, &Motion::rotate(rect, turn))
    }

    /// Transforms the clipboard's cells, and nothing on the sheet.
    pub(crate) fn transform_clip(
        &mut self,
        motion: impl FnOnce(Rect) -> Motion,
    ) -> Result<CommandReply, CommandRefusal> {
        let clip = self.clip.as_ref().ok_or(CommandRefusal::NothingToPaste)?;
        let motion = motion(clip.rect_at(Point::default()));
        let moved = self.run_interruptible("paste", || {
            let moved = motion.of(&clip.cells);
            moved.translated(-motion.to.x, -motion.to.y)
        })?;
        self.clip = Some(Clip {
            width: motion.to.width,
            height: motion.to.height,
            cells: moved,
        });
        self.revision += 1;
        Ok(CommandReply::default())
    }

    pub(crate) fn shift(&mut self, dx: i64, dy: i64) -> Result<CommandReply, CommandRefusal> {
        let rect = self.selected()?;
        let (x, y) = (rect.x.saturating_add(dx), rect.y.saturating_add(dy));
        check_reach(Rect { x, y, ..rect })?;
        self.transform("shift", rect, &Motion::shift(rect, dx, dy))
    }

    /// Transforms the selected cells, and merges them with the cells at their destination.
    fn transform(
        &mut self,
        what: &'static str,
        rect: Rect,
        motion: &Motion,
    ) -> Result<CommandReply, CommandRefusal> {
        check_reach(motion.to)?;
        let taken = self.listed_cells_in(what, rect)?;
        let most = MAX_FILLED_ROWS;
        if motion.to.height != rect.height && rect.width > most {
            return Err(CommandRefusal::TooMany {
                what,
                cells: u128::from(rect.width) * u128::from(rect.height),
                most,
            });
        }
        let moved = self.run_interruptible(what, || motion.of(&taken))?;
        let lost = self.outside(&moved);
        let all = rect.union(&motion.to);
        let there = self.listed_cells_in(what, all)?;
        let after = self.run_interruptible(what, || {
            let mut runs = runs_of(&there);
            taken.for_each_run(&mut |run| runs.push(Run { state: 0, ..run }));
            moved.for_each_run(&mut |run| runs.push(run));
            Cells::from_runs(runs)
        })?;
        self.replace(what, all, &after, Some(motion.to))?;
        Ok(CommandReply {
            undo: true,
            note: (lost > 0).then(|| format!("{lost} cells left out, outside the grid")),
            ..CommandReply::default()
        })
    }

    pub(crate) fn random(
        &mut self,
        viewer: &Viewer,
        scatter: &Scatter,
    ) -> Result<CommandReply, CommandRefusal> {
        let grid = self.world.rule().topology().rect();
        let seen = || viewer.viewport.cells();
        let rect = self
            .selection
            .or(grid)
            .or_else(seen)
            .ok_or(CommandRefusal::NothingSelected)?;
        let rect = grid.map_or(rect, |grid| grid.intersection(&rect));
        check_reach(rect)?;
        let soup = self.make_soup(rect.width, rect.height, scatter, None)?;
        let cells = self.run_interruptible("random", || soup.cells.translated(rect.x, rect.y))?;
        let count = self::cells(&cells.population());
        self.replace("random", rect, &cells, self.selection)?;
        Ok(CommandReply::undoable(format!("{count} filled at random")))
    }

    /// Random cells for the current rule, with their corner at (0, 0).
    pub(crate) fn make_soup(
        &mut self,
        width: u64,
        height: u64,
        scatter: &Scatter,
        symmetry: Option<&str>,
    ) -> Result<Pattern, CommandRefusal> {
        let symmetry = symmetry
            .map(|name| {
                name.parse().map_err(|error| CommandRefusal::Symmetry {
                    name: name.to_string(),
                    error,
                })
            })
            .transpose()?;
        // An empty rectangle has neither rows nor columns.
        let (width, height) = match width.min(height) {
            0 => (0, 0),
            _ => (width, height),
        };
        let mut recipe = SoupRecipe {
            states: self.world.rule().states(),
            fill: match scatter.amount {
                ScatterAmount::Density(density) => Fill::Density(density),
                ScatterAmount::Count(count) => Fill::Exactly(count),
            },
            seed: scatter.seed.unwrap_or_else(|| self.next_seed()),
            ..SoupRecipe::new(width, height)
        };
        recipe.symmetry = symmetry.unwrap_or(recipe.symmetry);
        let cells = u128::from(width) * u128::from(height);
        if cells > MAX_SOUP_CELLS.into() {
            let (what, most) = ("a soup", MAX_SOUP_CELLS);
            return Err(CommandRefusal::TooMany { what, cells, most });
        }
        // One byte a cell, plus runs.
        self.reserve_memory("a soup", cells as u64)?;
        Ok(self.run_interruptible("a soup", || recipe.pattern())??)
    }

    pub(crate) fn fill(&mut self, state: State) -> Result<CommandReply, CommandRefusal> {
        self.takes_state(state)?;
        let rect = self.selected()?;
        let grid = self.world.rule().topology().rect();
        let inside = grid.map_or(rect, |grid| grid.intersection(&rect));
        if inside.height > MAX_FILLED_ROWS {
            return Err(CommandRefusal::TooMany {
                what: "fill",
                cells: u128::from(inside.width) * u128::from(inside.height),
                most: MAX_FILLED_ROWS,
            });
        }
        // One run a row, as it is collected and as it is stored.
        self.reserve_memory("fill", inside.height * (size_of::<Run>() as u64 + 32))?;
        let row = |y| Run {
            y,
            x: inside.x,
            length: inside.width,
            state,
        };
        let rows = (inside.y..inside.bottom())
            .filter(|_| inside.width > 0)
            .map(row);
        let cells = Cells::from_runs(rows.collect());
        self.replace("fill", rect, &cells, self.selection)?;
        Ok(CommandReply {
            undo: true,
            ..CommandReply::default()
        })
    }

    pub(crate) fn clear(&mut self, region: Region) -> Result<CommandReply, CommandRefusal> {
        if region == Region::Inside {
            let rect = self.selected()?;
            let before = self.world.population();
            self.replace("clear", rect, &Cells::default(), self.selection)?;
            let count = cells(&(before - self.world.population()));
            return Ok(CommandReply::undoable(format!("cleared {count}")));
        }
        let kept = match region {
            Region::Outside => self.selected()?,
            _ => Rect::default(),
        };
        self.reserve_memory("clear", self.checkpoint_bytes())?;
        self.begin_edit();
        let (checkpoint, selection) = (
            self.run_interruptible("clear", || self.checkpoint())?,
            self.selection,
        );
        let before = self.world.population();
        self.world.keep_only(kept);
        let count = cells(&(before - self.world.population()));
        self.record_edit(
            "clear",
            UndoContents::Checkpoint(Arc::new(checkpoint)),
            selection,
        );
        Ok(CommandReply::undoable(format!("cleared {count}")))
    }
}

/// The most steps for counting the cells outside a grid.
const MAX_COUNT_STEPS: u128 = 1 << 26;

/// How many cells lie outside a grid of this topology.
pub(crate) fn count_outside(cells: &Cells, topology: &rule::Topology) -> u64 {
    if *topology == rule::Topology::Unbounded {
        return 0;
    }
    if cells.walk_length() > MAX_COUNT_STEPS {
        // Too many to count; nearly all of them lie outside any grid.
        return u64::try_from(cells.population()).unwrap_or(u64::MAX);
    }
    let mut outside: u64 = 0;
    let (width, _) = topology.size();
    let least = |side: u64| -((side / 2) as i64);
    cells.for_each_run(&mut |run| {
        let first = run.x;
        let end = run.x.saturating_add_unsigned(run.length);
        let row_is_in = topology.contains(Point::new(least(width), run.y));
        let inside = if !row_is_in {
            0
        } else if width == 0 {
            run.length
        } else {
            let (left, right) = (least(width), least(width).saturating_add_unsigned(width));
            let (a, b) = (first.max(left), end.min(right));
            if b > a { b.abs_diff(a) } else { 0 }
        };
        outside = outside.saturating_add(run.length - inside);
    });
    outside
}

/// `1 cell`, `5 cells`.
pub(crate) fn cells(count: &num_bigint::BigUint) -> String {
    match count.to_u64() {
        Some(1) => "1 cell".into(),
        _ => format!("{count} cells"),
    }
}
