//! Apgcodes (Adam P. Goucher; LifeWiki, "Apgcode"; lifelib): `xs4_33`, `xp2_7`, `xq4_153`.
//!
//! The prefix says still life, oscillator or spaceship, with the population or the period.
//! The cells follow in the extended Wechsler format: strips of five rows, a character a
//! column, the topmost cell the lowest bit; `z` between strips; `w`, `x` and `y` for two,
//! three and more empty columns. States above 1 take a plane a bit, with `_` between.
//!
//! ```
//! use pattern::{Pattern, apgcode};
//! let glider = Pattern::from_text("xq4_153")?;
//! assert_eq!(apgcode::encode("xq4", &glider.cells)?, "xq4_153");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::budget::ReadBudget;
use crate::error::{PatternFault, PatternProblem, WriteError};
use crate::rows::RunTable;
use crate::text::shortened;
use crate::{Cells, Pattern, Run};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The characters of a column's five cells, and of the number after a `y`.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The longest side that is encoded: codes represent empty columns nearly one by one.
const MAX_SIDE: u64 = 1 << 20;

/// The longest code that is made. Those of the objects that have one are shorter by far.
const MAX_CODE_LENGTH: u64 = 1 << 24;

/// Whether a word can be an apgcode.
pub(super) fn is_code(word: &[u8]) -> bool {
    let Some(end) = word.iter().position(|&b| b == b'_') else {
        return false;
    };
    let alphabetic = word[..end]
        .iter()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let known = [
        &b"xs"[..],
        b"xp",
        b"xq",
        b"yl",
        b"ov",
        b"zz",
        b"methuselah",
        b"messless",
        b"megasized",
    ];
    (alphabetic && known.iter().any(|prefix| word.starts_with(prefix)))
        || word.starts_with(b"PATHOLOGICAL")
}

pub(super) fn read(bytes: &[u8], budget: &mut ReadBudget) -> Result<Pattern, PatternFault> {
    let begin = bytes.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let code = bytes.trim_ascii();
    let end = code.iter().position(|&b| b == b'_').unwrap_or(code.len());
    let prefix = &code[..end];
    let number = prefix.get(2..).unwrap_or_default();
    let has_cells = matches!(prefix, [b'x', b's' | b'p' | b'q', _, ..])
        && number.iter().all(u8::is_ascii_digit);
    if !has_cells {
        let word = shortened(&String::from_utf8_lossy(prefix));
        return Err(PatternFault::new(begin, PatternProblem::NoCells(word)));
    }
    if end == code.len() {
        return Err(PatternFault::expected(
            "`_` and the cells",
            bytes,
            begin + end,
        ));
    }
    let cells = decode(bytes, begin + end + 1, begin + code.len(), budget)?;
    Ok(Pattern {
        cells,
        ..Pattern::default()
    })
}

/// Bytes that a column takes in the map of all columns, which is a tree of nodes that are
/// half full at worst.
const COLUMN: usize = 64;

fn decode(
    bytes: &[u8],
    begin: usize,
    end: usize,
    budget: &mut ReadBudget,
) -> Result<Cells, PatternFault> {
    let mut columns: BTreeMap<(i64, i64), [u8; 5]> = BTreeMap::new();
    let (mut plane, mut strip, mut x) = (0u32, 0i64, 0i64);
    let mut at = begin;
    while at < end {
        let byte = bytes[at];
        at += 1;
        match byte {
            b'0' => x += 1,
            b'w' => x += 2,
            b'x' => x += 3,
            b'y' => {
                let digit = bytes[at..end].first().and_then(|&b| digit(b));
                let Some(digit) = digit else {
                    return Err(PatternFault::expected("a digit or a letter", bytes, at));
                };
                x += 4 + i64::from(digit);
                at += 1;
            }
            b'z' => (strip, x) = (strip + 1, 0),
            b'_' => {
                (plane, strip, x) = (plane + 1, 0, 0);
                if plane > 7 {
                    let problem = PatternProblem::TooMany {
                        what: "the code",
                        most: "8 planes",
                    };
                    return Err(PatternFault::new(at - 1, problem));
                }
            }
            b'1'..=b'9' | b'a'..=b'v' => {
                let bits = digit(byte).unwrap_or(0);
                budget.take_at(COLUMN, at - 1)?;
                let column = columns.entry((strip, x)).or_default();
                for (row, state) in column.iter_mut().enumerate() {
                    *state |= (bits >> row & 1) << plane;
                }
                x += 1;
            }
            _ => {
                let expected = "a column (`0` to `v`), `w`, `x`, `y`, `z` or `_`";
                return Err(PatternFault::expected(expected, bytes, at - 1));
            }
        }
    }
    // Five rows are read from each strip.
    let mut rows = RunTable::default();
    let mut strips = columns.iter().peekable();
    let mut strip = Vec::new();
    while let Some(&(&(number, _), _)) = strips.peek() {
        strip.clear();
        while let Some(column) = strips.next_if(|column| column.0.0 == number) {
            let reserved = budget.reserve(&mut strip, 1);
            reserved.map_err(|problem| PatternFault::new(end, problem))?;
            strip.push(column);
        }
        for row in 0..5 {
            for &(&(_, x), states) in &strip {
                let reserved = rows.reserve_run(1, budget);
                reserved.map_err(|problem| PatternFault::new(end, problem))?;
                rows.push(Run {
                    y: 5 * number + row as i64,
                    x,
                    length: 1,
                    state: states[row],
                });
            }
        }
    }
    Ok(Cells::from_rows(rows))
}

