//! The least exponents of fused sums that are terms of others. A sum whose terms take no part has the least exponent that it
//! can have. Where that is the least one of the sum that takes it, it need not be looked up whether a term took part.

use super::program::{Action, Program, Slot, ValueKind};

impl Program {
    /// The same program, in which fused sums have the least exponents of the sums that take them.
    pub(super) fn with_common_least_exponents(mut self) -> Program {
        let mut least: Vec<Option<i64>> = vec![None; self.nodes.len()];
        let mut is_other = vec![false; self.nodes.len()];
        is_other[self.result as usize] = true;
        for slot in (0..self.nodes.len()).rev() {
            self.take_least_exponent(slot, least[slot].filter(|_| !is_other[slot]));
            let Action::Fuse(fuse) = &self.nodes[slot].action else {
                self.nodes[slot]
                    .action
                    .each_slot(|of| is_other[of as usize] = true);
                continue;
            };
            // A sum with a limit has no least exponent of its own.
            let own = self.extent(slot as Slot).lowest;
            for term in &fuse.terms {
                let of = &mut least[term.of as usize];
                *of = Some(of.map_or(own, |least| least.min(own))).filter(|_| fuse.least.is_none());
                is_other[term.of as usize] |= fuse.least.is_some();
            }
        }
        for slot in 0..self.nodes.len() {
            let Action::Fuse(fuse) = &self.nodes[slot].action else {
                continue;
            };
            let own = self.extent(slot as Slot).lowest;
            let is_least = |of: Slot| {
                let is_sum = matches!(&self.nodes[of as usize].action, Action::Fuse(inner) if inner.least.is_none());
                is_sum && fuse.least.is_none() && self.extent(of).lowest == own
            };
            let all: Vec<bool> = fuse.terms.iter().map(|term| is_least(term.of)).collect();
            if let Action::Fuse(fuse) = &mut self.nodes[slot].action {
                for (term, is_least) in fuse.terms.iter_mut().zip(all) {
                    term.is_least_if_absent = is_least;
                }
            }
        }
        self
    }

    /// Gives a fused sum without a limit this least exponent, if it is less than its own.
    fn take_least_exponent(&mut self, slot: usize, least: Option<i64>) {
        let node = &mut self.nodes[slot];
        if let (Action::Fuse(fuse), ValueKind::Number(extent), Some(least)) =
            (&node.action, &mut node.kind, least)
            && fuse.least.is_none()
        {
            extent.lowest = extent.lowest.min(least);
        }
    }
}
