//! The maps of the plane onto itself that keep a rule: those under which two objects are called
//! the same. Own method: every map of the lattice is tried on the rule's tables.

use crate::StateBox;
use grid::{Point, State};
use rule::{Lattice, Rule, Site, Transition};

/// A linear map of the lattice onto itself that keeps distances: (x, y) goes to
/// (xx x + xy y, yx x + yy y).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LatticeIsometry {
    xx: i8,
    xy: i8,
    yx: i8,
    yy: i8,
}

impl LatticeIsometry {
    /// The eight of the square, in the order in which the first of several that fit is named.
    pub const SQUARE: [Self; 8] = [
        Self::new(1, 0, 0, 1),
        Self::new(-1, 0, 0, -1),
        Self::new(-1, 0, 0, 1),
        Self::new(1, 0, 0, -1),
        Self::new(0, 1, 1, 0),
        Self::new(0, -1, -1, 0),
        Self::new(0, -1, 1, 0),
        Self::new(0, 1, -1, 0),
    ];

    /// The twelve of the hexagons of [`Lattice::Hexagonal`], the rotations first.
    pub const HEXAGONAL: [Self; 12] = [
        Self::new(1, 0, 0, 1),
        Self::new(-1, 0, 0, -1),
        Self::new(1, -1, 1, 0),
        Self::new(0, -1, 1, -1),
        Self::new(0, 1, -1, 1),
        Self::new(-1, 1, -1, 0),
        Self::new(0, 1, 1, 0),
        Self::new(0, -1, -1, 0),
        Self::new(1, 0, 1, -1),
        Self::new(-1, 0, -1, 1),
        Self::new(-1, 1, 0, 1),
        Self::new(1, -1, 0, -1),
    ];

    const fn new(xx: i8, xy: i8, yx: i8, yy: i8) -> Self {
        Self { xx, xy, yx, yy }
    }

    /// Where a cell goes.
    #[must_use]
    pub fn apply(self, p: Point) -> Point {
        let [xx, xy, yx, yy] = [self.xx, self.xy, self.yx, self.yy].map(i64::from);
        Point::new(xx * p.x + xy * p.y, yx * p.x + yy * p.y)
    }

    /// Whether orientation is kept: a rotation, not a reflection.
    #[must_use]
    pub fn is_rotation(self) -> bool {
        self.xx * self.yy - self.xy * self.yx > 0
    }

    /// Whether nothing is moved.
    #[must_use]
    pub fn is_identity(self) -> bool {
        self == Self::SQUARE[0]
    }

    /// The image of the cells.
    ///
    /// ```
    /// use census::{LatticeIsometry, StateBox};
    /// use grid::Point;
    ///
    /// let row = StateBox::from_points(&[Point::new(0, 0), Point::new(1, 0), Point::new(2, 0)]);
    /// let column = LatticeIsometry::SQUARE[4].image(&row); // the diagonal's
    /// assert_eq!((column.width(), column.height()), (1, 3));
    /// ```
    #[must_use]
    pub fn image(self, cells: &StateBox) -> StateBox {
        StateBox::from_cells(cells.cells().map(|(p, state)| (self.apply(p), state)))
    }

    /// Its name on the square: `id`, `rot180`, `flip-x` and so on; `None` for the others of
    /// hexagons.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        const NAMES: [&str; 8] = [
            "id", "rot180", "flip-x", "flip-y", "diag", "antidiag", "rot90", "rot270",
        ];
        let at = Self::SQUARE.iter().position(|&map| map == self)?;
        Some(NAMES[at])
    }
}

/// The maps that keep every table of the rule, the identity first: all of the lattice's for an
/// isotropic rule. Tables by exact states with more than 2^22 arrangements are not tried, and
/// have the identity alone.
///
/// ```
/// let count = |rule: &str| Ok::<_, rule::RuleError>(census::rule_isometries(&rule.parse()?).len());
/// assert_eq!(count("B3/S23")?, 8);
/// assert_eq!(count("B2/S34H")?, 12);
/// # Ok::<(), rule::RuleError>(())
/// ```
#[must_use]
pub fn rule_isometries(rule: &Rule) -> Vec<LatticeIsometry> {
    let maps: &[LatticeIsometry] = match rule.lattice() {
        Lattice::Hexagonal => &LatticeIsometry::HEXAGONAL,
        Lattice::Square | Lattice::Triangular => &LatticeIsometry::SQUARE,
    };
    let keeps = |&map: &LatticeIsometry| {
        map.is_identity()
            || sites(rule).all(|site| {
                let image = map.apply(Point::new(site.x, site.y));
                let at_image = Site {
                    x: image.x,
                    y: image.y,
                    ..site
                };
                is_kept(rule.transition(site), rule.transition(at_image), map, rule)
            })
    };
    maps.iter().copied().filter(keeps).collect()
}

/// Whether cells that are moved by (`dx`, `dy`) follow, `ages` generations later, the tables that
/// they have followed: always where neither place nor generation matters.
///
/// ```
/// use census::rule_repeats;
///
/// assert!(rule_repeats(&"B3/S23".parse()?, 3, 5, 0));
/// let alternating = "Life|HighLife".parse()?;
/// assert!(rule_repeats(&alternating, 2, 5, 0) && !rule_repeats(&alternating, 3, 5, 0));
/// # Ok::<(), rule::RuleError>(())
/// ```
#[must_use]
pub fn rule_repeats(rule: &Rule, ages: u64, dx: i64, dy: i64) -> bool {
    let later = |site: Site| Site {
        generation: site.generation + ages,
        x: site.x + dx,
        y: site.y + dy,
    };
    let is_same = |site: Site| {
        let (now, then) = (rule.transition(site), rule.transition(later(site)));
        std::ptr::eq(now, then) || now == then
    };
    (!rule.is_checkered() && ages.is_multiple_of(rule.time_period() as u64))
        || sites(rule).all(is_same)
}

