//! Pairwise summation (Xie et al. §IV-B, Algorithm 2).

/// The sum of the first half of `values` plus the sum of the second half, each computed in the same
/// way; `values` is not empty. `partial` gets every intermediate sum, but not the final one.
pub(super) fn pairwise_sum<T: Clone>(
    values: &[T],
    add: &impl Fn(&T, &T) -> T,
    partial: &mut impl FnMut(&T),
) -> T {
    if let [only] = values {
        return only.clone();
    }
    let (left, right) = values.split_at(values.len() / 2);
    let [left, right] = [left, right].map(|half| {
        let sum = pairwise_sum(half, add, partial);
        if half.len() > 1 {
            partial(&sum);
        }
        sum
    });
    add(&left, &right)
}
