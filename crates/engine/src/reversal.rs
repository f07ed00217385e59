//! Running backwards, for reversible rules.
//!
//! Rules of blocks that only permute what a block holds are undone block by block (T. Toffoli and
//! N. Margolus, "Cellular Automata Machines", 1987).

use crate::world::forward_queries;
use crate::{
    AdvanceCallback, AdvanceInterruption, EngineChoice, OpenedWorld, Options, Snapshot,
    UnsupportedError, World, open,
};
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::{Cells, Pattern};
use rule::{Rule, Topology};
use thiserror::Error;

/// Why a world cannot run backwards.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BackwardError {
    /// The rule has no known inverse.
    #[error("{0} cannot be run backwards: no rule that undoes it is known")]
    Rule(Box<Rule>),
    /// The rule has an inverse on the unbounded plane, but not on this grid.
    #[error(
        "{0} cannot be run backwards on this grid: its edges cut blocks in two, and what \
         becomes of a part cannot be undone"
    )]
    Edges(Box<Rule>),
    /// As when running forwards.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedError),
}

/// Makes a world whose [`World::advance`] goes backwards in time: it plays the rule that
/// undoes `rule`, see [`Rule::inverse`], and counts its generations down. Its
/// [`World::rule`] is the one that is undone.
///
/// To turn round again, [`open`] a world of the same rule with the cells and the generation
/// that this one has come to.
///
/// ```
/// use engine::{EngineChoice, Options, World as _, open, open_backward};
/// let balls: rule::Rule = "BBM".parse()?;
/// let (pattern, _) = pattern::read(b"b2o$2bo!")?;
/// let mut back = open_backward(EngineChoice::Auto, &balls, &pattern, None, &Options::default())?.world;
/// back.advance(&9_u32.into(), &mut |_| true)?;
/// assert_eq!(*back.generation(), (-9).into());
/// let past = pattern::Pattern {
///     cells: back.cells(),
///     position: Some(grid::Point::new(0, 0)),
///     generation: back.generation().clone(),
///     ..pattern::Pattern::default()
/// };
/// let mut again = open(EngineChoice::Auto, &balls, &past, None, &Options::default())?.world;
/// again.advance(&9_u32.into(), &mut |_| true)?;
/// assert_eq!(again.cells(), pattern.cells);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no rule undoes it, or none on a world of this shape; else as [`open`].
pub fn open_backward(
    choice: EngineChoice,
    rule: &Rule,
    pattern: &Pattern,
    generations: Option<&BigUint>,
    options: &Options,
) -> Result<OpenedWorld, BackwardError> {
    let Some(inverse) = rule.inverse() else {
        let endless = rule.with_topology(Topology::Unbounded);
        return Err(if endless.inverse().is_some() {
            BackwardError::Edges(Box::new(rule.clone()))
        } else {
            BackwardError::Rule(Box::new(rule.clone()))
        });
    };
    let opened = open(choice, &inverse, pattern, generations, options)?;
    Ok(OpenedWorld {
        world: Box::new(BackwardWorld {
            generation: opened.world.generation().clone(),
            rule: rule.clone(),
            world: opened.world,
        }),
        engine_reason: opened.engine_reason,
    })
}

/// A world that steps the inverse of a rule.
///
/// The inner world's generation counts up while this one's counts down: an inverse depends on
/// the parity of the generation that it undoes, and both have the same.
struct BackwardWorld {
    world: Box<dyn World>,
    /// The rule that is undone.
    rule: Rule,
    generation: BigInt,
}

impl World for BackwardWorld {
    forward_queries!(world);

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn generation(&self) -> &BigInt {
        &self.generation
    }

    fn set_generation(&mut self, generation: BigInt) {
        self.world.set_generation(generation.clone());
        self.generation = generation;
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError> {
        self.world.set(p, state)
    }

    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError> {
        self.world.load(cells)
    }

    fn erase(&mut self, rect: Rect) {
        self.world.erase(rect);
    }

    fn keep_only(&mut self, rect: Rect) {
        self.world.keep_only(rect);
    }

    fn snapshot(&self) -> Snapshot {
        self.world
            .snapshot()
            .with_generation(self.generation.clone())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), UnsupportedError> {
        self.world.restore(snapshot)?;
        self.generation = snapshot.generation().clone();
        Ok(())
    }

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        let before = self.world.generation().clone();
        let outcome = self.world.advance(n, control);
        self.generation -= self.world.generation() - before;
        outcome
    }

    fn bytes(&self) -> u64 {
        self.world.bytes()
    }
}
