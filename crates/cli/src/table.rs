//! Columns of text, for lists that a person reads.

/// Pads every column but the last to its widest cell; two blanks between columns, none at
/// the end of a line.
pub(crate) fn aligned<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = rows.into_iter().collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let rows = [["a", "è", ""], ["bbb", "c", "d"]];
        let rows = rows.map(|row| row.map(str::to_string));
        assert_eq!(aligned(rows), "a    è\nbbb  c  d\n");
    }
}
