//! The search: it follows the light, and decides a tile only when light enters it.

use super::{Aim, Answer, Progress, Question, Solution};
use crate::board::Board;
use crate::direction::{Direction, Directions};
use crate::tile::{Piece, Tile};

/// Between two looks at whether to go on.
const NODES_BETWEEN: u64 = 1024;

pub(super) fn solve(
    board: &Board,
    question: Question,
    goes_on: &mut dyn FnMut(Progress) -> bool,
) -> Answer {
    let mut bare = board.clone();
    let mut free = 0;
    for cell in 0..board.cells() {
        if board.tile(cell).is_free() {
            bare.put(cell, Tile::Empty);
            free += 1;
        }
    }
    let limit = match question.aim {
        Aim::Any => 1,
        Aim::All { up_to } => up_to.max(1),
        Aim::Fewest => u64::MAX,
    };
    let mut search = Search {
        decided: board.tiles().map(|tile| !tile.is_free()).collect(),
        entering: vec![Directions::NONE; board.cells()],
        stock: board.stock(),
        free,
        board: bare,
        solutions: Vec::new(),
        limit,
        nodes: 0,
        most_nodes: question.nodes,
        goes_on,
        is_stopped: false,
    };
    let heads = board.lasers();
    let heads = heads.filter_map(|(laser, way)| Some((board.beside(laser, way)?, way)));
    let heads = heads.collect();
    if board.sensors().next().is_some() {
        search.follow(heads);
    }
    let (nodes, is_complete) = (search.nodes, !search.is_stopped);
    let solutions = search.solutions;
    Answer {
        solvable: match solutions.is_empty() {
            false => Some(true),
            true if is_complete => Some(false),
            true => None,
        },
        is_complete,
        at_least: 0,
        moves: None,
        is_fewest: false,
        nodes,
        solutions,
    }
}

struct Search<'a> {
    /// Fixed tiles and what was decided; empty where nothing was.
    board: Board,
    decided: Vec<bool>,
    entering: Vec<Directions>,
    /// Pieces that stand nowhere yet.
    stock: [u32; Piece::COUNT],
    /// Cells for hardware that light has not entered.
    free: u32,
    solutions: Vec<Solution>,
    limit: u64,
    nodes: u64,
    most_nodes: u64,
    goes_on: &'a mut dyn FnMut(Progress) -> bool,
    is_stopped: bool,
}

impl Search<'_> {
    /// Follows all heads to their ends; at a tile that is not decided, tries each choice.
    fn follow(&mut self, mut heads: Vec<(usize, Direction)>) {
        let mut seen = Vec::new();
        while let Some((cell, heading)) = heads.pop() {
            if self.entering[cell].contains(heading) {
                continue;
            }
            if !self.decided[cell] {
                heads.push((cell, heading));
                self.decide(cell, &heads);
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
        self.choose(heads);
        for piece in Piece::ALL {
            if self.stock[piece.index()] > 0 && !self.is_stopped {
                self.stock[piece.index()] -= 1;
                self.board.put(cell, Tile::Hardware(piece));
                self.choose(heads);
                self.board.put(cell, Tile::Empty);
                self.stock[piece.index()] += 1;
            }
        }
        self.free += 1;
        self.decided[cell] = false;
    }

    fn choose(&mut self, heads: &[(usize, Direction)]) {
        self.nodes += 1;
        if self.nodes >= self.most_nodes {
            self.is_stopped = true;
        } else if self.nodes.is_multiple_of(NODES_BETWEEN) {
            let progress = Progress {
                nodes: self.nodes,
                solutions: self.solutions.len() as u64,
                at_least: 0,
            };
            self.is_stopped |= !(self.goes_on)(progress);
        }
        if !self.is_stopped {
            self.follow(heads.to_vec());
        }
    }

    /// All light has come to its end. Pieces that stand nowhere need dark cells to lie on.
    fn arrive(&mut self) {
        let is_lit =
            |(sensor, way): (usize, Direction)| self.entering[sensor].contains(way.opposite());
        if self.stock.iter().sum::<u32>() > self.free || !self.board.sensors().all(is_lit) {
            return;
        }
        let pieces = self.board.pieces().collect();
        self.solutions.push(Solution { pieces });
        self.is_stopped = self.solutions.len() as u64 >= self.limit;
    }
}
