//! Any rule over nine cells as a straight-line program of multiplexers.
//!
//! The 512-entry table is reduced to a binary decision diagram (Bryant, "Graph-Based
//! Algorithms for Boolean Function Manipulation", 1986) under a variable order that is
//! improved by sifting: moving one variable at a time (Rudell, "Dynamic Variable Ordering for
//! Ordered Binary Decision Diagrams", 1993). Every node is then one choice between two
//! earlier results, and the program is run over blocks of words, so that decoding
//! it is amortised over a block.

use super::BitVector;
use crate::hasher::MixMap;

/// Vectors that one step of the program processes.
pub(super) const BLOCK: usize = 8;

/// A table over the nine cells: bit i of the nine-bit index is variable i.
pub(super) type NineCellTable = [u64; 8];

/// A decision diagram as a straight-line program.
#[derive(Clone, Debug)]
pub(super) struct DecisionDiagram {
    steps: Vec<DiagramStep>,
    /// The number of registers, the two constants included.
    registers: usize,
    result: u8,
}

/// The registers that hold the constants: steps that need one are rare, and a special case
/// costs more than a load.
const ZERO: u8 = 0;
const ONES: u8 = 1;

/// One node: `high` where the input is set, else `low`; all are registers but the input.
#[derive(Clone, Copy, Debug)]
struct DiagramStep {
    /// Index into the nine slices, in the order of the offsets.
    input: u8,
    high: u8,
    low: u8,
    target: u8,
}

impl DecisionDiagram {
    pub(super) fn compile(table: &NineCellTable) -> Self {
        let order = sift(table);
        let mut builder = Builder {
            order,
            nodes: Vec::new(),
            index: MixMap::default(),
        };
        let root = builder.build(&permute(table, &order), 0);
        allocate(&builder.nodes, root, &order)
    }

    /// The number of steps.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Allocates registers for [`DecisionDiagram::block`].
    #[inline(always)]
    pub(super) fn registers<V: BitVector>(&self) -> Vec<[V; BLOCK]> {
        let mut registers = vec![[V::ZERO; BLOCK]; self.registers];
        registers[usize::from(ONES)] = [V::ONES; BLOCK];
        registers
    }

    /// Runs the program on a block: the nine inputs in the order of the offsets.
    #[inline(always)]
    pub(super) fn block<V: BitVector>(
        &self,
        registers: &mut [[V; BLOCK]],
        inputs: [&[V; BLOCK]; 9],
    ) -> [V; BLOCK] {
        // A loop and no closure: the compiler does not always inline those, and what is
        // not inlined is not compiled for the instruction set.
        for step in &self.steps {
            let input = inputs[usize::from(step.input)];
            let high = &registers[usize::from(step.high)];
            let low = &registers[usize::from(step.low)];
            let mut result = [V::ZERO; BLOCK];
            for i in 0..BLOCK {
                result[i] = input[i].choose(high[i], low[i]);
            }
            registers[usize::from(step.target)] = result;
        }
        registers[usize::from(self.result)]
    }
}

/// The table with its variables permuted: variable `order[0]` becomes the most significant
/// bit of the index, and so on.
fn permute(table: &NineCellTable, order: &[u8; 9]) -> Vec<bool> {
    let value = |index: usize| {
        let mut old = 0;
        for (position, &variable) in order.iter().enumerate() {
            old |= (index >> (8 - position) & 1) << variable;
        }
        table[old / 64] >> (old % 64) & 1 == 1
    };
    (0..512).map(value).collect()
}

/// The number of nodes of the diagram under an order.
fn node_count(table: &NineCellTable, order: &[u8; 9]) -> usize {
    let bits = permute(table, order);
    let mut nodes = 0;
    for level in 0..9 {
        let length = 512 >> level;
        let mut seen: Vec<&[bool]> = bits
            .chunks(length)
            .filter(|part| part[..length / 2] != part[length / 2..])
            .collect();
        seen.sort_unstable();
        seen.dedup();
        nodes += seen.len();
    }
    nodes
}

