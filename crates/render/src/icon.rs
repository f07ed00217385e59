//! Icons of states: the pictures of a rule file's `@ICONS`, and four shapes by name.
//!
//! The format is XPM as Golly reads it (Golly help, "Rule formats", `@ICONS`): a line of width,
//! height, number of colours and characters a pixel; the colours; then the icons of the states
//! 1, 2, 3 … one below the other, squares of 7, 15 or 31 pixels. Black is the paper. Pictures of
//! greys alone are tinted: a grey stands for that much of the state's own colour. States beyond
//! the last icon get the last one.

use crate::colour::Rgb;
use crate::palette::Palette;
use crate::picture::Picture;
use std::collections::BTreeSet;

/// The sides that icons have, in pixels.
const SIDES: [u32; 3] = [7, 15, 31];

/// The colours of a picture, at most.
const MOST_COLOURS: usize = 4096;

/// A picture of icons, one below the other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct IconColumn {
    side: u32,
    /// Row by row, for each icon its pixels.
    pixels: Vec<Rgb>,
    is_grey: bool,
}

/// The icons of a rule's states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateIcons {
    /// At most one of each side, in ascending order.
    columns: Vec<IconColumn>,
}

impl StateIcons {
    /// Reads the lines of `@ICONS`. What is not written as it should be is left out: a rule is
    /// as good without its icons.
    ///
    /// ```
    /// use render::StateIcons;
    /// assert_eq!(StateIcons::read("circles").sides().collect::<Vec<_>>(), [7, 15, 31]);
    /// assert_eq!(StateIcons::read("XPM\n\"7 6 2 1\"").sides().count(), 0);
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut icons = Self::default();
        for line in text.lines() {
            let shape: Option<fn(f64, f64) -> bool> = match line.trim() {
                "circles" => Some(|x, y| x * x + y * y < 0.81),
                "diamonds" => Some(|x, y| x.abs() + y.abs() < 0.95),
                "hexagons" => Some(|x, y| y.abs() < 0.8 && x.abs() + y.abs() / 2.0 < 0.95),
                "triangles" => Some(|x, y| y.abs() < 0.85 && x.abs() < (y + 0.95) / 2.0),
                _ => None,
            };
            if let Some(shape) = shape {
                SIDES
                    .iter()
                    .for_each(|side| icons.insert(drawn(*side, shape)));
            }
        }
        for part in text.split("XPM").skip(1) {
            if let Some(column) = column(part) {
                icons.insert(column);
            }
        }
        icons
    }

    fn insert(&mut self, column: IconColumn) {
        self.columns.retain(|other| other.side != column.side);
        self.columns.push(column);
        self.columns.sort_by_key(|column| column.side);
    }

    /// The sides in which there are icons, in ascending order.
    pub fn sides(&self) -> impl Iterator<Item = u32> {
        self.columns.iter().map(|column| column.side)
    }

    /// All colours that icons of these states can have, in every side.
    ///
    /// ```
    /// use render::{Palette, StateIcons, Theme};
    /// let palette = Palette::of(&"/2/3".parse()?, &Theme::PAPER);
    /// let colours = StateIcons::read("circles").colours(&palette, 3);
    /// assert!(colours.contains(&palette.states[1]) && colours.contains(&palette.states[2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn colours(&self, palette: &Palette, states: u16) -> Vec<Rgb> {
        let pictures = self
            .sides()
            .filter_map(|side| self.picture(side, palette, states));
        let colours: BTreeSet<Rgb> = pictures.flat_map(|picture| picture.pixels).collect();
        colours.into_iter().collect()
    }

    /// The icons of all states from 0 on, one below the other, in the colours of a palette.
    /// Nothing where there are none of this side.
    ///
    /// ```
    /// use render::{Palette, StateIcons, Theme};
    /// let rule = "/2/3".parse()?;
    /// let palette = Palette::of(&rule, &Theme::PAPER);
    /// let icons = StateIcons::read("diamonds");
    /// let picture = icons.picture(7, &palette, 3).expect("diamonds have all sides");
    /// assert_eq!((picture.width, picture.height), (7, 21));
    /// assert_eq!(picture.pixel(3, 7 + 3), palette.states[1]);
    /// assert_eq!(picture.pixel(0, 7), palette.states[0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn picture(&self, side: u32, palette: &Palette, states: u16) -> Option<Picture> {
        let column = self.columns.iter().find(|column| column.side == side)?;
        let paper = palette.states[0];
        let area = (side * side) as usize;
        let icons = column.pixels.len() / area;
        let mut picture = Picture::filled(side, side * u32::from(states), paper);
        for state in 1..usize::from(states) {
            let icon = state.min(icons) - 1;
            let from = &column.pixels[icon * area..][..area];
            let to = &mut picture.pixels[state * area..][..area];
            let ink = palette.states[state];
            for (to, from) in to.iter_mut().zip(from) {
                *to = match *from {
                    Rgb { r: 0, g: 0, b: 0 } => paper,
                    Rgb { r, .. } if column.is_grey => paper.mix(ink, f32::from(r) / 255.0),
                    colour => colour,
                };
            }
        }
        Some(picture)
    }
}

