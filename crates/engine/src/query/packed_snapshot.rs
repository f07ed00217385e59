use crate::fingerprint::Fingerprint;
use crate::snapshot::SnapshotCells;
use grid::{Point, State};
use pattern::interrupt::Checkpoints;
use pattern::{Cells, Run};
use rule::Topology;
use std::any::Any;

/// The cells of a snapshot in blocks of one size: the whole grid, or its tiles.
#[derive(PartialEq)]
pub(crate) struct PackedSnapshot {
    /// The number of states.
    pub(crate) states: u16,
    /// The topology of the world.
    pub(crate) topology: Topology,
    /// Columns and rows of a block.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The top-left cells of the blocks.
    pub(crate) corners: Vec<Point>,
    pub(crate) contents: BlockCells,
}

/// The cells of blocks, one block after the other, row by row.
#[derive(PartialEq, Eq)]
pub(crate) enum BlockCells {
    /// Bit planes, one after the other; bit b of word w is cell 64 w + b of its row.
    Bits {
        /// Bits of a state.
        planes: usize,
        /// The words of all planes.
        words: Vec<u64>,
    },
    /// A byte for each cell.
    Bytes(Vec<State>),
}

impl BlockCells {
    /// Adds all cells.
    pub(crate) fn print(&self, print: &mut Fingerprint) {
        match self {
            Self::Bits { words, .. } => print.add(words, u64::MAX),
            Self::Bytes(bytes) => print.add_bytes(bytes),
        }
    }

    /// Whether no cell is live.
    pub(crate) fn is_blank(&self) -> bool {
        match self {
            Self::Bits { words, .. } => words.iter().all(|&word| word == 0),
            Self::Bytes(bytes) => bytes.iter().all(|&state| state == 0),
        }
    }
}

impl PackedSnapshot {
    /// Whether a world with these properties can copy the blocks as they are.
    pub(crate) fn fits(&self, states: u16, topology: Topology, size: (usize, usize)) -> bool {
        self.states <= states && self.topology == topology && (self.width, self.height) == size
    }

    /// Words of a row in a plane.
    pub(crate) fn words(&self) -> usize {
        self.width.div_ceil(64)
    }

    /// The states of a block's row.
    fn states_of(&self, block: usize, y: usize, states: &mut [State]) {
        let row = block * self.height + y;
        match &self.contents {
            BlockCells::Bytes(bytes) => {
                states.copy_from_slice(&bytes[row * self.width..(row + 1) * self.width]);
            }
            BlockCells::Bits { planes, words } => {
                states.fill(0);
                let line = self.words();
                let words = words[row * planes * line..].chunks_exact(line);
                for (plane, words) in words.take(*planes).enumerate() {
                    super::add_plane(words, 0, plane, states);
                }
            }
        }
    }
}

impl SnapshotCells for PackedSnapshot {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn cells(&self) -> Cells {
        let (mut runs, mut checkpoints) = (Vec::new(), Checkpoints::new());
        let mut states = vec![0; self.width];
        // In reading order, so that single cells need not be sorted.
        let mut blocks: Vec<usize> = (0..self.corners.len()).collect();
        let place = |block: &usize| (self.corners[*block].y, self.corners[*block].x);
        blocks.sort_unstable_by_key(|block| {
            checkpoints.step();
            place(block)
        });
        for band in blocks.chunk_by(|a, b| place(a).0 == place(b).0) {
            for (y, block) in (0..self.height).flat_map(|y| band.iter().map(move |b| (y, b))) {
                if let BlockCells::Bits { planes: 1, words } = &self.contents {
                    let line = self.words();
                    let words = words[(block * self.height + y) * line..].iter().take(line);
                    let (top, x) = place(block);
                    for (word, at) in words.zip((x..).step_by(64)) {
                        let mut bits = *word;
                        while bits != 0 {
                            checkpoints.step();
                            let from = bits.trailing_zeros();
                            let length = (bits >> from).trailing_ones();
                            bits &= !((u64::MAX >> (64 - length)) << from);
                            runs.push(Run {
                                y: top + y as i64,
                                x: at + i64::from(from),
                                length: length.into(),
                                state: 1,
                            });
                        }
                    }
                    continue;
                }
                self.states_of(*block, y, &mut states);
                let (top, mut x) = place(block);
                for equal in states.chunk_by(|a, b| a == b) {
                    checkpoints.step();
                    if equal[0] != 0 {
                        runs.push(Run {
                            y: top + y as i64,
                            x,
                            length: equal.len() as u64,
                            state: equal[0],
                        });
                    }
                    x += equal.len() as i64;
                }
            }
        }
        Cells::from_runs(runs)
    }

    fn bytes(&self) -> u64 {
        let contents = match &self.contents {
            BlockCells::Bits { words, .. } => size_of_val(words.as_slice()),
            BlockCells::Bytes(bytes) => bytes.len(),
        };
        (contents + size_of_val(self.corners.as_slice())) as u64
    }
}
