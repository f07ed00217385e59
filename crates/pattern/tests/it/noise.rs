//! Corrupt files: every reader returns a result or an error, and never panics.

use dice::Dice;
use pattern::{Format, classroom, read, read_as};

const VALID: [&str; 9] = [
    "#CXRLE Pos=-3,4 Gen=7\n#N name\nx = 30, y = 3, rule = B3/S23:T30,40\n5bo$12b3o$2$pA.yOo!\n@RULE a\n",
    "!Name: x\n.O.\n..O\nOOO\n",
    "! map\n.RB\n0O7 1\n",
    "#Life 1.05\n#D x\n#R 23/36\n#P -1 -1\n.*.\n*\n#P 4 4\n**\n",
    "#Life 1.06\n0 1\n-1 2\n-9223372036854775808 9223372036854775807\n",
    "[M2] (x)\n#R B3/S23\n#G 12\n.*$..*$***$\n4 0 0 0 1\n5 2 2 0 2\n6 3 0 0 3\n",
    "[M2]\n1 0 3 0 255\n2 0 0 1 1\n3 2 2 2 2\n",
    "#MCell 4.00\n#GAME Vote for Life\n#RULE 46789\n#BOARD 80x60\n#WRAP 1\n#L A3.B$2\n#L $aC!\n",
    "xp2_7z0y21wv_3",
];

const PIECES: [&str; 24] = [
    "9999999999",
    "18446744073709551615",
    "9223372036854775807",
    "-9223372036854775808",
    "$",
    "!",
    "\n",
    "\r\n",
    "#",
    "#P ",
    "#L ",
    "x = ",
    "y",
    "z",
    "_",
    " ",
    "0",
    "2048 1 1 1 1\n",
    "*",
    "o",
    "A",
    "\u{feff}",
    "é",
    "\0",
];

fn read_all_ways(bytes: &[u8]) {
    if let Ok((pattern, _)) = read(bytes) {
        let _ = pattern.cells.population();
    }
    for format in Format::ALL {
        let Ok(pattern) = read_as(bytes, format) else {
            continue;
        };
        let _ = (
            pattern.cells.bounds(),
            pattern.cells.max_state(),
            pattern.cells.hash(),
        );
        for other in [Format::Rle, Format::Macrocell] {
            let mut out = Vec::new();
            // A tree can have more cells than can be written as runs.
            if pattern.cells.population() < 1_000_000u32.into()
                && pattern::write(&pattern, other, &mut out).is_ok()
            {
                let again = read_as(&out, other);
                let again = again.unwrap_or_else(|e| panic!("{format} to {other}: {e}"));
                assert_eq!(again.cells, pattern.cells, "{format} to {other}");
            }
        }
    }
    for lenient in [false, true] {
        let options = classroom::Options {
            size: Some((5, 4)),
            lenient,
            centre: lenient,
            cs100: lenient,
            alphabet: classroom::Alphabet::Colours,
        };
        let _ = classroom::read(bytes, &options);
    }
}

#[test]
fn broken_files_are_refused_or_read() {
    let mut noise = Dice::new(0x9e37_79b9_7f4a_7c15);
    for round in 0..6000 {
        let mut bytes = VALID[round % VALID.len()].as_bytes().to_vec();
        for _ in 0..1 + noise.below(4) {
            let at = noise.below(bytes.len() as u32 + 1) as usize;
            match noise.below(5) {
                0 => bytes.truncate(at),
                1 => {
                    let piece = noise.pick(&PIECES).unwrap().bytes();
                    bytes.splice(at..at, piece);
                }
                2 if at < bytes.len() => bytes[at] = noise.word() as u8,
                3 if at < bytes.len() => {
                    bytes.remove(at);
                }
                _ => {
                    let from = noise.below(bytes.len().max(1) as u32) as usize;
                    let to = (from + noise.below(12) as usize).min(bytes.len());
                    let copy = bytes[from.min(to)..to].to_vec();
                    bytes.splice(at..at, copy);
                }
            }
        }
        read_all_ways(&bytes);
    }
}

#[test]
fn random_bytes_are_refused_or_read() {
    let mut noise = Dice::new(0x1234_5678_9abc_def1);
    let signs: Vec<u8> = b"0123456789bo$!.*ABXpqyzxO#\n\n RP,=-_[M2]".to_vec();
    for round in 0..6000 {
        let length = noise.below(60);
        let byte = |noise: &mut Dice| match round % 2 {
            0 => noise.pick(&signs).unwrap(),
            _ => noise.word() as u8,
        };
        let bytes: Vec<u8> = (0..length).map(|_| byte(&mut noise)).collect();
        read_all_ways(&bytes);
        let mut packed = vec![0x1f, 0x8b];
        packed.extend_from_slice(&bytes);
        assert!(read(&packed).is_err());
    }
}

/// What a few bytes claim must not fill the memory.
#[test]
fn claims_cost_nothing() {
    for text in [
        "9999999999bo!",
        "9999999999o!",
        "18446744073709551615o!",
        "9223372036854775807o$9223372036854775807o!",
        "9223372036854775807$o!",
        "#MCell 4\n#L AA0$A\n",
        "#MCell 4\n#L AA0$A\n",
        "x = 18446744073709551615, y = 18446744073709551615\no!",
        "#CXRLE Pos=9223372036854775807,9223372036854775807\no!",
        "#MCell 4\n#L 9223372036854775807A\n",
        "#MCell 4\n#L 9223372036854775806$A\n",
    ] {
        let Ok((pattern, _)) = read(text.as_bytes()) else {
            continue;
        };
        let _ = (
            pattern.cells.population(),
            pattern.cells.bounds(),
            pattern.cells.hash(),
        );
        assert!(pattern.cells.to_tree().nodes.len() < 2000, "{text}");
    }
    assert!(read(b"9999999999o!").is_ok());
}
