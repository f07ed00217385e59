//! After how many generations each cell repeats, and how often it changes, to colour cells by.
//!
//! A copy of the world is run until all cells are as they were. What moves away never is, so
//! there are periods where everything stays: still lifes, oscillators, guns on a torus. The figures
//! are those of the census's map ([`census::PeriodMap`]), and hold until cells are edited.

use census::{PeriodMap, PeriodicOrbit, StateBox, rule_repeats};
use engine::World;
use grid::Point;
use num_bigint::BigInt;
use num_traits::One as _;
use render::{CellColouring, Content, Frame, States};

/// The longest period that is looked for.
const MAX_PERIOD: u64 = 1024;

/// The largest box of live cells.
const MAX_AREA: u64 = 1 << 20;

/// Cells of all generations together.
const MAX_CELLS: usize = 16 << 20;

/// The mark of the first colour.
const FIRST_MARK: u64 = 64;
/// The mark of the last one.
const LAST_MARK: u64 = 127;

/// The periods and changes of all cells of a world in which everything repeats in its place.
#[derive(Clone, Debug)]
pub(crate) struct RepeatingCells {
    map: PeriodMap,
    /// The periods that there are, from 1 on.
    pub(crate) periods: Vec<u64>,
    /// How often the cell changes in a period that changes most, at least once.
    most_changes: u64,
    /// The first generation that is known to belong to it.
    since: BigInt,
}

impl RepeatingCells {
    /// Runs a world until it is as it was. Nothing where it does not come back in time.
    pub(crate) fn find(world: &mut dyn World) -> Option<Self> {
        let cells = |world: &dyn World| StateBox::from_pattern(&world.cells(), MAX_AREA);
        let since = world.generation().clone();
        let mut phases = vec![cells(world).filter(|cells| !cells.is_empty())?];
        let mut total = 0;
        for age in 1..=MAX_PERIOD {
            total += phases[phases.len() - 1].area();
            world
                .advance(&num_bigint::BigUint::one(), &mut |_| true)
                .ok()?;
            let now = cells(world)?;
            if now == phases[0] && rule_repeats(world.rule(), age, 0, 0) {
                return Some(Self::of(phases, since));
            }
            if total > MAX_CELLS {
                return None;
            }
            phases.push(now);
        }
        None
    }

    fn of(phases: Vec<StateBox>, since: BigInt) -> Self {
        let map = PeriodMap::of(&PeriodicOrbit {
            generation: 0,
            phases,
            dx: 0,
            dy: 0,
        });
        let mut periods: Vec<u64> = map.periods.iter().copied().filter(|&p| p > 1).collect();
        // the first colour is that of cells that never change
        periods.push(1);
        periods.sort_unstable();
        periods.dedup();
        let most_changes = map.changes.iter().copied().max().unwrap_or(0).max(1);
        Self {
            map,
            periods,
            most_changes,
            since,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.map.periods.len() * 3 * size_of::<u64>()) as u64
    }

    /// Whether a generation is one of those that repeat.
    pub(crate) fn holds_at(&self, generation: &BigInt) -> bool {
        *generation >= self.since
    }

    /// The mark of a live cell.
    fn mark_of(&self, p: Point, colouring: CellColouring) -> u8 {
        let map = &self.map;
        let (x, y) = (
            i128::from(p.x) - i128::from(map.x),
            i128::from(p.y) - i128::from(map.y),
        );
        let is_within = (0..map.width as i128).contains(&x) && (0..map.height as i128).contains(&y);
        if !is_within {
            return 0;
        }
        let at = y as usize * map.width + x as usize;
        let mark = match colouring {
            CellColouring::Period => {
                let rank = self.periods.binary_search(&map.periods[at]);
                FIRST_MARK + rank.unwrap_or(0) as u64
            }
            CellColouring::Heat if map.changes[at] > 0 => {
                let scale = LAST_MARK - FIRST_MARK - 1;
                FIRST_MARK + 1 + map.changes[at] * scale / self.most_changes
            }
            _ => FIRST_MARK,
        };
        mark.min(LAST_MARK) as u8
    }

    /// Marks the live cells of a frame of this world.
    pub(crate) fn mark(&self, frame: &mut Frame, colouring: CellColouring) {
        let Content::Cells {
            rect,
            states,
            marks,
        } = &mut frame.content
        else {
            return;
        };
        let (width, height) = (rect.width as usize, rect.height as usize);
        let marks = marks.get_or_insert_with(|| vec![0; width * height]);
        for row in 0..height {
            for column in 0..width {
                let is_live = match states {
                    States::Bits(bits) => {
                        bits[row * width.div_ceil(8) + column / 8] << (column % 8) & 0x80 != 0
                    }
                    States::Bytes(states) => states[row * width + column] != 0,
                };
                if is_live {
                    let p = Point::new(rect.x + column as i64, rect.y + row as i64);
                    marks[row * width + column] = self.mark_of(p, colouring);
                }
            }
        }
    }
}

/// What is known of how a session's world repeats.
#[derive(Clone, Debug, Default)]
pub(crate) struct PeriodSearch {
    /// The version of the contents and the generation that were looked at last.
    looked_at: Option<(u64, BigInt)>,
    found: Option<RepeatingCells>,
}

