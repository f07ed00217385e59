//! Velocities as the field writes them: `c/3`, `2c/5`, `c/4 diagonal`, `(1,2)c/6`.

use crate::{BlockRule, BoxSymmetry, box_isometries};
use grid::{Point, Symmetry};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// How far a spaceship moves in a period.
///
/// ```
/// use search::Velocity;
///
/// let copperhead: Velocity = "c/10".parse()?;
/// assert_eq!((copperhead.columns, copperhead.rows, copperhead.period), (0, 1, 10));
/// let glider: Velocity = "(1,1)c/4".parse()?;
/// assert_eq!(glider.to_string(), "(1,1)c/4");
/// # Ok::<(), search::VelocityError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Velocity {
    /// Columns to the right.
    pub columns: i64,
    /// Rows down.
    pub rows: i64,
    /// In so many generations.
    pub period: u32,
    /// Whether the direction was given too, and not the distance alone.
    pub is_directed: bool,
}

/// The text is no velocity.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no velocity: write c/3, 2c/5 or (1,2)c/6, and it must move")]
pub struct VelocityError(pub String);

impl Velocity {
    /// The ways to look for, in columns and rows: a pair is the way as it is given, and what is
    /// written `2c/5` may go along either side of the box, of mirror images one.
    ///
    /// ```
    /// use search::{BlockRule, BoxSymmetry, Velocity};
    ///
    /// let life = BlockRule::new(&"B3/S23".parse()?)?;
    /// let ship: Velocity = "2c/4".parse()?;
    /// assert_eq!(ship.directions(&life, 7, 5, BoxSymmetry::C1), [(0, 2), (2, 0)]);
    /// assert_eq!(ship.directions(&life, 7, 7, BoxSymmetry::C1), [(0, 2)]);
    /// assert_eq!(ship.directions(&life, 7, 5, BoxSymmetry::D2Horizontal), [(2, 0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn directions(
        &self,
        rule: &BlockRule,
        width: u32,
        height: u32,
        symmetry: BoxSymmetry,
    ) -> Vec<(i64, i64)> {
        let isometries = box_isometries(rule, width, height, symmetry);
        let mut ways: Vec<(i64, i64)> = Vec::new();
        for way in self.all_directions(symmetry) {
            let image = |isometry: &Symmetry| {
                let image = isometry.apply(Point::new(way.0, way.1));
                (image.x, image.y)
            };
            if !isometries
                .iter()
                .map(image)
                .any(|image| ways.contains(&image))
            {
                ways.push(way);
            }
        }
        ways
    }

    /// The same where mirror images are not alike, as with known cells.
    ///
    /// ```
    /// let ship: search::Velocity = "2c/4".parse()?;
    /// assert_eq!(ship.all_directions(search::BoxSymmetry::C1).len(), 4);
    /// # Ok::<(), search::VelocityError>(())
    /// ```
    #[must_use]
    pub fn all_directions(&self, symmetry: BoxSymmetry) -> Vec<(i64, i64)> {
        let given = Point::new(self.columns, self.rows);
        if self.is_directed {
            return vec![(given.x, given.y)];
        }
        let mut ways: Vec<Point> = Symmetry::ALL.map(|turn| turn.apply(given)).into();
        ways.sort_by_key(|way| (way.y < 0, way.x < 0, way.x));
        ways.dedup();
        ways.retain(|&way| {
            symmetry
                .elements()
                .iter()
                .all(|element| element.apply(way) == way)
        });
        ways.into_iter().map(|way| (way.x, way.y)).collect()
    }
}

impl FromStr for Velocity {
    type Err = VelocityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || VelocityError(text.to_owned());
        let plain = text.trim();
        let (plain, is_diagonal) = match plain.strip_suffix("diagonal") {
            Some(rest) => (rest.trim_end(), true),
            None => (plain.trim_end_matches("orthogonal").trim_end(), false),
        };
        let (distance, period) = plain.split_once("c/").ok_or_else(error)?;
        let period: u32 = period.parse().map_err(|_| error())?;
        let (columns, rows, is_directed) = match distance.trim() {
            "" => (0, 1, false),
            pair if pair.starts_with('(') => {
                let inside = pair
                    .strip_prefix('(')
                    .and_then(|rest| rest.strip_suffix(')'));
                let (x, y) = inside
                    .and_then(|inside| inside.split_once(','))
                    .ok_or_else(error)?;
                let number = |text: &str| text.trim().parse::<i32>().map_err(|_| error());
                (i64::from(number(x)?), i64::from(number(y)?), true)
            }
            number => (
                0,
                i64::from(number.parse::<u16>().map_err(|_| error())?),
                false,
            ),
        };
        let columns = if is_diagonal { rows } else { columns };
        if period == 0 || (columns, rows) == (0, 0) || (is_directed && is_diagonal) {
            return Err(error());
        }
        Ok(Self {
            columns,
            rows,
            period,
            is_directed,
        })
    }
}

impl fmt::Display for Velocity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            columns,
            rows,
            period,
            ..
        } = *self;
        match (columns, rows) {
            (0, 1) if !self.is_directed => write!(f, "c/{period}"),
            (0, rows) if !self.is_directed => write!(f, "{rows}c/{period}"),
            (columns, rows) if !self.is_directed && columns == rows => {
                write!(f, "{rows}c/{period} diagonal")
            }
            _ => write!(f, "({columns},{rows})c/{period}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in ["c/3", "2c/5", "1c/4 diagonal", "(1,2)c/6", "(-1,0)c/4"] {
            let velocity: Velocity = text.parse().expect(text);
            assert_eq!(velocity.to_string(), text);
        }
        assert_eq!(
            "c/4 diagonal"
                .parse::<Velocity>()
                .expect("diagonal")
                .columns,
            1
        );
        for text in [
            "",
            "c",
            "3",
            "c/",
            "c/0",
            "0c/3",
            "(1,2",
            "(1)c/4",
            "(0,0)c/4",
            "-1c/4",
            "c/4x",
            "99999999999c/4",
        ] {
            assert!(text.parse::<Velocity>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_ways_that_differ_are_looked_for() {
        let ways = |text: &str, rule: &str, (width, height), symmetry: &str| {
            let velocity: Velocity = text.parse().expect(text);
            let rule = BlockRule::new(&rule.parse().expect(rule)).expect(rule);
            let symmetry = symmetry.parse().expect(symmetry);
            velocity.directions(&rule, width, height, symmetry)
        };
        let life = "B3/S23";
        assert_eq!(ways("c/4 diagonal", life, (4, 6), "C1"), [(1, 1)]);
        assert_eq!(ways("c/4 diagonal", life, (6, 6), "D2\\"), [(1, 1)]);
        assert_eq!(ways("c/4 diagonal", life, (6, 6), "D2/"), [(-1, 1)]);
        assert_eq!(ways("(2,1)c/6", life, (9, 8), "C1"), [(2, 1)]);
        assert_eq!(ways("c/3", life, (12, 11), "D2|"), [(0, 1)]);
        assert_eq!(ways("(0,-1)c/3", life, (12, 11), "C1"), [(0, -1)]);
        assert!(ways("c/3", life, (12, 12), "C4").is_empty());
        // seen in the mirror a hexagonal rule is another one
        assert_eq!(ways("c/3", "B2/S34H", (5, 5), "C1").len(), 1);
        assert_eq!(ways("c/3", "B2/S34H", (5, 4), "C1").len(), 2);
    }
}
