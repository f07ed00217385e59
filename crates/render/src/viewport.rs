use crate::Zoom;
use engine::View;
use grid::Rect;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use pattern::Bounds;

/// The visible part of the sheet.
///
/// At each [`Zoom`] the plane is one large sheet of pixels. At `In(z)` the cell (x, y)
/// covers the pixels from `x * z` and `y * z`, z of them each way; at `Out(k)` pixels are
/// those of [`engine::View`], so that the row of pixels 0 begins at the cell row 1.
///
/// ```
/// use render::{Viewport, Zoom};
/// let view = Viewport::new(640, 480);
/// assert_eq!(view.zoom, Zoom::In(8));
/// assert_eq!(view.cell_at(320, 240), (0.into(), 0.into()));
/// let near = view.zoomed(Zoom::In(20), 320, 240);
/// assert_eq!(near.cell_at(320, 240), (0.into(), 0.into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// Pixels from the sheet's origin to the left edge, at this zoom; negative to the west.
    pub left: BigInt,
    /// Pixels from the sheet's origin to the top edge, at this zoom; negative to the north.
    pub top: BigInt,
    /// How large cells are.
    pub zoom: Zoom,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// The initial zoom, in pixels a cell.
const FIRST_ZOOM: u32 = 8;
/// Pixels a cell at which small patterns are shown whole.
const LARGEST_FIT: u32 = 20;
/// The greatest coordinate of a [`Rect`] of cells: sums of such coordinates cannot overflow.
const REACH: i64 = 1 << 60;

