//! Run-length encoding, `.rle` (Golly Help, "File formats"; LifeWiki, "Run Length
//! Encoded").
//!
//! ```text
//! #N Glider
//! x = 3, y = 3, rule = B3/S23
//! bo$2bo$3o!
//! ```

mod plain_items;

use super::frame;
use crate::budget::ReadBudget;
use crate::error::{PatternFault, PatternProblem, WriteError};
use crate::rows::{MAX_RUN, RunTable};
use crate::text::{comment, line_end, lines_from, lossy, one_line, shortened};
use crate::{Cells, Pattern, Run};
use grid::Point;
use num_bigint::BigInt;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

/// The longest line written.
const LINE: usize = 70;

/// Whether a line says the box's size. `xA` begins cells: 24 dead ones are no use there,
/// but state 217 is.
pub(super) fn is_header(line: &[u8]) -> bool {
    matches!(line, [b'x', b' ' | b'\t' | b'=', ..])
}

/// Whether a line can be cells: nothing but their signs, some that a map's rows do not have,
/// and among them a count or an end.
pub(super) fn is_data(line: &[u8]) -> bool {
    let cells = line.split(|&b| b == b'!').next().unwrap_or(line);
    let ended = cells.len() < line.len();
    let counted = cells.iter().any(|b| b.is_ascii_digit() || *b == b'$');
    let known = |b: &u8| matches!(b, b'0'..=b'9' | b'b' | b'o' | b'$' | b'.' | b'A'..=b'X' | b'p'..=b'z' | b' ' | b'\t');
    let own = |b: &u8| {
        matches!(b, b'b' | b'o' | b'$' | b'A'..=b'X' | b'p'..=b'z')
            && !matches!(b, b'O' | b'R' | b'B')
    };
    cells.iter().all(known) && cells.iter().any(own) && (ended || counted)
}

/// Whether a header can hold a rule: it ends at the first blank.
pub(super) fn can_tell(rule: &str) -> bool {
    !rule.is_empty() && !rule.contains(char::is_whitespace) && !rule.ends_with(',')
}

pub(super) fn read(bytes: &[u8], budget: &mut ReadBudget) -> Result<Pattern, PatternFault> {
    let mut reader = Reader::new(bytes.len() as u64, budget);
    reader.read_part(bytes, true)?;
    Ok(reader.finish())
}

/// Reads a text of `length` bytes, of which `part` came first, in parts of about that length: so
/// it is never held whole. Offsets of faults mean nothing.
pub(super) fn read_in_parts(
    mut part: Vec<u8>,
    input: &mut dyn Read,
    length: u64,
    budget: &mut ReadBudget,
) -> io::Result<Result<Pattern, PatternFault>> {
    let most = part.len();
    let mut reader = Reader::new(length, budget);
    loop {
        // more of a line or a count that is longer than a part
        let room = (most - part.len().min(most)).max(most / 2 + 1);
        let came = input.take(room as u64).read_to_end(&mut part)?;
        match reader.read_part(&part, came == 0) {
            Err(fault) => return Ok(Err(fault)),
            Ok(_) if came == 0 => return Ok(Ok(reader.finish())),
            Ok(read) => drop(part.drain(..read)),
        }
    }
}

fn read_comment(pattern: &mut Pattern, line: &[u8], data: bool, first: bool) {
    let text = |mark: usize| comment(&line[mark..]);
    if let Some(rest) = line.strip_prefix(b"#CXRLE")
        && first
        && read_extended(pattern, &lossy(rest))
    {
        return;
    }
    match line {
        [b'#', b'N', ..] if pattern.name.is_none() && !text(2).is_empty() => {
            pattern.name = Some(text(2).trim().to_string());
        }
        [b'#', b'O', ..] if pattern.author.is_none() && !text(2).is_empty() => {
            pattern.author = Some(text(2).trim().to_string());
        }
        [b'#', b'r', b' ' | b'\t', rule @ ..] if !data => {
            let rule = lossy(rule).trim().to_string();
            if pattern.rule.is_none() && !rule.is_empty() {
                pattern.rule = Some(rule);
            }
        }
        [b'#', b'C' | b'c' | b'D', b' ' | b'\t', ..] | [b'#', b'C' | b'c' | b'D'] => {
            pattern.comments.push(text(2));
        }
        // With its mark, since its meaning is unknown.
        _ => pattern.comments.push(text(0)),
    }
}

