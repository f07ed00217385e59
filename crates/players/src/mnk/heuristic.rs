//! `heuristic`: a published list of rules for 3x3, with what it lacked.
//!
//! ```text
//!   A B C
//! 1 c e c     c corner, e edge, m centre; the opponent is "the human" of the list
//! 2 e m e
//! 3 c e c
//! ```
//!
//! The published list never takes a win of its own, and has no rule for the remaining
//! positions. If it takes any free cell where no rule applies, it loses exactly 400 lines as
//! the second player and none as the first, over every line of the human's and every choice
//! among equals (other readings of the missing rule lose other numbers). With both rules added
//! it loses none.

use super::lines::{MnkCellSet, bits};
use super::verification::Advisor;
use crate::{Player, PlayerError, PlayerSpec, SearchObserver, Thought};
use games::mnk::{Cell, Mnk, MnkPosition};
use games::{Dice, Game as _, JointMove, Seat};

/// Plays 3x3 by the list.
///
/// Some rules depend on the human's last move, which a position does not contain. The player
/// stores the positions that it has left: the human's last move is the additional stone since
/// the latest of them that leads here, so an undone move does no harm. In an unknown position a
/// single human stone is the last move, and with more of them the rules that depend on it are
/// skipped.
#[derive(Clone, Debug)]
pub struct HeuristicPlayer {
    is_as_published: bool,
    dice: Dice,
    /// Own and human stones as they were left, since the game began.
    left: Vec<(MnkCellSet, MnkCellSet)>,
}

/// The advice of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeuristicAdvice {
    /// The rule that fits first, as words that a cell's name goes on: `blocks`.
    pub reason: &'static str,
    /// The cells that it allows, all equal to it.
    pub choices: Vec<Cell>,
}

/// The input of the rules.
#[derive(Clone, Copy, Debug)]
struct HeuristicView {
    own: MnkCellSet,
    human: MnkCellSet,
    free: MnkCellSet,
    last: MnkCellSet,
}

/// One line of the list: its words, whether the published list has it, and the cells that
/// it allows; none where it does not fit.
struct HeuristicRule {
    reason: &'static str,
    lists: HeuristicLists,
    choices: fn(&HeuristicView) -> MnkCellSet,
}

/// Which lists have a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeuristicLists {
    Both,
    Mended,
    Published,
}

const RULES: [HeuristicRule; 11] = [
    rule("wins at", HeuristicLists::Mended, |s| {
        completing(s.own, s.free)
    }),
    rule("blocks", HeuristicLists::Both, |s| {
        completing(s.human, s.free)
    }),
    rule("takes the centre,", HeuristicLists::Both, |s| {
        CENTRE & s.free
    }),
    rule(
        "answers two opposite corners with the edge",
        HeuristicLists::Both,
        after_opposite_corners,
    ),
    rule(
        "answers an edge and a corner beyond it with",
        HeuristicLists::Both,
        after_edge_and_far_corner,
    ),
    rule(
        "answers a corner with the corner",
        HeuristicLists::Both,
        |s| {
            if s.last & CORNERS != 0 {
                CORNERS & s.free
            } else {
                0
            }
        },
    ),
    rule(
        "takes the corner between two edges,",
        HeuristicLists::Both,
        between_edges,
    ),
    rule("answers an edge with the edge", HeuristicLists::Both, |s| {
        if s.last & EDGES != 0 {
            EDGES & s.free
        } else {
            0
        }
    }),
    rule("takes the free corner", HeuristicLists::Mended, |s| {
        CORNERS & s.free
    }),
    rule("takes the free edge", HeuristicLists::Mended, |s| {
        EDGES & s.free
    }),
    rule("knows no rule and takes", HeuristicLists::Published, |s| {
        s.free
    }),
];

const fn rule(
    reason: &'static str,
    lists: HeuristicLists,
    choices: fn(&HeuristicView) -> MnkCellSet,
) -> HeuristicRule {
    HeuristicRule {
        reason,
        lists,
        choices,
    }
}

