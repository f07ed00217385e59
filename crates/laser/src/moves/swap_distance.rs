use super::cycle_packing;
use crate::tile::Piece;

/// The least number of swaps that give a set of cells their wanted contents, where all other
/// cells may receive anything.
///
/// It is updated incrementally by a search that decides cell after cell: cells are added and
/// removed one at a time, in any order, and the count is read at every node. It never falls
/// when a cell is added, and grows by 1 at most.
///
/// ```
/// use laser::{Piece, moves::SwapDistance};
/// let (mirror, splitter) = (Some(Piece::MirrorRising), Some(Piece::SplitterRising));
/// let mut exchange = SwapDistance::new();
/// exchange.add(None, mirror);
/// exchange.add(mirror, splitter);
/// assert_eq!(exchange.moves(), 2);
/// // the third cell closes the cycle: two swaps serve all three
/// exchange.add(splitter, None);
/// assert_eq!(exchange.moves(), 2);
/// ```
///
/// # Why the count is right
///
/// Take the multigraph with an edge from the present to the wanted content of each cell whose
/// contents differ. The count is the number of edges minus the size of a maximum packing of
/// edge-disjoint cycles.
///
/// *If every cell has a wanted content*, the graph decomposes into cycles (each content is
/// present as often as it is wanted), and each decomposition defines a permutation that maps
/// each cell to one that has its wanted content, cells that already have it to themselves, as
/// cycles of length 1. A swap of two cells joins two cycles of the permutation or splits one.
/// In the end there are as many cycles as cells; so there are at least as many moves as cells
/// minus cycles, and cells that are right already cancel out. A cycle of k cells takes k - 1
/// moves, each of which gives one cell its content and the last one two, so the bound is
/// reached.
///
/// *If some cells may have anything*, they have something in the end, so the argument holds
/// with edges for them as well. Each cycle through one of their edges uses that edge up, so
/// these edges add at most as many cycles as there are of them: at least as many moves are
/// needed as the other cells minus the cycles among themselves. And that many suffice: what is
/// left after a maximum packing is acyclic, and decomposes into the fewest chains, each of
/// which ends with a content that is wanted more often than these cells have it. The free cells
/// have as many of it, since everything wanted exists; each chain of k cells is closed by one
/// of them, and costs k moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwapDistance {
    /// For contents a and b: the number of cells that have a and want b minus the number of the
    /// reverse, or 0 if that is negative.
    surplus: cycle_packing::ContentGraph,
    /// For each content, the set of contents to which it has a surplus.
    ahead: [u16; cycle_packing::CONTENT_COUNT],
    /// The number of cells whose content differs from the wanted one.
    cells: u32,
    /// The number of 2-cycles among them.
    pairs: u32,
}

impl SwapDistance {
    /// No cell yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a cell with this content (`None` for nothing) that wants that one.
    ///
    /// ```
    /// use laser::{Piece, moves::SwapDistance};
    ///
    /// let mut swaps = SwapDistance::new();
    /// swaps.add(None, Some(Piece::TNorth));
    /// swaps.add(Some(Piece::TNorth), Some(Piece::TNorth)); // has what it wants
    /// assert_eq!(swaps.moves(), 1);
    /// ```
    #[inline]
    pub fn add(&mut self, has: Option<Piece>, wants: Option<Piece>) {
        if has != wants {
            let (has, wants) = (cycle_packing::content(has), cycle_packing::content(wants));
            self.cells += 1;
            self.pairs += u32::from(self.shift(has, wants));
        }
    }

    /// Removes a cell that was added.
    ///
    /// ```
    /// use laser::{Piece, moves::SwapDistance};
    ///
    /// let mut swaps = SwapDistance::new();
    /// swaps.add(None, Some(Piece::TNorth));
    /// swaps.remove(None, Some(Piece::TNorth));
    /// assert_eq!(swaps, SwapDistance::new());
    /// ```
    #[inline]
    pub fn remove(&mut self, has: Option<Piece>, wants: Option<Piece>) {
        if has != wants {
            let (has, wants) = (cycle_packing::content(has), cycle_packing::content(wants));
            self.cells -= 1;
            self.pairs -= u32::from(!self.shift(wants, has));
        }
    }

    /// The fewest moves.
    ///
    /// ```
    /// use laser::{Piece, moves::SwapDistance};
    ///
    /// let (mirror, splitter) = (Some(Piece::MirrorRising), Some(Piece::SplitterRising));
    /// let mut swaps = SwapDistance::new();
    /// swaps.add(mirror, splitter);
    /// swaps.add(splitter, mirror);
    /// assert_eq!(swaps.moves(), 1); // one swap serves both
    /// ```
    #[inline]
    #[must_use]
    pub fn moves(&self) -> u32 {
        let longer = if self.has_cycles() {
            cycle_packing::max_cycles(&self.surplus)
        } else {
            0
        };
        self.cells - self.pairs - longer
    }

    /// Adds an edge; returns whether there was a surplus in the reverse direction.
    #[inline]
    fn shift(&mut self, from: usize, to: usize) -> bool {
        let other = &mut self.surplus[to][from];
        if *other > 0 {
            *other -= 1;
            self.ahead[to] &= !(u16::from(*other == 0) << from);
            true
        } else {
            self.surplus[from][to] += 1;
            self.ahead[from] |= 1 << to;
            false
        }
    }

