//! The tables of commands and of keys.

/// A command's entry in help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandEntry {
    /// The command's name.
    pub name: &'static str,
    /// The words that may follow: capitals are placeholders, `|` separates alternatives, brackets
    /// enclose optional words.
    pub usage: &'static str,
    /// The group in help.
    pub group: Group,
    /// What it does.
    pub help: &'static str,
    /// Texts that parse, one for each form.
    pub examples: &'static [&'static str],
}

/// A group of commands in help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Running.
    Run,
    /// Drawing.
    Draw,
    /// Selecting and editing a selection.
    Select,
    /// The view.
    See,
    /// Worlds and files.
    World,
}

impl Group {
    /// All groups, in the order of help.
    pub const ALL: [Self; 5] = [Self::Run, Self::Draw, Self::Select, Self::See, Self::World];

    /// The group's heading.
    ///
    /// ```
    /// use session::command::{Group, entry};
    ///
    /// let group = entry("undo").expect("a command").group;
    /// assert!(Group::ALL.iter().any(|each| each.title() == group.title()));
    /// ```
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Draw => "draw",
            Self::Select => "select",
            Self::See => "see",
            Self::World => "worlds",
        }
    }
}

/// Looks a command up by its name.
#[must_use]
pub fn entry(name: &str) -> Option<&'static CommandEntry> {
    ALL.iter().find(|entry| entry.name == name)
}

const fn row(
    group: Group,
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    examples: &'static [&'static str],
) -> CommandEntry {
    CommandEntry {
        name,
        usage,
        group,
        help,
        examples,
    }
}

use Group::{Draw, Run, See, Select, World};

