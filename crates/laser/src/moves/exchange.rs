use crate::tile::Piece;

/// Contents: nothing, or one of the pieces.
const CONTENTS: usize = Piece::COUNT + 1;

/// Cells that have one content and want another, and how few moves give all of them what
/// they want, when cells that want nothing in particular may lend and take what they like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// For contents a and b: how many more cells have a and want b than the other way round.
    surplus: [[i32; CONTENTS]; CONTENTS],
    /// Cells that have not what they want.
    cells: u32,
    /// Pairs among them that have what the other wants.
    pairs: u32,
}

impl Exchange {
    /// No cell yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more cell that has this content (`None` for nothing) and wants that.
    pub fn add(&mut self, has: Option<Piece>, wants: Option<Piece>) {
        let (has, wants) = (content(has), content(wants));
        if has == wants {
            return;
        }
        self.cells += 1;
        self.pairs += u32::from(self.surplus[wants][has] > 0);
        self.surplus[has][wants] += 1;
        self.surplus[wants][has] -= 1;
    }

    /// Takes a cell back that was added.
    pub fn remove(&mut self, has: Option<Piece>, wants: Option<Piece>) {
        let (has, wants) = (content(has), content(wants));
        if has == wants {
            return;
        }
        self.cells -= 1;
        self.surplus[has][wants] -= 1;
        self.surplus[wants][has] += 1;
        self.pairs -= u32::from(self.surplus[wants][has] > 0);
    }

    /// The fewest moves.
    #[must_use]
    pub fn moves(&self) -> u32 {
        self.cells - self.pairs
    }
}

fn content(piece: Option<Piece>) -> usize {
    piece.map_or(0, |piece| piece.index() + 1)
}
