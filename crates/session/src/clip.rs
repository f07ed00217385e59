//! The clipboard: the cells of a rectangle with its top-left cell at (0, 0).

use crate::command::{Mirror, PasteMode, TurnDirection};
use crate::refusal::CommandRefusal;
use grid::{Point, Rect, State, Symmetry};
use pattern::{Cells, Pattern, Run};

/// Cells that were cut, copied, or read from text.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Columns.
    pub width: u64,
    /// Rows.
    pub height: u64,
    /// The live cells.
    pub cells: Cells,
}

impl Clip {
    /// The bounding box of a pattern, as its file gives it.
    pub(crate) fn of_pattern(pattern: &Pattern) -> Result<Self, CommandRefusal> {
        let bounds = pattern.cells.bounds().and_then(|bounds| bounds.to_rect());
        let corner = pattern.position.unwrap_or(Point::new(0, 0));
        let (x, y, width, height) = match (pattern.size, bounds) {
            (Some((width, height)), Some(b)) => {
                // The header of a file may declare less than the cells cover.
                let width = width.max(b.right().abs_diff(corner.x));
                let height = height.max(b.bottom().abs_diff(corner.y));
                (corner.x.min(b.x), corner.y.min(b.y), width, height)
            }
            (Some((width, height)), None) => (corner.x, corner.y, width, height),
            (None, Some(b)) => (b.x, b.y, b.width, b.height),
            (None, None) => return Err(CommandRefusal::NothingToPaste),
        };
        check_reach(Rect::new(x, y, width, height))?;
        Ok(Self {
            width,
            height,
            cells: pattern.cells.translated(-x, -y),
        })
    }

    /// As RLE, with the rule.
    pub(crate) fn to_rle(&self, rule: &str) -> Option<String> {
        let pattern = Pattern {
            cells: self.cells.clone(),
            rule: Some(rule.to_string()),
            size: Some((self.width, self.height)),
            ..Pattern::default()
        };
        let mut out = Vec::new();
        pattern::write(&pattern, pattern::Format::Rle, &mut out).ok()?;
        String::from_utf8(out).ok()
    }

    /// The covered rectangle with its top-left corner at `at`.
    pub(crate) fn rect_at(&self, at: Point) -> Rect {
        Rect::new(at.x, at.y, self.width, self.height)
    }
}

/// Combines existing and pasted cells in a rectangle, by paste mode.
pub(crate) fn combined(there: &Cells, pasted: &Cells, rect: Rect, mode: PasteMode) -> Cells {
    match mode {
        PasteMode::Copy => pasted.clone(),
        PasteMode::Or => {
            let mut runs = runs_of(there);
            pasted.for_each_run(&mut |run| runs.push(run));
            Cells::from_runs(runs)
        }
        PasteMode::Xor | PasteMode::And => by_cell(there, pasted, rect, mode),
    }
}

/// All runs of the cells.
pub(crate) fn runs_of(cells: &Cells) -> Vec<Run> {
    let mut runs = Vec::new();
    cells.for_each_run(&mut |run| runs.push(run));
    runs
}

/// Combines row by row: a new run can begin only where a run of either side begins or ends.
fn by_cell(there: &Cells, pasted: &Cells, rect: Rect, mode: PasteMode) -> Cells {
    let (a, b) = (runs_of(there), runs_of(pasted));
    let mut runs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let y = match (a.get(i), b.get(j)) {
            (Some(a), Some(b)) => a.y.min(b.y),
            (Some(run), None) | (None, Some(run)) => run.y,
            (None, None) => break,
        };
        let row = |runs: &[Run]| runs.iter().take_while(|run| run.y == y).count();
        let (of_a, of_b) = (&a[i..i + row(&a[i..])], &b[j..j + row(&b[j..])]);
        combine_row(y, of_a, of_b, mode, &mut runs);
        (i, j) = (i + of_a.len(), j + of_b.len());
    }
    runs.retain(|run| run.y >= rect.y && run.y < rect.bottom());
    Cells::from_runs(runs)
}

