//! Macrocell, `.mc`: a quadtree, node by node (Tomas Rokicki; Golly Help, "File formats";
//! lifelib).
//!
//! Two-state leaves are 8 x 8 cells as text; inner nodes are `level nw ne sw se` by the
//! numbers of earlier lines. Multistate files begin at level 1 with four states.
//!
//! ```text
//! [M2] (gridpaper)
//! #R B3/S23
//! .*$..*$***$
//! 4 0 0 0 1
//! ```

use super::life106;
use crate::budget::ReadBudget;
use crate::error::{PatternFault, PatternProblem, WriteError};
use crate::text::{absorb, comment, free_text, line_end, lossy, one_line, shortened};
use crate::{Cells, Node, Pattern, Tree};
use num_bigint::BigInt;
use std::io::Write;

pub(super) fn read(bytes: &[u8], budget: &mut ReadBudget) -> Result<Pattern, PatternFault> {
    let mut pattern = Pattern::default();
    // Mostly some 20 bytes a line.
    let likely = bytes.len() / 24 + SPARE;
    let mut reader = Reader {
        bytes,
        at: 0,
        nodes: budget.list(likely),
        levels: budget.list(likely),
        leaf: 0,
    };
    // Up to where there is room for all nodes: none has less than two bytes.
    let mut window = reader.reserve(budget)?;
    reader.nodes.push(Node::Empty);
    reader.levels.push(0);
    while let Some(&first) = bytes.get(reader.at) {
        if reader.at >= window {
            window = reader.reserve(budget)?;
        }
        match first {
            b'.' | b'*' | b'$' => reader.leaf8()?,
            b'0'..=b'9' => reader.numbers()?,
            b'#' => {
                let end = line_end(bytes, reader.at);
                budget.take_line(&bytes[reader.at..end], reader.at)?;
                read_mark(&mut pattern, bytes[reader.at..end].trim_ascii_end());
                reader.at = end + 1;
            }
            b'\n' | b'\r' => reader.at += 1,
            b'[' if reader.nodes.len() == 1 => reader.at = line_end(bytes, reader.at) + 1,
            _ => {
                let expected = "a node, or a line that begins with `#`";
                return Err(PatternFault::expected(expected, bytes, reader.at));
            }
        }
    }
    // Where the cells lie is found with the levels of all nodes.
    let levels = reader.nodes.len().saturating_mul(size_of::<u32>());
    budget.take_at(levels, bytes.len())?;
    let tree = reader.tree();
    pattern.cells = Cells::from_tree(tree);
    pattern.position = life106::corner(&pattern.cells);
    Ok(pattern)
}

