//! Frames as characters: half blocks, braille (Unicode, block *Braille Patterns*), letters (as in
//! RLE).

use crate::{Content, Frame, Palette, Picture, PictureStyle};
use grid::State;
use rule::Lattice;
use std::fmt::Write as _;

impl Frame {
    /// Whether there is a live cell under each pixel, row by row.
    ///
    /// ```
    /// use engine::World;
    /// use render::{Frame, Viewport, Zoom};
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// world.set(grid::Point::new(0, 0), 1)?;
    /// let view = Viewport::new(3, 1).zoomed(Zoom::In(1), 1, 0);
    /// assert_eq!(Frame::of(&world, &view).dots(), [false, true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dots(&self) -> Vec<bool> {
        let (width, height) = (self.viewport.width as usize, self.viewport.height as usize);
        match &self.content {
            Content::Density { levels } => levels.iter().map(|&level| level > 0).collect(),
            Content::Cells { .. } => {
                let states = self.states_by_pixel();
                debug_assert_eq!(states.len(), width * height);
                states.into_iter().map(|state| state != 0).collect()
            }
        }
    }

    /// The state of the cell under each pixel; at `Out`, 1 where there is a live cell.
    fn states_by_pixel(&self) -> Vec<State> {
        let (width, height) = (self.viewport.width as usize, self.viewport.height as usize);
        let mut pixels = vec![0; width * height];
        match &self.content {
            Content::Density { levels } => {
                for (pixel, &level) in pixels.iter_mut().zip(levels) {
                    *pixel = u8::from(level > 0);
                }
            }
            Content::Cells { .. } if self.viewport.lattice != Lattice::Square => {
                let Some(cells) = self.viewport.pixel_cells() else {
                    return pixels;
                };
                for (y, row) in pixels.chunks_mut(width.max(1)).enumerate() {
                    for (x, pixel) in row.iter_mut().enumerate() {
                        let cell = cells.at(x as i64, y as i64);
                        *pixel = self.state(cell.x, cell.y);
                    }
                }
            }
            Content::Cells { rect, states, .. } => {
                let zoom = i64::from(self.pixels_a_cell());
                let Some((left, top)) = self.corner(grid::Point::new(rect.x, rect.y)) else {
                    return pixels;
                };
                // the first cell begins at the left edge or less than its width before it
                for (y, row) in pixels.chunks_mut(width.max(1)).enumerate() {
                    let down = ((y as i64 - top) / zoom) as usize;
                    for (x, pixel) in row.iter_mut().enumerate() {
                        let across = ((x as i64 - left) / zoom) as usize;
                        *pixel = states.get(rect.width as usize, across, down);
                    }
                }
            }
        }
        pixels
    }
}

/// Two rows of pixels in each line: `▀`, `▄`, `█` and spaces. In colour both halves have
/// the colours of [`Frame::paint`], as ANSI sequences of 24 bits; each line ends plain.
///
/// ```
/// use engine::World;
/// use render::{Frame, Palette, Theme, Viewport, Zoom, text::half_blocks};
///
/// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
/// world.set(grid::Point::new(0, 0), 1)?;
/// let view = Viewport::new(3, 2).zoomed(Zoom::In(1), 1, 1);
/// let palette = Palette::of(world.rule(), &Theme::PAPER);
/// assert_eq!(half_blocks(&Frame::of(&world, &view), &palette, false), [" ▄ "]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn half_blocks(frame: &Frame, palette: &Palette, colour: bool) -> Vec<String> {
    if colour {
        let style = PictureStyle {
            grid: false,
            gap: false,
            ..PictureStyle::default()
        };
        return coloured(&frame.paint(palette, &style));
    }
    let dots = frame.dots();
    let width = frame.viewport.width as usize;
    let rows: Vec<&[bool]> = dots.chunks(width.max(1)).collect();
    let line = |pair: &[&[bool]]| {
        let characters = (0..width).map(|x| {
            let lower = pair.get(1).is_some_and(|row| row[x]);
            match (pair[0][x], lower) {
                (false, false) => ' ',
                (true, false) => '▀',
                (false, true) => '▄',
                (true, true) => '█',
            }
        });
        characters.collect()
    };
    rows.chunks(2).map(line).collect()
}

