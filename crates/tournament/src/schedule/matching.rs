//! Pairs out of a crowd in which not everybody may meet everybody.
//!
//! Edmonds' algorithm (J. Edmonds, "Paths, trees, and flowers", 1965): a matching is made
//! larger along a path that begins and ends with somebody who is alone and takes every
//! second step within a couple. The search grows a tree of such paths; an odd ring (a
//! blossom) that it closes is looked at as one place.

use std::collections::VecDeque;

/// Couples among numbered members, of whom some may have left.
#[derive(Clone, Debug)]
pub(super) struct GraphMatching<'a, F> {
    /// Whether two may be a couple; asked in any order.
    may: &'a F,
    mates: Vec<Option<usize>>,
    has_left: Vec<bool>,
}

impl<'a, F: Fn(usize, usize) -> bool> GraphMatching<'a, F> {
    /// As many couples as there can be.
    pub(super) fn largest(members: usize, may: &'a F) -> Self {
        let mut matching = Self {
            may,
            mates: vec![None; members],
            has_left: vec![false; members],
        };
        for member in 0..members {
            if matching.mates[member].is_none() {
                matching.find_mate(member);
            }
        }
        matching
    }

    /// Whether every vertex is matched.
    pub(super) fn is_perfect(&self) -> bool {
        let mut members = self.mates.iter().zip(&self.has_left);
        members.all(|(mate, has_left)| mate.is_some() || *has_left)
    }

    /// Removes two vertices as a matched pair, if they are adjacent and the rest can still be
    /// matched as before; returns whether it could.
    pub(super) fn leave(&mut self, one: usize, other: usize) -> bool {
        if !(self.may)(one, other) {
            return false;
        }
        let before = self.mates.clone();
        for member in [one, other] {
            if let Some(mate) = self.mates[member].take() {
                self.mates[mate] = None;
            }
            self.has_left[member] = true;
        }
        // at most two are alone now, and a path from one of them ends at the other
        let alone = (0..self.mates.len())
            .find(|&member| self.mates[member].is_none() && !self.has_left[member]);
        if alone.is_none_or(|member| self.find_mate(member)) {
            return true;
        }
        self.mates = before;
        for member in [one, other] {
            self.has_left[member] = false;
        }
        false
    }

    /// Augments the matching from an unmatched vertex; returns whether that is possible.
    fn find_mate(&mut self, root: usize) -> bool {
        let mut tree = AlternatingTree::new(root, self.mates.len());
        while let Some(member) = tree.queue.pop_front() {
            for next in 0..self.mates.len() {
                let is_useless = self.has_left[next]
                    || tree.stems[member] == tree.stems[next]
                    || self.mates[member] == Some(next)
                    || !(self.may)(member, next);
                if is_useless {
                    continue;
                }
                if tree.is_even[next] {
                    tree.close_ring(member, next, &self.mates);
                    continue;
                }
                if tree.parents[next].is_some() {
                    continue;
                }
                tree.parents[next] = Some(member);
                match self.mates[next] {
                    None => {
                        self.change_along(&tree, next);
                        return true;
                    }
                    Some(mate) => {
                        tree.is_even[mate] = true;
                        tree.queue.push_back(mate);
                    }
                }
            }
        }
        false
    }

    /// Makes couples of every second step on the path from `end` to the root.
    fn change_along(&mut self, tree: &AlternatingTree, end: usize) {
        let mut member = Some(end);
        while let Some(odd) = member {
            let Some(even) = tree.parents[odd] else {
                break;
            };
            member = self.mates[even];
            self.mates[odd] = Some(even);
            self.mates[even] = Some(odd);
        }
    }
}

/// The paths that were found from one root.
struct AlternatingTree {
    /// Whom each was reached from, by a step between couples.
    parents: Vec<Option<usize>>,
    /// Whether a path of an even number of steps leads there.
    is_even: Vec<bool>,
    /// Where the ring that each belongs to is entered; itself where there is none.
    stems: Vec<usize>,
    /// Those from whom has not been looked on.
    queue: VecDeque<usize>,
}

impl AlternatingTree {
    fn new(root: usize, members: usize) -> Self {
        let mut is_even = vec![false; members];
        is_even[root] = true;
        Self {
            parents: vec![None; members],
            is_even,
            stems: (0..members).collect(),
            queue: VecDeque::from([root]),
        }
    }

