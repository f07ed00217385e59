//! An independent check: the level as a propositional formula, for a SAT solver that knows
//! nothing of light.
//!
//! It shares no code with the search, so that one finds what the other overlooks; it is slower
//! and takes memory for each cell, so it is part of the tests.
//!
//! # The formula
//!
//! Each free cell has exactly one content: nothing, or a kind of piece. For each beam front (a
//! cell and the direction in which light enters it) a variable says whether light is there.
//! There is light exactly if the cell behind is a laser that points this way, or some front of
//! the cell behind has light that its content lets out this way: a *feed*, with a variable of
//! its own. Sensors have light in their openings. A piece stands only where light enters, no
//! kind is used more often than there are pieces, and no more cells are lit and empty than
//! there are empty cells, for then the other pieces have room in the dark. So the models of the
//! formula are the solutions, one each, with one exception: fronts on a cycle might feed each
//! other without a laser. Whenever that happens, a clause for each of these fronts demands that
//! some feed from elsewhere reaches them (loop formulas, Lin and Zhao, 2004); real light
//! satisfies all these clauses, so no solution is lost.

use laser::solver::Solution;
use laser::{Board, Direction, Directions, Light, Piece, Tile};
use rustsat::instances::SatInstance;
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::constraints::CardConstraint;
use rustsat::types::{Clause, Lit, TernaryVal};
use rustsat_batsat::BasicSolver;

/// The result of the formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormulaCount {
    /// Solutions, in order; no more than were asked for.
    pub(crate) solutions: Vec<Solution>,
    /// Whether it was proven that there are no others.
    pub(crate) is_complete: bool,
}

/// Finds the solutions of a level, up to a number of them. With `up_to` 0 nothing is looked
/// for. Meant for boards of a few hundred cells.
pub(crate) fn count(board: &Board, up_to: usize) -> FormulaCount {
    let mut solutions = Vec::new();
    let mut is_complete = board.sensors().next().is_none();
    if !is_complete {
        let mut models = ModelEnumerator::new(board);
        while solutions.len() < up_to {
            match models.next() {
                Some(solution) => solutions.push(solution),
                None => {
                    is_complete = true;
                    break;
                }
            }
        }
    }
    solutions.sort();
    FormulaCount {
        solutions,
        is_complete,
    }
}

/// A content of a free cell, and the variable that says so.
type ContentLiteral = (Tile, Lit);

/// Light that goes on from a head of one cell into the next.
struct Feed {
    /// A head, by [`head`].
    from: usize,
    /// The head that it feeds.
    to: usize,
    /// Whether it does.
    is_on: Lit,
}

struct ModelEnumerator<'a> {
    board: &'a Board,
    solver: BasicSolver,
    /// For each cell what may stand there; nothing for fixed tiles.
    choices: Vec<Vec<ContentLiteral>>,
    /// For each head whether light is there; `None` where it can never be.
    lit: Vec<Option<Lit>>,
    /// Every way from head to head.
    feeds: Vec<Feed>,
}

/// The number of a head.
fn head(cell: usize, heading: Direction) -> usize {
    4 * cell + heading.index()
}

impl<'a> ModelEnumerator<'a> {
    fn new(board: &'a Board) -> Self {
        let mut formula = Formula::default();
        let choices = formula.choices(board);
        let lit = formula.heads(board);
        let feeds = formula.feeds(board, &choices, &lit);
        formula.sensors(board, &lit);
        formula.stock(board, &choices, &lit);
        let mut solver = BasicSolver::default();
        let (clauses, _) = formula.instance.into_cnf();
        solver.add_cnf(clauses).expect("clauses fit in memory");
        Self {
            board,
            solver,
            choices,
            lit,
            feeds,
        }
    }