fn coloured(picture: &Picture) -> Vec<String> {
    let rows: Vec<_> = picture
        .pixels
        .chunks(picture.width.max(1) as usize)
        .collect();
    let line = |pair: &[&[crate::Rgb]]| {
        let mut text = String::new();
        let mut last = (None, None);
        for x in 0..pair[0].len() {
            let (upper, lower) = (pair[0][x], pair.get(1).map(|row| row[x]));
            if last.0 != Some(upper) {
                let _ = write!(text, "\x1b[38;2;{};{};{}m", upper.r, upper.g, upper.b);
            }
            match lower {
                Some(c) if last.1 != Some(c) => {
                    let _ = write!(text, "\x1b[48;2;{};{};{}m", c.r, c.g, c.b);
                }
                _ => {}
            }
            last = (Some(upper), lower);
            text.push('▀');
        }
        text.push_str("\x1b[0m");
        text
    };
    rows.chunks(2).map(line).collect()
}

/// Two columns and four rows of pixels in each character.
///
/// ```text
/// 1 4      the dots of a character, in the order of their bits
/// 2 5
/// 3 6
/// 7 8
/// ```
///
/// ```
/// use engine::World;
/// use render::{Frame, Viewport, Zoom, text::braille};
///
/// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
/// world.set(grid::Point::new(0, 0), 1)?;
/// let view = Viewport::new(2, 4).zoomed(Zoom::In(1), 1, 2);
/// assert_eq!(braille(&Frame::of(&world, &view)), ["⠠"]); // the sixth dot
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn braille(frame: &Frame) -> Vec<String> {
    const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    let dots = frame.dots();
    let width = frame.viewport.width as usize;
    let rows: Vec<&[bool]> = dots.chunks(width.max(1)).collect();
    let line = |rows: &[&[bool]]| {
        let characters = (0..width).step_by(2).map(|x| {
            let mut bits = 0;
            for (row, dots) in rows.iter().zip(DOTS) {
                for (dx, dot) in dots.into_iter().enumerate() {
                    if row.get(x + dx) == Some(&true) {
                        bits |= dot;
                    }
                }
            }
            char::from_u32(0x2800 + bits).expect("all 256 patterns of dots are characters")
        });
        characters.collect()
    };
    rows.chunks(4).map(line).collect()
}

/// A character a pixel: `.` and `O` where there are two states, else `.` and `A` to `X`, with
/// a small letter before it from state 25 on, as RLE has it: then each pixel takes two.
///
/// ```
/// use engine::World;
/// use render::{Frame, Viewport, Zoom, text::letters};
///
/// let mut world = engine::Tiles::new("WireWorld".parse()?)?;
/// world.set(grid::Point::new(0, 0), 3)?;
/// let view = Viewport::new(3, 1).zoomed(Zoom::In(1), 1, 0);
/// assert_eq!(letters(&Frame::of(&world, &view)), [".C."]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn letters(frame: &Frame) -> Vec<String> {
    let states = frame.states_by_pixel();
    let is_two_state = !matches!(
        &frame.content,
        Content::Cells {
            states: crate::States::Bytes(_),
            ..
        }
    );
    let is_wide = states.iter().any(|&state| state > 24);
    let width = frame.viewport.width as usize;
    let line = |row: &[State]| {
        let mut text = String::new();
        for &state in row {
            match state {
                0 if is_wide => text.push_str(" ."),
                0 => text.push('.'),
                1 if is_two_state => text.push('O'),
                _ => {
                    let (round, letter) = ((state - 1) / 24, (state - 1) % 24);
                    match round {
                        0 if is_wide => text.push(' '),
                        0 => {}
                        _ => text.push(char::from(b'p' + round - 1)),
                    }
                    text.push(char::from(b'A' + letter));
                }
            }
        }
        text
    };
    states.chunks(width.max(1)).map(line).collect()
}
