//! What repeats in a box: still lifes, oscillators and spaceships, and the problem that each of
//! these questions is.
//!
//! **The box rule.** The cells of every generation of a period, before it repeats, lie inside the
//! box; cells outside are dead. The generation that repeats the first one may stick out by the way
//! that it has moved. No cell outside the box is born before.

use crate::problem::{
    AllowedStates, CellTable, CellTerm, PopulationLimits, SearchProblem, TransitionConstraint,
};
use crate::{BLOCK_ARRANGEMENTS, BlockRule, BlockRuleError, BoxSymmetry, image_in_box, swaps_axes};
use grid::{Point, State, Symmetry};
use rule::{ConfigurationTable, Rule};
use thiserror::Error;

/// Boxes have at most so many cells in all generations together.
pub const MAX_PROBLEM_CELLS: u64 = 1 << 22;

/// What a question asks cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuestionError {
    /// The rule cannot be searched.
    #[error(transparent)]
    Rule(#[from] BlockRuleError),
    /// A box without cells, or a period of 0.
    #[error("a box of {width} x {height} for period {period} has no cells")]
    NoCells {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Generations.
        period: u32,
    },
    /// Too many cells.
    #[error(
        "a box of {width} x {height} for {period} generations has more than {MAX_PROBLEM_CELLS} cells"
    )]
    TooLarge {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Generations.
        period: u32,
    },
    /// The symmetry or transformation turns rows into columns.
    #[error("{what} needs a square box, and this one is {width} x {height}")]
    NotSquare {
        /// The symmetry or the transformation.
        what: String,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A velocity that no pattern of the rule can have.
    #[error("({dx},{dy})c/{period} cannot be reached: {reason}")]
    TooFast {
        /// Columns in a period.
        dx: i64,
        /// Rows in a period.
        dy: i64,
        /// Generations.
        period: u32,
        /// Why.
        reason: &'static str,
    },
    /// The pattern would move one way and its image another.
    #[error("a pattern of symmetry {symmetry} cannot move by ({dx},{dy})")]
    SymmetryMoves {
        /// The symmetry or the transformation.
        symmetry: String,
        /// Columns in a period.
        dx: i64,
        /// Rows in a period.
        dy: i64,
    },
    /// The rule does not look the same in the mirror or turned.
    #[error("{rule} does not keep the symmetry {symmetry}")]
    RuleAsymmetric {
        /// The rule.
        rule: String,
        /// The symmetry or the transformation.
        symmetry: String,
    },
    /// The rule's tables do not repeat with the period.
    #[error("{rule} repeats after {rule_period} generations, and {period} is no multiple of that")]
    Period {
        /// The rule.
        rule: String,
        /// Generations after which its tables repeat.
        rule_period: usize,
        /// The period asked for.
        period: u32,
    },
    /// More cells are asked for than are allowed.
    #[error("no pattern has {least} cells or more and {most} or fewer")]
    Population {
        /// The least number.
        least: u32,
        /// The greatest.
        most: u32,
    },
    /// A cell that is fixed lies outside.
    #[error(
        "cell ({x},{y}) of generation {generation} is fixed and lies outside the {width} x {height} box"
    )]
    FixedOutside {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// Generation.
        generation: u32,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
}

/// Cells of which something is known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedCell {
    /// The generation, from 0.
    pub generation: u32,
    /// Column in the box.
    pub x: u32,
    /// Row in the box.
    pub y: u32,
    /// The states that it may have.
    pub states: AllowedStates,
}

/// A pattern that repeats: `period` generations after the first it is the first again, transformed
/// and then moved by (`dx`, `dy`).
#[derive(Clone, Debug)]
pub struct PeriodicQuestion {
    /// The rule, without a topology.
    pub rule: Rule,
    /// Generations until it repeats.
    pub period: u32,
    /// Columns that it moves to the right in a period.
    pub dx: i64,
    /// Rows that it moves down in a period.
    pub dy: i64,
    /// How the repeated pattern is turned or mirrored.
    pub transform: Symmetry,
    /// The box's columns.
    pub width: u32,
    /// The box's rows.
    pub height: u32,
    /// The symmetry of every generation.
    pub symmetry: BoxSymmetry,
    /// Whether an oscillator that repeats earlier counts too.
    pub subperiod: bool,
    /// Whether the pattern without a live cell counts too.
    pub empty: bool,
    /// How many cells are live.
    pub population: PopulationLimits,
    /// Cells further than this from the diagonal that falls to the right are dead.
    pub diagonal_width: Option<u32>,
    /// Cells that are known.
    pub fixed: Vec<FixedCell>,
    /// Whether of images of one solution one is enough.
    pub up_to_symmetry: bool,
}

