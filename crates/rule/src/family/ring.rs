//! The neighbourhoods of radius 1 of `B…/S…` rules, and the letters that distinguish the
//! arrangements of a number of live neighbours.
//!
//! The letters for eight neighbours are Alan Hensel's; one arrangement stands here for
//! each, and the others of its class are its turns and mirror images. Counts over four use
//! the letters of the dead neighbours. For six neighbours `o`, `m` and `p` are ortho, meta
//! and para, as in a benzene ring.

use crate::{ConfigurationTable, Lattice, Neighbourhood};
use std::sync::LazyLock;

/// The cells that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LifelikeNeighbourhood {
    /// All eight.
    Moore,
    /// The four that share an edge.
    VonNeumann,
    /// Six: all but the north-east and the south-west.
    Hexagonal,
    /// Three of the six: north, west, south-east.
    Tripod,
}

/// Letters in alphabetical order, by the number of live neighbours.
const MOORE_LETTERS: [&str; 9] = [
    "",
    "ce",
    "aceikn",
    "aceijknqry",
    "aceijknqrtwyz",
    "aceijknqry",
    "aceikn",
    "ce",
    "",
];
const HEXAGONAL_LETTERS: [&str; 7] = ["", "", "mop", "mop", "mop", "", ""];

/// One arrangement for each letter, as 9-bit configurations.
const MOORE_CLASSES: [(char, u32, u16); 31] = [
    ('c', 1, 0b000_000_001),
    ('e', 1, 0b000_000_010),
    ('c', 2, 0b000_000_101),
    ('e', 2, 0b000_001_010),
    ('a', 2, 0b000_000_011),
    ('i', 2, 0b000_101_000),
    ('k', 2, 0b000_100_001),
    ('n', 2, 0b001_000_100),
    ('c', 3, 0b001_000_101),
    ('e', 3, 0b000_101_010),
    ('a', 3, 0b000_001_011),
    ('i', 3, 0b000_000_111),
    ('k', 3, 0b001_100_010),
    ('n', 3, 0b000_001_101),
    ('j', 3, 0b000_001_110),
    ('q', 3, 0b001_000_110),
    ('r', 3, 0b000_101_001),
    ('y', 3, 0b001_100_001),
    ('c', 4, 0b101_000_101),
    ('e', 4, 0b010_101_010),
    ('a', 4, 0b000_001_111),
    ('i', 4, 0b000_101_101),
    ('k', 4, 0b001_100_011),
    ('n', 4, 0b001_000_111),
    ('j', 4, 0b001_101_010),
    ('q', 4, 0b001_100_110),
    ('r', 4, 0b000_101_011),
    ('y', 4, 0b001_100_101),
    ('t', 4, 0b001_101_001),
    ('w', 4, 0b001_001_110),
    ('z', 4, 0b001_101_100),
];

/// The six neighbours of a hexagonal cell, one after the other around it: N, E, SE, S, W,
/// NW as bits of a configuration.
const HEXAGON: [u16; 6] = [128, 8, 1, 2, 32, 256];

impl LifelikeNeighbourhood {
    /// How many neighbours there are.
    pub(crate) fn size(self) -> u32 {
        self.mask().count_ones()
    }

    /// The neighbours, as bits of a 9-bit configuration.
    pub(crate) fn mask(self) -> u16 {
        match self {
            Self::Moore => 0b111_101_111,
            Self::VonNeumann => 0b010_101_010,
            Self::Hexagonal => 0b110_101_011,
            Self::Tripod => 0b010_100_001,
        }
    }

    /// How the cells tile the plane.
    pub(crate) fn lattice(self) -> Lattice {
        match self {
            Self::Moore | Self::VonNeumann => Lattice::Square,
            Self::Hexagonal | Self::Tripod => Lattice::Hexagonal,
        }
    }

    /// What is written after the rule.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Moore => "",
            Self::VonNeumann => "V",
            Self::Hexagonal => "H",
            Self::Tripod => "HT",
        }
    }

    /// The letters that go with a count, in alphabetical order.
    pub(crate) fn letters(self, count: u32) -> &'static str {
        match self {
            Self::Moore => MOORE_LETTERS[count as usize],
            Self::Hexagonal => HEXAGONAL_LETTERS[count as usize],
            Self::VonNeumann | Self::Tripod => "",
        }
    }

    pub(crate) fn neighbourhood(self) -> Neighbourhood {
        Neighbourhood::from_weights(1, |dx, dy| {
            let at = ConfigurationTable::OFFSETS.iter();
            let bit = at.take_while(|&&o| o != (dx, dy)).count();
            i32::from(self.mask() >> (8 - bit) & 1)
        })
    }

    /// How many neighbours are alive in a configuration, and which bit of that count's
    /// letters the arrangement has; bit 0 where there are no letters.
    pub(crate) fn class(self, configuration: u16) -> (u32, u32) {
        let live = configuration & self.mask();
        match self {
            Self::Moore => CLASSES[live as usize],
            Self::Hexagonal => (live.count_ones(), hexagonal_letter(live)),
            Self::VonNeumann | Self::Tripod => (live.count_ones(), 0),
        }
    }
}

