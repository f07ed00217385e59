//! `gridpaper info`: what a pattern says of itself, without running it.

use crate::failure::{CliFailure, hint, note};
use crate::input;
use crate::output::{self, number};
use crate::rule_file::RuleFolder;
use clap::{Args, ValueHint};
use pattern::Bounds;
use rule::Rule;
use serde_json::{Value, json};
use source::Source;
use source::rule_file::RuleFiles;
use std::ffi::OsString;
use std::fmt::Write as _;

/// Tell a pattern's format, rule, size, population, name, author and comments
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// A file of any known format, - , a built-in pattern's name, an apgcode, or RLE text
    #[arg(value_hint = ValueHint::FilePath)]
    pattern: OsString,

    #[command(flatten)]
    folder: RuleFolder,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl InfoArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let source = input::open(&self.pattern)?;
        let files = self.folder.before(RuleFiles::of(&source))?;
        let rule = files.read(source.rule_text(), source.label());
        if let Err(error) = &rule {
            // the rest can still be reported
            note(format_args!("the rule cannot be run: {error}"));
            error.hint().iter().for_each(hint);
        }
        let facts = InfoReport {
            source: &source,
            bounds: source.pattern.cells.bounds(),
            rule: rule.ok(),
        };
        if self.json {
            output::line(facts.json())
        } else {
            output::to_stdout(|out| write!(out, "{}", facts.text()))
        }
    }
}

/// What is known of a pattern.
struct InfoReport<'a> {
    source: &'a Source,
    /// Of the live cells.
    bounds: Option<Bounds>,
    /// None where the rule's text is not understood.
    rule: Option<Rule>,
}

impl InfoReport<'_> {
    /// The rule in its canonical form, else as the file has it.
    fn rule(&self) -> String {
        match (&self.rule, &self.source.pattern.rule) {
            (Some(rule), _) => rule.to_string(),
            (None, text) => text.clone().unwrap_or_default(),
        }
    }

    fn json(&self) -> Value {
        let pattern = &self.source.pattern;
        let side = |of: fn(&Bounds) -> &num_bigint::BigUint| {
            self.bounds
                .as_ref()
                .map_or_else(|| number(0), |b| number(of(b)))
        };
        json!({
            "format": self.source.format.name(),
            "rule": self.rule(),
            "family": self.rule.as_ref().map(Rule::family),
            "states": self.rule.as_ref().map(Rule::states),
            "width": side(|b| &b.width),
            "height": side(|b| &b.height),
            "population": number(pattern.cells.population()),
            "generation": number(&pattern.generation),
            "name": pattern.name,
            "author": pattern.author,
            "comments": pattern.comments,
        })
    }

    fn text(&self) -> String {
        let pattern = &self.source.pattern;
        let mut text = String::new();
        let mut row = |name: &str, value: String| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name:<12}{value}");
        };
        if let Some(name) = &pattern.name {
            row("name", name.clone());
        }
        if let Some(author) = &pattern.author {
            row("author", author.clone());
        }
        row("format", self.source.format.name().to_string());
        row("rule", self.rule());
        if let Some(rule) = &self.rule {
            row("family", rule.family().to_string());
            row("states", rule.states().to_string());
        }
        let size = self.bounds.as_ref().map_or_else(
            || "empty".to_string(),
            |b| format!("{} x {} cells", b.width, b.height),
        );
        row("size", size);
        row("population", pattern.cells.population().to_string());
        if pattern.generation != num_bigint::BigInt::ZERO {
            row("generation", pattern.generation.to_string());
        }
        for (i, comment) in pattern.comments.iter().enumerate() {
            row(if i == 0 { "comments" } else { "" }, comment.clone());
        }
        text
    }
}
