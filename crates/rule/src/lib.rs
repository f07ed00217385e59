//! Parses the text of a rule into a [`Rule`]: what a cellular automaton *means*, apart from how
//! it is simulated.
//!
//! The decision that shapes this crate: the file of each family compiles its notation to a few
//! plain [`Transition`] tables, one for each combination of cell phase and time phase, and all
//! other code reads only the tables. No engine knows a family by name. The rejected alternative
//! was a trait object per family, called for each cell: an engine could not see inside it to
//! compile something faster.
//!
//! [`Rule::next`] evaluates the tables in the slowest, most obvious way. It is the oracle
//! against which all engines are tested.
//!
//! Main types: [`Rule`], which is parsed from text and printed in one canonical form, and its
//! [`Topology`], the shape of the world. [`families`] lists the notations, [`named_rules`] the
//! rules that have a name; [`RuleError`] says what was wrong with a text, where, and perhaps
//! what was meant.
//!
//! All states are *shown* states. A two-state rule with B0 turns the empty plane alive; its
//! tables hold cells relative to that background, so that 0 always means "equal to the
//! background" and an empty plane is always 0 (see [`Rule::background`]).
//!
//! ```
//! use rule::{Rule, Site};
//! let life: Rule = "b3s23".parse()?;
//! assert_eq!(life.to_string(), "B3/S23");
//! let three_around = |dx: i32, dy: i32| u8::from(dy == -1 && dx.abs() <= 1);
//! assert_eq!(life.next(Site::default(), three_around), 1);
//! # Ok::<(), rule::RuleError>(())
//! ```
#![forbid(unsafe_code)]

mod background;
mod cursor;
mod custom_rule;
mod description;
mod error;
mod family;
mod file;
mod lattice;
mod neighbourhood;
mod topology;
mod transition;

pub use custom_rule::{
    Automaton, AutomatonError, CustomRule, CustomRuleError, CustomRuleProblem, CustomState,
};
pub use error::{RuleError, RuleProblem};
pub use family::{Family, NamedRule, families, named_rules};
pub use file::{
    ColourEntry, LookupTable, LookupTree, RuleAppearance, RuleColour, RuleFileError,
    RuleFileProblem, rule_name,
};
pub use lattice::Lattice;
pub use neighbourhood::{Neighbourhood, Shape, Weight};
pub use topology::{Axis, Topology};
pub use transition::{ConfigurationTable, CountTable, Transition, TransitionRow};

use grid::{State, Symmetry};
use std::{fmt, str::FromStr, sync::Arc};

/// The position and generation of a cell, which select the table of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The generation before the step. Rules depend at most on its remainder modulo 4, most of
    /// them on its parity or not at all.
    pub generation: u64,
    /// Column, in world coordinates.
    pub x: i64,
    /// Row, in world coordinates.
    pub y: i64,
}

/// What a cellular automaton means: its states, its tables, its topology.
///
/// Cheap to clone: the tables are shared.
///
/// ```
/// use rule::Rule;
///
/// let rule: Rule = "Star Wars:T64,64".parse()?;
/// assert_eq!(rule.to_string(), "345/2/4:T64,64");
/// assert_eq!((rule.family(), rule.states()), ("Generations", 4));
/// # Ok::<(), rule::RuleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rule {
    definition: Arc<RuleDefinition>,
    topology: Topology,
    /// What a `.rule` file says of its states.
    appearance: Option<Arc<RuleAppearance>>,
}

/// The parsed form of a rule, as the module of its family builds it.
#[derive(Debug)]
pub(crate) struct RuleDefinition {
    /// The canonical text, without the topology.
    pub(crate) text: String,
    /// The family's name, as `gridpaper info` prints it.
    pub(crate) family: &'static str,
    /// How many states, 2 to 256.
    pub(crate) states: u16,
    /// `tables[generation modulo their number][place]`: one, two or four times; one place,
    /// two by the parity of x + y, or four by the parity of x + 2 * that of y.
    pub(crate) tables: Vec<Vec<Transition>>,
    /// How the cells tile the plane.
    pub(crate) lattice: Lattice,
    /// The plane's own state, by generation parity; 1 or 2 long. See [`Rule::background`].
    pub(crate) background: Vec<State>,
}

impl Rule {
    pub(crate) fn new(definition: RuleDefinition, topology: Topology) -> Self {
        Self {
            definition: Arc::new(definition),
            topology,
            appearance: None,
        }
    }

