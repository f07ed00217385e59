//! Commands: everything that a user can do, as text and as a type.
//!
//! A command is a name followed by words: `step 10`, `draw 1 3,4 5,6`, `resize 64x64 torus`.
//! Keys, buttons and script lines all send such texts, so that every user interface can do the
//! same. [`ALL`] lists the commands for help, [`KEYS`] the keys that send them.

mod formatter;
mod parser;
mod table;

pub use parser::CommandError;
pub use table::{ALL, CommandEntry, CommandKey, Group, KEYS, entry};

use crate::ship_motion::ShipMotion;
use engine::EngineChoice;
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::Format;
use pattern::soup::SoupSymmetry;
use plot::PlotView;
use render::{CellColouring, Rgb, Zoom};
use rule::Topology;

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Run a command and answer its question with yes.
    Anyway(Box<Command>),
    /// Run a command if the cells that it changes are in view; else bring them into view. This is
    /// what keys send.
    Seen(Box<Command>),

    /// Start running.
    Run,
    /// Stop running.
    Stop,
    /// Run if stopped, stop if running.
    Toggle,
    /// One step, or a number of generations.
    Step(Option<BigUint>),
    /// Back by one step, or by a number of generations.
    Back(Option<BigUint>),
    /// Back to the generation at which the pattern was opened.
    Reset,
    /// Go to a generation, forward or back.
    GoTo(BigInt),
    /// Cancel what is under way: the way to a generation, or a paste.
    Cancel,
    /// Set the speed in generations per second.
    Speed(SpeedChange),
    /// Set the number of generations per step.
    Stride(StrideChange),
    /// Hyperspeed: steps double while running.
    Hyper(Switch),
    /// Choose the engine that runs the world.
    Engine(EngineChoice),
    /// Set the memory limit of a world in bytes.
    Memory(u64),

    /// Give a cell a state.
    Set(Point, State),
    /// Kill a live cell, or give a dead one the pen's state; without a point, the cell at the
    /// cursor.
    Flip(Option<Point>),
    /// Draw lines between points.
    Draw {
        /// Whether this continues the previous stroke; both are undone together.
        more: bool,
        /// The state that is drawn.
        state: State,
        /// The corners of the line, at least one.
        points: Vec<Point>,
    },
    /// Draw a shape between two corners.
    Shape {
        /// Which one.
        shape: DrawnShape,
        /// Whether its inside is drawn too.
        is_filled: bool,
        /// The state that is drawn.
        state: State,
        /// Two cells in opposite corners of its box.
        corners: [Point; 2],
    },
    /// Give a state to all cells that are joined to a cell through cells of its state.
    Flood(State, Point),
    /// Draw each cell with copies about a rectangle's middle; by default that of the selection,
    /// the grid or the view.
    Symmetry(SoupSymmetry, Option<Rect>),
    /// Set the state to draw with.
    Pen(State),
    /// Whether a running world keeps running while it is drawn on.
    RunWhileDrawing(Switch),
    /// Undo the last change, or a number of changes.
    Undo(u32),
    /// Redo the last undone change, or a number of them.
    Redo(u32),

    /// Change the selection.
    Select(SelectionChange),
    /// Move the selected cells to the clipboard.
    Cut,
    /// Copy the selected cells to the clipboard.
    Copy,
    /// Put the cells of a text, RLE or an apgcode, on the clipboard.
    Clipboard(String),
    /// Paste cells.
    Paste {
        /// The top-left corner; by default the selection's corner, else the cursor.
        at: Option<Point>,
        /// How they combine with existing cells; by default the paste mode.
        mode: Option<PasteMode>,
        /// Cells to paste instead of the clipboard: RLE or an apgcode.
        text: Option<String>,
    },
    /// Put the next pattern of the clipboard's text on the clipboard.
    PasteNext,
    /// Set how pasted cells combine with existing ones.
    PasteMode(PasteMode),
    /// Mirror the clipboard's cells.
    PasteMirror(Mirror),
    /// Rotate the clipboard's cells.
    PasteRotate(TurnDirection),
    /// Mirror the selection.
    Mirror(Mirror),
    /// Rotate the selection.
    Rotate(TurnDirection),
    /// Move the selected cells.
    Shift(i64, i64),
    /// Fill at random.
    Random(Scatter),
    /// Fill the selection with a state.
    Fill(State),
    /// Kill the cells of a region.
    Clear(Region),

    /// Zoom in or out.
    Zoom(ZoomChange, Option<(i64, i64)>),
    /// Move the view by a number of pixels, to the right and down.
    Pan(i64, i64),
    /// Scroll the view by a fraction of its size.
    Scroll(ScrollDirection, Reach),
    /// Fit the view to the live cells.
    Fit,
    /// Centre the view on a cell.
    Centre(BigInt, BigInt),
    /// Keep the live cells in view, or go with a ship.
    Follow(FollowChange),
    /// Put the cell cursor on a cell, or remove it.
    Cursor(Option<(BigInt, BigInt)>),
    /// Move the cell cursor by a number of cells.
    Nudge(i64, i64),
    /// Say how far two cells are apart.
    Measure([Point; 2]),
    /// Choose the pointer's tool.
    Tool(Tool),
    /// Take the state of this cell as the pen's state.
    Pick(Point),
    /// Grid lines.
    Grid(Switch),
    /// Distance between strong grid lines in cells; 0 for none.
    Major(u32),
    /// What the plot shows, and on which axes.
    Curves(PlotView),
    /// Coordinates along the edges of the view.
    Rulers(Switch),
    /// The icons of a rule file.
    Icons(Switch),
    /// Mark cells that die in the next generation.
    Dying(Switch),
    /// Colour cells by their age.
    Age(Switch),
    /// Choose what the colour of a live cell says.
    Colouring(CellColouring),
    /// Show trails where cells have died.
    History(Switch),
    /// Choose the colour theme.
    Theme(String),
    /// Set the colour of a state; none for the rule's own.
    Colour(State, Option<Rgb>),

    /// Start an empty world.
    New,
    /// Run the same cells under another rule.
    Rule(String),
    /// Change the topology and size of the world.
    Resize(Topology),
    /// Start a new world with random cells.
    Soup {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
        /// How many of them live.
        scatter: Scatter,
        /// The symmetry, such as `D8`.
        symmetry: Option<String>,
    },
    /// Open a file, a built-in pattern, an apgcode, or RLE text.
    Open(String),
    /// Save to a file.
    Save {
        /// The file's name; by default the current file.
        name: Option<String>,
        /// The format; by default the one of the name's extension.
        format: Option<Format>,
    },
    /// Set the pattern's name.
    Name(String),
    /// Set the pattern's author.
    Author(String),
    /// Set the pattern's comments, line by line.
    Comment(String),
    /// Give this generation and view a name, or take the name away.
    Bookmark {
        /// The name: one word.
        name: String,
        /// Whether it is given.
        is_set: bool,
    },
    /// Go to a bookmark.
    Visit(String),
    /// Return to the pattern as it was opened or saved.
    Revert,

    /// Show help.
    Help,
}

