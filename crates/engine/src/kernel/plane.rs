use super::circuit::{Circuit, Number, Wire};
use super::steps::Steps;
use grid::State;
use rule::{ConfigurationTable, CountTable, Row, Rule, Site, Transition};

/// A rule as boolean logic over planes: a cell's state is a number, and plane p holds bit
/// p of it.
///
/// ```text
/// states     2 1 0        plane 0    . 1 .        plane 1    1 . .
///            0 3 1                   . 1 1                   . 1 .
/// ```
///
/// What a cell counts for, the sums, and the next state are circuits made from the rule's
/// tables, whatever family they came from.
#[derive(Clone, Debug)]
pub(crate) struct PlaneKernel {
    planes: usize,
    radius: usize,
    /// One a phase.
    phases: Vec<Steps>,
    what: &'static str,
}

/// How far a rule may look: as far as the margin of a row of words goes.
const FURTHEST: u32 = 7;

/// Bits of what the cells around are worth, up to which a circuit is tried.
const WORTH: usize = 512;

/// Binary variables of a table of next states, at most.
const VARIABLES: usize = 14;

/// Steps beyond which cells of a byte each are quicker.
const STEPS: usize = 320;

impl PlaneKernel {
    /// For rules that make a circuit of reasonable size and are the same in all places;
    /// none for others.
    pub(crate) fn compile(rule: &Rule) -> Option<Self> {
        if rule.is_checkered() || rule.radius() > FURTHEST {
            return None;
        }
        let planes = (u16::BITS - (rule.states() - 1).leading_zeros()) as usize;
        let mut phases = Vec::new();
        let mut what = "arrangements";
        for generation in 0..rule.time_period() as u64 {
            let site = Site {
                generation,
                ..Site::default()
            };
            let (circuit, next) = match rule.transition(site) {
                Transition::Configuration(table) => arrangement(table, planes)?,
                Transition::Count(table) => {
                    what = "sums";
                    count(table, planes)?
                }
                #[allow(unreachable_patterns, reason = "kinds of tables may yet be added")]
                _ => return None,
            };
            if circuit.cost(&next) > STEPS {
                return None;
            }
            phases.push(Steps::of(&circuit, &next, planes, rule.radius() as usize));
        }
        Some(Self {
            planes,
            radius: rule.radius() as usize,
            phases,
            what,
        })
    }

    #[cfg(test)]
    pub(super) fn phases(&self) -> &[Steps] {
        &self.phases
    }

    /// Bits of a state.
    pub(crate) fn planes(&self) -> usize {
        self.planes
    }

    /// How far a cell sees.
    pub(crate) fn radius(&self) -> usize {
        self.radius
    }

    /// After how many generations the rule repeats.
    pub(crate) fn time_period(&self) -> usize {
        self.phases.len()
    }

    /// Rows that are stepped together: a multiple of these is the least work.
    pub(crate) fn block(&self) -> usize {
        let blocks = self.phases.iter().map(Steps::block);
        blocks.max().unwrap_or(1)
    }

    /// What it is, in words.
    pub(crate) fn describe(&self) -> String {
        let steps: Vec<String> = self.phases.iter().map(|p| p.len().to_string()).collect();
        let planes = match self.planes {
            1 => "1 bit plane".to_owned(),
            n => format!("{n} bit planes"),
        };
        format!(
            "{planes}, {} by {} logic steps over rows of words",
            self.what,
            steps.join(" and ")
        )
    }

    /// Rows of words in which west and east are the words before and after.
    ///
    /// A row of cells is a line of `stride` words for each plane, plane 0 first: some words
    /// that are only looked at, as many as `margin` says, then `words` words of cells, then
    /// as many again that are only looked at. Of n + 2 * radius rows in, n come out.
    pub(crate) fn rows(&self, phase: usize, layout: Layout, seen: &[u64], next: &mut [u64]) {
        self.phases[phase].rows(layout, seen, next);
    }
}

/// How rows lie in memory, see [`PlaneKernel::rows`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Words from line to line.
    pub(crate) stride: usize,
    /// Words before the cells of a line, at least the radius.
    pub(crate) margin: usize,
    /// Words of cells in a line, a multiple of `BitKernel::ROW_UNIT`.
    pub(crate) words: usize,
}

/// The planes of the cell itself.
fn state(circuit: &mut Circuit, planes: usize) -> Number {
    (0..planes).map(|p| circuit.cell(p as u8, 0, 0)).collect()
}

/// What a cell is worth, as a number: `worth` has one entry a state.
fn worth(circuit: &mut Circuit, planes: usize, dx: i32, worth: &[u64]) -> Number {
    let variables: Number = (0..planes).map(|p| circuit.cell(p as u8, dx, 0)).collect();
    let most = worth.iter().copied().max().unwrap_or(0);
    let bits = (u64::BITS - most.leading_zeros()) as usize;
    let mut number = Vec::new();
    for bit in 0..bits {
        let entry = |index: usize| worth.get(index).map(|w| (w >> bit & 1) as u8);
        let table: Vec<Option<u8>> = (0..1 << planes).map(entry).collect();
        number.extend(circuit.decide(&variables, &table, 1));
    }
    number
}

