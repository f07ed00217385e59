//! Which address is answered by what.

use crate::guard::{DENIED, RequestGuard};
use crate::listener::Peer;
use crate::message::LONGEST;
use crate::panic_containment::contain;
use crate::workbench::{WorkbenchError, WorkbenchHandle, WorkbenchRequest as Wish};
use crate::{assets, library, pages, reply, rule_box, tab};
use axum::body::{Body, Bytes};
use axum::extract::connect_info::IntoMakeServiceWithConnectInfo;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::StreamExt as _;
use pattern::Format;
use serde::Deserialize;
use session::CommandRefusal;
use session::file_access::FileAccess;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// How many tabs may watch.
const TABS: usize = 64;

/// How many files may be on their way in: each is held in memory whole.
const UPLOADS: usize = 2;

/// How long an upload may take: who brings a byte now and then would have a place for ever,
/// and others wait for it.
const HASTE: UploadRateLimit = UploadRateLimit {
    grace: Duration::from_secs(30),
    slowest: 64 << 10,
};

/// See [`HASTE`].
#[derive(Clone, Copy, Debug)]
struct UploadRateLimit {
    /// How long it may take beyond what it would at the slowest.
    grace: Duration,
    /// In bytes a second.
    slowest: u64,
}

/// A body that is too long is read to its end up to here, and thrown away: a browser shows
/// an answer only when it could send all.
const MOST_DISCARDED: u64 = 1 << 30;

/// What all answers of the workbench are made from.
pub(crate) struct WorkbenchService {
    guard: RequestGuard,
    line: WorkbenchHandle,
    desk: FileAccess,
    tabs: Arc<Semaphore>,
    uploads: Semaphore,
    /// Held by whoever reads a pattern.
    reading: Arc<Semaphore>,
    next_tab: AtomicU64,
}

impl WorkbenchService {
    pub(crate) fn new(guard: RequestGuard, line: WorkbenchHandle, desk: FileAccess) -> Self {
        Self {
            guard,
            line,
            desk,
            tabs: Arc::new(Semaphore::new(TABS)),
            uploads: Semaphore::new(UPLOADS),
            reading: Arc::new(Semaphore::new(1)),
            next_tab: AtomicU64::new(1),
        }
    }
}

type WorkbenchServiceState = State<Arc<WorkbenchService>>;

/// All answers of a server.
pub(crate) fn service(
    room: WorkbenchService,
    rooms: &pages::PageContext,
) -> IntoMakeServiceWithConnectInfo<Router, Peer> {
    let room = Arc::new(room);
    Router::new()
        .route("/theme.css", get(theme))
        .route("/page/{*name}", get(file))
        .route("/library.json", get(patterns))
        .route("/library/{name}", get(pattern_picture))
        .route("/rule.json", get(rule))
        .route("/rules.json", get(rules))
        .route("/open", post(open))
        .route("/save", get(save))
        .route("/clipboard.json", get(clip))
        .route("/picture.png", get(png))
        .route("/picture.svg", get(svg))
        .route("/live", get(live))
        .with_state(Arc::clone(&room))
        .merge(pages::routes(rooms))
        .fallback(nothing)
        .layer(middleware::from_fn_with_state(Arc::clone(&room), guarded))
        .into_make_service_with_connect_info::<Peer>()
}

/// Lets in who may come in, and marks all answers.
async fn guarded(State(room): WorkbenchServiceState, request: Request, next: Next) -> Response {
    let peer = request
        .extensions()
        .get::<ConnectInfo<Peer>>()
        .map(|info| info.0.clone());
    let _work = peer.as_ref().map(Peer::at_work);
    let admission = room.guard.admit(request.uri(), request.headers());
    let mut response = match &admission {
        Ok(_) => next.run(request).await,
        Err(denial) => refused(DENIED, denial, Some(denial.hint())),
    };
    room.guard.mark(admission.as_ref().ok(), &mut response);
    if let (Some(peer), StatusCode::SWITCHING_PROTOCOLS) = (&peer, response.status()) {
        peer.upgrade();
    }
    response
}

/// An answer that says no.
pub(crate) fn refused(code: StatusCode, error: impl ToString, hint: Option<&str>) -> Response {
    (code, Json(reply::problem(error, hint))).into_response()
}

pub(crate) fn gone() -> Response {
    refused(
        StatusCode::SERVICE_UNAVAILABLE,
        "the server is stopping",
        None,
    )
}

