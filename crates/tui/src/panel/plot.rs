//! The plot: quantities of the run over its generations.

use super::{PanelContext, PanelRequest, window};
use crate::bar::grouped;
use crate::ink::Ink;
use crate::sheet::DOTS;
use plot::{PlotDrawing, PlotView, RunQuantity};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The width of the scale at the left.
const SCALE: u16 = 10;

/// The plot and the place that is read.
#[derive(Debug, Default)]
pub(crate) struct PlotPanel {
    /// The column of dots that is read; without one, the last point is.
    column: Option<usize>,
    /// The columns of dots of the last drawing.
    columns: usize,
}

impl PlotPanel {
    pub(crate) fn key(&mut self, event: &KeyEvent, context: &PanelContext<'_>) -> PanelRequest {
        let mut view = shown(context);
        let send = |view: PlotView| PanelRequest::Send(format!("curves {view}"));
        match event.code {
            KeyCode::Char('p' | 'q') | KeyCode::Enter => PanelRequest::Close,
            // The session keeps running below the plot.
            KeyCode::Char(' ') => PanelRequest::Send("step".into()),
            KeyCode::Char('b') => send(view.toggled(&[RunQuantity::Births, RunQuantity::Deaths])),
            KeyCode::Char('s') => send(view.toggled(&[RunQuantity::Width, RunQuantity::Height])),
            KeyCode::Char('x') => {
                view.is_log_across = !view.is_log_across;
                send(view)
            }
            KeyCode::Char('y') => {
                view.is_log_up = !view.is_log_up;
                send(view)
            }
            KeyCode::Left => self.read(-1),
            KeyCode::Right => self.read(1),
            _ => PanelRequest::Stay,
        }
    }

    /// Moves the place that is read by a number of columns.
    fn read(&mut self, by: isize) -> PanelRequest {
        let last = self.columns.saturating_sub(1);
        let column = self.column.unwrap_or(last).saturating_add_signed(2 * by);
        self.column = Some(column).filter(|column| *column < last);
        PanelRequest::Stay
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let ink = context.ink;
        let hint = "b births and deaths · s size · x y log axes · ← → read · esc closes";
        let inner = window(buffer, area, (78, 20), ("plot", hint), ink);
        let drawing = PlotDrawing::new(context.session.run_series(), &shown(context));
        let has_points = drawing.curves.iter().any(|curve| curve.places.len() > 1);
        if !has_points || inner.width <= SCALE + 8 || inner.height <= 6 {
            let words = "nothing to draw yet: run it first";
            buffer.set_stringn(inner.x, inner.y, words, inner.width.into(), ink.soft());
            return;
        }
        let canvas = Rect::new(
            inner.x + SCALE,
            inner.y + 1,
            inner.width - SCALE,
            inner.height - 3,
        );
        self.columns = usize::from(canvas.width) * 2;
        self.draw_reading(buffer, inner, &drawing, ink);
        let column = self.column.map(|column| canvas.x + (column / 2) as u16);
        if let Some(x) = column.filter(|x| *x < canvas.right()) {
            for y in canvas.y..canvas.bottom() {
                buffer.set_string(x, y, "│", ink.soft());
            }
        }
        draw_curves(buffer, canvas, &drawing, ink);
        draw_scales(buffer, inner, canvas, &drawing, ink);
    }

    /// The values at the place that is read, each in the colour of its curve.
    fn draw_reading(&self, buffer: &mut Buffer, row: Rect, drawing: &PlotDrawing, ink: Ink) {
        let part = self
            .column
            .map_or(1.0, |column| column as f64 / self.columns.max(1) as f64);
        let Some((generation, values)) = drawing.reading(part) else {
            return;
        };
        let mut x = row.x;
        let mut put = |text: String, style: Style| {
            let available = usize::from(row.right().saturating_sub(x));
            x = buffer.set_stringn(x, row.y, text, available, style).0;
        };
        put(
            format!("generation {}", grouped(&generation.to_string())),
            ink.soft(),
        );
        for (quantity, value) in values {
            let text = format!("  {} {}", quantity.name(), grouped(&value.to_string()));
            put(text, pen(quantity, ink));
        }
    }
}

/// What the viewer's plot shows.
fn shown(context: &PanelContext<'_>) -> PlotView {
    let mut view = PlotView::NOTHING;
    for word in context.status.viewer.curves.split(' ') {
        view.read_word(word);
    }
    view
}

fn pen(quantity: RunQuantity, ink: Ink) -> Style {
    let theme = ink.theme;
    let colour = match quantity {
        RunQuantity::Population => theme.text,
        RunQuantity::Births => theme.accent,
        RunQuantity::Deaths => theme.red,
        RunQuantity::Width => theme.pencil,
        RunQuantity::Height => theme.text_soft,
    };
    ink.on(colour, theme.surround)
}

fn draw_curves(buffer: &mut Buffer, canvas: Rect, drawing: &PlotDrawing, ink: Ink) {
    let rows = usize::from(canvas.height) * 4;
    let level = |height: f64| (height.clamp(0.0, 1.0) * (rows - 1) as f64).round() as usize;
    let mut dots = vec![0_u32; usize::from(canvas.width) * usize::from(canvas.height)];
    for curve in &drawing.curves {
        let style = pen(curve.quantity, ink);
        let mut before = None;
        let columns = curve.columns(usize::from(canvas.width) * 2);
        for (column, height) in columns.into_iter().enumerate() {
            let Some(height) = height else { continue };
            let now = level(height);
            let from = before.unwrap_or(now);
            before = Some(now);
            for dot in from.min(now)..=from.max(now) {
                let row = rows - 1 - dot;
                let (across, down) = (column / 2, row / 4);
                let pattern = &mut dots[down * usize::from(canvas.width) + across];
                *pattern |= DOTS[row % 4 * 2 + column % 2];
                if let Some(sign) = char::from_u32(0x2800 + *pattern) {
                    let at = (canvas.x + across as u16, canvas.y + down as u16);
                    buffer[at].set_char(sign).set_style(style);
                }
            }
        }
    }
}

/// The labels of both axes, as far as there is room.
fn draw_scales(buffer: &mut Buffer, inner: Rect, canvas: Rect, drawing: &PlotDrawing, ink: Ink) {
    let available = usize::from(SCALE) - 1;
    let mut free = canvas.bottom();
    for (part, label) in &drawing.up {
        let up = (part * f64::from(canvas.height - 1)).round() as u16;
        let y = canvas.bottom() - 1 - up.min(canvas.height - 1);
        if y < free {
            let label = format!("{:>available$}", grouped(label));
            buffer.set_stringn(inner.x, y, label, available, ink.soft());
            free = y;
        }
    }
    let y = canvas.bottom();
    let mut free = canvas.x;
    for (part, label) in &drawing.across {
        let label = grouped(label);
        let width = label.chars().count() as u16;
        let x = canvas.x + (part * f64::from(canvas.width - 1)).round() as u16;
        let x = x.saturating_sub(width / 2).max(canvas.x);
        if x >= free && x + width <= inner.right() {
            buffer.set_string(x, y, label, ink.soft());
            free = x + width + 1;
        }
    }
    let title = &drawing.across_title;
    let width = title.chars().count() as u16;
    let x = inner.right().saturating_sub(width).max(inner.x);
    buffer.set_stringn(x, y + 1, title, inner.width.into(), ink.soft());
    buffer.set_stringn(inner.x, y + 1, &drawing.up_title, available, ink.soft());
}
