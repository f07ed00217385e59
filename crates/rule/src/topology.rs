use crate::cursor::RuleTextCursor;
use crate::error::{RuleError, RuleFault, RuleProblem};
use grid::{Point, Rect};
use std::fmt;
use std::str::FromStr;

/// A direction across the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Left to right.
    Horizontal,
    /// Top to bottom.
    Vertical,
}

/// The world's shape: unbounded, or a grid whose edges are closed in some way.
///
/// The kinds and their notation are Golly's (Golly Help, "Bounded Grids").
///
/// A bounded grid's top-left cell is (-⌊w/2⌋, -⌊h/2⌋), as in Golly. A width or height
/// of 0 means that the side is infinite.
///
/// ```
/// use rule::{Axis, Topology};
///
/// let klein: Topology = "K20*,10".parse()?;
/// assert!(matches!(klein, Topology::Klein { twisted: Axis::Horizontal, .. }));
/// assert_eq!(klein.to_string(), ":K20*,10");
/// # Ok::<(), rule::RuleError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// No edges.
    #[default]
    Unbounded,
    /// `:Pw,h` dead outside.
    Plane {
        /// Columns; 0 is infinite.
        width: u64,
        /// Rows; 0 is infinite.
        height: u64,
    },
    /// `:Tw,h` each edge joined to the opposite one, perhaps shifted.
    Torus {
        /// Columns; 0 is infinite.
        width: u64,
        /// Rows; 0 is infinite.
        height: u64,
        /// Which pair of edges is shifted, and by how much: `Horizontal` is the top and
        /// bottom edges (`:Tw+s,h`).
        shift: Option<(Axis, i64)>,
    },
    /// `:Kw*,h` one pair of edges joined with a twist.
    Klein {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
        /// The pair of edges that is twisted: `Horizontal` is the top and bottom edges.
        twisted: Axis,
        /// 0, or 1: the twisted edges are shifted too.
        shift: i64,
    },
    /// `:Cw,h` both pairs of edges joined with a twist.
    CrossSurface {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// `:Sw` top joined to left, right to bottom.
    Sphere {
        /// Columns and rows.
        side: u64,
    },
}

impl Topology {
    /// Width and height; 0 is infinite, `(0, 0)` for the unbounded plane.
    ///
    /// ```
    /// use rule::Topology;
    ///
    /// assert_eq!(Topology::Sphere { side: 9 }.size(), (9, 9));
    /// assert_eq!(Topology::Unbounded.size(), (0, 0));
    /// ```
    #[must_use]
    pub fn size(&self) -> (u64, u64) {
        match *self {
            Self::Unbounded => (0, 0),
            Self::Plane { width, height }
            | Self::Torus { width, height, .. }
            | Self::Klein { width, height, .. }
            | Self::CrossSurface { width, height } => (width, height),
            Self::Sphere { side } => (side, side),
        }
    }

    /// The grid's rectangle when both its sides are finite.
    ///
    /// ```
    /// use grid::Rect;
    /// use rule::Topology;
    ///
    /// let plane = Topology::Plane { width: 20, height: 11 };
    /// assert_eq!(plane.rect(), Some(Rect::new(-10, -5, 20, 11)));
    /// assert_eq!(Topology::Plane { width: 0, height: 11 }.rect(), None); // a strip
    /// ```
    #[must_use]
    pub fn rect(&self) -> Option<Rect> {
        let (w, h) = self.size();
        let halved = |side: u64| -((side / 2) as i64);
        (w > 0 && h > 0).then(|| Rect::new(halved(w), halved(h), w, h))
    }