/// The class of each configuration without its centre.
static CLASSES: LazyLock<[(u32, u32); 512]> = LazyLock::new(|| {
    let mut classes = [(0, 0); 512];
    classes[0b111_101_111] = (8, 0);
    for (letter, count, arrangement) in MOORE_CLASSES {
        let bit = |count: u32| {
            let letters = MOORE_LETTERS[count as usize];
            letters
                .find(letter)
                .expect("the tables name the same letters") as u32
        };
        for turned in orbit(arrangement) {
            classes[turned as usize] = (count, bit(count));
            if count < 4 {
                classes[(turned ^ 0b111_101_111) as usize] = (8 - count, bit(count));
            }
        }
    }
    classes
});

/// A configuration's four turns, and theirs seen in a mirror.
fn orbit(configuration: u16) -> [u16; 8] {
    let moved = |c: u16, to: [u32; 9]| {
        let bits = to.iter().enumerate();
        bits.fold(0, |sum, (from, to)| sum | (c >> (8 - from) & 1) << (8 - to))
    };
    let mut all = [configuration; 8];
    for i in 1..8 {
        all[i] = if i == 4 {
            moved(configuration, [2, 1, 0, 5, 4, 3, 8, 7, 6])
        } else {
            moved(all[i - 1], [2, 5, 8, 1, 4, 7, 0, 3, 6])
        };
    }
    all
}

/// `m`, `o`, `p` are bits 0, 1, 2.
fn hexagonal_letter(live: u16) -> u32 {
    let around: Vec<bool> = HEXAGON.iter().map(|bit| live & bit != 0).collect();
    // four live cells go by their two dead ones
    let shown = live.count_ones() != 4;
    let places: Vec<usize> = (0..6).filter(|&i| around[i] == shown).collect();
    match *places {
        [a, b] => match (b - a).min(6 + a - b) {
            1 => 1,
            2 => 0,
            _ => 2,
        },
        [a, b, c] => {
            let mut gaps = [b - a, c - b, 6 + a - c];
            gaps.sort_unstable();
            match gaps {
                [1, 1, 4] => 1,
                [2, 2, 2] => 2,
                _ => 0,
            }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arrangement_has_one_class() {
        let mut sizes = std::collections::BTreeMap::new();
        for c in (0..512).filter(|c| c & 16 == 0) {
            let (count, bit) = LifelikeNeighbourhood::Moore.class(c);
            assert_eq!(count, c.count_ones());
            *sizes.entry((count, bit)).or_insert(0) += 1;
        }
        assert_eq!(sizes.len(), 51);
        assert_eq!(sizes.values().sum::<i32>(), 256);
        for (&(count, bit), size) in &sizes {
            let orbit_size = sizes[&(8 - count, bit)];
            if count != 4 {
                assert_eq!(*size, orbit_size);
            }
        }
    }

    #[test]
    fn the_drawn_arrangements_are_apart() {
        for (i, a) in MOORE_CLASSES.iter().enumerate() {
            assert_eq!(a.2.count_ones(), a.1, "{}{}", a.1, a.0);
            for b in &MOORE_CLASSES[..i] {
                assert!(!orbit(a.2).contains(&b.2), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn hexagonal_letters() {
        let class = |bits: &[u16]| LifelikeNeighbourhood::Hexagonal.class(bits.iter().sum());
        assert_eq!(class(&[128, 8]), (2, 1));
        assert_eq!(class(&[128, 256]), (2, 1));
        assert_eq!(class(&[128, 1]), (2, 0));
        assert_eq!(class(&[128, 2]), (2, 2));
        assert_eq!(class(&[128, 8, 1]), (3, 1));
        assert_eq!(class(&[128, 1, 32]), (3, 2));
        assert_eq!(class(&[128, 8, 2]), (3, 0));
        assert_eq!(class(&[128, 8, 1, 2]), (4, 1));
    }
}
