//! The search for a description in the order of sums that the answers show, then in orders near it,
//! then in usual ones.

use super::climb::{Climb, Measured};
use super::evidence::Evidence;
use super::hypothesis::Space;
use super::layout::{Layout, Sharing, merged, usual};
use crate::identify::probe::SummationTree;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Signature;
use std::sync::Arc;

/// The starts of each order of sums from which a description is searched, and how many of the
/// nearest ones are searched further.
const STARTS: usize = 2;
const DEEP: usize = 4;

/// Where hypotheses are searched, in order: the orders of sums that the answers admit, those with
/// one sum merged, then the usual ones. `nan` is a NaN that the unit gives.
pub(super) fn spaces(
    signature: Signature,
    found: &[SummationTree],
    nan: Option<u64>,
) -> Vec<Arc<Space>> {
    let products = signature.products as usize;
    let mut layouts: Vec<Layout> = Vec::new();
    let changed = found.iter().flat_map(merged);
    let trees = found.iter().cloned().chain(changed).chain(usual(products));
    for tree in trees {
        for sharing in [Sharing::Kinds, Sharing::Levels] {
            // Sums of different levels are told apart only where the order is known.
            let is_found = found.contains(&tree);
            let layout = Layout::of(&tree, products, sharing);
            let is_known = layouts.iter().any(|known| known.sums == layout.sums);
            if !is_known && (sharing == Sharing::Kinds || is_found) {
                layouts.push(layout);
            }
        }
    }
    let spaces = layouts.into_iter();
    spaces
        .map(|layout| Space::new(layout, signature, nan))
        .collect()
}

/// The hypothesis that misses least of the evidence, from the one so far, then in each space; and
/// the number of descriptions that were compared. It ends early with one that misses nothing.
pub(super) fn fitting(
    evidence: &Evidence,
    from: Option<Measured>,
    spaces: &[Arc<Space>],
    limits: &Limits,
) -> (Option<Measured>, usize) {
    let mut climb = Climb::new(evidence, limits);
    let is_over = |found: &Measured| found.missed == 0 || limits.stopped().is_some();
    let mut all: Vec<Measured> = Vec::new();
    // The first order of sums is that which the answers show: it is searched fully at once.
    let again = from.map(|from| (vec![from.hypothesis], true));
    let spaces = spaces.iter().enumerate();
    let starts = spaces.map(|(at, space)| (space.starts(), at == 0));
    for (starts, fully) in again.into_iter().chain(starts) {
        let measured = climb.measure(starts, u64::MAX);
        for start in measured.into_iter().take(STARTS) {
            let found = match fully {
                true => climb.climb(start),
                false => climb.by_one(start),
            };
            if is_over(&found) {
                all.push(found);
                return (nearest(all), climb.tried);
            }
            all.push(found);
        }
    }
    all.sort_by_key(|found| found.missed);
    for near in all.clone().into_iter().take(DEEP) {
        let found = climb.climb(near);
        let is_over = is_over(&found);
        all.push(found);
        if is_over {
            break;
        }
    }
    (nearest(all), climb.tried)
}

fn nearest(all: Vec<Measured>) -> Option<Measured> {
    all.into_iter().min_by_key(|found| found.missed)
}
