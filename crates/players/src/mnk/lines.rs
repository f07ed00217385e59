//! The solver's board of at most 64 cells: bitboards, and the lines that win.

use games::Game as _;
use games::mnk::{Cell, Mnk};

/// Cells as bits, numbered as in [`games::mnk`].
pub(super) type MnkCellSet = u64;

/// The precomputed lines and symmetries of one board.
#[derive(Clone, Debug)]
pub(super) struct MnkLineTable {
    /// Every set of cells that wins.
    lines: Vec<MnkCellSet>,
    /// How many in a row win.
    length: u32,
    /// All cells.
    all: MnkCellSet,
    /// Where each cell goes under each symmetry of the board.
    images: Vec<[u8; 64]>,
    /// Where each cell came from under each symmetry.
    origins: Vec<[u8; 64]>,
}

/// Statistics of the lines in a position: immediate wins, and open lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineStatistics {
    /// Empty cells that complete a line of the attacker's.
    pub(super) attacker_wins: MnkCellSet,
    /// Empty cells that complete a line of the defender's.
    pub(super) defender_wins: MnkCellSet,
    /// Empty cells that would leave the attacker one short of a line.
    pub(super) attacker_threats: MnkCellSet,
    /// Empty cells on a line that the attacker can still complete.
    pub(super) attacker_alive: MnkCellSet,
    /// Empty cells on a line that the defender can still complete.
    pub(super) defender_alive: MnkCellSet,
    /// The sum of 2^-e over the lines that the attacker can still complete, where e is how
    /// many cells they lack, in units of 2^-32.
    pub(super) potential: u64,
}

/// The unit of [`LineStatistics::potential`].
pub(super) const ONE: u64 = 1 << 32;

impl MnkLineTable {
    /// `None` for a board of more than 64 cells.
    pub(super) fn new<const WORDS: usize>(game: &Mnk<WORDS>) -> Option<Self> {
        if game.cells() > 64 {
            return None;
        }
        let (columns, rows, length) = (
            game.columns() as i32,
            game.rows() as i32,
            game.line() as i32,
        );
        let mut lines = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for y in 0..rows {
                for x in 0..columns {
                    let (end_x, end_y) = (x + dx * (length - 1), y + dy * (length - 1));
                    if (0..columns).contains(&end_x) && end_y < rows {
                        let cells = (0..length).map(|i| (y + dy * i) * columns + x + dx * i);
                        lines.push(cells.fold(0, |line, cell| line | 1 << cell));
                    }
                }
            }
        }
        // one in a row is the same line in all directions
        lines.sort_unstable();
        lines.dedup();
        let cells = game.cells();
        let images: Vec<[u8; 64]> = (0..game.symmetries())
            .map(|symmetry| {
                std::array::from_fn(|cell| match cell as u32 {
                    cell if cell < cells => game.image_move(cell as Cell, symmetry) as u8,
                    _ => 0,
                })
            })
            .collect();
        let origins = images.iter().map(|image| {
            let mut origin = [0; 64];
            for cell in 0..cells as u8 {
                origin[usize::from(image[usize::from(cell)])] = cell;
            }
            origin
        });
        Some(Self {
            lines,
            origins: origins.collect(),
            length: game.line(),
            all: if cells == 64 { !0 } else { (1 << cells) - 1 },
            images,
        })
    }

    /// All cells of the board.
    pub(super) fn all(&self) -> MnkCellSet {
        self.all
    }

    /// Whether a line is complete.
    pub(super) fn has_line(&self, stones: MnkCellSet) -> bool {
        self.lines.iter().any(|&line| line & !stones == 0)
    }

    /// Computes the statistics in one pass over the lines.
    #[inline]
    pub(super) fn statistics(&self, attacker: MnkCellSet, defender: MnkCellSet) -> LineStatistics {
        let mut statistics = LineStatistics::default();
        for &line in &self.lines {
            let (own, other) = (line & attacker, line & defender);
            if other == 0 {
                let lacking = self.length - own.count_ones();
                let empty = line ^ own;
                statistics.attacker_alive |= empty;
                statistics.potential += ONE >> lacking;
                match lacking {
                    1 => statistics.attacker_wins |= empty,
                    2 => statistics.attacker_threats |= empty,
                    _ => {}
                }
            }
            if own == 0 {
                let empty = line ^ other;
                statistics.defender_alive |= empty;
                if empty & empty.wrapping_sub(1) == 0 {
                    statistics.defender_wins |= empty;
                }
            }
        }
        statistics
    }

    /// The weight of each empty cell: the open lines through it, more for lines that lack fewer
    /// cells, and slightly more for those of the seat to move.
    pub(super) fn cell_weights(&self, mover: MnkCellSet, other: MnkCellSet) -> [u32; 64] {
        let mut weights = [0; 64];
        for &line in &self.lines {
            let (own, theirs) = (line & mover, line & other);
            let weight = match (own, theirs) {
                (_, 0) => 5 << (2 * own.count_ones()).min(20),
                (0, _) => 4 << (2 * theirs.count_ones()).min(20),
                _ => continue,
            };
            for cell in bits(line & !(own | theirs)) {
                weights[cell as usize] += weight;
            }
        }
        weights
    }

    /// Whether a pairing strategy exists: disjoint pairs of empty cells such that each line
    /// that the attacker can still complete contains a pair.
    ///
    /// With such pairs the attacker never completes a line: whenever it takes a cell of a pair,
    /// the defender takes the other (or any cell, if it has that one already), so each line
    /// ends up with a stone of the defender's. The search for pairs is greedy with limited
    /// backtracking, so `false` proves nothing.
    pub(super) fn is_paired_off(&self, attacker: MnkCellSet, defender: MnkCellSet) -> bool {
        let mut open = [0; 64];
        let mut count = 0;
        for &line in self.lines.iter().filter(|&line| line & defender == 0) {
            if count == open.len() {
                return false;
            }
            open[count] = line & !attacker;
            count += 1;
        }
        let free = self.all & !(attacker | defender);
        pair_off(&mut open[..count], free, &mut 40)
    }

    /// The images of a position under each symmetry.
    pub(super) fn view(&self, attacker: MnkCellSet, defender: MnkCellSet) -> MnkSymmetryImages {
        let mut images = MnkSymmetryImages {
            attacker: [0; 8],
            defender: [0; 8],
            count: self.images.len(),
        };
        for cell in bits(attacker) {
            self.add(&mut images.attacker, cell);
        }
        for cell in bits(defender) {
            self.add(&mut images.defender, cell);
        }
        images
    }

    #[inline]
    fn add(&self, stones: &mut [MnkCellSet; 8], cell: u32) {
        for (image, stones) in self.images.iter().zip(stones) {
            *stones |= 1 << image[cell as usize];
        }
    }

    /// A cell in the orientation of the canonical image.
    pub(super) fn to_canonical(&self, key: &MnkCanonicalImage, cell: u8) -> u8 {
        self.images[key.symmetry][usize::from(cell)]
    }

    /// The cell that [`MnkLineTable::to_canonical`] gives this one for.
    pub(super) fn of_canonical(&self, key: &MnkCanonicalImage, cell: u8) -> u8 {
        self.origins[key.symmetry][usize::from(cell)]
    }

    /// The position after a stone of the attacker's.
    #[inline]
    pub(super) fn attack(&self, images: &MnkSymmetryImages, cell: u32) -> MnkSymmetryImages {
        let mut next = *images;
        self.add(&mut next.attacker, cell);
        next
    }

    /// The position after a stone of the defender's.
    #[inline]
    pub(super) fn defend(&self, images: &MnkSymmetryImages, cell: u32) -> MnkSymmetryImages {
        let mut next = *images;
        self.add(&mut next.defender, cell);
        next
    }
}

