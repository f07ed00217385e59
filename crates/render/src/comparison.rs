//! Two worlds laid over each other: which of the visible cells both have, and which one alone.
//! Own method.

use crate::{Content, Frame, Rgb, States, Theme};
use std::borrow::Cow;

/// The mark of a cell that lives in both worlds.
const BOTH: u8 = 128;
/// The mark of a cell that lives in the first world alone.
const FIRST: u8 = 129;
/// The mark of a cell that lives in the second world alone.
const SECOND: u8 = 130;

/// What two frames of the same place have in common.
///
/// Where cells are seen, cells are compared; from far off, pixels: one counts as live where any
/// of its cells is.
///
/// ```
/// use engine::World;
/// use render::{Frame, FrameComparison, Viewport};
///
/// let row = |xs: std::ops::Range<i64>| {
///     let mut world = engine::Tiles::new("B3/S23".parse().unwrap()).unwrap();
///     for x in xs {
///         world.set(grid::Point::new(x, 0), 1).unwrap();
///     }
///     Frame::of(&world, &Viewport::new(64, 48))
/// };
/// let comparison = FrameComparison::of(&row(-2..1), &row(0..1)).expect("they show the same place");
/// assert_eq!((comparison.both, comparison.first, comparison.second), (1, 2, 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameComparison {
    /// A byte for each visible cell, or for each pixel, row by row: 0 where both are empty, 128
    /// where both live, 129 where the first does alone and 130 where the second does.
    pub marks: Vec<u8>,
    /// How many are live in both.
    pub both: u64,
    /// How many are live in the first alone.
    pub first: u64,
    /// How many are live in the second alone.
    pub second: u64,
    /// Whether cells were compared, and not pixels.
    pub is_of_cells: bool,
}

impl FrameComparison {
    /// Compares two frames; nothing where they show different places.
    ///
    /// ```
    /// use render::{Frame, FrameComparison, Viewport};
    ///
    /// let world = engine::Tiles::new("B3/S23".parse()?)?;
    /// let frame = |x| Frame::of(&world, &Viewport::new(64, 48).panned(x, 0));
    /// assert!(FrameComparison::of(&frame(0), &frame(0)).is_some());
    /// assert!(FrameComparison::of(&frame(0), &frame(9)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(first: &Frame, second: &Frame) -> Option<Self> {
        if first.viewport != second.viewport {
            return None;
        }
        let (width, height, is_of_cells) = match &first.content {
            Content::Cells { rect, .. } => (rect.width as usize, rect.height as usize, true),
            Content::Density { .. } => {
                let view = &first.viewport;
                (view.width as usize, view.height as usize, false)
            }
        };
        let mut marks = vec![0; width * height];
        let mut counts = [0_u64; 3];
        let stride = width.div_ceil(8).max(1);
        let (one, other) = (live(&first.content, width), live(&second.content, width));
        let rows = one.chunks(stride).zip(other.chunks(stride));
        for (row, (one, other)) in marks.chunks_mut(width.max(1)).zip(rows) {
            for ((eight, &one), &other) in row.chunks_mut(8).zip(one).zip(other) {
                // what lies behind the row's end is no cell
                let cells = 0xff_u8 << (8 - eight.len());
                let (one, other) = (one & cells, other & cells);
                if one | other == 0 {
                    continue;
                }
                for (bit, mark) in eight.iter_mut().enumerate() {
                    let (one, other) = (one << bit >> 7, other << bit >> 7);
                    *mark = [0, FIRST, SECOND, BOTH][usize::from(one | other << 1)];
                }
                let parts = [one & other, one & !other, other & !one];
                for (count, part) in counts.iter_mut().zip(parts) {
                    *count += u64::from(part.count_ones());
                }
            }
        }
        Some(Self {
            marks,
            both: counts[0],
            first: counts[1],
            second: counts[2],
            is_of_cells,
        })
    }

    /// The colours of the marks from 128 on: of both, of the first, of the second.
    ///
    /// ```
    /// use render::{FrameComparison, Theme};
    ///
    /// let [both, first, second] = FrameComparison::colours(&Theme::PAPER);
    /// assert!(both != first && first != second && second != both);
    /// ```
    #[must_use]
    pub fn colours(theme: &Theme) -> [Rgb; 3] {
        [theme.ink, theme.blue, theme.red]
    }
}