fn digit(byte: u8) -> Option<u8> {
    DIGITS.iter().position(|&d| d == byte).map(|n| n as u8)
}

/// The code of cells as they lie, after a prefix such as `xp2`: not the canonical one,
/// which is the least over all phases and orientations.
///
/// # Errors
/// When the cells are more than 2^20 cells apart, or the code would be longer than 16 MiB.
///
/// ```
/// use pattern::{Pattern, apgcode};
///
/// let beehive = Pattern::from_text("b2o$o2bo$b2o!")?;
/// assert_eq!(apgcode::encode("xs6", &beehive.cells)?, "xs6_2552");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn encode(prefix: &str, cells: &Cells) -> Result<String, WriteError> {
    Ok(format!("{prefix}_{}", wechsler(cells)?))
}

/// Only the cells, in the extended Wechsler format; `0` when there are none.
fn wechsler(cells: &Cells) -> Result<String, WriteError> {
    let Some(bounds) = cells.bounds() else {
        return Ok("0".into());
    };
    let near = bounds
        .to_rect()
        .filter(|r| r.width <= MAX_SIDE && r.height <= MAX_SIDE);
    let too_large = || WriteError::TooLarge {
        format: "apgcode",
        most: MAX_CODE_LENGTH,
    };
    let bounds = near.ok_or_else(too_large)?;
    let planes = 8 - cells.max_state().leading_zeros();
    let mut code = String::new();
    for plane in 0..planes {
        if plane > 0 {
            code.push('_');
        }
        let mut out = ApgcodePlane::default();
        let flow = cells.try_for_each_run(&mut |run| {
            if run.state >> plane & 1 == 0 {
                return ControlFlow::Continue(());
            }
            let y = run.y.abs_diff(bounds.y);
            out.go_to(y / 5);
            let from = run.x.abs_diff(bounds.x) as usize;
            let to = from + run.length as usize;
            if out.columns.len() < to {
                out.columns.resize(to, 0);
            }
            for column in &mut out.columns[from..to] {
                *column |= 1 << (y % 5);
            }
            if out.code.len() as u64 > MAX_CODE_LENGTH {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        out.flush();
        code.push_str(&out.code);
        if flow.is_break() || code.len() as u64 > MAX_CODE_LENGTH {
            return Err(too_large());
        }
    }
    Ok(code)
}

/// One bit of all states, strip by strip.
#[derive(Default)]
struct ApgcodePlane {
    code: String,
    strip: u64,
    columns: Vec<u8>,
}

impl ApgcodePlane {
    fn go_to(&mut self, strip: u64) {
        while self.strip < strip {
            self.flush();
            self.code.push('z');
            self.strip += 1;
        }
    }

    fn flush(&mut self) {
        let mut empty = 0;
        for &column in &self.columns {
            if column == 0 {
                empty += 1;
                continue;
            }
            while empty > 0 {
                let taken = empty.min(39);
                match taken {
                    1 => self.code.push('0'),
                    2 => self.code.push('w'),
                    3 => self.code.push('x'),
                    _ => {
                        self.code.push('y');
                        self.code.push(char::from(DIGITS[taken - 4]));
                    }
                }
                empty -= taken;
            }
            self.code.push(char::from(DIGITS[usize::from(column)]));
        }
        self.columns.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_as};

    #[test]
    fn codes_and_their_cells() {
        for (code, rle) in [
            ("xs0_0", "x = 0, y = 0\n!"),
            ("xs4_33", "2o$2o!"),
            ("xp2_7", "o$o$o!"),
            ("xq4_153", "3o$2bo$bo!"),
            ("xs31_0ca178b96z69d871ac", ""),
            ("xp3_co9nas0san9oczgoldlo0oldlogz1047210127401", ""),
            ("xp15_4r4z4r4", ""),
            ("xs2_1y01", "o4bo!"),
            ("xs2_1x1", "o3bo!"),
            ("xp1_1_2_4", "x = 3, y = 3\nA$B$D!"),
        ] {
            let pattern = read_as(code.as_bytes(), Format::Apgcode).unwrap();
            if !rle.is_empty() {
                let same = read_as(rle.as_bytes(), Format::Rle).unwrap();
                assert_eq!(pattern.cells, same.cells, "{code}");
            }
            let prefix = code.split('_').next().unwrap();
            // A code can have empty rows above: those are not written again.
            let again = encode(prefix, &pattern.cells).unwrap();
            let again = read_as(again.as_bytes(), Format::Apgcode).unwrap();
            assert_eq!(again.cells.hash(), pattern.cells.hash(), "{code}");
            assert_eq!(
                again.cells.population(),
                pattern.cells.population(),
                "{code}"
            );
        }
        let cells = Pattern::from_text("o84bo6$bo!").unwrap().cells;
        assert_eq!(wechsler(&cells).unwrap(), "1yzyzy21z02");
    }

    #[test]
    fn faults_have_a_place() {
        let check = |text: &str, message: &str| {
            let error = read_as(text.as_bytes(), Format::Apgcode).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        };
        check(
            "xp2",
            "1:4: expected `_` and the cells, found the end of the file",
        );
        check(
            "zz_LINEAR",
            "1:1: a code that begins with `zz` does not tell the cells",
        );
        check(
            "xs4_3y",
            "1:7: expected a digit or a letter, found the end of the file",
        );
        check(
            "xs4_3A",
            "1:6: expected a column (`0` to `v`), `w`, `x`, `y`, `z` or `_`, found `A`",
        );
        check(
            "xs4_1_1_1_1_1_1_1_1_1",
            "1:20: the code has more than 8 planes",
        );
    }
}
