//! Moving pictures of a world, as GIF or APNG.
//!
//! A film is drawn from a copy of the world on a thread of its own and sent while it is made: no
//! file is held in memory, and who stops reading ends it. One film is made at a time, and others
//! wait: so films take one processor core, whoever asks for them.

use crate::memory_pool::PoolShare;
use crate::panic_containment::contain;
use crate::response::{ErrorResponse, error_response};
use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use engine::World;
use num_bigint::{BigInt, BigUint};
use render::{
    AnimationTiming, Frame, GifWriter, Palette, PictureStyle, PngWriter, StateIcons, Viewport,
};
use serde::Deserialize;
use session::{CellMarker, CellMarkerOptions, PictureExtent, WorldCopy};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc};

/// The most pictures of a film.
const MOST_PICTURES: u32 = 2000;

/// The largest picture, in pixels: the middle of a larger view is shown.
const LARGEST: (u32, u32) = (1280, 960);

/// The longest time that a film may take.
const LONGEST: Duration = Duration::from_secs(300);

/// The most memory of a film's world, in bytes.
const MOST_MEMORY: u64 = 512 << 20;

/// Bytes are sent in pieces of this size, and after this time also smaller ones.
const PIECE: usize = 64 << 10;
const BETWEEN_PIECES: Duration = Duration::from_millis(100);

/// While a world is on its way to the next picture, its reader hears this often that it is.
const BETWEEN_SIGNS: Duration = Duration::from_secs(1);

/// Pieces that wait to be sent.
const MOST_WAITING: usize = 4;

/// What a film is to show.
#[derive(Deserialize)]
pub(crate) struct FilmQuery {
    from: String,
    to: String,
    every: Option<String>,
    /// Pictures a second.
    fps: Option<f64>,
    pub(crate) tab: Option<u64>,
    /// The whole pattern, in all pictures, whatever its value.
    whole: Option<String>,
    /// Another size of the cells than in the view.
    zoom: Option<String>,
    /// Wraps each piece: the number of pictures done and of bytes, 4 bytes each, lowest first.
    progress: Option<String>,
}

/// The same, checked.
#[derive(Clone, Debug)]
pub(crate) struct FilmPlan {
    pub(crate) from: BigInt,
    every: BigUint,
    pictures: u32,
    hundredths: u16,
    extent: PictureExtent,
    is_wrapped: bool,
}

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilmFormat {
    Gif,
    Apng,
}

impl FilmFormat {
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Gif => "image/gif",
            Self::Apng => "image/apng",
        }
    }
}

/// A world at a generation, and how it is looked at.
pub(crate) struct FilmScene {
    pub(crate) copy: WorldCopy,
    pub(crate) viewport: Viewport,
    pub(crate) palette: Palette,
    pub(crate) style: PictureStyle,
    pub(crate) marks: CellMarkerOptions,
    pub(crate) icons: StateIcons,
}

