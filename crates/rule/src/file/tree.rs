//! `@TREE`: a decision tree, node by node from the leaves up.
//!
//! Source: "Golly Help: File Formats", the section on rule trees.

use super::lookup::{LookupTable, LookupTree};
use super::text::{RuleFileLine, RuleFileSection};
use super::{RuleFileError, RuleFileProblem};

/// The cells in the order in which a tree asks for them.
const FOUR: &[(i32, i32)] = &[(0, -1), (-1, 0), (1, 0), (0, 1), (0, 0)];
const EIGHT: &[(i32, i32)] = &[
    (-1, -1),
    (1, -1),
    (-1, 1),
    (1, 1),
    (0, -1),
    (-1, 0),
    (1, 0),
    (0, 1),
    (0, 0),
];

/// The table that a tree means.
pub(super) fn read(section: &RuleFileSection<'_>) -> Result<LookupTable, RuleFileError> {
    let mut states = None;
    let mut offsets = None;
    let mut stated = None;
    let mut depths: Vec<u64> = Vec::new();
    let mut entries: Vec<u32> = Vec::new();
    let mut last = section.head;
    for &line in &section.lines {
        let Some(text) = line.content() else {
            continue;
        };
        last = line;
        let Some((key, value)) = text.split_once('=') else {
            let header = states.zip(offsets);
            let Some((states, _)) = header else {
                let what = "num_states= and num_neighbors= before the first node";
                return Err(line.expected(text, what));
            };
            node(line, text, states, &mut depths, &mut entries)?;
            continue;
        };
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "num_states" | "num_neighbors" | "num_neighbours" if !depths.is_empty() => {
                return Err(line.at(key, RuleFileProblem::MisplacedHeader("the first node")));
            }
            "num_states" => states = Some(line.state_count(value)?),
            "num_neighbors" | "num_neighbours" => {
                offsets = Some(match value {
                    "4" => FOUR,
                    "8" => EIGHT,
                    _ => return Err(line.at(value, RuleFileProblem::Neighbours(value.into()))),
                });
            }
            "num_nodes" => stated = Some(line.number(value, "the number of nodes")?),
            _ => {
                let what = "num_states, num_neighbors or num_nodes before =";
                return Err(line.expected(key, what));
            }
        }
    }
    let (Some(states), Some(offsets), Some(&depth)) = (states, offsets, depths.last()) else {
        return Err(last.expected(
            last.text,
            "num_states=, num_neighbors= and nodes below @TREE",
        ));
    };
    if let Some(stated) = stated
        && stated != depths.len() as u64
    {
        let found = depths.len();
        return Err(last.at(
            last.text,
            RuleFileProblem::Nodes {
                found,
                told: stated,
            },
        ));
    }
    let expected = offsets.len() as u64;
    if depth != expected {
        let node = depths.len() as u64 - 1;
        let problem = RuleFileProblem::Depth {
            node,
            depth,
            expected,
        };
        return Err(last.at(last.text, problem));
    }
    let root = (entries.len() - usize::from(states)) as u32;
    let tree = LookupTree {
        entries: entries.into(),
        root,
    };
    Ok(LookupTable::from_tree(offsets, states, tree))
}

/// Reads a node's line: its depth, then a state or a node for each state.
fn node(
    line: RuleFileLine<'_>,
    text: &str,
    states: u16,
    depths: &mut Vec<u64>,
    entries: &mut Vec<u32>,
) -> Result<(), RuleFileError> {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let depth = line.number(first, "the node's depth")?;
    let expected = usize::from(states);
    let start = entries.len();
    if u32::try_from(start + expected).is_err() {
        return Err(line.at(text, RuleFileProblem::TooManyNodes(u32::MAX)));
    }
    for word in words {
        if entries.len() - start == expected {
            let found = text.split_whitespace().count() - 1;
            return Err(line.at(word, RuleFileProblem::Children { found, expected }));
        }
        let child = line.number(word, "a state or a node's number")?;
        if depth <= 1 {
            if child >= states.into() {
                let state = child;
                return Err(line.at(word, RuleFileProblem::NoState { state, states }));
            }
            entries.push(child as u32);
            continue;
        }
        let below = usize::try_from(child).ok().and_then(|i| depths.get(i));
        let Some(&below) = below else {
            return Err(line.at(word, RuleFileProblem::NoNode(child)));
        };
        if below + 1 != depth {
            let problem = RuleFileProblem::Depth {
                node: child,
                depth: below,
                expected: depth - 1,
            };
            return Err(line.at(word, problem));
        }
        entries.push(child as u32 * u32::from(states));
    }
    let found = entries.len() - start;
    if found != expected {
        return Err(line.at(text, RuleFileProblem::Children { found, expected }));
    }
    depths.push(depth.max(1));
    Ok(())
}
