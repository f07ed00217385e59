//! `docs/performance.md`, made from the figures.

use super::measurement::TIMES;
use super::record::{FigureUnit, PerformanceRecord, WorkloadFigures};
use super::verdict::{advantage, all_met, mean, means};
use super::workload::{FigureTarget, PeerWorkload, WORKLOADS, WorkloadGroup};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Where it is, seen from the root.
pub(super) const FILE: &str = "docs/performance.md";

pub(super) fn write(root: &Path, record: &PerformanceRecord) -> Result<(), String> {
    std::fs::write(root.join(FILE), text(record)).map_err(|e| format!("{FILE}: {e}"))
}

/// The whole page.
pub(super) fn text(record: &PerformanceRecord) -> String {
    let mut page = format!(
        "# Performance\n\n\
         What this program takes for its work, and what others take for the same work, on one\n\
         machine and in one run each. `cargo xtask peers` measures it and writes this page and\n\
         `performance.json` beside it; with names, as in `cargo xtask peers torus` or\n\
         `cargo xtask peers hashlife/gemini`, it does these alone and leaves the other lines as\n\
         they are. It says what it does not find, and goes on without.\n\n\
         The others are [Golly](https://golly.sourceforge.io)'s batch program `bgolly` and\n\
         [lifelib](https://gitlab.com/apgoucher/lifelib), which a small driver\n\
         (`xtask/src/peers/lifelib.cpp`) runs. One thread each, pinned to one core, processor\n\
         time, the median of {TIMES}, ours and theirs in turn; before each run the machine's\n\
         memory is touched once, since a virtual machine is slow to be lent it. All of them end\n\
         with the same population, or there is no figure.\n\n"
    );
    let machines = machines(record);
    match machines[..] {
        [one] => {
            let _ = writeln!(page, "Machine: {one}.\n");
        }
        _ => {
            page += "Machines, of which each line names its own:\n\n";
            for (i, machine) in machines.iter().enumerate() {
                let _ = writeln!(page, "{}. {machine}", i + 1);
            }
            page.push('\n');
        }
    }
    let versions: BTreeSet<&str> = record.values().map(|line| line.versions.as_str()).collect();
    let versions: Vec<&str> = versions.into_iter().collect();
    let _ = writeln!(page, "Programs: {}.\n", versions.join("; "));
    for group in WorkloadGroup::ALL {
        let lines = WORKLOADS.iter().filter(|w| w.group == group);
        let lines: Vec<(&PeerWorkload, &WorkloadFigures)> = lines
            .filter_map(|w| record.get(&w.full_name()).map(|line| (w, line)))
            .collect();
        if !lines.is_empty() {
            page += &section(record, group, &lines);
        }
    }
    page
}

/// Every machine that something was measured on, once.
fn machines(record: &PerformanceRecord) -> Vec<&str> {
    let machines: BTreeSet<&str> = record.values().map(|line| line.machine.as_str()).collect();
    machines.into_iter().collect()
}

/// What stands over a group's table, and under its title.
fn prose(group: WorkloadGroup) -> (&'static str, &'static str) {
    match group {
        WorkloadGroup::Hashlife => (
            "Hashing",
            "Whole runs, from the program's start to its end: reading the file, all generations \
             in one leap, counting.",
        ),
        WorkloadGroup::Memory => (
            "Hashing in little memory",
            "With as much memory as it likes, and with `--memory` at a quarter of what it then \
             took at its peak. The cap holds if the process stays below it and 64 MiB: the \
             program itself, the file, and the pattern before it becomes a world.",
        ),
        WorkloadGroup::Multistate => (
            "Hashing with more states",
            "Whole runs of rules that are tables in files.",
        ),
        WorkloadGroup::Plane => (
            "The plane",
            "Stepping alone, without reading the file: soups on the unbounded plane, and \
             methuselahs to the generation at which they settle.",
        ),
        WorkloadGroup::Torus => (
            "Dense worlds",
            "Thousand millions of cells a second, of soups on a torus. Ours runs for half a \
             second, since its cost is the same whatever lives; the others run the generations \
             in their commands, since theirs is not. With rules that are large tables ours runs as \
             many as bgolly: rows that rest are not stepped there.",
        ),
        WorkloadGroup::Radius => (
            "Large neighbourhoods",
            "The same, for rules that see far: the cost of a cell hardly grows with the radius.",
        ),
        WorkloadGroup::Edges => (
            "Edges",
            "Life on 4096 x 4096 cells whose edges are joined in other ways than a torus's, and \
             the plain torus of that size.",
        ),
        WorkloadGroup::Threads => (
            "Threads",
            "Stepping alone, by the clock, with one thread and with two.",
        ),
        WorkloadGroup::Loading => (
            "Reading, and odd steps",
            "Whole runs: a large macrocell file read and counted; and one pattern in steps of a \
             power of two and in as many odd ones.",
        ),
        WorkloadGroup::Census => (
            "Census",
            "Soups run until they settle, and their ash counted, beside apgluxe (apgsearch 5.2) \
             as compiled for each rule: whole runs. Of Life's soups both find equally many objects. \
             The others are ours alone: exact settling, many states, five times as many soups, two \
             threads.",
        ),
    }
}

