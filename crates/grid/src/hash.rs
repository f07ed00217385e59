use std::fmt;

/// The Mersenne prime 2^61 - 1, the modulus of both lanes.
const PRIME: u64 = (1 << 61) - 1;

/// What one step to the right multiplies by, a lane each: fixed random residues.
const RIGHT: [u64; 2] = [0x0f3a_91c4_55d2_6e8b, 0x1a2c_73be_9d04_f157];
/// What one step down multiplies by.
const DOWN: [u64; 2] = [0x17d8_04ea_b62f_c391, 0x0b65_e9f2_4873_1dac];
/// Weights of the states are powers of these.
const SALT: [u64; 2] = [0x1c9e_2b47_f0a5_836d, 0x05b1_dd38_6c92_e74f];

/// A hash of cells and their states that does not depend on how they are held.
///
/// Each lane is the polynomial sum of `w(state) R^x D^y` over the live cells, modulo
/// the prime 2^61 - 1, for fixed random R and D. It is therefore additive, a move of
/// all cells is one multiplication, and a quadtree can compute it node by node: a world
/// with 10^30 cells hashes as exactly as one with ten, and every engine gives the same
/// value. [`CellHash::relative_to`] makes it independent of the world's position.
///
/// It tells worlds apart, 122 bits wide; it is no protection against somebody who
/// wants two worlds to collide.
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
    #[must_use]
    pub fn cell(x: i64, y: i64, state: u8) -> Self {
        Self::run(x, y, 1, state)
    }

    /// `length` cells of one state in a row, the leftmost at (`x`, `y`).
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

    /// The hash of the same cells, all moved by (`dx`, `dy`).
    #[must_use]
    pub fn shifted(self, dx: i64, dy: i64) -> Self {
        let lane = |i: usize| {
            mul(
                self.0[i],
                mul(signed_power(RIGHT[i], dx), signed_power(DOWN[i], dy)),
            )
        };
        Self([lane(0), lane(1)])
    }

    /// The hash of the same cells seen from (`x`, `y`) as the origin.
    #[must_use]
    pub fn relative_to(self, x: i64, y: i64) -> Self {
        // The order of R divides 2^61 - 2, so -x may be taken modulo that: no overflow.
        let lane = |i: usize| {
            mul(
                self.0[i],
                mul(
                    power(RIGHT[i], negated_exponent(x)),
                    power(DOWN[i], negated_exponent(y)),
                ),
            )
        };
        Self([lane(0), lane(1)])
    }

    /// The hash of the same cells, moved by exponents that the caller has reduced modulo
    /// [`CellHash::ORDER`]: how worlds larger than 2^63 cells across are hashed.
    #[must_use]
    pub fn shifted_modular(self, dx: u64, dy: u64) -> Self {
        self.moved(Shift::modular(dx, dy))
    }

    /// The hash of the same cells after a move that was worked out before.
    #[must_use]
    #[inline]
    pub fn moved(self, by: Shift) -> Self {
        Self([mul(self.0[0], by.0[0]), mul(self.0[1], by.0[1])])
    }

    /// Moves repeat after this many cells: 2^61 - 2.
    pub const ORDER: u64 = PRIME - 1;
}

/// A move of all cells by so many columns and rows. To work it out takes a hundred times as
/// long as [`CellHash::moved`], so what moves many hashes alike keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift([u64; 2]);

impl Shift {
    /// By exponents that the caller has reduced modulo [`CellHash::ORDER`].
    #[must_use]
    pub fn modular(dx: u64, dy: u64) -> Self {
        let lane = |i: usize| mul(power(RIGHT[i], dx), power(DOWN[i], dy));
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
fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

#[inline]
fn mul(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    add(product as u64 & PRIME, (product >> 61) as u64)
}

fn power(base: u64, mut exponent: u64) -> u64 {
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

fn signed_power(base: u64, exponent: i64) -> u64 {
    power(base, exponent.rem_euclid((PRIME - 1) as i64) as u64)
}

fn negated_exponent(x: i64) -> u64 {
    let positive = x.rem_euclid((PRIME - 1) as i64) as u64;
    if positive == 0 {
        0
    } else {
        PRIME - 1 - positive
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
        assert_eq!(h.moved(Shift::modular(5, 6)), h.shifted(5, 6));
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