impl PeriodicQuestion {
    /// An oscillator of this period (a still life where it is 1) in a box.
    #[must_use]
    pub fn new(rule: Rule, period: u32, width: u32, height: u32) -> Self {
        Self {
            rule,
            period,
            dx: 0,
            dy: 0,
            transform: Symmetry::Identity,
            width,
            height,
            symmetry: BoxSymmetry::C1,
            subperiod: false,
            empty: false,
            population: PopulationLimits::default(),
            diagonal_width: None,
            fixed: Vec::new(),
            up_to_symmetry: false,
        }
    }

    /// The same for a spaceship that moves by (`dx`, `dy`) in a period.
    #[must_use]
    pub fn moving(mut self, dx: i64, dy: i64) -> Self {
        (self.dx, self.dy) = (dx, dy);
        self
    }

    /// The unknown cells and what must hold between them.
    ///
    /// ```
    /// use search::{Exhaustive, PeriodicQuestion, ProblemSolver, SearchFlow, SearchAnswer};
    ///
    /// let blinker = PeriodicQuestion::new("B3/S23".parse()?, 2, 3, 3).problem()?;
    /// assert_eq!(blinker.unknowns(), 18);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A question that contradicts itself or the rule.
    pub fn problem(&self) -> Result<SearchProblem, QuestionError> {
        let rule = self.check()?;
        let cells = PeriodicCells::new(self);
        let mut problem = SearchProblem {
            domains: vec![AllowedStates::below(rule.states()); cells.places.len()],
            transitions: self.transitions(&rule, &cells),
            some_live: Vec::new(),
            some_differ: self.differences(&cells),
            not_greater: Vec::new(),
            population: self.population,
            most_in_first: (self.dx, self.dy, self.transform) == (0, 0, Symmetry::Identity),
            generations: (0..self.period)
                .map(|generation| cells.table(generation))
                .collect(),
            places: cells.places.clone(),
            rule,
        };
        if !self.empty {
            let unknown = |term: &CellTerm| match *term {
                CellTerm::Unknown(unknown) => Some(unknown),
                CellTerm::Known(_) => None,
            };
            let first = problem.generations[0]
                .cells
                .iter()
                .filter_map(unknown)
                .collect();
            problem.some_live.push(first);
        }
        for cell in &self.fixed {
            let term = cells.term(
                i64::from(cell.generation),
                Point::new(i64::from(cell.x), i64::from(cell.y)),
            );
            match term {
                CellTerm::Unknown(unknown) => {
                    let domain = &mut problem.domains[unknown as usize];
                    *domain = domain.intersection(cell.states);
                }
                // a cell off the diagonal that must be live: nothing fits
                CellTerm::Known(state) if !cell.states.contains(state) => {
                    problem.some_live.push(Vec::new())
                }
                CellTerm::Known(_) => {}
            }
        }
        if self.up_to_symmetry {
            problem.not_greater = self.images(&problem.rule, &problem.generations);
        }
        Ok(problem)
    }

