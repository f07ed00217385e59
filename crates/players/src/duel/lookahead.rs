//! Simulation of two plans against each other.

use super::parameters::{DuelSearchParameters, near_goals};
use super::plan::{ColumnPlan, MAX_LENGTH, affordable};
use games::duel::{Duel, DuelBoard, DuelPosition};
use games::{JointMove, Seat};

/// Plays plans against each other from one position on.
#[derive(Debug)]
pub(super) struct PlanLookahead<'a, B> {
    game: &'a Duel<B>,
    start: &'a DuelPosition<B>,
    /// The number of turns in which columns are played.
    plan: usize,
    /// How many turns are played.
    turns: usize,
    /// The discounted value of a point in each of these turns.
    worth: Vec<f32>,
    /// The value of a constant flow of one point a turn from the horizon to the end of the
    /// game.
    rest: Vec<f32>,
    /// The cells near the goals, and the value of one a turn.
    near: B,
    near_worth: f32,
    /// The value of a cell after the last turn of the game.
    cell: f32,
}

/// The smoothing factor of the point flow, where a board has not settled at the horizon.
const MEMORY: f32 = 0.7;

/// The value of a cell at the end, in points: small, since cells only break ties of the scores.
const CELL: f32 = 0.01;

impl<'a, B: DuelBoard> PlanLookahead<'a, B> {
    pub(super) fn new(
        game: &'a Duel<B>,
        start: &'a DuelPosition<B>,
        parameters: &DuelSearchParameters,
    ) -> Self {
        let left = game.turns_left(start);
        let turns = left.min(parameters.horizon);
        let mut worth = Vec::with_capacity(turns as usize + 1);
        let mut sums = Vec::with_capacity(turns as usize + 1);
        let (mut point, mut sum) = (1f32, 0f32);
        for turn in 0..=left {
            if turn <= turns {
                worth.push(point);
                sums.push(sum);
            }
            if turn < left {
                sum += point;
                point *= parameters.discount;
            }
        }
        Self {
            game,
            start,
            plan: (parameters.plan as usize).min(MAX_LENGTH),
            turns: turns as usize,
            worth,
            rest: sums.iter().map(|past| sum - past).collect(),
            near: near_goals(game, start, parameters.reach),
            near_worth: parameters.near,
            cell: if turns == left { CELL } else { 0.0 },
        }
    }

    /// The gain of the first seat when both follow their plans (the first seat's is the first),
    /// in points of the coming turn; and the number of turns simulated.
    pub(super) fn gain(&self, plans: [&ColumnPlan; 2]) -> (f32, u64) {
        let mut state = *self.start;
        let mut before = state;
        let mut lead = lead(&state);
        let (mut gain, mut flow) = (0f32, 0f32);
        let mut turn = 0;
        while turn < self.turns {
            let [first, second] = if turn < self.plan {
                [0, 1].map(|seat| affordable(plans[seat].0[turn], state.mana(Seat::BOTH[seat])))
            } else {
                [0, 0]
            };
            self.game.play(&mut state, first, second);
            let points = (self::lead(&state) - lead) as f32;
            lead = self::lead(&state);
            gain += self.worth[turn] * (points + self.presence(&state));
            flow = flow * MEMORY + points * (1.0 - MEMORY);
            turn += 1;
            if turn >= self.plan && turn.is_multiple_of(2) {
                let is_same = |seat| state.cells(seat) == before.cells(seat);
                if turn >= self.plan + 2 && Seat::BOTH.into_iter().all(is_same) {
                    // a still life or an oscillator of period 2: it stays so
                    flow = (lead - self::lead(&before)) as f32 / 2.0;
                    break;
                }
                before = state;
            }
        }
        gain += self.rest[turn] * flow;
        if self.cell > 0.0 {
            let [first, second] = Seat::BOTH.map(|seat| state.cells(seat).count() as f32);
            gain += self.cell * (first - second);
        }
        (gain, turn as u64)
    }

