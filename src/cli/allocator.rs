//! Ends the program when it exceeds `--memory`: it prints one line and exits with status 3.
#![allow(
    unsafe_code,
    reason = "the last words are written, and the process is left, by calls that allocate nothing"
)]

use super::output::PROGRAM;
use mmasmt_numbers::base::allocator;
use mmasmt_numbers::base::process::end_processes_at_once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the message that the memory limit is reached is written as JSON.
static JSON: AtomicBool = AtomicBool::new(false);
/// The bytes that the program may allocate in addition to those of `--memory`: for tables of
/// models, threads, buffers.
const OWN: u64 = 128 << 20;

/// Sets the limit: the program ends once it has allocated `memory` bytes and [`OWN`] bytes more.
/// `json` says whether its last message is JSON.
pub(super) fn limit_allocations(memory: u64, json: bool) {
    JSON.store(json, Ordering::Relaxed);
    allocator::limit_allocations(memory.saturating_add(OWN), end);
}

/// The most bytes that the program may allocate: half of the address space, if the system limits
/// the address space; otherwise any number. The other half is for threads, for code in other
/// languages, and for memory that is only reserved.
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

/// Prints that there is no more memory, and ends the program. Neither step allocates memory.
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
