//! The sweep: gates in order, each merged with an earlier one that is proved to be the same.

use super::Certificate;
use super::question::Question;
use super::script::Script;
use super::simulate::{LANES, Simulation, value, values};
use super::stage::Stage;
use super::window::{Found, Known, compare};
use crate::bits::Prop;
use crate::bits::blast::{Gate, Wire};
use crate::engine::Limits;
use crate::proof::{Key, Reduced, equate, reduced};
use crate::property::input_numbers;
use crate::vectors::Inputs;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::io::{self, Write};

/// Samples that gates are compared on.
const SHOWN: usize = 1024;
/// Gates of the windows that are tried one after the other, and conflicts in each.
const WINDOWS: [(usize, u32); 3] = [(200, 300), (2000, 2000), (20_000, 5000)];
/// Gates that one is compared with, at most.
const CANDIDATES: usize = 2;

/// What stands for gates, for all operands or in a case.
#[derive(Clone, Default)]
struct Merged {
    same: Vec<Wire>,
    known: FxHashMap<Key, Wire>,
}

/// A proof that is being made.
pub(super) struct Sweep<'x> {
    question: &'x Question,
    limits: Limits,
    script: Script<'x>,
    merged: Merged,
    is_done: Vec<bool>,
    assumed: Vec<Known>,
    facts: Vec<Known>,
    /// Clauses for good.
    kept: Vec<Vec<i32>>,
    missing: Vec<String>,
    stats: [usize; 6],
}

/// Where gates are merged.
struct Case<'x> {
    /// It holds; none for all operands.
    wire: Option<Wire>,
    known: Vec<Known>,
    simulation: &'x Simulation,
}

impl<'x> Sweep<'x> {
    pub fn new(question: &'x Question, limits: &Limits, out: &'x mut dyn Write) -> Self {
        let count = question.netlist.gates().len();
        let mut sweep = Sweep {
            question,
            limits: limits.clone(),
            script: Script::new(out),
            merged: Merged {
                same: (0..count).map(Wire::of_gate).collect(),
                known: FxHashMap::default(),
            },
            is_done: vec![false; count],
            assumed: Vec::new(),
            facts: Vec::new(),
            kept: Vec::new(),
            missing: Vec::new(),
            stats: [0; 6],
        };
        sweep.assumed = question
            .assumed
            .iter()
            .map(|wire| sweep.meaning(*wire, &[]))
            .collect();
        sweep
    }

    /// A wire that is known to hold, with its meaning in terms of `leaves` or else of inputs.
    fn meaning(&self, wire: Wire, leaves: &[Wire]) -> Known {
        let gates = self.question.netlist.gates();
        let is_leaf = |gate: usize| {
            matches!(gates[gate], Gate::Input { .. } | Gate::False)
                || leaves.iter().any(|leaf| leaf.gate() == gate)
        };
        let mut meaning = Known {
            wire,
            gates: Vec::new(),
            leaves: Vec::new(),
        };
        let mut open = vec![wire.gate()];
        let mut seen = FxHashMap::default();
        while let Some(gate) = open.pop() {
            if seen.insert(gate, ()).is_some() {
                continue;
            }
            if is_leaf(gate) {
                meaning.leaves.push(gate);
                continue;
            }
            meaning.gates.push(gate);
            open.extend(gates[gate].operands().map(Wire::gate));
        }
        meaning
    }

    /// The gates that these depend on, and that were not looked at, in order.
    fn before(&self, wires: impl IntoIterator<Item = Wire>) -> Vec<usize> {
        let gates = self.question.netlist.gates();
        let mut seen = vec![false; gates.len()];
        let mut open: Vec<usize> = wires.into_iter().map(Wire::gate).collect();
        while let Some(gate) = open.pop() {
            if seen[gate] || self.is_done[gate] {
                continue;
            }
            seen[gate] = true;
            open.extend(gates[gate].operands().map(Wire::gate));
        }
        (0..gates.len()).filter(|gate| seen[*gate]).collect()
    }

    /// Samples for which a wire holds, and their values.
    fn samples(&self, case: Option<Wire>) -> Option<Simulation> {
        let Question {
            netlist,
            signature,
            samples,
            ..
        } = self.question;
        let mut chosen: Vec<Inputs> = Vec::new();
        for block in samples.chunks(LANES) {
            let holds = match case {
                None => u64::MAX,
                Some(case) => value(&values(netlist, signature, block), case),
            };
            let lanes = block.iter().enumerate();
            chosen.extend(
                lanes
                    .filter(|(lane, _)| holds >> lane & 1 == 1)
                    .map(|(_, inputs)| inputs.clone()),
            );
            if chosen.len() >= SHOWN {
                break;
            }
        }
        (!chosen.is_empty()).then(|| Simulation::of(netlist, signature, &chosen))
    }

