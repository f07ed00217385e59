//! The same soup under many rules: each totalistic rule of two states and the eight neighbours,
//! without B0, as two numbers. What comes of the soup is counted, and a map of all rules is a
//! picture of these counts.
//!
//! Here a rule is data, not code: nine neighbours are added bit by bit for 64 cells at once, and
//! what a cell becomes is chosen by masks (own method). [`crate::rule_space_shader`] is the same
//! for devices, and is held against this.

use rule::Rule;

/// Columns and rows of the torus that soups live on: a row is a word.
pub const SOUP_SIDE: usize = 64;

/// The cells of such a torus: bit x of word y is the cell in column x and row y.
pub type SoupRows = [u64; SOUP_SIDE];

/// A rule of the space: bit k of `born` is set where a dead cell with k neighbours comes to life,
/// and bit k of `kept` where a live one stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpaceRule {
    /// Counts of neighbours that give birth; bit 0 is clear.
    pub born: u16,
    /// Counts of neighbours with which a cell survives.
    pub kept: u16,
}

impl SpaceRule {
    /// Columns of the map: a set of counts for survival each.
    pub const COLUMNS: u32 = 512;
    /// Rows of the map: a set of counts for birth each, of 1 to 8.
    pub const ROWS: u32 = 256;

    /// The rule at a place of the map: the bits of the column, from the highest on, are S0 to
    /// S8, those of the row B1 to B8. So what few neighbours do, which changes most, is seen
    /// from afar.
    ///
    /// ```
    /// use gpu::SpaceRule;
    ///
    /// let life = SpaceRule::at(0b001_100_000, 0b0010_0000);
    /// assert_eq!(life.name(), "B3/S23");
    /// assert_eq!(life.place(), (96, 32));
    /// ```
    #[must_use]
    pub fn at(column: u32, row: u32) -> Self {
        Self {
            born: u16::from((row as u8).reverse_bits()) << 1,
            kept: (column as u16).reverse_bits() >> 7,
        }
    }

    /// Its column and row in the map.
    #[must_use]
    pub fn place(self) -> (u32, u32) {
        let row = ((self.born >> 1) as u8).reverse_bits();
        ((self.kept << 7).reverse_bits().into(), row.into())
    }

    /// Its name, such as B3/S23.
    #[must_use]
    pub fn name(self) -> String {
        let digits = |set: u16| -> String {
            let counts = (0..=8).filter(|count| set >> count & 1 == 1);
            counts.map(|count| char::from(b'0' + count)).collect()
        };
        format!("B{}/S{}", digits(self.born), digits(self.kept))
    }

    /// The rule of that name, if it is one of the space.
    ///
    /// ```
    /// use gpu::SpaceRule;
    ///
    /// let highlife = SpaceRule::of_rule(&"B36/S23".parse()?).expect("one of the space");
    /// assert_eq!(highlife.name(), "B36/S23");
    /// assert_eq!(SpaceRule::of_rule(&"345/2/4".parse()?), None);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn of_rule(rule: &Rule) -> Option<Self> {
        let name = rule.to_string();
        let (born, kept) = name.strip_prefix('B')?.split_once("/S")?;
        let set = |digits: &str| {
            digits.bytes().try_fold(0_u16, |set, digit| match digit {
                b'0'..=b'8' => Some(set | 1 << (digit - b'0')),
                _ => None,
            })
        };
        let rule = Self {
            born: set(born)?,
            kept: set(kept)?,
        };
        (rule.born & 1 == 0).then_some(rule)
    }
}

/// What came of a soup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoupCounts {
    /// Live cells.
    pub population: u32,
    /// Cells that are not what they were two generations before.
    pub changed: u32,
}

/// Runs a soup under a rule for so many generations, at least two.
///
/// ```
/// use gpu::{SOUP_SIDE, SoupCounts, SpaceRule, run_soup};
///
/// let mut blinker = [0; SOUP_SIDE];
/// blinker[10] = 0b111 << 20;
/// let life = SpaceRule::at(96, 32);
/// assert_eq!(run_soup(&blinker, life, 100), SoupCounts { population: 3, changed: 0 });
/// ```
#[must_use]
pub fn run_soup(soup: &SoupRows, rule: SpaceRule, generations: u32) -> SoupCounts {
    let choices = RuleChoices::new(rule);
    let generations = generations.max(2);
    let mut two_ago = *soup;
    let mut one_ago = choices.step(&two_ago);
    let mut done = 1;
    loop {
        let now = choices.step(&one_ago);
        done += 1;
        if now == two_ago {
            // It goes to and fro from here on.
            let is_now = (generations - done).is_multiple_of(2);
            let last = if is_now { &now } else { &one_ago };
            return SoupCounts {
                population: population(last),
                changed: 0,
            };
        }
        if done == generations {
            let changed = now.iter().zip(&two_ago).map(|(a, b)| (a ^ b).count_ones());
            return SoupCounts {
                population: population(&now),
                changed: changed.sum(),
            };
        }
        two_ago = one_ago;
        one_ago = now;
    }
}