    fn check(&self) -> Result<BlockRule, QuestionError> {
        let Self {
            period,
            width,
            height,
            dx,
            dy,
            ..
        } = *self;
        let rule = check_size(&self.rule, (width, height), period)?;
        check_population(self.population)?;
        let transforms = self
            .symmetry
            .elements()
            .iter()
            .map(|&e| (e, self.symmetry.to_string()));
        let own = (self.transform, transform_name(self.transform).to_owned());
        for (symmetry, name) in transforms.chain([own]) {
            if swaps_axes(symmetry) && width != height {
                return Err(QuestionError::NotSquare {
                    what: name,
                    width,
                    height,
                });
            }
            if symmetry.apply(Point::new(dx, dy)) != Point::new(dx, dy) {
                return Err(QuestionError::SymmetryMoves {
                    symmetry: name,
                    dx,
                    dy,
                });
            }
            if !keeps_symmetry(&rule, symmetry) {
                return Err(QuestionError::RuleAsymmetric {
                    rule: self.rule.to_string(),
                    symmetry: name,
                });
            }
        }
        if let Some(reason) = unreachable(&self.rule, period, dx, dy) {
            return Err(QuestionError::TooFast {
                dx,
                dy,
                period,
                reason,
            });
        }
        check_fixed(&self.fixed, (width, height), period)?;
        Ok(rule)
    }

    /// Every cell of the box and of the ring around it, and where the repeated pattern may reach.
    fn transitions(
        &self,
        rule: &BlockRule,
        cells: &PeriodicCells<'_>,
    ) -> Vec<TransitionConstraint> {
        let (right, bottom) = (i64::from(self.width), i64::from(self.height));
        let images = self.symmetry.elements().iter();
        let mut transitions = Vec::new();
        for generation in 0..i64::from(self.period) {
            let is_last = generation + 1 == i64::from(self.period);
            let (dx, dy) = if is_last { (self.dx, self.dy) } else { (0, 0) };
            for y in dy.min(-1)..bottom + dy.max(1) {
                for x in dx.min(-1)..right + dx.max(1) {
                    let p = Point::new(x, y);
                    let next = cells.term(generation + 1, p);
                    // of images of one constraint the first is enough
                    let is_image = images.clone().any(|&element| {
                        let image = image_in_box(element, self.width, self.height, p);
                        (image.y, image.x) < (y, x) && cells.term(generation + 1, image) == next
                    });
                    if is_image {
                        continue;
                    }
                    let block = ConfigurationTable::OFFSETS.map(|(ox, oy)| {
                        cells.term(generation, Point::new(x + i64::from(ox), y + i64::from(oy)))
                    });
                    let step = TransitionConstraint {
                        generation: generation as u32,
                        block,
                        next,
                    };
                    if !holds_always(rule, &step) {
                        transitions.push(step);
                    }
                }
            }
        }
        transitions
    }

    /// The pairs that must not all be equal, so that it does not repeat earlier.
    fn differences(&self, cells: &PeriodicCells<'_>) -> Vec<Vec<(CellTerm, CellTerm)>> {
        if self.subperiod || (self.dx, self.dy) != (0, 0) {
            return Vec::new();
        }
        let total = self.period * order(self.transform);
        let all = || {
            let columns = 0..i64::from(self.width);
            columns.flat_map(|x| (0..i64::from(self.height)).map(move |y| Point::new(x, y)))
        };
        primes_of(total)
            .map(|prime| {
                let earlier = i64::from(total / prime);
                let pairs = all().map(|p| (cells.term(0, p), cells.term(earlier, p)));
                pairs.filter(|(a, b)| a != b).collect()
            })
            .collect()
    }

    /// The first generation against each of its images that is a solution too, and against those of
    /// the later generations where an oscillator may begin with any.
    fn images(
        &self,
        rule: &BlockRule,
        generations: &[CellTable],
    ) -> Vec<(Vec<CellTerm>, Vec<CellTerm>)> {
        let first = &generations[0].cells;
        if !self.fixed.is_empty() || self.diagonal_width.is_some() {
            return Vec::new();
        }
        let stands = (self.dx, self.dy, self.transform) == (0, 0, Symmetry::Identity);
        // an upper bound of the population is one of the first generation
        let begins_anywhere = stands && self.population.most.is_none() && rule.time_period() == 1;
        let beginnings = if begins_anywhere {
            generations
        } else {
            &generations[..1]
        };
        let mut images: Vec<Vec<CellTerm>> = Vec::new();
        for symmetry in box_isometries(rule, self.width, self.height, self.symmetry) {
            let way = Point::new(self.dx, self.dy);
            let fits = symmetry.apply(way) == way && commutes(symmetry, self.transform);
            if !fits {
                continue;
            }
            for beginning in beginnings {
                let image: Vec<CellTerm> = (0..self.width * self.height)
                    .map(|index| {
                        let (x, y) = (index % self.width, index / self.width);
                        let p = Point::new(i64::from(x), i64::from(y));
                        let p = image_in_box(symmetry, self.width, self.height, p);
                        beginning.cells[(p.y * i64::from(self.width) + p.x) as usize]
                    })
                    .collect();
                if image != *first && !images.contains(&image) {
                    images.push(image);
                }
            }
        }
        let pairs = images.into_iter().map(|image| (first.clone(), image));
        pairs.collect()
    }
}

