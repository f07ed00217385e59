use super::sum::{SublatticeMask, SumScratch, WeightedSumTable, span};
use super::sum_integer::SumInteger;
use super::tree_walk::LookupTreeWalk;
use crate::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use grid::{Point, State};
use rule::{Rule, Site, Transition};
use std::cell::RefCell;

/// A kernel for any rule, a byte per cell.
#[derive(Clone, Debug)]
pub struct CellKernel {
    radius: u32,
    /// The tables of each generation, modulo their number.
    phases: Vec<CellTables>,
}

/// One table per sublattice: one, two by the parity of x + y, or four by the parity of x plus
/// twice that of y.
#[derive(Clone, Debug)]
enum CellTables {
    Byte(Vec<WeightedSumTable<u8>>),
    Short(Vec<WeightedSumTable<u16>>),
    Long(Vec<WeightedSumTable<u32>>),
    Walk(Vec<LookupTreeWalk>),
}

impl CellKernel {
    /// Compiles any rule.
    ///
    /// ```
    /// let kernel = kernel::CellKernel::compile(&"R5,C0,M1,S34..58,B34..45,NM".parse()?);
    /// assert_eq!(kernel.radius(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(rule: &Rule) -> Self {
        let phases = 0..rule.time_period() as u64;
        Self {
            radius: rule.radius(),
            phases: phases.map(|time| CellTables::compile(rule, time)).collect(),
        }
    }

    /// A description for users.
    ///
    /// ```
    /// let kernel = kernel::CellKernel::compile(&"B3/S23".parse()?);
    /// assert!(kernel.describe().starts_with("a byte a cell, "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self) -> String {
        let sums = self.phases.iter().map(|tables| match tables {
            CellTables::Byte(_) => 8,
            CellTables::Short(_) => 16,
            CellTables::Long(_) => 32,
            CellTables::Walk(_) => 0,
        });
        match sums.max() {
            Some(0) | None => "a byte a cell, through a lookup tree".to_owned(),
            Some(bits) => {
                format!("a byte a cell, sums of {bits} bits, radius {}", self.radius)
            }
        }
    }

    /// The radius of the rule.
    pub fn radius(&self) -> u32 {
        self.radius
    }

    /// Steps a rectangle. `padded` holds (width + 2r) * (height + 2r) states row by row; `next`
    /// gets width * height. `origin` is the world cell of `next[0]` (for checkered rules),
    /// `generation` the one before the step.
    ///
    /// ```
    /// let kernel = kernel::CellKernel::compile(&"B3/S23".parse()?);
    /// let padded = [
    ///     0, 0, 0, 0, 0, //
    ///     0, 0, 1, 0, 0, //
    ///     0, 0, 1, 0, 0, //
    ///     0, 0, 1, 0, 0, //
    ///     0, 0, 0, 0, 0,
    /// ];
    /// let mut next = [7; 9];
    /// kernel.step(0, grid::Point::new(0, 0), 3, 3, &padded, &mut next);
    /// assert_eq!(next, [0, 0, 0, 1, 1, 1, 0, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(
        &self,
        generation: u64,
        origin: Point,
        width: usize,
        height: usize,
        padded: &[State],
        next: &mut [State],
    ) {
        let margin = 2 * self.radius as usize;
        let padded = &padded[..(width + margin) * (height + margin)];
        let next = &mut next[..width * height];
        if next.is_empty() {
            return;
        }
        thread_local! {
            static BYTE: RefCell<SumScratch<u8>> = RefCell::default();
            static SHORT: RefCell<SumScratch<u16>> = RefCell::default();
            static LONG: RefCell<SumScratch<u32>> = RefCell::default();
        }
        match &self.phases[(generation % self.phases.len() as u64) as usize] {
            CellTables::Byte(tables) => BYTE.with_borrow_mut(|scratch| {
                dispatch(tables, scratch, origin, width, padded, next);
            }),
            CellTables::Short(tables) => SHORT.with_borrow_mut(|scratch| {
                dispatch(tables, scratch, origin, width, padded, next);
            }),
            CellTables::Long(tables) => LONG.with_borrow_mut(|scratch| {
                dispatch(tables, scratch, origin, width, padded, next);
            }),
            CellTables::Walk(walks) => walk_sublattices(walks, origin, width, padded, next),
        }
    }
}

impl CellTables {
    fn compile(rule: &Rule, generation: u64) -> Self {
        let margin = rule.radius() as usize;
        let transitions = (0..rule.phases()).map(|sublattice| {
            let (x, y) = ((sublattice % 2) as i64, (sublattice / 2) as i64);
            rule.transition(Site { generation, x, y })
        });
        let walks = transitions.clone().map(|transition| match transition {
            Transition::Lookup(table) => Some(LookupTreeWalk::new(table, margin)),
            _ => None,
        });
        if let Some(walks) = walks.collect() {
            return Self::Walk(walks);
        }
        let span = transitions.clone().map(span).max().unwrap_or(0);
        if span <= u8::MAX.into() {
            Self::Byte(
                transitions
                    .map(|t| WeightedSumTable::compile(t, margin))
                    .collect(),
            )
        } else if span <= u16::MAX.into() {
            Self::Short(
                transitions
                    .map(|t| WeightedSumTable::compile(t, margin))
                    .collect(),
            )
        } else {
            Self::Long(
                transitions
                    .map(|t| WeightedSumTable::compile(t, margin))
                    .collect(),
            )
        }
    }
}

