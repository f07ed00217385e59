//! Steps a few cells on an endless plane, for any rule. A small object is done before an engine
//! has found its tiles. Own method: a window of bytes, over which the index of the 3 x 3 block
//! slides along each row; or words of bits, where the number of live neighbours is enough.

mod bit_rows;

use crate::StateBox;
use crate::settle::plane::SoupPlane;
use crate::settle::watched_plane::watched_plane;
use bit_rows::{BitRows, NineSums};
use grid::{Point, State};
use rule::{Rule, Site, Transition};

/// Generations in which swelling is looked for, and between two looks.
const SWELLING: u64 = 2048;
const SWELLING_LOOK: u64 = 64;

/// Steps [`StateBox`]es under one rule. It keeps its buffers between steps.
///
/// ```
/// use census::{BoxStepper, StateBox};
/// use grid::Point;
///
/// let row = StateBox::from_points(&[Point::new(0, 0), Point::new(1, 0), Point::new(2, 0)]);
/// let column = BoxStepper::new(&"B3/S23".parse()?).step(&row, 0);
/// assert_eq!((column.x, column.y, column.width(), column.height()), (1, -1, 1, 3));
/// # Ok::<(), rule::RuleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoxStepper {
    rule: Rule,
    radius: usize,
    /// For each generation of the rule's cycle, where the 3 x 3 block decides.
    configurations: Option<Vec<ConfigurationBytes>>,
    window: Vec<State>,
    counted: Vec<u16>,
    next: Vec<State>,
    rows: BitRows,
    /// Where swelling is looked for, if the rule has such a plane.
    plane: Option<Option<Box<SoupPlane>>>,
}

/// A table by the 3 x 3 block, in bytes.
#[derive(Clone, Debug)]
struct ConfigurationBytes {
    counted: Vec<u16>,
    /// `next[512 * state + index]`.
    next: Vec<State>,
    /// The same, where only the number of live neighbours matters.
    totals: Option<NineSums>,
}

/// The rule of a table for two states, if it looks at the number of live neighbours alone. `next`
/// is indexed as in [`ConfigurationBytes`].
fn nine_sums(next: &[State]) -> Option<NineSums> {
    if next.len() != 1024 {
        return None;
    }
    let mut known = [[None; 10]; 2];
    for own in 0..2 {
        for index in (0..512usize).filter(|index| index >> 4 & 1 == own) {
            let sum = index.count_ones() as usize;
            let state = next[512 * own + index];
            if *known[own][sum].get_or_insert(state) != state {
                return None;
            }
        }
    }
    let bits = |known: &[Option<State>; 10]| {
        let bits = known.iter().enumerate();
        bits.fold(0, |bits, (sum, state)| {
            bits | u32::from(*state == Some(1)) << sum
        })
    };
    Some(NineSums {
        births: bits(&known[0]),
        survivals: bits(&known[1]),
    })
}

impl ConfigurationBytes {
    /// The table in this form, where the 3 x 3 block decides and a state counts in one of two
    /// ways.
    fn of(table: &Transition, states: u16) -> Option<Self> {
        let radius = table.radius();
        let counted: Vec<bool> = match table {
            Transition::Configuration(table) => table.counted.clone(),
            Transition::Count(table) if radius <= 1 => {
                let first = table.values[0];
                let second = table.values.iter().find(|&&value| value != first);
                let is_known = |value: &i32| *value == first || Some(value) == second;
                if !table.values.iter().all(is_known) {
                    return None;
                }
                table.values.iter().map(|&value| value != first).collect()
            }
            Transition::Lookup(table) if states == 2 && radius <= 1 => vec![false, true],
            _ => return None,
        };
        // One state of each kind stands for all of its kind.
        let state_of = |is_counted: bool| {
            let state = counted.iter().position(|&counted| counted == is_counted);
            state.unwrap_or(0) as State
        };
        let states_of = [false, true].map(state_of);
        let next = |own: State, index: usize| {
            table.next(|dx, dy| match (dx, dy) {
                (0, 0) => own,
                _ => states_of[index >> (4 - 3 * dy - dx) & 1],
            })
        };
        let all = (0..states).flat_map(|own| (0..512).map(move |index| (own as State, index)));
        let next: Vec<State> = all.map(|(own, index)| next(own, index)).collect();
        Some(Self {
            totals: nine_sums(&next),
            next,
            counted: counted.iter().map(|&b| u16::from(b)).collect(),
        })
    }
}

