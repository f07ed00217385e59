//! What repeats is described as an independent program does it, in every phase and orientation.
#![allow(clippy::unwrap_used)]

use census::{
    BoxStepper, Identification, IdentifyOptions, KineticSymmetry, LatticeIsometry, PatternKind,
    StateBox, SymmetryClass, decode, identify,
};
use rule::Rule;

fn what_is(rule: &Rule, cells: &StateBox) -> Identification {
    let options = IdentifyOptions::default();
    identify(rule, &cells.to_pattern(), &options, &mut |_| true).unwrap()
}

/// A number of the table, which has four decimals at most.
#[track_caller]
fn check_number(what: &str, found: Option<f64>, expected: &str) {
    if expected.is_empty() {
        return;
    }
    let expected: f64 = expected.parse().unwrap();
    let found = found.unwrap_or(0.0);
    assert!(
        (found - expected).abs() < 6e-5,
        "{what}: {found}, not {expected}"
    );
}

/// Three phases in all orientations, moved.
fn variants(rule: &Rule, cells: &StateBox, period: u64) -> Vec<StateBox> {
    let mut stepper = BoxStepper::new(rule);
    let phases: Vec<StateBox> = stepper.run(cells, 0).take(period as usize).collect();
    let phases = [0, phases.len() / 3, phases.len() - 1].map(|at| phases[at].clone());
    let images = phases
        .iter()
        .flat_map(|phase| LatticeIsometry::SQUARE.map(|map| map.image(phase)));
    images.map(|image| image.translated(-17, 40)).collect()
}

#[test]
fn still_lifes_and_oscillators_have_their_numbers() {
    for line in include_str!("data/identify_periodic.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [
            code,
            rule,
            period,
            modulus,
            min,
            max,
            mean,
            heat,
            volatility,
            strict,
            rotor,
            stator,
            width,
            height,
            temperature,
            symmetry,
        ] = fields[..]
        else {
            panic!("{line}");
        };
        let rule: Rule = rule.parse().unwrap();
        let cells = decode(code).unwrap();
        let check = |cells: &StateBox| {
            let found = what_is(&rule, cells);
            let number = |text: &str| Some(text.parse::<u64>().unwrap());
            assert_eq!(found.apgcode.as_deref(), Some(code));
            assert_eq!(found.period, number(period), "{code}");
            assert_eq!(found.modulus, number(modulus), "{code}");
            let population = found.population.unwrap();
            assert_eq!(Some(population.min), number(min), "{code}");
            assert_eq!(Some(population.max), number(max), "{code}");
            check_number(code, Some(population.mean), mean);
            check_number(code, found.heat, heat);
            check_number(code, found.volatility, volatility);
            check_number(code, found.strict_volatility, strict);
            check_number(code, found.temperature, temperature);
            assert_eq!(found.rotor, number(rotor), "{code}");
            assert_eq!(found.stator, number(stator), "{code}");
            let found_box = found.bounding_box.unwrap();
            let mut sides = [found_box.0, found_box.1];
            let mut expected = [width, height].map(|side| side.parse::<u64>().unwrap());
            sides.sort_unstable();
            expected.sort_unstable();
            assert_eq!(sides, expected, "{code}");
            assert_eq!(found.kinetic_symmetry.as_deref(), Some(symmetry), "{code}");
            assert_eq!(found.generation, Some(0));
            let kind = match period {
                "1" => PatternKind::StillLife,
                _ => PatternKind::Oscillator,
            };
            assert_eq!(found.kind, kind, "{code}");
            found
        };
        let first = check(&cells);
        let size = (width.parse().unwrap(), height.parse().unwrap());
        if first.bounding_box != Some(size) {
            eprintln!("{code}: {:?}, not {size:?}", first.bounding_box);
        }
        for variant in variants(&rule, &cells, period.parse().unwrap()) {
            let found = check(&variant);
            assert_eq!(found.strict, first.strict, "{code}");
            assert_eq!(found.name, first.name, "{code}");
            assert_eq!(found.period_counts, first.period_counts, "{code}");
        }
    }
}

