//! Targets held against figures.

use super::contest::before;
use super::record::{FigureUnit, PerformanceRecord, WorkloadFigures};
use super::workload::{FigureTarget, MEANS, WORKLOADS, WorkloadGroup};

/// Whether a target is met; nothing where a figure is missing.
pub(super) fn is_met(target: FigureTarget, line: &WorkloadFigures) -> Option<bool> {
    if line.failure.is_some() {
        return Some(false);
    }
    let figure = |name: &str| line.figures.get(name).copied();
    Some(match target {
        FigureTarget::Times(than, times) => advantage(line, than)? >= times,
        FigureTarget::Most(name, most) => figure(name)? <= most,
        FigureTarget::Least(name, least) => figure(name)? >= least,
        FigureTarget::MostOf(name, times, other) => figure(name)? <= times * figure(other)?,
        FigureTarget::LeastOf(name, times, other) => figure(name)? >= times * figure(other)?,
        FigureTarget::MostAbove(name, other, above) => figure(name)? <= figure(other)? + above,
    })
}

/// Whether all of a workload's targets are met, as far as can be told: nothing where it has
/// none, or none has figures.
pub(super) fn all_met(targets: &[FigureTarget], line: &WorkloadFigures) -> Option<bool> {
    let told: Vec<bool> = targets.iter().filter_map(|&t| is_met(t, line)).collect();
    (!told.is_empty()).then(|| told.iter().all(|&met| met))
}

/// How many times as fast ours is.
pub(super) fn advantage(line: &WorkloadFigures, than: &str) -> Option<f64> {
    let (ours, theirs) = (line.figures.get("ours")?, line.figures.get(than)?);
    Some(match line.unit {
        FigureUnit::Seconds => theirs / ours,
        FigureUnit::Cells => ours / theirs,
    })
}

/// How many times as fast each of our figures is as what another build made.
pub(super) fn ratios_to_before(line: &WorkloadFigures) -> impl Iterator<Item = f64> {
    let timed = line
        .figures
        .iter()
        .filter(|(name, _)| !name.ends_with("peak"));
    timed.filter_map(|(name, &now)| {
        let before = *line.figures.get(&before(name))?;
        Some(match line.unit {
            FigureUnit::Seconds => before / now,
            FigureUnit::Cells => now / before,
        })
    })
}

/// The geometric mean of the ratios, and the least of them.
pub(super) fn summary(ratios: &[(f64, String)]) -> String {
    let Some((least, name)) = ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0)) else {
        return "nothing was measured".into();
    };
    let sum: f64 = ratios.iter().map(|ratio| ratio.0.ln()).sum();
    let mean = (sum / ratios.len() as f64).exp();
    format!(
        "{} figures: {mean:.3} x the speed before in the geometric mean, least {least:.3} ({name})",
        ratios.len()
    )
}

/// The geometric mean of our advantage over a group, and of how many workloads.
pub(super) fn mean(
    record: &PerformanceRecord,
    group: WorkloadGroup,
    than: &str,
) -> Option<(f64, usize)> {
    let lines = WORKLOADS.iter().filter(|w| w.group == group);
    let lines = lines.filter_map(|workload| record.get(&workload.full_name()));
    let advantages: Vec<f64> = lines.filter_map(|line| advantage(line, than)).collect();
    let count = advantages.len();
    let sum: f64 = advantages.iter().map(|a| a.ln()).sum();
    (count > 0).then(|| ((sum / count as f64).exp(), count))
}

/// The targets of a group's mean.
pub(super) fn means(group: WorkloadGroup) -> impl Iterator<Item = (&'static str, f64)> {
    let means = MEANS.iter().filter(move |mean| mean.0 == group);
    means.map(|&(_, than, times)| (than, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(unit: FigureUnit, figures: &[(&str, f64)]) -> WorkloadFigures {
        let mut line = WorkloadFigures::new(unit);
        let figures = figures
            .iter()
            .map(|&(name, value)| (name.to_string(), value));
        line.figures.extend(figures);
        line
    }

    #[test]
    fn a_ratio_to_another_build_is_above_one_where_ours_is_quicker() {
        let figures = [("ours", 2.0), ("ours before", 3.0), ("ours peak", 9.0)];
        for (unit, expected) in [(FigureUnit::Seconds, 1.5), (FigureUnit::Cells, 2.0 / 3.0)] {
            let ratios: Vec<f64> = ratios_to_before(&line(unit, &figures)).collect();
            assert_eq!(ratios, [expected]);
        }
        let said = summary(&[(2.0, "a".into()), (0.5, "b".into())]);
        assert_eq!(
            said,
            "2 figures: 1.000 x the speed before in the geometric mean, least 0.500 (b)"
        );
    }

    #[test]
    fn targets_know_what_is_better() {
        let seconds = line(
            FigureUnit::Seconds,
            &[("ours", 2.0), ("bgolly", 9.0), ("ours peak", 6.0)],
        );
        let cells = line(FigureUnit::Cells, &[("ours", 2.0), ("bgolly", 9.0)]);
        for (target, of, expected) in [
            (FigureTarget::Times("bgolly", 4.5), &seconds, Some(true)),
            (FigureTarget::Times("bgolly", 4.6), &seconds, Some(false)),
            (FigureTarget::Times("bgolly", 0.3), &cells, Some(false)),
            (FigureTarget::Times("lifelib", 1.0), &cells, None),
            (FigureTarget::Most("ours", 2.0), &seconds, Some(true)),
            (FigureTarget::Most("ours", 1.9), &seconds, Some(false)),
            (FigureTarget::Least("ours", 2.1), &cells, Some(false)),
            (
                FigureTarget::MostOf("ours peak", 0.6, "bgolly"),
                &seconds,
                Some(false),
            ),
            (
                FigureTarget::LeastOf("bgolly", 4.0, "ours"),
                &cells,
                Some(true),
            ),
            (
                FigureTarget::MostAbove("bgolly", "ours", 7.0),
                &seconds,
                Some(true),
            ),
            (
                FigureTarget::MostAbove("bgolly", "ours", 6.5),
                &seconds,
                Some(false),
            ),
        ] {
            assert_eq!(is_met(target, of), expected);
        }
    }

    #[test]
    fn what_failed_meets_nothing() {
        let mut line = line(FigureUnit::Seconds, &[("ours", 0.1)]);
        line.failure = Some("5 cells from ours, 6 from bgolly".into());
        assert_eq!(
            all_met(&[FigureTarget::Most("ours", 0.5)], &line),
            Some(false)
        );
        assert_eq!(all_met(&[], &line), None);
    }

    #[test]
    fn a_mean_is_of_all_that_there_are() {
        let mut record = PerformanceRecord::new();
        let figures = [("ours", 1.0), ("bgolly", 2.0)];
        record.insert(
            "hashlife/jagged".into(),
            line(FigureUnit::Seconds, &figures),
        );
        let figures = [("ours", 1.0), ("bgolly", 8.0)];
        record.insert(
            "hashlife/gemini".into(),
            line(FigureUnit::Seconds, &figures),
        );
        let (mean, count) = mean(&record, WorkloadGroup::Hashlife, "bgolly").unwrap();
        assert_eq!(count, 2);
        assert!((mean - 4.0).abs() < 1e-9);
    }
}
