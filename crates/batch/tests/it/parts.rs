//! Parts: any sharing out gives the same bytes; what is torn, twice, damaged or of another plan.

use batch::{CensusIdentity, CensusPlan, CensusStore, PartMerge, SoupRange, UnitPart, merge_part};
use census::{LongLivedSoup, OddSoup, UnitReport};
use dice::Dice;
use parts::{PartError, PartFile, UnitFault, UnitIndex, UnitSet};
use std::fs;
use std::path::{Path, PathBuf};

/// 43 units, of which the first and the last are short.
fn plan() -> CensusPlan {
    let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    CensusPlan::new(identity, SoupRange::new(7, 415), 10)
}

/// A made-up result that depends on the soups alone.
fn report(range: SoupRange) -> UnitReport {
    let mut report = UnitReport {
        first: range.first,
        soups: range.soups,
        ..UnitReport::default()
    };
    for index in range.first..range.end() {
        let mut dice = Dice::of_part(5, index);
        for _ in 0..3 {
            let code = format!("xs{}_{}", dice.below(4), dice.below(3));
            *report.tally.entry(code.clone()).or_default() += u64::from(dice.below(5));
            let samples = report.samples.entry(code).or_default();
            if samples.last() != Some(&index) && samples.len() < 10 {
                samples.push(index);
            }
        }
        let lifespan = u64::from(dice.below(900));
        *report.lifespans.entry(lifespan / 100).or_default() += 1;
        report.lifespan_sum += lifespan;
        report.long_lived.push(LongLivedSoup {
            index,
            lifespan,
            population: 3,
        });
        if dice.below(9) == 0 {
            let what = "growing".into();
            report.odd.push(OddSoup { index, what });
        }
    }
    report
        .long_lived
        .sort_by_key(|soup| (u64::MAX - soup.lifespan, soup.index));
    report
}

fn unit(plan: &CensusPlan, number: u64) -> UnitPart {
    UnitPart::new(plan, report(plan.unit(number).unwrap())).unwrap()
}

fn write(path: &Path, plan: &CensusPlan, numbers: impl IntoIterator<Item = u64>) {
    let mut file = PartFile::open(path, plan).unwrap();
    for number in numbers {
        file.append(unit(plan, number).line()).unwrap();
    }
}

fn merged(files: &[PathBuf]) -> PartMerge {
    let mut merge = PartMerge::new();
    for file in files {
        merge.add(file).unwrap();
    }
    merge
}

fn finished(folder: &Path, plan: &CensusPlan) -> UnitSet {
    UnitIndex::of_folder(folder, plan).unwrap().units()
}

#[test]
fn any_sharing_out_gives_the_same_bytes_and_the_totals_of_a_store() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.gpart");
    write(&whole, &plan, 0..plan.units());
    let mut by_parts = CensusStore::in_memory().unwrap();
    assert_eq!(merge_part(&mut by_parts, &whole).unwrap(), 43);
    let whole = merged(&[whole]);
    assert!(whole.missing().is_empty());
    for seed in 0..4 {
        let mut dice = Dice::new(seed);
        let mut numbers: Vec<u64> = (0..plan.units()).collect();
        dice.shuffle(&mut numbers);
        let mut files: Vec<PathBuf> = Vec::new();
        while !numbers.is_empty() {
            // some units are twice there
            let count = (1 + dice.below(20) as usize).min(numbers.len());
            let path = folder.path().join(format!("{seed}-{}.gpart", files.len()));
            write(&path, &plan, numbers[..count].iter().copied());
            numbers.drain(..count - usize::from(count > 1 && dice.coin()));
            files.push(path);
        }
        dice.shuffle(&mut files);
        assert_eq!(merged(&files).result(), whole.result(), "{seed}");
    }
    let mut store = CensusStore::in_memory().unwrap();
    let census = store.open_census(plan.identity()).unwrap();
    for number in 0..plan.units() {
        let unit = unit(&plan, number);
        store.insert(census, unit.report(), 0.0).unwrap();
    }
    assert_eq!(whole.totals(), store.totals().unwrap());
    assert_eq!(whole.totals(), by_parts.totals().unwrap());
    let samples = store.census_samples(census).unwrap();
    let head = format!(
        "{{\"plan\":{},\n\"digest\":\"{}\",\n\"units\":43,",
        plan.line(),
        plan.digest()
    );
    assert!(whole.result().starts_with(&head));
    let words: serde_json::Value = serde_json::from_str(&whole.result()).unwrap();
    assert_eq!(words["samples"], serde_json::json!(samples));
    assert_eq!(words["tally"], serde_json::json!(whole.totals().tally));
}

