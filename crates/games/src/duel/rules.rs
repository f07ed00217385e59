//! The options of the game, and their text.

use super::Life;
use super::board::DuelSize;
use crate::options::{OptionError, Options};
use std::fmt;
use thiserror::Error;

/// A choice of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuelRules {
    /// Rows and columns.
    pub size: DuelSize,
    /// The goal cells as (x, y): column and row from 0, as the first seat sees them.
    pub goals: Vec<(u32, u32)>,
    /// The mana that each seat has at first, and the most that it can have.
    pub mana: u32,
    /// How many turns a game has.
    pub turns: u32,
    /// What a column does to the cells that stand there.
    pub column: ColumnMode,
    /// What happens to a column that costs too much.
    pub overspend: Overspend,
    /// How cells live.
    pub life: Life,
}

/// What a seat's column does to the cells that stand in it, before the board evolves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColumnMode {
    /// `replace`: the column becomes what is played. A 0 removes what stands there, own or
    /// the enemy's; a 1 puts an own cell there.
    #[default]
    Replace,
    /// `keep-capture`: a 0 keeps what stands there; a 1 takes the place, even from an enemy.
    KeepCapture,
    /// `keep-cancel`: a 0 keeps what stands there; a 1 against an enemy's cell leaves the
    /// place empty, and is an own cell anywhere else.
    KeepCancel,
    /// `or`: a 0 keeps what stands there; a 1 fills an empty place, and changes nothing
    /// where a cell stands, own or the enemy's.
    Or,
}

/// What happens to a column with more ones than the seat has mana.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overspend {
    /// `lose`: it is illegal; the seat that sends it loses.
    #[default]
    Lose,
    /// `truncate`: its ones are dropped from the bottom row up until it can be paid.
    Truncate,
}

/// The words of `column=`, in the order of [`EDGES`].
const COLUMN_WORDS: [&str; 4] = ["replace", "keep-capture", "keep-cancel", "or"];
const EDGES: [ColumnMode; 4] = [
    ColumnMode::Replace,
    ColumnMode::KeepCapture,
    ColumnMode::KeepCancel,
    ColumnMode::Or,
];
const OVERSPEND_WORDS: [&str; 2] = ["lose", "truncate"];
const OVERSPENDS: [Overspend; 2] = [Overspend::Lose, Overspend::Truncate];
const LIFE_WORDS: [&str; 3] = ["duel", "p2life", "colour-life"];

/// The most rows.
pub const MOST_ROWS: u32 = 32;
/// The most columns.
pub const MOST_COLUMNS: u32 = 64;
/// The most mana.
pub const MOST_MANA: u32 = 999;
/// The most turns.
pub const MOST_TURNS: u32 = 9999;

impl DuelRules {
    /// The standard rules for a size: 200 turns, mana for three quarters of a column, and
    /// goals in the centre: two columns wide (one where the number of columns is odd) and a
    /// quarter of the rows tall, made less by one where they would not stand in the middle,
    /// but at least one row or two.
    ///
    /// ```
    /// use games::duel::DuelRules;
    ///
    /// let rules = DuelRules::standard(8, 8);
    /// assert_eq!((rules.turns, rules.mana), (200, 6));
    /// assert_eq!(rules.goals, [(3, 3), (4, 3), (3, 4), (4, 4)]);
    /// ```
    #[must_use]
    pub fn standard(rows: u32, columns: u32) -> Self {
        let wide = 2 - columns % 2;
        let tall = (rows / 4).max(1);
        let tall = match (tall % 2 == rows % 2, tall) {
            (true, tall) => tall,
            (false, 1) => 2,
            (false, tall) => tall - 1,
        };
        let left = (columns.max(wide) - wide) / 2;
        let top = (rows.max(tall) - tall) / 2;
        let goals = (top..top + tall).flat_map(|y| (left..left + wide).map(move |x| (x, y)));
        Self {
            size: DuelSize { rows, columns },
            goals: goals.collect(),
            mana: (rows * 3 / 4).max(1),
            turns: 200,
            column: ColumnMode::Replace,
            overspend: Overspend::Lose,
            life: Life::Duel,
        }
    }

    /// Whether all is in range.
    ///
    /// # Errors
    /// The first thing that is not.
    ///
    /// ```
    /// use games::duel::{DuelRules, DuelRulesError};
    ///
    /// let rules = DuelRules { goals: vec![], ..DuelRules::standard(8, 8) };
    /// assert_eq!(rules.check(), Err(DuelRulesError::NoGoal));
    /// ```
    pub fn check(&self) -> Result<(), DuelRulesError> {
        let DuelSize { rows, columns } = self.size;
        if !(1..=MOST_ROWS).contains(&rows) {
            return Err(DuelRulesError::Rows(rows));
        }
        if !(1..=MOST_COLUMNS).contains(&columns) {
            return Err(DuelRulesError::Columns(columns));
        }
        if !(1..=MOST_MANA).contains(&self.mana) {
            return Err(DuelRulesError::Mana);
        }
        if !(1..=MOST_TURNS).contains(&self.turns) {
            return Err(DuelRulesError::Turns);
        }
        if self.goals.is_empty() {
            return Err(DuelRulesError::NoGoal);
        }
        for (i, &(x, y)) in self.goals.iter().enumerate() {
            if x >= columns || y >= rows {
                return Err(DuelRulesError::GoalOffBoard {
                    x,
                    y,
                    columns,
                    rows,
                });
            }
            if self.goals[..i].contains(&(x, y)) {
                return Err(DuelRulesError::GoalTwice { x, y });
            }
        }
        Ok(())
    }
}