fn read_mark(pattern: &mut Pattern, line: &[u8]) {
    match line {
        [b'#', b'R', rule @ ..] => {
            let rule = lossy(rule).trim().to_string();
            pattern.rule = Some(rule).filter(|rule| !rule.is_empty());
        }
        [b'#', b'G', generation @ ..] if generation.len() < 10_000 => {
            if let Ok(generation) = lossy(generation).trim().parse::<BigInt>() {
                pattern.generation = generation;
            }
        }
        [b'#', b'C' | b'D', text @ ..] => absorb(pattern, comment(text)),
        // A timeline's earlier frames; the last node is the current state.
        _ if line.starts_with(b"#FRAME") => {}
        _ => absorb(pattern, comment(line)),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
    /// The level that each node was given as.
    levels: Vec<u16>,
    /// The level of the leaves, once one has been read.
    leaf: u16,
}

/// Nodes for which capacity is always kept free: the first one, the one of the current line,
/// and the five that a root of one leaf becomes.
const SPARE: usize = 7;

/// The least lines of a window, so that windows are few.
const WINDOW: usize = 512;

impl Reader<'_> {
    /// Reserves capacity for more nodes, and returns the offset in the text up to which it
    /// suffices.
    #[cold]
    fn reserve(&mut self, budget: &mut ReadBudget) -> Result<usize, PatternFault> {
        let fault = |problem| PatternFault::new(self.at, problem);
        if self.nodes.len() > u32::MAX as usize - SPARE {
            let (what, most) = ("the file", "2^32 nodes");
            return Err(fault(PatternProblem::TooMany { what, most }));
        }
        let left = (self.bytes.len() - self.at).div_ceil(2);
        let more = SPARE + left.min(WINDOW);
        budget.reserve(&mut self.nodes, more).map_err(fault)?;
        budget.reserve(&mut self.levels, more).map_err(fault)?;
        let nodes = self.nodes.capacity() - self.nodes.len();
        let levels = self.levels.capacity() - self.levels.len();
        Ok(self.at + 2 * (nodes.min(levels) - SPARE))
    }

    fn add(&mut self, node: Node, level: u16) {
        self.nodes.push(node);
        self.levels.push(level);
    }

    /// All leaves of a file are of one kind.
    fn leaf_of(&mut self, level: u16, offset: usize) -> Result<(), PatternFault> {
        if self.leaf != 0 && self.leaf != level {
            return Err(PatternFault::new(offset, PatternProblem::MixedLeaves));
        }
        self.leaf = level;
        Ok(())
    }

    /// `.*$..*$***$`: rows of up to 8 cells, each ended by `$`.
    fn leaf8(&mut self) -> Result<(), PatternFault> {
        self.leaf_of(3, self.at)?;
        let bytes = self.bytes;
        let (mut cells, mut x, mut y) = (0u64, 0, 0);
        let mut at = self.at;
        let too_many = |at, what, most| {
            Err(PatternFault::new(
                at,
                PatternProblem::TooMany { what, most },
            ))
        };
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'.' | b'*' => {
                    if y > 7 {
                        return too_many(at, "a leaf", "8 rows");
                    }
                    if x > 7 {
                        return too_many(at, "a leaf's row", "8 cells");
                    }
                    cells |= u64::from(byte == b'*') << (8 * y + x);
                    x += 1;
                }
                b'$' if y > 7 => return too_many(at, "a leaf", "8 rows"),
                b'$' => (x, y) = (0, y + 1),
                b'\n' => break,
                b'\r' | b' ' | b'\t' => {}
                _ => return Err(PatternFault::expected("`.`, `*` or `$`", bytes, at)),
            }
            at += 1;
        }
        self.at = at + 1;
        self.add(Node::Leaf8(cells), 3);
        Ok(())
    }

    /// `level nw ne sw se`.
    fn numbers(&mut self) -> Result<(), PatternFault> {
        let begin = self.at;
        let level = self.number("a level")?;
        if level > u64::from(Tree::HIGHEST) {
            return Err(PatternFault::new(
                begin,
                PatternProblem::LevelTooHigh(level),
            ));
        }
        let mut children = [0; 4];
        if level == 1 {
            self.leaf_of(1, begin)?;
            let mut states = [0; 4];
            for place in &mut states {
                let (state, offset) = self.next_number("a state")?;
                let too_high = || PatternFault::new(offset, PatternProblem::StateTooHigh(state));
                *place = u8::try_from(state).map_err(|_| too_high())?;
            }
            self.end_of_line()?;
            self.add(Node::Leaf2(states), 1);
            return Ok(());
        }
        if level == 0 {
            return Err(PatternFault::expected(
                "a level from 1 on",
                self.bytes,
                begin,
            ));
        }
        let level = level as u16;
        for place in &mut children {
            let (child, offset) = self.next_number("a node's number")?;
            let given = self.nodes.len() as u64 - 1;
            if child > given {
                let problem = PatternProblem::NodeNotGiven {
                    named: child,
                    given,
                };
                return Err(PatternFault::new(offset, problem));
            }
            let found = self.levels[child as usize];
            if child != 0 && found != level - 1 {
                let problem = PatternProblem::WrongLevel {
                    child,
                    expected: u64::from(level) - 1,
                    found: found.into(),
                };
                return Err(PatternFault::new(offset, problem));
            }
            *place = u32::try_from(child).map_err(|_| {
                PatternFault::new(offset, PatternProblem::NumberTooLarge(child.to_string()))
            })?;
        }
        self.end_of_line()?;
        self.add(Node::Branch(children), level);
        Ok(())
    }

    fn next_number(&mut self, expected: &'static str) -> Result<(u64, usize), PatternFault> {
        while let Some(b' ' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
        }
        let offset = self.at;
        Ok((self.number(expected)?, offset))
    }

    #[inline]
    fn number(&mut self, expected: &'static str) -> Result<u64, PatternFault> {
        let begin = self.at;
        let mut number = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at) {
            // 18 digits always fit; a longer one names no node in any case.
            if self.at - begin >= 18 {
                let rest = self.bytes[begin..]
                    .iter()
                    .take_while(|b| b.is_ascii_digit());
                let digits: Vec<u8> = rest.copied().take(60).collect();
                let number = shortened(&lossy(&digits));
                return Err(PatternFault::new(
                    begin,
                    PatternProblem::NumberTooLarge(number),
                ));
            }
            number = number * 10 + u64::from(digit - b'0');
            self.at += 1;
        }
        if self.at == begin {
            return Err(PatternFault::expected(expected, self.bytes, begin));
        }
        Ok(number)
    }

    fn end_of_line(&mut self) -> Result<(), PatternFault> {
        while let Some(b' ' | b'\t' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            None => Ok(()),
            Some(b'\n') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(PatternFault::expected(
                "the end of the line",
                self.bytes,
                self.at,
            )),
        }
    }

    /// The last node as the root; a leaf by itself lies in the middle of a larger one.
    fn tree(mut self) -> Tree {
        let last = self.nodes.len() - 1;
        let quarters = match self.nodes[last] {
            Node::Leaf8(cells) => [0, 1, 2, 3].map(|quarter| {
                let (left, top) = (quarter % 2 * 4, quarter / 2 * 4);
                let mut inner = 0;
                for y in 0..4 {
                    let row = cells >> (8 * (top + y) + left) & 15;
                    // Towards the middle: the far corner of the quarter.
                    inner |= row << (8 * (4 - top + y) + 4 - left);
                }
                Node::Leaf8(inner)
            }),
            Node::Leaf2(cells) => [0, 1, 2, 3].map(|quarter| {
                let mut inner = [0; 4];
                inner[3 - quarter] = cells[quarter];
                Node::Leaf2(inner)
            }),
            Node::Empty | Node::Branch(_) => {
                return Tree {
                    root: last as u32,
                    level: self.levels[last].into(),
                    nodes: self.nodes,
                };
            }
        };
        let level = self.levels[last] + 1;
        let first = self.nodes.len() as u32;
        self.nodes.extend(quarters);
        self.nodes
            .push(Node::Branch([first, first + 1, first + 2, first + 3]));
        Tree {
            root: first + 4,
            level: level.into(),
            nodes: self.nodes,
        }
    }
}

