//! Parses text into commands.

use super::table::{ALL, entry};
use super::{
    Command, DrawnShape, FollowChange, Mirror, PasteMode, Reach, Region, Scatter, ScatterAmount,
    ScrollDirection, SelectionChange, SpeedChange, StrideChange, Switch, Tool, TurnDirection,
    ZoomChange,
};
use crate::ship_motion::ShipMotion;
use engine::EngineChoice;
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use pattern::Format;
use pattern::soup::SoupSymmetry;
use plot::PlotView;
use render::{CellColouring, Rgb};
use rule::Topology;
use std::str::FromStr;
use thiserror::Error;

/// Why a text is not a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The text is empty.
    #[error("a command is missing")]
    Empty,
    /// The first word is not the name of a command.
    #[error("`{word}` is no command")]
    Unknown {
        /// The word.
        word: String,
        /// A command with a similar spelling.
        near: Option<&'static str>,
    },
    /// A word is missing.
    #[error("{name} needs {what}")]
    Missing {
        /// The command.
        name: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// A word is not of the expected form.
    #[error("{name}: `{word}` is not {what}")]
    Wrong {
        /// The command.
        name: &'static str,
        /// The word.
        word: String,
        /// The expected form.
        what: String,
    },
    /// There are too many words.
    #[error("{name}: `{word}` is one word too many")]
    TooMany {
        /// The command.
        name: &'static str,
        /// The word.
        word: String,
    },
}

impl CommandError {
    /// A hint for the user.
    ///
    /// ```
    /// use session::Command;
    ///
    /// let error = "stpe 4".parse::<Command>().unwrap_err();
    /// assert_eq!(error.hint().as_deref(), Some("did you mean step?"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let name = match self {
            Self::Empty => return Some("help lists the commands".into()),
            Self::Unknown { near: None, .. } => return Some("help lists the commands".into()),
            Self::Unknown {
                near: Some(near), ..
            } => return Some(format!("did you mean {near}?")),
            Self::Missing { name, .. } | Self::Wrong { name, .. } | Self::TooMany { name, .. } => {
                name
            }
        };
        let usage = entry(name)?.usage;
        Some(format!("{name} {usage}").trim_end().to_string())
    }
}

type Result<T> = std::result::Result<T, CommandError>;

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self> {
        let mut text = text.trim();
        let (mut is_sure, mut is_seen) = (false, false);
        // Repeated `anyway` means the same as one, and so does `seen`. A loop, so that a long text
        // cannot overflow the stack.
        while let (name @ ("anyway" | "seen"), rest) = split(text) {
            if rest.is_empty() {
                let what = "a command";
                return Err(match name {
                    "anyway" => CommandError::Missing {
                        name: "anyway",
                        what,
                    },
                    _ => CommandError::Missing { name: "seen", what },
                });
            }
            is_sure |= name == "anyway";
            is_seen |= name == "seen";
            text = rest;
        }
        let mut command = Self::without_prefix(text)?;
        if is_sure {
            command = Self::Anyway(Box::new(command));
        }
        if is_seen {
            command = Self::Seen(Box::new(command));
        }
        Ok(command)
    }
}

impl Command {
    /// Whether a rectangle lies close enough to the origin to be selected: only then can it be
    /// rotated and moved.
    pub(crate) fn reaches(rect: &Rect) -> bool {
        let reaches = |start: i64, side: u64| {
            let end = start.checked_add_unsigned(side);
            start >= -MAX_COORDINATE && end.is_some_and(|end| end <= MAX_COORDINATE)
        };
        reaches(rect.x, rect.width) && reaches(rect.y, rect.height)
    }

    fn without_prefix(text: &str) -> Result<Self> {
        let (first, rest) = split(text);
        if first.is_empty() {
            return Err(CommandError::Empty);
        }
        let Some(entry) = entry(first) else {
            let near = ALL
                .iter()
                // Much longer words resemble no name and are not compared.
                .filter(|e| first.len() <= 2 * e.name.len() + 4)
                .map(|e| (strsim::damerau_levenshtein(e.name, first), e.name));
            let near = near.min().filter(|(distance, _)| *distance <= 2);
            return Err(CommandError::Unknown {
                word: first.to_string(),
                near: near.map(|(_, name)| name),
            });
        };
        let mut words = CommandWords {
            name: entry.name,
            rest,
        };
        let command = words.command()?;
        words.end()?;
        Ok(command)
    }
}

