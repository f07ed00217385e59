//! What handlers of requests share: reading a body, running blocking work, and common responses.

use crate::panic_containment::contain;
use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::{AcquireError, Semaphore};
use tokio::time::Instant;
use wire::reply;

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

/// What a handler answers.
pub(crate) type HandlerResult = Result<Response, ErrorResponse>;

/// A response that says what is wrong, as JSON.
#[derive(Debug)]
pub(crate) struct ErrorResponse {
    code: StatusCode,
    body: Value,
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        (self.code, Json(self.body)).into_response()
    }
}

pub(crate) fn error_response(
    code: StatusCode,
    error: impl ToString,
    hint: Option<&str>,
) -> ErrorResponse {
    let body = reply::problem(error, hint);
    ErrorResponse { code, body }
}

/// The response where something is not there.
pub(crate) fn not_found(message: impl ToString) -> ErrorResponse {
    error_response(StatusCode::NOT_FOUND, message, None)
}

/// Why a service gives no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum ServiceError {
    /// It has ended.
    #[error("the server is stopping")]
    Ended,
    /// It broke down over the request: a panic was contained.
    #[error("this broke down: a fault of gridpaper's own")]
    BrokenDown,
}

impl From<ServiceError> for ErrorResponse {
    fn from(error: ServiceError) -> Self {
        let code = match error {
            ServiceError::Ended => StatusCode::SERVICE_UNAVAILABLE,
            ServiceError::BrokenDown => StatusCode::INTERNAL_SERVER_ERROR,
        };
        error_response(code, error, None)
    }
}

impl From<AcquireError> for ErrorResponse {
    fn from(_: AcquireError) -> Self {
        ServiceError::Ended.into()
    }
}

/// Runs blocking work on a thread of the runtime's blocking pool.
///
/// # Errors
/// [`ServiceError::BrokenDown`] where it panicked.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ServiceError> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    // boxed, so that the runtime's code is not compiled for each caller
    let work: Box<dyn FnOnce() + Send> = Box::new(move || {
        if let Ok(done) = contain(work) {
            // the caller may have been cancelled
            let _ = sender.send(done);
        }
    });
    tokio::task::spawn_blocking(work);
    receiver.await.map_err(|_| ServiceError::BrokenDown)
}

/// Reads the whole body, or returns the error response; `hint` is for a body that is too long.
pub(crate) async fn body(
    request: Request,
    limit: u64,
    hint: Option<&str>,
) -> Result<Vec<u8>, ErrorResponse> {
    body_in(request, limit, hint, UPLOAD_RATE_LIMIT).await
}

/// Reads a body of at most `limit` bytes that describes something (`table`) as JSON.
pub(crate) async fn json_body<T: DeserializeOwned>(
    request: Request,
    limit: usize,
    what: &str,
) -> Result<T, ErrorResponse> {
    let bytes = body(request, limit as u64, None).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("this describes no {what}: {error}");
        error_response(StatusCode::BAD_REQUEST, message, None)
    })
}

async fn body_in(
    request: Request,
    limit: u64,
    hint: Option<&str>,
    rate_limit: UploadRateLimit,
) -> Result<Vec<u8>, ErrorResponse> {
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

/// Serves a socket with messages of at most `longest` bytes, where a permit is left for it; else
/// the response says `too_many`.
pub(crate) fn serve_socket<Serving>(
    upgrade: WebSocketUpgrade,
    permits: &Arc<Semaphore>,
    longest: usize,
    too_many: String,
    serve: impl FnOnce(WebSocket) -> Serving + Send + 'static,
) -> HandlerResult
where
    Serving: Future<Output = ()> + Send + 'static,
{
    let permit = Arc::clone(permits).try_acquire_owned().map_err(|_| {
        let hint = Some("close some of them");
        error_response(StatusCode::SERVICE_UNAVAILABLE, too_many, hint)
    })?;
    let upgrade = upgrade.max_message_size(longest).max_frame_size(longest);
    Ok(upgrade.on_upgrade(async move |socket| {
        serve(socket).await;
        drop(permit);
    }))
}

/// A response that must not be cached.
pub(crate) fn uncached(media_type: &'static str, content: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, content.into()).into_response()
}

/// What stands in a header's value as it is besides letters and digits (RFC 5987).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

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
    let name = utf8_percent_encode(name, ENCODED);
    insert(
        header::CONTENT_DISPOSITION,
        &format!("attachment; filename*=UTF-8''{name}"),
    );
    if !note.is_empty() {
        insert(header::HeaderName::from_static("x-gridpaper-note"), note);
    }
    response
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
            assert_eq!(refused.code, StatusCode::REQUEST_TIMEOUT);
        }
    }

    #[test]
    fn names_of_downloads_are_plain_text() {
        let name = utf8_percent_encode("a b\"\u{e9}.rle", ENCODED);
        assert_eq!(name.to_string(), "a%20b%22%C3%A9.rle");
    }
}
