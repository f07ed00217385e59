//! Films of a server: each is made on a thread of its own and sent while it is made.
//!
//! One film is made at a time, and others wait: so films take one processor core, whoever asks for
//! them. What is drawn is in the crate `wire`.

use crate::memory_pool::PoolShare;
use crate::panic_containment::contain;
use crate::response::{ErrorResponse, error_response};
use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc};
use wire::{FilmFormat, FilmPiece, FilmPlan, FilmReader, FilmScene, WireClock, make_film};

/// Pieces that wait to be sent.
const MOST_WAITING: usize = 4;

/// Why there is no film: what was asked for.
pub(crate) fn refuse(error: &wire::FilmError) -> ErrorResponse {
    error_response(StatusCode::BAD_REQUEST, error, error.hint())
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
    fn place(&self, id: &str) -> Result<FilmPlace, ErrorResponse> {
        let mut worlds = self.worlds.lock().unwrap_or_else(PoisonError::into_inner);
        if !worlds.insert(id.to_string()) {
            let words = "a film of this world is being made already";
            return Err(error_response(StatusCode::TOO_MANY_REQUESTS, words, None));
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
        let memory = share.update(0) / 2;
        let begun = Instant::now();
        let clock: WireClock = Arc::new(move || begun.elapsed());
        let body = FilmBody {
            share,
            sender: sender.clone(),
        };
        // A panic ends the film, which its reader sees by the pictures that are missing.
        let made = contain(move || make_film(&scene, &plan, format, memory, &clock, &body));
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
        let piece = match piece {
            Ok(piece) => piece,
            // A wrapped film tells its error as text.
            Err(error) if is_wrapped => FilmPiece::failure(&error),
            Err(error) => return Err(error),
        };
        Ok(Bytes::from(match is_wrapped {
            true => piece.wrapped(),
            false => piece.bytes,
        }))
    }))
}

/// Who reads a film: the body of a response.
struct FilmBody {
    share: PoolShare,
    sender: mpsc::Sender<Result<FilmPiece, io::Error>>,
}

impl FilmReader for FilmBody {
    fn put(&self, piece: FilmPiece) -> io::Result<()> {
        let sent = self.sender.blocking_send(Ok(piece));
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Nothing is sent meanwhile; this keeps the connection.
    fn hear_sign(&self, done: u32) {
        let bytes = Vec::new();
        let _ = self.sender.try_send(Ok(FilmPiece { done, bytes }));
    }

    fn is_read(&self) -> bool {
        !self.sender.is_closed()
    }

    fn holds(&self, bytes: u64) {
        self.share.update(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
