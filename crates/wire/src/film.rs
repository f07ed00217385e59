//! Moving pictures of a world, as GIF or APNG.
//!
//! A film is drawn from a copy of the world, and its pieces are handed on while it is made: no file
//! is held in memory, and who stops reading ends it. A server makes it on a thread
//! ([`make_film`]); a page without one in a worker with a machine of its own, which is given the
//! world as a draft ([`make_film_of_job`]).

use crate::clock::WireClock;
use crate::news::NewsSink;
use crate::page_request::{PageAnswer, PageRequest};
use crate::world_host::WorldHost;
use engine::World;
use num_bigint::{BigInt, BigUint};
use render::{
    AnimationTiming, Frame, GifWriter, Palette, PictureStyle, PngWriter, StateIcons, Viewport,
};
use serde::{Deserialize, Serialize};
use session::file_access::FileAccess;
use session::{
    CellMarker, CellMarkerOptions, CommandRefusal, PictureExtent, Session, Viewer, WorldCopy,
};
use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The most pictures of a film.
const MOST_PICTURES: u32 = 2000;

/// The largest picture, in pixels: the middle of a larger view is shown.
const LARGEST: (u32, u32) = (1280, 960);

/// The longest time that a film may take.
const LONGEST: Duration = Duration::from_secs(300);

/// The most memory of a film's world, in bytes.
const MOST_MEMORY: u64 = 512 << 20;

/// Pieces have this size in bytes, and are handed on after this time even if they are smaller.
const PIECE: usize = 64 << 10;
const BETWEEN_PIECES: Duration = Duration::from_millis(100);

/// While a world is on its way to the next picture, its reader hears this often that it is.
const BETWEEN_SIGNS: Duration = Duration::from_secs(1);

/// What a film is to show.
///
/// ```
/// use wire::{FilmQuery, PageRequest};
///
/// let query = |address| FilmQuery::of(&PageRequest::read(address, Vec::new()));
/// assert!(query("/film.gif?from=0&to=100&every=10").plan().is_ok());
/// let error = query("/film.gif?from=9&to=3").plan().expect_err("it goes backward");
/// assert_eq!(error.to_string(), "a film goes forward, and 3 comes before 9");
/// ```
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct FilmQuery {
    from: String,
    to: String,
    every: Option<String>,
    /// Pictures a second.
    fps: Option<f64>,
    /// Whose view it shows.
    pub tab: Option<u64>,
    /// The whole pattern, in all pictures, whatever its value.
    whole: Option<String>,
    /// Another size of the cells than in the view.
    zoom: Option<String>,
    /// Wraps each piece, see [`FilmPiece::wrapped`].
    progress: Option<String>,
}

/// The same, checked.
#[derive(Clone, Debug)]
pub struct FilmPlan {
    /// The generation of the first picture.
    pub from: BigInt,
    every: BigUint,
    pictures: u32,
    hundredths: u16,
    extent: PictureExtent,
    /// Each piece says how far the film is, see [`FilmPiece::wrapped`].
    pub is_wrapped: bool,
}

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FilmFormat {
    /// GIF, of at most 256 colours.
    Gif,
    /// APNG.
    Apng,
}

impl FilmFormat {
    /// The media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Gif => "image/gif",
            Self::Apng => "image/apng",
        }
    }

    /// The format that an address asks for: `/film.gif` or `/film.apng`.
    ///
    /// ```
    /// use wire::FilmFormat;
    /// assert_eq!(FilmFormat::of_path("/film.apng"), Some(FilmFormat::Apng));
    /// assert_eq!(FilmFormat::of_path("/picture.png"), None);
    /// ```
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        match path {
            "/film.gif" => Some(Self::Gif),
            "/film.apng" => Some(Self::Apng),
            _ => None,
        }
    }
}

/// A world at a generation, and how it is looked at.
pub struct FilmScene {
    copy: WorldCopy,
    viewport: Viewport,
    palette: Palette,
    style: PictureStyle,
    marks: CellMarkerOptions,
    icons: StateIcons,
}

impl FilmScene {
    /// A world as somebody sees it, at a generation or before it.
    ///
    /// # Errors
    /// When the generation lies before the start.
    pub fn of(session: &Session, viewer: &Viewer, from: &BigInt) -> Result<Self, CommandRefusal> {
        Ok(Self {
            copy: session.copy_before(from)?,
            palette: session.palette(viewer),
            style: session.style(),
            marks: session.marker_options(),
            icons: session.icons(),
            viewport: viewer.viewport.clone(),
        })
    }
}

