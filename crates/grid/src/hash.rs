use std::fmt;

/// The Mersenne prime 2^61 - 1, the modulus of both lanes.
const PRIME: u64 = (1 << 61) - 1;

/// What one step to the right multiplies by, a lane each: fixed random residues.
const RIGHT: [u64; 2] = [0x0f3a_91c4_55d2_6e8b, 0x1a2c_73be_9d04_f157];
/// What one step down multiplies by.
const DOWN: [u64; 2] = [0x17d8_04ea_b62f_c391, 0x0b65_e9f2_4873_1dac];
/// Weights of the states are powers of these.
const SALT: [u64; 2] = [0x1c9e_2b47_f0a5_836d, 0x05b1_dd38_6c92_e74f];

static RIGHT_POWERS: [PowerTable; 2] = [PowerTable::new(RIGHT[0]), PowerTable::new(RIGHT[1])];
static DOWN_POWERS: [PowerTable; 2] = [PowerTable::new(DOWN[0]), PowerTable::new(DOWN[1])];

/// The hash of the cells of state 1 in byte `b` of a word that is a row of 64 cells, for each value
/// of the byte, at `[b][value]`.
static BYTES: [[CellHash; 256]; 8] = {
    let mut bytes = [[CellHash::EMPTY; 256]; 8];
    let mut lane = 0;
    while lane < 2 {
        let mut cell = SALT[lane];
        let mut x = 0;
        while x < 64 {
            // Values with this bit as their highest add it to the value without it.
            let (byte, bit) = (x / 8, 1 << (x % 8));
            let mut rest = 0;
            while rest < bit {
                bytes[byte][bit + rest].0[lane] = add(bytes[byte][rest].0[lane], cell);
                rest += 1;
            }
            cell = mul(cell, RIGHT[lane]);
            x += 1;
        }
        lane += 1;
    }
    bytes
};

/// A hash of cells and their states that is independent of the data structure that holds them.
///
/// The definition is the project's own; a polynomial modulo a prime, as in the fingerprints of
/// Karp and Rabin (1987), here of two variables.
///
/// Each lane is the polynomial sum of `w(state) R^x D^y` over the live cells, modulo
/// the prime 2^61 - 1, for fixed random R and D. It is therefore additive, a move of
/// all cells is one multiplication, and a quadtree can compute it node by node: a world
/// with 10^30 cells hashes as exactly as one with ten, and every engine gives the same
/// value. [`CellHash::relative_to`] makes it independent of the world's position.
///
/// It has 122 bits, and distinguishes worlds in practice; it does not resist deliberate
/// collisions.
///
/// ```
/// use grid::CellHash;
/// let here = CellHash::cell(0, 0, 1) + CellHash::cell(1, 0, 1);
/// let there = CellHash::cell(10, -7, 1) + CellHash::cell(11, -7, 1);
/// assert_ne!(here, there);
/// assert_eq!(here, there.relative_to(10, -7));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CellHash([u64; 2]);

impl CellHash {
    /// The hash of no cells.
    pub const EMPTY: Self = Self([0; 2]);

    /// One cell. State 0 adds nothing.
    ///
    /// ```
    /// use grid::CellHash;
    ///
    /// assert_eq!(CellHash::cell(5, 5, 0), CellHash::EMPTY);
    /// assert_ne!(CellHash::cell(5, 5, 1), CellHash::cell(5, 5, 2));
    /// ```
    #[must_use]
    pub fn cell(x: i64, y: i64, state: u8) -> Self {
        Self::run(x, y, 1, state)
    }

    /// `length` cells of one state in a row, the leftmost at (`x`, `y`).
    ///
    /// ```
    /// use grid::CellHash;
    ///
    /// let cells = CellHash::cell(7, 2, 1) + CellHash::cell(8, 2, 1) + CellHash::cell(9, 2, 1);
    /// assert_eq!(CellHash::run(7, 2, 3, 1), cells);
    /// ```
    #[must_use]
    pub fn run(x: i64, y: i64, length: u64, state: u8) -> Self {
        if state == 0 || length == 0 {
            return Self::EMPTY;
        }
        let mut lanes = [0; 2];
        for (lane, out) in lanes.iter_mut().enumerate() {
            let weight = state_weight(lane, state);
            *out = mul(weight, geometric(RIGHT[lane], length));
        }
        Self(lanes).shifted(x, y)
    }

    /// 64 cells of states 0 and 1 in a row: the cell (x, 0) is bit x.
    ///
    /// ```
    /// use grid::CellHash;
    ///
    /// assert_eq!(CellHash::word(0b1101), CellHash::cell(0, 0, 1) + CellHash::run(2, 0, 2, 1));
    /// ```
    #[must_use]
    #[inline]
    pub fn word(bits: u64) -> Self {
        // Eight residues fit into a word before they are reduced.
        let mut sums = [0; 2];
        for (hashes, byte) in BYTES.iter().zip(bits.to_le_bytes()) {
            let lanes = hashes[usize::from(byte)].0;
            sums[0] += lanes[0];
            sums[1] += lanes[1];
        }
        Self(sums.map(reduced))
    }

