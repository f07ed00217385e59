//! The neighbourhoods of tables, and their symmetries.
//!
//! Four of them are Golly's own. Triangles and blocks are from the repository of rule
//! tables (its page of neighbourhoods, and Tim Tyler's of the square-4 partitions), where a
//! script turns them into rules of many more states; here they are rules by place.

use crate::Lattice;

/// Which cells a table sees, and in which order it names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableNeighbourhood {
    VonNeumann,
    Moore,
    Hexagonal,
    OneDimensional,
    /// The three triangles that share an edge.
    TriangularVonNeumann,
    /// The twelve triangles that share an edge or a corner.
    TriangularMoore,
    /// Blocks of two by two cells, each turned into another.
    Blocks(BlockPath),
}

/// How the blocks of two by two cells move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockPath {
    Margolus,
    FigureEightUpright,
    FigureEightLying,
    Cyclic,
}

/// How the neighbours of a transition may be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableSymmetry {
    /// Turned by multiples of `ring / turns` places, and mirrored first if `mirror` says
    /// where place 0 goes to.
    Ring { turns: usize, mirror: Option<usize> },
    /// In any order.
    Permute,
    /// Only for blocks: each way says which cell stands at each of the four places.
    Ways(&'static [[usize; 4]]),
}

/// A block as it is, then turned by a quarter, a half and three quarters, each clockwise;
/// then mirrored left to right, along its main diagonal, top to bottom, along the other
/// diagonal.
const TURNED: [[usize; 4]; 8] = [
    [0, 1, 2, 3],
    [2, 0, 3, 1],
    [3, 2, 1, 0],
    [1, 3, 0, 2],
    [1, 0, 3, 2],
    [0, 2, 1, 3],
    [2, 3, 0, 1],
    [3, 1, 2, 0],
];

const BESIDE: [[usize; 4]; 2] = [TURNED[0], TURNED[4]];
const OVER: [[usize; 4]; 2] = [TURNED[0], TURNED[6]];
const HALF: [[usize; 4]; 2] = [TURNED[0], TURNED[2]];
const QUARTERS: [[usize; 4]; 4] = [TURNED[0], TURNED[1], TURNED[2], TURNED[3]];

impl TableNeighbourhood {
    const ALL: [Self; 10] = [
        Self::VonNeumann,
        Self::Moore,
        Self::Hexagonal,
        Self::OneDimensional,
        Self::TriangularVonNeumann,
        Self::TriangularMoore,
        Self::Blocks(BlockPath::Margolus),
        Self::Blocks(BlockPath::FigureEightUpright),
        Self::Blocks(BlockPath::FigureEightLying),
        Self::Blocks(BlockPath::Cyclic),
    ];

    pub(super) fn read(text: &str) -> Option<Self> {
        let wanted = |n: &Self| n.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(wanted)
    }

