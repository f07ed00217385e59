//! Ages of live cells, and trails of dead ones.
//!
//! One byte per cell, as in the marks of [`render::Frame`]: 0 where there never was a live cell,
//! 1 to 63 where a cell died (63 most recently), 64 to 127 where a cell is alive (64 is newborn).
//! Marks are stored in sparse tiles.

use engine::{AdvanceInterruption, World};
use grid::Rect;
use num_bigint::{BigInt, BigUint};
use num_traits::One as _;
use pattern::Run;
use render::{Content, Frame};
use std::collections::HashMap;

/// Columns and rows of a tile.
const SIDE: usize = 64;

/// The most tiles: 16 million cells.
const MAX_TILES: usize = 4096;

/// Longer steps than this are not recorded generation by generation: then there are neither ages
/// nor trails, since they would show only what lives between two steps.
pub(crate) const MAX_RECORDED: u64 = 1024;

/// What is said then.
pub(crate) const SKIPPED: &str =
    "ages and trails are not shown after a step of more than 1024 generations";

/// The mark of a newborn cell.
const NEWBORN: u8 = 64;
/// The largest mark of a live cell.
const OLDEST: u8 = 127;
/// The mark of a cell that has just died.
const JUST_DIED: u8 = 63;

type TrailTile = [u8; SIDE * SIDE];

/// Which of them are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShownTrails {
    pub(crate) ages: bool,
    pub(crate) trails: bool,
}

/// Ages and trails of a world.
#[derive(Default)]
pub(crate) struct Trails {
    tiles: HashMap<(i64, i64), Box<TrailTile>>,
    /// The live cells of each populated tile, one bit per cell.
    live: HashMap<(i64, i64), Box<[u64; SIDE]>>,
    /// The end of a step that was too long to be recorded. Until the next step there are no
    /// marks, and a step that was interrupted goes on without any.
    skipped_to: Option<BigInt>,
}

impl Trails {
    /// Bytes of all tiles.
    pub(crate) fn bytes(&self) -> u64 {
        let marks = self.tiles.len() * SIDE * SIDE;
        (marks + self.live.len() * SIDE * size_of::<u64>()) as u64
    }

    /// Clears all marks, and marks live cells as newborn.
    pub(crate) fn reset(&mut self, world: &dyn World) {
        self.tiles.clear();
        self.skipped_to = None;
        self.record(world, 1);
    }

    /// Records an edit, in which no time has passed.
    pub(crate) fn record_edit(&mut self, world: &dyn World) {
        if !self.is_skipping() {
            self.record(world, 0);
        }
    }

    /// Whether the last step was too long, so that there are no marks.
    pub(crate) fn is_skipping(&self) -> bool {
        self.skipped_to.is_some()
    }

    /// Advances a world, and records each generation if they are few enough.
    pub(crate) fn advance(
        &mut self,
        world: &mut dyn World,
        n: &BigUint,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), AdvanceInterruption> {
        let end = world.generation() + BigInt::from(n.clone());
        if *n > MAX_RECORDED.into() || self.skipped_to.as_ref() == Some(&end) {
            self.tiles.clear();
            self.skipped_to = Some(end);
            return world.advance(n, &mut |_| go_on());
        }
        if self.is_skipping() {
            self.reset(world);
        }
        while *world.generation() < end {
            let before = world.generation().clone();
            let outcome = world.advance(&BigUint::one(), &mut |_| go_on());
            if *world.generation() > before {
                self.record(world, 1);
            }
            outcome?;
            if !go_on() {
                return Err(AdvanceInterruption);
            }
        }
        Ok(())
    }

    /// Records the current cells, some generations after the previous record.
    fn record(&mut self, world: &dyn World, generations: u8) {
        self.find_live(world);
        for index in self.live.keys() {
            if self.tiles.len() < MAX_TILES || self.tiles.contains_key(index) {
                let square = self.tiles.entry(*index);
                square.or_insert_with(|| Box::new([0; SIDE * SIDE]));
            }
        }
        let live = &self.live;
        self.tiles.retain(|index, square| {
            let rows = live.get(index);
            let mut is_blank = true;
            for (row, marks) in square.chunks_mut(SIDE).enumerate() {
                let bits = rows.map_or(0, |rows| rows[row]);
                for (column, mark) in marks.iter_mut().enumerate() {
                    let lives = bits >> column & 1 == 1;
                    *mark = after(*mark, lives, generations);
                    is_blank &= *mark == 0;
                }
            }
            !is_blank
        });
    }

    fn find_live(&mut self, world: &dyn World) {
        self.live.clear();
        let Some(bounds) = world.bounds().and_then(|bounds| bounds.to_rect()) else {
            return;
        };
        let live = &mut self.live;
        let mut add = |run: Run| {
            let (mut x, end) = (run.x, run.x.saturating_add_unsigned(run.length));
            let side = SIDE as i64;
            while x < end {
                let square = (x.div_euclid(side), run.y.div_euclid(side));
                let stop = end.min((square.0 + 1) * side);
                if !live.contains_key(&square) && live.len() >= MAX_TILES {
                    return;
                }
                let rows = live.entry(square).or_insert_with(|| Box::new([0; SIDE]));
                let (first, count) = (x.rem_euclid(side), x.abs_diff(stop));
                let bits = u64::MAX >> (64 - count) << first;
                rows[run.y.rem_euclid(side) as usize] |= bits;
                x = stop;
            }
        };
        // In a world that is too large, only the part around the origin is recorded.
        let reach = 64 * SIDE as i64 / 2;
        let near = Rect::new(-reach, -reach, 2 * reach as u64, 2 * reach as u64);
        let whole =
            bounds.width.saturating_mul(bounds.height) <= (MAX_TILES * SIDE * SIDE) as u64 * 4;
        world.runs_in(if whole { bounds } else { near }, &mut add);
    }

