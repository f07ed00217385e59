//! Files: each way to get a level wrong has its own error at its own place, and what is
//! written is read again.

use laser::{Board, Tile};
use proptest::prelude::*;

/// A text, and what is said about it.
#[rustfmt::skip]
const WRONG: &[(&str, &str)] = &[
    // the size
    ("", "1:1: expected the width, a number from 1 to 4096"),
    ("  \n \t\n ", "3:2: expected the width, a number from 1 to 4096"),
    ("W W", "1:1: expected the width, a number from 1 to 4096"),
    ("-1 1\nW", "1:1: expected the width, a number from 1 to 4096"),
    ("x 1\nW", "1:1: expected the width, a number from 1 to 4096"),
    ("5", "1:2: expected the height, a number from 1 to 4096"),
    ("5\n4\n", "1:2: expected the height, a number from 1 to 4096"),
    ("5 \r\n4\n", "1:3: expected the height, a number from 1 to 4096"),
    ("  5  x\n", "1:6: expected the height, a number from 1 to 4096"),
    ("5x4\n", "1:2: expected the height, a number from 1 to 4096"),
    ("5.5 4\n", "1:2: expected the height, a number from 1 to 4096"),
    ("5 -4\n", "1:3: expected the height, a number from 1 to 4096"),
    ("0 4\n", "1:1: the width is 0: expected a number from 1 to 4096"),
    ("\n\n  000 0\n", "3:3: the width is 0: expected a number from 1 to 4096"),
    ("5 0\n", "1:3: the height is 0: expected a number from 1 to 4096"),
    ("4097 1\n", "1:1: the width is too large: expected a number from 1 to 4096"),
    ("1 4097\n", "1:3: the height is too large: expected a number from 1 to 4096"),
    ("1\t 99999999999999999999999999\n", "1:4: the height is too large: expected a number from 1 to 4096"),
    ("4294967297 1\nW", "1:1: the width is too large: expected a number from 1 to 4096"),
    ("1 1 W\n", "1:5: expected the end of the line after the size"),
    ("1 1 1\nW\n", "1:5: expected the end of the line after the size"),
    ("2 1.5\nWW\n", "1:4: expected the end of the line after the size"),
    ("2 1\u{fe0f}\nWW\n", "1:4: expected the end of the line after the size"),
    // rows that are missing, short, long
    ("2 2", "1:4: the text ends after 0 rows: expected 2"),
    ("2 2\n", "2:1: the text ends after 0 rows: expected 2"),
    ("2 2\nWW", "2:3: the text ends after 1 row: expected 2"),
    ("2 2\r\nWW\r\n", "3:1: the text ends after 1 row: expected 2"),
    ("2 3\nWW\n\n..\n\n \n", "5:1: the text ends after 2 rows: expected 3"),
    ("4096 4096\n", "2:1: the text ends after 0 rows: expected 4096"),
    ("3 2\nW W W\nW \nWWW", "3:3: row 2 has 1 tile: expected 3"),
    ("3 2\r\nW W W\r\nW W\r\n", "3:4: row 2 has 2 tiles: expected 3"),
    ("3 1\nM/M\\", "2:5: row 1 has 2 tiles: expected 3"),
    ("3 2\nW W W\n  W W W W\n", "3:9: row 2 goes on: expected the end of the line after 3 tiles"),
    ("1 1\n..", "2:2: row 1 goes on: expected the end of the line after 1 tile"),
    ("1 1\n.?", "2:2: row 1 goes on: expected the end of the line after 1 tile"),
    // what follows
    ("1 1\nW\n\n  W\n", "4:3: expected the end of the text after 1 row"),
    ("1 2\nW\nW\n1 2\n", "4:1: expected the end of the text after 2 rows"),
    ("1 1\nW\n\0", "3:1: expected the end of the text after 1 row"),
    // letters
    ("2 1\nWQ\n", "2:2: `Q` is no tile: expected one of . W L S T M B"),
    ("2 1\n\tw", "2:2: `w` is no tile: expected one of . W L S T M B"),
    ("2 1\n\\/", "2:1: `\\` is no tile: expected one of . W L S T M B"),
    ("2 1\nW >", "2:3: `>` is no tile: expected one of . W L S T M B"),
    ("2 1\nM//", "2:3: `/` is no tile: expected one of . W L S T M B"),
    ("2 1\nW\u{feff}", "2:2: `\\u{feff}` is no tile: expected one of . W L S T M B"),
    ("2 1\nW\u{1b}[0m", "2:2: `\\u{1b}` is no tile: expected one of . W L S T M B"),
    ("2 1\nW🙂", "2:2: `🙂` is no tile: expected one of . W L S T M B"),
    ("2 1\nW.é", "2:3: row 1 goes on: expected the end of the line after 2 tiles"),
    // directions
    ("2 1\nM .\n", "2:2: `M` has no direction: expected one of / \\"),
    ("2 1\n. B\n", "2:4: `B` has no direction: expected one of / \\"),
    ("2 1\n. B\r\n", "2:4: `B` has no direction: expected one of / \\"),
    ("2 1\nL\t>.\n", "2:2: `L` has no direction: expected one of < > ^ v"),
    ("1 2\nS\nW\n", "2:2: `S` has no direction: expected one of < > ^ v"),
    ("1 1\nT \n", "2:2: `T` has no direction: expected one of < > ^ v"),
    ("1 1\nM>\n", "2:2: `>` is no direction of `M`: expected one of / \\"),
    ("2 1\n.B|", "2:3: `|` is no direction of `B`: expected one of / \\"),
    ("1 1\nL/\n", "2:2: `/` is no direction of `L`: expected one of < > ^ v"),
    ("1 1\nSV\n", "2:2: `V` is no direction of `S`: expected one of < > ^ v"),
    ("1 1\nT\\\n", "2:2: `\\` is no direction of `T`: expected one of < > ^ v"),
    ("2 1\nSW.\n", "2:2: `W` is no direction of `S`: expected one of < > ^ v"),
    ("1 1\nT→\n", "2:2: `→` is no direction of `T`: expected one of < > ^ v"),
    // an end within a tile
    ("1 1\nM", "2:2: the text ends within a tile: `M` needs one of / \\"),
    ("1 1\nB", "2:2: the text ends within a tile: `B` needs one of / \\"),
    ("1 1\nL", "2:2: the text ends within a tile: `L` needs one of < > ^ v"),
    ("2 1\nW S", "2:4: the text ends within a tile: `S` needs one of < > ^ v"),
    ("1 3\n.\n.\nT", "4:2: the text ends within a tile: `T` needs one of < > ^ v"),
];