fn arrangement(table: &ConfigurationTable, planes: usize) -> Option<(Circuit, Number)> {
    const CENTRE: usize = 4;
    let mut circuit = Circuit::new();
    let mut variables = state(&mut circuit, planes);
    let counted: Vec<u64> = table.counted.iter().map(|&c| c.into()).collect();
    let around = (0..9).rev().filter(|&k| k != CENTRE);
    for k in around.clone() {
        let (dx, dy) = ConfigurationTable::OFFSETS[k];
        let wire = worth(&mut circuit, planes, dx, &counted);
        variables.push(wire.first().map_or(Wire::ZERO, |w| w.below(dy)));
    }
    if variables.len() > VARIABLES {
        return None;
    }
    let entry = |index: usize| {
        let own = index & ((1 << planes) - 1);
        let row = table.rows.get(own)?;
        let mut seen = usize::from(table.counted[own]) << (8 - CENTRE);
        for (i, k) in around.clone().enumerate() {
            seen |= (index >> (planes + i) & 1) << (8 - k);
        }
        Some(row.get(seen))
    };
    let entries: Vec<Option<State>> = (0..1 << variables.len()).map(entry).collect();
    let next = circuit.decide(&variables, &entries, planes);
    Some((circuit, next))
}

/// A row of a neighbourhood: weights by dx.
type Weights = Vec<(i32, i32)>;

fn count(table: &CountTable, planes: usize) -> Option<(Circuit, Number)> {
    let radius = table.neighbourhood.radius() as i32;
    let mut rows: Vec<Weights> = vec![Vec::new(); 2 * radius as usize + 1];
    for cell in table.neighbourhood.cells() {
        rows[(cell.dy + radius) as usize].push((cell.dx, cell.weight));
    }
    let own = complete(&mut rows, radius);
    // All worths are taken from the least one of their weight, so that none is negative.
    let value = |weight: i32, state: usize| i64::from(weight) * i64::from(table.values[state]);
    let states = 0..table.values.len();
    let least = |weight: i32| states.clone().map(|s| value(weight, s)).min().unwrap_or(0);
    let most = |weight: i32| states.clone().map(|s| value(weight, s)).max().unwrap_or(0);
    let weights = || rows.iter().flatten().map(|(_, weight)| *weight);
    let base: i64 = weights().map(least).sum();
    let span = |weights: &mut dyn Iterator<Item = i32>| -> u64 {
        weights.map(|w| (most(w) - least(w)).unsigned_abs()).sum()
    };
    let greatest = span(&mut weights());
    let bits = (u64::BITS - greatest.leading_zeros()) as usize;
    let worths = weights().map(|w| (u64::BITS - (most(w) - least(w)).leading_zeros()) as usize);
    if bits + planes > VARIABLES || worths.sum::<usize>() > WORTH {
        return None;
    }
    let mut circuit = Circuit::new();
    let mut variables = state(&mut circuit, planes);
    let sums: Vec<(Number, u64)> = rows
        .iter()
        .map(|row| {
            let numbers: Vec<Number> = row
                .iter()
                .map(|&(dx, weight)| {
                    let above = |s: usize| (value(weight, s) - least(weight)).unsigned_abs();
                    let by_state: Vec<u64> = states.clone().map(above).collect();
                    worth(&mut circuit, planes, dx, &by_state)
                })
                .collect();
            let most = span(&mut row.iter().map(|(_, weight)| *weight));
            (circuit.sum(&numbers, most), most)
        })
        .collect();
    variables.extend(add_rows(&mut circuit, &sums, greatest));
    let entry = |index: usize| {
        let state = index & ((1 << planes) - 1);
        match table.rows.get(state)? {
            Row::Constant(next) => Some(*next),
            Row::By(next) => {
                let sum = (index >> planes) as i64 + base - value(own, state) - table.least;
                next.get(usize::try_from(sum).ok()?).copied()
            }
        }
    };
    let entries: Vec<Option<State>> = (0..1 << variables.len()).map(entry).collect();
    let next = circuit.decide(&variables, &entries, planes);
    Some((circuit, next))
}

/// Counts the cell itself with the weight of the cell above it where that makes its row
/// equal to the one above, and returns that weight: the row is then summed once for both,
/// and the table knows what to take off again.
fn complete(rows: &mut [Weights], radius: i32) -> i32 {
    let here = radius as usize;
    let Some(above) = here.checked_sub(1) else {
        return 0;
    };
    let mut missing = rows[above].iter().filter(|cell| !rows[here].contains(cell));
    match (missing.next().copied(), missing.next()) {
        (Some((0, weight)), None) if rows[above].len() == rows[here].len() + 1 => {
            rows[here] = rows[above].clone();
            weight
        }
        _ => 0,
    }
}

/// The sum of all rows' sums, each with the most that it can be.
fn add_rows(circuit: &mut Circuit, rows: &[(Number, u64)], greatest: u64) -> Number {
    let radius = (rows.len() / 2) as i32;
    let moved = |number: &Number, rows: i32| number.iter().map(|w| w.below(rows)).collect();
    let all: Vec<Number> = (-radius..=radius)
        .zip(rows)
        .map(|(dy, (number, _))| moved(number, dy))
        .collect();
    let mut direct = circuit.clone();
    let sum = direct.sum(&all, greatest);
    // Where all rows are alike, two rows' sum serves the next four, and so on.
    let (row, most) = &rows[0];
    if rows.iter().all(|other| other.0 == *row) {
        let mut doubled = circuit.clone();
        let mut parts: Vec<Number> = Vec::new();
        let (mut window, mut size, mut top) = (row.clone(), 1, -radius);
        loop {
            if rows.len() & size != 0 {
                parts.push(moved(&window, top));
                top += size as i32;
            }
            if 2 * size > rows.len() {
                break;
            }
            let pair = [window.clone(), moved(&window, size as i32)];
            size *= 2;
            window = doubled.sum(&pair, most * size as u64);
        }
        let other = doubled.sum(&parts, greatest);
        if doubled.cost(&other) < direct.cost(&sum) {
            *circuit = doubled;
            return other;
        }
    }
    *circuit = direct;
    sum
}
