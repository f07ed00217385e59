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
