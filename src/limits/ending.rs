//! The end of the program, at which what it holds is not freed piece by piece.

use std::sync::atomic::{AtomicBool, Ordering};

static ENDING: AtomicBool = AtomicBool::new(false);

/// Says that this process ends as soon as the work that goes on has ended.
#[cfg(feature = "cli")]
pub(crate) fn program_ends() {
    ENDING.store(true, Ordering::Relaxed);
}

/// Frees what is held; where the program ends, the system does that at once.
pub(crate) fn free<T>(held: T) {
    match ENDING.load(Ordering::Relaxed) {
        true => std::mem::forget(held),
        false => drop(held),
    }
}