fn section(
    record: &PerformanceRecord,
    group: WorkloadGroup,
    lines: &[(&PeerWorkload, &WorkloadFigures)],
) -> String {
    let (title, prose) = prose(group);
    let machines = machines(record);
    let mut text = format!("## {title}\n\n{prose}\n\n");
    let figures: BTreeSet<&str> = lines
        .iter()
        .flat_map(|(_, line)| line.figures.keys().map(String::as_str))
        .collect();
    let columns = columns(group, &figures);
    let mut head = vec![format!("`{}/…`", group.name()), "what".into()];
    head.extend(columns.iter().map(|column| column.title(lines[0].1.unit)));
    head.extend(["target", "met", "measured"].map(String::from));
    let _ = writeln!(text, "| {} |", head.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(head.len()));
    for (workload, line) in lines {
        let what = match workload.what.len() > 44 {
            true => &workload.what[..16],
            false => workload.what,
        };
        let mut row = vec![workload.name.into(), what.to_string()];
        row.extend(columns.iter().map(|column| column.cell(line)));
        let targets: Vec<String> = workload.targets.iter().map(|&t| asked(t, group)).collect();
        row.push(targets.join(", "));
        row.push(match (&line.failure, all_met(workload.targets, line)) {
            (Some(why), _) => format!("**no**: {}", why.replace('|', "/")),
            (None, Some(true)) => "yes".into(),
            (None, Some(false)) => "**no**".into(),
            (None, None) => "–".into(),
        });
        let machine = machines.iter().position(|&machine| machine == line.machine);
        let on = match machine {
            Some(i) if machines.len() > 1 => format!(" on {}", i + 1),
            _ => String::new(),
        };
        row.push(format!("{} at {}{on}", line.date, line.commit));
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text.push('\n');
    for (than, times) in means(group) {
        if let Some((mean, count)) = mean(record, group, than) {
            let met = if mean >= times { "met" } else { "**not met**" };
            let _ = writeln!(
                text,
                "Geometric mean over {count} patterns: {mean:.2} times {than}'s speed (target \
                 {times}: {met}).\n"
            );
        }
    }
    let (_, first) = lines[0];
    if !first.commands.is_empty() {
        let _ = writeln!(text, "As in:\n\n```text");
        for (name, command) in &first.commands {
            let _ = writeln!(text, "{name}: {command}");
        }
        text += "```\n\n";
    }
    text
}

enum PerformanceColumn<'a> {
    Figure(&'a str),
    /// How many times as fast as somebody.
    Times(&'a str),
    /// One figure divided by another.
    Share(&'a str, &'a str),
}

/// The columns of a group: figures, then what is made of them.
fn columns<'a>(group: WorkloadGroup, there: &BTreeSet<&'a str>) -> Vec<PerformanceColumn<'a>> {
    let order: &[&'static str] = match group {
        WorkloadGroup::Memory => &["ours", "capped", "ours peak", "cap", "capped peak"],
        WorkloadGroup::Hashlife => &[
            "ours",
            "bgolly",
            "lifelib",
            "ours peak",
            "bgolly peak",
            "lifelib peak",
        ],
        WorkloadGroup::Threads => &["one thread", "two threads"],
        WorkloadGroup::Loading => &["ours", "odd"],
        WorkloadGroup::Edges => &["ours", "plain"],
        WorkloadGroup::Census => &[
            "ours",
            "apgluxe",
            "exact",
            "five times",
            "one thread",
            "two threads",
            "ours peak",
            "five times peak",
        ],
        _ => &["ours", "bgolly", "lifelib"],
    };
    let found = |name: &str| there.get(name).copied();
    let mut columns: Vec<PerformanceColumn<'a>> = order
        .iter()
        .filter_map(|n| found(n))
        .map(PerformanceColumn::Figure)
        .collect();
    let times = ["bgolly", "lifelib", "apgluxe"]
        .into_iter()
        .filter_map(found);
    columns.extend(times.map(PerformanceColumn::Times));
    let shares = [
        ("ours peak", "bgolly peak"),
        ("capped", "ours"),
        ("ours", "plain"),
        ("one thread", "two threads"),
        ("odd", "ours"),
        ("exact", "ours"),
        ("five times peak", "ours peak"),
    ];
    let shares = shares.iter().filter_map(|&(one, other)| {
        let drawn = group != WorkloadGroup::Memory || one == "capped";
        Some(PerformanceColumn::Share(found(one)?, found(other)?)).filter(|_| drawn)
    });
    columns.extend(shares);
    columns
}