    /// The hash of the same cells, all moved by (`dx`, `dy`).
    ///
    /// ```
    /// use grid::CellHash;
    ///
    /// assert_eq!(CellHash::cell(1, 2, 1).shifted(10, -20), CellHash::cell(11, -18, 1));
    /// ```
    #[must_use]
    pub fn shifted(self, dx: i64, dy: i64) -> Self {
        self.moved(HashShift::new(dx, dy))
    }

    /// The hash of the same cells seen from (`x`, `y`) as the origin.
    ///
    /// ```
    /// use grid::CellHash;
    ///
    /// let (x, y) = (i64::MIN, i64::MAX);
    /// assert_eq!(CellHash::cell(x, y, 1).relative_to(x, y), CellHash::cell(0, 0, 1));
    /// ```
    #[must_use]
    pub fn relative_to(self, x: i64, y: i64) -> Self {
        // Not a move by -x, which may be too large.
        let lane = |i: usize| {
            let (right, down) = (&RIGHT_POWERS[i], &DOWN_POWERS[i]);
            mul(self.0[i], mul(right.inverse(x), down.inverse(y)))
        };
        Self([lane(0), lane(1)])
    }

    /// The hash of the same cells, moved by exponents that the caller has reduced modulo
    /// [`CellHash::ORDER`]: how worlds larger than 2^63 cells across are hashed.
    ///
    /// ```
    /// use grid::CellHash;
    ///
    /// let cell = CellHash::cell(0, 0, 1);
    /// let one_to_the_left = CellHash::ORDER - 1;
    /// assert_eq!(cell.shifted_modular(one_to_the_left, 3), CellHash::cell(-1, 3, 1));
    /// ```
    #[must_use]
    pub fn shifted_modular(self, dx: u64, dy: u64) -> Self {
        self.moved(HashShift::modular(dx, dy))
    }

    /// The hash of the same cells after a move that was worked out before.
    ///
    /// ```
    /// use grid::{CellHash, HashShift};
    ///
    /// let by = HashShift::new(64, 0);
    /// let row = [0b101, 0b1].map(CellHash::word);
    /// assert_eq!(row[0] + row[1].moved(by), row[0] + CellHash::cell(64, 0, 1));
    /// ```
    #[must_use]
    #[inline]
    pub fn moved(self, by: HashShift) -> Self {
        Self([mul(self.0[0], by.0[0]), mul(self.0[1], by.0[1])])
    }

    /// Moves repeat after this many cells: 2^61 - 2.
    pub const ORDER: u64 = PRIME - 1;
}

/// A precomputed translation. Computing it takes about ten times as long as
/// [`CellHash::moved`], so code that moves many hashes alike keeps it.
///
/// ```
/// use grid::{CellHash, HashShift};
///
/// let down = HashShift::new(0, 1);
/// assert_eq!(CellHash::cell(4, 0, 1).moved(down), CellHash::cell(4, 1, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashShift([u64; 2]);

impl HashShift {
    /// A translation by `dx` columns to the right and `dy` rows down.
    ///
    /// ```
    /// use grid::{CellHash, HashShift};
    ///
    /// assert_eq!(CellHash::cell(0, 0, 3).moved(HashShift::new(-2, 9)), CellHash::cell(-2, 9, 3));
    /// ```
    #[must_use]
    pub fn new(dx: i64, dy: i64) -> Self {
        let lane = |i: usize| mul(RIGHT_POWERS[i].signed(dx), DOWN_POWERS[i].signed(dy));
        Self([lane(0), lane(1)])
    }

    /// By exponents that the caller has reduced modulo [`CellHash::ORDER`].
    ///
    /// ```
    /// use grid::{CellHash, HashShift};
    ///
    /// assert_eq!(HashShift::modular(CellHash::ORDER - 5, 7), HashShift::new(-5, 7));
    /// ```
    #[must_use]
    pub fn modular(dx: u64, dy: u64) -> Self {
        let lane = |i: usize| mul(RIGHT_POWERS[i].modular(dx), DOWN_POWERS[i].modular(dy));
        Self([lane(0), lane(1)])
    }
}

impl std::ops::Add for CellHash {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self([add(self.0[0], other.0[0]), add(self.0[1], other.0[1])])
    }
}

impl std::ops::AddAssign for CellHash {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl fmt::Display for CellHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.0[0], self.0[1])
    }
}

fn state_weight(lane: usize, state: u8) -> u64 {
    power(SALT[lane], u64::from(state))
}

#[inline]
const fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

#[inline]
const fn mul(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    add(product as u64 & PRIME, (product >> 61) as u64)
}

/// The residue of any word.
#[inline]
const fn reduced(word: u64) -> u64 {
    add(word & PRIME, word >> 61)
}

const fn power(base: u64, mut exponent: u64) -> u64 {
    let (mut result, mut square) = (1, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, square);
        }
        square = mul(square, square);
        exponent >>= 1;
    }
    result
}

