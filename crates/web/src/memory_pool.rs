//! The memory that all open worlds share.
//!
//! Each world may have what it holds and an equal part of what nobody holds. So one world alone
//! has all of it, and the bound holds however many there are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The bytes that worlds hold, by their numbers here.
#[derive(Debug)]
pub(crate) struct MemoryPool {
    total: u64,
    held: Mutex<PooledMemory>,
}

#[derive(Debug, Default)]
struct PooledMemory {
    by_member: BTreeMap<u64, u64>,
    next: u64,
}

/// A world's part. It is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct PoolShare {
    pool: Arc<MemoryPool>,
    member: u64,
}

impl MemoryPool {
    pub(crate) fn new(total: u64) -> Arc<Self> {
        let held = Mutex::default();
        Arc::new(Self { total, held })
    }

    /// Takes part in it.
    pub(crate) fn join(self: &Arc<Self>) -> PoolShare {
        let mut held = self.lock();
        let member = held.next;
        held.next += 1;
        held.by_member.insert(member, 0);
        drop(held);
        let pool = Arc::clone(self);
        PoolShare { pool, member }
    }

    fn lock(&self) -> MutexGuard<'_, PooledMemory> {
        // numbers: nothing is left half done in there
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PoolShare {
    /// Reports what a world holds now, in bytes, and returns what it may hold.
    pub(crate) fn update(&self, bytes: u64) -> u64 {
        let mut held = self.pool.lock();
        held.by_member.insert(self.member, bytes);
        let all: u64 = held.by_member.values().sum();
        let free = self.pool.total.saturating_sub(all);
        bytes + free / held.by_member.len() as u64
    }
}

impl Drop for PoolShare {
    fn drop(&mut self) {
        self.pool.lock().by_member.remove(&self.member);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_alone_has_all_and_many_share_what_is_free() {
        let pool = MemoryPool::new(1000);
        let one = pool.join();
        assert_eq!(one.update(100), 1000);
        let two = pool.join();
        assert_eq!(two.update(0), 450);
        assert_eq!(one.update(300), 300 + 350);
        assert_eq!(two.update(900), 900);
        assert_eq!(one.update(300), 300, "nothing is left");
        drop(two);
        assert_eq!(one.update(300), 1000);
    }
}
