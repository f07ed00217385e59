//! Rules of one's own, from their files.

use super::{Folder, json, with_input};

/// A place is given, since the built-in rule's maps start at the board's corner else.
const SOUP: &str = "#CXRLE Pos=-5,-3\nx = 10, y = 4\n2ob3obo$obob2o2bo$b3o2bob2o$5o2bo!";

#[test]
fn a_rule_of_ones_own_is_read_from_its_file() {
    let folder = Folder::new();
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
fn its_faults_are_told_with_their_place_and_a_hint() {
    let folder = Folder::new();
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
