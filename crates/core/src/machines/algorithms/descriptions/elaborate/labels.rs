//! The names of values, kept for the life of the process: stages of an evaluation hold them.

use rustc_hash::FxHashSet;
use std::sync::{LazyLock, Mutex};

/// The most names that are kept; later ones are all called `value`.
const MOST: usize = 1 << 14;

pub(crate) fn kept(name: &str) -> &'static str {
    static NAMES: LazyLock<Mutex<FxHashSet<&'static str>>> = LazyLock::new(Mutex::default);
    let mut names = NAMES
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    if names.len() >= MOST || name.len() > 64 {
        return "value";
    }
    let known: &'static str = Box::leak(name.into());
    names.insert(known);
    known
}