    /// Whether the cell lies on the grid itself.
    ///
    /// ```
    /// use grid::Point;
    /// use rule::Topology;
    ///
    /// let strip = Topology::Torus { width: 0, height: 4, shift: None };
    /// assert!(strip.contains(Point::new(1_000_000, -2)));
    /// assert!(!strip.contains(Point::new(0, 2)));
    /// ```
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        let within = |c: i64, side: u64| {
            let least = -((side / 2) as i64);
            side == 0 || (c >= least && c < least.saturating_add_unsigned(side))
        };
        let (w, h) = self.size();
        within(p.x, w) && within(p.y, h)
    }

    /// The cell of the grid at the point `p`, which may lie outside; `None` where everything is
    /// dead.
    ///
    /// Further out than one grid the joined edges are crossed as often as it takes. That
    /// the order of the crossings does not matter holds for every kind, corners too.
    ///
    /// ```
    /// use grid::Point;
    /// use rule::Topology;
    ///
    /// let torus = Topology::Torus { width: 10, height: 10, shift: None };
    /// assert_eq!(torus.resolve(Point::new(5, 0)), Some(Point::new(-5, 0)));
    /// let plane = Topology::Plane { width: 10, height: 10 };
    /// assert_eq!(plane.resolve(Point::new(5, 0)), None);
    /// ```
    #[must_use]
    pub fn resolve(&self, p: Point) -> Option<Point> {
        if self.contains(p) {
            return Some(p);
        }
        match *self {
            Self::Unbounded => Some(p),
            Self::Plane { .. } => None,
            Self::Torus {
                width,
                height,
                shift,
            } => {
                let (x, y) = to_grid(width, height, p);
                let (w, h) = (i128::from(width), i128::from(height));
                let (x, y) = match shift {
                    Some((Axis::Horizontal, s)) => (x + crossings(y, h) * i128::from(s), y),
                    Some((Axis::Vertical, s)) => (x, y + crossings(x, w) * i128::from(s)),
                    None => (x, y),
                };
                from_grid(width, height, wrapped(x, w), wrapped(y, h))
            }
            Self::Klein {
                width,
                height,
                twisted,
                shift,
            } => {
                let (x, y) = to_grid(width, height, p);
                let (w, h) = (i128::from(width), i128::from(height));
                let s = i128::from(shift);
                let turned = |c: i128, side: i128, times: i128| {
                    if times.rem_euclid(2) == 1 {
                        side - 1 - c - s
                    } else {
                        c
                    }
                };
                let (x, y) = match twisted {
                    Axis::Horizontal => (turned(x, w, crossings(y, h)), y),
                    Axis::Vertical => (x, turned(y, h, crossings(x, w))),
                };
                from_grid(width, height, wrapped(x, w), wrapped(y, h))
            }
            Self::CrossSurface { width, height } => {
                let (x, y) = to_grid(width, height, p);
                let (w, h) = (i128::from(width), i128::from(height));
                // each crossing of one pair of edges mirrors along them
                let (over, down) = (crossings(x, w), crossings(y, h));
                let (mut x, mut y) = (wrapped(x, w), wrapped(y, h));
                if down.rem_euclid(2) == 1 {
                    x = w - 1 - x;
                }
                if over.rem_euclid(2) == 1 {
                    y = h - 1 - y;
                }
                from_grid(width, height, x, y)
            }
            Self::Sphere { side } => {
                // The crossings are quarter turns about the top-left and the bottom-right
                // corner; two of them, one each way, move by twice the side.
                let n = i128::from(side);
                let (x, y) = to_grid(side, side, p);
                let (x, y) = (x.rem_euclid(2 * n), y.rem_euclid(2 * n));
                let (right, below) = (2 * n - 1 - x, 2 * n - 1 - y);
                let (x, y) = match (x >= n, y >= n) {
                    (false, false) => (x, y),
                    (false, true) => (below, x),
                    (true, false) => (y, right),
                    (true, true) => (right, below),
                };
                from_grid(side, side, x, y)
            }
        }
    }

    /// Reads what stands after the colon; the offset counts from there.
    pub(crate) fn read(text: &str) -> Result<Self, RuleFault> {
        let mut cursor = RuleTextCursor::new(text);
        let kind = cursor.bump().map(|c| c.to_ascii_uppercase());
        if !matches!(kind, Some('P' | 'T' | 'K' | 'C' | 'S')) {
            return Err(RuleFault::expected(
                0,
                "P (plane), T (torus), K (Klein bottle), C (cross-surface) or S (sphere)",
            ));
        }
        let across = read_side(&mut cursor, "the width")?;
        let down = if cursor.eat(",") {
            Some(read_side(&mut cursor, "the height")?)
        } else {
            None
        };
        cursor.finish("the end of the grid's description")?;
        let (width, height) = (
            across.cells,
            down.as_ref().map_or(across.cells, |d| d.cells),
        );
        let down = down.unwrap_or(TopologySide {
            cells: height,
            at: across.at,
            ..TopologySide::default()
        });
        let edges = |at: usize, why| RuleFault::new(at, RuleProblem::Edges(why));

        let twisted = across.twist || down.twist;
        if twisted && kind != Some('K') {
            let at = if across.twist { across.end } else { down.end };
            return Err(edges(at, "only a Klein bottle (K) has twisted edges"));
        }
        let shifted = across.shift.is_some() || down.shift.is_some();
        if shifted && !matches!(kind, Some('T' | 'K')) {
            let at = if across.shift.is_some() {
                across.end
            } else {
                down.end
            };
            return Err(edges(
                at,
                "only a torus (T) or a Klein bottle (K) has shifted edges",
            ));
        }
        if across.shift.is_some() && down.shift.is_some() {
            return Err(edges(down.end, "only one pair of edges can be shifted"));
        }
        let infinite = width == 0 || height == 0;
        if infinite && (shifted || !matches!(kind, Some('P' | 'T'))) {
            let at = if width == 0 { across.at } else { down.at };
            return Err(edges(at, "both sides must be finite for this kind of grid"));
        }

        match kind {
            Some('P' | 'T') if width == 0 && height == 0 => Ok(Self::Unbounded),
            Some('P') => Ok(Self::Plane { width, height }),
            Some('T') => {
                let of = |axis, side: &TopologySide| side.shift.map(|s| (axis, s));
                let shift = of(Axis::Horizontal, &across).or(of(Axis::Vertical, &down));
                let shift = shift.filter(|s| s.1 != 0);
                Ok(Self::Torus {
                    width,
                    height,
                    shift,
                })
            }
            Some('K') => {
                let (twisted, side, other) = match (across.twist, down.twist) {
                    (true, false) => (Axis::Horizontal, across, down),
                    (false, true) => (Axis::Vertical, down, across),
                    (true, true) => {
                        return Err(edges(down.end, "one pair of edges is twisted, not both")
                            .hint("`C` is the cross-surface, where both are twisted"));
                    }
                    (false, false) => {
                        return Err(edges(across.end, "a `*` must tell which edges are twisted"));
                    }
                };
                if other.shift.is_some() {
                    return Err(edges(other.end, "only the twisted edges can be shifted"));
                }
                let shift = side.shift.unwrap_or(0);
                if !matches!(shift, 0 | 1) {
                    return Err(edges(
                        side.end,
                        "twisted edges are shifted by +1 or not at all",
                    ));
                }
                if shift == 1 && side.cells % 2 == 1 {
                    return Err(edges(
                        side.end,
                        "twisted edges are shifted only where their length is even",
                    ));
                }
                Ok(Self::Klein {
                    width,
                    height,
                    twisted,
                    shift,
                })
            }
            Some('C') => Ok(Self::CrossSurface { width, height }),
            _ if width != height => Err(edges(down.at, "a sphere (S) has one side length")),
            _ => Ok(Self::Sphere { side: width }),
        }
    }
}

