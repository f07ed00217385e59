//! `gridpaper random`: a soup, the same on every machine for the same seed.

use crate::argument::SizeArgument;
use crate::destination::Destination;
use crate::failure::{CliFailure, note};
use crate::input;
use crate::rule_file::RuleFolder;
use clap::Args;
use pattern::Pattern;
use pattern::soup::{Fill, SoupError, SoupRecipe, SoupSymmetry};
use source::DEFAULT_RULE;
use std::path::PathBuf;

/// Make a random pattern
#[derive(Debug, Args)]
pub(crate) struct RandomArgs {
    /// Columns and rows, such as 64x64
    #[arg(value_name = "WxH")]
    size: SizeArgument,

    /// The chance of each cell to be live
    #[arg(
        long,
        value_name = "D",
        default_value_t = 0.5,
        conflicts_with = "count"
    )]
    density: f64,

    /// Make exactly N cells live
    #[arg(long, value_name = "N")]
    count: Option<u64>,

    /// How many states cells may have, dead included
    #[arg(long, value_name = "S", default_value_t = 2, value_parser = clap::value_parser!(u16).range(2..=256))]
    states: u16,

    #[arg(long, value_name = "SYMMETRY", default_value = "C1", help = symmetry_help())]
    symmetry: SoupSymmetry,

    /// What the soup is drawn from: the same seed gives the same soup
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// The rule to write into the file
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,

    #[command(flatten)]
    folder: RuleFolder,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,

    /// The format, when the file's ending does not tell
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
}

fn symmetry_help() -> String {
    let names: Vec<_> = SoupSymmetry::names().collect();
    format!(
        "C for rotations, D with mirrors, as they lie on the page: {}",
        names.join(" ")
    )
}

impl RandomArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let recipe = self.recipe();
        let soup = recipe.pattern().map_err(|e| refusal(&e))?;
        let rule = self.rule()?;
        let destination = Destination::new(&self.out, self.format.as_deref())?;
        let seed = recipe.seed;
        note(format_args!("seed {seed}"));
        destination.write(&Pattern { rule, ..soup })
    }

    fn recipe(&self) -> SoupRecipe {
        let SizeArgument { width, height } = self.size;
        let fill = self.count.map(Fill::Exactly);
        SoupRecipe {
            fill: fill.unwrap_or(Fill::Density(self.density)),
            states: self.states,
            symmetry: self.symmetry,
            seed: self.seed,
            ..SoupRecipe::new(width, height)
        }
    }

    /// The rule in its canonical form, if it has enough states.
    fn rule(&self) -> Result<Option<String>, CliFailure> {
        let Some(text) = &self.rule else {
            if self.states > 2 {
                note("no --rule is given, so the file names none");
                return Ok(None);
            }
            return Ok(Some(DEFAULT_RULE.into()));
        };
        let rule = input::parse_rule(text, "--rule", &self.folder)?;
        if rule.states() < self.states {
            let (has, asked) = (rule.states(), self.states);
            let message = format!("{rule} has {has} states, --states asks for {asked}");
            return Err(CliFailure::wrong(message));
        }
        Ok(Some(rule.to_string()))
    }
}

/// With the option in front where one was wrong.
fn refusal(error: &SoupError) -> CliFailure {
    let failure = match error {
        SoupError::Density(_) => CliFailure::wrong(format_args!("--{error}")),
        SoupError::TooMany {
            count,
            width,
            height,
        } => {
            let cells = width * height;
            CliFailure::wrong(format_args!(
                "--count {count}: {width}x{height} has {cells} cells"
            ))
        }
        _ => CliFailure::wrong(error),
    };
    failure.with_hint(error.hint().map(str::to_string))
}
