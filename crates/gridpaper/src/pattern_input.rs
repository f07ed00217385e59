use crate::Error;
use grid::{Point, Symmetry};
use num_bigint::BigUint;
use pattern::{Bounds, Cells, Format, Run};
use source::{PatternSourceError, Source};
use std::ffi::OsStr;

/// Cells, and what their file says of them: a rule, a name, comments.
///
/// ```
/// use gridpaper::{Format, Pattern};
///
/// let gun = Pattern::open("gosper-glider-gun")?;
/// assert_eq!(gun.rule_text(), "B3/S23");
/// assert_eq!(gun.population(), 36_u32.into());
/// let rle = String::from_utf8(gun.write(Format::Rle)?).unwrap();
/// assert!(rle.contains("x = 36, y = 9, rule = B3/S23"));
/// # Ok::<(), gridpaper::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    source: Source,
}

impl Pattern {
    /// What a person means by `text`: the path of a file, the name of a built-in pattern, an
    /// apgcode, or RLE text, in that order.
    ///
    /// # Errors
    /// [`Error::Pattern`] when it is none of these, or is broken.
    ///
    /// ```
    /// use gridpaper::Pattern;
    ///
    /// assert_eq!(Pattern::open("gosper-glider-gun")?.population(), 36_u32.into());
    /// assert_eq!(Pattern::open("xp2_7")?.population(), 3_u32.into()); // the blinker's apgcode
    /// assert!(Pattern::open("no-such-pattern").is_err());
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn open(text: impl AsRef<OsStr>) -> Result<Self, Error> {
        source::open(text.as_ref())
            .map(Self::from)
            .map_err(Error::from)
    }

