//! Soups: random initial patterns, reproducible on every machine.
//!
//! ChaCha8 (Bernstein, *ChaCha, a variant of Salsa20*, 2008) from a seed, and only integer
//! arithmetic after it. The distributions of a library would be shorter, but may change with its
//! next version, and published seeds would then give other soups.
//!
//! ```
//! use pattern::soup::{Fill, SoupRecipe};
//! let recipe = SoupRecipe { fill: Fill::Exactly(100), seed: 7, ..SoupRecipe::new(32, 24) };
//! let soup = recipe.pattern()?;
//! assert_eq!(soup.cells.population(), 100u8.into());
//! assert_eq!(soup.size, Some((32, 24)));
//! # Ok::<(), pattern::soup::SoupError>(())
//! ```

use crate::interrupt::Checkpoints;
use crate::{Cells, Pattern, Run};
use grid::{Point, State, Symmetry as S};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// The most cells that a soup may have: what a machine of today holds with ease.
pub const MAX_CELLS: u64 = 1 << 28;

/// The symmetries that a soup can be given.
///
/// The names are the usual ones: `C` for rotations, `D` for those with mirrors, the number
/// for how many copies there are, and the mirror lines as they look on the page.
///
/// ```
/// use pattern::soup::{SoupRecipe, SoupSymmetry};
///
/// let symmetry: SoupSymmetry = "D2|".parse()?;
/// let row = SoupRecipe { symmetry, ..SoupRecipe::new(8, 1) }.cells()?;
/// assert!(row.iter().eq(row.iter().rev()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoupSymmetry(usize);

/// Name, what every cell is copied by, whether the soup must be square.
const SYMMETRIES: [(&str, &[S], bool); 10] = [
    ("C1", &[S::Identity], false),
    ("C2", &[S::Identity, S::Rotate180], false),
    (
        "C4",
        &[S::Identity, S::Rotate90, S::Rotate180, S::Rotate270],
        true,
    ),
    ("D2-", &[S::Identity, S::MirrorY], false),
    ("D2|", &[S::Identity, S::MirrorX], false),
    ("D2\\", &[S::Identity, S::Transpose], true),
    ("D2/", &[S::Identity, S::AntiTranspose], true),
    (
        "D4+",
        &[S::Identity, S::Rotate180, S::MirrorX, S::MirrorY],
        false,
    ),
    (
        "D4x",
        &[S::Identity, S::Rotate180, S::Transpose, S::AntiTranspose],
        true,
    ),
    ("D8", &S::ALL, true),
];

impl SoupSymmetry {
    /// No symmetry at all: `C1`.
    pub const NONE: Self = Self(0);

    /// The names of all of them.
    ///
    /// ```
    /// use pattern::soup::SoupSymmetry;
    ///
    /// assert_eq!(SoupSymmetry::names().next(), Some("C1"));
    /// assert_eq!(SoupSymmetry::names().count(), 10);
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        SYMMETRIES.iter().map(|s| s.0)
    }

    /// What every cell is copied by, the identity first.
    ///
    /// ```
    /// use grid::Symmetry;
    /// use pattern::soup::SoupSymmetry;
    ///
    /// let symmetry: SoupSymmetry = "D2|".parse()?;
    /// assert_eq!(symmetry.copies(), [Symmetry::Identity, Symmetry::MirrorX]);
    /// # Ok::<(), pattern::soup::UnknownSymmetry>(())
    /// ```
    #[must_use]
    pub fn copies(self) -> &'static [S] {
        SYMMETRIES[self.0].1
    }

    /// Whether width and height must be the same.
    fn is_square(self) -> bool {
        SYMMETRIES[self.0].2
    }

    /// The orbit of a cell under the symmetry, each cell once, the topmost and then leftmost
    /// first.
    fn orbit(self, width: u64, height: u64, x: u64, y: u64) -> Orbit {
        // Twice the cell's offset from the soup's centre: whole for every size.
        let centred = Point::new(
            2 * x as i64 - (width as i64 - 1),
            2 * y as i64 - (height as i64 - 1),
        );
        let back = |c: i64, side: u64| ((c + side as i64 - 1) / 2) as u64;
        let mut orbit = Orbit::default();
        for symmetry in self.copies() {
            let p = symmetry.apply(centred);
            let cell = (back(p.y, height), back(p.x, width));
            if !orbit.cells().contains(&cell) {
                orbit.cells[orbit.length] = cell;
                orbit.length += 1;
            }
        }
        let length = orbit.length;
        orbit.cells[..length].sort_unstable();
        orbit
    }
}