/// The first word and the rest.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.find(char::is_whitespace) {
        Some(end) => (&text[..end], text[end..].trim_start()),
        None => (text, ""),
    }
}

/// The words after the command's name.
struct CommandWords<'a> {
    name: &'static str,
    rest: &'a str,
}

impl<'a> CommandWords<'a> {
    #[allow(clippy::too_many_lines, reason = "one line a command, as in the table")]
    fn command(&mut self) -> Result<Command> {
        Ok(match self.name {
            "run" => Command::Run,
            "stop" => Command::Stop,
            "toggle" => Command::Toggle,
            "step" => Command::Step(self.optional(whole, "a number of generations")?),
            "back" => Command::Back(self.optional(whole, "a number of generations")?),
            "reset" => Command::Reset,
            "goto" => Command::GoTo(self.one(signed, "a generation")?),
            "cancel" => Command::Cancel,
            "speed" => Command::Speed(self.one(speed, "a speed from 0.1, max, faster or slower")?),
            "stride" => Command::Stride(self.one(stride, "a number of generations, up or down")?),
            "hyper" => Command::Hyper(self.switch()?),
            "engine" => {
                let what = "auto, naive, torus, tiles or hashlife";
                Command::Engine(self.one(|w| w.parse::<EngineChoice>().ok(), what)?)
            }
            "memory" => Command::Memory(self.one(bytes, "a size such as 4G or 512M")?),
            "set" => Command::Set(self.point()?, self.state()?),
            "flip" => Command::Flip(self.optional(point, "a cell such as 3,4")?),
            "draw" => self.draw()?,
            "rectangle" => self.shape(DrawnShape::Rectangle)?,
            "ellipse" => self.shape(DrawnShape::Ellipse)?,
            "flood" => Command::Flood(self.state()?, self.point()?),
            "symmetry" => self.symmetry()?,
            "pen" => Command::Pen(self.state()?),
            "run-while-drawing" => Command::RunWhileDrawing(self.switch()?),
            "undo" => Command::Undo(self.changes()?),
            "redo" => Command::Redo(self.changes()?),
            "select" => Command::Select(self.selecting()?),
            "cut" => Command::Cut,
            "copy" => Command::Copy,
            "clipboard" => Command::Clipboard(self.text("cells, as RLE or an apgcode")?),
            "paste" => self.paste(),
            "paste-next" => Command::PasteNext,
            "paste-mode" => Command::PasteMode(self.one(mode, "or, xor, copy or and")?),
            "paste-mirror" => Command::PasteMirror(self.one(mirror, "horizontal or vertical")?),
            "paste-rotate" => Command::PasteRotate(self.one(turn, "left, right or half")?),
            "mirror" => Command::Mirror(self.one(mirror, "horizontal or vertical")?),
            "rotate" => Command::Rotate(self.one(turn, "left, right or half")?),
            "shift" => {
                let Point { x, y } = self.one(point, "a distance such as 3,-4")?;
                Command::Shift(x, y)
            }
            "random" => Command::Random(self.scatter()?),
            "fill" => Command::Fill(self.state()?),
            "clear" => Command::Clear(self.one(region, "inside, outside or all")?),
            "zoom" => self.zoom()?,
            "pan" => {
                let Point { x, y } = self.one(point, "pixels such as 10,-20")?;
                Command::Pan(x, y)
            }
            "scroll" => self.scroll()?,
            "fit" => Command::Fit,
            "centre" => {
                let (x, y) = self.one(far_point, "a cell such as 3,4")?;
                Command::Centre(x, y)
            }
            "follow" => Command::Follow(self.follow()?),
            "cursor" => {
                let cursor = |word: &str| match word {
                    "off" => Some(None),
                    word => far_point(word).map(Some),
                };
                Command::Cursor(self.one(cursor, "a cell such as 3,4, or off")?)
            }
            "nudge" => {
                let Point { x, y } = self.one(point, "a distance such as 1,0")?;
                Command::Nudge(x, y)
            }
            "tool" => {
                let tool = |word: &str| named(&Tool::ALL, word);
                let what = "draw, erase, line, rectangle, ellipse, flood, select, pan or pick";
                Command::Tool(self.one(tool, what)?)
            }
            "pick" => Command::Pick(self.point()?),
            "grid" => Command::Grid(self.switch()?),
            "major" => Command::Major(self.one(|w| w.parse().ok(), "a number of cells")?),
            "curves" => self.curves()?,
            "rulers" => Command::Rulers(self.switch()?),
            "measure" => Command::Measure([self.point()?, self.point()?]),
            "icons" => Command::Icons(self.switch()?),
            "dying" => Command::Dying(self.switch()?),
            "age" => Command::Age(self.switch()?),
            "colouring" => {
                Command::Colouring(self.one(CellColouring::find, "state, age, heat or period")?)
            }
            "history" => Command::History(self.switch()?),
            "theme" => {
                let theme = |word: &str| {
                    let known = word == "auto" || render::Theme::find(word).is_some();
                    known.then(|| word.to_string())
                };
                Command::Theme(self.one(theme, "paper, blueprint, contrast, sepia, night or auto")?)
            }
            "colour" => {
                let state = self.state()?;
                let colour = |word: &str| match word {
                    "default" => Some(None),
                    word => word.parse::<Rgb>().ok().map(Some),
                };
                Command::Colour(
                    state,
                    self.one(colour, "a colour such as #cc3311, or default")?,
                )
            }
            "new" => Command::New,
            "rule" => Command::Rule(self.text("a rule")?),
            "resize" => Command::Resize(self.topology()?),
            "soup" => self.soup()?,
            "open" => Command::Open(self.text("a file, a pattern's name, or RLE")?),
            "save" => self.save()?,
            "name" => Command::Name(self.take_rest().to_string()),
            "author" => Command::Author(self.take_rest().to_string()),
            "comment" => Command::Comment(self.take_rest().replace("\\n", "\n")),
            "bookmark" => Command::Bookmark {
                name: self.one(|word| Some(word.to_string()), "a name")?,
                is_set: !self.takes("off"),
            },
            "visit" => Command::Visit(self.one(|word| Some(word.to_string()), "a bookmark")?),
            "revert" => Command::Revert,
            "help" => Command::Help,
            name => unreachable!("{name} stands in the table"),
        })
    }

