//! What each game is called and how it is played, as people read it: [`AnyGame::title`] and
//! [`AnyGame::rule_sheet`].

use crate::duel::{ColumnMode, DuelRules, DuelSize, Life, Overspend};
use crate::{AnyGame, Diagram, DiagramMark, stones::Stones};
use std::fmt;

/// The rules of a game on one screen; a page lays out the parts, and as text they are at most 22
/// lines of at most 74 columns, only ASCII.
///
/// ```
/// use games::AnyGame;
///
/// let sheet = "stones".parse::<AnyGame>()?.rule_sheet();
/// assert_eq!(sheet.goal, "The other has no stone left.");
/// assert!(sheet.to_string().contains("goal    The other has no stone left.\n"));
/// # Ok::<(), games::GameNameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSheet {
    /// The game's name for people, and what it is.
    pub heading: String,
    /// Who wins.
    pub goal: String,
    /// What one does in a turn.
    pub turn: String,
    /// What then happens to the board, in the order of the text; nothing where it stays.
    pub effects: Vec<String>,
    /// When the game is over.
    pub end: String,
    /// Small boards, in the order of play.
    pub pictures: Vec<RulePicture>,
}

/// A small board that shows a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePicture {
    /// The board, or a part of one.
    pub diagram: Diagram,
    /// What is to be seen on it, in a few words.
    pub caption: String,
}

impl AnyGame {
    /// The game's name for people; [`fmt::Display`] gives the one to type.
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

    /// What the game is, in a few words for a list.
    ///
    /// ```
    /// use games::AnyGame;
    ///
    /// assert_eq!("mnk:5,5,4".parse::<AnyGame>()?.summary(), "four signs in a row win");
    /// # Ok::<(), games::GameNameError>(())
    /// ```
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::Mnk(game) => line_summary(game.line()),
            Self::WideMnk(game) => line_summary(game.line()),
            Self::Stones(game) if game.adjacency => "Life on a go board: a stone next to \
                others, then the board lives for a generation"
                .into(),
            Self::Stones(_) => "the same, but a stone may stand anywhere".into(),
            Self::Duel8(_) | Self::Duel16(_) | Self::DuelAny(_) => {
                "two sides of Life meet: both write a column at the same time".into()
            }
        }
    }

    /// Its rules for people: the goal, a turn, the end, and small pictures.
    ///
    /// ```
    /// use games::AnyGame;
    ///
    /// let sheet = "tictactoe".parse::<AnyGame>()?.rule_sheet();
    /// assert_eq!(sheet.goal, "3 of your own in a row: across, down or diagonally.");
    /// assert_eq!(sheet.pictures[0].caption, "O has won");
    /// # Ok::<(), games::GameNameError>(())
    /// ```
    #[must_use]
    pub fn rule_sheet(&self) -> RuleSheet {
        match self {
            Self::Mnk(game) => LineRules::new(game.columns(), game.rows(), game.line()).sheet(),
            Self::WideMnk(game) => LineRules::new(game.columns(), game.rows(), game.line()).sheet(),
            Self::Stones(game) => stones_sheet(game),
            Self::Duel8(game) => duel_sheet(game.rules()),
            Self::Duel16(game) => duel_sheet(game.rules()),
            Self::DuelAny(game) => duel_sheet(game.rules()),
        }
    }

    /// [`AnyGame::rule_sheet`] as text.
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
        self.rule_sheet().to_string()
    }
}

/// The most columns of the rules as text.
const COLUMNS: usize = 74;

impl fmt::Display for RuleSheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.heading)?;
        write_part(f, "goal    ", &self.goal)?;
        writeln!(f)?;
        write_part(f, "a turn  ", &self.turn)?;
        for effect in &self.effects {
            write_part(f, "        - ", effect)?;
        }
        writeln!(f)?;
        write_part(f, "end     ", &self.end)?;
        writeln!(f)?;
        self.write_pictures(f)
    }
}

impl RuleSheet {
    /// The pictures beside each other, each under its caption.
    fn write_pictures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = self.pictures.iter().map(|picture| {
            let board = picture.diagram.to_string();
            let mut lines = vec![picture.caption.clone()];
            lines.extend(board.lines().map(String::from));
            lines
        });
        let blocks: Vec<Vec<String>> = blocks.collect();
        let widths = blocks
            .iter()
            .map(|lines| lines.iter().map(String::len).max().unwrap_or(0));
        let widths: Vec<usize> = widths.collect();
        for line in 0..blocks.iter().map(Vec::len).max().unwrap_or(0) {
            let mut row = " ".repeat(8);
            for (block, width) in blocks.iter().zip(&widths) {
                let text = block.get(line).map_or("", String::as_str);
                row += &format!("{text:<width$}    ");
            }
            writeln!(f, "{}", row.trim_end())?;
        }
        Ok(())
    }
}

