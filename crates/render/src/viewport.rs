use crate::Zoom;
use crate::cell_geometry::{CellGeometry, floor};
use engine::View;
use grid::{Point, Rect};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use pattern::Bounds;
use rule::Lattice;

/// The visible part of the sheet.
///
/// At each [`Zoom`] the plane is one large sheet of pixels. At `In(z)` the cell (x, y)
/// covers the pixels from `x * z` and `y * z`, z of them each way; at `Out(k)` pixels are
/// those of [`engine::View`], so that the row of pixels 0 begins at the cell row 1. So it is
/// with squares; where hexagons and triangles lie is said by [`CellGeometry`]. Far out rows of
/// pixels of hexagons are shifted as their cells are, and triangles have two rows of pixels
/// where squares have one.
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
    /// How the cells tile the plane.
    pub lattice: Lattice,
}

/// The sides of a rectangle of pixels: the first ones in it, and the first ones beyond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelBounds {
    /// The leftmost column.
    pub left: BigInt,
    /// The top row.
    pub top: BigInt,
    /// The column after the last.
    pub right: BigInt,
    /// The row after the last.
    pub bottom: BigInt,
}

/// From pixels of a viewport to cells, quicker than [`Viewport::cell_at`].
#[derive(Clone, Copy, Debug)]
pub struct PixelCells {
    geometry: CellGeometry,
    /// The cell from which is counted, and its corner in the viewport.
    anchor: Point,
    corner: (i64, i64),
}

impl PixelCells {
    /// The cell under a pixel of the viewport.
    ///
    /// ```
    /// use grid::Point;
    /// use render::Viewport;
    ///
    /// let cells = Viewport::new(640, 480).pixel_cells().expect("a cell is eight pixels wide");
    /// assert_eq!(cells.at(329, 240), Point::new(1, 0));
    /// ```
    #[must_use]
    pub fn at(&self, px: i64, py: i64) -> Point {
        let (u, v) = (px - self.corner.0, py - self.corner.1);
        let (x, y) = self.geometry.cell_of_pixel(u, v);
        self.anchor.offset(x, y)
    }

