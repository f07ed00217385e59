//! A copy of the world at some generation, which goes on apart from the session.

use crate::refusal::CommandRefusal;
use crate::session::Session;
use engine::{EngineChoice, Options, Snapshot, UnsupportedError, World};
use num_bigint::BigInt;
use pattern::{Cells, Pattern};
use rule::Rule;

/// The cells of a generation, its rule and the engine, to open a world with. The cells are shared
/// with the session as far as a checkpoint shares them.
#[derive(Clone, Debug)]
pub struct WorldCopy {
    rule: Rule,
    cells: Snapshot,
    choice: EngineChoice,
    first: Option<EngineChoice>,
}

impl WorldCopy {
    /// Approximate bytes of the cells.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.cells.bytes()
    }

    /// Opens the world with a memory limit in bytes.
    ///
    /// # Errors
    /// When the engine does not take the cells, such as when they need more memory.
    ///
    /// ```
    /// use session::{Session, file_access::FileAccess};
    ///
    /// let session = Session::new(FileAccess::default(), 0);
    /// let world = session.copy_before(&0.into())?.open(1 << 24)?;
    /// assert_eq!(world.population(), 0_u8.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(&self, memory: u64) -> Result<Box<dyn World>, UnsupportedError> {
        let options = Options {
            memory,
            ..Options::default()
        };
        let nothing = Pattern::default();
        let opened = engine::open_endless(self.choice, self.first, &self.rule, &nothing, &options)?;
        let mut world = opened.world;
        world.restore(&self.cells)?;
        Ok(world)
    }
}

impl Session {
    /// The rule, and the cells of the selection; all cells where nothing is selected.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"open glider".parse()?)?;
    /// assert_eq!(session.selected_cells().1.population(), 5_u8.into());
    /// session.apply(&mut viewer, &"select 0,0 3x1".parse()?)?;
    /// assert_eq!(session.selected_cells().1.population(), 1_u8.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn selected_cells(&self) -> (Rule, Cells) {
        let cells = match self.selection {
            Some(rect) => {
                let mut runs = Vec::new();
                self.world.runs_in(rect, &mut |run| runs.push(run));
                Cells::from_runs(runs)
            }
            None => self.world.cells(),
        };
        (self.world.rule().clone(), cells)
    }

    /// A copy of the world as it is, or for an earlier generation the last checkpoint at or before
    /// it.
    ///
    /// # Errors
    /// When the generation lies before the start.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"open glider".parse()?)?;
    /// let copy = session.copy_before(&3.into())?;
    /// let mut world = copy.open(1 << 24)?;
    /// world.advance(&3_u8.into(), &mut |_| true)?;
    /// assert_eq!(session.world().generation(), &0.into(), "the session's own stays");
    /// assert!(session.copy_before(&(-1).into()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn copy_before(&self, generation: &BigInt) -> Result<WorldCopy, CommandRefusal> {
        let (rule, cells) = if generation >= self.world.generation() {
            (self.world.rule().clone(), self.world.snapshot())
        } else {
            let checkpoint = self.timeline.before(generation);
            let before_start = || CommandRefusal::BeforeStart(generation.clone());
            let checkpoint = checkpoint.ok_or_else(before_start)?;
            (checkpoint.rule.clone(), checkpoint.cells.clone())
        };
        Ok(WorldCopy {
            rule,
            cells,
            choice: self.engine_choice,
            first: self.world.engine().parse().ok(),
        })
    }

    /// A copy of a checkpoint of the timeline by its number; nothing where it is not kept any
    /// more.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// for text in ["open blinker", "step 7"] {
    ///     session.apply(&mut viewer, &text.parse()?)?;
    ///     session.finish_going();
    /// }
    /// let marks = session.status(&viewer).timeline;
    /// assert_eq!(marks[0].generation, "0");
    /// let world = session.checkpoint_copy(marks[0].id).expect("it is kept").open(1 << 24)?;
    /// assert_eq!(world.population(), 3_u8.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn checkpoint_copy(&self, id: u64) -> Option<WorldCopy> {
        let checkpoint = self.timeline.numbered(id)?;
        Some(WorldCopy {
            rule: checkpoint.rule.clone(),
            cells: checkpoint.cells.clone(),
            choice: EngineChoice::Auto,
            first: self.world.engine().parse().ok(),
        })
    }
}
