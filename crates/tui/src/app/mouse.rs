//! The mouse: it draws, selects, picks or pans, depending on the tool.

use crate::app::App;
use crate::panel::PanelRequest;
use grid::{Point, Rect as Area};
use num_traits::ToPrimitive as _;
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use render::Zoom;
use session::Command;
use session::command::{DrawnShape, SelectionChange, Tool, ZoomChange};

/// The current drag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Drag {
    #[default]
    Nothing,
    /// Drawing with a state, and the last cell.
    Draw(u8, Point),
    /// Drawing a shape or a line with a state, from the first cell to the last one.
    Shape(Tool, u8, Point, Point),
    /// Selecting, from the first cell.
    Select(Point),
    /// Panning, from a screen position.
    Pan(u16, u16),
}

impl App {
    pub(crate) fn mouse(&mut self, event: &MouseEvent) {
        if self.question.is_some() {
            return;
        }
        let rows: i32 = match event.kind {
            MouseEventKind::ScrollUp => -3,
            MouseEventKind::ScrollDown => 3,
            _ => 0,
        };
        if let Some(mut panel) = self.panel.take() {
            if rows != 0 {
                let step = rows.signum();
                self.with_context(|context| panel.scroll(step, context));
            }
            let at = Position::new(event.column, event.row);
            let request = match event.kind {
                MouseEventKind::Down(MouseButton::Left) => {
                    self.with_context(|context| panel.click(at, context))
                }
                _ => PanelRequest::Stay,
            };
            return self.handle_request(panel, request);
        }
        let area = self.sheet_area();
        let is_on_sheet = area.contains((event.column, event.row).into());
        if !is_on_sheet && self.drag == Drag::Nothing {
            let is_press = event.kind == MouseEventKind::Down(MouseButton::Left);
            if is_press && event.row == area.bottom() {
                self.send("toggle");
            }
            return;
        }
        let (px, py) = self.pixel(event.column, event.row);
        if self.floating.is_some()
            && let Some(cell) = self.cell(event)
        {
            match event.kind {
                MouseEventKind::Moved => return self.move_paste_to(cell),
                MouseEventKind::Down(MouseButton::Left) => {
                    self.move_paste_to(cell);
                    return self.put_paste();
                }
                _ => {}
            }
        }
        match event.kind {
            MouseEventKind::ScrollUp => {
                self.carry_out(&Command::Zoom(ZoomChange::In, Some((px, py))));
            }
            MouseEventKind::ScrollDown => {
                self.carry_out(&Command::Zoom(ZoomChange::Out, Some((px, py))));
            }
            MouseEventKind::Down(MouseButton::Left)
                if event.modifiers.contains(KeyModifiers::ALT) =>
            {
                let object = self
                    .cell(event)
                    .map(|cell| SelectionChange::Object(Some(cell)));
                if let Some(object) = object {
                    self.carry_out(&Command::Select(object));
                }
            }
            MouseEventKind::Down(button) => self.press(button, event),
            MouseEventKind::Drag(_) => self.drag(event),
            MouseEventKind::Up(_) => self.release(),
            _ => {}
        }
        if self.anchor.is_none() {
            self.viewer.cursor = Some(self.viewer.viewport.cell_at(px, py));
            self.has_cell_cursor = false;
        }
    }

    /// The pixel of the viewport under a character.
    fn pixel(&self, column: u16, row: u16) -> (i64, i64) {
        let area = self.sheet_area();
        let (column, row) = (i64::from(column), i64::from(row));
        (column - i64::from(area.x), (row - i64::from(area.y)) * 2)
    }

    /// The cell under a character, where single cells are large enough.
    fn cell(&self, event: &MouseEvent) -> Option<Point> {
        let (px, py) = self.pixel(event.column, event.row);
        let (x, y) = self.viewer.viewport.cell_at(px, py);
        Some(Point::new(x.to_i64()?, y.to_i64()?))
    }

