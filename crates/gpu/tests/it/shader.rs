//! Each family's circuit, printed for grids of several shapes, is valid WGSL.

use gpu::{GridLayout, MarginCells, RuleShaders, margin_shader};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use rule::Rule;

/// One rule of each family that has circuits.
pub(crate) const RULES: [&str; 14] = [
    "B3/S23",
    "B36/S23",
    "B013/S2",
    "B2-a/S12",
    "345/2/4",
    "B2/S34H",
    "B3/S23V",
    "B24/S1346L",
    "W110",
    "R2,C0,M1,S6..11,B6..9,NM",
    "R5,C0,M1,S34..58,B34..45,NM",
    "WireWorld",
    "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
    "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA",
];

fn check(text: &str) {
    let module = naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    if let Err(error) = validator.validate(&module) {
        panic!("{}", error.emit_to_string(text));
    }
}

#[test]
fn each_family_has_a_valid_shader() {
    for (name, size) in RULES.iter().zip(["32,32", "34,6", "100,72"].iter().cycle()) {
        let rule: Rule = format!("{name}:T{size}")
            .parse()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let shaders = RuleShaders::new(&rule).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(shaders.steps.len(), rule.time_period());
        for program in shaders.steps {
            check(&program.text);
        }
    }
}

#[test]
fn the_rule_space_s_shader_is_valid() {
    check(gpu::rule_space_shader());
}

#[test]
fn the_margin_s_shader_is_valid() {
    let topologies = ["T33,20", "T40+3,20", "P50,50", "K30*,20", "C40,40", "S17"];
    for topology in topologies {
        let topology: rule::Topology = topology.parse().expect("a topology");
        let rect = topology.rect().expect("a bounded grid");
        let layout = GridLayout {
            rect,
            planes: 3,
            radius: 2,
            spare_rows: 7,
        };
        let margin = MarginCells::new(&topology, &layout);
        check(&margin_shader(&layout, margin.words.len()).0);
    }
}

/// What the margin shows is what the topology says, cell by cell, and what is kept is the grid.
#[test]
fn the_margin_shows_what_the_topology_says() {
    for (topology, radius) in [
        ("T33,20", 1),
        ("T40+3,20", 2),
        ("T7,5", 9),
        ("P50,50", 3),
        ("K30*,20", 2),
        ("K30,20*", 1),
        ("C40,41", 2),
        ("S17", 3),
        ("T64,64", 35),
    ] {
        let topology: rule::Topology = topology.parse().expect("a topology");
        let rect = topology.rect().expect("a bounded grid");
        let layout = GridLayout {
            rect,
            planes: 1,
            radius,
            spare_rows: 0,
        };
        let margin = MarginCells::new(&topology, &layout);
        let (far, width, height) = (radius as i64, rect.width as i64, rect.height as i64);
        let mut expected = 0;
        for row in -far..height + far {
            for column in -far..width + far {
                let p = grid::Point::new(rect.x + column, rect.y + row);
                if rect.contains(p) {
                    continue;
                }
                let index = (row + far) as usize * layout.stride()
                    + (column.div_euclid(32) + layout.margin_words() as i64) as usize;
                let bit = column.rem_euclid(32) as u32;
                let listed = margin.words.iter().find(|word| word.word as usize == index);
                let sources = listed.map_or(&[][..], |word| {
                    &margin.sources[word.first as usize..][..word.count as usize]
                });
                let shown = sources.iter().find(|source| source.to_bit == bit);
                let wanted = topology.resolve(p).map(|cell| {
                    let word = (cell.y - rect.y + far) as usize * layout.stride()
                        + layout.margin_words()
                        + ((cell.x - rect.x) / 32) as usize;
                    (word as u32, ((cell.x - rect.x) % 32) as u32)
                });
                assert_eq!(
                    shown.map(|s| (s.word, s.bit)),
                    wanted,
                    "{topology} {column}, {row}"
                );
                expected += usize::from(wanted.is_some());
            }
        }
        assert_eq!(
            margin.sources.len(),
            expected,
            "{topology}: nothing else is shown"
        );
    }
}
