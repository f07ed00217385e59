//! `gridpaper render`: a pattern in, a picture of any of its generations out, or a moving
//! one of many.

use crate::argument::{CountArgument, MemoryArgument};
use crate::failure::{self, CliFailure};
use crate::input::{self, RuleArguments};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::ProgressMeter;
use clap::{Args, ValueEnum, ValueHint};
use clap::{builder::PossibleValuesParser, builder::TypedValueParser as _};
use engine::{EngineChoice, Options, World};
use grid::Rect;
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use pattern::Bounds;
use render::{
    AnimationTiming, CellColouring, Frame, GifWriter, Palette, Picture, PictureStyle, PngWriter,
    StateIcons, Theme, Viewport, Zoom, text,
};
use rule::Lattice;
use session::{CellMarker, CellMarkerOptions};
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Draw a pattern: one generation, or many as a moving picture
#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// A file of any known format, - , a built-in pattern's name, an apgcode, or RLE text
    #[arg(value_hint = ValueHint::FilePath)]
    pattern: OsString,

    /// The picture: its ending tells the format; - is standard output
    #[arg(value_hint = ValueHint::FilePath)]
    out: PathBuf,

    /// The format, when the ending does not tell
    #[arg(long, value_name = "FORMAT")]
    format: Option<RenderFormat>,

    /// Which generation to show: N, or A..B for all from A to B, both included
    #[arg(long, value_name = "N|A..B", default_value = "0")]
    gens: GenerationRange,

    /// Of A..B, show each K generations
    #[arg(long, value_name = "K", default_value = "1")]
    every: CountArgument,

    /// Pixels a cell, 1 to 64, or cells a pixel, such as 1:4; what fits, when it is left out
    #[arg(long, value_name = "ZOOM")]
    zoom: Option<Zoom>,

    /// Pixels across and down, such as 640x480; as large as it takes, when it is left out
    #[arg(long, value_name = "WxH")]
    size: Option<PixelSizeArgument>,

    /// The cell in the middle, such as 0,0; the middle of all that lives, when it is left out
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    view: Option<CellPositionArgument>,

    /// Rule the paper, where cells are 4 pixels wide or more
    #[arg(long)]
    grid: bool,

    /// Each how manieth line of the grid is strong; 0 for none
    #[arg(long, value_name = "N", default_value_t = 10, requires = "grid")]
    major: u32,

    /// Show which cells die in the next generation
    #[arg(long)]
    dying: bool,

    /// What the colour of a live cell says: its state, its age since generation 0, how often it
    /// changes, or after how many generations it repeats, where all cells do in their places
    #[arg(long, value_name = "WHAT", default_value = "state", value_parser = colourings())]
    colouring: CellColouring,

    /// Show trails where cells have died since generation 0
    #[arg(long)]
    trails: bool,

    /// Show cells as the icons of the rule's file, in pictures where a cell is 8 pixels wide or more
    #[arg(long)]
    icons: bool,

    /// The colours of the states
    #[arg(long, value_name = "NAME", default_value = "rule", value_parser = palettes())]
    palette: String,

    /// The colours of the sheet
    #[arg(long, value_name = "NAME", default_value = "paper", value_parser = themes())]
    theme: Theme,

    /// Pictures a second, of a moving picture: 0.1 to 50
    #[arg(long, value_name = "F", default_value = "10")]
    fps: Fps,

    /// What a text is made of; what suits the rule and the zoom, when it is left out
    #[arg(long, value_name = "KIND")]
    characters: Option<RenderCharacterSet>,

    #[command(flatten)]
    rule: RuleArguments,

    /// What does the stepping
    #[arg(long, default_value = "auto", value_parser = choices())]
    engine: EngineChoice,

    /// How many threads may be used
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,

    /// How much memory a hashed quadtree may take
    #[arg(long, value_name = "BYTES", default_value = "4G")]
    memory: MemoryArgument,
}

/// A world, and what marks the cells of its frames.
struct MarkedWorld<'a> {
    world: &'a mut dyn World,
    marker: &'a mut CellMarker,
}

impl MarkedWorld<'_> {
    fn frame(&self, viewport: &Viewport) -> Frame {
        self.marker.frame(self.world, viewport)
    }
}

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RenderFormat {
    Png,
    Apng,
    Gif,
    Svg,
    Txt,
}

