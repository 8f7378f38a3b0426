//! The order of a unit's sums, from small summands that survive beside two large ones that cancel.
//!
//! A small summand is lost in a sum that is aligned to a large one, if the sum keeps too few bits
//! for it. Sums that keep different numbers of bits lose it at different distances, so the pairs
//! are asked at one distance in each range of distances that loses the same summands. The
//! summands of a sum are then those that some distance shows to be lost together.

use super::session::Session;
use crate::identify::IdentifyError;
use crate::identify::probe::{Place, Sum, SummationTree, Unfit, build_tree};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::numbers::float::Dyadic;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use std::collections::{BTreeMap, BTreeSet};

/// For each pair of places, the number of summands that are lost beside it.
type Counts = BTreeMap<(usize, usize), usize>;

/// The greatest distances, in binary places, that are tried one by one.
const NEAREST: i64 = 2;
const FARTHEST: i64 = 70;
/// The most questions about small summands that are alone beside a large pair.
const MOST_ALONE: usize = 4200;
/// The most distances at which all pairs are asked.
const DEPTHS: usize = 5;

/// A set of summands: the products by their numbers, and `c` as the number of products.
type Leaves = BTreeSet<usize>;

/// The orders of the sums that the answers admit, the most detailed one first: each takes fewer
/// distances into account, because near the last bit that a sum keeps, summands may be rounded in
/// ways that look like another sum. There are none if the answers show none, or a limit is reached.
///
/// # Errors
/// If the unit fails.
pub(super) fn orders(session: &mut Session<'_>) -> Result<Vec<SummationTree>, IdentifyError> {
    let Ok(scale) = Scale::of(&session.signature) else {
        return Ok(Vec::new());
    };
    let Some(depths) = depths(session, &scale)? else {
        return Ok(Vec::new());
    };
    let all: Leaves = (0..scale.summands).collect();
    let mut found: Vec<Leaves> = vec![all.clone()];
    let mut orders = Vec::new();
    for depth in depths.into_iter().rev().take(DEPTHS) {
        let Some(lost) = lost_beside_pairs(session, &scale, depth)? else {
            continue;
        };
        let Ok(tree) = build_tree(scale.summands, |i, j| lost[&(i, j)]) else {
            continue;
        };
        let mut sets = Vec::new();
        sums_of(&tree, &mut sets);
        // A distance at which some summands are rounded and not lost may contradict the others.
        if sets
            .iter()
            .all(|set| found.iter().all(|known| are_nested(set, known)))
        {
            sets.retain(|set| !found.contains(set));
            found.extend(sets);
            let order = tree_of(&all, &found, scale.summands - 1);
            if !orders.contains(&order) {
                orders.insert(0, order);
            }
        }
    }
    Ok(orders)
}

/// The summands of a sum and of the sums in it.
fn sums_of(tree: &SummationTree, sets: &mut Vec<Leaves>) {
    if let SummationTree::Sum { children, .. } = tree {
        sets.push(tree.leaves().into_iter().collect());
        children.iter().for_each(|child| sums_of(child, sets));
    }
}

fn are_nested(x: &Leaves, y: &Leaves) -> bool {
    x.is_disjoint(y) || x.is_subset(y) || y.is_subset(x)
}

/// The tree over `leaves` whose sums are those of `sets`, which are nested; `c` is a leaf.
fn tree_of(leaves: &Leaves, sets: &[Leaves], c: usize) -> SummationTree {
    if leaves.len() == 1 {
        return SummationTree::Leaf(leaves.first().copied().unwrap_or(0));
    }
    let below = |set: &&Leaves| set.len() < leaves.len() && set.is_subset(leaves);
    let inner: Vec<&Leaves> = sets.iter().filter(below).collect();
    let greatest = inner.iter().filter(|set| {
        let is_below = |other: &&&Leaves| set.len() < other.len() && set.is_subset(other);
        !inner.iter().any(|other| is_below(&other))
    });
    let mut children: Vec<Leaves> = greatest.map(|set| (**set).clone()).collect();
    let covered: Leaves = children.iter().flatten().copied().collect();
    children.extend(
        leaves
            .difference(&covered)
            .map(|&leaf| Leaves::from([leaf])),
    );
    // The child with `c` comes first, the others in the order of their first products.
    children.sort_by_key(|child| (!child.contains(&c), child.first().copied()));
    SummationTree::Sum {
        children: children
            .iter()
            .map(|child| tree_of(child, sets, c))
            .collect(),
        exact: false,
    }
}

