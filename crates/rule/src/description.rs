//! A rule in words.

use crate::family::ring::LifelikeNeighbourhood;
use crate::family::{
    classroom, colour, labels, margolus, named_rules, neumann, partitions, wireworld,
};
use crate::{
    ConfigurationTable, CountTable, LookupTable, Rule, Shape, Topology, Transition, TransitionRow,
    background,
};
use grid::State;

impl Rule {
    /// The rule in words, several lines without a newline at the end: its neighbourhood, when a
    /// cell is born, when it survives, and what happens otherwise.
    ///
    /// ```
    /// let life: rule::Rule = "Life".parse()?;
    /// assert!(life.explain().contains("a dead cell comes alive with 3"));
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn explain(&self) -> String {
        let definition = &self.definition;
        let mut lines = vec![format!(
            "{}: {}, {} states",
            definition.text, definition.family, definition.states
        )];
        let also = named_rules()
            .iter()
            .filter(|named| named.rule == definition.text);
        let also: Vec<_> = also
            .map(|named| format!("{} ({})", named.name, named.about))
            .collect();
        if !also.is_empty() {
            lines.push(format!("known as {}", also.join(", ")));
        }
        match definition.family {
            "Classroom" => {
                let own = classroom::NAMES.iter().find(|n| n.0 == definition.text);
                lines.extend(own.map(|n| n.2.to_string()));
            }
            "Wolfram" => lines.push(
                "each generation adds a row below: a cell comes alive by the three cells above \
                 it, and stays alive"
                    .into(),
            ),
            "Colours" => lines.extend(colour::describe(definition.states)),
            "WireWorld" => lines.extend(wireworld::describe()),
            "History" | "Super" | "Investigator" => {
                lines.extend(labels::describe(&definition.text))
            }
            crate::custom_rule::FAMILY => lines.extend(crate::custom_rule::describe(self)),
            "Margolus" => lines.extend(margolus::describe(&definition.text)),
            "Partitioned" => lines.extend(partitions::describe(&definition.text)),
            "Von Neumann's automaton" => lines.extend(neumann::describe(&definition.text)),
            "Alternating" => {
                let turns = ["from even generations to odd ones", "from odd to even"];
                for (part, turn) in definition.text.split('|').zip(turns) {
                    let part: Result<Rule, _> = part.parse();
                    let words = part.map(|part| part.explain()).unwrap_or_default();
                    let words = words.replace('\n', "\n  ");
                    lines.push(format!("{turn}:\n  {words}"));
                }
            }
            _ => self.describe_tables(&mut lines),
        }
        match *definition.background {
            [0] if self.fills_plane() => lines.push(
                "what is empty comes alive by itself: on bounded grids alone, where the outside \
                 stays empty"
                    .into(),
            ),
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
        let states = self.states();
        match &background::raw_tables(&self.definition)[0] {
            Transition::Count(table) => describe_sums(table, lines),
            Transition::Configuration(table) => describe_configurations(table, lines),
            Transition::Lookup(table) => {
                self.describe_lookup(table, lines);
                return;
            }
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

    fn describe_lookup(&self, table: &LookupTable, lines: &mut Vec<String>) {
        let around = table.offsets().len() - 1;
        lines.push(match (self.phases(), self.time_period()) {
            (4, 1 | 2) => {
                "a table turns blocks of 2 by 2 cells into others; the blocks move by one \
                           cell right and down from even generations to odd ones, and back"
                    .into()
            }
            (4, times) => format!(
                "a table turns blocks of 2 by 2 cells into others; the blocks stand at one of \
                 {times} places in each generation, in turn"
            ),
            _ => format!(
                "a table gives the next state for the states of the cell and the {around} around it"
            ),
        });
        if self.phases() == 2 {
            lines.push(
                "the table is for cells with odd x + y; the others see their neighbours turned by half"
                    .into(),
            );
        }
        let named = |state: u16| {
            Some(format!(
                "{state} {}",
                self.appearance()?.name(state as State)?
            ))
        };
        let names: Vec<String> = (0..self.states()).filter_map(named).collect();
        if !names.is_empty() {
            lines.push(format!("the states are {}", names.join(", ")));
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
    let sums = |row: &TransitionRow| -> Vec<i64> {
        let TransitionRow::By(next) = row else {
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
    let rings = [
        LifelikeNeighbourhood::VonNeumann,
        LifelikeNeighbourhood::Hexagonal,
    ];
    let ring = rings.into_iter().find(|ring| ignores_others(table, *ring));
    let ring = ring.unwrap_or(LifelikeNeighbourhood::Moore);
    let size = ring.size();
    lines.push(format!(
        "looks at how the live ones of the {size} cells around lie"
    ));
    let mut lettered = false;
    let mut outcome = |state: State| {
        let counts = 0..=size;
        let parts = counts.filter_map(|count| arrangements(table, ring, state, count));
        let parts: Vec<_> = parts.collect();
        lettered |= parts.iter().any(|part| part.ends_with(')'));
        joined(&parts)
    };
    let (birth, survival) = (outcome(0), outcome(1));
    push_outcomes(lines, &birth, &survival);
    if lettered {
        let whose = match ring {
            LifelikeNeighbourhood::Hexagonal => "letters: o side by side, m one apart, p opposite",
            _ => "letters are Alan Hensel's, for how so many neighbours can lie",
        };
        lines.push(whose.into());
    }
}

/// Whether cells outside the ring make no difference.
fn ignores_others(table: &ConfigurationTable, ring: LifelikeNeighbourhood) -> bool {
    let seen = usize::from(ring.mask() | 16);
    let mut rows = table.rows.iter().take(2);
    rows.all(|row| (0..512).all(|c| row.get(c) == row.get(c & seen)))
}

/// Describes which arrangements of `count` live neighbours leave a cell alive; `None` when none
/// do.
fn arrangements(
    table: &ConfigurationTable,
    ring: LifelikeNeighbourhood,
    state: State,
    count: u32,
) -> Option<String> {
    let row = &table.rows[usize::from(state)];
    let own = u16::from(state) << 4;
    // by letter: how many arrangements there are, and how many live
    let mut letters = vec![(0, 0); ring.letters(count).len().max(1)];
    let seen = (0..512_u16).filter(|c| c & !(ring.mask() | 16) == 0 && c & 16 == own);
    for configuration in seen {
        let (n, letter) = ring.class(configuration);
        if n == count {
            let (all, alive) = &mut letters[letter as usize];
            *all += 1;
            *alive += u32::from(row.get(usize::from(configuration)) == 1);
        }
    }
    let total: (u32, u32) = letters.iter().fold((0, 0), |t, l| (t.0 + l.0, t.1 + l.1));
    if total.1 == 0 {
        return None;
    }
    if total.0 == total.1 {
        return Some(count.to_string());
    }
    if letters
        .iter()
        .any(|&(all, alive)| alive != 0 && alive != all)
    {
        return Some(format!(
            "{count} in {} of {} arrangements",
            total.1, total.0
        ));
    }
    let of = |alive: bool| {
        let names = ring.letters(count).chars().zip(&letters);
        let names = names.filter(|(_, l)| (l.1 > 0) == alive);
        names.map(|(name, _)| name.to_string()).collect::<Vec<_>>()
    };
    let (yes, no) = (of(true), of(false));
    Some(if no.len() < yes.len() {
        format!("{count} (not as {})", no.join(", "))
    } else {
        format!("{count} (as {})", yes.join(", "))
    })
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

#[cfg(test)]
mod tests {
    use crate::Rule;

    #[test]
    fn a_line_of_each_kind() {
        let rows = [
            ("Life", "known as Life (Conway's Game of Life)"),
            ("Life", "a live cell survives with 2 or 3"),
            ("B03/S23", "a dead cell comes alive with 0 or 3"),
            ("B03/S23", "the empty plane blinks"),
            (
                "B0123478/S01234678",
                "a live cell survives with 0 to 4 or 6 to 8",
            ),
            ("B0123478/S01234678", "the empty plane is alive"),
            ("B2-a/S12", "comes alive with 2 (not as a)"),
            ("B2ce/S", "comes alive with 2 (as c, e)"),
            ("B2ce/S", "no live cell survives"),
            ("B2o/S2m34H", "survives with 2 (as m), 3 or 4"),
            ("MAPHmlphg", "of the 4 cells around"),
            ("345/2/4", "ages through the states 2 to 3"),
            ("/2/3", "dying (state 2) for a generation"),
            (
                "R5,C2,M1,S34..58,B34..45,NM",
                "all 121 cells up to 5 steps away, the cell itself",
            ),
            ("R2,C2,S2-4,B3,NL", "upside down"),
            ("R1,C3,S2,B3,NW111101111,012", "worth 0, 1, 2"),
            ("W57", "the three cells above"),
            ("23/03/4", "on bounded grids alone"),
            (
                "2PCA4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15",
                "of a part alone: 1 gives 4, 2 gives 8",
            ),
            ("Hutton32", "draws back"),
            (
                "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
                "the number of live cells stays",
            ),
            ("QuadLife", "three different ones make the fourth"),
            ("NW2,HI4,RS1,RB3", "ages through the states 2 to 3"),
            ("B456/S34L", "the 12 cells up to 2 steps away"),
            ("B2/S|Life", "from odd to even:\n  B3/S23: Life-like"),
            ("colorised", "in red and blue"),
            ("Life:K20*,30", "on 20 by 30 cells, a Klein bottle"),
            ("Life:T0,30", "on endless by 30 cells"),
        ];
        for (text, line) in rows {
            let words = text.parse::<Rule>().unwrap().explain();
            assert!(words.contains(line), "{text}: {words}");
            assert!(!words.ends_with('\n'));
        }
    }
}