#[test]
fn ships_have_their_speeds() {
    for (rule, code, period, motion, speed, modulus, min, max, mean, heat) in [
        (
            "B3/S23",
            "xq4_153",
            4,
            [1, 1],
            "c/4 diagonal",
            2,
            5,
            5,
            5.0,
            4.0,
        ),
        (
            "B3/S23",
            "xq4_6frc",
            4,
            [0, 2],
            "2c/4 = c/2",
            2,
            9,
            12,
            10.5,
            11.0,
        ),
        (
            "B3/S23",
            "xq4_27dee6",
            4,
            [0, 2],
            "2c/4 = c/2",
            2,
            11,
            15,
            13.0,
            15.0,
        ),
        (
            "B3/S23",
            "xq4_27deee6",
            4,
            [0, 2],
            "2c/4 = c/2",
            2,
            13,
            18,
            15.5,
            19.0,
        ),
        (
            "B3/S23",
            "xq7_3nw17862z6952",
            7,
            [0, 1],
            "c/7",
            7,
            20,
            33,
            24.2857,
            14.5714,
        ),
        (
            "B3/S23",
            "xq16_gcbgzvgg826frc",
            16,
            [0, 8],
            "8c/16 = c/2",
            16,
            28,
            47,
            36.0,
            38.0,
        ),
        (
            "B3/S23",
            "xq3_16614e8o4aa82cc2",
            3,
            [0, 1],
            "c/3",
            3,
            25,
            25,
            25.0,
            20.0,
        ),
        (
            "B36/S23",
            "xq48_07z8ca7zy1e531",
            48,
            [8, 8],
            "8c/48 = c/6 diagonal",
            24,
            19,
            65,
            35.6667,
            38.4167,
        ),
    ] {
        let rule: Rule = rule.parse().unwrap();
        let cells = decode(code).unwrap();
        for variant in variants(&rule, &cells, period) {
            let found = what_is(&rule, &variant);
            assert_eq!(found.kind, PatternKind::Spaceship, "{code}");
            assert_eq!(found.apgcode.as_deref(), Some(code));
            assert_eq!(found.period, Some(period), "{code}");
            let mut moved = [found.dx.unwrap().abs(), found.dy.unwrap().abs()];
            moved.sort_unstable();
            assert_eq!(moved, motion, "{code}");
            assert_eq!(found.speed.as_deref(), Some(speed));
            assert_eq!(found.modulus, Some(modulus), "{code}");
            let population = found.population.unwrap();
            assert_eq!((population.min, population.max), (min, max), "{code}");
            check_number(code, Some(population.mean), &mean.to_string());
            check_number(code, found.heat, &heat.to_string());
            assert_eq!(
                (found.rotor, found.volatility, found.density),
                (None, None, None)
            );
            assert_eq!(found.phase_boxes.len() as u64, period);
        }
    }
}

#[test]
fn symmetry_in_time_is_one_of_27_pairs() {
    assert_eq!(SymmetryClass::ALL.len(), 16);
    let pairs = KineticSymmetry::proper_pairs();
    assert_eq!(pairs.len(), 27);
    let mut stepper = BoxStepper::new(&"B3/S23".parse().unwrap());
    let codes = census::object_names()
        .iter()
        .filter(|name| name.rule == "B3/S23");
    for name in codes.filter(|name| name.code.starts_with("xp")) {
        let cells = decode(name.code).unwrap();
        let limits = census::OrbitLimits::default();
        let orbit = census::PeriodicOrbit::find(&mut stepper, &cells, 0, &limits).unwrap();
        let found = KineticSymmetry::of(&orbit);
        assert!(
            found.fixed == found.kinetic || pairs.contains(&found),
            "{} {found}",
            name.code
        );
    }
}

#[test]
fn pseudo_objects_have_parts() {
    let rule = "B3/S23".parse().unwrap();
    let found = what_is(&rule, &decode("xp2_rbzw23").unwrap());
    assert_eq!(found.strict, Some(false));
    let parts: Vec<_> = found
        .pseudo_parts
        .iter()
        .map(|part| part.code.as_str())
        .collect();
    assert_eq!(parts, ["xp2_318c", "xs4_33"]);
    assert_eq!(found.name.as_deref(), Some("block on beacon"));
}

#[test]
fn other_rules_are_described_too() {
    let library = |name: &str| {
        let entry = pattern::library::find(name).unwrap();
        let rule: Rule = entry.rule().unwrap().parse().unwrap();
        let cells = entry.pattern().cells;
        let found = identify(&rule, &cells, &IdentifyOptions::default(), &mut |_| true);
        found.unwrap()
    };
    let brain = library("brians-brain-glider");
    assert_eq!(brain.speed.as_deref(), Some("c/4 diagonal"));
    assert_eq!(brain.apgcode.as_deref(), Some("xq4_20a_144"));
    assert_eq!(brain.alive.map(|a| (a.min, a.max)), Some((3, 3)));
    assert_eq!(
        (brain.population.map(|p| p.max), brain.heat),
        (Some(6), Some(9.0))
    );
    let wires = library("wireworld-loop");
    assert_eq!(
        (wires.period, wires.mod_transform),
        (Some(6), Some("rot180"))
    );
    let hexagons = library("hexagonal-p12");
    assert_eq!((hexagons.period, hexagons.modulus), (Some(12), Some(4)));
    assert_eq!(hexagons.kinetic_symmetry.as_deref(), Some("C1/C3"));
    let alternating = library("alternating-glider");
    assert_eq!(
        (alternating.period, alternating.modulus),
        (Some(4), Some(2))
    );
    let blinking = library("neon-blobs-p6");
    assert!(blinking.limits.contains("B0"), "{}", blinking.limits);
    assert_eq!(blinking.period, Some(6));
}

#[test]
fn on_a_grid_nothing_is_a_ship() {
    for (grid, kind, period) in [
        ("T20,20", PatternKind::Oscillator, 80),
        ("P20,20", PatternKind::StillLife, 1),
    ] {
        let rule = format!("B3/S23:{grid}").parse().unwrap();
        let cells = decode("xq4_153").unwrap();
        let found = what_is(&rule, &LatticeIsometry::SQUARE[1].image(&cells));
        assert_eq!((found.kind, found.period), (kind, Some(period)), "{grid}");
        assert_eq!((found.apgcode, found.dx), (None, None));
        assert!(found.reached.unwrap().contains("edge"));
    }
    let block = what_is(
        &"B3/S23:T20,20".parse().unwrap(),
        &decode("xs4_33").unwrap(),
    );
    assert_eq!(
        (block.apgcode.as_deref(), block.reached),
        (Some("xs4_33"), None)
    );
}
