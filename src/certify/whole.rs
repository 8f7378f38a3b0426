//! SAT sweeping in one search over all gates, which keeps what it learned from one pair to the next.

use super::circuit::simple;
use super::place::Place;
use super::search::{Search, Step};
use super::sweep::Sweep;
use crate::bits::blast::Wire;
use crate::engine::Verdict;
use crate::limits::Stopped;
use rustc_hash::FxHashMap;
use std::io::Write;
use std::rc::Rc;

/// Conflicts that a search of the whole may cost before its gates are merged.
const FIRST: u32 = 20_000;
/// Conflicts that the whole may cost after that, before gates are merged in windows.
const LAST: u32 = 200_000;
/// Conflicts that it may cost to prove two gates the same.
const PAIR: u32 = 1000;
/// Gates that one is compared with, at most.
const CANDIDATES: usize = 2;

impl<W: Write + 'static> Sweep<W> {
    /// A search of all gates before `root`, every step of which goes into the proof.
    pub(super) fn search_of_all(&mut self, root: Wire, plain: bool, place: &mut Place) -> Search {
        let script = Rc::clone(&self.script);
        let mut search = Search::new(&self.limits, false, move |step| match step {
            Step::Learned { clause, .. } => script.borrow_mut().add(&clause),
            Step::Forgotten(clause) => script.borrow_mut().delete(&clause),
            Step::Concluded(_) => {}
        });
        if plain {
            search.plain();
        }
        self.window(&[root], usize::MAX, place, &mut search);
        search
    }

    /// Looks for inputs on which `root` holds; where that is hard, and `is_of_models`, gates are merged
    /// before it is tried again.
    pub(super) fn refute_root(
        &mut self,
        root: Wire,
        is_of_models: bool,
        place: &mut Place,
    ) -> Verdict {
        let list = self.circuit.cone([root]);
        self.merge_by_operands(&list, place);
        let mut search = self.search_of_all(root, true, place);
        match self.refute_now(root, Some(FIRST), &mut search, place) {
            Verdict::Unknown(Stopped::ConflictLimit) => {}
            verdict => return verdict,
        }
        if is_of_models {
            self.merge_in(&mut search, &list, place);
            match self.refute_now(root, Some(LAST), &mut search, place) {
                Verdict::Unknown(Stopped::ConflictLimit) => {}
                verdict => return verdict,
            }
            self.merge(&list, &[], place);
        }
        drop(search);
        let mut search = self.search_of_all(root, false, place);
        self.refute_now(root, None, &mut search, place)
    }

    fn refute_now(
        &self,
        root: Wire,
        conflicts: Option<u32>,
        search: &mut Search,
        place: &Place,
    ) -> Verdict {
        let root = place.merged.of(root);
        match root.as_constant() {
            Some(true) => Verdict::Sat,
            Some(false) => Verdict::Unsat,
            None => search.refute(&[root.not()], conflicts),
        }
    }

    /// Merges each gate with one before it that is the same on all samples and is proved to be so.
    fn merge_in(&mut self, search: &mut Search, list: &[usize], place: &mut Place) {
        let shown = place.words.len();
        let mut classes: FxHashMap<u64, Vec<Wire>> = FxHashMap::default();
        for &gate in list {
            if self.limits.stopped().is_some() {
                return;
            }
            let own = Wire::of_gate(gate);
            let was = place.merged.of(own);
            if self.by_operands(gate, place) {
                if was == own {
                    demand_equal(search, own, place.merged.of(own));
                }
                continue;
            }
            if let Some(value) = place.constant(own) {
                self.equal_in(search, own, Wire::constant(value), place);
                continue;
            }
            let (hash, negated) = place.hash(own, shown);
            let class = classes.entry(hash).or_default();
            let all = class
                .iter()
                .map(|wire| place.merged.of(wire.negated_if(negated)));
            let mut all: Vec<Wire> = all.filter(|&other| place.may_be(own, other)).collect();
            class.push(own.negated_if(negated));
            all.dedup();
            let is_other = 3 - self.side(own);
            all.sort_by_key(|other| self.side(*other) != is_other);
            for other in all.into_iter().take(CANDIDATES) {
                if self.equal_in(search, own, other, place) {
                    break;
                }
            }
        }
    }

    /// Proves that two wires are the same, and merges them.
    fn equal_in(&mut self, search: &mut Search, own: Wire, other: Wire, place: &mut Place) -> bool {
        if own == other || !place.may_be(own, other) {
            return own == other;
        }
        for clause in [[own.not(), other], [own, other.not()]] {
            let Some(clause) = simple(clause) else {
                continue;
            };
            match search.refute(&clause, Some(PAIR)) {
                Verdict::Unsat => self.write_lemma(clause.iter().copied()),
                Verdict::Sat => {
                    self.show(search, place);
                    return false;
                }
                Verdict::Unknown(_) => return false,
            }
            search.demand(&clause);
        }
        self.unite(own, other, place);
        true
    }
}

fn demand_equal(search: &mut Search, own: Wire, other: Wire) {
    for clause in [[own.not(), other], [own, other.not()]] {
        simple(clause)
            .iter()
            .for_each(|clause| search.demand(clause));
    }
}
