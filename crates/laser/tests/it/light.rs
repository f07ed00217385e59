//! Light: the puzzle's truth table, the tracer against a slow reference that knows only that
//! table, drawings, and the largest board.

use dice::Dice;
use grid::{Point, Symmetry};
use laser::{Board, Direction, Directions, Light, Piece, SensorStatus, Tile};
use std::collections::HashSet;

/// For the direction in which light travels as it enters, those in which it leaves.
const TABLE: &str = r"
    .  | N  | E  | S  | W
    W  | -  | -  | -  | -
    L^ | -  | -  | -  | -
    L> | -  | -  | -  | -
    Lv | -  | -  | -  | -
    L< | -  | -  | -  | -
    S^ | -  | -  | *  | -
    S> | -  | -  | -  | *
    Sv | *  | -  | -  | -
    S< | -  | *  | -  | -
    M\ | W  | S  | E  | N
    M/ | E  | N  | W  | S
    B\ | NW | ES | SE | WN
    B/ | NE | EN | SW | WS
    T^ | -  | N  | EW | N
    T> | E  | -  | E  | NS
    Tv | EW | S  | -  | S
    T< | W  | NS | W  | -
";

/// The rows of a table: its cells, trimmed.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| line.split('|').map(str::trim).collect())
}

fn tile(text: &str) -> Tile {
    Tile::ALL
        .into_iter()
        .find(|tile| tile.text() == text)
        .unwrap()
}

/// `-` and `*` are no directions.
fn directions(text: &str) -> Directions {
    let known = |letter| "NESW".find(letter).map(|index| Direction::ALL[index]);
    text.chars().filter_map(known).collect()
}

#[test]
fn every_tile_passes_light_as_the_table_says() {
    assert_eq!(rows(TABLE).count(), Tile::COUNT);
    for row in rows(TABLE) {
        let tile = tile(row[0]);
        for (heading, wanted) in Direction::ALL.into_iter().zip(&row[1..]) {
            assert_eq!(
                tile.pass(heading),
                directions(wanted),
                "{tile} entered {heading}"
            );
            assert_eq!(
                tile.is_lit_by(heading),
                *wanted == "*",
                "{tile} entered {heading}"
            );
            if let Some(piece) = tile.piece() {
                assert_eq!(piece.pass(heading), tile.pass(heading));
            }
        }
    }
}

/// `exit` in out(`heading`) exactly when back-`heading` in out(back-`exit`), for all that
/// lets light through.
#[test]
fn light_can_be_sent_back() {
    for tile in Tile::ALL {
        let is_open = Direction::ALL.iter().any(|&way| !tile.pass(way).is_empty());
        assert_eq!(is_open, tile.is_free(), "{tile}");
        for heading in Direction::ALL {
            for exit in Direction::ALL {
                let there = tile.pass(heading).contains(exit);
                let back = tile.pass(exit.opposite()).contains(heading.opposite());
                assert_eq!(there, back, "{tile}: {heading} to {exit}");
            }
        }
    }
}

/// Light as a set of heads that grows until nothing is new: a place and a direction each.
struct LightTwin {
    pass: Vec<[Directions; 4]>,
}

impl LightTwin {
    fn new() -> Self {
        let row = |row: Vec<&str>| [1, 2, 3, 4].map(|column| directions(row[column]));
        Self {
            pass: rows(TABLE).map(row).collect(),
        }
    }

    fn light(&self, board: &Board) -> HashSet<(Point, Direction)> {
        let beside = |place: Point, way| {
            let (dx, dy) = [(0, -1), (1, 0), (0, 1), (-1, 0)][way as usize];
            (place.offset(dx, dy), way)
        };
        let mut newest: Vec<(Point, Direction)> = Vec::new();
        for y in 0..i64::from(board.height()) {
            for x in 0..i64::from(board.width()) {
                if let Some(Tile::Laser(way)) = board.at(Point::new(x, y)) {
                    newest.push(beside(Point::new(x, y), way));
                }
            }
        }
        let mut heads = HashSet::new();
        while !newest.is_empty() {
            newest.retain(|&(place, way)| board.at(place).is_some() && heads.insert((place, way)));
            let mut next = Vec::new();
            for &(place, way) in &newest {
                let exits = self.pass[board.at(place).unwrap().index()][way as usize];
                next.extend(exits.iter().map(|exit| beside(place, exit)));
            }
            newest = next;
        }
        heads
    }

