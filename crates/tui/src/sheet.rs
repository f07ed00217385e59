//! The plane in characters.
//!
//! A character is one pixel of the viewport wide and two high, so that pixels are square: at one
//! pixel per cell two cells share a character, at 4 a cell is four columns and two rows. Where a
//! pixel covers several cells, each of its quarters is a braille dot, so that a character always
//! covers the same pixels and nothing moves when the zoom changes.

use crate::ink::Ink;
use grid::{Point, Rect as Area, State};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style as Attributes};
use render::{CellGeometry, Content, DYING, Frame, Palette, PictureStyle, Rgb, Viewport, Zoom};
use rule::{Lattice, Topology};
use session::command::PasteMode;
use std::collections::BTreeMap;

/// The columns and rows of pixels in a part of the screen.
pub(crate) fn pixels(area: Rect) -> (u32, u32) {
    (
        u32::from(area.width).max(1),
        u32::from(area.height).max(1) * 2,
    )
}

/// Moves the viewport so that rows of cells start at rows of characters, at zooms where that is
/// possible.
pub(crate) fn aligned(viewport: &Viewport) -> Viewport {
    let is_odd = viewport.top.bit(0);
    let rows = viewport.geometry().map(|cells| cells.row_pixels());
    match rows {
        Some(pixels) if is_odd && pixels % 2 == 0 => viewport.panned(0, -1),
        _ => viewport.clone(),
    }
}

/// The viewport of braille dots: four for each pixel that covers several cells.
pub(crate) fn dotted(viewport: &Viewport) -> Option<Viewport> {
    let Zoom::Out(power) = viewport.zoom else {
        return None;
    };
    let (zoom, down) = match power {
        // The pixel grid of a zoomed-out viewport starts at cell row 1.
        0 | 1 => {
            let cells = CellGeometry::new(viewport.lattice, 1);
            (Zoom::In(1), cells.row_pixels())
        }
        power => (Zoom::Out(power - 1), 0),
    };
    Some(Viewport {
        left: &viewport.left * 2,
        top: &viewport.top * 2 + down,
        zoom,
        width: viewport.width * 2,
        height: viewport.height * 2,
        lattice: viewport.lattice,
    })
}

/// Cells that float over the sheet, shown as what pasting them would give.
#[derive(Clone, Debug)]
pub(crate) struct FloatingCells {
    pub(crate) area: Area,
    /// The live ones.
    pub(crate) cells: BTreeMap<Point, State>,
    pub(crate) mode: PasteMode,
}

/// Overlays of the cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct SheetOverlay {
    pub(crate) floating: Option<FloatingCells>,
    /// The selected cells.
    pub(crate) selection: Option<Area>,
    /// The cell at the cursor.
    pub(crate) cursor: Option<Point>,
}

/// Everything that the plane is drawn from.
pub(crate) struct TerminalSheet<'a> {
    pub(crate) viewport: &'a Viewport,
    pub(crate) frame: &'a Frame,
    pub(crate) palette: &'a Palette,
    pub(crate) style: PictureStyle,
    pub(crate) ink: Ink,
    pub(crate) over: SheetOverlay,
}

/// The contents of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SheetPixelKind {
    Outside,
    Empty,
    Trail,
    Live,
    Dying,
}

/// A pixel, or a dot.
#[derive(Clone, Copy, Debug)]
struct SheetPixel {
    kind: SheetPixelKind,
    colour: Rgb,
    /// The density of a pixel of several cells: 255 is full.
    level: u8,
    is_selected: bool,
    is_cursor: bool,
}

/// Where a column or row of pixels lies in its cell.
#[derive(Clone, Copy, Debug)]
struct PixelOffset {
    cell: i64,
    /// Pixels from the cell's first one.
    offset: u32,
}

