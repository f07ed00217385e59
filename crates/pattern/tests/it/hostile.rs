//! Files with huge claims, and decompression bombs: the memory of reading and writing is
//! measured.
//!
//! The count is that of a whole process, so each case is measured in one of its own: this
//! binary again, with the case's number in a variable.

use cap::Cap;
use flate2::{Compression, write::GzEncoder};
use pattern::{
    Cells, Format, Node, Pattern, PatternProblem, ReadLimits, Run, Tree, read_as_with_limits,
    read_with_limits, write_with_limits,
};
use std::alloc::System;
use std::io::{self, Write};
use std::process::Command;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Says which case a process measures.
const CASE: &str = "GRIDPAPER_HOSTILE_CASE";

const MIB: usize = 1 << 20;

/// How long the longer files here are.
const LENGTH: usize = MIB / 2;

/// The most bytes that reading may hold for each byte of a file, and beside. A run has 16, in
/// a list that may have twice the room, and each may be in a row of its own, which has 16
/// too. What comes in any order is sorted.
const PER_BYTE: usize = 80;
const BESIDE: usize = MIB / 4;

/// A character of an apgcode is a column of five cells.
const PER_BYTE_OF_COLUMNS: usize = 200;

/// A run of 2^63 cells in 20 bytes is held in 128 pieces.
const PER_BYTE_OF_LONG_RUNS: usize = 270;

struct HostileFile {
    name: &'static str,
    format: Format,
    file: fn() -> Vec<u8>,
}

fn repeated(head: &str, piece: &str, tail: &str) -> Vec<u8> {
    let times = LENGTH / piece.len();
    [head, &piece.repeat(times), tail].concat().into_bytes()
}

/// Gzipped pieces, which never stand in memory all together.
fn gzipped(head: &[u8], piece: &[u8], length: usize) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(head).unwrap();
    let block = piece.repeat(MIB / piece.len());
    for _ in 0..length / block.len() {
        packer.write_all(&block).unwrap();
    }
    packer.finish().unwrap()
}

