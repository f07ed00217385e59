//! Counts the soups whose totals are known and says which differ: 5,000 of each symmetry, and with
//! `seed_b` a million of a root that nothing was tuned on.
//!
//! `census_totals [seed_b]`. The totals are apgsearch's, from runs of its general classifier; of
//! `seed_b` those of its quick one, which takes some boats for gliders.

use census::{CensusSettings, CensusUnitRunner, SettlingMethod};
use std::collections::BTreeMap;

/// Objects and kinds of 5,000 soups of `census_seed_a`.
const SYMMETRIES: [(&str, u64, usize); 20] = [
    ("C2_1", 146_474, 42),
    ("C2_2", 163_406, 44),
    ("C2_4", 157_627, 39),
    ("C4_1", 174_601, 38),
    ("C4_4", 165_965, 36),
    ("D2_+1", 108_823, 41),
    ("D2_+2", 113_840, 35),
    ("D2_x", 50_879, 49),
    ("D4_+1", 125_306, 35),
    ("D4_+2", 130_749, 37),
    ("D4_+4", 134_617, 33),
    ("D4_x1", 99_166, 52),
    ("D4_x4", 101_980, 54),
    ("D8_1", 84_384, 62),
    ("D8_4", 83_869, 45),
    ("8x32", 124_281, 35),
    ("4x64", 169_386, 43),
    ("2x128", 228_567, 43),
    ("1x256", 127_170, 36),
    ("iC1", 210_197, 47),
];

/// Codes and their counts in a million soups of `census_seed_b`, growing soups among them.
const SEED_B: [(&str, u64); 22] = [
    ("xs4_33", 6_743_275),
    ("xp2_7", 6_265_613),
    ("xs6_696", 3_568_641),
    ("xs7_2596", 1_053_065),
    ("xs6_356", 670_536),
    ("xs4_252", 212_022),
    ("xs8_6996", 206_145),
    ("xs7_25ac", 68_436),
    ("xp2_7e", 47_432),
    ("xs12_g8o653z11", 34_768),
    ("xp2_318c", 14_882),
    ("xs6_25a4", 14_339),
    ("xs14_g88m952z121", 11_847),
    ("xs8_69ic", 5_326),
    ("xs7_178c", 3_403),
    ("xq4_6frc", 2_796),
    ("xs8_25ak8", 1_957),
    ("xs6_39c", 1_649),
    ("xs14_69bqic", 1_010),
    ("xq4_27dee6", 739),
    ("xs8_35ac", 624),
    ("xq4_27deee6", 118),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = |symmetry: &str, root: &str, first: u64, soups: u64| {
        let mut runner = CensusUnitRunner::new(CensusSettings {
            rule: "B3/S23".parse()?,
            symmetry: symmetry.parse()?,
            root: root.into(),
            settling: SettlingMethod::Apgsearch,
        })?;
        let report = runner
            .run(first, soups, &mut |_| true)
            .ok_or("it was stopped")?;
        Ok::<_, Box<dyn std::error::Error>>(report)
    };
    let mut differences = 0;
    if std::env::args().nth(1).as_deref() == Some("seed_b") {
        let report = count("C1", "census_seed_b", 0, 1_000_000)?;
        let objects: u64 = report.tally.values().sum();
        println!("{objects} objects, {} kinds", report.tally.len());
        let mut growing: BTreeMap<String, u64> = BTreeMap::new();
        for odd in &report.odd {
            let soup = count("C1", "census_seed_b", odd.index, 1)?;
            println!("{} is {}", odd.index, odd.what);
            for (code, count) in soup.tally {
                *growing.entry(code).or_default() += count;
            }
        }
        let both = report.tally["xs5_253"] + report.tally["xq4_153"];
        println!("boats and gliders {both}, expected 2893175");
        for (code, expected) in SEED_B {
            let found = report.tally.get(code).copied().unwrap_or(0);
            if found != expected {
                let of_growing = growing.get(code).copied().unwrap_or(0);
                println!("{code}: {found}, expected {expected}; {of_growing} of growing soups");
                differences += 1;
            }
        }
    } else {
        for (symmetry, objects, kinds) in SYMMETRIES {
            let tally = count(symmetry, "census_seed_a", 0, 5000)?.tally;
            let found = (tally.values().sum::<u64>(), tally.len());
            if found != (objects, kinds) {
                println!("{symmetry}: {found:?}, expected {:?}", (objects, kinds));
                differences += 1;
            }
        }
    }
    println!("{differences} totals differ");
    Ok(())
}
