//! The world that a request is about, and what its sender may do with it.

use crate::listener::Peer;
use crate::response::{ErrorResponse, error_response};
use crate::workbench::WorkbenchHandle;
use crate::worlds::{WorldKeys, WorldRights, WorldVisitor, Worlds, WorldsError};
use axum::extract::{ConnectInfo, FromRequestParts, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::Deserialize;
use std::sync::Arc;

/// What has worlds: the state of handlers.
pub(crate) trait WorldService {
    fn worlds(&self) -> &Arc<Worlds>;
}

impl WorldService for Arc<Worlds> {
    fn worlds(&self) -> &Arc<Worlds> {
        self
    }
}

/// A world, named by `?world=ID&key=KEY`. Without a name it is the one that the server began
/// with; the owner of the server needs no key.
pub(crate) struct WorldAccess {
    pub(crate) worlds: Arc<Worlds>,
    pub(crate) keys: WorldKeys,
    pub(crate) rights: WorldRights,
    pub(crate) visitor: WorldVisitor,
}

/// A world whose cells the sender may change.
pub(crate) struct DrawAccess(pub(crate) WorldAccess);

impl WorldAccess {
    pub(crate) fn may_draw(&self) -> bool {
        self.rights == WorldRights::Draw
    }

    /// The world's thread, started where the world is asleep.
    pub(crate) async fn wake(&self) -> Result<WorkbenchHandle, WorldsError> {
        self.worlds.wake(&self.keys.id).await
    }
}

#[derive(Deserialize)]
struct WorldQuery {
    world: Option<String>,
    key: Option<String>,
}

/// Who sends a request.
pub(crate) fn visitor(parts: &Parts, key: Option<String>) -> WorldVisitor {
    let peer = parts.extensions.get::<ConnectInfo<Peer>>();
    WorldVisitor {
        key: key.filter(|key| !key.is_empty()),
        is_owner: peer.is_some_and(|peer| peer.0.is_local()),
    }
}

impl<S: WorldService + Sync> FromRequestParts<S> for WorldAccess {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ErrorResponse> {
        let Query(WorldQuery { world, key }) = Query::try_from_uri(&parts.uri)
            .map_err(|error| error_response(StatusCode::BAD_REQUEST, error, None))?;
        let visitor = visitor(parts, key);
        let worlds = Arc::clone(state.worlds());
        let world = world.filter(|id| !id.is_empty());
        let (keys, rights) = worlds.rights(world.as_deref(), &visitor)?;
        Ok(Self {
            worlds,
            keys,
            rights,
            visitor,
        })
    }
}

impl<S: WorldService + Sync> FromRequestParts<S> for DrawAccess {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ErrorResponse> {
        let access = WorldAccess::from_request_parts(parts, state).await?;
        match access.may_draw() {
            true => Ok(Self(access)),
            false => Err(WorldsError::WatchOnly.into()),
        }
    }
}

impl From<WorldsError> for ErrorResponse {
    fn from(error: WorldsError) -> Self {
        let (code, hint) = match error {
            WorldsError::Unknown => (StatusCode::NOT_FOUND, Some("/ opens a world of your own")),
            WorldsError::Forbidden => (
                StatusCode::FORBIDDEN,
                Some("ask for an invitation to watch or to draw; / opens a world of your own"),
            ),
            WorldsError::WatchOnly => (StatusCode::FORBIDDEN, None),
            WorldsError::TooMany | WorldsError::TooManyAwake => {
                (StatusCode::SERVICE_UNAVAILABLE, Some("close some of them"))
            }
            WorldsError::Service(error) => return error.into(),
            WorldsError::Random | WorldsError::Thread => (StatusCode::INTERNAL_SERVER_ERROR, None),
        };
        error_response(code, error, hint)
    }
}
