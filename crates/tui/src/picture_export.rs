//! Pictures and films that the world screen writes to a file: `picture NAME`, with the words of
//! [`PictureRequest`]. A film is made on another thread, from a copy of the world. Own method.

use engine::World;
use models::worker_pool::{JobHandle, WorkerPool};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use render::{
    AnimationTiming, Frame, GifWriter, Palette, Picture, PictureStyle, PngWriter, StateIcons,
    Viewport, Zoom,
};
use session::{CellMarker, CellMarkerOptions, PictureExtent, Session, Viewer, WorldCopy};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// The largest picture, in pixels.
const LARGEST: (u32, u32) = (4096, 4096);

/// The largest picture of a film.
const LARGEST_OF_FILM: (u32, u32) = (1280, 960);

/// The most pictures of a film.
const MOST_PICTURES: u32 = 2000;

/// A pixel of the terminal's view is so many of a picture where no size is wanted.
const PIXELS: u32 = 8;

/// What `picture` is asked for.
///
/// ```text
/// gun.png                          what is in view
/// gun.svg whole zoom 16            all that lives, 16 pixels a cell
/// gun.gif 0..60 every 2 fps 20     a film: from generation 0 to 60, each second one
/// ```
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PictureRequest {
    pub(crate) name: String,
    /// The words that it was read from.
    pub(crate) words: String,
    format: ExportFormat,
    extent: PictureExtent,
    span: Option<(BigInt, BigInt)>,
    every: BigUint,
    /// Hundredths of a second a picture.
    hundredths: u16,
}

/// The kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExportFormat {
    Png,
    Svg,
    Gif,
    Apng,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum PictureExportError {
    #[error("picture NAME: its ending says the kind, .png, .svg, .gif or .apng")]
    Name,
    #[error("`{0}` means nothing here: FROM..TO, every N, whole, zoom Z, fps N")]
    Word(String),
    #[error("one such file shows one generation; films are .gif and .apng")]
    Still,
    #[error("a film goes forward, from 1 to {MOST_PICTURES} pictures")]
    Span,
    #[error("{0}")]
    World(String),
    #[error("stopped")]
    Stopped,
}

impl PictureRequest {
    /// Reads the words after `picture`.
    pub(crate) fn parse(words: &str) -> Result<Self, PictureExportError> {
        let all = words.trim();
        let mut words = all.split_whitespace();
        let name = words.next().ok_or(PictureExportError::Name)?;
        let format = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("png") => ExportFormat::Png,
            Some("svg") => ExportFormat::Svg,
            Some("gif") => ExportFormat::Gif,
            Some("apng") => ExportFormat::Apng,
            _ => return Err(PictureExportError::Name),
        };
        let mut request = Self {
            name: name.into(),
            words: all.into(),
            format,
            extent: PictureExtent::default(),
            span: None,
            every: 1_u8.into(),
            hundredths: 10,
        };
        while let Some(word) = words.next() {
            let no_word = || PictureExportError::Word(word.into());
            let mut value = || words.next().ok_or_else(no_word);
            match word {
                "whole" => request.extent.is_whole = true,
                "zoom" => request.extent.zoom = Some(value()?.parse().map_err(|_| no_word())?),
                "every" => request.every = value()?.parse().map_err(|_| no_word())?,
                "fps" => {
                    let fps: f64 = value()?.parse().map_err(|_| no_word())?;
                    if !(0.1..=50.0).contains(&fps) {
                        return Err(no_word());
                    }
                    request.hundredths = (100.0 / fps).round() as u16;
                }
                _ => {
                    let (from, to) = word.split_once("..").ok_or_else(no_word)?;
                    let number = |text: &str| text.parse::<BigInt>().map_err(|_| no_word());
                    request.span = Some((number(from)?, number(to)?));
                }
            }
        }
        if request.every == BigUint::ZERO {
            return Err(PictureExportError::Span);
        }
        request.pictures()?;
        Ok(request)
    }

    /// How many pictures it has.
    fn pictures(&self) -> Result<u32, PictureExportError> {
        let Some((from, to)) = &self.span else {
            return Ok(1);
        };
        if matches!(self.format, ExportFormat::Png | ExportFormat::Svg) {
            return Err(PictureExportError::Still);
        }
        let span = (to - from).to_biguint().ok_or(PictureExportError::Span)?;
        let count = (span / &self.every + 1_u8).to_u32();
        count
            .filter(|&count| count <= MOST_PICTURES)
            .ok_or(PictureExportError::Span)
    }
}