/// The game's name with what differs from the standard rules.
impl fmt::Display for DuelRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DuelSize { rows, columns } = self.size;
        let standard = Self::standard(rows, columns);
        let mut items = Vec::new();
        if (rows, columns) != (8, 8) {
            items.push(format!("{rows}x{columns}"));
        }
        if self.mana != standard.mana {
            items.push(format!("mana={}", self.mana));
        }
        if self.goals != standard.goals {
            let goals: Vec<_> = self.goals.iter().map(|(x, y)| format!("{x}.{y}")).collect();
            items.push(format!("goals={}", goals.join("/")));
        }
        if self.turns != standard.turns {
            items.push(format!("turns={}", self.turns));
        }
        if self.column != standard.column {
            items.push(format!("column={}", COLUMN_WORDS[self.column as usize]));
        }
        if self.overspend != standard.overspend {
            items.push(format!(
                "overspend={}",
                OVERSPEND_WORDS[self.overspend as usize]
            ));
        }
        match self.life {
            Life::Duel => {}
            Life::P2Life { seed: 0 } => items.push("rules=p2life".into()),
            Life::P2Life { seed } => items.push(format!("rules=p2life,seed={seed}")),
            Life::ColourLife => items.push("rules=colour-life".into()),
        }
        f.write_str("duel")?;
        if !items.is_empty() {
            write!(f, ":{}", items.join(","))?;
        }
        Ok(())
    }
}

/// Why options are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DuelRulesError {
    /// Too many rows, or none.
    #[error("a board has from 1 to {MOST_ROWS} rows")]
    Rows(u32),
    /// Too many columns, or none.
    #[error("a board has from 1 to {MOST_COLUMNS} columns")]
    Columns(u32),
    /// Too much mana, or none.
    #[error("mana is a number from 1 to {MOST_MANA}")]
    Mana,
    /// Too many turns, or none.
    #[error("a game has from 1 to {MOST_TURNS} turns")]
    Turns,
    /// There is nothing to own.
    #[error("there is at least one goal")]
    NoGoal,
    /// A goal is not on the board.
    #[error("the goal {x}.{y} is off the board, which goes from 0.0 to {}.{}", columns - 1, rows - 1)]
    GoalOffBoard {
        /// The goal's column.
        x: u32,
        /// The goal's row.
        y: u32,
        /// The board's columns.
        columns: u32,
        /// The board's rows.
        rows: u32,
    },
    /// A goal is named twice.
    #[error("the goal {x}.{y} is named twice")]
    GoalTwice {
        /// The goal's column.
        x: u32,
        /// The goal's row.
        y: u32,
    },
    /// The size is another than this type of board has.
    #[error("this type of board has another size")]
    OtherSize,
}

/// Reads what follows `duel`.
pub(crate) fn read(options: &mut Options<'_>) -> Result<DuelRules, OptionError> {
    let mut rules = DuelRules::standard(8, 8);
    if let Some(word) = options.word() {
        let sides = word
            .split_once('x')
            .and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
        let Some((rows, columns)) = sides else {
            return Err(options.wrong(word, "write the size as rows and columns, such as 16x16"));
        };
        let bare = DuelRules {
            size: DuelSize { rows, columns },
            ..DuelRules::standard(8, 8)
        };
        match bare.check() {
            Err(problem @ (DuelRulesError::Rows(_) | DuelRulesError::Columns(_))) => {
                return Err(options.wrong(word, problem.to_string()));
            }
            _ => rules = DuelRules::standard(rows, columns),
        }
    }
    if let Some(value) = options.value("mana") {
        rules.mana = number(value).unwrap_or(0);
        check(options, &rules, "mana", value)?;
    }
    if let Some(value) = options.value("turns") {
        rules.turns = number(value).unwrap_or(0);
        check(options, &rules, "turns", value)?;
    }
    if let Some(value) = options.value("goals") {
        let goal = |text: &str| {
            let (x, y) = text.trim().split_once('.')?;
            Some((number(x)?, number(y)?))
        };
        let goals: Option<Vec<_>> = value.split('/').map(goal).collect();
        let Some(mut goals) = goals else {
            let problem = "write goals as column and row from 0, such as 3.4/4.4";
            return Err(options.wrong(&format!("goals={value}"), problem));
        };
        goals.sort_unstable_by_key(|&(x, y)| (y, x));
        rules.goals = goals;
        check(options, &rules, "goals", value)?;
    }
    if let Some(at) = options.choice("column", &COLUMN_WORDS)? {
        rules.column = EDGES[at];
    }
    if let Some(at) = options.choice("overspend", &OVERSPEND_WORDS)? {
        rules.overspend = OVERSPENDS[at];
    }
    rules.life = match options.choice("rules", &LIFE_WORDS)? {
        Some(1) => Life::P2Life { seed: 0 },
        Some(2) => Life::ColourLife,
        _ => Life::Duel,
    };
    if let Some(value) = options.value("seed") {
        let item = format!("seed={value}");
        let Life::P2Life { seed } = &mut rules.life else {
            return Err(options.wrong(&item, "only rules=p2life throws a coin"));
        };
        match value.parse() {
            Ok(given) => *seed = given,
            Err(_) => return Err(options.wrong(&item, "a seed is a number from 0 to 2^64 - 1")),
        }
    }
    Ok(rules)
}

/// A number of digits alone.
fn number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

fn check(
    options: &Options<'_>,
    rules: &DuelRules,
    key: &str,
    value: &str,
) -> Result<(), OptionError> {
    rules
        .check()
        .map_err(|problem| options.wrong(&format!("{key}={value}"), problem.to_string()))
}
