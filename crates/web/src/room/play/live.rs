//! The socket of a page at a table.

use super::problem;
use super::sitting::Sitting;
use super::wish::Message;
use crate::room::wire::{Close, Letters, converse};
use crate::route::aside;
use axum::extract::ws::WebSocket;
use serde_json::json;
use std::sync::Arc;

/// Serves a page until it goes, or has to.
pub(super) async fn serve(socket: WebSocket, sitting: Option<Arc<Sitting>>, key: String) {
    let letters = Arc::new(Letters::default());
    let watching = sitting.and_then(|sitting| Watching::begin(sitting, &letters, key));
    let Some(watching) = watching else {
        letters.send(json!({ "gone": true }).to_string());
        letters.close(Close::Gone);
        return converse(socket, letters, async |_| Ok(())).await;
    };
    let hear = |text: String| {
        let (sitting, page) = (Arc::clone(&watching.sitting), watching.page);
        async move {
            let Message { id, wish } = Message::read(&text)?;
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
struct Watching {
    sitting: Arc<Sitting>,
    page: u64,
}

impl Watching {
    fn begin(sitting: Arc<Sitting>, letters: &Arc<Letters>, key: String) -> Option<Self> {
        let page = sitting.join(letters, key)?;
        Some(Self { sitting, page })
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.sitting.part(self.page);
    }
}
