//! Files of patterns, one target a format: what could be read is written in the formats that
//! hold any cells, and comes back the same.

use super::owned;
use crate::{LONGEST_INPUT, Target};
use pattern::{Format, Pattern, ReadLimits, library, losses, read_as, write};

/// Patterns with longer files than this are no seeds, in bytes.
const LONGEST_SEED: usize = 1000;

const WORDS: &[&str] = &[
    "x = 3, y = 3, rule = B3/S23",
    "#CXRLE Pos=-1,-2 Gen=7",
    "#C ",
    "#N ",
    "#R -5 7",
    "#P -5 7",
    "#Life 1.05",
    "#Life 1.06",
    "[M2] (gridpaper)",
    "#G 1000000000000",
    "#FRAMES ",
    "#MCell 4.20",
    "#GAME Generations",
    "#RULE 345/3/6",
    "#BOARD 64x64",
    "#L 3.A",
    "!Name: ",
    "!MAP BASE",
    "$$$$.*$",
    "1 0 0 0 0",
    "63 1 1 1 1",
    "4 1 2 3 0",
    "bo$2bo$3o!",
    "1000000o!",
    "9999999999bo!",
    "pA",
    "yO.",
    ".A",
    ":T64,64",
    "xs4_33",
    "xp2_7",
    "xq4_153",
    "y0",
    "zw11",
];

macro_rules! format_target {
    ($constant:ident, $name:literal, $format:ident) => {
        pub(super) const $constant: Target = Target {
            name: $name,
            check: |bytes| check(bytes, Format::$format),
            seeds: || seeds(Format::$format),
            words: || owned(WORDS),
            gate_runs: 2000,
        };
    };
}

format_target!(RLE, "rle", Rle);
format_target!(PLAINTEXT, "plaintext", Plaintext);
format_target!(CLASSROOM, "classroom", Classroom);
format_target!(LIFE105, "life105", Life105);
format_target!(LIFE106, "life106", Life106);
format_target!(MACROCELL, "macrocell", Macrocell);
format_target!(MCELL, "mcell", MCell);
format_target!(APGCODE, "apgcode", Apgcode);

/// Whatever its content looks like, and compressed too.
pub(super) const DETECT: Target = Target {
    name: "detect",
    check: |bytes| {
        let limits = ReadLimits {
            unpacked: 1 << 20,
            ..ReadLimits::default()
        };
        if let Ok((pattern, format)) = pattern::read_with_limits(bytes, limits) {
            assert!(pattern::is_compressed(bytes) || pattern::detect(bytes) == Some(format));
            let _ = (pattern.cells.population(), pattern.cells.bounds());
        }
    },
    seeds: || {
        let all = Format::ALL.into_iter().flat_map(|format| {
            let few = seeds(format).into_iter().step_by(5);
            few.collect::<Vec<_>>()
        });
        let mut all: Vec<Vec<u8>> = all.collect();
        let glider = library::find("glider").map(library::LibraryPattern::pattern);
        let mut packed = Vec::new();
        if pattern::write_compressed(&glider.unwrap_or_default(), Format::Rle, &mut packed).is_ok()
        {
            all.push(packed);
        }
        all
    },
    words: || owned(WORDS),
    gate_runs: 2000,
};

fn check(bytes: &[u8], format: Format) {
    let Ok(pattern) = read_as(bytes, format) else {
        return;
    };
    let _ = (
        pattern.cells.bounds(),
        pattern.cells.max_state(),
        pattern.cells.hash(),
    );
    comes_back(&pattern, Format::Macrocell);
    // A tree of a few nodes can have more runs than anybody could write.
    if pattern.cells.as_tree().is_none() || pattern.cells.population() < 100_000u32.into() {
        comes_back(&pattern, Format::Rle);
    }
}

fn comes_back(pattern: &Pattern, format: Format) {
    if losses(pattern, format)
        .iter()
        .any(|loss| loss.is_of_cells())
    {
        return;
    }
    let mut bytes = Vec::new();
    write(pattern, format, &mut bytes).expect("memory takes everything");
    let again = read_as(&bytes, format).expect("what is written can be read");
    assert_eq!(again.cells, pattern.cells);
    assert_eq!(again.generation, pattern.generation);
}

/// The library's short patterns in this format.
fn seeds(format: Format) -> Vec<Vec<u8>> {
    let short = library::all()
        .iter()
        .filter(|entry| entry.text.len() <= LONGEST_SEED);
    let written = short.filter_map(|entry| {
        let mut bytes = Vec::new();
        write(&entry.pattern(), format, &mut bytes).ok()?;
        (bytes.len() <= LONGEST_INPUT / 2).then_some(bytes)
    });
    let mut seeds: Vec<Vec<u8>> = written.collect();
    if format == Format::Apgcode {
        let codes = [
            "xs4_33",
            "xp2_7",
            "xq4_153",
            "xs6_696",
            "xp15_4r4z4r4",
            "xq4_6frc",
            "xs24_y1696z2552wgw2552z0696",
            "xp30_w33z8kqrqk8zzzx33",
            "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401",
        ];
        seeds.extend(super::bytes_of(&codes));
    }
    if format == Format::MCell {
        // it is only read
        let texts = [
            "#MCell 4.20\n#GAME Generations\n#RULE 345/3/6\n#BOARD 64x64\n#SPEED 10\n#WRAP 1\n\
             #D one\n#L .A$2.B$3C\n",
            "#MCell 4.0\n#GAME Standard Life\n#RULE 23/3\n#CCOLORS 2\n#L 3.A$A.2A\n",
            "#MCell 4.20\n#GAME Weighted Life\n#RULE NW1,NN1,NE1,WW1,ME0,EE1,SW1,SS1,SE1,HI0,\
             RS2,RS3,RB3\n#L A3.yO\n",
        ];
        seeds.extend(super::bytes_of(&texts));
    }
    seeds
}
