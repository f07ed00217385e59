//! The density of live cells under a pixel, as one byte. (Own method.)

use crate::{Viewport, Zoom};
use engine::World;
use rule::Lattice;

/// The level of a pixel of 2^`scale` x 2^`scale` cells of which `live` live: 0 for none, else
/// 1 to 255.
///
/// The fourth root of the live share: at every scale a full pixel is 255, a soup is distinct
/// from a full area, and a glider at 16 times the scale is half as dark.
///
/// ```
/// use render::density_level;
///
/// assert_eq!(density_level(0.0, 3), 0);
/// assert_eq!(density_level(64.0, 3), 255); // 8 x 8 cells, all live
/// assert_eq!(density_level(4.0, 3), 128); // a sixteenth of them
/// ```
#[must_use]
pub fn density_level(live: f64, scale: u32) -> u8 {
    if live <= 0.0 {
        return 0;
    }
    let part = live.log2() - 2.0 * f64::from(scale);
    (255.0 * (part / 4.0).exp2()).round().clamp(1.0, 255.0) as u8
}

/// The level of each pixel of the viewport.
pub(crate) fn levels(world: &dyn World, viewport: &Viewport) -> Vec<u8> {
    let (width, height) = (viewport.width as usize, viewport.height as usize);
    let mut levels = vec![0; width * height];
    let view = viewport.density_view();
    match viewport.zoom {
        Zoom::Out(scale) if viewport.lattice == Lattice::Hexagonal => {
            // Rows of pixels are shifted as those of cells are, the first one not at all.
            let is_odd = usize::from(viewport.top.bit(0));
            world.density(&view, &mut |column, row, live| {
                let shift = (row as usize + is_odd) / 2;
                if let Some(column) = (column as usize).checked_sub(shift).filter(|&c| c < width) {
                    levels[row as usize * width + column] = density_level(live, scale);
                }
            });
        }
        Zoom::Out(scale) if viewport.lattice == Lattice::Triangular => {
            // Two pixels of the query lie beside each other in one of the picture.
            let mut sums = vec![0.0; width * height];
            world.density(&view, &mut |column, row, live| {
                sums[row as usize * width + column as usize / 2] += live;
            });
            for (level, live) in levels.iter_mut().zip(sums) {
                *level = density_level(live * 2.0, scale);
            }
        }
        // Row by row where single floats are exact: several times as quick.
        Zoom::Out(scale) if scale <= NEAR => {
            let full = 4_f32.powi(scale as i32);
            world.density_rows(&view, &mut |row, live| {
                let row = &mut levels[row as usize * width..][..width];
                for (to, &live) in row.iter_mut().zip(live) {
                    *to = level_of_few(live, full);
                }
            });
        }
        Zoom::Out(scale) => {
            let table = DensityLevelTable::new(scale);
            world.density(&view, &mut |column, row, live| {
                levels[row as usize * width + column as usize] = table.level(live);
            });
        }
        Zoom::In(pixels) => world.density(&view, &mut |column, row, live| {
            if live > 0.0 {
                let first = (&view.column + column, &view.row + row + 1);
                fill_cell(&mut levels, viewport, pixels, &first.0, &first.1);
            }
        }),
    }
    levels
}

/// A live cell, where its coordinates may not fit an `i64`.
fn fill_cell(
    levels: &mut [u8],
    viewport: &Viewport,
    pixels: u32,
    x: &num_bigint::BigInt,
    y: &num_bigint::BigInt,
) {
    use num_traits::ToPrimitive;
    let (left, top) = viewport.pixel_of(x, y);
    let seen = "a cell that is seen begins less than its width outside";
    let (left, top) = (left.to_i64().expect(seen), top.to_i64().expect(seen));
    let within = |start: i64, side: u32, length: u32| {
        let end = (start + i64::from(side)).clamp(0, i64::from(length));
        start.clamp(0, end) as usize..end as usize
    };
    let rows = viewport
        .geometry()
        .map_or(pixels, |cells| cells.row_pixels());
    let columns = within(left, pixels, viewport.width);
    for row in within(top, rows, viewport.height) {
        let row = &mut levels[row * viewport.width as usize..][..viewport.width as usize];
        row[columns.clone()].fill(255);
    }
}