/// A part that is cut at any byte, as by `kill -9`, has the units before, and goes on.
#[test]
fn a_torn_line_is_not_there() {
    let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    let plan = CensusPlan::new(identity, SoupRange::new(0, 3), 1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1-of-1.gpart");
    write(&path, &plan, 0..3);
    let bytes = fs::read(&path).unwrap();
    let result = merged(std::slice::from_ref(&path)).result();
    let mut dice = Dice::new(1);
    for _ in 0..12 {
        let length = dice.below(bytes.len() as u32) as usize;
        fs::write(&path, &bytes[..length]).unwrap();
        let lines = bytes[..length]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        let merge = merged(std::slice::from_ref(&path));
        assert_eq!(merge.units().count(), lines.saturating_sub(1) as u64);
        let missing = finished(folder.path(), &plan).missing(3);
        write(
            &path,
            &plan,
            missing.runs().iter().flat_map(|run| run.0..=run.1),
        );
        assert_eq!(fs::read(&path).unwrap(), bytes, "{length}");
        assert_eq!(merged(std::slice::from_ref(&path)).result(), result);
    }
}

#[test]
fn two_results_for_a_unit_are_refused_and_both_files_named() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.gpart", "b.gpart"].map(|name| folder.path().join(name));
    write(&a, &plan, [3, 4]);
    let mut other = report(plan.unit(4).unwrap());
    other.lifespan_sum += 1;
    let other = UnitPart::new(&plan, other).unwrap();
    let mut file = PartFile::open(&b, &plan).unwrap();
    file.append(other.line()).unwrap();
    let mut merge = merged(std::slice::from_ref(&a));
    let refused = merge.add(&b).unwrap_err().to_string();
    let expected = format!(
        "unit 4 (soups 40 to 49) has two different results: in {} and in {}",
        a.display(),
        b.display()
    );
    assert_eq!(refused, expected);
    assert!(merge.compare(&other).is_err());
    assert!(merge.compare(&unit(&plan, 4)).is_ok());
}

#[test]
fn parts_of_other_plans_and_damaged_lines_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&path("a.gpart"), &plan(), [0]);
    let identity = |rule: &str, version: &str| CensusIdentity {
        version: version.into(),
        ..CensusIdentity::new(rule, "C1", "seed", "exact")
    };
    let ours = plan().identity().version.clone();
    let rows = [
        (
            identity("b36s23", &ours),
            415,
            "the rule of this part is b36s23, and not b3s23 as in",
        ),
        (
            identity("b3s23", "gridpaper-1"),
            415,
            "the version of this part is gridpaper-1",
        ),
        (
            identity("b3s23", &ours),
            400,
            "the number of soups of this part is 400",
        ),
    ];
    for (i, (identity, soups, words)) in rows.into_iter().enumerate() {
        let other = CensusPlan::new(identity, SoupRange::new(7, soups), 10);
        let path = path(&format!("other{i}.gpart"));
        write(&path, &other, [0]);
        let mut merge = merged(&[folder.path().join("a.gpart")]);
        let refused = merge.add(&path).unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
        assert!(refused.to_string().contains("a.gpart"), "{refused}");
        assert!(PartFile::open(&path, &plan()).is_err());
    }
    let text = fs::read_to_string(path("a.gpart")).unwrap();
    let damaged = [
        (
            text.replace("\"first\":7", "\"first\":8"),
            "line 2 is damaged: its digest is another",
        ),
        (format!("{text}x\n"), "line 3 is damaged: it has no digest"),
        ("notes\n".into(), "this is no part"),
    ];
    for (text, words) in damaged {
        fs::write(path("damaged.gpart"), text).unwrap();
        let refused = PartMerge::new().add(&path("damaged.gpart")).unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
    }
}