    /// Proves that the results of a stage are the same, case by case.
    pub fn stage(&mut self, stage: &'x Stage) {
        let Some(simulation) = self.samples(None) else {
            return;
        };
        let largest = stage.largest.iter().flatten().copied();
        let first = self.before(largest.chain(stage.beside()));
        let all = Case {
            wire: None,
            known: Vec::new(),
            simulation: &simulation,
        };
        let mut merged = std::mem::take(&mut self.merged);
        self.process(&first, &all, &mut merged, &mut Vec::new());
        self.merged = merged;
        for &gate in &first {
            self.is_done[gate] = true;
        }
        for &fact in &stage.within {
            if self.same(fact).as_constant() != Some(true) {
                self.missing.push("a maximum that is not below".into());
                continue;
            }
        }
        if stage.cases.is_empty() {
            return;
        }
        let list = self.before(stage.results.iter().flatten().copied());
        let mut list = list;
        list.extend(stage.largest.iter().flatten().map(|wire| wire.gate()));
        list.sort_unstable();
        list.dedup();
        let mut proved = true;
        for (case, what) in &stage.cases {
            let is_proved = self.case(stage, *case, &list);
            if !is_proved {
                self.missing.push(what.clone());
                proved = false;
            }
        }
        if proved {
            for index in 0..stage.results[0].len() {
                let [left, right] = [0, 1].map(|side| stage.results[side][index]);
                let [left, right] = [self.same(left), self.same(right)];
                self.merge_for_good(left, right);
            }
        }
    }

    fn same(&self, wire: Wire) -> Wire {
        self.merged.same[wire.gate()].negated_if(wire.is_negated())
    }

    fn literal(&self, wire: Wire) -> i32 {
        self.question.variables.literal(wire)
    }

    /// Makes two wires one, which follows from what was added before.
    fn merge_for_good(&mut self, left: Wire, right: Wire) {
        if left == right {
            return;
        }
        let [first, last] = match left.gate() < right.gate() {
            true => [left, right],
            false => [right, left],
        };
        for [own, other] in [[last, first], [last.not(), first.not()]] {
            let mut clause = vec![self.literal(own.not())];
            match other.as_constant() {
                Some(true) => continue,
                Some(false) => {}
                None => clause.push(self.literal(other)),
            }
            self.script.add(&clause);
            self.kept.push(clause);
        }
        self.merged.same[last.gate()] = first.negated_if(last.is_negated());
    }

    /// Proves that the results are the same in a case, which follows then by unit propagation.
    fn case(&mut self, stage: &Stage, case: Wire, list: &[usize]) -> bool {
        let case = self.same(case);
        if case.as_constant() == Some(false) {
            return true;
        }
        let mut own = vec![self.meaning(case, &stage.largest.concat())];
        own[0].leaves.clear();
        let Some(simulation) = self.samples(Some(case)) else {
            return self.is_never(case, own);
        };
        let in_case = Case {
            wire: Some(case),
            known: own,
            simulation: &simulation,
        };
        let mut merged = self.merged.clone();
        let mut alive = Vec::new();
        self.process(list, &in_case, &mut merged, &mut alive);
        let same = |wire: Wire| merged.same[wire.gate()].negated_if(wire.is_negated());
        let mut proved = true;
        for index in 0..stage.results[0].len() {
            let [left, right] = [0, 1].map(|side| stage.results[side][index]);
            proved &= same(left) == same(right);
            let [left, right] = [self.same(left), self.same(right)];
            if left == right || same(left) != same(right) {
                continue;
            }
            for [own, other] in [[left, right], [right, left]] {
                let wires = [case.not(), own.not(), other];
                if wires.iter().any(|wire| wire.as_constant() == Some(true)) {
                    continue;
                }
                let free = wires.iter().filter(|wire| wire.as_constant().is_none());
                let clause: Vec<i32> = free.map(|wire| self.literal(*wire)).collect();
                self.script.add(&clause);
            }
        }
        for clause in alive {
            self.script.delete(&clause);
        }
        proved
    }

