//! The room classroom.

use super::Rooms;
use axum::Router;

/// What answers in this room, but for its document.
pub(crate) fn routes(_rooms: &Rooms) -> Router {
    Router::new()
}