    /// The family's name: `Life-like`, `Generations`, `Larger than Life`, …
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.definition.family
    }

    /// How the cells tile the plane: what a picture of them looks like.
    ///
    /// ```
    /// let hexagons: rule::Rule = "B2/S34H".parse()?;
    /// assert_eq!(hexagons.lattice(), rule::Lattice::Hexagonal);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn lattice(&self) -> Lattice {
        self.definition.lattice
    }

    /// How many states a cell can have, 2 to 256.
    #[must_use]
    pub fn states(&self) -> u16 {
        self.definition.states
    }

    /// How far a cell can see: the largest |dx| or |dy| that matters.
    ///
    /// ```
    /// let majority: rule::Rule = "R4,C2,S41-81,B41-81,NM".parse()?;
    /// assert_eq!(majority.radius(), 4);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn radius(&self) -> u32 {
        let tables = self.definition.tables.iter().flatten();
        tables.map(Transition::radius).max().unwrap_or(0)
    }

    /// The period of the tables in generations: 1 or 2, or 4 where the blocks of a partition go
    /// through four positions.
    ///
    /// ```
    /// let rule = |text: &str| text.parse::<rule::Rule>();
    /// assert_eq!(rule("Life")?.time_period(), 1);
    /// assert_eq!(rule("Life|HighLife")?.time_period(), 2);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn time_period(&self) -> usize {
        self.definition.tables.len()
    }

    /// Whether a world that is turned or mirrored, or has parts that are, still follows the rule.
    /// `false` for rules that tell places apart, and where it is not known.
    ///
    /// ```
    /// use grid::Symmetry;
    ///
    /// let life: rule::Rule = "B3/S23".parse()?;
    /// assert!(Symmetry::ALL.into_iter().all(|symmetry| life.is_symmetric(symmetry)));
    /// let wolfram: rule::Rule = "W110".parse()?; // its time goes down the page
    /// assert!(!wolfram.is_symmetric(Symmetry::MirrorY));
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn is_symmetric(&self, symmetry: Symmetry) -> bool {
        let mut tables = self.definition.tables.iter().flatten();
        self.phases() == 1 && tables.all(|table| table.is_symmetric(symmetry))
    }

    /// Whether cells in different phases of the lattice follow different tables.
    ///
    /// ```
    /// assert!("B456/S34L".parse::<rule::Rule>()?.is_checkered()); // triangles point up and down
    /// assert!(!"Life".parse::<rule::Rule>()?.is_checkered());
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn is_checkered(&self) -> bool {
        self.phases() > 1
    }

    /// The number of cell phases: 1, 2 (parity of x + y) or 4 (parities of x and of y).
    ///
    /// ```
    /// let phases = |text: &str| text.parse::<rule::Rule>().map(|rule| rule.phases());
    /// assert_eq!(phases("Life"), Ok(1));
    /// assert_eq!(phases("B456/S34L"), Ok(2));
    /// assert_eq!(phases("BBM"), Ok(4)); // blocks of 2 x 2 cells
    /// ```
    #[must_use]
    pub fn phases(&self) -> usize {
        let by_time = self.definition.tables.iter();
        by_time.map(Vec::len).max().unwrap_or(1)
    }

    /// The table that decides the cell at `site`.
    ///
    /// ```
    /// use rule::{Rule, Site};
    ///
    /// let both: Rule = "Life|Seeds".parse()?;
    /// let later = Site { generation: 1, ..Site::default() };
    /// assert_eq!(both.transition(later), "Seeds".parse::<Rule>()?.transition(Site::default()));
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn transition(&self, site: Site) -> &Transition {
        let by_time = &self.definition.tables;
        let depends_on_parity = &by_time[(site.generation % by_time.len() as u64) as usize];
        let (x, y) = ((site.x & 1) as usize, (site.y & 1) as usize);
        match depends_on_parity.len() {
            1 => &depends_on_parity[0],
            2 => &depends_on_parity[x ^ y],
            _ => &depends_on_parity[x + 2 * y],
        }
    }

    /// The actual state of the empty plane at a generation, for rules with B0.
    ///
    /// Cells are shown relative to it: a shown 0 stands for this state, and for a
    /// two-state rule a shown 1 for the other one. Partitioned rules show each of a cell's
    /// four parts so.
    ///
    /// ```
    /// let blinking: rule::Rule = "B0123478/S01234678".parse()?; // AntiLife: a full plane stays full
    /// assert_eq!(blinking.background(0), 1);
    /// let life: rule::Rule = "Life".parse()?;
    /// assert_eq!(life.background(0), 0);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn background(&self, generation: u64) -> State {
        let cycle = &self.definition.background;
        cycle[(generation % cycle.len() as u64) as usize]
    }

    /// The world's shape.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The same rule on a world of another shape.
    ///
    /// ```
    /// use rule::{Rule, Topology};
    ///
    /// let torus = Topology::Torus { width: 20, height: 10, shift: None };
    /// let life = "Life".parse::<Rule>()?.with_topology(torus);
    /// assert_eq!(life.to_string(), "B3/S23:T20,10");
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn with_topology(&self, topology: Topology) -> Self {
        Self {
            definition: Arc::clone(&self.definition),
            topology,
            appearance: self.appearance.clone(),
        }
    }

    /// Whether an empty world comes alive by itself, as shown: with B0 where there are more
    /// than two states. Such a rule has a meaning on bounded grids alone, where the cells
    /// outside count as empty and stay so.
    ///
    /// ```
    /// let rule: rule::Rule = "23/03/4".parse()?;
    /// assert!(rule.fills_plane());
    /// // with two states, cells are shown relative to the plane
    /// let rule: rule::Rule = "B03/S23".parse()?;
    /// assert!(!rule.fills_plane());
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn fills_plane(&self) -> bool {
        let mut tables = self.definition.tables.iter().flatten();
        tables.any(|table| table.next(|_, _| 0) != 0)
    }

    /// The inverse rule on the same world, or `None` where no inverse is known. A Margolus rule
    /// has one if its block table is a permutation and the edges of the world cut no block: on
    /// the plane, and on a torus with even sides and an even shift. A partitioned rule has one,
    /// on the plane and on any torus, if its table is a permutation.
    ///
    /// It maps generation g to generation g - 1. Like all rules it may depend on the parity of
    /// the generation: start its counter at g and let it count upwards.
    ///
    /// ```
    /// let balls: rule::Rule = "BBM:T20,20".parse()?;
    /// let back = balls.inverse().ok_or("not reversible")?;
    /// assert_eq!(back.inverse(), Some(balls));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let whole = match self.topology {
            Topology::Unbounded => true,
            Topology::Torus {
                width,
                height,
                shift,
            } => (width | height) & 1 == 0 && shift.is_none_or(|(_, by)| by & 1 == 0),
            _ => false,
        };
        let torus = matches!(self.topology, Topology::Torus { .. });
        let text = match self.definition.family {
            "Margolus" if whole => family::margolus::inverse_text(&self.definition.text)?,
            "Partitioned" if whole || torus => {
                family::partitions::inverse_text(&self.definition.text)?
            }
            _ => return None,
        };
        let definition = family::read(&text).ok()?;
        Some(Self::new(definition, self.topology))
    }

    /// The next state of the cell at `site`, evaluated cell by cell: the oracle.
    ///
    /// `state_at(dx, dy)` gives the state of the cell `dx` to the right and `dy` below;
    /// `state_at(0, 0)` is the cell itself.
    ///
    /// ```
    /// use rule::{Rule, Site};
    ///
    /// let life: Rule = "Life".parse()?;
    /// let block = |dx: i32, dy: i32| u8::from((0..2).contains(&dx) && (0..2).contains(&dy));
    /// assert_eq!(life.next(Site::default(), block), 1); // three neighbours: it survives
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn next(&self, site: Site, state_at: impl FnMut(i32, i32) -> State) -> State {
        self.transition(site).next(state_at)
    }
}

impl PartialEq for Rule {
    /// Equal text and equal tables: two rule files may use one name for different rules.
    fn eq(&self, other: &Self) -> bool {
        let (mine, theirs) = (&self.definition, &other.definition);
        let same = || mine.text == theirs.text && mine.tables == theirs.tables;
        self.topology == other.topology && (Arc::ptr_eq(mine, theirs) || same())
    }
}

impl Eq for Rule {}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.definition.text, self.topology)
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    /// Reads a rule in any notation or by its name, and the shape of its world after a
    /// colon: `B3/S23`, `345/2/4`, `Life`, `B3/S23:T100,50`.
    fn from_str(text: &str) -> Result<Self, RuleError> {
        let trimmed = text.trim();
        let start = text.len() - text.trim_start().len();
        let (rule, shape) = match trimmed.split_once(':') {
            Some((rule, shape)) => (rule, Some(shape)),
            None => (trimmed, None),
        };
        let definition = family::read(rule).map_err(|fault| fault.within(text, start))?;
        let topology = match shape {
            Some(shape) => {
                Topology::read(shape).map_err(|fault| fault.within(text, start + rule.len() + 1))?
            }
            None => Topology::Unbounded,
        };
        Ok(Self::new(definition, topology))
    }
}