    /// Proves that a case does not occur.
    fn is_never(&mut self, case: Wire, known: Vec<Known>) -> bool {
        let nothing = Simulation::of(&self.question.netlist, &self.question.signature, &[]);
        let of = Case {
            wire: None,
            known: Vec::new(),
            simulation: &nothing,
        };
        let _ = known;
        let mut merged = std::mem::take(&mut self.merged);
        let no = Wire::constant(false);
        let is_never = self.try_equal(case, no, &of, &mut merged, &mut None, &mut Vec::new());
        self.merged = merged;
        is_never
    }

    /// Looks at gates in order, and merges each with an earlier one.
    fn process(
        &mut self,
        list: &[usize],
        case: &Case<'_>,
        merged: &mut Merged,
        alive: &mut Vec<Vec<i32>>,
    ) {
        let mut alive = case.wire.map(|_| alive);
        let mut classes: FxHashMap<u64, Vec<Wire>> = FxHashMap::default();
        let mut lemmas = Vec::new();
        // Values of all gates for operands that a solver found, and which of them are as assumed.
        let mut shown_apart: Vec<(Vec<u64>, u64)> = Vec::new();
        for &gate in list {
            if self.question.variables.variable(gate) == 0 || self.limits.stopped().is_some() {
                continue;
            }
            let own = Wire::of_gate(gate);
            let kind = self.question.netlist.gates()[gate];
            let is_first = case.wire.is_none() || !self.is_done[gate];
            let canonical = |wire: Wire| merged.same[wire.gate()].negated_if(wire.is_negated());
            let found = match reduced(kind, canonical) {
                Reduced::None => own,
                Reduced::To(wire) => wire,
                Reduced::Key(key, negated) => {
                    let first = self.merged.known.get(&key).copied();
                    let first = first.filter(|_| case.wire.is_some());
                    let first = first.unwrap_or_else(|| {
                        *merged.known.entry(key).or_insert(own.negated_if(negated))
                    });
                    canonical(first).negated_if(negated)
                }
            };
            let found = if is_first { found } else { merged.same[gate] };
            if found != own && is_first {
                merged.same[gate] = found;
                self.stats[0] += 1;
                lemmas.clear();
                let split = kind.operands().next();
                equate(&self.question.variables, own, found, split, &mut lemmas);
                self.write(&lemmas, case, &mut alive);
                continue;
            }
            if found != own {
                continue;
            }
            let words = case.simulation.gate(gate);
            let Some(&word) = words.first() else {
                continue;
            };
            let flip = if word & 1 == 1 { u64::MAX } else { 0 };
            let negate = flip != 0;
            let candidates = if words.iter().all(|word| word ^ flip == 0) {
                vec![Wire::constant(negate)]
            } else {
                let mut hasher = FxHasher::default();
                words
                    .iter()
                    .for_each(|word| (word ^ flip).hash(&mut hasher));
                let class = classes.entry(hasher.finish()).or_default();
                let all = class.iter().map(|wire| wire.negated_if(negate));
                let all: Vec<Wire> = all.collect();
                if class.len() < CANDIDATES {
                    class.push(own.negated_if(negate));
                }
                all
            };
            for candidate in candidates {
                let differ = |(values, lanes): &(Vec<u64>, u64)| {
                    (value(values, own) ^ value(values, candidate)) & lanes != 0
                };
                if shown_apart.iter().any(differ) {
                    continue;
                }
                if self.try_equal(own, candidate, case, merged, &mut alive, &mut shown_apart) {
                    break;
                }
            }
        }
    }

    /// Values of all gates for operands with these bits, those of some sample for the others, and of
    /// some near them; and the lanes in which all is as assumed.
    fn around(&self, bits: &[Wire], case: &Case<'_>) -> (Vec<u64>, u64) {
        let Question {
            netlist,
            signature,
            samples,
            assumed,
            ..
        } = self.question;
        let numbers = input_numbers(signature);
        let near = samples
            .iter()
            .take(LANES)
            .enumerate()
            .map(|(lane, sample)| {
                let mut index = 0;
                let registers = numbers.each(signature).zip(sample.each(signature));
                let registers: Vec<(u32, u64)> =
                    registers.map(|((_, n), (_, r))| (*n, *r)).collect();
                numbers.map(signature, |_, number| {
                    let (_, mut register) = registers[index];
                    index += 1;
                    for wire in bits {
                        if let Gate::Input { input, bit } = netlist.gates()[wire.gate()]
                            && input == *number
                        {
                            // A lane differs from the first one in a few bits.
                            let flip = lane > 0 && (wire.gate() * 31 + lane * 17) % 41 == 0;
                            let set = wire.is_negated() == flip;
                            register = register & !(1 << bit) | u64::from(set) << bit;
                        }
                    }
                    register
                })
            });
        let near: Vec<Inputs> = near.collect();
        let values = values(netlist, signature, &near);
        let demanded = assumed.iter().copied().chain(case.wire);
        let lanes = demanded.fold(u64::MAX, |lanes, wire| lanes & value(&values, wire));
        (values, lanes)
    }

