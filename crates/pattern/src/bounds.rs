use grid::Rect;
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// A rectangle of any size: the box around the live cells of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Leftmost column that has a live cell.
    pub x: BigInt,
    /// Topmost row that has one.
    pub y: BigInt,
    /// Columns.
    pub width: BigUint,
    /// Rows.
    pub height: BigUint,
}

impl Bounds {
    /// The same as a [`Rect`], if it fits.
    ///
    /// ```
    /// use grid::Rect;
    /// use pattern::Bounds;
    ///
    /// let near = Bounds::from(Rect::new(-1, 2, 3, 4));
    /// assert_eq!(near.to_rect(), Some(Rect::new(-1, 2, 3, 4)));
    /// let far = Bounds { x: num_bigint::BigInt::from(10).pow(30), ..near };
    /// assert_eq!(far.to_rect(), None);
    /// ```
    #[must_use]
    pub fn to_rect(&self) -> Option<Rect> {
        Some(Rect::new(
            self.x.to_i64()?,
            self.y.to_i64()?,
            self.width.to_u64()?,
            self.height.to_u64()?,
        ))
    }
}

impl From<Rect> for Bounds {
    fn from(r: Rect) -> Self {
        Self {
            x: r.x.into(),
            y: r.y.into(),
            width: r.width.into(),
            height: r.height.into(),
        }
    }
}
