//! The matrix of cases and engines: who took what, and who was wrong.

use super::ENGINES;
use engine::{EngineChoice, UnsupportedError, World};
use std::fmt;

/// What became of a case in one engine.
pub(crate) enum MatrixOutcome {
    /// It ran, and all answers were right.
    Right,
    /// It was not run: other engines are there for worlds of this size.
    Spared,
    /// The engine does not take it.
    Refused(&'static str),
    /// It ran in another engine instead.
    FellBack,
    /// What was wrong.
    Wrong(String),
}

impl MatrixOutcome {
    /// A refusal, by what it is about.
    pub(crate) fn refused(why: &UnsupportedError) -> Self {
        let classes = [
            ("topology", "shape"),
            ("radius", "radius"),
            ("state", "states"),
        ];
        let class = classes.iter().find(|(word, _)| why.what.contains(word));
        Self::Refused(class.map_or("other", |c| c.1))
    }

    /// Runs a case in an engine, if that is what opened.
    pub(crate) fn of(
        engine: EngineChoice,
        opened: Result<Box<dyn World>, UnsupportedError>,
        run: impl FnOnce(Box<dyn World>) -> Result<(), String>,
    ) -> Self {
        match opened {
            Err(why) => Self::refused(&why),
            Ok(world) if world.engine() != engine.name() => Self::FellBack,
            Ok(world) => run(world).map_or_else(Self::Wrong, |()| Self::Right),
        }
    }
}

impl fmt::Display for MatrixOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right => f.pad("ok"),
            Self::Spared => f.pad("."),
            Self::Refused(class) => f.pad(&format!("- {class}")),
            Self::FellBack => f.pad("- falls"),
            Self::Wrong(_) => f.pad("WRONG"),
        }
    }
}

/// One row a case, one column an engine.
#[derive(Default)]
pub(crate) struct EngineMatrix {
    rows: Vec<(String, [MatrixOutcome; ENGINES.len()])>,
    /// Cases that no engine could be asked about.
    strange: Vec<String>,
}

impl EngineMatrix {
    pub(crate) fn row(
        &mut self,
        case: impl Into<String>,
        run: impl FnMut(EngineChoice) -> MatrixOutcome,
    ) {
        self.rows.push((case.into(), ENGINES.map(run)));
    }

    /// A case whose rule is not read.
    pub(crate) fn unread(&mut self, case: impl Into<String>) {
        self.strange.push(case.into());
    }

    /// Prints all rows, and fails where an answer is wrong, a case was taken by the oracle
    /// alone or by nobody, a rule was not read, or there were too few cases.
    pub(crate) fn hold(&self, at_least: usize) {
        print!("{:<44}", "case");
        for engine in ENGINES {
            print!(" {engine:<9}");
        }
        println!();
        let mut faults = Vec::new();
        for (case, outcomes) in &self.rows {
            print!("{:<44}", case.chars().take(44).collect::<String>());
            for (engine, outcome) in ENGINES.into_iter().zip(outcomes) {
                print!(" {outcome:<9}");
                if let MatrixOutcome::Wrong(why) = outcome {
                    faults.push(format!("{case}: {engine}: {why}"));
                }
            }
            println!();
            let others = ENGINES
                .into_iter()
                .zip(outcomes)
                .filter(|(e, _)| *e != EngineChoice::Naive);
            if !others
                .into_iter()
                .any(|(_, outcome)| matches!(outcome, MatrixOutcome::Right))
            {
                faults.push(format!("{case}: no engine takes it"));
            }
        }
        print!("{:<44}", format!("right, of {}", self.rows.len()));
        for column in 0..ENGINES.len() {
            let right = |row: &&(String, [MatrixOutcome; ENGINES.len()])| {
                matches!(row.1[column], MatrixOutcome::Right)
            };
            print!(" {:<9}", self.rows.iter().filter(right).count());
        }
        println!();
        faults.extend(
            self.strange
                .iter()
                .map(|case| format!("{case}: its rule is not read")),
        );
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert!(
            self.rows.len() >= at_least,
            "only {} cases",
            self.rows.len()
        );
    }
}
