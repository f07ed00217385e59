//! `--proof`: the engine sat writes down how it came to its "none", in DRAT, beside the formula.

use super::{SearchOptions, SearchWords, stopped};
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use search::{ProblemSolver as _, SatOptions, SatSearch, SearchAnswer, SearchCase, SearchFlow};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

/// Searches one problem, with a proof in `path`.
pub(super) fn search(
    options: &SearchOptions,
    path: &Path,
    cases: Vec<Box<dyn SearchCase>>,
    words: &SearchWords,
) -> Result<(), CliFailure> {
    let [case] = &cases[..] else {
        let message = format!(
            "--proof is of one direction, and {} are asked for",
            cases.len()
        );
        let hint = "give the direction, as in --velocity '(0,1)c/3'".to_owned();
        return Err(CliFailure::wrong(message).with_hint(hint));
    };
    if !matches!(
        options.engine,
        super::EngineArgument::Auto | super::EngineArgument::Sat
    ) {
        return Err(CliFailure::wrong(
            "--proof: the engine sat writes proofs, and no other",
        ));
    }
    let failed = |error: &io::Error| CliFailure::io(path.display(), error);
    let file = File::create(path).map_err(|error| failed(&error))?;
    let proof = BoundedFile {
        file: BufWriter::new(file),
        left: options.memory.0,
    };
    let seed = (options.seed != 0).then_some(options.seed);
    let settings = SatOptions {
        seed,
        ..SatOptions::default()
    };
    let begun = Instant::now();
    let mut solver = SatSearch::with_proof(case.problem().clone(), settings, Box::new(proof));
    let interrupts = InterruptGuard::new();
    let is_late = || options.time.is_some_and(|time| begun.elapsed() >= time);
    let answer = solver.solve(&mut |_, _| {
        let goes_on = !interrupts.asked_to_stop() && !is_late();
        if goes_on {
            SearchFlow::Continue
        } else {
            SearchFlow::Stop
        }
    });
    if let Some(error) = solver.proof_error() {
        return Err(failed(&error));
    }
    match answer {
        SearchAnswer::Found(solution) => {
            let found = case.pattern_of(&solution).map_err(CliFailure::wrong)?;
            // an empty file is no proof of anything
            let _ = std::fs::remove_file(path);
            note("something was found, so there is no proof to write");
            options.tell(&found, words, begun.elapsed().as_secs_f64())
        }
        SearchAnswer::Stopped => {
            let message = format!(
                "stopped after {:.1} s: the proof is not finished",
                begun.elapsed().as_secs_f64()
            );
            Err(stopped(&interrupts, message))
        }
        SearchAnswer::Exhausted => {
            let formula = path.with_extension("cnf");
            output::to_file(&formula, |out| {
                let written = solver.write_formula(out, &[&words.question, &words.none]);
                written.map_err(|error| CliFailure::io(formula.display(), &error))
            })?;
            let message = format!("{}; the proof is in {}", words.none, path.display());
            let check = format!(
                "gridpaper search verify {} {}",
                formula.display(),
                path.display()
            );
            Err(CliFailure::No {
                message,
                hint: Some(format!("to check it: {check}")),
            })
        }
    }
}

/// A file that takes no more than so many bytes: proofs grow by gigabytes.
struct BoundedFile {
    file: BufWriter<File>,
    left: u64,
}

impl Write for BoundedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() as u64 > self.left {
            let message = "the proof is longer than --memory allows";
            return Err(io::Error::new(io::ErrorKind::StorageFull, message));
        }
        let written = self.file.write(bytes)?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
