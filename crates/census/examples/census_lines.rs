//! Prints what is left of each soup: `SOUP index code:count ...`.
//!
//! `census_lines SYMMETRY ROOT FIRST COUNT [apgsearch]`

use census::{CensusSettings, CensusUnitRunner, SettlingMethod};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [symmetry, root, first, soups, ..] = &words[..] else {
        return Err("usage: census_lines SYMMETRY ROOT FIRST COUNT [apgsearch]".into());
    };
    let settling = match words.get(4).map(String::as_str) {
        Some("apgsearch") => SettlingMethod::Apgsearch,
        _ => SettlingMethod::Exact,
    };
    let mut runner = CensusUnitRunner::new(CensusSettings {
        rule: "B3/S23".parse()?,
        symmetry: symmetry.parse()?,
        root: root.clone(),
        settling,
    })?;
    let (first, soups): (u64, u64) = (first.parse()?, soups.parse()?);
    for index in first..first + soups {
        let report = runner
            .run(index, 1, &mut |_| true)
            .ok_or("it was stopped")?;
        let mut line = format!("SOUP {index}");
        for (code, count) in report.tally {
            line += &format!(" {code}:{count}");
        }
        println!("{line}");
    }
    Ok(())
}