impl TerminalSheet<'_> {
    /// Draws the plane.
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect) {
        match self.viewport.zoom {
            Zoom::In(_) if self.viewport.lattice != Lattice::Square => {
                self.draw_shapes(buffer, area)
            }
            Zoom::In(pixels) => self.draw_blocks(buffer, area, pixels),
            Zoom::Out(_) => self.draw_dots(buffer, area),
        }
    }

    fn draw_blocks(&self, buffer: &mut Buffer, area: Rect, pixels: u32) {
        let columns = places(&self.viewport.left, pixels, u32::from(area.width));
        let rows = places(&self.viewport.top, pixels, u32::from(area.height) * 2);
        for row in 0..area.height {
            let (upper, lower) = (rows[usize::from(row) * 2], rows[usize::from(row) * 2 + 1]);
            for column in 0..area.width {
                let across = columns[usize::from(column)];
                let spots = [(upper, 0), (lower, 1)].map(|(down, half)| {
                    let pixel = (u32::from(column), u32::from(row) * 2 + half);
                    self.near(across.cell, down.cell, pixel)
                });
                let block = CharacterPixels {
                    spots,
                    across,
                    down: [upper, lower],
                    pixels,
                };
                let (sign, style) = if self.ink.has_colour() {
                    self.coloured(&block)
                } else {
                    self.plain(&block)
                };
                buffer[(area.x + column, area.y + row)]
                    .set_symbol(sign)
                    .set_style(style);
            }
        }
    }

    /// Hexagons and triangles: each half of a character belongs to the cell that has its middle.
    /// Hexagons of two columns are a character high, and each row is shifted by one. Triangles of
    /// one column are a character high too: a wedge that points up or down.
    fn draw_shapes(&self, buffer: &mut Buffer, area: Rect) {
        let cells = self.viewport.pixel_cells();
        let cell_at = |column: u32, row: u32| match &cells {
            Some(cells) => cells.at(column.into(), row.into()),
            // Beyond 64 bits, densities are looked up by pixel.
            None => Point::new(i64::MIN / 2, i64::MIN / 2),
        };
        let has_wedges = self.viewport.lattice == Lattice::Triangular
            && self.viewport.zoom == Zoom::In(1)
            && cells.is_some();
        // There are no hairs and no brackets.
        let inside = PixelOffset { cell: 0, offset: 1 };
        for row in 0..area.height {
            for column in 0..area.width {
                let pixel = |half: u32| (u32::from(column), u32::from(row) * 2 + half);
                let [upper, lower] = [0, 1].map(|half| cell_at(pixel(half).0, pixel(half).1));
                let block = CharacterPixels {
                    spots: [
                        self.near(upper.x, upper.y, pixel(0)),
                        self.near(lower.x, lower.y, pixel(1)),
                    ],
                    across: inside,
                    down: [inside; 2],
                    pixels: 1,
                };
                let (mut sign, mut style) = if self.ink.has_colour() {
                    self.coloured(&block)
                } else {
                    self.plain(&block)
                };
                let spot = &block.spots[0];
                let is_alive = matches!(spot.kind, SheetPixelKind::Live | SheetPixelKind::Dying);
                if has_wedges && upper == lower && is_alive {
                    let has_point_above = (upper.x ^ upper.y) & 1 == 1;
                    sign = if has_point_above { "▲" } else { "▼" };
                    if self.ink.has_colour() {
                        let mut paper = *spot;
                        paper.colour = self.palette.states[0];
                        style = self.ink.on(spot.colour, self.tinted(&paper));
                    }
                }
                buffer[(area.x + column, area.y + row)]
                    .set_symbol(sign)
                    .set_style(style);
            }
        }
    }

    /// The pixel of a cell, at zooms of at least one pixel per cell.
    fn near(&self, x: i64, y: i64, pixel: (u32, u32)) -> SheetPixel {
        let p = Point::new(x, y);
        let (state, mark, level) = match &self.frame.content {
            Content::Cells {
                rect,
                states,
                marks,
            } => {
                if rect.contains(p) {
                    let (column, row) = (x.abs_diff(rect.x) as usize, y.abs_diff(rect.y) as usize);
                    let width = rect.width as usize;
                    let mark = marks
                        .as_ref()
                        .map_or(0, |marks| marks[row * width + column]);
                    (states.get(width, column, row), mark, 255)
                } else {
                    (0, 0, 0)
                }
            }
            Content::Density { levels } => {
                let index = pixel.1 as usize * self.frame.viewport.width as usize;
                let level = levels.get(index + pixel.0 as usize).copied();
                let level = level.unwrap_or(0);
                (u8::from(level > 0), 0, level)
            }
        };
        match &self.over.floating {
            Some(floating) if floating.area.contains(p) => {
                let pasted = floating.cells.get(&p).copied().unwrap_or(0);
                self.spot(p, floating.mode.of(state, pasted), 0, 255)
            }
            _ => self.spot(p, state, mark, level),
        }
    }

    fn spot(&self, p: Point, state: State, mark: u8, level: u8) -> SheetPixel {
        let kind = kind_of(&self.frame.topology, p, state, mark);
        let colour = match kind {
            SheetPixelKind::Outside => self.palette.theme.surround,
            _ => self.palette.marked_colour(state, mark),
        };
        SheetPixel {
            kind,
            colour,
            level,
            is_selected: self.over.selection.is_some_and(|area| area.contains(p))
                || (self.over.floating.as_ref()).is_some_and(|it| it.area.contains(p)),
            is_cursor: self.over.cursor == Some(p),
        }
    }

    /// The colour with overlays.
    fn tinted(&self, spot: &SheetPixel) -> Rgb {
        let theme = &self.palette.theme;
        if spot.is_cursor {
            return spot.colour.mix(theme.selection, 0.6);
        }
        if spot.is_selected {
            return spot.colour.mix(theme.selection, 0.3);
        }
        spot.colour
    }

    /// Two pixels in colour: a block, or a hairline of the grid where both have the same colour.
    fn coloured(&self, block: &CharacterPixels) -> (&'static str, Attributes) {
        let [upper, lower] = &block.spots;
        let (above, below) = (self.tinted(upper), self.tinted(lower));
        if above != below {
            return ("▀", self.ink.on(above, below));
        }
        if let Some(sign) = block.bracket() {
            let style = self.ink.on(self.palette.theme.text, above);
            return (sign, style.add_modifier(Modifier::BOLD));
        }
        match block.hair() {
            Some((sign, cell)) if upper.kind != SheetPixelKind::Outside => {
                let theme = &self.palette.theme;
                let is_strong =
                    self.style.major > 0 && cell.rem_euclid(i64::from(self.style.major)) == 0;
                let is_filled = upper.kind != SheetPixelKind::Empty;
                let hair = match (self.style.grid, is_strong) {
                    _ if is_filled => self.palette.states[0],
                    (true, true) => theme.rule_bold,
                    (true, false) => theme.rule,
                    (false, _) => above,
                };
                (sign, self.ink.on(hair, above))
            }
            _ => (" ", self.ink.on(above, above)),
        }
    }

    /// Two pixels without colour.
    fn plain(&self, block: &CharacterPixels) -> (&'static str, Attributes) {
        let spots = &block.spots;
        let is = |spot: &SheetPixel, kind: SheetPixelKind| spot.kind == kind;
        let lives =
            spots.map(|spot| matches!(spot.kind, SheetPixelKind::Live | SheetPixelKind::Dying));
        let mut style = Attributes::new();
        if spots.iter().any(|spot| spot.is_selected) {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        if let Some(sign) = block.bracket() {
            let reversed = if lives[0] {
                Modifier::REVERSED
            } else {
                Modifier::empty()
            };
            return (sign, style.add_modifier(Modifier::BOLD | reversed));
        }
        if block.pixels < 2 && spots.iter().any(|spot| spot.is_cursor) {
            let sign = match (spots[0].is_cursor, lives) {
                (true, [false, false]) => "°",
                (false, [false, false]) => ".",
                (true, [true, _]) | (false, [_, true]) => "@",
                _ => "o",
            };
            return (sign, style.add_modifier(Modifier::BOLD));
        }
        let is_ruled = block.pixels >= PictureStyle::MIN_RULED_PIXELS;
        let starts = is_ruled && block.across.offset == 0;
        let sign = match lives {
            [true, true] if spots.iter().any(|s| is(s, SheetPixelKind::Dying)) => "▒",
            [true, true] if starts => "▐",
            [true, true] => "█",
            [true, false] => "▀",
            [false, true] => "▄",
            _ if is(&spots[0], SheetPixelKind::Outside) => {
                style = style.add_modifier(Modifier::DIM);
                "░"
            }
            _ if spots.iter().any(|s| is(s, SheetPixelKind::Trail)) => {
                style = style.add_modifier(Modifier::DIM);
                "·"
            }
            _ if starts && self.style.grid && block.down[0].offset == 0 => {
                let strong = |cell: i64| {
                    let major = i64::from(self.style.major);
                    major > 0 && cell.rem_euclid(major) == 0
                };
                style = style.add_modifier(Modifier::DIM);
                if strong(block.across.cell) || strong(block.down[0].cell) {
                    "+"
                } else {
                    "·"
                }
            }
            _ => " ",
        };
        if lives != [true, true] && spots.iter().any(|s| is(s, SheetPixelKind::Dying)) {
            style = style.add_modifier(Modifier::DIM);
        }
        (sign, style)
    }

    fn draw_dots(&self, buffer: &mut Buffer, area: Rect) {
        let theme = &self.palette.theme;
        let (across, down) = self.cells_of_pixels();
        for row in 0..area.height {
            let down = &down[usize::from(row) * 4..];
            for column in 0..area.width {
                let corner = (u32::from(column) * 2, u32::from(row) * 4);
                let dots = self.dots(&across[usize::from(column) * 2..], down, corner);
                let mut pattern = 0_u32;
                let mut inks: Vec<Rgb> = Vec::with_capacity(8);
                let mut outside = 0;
                let (mut selected, mut is_cursor, mut is_trail) = (0, false, false);
                for (index, dot) in dots.iter().enumerate() {
                    selected += u32::from(dot.is_selected);
                    is_cursor |= dot.is_cursor;
                    match dot.kind {
                        SheetPixelKind::Outside => outside += 1,
                        SheetPixelKind::Empty => {}
                        SheetPixelKind::Trail => is_trail = true,
                        SheetPixelKind::Live | SheetPixelKind::Dying => {
                            let bit = DOTS[index];
                            // Without colour dots show the density by dithering.
                            let is_seen = self.ink.has_colour() || is_dithered(dot.level, index);
                            pattern |= if is_seen { bit } else { 0 };
                            inks.push(dot.colour);
                        }
                    }
                }
                if pattern == 0 && !inks.is_empty() {
                    pattern = DOTS[0];
                }
                let is_desk = outside > 4;
                let mut paper = if is_desk {
                    theme.surround
                } else {
                    self.palette.states[0]
                };
                if selected > 0 {
                    paper = paper.mix(theme.selection, 0.3);
                }
                if is_cursor {
                    paper = paper.mix(theme.selection, 0.6);
                }
                let sign = match pattern {
                    0 if is_desk && !self.ink.has_colour() => '░',
                    0 if is_trail => '·',
                    0 => ' ',
                    pattern => char::from_u32(0x2800 + pattern).unwrap_or(' '),
                };
                let mut style = self.ink.on(mean(&inks, theme.pencil), paper);
                if !self.ink.has_colour() {
                    if selected > 0 {
                        style = style.add_modifier(Modifier::UNDERLINED);
                    }
                    if is_cursor {
                        style = style.add_modifier(Modifier::REVERSED);
                    }
                    if pattern == 0 {
                        style = style.add_modifier(Modifier::DIM);
                    }
                }
                let cell = &mut buffer[(area.x + column, area.y + row)];
                cell.set_char(sign).set_style(style);
            }
        }
    }

    /// The eight dots of a character, row by row, at these cells.
    fn dots(&self, across: &[i64], down: &[i64], corner: (u32, u32)) -> [SheetPixel; 8] {
        let viewport = &self.frame.viewport;
        std::array::from_fn(|index| {
            let (column, row) = (corner.0 + index as u32 % 2, corner.1 + index as u32 / 2);
            let p = match viewport.lattice {
                Lattice::Square => Point::new(across[index % 2], down[index / 2]),
                _ => {
                    let (x, y) = viewport.cell_at(column.into(), row.into());
                    let far = |cell: BigInt| cell.to_i64().unwrap_or(i64::MIN);
                    Point::new(far(x), far(y))
                }
            };
            match &self.frame.content {
                Content::Cells { .. } => self.near(p.x, p.y, (column, row)),
                Content::Density { levels } => {
                    let index = row as usize * viewport.width as usize + column as usize;
                    let level = levels.get(index).copied().unwrap_or(0);
                    let mut spot = self.spot(p, u8::from(level > 0), 0, level);
                    if level > 0 {
                        spot.kind = SheetPixelKind::Live;
                    }
                    spot.colour = self.palette.density[usize::from(level)];
                    spot
                }
            }
        })
    }

    /// The first cell of each column and row of the frame's pixels. Cells beyond 64 bits are
    /// neither selected nor on a grid.
    fn cells_of_pixels(&self) -> (Vec<i64>, Vec<i64>) {
        let viewport = &self.frame.viewport;
        let far = |cell: BigInt| cell.to_i64().unwrap_or(i64::MIN);
        let across = (0..viewport.width).map(|x| far(viewport.cell_at(x.into(), 0).0));
        let down = (0..viewport.height).map(|y| far(viewport.cell_at(0, y.into()).1));
        (across.collect(), down.collect())
    }
}

