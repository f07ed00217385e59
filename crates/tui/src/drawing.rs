//! Drawing of the world screen: a top line, the plane, and two lines at the bottom.

use crate::app::{App, MIN_SIZE};
use crate::bar::{self, BarPiece, cut, grouped, power, sparkline, width};
use crate::line::CommandLine;
use crate::panel::{PanelContext, field, zoom_words};
use crate::rulers;
use crate::screen_state::fits;
use crate::sheet::{self, SheetOverlay, TerminalSheet};
use grid::{Point, Rect as Area};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use render::Frame;
use session::Status;

/// Columns of the sparkline.
const SPARKS: usize = 12;

impl App {
    /// Draws the screen. Returns the position of the terminal's cursor, if it is visible.
    pub fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        if (screen.width, screen.height) != self.size {
            let event = ratatui::crossterm::event::Event::Resize(screen.width, screen.height);
            self.event(&event);
        }
        buffer.reset();
        let ink = self.ink();
        if !fits(buffer, MIN_SIZE, ink) {
            self.was_drawn();
            return None;
        }
        let frame = self.frame();
        let status = self.session.status(&self.viewer);
        self.was_drawn();
        self.draw_sheet(buffer, &frame, &status);
        self.draw_top(buffer, &status);
        self.draw_transport(buffer, &status);
        let mut cursor = None;
        if let Some(mut panel) = self.panel.take() {
            let context = PanelContext {
                session: &self.session,
                status: &status,
                history: &self.history,
                worlds: &self.world_summaries(),
                ink,
            };
            cursor = panel.draw(buffer, self.sheet_area(), &context);
            self.panel = Some(panel);
        }
        if self.question.is_some() {
            self.draw_question(buffer);
            return None;
        }
        if let Some(line) = &self.line {
            return Some(self.draw_line(buffer, line));
        }
        self.draw_status(buffer, &status);
        cursor
    }

    /// Renders the visible frame; with `follow` the view is moved to the live cells first.
    fn frame(&mut self) -> Frame {
        let lattice = self.session.world().rule().lattice();
        self.viewer.viewport = sheet::aligned(&self.viewer.viewport.with_lattice(lattice));
        let mut eye = self.viewer.clone();
        if eye.follow || eye.track.is_some() {
            // A frame of a single pixel finds the middle cheaply.
            eye.resize(1, 1);
            self.session.frame(&mut eye);
            let (x, y) = eye.viewport.centre();
            let centred = self.viewer.viewport.centred_on(&x, &y);
            self.viewer.viewport = sheet::aligned(&centred);
            self.viewer.track = eye.track.take();
            eye.follow = false;
        }
        let seen = &self.viewer.viewport;
        eye.viewport = sheet::dotted(seen).unwrap_or_else(|| seen.clone());
        self.session.frame(&mut eye)
    }

    fn draw_sheet(&self, buffer: &mut Buffer, frame: &Frame, status: &Status) {
        let number = |text: &str| text.parse::<i64>().ok();
        let selection = status.selection.as_ref().and_then(|area| {
            let (x, y) = (number(&area.x)?, number(&area.y)?);
            let (width, height) = (area.width.parse().ok()?, area.height.parse().ok()?);
            Some(Area::new(x, y, width, height))
        });
        let cursor = self.viewer.cursor.as_ref().filter(|_| self.has_cell_cursor);
        let cursor = cursor.and_then(|(x, y)| Some(Point::new(x.to_i64()?, y.to_i64()?)));
        let sheet = TerminalSheet {
            viewport: &self.viewer.viewport,
            frame,
            palette: &self.session.palette(&self.viewer),
            style: self.session.style(),
            ink: self.ink(),
            over: SheetOverlay {
                selection,
                cursor,
                floating: self.floating_cells(),
            },
        };
        sheet.draw(buffer, self.sheet_area());
        self.draw_labels(buffer, status);
        // A character is one pixel wide and two high.
        if let Some(rulers) = self.session.rulers(&self.viewer, (1, 2)) {
            rulers::draw(buffer, self.sheet_area(), &rulers, self.ink());
        }
    }

    /// Draws the texts of the pattern's script at their cells.
    fn draw_labels(&self, buffer: &mut Buffer, status: &Status) {
        let (area, ink) = (self.sheet_area(), self.ink());
        for label in &status.labels {
            let [x, y] = label.place.each_ref().map(|c| c.parse::<BigInt>());
            let (Ok(x), Ok(y)) = (x, y) else { continue };
            let (left, top) = self.viewer.viewport.pixel_of(&x, &y);
            let (Some(left), Some(top)) = (left.to_i64(), top.to_i64()) else {
                continue;
            };
            for (line, text) in label.text.lines().enumerate() {
                // a character is one pixel wide and two high
                let row = top.div_euclid(2) + line as i64;
                let wide = width(text) as i64;
                let column = left - wide / 2;
                let is_inside = (0..i64::from(area.height)).contains(&row)
                    && column >= 0
                    && column + wide <= i64::from(area.width);
                if is_inside {
                    let (x, y) = (area.x + column as u16, area.y + row as u16);
                    buffer.set_string(x, y, text, ink.strong());
                }
            }
        }
    }

    fn draw_top(&self, buffer: &mut Buffer, status: &Status) {
        let ink = self.ink();
        let dot = if status.unsaved { " ●" } else { "" };
        let shape = match status.topology.is_empty() {
            true => "endless",
            false => "",
        };
        let mut pieces = vec![BarPiece::left(2, "worlds", ink.accent())];
        if self.worlds.count() > 1 {
            for (index, world) in self.world_summaries().iter().enumerate() {
                let label = format!("{} {}", index + 1, world.label());
                pieces.push(match index == self.worlds.at() {
                    true => BarPiece::left(0, label, ink.strong()),
                    false => BarPiece::left(3, label, ink.soft()),
                });
            }
        } else {
            pieces.push(BarPiece::left(
                0,
                format!("{}{dot}", status.title),
                ink.strong(),
            ));
        }
        pieces.extend([
            BarPiece::right(1, status.rule.clone(), ink.text()),
            BarPiece::right(3, shape, ink.soft()),
            BarPiece::right(4, status.engine, ink.soft()),
        ]);
        bar::draw(buffer, Rect::new(0, 0, self.size.0, 1), pieces, ink);
    }

    /// Draws the first line of the footer: playback.
    fn draw_transport(&self, buffer: &mut Buffer, status: &Status) {
        let ink = self.ink();
        let (state, style) = match &status.going {
            Some(way) => (format!("▷ to {}", grouped(&way.to)), ink.accent()),
            None if status.running => ("▶ running".into(), ink.accent()),
            None => ("‖ stopped".into(), ink.strong()),
        };
        let part = status.going.as_ref().and_then(|way| {
            let number = |text: &str| text.parse::<f64>().ok();
            let (from, to) = (number(&way.from)?, number(&way.to)?);
            let done = (number(&status.generation)? - from) / (to - from);
            (done.is_finite())
                .then(|| format!("{:.0} %, esc stops", (done * 100.0).clamp(0.0, 100.0)))
        });
        let step = match (status.hyper, power(&status.stride)) {
            (true, step) => format!("step {step}, doubling"),
            (false, step) => format!("step {step}"),
        };
        let pieces = vec![
            BarPiece::left(0, state, style),
            BarPiece::left(1, part.unwrap_or_default(), ink.text()),
            BarPiece::left(
                1,
                format!("generation {}", grouped(&status.generation)),
                ink.text(),
            ),
            BarPiece::left(
                2,
                format!("population {}", grouped(&status.population)),
                ink.text(),
            ),
            BarPiece::left(
                5,
                sparkline(self.session.plot().points(), SPARKS),
                ink.on(ink.theme.blue, ink.theme.surround),
            ),
            BarPiece::right(3, step, ink.soft()),
            BarPiece::right(4, speed_words(status), ink.soft()),
        ];
        let row = Rect::new(0, self.size.1 - 2, self.size.0, 1);
        bar::draw(buffer, row, pieces, ink);
    }

    /// Draws the second line of the footer: the tool, and messages.
    fn draw_status(&self, buffer: &mut Buffer, status: &Status) {
        let ink = self.ink();
        let palette = self.session.palette(&self.viewer);
        let pen = self.viewer.pen;
        let tool = match (status.viewer.tool, status.states, pen) {
            ("draw", 2, 0) => "erase".to_string(),
            ("draw", 2, _) => "draw".to_string(),
            ("draw", ..) => format!("draw {pen} ■"),
            (tool, ..) => tool.to_string(),
        };
        let mut pieces = vec![BarPiece::left(
            2,
            tool,
            match status.states {
                2 => ink.strong(),
                _ => ink.on(palette.states[usize::from(pen)], ink.theme.surround),
            },
        )];
        let here = status.viewer.cursor.as_ref().map(|[x, y]| {
            let state = status.viewer.cursor_state;
            let state = state.map(|state| format!(" = {state}")).unwrap_or_default();
            format!("{},{}{state}", grouped(x), grouped(y))
        });
        pieces.push(BarPiece::left(
            3,
            zoom_words(&status.viewer.zoom),
            ink.soft(),
        ));
        pieces.push(BarPiece::left(4, here.unwrap_or_default(), ink.text()));
        if let Some(area) = &status.selection {
            let words = format!("selected {} x {}", area.width, area.height);
            pieces.push(BarPiece::left(3, words, ink.text()));
        }
        if let Some(track) = &status.viewer.track {
            let words = format!("following {track}");
            pieces.push(BarPiece::left(5, words, ink.soft()));
        } else if status.viewer.follow {
            pieces.push(BarPiece::left(5, "following", ink.soft()));
        }
        if let Some(words) = self.paste_words() {
            pieces = vec![BarPiece::left(0, words, ink.text())];
        }
        pieces.extend(self.note_piece(status.message.as_deref()));
        pieces.push(BarPiece::right(1, "? help", ink.soft()));
        pieces.push(BarPiece::right(6, "q leave", ink.soft()));
        pieces.push(BarPiece::right(6, "o library", ink.soft()));
        bar::draw(buffer, self.last_row(), pieces, ink);
    }

    fn draw_question(&self, buffer: &mut Buffer) {
        let ink = self.ink();
        let Some(question) = &self.question else {
            return;
        };
        let pieces = vec![
            BarPiece::left(2, question.words.clone(), ink.wrong()),
            BarPiece::right(0, format!("y {}", question.yes), ink.accent()),
            BarPiece::right(1, "n no", ink.accent()),
        ];
        bar::draw(buffer, self.last_row(), pieces, ink);
    }

    /// Draws the command line, and its completions above it.
    fn draw_line(&self, buffer: &mut Buffer, line: &CommandLine) -> Position {
        let ink = self.ink();
        let row = self.last_row();
        buffer.set_style(row, ink.text());
        let area = Rect::new(row.x + 1, row.y, row.width - 2, 1);
        let at = field(buffer, area, ":", &line.input, "", ink);
        let mut rows: Vec<(String, String, bool)> = Vec::new();
        if let Some(refused) = &line.refused {
            rows.push((refused.why.clone(), String::new(), false));
            let hint = refused.hint.iter();
            rows.extend(hint.map(|hint| (String::new(), format!("hint: {hint}"), false)));
        } else {
            let most = usize::from((self.size.1 / 3).min(8));
            let completions = line.completions(self.session.file_access());
            let chosen = line.chosen();
            let first = chosen.unwrap_or(0).saturating_sub(most - 1);
            for (index, completion) in completions.into_iter().enumerate().skip(first).take(most) {
                rows.push((completion.word, completion.about, chosen == Some(index)));
            }
        }
        let is_error = line.refused.is_some();
        let top = row.y - 1 - rows.len() as u16;
        let widest = rows
            .iter()
            .map(|(word, ..)| width(word))
            .max()
            .unwrap_or(0)
            .min(44);
        for (index, (word, about, is_chosen)) in rows.iter().enumerate() {
            let y = top + index as u16;
            let columns = usize::from(self.size.0);
            let (style, soft) = match is_chosen {
                true => (ink.chosen(), ink.chosen()),
                false if is_error => (ink.wrong(), ink.soft()),
                false => (ink.text(), ink.soft()),
            };
            for x in 0..self.size.0 {
                buffer[(x, y)].reset();
            }
            buffer.set_string(0, y, " ".repeat(columns), style);
            let available = if is_error { columns - 2 } else { widest + 1 };
            let (x, _) = buffer.set_stringn(2, y, word, available, style);
            let x = if is_error { usize::from(x) } else { widest + 4 };
            if x < columns {
                buffer.set_stringn(x as u16, y, cut(about, columns - x - 1), columns - x, soft);
            }
        }
        at
    }

    fn last_row(&self) -> Rect {
        Rect::new(0, self.size.1 - 1, self.size.0, 1)
    }
}

/// The set speed, and the measured one where it differs.
fn speed_words(status: &Status) -> String {
    let measured = status.measured;
    let number = |speed: f64| match speed {
        speed if speed >= 10.0 => grouped(&format!("{speed:.0}")),
        speed => format!("{}", (speed * 10.0).round() / 10.0),
    };
    match status.speed {
        Some(speed) if status.running && measured > 0.0 && measured < speed * 0.8 => {
            format!("{} of {}/s", number(measured), number(speed))
        }
        Some(speed) => format!("{}/s", number(speed)),
        None if status.running => format!("{}/s, all it can", number(measured)),
        None => "as fast as it can".into(),
    }
}
