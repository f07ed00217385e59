//! A paste that floats over the sheet until it is put down: it is moved, turned and mirrored, and
//! shown as it would be. Own method.

use super::App;
use crate::line::CommandFailure;
use crate::sheet::FloatingCells;
use grid::{Point, Rect as Area};
use num_traits::ToPrimitive as _;
use pattern::Run;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use session::command::{Mirror, PasteMode, TurnDirection};
use session::{Clip, Command};
use std::collections::BTreeMap;

/// Cells beyond are not shown while they float, but their box.
const MOST_SHOWN: u128 = 1 << 14;

/// As many cells of a run are shown.
const LONGEST_SHOWN: u64 = 1 << 10;

impl App {
    /// Lets the clipboard's cells float, or those of a text or a name. They begin where they would be
    /// pasted without a place.
    pub(crate) fn begin_paste(&mut self, text: Option<&str>) -> Result<(), CommandFailure> {
        if let Some(text) = text {
            self.apply(&Command::Clipboard(text.to_string()))?;
        }
        let Some((width, height)) = self.clip_size() else {
            // that there is nothing is said
            return self.send_text("paste");
        };
        let cursor = self.viewer.cursor.as_ref();
        let cursor = cursor.and_then(|(x, y)| Some(Point::new(x.to_i64()?, y.to_i64()?)));
        let selection = self.session.selection();
        let corner = selection.map(|area| Point::new(area.x, area.y)).or(cursor);
        let corner = corner.or_else(|| {
            let (x, y) = self.viewer.viewport.centre();
            let (x, y) = (x.to_i64()?, y.to_i64()?);
            Some(Point::new(
                x.saturating_sub_unsigned(width / 2),
                y.saturating_sub_unsigned(height / 2),
            ))
        });
        self.floating = corner;
        // there may be more patterns in the text
        let more = self.session.status(&self.viewer).clip_more;
        self.note = None;
        if more > 0 {
            self.show_message(format!("n takes the next of {more} more"));
        }
        self.reveal_paste();
        Ok(())
    }

    fn clip_size(&self) -> Option<(u64, u64)> {
        let clip = self.session.clip()?;
        Some((clip.width, clip.height))
    }

    /// The box of what floats.
    pub(crate) fn floating_area(&self) -> Option<Area> {
        let (corner, (width, height)) = (self.floating?, self.clip_size()?);
        Some(Area::new(corner.x, corner.y, width, height))
    }

    /// What floats, for drawing: the cells that may be in view.
    pub(crate) fn floating_cells(&self) -> Option<FloatingCells> {
        let area = self.floating_area()?;
        let clip: &Clip = self.session.clip()?;
        let mut cells = BTreeMap::new();
        if clip.cells.walk_length() <= MOST_SHOWN {
            let mut take = |run: Run| {
                let length = run.length.min(LONGEST_SHOWN) as i64;
                for x in run.x..run.x.saturating_add(length) {
                    cells.insert(Point::new(area.x + x, area.y + run.y), run.state);
                }
            };
            clip.cells.for_each_run(&mut take);
        }
        Some(FloatingCells {
            area,
            cells,
            mode: self.session.paste_mode(),
        })
    }

    /// Handles a key while cells float. Returns whether it was one of its keys.
    pub(crate) fn key_on_paste(&mut self, event: &KeyEvent) -> bool {
        let is_far = event.modifiers.contains(KeyModifiers::SHIFT);
        let by = if is_far { 10 } else { 1 };
        let is_control = event.modifiers.contains(KeyModifiers::CONTROL);
        match event.code {
            KeyCode::Esc => self.floating = None,
            KeyCode::Char('c') if is_control => self.floating = None,
            _ if is_control => return false,
            KeyCode::Enter => self.put_paste(),
            KeyCode::Left => self.move_paste(-by, 0),
            KeyCode::Right => self.move_paste(by, 0),
            KeyCode::Up => self.move_paste(0, -by),
            KeyCode::Down => self.move_paste(0, by),
            KeyCode::Char('<') => self.turn_paste(&Command::PasteRotate(TurnDirection::Left)),
            KeyCode::Char('>') => self.turn_paste(&Command::PasteRotate(TurnDirection::Right)),
            KeyCode::Char('x') => self.turn_paste(&Command::PasteMirror(Mirror::Horizontal)),
            KeyCode::Char('y') => self.turn_paste(&Command::PasteMirror(Mirror::Vertical)),
            KeyCode::Char('n') => self.turn_paste(&Command::PasteNext),
            KeyCode::Char('m') => {
                let modes = PasteMode::ALL.map(|(mode, _)| mode);
                let now = modes
                    .iter()
                    .position(|mode| *mode == self.session.paste_mode());
                let next = modes[(now.unwrap_or(0) + 1) % modes.len()];
                self.carry_out(&Command::PasteMode(next));
                self.note = None;
            }
            _ => return false,
        }
        true
    }

