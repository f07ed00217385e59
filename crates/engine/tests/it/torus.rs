//! The bounded grids against a plain loop over the rule and the topology.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use dice::Dice;
use engine::{Torus, World};
use grid::{Point, Rect, State};
use num_bigint::BigInt;
use rule::{Rule, Site};

/// About half of the cells are live, whatever the number of states.
fn state(dice: &mut Dice, states: u16) -> State {
    match dice.coin() {
        true => 1 + dice.below(u32::from(states) - 1) as State,
        false => 0,
    }
}

/// A grid that is stepped by the words of the definition.
struct ReferenceGrid {
    rule: Rule,
    rect: Rect,
    cells: Vec<State>,
    /// For each place that a cell sees, row by row with a margin as wide as the rule sees, which
    /// cell lies there: the topology is asked once for each place.
    seen: Vec<u32>,
}

/// What lies beyond an edge where nothing is joined to it.
const NOTHING: u32 = u32::MAX;

impl ReferenceGrid {
    fn new(rule: Rule, cells: Vec<State>) -> Self {
        let rect = rule.topology().rect().unwrap();
        let mut plain = Self {
            rule,
            rect,
            cells,
            seen: Vec::new(),
        };
        let reach = i64::from(plain.rule.radius());
        let topology = *plain.rule.topology();
        for y in rect.y - reach..rect.bottom() + reach {
            for x in rect.x - reach..rect.right() + reach {
                let seen = topology.resolve(Point::new(x, y));
                let seen = seen.map_or(NOTHING, |q| plain.at(q) as u32);
                plain.seen.push(seen);
            }
        }
        plain
    }

    fn at(&self, p: Point) -> usize {
        let rect = self.rect;
        (p.y - rect.y) as usize * rect.width as usize + (p.x - rect.x) as usize
    }

    fn points(&self) -> Vec<Point> {
        let rect = self.rect;
        let row = |y| (rect.x..rect.right()).map(move |x| Point::new(x, y));
        (rect.y..rect.bottom()).flat_map(row).collect()
    }

    fn step(&mut self, generation: u64) {
        let reach = i64::from(self.rule.radius());
        let stride = self.rect.width as i64 + 2 * reach;
        let next = self.points().into_iter().map(|p| {
            let site = Site {
                generation,
                x: p.x,
                y: p.y,
            };
            let place = (p.y - self.rect.y + reach) * stride + p.x - self.rect.x + reach;
            self.rule.next(site, |dx, dy| {
                let place = place + i64::from(dy) * stride + i64::from(dx);
                match self.seen[place as usize] {
                    NOTHING => 0,
                    seen => self.cells[seen as usize],
                }
            })
        });
        self.cells = next.collect();
    }
}

/// Steps a soup a few generations in both, from the given generation.
fn check(rule: &str, start: i64, generations: u64) {
    let parsed: Rule = rule.parse().unwrap_or_else(|e| panic!("{rule}: {e}"));
    let mut numbers = Dice::new(rule.len() as u64 * 977 + start.unsigned_abs());
    let mut world = Torus::new(parsed.clone()).unwrap();
    world.set_generation(BigInt::from(start));
    let rect = parsed.topology().rect().unwrap();
    let cells = (0..rect.width * rect.height).map(|_| state(&mut numbers, parsed.states()));
    let cells = cells.collect();
    let mut plain = ReferenceGrid::new(parsed, cells);
    for p in plain.points() {
        world.set(p, plain.cells[plain.at(p)]).unwrap();
    }
    for generation in 0..=generations {
        for p in plain.points() {
            assert_eq!(
                world.get(p),
                plain.cells[plain.at(p)],
                "{rule} from {start}: cell {}, {} after {generation}",
                p.x,
                p.y
            );
        }
        let live = plain.cells.iter().filter(|&&s| s != 0).count();
        assert_eq!(world.population(), live.into(), "{rule}");
        assert_eq!(world.cells().population(), live.into(), "{rule}");
        world.advance(&1u32.into(), &mut |_| true).unwrap();
        plain.step((start + generation as i64).rem_euclid(2) as u64);
    }
    assert_eq!(
        world.generation(),
        &BigInt::from(start + generations as i64 + 1)
    );
}

