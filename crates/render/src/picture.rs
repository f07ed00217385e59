use crate::shaped_cells::{self, CellBorder};
use crate::{Content, Frame, Palette, Rgb, States, cell_geometry};
use grid::Point;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rule::Lattice;

/// The grid lines, and the gaps between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureStyle {
    /// Grid lines, where a cell is at least [`PictureStyle::MIN_RULED_PIXELS`] pixels wide.
    pub grid: bool,
    /// The interval of strong lines; 0 for none.
    pub major: u32,
    /// A hair of paper around cells, where one is at least [`PictureStyle::MIN_RULED_PIXELS`]
    /// pixels wide.
    pub gap: bool,
}

impl PictureStyle {
    /// Pixels a cell from which lines and gaps are drawn.
    pub const MIN_RULED_PIXELS: u32 = cell_geometry::MIN_RULED_PIXELS;

    /// Pixels a cell from which cells may be icons.
    pub const MIN_ICON_PIXELS: u32 = 8;
}

impl Default for PictureStyle {
    /// Ruled, with each tenth line strong.
    fn default() -> Self {
        Self {
            grid: true,
            major: 10,
            gap: true,
        }
    }
}

/// A picture in plain colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Row by row.
    pub pixels: Vec<Rgb>,
}

impl Picture {
    /// All of one colour.
    ///
    /// ```
    /// use render::{Picture, Rgb};
    ///
    /// let picture = Picture::filled(3, 2, Rgb::hex(0xff0000));
    /// assert_eq!(picture.pixels, [Rgb::hex(0xff0000); 6]);
    /// ```
    #[must_use]
    pub fn filled(width: u32, height: u32, colour: Rgb) -> Self {
        let area = width as usize * height as usize;
        Self {
            width,
            height,
            pixels: vec![colour; area],
        }
    }

    /// The colour of a pixel.
    ///
    /// # Panics
    /// When it lies outside.
    ///
    /// ```
    /// use render::{Picture, Rgb};
    ///
    /// let mut picture = Picture::filled(3, 2, Rgb::hex(0));
    /// picture.pixels[3] = Rgb::hex(0xffffff);
    /// assert_eq!(picture.pixel(0, 1), Rgb::hex(0xffffff));
    /// ```
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Rgb {
        self.pixels[y as usize * self.width as usize + x as usize]
    }

    /// Fills a part, columns and rows from a first one up to but without a last one.
    fn fill(&mut self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>, c: Rgb) {
        for row in rows {
            let row = &mut self.pixels[row * self.width as usize..][..self.width as usize];
            row[columns.clone()].fill(c);
        }
    }
}

impl Frame {
    /// Paints the frame.
    ///
    /// ```
    /// use engine::World;
    /// use render::{Frame, Palette, PictureStyle, Theme, Viewport};
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// world.set(grid::Point::new(0, 0), 1)?;
    /// let frame = Frame::of(&world, &Viewport::new(64, 48));
    /// let palette = Palette::of(world.rule(), &Theme::BLUEPRINT);
    /// let picture = frame.paint(&palette, &PictureStyle { gap: false, ..PictureStyle::default() });
    /// let ink = picture.pixels.iter().filter(|&&pixel| pixel == Theme::BLUEPRINT.ink).count();
    /// assert_eq!(ink, 8 * 8); // a cell is eight pixels wide
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn paint(&self, palette: &Palette, style: &PictureStyle) -> Picture {
        let (width, height) = (self.viewport.width, self.viewport.height);
        let theme = &palette.theme;
        if self.viewport.lattice != Lattice::Square {
            let PictureStyle { grid, gap, .. } = *style;
            return Picture {
                width,
                height,
                pixels: shaped_cells::pixels(self, palette, CellBorder { grid, gap }),
            };
        }
        let mut picture = Picture::filled(width, height, palette.states[0]);
        let paper = self.paper();
        let is_ruled = self.pixels_a_cell() >= PictureStyle::MIN_RULED_PIXELS;
        if style.grid && is_ruled {
            self.rule(&mut picture, palette, style.major);
        }
        match &self.content {
            Content::Density { levels } => {
                for (pixel, &level) in picture.pixels.iter_mut().zip(levels) {
                    if level > 0 {
                        *pixel = palette.density[usize::from(level)];
                    }
                }
            }
            Content::Cells { marks, states, .. } => {
                let gap = u32::from(style.gap && is_ruled);
                self.cells(&mut picture, palette, states, marks.as_deref(), gap);
            }
        }
        let (columns, rows) = paper;
        let (all_columns, all_rows) = (0..width as usize, 0..height as usize);
        picture.fill(all_columns.clone(), 0..rows.start, theme.surround);
        picture.fill(all_columns, rows.end..all_rows.end, theme.surround);
        picture.fill(0..columns.start, rows.clone(), theme.surround);
        picture.fill(columns.end..width as usize, rows, theme.surround);
        picture
    }