/// The answer where the workbench gave none.
fn unanswered(gone: WorkbenchError) -> Response {
    match gone {
        WorkbenchError::Ended => self::gone(),
        WorkbenchError::BrokenDown => broken_down(),
    }
}

/// The answer where what was to answer broke down.
pub(crate) fn broken_down() -> Response {
    refused(
        StatusCode::INTERNAL_SERVER_ERROR,
        "this broke down: a fault of gridpaper's own",
        None,
    )
}

async fn nothing() -> Response {
    refused(
        StatusCode::NOT_FOUND,
        "there is nothing here",
        Some("the page is at /"),
    )
}

async fn theme(headers: HeaderMap) -> Response {
    assets::theme(&headers)
}

async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    assets::file(&name, &headers)
}

/// Work that takes a while, beside what answers others; `None` where it broke down.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (tell, told) = tokio::sync::oneshot::channel();
    // one kind of work for all callers: else each of them has the runtime's code once more
    let work: Box<dyn FnOnce() + Send> = Box::new(move || {
        if let Ok(done) = contain(work) {
            // who asked may be gone
            let _ = tell.send(done);
        }
    });
    tokio::task::spawn_blocking(work);
    told.await.ok()
}

async fn patterns(headers: HeaderMap) -> Response {
    match aside(library::list).await {
        Some(list) => assets::kept(
            Bytes::from_static(list.as_bytes()),
            "application/json",
            &headers,
        ),
        None => broken_down(),
    }
}

#[derive(Deserialize)]
struct PictureQuery {
    theme: Option<String>,
}

async fn pattern_picture(
    Path(name): Path<String>,
    Query(query): Query<PictureQuery>,
    headers: HeaderMap,
) -> Response {
    let made = aside(move || {
        let theme = query.theme.as_deref().unwrap_or("paper");
        library::picture(name.strip_suffix(".png")?, theme)
    });
    match made.await.flatten() {
        Some(picture) => assets::kept(picture, "image/png", &headers),
        None => refused(
            StatusCode::NOT_FOUND,
            "there is no such pattern, or no such theme",
            None,
        ),
    }
}

#[derive(Deserialize)]
struct RuleQuery {
    #[serde(default)]
    text: String,
}

async fn rule(State(room): WorkbenchServiceState, Query(query): Query<RuleQuery>) -> Response {
    match aside(move || rule_box::explained(&room.desk, &query.text)).await {
        Some(told) => Json(told).into_response(),
        None => broken_down(),
    }
}

#[derive(Deserialize)]
struct WordQuery {
    #[serde(default)]
    word: String,
}

async fn rules(State(room): WorkbenchServiceState, Query(query): Query<WordQuery>) -> Response {
    match aside(move || rule_box::completed(&room.desk, &query.word)).await {
        Some(told) => Json(told).into_response(),
        None => broken_down(),
    }
}

#[derive(Deserialize)]
struct OpenQuery {
    #[serde(default)]
    name: String,
    sidecar: Option<String>,
    anyway: Option<String>,
}

async fn open(
    State(room): WorkbenchServiceState,
    Query(query): Query<OpenQuery>,
    request: Request,
) -> Response {
    let most = room.desk.limits.upload;
    let Ok(_place) = room.uploads.acquire().await else {
        return gone();
    };
    let bytes = match body(request, most, Some("gzip makes most files smaller")).await {
        Ok(bytes) => bytes,
        Err(response) => return response,
    };
    let anyway = query.anyway.is_some_and(|anyway| anyway != "0");
    // One at a time: each may take a part of the memory. The workbench does not wait for it.
    let Ok(reading) = Arc::clone(&room.reading).acquire_owned().await else {
        return gone();
    };
    let desk = room.desk.clone();
    let read = aside(move || {
        let found = desk.read(&query.name, &bytes, query.sidecar);
        drop(reading);
        found
    });
    let found = match read.await {
        Some(Ok(found)) => Box::new(found),
        Some(Err(error)) => {
            let outcome = Err(CommandRefusal::from(error));
            return (reply::code(&outcome), Json(reply::outcome(&outcome))).into_response();
        }
        None => return broken_down(),
    };
    let load = |answer| Wish::Load {
        found,
        anyway,
        answer,
    };
    match room.line.ask(load).await {
        Ok(outcome) => (reply::code(&outcome), Json(reply::outcome(&outcome))).into_response(),
        Err(gone) => unanswered(gone),
    }
}

