//! Random rules, soups and numbers, the same from the same seed everywhere.

use grid::State;
use pattern::{Cells, Run};

/// Steele, Lea and Flood's SplitMix64 (2014): small, and good enough for tests.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// 0 <= result < n.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// A subset of the characters, each with one chance in two.
    fn some_of(&mut self, characters: &str) -> String {
        let chosen = characters.chars().filter(|_| self.below(2) == 0);
        chosen.collect()
    }

    /// `lo` to `hi`, both inclusive and `lo <= hi`, within 0 to `most`.
    fn range(&mut self, least: u64, most: u64) -> (u64, u64) {
        let (a, b) = (self.between(least, most), self.between(least, most));
        (a.min(b), a.max(b))
    }

    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// Counts with Hensel letters, births never on 0 unless asked.
    fn letters(&mut self, least: u64) -> String {
        let letters = ["", "ce", "cekain", "cekainyqjr", "cekainyqjrtwz"];
        let mut text = String::new();
        for count in least..=8 {
            let all = letters[(count.min(8 - count)) as usize];
            match self.below(3) {
                0 => continue,
                1 => text += &count.to_string(),
                _ if all.is_empty() => text += &count.to_string(),
                _ => {
                    let some = self.some_of(all);
                    if !some.is_empty() {
                        let minus = if self.below(2) == 0 && some.len() < all.len() {
                            "-"
                        } else {
                            ""
                        };
                        text += &format!("{count}{minus}{some}");
                    }
                }
            }
        }
        text
    }

    /// A random rule's text, one of every family that the plane takes.
    pub(crate) fn rule(&mut self, family: u64) -> String {
        match family % FAMILIES {
            0 => format!(
                "B{}/S{}",
                self.some_of("12345678"),
                self.some_of("012345678")
            ),
            1 => format!(
                "B0{}/S{}",
                self.some_of("12345678"),
                self.some_of("012345678")
            ),
            2 => format!("B{}/S{}", self.letters(1), self.letters(0)),
            3 => format!("B0{}/S{}", self.letters(1), self.letters(0)),
            4 => format!("B{}/S{}H", self.some_of("123456"), self.some_of("0123456")),
            5 => format!("B{}/S{}V", self.some_of("1234"), self.some_of("01234")),
            6 => {
                let (survive, born) = (self.some_of("012345678"), self.some_of("12345678"));
                format!("{survive}/{born}/{}", self.between(3, 12))
            }
            7 => {
                let radius = self.between(1, 5);
                let cells = (2 * radius + 1) * (2 * radius + 1);
                let (s, b) = (self.range(0, cells - 1), self.range(1, cells - 1));
                let states = self.pick(&["0", "3", "6"]);
                let middle = self.below(2);
                format!(
                    "R{radius},C{states},M{middle},S{}..{},B{}..{},NM",
                    s.0, s.1, b.0, b.1
                )
            }
            8 => {
                let radius = self.between(1, 4);
                let code = self.pick(&[
                    "M", "N", "C", "2", "B", "D", "+", "X", "*", "#", "H", "A", "3", "L", "G",
                ]);
                let (s, b) = (self.range(1, 3), self.range(1, 3));
                format!("R{radius},C2,S{}-{},B{}-{},N{code}", s.0, s.1, b.0, b.1)
            }
            9 => {
                let digits: String = (0..9)
                    .map(|_| format!("{:x}", self.between(1, 3)))
                    .collect();
                let (s, b) = (self.range(0, 9), self.range(1, 9));
                format!("R1,C2,S{}-{},B{}-{},NW{digits}", s.0, s.1, b.0, b.1)
            }
            10 => {
                let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
                let digits: String = (0..85)
                    .map(|_| char::from(alphabet[self.below(64) as usize]))
                    .collect();
                // The last digit holds two bits; the first bit is the empty block's.
                format!("MAP{digits}{}", self.pick(&["A", "Q", "g", "w"]))
            }
            11 => format!("W{}", 2 * self.below(128)),
            12 => self
                .pick(&["base", "colorised", "extended", "weighted", "generations"])
                .to_string(),
            13 => {
                let shapes = [
                    ("L", "123456789xyz"),
                    ("LE", "123"),
                    ("LV", "123456789"),
                    ("LI", "123456"),
                    ("LO", "123456"),
                    ("LB", "123456789"),
                    ("LR", "123"),
                ];
                let (suffix, counts) = shapes[self.below(shapes.len() as u64) as usize];
                let (b, s) = (self.some_of(counts), self.some_of(counts));
                match self.below(3) {
                    0 => format!("B{b}/S{s}{suffix}"),
                    1 => format!("B0{b}/S{s}{suffix}"),
                    _ => format!("{s}/{b}/{}{suffix}", self.between(3, 12)),
                }
            }
            14 => {
                let ends = [(0, 0), (0, 15), (15, 0), (15, 15), (0, 6)];
                let (first, last) = ends[self.below(5) as usize];
                let inner = (1..15).map(|_| self.below(16).to_string());
                let inner = inner.collect::<Vec<_>>().join(",");
                format!("M{first},{inner},{last}")
            }
            15 => {
                // no B0, which few pairs take; a triangular part makes the pair checkered
                let kinds = [0, 2, 4, 5, 6, 7, 8, 9, 11, 12, 16, 17, 18, 99];
                let mut part = || match kinds[self.below(kinds.len() as u64) as usize] {
                    99 => format!("B{}/S34LB", self.some_of("23456")),
                    kind => self.rule(kind),
                };
                format!("{}|{}", part(), part())
            }
            17 => {
                let places = ["NW", "NN", "NE", "WW", "ME", "EE", "SW", "SS", "SE"];
                let weight = |place| format!("{place}{}", self.between(0, 9) as i64 - 3);
                let mut items: Vec<String> = places.map(weight).to_vec();
                items.push(format!("HI{}", self.between(0, 6)));
                for _ in 0..4 {
                    items.push(format!("RS{}", self.between(0, 12)));
                    items.push(format!("RB{}", self.between(1, 9)));
                }
                items.join(",")
            }
            18 => self.pick(&["Immigration", "QuadLife"]).to_string(),
            _ => format!(
                "B{}/S{}/{}",
                self.letters(1),
                self.letters(0),
                self.between(3, 5)
            ),
        }
    }

    /// A soup `width` x `height`, its corner at (`x`, `y`), of states below `states`.
    pub(crate) fn soup(&mut self, x: i64, y: i64, width: u64, height: u64, states: u16) -> Cells {
        let mut runs = Vec::new();
        let density = self.between(1, 3);
        for row in 0..height as i64 {
            for column in 0..width as i64 {
                if self.below(4) < density {
                    let state = self.between(1, u64::from(states) - 1) as State;
                    runs.push(Run {
                        y: y + row,
                        x: x + column,
                        length: 1,
                        state,
                    });
                }
            }
        }
        Cells::from_runs(runs)
    }
}

/// How many kinds [`Chance::rule`] knows.
pub(crate) const FAMILIES: u64 = 19;

/// The sizes where bit tricks fail.
pub(crate) const SIZES: [u64; 8] = [1, 2, 63, 64, 65, 127, 128, 129];
