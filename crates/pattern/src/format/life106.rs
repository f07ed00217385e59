//! Life 1.06 (LifeWiki, "Life 1.06"): `#Life 1.06`, then `x y` for each live cell.

use crate::budget::ReadBudget;
use crate::error::{CellExtent, PatternFault, WriteError};
use crate::text::{cells, integer, lines, push_cell};
use crate::{Cells, Pattern, Run};
use grid::Point;
use num_traits::ToPrimitive;
use std::io::Write;
use std::ops::ControlFlow;

pub(super) fn read(bytes: &[u8], budget: &mut ReadBudget) -> Result<Pattern, PatternFault> {
    let mut pattern = Pattern::default();
    let mut runs: Vec<Run> = Vec::new();
    for line in lines(bytes) {
        if line.bytes.starts_with(b"#") {
            continue;
        }
        let mut words = line.words();
        let Some((at, x)) = words.next() else {
            continue;
        };
        let x = integer(at, x)?;
        let Some((at, y)) = words.next() else {
            return Err(PatternFault::expected("the cell's row", bytes, line.end()));
        };
        let y = integer(at, y)?;
        if let Some((at, _)) = words.next() {
            return Err(PatternFault::expected("the end of the line", bytes, at));
        }
        let run = Run {
            y,
            x,
            length: 1,
            state: 1,
        };
        push_cell(&mut runs, run, budget, line.offset)?;
    }
    pattern.cells = cells(runs, budget, bytes.len())?;
    pattern.position = corner(&pattern.cells);
    Ok(pattern)
}

/// The top-left corner of the cells, as their coordinates were given.
pub(super) fn corner(cells: &Cells) -> Option<Point> {
    let Some(bounds) = cells.bounds() else {
        return Some(Point::default());
    };
    Some(Point::new(bounds.x.to_i64()?, bounds.y.to_i64()?))
}

pub(super) fn write(pattern: &Pattern, most: u64, out: &mut dyn Write) -> Result<(), WriteError> {
    let cells = pattern.cells.population();
    let corners = pattern.cells.bounds().and_then(|bounds| bounds.to_rect());
    if let Some(rect) = corners {
        // The longest of all lines: two numbers, a blank and the line's end.
        let digits = |a: i64, b: i64| a.to_string().len().max(b.to_string().len()) as u128;
        let (right, bottom) = (rect.x, rect.y);
        let right = right.saturating_add_unsigned(rect.width - 1);
        let bottom = bottom.saturating_add_unsigned(rect.height - 1);
        let line = digits(rect.x, right) + digits(rect.y, bottom) + 2;
        let cells = cells.to_u128().unwrap_or(u128::MAX);
        let bytes = cells.saturating_mul(line);
        if bytes > most.into() {
            return Err(WriteError::TooManyCells {
                format: "life106",
                extent: CellExtent::Live(cells),
                bytes,
                most,
            });
        }
    }
    writeln!(out, "#Life 1.06")?;
    let mut failed: std::io::Result<()> = Ok(());
    let _ = pattern.cells.try_for_each_run(&mut |run| {
        failed = (0..run.length as i64).try_for_each(|x| writeln!(out, "{} {}", run.x + x, run.y));
        match failed {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    Ok(failed?)
}

#[cfg(test)]
mod tests {
    use crate::{Format, Pattern, read_as, write};
    use grid::Point;

    #[test]
    fn cells_in_any_order() {
        let text = "#Life 1.06\r\n0 -1\r\n 1 0\n\n-1 1\n1\t1\n0 1\n0 1";
        let pattern = read_as(text.as_bytes(), Format::Life106).unwrap();
        let glider = Pattern::from_text("bo$2bo$3o!").unwrap();
        assert_eq!(pattern.cells, glider.cells.translated(-1, -1));
        assert_eq!(pattern.position, Some(Point::new(-1, -1)));
        let mut out = Vec::new();
        write(&pattern, Format::Life106, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n"
        );
    }

    #[test]
    fn what_would_be_too_long_is_refused() {
        for (text, words) in [
            ("2147483648o!", "2147483648 live cells would take 26 GiB"),
            (
                "9223372036854775807o!",
                "9223372036854775807 live cells would take 175 EiB",
            ),
        ] {
            let pattern = Pattern::from_text(text).unwrap();
            let error = write(&pattern, Format::Life106, &mut std::io::sink()).unwrap_err();
            let words = format!(
                "as life106 {words}, and at most 1 GiB are written; rle or macrocell may do"
            );
            assert_eq!(error.to_string(), words);
        }
    }

    #[test]
    fn faults_have_a_place() {
        let check = |text: &str, message: &str| {
            let error = read_as(text.as_bytes(), Format::Life106).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        };
        check("#Life 1.06\n1 x", "2:3: expected a whole number, found `x`");
        check(
            "#Life 1.06\n12\n",
            "2:3: expected the cell's row, found the end of the line",
        );
        check("1 2 3", "1:5: expected the end of the line, found `3`");
        check(
            "1 9223372036854775808",
            "1:3: the number 9223372036854775808 is too large",
        );
    }
}