    /// Compares the two in everything that light tells.
    fn check(&self, board: &Board, light: &mut Light) {
        light.trace(board);
        let heads = self.light(board);
        let mut status = SensorStatus { sensors: 0, lit: 0 };
        for cell in 0..board.cells() {
            let (place, tile) = (board.place(cell), board.tile(cell));
            let entering: Directions = Direction::ALL
                .into_iter()
                .filter(|&way| heads.contains(&(place, way)))
                .collect();
            assert_eq!(light.entering(cell), entering, "{place:?} of\n{board}");
            let mut leaving: Directions = entering
                .iter()
                .flat_map(|way| self.pass[tile.index()][way as usize].iter())
                .collect();
            if let Tile::Laser(way) = tile {
                leaving = leaving | way.into();
            }
            assert_eq!(light.leaving(board, cell), leaving, "{place:?} of\n{board}");
            if let Tile::Sensor(way) = tile {
                let is_lit = heads.contains(&(place, way.opposite()));
                assert_eq!(light.is_lit(board, cell), is_lit);
                status.sensors += 1;
                status.lit += u32::from(is_lit);
            }
        }
        assert_eq!(light.beam_fronts(), heads.len() as u64);
        assert!(heads.len() <= 4 * board.cells());
        assert_eq!(light.status(board), status);
    }
}

/// A board of random tiles: in so many of a hundred cells anything but an empty tile, and in
/// one of four of these anything at all, else a piece.
fn scattered(dice: &mut Dice, width: u32, height: u32, percent: u32) -> Board {
    let mut board = Board::new(width, height).unwrap();
    for cell in 0..board.cells() {
        if dice.below(100) < percent {
            let first = if dice.below(4) == 0 { 1 } else { 10 };
            let kind = first + dice.below(Tile::COUNT as u32 - first);
            board.put(cell, Tile::ALL[kind as usize]);
        }
    }
    board
}

#[test]
fn light_is_what_the_slow_twin_says_on_boards_of_every_size() {
    let (twin, mut dice) = (LightTwin::new(), Dice::new(1));
    // one light for all, so that nothing of the last board may stay
    let mut light = Light::default();
    for side in 1..=64 {
        for percent in [8, 60] {
            twin.check(&scattered(&mut dice, side, side, percent), &mut light);
        }
    }
    for _ in 0..150 {
        let (width, height) = (1 + dice.below(64), 1 + dice.below(64));
        let percent = [3, 10, 25, 50, 100][dice.below(5) as usize];
        twin.check(&scattered(&mut dice, width, height, percent), &mut light);
    }
    for _ in 0..500 {
        let (width, height) = (1 + dice.below(6), 1 + dice.below(6));
        twin.check(&scattered(&mut dice, width, height, 70), &mut light);
    }
}

/// A board with a laser at the end of each row and column, and something in all other cells.
fn besieged(width: u32, height: u32, mut inner: impl FnMut() -> Tile) -> Board {
    let mut board = Board::new(width, height).unwrap();
    for cell in 0..board.cells() {
        let Point { x, y } = board.place(cell);
        let (right, bottom) = (i64::from(width) - 1, i64::from(height) - 1);
        let tile = match (x == 0 || x == right, y == 0 || y == bottom) {
            (true, true) => Tile::Wall,
            (true, false) if x == 0 => Tile::Laser(Direction::East),
            (true, false) => Tile::Laser(Direction::West),
            (false, true) if y == 0 => Tile::Laser(Direction::South),
            (false, true) => Tile::Laser(Direction::North),
            (false, false) => inner(),
        };
        board.put(cell, tile);
    }
    board
}

#[test]
fn light_from_all_sides_is_what_the_slow_twin_says() {
    let (twin, mut dice) = (LightTwin::new(), Dice::new(2));
    let mut light = Light::default();
    for side in [3, 4, 5, 8, 16, 31, 32, 33] {
        for piece in Piece::ALL {
            let board = besieged(side, side + 2, || Tile::Hardware(piece));
            twin.check(&board, &mut light);
        }
        for _ in 0..4 {
            let board = besieged(side + 3, side, || {
                Tile::Hardware(Piece::ALL[dice.below(8) as usize])
            });
            twin.check(&board, &mut light);
        }
    }
}

