//! Soups from strings: the hash soups of apgsearch and Catagolue, in every symmetry.
//!
//! A soup's cells are the bits of the SHA-256 of its seed string. The layout of the bits and of
//! the copies that make a symmetry is that of lifelib 2.5.6 (`soup/hashsoup.h`, facts only; the
//! code is our own), held here against cells that lifelib made.

use dice::Dice;
use pattern::{Cells, Run};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How the cells of a soup are made of its seed.
///
/// ```
/// use census::HashSoupSymmetry;
///
/// let symmetry: HashSoupSymmetry = "D8_4".parse()?;
/// assert_eq!(symmetry.to_string(), "D8_4");
/// assert!("D9".parse::<HashSoupSymmetry>().is_err());
/// # Ok::<(), census::HashSoupSymmetryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashSoupSymmetry {
    /// As Catagolue writes it.
    name: String,
    layout: SoupLayout,
    /// How often each cell becomes a block of 2 x 2.
    doublings: u32,
}

/// No symmetry of soups has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no soups of symmetry {name}: there are {}", HashSoupSymmetry::list())]
pub struct HashSoupSymmetryError {
    /// What was asked for.
    pub name: String,
}

/// A text is not the name of a soup.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SoupNameError {
    /// There is no slash, or nothing on one side of it.
    #[error("a soup is named SYMMETRY/SEED, as in C1/census_seed_a0; this is {0:?}")]
    Form(String),
    /// Before the slash stands no symmetry.
    #[error(transparent)]
    Symmetry(#[from] HashSoupSymmetryError),
    /// Such soups have no seeds.
    #[error("{0:?}: soups of stdin are given to `census run`, and not made of a seed")]
    Given(String),
}

/// What the 256 bits are laid out as, before cells are doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SoupLayout {
    /// A square of 16 x 16, and copies of it: an index into [`SQUARES`].
    Square(usize),
    /// A box of 256 cells, so many wide.
    Strip(usize),
    /// A square of so many cells a side, filled with one hash after another.
    Large(usize),
    /// A box of random cells of our own.
    Dice(DiceSoup),
    /// Whatever is given.
    Given,
}

/// A box of so many columns and rows, in which each cell lives with a probability, in
/// ten-thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DiceSoup {
    width: u32,
    height: u32,
    density: u32,
}

/// What the symmetries of other programs do not begin with.
const OURS: &str = "ours_";

/// What names soups that are given, as apgsearch does.
const GIVEN: &str = "stdin";

/// The longest side of a soup of our own.
const LONGEST_SIDE: u32 = 1024;

/// Ten-thousandths.
const WHOLE_DENSITY: u32 = 10_000;

impl DiceSoup {
    /// Reads what stands behind [`OURS`]: `24x24_0.3`.
    fn read(text: &str) -> Option<Self> {
        let (size, density) = text.split_once('_')?;
        let (width, height) = size.split_once('x')?;
        let side = |text: &str| {
            let side = text.parse().ok()?;
            (1..=LONGEST_SIDE).contains(&side).then_some(side)
        };
        let density: f64 = density.parse().ok()?;
        let share = (density * f64::from(WHOLE_DENSITY)).round();
        let is_share = (1.0..=f64::from(WHOLE_DENSITY)).contains(&share);
        Some(Self {
            width: side(width)?,
            height: side(height)?,
            density: is_share.then_some(share as u32)?,
        })
    }

    fn put(self, seed: &str, put: &mut impl FnMut(i32, i32)) {
        let digest = Sha256::digest(seed);
        let number = digest[..8]
            .iter()
            .fold(0, |n, &byte| n << 8 | u64::from(byte));
        let mut dice = Dice::new(number);
        for y in 0..self.height {
            for x in 0..self.width {
                if dice.below(WHOLE_DENSITY) < self.density {
                    put(x as i32, y as i32);
                }
            }
        }
    }
}

/// The square that a soup begins with: the bits as they are, or half of them and its mirror
/// image in the anti-diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SoupSquare {
    /// As hashed.
    Plain,
    /// Mirrored in the anti-diagonal.
    Transposed,
    /// As hashed, or transposed where the seed does not begin with `l_`.
    TransposedUnlessMarked,
    /// The half above the anti-diagonal, twice.
    UpperHalf,
    /// The half below it, twice.
    LowerHalf,
}

/// How a copy is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SoupCopy {
    /// Upside down, of the side square.
    Vertical,
    /// Left for right, of the side square.
    Horizontal,
    /// By half a turn, of the first square.
    HalfTurn,
}

