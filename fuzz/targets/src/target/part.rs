//! The text of a part and of a plan: a line that is read is a line that is written, and what is merged
//! is in the plan.

use super::words_of;
use crate::Target;
use batch::{CensusIdentity, CensusPlan, CensusPlanText, SoupRange, UnitPart, UnitSet};
use census::UnitReport;

pub(super) const PART: Target = Target {
    name: "part",
    check: |bytes| check(&String::from_utf8_lossy(bytes)),
    seeds: || texts().into_iter().map(String::into_bytes).collect(),
    words: || words_of(texts().iter().map(String::as_str)),
    gate_runs: 2000,
};

fn plan() -> CensusPlan {
    let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    CensusPlan::new(identity, SoupRange::new(5, 25), 10)
}

fn texts() -> Vec<String> {
    let report = UnitReport {
        first: 10,
        soups: 10,
        tally: [("xs4_33".into(), 7)].into(),
        samples: [("xs4_33".into(), vec![11, 12])].into(),
        lifespans: [(0, 9), (3, 1)].into(),
        ..UnitReport::default()
    };
    let unit = UnitPart::new(&plan(), report).expect("it is a unit of the plan");
    vec![
        plan().line(),
        unit.line().into(),
        "17,40-43".into(),
        "rule = \"B3/S23\"\nsymmetry = \"C1\"\nseed = \"a\"\nsettle = \"exact\"\nfrom = 0\n\
         soups = 1_000\nunit = 100\n"
            .into(),
    ]
}

fn check(text: &str) {
    let plan = plan();
    for line in text.lines() {
        if let Some(read) = CensusPlan::from_line(line) {
            assert_eq!(read.line(), line);
            assert!(read.unit(read.units()).is_none());
            let last = read.units().checked_sub(1).and_then(|k| read.unit(k));
            assert_eq!(
                last.map_or(0, |last| last.end() - read.range().first),
                read.range().soups
            );
        }
        if let Ok(unit) = UnitPart::parse(line, &plan) {
            assert_eq!(unit.line(), line);
            assert!(unit.number() < plan.units());
        }
        if let Ok(set) = line.parse::<UnitSet>() {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
    }
    let _ = text.parse::<CensusPlanText>();
}
