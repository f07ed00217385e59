use super::bit::is_life;
use super::interpreter::CircuitProgram;
use super::life_rows;
use super::synthesis;
use crate::backend::{CircuitBackend, CircuitShape, PlaneLayout, ROW_UNIT};
use crate::simd::vector_bits;
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
pub struct PlaneKernel {
    planes: usize,
    /// Whether it is Life, which is stepped by `life_rows`.
    is_life: bool,
    radius: usize,
    /// One program per phase.
    phases: Vec<CircuitProgram>,
    depends_on_parity: bool,
    what: &'static str,
}

/// The largest radius on tiles: the width of the margin of their rows.
const TILE_RADIUS: u32 = 7;

impl PlaneKernel {
    /// The largest radius. Square neighbourhoods of radius 12 run at 7.9 thousand million cells
    /// a second, those of radius 16 at 1.4: sums of bytes are quicker then.
    pub const FURTHEST: u32 = 12;

    /// Compiles rules whose radius fits tiles and whose circuit has a reasonable size; none for
    /// others.
    pub fn compile(rule: &Rule, backend: &dyn CircuitBackend) -> Option<Self> {
        Self::within(TILE_RADIUS, rule, backend)
    }

    /// Compiles rules up to this radius whose circuit has a reasonable size; none for others.
    ///
    /// ```
    /// use kernel::{InterpreterOnly, PlaneKernel};
    ///
    /// let bugs = "R8,C0,M1,S100..200,B75..170,NM".parse()?;
    /// assert!(PlaneKernel::compile(&bugs, &InterpreterOnly).is_none(), "too far for tiles");
    /// let kernel = PlaneKernel::within(PlaneKernel::FURTHEST, &bugs, &InterpreterOnly);
    /// assert_eq!(kernel.map(|kernel| kernel.radius()), Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within(furthest: u32, rule: &Rule, backend: &dyn CircuitBackend) -> Option<Self> {
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
            what = made.what;
            phases.push(CircuitProgram::compile(
                &made.circuit,
                &made.next,
                CircuitShape {
                    planes,
                    radius: rule.radius() as usize,
                    height: None,
                },
                backend,
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
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// The radius of the rule.
    pub fn radius(&self) -> usize {
        self.radius
    }

    /// Whether the parity of a cell's column or row matters.
    pub fn depends_on_parity(&self) -> bool {
        self.depends_on_parity
    }

    /// The number of generations after which the rule repeats.
    pub fn time_period(&self) -> usize {
        self.phases.len()
    }

    /// The number of rows that are stepped together; multiples of it cost the least.
    ///
    /// ```
    /// use kernel::{InterpreterOnly, PlaneKernel};
    ///
    /// let kernel = PlaneKernel::compile(&"B36/S23".parse()?, &InterpreterOnly).expect("a small circuit");
    /// assert!(kernel.block() >= 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn block(&self) -> usize {
        if self.is_life {
            return ROW_UNIT;
        }
        let blocks = self.phases.iter().map(CircuitProgram::block);
        blocks.max().unwrap_or(1)
    }

    /// The approximate cost, in 512-bit instructions per 512 cells, scaled up where vectors are
    /// narrower.
    ///
    /// ```
    /// use kernel::{InterpreterOnly, PlaneKernel};
    ///
    /// let kernel = |rule: &rule::Rule| PlaneKernel::compile(rule, &InterpreterOnly);
    /// let work = |rule| kernel(rule).map(|kernel| kernel.work());
    /// assert!(work(&"B2n3-y4c/S23-a4i".parse()?) > work(&"B36/S23".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn work(&self) -> usize {
        if self.is_life {
            return 8 * 512 / vector_bits();
        }
        let work = self.phases.iter().map(CircuitProgram::work);
        work.max().unwrap_or(1)
    }

    /// Whether it is not interpreted but runs as a backend's code.
    pub fn is_compiled(&self) -> bool {
        self.phases.iter().all(CircuitProgram::is_compiled)
    }

    /// A description for users.
    ///
    /// ```
    /// use kernel::{InterpreterOnly, PlaneKernel};
    ///
    /// let kernel = PlaneKernel::compile(&"345/2/4".parse()?, &InterpreterOnly).expect("a small circuit");
    /// assert!(kernel.describe().starts_with("2 bit planes, "), "four states");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self) -> String {
        let steps: Vec<String> = self.phases.iter().map(CircuitProgram::describe).collect();
        if self.is_life {
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
    ///
    /// ```
    /// use kernel::{InterpreterOnly, PlaneKernel, PlaneLayout};
    ///
    /// let kernel = PlaneKernel::compile(&"B36/S23".parse()?, &InterpreterOnly).expect("a small circuit");
    /// let layout = PlaneLayout { stride: 10, margin: 1, words: 8, corner: (false, false) };
    /// let (mut rows, mut next) = ([0; 50], [0; 30]);
    /// rows[2 * 10 + 3..][..3].fill(1); // a blinker in the third of five rows
    /// kernel.rows(0, layout, &rows, &mut next);
    /// assert_eq!([4, 14, 24].map(|at| next[at]), [1; 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows(&self, phase: usize, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) {
        if self.is_life {
            return life_rows::step(layout, seen, next);
        }
        self.phases[phase].rows(layout, seen, next);
    }
}

#[cfg(test)]
mod tests {
    use super::PlaneKernel;

    /// A rule that takes many more steps than before has lost some sharing.
    #[test]
    fn rules_take_few_steps() {
        for (rule, most) in [
            ("B3/S23", 12),
            ("345/2/4", 24),
            ("2/2/8", 32),
            ("extended", 25),
            ("weighted", 33),
            ("R5,C0,M1,S34..58,B34..45,NM", 57),
            ("B2n3-y4c/S23-a4i", 65),
        ] {
            let kernel =
                PlaneKernel::compile(&rule.parse().unwrap(), &crate::InterpreterOnly).unwrap();
            let steps = kernel.phases()[0].len();
            assert!(steps <= most, "{rule} takes {steps} steps");
        }
    }
}
