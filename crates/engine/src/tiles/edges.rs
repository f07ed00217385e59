//! The edges of a world, and which cells beyond them are copies of which cells of the grid.

use super::rect::TileRect;
use grid::{Point, Rect};
use rule::{Axis, Topology};

/// The edges of a world, for cells that see some way beyond them.
///
/// The plane around a grid is cut into copies of it. In each of them every cell of the grid
/// is seen once; [`TileEdges::images`] tells where, which is [`Topology::resolve`] the other
/// way around.
#[derive(Clone, Debug)]
pub(super) struct TileEdges {
    topology: Topology,
    reach: i64,
    grid: Rect,
}

impl TileEdges {
    pub(super) fn new(topology: Topology, reach: i32) -> Self {
        Self {
            topology,
            reach: reach.into(),
            grid: grid(topology),
        }
    }

    /// The grid's cells. A side that is infinite goes as far as coordinates do.
    pub(super) fn grid(&self) -> Rect {
        self.grid
    }

    /// Whether any cell of the grid is seen outside it.
    pub(super) fn are_joined(&self) -> bool {
        !matches!(self.topology, Topology::Unbounded | Topology::Plane { .. })
    }

    /// What of a tile lies on the grid; `corner` is its top-left cell.
    pub(super) fn inside(&self, corner: Point, (wide, tall): (i32, i32)) -> TileRect {
        let from = |edge: i64, at: i64, most: i32| {
            let ahead = i128::from(edge) - i128::from(at);
            ahead.clamp(0, most.into()) as i32
        };
        TileRect {
            left: from(self.grid.x, corner.x, wide),
            top: from(self.grid.y, corner.y, tall),
            right: from(self.grid.right(), corner.x, wide),
            bottom: from(self.grid.bottom(), corner.y, tall),
        }
    }

    /// The cells of a rectangle of the grid that may be seen from outside: those near an
    /// edge, each in one of the rectangles.
    pub(super) fn bands(&self, rect: Rect) -> [Rect; 4] {
        let (width, height) = self.topology.size();
        // Where the cells near the first edge end, and those near the second begin.
        let near = |edge: i64, side: u64| match side {
            0 => (i64::MIN, i64::MAX),
            _ => {
                let end = edge.saturating_add_unsigned(side);
                let first = end.min(edge + self.reach);
                (first, first.max(end - self.reach))
            }
        };
        let (west, east) = near(self.grid.x, width);
        let (north, south) = near(self.grid.y, height);
        let (right, bottom) = (rect.right(), rect.bottom());
        let part = |x: (i64, i64), y: (i64, i64)| {
            let size = |(from, to): (i64, i64)| if to > from { to.abs_diff(from) } else { 0 };
            Rect::new(x.0, y.0, size(x), size(y))
        };
        let all = (rect.x, right);
        let middle = (rect.y.max(north), bottom.min(south));
        [
            part(all, (rect.y, bottom.min(north))),
            part(all, (rect.y.max(south), bottom)),
            part((rect.x, right.min(west)), middle),
            part((rect.x.max(east), right), middle),
        ]
    }

    /// All cells outside the grid, and within reach of it, that show this one.
    pub(super) fn images(&self, p: Point, f: &mut dyn FnMut(Point)) {
        if !self.are_joined() {
            return;
        }
        let (width, height) = self.topology.size();
        let (w, h) = (i128::from(width), i128::from(height));
        let reach = i128::from(self.reach);
        let corner = (i128::from(width / 2), i128::from(height / 2));
        let (x, y) = (i128::from(p.x) + corner.0, i128::from(p.y) + corner.1);
        // How many copies of the grid are in reach.
        let copies = |side: i128| {
            if side == 0 {
                0
            } else {
                (reach + side - 1) / side
            }
        };
        let within = |c: i128, side: i128| side == 0 || (c >= -reach && c < side + reach);
        for j in -copies(h)..=copies(h) {
            for i in -copies(w)..=copies(w) {
                if (i, j) == (0, 0) {
                    continue;
                }
                let (x, y) = self.image((x, y), (w, h), (i, j));
                if within(x, w) && within(y, h) {
                    let near = "a cell near the grid has coordinates like those on it";
                    let x = i64::try_from(x - corner.0).expect(near);
                    f(Point::new(x, i64::try_from(y - corner.1).expect(near)));
                }
            }
        }
    }

