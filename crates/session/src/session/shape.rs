//! Shapes, flood fill, symmetric drawing, and selecting objects.

use crate::clip::check_reach;
use crate::command::{DrawnShape, FollowChange};
use crate::heading::motion_of;
use crate::refusal::CommandRefusal;
use crate::session::edit::MAX_STROKE_CELLS;
use crate::session::{CommandReply, Session};
use crate::ship_motion::ShipMotion;
use crate::viewer::{CameraTrack, DrawingSymmetry, Viewer};
use grid::{Point, Rect, State};
use num_traits::ToPrimitive as _;
use pattern::soup::SoupSymmetry;
use pattern::{Cells, Run};
use std::collections::HashSet;

/// How far from a cell an object is looked for that a pointer meant.
const POINTER_REACH: i64 = 2;

impl Session {
    /// Draws a shape between two corners.
    pub(crate) fn draw_shape(
        &mut self,
        viewer: &Viewer,
        shape: DrawnShape,
        is_filled: bool,
        state: State,
        corners: [Point; 2],
    ) -> Result<CommandReply, CommandRefusal> {
        let rect = Rect::from_corners(corners[0], corners[1]);
        check_reach(rect)?;
        let what = shape.name();
        let count = cell_count(shape, is_filled, rect);
        if count > MAX_STROKE_CELLS.into() {
            return Err(CommandRefusal::TooMany {
                what,
                cells: count,
                most: MAX_STROKE_CELLS,
            });
        }
        let cells = viewer.images(&shape_cells(shape, is_filled, rect));
        self.put(what, &cells, state)
    }

    /// Gives a state to all cells that are joined to a cell by edges through cells of its state.
    pub(crate) fn flood(
        &mut self,
        state: State,
        from: Point,
    ) -> Result<CommandReply, CommandRefusal> {
        let topology = *self.world.rule().topology();
        if !topology.contains(from) {
            return Err(CommandRefusal::OutsideGrid {
                x: from.x,
                y: from.y,
            });
        }
        let lattice = self.world.rule().lattice();
        let old = self.world.get(from);
        // Beyond the live cells, cells are of one state without end.
        let bounds = self.world.bounds().and_then(|bounds| bounds.to_rect());
        let within = self.selection.filter(|rect| rect.contains(from));
        let is_bounded = within.is_some() || topology.rect().is_some() || old != 0;
        let mut seen = HashSet::from([from]);
        let mut cells = vec![from];
        let mut next = 0;
        while let Some(&p) = cells.get(next) {
            next += 1;
            if !is_bounded && !bounds.is_some_and(|bounds| bounds.contains(p)) {
                return Err(CommandRefusal::NoBorder);
            }
            if cells.len() as u64 > MAX_STROKE_CELLS {
                return Err(CommandRefusal::TooMany {
                    what: "flood",
                    cells: cells.len() as u128,
                    most: MAX_STROKE_CELLS,
                });
            }
            let neighbours = lattice.edge_neighbours(p.x, p.y).iter();
            for q in neighbours.filter_map(|&(dx, dy)| topology.resolve(p.offset(dx, dy))) {
                let is_in = within.is_none_or(|rect| rect.contains(q));
                if is_in && self.world.get(q) == old && seen.insert(q) {
                    cells.push(q);
                }
            }
        }
        self.put("flood", &cells, state)
    }

    /// Selects the object at a cell: the live cells that are joined to it by sharing neighbours.
    pub(crate) fn select_object(
        &mut self,
        viewer: &Viewer,
        at: Option<Point>,
    ) -> Result<CommandReply, CommandRefusal> {
        let object = self.object_at(viewer, at)?;
        self.select_box_of(&object, None)
    }

    /// Takes into the selection what shares neighbours with its live cells.
    pub(crate) fn grow_selection(&mut self) -> Result<CommandReply, CommandRefusal> {
        let rect = self.selected()?;
        let objects = self.joined(self.points_in(rect)?)?;
        self.select_box_of(&objects, Some(rect))
    }

