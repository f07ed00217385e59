//! Life 1.05 (Alan Hensel's life105 page; Golly's reader): blocks of `.` and `*`, each
//! with the place of its top-left corner.
//!
//! ```text
//! #Life 1.05
//! #D a glider
//! #N
//! #P -1 -1
//! .*
//! ..*
//! ***
//! ```

use super::life106;
use crate::budget::ReadBudget;
use crate::error::{PatternFault, PatternProblem, WriteError};
use crate::text::{absorb, cells, comment, free_text, integer, lines, push_cell};
use crate::{Pattern, Run};
use grid::Point;
use std::io::Write;
use std::ops::ControlFlow;

/// The widest block written: lines stay under 80 characters.
const MAX_WIDTH: u64 = 78;

pub(super) fn read(bytes: &[u8], budget: &mut ReadBudget) -> Result<Pattern, PatternFault> {
    let mut pattern = Pattern::default();
    let mut runs: Vec<Run> = Vec::new();
    let mut placed = false;
    let mut corner = Point::default();
    // None below the last row there is.
    let mut below = Some(0);
    for line in lines(bytes) {
        if line.bytes.starts_with(b"#") {
            budget.take_line(line.bytes, line.offset)?;
            match line.bytes.get(1) {
                Some(b'P') => {
                    let place: Vec<_> = line.words().skip(1).collect();
                    corner = match place[..] {
                        [] => Point::default(),
                        [(x_at, x), (y_at, y)] => Point::new(integer(x_at, x)?, integer(y_at, y)?),
                        [_] => {
                            return Err(PatternFault::expected(
                                "the block's row",
                                bytes,
                                line.end(),
                            ));
                        }
                        [_, _, (at, _), ..] => {
                            return Err(PatternFault::expected("the end of the line", bytes, at));
                        }
                    };
                    placed |= !place.is_empty();
                    below = Some(corner.y);
                }
                Some(b'N') => pattern.rule = Some("23/3".into()),
                Some(b'R') => {
                    pattern.rule = line.after("#R").filter(|rule| !rule.is_empty());
                }
                Some(b'L') if line.bytes.starts_with(b"#Life") => {}
                Some(b'D' | b'C') => absorb(&mut pattern, comment(&line.bytes[2..])),
                _ => absorb(&mut pattern, comment(line.bytes)),
            }
            continue;
        }
        let row = line.bytes.trim_ascii_end();
        if row.is_empty() {
            continue;
        }
        let y = below.ok_or_else(|| PatternFault::new(line.offset, PatternProblem::OutOfReach))?;
        for (index, &byte) in row.iter().enumerate() {
            let offset = line.offset + index;
            match byte {
                b'.' => {}
                b'*' | b'O' | b'o' => {
                    let x = corner.x.checked_add(index as i64);
                    let x =
                        x.ok_or_else(|| PatternFault::new(offset, PatternProblem::OutOfReach))?;
                    let run = Run {
                        y,
                        x,
                        length: 1,
                        state: 1,
                    };
                    push_cell(&mut runs, run, budget, offset)?;
                }
                _ => return Err(PatternFault::expected("`.` or `*`", bytes, offset)),
            }
        }
        below = y.checked_add(1);
    }
    pattern.cells = cells(runs, budget, bytes.len())?;
    if placed {
        pattern.position = life106::corner(&pattern.cells);
    }
    Ok(pattern)
}

/// A rule of counts as this format has it, the counts for survival before those for
/// birth; none if it is no such rule.
pub(super) fn survival_first(rule: &str) -> Option<String> {
    let counts = |text: &str| text.bytes().all(|b| matches!(b, b'0'..=b'8'));
    if let Some((survival, birth)) = rule.split_once('/')
        && counts(survival)
        && counts(birth)
    {
        return Some(rule.to_string());
    }
    let lower = rule.to_ascii_lowercase();
    let (birth, survival) = lower.strip_prefix('b')?.split_once('s')?;
    let birth = birth.strip_suffix('/').unwrap_or(birth);
    (counts(birth) && counts(survival)).then(|| format!("{survival}/{birth}"))
}

/// A piece of a run in a strip, with the strip's number.
type StripRun = (u64, Run);

/// No more pieces are sorted: 40 MiB of them.
const MAX_PIECES: usize = 1 << 20;

