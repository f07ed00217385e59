//! What a person can do, as text and as a type.
//!
//! A command is a name and then words: `step 10`, `draw 1 3,4 5,6`, `resize 64x64 torus`.
//! A key, a button and a line of a script all send such a text, so that nothing can be done
//! in one face that cannot be done in another. [`ALL`] lists them for help, [`KEYS`] says
//! which keys send what.

mod formatter;
mod parser;
mod table;

pub use parser::CommandError;
pub use table::{ALL, CommandEntry, CommandKey, Group, KEYS, entry};

use engine::EngineChoice;
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::Format;
use render::{Rgb, Zoom};
use rule::Topology;

/// One thing that a person wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// The command, and yes to the question that it would ask.
    Anyway(Box<Command>),

    /// Start running.
    Run,
    /// Stop running.
    Stop,
    /// Run if stopped, stop if running.
    Toggle,
    /// One step, or so many generations.
    Step(Option<BigUint>),
    /// Back by one step, or by so many generations.
    Back(Option<BigUint>),
    /// Back to where the pattern began.
    Reset,
    /// On, or back, to a generation.
    GoTo(BigInt),
    /// Give up what is on the way: a generation that is being gone to, a paste.
    Cancel,
    /// How many generations go by in a second.
    Speed(SpeedChange),
    /// How many generations make one step.
    Stride(StrideChange),
    /// Steps that double while running.
    Hyper(Switch),
    /// Which engine runs the world.
    Engine(EngineChoice),
    /// How many bytes a world may take.
    Memory(u64),

    /// Give a cell a state.
    Set(Point, State),
    /// A live cell dies, a dead one gets the pen's state; else the cell at the cursor does.
    Flip(Option<Point>),
    /// Draw lines between points.
    Draw {
        /// Whether this goes on with the stroke before: undone as one.
        more: bool,
        /// The state that is drawn.
        state: State,
        /// The corners of the line, at least one.
        points: Vec<Point>,
    },
    /// The state that is drawn with.
    Pen(State),
    /// Whether drawing leaves a running world running.
    RunWhileDrawing(Switch),
    /// Take the last change back.
    Undo,
    /// Make a change again that was taken back.
    Redo,

    /// Choose cells.
    Select(SelectionChange),
    /// Take the selected cells away, into the clipboard.
    Cut,
    /// Take the selected cells into the clipboard.
    Copy,
    /// Take a text, RLE or an apgcode, into the clipboard.
    Clipboard(String),
    /// Put cells down.
    Paste {
        /// Where their top-left corner goes; else the selection's corner, else the cursor.
        at: Option<Point>,
        /// How they meet what is there; else as the paste mode says.
        mode: Option<PasteMode>,
        /// What to put down instead of the clipboard: RLE or an apgcode.
        text: Option<String>,
    },
    /// How pasted cells meet what is there.
    PasteMode(PasteMode),
    /// Mirror the selection.
    Mirror(Mirror),
    /// Turn the selection.
    Rotate(TurnDirection),
    /// Move the selected cells.
    Shift(i64, i64),
    /// Fill at random.
    Random(Scatter),
    /// Fill the selection with a state.
    Fill(State),
    /// Take cells away.
    Clear(Region),

    /// See more or less.
    Zoom(ZoomChange, Option<(i64, i64)>),
    /// Move the view by so many pixels to the right and down.
    Pan(i64, i64),
    /// Move the view by a part of itself.
    Scroll(ScrollDirection, Reach),
    /// See all of it.
    Fit,
    /// See this cell in the middle.
    Centre(BigInt, BigInt),
    /// Keep what lives in sight.
    Follow(Switch),
    /// Point at a cell, or at none.
    Cursor(Option<(BigInt, BigInt)>),
    /// Move the cell cursor by so many cells.
    Nudge(i64, i64),
    /// What the pointer does.
    Tool(Tool),
    /// Draw with the state of this cell from now on.
    Pick(Point),
    /// Grid lines.
    Grid(Switch),
    /// Each how manieth grid line is strong; 0 for none.
    Major(u32),
    /// Mark cells that die in the next generation.
    Dying(Switch),
    /// Colour cells by their age.
    Age(Switch),
    /// Leave trails of what has lived.
    History(Switch),
    /// The colours of the sheet.
    Theme(String),
    /// The colour of a state; none for the rule's own.
    Colour(State, Option<Rgb>),

    /// An empty sheet.
    New,
    /// Another rule for the cells that are there.
    Rule(String),
    /// Another shape of the world.
    Resize(Topology),
    /// A new world with random cells.
    Soup {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
        /// How many of them live.
        scatter: Scatter,
        /// Such as `D8`.
        symmetry: Option<String>,
    },
    /// A file, a built-in pattern, an apgcode, RLE text.
    Open(String),
    /// Write it to a file.
    Save {
        /// The file's name; else the one that it came from.
        name: Option<String>,
        /// Else as the name's ending tells.
        format: Option<Format>,
    },
    /// What the colony is called.
    Name(String),
    /// Who made it.
    Author(String),
    /// Words about it, line by line.
    Comment(String),
    /// As it was when it was opened or saved.
    Revert,

    /// What can be done.
    Help,
}

