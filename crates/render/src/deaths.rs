//! Which live cells are empty in the next generation. (Own method, held against the rule itself.)

use engine::{Torus, World};
use grid::{Point, Rect, State};
use num_traits::ToPrimitive;
use pattern::{Cells, Run};
use rule::{ConfigurationTable, CountTable, Rule, Site, Topology, Transition, TransitionRow};
use std::borrow::Cow;

/// The mark of a live cell that is empty in the next generation.
pub const DYING: u8 = 255;

/// The most cells of a rectangle whose states are copied to one array.
const MAX_AREA: u64 = 1 << 25;
/// The greatest radius at which checking every neighbour is as quick as an engine.
const MAX_DIRECT_RADIUS: u32 = 2;
/// Beyond this coordinate cells are checked one by one.
const MAX_COORDINATE: i64 = 1 << 60;

/// Calls `f` for the cells of a rectangle that are live now and empty in the next generation,
/// row by row, exactly as [`Rule::next`] says, across the edges of the world.
///
/// The cost depends on the area; for very large areas on the population.
///
/// ```
/// use engine::World;
/// use grid::{Point, Rect};
///
/// let mut row = engine::Tiles::new("B3/S23".parse()?)?;
/// for x in 0..3 {
///     row.set(Point::new(x, 0), 1)?; // a blinker
/// }
/// let mut dying = Vec::new();
/// render::for_each_dying(&row, Rect::new(0, 0, 3, 1), &mut |cell| dying.push(cell.x));
/// assert_eq!(dying, [0, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn for_each_dying(world: &dyn World, rect: Rect, f: &mut dyn FnMut(Point)) {
    let rule = world.rule();
    let rect = on_grid(rule.topology(), rect);
    if rect.is_empty() {
        return;
    }
    let Some(halo) = HaloStates::around(world, rect) else {
        return check_cell_by_cell(world, rect, f);
    };
    if rule.radius() > MAX_DIRECT_RADIUS && halo.check_with_engine(world, rect, f) {
        return;
    }
    match only_table(rule) {
        Some(table) => halo.mark_3x3(&table, rect, &mut |y, marks| {
            let marked = (rect.x..).zip(marks);
            for (x, _) in marked.filter(|(_, mark)| **mark == DYING) {
                f(Point::new(x, y));
            }
        }),
        None => halo.check_cells(rule, phase(world), rect, f),
    }
}

/// Marks the dying cells of a rectangle with [`DYING`] in bytes row by row, over existing
/// marks. Whole rows where possible: a call for each cell takes longer than the computation.
pub(crate) fn mark(world: &dyn World, rect: Rect, marks: &mut [u8]) {
    let rule = world.rule();
    let seen = on_grid(rule.topology(), rect);
    let place = |p: Point| {
        let row = p.y.abs_diff(rect.y) * rect.width;
        (row + p.x.abs_diff(rect.x)) as usize
    };
    let table = only_table(rule).filter(|_| !seen.is_empty());
    let halo = table.and_then(|table| Some((table, HaloStates::around(world, seen)?)));
    let Some((table, halo)) = halo else {
        return for_each_dying(world, rect, &mut |p| marks[place(p)] = DYING);
    };
    halo.mark_3x3(&table, seen, &mut |y, found| {
        let first = place(Point::new(seen.x, y));
        for (mark, found) in marks[first..].iter_mut().zip(found) {
            *mark |= found;
        }
    });
}

/// The table of a rule with one table for all phases, a 3 x 3 neighbourhood, and cells that
/// count fully or not at all.
fn only_table(rule: &Rule) -> Option<Cow<'_, ConfigurationTable>> {
    if rule.phases() > 1 || rule.time_period() > 1 {
        return None;
    }
    match rule.transition(Site::default()) {
        Transition::Configuration(table) => Some(Cow::Borrowed(table)),
        Transition::Count(table) => by_configuration(table).map(Cow::Owned),
        Transition::Lookup(_) => None,
    }
}

/// The count table as a table over the configurations of the counted cells.
fn by_configuration(table: &CountTable) -> Option<ConfigurationTable> {
    let cells = table.neighbourhood.cells();
    let is_near = cells.iter().all(|c| c.dx.abs() <= 1 && c.dy.abs() <= 1);
    let mut worths = table.values.iter().filter(|&&value| value != 0);
    let worth = *worths.next()?;
    if !is_near || worths.any(|&other| other != worth) {
        return None;
    }
    let bit = |dx: i32, dy: i32| 4 - 3 * dy - dx;
    let sum = |seen: usize| -> i64 {
        let counts = cells.iter().filter(|c| seen >> bit(c.dx, c.dy) & 1 == 1);
        counts.map(|c| i64::from(c.weight) * i64::from(worth)).sum()
    };
    let indices: Vec<usize> = (0..512)
        .map(|seen| (sum(seen) - table.least) as usize)
        .collect();
    // Configurations inconsistent with the state itself never occur: any value will do.
    let next = |row: &TransitionRow, index: usize| match row {
        TransitionRow::Constant(state) => *state,
        TransitionRow::By(next) => next.get(index).copied().unwrap_or(0),
    };
    let row = |row: &TransitionRow| {
        TransitionRow::By(indices.iter().map(|&index| next(row, index)).collect())
    };
    Some(ConfigurationTable {
        counted: table.values.iter().map(|&value| value != 0).collect(),
        rows: table.rows.iter().map(row).collect(),
    })
}