/// A symmetry made of squares: its name, the first square, the one that sides are copied from,
/// and the copies with their places.
struct SquareSymmetry {
    name: &'static str,
    base: SoupSquare,
    side: SoupSquare,
    copies: &'static [(SoupCopy, i32, i32)],
}

use SoupCopy::{HalfTurn, Horizontal, Vertical};
use SoupSquare::{LowerHalf, Plain, Transposed, TransposedUnlessMarked, UpperHalf};

const AROUND_CELL: &[(SoupCopy, i32, i32)] =
    &[(Vertical, 0, -15), (Horizontal, 15, 0), (HalfTurn, 15, -15)];
const AROUND_EDGE: &[(SoupCopy, i32, i32)] =
    &[(Vertical, 0, -15), (Horizontal, 16, 0), (HalfTurn, 16, -15)];
const AROUND_CORNER: &[(SoupCopy, i32, i32)] =
    &[(Vertical, 0, -16), (Horizontal, 16, 0), (HalfTurn, 16, -16)];

const fn square(
    name: &'static str,
    base: SoupSquare,
    side: SoupSquare,
    copies: &'static [(SoupCopy, i32, i32)],
) -> SquareSymmetry {
    SquareSymmetry {
        name,
        base,
        side,
        copies,
    }
}

#[rustfmt::skip]
const SQUARES: [SquareSymmetry; 19] = [
    square("C1", Plain, Plain, &[]),
    square("C2_1", Plain, Plain, &[(HalfTurn, 15, -15)]),
    square("C2_2", TransposedUnlessMarked, Plain, &[(HalfTurn, 16, -15)]),
    square("C2_4", Plain, Plain, &[(HalfTurn, 16, -16)]),
    square("C4_1", Plain, Transposed, AROUND_CELL),
    square("C4_4", Plain, Transposed, AROUND_CORNER),
    square("D2_+1", Plain, Plain, &[(Vertical, 0, -15)]),
    square("D2_+2", Plain, Plain, &[(Vertical, 0, -16)]),
    square("D2_+1_gO1s0", Plain, Plain, &[(Vertical, 0, -17)]),
    square("D2_+1_gO1s1", Plain, Plain, &[(Vertical, 1, -17)]),
    square("D2_+1_gO1s2", Plain, Plain, &[(Vertical, 2, -17)]),
    square("D2_x", UpperHalf, UpperHalf, &[]),
    square("D4_+1", Plain, Plain, AROUND_CELL),
    square("D4_+2", Plain, Plain, AROUND_EDGE),
    square("D4_+4", Plain, Plain, AROUND_CORNER),
    square("D4_x1", UpperHalf, LowerHalf, AROUND_CELL),
    square("D4_x4", UpperHalf, LowerHalf, AROUND_CORNER),
    square("D8_1", UpperHalf, UpperHalf, AROUND_CELL),
    square("D8_4", UpperHalf, UpperHalf, AROUND_CORNER),
];

const STRIPS: [(&str, usize); 4] = [("8x32", 32), ("4x64", 64), ("2x128", 128), ("1x256", 256)];

const LARGE: [(&str, usize); 9] = [
    ("32x32", 32),
    ("64x64", 64),
    ("128x128", 128),
    ("256x256", 256),
    ("512x512", 512),
    ("1kx1k", 1024),
    ("2kx2k", 2048),
    ("4kx4k", 4096),
    ("8kx8k", 8192),
];

impl HashSoupSymmetry {
    /// All of them, for a message.
    fn list() -> String {
        let squares = SQUARES.iter().map(|square| square.name.to_owned());
        let strips = STRIPS.iter().map(|(name, _)| (*name).to_owned());
        let large = LARGE.iter().map(|(name, _)| large_name(name));
        let all: Vec<_> = squares.chain(strips).chain(large).collect();
        format!(
            "{}; G and H in place of C and D for soups made on a graphics card; i or ii before \
             them for cells of 2 x 2 or 4 x 4; {OURS}24x24_0.3 for soups of our own, of this size \
             and density; a name with {GIVEN} in it for soups that `census run` reads",
            all.join(" ")
        )
    }

