//! Counts soups of `census_seed_a` and says how fast, and where the counts differ from the
//! expected tables in the folder that GRIDPAPER_DATA names.
//!
//! `census_check SYMMETRY SOUPS [apgsearch|exact [BITS]]`, with vectors of at most so many bits;
//! 400000 soups of C1 are compared with
//! `corrected_seed_a.json`, without the growing soups, and 5000 of a symmetry with its
//! `tsym_...txt`.

use census::{CensusSettings, CensusUnitRunner, SettlingMethod, UnitReport};
use std::collections::BTreeMap;
use std::time::Instant;

/// Soups that grow for ever: what is counted of them depends on when.
const GROWING: [u64; 3] = [186_688, 209_671, 397_775];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let symmetry = words.first().map_or("C1", String::as_str);
    let soups: u64 = words.get(1).map_or(Ok(10_000), |word| word.parse())?;
    let settling = match words.get(2).map(String::as_str) {
        Some("exact") => SettlingMethod::Exact,
        _ => SettlingMethod::Apgsearch,
    };
    if let Some(bits) = words.get(3) {
        kernel::simd::limit_vector_width(bits.parse()?);
    }
    let mut runner = CensusUnitRunner::new(CensusSettings {
        rule: "B3/S23".parse()?,
        symmetry: symmetry.parse()?,
        root: "census_seed_a".into(),
        settling,
    })?;
    let began = Instant::now();
    let report = runner
        .run(0, soups, &mut |_| true)
        .ok_or("it was stopped")?;
    let seconds = began.elapsed().as_secs_f64();
    let objects: u64 = report.tally.values().sum();
    println!(
        "{symmetry}: {soups} soups, {objects} objects, {} kinds, mean lifespan {:.1}, {seconds:.2} s, {:.0} soups/s",
        report.tally.len(),
        report.lifespan_sum as f64 / soups as f64,
        soups as f64 / seconds
    );
    for odd in &report.odd {
        println!("odd: {} {}", odd.index, odd.what);
    }
    for soup in &report.long_lived[..3.min(report.long_lived.len())] {
        println!("long: {} {} {}", soup.index, soup.lifespan, soup.population);
    }
    let Some(folder) = std::env::var_os("GRIDPAPER_DATA") else {
        return Ok(());
    };
    let folder = std::path::Path::new(&folder);
    let mut counts = signed(&report);
    let expected = match (symmetry, soups) {
        ("C1", 400_000) => {
            for index in GROWING {
                let report = runner.run(index, 1, &mut |_| true).ok_or("stopped")?;
                for (code, count) in signed(&report) {
                    *counts.entry(code).or_default() -= count;
                }
            }
            let mut expected = counts_of_json(&std::fs::read_to_string(
                folder.join("corrected_seed_a.json"),
            )?);
            // the table has one growing soup with fewer gliders than `growing_a.txt`
            *expected.entry("xq4_153".into()).or_default() += 47;
            let growing = std::fs::read_to_string(folder.join("growing_a.txt"))?;
            for word in growing.split_whitespace() {
                if let Some((code, count)) = word.split_once(':') {
                    *expected.entry(code.into()).or_default() -= count.parse::<i64>()?;
                }
            }
            expected
        }
        (_, 5000) => {
            let name = format!("tsym_{symmetry}.txt");
            let mut expected = BTreeMap::new();
            for line in std::fs::read_to_string(folder.join(name))?.lines() {
                if let ["COUNT", code, count] = line.split_whitespace().collect::<Vec<_>>()[..] {
                    expected.insert(code.to_owned(), count.parse()?);
                }
            }
            expected
        }
        _ => return Ok(()),
    };
    let mut differences = 0;
    let codes: std::collections::BTreeSet<_> = counts.keys().chain(expected.keys()).collect();
    for code in codes {
        let ours = counts.get(code).copied().unwrap_or(0);
        let theirs = expected.get(code).copied().unwrap_or(0);
        if ours != theirs {
            println!("differs: {code} {ours}, expected {theirs}");
            differences += 1;
        }
    }
    println!("{differences} codes differ");
    Ok(())
}

fn signed(report: &UnitReport) -> BTreeMap<String, i64> {
    let entry = |(code, count): (&String, &u64)| (code.clone(), *count as i64);
    report.tally.iter().map(entry).collect()
}

/// The numbers of the object `counts`.
fn counts_of_json(text: &str) -> BTreeMap<String, i64> {
    let inside = text.split_once("\"counts\"").map_or("", |(_, rest)| rest);
    let inside = inside.split_once('}').map_or(inside, |(counts, _)| counts);
    let pairs = inside.trim_start_matches([':', ' ', '{']).split(',');
    let pair = |pair: &str| {
        let (code, count) = pair.split_once(':')?;
        let code = code.trim().trim_matches('"').to_owned();
        Some((code, count.trim().parse().ok()?))
    };
    pairs.filter_map(pair).collect()
}