/// The two pixels of a character and their position.
struct CharacterPixels {
    spots: [SheetPixel; 2],
    across: PixelOffset,
    down: [PixelOffset; 2],
    pixels: u32,
}

impl CharacterPixels {
    /// The grid line in this character, and the cell it starts.
    fn hair(&self) -> Option<(&'static str, i64)> {
        if self.pixels < PictureStyle::MIN_RULED_PIXELS {
            return None;
        }
        if self.across.offset == 0 {
            Some(("▏", self.across.cell))
        } else if self.down[0].offset == 0 {
            Some(("▔", self.down[0].cell))
        } else if self.down[1].offset == 0 {
            Some(("─", self.down[1].cell))
        } else {
            None
        }
    }

    /// The cursor's bracket in this character.
    fn bracket(&self) -> Option<&'static str> {
        if self.pixels < 2 || !self.spots.iter().all(|spot| spot.is_cursor) {
            return None;
        }
        let middle = self.pixels / 2 / 2 * 2;
        let is_middle = self.down.iter().any(|place| place.offset == middle);
        match self.across.offset {
            0 if is_middle => Some("["),
            offset if is_middle && offset == self.pixels - 1 => Some("]"),
            _ => None,
        }
    }
}

/// The bits of braille dots (Unicode block from U+2800 on), row by row.
pub(crate) const DOTS: [u32; 8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];

