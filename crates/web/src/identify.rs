//! What the pattern of a world is: looked for on a thread of its own, which ends when nobody reads
//! the answer any more.
//!
//! The answer is a line of JSON each half second, `{"generation": n}`, and at the end
//! `{"card": {...}}` or `{"error": "..."}`. Two are looked for at a time, and others wait.

use crate::panic_containment::contain;
use axum::body::{Body, Bytes};
use census::{IdentifyOptions, identify};
use models::identification::{IdentificationCard, IdentificationSubject, PATIENCE};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

/// How many are looked for at a time.
pub(crate) const AT_ONCE: usize = 2;

/// How often the reader hears how far it is.
const BETWEEN_LINES: Duration = Duration::from_millis(500);

/// Begins to look, and returns the body of the response.
pub(crate) fn start(subject: IdentificationSubject, permit: OwnedSemaphorePermit) -> Body {
    let (sender, receiver) = mpsc::channel(4);
    tokio::task::spawn_blocking(move || {
        let looker = sender.clone();
        let answer = contain(move || look(&subject, &looker));
        let answer = answer.unwrap_or_else(|_| json!({ "error": "the search broke off" }));
        let _ = sender.blocking_send(line(&answer));
        drop(permit);
    });
    let lines = futures_util::stream::unfold(receiver, async |mut receiver| {
        let line: Bytes = receiver.recv().await?;
        Some((Ok::<_, Infallible>(line), receiver))
    });
    Body::from_stream(lines)
}

fn line(value: &Value) -> Bytes {
    format!("{value}\n").into()
}

fn look(subject: &IdentificationSubject, sender: &mpsc::Sender<Bytes>) -> Value {
    let begun = Instant::now();
    let mut told = begun;
    let mut control = |generation: u64| {
        if told.elapsed() >= BETWEEN_LINES {
            told = Instant::now();
            let _ = sender.try_send(line(&json!({ "generation": generation })));
        }
        !sender.is_closed() && begun.elapsed() < PATIENCE
    };
    let options = IdentifyOptions::default();
    match identify(&subject.rule, &subject.cells, &options, &mut control) {
        Ok(found) => {
            let card = IdentificationCard::in_library(&found, &subject.rule, &subject.cells);
            json!({ "card": wire::card_json(&card) })
        }
        Err(error) => json!({ "error": error.to_string() }),
    }
}
