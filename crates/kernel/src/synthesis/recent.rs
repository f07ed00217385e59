//! The circuits that were made last.
//!
//! A circuit takes milliseconds to make, and is asked for more than once: by the two engines
//! between which a world moves, and by each of the worlds that a search opens one after another.

use super::Synthesis;
use rule::Rule;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many are kept: the phases of a few rules.
const KEPT: usize = 8;

pub(super) static RECENT: RecentCircuits = RecentCircuits(Mutex::new(VecDeque::new()));

/// The latest first.
pub(super) struct RecentCircuits(Mutex<VecDeque<RecentCircuit>>);

struct RecentCircuit {
    rule: Rule,
    generation: u64,
    planes: usize,
    /// Nothing where the circuit would be too large, which takes as long to find.
    synthesis: Option<Arc<Synthesis>>,
}

impl RecentCircuits {
    /// The circuit for a rule, a generation and a number of planes; made if it is not kept.
    pub(super) fn find_or_make(
        &self,
        (rule, generation, planes): (&Rule, u64, usize),
        make: impl FnOnce() -> Option<Synthesis>,
    ) -> Option<Arc<Synthesis>> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |kept: &RecentCircuit| {
            (kept.generation, kept.planes) == (generation, planes) && kept.rule == *rule
        };
        if let Some(kept) = lock().iter().find(|kept| is_it(kept)) {
            return kept.synthesis.clone();
        }
        // not under the lock: others need not wait for it
        let synthesis = make().map(Arc::new);
        let mut recent = lock();
        recent.truncate(KEPT - 1);
        recent.push_front(RecentCircuit {
            rule: rule.clone(),
            generation,
            planes,
            synthesis: synthesis.clone(),
        });
        synthesis
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_circuit_is_that_of_its_rule_generation_and_planes() {
        let recent = RecentCircuits(Mutex::default());
        let rules: Vec<Rule> = ["B36/S23", "B03/S23", "B2-a/S12"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        let made = |rule: usize, generation| {
            let mut is_new = false;
            let key = (&rules[rule], generation, 1);
            let found = recent.find_or_make(key, || {
                is_new = true;
                super::super::synthesise_anew(&rules[rule], generation, 1)
            });
            (is_new, found.unwrap())
        };
        let (is_new, first) = made(0, 0);
        assert!(is_new);
        for (rule, generation) in [(1, 0), (1, 1), (2, 0)] {
            let (is_new, other) = made(rule, generation);
            assert!(is_new && !Arc::ptr_eq(&first, &other));
        }
        let (is_new, again) = made(0, 0);
        assert!(!is_new && Arc::ptr_eq(&first, &again));
        for generation in 0..KEPT as u64 {
            made(1, 2 + generation);
        }
        assert!(made(0, 0).0, "only the last are kept");
    }
}