/// Steps all cells by the tree of each sublattice, and keeps those that belong to it.
fn walk_sublattices(
    walks: &[LookupTreeWalk],
    origin: Point,
    width: usize,
    padded: &[State],
    next: &mut [State],
) {
    let [x, y] = [origin.x, origin.y].map(|at| (at & 1) as usize);
    let by_row = walks.len() > 2;
    let mut own_next = vec![0; if walks.len() > 1 { next.len() } else { 0 }];
    for (sublattice, walk) in walks.iter().enumerate() {
        if sublattice == 0 {
            walk.step(width, padded, next);
            continue;
        }
        walk.step(width, padded, &mut own_next);
        let rows = next
            .chunks_exact_mut(width)
            .zip(own_next.chunks_exact(width));
        for (row, (next, own_next)) in rows.enumerate() {
            let row = (row + y) % 2;
            if by_row && row != sublattice / 2 {
                continue;
            }
            let column = if by_row {
                sublattice % 2
            } else {
                sublattice ^ row
            };
            let cells = next.iter_mut().zip(own_next).skip(column ^ x).step_by(2);
            for (next, own_next) in cells {
                *next = *own_next;
            }
        }
    }
}

fn dispatch<T: SumInteger>(
    tables: &[WeightedSumTable<T>],
    scratch: &mut SumScratch<T>,
    origin: Point,
    width: usize,
    padded: &[State],
    next: &mut [State],
) {
    let set = InstructionSet::widest();
    u64::run_in(
        set,
        CellStepTask {
            set,
            tables,
            scratch,
            corner: [origin.x, origin.y].map(|at| (at & 1) as usize),
            width,
            padded,
            next,
        },
    );
}

/// The loops are vectorised by the compiler, for the instruction set of the task.
struct CellStepTask<'a, T> {
    set: InstructionSet,
    /// One table per sublattice.
    tables: &'a [WeightedSumTable<T>],
    scratch: &'a mut SumScratch<T>,
    /// Whether the first cell's column and row are odd.
    corner: [usize; 2],
    width: usize,
    padded: &'a [State],
    next: &'a mut [State],
}