    /// The text of a file in any format, an apgcode, or RLE with or without a header.
    ///
    /// # Errors
    /// [`Error::Pattern`] with the place of the first fault.
    ///
    /// ```
    /// use gridpaper::Pattern;
    ///
    /// let glider = Pattern::parse("#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n")?;
    /// assert_eq!(glider.cells(), &Pattern::parse("bo$2bo$3o!")?.cells().translated(-1, -1));
    /// let fault = Pattern::parse("x = 3, y = 1\nbo?!").unwrap_err();
    /// assert!(fault.to_string().ends_with("2:3: expected a cell, `$` or `!`, found `?`"));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, Error> {
        Source::typed(text).map(Self::from).map_err(Error::from)
    }

    /// A file's bytes, gzipped or not: the format is told from the content. Messages call it
    /// `label`.
    ///
    /// # Errors
    /// [`Error::Pattern`] with the place of the first fault.
    ///
    /// ```
    /// use gridpaper::Pattern;
    ///
    /// let file = b"!Name: Block\nOO\nOO\n"; // a plaintext file
    /// let block = Pattern::read(file, "block.cells")?;
    /// assert_eq!((block.title(), block.population()), ("Block", 4_u32.into()));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn read(bytes: &[u8], label: &str) -> Result<Self, Error> {
        Source::read(bytes, label)
            .map(Self::from)
            .map_err(Error::from)
    }

    /// Live cells and their rule.
    ///
    /// ```
    /// use gridpaper::{Cells, Pattern, Run};
    ///
    /// let blinker = Cells::from_runs(vec![Run { x: 0, y: 0, length: 3, state: 1 }]);
    /// assert_eq!(Pattern::from_cells(blinker, "B3/S23").population(), 3_u32.into());
    /// ```
    #[must_use]
    pub fn from_cells(cells: Cells, rule: &str) -> Self {
        let pattern = pattern::Pattern {
            cells,
            rule: Some(rule.into()),
            ..pattern::Pattern::default()
        };
        pattern.into()
    }

    /// The pattern as a file of this format.
    ///
    /// # Errors
    /// [`Error::Write`] when the format cannot hold it.
    ///
    /// ```
    /// use gridpaper::{Format, Pattern};
    ///
    /// let glider = Pattern::parse("bo$2bo$3o!")?;
    /// assert_eq!(glider.write(Format::Plaintext)?, b".O.\n..O\nOOO\n");
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn write(&self, format: Format) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        pattern::write(&self.source.pattern, format, &mut bytes)?;
        Ok(bytes)
    }

    /// The same pattern turned or mirrored about the cell (0, 0). Its cells are listed one by one:
    /// for patterns of some millions.
    ///
    /// ```
    /// use gridpaper::{Pattern, Symmetry};
    ///
    /// let row = Pattern::parse("3o!")?.transform(Symmetry::Rotate90);
    /// let bounds = row.bounds().unwrap();
    /// assert_eq!((bounds.width, bounds.height), (1_u32.into(), 3_u32.into()));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn transform(&self, symmetry: Symmetry) -> Self {
        let mut turned = self.clone();
        let pattern = &mut turned.source.pattern;
        let mut runs = Vec::new();
        pattern.cells.for_each_run(&mut |run| {
            for x in run.x..run.x + run.length as i64 {
                let Point { x, y } = symmetry.apply(Point::new(x, run.y));
                let state = run.state;
                runs.push(Run {
                    x,
                    y,
                    length: 1,
                    state,
                });
            }
        });
        pattern.cells = Cells::from_runs(runs);
        pattern.size = None;
        pattern.position = pattern.position.map(|_| {
            let rect = pattern.cells.bounds().as_ref().and_then(Bounds::to_rect);
            rect.map_or(Point::new(0, 0), |rect| Point::new(rect.x, rect.y))
        });
        turned
    }

    /// Other cells with what the file says of these: its rule, name and comments. They lie where
    /// their coordinates say.
    ///
    /// ```
    /// use gridpaper::{Pattern, Run, patterns::Cells};
    ///
    /// let glider = Pattern::parse("x = 3, y = 3, rule = B36/S23\nbo$2bo$3o!")?;
    /// let blinker = Cells::from_runs(vec![Run { x: 0, y: 0, length: 3, state: 1 }]);
    /// let blinker = glider.with_cells(blinker);
    /// assert_eq!((blinker.population(), blinker.rule_text()), (3_u32.into(), "B36/S23"));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn with_cells(&self, cells: Cells) -> Self {
        let mut other = self.clone();
        let rect = cells.bounds().as_ref().and_then(Bounds::to_rect);
        let pattern = &mut other.source.pattern;
        pattern.position = rect.map(|rect| Point::new(rect.x, rect.y));
        pattern.size = None;
        pattern.cells = cells;
        other
    }

    /// The same cells by another rule, given as text.
    ///
    /// ```
    /// use gridpaper::Pattern;
    ///
    /// let glider = Pattern::open("glider")?.with_rule("B36/S23");
    /// assert_eq!(glider.rule()?.to_string(), "B36/S23");
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn with_rule(&self, rule: &str) -> Self {
        let mut other = self.clone();
        other.source.pattern.rule = Some(rule.into());
        other
    }

    /// The rule that its file names, from the file itself, its folder or the notations.
    ///
    /// # Errors
    /// [`Error::Rule`] where the text is no rule.
    ///
    /// ```
    /// use gridpaper::Pattern;
    ///
    /// assert_eq!(Pattern::open("glider")?.rule()?.states(), 2);
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn rule(&self) -> Result<rule::Rule, Error> {
        let files = source::RuleFiles::of(&self.source);
        let rule = files.read(self.source.rule_text(), self.source.label())?;
        Ok(source::default_board(rule))
    }

    /// The live cells.
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.source.pattern.cells
    }

    /// The smallest box around the live cells; none where nothing lives.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        self.cells().bounds()
    }

    /// How many cells are not in state 0.
    #[must_use]
    pub fn population(&self) -> BigUint {
        self.cells().population()
    }

    /// The rule as the file writes it; `B3/S23` where it names none.
    #[must_use]
    pub fn rule_text(&self) -> &str {
        self.source.rule_text()
    }

    /// Its name, or where it comes from.
    #[must_use]
    pub fn title(&self) -> &str {
        self.source.title()
    }

    /// The comments of its file, a line each, without their marks.
    #[must_use]
    pub fn comments(&self) -> &[String] {
        &self.source.pattern.comments
    }

    /// All that its file says: rule, name, author, position, generation, comments.
    ///
    /// ```
    /// use gridpaper::Pattern;
    ///
    /// let gun = Pattern::open("gosper-glider-gun")?;
    /// assert_eq!(gun.contents().author.as_deref(), Some("Bill Gosper, 1970"));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn contents(&self) -> &pattern::Pattern {
        &self.source.pattern
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }
}

impl From<pattern::Pattern> for Pattern {
    fn from(pattern: pattern::Pattern) -> Self {
        Source::of(pattern, Format::Rle, "pattern").into()
    }
}

impl From<Source> for Pattern {
    fn from(source: Source) -> Self {
        Self { source }
    }
}

impl std::str::FromStr for Pattern {
    type Err = PatternSourceError;

    fn from_str(text: &str) -> Result<Self, PatternSourceError> {
        Source::typed(text).map(Self::from)
    }
}
