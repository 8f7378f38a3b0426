//! Shares work among threads.

use mmasmt_core::base::limits::{Limits, Stopped, stop};
use rayon::prelude::*;

/// The number of evaluations of models that justifies a thread.
const WORTH_A_THREAD: usize = 20_000;

/// Computes `make` for all items on as many threads as `evaluations` justify, and returns the
/// results in the order of the items. The limits of this thread hold for all threads together.
pub(super) fn map<T: Sync, R: Send>(
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

#[cfg(test)]
mod tests {
    use super::{WORTH_A_THREAD, map};
    use mmasmt_core::base::limits::{Limits, Stopped, work};
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        let made = map(&items, 50 * WORTH_A_THREAD, |item| 2 * item);
        assert!(made.into_iter().eq((0..1000).map(|item| 2 * item)));
    }

    #[test]
    fn limits_end_the_work_of_all_threads() {
        let limits = Limits::default().within(Duration::from_millis(1));
        let forever = |_: &u8| -> u8 {
            loop {
                work(100);
            }
        };
        let made = limits.run(|| map(&[0; 100], 50 * WORTH_A_THREAD, forever));
        assert_eq!(made, Err(Stopped::TimeLimit));
    }
}
