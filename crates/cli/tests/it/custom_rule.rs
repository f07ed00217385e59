//! Rules of one's own, from their files.

use super::{CliTestFolder, json, with_input};

/// A place is given, since the built-in rule's maps start at the board's corner else.
const SOUP: &str = "#CXRLE Pos=-5,-3\nx = 10, y = 4\n2ob3obo$obob2o2bo$b3o2bob2o$5o2bo!";

#[test]
fn a_rule_of_ones_own_is_read_from_its_file() {
    let folder = CliTestFolder::new();
    let text = include_str!("../../../../rules/my-weighted.gridrule");
    let path = folder.write("mine.gridrule", text);
    let run = |rule: &str| {
        let rules = folder.path("");
        let line = ["run", SOUP, "--rule", rule, "--rules", &rules, "--json"];
        json(&[&line[..], &["--gens", "20", "--size", "40x40"]].concat())
    };
    let (own, built_in) = (run(&path), run("weighted"));
    assert_eq!(own["hash"], built_in["hash"]);
    assert_eq!(own["population"], 89);
    let torus = run(&format!("{path}:T40,40"));
    assert_eq!(torus["rule"], "my-weighted:T40,40");
    // found by its name, as the files of other rules are
    folder.write("my-weighted.gridrule", text);
    assert_eq!(run("my-weighted")["hash"], built_in["hash"]);
}

#[test]
fn a_pattern_leads_to_no_path() {
    let folder = CliTestFolder::new();
    let text = include_str!("../../../../rules/my-weighted.gridrule");
    let path = folder.write("mine.gridrule", text);
    let pattern = format!("x = 1, y = 1, rule = {path}\no!");
    let output = with_input(&["run", "-", "--gens", "1"], pattern.as_bytes());
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn its_faults_are_told_with_their_place_and_a_hint() {
    let folder = CliTestFolder::new();
    let text = include_str!("../../../../rules/my-weighted.gridrule");
    let wrong = text.replace("count(alive)", "count(alife)");
    let path = folder.write("wrong.gridrule", wrong);
    let output = with_input(&["run", SOUP, "--rule", &path, "--gens", "1"], b"");
    let talk = super::text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    let fault = "wrong.gridrule:19:17: nothing is called `alife`";
    assert!(talk.contains(fault), "{talk}");
    assert!(talk.contains("hint: did you mean `alive`?"), "{talk}");

    let output = with_input(
        &["run", SOUP, "--rule", "gone.gridrule", "--gens", "1"],
        b"",
    );
    let talk = super::text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(talk.contains("gone.gridrule: no such file"), "{talk}");
}

#[test]
fn the_worked_example_of_the_documents_runs_as_told() {
    let page = include_str!("../../../../docs/rules-of-your-own.md");
    let text = page.split("```\n").nth(1).unwrap();
    let folder = CliTestFolder::new();
    let rule = folder.write("wood-fire.gridrule", text);
    let after = |pattern: &str, generations: &str| {
        let line = ["run", pattern, "--rule", &rule, "--gens", generations];
        super::out(&[&line[..], &["--out", "-"]].concat())
    };
    let told = page.lines().filter_map(|line| line.strip_prefix("    "));
    let told: String = told.skip_while(|line| *line != "2AB2A$").take(5).collect();
    let small = "5A$5A$2AB2A$5A$5A!";
    assert!(page.contains(small));
    assert!(after(small, "2").contains(&told), "{told}");
    assert!(after(small, "6").contains("5o$5o$5o$5o$5o!"));
    let large = "12A$12A$12A$12A$12A$6B6A$6C6A$12A$12A$12A$12A$12A!";
    assert!(page.contains(large));
    let wood = after(large, "10^6");
    let cells = wood.split("wood-fire\n").nth(1).unwrap();
    assert!(cells.contains('B'), "the fire is out: {wood}");
}
