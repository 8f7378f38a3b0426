//! Proofs for two sums that are aligned to different exponents: one case for each difference of the
//! exponents.

use super::simulate::{LANES, SampleWord, SimulatedSample};
use super::stage::CertificateStage;
use super::sweep::{ClauseVerdict, ProofSweep};
use mmasmt_numbers::bits::blast::Wire;
use std::collections::BTreeMap;

/// The most cases that are tried, except for the cases that the drawn samples show.
const MOST: usize = 64;
/// The most conflicts of a proof in a case, and of the proof that there are no other cases.
const EFFORT: u32 = 200_000;

impl ProofSweep {
    /// Proves that the results of the two sums are the same, and merges them. Adds to `missing`
    /// each step that it cannot prove.
    pub(super) fn stage(
        &mut self,
        number: usize,
        stage: &CertificateStage,
        missing: &mut Vec<String>,
    ) {
        let sides = stage.sides.iter();
        let before = sides.flat_map(|side| {
            let numbers = side
                .maxima
                .iter()
                .chain(&side.exponents)
                .chain([&side.largest]);
            numbers.flatten()
        });
        let before = before.chain(&stage.difference).chain([&stage.empty]);
        let before = self.circuit.cone(before.copied());
        let results = stage.sides.iter().flat_map(|side| &side.result).copied();
        let results = self.circuit.cone(results);
        let largest = stage.sides.each_ref().map(|side| &side.largest);
        let is_level = self.everywhere(|sweep, place| {
            sweep.merge_by_operands(&before, place);
            for (left, right) in largest[0].iter().zip(largest[1]) {
                sweep.try_equal_on_samples(*left, *right, EFFORT, place);
            }
            sweep.merge_by_operands(&before, place);
            let mut bits = stage
                .difference
                .iter()
                .map(|wire| place.merged.of(*wire).as_constant());
            let is_level = bits.all(|bit| bit == Some(false));
            if is_level {
                sweep.merge_by_operands(&results, place);
                // Bits of the results that still differ, if there are any, depend on codes of NaNs
                // that never occur.
                let [left, right] = stage.sides.each_ref().map(|side| &side.result);
                for (left, right) in left.iter().zip(right) {
                    sweep.try_equal_on_samples(*left, *right, EFFORT, place);
                }
            }
            is_level
        });
        if is_level {
            return;
        }
        let mut is_before = vec![false; self.circuit.gates().len()];
        before.iter().for_each(|&gate| is_before[gate] = true);
        let missing_before = missing.len();
        let empty = self.known.of(stage.empty);
        let (none, mut seen) = self.differences(stage);
        let mut cases = vec![empty];
        self.case(
            number,
            stage,
            &is_before,
            (empty, none),
            "all terms are zero",
            missing,
        );
        loop {
            let Some((apart, pool)) = seen.pop_first() else {
                match self.another(stage, &cases) {
                    Ok(None) => break,
                    Ok(Some(_)) if cases.len() > MOST => {
                        missing.push(format!("sum {number}: more than {MOST} cases"));
                        return;
                    }
                    Ok(Some((apart, sample))) => {
                        seen.insert(apart, vec![sample]);
                        continue;
                    }
                    Err(()) => {
                        missing.push(format!("sum {number}: that there are no other cases"));
                        return;
                    }
                }
            };
            let is = self.circuit.is(&stage.difference, apart);
            let case = self.circuit.and(is, empty.not());
            let what = format!("the exponents are {apart} apart");
            self.case(number, stage, &is_before, (case, pool), &what, missing);
            cases.push(case);
        }
        if missing.len() == missing_before {
            let [left, right] = &stage.sides;
            for (left, right) in left.result.iter().zip(&right.result) {
                let [left, right] = [left, right].map(|wire| self.known.of(*wire));
                if left != right {
                    self.equate(Wire::constant(true), left, right, None);
                    self.known.unite(left, right);
                }
            }
        }
    }