    /// Writes the marks into a frame.
    pub(crate) fn mark(&self, frame: &mut Frame, shows: ShownTrails) {
        let Content::Cells { rect, marks, .. } = &mut frame.content else {
            return;
        };
        let (width, height) = (rect.width as usize, rect.height as usize);
        let marks = marks.get_or_insert_with(|| vec![0; width * height]);
        let side = SIDE as i64;
        for (row, marks) in marks.chunks_mut(width.max(1)).enumerate() {
            let y = rect.y + row as i64;
            let mut column = 0;
            while column < width {
                let x = rect.x + column as i64;
                let from = x.rem_euclid(side) as usize;
                let count = (SIDE - from).min(width - column);
                if let Some(square) = self.tiles.get(&(x.div_euclid(side), y.div_euclid(side))) {
                    let start = y.rem_euclid(side) as usize * SIDE + from;
                    let kept = &square[start..start + count];
                    for (mark, &kept) in marks[column..column + count].iter_mut().zip(kept) {
                        let is_wanted = if kept >= NEWBORN {
                            shows.ages
                        } else {
                            shows.trails
                        };
                        if is_wanted {
                            *mark = kept;
                        }
                    }
                }
                column += count;
            }
        }
    }
}

/// The mark after some generations.
fn after(mark: u8, lives: bool, generations: u8) -> u8 {
    match (mark, lives) {
        (0..=JUST_DIED, true) => NEWBORN,
        (age, true) => age.saturating_add(generations).min(OLDEST),
        (0, false) => 0,
        // A trail fades, but never disappears.
        (1..=JUST_DIED, false) => mark.saturating_sub(generations).max(1),
        (_, false) => JUST_DIED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Tiles;
    use grid::Point;

    fn mark_at(trails: &Trails, x: i64, y: i64) -> u8 {
        let side = SIDE as i64;
        let square = trails.tiles.get(&(x.div_euclid(side), y.div_euclid(side)));
        let index = y.rem_euclid(side) * side + x.rem_euclid(side);
        square.map_or(0, |square| square[index as usize])
    }

    #[test]
    fn a_blinker_is_newborn_at_its_ends_and_old_in_its_middle() {
        let mut world = Tiles::new("B3/S23".parse().unwrap()).unwrap();
        for x in [-1, 0, 1] {
            world.set(Point::new(x, 0), 1).unwrap();
        }
        let mut trails = Trails::default();
        trails.reset(&world);
        trails
            .advance(&mut world, &10u8.into(), &mut || true)
            .unwrap();
        assert_eq!(mark_at(&trails, 0, 0), NEWBORN + 10);
        assert_eq!(mark_at(&trails, 1, 0), NEWBORN);
        assert_eq!(mark_at(&trails, 0, 1), JUST_DIED);
        assert_eq!(mark_at(&trails, 5, 5), 0);
    }

    #[test]
    fn each_generation_of_a_step_is_recorded_or_none_is() {
        let mut world = Tiles::new("B3/S23".parse().unwrap()).unwrap();
        for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
            world.set(Point::new(x, y), 1).unwrap();
        }
        let mut trails = Trails::default();
        trails.reset(&world);
        let mut advance = |trails: &mut Trails, n: u64, go_on: &mut dyn FnMut() -> bool| {
            let outcome = trails.advance(&mut world, &n.into(), go_on);
            (outcome.is_ok(), world.generation().clone())
        };
        advance(&mut trails, 200, &mut || true);
        // The glider has gone 50 cells, and been everywhere on its way.
        assert!((1..50).all(|n| mark_at(&trails, n, n) > 0));
        advance(&mut trails, MAX_RECORDED + 1, &mut || true);
        assert!(trails.is_skipping() && trails.tiles.is_empty());
        // The next step of few generations begins anew.
        advance(&mut trails, 4, &mut || true);
        assert!(!trails.is_skipping());
        assert_eq!(mark_at(&trails, 20, 20), 0);
        assert!(!trails.tiles.is_empty());
    }

    #[test]
    fn the_rest_of_a_long_step_is_not_recorded_either() {
        let mut world = Tiles::new("B3/S23".parse().unwrap()).unwrap();
        for x in 0..3 {
            world.set(Point::new(x, 0), 1).unwrap();
        }
        let mut trails = Trails::default();
        trails.reset(&world);
        trails.skipped_to = Some(2000.into());
        world.set_generation(1500.into());
        let outcome = trails.advance(&mut world, &500u32.into(), &mut || true);
        assert!(outcome.is_ok() && trails.is_skipping() && trails.tiles.is_empty());
    }

    #[test]
    fn a_glider_leaves_a_trail_that_fades() {
        let mut world = Tiles::new("B3/S23".parse().unwrap()).unwrap();
        for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
            world.set(Point::new(x, y), 1).unwrap();
        }
        let mut trails = Trails::default();
        trails.reset(&world);
        trails
            .advance(&mut world, &40u8.into(), &mut || true)
            .unwrap();
        trails
            .advance(&mut world, &60u8.into(), &mut || true)
            .unwrap();
        let fading: Vec<u8> = (0..25).map(|n| mark_at(&trails, n, n)).collect();
        assert!(fading.is_sorted(), "{fading:?}");
        assert_eq!(fading[1], 1, "the first of them is long gone");
        assert!(fading[23] > 40, "{fading:?}");
    }
}
