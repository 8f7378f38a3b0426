//! Pairwise summation (mma-sim.txt §IV-B, Algorithm 2).

/// The sum of the first and that of the second half of `values`, added; `values` are not empty.
pub(super) fn pairwise_sum<T: Clone>(values: &[T], add: &mut impl FnMut(&T, &T) -> T) -> T {
    match values {
        [only] => only.clone(),
        _ => {
            let (left, right) = values.split_at(values.len() / 2);
            let (left, right) = (pairwise_sum(left, add), pairwise_sum(right, add));
            add(&left, &right)
        }
    }
}