    /// The corners of a cell in pixels of the viewport, clockwise.
    ///
    /// ```
    /// use grid::Point;
    /// use render::Viewport;
    ///
    /// let cells = Viewport::new(640, 480).pixel_cells().expect("a cell is eight pixels wide");
    /// assert_eq!(cells.polygon(Point::new(0, 0))[0], (316.0, 236.0));
    /// ```
    #[must_use]
    pub fn polygon(&self, p: Point) -> Vec<(f64, f64)> {
        let from_anchor = Point::new(p.x - self.anchor.x, p.y - self.anchor.y);
        let corners = self.geometry.polygon(from_anchor).into_iter();
        let (left, top) = (self.corner.0 as f64, self.corner.1 as f64);
        corners.map(|(x, y)| (x + left, y + top)).collect()
    }
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
            lattice: Lattice::Square,
        };
        blank.centred_on(&BigInt::ZERO, &BigInt::ZERO)
    }

    /// The cell under a pixel, which is counted from the viewport's top-left one and may lie
    /// outside; where many cells are under it, the top-left one.
    ///
    /// ```
    /// use render::{Viewport, Zoom};
    ///
    /// let view = Viewport { left: 0.into(), top: 0.into(), zoom: Zoom::In(8), ..Viewport::new(64, 64) };
    /// assert_eq!(view.cell_at(17, 7), (2.into(), 0.into()));
    /// assert_eq!(view.cell_at(-1, 0), ((-1).into(), 0.into()));
    /// ```
    #[must_use]
    pub fn cell_at(&self, px: i64, py: i64) -> (BigInt, BigInt) {
        let (x, y) = (&self.left + px, &self.top + py);
        match (self.zoom, self.lattice) {
            (Zoom::In(pixels), lattice) => CellGeometry::new(lattice, pixels).cell_at(&x, &y),
            (Zoom::Out(power), lattice) => {
                let shift = match lattice {
                    Lattice::Hexagonal => &y >> 1,
                    _ => BigInt::ZERO,
                };
                ((x + shift) << power, (y << row_power(lattice, power)) + 1)
            }
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
        let (x, y) = on_sheet(self.lattice, self.zoom, x, y);
        (x - &self.left, y - &self.top)
    }

    /// The places of cells, where one is at least a pixel.
    ///
    /// ```
    /// use render::{Viewport, Zoom};
    ///
    /// let view = Viewport::new(640, 480);
    /// assert_eq!(view.geometry().map(|geometry| geometry.row_pixels()), Some(8));
    /// assert_eq!(view.zoomed(Zoom::Out(1), 0, 0).geometry(), None);
    /// ```
    #[must_use]
    pub fn geometry(&self) -> Option<CellGeometry> {
        match self.zoom {
            Zoom::In(pixels) => Some(CellGeometry::new(self.lattice, pixels)),
            Zoom::Out(_) => None,
        }
    }

    /// Which cell each pixel has, where a cell is at least a pixel and coordinates are not too
    /// large for an `i64`.
    ///
    /// ```
    /// use render::Viewport;
    ///
    /// let cells = Viewport::new(640, 480).pixel_cells().expect("a cell is eight pixels wide");
    /// assert_eq!(cells.at(320, 240), grid::Point::new(0, 0));
    /// ```
    #[must_use]
    pub fn pixel_cells(&self) -> Option<PixelCells> {
        self.cells()?;
        let geometry = self.geometry()?;
        let (x, y) = geometry.anchor(&self.left, &self.top);
        let (left, top) = geometry.corner(&x, &y);
        Some(PixelCells {
            geometry,
            anchor: Point::new(x.to_i64()?, y.to_i64()?),
            corner: ((left - &self.left).to_i64()?, (top - &self.top).to_i64()?),
        })
    }

    /// The same view of another tiling: zoom and the cell in the middle stay.
    ///
    /// ```
    /// use render::Viewport;
    /// use rule::Lattice;
    ///
    /// let view = Viewport::new(640, 480).centred_on(&7.into(), &9.into());
    /// assert_eq!(view.with_lattice(Lattice::Hexagonal).centre(), view.centre());
    /// ```
    #[must_use]
    pub fn with_lattice(&self, lattice: Lattice) -> Self {
        if lattice == self.lattice {
            return self.clone();
        }
        let (x, y) = self.centre();
        let other = Self {
            lattice,
            ..self.clone()
        };
        other.centred_on(&x, &y)
    }

    /// The pixels of the viewport that a rectangle of cells takes with all that reaches out of
    /// its shapes; they may lie outside.
    ///
    /// ```
    /// use grid::Rect;
    /// use render::{Viewport, Zoom};
    /// use rule::Lattice;
    ///
    /// let view = Viewport {
    ///     left: 0.into(),
    ///     top: 0.into(),
    ///     zoom: Zoom::In(12),
    ///     lattice: Lattice::Hexagonal,
    ///     ..Viewport::new(0, 0)
    /// };
    /// let pixels = view.pixel_bounds(&Rect::new(0, 0, 3, 2).into());
    /// assert_eq!((pixels.left, pixels.right), ((-6).into(), 36.into())); // two rows, half a cell apart
    /// ```
    #[must_use]
    pub fn pixel_bounds(&self, bounds: &Bounds) -> PixelBounds {
        let last_x = &bounds.x + BigInt::from(bounds.width.clone()) - 1;
        let last_y = &bounds.y + BigInt::from(bounds.height.clone()) - 1;
        let (first, last) = (
            self.pixel_of(&bounds.x, &bounds.y),
            self.pixel_of(&last_x, &last_y),
        );
        let (mut left, mut right) = (first.0, last.0);
        if self.lattice == Lattice::Hexagonal {
            // Lower rows lie farther to the left.
            left = self.pixel_of(&bounds.x, &last_y).0;
            right = self.pixel_of(&last_x, &bounds.y).0;
        }
        let (wide, high, over) = match self.geometry() {
            Some(cells) => (cells.pixels(), cells.row_pixels(), cells.overhang()),
            None => (1, 1, (0, 0)),
        };
        PixelBounds {
            left: left - over.0,
            top: first.1 - over.1,
            right: right + wide + over.0,
            bottom: last.1 + high + over.1,
        }
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
        let lattice = self.lattice;
        let (x, y, parts): (BigInt, BigInt, (u32, u32)) = match self.zoom {
            Zoom::In(pixels) => {
                let rows = CellGeometry::new(lattice, pixels).row_pixels();
                (x * 2 + 1, y * 2 + 1, (pixels * 2, rows * 2))
            }
            Zoom::Out(power) => {
                let middle = |c: BigInt, power: u32| (c * 2 + 1) << power >> 1;
                let down = row_power(lattice, power);
                (middle(x, power), middle(y, down) + 1, (1, 1))
            }
        };
        let (x, y) = match zoom {
            Zoom::In(pixels) => {
                let rows = CellGeometry::new(lattice, pixels).row_pixels();
                (floor(x * pixels, parts.0), floor(y * rows, parts.1))
            }
            Zoom::Out(power) => (
                floor(x, parts.0) >> power,
                (floor(y, parts.1) - 1) >> row_power(lattice, power),
            ),
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
        let (x, y) = on_sheet(self.lattice, self.zoom, x, y);
        let half = match self.geometry() {
            Some(cells) => (
                i64::from(cells.pixels() / 2),
                i64::from(cells.row_pixels() / 2),
            ),
            None => (0, 0),
        };
        Self {
            left: x + (half.0 - i64::from(self.width / 2)),
            top: y + (half.1 - i64::from(self.height / 2)),
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
        Self::fitting_on(Lattice::Square, bounds, width, height)
    }

    /// The same for cells that tile the plane in another way.
    ///
    /// ```
    /// use grid::Rect;
    /// use render::{Viewport, Zoom};
    /// use rule::Lattice;
    ///
    /// let bounds = Rect::new(0, 0, 30, 30).into();
    /// assert_eq!(Viewport::fitting(&bounds, 640, 480).zoom, Zoom::In(14));
    /// // rows of triangles are far apart
    /// let triangles = Viewport::fitting_on(Lattice::Triangular, &bounds, 640, 480);
    /// assert_eq!(triangles.zoom, Zoom::In(8));
    /// ```
    #[must_use]
    pub fn fitting_on(lattice: Lattice, bounds: &Bounds, width: u32, height: u32) -> Self {
        let at = |zoom: Zoom| Self {
            left: BigInt::ZERO,
            top: BigInt::ZERO,
            zoom,
            width,
            height,
            lattice,
        };
        let zoom = match lattice {
            Lattice::Square => fitting_zoom(bounds, width, height),
            _ => shaped_fitting_zoom(bounds, at, fitting_zoom(bounds, width, height)),
        };
        let sheet = at(zoom);
        // Pixels from the first one of the bounds to the last one, both on the sheet.
        let pixels = sheet.pixel_bounds(bounds);
        let start = |from: BigInt, to: BigInt, room: u32| {
            let spare = BigInt::from(room) - (to - &from);
            from - (spare >> 1)
        };
        Self {
            left: start(pixels.left, pixels.right, width),
            top: start(pixels.top, pixels.bottom, height),
            ..sheet
        }
    }

    /// The bounds with a cell around them, or four pixels where that is more. `None` where they have
    /// more pixels than can be counted.
    ///
    /// ```
    /// use render::{Viewport, Zoom};
    /// use rule::Lattice;
    ///
    /// let bounds = grid::Rect::new(-3, 0, 10, 5).into();
    /// let around = Viewport::around(Lattice::Square, &bounds, Zoom::In(8)).expect("a few pixels");
    /// assert_eq!((around.width, around.height), (96, 56));
    /// assert_eq!(around.cell_at(8, 8), ((-3).into(), 0.into()));
    /// ```
    #[must_use]
    pub fn around(lattice: Lattice, bounds: &Bounds, zoom: Zoom) -> Option<Self> {
        let margin = match zoom {
            Zoom::In(pixels) => pixels.max(4),
            Zoom::Out(_) => 4,
        };
        let blank = Self {
            left: BigInt::ZERO,
            top: BigInt::ZERO,
            zoom,
            width: 0,
            height: 0,
            lattice,
        };
        let pixels = blank.pixel_bounds(bounds);
        let width: BigInt = pixels.right - &pixels.left + 2 * margin;
        let height: BigInt = pixels.bottom - &pixels.top + 2 * margin;
        Some(Self {
            left: pixels.left - margin,
            top: pixels.top - margin,
            width: width.to_u32()?,
            height: height.to_u32()?,
            ..blank
        })
    }

    /// The same cells at another zoom, in a larger or a smaller picture.
    ///
    /// ```
    /// use render::{Viewport, Zoom};
    ///
    /// let view = Viewport { zoom: Zoom::In(4), ..Viewport::new(80, 44) };
    /// let large = view.magnified(Zoom::In(16));
    /// assert_eq!((large.width, large.height), (320, 176));
    /// assert_eq!(large.centre(), view.centre());
    /// ```
    #[must_use]
    pub fn magnified(&self, zoom: Zoom) -> Self {
        let pixels = |zoom: Zoom| match zoom {
            Zoom::In(pixels) => f64::from(pixels),
            Zoom::Out(power) => (-f64::from(power)).exp2(),
        };
        let factor = pixels(zoom) / pixels(self.zoom);
        let side = |pixels: u32| (f64::from(pixels) * factor).round().clamp(1.0, 1e9) as u32;
        let (x, y) = self.centre();
        let view = Self {
            zoom,
            width: side(self.width),
            height: side(self.height),
            ..self.clone()
        };
        view.centred_on(&x, &y)
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
            lattice: self.lattice,
        }
    }

    /// At `In` the cells that are seen, also partly; at `Out`, and so far out that their
    /// coordinates might not fit, none.
    ///
    /// ```
    /// use grid::Rect;
    /// use render::{Viewport, Zoom};
    ///
    /// let view = Viewport { left: 4.into(), top: 0.into(), zoom: Zoom::In(8), ..Viewport::new(16, 8) };
    /// assert_eq!(view.cells(), Some(Rect::new(0, 0, 3, 1))); // two of them in part
    /// assert_eq!(view.zoomed(Zoom::Out(1), 0, 0).cells(), None);
    /// ```
    #[must_use]
    pub fn cells(&self) -> Option<Rect> {
        let (columns, rows) = self.cell_ranges(self.geometry()?);
        let side = |(first, end): (BigInt, BigInt)| {
            let (first, end) = (first.to_i64()?, end.to_i64()?);
            (first >= -REACH && end <= REACH).then(|| (first, end.abs_diff(first)))
        };
        let (x, width) = side(columns)?;
        let (y, height) = side(rows)?;
        Some(Rect::new(x, y, width, height))
    }

    /// The columns and rows of cells that are seen, also partly: the first ones, and the first
    /// ones beyond. A rectangle of hexagons is as wide as it must be for all rows.
    fn cell_ranges(&self, cells: CellGeometry) -> ((BigInt, BigInt), (BigInt, BigInt)) {
        let (wide, high) = (cells.pixels(), cells.row_pixels());
        let side = |first: BigInt, end: BigInt, size: u32, more: u32| {
            (floor(first, size) - more, -floor(-end, size) + more)
        };
        let more = u32::from(cells.is_shaped());
        let (left, top) = (&self.left, &self.top);
        let (right, bottom) = (left + self.width, top + self.height);
        match self.lattice {
            Lattice::Square => (
                side(left.clone(), right, wide, 0),
                side(top.clone(), bottom, high, 0),
            ),
            Lattice::Triangular => (
                side(left.clone(), right, wide, more),
                side(top.clone(), bottom, high, 0),
            ),
            Lattice::Hexagonal => {
                let rows = side(top.clone(), bottom, high, more);
                let (first, end) = (left * 2 + &rows.0 * wide, right * 2 + &rows.1 * wide);
                (side(first, end, 2 * wide, more), rows)
            }
        }
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
            Zoom::Out(scale) => {
                let (mut column, mut width) = (self.left.clone(), self.width);
                match self.lattice {
                    Lattice::Square => {}
                    Lattice::Hexagonal => {
                        let first: BigInt = &self.top >> 1;
                        let last: BigInt = (&self.top + self.height) >> 1;
                        let more = (last - &first).to_u32();
                        width += more.expect("half of the rows of pixels");
                        column += first;
                    }
                    Lattice::Triangular => {
                        column *= 2;
                        width *= 2;
                    }
                }
                View {
                    column,
                    row: self.top.clone(),
                    width,
                    height: self.height,
                    scale: row_power(self.lattice, scale),
                }
            }
            Zoom::In(pixels) => {
                let side = |(first, end): (BigInt, BigInt)| {
                    let cells = (end - &first).to_u32();
                    (first, cells.expect("no more cells than pixels, and a few"))
                };
                let cells = CellGeometry::new(self.lattice, pixels);
                let (columns, rows) = self.cell_ranges(cells);
                let ((column, width), (row, height)) = (side(columns), side(rows));
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

/// A row of pixels at `Out` is 2 to this power rows of cells.
pub(crate) fn row_power(lattice: Lattice, power: u32) -> u32 {
    match lattice {
        Lattice::Square | Lattice::Hexagonal => power,
        Lattice::Triangular => power.saturating_sub(1),
    }
}

/// The top-left pixel of a cell on the whole sheet.
fn on_sheet(lattice: Lattice, zoom: Zoom, x: &BigInt, y: &BigInt) -> (BigInt, BigInt) {
    match zoom {
        Zoom::In(pixels) => CellGeometry::new(lattice, pixels).corner(x, y),
        Zoom::Out(power) => {
            let (column, row): (BigInt, BigInt) =
                (x >> power, (y - 1_u32) >> row_power(lattice, power));
            match lattice {
                Lattice::Hexagonal => (column - (&row >> 1), row),
                _ => (column, row),
            }
        }
    }
}

/// The zoom that is nearest of those at which the bounds fit, where cells are not square;
/// `square` is the one at which they would fit as squares.
fn shaped_fitting_zoom(bounds: &Bounds, at: impl Fn(Zoom) -> Viewport, square: Zoom) -> Zoom {
    let fits = |&zoom: &Zoom| {
        let view = at(zoom);
        let pixels = view.pixel_bounds(bounds);
        let margin = match zoom {
            Zoom::In(z) => 2 * z.max(4),
            Zoom::Out(_) => 4,
        };
        let within =
            |length: BigInt, room: u32| length <= room.saturating_sub(margin).max(2).into();
        within(pixels.right - pixels.left, view.width)
            && within(pixels.bottom - pixels.top, view.height)
    };
    let near = Zoom::steps().iter().rev().filter(|&&z| z <= LARGEST_FIT);
    let mut near = near.map(|&z| Zoom::In(z));
    let first = match square {
        Zoom::In(_) => 1,
        Zoom::Out(power) => power,
    };
    let mut far = (first..Zoom::FARTHEST).map(Zoom::Out);
    let found = near.find(fits).or_else(|| far.find(fits));
    found.unwrap_or(Zoom::Out(Zoom::FARTHEST))
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
        let (left, top) = on_sheet(Lattice::Square, zoom, &bounds.x, &bounds.y);
        let (right, bottom) = on_sheet(Lattice::Square, zoom, &last_x, &last_y);
        right - left < room(width).into() && bottom - top < room(height).into()
    });
    Zoom::Out(found.unwrap_or(Zoom::FARTHEST))
}
