//! What each face keeps for itself.

use crate::command::Tool;
use grid::State;
use num_bigint::BigInt;
use render::Viewport;

/// One who watches a session: a tab of the page, or the terminal. Several may watch the
/// same one, each from elsewhere.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The part of the sheet that is seen.
    pub viewport: Viewport,
    /// What the pointer does.
    pub tool: Tool,
    /// The state that is drawn with.
    pub pen: State,
    /// Whether the view keeps what lives in sight.
    pub follow: bool,
    /// The cell that is pointed at.
    pub cursor: Option<(BigInt, BigInt)>,
    /// Whether this face is dark, where the theme is left to the face.
    pub is_dark: bool,
    /// Which of the session's patterns this one has gone to.
    pub(crate) arrived: u64,
}

impl Viewer {
    /// One that sees so many pixels.
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

    /// Another size; the middle stays where it was.
    pub fn resize(&mut self, width: u32, height: u32) {
        self.viewport = self.viewport.resized(width, height);
    }
}