/// The part of the rectangle that lies on the grid.
fn on_grid(topology: &Topology, rect: Rect) -> Rect {
    let side = |first: i64, length: u64, side: u64| {
        if side == 0 {
            return (first, length);
        }
        let least = -((side / 2) as i64);
        let end = first.saturating_add_unsigned(length);
        let end = end.min(least.saturating_add_unsigned(side));
        let first = first.max(least);
        (first, if end > first { end.abs_diff(first) } else { 0 })
    };
    let (columns, rows) = topology.size();
    let (x, width) = side(rect.x, rect.width, columns);
    let (y, height) = side(rect.y, rect.height, rows);
    Rect::new(x, y, width, height)
}

/// The states of a rectangle and of a halo as wide as the rule's radius, across the edges of a
/// grid too.
struct HaloStates {
    states: Vec<State>,
    rect: Rect,
}

impl HaloStates {
    /// `None` where it would be too large, or so far out that coordinates could overflow.
    fn around(world: &dyn World, rect: Rect) -> Option<Self> {
        let rule = world.rule();
        let margin = rule.radius();
        let is_near = [rect.x, rect.y, rect.right(), rect.bottom()]
            .iter()
            .all(|c| c.unsigned_abs() < MAX_COORDINATE as u64);
        let wider = |side: u64| side.checked_add(2 * u64::from(margin));
        let (width, height) = (wider(rect.width)?, wider(rect.height)?);
        let area = width.checked_mul(height)?;
        if !is_near || area > MAX_AREA {
            return None;
        }
        let margin = i64::from(margin);
        let rect = Rect::new(rect.x - margin, rect.y - margin, width, height);
        let mut states = Vec::new();
        world.states_in(rect, &mut states);
        let mut halo = Self { states, rect };
        halo.fill_across_edges(world);
        Some(halo)
    }

    /// Fills in the cells beyond the edges of a grid whose edges are joined.
    fn fill_across_edges(&mut self, world: &dyn World) {
        let topology = world.rule().topology();
        if matches!(topology, Topology::Unbounded | Topology::Plane { .. }) {
            return;
        }
        let rect = self.rect;
        let inside = on_grid(topology, rect);
        let width = rect.width as usize;
        for (row, y) in (rect.y..rect.bottom()).enumerate() {
            let is_beside = y >= inside.y && y < inside.bottom();
            let mut x = rect.x;
            while x < rect.right() {
                if is_beside && x == inside.x {
                    x = inside.right();
                    continue;
                }
                let seen = topology.resolve(Point::new(x, y));
                self.states[row * width + x.abs_diff(rect.x) as usize] =
                    seen.map_or(0, |p| world.get(p));
                x += 1;
            }
        }
    }

    fn index(&self, p: Point) -> usize {
        let row = p.y.abs_diff(self.rect.y) * self.rect.width;
        (row + p.x.abs_diff(self.rect.x)) as usize
    }

    /// For 3 x 3 rules: computes the marks of each row, [`DYING`] or 0, without a branch for
    /// each cell: half of the branches would be mispredicted.
    fn mark_3x3(&self, table: &ConfigurationTable, rect: Rect, f: &mut dyn FnMut(i64, &[u8])) {
        // For each state the configurations that it does not survive; state 0 does not die.
        let mut dies = vec![0_u8; 512 * 256];
        for (state, row) in table.rows.iter().enumerate().skip(1) {
            for (seen, mark) in dies[512 * state..][..512].iter_mut().enumerate() {
                *mark = if row.get(seen) == 0 { DYING } else { 0 };
            }
        }
        let mut counted = [0; 256];
        for (to, &is_counted) in counted.iter_mut().zip(&table.counted) {
            *to = u8::from(is_counted);
        }
        let lives: Vec<u8> = self
            .states
            .iter()
            .map(|&s| counted[usize::from(s)])
            .collect();
        let (length, width) = (rect.width as usize + 2, rect.width as usize);
        let mut columns = vec![0_u16; length];
        let mut marks = vec![0; width];
        for y in rect.y..rect.bottom() {
            let first = |dy: i64| self.index(Point::new(rect.x - 1, y + dy));
            let line = |dy: i64| &lives[first(dy)..][..length];
            let (above, here, below) = (line(-1), line(0), line(1));
            for (i, column) in columns.iter_mut().enumerate() {
                let bit = |line: &[u8]| u16::from(line[i]);
                *column = bit(above) << 6 | bit(here) << 3 | bit(below);
            }
            let states = &self.states[first(0) + 1..][..width];
            for (i, mark) in marks.iter_mut().enumerate() {
                let seen = columns[i] << 2 | columns[i + 1] << 1 | columns[i + 2];
                *mark = dies[512 * usize::from(states[i]) + usize::from(seen & 511)];
            }
            f(y, &marks);
        }
    }

