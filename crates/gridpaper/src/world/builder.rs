//! Settings of a world, and what is made of them.

use super::{World, open_world};
use crate::{Error, Pattern};
use engine::{EngineChoice, Options};
use pattern::Cells;
use source::RuleFiles;
use std::borrow::Cow;
use std::ffi::OsStr;

/// Settings of a world that is not made yet: see [`World::builder`].
#[derive(Clone, Debug, Default)]
pub struct WorldBuilder {
    pattern: Option<Pattern>,
    rule: Option<String>,
    choice: EngineChoice,
    options: Options,
}

impl WorldBuilder {
    /// What the world begins with; without it, with nothing.
    ///
    /// ```
    /// use gridpaper::{Pattern, World};
    ///
    /// let block = Pattern::parse("2o$2o!")?;
    /// let world = World::builder().pattern(&block).build()?;
    /// assert_eq!(world.population(), 4_u32.into());
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn pattern(mut self, pattern: &Pattern) -> Self {
        self.pattern = Some(pattern.clone());
        self
    }

    /// The same, by what a person would type: see [`Pattern::open`].
    ///
    /// # Errors
    /// [`Error::Pattern`].
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let world = World::builder().pattern_text("2o$2o!")?.build()?;
    /// assert_eq!(world.population(), 4_u32.into());
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn pattern_text(self, text: impl AsRef<OsStr>) -> Result<Self, Error> {
        Ok(self.pattern(&Pattern::open(text)?))
    }

    /// A rule instead of the one that the pattern names: a notation, a name, or the path of a
    /// `.rule` or `.gridrule` file, with a topology after a colon.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let world = World::builder().rule("HighLife:T32,16").build()?;
    /// assert_eq!(world.rule().to_string(), "B36/S23:T32,16");
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn rule(mut self, text: impl Into<String>) -> Self {
        self.rule = Some(text.into());
        self
    }

    /// The engine, instead of the one that proves quickest.
    ///
    /// ```
    /// use gridpaper::{Engine, World};
    ///
    /// let world = World::builder().engine(Engine::Hashlife).build()?;
    /// assert_eq!(world.engine(), "hashlife");
    /// assert!(World::builder().engine(Engine::Torus).build().is_err(), "the plane is no torus");
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn engine(mut self, engine: EngineChoice) -> Self {
        self.choice = engine;
        self
    }

    /// How many threads it may use; one unless told otherwise.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let mut world = World::builder().pattern_text("acorn")?.threads(2).build()?;
    /// world.run(5206_u64)?;
    /// assert_eq!(world.population(), 633_u32.into()); // as with one thread
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.options.threads = threads;
        self
    }

    /// Bytes of memory that it may take; 4 GiB unless told otherwise.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let mut world = World::builder().pattern_text("glider")?.memory(64 << 20).build()?;
    /// world.run(1_000_000_u64)?;
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.options.memory = bytes;
        self
    }

    /// Makes the world.
    ///
    /// # Errors
    /// [`Error::Rule`] when the rule's text is none; [`Error::Unsupported`] when no engine takes
    /// it; [`Error::Pattern`] when a classroom map is larger than its board.
    ///
    /// ```
    /// use gridpaper::{Error, World};
    ///
    /// assert!(World::builder().rule("B3/S23").build().is_ok());
    /// let fault = World::builder().rule("B9/S23").build().unwrap_err();
    /// assert!(matches!(fault, Error::Rule(_)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn build(self) -> Result<World, Error> {
        let empty;
        let source = match &self.pattern {
            Some(pattern) => pattern.source(),
            None => {
                empty = Pattern::from_cells(Cells::default(), source::DEFAULT_RULE);
                empty.source()
            }
        };
        let files = RuleFiles::of(source);
        let rule = match &self.rule {
            Some(text) => files.for_typed().read(text, "rule")?,
            None => files.read(source.rule_text(), source.label())?,
        };
        let rule = source::default_board(rule);
        let mut pattern = Cow::Borrowed(&source.pattern);
        if source::is_of_classroom(&rule) {
            source::place_on_board(pattern.to_mut(), source.label(), &rule)?;
        }
        let opened = open_world(self.choice, &rule, &pattern, &self.options)?;
        Ok(World::of(opened, self.choice, self.options))
    }
}