    /// Where a cell, counted from the grid's corner, is seen in the copy that is `i` grids
    /// to the right and `j` down.
    fn image(
        &self,
        (x, y): (i128, i128),
        (w, h): (i128, i128),
        (i, j): (i128, i128),
    ) -> (i128, i128) {
        let odd = |n: i128| n.rem_euclid(2) == 1;
        let (x, y) = match self.topology {
            Topology::Torus { shift, .. } => match shift {
                Some((Axis::Horizontal, by)) => ((x - j * i128::from(by)).rem_euclid(w), y),
                Some((Axis::Vertical, by)) => (x, (y - i * i128::from(by)).rem_euclid(h)),
                None => (x, y),
            },
            Topology::Klein { twisted, shift, .. } => {
                let turned =
                    |c: i128, side: i128| (side - 1 - i128::from(shift) - c).rem_euclid(side);
                match twisted {
                    Axis::Horizontal if odd(j) => (turned(x, w), y),
                    Axis::Vertical if odd(i) => (x, turned(y, h)),
                    _ => (x, y),
                }
            }
            Topology::CrossSurface { .. } => (
                if odd(j) { w - 1 - x } else { x },
                if odd(i) { h - 1 - y } else { y },
            ),
            // Each copy is turned about the corner that it shares with the one before.
            Topology::Sphere { .. } => match (odd(i), odd(j)) {
                (false, false) => (x, y),
                (false, true) => (y, w - 1 - x),
                (true, false) => (w - 1 - y, x),
                (true, true) => (w - 1 - x, w - 1 - y),
            },
            Topology::Unbounded | Topology::Plane { .. } => (x, y),
        };
        (x + i * w, y + j * h)
    }
}

/// The cells of a world.
pub(super) fn grid(topology: Topology) -> Rect {
    let (width, height) = topology.size();
    let span = |side: u64| match side {
        0 => (i64::MIN, u64::MAX),
        _ => (-((side / 2) as i64), side),
    };
    let ((x, width), (y, height)) = (span(width), span(height));
    Rect::new(x, y, width, height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn cells(rect: Rect) -> impl Iterator<Item = Point> {
        (rect.y..rect.bottom())
            .flat_map(move |y| (rect.x..rect.right()).map(move |x| Point::new(x, y)))
    }

    #[test]
    fn images_are_what_is_seen_outside() {
        for text in [
            "T5,4", "T1,1", "T1,3", "T2,7", "T5+2,4", "T5-1,3", "T4,5+3", "T4,6-1", "T0,3", "T3,0",
            "K5*,4", "K4,5*", "K6*+1,3", "K3,4*+1", "K1*,2", "C4,5", "C1,1", "C3,2", "S5", "S1",
            "S4", "P3,4", "T9,9",
        ] {
            let topology: Topology = text.parse().unwrap();
            for reach in [1, 2, 3, 7] {
                let edges = TileEdges::new(topology, reach);
                let (w, h) = topology.size();
                // An infinite side is tried over some of its cells.
                let seen = |side: u64| {
                    let r = i64::from(reach);
                    if side == 0 {
                        (-3, 6)
                    } else {
                        (-((side / 2) as i64) - r, side + 2 * r as u64)
                    }
                };
                let ((x, w), (y, h)) = (seen(w), seen(h));
                let around = Rect::new(x, y, w, h);
                let mut expected = BTreeSet::new();
                let mut found = BTreeSet::new();
                for p in cells(around) {
                    if topology.contains(p) {
                        edges.images(p, &mut |q| {
                            assert!(found.insert((p, q)), "{text}: {q:?} twice");
                        });
                    } else if let Some(source) = topology.resolve(p) {
                        expected.insert((source, p));
                    }
                }
                assert_eq!(found, expected, "{text}, reach {reach}");
                let grid = edges.grid().intersection(&around);
                let near: Vec<Point> = edges.bands(grid).into_iter().flat_map(cells).collect();
                let once: BTreeSet<Point> = near.iter().copied().collect();
                assert_eq!(once.len(), near.len(), "{text}");
                assert!(found.iter().all(|(p, _)| once.contains(p)), "{text}");
                assert!(near.iter().all(|p| topology.contains(*p)), "{text}");
            }
        }
    }
}
