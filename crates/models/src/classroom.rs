//! The classroom: the five rules of a course's homework side by side on one map, stepped
//! together, with an explanation of why each cell lives, dies or is born.
//!
//! [`ClassroomBoards`] holds the state for every user interface. Each rule has its own world, run
//! by the usual engines. Explanations ([`CellExplanation`]) follow the wording of the homework
//! and count neighbours themselves; tests compare both for every cell. (Explanations derived from
//! the rule's transition tables were rejected: a table knows sums and results, but not what they
//! mean.)
//!
//! ```
//! use models::classroom::{ClassroomRule, CellOutcome, ClassroomBoards};
//! let mut boards = ClassroomBoards::new(5, 5)?;
//! boards.read(b".....\n..O..\n..O..\n..O..\n", &Default::default())?;
//! let explanation = boards.explain(ClassroomRule::Base, 1, 2);
//! assert_eq!((explanation.count, explanation.outcome), (3, CellOutcome::Born));
//! boards.step(1);
//! assert_eq!(boards.state(ClassroomRule::Base, 1, 2), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod explanation;

pub use explanation::{CellExplanation, CellOutcome, WeightedNeighbour};

use engine::{EngineChoice, Options, World};
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::classroom::{self, Alphabet, MapWarning};
use pattern::library::{self, LibraryPattern};
use pattern::{Bounds, Cells, Pattern, ReadError, Run, TextPosition};
use rule::{Rule, Topology};
use std::fmt;
use thiserror::Error;

/// One of the five classroom rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClassroomRule {
    /// Survival with 2 or 3 of 8, birth with 3.
    Base,
    /// As `Base`, with red and blue cells.
    Colorised,
    /// As `Base`, counted among 24 cells.
    Extended,
    /// 24 cells, the nearer ones counted twice.
    Weighted,
    /// As `Base`, with ageing cells.
    Generations,
}

impl ClassroomRule {
    /// All five rules, in the order of the homework.
    pub const ALL: [Self; 5] = [
        Self::Base,
        Self::Colorised,
        Self::Extended,
        Self::Weighted,
        Self::Generations,
    ];

    /// The rule's name.
    ///
    /// ```
    /// use models::classroom::ClassroomRule;
    ///
    /// assert!(ClassroomRule::ALL.iter().all(|rule| ClassroomRule::find(rule.name()) == Some(*rule)));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Colorised => "colorised",
            Self::Extended => "extended",
            Self::Weighted => "weighted",
            Self::Generations => "generations",
        }
    }

    /// The conditions for survival and birth, in one line.
    ///
    /// ```
    /// use models::classroom::ClassroomRule;
    ///
    /// assert_eq!(ClassroomRule::Base.about(), "8 around: survival with 2 or 3, birth with 3");
    /// ```
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Base => "8 around: survival with 2 or 3, birth with 3",
            Self::Colorised => "as base; colours are kept, birth in the majority's",
            Self::Extended => "24 around: survival with 2 or 3, birth with 3",
            Self::Weighted => "24 by weight: survival with 4 to 6, birth with 5 or 6",
            Self::Generations => "as base; what does not survive ages from 2 to 7",
        }
    }

    /// The states that are alive, in order.
    ///
    /// ```
    /// use models::classroom::ClassroomRule;
    ///
    /// assert_eq!(ClassroomRule::Colorised.live_states(), [2, 3], "red and blue");
    /// ```
    #[must_use]
    pub const fn live_states(self) -> &'static [State] {
        match self {
            Self::Base | Self::Extended | Self::Weighted => &[1],
            Self::Colorised => &[2, 3],
            Self::Generations => &[1, 2, 3, 4, 5, 6, 7],
        }
    }

    /// The characters of the rule's maps.
    #[must_use]
    pub(crate) const fn alphabet(self) -> Alphabet {
        match self {
            Self::Base | Self::Extended | Self::Weighted => Alphabet::Plain,
            Self::Colorised => Alphabet::Colours,
            Self::Generations => Alphabet::Digits,
        }
    }

    /// The rule of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// The character of a state in the rule's maps, as [`classroom::write_map`] writes it.
    ///
    /// ```
    /// use models::classroom::ClassroomRule;
    ///
    /// let signs = [0, 2, 3].map(|state| ClassroomRule::Colorised.sign(state));
    /// assert_eq!(signs, ['.', 'R', 'B']);
    /// ```
    #[must_use]
    pub fn sign(self, state: State) -> char {
        match (self, state) {
            (Self::Generations, state) => char::from(b'0' + state.min(7)),
            (_, 0) => '.',
            (Self::Colorised, 3) => 'B',
            (Self::Colorised, _) => 'R',
            _ => 'O',
        }
    }

    /// The state that a map's cell gets under this rule: the same state where the rule has it,
    /// else the rule's first live one.
    fn convert_state(self, of: Alphabet, state: State) -> State {
        match state {
            0 => 0,
            state if self.alphabet() == of => state,
            _ => self.live_states()[0],
        }
    }

    const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for ClassroomRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Options for reading a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapReadOptions {
    /// Centre the map instead of placing it at the top left.
    pub centre: bool,
    /// As the course's own loader: every line takes up a row, comments too.
    pub cs100: bool,
    /// Replace a state that the map's rule does not have by its first live one.
    pub lenient: bool,
}

