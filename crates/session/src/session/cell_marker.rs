//! Marks of cells by age and activity, in the session and in films that go on apart from it.

use crate::periods::RepeatingCells;
use crate::session::{CommandReply, Session};
use crate::trails::{ShownTrails, Trails};
use engine::{AdvanceInterruption, World};
use num_bigint::BigUint;
use render::{CellColouring, Frame, Viewport};

/// The largest population of which periods are looked for after each command.
const MAX_POPULATION: u64 = 50_000;

/// Generations that are recorded in one piece: as many as there are ages.
const RECORDED_AT_ONCE: u64 = 64;

/// Marks the cells of frames of a world that goes on: by their age, heat or period, where cells
/// have died, and which die next.
///
/// ```
/// use engine::World;
/// use render::{CellColouring, Content, Viewport};
/// use session::{CellMarker, CellMarkerOptions};
///
/// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
/// for x in -1..=1 {
///     world.set(grid::Point::new(x, 0), 1)?;
/// }
/// let by_age = CellMarkerOptions { colouring: CellColouring::Age, ..CellMarkerOptions::default() };
/// let mut marker = CellMarker::new(by_age, &mut world);
/// marker.advance(&mut world, &5_u8.into(), &mut |_| true).map_err(|_| "stopped")?;
/// let frame = marker.frame(&world, &Viewport::new(64, 48));
/// let Content::Cells { marks: Some(marks), .. } = frame.content else { panic!("marks") };
/// assert_eq!(marks.iter().filter(|&&mark| mark == 64).count(), 2, "its ends are newborn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CellMarker {
    options: CellMarkerOptions,
    trails: Option<Trails>,
    repeating: Option<RepeatingCells>,
}

/// Which cells are marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellMarkerOptions {
    /// What the colour of a live cell says.
    pub colouring: CellColouring,
    /// Whether cells that have died leave trails.
    pub trails: bool,
    /// Whether cells that die in the next generation are marked.
    pub dying: bool,
}

impl CellMarkerOptions {
    fn shown_trails(self) -> ShownTrails {
        ShownTrails {
            ages: self.colouring == CellColouring::Age,
            trails: self.trails,
        }
    }
}

impl CellMarker {
    /// Begins at a world as it is now: its live cells are newborn.
    ///
    /// ```
    /// use session::{CellMarker, CellMarkerOptions};
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// let marker = CellMarker::new(CellMarkerOptions::default(), &mut world);
    /// let frame = marker.frame(&world, &render::Viewport::new(64, 48));
    /// assert!(matches!(frame.content, render::Content::Cells { marks: None, .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(options: CellMarkerOptions, world: &mut dyn World) -> Self {
        let wanted = options.shown_trails() != ShownTrails::default();
        let trails = wanted.then(|| {
            let mut trails = Trails::default();
            trails.reset(world);
            trails
        });
        let mut this = Self {
            options,
            trails,
            repeating: None,
        };
        this.look_for_periods(world);
        this
    }

    /// Finds out how the cells repeat, where that is to be shown. Returns whether they do, as far
    /// as was looked.
    ///
    /// ```
    /// use engine::World;
    /// use render::CellColouring;
    /// use session::{CellMarker, CellMarkerOptions};
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// for x in 0..3 {
    ///     world.set(grid::Point::new(x, 0), 1)?;
    /// }
    /// let heat = CellMarkerOptions { colouring: CellColouring::Heat, ..CellMarkerOptions::default() };
    /// let mut marker = CellMarker::new(heat, &mut world);
    /// assert!(marker.look_for_periods(&mut world), "a blinker comes back");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn look_for_periods(&mut self, world: &mut dyn World) -> bool {
        if !self.options.colouring.needs_periods() {
            return true;
        }
        let before = world.snapshot();
        self.repeating = RepeatingCells::find(world);
        // it took these cells a moment ago
        self.repeating.is_some() & world.restore(&before).is_ok()
    }

    /// Advances a world, generation by generation where ages and trails are shown. `go_on` is
    /// asked now and then with the generations done.
    ///
    /// # Errors
    /// When it is stopped.
    ///
    /// ```
    /// use engine::World;
    /// use session::{CellMarker, CellMarkerOptions};
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// let trails = CellMarkerOptions { trails: true, ..CellMarkerOptions::default() };
    /// let mut marker = CellMarker::new(trails, &mut world);
    /// assert!(marker.advance(&mut world, &200_u8.into(), &mut |_| true).is_ok());
    /// assert_eq!(*world.generation(), 200.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance(
        &mut self,
        world: &mut dyn World,
        n: &BigUint,
        go_on: &mut dyn FnMut(&BigUint) -> bool,
    ) -> Result<(), AdvanceInterruption> {
        let Some(trails) = &mut self.trails else {
            return world.advance(n, go_on);
        };
        let mut done = BigUint::ZERO;
        let rest = n.clone();
        // ages beyond the oldest mark are all alike, so the last generations are enough
        let recent = BigUint::from(RECORDED_AT_ONCE);
        if !self.options.trails && *n > recent {
            done = n - &recent;
            world.advance(&done, go_on)?;
            trails.reset(world);
        }
        while done < rest {
            let some = (&rest - &done).min(recent.clone());
            trails.advance(world, &some, &mut || go_on(&done))?;
            done += some;
        }
        Ok(())
    }

    /// A frame of the world with its marks.
    ///
    /// ```
    /// use engine::World;
    /// use render::{Content, DYING, Viewport};
    /// use session::{CellMarker, CellMarkerOptions};
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// world.set(grid::Point::new(0, 0), 1)?;
    /// let dying = CellMarkerOptions { dying: true, ..CellMarkerOptions::default() };
    /// let marker = CellMarker::new(dying, &mut world);
    /// let frame = marker.frame(&world, &Viewport::new(64, 48));
    /// let Content::Cells { marks: Some(marks), .. } = frame.content else { panic!("marks") };
    /// assert_eq!(marks.iter().max(), Some(&DYING));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn frame(&self, world: &dyn World, viewport: &Viewport) -> Frame {
        let mut frame = Frame::of(world, viewport);
        if let Some(trails) = &self.trails {
            trails.mark(&mut frame, self.options.shown_trails());
        }
        let repeating = self.repeating.as_ref();
        if let Some(repeating) = repeating.filter(|all| all.holds_at(world.generation())) {
            repeating.mark(&mut frame, self.options.colouring);
        }
        if self.options.dying {
            frame.mark_dying(world);
        }
        frame
    }
}

