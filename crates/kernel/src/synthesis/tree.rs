//! Multi-valued decision diagrams over cells (A. Srinivasan, T. Kam, S. Malik and R. K. Brayton,
//! "Algorithms for discrete function manipulation", 1990), with operations to merge, reorder and
//! count levels.

use crate::hasher::MixMap;
use rule::LookupTree;

/// The most nodes of a level of a tree that is built from entries.
const MAX_LEVEL_NODES: usize = 1000;

/// A function of variables with few values each: one level per variable, equal nodes merged.
#[derive(Clone, Debug)]
pub(super) struct DecisionTree {
    pub(super) levels: Vec<TreeLevel>,
}

/// One level of the tree.
#[derive(Clone, Debug)]
pub(super) struct TreeLevel {
    pub(super) variable: TreeVariable,
    /// The class of each value of the variable; values of one class are not distinguished.
    pub(super) classes: Vec<u8>,
    /// The number of classes.
    pub(super) arity: usize,
    /// For each node and class, the node of the next level, or the result.
    pub(super) below: Vec<u32>,
}

/// The variable of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TreeVariable {
    /// The state of one of the table's cells.
    Cell(usize),
    /// How many of these cells are in one of the counted states.
    Count {
        cells: Vec<usize>,
        /// By state.
        counted: Vec<bool>,
    },
}

impl TreeLevel {
    pub(super) fn nodes(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.below.chunks_exact(self.arity)
    }
}

impl DecisionTree {
    /// The tree of a lookup table with this many states and cells; the variables are the indices
    /// of the cells.
    pub(super) fn new(tree: &LookupTree, states: usize, cells: usize) -> Self {
        let mut levels: Vec<TreeLevel> = Vec::new();
        let mut starts = vec![tree.root];
        for cell in 0..cells {
            let mut known: MixMap<u32, u32> = MixMap::default();
            let mut next = Vec::new();
            let mut below = Vec::new();
            for &start in &starts {
                for &entry in &tree.entries[start as usize..][..states] {
                    if cell + 1 == cells {
                        below.push(entry);
                        continue;
                    }
                    let count = next.len() as u32;
                    below.push(*known.entry(entry).or_insert_with(|| {
                        next.push(entry);
                        count
                    }));
                }
            }
            levels.push(TreeLevel {
                variable: TreeVariable::Cell(cell),
                classes: (0..states).map(|state| state as u8).collect(),
                arity: states,
                below,
            });
            starts = next;
        }
        let mut made = Self { levels };
        made.reduce();
        made
    }

    /// Builds a tree from all entries of a table of bits, by the states of cells in this order, the
    /// first of them the most significant; 2 is a don't-care. None where it would be large.
    ///
    /// On each level compatible nodes are merged: don't-cares become what another node needs
    /// them to be.
    pub(super) fn of_entries(bits: Vec<u8>, states: usize, order: &[usize]) -> Option<Self> {
        let mut parts = vec![bits];
        let mut levels = Vec::new();
        for &cell in order {
            let length = parts[0].len() / states;
            let mut children: Vec<(usize, &[u8])> = parts
                .iter()
                .flat_map(|part| part.chunks(length))
                .enumerate()
                .collect();
            let free = |part: &[u8]| part.iter().filter(|&&bit| bit == 2).count();
            children.sort_by_cached_key(|(_, part)| (free(part), part.to_vec()));
            let mut next: Vec<Vec<u8>> = Vec::new();
            let mut below = vec![0; children.len()];
            let mut last: Option<(&[u8], usize)> = None;
            for (child, part) in children {
                let agrees = |other: &Vec<u8>| {
                    let mut pairs = part.iter().zip(other);
                    pairs.all(|(&a, &b)| a == b || a == 2 || b == 2)
                };
                let node = match last {
                    Some((same, node)) if same == part => node,
                    _ => match next.iter().position(agrees) {
                        Some(node) => {
                            let pairs = next[node].iter_mut().zip(part);
                            pairs.for_each(|(a, &b)| *a = (*a).min(b));
                            node
                        }
                        None => {
                            next.push(part.to_vec());
                            next.len() - 1
                        }
                    },
                };
                last = Some((part, node));
                below[child] = node as u32;
            }
            if next.len() > MAX_LEVEL_NODES {
                return None;
            }
            if length == 1 {
                // Nodes of the last level are results.
                let bit = |node: &u32| u32::from(next[*node as usize][0] == 1);
                below = below.iter().map(bit).collect();
            }
            levels.push(TreeLevel {
                variable: TreeVariable::Cell(cell),
                classes: (0..states).map(|state| state as u8).collect(),
                arity: states,
                below,
            });
            parts = next;
        }
        let mut made = Self { levels };
        made.reduce();
        Some(made)
    }

