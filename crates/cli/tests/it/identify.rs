//! `gridpaper identify`.

use crate::{CliTestCase, CliTestFolder, json, out, text, with_input};
use serde_json::json as value;

#[test]
fn patterns_of_every_kind_are_identified() {
    let rows = [
        ("xs4_33", "still_life", "block"),
        ("xp2_7", "oscillator", "blinker"),
        ("xq4_153", "spaceship", "glider"),
    ];
    for (pattern, kind, name) in rows {
        let found = json(&["identify", pattern, "--json"]);
        assert_eq!(
            (&found["kind"], &found["name"]),
            (&kind.into(), &name.into())
        );
        assert_eq!(found["apgcode"], pattern);
    }
    for (pattern, kind) in [
        ("b!", "empty"),
        ("diehard", "dies"),
        ("r-pentomino", "methuselah"),
        ("gosper-glider-gun", "gun"),
    ] {
        assert_eq!(
            json(&["identify", pattern, "--json"])["kind"],
            kind,
            "{pattern}"
        );
    }
}

#[test]
fn what_has_no_meaning_is_absent_and_not_null() {
    let pulsar = json(&["identify", "pulsar", "--json"]);
    assert_eq!(pulsar["period"], 3);
    assert_eq!(pulsar["mod"], 3);
    assert_eq!(pulsar["box"], value!({"width": 15, "height": 15}));
    assert_eq!(pulsar["period_map"], value!({"1": 24, "3": 64}));
    assert_eq!(pulsar["population"]["max"], 72);
    let fields = pulsar.as_object().unwrap();
    assert!(fields.values().all(|field| !field.is_null()));
    for absent in ["dx", "speed", "lifespan", "census", "pseudo_parts", "parts"] {
        assert!(!fields.contains_key(absent), "{absent}");
    }
    let ship = json(&["identify", "xq4_6frc", "--json"]);
    assert_eq!(ship["speed"], "2c/4 = c/2");
    assert!(ship.get("volatility").is_none());
}

#[test]
fn what_settles_is_told_with_what_is_left() {
    let ash = json(&["identify", "bo$2o$b2o!", "--json"]);
    assert_eq!(
        (&ash["lifespan"], &ash["final_population"]),
        (&1103.into(), &116.into())
    );
    let left = &ash["census"];
    assert_eq!((&left["xs4_33"], &left["xq4_153"]), (&8.into(), &6.into()));
    let card = out(&["identify", "r-pentomino"]);
    for line in ["methuselah", "8 block", "6 glider"] {
        assert!(card.contains(line), "{card}");
    }
    // the same objects as the census counts of the soup
    let soup = json(&["identify", "C1/census_seed_a17", "--json"]);
    let counted = json(&["census", "explain", "census_seed_a", "17", "--json"]);
    assert_eq!(soup["census"], counted["counts"]);
    assert_eq!(soup["lifespan"], counted["lifespan"]);
}

