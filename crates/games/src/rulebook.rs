//! What each game is called and how it is played, as people read it: [`AnyGame::title`] and
//! [`AnyGame::rules`].

use crate::duel::{ColumnMode, DuelRules, DuelSize, Life, Overspend};
use crate::{AnyGame, stones::Stones};

impl AnyGame {
    /// The game's name for people; [`fmt::Display`](std::fmt::Display) gives the one to type.
    ///
    /// ```
    /// use games::AnyGame;
    ///
    /// let gomoku: AnyGame = "mnk:15,15,5".parse()?;
    /// assert_eq!(gomoku.title(), "5 in a row on 15 x 15");
    /// assert_eq!("tictactoe".parse::<AnyGame>()?.title(), "tic-tac-toe");
    /// # Ok::<(), games::GameNameError>(())
    /// ```
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::Mnk(game) => LineRules::new(game.columns(), game.rows(), game.line()).title(),
            Self::WideMnk(game) => LineRules::new(game.columns(), game.rows(), game.line()).title(),
            Self::Stones(game) => stones_title(game),
            Self::Duel8(game) => duel_title(game.rules()),
            Self::Duel16(game) => duel_title(game.rules()),
            Self::DuelAny(game) => duel_title(game.rules()),
        }
    }

    /// Its rules for people, on one screen: the goal, a turn, the end, and a small picture. At
    /// most 22 lines of at most 74 columns; only ASCII.
    ///
    /// ```
    /// use games::AnyGame;
    ///
    /// let rules = "stones".parse::<AnyGame>()?.rules();
    /// assert!(rules.contains("goal") && rules.contains("a turn"));
    /// # Ok::<(), games::GameNameError>(())
    /// ```
    #[must_use]
    pub fn rules(&self) -> String {
        match self {
            Self::Mnk(game) => LineRules::new(game.columns(), game.rows(), game.line()).rules(),
            Self::WideMnk(game) => LineRules::new(game.columns(), game.rows(), game.line()).rules(),
            Self::Stones(game) => stones_rules(game),
            Self::Duel8(game) => duel_rules(game.rules()),
            Self::Duel16(game) => duel_rules(game.rules()),
            Self::DuelAny(game) => duel_rules(game.rules()),
        }
    }
}

/// The sizes of tic-tac-toe and its family.
struct LineRules {
    columns: u32,
    rows: u32,
    line: u32,
}

impl LineRules {
    fn new(columns: u32, rows: u32, line: u32) -> Self {
        Self {
            columns,
            rows,
            line,
        }
    }

    fn title(&self) -> String {
        let Self {
            columns,
            rows,
            line,
        } = self;
        match (columns, rows, line) {
            (3, 3, 3) => "tic-tac-toe".into(),
            _ => format!("{line} in a row on {columns} x {rows}"),
        }
    }

    fn rules(&self) -> String {
        let Self {
            columns,
            rows,
            line,
        } = self;
        format!(
            "\
{title}

goal    {line} of your own in a row: across, down or diagonally.

a turn  O moves first. Put your sign on an empty cell, by its column
        letter and row number: B2. The board has {columns} columns and {rows}
        rows, A1 at the top left. Nothing is moved or taken away.

end     Whoever has {line} in a row first has won. A full board without such
        a row is a draw.

{picture}",
            title = self.title(),
            picture = self.picture(),
        )
    }

    /// A corner of the board on which O has won.
    fn picture(&self) -> String {
        /// The most rows that leave room for the text.
        const MOST_ROWS: u32 = 9;
        let across = self.line <= self.columns;
        let (width, height) = match across {
            true => (self.columns.min(self.line + 1), self.rows.min(3)),
            false => (self.columns.min(3), self.rows.min(MOST_ROWS)),
        };
        let lane = u32::from(if across { height > 1 } else { width > 1 });
        let mut text = String::from("          ");
        for column in 0..width {
            text.push(' ');
            text.push(char::from(b'A' + column as u8));
        }
        for row in 0..height {
            text.push_str(&format!("\n        {:>2}", row + 1));
            for column in 0..width {
                let (along, beside) = if across { (column, row) } else { (row, column) };
                text.push(' ');
                text.push(if beside == lane && along < self.line {
                    'O'
                } else if beside + 1 == lane && along + 1 < self.line {
                    'X'
                } else {
                    '.'
                });
            }
            if row + 1 == height {
                text.push_str("    O has won");
            }
        }
        text.push('\n');
        text
    }
}

fn stones_title(game: &Stones) -> String {
    let standard = Stones::default();
    let mut title = String::from("stones");
    if game.adjacency != standard.adjacency {
        title.push_str(" on any empty point");
    }
    if game.plies != standard.plies {
        title.push_str(&format!(", at most {} turns", game.plies));
    }
    title
}