impl<T: SumInteger> SimdTask<u64> for CellStepTask<'_, T> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let [x, y] = self.corner;
        for (sublattice, table) in self.tables.iter().enumerate() {
            let sublattice = match self.tables.len() {
                1 => SublatticeMask::All,
                2 => SublatticeMask::Chequered(sublattice ^ x ^ y),
                _ => SublatticeMask::Lattice {
                    column: (sublattice % 2) ^ x,
                    row: (sublattice / 2) ^ y,
                },
            };
            table.step(
                self.set,
                self.scratch,
                self.width,
                self.padded,
                self.next,
                sublattice,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::with_each_width;
    use dice::Dice;

    /// Tests random cells against the rule, cell by cell.
    fn check(text: &str, width: usize, height: usize) {
        let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let kernel = CellKernel::compile(&rule);
        let r = kernel.radius() as usize;
        let stride = width + 2 * r;
        let mut dice = Dice::new((width * 31 + height) as u64);
        let mut state = || match dice.coin() {
            true => 1 + dice.below(u32::from(rule.states()) - 1) as State,
            false => 0,
        };
        let padded: Vec<State> = (0..stride * (height + 2 * r)).map(|_| state()).collect();
        for (generation, origin) in [
            (0, Point::new(0, 0)),
            (1, Point::new(-3, 4)),
            (6, Point::new(-2, -7)),
        ] {
            let mut next = vec![0; width * height];
            kernel.step(generation, origin, width, height, &padded, &mut next);
            for y in 0..height {
                for x in 0..width {
                    let site = Site {
                        generation,
                        x: origin.x + x as i64,
                        y: origin.y + y as i64,
                    };
                    let look = |dx: i32, dy: i32| {
                        let row = (y + r).strict_add_signed(dy as isize);
                        padded[row * stride + (x + r).strict_add_signed(dx as isize)]
                    };
                    assert_eq!(
                        next[y * width + x],
                        rule.next(site, look),
                        "{text} at {x}, {y} of {width} x {height}, generation {generation}"
                    );
                }
            }
        }
    }

    #[test]
    fn cells_follow_the_rule() {
        for rule in [
            "B3/S23",
            "B2-a/S12",
            "B03/S23",
            "B3/S23V",
            "B2/S34H",
            "345/2/4",
            "1234/14/3",
            "R5,C0,M1,S34..58,B34..45,NM",
            "R2,C4,M0,S3..6,B4..7,NN",
            "R3,C0,M1,S6..11,B5..9,NC",
            "R4,C3,M0,S2..9,B3..8,NB",
            "R3,C2,M1,S3..9,B4..8,N+",
            "R7,C0,M1,S113..225,B113..225,NM",
            "R10,C255,M1,S123..212,B123..170,NM",
        ] {
            for (width, height) in [(1, 1), (2, 3), (63, 5), (64, 2), (65, 4), (130, 9)] {
                with_each_width(|| check(rule, width, height));
            }
        }
    }

    #[test]
    fn checkered_and_weighted_rules() {
        for rule in [
            "R1,C2,S1,B1,10-12,NL",
            "R2,C4,S2-4,B3-5,NL",
            "R2,C2,S2-4,B3,N@abcdefL",
            "R1,C4,S3-6,B4-7,NW111101111,0123",
            "R1,C2,S8-30,B18-34,NW0810080a850a081008",
            "R2,C0,S4-7,B5-8,NL",
            "R2,C0,M1,S30..60,B40..55,NG",
            "B45/S34L",
            "B02/S12LV",
            "12/3/5LB",
            "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
            "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0",
            "B36/S23|B2/S34H",
            "345/2/4|B45/S34L",
            "B3/S23|R5,C0,M1,S34..58,B34..45,NM",
        ] {
            for (width, height) in [(1, 1), (2, 3), (65, 4)] {
                with_each_width(|| check(rule, width, height));
            }
        }
    }
}

#[cfg(test)]
mod table_tests {
    use super::CellKernel;
    use dice::Dice;
    use grid::{Point, State};
    use rule::{Rule, Site};

    /// Tests random cells against the rule, cell by cell.
    fn check(rule: &Rule, kernel: &CellKernel, width: usize, height: usize) {
        let stride = width + 2;
        let mut dice = Dice::new((width * 31 + height) as u64);
        let mut state = || dice.below(rule.states().into()) as State;
        let padded: Vec<State> = (0..stride * (height + 2)).map(|_| state()).collect();
        let mut next = vec![0; width * height];
        kernel.step(0, Point::new(-5, 3), width, height, &padded, &mut next);
        for y in 0..height {
            for x in 0..width {
                let look = |dx: i32, dy: i32| {
                    let row = (y + 1).strict_add_signed(dy as isize);
                    padded[row * stride + (x + 1).strict_add_signed(dx as isize)]
                };
                let wanted = rule.next(Site::default(), look);
                let got = next[y * width + x];
                assert_eq!(got, wanted, "at {x}, {y} of {width} x {height}");
            }
        }
    }

    #[test]
    fn cells_follow_tables_and_trees() {
        let table = |states: u16, neighbourhood: &str, symmetries: &str, lines: &str| {
            let all: Vec<_> = (0..states).map(|state| state.to_string()).collect();
            let all = all.join(",");
            format!(
                "@RULE X\n@TABLE\nn_states:{states}\nneighborhood:{neighbourhood}\n\
                 symmetries:{symmetries}\nvar a={{{all}}}\nvar b={{{all}}}\nvar c={{{all}}}\n\
                 var d={{{all}}}\nvar e={{{all}}}\nvar f={{{all}}}\n{lines}\n"
            )
        };
        let rules = [
            table(2, "oneDimensional", "none", "0,1,0,1\n1,a,1,0"),
            table(
                3,
                "vonNeumann",
                "rotate4",
                "a,b,1,c,d,b\n2,0,a,b,c,a\n1,1,a,2,b,0",
            ),
            table(
                4,
                "hexagonal",
                "rotate6",
                "a,1,b,c,3,d,e,b\n3,a,b,a,c,d,e,b",
            ),
            table(
                5,
                "Moore",
                "permute",
                "0,1,2,a,b,0,0,0,0,3\na,4,b,c,d,e,f,0,0,b",
            ),
            table(
                256,
                "Moore",
                "none",
                "a,b,255,0,c,d,e,f,7,b\na,0,b,c,d,e,200,f,0,a",
            ),
            "@RULE X\n@TREE\nnum_states=3\nnum_neighbors=4\n1 0 1 2\n1 2 0 1\n2 0 1 0\n\
             2 1 0 0\n3 2 3 2\n3 3 2 2\n4 4 5 5\n4 5 5 4\n5 6 7 7\n"
                .to_string(),
        ];
        for text in &rules {
            let rule = Rule::from_file(text).unwrap_or_else(|e| panic!("{e} in {text}"));
            let kernel = CellKernel::compile(&rule);
            for (width, height) in [(1, 1), (2, 3), (63, 5), (64, 2), (65, 4), (130, 9)] {
                check(&rule, &kernel, width, height);
            }
        }
    }
}
