//! Rulers: the coordinates that stand along the edges of a view.
//!
//! Own method.

use crate::viewport::Viewport;
use num_bigint::BigInt;
use num_traits::{Euclid as _, One as _, ToPrimitive as _};

/// A labelled place of a ruler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulerMark {
    /// The middle of the cell, in pixels from the view's left or upper edge.
    pub pixel: i64,
    /// The cell's coordinate in full.
    pub label: String,
}

/// The rulers along the upper and the left edge of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetRulers {
    /// The x coordinates of cells in the topmost row.
    pub columns: Vec<RulerMark>,
    /// The y coordinates of cells in the leftmost column.
    pub rows: Vec<RulerMark>,
}

impl Viewport {
    /// The rulers of this view, where a character of a label is so many pixels wide and high.
    /// Marks are multiples of 1, 2 or 5 times a power of ten, the closest that leave a
    /// character free between labels.
    ///
    /// ```
    /// use render::{Viewport, Zoom};
    ///
    /// let view = Viewport { left: 0.into(), top: 0.into(), zoom: Zoom::In(8), ..Viewport::new(200, 64) };
    /// let rulers = view.rulers((7, 14));
    /// let columns: Vec<(i64, &str)> = rulers.columns.iter().map(|mark| (mark.pixel, mark.label.as_str())).collect();
    /// assert_eq!(columns, [(3, "0"), (43, "5"), (83, "10"), (123, "15"), (163, "20")]);
    /// ```
    #[must_use]
    pub fn rulers(&self, character: (u32, u32)) -> SheetRulers {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        let (left, top) = self.cell_at(0, 0);
        let (right, bottom) = (self.cell_at(width - 1, 0).0, self.cell_at(0, height - 1).1);
        let longest = left.to_string().len().max(right.to_string().len());
        // Three digits and the blank that parts them, and a character around each label.
        let characters = (longest + longest / 3 + 1).max(3) as u32;
        let middle = |range: (i64, i64)| range.0 + (range.1 - range.0 - 1).max(0) / 2;
        let column = |x: &BigInt| {
            let pixel = |x: &BigInt| self.pixel_of(x, &top).0.to_i64();
            Some(middle((pixel(x)?, pixel(&(x + 1))?)))
        };
        let row = |y: &BigInt| {
            let pixel = |y: &BigInt| self.pixel_of(&left, y).1.to_i64();
            Some(middle((pixel(y)?, pixel(&(y + 1))?)))
        };
        let (across, down) = self.cells_in_pixels((character.0 * characters, character.1 * 2));
        SheetRulers {
            columns: marks(&left, &right, &round_up(&across), width, column),
            rows: marks(&top, &bottom, &round_up(&down), height, row),
        }
    }

    /// The least numbers of cells that take at least so many pixels across and down.
    fn cells_in_pixels(&self, pixels: (u32, u32)) -> (BigInt, BigInt) {
        match self.geometry() {
            Some(cells) => (
                pixels.0.div_ceil(cells.pixels()).into(),
                pixels.1.div_ceil(cells.row_pixels()).into(),
            ),
            None => {
                let (from, to) = (self.cell_at(0, 0), self.cell_at(pixels.0.into(), 0));
                let below = self.cell_at(0, pixels.1.into());
                (to.0 - from.0, below.1 - from.1)
            }
        }
    }
}

/// The marks at multiples of a step from the first cell to the last.
fn marks(
    first: &BigInt,
    last: &BigInt,
    step: &BigInt,
    length: i64,
    pixel: impl Fn(&BigInt) -> Option<i64>,
) -> Vec<RulerMark> {
    let mut marks = Vec::new();
    let mut cell = first + (-first).rem_euclid(step);
    while cell <= *last {
        if let Some(pixel) = pixel(&cell).filter(|pixel| (0..length).contains(pixel)) {
            let label = cell.to_string();
            marks.push(RulerMark { pixel, label });
        }
        cell += step;
    }
    marks
}

/// The least of 1, 2 and 5 times a power of ten that is `least` or more.
fn round_up(least: &BigInt) -> BigInt {
    let mut power = BigInt::one();
    loop {
        for factor in [1, 2, 5] {
            let step = &power * factor;
            if step >= *least {
                return step;
            }
        }
        power *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rule::Lattice;

    /// Each mark stands over its cell, labels have room, and none is left out in between.
    fn check(view: &Viewport, character: (u32, u32)) {
        let rulers = view.rulers(character);
        let widest = rulers.columns.iter().map(|mark| mark.label.len()).max();
        // From far off a mark stands over the pixel that has its cell.
        for mark in &rulers.columns {
            let cell: BigInt = mark.label.parse().unwrap();
            let (from, to) = (
                view.cell_at(mark.pixel, 0).0,
                view.cell_at(mark.pixel + 1, 0).0,
            );
            let is_over = from == cell || from < cell && cell < to;
            assert!(is_over, "{mark:?} {from} {to} {view:?}");
        }
        for mark in &rulers.rows {
            let cell: BigInt = mark.label.parse().unwrap();
            let (from, to) = (
                view.cell_at(0, mark.pixel).1,
                view.cell_at(0, mark.pixel + 1).1,
            );
            let is_beside = from == cell || from < cell && cell < to;
            assert!(is_beside, "{mark:?} {from} {to} {view:?}");
        }
        for (marks, least) in [
            (
                &rulers.columns,
                i64::from(character.0) * widest.unwrap_or(0) as i64,
            ),
            (&rulers.rows, i64::from(character.1)),
        ] {
            let gaps: Vec<i64> = marks.windows(2).map(|m| m[1].pixel - m[0].pixel).collect();
            assert!(
                gaps.iter().all(|gap| *gap > least),
                "{gaps:?} {least} {view:?}"
            );
            let (shortest, longest) = (gaps.iter().min(), gaps.iter().max());
            if let (Some(shortest), Some(longest)) = (shortest, longest) {
                assert!(longest - shortest <= 1, "{gaps:?} {view:?}");
            }
        }
    }

    #[test]
    fn marks_stand_over_their_cells_and_leave_room() {
        let zooms = [
            "1", "2", "3", "8", "20", "64", "1:2", "1:64", "1:2^40", "1:2^90",
        ];
        let far: BigInt = BigInt::from(1) << 200;
        for lattice in [Lattice::Square, Lattice::Hexagonal, Lattice::Triangular] {
            for zoom in zooms {
                for middle in [BigInt::from(0), BigInt::from(-12_345), far.clone()] {
                    let mut view = Viewport::new(900, 700).with_lattice(lattice);
                    view.zoom = zoom.parse().unwrap();
                    let view = view.centred_on(&middle, &-middle.clone());
                    for character in [(7, 14), (1, 2)] {
                        check(&view, character);
                    }
                }
            }
        }
    }

    #[test]
    fn every_cell_has_its_mark_where_there_is_room() {
        let view = Viewport {
            left: (-64).into(),
            top: 0.into(),
            zoom: "64".parse().unwrap(),
            ..Viewport::new(192, 192)
        };
        let rulers = view.rulers((7, 14));
        let labels = |marks: &[RulerMark]| {
            marks
                .iter()
                .map(|mark| mark.label.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(labels(&rulers.columns), ["-1", "0", "1"]);
        assert_eq!(labels(&rulers.rows), ["0", "1", "2"]);
        assert_eq!(rulers.columns[1].pixel, 95);
    }
}