    /// The same function with mapped results.
    pub(super) fn map(&self, result: impl Fn(u32) -> u32) -> Self {
        let mut made = self.clone();
        if let Some(last) = made.levels.last_mut() {
            for entry in &mut last.below {
                *entry = result(*entry);
            }
        }
        made.reduce();
        made
    }

    /// Merges equal nodes and equal classes.
    fn reduce(&mut self) {
        let mut new_indices: Option<Vec<u32>> = None;
        for level in self.levels.iter_mut().rev() {
            if let Some(new_index) = &new_indices {
                for entry in &mut level.below {
                    *entry = new_index[*entry as usize];
                }
            }
            new_indices = Some(level.merge());
        }
        // Classes come last: nodes that distinguished them may have become unreachable.
        for level in &mut self.levels {
            level.merge_classes();
        }
    }

    /// Swaps a level with the next.
    pub(super) fn swap(&mut self, upper: usize) {
        let (first, second) = (&self.levels[upper], &self.levels[upper + 1]);
        let mut known: MixMap<Vec<u32>, u32> = MixMap::default();
        let mut lower = Vec::new();
        let mut below = Vec::new();
        for node in first.nodes() {
            for b in 0..second.arity {
                let column = node
                    .iter()
                    .map(|&child| second.below[child as usize * second.arity + b]);
                let column: Vec<u32> = column.collect();
                let count = known.len() as u32;
                below.push(*known.entry(column).or_insert_with_key(|column| {
                    lower.extend(column);
                    count
                }));
            }
        }
        let (mut first, mut second) = (first.clone(), second.clone());
        (second.below, first.below) = (below, lower);
        self.levels[upper] = second;
        self.levels[upper + 1] = first;
    }

    /// Whether the function is symmetric in a level and the next.
    pub(super) fn is_symmetric(&self, upper: usize) -> bool {
        let [first, second] = [&self.levels[upper], &self.levels[upper + 1]];
        first.classes == second.classes
            && first.nodes().all(|node| {
                let seen = |a: usize, b: usize| second.below[node[a] as usize * second.arity + b];
                (0..first.arity).all(|a| (0..a).all(|b| seen(a, b) == seen(b, a)))
            })
    }

