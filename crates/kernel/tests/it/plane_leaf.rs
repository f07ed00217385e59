//! The middles of four leaves in bit planes, some generations later, against the rule.

use dice::Dice;
use grid::State;
use kernel::simd::with_each_width;
use kernel::{InterpreterOnly, PlaneLeaf, PlaneLeafKernel};
use rule::{Rule, Site};

/// The side of a square of four leaves.
const SIDE: usize = 16;

type Square = [[State; SIDE]; SIDE];

/// A square as four leaves of P planes.
fn leaves<const P: usize>(square: &Square) -> [PlaneLeaf<P>; 4] {
    let mut leaves = [[0; P]; 4];
    for (y, x) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (y, x))) {
        for (p, plane) in leaves[y / 8 * 2 + x / 8].iter_mut().enumerate() {
            *plane |= u64::from(square[y][x] >> p & 1) << (y % 8 * 8 + x % 8);
        }
    }
    leaves
}

/// What the rule makes of a square after so many generations; its border is of no account.
fn advanced(rule: &Rule, square: &Square, phase: usize, generations: usize) -> Square {
    let mut now = *square;
    for generation in 0..generations {
        let mut next = now;
        for (y, x) in (1..SIDE - 1).flat_map(|y| (1..SIDE - 1).map(move |x| (y, x))) {
            let site = Site {
                generation: (phase + generation) as u64,
                x: x as i64,
                y: y as i64 + 1,
            };
            next[y][x] = rule.next(site, |dx, dy| {
                now[y.strict_add_signed(dy as isize)][x.strict_add_signed(dx as isize)]
            });
        }
        now = next;
    }
    now
}

/// Tests all numbers of generations, and of squares around those of a word and of a group.
fn check<const P: usize>(rule: &Rule) {
    let kernel = PlaneLeafKernel::compile(rule, 1000, &InterpreterOnly);
    let kernel = kernel.unwrap_or_else(|| panic!("{rule} has no small circuit"));
    assert_eq!(kernel.planes(), P, "{rule}");
    let mut dice = Dice::new(7);
    let mut square = || {
        let mut square = [[0; SIDE]; SIDE];
        for cell in square.iter_mut().flatten() {
            *cell = dice.below(rule.states().into()) as State;
        }
        square
    };
    let squares: Vec<Square> = (0..70).map(|_| square()).collect();
    let fours: Vec<_> = squares.iter().map(leaves::<P>).collect();
    for phase in 0..kernel.time_period() {
        for generations in 0..=4 {
            let expected: Vec<PlaneLeaf<P>> = squares
                .iter()
                .map(|square| {
                    let next = advanced(rule, square, phase, generations);
                    let mut corner = [[0; SIDE]; SIDE];
                    for (row, cells) in corner.iter_mut().zip(&next[4..12]) {
                        row[..8].copy_from_slice(&cells[4..12]);
                    }
                    leaves(&corner)[0]
                })
                .collect();
            with_each_width(|| {
                for count in [0, 1, 3, 4, 5, 31, 32, 33, 70] {
                    let mut got = vec![[7; P]; count];
                    kernel.leaf_results(phase, generations as u32, &fours[..count], &mut got);
                    assert_eq!(
                        got,
                        expected[..count],
                        "{rule}: {count} squares, {generations} generations from {phase}"
                    );
                }
            });
        }
    }
}

#[test]
fn middles_of_planes_follow_the_rule() {
    for text in [
        "345/2/4",
        "/2/3",
        "wireworld",
        "12/34/6",
        "12/34/24",
        "B3/S23History",
        "345/2/4|B3/S23",
        "B3/S23|345/2/4",
        // triangles, which point up or down by the parity of their place
        "2/3/10LE",
        "1/2/4LE",
    ] {
        let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        match rule.states() {
            ..=4 => check::<2>(&rule),
            5..=8 => check::<3>(&rule),
            9..=16 => check::<4>(&rule),
            _ => check::<5>(&rule),
        }
    }
}
