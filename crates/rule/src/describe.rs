//! A rule in words.

use crate::family::{classroom, named_rules};
use crate::{ConfigurationTable, CountTable, Row, Rule, Shape, Topology, Transition, background};
use grid::State;

impl Rule {
    /// The rule in words, several lines without a newline at the end: what it looks at,
    /// when a cell is born, when it survives, what becomes of the rest.
    ///
    /// ```
    /// let life: rule::Rule = "Life".parse()?;
    /// assert!(life.describe().contains("a dead cell comes alive with 3"));
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn describe(&self) -> String {
        let meaning = &self.meaning;
        let mut lines = vec![format!(
            "{}: {}, {} states",
            meaning.text, meaning.family, meaning.states
        )];
        let also = named_rules()
            .iter()
            .filter(|named| named.rule == meaning.text);
        let also: Vec<_> = also
            .map(|named| format!("{} ({})", named.name, named.about))
            .collect();
        if !also.is_empty() {
            lines.push(format!("known as {}", also.join(", ")));
        }
        match meaning.family {
            "Classroom" => {
                let own = classroom::NAMES.iter().find(|n| n.0 == meaning.text);
                lines.extend(own.map(|n| n.2.to_string()));
            }
            "Wolfram" => lines.push(
                "each generation adds a row below: a cell comes alive by the three cells above \
                 it, and stays alive"
                    .into(),
            ),
            _ => self.describe_tables(&mut lines),
        }
        match *meaning.background {
            [0] => {}
            [_] => lines.push("the empty plane is alive, so cells are shown inverted".into()),
            _ => lines.push(
                "the empty plane blinks, so cells are shown inverted in odd generations".into(),
            ),
        }
        lines.extend(describe_topology(&self.topology));
        lines.join("\n")
    }

    fn describe_tables(&self, lines: &mut Vec<String>) {
        let raw = background::raw(&self.meaning);
        let states = self.states();
        match raw {
            Transition::Count(table) => describe_sums(&table, lines),
            Transition::Configuration(table) => describe_configurations(&table, lines),
        }
        if states > 2 {
            let last = states - 1;
            lines.push(match last {
                2 => "a live cell that does not survive is dying (state 2) for a generation".into(),
                _ => {
                    format!("a live cell that does not survive ages through the states 2 to {last}")
                }
            });
        }
        if self.is_checkered() {
            lines.push("cells with odd x + y see the neighbourhood upside down".into());
        }
    }
}

fn describe_sums(table: &CountTable, lines: &mut Vec<String>) {
    let cells = table.neighbourhood.cells();
    let (count, radius) = (cells.len(), table.neighbourhood.radius());
    let own = cells.iter().any(|c| (c.dx, c.dy) == (0, 0));
    let own = if own {
        ", the cell itself among them"
    } else {
        ""
    };
    let plain = cells.iter().all(|c| c.weight == 1);
    let away = match radius {
        1 => "one step away".into(),
        r => format!("up to {r} steps away"),
    };
    let all = matches!(table.neighbourhood.shape(), Shape::Square { .. });
    let which = if all { "all" } else { "the" };
    let how = if plain {
        "counts the live ones of"
    } else {
        "sums the weights of the live ones of"
    };
    lines.push(format!("{how} {which} {count} cells {away}{own}"));
    if table.values.iter().any(|&v| v > 1) || table.values[0] != 0 {
        let values: Vec<_> = table.values.iter().map(ToString::to_string).collect();
        lines.push(format!(
            "each state from 0 on is worth {}",
            values.join(", ")
        ));
    }
    let sums = |row: &Row| -> Vec<i64> {
        let Row::By(next) = row else {
            return Vec::new();
        };
        let alive = (table.least..).zip(next).filter(|n| *n.1 == 1);
        alive.map(|n| n.0).collect()
    };
    push_outcomes(
        lines,
        &list(&sums(&table.rows[0])),
        &list(&sums(&table.rows[1])),
    );
}

fn push_outcomes(lines: &mut Vec<String>, birth: &str, survival: &str) {
    lines.push(match birth {
        "" => "no dead cell ever comes alive".into(),
        with => format!("a dead cell comes alive with {with}"),
    });
    lines.push(match survival {
        "" => "no live cell survives".into(),
        with => format!("a live cell survives with {with}"),
    });
}

/// `2, 4 to 6 or 9`.
fn list(numbers: &[i64]) -> String {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for &n in numbers {
        match runs.last_mut() {
            Some(last) if last.1 + 1 == n => last.1 = n,
            _ => runs.push((n, n)),
        }
    }
    let parts = runs.iter().flat_map(|&(from, to)| match to - from {
        0 => vec![from.to_string()],
        1 => vec![from.to_string(), to.to_string()],
        _ => vec![format!("{from} to {to}")],
    });
    joined(&parts.collect::<Vec<_>>())
}

fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn describe_configurations(table: &ConfigurationTable, lines: &mut Vec<String>) {
    lines.push("looks at how the live ones of the 8 cells around lie".into());
    let outcome = |state: State| {
        let row = &table.rows[usize::from(state)];
        let mut parts = Vec::new();
        for count in 0..=8 {
            let own = usize::from(state) << 4;
            let same = (0..512_usize).filter(|c| c & 16 == own);
            let same = same.filter(|c| (c & !16).count_ones() == count);
            let (mut all, mut alive) = (0, 0);
            for configuration in same {
                all += 1;
                alive += u32::from(row.get(configuration) == 1);
            }
            if alive == all {
                parts.push(count.to_string());
            } else if alive > 0 {
                parts.push(format!("{count} in {alive} of {all} arrangements"));
            }
        }
        joined(&parts)
    };
    push_outcomes(lines, &outcome(0), &outcome(1));
}

fn describe_topology(topology: &Topology) -> Option<String> {
    let (w, h) = topology.size();
    let side = |n: u64| {
        if n == 0 {
            "endless".into()
        } else {
            n.to_string()
        }
    };
    let size = format!("{} by {} cells", side(w), side(h));
    match topology {
        Topology::Unbounded => None,
        Topology::Plane { .. } => Some(format!("on {size}, with nothing alive outside")),
        Topology::Torus { shift: None, .. } => {
            Some(format!("on {size}, each edge joined to the opposite one"))
        }
        Topology::Torus { .. } => Some(format!(
            "on {size}, each edge joined to the opposite one, one pair shifted"
        )),
        Topology::Klein { .. } => Some(format!(
            "on {size}, a Klein bottle: one pair of edges is joined with a twist"
        )),
        Topology::CrossSurface { .. } => Some(format!(
            "on {size}, a cross-surface: both pairs of edges are joined with a twist"
        )),
        Topology::Sphere { .. } => Some(format!(
            "on {size}, a sphere: top and left edge are joined, bottom and right"
        )),
    }
}