impl Session {
    /// Which cells are marked in its frames, for films of a copy of it.
    ///
    /// ```
    /// use render::CellColouring;
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"colouring heat".parse()?)?;
    /// assert_eq!(session.marker_options().colouring, CellColouring::Heat);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn marker_options(&self) -> CellMarkerOptions {
        CellMarkerOptions {
            colouring: self.display.colouring,
            trails: self.display.history,
            dying: self.display.dying,
        }
    }

    /// Finds out how the cells repeat, where that is shown and not known.
    pub(crate) fn refresh_periods(&mut self) {
        let is_wanted = self.display.colouring.needs_periods() && !self.is_busy();
        let generation = self.world.generation().clone();
        if !is_wanted
            || self.valid_periods().is_some()
            || self.periods.was_looked_at(self.content, &generation)
            || self.world.population() > MAX_POPULATION.into()
        {
            return;
        }
        let copy = self.copy_before(&generation);
        let find = || {
            let mut world = copy.ok()?.open(self.memory).ok()?;
            RepeatingCells::find(world.as_mut())
        };
        // one that was stopped is tried again after the next command
        let Ok(found) = self.run_interruptible("colouring", find) else {
            return;
        };
        self.periods.record(self.content, found, &generation);
        self.revision += 1;
    }

    /// How the cells repeat, where that is shown and known.
    pub(crate) fn valid_periods(&self) -> Option<&RepeatingCells> {
        let is_wanted = self.display.colouring.needs_periods();
        let found = self.periods.at(self.content, self.world.generation());
        found.filter(|_| is_wanted)
    }

    /// The periods that colours stand for.
    pub(crate) fn period_legend(&self) -> Vec<u64> {
        let is_by_period = self.display.colouring == CellColouring::Period;
        let found = self.valid_periods().filter(|_| is_by_period);
        found.map_or_else(Vec::new, |found| found.periods.clone())
    }

    /// What there is to say of the colouring.
    pub(crate) fn colouring_reply(&self) -> CommandReply {
        let needs_periods = self.display.colouring.needs_periods();
        if needs_periods && self.valid_periods().is_none() {
            return CommandReply::note(
                "these cells do not all come back to where they are, so they keep the colours of \
                 their states until they do",
            );
        }
        CommandReply::default()
    }
}
