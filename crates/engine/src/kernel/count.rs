//! Bit-sliced counting: the neighbours of as many cells as a word has bits are added by
//! full adders, and the count chooses the next state.

use super::BitVector;

/// Computes a cell's next state from the three rows around it, a word of cells at a time.
///
/// A row is summed once and used three times, by the row above it, itself, and the row
/// below it, so what there is to share is kept in `Row`.
pub(super) trait NeighbourCounter<W: BitVector> {
    /// What is kept of a row of cells.
    type Row: Copy;

    /// From a word of cells and their western and eastern neighbours.
    fn row(&self, west: W, centre: W, east: W) -> Self::Row;

    /// The next states of the middle row.
    fn next(&self, above: Self::Row, here: Self::Row, below: Self::Row) -> W;

    /// What is kept of two rows, joined part by part.
    fn join<J: VectorJoin<W>>(a: Self::Row, b: Self::Row) -> Self::Row;
}

/// A way to make one of two.
pub(super) trait VectorJoin<W> {
    fn join(a: W, b: W) -> W;
}

/// Conway's Life, B3/S23.
#[derive(Clone, Copy, Debug)]
pub(super) struct LifeCounter;

/// The sum of three cells side by side, and the middle one of them.
#[derive(Clone, Copy)]
pub(super) struct LifeRow<W> {
    ones: W,
    twos: W,
    centre: W,
}

impl<W: BitVector> NeighbourCounter<W> for LifeCounter {
    type Row = LifeRow<W>;

    #[inline(always)]
    fn row(&self, west: W, centre: W, east: W) -> LifeRow<W> {
        LifeRow {
            ones: west.xor3(centre, east),
            twos: west.majority(centre, east),
            centre,
        }
    }

    #[inline(always)]
    fn join<J: VectorJoin<W>>(a: LifeRow<W>, b: LifeRow<W>) -> LifeRow<W> {
        LifeRow {
            ones: J::join(a.ones, b.ones),
            twos: J::join(a.twos, b.twos),
            centre: J::join(a.centre, b.centre),
        }
    }

    /// With all nine cells counted, a cell lives on or is born at 3, and stays as it is
    /// at 4.
    #[inline(always)]
    fn next(&self, above: LifeRow<W>, here: LifeRow<W>, below: LifeRow<W>) -> W {
        if W::HAS_TERNARY {
            return seven_tables(above, here, below);
        }
        let ones = above.ones.xor3(here.ones, below.ones);
        let carry = above.ones.majority(here.ones, below.ones);
        // Four bits that are worth two each.
        let odd = above.twos.xor3(here.twos, below.twos);
        let fours = above.twos.majority(here.twos, below.twos);
        // 3 is a one and exactly one two; 4 is no one and exactly two twos.
        let lone = odd ^ carry;
        let one_two = lone & !fours;
        let two_twos = ((odd & carry) ^ fours) & !lone;
        ones.choose(one_two, two_twos & here.centre)
    }
}

/// The same in seven three-input tables, the fewest there are from the rows' sums: found
/// by an exhaustive search and held against the rule by this crate's tests.
#[inline(always)]
fn seven_tables<W: BitVector>(above: LifeRow<W>, here: LifeRow<W>, below: LifeRow<W>) -> W {
    let g0 = below.ones.ternary::<0x36>(here.twos, here.ones);
    let g1 = below.ones ^ here.ones;
    let g2 = g1.ternary::<0xc6>(g0, above.ones);
    let g3 = g1.ternary::<0xd6>(here.centre, above.ones);
    let g4 = g2.ternary::<0x9e>(below.twos, above.twos);
    let g5 = g4.ternary::<0xf2>(g3, g2);
    g5.ternary::<0x0e>(g3, g0)
}

/// Any rule that looks at the cell and the number of its live neighbours out of a fixed
/// set of the eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitCountRule {
    /// Which neighbours count: bit k is the k-th of `ConfigurationTable::OFFSETS`. The
    /// cell itself (bit 4) never does.
    pub(super) counted: u16,
    /// Bit n: a dead cell with n live neighbours comes to life.
    pub(super) birth: u16,
    /// Bit n: a live cell with n live neighbours lives on.
    pub(super) survival: u16,
}

impl BitCountRule {
    /// All eight neighbours.
    pub(super) const MOORE: u16 = 0b1_1110_1111;

    /// The masks that choose the next state, for words of one kind.
    #[inline(always)]
    pub(super) fn chooser<W: BitVector>(self) -> CountMasks<W> {
        let mut dead = [W::ZERO; 9];
        let mut differs = [W::ZERO; 9];
        for n in 0..9 {
            let birth = self.birth >> n & 1;
            let survival = self.survival >> n & 1;
            dead[n] = W::all(birth == 1);
            differs[n] = W::all(birth != survival);
        }
        CountMasks { dead, differs }
    }
}

