//! Stacks of squares in bit planes, against the rule.

use dice::Dice;
use grid::State;
use kernel::simd::with_each_width;
use kernel::{STACK, SquareKernel};
use rule::{Rule, Site};

/// The side of a square.
const SIDE: usize = 16;
/// The rows of a stack of squares.
const ROWS: usize = STACK * SIDE;

/// Tests three generations of random squares against the rule, cell by cell.
fn check(text: &str, squares: usize) {
    let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    let kernel = SquareKernel::compile(&rule, 1000).unwrap();
    let mut dice = Dice::new(7);
    let mut cells = vec![[[0; SIDE]; SIDE]; squares];
    for cell in cells.iter_mut().flatten().flatten() {
        *cell = dice.below(rule.states().into()) as State;
    }
    for phase in 0..kernel.time_period() {
        let mut stack = vec![[0x5a5a; ROWS]; kernel.planes()];
        for (p, plane) in stack.iter_mut().enumerate() {
            for (row, cells) in plane.iter_mut().zip(cells.iter().flatten()) {
                *row = (0..SIDE).map(|x| u16::from(cells[x] >> p & 1) << x).sum();
            }
        }
        kernel.advance(phase, 3, squares, &mut stack);
        for (s, square) in cells.iter().enumerate() {
            let mut now = *square;
            for generation in 0..3 {
                let mut next = now;
                let edge = generation + 1;
                for (y, x) in
                    (edge..SIDE - edge).flat_map(|y| (edge..SIDE - edge).map(move |x| (y, x)))
                {
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
            for (y, x) in (3..13).flat_map(|y| (3..13).map(move |x| (y, x))) {
                let bits = stack.iter().enumerate();
                let got: State = bits
                    .map(|(p, plane)| ((plane[SIDE * s + y] >> x & 1) as State) << p)
                    .sum();
                assert_eq!(
                    got, now[y][x],
                    "{text}, square {s} at {x}, {y} from phase {phase}"
                );
            }
        }
    }
}

#[test]
fn squares_follow_the_rule() {
    for rule in [
        "345/2/4",
        "/2/3",
        "12/34/24",
        "B3/S23History",
        "345/2/4|B3/S23",
        "B3/S23|345/2/4",
    ] {
        for squares in [1, 2, 3, STACK] {
            with_each_width(|| check(rule, squares));
        }
    }
}
