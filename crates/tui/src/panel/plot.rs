//! The population plot.

use super::{PanelContext, window};
use crate::bar::grouped;
use crate::sheet::DOTS;
use plot::resampled;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The width of the scale at the left.
const SCALE: u16 = 10;

pub(super) fn draw(buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
    let ink = context.ink;
    let hint = "space steps · esc closes";
    let inner = window(buffer, area, (78, 20), ("population", hint), ink);
    let points = context.session.plot().points();
    let ([first, .., last], true) = (points, inner.width > SCALE + 8 && inner.height > 4) else {
        let words = "nothing to draw yet: run it first";
        buffer.set_stringn(inner.x, inner.y, words, inner.width.into(), ink.soft());
        return;
    };
    let canvas = Rect::new(
        inner.x + SCALE,
        inner.y,
        inner.width - SCALE,
        inner.height - 1,
    );
    let heights = resampled(points, usize::from(canvas.width) * 2);
    let most = heights.iter().copied().flatten().fold(1.0, f64::max);
    let rows = usize::from(canvas.height) * 4;
    let level = |height: f64| ((height / most) * (rows - 1) as f64).round() as usize;
    let mut dots = vec![0_u32; usize::from(canvas.width) * usize::from(canvas.height)];
    let mut before = None;
    for (column, height) in heights.iter().enumerate() {
        let Some(height) = height else { continue };
        let now = level(*height);
        let from = before.unwrap_or(now);
        before = Some(now);
        for dot in from.min(now)..=from.max(now) {
            let row = rows - 1 - dot;
            let character = row / 4 * usize::from(canvas.width) + column / 2;
            dots[character] |= DOTS[row % 4 * 2 + column % 2];
        }
    }
    for (index, pattern) in dots.iter().enumerate() {
        let (x, y) = (index as u16 % canvas.width, index as u16 / canvas.width);
        if let Some(sign) = char::from_u32(0x2800 + pattern).filter(|_| *pattern > 0) {
            let style = ink.on(ink.theme.blue, ink.theme.surround);
            let cell = &mut buffer[(canvas.x + x, canvas.y + y)];
            cell.set_char(sign).set_style(style);
        }
    }
    let highest = points.iter().map(|(_, population)| population).max();
    let highest = highest.map(|n| grouped(&n.to_string())).unwrap_or_default();
    let available = usize::from(SCALE) - 1;
    let scale = |y: u16, text: &str, buffer: &mut Buffer| {
        buffer.set_stringn(
            inner.x,
            y,
            format!("{text:>available$}"),
            available,
            ink.soft(),
        );
    };
    scale(canvas.y, &highest, buffer);
    scale(canvas.bottom() - 1, "0", buffer);
    let y = inner.bottom() - 1;
    let (left, right) = (grouped(&first.0.to_string()), grouped(&last.0.to_string()));
    buffer.set_stringn(canvas.x, y, left, canvas.width.into(), ink.soft());
    let right = format!("generation {right}");
    let x = canvas.right().saturating_sub(right.chars().count() as u16);
    buffer.set_string(x.max(canvas.x), y, right, ink.soft());
}
