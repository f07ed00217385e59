//! Which tiles are to be stepped next.

use std::sync::atomic::{AtomicU8, Ordering};

/// Tiles of a group, which is passed over when none of them is awake.
pub(super) const GROUP: usize = 1024;

/// A flag for each slot, which many threads may raise at once: they only ever store, and
/// what they store is the same, so a flag costs what a byte does.
///
/// Flags are taken in the order of memory, so that tiles are stepped in it. A list of tiles
/// that grows as they are woken lost: it forgets that order, and asks of each tile whether
/// it is in the list, which nothing can guess.
#[derive(Debug, Default)]
pub(super) struct WakeFlags {
    /// By slot; behind them a line of memory for each of [`SINKS`] threads.
    flags: Vec<AtomicU8>,
    groups: Vec<AtomicU8>,
    /// Slots that there is room for.
    room: usize,
}

/// Bytes that processors take from each other at once.
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
    /// Makes room for so many slots, all asleep at first. Slot 0 is nobody's, and may be
    /// woken by who has nobody to wake.
    pub(super) fn extend_to(&mut self, slots: usize) {
        if slots <= self.room {
            return;
        }
        // The sinks are full of what must wake nobody.
        self.flags.truncate(self.room);
        self.room = (2 * slots).next_multiple_of(LINE);
        self.flags
            .resize_with(self.room + SINKS * LINE, AtomicU8::default);
        self.groups
            .resize_with(self.room.div_ceil(GROUP), AtomicU8::default);
    }

    /// Where a thread may raise a flag when it has nobody to wake: where another does so,
    /// each would wait for the other.
    pub(super) fn sink(&self, thread: usize) -> usize {
        self.room + thread % SINKS * LINE
    }

    #[inline(always)]
    pub(super) fn wake(&self, slot: usize) {
        self.flags[slot].store(1, Ordering::Relaxed);
        self.wake_group(slot);
    }

    /// Puts one to sleep.
    pub(super) fn sleep(&mut self, slot: usize) {
        *self.flags[slot].get_mut() = 0;
    }

    /// The flags as they are: who raises one there wakes the group, too.
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

    /// Whether nobody is awake.
    pub(super) fn is_idle(&mut self) -> bool {
        self.groups.iter_mut().all(|group| *group.get_mut() == 0)
    }

    /// Puts all to sleep, and appends those that were awake, in order.
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
                // Who is awake cannot be guessed, so all are written down, each over one
                // that was not.
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

    /// Puts all to sleep and gives up all slots.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
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
