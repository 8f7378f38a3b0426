//! Limits of time and memory: whose they are, and that memory is given back.

use mmasmt_numbers::base::limits::{Account, Limits, Stopped, work};
use std::time::Duration;

fn forever() {
    loop {
        work(100);
    }
}

#[test]
fn the_innermost_limits_count_and_end_only_their_own_work() {
    let outer = Limits::default();
    let inner = outer.within(Duration::from_millis(1));
    let found = outer.run(|| inner.run(forever));
    assert_eq!(found, Ok(Err(Stopped::TimeLimit)));
    assert_eq!(outer.run(|| work(1 << 40)), Ok(()));
}

#[test]
fn memory_is_counted_and_given_back() {
    let limits = Limits::default().with_memory(1 << 20);
    let hold = |bytes: u64| {
        let mut account = Account::default();
        (0..bytes >> 10).for_each(|_| account.take(1 << 10));
    };
    for _ in 0..4 {
        assert_eq!(limits.run(|| hold(1 << 19)), Ok(()));
        assert_eq!(limits.run(|| hold(1 << 22)), Err(Stopped::MemoryLimit));
    }
}

#[test]
fn a_panic_stays_a_panic() {
    let found = std::panic::catch_unwind(|| {
        Limits::default().run(|| std::panic::resume_unwind(Box::new(7)))
    });
    assert_eq!(found.unwrap_err().downcast_ref(), Some(&7));
}
