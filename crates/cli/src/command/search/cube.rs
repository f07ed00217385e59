//! A search cut into cubes, for several machines: `--cubes` and `--cube`.

use super::{SearchOptions, SearchWords};
use crate::failure::CliFailure;
use crate::output;
use search::{SearchCase, count_cubes, cut_cube};
use serde_json::json;
use std::num::NonZero;
use std::str::FromStr;

/// Every so many cubes, from one on: `3/8`.
#[derive(Clone, Copy, Debug)]
pub(super) struct CubeArgument {
    first: u64,
    step: NonZero<u64>,
}

impl FromStr for CubeArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').and_then(|(first, step)| {
            let step: NonZero<u64> = step.parse().ok()?;
            first.parse().ok().map(|first| (first, step))
        });
        match numbers {
            Some((first, step)) if first < step.get() => Ok(Self { first, step }),
            _ => Err("expected K/N, such as 0/8, with K below N".to_owned()),
        }
    }
}

impl SearchOptions {
    /// Says how many cubes there are, or searches some of them.
    pub(super) fn search_cubes(
        &self,
        depth: u32,
        cases: &(dyn Fn() -> Vec<Box<dyn SearchCase>> + Sync),
        words: &SearchWords,
    ) -> Result<(), CliFailure> {
        let count = count_cubes(&cases(), depth);
        let Some(CubeArgument { first, step }) = self.cube else {
            if self.json {
                return output::line(json!({ "cubes": count }));
            }
            return output::line(format_args!(
                "{count} cubes: --cube K/N searches every N-th from K on, 0 to {}",
                count.saturating_sub(1)
            ));
        };
        if first >= count {
            let message = format!("--cube {first}/{step}: there are {count} cubes, from 0 on");
            return Err(CliFailure::wrong(message));
        }
        let part = format!("in the cubes {first}/{step} of {count}");
        let words = SearchWords {
            kind: words.kind,
            question: format!("{} {part}", words.question),
            none: format!("{} {part}", words.none),
            size: words.size,
            rule: words.rule.clone(),
            keeps_place: words.keeps_place,
        };
        let numbers = (first..count).step_by(usize::try_from(step.get()).unwrap_or(usize::MAX));
        let some = || {
            let cubes = numbers.clone();
            cubes
                .filter_map(|number| cut_cube(cases(), depth, number))
                .collect()
        };
        self.search_all(&some, &words)
    }
}