/// `Pos=x,y` and `Gen=n` on the first line; gives whether all of it was understood. On a
/// later line the mark means nothing to Golly: files are pasted together of other files.
fn read_extended(pattern: &mut Pattern, text: &str) -> bool {
    let mut understood = true;
    for word in text.split_whitespace() {
        let position = || {
            let (x, y) = word.strip_prefix("Pos=")?.split_once(',')?;
            Some(Point::new(x.parse().ok()?, y.parse().ok()?))
        };
        let generation = || word.strip_prefix("Gen=")?.parse::<BigInt>().ok();
        if let Some(position) = position() {
            pattern.position = Some(position);
        } else if let Some(generation) = generation().filter(|_| word.len() < 10_000) {
            pattern.generation = generation;
        } else {
            understood = false;
        }
    }
    understood
}

/// `x = W, y = H[, rule = R]`.
fn read_header(
    pattern: &mut Pattern,
    bytes: &[u8],
    begin: usize,
    end: usize,
) -> Result<(), PatternFault> {
    let line = &bytes[..end];
    let mut at = begin;
    let skip_blanks = |at: &mut usize| {
        while line.get(*at).is_some_and(u8::is_ascii_whitespace) {
            *at += 1;
        }
    };
    let token = |at: &mut usize, token: &'static str, expected: &'static str| {
        skip_blanks(at);
        if line[*at..].starts_with(token.as_bytes()) {
            *at += token.len();
            skip_blanks(at);
            return Ok(());
        }
        Err(PatternFault::expected(expected, bytes, *at))
    };
    let number = |at: &mut usize| {
        let digits = line[*at..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let word = lossy(&line[*at..*at + digits]);
        if word.is_empty() {
            return Err(PatternFault::expected("a number of cells", bytes, *at));
        }
        let value = word.parse();
        let value = value.map_err(|_| {
            PatternFault::new(*at, PatternProblem::NumberTooLarge(shortened(&word)))
        })?;
        *at += digits;
        Ok(value)
    };
    token(&mut at, "x", "`x = `")?;
    token(&mut at, "=", "`=`")?;
    let width: u64 = number(&mut at)?;
    token(&mut at, ",", "`, y = `")?;
    token(&mut at, "y", "`y = `")?;
    token(&mut at, "=", "`=`")?;
    let height: u64 = number(&mut at)?;
    pattern.size = Some((width, height));
    skip_blanks(&mut at);
    if at == end {
        return Ok(());
    }
    token(&mut at, ",", "`, rule = ` or the end of the line")?;
    if at == end {
        return Ok(());
    }
    token(&mut at, "rule", "`rule = `")?;
    token(&mut at, "=", "`=`")?;
    let rest = line[at..].split(u8::is_ascii_whitespace).next();
    let rule = lossy(rest.unwrap_or_default());
    let rule = rule.trim_end_matches(',');
    if rule.is_empty() {
        return Err(PatternFault::expected("a rule", bytes, at));
    }
    pattern.rule = Some(rule.to_string());
    Ok(())
}

/// Comments and an `@RULE` block after the cells' end.
fn read_rest(
    pattern: &mut Pattern,
    bytes: &[u8],
    at: usize,
    budget: &mut ReadBudget,
) -> Result<(), PatternFault> {
    for line in lines_from(bytes, at) {
        if line.bytes.starts_with(b"@RULE") {
            let block = &bytes[line.offset..];
            // As it is, and without carriage returns.
            budget.take_line(block, line.offset)?;
            budget.take_line(block, line.offset)?;
            let mut block = lossy(block).replace("\r\n", "\n");
            block.truncate(block.trim_end().len());
            pattern.rule_block = Some(block);
            return Ok(());
        }
        match line.bytes.trim_ascii() {
            [] => {}
            text => {
                budget.take_line(text, line.offset)?;
                match text {
                    [b'#', ..] => read_comment(pattern, text, true, false),
                    _ => pattern.comments.push(comment(text)),
                }
            }
        }
    }
    Ok(())
}

struct Reader<'a> {
    budget: &'a mut ReadBudget,
    pattern: Pattern,
    rows: RunTable,
    /// The pen, counted from the box's corner.
    x: u64,
    y: u64,
    origin: Point,
    /// There was a line that is not empty, a header, cells.
    has_begun: bool,
    has_header: bool,
    has_cells: bool,
    /// Cells follow, and no line begins.
    is_within_cells: bool,
    /// There was a `!`.
    has_ended: bool,
}

