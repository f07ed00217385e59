use super::bit::is_life;
use super::interpreter::{CircuitProgram, CircuitShape};
use super::life_rows;
use super::synthesis::{self, Synthesis};
use crate::arch::vector_bits;
use rule::Rule;

/// A rule as boolean logic over bit planes: a cell's state is a number, and plane p holds bit
/// p of it.
///
/// ```text
/// states     2 1 0        plane 0    . 1 .        plane 1    1 . .
///            0 3 1                   . 1 1                   . 1 .
/// ```
///
/// State values, sums and the next state are circuits that are synthesised from the rule's
/// tables, whatever family it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct PlaneKernel {
    planes: usize,
    /// Whether it is Life, which without machine code has rows of its own.
    is_life: bool,
    radius: usize,
    /// One program per phase.
    phases: Vec<CircuitProgram>,
    depends_on_parity: bool,
    what: &'static str,
}

/// The words of cells in a line must be a multiple of this.
pub(crate) const ROW_UNIT: usize = 8;

/// The largest radius on tiles: the width of the margin of their rows.
const TILE_RADIUS: u32 = 7;

impl PlaneKernel {
    /// The largest radius. Square neighbourhoods of radius 12 run at 7.9 thousand million cells
    /// a second, those of radius 16 at 1.4: sums of bytes are quicker then.
    pub(crate) const FURTHEST: u32 = 12;

    /// Compiles rules whose radius fits tiles and whose circuit has a reasonable size; none for
    /// others.
    pub(crate) fn compile(rule: &Rule) -> Option<Self> {
        Self::within(TILE_RADIUS, rule)
    }

    /// Compiles rules up to this radius whose circuit has a reasonable size; none for others.
    pub(crate) fn within(furthest: u32, rule: &Rule) -> Option<Self> {
        if rule.radius() > furthest {
            return None;
        }
        let planes = (u16::BITS - (rule.states() - 1).leading_zeros()) as usize;
        let mut phases = Vec::new();
        let mut what = "arrangements";
        for generation in 0..rule.time_period() as u64 {
            let made = synthesis::synthesise(rule, generation, planes)?;
            if !made.is_quick() {
                return None;
            }
            let Synthesis {
                circuit,
                next,
                what: of,
                ..
            } = made;
            what = of;
            phases.push(CircuitProgram::compile(
                &circuit,
                &next,
                CircuitShape {
                    planes,
                    radius: rule.radius() as usize,
                    height: None,
                },
            ));
        }
        Some(Self {
            planes,
            is_life: is_life(rule),
            radius: rule.radius() as usize,
            phases,
            depends_on_parity: rule.is_checkered(),
            what,
        })
    }

    #[cfg(test)]
    pub(super) fn phases(&self) -> &[CircuitProgram] {
        &self.phases
    }

    /// The number of bits of a state.
    pub(crate) fn planes(&self) -> usize {
        self.planes
    }

    /// The radius of the rule.
    pub(crate) fn radius(&self) -> usize {
        self.radius
    }

    /// Whether the parity of a cell's column or row matters.
    pub(crate) fn depends_on_parity(&self) -> bool {
        self.depends_on_parity
    }

    /// The number of generations after which the rule repeats.
    pub(crate) fn time_period(&self) -> usize {
        self.phases.len()
    }

    /// Whether the rows are those of `life_rows`.
    fn has_life_rows(&self) -> bool {
        self.is_life && !self.is_machine_code()
    }

    /// The number of rows that are stepped together; multiples of it cost the least.
    pub(crate) fn block(&self) -> usize {
        if self.has_life_rows() {
            return ROW_UNIT;
        }
        let blocks = self.phases.iter().map(CircuitProgram::block);
        blocks.max().unwrap_or(1)
    }

    /// The approximate cost, in 512-bit instructions per 512 cells, scaled up where vectors are
    /// narrower.
    pub(crate) fn work(&self) -> usize {
        if self.has_life_rows() {
            return 8 * 512 / vector_bits();
        }
        let work = self.phases.iter().map(CircuitProgram::work);
        work.max().unwrap_or(1)
    }

    /// Whether it runs as just-in-time compiled code.
    pub(crate) fn is_machine_code(&self) -> bool {
        self.phases.iter().all(CircuitProgram::is_machine_code)
    }

    /// A description for users.
    pub(crate) fn describe(&self) -> String {
        let steps: Vec<String> = self.phases.iter().map(CircuitProgram::describe).collect();
        if self.has_life_rows() {
            return "1 bit plane, Life in a few operations, over rows of words".to_owned();
        }
        let planes = match self.planes {
            1 => "1 bit plane".to_owned(),
            n => format!("{n} bit planes"),
        };
        format!("{planes}, {} by {}", self.what, steps.join(" and "))
    }

    /// Steps rows of words whose western and eastern neighbours are the words before and after.
    ///
    /// A row of cells has a line of `stride` words for each plane, plane 0 first: `margin` words
    /// that are only read, then `words` words of cells, then `margin` words that are only read.
    /// From n + 2 * radius input rows come n output rows.
    pub(crate) fn rows(&self, phase: usize, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) {
        if self.has_life_rows() {
            return life_rows::step(layout, seen, next);
        }
        self.phases[phase].rows(layout, seen, next);
    }
}

/// The memory layout of rows, see [`PlaneKernel::rows`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneLayout {
    /// Distance of lines in words.
    pub(crate) stride: usize,
    /// Words before the cells of a line, at least the radius.
    pub(crate) margin: usize,
    /// Words of cells in a line, a multiple of [`ROW_UNIT`].
    pub(crate) words: usize,
    /// Whether the first output cell is in an odd column, and in an odd row. The cells of a
    /// word are all in odd columns or all in even ones.
    pub(crate) corner: (bool, bool),
}