    /// For small radii: evaluates the rule at each live cell.
    fn check_cells(&self, rule: &Rule, generation: u64, rect: Rect, f: &mut dyn FnMut(Point)) {
        let width = self.rect.width as isize;
        for y in rect.y..rect.bottom() {
            let first = self.index(Point::new(rect.x, y));
            for (i, x) in (rect.x..rect.right()).enumerate() {
                let here = first + i;
                if self.states[here] == 0 {
                    continue;
                }
                let seen = |dx: i32, dy: i32| {
                    let by = dy as isize * width + dx as isize;
                    self.states[here.wrapping_add_signed(by)]
                };
                let site = Site { generation, x, y };
                if rule.next(site, seen) == 0 {
                    f(Point::new(x, y));
                }
            }
        }
    }

    /// For large radii: an engine steps the halo as a world of its own. Returns false where it
    /// does not support the rule.
    fn check_with_engine(&self, world: &dyn World, rect: Rect, f: &mut dyn FnMut(Point)) -> bool {
        // Rules may look at the parity of coordinates, so all move by an even number.
        let odd = |halo: i64, grid: i64| (grid - halo) & 1;
        let corner = |side: u64| -((side / 2) as i64);
        let (mut width, mut height) = (self.rect.width + 1, self.rect.height + 1);
        width += width & 1;
        height += height & 1;
        let (left, top) = (corner(width), corner(height));
        let (dx, dy) = (
            left - self.rect.x + odd(self.rect.x, left),
            top - self.rect.y + odd(self.rect.y, top),
        );
        let rule = world
            .rule()
            .with_topology(Topology::Plane { width, height });
        let Ok(mut small) = Torus::new(rule) else {
            return false;
        };
        if small.load(&self.cells().translated(dx, dy)).is_err() {
            return false;
        }
        small.set_generation(world.generation().clone());
        if small.advance(&1_u32.into(), &mut |_| true).is_err() {
            return false;
        }
        let mut next = Vec::new();
        small.states_in(
            Rect::new(rect.x + dx, rect.y + dy, rect.width, rect.height),
            &mut next,
        );
        let mut next = next.into_iter();
        for y in rect.y..rect.bottom() {
            let first = self.index(Point::new(rect.x, y));
            for (x, i) in (rect.x..rect.right()).zip(first..) {
                if next.next() == Some(0) && self.states[i] != 0 {
                    f(Point::new(x, y));
                }
            }
        }
        true
    }

    fn cells(&self) -> Cells {
        let mut runs = Vec::new();
        let rows = self.states.chunks(self.rect.width as usize);
        for (y, row) in (self.rect.y..).zip(rows) {
            let mut x = self.rect.x;
            for run in row.chunk_by(|a, b| a == b) {
                if run[0] != 0 {
                    runs.push(Run {
                        y,
                        x,
                        length: run.len() as u64,
                        state: run[0],
                    });
                }
                x += run.len() as i64;
            }
        }
        Cells::from_runs(runs)
    }
}

/// Evaluates the rule at every live cell, with a lookup in the world for each neighbour: slow
/// and obvious; the other methods are tested against it.
fn check_cell_by_cell(world: &dyn World, rect: Rect, f: &mut dyn FnMut(Point)) {
    let rule = world.rule();
    let topology = rule.topology();
    let generation = phase(world);
    world.runs_in(rect, &mut |run| {
        for x in (run.x..).take(run.length as usize) {
            let p = Point::new(x, run.y);
            let site = Site {
                generation,
                x: p.x,
                y: p.y,
            };
            let look = |dx: i32, dy: i32| -> State {
                let seen = topology.resolve(p.offset(dx.into(), dy.into()));
                seen.map_or(0, |q| world.get(q))
            };
            if rule.next(site, look) == 0 {
                f(p);
            }
        }
    });
}

/// The generation modulo 4, on which rules depend.
fn phase(world: &dyn World) -> u64 {
    let rest: num_bigint::BigInt = ((world.generation() % 4) + 4) % 4;
    rest.to_u64().expect("a rest is smaller than its divisor")
}
