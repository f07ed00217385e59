//! The routes of the server, and the handlers of the workbench.

use crate::film::{self, FilmQueue};
use crate::guard::{DENIED, RequestGuard};
use crate::identify;
use crate::listener::Peer;
use crate::response::{
    ErrorResponse, HandlerResult, body, download, error_response, not_found, run_blocking,
    serve_socket, uncached,
};
use crate::workbench::WorkbenchRequest;
use crate::world_access::{DrawAccess, WorldAccess, WorldService};
use crate::worlds::Worlds;
use crate::{assets, pages, tab, world_routes};
use axum::body::{Bytes, to_bytes};
use axum::extract::connect_info::IntoMakeServiceWithConnectInfo;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use pattern::Format;
use serde::Deserialize;
use serde_json::Value;
use session::file_access::FileAccess;
use session::{CommandRefusal, PictureExtent};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tokio::sync::Semaphore;
use wire::{
    FilmFormat, FilmQuery, LONGEST, WireClock, complete_rule, draw_thumbnail, explain_rule,
    library_list, library_picture, reply,
};

/// The number of workbench tabs.
const TABS: usize = 64;

/// The number of simultaneous uploads: each is held in memory whole.
const UPLOADS: usize = 2;

/// The state that the workbench's handlers share.
pub(crate) struct WorkbenchService {
    guard: RequestGuard,
    worlds: Arc<Worlds>,
    file_access: FileAccess,
    tabs: Arc<Semaphore>,
    uploads: Semaphore,
    /// Held while a pattern is parsed.
    reading: Arc<Semaphore>,
    films: FilmQueue,
    identifying: Arc<Semaphore>,
    /// Held while a thumbnail is drawn.
    drawing: Semaphore,
    next_tab: AtomicU64,
}

impl WorkbenchService {
    pub(crate) fn new(guard: RequestGuard, worlds: Arc<Worlds>, file_access: FileAccess) -> Self {
        Self {
            guard,
            worlds,
            file_access,
            tabs: Arc::new(Semaphore::new(TABS)),
            uploads: Semaphore::new(UPLOADS),
            reading: Arc::new(Semaphore::new(1)),
            films: FilmQueue::new(),
            identifying: Arc::new(Semaphore::new(identify::AT_ONCE)),
            drawing: Semaphore::new(1),
            next_tab: AtomicU64::new(1),
        }
    }
}

impl WorldService for Arc<WorkbenchService> {
    fn worlds(&self) -> &Arc<Worlds> {
        &self.worlds
    }
}

type WorkbenchServiceState = State<Arc<WorkbenchService>>;

/// The router of the whole server.
pub(crate) fn router(
    service: WorkbenchService,
    context: &pages::PageContext,
) -> IntoMakeServiceWithConnectInfo<Router, Peer> {
    let service = Arc::new(service);
    Router::new()
        .route("/theme.css", get(theme))
        .route("/page/{*name}", get(file))
        .route("/library.json", get(patterns))
        .route("/library/{name}", get(pattern_picture))
        .route("/rule.json", get(rule))
        .route("/rules.json", get(rules))
        .route("/open", post(open))
        .route("/save", get(save))
        .route("/formats.json", get(formats))
        .route("/clipboard.json", get(clip))
        .route("/plot.csv", get(plot_csv))
        .route("/timeline.png", get(timeline_picture))
        .route("/icons.png", get(icons))
        .route("/picture.png", get(png))
        .route("/picture.svg", get(svg))
        .route("/identify.jsonl", get(identify_pattern))
        .route("/film.gif", get(film_gif))
        .route("/film.apng", get(film_apng))
        .route("/live", get(live))
        .with_state(Arc::clone(&service))
        .merge(world_routes::routes(&service.worlds, service.guard.token()))
        .merge(pages::routes(context))
        .fallback(fallback)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&service),
            guard_request,
        ))
        .into_make_service_with_connect_info::<Peer>()
}

