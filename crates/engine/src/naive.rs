//! The oracle: evaluates [`Rule::next`] for each cell that could change, one at a time.
//!
//! It is slow and simple on purpose, supports every rule and topology, and is the reference for
//! all other engines. A generation may take hours, so an interrupted one is kept and continued.

use crate::{
    AdvanceCallback, AdvanceInterruption, MemoryLimitError, UnsupportedError, World, phase,
};
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::interrupt::Checkpoints;
use pattern::{Bounds, Cells, Run};
use rule::{Rule, Site, Topology};
use std::collections::BTreeMap;

/// The oracle's world: a sorted map of the live cells.
#[derive(Clone, Debug)]
pub struct NaiveWorld {
    rule: Rule,
    generation: BigInt,
    live: LiveCellMap,
    /// A partly computed next generation.
    begun: Option<PartialStep>,
    room: u64,
    /// Whether the last run stopped because memory was exhausted.
    is_full: bool,
}

/// Live cells and their states, row by row.
type LiveCellMap = BTreeMap<Point, State>;

/// A generation that is partly computed.
#[derive(Clone, Debug)]
struct PartialStep {
    /// The cells to evaluate, unless they are those near live ones.
    area: Option<Rect>,
    /// The first cell that has not been evaluated.
    next: Point,
    /// The cells before it that are live in the next generation.
    live: LiveCellMap,
}

/// Cells further out than this are refused, so that no coordinate can overflow.
const REACH: i64 = 1 << 60;

/// Approximate bytes of a live cell in the map: 28 if cells came in no order, 36 if row by row.
const CELL: u64 = 33;

/// The default memory limit in bytes.
const ROOM: u64 = 4 << 30;

/// Cells evaluated between two polls: some milliseconds.
const LOOKS: u64 = 1 << 15;

