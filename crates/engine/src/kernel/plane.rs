use super::interpreter::CircuitProgram;
use super::synthesis::{self, Synthesis};
use rule::Rule;

/// A rule as boolean logic over planes: a cell's state is a number, and plane p holds bit
/// p of it.
///
/// ```text
/// states     2 1 0        plane 0    . 1 .        plane 1    1 . .
///            0 3 1                   . 1 1                   . 1 .
/// ```
///
/// What a cell counts for, the sums, and the next state are circuits made from the rule's
/// tables, whatever family they came from.
#[derive(Clone, Debug)]
pub(crate) struct PlaneKernel {
    planes: usize,
    radius: usize,
    /// One a phase.
    phases: Vec<CircuitProgram>,
    by_place: bool,
    what: &'static str,
}

/// How far a rule may look in tiles: as far as the margin of their rows goes.
const NEAR: u32 = 7;

impl PlaneKernel {
    /// How far a rule may look at most. Squares of radius 12 run at 7.9 thousand million cells
    /// a second, those of radius 16 at 1.4: sums of bytes are quicker then.
    pub(crate) const FURTHEST: u32 = 12;

    /// For rules that look no further than tiles let them and make a circuit of reasonable
    /// size; none for others.
    pub(crate) fn compile(rule: &Rule) -> Option<Self> {
        Self::within(NEAR, rule)
    }

    /// For rules that look so far at most and make a circuit of reasonable size; none for
    /// others.
    pub(crate) fn within(furthest: u32, rule: &Rule) -> Option<Self> {
        if rule.radius() > furthest {
            return None;
        }
        let planes = (u16::BITS - (rule.states() - 1).leading_zeros()) as usize;
        let mut phases = Vec::new();
        let mut what = "arrangements";
        for generation in 0..rule.time_period() as u64 {
            let made = synthesis::of(rule, generation, planes)?;
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
            phases.push(CircuitProgram::of(
                &circuit,
                &next,
                planes,
                rule.radius() as usize,
            ));
        }
        Some(Self {
            planes,
            radius: rule.radius() as usize,
            phases,
            by_place: rule.is_checkered(),
            what,
        })
    }

    #[cfg(test)]
    pub(super) fn phases(&self) -> &[CircuitProgram] {
        &self.phases
    }

    /// Bits of a state.
    pub(crate) fn planes(&self) -> usize {
        self.planes
    }

    /// How far a cell sees.
    pub(crate) fn radius(&self) -> usize {
        self.radius
    }

    /// Whether it matters if a cell's column and row are even or odd.
    pub(crate) fn by_place(&self) -> bool {
        self.by_place
    }

    /// After how many generations the rule repeats.
    pub(crate) fn time_period(&self) -> usize {
        self.phases.len()
    }

    /// Rows that are stepped together: a multiple of these is the least work.
    pub(crate) fn block(&self) -> usize {
        let blocks = self.phases.iter().map(CircuitProgram::block);
        blocks.max().unwrap_or(1)
    }

    /// Instructions on 512 bits for as many cells of a row, about; those that take as long
    /// where vectors are narrower.
    pub(crate) fn work(&self) -> usize {
        let work = self.phases.iter().map(CircuitProgram::work);
        work.max().unwrap_or(1)
    }

    /// Whether it runs as machine code made for it.
    pub(crate) fn is_machine_code(&self) -> bool {
        self.phases.iter().all(CircuitProgram::is_machine_code)
    }

    /// What it is, in words.
    pub(crate) fn describe(&self) -> String {
        let steps: Vec<String> = self.phases.iter().map(CircuitProgram::describe).collect();
        let planes = match self.planes {
            1 => "1 bit plane".to_owned(),
            n => format!("{n} bit planes"),
        };
        format!("{planes}, {} by {}", self.what, steps.join(" and "))
    }

    /// Rows of words in which west and east are the words before and after.
    ///
    /// A row of cells is a line of `stride` words for each plane, plane 0 first: some words
    /// that are only looked at, as many as `margin` says, then `words` words of cells, then
    /// as many again that are only looked at. Of n + 2 * radius rows in, n come out.
    pub(crate) fn rows(&self, phase: usize, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) {
        self.phases[phase].rows(layout, seen, next);
    }
}

/// How rows lie in memory, see [`PlaneKernel::rows`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneLayout {
    /// Words from line to line.
    pub(crate) stride: usize,
    /// Words before the cells of a line, at least the radius.
    pub(crate) margin: usize,
    /// Words of cells in a line, a multiple of `BitKernel::ROW_UNIT`.
    pub(crate) words: usize,
    /// Whether the first cell that comes out stands in an odd column, and in an odd row.
    /// Cells of one word all stand in odd columns or all in even ones.
    pub(crate) corner: (bool, bool),
}