    fn press(&mut self, button: MouseButton, event: &MouseEvent) {
        let Some(cell) = self.cell(event) else { return };
        let tool = match button {
            MouseButton::Left => self.viewer.tool,
            _ => Tool::Pan,
        };
        match tool {
            Tool::Pan => self.drag = Drag::Pan(event.column, event.row),
            Tool::Pick => {
                self.carry_out(&Command::Pick(cell));
                self.show_message(format!("drawing with state {}", self.viewer.pen));
            }
            Tool::Select => {
                self.drag = Drag::Select(cell);
                self.carry_out(&Command::Select(SelectionChange::Nothing));
            }
            Tool::Measure => self.drag = Drag::Shape(tool, 0, cell, cell),
            _ if matches!(self.viewer.viewport.zoom, Zoom::Out(_)) => {
                self.show_message("cells are too small to draw here: zoom in with ] or the wheel");
            }
            Tool::Flood => self.carry_out(&Command::Flood(self.state_at(cell), cell)),
            Tool::Line | Tool::Rectangle | Tool::Ellipse => {
                self.drag = Drag::Shape(tool, self.state_at(cell), cell, cell);
            }
            Tool::Draw | Tool::Erase => {
                let state = match tool {
                    Tool::Erase => 0,
                    _ => self.state_at(cell),
                };
                self.drag = Drag::Draw(state, cell);
                self.carry_out(&Command::Draw {
                    more: false,
                    state,
                    points: vec![cell],
                });
                if self.viewer.viewport.zoom == Zoom::In(1) && self.note.is_none() {
                    self.show_message(
                        "a character holds two cells here, and the upper one is meant",
                    );
                }
            }
        }
    }

    /// The state that drawing gives, from this cell on: the pen's, or none where that is there.
    fn state_at(&self, cell: Point) -> u8 {
        let is_there = self.session.world().get(cell) == self.viewer.pen;
        if is_there { 0 } else { self.viewer.pen }
    }

    /// The button is up: what was dragged out is drawn.
    fn release(&mut self) {
        let drag = std::mem::take(&mut self.drag);
        if let Drag::Shape(tool, state, from, to) = drag {
            let shape = match tool {
                Tool::Rectangle => DrawnShape::Rectangle,
                Tool::Ellipse => DrawnShape::Ellipse,
                Tool::Measure => return self.carry_out(&Command::Measure([from, to])),
                _ => {
                    let (more, points) = (false, vec![from, to]);
                    self.carry_out(&Command::Draw {
                        more,
                        state,
                        points,
                    });
                    return;
                }
            };
            self.carry_out(&Command::Shape {
                shape,
                is_filled: false,
                state,
                corners: [from, to],
            });
        }
    }

    fn drag(&mut self, event: &MouseEvent) {
        let Some(cell) = self.cell(event) else { return };
        match self.drag {
            Drag::Nothing => {}
            Drag::Draw(state, from) if from != cell => {
                self.drag = Drag::Draw(state, cell);
                self.carry_out(&Command::Draw {
                    more: true,
                    state,
                    points: vec![from, cell],
                });
            }
            Drag::Draw(..) => {}
            Drag::Shape(tool, state, from, _) => {
                self.drag = Drag::Shape(tool, state, from, cell);
                let side = |a: i64, b: i64| a.abs_diff(b) + 1;
                let (width, height) = (side(from.x, cell.x), side(from.y, cell.y));
                self.show_message(format!("{}: {width} x {height} cells", tool.name()));
            }
            Drag::Select(from) => {
                let cells = SelectionChange::Cells(Area::from_corners(from, cell));
                self.carry_out(&Command::Select(cells));
            }
            Drag::Pan(column, row) => {
                let across = i64::from(column) - i64::from(event.column);
                let down = i64::from(row) - i64::from(event.row);
                self.drag = Drag::Pan(event.column, event.row);
                self.carry_out(&Command::Pan(across, down * 2));
            }
        }
    }
}
