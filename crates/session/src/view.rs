//! View commands: zoom, position, tools, colours.

use crate::cell_distance::CellDistance;
use crate::change_counter::ChangeCounter;
use crate::command::{Command, Reach, Region, ScrollDirection, SelectionChange, ZoomChange};
use crate::display::DisplaySettings;
use crate::refusal::CommandRefusal;
use crate::session::{CommandReply, Session};
use crate::trails::Trails;
use crate::viewer::Viewer;
use grid::State;
use num_bigint::BigInt;
use pattern::Bounds;
use render::{CellColouring, Rgb, Theme, Viewport};

/// What is said in place of a command whose cells were out of view.
const SELECTION_UNSEEN: &str = "the selection was out of view: press again";
const CURSOR_UNSEEN: &str = "the cell cursor was out of view: press again";

impl Command {
    /// Whether it changes what its viewer alone sees: nothing that all viewers of a world share.
    ///
    /// ```
    /// use session::Command;
    ///
    /// assert!("zoom in".parse::<Command>()?.is_for_one_viewer());
    /// assert!(!"theme blueprint".parse::<Command>()?.is_for_one_viewer());
    /// # Ok::<(), session::command::CommandError>(())
    /// ```
    #[must_use]
    pub fn is_for_one_viewer(&self) -> bool {
        matches!(
            self,
            Self::Zoom(..)
                | Self::Pan(..)
                | Self::Scroll(..)
                | Self::Fit
                | Self::Centre(..)
                | Self::Follow(_)
                | Self::Cursor(_)
                | Self::Nudge(..)
                | Self::Tool(_)
                | Self::Measure(_)
                | Self::Curves(_)
                | Self::Pick(_)
                | Self::Symmetry(..)
        )
    }
}

impl Session {
    /// Applies commands that change no cell.
    pub(crate) fn apply_view(
        &mut self,
        viewer: &mut Viewer,
        command: &Command,
    ) -> Result<CommandReply, CommandRefusal> {
        viewer.go_on(self.world.generation());
        self.go_on_tour(viewer);
        // Who looks elsewhere has left the way of a script.
        viewer.is_touring &= !matches!(
            command,
            Command::Zoom(..)
                | Command::Pan(..)
                | Command::Scroll(..)
                | Command::Fit
                | Command::Centre(..)
                | Command::Follow(_)
        );
        match command {
            Command::Zoom(change, at) => zoom(viewer, *change, *at),
            Command::Pan(dx, dy) => viewer.viewport = viewer.viewport.panned(*dx, *dy),
            Command::Scroll(direction, reach) => scroll(viewer, *direction, *reach),
            Command::Fit => self.fit(viewer),
            Command::Centre(x, y) => viewer.viewport = viewer.viewport.centred_on(x, y),
            Command::Follow(change) => return self.follow(viewer, *change),
            Command::Cursor(cell) => viewer.cursor.clone_from(cell),
            Command::Nudge(dx, dy) => nudge(viewer, *dx, *dy),
            Command::Tool(tool) => viewer.tool = *tool,
            Command::Pick(p) => viewer.pen = self.world.get(*p),
            Command::Grid(switch) => {
                self.change_display(|display| display.grid = switch.of(display.grid))
            }
            Command::Major(n) => self.change_display(|display| display.major = *n),
            Command::Curves(view) => {
                viewer.plot = *view;
                if view.needs_counting() && self.change_counter.is_none() {
                    self.change_counter = Some(ChangeCounter::default());
                }
                self.revision += 1;
            }
            Command::Rulers(switch) => {
                self.change_display(|display| display.rulers = switch.of(display.rulers))
            }
            Command::Measure([from, to]) => {
                let distance = CellDistance::between(*from, *to);
                return Ok(CommandReply::note(distance.to_string()));
            }
            Command::Icons(switch) => {
                self.change_display(|display| display.icons = switch.of(display.icons))
            }
            Command::Dying(switch) => {
                self.change_display(|display| display.dying = switch.of(display.dying))
            }
            Command::Age(switch) => {
                let colouring = match switch.of(self.display.is_by_age()) {
                    true => CellColouring::Age,
                    false => CellColouring::State,
                };
                self.change_display(|display| display.colouring = colouring);
            }
            Command::Colouring(colouring) => {
                self.change_display(|display| display.colouring = *colouring);
                self.refresh_periods();
                return Ok(self.colouring_reply());
            }
            Command::History(switch) => {
                self.change_display(|display| display.history = switch.of(display.history))
            }
            Command::Theme(name) => {
                self.change_display(|display| display.theme = Theme::find(name))
            }
            Command::Colour(state, colour) => return self.colour(*state, *colour),
            // Each user interface shows help itself, from the list of commands.
            _ => {}
        }
        Ok(CommandReply::default())
    }

