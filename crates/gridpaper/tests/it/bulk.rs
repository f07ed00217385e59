//! Bulk reads and writes against cell by cell.

use dice::Dice;
use gridpaper::{Error, Rect, World};

fn random_rect(dice: &mut Dice) -> Rect {
    let side = |dice: &mut Dice, most: u32| i64::from(dice.below(most));
    let (x, y) = (side(dice, 140) - 70, side(dice, 40) - 20);
    let (width, height) = (1 + side(dice, 139) as u64, 1 + side(dice, 11) as u64);
    Rect::new(x, y, width, height)
}

/// An engine, and a rule that it takes.
const ENGINES: [(&str, &str); 4] = [
    ("naive", "B3/S23"),
    ("tiles", "B3/S23"),
    ("hashlife", "B3/S23"),
    ("torus", "B3/S23:T600,400"),
];

fn world(engine: &str, rule: &str) -> World {
    let builder = World::builder().rule(rule);
    let engine = engine.parse().expect("an engine of that name");
    builder.engine(engine).build().expect("it takes the rule")
}

#[test]
fn bits_are_those_of_the_cells() {
    let mut dice = Dice::new(3);
    for (engine, rule) in ENGINES {
        let mut world = world(engine, rule);
        for _ in 0..40 {
            let rect = random_rect(&mut dice);
            let row = World::words_of_row(rect.width);
            // Bits beyond the width are set here, and must not become cells.
            let words = row * rect.height as usize;
            let bits: Vec<u64> = (0..words).map(|_| dice.word()).collect();
            world.write_bits(rect, &bits).unwrap();
            let mut read = vec![u64::MAX; words];
            world.read_bits(rect, &mut read).unwrap();
            for y in 0..rect.height {
                for x in 0..row as u64 * 64 {
                    let at = (y as usize * row + x as usize / 64, x % 64);
                    let bit = |words: &[u64]| words[at.0] >> at.1 & 1;
                    let (column, line) = (rect.x + x as i64, rect.y + y as i64);
                    let expected = if x < rect.width { bit(&bits) } else { 0 };
                    assert_eq!(
                        bit(&read),
                        expected,
                        "{engine}: {column}, {line} of {rect:?}"
                    );
                    if x < rect.width {
                        assert_eq!(u64::from(world.get(column, line)), expected);
                    }
                }
            }
        }
    }
}

#[test]
fn what_lies_beside_is_not_touched() {
    let mut world = world("tiles", "B3/S23");
    for (x, y) in [(-1, 0), (3, 0), (0, -1), (0, 2), (1, 1)] {
        world.set(x, y, 1).unwrap();
    }
    world
        .write_bits(Rect::new(0, 0, 3, 2), &[0b101, 0])
        .unwrap();
    let cells: Vec<_> = world.cells().map(|(x, y, _)| (x, y)).collect();
    assert_eq!(cells, [(0, -1), (-1, 0), (0, 0), (2, 0), (3, 0), (0, 2)]);
    assert_eq!(world.live_in(Rect::new(0, 0, 3, 2)).count(), 2);
}

#[test]
fn states_are_those_of_the_cells() {
    let mut dice = Dice::new(4);
    for (engine, rule) in [
        ("tiles", "/2/3"),
        ("hashlife", "WireWorld"),
        ("torus", "/2/5:T600,400"),
    ] {
        let mut world = world(engine, rule);
        let highest = u32::from(world.rule().states());
        for _ in 0..30 {
            let rect = random_rect(&mut dice);
            let area = (rect.width * rect.height) as usize;
            let states: Vec<u8> = (0..area).map(|_| dice.below(highest) as u8).collect();
            world.write_states(rect, &states).unwrap();
            let mut read = vec![9; area];
            world.read_states(rect, &mut read).unwrap();
            assert_eq!(read, states, "{engine}: {rect:?}");
            let (x, y) = (
                rect.x + rect.width as i64 - 1,
                rect.y + rect.height as i64 - 1,
            );
            assert_eq!(world.get(x, y), states[area - 1]);
        }
    }
}

#[test]
fn wrong_lengths_and_states_change_nothing() {
    let mut world = World::open("glider").unwrap();
    let before = world.hash();
    let rect = Rect::new(0, 0, 65, 2);
    let wrong = world.write_bits(rect, &[0; 3]).unwrap_err();
    assert!(matches!(
        wrong,
        Error::BufferLength {
            found: 3,
            expected: 4
        }
    ));
    assert!(world.read_bits(rect, &mut [0; 5]).is_err());
    assert!(world.read_states(rect, &mut [0; 5]).is_err());
    let high = world.write_states(Rect::new(0, 0, 1, 1), &[2]).unwrap_err();
    assert!(matches!(high, Error::Unsupported(_)), "{high}");
    assert_eq!(world.hash(), before);
}