/// The exponents of the summands.
struct Scale {
    signature: Signature,
    large: i64,
    small: i64,
    summands: usize,
}

impl Scale {
    fn of(signature: &Signature) -> Result<Scale, Unfit> {
        let ends = [signature.a, signature.b, signature.c, signature.d];
        let [a, b, c, d] = ends.map(|format| {
            let (least, greatest) = (format.min_exponent(), format.max_exponent());
            (i64::from(least), i64::from(greatest))
        });
        // The large power is below the greatest exponent of the result, so that no sum overflows.
        let scale = Scale {
            signature: *signature,
            large: (a.1 + b.1).min(c.1).min(d.1 - 1),
            small: (a.0 + b.0).max(c.0).max(d.0),
            summands: signature.products as usize + 1,
        };
        // The ends of the range must be products, and numbers of `c`.
        scale.inputs(&[(0, 1, scale.large), (scale.summands - 1, -1, scale.large)])?;
        Ok(scale)
    }

    /// Inputs with powers of two: each has a place, a sign and an exponent.
    fn inputs(&self, terms: &[(usize, i64, i64)]) -> Result<Inputs, Unfit> {
        let mut sum = Sum::new(&self.signature);
        for &(place, sign, exponent) in terms {
            let place = match place + 1 == self.summands {
                true => Place::C,
                false => Place::Product(place),
            };
            sum = sum.put(place, &Dyadic::new(BigInt::from(sign), exponent))?;
        }
        Ok(sum.inputs())
    }

    /// The number of summands `2^small` that the result is; `None` if it is no such sum.
    fn count(&self, result: u64, small: i64) -> Option<usize> {
        let sum = Dyadic::of(&self.signature.d, result)?.shifted(-small);
        if sum.exponent() < 0 || sum.mantissa().is_negative() {
            return None;
        }
        let count = (sum.mantissa() << sum.exponent()).to_usize()?;
        (count + 2 <= self.summands).then_some(count)
    }

    /// Inputs with a large pair at two places, and a small summand at those places that `is_small`
    /// admits.
    fn pair(
        &self,
        [i, j]: [usize; 2],
        depth: i64,
        is_small: impl Fn(usize) -> bool,
    ) -> Result<Inputs, Unfit> {
        let others = (0..self.summands).filter(|&at| at != i && at != j && is_small(at));
        let mut terms = vec![(i, -1, self.large), (j, 1, self.large)];
        terms.extend(others.map(|at| (at, 1, self.large - depth)));
        self.inputs(&terms)
    }
}

/// A distance in each range of distances at which the same summands are lost beside some pairs;
/// the nearest first. `None` if a limit is reached.
fn depths(session: &mut Session<'_>, scale: &Scale) -> Result<Option<Vec<i64>>, IdentifyError> {
    let gap = scale.large - scale.small;
    let mut all: Vec<i64> = (NEAREST..=gap.min(FARTHEST)).collect();
    all.extend((gap > FARTHEST).then_some(gap.min(2 * FARTHEST)));
    let c = scale.summands - 1;
    let mut pairs = vec![[1.min(c), 0], [c, 0], [c / 2, 0], [c.saturating_sub(1), 0]];
    pairs.retain(|[i, j]| i != j);
    pairs.sort_unstable();
    pairs.dedup();
    let mut inputs = Vec::new();
    for pair in &pairs {
        for &depth in &all {
            match scale.pair(*pair, depth, |_| true) {
                Ok(made) => inputs.push(made),
                Err(_) => return Ok(None),
            }
        }
    }
    let Some(answers) = session.ask(&inputs)? else {
        return Ok(None);
    };
    let rows: Vec<&[u64]> = answers.chunks(all.len()).collect();
    let counts: Vec<Vec<Option<usize>>> = all
        .iter()
        .enumerate()
        .map(|(at, depth)| {
            let small = scale.large - depth;
            rows.iter().map(|row| scale.count(row[at], small)).collect()
        })
        .collect();
    let whole = vec![Some(scale.summands - 2); pairs.len()];
    let mut chosen = Vec::new();
    let mut from = 0;
    for at in 1..=all.len() {
        if at == all.len() || counts[at] != counts[from] {
            // The farthest distance of the last range is the clearest one.
            let is_last = at == all.len();
            if counts[from] != whole {
                chosen.push(all[if is_last { at - 1 } else { (from + at) / 2 }]);
            }
            from = at;
        }
    }
    Ok(Some(chosen))
}

