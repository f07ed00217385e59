//! MCell, `.mcl` (Mirek Wójtowicz, Mirek's Cellebration, "File formats"): read only.
//!
//! ```text
//! #MCell 4.00
//! #GAME Generations
//! #RULE 345/2/4
//! #BOARD 80x60
//! #WRAP 1
//! #L 3.AB$2.5A
//! ```

use crate::budget::ReadBudget;
use crate::error::{PatternFault, PatternProblem};
use crate::rows::RunTable;
use crate::text::{absorb, comment, lines, lossy};
use crate::{Cells, Pattern, Run};
use grid::Point;

pub(super) fn read(bytes: &[u8], budget: &mut ReadBudget) -> Result<Pattern, PatternFault> {
    let mut pattern = Pattern::default();
    let mut said = McellHeader::default();
    let mut pen = McellDecoder::default();
    for line in lines(bytes) {
        let (mark, rest) = match line.bytes.iter().position(|b| matches!(b, b' ' | b'\t')) {
            Some(end) => (&line.bytes[..end], &line.bytes[end + 1..]),
            None => (line.bytes, &[][..]),
        };
        let text = || lossy(rest).trim().to_string();
        if mark != b"#L" {
            budget.take_line(line.bytes, line.offset)?;
        }
        match mark {
            b"#L" => pen.draw(bytes, line.end() - rest.len(), rest, budget)?,
            b"#GAME" => said.game = text(),
            b"#RULE" => said.rule.push_str(&text()),
            b"#GOLLY" => said.golly = Some(text()).filter(|rule| !rule.is_empty()),
            b"#BOARD" => said.board = board(&text()),
            b"#WRAP" => said.wrapped = text() == "1",
            b"#N" => pattern.name = Some(text()).filter(|name| !name.is_empty()),
            b"#A" => pattern.author = Some(text()).filter(|name| !name.is_empty()),
            b"#D" | b"#C" => absorb(&mut pattern, comment(rest)),
            // What is on the screen, not what is in the world.
            b"" | b"#MCell" | b"#SPEED" | b"#CCOLORS" | b"#PALETTE" | b"#COLORING" => {}
            _ if mark.starts_with(b"#") => absorb(&mut pattern, comment(line.bytes)),
            _ => {
                let expected = "a line that begins with `#`";
                return Err(PatternFault::expected(expected, bytes, line.offset));
            }
        }
    }
    if let Some((offset, count)) = pen.count {
        return Err(PatternFault::new(offset, PatternProblem::CountAlone(count)));
    }
    pattern.rule = said.rule();
    // In the middle of the board, which is the middle of the plane.
    let (left, top) = (pen.width / 2, pen.height / 2);
    let corner = Point::new(-(left as i64), -(top as i64));
    pattern.cells = Cells::from_rows(pen.rows.moved_back(left, top));
    pattern.size = Some((pen.width, pen.height));
    pattern.position = Some(corner);
    Ok(pattern)
}

fn board(text: &str) -> Option<(u64, u64)> {
    let (width, height) = text.split_once(['x', 'X'])?;
    Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
}

/// The header lines that define the rule.
#[derive(Default)]
struct McellHeader {
    game: String,
    rule: String,
    golly: Option<String>,
    board: Option<(u64, u64)>,
    wrapped: bool,
}

impl McellHeader {
    /// The rule in the notation used elsewhere.
    fn rule(self) -> Option<String> {
        let own = Some(self.rule).filter(|rule| !rule.is_empty());
        let rule = match self.game.to_ascii_lowercase().as_str() {
            _ if self.golly.is_some() => self.golly,
            "life" => own.or(Some("23/3".into())),
            "vote for life" => own.map(|rule| vote(&rule).unwrap_or(rule)),
            _ => own,
        };
        let torus = self.board.filter(|_| self.wrapped);
        rule.map(|rule| match torus {
            Some((width, height)) if !rule.contains(':') => format!("{rule}:T{width},{height}"),
            _ => rule,
        })
    }
}

/// The digits count the cell itself: a live one with n neighbours has n + 1 votes.
fn vote(digits: &str) -> Option<String> {
    let counts: Option<Vec<u32>> = digits.chars().map(|c| c.to_digit(10)).collect();
    let counts = counts?;
    let list = |counts: &mut dyn Iterator<Item = u32>| -> String {
        counts.map(|n| n.to_string()).collect()
    };
    let birth = list(&mut counts.iter().copied().filter(|&n| n <= 8));
    let survival = list(&mut counts.iter().filter_map(|n| n.checked_sub(1)));
    Some(format!("B{birth}/S{survival}"))
}

/// Draws runs, counted from the pattern's own corner.
#[derive(Default)]
struct McellDecoder {
    rows: RunTable,
    x: u64,
    y: u64,
    width: u64,
    height: u64,
    /// A count whose sign has not come yet; a new line may lie between.
    count: Option<(usize, u64)>,
}

/// Nothing is drawn further out, so that half of it can be subtracted.
const MAX_COORDINATE: u64 = i64::MAX as u64;