    /// Selects the object after the selected one, or the one before, and puts it in the middle of the
    /// view. Objects stand in the order of their boxes' corners: down, and in a row to the right.
    pub(crate) fn select_part(
        &mut self,
        viewer: &mut Viewer,
        forward: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        let whole = self.world.bounds().and_then(|bounds| bounds.to_rect());
        let whole = whole.filter(|rect| check_reach(*rect).is_ok());
        let nothing = || CommandRefusal::NothingLives("here, or they lie too far out");
        let mut boxes = Vec::new();
        let mut seen = HashSet::new();
        for cell in self.points_in(whole.ok_or_else(nothing)?)? {
            if seen.contains(&cell) {
                continue;
            }
            let object = self.joined(vec![cell])?;
            let one = |p: &Point| Rect::new(p.x, p.y, 1, 1);
            boxes.extend(object.iter().map(one).reduce(|all, rect| all.union(&rect)));
            seen.extend(object);
        }
        let place = |rect: &Rect| (rect.y, rect.x, rect.height, rect.width);
        boxes.sort_by_key(place);
        let last = boxes.len().checked_sub(1).ok_or_else(nothing)?;
        // around the end to the start
        let at = match self.selection.as_ref().map(place) {
            None if forward => 0,
            None => last,
            Some(here) if forward => {
                boxes.partition_point(|rect| place(rect) <= here) % boxes.len()
            }
            Some(here) => match boxes.partition_point(|rect| place(rect) < here) {
                0 => last,
                before => before - 1,
            },
        };
        let part = boxes[at];
        let middle = |from: i64, side: u64| from + (side / 2) as i64;
        let (x, y) = (middle(part.x, part.width), middle(part.y, part.height));
        viewer.viewport = viewer.viewport.centred_on(&x.into(), &y.into());
        self.selection = Some(part);
        self.revision += 1;
        let words = format!("object {} of {}", at + 1, boxes.len());
        Ok(CommandReply::note(words))
    }

    /// Lets the view follow what is asked for.
    pub(crate) fn follow(
        &mut self,
        viewer: &mut Viewer,
        change: FollowChange,
    ) -> Result<CommandReply, CommandRefusal> {
        let motion = match change {
            FollowChange::Live(switch) => {
                viewer.follow = switch.of(viewer.follow || viewer.track.is_some());
                viewer.track = None;
                return Ok(CommandReply::default());
            }
            FollowChange::Motion(motion) => motion,
            FollowChange::Object(at) => {
                let object = match (at, self.selection) {
                    (None, Some(rect)) => self.points_in(rect)?,
                    (at, _) => self.object_at(viewer, at)?,
                };
                let runs = object.iter().map(|p| Run {
                    y: p.y,
                    x: p.x,
                    length: 1,
                    state: self.world.get(*p),
                });
                let cells = Cells::from_runs(runs.collect());
                let ship = || "this object".to_string();
                motion_of(cells, self.world.rule())?
                    .ok_or_else(|| CommandRefusal::NoHeading { ship: ship() })?
            }
        };
        let track = CameraTrack::new(motion, self.world.generation().clone());
        let ShipMotion { dx, dy, period } = motion;
        let generations = match period {
            1 => "a generation".to_string(),
            _ => format!("{period} generations"),
        };
        let note = format!("the view goes {dx},{dy} cells in {generations}");
        viewer.follow = false;
        viewer.track = Some(track);
        Ok(CommandReply::note(note))
    }

    /// The cells of the object at a cell, or at the cursor, or near it.
    fn object_at(&self, viewer: &Viewer, at: Option<Point>) -> Result<Vec<Point>, CommandRefusal> {
        let at = match at {
            Some(at) => at,
            None => {
                let middle = || viewer.viewport.centre();
                let (x, y) = viewer.cursor.clone().unwrap_or_else(middle);
                let here = x.to_i64().zip(y.to_i64());
                here.map(|(x, y)| Point::new(x, y))
                    .ok_or(CommandRefusal::TooFar)?
            }
        };
        check_reach(Rect::new(at.x, at.y, 1, 1))?;
        let near = (-POINTER_REACH..=POINTER_REACH)
            .flat_map(|dy| (-POINTER_REACH..=POINTER_REACH).map(move |dx| (dx, dy)))
            .filter(|&(dx, dy)| self.world.get(at.offset(dx, dy)) != 0)
            .min_by_key(|(dx, dy)| dx * dx + dy * dy);
        let (dx, dy) = near.ok_or(CommandRefusal::NothingLives("at this cell"))?;
        self.joined(vec![at.offset(dx, dy)])
    }