/// What a text is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RenderCharacterSet {
    /// Two rows of pixels a line
    Blocks,
    /// Two columns and four rows of pixels a character
    Braille,
    /// A letter for each state
    Letters,
}

fn choices() -> impl clap::builder::TypedValueParser<Value = EngineChoice> {
    PossibleValuesParser::new(EngineChoice::ALL.map(EngineChoice::name))
        .try_map(|name| name.parse::<EngineChoice>())
}

fn palettes() -> PossibleValuesParser {
    PossibleValuesParser::new(Palette::names().collect::<Vec<_>>())
}

fn colourings() -> impl clap::builder::TypedValueParser<Value = CellColouring> {
    let names = CellColouring::ALL.map(CellColouring::name);
    PossibleValuesParser::new(names).map(|name| CellColouring::find(&name).unwrap_or_default())
}

fn themes() -> impl clap::builder::TypedValueParser<Value = Theme> {
    let names = Theme::ALL.map(|theme| theme.name);
    PossibleValuesParser::new(names).map(|name| Theme::find(&name).unwrap_or(Theme::PAPER))
}

/// What is said where heat or periods were asked for, and there are none.
const NOT_PERIODIC: &str =
    "these cells do not all come back to where they are: they have the colours of their states";

/// The most pixels of a picture: 256 megapixels take a gigabyte.
const MOST_PIXELS: u64 = 1 << 28;
/// The most pictures of a moving one.
const MOST_PICTURES: u32 = 100_000;
/// How large a picture gets when nobody says how large.
const ROOM: (u32, u32) = (1600, 1200);
/// How large a text gets then, in pixels: two columns of a terminal that is 80 wide.
const TEXT_ROOM: (u32, u32) = (160, 160);