    /// A solution that did not come before.
    fn next(&mut self) -> Option<Solution> {
        loop {
            match self.solver.solve().expect("nothing is wrong with it") {
                SolverResult::Sat => {}
                SolverResult::Unsat => return None,
                SolverResult::Interrupted => unreachable!("nobody interrupts it"),
            }
            let placed = self.placed();
            let light = Light::of(&placed);
            let lone = self.lone_heads(&light);
            if lone.contains(&true) {
                self.demand_feeds(&lone);
            } else {
                self.exclude(&placed, &light);
                let pieces = placed.pieces().collect();
                return Some(Solution { pieces });
            }
        }
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.solver.lit_val(lit).ok() == Some(TernaryVal::True)
    }

    fn add(&mut self, clause: Clause) {
        self.solver.add_clause(clause).expect("it fits in memory");
    }

    /// The board of the last model.
    fn placed(&self) -> Board {
        let mut placed = self.board.clone();
        for (cell, choices) in self.choices.iter().enumerate() {
            for &(tile, is_here) in choices {
                if self.is_true(is_here) {
                    placed.put(cell, tile);
                }
            }
        }
        placed
    }

    /// The heads that have light in the last model and on its board have none.
    fn lone_heads(&self, light: &Light) -> Vec<bool> {
        let heads = self.lit.iter().enumerate();
        heads
            .map(|(head, lit)| {
                let heading = Direction::ALL[head % 4];
                lit.is_some_and(|lit| self.is_true(lit))
                    && !light.entering(head / 4).contains(heading)
            })
            .collect()
    }

    /// Each of these heads has light only if a feed from another head is on. None of them
    /// is in the last model: the heads that such a feed comes from have real light, and
    /// would have passed it on.
    fn demand_feeds(&mut self, lone: &[bool]) {
        let feeds = self.feeds.iter();
        let outer = feeds.filter(|feed| lone[feed.to] && !lone[feed.from]);
        let outer: Vec<Lit> = outer.map(|feed| feed.is_on).collect();
        let heads = lone.iter().zip(&self.lit).filter(|&(&is_lone, _)| is_lone);
        let heads: Vec<Lit> = heads.filter_map(|(_, &lit)| lit).collect();
        for is_lit in heads {
            let mut clause: Clause = outer.iter().copied().collect();
            clause.add(!is_lit);
            self.add(clause);
        }
    }

    /// The same again is no news: something has to be different on a cell that light enters.
    fn exclude(&mut self, placed: &Board, light: &Light) {
        let mut clause = Clause::default();
        for (cell, choices) in self.choices.iter().enumerate() {
            for &(tile, is_here) in choices {
                if !light.entering(cell).is_empty() && tile == placed.tile(cell) {
                    clause.add(!is_here);
                }
            }
        }
        self.add(clause);
    }
}

/// The formula as it grows.
#[derive(Default)]
struct Formula {
    instance: SatInstance,
}

impl Formula {
    /// A content for each free cell, and one only.
    fn choices(&mut self, board: &Board) -> Vec<Vec<ContentLiteral>> {
        let stock = board.stock();
        let kinds = Piece::ALL.into_iter();
        let kinds = kinds.filter(|piece| stock[piece.index()] > 0);
        let contents: Vec<Tile> = std::iter::once(Tile::Empty)
            .chain(kinds.map(Tile::Hardware))
            .collect();
        let mut choices = Vec::new();
        for tile in board.tiles() {
            let free = contents.iter().filter(|_| tile.is_free());
            let of_cell: Vec<ContentLiteral> = free
                .map(|&content| (content, self.instance.new_lit()))
                .collect();
            if tile.is_free() {
                let lits: Vec<Lit> = of_cell.iter().map(|&(_, lit)| lit).collect();
                for (number, &one) in lits.iter().enumerate() {
                    for &other in &lits[..number] {
                        self.instance.add_binary(!one, !other);
                    }
                }
                self.instance.add_nary(&lits);
            }
            choices.push(of_cell);
        }
        choices
    }