    /// The live cells of a rectangle.
    fn points_in(&self, rect: Rect) -> Result<Vec<Point>, CommandRefusal> {
        let mut points = Vec::new();
        let listed = self.listed_cells_in("select", rect)?;
        if listed.population() > MAX_STROKE_CELLS.into() {
            return Err(CommandRefusal::TooMany {
                what: "select",
                cells: listed.walk_length(),
                most: MAX_STROKE_CELLS,
            });
        }
        listed.for_each_run(&mut |run| {
            points.extend((0..run.length as i64).map(|i| Point::new(run.x + i, run.y)));
        });
        Ok(points)
    }

    /// These live cells and all that are joined to them, by sharing neighbours.
    fn joined(&self, mut cells: Vec<Point>) -> Result<Vec<Point>, CommandRefusal> {
        // two cells this near have a neighbour in common
        let reach = 2 * i64::from(self.world.rule().radius());
        let mut seen: HashSet<Point> = cells.iter().copied().collect();
        let mut next = 0;
        while let Some(&p) = cells.get(next) {
            next += 1;
            if cells.len() as u64 > MAX_STROKE_CELLS {
                return Err(CommandRefusal::TooMany {
                    what: "select",
                    cells: cells.len() as u128,
                    most: MAX_STROKE_CELLS,
                });
            }
            if next % (1 << 14) == 0 {
                self.check_continue("select")?;
            }
            let side = 2 * reach as u64 + 1;
            let around = Rect::new(p.x - reach, p.y - reach, side, side);
            self.world.runs_in(around, &mut |run| {
                for i in 0..run.length as i64 {
                    let q = Point::new(run.x + i, run.y);
                    if seen.insert(q) {
                        cells.push(q);
                    }
                }
            });
        }
        Ok(cells)
    }

    /// Selects the box of these cells and of a rectangle.
    fn select_box_of(
        &mut self,
        cells: &[Point],
        rect: Option<Rect>,
    ) -> Result<CommandReply, CommandRefusal> {
        let mut boxes = cells.iter().map(|p| Rect::new(p.x, p.y, 1, 1)).chain(rect);
        let Some(first) = boxes.next() else {
            return Err(CommandRefusal::NothingLives("in the selection"));
        };
        let all = boxes.fold(first, |all, rect| all.union(&rect));
        check_reach(all)?;
        self.selection = Some(all);
        self.revision += 1;
        Ok(CommandReply::default())
    }

    /// Sets which copies of a cell are drawn along with it, and about which rectangle's middle.
    pub(crate) fn set_symmetry(
        &self,
        viewer: &mut Viewer,
        symmetry: SoupSymmetry,
        about: Option<Rect>,
    ) -> Result<CommandReply, CommandRefusal> {
        if symmetry == SoupSymmetry::NONE {
            viewer.symmetry = None;
            return Ok(CommandReply::note("drawing without symmetry"));
        }
        let grid = self.world.rule().topology().rect();
        let middle = || {
            let (x, y) = viewer.viewport.centre();
            let here = x.to_i64().zip(y.to_i64());
            here.map(|(x, y)| Rect::new(x, y, 1, 1))
        };
        let about = about
            .or(self.selection)
            .or(grid)
            .or_else(middle)
            .ok_or(CommandRefusal::TooFar)?;
        check_reach(about)?;
        let chosen = DrawingSymmetry::about(symmetry, about);
        viewer.symmetry = Some(chosen);
        Ok(CommandReply::note(format!(
            "drawing with symmetry {chosen}"
        )))
    }
}

/// The first and the last column of an ellipse in a row of its box, counted from its left side.
///
/// A cell belongs to it when its middle is in the ellipse that touches the box's sides, or when
/// it lies in the middle row or column, of which there are two where the side is even: so each
/// side of the box is touched.
fn ellipse_row(rect: Rect, row: u64) -> (u64, u64) {
    let (width, height) = (i128::from(rect.width), i128::from(rect.height));
    let is_inside = |column: u64| {
        // twice the distances from the middle: whole for every size
        let dx = 2 * i128::from(column) - (width - 1);
        let dy = 2 * i128::from(row) - (height - 1);
        dx.abs() <= 1
            || dy.abs() <= 1
            || dx * dx * height * height + dy * dy * width * width
                <= width * width * height * height
    };
    // what is inside is a run about the middle: its left end by bisection
    let (mut outside, mut inside) = (-1_i64, (rect.width / 2) as i64);
    while inside - outside > 1 {
        let between = (outside + inside) / 2;
        match is_inside(between as u64) {
            true => inside = between,
            false => outside = between,
        }
    }
    (inside as u64, rect.width - 1 - inside as u64)
}

