//! How threads share nodes, checked with the model checker loom.
//!
//! The functions are those of the tables, on lines of loom's atomics. Each slot holds what an
//! earlier node left behind: children, and a result with the current tag. A thread that finds a
//! node without having acquired it may see those.

use super::store::index::find_or_insert_in;
use super::store::nodes::{QuadrantPairs, ResultSlot, ResultSlotState, read_pairs, write_node};
use crate::arch::model::{LoomPrimitives, check};
use crate::arch::{BucketProbe, IndexBucket, NodeLine, first_candidate, hash_key};
use loom::sync::Arc;
use loom::thread;
use std::sync::Mutex;

/// The current tag, and one of an earlier step.
const TAG: u8 = 5;
const OLD_TAG: u8 = 1;

/// The children of the node that is looked up.
const WANTED: QuadrantPairs = [4 | 8 << 32, 12];

/// The node whose result is wanted, the slot for a new node of each thread, and a node that was
/// a result in an earlier step.
const TARGET: u32 = 1;
const SLOTS: [u32; 3] = [4, 5, 6];
const OLD_RESULT: u32 = 8;

/// An index and its nodes.
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

    /// Makes a node in a slot.
    fn make(&self, pairs: QuadrantPairs, slot: u32) -> u32 {
        let line = &self.lines[slot as usize / 4];
        write_node(line.fields(slot as usize % 4), pairs);
        slot
    }

    fn probe(&self) -> BucketProbe {
        BucketProbe::new(hash_key(WANTED), self.index.len())
    }

    /// Finds the wanted node, or makes it in this slot.
    fn find_or_intern(&self, slot: u32) -> u32 {
        let matches = |node: u32| self.pairs(node) == WANTED;
        let new = || Ok::<u32, ()>(self.make(WANTED, slot));
        find_or_insert_in(&self.index, self.probe(), matches, new).unwrap()
    }

    /// Checks that a node has the wanted children and no result.
    fn check(&self, found: u32) {
        assert_eq!(self.pairs(found), WANTED);
        assert!(!self.slot(found).load(TAG).1, "a result from before");
    }
}

/// The distinct outcomes of a model's executions, in order.
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

/// Two threads run `work`, each with a slot of its own, while a third runs `look`, which
/// returns an outcome; when all are done, `look` runs again. Returns the outcomes during and
/// after.
///
/// Loom first runs one thread after the other, the third last, and then varies the order. That
/// a load comes before another thread's store it explores through the older values that the
/// load may return, and not always through another order: it knows only the last access to each
/// integer.
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
    let lookup = |tables: &SharedTables| {
        let probe = tables.probe();
        let found = first_candidate(&tables.index[probe.bucket()], probe.fingerprint());
        // The fingerprint and the id may be of different threads, but here both want the same
        // node.
        (found != 0).then(|| tables.check(found))?;
        Some(found)
    };
    let [during, after] = outcomes(2, find_or_intern, lookup);
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
        // A worker that finds the result pending helps.
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