fn combine_row(y: i64, a: &[Run], b: &[Run], mode: PasteMode, runs: &mut Vec<Run>) {
    let end = |run: &Run| run.x.saturating_add_unsigned(run.length);
    let mut edges: Vec<i64> = a
        .iter()
        .chain(b)
        .flat_map(|run| [run.x, end(run)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let (mut i, mut j) = (0, 0);
    for pair in edges.windows(2) {
        let (x, next) = (pair[0], pair[1]);
        let state_at = |runs: &[Run], place: &mut usize| -> State {
            while runs.get(*place).is_some_and(|run| end(run) <= x) {
                *place += 1;
            }
            runs.get(*place)
                .filter(|run| run.x <= x)
                .map_or(0, |run| run.state)
        };
        let state = mode.of(state_at(a, &mut i), state_at(b, &mut j));
        if state != 0 {
            runs.push(Run {
                y,
                x,
                length: next.abs_diff(x),
                state,
            });
        }
    }
}

/// A transformation of a rectangle's cells onto another rectangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    symmetry: Symmetry,
    /// The image of the cell (0, 0) of the plane.
    by: Point,
    /// The image of the rectangle.
    pub(crate) to: Rect,
}

impl Motion {
    pub(crate) fn mirror(rect: Rect, mirror: Mirror) -> Self {
        let symmetry = match mirror {
            Mirror::Horizontal => Symmetry::MirrorX,
            Mirror::Vertical => Symmetry::MirrorY,
        };
        Self::onto(rect, symmetry, Point::new(rect.x, rect.y))
    }

    /// Rotates about the middle, as nearly as whole cells allow. Rotating back restores the
    /// position.
    pub(crate) fn rotate(rect: Rect, turn: TurnDirection) -> Self {
        let symmetry = match turn {
            TurnDirection::Left => Symmetry::Rotate270,
            TurnDirection::Right => Symmetry::Rotate90,
            TurnDirection::Half => Symmetry::Rotate180,
        };
        if turn == TurnDirection::Half {
            return Self::onto(rect, symmetry, Point::new(rect.x, rect.y));
        }
        // Rounded towards zero, so that the roundings of a turn and of its opposite cancel.
        let difference = (rect.width as i64 - rect.height as i64) / 2;
        let corner = Point::new(
            rect.x.saturating_add(difference),
            rect.y.saturating_sub(difference),
        );
        Self::onto(rect, symmetry, corner)
    }

    pub(crate) fn shift(rect: Rect, dx: i64, dy: i64) -> Self {
        let corner = Point::new(rect.x.saturating_add(dx), rect.y.saturating_add(dy));
        Self::onto(rect, Symmetry::Identity, corner)
    }

    /// Places the image's top-left corner at `corner`.
    pub(crate) fn onto(rect: Rect, symmetry: Symmetry, corner: Point) -> Self {
        let last = Point::new(rect.right() - 1, rect.bottom() - 1);
        let (a, b) = (
            symmetry.apply(Point::new(rect.x, rect.y)),
            symmetry.apply(last),
        );
        let turned = Rect::from_corners(a, b);
        Self {
            symmetry,
            by: Point::new(
                corner.x.saturating_sub(turned.x),
                corner.y.saturating_sub(turned.y),
            ),
            to: Rect::new(corner.x, corner.y, turned.width, turned.height),
        }
    }

    /// The transformed cells.
    pub(crate) fn of(&self, cells: &Cells) -> Cells {
        let mut runs = Vec::new();
        cells.for_each_run(&mut |run| {
            let ends = [run.x, run.x.saturating_add_unsigned(run.length - 1)];
            let [a, b] = ends.map(|x| {
                let p = self.symmetry.apply(Point::new(x, run.y));
                Point::new(p.x.saturating_add(self.by.x), p.y.saturating_add(self.by.y))
            });
            let moved = Rect::from_corners(a, b);
            for y in moved.y..moved.bottom() {
                runs.push(Run {
                    y,
                    x: moved.x,
                    length: moved.width,
                    state: run.state,
                });
            }
        });
        Cells::from_runs(runs)
    }
}

/// The furthest coordinate for selecting, pasting and moving, so that the sum of two coordinates,
/// or of one and a length, fits in 64 bits.
const EDIT_REACH: i64 = 1 << 61;

/// Checks that a rectangle is within [`EDIT_REACH`].
pub(crate) fn check_reach(rect: Rect) -> Result<(), CommandRefusal> {
    let fits = |least: i64, side: u64| {
        let end = i128::from(least) + i128::from(side);
        least >= -EDIT_REACH && end <= i128::from(EDIT_REACH)
    };
    match fits(rect.x, rect.width) && fits(rect.y, rect.height) {
        true => Ok(()),
        false => Err(CommandRefusal::TooFar),
    }
}