impl PerformanceColumn<'_> {
    fn title(&self, unit: FigureUnit) -> String {
        match *self {
            Self::Figure(name) if is_bytes(name) => format!("{name}, MiB"),
            Self::Figure(name) => match unit {
                FigureUnit::Seconds => format!("{name}, s"),
                FigureUnit::Cells => format!("{name}, 10^9/s"),
            },
            Self::Times(than) => format!("× {than}"),
            Self::Share(one, other) => format!("{one} / {other}"),
        }
    }

    fn cell(&self, line: &WorkloadFigures) -> String {
        let figure = |name: &str| line.figures.get(name).copied();
        let value = match *self {
            Self::Figure(name) if is_bytes(name) => figure(name).map(|bytes| bytes / 1_048_576.0),
            Self::Figure(name) => figure(name).map(|value| match line.unit {
                FigureUnit::Seconds => value,
                FigureUnit::Cells => value / 1e9,
            }),
            Self::Times(than) => advantage(line, than),
            Self::Share(one, other) => figure(one).zip(figure(other)).map(|(a, b)| a / b),
        };
        value.map_or("–".into(), digits)
    }
}

fn is_bytes(name: &str) -> bool {
    name.ends_with("peak") || name == "cap"
}

/// Three digits that count.
fn digits(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v => format!("{v:.4}"),
    }
}

/// A target in words.
fn asked(target: FigureTarget, group: WorkloadGroup) -> String {
    match target {
        FigureTarget::Times(than, times) => format!("{times} × {than}"),
        FigureTarget::Most(name, most) if is_bytes(name) => {
            format!("{name} ≤ {:.0} MiB", most / 1_048_576.0)
        }
        FigureTarget::Most(_, most) => format!("≤ {most} s"),
        FigureTarget::Least(_, least) => format!("≥ {}", least / 1e9),
        FigureTarget::MostOf("two threads", share, _) => format!("{:.1} ×", 1.0 / share),
        FigureTarget::MostOf("ours peak", share, _) => format!("memory ≤ {share}"),
        FigureTarget::MostOf(_, times, _) => format!("≤ {times}"),
        FigureTarget::LeastOf(_, times, _) => format!("≥ {times:.2}"),
        FigureTarget::MostAbove(..) if group == WorkloadGroup::Memory => "the cap kept".into(),
        FigureTarget::MostAbove(name, other, _) => format!("{name} below {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_figures_ratios_and_verdicts() {
        let mut line = WorkloadFigures::new(FigureUnit::Seconds);
        line.figures.insert("ours".into(), 0.5);
        line.figures.insert("bgolly".into(), 4.0);
        line.figures.insert("ours peak".into(), 1_048_576.0 * 80.0);
        line.figures
            .insert("bgolly peak".into(), 1_048_576.0 * 100.0);
        line.date = "2026-01-02".into();
        line.commit = "abcdef0".into();
        line.machine = "a machine".into();
        let record = PerformanceRecord::from([("hashlife/gemini".to_string(), line)]);
        let page = text(&record);
        let row = page.lines().find(|line| line.starts_with("| gemini"));
        assert_eq!(
            row.unwrap(),
            "| gemini | 2^17 generations | 0.5000 | 4.00 | 80.0 | 100 | 8.00 | 0.8000 | \
             1 × bgolly, 1 × lifelib, memory ≤ 0.6 | **no** | 2026-01-02 at abcdef0 |"
        );
        assert!(page.contains("over 1 patterns: 8.00 times bgolly's speed (target 4.5: met)"));
        assert!(page.contains("Machine: a machine."));
        assert!(!page.contains("## The plane"));
    }

    #[test]
    fn where_there_are_several_machines_each_line_names_its_own() {
        let line = |machine: &str| {
            let mut line = WorkloadFigures::new(FigureUnit::Seconds);
            line.date = "2026-01-02".into();
            line.commit = "abcdef0".into();
            line.machine = machine.into();
            line
        };
        let page = text(&PerformanceRecord::from([
            ("plane/justyna".to_string(), line("one")),
            ("hashlife/gemini".to_string(), line("another")),
        ]));
        assert!(page.contains("\n1. another\n2. one\n\n"), "{page}");
        for (name, on) in [("gemini", "on 1"), ("justyna", "on 2")] {
            let row = page
                .lines()
                .find(|row| row.starts_with(&format!("| {name}")));
            let end = format!("| 2026-01-02 at abcdef0 {on} |");
            assert!(row.unwrap().ends_with(&end), "{page}");
        }
    }

    #[test]
    fn what_failed_says_why() {
        let mut line = WorkloadFigures::new(FigureUnit::Seconds);
        line.failure = Some("5 cells from ours, 6 from bgolly".into());
        let page = text(&PerformanceRecord::from([(
            "plane/justyna".to_string(),
            line,
        )]));
        assert!(
            page.contains("**no**: 5 cells from ours, 6 from bgolly"),
            "{page}"
        );
    }
}
