//! What an exported picture shows, and how large its cells are. Own method.

use num_bigint::{BigInt, BigUint};
use pattern::Bounds;
use render::{Viewport, Zoom};

/// Cells of a whole pattern are at most so large where no size is wanted.
const LARGEST_CELL: u32 = 16;

/// What an exported picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureExtent {
    /// The whole pattern, and not the part in view.
    pub is_whole: bool,
    /// Another size of the cells than in the view.
    pub zoom: Option<Zoom>,
}

impl PictureExtent {
    /// The picture's viewport, at most so many pixels wide and high: where it would be larger, cells
    /// of the whole pattern are smaller, and of a view its middle is shown.
    ///
    /// ```
    /// use grid::Rect;
    /// use render::{Viewport, Zoom};
    /// use session::PictureExtent;
    ///
    /// let extent = PictureExtent { is_whole: true, zoom: Some(Zoom::In(8)) };
    /// let (view, bounds) = (Viewport::new(640, 480), Rect::new(5, 5, 10, 3).into());
    /// let picture = extent.viewport(&view, Some(&bounds), (1000, 1000));
    /// assert_eq!((picture.width, picture.height), (12 * 8, 5 * 8), "with a cell around it");
    /// ```
    #[must_use]
    pub fn viewport(&self, view: &Viewport, bounds: Option<&Bounds>, most: (u32, u32)) -> Viewport {
        let Some(bounds) = bounds.filter(|_| self.is_whole) else {
            let view = self
                .zoom
                .map_or_else(|| view.clone(), |zoom| view.magnified(zoom));
            return view.resized(view.width.min(most.0), view.height.min(most.1));
        };
        let fitting = Viewport::fitting_on(view.lattice, bounds, most.0, most.1).zoom;
        let default = match fitting {
            Zoom::In(pixels) => Zoom::In(pixels.min(LARGEST_CELL)),
            fitting => fitting,
        };
        let fits = |viewport: &Viewport| viewport.width <= most.0 && viewport.height <= most.1;
        [self.zoom.unwrap_or(default), fitting]
            .into_iter()
            .filter_map(|zoom| Viewport::around(view.lattice, bounds, zoom))
            .find(fits)
            .unwrap_or_else(|| Viewport::fitting_on(view.lattice, bounds, most.0, most.1))
    }
}

/// The bounds of both.
///
/// ```
/// use grid::Rect;
///
/// let (left, right) = (Rect::new(0, 0, 2, 2).into(), Rect::new(5, -1, 2, 1).into());
/// assert_eq!(session::bounds_of_both(&left, &right), Rect::new(0, -1, 7, 3).into());
/// ```
#[must_use]
pub fn bounds_of_both(one: &Bounds, other: &Bounds) -> Bounds {
    let side = |one: (&BigInt, &BigUint), other: (&BigInt, &BigUint)| {
        let end = |(start, length): (&BigInt, &BigUint)| start + BigInt::from(length.clone());
        let start = one.0.min(other.0).clone();
        let length = end(one).max(end(other)) - &start;
        (start, length.magnitude().clone())
    };
    let (x, width) = side((&one.x, &one.width), (&other.x, &other.width));
    let (y, height) = side((&one.y, &one.height), (&other.y, &other.height));
    Bounds {
        x,
        y,
        width,
        height,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::Rect;

    #[test]
    fn pictures_keep_to_their_bound() {
        let view = Viewport {
            zoom: Zoom::In(8),
            ..Viewport::new(640, 480)
        };
        let view = view.centred_on(&40.into(), &30.into());
        for (is_whole, zoom, bounds, most, size) in [
            // the view as it is, larger, smaller, and cut
            (false, None, (0, 0, 9, 9), (4096, 4096), (640, 480)),
            (false, Some("16"), (0, 0, 9, 9), (4096, 4096), (1280, 960)),
            (false, Some("1:2"), (0, 0, 9, 9), (4096, 4096), (40, 30)),
            (false, Some("16"), (0, 0, 9, 9), (1000, 960), (1000, 960)),
            // the whole pattern with a cell around it
            (true, Some("4"), (-9, 3, 10, 20), (4096, 4096), (48, 88)),
            (true, None, (-9, 3, 10, 20), (4096, 4096), (192, 352)),
            // too large for the size that is wanted: smaller cells
            (
                true,
                Some("20"),
                (0, 0, 100, 10),
                (1000, 1000),
                (1000, 1000),
            ),
        ] {
            let extent = PictureExtent {
                is_whole,
                zoom: zoom.map(|zoom| zoom.parse().unwrap()),
            };
            let bounds = Rect::new(bounds.0, bounds.1, bounds.2, bounds.3).into();
            let found = extent.viewport(&view, Some(&bounds), most);
            assert!(found.width <= most.0 && found.height <= most.1);
            if zoom != Some("20") {
                assert_eq!((found.width, found.height), size, "{extent:?}");
            } else {
                assert!(found.width > 500, "{found:?}");
            }
            // the whole pattern is in the picture
            let pixels = found.pixel_bounds(&bounds);
            let is_in = pixels.left >= BigInt::ZERO && pixels.right <= found.width.into();
            assert!(is_in || !is_whole, "{extent:?}");
        }
    }
}