    /// Whether the surpluses contain a cycle: nearly always not.
    #[inline]
    fn has_cycles(&self) -> bool {
        let mut left = 0;
        for (content, &ahead) in self.ahead.iter().enumerate() {
            left |= u16::from(ahead != 0) << content;
        }
        // contents without a remaining successor are removed, until there are none
        while left != 0 {
            let mut next = left;
            for (content, &ahead) in self.ahead.iter().enumerate() {
                next &= !(u16::from(ahead & next == 0) << content);
            }
            if next == left {
                return true;
            }
            left = next;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;
    use std::collections::HashSet;

    /// Nothing, and the first seven pieces.
    fn of(content: u32) -> Option<Piece> {
        content
            .checked_sub(1)
            .map(|piece| Piece::ALL[piece as usize])
    }

    fn distance(edges: &[(u32, u32)]) -> SwapDistance {
        let mut distance = SwapDistance::new();
        for &(has, wants) in edges {
            distance.add(of(has), of(wants));
        }
        distance
    }

    #[test]
    fn cycles_save_a_move_each() {
        for (edges, moves) in [
            (&[][..], 0),
            (&[(3, 3)], 0),
            (&[(0, 1)], 1),
            (&[(0, 1), (1, 0)], 1),
            (&[(0, 1), (0, 1), (1, 0)], 2),
            (&[(0, 1), (1, 2), (2, 3)], 3),
            (&[(0, 1), (1, 2), (2, 0)], 2),
            (&[(0, 1), (1, 2), (2, 3), (3, 0)], 3),
            // a pair is as good as the longer cycle that it breaks
            (&[(0, 1), (1, 2), (2, 0), (1, 0)], 3),
            // one edge is in both triangles
            (&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 1)], 4),
            // the square in the middle would break all four triangles
            (&FOUR_TRIANGLES, 8),
            // two triangles that meet in one content
            (&[(0, 1), (1, 2), (2, 0), (0, 4), (4, 5), (5, 0)], 4),
        ] {
            assert_eq!(distance(edges).moves(), moves, "{edges:?}");
        }
    }

    /// A square 0 1 2 3 with a corner of its own on each side.
    const FOUR_TRIANGLES: [(u32, u32); 12] = [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 0),
        (1, 4),
        (4, 0),
        (2, 5),
        (5, 1),
        (3, 6),
        (6, 2),
        (0, 7),
        (7, 3),
    ];

    #[test]
    fn what_is_taken_back_was_never_there() {
        let mut dice = Dice::new(71);
        for _ in 0..300 {
            let mut all = Vec::new();
            let mut running = SwapDistance::new();
            for _ in 0..dice.below(30) {
                if dice.below(3) == 0 && !all.is_empty() {
                    let (has, wants) = all.swap_remove(dice.below(all.len() as u32) as usize);
                    running.remove(of(has), of(wants));
                } else {
                    let edge = (dice.below(5), dice.below(5));
                    running.add(of(edge.0), of(edge.1));
                    all.push(edge);
                }
                assert_eq!(running, distance(&all));
            }
        }
    }

    #[test]
    fn one_more_cell_costs_one_more_move_or_none() {
        let mut dice = Dice::new(72);
        for _ in 0..100 {
            let mut distance = SwapDistance::new();
            let mut before = 0;
            for _ in 0..40 {
                distance.add(of(dice.below(9)), of(dice.below(9)));
                let moves = distance.moves();
                assert!((before..=before + 1).contains(&moves));
                before = moves;
            }
        }
    }

    /// The fewest swaps of two letters that give each place what it wants, by trying all.
    fn swaps(word: &[u32], wants: &[Option<u32>]) -> u32 {
        let mut seen = HashSet::from([word.to_vec()]);
        let mut front = vec![word.to_vec()];
        for swaps in 0.. {
            let mut next = Vec::new();
            for word in &mut front {
                if word
                    .iter()
                    .zip(wants)
                    .all(|(&a, b)| b.is_none_or(|b| a == b))
                {
                    return swaps;
                }
                for i in 0..word.len() {
                    for j in 0..i {
                        word.swap(i, j);
                        if seen.insert(word.clone()) {
                            next.push(word.clone());
                        }
                        word.swap(i, j);
                    }
                }
            }
            front = next;
        }
        unreachable!("words run out first")
    }

    #[test]
    fn no_fewer_swaps_sort_a_word() {
        let mut dice = Dice::new(76);
        let mut by_swaps = [0; 8];
        for _ in 0..400 {
            let length = 3 + dice.below(5);
            let contents = 2 + dice.below(6);
            let word: Vec<u32> = (0..length).map(|_| dice.below(contents)).collect();
            let mut goal = word.clone();
            dice.shuffle(&mut goal);
            let places_in_the_dark = dice.below(3);
            let wants: Vec<Option<u32>> = goal
                .into_iter()
                .map(|letter| (dice.below(6) >= places_in_the_dark).then_some(letter))
                .collect();
            let mut distance = SwapDistance::new();
            for (&has, wants) in word.iter().zip(&wants) {
                wants
                    .iter()
                    .for_each(|&wants| distance.add(of(has), of(wants)));
            }
            let moves = distance.moves();
            assert_eq!(moves, swaps(&word, &wants), "{word:?} {wants:?}");
            by_swaps[moves as usize] += 1;
        }
        assert!(by_swaps[..5].iter().all(|&n| n > 10), "{by_swaps:?}");
    }
}