/// One site for each table of the rule.
fn sites(rule: &Rule) -> impl Iterator<Item = Site> {
    let cells = if rule.is_checkered() { 2 } else { 1 };
    (0..rule.time_period() as u64).flat_map(move |generation| {
        (0..cells * cells).map(move |at| Site {
            generation,
            x: at % cells,
            y: at / cells,
        })
    })
}

/// Whether `there`, seeing the images, gives what `here` gives.
fn is_kept(here: &Transition, there: &Transition, map: LatticeIsometry, rule: &Rule) -> bool {
    let image = |dx: i32, dy: i32| map.apply(Point::new(dx.into(), dy.into()));
    match (here, there) {
        (Transition::Count(a), Transition::Count(b)) => {
            let weight_at = |p: Point| {
                let cells = b.neighbourhood.cells().iter();
                let mut same = cells.filter(|c| Point::new(c.dx.into(), c.dy.into()) == p);
                same.next().map(|cell| cell.weight)
            };
            let same_weights = || {
                let mut cells = a.neighbourhood.cells().iter();
                cells.all(|c| weight_at(image(c.dx, c.dy)) == Some(c.weight))
            };
            a.values == b.values && a.least == b.least && a.rows == b.rows && same_weights()
        }
        (Transition::Configuration(a), Transition::Configuration(b)) if a.counted == b.counted => {
            a.rows.iter().zip(&b.rows).all(|(here, there)| {
                let is_same = |index| {
                    let turned = configuration_image(index, map);
                    turned.is_none_or(|turned| here.get(index) == there.get(turned))
                };
                (is_block_map(map) || corners_are_ignored(here) && corners_are_ignored(there))
                    && (0..512).all(is_same)
            })
        }
        (Transition::Lookup(a), Transition::Lookup(b)) => {
            let states = u64::from(rule.states());
            let mut offsets = a.offsets().to_vec();
            offsets.extend(b.offsets());
            offsets.sort_unstable();
            offsets.dedup();
            let count = states.checked_pow(offsets.len() as u32);
            let Some(count) = count.filter(|&count| count <= 1 << 22) else {
                return false;
            };
            let find = |p: Point| {
                let same = |&(dx, dy): &(i32, i32)| Point::new(dx.into(), dy.into()) == p;
                offsets.iter().position(same)
            };
            let turned: Option<Vec<usize>> = offsets
                .iter()
                .map(|&(dx, dy)| find(image(dx, dy)))
                .collect();
            let Some(turned) = turned else { return false };
            let mut seen = vec![0; offsets.len()];
            let mut images = seen.clone();
            (0..count).all(|mut number| {
                for (state, &at) in seen.iter_mut().zip(&turned) {
                    *state = (number % states) as State;
                    images[at] = *state;
                    number /= states;
                }
                let look = |states: &[State], dx: i32, dy: i32| {
                    offsets.binary_search(&(dx, dy)).map_or(0, |at| states[at])
                };
                a.next(|dx, dy| look(&seen, dx, dy)) == b.next(|dx, dy| look(&images, dx, dy))
            })
        }
        _ => false,
    }
}

/// Whether the map takes the 3 x 3 block onto itself.
fn is_block_map(map: LatticeIsometry) -> bool {
    LatticeIsometry::SQUARE.contains(&map)
}

/// Whether neither corner that is no neighbour of a hexagon matters.
fn corners_are_ignored(row: &rule::TransitionRow) -> bool {
    (0..512).all(|index| row.get(index) == row.get(index & !0b001_000_100))
}

/// The arrangement of the 3 x 3 block that the map makes of another; of hexagons, where the two
/// other corners are empty.
fn configuration_image(index: usize, map: LatticeIsometry) -> Option<usize> {
    let bit = |p: Point| 1usize << (4 - 3 * p.y - p.x);
    let mut turned = 0;
    for y in -1..=1 {
        for x in -1..=1 {
            let p = Point::new(x, y);
            if index & bit(p) != 0 {
                let q = map.apply(p);
                if q.x.abs() > 1 || q.y.abs() > 1 {
                    return None;
                }
                turned |= bit(q);
            }
        }
    }
    Some(turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetry_is_read_from_the_tables() {
        for (rule, count) in [
            ("B3/S23", 8),
            ("B2-a/S12", 8),
            ("B2/S34H", 12),
            ("B2o/S2m34H", 12),
            ("345/2/4", 8),
            ("WireWorld", 8),
            ("R2,C2,S2-4,B3,NN", 8),
            ("B0123478/S01234678", 8),
            ("B3/S23V", 8),
        ] {
            let parsed: Rule = rule.parse().unwrap();
            assert_eq!(rule_isometries(&parsed).len(), count, "{rule}");
        }
    }

    #[test]
    fn the_twelve_keep_the_six_neighbours() {
        let ring = Lattice::Hexagonal.edge_neighbours(0, 0);
        for (at, map) in LatticeIsometry::HEXAGONAL.into_iter().enumerate() {
            assert!(ring.iter().all(|&(x, y)| {
                let p = map.apply(Point::new(x, y));
                ring.contains(&(p.x, p.y))
            }));
            assert!(!LatticeIsometry::HEXAGONAL[..at].contains(&map));
        }
    }
}