/// At most how many cells a shape has.
fn cell_count(shape: DrawnShape, is_filled: bool, rect: Rect) -> u128 {
    let (width, height) = (u128::from(rect.width), u128::from(rect.height));
    match (shape, is_filled) {
        (_, true) => width * height,
        (_, false) => 2 * (width + height),
    }
}

/// The cells of a shape in a box, row by row.
fn shape_cells(shape: DrawnShape, is_filled: bool, rect: Rect) -> Vec<Point> {
    let span = |row: u64| match shape {
        DrawnShape::Rectangle => (0, rect.width - 1),
        DrawnShape::Ellipse => ellipse_row(rect, row),
    };
    let mut cells = Vec::new();
    for row in 0..rect.height {
        let (left, right) = span(row);
        let neighbour = |row: Option<u64>| row.filter(|row| *row < rect.height).map(span);
        let (above, below) = (neighbour(row.checked_sub(1)), neighbour(row.checked_add(1)));
        let mut push = |from: u64, to: u64| {
            let y = rect.y + row as i64;
            cells.extend((from..=to).map(|column| Point::new(rect.x + column as i64, y)));
        };
        // What lies between the ends of the rows above and below has neighbours on all sides.
        match (is_filled, above, below) {
            (false, Some((a, b)), Some((c, d))) => {
                let inner_left = a.max(c).max(left + 1);
                let inner_right = b.min(d).min(right.saturating_sub(1));
                if inner_left > inner_right {
                    push(left, right);
                } else {
                    push(left, inner_left - 1);
                    push(inner_right + 1, right);
                }
            }
            _ => push(left, right),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(shape: DrawnShape, is_filled: bool, width: u64, height: u64) -> String {
        let cells = shape_cells(shape, is_filled, Rect::new(0, 0, width, height));
        let row = |y| {
            let cell = |x| match cells.contains(&Point::new(x, y)) {
                true => 'o',
                false => '.',
            };
            (0..width as i64).map(cell).collect::<String>()
        };
        (0..height as i64).map(row).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn an_ellipse_is_round() {
        let ring = "..ooo..\n.o...o.\no.....o\no.....o\no.....o\n.o...o.\n..ooo..";
        assert_eq!(picture(DrawnShape::Ellipse, false, 7, 7), ring);
        let disc = "..ooo..\n.ooooo.\nooooooo\nooooooo\nooooooo\n.ooooo.\n..ooo..";
        assert_eq!(picture(DrawnShape::Ellipse, true, 7, 7), disc);
        assert_eq!(picture(DrawnShape::Ellipse, false, 1, 3), "o\no\no");
        assert_eq!(picture(DrawnShape::Ellipse, false, 4, 1), "oooo");
        assert_eq!(picture(DrawnShape::Ellipse, false, 2, 2), "oo\noo");
    }

    /// Each cell once, all in the box, each side of it touched, and the outline is those cells
    /// of the filled shape that have one without beside them.
    #[test]
    fn an_outline_is_what_borders_on_the_outside() {
        for shape in [DrawnShape::Rectangle, DrawnShape::Ellipse] {
            for width in 1..20 {
                for height in 1..20 {
                    let rect = Rect::new(-3, 5, width, height);
                    let filled = shape_cells(shape, true, rect);
                    let outline = shape_cells(shape, false, rect);
                    let inside: HashSet<_> = filled.iter().copied().collect();
                    assert_eq!(inside.len(), filled.len());
                    assert!(inside.iter().all(|p| rect.contains(*p)));
                    let touches = |f: &dyn Fn(&Point) -> bool| inside.iter().any(f);
                    assert!(touches(&|p| p.x == rect.x) && touches(&|p| p.y == rect.y));
                    assert!(touches(&|p| p.x == rect.right() - 1));
                    assert!(touches(&|p| p.y == rect.bottom() - 1));
                    let borders = filled.iter().copied().filter(|p| {
                        let sides = [(0, 1), (1, 0), (0, -1), (-1, 0)];
                        let mut beside = sides.iter().map(|(dx, dy)| p.offset(*dx, *dy));
                        beside.any(|q| !inside.contains(&q))
                    });
                    let borders: Vec<_> = borders.collect();
                    assert_eq!(outline, borders, "{shape:?} {width}x{height}");
                }
            }
        }
    }
}