/// A world as it is looked at, to draw elsewhere.
struct ExportScene {
    copy: WorldCopy,
    view: Viewport,
    palette: Palette,
    style: PictureStyle,
    icons: StateIcons,
    marks: CellMarkerOptions,
    memory: u64,
}

/// How far an export is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExportState {
    /// So many pictures of so many are made.
    Making(u32, u32),
    /// The file's bytes.
    Made(Vec<u8>),
    /// There will be none.
    Failed(PictureExportError),
}

/// A file that is being made. Dropped, it ends.
#[derive(Debug)]
pub(crate) struct PictureExport {
    pub(crate) request: PictureRequest,
    state: Arc<Mutex<ExportState>>,
    _handle: Option<JobHandle>,
}

impl PictureExport {
    /// Begins to make it, on a thread of the pool, or at once where there is none.
    pub(crate) fn start(
        request: PictureRequest,
        session: &Session,
        viewer: &Viewer,
        pool: Option<&WorkerPool>,
    ) -> Result<Self, PictureExportError> {
        let pictures = request.pictures()?;
        let from = request.span.as_ref().map(|(from, _)| from.clone());
        let from = from.unwrap_or_else(|| session.world().generation().clone());
        let copy = session.copy_before(&from);
        let copy = copy.map_err(|refusal| PictureExportError::World(refusal.to_string()))?;
        let view = &viewer.viewport;
        let scene = ExportScene {
            copy,
            // a character is one pixel wide: a picture has more
            view: view.magnified(enlarged(view.zoom)),
            palette: session.palette(viewer),
            style: session.style(),
            icons: session.icons(),
            marks: session.marker_options(),
            memory: session.file_access().limits.memory / 2,
        };
        let state = Arc::new(Mutex::new(ExportState::Making(0, pictures)));
        let (writer, plan) = (Arc::clone(&state), request.clone());
        let set = move |state| *writer.lock().unwrap_or_else(PoisonError::into_inner) = state;
        let job = move |goes_on: &dyn Fn() -> bool| {
            let mut done = |count| {
                set(ExportState::Making(count, pictures));
                goes_on()
            };
            let made = make(&scene, &plan, &from, pictures, &mut done);
            set(made.map_or_else(ExportState::Failed, ExportState::Made));
        };
        let handle = match pool {
            Some(pool) => Some(pool.begin(None, move |permit| job(&|| permit.goes_on()))),
            None => {
                job(&|| true);
                None
            }
        };
        Ok(Self {
            request,
            state,
            _handle: handle,
        })
    }

    /// How far it is.
    pub(crate) fn state(&self) -> ExportState {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clone()
    }
}

/// A zoom at which a pixel of the terminal is [`PIXELS`] of them.
fn enlarged(zoom: Zoom) -> Zoom {
    let power = PIXELS.ilog2();
    match zoom {
        Zoom::In(pixels) => Zoom::In((pixels * PIXELS).min(Zoom::NEAREST)),
        Zoom::Out(far) if far > power => Zoom::Out(far - power),
        Zoom::Out(near) => Zoom::In(1 << (power - near)),
    }
}

