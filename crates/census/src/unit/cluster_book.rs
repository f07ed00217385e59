//! The clusters that soups have left, by their cells: what each is, is found out once. Own method.

use crate::settle::cluster::CutCells;
use crate::settle::soup_world::ClusterCells;
use crate::{BoxStepper, ObjectClassifier, OrbitLimits, PeriodicOrbit, StateBox};
use grid::Point;
use rule::Rule;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Clusters that are remembered from unit to unit.
const MOST_ENTRIES: usize = 1 << 16;

/// Larger boxes come once and not again, and are forgotten with the soup.
const MOST_REMEMBERED_AREA: usize = 1 << 12;

/// A period is looked for until the boxes of all generations have as many cells.
const MOST_PHASE_CELLS: usize = 1 << 26;

/// A cluster of the soup at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundCluster {
    pub(super) entry: u32,
    pub(super) x: i32,
    pub(super) y: i32,
}

/// What a cluster is.
#[derive(Clone, Debug)]
pub(super) struct ClusterEntry {
    /// Numbers of codes, and how often.
    pub(super) objects: Vec<(u32, u64)>,
    /// The cells, from the corner (0, 0).
    pub(super) cells: StateBox,
    /// 0 when it is not periodic within the effort.
    pub(super) period: u64,
    pub(super) dx: i64,
    pub(super) dy: i64,
    /// The longest period that was tried.
    effort: u64,
}

/// Hashes by multiplying; keys are words of cells.
#[derive(Clone, Copy, Debug, Default)]
struct CellHasher(u64);

impl Hasher for CellHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

type CellMap<K> = HashMap<K, u32, BuildHasherDefault<CellHasher>>;

/// The clusters met so far, by their cells; so a block is looked at once.
#[derive(Debug)]
pub(super) struct ClusterBook {
    classifier: ObjectClassifier,
    stepper: BoxStepper,
    pub(super) codes: Vec<String>,
    numbers: HashMap<String, u32>,
    pub(super) entries: Vec<ClusterEntry>,
    /// Those within 8 x 8 cells.
    small: CellMap<u64>,
    /// Others, by their rows.
    large: CellMap<Vec<u64>>,
    /// Others, of rules of more than two states or engine worlds.
    states: HashMap<StateBox, u32>,
    pub(super) glider: u32,
    /// Entries of large clusters, for the soup at hand, and those that can be used again.
    passing: Vec<u32>,
    free: Vec<u32>,
}

impl ClusterBook {
    pub(super) fn new(rule: &Rule) -> Self {
        let mut book = Self {
            classifier: ObjectClassifier::new(rule),
            stepper: BoxStepper::new(rule),
            codes: Vec::new(),
            numbers: HashMap::new(),
            entries: Vec::new(),
            small: CellMap::default(),
            large: CellMap::default(),
            states: HashMap::new(),
            glider: 0,
            passing: Vec::new(),
            free: Vec::new(),
        };
        book.glider = book.number("xq4_153");
        book
    }

    /// Forgets the clusters when they are many; rare ones come once and not again.
    pub(super) fn forget_if_full(&mut self) {
        if self.entries.len() > MOST_ENTRIES {
            self.entries.clear();
            self.passing.clear();
            self.free.clear();
            self.small.clear();
            self.large.clear();
            self.states.clear();
        }
    }

    /// Forgets the large clusters, of which no one asks any more.
    pub(super) fn forget_large(&mut self) {
        for &entry in &self.passing {
            let entry = &mut self.entries[entry as usize];
            (entry.cells, entry.objects) = Default::default();
        }
        self.free.append(&mut self.passing);
    }

    fn number(&mut self, code: &str) -> u32 {
        if let Some(&number) = self.numbers.get(code) {
            return number;
        }
        let number = self.codes.len() as u32;
        self.codes.push(code.to_owned());
        self.numbers.insert(code.to_owned(), number);
        number
    }

