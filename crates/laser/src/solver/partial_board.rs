//! The partial assignment at a search node, with a trail to undo it.

use super::cell_contents::{
    EMPTY, KINDS, LaserCellContents, OPEN, WALL, bit, content, is_clear, kind, max_gain, pass,
    piece, sources, ways,
};
use super::search_grid::{CellBitset, SearchGrid, insert, remove};
use crate::board::Board;
use crate::direction::Direction;
use crate::moves::SwapDistance;
use crate::tile::{Piece, Tile};

/// Light travelling in this direction, as it enters this cell. For a front that looks back,
/// as it leaves it.
pub(super) type BeamFront = (u32, Direction);

/// A board of which only some cells are known: the fixed ones, and those that light enters
/// in every solution that is still looked for.
///
/// Light is traced forward from the lasers, to the open cells that it enters, and backward from
/// the sensors through known tiles to the open cells that must send it. Both kinds of cells are
/// lit in every solution below this node, so branching over their contents never finds a lit
/// placement twice.
#[derive(Debug)]
pub(super) struct PartialBoard {
    pub(super) grid: SearchGrid,
    pub(super) contents: Vec<LaserCellContents>,
    /// The ways in which light enters a cell.
    pub(super) lit: Vec<u8>,
    /// The ways in which light must enter a cell.
    need: Vec<u8>,
    /// The ways in which light must not enter a cell.
    never: Vec<u8>,
    /// The open cells.
    pub(super) open: CellBitset,
    /// Cells through which light goes straight, the open ones among them.
    pub(super) clear: CellBitset,
    /// What is left of each kind.
    pub(super) stock: [u32; KINDS],
    /// Pieces left.
    pub(super) left: u32,
    /// Sensors that are not lit.
    pub(super) unlit: u32,
    pub(super) sensors: Vec<BeamFront>,
    /// Pieces that were put down.
    pub(super) placed: Vec<u32>,
    /// Light that enters open cells; some of them are no longer open.
    pub(super) fronts: Vec<BeamFront>,
    /// Light that must leave open cells; some are no longer open, or send it.
    pub(super) backs: Vec<BeamFront>,
    /// Light that must leave pieces that can send it in more than one way.
    pub(super) undecided_exits: Vec<BeamFront>,
    /// Light that was decided to enter such pieces. The requirement alone is not enough: pieces
    /// on a cycle could satisfy each other without a laser.
    pub(super) demands: Vec<BeamFront>,
    /// A contradiction was met.
    pub(super) is_dead: bool,
    /// For the fewest moves: what stands in each free cell as the search begins.
    start: Vec<LaserCellContents>,
    distance: SwapDistance,
    trail: Vec<TrailEntry>,
    agenda: Vec<PropagationTask>,
}

/// A change to undo.
#[derive(Clone, Copy, Debug)]
enum TrailEntry {
    Lit(u32, Direction),
    Need(u32, Direction),
    Never(u32, Direction),
    Decided(u32),
}

/// A pending propagation.
#[derive(Clone, Copy, Debug)]
enum PropagationTask {
    /// Light enters a cell.
    Light(u32, Direction),
    /// Light must enter a cell.
    Need(u32, Direction),
}

/// A position of the trail to undo to.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrailMark {
    trail: usize,
    fronts: usize,
    backs: usize,
    undecided_exits: usize,
    demands: usize,
}

impl PartialBoard {
    /// The board with its hardware taken off.
    pub(super) fn of(board: &Board, counts_moves: bool) -> Self {
        let grid = SearchGrid::of(board);
        let mut state = Self {
            grid,
            contents: vec![WALL; grid.cells()],
            lit: vec![0; grid.cells()],
            need: vec![0; grid.cells()],
            never: vec![0; grid.cells()],
            open: vec![0; grid.cells() / 64],
            clear: vec![0; grid.cells() / 64],
            stock: [0; KINDS],
            left: 0,
            unlit: 0,
            sensors: Vec::new(),
            placed: Vec::new(),
            fronts: Vec::new(),
            backs: Vec::new(),
            undecided_exits: Vec::new(),
            demands: Vec::new(),
            is_dead: false,
            start: Vec::new(),
            distance: SwapDistance::new(),
            trail: Vec::new(),
            agenda: Vec::new(),
        };
        if counts_moves {
            state.start = vec![WALL; grid.cells()];
        }
        let mut lasers = Vec::new();
        for (index, tile) in board.tiles().enumerate() {
            let cell = grid.to_grid(index);
            let code = tile.index() as u8;
            match tile {
                Tile::Wall => {}
                Tile::Laser(way) => lasers.push((grid.step(cell, way), way)),
                Tile::Sensor(way) => state.sensors.push((cell, way.opposite())),
                Tile::Empty | Tile::Hardware(_) => {
                    insert(&mut state.open, cell);
                    insert(&mut state.clear, cell);
                    state.stock[kind(code)] += 1;
                    state.left += u32::from(code != EMPTY);
                    if counts_moves {
                        state.start[cell as usize] = code;
                    }
                }
            }
            let content = if tile.is_free() { OPEN } else { code };
            state.contents[cell as usize] = content;
        }
        state.unlit = state.sensors.len() as u32;
        for (cell, way) in lasers {
            state.agenda.push(PropagationTask::Light(cell, way));
        }
        for &(cell, way) in &state.sensors {
            state.agenda.push(PropagationTask::Need(cell, way));
        }
        state.propagate();
        state
    }