/// One icon for all states: grey is how much of a pixel lies in the shape.
fn drawn(side: u32, shape: fn(f64, f64) -> bool) -> IconColumn {
    const PARTS: u32 = 4;
    let at = |pixel: u32, part: u32| {
        let place = f64::from(pixel * PARTS + part) + 0.5;
        2.0 * place / f64::from(side * PARTS) - 1.0
    };
    let grey = |x: u32, y: u32| {
        let parts = (0..PARTS * PARTS).filter(|i| shape(at(x, i % PARTS), at(y, i / PARTS)));
        let level = (parts.count() * 255 / (PARTS * PARTS) as usize) as u8;
        Rgb {
            r: level,
            g: level,
            b: level,
        }
    };
    let pixels = (0..side * side).map(|i| grey(i % side, i / side));
    IconColumn {
        side,
        pixels: pixels.collect(),
        is_grey: true,
    }
}

/// Reads one XPM picture from its quoted lines.
fn column(text: &str) -> Option<IconColumn> {
    let mut lines = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split('"').next());
    let mut header = lines.next()?.split_whitespace();
    let mut number = || header.next()?.parse::<usize>().ok();
    let (width, height, colours, letters) = (number()?, number()?, number()?, number()?);
    let side = SIDES.into_iter().find(|side| *side as usize == width)?;
    let is_whole = height > 0 && height.is_multiple_of(width) && height <= 255 * width;
    if !is_whole || !(1..=MOST_COLOURS).contains(&colours) || !(1..=4).contains(&letters) {
        return None;
    }
    let mut named = std::collections::HashMap::new();
    for _ in 0..colours {
        let line = lines.next()?;
        let (name, rest) = line.split_at_checked(letters)?;
        let value = rest.trim_start().strip_prefix('c')?.trim();
        named.insert(name, value.parse::<Rgb>().ok()?);
    }
    let mut pixels = Vec::with_capacity(width * height);
    for _ in 0..height {
        let mut row = lines.next()?;
        for _ in 0..width {
            let (name, rest) = row.split_at_checked(letters)?;
            pixels.push(*named.get(name)?);
            row = rest;
        }
    }
    let is_grey = named.values().all(|c| c.r == c.g && c.g == c.b);
    Some(IconColumn {
        side,
        pixels,
        is_grey,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Theme;

    /// Two icons of 7 pixels: a cross, and a corner.
    fn xpm(colours: &str, letters: [&str; 3]) -> String {
        let [paper, a, b] = letters;
        let row = |mask: &str| {
            let pixels = mask.chars().map(|c| match c {
                'a' => a,
                'b' => b,
                _ => paper,
            });
            format!("\"{}\"\n", pixels.collect::<String>())
        };
        let mut rows = row("...a...").repeat(3) + &row("aaaaaaa") + &row("...a...").repeat(3);
        rows += &row("bb.....").repeat(2);
        rows += &row(".......").repeat(5);
        format!(
            "XPM\n/* a comment */\n\"7 14 3 {}\"\n{colours}{rows}",
            paper.len()
        )
    }

    fn palette() -> Palette {
        Palette::of(&"/2/4".parse().unwrap(), &Theme::PAPER)
    }

    #[test]
    fn colours_stand_as_they_are_and_greys_are_tinted() {
        let palette = palette();
        let paper = palette.states[0];
        let coloured = xpm(
            "\". c #000000\"\n\"a c #FF8000\"\n\"b c #FFFFFF\"\n",
            [".", "a", "b"],
        );
        let picture = StateIcons::read(&coloured).picture(7, &palette, 4).unwrap();
        assert_eq!((picture.width, picture.height), (7, 28));
        assert_eq!(picture.pixel(3, 7), Rgb::hex(0xff8000));
        assert_eq!(picture.pixel(0, 7), paper);
        assert_eq!(picture.pixel(0, 14), Rgb::hex(0xffffff));
        assert_eq!(
            picture.pixel(0, 21),
            Rgb::hex(0xffffff),
            "the last icon goes on"
        );
        // two letters a pixel, greys alone
        let grey = xpm(
            "\".. c #000000\"\n\"aa c #FFFFFF\"\n\"bb c #808080\"\n",
            ["..", "aa", "bb"],
        );
        let picture = StateIcons::read(&grey).picture(7, &palette, 4).unwrap();
        assert_eq!(picture.pixel(3, 7), palette.states[1]);
        assert_eq!(
            picture.pixel(0, 14),
            paper.mix(palette.states[2], 128.0 / 255.0)
        );
    }

    #[test]
    fn what_is_no_picture_is_left_out() {
        let good = xpm(
            "\". c #000000\"\n\"a c #FF8000\"\n\"b c #FFFFFF\"\n",
            [".", "a", "b"],
        );
        assert_eq!(StateIcons::read(&good).sides().collect::<Vec<_>>(), [7]);
        for bad in [
            good.replace("7 14", "8 16"),
            good.replace("7 14", "7 13"),
            good.replace("7 14", "7 7000000"),
            good.replace("3 1", "99999999999 1"),
            good.replace("#FF8000", "#FF80"),
            good.replace("bb.....", "bx....."),
            good.replace("bb.....", "b"),
            good.replace("bb.....", "é\u{301}"),
            good[..good.len() / 2].to_string(),
            String::new(),
        ] {
            assert_eq!(StateIcons::read(&bad).sides().count(), 0, "{bad}");
        }
    }

    #[test]
    fn shapes_have_names() {
        for name in ["circles", "diamonds", "hexagons", "triangles"] {
            let icons = StateIcons::read(name);
            for side in SIDES {
                let picture = icons.picture(side, &palette(), 2).unwrap();
                let ink = picture.pixels.iter().filter(|p| **p == palette().states[1]);
                let part = ink.count() as f64 / f64::from(side * side);
                assert!((0.2..0.8).contains(&part), "{name} {side}: {part}");
            }
        }
    }
}