/// The rule of a pattern that repeats, if a problem can be made of a box of this size.
pub(crate) fn check_size(
    rule: &Rule,
    (width, height): (u32, u32),
    period: u32,
) -> Result<BlockRule, QuestionError> {
    let table = BlockRule::new(rule)?;
    let cells = u64::from(width)
        .saturating_mul(u64::from(height))
        .saturating_mul(u64::from(period));
    if cells == 0 {
        return Err(QuestionError::NoCells {
            width,
            height,
            period,
        });
    }
    if cells > MAX_PROBLEM_CELLS {
        return Err(QuestionError::TooLarge {
            width,
            height,
            period,
        });
    }
    if !(period as usize).is_multiple_of(table.time_period()) {
        return Err(QuestionError::Period {
            rule: rule.to_string(),
            rule_period: table.time_period(),
            period,
        });
    }
    Ok(table)
}

/// Whether the bounds of the population leave any.
pub(crate) fn check_population(limits: PopulationLimits) -> Result<(), QuestionError> {
    match limits.least.zip(limits.most) {
        Some((least, most)) if least > most => Err(QuestionError::Population { least, most }),
        _ => Ok(()),
    }
}

/// Whether all cells that are known lie in the box and in the period.
pub(crate) fn check_fixed(
    fixed: &[FixedCell],
    (width, height): (u32, u32),
    period: u32,
) -> Result<(), QuestionError> {
    let outside =
        |cell: &&FixedCell| cell.x >= width || cell.y >= height || cell.generation >= period;
    match fixed.iter().find(outside) {
        Some(&FixedCell {
            generation, x, y, ..
        }) => Err(QuestionError::FixedOutside {
            x,
            y,
            generation,
            width,
            height,
        }),
        None => Ok(()),
    }
}

/// The unknowns of a question: one for all images of a cell under the symmetry.
struct PeriodicCells<'a> {
    question: &'a PeriodicQuestion,
    /// By generation and row by row, what each cell of the box is.
    terms: Vec<CellTerm>,
    places: Vec<(u32, u32, u32)>,
}

impl<'a> PeriodicCells<'a> {
    fn new(question: &'a PeriodicQuestion) -> Self {
        let (width, height) = (i64::from(question.width), i64::from(question.height));
        let mut cells = Self {
            question,
            terms: Vec::new(),
            places: Vec::new(),
        };
        // the representative comes first, row by row
        let mut representatives: Vec<(Point, usize)> = Vec::new();
        let mut unknowns = 0;
        for p in (0..height).flat_map(|y| (0..width).map(move |x| Point::new(x, y))) {
            let first = cells.representative(p);
            let unknown = if !cells.is_in_band(p) {
                usize::MAX
            } else if first == p {
                unknowns += 1;
                unknowns - 1
            } else {
                representatives[(first.y * width + first.x) as usize].1
            };
            representatives.push((p, unknown));
        }
        for generation in 0..question.period {
            for &(p, unknown) in &representatives {
                if unknown == usize::MAX {
                    cells.terms.push(CellTerm::Known(0));
                    continue;
                }
                let unknown = unknowns * generation as usize + unknown;
                cells.terms.push(CellTerm::Unknown(unknown as u32));
                if unknown == cells.places.len() {
                    cells.places.push((generation, p.x as u32, p.y as u32));
                }
            }
        }
        cells
    }