/// Middleware that admits requests and adds the security headers.
async fn guard_request(
    State(service): WorkbenchServiceState,
    request: Request,
    next: Next,
) -> Response {
    let peer = request
        .extensions()
        .get::<ConnectInfo<Peer>>()
        .map(|info| info.0.clone());
    let _work = peer.as_ref().map(Peer::at_work);
    let wants_page = wants_page(request.headers());
    let admission = service.guard.admit(request.uri(), request.headers());
    let mut response = match &admission {
        Ok(_) => next.run(request).await,
        Err(denial) => error_response(DENIED, denial, Some(denial.hint())).into_response(),
    };
    if wants_page && response.status().is_client_error() {
        response = error_page(response).await;
    }
    service
        .guard
        .add_headers(admission.as_ref().ok(), &mut response);
    if let (Some(peer), StatusCode::SWITCHING_PROTOCOLS) = (&peer, response.status()) {
        peer.upgrade();
    }
    response
}

/// Whether a request is a person's, who opens an address in a browser.
fn wants_page(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT);
    accept
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

/// The same refusal as a page with the way home.
async fn error_page(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, LONGEST).await.unwrap_or_default();
    let told: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let word = |name: &str| told[name].as_str().unwrap_or_default().to_string();
    let error = match word("error") {
        error if error.is_empty() => "there is nothing here".into(),
        error => error,
    };
    let Some(page) = assets::missing_page(&error, &word("hint")) else {
        return Response::from_parts(parts, bytes.into());
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    parts.headers.insert(header::CONTENT_TYPE, html);
    Response::from_parts(parts, page.into())
}

async fn fallback() -> ErrorResponse {
    let hint = Some("the page is at /");
    error_response(StatusCode::NOT_FOUND, "there is nothing here", hint)
}

async fn theme(headers: HeaderMap) -> Response {
    assets::theme(&headers)
}

async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    assets::file(&name, &headers)
}

async fn patterns(headers: HeaderMap) -> HandlerResult {
    let list = Bytes::from_static(run_blocking(library_list).await?.as_bytes());
    Ok(assets::cached(list, "application/json", &headers))
}

#[derive(Deserialize)]
struct PictureQuery {
    theme: Option<String>,
}

async fn pattern_picture(
    Path(name): Path<String>,
    Query(query): Query<PictureQuery>,
    headers: HeaderMap,
) -> HandlerResult {
    let made = run_blocking(move || {
        let theme = query.theme.as_deref().unwrap_or("paper");
        library_picture(name.strip_suffix(".png")?, theme)
    });
    match made.await {
        Ok(Some(picture)) => Ok(assets::cached(
            Bytes::from_owner(picture),
            "image/png",
            &headers,
        )),
        _ => Err(not_found("there is no such pattern, or no such theme")),
    }
}

#[derive(Deserialize)]
struct RuleQuery {
    #[serde(default)]
    text: String,
}

async fn rule(
    State(service): WorkbenchServiceState,
    Query(query): Query<RuleQuery>,
) -> HandlerResult {
    let explain = move || explain_rule(&service.file_access, &query.text);
    Ok(Json(run_blocking(explain).await?).into_response())
}

#[derive(Deserialize)]
struct WordQuery {
    #[serde(default)]
    word: String,
}

async fn rules(
    State(service): WorkbenchServiceState,
    Query(query): Query<WordQuery>,
) -> HandlerResult {
    let complete = move || complete_rule(&service.file_access, &query.word);
    Ok(Json(run_blocking(complete).await?).into_response())
}

#[derive(Deserialize)]
struct OpenQuery {
    #[serde(default)]
    name: String,
    sidecar: Option<String>,
    anyway: Option<String>,
}