impl Viewport {
    /// The cell (0, 0) in the middle, 8 pixels a cell.
    ///
    /// ```
    /// use render::Viewport;
    ///
    /// assert_eq!(Viewport::new(640, 480).centre(), (0.into(), 0.into()));
    /// ```
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        let blank = Self {
            left: BigInt::ZERO,
            top: BigInt::ZERO,
            zoom: Zoom::In(FIRST_ZOOM),
            width,
            height,
        };
        blank.centred_on(&BigInt::ZERO, &BigInt::ZERO)
    }

    /// The cell under a pixel, which is counted from the viewport's top-left one and may lie
    /// outside; where many cells are under it, the top-left one.
    ///
    /// ```
    /// use render::{Viewport, Zoom};
    ///
    /// let view = Viewport { left: 0.into(), top: 0.into(), zoom: Zoom::In(8), width: 64, height: 64 };
    /// assert_eq!(view.cell_at(17, 7), (2.into(), 0.into()));
    /// assert_eq!(view.cell_at(-1, 0), ((-1).into(), 0.into()));
    /// ```
    #[must_use]
    pub fn cell_at(&self, px: i64, py: i64) -> (BigInt, BigInt) {
        let (x, y) = (&self.left + px, &self.top + py);
        match self.zoom {
            Zoom::In(pixels) => (floor(x, pixels), floor(y, pixels)),
            Zoom::Out(power) => (x << power, (y << power) + 1),
        }
    }

    /// The top-left pixel of a cell, counted from the viewport's top-left one.
    ///
    /// ```
    /// use render::Viewport;
    ///
    /// let view = Viewport::new(640, 480);
    /// let (x, y) = view.pixel_of(&3.into(), &(-2).into());
    /// let (x, y): (i64, i64) = (x.try_into()?, y.try_into()?);
    /// assert_eq!(view.cell_at(x, y), (3.into(), (-2).into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pixel_of(&self, x: &BigInt, y: &BigInt) -> (BigInt, BigInt) {
        let (x, y) = on_sheet(self.zoom, x, y);
        (x - &self.left, y - &self.top)
    }

    /// The same point under the pixel at another zoom: the same cell where cells are
    /// whole pixels; further out a pixel that has the cell in it, and on the way back a
    /// cell that the pixel had in it.
    ///
    /// ```
    /// use render::{Viewport, Zoom};
    ///
    /// let view = Viewport::new(640, 480);
    /// let near = view.zoomed(Zoom::In(40), 100, 100);
    /// assert_eq!(near.cell_at(100, 100), view.cell_at(100, 100));
    /// ```
    #[must_use]
    pub fn zoomed(&self, zoom: Zoom, px: i64, py: i64) -> Self {
        if zoom == self.zoom {
            return self.clone();
        }
        // The middle of the pixel, in parts of a cell: how many, and how many there are to
        // a cell.
        let (x, y) = (&self.left + px, &self.top + py);
        let (x, y, parts): (BigInt, BigInt, u32) = match self.zoom {
            Zoom::In(pixels) => (x * 2 + 1, y * 2 + 1, pixels * 2),
            Zoom::Out(power) => {
                let middle = |c: BigInt| (c * 2 + 1) << power >> 1;
                (middle(x), middle(y) + 1, 1)
            }
        };
        let (x, y) = match zoom {
            Zoom::In(pixels) => (floor(x * pixels, parts), floor(y * pixels, parts)),
            Zoom::Out(power) => (floor(x, parts) >> power, (floor(y, parts) - 1) >> power),
        };
        Self {
            left: x - px,
            top: y - py,
            zoom,
            ..*self
        }
    }

    /// Panned by `dx` pixels to the right and `dy` down: the content moves to the left and up.
    ///
    /// ```
    /// use render::Viewport;
    ///
    /// let view = Viewport::new(640, 480).panned(16, 0); // eight pixels a cell
    /// assert_eq!(view.centre(), (2.into(), 0.into()));
    /// ```
    #[must_use]
    pub fn panned(&self, dx: i64, dy: i64) -> Self {
        Self {
            left: &self.left + dx,
            top: &self.top + dy,
            ..*self
        }
    }

    /// The same zoom, with this cell in the middle.
    ///
    /// ```
    /// use render::Viewport;
    ///
    /// let view = Viewport::new(640, 480).centred_on(&1000.into(), &(-5).into());
    /// assert_eq!(view.centre(), (1000.into(), (-5).into()));
    /// ```
    #[must_use]
    pub fn centred_on(&self, x: &BigInt, y: &BigInt) -> Self {
        let (x, y) = on_sheet(self.zoom, x, y);
        let half = match self.zoom {
            Zoom::In(pixels) => i64::from(pixels / 2),
            Zoom::Out(_) => 0,
        };
        Self {
            left: x + (half - i64::from(self.width / 2)),
            top: y + (half - i64::from(self.height / 2)),
            ..*self
        }
    }

    /// The cell in the middle.
    #[must_use]
    pub fn centre(&self) -> (BigInt, BigInt) {
        self.cell_at(i64::from(self.width / 2), i64::from(self.height / 2))
    }

    /// The bounds whole and in the middle, with a little margin, at most 20 pixels a cell.
    ///
    /// ```
    /// use grid::Rect;
    /// use render::{Viewport, Zoom};
    ///
    /// let wide = Viewport::fitting(&Rect::new(0, 0, 10_000, 10).into(), 640, 480);
    /// assert_eq!(wide.zoom, Zoom::Out(4));
    /// let small = Viewport::fitting(&Rect::new(0, 0, 3, 3).into(), 640, 480);
    /// assert_eq!(small.zoom, Zoom::In(20)); // no larger than that
    /// ```
    #[must_use]
    pub fn fitting(bounds: &Bounds, width: u32, height: u32) -> Self {
        let zoom = fitting_zoom(bounds, width, height);
        // Pixels from the first one of the bounds to the last one, both on the sheet.
        let last_x = &bounds.x + BigInt::from(bounds.width.clone()) - 1;
        let last_y = &bounds.y + BigInt::from(bounds.height.clone()) - 1;
        let first = on_sheet(zoom, &bounds.x, &bounds.y);
        let (right, bottom) = match zoom {
            Zoom::In(_) => on_sheet(zoom, &(last_x + 1), &(last_y + 1)),
            Zoom::Out(_) => {
                let last = on_sheet(zoom, &last_x, &last_y);
                (last.0 + 1, last.1 + 1)
            }
        };
        let start = |from: BigInt, to: BigInt, room: u32| {
            let spare = BigInt::from(room) - (to - &from);
            from - (spare >> 1)
        };
        Self {
            left: start(first.0, right, width),
            top: start(first.1, bottom, height),
            zoom,
            width,
            height,
        }
    }

    /// Another size in pixels; the middle stays.
    ///
    /// ```
    /// use render::Viewport;
    ///
    /// let view = Viewport::new(640, 480).centred_on(&7.into(), &7.into());
    /// assert_eq!(view.resized(320, 240).centre(), view.centre());
    /// ```
    #[must_use]
    pub fn resized(&self, width: u32, height: u32) -> Self {
        let moved = |from: u32, to: u32| i64::from(from / 2) - i64::from(to / 2);
        Self {
            left: &self.left + moved(self.width, width),
            top: &self.top + moved(self.height, height),
            zoom: self.zoom,
            width,
            height,
        }
    }

    /// At `In` the cells that are seen, also partly; at `Out`, and so far out that their
    /// coordinates might not fit, none.
    ///
    /// ```
    /// use grid::Rect;
    /// use render::{Viewport, Zoom};
    ///
    /// let view = Viewport { left: 4.into(), top: 0.into(), zoom: Zoom::In(8), width: 16, height: 8 };
    /// assert_eq!(view.cells(), Some(Rect::new(0, 0, 3, 1))); // two of them in part
    /// assert_eq!(view.zoomed(Zoom::Out(1), 0, 0).cells(), None);
    /// ```
    #[must_use]
    pub fn cells(&self) -> Option<Rect> {
        let Zoom::In(pixels) = self.zoom else {
            return None;
        };
        let side = |start: &BigInt, length: u32| {
            let first = floor(start.clone(), pixels).to_i64()?;
            let end = -floor(-(start + length), pixels);
            let end = end.to_i64()?;
            (first >= -REACH && end <= REACH).then(|| (first, end.abs_diff(first)))
        };
        let (x, width) = side(&self.left, self.width)?;
        let (y, height) = side(&self.top, self.height)?;
        Some(Rect::new(x, y, width, height))
    }

    /// The pixels to ask [`engine::World::density`] for: at `Out` those of the viewport, at
    /// `In` one for each cell that is seen, also partly.
    ///
    /// ```
    /// use render::{Viewport, Zoom};
    ///
    /// let view = Viewport::new(640, 480).zoomed(Zoom::Out(10), 320, 240).density_view();
    /// assert_eq!((view.width, view.height, view.scale), (640, 480, 10));
    /// ```
    #[must_use]
    pub fn density_view(&self) -> View {
        match self.zoom {
            Zoom::Out(scale) => View {
                column: self.left.clone(),
                row: self.top.clone(),
                width: self.width,
                height: self.height,
                scale,
            },
            Zoom::In(pixels) => {
                let side = |start: &BigInt, length: u32| {
                    let first = floor(start.clone(), pixels);
                    let end = -floor(-(start + length), pixels);
                    let cells = (end - &first).to_u32();
                    (first, cells.expect("no more cells than pixels, and one"))
                };
                let (column, width) = side(&self.left, self.width);
                let (row, height) = side(&self.top, self.height);
                View {
                    column,
                    // the sheet of views begins at the cell row 1
                    row: row - 1,
                    width,
                    height,
                    scale: 0,
                }
            }
        }
    }
}

