//! The order of a unit's sums, from small summands that survive beside two large ones that cancel.
//!
//! A small summand is lost in a sum that is aligned to a large one, if the sum keeps too few bits
//! for it. Sums that keep different numbers of bits lose it at different distances, so the pairs
//! are asked at one distance in each range of distances that loses the same summands. The
//! summands of a sum are then those that some distance shows to be lost together.

use super::companions::companions;
use super::scale::{Leaves, SummandScale};
use super::session::Session;
use crate::identify::IdentifyError;
use crate::identify::probe::{FormatMisfit, SummationTree, build_tree};
use mmasmt_core::machines::algorithms::Inputs;
use std::collections::BTreeMap;

/// For each pair of places, the number of summands that are lost beside it.
type Counts = BTreeMap<(usize, usize), usize>;

/// The greatest distances, in binary places, that are tried one by one.
const NEAREST: i64 = 2;
const FARTHEST: i64 = 70;
/// The most questions about small summands that are alone beside a large pair.
const MOST_ALONE: usize = 4200;
/// How far beyond the first distance of a range its summands are surely lost.
const CLEAR: usize = 8;
/// The most distances at which all pairs are asked.
const DEPTHS: usize = 5;

/// The orders of the sums that the answers admit, and the distances at which summands are lost.
#[derive(Default)]
pub struct Orders {
    /// The most detailed order comes first: each takes fewer distances into account, because near the
    /// last bit that a sum keeps, summands may be rounded in ways that look like another sum. There
    /// are none if the answers show none, or a limit is reached.
    pub trees: Vec<SummationTree>,
    /// The first distances, in binary places, at which other summands are lost than before.
    pub edges: Vec<i64>,
}

/// Asks for the order of the sums.
///
/// # Errors
/// If the unit fails.
pub fn orders(session: &mut Session<'_>) -> Result<Orders, IdentifyError> {
    let mut orders = Orders::default();
    let Ok(scale) = SummandScale::of(&session.signature) else {
        return Ok(orders);
    };
    let Some(depths) = depths(session, &scale, &mut orders.edges)? else {
        return Ok(orders);
    };
    let all: Leaves = (0..scale.summands).collect();
    let mut found: Vec<Leaves> = vec![all.clone()];
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
            orders.add(tree_of(&all, &found, scale.summands - 1));
        }
    }
    let together = companions(session, &scale, &mut orders.edges)?;
    let before = found.clone();
    for set in together {
        if found.iter().all(|known| are_nested(&set, known)) && !found.contains(&set) {
            found.push(set);
        }
    }
    if found != before {
        orders.add(tree_of(&all, &found, scale.summands - 1));
    }
    orders.edges.sort_unstable();
    orders.edges.dedup();
    Ok(orders)
}

impl Orders {
    fn add(&mut self, order: SummationTree) {
        if !self.trees.contains(&order) {
            self.trees.insert(0, order);
        }
    }
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

/// A distance in each range of distances at which the same summands are lost beside some pairs;
/// the nearest first. `None` if a limit is reached.
fn depths(
    session: &mut Session<'_>,
    scale: &SummandScale,
    edges: &mut Vec<i64>,
) -> Result<Option<Vec<i64>>, IdentifyError> {
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
            match scale.pair(pair, depth, |_| true) {
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
            // Of the last range, a distance is clear that is not near its beginning, and not so far
            // that what tells of lost summands leaves no room for those that are left.
            let is_last = at == all.len();
            if counts[from] != whole {
                let clear = if is_last { at - 1 } else { (from + at) / 2 };
                chosen.push(all[clear.min(from + CLEAR)]);
            }
            edges.push(all[from]);
            from = at;
        }
    }
    Ok(Some(chosen))
}

/// For each pair of places, the number of summands that are lost beside it at this distance, the
/// pair included. `None` if that takes too many questions, or a limit is reached.
fn lost_beside_pairs(
    session: &mut Session<'_>,
    scale: &SummandScale,
    depth: i64,
) -> Result<Option<Counts>, IdentifyError> {
    let small = scale.large - depth;
    if scale.summands * (scale.summands - 1) / 2 > session.left() {
        return Ok(None);
    }
    let pairs: Vec<[usize; 2]> = (0..scale.summands)
        .flat_map(|i| (0..i).map(move |j| [i, j]))
        .collect();
    let made = pairs.iter().map(|pair| scale.pair(pair, depth, |_| true));
    let Ok(inputs) = made.collect::<Result<Vec<Inputs>, FormatMisfit>>() else {
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
            match scale.pair(pair, depth, |place| place == at) {
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
