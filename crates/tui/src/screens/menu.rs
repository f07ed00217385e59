//! The main menu.

use super::help::{HelpSection, ScreenHelp};
use super::{ChoiceScreen, ScreenKey, is_interrupt, key, meaning};
use crate::app::TerminalProfile;
use crate::bar::{self, BarPiece};
use crate::event_loop::FullScreenApp;
use crate::screen_state::ScreenState;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// An entry of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuChoice {
    /// The world screen.
    Worlds,
    /// The play screen.
    Play,
    /// The replay screen.
    Replays,
    /// The tournament screen.
    Arena,
    /// The census screen.
    Census,
    /// The search screen.
    Search,
    /// The laser screen.
    Laser,
    /// The classroom screen.
    Classroom,
}

impl MenuChoice {
    /// All entries, in the order of the web page's bar.
    pub const ALL: [Self; 8] = [
        Self::Worlds,
        Self::Play,
        Self::Replays,
        Self::Arena,
        Self::Census,
        Self::Search,
        Self::Laser,
        Self::Classroom,
    ];

    /// The entry's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Worlds => "worlds",
            Self::Play => "play",
            Self::Replays => "replays",
            Self::Arena => "arena",
            Self::Census => "census",
            Self::Search => "search",
            Self::Laser => "laser",
            Self::Classroom => "classroom",
        }
    }

    /// The key that opens it: the first letter of its name, where no other screen has that.
    fn letter(self) -> &'static str {
        match self {
            Self::Census => "s",
            Self::Search => "f",
            _ => &self.name()[..1],
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Worlds => "draw cells, run them, change the rule",
            Self::Play => "a game against a player, or two people",
            Self::Replays => "look at games that were kept",
            Self::Arena => "let players and bots meet, and rate them",
            Self::Census => "run soups, count what they leave",
            Self::Search => "find a pattern, or prove that there is none",
            Self::Laser => "turn the light until every sensor is lit",
            Self::Classroom => "five rules side by side on one map",
        }
    }
}

/// The menu screen: a pure function of its events.
pub struct Menu {
    chosen: usize,
    went: Option<MenuChoice>,
    state: ScreenState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MenuKeyAction {
    By(isize),
    To(usize),
    Enter,
    Help,
    Leave,
}

#[rustfmt::skip]
const KEYS: &[ScreenKey<MenuKeyAction>] = &[
    key("Up", MenuKeyAction::By(-1), "the screen before"),
    key("Shift-Tab", MenuKeyAction::By(-1), ""),
    key("k", MenuKeyAction::By(-1), ""),
    key("Down", MenuKeyAction::By(1), "the next screen"),
    key("Tab", MenuKeyAction::By(1), ""),
    key("j", MenuKeyAction::By(1), ""),
    key("Home", MenuKeyAction::To(0), "the first"),
    key("End", MenuKeyAction::To(7), "the last"),
    key("Enter", MenuKeyAction::Enter, "open; a screen's first letter does so too, s the census, f the search"),
    key("Space", MenuKeyAction::Enter, ""),
    key("Right", MenuKeyAction::Enter, ""),
    key("?", MenuKeyAction::Help, "this help"),
    key("q", MenuKeyAction::Leave, "leave"),
    key("Escape", MenuKeyAction::Leave, ""),
];

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (24, 11);

impl Menu {
    /// A menu, with its screen size in columns and rows.
    #[must_use]
    pub fn new(size: (u16, u16), profile: TerminalProfile) -> Self {
        Self {
            chosen: 0,
            went: None,
            state: ScreenState::new(size, profile),
        }
    }

    fn mouse(&mut self, mouse: &MouseEvent) {
        let rows = match mouse.kind {
            MouseEventKind::ScrollUp => -1,
            MouseEventKind::ScrollDown => 1,
            _ => 0,
        };
        let is_press = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if self.state.help_mouse(rows, is_press) {
            return;
        }
        if rows != 0 {
            self.apply(MenuKeyAction::By(rows as isize));
        } else if (is_press || mouse.kind == MouseEventKind::Moved)
            && let Some(at) = self.at(mouse.row)
        {
            self.chosen = at;
            if is_press {
                self.apply(MenuKeyAction::Enter);
            }
        }
    }

