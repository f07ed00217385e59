//! Light: a board of 15 x 15 as people play it, one of 64 x 64, and the largest board full of
//! splitters or crossed by a beam in every row and column.

#![allow(missing_docs, reason = "criterion makes the functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dice::Dice;
use laser::{Board, Direction, Light, Piece, Tile};
use std::hint::black_box;

/// A board within walls: some of the cells hold pieces, and lasers stand in the walls.
fn room(side: u32, pieces: u32, lasers: u32) -> Board {
    let mut dice = Dice::new(u64::from(side));
    let mut board = framed(side, |_| Tile::Wall);
    for _ in 0..lasers {
        let (along, side) = (1 + dice.below(side - 2) as usize, side as usize);
        let (cell, way) = match dice.below(4) {
            0 => (along, Direction::South),
            1 => (along * side, Direction::East),
            2 => (board.cells() - 1 - along, Direction::North),
            _ => (along * side + side - 1, Direction::West),
        };
        board.put(cell, Tile::Laser(way));
    }
    for _ in 0..pieces {
        let place = grid::Point::new(
            i64::from(1 + dice.below(side - 2)),
            i64::from(1 + dice.below(side - 2)),
        );
        let cell = board.index(place).expect("within the walls");
        board.put(cell, Tile::Hardware(Piece::ALL[dice.below(8) as usize]));
    }
    board
}

/// An empty board, and what stands at its edge and looks this way, but for the corners.
fn framed(side: u32, tile: impl Fn(Direction) -> Tile) -> Board {
    let mut board = Board::new(side, side).expect("a size that boards may have");
    let side = side as usize;
    for along in 0..side {
        let corner = along == 0 || along == side - 1;
        for (cell, way) in [
            (along, Direction::South),
            (along * side, Direction::East),
            (side * side - 1 - along, Direction::North),
            (along * side + side - 1, Direction::West),
        ] {
            board.put(cell, if corner { Tile::Wall } else { tile(way) });
        }
    }
    board
}

/// The largest board: a laser at each end of each row and column, and splitters between.
fn splitters(mut kind: impl FnMut() -> Piece) -> Board {
    filled(framed(Board::LARGEST, Tile::Laser), &mut kind)
}

/// The largest board: a laser at the west end of the first row, and splitters in all others.
fn lit_by_one(mut kind: impl FnMut() -> Piece) -> Board {
    let mut board = Board::new(Board::LARGEST, Board::LARGEST).expect("the largest size");
    board.put(0, Tile::Laser(Direction::East));
    filled(board, &mut kind)
}

fn filled(mut board: Board, kind: &mut dyn FnMut() -> Piece) -> Board {
    for cell in 0..board.cells() {
        if board.tile(cell) == Tile::Empty {
            board.put(cell, Tile::Hardware(kind()));
        }
    }
    board
}

fn light(criterion: &mut Criterion) {
    let mut dice = Dice::new(0);
    let mut either = || [Piece::SplitterFalling, Piece::SplitterRising][dice.below(2) as usize];
    let boards = [
        ("15x15", room(15, 15, 3)),
        ("15x15-crowded", room(15, 100, 8)),
        ("64x64", room(64, 400, 10)),
        ("4096x4096-crossing", framed(Board::LARGEST, Tile::Laser)),
        (
            "4096x4096-splitters-of-one-kind",
            splitters(|| Piece::SplitterFalling),
        ),
        ("4096x4096-splitters-of-both-kinds", splitters(&mut either)),
        ("4096x4096-splitters-and-one-laser", lit_by_one(&mut either)),
    ];
    let mut group = criterion.benchmark_group("light");
    for (name, board) in boards {
        let mut light = Light::of(&board);
        if board.cells() > 1 << 20 {
            group.sample_size(10);
        }
        group.throughput(Throughput::Elements(light.beam_fronts()));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                light.trace(black_box(&board));
                black_box(&light);
            });
        });
    }
    group.finish();
}

/// The largest file there is.
fn files(criterion: &mut Criterion) {
    let board = splitters(|| Piece::SplitterFalling);
    let text = board.to_string();
    let mut group = criterion.benchmark_group("level");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("read-4096x4096", |bencher| {
        bencher.iter(|| Board::read(black_box(text.as_bytes())));
    });
    group.bench_function("write-4096x4096", |bencher| {
        bencher.iter(|| black_box(&board).to_string());
    });
    group.finish();
}

criterion_group!(benches, light, files);
criterion_main!(benches);