    /// Replaces the levels `first` up to `end`, whose cells are interchangeable, by counts: one
    /// level for each class but the first. Returns how many.
    pub(super) fn replace_by_counts(&mut self, first: usize, end: usize) -> usize {
        let group: Vec<TreeLevel> = self.levels[first..end].to_vec();
        let (cells, arity) = (group.len(), group[0].arity);
        let step = |(node, seen): (u32, usize), class: usize| {
            let child = group[seen].below[node as usize * arity + class];
            (child, seen + 1)
        };
        // Nodes of the group, with their level in it, after some classes have been counted.
        let mut reached: Vec<(u32, usize)> = (0..group[0].nodes().len() as u32)
            .map(|node| (node, 0))
            .collect();
        let mut made = Vec::new();
        for class in 1..arity {
            let mut known: MixMap<(u32, usize), u32> = MixMap::default();
            let mut next = Vec::new();
            let mut below = Vec::new();
            for &start in &reached {
                let mut at = start;
                for count in 0..=cells {
                    // Counts beyond the remaining cells cannot occur.
                    if count > 0 && at.1 < cells {
                        at = step(at, class);
                    }
                    if class + 1 == arity {
                        let mut last = at;
                        while last.1 < cells {
                            last = step(last, 0);
                        }
                        below.push(last.0);
                        continue;
                    }
                    let number = next.len() as u32;
                    below.push(*known.entry(at).or_insert_with(|| {
                        next.push(at);
                        number
                    }));
                }
            }
            let of_group = group.iter().filter_map(|level| match level.variable {
                TreeVariable::Cell(cell) => Some(cell),
                TreeVariable::Count { .. } => None,
            });
            let classes = group[0].classes.iter();
            made.push(TreeLevel {
                variable: TreeVariable::Count {
                    cells: of_group.collect(),
                    counted: classes.map(|&c| usize::from(c) == class).collect(),
                },
                classes: (0..=cells as u8).collect(),
                arity: cells + 1,
                below,
            });
            reached = next;
        }
        let levels = made.len();
        self.levels.splice(first..end, made);
        self.reduce();
        levels
    }

    /// For each node of each level its complement (1 where it is 0 and the other way round), if
    /// there is one, in a tree with results 0 and 1.
    pub(super) fn complements(&self) -> Vec<Vec<Option<u32>>> {
        let mut below: Vec<Option<u32>> = vec![Some(1), Some(0)];
        let mut made = Vec::new();
        for level in self.levels.iter().rev() {
            let nodes: MixMap<&[u32], u32> = level.nodes().zip(0..).collect();
            let complement = |node: &[u32]| {
                let node: Option<Vec<u32>> = node.iter().map(|&n| below[n as usize]).collect();
                nodes.get(&*node?).copied()
            };
            below = level.nodes().map(complement).collect();
            made.push(below.clone());
        }
        made.reverse();
        made
    }

    /// The number of two-way branches.
    pub(super) fn size(&self) -> usize {
        self.levels.iter().map(TreeLevel::size).sum()
    }
}

impl TreeLevel {
    /// The number of bits of a class.
    pub(super) fn bits(&self) -> usize {
        (usize::BITS - (self.arity - 1).leading_zeros()) as usize
    }

    /// The number of two-way branches: per node, the distinct children minus one.
    fn size(&self) -> usize {
        let mut seen = Vec::new();
        let choices = self.nodes().map(|node| {
            seen.clear();
            seen.extend_from_slice(node);
            seen.sort_unstable();
            seen.dedup();
            seen.len() - 1
        });
        choices.sum()
    }

    /// Merges equal nodes, and returns the new index of each.
    fn merge(&mut self) -> Vec<u32> {
        let mut known: MixMap<&[u32], u32> = MixMap::default();
        let mut kept = Vec::new();
        let new_index = self
            .below
            .chunks_exact(self.arity)
            .map(|node| {
                let count = known.len() as u32;
                *known.entry(node).or_insert_with(|| {
                    kept.extend_from_slice(node);
                    count
                })
            })
            .collect();
        self.below = kept;
        new_index
    }

    /// Merges classes that no node distinguishes.
    fn merge_classes(&mut self) {
        let mut known: MixMap<Vec<u32>, usize> = MixMap::default();
        let mut kept: Vec<usize> = Vec::new();
        let new_index: Vec<u8> = (0..self.arity)
            .map(|class| {
                let column = self.nodes().map(|node| node[class]).collect();
                let count = kept.len();
                *known.entry(column).or_insert_with(|| {
                    kept.push(class);
                    count
                }) as u8
            })
            .collect();
        if kept.len() == self.arity {
            return;
        }
        let below = self.nodes().flat_map(|node| kept.iter().map(|&c| node[c]));
        self.below = below.collect();
        for class in &mut self.classes {
            *class = new_index[usize::from(*class)];
        }
        self.arity = kept.len();
    }
}
