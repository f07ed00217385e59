//! `gridpaper search verify`: whether a proof shows what it says.

use crate::failure::CliFailure;
use crate::output;
use clap::{Args, ValueHint};
use search::verify_proof;
use serde_json::json;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Check a DRAT proof against its formula, with a checker that shares no code with the solver
#[derive(Debug, Args)]
pub(super) struct SearchVerifyArgs {
    /// The formula, in DIMACS
    #[arg(value_name = "CNF", value_hint = ValueHint::FilePath)]
    formula: PathBuf,

    /// The proof, in DRAT text
    #[arg(value_name = "DRAT", value_hint = ValueHint::FilePath)]
    proof: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl SearchVerifyArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let open = |path: &Path| {
            let file = File::open(path).map_err(|error| CliFailure::io(path.display(), &error))?;
            Ok::<_, CliFailure>(BufReader::new(file))
        };
        let (mut formula, mut proof) = (open(&self.formula)?, open(&self.proof)?);
        let verified = verify_proof(&mut formula, &mut proof).map_err(CliFailure::wrong)?;
        if self.json {
            return output::line(json!({
                "verified": true,
                "clauses": verified.clauses,
                "lemmas": verified.lemmas,
                "by_resolution": verified.by_resolution,
            }));
        }
        output::line(format_args!(
            "the proof holds: {} clauses, {} steps, {} of them by resolution; the formula has no solution",
            verified.clauses, verified.lemmas, verified.by_resolution
        ))
    }
}
