//! The branching heuristic: chooses the line of light with the fewest choices.

use super::cell_contents::{EMPTY, LaserCellContents, bit, pass, piece, sources, ways};
use super::choice::SolverChoice;
use super::partial_board::{BeamFront, PartialBoard};
use super::reachability::{LightReachability, TurnTable};
use super::sensor_cover::SensorCoverBound;
use crate::direction::Direction;

/// Bounds on where light can go from here, forward and backward.
#[derive(Debug)]
pub(super) struct LightBounds {
    /// From the lasers.
    forward: LightReachability,
    /// From the sensors that are not lit, backwards.
    backward: LightReachability,
    cover: SensorCoverBound,
    has_mirrors_only: bool,
}

/// The status of a search node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchNodeStatus {
    /// There is no solution below.
    Dead,
    /// All light has come to its end.
    Leaf,
    /// One of the choices.
    Branch,
}

impl LightBounds {
    /// For states with this many words of cells.
    pub(super) fn new(words: usize, has_mirrors_only: bool) -> Self {
        Self {
            forward: LightReachability::new(words, has_mirrors_only),
            backward: LightReachability::new(words, has_mirrors_only),
            cover: SensorCoverBound::new(words * 64),
            has_mirrors_only,
        }
    }

    /// The work of examining one node, in words.
    pub(super) fn work(&self) -> u64 {
        self.cover.cells() as u64
    }

    /// Finds the line with the fewest choices and puts them into `choices`, the most promising
    /// first. `spare` is a scratch buffer.
    pub(super) fn find_branch(
        &mut self,
        state: &mut PartialBoard,
        choices: &mut Vec<SolverChoice>,
        spare: &mut Vec<SolverChoice>,
    ) -> SearchNodeStatus {
        choices.clear();
        if state.is_dead {
            return SearchNodeStatus::Dead;
        }
        let fronts = filter_fronts(&state.fronts, |head| state.is_open(head.0));
        let is_missing = |state: &PartialBoard, (cell, way): BeamFront| {
            !state.is_lit((state.grid.step(cell, way), way))
        };
        let backs = filter_fronts(&state.backs, |&back| {
            state.is_open(back.0) && is_missing(state, back)
        });
        let undecided_exits = filter_fronts(&state.undecided_exits, |&undecided_exit| {
            is_missing(state, undecided_exit)
        });
        let is_met = state.demands.iter().all(|&head| state.is_lit(head));
        if state.unlit == 0 && is_met && backs.is_empty() && undecided_exits.is_empty() {
            // no sensor can become dark again: the remaining light may go anywhere
            let Some(&front) = fronts.first() else {
                return SearchNodeStatus::Leaf;
            };
            choices_ahead(state, front, None, choices);
            return SearchNodeStatus::Branch;
        }
        let seeds = fronts
            .iter()
            .map(|&(cell, way)| (state.grid.step(cell, way.opposite()), way));
        let turns = TurnTable::of(state, self.has_mirrors_only);
        self.forward.compute(state, &turns, seeds);
        let is_unreachable =
            |&goal: &BeamFront| !state.is_lit(goal) && !self.forward.can_enter(goal);
        let mut goals = state.sensors.iter().chain(&state.demands);
        if goals.any(is_unreachable) {
            return SearchNodeStatus::Dead;
        }
        // each unlit sensor needs a beam of its own, and new beams come only from existing
        // beams, or from pieces that split them
        let spare_beams =
            |beams: usize| beams as i64 + state.max_new_beams() - i64::from(state.unlit);
        if spare_beams(fronts.len()) < 0 {
            return SearchNodeStatus::Dead;
        }
        self.cover.clear();
        let mut best = usize::MAX;
        for &back in &backs {
            spare.clear();
            choices_behind(state, &self.forward, back, spare);
            self.cover.add(spare);
            if keep_fewer(spare, choices, &mut best) {
                return status(choices);
            }
        }
        for &undecided_exit in &undecided_exits {
            spare.clear();
            if !has_chosen_entry(state, undecided_exit) {
                choices_to_feed(state, &self.forward, undecided_exit, spare);
                if keep_fewer(spare, choices, &mut best) {
                    return status(choices);
                }
            }
        }
        if self.cover.exceeds_stock(&state.stock) {
            return SearchNodeStatus::Dead;
        }
        order_choices(state, &self.forward, choices);
        let sensors = state
            .sensors
            .iter()
            .filter(|&&sensor| !state.is_lit(sensor));
        let seeds = sensors.map(|&(cell, way)| (cell, way.opposite()));
        self.backward.compute(state, &turns, seeds);
        let is_useful = |&&(cell, way): &&BeamFront| {
            let back = way.opposite();
            self.backward.can_enter((state.grid.step(cell, back), back))
        };
        let useful = fronts.iter().filter(is_useful).count();
        let slack = spare_beams(useful);
        if slack < 0 {
            return SearchNodeStatus::Dead;
        }
        for &front in &fronts {
            spare.clear();
            let is_needed = slack == 0 && is_useful(&&front);
            let backward = is_needed.then_some(&self.backward);
            choices_ahead(state, front, backward, spare);
            if is_needed {
                self.cover.add(spare);
            }
            if keep_fewer(spare, choices, &mut best) {
                return status(choices);
            }
        }
        if self.cover.exceeds_stock(&state.stock) {
            return SearchNodeStatus::Dead;
        }
        status(choices)
    }
}

