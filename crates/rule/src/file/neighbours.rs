//! The neighbourhoods of tables, and their symmetries.

/// Which cells a table sees, and in which order it names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Neighbours {
    VonNeumann,
    Moore,
    Hexagonal,
    OneDimensional,
}

/// How the neighbours of a transition may be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    /// Turned by multiples of `ring / turns` places, and mirrored first if `mirror` says
    /// where place 0 goes to.
    Ring { turns: usize, mirror: Option<usize> },
    /// In any order.
    Permute,
}

impl Neighbours {
    pub(super) fn read(text: &str) -> Option<Self> {
        let all = [
            Self::VonNeumann,
            Self::Moore,
            Self::Hexagonal,
            Self::OneDimensional,
        ];
        let wanted = |n: &Self| n.name().eq_ignore_ascii_case(text);
        all.into_iter().find(wanted)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::VonNeumann => "vonNeumann",
            Self::Moore => "Moore",
            Self::Hexagonal => "hexagonal",
            Self::OneDimensional => "oneDimensional",
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
        }
    }

    /// How many neighbours there are, without the cell itself.
    pub(super) fn ring(self) -> usize {
        self.offsets().len() - 1
    }

    /// The symmetries by name. Those that are Golly's, and `rotate2` and
    /// `reflect_vertical`, which its scripts for more tables know.
    pub(super) fn symmetries(self) -> Vec<(&'static str, Symmetry)> {
        let turns = |turns| Symmetry::Ring {
            turns,
            mirror: None,
        };
        let mirrored = |turns, to| Symmetry::Ring {
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
        }
        names.push(("permute", Symmetry::Permute));
        names
    }

    /// For each way that the symmetry lets the ring lie, which place of the transition
    /// each neighbour is matched with. One way for [`Symmetry::Permute`], which is left to
    /// the one who asks.
    pub(super) fn ways(self, symmetry: Symmetry) -> Vec<Vec<usize>> {
        let ring = self.ring();
        let Symmetry::Ring { turns, mirror } = symmetry else {
            return vec![(0..ring).collect()];
        };
        let mut ways = Vec::new();
        for turn in (0..ring).step_by(ring / turns) {
            ways.push((0..ring).map(|i| (i + turn) % ring).collect());
            if let Some(to) = mirror {
                ways.push((0..ring).map(|i| (to + turn + ring - i) % ring).collect());
            }
        }
        ways
    }
}
