//! `gridpaper laser levels`: the built-in levels.

use super::{counted, stock};
use crate::failure::CliFailure;
use crate::{output, table};
use clap::Args;
use laser::level::{self, BuiltinLevel};
use serde_json::{Value, json};

/// List the built-in levels
#[derive(Debug, Args)]
pub(crate) struct LaserLevelsArgs {
    /// Only those whose name, grade or purpose has this word
    word: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl LaserLevelsArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let entries = level::all().iter();
        let entries: Vec<&BuiltinLevel> = entries.filter(|entry| self.wants(entry)).collect();
        if let (Some(word), true) = (&self.word, entries.is_empty()) {
            let message = format!("no built-in level has the word {word}");
            return Err(CliFailure::No {
                message,
                hint: None,
            });
        }
        if self.json {
            let list: Vec<Value> = entries.into_iter().map(object).collect();
            return output::line(json!({ "levels": list }));
        }
        let rows = entries.iter().map(|entry| {
            let board = entry.board();
            let fewest = entry.fewest.map(|fewest| counted(fewest, "move"));
            [
                entry.name.to_string(),
                format!("{}x{}", board.width(), board.height()),
                fewest.unwrap_or_default(),
                match entry.grade {
                    Some(_) => stock(&board),
                    None => entry.purpose.to_string(),
                },
            ]
        });
        output::to_stdout(|out| out.write_all(table::aligned(rows).as_bytes()))
    }

    fn wants(&self, entry: &BuiltinLevel) -> bool {
        let Some(word) = &self.word else { return true };
        let word = word.to_lowercase();
        let grade = entry.grade.map(|grade| grade.to_string());
        let has = |text: &str| text.to_lowercase().contains(&word);
        has(entry.name) || has(entry.purpose) || grade.is_some_and(|grade| has(&grade))
    }
}

fn object(entry: &BuiltinLevel) -> Value {
    let board = entry.board();
    json!({
        "name": entry.name,
        "about": entry.purpose,
        "width": board.width(),
        "height": board.height(),
        "pieces": board.stock().iter().sum::<u32>(),
        "sensors": board.sensors().count(),
        "grade": entry.grade.map(|grade| grade.to_string()),
        "fewest_moves": entry.fewest,
    })
}