/// Whether a dot is set at a density, by ordered dithering.
fn is_dithered(level: u8, index: usize) -> bool {
    // At the lowest density, one dot of a character is still set.
    const ORDER: [u8; 8] = [0, 5, 6, 3, 1, 4, 7, 2];
    u32::from(level) * 9 >= u32::from(ORDER[index]) * 255
}

fn kind_of(topology: &Topology, p: Point, state: State, mark: u8) -> SheetPixelKind {
    if !topology.contains(p) {
        return SheetPixelKind::Outside;
    }
    match (state, mark) {
        (_, DYING) => SheetPixelKind::Dying,
        (0, 1..64) => SheetPixelKind::Trail,
        (0, _) => SheetPixelKind::Empty,
        _ => SheetPixelKind::Live,
    }
}

/// The mean of some colours, or a default where there are none.
fn mean(colours: &[Rgb], none: Rgb) -> Rgb {
    let count = colours.len() as u32;
    if count == 0 {
        return none;
    }
    let part = |of: fn(&Rgb) -> u8| {
        let sum: u32 = colours.iter().map(|colour| u32::from(of(colour))).sum();
        (sum / count) as u8
    };
    Rgb {
        r: part(|c| c.r),
        g: part(|c| c.g),
        b: part(|c| c.b),
    }
}