    /// The entry of a cluster, made if it is met for the first time.
    #[inline]
    pub(super) fn find(&mut self, cells: ClusterCells<'_>, period: u64) -> FoundCluster {
        let (x, y, entry) = match cells {
            ClusterCells::States(cells) => {
                let (x, y) = (cells.x as i32, cells.y as i32);
                let cells = cells.translated(-cells.x, -cells.y);
                let entry = match self.states.get(&cells) {
                    Some(&entry) => entry,
                    None if cells.area() > MOST_REMEMBERED_AREA => self.add_large(cells, period),
                    None => {
                        let entry = self.add(cells.clone(), period);
                        self.states.insert(cells, entry);
                        entry
                    }
                };
                (x, y, entry)
            }
            ClusterCells::Live(CutCells::Rows(x, y, rows))
                if rows.len() <= 8 && rows.iter().all(|r| *r < 256) =>
            {
                let key = rows.iter().rev().fold(0, |key, row| key << 8 | row);
                let entry = match self.small.get(&key) {
                    Some(&entry) => entry,
                    None => {
                        let entry = self.add(box_of_rows(rows), period);
                        self.small.insert(key, entry);
                        entry
                    }
                };
                (x, y, entry)
            }
            ClusterCells::Live(CutCells::Rows(x, y, rows)) => {
                let entry = match self.large.get(rows) {
                    Some(&entry) => entry,
                    None => {
                        let entry = self.add(box_of_rows(rows), period);
                        self.large.insert(rows.to_vec(), entry);
                        entry
                    }
                };
                (x, y, entry)
            }
            ClusterCells::Live(CutCells::Cells(cells)) => {
                let point = |&(x, y): &(i32, i32)| Point::new(x.into(), y.into());
                let points: Vec<_> = cells.iter().map(point).collect();
                let cells = StateBox::from_points(&points);
                let (x, y) = (cells.x as i32, cells.y as i32);
                let cells = cells.translated(-cells.x, -cells.y);
                (x, y, self.add_large(cells, period))
            }
        };
        if self.entries[entry as usize].period == 0 && self.entries[entry as usize].effort < period
        {
            let cells = self.entries[entry as usize].cells.clone();
            self.entries[entry as usize] = self.judge(cells, period);
        }
        FoundCluster { entry, x, y }
    }

    /// An entry of its own for a cluster that grows.
    pub(super) fn add_growing(&mut self, cells: StateBox, code: &str) -> u32 {
        let objects = vec![(self.number(code), 1)];
        self.put_large(ClusterEntry {
            objects,
            cells,
            period: 0,
            dx: 0,
            dy: 0,
            effort: u64::MAX,
        })
    }

    fn add_large(&mut self, cells: StateBox, period: u64) -> u32 {
        let entry = self.judge(cells, period);
        self.put_large(entry)
    }

    fn put_large(&mut self, entry: ClusterEntry) -> u32 {
        let at = match self.free.pop() {
            Some(at) => {
                self.entries[at as usize] = entry;
                at
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        self.passing.push(at);
        at
    }

    #[cold]
    fn add(&mut self, cells: StateBox, period: u64) -> u32 {
        let entry = self.judge(cells, period);
        self.entries.push(entry);
        self.entries.len() as u32 - 1
    }

    /// One period of a cluster in its place; None when it has none.
    pub(super) fn orbit(&mut self, found: &FoundCluster) -> Option<PeriodicOrbit> {
        let entry = &self.entries[found.entry as usize];
        let cells = entry.cells.translated(found.x.into(), found.y.into());
        let limits = OrbitLimits {
            period: entry.period.max(1),
            ..OrbitLimits::default()
        };
        PeriodicOrbit::find(&mut self.stepper, &cells, 0, &limits).ok()
    }

    fn judge(&mut self, cells: StateBox, period: u64) -> ClusterEntry {
        let limits = OrbitLimits {
            period,
            area: (4 * cells.area()).max(1 << 16),
            memory: MOST_PHASE_CELLS * self.stepper.cost().min(4),
        };
        let (objects, found, dx, dy) =
            match PeriodicOrbit::find(&mut self.stepper, &cells, 0, &limits) {
                Ok(orbit) => {
                    let objects = self.classifier.objects_of_orbit(&orbit);
                    (objects, orbit.period(), orbit.dx, orbit.dy)
                }
                Err(_) => (vec![("PATHOLOGICAL".to_owned(), 1)], 0, 0, 0),
            };
        let objects = objects
            .iter()
            .map(|(code, count)| (self.number(code), *count))
            .collect();
        ClusterEntry {
            objects,
            cells,
            period: found,
            dx,
            dy,
            effort: period,
        }
    }
}

fn box_of_rows(rows: &[u64]) -> StateBox {
    let mut points = Vec::new();
    for (y, &row) in (0..).zip(rows) {
        let mut bits = row;
        while bits != 0 {
            points.push(Point::new(bits.trailing_zeros().into(), y));
            bits &= bits - 1;
        }
    }
    StateBox::from_points(&points)
}