#[test]
fn a_part_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1-of-2.gpart");
    let first = PartFile::open(&path, &plan()).unwrap();
    let second = PartFile::open(&path, &plan());
    assert!(matches!(second, Err(PartError::Busy(_))));
    drop(first);
    assert!(PartFile::open(&path, &plan()).is_ok());
}

/// Writes all units of a plan of one soup each into files, one unit after the other.
fn write_quickly(plan: &CensusPlan, folder: &Path, files: u64) -> Vec<PathBuf> {
    let paths: Vec<PathBuf> = (0..files)
        .map(|file| folder.join(format!("{}-of-{files}.gpart", file + 1)))
        .collect();
    for (shard, path) in (0..).zip(&paths) {
        let mut text = plan.line() + "\n";
        for number in (shard..plan.units()).step_by(files as usize) {
            text += unit(plan, number).line();
            text += "\n";
        }
        fs::write(path, &text).unwrap();
    }
    paths
}

/// Units of one soup each, as many as a cluster's folder has.
#[test]
fn thousands_of_units_merge() {
    let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    let plan = CensusPlan::new(identity, SoupRange::new(0, 3000), 1);
    let folder = tempfile::tempdir().unwrap();
    let paths = write_quickly(&plan, folder.path(), 2);
    assert!(merged(&paths).missing().is_empty());
}

/// Prints how long a million units take; `/usr/bin/time -v` says what they take of memory.
#[test]
#[ignore = "a measurement of a minute: 10^6 units are written and merged"]
fn a_million_units_merge() {
    let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    let plan = CensusPlan::new(identity, SoupRange::new(0, 1_000_000), 1);
    let folder = tempfile::tempdir().unwrap();
    let paths = write_quickly(&plan, folder.path(), 64);
    let bytes: u64 = paths
        .iter()
        .map(|path| path.metadata().unwrap().len())
        .sum();
    let begun = std::time::Instant::now();
    let merge = merged(&paths);
    let seconds = begun.elapsed().as_secs_f64();
    println!("10^6 units, {bytes} bytes: {seconds:.1} s");
    assert!(merge.missing().is_empty());
    assert_eq!(merge.totals().soups, 1_000_000);
}

/// A unit that cannot be counted is told, and forgotten once somebody has counted it.
#[test]
fn a_unit_that_cannot_be_counted_says_why() {
    let plan = plan();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gpart");
    write(&path, &plan, [3, 4]);
    let faults = [(4, "lost"), (5, "out of memory")];
    let mut file = PartFile::open(&path, &plan).unwrap();
    for (number, problem) in faults {
        let fault = UnitFault::new(&plan, number, problem).unwrap();
        file.append(fault.line()).unwrap();
    }
    drop(file);
    let merge = merged(std::slice::from_ref(&path));
    assert_eq!(merge.faults().collect::<Vec<_>>(), faults[1..]);
    assert_eq!(merge.units().to_string(), "3-4");
    assert_eq!(finished(folder.path(), &plan).count(), 2);
    // what is counted does not depend on what could not be
    write(&path, &plan, [5]);
    let merge = merged(std::slice::from_ref(&path));
    assert_eq!(merge.faults().count(), 0);
    let other = folder.path().join("b.gpart");
    write(&other, &plan, [5, 4, 3]);
    assert_eq!(merge.result(), merged(&[other]).result());
}
