//! How engines are run, watched for signals, and the proofs that they write.

use super::case::AskedCase;
use super::limits::{SearchFault, SearchLimits, flow};
use crate::watch::SignalWatch;
use census::StateBox;
use models::search_race::{SearchRaceEnd, SearchRaceEvent, SearchRaceSettings, race};
use pyo3::prelude::*;
use search::{
    FoundPattern, ProblemSolver as _, RowAnswer, RowQuestion, RowSearch, SatOptions, SatSearch,
    SearchAnswer, SearchFlow, StillLifeCountError, Velocity, verify_proof,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

pub(super) fn race_cases(
    cases: &[AskedCase],
    limits: &SearchLimits,
    most: u64,
    watch: &mut SignalWatch,
    found: &mut Vec<FoundPattern>,
) -> Result<(), SearchFault> {
    let boxed = || cases.iter().map(AskedCase::boxed).collect();
    let settings = SearchRaceSettings {
        engines: limits.engines.clone(),
        options: limits.options,
        patterns: most,
        ..SearchRaceSettings::default()
    };
    let mut fault = None;
    let (mut nodes, mut bytes) = ([0_u64; 2], [0_u64; 2]);
    let end = race(&boxed, &settings, &mut |event| {
        match event {
            Some(SearchRaceEvent::Found { pattern, .. }) => found.push(*pattern),
            Some(SearchRaceEvent::Progress {
                engine, progress, ..
            }) => {
                nodes[engine as usize] = progress.nodes;
                bytes[engine as usize] = progress.bytes;
            }
            Some(SearchRaceEvent::Saved(_)) | None => {}
        }
        let checked = limits.check(watch, nodes.iter().sum(), bytes.iter().sum());
        flow(checked, &mut fault) == SearchFlow::Continue
    });
    match (end.map_err(SearchFault::wrong)?, fault) {
        (SearchRaceEnd::Stopped(_), Some(fault)) => Err(fault),
        _ => Ok(()),
    }
}

pub(super) fn by_rows(
    question: RowQuestion,
    velocity: Velocity,
    limits: &SearchLimits,
    most: u64,
    watch: &mut SignalWatch,
    found: &mut Vec<FoundPattern>,
) -> Result<(), SearchFault> {
    let rule = question.rule.clone();
    let mut search = RowSearch::new(question).map_err(SearchFault::wrong)?;
    let mut codes = BTreeSet::new();
    let (watch, nodes) = (RefCell::new(watch), Cell::new(0));
    // a job is some milliseconds, and hundreds of them lie between two questions of the search: once
    // a signal has come they are left out, and the search, which is then not whole, is ended
    let jobs = |count: usize, job: &(dyn Fn(usize) + Sync)| {
        let mut numbers = 0..count;
        while let Some(number) = numbers.next()
            && watch.borrow_mut().goes_on(|| nodes.get())
        {
            job(number);
        }
    };
    while (found.len() as u64) < most {
        let mut fault = None;
        // it keeps to its share of the memory by itself
        let answer = search.solve_with(&jobs, &mut |progress, _| {
            nodes.set(progress.nodes);
            let checked = limits.check(&mut watch.borrow_mut(), progress.nodes, 0);
            flow(checked, &mut fault)
        });
        match answer {
            RowAnswer::Found(cells) => {
                let ship = FoundPattern::named(&rule, StateBox::from_points(&cells));
                let ship = ship.map_err(SearchFault::wrong)?;
                let period = ship.period.unwrap_or(0);
                // it may repeat sooner, at the same speed
                let is_it = u64::from(velocity.period).checked_rem(period) == Some(0)
                    && ship.dy.abs() * (i64::from(velocity.period) / period as i64)
                        == velocity.rows.abs();
                if !is_it {
                    let message = "what was found is not what was asked for: it moves otherwise";
                    return Err(SearchFault::wrong(message));
                }
                if codes.insert(ship.apgcode.clone()) {
                    found.push(ship);
                }
            }
            RowAnswer::Exhausted => return Ok(()),
            RowAnswer::Stopped => return Err(fault.unwrap_or(SearchFault::Stopped)),
        }
    }
    Ok(())
}

/// What goes row by row through a box.
pub(super) fn sweep<T>(
    limits: &SearchLimits,
    watch: &mut SignalWatch,
    work: &mut dyn FnMut(&mut search::RowControl<'_>) -> Result<T, StillLifeCountError>,
) -> Result<T, SearchFault> {
    let mut fault = None;
    let swept = work(&mut |row, _| flow(limits.check(watch, row.into(), 0), &mut fault));
    swept.map_err(|error| match (error, fault) {
        (StillLifeCountError::Stopped, Some(fault)) => fault,
        (error, _) => SearchFault::wrong(error),
    })
}

/// Writes a proof, or gives the pattern that makes one impossible.
pub(super) fn prove(
    case: &AskedCase,
    path: &Path,
    words: &str,
    limits: &SearchLimits,
    watch: &mut SignalWatch,
) -> Result<Option<FoundPattern>, SearchFault> {
    let failed = |error| SearchFault::File(path.into(), error);
    let case = case.whole()?;
    let file = BufWriter::new(File::create(path).map_err(failed)?);
    let options = SatOptions {
        seed: (limits.options.seed != 0).then_some(limits.options.seed),
        ..SatOptions::default()
    };
    let mut solver = SatSearch::with_proof(case.problem().clone(), options, Box::new(file));
    let mut fault = None;
    let answer = solver.solve(&mut |progress, _| {
        flow(
            limits.check(watch, progress.nodes, progress.bytes),
            &mut fault,
        )
    });
    if let Some(error) = solver.proof_error() {
        return Err(failed(error));
    }
    match answer {
        SearchAnswer::Exhausted => {
            let formula = path.with_extension("cnf");
            let write = || {
                let mut out = BufWriter::new(File::create(&formula)?);
                solver.write_formula(&mut out, &[words])?;
                out.flush()
            };
            write().map_err(|error| SearchFault::File(formula.clone(), error))?;
            Ok(None)
        }
        SearchAnswer::Found(solution) => {
            // an empty file is no proof of anything
            let _ = std::fs::remove_file(path);
            let found = case.pattern_of(&solution).map_err(SearchFault::wrong)?;
            Ok(Some(found))
        }
        SearchAnswer::Stopped => {
            let _ = std::fs::remove_file(path);
            Err(fault.unwrap_or(SearchFault::Stopped))
        }
    }
}

/// Checks a proof with a checker that shares no code with the solver; gives its number of steps.
#[pyfunction]
#[pyo3(signature = (formula, proof))]
pub(crate) fn search_verify(py: Python<'_>, formula: PathBuf, proof: PathBuf) -> PyResult<u64> {
    let verified = py.detach(|| {
        let open = |path: &Path| {
            let file = File::open(path).map_err(|error| SearchFault::File(path.into(), error))?;
            Ok(BufReader::new(file))
        };
        let (mut formula, mut proof) = (open(&formula)?, open(&proof)?);
        verify_proof(&mut formula, &mut proof).map_err(SearchFault::wrong)
    });
    match verified {
        Ok(proof) => Ok(proof.lemmas),
        Err(fault) => Err(fault.raise(py, Vec::new())),
    }
}
