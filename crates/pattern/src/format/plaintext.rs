//! Plaintext, `.cells` (LifeWiki, "Plaintext"; Golly's text reader).
//!
//! ```text
//! !Name: Glider
//! .O.
//! ..O
//! OOO
//! ```

use super::frame;
use crate::budget::ReadBudget;
use crate::error::{PatternFault, WriteError};
use crate::rows::RunTable;
use crate::text::{absorb, comment, free_text, lines};
use crate::{Cells, Pattern, Run};
use grid::Rect;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// What a sign of a row means: how many cells, and their state.
fn sign(byte: u8) -> Option<(i64, u8)> {
    match byte {
        b'.' | b',' | b' ' | b'\t' => Some((1, 0)),
        // Golly's short form for ten dead cells.
        b'$' => Some((10, 0)),
        b'O' | b'o' | b'*' | b'@' | b'X' | b'x' | b'1' | b'A' => Some((1, 1)),
        _ => None,
    }
}

/// Whether a line can be a row.
pub(super) fn is_row(line: &[u8]) -> bool {
    line.iter().all(|&byte| sign(byte).is_some())
}

pub(super) fn read(bytes: &[u8], budget: &mut ReadBudget) -> Result<Pattern, PatternFault> {
    let mut pattern = Pattern::default();
    let mut rows = RunTable::default();
    let (mut width, mut y) = (0, 0);
    for line in lines(bytes) {
        if let Some(text) = line.bytes.strip_prefix(b"!") {
            budget.take_line(text, line.offset)?;
            absorb(&mut pattern, comment(text));
            continue;
        }
        let mut x = 0;
        for (index, &byte) in line.bytes.iter().enumerate() {
            let offset = line.offset + index;
            let (length, state) = sign(byte)
                .ok_or_else(|| PatternFault::expected("`.`, `O` or `*`", bytes, offset))?;
            if state != 0 {
                let run = Run {
                    y,
                    x,
                    length: 1,
                    state,
                };
                let reserved = rows.reserve_run(1, budget);
                reserved.map_err(|problem| PatternFault::new(offset, problem))?;
                rows.push(run);
            }
            x += length;
        }
        width = width.max(x);
        y += 1;
    }
    pattern.size = Some((width.unsigned_abs(), y.unsigned_abs()));
    pattern.cells = Cells::from_rows(rows);
    Ok(pattern)
}

pub(super) fn write(pattern: &Pattern, most: u64, out: &mut dyn Write) -> Result<(), WriteError> {
    let frame = frame::of(pattern);
    frame::check("plaintext", &frame, most)?;
    for line in free_text(pattern) {
        writeln!(out, "!{line}")?;
    }
    write_rows(
        pattern,
        &frame,
        &|state| if state == 0 { b'.' } else { b'O' },
        out,
    )
}

/// All rows of a box, one line each.
pub(super) fn write_rows(
    pattern: &Pattern,
    frame: &Rect,
    sign: &dyn Fn(u8) -> u8,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let mut writer = Writer {
        out,
        buffer: Vec::with_capacity(BUFFER),
        dead: sign(0),
        width: frame.width,
        x: 0,
    };
    let mut failed: io::Result<()> = Ok(());
    let mut y = frame.y;
    let _ = pattern.cells.try_for_each_run(&mut |run| {
        let rows = run.y.abs_diff(y);
        y = run.y;
        failed = writer.run(rows, run.x.abs_diff(frame.x), run.length, sign(run.state));
        match failed {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    failed?;
    for _ in y.abs_diff(frame.y)..frame.height {
        writer.end_row()?;
    }
    Ok(writer.flush()?)
}

/// How many bytes are written together.
const BUFFER: usize = 1 << 16;

/// Writes rows of signs. No row has to be held as a whole.
struct Writer<'a> {
    out: &'a mut dyn Write,
    buffer: Vec<u8>,
    /// The sign of a dead cell.
    dead: u8,
    width: u64,
    /// How many cells of this row are written.
    x: u64,
}

impl Writer<'_> {
    /// Writes cells from column `x` on, `rows` rows below the last ones.
    fn run(&mut self, rows: u64, x: u64, length: u64, sign: u8) -> io::Result<()> {
        for _ in 0..rows {
            self.end_row()?;
        }
        self.fill_to(x, self.dead)?;
        self.fill_to(x + length, sign)
    }

    /// Writes a character until the row has `x` cells.
    fn fill_to(&mut self, x: u64, sign: u8) -> io::Result<()> {
        while self.x < x {
            if self.buffer.len() == BUFFER {
                self.flush()?;
            }
            let available = (BUFFER - self.buffer.len()) as u64;
            let cells = available.min(x - self.x);
            self.buffer.resize(self.buffer.len() + cells as usize, sign);
            self.x += cells;
        }
        Ok(())
    }

    fn end_row(&mut self) -> io::Result<()> {
        self.fill_to(self.width, self.dead)?;
        if self.buffer.len() == BUFFER {
            self.flush()?;
        }
        self.buffer.push(b'\n');
        self.x = 0;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Format, Pattern, read_as, write};

    #[test]
    fn every_spelling() {
        let text = "!Name: Two\r\n!Author: Me\r\n! more\r\n.O*\r\n\r\n$o,x\r\n..";
        let pattern = read_as(text.as_bytes(), Format::Plaintext).unwrap();
        assert_eq!(pattern.name.as_deref(), Some("Two"));
        assert_eq!(pattern.author.as_deref(), Some("Me"));
        assert_eq!(pattern.comments, ["more"]);
        assert_eq!(pattern.size, Some((13, 4)));
        let rle = Pattern::from_text("b2o2$10bobo!").unwrap();
        assert_eq!(pattern.cells, rle.cells);
        let mut out = Vec::new();
        write(&pattern, Format::Plaintext, &mut out).unwrap();
        let rows = ".OO..........\n.............\n..........O.O\n.............\n";
        let head = "!Name: Two\n!Author: Me\n!more\n";
        assert_eq!(String::from_utf8(out).unwrap(), format!("{head}{rows}"));
    }

    #[test]
    fn faults_have_a_place() {
        let error = read_as(b"!c\n.O.\n.O?\n", Format::Plaintext).unwrap_err();
        assert_eq!(
            error.to_string(),
            "3:3: expected `.`, `O` or `*`, found `?`"
        );
    }

    #[test]
    fn what_is_far_apart_is_refused() {
        let pattern = Pattern::from_text("o999999b$999999o!").unwrap();
        let mut out = Vec::new();
        write(&pattern, Format::Plaintext, &mut out).unwrap();
        assert_eq!(out.len(), 2 * 1_000_000);
        assert_eq!(
            read_as(&out, Format::Plaintext).unwrap().cells,
            pattern.cells
        );
        let check = |text: &str, words: &str| {
            let pattern = Pattern::from_text(text).unwrap();
            for format in [Format::Plaintext, Format::Classroom] {
                let error = write(&pattern, format, &mut std::io::sink()).unwrap_err();
                let words = format!("as {format} {words}; rle or macrocell may do");
                assert_eq!(error.to_string(), words, "{text}");
            }
        };
        check(
            "2147483648o!",
            "2147483648 x 1 cells would take 2 GiB, and at most 1 GiB are written",
        );
        check(
            "o99999999$99999999b9999999o!",
            "109999998 x 100000000 cells would take 9.7 PiB, and at most 1 GiB are written",
        );
        check(
            "9223372036854775807o!",
            "9223372036854775807 x 1 cells would take 8 EiB, and at most 1 GiB are written",
        );
    }
}