/// Keeps the line with fewer choices; returns whether none can have fewer.
fn keep_fewer(
    found: &mut Vec<SolverChoice>,
    choices: &mut Vec<SolverChoice>,
    best: &mut usize,
) -> bool {
    if found.len() < *best {
        std::mem::swap(choices, found);
        *best = choices.len();
    }
    *best <= 1
}

/// Moves the choices to the front that light reaches without further pieces.
fn order_choices(state: &PartialBoard, forward: &LightReachability, choices: &mut [SolverChoice]) {
    let mut ready = 0;
    for i in 0..choices.len() {
        let is_ready = match choices[i] {
            SolverChoice::Put {
                way, to, content, ..
            } => ways(sources(content, way.opposite()))
                .any(|input| state.is_lit((to, input)) || forward.can_enter_at_once((to, input))),
            SolverChoice::Feed { .. } => false,
        };
        if is_ready {
            choices.swap(ready, i);
            ready += 1;
        }
    }
}

fn status(choices: &[SolverChoice]) -> SearchNodeStatus {
    if choices.is_empty() {
        SearchNodeStatus::Dead
    } else {
        SearchNodeStatus::Branch
    }
}

fn filter_fronts(heads: &[BeamFront], is_wanted: impl Fn(&BeamFront) -> bool) -> Vec<BeamFront> {
    heads.iter().copied().filter(is_wanted).collect()
}

/// The choices of a line that begins at a cell and goes this way.
fn put_from(from: u32, way: Direction) -> impl Fn(u32, LaserCellContents) -> SolverChoice {
    move |to, content| SolverChoice::Put {
        from,
        way,
        to,
        content,
    }
}

