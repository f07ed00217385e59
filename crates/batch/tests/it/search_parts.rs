//! Searches in parts: any sharing out gives the bytes of one run, and what one search finds.

use batch::{CubeEnd, CubeResult, SearchMerge, SearchPlan};
use dice::Dice;
use parts::{PartError, PartFile, PartPlan as _};
use search::{
    CellSearchOptions, PeriodicCase, PeriodicQuestion, SearchEngine, SearchFlow, SearchOutcome,
    SearchRun,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn plan(text: &str) -> SearchPlan {
    SearchPlan::new(text.parse().unwrap()).unwrap()
}

/// The units that a plan needs, each with its line.
fn lines(plan: &SearchPlan) -> BTreeMap<u64, String> {
    let folder = tempfile::tempdir().unwrap();
    let mut file = PartFile::open(&folder.path().join("whole.gpart"), plan).unwrap();
    let mut lines = BTreeMap::new();
    loop {
        let missing = SearchMerge::of_folder(folder.path(), plan)
            .unwrap()
            .missing();
        if missing.is_empty() {
            return lines;
        }
        for unit in missing.runs().iter().flat_map(|&(a, b)| a..=b) {
            let result = plan.run(unit, &mut || true).unwrap().unwrap();
            let line = plan.line_of(unit, &result);
            file.append(&line).unwrap();
            lines.insert(unit, line);
        }
    }
}

fn write<'a>(path: &Path, plan: &SearchPlan, lines: impl IntoIterator<Item = &'a String>) {
    let mut file = PartFile::open(path, plan).unwrap();
    for line in lines {
        file.append(line).unwrap();
    }
}

fn merged(files: &[PathBuf]) -> SearchMerge {
    let mut merge = SearchMerge::new();
    for file in files {
        merge.add(file).unwrap();
    }
    merge
}

fn whole(plan: &SearchPlan, lines: &BTreeMap<u64, String>) -> SearchMerge {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole.gpart");
    write(&path, plan, lines.values());
    let merge = merged(&[path]);
    assert!(merge.missing().is_empty());
    merge
}

fn keys(merge: &SearchMerge) -> BTreeSet<String> {
    let found = merge.found().into_iter();
    found.map(|find| find.key.clone()).collect()
}

const PLANS: [&str; 5] = [
    "search = 'still'\nsize = '4x4'\ncubes = 4",
    "search = 'osc'\nperiod = 2\nsize = '5x4'\ncubes = 3\nengine = 'sat'",
    "search = 'ship'\nvelocity = '2c/4'\nsize = '5x6'\ncubes = 2",
    "search = 'agar'\nperiod = 2\nsize = '4x4'\ncubes = 3",
    "search = 'predecessor'\npattern = 'o!'\nmargin = 0\ncubes = 3",
];

/// The merge is commutative and idempotent: shares of any units in any files, in any order, some
/// units and files twice, give the same bytes.
#[test]
fn any_sharing_out_gives_the_bytes_of_one_run() {
    for text in PLANS {
        let plan = plan(text);
        let lines = lines(&plan);
        let whole = whole(&plan, &lines);
        for seed in 0..4 {
            let folder = tempfile::tempdir().unwrap();
            let mut dice = Dice::new(seed);
            let mut units: Vec<&String> = lines.values().collect();
            dice.shuffle(&mut units);
            let mut files: Vec<PathBuf> = Vec::new();
            while !units.is_empty() {
                let count = (1 + dice.below(9) as usize).min(units.len());
                let path = folder.path().join(format!("{}.gpart", files.len()));
                write(&path, &plan, units[..count].iter().copied());
                // a unit is twice there
                units.drain(..count - usize::from(count > 1 && dice.coin()));
                files.push(path);
            }
            files.push(files[0].clone());
            dice.shuffle(&mut files);
            assert_eq!(merged(&files).result(), whole.result(), "{text} {seed}");
        }
    }
}

