//! `.rule` files as people have them, when the folder is there (`GRIDPAPER_DATA`).

use crate::golden::{cases, compare};
use dice::Dice;
use rule::{Rule, RuleAppearance, RuleFileError, Site};
use std::time::{Duration, Instant};

/// The file of a rule in the data folder, where that is there.
#[track_caller]
fn read(name: &str) -> Option<String> {
    let file = prerequisite::data(format!("rules/{name}.rule"))?;
    Some(std::fs::read_to_string(file).expect("it can be read"))
}

#[test]
fn golly_agrees_on_rules_of_files() {
    let Some(cases) = cases("golden_rules.json") else {
        return;
    };
    let mut done = 0;
    let mut wrong = Vec::new();
    for case in &cases {
        let name = case["rule"].as_str().unwrap();
        let of_file = case["name"].as_str().unwrap().starts_with("ruleloader_");
        if !of_file {
            continue;
        }
        let Some(text) = read(name) else { continue };
        done += 1;
        let rule = Rule::from_file(&text).unwrap_or_else(|e| panic!("{name}:{e}"));
        if let Err(why) = compare(rule, case) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(done > 12, "only {done} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_is_read() {
    let Some(folder) = prerequisite::data("rules") else {
        return;
    };
    let files = std::fs::read_dir(folder).unwrap();
    let mut slowest = (Duration::ZERO, String::new());
    let mut done = 0;
    for file in files {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let start = Instant::now();
        let rule = Rule::from_file(&text);
        let took = start.elapsed();
        match rule {
            Ok(rule) => {
                done += 1;
                assert!(
                    text.contains("@COLORS") <= rule.appearance().is_some(),
                    "{name}"
                );
                if took > slowest.0 {
                    slowest = (took, name.to_string());
                }
                if std::env::var_os("GRIDPAPER_TIMES").is_some() {
                    eprintln!("{took:9.1?} {name}");
                }
            }
            Err(RuleFileError { line, problem, .. }) => panic!("{name}:{line}: {problem}"),
        }
        RuleAppearance::read(&text).unwrap();
    }
    eprintln!("{done} files, the slowest {} in {:?}", slowest.1, slowest.0);
    assert!(done > 50, "only {done} files");
}

/// A field of cells, row by row, on a torus.
type TorusField = Vec<Vec<u8>>;

fn stepped(rule: &Rule, generation: u64, field: &TorusField) -> TorusField {
    let (width, height) = (field[0].len() as i32, field.len() as i32);
    let next = |x: i32, y: i32| {
        let site = Site {
            generation,
            x: x.into(),
            y: y.into(),
        };
        let at = |dx: i32, dy: i32| {
            field[(y + dy).rem_euclid(height) as usize][(x + dx).rem_euclid(width) as usize]
        };
        rule.next(site, at)
    };
    (0..height)
        .map(|y| (0..width).map(|x| next(x, y)).collect())
        .collect()
}

/// The next state of a block in a file that emulates blocks by twice as many states: an odd one
/// where a cell's own layer is 0, an even one where it is 1. The layer has its 0 at the top
/// left of each block.
fn emulated_block(file: &Rule, block: [u8; 4]) -> [u8; 4] {
    let cell = |x: usize, y: usize| 1 + u8::from(x % 2 + y % 2 > 0) + 2 * block[x % 2 + y % 2 * 2];
    let field: TorusField = (0..4)
        .map(|y| (0..4).map(|x| cell(x, y)).collect())
        .collect();
    let next = stepped(file, 0, &field);
    [0, 1, 2, 3].map(|place| (next[place / 2][place % 2] - 1) / 2)
}

/// Tables written by hand, and the file that plays the same rule on ordinary cells.
const BLOCKS: [(&str, &str); 4] = [
    (
        "BBM-Margolus-emulated",
        "n_states:2\nneighborhood:Margolus\nsymmetries:rotate4reflect\n\
         1,0,0,0 : 0,0,0,1\n1,0,0,1 : 0,1,1,0\n",
    ),
    (
        "HPPMargolus_emulated",
        "n_states:2\nneighborhood:Margolus\nsymmetries:rotate4\n\
         1,0,0,0 : 0,0,0,1\n1,1,0,0 : 0,0,1,1\n1,0,0,1 : 0,1,1,0\n1,1,1,0 : 0,1,1,1\n",
    ),
    (
        "TripATronMargolus_emulated",
        "n_states:2\nneighborhood:Margolus\nsymmetries:none\n\
         0,0,0,0 : 1,1,1,1\n1,1,1,1 : 0,0,0,0\n",
    ),
    (
        "CrittersMargolus_emulated",
        "n_states:2\nneighborhood:Margolus\nsymmetries:rotate4\n\
         0,0,0,0 : 1,1,1,1\n1,1,1,1 : 0,0,0,0\n1,0,0,0 : 0,1,1,1\n0,1,1,1 : 0,0,0,1\n",
    ),
];

#[test]
fn blocks_by_hand_do_what_the_emulating_files_do() {
    for (name, table) in BLOCKS {
        let Some(text) = read(name) else { return };
        let file = Rule::from_file(&text).unwrap();
        let blocks = Rule::from_file(&format!("@RULE {name}\n@TABLE\n{table}")).unwrap();
        for number in 0..16_u8 {
            let block = [0, 1, 2, 3].map(|bit| number >> bit & 1);
            let becomes = emulated_block(&file, block);
            // a plane that fills is shown relative to what it is
            let (now, next) = (blocks.background(0), blocks.background(1));
            let field: TorusField = (0..2)
                .map(|y| (0..2).map(|x| block[x + 2 * y] ^ now).collect())
                .collect();
            let got = stepped(&blocks, 0, &field).concat();
            let got: Vec<u8> = got.iter().map(|cell| cell ^ next).collect();
            assert_eq!(got, becomes, "{name}: {block:?}");
        }
    }
}

/// The whole of an emulating file as a table of blocks, and both of them run side by side:
/// the blocks have to move alike too.
#[test]
fn blocks_move_as_in_the_emulating_files() {
    // the emulation's blocks have their 0 at the top left where it has one a block
    for (name, neighbourhood, states) in [
        ("Sand-Margolus-emulated", "Margolus", 4_u8),
        ("Sand-square4cyclic_emulated", "square4_cyclic", 4),
        ("DLA-Margolus-emulated", "Margolus", 3),
        ("TMGasMargolus_emulated", "Margolus", 4),
        ("BBM-Margolus-emulated", "Margolus", 2),
    ] {
        let Some(text) = read(name) else { return };
        let file = Rule::from_file(&text).unwrap();
        let mut table = format!(
            "@RULE X\n@TABLE\nn_states:{states}\nneighborhood:{neighbourhood}\nsymmetries:none\n"
        );
        for number in 0..u32::from(states).pow(4) {
            let block =
                [0, 1, 2, 3].map(|i| (number / u32::from(states).pow(i) % u32::from(states)) as u8);
            let becomes = emulated_block(&file, block);
            let row: Vec<String> = block.iter().chain(&becomes).map(u8::to_string).collect();
            table += &format!("{}\n", row.join(","));
        }
        let blocks = Rule::from_file(&table).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut chance = Dice::new(9);
        let mut field: TorusField = (0..8)
            .map(|_| (0..8).map(|_| chance.below(states.into()) as u8).collect())
            .collect();
        let layered = |field: &TorusField| -> TorusField {
            let cell = |x: usize, y: usize| 1 + u8::from(x % 2 + y % 2 > 0) + 2 * field[y][x];
            (0..8)
                .map(|y| (0..8).map(|x| cell(x, y)).collect())
                .collect()
        };
        let mut emulated = layered(&field);
        let mut moved = 0;
        for generation in 0..32 {
            let next = stepped(&blocks, generation, &field);
            moved += u32::from(next != field);
            field = next;
            emulated = stepped(&file, 0, &emulated);
            let shown: TorusField = emulated
                .iter()
                .map(|row| row.iter().map(|state| (state - 1) / 2).collect())
                .collect();
            assert_eq!(shown, field, "{name} after {} generations", generation + 1);
        }
        assert!(moved > 4, "{name}");
    }
}
