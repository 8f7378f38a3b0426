//! Work shared among threads.

use crate::limits::{Limits, stop};
use std::num::NonZero;
use std::thread;

/// Evaluations of models that are worth a thread.
const WORTH_A_THREAD: usize = 20_000;

/// What `make` gives for each item, in their order, on as many threads as `evaluations` are worth;
/// the limits of this thread hold in all.
pub(super) fn map<T: Sync, R: Send>(
    items: &[T],
    evaluations: usize,
    make: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let all = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = (evaluations / WORTH_A_THREAD).clamp(1, all);
    if threads == 1 {
        return items.iter().map(make).collect();
    }
    let share = items.len().div_ceil(threads).max(1);
    let limits = &Limits::active();
    thread::scope(|scope| {
        let make = &make;
        let start = |share| {
            let work = move || <[T]>::iter(share).map(make).collect::<Vec<R>>();
            scope.spawn(move || limits.run(work))
        };
        let running: Vec<_> = items.chunks(share).map(start).collect();
        let done = running.into_iter().map(thread::ScopedJoinHandle::join);
        let made = done.flat_map(|made| match made {
            Ok(Ok(made)) => made,
            Ok(Err(stopped)) => stop(stopped),
            Err(panic) => std::panic::resume_unwind(panic),
        });
        made.collect()
    })
}
