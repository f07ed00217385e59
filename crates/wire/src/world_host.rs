//! A world and the tabs that look at it: what they say is done, and what is due is sent.

use crate::clock::WireClock;
use crate::compared_world::ComparisonChange;
use crate::message::TabMessage;
use crate::news::{NewsSink, TabNews};
use crate::reply;
use crate::thumbnail::ThumbnailScene;
use crate::watcher::{TabWatcher, ThemePayloads};
use pattern::Format;
use render::{Frame, Palette, Picture};
use session::command::{self, Command, Group};
use session::file_access::{Files, LocatedPattern};
use session::{CommandRefusal, CommandReply, EncodedPattern, PictureExtent, Session, Viewer};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The most files of the folder that a page is told of.
const MOST_FILES: usize = 500;

/// The largest exported picture, in pixels.
const LARGEST_PICTURE: (u32, u32) = (4096, 4096);

/// How long updates are sent before other work goes on.
const MAX_SEND_TIME: Duration = Duration::from_millis(10);

/// The view of somebody who has not said how large it is.
const UNKNOWN_VIEW: (u32, u32) = (1280, 720);

/// A world with the tabs that look at it. `Sink` is where the news of a tab go.
pub struct WorldHost<Sink> {
    /// The world.
    pub session: Session,
    /// A notice for new tabs.
    pub note: Option<String>,
    /// The world runs from the first tab's coming on.
    pub starts_running: bool,
    /// Something was changed: there is something to keep.
    pub was_touched: bool,
    /// Where the tab was that last did something: a new one begins there.
    viewer: Option<Viewer>,
    watchers: BTreeMap<u64, TabWatcher<Sink>>,
    theme_payloads: ThemePayloads,
    /// The tab that was last sent updates.
    last_tab: u64,
    clock: WireClock,
}

impl<Sink: NewsSink> WorldHost<Sink> {
    /// A world without tabs, and the clock by which updates are due.
    #[must_use]
    pub fn new(session: Session, clock: WireClock) -> Self {
        Self {
            session,
            note: None,
            starts_running: false,
            was_touched: false,
            viewer: None,
            watchers: BTreeMap::new(),
            theme_payloads: ThemePayloads::default(),
            last_tab: 0,
            clock,
        }
    }

    /// The clock by which updates are due.
    #[must_use]
    pub fn clock(&self) -> &WireClock {
        &self.clock
    }

    /// How many tabs there are.
    #[must_use]
    pub fn tabs(&self) -> usize {
        self.watchers.len()
    }

    /// Where the news of a tab go.
    #[must_use]
    pub fn sink(&self, tab: u64) -> Option<&Sink> {
        self.watchers.get(&tab).map(|watcher| &watcher.queue)
    }

    /// Where the news of all tabs go.
    pub fn sinks(&self) -> impl Iterator<Item = &Sink> {
        self.watchers.values().map(|watcher| &watcher.queue)
    }

    /// How many pixels a tab sees.
    #[must_use]
    pub fn pixels(&self, tab: u64) -> u64 {
        self.watchers.get(&tab).map_or(0, TabWatcher::pixels)
    }

    /// A tab has come: it is welcomed. See the example of the crate.
    pub fn join(&mut self, tab: u64, queue: Sink) {
        let file_access = self.session.file_access();
        let has_folder = matches!(file_access.files, Files::Folder(_));
        let mut files = file_access.names();
        files.retain(|name| Format::from_path(Path::new(name)).is_some());
        files.truncate(MOST_FILES);
        let welcome = reply::welcome(
            tab,
            file_access.limits.upload,
            has_folder.then_some(files.as_slice()),
            self.note.as_deref(),
        );
        queue.put(TabNews::Reply(welcome));
        let watcher = TabWatcher::new(queue, self.viewer.clone());
        self.watchers.insert(tab, watcher);
    }

    /// A tab has gone.
    pub fn leave(&mut self, tab: u64) {
        self.watchers.remove(&tab);
    }

    /// All tabs have gone.
    pub fn clear_tabs(&mut self) {
        self.watchers.clear();
    }

    /// Forgets what was sent: the session was replaced.
    pub fn reset_tabs(&mut self) {
        for watcher in self.watchers.values_mut() {
            watcher.reset();
        }
    }