/// What a sign is: 0 to 24 a state, or one of these.
const SIGNS: [u8; 256] = {
    let mut signs = [OTHER; 256];
    let mut letter = 0;
    while letter < 24 {
        signs[b'A' as usize + letter] = letter as u8 + 1;
        letter += 1;
    }
    signs[b'b' as usize] = 0;
    signs[b'.' as usize] = 0;
    signs[b'o' as usize] = 1;
    signs
};
const OTHER: u8 = 255;

/// A window is at least as long, so that windows are few.
const WINDOW: usize = 1 << 10;

impl<'a> Reader<'a> {
    fn new(length: u64, budget: &'a mut ReadBudget) -> Self {
        // dense rows take less, and the list grows where there are none
        let runs = usize::try_from(length / 16).unwrap_or(usize::MAX);
        Self {
            rows: RunTable::with_budget(runs, budget),
            budget,
            pattern: Pattern::default(),
            x: 0,
            y: 0,
            origin: Point::default(),
            has_begun: false,
            has_header: false,
            has_cells: false,
            is_within_cells: false,
            has_ended: false,
        }
    }

    fn finish(self) -> Pattern {
        Pattern {
            cells: Cells::from_rows(self.rows.fitted()),
            ..self.pattern
        }
    }

    /// Reads what is complete of a part: line by line as far as comments go, then by cells. Returns
    /// the offset from which on it is to be read again with what follows; of the last part nothing
    /// is left.
    fn read_part(&mut self, bytes: &[u8], is_last: bool) -> Result<usize, PatternFault> {
        let mut at = 0;
        while at < bytes.len() && !self.has_ended {
            if self.is_within_cells {
                let end = if is_last {
                    bytes.len()
                } else {
                    last_sign(bytes, at)
                };
                at = self.read_lines(&bytes[..end], at)?;
                match bytes.get(at) {
                    Some(b'!') => {
                        self.has_ended = true;
                        at += 1;
                    }
                    // the line's end before it is never left to an earlier part
                    Some(b'#') if at > 0 && bytes[at - 1] == b'\n' => {
                        self.is_within_cells = false;
                    }
                    _ => break,
                }
                continue;
            }
            let end = line_end(bytes, at);
            let text = bytes[at..end].trim_ascii();
            let is_whole = is_last || end < bytes.len();
            let first = !self.has_begun;
            match text {
                _ if !is_whole && (text.len() < 2 || text[0] == b'#' || is_header(text)) => break,
                [] => {}
                [b'#', ..] => {
                    self.budget.take_line(text, at)?;
                    read_comment(&mut self.pattern, text, self.has_cells, first);
                }
                _ if !self.has_header && !self.has_cells && is_header(text) => {
                    self.has_header = true;
                    read_header(&mut self.pattern, bytes, at, end)?;
                }
                _ => {
                    if !self.has_cells {
                        self.has_cells = true;
                        self.origin = self.pattern.position.unwrap_or_default();
                    }
                    self.has_begun = true;
                    self.is_within_cells = true;
                    continue;
                }
            }
            self.has_begun |= !text.is_empty();
            at = end + 1;
        }
        if self.has_ended && is_last {
            read_rest(&mut self.pattern, bytes, at, self.budget)?;
        }
        Ok(at)
    }

    /// Reads cells from offset `at`; stops at `!`, at a line that begins with `#`, and at the
    /// end, and returns that offset.
    fn read_lines(&mut self, bytes: &[u8], mut at: usize) -> Result<usize, PatternFault> {
        while at < bytes.len() {
            let end = self.window(bytes, at)?;
            at = self.read_window(&bytes[..end], at)?;
            if at < end {
                break;
            }
        }
        Ok(at)
    }

