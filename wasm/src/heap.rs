//! The heap: that of the standard library, for which memory grows in larger steps.
//!
//! It grows by a page of 64 KiB wherever one is lacking. A browser makes a new buffer of the whole
//! memory each time, and where that is large it collects its garbage too: Gosper's gun to generation
//! 10^1000 by hashing took half as long again, for 700 collections. Large tables have pages of their
//! own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[global_allocator]
static HEAP: SteppedHeap = SteppedHeap {
    used: AtomicUsize::new(0),
    room: AtomicUsize::new(0),
};

/// What is as large as this grows the memory by as much, and is not counted.
const LARGE: usize = 1 << 20;

/// The least that memory grows by, in bytes, and the most.
const LEAST_STEP: usize = 2 << 20;
const MOST_STEP: usize = 64 << 20;

/// Counts what is in use, and makes room for half as much again when that room is used up.
struct SteppedHeap {
    used: AtomicUsize,
    /// Bytes for which there was room.
    room: AtomicUsize,
}

impl SteppedHeap {
    #[inline(always)]
    fn count(&self, size: usize) {
        if size < LARGE {
            let used = self.used.load(Relaxed).wrapping_add(with_header(size));
            self.used.store(used, Relaxed);
            if used > self.room.load(Relaxed) {
                self.make_room(used);
            }
        }
    }

    #[inline(always)]
    fn count_less(&self, size: usize) {
        if size < LARGE {
            let used = self.used.load(Relaxed).wrapping_sub(with_header(size));
            self.used.store(used, Relaxed);
        }
    }

    /// Takes so much at once, and gives it back: the heap keeps what the memory has grown by.
    #[cold]
    #[inline(never)]
    fn make_room(&self, used: usize) {
        let step = (used / 2).clamp(LEAST_STEP, MOST_STEP);
        self.room.store(used.saturating_add(step), Relaxed);
        let Ok(layout) = Layout::from_size_align(step, 16) else {
            return;
        };
        // SAFETY: the layout is not empty, as no step is.
        let start = unsafe { System.alloc(layout) };
        if !start.is_null() {
            // SAFETY: it has just been allocated with this layout.
            unsafe { System.dealloc(start, layout) };
        }
    }
}

/// The bytes that something of this size takes.
#[inline(always)]
fn with_header(size: usize) -> usize {
    (size + 4).next_multiple_of(16)
}

// Not inlined: all places that allocate would be larger, half a megabyte in all.
//
// SAFETY: all is done by the standard library's heap, with what the caller promises to both.
unsafe impl GlobalAlloc for SteppedHeap {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline(never)]
    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        self.count_less(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(start, layout) };
    }

    #[inline(never)]
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.count_less(layout.size());
        self.count(size);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(start, layout, size) }
    }
}