    /// Does what a tab says. Returns the reply, where it has one. See the example of the crate.
    pub fn tell(&mut self, tab: u64, message: &TabMessage) -> Option<String> {
        let watcher = self.watchers.get_mut(&tab)?;
        match message {
            TabMessage::Size { width, height } => return self.resize(tab, *width, *height),
            TabMessage::Do { text, id } => return self.run_command(tab, text, *id),
            TabMessage::Credit(frames) => watcher.give_credit(*frames),
            TabMessage::Plot(on) => watcher.watch_plot(*on),
            TabMessage::Curves(on) => watcher.watch_curves(*on),
            TabMessage::Dark(on) => watcher.set_dark(*on),
        }
        None
    }

    fn resize(&mut self, tab: u64, width: u32, height: u32) -> Option<String> {
        let pixels = u64::from(width) * u64::from(height);
        let most = most_pixels(self.session.file_access().limits.memory);
        let others = self.watchers.iter().filter(|(other, _)| **other != tab);
        let seen: u64 = others.map(|(_, watcher)| watcher.pixels()).sum();
        if seen + pixels > most {
            let notice = format!(
                "all views together may have {most} pixels here, and with this one they \
                 would have {}: close some of them, or make it smaller",
                seen + pixels
            );
            return Some(reply::to_malformed(notice));
        }
        let watcher = self.watchers.get_mut(&tab)?;
        watcher.resize(width, height);
        if std::mem::take(&mut self.starts_running) {
            // A world that does not run is worth looking at too.
            let _ = self.session.apply(&mut watcher.viewer, &Command::Run);
        }
        None
    }

    fn run_command(&mut self, tab: u64, text: &str, id: u64) -> Option<String> {
        let watcher = self.watchers.get_mut(&tab)?;
        let outcome = match text.parse::<Command>() {
            Ok(command) => self.session.apply(&mut watcher.viewer, &command),
            Err(error) => Err(error.into()),
        };
        watcher.command_done(id);
        self.viewer = Some(watcher.viewer.clone());
        if outcome.is_ok() && !is_view_command(text) {
            self.was_touched = true;
            // the notice about the start is out of date
            self.note = None;
        }
        Some(reply::to_command(id, &outcome))
    }

    /// Changes what is laid over this world in a tab. Returns the reply.
    pub fn compare(&mut self, tab: u64, id: u64, change: ComparisonChange) -> Option<String> {
        let watcher = self.watchers.get_mut(&tab)?;
        let generation = self.session.world().generation();
        let outcome = match change {
            ComparisonChange::With(other) => Ok(watcher.compare_with(other.map(|other| *other))),
            ComparisonChange::Together(switch) => watcher.set_together(switch, generation),
        };
        watcher.command_done(id);
        let reply = |note| CommandReply {
            note: Some(note),
            ..CommandReply::default()
        };
        Some(match outcome {
            Ok(note) => reply::to_command(id, &Ok(reply(note))),
            Err(problem) => reply::to_broken_command(id, problem),
        })
    }

    /// Tells the worlds that step together with this one where it is. Whether all are there too.
    pub fn keep_step(&mut self) -> bool {
        let generation = self.session.world().generation();
        let mut is_in_step = true;
        for watcher in self.watchers.values_mut() {
            is_in_step &= watcher.keep_step(generation);
        }
        is_in_step
    }

    /// This world was led to its generation by another one.
    pub fn was_led(&mut self) {
        let generation = self.session.world().generation();
        for watcher in self.watchers.values_mut() {
            watcher.was_led_to(generation);
        }
    }

    /// Loads a file that a tab has sent. Asks first where that would lose something, unless it is
    /// wanted `anyway`.
    ///
    /// # Errors
    /// The session's.
    pub fn load(
        &mut self,
        found: LocatedPattern,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        let mut viewer = self.viewer_of(None);
        let reply = self.session.load_located(&mut viewer, found, anyway)?;
        self.was_touched = true;
        self.note = None;
        Ok(reply)
    }

    /// The world as a file that a browser keeps: from then on it is saved. One for a link, which
    /// `is_shared`, does not count as that.
    ///
    /// # Errors
    /// The session's.
    pub fn save(
        &mut self,
        format: Format,
        name: &str,
        is_shared: bool,
    ) -> Result<EncodedPattern, CommandRefusal> {
        let saved = self.session.encode(&self.viewer_of(None), format, name)?;
        if !is_shared {
            self.session.mark_saved();
        }
        Ok(saved)
    }

    /// The palette of a tab.
    #[must_use]
    pub fn palette(&self, tab: Option<u64>) -> Palette {
        self.session.palette(&self.viewer_of(tab))
    }

