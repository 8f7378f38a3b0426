//! Inputs of a case: samples on which the case holds, inputs that a search finds, and inputs that
//! refute a clause.

use super::place::Premise;
use super::search::GateSearch;
use super::simulate::{LANES, SampleWord, SimulatedSample};
use super::sweep::{ClauseVerdict, ProofSweep};
use crate::solver::engine::CadicalVerdict;
use mmasmt_numbers::bits::blast::{Gate, Wire};
use rand::RngExt;
use rustc_hash::FxHashSet;

/// The most samples that are used to tell gates apart before any search.
const SAMPLES: usize = 1024;
/// How many searches look for inputs of a case that has few samples.
const LOOKED_FOR: usize = 24;
/// The most conflicts of one search for inputs of a case.
const EFFORT: u32 = 100_000;

impl ProofSweep {
    pub(super) fn values(&self, samples: &[SimulatedSample]) -> Vec<SampleWord> {
        let shown = &samples[..samples.len().min(SAMPLES)];
        let words = shown.chunks(LANES);
        words
            .map(|chunk| SampleWord::of(&self.circuit, chunk))
            .collect()
    }

    /// The premise for a case, which holds on all samples of `pool`; `None` if the case never
    /// holds.
    pub(super) fn place(&mut self, case: Wire, pool: Vec<SimulatedSample>) -> Option<Premise> {
        let mut place = Premise {
            case,
            merged: self.known.clone(),
            words: Vec::new(),
            pool,
            shortened: FxHashSet::default(),
            shown: None,
        };
        if place.pool.len() < SAMPLES / 2 && !self.look_for(&mut place) {
            return None;
        }
        place.words = self.values(&place.pool);
        Some(place)
    }

    /// Looks for inputs on which a case holds; `false` if the case never holds.
    fn look_for(&mut self, place: &mut Premise) -> bool {
        let never = [place.case.not()];
        let mut everywhere = Premise {
            case: Wire::constant(true),
            merged: self.known.clone(),
            words: Vec::new(),
            pool: Vec::new(),
            shortened: FxHashSet::default(),
            shown: None,
        };
        if place.pool.is_empty()
            && self.prove_clause(&never, EFFORT, &mut everywhere) == ClauseVerdict::Lemma
        {
            return false;
        }
        let mut search = GateSearch::new(&self.limits, false, |_| {});
        self.window(&never, usize::MAX, &mut everywhere, &mut search);
        for _ in 0..LOOKED_FOR {
            for gate in 0..self.circuit.gates().len() {
                if matches!(self.circuit.gates()[gate], Gate::Input { .. }) {
                    search.prefer(Wire::of_gate(gate).negated_if(self.rng.random()));
                }
            }
            let never = never.map(|wire| self.known.of(wire));
            if search.refute(&never, Some(EFFORT)) != CadicalVerdict::Sat {
                break;
            }
            if let Some((word, samples)) = self.found(&mut search, place) {
                let lanes = samples.into_iter().enumerate();
                let held = lanes.filter(|(lane, _)| word.lanes >> lane & 1 == 1);
                place.pool.extend(held.map(|(_, sample)| sample));
            }
        }
        true
    }

    /// Makes samples of the inputs that `search` found and that refute a clause.
    pub(super) fn show(&mut self, search: &mut GateSearch, place: &mut Premise) {
        place.words.extend(place.shown.take().map(|(word, _)| word));
        place.shown = self.found(search, place);
    }

    /// Samples near the inputs that `search` found, some of which meet the case; `None` if none
    /// does.
    fn found(
        &mut self,
        search: &mut GateSearch,
        place: &Premise,
    ) -> Option<(SampleWord, Vec<SimulatedSample>)> {
        let gates = self.circuit.gates().iter().enumerate();
        let known: Vec<(u32, u32, bool)> = gates
            .filter_map(|(gate, kind)| match kind {
                Gate::Input { input, bit } => Some((*input, *bit, search.value(gate)?)),
                _ => None,
            })
            .collect();
        let near = if place.pool.is_empty() {
            &self.pool
        } else {
            &place.pool
        };
        let count = known
            .iter()
            .map(|(input, ..)| *input as usize + 1)
            .max()
            .unwrap_or(0);
        let samples: Vec<SimulatedSample> = (0..LANES)
            .map(|lane| {
                let mut sample = match near.len() {
                    0 => Vec::new(),
                    length => near[self.rng.random_range(0..length)].clone(),
                };
                sample.resize(sample.len().max(count), 0);
                for &(input, bit, value) in &known {
                    // In the first 16 lanes, the inputs are as the search found them.
                    let flip = lane >= 16 && self.rng.random_range(0..32) == 0;
                    let register = &mut sample[input as usize];
                    *register = *register & !(1 << bit) | u64::from(value != flip) << bit;
                }
                sample
            })
            .collect();
        let mut word = SampleWord::of(&self.circuit, &samples);
        let demanded = self.assumed.iter().chain([&place.case]);
        word.lanes = demanded.fold(word.lanes, |lanes, wire| lanes & word.wire(*wire));
        (word.lanes != 0).then_some((word, samples))
    }
}
