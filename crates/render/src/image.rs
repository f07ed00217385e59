//! PNG and APNG (W3C, *Portable Network Graphics*, third edition), and GIF (CompuServe, *GIF89a*).

use crate::{Picture, Rgb};
use std::collections::HashMap;
use std::io::{self, Write};

/// A PNG file: with a palette where 256 colours are enough.
///
/// ```
/// use render::{Picture, Rgb};
///
/// let file = render::png(&Picture::filled(16, 16, Rgb::hex(0x1d2433)));
/// assert!(file.starts_with(b"\x89PNG\r\n\x1a\n"));
/// assert_eq!(&file[16..24], [0, 0, 0, 16, 0, 0, 0, 16]); // its width and height
/// ```
#[must_use]
pub fn png(picture: &Picture) -> Vec<u8> {
    let mut file = Vec::new();
    let colours = distinct(picture, 256);
    let written = match colours {
        Some(colours) => PngWriter::new(&mut file, picture, &colours, None),
        None => PngWriter::new(&mut file, picture, &[], None),
    };
    let written = written.and_then(|mut film| {
        film.push(picture)?;
        film.finish()
    });
    written
        .expect("a vector takes all that is written, and a picture has as many pixels as it says");
    file
}

/// The distinct colours of a picture in order of appearance; `None` if there are more than
/// `most`.
fn distinct(picture: &Picture, most: usize) -> Option<Vec<Rgb>> {
    let mut seen = ColourIndex::new(&[]);
    let mut last = None;
    for &pixel in &picture.pixels {
        if last != Some(pixel) {
            last = Some(pixel);
            if !seen.exact.contains_key(&pixel) {
                if seen.colours.len() == most {
                    return None;
                }
                seen.exact.insert(pixel, seen.colours.len() as u8);
                seen.colours.push(pixel);
            }
        }
    }
    Some(seen.colours)
}

/// The palette index of each colour.
struct ColourIndex {
    colours: Vec<Rgb>,
    exact: HashMap<Rgb, u8>,
}

impl ColourIndex {
    /// Of the first 256 of these.
    fn new(colours: &[Rgb]) -> Self {
        let mut index = Self {
            colours: Vec::new(),
            exact: HashMap::new(),
        };
        for &colour in colours {
            if index.colours.len() < 256 && !index.exact.contains_key(&colour) {
                index.exact.insert(colour, index.colours.len() as u8);
                index.colours.push(colour);
            }
        }
        index
    }

    /// The number of a colour, or of the nearest there is.
    fn of(&mut self, colour: Rgb) -> u8 {
        let colours = &self.colours;
        *self.exact.entry(colour).or_insert_with(|| {
            let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
            let far = |c: &Rgb| {
                2 * square(c.r, colour.r) + 4 * square(c.g, colour.g) + square(c.b, colour.b)
            };
            let nearest = (0..colours.len()).min_by_key(|&i| far(&colours[i]));
            nearest.unwrap_or(0) as u8
        })
    }

    /// The numbers of a patch of a picture, row by row.
    fn patch(&mut self, picture: &Picture, patch: PictureRegion) -> Vec<u8> {
        let mut numbers = Vec::with_capacity(patch.width * patch.height);
        let mut last = (Rgb::default(), self.of(Rgb::default()));
        for row in patch.rows(picture) {
            for &pixel in row {
                if pixel != last.0 {
                    last = (pixel, self.of(pixel));
                }
                numbers.push(last.1);
            }
        }
        numbers
    }

    fn bytes(&self) -> Vec<u8> {
        let bytes = self.colours.iter().flat_map(|c| [c.r, c.g, c.b]);
        bytes.collect()
    }
}

/// A rectangular region of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PictureRegion {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

impl PictureRegion {
    fn whole(picture: &Picture) -> Self {
        Self {
            x: 0,
            y: 0,
            width: picture.width as usize,
            height: picture.height as usize,
        }
    }

    /// The smallest region that holds all differences; one pixel where there are none.
    fn of_changes(before: &Picture, after: &Picture) -> Self {
        let width = after.width as usize;
        let rows = before.pixels.chunks(width).zip(after.pixels.chunks(width));
        let changed = rows.enumerate().filter(|(_, (a, b))| a != b);
        let mut found: Option<(usize, usize, usize, usize)> = None;
        for (y, (a, b)) in changed {
            let differs = |x: &usize| a[*x] != b[*x];
            let first = (0..width).find(differs).unwrap_or(0);
            let last = (0..width).rfind(differs).unwrap_or(0);
            found = Some(match found {
                None => (first, y, last, y),
                Some((left, top, right, _)) => (left.min(first), top, right.max(last), y),
            });
        }
        let (left, top, right, bottom) = found.unwrap_or_default();
        Self {
            x: left,
            y: top,
            width: right - left + 1,
            height: bottom - top + 1,
        }
    }