async fn open(
    State(service): WorkbenchServiceState,
    DrawAccess(world): DrawAccess,
    Query(query): Query<OpenQuery>,
    request: Request,
) -> HandlerResult {
    let limit = service.file_access.limits.upload;
    let _place = service.uploads.acquire().await?;
    let bytes = body(request, limit, Some("gzip makes most files smaller")).await?;
    let anyway = query.anyway.is_some_and(|anyway| anyway != "0");
    // One at a time: each may take a part of the memory. The workbench does not wait for it.
    let reading = Arc::clone(&service.reading).acquire_owned().await?;
    let file_access = service.file_access.clone();
    let read = run_blocking(move || {
        let found = file_access.read(&query.name, &bytes, query.sidecar);
        drop(reading);
        found
    });
    let outcome = match read.await? {
        Ok(found) => {
            let load = |answer| WorkbenchRequest::Load {
                found: Box::new(found),
                anyway,
                answer,
            };
            world.wake().await?.request(load).await?
        }
        Err(error) => Err(CommandRefusal::from(error)),
    };
    let code = StatusCode::from_u16(reply::code(&outcome));
    let code = code.unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
    Ok((code, Json(reply::outcome(&outcome))).into_response())
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

async fn save(world: WorldAccess, Query(query): Query<SaveQuery>) -> HandlerResult {
    let Some(format) = Format::from_name(&query.format).filter(|format| format.is_written()) else {
        let message = format!("`{}` is no format that can be written", query.format);
        return Err(error_response(StatusCode::BAD_REQUEST, message, None));
    };
    let name = reply::file_name(query.name.as_deref().unwrap_or_default(), format);
    let save = |answer| WorkbenchRequest::Save {
        format,
        name,
        // who only watches leaves it as it is
        is_shared: query.shared.is_some() || !world.may_draw(),
        answer,
    };
    let workbench = world.wake().await?;
    let saved = workbench.request(save).await?.map_err(|refusal| {
        let hint = refusal.hint();
        error_response(StatusCode::UNPROCESSABLE_ENTITY, &refusal, hint.as_deref())
    })?;
    let wants_sidecar = query.sidecar.is_some_and(|sidecar| sidecar != "0");
    let (name, bytes) = match (wants_sidecar, saved.sidecar) {
        (false, _) => (saved.name, saved.bytes),
        (true, Some(sidecar)) => sidecar,
        (true, None) => return Err(not_found("this format holds the settings itself")),
    };
    let note = saved.losses.join("; ");
    Ok(download(&name, bytes, &note))
}

/// Which formats can hold the world as it is, and what they leave out.
async fn formats(world: WorldAccess) -> HandlerResult {
    let ask = |answer| WorkbenchRequest::Formats { answer };
    let offers = world.wake().await?.request(ask).await?;
    let offers = reply::format_offers(&offers).to_string();
    Ok(uncached("application/json", offers))
}

async fn clip(world: WorldAccess) -> HandlerResult {
    let ask = |answer| WorkbenchRequest::Clip { answer };
    match world.wake().await?.request(ask).await? {
        Some(clip) => Ok(uncached("application/json", clip)),
        None => Err(not_found("the clipboard is empty")),
    }
}

#[derive(Deserialize)]
struct ViewQuery {
    tab: Option<u64>,
    /// An SVG on white paper, whatever its value.
    print: Option<String>,
    /// The whole pattern, whatever its value.
    whole: Option<String>,
    /// Another size of the cells than in the view.
    zoom: Option<String>,
}

impl ViewQuery {
    fn extent(&self) -> PictureExtent {
        PictureExtent {
            is_whole: self.whole.is_some(),
            zoom: self.zoom.as_ref().and_then(|zoom| zoom.parse().ok()),
        }
    }
}

async fn png(world: WorldAccess, Query(query): Query<ViewQuery>) -> HandlerResult {
    let ask = |answer| WorkbenchRequest::Picture {
        tab: query.tab,
        extent: query.extent(),
        answer,
    };
    let picture = world.wake().await?.request(ask).await?;
    let png = run_blocking(move || render::png(&picture)).await?;
    Ok(uncached("image/png", png))
}

async fn svg(world: WorldAccess, Query(query): Query<ViewQuery>) -> HandlerResult {
    let ask = |answer| WorkbenchRequest::Svg {
        tab: query.tab,
        is_printed: query.print.is_some(),
        extent: query.extent(),
        answer,
    };
    let svg = world.wake().await?.request(ask).await?;
    Ok(uncached("image/svg+xml", svg))
}

#[derive(Deserialize)]
struct IconQuery {
    side: u32,
    tab: Option<u64>,
}

async fn icons(
    world: WorldAccess,
    Query(IconQuery { side, tab }): Query<IconQuery>,
) -> HandlerResult {
    let ask = |answer| WorkbenchRequest::Icons { tab, side, answer };
    let picture = world.wake().await?.request(ask).await?;
    let picture = picture.ok_or_else(|| not_found("this rule has no icons of this size"))?;
    let png = run_blocking(move || render::png(&picture)).await?;
    Ok(uncached("image/png", png))
}

#[derive(Deserialize)]
struct ThumbnailQuery {
    id: u64,
    tab: Option<u64>,
}

async fn timeline_picture(
    State(service): WorkbenchServiceState,
    world: WorldAccess,
    Query(ThumbnailQuery { id, tab }): Query<ThumbnailQuery>,
) -> HandlerResult {
    // A page asks for all of them at once, while a world may be running.
    let _permit = service.drawing.acquire().await?;
    let ask = |answer| WorkbenchRequest::Thumbnail { tab, id, answer };
    let scene = world.wake().await?.request(ask).await?;
    let scene = scene.ok_or_else(|| not_found("this generation is not kept any more"))?;
    let begun = Instant::now();
    let clock: WireClock = Arc::new(move || begun.elapsed());
    let png = run_blocking(move || draw_thumbnail(&scene, &clock)).await?;
    let png = png.ok_or_else(|| not_found("this generation is too large for a small picture"))?;
    Ok(uncached("image/png", png))
}

async fn plot_csv(world: WorldAccess) -> HandlerResult {
    let ask = |answer| WorkbenchRequest::PlotCsv { answer };
    let csv = world.wake().await?.request(ask).await?;
    Ok(uncached("text/csv; charset=utf-8", csv))
}

async fn identify_pattern(
    State(service): WorkbenchServiceState,
    world: WorldAccess,
) -> HandlerResult {
    let permit = Arc::clone(&service.identifying).acquire_owned().await?;
    let ask = |answer| WorkbenchRequest::Subject { answer };
    let subject = world.wake().await?.request(ask).await?;
    let body = identify::start(subject, permit);
    Ok(uncached("application/jsonl", body))
}

async fn film_gif(
    State(service): WorkbenchServiceState,
    world: WorldAccess,
    Query(query): Query<FilmQuery>,
) -> HandlerResult {
    film(&service, &world, &query, FilmFormat::Gif).await
}

async fn film_apng(
    State(service): WorkbenchServiceState,
    world: WorldAccess,
    Query(query): Query<FilmQuery>,
) -> HandlerResult {
    film(&service, &world, &query, FilmFormat::Apng).await
}

async fn film(
    service: &WorkbenchService,
    world: &WorldAccess,
    query: &FilmQuery,
    format: FilmFormat,
) -> HandlerResult {
    let plan = query.plan().map_err(|error| film::refuse(&error))?;
    let turn = service.films.wait(&world.keys.id).await?;
    let ask = |answer| WorkbenchRequest::Film {
        tab: query.tab,
        from: plan.from.clone(),
        answer,
    };
    let scene = world.wake().await?.request(ask).await?.map_err(|refusal| {
        let hint = refusal.hint();
        error_response(StatusCode::UNPROCESSABLE_ENTITY, &refusal, hint.as_deref())
    })?;
    let share = world.worlds.join_memory();
    let body = film::start(scene, plan, format, share, turn);
    Ok(uncached(format.media_type(), body))
}

async fn live(
    State(service): WorkbenchServiceState,
    world: WorldAccess,
    upgrade: WebSocketUpgrade,
) -> HandlerResult {
    let too_many = format!("{TABS} tabs watch already");
    let workbench = world.wake().await?;
    let tab = service.next_tab.fetch_add(1, Ordering::Relaxed);
    serve_socket(
        upgrade,
        &service.tabs,
        LONGEST,
        too_many,
        async move |socket| {
            tab::serve(socket, world, workbench, tab).await;
        },
    )
}