fn stones_rules(game: &Stones) -> String {
    let place = match game.adjacency {
        true => "an empty point next to a stone",
        false => "any empty point",
    };
    format!(
        "\
{title}: Life on a go board

goal    The other has no stone left.

a turn  B moves first. Put a stone of your colour on
        {place}, by its name: d4.
        Then the whole board advances one generation:
        - an empty point with 3 neighbours (of 8, both colours) gets a
          stone of the colour that most of them have;
        - a stone with fewer than 2 or more than 3 neighbours dies;
        - a stone that lives takes the colour of most of its neighbours.
        There is no passing.

end     A colour without stones has lost. Both gone, no legal move, or
        {plies} turns: a draw.

        before            B plays b2       one generation on
        3 . B B .         3 . B B .        3 . B B .
        2 . . . .         2 . B . .        2 . B B .  c2 is born
        1 . . . .         1 . . . .        1 . . . .
          a b c d           a b c d          a b c d
",
        title = stones_title(game),
        plies = game.plies,
    )
}

fn duel_title(rules: &DuelRules) -> String {
    let DuelSize { rows, columns } = rules.size;
    let other = match *rules == DuelRules::standard(rows, columns) {
        true => "",
        false => " with options of its own",
    };
    format!("the duel on {columns} x {rows}{other}")
}

fn duel_rules(rules: &DuelRules) -> String {
    let zero = match rules.column {
        ColumnMode::Replace => "a 0 clears it",
        _ => "a 0 leaves what is there",
    };
    let overspend = match rules.overspend {
        Overspend::Lose => "A column that costs more mana than you have loses the game.",
        Overspend::Truncate => "Ones that you cannot pay are dropped, from the bottom up.",
    };
    let life = match rules.life {
        Life::Duel => {
            "A cell lives on with 2 or 3 own neighbours, and is born with 3;
        the other's cells count as empty. Where both would live, none is."
        }
        Life::P2Life { .. } => {
            "A cell is born with 3 own neighbours and not 3 of the other's;
        with 3 and 3 a coin decides. It lives on with 2 or 3 own
        neighbours more than others, or with 1 more and at least 2 own."
        }
        Life::ColourLife => {
            "A cell lives on with 2 or 3 own neighbours, and is born with 3
        where none of the other's cells is beside it."
        }
    };
    format!(
        "\
{title}: both move at the same time

goal    More points than the other after {turns} turns: each turn, each of
        the {goals} goal cells (:) that holds a cell of yours gives a point.

a turn  Write a column of 0 and 1 at your own left edge, one for each row:
        a 1 makes a cell and costs 1 mana, {zero}.
        {overspend}
        Then the board advances; its top and bottom edge are joined.
        {life}
        You get 2 mana and 1 for each goal you hold, up to {mana}.

end     After {turns} turns: more points, then more cells; else a draw.

        O . . . . . . .    O writes the column at the left, X the one at
        O . . . . . . X    the right; each sees the board from its side
        . . . O O . . X
        . . . O O . . X    O holds the four goals in the middle: 4 points
",
        title = duel_title(rules),
        turns = rules.turns,
        goals = rules.goals.len(),
        mana = rules.mana,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game as _, with_game};

    fn game(name: &str) -> AnyGame {
        name.parse().expect(name)
    }

    #[test]
    fn titles_are_for_people() {
        let rows = [
            ("tictactoe", "tic-tac-toe"),
            ("mnk:5,5,4", "4 in a row on 5 x 5"),
            ("mnk:15,15,5", "5 in a row on 15 x 15"),
            ("stones", "stones"),
            ("stones:adjacency=off", "stones on any empty point"),
            ("stones:plies=40", "stones, at most 40 turns"),
            ("duel", "the duel on 8 x 8"),
            ("duel:16x16", "the duel on 16 x 16"),
            (
                "duel:column=or",
                "the duel on 8 x 8 with options of its own",
            ),
        ];
        for (name, title) in rows {
            assert_eq!(game(name).title(), title, "{name}");
        }
    }

    #[test]
    fn the_rules_fit_on_one_screen() {
        let names = [
            "tictactoe",
            "mnk:1,1,1",
            "mnk:1,19,19",
            "mnk:19,1,19",
            "mnk:19,19,19",
            "mnk:3,19,8",
            "stones",
            "stones:adjacency=off,plies=1000000",
            "duel",
            "duel:16x16,overspend=truncate",
            "duel:column=keep-cancel,rules=p2life,overspend=truncate,turns=9999,mana=999",
            "duel:rules=colour-life",
        ];
        for name in names {
            let game = game(name);
            let rules = game.rules();
            assert!(rules.is_ascii() && rules.ends_with('\n'), "{rules}");
            assert!(rules.starts_with(&game.title()), "{rules}");
            assert!(rules.lines().count() <= 22, "{rules}");
            let wide: Vec<&str> = rules.lines().filter(|line| line.len() > 74).collect();
            assert!(wide.is_empty(), "{name}: {wide:#?}");
            for part in ["\ngoal  ", "\na turn  ", "\nend  "] {
                assert!(rules.contains(part), "no {part:?}: {rules}");
            }
        }
    }

    /// The signs that the rules speak of are the ones on the board.
    #[test]
    fn the_first_to_move_is_named_by_its_sign() {
        for name in ["tictactoe", "mnk:15,15,5", "stones"] {
            let game = game(name);
            let sign = with_game!(&game, |game| {
                game.diagram(&game.start(), crate::Seat::First).signs[0]
            });
            let words = format!("{sign} moves first");
            assert!(game.rules().contains(&words), "{name}: {words}");
        }
    }
}
