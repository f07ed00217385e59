//! How fast files are read: at least 100 MB a second on one core is expected.
//!
//! The inputs are made here: a soup of one live cell in three, 16 MB as RLE, and a
//! macrocell file of a million nodes.

#![allow(missing_docs)] // criterion's macro makes an item without any

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dice::Dice;
use pattern::{Format, read_as, write};
use std::fmt::Write as _;
use std::hint::black_box;

fn soup(bytes: usize, states: u64) -> String {
    let mut dice = Dice::new(1);
    let mut text = String::from("x = 4000, y = 4000\n");
    let (mut line, mut row) = (0, 0);
    while text.len() < bytes {
        let begin = text.len();
        let count = dice.word() % 5 + 1;
        if count > 1 {
            let _ = write!(text, "{count}");
        }
        let live = dice.word() % states;
        text.push(match (states, live) {
            (2, 0) => 'b',
            (2, _) => 'o',
            (_, 0) => '.',
            _ => char::from(b'A' + live as u8 - 1),
        });
        row += count;
        if row > 4000 {
            text.push('$');
            row = 0;
        }
        line += text.len() - begin;
        if line > 66 {
            text.push('\n');
            line = 0;
        }
    }
    text.push('!');
    text
}

/// A full tree of different leaves: 786,432 of them and 262,144 nodes above.
fn tree(multistate: bool) -> String {
    let mut dice = Dice::new(2);
    let mut text = String::from("[M2] (bench)\n#R B3/S23\n");
    let least = if multistate { 1 } else { 3 };
    let mut row: Vec<u32> = (1..=786_432).collect();
    for _ in &row {
        let cells = dice.word();
        if multistate {
            let cell = |place: u64| cells >> (8 * place) & 7;
            let _ = writeln!(text, "1 {} {} {} {}", cell(0), cell(1), cell(2), cell(3));
            continue;
        }
        for y in 0..8 {
            for x in 0..8 {
                text.push(if cells >> (8 * y + x) & 1 == 1 {
                    '*'
                } else {
                    '.'
                });
            }
            text.push('$');
        }
        text.push('\n');
    }
    let (mut level, mut next) = (least, row.len() as u32 + 1);
    while row.len() > 1 {
        level += 1;
        let mut above = Vec::new();
        for four in row.chunks(4) {
            let child = |i: usize| four.get(i).copied().unwrap_or(0);
            let _ = writeln!(
                text,
                "{level} {} {} {} {}",
                child(0),
                child(1),
                child(2),
                child(3)
            );
            above.push(next);
            next += 1;
        }
        row = above;
    }
    text
}

fn reading(criterion: &mut Criterion) {
    let rle = soup(16_000_000, 2);
    let pattern = read_as(rle.as_bytes(), Format::Rle).expect("a soup is valid");
    let mut life106 = Vec::new();
    let small = read_as(soup(1_000_000, 2).as_bytes(), Format::Rle).expect("a soup is valid");
    write(&small, Format::Life106, &mut life106).expect("memory takes it");
    let inputs = [
        ("rle", Format::Rle, rle.into_bytes()),
        (
            "rle 8 states",
            Format::Rle,
            soup(16_000_000, 8).into_bytes(),
        ),
        ("macrocell", Format::Macrocell, tree(false).into_bytes()),
        (
            "macrocell 8 states",
            Format::Macrocell,
            tree(true).into_bytes(),
        ),
        ("life106", Format::Life106, life106),
    ];
    let mut group = criterion.benchmark_group("read");
    group.sample_size(10);
    for (name, format, bytes) in &inputs {
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(*name, |bencher| {
            bencher.iter(|| read_as(black_box(bytes), *format).expect("the input is valid"));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("write");
    group.sample_size(10);
    for format in [Format::Rle, Format::Macrocell] {
        group.bench_function(format.name(), |bencher| {
            bencher.iter(|| write(black_box(&pattern), format, &mut std::io::sink()));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("measure");
    group.sample_size(10);
    group.bench_function("hash of rows", |bencher| {
        bencher.iter(|| pattern.cells.hash())
    });
    group.bench_function("to a tree", |bencher| {
        bencher.iter(|| pattern.cells.to_tree())
    });
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
