//! What does not repeat is run until it settles, or until its growth is known.
#![allow(clippy::unwrap_used)]

use census::{Identification, IdentifyOptions, ObjectCount, PatternKind, StateBox, identify};
use grid::Point;
use pattern::{Cells, Pattern};
use sha2::{Digest, Sha256};
use std::time::{Duration, Instant};

fn what_is(rule: &str, text: &str) -> Identification {
    let cells = match pattern::library::find(text) {
        Some(entry) => entry.pattern().cells,
        None => Pattern::from_text(text).unwrap().cells,
    };
    let options = IdentifyOptions::default();
    identify(&rule.parse().unwrap(), &cells, &options, &mut |_| true).unwrap()
}

/// Objects in words, the most frequent first, equal numbers by name.
fn in_words(objects: &[ObjectCount]) -> String {
    let mut counts: Vec<(u64, &str)> = Vec::new();
    for object in objects {
        counts.push((object.count, object.name.as_deref().unwrap_or(&object.code)));
    }
    counts.sort_by(|a, b| (b.0, a.1).cmp(&(a.0, b.1)));
    let counts = counts.iter().map(|(count, name)| format!("{count} {name}"));
    counts.collect::<Vec<_>>().join(", ")
}

#[test]
fn methuselahs_settle_into_their_ash() {
    for (name, lifespan, population, objects, census) in [
        (
            "r-pentomino",
            1103,
            116,
            25,
            "8 block, 6 glider, 4 beehive, 4 blinker, 1 boat, 1 loaf, 1 ship",
        ),
        (
            "acorn",
            5206,
            633,
            139,
            "41 blinker, 34 block, 30 beehive, 13 glider, 8 boat, 5 loaf, 3 ship, 2 barge, 2 pond, 1 mango",
        ),
        (
            "rabbits",
            17331,
            1744,
            402,
            "136 blinker, 109 block, 65 beehive, 40 glider, 18 boat, 18 loaf, 7 ship, 4 tub, 3 pond, 2 toad",
        ),
        ("b-heptomino", 148, 28, 6, "3 block, 2 glider, 1 ship"),
        ("pi-heptomino", 173, 55, 13, "6 block, 5 blinker, 2 pond"),
        ("herschel", 128, 24, 5, "2 block, 2 glider, 1 ship"),
        ("century", 103, 15, 4, "3 block, 1 blinker"),
        ("thunderbird", 243, 46, 10, "4 beehive, 4 blinker, 2 boat"),
    ] {
        let found = what_is("B3/S23", name);
        assert_eq!(found.kind, PatternKind::Methuselah, "{name}");
        assert_eq!(found.lifespan, Some(lifespan), "{name}");
        assert_eq!(found.final_population, Some(population), "{name}");
        assert_eq!(in_words(&found.census), census, "{name}");
        let count: u64 = found.census.iter().map(|object| object.count).sum();
        assert_eq!(count, objects, "{name}");
    }
}

#[test]
fn lidka_leaves_373_objects() {
    let found = what_is("B3/S23", "lidka");
    assert_eq!(
        (found.lifespan, found.final_population),
        (Some(29055), Some(1625))
    );
    let count: u64 = found.census.iter().map(|object| object.count).sum();
    assert_eq!(count, 373);
    let words = in_words(&found.census);
    for part in [
        "135 blinker, 102 block",
        "2 ship-tie",
        "1 beacon",
        "1 long boat",
        "1 toad",
    ] {
        assert!(words.contains(part), "{words}");
    }
}

#[test]
fn what_dies_and_what_settles_soon_are_told() {
    let found = what_is("B3/S23", "diehard");
    assert_eq!((found.kind, found.lifespan), (PatternKind::Dies, Some(130)));
    let found = what_is("B3/S23", "2o$o!"); // a block a generation later
    assert_eq!(
        (found.kind, found.generation),
        (PatternKind::StillLife, Some(1))
    );
    assert_eq!(found.name.as_deref(), Some("block"));
    let found = what_is("B3/S23", "bo$2bo$3o10$20bo$19bo$19b3o!"); // gliders that part
    assert_eq!(
        (found.kind, found.lifespan),
        (PatternKind::Settling, Some(0))
    );
    assert_eq!(in_words(&found.census), "2 glider");
}

#[test]
fn growth_is_followed() {
    let block_layer = what_is("B3/S23", "6bo$4bob2o$4bobo$4bo$2bo$obo!");
    assert_eq!(block_layer.kind, PatternKind::Puffer);
    let code = "yl144_1_16_afb5f3db909e60548f086e22ee3353ac";
    assert_eq!(block_layer.apgcode.as_deref(), Some(code));
    assert_eq!(
        block_layer.name.as_deref(),
        Some("block-laying switch engine")
    );
    let motion = [block_layer.dx, block_layer.dy].map(|d| d.map(i64::abs));
    assert_eq!((block_layer.period, motion), (Some(144), [Some(12); 2]));
    assert_eq!(
        block_layer.speed.as_deref(),
        Some("12c/144 = c/12 diagonal")
    );
    assert_eq!(in_words(&block_layer.emission), "4 block");

    let gun = what_is("B3/S23", "gosper-glider-gun");
    assert_eq!((gun.kind, gun.period), (PatternKind::Gun, Some(30)));
    assert_eq!(gun.growth_per_period, Some(5.0));
    assert_eq!(in_words(&gun.emission), "1 glider");
    assert_eq!(gun.emission[0].direction.as_deref(), Some("SE"));
}

