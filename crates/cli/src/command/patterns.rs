//! `gridpaper patterns`: the built-in library.

use crate::failure::CliFailure;
use crate::output;
use crate::table;
use clap::Args;
use pattern::library::{self, LibraryPattern};
use serde_json::{Value, json};

/// List the built-in patterns
#[derive(Debug, Args)]
pub(crate) struct PatternsArgs {
    /// Only those whose name, kind or description has this word
    word: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl PatternsArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let entries: Vec<&LibraryPattern> = match &self.word {
            Some(word) => library::search(word),
            None => library::all().iter().collect(),
        };
        if let (Some(word), true) = (&self.word, entries.is_empty()) {
            let near = library::suggest(word);
            let hint = near.first().map(|name| format!("did you mean {name}?"));
            let message = format!("no built-in pattern has the word {word}");
            return Err(CliFailure::No { message, hint });
        }
        if self.json {
            let list: Vec<Value> = entries.into_iter().map(object).collect();
            return output::line(json!({ "patterns": list }));
        }
        let rows = entries.iter().map(|entry| {
            [
                entry.name.to_string(),
                entry.kind.to_string(),
                entry.description().to_string(),
            ]
        });
        output::to_stdout(|out| out.write_all(table::aligned(rows).as_bytes()))
    }
}

fn object(entry: &LibraryPattern) -> Value {
    json!({
        "name": entry.name,
        "kind": entry.kind,
        "title": entry.title(),
        "author": entry.author(),
        "rule": entry.rule(),
        "about": entry.description(),
        "source": entry.source(),
    })
}