/// Why there is no film.
#[derive(Debug, Error)]
pub enum FilmError {
    /// A text that is no generation.
    #[error("{0} is no generation")]
    Generation(String),
    /// It would go backward.
    #[error("a film goes forward, and {to} comes before {from}")]
    Backward {
        /// The first generation.
        from: BigInt,
        /// The last one.
        to: BigInt,
    },
    /// A text that is no number of generations.
    #[error("every {0}: that is no number of generations")]
    Every(String),
    /// It would have more pictures than a film may have.
    #[error("that would be {0} pictures: {MOST_PICTURES} are the most")]
    TooMany(BigUint),
    /// So many pictures a second cannot be shown.
    #[error("0.1 to 50 pictures a second can be shown")]
    Speed,
    /// It took too long.
    #[error("the film took longer than {} minutes", LONGEST.as_secs() / 60)]
    TooLong,
    /// The engine does not take the world.
    #[error(transparent)]
    World(#[from] engine::UnsupportedError),
    /// The world takes more memory than a film's may.
    #[error(transparent)]
    Memory(#[from] engine::MemoryLimitError),
    /// Nobody reads it any more.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The world cannot be opened again.
    #[error(transparent)]
    Refused(#[from] CommandRefusal),
    /// It is no order for a film.
    #[error("this is no order for a film: {0}")]
    Job(String),
}

impl FilmError {
    /// What helps.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::TooMany(_) => Some("show fewer generations, or each tenth"),
            _ => None,
        }
    }
}

impl FilmQuery {
    /// What an address asks for.
    #[must_use]
    pub fn of(request: &PageRequest) -> Self {
        let text = |name| request.value(name).map(String::from);
        Self {
            from: text("from").unwrap_or_default(),
            to: text("to").unwrap_or_default(),
            every: text("every"),
            // a text that is no number is no speed
            fps: request
                .value("fps")
                .map(|fps| fps.parse().unwrap_or(f64::NAN)),
            tab: request.value("tab").and_then(|tab| tab.parse().ok()),
            whole: text("whole"),
            zoom: text("zoom"),
            progress: text("progress"),
        }
    }

    /// Checks it. See the example of [`FilmQuery`].
    ///
    /// # Errors
    /// When there can be no such film.
    pub fn plan(&self) -> Result<FilmPlan, FilmError> {
        let generation = |text: &str| {
            let number = text.trim().parse::<BigInt>();
            number.map_err(|_| FilmError::Generation(text.into()))
        };
        let (from, to) = (generation(&self.from)?, generation(&self.to)?);
        let every = self.every.as_deref().unwrap_or("1");
        let no_number = || FilmError::Every(every.into());
        let every: BigUint = every.trim().parse().map_err(|_| no_number())?;
        if every == BigUint::ZERO {
            return Err(no_number());
        }
        let Some(span) = (&to - &from).to_biguint() else {
            return Err(FilmError::Backward { from, to });
        };
        let count = span / &every + 1_u8;
        let pictures = u32::try_from(&count)
            .ok()
            .filter(|&count| count <= MOST_PICTURES);
        let fps = self.fps.unwrap_or(10.0);
        if !(0.1..=50.0).contains(&fps) {
            return Err(FilmError::Speed);
        }
        Ok(FilmPlan {
            from,
            every,
            pictures: pictures.ok_or(FilmError::TooMany(count))?,
            hundredths: (100.0 / fps).round() as u16,
            extent: PictureExtent {
                is_whole: self.whole.is_some(),
                zoom: self.zoom.as_ref().and_then(|zoom| zoom.parse().ok()),
            },
            is_wrapped: self.progress.as_ref().is_some_and(|wanted| wanted != "0"),
        })
    }
}

/// A piece of the file, and how many pictures were done with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilmPiece {
    /// Pictures done.
    pub done: u32,
    /// The next bytes of the file, which may be none.
    pub bytes: Vec<u8>,
}

impl FilmPiece {
    /// What went wrong, in place of a piece.
    #[must_use]
    pub fn failure(error: &impl ToString) -> Self {
        Self {
            done: u32::MAX,
            bytes: error.to_string().into_bytes(),
        }
    }

    /// The number of pictures done and of bytes, 4 bytes each, the lowest first, and then the
    /// bytes.
    ///
    /// ```
    /// let piece = wire::FilmPiece { done: 258, bytes: vec![7] };
    /// assert_eq!(piece.wrapped(), [2, 1, 0, 0, 1, 0, 0, 0, 7]);
    /// ```
    #[must_use]
    pub fn wrapped(&self) -> Vec<u8> {
        let mut wrapped = self.done.to_le_bytes().to_vec();
        wrapped.extend((self.bytes.len() as u32).to_le_bytes());
        wrapped.extend(&self.bytes);
        wrapped
    }
}