/// The quotient, rounded down.
fn floor(a: BigInt, b: u32) -> BigInt {
    if b == 1 {
        return a;
    }
    let b = BigInt::from(b);
    let rest = ((&a % &b) + &b) % &b;
    (a - rest) / b
}

/// The top-left pixel of a cell on the whole sheet.
fn on_sheet(zoom: Zoom, x: &BigInt, y: &BigInt) -> (BigInt, BigInt) {
    match zoom {
        Zoom::In(pixels) => (x * pixels, y * pixels),
        Zoom::Out(power) => (x >> power, (y - 1_u32) >> power),
    }
}

/// The zoom that is nearest of those at which the bounds fit with their margin.
fn fitting_zoom(bounds: &Bounds, width: u32, height: u32) -> Zoom {
    let near = Zoom::steps().iter().rev().filter(|&&z| z <= LARGEST_FIT);
    let fits = |z: &&u32| {
        // a cell's width on all sides, and some pixels where cells are small
        let margin = 2 * (**z).max(4);
        let within = |cells: &num_bigint::BigUint, room: u32| {
            cells * **z <= num_bigint::BigUint::from(room.saturating_sub(margin))
        };
        within(&bounds.width, width) && within(&bounds.height, height)
    };
    if let Some(&z) = near.clone().find(fits) {
        return Zoom::In(z);
    }
    // A box may lie across the border of two pixels at every scale, so that two are needed.
    let room = |pixels: u32| pixels.saturating_sub(4).max(2);
    let least = |cells: u64, pixels: u32| {
        let needed = cells.saturating_sub(u64::from(u32::BITS - room(pixels).leading_zeros()) + 1);
        needed.min(u64::from(Zoom::FARTHEST)).max(1) as u32
    };
    let first = least(bounds.width.bits(), width).max(least(bounds.height.bits(), height));
    let last_x = &bounds.x + BigInt::from(bounds.width.clone()) - 1;
    let last_y = &bounds.y + BigInt::from(bounds.height.clone()) - 1;
    let mut powers = first..Zoom::FARTHEST;
    let found = powers.find(|&power| {
        let zoom = Zoom::Out(power);
        let (left, top) = on_sheet(zoom, &bounds.x, &bounds.y);
        let (right, bottom) = on_sheet(zoom, &last_x, &last_y);
        right - left < room(width).into() && bottom - top < room(height).into()
    });
    Zoom::Out(found.unwrap_or(Zoom::FARTHEST))
}
