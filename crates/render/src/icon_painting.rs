//! Frames with live cells as the icons of their states, as the page draws them. Own method.

use crate::{Content, Frame, Palette, Picture, PictureStyle, StateIcons};
use grid::Point;
use rule::Lattice;

impl Frame {
    /// Paints the frame with live cells as the icons of their states, where there are icons and a
    /// cell is at least [`PictureStyle::MIN_ICON_PIXELS`] pixels wide.
    ///
    /// ```
    /// use engine::World;
    /// use render::{Frame, Palette, PictureStyle, StateIcons, Theme, Viewport};
    ///
    /// let mut world = engine::Tiles::new("/2/3".parse()?)?;
    /// world.set(grid::Point::new(0, 0), 1)?;
    /// let frame = Frame::of(&world, &Viewport::new(64, 48));
    /// let palette = Palette::of(world.rule(), &Theme::PAPER);
    /// let (style, icons) = (PictureStyle::default(), StateIcons::read("diamonds"));
    /// let picture = frame.paint_with_icons(&palette, &style, &icons);
    /// assert_ne!(picture, frame.paint(&palette, &style));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn paint_with_icons(
        &self,
        palette: &Palette,
        style: &PictureStyle,
        icons: &StateIcons,
    ) -> Picture {
        let mut picture = self.paint(palette, style);
        let pixels = self.pixels_a_cell();
        let Content::Cells { rect, states, .. } = &self.content else {
            return picture;
        };
        let Some((side, column)) = self.icon_column(palette, icons) else {
            return picture;
        };
        let inner = pixels - 1;
        let Some((left, top)) = self.corner(Point::new(rect.x, rect.y)) else {
            return picture;
        };
        let (paper_columns, paper_rows) = self.paper();
        let (columns, rows) = (rect.width as usize, rect.height as usize);
        for row in 0..rows {
            for cell in 0..columns {
                let state = u32::from(states.get(columns, cell, row));
                if state == 0 {
                    continue;
                }
                let x = left + cell as i64 * i64::from(pixels) + 1;
                let y = top + row as i64 * i64::from(pixels) + 1;
                for (dy, dx) in (0..inner).flat_map(|dy| (0..inner).map(move |dx| (dy, dx))) {
                    let (x, y) = (x + i64::from(dx), y + i64::from(dy));
                    let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
                        continue;
                    };
                    if paper_columns.contains(&x) && paper_rows.contains(&y) {
                        // the icon's pixel under the middle of this one
                        let from = |d: u32| (2 * d + 1) * side / (2 * inner);
                        picture.pixels[y * picture.width as usize + x] =
                            column.pixel(from(dx), state * side + from(dy));
                    }
                }
            }
        }
        picture
    }

    /// The icons that suit the zoom, one below the other, and their side: the smallest that need not
    /// be made larger, else the largest. `None` where cells are too small for icons, or no squares.
    pub(crate) fn icon_column(
        &self,
        palette: &Palette,
        icons: &StateIcons,
    ) -> Option<(u32, Picture)> {
        let pixels = self.pixels_a_cell();
        let is_large = pixels >= PictureStyle::MIN_ICON_PIXELS;
        if !is_large || self.viewport.lattice != Lattice::Square {
            return None;
        }
        let large_enough = icons.sides().find(|&side| side >= pixels - 1);
        let side = large_enough.or(icons.sides().last())?;
        Some((side, icons.picture(side, palette, 256)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rgb, Theme, Viewport};
    use engine::World as _;

    /// Pixels are held against the icon's own, one to one and magnified.
    #[test]
    fn live_cells_are_icons_where_they_are_large() {
        let rule: rule::Rule = "/2/3".parse().unwrap();
        let mut world = engine::Tiles::new(rule).unwrap();
        for (x, state) in [(0, 1), (1, 2)] {
            world.set(Point::new(x, 0), state).unwrap();
        }
        let palette = Palette::of(world.rule(), &Theme::PAPER);
        let style = PictureStyle::default();
        let icons = StateIcons::read("diamonds");
        for (zoom, side) in [("8", 7), ("16", 15), ("15", 15), ("7", 0), ("1:2", 0)] {
            let viewport = Viewport {
                zoom: zoom.parse().unwrap(),
                ..Viewport::new(96, 64)
            };
            let viewport = viewport.centred_on(&0.into(), &0.into());
            let frame = Frame::of(&world, &viewport);
            let plain = frame.paint(&palette, &style);
            let picture = frame.paint_with_icons(&palette, &style, &icons);
            if side == 0 {
                assert_eq!(picture, plain, "{zoom}");
                continue;
            }
            let cell: u32 = zoom.parse().unwrap();
            let inner = cell - 1;
            let column = icons.picture(side, &palette, 3).unwrap();
            let (left, top) = frame.corner(Point::new(0, 0)).unwrap();
            let mut expected = plain.clone();
            for state in 1..3 {
                for (x, y) in (0..inner).flat_map(|x| (0..inner).map(move |y| (x, y))) {
                    let scale =
                        |d: u32| ((f64::from(d) + 0.5) * f64::from(side) / f64::from(inner)) as u32;
                    let at = (top as u32 + 1 + y) * 96 + left as u32 + (state - 1) * cell + 1 + x;
                    expected.pixels[at as usize] = column.pixel(scale(x), state * side + scale(y));
                }
            }
            assert_eq!(picture, expected, "{zoom}");
            assert_ne!(picture, plain, "{zoom}");
        }
        // without icons nothing changes
        let frame = Frame::of(&world, &Viewport::new(96, 64));
        let none = frame.paint_with_icons(&palette, &style, &StateIcons::default());
        assert_eq!(none, frame.paint(&palette, &style));
        assert!(
            icons
                .colours(&palette, 3)
                .iter()
                .all(|colour: &Rgb| *colour != Rgb::hex(0x0012_3456))
        );
    }
}
