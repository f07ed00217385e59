//! Distinguishable colours.

use render::{Palette, Rgb, Theme};
use rule::Rule;

/// What colour-blind eyes see of linear red, green and blue: Machado, Oliveira and
/// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
/// IEEE TVCG 15(6), 2009, the matrices of severity 1.0.
const EYES: [(&str, [[f64; 3]; 3]); 4] = [
    (
        "all colours",
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ),
    (
        "no red",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "no green",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "no blue",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

/// CIE 1976 L*a*b* of linear red, green and blue, of daylight D65.
fn lab(linear: [f64; 3]) -> [f64; 3] {
    let [r, g, b] = linear.map(|part| part.clamp(0.0, 1.0));
    let x = (0.412_4 * r + 0.357_6 * g + 0.180_5 * b) / 0.950_47;
    let y = 0.212_6 * r + 0.715_2 * g + 0.072_2 * b;
    let z = (0.019_3 * r + 0.119_2 * g + 0.950_5 * b) / 1.088_83;
    let f = |t: f64| {
        if t > 0.008_856 {
            t.cbrt()
        } else {
            7.787 * t + 16.0 / 116.0
        }
    };
    [
        116.0 * f(y) - 16.0,
        500.0 * (f(x) - f(y)),
        200.0 * (f(y) - f(z)),
    ]
}

fn linear(colour: Rgb) -> [f64; 3] {
    [colour.r, colour.g, colour.b].map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    })
}

/// How far apart two colours look: 2 is just seen, side by side.
fn apart(a: Rgb, b: Rgb, eyes: &[[f64; 3]; 3]) -> f64 {
    let seen = |colour| {
        let light = linear(colour);
        lab(eyes.map(|row| row[0] * light[0] + row[1] * light[1] + row[2] * light[2]))
    };
    let (a, b) = (seen(a), seen(b));
    let square = |i: usize| (a[i] - b[i]).powi(2);
    (square(0) + square(1) + square(2)).sqrt()
}

fn check(palette: &Palette, states: usize, least: f64, what: &str) {
    for (eyes, matrix) in &EYES {
        for a in 0..states {
            for b in a + 1..states {
                let apart = apart(palette.states[a], palette.states[b], matrix);
                assert!(
                    apart >= least,
                    "{what}, {}, {eyes}: states {a} and {b} are {apart:.1} apart",
                    palette.theme.name
                );
            }
        }
    }
}

#[test]
fn the_first_states_are_told_apart_by_all_eyes() {
    for theme in Theme::ALL {
        for name in ["JvN29", "MS,D0;8;4;3;2;5;9;7;1;6;10;11;12;13;14;15"] {
            let Ok(rule) = name.parse::<Rule>() else {
                continue;
            };
            let states = usize::from(rule.states()).min(9);
            check(&Palette::of(&rule, &theme), states, 10.0, name);
        }
        for name in ["WireWorld", "QuadLife", "Immigration", "colorised"] {
            let rule: Rule = name.parse().unwrap();
            check(
                &Palette::of(&rule, &theme),
                rule.states().into(),
                14.0,
                name,
            );
        }
        let history: Rule = "B3/S23History".parse().unwrap();
        check(&Palette::of(&history, &theme), 7, 8.0, "History");
    }
}

#[test]
fn ageing_states_fade_one_by_one() {
    for theme in Theme::ALL {
        for name in [
            "345/2/4",
            "3457/357/5",
            "345/2/24",
            "generations",
            "R5,C9,M1,S34..58,B34..45,NM",
        ] {
            let rule: Rule = name.parse().unwrap();
            let palette = Palette::of(&rule, &theme);
            assert_eq!(palette.states[1], theme.ink);
            let last = usize::from(rule.states()) - 1;
            let contrast = |state: usize| palette.states[state].contrast(theme.sheet);
            for state in 2..=last {
                assert!(
                    contrast(state) < contrast(state - 1),
                    "{name}: state {state}"
                );
            }
            assert!(contrast(last) > 1.05, "{name}: the last state can be seen");
        }
    }
}

#[test]
fn families_have_their_own_colours() {
    let theme = Theme::PAPER;
    let of = |name: &str| Palette::of(&name.parse().unwrap(), &theme);
    assert_eq!(of("B3/S23").states[1], theme.ink);
    assert_eq!(of("B3/S23").states[0], theme.sheet);
    assert_eq!(of("colorised").states[2..4], [theme.red, theme.blue]);
    assert_eq!(of("Immigration").states[1..3], [theme.red, theme.blue]);
    assert_eq!(of("WireWorld").states[1], theme.blue);
    let own = Palette::of(&"B3/S23".parse().unwrap(), &Theme::BLUEPRINT);
    assert_eq!(own.states[1], Theme::BLUEPRINT.ink);
}

#[test]
fn a_rule_files_colours_win() {
    let file = "@RULE Own\n@TABLE\nn_states:4\nneighborhood:vonNeumann\nsymmetries:none\n\
                1,0,0,0,0,2\n@COLORS\n0 9 9 9\n1 10 20 30\n3 40 50 60\n";
    let rule = Rule::from_file(file).unwrap();
    let palette = Palette::of(&rule, &Theme::PAPER);
    assert_eq!(palette.states[1], Rgb::hex(0x000a_141e));
    assert_eq!(palette.states[3], Rgb::hex(0x0028_323c));
    assert_eq!(palette.states[0], Theme::PAPER.sheet, "paper stays paper");
    let plain = Palette::named("distinct", &rule, &Theme::PAPER).unwrap();
    assert_eq!(palette.states[2], plain.states[2]);
    assert_ne!(palette.states[1], plain.states[1]);
    let ours = palette.with_colour(3, Rgb::hex(0x0012_3456));
    assert_eq!(ours.states[3], Rgb::hex(0x0012_3456));
    assert_eq!(ours.marked_colour(3, 0), Rgb::hex(0x0012_3456));
    assert_eq!(ours.marked_colour(3, render::DYING), ours.dying);
}

#[test]
fn every_palette_has_a_name() {
    let rule: Rule = "345/2/9".parse().unwrap();
    for name in Palette::names() {
        let palette = Palette::named(name, &rule, &Theme::PAPER);
        assert!(
            palette.is_some_and(|p| p.states[1] == Theme::PAPER.ink),
            "{name}"
        );
    }
    assert_eq!(
        Palette::named(" RULE ", &rule, &Theme::PAPER),
        Some(Palette::of(&rule, &Theme::PAPER))
    );
    assert_eq!(Palette::named("puce", &rule, &Theme::PAPER), None);
}

#[test]
fn levels_and_marks_go_from_paper_to_ink() {
    for theme in Theme::ALL {
        let palette = Palette::of(&"B3/S23".parse().unwrap(), &theme);
        let contrast = |colour: Rgb| colour.contrast(theme.sheet);
        assert_eq!(palette.density[0], theme.sheet);
        assert!(
            contrast(palette.density[1]) > 1.4,
            "a lone cell can be seen"
        );
        assert_eq!(palette.density[255], theme.ink);
        assert_eq!(palette.history[0], theme.sheet);
        assert_eq!(palette.ages[63], theme.ink);
        for i in 1..256 {
            assert!(contrast(palette.density[i]) >= contrast(palette.density[i - 1]));
        }
        for i in 1..64 {
            assert!(contrast(palette.history[i]) >= contrast(palette.history[i - 1]));
            assert!(contrast(palette.ages[i]) >= contrast(palette.ages[i - 1]));
        }
    }
}