const HOSTILE: &[HostileFile] = &[
    HostileFile {
        name: "a row of 2^63 cells",
        format: Format::Rle,
        file: || b"9223372036854775807o!".to_vec(),
    },
    HostileFile {
        name: "rows of 2^63 cells",
        format: Format::Rle,
        file: || repeated("", "9223372036854775807o$", "!"),
    },
    HostileFile {
        name: "a size of 2^64",
        format: Format::Rle,
        file: || b"x = 18446744073709551615, y = 18446744073709551615\no!".to_vec(),
    },
    HostileFile {
        name: "the last cell there is",
        format: Format::Rle,
        file: || b"9223372036854775806$9223372036854775806bo!".to_vec(),
    },
    HostileFile {
        name: "a row a cell",
        format: Format::Rle,
        file: || repeated("x = 3, y = 3\n", "o$", "!"),
    },
    HostileFile {
        name: "a run a byte",
        format: Format::Rle,
        file: || repeated("", "AB", "!"),
    },
    HostileFile {
        name: "letters that all mean 1",
        format: Format::Rle,
        file: || repeated("b", "pq", "!"),
    },
    HostileFile {
        name: "a comment a cell",
        format: Format::Rle,
        file: || repeated("b1$", "p\n#\n", "!"),
    },
    HostileFile {
        name: "comments",
        format: Format::Rle,
        file: || repeated("", "#C1\n", "o!"),
    },
    HostileFile {
        name: "comments that are no UTF-8",
        format: Format::Rle,
        file: || [&b"#C"[..], &b"\xff".repeat(LENGTH), b"\no!"].concat(),
    },
    HostileFile {
        name: "comments after the end",
        format: Format::Rle,
        file: || repeated("o!", "1\n", ""),
    },
    HostileFile {
        name: "a rule block",
        format: Format::Rle,
        file: || repeated("o!\n@RULE a\n", "\r\n1", ""),
    },
    HostileFile {
        name: "a number of many digits",
        format: Format::Rle,
        file: || repeated("", "9", "o!"),
    },
    HostileFile {
        name: "a generation of many digits",
        format: Format::Rle,
        file: || repeated("#CXRLE Gen=", "9", "\no!"),
    },
    HostileFile {
        name: "every other cell",
        format: Format::Plaintext,
        file: || repeated("", ".O", ""),
    },
    HostileFile {
        name: "a row a cell",
        format: Format::Plaintext,
        file: || repeated("", "O\n", ""),
    },
    HostileFile {
        name: "comments",
        format: Format::Plaintext,
        file: || repeated("", "!1\n", "O"),
    },
    HostileFile {
        name: "all kinds of cells",
        format: Format::Classroom,
        file: || repeated("", "RB7", ""),
    },
    HostileFile {
        name: "comments",
        format: Format::Classroom,
        file: || repeated("", "R!\n", ""),
    },
    HostileFile {
        name: "every other cell",
        format: Format::Life105,
        file: || repeated("#Life 1.05\n", ".*", "\n"),
    },
    HostileFile {
        name: "blocks on each other",
        format: Format::Life105,
        file: || repeated("#Life 1.05\n", "#P 1 1\n*\n", ""),
    },
    HostileFile {
        name: "the corners of the world",
        format: Format::Life105,
        file: || {
            let (most, least) = (i64::MAX, i64::MIN);
            format!("#Life 1.05\n#P {least} {least}\n*\n#P {most} {most}\n*\n").into_bytes()
        },
    },
    HostileFile {
        name: "one cell again and again",
        format: Format::Life106,
        file: || repeated("#Life 1.06\n", "1 1\n", ""),
    },
    HostileFile {
        name: "the corners of the world",
        format: Format::Life106,
        file: || {
            let (most, least) = (i64::MAX, i64::MIN);
            format!("#Life 1.06\n{least} {least}\n{most} {most}\n").into_bytes()
        },
    },
    HostileFile {
        name: "leaves",
        format: Format::Macrocell,
        file: || repeated("[M2]\n", "$\n", ""),
    },
    HostileFile {
        name: "nodes",
        format: Format::Macrocell,
        file: || repeated("[M2]\n*$\n", "4 1 1 1 1\n", ""),
    },
    HostileFile {
        name: "a full tree of level 2048",
        format: Format::Macrocell,
        file: || {
            let mut text = String::from("[M2]\n1 1 1 1 1\n");
            for level in 2..=2048 {
                let below = level - 1;
                text += &format!("{level} {below} {below} {below} {below}\n");
            }
            text.into_bytes()
        },
    },
    HostileFile {
        name: "a node of a number of 2^63",
        format: Format::Macrocell,
        file: || b"[M2]\n*$\n4 9223372036854775807 1 1 1\n".to_vec(),
    },
    HostileFile {
        name: "a level of 2^63",
        format: Format::Macrocell,
        file: || b"[M2]\n*$\n9223372036854775807 1 1 1 1\n".to_vec(),
    },
    HostileFile {
        name: "comments",
        format: Format::Macrocell,
        file: || repeated("[M2]\n", "#C1\n", "*$\n"),
    },
    HostileFile {
        name: "rows of 2^62 cells",
        format: Format::MCell,
        file: || repeated("#MCell 4\n#L ", "4611686018427387904A$", "\n"),
    },
    HostileFile {
        name: "a board of 2^63",
        format: Format::MCell,
        file: || {
            let side = i64::MAX;
            format!("#MCell 4\n#BOARD {side}x{side}\n#WRAP 1\n#L {side}A\n").into_bytes()
        },
    },
    HostileFile {
        name: "a row a cell",
        format: Format::MCell,
        file: || repeated("#MCell 4\n#L ", "A$", "\n"),
    },
    HostileFile {
        name: "columns",
        format: Format::Apgcode,
        file: || repeated("xs1_", "la", ""),
    },
    HostileFile {
        name: "strips",
        format: Format::Apgcode,
        file: || repeated("xs1_", "lz", ""),
    },
    HostileFile {
        name: "far away",
        format: Format::Apgcode,
        file: || repeated("xs1_", "yz", "1"),
    },
    HostileFile {
        name: "a bomb of rows",
        format: Format::Rle,
        file: || gzipped(b"x = 3, y = 3, rule = B3/S23\n", b"o$", 64 * MIB),
    },
    HostileFile {
        name: "a bomb of nothing",
        format: Format::Rle,
        file: || gzipped(b"", b"\0", 64 * MIB),
    },
    HostileFile {
        name: "a bomb in many parts",
        format: Format::Macrocell,
        file: || gzipped(b"[M2]\n", b"$\n", MIB).repeat(100),
    },
];