const SIZES: [u64; 9] = [1, 2, 3, 63, 64, 65, 127, 128, 129];

/// Bit rules by each program there is, a rule with B0, rules of many states in planes, wider
/// ones with weights and alone, and rules of bytes.
const RULES: [&str; 25] = [
    "B3/S23",
    "B36/S23",
    "B2/S34H",
    "B13/S012V",
    "B2-a/S12",
    "B3-k4t/S2-i3ae",
    "B03/S23",
    "345/2/4",
    "2/2/8",
    "345/24/25",
    "1/1/256",
    "extended",
    "weighted",
    "R3,C0,M1,S6..11,B5..9,NC",
    "R3,C3,M0,S4-9,B8-12,N+",
    "R5,C0,M1,S34..58,B34..45,NM",
    "R1,C4,S3-6,B4-7,NW111101111,0123",
    "R2,C0,M1,S30..60,B40..55,NG",
    "R9,C3,M1,S90..170,B100..140,NM",
    "R21,C3,M1,S390..700,B400..600,NM",
    "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
    "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0",
    "B456/S34L",
    "23/2/10LR",
    "LifeHistory",
];

#[test]
fn every_size_of_plane_and_torus() {
    for rule in RULES {
        for kind in ["P", "T"] {
            for width in SIZES {
                let height = SIZES[(width as usize + rule.len()) % SIZES.len()];
                check(&format!("{rule}:{kind}{width},{height}"), 0, 3);
                check(&format!("{rule}:{kind}{height},{width}"), 1, 3);
            }
        }
    }
}

/// A rule may look at nothing but the cell itself; on a grid its rows still follow each
/// other. Found by a random case, `B/S0123456HInvestigator:T64,129`.
#[test]
fn cells_that_see_no_others_stay_where_they_are() {
    for rule in ["B/SHistory", "B/S0123456HInvestigator", "B/S012345678"] {
        for shape in ["T64,129", "P8,5", "C65,64", "K64*,3"] {
            check(&format!("{rule}:{shape}"), 0, 3);
        }
    }
}

#[test]
fn every_way_to_join_edges() {
    for rule in RULES {
        for topology in [
            "T64+1,3",
            "T65-2,4",
            "T5,64+3",
            "T1+1,9",
            "T2,7-1",
            "T128+63,2",
            "K64*,5",
            "K5*,64",
            "K64,5*",
            "K3,65*",
            "K6*+1,4",
            "K64*+1,3",
            "K4,8*+1",
            "C64,65",
            "C3,2",
            "C1,1",
            "C127,4",
            "S1",
            "S2",
            "S3",
            "S63",
            "S64",
            "S65",
            "K1*,1",
            "P512,3",
            "T512,3",
            "T513,2",
        ] {
            check(&format!("{rule}:{topology}"), -3, 4);
        }
    }
}

