//! A generic drawing of a board, which a terminal prints and a page paints without knowing the
//! game.

use crate::Seat;
use std::fmt;

/// What stands on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagramMark {
    /// Nothing.
    Empty,
    /// Something of the first seat's.
    First,
    /// Something of the second seat's.
    Second,
}

impl DiagramMark {
    /// The mark of a seat.
    ///
    /// ```
    /// use games::{DiagramMark, Seat};
    ///
    /// assert_eq!(DiagramMark::of(Seat::Second), DiagramMark::Second);
    /// ```
    #[must_use]
    pub fn of(seat: Seat) -> Self {
        match seat {
            Seat::First => Self::First,
            Seat::Second => Self::Second,
        }
    }
}

/// A fact beside the board, such as `mana`, `6`, `4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramFact {
    /// What it is: `mana`.
    pub name: &'static str,
    /// The first seat's, and the second's.
    pub values: [String; 2],
}

/// How a person enters a move on the board, in the view of a seat: the meaning of a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// One cell is chosen. Its column's label and its row's, without a blank between them,
    /// are the move.
    Cell,
    /// Cells of this column are marked, from the left counted from 0. A `1` for each that is
    /// marked and a `0` for each that is not, from the top, are the move.
    Column(usize),
}

/// A board of cells, with labels and what else there is to see.
///
/// ```
/// use games::{Game as _, JointMove, Seat, mnk::Mnk};
///
/// let game = Mnk::TICTACTOE;
/// let mut position = game.start();
/// game.apply(&mut position, JointMove::One(game.cell(1, 1)));
/// let diagram = game.diagram(&position, Seat::First);
/// assert_eq!(diagram.to_string(), "   A B C\n 1 . . .\n 2 . O .\n 3 . . .\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// A label for each column, from the left.
    pub columns: Vec<String>,
    /// A label for each row, from the top.
    pub rows: Vec<String>,
    /// The cells, row by row from the top: columns times rows.
    pub cells: Vec<DiagramMark>,
    /// Which cells are worth something (goals), as many as `cells` or none at all.
    pub goals: Vec<bool>,
    /// The cells that won the game, where cells did: a row of five. Nothing while it goes on.
    pub winning: Vec<usize>,
    /// The sign of the first seat's marks and of the second's: `['B', 'W']`.
    pub signs: [char; 2],
    /// What people call the two sides: `["black", "white"]`.
    pub names: [&'static str; 2],
    /// What each seat has besides.
    pub facts: Vec<DiagramFact>,
}

impl Diagram {
    /// What stands in a cell, counted from the top left.
    #[must_use]
    pub fn mark(&self, column: usize, row: usize) -> DiagramMark {
        self.cells[row * self.columns.len() + column]
    }

    /// The cell whose column's label and row's make this text, in letters of any case.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let diagram = game.diagram(&game.start(), Seat::First);
    /// let label = format!("{}{}", diagram.columns[2], diagram.rows[1]);
    /// assert_eq!(diagram.find(&label), Some(8 + 2));
    /// assert_eq!(diagram.find("nowhere"), None);
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn find(&self, label: &str) -> Option<usize> {
        let across = self.columns.len();
        (0..self.cells.len()).find(|cell| {
            let (column, row) = (&self.columns[cell % across], &self.rows[cell / across]);
            format!("{column}{row}").eq_ignore_ascii_case(label)
        })
    }

    /// Whether a cell is a goal.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let diagram = game.diagram(&game.start(), Seat::First);
    /// assert!(diagram.is_goal(3, 4) && !diagram.is_goal(0, 0));
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn is_goal(&self, column: usize, row: usize) -> bool {
        let place = row * self.columns.len() + column;
        self.goals.get(place).copied().unwrap_or(false)
    }

    fn sign(&self, column: usize, row: usize) -> char {
        match self.mark(column, row) {
            DiagramMark::First => self.signs[0],
            DiagramMark::Second => self.signs[1],
            DiagramMark::Empty if self.is_goal(column, row) => ':',
            DiagramMark::Empty => '.',
        }
    }
}

impl fmt::Display for Diagram {
    /// Lines of plain text: the column labels, the rows with theirs, and the facts.
    ///
    /// ```text
    ///    A B C
    ///  1 O . X
    ///  2 . O .
    ///  3 . . X
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = |labels: &[String]| labels.iter().map(String::len).max().unwrap_or(0);
        let margin = widest(&self.rows).max(2);
        let cell = widest(&self.columns).max(1);
        write!(f, "{:margin$}", "")?;
        for label in &self.columns {
            write!(f, " {label:>cell$}")?;
        }
        writeln!(f)?;
        for (row, label) in self.rows.iter().enumerate() {
            write!(f, "{label:>margin$}")?;
            for column in 0..self.columns.len() {
                write!(f, " {:>cell$}", self.sign(column, row))?;
            }
            writeln!(f)?;
        }
        for fact in &self.facts {
            let [first, second] = &fact.values;
            let [a, b] = self.signs;
            writeln!(f, "{}: {a} {first}, {b} {second}", fact.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_goals_and_facts_are_drawn() {
        let diagram = Diagram {
            columns: vec!["a".into(), "b".into(), "c".into()],
            rows: vec!["10".into(), "9".into()],
            cells: vec![
                DiagramMark::First,
                DiagramMark::Empty,
                DiagramMark::Empty,
                DiagramMark::Empty,
                DiagramMark::Second,
                DiagramMark::Empty,
            ],
            goals: vec![false, true, false, false, true, false],
            winning: Vec::new(),
            signs: ['B', 'W'],
            names: ["black", "white"],
            facts: vec![DiagramFact {
                name: "mana",
                values: ["6".into(), "4".into()],
            }],
        };
        let expected = "   a b c\n10 B : .\n 9 . W .\nmana: B 6, W 4\n";
        assert_eq!(diagram.to_string(), expected);
    }
}