/// A change of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
    /// The opposite of the current value.
    Toggle,
}

impl Switch {
    /// The new value of a setting.
    ///
    /// ```
    /// use session::command::Switch;
    ///
    /// assert!(Switch::Toggle.of(false) && !Switch::Off.of(true));
    /// ```
    #[must_use]
    pub fn of(self, was: bool) -> bool {
        match self {
            Self::On => true,
            Self::Off => false,
            Self::Toggle => !was,
        }
    }
}

/// What the view follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowChange {
    /// All live cells, or nothing.
    Live(Switch),
    /// The object at a cell; by default the selected one, else that at the cursor.
    Object(Option<Point>),
    /// A motion, whatever moves so.
    Motion(ShipMotion),
}

/// A change of the speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeedChange {
    /// A number of generations per second, from 0.1.
    To(f64),
    /// No limit.
    Most,
    /// The next speed of the scale.
    Faster,
    /// The previous speed of the scale.
    Slower,
}

/// A change of the step length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrideChange {
    /// A number of generations, from 1.
    To(BigUint),
    /// The next power of two.
    Up,
    /// The previous power of two.
    Down,
}

/// A change of the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionChange {
    /// Select a rectangle.
    Cells(Rect),
    /// Select the bounding box of all live cells.
    All,
    /// Select nothing.
    Nothing,
    /// Shrink the selection to the bounding box of its live cells.
    Shrink,
    /// Select the object at a cell; by default the one at the cursor.
    Object(Option<Point>),
    /// Take in all objects of which a part is selected.
    Grow,
    /// Select the object after the selected one, and look at it.
    Next,
    /// Select the object before the selected one, and look at it.
    Previous,
}