/// Makes the file. `done` is told of each picture, and says whether to go on.
fn make(
    scene: &ExportScene,
    request: &PictureRequest,
    from: &BigInt,
    pictures: u32,
    done: &mut dyn FnMut(u32) -> bool,
) -> Result<Vec<u8>, PictureExportError> {
    let failed = |error: &dyn std::fmt::Display| PictureExportError::World(error.to_string());
    let world = scene.copy.open(scene.memory);
    let mut world = world.map_err(|error| failed(&error))?;
    let world = world.as_mut();
    let mut marker = CellMarker::new(scene.marks, world);
    let before = (from - world.generation()).to_biguint();
    advance(&mut marker, world, &before.unwrap_or_default(), &mut || {
        done(0)
    })?;
    marker.look_for_periods(world);
    // what lives in any of the pictures
    let mut bounds = world.bounds();
    if request.extent.is_whole && pictures > 1 {
        let start = world.snapshot();
        let mut plain = CellMarker::new(CellMarkerOptions::default(), world);
        for _ in 1..pictures {
            advance(&mut plain, world, &request.every, &mut || done(0))?;
            bounds = match (bounds, world.bounds()) {
                (Some(one), Some(other)) => Some(session::bounds_of_both(&one, &other)),
                (one, other) => one.or(other),
            };
        }
        world.restore(&start).map_err(|error| failed(&error))?;
    }
    let most = match request.span {
        Some(_) => LARGEST_OF_FILM,
        None => LARGEST,
    };
    let viewport = request.extent.viewport(&scene.view, bounds.as_ref(), most);
    let first = marker.frame(world, &viewport);
    let paint = |frame: &Frame| frame.paint_with_icons(&scene.palette, &scene.style, &scene.icons);
    if request.format == ExportFormat::Svg {
        let text = render::svg_with_icons(&first, &scene.palette, &scene.style, &scene.icons);
        return Ok(text.into_bytes());
    }
    let picture = paint(&first);
    if request.format == ExportFormat::Png {
        return Ok(render::png(&picture));
    }
    let states = world.rule().states();
    let mut colours = scene.palette.colours(states, &first.content);
    colours.extend(scene.icons.colours(&scene.palette, states));
    let mut next = |count: u32| -> Result<Picture, PictureExportError> {
        if !done(count) {
            return Err(PictureExportError::Stopped);
        }
        advance(&mut marker, world, &request.every, &mut || done(count))?;
        Ok(paint(&marker.frame(world, &viewport)))
    };
    let mut out = Vec::new();
    let written = |outcome: io::Result<()>| outcome.map_err(|error| failed(&error));
    if request.format == ExportFormat::Gif {
        let film = GifWriter::new(&mut out, &picture, &colours, request.hundredths);
        let mut film = film.map_err(|error| failed(&error))?;
        written(film.push(&picture))?;
        for count in 1..pictures {
            written(film.push(&next(count)?))?;
        }
        written(film.finish())?;
    } else {
        let timing = AnimationTiming {
            pictures,
            hundredths: request.hundredths,
        };
        let film = PngWriter::new(&mut out, &picture, &colours, Some(timing));
        let mut film = film.map_err(|error| failed(&error))?;
        written(film.push(&picture))?;
        for count in 1..pictures {
            written(film.push(&next(count)?))?;
        }
        written(film.finish())?;
    }
    Ok(out)
}

fn advance(
    marker: &mut CellMarker,
    world: &mut dyn World,
    generations: &BigUint,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), PictureExportError> {
    if marker.advance(world, generations, &mut |_| go_on()).is_ok() {
        return Ok(());
    }
    Err(match world.memory_limit_error() {
        Some(error) => PictureExportError::World(error.to_string()),
        None => PictureExportError::Stopped,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_checked() {
        let request = PictureRequest::parse("a.gif 0..60 every 2 whole zoom 16 fps 20").unwrap();
        assert_eq!(request.pictures(), Ok(31));
        assert_eq!(request.hundredths, 5);
        assert_eq!(request.extent.zoom, Some(Zoom::In(16)));
        assert!(request.extent.is_whole);
        assert_eq!(PictureRequest::parse("a.png").unwrap().pictures(), Ok(1));
        for (words, error) in [
            ("", PictureExportError::Name),
            ("a.rle", PictureExportError::Name),
            ("a.png 0..9", PictureExportError::Still),
            ("a.gif 9..0", PictureExportError::Span),
            ("a.gif 0..2000", PictureExportError::Span),
            ("a.gif 0..9 every 0", PictureExportError::Span),
            ("a.gif 0..x", PictureExportError::Word("0..x".into())),
            ("a.gif fps 99", PictureExportError::Word("fps".into())),
            ("a.gif zoom", PictureExportError::Word("zoom".into())),
            (
                "a.gif upside-down",
                PictureExportError::Word("upside-down".into()),
            ),
        ] {
            assert_eq!(PictureRequest::parse(words), Err(error), "{words}");
        }
        // on another thread it is the same
        let session = Session::new(session::file_access::FileAccess::default(), 0);
        let viewer = Viewer::new(40, 20);
        let bytes = |pool: Option<&WorkerPool>| {
            let request = PictureRequest::parse("a.gif 0..3").unwrap();
            let export = PictureExport::start(request, &session, &viewer, pool).unwrap();
            loop {
                match export.state() {
                    ExportState::Making(..) => std::thread::yield_now(),
                    ExportState::Made(bytes) => return bytes,
                    ExportState::Failed(error) => panic!("{error}"),
                }
            }
        };
        let pool = WorkerPool::new(Arc::default());
        pool.spawn("film", 1).unwrap();
        assert_eq!(bytes(Some(&pool)), bytes(None));
        for (zoom, larger) in [
            ("1", "8"),
            ("8", "64"),
            ("1:2", "4"),
            ("1:8", "1"),
            ("1:32", "1:4"),
        ] {
            let zoom: Zoom = zoom.parse().unwrap();
            assert_eq!(
                enlarged(zoom).to_string(),
                larger.parse::<Zoom>().unwrap().to_string()
            );
        }
    }
}
