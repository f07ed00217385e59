//! What a pattern is, as JSON for the page.

use crate::clock::WireClock;
use census::{IdentificationCard, IdentifyOptions, PeriodMap, identify};
use serde_json::{Value, json};
use session::Session;
use std::time::Duration;

/// The largest map that is sent, in cells.
const LARGEST_MAP: usize = 1 << 16;

/// How long a page waits where it does nothing else meanwhile.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is selected in a world, or all of it: `{"card": ...}` or `{"error": ...}`. After a while,
/// what is known by then.
pub(crate) fn answer(session: &Session, clock: &WireClock) -> Value {
    let (rule, cells) = session.selected_cells();
    let end = clock() + PATIENCE;
    let options = IdentifyOptions::default();
    match identify(&rule, &cells, &options, &mut |_| clock() < end) {
        Ok(found) => {
            json!({ "card": card_json(&IdentificationCard::in_library(&found, &rule, &cells)) })
        }
        Err(error) => json!({ "error": error.to_string() }),
    }
}

/// A card.
#[must_use]
pub fn card_json(card: &IdentificationCard) -> Value {
    let objects = card
        .objects
        .iter()
        .map(|object| json!({ "code": object.code, "name": object.name, "count": object.count }));
    // they are a list of their own
    let is_listed = |name: &str| ["consists of", "leaves"].contains(&name);
    let rows = card.rows.iter().filter(|(name, _)| !is_listed(name));
    let map = card.map.as_ref();
    json!({
        "title": card.title,
        "code": card.code,
        "rows": rows.collect::<Vec<_>>(),
        "objects": objects.collect::<Vec<_>>(),
        "map": map.filter(|map| map.periods.len() <= LARGEST_MAP).map(map_json),
    })
}

fn map_json(map: &PeriodMap) -> Value {
    json!({
        "x": map.x,
        "y": map.y,
        "width": map.width,
        "height": map.height,
        "period": map.period,
        "periods": map.periods,
    })
}