/// On, off, or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
    /// On if off, off if on.
    Toggle,
}

impl Switch {
    /// What becomes of a setting.
    #[must_use]
    pub fn of(self, was: bool) -> bool {
        match self {
            Self::On => true,
            Self::Off => false,
            Self::Toggle => !was,
        }
    }
}

/// How many generations go by in a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeedChange {
    /// This many, from 0.1.
    To(f64),
    /// As many as can be.
    Most,
    /// The next one on the scale.
    Faster,
    /// The one before on the scale.
    Slower,
}

/// How many generations make one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrideChange {
    /// This many, from 1.
    To(BigUint),
    /// To the next power of two.
    Up,
    /// To the power of two before.
    Down,
}

/// Which cells are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionChange {
    /// Those in a rectangle.
    Cells(Rect),
    /// The box around all that lives.
    All,
    /// None.
    Nothing,
    /// The box around what lives in the selection.
    Shrink,
}

/// How pasted cells meet what is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PasteMode {
    /// Live cells are put down, empty ones leave what is there.
    #[default]
    Or,
    /// What is live in both dies; states differ bit by bit.
    Xor,
    /// All cells of the box are put down, empty ones too.
    Copy,
    /// What is live in both stays.
    And,
}

impl PasteMode {
    /// All of them, with what a person types.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Or, "or"),
        (Self::Xor, "xor"),
        (Self::Copy, "copy"),
        (Self::And, "and"),
    ];

    /// What a person types.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// What two cells come to.
    #[must_use]
    pub fn of(self, there: State, pasted: State) -> State {
        match self {
            Self::Or if pasted == 0 => there,
            Self::Or | Self::Copy => pasted,
            Self::Xor => there ^ pasted,
            Self::And if pasted == 0 => 0,
            Self::And => there,
        }
    }
}

/// Which way to mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// Left becomes right.
    Horizontal,
    /// Top becomes bottom.
    Vertical,
}

/// Which way to turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnDirection {
    /// A quarter, against the clock.
    Left,
    /// A quarter, with the clock.
    Right,
    /// Half around.
    Half,
}

/// How many cells live, at random.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// How many.
    pub amount: ScatterAmount,
    /// The same seed gives the same cells; without one, another each time.
    pub seed: Option<u64>,
}

/// How many cells live.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScatterAmount {
    /// Each with this chance, from 0 to 1.
    Density(f64),
    /// Exactly so many.
    Count(u64),
}

/// A part of the world, told by the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// What is selected.
    Inside,
    /// What is not selected.
    Outside,
    /// All of it.
    All,
}

/// How to zoom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoomChange {
    /// Nearer.
    In,
    /// Farther.
    Out,
    /// To this.
    To(Zoom),
}

/// A direction on the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScrollDirection {
    /// West.
    Left,
    /// East.
    Right,
    /// North.
    Up,
    /// South.
    Down,
}

/// How much of itself a view moves by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A tenth.
    Near,
    /// Nearly all of it.
    Far,
}

/// What the pointer does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Draws cells.
    #[default]
    Draw,
    /// Chooses cells.
    Select,
    /// Moves the view.
    Pan,
    /// Takes a cell's state for the pen.
    Pick,
}

impl Tool {
    /// All of them, with what a person types.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Draw, "draw"),
        (Self::Select, "select"),
        (Self::Pan, "pan"),
        (Self::Pick, "pick"),
    ];

    /// What a person types.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}