impl McellDecoder {
    fn draw(
        &mut self,
        bytes: &[u8],
        offset: usize,
        data: &[u8],
        budget: &mut ReadBudget,
    ) -> Result<(), PatternFault> {
        let mut signs = data.iter().enumerate().peekable();
        while let Some((index, &byte)) = signs.next() {
            let at = offset + index;
            let state = match byte {
                b'0'..=b'9' => {
                    let (begin, count) = self.count.unwrap_or((at, 0));
                    let longer = count.checked_mul(10);
                    let longer = longer.and_then(|n| n.checked_add(u64::from(byte - b'0')));
                    let count = longer.ok_or_else(|| {
                        PatternFault::new(
                            begin,
                            PatternProblem::NumberTooLarge(format!("{count}{}…", byte - b'0')),
                        )
                    })?;
                    self.count = Some((begin, count));
                    continue;
                }
                b' ' | b'\t' => continue,
                b'.' => 0,
                b'$' => {
                    let count = self.take_count()?;
                    self.y = self.y.checked_add(count).ok_or_else(|| out_of_reach(at))?;
                    self.x = 0;
                    continue;
                }
                b'A'..=b'X' => byte - b'A' + 1,
                b'a'..=b'j' => match signs.next() {
                    Some((_, &letter @ b'A'..=b'X')) => {
                        let state = u64::from(byte - b'a' + 1) * 24 + u64::from(letter - b'A' + 1);
                        let too_high = PatternProblem::StateTooHigh(state);
                        u8::try_from(state).map_err(|_| PatternFault::new(at, too_high))?
                    }
                    _ => return Err(PatternFault::expected("`A` to `X`", bytes, at + 1)),
                },
                _ => return Err(PatternFault::expected("a cell or `$`", bytes, at)),
            };
            let length = self.take_count()?;
            let end = self
                .x
                .checked_add(length)
                .filter(|end| *end <= MAX_COORDINATE);
            let end = end.ok_or_else(|| out_of_reach(at))?;
            if self.y >= MAX_COORDINATE {
                return Err(out_of_reach(at));
            }
            let reserved = self.rows.reserve_run(length, budget);
            reserved.map_err(|problem| PatternFault::new(at, problem))?;
            self.rows.push(Run {
                y: self.y as i64,
                x: self.x as i64,
                length,
                state,
            });
            self.x = end;
            self.width = self.width.max(end);
            self.height = self.height.max(self.y + 1);
        }
        Ok(())
    }

    fn take_count(&mut self) -> Result<u64, PatternFault> {
        match self.count.take() {
            None => Ok(1),
            Some((offset, 0)) => Err(PatternFault::new(offset, PatternProblem::LeadingZero)),
            Some((_, count)) => Ok(count),
        }
    }
}

fn out_of_reach(offset: usize) -> PatternFault {
    PatternFault::new(offset, PatternProblem::OutOfReach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_as};

    #[test]
    fn a_pattern_stands_in_the_middle() {
        let text = "#MCell 4.00\r\n#GAME Life\r\n#RULE 23/36\r\n#BOARD 40x30\r\n#WRAP 1\r\n\
                    #D a word\r\n#L .A$..A1\r\n#L 0.aA$3A\r\n";
        let pattern = read_as(text.as_bytes(), Format::MCell).unwrap();
        assert_eq!(pattern.rule.as_deref(), Some("23/36:T40,30"));
        assert_eq!(pattern.comments, ["a word"]);
        let same = Pattern::from_text("#CXRLE Pos=-7,-1\nx=0,y=0\n.A$2.A10.pA$3A!").unwrap();
        assert_eq!(pattern.cells, same.cells);
        assert_eq!(pattern.position, Some(Point::new(-7, -1)));
    }

    #[test]
    fn families_become_rules() {
        let check = |lines: &str, rule: Option<&str>| {
            let text = format!("#MCell 4.20\n{lines}\n#L A\n");
            let pattern = read_as(text.as_bytes(), Format::MCell).unwrap();
            assert_eq!(pattern.rule.as_deref(), rule, "{lines}");
        };
        check("#GAME Life", Some("23/3"));
        check(
            "#GAME Generations\n#RULE 345/2/4\n#WRAP 0\n#BOARD 9x9",
            Some("345/2/4"),
        );
        check("#GAME Vote for Life\n#RULE 46789", Some("B4678/S35678"));
        check(
            "#GAME Rules table\n#GOLLY WireWorld\n#RULE 1,0,\n#RULE 2",
            Some("WireWorld"),
        );
        check(
            "#GAME Weighted Life\n#RULE NW1,HI0,\n#RULE RS2,RB3",
            Some("NW1,HI0,RS2,RB3"),
        );
        // a line may end within a number
        check(
            "#GAME Weighted Life\n#RULE NW1,RS1,RS1\n#RULE 5,RB7",
            Some("NW1,RS1,RS15,RB7"),
        );
        check(
            "#GAME Margolus\n#RULE MS,D0;8;4;3;2;5;9;7;1;6;10;11;12;13;14;15",
            Some("MS,D0;8;4;3;2;5;9;7;1;6;10;11;12;13;14;15"),
        );
        check(
            "#GAME Larger than Life\n#RULE R5,C0,M1,S34..58,B34..45,NM",
            Some("R5,C0,M1,S34..58,B34..45,NM"),
        );
        check("#GAME Special", None);
    }

    #[test]
    fn faults_have_a_place() {
        let check = |text: &str, message: &str| {
            let error = read_as(text.as_bytes(), Format::MCell).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        };
        check(
            "#L A5",
            "1:5: the count 5 has no cell, `$` or `!` right after it",
        );
        // The next cell would not be below, but back to the left.
        check("#L AA0$A", "1:6: a count cannot begin with 0");
        check("#L Ak", "1:5: expected a cell or `$`, found `k`");
        check("#L Aaa", "1:6: expected `A` to `X`, found `a`");
        check("#L jX", "1:4: state 264 is above 255, the highest there is");
        check(
            "L A",
            "1:1: expected a line that begins with `#`, found `L`",
        );
        check(
            "#L 9223372036854775808A",
            "1:23: cells lie further out than coordinates reach (2^63)",
        );
    }
}
