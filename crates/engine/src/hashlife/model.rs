//! How threads share squares, tried by a model checker.
//!
//! The functions are the tables' own, on lines of the model's atomics. Each place holds, before
//! a square is made there, what another left behind: quadrants, and a result with the tag that
//! is asked for. Who finds a square without having acquired it may see those.

use super::index::seek_in;
use super::nodes::{QuadrantPairs, ResultSlot, ResultSlotState, read, write};
use crate::arch::model::{LoomPrimitives, check};
use crate::arch::{BucketProbe, IndexBucket, NodeLine, guess, mix};
use loom::sync::Arc;
use loom::thread;
use std::sync::Mutex;

/// The tag that is asked for, and one of a step before.
const TAG: u8 = 5;
const BEFORE: u8 = 1;

/// What the square that is looked for is made of.
const WANTED: QuadrantPairs = [4 | 8 << 32, 12];

/// A square whose result is asked for; each thread's place for a new square; and a square
/// that was a result in the step before.
const ASKED: u32 = 1;
const PLACES: [u32; 3] = [4, 5, 6];
const OLD: u32 = 8;

/// An index and nodes.
struct SharedTables {
    lines: [NodeLine<LoomPrimitives>; 3],
    index: [IndexBucket<LoomPrimitives>; 2],
}

impl SharedTables {
    fn new() -> Self {
        let tables = Self {
            lines: Default::default(),
            index: Default::default(),
        };
        for place in PLACES {
            let line = &tables.lines[place as usize / 4];
            write(line.fields(place as usize % 4), [16, 20]);
            tables.slot(place).publish(TAG, OLD);
        }
        tables.slot(ASKED).publish(BEFORE, OLD);
        tables
    }

    fn slot(&self, node: u32) -> ResultSlot<'_, LoomPrimitives> {
        ResultSlot::of(self.lines[node as usize / 4].fields(node as usize % 4))
    }

    fn pairs(&self, node: u32) -> QuadrantPairs {
        read::<LoomPrimitives>(self.lines[node as usize / 4].fields(node as usize % 4).pair)
    }

    /// A square is made in a place.
    fn make(&self, pairs: QuadrantPairs, place: u32) -> u32 {
        let line = &self.lines[place as usize / 4];
        write(line.fields(place as usize % 4), pairs);
        place
    }

    fn spot(&self) -> BucketProbe {
        BucketProbe::new(mix(WANTED), self.index.len())
    }

    /// The square that is looked for; if it is not found, it is made in this place.
    fn seek(&self, place: u32) -> u32 {
        let is_right = |node: u32| self.pairs(node) == WANTED;
        let new = || Ok::<u32, ()>(self.make(WANTED, place));
        seek_in(&self.index, self.spot(), is_right, new).unwrap()
    }

    /// A square that was found is the one that was looked for, and without a result.
    fn check(&self, found: u32) {
        assert_eq!(self.pairs(found), WANTED);
        assert!(!self.slot(found).load(TAG).1, "a result from before");
    }
}

/// What came of a model's executions, each once, in order.
#[derive(Clone, Default)]
struct ModelOutcomes(std::sync::Arc<Mutex<Vec<Option<u32>>>>);

impl ModelOutcomes {
    fn add(&self, outcome: Option<u32>) {
        let mut outcomes = self.0.lock().unwrap();
        if let Err(at) = outcomes.binary_search(&outcome) {
            outcomes.insert(at, outcome);
        }
    }
}

/// Two threads do this, each with a place of its own, while a third does that, which tells
/// what came of it; once all are done, it is done again. Returns the outcomes of the first time
/// and of the second.
///
/// Loom first runs one thread after the other, the third last, and then varies the order. That
/// a load comes before a store of another thread it tries by the older values that the load
/// may give, and not always by another order: it knows the last access to each integer only.
fn outcomes(
    preemptions: usize,
    work: fn(&SharedTables, u32),
    look: fn(&SharedTables) -> Option<u32>,
) -> [Vec<Option<u32>>; 2] {
    let (during, after) = (ModelOutcomes::default(), ModelOutcomes::default());
    let [first, second] = [during.clone(), after.clone()];
    check(preemptions, move || {
        let tables = Arc::new(SharedTables::new());
        let (its, seen) = (tables.clone(), first.clone());
        let second_worker = thread::spawn(move || work(&its, PLACES[1]));
        let its = tables.clone();
        let third = thread::spawn(move || seen.add(look(&its)));
        work(&tables, PLACES[0]);
        second_worker.join().unwrap();
        third.join().unwrap();
        second.add(look(&tables));
    });
    [during, after].map(|outcomes| outcomes.0.lock().unwrap().clone())
}

#[test]
fn who_reads_a_result_sees_what_it_is_made_of() {
    let publish = |tables: &SharedTables, place| {
        tables.slot(ASKED).publish(TAG, tables.make(WANTED, place));
    };
    let load = |tables: &SharedTables| {
        let (result, is_known) = tables.slot(ASKED).load(TAG);
        is_known.then(|| tables.check(result))?;
        Some(result)
    };
    let claim = |tables: &SharedTables| match tables.slot(ASKED).claim(TAG) {
        ResultSlotState::Known(result) => {
            tables.check(result);
            Some(result)
        }
        ResultSlotState::Ours | ResultSlotState::Others => None,
    };
    for look in [load, claim] {
        let [during, after] = outcomes(3, publish, look);
        assert_eq!(during, [None, Some(PLACES[0]), Some(PLACES[1])]);
        assert!(after.contains(&Some(PLACES[0])) && after.contains(&Some(PLACES[1])));
    }
}

#[test]
fn who_finds_a_square_sees_what_it_is_made_of() {
    let seek = |tables: &SharedTables, place| tables.check(tables.seek(place));
    let guess = |tables: &SharedTables| {
        let spot = tables.spot();
        let found = guess(&tables.index[spot.line()], spot.print());
        // The byte of a hash and the name may be of two threads, but here both want the same.
        (found != 0).then(|| tables.check(found))?;
        Some(found)
    };
    let [during, after] = outcomes(2, seek, guess);
    assert_eq!(during, [None, Some(PLACES[0]), Some(PLACES[1])]);
    assert!(after.contains(&Some(PLACES[0])) && after.contains(&Some(PLACES[1])));
    let seek_too = |tables: &SharedTables| {
        let found = tables.seek(PLACES[2]);
        tables.check(found);
        Some(found)
    };
    let [_, after] = outcomes(2, seek, seek_too);
    assert!(PLACES.iter().all(|&place| after.contains(&Some(place))));
}

#[test]
fn a_square_that_two_work_out_has_a_result_that_is_right() {
    let work_out = |tables: &SharedTables, place| match tables.slot(ASKED).claim(TAG) {
        ResultSlotState::Known(result) => tables.check(result),
        // Who finds that another is at it lends a hand.
        ResultSlotState::Ours | ResultSlotState::Others => {
            let result = tables.seek(place);
            tables.check(result);
            tables.slot(ASKED).publish(TAG, result);
        }
    };
    let look = |tables: &SharedTables| {
        let (result, is_known) = tables.slot(ASKED).load(TAG);
        is_known.then(|| tables.check(result))?;
        Some(result)
    };
    let [during, after] = outcomes(2, work_out, look);
    assert_eq!(during, [None, Some(PLACES[0]), Some(PLACES[1])]);
    assert!(after.contains(&Some(PLACES[0])) && after.contains(&Some(PLACES[1])));
}
