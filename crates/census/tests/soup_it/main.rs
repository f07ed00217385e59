//! What soups and their counts promise, held against other programs.
#![allow(clippy::unwrap_used)] // a test may panic wherever it likes

mod haul;
mod rule_family;
mod settle;
mod soup;
mod unit;

use census::{CensusSettings, CensusUnitRunner, SettlingMethod};

/// Of soups of the root `census_seed_a`.
fn runner(rule: &str, symmetry: &str, settling: SettlingMethod) -> CensusUnitRunner {
    CensusUnitRunner::new(CensusSettings {
        rule: rule.parse().unwrap(),
        symmetry: symmetry.parse().unwrap(),
        root: "census_seed_a".into(),
        settling,
    })
    .unwrap()
}