/// Light enters each splitter from all four sides, and each laser from the board.
#[test]
fn the_largest_board_full_of_splitters_is_lit_all_over() {
    let largest = Board::LARGEST;
    for (width, height) in [(largest, largest), (largest, 3), (3, largest)] {
        let splitter = Tile::Hardware(Piece::SplitterFalling);
        let board = besieged(width, height, || splitter);
        let (inner_width, inner_height) = (u64::from(width - 2), u64::from(height - 2));
        assert_eq!(
            Light::of(&board).beam_fronts(),
            4 * inner_width * inner_height + 2 * (inner_width + inner_height)
        );
    }
}

/// What is drawn in a tile that light enters, travelling these ways.
const HALVES: &str = r"
    .  | -    | -
    .  | N    | NS
    .  | E    | EW
    .  | NE   | NESW
    .  | NS   | NS
    W  | NESW | -
    L^ | -    | N
    L^ | E    | N
    L^ | NESW | N
    L< | S    | W
    S^ | -    | -
    S^ | S    | N
    S^ | N    | -
    S^ | E    | -
    S^ | NESW | N
    S> | W    | E
    S> | ES   | -
    Sv | N    | S
    S< | E    | W
    S< | ES   | W
    M\ | E    | SW
    M\ | N    | SW
    M\ | S    | NE
    M\ | NE   | SW
    M\ | ES   | NESW
    M/ | E    | NW
    M/ | W    | ES
    M/ | EW   | NESW
    B\ | E    | ESW
    B\ | S    | NES
    B\ | NE   | NESW
    B/ | E    | NEW
    B/ | W    | ESW
    T^ | N    | S
    T^ | E    | NW
    T^ | S    | NEW
    T^ | EW   | NEW
    T^ | NESW | NESW
    T> | E    | W
    T> | W    | NES
    T> | N    | ES
    Tv | S    | N
    Tv | E    | SW
    T< | W    | E
    T< | E    | NSW
    T< | NS   | NSW
";

#[test]
fn half_beams_are_drawn_where_light_goes_in_and_out() {
    for row in rows(HALVES) {
        let (tile, entering, wanted) = (tile(row[0]), directions(row[1]), directions(row[2]));
        let mut board = Board::new(3, 3).unwrap();
        board.put(4, tile);
        for way in entering.iter() {
            let behind = board.beside(4, way.opposite()).unwrap();
            board.put(behind, Tile::Laser(way));
        }
        let light = Light::of(&board);
        assert_eq!(light.entering(4), entering);
        assert_eq!(light.half_beams(&board, 4), wanted, "{row:?}");
    }
}

/// How far boards are from their end, and how many heads there are.
#[test]
fn a_level_is_solved_when_all_its_sensors_are_lit() {
    let status = |sensors, lit| SensorStatus { sensors, lit };
    for (text, wanted, heads) in [
        ("1 1\n.", status(0, 0), 0),
        ("2 1\nL>.", status(0, 0), 1),
        ("1 1\nS<", status(1, 0), 0),
        ("1 1\nL>", status(0, 0), 0),
        ("2 1\nL>S<", status(1, 1), 1),
        ("2 1\nL>S>", status(1, 0), 1),
        ("3 1\nL>. S<", status(1, 1), 2),
        // past a sensor no light goes
        ("3 1\nL>S<S<", status(2, 1), 1),
        // a laser takes the light of another
        ("3 1\nL>L>S<", status(1, 1), 2),
        ("2 1\nL>L<", status(0, 0), 2),
        // at the edge light is gone: it does not come back on the other side
        ("3 1\nS>L<.", status(1, 1), 1),
        ("3 1\n. L>S>", status(1, 0), 1),
        ("2 2\nL>.\nS>. ", status(1, 0), 1),
        ("1 3\nSv\nL^\n.", status(1, 1), 1),
        // beams cross
        ("3 3\nW LvW\nL>. S<\nW S^W", status(2, 2), 4),
        // lit from two sides, one of which counts
        ("3 1\nL>S<L<", status(1, 1), 2),
        (
            "5 4\nW W SvW W\nW . . . W\nL>. M/. W\nW W W W W",
            status(1, 1),
            4,
        ),
        (
            "5 4\nW W SvW W\nW . M/. W\nL>. . . W\nW W W W W",
            status(1, 0),
            4,
        ),
    ] {
        let board: Board = text.parse().unwrap();
        let light = Light::of(&board);
        assert_eq!(light.status(&board), wanted, "{text}");
        assert_eq!(light.beam_fronts(), heads, "{text}");
        assert_eq!(
            light.status(&board).is_solved(),
            wanted.sensors > 0 && wanted.lit == wanted.sensors
        );
    }
}

