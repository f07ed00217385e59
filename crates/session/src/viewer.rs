//! The state of one user interface.

use crate::command::Tool;
use crate::ship_motion::ShipMotion;
use grid::{Point, Rect, State};
use num_bigint::BigInt;
use num_traits::Euclid as _;
use pattern::soup::SoupSymmetry;
use plot::PlotView;
use render::Viewport;
use std::collections::HashSet;
use std::fmt;

/// A symmetry that is drawn with: each cell is drawn with its copies about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawingSymmetry {
    /// The copies.
    pub symmetry: SoupSymmetry,
    /// Twice the place of the point, in cells: odd where it lies between two cells.
    pub centre: Point,
}

impl DrawingSymmetry {
    /// A symmetry about the middle of a rectangle. Quarter turns and diagonal mirrors about a
    /// point between two cells only that lie side by side would not lead to cells: then the
    /// middle is half a row higher.
    pub(crate) fn about(symmetry: SoupSymmetry, rect: Rect) -> Self {
        let middle = |start: i64, side: u64| 2 * start + side as i64 - 1;
        let (x, mut y) = (middle(rect.x, rect.width), middle(rect.y, rect.height));
        let is_square = symmetry.copies().iter().any(|copy| {
            // one that swaps rows and columns
            copy.apply(Point::new(1, 0)).x == 0
        });
        if is_square && (x + y) % 2 != 0 {
            y -= 1;
        }
        Self {
            symmetry,
            centre: Point::new(x, y),
        }
    }

    /// Where a cell and its copies lie.
    fn images(&self, p: Point) -> impl Iterator<Item = Point> {
        let centre = self.centre;
        let doubled = |p: i64, centre: i64| p.saturating_mul(2).saturating_sub(centre);
        let from = Point::new(doubled(p.x, centre.x), doubled(p.y, centre.y));
        let halved = |d: i64, centre: i64| d.saturating_add(centre).div_euclid(2);
        self.symmetry.copies().iter().map(move |copy| {
            let to = copy.apply(from);
            Point::new(halved(to.x, centre.x), halved(to.y, centre.y))
        })
    }
}

impl fmt::Display for DrawingSymmetry {
    /// `D4+ about 0,0`; a middle between cells has halves: `C2 about 0.5,-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = |doubled: i64| doubled as f64 / 2.0;
        let (x, y) = (half(self.centre.x), half(self.centre.y));
        write!(f, "{} about {x},{y}", self.symmetry)
    }
}

/// The view goes with a ship.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CameraTrack {
    /// How it moves.
    pub motion: ShipMotion,
    /// The generation at which it began.
    start: BigInt,
    /// How far the view has come since then, in cells.
    moved: (BigInt, BigInt),
}

impl CameraTrack {
    /// A way that begins at a generation.
    pub(crate) fn new(motion: ShipMotion, start: BigInt) -> Self {
        Self {
            motion,
            start,
            moved: (BigInt::ZERO, BigInt::ZERO),
        }
    }

    /// How far the view has to go on, for a generation.
    fn advance(&mut self, generation: &BigInt) -> (BigInt, BigInt) {
        let elapsed = generation - &self.start;
        let way = |cells: i64| (&elapsed * cells).div_euclid(&BigInt::from(self.motion.period));
        let all = (way(self.motion.dx), way(self.motion.dy));
        let more = (&all.0 - &self.moved.0, &all.1 - &self.moved.1);
        self.moved = all;
        more
    }
}

/// A viewer of a session: a tab of the page, or the terminal. Several viewers may share a
/// session, each with its own viewport.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The visible part of the plane.
    pub viewport: Viewport,
    /// The pointer's tool.
    pub tool: Tool,
    /// The pen's state.
    pub pen: State,
    /// The copies that are drawn along with each cell.
    pub symmetry: Option<DrawingSymmetry>,
    /// Whether the view keeps the live cells in sight.
    pub follow: bool,
    /// The ship that the view goes with.
    pub track: Option<CameraTrack>,
    /// Whether the view goes the way of the pattern's script.
    pub is_touring: bool,
    /// What the plot shows.
    pub plot: PlotView,
    /// The cell at the cursor.
    pub cursor: Option<(BigInt, BigInt)>,
    /// Whether this user interface is dark, for themes that leave the choice to it.
    pub is_dark: bool,
    /// The last opened pattern that this viewer has moved to.
    pub(crate) arrived: u64,
}

impl Viewer {
    /// A viewer of a number of pixels.
    ///
    /// ```
    /// let mut viewer = session::Viewer::new(640, 480);
    /// viewer.resize(320, 240);
    /// assert_eq!((viewer.viewport.width, viewer.viewport.height), (320, 240));
    /// ```
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            viewport: Viewport::new(width, height),
            tool: Tool::default(),
            plot: PlotView::default(),
            pen: 1,
            symmetry: None,
            follow: false,
            track: None,
            is_touring: false,
            cursor: None,
            is_dark: false,
            arrived: 0,
        }
    }

    /// The cells and their copies, each once.
    pub(crate) fn images(&self, cells: &[Point]) -> Vec<Point> {
        let Some(symmetry) = self.symmetry else {
            return cells.to_vec();
        };
        let mut seen = HashSet::new();
        let all = cells.iter().flat_map(|p| symmetry.images(*p));
        all.filter(|p| seen.insert(*p)).collect()
    }

    /// Goes to where its ship is in a generation.
    pub(crate) fn go_on(&mut self, generation: &BigInt) {
        let Some(track) = &mut self.track else {
            return;
        };
        let (dx, dy) = track.advance(generation);
        if dx != BigInt::ZERO || dy != BigInt::ZERO {
            let (x, y) = self.viewport.centre();
            self.viewport = self.viewport.centred_on(&(x + dx), &(y + dy));
        }
    }

    /// Resizes the viewport about its middle.
    pub fn resize(&mut self, width: u32, height: u32) {
        self.viewport = self.viewport.resized(width, height);
    }
}
