//! The middles of four leaves, some generations later, against the rule.

use crate::bit::RULES;
use dice::Dice;
use kernel::simd::with_each_width;
use kernel::{BitKernel, InterpreterOnly, Leaf};
use rule::{Rule, Site};

fn get(leaf: &Leaf, x: usize, y: usize) -> u8 {
    (leaf[y / 2] >> (16 * (y % 2) + x) & 1) as u8
}

/// Tests all numbers of generations, and of squares around a group, against the rule, cell by
/// cell.
fn check(text: &str) {
    let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    let kernel = BitKernel::compile(&rule, &InterpreterOnly).unwrap();
    let mut dice = Dice::new(7);
    let mut random = || (dice.word() & dice.word()) as u32;
    let fours: Vec<[Leaf; 4]> = (0..65)
        .map(|_| std::array::from_fn(|_| std::array::from_fn(|_| random())))
        .collect();
    for phase in 0..kernel.time_period() {
        // by generation and four
        let mut expected: Vec<Vec<Leaf>> = vec![Vec::new(); 9];
        for four in &fours {
            let mut now = [[0; 32]; 32];
            for (y, x) in (0..32).flat_map(|y| (0..32).map(move |x| (y, x))) {
                now[y][x] = get(&four[y / 16 * 2 + x / 16], x % 16, y % 16);
            }
            for (generation, leaf_results) in expected.iter_mut().enumerate() {
                let cell = |x: usize, y: usize| u32::from(now[y + 8][x + 8]);
                let row = |y: usize| (0..16).map(|x| cell(x, y) << x).sum::<u32>();
                leaf_results.push(std::array::from_fn(|i| row(2 * i) | row(2 * i + 1) << 16));
                let mut next = now;
                for (y, x) in (1..31).flat_map(|y| (1..31).map(move |x| (y, x))) {
                    let site = Site {
                        generation: (phase + generation) as u64,
                        ..Site::default()
                    };
                    next[y][x] = rule.next(site, |dx, dy| {
                        now[y.strict_add_signed(dy as isize)][x.strict_add_signed(dx as isize)]
                    });
                }
                now = next;
            }
        }
        with_each_width(|| {
            for (generations, leaf_results) in expected.iter().enumerate() {
                for squares in [0, 1, 2, 3, 9, 31, 32, 33, 65] {
                    let mut got = vec![[7; 8]; squares];
                    kernel.leaf_results(phase, generations as u32, &fours[..squares], &mut got);
                    assert_eq!(
                        got,
                        leaf_results[..squares],
                        "{text}: {squares} squares, {generations} generations from {phase}"
                    );
                }
            }
        });
    }
}

#[test]
fn middles_follow_the_rule() {
    for rule in RULES {
        check(rule);
    }
}