/// One to eight cells, as row and column.
#[derive(Default)]
struct Orbit {
    cells: [(u64, u64); 8],
    length: usize,
}

impl Orbit {
    fn cells(&self) -> &[(u64, u64)] {
        &self.cells[..self.length]
    }

    /// Whether this is the cell at which the orbit is first met, row by row.
    fn begins_at(&self, x: u64, y: u64) -> bool {
        self.cells[0] == (y, x)
    }
}

impl fmt::Display for SoupSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SYMMETRIES[self.0].0)
    }
}

impl FromStr for SoupSymmetry {
    type Err = UnknownSymmetry;

    /// By its name, in any case.
    fn from_str(text: &str) -> Result<Self, UnknownSymmetry> {
        let mut known = SYMMETRIES.iter();
        let found = known.position(|s| s.0.eq_ignore_ascii_case(text));
        found.map(Self).ok_or(UnknownSymmetry)
    }
}

/// A word that names no symmetry of soups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownSymmetry;

impl std::error::Error for UnknownSymmetry {}

impl fmt::Display for UnknownSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = SoupSymmetry::names().collect();
        write!(f, "expected one of {}", names.join(" "))
    }
}

/// How many cells are live.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// Each with this chance, 0 to 1.
    Density(f64),
    /// Exactly this many.
    Exactly(u64),
}

/// What a soup is made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoupRecipe {
    /// Columns.
    pub width: u64,
    /// Rows.
    pub height: u64,
    /// How many cells are live.
    pub fill: Fill,
    /// 2 to 256; live cells take states 1 to this less one, evenly.
    pub states: u16,
    /// The symmetry of the soup.
    pub symmetry: SoupSymmetry,
    /// The same seed gives the same soup.
    pub seed: u64,
}

