//! The library panel: the built-in patterns with a preview.

use super::{ChoiceRows, PanelContext, PanelRequest, field, window, wrapped};
use crate::bar::cut;
use crate::input::TextInput;
use crate::sheet::{self, SheetOverlay, TerminalSheet};
use engine::{EngineChoice, Options, World};
use pattern::library::{LibraryPattern, search};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};
use render::{Frame, Palette, PictureStyle, Viewport, Zoom};
use rule::Rule;

/// The library, its filter, and the selected pattern.
pub(crate) struct Library {
    filter: TextInput,
    found: Vec<&'static LibraryPattern>,
    rows: ChoiceRows,
    /// The selected pattern's world, for the preview.
    world: Option<Box<dyn World>>,
}

/// The width of the list in columns.
const LIST: u16 = 32;
/// The largest scale of previews, in pixels per cell.
const LARGEST: u32 = 4;

impl Library {
    pub(crate) fn new(word: &str, context: &PanelContext<'_>) -> Self {
        let mut library = Self {
            filter: TextInput::new(word),
            found: Vec::new(),
            rows: ChoiceRows::default(),
            world: None,
        };
        library.search(context);
        library
    }

    pub(crate) fn key(&mut self, event: &KeyEvent, context: &PanelContext<'_>) -> PanelRequest {
        match event.code {
            KeyCode::Enter => {
                let Some(entry) = self.found.get(self.rows.chosen) else {
                    return PanelRequest::Stay;
                };
                return PanelRequest::SendAndClose(format!("open {}", entry.name));
            }
            _ if self.rows.key(event, self.found.len()) => self.load_preview(context),
            _ => {
                self.filter.key(event);
                self.search(context);
            }
        }
        PanelRequest::Stay
    }

    pub(crate) fn paste(&mut self, text: &str, context: &PanelContext<'_>) {
        self.filter.insert(text);
        self.search(context);
    }

    pub(crate) fn choose(&mut self, rows: i32, context: &PanelContext<'_>) {
        self.rows.by(rows, self.found.len());
        self.load_preview(context);
    }

    /// Handles a click. Returns whether it was on the selected row.
    pub(crate) fn click(&mut self, at: Position, context: &PanelContext<'_>) -> bool {
        let is_again = self.rows.click(at, self.found.len());
        if is_again == Some(false) {
            self.load_preview(context);
        }
        is_again == Some(true)
    }

    fn search(&mut self, context: &PanelContext<'_>) {
        self.found = search(self.filter.text());
        self.rows = ChoiceRows::default();
        self.load_preview(context);
    }

    /// Opens the selected pattern's world for the preview.
    fn load_preview(&mut self, context: &PanelContext<'_>) {
        self.world = self.found.get(self.rows.chosen).and_then(|entry| {
            let pattern = entry.pattern();
            let text = entry.rule().unwrap_or("B3/S23");
            let rule = context
                .session
                .file_access()
                .parse_rule(text, &pattern, None);
            // A pattern that cannot be read has no preview; opening it reports the error.
            let rule: Rule = rule.ok()?;
            let options = Options::default();
            let opened = engine::open(EngineChoice::Auto, &rule, &pattern, None, &options);
            Some(opened.ok()?.world)
        });
    }

    pub(crate) fn draw(
        &mut self,
        buffer: &mut Buffer,
        area: Rect,
        context: &PanelContext<'_>,
    ) -> Position {
        let ink = context.ink;
        let hint = "type to search · ↑ ↓ choose · enter opens · esc closes";
        let inner = window(buffer, area, (78, 30), ("library", hint), ink);
        let at = field(
            buffer,
            inner,
            "⌕ ",
            &self.filter,
            "search by name, kind or word",
            ink,
        );
        let list = Rect {
            y: inner.y + 2,
            width: inner.width.min(LIST),
            height: inner.height.saturating_sub(2),
            ..inner
        };
        let count = self.found.len();
        let top = self.rows.first(list, count);
        if count == 0 {
            let words = format!("nothing has `{}`", self.filter.text());
            buffer.set_stringn(list.x, list.y, words, inner.width.into(), ink.soft());
            return at;
        }
        let seen = self.found.iter().enumerate().skip(top);
        for ((row, entry), y) in seen.zip(list.y..list.bottom()) {
            let is_chosen = row == self.rows.chosen;
            let style = if is_chosen { ink.chosen() } else { ink.text() };
            let mark = if is_chosen { "▸" } else { " " };
            let title = format!("{mark} {}", entry.title());
            let available = usize::from(list.width);
            buffer.set_stringn(list.x, y, " ".repeat(available), available, style);
            buffer.set_stringn(list.x, y, cut(&title, available), available, style);
        }
        let tally = format!("{} of {}", self.rows.chosen + 1, count);
        let x = inner.right().saturating_sub(tally.len() as u16);
        if x > at.x + 1 {
            buffer.set_string(x, inner.y, tally, ink.soft());
        }
        if inner.width >= LIST + 24 {
            let beside = Rect {
                x: list.x + list.width + 2,
                width: inner.width - list.width - 2,
                ..list
            };
            self.draw_chosen(buffer, beside, context);
        }
        at
    }

    /// Draws the preview and the description of the selected pattern.
    fn draw_chosen(&self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let ink = context.ink;
        let entry = self.found[self.rows.chosen];
        let mut words = vec![(entry.title().to_string(), ink.strong())];
        let columns = usize::from(area.width);
        let about = [entry.kind, " · ", entry.rule().unwrap_or("B3/S23")].concat();
        for (text, style) in [
            (about, ink.soft()),
            (entry.author().to_string(), ink.soft()),
            (entry.description().to_string(), ink.text()),
        ] {
            words.extend(
                wrapped(&text, columns)
                    .into_iter()
                    .map(|line| (line, style)),
            );
        }
        let available = usize::from(area.height);
        words.truncate(available.saturating_sub(4).max(1));
        let picture = Rect {
            height: (available - words.len()).saturating_sub(1) as u16,
            ..area
        };
        self.draw_picture(buffer, picture, context);
        for (row, (line, style)) in words.iter().enumerate() {
            let y = picture.bottom() + 1 + row as u16;
            if y < area.bottom() {
                buffer.set_stringn(area.x, y, line, columns, *style);
            }
        }
    }

    fn draw_picture(&self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let Some(world) = self.world.as_deref() else {
            return;
        };
        let Some(bounds) = world.bounds() else {
            return;
        };
        let (width, height) = sheet::pixels(area);
        let mut viewport = Viewport::fitting_on(world.rule().lattice(), &bounds, width, height);
        if matches!(viewport.zoom, Zoom::In(pixels) if pixels > LARGEST) {
            let (x, y) = viewport.centre();
            viewport.zoom = Zoom::In(LARGEST);
            viewport = viewport.centred_on(&x, &y);
        }
        let viewport = sheet::aligned(&viewport);
        let seen = sheet::dotted(&viewport);
        let frame = Frame::of(world, seen.as_ref().unwrap_or(&viewport));
        let palette = Palette::of(world.rule(), &context.ink.theme);
        let picture = TerminalSheet {
            viewport: &viewport,
            frame: &frame,
            palette: &palette,
            style: PictureStyle::default(),
            ink: context.ink,
            over: SheetOverlay::default(),
        };
        picture.draw(buffer, area);
    }
}
