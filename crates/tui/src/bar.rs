//! Bars: rows of texts, of which the least important are dropped where space is short.

use crate::ink::Ink;
use num_bigint::{BigInt, BigUint};
use plot::resampled;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

/// A text of a bar.
pub struct BarPiece {
    pub(crate) text: String,
    pub(crate) style: Style,
    /// Texts with the highest rank are dropped first.
    pub(crate) rank: u8,
    /// Whether it is aligned to the right.
    pub(crate) is_right: bool,
}

impl BarPiece {
    pub(crate) fn left(rank: u8, text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
            rank,
            is_right: false,
        }
    }

    pub(crate) fn right(rank: u8, text: impl Into<String>, style: Style) -> Self {
        Self {
            is_right: true,
            ..Self::left(rank, text, style)
        }
    }

    fn width(&self) -> usize {
        width(&self.text)
    }
}

/// The display width of a text in columns.
pub(crate) fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// Columns between two pieces.
const APART: usize = 3;

/// Draws the pieces that fit into a row, with a space at both ends.
pub(crate) fn draw(buffer: &mut Buffer, row: Rect, mut pieces: Vec<BarPiece>, ink: Ink) {
    buffer.set_style(row, ink.text());
    let available = usize::from(row.width).saturating_sub(2);
    pieces.retain(|piece| !piece.text.is_empty());
    let needed = |pieces: &[BarPiece]| {
        let words: usize = pieces.iter().map(BarPiece::width).sum();
        words + pieces.len().saturating_sub(1) * APART
    };
    while pieces.len() > 1 && needed(&pieces) > available {
        let least = pieces
            .iter()
            .enumerate()
            .max_by_key(|(_, piece)| piece.rank);
        let least = least.map_or(0, |(index, _)| index);
        pieces.remove(least);
    }
    if let [only] = pieces.as_mut_slice() {
        only.text = cut(&only.text, available);
    }
    let (mut left, mut right) = (usize::from(row.x) + 1, usize::from(row.right()) - 1);
    for piece in pieces.iter().filter(|piece| !piece.is_right) {
        let available = right.saturating_sub(left);
        buffer.set_stringn(left as u16, row.y, &piece.text, available, piece.style);
        left += piece.width() + APART;
    }
    for piece in pieces.iter().rev().filter(|piece| piece.is_right) {
        let start = right.saturating_sub(piece.width()).max(usize::from(row.x));
        buffer.set_stringn(start as u16, row.y, &piece.text, right - start, piece.style);
        right = start.saturating_sub(APART);
    }
}

/// Truncates a text with an ellipsis where it is too long.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_string();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        let next = format!("{kept}{letter}");
        if width(&next) + 1 > columns {
            break;
        }
        kept = next;
    }
    kept.push('…');
    kept
}

/// Digits in groups of three; from sixteen digits on, a power of ten.
pub(crate) fn grouped(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    if digits.len() > 15 {
        let (first, rest) = (&digits[..1], &digits[1..3]);
        return format!("{sign}{first}.{rest}·10^{}", digits.len() - 1);
    }
    let mut text = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A number in digits, or as a power of two if it is one and long.
pub(crate) fn power(digits: &str) -> String {
    let number: Option<BigUint> = digits.parse().ok();
    match number {
        Some(n) if n.bits() > 10 && n.count_ones() == 1 => format!("2^{}", n.bits() - 1),
        _ => grouped(digits),
    }
}

/// The population as a sparkline of a number of columns, scaled from the minimum to the maximum.
pub(crate) fn sparkline(points: &[(BigInt, BigUint)], columns: usize) -> String {
    let heights = resampled(points, columns);
    let known = || heights.iter().copied().flatten();
    let (least, most) = (
        known().fold(f64::MAX, f64::min),
        known().fold(0.0, f64::max),
    );
    let sign = |height: &Option<f64>| match height {
        None => ' ',
        Some(height) if most > least => {
            let eighths = ((height - least) / (most - least) * 7.0).round() as usize;
            ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][eighths.min(7)]
        }
        Some(_) => '▁',
    };
    heights.iter().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_can_be_read() {
        for (digits, text) in [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1 000"),
            ("-1234567", "-1 234 567"),
            ("123456789012345", "123 456 789 012 345"),
            ("1234567890123456", "1.23·10^15"),
        ] {
            assert_eq!(grouped(digits), text);
        }
        assert_eq!(power("1048576"), "2^20");
        assert_eq!(power("1024"), "2^10");
        assert_eq!(power("512"), "512");
        assert_eq!(power("3000"), "3 000");
    }

    #[test]
    fn long_words_are_cut() {
        assert_eq!(cut("gliders", 7), "gliders");
        assert_eq!(cut("gliders", 6), "glide…");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("gliders", 0), "…");
    }

    #[test]
    fn bars_show_the_greatest_of_their_span() {
        let points: Vec<(BigInt, BigUint)> = [(0, 0_u32), (10, 8), (20, 4), (79, 1)]
            .map(|(g, p)| (g.into(), p.into()))
            .into();
        assert_eq!(sparkline(&points, 8), "▁█▅▅▅▅▅▂");
        assert_eq!(sparkline(&points, 0), "");
        assert_eq!(sparkline(&points[..1], 8), "");
    }
}