/// The longest side of a bounded grid, as in Golly.
const MAX_SIDE: i64 = 2_000_000_000;

/// One of a grid's two lengths as written, with its marks.
#[derive(Debug, Default)]
struct TopologySide {
    cells: u64,
    twist: bool,
    shift: Option<i64>,
    /// Where it starts.
    at: usize,
    /// Where its marks start.
    end: usize,
}

fn read_side(
    cursor: &mut RuleTextCursor<'_>,
    what: &'static str,
) -> Result<TopologySide, RuleFault> {
    let at = cursor.at();
    let cells = cursor.number_within(what, 0, MAX_SIDE)?.unsigned_abs();
    let end = cursor.at();
    let twist = cursor.eat("*");
    let sign = match cursor.peek() {
        Some('+') => 1,
        Some('-') => -1,
        _ => 0,
    };
    let mut shift = None;
    if sign != 0 {
        cursor.bump();
        shift = Some(sign * cursor.number_within("the shift", 0, MAX_SIDE)?);
    }
    Ok(TopologySide {
        cells,
        twist,
        shift,
        at,
        end,
    })
}

/// The point seen from the grid's top-left cell. A side that is infinite keeps its own
/// coordinates.
fn to_grid(width: u64, height: u64, p: Point) -> (i128, i128) {
    let (w, h) = (i128::from(width / 2), i128::from(height / 2));
    (i128::from(p.x) + w, i128::from(p.y) + h)
}

/// The way back from [`to_grid`], for a point that lies on the grid.
fn from_grid(width: u64, height: u64, x: i128, y: i128) -> Option<Point> {
    let (w, h) = (i128::from(width / 2), i128::from(height / 2));
    let fits = "a cell of the grid has coordinates like those of the point asked for";
    let x = i64::try_from(x - w).expect(fits);
    let y = i64::try_from(y - h).expect(fits);
    Some(Point::new(x, y))
}

/// How often a coordinate has crossed the edges of a side, with the direction's sign.
fn crossings(c: i128, side: i128) -> i128 {
    if side == 0 { 0 } else { c.div_euclid(side) }
}

fn wrapped(c: i128, side: i128) -> i128 {
    if side == 0 { c } else { c.rem_euclid(side) }
}

impl FromStr for Topology {
    type Err = RuleError;

    /// Reads what stands after a rule's colon: `T50,50`.
    fn from_str(text: &str) -> Result<Self, RuleError> {
        Self::read(text).map_err(|fault| fault.within(text, 0))
    }
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unbounded => Ok(()),
            Self::Plane { width, height } => write!(f, ":P{width},{height}"),
            Self::Torus {
                width,
                height,
                shift,
            } => match shift {
                None => write!(f, ":T{width},{height}"),
                Some((Axis::Horizontal, s)) => write!(f, ":T{width}{s:+},{height}"),
                Some((Axis::Vertical, s)) => write!(f, ":T{width},{height}{s:+}"),
            },
            Self::Klein {
                width,
                height,
                twisted,
                shift,
            } => {
                let mark = if shift == 0 { "*" } else { "*+1" };
                match twisted {
                    Axis::Horizontal => write!(f, ":K{width}{mark},{height}"),
                    Axis::Vertical => write!(f, ":K{width},{height}{mark}"),
                }
            }
            Self::CrossSurface { width, height } => write!(f, ":C{width},{height}"),
            Self::Sphere { side } => write!(f, ":S{side}"),
        }
    }
}