/// The words of a command as a shell takes them.
fn shell_words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for c in command.chars() {
        match c {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

#[test]
fn what_repeats_comes_with_the_search_that_finds_it_again() {
    for (line, code) in [
        (&["xs7_2596"][..], "xs7_2596"),
        (&["xp2_318c"], "xp2_318c"),
        (&["xp5_idiidiz01w1"], "xp5_idiidiz01w1"),
        (&["bo$2bo$3o!"], "xq4_153"),
        (&["xp10_9hr", "--rule", "B36/S23"], "xp10_9hr"),
    ] {
        let line = [&["identify"], line, &["--json"]].concat();
        let found = json(&line);
        let commands = found["search"].as_array().unwrap();
        let again = shell_words(commands[0].as_str().unwrap());
        let again: Vec<&str> = again.iter().map(String::as_str).skip(1).collect();
        let searched = json(&[&again[..], &["--json"]].concat());
        assert_eq!(searched["apgcode"], code, "{again:?}");
    }
    let parents = json(&["identify", "xs4_33", "--json"])["search"][1].clone();
    assert_eq!(parents, "gridpaper search predecessor xs4_33");
    let line = shell_words(parents.as_str().unwrap());
    let line: Vec<&str> = line.iter().map(String::as_str).skip(1).collect();
    assert!(out(&line).contains("x = "));
    assert!(
        out(&["identify", "xp2_7"])
            .contains("gridpaper search osc --period 1 --transform 'F\\' --size 3x3")
    );
    let grid = json(&["identify", "xs4_33", "--rule", "B3/S23:T20,20", "--json"]);
    let far = [
        "identify",
        "bo$2bo$3o!",
        "--rule",
        "R5,C2,M1,S34..58,B34..45,NM",
        "--json",
    ];
    let wide = with_input(&far, b"");
    let wide = serde_json::from_str(&text(&wide.stdout)).unwrap();
    for found in [grid, wide] {
        assert!(found.get("search").is_none(), "{found}");
    }
}

#[test]
fn parts_are_identified_by_themselves() {
    let found = json(&["identify", "xs12_6960696", "--parts", "--json"]);
    let parts = found["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2);
    assert!(parts.iter().all(|part| part["name"] == "beehive"));
    assert_eq!(found["pseudo_parts"][0]["count"], 2);
}

#[test]
fn maps_are_drawn_of_what_repeats() {
    let folder = CliTestFolder::new();
    let [svg, png, txt] = ["a.svg", "a.png", "a.txt"].map(|name| folder.path(name));
    out(&["identify", "beacon", "--map", &svg]);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    assert!(
        drawn.contains("period 2: 2") && drawn.contains("period 1: 6"),
        "{drawn}"
    );
    out(&["identify", "beacon", "--map", &png, "--map-kind", "heat"]);
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    out(&["identify", "xp2_318c", "--map", &txt]);
    assert_eq!(
        std::fs::read_to_string(&txt).unwrap(),
        "11..\n12..\n..21\n..11\n"
    );
    for (line, code) in [
        (["identify", "acorn", "--map", &svg], 1),
        (["identify", "beacon", "--map", "a.gif"], 2),
    ] {
        let output = with_input(&line, b"");
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
    }
    let again = std::fs::read_to_string(&svg).unwrap();
    assert_eq!(again, drawn);
    out(&["identify", "bo$2bo$3o!", "--map", &txt]);
    assert_eq!(
        std::fs::read_to_string(&txt).unwrap(),
        "generation 0\n.O..\n..O.\nOOO.\n....\n\
         generation 1\n....\nO.O.\n.OO.\n.O..\n\
         generation 2\n....\n..O.\nO.O.\n.OO.\n\
         generation 3\n....\n.O..\n..OO\n.OO.\n\
         generation 4: as at first, moved by (1, 1)\n"
    );
    out(&["identify", "lwss", "--map", &svg]);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("generation 3") && drawn.contains("marker-end"));
    out(&["identify", "lwss", "--map", &png]);
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn what_is_not_found_within_the_limits_is_said() {
    let output = with_input(&["identify", "acorn", "--max-gens", "300"], b"");
    let (card, talk) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{talk}");
    assert!(card.starts_with("kind"), "{card}");
    assert!(
        talk.contains("not identified") && talk.contains("hint: --max-gens"),
        "{talk}"
    );
    CliTestCase {
        line: &["identify", "no-such-pattern"],
        input: "",
        code: 2,
        out: &[],
        talk: &["no-such-pattern: no such file"],
    }
    .check();
}

#[test]
fn codes_of_other_objects_are_refused() {
    for (line, talk) in [
        (&["xs4_0"][..], "xs4_0: it decodes to no cells"),
        (&["ov_p30"][..], "ov_p30: an apgcode that tells no cells"),
        (
            &["xs5_33"],
            "xs5_33: it decodes to another object: the still life xs4_33",
        ),
        (&["xp3_7"], "the oscillator xp2_7"),
        (&["xp10_9hr"], "xp10_9hr: it decodes to another object"),
        (&["xs2_3"], "a pattern of the kind dies"),
    ] {
        CliTestCase {
            line: &[&["identify"], line].concat(),
            input: "",
            code: 2,
            out: &[],
            talk: &[talk],
        }
        .check();
    }
    assert_eq!(json(&["identify", "xs0_0", "--json"])["kind"], "empty");
    // a code that is not the canonical one, of the same object
    let beehive = json(&["identify", "xs6_2552", "--json"]);
    assert_eq!(beehive["apgcode"], "xs6_696");
    json(&["identify", "xp10_9hr", "--rule", "B36/S23", "--json"]);
}