/// A position under all symmetries of the board at once, so that a move is a few bits set
/// and the smallest of the images stands for them all.
#[derive(Clone, Copy, Debug)]
pub(super) struct MnkSymmetryImages {
    attacker: [MnkCellSet; 8],
    defender: [MnkCellSet; 8],
    count: usize,
}

impl MnkSymmetryImages {
    /// The attacker's stones as they lie.
    pub(super) fn attacker(&self) -> MnkCellSet {
        self.attacker[0]
    }

    /// The defender's stones as they lie.
    pub(super) fn defender(&self) -> MnkCellSet {
        self.defender[0]
    }

    /// The canonical image: the same for all positions that are images of one another, and for
    /// no others.
    #[inline]
    pub(super) fn key(&self) -> MnkCanonicalImage {
        let mut key = MnkCanonicalImage {
            stones: (self.attacker[0], self.defender[0]),
            symmetry: 0,
        };
        for symmetry in 1..self.count {
            let stones = (self.attacker[symmetry], self.defender[symmetry]);
            if stones < key.stones {
                key = MnkCanonicalImage { stones, symmetry };
            }
        }
        key
    }
}

/// The canonical image of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct MnkCanonicalImage {
    /// The attacker's and the defender's stones in that image.
    pub(super) stones: (MnkCellSet, MnkCellSet),
    /// Which image it is.
    symmetry: usize,
}

/// Finds pairs for the lines in `open`, which hold the cells that each lacks.
fn pair_off(open: &mut [MnkCellSet], free: MnkCellSet, tries: &mut u32) -> bool {
    // the line with the fewest free cells is the hardest to serve
    let Some(hardest) = (0..open.len()).min_by_key(|&i| (open[i] & free).count_ones()) else {
        return true;
    };
    let cells = open[hardest] & free;
    if cells.count_ones() < 2 {
        return false;
    }
    // pairs that serve the most lines first
    let mut pairs = [(0, 0); 32];
    let mut count = 0;
    for first in bits(cells) {
        for second in bits(cells & (!0 << first << 1)) {
            let pair: MnkCellSet = 1 << first | 1 << second;
            let served = open.iter().filter(|&&line| line & pair == pair).count();
            if count < pairs.len() {
                pairs[count] = (served, pair);
                count += 1;
            }
        }
    }
    let pairs = &mut pairs[..count];
    pairs.sort_unstable_by(|a, b| b.cmp(a));
    for &(_, pair) in pairs.iter() {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let mut left = [0; 64];
        let mut count = 0;
        for &line in open.iter().filter(|&&line| line & pair != pair) {
            left[count] = line;
            count += 1;
        }
        if pair_off(&mut left[..count], free & !pair, tries) {
            return true;
        }
    }
    false
}

/// The cells of a set, from the lowest.
pub(super) fn bits(mut cells: MnkCellSet) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros());
        cells &= cells.wrapping_sub(1);
        cell
    })
}