impl RenderArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let format = self.format()?;
        let pictures = self.pictures(format)?;
        if self.out != Path::new("-") {
            output::check_place(&self.out)?;
        }
        let source = input::open_within(&self.pattern, self.memory.0)?;
        let rule = self.rule.rule(&source, None)?;
        let source = source::on_its_board(source, &rule)?;
        let options = Options {
            memory: self.memory.0,
            threads: self.threads.into(),
            ..Options::default()
        };
        let opened = engine::open(
            self.engine,
            &rule,
            &source.pattern,
            Some(&self.gens.last),
            &options,
        );
        let mut world = opened.map_err(CliFailure::wrong)?.world;
        let mut marker = CellMarker::new(self.marks(), world.as_mut());
        self.step(&mut marker, world.as_mut(), &self.gens.first)?;
        if !marker.look_for_periods(world.as_mut()) {
            failure::note(NOT_PERIODIC);
        }
        let viewport = self.viewport(world.as_mut(), format, pictures)?;
        let mut scene = MarkedWorld {
            world: world.as_mut(),
            marker: &mut marker,
        };
        self.write(&mut scene, &viewport, format, pictures)
    }

    fn marks(&self) -> CellMarkerOptions {
        CellMarkerOptions {
            colouring: self.colouring,
            trails: self.trails,
            dying: self.dying,
        }
    }

    /// The format that is named, else what the ending tells.
    fn format(&self) -> Result<RenderFormat, CliFailure> {
        let by_ending = || {
            let ending = self.out.extension()?.to_str()?;
            RenderFormat::from_str(ending, true).ok()
        };
        let hint = "pictures are png, apng, gif, svg and txt".to_string();
        let format = self.format.or_else(by_ending).ok_or_else(|| {
            let message = if self.out == Path::new("-") {
                "--format must tell what to write to standard output".to_string()
            } else {
                format!("{}: its ending tells no picture", self.out.display())
            };
            CliFailure::wrong(message).with_hint(hint)
        })?;
        let is_text = matches!(format, RenderFormat::Svg | RenderFormat::Txt);
        if self.out == Path::new("-") && !is_text && io::stdout().is_terminal() {
            let message = "a picture would be noise on a terminal";
            return Err(CliFailure::wrong(message).with_hint("give a file, or a pipe".to_string()));
        }
        Ok(format)
    }

    /// How many pictures there will be.
    fn pictures(&self, format: RenderFormat) -> Result<u32, CliFailure> {
        let GenerationRange { first, last, .. } = &self.gens;
        if self.every.0 == BigUint::ZERO {
            return Err(CliFailure::wrong(
                "--every 0 would draw one picture for ever",
            ));
        }
        let count = (last - first) / &self.every.0 + 1_u32;
        if self.gens.is_range && matches!(format, RenderFormat::Png | RenderFormat::Svg) {
            let message = format!("--gens {first}..{last}: one such file shows one generation");
            let hint = "moving pictures are .gif and .apng; .txt shows one below the other";
            return Err(CliFailure::wrong(message).with_hint(hint.to_string()));
        }
        count
            .to_u32()
            .filter(|&n| n <= MOST_PICTURES)
            .ok_or_else(|| {
                let message =
                    format!("that would be {count} pictures: at most {MOST_PICTURES} are drawn");
                let apart = (last - first) / 100_u32 + 1_u32;
                CliFailure::wrong(message).with_hint(format!("--every {apart} makes it a hundred"))
            })
    }

    /// What is looked at: what was asked for, else all that lives in any of the generations.
    /// The world ends where it began.
    fn viewport(
        &self,
        world: &mut dyn World,
        format: RenderFormat,
        pictures: u32,
    ) -> Result<Viewport, CliFailure> {
        let bounds = if self.size.is_some() && self.view.is_some() && self.zoom.is_some() {
            Rect::new(0, 0, 1, 1).into()
        } else {
            self.bounds(world, pictures)?
        };
        let is_text = format == RenderFormat::Txt;
        // Text is read as rows of characters: its cells stay squares.
        let lattice = match is_text {
            true => Lattice::Square,
            false => world.rule().lattice(),
        };
        let fitting =
            |(width, height): (u32, u32)| Viewport::fitting_on(lattice, &bounds, width, height);
        let room = if is_text { TEXT_ROOM } else { ROOM };
        let viewport = match (self.size, self.zoom) {
            (Some(PixelSizeArgument { width, height }), Some(zoom)) => {
                let blank = Viewport {
                    zoom,
                    lattice,
                    ..Viewport::new(width, height)
                };
                let (x, y) = fitting((width.max(9), height.max(9))).centre();
                blank.centred_on(&x, &y)
            }
            (Some(PixelSizeArgument { width, height }), None) => fitting((width, height)),
            (None, zoom) => {
                let zoom = zoom.unwrap_or_else(|| match fitting(room).zoom {
                    Zoom::In(_) if is_text => Zoom::In(1),
                    fitting => fitting,
                });
                around(lattice, &bounds, zoom, is_text)?
            }
        };
        let pixels = u64::from(viewport.width) * u64::from(viewport.height);
        if pixels > MOST_PIXELS {
            return Err(too_large(&viewport.width.into(), &viewport.height.into()));
        }
        if format == RenderFormat::Gif
            && viewport.width.max(viewport.height) > GifWriter::<io::Sink>::MAX_SIDE
        {
            let message = format!(
                "a GIF of {} x {} pixels: its sides are at most 65535 long",
                viewport.width, viewport.height
            );
            let hint = "give --size or a smaller --zoom, or make it an .apng".to_string();
            return Err(CliFailure::wrong(message).with_hint(hint));
        }
        Ok(match &self.view {
            Some(place) => viewport.centred_on(&place.x, &place.y),
            None => viewport,
        })
    }

    /// The box around all that lives in any of the generations shown.
    fn bounds(&self, world: &mut dyn World, pictures: u32) -> Result<Bounds, CliFailure> {
        let before = (pictures > 1).then(|| world.snapshot());
        let mut unmarked = CellMarker::new(CellMarkerOptions::default(), world);
        let mut bounds = world.bounds();
        for _ in 1..pictures {
            self.step(&mut unmarked, world, &self.every.0)?;
            bounds = match (bounds, world.bounds()) {
                (Some(a), Some(b)) => Some(union(&a, &b)),
                (a, b) => a.or(b),
            };
        }
        if let Some(before) = before {
            world.restore(&before).map_err(CliFailure::wrong)?;
        }
        Ok(bounds.unwrap_or_else(|| Rect::new(0, 0, 1, 1).into()))
    }

    fn write(
        &self,
        scene: &mut MarkedWorld<'_>,
        viewport: &Viewport,
        format: RenderFormat,
        pictures: u32,
    ) -> Result<(), CliFailure> {
        if self.out != Path::new("-") {
            let name = self.out.display().to_string();
            return output::to_file(&self.out, |out| {
                self.draw(scene, viewport, format, pictures, out, &name)
            });
        }
        let mut out = io::BufWriter::new(io::stdout().lock());
        let name = "standard output";
        self.draw(scene, viewport, format, pictures, &mut out, name)?;
        out.flush().map_err(|e| CliFailure::io(name, &e))
    }

    fn draw(
        &self,
        scene: &mut MarkedWorld<'_>,
        viewport: &Viewport,
        format: RenderFormat,
        pictures: u32,
        out: &mut dyn Write,
        name: &str,
    ) -> Result<(), CliFailure> {
        let failed = |e: io::Error| CliFailure::io(name, &e);
        let palette = Palette::named(&self.palette, scene.world.rule(), &self.theme);
        let palette = palette.ok_or_else(|| CliFailure::wrong("there is no such palette"))?;
        let style = PictureStyle {
            grid: self.grid,
            major: self.major,
            gap: true,
        };
        let first = scene.frame(viewport);
        let palette = palette.coloured_by(self.colouring);
        let states = scene.world.rule().states();
        let appearance = scene.world.rule().appearance();
        let icons = appearance.and_then(|appearance| appearance.icons.as_deref());
        let icons = icons.filter(|_| self.icons).map(StateIcons::read);
        let icons = icons.unwrap_or_default();
        let paint = |frame: &Frame| frame.paint_with_icons(&palette, &style, &icons);
        let moving = || {
            let picture = paint(&first);
            let mut colours = palette.colours(states, &first.content);
            colours.extend(icons.colours(&palette, states));
            (picture, colours)
        };
        match format {
            RenderFormat::Png => out.write_all(&render::png(&paint(&first))).map_err(failed),
            RenderFormat::Svg => {
                let text = render::svg_with_icons(&first, &palette, &style, &icons);
                out.write_all(text.as_bytes()).map_err(failed)
            }
            RenderFormat::Txt => {
                let mut write = |frame: &Frame, is_first: bool| {
                    let between = if is_first { "" } else { "\n" };
                    let lines = self.lines(frame, &palette).join("\n");
                    writeln!(out, "{between}{lines}").map_err(failed)
                };
                write(&first, true)?;
                self.go_on(scene, viewport, pictures, &mut |frame| write(frame, false))
            }
            RenderFormat::Gif => {
                let (picture, colours) = moving();
                let film = GifWriter::new(out, &picture, &colours, self.fps.hundredths());
                let mut film = film.map_err(failed)?;
                film.push(&picture).map_err(failed)?;
                self.go_on(scene, viewport, pictures, &mut |frame| {
                    film.push(&paint(frame)).map_err(failed)
                })?;
                film.finish().map_err(failed)
            }
            RenderFormat::Apng => {
                let (picture, colours): (Picture, _) = moving();
                let timing = AnimationTiming {
                    pictures,
                    hundredths: self.fps.hundredths(),
                };
                let film = PngWriter::new(out, &picture, &colours, Some(timing));
                let mut film = film.map_err(failed)?;
                film.push(&picture).map_err(failed)?;
                self.go_on(scene, viewport, pictures, &mut |frame| {
                    film.push(&paint(frame)).map_err(failed)
                })?;
                film.finish().map_err(failed)
            }
        }
    }

    /// All frames after the first one.
    fn go_on(
        &self,
        scene: &mut MarkedWorld<'_>,
        viewport: &Viewport,
        pictures: u32,
        each: &mut dyn FnMut(&Frame) -> Result<(), CliFailure>,
    ) -> Result<(), CliFailure> {
        let heed = InterruptGuard::new();
        let mut progress = ProgressMeter::new(pictures.into());
        for done in 1..pictures {
            self.advance(
                scene.marker,
                scene.world,
                &self.every.0,
                &heed,
                &mut ProgressMeter::new(BigUint::ZERO),
            )
            .and_then(|()| each(&scene.frame(viewport)))
            .inspect_err(|_| progress.clear())?;
            progress.reach(&done.into());
        }
        progress.clear();
        Ok(())
    }

    fn lines(&self, frame: &Frame, palette: &Palette) -> Vec<String> {
        let suits = || match (&frame.content, frame.viewport.zoom) {
            (_, Zoom::Out(_)) => RenderCharacterSet::Braille,
            (
                render::Content::Cells {
                    states: render::States::Bytes(_),
                    ..
                },
                _,
            ) => RenderCharacterSet::Letters,
            _ => RenderCharacterSet::Blocks,
        };
        match self.characters.unwrap_or_else(suits) {
            RenderCharacterSet::Blocks => text::half_blocks(frame, palette, false),
            RenderCharacterSet::Braille => text::braille(frame),
            RenderCharacterSet::Letters => text::letters(frame),
        }
    }

    /// So many generations on, with a bar where it takes long.
    fn step(
        &self,
        marker: &mut CellMarker,
        world: &mut dyn World,
        generations: &BigUint,
    ) -> Result<(), CliFailure> {
        let heed = InterruptGuard::new();
        let mut progress = ProgressMeter::new(generations.clone());
        let stepped = self.advance(marker, world, generations, &heed, &mut progress);
        progress.clear();
        stepped
    }

    fn advance(
        &self,
        marker: &mut CellMarker,
        world: &mut dyn World,
        generations: &BigUint,
        heed: &InterruptGuard,
        progress: &mut ProgressMeter,
    ) -> Result<(), CliFailure> {
        let outcome = marker.advance(world, generations, &mut |n| {
            progress.reach(n);
            !heed.asked_to_stop()
        });
        if outcome.is_ok() && !heed.asked_to_stop() {
            return Ok(());
        }
        progress.clear();
        let generation = world.generation();
        Err(match world.memory_limit_error() {
            Some(exhausted) if !heed.asked_to_stop() => {
                CliFailure::wrong(format_args!("generation {generation}: {exhausted}"))
                    .with_hint("--memory gives it more".to_string())
            }
            _ => CliFailure::interrupted(format_args!(
                "stopped at generation {generation}, no picture is written"
            )),
        })
    }
}

