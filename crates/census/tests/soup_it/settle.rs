//! Soups that have settled, against counts of apgsearch soup by soup.

use crate::runner;
use census::SettlingMethod;
use std::collections::BTreeMap;

#[test]
fn soups_leave_what_apgsearch_counts() {
    let golden = include_str!("../data/soups/per_soup_seed_a_0_199.txt");
    for settling in [SettlingMethod::Apgsearch, SettlingMethod::Exact] {
        let mut runner = runner("B3/S23", "C1", settling);
        for (index, line) in (0..).zip(golden.lines()) {
            let report = runner.run(index, 1, &mut |_| true).unwrap();
            let mut found = format!("SOUP {index}");
            for (code, count) in report.tally {
                found += &format!(" {code}:{count}");
            }
            assert_eq!(found, line);
        }
    }
}

#[test]
fn exact_settling_differs_where_readings_stop_too_early() {
    let golden = include_str!("../data/soups/exact_differences_seed_a.txt");
    let mut by_readings = runner("B3/S23", "C1", SettlingMethod::Apgsearch);
    let mut exactly = runner("B3/S23", "C1", SettlingMethod::Exact);
    for line in golden.lines() {
        let index = line.split(' ').nth(1).unwrap().parse().unwrap();
        let mut differences: BTreeMap<String, i64> = BTreeMap::new();
        for (code, count) in exactly.run(index, 1, &mut |_| true).unwrap().tally {
            *differences.entry(code).or_default() += count as i64;
        }
        for (code, count) in by_readings.run(index, 1, &mut |_| true).unwrap().tally {
            *differences.entry(code).or_default() -= count as i64;
        }
        let mut found = format!("DIFF {index}");
        for (code, difference) in differences {
            if difference != 0 {
                found += &format!(" {code}:{difference:+}");
            }
        }
        assert_eq!(found, line.trim_end());
    }
}

#[test]
fn an_explanation_gives_the_objects_their_places() {
    let mut runner = runner("B3/S23", "C1", SettlingMethod::Exact);
    let explanation = runner.explain(535);
    assert_eq!(explanation.odd, None);
    let boats = explanation.objects.iter().flat_map(|object| &object.codes);
    // one of them beside a blinker, where apgsearch's short cut sees a glider
    assert_eq!(boats.filter(|(code, _)| code == "xs5_253").count(), 2);
    let cells: u64 = explanation
        .objects
        .iter()
        .map(|o| o.cells.population())
        .sum();
    assert_eq!(cells, explanation.population);
}
