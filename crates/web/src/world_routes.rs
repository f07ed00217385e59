//! The addresses of worlds: their page, the list of them, and what is asked and changed of one.

use crate::page_route::PageRoute;
use crate::pages;
use crate::response::{HandlerResult, error_response, uncached};
use crate::workbench::WorkbenchRequest;
use crate::world_access::{DrawAccess, WorldAccess, visitor};
use crate::worlds::{WorldKeys, Worlds};
use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// What the handlers here share.
#[derive(Clone)]
struct WorldRoutesState {
    worlds: Arc<Worlds>,
    token: Option<Arc<str>>,
}

impl crate::world_access::WorldService for WorldRoutesState {
    fn worlds(&self) -> &Arc<Worlds> {
        &self.worlds
    }
}

/// The routes of worlds. The token is for invitations, on a server that has one.
pub(crate) fn routes(worlds: &Arc<Worlds>, token: Option<&str>) -> Router {
    let state = WorldRoutesState {
        worlds: Arc::clone(worlds),
        token: token.map(Into::into),
    };
    Router::new()
        .route("/w/{id}", get(document))
        .route("/worlds.json", get(list))
        .route("/worlds", post(place))
        .route("/world.json", get(world))
        .route("/world/clone", post(clone))
        .route("/world/close", post(close))
        .route("/world/reopen", post(reopen))
        .route("/world/run-on", post(run_on))
        .with_state(state)
}

/// The workbench: its page asks for the world of its address.
async fn document(headers: HeaderMap) -> Response {
    pages::document(PageRoute::WORLDS, &headers)
}

async fn list(State(state): State<WorldRoutesState>, request: Request) -> HandlerResult {
    let (parts, _) = request.into_parts();
    if !visitor(&parts, None).is_owner {
        let message = "the list of all worlds is for the owner of this server";
        return Err(error_response(StatusCode::FORBIDDEN, message, None));
    }
    let worlds: Vec<_> = state
        .worlds
        .list()
        .into_iter()
        .map(|world| {
            json!({
                "id": world.id,
                "title": world.summary.title,
                "generation": world.summary.generation,
                "tabs": world.summary.tabs,
                "running": world.summary.is_running,
                "runsOn": world.summary.runs_on,
                "awake": world.is_awake,
            })
        })
        .collect();
    Ok(uncached(
        "application/json",
        json!({ "worlds": worlds }).to_string(),
    ))
}

#[derive(Deserialize)]
struct PlaceQuery {
    /// The world that the browser had last.
    last: Option<String>,
    key: Option<String>,
    new: Option<String>,
}

async fn place(
    State(state): State<WorldRoutesState>,
    Query(query): Query<PlaceQuery>,
    request: Request,
) -> HandlerResult {
    let (parts, _) = request.into_parts();
    let visitor = visitor(&parts, query.key);
    let wants_new = query.new.is_some_and(|new| new != "0");
    let keys = state
        .worlds
        .place(query.last.as_deref(), &visitor, wants_new)?;
    Ok(own(&keys))
}

/// A world that the asker may draw in.
fn own(keys: &WorldKeys) -> Response {
    let body = json!({ "world": keys.id, "key": keys.draw });
    uncached("application/json", body.to_string())
}

async fn world(State(state): State<WorldRoutesState>, world: WorldAccess) -> HandlerResult {
    let summary = world.worlds.summary(&world.keys.id).unwrap_or_default();
    let mut body = json!({
        "world": world.keys.id,
        "rights": world.rights.name(),
        "title": summary.title,
        "runsOn": summary.runs_on,
    });
    if world.may_draw() {
        body["draw"] = world.keys.draw.as_str().into();
        body["watch"] = world.keys.watch.as_str().into();
        body["token"] = state.token.as_deref().into();
    }
    Ok(uncached("application/json", body.to_string()))
}

async fn clone(DrawAccess(world): DrawAccess) -> HandlerResult {
    let keys = world
        .worlds
        .clone_world(&world.keys.id, &world.visitor)
        .await?;
    Ok(own(&keys))
}

async fn close(DrawAccess(world): DrawAccess) -> HandlerResult {
    world.worlds.set_closed(&world.keys.id, true)?;
    Ok(own(&world.keys))
}

async fn reopen(DrawAccess(world): DrawAccess) -> HandlerResult {
    world.worlds.set_closed(&world.keys.id, false)?;
    Ok(own(&world.keys))
}

#[derive(Deserialize)]
struct RunOnQuery {
    on: Option<String>,
}

async fn run_on(DrawAccess(world): DrawAccess, Query(query): Query<RunOnQuery>) -> HandlerResult {
    let on = query.on.is_none_or(|on| on != "0");
    world.wake().await?.send(WorkbenchRequest::RunOn(on))?;
    Ok(own(&world.keys))
}