/// Writes a paragraph in lines of [`COLUMNS`], the first after its name and the others under it.
fn write_part(f: &mut fmt::Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    let mut line = name.to_string();
    for (at, word) in text.split(' ').enumerate() {
        if line.len() + 1 + word.len() > COLUMNS {
            writeln!(f, "{}", line.trim_end())?;
            line = " ".repeat(name.len());
        } else if at > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(f, "{line}")
}

/// A board of these rows: signs of the seats, `:` for an empty goal, `.` for an empty cell.
fn picture(
    columns: Vec<String>,
    labels: Vec<String>,
    rows: &[String],
    model: &Diagram,
    caption: impl Into<String>,
) -> RulePicture {
    let signs = || rows.iter().flat_map(|row| row.chars());
    let mark = |sign| match sign {
        sign if sign == model.signs[0] => DiagramMark::First,
        sign if sign == model.signs[1] => DiagramMark::Second,
        _ => DiagramMark::Empty,
    };
    RulePicture {
        caption: caption.into(),
        diagram: Diagram {
            columns,
            rows: labels,
            cells: signs().map(mark).collect(),
            goals: Vec::new(),
            winning: Vec::new(),
            facts: Vec::new(),
            ..model.clone()
        },
    }
}

/// `a`, `b`, ... or `A`, `B`, ...
fn letters(first: char, count: u32) -> Vec<String> {
    let letter = |at: u32| char::from(first as u8 + at as u8).to_string();
    (0..count).map(letter).collect()
}

/// The sizes of tic-tac-toe and its family.
struct LineRules {
    columns: u32,
    rows: u32,
    line: u32,
}

fn line_summary(line: u32) -> String {
    const NUMBERS: [&str; 6] = ["one", "two", "three", "four", "five", "six"];
    let number = NUMBERS.get(line as usize - 1);
    let number = number.map_or_else(|| line.to_string(), |number| (*number).into());
    format!("{number} signs in a row win")
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

    fn sheet(&self) -> RuleSheet {
        let Self {
            columns,
            rows,
            line,
        } = self;
        RuleSheet {
            heading: self.title(),
            goal: format!("{line} of your own in a row: across, down or diagonally."),
            turn: format!(
                "O moves first. Put your sign on an empty cell, by its column letter and row \
                 number: B2. The board has {columns} columns and {rows} rows, A1 at the top left. \
                 Nothing is moved or taken away."
            ),
            effects: Vec::new(),
            end: format!(
                "Whoever has {line} in a row first has won. A full board without such a row is a \
                 draw."
            ),
            pictures: vec![self.picture()],
        }
    }

    /// A corner of the board on which O has won.
    fn picture(&self) -> RulePicture {
        /// The most rows that leave room for the text.
        const MOST_ROWS: u32 = 8;
        let across = self.line <= self.columns;
        let (width, height) = match across {
            true => (self.columns.min(self.line + 1), self.rows.min(3)),
            false => (self.columns.min(3), self.rows.min(MOST_ROWS)),
        };
        let lane = u32::from(if across { height > 1 } else { width > 1 });
        let mut winning = Vec::new();
        let rows: Vec<String> = (0..height)
            .map(|row| {
                let sign = |column| {
                    let (along, beside) = if across { (column, row) } else { (row, column) };
                    if beside == lane && along < self.line {
                        winning.push((row * width + column) as usize);
                        'O'
                    } else if beside + 1 == lane && along + 1 < self.line {
                        'X'
                    } else {
                        '.'
                    }
                };
                (0..width).map(sign).collect()
            })
            .collect();
        let labels = (1..=height).map(|row| row.to_string()).collect();
        let mut picture = picture(letters('A', width), labels, &rows, &SIGNS, "O has won");
        picture.diagram.winning = winning;
        picture
    }
}

/// A board of no cells with the signs O and X.
const SIGNS: Diagram = Diagram {
    columns: Vec::new(),
    rows: Vec::new(),
    cells: Vec::new(),
    goals: Vec::new(),
    winning: Vec::new(),
    signs: ['O', 'X'],
    names: ["O", "X"],
    facts: Vec::new(),
};

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

fn stones_sheet(game: &Stones) -> RuleSheet {
    let place = match game.adjacency {
        true => "an empty point next to a stone",
        false => "any empty point",
    };
    let model = Diagram {
        signs: ['B', 'W'],
        names: ["black", "white"],
        ..SIGNS
    };
    let board = |rows: [&str; 3], caption| {
        let labels = ["3", "2", "1"].map(String::from).to_vec();
        picture(
            letters('a', 4),
            labels,
            &rows.map(String::from),
            &model,
            caption,
        )
    };
    RuleSheet {
        heading: format!("{}: Life on a go board", stones_title(game)),
        goal: "The other has no stone left.".into(),
        turn: format!(
            "Black (B) moves first, then white (W). Put a stone of your colour on {place}, by its \
             name: d4. There is no passing. Then the whole board advances one generation:"
        ),
        effects: vec![
            "an empty point with 3 neighbours (of 8, both colours) gets a stone of the colour \
             that most of them have"
                .into(),
            "a stone with fewer than 2 or more than 3 neighbours dies".into(),
            "a stone that lives takes the colour of most of its neighbours".into(),
        ],
        end: format!(
            "A colour without stones has lost. Both gone, a full board, or {} turns: a draw.",
            game.plies
        ),
        pictures: vec![
            board([".BB.", "....", "...."], "before"),
            board([".BB.", ".B..", "...."], "black plays b2"),
            board([".BB.", ".BB.", "...."], "then c2 is born"),
        ],
    }
}

fn duel_title(rules: &DuelRules) -> String {
    let DuelSize { rows, columns } = rules.size;
    let other = match *rules == DuelRules::standard(rows, columns) {
        true => "",
        false => " with options of its own",
    };
    format!("the duel on {columns} x {rows}{other}")
}

fn duel_sheet(rules: &DuelRules) -> RuleSheet {
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
            "a cell lives on with 2 or 3 own neighbours, and is born with 3; the other's cells \
             count as empty; where both would live, none does. Top and bottom are joined"
        }
        Life::P2Life { .. } => {
            "a cell is born with 3 own neighbours and not 3 of the other's; with 3 and 3 a coin \
             decides. It lives on with 2 or 3 own neighbours more than others, or with 1 more and \
             at least 2 own. Top and bottom are joined"
        }
        Life::ColourLife => {
            "a cell lives on with 2 or 3 own neighbours, and is born with 3 where none of the \
             other's cells is beside it. Top and bottom are joined"
        }
    };
    let (turns, goals, mana) = (rules.turns, rules.goals.len(), rules.mana);
    let rows = ["O......X", "...OO..X", "...OO..X"];
    let labels = (2..=4).map(|row| row.to_string()).collect();
    let columns = (0..8).map(|column| column.to_string()).collect();
    let caption = "O holds four goals: 4 points this turn";
    let mut picture = picture(columns, labels, &rows.map(String::from), &SIGNS, caption);
    picture.diagram.goals = (0..24)
        .map(|cell| [11, 12, 19, 20].contains(&cell))
        .collect();
    RuleSheet {
        heading: format!("{}: both move at the same time", duel_title(rules)),
        goal: format!(
            "More points than the other after {turns} turns: each turn, each of the {goals} goal \
             cells (:) that holds a cell of yours gives a point."
        ),
        turn: format!(
            "Write a column of 0 and 1 at your own left edge, one for each row: a 1 makes a cell \
             and costs 1 mana, {zero}. {overspend} The other, at the right edge, sees the board \
             the other way round. Then:"
        ),
        effects: vec![
            life.into(),
            format!("you get 2 mana and 1 for each goal you hold, up to {mana}"),
        ],
        end: format!("After {turns} turns: more points, then more cells; else a draw."),
        pictures: vec![picture],
    }
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
            let [sign, words] = with_game!(&game, |game| {
                let diagram = game.diagram(&game.start(), crate::Seat::First);
                [diagram.signs[0].to_string(), diagram.names[0].to_string()]
            });
            let words = match sign == words {
                true => format!("{sign} moves first"),
                false => format!("Black ({sign}) moves first"),
            };
            assert!(game.rules().contains(&words), "{name}: {words}");
        }
    }
}
