//! The fewest inputs that tell all models apart.

use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::Partition;
use mmasmt_questions::identify::cover::{cover, hardest_pairs};

#[test]
fn fewer_columns_are_found_than_the_best_first_leaves() {
    // The third column alone separates the most pairs, but together with either other column it
    // leaves at least two pairs unseparated.
    let columns = [
        vec![0, 0, 0, 1, 1, 1, 2, 2, 2],
        vec![0, 1, 2, 0, 1, 2, 0, 1, 2],
        vec![0, 0, 1, 0, 2, 1, 2, 3, 3],
    ];
    let mut found = cover(9, &columns, &Limits::default());
    found.chosen.sort_unstable();
    assert_eq!(found.chosen, [0, 1]);
    assert!(found.proved);
}

#[test]
fn pairs_are_told_by_their_columns_those_of_fewest_first() {
    let columns = [vec![0, 0, 1], vec![0, 1, 2]];
    let mut all = Partition::whole(3);
    columns.iter().for_each(|column| all.refine(column));
    let expected = [
        ([0, 1], vec![1]),
        ([0, 2], vec![0, 1]),
        ([1, 2], vec![0, 1]),
    ];
    assert_eq!(hardest_pairs(&all, &columns), expected);
}