/// The cell and the offset within it of each pixel from `start` on.
fn places(start: &BigInt, pixels: u32, length: u32) -> Vec<PixelOffset> {
    let size = BigInt::from(pixels);
    let offset: BigInt = ((start % &size) + &size) % &size;
    let first: BigInt = (start - &offset) / &size;
    let offset = offset.to_u32().unwrap_or(0);
    // Beyond 64 bits, densities are looked up by pixel.
    let first = first.to_i64().unwrap_or(i64::MIN / 2);
    let place = |pixel: u32| PixelOffset {
        cell: first.saturating_add(i64::from((offset + pixel) / pixels)),
        offset: (offset + pixel) % pixels,
    };
    (0..length).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ink::ColourDepth;
    use engine::World as _;
    use ratatui::style::Color;
    use render::Theme;

    /// A plane of 12 x 6 characters with these cells, from its corner.
    fn drawn(
        zoom: &str,
        depth: ColourDepth,
        cells: &[(i64, i64)],
        over: SheetOverlay,
        dying: bool,
    ) -> Buffer {
        drawn_by("B3/S23", zoom, depth, cells, over, dying)
    }

    /// The same under another rule.
    fn drawn_by(
        rule: &str,
        zoom: &str,
        depth: ColourDepth,
        cells: &[(i64, i64)],
        over: SheetOverlay,
        dying: bool,
    ) -> Buffer {
        let mut world = engine::Tiles::new(rule.parse().unwrap()).unwrap();
        for &(x, y) in cells {
            world.set(Point::new(x, y), 1).unwrap();
        }
        let viewport = Viewport {
            left: BigInt::ZERO,
            top: BigInt::ZERO,
            zoom: zoom.parse().unwrap(),
            width: 12,
            height: 12,
            lattice: world.rule().lattice(),
        };
        let seen = dotted(&viewport).unwrap_or_else(|| viewport.clone());
        let mut frame = Frame::of(&world, &seen);
        if dying {
            frame.mark_dying(&world);
        }
        let theme = Theme::PAPER;
        let area = Rect::new(0, 0, 12, 6);
        let mut buffer = Buffer::empty(area);
        let sheet = TerminalSheet {
            viewport: &viewport,
            frame: &frame,
            palette: &Palette::of(world.rule(), &theme),
            style: PictureStyle::default(),
            ink: Ink { depth, theme },
            over,
        };
        sheet.draw(&mut buffer, area);
        buffer
    }

    fn of(rgb: Rgb) -> Color {
        Color::Rgb(rgb.r, rgb.g, rgb.b)
    }

    fn look(buffer: &Buffer, x: u16, y: u16) -> (&str, Color, Color) {
        let cell = &buffer[(x, y)];
        (cell.symbol(), cell.fg, cell.bg)
    }

    #[test]
    fn two_cells_share_a_character() {
        let buffer = drawn(
            "1",
            ColourDepth::True,
            &[(0, 0), (1, 1), (2, 0), (2, 1)],
            SheetOverlay::default(),
            false,
        );
        let (ink, paper) = (of(Theme::PAPER.ink), of(Theme::PAPER.sheet));
        assert_eq!(look(&buffer, 0, 0), ("▀", ink, paper));
        assert_eq!(look(&buffer, 1, 0), ("▀", paper, ink));
        assert_eq!(look(&buffer, 2, 0), (" ", ink, ink));
        assert_eq!(look(&buffer, 3, 0), (" ", paper, paper));
    }

    #[test]
    fn ruling_and_gaps_are_hairs() {
        let buffer = drawn(
            "4",
            ColourDepth::True,
            &[(1, 0)],
            SheetOverlay::default(),
            false,
        );
        let theme = Theme::PAPER;
        // The grid lines of column and row 0 are strong, the next ones are not.
        assert_eq!(
            look(&buffer, 0, 1),
            ("▏", of(theme.rule_bold), of(theme.sheet))
        );
        assert_eq!(
            look(&buffer, 1, 0),
            ("▔", of(theme.rule_bold), of(theme.sheet))
        );
        assert_eq!(look(&buffer, 8, 3), ("▏", of(theme.rule), of(theme.sheet)));
        // A hairline of paper at the edges of a cell.
        assert_eq!(look(&buffer, 4, 0), ("▏", of(theme.sheet), of(theme.ink)));
        assert_eq!(look(&buffer, 5, 0), ("▔", of(theme.sheet), of(theme.ink)));
        assert_eq!(look(&buffer, 5, 1).2, of(theme.ink));
    }

    #[test]
    fn far_cells_are_dots() {
        // The pixel grid of a zoomed-out viewport starts at cell row 1.
        let buffer = drawn(
            "1:2",
            ColourDepth::True,
            &[(0, 1), (1, 2), (0, 4)],
            SheetOverlay::default(),
            false,
        );
        assert_eq!(look(&buffer, 0, 0).0, "⡑");
        assert_eq!(look(&buffer, 0, 0).1, of(Theme::PAPER.ink));
        let farther = drawn(
            "1:4",
            ColourDepth::True,
            &[(0, 1), (2, 3)],
            SheetOverlay::default(),
            false,
        );
        assert_eq!(look(&farther, 0, 0).0, "⠑");
    }

    #[test]
    fn without_colour_all_is_told_apart_by_signs() {
        let over = SheetOverlay {
            selection: Some(Area::new(4, 0, 2, 2)),
            cursor: Some(Point::new(2, 1)),
            floating: None,
        };
        let buffer = drawn(
            "2",
            ColourDepth::None,
            &[(0, 0), (1, 0), (1, 1)],
            over,
            true,
        );
        let row = |y: u16| -> String { (0..12).map(|x| buffer[(x, y)].symbol()).collect() };
        // All three survive.
        assert_eq!(row(0), "████        ");
        assert_eq!(row(1), "  ██[]      ");
        let is_underlined = |x: u16| buffer[(x, 0)].modifier.contains(Modifier::UNDERLINED);
        assert!(is_underlined(8) && is_underlined(11) && !is_underlined(7));
        assert!(buffer.content().iter().all(|cell| cell.fg == Color::Reset));
        let lonely = drawn(
            "2",
            ColourDepth::None,
            &[(0, 0)],
            SheetOverlay::default(),
            true,
        );
        assert_eq!(look(&lonely, 0, 0).0, "▒");
    }

    #[test]
    fn rows_of_hexagons_are_shifted_by_half_a_cell() {
        let cells = [(1, 0), (2, 1), (4, 0), (5, 1), (4, 2)];
        let (none, over) = (ColourDepth::None, SheetOverlay::default());
        let buffer = drawn_by("B2/S34H", "2", none, &cells, over, false);
        let row = |y: u16| -> String { (0..12).map(|x| buffer[(x, y)].symbol()).collect() };
        assert_eq!(row(0), "  ██    ██  ");
        assert_eq!(row(1), "   ██    ██ ");
        assert_eq!(row(2), "      ██    ");
    }

    #[test]
    fn triangles_are_wedges() {
        let cells = [(1, 0), (2, 0), (2, 1), (5, 1)];
        for (depth, blank) in [(ColourDepth::None, "  "), (ColourDepth::True, "  ")] {
            let over = SheetOverlay::default();
            let buffer = drawn_by("B456/S34L", "1", depth, &cells, over, false);
            let row = |y: u16| -> String { (0..6).map(|x| buffer[(x, y)].symbol()).collect() };
            assert_eq!(row(0), " ▲▼   ");
            assert_eq!(row(1), format!("{blank}▲  ▼"));
        }
    }

    #[test]
    fn selected_cells_and_the_cursor_are_tinted() {
        let over = SheetOverlay {
            selection: Some(Area::new(0, 0, 1, 1)),
            cursor: Some(Point::new(1, 0)),
            floating: None,
        };
        let buffer = drawn("2", ColourDepth::True, &[(0, 0)], over, false);
        let theme = Theme::PAPER;
        assert_eq!(
            look(&buffer, 0, 0).2,
            of(theme.ink.mix(theme.selection, 0.3))
        );
        assert_eq!(
            look(&buffer, 2, 0).2,
            of(theme.sheet.mix(theme.selection, 0.6))
        );
    }

    #[test]
    fn rows_of_cells_begin_with_characters() {
        let viewport = |zoom: &str, top: i32| Viewport {
            top: top.into(),
            zoom: zoom.parse().unwrap(),
            ..Viewport::new(12, 12)
        };
        for (zoom, top, aligned_top) in [
            ("4", 3, 2),
            ("4", -3, -4),
            ("2", 4, 4),
            ("3", 3, 3),
            ("1", 3, 3),
        ] {
            let found = aligned(&viewport(zoom, top)).top;
            assert_eq!(found, aligned_top.into(), "{zoom} {top}");
        }
    }
}
