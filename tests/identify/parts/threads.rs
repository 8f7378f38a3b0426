//! Work on all threads: its order and its limits.

use mmasmt_numbers::base::limits::{Limits, Stopped, work};
use mmasmt_questions::identify::threads::{WORTH_A_THREAD, map};
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