impl NaiveWorld {
    /// An empty world of any rule and topology, at generation 0.
    ///
    /// ```
    /// use engine::{NaiveWorld, World};
    /// use grid::Point;
    ///
    /// let mut world = NaiveWorld::new("B3/S23".parse()?);
    /// for x in 0..3 {
    ///     world.set(Point::new(x, 0), 1)?;
    /// }
    /// world.advance(&1u32.into(), &mut |_| true)?;
    /// assert_eq!([-1, 0, 1].map(|y| world.get(Point::new(1, y))), [1, 1, 1]); // a blinker
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            generation: BigInt::ZERO,
            live: LiveCellMap::new(),
            begun: None,
            room: ROOM,
            is_full: false,
        }
    }

    /// The same world with a memory limit for its cells, including those of a partial
    /// generation: it refuses patterns that would exceed it, and stops when a step would, see
    /// [`World::memory_limit_error`].
    ///
    /// ```
    /// use engine::{NaiveWorld, World};
    /// use grid::Point;
    /// use pattern::{Cells, Run};
    ///
    /// let mut world = NaiveWorld::new("B1/S012345678".parse()?).with_memory_limit(1 << 10);
    /// world.set(Point::new(0, 0), 1)?;
    /// assert!(world.advance(&100u32.into(), &mut |_| true).is_err()); // it grows without end
    /// assert_eq!(world.memory_limit_error().unwrap().limit, 1 << 10);
    /// let row = Cells::from_runs(vec![Run { y: 0, x: 0, length: 1000, state: 1 }]);
    /// assert!(world.load(&row).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_memory_limit(self, bytes: u64) -> Self {
        Self {
            room: bytes,
            ..self
        }
    }

    /// Evaluates cells until all are done or `go_on` returns false. Some are evaluated before
    /// the first poll, so that repeated interruptions do not prevent progress.
    fn step(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<(), AdvanceInterruption> {
        let generation = phase(&self.generation, self.rule.time_period() as u32);
        let topology = self.rule.topology();
        let reach = u64::from(self.rule.radius());
        let looks_a_cell = (2 * reach + 1).pow(2);
        let mut begun = self.begun.take().unwrap_or_else(|| self.begin());
        let mut looks = 0;
        while let Some(columns) = self.candidates(&begun) {
            let (y, end) = (columns.y, columns.right());
            for x in columns.x..end {
                let look = |dx: i32, dy: i32| {
                    let seen = topology.resolve(Point::new(x + i64::from(dx), y + i64::from(dy)));
                    seen.and_then(|q| self.live.get(&q)).copied().unwrap_or(0)
                };
                let state = self.rule.next(Site { generation, x, y }, look);
                begun.next = Point::new(x + 1, y);
                if state != 0 {
                    begun.live.insert(Point::new(x, y), state);
                    let cells = self.live.len() + begun.live.len();
                    self.is_full = cells as u64 > self.room / CELL;
                    if self.is_full {
                        return Err(AdvanceInterruption);
                    }
                }
                looks += looks_a_cell;
                if looks >= LOOKS {
                    looks = 0;
                    if !go_on() {
                        self.begun = Some(begun);
                        return Err(AdvanceInterruption);
                    }
                }
            }
        }
        self.live = begun.live;
        self.generation += 1;
        Ok(())
    }

    /// An empty partial generation.
    fn begin(&self) -> PartialStep {
        let topology = self.rule.topology();
        let area = match topology {
            Topology::Unbounded => None,
            _ => Some(topology.rect().unwrap_or_else(|| self.lit_strip())),
        };
        PartialStep {
            area,
            next: Point::new(i64::MIN, i64::MIN),
            live: LiveCellMap::new(),
        }
    }

    /// Where one side is infinite: the whole width of the strip, as far as a change can have
    /// spread.
    fn lit_strip(&self) -> Rect {
        let Some(mut strip) = self.live_rect() else {
            return Rect::default();
        };
        let reach = i64::from(self.rule.radius());
        let (width, height) = self.rule.topology().size();
        strip.x -= reach;
        strip.y -= reach;
        strip.width += 2 * reach as u64;
        strip.height += 2 * reach as u64;
        if width > 0 {
            (strip.x, strip.width) = (-((width / 2) as i64), width);
        }
        if height > 0 {
            (strip.y, strip.height) = (-((height / 2) as i64), height);
        }
        strip
    }

    /// The next cells of a row that could be live in the next generation.
    fn candidates(&self, begun: &PartialStep) -> Option<Rect> {
        let from = begun.next;
        if let Some(area) = begun.area {
            // the rest of a row, or all of the one after it
            let (x, y) = match from {
                p if p.y < area.y => (area.x, area.y),
                p if p.x < area.right() => (p.x, p.y),
                p => (area.x, p.y + 1),
            };
            let is_there = y < area.bottom() && x < area.right();
            return is_there.then(|| Rect::new(x, y, area.right().abs_diff(x), 1));
        }
        self.near(from).or_else(|| {
            let reach = i64::from(self.rule.radius());
            let below = Point::new(i64::MIN, from.y.saturating_add(1).saturating_sub(reach));
            let (first, _) = self.live.range(below..).next()?;
            let y = (first.y - reach).max(from.y.saturating_add(1));
            self.near(Point::new(i64::MIN, y))
        })
    }

    /// The next cells of this row that see a live one.
    fn near(&self, from: Point) -> Option<Rect> {
        let reach = i64::from(self.rule.radius());
        let first_from = from.x.saturating_sub(reach);
        let rows = from.y.saturating_sub(reach)..=from.y.saturating_add(reach);
        let first = |y| {
            let row = Point::new(first_from, y)..=Point::new(i64::MAX, y);
            self.live.range(row).next().map(|(p, _)| p.x)
        };
        let seen = rows.filter_map(first).min()?;
        let x = from.x.max(seen - reach);
        Some(Rect::new(x, from.y, (seen + reach).abs_diff(x) + 1, 1))
    }

    fn live_rect(&self) -> Option<Rect> {
        let (&first, _) = self.live.first_key_value()?;
        let mut rect = Rect::from_corners(first, first);
        let mut next = Some(first);
        while let Some(left) = next {
            // the first and the last of each row
            let below = Point::new(i64::MIN, left.y + 1);
            let (&right, _) = self.live.range(left..below).next_back()?;
            rect = rect.union(&Rect::from_corners(left, right));
            next = self.live.range(below..).next().map(|(&p, _)| p);
        }
        Some(rect)
    }

    /// The part of a run that lies on the grid.
    fn cut(&self, run: Run) -> Option<Run> {
        let (width, height) = self.rule.topology().size();
        let span = |side: u64| match side {
            0 => (i64::MIN, u64::MAX),
            _ => (-((side / 2) as i64), side),
        };
        let ((x, width), (y, height)) = (span(width), span(height));
        let grid = Rect::new(x, y, width, height);
        let inside = Rect::new(run.x, run.y, run.length, 1).intersection(&grid);
        (!inside.is_empty()).then_some(Run {
            x: inside.x,
            length: inside.width,
            ..run
        })
    }

    fn check(&self, run: Run) -> Result<(), UnsupportedError> {
        UnsupportedError::check_state("naive", &self.rule, run.state)?;
        let last = run.x.saturating_add_unsigned(run.length - 1);
        let far = |c: i64| c.unsigned_abs() > REACH as u64;
        if far(run.x) || far(last) || far(run.y) {
            let x = if far(run.x) { run.x } else { last };
            return Err(refused(format!("a cell as far out as {x}, {}", run.y)));
        }
        Ok(())
    }

    /// Checks that this many cells fit in memory.
    fn check_room(&self, cells: &BigUint) -> Result<(), UnsupportedError> {
        if *cells <= (self.room / CELL).into() {
            return Ok(());
        }
        Err(refused(format!(
            "{cells} live cells: they would not fit {} MiB",
            self.room >> 20
        )))
    }
}

