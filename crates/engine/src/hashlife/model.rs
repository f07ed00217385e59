//! How threads share squares, tried by a model checker.
//!
//! The functions are the tables' own, on lines of the model's atomics. Each place holds, before
//! a square is made there, what another left behind: quadrants, and a result with the tag that
//! is asked for. Who finds a square without having acquired it may see those.

use super::index::find_or_insert_in;
use super::nodes::{QuadrantPairs, ResultSlot, ResultSlotState, read_pairs, write_node};
use crate::arch::model::{LoomPrimitives, check};
use crate::arch::{BucketProbe, IndexBucket, NodeLine, guess, mix};
use loom::sync::Arc;
use loom::thread;
use std::sync::Mutex;

/// The tag that is asked for, and one of a step before.
const TAG: u8 = 5;
const OLD_TAG: u8 = 1;

/// What the square that is looked for is made of.
const WANTED: QuadrantPairs = [4 | 8 << 32, 12];

/// A square whose result is asked for; each thread's place for a new square; and a square
/// that was a result in the step before.
const TARGET: u32 = 1;
const SLOTS: [u32; 3] = [4, 5, 6];
const OLD_RESULT: u32 = 8;

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
        for slot in SLOTS {
            let line = &tables.lines[slot as usize / 4];
            write_node(line.fields(slot as usize % 4), [16, 20]);
            tables.slot(slot).publish(TAG, OLD_RESULT);
        }
        tables.slot(TARGET).publish(OLD_TAG, OLD_RESULT);
        tables
    }

    fn slot(&self, node: u32) -> ResultSlot<'_, LoomPrimitives> {
        ResultSlot::of(self.lines[node as usize / 4].fields(node as usize % 4))
    }

    fn pairs(&self, node: u32) -> QuadrantPairs {
        read_pairs::<LoomPrimitives>(self.lines[node as usize / 4].fields(node as usize % 4).pair)
    }

    /// A square is made in a place.
    fn make(&self, pairs: QuadrantPairs, slot: u32) -> u32 {
        let line = &self.lines[slot as usize / 4];
        write_node(line.fields(slot as usize % 4), pairs);
        slot
    }

    fn probe(&self) -> BucketProbe {
        BucketProbe::new(mix(WANTED), self.index.len())
    }

    /// The square that is looked for; if it is not found, it is made in this place.
    fn find_or_intern(&self, slot: u32) -> u32 {
        let matches = |node: u32| self.pairs(node) == WANTED;
        let new = || Ok::<u32, ()>(self.make(WANTED, slot));
        find_or_insert_in(&self.index, self.probe(), matches, new).unwrap()
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
        let second_worker = thread::spawn(move || work(&its, SLOTS[1]));
        let its = tables.clone();
        let third = thread::spawn(move || seen.add(look(&its)));
        work(&tables, SLOTS[0]);
        second_worker.join().unwrap();
        third.join().unwrap();
        second.add(look(&tables));
    });
    [during, after].map(|outcomes| outcomes.0.lock().unwrap().clone())
}

#[test]
fn who_reads_a_result_sees_what_it_is_made_of() {
    let publish = |tables: &SharedTables, slot| {
        tables.slot(TARGET).publish(TAG, tables.make(WANTED, slot));
    };
    let load = |tables: &SharedTables| {
        let (result, is_known) = tables.slot(TARGET).load(TAG);
        is_known.then(|| tables.check(result))?;
        Some(result)
    };
    let claim = |tables: &SharedTables| match tables.slot(TARGET).claim(TAG) {
        ResultSlotState::Done(result) => {
            tables.check(result);
            Some(result)
        }
        ResultSlotState::Empty | ResultSlotState::Pending => None,
    };
    for look in [load, claim] {
        let [during, after] = outcomes(3, publish, look);
        assert_eq!(during, [None, Some(SLOTS[0]), Some(SLOTS[1])]);
        assert!(after.contains(&Some(SLOTS[0])) && after.contains(&Some(SLOTS[1])));
    }
}

#[test]
fn who_finds_a_square_sees_what_it_is_made_of() {
    let find_or_intern = |tables: &SharedTables, slot| tables.check(tables.find_or_intern(slot));
    let guess = |tables: &SharedTables| {
        let probe = tables.probe();
        let found = guess(&tables.index[probe.line()], probe.print());
        // The byte of a hash and the name may be of two threads, but here both want the same.
        (found != 0).then(|| tables.check(found))?;
        Some(found)
    };
    let [during, after] = outcomes(2, find_or_intern, guess);
    assert_eq!(during, [None, Some(SLOTS[0]), Some(SLOTS[1])]);
    assert!(after.contains(&Some(SLOTS[0])) && after.contains(&Some(SLOTS[1])));
    let find_or_intern_too = |tables: &SharedTables| {
        let found = tables.find_or_intern(SLOTS[2]);
        tables.check(found);
        Some(found)
    };
    let [_, after] = outcomes(2, find_or_intern, find_or_intern_too);
    assert!(SLOTS.iter().all(|&slot| after.contains(&Some(slot))));
}

#[test]
fn a_square_that_two_work_out_has_a_result_that_is_right() {
    let work_out = |tables: &SharedTables, slot| match tables.slot(TARGET).claim(TAG) {
        ResultSlotState::Done(result) => tables.check(result),
        // Who finds that another is at it lends a hand.
        ResultSlotState::Empty | ResultSlotState::Pending => {
            let result = tables.find_or_intern(slot);
            tables.check(result);
            tables.slot(TARGET).publish(TAG, result);
        }
    };
    let look = |tables: &SharedTables| {
        let (result, is_known) = tables.slot(TARGET).load(TAG);
        is_known.then(|| tables.check(result))?;
        Some(result)
    };
    let [during, after] = outcomes(2, work_out, look);
    assert_eq!(during, [None, Some(SLOTS[0]), Some(SLOTS[1])]);
    assert!(after.contains(&Some(SLOTS[0])) && after.contains(&Some(SLOTS[1])));
}
