//! Bookmarks: views of generations, by name.

use crate::refusal::CommandRefusal;
use crate::session::{CommandReply, Session};
use crate::settings::{Bookmark, Settings, is_bookmark_name};
use crate::viewer::Viewer;

impl Session {
    /// Gives what the viewer sees a name, or takes a name away.
    pub(crate) fn set_bookmark(
        &mut self,
        viewer: &Viewer,
        name: &str,
        is_set: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        if !is_bookmark_name(name) {
            return Err(CommandRefusal::BookmarkName {
                name: name.to_string(),
            });
        }
        if !is_set {
            let gone = self.bookmarks.remove(name);
            gone.ok_or_else(|| self.no_bookmark(name))?;
        } else {
            let bookmark = Bookmark {
                generation: Some(self.world.generation().clone()),
                place: viewer.viewport.centre(),
                zoom: viewer.viewport.zoom,
            };
            self.bookmarks.insert(name.to_string(), bookmark);
        }
        self.revision += 1;
        let generation = self.world.generation();
        Ok(CommandReply::note(match is_set {
            true => format!("bookmark {name}: generation {generation} and this view"),
            false => format!("{name} is no bookmark any more"),
        }))
    }

    /// Goes to a bookmark's generation and view.
    pub(crate) fn visit(
        &mut self,
        viewer: &mut Viewer,
        name: &str,
    ) -> Result<CommandReply, CommandRefusal> {
        let bookmark = self.bookmarks.get(name).cloned();
        let bookmark = bookmark.ok_or_else(|| self.no_bookmark(name))?;
        let reply = match &bookmark.generation {
            Some(generation) => self.go_to(generation)?,
            None => CommandReply::default(),
        };
        viewer.follow = false;
        viewer.track = None;
        viewer.is_touring = false;
        let (x, y) = &bookmark.place;
        viewer.viewport.zoom = bookmark.zoom;
        viewer.viewport = viewer.viewport.centred_on(x, y);
        Ok(reply)
    }

    fn no_bookmark(&self, name: &str) -> CommandRefusal {
        let names: Vec<&str> = self.bookmarks.keys().map(String::as_str).collect();
        CommandRefusal::NoBookmark {
            name: name.to_string(),
            known: names.join(", "),
        }
    }

    /// Takes a pattern's bookmarks, whose places are relative to the middle of its cells.
    pub(crate) fn adopt_bookmarks(&mut self, settings: &Settings) {
        let bounds = self.world.bounds();
        let absolute = |bookmark: &Bookmark| {
            let place = Settings {
                place: Some(bookmark.place.clone()),
                ..Settings::default()
            };
            Bookmark {
                place: place.centre(bounds.as_ref()).unwrap_or_default(),
                ..bookmark.clone()
            }
        };
        let points = self.presentation.points.iter();
        let points = points.map(|(name, point)| (name.clone(), absolute(&point.bookmark())));
        self.bookmarks = points.collect();
        let bookmarks = settings.bookmarks.iter();
        let bookmarks = bookmarks.map(|(name, bookmark)| (name.clone(), absolute(bookmark)));
        self.bookmarks.extend(bookmarks);
    }

    /// The bookmarks as a pattern carries them.
    pub(crate) fn carried_bookmarks(&self, settings: &mut Settings) {
        let bounds = self.world.bounds();
        let relative = |bookmark: &Bookmark| {
            let mut place = Settings::default();
            place.look_at(&bookmark.place, bounds.as_ref());
            Bookmark {
                place: place.place.unwrap_or_default(),
                ..bookmark.clone()
            }
        };
        let bookmarks = self.bookmarks.iter();
        let is_told = |name: &String, bookmark: &Bookmark| {
            // The script, which is written as it was, names it already.
            let mut points = self.presentation.points.iter();
            points.any(|(other, point)| other == name && point.bookmark() == *bookmark)
        };
        settings.bookmarks = bookmarks
            .map(|(name, bookmark)| (name.clone(), relative(bookmark)))
            .filter(|(name, bookmark)| !is_told(name, bookmark))
            .collect();
    }
}
