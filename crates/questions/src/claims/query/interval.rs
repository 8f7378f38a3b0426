//! Which shares a count is compatible with.

/// The chance that the share is outside of the interval, in total.
const DOUBT: f64 = 0.05;
/// The number of halvings: the limits are exact to the last digits of a double.
const HALVINGS: u32 = 60;

/// The shares for which so few, or so many, of `count` independent cases have a chance of 2.5 % or
/// more: the interval of Clopper and Pearson, which has the true share with a chance of at least 95 %,
/// whatever that share is.
pub fn confidence(cases: u64, count: u64) -> [f64; 2] {
    if count == 0 {
        return [0.0, 1.0];
    }
    [1.0 - greatest(count - cases, count), greatest(cases, count)]
}

/// The greatest share for which at most `cases` cases are not too unlikely.
fn greatest(cases: u64, count: u64) -> f64 {
    if cases >= count {
        return 1.0;
    }
    let ways = ln_ways(cases, count);
    let (mut low, mut high) = (cases as f64 / count as f64, 1.0);
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        match at_most(cases, count, ways, middle) > DOUBT / 2.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

/// The logarithm of the number of ways to choose `cases` of `count`.
fn ln_ways(cases: u64, count: u64) -> f64 {
    let fewer = cases.min(count - cases);
    let rest = (count - fewer) as f64;
    (1..=fewer)
        .map(|i| ((rest + i as f64) / i as f64).ln())
        .sum()
}

/// The chance of at most `cases` of `count`, each with the chance `share`, which is more than
/// `cases / count`: the terms fall from the last one on.
fn at_most(cases: u64, count: u64, ways: f64, share: f64) -> f64 {
    let (cases, count) = (cases as f64, count as f64);
    let mut term = (ways + cases * share.ln() + (count - cases) * (-share).ln_1p()).exp();
    let (mut sum, mut left) = (term, cases);
    while left > 0.0 && term > sum * f64::EPSILON {
        term *= left / (count - left + 1.0) * (1.0 - share) / share;
        sum += term;
        left -= 1.0;
    }
    sum
}