/// Who a film is made for.
pub trait FilmReader {
    /// Takes the next piece.
    ///
    /// # Errors
    /// When nobody reads any more.
    fn put(&self, piece: FilmPiece) -> io::Result<()>;

    /// Hears now and then that it is still being made, with so many pictures done.
    fn hear_sign(&self, done: u32);

    /// Whether somebody reads it still.
    fn is_read(&self) -> bool;

    /// Hears how many bytes its world holds.
    fn holds(&self, bytes: u64);
}

/// Draws and writes all pictures. Its world may take `memory` bytes, and no more than a film's may.
///
/// # Errors
/// When that cannot be done, or nobody reads it any more.
///
/// ```
/// use session::{Session, Viewer, file_access::FileAccess};
/// use std::{cell::RefCell, io, sync::Arc, time::Duration};
/// use wire::*;
///
/// #[derive(Default)]
/// struct Reader(RefCell<Vec<u8>>);
/// impl FilmReader for Reader {
///     fn put(&self, piece: FilmPiece) -> io::Result<()> {
///         self.0.borrow_mut().extend(piece.bytes);
///         Ok(())
///     }
///     fn hear_sign(&self, _: u32) {}
///     fn is_read(&self) -> bool { true }
///     fn holds(&self, _: u64) {}
/// }
///
/// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(64, 48));
/// session.apply(&mut viewer, &"open glider".parse()?)?;
/// let request = PageRequest::read("/film.gif?from=0&to=8&every=4", Vec::new());
/// let plan = FilmQuery::of(&request).plan()?;
/// let scene = FilmScene::of(&session, &viewer, &plan.from)?;
/// let reader = Reader::default();
/// let clock: WireClock = Arc::new(|| Duration::ZERO);
/// make_film(&scene, &plan, FilmFormat::Gif, 1 << 24, &clock, &reader)?;
/// assert!(reader.0.borrow().starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn make_film(
    scene: &FilmScene,
    plan: &FilmPlan,
    format: FilmFormat,
    memory: u64,
    clock: &WireClock,
    reader: &dyn FilmReader,
) -> Result<(), FilmError> {
    let mut world = scene.copy.open(memory.min(MOST_MEMORY))?;
    let deadline = clock() + LONGEST;
    let done = Cell::new(0);
    let mut marker = CellMarker::new(scene.marks, world.as_mut());
    let advance = |marker: &mut CellMarker, world: &mut dyn World, n: &BigUint| {
        reader.holds(world.bytes());
        let mut told = clock();
        let mut go_on = |_: &BigUint| {
            let now = clock();
            if now.saturating_sub(told) >= BETWEEN_SIGNS {
                told = now;
                reader.hear_sign(done.get());
            }
            reader.is_read() && now < deadline
        };
        if marker.advance(world, n, &mut go_on).is_ok() {
            return Ok(());
        }
        match world.memory_limit_error() {
            Some(error) => Err(FilmError::Memory(error)),
            None => Err(FilmError::TooLong),
        }
    };
    let before = (&plan.from - world.generation()).to_biguint();
    advance(&mut marker, world.as_mut(), &before.unwrap_or_default())?;
    marker.look_for_periods(world.as_mut());
    // what lives in any of the pictures
    let mut bounds = world.bounds();
    if plan.extent.is_whole && plan.pictures > 1 {
        let start = world.snapshot();
        let mut plain = CellMarker::new(CellMarkerOptions::default(), world.as_mut());
        for _ in 1..plan.pictures {
            advance(&mut plain, world.as_mut(), &plan.every)?;
            bounds = match (bounds, world.bounds()) {
                (Some(one), Some(other)) => Some(session::bounds_of_both(&one, &other)),
                (one, other) => one.or(other),
            };
        }
        world.restore(&start)?;
    }
    let viewport = plan
        .extent
        .viewport(&scene.viewport, bounds.as_ref(), LARGEST);
    let first = marker.frame(world.as_ref(), &viewport);
    let states = world.rule().states();
    let mut colours = scene.palette.colours(states, &first.content);
    colours.extend(scene.icons.colours(&scene.palette, states));
    let paint = |frame: &Frame| frame.paint_with_icons(&scene.palette, &scene.style, &scene.icons);
    let first = paint(&first);
    let mut out = FilmWriter {
        reader,
        bytes: Vec::new(),
        done: &done,
        clock,
        sent: clock(),
    };
    let mut film: Box<dyn FilmEncoder> = match format {
        FilmFormat::Gif => Box::new(GifWriter::new(&mut out, &first, &colours, plan.hundredths)?),
        FilmFormat::Apng => {
            let timing = AnimationTiming {
                pictures: plan.pictures,
                hundredths: plan.hundredths,
            };
            Box::new(PngWriter::new(&mut out, &first, &colours, Some(timing))?)
        }
    };
    film.push(&first)?;
    for picture in 1..plan.pictures {
        done.set(picture);
        advance(&mut marker, world.as_mut(), &plan.every)?;
        let frame = marker.frame(world.as_ref(), &viewport);
        film.push(&paint(&frame))?;
    }
    film.finish()?;
    done.set(plan.pictures);
    out.flush()?;
    Ok(())
}

