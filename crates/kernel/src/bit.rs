use super::interpreter::CircuitProgram;
use super::shifted_rows::SHIFTED;
use super::synthesis;
use crate::backend::{CircuitBackend, CircuitShape};
use rule::Rule;

/// A two-state rule of radius 1, a bit per cell, for engines whose rows of cells are single
/// words: `column` for tiles, `leaf_result` for hashed trees.
#[derive(Clone, Debug)]
pub struct BitKernel {
    form: BitKernelForm,
    /// What the transition depends on, in words.
    what: &'static str,
}

/// What a kernel runs.
#[derive(Clone, Debug)]
pub(super) enum BitKernelForm {
    /// B3/S23, which has logic of its own.
    Life,
    /// Any other rule: a circuit over three lines for each phase.
    Circuits(Vec<CircuitProgram>),
}

impl BitKernel {
    /// Compiles rules with two states, a radius of at most 1 and no dependence on the position;
    /// none for others.
    ///
    /// ```
    /// use kernel::{BitKernel, InterpreterOnly};
    ///
    /// assert!(BitKernel::compile(&"B36/S23".parse()?, &InterpreterOnly).is_some());
    /// assert!(BitKernel::compile(&"wireworld".parse()?, &InterpreterOnly).is_none(), "four states");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(rule: &Rule, backend: &dyn CircuitBackend) -> Option<Self> {
        if rule.states() != 2 || rule.radius() > 1 || rule.is_checkered() {
            return None;
        }
        if is_life(rule) {
            let (form, what) = (BitKernelForm::Life, "Life in a few operations");
            return Some(Self { form, what });
        }
        let mut programs = Vec::new();
        let mut what = "arrangements";
        for generation in 0..rule.time_period() as u64 {
            let made = synthesis::synthesise(rule, generation, 1)?;
            what = made.what;
            let shape = CircuitShape {
                planes: SHIFTED,
                radius: 1,
                height: Some(ROWS_TOGETHER),
            };
            programs.push(CircuitProgram::compile(
                &made.circuit.over_lines(1),
                &made.next,
                shape,
                backend,
            ));
        }
        let form = BitKernelForm::Circuits(programs);
        Some(Self { form, what })
    }

    pub(super) fn form(&self) -> &BitKernelForm {
        &self.form
    }

    /// The number of generations after which the rule repeats.
    ///
    /// ```
    /// use kernel::{BitKernel, InterpreterOnly};
    ///
    /// let kernel = |rule: rule::Rule| BitKernel::compile(&rule, &InterpreterOnly);
    /// let life = kernel("B3/S23".parse()?).expect("two states");
    /// let flashing = kernel("B03/S23".parse()?).expect("two states");
    /// assert_eq!((life.time_period(), flashing.time_period()), (1, 2), "the background flips");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn time_period(&self) -> usize {
        match &self.form {
            BitKernelForm::Life => 1,
            BitKernelForm::Circuits(programs) => programs.len(),
        }
    }

    /// A description for users.
    ///
    /// ```
    /// use kernel::{BitKernel, InterpreterOnly};
    ///
    /// let kernel = BitKernel::compile(&"B3/S23".parse()?, &InterpreterOnly).expect("two states");
    /// assert_eq!(kernel.describe(), "1 bit plane, Life in a few operations, over rows of words");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self) -> String {
        let what = self.what;
        match &self.form {
            BitKernelForm::Life => format!("1 bit plane, {what}, over rows of words"),
            BitKernelForm::Circuits(programs) => {
                let steps: Vec<String> = programs.iter().map(CircuitProgram::describe).collect();
                format!("1 bit plane, {what} by {}", steps.join(" and "))
            }
        }
    }
}

/// The rows that a program steps at a time, about: eight of a column, 8 to 30 of leaves.
pub(super) const ROWS_TOGETHER: usize = 8;

/// Whether a rule is B3/S23, by its table.
pub(super) fn is_life(rule: &Rule) -> bool {
    if rule.states() != 2 || rule.radius() != 1 || rule.time_period() != 1 || rule.is_checkered() {
        return false;
    }
    (0..512_u32).all(|index| {
        let look = |dx: i32, dy: i32| (index >> (8 - ((dy + 1) * 3 + dx + 1)) & 1) as u8;
        let (centre, count) = (index >> 4 & 1, index.count_ones());
        let is_live = count == 3 || count == 4 && centre == 1;
        rule.next(rule::Site::default(), look) == u8::from(is_live)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn life_is_known_by_its_table() {
        for (rule, expected) in [
            ("B3/S23", true),
            ("23/3", true),
            ("B36/S23", false),
            ("B3/S23V", false),
            ("B3/S23|B36/S23", false),
            ("345/2/4", false),
        ] {
            let rule: Rule = rule.parse().unwrap();
            assert_eq!(is_life(&rule), expected, "{rule}");
        }
    }
}