/// Why there is no such soup.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SoupError {
    /// A density that is no chance.
    #[error("density {0}: expected 0 to 1")]
    Density(f64),
    /// Too large to be made.
    #[error("{width}x{height} is more than {MAX_CELLS} cells")]
    TooLarge {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A symmetry that turns rows into columns, on a sheet that is no square.
    #[error("symmetry {symmetry} needs a square, not {width}x{height}")]
    NotSquare {
        /// The symmetry that was asked for.
        symmetry: SoupSymmetry,
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// More live cells than there are cells.
    #[error("{width}x{height} has {} cells, not {count}", width * height)]
    TooMany {
        /// How many were asked for.
        count: u64,
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A number of states that no rule has.
    #[error("{0} states: expected 2 to 256")]
    States(u16),
    /// A count that no union of whole orbits has.
    #[error("no {width}x{height} soup with symmetry {symmetry} has exactly {count} live cells")]
    Uneven {
        /// How many were asked for.
        count: u64,
        /// The symmetry that was asked for.
        symmetry: SoupSymmetry,
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
}

impl SoupError {
    /// What to ask for instead.
    ///
    /// ```
    /// use pattern::soup::{Fill, SoupRecipe, SoupSymmetry};
    ///
    /// let symmetry: SoupSymmetry = "D8".parse()?;
    /// let recipe = SoupRecipe { fill: Fill::Exactly(3), symmetry, ..SoupRecipe::new(4, 4) };
    /// assert!(recipe.cells().unwrap_err().hint().is_some());
    /// # Ok::<(), pattern::soup::UnknownSymmetry>(())
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Uneven { .. } => {
                Some("cells come in groups there: try a count that is a multiple of 4")
            }
            _ => None,
        }
    }
}

impl SoupRecipe {
    /// Two states, half of the cells live, no symmetry, seed 0.
    ///
    /// ```
    /// use pattern::soup::{Fill, SoupRecipe};
    ///
    /// let recipe = SoupRecipe::new(16, 16);
    /// assert_eq!((recipe.fill, recipe.states, recipe.seed), (Fill::Density(0.5), 2, 0));
    /// ```
    #[must_use]
    pub fn new(width: u64, height: u64) -> Self {
        Self {
            width,
            height,
            fill: Fill::Density(0.5),
            states: 2,
            symmetry: SoupSymmetry::NONE,
            seed: 0,
        }
    }

    /// The cells, row by row.
    ///
    /// # Errors
    /// When there is no such soup.
    ///
    /// ```
    /// use pattern::soup::{Fill, SoupRecipe};
    ///
    /// let recipe = SoupRecipe { fill: Fill::Exactly(5), ..SoupRecipe::new(4, 3) };
    /// let cells = recipe.cells()?;
    /// assert_eq!((cells.len(), cells.iter().filter(|&&state| state == 1).count()), (12, 5));
    /// # Ok::<(), pattern::soup::SoupError>(())
    /// ```
    pub fn cells(&self) -> Result<Vec<State>, SoupError> {
        self.check()?;
        let (width, height) = (self.width, self.height);
        let mut random = SoupRng::new(self.seed);
        let mut choice = OrbitSampler::new(self);
        if !choice.is_possible() {
            return Err(self.uneven());
        }
        let mut cells = vec![0; (width * height) as usize];
        let mut checkpoints = Checkpoints::new();
        for y in 0..height {
            for x in 0..width {
                checkpoints.step();
                let orbit = self.symmetry.orbit(width, height, x, y);
                if orbit.begins_at(x, y) && choice.is_live(orbit.length, &mut random) {
                    let state = 1 + random.below(u64::from(self.states) - 1) as State;
                    for (y, x) in orbit.cells() {
                        cells[(y * width + x) as usize] = state;
                    }
                }
            }
        }
        Ok(cells)
    }

    /// The soup as a pattern without a rule, its top left at (0, 0); a comment holds its
    /// recipe.
    ///
    /// # Errors
    /// When there is no such soup.
    ///
    /// ```
    /// use pattern::soup::SoupRecipe;
    ///
    /// let soup = SoupRecipe { seed: 3, ..SoupRecipe::new(16, 16) }.pattern()?;
    /// assert_eq!(soup.comments, ["soup: density 0.5, symmetry C1, seed 3"]);
    /// # Ok::<(), pattern::soup::SoupError>(())
    /// ```
    pub fn pattern(&self) -> Result<Pattern, SoupError> {
        let states = self.cells()?;
        let (mut runs, mut checkpoints) = (Vec::new(), Checkpoints::new());
        for (y, row) in states.chunks(self.width.max(1) as usize).enumerate() {
            push_runs(row, y as i64, &mut runs, &mut checkpoints);
        }
        Ok(Pattern {
            cells: Cells::from_runs(runs),
            size: Some((self.width, self.height)),
            comments: vec![self.to_string()],
            ..Pattern::default()
        })
    }

    fn check(&self) -> Result<(), SoupError> {
        let (width, height) = (self.width, self.height);
        if !(2..=256).contains(&self.states) {
            return Err(SoupError::States(self.states));
        }
        if let Fill::Density(density) = self.fill
            && !(0.0..=1.0).contains(&density)
        {
            return Err(SoupError::Density(density));
        }
        if width.saturating_mul(height) > MAX_CELLS {
            return Err(SoupError::TooLarge { width, height });
        }
        if self.symmetry.is_square() && width != height {
            let symmetry = self.symmetry;
            return Err(SoupError::NotSquare {
                symmetry,
                width,
                height,
            });
        }
        match self.fill {
            Fill::Exactly(count) if count > width * height => Err(SoupError::TooMany {
                count,
                width,
                height,
            }),
            _ => Ok(()),
        }
    }

    fn uneven(&self) -> SoupError {
        SoupError::Uneven {
            count: match self.fill {
                Fill::Exactly(count) => count,
                Fill::Density(_) => 0,
            },
            symmetry: self.symmetry,
            width: self.width,
            height: self.height,
        }
    }
}

impl fmt::Display for SoupRecipe {
    /// As the comment in a soup's file has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("soup: ")?;
        match self.fill {
            Fill::Density(density) => write!(f, "density {density}")?,
            Fill::Exactly(count) => write!(f, "{count} live cells")?,
        }
        write!(f, ", symmetry {}, seed {}", self.symmetry, self.seed)
    }
}

