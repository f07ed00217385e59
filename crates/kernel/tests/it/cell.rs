//! A byte per cell, for all rules, against the rule.

use dice::Dice;
use grid::{Point, State};
use kernel::CellKernel;
use kernel::simd::with_each_width;
use rule::{Rule, Site};

/// Tests random cells against the rule, cell by cell.
fn check(text: &str, width: usize, height: usize) {
    let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    let kernel = CellKernel::compile(&rule);
    let r = kernel.radius() as usize;
    let stride = width + 2 * r;
    let mut dice = Dice::new((width * 31 + height) as u64);
    let mut state = || match dice.coin() {
        true => 1 + dice.below(u32::from(rule.states()) - 1) as State,
        false => 0,
    };
    let padded: Vec<State> = (0..stride * (height + 2 * r)).map(|_| state()).collect();
    for (generation, origin) in [
        (0, Point::new(0, 0)),
        (1, Point::new(-3, 4)),
        (6, Point::new(-2, -7)),
    ] {
        let mut next = vec![0; width * height];
        kernel.step(generation, origin, width, height, &padded, &mut next);
        for y in 0..height {
            for x in 0..width {
                let site = Site {
                    generation,
                    x: origin.x + x as i64,
                    y: origin.y + y as i64,
                };
                let look = |dx: i32, dy: i32| {
                    let row = (y + r).strict_add_signed(dy as isize);
                    padded[row * stride + (x + r).strict_add_signed(dx as isize)]
                };
                assert_eq!(
                    next[y * width + x],
                    rule.next(site, look),
                    "{text} at {x}, {y} of {width} x {height}, generation {generation}"
                );
            }
        }
    }
}

#[test]
fn cells_follow_the_rule() {
    for rule in [
        "B3/S23",
        "B2-a/S12",
        "B03/S23",
        "B3/S23V",
        "B2/S34H",
        "345/2/4",
        "1234/14/3",
        "R5,C0,M1,S34..58,B34..45,NM",
        "R2,C4,M0,S3..6,B4..7,NN",
        "R3,C0,M1,S6..11,B5..9,NC",
        "R4,C3,M0,S2..9,B3..8,NB",
        "R3,C2,M1,S3..9,B4..8,N+",
        "R7,C0,M1,S113..225,B113..225,NM",
        "R10,C255,M1,S123..212,B123..170,NM",
    ] {
        for (width, height) in [(1, 1), (2, 3), (63, 5), (64, 2), (65, 4), (130, 9)] {
            with_each_width(|| check(rule, width, height));
        }
    }
}

#[test]
fn checkered_and_weighted_rules() {
    for rule in [
        "R1,C2,S1,B1,10-12,NL",
        "R2,C4,S2-4,B3-5,NL",
        "R2,C2,S2-4,B3,N@abcdefL",
        "R1,C4,S3-6,B4-7,NW111101111,0123",
        "R1,C2,S8-30,B18-34,NW0810080a850a081008",
        "R2,C0,S4-7,B5-8,NL",
        "R2,C0,M1,S30..60,B40..55,NG",
        "B45/S34L",
        "B02/S12LV",
        "12/3/5LB",
        "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
        "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0",
        "B36/S23|B2/S34H",
        "345/2/4|B45/S34L",
        "B3/S23|R5,C0,M1,S34..58,B34..45,NM",
    ] {
        for (width, height) in [(1, 1), (2, 3), (65, 4)] {
            with_each_width(|| check(rule, width, height));
        }
    }
}

/// Tests random cells against the rule, cell by cell.
fn check_table(rule: &Rule, kernel: &CellKernel, width: usize, height: usize) {
    let stride = width + 2;
    let mut dice = Dice::new((width * 31 + height) as u64);
    let mut state = || dice.below(rule.states().into()) as State;
    let padded: Vec<State> = (0..stride * (height + 2)).map(|_| state()).collect();
    let mut next = vec![0; width * height];
    kernel.step(0, Point::new(-5, 3), width, height, &padded, &mut next);
    for y in 0..height {
        for x in 0..width {
            let look = |dx: i32, dy: i32| {
                let row = (y + 1).strict_add_signed(dy as isize);
                padded[row * stride + (x + 1).strict_add_signed(dx as isize)]
            };
            let wanted = rule.next(Site::default(), look);
            let got = next[y * width + x];
            assert_eq!(got, wanted, "at {x}, {y} of {width} x {height}");
        }
    }
}

#[test]
fn cells_follow_tables_and_trees() {
    let table = |states: u16, neighbourhood: &str, symmetries: &str, lines: &str| {
        let all: Vec<_> = (0..states).map(|state| state.to_string()).collect();
        let all = all.join(",");
        format!(
            "@RULE X\n@TABLE\nn_states:{states}\nneighborhood:{neighbourhood}\n\
             symmetries:{symmetries}\nvar a={{{all}}}\nvar b={{{all}}}\nvar c={{{all}}}\n\
             var d={{{all}}}\nvar e={{{all}}}\nvar f={{{all}}}\n{lines}\n"
        )
    };
    let rules = [
        table(2, "oneDimensional", "none", "0,1,0,1\n1,a,1,0"),
        table(
            3,
            "vonNeumann",
            "rotate4",
            "a,b,1,c,d,b\n2,0,a,b,c,a\n1,1,a,2,b,0",
        ),
        table(
            4,
            "hexagonal",
            "rotate6",
            "a,1,b,c,3,d,e,b\n3,a,b,a,c,d,e,b",
        ),
        table(
            5,
            "Moore",
            "permute",
            "0,1,2,a,b,0,0,0,0,3\na,4,b,c,d,e,f,0,0,b",
        ),
        table(
            256,
            "Moore",
            "none",
            "a,b,255,0,c,d,e,f,7,b\na,0,b,c,d,e,200,f,0,a",
        ),
        "@RULE X\n@TREE\nnum_states=3\nnum_neighbors=4\n1 0 1 2\n1 2 0 1\n2 0 1 0\n\
         2 1 0 0\n3 2 3 2\n3 3 2 2\n4 4 5 5\n4 5 5 4\n5 6 7 7\n"
            .to_string(),
    ];
    for text in &rules {
        let rule = Rule::from_file(text).unwrap_or_else(|e| panic!("{e} in {text}"));
        let kernel = CellKernel::compile(&rule);
        let sizes = [(1, 1), (2, 3), (63, 5), (64, 2), (65, 4), (130, 9)];
        for (width, height) in sizes {
            check_table(&rule, &kernel, width, height);
        }
        // After many cells the kernel may take another tree.
        let (width, height) = (1024, 1024);
        let padded = vec![0; (width + 2) * (height + 2)];
        let mut next = vec![0; width * height];
        kernel.step(0, Point::new(0, 0), width, height, &padded, &mut next);
        for (width, height) in sizes {
            check_table(&rule, &kernel, width, height);
        }
    }
}