/// A shape that is drawn between two corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnShape {
    /// A rectangle.
    Rectangle,
    /// An ellipse; in a square box a circle.
    Ellipse,
}

impl DrawnShape {
    /// The shape's command word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rectangle => "rectangle",
            Self::Ellipse => "ellipse",
        }
    }
}

/// How pasted cells combine with existing cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PasteMode {
    /// Live cells are pasted, dead ones leave existing cells as they are.
    #[default]
    Or,
    /// Bitwise exclusive or of the states.
    Xor,
    /// All cells of the box are pasted, dead ones too.
    Copy,
    /// Only cells that are alive in both stay alive.
    And,
}

impl PasteMode {
    /// All modes with their command words.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Or, "or"),
        (Self::Xor, "xor"),
        (Self::Copy, "copy"),
        (Self::And, "and"),
    ];

    /// The mode's command word.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Combines an existing and a pasted state.
    ///
    /// ```
    /// use session::command::PasteMode;
    ///
    /// assert_eq!((PasteMode::Or.of(2, 0), PasteMode::Copy.of(2, 0)), (2, 0));
    /// ```
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

/// The axis to mirror along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// Swap left and right.
    Horizontal,
    /// Swap top and bottom.
    Vertical,
}

/// A rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnDirection {
    /// A quarter turn counter-clockwise.
    Left,
    /// A quarter turn clockwise.
    Right,
    /// A half turn.
    Half,
}

/// A random fill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// How many.
    pub amount: ScatterAmount,
    /// A seed gives the same cells each time; without one, the cells differ each time.
    pub seed: Option<u64>,
}

/// How many cells live.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScatterAmount {
    /// Each cell is alive with this probability, from 0 to 1.
    Density(f64),
    /// An exact number of live cells.
    Count(u64),
}

/// A region of the world, relative to the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The selected cells.
    Inside,
    /// The cells that are not selected.
    Outside,
    /// All cells.
    All,
}

/// A change of the zoom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoomChange {
    /// Zoom in.
    In,
    /// Zoom out.
    Out,
    /// Set the zoom.
    To(Zoom),
}

/// A scroll direction.
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

/// How far a view scrolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A tenth of the view.
    Near,
    /// Nearly the whole view.
    Far,
}

/// A tool of the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Draws cells.
    #[default]
    Draw,
    /// Selects cells.
    Select,
    /// Moves the view.
    Pan,
    /// Picks a cell's state for the pen.
    Pick,
    /// Erases cells.
    Erase,
    /// Draws a straight line.
    Line,
    /// Draws a rectangle.
    Rectangle,
    /// Draws an ellipse.
    Ellipse,
    /// Fills cells that are joined.
    Flood,
    /// Measures from cell to cell.
    Measure,
}

impl Tool {
    /// All tools with their command words.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::Draw, "draw"),
        (Self::Select, "select"),
        (Self::Pan, "pan"),
        (Self::Pick, "pick"),
        (Self::Erase, "erase"),
        (Self::Line, "line"),
        (Self::Rectangle, "rectangle"),
        (Self::Ellipse, "ellipse"),
        (Self::Flood, "flood"),
        (Self::Measure, "measure"),
    ];

    /// The tool's command word.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}