/// Why an operation on the boards failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClassroomBoardError {
    /// Too small or too large.
    #[error(
        "a board here has 1 to {most} columns and rows, and not {0} x {1}",
        most = ClassroomBoards::LARGEST
    )]
    Size(u32, u32),
    /// The text is not a valid map for this board.
    #[error(transparent)]
    Map(#[from] ReadError),
    /// No built-in map has this name.
    #[error("there is no classroom map called `{0}`")]
    NoMap(String),
    /// The map does not fit on the board.
    #[error("{name} has {width} x {height} cells, and the board {columns} x {rows}")]
    TooLarge {
        /// The map.
        name: &'static str,
        /// Its columns.
        width: u64,
        /// Its rows.
        height: u64,
        /// The board's columns.
        columns: u32,
        /// The board's rows.
        rows: u32,
    },
    /// A cell off the board.
    #[error("{0},{1} is off the board of {2} x {3}")]
    Outside(u32, u32, u32, u32),
    /// A state that the rule does not have.
    #[error("{0} has no state {1}")]
    NoState(ClassroomRule, State),
}

impl ClassroomBoardError {
    /// Where in the text, line and column from 1.
    ///
    /// ```
    /// use models::classroom::ClassroomBoards;
    ///
    /// let mut boards = ClassroomBoards::new(3, 3)?;
    /// let error = boards.read(b"...\n.?.\n", &Default::default()).unwrap_err();
    /// assert_eq!(error.place().map(|place| place.line), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn place(&self) -> Option<TextPosition> {
        match self {
            Self::Map(error) => error.place,
            _ => None,
        }
    }

    /// The message, without the place.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoardError, ClassroomRule};
    ///
    /// let error = ClassroomBoardError::NoState(ClassroomRule::Base, 4);
    /// assert_eq!(error.problem(), "base has no state 4");
    /// ```
    #[must_use]
    pub fn problem(&self) -> String {
        match self {
            Self::Map(error) => error.problem.to_string(),
            other => other.to_string(),
        }
    }
}

/// Five boards that started from one map.
pub struct ClassroomBoards {
    width: u32,
    height: u32,
    worlds: [Box<dyn World>; 5],
    /// All boards at round 0, row by row.
    start: [Vec<State>; 5],
    round: u64,
}

impl fmt::Debug for ClassroomBoards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClassroomBoards")
            .field("width", &self.width)
            .field("height", &self.height)
            .field("round", &self.round)
            .finish_non_exhaustive()
    }
}

impl ClassroomBoards {
    /// The largest number of columns and of rows.
    pub const LARGEST: u32 = 64;

    /// The columns and rows of the homework's board.
    pub const USUAL: u32 = 25;