    fn rows<'a>(&self, picture: &'a Picture) -> impl Iterator<Item = &'a [Rgb]> {
        let Self {
            x,
            y,
            width,
            height,
            ..
        } = *self;
        let rows = picture.pixels.chunks(picture.width as usize);
        rows.skip(y).take(height).map(move |row| &row[x..x + width])
    }
}

/// The length and frame delay of an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnimationTiming {
    /// How many pictures there will be, at least one.
    pub pictures: u32,
    /// Hundredths of a second that each is shown.
    pub hundredths: u16,
}

/// A writer of PNG or APNG files, picture by picture; after the first picture only the changed
/// region is written.
///
/// ```
/// use render::{PngWriter, AnimationTiming, Picture, Rgb};
/// let mut picture = Picture::filled(8, 8, Rgb::hex(0xfbf8ef));
/// let colours = [Rgb::hex(0xfbf8ef), Rgb::hex(0x1d2433)];
/// let pace = AnimationTiming { pictures: 2, hundredths: 10 };
/// let mut file = Vec::new();
/// let mut film = PngWriter::new(&mut file, &picture, &colours, Some(pace))?;
/// film.push(&picture)?;
/// picture.pixels[9] = colours[1];
/// film.push(&picture)?;
/// film.finish()?;
/// assert_eq!(&file[1..4], b"PNG");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct PngWriter<W: Write> {
    writer: png::Writer<W>,
    /// None where pixels are written as they are.
    index: Option<ColourIndex>,
    depth: usize,
    before: Option<Picture>,
    left: u32,
}

impl<W: Write> PngWriter<W> {
    /// Begins a file for pictures of this size. Without colours, or with more than 256, pixels
    /// are written in full colour; else each pixel gets the nearest of these colours. Without a
    /// timing there is one picture.
    ///
    /// # Errors
    /// When `out` does not take it, or a picture has no pixels.
    ///
    /// ```
    /// use render::{Picture, PngWriter, Rgb};
    ///
    /// let picture = Picture::filled(4, 4, Rgb::default());
    /// assert!(PngWriter::new(Vec::new(), &picture, &[Rgb::default()], None).is_ok());
    /// ```
    pub fn new(
        out: W,
        like: &Picture,
        colours: &[Rgb],
        pace: Option<AnimationTiming>,
    ) -> io::Result<Self> {
        let mut encoder = png::Encoder::new(out, like.width, like.height);
        let is_indexed = (1..=256).contains(&colours.len());
        let index = is_indexed.then(|| ColourIndex::new(colours));
        let depth = match colours.len() {
            0..=2 => (png::BitDepth::One, 1),
            3..=4 => (png::BitDepth::Two, 2),
            5..=16 => (png::BitDepth::Four, 4),
            _ => (png::BitDepth::Eight, 8),
        };
        match &index {
            Some(index) => {
                encoder.set_color(png::ColorType::Indexed);
                encoder.set_depth(depth.0);
                encoder.set_palette(index.bytes());
            }
            None => encoder.set_color(png::ColorType::Rgb),
        }
        if let Some(pace) = pace {
            encoder.set_animated(pace.pictures, 0)?;
            encoder.set_frame_delay(pace.hundredths, 100)?;
        }
        Ok(Self {
            writer: encoder.write_header()?,
            index,
            depth: depth.1,
            before: None,
            left: pace.map_or(1, |pace| pace.pictures),
        })
    }

