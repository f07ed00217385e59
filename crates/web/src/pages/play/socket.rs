//! The socket of a page at a table.

use super::message::TableMessage;
use super::problem;
use super::table_session::TableSession;
use crate::pages::page_socket::{PageCloseReason, PageMessageQueue, converse};
use crate::route::aside;
use axum::extract::ws::WebSocket;
use serde_json::json;
use std::sync::Arc;

/// Serves a page until it goes, or has to.
pub(super) async fn serve(socket: WebSocket, sitting: Option<Arc<TableSession>>, key: String) {
    let letters = Arc::new(PageMessageQueue::default());
    let watching = sitting.and_then(|sitting| TableConnection::begin(sitting, &letters, key));
    let Some(watching) = watching else {
        letters.send(json!({ "gone": true }).to_string());
        letters.close(PageCloseReason::Gone);
        return converse(socket, letters, async |_| Ok(())).await;
    };
    let hear = |text: String| {
        let (sitting, page) = (Arc::clone(&watching.sitting), watching.page);
        async move {
            let TableMessage { id, wish } = TableMessage::read(&text)?;
            match wish {
                // only these take longer than a blink
                Ok(wish) if wish.is_slow() => {
                    aside(move || sitting.hear(page, &id, wish)).await;
                }
                Ok(wish) => sitting.hear(page, &id, wish),
                Err(error) => sitting.tell(page, problem(&id, error, None)),
            }
            Ok(())
        }
    };
    converse(socket, letters, hear).await;
}

/// A page at a table, until it is dropped.
struct TableConnection {
    sitting: Arc<TableSession>,
    page: u64,
}

impl TableConnection {
    fn begin(
        sitting: Arc<TableSession>,
        letters: &Arc<PageMessageQueue>,
        key: String,
    ) -> Option<Self> {
        let page = sitting.join(letters, key)?;
        Some(Self { sitting, page })
    }
}

impl Drop for TableConnection {
    fn drop(&mut self) {
        self.sitting.part(self.page);
    }
}