/// The whole body, or the answer that says why not; where it is too long, with what may
/// help.
pub(crate) async fn body(
    request: Request,
    most: u64,
    hint: Option<&str>,
) -> Result<Vec<u8>, Response> {
    body_in(request, most, hint, HASTE).await
}

async fn body_in(
    request: Request,
    most: u64,
    hint: Option<&str>,
    haste: UploadRateLimit,
) -> Result<Vec<u8>, Response> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length: Option<u64> = length
        .and_then(|n| n.to_str().ok())
        .and_then(|n| n.parse().ok());
    let too_long = |length: Option<u64>| {
        let told = match length {
            Some(length) => format!("these are {length} bytes, and at most {most} are taken"),
            None => format!("these are more than {most} bytes, the most that are taken"),
        };
        refused(StatusCode::PAYLOAD_TOO_LARGE, told, hint)
    };
    if length.is_some_and(|length| length > MOST_DISCARDED.max(most)) {
        return Err(too_long(length));
    }
    let mut bytes = Vec::new();
    let mut seen = 0;
    let mut chunks = request.into_body().into_data_stream();
    let begun = Instant::now();
    // what is only thrown away earns no more time
    let due = |seen: u64| begun + haste.grace + Duration::from_secs(seen.min(most) / haste.slowest);
    while let Some(chunk) = tokio::time::timeout_at(due(seen), chunks.next())
        .await
        .transpose()
    {
        let chunk = match chunk {
            Ok(Ok(chunk)) => chunk,
            Ok(Err(_)) => {
                let told = "what was sent did not come to its end";
                return Err(refused(StatusCode::BAD_REQUEST, told, None));
            }
            Err(_) => {
                let told = "what was sent stopped coming, or came too slowly";
                return Err(refused(StatusCode::REQUEST_TIMEOUT, told, None));
            }
        };
        seen += chunk.len() as u64;
        if seen > most {
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(&chunk);
        }
        if seen > MOST_DISCARDED.max(most) {
            break;
        }
    }
    if seen > most {
        Err(too_long(length))
    } else {
        Ok(bytes)
    }
}

#[derive(Deserialize)]
struct SaveQuery {
    #[serde(default)]
    format: String,
    name: Option<String>,
    sidecar: Option<String>,
    /// For a link that opens it: the work is not saved by that.
    shared: Option<String>,
}

async fn save(State(room): WorkbenchServiceState, Query(query): Query<SaveQuery>) -> Response {
    let Some(format) = Format::from_name(&query.format).filter(|format| format.is_written()) else {
        let told = format!("`{}` is no format that can be written", query.format);
        return refused(StatusCode::BAD_REQUEST, told, None);
    };
    let name = named(query.name.as_deref().unwrap_or_default(), format);
    let saved = match room
        .line
        .ask(|answer| Wish::Save {
            format,
            name,
            is_shared: query.shared.is_some(),
            answer,
        })
        .await
    {
        Ok(Ok(saved)) => saved,
        Ok(Err(refusal)) => {
            let told = reply::problem(&refusal, refusal.hint());
            return (StatusCode::UNPROCESSABLE_ENTITY, Json(told)).into_response();
        }
        Err(gone) => return unanswered(gone),
    };
    let wants_sidecar = query.sidecar.is_some_and(|sidecar| sidecar != "0");
    let (name, bytes) = match (wants_sidecar, saved.sidecar) {
        (false, _) => (saved.name, saved.bytes),
        (true, Some(sidecar)) => sidecar,
        (true, None) => {
            let told = "this format holds the settings itself";
            return refused(StatusCode::NOT_FOUND, told, None);
        }
    };
    let note = saved.losses.join("; ");
    download(&name, bytes, &note)
}