    /// The next picture.
    ///
    /// # Errors
    /// When it cannot be written, or is one too many.
    ///
    /// # Panics
    /// When it is not as large as the first one.
    ///
    /// ```
    /// use render::{Picture, PngWriter, Rgb};
    ///
    /// let picture = Picture::filled(4, 4, Rgb::default());
    /// let mut writer = PngWriter::new(Vec::new(), &picture, &[], None)?;
    /// writer.push(&picture)?;
    /// assert!(writer.push(&picture).is_err(), "without a timing there is one picture");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn push(&mut self, picture: &Picture) -> io::Result<()> {
        let Some(left) = self.left.checked_sub(1) else {
            let message = "there are more pictures than were said to come";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        };
        let patch = match &self.before {
            None => PictureRegion::whole(picture),
            Some(before) => {
                let patch = PictureRegion::of_changes(before, picture);
                self.writer.reset_frame_position()?;
                self.writer
                    .set_frame_dimension(patch.width as u32, patch.height as u32)?;
                self.writer
                    .set_frame_position(patch.x as u32, patch.y as u32)?;
                patch
            }
        };
        let bytes = match &mut self.index {
            Some(index) => packed(&index.patch(picture, patch), patch.width, self.depth),
            None => {
                let pixels = patch.rows(picture).flatten();
                pixels.flat_map(|c| [c.r, c.g, c.b]).collect()
            }
        };
        self.writer.write_image_data(&bytes)?;
        self.left = left;
        if left > 0 {
            self.before = Some(picture.clone());
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When it cannot be written, or pictures are missing.
    pub fn finish(self) -> io::Result<()> {
        Ok(self.writer.finish()?)
    }
}

/// Packs numbers of `depth` bits each, the first in the highest bits, rows padded to whole
/// bytes.
fn packed(numbers: &[u8], width: usize, depth: usize) -> Vec<u8> {
    if depth == 8 {
        return numbers.to_vec();
    }
    let each = 8 / depth;
    let rows = numbers.chunks(width);
    let bytes = rows.flat_map(|row| {
        row.chunks(each).map(|part| {
            let numbers = part.iter().enumerate();
            numbers.fold(0, |byte, (i, n)| byte | n << (8 - depth * (i + 1)))
        })
    });
    bytes.collect()
}

/// A writer of GIF files that loop, picture by picture. After the first picture only the
/// changed region is written.
///
/// ```
/// use render::{GifWriter, Picture, Rgb};
///
/// let (paper, ink) = (Rgb::hex(0xfbf8ef), Rgb::hex(0x1d2433));
/// let mut file = Vec::new();
/// let mut picture = Picture::filled(8, 8, paper);
/// let mut gif = GifWriter::new(&mut file, &picture, &[paper, ink], 10)?;
/// gif.push(&picture)?;
/// picture.pixels[9] = ink;
/// gif.push(&picture)?;
/// gif.finish()?;
/// assert!(file.starts_with(b"GIF89a"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct GifWriter<W: Write> {
    encoder: gif::Encoder<W>,
    index: ColourIndex,
    hundredths: u16,
    before: Option<Picture>,
}

impl<W: Write> GifWriter<W> {
    /// The longest side of a GIF.
    pub const MAX_SIDE: u32 = u16::MAX as u32;

    /// Begins a file for pictures of this size, in at most 256 colours: each pixel gets the
    /// nearest of them. Each picture is shown for `hundredths` hundredths of a second.
    ///
    /// # Errors
    /// When `out` does not take it, or a side is longer than [`GifWriter::MAX_SIDE`].
    ///
    /// ```
    /// use render::{GifWriter, Picture, Rgb};
    ///
    /// let wide = Picture::filled(65_536, 1, Rgb::default());
    /// assert!(GifWriter::new(Vec::new(), &wide, &[Rgb::default()], 10).is_err());
    /// ```
    pub fn new(out: W, like: &Picture, colours: &[Rgb], hundredths: u16) -> io::Result<Self> {
        let side = |length: u32| {
            u16::try_from(length).map_err(|_| {
                let message = format!("a GIF is at most {} pixels wide and high", u16::MAX);
                io::Error::new(io::ErrorKind::InvalidInput, message)
            })
        };
        let index = ColourIndex::new(colours);
        let (width, height) = (side(like.width)?, side(like.height)?);
        let mut encoder = gif::Encoder::new(out, width, height, &index.bytes()).map_err(as_io)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(as_io)?;
        Ok(Self {
            encoder,
            index,
            hundredths,
            before: None,
        })
    }

    /// The next picture.
    ///
    /// # Errors
    /// When it cannot be written.
    ///
    /// # Panics
    /// When it is not as large as the first one.
    ///
    /// ```
    /// use render::{GifWriter, Picture, Rgb};
    ///
    /// let picture = Picture::filled(4, 4, Rgb::default());
    /// let mut file = Vec::new();
    /// let mut gif = GifWriter::new(&mut file, &picture, &[Rgb::default()], 10)?;
    /// gif.push(&picture)?;
    /// gif.finish()?;
    /// assert_eq!(file.last(), Some(&b';')); // the trailer
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn push(&mut self, picture: &Picture) -> io::Result<()> {
        let patch = match &self.before {
            None => PictureRegion::whole(picture),
            Some(before) => PictureRegion::of_changes(before, picture),
        };
        let frame = gif::Frame {
            delay: self.hundredths,
            left: patch.x as u16,
            top: patch.y as u16,
            width: patch.width as u16,
            height: patch.height as u16,
            buffer: self.index.patch(picture, patch).into(),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(as_io)?;
        self.before = Some(picture.clone());
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.encoder.into_inner().map(drop).map_err(as_io)
    }
}

fn as_io(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}