    /// The offset up to which the reserved capacity suffices.
    ///
    /// A byte adds at most one run, and every other byte a row, except for long runs, for which
    /// [`Reader::long_count`] reserves. So nothing has to be checked within a window.
    fn window(&mut self, bytes: &[u8], at: usize) -> Result<usize, PatternFault> {
        let left = bytes.len() - at;
        let least = left.min(WINDOW) + 1;
        let reserved = self.rows.reserve(least, least / 2 + 1, self.budget);
        reserved.map_err(|problem| PatternFault::new(at, problem))?;
        let mut end = at + left.min(self.rows.free() - 1);
        // Neither a count and its sign nor the two letters of a state are torn apart. What is
        // passed over for that gives one run at most: letters that all mean the same state.
        while end < bytes.len() && !is_sign(bytes[end - 1]) && bytes[end - 1] != b'\n' {
            end += 1;
        }
        // A line's end is read together with the mark of a comment after it.
        if bytes[end - 1] == b'\n' && bytes.get(end) == Some(&b'#') {
            end += 1;
        }
        Ok(end)
    }

    /// Reads cells from `at` on, within what is reserved for them.
    fn read_window(&mut self, bytes: &[u8], mut at: usize) -> Result<usize, PatternFault> {
        loop {
            at = self.read_plain_items(bytes, at);
            let Some(&byte) = bytes.get(at) else {
                return Ok(at);
            };
            let begin = at;
            let mut count = 1;
            let mut sign = byte;
            if sign.is_ascii_digit() {
                if sign == b'0' {
                    return Err(PatternFault::new(begin, PatternProblem::LeadingZero));
                }
                count = u64::from(sign - b'0');
                at += 1;
                while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
                    count = count.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
                    at += 1;
                }
                // 16 digits always fit, and a run of that length is not cut into pieces.
                if at - begin > 16 {
                    let long = self.long_count(&bytes[begin..], at - begin);
                    count = long.map_err(|problem| PatternFault::new(begin, problem))?;
                }
                sign = match bytes.get(at) {
                    Some(sign) if !sign.is_ascii_whitespace() => *sign,
                    _ => return Err(PatternFault::new(begin, PatternProblem::CountAlone(count))),
                };
            }
            at += 1;
            let mut state = SIGNS[usize::from(sign)];
            if state == OTHER {
                state = match sign {
                    b'p'..=b'z' => match bytes.get(at) {
                        Some(&letter @ b'A'..=b'X') if sign != b'z' => {
                            let letter = u64::from(letter - b'A' + 1);
                            let state = u64::from(sign - b'p' + 1) * 24 + letter;
                            let too_high = PatternProblem::StateTooHigh(state);
                            at += 1;
                            u8::try_from(state).map_err(|_| PatternFault::new(at - 2, too_high))?
                        }
                        // Niemiec's files: a further kind of live cell.
                        _ => 1,
                    },
                    b'$' => {
                        let below = self.y.checked_add(count);
                        self.y = below.ok_or_else(|| out_of_reach(begin))?;
                        self.x = 0;
                        continue;
                    }
                    b'\n' if bytes.get(at) == Some(&b'#') => return Ok(at),
                    b' ' | b'\t' | b'\r' | b'\n' => continue,
                    b'!' => return Ok(at - 1),
                    _ => {
                        let expected = "a cell, `$` or `!`";
                        return Err(PatternFault::expected(expected, bytes, at - 1));
                    }
                };
            }
            let end = self.x.checked_add(count);
            let end = end.ok_or_else(|| out_of_reach(begin))?;
            if state != 0 {
                let (row, reach) = self.row();
                if end > reach {
                    return Err(out_of_reach(begin));
                }
                self.rows.push(Run {
                    y: row,
                    // Nothing wraps that ends within reach.
                    x: self.origin.x.wrapping_add_unsigned(self.x),
                    length: count,
                    state,
                });
            }
            self.x = end;
        }
    }

    /// The pen's row, and how many cells of it coordinates reach; none of a row that lies
    /// too far down.
    fn row(&self) -> (i64, u64) {
        let row = self.origin.y.checked_add_unsigned(self.y);
        let reach = i64::MAX.abs_diff(self.origin.x).saturating_add(1);
        row.map_or((0, 0), |row| (row, reach))
    }

    /// A count of many digits, with which a window goes on. Capacity is reserved for the pieces of
    /// a run of that length, besides all that is left of the window.
    #[cold]
    fn long_count(&mut self, window: &[u8], digits: usize) -> Result<u64, PatternProblem> {
        let digits = &window[..digits];
        let longer = |count: u64, digit: &u8| {
            let tens = count.checked_mul(10)?;
            tens.checked_add(u64::from(digit - b'0'))
        };
        let count = digits.iter().try_fold(0, longer).ok_or_else(|| {
            let digits = &digits[..digits.len().min(60)];
            PatternProblem::NumberTooLarge(shortened(&lossy(digits)))
        })?;
        let runs = (count / MAX_RUN + 1) as usize + window.len();
        self.rows.reserve(runs, 1, self.budget)?;
        Ok(count)
    }
}