/// All commands, in the order of help.
#[rustfmt::skip]
pub const ALL: &[CommandEntry] = &[
    row(Run, "run", "", "start running", &["run"]),
    row(Run, "stop", "", "stop running", &["stop"]),
    row(Run, "toggle", "", "run if stopped, stop if running", &["toggle"]),
    row(Run, "step", "[N]", "one step, or n generations", &["step", "step 10", "step 2^20"]),
    row(Run, "back", "[N]", "one step back, or n generations", &["back", "back 10"]),
    row(Run, "reset", "", "back to the start", &["reset"]),
    row(Run, "goto", "N", "go to generation n", &["goto 1000", "goto 10^6"]),
    row(Run, "cancel", "", "stop on the way to a generation", &["cancel"]),
    row(Run, "speed", "N|max|faster|slower", "generations a second, from 0.1", &["speed 30", "speed 0.5", "speed max", "speed faster", "speed slower"]),
    row(Run, "stride", "N|up|down", "generations a step", &["stride 8", "stride 2^10", "stride up", "stride down"]),
    row(Run, "hyper", "on|off|toggle", "let steps double while running", &["hyper on", "hyper off", "hyper toggle"]),
    row(Run, "engine", "auto|naive|torus|tiles|hashlife", "the engine that runs the world", &["engine auto", "engine hashlife"]),
    row(Run, "memory", "BYTES", "how much memory a world may take", &["memory 4G", "memory 512M"]),
    row(Draw, "set", "X,Y STATE", "give a cell a state", &["set 3,4 1", "set -3,-4 0"]),
    row(Draw, "flip", "[X,Y]", "toggle a cell; without a place the one at the cursor", &["flip 3,4", "flip"]),
    row(Draw, "draw", "[more] STATE X,Y …", "draw lines from point to point; more goes on with the stroke", &["draw 1 3,4", "draw 1 3,4 10,4 10,9", "draw more 1 10,9 12,9"]),
    row(Draw, "rectangle", "[filled] STATE X,Y X,Y", "draw a rectangle between two corners", &["rectangle 1 0,0 9,5", "rectangle filled 1 0,0 9,5"]),
    row(Draw, "ellipse", "[filled] STATE X,Y X,Y", "draw an ellipse into the box between two corners", &["ellipse 1 0,0 9,5", "ellipse filled 1 0,0 9,5"]),
    row(Draw, "flood", "STATE X,Y", "fill all cells that are joined to one through cells of its state", &["flood 1 3,4"]),
    row(Draw, "symmetry", "NAME [X,Y [WxH]]", "draw each cell with its copies about a cell, a box's middle, or what is selected; C1 ends it", &["symmetry D4+", "symmetry D8 0,0", "symmetry C2 0,0 10x8", "symmetry C1"]),
    row(Draw, "pen", "STATE", "the state to draw with", &["pen 1"]),
    row(Draw, "run-while-drawing", "on|off|toggle", "keep running while cells are drawn", &["run-while-drawing on", "run-while-drawing toggle"]),
    row(Draw, "undo", "[N]", "undo the last change, or n changes", &["undo", "undo 3"]),
    row(Draw, "redo", "[N]", "redo the change that was undone, or n changes", &["redo", "redo 3"]),
    row(Select, "select", "X,Y WxH|all|none|shrink|grow|next|previous|object [X,Y]", "select cells; shrink to the live ones, grow to whole objects, go to the next object, or take the one at a cell", &["select 0,0 10x8", "select all", "select none", "select shrink", "select grow", "select next", "select previous", "select object", "select object 3,4"]),
    row(Select, "cut", "", "cut the selected cells to the clipboard", &["cut"]),
    row(Select, "copy", "", "copy the selected cells to the clipboard", &["copy"]),
    row(Select, "clipboard", "TEXT", "put the cells of RLE, an apgcode or a name on the clipboard; a ship may have a heading and a phase", &["clipboard bo$2bo$3o!", "clipboard xp2_7", "clipboard glider ne +1"]),
    row(Select, "paste", "[X,Y] [or|xor|copy|and] [TEXT]", "paste the clipboard's cells, or those of a text or a name: glider ne, lwss w +2", &["paste", "paste 3,4", "paste 3,4 xor", "paste 3,4 or bo$2bo$3o!", "paste glider ne"]),
    row(Select, "paste-next", "", "take the next pattern of a text that has several", &["paste-next"]),
    row(Select, "paste-mode", "or|xor|copy|and", "how pasted cells meet what is there", &["paste-mode or", "paste-mode xor", "paste-mode copy", "paste-mode and"]),
    row(Select, "paste-mirror", "horizontal|vertical", "mirror the clipboard's cells", &["paste-mirror horizontal", "paste-mirror vertical"]),
    row(Select, "paste-rotate", "left|right|half", "turn the clipboard's cells", &["paste-rotate left", "paste-rotate right", "paste-rotate half"]),
    row(Select, "mirror", "horizontal|vertical", "mirror the selection", &["mirror horizontal", "mirror vertical"]),
    row(Select, "rotate", "left|right|half", "turn the selection", &["rotate left", "rotate right", "rotate half"]),
    row(Select, "shift", "DX,DY", "move the selected cells", &["shift 1,0", "shift -10,3"]),
    row(Select, "random", "DENSITY|count N [seed S]", "fill the selection at random, else the grid, else what is seen", &["random 0.5", "random 0.3 seed 7", "random count 100 seed 7"]),
    row(Select, "fill", "STATE", "give all selected cells a state", &["fill 1"]),
    row(Select, "clear", "inside|outside|all", "clear cells", &["clear inside", "clear outside", "clear all"]),
    row(See, "zoom", "in|out|N|1:N [at PX,PY]", "nearer, farther, or n pixels a cell", &["zoom in", "zoom out", "zoom 8", "zoom 1:4", "zoom in at 30,40"]),
    row(See, "pan", "DX,DY", "move the view by pixels", &["pan 10,-20"]),
    row(See, "scroll", "left|right|up|down [far]", "move the view by a part of itself", &["scroll left", "scroll right far", "scroll up", "scroll down"]),
    row(See, "fit", "", "fit all live cells into the view", &["fit"]),
    row(See, "centre", "X,Y", "put this cell in the middle of the view", &["centre 0,0"]),
    row(See, "follow", "on|off|toggle|object [X,Y]|DX,DY/N", "keep the live cells in view, or go with a ship: the object at a cell, or cells in n generations", &["follow on", "follow toggle", "follow object", "follow object 3,4", "follow 1,-1/4"]),
    row(See, "cursor", "X,Y|off", "put the cell cursor on a cell", &["cursor 3,4", "cursor off"]),
    row(See, "nudge", "DX,DY", "move the cell cursor", &["nudge 1,0", "nudge 0,-1"]),
    row(See, "tool", "draw|erase|line|rectangle|ellipse|flood|select|pan|pick|measure", "what the pointer does", &["tool draw", "tool erase", "tool line", "tool rectangle", "tool ellipse", "tool flood", "tool select", "tool pan", "tool pick", "tool measure"]),
    row(See, "pick", "X,Y", "draw with this cell's state from now on", &["pick 3,4"]),
    row(See, "grid", "on|off|toggle", "grid lines", &["grid on", "grid off", "grid toggle"]),
    row(See, "major", "N", "each nth grid line is strong; 0 for none", &["major 10", "major 0"]),
    row(See, "curves", "[population] [births] [deaths] [width] [height] [log-x] [log-y]", "what the plot shows, and on which axes", &["curves population", "curves births deaths log-y", "curves width height log-x"]),
    row(See, "rulers", "on|off|toggle", "coordinates along the edges of the sheet", &["rulers on", "rulers toggle"]),
    row(See, "measure", "X,Y X,Y", "how far two cells are apart", &["measure 0,0 3,-4"]),
    row(See, "icons", "on|off|toggle", "cells as the icons of a rule file, on the page from 8 pixels a cell", &["icons on", "icons toggle"]),
    row(See, "dying", "on|off|toggle", "mark cells that die in the next generation", &["dying on", "dying toggle"]),
    row(See, "age", "on|off|toggle", "colour cells by their age", &["age on", "age toggle"]),
    row(See, "colouring", "state|age|heat|period", "what the colour of a live cell says: its state, how long it has lived, how often it changes, or after how many generations it repeats", &["colouring state", "colouring age", "colouring heat", "colouring period"]),
    row(See, "history", "on|off|toggle", "trails where cells have died", &["history on", "history toggle"]),
    row(See, "theme", "paper|blueprint|contrast|sepia|night|auto", "the colours of the sheet", &["theme paper", "theme blueprint", "theme contrast", "theme sepia", "theme night", "theme auto"]),
    row(See, "colour", "STATE #RRGGBB|default", "the colour of a state", &["colour 1 #cc3311", "colour 1 default"]),
    row(World, "new", "", "an empty world", &["new"]),
    row(World, "rule", "RULE", "another rule for the cells that are there", &["rule B36/S23", "rule HighLife"]),
    row(World, "resize", "WxH [plane|torus|klein|cross|sphere]|unbounded|:TOPOLOGY", "another shape of the world", &["resize 64x48", "resize 64x48 torus", "resize 32x32 sphere", "resize unbounded", "resize :K30*,20"]),
    row(World, "soup", "WxH DENSITY|count N [seed S] [symmetry NAME]", "a new world with random cells", &["soup 64x64 0.5", "soup 64x64 count 500 seed 7", "soup 32x32 0.5 seed 7 symmetry D8"]),
    row(World, "open", "PATTERN", "a file, a built-in pattern, an apgcode, or rle", &["open gosper-glider-gun", "open bo$2bo$3o!"]),
    row(World, "save", "[NAME] [as FORMAT]", "write it to a file; one that ends in .csv gets the points of the plot", &["save", "save mine.rle", "save curves.csv", "save mine as macrocell"]),
    row(World, "name", "TEXT", "the name of the pattern", &["name my pattern"]),
    row(World, "author", "TEXT", "who made it", &["author me"]),
    row(World, "comment", "TEXT", "words about it; \\n starts a line", &["comment two lines\\nof words"]),
    row(World, "bookmark", "NAME [off]", "give this generation and view a name, which is saved with the pattern", &["bookmark collision", "bookmark collision off"]),
    row(World, "visit", "NAME", "go to a bookmark's generation and view", &["visit collision"]),
    row(World, "revert", "", "as it was when it was opened or saved", &["revert"]),
    row(World, "help", "", "all keys and commands", &["help"]),
    row(World, "seen", "COMMAND", "do it once the cells that it changes are in view, as keys do", &["seen cut", "seen anyway new"]),
    row(World, "anyway", "COMMAND", "yes to the question that the command would ask", &["anyway new"]),
];