    /// Looks whether a command changes cells out of this viewer's view: the selection, or the cell
    /// at the cursor. If so, brings them into view and returns a message to show instead.
    pub(crate) fn reveal_target(
        &self,
        viewer: &mut Viewer,
        command: &Command,
    ) -> Option<&'static str> {
        use Command as C;
        let selection = self
            .selection
            .map(|rect| (Bounds::from(rect), SELECTION_UNSEEN));
        let cursor = viewer.cursor.as_ref().map(|(x, y)| {
            let cell = Bounds {
                x: x.clone(),
                y: y.clone(),
                width: 1_u8.into(),
                height: 1_u8.into(),
            };
            (cell, CURSOR_UNSEEN)
        });
        let (target, message) = match command {
            C::Cut | C::Mirror(_) | C::Rotate(_) | C::Shift(..) | C::Random(_) | C::Fill(_) => {
                selection
            }
            C::Clear(Region::Inside | Region::Outside) => selection,
            C::Select(SelectionChange::Shrink | SelectionChange::Grow) => selection,
            C::Paste { at: None, .. } => selection.or(cursor),
            C::Flip(None) => cursor,
            _ => None,
        }?;
        let seen = &viewer.viewport;
        let pixels = seen.pixel_bounds(&target);
        let zero = BigInt::ZERO;
        let is_seen = pixels.left < seen.width.into()
            && pixels.top < seen.height.into()
            && pixels.right > zero
            && pixels.bottom > zero;
        if is_seen {
            return None;
        }
        let x = &target.x + BigInt::from(target.width / 2_u8);
        let y = &target.y + BigInt::from(target.height / 2_u8);
        viewer.viewport = seen.centred_on(&x, &y);
        Some(message)
    }

    fn colour(
        &mut self,
        state: State,
        colour: Option<Rgb>,
    ) -> Result<CommandReply, CommandRefusal> {
        self.takes_state(state)?;
        self.change_display(|display| match colour {
            Some(colour) => {
                display.colours.insert(state, colour);
            }
            None => {
                display.colours.remove(&state);
            }
        });
        Ok(CommandReply::default())
    }

    pub(crate) fn change_display(&mut self, change: impl FnOnce(&mut DisplaySettings)) {
        change(&mut self.display);
        self.look_revision += 1;
        self.revision += 1;
        let wanted = self.display.is_by_age() || self.display.history;
        match (&self.trails, wanted) {
            (None, true) => {
                let mut trails = Trails::default();
                trails.reset(self.world.as_ref());
                self.trails = Some(trails);
            }
            (Some(_), false) => self.trails = None,
            _ => {}
        }
    }

    /// Shows all live cells, or the whole grid where there are none.
    pub(crate) fn fit(&self, viewer: &mut Viewer) {
        let grid = self.world.rule().topology().rect();
        let bounds = self.world.bounds().or_else(|| grid.map(Into::into));
        let (width, height) = (viewer.viewport.width, viewer.viewport.height);
        let lattice = self.world.rule().lattice();
        viewer.viewport = match bounds {
            Some(bounds) => Viewport::fitting_on(lattice, &bounds, width, height),
            None => Viewport::new(width, height).with_lattice(lattice),
        };
    }

    /// Shows a pattern with the view that it was opened with.
    pub(crate) fn apply_initial_view(&self, viewer: &mut Viewer) {
        self.fit(viewer);
        viewer.is_touring = !self.presentation.waypoints.is_empty();
        if let Some(zoom) = self.initial_view.zoom {
            let (x, y) = viewer.viewport.centre();
            viewer.viewport.zoom = zoom;
            viewer.viewport = viewer.viewport.centred_on(&x, &y);
        }
        if let Some((x, y)) = &self.initial_view.centre {
            viewer.viewport = viewer.viewport.centred_on(x, y);
        }
    }
}

fn zoom(viewer: &mut Viewer, change: ZoomChange, at: Option<(i64, i64)>) {
    let seen = &viewer.viewport;
    let zoom = match change {
        ZoomChange::In => seen.zoom.closer(),
        ZoomChange::Out => seen.zoom.farther(),
        ZoomChange::To(zoom) => zoom,
    };
    let middle = (i64::from(seen.width / 2), i64::from(seen.height / 2));
    let (x, y) = at.unwrap_or(middle);
    viewer.viewport = seen.zoomed(zoom, x, y);
}

fn scroll(viewer: &mut Viewer, direction: ScrollDirection, reach: Reach) {
    let seen = &viewer.viewport;
    let part = |side: u32| {
        let part = match reach {
            Reach::Near => side / 10,
            Reach::Far => side - side / 10,
        };
        i64::from(part.max(1))
    };
    let (across, down) = (part(seen.width), part(seen.height));
    viewer.viewport = match direction {
        ScrollDirection::Left => seen.panned(-across, 0),
        ScrollDirection::Right => seen.panned(across, 0),
        ScrollDirection::Up => seen.panned(0, -down),
        ScrollDirection::Down => seen.panned(0, down),
    };
}

/// Moves the cell cursor, and scrolls the view where the cursor would leave it.
fn nudge(viewer: &mut Viewer, dx: i64, dy: i64) {
    let (x, y) = match &viewer.cursor {
        Some((x, y)) => (x + dx, y + dy),
        None => viewer.viewport.centre(),
    };
    let (left, top) = viewer.viewport.pixel_of(&x, &y);
    let within =
        |place: &BigInt, side: u32| (0..i64::from(side)).contains(&place.try_into().unwrap_or(-1));
    if !within(&left, viewer.viewport.width) || !within(&top, viewer.viewport.height) {
        viewer.viewport = viewer.viewport.centred_on(&x, &y);
    }
    viewer.cursor = Some((x, y));
}
