//! The state of one user interface.

use crate::command::Tool;
use grid::State;
use num_bigint::BigInt;
use render::Viewport;

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
    /// Whether the view keeps the live cells in sight.
    pub follow: bool,
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
            pen: 1,
            follow: false,
            cursor: None,
            is_dark: false,
            arrived: 0,
        }
    }

    /// Resizes the viewport about its middle.
    pub fn resize(&mut self, width: u32, height: u32) {
        self.viewport = self.viewport.resized(width, height);
    }
}
