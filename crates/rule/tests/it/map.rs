//! MAP rules compared with Golly: its results for random ones, in a table (`cargo xtask maps`).

use crate::sheet::RuleTestGrid;
use rule::Rule;

/// The table that `GRIDPAPER_MAPS` names, or else the one that is kept.
fn table() -> String {
    match std::env::var_os("GRIDPAPER_MAPS") {
        Some(file) => std::fs::read_to_string(file).expect("GRIDPAPER_MAPS names a table"),
        None => include_str!("map_golly.txt").into(),
    }
}

#[test]
fn golly_agrees() {
    let table = table();
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<&str> = rows.collect();
    for digits in [86, 22, 6] {
        let rule = |row: &&&str| row.starts_with("MAP") && row.find(' ') == Some(3 + digits);
        let done = rows.iter().filter(rule).count();
        assert!(done >= 40, "only {done} rules of {digits} digits");
    }
    let wrong: Vec<String> = rows.iter().filter_map(|row| check(row).err()).collect();
    let (wrong, count) = (wrong.join("\n"), wrong.len());
    assert!(wrong.is_empty(), "{count} of {}:\n{wrong}", rows.len());
    println!("{} rules agree", rows.len());
}

fn check(row: &str) -> Result<(), String> {
    let [text, soup, populations, last] = row.split(' ').collect::<Vec<_>>()[..] else {
        panic!("not four words: {row}");
    };
    let rule: Rule = text.parse().map_err(|error| format!("{error}"))?;
    if rule.to_string() != text {
        return Err(format!("{text} is written {rule}"));
    }
    let mut sheet = RuleTestGrid::new(rule, soup);
    for wanted in populations.split(',') {
        sheet.step();
        let is = sheet.cells.len();
        if is.to_string() != wanted {
            let generation = sheet.generation;
            return Err(format!("{text}: {is} cells at {generation}, not {wanted}"));
        }
    }
    let (left, top) = sheet
        .bounds()
        .map_or((0, 0), |corners| (corners[0], corners[1]));
    match RuleTestGrid::read(last, left, top).0 == sheet.cells {
        true => Ok(()),
        false => Err(format!("{text}: another picture at {}", sheet.generation)),
    }
}

/// An example that bgolly 3.3 and Golly 5.1b1 agree on.
#[test]
fn hexagonal_rows_are_read_from_below() {
    let soup = "2ob6obo$2obo3bob2o$bo2bobobo2bo$b2obo2b3obo$3ob4o2b2o$2bob2o2b2o$2bo4b2obo$3ob3o\
                $2ob3ob2obo$obo2b4o2bo$bo2bo2b5o$b2o7bo!";
    let mut sheet = RuleTestGrid::new("MAPESI0VniavN7wESI0Vnia8A".parse().unwrap(), soup);
    let mut populations = Vec::new();
    for _ in 0..4 {
        sheet.step();
        populations.push(sheet.cells.len());
    }
    assert_eq!(populations, [71, 63, 69, 76]);
}
