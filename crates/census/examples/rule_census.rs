//! Counts soups of a rule, says how fast and what was found; with `check` once more by the
//! definition, and where the two differ.
//!
//! `rule_census RULE SOUPS [check]`, as in
//! `cargo run --release -p gridpaper-census --example rule_census -- B3678/S34678 20000 check`.

use census::{CensusSettings, CensusUnitRunner, SettlingMethod};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let settings = CensusSettings {
        rule: words.first().map_or("B36/S23", String::as_str).parse()?,
        symmetry: "C1".parse()?,
        root: "census_seed_a".into(),
        settling: SettlingMethod::Exact,
    };
    let soups: u64 = words.get(1).map_or(Ok(1000), |word| word.parse())?;
    let mut runner = CensusUnitRunner::new(settings.clone())?;
    let began = Instant::now();
    let report = runner.run(0, soups, &mut |_| true).ok_or("stopped")?;
    let seconds = began.elapsed().as_secs_f64();
    let objects: u64 = report.tally.values().sum();
    println!(
        "{}: {soups} soups, {objects} objects, {} kinds, mean lifespan {:.1}, {seconds:.2} s, {:.0} soups/s",
        settings.rule,
        report.tally.len(),
        report.lifespan_sum as f64 / soups as f64,
        soups as f64 / seconds
    );
    let mut common: Vec<_> = report.tally.iter().collect();
    common.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (code, count) in common.iter().take(8) {
        println!("{code} {count}");
    }
    println!(
        "{} odd: {:?}",
        report.odd.len(),
        report.odd.iter().take(3).collect::<Vec<_>>()
    );
    if words.get(2).is_some() {
        let plain = CensusUnitRunner::by_definition(settings)?.run(0, soups, &mut |_| true);
        println!("the definition agrees: {}", plain == Some(report));
    }
    Ok(())
}