/// Adds the live runs of a row.
fn push_runs(row: &[State], y: i64, runs: &mut Vec<Run>, checkpoints: &mut Checkpoints) {
    let mut x = 0;
    for cells in row.chunk_by(|a, b| a == b) {
        checkpoints.step();
        if cells[0] != 0 {
            runs.push(Run {
                x,
                y,
                length: cells.len() as u64,
                state: cells[0],
            });
        }
        x += cells.len() as i64;
    }
}

/// Decides orbit by orbit.
enum OrbitSampler {
    /// Live when 64 random bits are below this; 2^64 is always.
    Chance(u128),
    /// The cells still to be made live, and the orbits of 1, 2, 4 and 8 cells that are still to
    /// come.
    Left { live: u64, orbits: [u64; 4] },
}

impl OrbitSampler {
    fn new(recipe: &SoupRecipe) -> Self {
        match recipe.fill {
            Fill::Density(chance) => Self::Chance((chance * 2f64.powi(64)) as u128),
            Fill::Exactly(live) => {
                let mut orbits = [0; 4];
                let (width, height) = (recipe.width, recipe.height);
                let mut checkpoints = Checkpoints::new();
                for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                    checkpoints.step();
                    let orbit = recipe.symmetry.orbit(width, height, x, y);
                    if orbit.begins_at(x, y) {
                        orbits[orbit.length.ilog2() as usize] += 1;
                    }
                }
                Self::Left { live, orbits }
            }
        }
    }

    fn is_possible(&self) -> bool {
        match self {
            Self::Chance(_) => true,
            Self::Left { live, orbits } => fits(*live, orbits),
        }
    }

    /// Knuth's selection sampling (The Art of Computer Programming 3.4.2, algorithm S),
    /// but never into a corner: what is left must always still come out even.
    fn is_live(&mut self, size: usize, random: &mut SoupRng) -> bool {
        let (live, orbits) = match self {
            Self::Chance(bound) => return u128::from(random.bits()) < *bound,
            Self::Left { live, orbits } => (live, orbits),
        };
        let cells: u64 = orbits.iter().zip([1, 2, 4, 8]).map(|(n, k)| n * k).sum();
        let wanted = random.below(cells) < *live;
        let size = size as u64;
        orbits[size.ilog2() as usize] -= 1;
        let may_live = *live >= size && fits(*live - size, orbits);
        let may_die = fits(*live, orbits);
        let is_live = may_live && (wanted || !may_die);
        if is_live {
            *live -= size;
        }
        is_live
    }
}

/// Whether some of these orbits of 1, 2, 4 and 8 cells have exactly `live` cells. Each
/// size divides the next, so taking the largest first finds out.
fn fits(live: u64, orbits: &[u64; 4]) -> bool {
    let sizes = [1, 2, 4, 8];
    let left = sizes
        .iter()
        .zip(orbits)
        .rev()
        .fold(live, |left, (k, n)| left - k * (left / k).min(*n));
    left == 0
}

/// Random numbers that do not depend on any library's choice of distribution.
struct SoupRng(ChaCha8Rng);

