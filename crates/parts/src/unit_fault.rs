//! A unit that could not be done. Its line says why, so that nobody tries it for ever.

use crate::{PartPlan, close_line, read_digested};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A unit that could not be done, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFault {
    number: u64,
    problem: String,
    line: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultLine<'a> {
    fault: Cow<'a, str>,
    unit: u64,
    plan: Cow<'a, str>,
    version: Cow<'a, str>,
}

impl UnitFault {
    /// Why a unit of a plan could not be done; `None` where the plan has no such unit.
    #[must_use]
    pub fn new<P: PartPlan>(plan: &P, number: u64, problem: &str) -> Option<Self> {
        plan.unit_name(number)?;
        let (line, _) = close_line(fault_line(plan, number, problem));
        Some(Self {
            number,
            problem: problem.into(),
            line,
        })
    }

    /// Whether a line is one of a fault, by how it begins.
    pub(crate) fn is_fault(line: &str) -> bool {
        line.starts_with("{\"fault\":")
    }

    /// Reads a line of a part, without its end.
    ///
    /// # Errors
    /// The line is not exactly one that [`UnitFault::line`] gives for a unit of this plan.
    pub fn parse<P: PartPlan>(line: &str, plan: &P) -> Result<Self, &'static str> {
        let (text, _) = read_digested(line)?;
        let written = format!("{text}}}");
        let fault: FaultLine<'_> = serde_json::from_str(&written).map_err(|_| "it is no fault")?;
        if fault.plan != plan.plan_digest() {
            return Err("it is a unit of another plan");
        }
        if fault.version != plan.plan_version() {
            return Err("it was done by another version");
        }
        plan.unit_name(fault.unit)
            .ok_or("its number is none of the plan")?;
        if fault_line(plan, fault.unit, &fault.fault) != written {
            return Err("it is not in the form in which faults are written");
        }
        Ok(Self {
            number: fault.unit,
            problem: fault.fault.into_owned(),
            line: line.into(),
        })
    }

    /// The number of the unit.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Why it could not be done.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// It as one line, without the line's end.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }
}

fn fault_line<P: PartPlan>(plan: &P, unit: u64, problem: &str) -> String {
    let digest = plan.plan_digest();
    let line = FaultLine {
        fault: problem.into(),
        unit,
        plan: digest.into(),
        version: plan.plan_version().into(),
    };
    serde_json::to_string(&line).expect("texts and integers are JSON")
}