/// What all cubes have together is what one search finds.
#[test]
fn cubes_find_what_one_search_finds() {
    for (text, period, size, way) in [(PLANS[0], 1, (4, 4), (0, 0)), (PLANS[1], 2, (5, 4), (0, 0))]
    {
        let question = PeriodicQuestion {
            up_to_symmetry: true,
            ..PeriodicQuestion::new("B3/S23".parse().unwrap(), period, size.0, size.1)
                .moving(way.0, way.1)
        };
        let case = PeriodicCase::new(question).unwrap();
        let options = CellSearchOptions::default();
        let mut run = SearchRun::new(vec![Box::new(case)], SearchEngine::Cells, options);
        let mut codes = BTreeSet::new();
        while let SearchOutcome::Found(found) = run.next(&mut |_, _| SearchFlow::Continue).unwrap()
        {
            codes.extend(found.apgcode);
        }
        let plan = plan(text);
        assert_eq!(keys(&whole(&plan, &lines(&plan))), codes, "{text}");
    }
    for text in &PLANS[2..] {
        let (cut, uncut) = (plan(text), plan(&text.replace("cubes = ", "cubes = 0 # ")));
        assert_eq!(uncut.text().cubes, 0);
        let found = keys(&whole(&uncut, &lines(&uncut)));
        assert!(!found.is_empty(), "{text}");
        assert_eq!(keys(&whole(&cut, &lines(&cut))), found, "{text}");
        if text.contains("predecessor") {
            // of 512 arrangements of a block 56 + 56 + 28 give a live cell
            assert_eq!(found.len(), 140);
        }
    }
}

/// A cube that takes too many guesses is cut further, and its children by number are the rest of
/// the tree.
#[test]
fn a_cube_that_reaches_the_limit_is_cut_further() {
    let text = "search = 'osc'\nperiod = 2\nsize = '7x6'\ncubes = 2";
    let (uncut, cut) = (
        plan(text),
        plan(&format!("{text}\nnodes = 4096\nsplit = 2")),
    );
    assert_eq!((cut.cubes(), cut.unit_name(3)), (4, Some("cube 3".into())));
    let lines = lines(&cut);
    let ends = lines
        .values()
        .map(|line| cut.read_line(line).unwrap().unit.end);
    let limits = ends.filter(|end| *end == CubeEnd::Limit).count();
    assert!(limits > 0);
    assert_eq!(lines.len(), 4 + 4 * limits, "each has four children");
    let names: Vec<_> = lines
        .keys()
        .filter_map(|unit| cut.unit_name(*unit))
        .collect();
    assert!(names.iter().any(|name| name.contains('.')), "{names:?}");
    let merge = whole(&cut, &lines);
    assert!(!merge.found().is_empty());
    assert_eq!(keys(&merge), keys(&whole(&uncut, &self::lines(&uncut))));
    // without the children of one cube these are what is missing
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.gpart");
    write(&path, &cut, lines.values().take(4));
    let missing = merged(&[path]).missing();
    let cut_at_once = lines.values().take(4).filter(|line| {
        let end = cut.read_line(line).unwrap().unit.end;
        end == CubeEnd::Limit
    });
    assert_eq!(missing.count() as usize, 4 * cut_at_once.count());
    assert!(missing.runs()[0].0 >= 4, "{missing}");
}

/// Where one is enough, it is that of the first cube that has one, whoever was first in time.
#[test]
fn the_first_is_that_of_the_first_cube() {
    let plan = plan("search = 'osc'\nperiod = 2\nsize = '5x5'\ncubes = 4\nfirst = true");
    let folder = tempfile::tempdir().unwrap();
    let run = |unit| plan.run(unit, &mut || true).unwrap().unwrap();
    let results: Vec<CubeResult> = (0..plan.cubes()).map(run).collect();
    let has_one = |result: &CubeResult| result.end == CubeEnd::First;
    let first = results.iter().position(has_one).unwrap();
    let last = results.iter().rposition(has_one).unwrap();
    assert!(first < last);
    let line = |unit: usize| plan.line_of(unit as u64, &results[unit]);
    let path = folder.path().join("a.gpart");
    write(&path, &plan, [&line(last)]);
    let missing = merged(std::slice::from_ref(&path)).missing();
    assert_eq!(
        missing.runs(),
        [(0, last as u64 - 1)],
        "those before it may have one"
    );
    let rest: Vec<String> = (0..=first).map(line).collect();
    write(&path, &plan, &rest);
    let merge = merged(&[path]);
    assert!(merge.missing().is_empty());
    assert_eq!(merge.found(), [&results[first].found[0]]);
}