pub(super) fn write(pattern: &Pattern, most: u64, out: &mut dyn Write) -> Result<(), WriteError> {
    let pieces = pieces(pattern, most)?;
    writeln!(out, "#Life 1.05")?;
    for line in free_text(pattern) {
        writeln!(out, "{}", format!("#D {line}").trim_end())?;
    }
    match pattern.rule.as_deref().and_then(survival_first).as_deref() {
        Some("23/3") => writeln!(out, "#N")?,
        Some(rule) => writeln!(out, "#R {rule}")?,
        None => {}
    }
    // Strips of columns, each strip cut into blocks where many rows are empty.
    let apart = |a: &StripRun, b: &StripRun| a.0 == b.0 && a.1.y.abs_diff(b.1.y) < 4;
    for block in pieces.chunk_by(apart) {
        let x = block.iter().map(|(_, run)| run.x).min().unwrap_or(0);
        let mut y = block[0].1.y;
        writeln!(out, "#P {x} {y}")?;
        for row in block.chunk_by(|a, b| a.1.y == b.1.y) {
            while y < row[0].1.y {
                writeln!(out, ".")?;
                y += 1;
            }
            let mut text = String::new();
            for (_, run) in row {
                let from = run.x.abs_diff(x) as usize;
                text.extend(std::iter::repeat_n('.', from - text.len()));
                text.extend(std::iter::repeat_n('*', run.length as usize));
            }
            writeln!(out, "{text}")?;
            y = y.saturating_add(1);
        }
    }
    Ok(())
}

/// All runs, cut where strips end, strip by strip.
fn pieces(pattern: &Pattern, most: u64) -> Result<Vec<StripRun>, WriteError> {
    let too_large = || WriteError::TooLarge {
        format: "life105",
        most,
    };
    if pattern.cells.population() > most.into() {
        return Err(too_large());
    }
    let left = pattern
        .cells
        .bounds()
        .and_then(|b| b.to_rect())
        .map_or(0, |b| b.x);
    let mut pieces: Vec<StripRun> = Vec::new();
    let flow = pattern.cells.try_for_each_run(&mut |run| {
        let mut rest = run;
        while rest.length > 0 {
            if pieces.len() == MAX_PIECES {
                return ControlFlow::Break(());
            }
            let from = rest.x.abs_diff(left);
            let strip = from / MAX_WIDTH;
            let length = rest.length.min((strip + 1) * MAX_WIDTH - from);
            pieces.push((strip, Run { length, ..rest }));
            rest.length -= length;
            rest.x = rest.x.saturating_add_unsigned(length);
        }
        ControlFlow::Continue(())
    });
    if flow.is_break() {
        return Err(too_large());
    }
    pieces.sort_unstable();
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_as};

    #[test]
    fn blocks_lie_where_they_say() {
        let text = "#Life 1.05\r\n#D Name: Two\r\n#D  more\r\n#R 125/36\r\n#P -2 -1\r\n*.*\r\n.\r\n\r\n*\r\n\
                    #P 5 5\r\n**\r\n";
        let pattern = read_as(text.as_bytes(), Format::Life105).unwrap();
        assert_eq!(pattern.name.as_deref(), Some("Two"));
        assert_eq!(pattern.comments, [" more"]);
        assert_eq!(pattern.rule.as_deref(), Some("125/36"));
        assert_eq!(pattern.position, Some(Point::new(-2, -1)));
        let same = Pattern::from_text("#CXRLE Pos=-2,-1\nobo2$o4$7b2o!").unwrap();
        assert_eq!(pattern.cells, same.cells);
        let mut out = Vec::new();
        write(&pattern, 1 << 20, &mut out).unwrap();
        let written =
            "#Life 1.05\n#D Name: Two\n#D  more\n#R 125/36\n#P -2 -1\n*.*\n.\n*\n#P 5 5\n**\n";
        assert_eq!(String::from_utf8(out).unwrap(), written);
    }

    #[test]
    fn rules_turn_around() {
        for (rule, turned) in [
            ("B3/S23", Some("23/3")),
            ("b36s125", Some("125/36")),
            ("23/36", Some("23/36")),
            ("B2/S", Some("/2")),
            ("B3/S23/C4", None),
            ("B2ei/S", None),
            ("WireWorld", None),
            ("B3/S23:T9,9", None),
        ] {
            assert_eq!(survival_first(rule).as_deref(), turned, "{rule}");
        }
    }

    #[test]
    fn faults_have_a_place() {
        let check = |text: &str, message: &str| {
            let error = read_as(text.as_bytes(), Format::Life105).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        };
        check(
            "#Life 1.05\n#P 0 0\n.*\n.#",
            "4:2: expected `.` or `*`, found `#`",
        );
        check(
            "#Life 1.05\n#P 0\n",
            "2:5: expected the block's row, found the end of the line",
        );
        check("#P 1 2 3\n", "1:8: expected the end of the line, found `3`");
        check("#P 1 q\n", "1:6: expected a whole number, found `q`");
        let far = "#P 9223372036854775807 0\n**";
        check(
            far,
            "2:2: cells lie further out than coordinates reach (2^63)",
        );
        let low = "#P 0 9223372036854775807\n*\n*";
        check(
            low,
            "3:1: cells lie further out than coordinates reach (2^63)",
        );
    }
}
