//! The mouse: pointing moves the cursor, and a click makes the move.

use super::PlayScreen;
use games::Input;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

impl PlayScreen {
    pub(super) fn mouse(&mut self, event: &MouseEvent) {
        let rows = match event.kind {
            MouseEventKind::ScrollUp => -1,
            MouseEventKind::ScrollDown => 1,
            _ => 0,
        };
        let is_press = event.kind == MouseEventKind::Down(MouseButton::Left);
        if self.state.help_mouse(rows, is_press) {
            return;
        }
        if let Some(setup) = &mut self.setup {
            if rows != 0 {
                setup.turn(rows as isize);
            }
            if is_press {
                let request = setup.click(Position::new(event.column, event.row));
                self.handle_request(request);
            }
            return;
        }
        if rows != 0 {
            return self.look_back(rows as isize);
        }
        let is_move = event.kind == MouseEventKind::Moved;
        if !is_press && !is_move {
            return;
        }
        let hit = self.boards().into_iter().find_map(|(seat, place)| {
            let cell = place.cell_at(event.column, event.row);
            let label = place.label_at(event.column, event.row);
            (cell.is_some() || label.is_some()).then_some((seat, cell, label))
        });
        let Some((seat, cell, label)) = hit else {
            return;
        };
        let Some(session) = &mut self.session else {
            return;
        };
        // The opponent's view is read-only.
        if session.acting().is_some_and(|own| own != seat) && session.has_two_views() {
            return;
        }
        match (session.game.table().input(), cell, label) {
            (Input::Cell, Some(cell), _) => {
                session.cursor = cell;
                if is_press {
                    self.state.note = None;
                    self.choose();
                }
            }
            (Input::Column(own), Some((column, row)), _) if column == own => {
                session.cursor = (column, row);
                if is_press {
                    self.state.note = None;
                    self.mark();
                }
            }
            (Input::Column(own), _, Some(column)) if column == own && is_press => {
                self.state.note = None;
                self.choose();
            }
            _ => {}
        }
    }
}