    /// All names, as a message lists them.
    pub(super) fn names() -> String {
        let (last, others) = Self::ALL.split_last().expect("there are some");
        let others: Vec<&str> = others.iter().map(|n| n.name()).collect();
        format!("{} or {}", others.join(", "), last.name())
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::VonNeumann => "vonNeumann",
            Self::Moore => "Moore",
            Self::Hexagonal => "hexagonal",
            Self::OneDimensional => "oneDimensional",
            Self::TriangularVonNeumann => "triangularVonNeumann",
            Self::TriangularMoore => "triangularMoore",
            Self::Blocks(BlockPath::Margolus) => "Margolus",
            Self::Blocks(BlockPath::FigureEightUpright) => "square4_figure8v",
            Self::Blocks(BlockPath::FigureEightLying) => "square4_figure8h",
            Self::Blocks(BlockPath::Cyclic) => "square4_cyclic",
        }
    }

    /// The cells in the order of a transition: the cell itself, then the ring around it
    /// clockwise from the north.
    ///
    /// ```text
    ///                   nw n ne     nw n
    ///      n            w  c  e      w c e      w c e
    ///    w c e          sw s se        s se
    ///      s
    ///   vonNeumann       Moore      hexagonal   oneDimensional (w before e)
    /// ```
    ///
    /// Of triangles, those that share an edge come first, from the east clockwise, then
    /// those that share only a corner, from the south-east clockwise. So they lie around a
    /// triangle whose point is above, which is one with odd x + y; the others see all of
    /// it turned by half.
    ///
    /// ```text
    ///                           a b c         a = 10, b = 11, c = 12
    ///     3 c 1               9 3   1 4
    ///       2                 8 7 2 6 5
    ///   triangularVonNeumann  triangularMoore
    /// ```
    ///
    /// A block has its cells row by row, here as its top left one sees them.
    pub(super) fn offsets(self) -> &'static [(i32, i32)] {
        match self {
            Self::VonNeumann => &[(0, 0), (0, -1), (1, 0), (0, 1), (-1, 0)],
            Self::Moore => &[
                (0, 0),
                (0, -1),
                (1, -1),
                (1, 0),
                (1, 1),
                (0, 1),
                (-1, 1),
                (-1, 0),
                (-1, -1),
            ],
            Self::Hexagonal => &[(0, 0), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)],
            Self::OneDimensional => &[(0, 0), (-1, 0), (1, 0)],
            Self::TriangularVonNeumann => &[(0, 0), (1, 0), (0, 1), (-1, 0)],
            Self::TriangularMoore => &[
                (0, 0),
                (1, 0),
                (0, 1),
                (-1, 0),
                (2, 0),
                (2, 1),
                (1, 1),
                (-1, 1),
                (-2, 1),
                (-2, 0),
                (-1, -1),
                (0, -1),
                (1, -1),
            ],
            Self::Blocks(_) => &[(0, 0), (1, 0), (0, 1), (1, 1)],
        }
    }

    /// How the cells tile the plane.
    pub(super) fn lattice(self) -> Lattice {
        match self {
            Self::Hexagonal => Lattice::Hexagonal,
            Self::TriangularVonNeumann | Self::TriangularMoore => Lattice::Triangular,
            _ => Lattice::Square,
        }
    }

    /// How many next states a transition gives.
    pub(super) fn outputs(self) -> usize {
        match self {
            Self::Blocks(_) => 4,
            _ => 1,
        }
    }

    /// The neighbours as they follow each other around the cell: places of the transition,
    /// from 1.
    fn ring(self) -> Vec<usize> {
        match self {
            Self::TriangularMoore => vec![1, 4, 5, 6, 2, 7, 8, 9, 3, 10, 11, 12],
            _ => (1..self.offsets().len()).collect(),
        }
    }

    /// The symmetries by name. Those that are Golly's, and those that its scripts for more
    /// tables know.
    pub(super) fn symmetries(self) -> Vec<(&'static str, TableSymmetry)> {
        let turns = |turns| TableSymmetry::Ring {
            turns,
            mirror: None,
        };
        let mirrored = |turns, to| TableSymmetry::Ring {
            turns,
            mirror: Some(to),
        };
        let mut names = vec![("none", turns(1))];
        match self {
            Self::VonNeumann => names.extend([
                ("rotate4", turns(4)),
                ("rotate4reflect", mirrored(4, 0)),
                ("reflect_horizontal", mirrored(1, 0)),
                ("reflect_vertical", mirrored(1, 2)),
                ("rotate2", turns(2)),
            ]),
            Self::Moore => names.extend([
                ("rotate4", turns(4)),
                ("rotate8", turns(8)),
                ("rotate4reflect", mirrored(4, 0)),
                ("rotate8reflect", mirrored(8, 0)),
                ("reflect_horizontal", mirrored(1, 0)),
                ("reflect_vertical", mirrored(1, 4)),
                ("rotate2", turns(2)),
            ]),
            Self::Hexagonal => names.extend([
                ("rotate2", turns(2)),
                ("rotate3", turns(3)),
                ("rotate6", turns(6)),
                ("rotate6reflect", mirrored(6, 0)),
            ]),
            Self::OneDimensional => names.push(("reflect", mirrored(1, 1))),
            Self::TriangularVonNeumann | Self::TriangularMoore => names.extend([
                ("rotate", turns(3)),
                // the eastern neighbour and the western one change places, which stand on
                // the ring at 0 and at two thirds
                ("rotate_reflect", mirrored(3, self.ring().len() / 3 * 2)),
            ]),
            Self::Blocks(_) => {
                return vec![
                    ("none", TableSymmetry::Ways(&[TURNED[0]])),
                    ("reflect_horizontal", TableSymmetry::Ways(&BESIDE)),
                    ("reflect_vertical", TableSymmetry::Ways(&OVER)),
                    ("rotate2", TableSymmetry::Ways(&HALF)),
                    ("rotate4", TableSymmetry::Ways(&QUARTERS)),
                    ("rotate4reflect", TableSymmetry::Ways(&TURNED)),
                    ("permute", TableSymmetry::Permute),
                ];
            }
        }
        names.push(("permute", TableSymmetry::Permute));
        names
    }

    /// The permutations of a symmetry: for each, the position of the transition with which each
    /// cell is matched, the cell itself included. [`TableSymmetry::Permute`] gives only the
    /// identity, since the caller treats its inputs as unordered; except for blocks, where a
    /// permutation moves the next states too.
    pub(super) fn ways(self, symmetry: TableSymmetry) -> Vec<Vec<usize>> {
        let ring = self.ring();
        let size = ring.len();
        let (turns, mirror) = match symmetry {
            TableSymmetry::Ring { turns, mirror } => (turns, mirror),
            TableSymmetry::Ways(ways) => return ways.iter().map(|way| way.to_vec()).collect(),
            TableSymmetry::Permute if self.outputs() > 1 => return orders(self.offsets().len()),
            TableSymmetry::Permute => return vec![(0..=size).collect()],
        };
        let mut ways = Vec::new();
        // where each place of the ring is sent
        let mut add = |to: &dyn Fn(usize) -> usize| {
            let mut way: Vec<usize> = (0..=size).collect();
            for (i, &place) in ring.iter().enumerate() {
                way[place] = ring[to(i) % size];
            }
            ways.push(way);
        };
        for turn in (0..size).step_by(size / turns) {
            add(&|i| i + turn);
            if let Some(to) = mirror {
                add(&|i| to + turn + size - i);
            }
        }
        ways
    }
}

impl BlockPath {
    /// Where a block's top left cell stands in each generation: the parity of its column
    /// and of its row. Generation 0 has it at (0, 0).
    pub(super) fn corners(self) -> &'static [(usize, usize)] {
        match self {
            Self::Margolus => &[(0, 0), (1, 1)],
            Self::FigureEightUpright => &[(0, 0), (1, 1), (0, 1), (1, 0)],
            Self::FigureEightLying => &[(0, 0), (1, 1), (1, 0), (0, 1)],
            Self::Cyclic => &[(0, 0), (0, 1), (1, 1), (1, 0)],
        }
    }
}

/// All permutations of `size` elements, the identity first.
fn orders(size: usize) -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = orders.iter().flat_map(|order| {
            let free = (0..size).filter(|i| !order.contains(i));
            free.map(|i| [order.as_slice(), &[i]].concat())
        });
        orders = longer.collect();
    }
    orders
}