    /// The value of the cells near the goals in a turn.
    #[inline]
    fn presence(&self, state: &DuelPosition<B>) -> f32 {
        if self.near_worth == 0.0 {
            return 0.0;
        }
        let [first, second] =
            Seat::BOTH.map(|seat| (*state.cells(seat) & self.near).count() as f32);
        self.near_worth * (first - second)
    }

    /// The turns of both plans as they would be played.
    pub(super) fn line(&self, plans: [&ColumnPlan; 2]) -> Vec<JointMove<games::duel::Column>> {
        let mut state = *self.start;
        let turns = self.plan.min(self.game.turns_left(&state) as usize);
        let turn = |turn| {
            let [first, second] = [0, 1].map(|seat: usize| {
                affordable(plans[seat].column(turn), state.mana(Seat::BOTH[seat]))
            });
            self.game.play(&mut state, first, second);
            JointMove::Both(first, second)
        };
        (0..turns).map(turn).collect()
    }
}

/// How many points the first seat is ahead.
#[inline]
pub(super) fn lead<B: DuelBoard>(state: &DuelPosition<B>) -> i32 {
    state.score(Seat::First) as i32 - state.score(Seat::Second) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::duel::Board8;

    fn bare() -> DuelSearchParameters {
        let game = Duel::<Board8>::standard(8, 8).expect("a size of its own");
        DuelSearchParameters {
            plan: 4,
            horizon: 8,
            discount: 0.5,
            near: 0.0,
            ..DuelSearchParameters::tuned(&game)
        }
    }

    /// A block of the first seat's on the goals, after `turn` turns.
    fn block(turn: u32) -> DuelPosition<Board8> {
        let block = Board8([0x0000_0018_1800_0000]);
        DuelPosition::new([block, Board8::NONE], [6, 6], [10, 3], turn)
    }

    #[test]
    fn a_block_is_worth_its_points_to_the_end() {
        let game = Duel::<Board8>::standard(8, 8).expect("a size of its own");
        let idle = ColumnPlan::IDLE;
        for (turn, expected) in [
            (0, 8.0),
            // 4, 2 and 1, and four cells at the end
            (197, 7.0 + 4.0 * CELL),
            (199, 4.0 + 4.0 * CELL),
            (200, 4.0 * CELL),
        ] {
            let state = block(turn);
            let foresight = PlanLookahead::new(&game, &state, &bare());
            let (gain, turns) = foresight.gain([&idle, &idle]);
            assert!((gain - expected).abs() < 1e-3, "{turn}: {gain}");
            assert!(turns <= u64::from(200 - turn));
        }
    }

    #[test]
    fn presence_near_the_goals_counts() {
        let game = Duel::<Board8>::standard(8, 8).expect("a size of its own");
        let state = block(190);
        let parameters = DuelSearchParameters {
            near: 0.25,
            ..bare()
        };
        let gain = |parameters| {
            let foresight = PlanLookahead::new(&game, &state, &parameters);
            foresight.gain([&ColumnPlan::IDLE, &ColumnPlan::IDLE])
        };
        let ((with, turns), (without, _)) = (gain(parameters), gain(bare()));
        // four cells of a quarter each turn, each turn half as much
        let expected = 2.0 * (1.0 - 0.5f32.powi(turns as i32));
        assert!((with - without - expected).abs() < 1e-3, "{with} {without}");
    }

    #[test]
    fn the_line_is_what_can_be_paid() {
        let game = Duel::<Board8>::standard(8, 8).expect("a size of its own");
        let state = DuelPosition::new([Board8::NONE; 2], [2, 6], [0, 0], 198);
        let mut dear = ColumnPlan::IDLE;
        dear.0[..3].copy_from_slice(&[0xff, 0xff, 0xff]);
        let foresight = PlanLookahead::new(&game, &state, &bare());
        let line = foresight.line([&dear, &dear]);
        assert_eq!(
            line,
            [
                JointMove::Both(0b11, 0b11_1111),
                JointMove::Both(0b11, 0b11)
            ]
        );
    }
}
