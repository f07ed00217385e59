//! `gridpaper census names`: what objects are called.

use crate::failure::CliFailure;
use crate::output;
use crate::table;
use census::{ObjectName, object_names, search_names};
use clap::Args;
use serde_json::{Value, json};

/// List the names of objects that are known here
#[derive(Debug, Args)]
pub(super) struct CensusNamesArgs {
    /// Only those whose name or code has this word
    word: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl CensusNamesArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let names: Vec<&ObjectName> = match &self.word {
            Some(word) => search_names(word),
            None => object_names().iter().collect(),
        };
        if let (Some(word), true) = (&self.word, names.is_empty()) {
            return Err(CliFailure::No {
                message: format!("no name known here has the word {word}"),
                hint: None,
            });
        }
        if self.json {
            let list: Vec<Value> = names.into_iter().map(object).collect();
            return output::line(json!({ "names": list }));
        }
        let rows = names.iter().map(|name| {
            let rule = if name.rule == source::DEFAULT_RULE {
                ""
            } else {
                name.rule
            };
            [name.code, name.name, rule].map(str::to_string)
        });
        output::to_stdout(|out| out.write_all(table::aligned(rows).as_bytes()))
    }
}

fn object(name: &ObjectName) -> Value {
    json!({
        "code": name.code,
        "name": name.name,
        "rule": name.rule,
        "source": name.source,
    })
}