    /// Whether light is at each head that matters: into free cells and sensors, out of free
    /// cells and lasers.
    fn heads(&mut self, board: &Board) -> Vec<Option<Lit>> {
        let mut lit = vec![None; 4 * board.cells()];
        for (cell, tile) in board.tiles().enumerate() {
            if !tile.is_free() && !matches!(tile, Tile::Sensor(_)) {
                continue;
            }
            for heading in Direction::ALL {
                let Some(behind) = board.beside(cell, heading.opposite()) else {
                    continue;
                };
                let behind = board.tile(behind);
                if behind.is_free() {
                    lit[head(cell, heading)] = Some(self.instance.new_lit());
                } else if behind == Tile::Laser(heading) {
                    let is_lit = self.instance.new_lit();
                    self.instance.add_unit(is_lit);
                    lit[head(cell, heading)] = Some(is_lit);
                }
            }
        }
        lit
    }

    /// A feed is on just if its head has light and the content lets it through; a head out
    /// of a free cell has light just if a feed of it is on.
    fn feeds(
        &mut self,
        board: &Board,
        choices: &[Vec<ContentLiteral>],
        lit: &[Option<Lit>],
    ) -> Vec<Feed> {
        let mut feeds = Vec::new();
        for (cell, choices) in choices
            .iter()
            .enumerate()
            .filter(|(_, all)| !all.is_empty())
        {
            for exit in Direction::ALL {
                let Some(next) = board.beside(cell, exit) else {
                    continue;
                };
                let to = head(next, exit);
                let Some(is_lit) = lit[to] else {
                    continue;
                };
                let mut ways = Vec::new();
                for heading in Direction::ALL {
                    let from = head(cell, heading);
                    let passing = choices.iter();
                    let passing = passing.filter(|(tile, _)| tile.pass(heading).contains(exit));
                    let passing: Vec<Lit> = passing.map(|&(_, is_here)| is_here).collect();
                    let (Some(has_light), false) = (lit[from], passing.is_empty()) else {
                        continue;
                    };
                    let is_on = self.instance.new_lit();
                    self.instance.add_binary(!is_on, has_light);
                    self.instance.add_lit_impl_clause(is_on, &passing);
                    for is_here in passing {
                        self.instance.add_ternary(!has_light, !is_here, is_on);
                    }
                    self.instance.add_binary(!is_on, is_lit);
                    ways.push(is_on);
                    feeds.push(Feed { from, to, is_on });
                }
                self.instance.add_lit_impl_clause(is_lit, &ways);
            }
        }
        feeds
    }

    /// Every sensor has light in its opening.
    fn sensors(&mut self, board: &Board, lit: &[Option<Lit>]) {
        for (sensor, way) in board.sensors() {
            match lit[head(sensor, way.opposite())] {
                Some(is_lit) => self.instance.add_unit(is_lit),
                None => self.instance.add_nary(&[]),
            }
        }
    }

    /// Pieces stand in the light, no more than there are; and the rest has room.
    fn stock(&mut self, board: &Board, choices: &[Vec<ContentLiteral>], lit: &[Option<Lit>]) {
        let mut of_kind: [Vec<Lit>; Piece::COUNT] = Default::default();
        let mut lit_and_empty = Vec::new();
        for (cell, choices) in choices.iter().enumerate() {
            let heads = Directions::ALL
                .iter()
                .filter_map(|way| lit[head(cell, way)]);
            let heads: Vec<Lit> = heads.collect();
            for &(tile, is_here) in choices {
                if let Some(piece) = tile.piece() {
                    self.instance.add_lit_impl_clause(is_here, &heads);
                    of_kind[piece.index()].push(is_here);
                } else {
                    let is_both = self.instance.new_lit();
                    for &is_lit in &heads {
                        self.instance.add_ternary(!is_here, !is_lit, is_both);
                    }
                    lit_and_empty.push(is_both);
                }
            }
        }
        for (lits, most) in of_kind.into_iter().zip(board.stock()) {
            if most > 0 {
                let most = CardConstraint::new_ub(lits, most as usize);
                self.instance.add_card_constr(most);
            }
        }
        let empty = board.tiles().filter(|&tile| tile == Tile::Empty).count();
        let most = CardConstraint::new_ub(lit_and_empty, empty);
        self.instance.add_card_constr(most);
    }
}
