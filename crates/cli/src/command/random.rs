//! `gridpaper random`: a soup, the same on every machine for the same seed.

use crate::argument::Size;
use crate::destination::Destination;
use crate::failure::{Failure, note};
use crate::rule_file::RuleFolder;
use crate::soup::{Fill, Recipe, SoupSymmetry};
use crate::source;
use clap::Args;
use grid::State;
use pattern::{Cells, Pattern, Run};
use std::path::PathBuf;

/// The most cells that a soup may have: what a machine of today holds with ease.
const MOST_CELLS: u64 = 1 << 28;

/// Make a random pattern
#[derive(Debug, Args)]
pub(crate) struct Random {
    /// Columns and rows, such as 64x64
    #[arg(value_name = "WxH")]
    size: Size,

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

impl Random {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let recipe = self.recipe()?;
        let rule = self.rule()?;
        let destination = Destination::new(&self.out, self.format.as_deref())?;
        let states = recipe.cells().ok_or_else(|| self.no_such_soup())?;
        let width = recipe.width;
        let mut runs = Vec::new();
        for (y, row) in states.chunks(width as usize).enumerate() {
            push_runs(row, y as i64, &mut runs);
        }
        let fill = match recipe.fill {
            Fill::Density(density) => format!("density {density}"),
            Fill::Exactly(count) => format!("{count} live cells"),
        };
        let (symmetry, seed) = (recipe.symmetry, recipe.seed);
        let pattern = Pattern {
            cells: Cells::from_runs(runs),
            size: Some((recipe.width, recipe.height)),
            rule,
            comments: vec![format!("soup: {fill}, symmetry {symmetry}, seed {seed}")],
            ..Pattern::default()
        };
        note(format_args!("seed {seed}"));
        destination.write(&pattern)
    }

    fn recipe(&self) -> Result<Recipe, Failure> {
        let Size { width, height } = self.size;
        if !(0.0..=1.0).contains(&self.density) {
            let message = format!("--density {}: expected 0 to 1", self.density);
            return Err(Failure::wrong(message));
        }
        if width.saturating_mul(height) > MOST_CELLS {
            let message = format!("{width}x{height} is more than {MOST_CELLS} cells");
            return Err(Failure::wrong(message));
        }
        if self.symmetry.is_square() && width != height {
            let message = format!(
                "symmetry {} needs a square, not {width}x{height}",
                self.symmetry
            );
            return Err(Failure::wrong(message));
        }
        Ok(Recipe {
            width,
            height,
            fill: self
                .count
                .map_or(Fill::Density(self.density), Fill::Exactly),
            states: self.states,
            symmetry: self.symmetry,
            seed: self.seed,
        })
    }

    /// The rule in its canonical form, if it has enough states.
    fn rule(&self) -> Result<Option<String>, Failure> {
        let Some(text) = &self.rule else {
            if self.states > 2 {
                note("no --rule is given, so the file names none");
                return Ok(None);
            }
            return Ok(Some(source::DEFAULT_RULE.into()));
        };
        let rule = source::parse_rule(text, "--rule", &self.folder)?;
        if rule.states() < self.states {
            let (has, asked) = (rule.states(), self.states);
            let message = format!("{rule} has {has} states, --states asks for {asked}");
            return Err(Failure::wrong(message));
        }
        Ok(Some(rule.to_string()))
    }

    fn no_such_soup(&self) -> Failure {
        let Size { width, height } = self.size;
        let count = self.count.unwrap_or_default();
        if count > width * height {
            let cells = width * height;
            return Failure::wrong(format_args!(
                "--count {count}: {width}x{height} has {cells} cells"
            ));
        }
        Failure::wrong(format_args!(
            "no {width}x{height} soup with symmetry {} has exactly {count} live cells",
            self.symmetry
        ))
        .with_hint("cells come in groups there: try a count that is a multiple of 4".to_string())
    }
}

/// Adds the live runs of a row.
fn push_runs(row: &[State], y: i64, runs: &mut Vec<Run>) {
    let mut x = 0;
    for cells in row.chunk_by(|a, b| a == b) {
        if cells[0] != 0 {
            runs.push(Run {
                x,
                y,
                length: cells.len() as u64,
                state: cells[0],
            });
        }
        x += cells.len() as i64;
    }
}
