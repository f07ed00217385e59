//! Coordinates along the upper and the left edge of the plane.
//!
//! Own method.

use crate::bar::{grouped, width};
use crate::ink::Ink;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use render::SheetRulers;

/// Draws the rulers over the topmost row and the leftmost columns of an area. Each mark is a
/// wedge in the column or row of its cell.
pub(crate) fn draw(buffer: &mut Buffer, area: Rect, rulers: &SheetRulers, ink: Ink) {
    let rows: Vec<(u16, String)> = rulers
        .rows
        .iter()
        .filter_map(|mark| Some((u16::try_from(mark.pixel / 2).ok()?, grouped(&mark.label))))
        .filter(|(row, _)| (1..area.height).contains(row))
        .collect();
    let widest = rows.iter().map(|(_, label)| width(label)).max();
    let columns = (widest.unwrap_or(0) as u16 + 1).min(area.width / 2);
    let blank = " ".repeat(area.width.into());
    buffer.set_string(area.x, area.y, &blank, ink.soft());
    for y in area.y + 1..area.bottom() {
        buffer.set_string(area.x, y, &blank[..columns.into()], ink.soft());
    }
    for (row, label) in rows {
        let (label, y) = (format!("{label}▸"), area.y + row);
        let indent = usize::from(columns).saturating_sub(width(&label));
        let x = area.x + indent as u16;
        buffer.set_stringn(x, y, label, columns.into(), ink.soft());
    }
    for mark in &rulers.columns {
        let label = format!("▾{}", grouped(&mark.label));
        let column = u16::try_from(mark.pixel).unwrap_or(u16::MAX);
        let has_room = (columns..area.width).contains(&column)
            && usize::from(area.width - column) >= width(&label);
        if has_room {
            buffer.set_string(area.x + column, area.y, label, ink.soft());
        }
    }
}