    #[inline]
    pub(super) fn is_open(&self, cell: u32) -> bool {
        self.contents[cell as usize] == OPEN
    }

    #[inline]
    pub(super) fn is_lit(&self, (cell, heading): BeamFront) -> bool {
        self.lit[cell as usize] & bit(heading) != 0
    }

    #[inline]
    pub(super) fn may_be_lit(&self, (cell, heading): BeamFront) -> bool {
        self.never[cell as usize] & bit(heading) == 0
    }

    #[inline]
    pub(super) fn needs(&self, (cell, heading): BeamFront) -> bool {
        self.need[cell as usize] & bit(heading) != 0
    }

    /// Whether light must leave an open cell this way.
    #[inline]
    pub(super) fn must_send(&self, cell: u32, exit: Direction) -> bool {
        let next = self.grid.step(cell, exit) as usize;
        self.need[next] & bit(exit) != 0
    }

    /// Pieces of this kind, or cells without one, that are left.
    #[inline]
    pub(super) fn kinds_left(&self) -> impl Iterator<Item = LaserCellContents> {
        (1..KINDS).filter(|&kind| self.stock[kind] > 0).map(content)
    }

    /// The fewest moves that bring the placed pieces, wherever the others go.
    pub(super) fn moves(&self) -> u32 {
        self.distance.moves()
    }

    /// The most beams that can still be added to the present ones.
    pub(super) fn max_new_beams(&self) -> i64 {
        let stock = (1..KINDS)
            .map(|kind| i64::from(self.stock[kind]) * i64::from(max_gain(content(kind), 0)));
        let placed = self.placed.iter().map(|&cell| {
            let (content, lit) = (self.contents[cell as usize], self.lit[cell as usize]);
            i64::from(max_gain(content, lit))
        });
        stock.sum::<i64>() + placed.sum::<i64>()
    }

    pub(super) fn mark(&self) -> TrailMark {
        TrailMark {
            trail: self.trail.len(),
            fronts: self.fronts.len(),
            backs: self.backs.len(),
            undecided_exits: self.undecided_exits.len(),
            demands: self.demands.len(),
        }
    }

    pub(super) fn undo(&mut self, mark: TrailMark) {
        while self.trail.len() > mark.trail {
            match self.trail.pop().expect("it is longer than that") {
                TrailEntry::Lit(cell, way) => {
                    self.lit[cell as usize] &= !bit(way);
                    if Tile::ALL
                        .get(usize::from(self.contents[cell as usize]))
                        .is_some_and(|tile| tile.is_lit_by(way))
                    {
                        self.unlit += 1;
                    }
                }
                TrailEntry::Need(cell, way) => self.need[cell as usize] &= !bit(way),
                TrailEntry::Never(cell, way) => self.never[cell as usize] &= !bit(way),
                TrailEntry::Decided(cell) => self.reopen(cell),
            }
        }
        self.fronts.truncate(mark.fronts);
        self.backs.truncate(mark.backs);
        self.undecided_exits.truncate(mark.undecided_exits);
        self.demands.truncate(mark.demands);
        self.is_dead = false;
    }

    fn reopen(&mut self, cell: u32) {
        let content = self.contents[cell as usize];
        self.contents[cell as usize] = OPEN;
        self.stock[kind(content)] += 1;
        insert(&mut self.open, cell);
        insert(&mut self.clear, cell);
        if content != EMPTY {
            self.left += 1;
            self.placed.pop();
        }
        if let Some(&start) = self.start.get(cell as usize) {
            self.distance.remove(piece(start), piece(content));
        }
    }

