//! Bit-sliced counting: full adders add the neighbours of as many cells as a word has bits,
//! and the count selects the next state.

use super::BitVector;

/// Computes the next states of cells from the three rows around them, a word of cells at a time.
///
/// A row is summed once and used three times, by the row above it, itself, and the row
/// below it; `Row` holds what they share.
pub(super) trait NeighbourCounter<W: BitVector> {
    /// The sums of a row of cells.
    type Row: Copy;

    /// Sums a word of cells and their western and eastern neighbours.
    fn row(&self, west: W, centre: W, east: W) -> Self::Row;

    /// The next states of the middle row.
    fn next(&self, above: Self::Row, here: Self::Row, below: Self::Row) -> W;

    /// Joins the sums of two rows, component by component.
    fn join<J: VectorJoin<W>>(a: Self::Row, b: Self::Row) -> Self::Row;
}

/// A function that makes one vector of two.
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

    /// With all nine cells counted, a cell is alive at 3, and keeps its state at 4.
    #[inline(always)]
    fn next(&self, above: LifeRow<W>, here: LifeRow<W>, below: LifeRow<W>) -> W {
        if W::HAS_TERNARY {
            return seven_tables(above, here, below);
        }
        let ones = above.ones.xor3(here.ones, below.ones);
        let carry = above.ones.majority(here.ones, below.ones);
        // Four bits of weight two.
        let odd = above.twos.xor3(here.twos, below.twos);
        let fours = above.twos.majority(here.twos, below.twos);
        // 3 is a one and exactly one two; 4 is no one and exactly two twos.
        let one_or_three = odd ^ carry;
        let one_two = one_or_three & !fours;
        let two_twos = ((odd & carry) ^ fours) & !one_or_three;
        ones.choose(one_two, two_twos & here.centre)
    }
}

/// The same in seven three-input lookup tables, the minimum from the rows' sums: found
/// by an exhaustive search and tested against the rule.
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

/// A rule that depends on the cell and the number of its live neighbours out of a fixed
/// subset of the eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitCountRule {
    /// Which neighbours count: bit k is the k-th of `ConfigurationTable::OFFSETS`. The
    /// cell itself (bit 4) never does.
    pub(super) counted: u16,
    /// Bit n: a dead cell with n live neighbours is born.
    pub(super) birth: u16,
    /// Bit n: a live cell with n live neighbours survives.
    pub(super) survival: u16,
}

impl BitCountRule {
    /// All eight neighbours.
    pub(super) const MOORE: u16 = 0b1_1110_1111;

    /// The masks that select the next state, for words of one type.
    #[inline(always)]
    pub(super) fn masks<W: BitVector>(self) -> CountMasks<W> {
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
    /// The next state of a dead cell, by count.
    dead: [W; 9],
    /// Whether the next state of a live cell differs from that, by count.
    differs: [W; 9],
}

impl<W: BitVector> CountMasks<W> {
    #[inline(always)]
    fn select(&self, centre: W, sum: [W; 4]) -> W {
        let [ones, twos, fours, eights] = sum;
        let low = twos.choose(
            self.next_at_pair(2, centre, ones),
            self.next_at_pair(0, centre, ones),
        );
        let high = twos.choose(
            self.next_at_pair(6, centre, ones),
            self.next_at_pair(4, centre, ones),
        );
        eights.choose(self.next_at(8, centre), fours.choose(high, low))
    }

    /// The next state where the count is `n`.
    #[inline(always)]
    fn next_at(&self, n: usize, centre: W) -> W {
        self.dead[n] ^ (centre & self.differs[n])
    }

    /// The next state where the count is `n`, an even number, or `n + 1`.
    #[inline(always)]
    fn next_at_pair(&self, n: usize, centre: W, ones: W) -> W {
        ones.choose(self.next_at(n + 1, centre), self.next_at(n, centre))
    }
}

/// Counts all eight neighbours; row sums are shared.
#[derive(Clone, Copy)]
pub(super) struct MooreCounter<W>(pub(super) CountMasks<W>);

/// The row sums of [`MooreCounter`].
#[derive(Clone, Copy)]
pub(super) struct MooreRow<W> {
    /// The sum of all three cells, for the rows above and below.
    three: [W; 2],
    /// The sum of the outer two, for the row itself.
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
        self.0.select(here.centre, sum)
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

/// Counts a subset of the neighbours.
#[derive(Clone, Copy)]
pub(super) struct SubsetCounter<W> {
    masks: CountMasks<W>,
    /// Masks of the neighbours that count, in the order of the offsets.
    counted: [W; 9],
}

impl<W: BitVector> SubsetCounter<W> {
    #[inline(always)]
    pub(super) fn new(counts: BitCountRule) -> Self {
        Self {
            masks: counts.masks(),
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
        self.masks.select(here[1], sum)
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

/// The sum of three numbers of two bits each, at most 8, least significant bit first.
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
