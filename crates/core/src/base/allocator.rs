//! An allocator that counts bytes and ends the program beyond a limit. Work with estimated memory
//! ends before that, with its results so far; this is for everything else, and for allocations
//! that the system refuses.
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

/// Bytes that all threads have allocated, except for less than [`SHARE`] bytes of each thread.
static TAKEN: AtomicI64 = AtomicI64::new(0);
/// The limit of [`TAKEN`].
static MOST: AtomicI64 = AtomicI64::new(i64::MAX);
/// Ends the program when memory is exhausted.
static END: OnceLock<fn() -> !> = OnceLock::new();
/// The bytes that a thread counts alone before it adds them to [`TAKEN`].
const SHARE: i64 = 64 << 10;

thread_local! {
    static UNTOLD: Cell<i64> = const { Cell::new(0) };
}

/// Limits the allocations of the program to `most` bytes. Beyond them, and where the system refuses
/// memory, `end` is called, which must not allocate.
pub fn limit_allocations(most: u64, end: fn() -> !) {
    MOST.store(i64::try_from(most).unwrap_or(i64::MAX), Ordering::Relaxed);
    END.get_or_init(|| end);
}

/// Counts bytes that are allocated, or freed if the number is negative.
#[inline]
fn count(bytes: i64) {
    // This fails only while the thread ends.
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

/// The pointer that the system returned; the program ends if it is null.
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