pub(super) fn write(pattern: &Pattern, out: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(out, "[M2] (gridpaper {})", env!("CARGO_PKG_VERSION"))?;
    if let Some(rule) = &pattern.rule {
        writeln!(out, "#R {}", one_line(rule))?;
    }
    if pattern.generation != BigInt::ZERO {
        writeln!(out, "#G {}", pattern.generation)?;
    }
    for line in free_text(pattern) {
        writeln!(out, "{}", format!("#C {line}").trim_end())?;
    }
    let made;
    let tree = match pattern.cells.as_tree() {
        Some(tree) => {
            made = tree.canonical();
            &made
        }
        None => {
            made = pattern.cells.to_tree();
            &made
        }
    };
    if tree.root == 0 {
        writeln!(out, "$")?;
        return Ok(());
    }
    let levels = tree.levels();
    let mut buffer = Vec::with_capacity(1 << 16);
    for (node, level) in tree.nodes.iter().zip(levels).skip(1) {
        match *node {
            Node::Empty => {}
            Node::Leaf8(cells) => write_leaf8(cells, &mut buffer),
            Node::Leaf2(states) => write_numbers(1, states.map(u32::from), &mut buffer),
            Node::Branch(children) => write_numbers(level, children, &mut buffer),
        }
        if buffer.len() > 1 << 15 {
            out.write_all(&buffer)?;
            buffer.clear();
        }
    }
    Ok(out.write_all(&buffer)?)
}

/// Writes a line of five numbers without `write!`, which is slow: a large pattern has millions.
fn write_numbers(level: u32, four: [u32; 4], buffer: &mut Vec<u8>) {
    write_number(level, buffer);
    for number in four {
        buffer.push(b' ');
        write_number(number, buffer);
    }
    buffer.push(b'\n');
}

fn write_number(mut number: u32, buffer: &mut Vec<u8>) {
    let mut digits = [b'0'; 10];
    let mut first = digits.len() - 1;
    digits[first] += (number % 10) as u8;
    while number > 9 {
        number /= 10;
        first -= 1;
        digits[first] += (number % 10) as u8;
    }
    buffer.extend_from_slice(&digits[first..]);
}