/// The greatest scale at which single floats count exactly. At 16 too a lone cell would not
/// be too little for [`level_of_few`].
const NEAR: u32 = 12;

/// The level of a pixel of `full` cells at most, up to [`NEAR`]: nothing but arithmetic, so
/// that many are found at once.
#[inline]
fn level_of_few(live: f32, full: f32) -> u8 {
    /// A float without fractional bits: adding it rounds.
    const WHOLE: f32 = (1 << 23) as f32;
    let root = (live / full).sqrt().sqrt();
    (root * 255.0 + WHOLE).to_bits() as u8
}

/// A table of levels by the leading bits of the floating-point count: a root for each pixel
/// would take longer than counting its cells.
struct DensityLevelTable {
    /// The first count's exponent and leading digits.
    first: u64,
    levels: Vec<u8>,
}

/// Binary digits after the point that are looked at.
const DIGITS: u32 = 6;
/// Powers of two below what is full at which the level is still above 1.
const POWERS: u32 = 33;

impl DensityLevelTable {
    fn new(scale: u32) -> Self {
        // Counts go up to 4^scale; what is POWERS below that has the lowest level.
        let full = 2 * i64::from(scale);
        let least = (full - i64::from(POWERS)).clamp(0, 1023);
        let most = full.min(1023);
        let first = (1023 + least as u64) << DIGITS;
        let entries = (((most - least) as u64) << DIGITS) + (1 << DIGITS);
        let levels = (0..entries).map(|i| {
            let live = f64::from_bits((first + i) << (52 - DIGITS));
            density_level(live, scale)
        });
        Self {
            first,
            levels: levels.collect(),
        }
    }

    fn level(&self, live: f64) -> u8 {
        if live <= 0.0 {
            return 0;
        }
        let index = (live.to_bits() >> (52 - DIGITS)).saturating_sub(self.first);
        let last = self.levels.len() - 1;
        self.levels[(index as usize).min(last)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_with_what_lives() {
        for scale in [1, 2, 3, 8, 31] {
            let full = 4_f64.powi(scale as i32);
            assert_eq!(density_level(0.0, scale), 0);
            assert_eq!(density_level(full, scale), 255);
            assert_eq!(density_level(full / 16.0, scale), 128);
            let mut last = 1;
            for part in 1..=64 {
                let here = density_level(full * f64::from(part) / 64.0, scale);
                assert!(here >= last, "{part} of 64 at {scale}");
                last = here;
            }
        }
        assert_eq!(density_level(1.0, 1), 180);
        assert_eq!(density_level(1.0, 100), 1);
        assert_eq!(density_level(f64::MAX, 511), 255);
        assert_eq!(density_level(1.0, 100_000), 1);
    }

    #[test]
    fn the_table_is_nearly_exact() {
        for scale in [1, 2, 3, 5, 16, 17, 18, 40, 511, 512, 513, 100_000] {
            let table = DensityLevelTable::new(scale);
            assert_eq!(table.level(0.0), 0);
            assert_eq!(level_of_few(0.0, 16.0), 0);
            for power in 0..2 * scale.min(511) {
                for part in [1.0, 1.1, 1.5, 1.75, 1.99] {
                    let live = (part * f64::from(power).exp2()).floor();
                    let (quick, exact) = (table.level(live), density_level(live, scale));
                    assert!(
                        quick.abs_diff(exact) <= 1,
                        "{live} at {scale}: {quick} {exact}"
                    );
                    assert!(quick > 0);
                    if scale <= NEAR {
                        let few = level_of_few(live as f32, 4_f32.powi(scale as i32));
                        assert!(few.abs_diff(exact) <= 1 && few > 0, "{live} at {scale}");
                    }
                }
            }
            if scale < 511 {
                assert_eq!(table.level(f64::from(2 * scale).exp2()), 255);
            }
        }
    }
}