    /// Two that are reached in an even number of steps may be a couple: the paths to them
    /// and the step between them make an odd ring, which can be gone round either way.
    fn close_ring(&mut self, one: usize, other: usize, mates: &[Option<usize>]) {
        let stem = self.meeting_place(one, other, mates);
        let mut is_in_ring = vec![false; self.stems.len()];
        self.walk(one, stem, other, mates, &mut is_in_ring);
        self.walk(other, stem, one, mates, &mut is_in_ring);
        for member in 0..self.stems.len() {
            if !is_in_ring[self.stems[member]] {
                continue;
            }
            self.stems[member] = stem;
            if !self.is_even[member] {
                self.is_even[member] = true;
                self.queue.push_back(member);
            }
        }
    }

    /// Where the paths from two back to the root meet.
    fn meeting_place(&self, one: usize, other: usize, mates: &[Option<usize>]) -> usize {
        let up = |stem: usize| mates[stem].and_then(|mate| self.parents[mate]);
        let mut is_passed = vec![false; self.stems.len()];
        let mut at = Some(one);
        while let Some(member) = at {
            let stem = self.stems[member];
            is_passed[stem] = true;
            at = up(stem);
        }
        let mut stem = self.stems[other];
        while !is_passed[stem]
            && let Some(next) = up(stem)
        {
            stem = self.stems[next];
        }
        stem
    }

    /// Goes up from one side of a ring to its stem, and lets those on the way be reached
    /// from the other side too.
    fn walk(
        &mut self,
        from: usize,
        stem: usize,
        across: usize,
        mates: &[Option<usize>],
        is_in_ring: &mut [bool],
    ) {
        let (mut at, mut child) = (from, across);
        while self.stems[at] != stem {
            let Some(mate) = mates[at] else {
                break;
            };
            is_in_ring[self.stems[at]] = true;
            is_in_ring[self.stems[mate]] = true;
            self.parents[at] = Some(child);
            child = mate;
            match self.parents[mate] {
                Some(parent) => at = parent,
                None => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    /// The most couples, by trying everything.
    fn most(rest: &[usize], may: &dyn Fn(usize, usize) -> bool) -> usize {
        let Some((&first, rest)) = rest.split_first() else {
            return 0;
        };
        let mut best = most(rest, may);
        for i in 0..rest.len() {
            if may(first, rest[i]) {
                let mut others = rest.to_vec();
                others.remove(i);
                best = best.max(1 + most(&others, may));
            }
        }
        best
    }

    fn couples(mates: &[Option<usize>], may: &dyn Fn(usize, usize) -> bool) -> usize {
        for (member, mate) in mates.iter().enumerate() {
            if let Some(mate) = *mate {
                assert_eq!(mates[mate], Some(member));
                assert!(may(member, mate));
            }
        }
        mates.iter().flatten().count() / 2
    }

    #[test]
    fn a_matching_is_the_largest_possible() {
        let mut dice = Dice::new(5);
        for round in 0..3000 {
            let members = dice.below(10) as usize;
            let share = 1 + dice.below(9);
            let mut edges = vec![false; members * members];
            for a in 0..members {
                for b in 0..a {
                    let may = dice.below(10) < share;
                    edges[a * members + b] = may;
                    edges[b * members + a] = may;
                }
            }
            let may = |a: usize, b: usize| edges[a * members + b];
            let mut matching = GraphMatching::largest(members, &may);
            let all: Vec<_> = (0..members).collect();
            let best = most(&all, &may);
            assert_eq!(couples(&matching.mates, &may), best, "round {round}");
            assert_eq!(matching.is_perfect(), 2 * best == members);
            if !matching.is_perfect() {
                continue;
            }
            // couples leave, and it is right when they may
            let mut rest = all;
            while let [one, ..] = rest[..] {
                let other = rest[1 + dice.below(rest.len() as u32 - 1) as usize];
                let others: Vec<_> = rest
                    .iter()
                    .copied()
                    .filter(|&m| m != one && m != other)
                    .collect();
                let can = may(one, other) && 2 * most(&others, &may) == others.len();
                assert_eq!(matching.leave(one, other), can, "round {round}");
                assert!(matching.is_perfect());
                match can {
                    true => rest = others,
                    false if dice.below(4) == 0 => break,
                    false => {}
                }
            }
        }
    }
}