#[test]
fn light_that_comes_round_ends() {
    for text in [
        "4 5\n. M/M\\.\nL>B/. W\n. M\\M/.\n. . . .\n. . . .",
        "6 4\n. B/. . B\\.\nL>. . . . .\n. B\\. . B/.\n. L^. . . .",
        "4 4\nB/B\\. .\nB\\B/. .\nL^. . .\n. . . .",
    ] {
        LightTwin::new().check(&text.parse().unwrap(), &mut Light::default());
    }
}

/// A tile as it looks after its board was turned or reflected.
fn turned_tile(symmetry: Symmetry, tile: Tile) -> Tile {
    let turned = |way: Direction| {
        let (dx, dy) = way.step();
        let Point { x, y } = symmetry.apply(Point::new(dx, dy));
        let is_it = |way: &Direction| way.step() == (x, y);
        Direction::ALL.into_iter().find(is_it).unwrap()
    };
    // a slant that falls goes on falling unless the diagonals change places
    let keeps_slants = match symmetry {
        Symmetry::Identity | Symmetry::Rotate180 => true,
        Symmetry::Transpose | Symmetry::AntiTranspose => true,
        Symmetry::Rotate90 | Symmetry::Rotate270 => false,
        Symmetry::MirrorX | Symmetry::MirrorY => false,
    };
    let points = [Piece::TNorth, Piece::TEast, Piece::TSouth, Piece::TWest];
    match tile {
        Tile::Empty | Tile::Wall => tile,
        Tile::Laser(way) => Tile::Laser(turned(way)),
        Tile::Sensor(way) => Tile::Sensor(turned(way)),
        Tile::Hardware(piece) => Tile::Hardware(match piece {
            _ if points.contains(&piece) => {
                let way = Direction::ALL[piece.index() - Piece::TNorth.index()];
                points[turned(way).index()]
            }
            _ if keeps_slants => piece,
            Piece::MirrorFalling => Piece::MirrorRising,
            Piece::MirrorRising => Piece::MirrorFalling,
            Piece::SplitterFalling => Piece::SplitterRising,
            Piece::SplitterRising => Piece::SplitterFalling,
            _ => unreachable!("all others point"),
        }),
    }
}

#[test]
fn the_light_of_a_turned_board_is_turned_light() {
    let mut dice = Dice::new(3);
    for _ in 0..200 {
        let (width, height) = (1 + dice.below(12), 1 + dice.below(12));
        let board = scattered(&mut dice, width, height, 40);
        let light = Light::of(&board);
        for symmetry in Symmetry::ALL {
            let images = (0..board.cells()).map(|cell| symmetry.apply(board.place(cell)));
            let images: Vec<_> = images.collect();
            let left = images.iter().map(|place| place.x).min().unwrap();
            let top = images.iter().map(|place| place.y).min().unwrap();
            let is_on_its_side = symmetry.apply(Point::new(1, 0)).x == 0;
            let (width, height) = match is_on_its_side {
                true => (height, width),
                false => (width, height),
            };
            let mut image = Board::new(width, height).unwrap();
            let cells = images
                .iter()
                .map(|place| image.index(place.offset(-left, -top)));
            let cells: Vec<usize> = cells.map(Option::unwrap).collect();
            for (cell, &there) in cells.iter().enumerate() {
                image.put(there, turned_tile(symmetry, board.tile(cell)));
            }
            let turned = Light::of(&image);
            for (cell, &there) in cells.iter().enumerate() {
                let wanted: Directions = light
                    .entering(cell)
                    .iter()
                    .map(|way| match turned_tile(symmetry, Tile::Laser(way)) {
                        Tile::Laser(way) => way,
                        _ => unreachable!("a laser stays a laser"),
                    })
                    .collect();
                assert_eq!(turned.entering(there), wanted, "{symmetry:?} of\n{board}");
            }
            assert_eq!(turned.status(&image), light.status(&board));
        }
    }
}