#[test]
#[ignore = "takes seconds; run it with --release"]
fn rakes_and_replicators_are_followed() {
    let rake = what_is("B3/S23", "space-rake");
    assert_eq!((rake.kind, rake.period), (PatternKind::Rake, Some(20)));
    assert_eq!(rake.speed.as_deref(), Some("10c/20 = c/2"));

    let replicator = what_is("B36/S23", "3o$o2bo$o3bo$bo2bo$2b3o!");
    assert_eq!(replicator.kind, PatternKind::Growing);
    assert_eq!(replicator.apgcode.as_deref(), Some("zz_REPLICATOR"));
}

#[test]
fn a_breeder_is_known_when_time_is_up() {
    let cells = pattern::library::find("max").unwrap().pattern().cells;
    let start = Instant::now();
    let options = IdentifyOptions::default();
    let mut control = |_| start.elapsed() < Duration::from_millis(200);
    let found = identify(&"B3/S23".parse().unwrap(), &cells, &options, &mut control).unwrap();
    assert_eq!(found.kind, PatternKind::Breeder);
    assert!(found.growth_power.unwrap() > 1.9);
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_puffer_is_growing_when_time_is_up() {
    let cells = pattern::library::find("puffer-1").unwrap().pattern().cells;
    let start = Instant::now();
    let options = IdentifyOptions::default();
    let mut control = |age| age < 5000;
    let found = identify(&"B3/S23".parse().unwrap(), &cells, &options, &mut control).unwrap();
    assert_eq!(
        (found.kind, found.period),
        (PatternKind::Growing, Some(128))
    );
    assert!(
        found.reached.unwrap().starts_with("interrupted"),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn parts_are_identified_by_themselves() {
    let cells = Pattern::from_text("2o3b3o$2o$18bo$19bo$17b3o!")
        .unwrap()
        .cells;
    let options = IdentifyOptions {
        parts: true,
        ..IdentifyOptions::default()
    };
    let found = identify(&"B3/S23".parse().unwrap(), &cells, &options, &mut |_| true).unwrap();
    let names: Vec<_> = found
        .parts
        .iter()
        .map(|p| p.identification.name.clone().unwrap())
        .collect();
    assert_eq!(names, ["block", "blinker", "glider"]);
    let corners: Vec<_> = found.parts.iter().map(|p| (p.rect.x, p.rect.y)).collect();
    assert_eq!(corners, [(0, 0), (5, 0), (17, 2)]);
}

#[test]
fn soups_leave_what_a_census_finds() {
    let rule = "B3/S23".parse().unwrap();
    for line in include_str!("data/soups_seed_a.txt").lines() {
        let mut words = line.split_whitespace().skip(1);
        let index = words.next().unwrap();
        let mut expected: Vec<&str> = words.collect();
        let cells = soup(&format!("census_seed_a{index}"));
        let found = identify(&rule, &cells, &IdentifyOptions::default(), &mut |_| true).unwrap();
        let census = found
            .census
            .iter()
            .map(|object| format!("{}:{}", object.code, object.count));
        let mut census: Vec<String> = census.collect();
        census.sort_unstable();
        expected.sort_unstable();
        assert_eq!(census, expected, "soup {index}");
    }
}

/// The soup of a seed string in the symmetry C1.
fn soup(seed: &str) -> Cells {
    let digest = Sha256::digest(seed);
    let live = (0..256).filter(|at| {
        let (x, y) = (at % 16, at / 16);
        digest[2 * y + usize::from(x < 8)] >> (x % 8) & 1 == 1
    });
    let points: Vec<Point> = live
        .map(|at| Point::new(at as i64 % 16, at as i64 / 16))
        .collect();
    StateBox::from_points(&points).to_pattern()
}

#[test]
fn a_rare_oscillator_is_among_the_parts_of_its_soup() {
    let cells = soup("n_GcpqZ62YqD3310086454");
    let options = IdentifyOptions {
        parts: true,
        ..IdentifyOptions::default()
    };
    let found = identify(&"B3/S23".parse().unwrap(), &cells, &options, &mut |_| true).unwrap();
    // lifelib's own test: all that is left, as one code
    let code = "xp46_033y133zzzckgsxsgkczydciczy4ccy0222";
    assert_eq!(found.apgcode.as_deref(), Some(code));
    let codes = found
        .parts
        .iter()
        .filter_map(|part| part.identification.apgcode.as_deref());
    let count: u64 = found.census.iter().map(|object| object.count).sum();
    assert_eq!(codes.clone().count() as u64, count);
    assert!(
        codes
            .clone()
            .any(|code| code == "xp46_033y133zzzckgsxsgkczz0cc")
    );
}