#[test]
fn each_wrong_level_has_its_own_error_at_its_own_place() {
    for &(text, wanted) in WRONG {
        let error = text.parse::<Board>().unwrap_err();
        assert_eq!(error.to_string(), wanted, "{text:?}");
    }
}

#[test]
fn the_broken_levels_say_what_is_broken() {
    for (text, wanted) in [
        (
            &include_bytes!("../levels/broken1.level")[..],
            "4:6: `M` has no direction: expected one of / \\",
        ),
        (
            include_bytes!("../levels/broken2.level"),
            "3:9: row 2 has 4 tiles: expected 5",
        ),
        (
            include_bytes!("../levels/broken3.level"),
            "1:1: the width is 0: expected a number from 1 to 4096",
        ),
        (
            include_bytes!("../levels/broken4.level"),
            "3:5: `Q` is no tile: expected one of . W L S T M B",
        ),
    ] {
        assert_eq!(Board::read(text).unwrap_err().to_string(), wanted);
    }
}

#[test]
fn bytes_that_are_no_text_have_a_place_too() {
    for (bytes, wanted) in [
        (
            &b"\xff\xfe5 4"[..],
            "1:1: expected the width, a number from 1 to 4096",
        ),
        (
            b"2 1\n. \xc3(",
            "2:3: byte 0xc3 is no text: expected one of . W L S T M B",
        ),
        (
            b"2 1\n. \xf0\x9f\x99",
            "2:3: byte 0xf0 is no text: expected one of . W L S T M B",
        ),
        (
            b"2 1\n.M\x80",
            "2:3: byte 0x80 is no text: expected one of / \\",
        ),
        (
            b"2 1\n.L\xff",
            "2:3: byte 0xff is no text: expected one of < > ^ v",
        ),
        (
            b"2 1\n..\n\xff",
            "3:1: expected the end of the text after 1 row",
        ),
        // a sign that ends with the text, and one with another behind it
        (
            "2 1\n.é".as_bytes(),
            "2:2: `é` is no tile: expected one of . W L S T M B",
        ),
        (
            b"2 1\n.\xc3\xa9\xff",
            "2:2: `é` is no tile: expected one of . W L S T M B",
        ),
    ] {
        assert_eq!(Board::read(bytes).unwrap_err().to_string(), wanted);
    }
}

