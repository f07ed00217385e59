use super::CellWord;
use super::count::BitCountRule;
use super::diagram::{DecisionDiagram, NineCellTable};
use crate::arch::vector_bits;
use rule::{ConfigurationTable, Rule, Site};

/// A two-state rule of radius 1 as boolean logic, a bit per cell.
#[derive(Clone, Debug)]
pub(crate) struct BitKernel {
    /// One program per phase.
    programs: Vec<BitProgram>,
}

/// The program of one phase.
#[derive(Clone, Debug)]
pub(super) enum BitProgram {
    /// B3/S23.
    Life,
    /// Any other rule that depends on a cell and the number of its live neighbours.
    Count(BitCountRule),
    /// Any rule.
    Diagram(DecisionDiagram),
}

impl BitKernel {
    /// Compiles rules with two states, a radius of at most 1 and no dependence on the position;
    /// none for others.
    pub(crate) fn compile(rule: &Rule) -> Option<Self> {
        if rule.states() != 2 || rule.radius() > 1 || rule.is_checkered() {
            return None;
        }
        let programs = (0..rule.time_period())
            .map(|phase| BitProgram::compile(&table(rule, phase as u64)))
            .collect();
        Some(Self { programs })
    }

    /// Whether the rule is Conway's Life, which has logic of its own.
    pub(crate) fn is_life(&self) -> bool {
        matches!(self.programs[..], [BitProgram::Life])
    }

    /// The number of generations after which the rule repeats.
    pub(crate) fn time_period(&self) -> usize {
        self.programs.len()
    }

    /// The approximate cost, in 512-bit instructions per 512 cells, scaled up where vectors are
    /// narrower.
    pub(crate) fn work(&self) -> usize {
        let work = self.programs.iter().map(|program| match program {
            BitProgram::Life => 8,
            BitProgram::Count(_) => 32,
            BitProgram::Diagram(diagram) => 3 * diagram.len(),
        });
        work.max().unwrap_or(1).max(8) * 512 / vector_bits()
    }

    /// A description for users.
    pub(crate) fn describe(&self) -> String {
        let phases = self.programs.iter().map(|program| match program {
            BitProgram::Life => "Life in a few operations".to_owned(),
            BitProgram::Count(_) => "counted neighbours".to_owned(),
            BitProgram::Diagram(diagram) => format!("{} choices", diagram.len()),
        });
        let phases: Vec<String> = phases.collect();
        format!("1 bit plane, {}, over rows of words", phases.join(" and "))
    }

    /// One program per phase.
    #[inline(always)]
    pub(super) fn programs(&self) -> &[BitProgram] {
        &self.programs
    }

    #[inline(always)]
    pub(super) fn program(&self, phase: usize) -> &BitProgram {
        &self.programs[phase]
    }

    /// Steps cells given as nine slices of equal length, in the order of
    /// [`ConfigurationTable::OFFSETS`]: bit i of `next[j]` is the next state of the cell whose
    /// neighbours are bit i of `seen[k][j]`. `phase` is the generation before the step, modulo the
    /// time period.
    pub(crate) fn eval<W: CellWord>(&self, phase: usize, seen: [&[W]; 9], next: &mut [W]) {
        self.programs[phase].eval(seen, next);
    }

    /// Steps rows of one word each: `centre[i]` the cells, `west[i]` their western neighbours in
    /// the same bit, `east[i]` likewise. From n + 2 input rows come n: `next[i]` from rows i,
    /// i + 1, i + 2.
    pub(crate) fn column<W: CellWord>(
        &self,
        phase: usize,
        west: &[W],
        centre: &[W],
        east: &[W],
        next: &mut [W],
    ) {
        let n = next.len();
        let rows = [west, centre, east];
        let seen = std::array::from_fn(|k| &rows[k % 3][k / 3..k / 3 + n]);
        self.eval(phase, seen, next);
    }

    /// Steps rows of words whose western and eastern neighbours are the words before and after.
    /// From n + 2 input rows come n, row i from rows i, i + 1, i + 2.
    ///
    /// Row i begins at `i * stride` in both slices, with one word that is only read
    /// (west of the first), then `words` words of cells, then one more that is only
    /// read; in `next` these two words are not written. `words` is a multiple of
    /// [`BitKernel::ROW_UNIT`].
    pub(crate) fn rows(
        &self,
        phase: usize,
        stride: usize,
        words: usize,
        seen: &[u64],
        next: &mut [u64],
    ) {
        self.programs[phase].rows(stride, words, seen, next);
    }

