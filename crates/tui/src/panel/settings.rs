//! The settings panel: switches and values, each changed by a command.

use super::{ChoiceRows, PanelContext, PanelRequest, window};
use crate::bar::power;
use engine::EngineChoice;
use pattern::soup::SoupSymmetry;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};
use render::{CellColouring, Theme};
use session::Status;
use session::command::{PasteMode, Tool};
use source::bytes_words;

/// The list and the selected row.
#[derive(Debug, Default)]
pub(crate) struct SettingsList(ChoiceRows);

/// A setting: its name, its value, and the commands to decrease and increase it.
struct SettingRow {
    name: &'static str,
    value: String,
    less: String,
    more: String,
}

impl SettingsList {
    pub(crate) fn key(&mut self, event: &KeyEvent, context: &PanelContext<'_>) -> PanelRequest {
        let settings = settings(context.status);
        let chosen = &settings[self.0.chosen.min(settings.len() - 1)];
        match event.code {
            KeyCode::Up | KeyCode::BackTab => self.choose(-1),
            KeyCode::Down | KeyCode::Tab => self.choose(1),
            KeyCode::Left | KeyCode::Char('-') => return PanelRequest::Send(chosen.less.clone()),
            KeyCode::Right | KeyCode::Enter | KeyCode::Char(' ' | '+' | '=') => {
                return PanelRequest::Send(chosen.more.clone());
            }
            KeyCode::Char(',' | 'q') => return PanelRequest::Close,
            _ => {}
        }
        PanelRequest::Stay
    }

    /// Handles a click. Returns whether it was on the selected row.
    pub(crate) fn click(&mut self, at: Position) -> bool {
        self.0.click(at, ROWS) == Some(true)
    }

    pub(crate) fn choose(&mut self, rows: i32) {
        self.0.by(rows, ROWS);
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let ink = context.ink;
        let hint = "↑ ↓ choose · ← → change · esc closes";
        let height = ROWS as u16 + 2;
        let inner = window(buffer, area, (52, height), ("settings", hint), ink);
        let settings = settings(context.status);
        let top = self.0.first(inner, settings.len());
        let seen = settings.iter().enumerate().skip(top);
        for ((row, setting), y) in seen.zip(inner.y..inner.bottom()) {
            let is_chosen = row == self.0.chosen;
            let style = if is_chosen { ink.chosen() } else { ink.text() };
            let mark = if is_chosen { "▸" } else { " " };
            let columns = usize::from(inner.width);
            let line = format!("{mark} {:<24}{}", setting.name, setting.value);
            buffer.set_stringn(inner.x, y, format!("{line:<columns$}"), columns, style);
        }
    }
}

/// The number of settings.
const ROWS: usize = 19;

fn settings(status: &Status) -> [SettingRow; ROWS] {
    let engines = EngineChoice::ALL.into_iter();
    let engines = engines.filter(|&engine| engine != EngineChoice::Gpu || engine::has_gpu());
    let engines: Vec<_> = engines.map(EngineChoice::name).collect();
    let switch = |name, command: &str, is_on: bool| SettingRow {
        name,
        value: if is_on { "● on" } else { "○ off" }.into(),
        less: format!("{command} toggle"),
        more: format!("{command} toggle"),
    };
    let one_of = |name, command: &str, all: &[&str], now: &str| {
        let at = all.iter().position(|word| *word == now).unwrap_or(0);
        let count = all.len();
        SettingRow {
            name,
            value: now.to_string(),
            less: format!("{command} {}", all[(at + count - 1) % count]),
            more: format!("{command} {}", all[(at + 1) % count]),
        }
    };
    let number = |name, value: String, less: String, more: String| SettingRow {
        name,
        value,
        less,
        more,
    };
    let shown = &status.settings;
    let speed = status.speed.map_or("as fast as it can".into(), |speed| {
        format!("{speed} a second")
    });
    let major = shown.major;
    let memory = status.memory;
    let pen = u16::from(status.viewer.pen);
    let states = status.states;
    [
        number("speed", speed, "speed slower".into(), "speed faster".into()),
        number(
            "step",
            stride_words(&status.stride),
            "stride down".into(),
            "stride up".into(),
        ),
        switch("steps double", "hyper", status.hyper),
        switch("follow the live cells", "follow", status.viewer.follow),
        switch(
            "run while drawing",
            "run-while-drawing",
            shown.run_while_drawing,
        ),
        one_of(
            "tool",
            "tool",
            &Tool::ALL.map(|(_, name)| name),
            status.viewer.tool,
        ),
        one_of(
            "symmetry",
            "symmetry",
            &SoupSymmetry::names().collect::<Vec<_>>(),
            status
                .viewer
                .symmetry
                .as_ref()
                .map_or("C1", |symmetry| symmetry.name.as_str()),
        ),
        number(
            "pen",
            format!("state {pen} of 0 to {}", states - 1),
            format!("pen {}", (pen + states - 1) % states),
            format!("pen {}", (pen + 1) % states),
        ),
        one_of(
            "paste",
            "paste-mode",
            &PasteMode::ALL.map(|(_, name)| name),
            status.paste_mode,
        ),
        switch("grid lines", "grid", shown.grid),
        number(
            "strong lines",
            match major {
                0 => "none".into(),
                major => format!("each {major}th"),
            },
            format!("major {}", major.saturating_sub(1)),
            format!("major {}", major + 1),
        ),
        switch("coordinates at edges", "rulers", shown.rulers),
        switch("cells about to die", "dying", shown.dying),
        one_of(
            "cells coloured by",
            "colouring",
            &CellColouring::ALL.map(CellColouring::name),
            shown.colouring,
        ),
        switch("trails", "history", shown.history),
        one_of(
            "theme",
            "theme",
            &std::iter::once("auto")
                .chain(Theme::ALL.map(|theme| theme.name))
                .collect::<Vec<_>>(),
            shown.theme,
        ),
        number(
            "zoom",
            zoom_words(&status.viewer.zoom),
            "zoom out".into(),
            "zoom in".into(),
        ),
        one_of("engine", "engine", &engines, status.choice),
        number(
            "memory",
            bytes_words(memory),
            format!("memory {}", (memory / 2).max(1 << 24)),
            format!("memory {}", memory.saturating_mul(2)),
        ),
    ]
}

/// How long a step is.
fn stride_words(stride: &str) -> String {
    match stride {
        "1" => "1 generation".into(),
        stride => format!("{} generations", power(stride)),
    }
}

/// The size of a cell in words.
pub(crate) fn zoom_words(zoom: &str) -> String {
    match zoom {
        "1" => "1:1".into(),
        zoom if zoom.starts_with("1:") => zoom.to_string(),
        zoom => format!("{zoom}:1"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::file_access::FileAccess;
    use session::{Command, Session, Viewer};

    #[test]
    fn every_setting_sends_commands() {
        let mut session = Session::new(FileAccess::default(), 0);
        let mut viewer = Viewer::new(80, 40);
        for setting in settings(&session.status(&viewer)) {
            for text in [setting.less, setting.more] {
                let command: Command = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
                if !text.starts_with("memory") {
                    session.apply(&mut viewer, &command).unwrap();
                }
            }
        }
    }
}
