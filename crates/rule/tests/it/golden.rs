//! Cases made with other programs, when the folder is there (`GRIDPAPER_DATA`).

use crate::sheet::RuleTestGrid;
use rule::Rule;
use serde_json::Value;

/// The cases of a file of the data folder, where that is there.
#[track_caller]
pub(crate) fn cases(name: &str) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(prerequisite::data(name)?).expect("it can be read");
    Some(serde_json::from_str(&text).expect("the cases are JSON"))
}

#[test]
fn golly_agrees() {
    let Some(cases) = cases("golden_rules.json") else {
        return;
    };
    let (mut wrong, mut done) = (Vec::new(), 0);
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        // other families; but two rule files are of rules that have a name here
        let named = ["ruleloader_Life", "ruleloader_BriansBrain"].contains(&name);
        if !named && name.starts_with("ruleloader_") {
            continue;
        }
        done += 1;
        if let Err(why) = check(case) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(done > 200, "only {done} cases");
    assert!(
        wrong.is_empty(),
        "{} of {done}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn lifeviewer_agrees() {
    let Some(cases) = cases("golden_more_rules.json") else {
        return;
    };
    let (mut wrong, mut done) = (Vec::new(), 0);
    for case in &cases {
        let name = case["rule"].as_str().unwrap();
        if let Err(error) = name.parse::<Rule>()
            && error.to_string().contains("not taken yet")
        {
            continue;
        }
        done += 1;
        if let Err(why) = check(case) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(done > 40, "only {done} cases");
    assert!(
        wrong.is_empty(),
        "{} of {done}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_rules_of_real_patterns_are_read() {
    let Some(cases) = cases("pattern_populations.json") else {
        return;
    };
    let (mut wrong, mut done) = (Vec::new(), 0);
    for text in cases.iter().filter_map(|case| case["rule"].as_str()) {
        match text.parse::<Rule>() {
            Ok(rule) => {
                done += 1;
                if rule.to_string().parse::<Rule>().ok() != Some(rule) {
                    wrong.push(text.to_string());
                }
            }
            // rules of their own files come later, and a few families
            Err(error) if error.is_unknown_name() => {}
            Err(error) if error.to_string().contains("not taken yet") => {}
            Err(error) => wrong.push(error.to_string()),
        }
    }
    assert!(done > 200, "only {done} rules");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_golly_rejects() {
    // everything is accepted but a letter that does not exist for the count
    let taken = [
        "B3/S23/G8",
        "B2/S345/C4",
        "B03/S23",
        "23V/2/4",
        "R1,C2,S2-4,B3,N3",
    ];
    assert!(taken.iter().all(|text| text.parse::<Rule>().is_ok()));
    assert!("B4z5y6n/S3t4wqjr".parse::<Rule>().is_err());
}

fn check(case: &Value) -> Result<(), String> {
    let rule: Rule = case["rule"]
        .as_str()
        .unwrap()
        .parse()
        .map_err(|e| format!("{e}"))?;
    if let Some(canonical) = case["canonical"].as_str() {
        let text = rule.with_topology(rule::Topology::Unbounded).to_string();
        if text != canonical {
            return Err(format!("is written {text}, expected {canonical}"));
        }
    }
    let printed: Rule = rule.to_string().parse().map_err(|e| format!("{e}"))?;
    if printed.to_string() != rule.to_string() {
        return Err(format!("{rule} is read back as {printed}"));
    }
    compare(rule, case)
}

/// Runs the pattern of a case, and returns the differences from the expected result.
pub(crate) fn compare(rule: Rule, case: &Value) -> Result<(), String> {
    let mut sheet = RuleTestGrid::new(rule, case["input_rle"].as_str().unwrap());
    for check in case["checks"].as_array().unwrap() {
        let generation = check["gen"].as_u64().unwrap();
        while sheet.generation < generation {
            sheet.step();
        }
        let fail = |what: &str, is: String, wanted: String| {
            Err(format!(
                "generation {generation}: {what} is {is}, expected {wanted}"
            ))
        };
        let (is, wanted) = (
            sheet.cells.len() as u64,
            check["population"].as_u64().unwrap(),
        );
        if is != wanted {
            return fail("population", is.to_string(), wanted.to_string());
        }
        if let Some(wanted) = check["bbox_ltrb"].as_array() {
            let wanted: Vec<i64> = wanted.iter().filter_map(Value::as_i64).collect();
            let is = sheet.bounds().map(|b| b.to_vec());
            if is.as_ref().is_some_and(|is| is != &wanted) {
                return fail("box", format!("{is:?}"), format!("{wanted:?}"));
            }
        }
        if let Some(rle) = check["rle"].as_str() {
            let (left, top) = sheet.bounds().map_or((0, 0), |b| (b[0], b[1]));
            let wanted = RuleTestGrid::read(rle, left, top).0;
            if wanted != sheet.cells {
                return fail("picture", "another".into(), rle.into());
            }
        }
        if let Some(cells) = check["cells"].as_array() {
            // told from the pattern's own corner, in bounded grids too
            let corner = sheet.corner;
            let cell = |c: &Value| {
                let at = |i: usize| c[i].as_i64().unwrap() + corner[i];
                ((at(1), at(0)), c[2].as_u64().unwrap() as u8)
            };
            let wanted = cells.iter().map(cell).collect();
            if sheet.cells != wanted {
                return fail("picture", "another".into(), format!("{wanted:?}"));
            }
        }
    }
    Ok(())
}
