//! The mouse: a click picks a piece up or puts it down, and so does a drag from tile to tile.

use super::{LaserPanel, LaserScreen, LevelListRequest};
use ::laser::Tile;
use ::laser::play::LaserCommand;
use grid::Point;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// A pressed mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Press {
    /// The tile where it was pressed.
    from: Point,
    /// Whether that picked up a piece, so that a drag moves it.
    takes: bool,
}

impl LaserScreen {
    pub(super) fn mouse(&mut self, event: &MouseEvent) {
        let rows = match event.kind {
            MouseEventKind::ScrollUp => -1,
            MouseEventKind::ScrollDown => 1,
            _ => 0,
        };
        let is_press = matches!(event.kind, MouseEventKind::Down(_));
        match &mut self.panel {
            None => {}
            Some(LaserPanel::Help(help)) => {
                help.rows.by(rows);
                return self.handle_request(if is_press {
                    LevelListRequest::Close
                } else {
                    LevelListRequest::Stay
                });
            }
            Some(LaserPanel::List(list)) => {
                list.choose(rows);
                let at = Position::new(event.column, event.row);
                let request = if is_press {
                    list.click(at)
                } else {
                    LevelListRequest::Stay
                };
                return self.handle_request(request);
            }
        }
        match event.kind {
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
                self.go_to(self.cursor.offset(0, rows.into()));
            }
            MouseEventKind::Down(MouseButton::Left) => self.press(event),
            MouseEventKind::Down(_) => {
                self.press = None;
                self.apply(&LaserCommand::Deselect);
            }
            MouseEventKind::Drag(MouseButton::Left) => {
                if let (Some(_), Some(place)) = (self.press, self.tile_under(event)) {
                    self.go_to(place);
                }
            }
            MouseEventKind::Up(MouseButton::Left) => self.release(event),
            _ => {}
        }
    }

    fn press(&mut self, event: &MouseEvent) {
        let Some(place) = self.tile_under(event) else {
            return;
        };
        self.go_to(place);
        let takes = self.play.selected().is_none();
        let is_piece = matches!(self.play.board().at(place), Some(Tile::Hardware(_)));
        self.state.note = None;
        // A click on an empty tile without a piece in hand is not an error.
        if is_piece || !takes {
            self.apply(&LaserCommand::Select(place));
        }
        self.press = Some(Press {
            from: place,
            takes: takes && is_piece,
        });
    }

    fn release(&mut self, event: &MouseEvent) {
        let Some(press) = self.press.take().filter(|press| press.takes) else {
            return;
        };
        match self.tile_under(event) {
            // A click without a drag: the piece stays in hand.
            Some(place) if place == press.from => {}
            Some(place) => {
                self.go_to(place);
                if !self.apply(&LaserCommand::Select(place)) {
                    let note = self.state.note.take();
                    self.apply(&LaserCommand::Deselect);
                    self.state.note = note;
                }
            }
            // Released outside the board.
            None => {
                self.apply(&LaserCommand::Deselect);
            }
        }
    }

    /// The tile under the pointer.
    fn tile_under(&self, event: &MouseEvent) -> Option<Point> {
        let place = self.place();
        if !place.area.contains((event.column, event.row).into()) {
            return None;
        }
        let play = &self.play;
        let drawing = place.drawing(play);
        let (column, row) = (event.column - place.area.x, event.row - place.area.y);
        drawing.tile_at(column.into(), row.into())
    }
}