    /// Decides the content of an open cell that light enters, or must leave, and propagates the
    /// consequences.
    pub(super) fn decide(&mut self, cell: u32, content: LaserCellContents) {
        debug_assert!(self.is_open(cell), "it is decided once");
        if self.stock[kind(content)] == 0 {
            self.is_dead = true;
            return;
        }
        self.contents[cell as usize] = content;
        self.trail.push(TrailEntry::Decided(cell));
        self.stock[kind(content)] -= 1;
        remove(&mut self.open, cell);
        if content != EMPTY {
            self.left -= 1;
            self.placed.push(cell);
            if !is_clear(content) {
                remove(&mut self.clear, cell);
            }
        }
        if let Some(&start) = self.start.get(cell as usize) {
            self.distance.add(piece(start), piece(content));
        }
        for heading in ways(self.lit[cell as usize]) {
            self.send(cell, content, heading);
        }
        for exit in Direction::ALL {
            if self.must_send(cell, exit) {
                self.trace_back(cell, exit);
            }
        }
        self.propagate();
    }

    /// Light must enter a cell in this direction.
    pub(super) fn demand(&mut self, (cell, heading): BeamFront) {
        self.demands.push((cell, heading));
        self.agenda.push(PropagationTask::Need(cell, heading));
        self.propagate();
    }

    /// Light must not enter a cell in this direction.
    pub(super) fn forbid(&mut self, (cell, heading): BeamFront) {
        let at = cell as usize;
        if (self.lit[at] | self.need[at]) & bit(heading) != 0 {
            self.is_dead = true;
        } else if self.never[at] & bit(heading) == 0 {
            self.never[at] |= bit(heading);
            self.trail.push(TrailEntry::Never(cell, heading));
        }
    }

    fn propagate(&mut self) {
        while let Some(task) = self.agenda.pop() {
            if self.is_dead {
                self.agenda.clear();
                return;
            }
            match task {
                PropagationTask::Light(cell, way) => self.enter(cell, way),
                PropagationTask::Need(cell, way) => self.require(cell, way),
            }
        }
    }

    fn enter(&mut self, cell: u32, heading: Direction) {
        let at = cell as usize;
        if self.lit[at] & bit(heading) != 0 {
            return;
        }
        if self.never[at] & bit(heading) != 0 {
            self.is_dead = true;
            return;
        }
        self.lit[at] |= bit(heading);
        self.trail.push(TrailEntry::Lit(cell, heading));
        match self.contents[at] {
            OPEN => self.fronts.push((cell, heading)),
            content => {
                if Tile::ALL[usize::from(content)].is_lit_by(heading) {
                    self.unlit -= 1;
                }
                self.send(cell, content, heading);
            }
        }
    }

    fn send(&mut self, cell: u32, content: LaserCellContents, heading: Direction) {
        for exit in ways(pass(content, heading)) {
            self.agenda
                .push(PropagationTask::Light(self.grid.step(cell, exit), exit));
        }
    }

    fn require(&mut self, cell: u32, heading: Direction) {
        let at = cell as usize;
        if (self.lit[at] | self.need[at]) & bit(heading) != 0 {
            return;
        }
        if self.never[at] & bit(heading) != 0 {
            self.is_dead = true;
            return;
        }
        self.need[at] |= bit(heading);
        self.trail.push(TrailEntry::Need(cell, heading));
        let from = self.grid.step(cell, heading.opposite());
        match self.contents[from as usize] {
            OPEN => self.backs.push((from, heading)),
            // a laser's own beam is on its way in these very tasks
            content if Tile::ALL[usize::from(content)] == Tile::Laser(heading) => {}
            _ => self.trace_back(from, heading),
        }
    }

    /// Light must leave a cell that is decided.
    fn trace_back(&mut self, cell: u32, exit: Direction) {
        let inputs = sources(self.contents[cell as usize], exit);
        match inputs.count_ones() {
            0 => self.is_dead = true,
            1 => {
                for input in ways(inputs) {
                    self.agenda.push(PropagationTask::Need(cell, input));
                }
            }
            _ => self.undecided_exits.push((cell, exit)),
        }
    }

    /// The pieces put down, by cell of the board.
    pub(super) fn pieces(&self) -> Vec<(usize, Piece)> {
        let mut pieces: Vec<_> = self
            .placed
            .iter()
            .filter_map(|&cell| {
                Some((
                    self.grid.to_board(cell),
                    piece(self.contents[cell as usize])?,
                ))
            })
            .collect();
        pieces.sort_unstable();
        pieces
    }
}
