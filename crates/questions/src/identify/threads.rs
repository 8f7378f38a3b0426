//! Shares work among threads.

use mmasmt_numbers::base::limits::{Limits, Stopped, stop};
use rayon::prelude::*;

/// The number of evaluations of models that justifies a thread.
pub const WORTH_A_THREAD: usize = 20_000;

/// Computes `make` for all items on as many threads as `evaluations` justify, and returns the
/// results in the order of the items. The limits of this thread hold for all threads together.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    evaluations: usize,
    make: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let jobs = evaluations / WORTH_A_THREAD;
    if jobs < 2 {
        return items.iter().map(make).collect();
    }
    let limits = Limits::active();
    let items = items.par_iter().with_min_len(items.len().div_ceil(jobs));
    let made: Result<Vec<R>, Stopped> = items.map(|item| limits.run(|| make(item))).collect();
    made.unwrap_or_else(|stopped| stop(stopped))
}
