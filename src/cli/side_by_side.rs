//! Independent work on all cores: the results come in the order of the items, each as soon as all before it are there.

use mmasmt_numbers::base::limits::{Limits, stop};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// The least memory that one of several threads gets: 1 GiB.
const LEAST: u64 = 1 << 30;

/// Computes `make` for all items, and passes each result to `take`, in the order of the items. Each thread has its part of
/// the memory of `limits`; there are no more threads than parts of a sensible size.
///
/// # Errors
/// As `take`, after which no further items are begun.
pub(super) fn side_by_side<T: Sync, R: Send, E>(
    items: &[T],
    limits: &Limits,
    make: impl Fn(&T, &Limits) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = rayon::current_num_threads().min(items.len());
    let parts = limits.memory().map_or(u64::MAX, |bytes| bytes / LEAST);
    let threads = threads.min(usize::try_from(parts).unwrap_or(usize::MAX));
    if threads < 2 {
        return items
            .iter()
            .try_for_each(|item| take(item, make(item, limits)));
    }
    let over = Arc::new(AtomicBool::new(false));
    let limits = limits.with_part_of_memory(threads as u64);
    let limits = limits.until(Arc::clone(&over));
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, made) = channel();
        for _ in 0..threads {
            let (sender, limits, next, make) = (sender.clone(), &limits, &next, &make);
            scope.spawn(move || {
                let mut numbers = std::iter::from_fn(|| {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    items.get(number).map(|item| (number, item))
                });
                // Nobody hears the results once one could not be taken.
                numbers.all(|(number, item)| {
                    let made = limits.run(|| make(item, limits));
                    sender.send((number, made)).is_ok()
                });
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut items = items.iter().enumerate().peekable();
        for (number, result) in made {
            waiting.insert(number, result);
            while let Some((number, item)) = items.peek()
                && let Some(result) = waiting.remove(number)
            {
                let taken = result.map(|result| take(item, result));
                if !matches!(taken, Ok(Ok(()))) {
                    over.store(true, Ordering::Relaxed);
                }
                taken.unwrap_or_else(|stopped| stop(stopped))?;
                items.next();
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::side_by_side;
    use mmasmt_numbers::base::limits::Limits;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..40).collect();
        let make = |item: &u64, _: &Limits| {
            sleep(Duration::from_millis(item * 7 % 5));
            item * item
        };
        let mut taken = Vec::new();
        let take = |_: &u64, made: u64| {
            taken.push(made);
            Ok::<_, ()>(())
        };
        side_by_side(&items, &Limits::default(), make, take).unwrap();
        let squares: Vec<u64> = items.iter().map(|item| item * item).collect();
        assert_eq!(taken, squares);
    }

    #[test]
    fn the_first_error_ends_the_work() {
        let items: Vec<u64> = (0..1000).collect();
        let mut count = 0;
        let take = |item: &u64, _: ()| {
            count += 1;
            if *item == 3 { Err("no more") } else { Ok(()) }
        };
        let made = side_by_side(&items, &Limits::default(), |_, _| (), take);
        assert_eq!((made, count), (Err("no more"), 4));
    }
}