const CENTRE: MnkCellSet = 0b000_010_000;
const CORNERS: MnkCellSet = 0b101_000_101;
const EDGES: MnkCellSet = 0b010_101_010;
const ALL: MnkCellSet = 0b111_111_111;

const LINES: [MnkCellSet; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Each side of the board: its edge, its two corners, and the two corners of the far side
/// that lie opposite these, in the same order.
///
/// ```text
/// left edge right       the corner opposite `left` is `far of left`
///   .   .    .
/// fr.   .  far of left
/// ```
const SIDES: [(u32, [u32; 2], [u32; 2]); 4] = [
    (1, [0, 2], [8, 6]),
    (3, [0, 6], [8, 2]),
    (5, [2, 8], [6, 0]),
    (7, [6, 8], [2, 0]),
];

/// Two edges that meet, and the corner between them.
const MEETINGS: [(MnkCellSet, u32); 4] = [
    (1 << 1 | 1 << 3, 0),
    (1 << 1 | 1 << 5, 2),
    (1 << 3 | 1 << 7, 6),
    (1 << 5 | 1 << 7, 8),
];

/// Free cells that complete a line of these stones.
fn completing(stones: MnkCellSet, free: MnkCellSet) -> MnkCellSet {
    let open = LINES.iter().map(|line| line & !stones);
    let single = open.filter(|open| open.count_ones() == 1);
    single.fold(0, |cells, cell| cells | cell) & free
}

/// Any edge, where the human holds two opposite corners and the other two are free.
fn after_opposite_corners(view: &HeuristicView) -> MnkCellSet {
    let diagonals = [1 << 0 | 1 << 8, 1 << 2 | 1 << 6];
    let fits = diagonals.into_iter().any(|held: MnkCellSet| {
        let others = CORNERS & !held;
        view.human & held == held && view.free & others == others
    });
    if fits { EDGES & view.free } else { 0 }
}

/// Where the human holds an edge and a corner of the side beyond: the corner next to that
/// edge and opposite that corner.
fn after_edge_and_far_corner(view: &HeuristicView) -> MnkCellSet {
    let has = |cell: u32| view.human >> cell & 1 == 1;
    let mut cells = 0;
    for (edge, near, far) in SIDES {
        for (near, far) in near.into_iter().zip(far) {
            if has(edge) && has(far) {
                cells |= 1 << near;
            }
        }
    }
    cells & view.free
}

/// The corner between two edges that the human holds.
fn between_edges(view: &HeuristicView) -> MnkCellSet {
    let held = MEETINGS
        .into_iter()
        .filter(|(edges, _)| view.human & edges == *edges);
    held.fold(0, |cells, (_, corner)| cells | 1 << corner) & view.free
}

impl HeuristicPlayer {
    /// The list with the two rules that the published one lacks, or as it was published.
    ///
    /// # Errors
    /// The game is not 3x3 with three in a row.
    ///
    /// ```
    /// use games::mnk::Mnk;
    /// use players::mnk::HeuristicPlayer;
    ///
    /// assert!(HeuristicPlayer::new(&Mnk::TICTACTOE, false).is_ok());
    /// let large = Mnk::<1>::new(5, 5, 4).expect("it fits");
    /// assert!(HeuristicPlayer::new(&large, false).is_err());
    /// ```
    pub fn new<const WORDS: usize>(
        game: &Mnk<WORDS>,
        is_as_published: bool,
    ) -> Result<Self, PlayerError> {
        if (game.columns(), game.rows(), game.line()) != (3, 3, 3) {
            return Err(PlayerError::Unfit {
                player: "heuristic".into(),
                game: game.name(),
                problem: "its rules are for tictactoe".into(),
            });
        }
        Ok(Self {
            is_as_published,
            dice: Dice::new(0),
            left: Vec::new(),
        })
    }

    /// Reads `heuristic` and `heuristic:as-published`.
    pub(crate) fn read<const WORDS: usize>(
        game: &Mnk<WORDS>,
        spec: &mut PlayerSpec<'_>,
    ) -> Result<Self, PlayerError> {
        let is_as_published = spec.flag("as-published");
        Self::new(game, is_as_published)
    }

    /// The list's advice for a seat in a position that is not over; `last` is the human's last
    /// move, where it is known.
    ///
    /// ```
    /// use games::{Game as _, Seat, mnk::Mnk};
    /// use players::mnk::HeuristicPlayer;
    ///
    /// let game = Mnk::TICTACTOE;
    /// let player = HeuristicPlayer::new(&game, false)?;
    /// let position = game.parse_state("OO.\nXX.\n...\nO to move\n").expect("a position");
    /// assert_eq!(player.advice(&position, Seat::First, None).choices, [game.cell(2, 0)]);
    /// # Ok::<(), players::PlayerError>(())
    /// ```
    #[must_use]
    pub fn advice<const WORDS: usize>(
        &self,
        state: &MnkPosition<WORDS>,
        seat: Seat,
        last: Option<Cell>,
    ) -> HeuristicAdvice {
        let (own, human) = (state.stones(seat)[0], state.stones(seat.other())[0]);
        let view = HeuristicView {
            own,
            human,
            free: ALL & !(own | human),
            last: last.map_or(0, |cell| 1 << cell),
        };
        let lacking = if self.is_as_published {
            HeuristicLists::Mended
        } else {
            HeuristicLists::Published
        };
        let rules = RULES.iter().filter(|rule| rule.lists != lacking);
        let mut advice = rules.map(|rule| (rule.reason, (rule.choices)(&view)));
        let (reason, cells) = advice
            .find(|&(_, cells)| cells != 0)
            .expect("the last rules of either list take any free cell");
        HeuristicAdvice {
            reason,
            choices: bits(cells).map(|cell| cell as Cell).collect(),
        }
    }

    /// The human's last move, as far as it can be known.
    fn last_human_move(&self, own: MnkCellSet, human: MnkCellSet) -> Option<Cell> {
        let before = self.left.iter().rev().find(|(was_own, was_human)| {
            *was_own == own && was_human & !human == 0 && (human & !was_human).count_ones() == 1
        });
        let new = match before {
            Some((_, was_human)) => human & !was_human,
            None if human.count_ones() == 1 => human,
            None => return None,
        };
        Some(new.trailing_zeros() as Cell)
    }
}

impl<const WORDS: usize> Player<Mnk<WORDS>> for HeuristicPlayer {
    fn name(&self) -> String {
        let name = if self.is_as_published {
            "heuristic:as-published"
        } else {
            "heuristic"
        };
        name.into()
    }

    fn begin(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.left.clear();
    }

    fn think(
        &mut self,
        game: &Mnk<WORDS>,
        state: &MnkPosition<WORDS>,
        seat: Seat,
        _: &mut dyn SearchObserver<Cell>,
    ) -> Thought<Cell> {
        let (own, human) = (state.stones(seat)[0], state.stones(seat.other())[0]);
        let last = self.last_human_move(own, human);
        let advice = self.advice(state, seat, last);
        let choice = self.dice.pick(&advice.choices);
        let choice = choice.expect("a rule that fits allows a cell");
        self.left.push((own | 1 << choice, human));
        Thought {
            line: vec![JointMove::One(choice)],
            nodes: 1,
            reason: Some(format!("{} {}", advice.reason, game.cell_name(choice))),
            ..Thought::plain(choice)
        }
    }
}

impl Advisor for HeuristicPlayer {
    fn choices(
        &mut self,
        _: &Mnk<1>,
        state: &MnkPosition<1>,
        seat: Seat,
        last: Option<Cell>,
    ) -> Vec<Cell> {
        self.advice(state, seat, last).choices
    }
}