    /// The image that stands for all of a cell's images.
    fn representative(&self, p: Point) -> Point {
        let question = self.question;
        let images = question.symmetry.elements().iter();
        let images = images.map(|&e| image_in_box(e, question.width, question.height, p));
        images.min_by_key(|p| (p.y, p.x)).unwrap_or(p)
    }

    /// Whether all images of a cell lie in the diagonal band.
    fn is_in_band(&self, p: Point) -> bool {
        let question = self.question;
        question.diagonal_width.is_none_or(|width| {
            let images = question.symmetry.elements().iter();
            let mut images = images.map(|&e| image_in_box(e, question.width, question.height, p));
            images.all(|image| (image.x - image.y).abs() < i64::from(width))
        })
    }

    /// A cell of any generation from 0 on, in coordinates of the box.
    fn term(&self, generation: i64, p: Point) -> CellTerm {
        let question = self.question;
        let (mut generation, mut p) = (generation, p);
        while generation >= i64::from(question.period) {
            generation -= i64::from(question.period);
            let back = Point::new(p.x - question.dx, p.y - question.dy);
            p = image_in_box(
                question.transform.inverse(),
                question.width,
                question.height,
                back,
            );
        }
        let is_inside = (0..i64::from(question.width)).contains(&p.x)
            && (0..i64::from(question.height)).contains(&p.y);
        if !is_inside {
            return CellTerm::Known(0);
        }
        let (width, height) = (i64::from(question.width), i64::from(question.height));
        self.terms[((generation * height + p.y) * width + p.x) as usize]
    }

    fn table(&self, generation: u32) -> CellTable {
        let (width, height) = (
            i64::from(self.question.width),
            i64::from(self.question.height),
        );
        let rows = (0..height).flat_map(|y| (0..width).map(move |x| Point::new(x, y)));
        CellTable {
            width: self.question.width,
            cells: rows.map(|p| self.term(i64::from(generation), p)).collect(),
        }
    }
}

/// Whether nothing of a constraint is unknown and it holds.
pub(crate) fn holds_always(rule: &BlockRule, step: &TransitionConstraint) -> bool {
    let known = |term: CellTerm| match term {
        CellTerm::Known(state) => Some(state),
        CellTerm::Unknown(_) => None,
    };
    let Some(next) = known(step.next) else {
        return false;
    };
    let mut arrangement = 0;
    for term in step.block {
        let Some(state) = known(term) else {
            return false;
        };
        arrangement = arrangement << 1 | usize::from(rule.is_counted(state));
    }
    let CellTerm::Known(own) = step.block[4] else {
        return false;
    };
    rule.next(step.generation as usize, own, arrangement) == next
}

/// The name of a transformation as it is given: `Id`, `R90`, … `F/`.
#[must_use]
pub fn transform_name(transform: Symmetry) -> &'static str {
    match transform {
        Symmetry::Identity => "Id",
        Symmetry::Rotate90 => "R90",
        Symmetry::Rotate180 => "R180",
        Symmetry::Rotate270 => "R270",
        Symmetry::MirrorX => "F|",
        Symmetry::MirrorY => "F-",
        Symmetry::Transpose => "F\\",
        Symmetry::AntiTranspose => "F/",
    }
}

/// Whether the tables are the same for a turned or mirrored block.
#[must_use]
pub fn keeps_symmetry(rule: &BlockRule, symmetry: Symmetry) -> bool {
    if symmetry == Symmetry::Identity {
        return true;
    }
    let bits = ConfigurationTable::OFFSETS.map(|(dx, dy)| {
        let image = symmetry.apply(Point::new(i64::from(dx), i64::from(dy)));
        (4 - (image.y * 3 + image.x)) as usize
    });
    let mut images = [0_usize; BLOCK_ARRANGEMENTS];
    for arrangement in 1..BLOCK_ARRANGEMENTS {
        // one cell more than an arrangement before it
        let cell = 8 - arrangement.trailing_zeros() as usize;
        images[arrangement] = images[arrangement & (arrangement - 1)] | 1 << bits[cell];
    }
    (0..rule.time_period()).all(|generation| {
        (0..rule.states()).all(|own| {
            let table = rule.table(generation, own as State);
            table
                .iter()
                .zip(images)
                .all(|(&next, image)| next == table[image])
        })
    })
}