    /// Whether only this program makes such soups: Catagolue takes none of them.
    ///
    /// ```
    /// use census::HashSoupSymmetry;
    ///
    /// let is_ours = |name: &str| name.parse().map(|soup: HashSoupSymmetry| soup.is_ours());
    /// assert_eq!((is_ours("C1")?, is_ours("ours_24x24_0.3")?), (false, true));
    /// # Ok::<(), census::HashSoupSymmetryError>(())
    /// ```
    #[must_use]
    pub fn is_ours(&self) -> bool {
        matches!(self.layout, SoupLayout::Dice(_))
    }

    /// Whether soups are given as patterns, and not made of seeds: its name has `stdin` in it.
    ///
    /// ```
    /// use census::HashSoupSymmetry;
    ///
    /// let is_given = |name: &str| name.parse().map(|soup: HashSoupSymmetry| soup.is_given());
    /// assert_eq!((is_given("C1")?, is_given("my_stdin")?), (false, true));
    /// # Ok::<(), census::HashSoupSymmetryError>(())
    /// ```
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.layout == SoupLayout::Given
    }

    /// Whether a soup is the 256 bits as a square, without copies.
    pub(crate) fn is_plain_square(&self) -> bool {
        self.layout == SoupLayout::Square(0) && self.doublings == 0
    }
}

fn large_name(size: &str) -> String {
    format!("Mateon1_{size}_Test")
}

impl FromStr for HashSoupSymmetry {
    type Err = HashSoupSymmetryError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let plain = name.trim_start_matches('i');
        let doublings = name.len() - plain.len();
        let layout = layout_of(plain).filter(|_| doublings <= 2);
        match layout {
            Some(layout) => Ok(Self {
                name: name.to_owned(),
                layout,
                doublings: doublings as u32,
            }),
            None => Err(HashSoupSymmetryError {
                name: name.to_owned(),
            }),
        }
    }
}

fn layout_of(name: &str) -> Option<SoupLayout> {
    if name.contains(GIVEN) {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_+-".contains(c);
        return name.chars().all(is_plain).then_some(SoupLayout::Given);
    }
    if let Some(ours) = name.strip_prefix(OURS) {
        return DiceSoup::read(ours).map(SoupLayout::Dice);
    }
    let named = match (name.strip_prefix('G'), name.strip_prefix('H')) {
        (Some(rest), _) => format!("C{rest}"),
        (_, Some(rest)) => format!("D{rest}"),
        _ => name.to_owned(),
    };
    if let Some(i) = SQUARES.iter().position(|square| square.name == named) {
        return Some(SoupLayout::Square(i));
    }
    if let Some((_, width)) = STRIPS.iter().find(|(strip, _)| *strip == name) {
        return Some(SoupLayout::Strip(*width));
    }
    let (_, side) = LARGE
        .iter()
        .find(|(size, _)| *size == name || large_name(size) == name)?;
    Some(SoupLayout::Large(*side))
}

impl fmt::Display for HashSoupSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A soup's name as Catagolue writes it: `C1/n_GcpqZ62YqD3310086454`.
///
/// ```
/// use census::SoupName;
///
/// let name: SoupName = "C1/n_GcpqZ62YqD3310086454".parse()?;
/// assert_eq!(name.seed, "n_GcpqZ62YqD3310086454");
/// assert_eq!(name.to_string(), "C1/n_GcpqZ62YqD3310086454");
/// # Ok::<(), census::SoupNameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoupName {
    /// The symmetry.
    pub symmetry: HashSoupSymmetry,
    /// The seed string: root and index.
    pub seed: String,
}

impl FromStr for SoupName {
    type Err = SoupNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (symmetry, seed) = match text.split_once('/') {
            Some((symmetry, seed)) if !symmetry.is_empty() && !seed.is_empty() => (symmetry, seed),
            _ => return Err(SoupNameError::Form(text.to_owned())),
        };
        let symmetry: HashSoupSymmetry = symmetry.parse()?;
        match symmetry.is_given() {
            true => Err(SoupNameError::Given(text.to_owned())),
            false => Ok(Self {
                symmetry,
                seed: seed.to_owned(),
            }),
        }
    }
}

impl fmt::Display for SoupName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.symmetry, self.seed)
    }
}

/// The cells of the soup of a seed string; none where soups are given. A soup of the square symmetries has the corner of
/// its first square at (0, 0), and its copies above and to the right.
///
/// ```
/// use census::soup::hash_soup;
///
/// let cells = hash_soup(&"C1".parse()?, "census_seed_a0");
/// assert_eq!(cells.population(), 126_u8.into());
/// # Ok::<(), census::HashSoupSymmetryError>(())
/// ```
#[must_use]
pub fn hash_soup(symmetry: &HashSoupSymmetry, seed: &str) -> Cells {
    let mut runs = Vec::new();
    for_each_cell(symmetry, seed, |x, y| {
        runs.push(Run {
            y: y.into(),
            x: x.into(),
            length: 1,
            state: 1,
        });
    });
    Cells::from_runs(runs)
}