/// High grids, of which many generations go through the caches together.
#[test]
fn many_generations_at_once() {
    for rule in [
        "B3/S23",
        "B2/S34H",
        "B3-k4t/S2-i3ae",
        "B03/S23",
        "2/2/8",
        "extended",
        "R5,C0,M1,S34..58,B34..45,NM",
        "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
        "B456/S34L",
    ] {
        for (threads, size) in [
            (1, "P9,2049"),
            (3, "P9,2049"),
            (1, "T3,2100"),
            (2, "T1,5000"),
            (3, "T64,2048"),
            (1, "T2,2101"),
            (1, "T130+67,300"),
            (1, "T64-5,411"),
            (1, "K64*,300"),
            (1, "K130*+1,303"),
            (1, "K9,301*"),
            (1, "K128,310*"),
            (1, "K7,300*+1"),
            (1, "C65,257"),
            (2, "C64,400"),
        ] {
            let rule: Rule = format!("{rule}:{size}").parse().unwrap();
            let mut numbers = Dice::new(rule.to_string().len() as u64);
            let mut world = Torus::new(rule.clone()).unwrap().with_threads(threads);
            let rect = rule.topology().rect().unwrap();
            let cells = (0..rect.width * rect.height).map(|_| state(&mut numbers, rule.states()));
            let cells = cells.collect();
            let mut plain = ReferenceGrid::new(rule, cells);
            for p in plain.points() {
                world.set(p, plain.cells[plain.at(p)]).unwrap();
            }
            let mut generation = 0;
            for leap in [1_u32, 15, 16, 2, 21] {
                world.advance(&leap.into(), &mut |_| true).unwrap();
                for _ in 0..leap {
                    plain.step(generation % 2);
                    generation += 1;
                }
                for p in plain.points() {
                    assert_eq!(
                        world.get(p),
                        plain.cells[plain.at(p)],
                        "{}: cell {}, {} at {generation}",
                        plain.rule,
                        p.x,
                        p.y
                    );
                }
            }
        }
    }
}

/// A rule that is walked through as a table: a cell counts how often its neighbours differ
/// from it in turn.
fn table() -> Rule {
    let mut text =
        "@RULE Walked\n@TABLE\nn_states:200\nneighborhood:Moore\nsymmetries:none\n".to_owned();
    let all: Vec<String> = (0..200).map(|state| state.to_string()).collect();
    for name in ["a", "b", "c", "d", "e", "f", "g"] {
        text += &format!("var {name}={{{}}}\n", all.join(","));
    }
    let mut numbers = Dice::new(1);
    for _ in 0..60 {
        let mut state = || numbers.below(200);
        let (from, beside, next) = (state(), state(), state());
        text += &format!("{from},a,b,{beside},c,d,e,f,g,{next}\n");
        text += &format!("{next},a,b,c,{from},d,e,f,g,{beside}\n");
    }
    for (from, next) in [(0, 3), (1, 7), (3, 100)] {
        text += &format!("{from},a,b,c,d,e,f,g,1,{next}\n");
    }
    Rule::from_file(&text).unwrap()
}

fn on(rule: &Rule, topology: &str) -> Rule {
    let edges: Rule = format!("B3/S23:{topology}").parse().unwrap();
    rule.with_topology(*edges.topology())
}

fn soup(rule: &Rule, threads: usize) -> Torus {
    let mut world = Torus::new(rule.clone()).unwrap().with_threads(threads);
    let mut numbers = Dice::new(7);
    let rect = rule.topology().rect().unwrap();
    for y in rect.y..rect.bottom() {
        for x in rect.x..rect.right() {
            let state = state(&mut numbers, rule.states());
            world.set(Point::new(x, y), state).unwrap();
        }
    }
    world
}

#[test]
fn threads_change_nothing() {
    let rules = [
        ("B3/S23", "T1000,900"),
        ("B3/S23", "P1000,900"),
        ("B3/S23", "S900"),
        ("M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", "T1000,901"),
        ("R5,C0,M1,S34..58,B34..45,NM", "T600,700"),
        ("R21,C0,M1,S400..900,B420..800,NM", "T300,1100"),
        ("R21,C0,M1,S400..700,B420..600,NC", "C300,1100"),
        ("R22,C3,M0,S100..300,B120..250,NN", "P300,1100"),
        ("R23,C0,M1,S20..50,B22..40,NX", "K300*,1100"),
    ];
    let rules = rules.map(|(rule, edges)| on(&rule.parse().unwrap(), edges));
    for rule in rules.into_iter().chain([on(&table(), "T600,600")]) {
        let mut one = soup(&rule, 1);
        one.advance(&19u32.into(), &mut |_| true).unwrap();
        for threads in [2, 5] {
            let mut more = soup(&rule, threads);
            more.advance(&19u32.into(), &mut |_| true).unwrap();
            let same = one.cells() == more.cells();
            assert!(same, "{rule} with {threads} threads, by {}", one.kernel());
        }
    }
}

