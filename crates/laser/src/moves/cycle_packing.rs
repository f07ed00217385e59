//! Maximum cycle packing: the most edge-disjoint cycles in a directed multigraph on nine
//! contents.
//!
//! For graphs of any size the problem is NP-complete (Caprara, Panconesi and Rizzi, "Packing
//! cycles in undirected graphs", 2003, and its directed variant). On nine nodes it is easy:
//! 2-cycles can be taken greedily, reductions that lose no cycle remove most of the rest, and
//! an upper bound is nearly always met.

#![allow(
    clippy::needless_range_loop,
    reason = "rows and columns of a graph are walked side by side"
)]

use crate::tile::Piece;
use std::collections::HashMap;

/// The number of contents: nothing, or one of the pieces.
pub(super) const CONTENT_COUNT: usize = Piece::COUNT + 1;

/// How many edges lead from one content to another.
pub(super) type ContentGraph = [[u32; CONTENT_COUNT]; CONTENT_COUNT];

/// The number of a content: 0 for nothing.
#[inline]
pub(super) fn content(piece: Option<Piece>) -> usize {
    piece.map_or(0, |piece| piece.index() + 1)
}

/// The size of a maximum packing of edge-disjoint cycles.
pub(super) fn max_cycles(graph: &ContentGraph) -> u32 {
    CycleSearch::default().max_cycles(*graph)
}

/// Extracts a maximum packing, each cycle a list of contents with edges from each to the next
/// and from the last to the first; their edges are removed from the graph.
pub(super) fn extract_cycles(graph: &mut ContentGraph) -> Vec<Vec<usize>> {
    let mut cycles = Vec::new();
    let mut search = CycleSearch::default();
    for a in 0..CONTENT_COUNT {
        for b in a + 1..CONTENT_COUNT {
            while graph[a][b] > 0 && graph[b][a] > 0 {
                take(graph, &[a, b]);
                cycles.push(vec![a, b]);
            }
        }
    }
    let mut left = search.max_cycles(*graph);
    // some cycle is in a maximum packing: the one that reduces the maximum by only one. Short
    // ones mostly are
    let mut length = 3;
    while left > 0 {
        let mut found = None;
        let mut path = Vec::new();
        for start in 0..CONTENT_COUNT {
            path.push(start);
            found = found.or_else(|| {
                find_cycle(graph, &mut path, length, &mut |graph| {
                    search.max_cycles(*graph) + 1 == left
                })
            });
            path.clear();
        }
        match found {
            Some(cycle) => {
                take(graph, &cycle);
                cycles.push(cycle);
                left -= 1;
            }
            None => length += 1,
        }
    }
    cycles
}