/// What a case holds at most, in bytes, and how long its file is.
struct Measurement {
    peak: usize,
    length: usize,
}

/// What is measured: the number of a hostile file and the memory that reading may hold, or the
/// number of a pattern that is written.
fn measure(case: &str) -> Measurement {
    let mut words = case.split(' ');
    let kind = words.next().unwrap();
    let number: usize = words.next().unwrap().parse().unwrap();
    let (before, length);
    match kind {
        "read" => {
            let memory = words.next().unwrap().parse().unwrap();
            let limits = ReadLimits {
                memory,
                ..ReadLimits::default()
            };
            let hostile = &HOSTILE[number];
            let file = (hostile.file)();
            length = file.len();
            before = ALLOCATOR.allocated();
            let read = read_as_with_limits(&file, hostile.format, limits);
            let told = read_with_limits(&file, limits);
            for error in [read.err(), told.err()].into_iter().flatten() {
                assert!(!error.to_string().is_empty());
            }
        }
        "write" => {
            let pattern = Pattern {
                cells: (VAST[number].1)(),
                ..Pattern::default()
            };
            length = 0;
            before = ALLOCATOR.allocated();
            for format in Format::ALL {
                // What is not refused at once fails where so much has been written.
                let most = 16 * MIB as u64;
                if let Err(error) = write_with_limits(&pattern, format, most, &mut io::sink()) {
                    println!("{error}");
                }
            }
            let _ = pattern::apgcode::encode("xs0", &pattern.cells);
        }
        other => panic!("{other}"),
    }
    Measurement {
        peak: ALLOCATOR.max_allocated().saturating_sub(before),
        length,
    }
}

/// The child process of [`measured`].
#[test]
fn one_case_is_measured() {
    if let Ok(case) = std::env::var(CASE) {
        let Measurement { peak, length } = measure(&case);
        println!("peak {peak} length {length}");
    }
}

/// A case, measured in a process of its own.
fn measured(case: &str) -> Measurement {
    let binary = std::env::current_exe().unwrap();
    let mut command = Command::new(binary);
    command.args(["--exact", "hostile::one_case_is_measured", "--nocapture"]);
    let output = command.env(CASE, case).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{case}: {text}");
    let told = text.lines().find_map(|line| line.split_once("peak "));
    let (peak, length) = told
        .and_then(|(_, told)| told.split_once(" length "))
        .unwrap();
    Measurement {
        peak: peak.parse().unwrap(),
        length: length.parse().unwrap(),
    }
}

#[test]
fn reading_holds_some_times_the_file_and_no_more() {
    for (number, hostile) in HOSTILE.iter().enumerate() {
        let HostileFile { name, format, .. } = hostile;
        let per_byte = match format {
            _ if name.starts_with("rows of 2^6") => PER_BYTE_OF_LONG_RUNS,
            Format::Apgcode => PER_BYTE_OF_COLUMNS,
            _ => PER_BYTE,
        };
        // A bomb may unpack to what is free.
        let bomb = name.starts_with("a bomb");
        let beside = BESIDE
            + if bomb {
                3 * ReadLimits::FREE_BYTES as usize
            } else {
                0
            };
        let Measurement { peak, length } = measured(&format!("read {number} {}", u64::MAX));
        let most = per_byte * length + beside;
        println!("{format}, {name}: {peak} bytes for {length}");
        assert!(peak <= most, "{format}, {name}: {peak} bytes for {length}");
    }
}

#[test]
fn reading_keeps_to_its_memory() {
    const MEMORY: usize = MIB;
    for (number, hostile) in HOSTILE.iter().enumerate() {
        let HostileFile { name, format, .. } = hostile;
        let Measurement { peak, length } = measured(&format!("read {number} {MEMORY}"));
        println!("{format}, {name}: {peak} bytes for {length}");
        // Errors are placed, and a little is not counted.
        let most = MEMORY + MEMORY / 5 + BESIDE;
        assert!(peak <= most, "{format}, {name}: {peak} bytes for {length}");
    }
}