    /// A tab's view.
    pub fn frame(&mut self, tab: Option<u64>) -> Frame {
        let mut viewer = self.viewer_of(tab);
        self.session.frame(&mut viewer)
    }

    /// What an exported picture shows.
    fn extended_frame(&mut self, tab: Option<u64>, extent: &PictureExtent) -> Frame {
        let mut viewer = self.viewer_of(tab);
        if *extent != PictureExtent::default() {
            let bounds = self.session.world().bounds();
            let viewport = &viewer.viewport;
            viewer.viewport = extent.viewport(viewport, bounds.as_ref(), LARGEST_PICTURE);
            (viewer.follow, viewer.track) = (false, None);
        }
        self.session.frame(&mut viewer)
    }

    /// A tab's view, or the whole pattern, as an SVG, which may be for printing.
    pub fn svg(&mut self, tab: Option<u64>, is_printed: bool, extent: &PictureExtent) -> String {
        let frame = self.extended_frame(tab, extent);
        let palette = match is_printed {
            true => self.session.printed_palette(),
            false => self.palette(tab),
        };
        let (style, icons) = (self.session.style(), self.session.icons());
        render::svg_with_icons(&frame, &palette, &style, &icons)
    }

    /// A tab's view, or the whole pattern, in pixels.
    pub fn picture(&mut self, tab: Option<u64>, extent: &PictureExtent) -> Picture {
        let frame = self.extended_frame(tab, extent);
        let (style, icons) = (self.session.style(), self.session.icons());
        frame.paint_with_icons(&self.palette(tab), &style, &icons)
    }

    /// The icons of the rule's states in a tab's colours, one below the other.
    #[must_use]
    pub fn icons(&self, tab: Option<u64>, side: u32) -> Option<Picture> {
        let states = self.session.world().rule().states();
        let icons = self.session.icons();
        icons.picture(side, &self.palette(tab), states)
    }

    /// A checkpoint of the timeline by its number, and a tab's colours.
    #[must_use]
    pub fn thumbnail(&self, tab: Option<u64>, id: u64) -> Option<ThumbnailScene> {
        let copy = self.session.checkpoint_copy(id)?;
        let palette = self.palette(tab);
        Some(ThumbnailScene { copy, palette })
    }

    /// Where a tab is; without one, or when it has gone, where the last one was.
    #[must_use]
    pub fn viewer_of(&self, tab: Option<u64>) -> Viewer {
        let watcher = tab.and_then(|tab| self.watchers.get(&tab));
        let viewer = watcher
            .map(|watcher| &watcher.viewer)
            .or(self.viewer.as_ref());
        let (width, height) = UNKNOWN_VIEW;
        viewer
            .cloned()
            .unwrap_or_else(|| Viewer::new(width, height))
    }

    /// When the next update is due, by the host's clock.
    #[must_use]
    pub fn next_due(&self) -> Option<Duration> {
        let now = (self.clock)();
        let watchers = self.watchers.values();
        watchers
            .filter_map(|watcher| watcher.due(&self.session, now))
            .min()
    }

    /// Sends tabs what is due, round robin from the last one served: who waits does not wait until
    /// all of them have theirs.
    pub fn send_updates(&mut self, somebody_waits: &dyn Fn() -> bool) {
        let later = self.watchers.range(self.last_tab + 1..);
        let order = later
            .chain(self.watchers.range(..=self.last_tab))
            .map(|(&tab, _)| tab);
        let begun = (self.clock)();
        for tab in order.collect::<Vec<u64>>() {
            if let Some(watcher) = self.watchers.get_mut(&tab) {
                watcher.send_due(&mut self.session, &mut self.theme_payloads, &self.clock);
                self.last_tab = tab;
            }
            if somebody_waits() && (self.clock)().saturating_sub(begun) > MAX_SEND_TIME {
                break;
            }
        }
    }
}

/// The pixel budget of all views together for this much memory: pending frames take up to three
/// bytes for each pixel. One large screen always fits.
fn most_pixels(memory: u64) -> u64 {
    const LARGE_SCREEN: u64 = 3840 * 2160;
    (memory / 16).max(LARGE_SCREEN)
}

/// Whether a command changes only the view, which needs no draft.
fn is_view_command(text: &str) -> bool {
    let name = text.split_whitespace().next().unwrap_or_default();
    command::entry(name).is_none_or(|entry| entry.group == Group::See)
}