/// The view at this zoom that has all of the bounds, and a margin of a cell, or a few pixels
/// where cells are small; none around text.
fn around(
    lattice: Lattice,
    bounds: &Bounds,
    zoom: Zoom,
    is_text: bool,
) -> Result<Viewport, CliFailure> {
    let margin = match zoom {
        _ if is_text => 0,
        Zoom::In(pixels) => pixels.max(4),
        Zoom::Out(_) => 4,
    };
    let blank = Viewport {
        left: BigInt::ZERO,
        top: BigInt::ZERO,
        zoom,
        width: 0,
        height: 0,
        lattice,
    };
    let pixels = blank.pixel_bounds(bounds);
    let width: BigInt = pixels.right - &pixels.left + 2 * margin;
    let height: BigInt = pixels.bottom - &pixels.top + 2 * margin;
    match (width.to_u32(), height.to_u32()) {
        (Some(width), Some(height)) => Ok(Viewport {
            left: pixels.left - margin,
            top: pixels.top - margin,
            width,
            height,
            ..blank
        }),
        _ => Err(too_large(&width, &height)),
    }
}

fn too_large(width: &BigInt, height: &BigInt) -> CliFailure {
    let message = format!(
        "the picture would be {width} x {height} pixels: at most {MOST_PIXELS} are drawn, all in \
         all"
    );
    let hint = "give --size, and what fits is shown, or a smaller --zoom such as 1:16";
    CliFailure::wrong(message).with_hint(hint.to_string())
}

