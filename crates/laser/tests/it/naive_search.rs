//! A naive reference search: it traces the light, and tries everything at each tile that light
//! enters, without any pruning.

use laser::solver::Solution;
use laser::{Board, Direction, Directions, Piece, Tile};

/// All solutions in order; `None` where that takes more choices than `most`.
pub(crate) fn solutions(board: &Board, most: u64) -> Option<Vec<Solution>> {
    let mut search = NaiveLaserSearch {
        decided: board.tiles().map(|tile| !tile.is_free()).collect(),
        entering: vec![Directions::NONE; board.cells()],
        stock: board.stock(),
        free: board.tiles().filter(|tile| tile.is_free()).count(),
        board: board.without_hardware(),
        solutions: Vec::new(),
        left: most,
    };
    let heads = board.lasers();
    let heads = heads.filter_map(|(laser, way)| Some((board.beside(laser, way)?, way)));
    let heads = heads.collect();
    if board.sensors().next().is_some() {
        search.follow(heads);
    }
    search.solutions.sort_unstable();
    (search.left > 0).then_some(search.solutions)
}

struct NaiveLaserSearch {
    /// Fixed tiles and what was decided; empty where nothing was.
    board: Board,
    decided: Vec<bool>,
    entering: Vec<Directions>,
    /// Pieces that stand nowhere yet.
    stock: [u32; Piece::COUNT],
    /// Cells for hardware that light has not entered.
    free: usize,
    solutions: Vec<Solution>,
    left: u64,
}

impl NaiveLaserSearch {
    /// Follows all heads to their ends; at a tile that is not decided, tries each choice.
    fn follow(&mut self, mut heads: Vec<(usize, Direction)>) {
        self.left = self.left.saturating_sub(1);
        let mut seen = Vec::new();
        while let Some((cell, heading)) = heads.pop() {
            if self.entering[cell].contains(heading) {
                continue;
            }
            if !self.decided[cell] {
                heads.push((cell, heading));
                if self.left > 0 {
                    self.decide(cell, &heads);
                }
                self.forget(seen);
                return;
            }
            self.entering[cell] = self.entering[cell] | heading.into();
            seen.push((cell, heading));
            for exit in self.board.tile(cell).pass(heading).iter() {
                heads.extend(self.board.beside(cell, exit).map(|next| (next, exit)));
            }
        }
        self.arrive();
        self.forget(seen);
    }

    fn forget(&mut self, seen: Vec<(usize, Direction)>) {
        for (cell, heading) in seen {
            self.entering[cell] = self.entering[cell].without(heading.into());
        }
    }

    fn decide(&mut self, cell: usize, heads: &[(usize, Direction)]) {
        self.decided[cell] = true;
        self.free -= 1;
        self.follow(heads.to_vec());
        for piece in Piece::ALL {
            if self.stock[piece.index()] > 0 {
                self.stock[piece.index()] -= 1;
                self.board.put(cell, Tile::Hardware(piece));
                self.follow(heads.to_vec());
                self.board.put(cell, Tile::Empty);
                self.stock[piece.index()] += 1;
            }
        }
        self.free += 1;
        self.decided[cell] = false;
    }

    /// All light has come to its end. Pieces that stand nowhere need dark cells to lie on.
    fn arrive(&mut self) {
        let is_lit =
            |(sensor, way): (usize, Direction)| self.entering[sensor].contains(way.opposite());
        if self.stock.iter().sum::<u32>() as usize > self.free || !self.board.sensors().all(is_lit)
        {
            return;
        }
        let pieces = self.board.pieces().collect();
        self.solutions.push(Solution { pieces });
    }
}
