//! The socket of a page at a table.

use super::table_session::TableSession;
use crate::pages::page_socket::{MalformedMessage, PageCloseReason, PageMessageQueue, converse};
use crate::response::run_blocking;
use axum::extract::ws::WebSocket;
use serde_json::json;
use std::sync::Arc;
use wire::{TableAction, TableMessage};

/// Serves a page until it goes, or has to.
pub(super) async fn serve(socket: WebSocket, session: Option<Arc<TableSession>>, key: String) {
    let queue = Arc::new(PageMessageQueue::default());
    let connection = session.and_then(|session| TableConnection::begin(session, &queue, key));
    let Some(connection) = connection else {
        queue.send(json!({ "gone": true }).to_string());
        queue.close(PageCloseReason::Gone);
        return converse(socket, queue, async |_| Ok(())).await;
    };
    let handle = |text: String| {
        let (session, page) = (Arc::clone(&connection.session), connection.page);
        async move {
            let message = TableMessage::read(&text).map_err(MalformedMessage)?;
            // these may block
            if message.action.as_ref().is_ok_and(TableAction::is_slow) {
                let _ = run_blocking(move || session.handle(page, message)).await;
            } else {
                session.handle(page, message);
            }
            Ok(())
        }
    };
    converse(socket, queue, handle).await;
}

/// A page at a table, until it is dropped.
struct TableConnection {
    session: Arc<TableSession>,
    page: u64,
}

impl TableConnection {
    fn begin(
        session: Arc<TableSession>,
        queue: &Arc<PageMessageQueue>,
        key: String,
    ) -> Option<Self> {
        let page = session.join(queue, key)?;
        Some(Self { session, page })
    }
}

impl Drop for TableConnection {
    fn drop(&mut self) {
        self.session.leave(self.page);
    }
}