    fn apply(&mut self, action: MenuKeyAction) {
        let all = MenuChoice::ALL.len();
        match action {
            MenuKeyAction::By(by) => {
                self.chosen = (self.chosen + all).saturating_add_signed(by) % all;
            }
            MenuKeyAction::To(at) => self.chosen = at.min(all - 1),
            MenuKeyAction::Enter => {
                self.went = Some(MenuChoice::ALL[self.chosen]);
                self.state.is_leaving = true;
            }
            MenuKeyAction::Help => {
                let sections = vec![HelpSection::keys("the screens", KEYS)];
                self.state.help = Some(ScreenHelp::new(sections));
            }
            MenuKeyAction::Leave => self.state.is_leaving = true,
        }
    }

    /// The first row of the list, and the distance between its rows.
    fn rows(&self) -> (u16, u16) {
        let all = MenuChoice::ALL.len() as u16;
        let entry = self.state.size.1.saturating_sub(3);
        let apart = if entry >= all * 2 + 2 { 2 } else { 1 };
        (1 + entry.saturating_sub(all * apart) / 2, apart)
    }

    /// The entry in a row of the screen.
    fn at(&self, row: u16) -> Option<usize> {
        let (first, apart) = self.rows();
        let at = usize::from(row.checked_sub(first)? / apart);
        (at < MenuChoice::ALL.len()).then_some(at)
    }
}

impl FullScreenApp for Menu {
    fn event(&mut self, event: &Event) {
        self.state.is_stale = true;
        match event {
            Event::Key(event) if event.kind != KeyEventKind::Release => {
                if self.state.help_key(event) {
                    return;
                }
                if is_interrupt(event) {
                    self.state.is_leaving = true;
                    return;
                }
                self.state.note = None;
                match meaning(KEYS, event) {
                    Some(action) => self.apply(action),
                    None => {
                        let name = crate::keys::name(event).unwrap_or_default();
                        let mut entries = MenuChoice::ALL.iter();
                        let at = entries.position(|entry| entry.letter() == name);
                        if let Some(at) = at {
                            self.chosen = at;
                            self.apply(MenuKeyAction::Enter);
                        }
                    }
                }
            }
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Resize(columns, rows) => self.state.size = (*columns, *rows),
            _ => {}
        }
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        let ink = self.state.begin(buffer, MIN_SIZE)?;
        let row = |y: u16| Rect::new(0, y, screen.width, 1);
        let top = vec![
            BarPiece::left(0, "gridpaper", ink.accent()),
            BarPiece::left(1, "worlds on squared paper", ink.soft()),
        ];
        bar::draw(buffer, row(0), top, ink);
        let (first, apart) = self.rows();
        let wide = 58.min(screen.width);
        let x = (screen.width - wide) / 2;
        for (at, entry) in MenuChoice::ALL.iter().enumerate() {
            let y = first + at as u16 * apart;
            let is_chosen = at == self.chosen;
            let (strong, soft) = match is_chosen {
                true => (ink.chosen(), ink.chosen()),
                false => (ink.strong(), ink.soft()),
            };
            buffer.set_string(x, y, " ".repeat(wide.into()), soft);
            let sign = if is_chosen { "›" } else { " " };
            buffer.set_stringn(x + 1, y, sign, 1, strong);
            buffer.set_stringn(x + 3, y, entry.name(), 10, strong);
            let room_left = usize::from(wide.saturating_sub(15));
            buffer.set_stringn(
                x + 14,
                y,
                bar::cut(entry.about(), room_left),
                room_left,
                soft,
            );
        }
        let state = vec![BarPiece::left(
            0,
            "enter opens a screen, and leaving it comes back here",
            ink.text(),
        )];
        bar::draw(buffer, row(screen.height - 2), state, ink);
        let footer = self.state.footer(ink, ["? help", "q leave"]);
        bar::draw(buffer, row(screen.height - 1), footer, ink);
        self.state.draw_help(buffer, ink);
        None
    }

    fn state(&self) -> &ScreenState {
        &self.state
    }
}

impl ChoiceScreen for Menu {
    type Choice = MenuChoice;

    fn parts(&mut self) -> (&mut Option<MenuChoice>, &mut ScreenState) {
        (&mut self.went, &mut self.state)
    }
}