#[test]
fn other_plans_versions_and_results_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.gpart", "b.gpart"].map(|name| folder.path().join(name));
    let ours = plan(PLANS[0]);
    let lines = lines(&ours);
    write(&a, &ours, lines.values().take(3));
    let refused = |text: &str| {
        fs::write(&b, text).unwrap();
        let later = merged(std::slice::from_ref(&a)).add(&b).unwrap_err();
        let first = SearchMerge::new().add(&b);
        (later.to_string(), first.map_err(|error| error.to_string()))
    };
    let other = plan(&PLANS[0].replace("4x4", "4x5"));
    let (later, first) = refused(&format!("{}\n", other.line()));
    assert!(
        later.contains("the size of this part is \"4x5\", and not \"4x4\" as in"),
        "{later}"
    );
    assert_eq!(first, Ok(0));
    let text = fs::read_to_string(&a).unwrap();
    let (later, first) = refused(&text.replace("search-1", "search-0"));
    let words = "the version of this part is";
    assert!(
        later.contains(words) && first.unwrap_err().contains(words),
        "{later}"
    );
    let (later, _) = refused("{\"gpart\":1}\n");
    assert!(later.contains("this is no part of a search"), "{later}");
    let (later, _) = refused(&text.replacen("xs4_33", "xs4_34", 1));
    assert!(
        later.contains("is damaged: its digest is another"),
        "{later}"
    );
    // the same unit with another result
    let mut wrong = ours.read_line(&lines[&1]).unwrap().unit;
    wrong.found.clear();
    fs::remove_file(&b).unwrap();
    write(&b, &ours, [&ours.line_of(1, &wrong)]);
    let mut merge = merged(std::slice::from_ref(&a));
    let twice = merge.add(&b).unwrap_err();
    assert!(
        matches!(twice, PartError::TwoResults { unit: 1, .. }),
        "{twice}"
    );
    assert!(
        twice
            .to_string()
            .starts_with("unit 1 (cube 1) has two different results"),
        "{twice}"
    );
    assert!(merge.compare(1, &wrong).is_err());
    let right = ours.run(1, &mut || true).unwrap().unwrap();
    assert!(merge.compare(1, &right).is_ok());
    // what is told to stop has no result
    assert_eq!(
        ours.run(1, &mut || false).map(|result| result.is_some()),
        Ok(true)
    );
    let long = plan("search = 'osc'\nperiod = 3\nsize = '9x9'\ncubes = 0");
    assert_eq!(long.run(0, &mut || false), Ok(None));
}

#[test]
fn what_is_no_plan_is_refused() {
    let rows = [
        (
            "search = 'still'\nsize = '4'\ncubes = 2",
            "size = \"4\": expected columns",
        ),
        (
            "search = 'still'\nsize = '4x4'\ncubes = 30",
            "cubes is at most 20",
        ),
        (
            "search = 'still'\nsize = '4x4'\ncubes = 2\nperiod = 2",
            "period means nothing",
        ),
        (
            "search = 'ship'\nsize = '4x4'\ncubes = 2",
            "needs a velocity",
        ),
        (
            "search = 'still'\nsize = '4x4'\ncubes = 2\nmargin = 2",
            "margin means nothing",
        ),
        (
            "search = 'predecessor'\npattern = 'o!'\nsize = '4x4'\ncubes = 2",
            "size means nothing",
        ),
        ("search = 'predecessor'\ncubes = 2", "needs a pattern"),
        (
            "search = 'predecessor'\npattern = 'o!o!'\ncubes = 2",
            "a single generation",
        ),
        (
            "search = 'osc'\nsize = '4x4'\ncubes = 2\nrule = 'B3/S2x'",
            "rule: ",
        ),
        (
            "search = 'osc'\nsize = '4x4'\ncubes = 2\nengine = 'fast'",
            "engine: ",
        ),
        (
            "search = 'osc'\nsize = '4x4'\ncubes = 2\norder = 'fast'",
            "order = \"fast\": expected auto",
        ),
        (
            "search = 'osc'\nsize = '4x5'\ncubes = 2\nsymmetry = 'D8'",
            "D8 needs a square box",
        ),
    ];
    for (text, words) in rows {
        let refused = SearchPlan::new(text.parse().unwrap())
            .unwrap_err()
            .to_string();
        assert!(refused.contains(words), "{refused}");
    }
}
