use super::cycle_packing;
use crate::tile::Piece;

/// Cells that have one content and want another, and how few moves give all of them what
/// they want, while cells that want nothing in particular lend and take what they like.
///
/// It is made for a search that decides cell after cell: cells come and go one at a time,
/// in any order, and the count is asked for at every node. It never falls when a cell is
/// added, and grows by 1 at most.
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
/// Draw an edge from what a cell has to what it wants, one for each cell that is not
/// content. The count is that of the edges, less the most cycles that can be cut out of the
/// graph without using an edge twice.
///
/// *When every cell wants something*, the graph falls apart into cycles (as many cells have
/// a content as want it), and each way to cut it up names for each cell another one that
/// has what it wants, itself if it is content: a permutation, with the contented cells as
/// cycles of one. A swap of two cells joins two of its cycles or splits one. In the end all
/// cells are content, with as many cycles as cells; so there are at least as many moves as
/// cells less cycles, and contented cells count nothing. A cycle of k cells is served by
/// k - 1 moves that each give one cell what it wants and the last one two, so that many
/// suffice.
///
/// *When some cells want nothing in particular*, they will have something in the end, so
/// the above holds with edges for them as well. A cycle through one of their edges uses it
/// up, so at most as many cycles are won by them as they have edges: no fewer moves than
/// the cells that do want something, less the cycles among themselves. And as few suffice:
/// what is left when the most cycles are cut out has no cycle, and falls apart into as few
/// chains as can be, each ending with a content that more cells want than have. So many
/// others have it, since all that is wanted is there; each chain of k cells is closed by
/// one of those, and costs k moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwapDistance {
    /// For contents a and b: how many more cells have a and want b than the other way
    /// round, and 0 where it is not more.
    surplus: cycle_packing::ContentGraph,
    /// For each content, a bit for each other in which it has a surplus.
    ahead: [u16; cycle_packing::CONTENT_COUNT],
    /// Cells that have not what they want.
    cells: u32,
    /// Twos among them that have what the other wants.
    pairs: u32,
}

impl SwapDistance {
    /// No cell yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more cell that has this content (`None` for nothing) and wants that.
    #[inline]
    pub fn add(&mut self, has: Option<Piece>, wants: Option<Piece>) {
        if has != wants {
            let (has, wants) = (cycle_packing::content(has), cycle_packing::content(wants));
            self.cells += 1;
            self.pairs += u32::from(self.shift(has, wants));
        }
    }

    /// Takes a cell back that was added.
    #[inline]
    pub fn remove(&mut self, has: Option<Piece>, wants: Option<Piece>) {
        if has != wants {
            let (has, wants) = (cycle_packing::content(has), cycle_packing::content(wants));
            self.cells -= 1;
            self.pairs -= u32::from(!self.shift(wants, has));
        }
    }

    /// The fewest moves.
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

    /// One more in this direction; says whether there was a surplus in the other.
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

    /// Whether there are cycles of surpluses: nearly always not.
    #[inline]
    fn has_cycles(&self) -> bool {
        let mut left = 0;
        for (content, &ahead) in self.ahead.iter().enumerate() {
            left |= u16::from(ahead != 0) << content;
        }
        // contents from which nothing leads on that is still there drop out, till none does
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