/// Where a generation takes longer than a person waits, the control is asked within it, and
/// nothing of what was begun is kept.
#[test]
fn a_slow_generation_can_be_given_up() {
    for rule in [
        on(&table(), "T2200,2200"),
        on(
            &"R60,C0,M1,S20..50,B22..40,NC".parse().unwrap(),
            "T1500,4000",
        ),
    ] {
        let mut world = soup(&rule, 1);
        let (cells, mut asked) = (world.cells(), 0);
        let stop = world.advance(&1u32.into(), &mut |done| {
            asked += 1;
            assert_eq!(*done, 0u32.into());
            asked < 2
        });
        assert!(stop.is_err(), "{rule} was never asked");
        assert_eq!(world.generation(), &BigInt::ZERO, "{rule}");
        assert!(world.cells() == cells, "{rule} changed");
        let mut other = soup(&rule, 2);
        world.advance(&1u32.into(), &mut |_| true).unwrap();
        other.advance(&1u32.into(), &mut |_| true).unwrap();
        assert!(
            world.cells() == other.cells(),
            "{rule} went on from elsewhere"
        );
    }
}

#[test]
fn a_negative_generation_has_a_parity() {
    check("B03/S23:T9,9", -1, 4);
    check("B0124/S12:T70,9", -2, 4);
}

/// The kernel is told, and is the one that the rule's tables allow.
#[test]
fn every_grid_names_its_kernel() {
    for (rule, begin) in [
        ("B3/S23", "1 bit plane, "),
        // As sums in machine code, or Life by its own logic.
        ("B36/S23", "1 bit plane, "),
        ("2/2/8", "3 bit planes, sums"),
        ("LifeHistory", "3 bit planes, lookups"),
        ("B456/S34L", "1 bit plane, sums"),
        (
            "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
            "1 bit plane, arrangements",
        ),
        ("weighted", "1 bit plane, sums"),
        ("R5,C0,M1,S34..58,B34..45,NM", "1 bit plane, sums"),
        (
            "R21,C3,M1,S390..700,B400..600,NM",
            "a byte a cell, sums of 16 bits",
        ),
    ] {
        let world = Torus::new(format!("{rule}:T99,70").parse().unwrap()).unwrap();
        let kernel = world.kernel();
        assert!(kernel.starts_with(begin), "{rule} has the kernel: {kernel}");
    }
}

#[test]
fn what_a_grid_refuses() {
    let refusal = |rule: &str| Torus::new(rule.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(
        refusal("B3/S23"),
        "torus does not take an unbounded plane: it needs a grid, as in `:T100,50`"
    );
    assert_eq!(
        refusal("B3/S23:P0,7"),
        "torus does not take a grid with an infinite side, as in `:P0,7`"
    );
    assert_eq!(
        refusal("B3/S23:T1000000,1000000"),
        "torus does not take a grid as large as 1000000 x 1000000 under this rule"
    );
    let mut world = Torus::new("B3/S23:T4,4".parse().unwrap()).unwrap();
    assert!(world.set(Point::new(2, 0), 1).is_err());
    assert!(world.set(Point::new(0, 0), 2).is_err());
    assert_eq!(world.population(), 0u32.into());
}

#[test]
fn a_stopped_grid_stands_at_a_whole_generation() {
    // Large enough to be asked twice before a state is seen to come again.
    let mut world = Torus::new("B3/S23:T4096,4096".parse().unwrap()).unwrap();
    for i in -1..=1 {
        world.set(Point::new(i, 0), 1).unwrap();
    }
    let mut calls = 0;
    let stop = world.advance(&u64::MAX.into(), &mut |_| {
        calls += 1;
        calls < 2
    });
    assert!(stop.is_err());
    assert_eq!(world.population(), 3u32.into());
    let upright = world.get(Point::new(0, 1)) == 1;
    assert_eq!(world.generation().bit(0), upright);
}