/// Either of the two writers.
trait FilmEncoder {
    fn push(&mut self, picture: &render::Picture) -> io::Result<()>;
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl<W: Write> FilmEncoder for GifWriter<W> {
    fn push(&mut self, picture: &render::Picture) -> io::Result<()> {
        GifWriter::push(self, picture)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        GifWriter::finish(*self)
    }
}

impl<W: Write> FilmEncoder for PngWriter<W> {
    fn push(&mut self, picture: &render::Picture) -> io::Result<()> {
        PngWriter::push(self, picture)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        PngWriter::finish(*self)
    }
}

/// Hands on what is written to it.
struct FilmWriter<'a> {
    reader: &'a dyn FilmReader,
    bytes: Vec<u8>,
    done: &'a Cell<u32>,
    clock: &'a WireClock,
    sent: Duration,
}

impl FilmWriter<'_> {
    fn send(&mut self) -> io::Result<()> {
        self.sent = (self.clock)();
        self.reader.put(FilmPiece {
            done: self.done.get(),
            bytes: std::mem::take(&mut self.bytes),
        })
    }
}

impl Write for FilmWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        let waited = (self.clock)().saturating_sub(self.sent);
        if self.bytes.len() >= PIECE || waited >= BETWEEN_PIECES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()
    }
}

/// The order of a film for a machine that does not have the world: a line of JSON, and behind it
/// the world's draft with the generations that it can go back to.
#[derive(Debug, Deserialize, Serialize)]
struct FilmJob {
    query: FilmQuery,
    format: FilmFormat,
    /// The view in pixels, its corner and its zoom, and whether it is dark where the theme is left to
    /// it.
    view: (u32, u32),
    corner: (String, String),
    zoom: String,
    is_dark: bool,
    /// Bytes that the film's world may take.
    memory: u64,
}

/// Answers the request for a film with its order, for [`make_film_of_job`].
pub(crate) fn answer<Sink: NewsSink>(
    request: &PageRequest,
    format: FilmFormat,
    host: &WorldHost<Sink>,
) -> PageAnswer {
    let query = FilmQuery::of(request);
    let plan = match query.plan() {
        Ok(plan) => plan,
        Err(error) => return PageAnswer::problem(400, &error, error.hint()),
    };
    let viewer = host.viewer_of(query.tab);
    // what it refuses is known before a machine is started
    let checked = FilmScene::of(&host.session, &viewer, &plan.from);
    let draft = checked.and_then(|_| host.session.draft_with_history(&viewer));
    let draft = match draft {
        Ok(draft) => draft.bytes,
        Err(refusal) => return PageAnswer::problem(422, &refusal, refusal.hint().as_deref()),
    };
    let job = FilmJob {
        query,
        format,
        view: (viewer.viewport.width, viewer.viewport.height),
        corner: (
            viewer.viewport.left.to_string(),
            viewer.viewport.top.to_string(),
        ),
        zoom: viewer.viewport.zoom.to_string(),
        is_dark: viewer.is_dark,
        memory: (host.session.file_access().limits.memory / 2).min(MOST_MEMORY),
    };
    // texts and numbers are JSON
    let mut bytes = serde_json::to_vec(&job).unwrap_or_default();
    bytes.push(b'\n');
    bytes.extend(draft);
    PageAnswer::job(bytes)
}

/// Who hears the wrapped pieces of a film that nobody can stop but with its machine.
struct PieceEar<'a>(RefCell<&'a mut dyn FnMut(Vec<u8>)>);

impl PieceEar<'_> {
    fn hear(&self, piece: &FilmPiece) {
        (self.0.borrow_mut())(piece.wrapped());
    }
}