fn population(rows: &SoupRows) -> u32 {
    rows.iter().map(|row| row.count_ones()).sum()
}

/// A rule as masks: for each sum of a cell and its neighbours, what a dead cell becomes, and
/// whether a live one becomes something else.
struct RuleChoices {
    dead: [u64; 10],
    differs: [u64; 10],
}

impl RuleChoices {
    fn new(rule: SpaceRule) -> Self {
        let mask = |set: u16, count: usize| 0_u64.wrapping_sub(u64::from(set >> count & 1));
        let dead = std::array::from_fn(|sum| mask(rule.born, sum));
        let alive = |sum: usize| sum.checked_sub(1).map_or(0, |count| mask(rule.kept, count));
        Self {
            dead,
            differs: std::array::from_fn(|sum| dead[sum] ^ alive(sum)),
        }
    }

    fn step(&self, rows: &SoupRows) -> SoupRows {
        // Of each row, the sums of three cells side by side, as two bits.
        let mut ones = [0; SOUP_SIDE];
        let mut twos = [0; SOUP_SIDE];
        for ((row, ones), twos) in rows.iter().zip(&mut ones).zip(&mut twos) {
            let (west, east) = (row.rotate_left(1), row.rotate_right(1));
            *ones = row ^ west ^ east;
            *twos = majority(*row, west, east);
        }
        std::array::from_fn(|y| {
            let (up, down) = ((y + SOUP_SIDE - 1) % SOUP_SIDE, (y + 1) % SOUP_SIDE);
            let (a, b, c) = (ones[up], ones[y], ones[down]);
            let (bit0, carry) = (a ^ b ^ c, majority(a, b, c));
            let (a, b, c) = (twos[up], twos[y], twos[down]);
            let (half, fours) = (a ^ b ^ c, majority(a, b, c));
            let (bit1, more) = (half ^ carry, half & carry);
            let (bit2, bit3) = (fours ^ more, fours & more);
            let cell = rows[y];
            let chosen = |sum: usize| self.dead[sum] ^ (cell & self.differs[sum]);
            let either = |bit: u64, set: u64, clear: u64| clear ^ (bit & (set ^ clear));
            let pairs = [0, 2, 4, 6, 8].map(|sum| either(bit0, chosen(sum + 1), chosen(sum)));
            let low = either(bit1, pairs[1], pairs[0]);
            let high = either(bit1, pairs[3], pairs[2]);
            either(bit3, pairs[4], either(bit2, high, low))
        })
    }
}

fn majority(a: u64, b: u64, c: u64) -> u64 {
    a & b | c & (a | b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;
    use engine::{NaiveWorld, World};
    use grid::Rect;

    /// Every rule of a random few does with soups what the oracle does.
    #[test]
    fn soups_do_as_in_the_oracle() {
        let mut dice = Dice::new(64);
        let mut word = || u64::from(dice.below(u32::MAX)) << 32 | u64::from(dice.below(u32::MAX));
        for round in 0..40 {
            let places = word();
            let rule = SpaceRule::at(places as u32 % 512, (places >> 32) as u32 % 256);
            let soup: SoupRows = std::array::from_fn(|_| word() & word());
            let generations = 2 + round % 7;
            let text = format!("{}:T64,64", rule.name());
            let mut world = NaiveWorld::new(text.parse().expect("a rule"));
            let corner = Rect::new(-32, -32, 64, 64);
            world.write_bits(corner, &soup).expect("a soup");
            let mut states = Vec::new();
            for left in [generations - 2, 2] {
                let mut cells = Vec::new();
                world.states_in(corner, &mut cells);
                states.push(cells);
                world.advance(&left.into(), &mut |_| true).expect("it runs");
            }
            let mut last = Vec::new();
            world.states_in(corner, &mut last);
            let differing = states[1].iter().zip(&last).filter(|(a, b)| a != b).count();
            let outcome = run_soup(&soup, rule, generations);
            assert_eq!(
                outcome.population,
                last.iter().map(|&s| u32::from(s)).sum::<u32>()
            );
            assert_eq!(outcome.changed as usize, differing, "{text} {generations}");
        }
    }

    #[test]
    fn names_and_places_go_both_ways() {
        for (column, row) in [(0, 0), (511, 255), (96, 32), (257, 128)] {
            let rule = SpaceRule::at(column, row);
            assert_eq!(rule.place(), (column, row));
            let parsed = rule.name().parse().expect("a rule");
            assert_eq!(SpaceRule::of_rule(&parsed), Some(rule), "{}", rule.name());
        }
    }
}