#[test]
fn what_needs_more_memory_is_refused_with_its_place() {
    let limits = ReadLimits {
        memory: MIB as u64,
        ..ReadLimits::default()
    };
    for (format, name, place) in [
        (Format::Rle, "rows of 2^63 cells", "1:"),
        (Format::Rle, "a row a cell", "2:"),
        (Format::Rle, "a run a byte", "1:"),
        (Format::Rle, "comments", ""),
        (Format::Plaintext, "a row a cell", ""),
        (Format::Classroom, "all kinds of cells", "1:"),
        (Format::Life105, "every other cell", "2:"),
        (Format::Macrocell, "nodes", ""),
        (Format::MCell, "a row a cell", "2:"),
        (Format::Apgcode, "columns", "1:"),
    ] {
        let mut all = HOSTILE.iter();
        let hostile = all.find(|h| h.name == name && h.format == format);
        let file = (hostile.unwrap().file)();
        let error = read_as_with_limits(&file, format, limits).unwrap_err();
        assert_eq!(
            error.problem,
            PatternProblem::NeedsMemory(MIB as u64),
            "{format}, {name}"
        );
        let words = error.to_string();
        assert!(words.starts_with(place), "{format}, {name}: {words}");
        assert!(
            words.ends_with(": the pattern needs more than 1 MiB"),
            "{words}"
        );
        // Twice as much memory as is held at last is enough for all of them.
        let enough = ReadLimits {
            memory: 1 << 30,
            ..ReadLimits::default()
        };
        assert!(
            read_as_with_limits(&file, format, enough).is_ok(),
            "{format}, {name}"
        );
    }
}

/// A tree with all cells live, 2^level of them on a side.
fn full(level: u32) -> Cells {
    let mut nodes = vec![Node::Empty, Node::Leaf8(u64::MAX)];
    nodes.extend((1..=level - 3).map(|below| Node::Branch([below; 4])));
    Cells::from_tree(Tree {
        root: nodes.len() as u32 - 1,
        nodes,
        level,
    })
}

/// A chessboard of 2^level cells on a side: it has half as many runs as cells.
fn chessboard(level: u32) -> Cells {
    let mut nodes = vec![Node::Empty, Node::Leaf8(0xaa55_aa55_aa55_aa55)];
    nodes.extend((1..=level - 3).map(|below| Node::Branch([below; 4])));
    Cells::from_tree(Tree {
        root: nodes.len() as u32 - 1,
        nodes,
        level,
    })
}

fn run(y: i64, x: i64, length: u64) -> Run {
    Run {
        y,
        x,
        length,
        state: 1,
    }
}

type CellsFactory = fn() -> Cells;

const VAST: &[(&str, CellsFactory)] = &[
    ("a row of 2^31 cells", || {
        Cells::from_runs(vec![run(0, 0, 1 << 31)])
    }),
    ("a row of 2^32 cells", || {
        Cells::from_runs(vec![run(0, 0, 1 << 32)])
    }),
    ("a row of 2^63 cells", || {
        Cells::from_runs(vec![run(0, 0, 1 << 63)])
    }),
    ("a whole row", || {
        Cells::from_runs(vec![run(0, i64::MIN, u64::MAX)])
    }),
    ("two corners", || {
        let last = i64::MAX;
        Cells::from_runs(vec![run(i64::MIN, i64::MIN, 1), run(last, last, 1)])
    }),
    ("a column of 2^63 cells between two", || {
        Cells::from_runs(vec![run(0, 0, 1), run(i64::MAX, 0, 1)])
    }),
    ("a full square of 2^20", || full(20)),
    ("a full square of 2^63", || full(63)),
    ("a full square of 2^64", || full(64)),
    ("a full square of 2^2000", || full(2000)),
    ("a chessboard of 2^20", || chessboard(20)),
    ("a chessboard of 2^63", || chessboard(63)),
];

#[test]
fn writing_holds_no_more_than_the_pattern_and_a_buffer() {
    for (number, (name, cells)) in VAST.iter().enumerate() {
        let peak = measured(&format!("write {number}")).peak;
        println!("{name}: {peak} bytes");
        // The code of an object may be 16 MiB long, and Life 1.05 sorts what it writes.
        assert!(peak <= 100 * MIB, "{name}: {peak} bytes");
        assert!(!cells().is_empty());
    }
}