    /// A difference of the exponents that is in none of these cases, with inputs that show it.
    /// `None` if it is proved that there are no other cases; an error if neither is found.
    fn another(
        &mut self,
        stage: &CertificateStage,
        cases: &[Wire],
    ) -> Result<Option<(i64, SimulatedSample)>, ()> {
        self.everywhere(
            |sweep, place| match sweep.prove_clause(cases, EFFORT, place) {
                ClauseVerdict::Lemma => Ok(None),
                ClauseVerdict::Unknown => Err(()),
                ClauseVerdict::Refuted => {
                    let (word, samples) = place.shown.as_ref().ok_or(())?;
                    let none = cases
                        .iter()
                        .fold(word.lanes, |lanes, case| lanes & !word.wire(*case));
                    let lane = (0..LANES).find(|lane| none >> lane & 1 == 1).ok_or(())?;
                    Ok(Some((
                        word.number(&stage.difference, lane),
                        samples[lane].clone(),
                    )))
                }
            },
        )
    }

    /// The samples on which all terms are zero, and the other samples by their difference of the
    /// exponents.
    fn differences(
        &self,
        stage: &CertificateStage,
    ) -> (Vec<SimulatedSample>, BTreeMap<i64, Vec<SimulatedSample>>) {
        let mut none = Vec::new();
        let mut seen: BTreeMap<i64, Vec<SimulatedSample>> = BTreeMap::new();
        for chunk in self.pool.chunks(LANES) {
            let word = SampleWord::of(&self.circuit, chunk);
            for (lane, sample) in chunk.iter().enumerate() {
                let shown = match word.wire(stage.empty) >> lane & 1 {
                    0 => seen
                        .entry(word.number(&stage.difference, lane))
                        .or_default(),
                    _ => &mut none,
                };
                shown.push(sample.clone());
            }
        }
        (none, seen)
    }

    /// Proves that the results of the two sums are the same in a case.
    fn case(
        &mut self,
        number: usize,
        stage: &CertificateStage,
        is_before: &[bool],
        (case, pool): (Wire, Vec<SimulatedSample>),
        what: &str,
        missing: &mut Vec<String>,
    ) {
        if self.known.of(case).as_constant() == Some(false) {
            return;
        }
        let Some(mut place) = self.place(case, pool) else {
            return;
        };
        let terms = stage
            .sides
            .iter()
            .flat_map(|side| side.aligned.iter().flatten());
        let terms = self.circuit.cone(terms.copied());
        let results = stage.sides.iter().flat_map(|side| &side.result);
        let partial = stage
            .sides
            .iter()
            .flat_map(|side| side.partial.iter().flatten());
        let whole = self.circuit.cone(results.chain(partial).copied());
        let [left, right] = stage.sides.each_ref().map(|side| &side.largest);
        for (left, right) in left.iter().zip(right) {
            self.try_equal_on_samples(*left, *right, EFFORT, &mut place);
        }
        self.merge_by_operands(&whole, &mut place);
        let [left, right] = stage.sides.each_ref().map(|side| &side.result);
        let same =
            |(left, right): (&Wire, &Wire)| place.merged.of(*left) == place.merged.of(*right);
        let all_same = left.iter().zip(right).all(same);
        if !all_same {
            self.merge(&terms, is_before, &mut place);
            for side in &stage.sides {
                self.bound(side, &mut place);
            }
            self.merge(&whole, is_before, &mut place);
        }
        let mut open = 0;
        for (left, right) in left.iter().zip(right) {
            if !self.try_equal(*left, *right, EFFORT, &mut place) {
                open += 1;
            }
        }
        if open > 0 {
            missing.push(format!(
                "sum {number}: {open} bits of the result where {what}"
            ));
        }
        // Each bit of a result has a representative for all inputs. Equate the representatives of
        // the two results in this case.
        for (left, right) in left.iter().zip(right) {
            let [left, right] = [left, right].map(|wire| self.known.of(*wire));
            if left != right && place.merged.of(left) == place.merged.of(right) {
                self.equate(case, left, right, None);
            }
        }
    }
}