/// A key binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandKey {
    /// Names of keys: `Enter`, `Space`, `Ctrl-Z`, `Shift-Left`, `+`, `[`.
    pub keys: &'static str,
    /// The command to send. After one that ends in a space the user interface asks for the
    /// arguments.
    pub command: &'static str,
}

const fn key(keys: &'static str, command: &'static str) -> CommandKey {
    CommandKey { keys, command }
}

/// All key bindings; Golly's, where Golly has one.
#[rustfmt::skip]
pub const KEYS: &[CommandKey] = &[
    key("Enter", "toggle"),
    key("Space", "step"),
    key("Backspace", "back"),
    key("PageUp", "stride up"),
    key("PageDown", "stride down"),
    key("+", "speed faster"),
    key("=", "speed faster"),
    key("-", "speed slower"),
    key("_", "speed slower"),
    key("Ctrl-T", "reset"),
    key("Ctrl-G", "goto "),
    key("Escape", "cancel"),
    key("h", "hyper toggle"),
    key("z", "undo"),
    key("Ctrl-Z", "undo"),
    key("Shift-Z", "redo"),
    key("Shift-Ctrl-Z", "redo"),
    key("Ctrl-Y", "redo"),
    key("a", "select all"),
    key("Ctrl-A", "select all"),
    key("k", "select none"),
    key("s", "select shrink"),
    key("c", "select object"),
    key("Shift-C", "select grow"),
    key("j", "select next"),
    key("Shift-J", "select previous"),
    key("Ctrl-X", "cut"),
    key("Ctrl-C", "copy"),
    key("Ctrl-V", "paste"),
    key("Delete", "clear inside"),
    key("Shift-Delete", "clear outside"),
    key("y", "mirror vertical"),
    key("x", "mirror horizontal"),
    key(">", "rotate right"),
    key("<", "rotate left"),
    key("Shift-Ctrl-Left", "shift -1,0"),
    key("Shift-Ctrl-Right", "shift 1,0"),
    key("Shift-Ctrl-Up", "shift 0,-1"),
    key("Shift-Ctrl-Down", "shift 0,1"),
    key("5", "random 0.5"),
    key("]", "zoom in"),
    key("[", "zoom out"),
    key("1", "zoom 1"),
    key("2", "zoom 2"),
    key("4", "zoom 4"),
    key("8", "zoom 8"),
    key("6", "zoom 16"),
    key("3", "zoom 32"),
    key("f", "fit"),
    key("m", "centre 0,0"),
    key("t", "follow toggle"),
    key("g", "follow object"),
    key("Left", "scroll left"),
    key("Right", "scroll right"),
    key("Up", "scroll up"),
    key("Down", "scroll down"),
    key("Shift-Left", "nudge -1,0"),
    key("Shift-Right", "nudge 1,0"),
    key("Shift-Up", "nudge 0,-1"),
    key("Shift-Down", "nudge 0,1"),
    key("Ctrl-Left", "scroll left far"),
    key("Ctrl-Right", "scroll right far"),
    key("Ctrl-Up", "scroll up far"),
    key("Ctrl-Down", "scroll down far"),
    key("Shift-Enter", "flip"),
    key("l", "grid toggle"),
    key("Shift-L", "rulers toggle"),
    key("d", "dying toggle"),
    key("Shift-A", "age toggle"),
    key("Shift-T", "history toggle"),
    key("F2", "tool draw"),
    key("w", "tool erase"),
    key("F3", "tool pick"),
    key("F4", "tool select"),
    key("F5", "tool pan"),
    key("Ctrl-N", "new"),
    key("Ctrl-O", "open "),
    key("Ctrl-S", "save"),
    key("r", "rule "),
    key("Shift-R", "resize "),
    key("n", "name "),
    key("?", "help"),
];