/// Which cells or pixels live: a bit each, rows padded to whole bytes.
fn live(content: &Content, width: usize) -> Cow<'_, [u8]> {
    let values = match content {
        Content::Cells {
            states: States::Bits(bits),
            ..
        } => return Cow::Borrowed(bits),
        Content::Cells {
            states: States::Bytes(values),
            ..
        } => values,
        Content::Density { levels } => levels,
    };
    let eight = |values: &[u8]| {
        let bits = values.iter().enumerate();
        bits.fold(0, |byte, (at, &value)| {
            byte | u8::from(value > 0) << (7 - at)
        })
    };
    let rows = values.chunks(width.max(1));
    rows.flat_map(|row| row.chunks(8).map(eight)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Viewport, Zoom};
    use engine::{EngineChoice, Options, World};

    fn world(rule: &str, cells: &str) -> Box<dyn World> {
        let pattern = pattern::read(cells.as_bytes()).unwrap().0;
        let rule = rule.parse().unwrap();
        engine::open(
            EngineChoice::Auto,
            &rule,
            &pattern,
            None,
            &Options::default(),
        )
        .unwrap()
        .world
    }

    /// Cells of two and of more states, held against a look at each cell.
    #[test]
    fn marks_are_what_each_cell_says() {
        let one = world("B3/S23", "x = 9, y = 3\nbo5bo$2bobobo$3o3b2o!");
        let other = world("/2/3", "x = 9, y = 3, rule = /2/3\nA.B2.A2.B$A7.B$.ABA!");
        for pixels in [8, 3, 1] {
            let viewport = Viewport::new(203, 81).zoomed(Zoom::In(pixels), 101, 40);
            let frames = [one.as_ref(), other.as_ref()].map(|world| Frame::of(world, &viewport));
            let comparison = FrameComparison::of(&frames[0], &frames[1]).unwrap();
            let rect = viewport.cells().unwrap();
            let mut counts = [0; 3];
            for y in 0..rect.height as usize {
                for x in 0..rect.width as usize {
                    let (column, row) = (rect.x + x as i64, rect.y + y as i64);
                    let point = grid::Point::new(column, row);
                    let mark = match (one.get(point) > 0, other.get(point) > 0) {
                        (false, false) => 0,
                        (true, true) => BOTH,
                        (true, false) => FIRST,
                        (false, true) => SECOND,
                    };
                    if mark > 0 {
                        counts[usize::from(mark - BOTH)] += 1;
                    }
                    assert_eq!(
                        comparison.marks[y * rect.width as usize + x],
                        mark,
                        "{point:?}"
                    );
                }
            }
            assert!(comparison.is_of_cells && counts.iter().all(|&count| count > 0));
            assert_eq!(
                counts,
                [comparison.both, comparison.first, comparison.second]
            );
        }
    }

    #[test]
    fn from_far_off_pixels_are_compared() {
        let viewport = Viewport::new(64, 48).zoomed(Zoom::Out(3), 32, 24);
        let glider = world("B3/S23", "x = 3, y = 3\nbo$2bo$3o!");
        let more = world("B3/S23", "x = 40, y = 3\nbo37bo$2bo$3o!");
        let frames = [&glider, &more].map(|world| Frame::of(world.as_ref(), &viewport));
        let comparison = FrameComparison::of(&frames[0], &frames[1]).unwrap();
        assert!(!comparison.is_of_cells);
        assert_eq!(comparison.marks.len(), 64 * 48);
        assert!(comparison.both > 0 && comparison.second == 1 && comparison.first == 0);
    }

    #[test]
    fn the_colours_are_told_apart_and_seen_in_each_theme() {
        for theme in Theme::ALL {
            let colours = FrameComparison::colours(&theme);
            for colour in colours {
                assert!(
                    colour.contrast(theme.sheet) >= 3.0,
                    "{}: {colour}",
                    theme.name
                );
            }
        }
    }
}
