//! Rules of files in all engines.

use dice::Dice;
use engine::{EngineChoice, Options, open};
use num_bigint::BigUint;
use pattern::{Cells, Pattern, Run};
use rule::{Rule, Topology};

/// Sparks: 1 sends a 2 to its east, which turns back into the 1 after a rest; two states
/// around a cell make more of them, so that something always moves.
const SPARKS: &str = "@RULE Sparks
@TABLE
n_states:4
neighborhood:Moore
symmetries:rotate4
var a={0,1,2,3}
var b={0,1,2,3}
var c={0,1,2,3}
var d={0,1,2,3}
var e={0,1,2,3}
var f={0,1,2,3}
var g={0,1,2,3}
0,1,0,0,a,0,2,b,0,3
0,2,a,1,0,0,0,0,b,1
1,a,b,c,d,e,f,g,3,2
2,a,b,c,d,e,f,g,0,0
3,a,b,c,d,e,f,g,a,1
";

/// A crawling line along rows: radius 1, two states, one dimension.
const LINE: &str = "@RULE Line\n@TABLE\nn_states:2\nneighborhood:oneDimensional\n\
                    symmetries:none\n0,1,0,1\n1,1,0,0\n1,0,1,0\n";

/// Blocks of grains that slide and turn; the neighbourhood is put in.
const BLOCKS: &str = "@RULE Blocks\n@TABLE\nn_states:3\nneighborhood:BLOCK\n\
                      symmetries:rotate4\nvar a={0,1,2}\nvar b={0,1,2}\n\
                      1,0,0,a : 0,a,0,1\n2,1,a,0 : 1,2,0,a\n0,2,b,b : b,b,2,0\n";

/// Triangles that light each other by an edge, and by a corner.
const EDGES: &str = "@RULE Edges\n@TABLE\nn_states:3\nneighborhood:triangularVonNeumann\n\
                     symmetries:rotate_reflect\nvar a={0,1,2}\nvar b={0,1,2}\n\
                     0,1,a,2,1\n0,1,0,0,2\n1,a,b,0,2\n2,1,a,b,0\n";
const CORNERS: &str = "@RULE Corners\n@TABLE\nn_states:2\nneighborhood:triangularMoore\n\
                       symmetries:rotate\nvar a={0,1}\nvar b={0,1}\nvar c={0,1}\nvar d={0,1}\n\
                       var e={0,1}\nvar f={0,1}\nvar g={0,1}\n\
                       0,1,0,a,1,b,c,0,d,e,f,g,1,1\n1,1,a,0,b,c,1,0,d,e,1,f,g,0\n";

fn soup(states: u32) -> Pattern {
    let mut dice = Dice::new(5);
    let mut runs = Vec::new();
    for y in 0..40 {
        for x in 0..70 {
            let state = dice.below(states) as u8;
            if state > 0 {
                runs.push(Run {
                    x: x - 20,
                    y: y - 20,
                    length: 1,
                    state,
                });
            }
        }
    }
    Pattern {
        cells: Cells::from_runs(runs),
        position: Some(grid::Point::new(0, 0)),
        ..Pattern::default()
    }
}

#[test]
fn engines_agree_on_rules_of_files() {
    let blocks = |name: &str| BLOCKS.replace("BLOCK", name);
    let tables = [
        SPARKS.into(),
        LINE.into(),
        blocks("Margolus"),
        blocks("square4_cyclic"),
        blocks("square4_figure8v"),
        blocks("square4_figure8h"),
        EDGES.into(),
        CORNERS.into(),
        // two states that fill the plane
        format!("{LINE}0,0,0,1\n"),
    ];
    for text in tables {
        let plane = Rule::from_file(&text).unwrap_or_else(|e| panic!("{e} of {text}"));
        let states = plane.states().into();
        for shape in ["", "T80,60", "P80,60", "K80*,60", "S80"] {
            let shape = shape.parse::<Topology>().unwrap_or_default();
            let rule = plane.with_topology(shape);
            let pattern = soup(states);
            let world = |engine| open(engine, &rule, &pattern, None, &Options::default());
            let mut oracle = world(EngineChoice::Naive).unwrap().world;
            let engines = [
                EngineChoice::Torus,
                EngineChoice::Tiles,
                EngineChoice::Hashlife,
            ];
            let mut others: Vec<_> = engines.into_iter().filter_map(|e| world(e).ok()).collect();
            assert!(!others.is_empty(), "{rule}");
            let mut before = oracle.hash();
            for steps in [1_u32, 2, 13] {
                let steps = BigUint::from(steps);
                oracle.advance(&steps, &mut |_| true).unwrap();
                assert!(oracle.population() > BigUint::from(50_u32), "{rule}");
                assert_ne!(oracle.hash(), before, "{rule} stands still");
                before = oracle.hash();
                for other in &mut others {
                    other.world.advance(&steps, &mut |_| true).unwrap();
                    let engine = other.world.engine();
                    assert_eq!(other.world.hash(), oracle.hash(), "{rule} by {engine}");
                }
            }
        }
    }
}
