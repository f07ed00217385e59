//! The text of a part and of a plan, of a census, a search and a tournament: a line that is read is a line that
//! is written, and what is merged is in the plan.

use super::words_of;
use crate::Target;
use batch::{
    CensusIdentity, CensusPlan, CensusPlanText, CubeEnd, CubeFind, CubeResult, SearchPlan,
    SearchPlanText, SoupRange, UnitPart,
};
use census::UnitReport;
use parts::{PartPlan as _, UnitFault, UnitSet};
use std::path::Path;
use std::sync::OnceLock;
use tournament::{PairUnits, Plan};

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

/// The units of a small tournament, and the line of one.
fn tournament() -> &'static (PairUnits, String) {
    static TOURNAMENT: OnceLock<(PairUnits, String)> = OnceLock::new();
    TOURNAMENT.get_or_init(|| {
        let text = "game = 'tictactoe'\npairs = 2\n\
                    player = [{ player = 'random' }, { player = 'heuristic' }]";
        let plan = Plan::parse(text, Path::new("cup.toml")).expect("it is a plan");
        let units = PairUnits::new(&plan).expect("it has units");
        let (_, pairing) = units.pairing(units.unit(1).expect("it has two"));
        let conditions = plan.conditions();
        let mut runner =
            arena::new_runner(&plan.game, &plan.opening, plan.stop_condition, &conditions);
        let records = runner.play(&pairing, &false.into()).expect("both can play");
        let line = units.line_of(1, &records.expect("nothing stops it"));
        (units, line)
    })
}

/// A search of four cubes, which are cut further.
fn search() -> &'static SearchPlan {
    static PLAN: OnceLock<SearchPlan> = OnceLock::new();
    PLAN.get_or_init(|| {
        let text = "search = 'osc'\nperiod = 2\nsize = '3x3'\ncubes = 2\nnodes = 9\nsplit = 1";
        let text = text.parse().expect("it is a plan");
        SearchPlan::new(text).expect("it can be searched")
    })
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
        UnitFault::new(&plan(), 2, "out of memory")
            .expect("it is a unit of the plan")
            .line()
            .into(),
        tournament().1.clone(),
        search().line().into(),
        search().line_of(
            7,
            &CubeResult {
                end: CubeEnd::First,
                found: vec![CubeFind {
                    key: "xp2_7".into(),
                    rle: "x = 3, y = 1, rule = B3/S23\n3o!\n".into(),
                    apgcode: Some("xp2_7".into()),
                    period: Some(2),
                    dx: 0,
                    dy: 0,
                    population: 3,
                }],
            },
        ),
        "search = \"ship\"\nvelocity = \"c/4 diagonal\"\nsize = \"5x5\"\ncubes = 3\nnodes = 10\n"
            .into(),
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
        if let Ok(fault) = UnitFault::parse(line, &plan) {
            assert_eq!(fault.line(), line);
            assert!(fault.number() < plan.units());
        }
        let (units, _) = tournament();
        if let Ok((number, records)) = units.parse(line) {
            assert_eq!(units.line_of(number, &records), line);
            assert!(number < units.count());
        }
        if let Ok(read) = search().read_line(line) {
            assert_eq!(search().line_of(read.number, &read.unit), line);
            assert!(search().unit_name(read.number).is_some());
        }
        if let Ok(set) = line.parse::<UnitSet>() {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
    }
    let _ = text.parse::<CensusPlanText>();
    let _ = text.parse::<SearchPlanText>();
}