    /// Creates an empty board for each rule.
    ///
    /// # Errors
    /// When a side is 0 or above [`ClassroomBoards::LARGEST`].
    ///
    /// ```
    /// use models::classroom::ClassroomBoards;
    ///
    /// assert_eq!(ClassroomBoards::new(4, 3)?.width(), 4);
    /// assert!(ClassroomBoards::new(0, 3).is_err() && ClassroomBoards::new(65, 3).is_err());
    /// # Ok::<(), models::classroom::ClassroomBoardError>(())
    /// ```
    pub fn new(width: u32, height: u32) -> Result<Self, ClassroomBoardError> {
        let sides = 1..=Self::LARGEST;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(ClassroomBoardError::Size(width, height));
        }
        let cells = width as usize * height as usize;
        Ok(Self {
            width,
            height,
            worlds: ClassroomRule::ALL.map(|rule| empty(rule, width, height)),
            start: ClassroomRule::ALL.map(|_| vec![0; cells]),
            round: 0,
        })
    }

    /// Empty boards of the homework's size.
    #[must_use]
    pub fn of_usual_size() -> Self {
        Self::new(Self::USUAL, Self::USUAL).expect("the homework's own size is a size")
    }

    /// The built-in maps: the library's patterns for one of the five rules.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let maps = ClassroomBoards::maps();
    /// assert!(ClassroomRule::ALL.iter().all(|rule| maps.iter().any(|(of, _)| of == rule)));
    /// ```
    #[must_use]
    pub fn maps() -> Vec<(ClassroomRule, &'static LibraryPattern)> {
        let of = |entry: &'static LibraryPattern| {
            let rule = ClassroomRule::ALL.into_iter();
            let mut rule = rule.filter(|rule| entry.rule() == Some(rule.name()));
            Some((rule.next()?, entry))
        };
        let mut maps: Vec<_> = library::all().iter().filter_map(of).collect();
        maps.sort_by_key(|(rule, entry)| (*rule, entry.name));
        maps
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Rounds since the start.
    #[must_use]
    pub fn round(&self) -> u64 {
        self.round
    }

    /// The state of a cell under a rule; 0 off the board.
    #[must_use]
    pub fn state(&self, rule: ClassroomRule, x: u32, y: u32) -> State {
        self.at(rule, x.into(), y.into())
    }

    /// All cells under a rule, row by row.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::new(3, 1)?;
    /// boards.draw(ClassroomRule::Generations, 1, 0, 5)?;
    /// assert_eq!(boards.states(ClassroomRule::Generations), [0, 5, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn states(&self, rule: ClassroomRule) -> Vec<State> {
        let world = &self.worlds[rule.index()];
        let mut states = Vec::new();
        world.states_in(board_of(world.as_ref()), &mut states);
        states
    }

    /// A rule's board as the text of a `.cells` file.
    #[must_use]
    pub fn text(&self, rule: ClassroomRule) -> String {
        written(rule, self.width, self.height, &self.states(rule))
    }

    /// A rule's board at round 0 as the text of a `.cells` file.
    #[must_use]
    pub fn start_text(&self, rule: ClassroomRule) -> String {
        written(rule, self.width, self.height, &self.start[rule.index()])
    }

    /// Steps all boards by a number of rounds.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::of_usual_size();
    /// boards.read(b".O.\n.O.\n.O.\n", &Default::default())?;
    /// boards.step(2);
    /// assert_eq!(boards.round(), 2);
    /// assert_eq!(boards.text(ClassroomRule::Base), boards.start_text(ClassroomRule::Base));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self, rounds: u32) {
        for world in &mut self.worlds {
            let stepped = world.advance(&BigUint::from(rounds), &mut |_| true);
            stepped.expect("nobody said stop, and a board of this size needs no memory");
        }
        // A client may restore boards at any round.
        self.round = self.round.saturating_add(u64::from(rounds));
    }

    /// Returns all boards to round 0.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::new(3, 3)?;
    /// boards.draw(ClassroomRule::Base, 1, 1, 1)?;
    /// boards.step(1);
    /// assert_eq!(boards.state(ClassroomRule::Base, 1, 1), 0, "it was alone");
    /// boards.restart();
    /// assert_eq!(boards.state(ClassroomRule::Base, 1, 1), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restart(&mut self) {
        self.round = 0;
        for rule in ClassroomRule::ALL {
            let states = self.start[rule.index()].clone();
            self.fill(rule, &states);
        }
    }

    /// Kills all cells; the empty boards become the start.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::new(3, 3)?;
    /// boards.draw(ClassroomRule::Base, 1, 1, 1)?;
    /// boards.clear();
    /// assert_eq!(boards.start_text(ClassroomRule::Base), "...\n...\n...\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self) {
        let cells = self.width as usize * self.height as usize;
        for rule in ClassroomRule::ALL {
            self.fill(rule, &vec![0; cells]);
        }
        self.set_start();
    }

    /// Draws a cell in a state of one rule. The other rules get a state of their own for it; a
    /// cell that is alive there already keeps its state.
    ///
    /// # Errors
    /// When the cell is off the board, or the rule has no such state.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::new(3, 3)?;
    /// boards.draw(ClassroomRule::Colorised, 0, 0, 3)?;
    /// assert_eq!(boards.state(ClassroomRule::Colorised, 0, 0), 3);
    /// assert_eq!(boards.state(ClassroomRule::Base, 0, 0), 1, "its own live state");
    /// assert!(boards.draw(ClassroomRule::Base, 0, 0, 3).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw(
        &mut self,
        rule: ClassroomRule,
        x: u32,
        y: u32,
        state: State,
    ) -> Result<(), ClassroomBoardError> {
        if x >= self.width || y >= self.height {
            return Err(ClassroomBoardError::Outside(x, y, self.width, self.height));
        }
        if state != 0 && !rule.live_states().contains(&state) {
            return Err(ClassroomBoardError::NoState(rule, state));
        }
        for other in ClassroomRule::ALL {
            let before = self.state(other, x, y);
            let after = match state {
                _ if other == rule => state,
                0 => 0,
                _ if before != 0 => before,
                _ => other.live_states()[0],
            };
            self.set(other, x, y, after);
        }
        if self.round == 0 {
            self.set_start();
        }
        Ok(())
    }

    /// Draws a cell in the state after its own, cyclically: what a click does.
    ///
    /// # Errors
    /// When the cell is off the board.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::new(3, 3)?;
    /// for expected in [2, 3, 0] {
    ///     boards.draw_next(ClassroomRule::Colorised, 0, 0)?;
    ///     assert_eq!(boards.state(ClassroomRule::Colorised, 0, 0), expected);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw_next(
        &mut self,
        rule: ClassroomRule,
        x: u32,
        y: u32,
    ) -> Result<(), ClassroomBoardError> {
        self.draw(rule, x, y, self.next_state(rule, x, y))
    }

    fn next_state(&self, rule: ClassroomRule, x: u32, y: u32) -> State {
        let states = rule.live_states();
        let now = self.state(rule, x, y);
        let place = states.iter().position(|&state| state == now);
        let next = place.map_or(0, |place| place + 1);
        states.get(next).copied().unwrap_or(0)
    }

    /// Reads a map from the text of a `.cells` file; it becomes the start. A map with colours is
    /// one of `colorised`, any other one of `generations`, whose characters include those of the
    /// other rules. Rules that lack a state use one of their own.
    ///
    /// # Errors
    /// As [`classroom::read`]; nothing has changed in that case.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::new(2, 2)?;
    /// boards.read(b"RB\n..\n", &Default::default())?;
    /// assert_eq!(boards.start_text(ClassroomRule::Colorised), "RB\n..\n");
    /// assert_eq!(boards.start_text(ClassroomRule::Base), "OO\n..\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(
        &mut self,
        bytes: &[u8],
        how: &MapReadOptions,
    ) -> Result<Option<MapWarning>, ClassroomBoardError> {
        let alphabet = match has_colours(bytes) {
            true => Alphabet::Colours,
            false => Alphabet::Digits,
        };
        let options = classroom::Options {
            size: Some((self.width.into(), self.height.into())),
            alphabet,
            lenient: how.lenient,
            centre: how.centre,
            cs100: how.cs100,
        };
        let map = classroom::read(bytes, &options)?;
        self.take(&map.pattern.cells, alphabet);
        Ok(map.warning)
    }

    /// Opens a built-in map in the middle of the board.
    ///
    /// # Errors
    /// When there is no map of that name, or the board is too small for it.
    ///
    /// ```
    /// use models::classroom::ClassroomBoards;
    ///
    /// let mut boards = ClassroomBoards::of_usual_size();
    /// boards.open("colorised-glider")?;
    /// assert!(boards.open("no such map").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(&mut self, name: &str) -> Result<(), ClassroomBoardError> {
        let maps = Self::maps();
        let found = maps.into_iter().find(|(_, entry)| entry.name == name);
        let (rule, entry) = found.ok_or_else(|| ClassroomBoardError::NoMap(name.to_string()))?;
        let cells = entry.pattern().cells;
        let bounds = cells.bounds().as_ref().and_then(Bounds::to_rect);
        let bounds = bounds.unwrap_or(Rect::new(0, 0, 0, 0));
        let (columns, rows) = (self.width, self.height);
        if bounds.width > columns.into() || bounds.height > rows.into() {
            return Err(ClassroomBoardError::TooLarge {
                name: entry.name,
                width: bounds.width,
                height: bounds.height,
                columns,
                rows,
            });
        }
        let middle = |board: u32, cells: u64| ((u64::from(board) - cells) / 2) as i64;
        let x = middle(columns, bounds.width) - bounds.x;
        let y = middle(rows, bounds.height) - bounds.y;
        self.take(&cells.translated(x, y), rule.alphabet());
        Ok(())
    }

    /// Resizes the boards; cells outside are lost. The result becomes the start.
    ///
    /// # Errors
    /// When a side is 0 or above [`ClassroomBoards::LARGEST`].
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::new(3, 3)?;
    /// boards.draw(ClassroomRule::Base, 2, 2, 1)?;
    /// boards.resize(2, 2)?;
    /// assert_eq!(boards.text(ClassroomRule::Base), "..\n..\n", "the cell was outside");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resize(&mut self, width: u32, height: u32) -> Result<(), ClassroomBoardError> {
        let mut resized = Self::new(width, height)?;
        for rule in ClassroomRule::ALL {
            for y in 0..height.min(self.height) {
                for x in 0..width.min(self.width) {
                    resized.set(rule, x, y, self.state(rule, x, y));
                }
            }
        }
        resized.set_start();
        *self = resized;
        Ok(())
    }

    /// Restores the boards from their texts: for each rule the current board and the start, and
    /// the round.
    ///
    /// # Errors
    /// When the size is out of range, or a text is not a map of its rule of that size.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::new(3, 3)?;
    /// boards.draw(ClassroomRule::Base, 1, 1, 1)?;
    /// boards.step(1);
    /// let now = ClassroomRule::ALL.map(|rule| boards.text(rule));
    /// let start = ClassroomRule::ALL.map(|rule| boards.start_text(rule));
    /// let mut again = ClassroomBoards::restore((3, 3), boards.round(), &now, &start)?;
    /// assert_eq!(again.text(ClassroomRule::Base), now[0]);
    /// again.restart();
    /// assert_eq!(again.text(ClassroomRule::Base), start[0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore(
        (width, height): (u32, u32),
        round: u64,
        boards: &[String; 5],
        start: &[String; 5],
    ) -> Result<Self, ClassroomBoardError> {
        let mut restored = Self::new(width, height)?;
        for rule in ClassroomRule::ALL {
            let states = |text: &str| states_of(rule, (width, height), text);
            let now = states(&boards[rule.index()])?;
            restored.start[rule.index()] = states(&start[rule.index()])?;
            restored.fill(rule, &now);
        }
        restored.round = round;
        Ok(restored)
    }

    /// Explains the next state of a cell under a rule. Cells off the board are dead.
    ///
    /// ```
    /// use models::classroom::{ClassroomBoards, ClassroomRule};
    ///
    /// let mut boards = ClassroomBoards::of_usual_size();
    /// boards.read(b"R..\nR..\nB..\n", &Default::default())?;
    /// let explanation = boards.explain(ClassroomRule::Colorised, 1, 1);
    /// assert_eq!(explanation.after, 2, "two of three are red");
    /// assert!(explanation.words.starts_with("n = 3, 2 red and 1 blue: is born red"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn explain(&self, rule: ClassroomRule, x: u32, y: u32) -> CellExplanation {
        let (x, y) = (i64::from(x), i64::from(y));
        CellExplanation::of(rule, |dx, dy| self.at(rule, x + dx, y + dy))
    }

    fn at(&self, rule: ClassroomRule, x: i64, y: i64) -> State {
        let world = &self.worlds[rule.index()];
        let board = board_of(world.as_ref());
        world.get(Point::new(board.x + x, board.y + y))
    }

    fn set(&mut self, rule: ClassroomRule, x: u32, y: u32, state: State) {
        let world = &mut self.worlds[rule.index()];
        let board = board_of(world.as_ref());
        let place = Point::new(board.x + i64::from(x), board.y + i64::from(y));
        let set = world.set(place, state);
        set.expect("the cell is on the board, and the rule has the state");
    }

    /// Makes the current boards the start.
    fn set_start(&mut self) {
        self.round = 0;
        for rule in ClassroomRule::ALL {
            self.start[rule.index()] = self.states(rule);
        }
    }

    fn take(&mut self, cells: &Cells, alphabet: Alphabet) {
        let (width, height) = (self.width as usize, self.height as usize);
        for rule in ClassroomRule::ALL {
            let mut states = vec![0; width * height];
            cells.for_each_run(&mut |run: Run| {
                for x in run.x..run.x + run.length as i64 {
                    let state = rule.convert_state(alphabet, run.state);
                    states[run.y as usize * width + x as usize] = state;
                }
            });
            self.fill(rule, &states);
        }
        self.set_start();
    }

    fn fill(&mut self, rule: ClassroomRule, states: &[State]) {
        let width = self.width as usize;
        let world = &mut self.worlds[rule.index()];
        let board = board_of(world.as_ref());
        world.erase(board);
        let rows = states.chunks(width).zip(board.y..);
        let runs = rows.flat_map(|(row, y)| {
            let cells = row.iter().zip(board.x..).filter(|(state, _)| **state != 0);
            cells.map(move |(&state, x)| Run {
                y,
                x,
                length: 1,
                state,
            })
        });
        let loaded = world.load(&Cells::from_runs(runs.collect()));
        loaded.expect("all cells are on the board, in states that the rule has");
        world.set_generation(BigInt::ZERO);
    }
}