/// Why there is no film.
#[derive(Debug, Error)]
pub(crate) enum FilmError {
    #[error("{0} is no generation")]
    Generation(String),
    #[error("a film goes forward, and {to} comes before {from}")]
    Backward { from: BigInt, to: BigInt },
    #[error("every {0}: that is no number of generations")]
    Every(String),
    #[error("that would be {0} pictures: {MOST_PICTURES} are the most")]
    TooMany(BigUint),
    #[error("0.1 to 50 pictures a second can be shown")]
    Speed,
    #[error("a film of this world is being made already")]
    Busy,
    #[error("the film took longer than {} minutes", LONGEST.as_secs() / 60)]
    TooLong,
    #[error(transparent)]
    World(#[from] engine::UnsupportedError),
    #[error(transparent)]
    Memory(#[from] engine::MemoryLimitError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<FilmError> for ErrorResponse {
    fn from(error: FilmError) -> Self {
        let (code, hint) = match error {
            FilmError::Busy => (StatusCode::TOO_MANY_REQUESTS, None),
            FilmError::TooMany(_) => (
                StatusCode::BAD_REQUEST,
                Some("show fewer generations, or each tenth"),
            ),
            _ => (StatusCode::BAD_REQUEST, None),
        };
        error_response(code, error, hint)
    }
}

impl FilmQuery {
    pub(crate) fn plan(&self) -> Result<FilmPlan, FilmError> {
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

/// The films under way: one is made at a time, and one a world waits or is made.
pub(crate) struct FilmQueue {
    turn: Arc<Semaphore>,
    worlds: Arc<Mutex<BTreeSet<String>>>,
}

/// A film's turn. It ends when this is dropped.
pub(crate) struct FilmTurn {
    _place: FilmPlace,
    _permit: OwnedSemaphorePermit,
}

struct FilmPlace {
    worlds: Arc<Mutex<BTreeSet<String>>>,
    id: String,
}

impl Drop for FilmPlace {
    fn drop(&mut self) {
        let mut worlds = self.worlds.lock().unwrap_or_else(PoisonError::into_inner);
        worlds.remove(&self.id);
    }
}

impl FilmQueue {
    pub(crate) fn new() -> Self {
        Self {
            turn: Arc::new(Semaphore::new(1)),
            worlds: Arc::default(),
        }
    }

    /// Takes a place for a world, or says that it has one.
    fn place(&self, id: &str) -> Result<FilmPlace, FilmError> {
        let mut worlds = self.worlds.lock().unwrap_or_else(PoisonError::into_inner);
        if !worlds.insert(id.to_string()) {
            return Err(FilmError::Busy);
        }
        Ok(FilmPlace {
            worlds: Arc::clone(&self.worlds),
            id: id.to_string(),
        })
    }

    /// Waits until it is a world's turn.
    pub(crate) async fn wait(&self, id: &str) -> Result<FilmTurn, ErrorResponse> {
        let place = self.place(id)?;
        let permit = Arc::clone(&self.turn).acquire_owned().await;
        Ok(FilmTurn {
            _place: place,
            _permit: permit.map_err(|error: AcquireError| ErrorResponse::from(error))?,
        })
    }
}

/// A piece of the file, and how many pictures were done with it.
struct FilmPiece {
    done: u32,
    bytes: Vec<u8>,
}

/// Begins to make a film, and returns what becomes of it as the body of a response.
pub(crate) fn start(
    scene: FilmScene,
    plan: FilmPlan,
    format: FilmFormat,
    share: PoolShare,
    turn: FilmTurn,
) -> Body {
    let (sender, receiver) = mpsc::channel(MOST_WAITING);
    let is_wrapped = plan.is_wrapped;
    tokio::task::spawn_blocking(move || {
        let maker = sender.clone();
        // A panic ends the film, which its reader sees by the pictures that are missing.
        let made = contain(move || make(&scene, &plan, format, &share, &maker));
        if let Ok(Err(error)) = made {
            let _ = sender.blocking_send(Err(io::Error::other(error.to_string())));
        }
        drop(turn);
    });
    let pieces = futures_util::stream::unfold(receiver, async |mut receiver| {
        let piece: Result<FilmPiece, io::Error> = receiver.recv().await?;
        Some((piece, receiver))
    });
    Body::from_stream(futures_util::StreamExt::map(pieces, move |piece| {
        let (done, bytes) = match piece {
            Ok(piece) => (piece.done, piece.bytes),
            // A wrapped film tells its error as text.
            Err(error) if is_wrapped => (u32::MAX, error.to_string().into_bytes()),
            Err(error) => return Err(error),
        };
        if !is_wrapped {
            return Ok(Bytes::from(bytes));
        }
        let mut wrapped = done.to_le_bytes().to_vec();
        wrapped.extend((bytes.len() as u32).to_le_bytes());
        wrapped.extend(bytes);
        Ok(Bytes::from(wrapped))
    }))
}

/// Draws and writes all pictures.
fn make(
    scene: &FilmScene,
    plan: &FilmPlan,
    format: FilmFormat,
    share: &PoolShare,
    sender: &mpsc::Sender<Result<FilmPiece, io::Error>>,
) -> Result<(), FilmError> {
    let memory = (share.update(0) / 2).min(MOST_MEMORY);
    let mut world = scene.copy.open(memory)?;
    let deadline = Instant::now() + LONGEST;
    let done = Arc::new(AtomicU32::new(0));
    let mut marker = CellMarker::new(scene.marks, world.as_mut());
    let advance = |marker: &mut CellMarker, world: &mut dyn World, n: &BigUint| {
        share.update(world.bytes());
        let mut told = Instant::now();
        let mut go_on = |_: &BigUint| {
            // Nothing is sent meanwhile; this keeps the connection.
            if told.elapsed() >= BETWEEN_SIGNS {
                told = Instant::now();
                let done = done.load(Ordering::Relaxed);
                let _ = sender.try_send(Ok(FilmPiece {
                    done,
                    bytes: Vec::new(),
                }));
            }
            !sender.is_closed() && Instant::now() < deadline
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
        sender: sender.clone(),
        bytes: Vec::new(),
        done: Arc::clone(&done),
        sent: Instant::now(),
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
        done.store(picture, Ordering::Relaxed);
        advance(&mut marker, world.as_mut(), &plan.every)?;
        let frame = marker.frame(world.as_ref(), &viewport);
        film.push(&paint(&frame))?;
    }
    film.finish()?;
    done.store(plan.pictures, Ordering::Relaxed);
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

/// Sends what is written to it.
struct FilmWriter {
    sender: mpsc::Sender<Result<FilmPiece, io::Error>>,
    bytes: Vec<u8>,
    done: Arc<AtomicU32>,
    sent: Instant,
}

impl FilmWriter {
    fn send(&mut self) -> io::Result<()> {
        let piece = FilmPiece {
            done: self.done.load(Ordering::Relaxed),
            bytes: std::mem::take(&mut self.bytes),
        };
        self.sent = Instant::now();
        let sent = self.sender.blocking_send(Ok(piece));
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for FilmWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= PIECE || self.sent.elapsed() >= BETWEEN_PIECES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_checked() {
        let check = |from: &str, to: &str, every: &str, fps: f64| {
            let query = FilmQuery {
                from: from.into(),
                to: to.into(),
                every: Some(every.into()),
                fps: Some(fps),
                tab: None,
                whole: None,
                zoom: None,
                progress: None,
            };
            let plan = query.plan();
            plan.map(|plan| (plan.pictures, plan.hundredths))
                .map_err(|error| error.to_string())
        };
        let rows = [
            (("0", "100", "1", 10.0), Ok((101, 10))),
            (("5", "5", "3", 50.0), Ok((1, 2))),
            (("0", "99", "10", 0.1), Ok((10, 1000))),
            (("0", "1999", "1", 10.0), Ok((2000, 10))),
            (
                ("0", "2000", "1", 10.0),
                Err("that would be 2001 pictures: 2000 are the most"),
            ),
            (
                ("9", "3", "1", 10.0),
                Err("a film goes forward, and 3 comes before 9"),
            ),
            (("x", "3", "1", 10.0), Err("x is no generation")),
            (
                ("0", "3", "0", 10.0),
                Err("every 0: that is no number of generations"),
            ),
            (
                ("0", "3", "1", f64::NAN),
                Err("0.1 to 50 pictures a second can be shown"),
            ),
        ];
        for ((from, to, every, fps), expected) in rows {
            let expected = expected.map_err(str::to_string);
            assert_eq!(check(from, to, every, fps), expected, "{from}..{to}");
        }
    }

    #[test]
    fn a_world_has_one_film_at_a_time() {
        let queue = FilmQueue::new();
        let place = queue.place("a").unwrap();
        assert!(queue.place("a").is_err());
        assert!(queue.place("b").is_ok());
        drop(place);
        assert!(queue.place("a").is_ok());
    }
}