    /// Writes lemmas that hold in a case.
    fn write(
        &mut self,
        lemmas: &[crate::proof::Lemma],
        case: &Case<'_>,
        alive: &mut Option<&mut Vec<Vec<i32>>>,
    ) {
        let not_case = case.wire.map(|wire| self.literal(wire.not()));
        let mut passing = Vec::new();
        for lemma in lemmas {
            let mut clause = lemma.clause.clone();
            clause.extend(not_case);
            self.script.add(&clause);
            match (lemma.is_kept, alive.as_mut()) {
                (true, Some(alive)) => alive.push(clause),
                (true, None) => self.kept.push(clause),
                (false, _) => passing.push(clause),
            }
        }
        for clause in passing {
            self.script.delete(&clause);
        }
    }

    /// Proves that two wires are the same in a case, and makes them one.
    fn try_equal(
        &mut self,
        own: Wire,
        other: Wire,
        case: &Case<'_>,
        merged: &mut Merged,
        alive: &mut Option<&mut Vec<Vec<i32>>>,
        shown_apart: &mut Vec<(Vec<u64>, u64)>,
    ) -> bool {
        let not_case = case.wire.map(|wire| self.literal(wire.not()));
        for (most, conflicts) in WINDOWS {
            self.stats[1] += 1;
            let limits = self.limits.with_conflicts(conflicts);
            let same = |wire: Wire| merged.same[wire.gate()].negated_if(wire.is_negated());
            let known: Vec<&Known> = self
                .assumed
                .iter()
                .chain(&self.facts)
                .chain(&case.known)
                .collect();
            let (found, learned) = compare(
                &self.question.netlist,
                [own, other],
                same,
                &known,
                most,
                &limits,
            );
            match found {
                Found::Equal => {
                    let mut passing: Vec<Vec<i32>> = Vec::new();
                    for clause in learned {
                        let constant = |wire: &Wire| wire.as_constant();
                        if clause.iter().any(|wire| constant(wire) == Some(true)) {
                            continue;
                        }
                        let free = clause.iter().filter(|wire| constant(wire).is_none());
                        let mut clause: Vec<i32> = free.map(|wire| self.literal(*wire)).collect();
                        clause.extend(not_case);
                        self.script.add(&clause);
                        passing.push(clause);
                    }
                    let mut lemmas = Vec::new();
                    equate(&self.question.variables, own, other, None, &mut lemmas);
                    self.write(&lemmas, case, alive);
                    for clause in passing {
                        self.script.delete(&clause);
                    }
                    merged.same[own.gate()] = other.negated_if(own.is_negated());
                    self.stats[2] += 1;
                    return true;
                }
                Found::Apart => {
                    self.stats[3] += 1;
                    let shown = learned.concat();
                    shown_apart.push(self.around(&shown, case));
                    return false;
                }
                Found::Unknown => self.stats[4] += 1,
                Found::Different => self.stats[5] += 1,
            }
        }
        false
    }

    /// Looks at what is left of the question.
    pub fn finish(mut self) -> io::Result<Certificate> {
        let root = self.question.root;
        if let Some(simulation) = self.samples(None) {
            let rest = self.before([root]);
            let all = Case {
                wire: None,
                known: Vec::new(),
                simulation: &simulation,
            };
            let mut merged = std::mem::take(&mut self.merged);
            self.process(&rest, &all, &mut merged, &mut Vec::new());
            self.merged = merged;
        }
        let is_refuted = self.same(root).as_constant() == Some(false);
        if is_refuted {
            self.script.add(&[]);
        }
        let lemmas = self.script.lemmas;
        self.script.end()?;
        Ok(Certificate {
            cnf: self.question.cnf.clone(),
            lemmas,
            open: (!is_refuted).then_some(self.kept),
            missing: self.missing,
        })
    }
}