fn union(a: &Bounds, b: &Bounds) -> Bounds {
    let side = |a: (&BigInt, &BigUint), b: (&BigInt, &BigUint)| {
        let end = |(start, length): (&BigInt, &BigUint)| start + BigInt::from(length.clone());
        let start = a.0.min(b.0).clone();
        let length = end(a).max(end(b)) - &start;
        (start, length.magnitude().clone())
    };
    let (x, width) = side((&a.x, &a.width), (&b.x, &b.width));
    let (y, height) = side((&a.y, &a.height), (&b.y, &b.height));
    Bounds {
        x,
        y,
        width,
        height,
    }
}

/// One generation, or all from one to another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GenerationRange {
    first: BigUint,
    /// Not before the first.
    last: BigUint,
    is_range: bool,
}

impl FromStr for GenerationRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<CountArgument>().map(|count| count.0);
        let Some((first, last)) = text.split_once("..") else {
            let only = number(text)?;
            return Ok(Self {
                first: only.clone(),
                last: only,
                is_range: false,
            });
        };
        let (first, last) = (number(first)?, number(last)?);
        if last < first {
            return Err(format!("{last} comes before {first}"));
        }
        Ok(Self {
            first,
            last,
            is_range: true,
        })
    }
}

/// How large a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PixelSizeArgument {
    width: u32,
    height: u32,
}