/// Why no pattern can move so fast, where that is known.
fn unreachable(rule: &Rule, period: u32, dx: i64, dy: i64) -> Option<&'static str> {
    let period = i64::from(period);
    if dx.abs().max(dy.abs()) > period {
        return Some("nothing moves faster than one cell a generation");
    }
    // J. H. Conway; "Spaceship" at LifeWiki, "Speed limits"
    let is_life = rule.to_string() == "B3/S23";
    if is_life && 2 * (dx.abs() + dy.abs()) > period {
        return Some(
            "in Life no spaceship moves more than half a cell a generation, columns and rows together",
        );
    }
    None
}

/// The symmetries of the square that keep a rule, a box and the symmetry of its patterns: they
/// make a solution of every solution, where nothing else tells them apart.
#[must_use]
pub fn box_isometries(
    rule: &BlockRule,
    width: u32,
    height: u32,
    symmetry: BoxSymmetry,
) -> Vec<Symmetry> {
    let keeps_all = |isometry: &Symmetry| {
        let keeps_box = width == height || !swaps_axes(*isometry);
        let mut conjugates = symmetry
            .elements()
            .iter()
            .map(|&element| conjugate(*isometry, element));
        keeps_box
            && keeps_symmetry(rule, *isometry)
            && conjugates.all(|image| symmetry.elements().contains(&image))
    };
    Symmetry::ALL.into_iter().filter(keeps_all).collect()
}

fn order(symmetry: Symmetry) -> u32 {
    match symmetry {
        Symmetry::Identity => 1,
        Symmetry::Rotate90 | Symmetry::Rotate270 => 4,
        _ => 2,
    }
}

/// The primes that divide a number.
pub(crate) fn primes_of(number: u32) -> impl Iterator<Item = u32> {
    let is_prime = |n: u32| {
        (2..n)
            .take_while(|d| d * d <= n)
            .all(|d| !n.is_multiple_of(d))
    };
    (2..=number).filter(move |&n| number.is_multiple_of(n) && is_prime(n))
}

fn commutes(a: Symmetry, b: Symmetry) -> bool {
    let p = Point::new(1, 2);
    a.apply(b.apply(p)) == b.apply(a.apply(p))
}

