//! Sums that keep more bits than the sum that takes them: two small summands of such a sum survive
//! together, where each alone is lost.
//!
//! A pair of large summands cancels, and the small ones lie at the first distance at which one of
//! them alone is lost. What the unit makes of two depends on whether they are added first, so the
//! summands fall into sets by the answers.

use super::scale::{Leaves, SummandScale};
use super::session::Session;
use crate::identify::IdentifyError;
use crate::identify::probe::FormatMisfit;
use mmasmt_core::machines::algorithms::Inputs;
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The distances, in binary places, that are tried.
const NEAREST: i64 = 2;
const FARTHEST: i64 = 50;

/// The sets of summands that are added before they meet a large pair. The distances from which a
/// single summand is lost are added to `edges`.
///
/// # Errors
/// If the unit fails.
pub(super) fn companions(
    session: &mut Session<'_>,
    scale: &SummandScale,
    edges: &mut Vec<i64>,
) -> Result<Vec<Leaves>, IdentifyError> {
    let c = scale.summands - 1;
    let last = c.saturating_sub(1);
    let mut pairs = vec![
        vec![c],
        vec![0, c],
        vec![last, c],
        vec![0, last],
        vec![0, c / 2],
    ];
    pairs.retain(|pair| pair.first() != pair.last() || pair.len() == 1);
    pairs.dedup();
    let mut all: Vec<(Leaves, Vec<usize>)> = Vec::new();
    for pair in pairs {
        for set in beside(session, scale, &pair, edges)? {
            // A set may lack a large summand beside which it was seen.
            let lacks = |less: &Leaves, large: &[usize], more: &Leaves| {
                less.is_subset(more) && more.difference(less).all(|at| large.contains(at))
            };
            if all.iter().any(|(known, _)| lacks(&set, &pair, known)) {
                continue;
            }
            all.retain(|(known, large)| !lacks(known, large, &set));
            all.push((set, pair.clone()));
        }
    }
    let mut sets: Vec<Leaves> = all.into_iter().map(|(set, _)| set).collect();
    // Sets of one size are alike.
    let mut sizes: Vec<usize> = sets.iter().map(Leaves::len).collect();
    sizes.dedup();
    for size in sizes {
        if let Some(set) = sets.iter().find(|set| set.len() == size).cloned()
            && is_one_sum(session, scale, &set)?
        {
            sets.retain(|set| set.len() != size);
        }
    }
    Ok(sets)
}

/// The sets that are seen beside a large pair, or beside one large summand.
fn beside(
    session: &mut Session<'_>,
    scale: &SummandScale,
    pair: &[usize],
    edges: &mut Vec<i64>,
) -> Result<Vec<Leaves>, IdentifyError> {
    let others: Vec<usize> = (0..scale.summands)
        .filter(|at| !pair.contains(at))
        .collect();
    let gap = (scale.large - scale.small).min(FARTHEST);
    let has_c = pair.len() == 2 && pair[1] + 1 == scale.summands;
    // A summand that is not likely to be added to the pair's products first.
    let one = match (has_c, pair[0]) {
        (true, 0) => others.last(),
        (true, _) => others.first(),
        (false, _) => others.get(others.len() / 2),
    };
    let Some(&one) = one.filter(|_| others.len() > 1 && gap > NEAREST) else {
        return Ok(Vec::new());
    };
    let depths: Vec<i64> = (NEAREST..=gap).collect();
    let made = depths
        .iter()
        .map(|depth| scale.pair(pair, *depth, |at| at == one));
    let Some(answers) = ask(session, made)? else {
        return Ok(Vec::new());
    };
    // A large summand that nothing cancels is part of the result.
    let own = |depth: i64| BigInt::from(u8::from(pair.len() == 1)) << depth;
    let is_kept = |(depth, answer): (&i64, &u64)| {
        scale.units(*answer, scale.large - depth) == Some(own(*depth) + 1)
    };
    let Some(first) = depths.iter().zip(&answers).position(|both| !is_kept(both)) else {
        return Ok(Vec::new());
    };
    let depth = depths[first];
    edges.push(depth);
    let made = others
        .iter()
        .map(|own| scale.pair(pair, depth, |at| at == *own));
    let Some(alone) = ask(session, made)? else {
        return Ok(Vec::new());
    };
    let mut sets = Vec::new();
    // Beside `c` and a product, summands that are added to the product first are lost in another way.
    let count = |answer: u64| alone.iter().filter(|other| **other == answer).count();
    let usual = alone.iter().copied().max_by_key(|answer| count(*answer));
    let usual = usual.unwrap_or_default();
    let differs = others
        .iter()
        .zip(&alone)
        .filter(|(_, answer)| **answer != usual);
    let mut set: Leaves = differs.map(|(at, _)| *at).collect();
    if has_c && !set.is_empty() {
        set.insert(pair[0]);
        sets.push(set);
    }
    let alike: Vec<usize> = others
        .iter()
        .zip(&alone)
        .filter(|(_, answer)| **answer == usual)
        .map(|(at, _)| *at)
        .collect();
    let both: Vec<[usize; 2]> = alike
        .iter()
        .enumerate()
        .flat_map(|(at, x)| alike[at + 1..].iter().map(|y| [*x, *y]))
        .collect();
    let made = both
        .iter()
        .map(|two| scale.pair(pair, depth, |at| two.contains(&at)));
    let Some(answers) = ask(session, made)? else {
        return Ok(Vec::new());
    };
    let mut by_answer: BTreeMap<u64, Vec<[usize; 2]>> = BTreeMap::new();
    for (two, answer) in both.iter().zip(answers) {
        by_answer.entry(answer).or_default().push(*two);
    }
    let small = scale.large - depth;
    let units = |answer: u64| scale.units(answer, small);
    if let [(both, _)] = &by_answer.iter().collect::<Vec<_>>()[..] {
        // Where each is cut on its own, two give twice as much as one.
        let is_twice = units(usual).map(|one| one * 2) == units(**both);
        if !is_twice && has_c {
            sets.push(alike.iter().copied().chain([pair[0]]).collect());
        }
    } else {
        let partitions = by_answer
            .values()
            .filter_map(|related| partition(&alike, related));
        sets.extend(partitions.min_by_key(Vec::len).unwrap_or_default());
    }
    Ok(sets)
}

