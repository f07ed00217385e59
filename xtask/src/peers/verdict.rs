//! Targets held against figures.

use super::record::{Line, Record, Unit};
use super::workload::{Group, MEANS, Target, WORKLOADS};

/// Whether a target is met; nothing where a figure is missing.
pub(super) fn is_met(target: Target, line: &Line) -> Option<bool> {
    if line.failure.is_some() {
        return Some(false);
    }
    let figure = |name: &str| line.figures.get(name).copied();
    Some(match target {
        Target::Times(than, times) => advantage(line, than)? >= times,
        Target::Most(name, most) => figure(name)? <= most,
        Target::Least(name, least) => figure(name)? >= least,
        Target::MostOf(name, times, other) => figure(name)? <= times * figure(other)?,
        Target::LeastOf(name, times, other) => figure(name)? >= times * figure(other)?,
        Target::MostAbove(name, other, above) => figure(name)? <= figure(other)? + above,
    })
}

/// Whether all of a workload's targets are met, as far as can be told: nothing where it has
/// none, or none has figures.
pub(super) fn all_met(targets: &[Target], line: &Line) -> Option<bool> {
    let told: Vec<bool> = targets.iter().filter_map(|&t| is_met(t, line)).collect();
    (!told.is_empty()).then(|| told.iter().all(|&met| met))
}

/// How many times as fast ours is.
pub(super) fn advantage(line: &Line, than: &str) -> Option<f64> {
    let (ours, theirs) = (line.figures.get("ours")?, line.figures.get(than)?);
    Some(match line.unit {
        Unit::Seconds => theirs / ours,
        Unit::Cells => ours / theirs,
    })
}

/// The geometric mean of our advantage over a group, and of how many workloads.
pub(super) fn mean(record: &Record, group: Group, than: &str) -> Option<(f64, usize)> {
    let lines = WORKLOADS.iter().filter(|w| w.group == group);
    let lines = lines.filter_map(|workload| record.get(&workload.full_name()));
    let advantages: Vec<f64> = lines.filter_map(|line| advantage(line, than)).collect();
    let count = advantages.len();
    let sum: f64 = advantages.iter().map(|a| a.ln()).sum();
    (count > 0).then(|| ((sum / count as f64).exp(), count))
}

/// The targets of a group's mean.
pub(super) fn means(group: Group) -> impl Iterator<Item = (&'static str, f64)> {
    let means = MEANS.iter().filter(move |mean| mean.0 == group);
    means.map(|&(_, than, times)| (than, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(unit: Unit, figures: &[(&str, f64)]) -> Line {
        let mut line = Line::new(unit);
        let figures = figures
            .iter()
            .map(|&(name, value)| (name.to_string(), value));
        line.figures.extend(figures);
        line
    }

    #[test]
    fn targets_know_what_is_better() {
        let seconds = line(
            Unit::Seconds,
            &[("ours", 2.0), ("bgolly", 9.0), ("ours peak", 6.0)],
        );
        let cells = line(Unit::Cells, &[("ours", 2.0), ("bgolly", 9.0)]);
        for (target, of, expected) in [
            (Target::Times("bgolly", 4.5), &seconds, Some(true)),
            (Target::Times("bgolly", 4.6), &seconds, Some(false)),
            (Target::Times("bgolly", 0.3), &cells, Some(false)),
            (Target::Times("lifelib", 1.0), &cells, None),
            (Target::Most("ours", 2.0), &seconds, Some(true)),
            (Target::Most("ours", 1.9), &seconds, Some(false)),
            (Target::Least("ours", 2.1), &cells, Some(false)),
            (
                Target::MostOf("ours peak", 0.6, "bgolly"),
                &seconds,
                Some(false),
            ),
            (Target::LeastOf("bgolly", 4.0, "ours"), &cells, Some(true)),
            (
                Target::MostAbove("bgolly", "ours", 7.0),
                &seconds,
                Some(true),
            ),
            (
                Target::MostAbove("bgolly", "ours", 6.5),
                &seconds,
                Some(false),
            ),
        ] {
            assert_eq!(is_met(target, of), expected);
        }
    }

    #[test]
    fn what_failed_meets_nothing() {
        let mut line = line(Unit::Seconds, &[("ours", 0.1)]);
        line.failure = Some("5 cells from ours, 6 from bgolly".into());
        assert_eq!(all_met(&[Target::Most("ours", 0.5)], &line), Some(false));
        assert_eq!(all_met(&[], &line), None);
    }

    #[test]
    fn a_mean_is_of_all_that_there_are() {
        let mut record = Record::new();
        let figures = [("ours", 1.0), ("bgolly", 2.0)];
        record.insert("hashlife/jagged".into(), line(Unit::Seconds, &figures));
        let figures = [("ours", 1.0), ("bgolly", 8.0)];
        record.insert("hashlife/gemini".into(), line(Unit::Seconds, &figures));
        let (mean, count) = mean(&record, Group::Hashlife, "bgolly").unwrap();
        assert_eq!(count, 2);
        assert!((mean - 4.0).abs() < 1e-9);
    }
}