fn empty(rule: ClassroomRule, width: u32, height: u32) -> Box<dyn World> {
    let rule: Rule = rule.name().parse().expect("the five rules are built in");
    let rule = rule.with_topology(Topology::Plane {
        width: width.into(),
        height: height.into(),
    });
    let opened = engine::open(
        EngineChoice::Auto,
        &rule,
        &Pattern::default(),
        None,
        &Options::default(),
    );
    opened.expect("every engine takes a small board").world
}

fn board_of(world: &dyn World) -> Rect {
    let board = world.rule().topology().rect();
    board.expect("the world was made with two sides")
}

fn written(rule: ClassroomRule, width: u32, height: u32, states: &[State]) -> String {
    let mut text = String::with_capacity((width as usize + 1) * height as usize);
    for row in states.chunks(width as usize) {
        text.extend(row.iter().map(|&state| rule.sign(state)));
        text.push('\n');
    }
    text
}

fn states_of(
    rule: ClassroomRule,
    (width, height): (u32, u32),
    text: &str,
) -> Result<Vec<State>, ClassroomBoardError> {
    let options = classroom::Options {
        size: Some((width.into(), height.into())),
        alphabet: rule.alphabet(),
        ..classroom::Options::default()
    };
    let map = classroom::read(text.as_bytes(), &options)?;
    let mut states = vec![0; width as usize * height as usize];
    map.pattern.cells.for_each_run(&mut |run: Run| {
        for x in run.x..run.x + run.length as i64 {
            states[run.y as usize * width as usize + x as usize] = run.state;
        }
    });
    Ok(states)
}

/// Whether a map has red or blue cells, outside comments.
fn has_colours(bytes: &[u8]) -> bool {
    let mut rows = bytes.split(|&byte| byte == b'\n' || byte == b'\r');
    rows.any(|row| {
        let row = row.split(|&byte| byte == b'!').next().unwrap_or(row);
        row.iter().any(|byte| matches!(byte, b'R' | b'B'))
    })
}

#[cfg(test)]
mod tests;
