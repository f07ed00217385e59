//! What handlers of requests share: reading a body, running blocking work, and common responses.

use crate::panic_containment::contain;
use crate::reply;
use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use std::time::Duration;
use tokio::time::Instant;

/// The minimum rate of an upload: without one, a client that sends a byte now and then would hold
/// its permit for ever.
const UPLOAD_RATE_LIMIT: UploadRateLimit = UploadRateLimit {
    grace: Duration::from_secs(30),
    slowest: 64 << 10,
};

/// See [`UPLOAD_RATE_LIMIT`].
#[derive(Clone, Copy, Debug)]
struct UploadRateLimit {
    /// How long it may take beyond what it would at the slowest.
    grace: Duration,
    /// In bytes a second.
    slowest: u64,
}

/// A body that is too long is read and discarded up to this size: a browser shows a response only
/// after it could send all.
const MOST_DISCARDED: u64 = 1 << 30;

/// An error response as JSON.
pub(crate) fn error_response(
    code: StatusCode,
    error: impl ToString,
    hint: Option<&str>,
) -> Response {
    (code, Json(reply::problem(error, hint))).into_response()
}

pub(crate) fn stopping_response() -> Response {
    error_response(
        StatusCode::SERVICE_UNAVAILABLE,
        "the server is stopping",
        None,
    )
}

/// The response after a contained panic.
pub(crate) fn panic_response() -> Response {
    error_response(
        StatusCode::INTERNAL_SERVER_ERROR,
        "this broke down: a fault of gridpaper's own",
        None,
    )
}

/// Runs blocking work on a thread of the runtime's blocking pool; `None` where it panicked.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    // boxed, so that the runtime's code is not compiled for each caller
    let work: Box<dyn FnOnce() + Send> = Box::new(move || {
        if let Ok(done) = contain(work) {
            // the caller may have been cancelled
            let _ = sender.send(done);
        }
    });
    tokio::task::spawn_blocking(work);
    receiver.await.ok()
}

/// Reads the whole body, or returns the error response; `hint` is for a body that is too long.
pub(crate) async fn body(
    request: Request,
    limit: u64,
    hint: Option<&str>,
) -> Result<Vec<u8>, Response> {
    body_in(request, limit, hint, UPLOAD_RATE_LIMIT).await
}

async fn body_in(
    request: Request,
    limit: u64,
    hint: Option<&str>,
    rate_limit: UploadRateLimit,
) -> Result<Vec<u8>, Response> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length: Option<u64> = length
        .and_then(|n| n.to_str().ok())
        .and_then(|n| n.parse().ok());
    let too_long = |length: Option<u64>| {
        let message = match length {
            Some(length) => format!("these are {length} bytes, and at most {limit} are taken"),
            None => format!("these are more than {limit} bytes, the most that are taken"),
        };
        error_response(StatusCode::PAYLOAD_TOO_LARGE, message, hint)
    };
    if length.is_some_and(|length| length > MOST_DISCARDED.max(limit)) {
        return Err(too_long(length));
    }
    let mut bytes = Vec::new();
    let mut seen = 0;
    let mut chunks = request.into_body().into_data_stream();
    let begun = Instant::now();
    // discarded bytes earn no more time
    let due = |seen: u64| {
        begun + rate_limit.grace + Duration::from_secs(seen.min(limit) / rate_limit.slowest)
    };
    while let Some(chunk) = tokio::time::timeout_at(due(seen), chunks.next())
        .await
        .transpose()
    {
        let chunk = match chunk {
            Ok(Ok(chunk)) => chunk,
            Ok(Err(_)) => {
                let message = "what was sent did not come to its end";
                return Err(error_response(StatusCode::BAD_REQUEST, message, None));
            }
            Err(_) => {
                let message = "what was sent stopped coming, or came too slowly";
                return Err(error_response(StatusCode::REQUEST_TIMEOUT, message, None));
            }
        };
        seen += chunk.len() as u64;
        if seen > limit {
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(&chunk);
        }
        if seen > MOST_DISCARDED.max(limit) {
            break;
        }
    }
    if seen > limit {
        Err(too_long(length))
    } else {
        Ok(bytes)
    }
}

pub(crate) fn download(name: &str, bytes: Vec<u8>, note: &str) -> Response {
    let mut response = Body::from(bytes).into_response();
    let headers = response.headers_mut();
    let mut insert = |name: header::HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    insert(header::CONTENT_TYPE, "application/octet-stream");
    insert(header::CACHE_CONTROL, "no-store");
    let name = percent_encoded(name);
    insert(
        header::CONTENT_DISPOSITION,
        &format!("attachment; filename*=UTF-8''{name}"),
    );
    if !note.is_empty() {
        insert(header::HeaderName::from_static("x-gridpaper-note"), note);
    }
    response
}

/// As RFC 5987 has it: letters, digits and a few signs as they are.
fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Bytes;
    use futures_util::stream;

    /// On a clock that goes on when everybody waits.
    #[tokio::test(start_paused = true)]
    async fn who_brings_a_file_drop_by_drop_does_not_keep_its_place() {
        let limit = 1 << 20;
        let rate_limit = UploadRateLimit {
            grace: Duration::from_millis(50),
            slowest: 64 << 10,
        };
        let instant_move = Request::new(Body::from(vec![b'x'; 1 << 20]));
        let whole = body_in(instant_move, limit, None, rate_limit).await;
        assert_eq!(whole.unwrap().len(), 1 << 20);
        // it never stands still, and never ends; nor does it where all of it is thrown away
        for (bytes, limit) in [(1, limit), (64 << 10, 0)] {
            let drops = stream::repeat(()).then(move |()| async move {
                tokio::time::sleep(Duration::from_millis(1)).await;
                Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; bytes]))
            });
            let found = body_in(
                Request::new(Body::from_stream(drops)),
                limit,
                None,
                rate_limit,
            );
            let found = tokio::time::timeout(Duration::from_secs(60), found).await;
            let refused = found.expect("it comes to an end").unwrap_err();
            assert_eq!(refused.status(), StatusCode::REQUEST_TIMEOUT);
        }
    }

    #[test]
    fn names_of_downloads_are_plain_text() {
        assert_eq!(percent_encoded("a b\"\u{e9}.rle"), "a%20b%22%C3%A9.rle");
    }
}