    /// The next word, if any.
    fn word(&mut self) -> Option<&'a str> {
        let (word, rest) = split(self.rest);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Consumes the next word if it equals `wanted`.
    fn takes(&mut self, wanted: &str) -> bool {
        let (word, rest) = split(self.rest);
        let is_it = word == wanted;
        if is_it {
            self.rest = rest;
        }
        is_it
    }

    /// Consumes the next word if `read` parses it.
    fn may<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (word, rest) = split(self.rest);
        let found = read(word)?;
        self.rest = rest;
        Some(found)
    }

    fn take_rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    fn text(&mut self, what: &'static str) -> Result<String> {
        let name = self.name;
        match self.take_rest() {
            "" => Err(CommandError::Missing { name, what }),
            text => Ok(text.to_string()),
        }
    }

    fn one<T>(&mut self, read: impl Fn(&str) -> Option<T>, what: &'static str) -> Result<T> {
        let name = self.name;
        let word = self.word().ok_or(CommandError::Missing { name, what })?;
        read(word).ok_or_else(|| self.wrong(word, what))
    }

    fn wrong(&self, word: &str, what: &str) -> CommandError {
        CommandError::Wrong {
            name: self.name,
            word: word.to_string(),
            what: what.to_string(),
        }
    }

    fn optional<T>(
        &mut self,
        read: impl Fn(&str) -> Option<T>,
        what: &'static str,
    ) -> Result<Option<T>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.one(read, what).map(Some)
    }

    fn end(&mut self) -> Result<()> {
        match self.word() {
            None => Ok(()),
            Some(word) => Err(CommandError::TooMany {
                name: self.name,
                word: word.to_string(),
            }),
        }
    }

    fn switch(&mut self) -> Result<Switch> {
        let switch = |word: &str| {
            Some(match word {
                "on" => Switch::On,
                "off" => Switch::Off,
                "toggle" => Switch::Toggle,
                _ => return None,
            })
        };
        self.one(switch, "on, off or toggle")
    }

    fn point(&mut self) -> Result<Point> {
        self.one(point, "a cell such as 3,4")
    }

    fn state(&mut self) -> Result<State> {
        self.one(|w| w.parse().ok(), "a state, 0 to 255")
    }

    /// A number of changes; one where none is named.
    fn changes(&mut self) -> Result<u32> {
        let count = |word: &str| word.parse().ok().filter(|count| *count > 0);
        let count = self.optional(count, "a number of changes")?;
        Ok(count.unwrap_or(1))
    }

    fn curves(&mut self) -> Result<Command> {
        let mut view = PlotView::NOTHING;
        while !self.rest.is_empty() {
            let what = "population, births, deaths, width, height, log-x or log-y";
            let with = |word: &str| {
                let mut with = view;
                with.read_word(word).then_some(with)
            };
            view = self.one(with, what)?;
        }
        // Where only axes are named, the population is meant.
        Ok(Command::Curves(view.toggled(&[])))
    }

    fn draw(&mut self) -> Result<Command> {
        let more = self.takes("more");
        let state = self.state()?;
        let mut points = vec![self.point()?];
        while !self.rest.is_empty() {
            points.push(self.point()?);
        }
        Ok(Command::Draw {
            more,
            state,
            points,
        })
    }

    fn follow(&mut self) -> Result<FollowChange> {
        if self.takes("object") {
            let at = self.optional(point, "a cell such as 3,4")?;
            return Ok(FollowChange::Object(at));
        }
        let change = |word: &str| match word {
            "on" => Some(FollowChange::Live(Switch::On)),
            "off" => Some(FollowChange::Live(Switch::Off)),
            "toggle" => Some(FollowChange::Live(Switch::Toggle)),
            word => ShipMotion::parse(word).map(FollowChange::Motion),
        };
        self.one(
            change,
            "on, off, toggle, object, or cells in generations such as 1,-1/4",
        )
    }

    fn shape(&mut self, shape: DrawnShape) -> Result<Command> {
        let is_filled = self.takes("filled");
        Ok(Command::Shape {
            shape,
            is_filled,
            state: self.state()?,
            corners: [self.point()?, self.point()?],
        })
    }

    fn symmetry(&mut self) -> Result<Command> {
        let symmetry = |word: &str| word.parse::<SoupSymmetry>().ok();
        let what = "a symmetry: C1 C2 C4 D2- D2| D2\\ D2/ D4+ D4x D8";
        let symmetry = self.one(symmetry, what)?;
        let Some(corner) = self.optional(point, "a cell such as 3,4")? else {
            return Ok(Command::Symmetry(symmetry, None));
        };
        let size = self.optional(size, "a size such as 10x8")?;
        let (width, height) = size.unwrap_or((1, 1));
        let rect = Rect::new(corner.x, corner.y, width, height);
        if rect.is_empty() || !Command::reaches(&rect) {
            return Err(self.wrong(&format!("{width}x{height}"), "a size that fits the sheet"));
        }
        Ok(Command::Symmetry(symmetry, Some(rect)))
    }

    fn selecting(&mut self) -> Result<SelectionChange> {
        for (word, selecting) in [
            ("all", SelectionChange::All),
            ("none", SelectionChange::Nothing),
            ("shrink", SelectionChange::Shrink),
            ("grow", SelectionChange::Grow),
            ("next", SelectionChange::Next),
            ("previous", SelectionChange::Previous),
        ] {
            if self.takes(word) {
                return Ok(selecting);
            }
        }
        if self.takes("object") {
            return Ok(SelectionChange::Object(
                self.optional(point, "a cell such as 3,4")?,
            ));
        }
        let what = "a cell such as 3,4, all, none, shrink, grow or object";
        let corner = self.one(point, what)?;
        let (width, height) = self.one(size, "a size such as 10x8")?;
        let rect = Rect::new(corner.x, corner.y, width, height);
        if !Command::reaches(&rect) {
            return Err(self.wrong(&format!("{width}x{height}"), "a size that fits the sheet"));
        }
        Ok(SelectionChange::Cells(rect))
    }

    fn paste(&mut self) -> Command {
        let at = self.may(point);
        let mode = self.may(mode);
        let text = self.take_rest();
        Command::Paste {
            at,
            mode,
            text: (!text.is_empty()).then(|| text.to_string()),
        }
    }

    fn scatter(&mut self) -> Result<Scatter> {
        let amount = if self.takes("count") {
            ScatterAmount::Count(self.one(|w| whole(w)?.to_u64(), "a number of cells")?)
        } else {
            let density = |w: &str| w.parse().ok().filter(|d| (0.0..=1.0).contains(d));
            ScatterAmount::Density(self.one(density, "a density from 0 to 1, or count N")?)
        };
        let seed = match self.takes("seed") {
            true => Some(self.one(|w| w.parse().ok(), "a seed, a whole number")?),
            false => None,
        };
        Ok(Scatter { amount, seed })
    }

    fn zoom(&mut self) -> Result<Command> {
        let change = |word: &str| match word {
            "in" => Some(ZoomChange::In),
            "out" => Some(ZoomChange::Out),
            word => word.parse().ok().map(ZoomChange::To),
        };
        let what = "in, out, pixels a cell such as 8, or cells a pixel such as 1:4";
        let change = self.one(change, what)?;
        let at = match self.takes("at") {
            true => Some(self.one(point, "a pixel such as 30,40")?),
            false => None,
        };
        Ok(Command::Zoom(change, at.map(|p| (p.x, p.y))))
    }

    fn scroll(&mut self) -> Result<Command> {
        let direction = |word: &str| {
            Some(match word {
                "left" => ScrollDirection::Left,
                "right" => ScrollDirection::Right,
                "up" => ScrollDirection::Up,
                "down" => ScrollDirection::Down,
                _ => return None,
            })
        };
        let direction = self.one(direction, "left, right, up or down")?;
        let reach = match self.takes("far") {
            true => Reach::Far,
            false => Reach::Near,
        };
        Ok(Command::Scroll(direction, reach))
    }

    fn topology(&mut self) -> Result<Topology> {
        let what = "a size such as 64x48, unbounded, or a topology such as :T64,48";
        let name = self.name;
        let word = self.word().ok_or(CommandError::Missing { name, what })?;
        if word == "unbounded" {
            return Ok(Topology::Unbounded);
        }
        if let Some(text) = word.strip_prefix(':') {
            return text
                .parse()
                .map_err(|e: rule::RuleError| self.wrong(word, &format!("a topology: {e}")));
        }
        let (width, height) = size(word)
            .filter(|(width, height)| *width > 0 && *height > 0)
            .ok_or_else(|| self.wrong(word, what))?;
        let shape = self.word().unwrap_or("plane");
        let text = match shape {
            "plane" => format!("P{width},{height}"),
            "torus" => format!("T{width},{height}"),
            "klein" => format!("K{width}*,{height}"),
            "cross" => format!("C{width},{height}"),
            "sphere" if width == height => format!("S{width}"),
            "sphere" => return Err(self.wrong(word, "square, as a sphere needs to be")),
            _ => return Err(self.wrong(shape, "plane, torus, klein, cross or sphere")),
        };
        text.parse()
            .map_err(|e: rule::RuleError| self.wrong(word, &format!("possible: {e}")))
    }

    fn soup(&mut self) -> Result<Command> {
        let (width, height) = self.one(size, "a size such as 64x64")?;
        let scatter = self.scatter()?;
        let symmetry = match self.takes("symmetry") {
            true => Some(self.one(|w| Some(w.to_string()), "a symmetry such as D8")?),
            false => None,
        };
        Ok(Command::Soup {
            width,
            height,
            scatter,
            symmetry,
        })
    }

    fn save(&mut self) -> Result<Command> {
        let text = self.take_rest();
        let (name, format) = match text.rsplit_once("as ") {
            Some((name, format)) if name.is_empty() || name.ends_with(' ') => {
                let format = format.trim();
                let known = Format::from_name(format);
                let known = known.ok_or_else(|| self.wrong(format, "a format such as rle"))?;
                (name.trim(), Some(known))
            }
            _ => (text.trim(), None),
        };
        Ok(Command::Save {
            name: (!name.is_empty()).then(|| name.to_string()),
            format,
        })
    }
}