/// For each pair of places, the number of summands that are lost beside it at this distance, the
/// pair included. `None` if that takes too many questions, or a limit is reached.
fn lost_beside_pairs(
    session: &mut Session<'_>,
    scale: &Scale,
    depth: i64,
) -> Result<Option<Counts>, IdentifyError> {
    let small = scale.large - depth;
    if scale.summands * (scale.summands - 1) / 2 > session.left() {
        return Ok(None);
    }
    let pairs: Vec<[usize; 2]> = (0..scale.summands)
        .flat_map(|i| (0..i).map(move |j| [i, j]))
        .collect();
    let made = pairs.iter().map(|pair| scale.pair(*pair, depth, |_| true));
    let Ok(inputs) = made.collect::<Result<Vec<Inputs>, Unfit>>() else {
        return Ok(None);
    };
    let Some(answers) = session.ask(&inputs)? else {
        return Ok(None);
    };
    let mut lost = BTreeMap::new();
    let mut unclear = Vec::new();
    for (pair, answer) in pairs.iter().zip(answers) {
        match scale.count(answer, small) {
            Some(count) => {
                lost.insert((pair[0], pair[1]), scale.summands - count);
            }
            None => unclear.push(*pair),
        }
    }
    // Where a small summand moves a large one by an ulp, each small summand is asked about alone: it
    // is lost unless the result is that summand.
    let others = scale.summands - 2;
    if unclear.len() * others > MOST_ALONE {
        return Ok(None);
    }
    let mut alone = Vec::new();
    for pair in &unclear {
        for at in (0..scale.summands).filter(|at| !pair.contains(at)) {
            match scale.pair(*pair, depth, |place| place == at) {
                Ok(made) => alone.push(made),
                Err(_) => return Ok(None),
            }
        }
    }
    let Some(answers) = session.ask(&alone)? else {
        return Ok(None);
    };
    for (at, pair) in unclear.iter().enumerate() {
        let row = &answers[at * others..(at + 1) * others];
        let kept = row.iter().filter(|d| scale.count(**d, small) == Some(1));
        lost.insert((pair[0], pair[1]), scale.summands - kept.count());
    }
    Ok(Some(lost))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::{Session, orders};
    use crate::vectors::device::SoftwareDevice;
    use mmasmt_core::base::limits::Limits;
    use mmasmt_core::machines::model::Model;

    #[test]
    fn sums_that_keep_more_bits_are_seen_farther_away() {
        for (text, expected) in [
            ("fda:K=4", "(c #0..#3)"),
            ("exact:K=4", "(c #0..#3)"),
            ("fda:K=2,chain=2", "((c #0 #1) #2 #3)"),
            ("ieee:K=4,order=pairwise", "(c ((#0 #1) (#2 #3)))"),
            ("ieee:K=4,order=pairwise,round=rz", "(c ((#0 #1) (#2 #3)))"),
            ("ieee:K=3,order=fma", "(((c #0) #1) #2)"),
            (
                "unit:{unit u { a, b: e4m3[8]; c: f32; d: f32; p = a * b; \
              x = fuse(p[0..4]) keep 15; y = fuse(p[4..8]) keep 15; \
              s = fuse(x, y) keep 19; d = round(fuse(s, c) keep 24) to f32 by rz }}",
                "(c ((#0..#3) (#4..#7)))",
            ),
        ] {
            let limits = Limits::default();
            let mut device = SoftwareDevice::new(Model::parse(text).unwrap());
            let mut session = Session::new(&mut device, 10_000, &limits);
            let found = orders(&mut session).unwrap();
            let found = found.first().map(ToString::to_string);
            if text == "exact:K=4" {
                assert_eq!(found, None);
            } else {
                assert_eq!(found.as_deref(), Some(expected), "{text}");
            }
        }
    }
}
