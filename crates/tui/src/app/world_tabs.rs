//! Several worlds side by side: one is on the screen, the others wait as they were left.
//!
//! A world that is not looked at does not run. All of them share the memory bound: each may have
//! what it holds and an equal part of what nobody holds.

use crate::app::{App, AppNotice, ConfirmPrompt, Drag};
use crate::line::CommandFailure;
use crate::panel::{CommandHistoryEntry, WorldListEntry};
use crate::sheet;
use grid::Point;
use session::file_access::FileAccess;
use session::{Command, CommandRefusal, Session, Viewer};

/// The most worlds that are open at once.
const MOST_WORLDS: usize = 16;

/// How sessions are made: the program that runs the screen has the clock and the random seed.
pub type SessionMaker = Box<dyn Fn(FileAccess) -> Session>;

/// A world that is not on the screen.
pub(crate) struct ParkedWorld {
    session: Session,
    viewer: Viewer,
    history: Vec<CommandHistoryEntry>,
    anchor: Option<Point>,
    has_cell_cursor: bool,
}

/// The place of a world among the others; nothing is parked in that of the one on the screen.
struct WorldTab {
    id: u64,
    parked: Option<Box<ParkedWorld>>,
}

/// The open worlds, in order.
pub(crate) struct WorldTabs {
    tabs: Vec<WorldTab>,
    at: usize,
    next_id: u64,
    /// The draft of the world that was closed last.
    closed: Option<Vec<u8>>,
    /// The memory that all may hold, in bytes.
    memory: u64,
    maker: SessionMaker,
}

impl WorldTabs {
    pub(crate) fn new(memory: u64) -> Self {
        let first = WorldTab {
            id: 0,
            parked: None,
        };
        Self {
            tabs: vec![first],
            at: 0,
            next_id: 1,
            closed: None,
            memory,
            maker: Box::new(|file_access| Session::new(file_access, 0)),
        }
    }

    /// How many worlds are open.
    pub(crate) fn count(&self) -> usize {
        self.tabs.len()
    }

    /// Which of them is on the screen.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    fn parked(&self) -> impl Iterator<Item = &ParkedWorld> {
        self.tabs.iter().filter_map(|tab| tab.parked.as_deref())
    }
}

fn refused(refusal: CommandRefusal) -> CommandFailure {
    CommandFailure {
        why: refusal.to_string(),
        hint: refusal.hint(),
    }
}

impl App {
    /// Lends a way to make sessions for more worlds, with a clock and a random seed.
    pub fn lend_sessions(&mut self, maker: SessionMaker) {
        self.worlds.maker = maker;
    }

    /// Opens another world beside this one, and shows it: a pattern, or an empty one.
    ///
    /// # Errors
    /// When the pattern cannot be opened, or too many worlds are open. Nothing has changed then.
    pub fn open_beside(&mut self, pattern: Option<&str>) -> Result<(), CommandRefusal> {
        let file_access = self.session.file_access().clone();
        let mut session = (self.worlds.maker)(file_access);
        let (width, height) = sheet::pixels(self.sheet_area());
        let mut viewer = Viewer::new(width, height);
        viewer.is_dark = self.profile.is_dark;
        let mut note = None;
        if let Some(pattern) = pattern {
            note = session
                .apply(&mut viewer, &Command::Open(pattern.into()))?
                .note;
        }
        let (id, at) = (self.worlds.next_id, self.worlds.tabs.len());
        self.worlds.next_id += 1;
        let parked = Some(Box::new(ParkedWorld {
            session,
            viewer,
            history: Vec::new(),
            anchor: None,
            has_cell_cursor: false,
        }));
        self.worlds.tabs.push(WorldTab { id, parked });
        self.show_world(at);
        self.note = note.map(|words| AppNotice {
            words,
            is_error: false,
        });
        Ok(())
    }

    /// Shows the world with this place in the list.
    pub fn show_world(&mut self, at: usize) {
        let Some(tab) = self.worlds.tabs.get_mut(at) else {
            return;
        };
        let Some(wanted) = tab.parked.take() else {
            return;
        };
        let left = self.replace_world(*wanted);
        let before = std::mem::replace(&mut self.worlds.at, at);
        self.worlds.tabs[before].parked = Some(Box::new(left));
        self.arrive_at_world();
    }

    /// The summaries of all worlds, in order.
    pub(crate) fn world_summaries(&self) -> Vec<WorldListEntry> {
        let tabs = self.worlds.tabs.iter();
        let all = tabs.map(|tab| match &tab.parked {
            Some(parked) => WorldListEntry::of(&parked.session, &parked.viewer),
            None => WorldListEntry::of(&self.session, &self.viewer),
        });
        all.collect()
    }

    /// The number of the world on the screen, which stays its own; and the numbers of all.
    pub(crate) fn world_ids(&self) -> (u64, Vec<u64>) {
        let ids: Vec<u64> = self.worlds.tabs.iter().map(|tab| tab.id).collect();
        (ids[self.worlds.at], ids)
    }

