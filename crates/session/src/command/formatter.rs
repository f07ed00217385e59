//! Writes commands as text.

use super::{
    Command, FollowChange, Mirror, Reach, Region, Scatter, ScatterAmount, ScrollDirection,
    SelectionChange, SpeedChange, StrideChange, Switch, TurnDirection, ZoomChange,
};
use grid::Point;
use std::fmt::{self, Display, Formatter};

impl Display for Command {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anyway(command) => write!(f, "anyway {command}"),
            Self::Seen(command) => write!(f, "seen {command}"),
            Self::Run => f.write_str("run"),
            Self::Stop => f.write_str("stop"),
            Self::Toggle => f.write_str("toggle"),
            Self::Step(None) => f.write_str("step"),
            Self::Step(Some(n)) => write!(f, "step {n}"),
            Self::Back(None) => f.write_str("back"),
            Self::Back(Some(n)) => write!(f, "back {n}"),
            Self::Reset => f.write_str("reset"),
            Self::GoTo(n) => write!(f, "goto {n}"),
            Self::Cancel => f.write_str("cancel"),
            Self::Speed(change) => write!(f, "speed {change}"),
            Self::Stride(change) => write!(f, "stride {change}"),
            Self::Hyper(switch) => write!(f, "hyper {switch}"),
            Self::Engine(choice) => write!(f, "engine {choice}"),
            Self::Memory(bytes) => write!(f, "memory {bytes}"),
            Self::Set(p, state) => write!(f, "set {} {state}", CommandPoint(*p)),
            Self::Flip(None) => f.write_str("flip"),
            Self::Flip(Some(p)) => write!(f, "flip {}", CommandPoint(*p)),
            Self::Draw {
                more,
                state,
                points,
            } => {
                f.write_str(if *more { "draw more" } else { "draw" })?;
                write!(f, " {state}")?;
                points
                    .iter()
                    .try_for_each(|p| write!(f, " {}", CommandPoint(*p)))
            }
            Self::Shape {
                shape,
                is_filled,
                state,
                corners: [a, b],
            } => {
                let filled = if *is_filled { " filled" } else { "" };
                let (name, a, b) = (shape.name(), CommandPoint(*a), CommandPoint(*b));
                write!(f, "{name}{filled} {state} {a} {b}")
            }
            Self::Flood(state, p) => write!(f, "flood {state} {}", CommandPoint(*p)),
            Self::Symmetry(symmetry, about) => {
                write!(f, "symmetry {symmetry}")?;
                about.map_or(Ok(()), |rect| {
                    let corner = CommandPoint(Point::new(rect.x, rect.y));
                    write!(f, " {corner} {}x{}", rect.width, rect.height)
                })
            }
            Self::Pen(state) => write!(f, "pen {state}"),
            Self::RunWhileDrawing(switch) => write!(f, "run-while-drawing {switch}"),
            Self::Undo(1) => f.write_str("undo"),
            Self::Undo(count) => write!(f, "undo {count}"),
            Self::Redo(1) => f.write_str("redo"),
            Self::Redo(count) => write!(f, "redo {count}"),
            Self::Select(selecting) => write!(f, "select {selecting}"),
            Self::Cut => f.write_str("cut"),
            Self::Copy => f.write_str("copy"),
            Self::Clipboard(text) => write!(f, "clipboard {text}"),
            Self::Paste { at, mode, text } => {
                f.write_str("paste")?;
                at.map_or(Ok(()), |p| write!(f, " {}", CommandPoint(p)))?;
                mode.map_or(Ok(()), |mode| write!(f, " {}", mode.name()))?;
                text.as_ref().map_or(Ok(()), |text| write!(f, " {text}"))
            }
            Self::PasteNext => f.write_str("paste-next"),
            Self::PasteMode(mode) => write!(f, "paste-mode {}", mode.name()),
            Self::PasteMirror(mirror) => write!(f, "paste-{}", Self::Mirror(*mirror)),
            Self::PasteRotate(turn) => write!(f, "paste-{}", Self::Rotate(*turn)),
            Self::Mirror(Mirror::Horizontal) => f.write_str("mirror horizontal"),
            Self::Mirror(Mirror::Vertical) => f.write_str("mirror vertical"),
            Self::Rotate(TurnDirection::Left) => f.write_str("rotate left"),
            Self::Rotate(TurnDirection::Right) => f.write_str("rotate right"),
            Self::Rotate(TurnDirection::Half) => f.write_str("rotate half"),
            Self::Shift(dx, dy) => write!(f, "shift {dx},{dy}"),
            Self::Random(scatter) => write!(f, "random {scatter}"),
            Self::Fill(state) => write!(f, "fill {state}"),
            Self::Clear(Region::Inside) => f.write_str("clear inside"),
            Self::Clear(Region::Outside) => f.write_str("clear outside"),
            Self::Clear(Region::All) => f.write_str("clear all"),
            Self::Zoom(change, at) => {
                match change {
                    ZoomChange::In => f.write_str("zoom in")?,
                    ZoomChange::Out => f.write_str("zoom out")?,
                    ZoomChange::To(zoom) => write!(f, "zoom {zoom}")?,
                }
                at.map_or(Ok(()), |(x, y)| write!(f, " at {x},{y}"))
            }
            Self::Pan(dx, dy) => write!(f, "pan {dx},{dy}"),
            Self::Scroll(direction, reach) => {
                let direction = match direction {
                    ScrollDirection::Left => "left",
                    ScrollDirection::Right => "right",
                    ScrollDirection::Up => "up",
                    ScrollDirection::Down => "down",
                };
                let far = if *reach == Reach::Far { " far" } else { "" };
                write!(f, "scroll {direction}{far}")
            }
            Self::Fit => f.write_str("fit"),
            Self::Centre(x, y) => write!(f, "centre {x},{y}"),
            Self::Follow(FollowChange::Live(switch)) => write!(f, "follow {switch}"),
            Self::Follow(FollowChange::Object(None)) => f.write_str("follow object"),
            Self::Follow(FollowChange::Object(Some(p))) => {
                write!(f, "follow object {}", CommandPoint(*p))
            }
            Self::Follow(FollowChange::Motion(motion)) => write!(f, "follow {motion}"),
            Self::Cursor(None) => f.write_str("cursor off"),
            Self::Cursor(Some((x, y))) => write!(f, "cursor {x},{y}"),
            Self::Nudge(dx, dy) => write!(f, "nudge {dx},{dy}"),
            Self::Tool(tool) => write!(f, "tool {}", tool.name()),
            Self::Pick(p) => write!(f, "pick {}", CommandPoint(*p)),
            Self::Grid(switch) => write!(f, "grid {switch}"),
            Self::Major(n) => write!(f, "major {n}"),
            Self::Curves(view) => write!(f, "curves {view}"),
            Self::Rulers(switch) => write!(f, "rulers {switch}"),
            Self::Measure([from, to]) => {
                write!(f, "measure {},{} {},{}", from.x, from.y, to.x, to.y)
            }
            Self::Icons(switch) => write!(f, "icons {switch}"),
            Self::Dying(switch) => write!(f, "dying {switch}"),
            Self::Age(switch) => write!(f, "age {switch}"),
            Self::Colouring(colouring) => write!(f, "colouring {}", colouring.name()),
            Self::History(switch) => write!(f, "history {switch}"),
            Self::Theme(name) => write!(f, "theme {name}"),
            Self::Colour(state, None) => write!(f, "colour {state} default"),
            Self::Colour(state, Some(colour)) => write!(f, "colour {state} {colour}"),
            Self::New => f.write_str("new"),
            Self::Rule(text) => write!(f, "rule {text}"),
            Self::Resize(rule::Topology::Unbounded) => f.write_str("resize unbounded"),
            Self::Resize(topology) => write!(f, "resize :{}", BareTopology(topology)),
            Self::Soup {
                width,
                height,
                scatter,
                symmetry,
            } => {
                write!(f, "soup {width}x{height} {scatter}")?;
                symmetry
                    .as_ref()
                    .map_or(Ok(()), |name| write!(f, " symmetry {name}"))
            }
            Self::Open(text) => write!(f, "open {text}"),
            Self::Save { name, format } => {
                f.write_str("save")?;
                name.as_ref().map_or(Ok(()), |name| write!(f, " {name}"))?;
                format.map_or(Ok(()), |format| write!(f, " as {}", format.name()))
            }
            Self::Name(text) => words(f, "name", text),
            Self::Author(text) => words(f, "author", text),
            Self::Comment(text) => words(f, "comment", &text.replace('\n', "\\n")),
            Self::Bookmark { name, is_set } => {
                let off = if *is_set { "" } else { " off" };
                write!(f, "bookmark {name}{off}")
            }
            Self::Visit(name) => write!(f, "visit {name}"),
            Self::Revert => f.write_str("revert"),
            Self::Help => f.write_str("help"),
        }
    }
}