fn write_leaf8(cells: u64, buffer: &mut Vec<u8>) {
    let rows = (64 - cells.leading_zeros()).div_ceil(8);
    for row in &cells.to_le_bytes()[..rows as usize] {
        for x in 0..8 - row.leading_zeros() {
            buffer.push(if row >> x & 1 == 1 { b'*' } else { b'.' });
        }
        buffer.push(b'$');
    }
    buffer.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_as};
    use grid::Point;

    fn check(text: &str, rle: &str) {
        let pattern = read_as(text.as_bytes(), Format::Macrocell).unwrap();
        let same = Pattern::from_text(rle).unwrap();
        assert_eq!(pattern.cells, same.cells, "{text}");
        let mut out = Vec::new();
        write(&pattern, &mut out).unwrap();
        let again = read_as(&out, Format::Macrocell).unwrap();
        assert_eq!(again.cells, pattern.cells, "{text}");
    }

    #[test]
    fn cells_lie_where_golly_puts_them() {
        check("[M2] (golly 2.0)\n$$$$$$$*$\n4 0 1 0 0\n", "o!");
        check("[M2]\r\n1 0 0 1 0\r\n2 0 1 0 0\r\n", "o!");
        check("[M2]\n*$\n4 0 0 0 1", "$o!");
        check("[M2]\n1 9 0 0 0\n2 0 0 0 1\n3 0 0 0 2\n", "3$2.I!");
    }

    #[test]
    fn leaves_may_stand_alone() {
        check("[M2]\n$$$...*$....*$\n", "#CXRLE Pos=-1,0\no$bo!");
        check("[M2]\n1 1 2 3 4\n", "#CXRLE Pos=-1,0\nx = 2, y = 2\nAB$CD!");
        check("[M2]\n", "x = 0, y = 0\n!");
        check("[M2]\n$\n", "x = 0, y = 0\n!");
    }

    #[test]
    fn marks_and_timelines() {
        let text = "[M2] (golly 4.3)\n#R B36/S23\n#G 12345678901234567890123\n#C  hello\n#C Name: N\n\
                    #FRAMES 2 0 2^3\n*$\n4 0 0 0 1\n#FRAME 0 2\n.*$\n4 0 0 0 3\n#FRAME 1 4\n";
        let pattern = read_as(text.as_bytes(), Format::Macrocell).unwrap();
        assert_eq!(pattern.rule.as_deref(), Some("B36/S23"));
        assert_eq!(pattern.generation.to_string(), "12345678901234567890123");
        assert_eq!(pattern.comments, [" hello"]);
        assert_eq!(pattern.name.as_deref(), Some("N"));
        assert_eq!(pattern.position, Some(Point::new(1, 1)));
        let mut out = Vec::new();
        write(&pattern, &mut out).unwrap();
        let written = String::from_utf8(out).unwrap();
        let (_, rest) = written.split_once('\n').unwrap();
        let marks = "#R B36/S23\n#G 12345678901234567890123\n#C Name: N\n#C  hello\n";
        assert_eq!(rest, format!("{marks}.*$\n4 0 0 0 1\n"));
    }

    #[test]
    fn numbers_are_written_whole() {
        for number in [0, 7, 9, 10, 99, 100, 65_536, 999_999_999, u32::MAX] {
            let mut buffer = Vec::new();
            write_number(number, &mut buffer);
            assert_eq!(buffer, number.to_string().as_bytes());
        }
    }

    #[test]
    fn faults_have_a_place() {
        let check = |text: &str, message: &str| {
            let text = format!("[M2]\n{text}");
            let error = read_as(text.as_bytes(), Format::Macrocell).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        };
        check("*.*.*.*.*$", "2:9: a leaf's row has more than 8 cells");
        check("$$$$$$$$*$", "2:9: a leaf has more than 8 rows");
        check("$$$$$$$$$", "2:9: a leaf has more than 8 rows");
        check(
            "*$\n4 0 0 2 1",
            "3:7: node 2 is named before it is given; 1 have been given so far",
        );
        check(
            "*$\n5 1 0 0 0",
            "3:3: node 1 is of level 3, a child of level 4 was expected",
        );
        check(
            "*$\n4 1 0 0",
            "3:8: expected a node's number, found the end of the file",
        );
        check(
            "*$\n4 1 0 0\n",
            "3:8: expected a node's number, found the end of the line",
        );
        check(
            "*$\n4 1 0 0 0 0",
            "3:11: expected the end of the line, found `0`",
        );
        check(
            "*$\n1 1 0 0 0",
            "3:1: 8 x 8 leaves and 2 x 2 leaves cannot be in one file",
        );
        check(
            "1 256 0 0 0",
            "2:3: state 256 is above 255, the highest there is",
        );
        check(
            "9999 0 0 0 0",
            "2:1: level 9999 is above 2048, the highest taken here",
        );
        check("0 0 0 0 0", "2:1: expected a level from 1 on, found `0`");
        check(
            "4 1111111111111111111 0 0 0",
            "2:3: the number 1111111111111111111 is too large",
        );
        check(
            "hello",
            "2:1: expected a node, or a line that begins with `#`, found `h`",
        );
        check("*o$", "2:2: expected `.`, `*` or `$`, found `o`");
    }
}