    /// A draft of the world of that number: `None` where it is saved or not open.
    pub(crate) fn draft_of(&self, id: u64) -> Option<Vec<u8>> {
        let tab = self.worlds.tabs.iter().find(|tab| tab.id == id)?;
        let (session, viewer) = match &tab.parked {
            Some(parked) => (&parked.session, &parked.viewer),
            None => (&self.session, &self.viewer),
        };
        if !session.is_unsaved() {
            return None;
        }
        // A world that no format can hold has no draft.
        session.draft(viewer).ok()
    }

    /// Does what a word about worlds says; `None` where it is another word.
    pub(crate) fn apply_to_worlds(&mut self, text: &str) -> Option<Result<(), CommandFailure>> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (rest, count) = (rest.trim(), self.worlds.count());
        match (word, rest) {
            ("new" | "clone" | "reopen", _) if count >= MOST_WORLDS => {
                return Some(Err(CommandFailure {
                    why: format!("{MOST_WORLDS} worlds are open already"),
                    hint: Some("close ends one".into()),
                }));
            }
            ("new", pattern) => {
                let pattern = (!pattern.is_empty()).then_some(pattern);
                return Some(self.open_beside(pattern).map_err(refused));
            }
            ("clone", "") => {
                let draft = self.session.draft(&self.viewer);
                return Some(
                    draft
                        .map_err(refused)
                        .and_then(|draft| self.open_draft(&draft)),
                );
            }
            ("reopen", "") => {
                let Some(draft) = self.worlds.closed.take() else {
                    return Some(Err(CommandFailure {
                        why: "no world was closed".into(),
                        hint: None,
                    }));
                };
                return Some(self.open_draft(&draft));
            }
            ("next-world", "") => self.show_world((self.worlds.at + 1) % count),
            ("previous-world", "") => self.show_world((self.worlds.at + count - 1) % count),
            ("world", number) => match number.parse::<usize>() {
                Ok(number) if (1..=count).contains(&number) => self.show_world(number - 1),
                _ => {
                    return Some(Err(CommandFailure {
                        why: format!("`{number}` is no world: they have the numbers 1 to {count}"),
                        hint: Some("worlds lists them".into()),
                    }));
                }
            },
            ("close", "") if count == 1 => self.leave(),
            ("close", "") if self.session.holds_unsaved() => {
                self.question = Some(ConfirmPrompt {
                    words: format!("{} has changes that no file has", self.session.title()),
                    yes: "close and discard them",
                    command: Some("close anyway".into()),
                });
            }
            ("close", "" | "anyway") if count > 1 => self.close_world(),
            _ => return None,
        }
        Some(Ok(()))
    }

    /// Opens a draft beside this world, and shows it.
    fn open_draft(&mut self, draft: &[u8]) -> Result<(), CommandFailure> {
        self.open_beside(None).map_err(refused)?;
        let restored = self.session.restore_draft(&mut self.viewer, draft);
        restored.map_err(refused)?;
        self.resize(self.size);
        Ok(())
    }

    fn close_world(&mut self) {
        self.worlds.closed = self.session.draft(&self.viewer).ok();
        let words = format!("closed {} · :reopen brings it back", self.session.title());
        let at = self.worlds.at;
        let beside = if at + 1 < self.worlds.count() {
            at + 1
        } else {
            at - 1
        };
        self.show_world(beside);
        self.worlds.tabs.remove(at);
        self.worlds.at -= usize::from(beside > at);
        self.share_memory();
        self.show_message(words);
    }

    /// How many worlds have work that would be lost with them.
    pub(crate) fn unsaved_worlds(&self) -> usize {
        let parked = self.worlds.parked();
        let parked = parked
            .filter(|parked| parked.session.holds_unsaved())
            .count();
        parked + usize::from(self.session.holds_unsaved())
    }

    fn replace_world(&mut self, wanted: ParkedWorld) -> ParkedWorld {
        use std::mem::replace;
        ParkedWorld {
            session: replace(&mut self.session, wanted.session),
            viewer: replace(&mut self.viewer, wanted.viewer),
            history: replace(&mut self.history, wanted.history),
            anchor: replace(&mut self.anchor, wanted.anchor),
            has_cell_cursor: replace(&mut self.has_cell_cursor, wanted.has_cell_cursor),
        }
    }

    fn arrive_at_world(&mut self) {
        (self.panel, self.line, self.question, self.note) = (None, None, None, None);
        (self.drag, self.floating) = (Drag::Nothing, None);
        self.share_memory();
        self.resize(self.size);
        self.is_stale = true;
    }

    fn share_memory(&mut self) {
        let held = self.worlds.parked().map(|parked| parked.session.bytes());
        let held = held.sum::<u64>() + self.session.bytes();
        let part = self.worlds.memory.saturating_sub(held) / self.worlds.count() as u64;
        let budget = |session: &Session| session.bytes() + part;
        let own = budget(&self.session);
        self.session.set_memory_budget(own);
        for tab in &mut self.worlds.tabs {
            if let Some(parked) = &mut tab.parked {
                let its = budget(&parked.session);
                parked.session.set_memory_budget(its);
            }
        }
    }
}