fn words(f: &mut Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    f.write_str(name)?;
    match text {
        "" => Ok(()),
        text => write!(f, " {text}"),
    }
}

/// A topology without its optional leading colon.
struct BareTopology<'a>(&'a rule::Topology);

impl Display for BareTopology<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.to_string().trim_start_matches(':'))
    }
}

/// A cell in the notation of commands.
struct CommandPoint(Point);

impl Display for CommandPoint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0.x, self.0.y)
    }
}

impl Display for Switch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Toggle => "toggle",
        })
    }
}

impl Display for SpeedChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::To(speed) => write!(f, "{speed}"),
            Self::Most => f.write_str("max"),
            Self::Faster => f.write_str("faster"),
            Self::Slower => f.write_str("slower"),
        }
    }
}

impl Display for StrideChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::To(n) => write!(f, "{n}"),
            Self::Up => f.write_str("up"),
            Self::Down => f.write_str("down"),
        }
    }
}

impl Display for SelectionChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cells(r) => write!(f, "{},{} {}x{}", r.x, r.y, r.width, r.height),
            Self::All => f.write_str("all"),
            Self::Nothing => f.write_str("none"),
            Self::Shrink => f.write_str("shrink"),
            Self::Object(None) => f.write_str("object"),
            Self::Object(Some(p)) => write!(f, "object {}", CommandPoint(*p)),
            Self::Grow => f.write_str("grow"),
            Self::Next => f.write_str("next"),
            Self::Previous => f.write_str("previous"),
        }
    }
}

impl Display for Scatter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.amount {
            ScatterAmount::Density(density) => write!(f, "{density}")?,
            ScatterAmount::Count(count) => write!(f, "count {count}")?,
        }
        self.seed.map_or(Ok(()), |seed| write!(f, " seed {seed}"))
    }
}