/// The next state by count, as masks.
#[derive(Clone, Copy)]
pub(super) struct CountMasks<W> {
    /// What a dead cell becomes, by count.
    dead: [W; 9],
    /// Whether a live cell becomes something else, by count.
    differs: [W; 9],
}

impl<W: BitVector> CountMasks<W> {
    #[inline(always)]
    fn choose(&self, centre: W, sum: [W; 4]) -> W {
        let [ones, twos, fours, eights] = sum;
        let low = twos.choose(self.pair(2, centre, ones), self.pair(0, centre, ones));
        let high = twos.choose(self.pair(6, centre, ones), self.pair(4, centre, ones));
        eights.choose(self.by(8, centre), fours.choose(high, low))
    }

    /// The next state where the count is `n`.
    #[inline(always)]
    fn by(&self, n: usize, centre: W) -> W {
        self.dead[n] ^ (centre & self.differs[n])
    }

    /// The next state where the count is `n`, even, or one more.
    #[inline(always)]
    fn pair(&self, n: usize, centre: W, ones: W) -> W {
        ones.choose(self.by(n + 1, centre), self.by(n, centre))
    }
}

/// All eight neighbours counted, rows shared.
#[derive(Clone, Copy)]
pub(super) struct MooreCounter<W>(pub(super) CountMasks<W>);

/// What [`MooreCounter`] keeps of a row.
#[derive(Clone, Copy)]
pub(super) struct MooreRow<W> {
    /// The sum of all three, as the rows above and below want it.
    three: [W; 2],
    /// The sum of the outer two, as the row itself wants it.
    two: [W; 2],
    centre: W,
}

impl<W: BitVector> NeighbourCounter<W> for MooreCounter<W> {
    type Row = MooreRow<W>;

    #[inline(always)]
    fn row(&self, west: W, centre: W, east: W) -> MooreRow<W> {
        MooreRow {
            three: [west.xor3(centre, east), west.majority(centre, east)],
            two: [west ^ east, west & east],
            centre,
        }
    }

    #[inline(always)]
    fn next(&self, above: MooreRow<W>, here: MooreRow<W>, below: MooreRow<W>) -> W {
        let sum = add(above.three, here.two, below.three);
        self.0.choose(here.centre, sum)
    }

    #[inline(always)]
    fn join<J: VectorJoin<W>>(a: MooreRow<W>, b: MooreRow<W>) -> MooreRow<W> {
        MooreRow {
            three: [
                J::join(a.three[0], b.three[0]),
                J::join(a.three[1], b.three[1]),
            ],
            two: [J::join(a.two[0], b.two[0]), J::join(a.two[1], b.two[1])],
            centre: J::join(a.centre, b.centre),
        }
    }
}

/// Some of the neighbours counted.
#[derive(Clone, Copy)]
pub(super) struct SubsetCounter<W> {
    chooser: CountMasks<W>,
    /// Whether a neighbour counts, in the order of the offsets.
    counted: [W; 9],
}

impl<W: BitVector> SubsetCounter<W> {
    #[inline(always)]
    pub(super) fn new(counts: BitCountRule) -> Self {
        Self {
            chooser: counts.chooser(),
            counted: std::array::from_fn(|k| W::all(counts.counted >> k & 1 == 1)),
        }
    }

    #[inline(always)]
    fn triple(&self, first: usize, row: [W; 3]) -> [W; 2] {
        let [a, b, c] = [
            row[0] & self.counted[first],
            row[1] & self.counted[first + 1],
            row[2] & self.counted[first + 2],
        ];
        [a.xor3(b, c), a.majority(b, c)]
    }
}

impl<W: BitVector> NeighbourCounter<W> for SubsetCounter<W> {
    type Row = [W; 3];

    #[inline(always)]
    fn row(&self, west: W, centre: W, east: W) -> [W; 3] {
        [west, centre, east]
    }

    #[inline(always)]
    fn next(&self, above: [W; 3], here: [W; 3], below: [W; 3]) -> W {
        let sum = add(
            self.triple(0, above),
            self.triple(3, here),
            self.triple(6, below),
        );
        self.chooser.choose(here[1], sum)
    }

    #[inline(always)]
    fn join<J: VectorJoin<W>>(a: [W; 3], b: [W; 3]) -> [W; 3] {
        [
            J::join(a[0], b[0]),
            J::join(a[1], b[1]),
            J::join(a[2], b[2]),
        ]
    }
}

/// Three numbers of two bits each, at most 8 together, as one of four bits. Least bit
/// first.
#[inline(always)]
fn add<W: BitVector>(a: [W; 2], b: [W; 2], c: [W; 2]) -> [W; 4] {
    let ones = a[0].xor3(b[0], c[0]);
    let carry = a[0].majority(b[0], c[0]);
    let odd = a[1].xor3(b[1], c[1]);
    let fours = a[1].majority(b[1], c[1]);
    let twos = odd ^ carry;
    let more_fours = odd & carry;
    [ones, twos, fours ^ more_fours, fours & more_fours]
}