/// The rows of a plain square from the top, the least significant bit of each on the left.
pub(crate) fn square_rows(seed: &str) -> [u16; 16] {
    let digest = Sha256::digest(seed);
    std::array::from_fn(|y| u16::from_be_bytes([digest[2 * y], digest[2 * y + 1]]))
}

/// Calls `f` with each live cell, in no order. Where copies overlap, cells come twice.
pub(crate) fn for_each_cell(symmetry: &HashSoupSymmetry, seed: &str, mut f: impl FnMut(i32, i32)) {
    let scale = 1 << symmetry.doublings;
    let mut put = |x: i32, y: i32| {
        for row in 0..scale {
            for column in 0..scale {
                f(x * scale + column, y * scale + row);
            }
        }
    };
    match symmetry.layout {
        SoupLayout::Square(i) => put_squares(&SQUARES[i], seed, &mut put),
        SoupLayout::Strip(width) => put_strip(width, seed, &mut put),
        SoupLayout::Large(side) => put_large(side, seed, &mut put),
        SoupLayout::Dice(soup) => soup.put(seed, &mut put),
        SoupLayout::Given => {}
    }
}

fn put_squares(symmetry: &SquareSymmetry, seed: &str, put: &mut impl FnMut(i32, i32)) {
    let hashed = square_rows(seed);
    let base = shape_square(&hashed, symmetry.base, seed);
    let side = shape_square(&hashed, symmetry.side, seed);
    put_rows(&base, 0, 0, put);
    for &(copy, dx, dy) in symmetry.copies {
        let turned = match copy {
            Vertical => std::array::from_fn(|y| side[15 - y]),
            Horizontal => side.map(u16::reverse_bits),
            HalfTurn => std::array::from_fn(|y| base[15 - y].reverse_bits()),
        };
        put_rows(&turned, dx, dy, put);
    }
}

fn put_rows(rows: &[u16; 16], dx: i32, dy: i32, put: &mut impl FnMut(i32, i32)) {
    for (y, row) in (dy..).zip(rows) {
        for x in 0..16 {
            if row >> x & 1 == 1 {
                put(x + dx, y);
            }
        }
    }
}

fn shape_square(hashed: &[u16; 16], square: SoupSquare, seed: &str) -> [u16; 16] {
    let plain = |x: usize, y: usize| hashed[y] >> x & 1;
    let transposed = |x: usize, y: usize| plain(15 - y, 15 - x);
    let is_transposed = match square {
        Plain => return *hashed,
        TransposedUnlessMarked if seed.starts_with("l_") => return *hashed,
        _ => |square: SoupSquare, above: bool| match square {
            UpperHalf => !above,
            LowerHalf => above,
            _ => true,
        },
    };
    std::array::from_fn(|y| {
        (0..16).fold(0, |row, x| {
            let bit = if is_transposed(square, x + y < 16) {
                transposed(x, y)
            } else {
                plain(x, y)
            };
            row | bit << x
        })
    })
}

fn put_strip(width: usize, seed: &str, put: &mut impl FnMut(i32, i32)) {
    let digest = Sha256::digest(seed);
    for cell in 0..256 {
        let (x, y) = (cell % width, cell / width);
        let bytes = width / 8;
        if digest[bytes * y + bytes - 1 - x / 8] >> (x % 8) & 1 == 1 {
            put(x as i32, y as i32);
        }
    }
}

/// Tiles of 8 x 8 cells, a hash for four of them, row by row.
fn put_large(side: usize, seed: &str, put: &mut impl FnMut(i32, i32)) {
    let mut digest = Sha256::digest(seed);
    for tile in 0..side * side / 64 {
        if tile > 0 && tile % 4 == 0 {
            digest = Sha256::digest(format!("{seed}:{:03}", tile / 4));
        }
        let (i, j) = (tile % (side / 8), tile / (side / 8));
        for row in 0..8 {
            let byte = digest[row + 8 * (i % 4)];
            for x in 0..8 {
                if byte >> x & 1 == 1 {
                    put((8 * i + x) as i32, (8 * j + row) as i32);
                }
            }
        }
    }
}