/// `a`, then `b`, then `a` undone.
fn conjugate(a: Symmetry, b: Symmetry) -> Symmetry {
    let image = a.inverse().apply(b.apply(a.apply(Point::new(1, 2))));
    let is_it = |s: &&Symmetry| s.apply(Point::new(1, 2)) == image;
    *Symmetry::ALL
        .iter()
        .find(is_it)
        .expect("the eight are a group")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exhaustive, ProblemSolver, SearchAnswer, SearchFlow};

    fn life(period: u32, width: u32, height: u32) -> PeriodicQuestion {
        PeriodicQuestion::new("B3/S23".parse().expect("Life"), period, width, height)
    }

    /// The first generations of all solutions, as text.
    fn solutions(question: &PeriodicQuestion) -> Vec<String> {
        let problem = question.problem().expect("a question");
        let mut solver = Exhaustive::new(problem.clone());
        let mut found = Vec::new();
        while let SearchAnswer::Found(states) = solver.solve(&mut |_, _| SearchFlow::Continue) {
            let rows = problem.generations[0].states(&states);
            let rows = rows.chunks(question.width as usize).map(|row| {
                row.iter()
                    .map(|&state| char::from(b".oabc"[usize::from(state)]))
                    .collect::<String>()
            });
            found.push(rows.collect::<Vec<_>>().join("/"));
        }
        found
    }

    #[test]
    fn still_lifes_of_small_boxes_are_as_many_as_published() {
        // OEIS A136278
        for (side, count) in [(1, 1), (2, 2), (3, 12)] {
            let question = PeriodicQuestion {
                empty: true,
                ..life(1, side, side)
            };
            assert_eq!(solutions(&question).len(), count, "{side}");
        }
    }

    #[test]
    fn blinker_has_two_phases_and_period_two_exactly() {
        let blinkers = [".../ooo/...", ".o./.o./.o."];
        assert_eq!(solutions(&life(2, 3, 3)), blinkers);
        // the eleven still lifes come in addition
        let any = PeriodicQuestion {
            subperiod: true,
            ..life(2, 3, 3)
        };
        assert_eq!(solutions(&any).len(), 13);
    }

    #[test]
    fn glider_needs_a_box_of_four() {
        assert_eq!(solutions(&life(4, 3, 3).moving(1, 1)), [""; 0]);
        assert!(!solutions(&life(4, 4, 4).moving(1, 1)).is_empty());
        // half of its period, mirrored in the diagonal
        let half = PeriodicQuestion {
            transform: Symmetry::Transpose,
            ..life(2, 4, 4)
        };
        assert!(
            solutions(&half).is_empty(),
            "it moves by (1,0) or (0,1) then, and not along the diagonal"
        );
    }

    #[test]
    fn symmetric_solutions_are_symmetric() {
        let question = PeriodicQuestion {
            symmetry: BoxSymmetry::D2Vertical,
            ..life(1, 3, 4)
        };
        let found = solutions(&question);
        assert!(found.contains(&".o./o.o/o.o/.o.".to_owned()));
        // of images of one constraint one is left
        let steps = |symmetry| {
            let question = PeriodicQuestion {
                symmetry,
                ..life(2, 9, 9)
            };
            question.problem().expect("a question").transitions.len()
        };
        assert!(steps(BoxSymmetry::D8) * 5 < steps(BoxSymmetry::C1));
        for rows in found {
            assert!(
                rows.split('/').all(|row| row.chars().rev().eq(row.chars())),
                "{rows}"
            );
        }
    }

    #[test]
    fn rules_of_more_states_and_of_two_tables() {
        let brain: Rule = "B2/S/3".parse().expect("a rule");
        for period in [1, 2, 3] {
            assert!(solutions(&PeriodicQuestion::new(brain.clone(), period, 2, 2)).is_empty());
        }
        let odd = PeriodicQuestion::new("B0/S".parse().expect("a rule"), 3, 2, 2);
        assert!(matches!(
            odd.problem(),
            Err(QuestionError::Period { rule_period: 2, .. })
        ));
    }

    #[test]
    fn contradictions_are_said() {
        let refused =
            |question: &PeriodicQuestion| question.problem().expect_err("refused").to_string();
        let rows = [
            (life(3, 0, 4), "no cells"),
            (
                PeriodicQuestion {
                    population: PopulationLimits {
                        least: Some(5),
                        most: Some(4),
                    },
                    ..life(2, 4, 4)
                },
                "no pattern has 5 cells or more and 4 or fewer",
            ),
            (life(4, 4, 4).moving(3, 0), "cannot be reached: in Life"),
            (life(4, 4, 4).moving(5, 0), "one cell a generation"),
            (
                PeriodicQuestion {
                    symmetry: BoxSymmetry::D8,
                    ..life(1, 4, 5)
                },
                "D8 needs a square box",
            ),
            (
                PeriodicQuestion {
                    symmetry: BoxSymmetry::C2,
                    ..life(4, 4, 4).moving(0, 1)
                },
                "C2 cannot move by (0,1)",
            ),
            (
                PeriodicQuestion {
                    transform: Symmetry::Rotate90,
                    ..life(4, 4, 5)
                },
                "R90 needs a square box",
            ),
            (life(1, 4000, 4000), "more than"),
            (
                PeriodicQuestion {
                    fixed: vec![FixedCell {
                        generation: 0,
                        x: 4,
                        y: 0,
                        states: AllowedStates::only(1),
                    }],
                    ..life(1, 4, 4)
                },
                "cell (4,0) of generation 0 is fixed and lies outside the 4 x 4 box",
            ),
            (
                PeriodicQuestion {
                    symmetry: BoxSymmetry::D2Vertical,
                    ..PeriodicQuestion::new("B2/S34H".parse().expect("hexagonal"), 1, 4, 4)
                },
                "does not keep the symmetry D2|",
            ),
        ];
        for (question, words) in rows {
            let said = refused(&question);
            assert!(said.contains(words), "{said}");
        }
    }
}
