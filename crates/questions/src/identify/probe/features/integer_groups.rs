//! Units of integers that saturate: after which products a sum is clamped.

use super::integers::ends;
use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, ProbeSum, SumPlace, number};
use crate::identify::probe::test::{ProbeValue, ReadingRule, found};
use crate::identify::probe::unread::{ReadingFailure, undecided};
use mmasmt_numbers::float::Dyadic;

/// The most products whose pairs are all asked.
const MOST_PRODUCTS: usize = 64;

/// For each pair of products, asks for the greatest integer as `c` with 1 in the one product and -1
/// in the other: the result is less where the sum is clamped between the two.
pub(super) fn clamps(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    let count = asker.products();
    let minus = match [signature.a, signature.b].map(|format| format.is_signed()) {
        [true, _] => [-1, 1],
        [_, true] => [1, -1],
        _ => return Err(FormatMisfit("no product is negative".into())),
    };
    if count > MOST_PRODUCTS {
        return Err(FormatMisfit(format!(
            "at most {MOST_PRODUCTS} products are asked in pairs, there are {count}"
        )));
    }
    let [_, most] = ends(&signature.d);
    let [plus, minus] = [[1, 1], minus].map(|pair| pair.map(|factor| number(factor, 0)));
    let mut ids = Vec::new();
    for first in 0..count {
        for second in 0..count {
            let sum = ProbeSum::new(signature).put(SumPlace::C, &most)?;
            let sum = sum.factors(first, &plus[0], &plus[1])?;
            let sum = match first == second {
                true => sum,
                false => sum.factors(second, &minus[0], &minus[1])?,
            };
            ids.push(asker.push(sum.inputs()));
        }
    }
    Ok(Box::new(move |results| {
        // The pair of a product with itself has this product alone.
        if !results.is(ids[0], &most)? {
            return undecided("the unit wraps, so that nothing is clamped");
        }
        let groups = groups(count, &ids, &most, results)?;
        let shows = match &groups[..] {
            [_] => "one sum of all products and c is clamped".into(),
            groups => {
                let texts: Vec<String> = groups.iter().map(|group| text(group)).collect();
                format!(
                    "the sum is clamped after each of these groups of products: {}",
                    texts.join(" ")
                )
            }
        };
        found(ProbeValue::Exactly(groups.len() as i64), shows)
    }))
}

/// The products in groups between which the sum is clamped, in the order of the unit.
fn groups(
    count: usize,
    ids: &[usize],
    most: &Dyadic,
    results: &TestResults<'_>,
) -> Result<Vec<Vec<usize>>, ReadingFailure> {
    let clamped = most.minus(&number(1, 0));
    let mut is_before = Vec::new();
    for id in ids {
        is_before.push(results.one_of(*id, &[most, &clamped])? == 1);
    }
    let before = |first: usize, second: usize| is_before[first * count + second];
    // A product's rank is the number of products that are clamped before it is added.
    let rank = |k: usize| (0..count).filter(|other| before(*other, k)).count();
    let ranks: Vec<usize> = (0..count).map(rank).collect();
    let mut distinct = ranks.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let pairs = (0..count).flat_map(|first| (0..count).map(move |second| (first, second)));
    if pairs
        .into_iter()
        .any(|(first, second)| before(first, second) != (ranks[first] < ranks[second]))
    {
        return Err(ReadingFailure::Inconsistent(
            "no order of groups gives these results".into(),
        ));
    }
    let group = |rank: usize| (0..count).filter(|k| ranks[*k] == rank).collect();
    Ok(distinct.into_iter().map(group).collect())
}

/// `#0..#3`, or the numbers one by one if they do not follow each other.
fn text(group: &[usize]) -> String {
    match group {
        [first, .., last] if last - first + 1 == group.len() => format!("#{first}..#{last}"),
        _ => group
            .iter()
            .map(|k| format!("#{k}"))
            .collect::<Vec<_>>()
            .join(","),
    }
}
