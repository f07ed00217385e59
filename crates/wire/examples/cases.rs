//! Writes what this machine makes of the cases that WebAssembly is held against: a line of JSON for
//! each, `{"case", "answer"}` for a run and `{"command", "reply"}` for a command of the session.
//! `cargo xtask site OUT --check` runs it.

use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use wire::{HostedWorld, Room as _, RoomNews, run_case};

/// The shapes of a world of about 20 cells a side.
const SHAPES: [&str; 8] = [
    "", ":T20,17", ":P20,17", ":K20*,17", ":C20,17", ":S20", ":T64,64", ":T20,0",
];

const ENGINES: [&str; 3] = ["auto", "tiles", "hashlife"];

/// What comes before each command.
const BEFORE: [&str; 2] = ["open glider", "select all"];

fn main() {
    for (at, family) in rule::families().iter().enumerate() {
        let rule = family.example;
        // a rule that has a shape of its own keeps it
        let shapes = match rule.contains(':') {
            true => &SHAPES[..1],
            false => &SHAPES[..],
        };
        for (number, shape) in shapes.iter().enumerate() {
            for (engine, round) in ENGINES
                .into_iter()
                .flat_map(|engine| [(engine, 0), (engine, 1)])
            {
                let generations = 1 + (at * 7 + number * 5 + round * 13) % 40;
                let soup = soup(at as u64 * 31 + number as u64 + round as u64 * 7919);
                run(&format!("{engine} {generations} {rule}{shape}\n{soup}"));
            }
        }
    }
    let torus = soup(7);
    let life = [
        ("auto", "1103", "B3/S23", "b2o$2o$bo!"),
        ("auto", "5206", "B3/S23", "bo$3bo$2o2b3o!"),
        ("hashlife", "1000000000000000000000000000000", "B3/S23", GUN),
        ("torus", "1000", "B3/S23:T256,256", torus.as_str()),
    ];
    for (engine, generations, rule, cells) in life {
        run(&format!("{engine} {generations} {rule}\n{cells}"));
    }
    for entry in session::command::ALL {
        for example in entry.examples {
            let texts = [BEFORE[0], BEFORE[1], example];
            println!("{}", json!({ "command": texts, "reply": replies(&texts) }));
        }
    }
}

/// Gosper's gun.
const GUN: &str = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo\
                   5bo7bo$11bo3bo$12b2o!";

fn run(case: &str) {
    let answer = run_case(case.as_bytes());
    println!("{}", json!({ "case": case, "answer": answer }));
}

/// What a world replies to commands, one after the other.
fn replies(texts: &[&str]) -> Vec<Value> {
    let mut world = HostedWorld::open(64 << 20, 0.5_f64.to_bits(), Arc::new(|| Duration::ZERO));
    let mut replies = Vec::new();
    for (id, text) in texts.iter().enumerate() {
        let told = world.tell(&json!({ "do": text, "id": id }).to_string());
        debug_assert_eq!(told, Ok(()));
        while let Some(news) = world.take() {
            let RoomNews::Text(text) = news else { continue };
            let message: Value = serde_json::from_str(&text).unwrap_or_default();
            replies.extend(message.get("reply").cloned());
        }
    }
    replies
}

/// A random start of 13 cells a side as RLE.
fn soup(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut row = || {
        let cells = (0..13).map(|_| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            if state >> 62 == 0 { 'o' } else { 'b' }
        });
        cells.collect::<String>()
    };
    let rows: Vec<String> = (0..13).map(|_| row()).collect();
    format!("{}!", rows.join("$"))
}
