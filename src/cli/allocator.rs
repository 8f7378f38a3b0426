//! Ends the program when its allocations exceed `--memory`. Work whose memory is estimated ends
//! before that, with its results so far. This module is for all other work, and for allocations
//! that the system refuses.
#![allow(
    unsafe_code,
    reason = "an allocator is unsafe by its signature; this one counts, and passes everything on to that of the system"
)]

use super::output::PROGRAM;
use mmasmt_core::base::process::end_processes_at_once;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// The allocator of the program: that of the system, with a limit.
#[derive(Debug)]
pub struct LimitedAllocator;

/// The bytes that all threads have allocated. Each thread may have less than [`SHARE`] bytes that
/// are not counted here yet.
static TAKEN: AtomicI64 = AtomicI64::new(0);
/// The program ends if [`TAKEN`] exceeds this number.
static MOST: AtomicI64 = AtomicI64::new(i64::MAX);
/// Whether the message that ends the program is JSON.
static JSON: AtomicBool = AtomicBool::new(false);
/// The number of bytes that a thread counts by itself before it adds them to [`TAKEN`].
const SHARE: i64 = 64 << 10;
/// The bytes that the program needs beside those of `--memory`: for tables of models, threads,
/// buffers.
const OWN: u64 = 128 << 20;

thread_local! {
    static UNTOLD: Cell<i64> = const { Cell::new(0) };
}

/// From now on the program ends once it has allocated `memory` bytes and the [`OWN`] bytes that it
/// needs itself. `json` says whether its last message is JSON.
pub(super) fn limit_allocations(memory: u64, json: bool) {
    JSON.store(json, Ordering::Relaxed);
    let most = i64::try_from(memory.saturating_add(OWN)).unwrap_or(i64::MAX);
    MOST.store(most, Ordering::Relaxed);
}

/// The number of bytes that may be kept: half of the address space, if the system limits it. The
/// other half is for threads, for code in other languages, and for memory that is only reserved.
pub(super) fn room() -> u64 {
    #[cfg(unix)]
    {
        use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
        if let Ok((soft, _)) = getrlimit(Resource::RLIMIT_AS)
            && soft != RLIM_INFINITY
        {
            return soft / 2;
        }
    }
    u64::MAX
}

/// Counts `bytes` that are allocated, or that are freed if the number is negative.
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

/// Prints that there is no more memory, and ends the program. Nothing here allocates.
#[cold]
fn end() -> ! {
    end_processes_at_once();
    if JSON.load(Ordering::Relaxed) {
        say(concat!(
            r#"{"schema":1,"verdict":"unknown","reason":"memory limit reached","version":"#,
            "\""
        ));
        say(PROGRAM);
        say("\"}\n");
    } else {
        say("unknown: memory limit reached\n");
    }
    leave()
}

#[cfg(unix)]
fn say(text: &str) {
    // SAFETY: pointer and length are those of a string.
    let _written = unsafe { nix::libc::write(1, text.as_ptr().cast(), text.len()) };
}

#[cfg(unix)]
fn leave() -> ! {
    // SAFETY: this call ends the process, whatever its state.
    unsafe { nix::libc::_exit(super::Status::Unknown as i32) }
}

#[cfg(not(unix))]
fn say(_: &str) {}

#[cfg(not(unix))]
fn leave() -> ! {
    std::process::exit(super::Status::Unknown as i32)
}

/// Returns the pointer that the system's allocator gave; ends the program if it is null.
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