/// A file's name with an ending that goes with its format, and without what leads elsewhere.
fn named(name: &str, format: Format) -> String {
    let name = name.trim().replace(['/', '\\'], "-");
    let name = name.trim_start_matches('.');
    let name = if name.is_empty() { "untitled" } else { name };
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    let has_ending = format.extensions().iter().any(|ending| {
        plain
            .strip_suffix(ending)
            .is_some_and(|stem| stem.ends_with('.'))
    });
    if has_ending {
        return name.to_string();
    }
    // what has no ending of its own is text
    let ending = format.extensions().first().unwrap_or(&"txt");
    format!("{name}.{ending}")
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

async fn clip(State(room): WorkbenchServiceState) -> Response {
    match room.line.ask(|answer| Wish::Clip { answer }).await {
        Ok(Some(told)) => {
            let headers = [
                (header::CONTENT_TYPE, "application/json"),
                (header::CACHE_CONTROL, "no-store"),
            ];
            (headers, told).into_response()
        }
        Ok(None) => refused(StatusCode::NOT_FOUND, "the clipboard is empty", None),
        Err(gone) => unanswered(gone),
    }
}

#[derive(Deserialize)]
struct ViewQuery {
    tab: Option<u64>,
}

async fn png(State(room): WorkbenchServiceState, Query(query): Query<ViewQuery>) -> Response {
    let tab = query.tab;
    let picture = match room.line.ask(|answer| Wish::Picture { tab, answer }).await {
        Ok(picture) => picture,
        Err(gone) => return unanswered(gone),
    };
    match aside(move || render::png(&picture)).await {
        Some(png) => picture_of("image/png", png),
        None => broken_down(),
    }
}

async fn svg(State(room): WorkbenchServiceState, Query(query): Query<ViewQuery>) -> Response {
    let tab = query.tab;
    match room.line.ask(|answer| Wish::Svg { tab, answer }).await {
        Ok(svg) => picture_of("image/svg+xml", svg.into_bytes()),
        Err(gone) => unanswered(gone),
    }
}

fn picture_of(media_type: &'static str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, bytes).into_response()
}

async fn live(State(room): WorkbenchServiceState, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&room.tabs).try_acquire_owned() else {
        let told = format!("{TABS} tabs watch already");
        return refused(
            StatusCode::SERVICE_UNAVAILABLE,
            told,
            Some("close some of them"),
        );
    };
    let tab = room.next_tab.fetch_add(1, Ordering::Relaxed);
    let line = room.line.clone();
    upgrade
        .max_message_size(LONGEST)
        .max_frame_size(LONGEST)
        .on_upgrade(async move |socket| {
            tab::serve(socket, line, tab).await;
            drop(place);
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    /// On a clock that goes on when everybody waits.
    #[tokio::test(start_paused = true)]
    async fn who_brings_a_file_drop_by_drop_does_not_keep_its_place() {
        let most = 1 << 20;
        let haste = UploadRateLimit {
            grace: Duration::from_millis(50),
            slowest: 64 << 10,
        };
        let at_once = Request::new(Body::from(vec![b'x'; 1 << 20]));
        let whole = body_in(at_once, most, None, haste).await;
        assert_eq!(whole.unwrap().len(), 1 << 20);
        // it never stands still, and never ends; nor does it where all of it is thrown away
        for (bytes, most) in [(1, most), (64 << 10, 0)] {
            let drops = stream::repeat(()).then(move |()| async move {
                tokio::time::sleep(Duration::from_millis(1)).await;
                Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; bytes]))
            });
            let found = body_in(Request::new(Body::from_stream(drops)), most, None, haste);
            let found = tokio::time::timeout(Duration::from_secs(60), found).await;
            let refused = found.expect("it comes to an end").unwrap_err();
            assert_eq!(refused.status(), StatusCode::REQUEST_TIMEOUT);
        }
    }

    #[test]
    fn files_get_names_that_lead_nowhere_else() {
        let rows = [
            ("glider", Format::Rle, "glider.rle"),
            ("glider.rle", Format::Rle, "glider.rle"),
            ("glider.rle.gz", Format::Rle, "glider.rle.gz"),
            ("glider.rle", Format::Plaintext, "glider.rle.cells"),
            ("gliderrle", Format::Rle, "gliderrle.rle"),
            ("../../etc/passwd", Format::Rle, "-..-etc-passwd.rle"),
            (".hidden", Format::Rle, "hidden.rle"),
            ("", Format::Rle, "untitled.rle"),
        ];
        for (name, format, expected) in rows {
            assert_eq!(named(name, format), expected, "{name:?}");
        }
    }

    #[test]
    fn names_of_downloads_are_plain_text() {
        assert_eq!(percent_encoded("a b\"\u{e9}.rle"), "a%20b%22%C3%A9.rle");
    }
}
