//! Flags of the tiles to be stepped next.

use std::sync::atomic::{AtomicU8, Ordering};

/// Tiles of a group, which is skipped when none of them is awake.
pub(super) const GROUP: usize = 1024;

/// A flag for each slot, which many threads may set at once: they only store, and always the
/// same value, so a flag costs no more than a byte.
///
/// Flags are taken in memory order, so tiles are stepped in it. A list of woken tiles was tried
/// and rejected: it loses that order, and needs an unpredictable branch for each tile that may
/// be in it already.
#[derive(Debug, Default)]
pub(super) struct WakeFlags {
    /// By slot, followed by a cache line for each of [`SINKS`] threads.
    flags: Vec<AtomicU8>,
    groups: Vec<AtomicU8>,
    /// The number of slots.
    room: usize,
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// Threads that have a sink of their own.
const SINKS: usize = 16;

impl Clone for WakeFlags {
    fn clone(&self) -> Self {
        let copy = |flags: &[AtomicU8]| {
            let copy = |flag: &AtomicU8| AtomicU8::new(flag.load(Ordering::Relaxed));
            flags.iter().map(copy).collect()
        };
        Self {
            flags: copy(&self.flags),
            groups: copy(&self.groups),
            room: self.room,
        }
    }
}

impl WakeFlags {
    /// Adds slots, asleep at first. Slot 0 stands for no tile, and may be woken at will.
    pub(super) fn extend_to(&mut self, slots: usize) {
        if slots <= self.room {
            return;
        }
        // The sinks contain flags of no tile.
        self.flags.truncate(self.room);
        self.room = (2 * slots).next_multiple_of(LINE);
        self.flags
            .resize_with(self.room + SINKS * LINE, AtomicU8::default);
        self.groups
            .resize_with(self.room.div_ceil(GROUP), AtomicU8::default);
    }

    /// A flag that a thread may set instead of a tile's; threads that shared one would contend
    /// for its cache line.
    pub(super) fn sink(&self, thread: usize) -> usize {
        self.room + thread % SINKS * LINE
    }

    #[inline(always)]
    pub(super) fn wake(&self, slot: usize) {
        self.flags[slot].store(1, Ordering::Relaxed);
        self.wake_group(slot);
    }

    /// Clears a flag.
    pub(super) fn sleep(&mut self, slot: usize) {
        *self.flags[slot].get_mut() = 0;
    }

    /// The flags; a caller that sets one must set its group's too.
    #[inline(always)]
    pub(super) fn flags(&self) -> &[AtomicU8] {
        &self.flags
    }

    #[inline(always)]
    pub(super) fn wake_group(&self, slot: usize) {
        let group = &self.groups[slot / GROUP];
        // What all threads look at stays with all, until one writes.
        if group.load(Ordering::Relaxed) == 0 {
            group.store(1, Ordering::Relaxed);
        }
    }

    pub(super) fn is_awake(&self, slot: usize) -> bool {
        self.flags[slot].load(Ordering::Relaxed) != 0
    }

    /// Whether all are asleep.
    pub(super) fn is_idle(&mut self) -> bool {
        self.groups.iter_mut().all(|group| *group.get_mut() == 0)
    }

    /// Clears all flags, and appends the slots that were awake, in order.
    pub(super) fn take(&mut self, slots: &mut Vec<u32>) {
        const CHUNK: usize = 64;
        for (group, flags) in self.flags[..self.room].chunks_mut(GROUP).enumerate() {
            if std::mem::take(self.groups[group].get_mut()) == 0 {
                continue;
            }
            if group == 0 {
                *flags[0].get_mut() = 0;
            }
            for (chunk, flags) in flags.chunks_mut(CHUNK).enumerate() {
                let any = flags.iter_mut().fold(0, |any, flag| any | *flag.get_mut());
                if any == 0 {
                    continue;
                }
                // Branch-free: every slot is written, and overwritten if it was not awake.
                let first = (group * GROUP + chunk * CHUNK) as u32;
                let start = slots.len();
                slots.resize(start + CHUNK + 1, 0);
                let found = &mut slots[start..];
                let mut count = 0;
                for (slot, flag) in (first..).zip(flags) {
                    found[count.min(CHUNK)] = slot;
                    count += usize::from(std::mem::take(flag.get_mut()));
                }
                slots.truncate(start + count);
            }
        }
    }

    /// Removes all slots.
    pub(super) fn clear(&mut self) {
        self.flags.clear();
        self.groups.clear();
        self.room = 0;
        self.extend_to(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_woken_is_taken_once_and_in_order() {
        let mut awake = WakeFlags::default();
        let mut taken = Vec::new();
        for slots in [1, 2, 8, 63, 64, 65, 1024, 1025, 5000] {
            awake.extend_to(slots);
            for step in [1, 3, 7, 64, 1023] {
                let woken: Vec<usize> = (1..slots).step_by(step).collect();
                for slot in woken.iter().rev().chain(&woken) {
                    awake.wake(*slot);
                    assert!(awake.is_awake(*slot));
                }
                awake.wake(0);
                for thread in 0..20 {
                    awake.flags[awake.sink(thread)].store(1, Ordering::Relaxed);
                }
                taken.clear();
                awake.take(&mut taken);
                let taken: Vec<usize> = taken.iter().map(|slot| *slot as usize).collect();
                assert_eq!(taken, woken, "of {slots}");
                assert!(woken.iter().all(|slot| !awake.is_awake(*slot)));
            }
            awake.take(&mut taken);
        }
        awake.wake(70);
        awake.clear();
        taken.clear();
        awake.take(&mut taken);
        assert!(taken.is_empty());
    }
}
