//! Which cell of the grid each cell of the margin is: the list by which a shader fills the margin
//! after each generation. Own method; the topologies are [`rule::Topology`]'s.

use crate::GridLayout;
use grid::Point;
use rule::Topology;

/// A word that has cells of the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginWord {
    /// Its index in a plane.
    pub word: u32,
    /// The bits that are cells of the grid, and stay.
    pub keep: u32,
    /// The first of its sources.
    pub first: u32,
    /// How many it has.
    pub count: u32,
}

/// A cell of the margin and the cell that it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginSource {
    /// The word of the cell that is shown.
    pub word: u32,
    /// Its bit in that word.
    pub bit: u32,
    /// The bit of the cell of the margin, in the word that lists it.
    pub to_bit: u32,
}

/// The margin of a grid.
#[derive(Clone, Debug, Default)]
pub struct MarginCells {
    /// The words that have to be filled.
    pub words: Vec<MarginWord>,
    /// What they show.
    pub sources: Vec<MarginSource>,
}

impl MarginCells {
    /// The margin of a topology's grid, as far as its cells see. Cells beyond edges that are joined
    /// to nothing are dead, and stay so.
    ///
    /// ```
    /// use gpu::{GridLayout, MarginCells};
    /// use rule::Topology;
    ///
    /// let margin = |topology: &Topology| {
    ///     let rect = topology.rect().expect("a bounded grid");
    ///     MarginCells::new(topology, &GridLayout { rect, planes: 1, radius: 1, spare_rows: 0 })
    /// };
    /// assert_eq!(margin(&"T64,64".parse()?).sources.len(), 4 * 64 + 4);
    /// assert!(margin(&"P64,64".parse()?).words.is_empty(), "nothing but dead cells around");
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    pub fn new(topology: &Topology, layout: &GridLayout) -> Self {
        let mut margin = Self::default();
        let (width, height) = (layout.rect.width as i64, layout.rect.height as i64);
        let radius = layout.radius as i64;
        for row in -radius..height + radius {
            let is_inside = (0..height).contains(&row);
            let first = (-radius).div_euclid(32);
            let last = (width + radius - 1).div_euclid(32);
            for word in first..=last {
                let is_full = 32 * word >= 0 && 32 * word + 32 <= width;
                if !(is_inside && is_full) {
                    margin.add(topology, layout, word, row);
                }
            }
        }
        margin
    }

    fn add(&mut self, topology: &Topology, layout: &GridLayout, word: i64, row: i64) {
        let rect = layout.rect;
        let radius = layout.radius as i64;
        let (width, height) = (rect.width as i64, rect.height as i64);
        let (index, _) = layout.place(32 * word, row);
        let first = self.sources.len() as u32;
        let mut keep = 0;
        for bit in 0..32 {
            let column = 32 * word + i64::from(bit);
            if (0..width).contains(&column) && (0..height).contains(&row) {
                keep |= 1 << bit;
                continue;
            }
            if column < -radius || column >= width + radius {
                continue;
            }
            let cell = topology.resolve(Point::new(rect.x + column, rect.y + row));
            if let Some(cell) = cell {
                let (word, from_bit) = layout.place(cell.x - rect.x, cell.y - rect.y);
                self.sources.push(MarginSource {
                    word: word as u32,
                    bit: from_bit,
                    to_bit: bit,
                });
            }
        }
        let count = self.sources.len() as u32 - first;
        // what no shader writes is dead already
        if count > 0 || keep != 0 {
            self.words.push(MarginWord {
                word: index as u32,
                keep,
                first,
                count,
            });
        }
    }
}