impl SoupRng {
    fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// 0 to `bound` less one, evenly; 0 takes no randomness where there is no choice.
    fn below(&mut self, bound: u64) -> u64 {
        if bound <= 1 {
            return 0;
        }
        // Draws beyond the last whole multiple of the bound would favour small numbers.
        let spare = (u64::MAX % bound + 1) % bound;
        loop {
            let bits = self.bits();
            if bits <= u64::MAX - spare {
                return bits % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(width: u64, height: u64, symmetry: &str, fill: Fill) -> SoupRecipe {
        SoupRecipe {
            width,
            height,
            fill,
            states: 2,
            symmetry: symmetry.parse().unwrap(),
            seed: 7,
        }
    }

    #[test]
    fn a_seed_gives_the_same_soup_for_ever() {
        let soup = recipe(16, 2, "C1", Fill::Density(0.5)).cells().unwrap();
        let drawn: String = soup
            .iter()
            .map(|&s| if s == 0 { '.' } else { 'O' })
            .collect();
        assert_eq!(drawn, "OO...OO.O.OO.OO.OOOOO.OOOO.OO..O");
    }

    #[test]
    fn exact_counts_are_exact_in_every_symmetry() {
        for name in SoupSymmetry::names() {
            for side in [1, 2, 5, 6] {
                for count in 0..=side * side {
                    let recipe = recipe(side, side, name, Fill::Exactly(count));
                    let Ok(cells) = recipe.cells() else {
                        assert_ne!(name, "C1");
                        continue;
                    };
                    let live = cells.iter().filter(|&&s| s != 0).count();
                    assert_eq!(live as u64, count, "{name} {side}");
                }
            }
        }
        let full = recipe(4, 4, "C1", Fill::Exactly(17));
        assert!(matches!(
            full.cells(),
            Err(SoupError::TooMany { count: 17, .. })
        ));
        let odd = recipe(4, 4, "C2", Fill::Exactly(3));
        assert!(matches!(
            odd.cells(),
            Err(SoupError::Uneven { count: 3, .. })
        ));
        let centre = recipe(5, 5, "D8", Fill::Exactly(9));
        assert!(centre.cells().is_ok());
    }

    #[test]
    fn soups_have_the_symmetry_that_was_asked_for() {
        for name in SoupSymmetry::names() {
            for (width, height) in [(8, 8), (9, 9), (6, 9)] {
                let recipe = recipe(width, height, name, Fill::Density(0.4));
                if recipe.symmetry.is_square() && width != height {
                    continue;
                }
                let cells = recipe.cells().unwrap();
                let at = |(y, x): (u64, u64)| cells[(y * width + x) as usize];
                for y in 0..height {
                    for x in 0..width {
                        for &image in recipe.symmetry.orbit(width, height, x, y).cells() {
                            assert_eq!(at((y, x)), at(image), "{name} {width}x{height}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn all_states_turn_up_about_as_often() {
        let recipe = SoupRecipe {
            states: 4,
            ..recipe(100, 100, "C1", Fill::Density(0.75))
        };
        let cells = recipe.cells().unwrap();
        for state in 0..4 {
            let count = cells.iter().filter(|&&s| s == state).count();
            assert!((2200..2800).contains(&count), "{state}: {count}");
        }
    }

    #[test]
    fn no_density_is_empty_and_all_of_it_is_full() {
        let count = |density| {
            let cells = recipe(9, 9, "C1", Fill::Density(density)).cells().unwrap();
            cells.iter().filter(|&&s| s != 0).count()
        };
        assert_eq!((count(0.0), count(1.0)), (0, 81));
    }

    #[test]
    fn what_is_no_soup_is_told() {
        let rows = [
            (
                recipe(4, 4, "C1", Fill::Density(1.5)),
                "density 1.5: expected 0 to 1",
            ),
            (
                recipe(4, 4, "C1", Fill::Density(f64::NAN)),
                "density NaN: expected 0 to 1",
            ),
            (
                recipe(4, 5, "C4", Fill::Density(0.5)),
                "symmetry C4 needs a square, not 4x5",
            ),
            (
                recipe(1 << 14, 1 << 15, "C1", Fill::Exactly(1)),
                "16384x32768 is more than 268435456 cells",
            ),
            (
                recipe(3, 3, "C1", Fill::Exactly(10)),
                "3x3 has 9 cells, not 10",
            ),
            (
                SoupRecipe {
                    states: 1,
                    ..SoupRecipe::new(3, 3)
                },
                "1 states: expected 2 to 256",
            ),
        ];
        for (recipe, message) in rows {
            assert_eq!(recipe.cells().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn a_soup_of_no_cells_is_a_pattern() {
        let soup = SoupRecipe::new(0, 5).pattern().unwrap();
        assert!(soup.cells.is_empty());
    }
}
