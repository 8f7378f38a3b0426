//! An allocator that counts bytes, and ends the program if they exceed a limit or if the system
//! refuses memory. Work that estimates its memory ends earlier and keeps its results so far; the
//! limit here is for everything else.
#![allow(
    unsafe_code,
    reason = "an allocator is unsafe by its signature; this one counts, and passes everything on to that of the system"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

/// The allocator of the system, with a limit.
#[derive(Debug)]
pub struct LimitedAllocator;

/// The number of bytes that all threads have allocated. Each thread may still have to add fewer
/// than [`SHARE`] bytes.
static TAKEN: AtomicI64 = AtomicI64::new(0);
/// The greatest number of bytes that [`TAKEN`] may reach.
static MOST: AtomicI64 = AtomicI64::new(i64::MAX);
/// The function that ends the program when memory is exhausted.
static END: OnceLock<fn() -> !> = OnceLock::new();
/// The number of bytes that a thread counts by itself before it adds them to [`TAKEN`].
const SHARE: i64 = 64 << 10;

thread_local! {
    /// The number of bytes that this thread has not yet added to [`TAKEN`].
    static UNTOLD: Cell<i64> = const { Cell::new(0) };
}

/// Limits the allocations of the program to `most` bytes. If the program allocates more, or if the
/// system refuses memory, `end` is called. `end` must not allocate.
pub fn limit_allocations(most: u64, end: fn() -> !) {
    MOST.store(i64::try_from(most).unwrap_or(i64::MAX), Ordering::Relaxed);
    END.get_or_init(|| end);
}

/// Counts `bytes` allocated bytes. A negative number counts freed bytes.
#[inline]
fn count(bytes: i64) {
    // `try_with` fails only while the thread ends.
    let told = UNTOLD.try_with(|untold| {
        let sum = untold.get() + bytes;
        let is_told = sum.abs() >= SHARE;
        untold.set(if is_told { 0 } else { sum });
        if is_told { sum } else { 0 }
    });
    let told = told.unwrap_or(bytes);
    if told == 0 {
        return;
    }
    let taken = TAKEN.fetch_add(told, Ordering::Relaxed) + told;
    if told > 0 && taken > MOST.load(Ordering::Relaxed) {
        end();
    }
}

#[cold]
fn end() -> ! {
    match END.get() {
        Some(end) => end(),
        None => std::process::abort(),
    }
}

/// Returns `pointer`, which the system returned. Ends the program if `pointer` is null.
#[inline]
fn given(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        end();
    }
    pointer
}

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for LimitedAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller guarantees the contract.
        given(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller guarantees the contract.
        given(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller guarantees the contract.
        given(unsafe { System.realloc(pointer, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller guarantees the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}