impl PeriodSearch {
    /// What was found for this version of the contents at this generation.
    pub(crate) fn at(&self, content: u64, generation: &BigInt) -> Option<&RepeatingCells> {
        let found = self.found.as_ref()?;
        let is_of_content = self
            .looked_at
            .as_ref()
            .is_some_and(|(of, _)| *of == content);
        (is_of_content && found.holds_at(generation)).then_some(found)
    }

    /// Whether it was looked at already.
    pub(crate) fn was_looked_at(&self, content: u64, generation: &BigInt) -> bool {
        let last = self.looked_at.as_ref();
        last.is_some_and(|(of, at)| *of == content && at == generation)
    }

    pub(crate) fn record(&mut self, content: u64, found: Option<RepeatingCells>, at: &BigInt) {
        self.looked_at = Some((content, at.clone()));
        self.found = found;
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.found.as_ref().map_or(0, RepeatingCells::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(rule: &str, cells: &str) -> Box<dyn World> {
        let rule: rule::Rule = rule.parse().unwrap();
        let pattern = pattern::read(cells.as_bytes()).unwrap().0;
        let (choice, options) = (engine::EngineChoice::Auto, engine::Options::default());
        engine::open(choice, &rule, &pattern, None, &options)
            .unwrap()
            .world
    }

    fn found(rule: &str, cells: &str) -> Option<(u64, Vec<u64>)> {
        let found = RepeatingCells::find(world(rule, cells).as_mut())?;
        Some((found.map.period, found.periods))
    }

    #[test]
    fn what_stays_has_periods() {
        let rows = [
            ("B3/S23", "2o$2o!", Some((1, vec![1]))),
            ("B3/S23", "3o!", Some((2, vec![1, 2]))),
            ("B3/S23", "3o3b2o$6b2o!", Some((2, vec![1, 2]))),
            ("B3/S23", "bo$2bo$3o!", None),
            ("B3/S23:T8,8", "bo$2bo$3o!", Some((32, vec![1, 32]))),
            ("B3/S23|B36/S23", "3o!", Some((2, vec![1, 2]))),
            ("B3/S23", "b2o$2o$bo!", None),
            ("B3/S23", "!", None),
        ];
        for (rule, cells, expected) in rows {
            let cells = format!("x = 9, y = 9, rule = {rule}\n{cells}");
            assert_eq!(found(rule, &cells), expected, "{cells}");
        }
    }

    /// The cells of a pulsar change from never to most often: the hottest is red.
    #[test]
    fn heat_is_told_by_the_hottest_cell() {
        let pulsar = "x = 13, y = 13, rule = B3/S23\n2b3o3b3o$$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o$$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo$$2b3o3b3o!";
        let found = RepeatingCells::find(world("B3/S23", pulsar).as_mut()).unwrap();
        assert_eq!((found.map.period, found.most_changes), (3, 2));
        let map = &found.map;
        let marks: std::collections::BTreeSet<u8> = (0..map.periods.len())
            .filter(|&at| map.periods[at] > 0)
            .map(|at| {
                let (column, row) = (at % map.width, at / map.width);
                let p = Point::new(map.x + column as i64, map.y + row as i64);
                found.mark_of(p, CellColouring::Heat)
            })
            .collect();
        assert_eq!(marks.into_iter().collect::<Vec<_>>(), [64, 127]);
    }

    /// Marks are held against each cell's states over one period, counted one by one.
    #[test]
    fn marks_are_those_of_a_count_cell_by_cell() {
        let cells = "x = 4, y = 4, rule = B3/S23\n2o$2o$2b2o$2b2o!";
        let found = RepeatingCells::find(world("B3/S23", cells).as_mut()).unwrap();
        let mut copy = world("B3/S23", cells);
        let mut phases = Vec::new();
        for _ in 0..2 {
            phases.push(StateBox::from_pattern(&copy.cells(), 100).unwrap());
            copy.advance(&num_bigint::BigUint::one(), &mut |_| true)
                .unwrap();
        }
        let viewport = render::Viewport::new(64, 64);
        for colouring in [CellColouring::Heat, CellColouring::Period] {
            let mut frame = Frame::of(copy.as_ref(), &viewport);
            found.mark(&mut frame, colouring);
            let Content::Cells { rect, marks, .. } = &frame.content else {
                panic!("cells");
            };
            let marks = marks.as_ref().unwrap();
            let mut seen = 0;
            for (at, &mark) in marks.iter().enumerate() {
                let (column, row) = (at as u64 % rect.width, at as u64 / rect.width);
                let p = Point::new(rect.x + column as i64, rect.y + row as i64);
                let changes = phases[0].get(p) != phases[1].get(p);
                let expected = match (copy.get(p), colouring, changes) {
                    (0, ..) => 0,
                    (_, _, false) => 64,
                    (_, CellColouring::Heat, true) => 127,
                    (_, _, true) => 65,
                };
                assert_eq!(mark, expected, "{p:?} {colouring:?}");
                seen += u32::from(mark > 0);
            }
            assert_eq!(seen, 8);
        }
    }
}
