//! Proof obligations: the facts that the solver proved on the way to an answer, each as formulas
//! that no inputs satisfy together. Another solver can prove them again.

use crate::solver::engine::SmtlibScript;
use mmasmt_numbers::bits::Input;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::bits::term::{Formula, NodeId};
use rustc_hash::FxHashMap;
use std::fmt;

/// A fact, given as formulas that no inputs satisfy together: its negation and its premises.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// The fact, in words.
    pub name: String,
    /// The premises that are earlier facts, each by its number among all facts, counted from 1.
    pub from: Vec<usize>,
    /// How many of the premises follow from other facts by rewriting.
    pub derived: usize,
    /// How many numbers the proof takes as arbitrary within their ranges.
    pub free: usize,
    /// The formulas, which were proved unsatisfiable together.
    pub script: SmtlibScript,
}

/// All proofs that an answer by facts rests on.
#[derive(Clone, Debug, Default)]
pub struct Obligations {
    /// The facts that the solver proved, each after its premises.
    pub facts: Vec<Obligation>,
    /// The last step, that no inputs are left once the facts are known; `None` if that step follows
    /// by rewriting.
    pub last: Option<Obligation>,
    /// How many facts follow from other facts by rewriting. There is no formula of such a fact that
    /// a solver could check.
    pub derived: usize,
}

impl Obligations {
    /// The obligations: the facts, and then the last step.
    pub fn each(&self) -> impl Iterator<Item = &Obligation> {
        self.facts.iter().chain(&self.last)
    }
}

/// A record of proofs, which keeps them only if they are wanted.
#[derive(Default)]
pub struct Ledger {
    /// The names of the inputs, by number; `None` if nothing is kept.
    names: Option<Vec<String>>,
    /// The subject of the next facts with a separator, which is put before the names of these
    /// facts.
    place: String,
    /// The number of each fact so far, by its formula; an assumption has `None` in place of a
    /// number.
    numbers: FxHashMap<Formula, Option<usize>>,
    pub kept: Obligations,
}

impl Ledger {
    /// A ledger that keeps the proofs about these inputs.
    pub fn keeping(inputs: Vec<Input>) -> Self {
        Ledger {
            names: Some(inputs.into_iter().map(|input| input.name).collect()),
            ..Ledger::default()
        }
    }

    /// Sets the subject of the facts that are recorded from now on.
    pub fn enter(&mut self, place: fmt::Arguments<'_>) {
        if self.names.is_some() {
            self.place = format!("{place}: ");
        }
    }

    /// Adds an assumption, which is no fact.
    pub fn assume(&mut self, formula: Formula) {
        self.numbers.insert(formula, None);
    }

    /// Records that `fact` was proved from `premises`, for any values of the nodes `free`.
    pub fn keep(
        &mut self,
        name: fmt::Arguments<'_>,
        free: &[NodeId],
        premises: &[Formula],
        fact: Formula,
    ) {
        let number = self.kept.facts.len() + 1;
        let name = format_args!("{}{name}", self.place);
        if let Some(obligation) = self.obligation(name, free, premises, fact.not()) {
            self.kept.facts.push(obligation);
            self.numbers.entry(fact).or_insert(Some(number));
        }
    }

    /// Records that `whole` was proved to hold for no inputs, from `premises`.
    pub fn keep_last(&mut self, free: &[NodeId], premises: &[Formula], whole: Formula) {
        if whole.as_constant() != Some(false) {
            self.kept.last = self.obligation(format_args!("the last step"), free, premises, whole);
        }
    }

    fn obligation(
        &self,
        name: fmt::Arguments<'_>,
        free: &[NodeId],
        premises: &[Formula],
        refuted: Formula,
    ) -> Option<Obligation> {
        let names = self.names.as_ref()?;
        let input = |index: u32| match names.get(index as usize) {
            Some(name) => name.clone(),
            // Inputs that stand for any term have numbers that are counted down from the greatest.
            None => format!("any{}", u32::MAX - index),
        };
        let is_open = |formula: &&Formula| formula.as_constant() != Some(true);
        let mut formulas: Vec<_> = premises.iter().filter(is_open).copied().collect();
        let origins = formulas.iter().map(|formula| self.numbers.get(formula));
        let derived = origins.clone().filter(Option::is_none).count();
        let mut from: Vec<usize> = origins.flatten().flatten().copied().collect();
        from.sort_unstable();
        from.dedup();
        formulas.push(refuted);
        let name = name.to_string();
        let about = format!(
            "mmasmt {}: unsatisfiable iff this holds: {name}\n\
             from facts {from:?} and {derived} formulas that follow from others by rewriting; \
             {} numbers may be any of their ranges",
            env!("CARGO_PKG_VERSION"),
            free.len(),
        );
        Some(Obligation {
            script: SmtlibScript::of_all(&formulas, free, input, &about),
            name,
            from,
            derived,
            free: free.len(),
        })
    }
}