    /// Columns and rows of the picture that lie on the world's grid, with the line that
    /// closes it; all of them where it has no end.
    pub(crate) fn paper(&self) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let (width, height) = self.topology.size();
        let halved = |side: u64| -BigInt::from(side / 2);
        let (x, y) = (halved(width), halved(height));
        // Far off a pixel belongs to the grid when its last cell does, or its first.
        let first = self.viewport.pixel_of(&x, &y);
        let last = self
            .viewport
            .pixel_of(&(&x + width - 1), &(&y + height - 1));
        let pixels = self.pixels_a_cell();
        let line = u32::from(pixels >= PictureStyle::MIN_RULED_PIXELS);
        let within = |side: u64, first: BigInt, last: BigInt, size: u32| {
            if side == 0 {
                return 0..size as usize;
            }
            let size = BigInt::from(size);
            let end = (last + pixels + line).clamp(BigInt::ZERO, size.clone());
            let start = first.clamp(BigInt::ZERO, end.clone());
            let fits = "clamped to the picture";
            start.to_usize().expect(fits)..end.to_usize().expect(fits)
        };
        let viewport = &self.viewport;
        (
            within(width, first.0, last.0, viewport.width),
            within(height, first.1, last.1, viewport.height),
        )
    }

    /// Draws the lines, the strong ones last.
    fn rule(&self, picture: &mut Picture, palette: &Palette, major: u32) {
        let pixels = self.pixels_a_cell();
        let viewport = &self.viewport;
        let (width, height) = (picture.width as usize, picture.height as usize);
        let theme = &palette.theme;
        for (is_strong, colour) in [(false, theme.rule), (true, theme.rule_bold)] {
            let chosen = |line: &(usize, bool)| line.1 == is_strong;
            for (x, _) in lines(&viewport.left, viewport.width, pixels, major).filter(chosen) {
                picture.fill(x..x + 1, 0..height, colour);
            }
            for (y, _) in lines(&viewport.top, viewport.height, pixels, major).filter(chosen) {
                picture.fill(0..width, y..y + 1, colour);
            }
        }
    }

    /// Draws the cells, `gap` pixels of paper to the left and above each.
    fn cells(
        &self,
        picture: &mut Picture,
        palette: &Palette,
        states: &States,
        marks: Option<&[u8]>,
        gap: u32,
    ) {
        let Content::Cells { rect, .. } = &self.content else {
            return;
        };
        let pixels = i64::from(self.pixels_a_cell());
        let Some((left, top)) = self.corner(Point::new(rect.x, rect.y)) else {
            return;
        };
        let (columns, rows) = (rect.width as usize, rect.height as usize);
        let span = |start: i64, size: u32| {
            let end = (start + pixels).clamp(0, i64::from(size));
            let start = (start + i64::from(gap)).clamp(0, end);
            start as usize..end as usize
        };
        for row in 0..rows {
            let down = span(top + row as i64 * pixels, picture.height);
            for column in 0..columns {
                let state = states.get(columns, column, row);
                let mark = marks.map_or(0, |marks| marks[row * columns + column]);
                if state != 0 || mark != 0 {
                    let across = span(left + column as i64 * pixels, picture.width);
                    picture.fill(across, down.clone(), palette.marked_colour(state, mark));
                }
            }
        }
    }

    /// The top-left pixel of a cell in the picture, which may lie outside.
    pub(crate) fn corner(&self, p: Point) -> Option<(i64, i64)> {
        let (x, y) = self.viewport.pixel_of(&p.x.into(), &p.y.into());
        Some((x.to_i64()?, y.to_i64()?))
    }
}

/// Where the grid lines are that cross a side of the viewport, each at the first pixel of a
/// cell, and whether they are strong.
pub(crate) fn lines(
    start: &BigInt,
    length: u32,
    pixels: u32,
    major: u32,
) -> impl Iterator<Item = (usize, bool)> {
    let offset = (pixels - modulo(start, pixels)) % pixels;
    let cell: BigInt = (start + offset) / pixels;
    let rest = if major > 0 { modulo(&cell, major) } else { 0 };
    let places = (offset..length).step_by(pixels as usize);
    places.enumerate().map(move |(i, pixel)| {
        let is_strong = major > 0 && (u64::from(rest) + i as u64).is_multiple_of(u64::from(major));
        (pixel as usize, is_strong)
    })
}

/// The rest, never negative.
fn modulo(a: &BigInt, b: u32) -> u32 {
    let b = BigInt::from(b);
    let rest = ((a % &b) + &b) % &b;
    rest.to_u32().expect("a rest is smaller than its divisor")
}
