//! The circuit of a rule, for programs that lay cells out in their own way. Own method: what
//! `synthesis` makes, handed on.

use crate::circuit::{BitSlicedNumber, Circuit};
use crate::synthesis;
use rule::Rule;

/// The transition of one generation as a circuit.
#[derive(Clone, Debug)]
pub struct RuleCircuit {
    /// The gates.
    pub circuit: Circuit,
    /// The next state, one wire per bit plane.
    pub next: BitSlicedNumber,
}

impl RuleCircuit {
    /// Synthesises the circuit of a rule in a generation; none where it would be slower than
    /// looking each cell up.
    ///
    /// ```
    /// use kernel::RuleCircuit;
    ///
    /// let made = RuleCircuit::synthesise(&"345/2/4".parse()?, 0).expect("a small circuit");
    /// assert_eq!(made.next.len(), 2, "four states have two bits");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn synthesise(rule: &Rule, generation: u64) -> Option<Self> {
        let planes = (u16::BITS - (rule.states() - 1).leading_zeros()) as usize;
        let made = synthesis::synthesise(rule, generation, planes)?;
        made.is_quick().then(|| Self {
            circuit: made.circuit.clone(),
            next: made.next.clone(),
        })
    }
}
