//! Plaintext, `.cells` (LifeWiki, "Plaintext"; Golly's text reader).
//!
//! ```text
//! !Name: Glider
//! .O.
//! ..O
//! OOO
//! ```

use super::frame;
use crate::error::{Fault, WriteError};
use crate::text::{absorb, comment, free_text, lines, push_cell};
use crate::{Cells, Pattern, Run};
use std::io::Write;

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

pub(super) fn read(bytes: &[u8]) -> Result<Pattern, Fault> {
    let mut pattern = Pattern::default();
    let mut runs: Vec<Run> = Vec::new();
    let (mut width, mut y) = (0, 0);
    for line in lines(bytes) {
        if let Some(text) = line.bytes.strip_prefix(b"!") {
            absorb(&mut pattern, comment(text));
            continue;
        }
        let mut x = 0;
        for (index, &byte) in line.bytes.iter().enumerate() {
            let (count, state) = sign(byte)
                .ok_or_else(|| Fault::expected("`.`, `O` or `*`", bytes, line.offset + index))?;
            if state != 0 {
                push_cell(&mut runs, y, x, state);
            }
            x += count;
        }
        width = width.max(x);
        y += 1;
    }
    pattern.size = Some((width.unsigned_abs(), y.unsigned_abs()));
    pattern.cells = Cells::from_runs(runs);
    Ok(pattern)
}

pub(super) fn write(pattern: &Pattern, out: &mut dyn Write) -> Result<(), WriteError> {
    let frame = frame::of(pattern);
    if !frame::is_small(&frame) {
        return Err(WriteError::TooLarge {
            format: "plaintext",
        });
    }
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
    frame: &grid::Rect,
    sign: &dyn Fn(u8) -> u8,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let mut failed: std::io::Result<()> = Ok(());
    let mut row = vec![sign(0); frame.width as usize];
    row.push(b'\n');
    let empty = row.clone();
    let mut y = frame.y;
    let mut write = |row: &[u8]| {
        if failed.is_ok() {
            failed = out.write_all(row);
        }
    };
    pattern.cells.for_each_run(&mut |run| {
        if run.y > y {
            write(&row);
            row.copy_from_slice(&empty);
            for _ in 1..run.y.abs_diff(y) {
                write(&empty);
            }
            y = run.y;
        }
        let from = run.x.abs_diff(frame.x) as usize;
        row[from..from + run.length as usize].fill(sign(run.state));
    });
    let rest = frame.height.saturating_sub(y.abs_diff(frame.y));
    if rest > 0 {
        write(&row);
    }
    for _ in 1..rest {
        write(&empty);
    }
    Ok(failed?)
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
        let pattern = Pattern::from_text("o99999999b$9999999o!").unwrap();
        assert!(write(&pattern, Format::Plaintext, &mut Vec::new()).is_ok());
        let pattern = Pattern::from_text("o99999999$99999999b9999999o!").unwrap();
        assert!(write(&pattern, Format::Plaintext, &mut Vec::new()).is_err());
    }
}