impl BoxStepper {
    /// For a rule on the endless plane; its topology is not looked at.
    #[must_use]
    pub fn new(rule: &Rule) -> Self {
        let tables = (0..rule.time_period() as u64).map(|generation| {
            let site = Site {
                generation,
                ..Site::default()
            };
            match rule.is_checkered() {
                false => ConfigurationBytes::of(rule.transition(site), rule.states()),
                true => None,
            }
        });
        Self {
            configurations: tables.collect(),
            radius: (rule.radius() as usize).max(1),
            rule: rule.clone(),
            window: Vec::new(),
            counted: Vec::new(),
            next: Vec::new(),
            rows: BitRows::default(),
            plane: None,
        }
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// How far a cell can see, at least 1.
    #[must_use]
    pub fn radius(&self) -> usize {
        self.radius
    }

    /// What a cell costs, by one of a rule of two states that the 3 x 3 block decides.
    pub(crate) fn cost(&self) -> usize {
        match self.configurations {
            Some(_) => 1,
            None => 4 * (2 * self.radius + 1).pow(2),
        }
    }

    /// The cells one generation after generation `generation`.
    pub fn step(&mut self, cells: &StateBox, generation: u64) -> StateBox {
        if cells.is_empty() {
            return StateBox::default();
        }
        if let Some(tables) = &self.configurations {
            let table = &tables[(generation % tables.len() as u64) as usize];
            if let Some(totals) = table.totals {
                return self.rows.step(cells, totals);
            }
        }
        let r = self.radius;
        let (wide, high) = (cells.width() + 4 * r, cells.height() + 4 * r);
        self.window.clear();
        self.window.resize(wide * high, 0);
        for (row, states) in cells.states().chunks_exact(cells.width()).enumerate() {
            let from = (row + 2 * r) * wide + 2 * r;
            self.window[from..from + states.len()].copy_from_slice(states);
        }
        let (width, height) = (wide - 2 * r, high - 2 * r);
        let (x, y) = (cells.x - r as i64, cells.y - r as i64);
        self.next.clear();
        self.next.resize(width * height, 0);
        if let Some(tables) = &self.configurations {
            let table = &tables[(generation % tables.len() as u64) as usize];
            self.counted.clear();
            let counted = self.window.iter().map(|&s| table.counted[usize::from(s)]);
            self.counted.extend(counted);
            for (row, next) in self.next.chunks_exact_mut(width).enumerate() {
                let rows = [0, 1, 2].map(|k| &self.counted[(row + k) * wide..][..wide]);
                let own = &self.window[(row + 1) * wide + 1..][..width];
                let column = |at: usize| rows[0][at] << 6 | rows[1][at] << 3 | rows[2][at];
                let mut index = column(0) << 1 | column(1);
                for (at, next) in next.iter_mut().enumerate() {
                    index = (index << 1 & 0b110_110_110) | column(at + 2);
                    *next = table.next[512 * usize::from(own[at]) + usize::from(index)];
                }
            }
        } else {
            for (at, next) in self.next.iter_mut().enumerate() {
                let (column, row) = (at % width, at / width);
                let site = Site {
                    generation,
                    x: x + column as i64,
                    y: y + row as i64,
                };
                let centre = ((row + r) * wide + column + r) as isize;
                *next = self.rule.next(site, |dx, dy| {
                    self.window[(centre + dy as isize * wide as isize + dx as isize) as usize]
                });
            }
        }
        StateBox::from_window(x, y, width, &self.next)
    }

    /// Whether the box around the cells is larger than `area` in some generation of the next
    /// [`SWELLING`], as far as that is found out in a small part of the time that stepping takes.
    /// Then no period is found before, whose boxes are all smaller.
    pub(crate) fn swells(&mut self, cells: &StateBox, area: usize) -> bool {
        let rule = &self.rule;
        let made = || watched_plane(rule).map(Box::new);
        let Some(plane) = self.plane.get_or_insert_with(made) else {
            return false;
        };
        let points: Vec<_> = cells.points();
        let place = |p: &Point| ((p.x - cells.x) as i32, (p.y - cells.y) as i32);
        let points: Vec<_> = points.iter().map(place).collect();
        plane.clear();
        plane.take_gliders(false);
        plane.load(&points);
        (0..SWELLING / SWELLING_LOOK).any(|_| {
            plane.advance(SWELLING_LOOK);
            plane.box_area() > area as u64
        })
    }

    /// The cells of each generation from `generation` on, `cells` first.
    pub fn run(&mut self, cells: &StateBox, generation: u64) -> impl Iterator<Item = StateBox> {
        let mut cells = cells.clone();
        (generation..).map(move |generation| {
            let next = self.step(&cells, generation);
            std::mem::replace(&mut cells, next)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{NaiveWorld, World};

    /// Sides about those of words.
    #[test]
    fn boxes_of_any_width_are_stepped() {
        for text in ["B3/S23", "B36/S23", "B3678/S34678", "B2/S34H"] {
            let rule: Rule = text.parse().unwrap();
            let mut random = dice::Dice::new(3);
            for width in [1, 2, 6, 7, 8, 9, 54, 61, 62, 63, 64, 65, 126, 127, 128, 190] {
                let cells: Vec<(Point, State)> = (0..5 * width)
                    .map(|at| {
                        let p = Point::new(at % width - 3, at / width);
                        (p, random.below(2) as State)
                    })
                    .chain([(Point::new(-3, 0), 1), (Point::new(width - 4, 2), 1)])
                    .collect();
                let now = StateBox::from_cells(cells.into_iter());
                assert_eq!(now.width(), width as usize);
                let mut world = NaiveWorld::new(rule.clone());
                world.load(&now.to_pattern()).unwrap();
                world.advance(&1u32.into(), &mut |_| true).unwrap();
                let next = BoxStepper::new(&rule).step(&now, 0);
                assert_eq!(next.to_pattern(), world.cells(), "{text} {width}");
                let states: Vec<_> = next.cells().collect();
                assert_eq!(next, StateBox::from_cells(states.into_iter()), "trimmed");
            }
        }
    }

    #[test]
    fn steps_are_those_of_the_oracle() {
        for text in [
            "B3/S23",
            "B2-a/S12",
            "345/2/4",
            "B2/S34H",
            "B3/S23V",
            "R2,C2,S2-4,B3,NN",
            "WireWorld",
            "Life|HighLife",
            "B03/S23",
            "Margolus:M0,2,8,3,1,5,6,7,4,9,10,11,12,13,14,15",
        ] {
            let Ok(rule) = text.parse::<Rule>() else {
                continue;
            };
            let mut random = dice::Dice::new(7);
            let states = u32::from(rule.states());
            let cells: Vec<(Point, State)> = (0..90)
                .map(|at| (Point::new(at % 10, at / 10), random.below(states) as State))
                .collect();
            let mut now = StateBox::from_cells(cells.into_iter());
            let mut world = NaiveWorld::new(rule.clone());
            world.load(&now.to_pattern()).unwrap();
            let mut stepper = BoxStepper::new(&rule);
            for generation in 0..9 {
                assert_eq!(now.to_pattern(), world.cells(), "{text} {generation}");
                now = stepper.step(&now, generation);
                world.advance(&1u32.into(), &mut |_| true).unwrap();
            }
        }
    }
}
