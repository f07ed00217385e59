//! Small changes to an input, most of which leave it nearly what it was.
//!
//! The operators are those of AFL's havoc stage (Zalewski, "Technical whitepaper for afl-fuzz",
//! 2016) and a few that know text: numbers become extreme ones, words of the format are put in,
//! whole lines move, double and go. Without coverage to guide it, a mutation has to be likely to
//! be read far; so lines and words are what it mostly works on.

use dice::Dice;

/// No input is longer than this, in bytes.
pub const LONGEST_INPUT: usize = 8192;

/// Numbers at which arithmetic goes wrong.
const EXTREMES: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "7",
    "63",
    "64",
    "65",
    "127",
    "128",
    "255",
    "256",
    "257",
    "1000",
    "4096",
    "32767",
    "32768",
    "65535",
    "65536",
    "1000000",
    "16777216",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "1000000000000",
    "4611686018427387903",
    "4611686018427387904",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0.5",
    "1e9",
    "1e308",
    "NaN",
    "inf",
    "00",
    "",
];

const BYTES: &[u8] = b"\0\x01\x7f\x80\xff\n\r\t !\"#$%&'()*+,-./0189:;<=>?@AZ[\\]^_`az{|}~";

/// Makes new inputs out of old ones, the same from the same seed.
#[derive(Clone, Debug)]
pub struct Mutator {
    dice: Dice,
    words: Vec<String>,
}

impl Mutator {
    /// One that puts in these words.
    #[must_use]
    pub fn new(seed: u64, words: Vec<String>) -> Self {
        Self {
            dice: Dice::new(seed),
            words,
        }
    }

    /// A mutation of one of these inputs, of at most [`LONGEST_INPUT`] bytes.
    pub fn next(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut input = match corpus {
            [] => Vec::new(),
            _ => corpus[self.below(corpus.len())].clone(),
        };
        self.mutate(&mut input, corpus);
        input
    }

    /// Changes an input in one to eight places; parts of the others may be put in.
    pub fn mutate(&mut self, input: &mut Vec<u8>, others: &[Vec<u8>]) {
        loop {
            self.change(input, others);
            input.truncate(LONGEST_INPUT);
            if self.dice.coin() {
                return;
            }
        }
    }