/// Whether a byte ends cells of one state, or rows.
fn is_sign(byte: u8) -> bool {
    SIGNS[usize::from(byte)] != OTHER || byte == b'$'
}

/// Where the last cells end, or the last row.
fn last_sign(bytes: &[u8], at: usize) -> usize {
    let signs = bytes[at..].iter().rposition(|&byte| is_sign(byte));
    signs.map_or(at, |last| at + last + 1)
}

fn out_of_reach(offset: usize) -> PatternFault {
    PatternFault::new(offset, PatternProblem::OutOfReach)
}

pub(super) fn write(pattern: &Pattern, out: &mut dyn Write) -> Result<(), WriteError> {
    let frame = frame::of(pattern);
    let placed = pattern.position.is_some() || (frame.x, frame.y) != (0, 0);
    let aged = pattern.generation != BigInt::ZERO;
    if placed || aged {
        write!(out, "#CXRLE")?;
        if placed {
            write!(out, " Pos={},{}", frame.x, frame.y)?;
        }
        if aged {
            write!(out, " Gen={}", pattern.generation)?;
        }
        writeln!(out)?;
    }
    for (mark, text) in [("#N", &pattern.name), ("#O", &pattern.author)] {
        if let Some(text) = text {
            writeln!(out, "{mark} {}", one_line(text))?;
        }
    }
    for line in pattern
        .comments
        .iter()
        .flat_map(|comment| comment.split('\n'))
    {
        writeln!(out, "{}", format!("#C {}", one_line(line)).trim_end())?;
    }
    write!(out, "x = {}, y = {}", frame.width, frame.height)?;
    if let Some(rule) = pattern.rule.as_deref().filter(|rule| can_tell(rule)) {
        write!(out, ", rule = {rule}")?;
    }
    writeln!(out)?;
    let mut writer = Writer {
        out,
        multistate: pattern.cells.max_state() > 1,
        buffer: Box::new([0; BUFFER]),
        used: 0,
        line: 0,
        failed: None,
    };
    let (mut x, mut y) = (frame.x, frame.y);
    // A small tree can have an enormous number of runs: then `out` fails.
    let _ = pattern.cells.try_for_each_run(&mut |run| {
        if run.y > y {
            writer.item(run.y.abs_diff(y), b"$");
            (x, y) = (frame.x, run.y);
        }
        writer.cells(run.x.abs_diff(x), 0);
        writer.cells(run.length, run.state);
        x = run.x.saturating_add_unsigned(run.length);
        match writer.failed {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    });
    writer.item(1, b"!");
    writer.push(b"\n");
    writer.flush();
    if let Some(block) = &pattern.rule_block
        && writer.failed.is_none()
    {
        writer.failed = write!(writer.out, "\n{block}\n").err();
    }
    writer.finish()
}

/// How many bytes are written at once.
const BUFFER: usize = 1 << 15;

/// The longest item: a count of 20 digits and two letters, and the end of the line before it.
const MAX_ITEM: usize = 23;

struct Writer<'a> {
    out: &'a mut dyn Write,
    multistate: bool,
    buffer: Box<[u8; BUFFER]>,
    /// Bytes of the buffer that wait.
    used: usize,
    /// Characters on the line so far.
    line: usize,
    failed: Option<io::Error>,
}

