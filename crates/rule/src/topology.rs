use grid::{Point, Rect};
use std::fmt;

/// A direction across the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Left to right.
    Horizontal,
    /// Top to bottom.
    Vertical,
}

/// The world's shape: unbounded, or a grid whose edges are closed in some way.
///
/// A bounded grid's top-left cell is (-⌊w/2⌋, -⌊h/2⌋), as in Golly. A width or height
/// of 0 means that the side is infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// No edges.
    #[default]
    Unbounded,
    /// `:Pw,h` dead outside.
    Plane {
        /// Columns; 0 is infinite.
        width: u64,
        /// Rows; 0 is infinite.
        height: u64,
    },
    /// `:Tw,h` each edge joined to the opposite one, perhaps shifted.
    Torus {
        /// Columns; 0 is infinite.
        width: u64,
        /// Rows; 0 is infinite.
        height: u64,
        /// Which pair of edges is shifted, and by how much: `Horizontal` is the top and
        /// bottom edges (`:Tw+s,h`).
        shift: Option<(Axis, i64)>,
    },
    /// `:Kw*,h` one pair of edges joined with a twist.
    Klein {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
        /// The pair of edges that is twisted: `Horizontal` is the top and bottom edges.
        twisted: Axis,
        /// 0, or 1: the twisted edges are shifted too.
        shift: i64,
    },
    /// `:Cw,h` both pairs of edges joined with a twist.
    CrossSurface {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// `:Sw` top joined to left, right to bottom.
    Sphere {
        /// Columns and rows.
        side: u64,
    },
}

impl Topology {
    /// Width and height; 0 is infinite, `(0, 0)` for the unbounded plane.
    #[must_use]
    pub fn size(&self) -> (u64, u64) {
        match *self {
            Self::Unbounded => (0, 0),
            Self::Plane { width, height }
            | Self::Torus { width, height, .. }
            | Self::Klein { width, height, .. }
            | Self::CrossSurface { width, height } => (width, height),
            Self::Sphere { side } => (side, side),
        }
    }

    /// The grid's rectangle when both its sides are finite.
    #[must_use]
    pub fn rect(&self) -> Option<Rect> {
        let (w, h) = self.size();
        let halved = |side: u64| -((side / 2) as i64);
        (w > 0 && h > 0).then(|| Rect::new(halved(w), halved(h), w, h))
    }

    /// Whether the cell lies on the grid itself.
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        let within = |c: i64, side: u64| {
            let least = -((side / 2) as i64);
            side == 0 || (c >= least && c < least.saturating_add_unsigned(side))
        };
        let (w, h) = self.size();
        within(p.x, w) && within(p.y, h)
    }

    /// The cell of the grid that is seen at `p`, which may lie outside; `None` where
    /// nothing but death lies there.
    #[must_use]
    pub fn resolve(&self, p: Point) -> Option<Point> {
        if self.contains(p) {
            return Some(p);
        }
        None
    }
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let _ = f;
        Ok(())
    }
}