/// The first cycle of this length that extends the path, has its start as its smallest content,
/// and leaves a graph with the required maximum.
fn find_cycle(
    graph: &mut ContentGraph,
    path: &mut Vec<usize>,
    length: usize,
    will_do: &mut dyn FnMut(&ContentGraph) -> bool,
) -> Option<Vec<usize>> {
    let (start, last) = (path[0], path[path.len() - 1]);
    if path.len() == length {
        if graph[last][start] == 0 {
            return None;
        }
        take(graph, path);
        let is_fine = will_do(graph);
        give(graph, path);
        return is_fine.then(|| path.clone());
    }
    for next in start + 1..CONTENT_COUNT {
        if graph[last][next] > 0 && !path.contains(&next) {
            path.push(next);
            let found = find_cycle(graph, path, length, will_do);
            path.pop();
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Decomposes an acyclic graph into the fewest chains, each a list of contents. They begin
/// where more edges go out than come in, and end where more come in.
pub(super) fn extract_chains(graph: &mut ContentGraph) -> Vec<Vec<usize>> {
    let mut chains = Vec::new();
    for start in 0..CONTENT_COUNT {
        loop {
            let before: u32 = graph.iter().map(|row| row[start]).sum();
            let after: u32 = graph[start].iter().sum();
            if after <= before {
                break;
            }
            let mut chain = vec![start];
            let mut at = start;
            // as far as it goes: it ends where nothing goes out any more
            while let Some(next) = (0..CONTENT_COUNT).find(|&next| graph[at][next] > 0) {
                graph[at][next] -= 1;
                chain.push(next);
                at = next;
            }
            chains.push(chain);
        }
    }
    chains
}

/// From each to the next, and from the last to the first.
pub(super) fn edges(cycle: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let nexts = cycle.iter().cycle().skip(1);
    cycle.iter().copied().zip(nexts.copied())
}

fn take(graph: &mut ContentGraph, cycle: &[usize]) {
    edges(cycle).for_each(|(from, to)| graph[from][to] -= 1);
}

fn give(graph: &mut ContentGraph, cycle: &[usize]) {
    edges(cycle).for_each(|(from, to)| graph[from][to] += 1);
}

/// Memoised bounds of irreducible graphs.
#[derive(Default)]
struct CycleSearch {
    known: HashMap<ContentGraph, CycleBounds>,
}

/// Bounds on the number of cycles.
#[derive(Clone, Copy)]
struct CycleBounds {
    at_least: u32,
    at_most: u32,
}

impl CycleSearch {
    fn max_cycles(&mut self, mut graph: ContentGraph) -> u32 {
        let sure = reduce(&mut graph);
        let mut goal = match branching_edge(&graph) {
            None => 0,
            Some(_) => upper_bound(&graph),
        };
        // the upper bound is nearly always met, and with a known goal, branches that cannot
        // reach it are pruned at once
        while !self.can_pack(&graph, goal) {
            goal -= 1;
        }
        sure + goal
    }

    /// The same for a graph that may be reducible.
    fn can_pack_any(&mut self, mut graph: ContentGraph, goal: u32) -> bool {
        let sure = reduce(&mut graph);
        self.can_pack(&graph, goal.saturating_sub(sure))
    }

    /// Whether an irreducible graph has a packing of `goal` cycles: branches over the cycles
    /// through one edge, and on using that edge for none.
    fn can_pack(&mut self, graph: &ContentGraph, goal: u32) -> bool {
        if goal == 0 {
            return true;
        }
        let Some((from, to)) = branching_edge(graph) else {
            return false;
        };
        let known = *self.known.entry(*graph).or_insert_with(|| CycleBounds {
            at_least: 1,
            at_most: upper_bound(graph),
        });
        if goal <= known.at_least || goal > known.at_most {
            return goal <= known.at_least;
        }
        let mut rest = *graph;
        let mut ways = Vec::new();
        paths(graph, to, from, 1 << from, &mut vec![from], &mut ways);
        ways.sort_by_key(Vec::len);
        let has = ways.into_iter().any(|cycle| {
            take(&mut rest, &cycle);
            let has = self.can_pack_any(rest, goal - 1);
            give(&mut rest, &cycle);
            has
        }) || {
            rest[from][to] = 0;
            self.can_pack_any(rest, goal)
        };
        let known = self.known.get_mut(graph).expect("it was put there");
        if has {
            known.at_least = known.at_least.max(goal);
        } else {
            known.at_most = known.at_most.min(goal - 1);
        }
        has
    }
}

/// All simple paths from one node to another.
fn paths(
    graph: &ContentGraph,
    at: usize,
    goal: usize,
    passed: u16,
    path: &mut Vec<usize>,
    ways: &mut Vec<Vec<usize>>,
) {
    path.push(at);
    if graph[at][goal] > 0 {
        ways.push(path.clone());
    }
    for next in 0..CONTENT_COUNT {
        let passed = passed | 1 << at;
        if graph[at][next] > 0 && passed >> next & 1 == 0 {
            paths(graph, next, goal, passed, path, ways);
        }
    }
    path.pop();
}

/// An edge at a node with few alternatives, to branch on.
fn branching_edge(graph: &ContentGraph) -> Option<(usize, usize)> {
    let choices = |node: usize| {
        let count = |edges: &mut dyn Iterator<Item = u32>| edges.filter(|&n| n > 0).count();
        count(&mut graph[node].iter().copied()) * count(&mut graph.iter().map(|row| row[node]))
    };
    let nodes = (0..CONTENT_COUNT).filter(|&node| choices(node) > 0);
    let from = nodes.min_by_key(|&node| choices(node))?;
    let to = (0..CONTENT_COUNT).filter(|&to| graph[from][to] > 0);
    Some((from, to.min_by_key(|&to| graph[from][to])?))
}

/// Reduces the graph to a fixed point: removes cycles that are in some maximum packing, drops
/// edges that are in no cycle, and contracts nodes. Returns how many cycles it removed.
fn reduce(graph: &mut ContentGraph) -> u32 {
    let mut taken = 0;
    loop {
        taken += remove_two_cycles(graph);
        drop_acyclic_edges(graph);
        if !contract_node(graph) {
            return taken;
        }
    }
}

/// Removes all 2-cycles, which loses no cycle: if a maximum packing used neither edge, it could
/// have one more. If it uses both in one cycle, or only one of them, the 2-cycle can replace
/// that cycle. And if it uses them in two cycles, the other edges of those form a closed walk,
/// which contains a cycle: this one and the 2-cycle replace the two.
fn remove_two_cycles(graph: &mut ContentGraph) -> u32 {
    let mut pairs = 0;
    for a in 0..CONTENT_COUNT {
        for b in 0..a {
            let both = graph[a][b].min(graph[b][a]);
            graph[a][b] -= both;
            graph[b][a] -= both;
            pairs += both;
        }
    }
    pairs
}

/// Drops edges that are in no cycle: those from whose head no path leads back to their tail.
fn drop_acyclic_edges(graph: &mut ContentGraph) {
    let mut reach = graph.map(|row| {
        let bits = row.iter().enumerate();
        bits.fold(0u16, |set, (to, &n)| set | u16::from(n > 0) << to)
    });
    for via in 0..CONTENT_COUNT {
        for from in 0..CONTENT_COUNT {
            if reach[from] >> via & 1 != 0 {
                reach[from] |= reach[via];
            }
        }
    }
    for (from, row) in graph.iter_mut().enumerate() {
        for (to, n) in row.iter_mut().enumerate() {
            if reach[to] >> from & 1 == 0 {
                *n = 0;
            }
        }
    }
}

/// Contracts a node into its only predecessor, or its only successor, where the edges between
/// them suffice for all edges on its other side. Returns whether there was such a node.
///
/// Every cycle through the node uses one of these edges, and there are enough of them for all
/// edges on its other side. So they impose no constraint, and the cycles of both graphs
/// correspond.
fn contract_node(graph: &mut ContentGraph) -> bool {
    for node in 0..CONTENT_COUNT {
        let after: u32 = graph[node].iter().sum();
        if after == 0 {
            continue;
        }
        let before: u32 = graph.iter().map(|row| row[node]).sum();
        let only_before = (0..CONTENT_COUNT).find(|&other| graph[other][node] == before);
        if let Some(other) = only_before.filter(|_| before >= after) {
            graph[other][node] = 0;
            for next in 0..CONTENT_COUNT {
                graph[other][next] += std::mem::take(&mut graph[node][next]);
            }
            return true;
        }
        let only_after = (0..CONTENT_COUNT).find(|&other| graph[node][other] == after);
        if let Some(other) = only_after.filter(|_| after >= before) {
            graph[node][other] = 0;
            for row in graph.iter_mut() {
                row[other] += std::mem::take(&mut row[node]);
            }
            return true;
        }
    }
    false
}

/// An upper bound: in any order of the nodes each cycle has a backward edge, so there are no
/// more cycles than the minimum number of backward edges, the minimum feedback arc set. The
/// best order is found by dynamic programming over subsets (Held and Karp, 1962). In planar
/// graphs the bound is exact (Lucchesi and Younger, 1978).
fn upper_bound(graph: &ContentGraph) -> u32 {
    let mut fewest = [u32::MAX; 1 << CONTENT_COUNT];
    fewest[0] = 0;
    for set in 1..fewest.len() {
        for last in (0..CONTENT_COUNT).filter(|last| set >> last & 1 != 0) {
            let rest = set & !(1 << last);
            let back = (0..CONTENT_COUNT).filter(|to| rest >> to & 1 != 0);
            let back: u32 = back.map(|to| graph[last][to]).sum();
            fewest[set] = fewest[set].min(fewest[rest] + back);
        }
    }
    fewest[fewest.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;

    /// The reference: tries for each edge all cycles through it, and none.
    fn naive(graph: &ContentGraph, known: &mut HashMap<ContentGraph, u32>) -> u32 {
        if let Some(&most) = known.get(graph) {
            return most;
        }
        let mut graph = *graph;
        let key = graph;
        let all = (0..CONTENT_COUNT).flat_map(|from| (0..CONTENT_COUNT).map(move |to| (from, to)));
        let mut most = 0;
        if let Some((from, to)) = all.into_iter().find(|&(from, to)| graph[from][to] > 0) {
            let mut ways = Vec::new();
            paths(&graph, to, from, 1 << from, &mut vec![from], &mut ways);
            for cycle in ways {
                take(&mut graph, &cycle);
                most = most.max(1 + naive(&graph, known));
                give(&mut graph, &cycle);
            }
            graph[from][to] -= 1;
            most = most.max(naive(&graph, known));
        }
        known.insert(key, most);
        most
    }

    fn random(dice: &mut Dice, nodes: u32, edges: u32) -> ContentGraph {
        let mut graph = ContentGraph::default();
        for _ in 0..edges {
            let (from, to) = (dice.below(nodes) as usize, dice.below(nodes) as usize);
            graph[from][to] += u32::from(from != to);
        }
        graph
    }

    #[test]
    fn no_cycle_is_missed() {
        let mut dice = Dice::new(73);
        for round in 0..400 {
            let nodes = 3 + round % 7;
            let edges = 3 + dice.below(11);
            let graph = random(&mut dice, nodes, edges);
            assert_eq!(
                max_cycles(&graph),
                naive(&graph, &mut HashMap::new()),
                "{graph:?}"
            );
        }
    }

    #[test]
    fn cycles_that_are_cut_out_are_there() {
        let mut dice = Dice::new(74);
        for _ in 0..300 {
            let edges = dice.below(30);
            let mut graph = random(&mut dice, 9, edges);
            let whole = graph;
            let cycles = extract_cycles(&mut graph);
            assert_eq!(cycles.len() as u32, max_cycles(&whole));
            assert_eq!(max_cycles(&graph), 0);
            cycles.iter().for_each(|cycle| give(&mut graph, cycle));
            assert_eq!(graph, whole);
        }
    }

    /// Many edges between all contents, as on a crowded board.
    #[test]
    fn crowds_are_counted_too() {
        let mut dice = Dice::new(75);
        for edges in [100, 1000, 100_000] {
            let graph = random(&mut dice, 9, edges);
            let most = max_cycles(&graph);
            assert!(most >= edges / 4 && most <= edges / 2, "{most} of {edges}");
        }
    }
}
