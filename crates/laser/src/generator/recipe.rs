use super::{GenerateError, Grade, ProofEffort};
use crate::tile::Piece;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The parameters of a level. The same recipe gives the same level.
///
/// ```
/// use laser::generator::{LevelRecipe, Pieces};
///
/// let recipe = LevelRecipe {
///     width: 7,
///     height: 6,
///     pieces: Pieces::Number(3),
///     walls: 20,
///     seed: 1,
///     difficulty: None,
/// };
/// assert!(recipe.check().is_ok());
/// assert_eq!(recipe.room(), (5 * 4 - 4) / 2); // half of what is free within the ring
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelRecipe {
    /// Columns, the ring of walls among them: [`LevelRecipe::SIDES`].
    pub width: u32,
    /// Rows, the ring among them.
    pub height: u32,
    /// The hardware.
    pub pieces: Pieces,
    /// How many of the cells within the ring may be walls, in percent:
    /// 0 to [`LevelRecipe::MOST_WALLS`].
    pub walls: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The requested difficulty, if any.
    pub difficulty: Option<Grade>,
}

impl LevelRecipe {
    /// The columns and the rows that can be asked for.
    pub const SIDES: std::ops::RangeInclusive<u32> = 3..=32;
    /// The most walls, in percent of the cells within the ring.
    pub const MOST_WALLS: u32 = 60;

    /// The most pieces that there is room for: half of the cells that stay free of walls.
    #[must_use]
    pub fn room(&self) -> u32 {
        (self.inner() - self.inner_walls()) / 2
    }

    /// Whether such a level could be made at all.
    ///
    /// # Errors
    /// All but [`GenerateError::OutOfReach`], [`GenerateError::GivenUp`] and
    /// [`GenerateError::Stopped`].
    ///
    /// ```
    /// use laser::generator::{GenerateError, LevelRecipe, Pieces};
    ///
    /// let recipe = LevelRecipe {
    ///     width: 5,
    ///     height: 5,
    ///     pieces: Pieces::Number(30),
    ///     walls: 0,
    ///     seed: 1,
    ///     difficulty: None,
    /// };
    /// assert!(matches!(recipe.check(), Err(GenerateError::Room { room: 4, .. })));
    /// ```
    pub fn check(&self) -> Result<(), GenerateError> {
        let &Self { width, height, .. } = self;
        if !Self::SIDES.contains(&width) || !Self::SIDES.contains(&height) {
            return Err(GenerateError::Size { width, height });
        }
        if self.walls > Self::MOST_WALLS {
            return Err(GenerateError::Walls { walls: self.walls });
        }
        let (pieces, room) = (self.pieces.number(), self.room());
        if pieces == 0 {
            return Err(GenerateError::NoPieces);
        }
        if pieces > room {
            let walls = self.walls;
            return Err(GenerateError::Room {
                pieces,
                room,
                width,
                height,
                walls,
            });
        }
        if let Some(difficulty) = self.difficulty {
            let is_it = |&pieces: &u32| ProofEffort::least(pieces).grade() <= difficulty;
            if !is_it(&pieces) {
                let most = (1..pieces).take_while(is_it).count() as u32;
                return Err(GenerateError::TooEasy {
                    pieces,
                    difficulty,
                    most,
                });
            }
        }
        Ok(())
    }

    /// Cells within the ring.
    pub(super) fn inner(&self) -> u32 {
        self.width.saturating_sub(2) * self.height.saturating_sub(2)
    }

    /// How many of the cells within the ring may be walls.
    pub(super) fn inner_walls(&self) -> u32 {
        self.inner() * self.walls / 100
    }
}

/// The hardware of a level.
///
/// ```
/// use laser::Piece;
/// use laser::generator::Pieces;
/// assert_eq!("6".parse(), Ok(Pieces::Number(6)));
/// let Ok(Pieces::Kinds(kinds)) = r"2M/,M\,T^".parse() else { panic!() };
/// assert_eq!(kinds[Piece::MirrorRising.index()], 2);
/// assert_eq!(Pieces::Kinds(kinds).to_string(), r"M\,2M/,T^");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// This many, of random kinds.
    Number(u32),
    /// The number of each kind, by [`Piece::index`].
    Kinds([u32; Piece::COUNT]),
}

impl Pieces {
    /// How many there are.
    ///
    /// ```
    /// use laser::generator::Pieces;
    ///
    /// let kinds: Pieces = r"2M/,T^".parse()?;
    /// assert_eq!(kinds.number(), 3);
    /// # Ok::<(), laser::generator::PiecesError>(())
    /// ```
    #[must_use]
    pub fn number(&self) -> u32 {
        match self {
            Self::Number(number) => *number,
            Self::Kinds(kinds) => kinds.iter().fold(0, |sum, &n| sum.saturating_add(n)),
        }
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = match self {
            Self::Number(number) => return number.fmt(f),
            Self::Kinds(kinds) => kinds,
        };
        let mut comma = "";
        for piece in Piece::ALL {
            match kinds[piece.index()] {
                0 => continue,
                1 => write!(f, "{comma}{piece}")?,
                number => write!(f, "{comma}{number}{piece}")?,
            }
            comma = ",";
        }
        Ok(())
    }
}

/// Words that name no pieces.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "expected a number of pieces, or kinds like 2M/,M\\,T^ (kinds: M\\ M/ B\\ B/ T^ T> Tv T<), and not `{0}`"
)]
pub struct PiecesError(pub String);

impl FromStr for Pieces {
    type Err = PiecesError;

    fn from_str(text: &str) -> Result<Self, PiecesError> {
        if let Ok(number) = text.trim().parse() {
            return Ok(Self::Number(number));
        }
        let mut kinds = [0u32; Piece::COUNT];
        for word in text.split(',').map(str::trim) {
            let wrong = || PiecesError(word.to_string());
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            let (number, name) = word.split_at(digits);
            let number = match number {
                "" => 1,
                _ => number.parse().map_err(|_| wrong())?,
            };
            let mut all = Piece::ALL.into_iter();
            let piece = all.find(|piece| crate::Tile::Hardware(*piece).text() == name);
            let kind = &mut kinds[piece.ok_or_else(wrong)?.index()];
            *kind = kind.checked_add(number).ok_or_else(wrong)?;
        }
        Ok(Self::Kinds(kinds))
    }
}
