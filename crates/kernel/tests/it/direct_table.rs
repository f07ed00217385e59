//! Small squares of states, by one lookup a cell, against the rule.

use dice::Dice;
use grid::State;
use kernel::{DirectTableKernel, StateBlock};
use rule::{Rule, Site};

/// The side of a block of states.
const SIDE: usize = 4;
/// The side of four of them together.
const SQUARE_SIDE: usize = 2 * SIDE;
/// The generations for which their middle is known.
const MAX_GENERATIONS: u32 = 2;

/// Tests all numbers of generations of two random squares against the rule, cell by cell.
fn check(rule: &Rule) {
    let kernel = DirectTableKernel::compile(rule).unwrap();
    let mut dice = Dice::new(7);
    let mut state = || dice.below(rule.states().into()) as State;
    let mut random = || {
        let mut patch = [[0; SIDE]; SIDE];
        patch.iter_mut().flatten().for_each(|cell| *cell = state());
        patch
    };
    let fours: Vec<[StateBlock; 4]> = (0..2)
        .map(|_| [random(), random(), random(), random()])
        .collect();
    for generations in 0..=MAX_GENERATIONS {
        let mut expected = Vec::new();
        for four in &fours {
            let mut now = [[0; SQUARE_SIDE]; SQUARE_SIDE];
            for (y, row) in now.iter_mut().enumerate() {
                for (x, cell) in row.iter_mut().enumerate() {
                    *cell = four[y / SIDE * 2 + x / SIDE][y % SIDE][x % SIDE];
                }
            }
            for _ in 0..generations {
                let mut next = now;
                for y in 1..SQUARE_SIDE - 1 {
                    for x in 1..SQUARE_SIDE - 1 {
                        next[y][x] = rule.next(Site::default(), |dx, dy| {
                            now[y.strict_add_signed(dy as isize)][x.strict_add_signed(dx as isize)]
                        });
                    }
                }
                now = next;
            }
            let mut middle = [[0; SIDE]; SIDE];
            for (y, row) in middle.iter_mut().enumerate() {
                row.copy_from_slice(&now[y + SIDE / 2][SIDE / 2..SIDE / 2 + SIDE]);
            }
            expected.push(middle);
        }
        let mut got = vec![[[9; SIDE]; SIDE]; 2];
        kernel.leaf_results(generations, &fours, &mut got);
        assert_eq!(got, expected, "{generations} generations");
    }
}

#[test]
fn squares_follow_the_table() {
    let all: Vec<String> = (0..16).map(|state| state.to_string()).collect();
    for (neighbourhood, states, line) in [
        ("oneDimensional", 3, "0,1,a,2"),
        ("vonNeumann", 8, "a,b,1,c,5,7"),
        ("vonNeumann", 9, "a,8,b,c,d,3"),
        ("vonNeumann", 10, "9,a,b,c,8,9"),
        ("vonNeumann", 16, "a,15,b,c,d,14"),
        ("Moore", 4, "0,1,a,b,c,d,3,2,1,2"),
        ("hexagonal", 4, "1,a,2,b,c,d,3,0"),
    ] {
        let mut text =
            format!("@RULE X\n@TABLE\nn_states:{states}\nneighborhood:{neighbourhood}\n");
        text += "symmetries:rotate2\n";
        for name in ["a", "b", "c", "d"] {
            text += &format!("var {name}={{{}}}\n", all[..states].join(","));
        }
        if neighbourhood == "oneDimensional" {
            text = text.replace("rotate2", "none");
        }
        let rule = Rule::from_file(&(text + line)).unwrap_or_else(|e| panic!("{e}"));
        check(&rule);
    }
}

#[test]
fn squares_follow_what_is_counted() {
    for rule in ["2-i34q/3-k/4", "2-i34q/3-k/9", "2-i34q/3-k/128"] {
        check(&rule.parse().unwrap_or_else(|e| panic!("{rule}: {e}")));
    }
}

#[test]
fn large_tables_stay_trees() {
    let text = |states: u32| {
        format!("@RULE X\n@TABLE\nn_states:{states}\nneighborhood:Moore\nsymmetries:none")
    };
    let compiled = |states| DirectTableKernel::compile(&Rule::from_file(&text(states)).unwrap());
    assert!(compiled(4).is_some());
    assert!(compiled(5).is_none());
    let text = text(17).replace("Moore", "vonNeumann");
    assert!(DirectTableKernel::compile(&Rule::from_file(&text).unwrap()).is_none());
    for rule in ["345/2/4", "2-i34q/3-k/129"] {
        assert!(DirectTableKernel::compile(&rule.parse().unwrap()).is_none());
    }
}