/// Whether two summands of a set meet `c` in one sum: none of them is then seen farther away beside
/// the other than alone. In such a sum both survive together as well, if it keeps more bits than its
/// result.
fn is_one_sum(
    session: &mut Session<'_>,
    scale: &SummandScale,
    set: &Leaves,
) -> Result<bool, IdentifyError> {
    let c = scale.summands - 1;
    let farthest = (scale.large - scale.small).min(FARTHEST);
    let (mut two, gap) = (set.iter().filter(|at| **at != c), NEAREST..=farthest);
    let (Some(&x), Some(&y)) = (two.next(), two.next()) else {
        return Ok(false);
    };
    let Some(kept) = reach(session, scale, None, (x, 1), gap.clone())? else {
        return Ok(false);
    };
    let Some(alone) = reach(session, scale, None, (y, -1), gap.clone())? else {
        return Ok(false);
    };
    // A summand that is kept becomes less; one at a tie is rounded in another way.
    for (at, sign) in [(kept, -1), (kept + 1, -1), (kept + 1, 1)] {
        match reach(session, scale, Some((x, at)), (y, sign), gap.clone())? {
            Some(together) if together <= alone && alone < farthest => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// The greatest of some distances at which `y`, with its sign, changes the result beside a large `c`
/// and `x`, which has a distance too; less than all if there is none. `None` if a limit is reached.
fn reach(
    session: &mut Session<'_>,
    scale: &SummandScale,
    x: Option<(usize, i64)>,
    (y, sign): (usize, i64),
    distances: RangeInclusive<i64>,
) -> Result<Option<i64>, IdentifyError> {
    let mut terms = vec![(scale.summands - 1, 1, scale.large)];
    terms.extend(x.map(|(x, distance)| (x, 1, scale.large - distance)));
    let without = scale.inputs(&terms);
    let with = distances.clone().map(|distance| {
        let term = (y, sign, scale.large - distance);
        scale.inputs(&[&terms[..], &[term]].concat())
    });
    let Some(answers) = ask(session, std::iter::once(without).chain(with))? else {
        return Ok(None);
    };
    let changed = answers.iter().rposition(|answer| *answer != answers[0]);
    Ok(Some(distances.start() - 1 + changed.unwrap_or(0) as i64))
}

/// The sets of at least two summands in which all pairs are related, if there are no other related
/// pairs.
fn partition(summands: &[usize], related: &[[usize; 2]]) -> Option<Vec<Leaves>> {
    let with = |one: usize| -> Leaves {
        let others = summands
            .iter()
            .copied()
            .filter(|other| *other == one || related.contains(&[one.min(*other), one.max(*other)]));
        others.collect()
    };
    let sets: Vec<Leaves> = summands.iter().map(|one| with(*one)).collect();
    let are_alike = summands
        .iter()
        .zip(&sets)
        .all(|(_, set)| set.iter().all(|other| with(*other) == *set));
    let mut different: Vec<Leaves> = sets.into_iter().filter(|set| set.len() > 1).collect();
    different.sort();
    different.dedup();
    are_alike.then_some(different)
}

/// The answers to inputs, if all can be made and a limit is not reached.
fn ask(
    session: &mut Session<'_>,
    made: impl Iterator<Item = Result<Inputs, FormatMisfit>>,
) -> Result<Option<Vec<u64>>, IdentifyError> {
    match made.collect::<Result<Vec<Inputs>, FormatMisfit>>() {
        Ok(inputs) => session.ask(&inputs),
        Err(_) => Ok(None),
    }
}
