//! Results of squares of four small leaves by a rule's lookup tree, for rules whose tables are too
//! large to be indexed directly, such as von Neumann's 29 states.
//!
//! A walk down the tree is a load for each cell of the neighbourhood, each of which waits for
//! the one before it. So all cells of a square take one level together: in row order, with the
//! junk at the ends of rows along, a neighbour is always as many cells away, and a level is one
//! loop of constant length. Cell by cell, with rows of six, took six times as many instructions.

use crate::StateBlock;
use grid::State;
use rule::{LookupTree, Rule, Site, Transition};

/// Cells along the side of a square, and of one of its four leaves.
const SQUARE: usize = 8;
const SIDE: usize = SQUARE / 2;

/// Cells of a square.
const AREA: usize = SQUARE * SQUARE;

/// The generations for which the middle of a square is determined.
const MAX_GENERATIONS: u32 = 2;

/// The lookup tree of a rule of radius 1.
#[derive(Clone, Debug)]
pub struct TreeLeafKernel {
    tree: LookupTree,
    /// How far each cell that the tree asks for is from the cell itself, in row order.
    distances: Vec<isize>,
}

impl TreeLeafKernel {
    /// Takes the tree of a table that is the same at all positions and times; none for other
    /// rules. Nothing is compiled.
    ///
    /// ```
    /// use kernel::TreeLeafKernel;
    ///
    /// assert!(TreeLeafKernel::new(&"JvN29".parse()?).is_some());
    /// assert!(TreeLeafKernel::new(&"B3/S23".parse()?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rule: &Rule) -> Option<Self> {
        if rule.radius() > 1 || rule.time_period() > 1 || rule.phases() > 1 {
            return None;
        }
        let Transition::Lookup(table) = rule.transition(Site::default()) else {
            return None;
        };
        let distance = |&(dx, dy): &(i32, i32)| dy as isize * SQUARE as isize + dx as isize;
        Some(Self {
            tree: table.tree()?.clone(),
            distances: table.offsets().iter().map(distance).collect(),
        })
    }

    /// A description for users.
    ///
    /// ```
    /// let kernel = kernel::TreeLeafKernel::new(&"JvN29".parse()?).expect("a lookup table");
    /// assert_eq!(kernel.describe(), "a byte a cell, through a lookup tree over 5 cells");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self) -> String {
        let cells = self.distances.len();
        format!("a byte a cell, through a lookup tree over {cells} cells")
    }

    /// The middles of squares of four blocks (north-west, north-east, south-west,
    /// south-east) after at most two generations.
    ///
    /// # Panics
    /// When there are not as many middles as squares.
    ///
    /// ```
    /// // the signal of a transmission to the east moves on
    /// let kernel = kernel::TreeLeafKernel::new(&"JvN29".parse()?).expect("a lookup table");
    /// let (mut west, mut east) = ([[0; 4]; 4], [[0; 4]; 4]);
    /// (west[3], east[3]) = ([9, 9, 13, 9], [9; 4]);
    /// let mut middle = [[[0; 4]; 4]];
    /// kernel.leaf_results(1, &[[west, east, [[0; 4]; 4], [[0; 4]; 4]]], &mut middle);
    /// assert_eq!(middle[0][1], [9, 13, 9, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leaf_results(
        &self,
        generations: u32,
        fours: &[[StateBlock; 4]],
        leaf_results: &mut [StateBlock],
    ) {
        debug_assert!(
            generations <= MAX_GENERATIONS,
            "the middle is known for two"
        );
        assert_eq!(fours.len(), leaf_results.len(), "a middle for each four");
        for (four, middle) in fours.iter().zip(leaf_results) {
            let mut now = [0; AREA];
            for (i, row) in now.as_chunks_mut::<SIDE>().0.iter_mut().enumerate() {
                let (y, east) = (i / 2, i % 2);
                *row = four[2 * (y / SIDE) + east][y % SIDE];
            }
            // From the first cell that has all its neighbours to the last one: the ends of rows
            // in between lack some, and what comes out there is junk. It is not read again.
            if generations > 0 {
                now = self.step::<{ SQUARE + 1 }, { AREA - 2 * (SQUARE + 1) }>(&now);
            }
            if generations > 1 {
                now = self.step::<{ 2 * (SQUARE + 1) }, { AREA - 4 * (SQUARE + 1) }>(&now);
            }
            for (y, row) in middle.iter_mut().enumerate() {
                let start = (y + SIDE / 2) * SQUARE + SIDE / 2;
                row.copy_from_slice(&now[start..start + SIDE]);
            }
        }
    }

    /// The next generation of `COUNT` cells from `FIRST` on.
    #[inline(always)]
    fn step<const FIRST: usize, const COUNT: usize>(&self, now: &[State; AREA]) -> [State; AREA] {
        let entries = &*self.tree.entries;
        let mut at = [self.tree.root; COUNT];
        for &distance in &self.distances {
            let cells = &now[FIRST.wrapping_add_signed(distance)..][..COUNT];
            for (at, &state) in at.iter_mut().zip(cells) {
                *at = entries[*at as usize + usize::from(state)];
            }
        }
        let mut next = [0; AREA];
        for (next, &at) in next[FIRST..].iter_mut().zip(&at) {
            *next = at as State;
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellKernel;
    use dice::Dice;
    use grid::Point;

    /// The states that cells of the rules of files are in.
    fn palette(states: u16) -> [u16; 4] {
        [0, 1, 2, states - 1]
    }

    /// A rule file with random transitions over few states, most of which match often.
    fn file(dice: &mut Dice, neighbourhood: &str, states: u16, cells: usize) -> Rule {
        let few = palette(states);
        let mut text = format!(
            "@RULE X\n@TABLE\nn_states:{states}\nneighborhood:{neighbourhood}\n\
             symmetries:none\n"
        );
        // each position has a variable of its own, so that it may stand for any state
        for position in 0..cells {
            text += &format!("var v{position}={{0,1,2,{}}}\n", states - 1);
        }
        text += &"0,".repeat(cells);
        text += "0\n";
        for _ in 0..60 {
            for position in 0..cells {
                text += &match dice.below(3) {
                    0 => format!("{},", few[dice.below(4) as usize]),
                    _ => format!("v{position},"),
                };
            }
            text += &format!("{}\n", few[dice.below(4) as usize]);
        }
        Rule::from_file(&text).unwrap()
    }

    /// Rules with lookup trees: of families, and of files with each neighbourhood.
    fn rules(dice: &mut Dice) -> Vec<(Rule, Vec<u16>)> {
        let named = ["JvN29", "Nobili32", "Hutton32"].map(|name| {
            let rule: Rule = name.parse().unwrap();
            // two states of transmission, excited or not, confluent and nascent ones
            (rule, vec![0, 1, 9, 13, 17, 25])
        });
        let files = [
            ("vonNeumann", 40, 5),
            ("Moore", 9, 9),
            ("hexagonal", 12, 7),
            ("oneDimensional", 50, 3),
        ]
        .map(|(neighbourhood, states, cells)| {
            let rule = file(dice, neighbourhood, states, cells);
            (rule, palette(states).to_vec())
        });
        named.into_iter().chain(files).collect()
    }

    /// Held against stepping the square as cells, of which each generation loses a ring.
    #[test]
    fn middles_are_those_of_cells() {
        let mut dice = Dice::new(1);
        for (rule, states) in rules(&mut dice) {
            let kernel = TreeLeafKernel::new(&rule).unwrap();
            let cells = CellKernel::compile(&rule);
            let mut changed = 0;
            for generations in [0, 1, 2] {
                let mut fours = vec![[[[0; 4]; 4]; 4]; 50];
                let live = 1 + dice.below(4);
                for state in fours
                    .as_flattened_mut()
                    .as_flattened_mut()
                    .as_flattened_mut()
                {
                    if dice.below(4) < live {
                        *state = states[dice.below(states.len() as u32) as usize] as State;
                    }
                }
                let mut middles = vec![[[0; 4]; 4]; fours.len()];
                kernel.leaf_results(generations, &fours, &mut middles);
                for (four, middle) in fours.iter().zip(&middles) {
                    let at = |x: usize, y: usize| four[y / 4 * 2 + x / 4][y % 4][x % 4];
                    let mut now: Vec<State> =
                        (0..AREA).map(|i| at(i % SQUARE, i / SQUARE)).collect();
                    let mut wide = SQUARE;
                    for generation in 0..generations {
                        wide -= 2;
                        let mut next = vec![0; wide * wide];
                        let origin = Point::new(0, 0);
                        cells.step(u64::from(generation), origin, wide, wide, &now, &mut next);
                        now = next;
                    }
                    let edge = (wide - 4) / 2;
                    for (y, row) in middle.iter().enumerate() {
                        let from = (y + edge) * wide + edge;
                        assert_eq!(row, &now[from..from + 4], "{rule} {generations}");
                        let before = (2..6).map(|x| at(x, y + 2));
                        changed += usize::from(!row.iter().copied().eq(before));
                    }
                }
            }
            assert!(changed > 20, "{rule}: {changed}");
        }
    }
}