fn named<T: Copy>(all: &[(T, &str)], word: &str) -> Option<T> {
    all.iter().find(|(_, name)| *name == word).map(|(t, _)| *t)
}

fn mode(word: &str) -> Option<PasteMode> {
    named(&PasteMode::ALL, word)
}

fn mirror(word: &str) -> Option<Mirror> {
    Some(match word {
        "horizontal" => Mirror::Horizontal,
        "vertical" => Mirror::Vertical,
        _ => return None,
    })
}

fn turn(word: &str) -> Option<TurnDirection> {
    Some(match word {
        "left" => TurnDirection::Left,
        "right" => TurnDirection::Right,
        "half" => TurnDirection::Half,
        _ => return None,
    })
}

fn region(word: &str) -> Option<Region> {
    Some(match word {
        "inside" => Region::Inside,
        "outside" => Region::Outside,
        "all" => Region::All,
        _ => return None,
    })
}

fn speed(word: &str) -> Option<SpeedChange> {
    Some(match word {
        "max" => SpeedChange::Most,
        "faster" => SpeedChange::Faster,
        "slower" => SpeedChange::Slower,
        _ => {
            let speed: f64 = word.parse().ok()?;
            SpeedChange::To(Some(speed).filter(|s| s.is_finite() && *s >= 0.1)?)
        }
    })
}

