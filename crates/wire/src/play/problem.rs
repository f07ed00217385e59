//! What cannot be done at a table, as a message.

use crate::reply;
use serde_json::{Value, json};

/// An error message for a page; `id` is the number of what it answers.
#[must_use]
pub(super) fn text(id: &Value, error: impl ToString, hint: Option<&str>) -> String {
    let mut body = reply::problem(error, hint);
    if let Some(fields) = body.as_object_mut() {
        fields.remove("ok");
    }
    if !id.is_null() {
        body["id"] = id.clone();
    }
    json!({ "error": body }).to_string()
}
