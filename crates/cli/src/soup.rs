//! Random starts that are the same on every machine: ChaCha8 from a seed, and nothing but
//! integer arithmetic after it.

use grid::{Point, State, Symmetry};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use std::{fmt, str::FromStr};

/// The symmetries that a soup can be given.
///
/// The names are the usual ones: `C` for rotations, `D` for those with mirrors, the number
/// for how many copies there are, and the mirror lines as they look on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SoupSymmetry(usize);

use Symmetry as S;

/// Name, what every cell is copied by, whether the soup must be square.
const SYMMETRIES: [(&str, &[Symmetry], bool); 10] = [
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
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        SYMMETRIES.iter().map(|s| s.0)
    }

    /// Whether width and height must be the same.
    pub(crate) fn is_square(self) -> bool {
        SYMMETRIES[self.0].2
    }

    /// The cells that go together with one, it among them, each once, the topmost and
    /// then leftmost first.
    fn orbit(self, width: u64, height: u64, x: u64, y: u64) -> Orbit {
        // Twice the cell's offset from the soup's centre: whole for every size.
        let centred = Point::new(
            2 * x as i64 - (width as i64 - 1),
            2 * y as i64 - (height as i64 - 1),
        );
        let back = |c: i64, side: u64| ((c + side as i64 - 1) / 2) as u64;
        let mut orbit = Orbit::default();
        for symmetry in SYMMETRIES[self.0].1 {
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
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = SYMMETRIES
            .iter()
            .position(|s| s.0.eq_ignore_ascii_case(text));
        found.map(Self).ok_or_else(|| {
            let names: Vec<_> = Self::names().collect();
            format!("expected one of {}", names.join(" "))
        })
    }
}

/// How many cells are live.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fill {
    /// Each with this chance, 0 to 1.
    Density(f64),
    /// Exactly so many.
    Exactly(u64),
}

/// What a soup is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    pub(crate) width: u64,
    pub(crate) height: u64,
    pub(crate) fill: Fill,
    /// 2 to 256; live cells take states 1 to this less one, evenly.
    pub(crate) states: u16,
    pub(crate) symmetry: SoupSymmetry,
    pub(crate) seed: u64,
}

impl Recipe {
    /// The cells, row by row; none where no such soup exists: the count does not fit the
    /// symmetry, or the sheet.
    pub(crate) fn cells(&self) -> Option<Vec<State>> {
        let (width, height) = (self.width, self.height);
        let mut random = Random::new(self.seed);
        let mut cells = vec![0; usize::try_from(width * height).ok()?];
        let mut choice = Choice::new(self);
        if !choice.is_possible() {
            return None;
        }
        for y in 0..height {
            for x in 0..width {
                let orbit = self.symmetry.orbit(width, height, x, y);
                if orbit.begins_at(x, y) && choice.is_live(orbit.length, &mut random) {
                    let state = 1 + random.below(u64::from(self.states) - 1) as State;
                    for (y, x) in orbit.cells() {
                        cells[(y * width + x) as usize] = state;
                    }
                }
            }
        }
        Some(cells)
    }
}

/// Decides orbit by orbit.
enum Choice {
    /// Live when 64 random bits are below this; 2^64 is always.
    Chance(u128),
    /// So many cells are still to be made live, and so many orbits of 1, 2, 4 and 8
    /// cells are still to come.
    Left { live: u64, orbits: [u64; 4] },
}

impl Choice {
    fn new(recipe: &Recipe) -> Self {
        match recipe.fill {
            Fill::Density(chance) => Self::Chance((chance * 2f64.powi(64)) as u128),
            Fill::Exactly(live) => {
                let mut orbits = [0; 4];
                let (width, height) = (recipe.width, recipe.height);
                for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
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
    fn is_live(&mut self, size: usize, random: &mut Random) -> bool {
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
struct Random(ChaCha8Rng);

impl Random {
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

    fn recipe(width: u64, height: u64, symmetry: &str, fill: Fill) -> Recipe {
        Recipe {
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
                    let Some(cells) = recipe.cells() else {
                        assert_ne!(name, "C1");
                        continue;
                    };
                    let live = cells.iter().filter(|&&s| s != 0).count();
                    assert_eq!(live as u64, count, "{name} {side}");
                }
            }
        }
        let full = recipe(4, 4, "C1", Fill::Exactly(17));
        assert!(full.cells().is_none());
        let odd = recipe(4, 4, "C2", Fill::Exactly(3));
        assert!(odd.cells().is_none());
        let centre = recipe(5, 5, "D8", Fill::Exactly(9));
        assert!(centre.cells().is_some());
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
        let recipe = Recipe {
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
}
