//! Planes for any pattern, not just soups, whose every generation is looked at.

use super::plane::SoupPlane;
use pattern::Cells;
use rule::Rule;

/// Patterns that reach further from the origin than this have no place on a plane.
const FARTHEST: i64 = 1 << 24;

/// Bytes that a tile takes, with all that is known of it.
const TILE_BYTES: u64 = 1 << 10;

/// An empty plane for a rule of two states that is the same in every generation. None for others,
/// and for those that planes do not know.
pub(crate) fn watched_plane(rule: &Rule) -> Option<SoupPlane> {
    let is_steady = rule.states() == 2 && rule.time_period() == 1 && rule.background(0) == 0;
    is_steady.then(|| SoupPlane::new(rule)).flatten()
}

/// The cells as a plane takes them; None where they are too far out, or in other states than 1.
pub(crate) fn plane_cells(cells: &Cells) -> Option<Vec<(i32, i32)>> {
    let Some(bounds) = cells.bounds() else {
        return Some(Vec::new());
    };
    let rect = bounds.to_rect()?;
    let is_near = |from: i64, length: u64| {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        from > -FARTHEST && from.saturating_add(length) < FARTHEST
    };
    if !is_near(rect.x, rect.width) || !is_near(rect.y, rect.height) {
        return None;
    }
    let mut points = Vec::new();
    let mut is_plain = true;
    cells.for_each_run(&mut |run| {
        is_plain &= run.state == 1;
        let columns = run.x..run.x + run.length as i64;
        points.extend(columns.map(|x| (x as i32, run.y as i32)));
    });
    is_plain.then_some(points)
}

/// What a plane takes, in bytes.
pub(crate) fn plane_bytes(plane: &SoupPlane) -> u64 {
    TILE_BYTES * plane.tiles() as u64
}
