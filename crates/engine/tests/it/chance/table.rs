//! Random rules that take more than a line: tables and trees as `.rule` files have them,
//! and rules of one's own.

use super::{EngineTestRng, RandomRule};
use rule::Rule;
use std::fmt::Write as _;

/// The neighbourhoods of a table, with their neighbours and symmetries.
const TABLES: [(&str, usize, &[&str]); 10] = [
    (
        "vonNeumann",
        4,
        &[
            "none",
            "rotate4",
            "rotate4reflect",
            "reflect_horizontal",
            "reflect_vertical",
            "rotate2",
            "permute",
        ],
    ),
    (
        "Moore",
        8,
        &[
            "none",
            "rotate4",
            "rotate8",
            "rotate4reflect",
            "rotate8reflect",
            "reflect_horizontal",
            "reflect_vertical",
            "rotate2",
            "permute",
        ],
    ),
    (
        "hexagonal",
        6,
        &[
            "none",
            "rotate2",
            "rotate3",
            "rotate6",
            "rotate6reflect",
            "permute",
        ],
    ),
    ("oneDimensional", 2, &["none", "reflect", "permute"]),
    ("triangularVonNeumann", 3, TRIANGLES),
    ("triangularMoore", 12, TRIANGLES),
    ("Margolus", 3, BLOCKS),
    ("square4_figure8v", 3, BLOCKS),
    ("square4_figure8h", 3, BLOCKS),
    ("square4_cyclic", 3, BLOCKS),
];

const TRIANGLES: &[&str] = &["none", "rotate", "rotate_reflect", "permute"];

const BLOCKS: &[&str] = &[
    "none",
    "reflect_horizontal",
    "reflect_vertical",
    "rotate2",
    "rotate4",
    "rotate4reflect",
    "permute",
];

impl EngineTestRng {
    /// A random table in the neighbourhood of that number.
    pub(super) fn table(&mut self, which: u64) -> RandomRule {
        loop {
            let text = self.table_text(which as usize);
            // Where two states fill the plane, and it does not come back, it is refused.
            if let Ok(rule) = Rule::from_file(&text) {
                return RandomRule { rule, text };
            }
        }
    }

    fn table_text(&mut self, which: usize) -> String {
        let (neighbourhood, neighbours, symmetries) = TABLES[which];
        let symmetry = self.pick(symmetries);
        let states = self.between(2, 6);
        let mut text = format!(
            "@RULE Chance\n@TABLE\nn_states:{states}\nneighborhood:{neighbourhood}\n\
             symmetries:{symmetry}\n"
        );
        // a name that stands once in a line binds nothing
        let all: Vec<String> = (0..states).map(|s| s.to_string()).collect();
        for i in 0..=neighbours {
            let _ = writeln!(text, "var any{i}={{{}}}", all.join(","));
        }
        for name in ["a", "b"] {
            let some: Vec<String> = (0..states)
                .filter(|_| self.below(2) == 0)
                .map(|s| s.to_string())
                .collect();
            let some = if some.is_empty() { &all } else { &some };
            let _ = writeln!(text, "var {name}={{{}}}", some.join(","));
        }
        // A block has a next state for each of its cells.
        let is_block = symmetries == BLOCKS;
        let (sign, outputs) = if is_block { (":", 4) } else { (",", 1) };
        let listed = |count: usize, entry: &mut dyn FnMut(usize) -> String| {
            (0..count).map(entry).collect::<Vec<_>>().join(",")
        };
        if states > 2 || self.below(3) > 0 {
            // The first line keeps the plane empty.
            let mut empty = |_| "0".to_string();
            let (block, next) = (
                listed(neighbours + 1, &mut empty),
                listed(outputs, &mut empty),
            );
            let _ = writeln!(text, "{block}{sign}{next}");
        }
        for _ in 0..self.between(3, 16) {
            let mut entry = |i| match self.below(5) {
                0 => self.pick(&["a", "b"]).to_string(),
                1 => self.below(states).to_string(),
                _ => format!("any{i}"),
            };
            let seen = listed(neighbours + 1, &mut entry);
            let next = listed(outputs, &mut |_| self.below(states).to_string());
            let _ = writeln!(text, "{seen}{sign}{next}");
        }
        text
    }