/// An order that moving a single variable does not improve (sifting).
fn sift(table: &NineCellTable) -> [u8; 9] {
    let mut best = [0, 2, 6, 8, 1, 3, 5, 7, 4];
    let mut least = node_count(table, &best);
    loop {
        let before = least;
        for variable in 0..9 {
            for position in 0..9 {
                let mut moved: Vec<u8> = best.iter().copied().filter(|&v| v != variable).collect();
                moved.insert(position, variable);
                let order: [u8; 9] = moved.try_into().expect("nine variables, one moved");
                let nodes = node_count(table, &order);
                if nodes < least {
                    (least, best) = (nodes, order);
                }
            }
        }
        if least == before {
            return best;
        }
    }
}

/// A node of the diagram, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum DiagramEdge {
    Zero,
    Ones,
    Node(usize),
}

/// Position in the order, and the high and the low edge.
type DiagramNode = (usize, DiagramEdge, DiagramEdge);

struct Builder {
    order: [u8; 9],
    /// Children before parents.
    nodes: Vec<DiagramNode>,
    index: MixMap<DiagramNode, usize>,
}

impl Builder {
    fn build(&mut self, bits: &[bool], position: usize) -> DiagramEdge {
        if position == self.order.len() {
            return if bits[0] {
                DiagramEdge::Ones
            } else {
                DiagramEdge::Zero
            };
        }
        let (low, high) = bits.split_at(bits.len() / 2);
        let low = self.build(low, position + 1);
        let high = self.build(high, position + 1);
        if low == high {
            return low;
        }
        let node = (position, high, low);
        let nodes = &mut self.nodes;
        DiagramEdge::Node(*self.index.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() - 1
        }))
    }
}

/// Assigns each node a register, which is reused after the last reader of its value.
///
/// In order of levels, not depth first: a step that needs the one just before it waits for
/// the store to be forwarded.
fn allocate(nodes: &[DiagramNode], root: DiagramEdge, order: &[u8; 9]) -> DecisionDiagram {
    let mut schedule: Vec<usize> = (0..nodes.len()).collect();
    schedule.sort_by_key(|&n| std::cmp::Reverse(nodes[n].0));
    let mut last_read = vec![0; nodes.len()];
    for (at, &n) in schedule.iter().enumerate() {
        for edge in [nodes[n].1, nodes[n].2] {
            if let DiagramEdge::Node(child) = edge {
                last_read[child] = at;
            }
        }
    }
    if let DiagramEdge::Node(n) = root {
        last_read[n] = nodes.len();
    }
    let mut register_of = vec![0; nodes.len()];
    let mut free: Vec<u8> = Vec::new();
    let mut registers = ONES + 1;
    let operand = |edge: DiagramEdge, register_of: &[u8]| match edge {
        DiagramEdge::Zero => ZERO,
        DiagramEdge::Ones => ONES,
        DiagramEdge::Node(n) => register_of[n],
    };
    let mut steps = Vec::new();
    for (at, &node) in schedule.iter().enumerate() {
        let (position, high, low) = nodes[node];
        let (high_operand, low_operand) = (operand(high, &register_of), operand(low, &register_of));
        for edge in [high, low] {
            if let DiagramEdge::Node(n) = edge
                && last_read[n] == at
                && !free.contains(&register_of[n])
            {
                free.push(register_of[n]);
            }
        }
        let target = free.pop().unwrap_or_else(|| {
            registers += 1;
            registers - 1
        });
        register_of[node] = target;
        steps.push(DiagramStep {
            // The offsets run from the most significant bit down.
            input: 8 - order[position],
            high: high_operand,
            low: low_operand,
            target,
        });
    }
    DecisionDiagram {
        steps,
        registers: usize::from(registers),
        result: operand(root, &register_of),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_order_makes_a_short_program() {
        // Whether the three cells of the row above are all live, or those of the row below.
        let rows = |index: u64| index & 7 == 7 || index >> 6 == 7;
        let bits = |word: u64| (0..64).map(|i| u64::from(rows(64 * word + i)) << i).sum();
        let table = std::array::from_fn(|word| bits(word as u64));
        assert_eq!(DecisionDiagram::compile(&table).steps.len(), 6);
    }
}