impl FromStr for PixelSizeArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || "expected the pixels across and down, such as 640x480".to_string();
        let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(refuse)?;
        let side = |text: &str| {
            let side: u32 = text.trim().parse().map_err(|_| refuse())?;
            match side {
                0 => Err("a picture is at least 1 pixel wide and high".to_string()),
                _ => Ok(side),
            }
        };
        Ok(Self {
            width: side(width)?,
            height: side(height)?,
        })
    }
}

/// A cell, however far out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CellPositionArgument {
    x: BigInt,
    y: BigInt,
}

impl FromStr for CellPositionArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || "expected a column and a row, such as -20,15".to_string();
        let (x, y) = text.split_once(',').ok_or_else(refuse)?;
        let number = |text: &str| {
            let text = text.trim();
            let digits = text.strip_prefix('-');
            let CountArgument(count) = digits.unwrap_or(text).parse().map_err(|_| refuse())?;
            let count = BigInt::from(count);
            Ok::<_, String>(if digits.is_some() { -count } else { count })
        };
        Ok(Self {
            x: number(x)?,
            y: number(y)?,
        })
    }
}

/// Pictures a second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fps(f64);

impl Fps {
    /// How long each is shown, in hundredths of a second.
    fn hundredths(self) -> u16 {
        (100.0 / self.0).round() as u16
    }
}

impl FromStr for Fps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim().parse().ok();
        let number = number.filter(|fps| (0.1..=50.0).contains(fps));
        number
            .map(Self)
            .ok_or_else(|| "expected pictures a second, 0.1 to 50".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read() {
        let read = |text: &str| {
            let span = text.parse::<GenerationRange>().ok()?;
            Some((span.first.to_u64()?, span.last.to_u64()?, span.is_range))
        };
        assert_eq!(read("7"), Some((7, 7, false)));
        assert_eq!(read("0..10^2"), Some((0, 100, true)));
        assert_eq!(read(" 3 .. 3 "), Some((3, 3, true)));
        assert_eq!(
            ["", "..", "3..", "..3", "4..3", "1...3", "-1"].map(read),
            [None; 7]
        );
    }

    #[test]
    fn sizes_places_and_paces_are_read() {
        let pixels = |text: &str| {
            text.parse::<PixelSizeArgument>()
                .ok()
                .map(|p| (p.width, p.height))
        };
        assert_eq!(pixels("640x480"), Some((640, 480)));
        assert_eq!(["640", "0x4", "4x0", "-4x4", "4x"].map(pixels), [None; 5]);
        let place = |text: &str| {
            text.parse::<CellPositionArgument>()
                .ok()
                .map(|p| format!("{} {}", p.x, p.y))
        };
        assert_eq!(place("-20,15").as_deref(), Some("-20 15"));
        assert_eq!(place("10^3, -2^4").as_deref(), Some("1000 -16"));
        assert_eq!(
            ["", "4", "4,", "a,b", "--4,4"].map(place),
            [const { None }; 5]
        );
        let hundredths = |text: &str| text.parse::<Fps>().ok().map(Fps::hundredths);
        assert_eq!(hundredths("10"), Some(10));
        assert_eq!(hundredths("0.1"), Some(1000));
        assert_eq!(hundredths("50"), Some(2));
        assert_eq!(["0", "51", "NaN", "x"].map(hundredths), [None; 4]);
    }

    #[test]
    fn boxes_join() {
        let of = |x, y, w, h| Bounds::from(Rect::new(x, y, w, h));
        let joined = union(&of(-3, 0, 2, 9), &of(4, 2, 1, 1));
        assert_eq!(joined, of(-3, 0, 8, 9));
    }
}