    /// A number below `bound`; 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        match u32::try_from(bound) {
            Ok(0) | Err(_) => 0,
            Ok(bound) => self.dice.below(bound) as usize,
        }
    }

    fn change(&mut self, input: &mut Vec<u8>, others: &[Vec<u8>]) {
        match self.below(16) {
            0 => {
                if let Some(place) = self.place(input) {
                    input[place] ^= 1 << self.below(8);
                }
            }
            1 => {
                let byte = BYTES[self.below(BYTES.len())];
                if let Some(place) = self.place(input) {
                    input[place] = byte;
                }
            }
            2 => {
                let byte = BYTES[self.below(BYTES.len())];
                let place = self.below(input.len() + 1);
                input.insert(place, byte);
            }
            3 => {
                let (begin, end) = self.chunk(input.len());
                input.drain(begin..end);
            }
            4 => {
                // over and over
                let (begin, end) = self.chunk(input.len());
                let times = 1 << self.below(7);
                let room = LONGEST_INPUT.saturating_sub(input.len());
                let repeated = input[begin..end].repeat(times);
                let some = &repeated[..repeated.len().min(room)];
                input.splice(end..end, some.iter().copied());
            }
            5 => {
                let length = self.below(input.len() + 1);
                input.truncate(length);
            }
            6 => {
                if let Some(other) = self.other(others) {
                    let (begin, end) = self.chunk(other.len());
                    let (from, to) = self.chunk(input.len());
                    input.splice(from..to, other[begin..end].iter().copied());
                }
            }
            7..=9 => self.change_number(input),
            10 | 11 => self.put_word(input),
            12 => {
                let mut lines = lines(input);
                if let (Some(a), Some(b)) = (self.place(&lines), self.place(&lines)) {
                    lines.swap(a, b);
                }
                *input = lines.concat();
            }
            13 => {
                let mut lines = lines(input);
                if let Some(line) = self.place(&lines) {
                    lines.remove(line);
                }
                *input = lines.concat();
            }
            14 => {
                let mut lines = lines(input);
                if let Some(line) = self.place(&lines) {
                    let place = self.below(lines.len() + 1);
                    lines.insert(place, lines[line]);
                }
                *input = lines.concat();
            }
            _ => {
                // a line of another input, in whole
                if let Some(other) = self.other(others) {
                    let theirs = lines(other);
                    let mut own = lines(input);
                    if let Some(line) = self.place(&theirs) {
                        let place = self.below(own.len() + 1);
                        own.insert(place, theirs[line]);
                    }
                    *input = own.concat();
                }
            }
        }
    }

    /// Puts an extreme number in the place of one that stands there.
    fn change_number(&mut self, input: &mut Vec<u8>) {
        let digits = |byte: &u8| byte.is_ascii_digit();
        let begins: Vec<usize> = (0..input.len())
            .filter(|&at| digits(&input[at]) && (at == 0 || !digits(&input[at - 1])))
            .collect();
        let Some(which) = self.place(&begins) else {
            return;
        };
        let begin = begins[which];
        let length = input[begin..]
            .iter()
            .take_while(|byte| digits(byte))
            .count();
        let number = match self.below(3) {
            // one more or less than it was, where that is a small one
            0 => {
                let text = String::from_utf8_lossy(&input[begin..begin + length]);
                let number: i64 = text.parse().unwrap_or(0);
                let step = if self.dice.coin() { 1 } else { -1 };
                number.saturating_add(step).to_string()
            }
            1 => self.below(12).to_string(),
            _ => EXTREMES[self.below(EXTREMES.len())].to_string(),
        };
        input.splice(begin..begin + length, number.into_bytes());
    }

    /// Puts a word of the format in, often in the place of one that stands there.
    fn put_word(&mut self, input: &mut Vec<u8>) {
        let which = self.below(self.words.len());
        let Some(word) = self.words.get(which).cloned() else {
            return;
        };
        let is_word = |byte: &u8| !byte.is_ascii_whitespace();
        let begins: Vec<usize> = (0..input.len())
            .filter(|&at| is_word(&input[at]) && (at == 0 || !is_word(&input[at - 1])))
            .collect();
        let (begin, end) = match self.place(&begins) {
            Some(which) if self.below(4) > 0 => {
                let begin = begins[which];
                let length = input[begin..].iter().take_while(|b| is_word(b)).count();
                (begin, begin + length)
            }
            _ => {
                let place = self.below(input.len() + 1);
                (place, place)
            }
        };
        input.splice(begin..end, word.into_bytes());
    }

    fn place<T>(&mut self, among: &[T]) -> Option<usize> {
        (!among.is_empty()).then(|| self.below(among.len()))
    }

    fn other<'a>(&mut self, others: &'a [Vec<u8>]) -> Option<&'a Vec<u8>> {
        let which = self.place(others)?;
        others.get(which)
    }

    /// A part of so many bytes, short ones more often.
    fn chunk(&mut self, length: usize) -> (usize, usize) {
        let begin = self.below(length + 1);
        let most = 1 << self.below(10);
        let end = begin + self.below(most.min(length - begin) + 1);
        (begin, end)
    }
}

/// The lines, each with its end.
fn lines(input: &[u8]) -> Vec<&[u8]> {
    input.split_inclusive(|&byte| byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_are_bounded_and_the_same_from_the_same_seed() {
        let corpus = [b"open glider\nstep 10\n".to_vec(), vec![0xff; 10_000]];
        let words = vec!["undo".to_string()];
        let run = |seed| {
            let mut mutator = Mutator::new(seed, words.clone());
            (0..2000).map(|_| mutator.next(&corpus)).collect::<Vec<_>>()
        };
        let inputs = run(1);
        assert_eq!(inputs, run(1));
        assert_ne!(inputs, run(2));
        assert!(inputs.iter().all(|input| input.len() <= LONGEST_INPUT));
        let has = |text: &str| {
            let found = |input: &Vec<u8>| String::from_utf8_lossy(input).contains(text);
            inputs.iter().any(found)
        };
        assert!(has("step 9223372036854775807") && has("undo 10") && has("step 11"));
    }

    #[test]
    fn nothing_can_be_mutated() {
        let mut mutator = Mutator::new(7, Vec::new());
        for _ in 0..1000 {
            let mut input = Vec::new();
            mutator.mutate(&mut input, &[]);
            assert!(mutator.next(&[]).len() <= LONGEST_INPUT);
        }
    }
}
