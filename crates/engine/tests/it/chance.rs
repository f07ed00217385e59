//! Random rules, soups and numbers, the same from the same seed everywhere.

mod sheet;
mod table;

use dice::Dice;
use grid::State;
use pattern::{Cells, Run};
use rule::Rule;

/// Random things to test engines with.
pub(crate) struct EngineTestRng(Dice);

impl EngineTestRng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Dice::new(seed))
    }

    /// 0 <= result < n.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0.below(n.try_into().unwrap()).into()
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        self.0.pick(choices).unwrap()
    }

    /// A subset of the characters, each with one chance in two.
    fn some_of(&mut self, characters: &str) -> String {
        let chosen = characters.chars().filter(|_| self.0.coin());
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
            4 => {
                let zero = self.pick(&["", "", "", "0"]);
                match self.below(4) {
                    0 => format!("B{zero}{}/S{}HT", self.some_of("123"), self.some_of("0123")),
                    1 => {
                        let (born, kept) = (self.hexagonal_letters(), self.hexagonal_letters());
                        format!("B{zero}{born}/S{kept}H")
                    }
                    _ => {
                        let (born, kept) = (self.some_of("123456"), self.some_of("0123456"));
                        format!("B{zero}{born}/S{kept}H")
                    }
                }
            }
            5 => {
                let zero = self.pick(&["", "", "", "0"]);
                format!(
                    "B{zero}{}/S{}V",
                    self.some_of("1234"),
                    self.some_of("01234")
                )
            }
            6 => {
                let (counts, grid) = [("12345678", ""), ("123456", "H"), ("1234", "V")]
                    [self.below(4).saturating_sub(1) as usize];
                let survive = self.some_of(&format!("0{counts}"));
                let born = self.some_of(counts);
                let states = match self.below(4) {
                    0 => self.between(3, 256),
                    _ => self.between(3, 12),
                };
                format!("{survive}/{born}/{states}{grid}")
            }
            7 => {
                let radius = self.radius();
                let code = self.pick(NEIGHBOURHOODS);
                let cells = (2 * radius + 1) * (2 * radius + 1);
                let states = self.pick(&["0", "3", "6"]);
                let middle = self.below(2);
                // sums that occur: some shapes have few cells
                let most = if self.below(2) == 0 { cells - 1 } else { 6 };
                let (s, b) = (
                    self.range(0, most),
                    self.range(u64::from(states != "0"), most),
                );
                let text = |most: u64| {
                    let [s0, s1, b0, b1] = [s.0, s.1, b.0, b.1].map(|n| n.min(most));
                    format!("R{radius},C{states},M{middle},S{s0}..{s1},B{b0}..{b1},N{code}")
                };
                self.within_range(7, most, text)
            }
            8 => {
                let radius = self.radius();
                let code = self.pick(NEIGHBOURHOODS);
                let states = self.pick(&["2", "2", "5"]);
                let (s, b, other) = (self.range(0, 9), self.range(0, 9), self.between(3, 30));
                let least = u64::from(states != "2");
                let text = |most: u64| {
                    let [s0, s1, b1, other] = [s.0, s.1, b.1.max(1), other].map(|n| n.min(most));
                    let b0 = b.0.max(least).min(b1);
                    format!("R{radius},C{states},S{s0}-{s1},{other},B{b0}-{b1},N{code}")
                };
                self.within_range(8, 30, text)
            }
            9 => {
                let radius = self.between(1, 2);
                let cells = (2 * radius + 1) * (2 * radius + 1);
                let digits: String = match self.below(3) {
                    // 8 to f stand for 0 to -7
                    0 => (0..cells)
                        .map(|_| self.pick(&["0", "1", "2", "5", "9", "a"]))
                        .collect(),
                    _ => (0..cells)
                        .map(|_| format!("{:x}", self.between(1, 3)))
                        .collect(),
                };
                let grid = self.pick(&["", "", "H", "L"]);
                let (s, b) = (self.range(0, 9), self.range(1, 9));
                let (states, values) = match self.below(3) {
                    0 => (4, format!(",0{}", self.pick(&["123", "110", "321"]))),
                    _ => (2, String::new()),
                };
                let text = |most: u64| {
                    let [s0, s1, b0, b1] = [s.0, s.1, b.0, b.1].map(|n| n.min(most));
                    format!("R{radius},C{states},S{s0}-{s1},B{b0}-{b1},NW{digits}{grid}{values}")
                };
                self.within_range(9, 9, text)
            }
            10 => {
                // The last digit holds two bits; the first bit is the empty block's, and
                // with more than two states the plane has to stay empty.
                let digits = [86, 22, 6][self.below(3) as usize];
                let states = match self.below(4) {
                    0 => format!("/{}", self.between(3, 9)),
                    _ => String::new(),
                };
                let first = if states.is_empty() { 64 } else { 32 };
                let digit = |n: u64| {
                    let alphabet =
                        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
                    char::from(alphabet[n as usize])
                };
                let mut text = format!("MAP{}", digit(self.below(first)));
                for _ in 2..digits {
                    text.push(digit(self.below(64)));
                }
                format!("{text}{}{states}", self.pick(&["A", "Q", "g", "w"]))
            }
            11 => format!("W{}", self.below(256)),
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
                // Few pairs take B0, and some have too many kinds of place and time.
                let kinds = [
                    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20,
                ];
                loop {
                    let mut part = || {
                        let kind = kinds[self.below(kinds.len() as u64) as usize];
                        self.rule(kind)
                    };
                    let pair = format!("{}|{}", part(), part());
                    if pair.parse::<Rule>().is_ok() {
                        return pair;
                    }
                }
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
            19 => {
                let base = match self.below(4) {
                    0 => format!("B{}/S{}", self.letters(1), self.letters(0)),
                    1 => format!("B{}/S{}H", self.some_of("23456"), self.some_of("0123456")),
                    2 => format!("B{}/S{}V", self.some_of("1234"), self.some_of("01234")),
                    _ => format!(
                        "B{}/S{}",
                        self.some_of("2345678"),
                        self.some_of("012345678")
                    ),
                };
                format!("{base}{}", self.pick(&["History", "Super", "Investigator"]))
            }
            20 => self.pick(&["JvN29", "Nobili32", "Hutton32"]).to_string(),
            21 => {
                let ends = [(0, 0), (0, 15), (15, 0), (15, 15), (0, 6), (7, 3)];
                let (first, last) = ends[self.below(6) as usize];
                let inner = (1..15).map(|_| self.below(16).to_string());
                let inner = inner.collect::<Vec<_>>().join(",");
                format!("2PCA4,{first},{inner},{last}")
            }
            // B0 with more than two states, which bounded grids alone take
            22 => {
                let states = self.between(3, 9);
                match self.below(5) {
                    0 => format!("B0{}/S{}/{states}", self.letters(1), self.letters(0)),
                    1 => format!(
                        "{}/0{}/{states}{}",
                        self.some_of("01234"),
                        self.some_of("1234"),
                        self.pick(&["", "H", "V"])
                    ),
                    2 => format!(
                        "{}/0{}/{states}L",
                        self.some_of("0123456789xyz"),
                        self.some_of("123456789xyz")
                    ),
                    3 => format!("R{},C{states},S2-5,B0-1,4,NM", self.between(1, 6)),
                    _ => format!("NN2,SE3,HI{states},RS1,RS2,RB0,RB4"),
                }
            }
            _ => format!(
                "B{}/S{}/{}",
                self.letters(1),
                self.letters(0),
                self.between(3, 5)
            ),
        }
    }

    /// A radius for a wide rule, seldom a large one.
    fn radius(&mut self) -> u64 {
        match self.below(8) {
            0 => self.between(6, 9),
            _ => self.between(1, 5),
        }
    }

    /// The text for sums of at most so many, or of as many as its neighbourhood allows; of
    /// another neighbourhood where none fits.
    fn within_range(&mut self, family: u64, most: u64, text: impl Fn(u64) -> String) -> String {
        let mut tried = (1..=most).rev().map(text);
        let fits = |text: &String| text.parse::<Rule>().is_ok();
        tried.find(fits).unwrap_or_else(|| self.rule(family))
    }

    /// Counts on six neighbours, with letters for how they lie.
    fn hexagonal_letters(&mut self) -> String {
        let mut text = self.some_of("1");
        for count in ["2", "3", "4"] {
            let some = self.some_of("omp");
            if !some.is_empty() {
                text += count;
                text += &some;
            }
        }
        text + &self.some_of("56")
    }

    /// A random rule of any kind there is.
    pub(crate) fn any_rule(&mut self, kind: u64) -> RandomRule {
        match (kind % KINDS).checked_sub(FAMILIES) {
            None => {
                let text = self.rule(kind % KINDS);
                let rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
                RandomRule { rule, text }
            }
            Some(which @ 0..=9) => self.table(which),
            Some(10) => self.tree(),
            Some(_) => self.own(),
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

/// A random rule, and the text that it was read from.
pub(crate) struct RandomRule {
    pub(crate) rule: Rule,
    pub(crate) text: String,
}

/// How many kinds [`EngineTestRng::rule`] knows.
pub(crate) const FAMILIES: u64 = 23;

/// How many kinds [`EngineTestRng::any_rule`] knows: tables of ten neighbourhoods, trees and
/// rules of one's own come after those that are written in a line.
pub(crate) const KINDS: u64 = FAMILIES + 12;

/// The shapes that a wide rule can look at.
const NEIGHBOURHOODS: &[&str] = &[
    "M", "N", "C", "2", "B", "D", "+", "X", "*", "#", "H", "A", "3", "L", "G", "F", "FC1", "FC3E2",
];

/// The sizes where bit tricks fail.
pub(crate) const SIZES: [u64; 8] = [1, 2, 63, 64, 65, 127, 128, 129];