#[test]
fn blanks_may_stand_anywhere_but_within_a_tile() {
    let wanted: Board = "3 2\nL>M/S<\n. B\\Tv\n".parse().unwrap();
    for text in [
        "3 2\nL>M/S<\n.B\\Tv",
        "\n\n 3\t2 \n\n\tL> M/\t\tS< \n \n\n  .   B\\Tv\n\n \n\t",
        "3 2\r\nL>M/S<\r\n.B\\Tv\r\n",
        "\r\n3 2\r\n\r\nL>\rM/S<\r\n\r\n.B\\Tv\r",
        "03 0002\nL>M/S<\n.B\\Tv\n",
    ] {
        assert_eq!(text.parse::<Board>().as_ref(), Ok(&wanted), "{text:?}");
    }
}

/// U+FEFF, as some editors write it before any text.
#[test]
fn a_mark_before_the_text_is_in_no_column() {
    assert!("\u{feff}1 1\nW\n".parse::<Board>().is_ok());
    let error = "\u{feff}1 0\nW\n".parse::<Board>().unwrap_err();
    assert!(error.to_string().starts_with("1:3: "), "{error}");
    assert!("\u{feff}\u{feff}1 1\nW\n".parse::<Board>().is_err());
}

#[test]
fn cells_are_written_two_signs_wide() {
    let text = "5 4\nW W SvW W \nW . . . W \nL>. M/. W \nW W W W W \n";
    assert_eq!(text.parse::<Board>().unwrap().to_string(), text);
}

#[test]
fn every_tile_is_read_as_it_is_written() {
    let mut board = Board::new(Tile::COUNT as u32, 1).unwrap();
    for (cell, tile) in Tile::ALL.into_iter().enumerate() {
        board.put(cell, tile);
    }
    let text = "18 1\n. W L^L>LvL<S^S>SvS<M\\M/B\\B/T^T>TvT<\n";
    assert_eq!(board.to_string(), text);
    assert_eq!(text.parse(), Ok(board));
}

/// Any board of up to 12 x 12.
fn boards() -> impl Strategy<Value = Board> {
    (1u32..=12, 1u32..=12).prop_flat_map(|(width, height)| {
        let cells = (width * height) as usize;
        proptest::collection::vec(0..Tile::COUNT, cells).prop_map(move |tiles| {
            let mut board = Board::new(width, height).unwrap();
            for (cell, tile) in tiles.into_iter().enumerate() {
                board.put(cell, Tile::ALL[tile]);
            }
            board
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(board in boards()) {
        prop_assert_eq!(board.to_string().parse(), Ok(board));
    }

    #[test]
    fn blanks_change_nothing(board in boards(), blanks in proptest::collection::vec(0usize..6, 1..50)) {
        let mut blanks = blanks.into_iter().cycle();
        let mut blank = |most: usize| [" ", "", "  ", "\t", " \t ", "\r "][blanks.next().unwrap().min(most)];
        let mut text = format!("{}{} {}{}\n", blank(5), board.width(), board.height(), blank(4));
        for (cell, tile) in board.tiles().enumerate() {
            text += tile.text();
            text += blank(4);
            if (cell + 1).is_multiple_of(board.width() as usize) {
                text += ["\n", "\r\n", "\n\n", "\n \n", "\n\t\r\n", "\n"][blank(5).len()];
            }
        }
        let trimmed: Result<Board, _> = text.trim_end().parse();
        prop_assert_eq!(trimmed.as_ref(), Ok(&board));
        prop_assert_eq!(text.parse(), Ok(board));
    }

    /// Whatever the bytes are: a board or an error, whose place is in the text.
    #[test]
    fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..80), head in 0usize..3) {
        let mut text = ["", "3 2\n", "1 1\nW"][head].as_bytes().to_vec();
        text.extend(bytes);
        if let Err(error) = Board::read(&text) {
            let lines: Vec<_> = text.split(|&byte| byte == b'\n').collect();
            let line = lines[error.line - 1];
            prop_assert!(error.column <= line.len() + 1, "{}", error);
        }
    }
}