impl Writer<'_> {
    #[inline]
    fn cells(&mut self, count: u64, state: u8) {
        if count == 0 {
            return;
        }
        let letter = |n: u8| b'A' + (n - 1) % 24;
        match state {
            0 if self.multistate => self.item(count, b"."),
            0 => self.item(count, b"b"),
            1 if !self.multistate => self.item(count, b"o"),
            1..=24 => self.item(count, &[letter(state)]),
            _ => self.item(count, &[b'p' + (state - 25) / 24, letter(state)]),
        }
    }

    /// A count, where it is not 1, and a sign.
    #[inline]
    fn item<const SIGN: usize>(&mut self, count: u64, sign: &[u8; SIGN]) {
        if count > 9 {
            return self.long_item(count, sign);
        }
        let digits = usize::from(count > 1);
        self.begin_item(digits + SIGN);
        // over which the sign is written where there is none
        self.buffer[self.used] = b'0' + count as u8;
        self.used += digits;
        self.push(sign);
    }

    fn long_item(&mut self, count: u64, sign: &[u8]) {
        let mut digits = [0; 20];
        let mut first = digits.len();
        let mut rest = count;
        while rest > 0 {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.begin_item(digits.len() - first + sign.len());
        self.push(&digits[first..]);
        self.push(sign);
    }

    /// Begins a line if an item does not fit on this one, and makes room for it.
    #[inline]
    fn begin_item(&mut self, length: usize) {
        if self.line + length > LINE {
            self.push(b"\n");
            self.line = 0;
        }
        self.line += length;
        if self.used + MAX_ITEM > BUFFER {
            self.flush();
        }
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        self.buffer[self.used..self.used + bytes.len()].copy_from_slice(bytes);
        self.used += bytes.len();
    }

    #[cold]
    fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(&self.buffer[..self.used]).err();
        }
        self.used = 0;
    }

    fn finish(mut self) -> Result<(), WriteError> {
        self.flush();
        match self.failed {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_as};

    fn check(text: &str, population: u64, states: &[u8]) {
        let pattern = read_as(text.as_bytes(), Format::Rle).unwrap();
        assert_eq!(pattern.cells.population(), population.into(), "{text}");
        let mut seen = Vec::new();
        pattern.cells.for_each_run(&mut |run| seen.push(run.state));
        assert_eq!(seen, states, "{text}");
    }

    #[test]
    fn every_spelling_of_cells() {
        check("bo$2bo$3o!", 5, &[1, 1, 1]);
        check("x=3,y=3\nbo$2bo$3o!", 5, &[1, 1, 1]);
        check("x = 2, y = 1, rule = X\n.A2BpAyO!", 5, &[1, 2, 25, 255]);
        check("x = 2, y = 1\nxApXbA!", 3, &[217, 48, 1]);
        check("xA!", 1, &[217]);
        check("x = 1, y = 1\npqryz!", 5, &[1]);
        check("x = 1, y = 1\n\n  \n  o b\n# remark\n o", 2, &[1, 1]);
        check("x = 0, y = 0\n!", 0, &[]);
        check("x = 0, y = 0", 0, &[]);
        check("9999999999999bo!", 1, &[1]);
        check("9999999999o!", 9_999_999_999, &[1]);
    }

    /// However a text is cut into parts, the same is read.
    #[test]
    fn parts_make_the_whole() {
        let texts = [
            "#CXRLE Pos=-5,7\n#C a longer line of words\nx = 9, y = 3\nbo$2b12o\n3o!",
            "#C one\n\nx = 2, y = 1, rule = X\n.A2BpAyO$\n# remark\n12.qC2pA3$2A\n\n!after\n@RULE X\n@TABLE\n",
            "3o$b2o9999999999999bo1000$o",
            "x = 3, y = 3\r\nb o\r\n$2\nbo!",
            "  \n",
        ];
        for text in texts {
            for most in 1..text.len() + 2 {
                let (first, mut rest) = text.as_bytes().split_at(most.min(text.len()));
                let length = text.len() as u64;
                let mut budget = ReadBudget::new(1 << 20);
                let read = read_in_parts(first.to_vec(), &mut rest, length, &mut budget);
                let whole = read_as(text.as_bytes(), Format::Rle);
                match (read.unwrap(), whole) {
                    (Ok(read), Ok(whole)) => assert_eq!(read, whole, "{most}: {text}"),
                    (read, whole) => assert!(read.is_err() && whole.is_err(), "{most}: {text}"),
                }
            }
        }
    }

    #[test]
    fn what_the_lines_say() {
        let text = "#CXRLE Pos=-5,7 Gen=123456789012345678901234567890\r\n#N Name\r\n#O  Me \r\n\
                    #C one\r\n#c  two\r\n#P 1 2\r\n#r 23/3\r\n  x = 10 , y=4,rule  =  B36/S23:T9,9, \
                    more\r\n$bo!\r\nafter\r\n@RULE Own\r\n@TABLE\r\n";
        let pattern = read_as(text.as_bytes(), Format::Rle).unwrap();
        let late = format!("#C\n{text}");
        assert_eq!(
            read_as(late.as_bytes(), Format::Rle).unwrap().position,
            None
        );
        assert_eq!(pattern.position, Some(Point::new(-5, 7)));
        assert_eq!(
            pattern.generation.to_string(),
            "123456789012345678901234567890"
        );
        assert_eq!(pattern.name.as_deref(), Some("Name"));
        assert_eq!(pattern.author.as_deref(), Some("Me"));
        assert_eq!(pattern.comments, ["one", " two", "#P 1 2", "after"]);
        assert_eq!(pattern.rule.as_deref(), Some("B36/S23:T9,9"));
        assert_eq!(pattern.size, Some((10, 4)));
        assert_eq!(pattern.rule_block.as_deref(), Some("@RULE Own\n@TABLE"));
        let bounds = pattern.cells.bounds().unwrap().to_rect().unwrap();
        assert_eq!((bounds.x, bounds.y), (-4, 8));
    }

    #[test]
    fn faults_have_a_place() {
        let check = |text: &str, message: &str| {
            let error = read_as(text.as_bytes(), Format::Rle).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        };
        check("bo$2bo$3q?", "1:10: expected a cell, `$` or `!`, found `?`");
        check(
            "x = 1, y = 1\nb\u{e9}",
            "2:2: expected a cell, `$` or `!`, found `é`",
        );
        check(
            "x = 1, y = 1\n3 o!",
            "2:1: the count 3 has no cell, `$` or `!` right after it",
        );
        check(
            "x = 1, y = 1\no3\no!",
            "2:2: the count 3 has no cell, `$` or `!` right after it",
        );
        check("03o!", "1:1: a count cannot begin with 0");
        check(
            "b99999999999999999999o!",
            "1:2: the number 99999999999999999999 is too large",
        );
        check(
            "9223372036854775807b2o!",
            "1:21: cells lie further out than coordinates reach (2^63)",
        );
        check(
            "18446744073709551615bb!",
            "1:22: cells lie further out than coordinates reach (2^63)",
        );
        check(
            "9223372036854775808$o!",
            "1:21: cells lie further out than coordinates reach (2^63)",
        );
        check("yP!", "1:1: state 256 is above 255, the highest there is");
        check("x = 3", "1:6: expected `, y = `, found the end of the file");
        check(
            "x = a, y = 1\no!",
            "1:5: expected a number of cells, found `a`",
        );
        check(
            "x = 1, y = 1, role\no!",
            "1:15: expected `rule = `, found `r`",
        );
        check(
            "x = 1, y = 1, rule =\no!",
            "1:21: expected a rule, found the end of the line",
        );
        check(
            "x = 1, y = 99999999999999999999",
            "1:12: the number 99999999999999999999 is too large",
        );
    }

    #[test]
    fn lines_are_short() {
        let text = format!("x = 5000, y = 2\n{}!", "12b3o$o".repeat(200));
        let pattern = read_as(text.as_bytes(), Format::Rle).unwrap();
        let mut out = Vec::new();
        write(&pattern, &mut out).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert!(written.lines().all(|line| line.len() <= LINE));
        assert!(written.lines().any(|line| line.len() > LINE - 4));
    }
}