impl FilmReader for PieceEar<'_> {
    fn put(&self, piece: FilmPiece) -> io::Result<()> {
        self.hear(&piece);
        Ok(())
    }

    fn hear_sign(&self, done: u32) {
        let bytes = Vec::new();
        self.hear(&FilmPiece { done, bytes });
    }

    fn is_read(&self) -> bool {
        true
    }

    fn holds(&self, _bytes: u64) {}
}

/// Makes the film of an order, as a [`crate::HostedWorld`] answers `/film.gif` and `/film.apng`
/// with, and hands on its wrapped pieces; the last of them says what went wrong, where something
/// has.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use wire::{HostedWorld, Room, WireClock, make_film_of_job};
///
/// let clock: WireClock = Arc::new(|| Duration::ZERO);
/// let mut world = HostedWorld::open(64 << 20, 1, Arc::clone(&clock));
/// world.tell(r#"{"do":"open glider","id":1}"#)?;
/// let answer = world.request(b"/film.gif?from=0&to=4\n");
/// let end = answer.iter().position(|&byte| byte == b'\n').expect("a line");
/// let mut pieces = Vec::new();
/// make_film_of_job(&answer[end + 1..], &clock, &mut |piece| pieces.push(piece));
/// assert!(pieces[0][8..].starts_with(b"GIF89a"));
/// # Ok::<(), String>(())
/// ```
pub fn make_film_of_job(job: &[u8], clock: &WireClock, hear: &mut dyn FnMut(Vec<u8>)) {
    let ear = PieceEar(RefCell::new(hear));
    if let Err(error) = make_job(job, clock, &ear) {
        ear.hear(&FilmPiece::failure(&error));
    }
}

fn make_job(job: &[u8], clock: &WireClock, reader: &dyn FilmReader) -> Result<(), FilmError> {
    let end = job.iter().position(|&byte| byte == b'\n');
    let (head, draft) = job.split_at(end.unwrap_or(job.len()));
    let job: FilmJob =
        serde_json::from_slice(head).map_err(|error| FilmError::Job(error.to_string()))?;
    let mut file_access = FileAccess::default();
    file_access.limits.memory = job.memory;
    file_access.limits.undo = job.memory / 8;
    let mut session = Session::new(file_access, 0);
    let time = Arc::clone(clock);
    session.set_clock(move || time());
    let mut viewer = Viewer::new(job.view.0, job.view.1);
    viewer.is_dark = job.is_dark;
    session.restore_draft(&mut viewer, draft.get(1..).unwrap_or_default())?;
    let (left, top) = (job.corner.0.parse(), job.corner.1.parse());
    let (Ok(left), Ok(top), Ok(zoom)) = (left, top, job.zoom.parse()) else {
        return Err(FilmError::Job("it has no view".into()));
    };
    let viewport = &mut viewer.viewport;
    (viewport.left, viewport.top, viewport.zoom) = (left, top, zoom);
    let plan = job.query.plan()?;
    let scene = FilmScene::of(&session, &viewer, &plan.from)?;
    drop(session);
    make_film(&scene, &plan, job.format, job.memory, clock, reader)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_checked() {
        let check = |from: &str, to: &str, every: &str, fps: &str| {
            let address = format!("/film.gif?from={from}&to={to}&every={every}&fps={fps}");
            let plan = FilmQuery::of(&PageRequest::read(&address, Vec::new())).plan();
            plan.map(|plan| (plan.pictures, plan.hundredths))
                .map_err(|error| error.to_string())
        };
        let rows = [
            (("0", "100", "1", "10"), Ok((101, 10))),
            (("5", "5", "3", "50"), Ok((1, 2))),
            (("0", "99", "10", "0.1"), Ok((10, 1000))),
            (("0", "1999", "1", "10"), Ok((2000, 10))),
            (
                ("0", "2000", "1", "10"),
                Err("that would be 2001 pictures: 2000 are the most"),
            ),
            (
                ("9", "3", "1", "10"),
                Err("a film goes forward, and 3 comes before 9"),
            ),
            (("x", "3", "1", "10"), Err("x is no generation")),
            (
                ("0", "3", "0", "10"),
                Err("every 0: that is no number of generations"),
            ),
            (
                ("0", "3", "1", "fast"),
                Err("0.1 to 50 pictures a second can be shown"),
            ),
        ];
        for ((from, to, every, fps), expected) in rows {
            let expected = expected.map_err(str::to_string);
            assert_eq!(check(from, to, every, fps), expected, "{from}..{to}");
        }
    }
}