/// Light must leave an open cell: it goes back in a straight line to the first piece, or
/// to light that already comes along.
fn choices_behind(
    state: &PartialBoard,
    forward: &LightReachability,
    (first, exit): BeamFront,
    choices: &mut Vec<SolverChoice>,
) {
    let way = exit.opposite();
    let mut cell = first;
    let mut last = None;
    let mut empty = state.stock[0];
    let put = put_from(first, way);
    loop {
        let content = state.contents[cell as usize];
        if state.is_open(cell) {
            for content in state.kinds_left() {
                let can_feed = |input| {
                    state.is_lit((cell, input))
                        || state.may_be_lit((cell, input))
                            && forward.can_turn(cell, content, input, exit)
                };
                if ways(sources(content, exit)).any(can_feed)
                    && can_stand(state, forward, cell, content, exit)
                {
                    choices.push(put(cell, content));
                }
            }
            let can_pass = empty > 0
                && state.may_be_lit((cell, exit))
                && can_stand(state, forward, cell, EMPTY, exit);
            if !can_pass {
                return;
            }
            empty -= 1;
            last = Some(cell);
            if state.is_lit((cell, exit)) {
                choices.push(put(cell, EMPTY));
                return;
            }
        } else if content != EMPTY {
            // straight on to what is known, if that can send light this way
            let can_feed = |input| forward.can_enter((cell, input));
            if piece(content).is_some() && ways(sources(content, exit)).any(can_feed) {
                choices.extend(last.map(|to| put(to, EMPTY)));
            }
            return;
        }
        cell = state.grid.step(cell, way);
    }
}

/// Whether all other light that must leave a cell can leave it with this content.
fn can_stand(
    state: &PartialBoard,
    forward: &LightReachability,
    cell: u32,
    content: LaserCellContents,
    exit: Direction,
) -> bool {
    Direction::ALL.into_iter().all(|other| {
        other == exit || !state.must_send(cell, other) || {
            ways(sources(content, other))
                .any(|input| state.is_lit((cell, input)) || forward.can_enter((cell, input)))
        }
    })
}

/// Light must leave a piece that can send it in more than one way: the ways in, each without
/// those before.
fn choices_to_feed(
    state: &PartialBoard,
    forward: &LightReachability,
    (cell, exit): BeamFront,
    choices: &mut Vec<SolverChoice>,
) {
    let mut never = 0;
    for heading in ways(sources(state.contents[cell as usize], exit)) {
        let head = (cell, heading);
        if state.is_lit(head) || state.may_be_lit(head) && forward.can_enter(head) {
            choices.push(SolverChoice::Feed {
                cell,
                heading,
                never,
            });
            never |= bit(heading);
        }
    }
}

/// Whether it was decided which way light comes in.
fn has_chosen_entry(state: &PartialBoard, (cell, exit): BeamFront) -> bool {
    ways(sources(state.contents[cell as usize], exit)).any(|way| state.needs((cell, way)))
}

/// Light enters an open cell: it goes on in a straight line to the first piece, or to the
/// end. With `backward`, every beam is needed.
fn choices_ahead(
    state: &PartialBoard,
    (first, way): BeamFront,
    backward: Option<&LightReachability>,
    choices: &mut Vec<SolverChoice>,
) {
    let mut cell = first;
    let mut last = None;
    let mut empty = state.stock[0];
    let from_here = choices.len();
    let put = put_from(first, way);
    loop {
        if state.is_open(cell) {
            for content in state.kinds_left() {
                let can_stand =
                    |other| !state.must_send(cell, other) || sources(content, other) != 0;
                let leads_on = backward.is_none_or(|backward| {
                    let leads_on = |exit: Direction| {
                        backward.can_turn(cell, content, exit.opposite(), way.opposite())
                    };
                    ways(pass(content, way)).any(leads_on)
                });
                if leads_on && Direction::ALL.into_iter().all(can_stand) {
                    choices.push(put(cell, content));
                }
            }
            if empty == 0 {
                break;
            }
            empty -= 1;
            last = Some(cell);
        } else if state.contents[cell as usize] != EMPTY {
            let is_wanted = backward.is_none_or(|backward| {
                let back = way.opposite();
                backward.can_enter((state.grid.step(cell, back), back))
            });
            if let (true, Some(to)) = (is_wanted, last) {
                choices.push(put(to, EMPTY));
            }
            break;
        }
        let next = state.grid.step(cell, way);
        if state.is_lit((next, way)) {
            // a beam that joins another
            choices.extend(last.filter(|_| backward.is_none()).map(|to| put(to, EMPTY)));
            break;
        }
        cell = next;
    }
    // with nothing in its way first
    choices[from_here..].reverse();
}
