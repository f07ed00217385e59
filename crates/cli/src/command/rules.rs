//! `gridpaper rules`: the families and their notations, the named rules, one rule in words.

use crate::failure::Failure;
use crate::output;
use crate::source;
use crate::table;
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// List the rules that are known, or explain one
#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// A rule's name or its text, such as HighLife or B36/S23
    name: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Rules {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match (&self.name, self.json) {
            (Some(name), json) => explain(name, json),
            (None, true) => output::line(list_json()),
            (None, false) => output::to_stdout(|out| out.write_all(list_text().as_bytes())),
        }
    }
}

fn explain(name: &str, json: bool) -> Result<(), Failure> {
    let rule = source::parse_rule(name, "RULE")?;
    if json {
        return output::line(json!({
            "rule": rule.to_string(),
            "family": rule.family(),
            "states": rule.states(),
            "radius": rule.radius(),
            "description": rule.describe(),
        }));
    }
    output::line(format_args!("{rule}\n{}", rule.describe().trim_end()))
}

fn list_text() -> String {
    let mut text = String::from("families\n");
    for family in rule::families() {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n  {}\n    {}\n    written  {}\n    example  {}\n",
            family.name, family.about, family.notation, family.example
        );
    }
    let named = rule::named_rules().iter();
    let named = named.map(|r| ["", r.name, r.rule, r.about].map(str::to_string));
    text.push_str("\nnamed rules\n\n");
    text.push_str(&table::aligned(named));
    text
}

fn list_json() -> Value {
    let families: Vec<Value> = rule::families()
        .iter()
        .map(|f| {
            json!({
                "name": f.name,
                "notation": f.notation,
                "example": f.example,
                "about": f.about,
            })
        })
        .collect();
    let named: Vec<Value> = rule::named_rules()
        .iter()
        .map(|r| json!({ "name": r.name, "rule": r.rule, "about": r.about }))
        .collect();
    json!({ "families": families, "rules": named })
}
