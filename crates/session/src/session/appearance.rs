//! How a world looks: frames, palettes, icons, rulers and plots.

use crate::session::Session;
use crate::viewer::Viewer;
use num_bigint::BigInt;
use plot::{PlotSeries, RunQuantity, RunSeries};
use render::{Frame, Palette, SheetRulers, StateIcons, Theme};

impl Session {
    /// Renders the world for the viewer's viewport.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(64, 48));
    /// session.apply(&mut viewer, &"open glider".parse()?)?;
    /// let frame = session.frame(&mut viewer);
    /// let picture = frame.paint(&session.palette(&viewer), &session.style());
    /// assert_eq!((picture.width, picture.height), (64, 48));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frame(&mut self, viewer: &mut Viewer) -> Frame {
        let lattice = self.world.rule().lattice();
        viewer.viewport = viewer.viewport.with_lattice(lattice);
        self.move_to_opened(viewer);
        if viewer.follow
            && let Some(bounds) = self.world.bounds()
        {
            let x = bounds.x + BigInt::from(bounds.width) / 2;
            let y = bounds.y + BigInt::from(bounds.height) / 2;
            viewer.viewport = viewer.viewport.centred_on(&x, &y);
        }
        viewer.go_on(self.world.generation());
        self.go_on_tour(viewer);
        let mut frame = Frame::of(self.world.as_ref(), &viewer.viewport);
        let shows = self.display.shown_trails();
        if let Some(trails) = &self.trails {
            trails.mark(&mut frame, shows);
        }
        if let Some(periods) = self.valid_periods() {
            periods.mark(&mut frame, self.display.colouring);
        }
        if self.display.dying {
            frame.mark_dying(self.world.as_ref());
        }
        frame
    }

    /// The palette of this world for this viewer.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let session = Session::new(FileAccess::default(), 0);
    /// let viewer = Viewer::new(9, 9);
    /// assert_eq!(session.palette(&viewer).theme.name, "paper");
    /// ```
    #[must_use]
    pub fn palette(&self, viewer: &Viewer) -> Palette {
        let theme = self.display.theme(viewer.is_dark);
        self.display.palette(self.world.rule(), &theme)
    }

    /// The palette of this world on white paper.
    ///
    /// ```
    /// use session::{Session, file_access::FileAccess};
    ///
    /// let session = Session::new(FileAccess::default(), 0);
    /// assert_eq!(session.printed_palette().states[0].to_string(), "#ffffff");
    /// ```
    #[must_use]
    pub fn printed_palette(&self) -> Palette {
        self.display.palette(self.world.rule(), &Theme::PRINT)
    }

    /// The icons of the rule's states, where its file has any and they are shown.
    ///
    /// ```
    /// use session::{Session, file_access::FileAccess};
    ///
    /// let session = Session::new(FileAccess::default(), 0);
    /// assert_eq!(session.icons().sides().count(), 0, "Life has no icons");
    /// ```
    #[must_use]
    pub fn icons(&self) -> StateIcons {
        let appearance = self.world.rule().appearance();
        let text = appearance.and_then(|appearance| appearance.icons.as_deref());
        let text = text.filter(|_| self.display.icons);
        text.map(StateIcons::read).unwrap_or_default()
    }

    /// The style of the drawn sheet.
    #[must_use]
    pub fn style(&self) -> render::PictureStyle {
        self.display.style()
    }

    /// The rulers of a viewer's view, where they are shown; a character of a label is so many
    /// pixels wide and high.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(640, 480));
    /// assert_eq!(session.rulers(&viewer, (7, 14)), None);
    /// session.apply(&mut viewer, &"rulers on".parse()?)?;
    /// let rulers = session.rulers(&viewer, (7, 14)).expect("they are on");
    /// assert!(rulers.columns.iter().any(|mark| mark.label == "10"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rulers(&self, viewer: &Viewer, character: (u32, u32)) -> Option<SheetRulers> {
        self.display
            .rulers
            .then(|| viewer.viewport.rulers(character))
    }

    /// The population over the generations since the pattern was opened.
    #[must_use]
    pub fn plot(&self) -> &PlotSeries {
        self.run_series.of(RunQuantity::Population)
    }

    /// All quantities that a plot may show. Births, deaths and the box around the live cells are
    /// counted once a viewer's plot shows one of them.
    ///
    /// ```
    /// use plot::RunQuantity;
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// for text in ["open blinker", "curves births deaths", "step"] {
    ///     session.apply(&mut viewer, &text.parse()?)?;
    ///     session.finish_going();
    /// }
    /// let births = session.run_series().of(RunQuantity::Births).points();
    /// assert_eq!(births, [(1.into(), 2u8.into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn run_series(&self) -> &RunSeries {
        &self.run_series
    }
}
