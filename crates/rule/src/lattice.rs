//! How a rule's cells tile the plane.

/// The tiling that a rule is about. Cells have integer coordinates in all of them; the tiling
/// says which ones touch, and how they are drawn.
///
/// ```
/// use rule::{Lattice, Rule};
///
/// let lattice = |text: &str| text.parse().map(|rule: Rule| rule.lattice());
/// assert_eq!(lattice("B3/S23"), Ok(Lattice::Square));
/// assert_eq!(lattice("B2/S34H"), Ok(Lattice::Hexagonal));
/// assert_eq!(lattice("B456/S34L"), Ok(Lattice::Triangular));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lattice {
    /// Squares, four of which share an edge with a square.
    #[default]
    Square,
    /// Hexagons: an edge is shared with the cells to the north, east, south-east, south, west
    /// and north-west. Each row is shifted by half a cell to the left of the one above.
    Hexagonal,
    /// Triangles. Those with even x + y have their point below and share edges with the cells
    /// to the west, the east and the north; odd ones have it above and share edges with the
    /// west, the east and the south.
    Triangular,
}

impl Lattice {
    /// The offsets of the cells that share an edge with a cell.
    ///
    /// ```
    /// use rule::Lattice;
    ///
    /// assert_eq!(Lattice::Hexagonal.edge_neighbours(0, 0).len(), 6);
    /// assert_eq!(Lattice::Triangular.edge_neighbours(0, 0), [(-1, 0), (1, 0), (0, -1)]);
    /// assert_eq!(Lattice::Triangular.edge_neighbours(1, 0), [(-1, 0), (1, 0), (0, 1)]);
    /// ```
    #[must_use]
    pub fn edge_neighbours(self, x: i64, y: i64) -> &'static [(i64, i64)] {
        match self {
            Self::Square => &[(0, -1), (1, 0), (0, 1), (-1, 0)],
            Self::Hexagonal => &[(0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)],
            Self::Triangular if (x ^ y) & 1 == 0 => &[(-1, 0), (1, 0), (0, -1)],
            Self::Triangular => &[(-1, 0), (1, 0), (0, 1)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;

    #[test]
    fn the_notation_says_which_lattice_a_rule_is_about() {
        for (text, lattice) in [
            ("B3/S23", Lattice::Square),
            ("B3/S23V", Lattice::Square),
            ("345/2/4", Lattice::Square),
            ("B2o/S2m34H", Lattice::Hexagonal),
            ("B2/S1HT", Lattice::Hexagonal),
            ("34/2/4H", Lattice::Hexagonal),
            ("MAPAAAAAAAAAAAAAAAAAAAAAA", Lattice::Hexagonal),
            ("R2,C2,S2-4,B3,NH", Lattice::Hexagonal),
            ("R1,C2,S2-3,B3,NW111101111H", Lattice::Hexagonal),
            ("R1,C2,S2-3,B3,NW111101111", Lattice::Square),
            ("R1,C2,S2-3,B3,NW111101111L", Lattice::Triangular),
            ("R2,C2,S2-4,B3,NL", Lattice::Triangular),
            ("B45/S34LO", Lattice::Triangular),
            ("34/34/10L", Lattice::Triangular),
            ("B2/S34H|B2/S3H", Lattice::Hexagonal),
            ("B2/S34H|B2/S3", Lattice::Square),
            ("Margolus", Lattice::Square),
            ("WireWorld", Lattice::Square),
        ] {
            if let Ok(rule) = text.parse::<Rule>() {
                assert_eq!(rule.lattice(), lattice, "{text}");
            } else {
                assert_eq!(text, "Margolus", "is no rule");
            }
        }
        let file = |neighbourhood: &str, symmetries: &str, line: &str| {
            let text = format!(
                "@RULE Snow\n@TABLE\nn_states:2\nneighborhood:{neighbourhood}\n\
                 symmetries:{symmetries}\n{line}"
            );
            Rule::from_file(&text).unwrap().lattice()
        };
        let line = "0,1,0,0,0,0,0,1";
        assert_eq!(file("hexagonal", "permute", line), Lattice::Hexagonal);
        let line = "0,1,0,0,1";
        assert_eq!(
            file("triangularVonNeumann", "permute", line),
            Lattice::Triangular
        );
        let line = "0,1,0,0,0,0,0,0,0,1";
        assert_eq!(file("Moore", "permute", line), Lattice::Square);
    }
}
