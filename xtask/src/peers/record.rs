//! The figures as they are kept, `docs/performance.json`: a line for each workload, with its
//! own date, since a run of some workloads leaves the others as they are.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Where they are, seen from the root.
const FILE: &str = "docs/performance.json";

/// What the figures of a line count, memory aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FigureUnit {
    /// Seconds: less is better.
    Seconds,
    /// Cells a second: more is better.
    Cells,
}

/// What a workload came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WorkloadFigures {
    pub(super) unit: FigureUnit,
    /// By name: who, or what; names that end with `peak`, and `cap`, are bytes.
    pub(super) figures: BTreeMap<String, f64>,
    /// What was run for each of them.
    pub(super) commands: BTreeMap<String, String>,
    pub(super) population: Option<String>,
    /// Why there are no figures.
    pub(super) failure: Option<String>,
    /// When, of which state of the project, on which machine, beside which programs.
    pub(super) date: String,
    pub(super) commit: String,
    pub(super) machine: String,
    pub(super) versions: String,
}

impl WorkloadFigures {
    pub(super) fn new(unit: FigureUnit) -> Self {
        Self {
            unit,
            figures: BTreeMap::new(),
            commands: BTreeMap::new(),
            population: None,
            failure: None,
            date: String::new(),
            commit: String::new(),
            machine: String::new(),
            versions: String::new(),
        }
    }

    fn json(&self) -> Value {
        let figure = |value: f64| match value >= 1000.0 {
            true => json!(value.round() as u64),
            // more digits than these are noise, and would change with each run
            false => json!(format!("{value:.6}").parse::<f64>().unwrap_or(value)),
        };
        let figures: Map<String, Value> = self
            .figures
            .iter()
            .map(|(name, &value)| (name.clone(), figure(value)))
            .collect();
        let unit = match self.unit {
            FigureUnit::Seconds => "seconds",
            FigureUnit::Cells => "cells a second",
        };
        json!({
            "unit": unit,
            "figures": figures,
            "commands": self.commands,
            "population": self.population,
            "failure": self.failure,
            "date": self.date,
            "commit": self.commit,
            "machine": self.machine,
            "versions": self.versions,
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_string();
        let unit = match text("unit").as_str() {
            "seconds" => FigureUnit::Seconds,
            "cells a second" => FigureUnit::Cells,
            _ => return None,
        };
        let figures = value["figures"].as_object()?.iter();
        let commands = value["commands"].as_object()?.iter();
        Some(Self {
            unit,
            figures: figures
                .map(|(name, value)| Some((name.clone(), value.as_f64()?)))
                .collect::<Option<_>>()?,
            commands: commands
                .map(|(name, value)| Some((name.clone(), value.as_str()?.to_string())))
                .collect::<Option<_>>()?,
            population: value["population"].as_str().map(str::to_string),
            failure: value["failure"].as_str().map(str::to_string),
            date: text("date"),
            commit: text("commit"),
            machine: text("machine"),
            versions: text("versions"),
        })
    }
}

/// All lines, by the workload's full name.
pub(super) type PerformanceRecord = BTreeMap<String, WorkloadFigures>;

/// What is kept; nothing where nothing is.
pub(super) fn read(root: &Path) -> Result<PerformanceRecord, String> {
    let path = root.join(FILE);
    if !path.exists() {
        return Ok(PerformanceRecord::new());
    }
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{FILE}: {e}"))?;
    let value: Value = serde_json::from_str(&text).map_err(|e| format!("{FILE}: {e}"))?;
    let lines = value
        .as_object()
        .ok_or(format!("{FILE}: expected an object"))?;
    lines
        .iter()
        .map(|(name, line)| {
            let line =
                WorkloadFigures::from_json(line).ok_or(format!("{FILE}: {name} is no line"))?;
            Ok((name.clone(), line))
        })
        .collect()
}

pub(super) fn write(root: &Path, record: &PerformanceRecord) -> Result<(), String> {
    let lines: Map<String, Value> = record
        .iter()
        .map(|(name, line)| (name.clone(), line.json()))
        .collect();
    let text = serde_json::to_string_pretty(&lines).map_err(|e| e.to_string())?;
    std::fs::write(root.join(FILE), text + "\n").map_err(|e| format!("{FILE}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let mut line = WorkloadFigures::new(FigureUnit::Cells);
        line.figures.insert("ours".into(), 2e11);
        line.figures.insert("bgolly".into(), 0.25);
        line.commands
            .insert("ours".into(), "gridpaper run x".into());
        line.population = Some("12".into());
        line.date = "2026-01-02".into();
        assert_eq!(WorkloadFigures::from_json(&line.json()).unwrap(), line);
        line.failure = Some("died".into());
        assert_eq!(WorkloadFigures::from_json(&line.json()).unwrap(), line);
        assert!(WorkloadFigures::from_json(&json!({})).is_none());
    }
}