fn refused(what: String) -> UnsupportedError {
    UnsupportedError {
        engine: "naive",
        what,
    }
}

impl World for NaiveWorld {
    fn engine(&self) -> &'static str {
        "naive"
    }

    fn kernel(&self) -> String {
        "the rule's tables, cell by cell".into()
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn generation(&self) -> &BigInt {
        &self.generation
    }

    fn set_generation(&mut self, generation: BigInt) {
        self.begun = None;
        self.generation = generation;
    }

    fn get(&self, p: Point) -> State {
        self.live.get(&p).copied().unwrap_or(0)
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError> {
        let run = Run {
            y: p.y,
            x: p.x,
            length: 1,
            state,
        };
        self.check(run)?;
        if !self.rule.topology().contains(p) {
            return Err(refused(format!(
                "the cell {}, {}: it lies outside the grid",
                p.x, p.y
            )));
        }
        if state != 0 && !self.live.contains_key(&p) {
            self.check_room(&(self.live.len() + 1).into())?;
        }
        self.begun = None;
        if state == 0 {
            self.live.remove(&p);
        } else {
            self.live.insert(p, state);
        }
        Ok(())
    }

    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError> {
        // Quick even for quadtrees with more cells than could be listed.
        if *self.rule.topology() == Topology::Unbounded {
            self.check_room(&cells.population())?;
        }
        UnsupportedError::check_run_count("naive", cells)?;
        let mut count = self.live.len() as u64;
        let mut outcome = Ok(());
        cells.for_each_run(&mut |run| {
            if let (Ok(()), Some(run)) = (&outcome, self.cut(run)) {
                count = count.saturating_add(run.length);
                outcome = self.check(run);
            }
        });
        outcome?;
        UnsupportedError::check_reach("naive", self.rule.topology(), cells, REACH)?;
        self.check_room(&count.into())?;
        self.begun = None;
        let mut checkpoints = Checkpoints::new();
        cells.for_each_run(&mut |run| {
            let Some(run) = self.cut(run) else { return };
            for x in (run.x..).take(run.length as usize) {
                checkpoints.step();
                self.live.insert(Point::new(x, run.y), run.state);
            }
        });
        Ok(())
    }

    fn cells(&self) -> Cells {
        let mut runs = Vec::new();
        let everywhere = Rect::new(i64::MIN, i64::MIN, u64::MAX, u64::MAX);
        self.runs_in(everywhere, &mut |run| runs.push(run));
        Cells::from_runs(runs)
    }

    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run)) {
        let row = |y| Point::new(rect.x, y)..Point::new(rect.right(), y);
        let mut current: Option<Run> = None;
        let mut checkpoints = Checkpoints::new();
        let mut y = rect.y;
        while !rect.is_empty() && y < rect.bottom() {
            for (p, &state) in self.live.range(row(y)) {
                checkpoints.step();
                if let Some(run) = &mut current {
                    if run.y == p.y && run.state == state && run.x + run.length as i64 == p.x {
                        run.length += 1;
                        continue;
                    }
                    f(*run);
                }
                current = Some(Run {
                    y: p.y,
                    x: p.x,
                    length: 1,
                    state,
                });
            }
            // to the next row that has cells
            let after = Point::new(i64::MIN, y + 1);
            let Some((next, _)) = self.live.range(after..).next() else {
                break;
            };
            y = next.y;
        }
        if let Some(run) = current {
            f(run);
        }
    }

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        self.is_full = false;
        let mut done = BigUint::ZERO;
        while done < *n {
            self.step(&mut || control(&done))?;
            done += 1u32;
            if done < *n && !control(&done) {
                return Err(AdvanceInterruption);
            }
        }
        Ok(())
    }

    fn memory_limit_error(&self) -> Option<MemoryLimitError> {
        self.is_full.then_some(MemoryLimitError {
            engine: "naive",
            limit: self.room,
        })
    }

    fn set_memory_limit(&mut self, bytes: u64) {
        self.room = bytes;
    }

    fn bytes(&self) -> u64 {
        let begun = self.begun.as_ref().map_or(0, |begun| begun.live.len());
        (self.live.len() + begun) as u64 * CELL
    }

    fn population(&self) -> BigUint {
        self.live.len().into()
    }

    fn bounds(&self) -> Option<Bounds> {
        self.live_rect().map(Bounds::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glider_moves_one_cell_in_four_generations() {
        let mut world = NaiveWorld::new("B3/S23".parse().unwrap());
        for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
            world.set(Point::new(x, y), 1).unwrap();
        }
        let before = world.hash();
        world.advance(&4u32.into(), &mut |_| true).unwrap();
        assert_eq!(world.bounds(), Some(Rect::new(1, 1, 3, 3).into()));
        assert_eq!(world.hash(), before);
        assert_eq!(world.generation(), &BigInt::from(4));
    }

    #[test]
    fn a_stopped_world_stands_at_a_whole_generation() {
        let mut world = NaiveWorld::new("B3/S23".parse().unwrap());
        world.set(Point::new(0, 0), 1).unwrap();
        let stop = world.advance(&10u32.into(), &mut |done| *done < 3u32.into());
        assert_eq!(stop, Err(AdvanceInterruption));
        assert_eq!(world.generation(), &BigInt::from(3));
    }

    #[test]
    fn a_state_that_the_rule_lacks_is_refused() {
        let mut world = NaiveWorld::new("B3/S23".parse().unwrap());
        let refusal = world.set(Point::new(0, 0), 2).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "naive does not take state 2: the rule B3/S23 has 2 states"
        );
    }

    #[test]
    fn what_would_not_fit_is_refused_before_it_is_held() {
        let rule: Rule = "B3/S23".parse().unwrap();
        let mut world = NaiveWorld::new(rule.clone()).with_memory_limit(CELL * 10);
        let row = |length| {
            Cells::from_runs(vec![Run {
                y: 0,
                x: 0,
                length,
                state: 1,
            }])
        };
        let refusal = world.load(&row(1 << 50)).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "naive does not take 1125899906842624 live cells: they would not fit 0 MiB"
        );
        assert_eq!(world.population(), 0u32.into());
        world.load(&row(10)).unwrap();
        assert!(world.set(Point::new(20, 0), 1).is_err());
        world.set(Point::new(9, 0), 1).unwrap();
        world.set(Point::new(9, 0), 0).unwrap();
        world.set(Point::new(20, 0), 1).unwrap();
        // a run far too long is cut by the grid first
        let mut world = NaiveWorld::new(rule.with_topology("P4,4".parse().unwrap()))
            .with_memory_limit(CELL * 10);
        world.load(&row(1 << 50)).unwrap();
        assert_eq!(world.population(), 2u32.into());
    }

    #[test]
    fn a_generation_without_room_leaves_the_world_whole() {
        let mut world =
            NaiveWorld::new("B1/S012345678".parse().unwrap()).with_memory_limit(CELL * 15);
        world.set(Point::new(0, 0), 1).unwrap();
        let all = BigUint::from(10u32);
        assert_eq!(world.advance(&all, &mut |_| true), Err(AdvanceInterruption));
        let full = world.memory_limit_error().expect("there was no room");
        assert_eq!((full.engine, full.limit), ("naive", CELL * 15));
        assert_eq!(world.generation(), &BigInt::from(1));
        assert_eq!(world.population(), 9u32.into());
        let rect = Rect::new(-1, -1, 3, 2);
        world.erase(rect);
        world.advance(&1u32.into(), &mut |_| true).unwrap();
        assert_eq!(world.memory_limit_error(), None);
    }

    /// A generation that is interrupted at every poll still completes, and is polled often.
    #[test]
    fn a_generation_that_is_stopped_half_way_is_gone_on_with() {
        for text in [
            "B3/S23",
            "B3/S23:T400,300",
            "B3/S23:P0,300",
            "R2,C0,M1,S7..11,B7..9",
        ] {
            let rule: Rule = text.parse().unwrap();
            let mut cells = Vec::new();
            for i in 0..12_000_i64 {
                let (x, y) = (i * 7919 % 200, i * 104_729 % 151);
                cells.push(Run {
                    y,
                    x,
                    length: 1,
                    state: 1,
                });
            }
            let cells = Cells::from_runs(cells);
            let mut whole = NaiveWorld::new(rule.clone());
            whole.load(&cells).unwrap();
            let mut sliced = whole.clone();
            whole.advance(&3u32.into(), &mut |_| true).unwrap();
            let mut slices = 0;
            while *sliced.generation() < 3.into() {
                let before = sliced.generation().clone();
                let left = (BigInt::from(3) - &before).to_biguint().unwrap();
                let _ = sliced.advance(&left, &mut |_| false);
                assert!(*sliced.generation() <= before + 1);
                slices += 1;
            }
            assert_eq!(sliced.cells(), whole.cells(), "{text}");
            let looks = 3 * 200 * 151 * u64::from(2 * rule.radius() + 1).pow(2);
            assert!(slices >= looks / LOOKS / 2, "{text}: {slices} slices");
        }
    }

    #[test]
    fn what_changes_half_way_is_heeded() {
        let rule: Rule = "B3/S23".parse().unwrap();
        let cells: Vec<Run> = (0..200)
            .map(|y| Run {
                y,
                x: 0,
                length: 100,
                state: 1,
            })
            .collect();
        let cells = Cells::from_runs(cells);
        let begun = || {
            let mut world = NaiveWorld::new(rule.clone());
            world.load(&cells).unwrap();
            let _ = world.advance(&1u32.into(), &mut |_| false);
            assert!(world.begun.is_some());
            world
        };
        let snapshot = begun().snapshot();
        let changes: [&dyn Fn(&mut NaiveWorld); 5] = [
            &|world| world.set(Point::new(0, -1), 1).unwrap(),
            &|world| world.erase(Rect::new(0, 0, 3, 3)),
            &|world| world.load(&cells.translated(50, -50)).unwrap(),
            &|world| world.restore(&snapshot).unwrap(),
            &|world| world.set_generation(7.into()),
        ];
        for change in changes {
            let mut world = begun();
            change(&mut world);
            let mut fresh = NaiveWorld::new(rule.clone());
            fresh.load(&world.cells()).unwrap();
            for world in [&mut world, &mut fresh] {
                world.advance(&1u32.into(), &mut |_| true).unwrap();
            }
            assert_eq!(world.cells(), fresh.cells());
        }
    }

    /// A grid with more cells than could be listed can be interrupted, and the empty plane
    /// between two distant cells costs nothing.
    #[test]
    fn emptiness_is_not_listed() {
        let mut world = NaiveWorld::new("B3/S23:T1073741824,1073741824".parse().unwrap());
        world.set(Point::new(0, 0), 1).unwrap();
        let mut asked = 0;
        let stopped = world.advance(&1u32.into(), &mut |_| {
            asked += 1;
            asked < 3
        });
        assert_eq!((stopped, asked), (Err(AdvanceInterruption), 3));
        let mut world = NaiveWorld::new("B3/S23".parse().unwrap());
        for far in [-REACH, REACH] {
            for x in 0..3 {
                world.set(Point::new(x, far), 1).unwrap();
            }
        }
        world.advance(&2u32.into(), &mut |_| true).unwrap();
        assert_eq!(world.population(), 6u32.into());
        assert_eq!(world.bounds().map(|b| b.height.bits()), Some(62));
    }
}