/// Powers of one base, and of its inverse: a multiplication for each hexadecimal digit of the
/// exponent, and few for exponents near zero.
struct PowerTable {
    /// base^(d * 16^k) at `[k][d]`.
    base: [[u64; 16]; 16],
    /// The same of the inverse.
    inverse: [[u64; 16]; 16],
}

impl PowerTable {
    const fn new(base: u64) -> Self {
        Self {
            base: Self::of_digits(base),
            inverse: Self::of_digits(power(base, PRIME - 2)),
        }
    }

    const fn of_digits(mut base: u64) -> [[u64; 16]; 16] {
        let mut powers = [[1; 16]; 16];
        let mut k = 0;
        while k < 16 {
            let mut digit = 1;
            while digit < 16 {
                powers[k][digit] = mul(powers[k][digit - 1], base);
                digit += 1;
            }
            base = mul(powers[k][15], base);
            k += 1;
        }
        powers
    }

    fn product(digits: &[[u64; 16]; 16], mut exponent: u64) -> u64 {
        let mut result = 1;
        for powers in digits {
            if exponent == 0 {
                break;
            }
            result = mul(result, powers[(exponent & 15) as usize]);
            exponent >>= 4;
        }
        result
    }

    /// base^exponent.
    fn signed(&self, exponent: i64) -> u64 {
        match exponent < 0 {
            true => Self::product(&self.inverse, exponent.unsigned_abs()),
            false => Self::product(&self.base, exponent.unsigned_abs()),
        }
    }

    /// base^-exponent.
    fn inverse(&self, exponent: i64) -> u64 {
        match exponent < 0 {
            true => Self::product(&self.base, exponent.unsigned_abs()),
            false => Self::product(&self.inverse, exponent.unsigned_abs()),
        }
    }

    /// base^exponent for an exponent below [`CellHash::ORDER`], the upper half of which are the
    /// negative ones.
    fn modular(&self, exponent: u64) -> u64 {
        match exponent > CellHash::ORDER / 2 {
            true => Self::product(&self.inverse, CellHash::ORDER - exponent),
            false => Self::product(&self.base, exponent),
        }
    }
}

/// 1 + r + r^2 + … + r^(n-1), by doubling.
fn geometric(ratio: u64, n: u64) -> u64 {
    let (mut sum, mut reach) = (0, 1); // sum of the first k powers, and ratio^k
    for bit in (0..64 - n.leading_zeros()).rev() {
        sum = add(sum, mul(reach, sum));
        reach = mul(reach, reach);
        if n >> bit & 1 == 1 {
            sum = add(sum, reach);
            reach = mul(reach, ratio);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_the_sum_of_its_cells() {
        for length in [0, 1, 2, 3, 7, 64, 65] {
            let mut cells = CellHash::EMPTY;
            for x in 0..length {
                cells += CellHash::cell(-5 + x as i64, 9, 3);
            }
            assert_eq!(CellHash::run(-5, 9, length, 3), cells, "length {length}");
        }
    }

    #[test]
    fn a_word_is_the_sum_of_its_cells() {
        let mut dice = dice::Dice::new(1);
        let words = std::iter::repeat_with(|| dice.word()).take(50);
        for bits in words.chain([0, 1, 1 << 63, u64::MAX]) {
            let cells = (0..64).map(|x| CellHash::cell(x, 0, (bits >> x & 1) as u8));
            let sum = cells.fold(CellHash::EMPTY, |sum, cell| sum + cell);
            assert_eq!(CellHash::word(bits), sum, "{bits:x}");
        }
    }

    #[test]
    fn powers_are_products() {
        let powers = &RIGHT_POWERS[1];
        for exponent in [
            0,
            1,
            15,
            16,
            17,
            4096,
            99_999_999,
            i64::MAX,
            -1,
            -16,
            i64::MIN,
        ] {
            let modular = exponent.rem_euclid(CellHash::ORDER as i64) as u64;
            let product = power(RIGHT[1], modular);
            assert_eq!(powers.signed(exponent), product, "{exponent}");
            assert_eq!(powers.modular(modular), product, "{exponent}");
            assert_eq!(mul(powers.inverse(exponent), product), 1, "{exponent}");
        }
    }

    #[test]
    fn moves_compose_and_undo() {
        let h = CellHash::cell(3, 4, 1) + CellHash::cell(-3, 0, 2);
        assert_eq!(h.shifted(100, -7).shifted(-100, 7), h);
        assert_eq!(h.shifted(-40, 12).relative_to(-40, 12), h);
        assert_eq!(
            h.shifted(i64::MIN, i64::MAX)
                .relative_to(i64::MIN, i64::MAX),
            h
        );
        assert_eq!(h.shifted_modular(5, 6), h.shifted(5, 6));
        assert_eq!(h.moved(HashShift::modular(5, 6)), h.shifted(5, 6));
    }

    #[test]
    fn states_and_places_matter() {
        let a = CellHash::cell(0, 0, 1);
        assert_ne!(a, CellHash::cell(0, 0, 2));
        assert_ne!(a, CellHash::cell(1, 0, 1));
        assert_ne!(a, CellHash::cell(0, 1, 1));
        assert_eq!(CellHash::cell(9, 9, 0), CellHash::EMPTY);
    }
}