    /// Puts down what floats.
    pub(crate) fn put_paste(&mut self) {
        let Some(at) = self.floating else { return };
        if self.send(&format!("paste {},{}", at.x, at.y)) && self.question.is_none() {
            self.floating = None;
        }
    }

    /// Moves the middle of what floats to a cell.
    pub(crate) fn move_paste_to(&mut self, cell: Point) {
        let size = self.clip_size();
        if let (Some(corner), Some((width, height))) = (&mut self.floating, size) {
            corner.x = cell.x.saturating_sub_unsigned(width / 2);
            corner.y = cell.y.saturating_sub_unsigned(height / 2);
        }
    }

    fn move_paste(&mut self, dx: i64, dy: i64) {
        if let Some(corner) = &mut self.floating {
            corner.x = corner.x.saturating_add(dx);
            corner.y = corner.y.saturating_add(dy);
        }
        self.note = None;
        self.reveal_paste();
    }

    /// Its middle stays where it is.
    fn turn_paste(&mut self, command: &Command) {
        let before = self.floating_area();
        self.carry_out(command);
        let has_failed = self.note.as_ref().is_some_and(|note| note.is_error);
        if let (Some(before), false) = (before, has_failed) {
            self.note = None;
            let middle = |at: i64, side: u64| at.saturating_add_unsigned(side / 2);
            self.move_paste_to(Point::new(
                middle(before.x, before.width),
                middle(before.y, before.height),
            ));
        }
    }

    /// Brings it into view where its corner is not.
    fn reveal_paste(&mut self) {
        let Some(corner) = self.floating else { return };
        let (x, y) = (corner.x.into(), corner.y.into());
        let (left, top) = self.viewer.viewport.pixel_of(&x, &y);
        let is_in =
            |at: Option<i64>, size: u32| at.is_some_and(|at| (0..i64::from(size)).contains(&at));
        let viewport = &self.viewer.viewport;
        if !is_in(left.to_i64(), viewport.width) || !is_in(top.to_i64(), viewport.height) {
            self.send(&format!("centre {},{}", corner.x, corner.y));
        }
    }

    /// What can be done with it, for the last line.
    pub(crate) fn paste_words(&self) -> Option<String> {
        let area = self.floating_area()?;
        let mode = self.session.paste_mode().name();
        let (width, height) = (area.width, area.height);
        Some(format!(
            "paste {width} x {height} at {},{} · enter puts it down · < > x y turn · m {mode} · esc",
            area.x, area.y
        ))
    }
}

/// The text of a typed `paste` that names no place and no way to combine; none where it is another
/// command.
pub(crate) fn floating_text(command: &str) -> Option<Option<&str>> {
    let rest = command.trim().strip_prefix("paste")?;
    if rest.is_empty() {
        return Some(None);
    }
    let text = rest.strip_prefix(' ')?.trim_start();
    let first = text.split(' ').next().unwrap_or_default();
    let is_place = first
        .split_once(',')
        .is_some_and(|(x, _)| x.parse::<i64>().is_ok());
    let is_mode = PasteMode::ALL.iter().any(|(_, name)| *name == first);
    (!is_place && !is_mode).then_some(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_with_a_place_or_a_mode_does_not_float() {
        for (command, text) in [
            ("paste", Some(None)),
            ("paste glider ne", Some(Some("glider ne"))),
            ("paste bo$2bo$3o!", Some(Some("bo$2bo$3o!"))),
            ("paste 3,4", None),
            ("paste -3,4 xor", None),
            ("paste xor", None),
            ("paste-next", None),
            ("step", None),
        ] {
            assert_eq!(floating_text(command), text, "{command}");
        }
    }
}