fn stride(word: &str) -> Option<StrideChange> {
    Some(match word {
        "up" => StrideChange::Up,
        "down" => StrideChange::Down,
        _ => StrideChange::To(whole(word).filter(|n| *n > BigUint::ZERO)?),
    })
}

/// The furthest coordinate of a selection, so that it can be rotated and moved.
const MAX_COORDINATE: i64 = 1 << 62;

/// The longest power in bits, to bound the work of parsing.
const MAX_POWER_BITS: u64 = 100_000;

/// `1000`, `1_000`, `10^12`, `2^64`.
fn whole(word: &str) -> Option<BigUint> {
    let plain = |text: &str| -> Option<BigUint> {
        let digits = text.replace('_', "");
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        (is_number && digits.len() < 30_000).then(|| digits.parse().ok())?
    };
    match word.split_once('^') {
        None => plain(word),
        Some((base, power)) => {
            let (base, power) = (plain(base)?, plain(power)?.to_u32()?);
            (base.bits().saturating_mul(power.into()) <= MAX_POWER_BITS).then(|| base.pow(power))
        }
    }
}

fn signed(word: &str) -> Option<BigInt> {
    match word.strip_prefix('-') {
        Some(rest) => whole(rest).map(|n| -BigInt::from(n)),
        None => whole(word).map(BigInt::from),
    }
}

/// `4G`, `512M`, `1000000`.
fn bytes(word: &str) -> Option<u64> {
    let scale = |unit: char| {
        Some(match unit.to_ascii_uppercase() {
            'K' => 10,
            'M' => 20,
            'G' => 30,
            'T' => 40,
            _ => return None,
        })
    };
    let last = word.chars().last()?;
    match scale(last) {
        Some(shift) => {
            let number: u64 = word[..word.len() - last.len_utf8()].parse().ok()?;
            number.checked_mul(1 << shift)
        }
        None => word.parse().ok(),
    }
    .filter(|bytes| *bytes > 0)
}

fn point(word: &str) -> Option<Point> {
    let (x, y) = word.split_once(',')?;
    Some(Point::new(x.parse().ok()?, y.parse().ok()?))
}

fn far_point(word: &str) -> Option<(BigInt, BigInt)> {
    let (x, y) = word.split_once(',')?;
    Some((signed(x)?, signed(y)?))
}

fn size(word: &str) -> Option<(u64, u64)> {
    let (width, height) = word.split_once('x')?;
    let side = |text: &str| text.parse::<u64>().ok().filter(|n| *n < 1 << 62);
    Some((side(width)?, side(height)?))
}
