//! Sums that are aligned to different exponents: a case for each difference of them.

use super::prover::Found;
use super::simulate::{LANES, Sample, Word};
use super::stage::Stage;
use super::sweep::{Place, Sweep};
use crate::bits::blast::Wire;
use std::collections::BTreeMap;
use std::io::Write;

/// Cases that are looked at.
const MOST: usize = 64;
/// Conflicts that it may cost to show that there are no other cases.
const EFFORT: u32 = 200_000;

impl<W: Write + 'static> Sweep<W> {
    /// Proves that the results of both sums are the same, and merges them.
    pub(super) fn stage(&mut self, number: usize, stage: &Stage, missing: &mut Vec<String>) {
        let sides = stage.sides.iter();
        let before = sides.flat_map(|side| {
            let numbers = side.maxima.iter().chain(&side.exponents).chain([&side.largest]);
            numbers.flatten()
        });
        let before = before.chain(&stage.difference).chain([&stage.empty]);
        let list = self.circuit.cone(before.copied(), |_| false);
        self.everywhere(&list, Self::merge_by_operands);
        let [left, right] = stage.sides.each_ref().map(|side| &side.largest);
        self.everywhere(&[], |sweep, _, place| {
            for (left, right) in left.iter().zip(right) {
                sweep.try_equal_on_samples(*left, *right, EFFORT, place);
            }
        });
        self.everywhere(&list, Self::merge_by_operands);
        let mut is_done = vec![false; self.circuit.gates().len()];
        list.iter().for_each(|&gate| is_done[gate] = true);

        let difference: Vec<Wire> = stage.difference.iter().map(|wire| self.known.of(*wire)).collect();
        let results = || stage.sides.iter().flat_map(|side| &side.result).copied();
        if difference.iter().all(|wire| wire.as_constant() == Some(false)) {
            let list = self.circuit.cone(results(), |_| false);
            self.everywhere(&list, Self::merge_by_operands);
            return;
        }
        let empty = self.known.of(stage.empty);
        let (none, mut seen) = self.differences(stage);
        let mut open: Vec<i64> = seen.keys().copied().collect();
        let mut cases = vec![empty];
        self.case(number, stage, (empty, none), "all terms are zero", &is_done, missing);
        while let Some(apart) = open.pop() {
            let is = self.circuit.is(&difference, apart);
            let case = self.circuit.and(is, empty.not());
            let what = format!("the exponents are {apart} apart");
            let pool = seen.remove(&apart).unwrap_or_default();
            self.case(number, stage, (case, pool), &what, &is_done, missing);
            cases.push(case);
            if open.is_empty() {
                self.load(&cases);
                match self.prover.prove(&cases, EFFORT) {
                    Found::Lemma => break,
                    Found::Unknown => {
                        missing.push(format!("sum {number}: that there are no other cases"));
                        return;
                    }
                    Found::Refuted if cases.len() > MOST => {
                        missing.push(format!("sum {number}: more than {MOST} cases"));
                        return;
                    }
                    Found::Refuted => {
                        let bits = difference.iter().enumerate();
                        let found = bits.fold(0_i64, |found, (bit, &wire)| {
                            let is = match wire.as_constant() {
                                Some(value) => value,
                                None => self.prover.value(wire) == Some(true),
                            };
                            found | i64::from(is) << bit
                        });
                        let width = difference.len() as u32;
                        open.push(found << (64 - width) >> (64 - width));
                    }
                }
            }
        }
        if missing.is_empty() {
            let [left, right] = &stage.sides;
            for (left, right) in left.result.iter().zip(&right.result) {
                self.merge_for_good(*left, *right);
            }
        }
    }

    /// Samples on which all terms are zero, and the others by the difference that they show.
    fn differences(&self, stage: &Stage) -> (Vec<Sample>, BTreeMap<i64, Vec<Sample>>) {
        let mut none = Vec::new();
        let mut seen: BTreeMap<i64, Vec<Sample>> = BTreeMap::new();
        for chunk in self.pool().chunks(LANES) {
            let word = Word::of(&self.circuit, chunk);
            for (lane, sample) in chunk.iter().enumerate() {
                let shown = match word.wire(stage.empty) >> lane & 1 {
                    0 => seen.entry(word.number(&stage.difference, lane)).or_default(),
                    _ => &mut none,
                };
                shown.push(sample.clone());
            }
        }
        (none, seen)
    }

    /// Proves that the results of both sums are the same in a case.
    fn case(
        &mut self,
        number: usize,
        stage: &Stage,
        (case, pool): (Wire, Vec<Sample>),
        what: &str,
        is_done: &[bool],
        missing: &mut Vec<String>,
    ) {
        if case.as_constant() == Some(false) {
            return;
        }
        let Some(mut place) = self.place(case, pool) else {
            return;
        };
        let before = std::time::Instant::now();
        let is_left_out = |gate: usize| is_done.get(gate) == Some(&true);
        let terms = stage.sides.iter().flat_map(|side| side.aligned.iter().flatten());
        let terms = self.circuit.cone(terms.copied(), is_left_out);
        let results = stage.sides.iter().flat_map(|side| &side.result);
        let partial = stage.sides.iter().flat_map(|side| side.partial.iter().flatten());
        let whole = self.circuit.cone(results.chain(partial).copied(), is_left_out);
        let [left, right] = stage.sides.each_ref().map(|side| &side.largest);
        for (left, right) in left.iter().zip(right) {
            self.try_equal_on_samples(*left, *right, EFFORT, &mut place);
        }
        self.merge_by_operands(&whole, &mut place);
        let [left, right] = stage.sides.each_ref().map(|side| {
            side.result.iter().map(|wire| place.merged.of(*wire))
        });
        if left.zip(right).any(|(left, right)| left != right) {
            self.merge(&terms, &mut place);
            for side in &stage.sides {
                self.bound(side, &place);
            }
            self.merge(&whole, &mut place);
        }
        let aligned = before.elapsed();
        let [left, right] = &stage.sides;
        let mut open = 0;
        for (left, right) in left.result.iter().zip(&right.result) {
            let [left, right] = [left, right].map(|wire| place.merged.of(*wire));
            if left != right && !self.try_equal(left, right, EFFORT, &mut place) {
                open += 1;
            }
        }
        eprintln!("case {what}: pool {} aligned {:?} all {:?} open {open} asked {:?} {:?}", place.pool_len(), aligned, before.elapsed(), self.prover.asked, self.prover.spent);
        if open > 0 {
            missing.push(format!("sum {number}: {open} bits of the result where {what}"));
        }
        // What both results are in this case, of those that stand for them everywhere.
        for (left, right) in stage.sides[0].result.iter().zip(&stage.sides[1].result) {
            let [left, right] = [left, right].map(|wire| self.known.of(*wire));
            if left != right && place.merged.of(left) == place.merged.of(right) {
                self.equate(case, left, right, None);
            }
        }
    }
}