    /// The number of words in a row of [`BitKernel::rows`] must be a multiple of this.
    pub(crate) const ROW_UNIT: usize = 8;
}

impl BitProgram {
    fn compile(table: &NineCellTable) -> Self {
        match counts(table) {
            Some(c)
                if c.counted == BitCountRule::MOORE
                    && c.birth == 1 << 3
                    && c.survival == 3 << 2 =>
            {
                Self::Life
            }
            Some(counts) => Self::Count(counts),
            None => Self::Diagram(DecisionDiagram::compile(table)),
        }
    }
}

/// The rule as a table of all 512 configurations of the nine cells.
fn table(rule: &Rule, generation: u64) -> NineCellTable {
    let site = Site {
        generation,
        ..Site::default()
    };
    let mut table = [0; 8];
    for index in 0..512 {
        let look = |dx: i32, dy: i32| {
            let k = (dy + 1) * 3 + dx + 1;
            (index >> (8 - k) & 1) as u8
        };
        table[index / 64] |= u64::from(rule.next(site, look) & 1) << (index % 64);
    }
    table
}

/// The rule as a function of a count, if it is one.
fn counts(table: &NineCellTable) -> Option<BitCountRule> {
    const CENTRE: usize = 4;
    let value = |index: usize| table[index / 64] >> (index % 64) & 1;
    // A neighbour that never matters need not count.
    let is_relevant = |k: &usize| (0..512).any(|i| value(i) != value(i ^ (256 >> k)));
    let offsets = 0..ConfigurationTable::OFFSETS.len();
    let counted: u16 = offsets
        .filter(|k| *k != CENTRE)
        .filter(is_relevant)
        .map(|k| 1 << k)
        .sum();
    let bits = (0..9).filter(|k| counted >> k & 1 == 1);
    let mask: usize = bits.map(|k| 256 >> k).sum();
    // The next state by the cell and the count, as far as known.
    let mut found = [[None; 9]; 2];
    for index in 0..512_usize {
        let count = (index & mask).count_ones() as usize;
        let entry = &mut found[index >> (8 - CENTRE) & 1][count];
        match *entry {
            None => *entry = Some(value(index)),
            Some(known) if known != value(index) => return None,
            Some(_) => {}
        }
    }
    let row = |cell: usize| {
        let live = (0..9).filter(|&n| found[cell][n] == Some(1));
        live.map(|n| 1_u16 << n).sum()
    };
    Some(BitCountRule {
        counted,
        birth: row(0),
        survival: row(1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::with_each_width;
    use dice::Dice;

    /// Tests all 512 configurations at several lengths: word j holds configurations in its bits.
    fn check<W: CellWord>(
        rule: &str,
        bits: usize,
        make: impl Fn(&dyn Fn(usize) -> bool) -> W,
        test: impl Fn(W, usize) -> bool,
    ) {
        let parsed: Rule = rule.parse().unwrap();
        let kernel = BitKernel::compile(&parsed).unwrap();
        for phase in 0..kernel.time_period() {
            let table = table(&parsed, phase as u64);
            for length in [0, 1, 2, 63, 64, 65, 130] {
                // A stride coprime to 512 visits all configurations.
                let index = |j: usize, i: usize| (j * bits + i) * 37 % 512;
                let seen: [Vec<W>; 9] = std::array::from_fn(|k| {
                    (0..length)
                        .map(|j| make(&|i| index(j, i) >> (8 - k) & 1 == 1))
                        .collect()
                });
                let mut next = vec![W::ZERO; length];
                kernel.eval(phase, std::array::from_fn(|k| &seen[k][..]), &mut next);
                for (j, &word) in next.iter().enumerate() {
                    for i in 0..bits {
                        let n = index(j, i);
                        let expected = table[n / 64] >> (n % 64) & 1 == 1;
                        assert_eq!(test(word, i), expected, "{rule} at {n:#b} of {length}");
                    }
                }
                // The same for columns, where the rows overlap.
                let rows: [Vec<W>; 3] = std::array::from_fn(|k| {
                    (0..length + 2)
                        .map(|j| make(&|i| (j * 7 + i * 13 + k * 5) * (j + 3 * k + 1) % 11 < 5))
                        .collect()
                });
                kernel.column(phase, &rows[0], &rows[1], &rows[2], &mut next);
                for j in 0..length {
                    for i in 0..bits {
                        let mut n = 0;
                        for k in 0..9 {
                            n = n << 1 | usize::from(test(rows[k % 3][j + k / 3], i));
                        }
                        let expected = table[n / 64] >> (n % 64) & 1 == 1;
                        assert_eq!(test(next[j], i), expected, "{rule} column {j} of {length}");
                    }
                }
            }
        }
    }

    fn check_all(rule: &str) {
        check::<u64>(
            rule,
            64,
            |f| (0..64).map(|i| u64::from(f(i)) << i).sum(),
            |w, i| w >> i & 1 == 1,
        );
        check::<u32>(
            rule,
            32,
            |f| (0..32).map(|i| u32::from(f(i)) << i).sum(),
            |w, i| w >> i & 1 == 1,
        );
    }

    #[test]
    fn kernels_mean_what_the_rule_means() {
        for rule in [
            "B3/S23",
            "B36/S23",
            "B3678/S34678",
            "B2/S",
            "B/S012345678",
            "B1357/S1357",
            "B2/S34H",
            "B13/S012V",
            "B2-a/S12",
            "B2n3-y4c/S23-a4i",
            "B03/S23",
            "B024/S0123V",
            "W30",
        ] {
            with_each_width(|| check_all(rule));
        }
    }

    #[test]
    fn rows_are_columns_side_by_side() {
        let (stride, words) = (11, 8);
        for rule in [
            "B3/S23",
            "B36/S23",
            "B2/S34H",
            "B2n3-y4c/S23-a4i",
            "B03/S23",
        ] {
            let kernel = BitKernel::compile(&rule.parse().unwrap()).unwrap();
            for height in [1, 2, 7, 8, 9, 17] {
                for phase in 0..kernel.time_period() {
                    let mixed = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    let seen: Vec<u64> = (0..(height + 2) * stride).map(mixed).collect();
                    let column = |x: usize| -> Vec<u64> {
                        (0..height + 2).map(|y| seen[y * stride + x]).collect()
                    };
                    with_each_width(|| {
                        let mut next = vec![7; height * stride];
                        kernel.rows(phase, stride, words, &seen, &mut next);
                        for x in 1..=words {
                            let mut expected = vec![0; height];
                            let (west, centre, east) = (column(x - 1), column(x), column(x + 1));
                            kernel.column(phase, &west, &centre, &east, &mut expected);
                            for y in 0..height {
                                let word = next[y * stride + x];
                                assert_eq!(word, expected[y], "{rule} word {x} of row {y}");
                            }
                        }
                        let outside = next.iter().enumerate();
                        let mut outside =
                            outside.filter(|(i, _)| !(1..=words).contains(&(i % stride)));
                        assert!(outside.all(|(_, word)| *word == 7), "{rule}");
                    });
                }
            }
        }
    }

    #[test]
    fn tables_of_every_kind() {
        // Tables that belong to no rule: random ones go through the diagram.
        let mut dice = Dice::new(1);
        for round in 0..20 {
            let table: NineCellTable = match round {
                0 => [0; 8],
                1 => [!0; 8],
                _ => std::array::from_fn(|_| dice.word() & dice.word()),
            };
            let kernel = BitKernel {
                programs: vec![BitProgram::compile(&table)],
            };
            let seen: [Vec<u64>; 9] =
                std::array::from_fn(|_| (0..65).map(|_| dice.word()).collect());
            with_each_width(|| {
                let mut next = vec![0; 65];
                kernel.eval(0, std::array::from_fn(|k| &seen[k][..]), &mut next);
                for j in 0..65 {
                    for i in 0..64 {
                        let mut n = 0;
                        for row in &seen {
                            n = n << 1 | (row[j] >> i & 1) as usize;
                        }
                        assert_eq!(next[j] >> i & 1, table[n / 64] >> (n % 64) & 1);
                    }
                }
            });
        }
    }
}
