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