    /// A random tree: some nodes on each level, chosen from the level below.
    pub(super) fn tree(&mut self) -> RandomRule {
        let states = self.between(2, 5);
        let neighbours = [4, 8][self.below(2) as usize];
        let mut lines = Vec::new();
        // the nodes of the level below, or the states
        let mut below = 0..states;
        for depth in 1..=neighbours + 1 {
            let nodes = if depth == neighbours + 1 {
                1
            } else {
                self.between(2, 6)
            };
            let first = lines.len() as u64;
            for node in 0..nodes {
                let entries = (0..states).map(|state| {
                    // Where all is empty, all stays empty.
                    let chosen = match (node, state) {
                        (0, 0) => below.start,
                        _ => self.between(below.start, below.end - 1),
                    };
                    chosen.to_string()
                });
                let entries: Vec<String> = entries.collect();
                lines.push(format!("{depth} {}", entries.join(" ")));
            }
            below = first..lines.len() as u64;
        }
        read(format!(
            "@RULE Chance\n@TREE\nnum_states={states}\nnum_neighbors={neighbours}\n\
             num_nodes={}\n{}\n",
            lines.len(),
            lines.join("\n")
        ))
    }

    /// A random rule of one's own.
    pub(super) fn own(&mut self) -> RandomRule {
        loop {
            let text = self.source();
            // Some compare with what can never be, and are refused.
            if let Ok(rule) = Rule::from_source(&text) {
                return RandomRule { rule, text };
            }
        }
    }

    fn source(&mut self) -> String {
        let states = self.between(2, 4);
        let mut text = "rule chance\nstates\n".to_string();
        for state in 0..states {
            let _ = writeln!(text, " {state} s{state}");
        }
        let (shape, total) = self.drawing();
        let _ = write!(text, "neighbourhood{shape}\nnext\n let n = ");
        for _ in 0..self.between(1, 4) {
            let state = self.below(states);
            let counted = self.below(states).min(state);
            let (from, to) = self.range(0, 5);
            let own = self.below(states);
            let value = self.value(states);
            let condition = match self.below(3) {
                0 => format!("self == s{own} and count(s{counted}..s{state}) in {from}..{to}"),
                1 => format!("count(s{state}) >= {to}"),
                _ => format!("count(s{state}) > count(s{counted}) or self == s{own}"),
            };
            let _ = write!(text, "if {condition} {{ {value} }}\n else ");
        }
        let value = self.value(states);
        let _ = write!(
            text,
            "{{ {value} }}\n if self == 0 and count(0) == {total} {{ 0 }} \
             else {{ min(max(n, 0), s{}) }}\n",
            states - 1
        );
        text
    }

    fn value(&mut self, states: u64) -> String {
        let state = self.below(states);
        match self.below(4) {
            0 => "self".into(),
            1 => format!("self + {}", self.below(3) as i64 - 1),
            2 => format!("count(s{state}) - 1"),
            _ => format!("s{state}"),
        }
    }

    /// A neighbourhood as it is written, and what all its weights come to.
    fn drawing(&mut self) -> (String, i64) {
        let radius = self.between(1, 3) as i64;
        match self.below(4) {
            0 => return (format!(" moore {radius}"), 4 * radius * (radius + 1)),
            1 => return (format!(" von-neumann {radius}"), 2 * radius * (radius + 1)),
            2 => return (format!(" hexagonal {radius}"), 3 * radius * (radius + 1)),
            _ => {}
        }
        // The cell itself need not lie in the middle.
        let (width, height) = (self.between(2, 4), self.between(1, 3));
        let middle = self.below(width * height);
        let (mut text, mut total) = (String::new(), 0);
        for i in 0..width * height {
            if i % width == 0 {
                text.push('\n');
            }
            if i == middle {
                text += " x";
                continue;
            }
            let weight = self.between(0, 4) as i64 - 1;
            total += weight;
            let _ = write!(text, " {weight}");
        }
        (text, total)
    }
}

fn read(text: String) -> RandomRule {
    let rule = Rule::from_file(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
    RandomRule { rule, text }
}
