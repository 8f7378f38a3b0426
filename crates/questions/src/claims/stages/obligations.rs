//! What the solver proved on the way to an answer, kept for whoever proves it again: formulas that
//! hold for no inputs together.

use crate::solver::engine::Script;
use mmasmt_core::numbers::bits::Input;
use mmasmt_core::numbers::bits::Prop;
use mmasmt_core::numbers::bits::term::{Formula, NodeId};
use rustc_hash::FxHashMap;
use std::fmt;

/// A fact as its negation and what it was proved from: for no inputs do all of these formulas hold.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What was proved, in words.
    pub name: String,
    /// The facts that it was proved from, each by its place among those before it, from 1.
    pub from: Vec<usize>,
    /// How many of the formulas that it was proved from follow from others by rewriting.
    pub derived: usize,
    /// How many numbers were taken for any of their ranges, whatever they are made of.
    pub free: usize,
    /// The formulas, unsatisfiable as was proved.
    pub script: Script,
}

/// What an answer by facts rests on.
#[derive(Clone, Debug, Default)]
pub struct Obligations {
    /// The facts that the solver proved, each after those that it was proved from.
    pub facts: Vec<Obligation>,
    /// That no inputs are left once these are known; none if that follows by rewriting.
    pub last: Option<Obligation>,
    /// How many facts follow from others by rewriting: they are no formulas that a solver could
    /// judge.
    pub derived: usize,
}

impl Obligations {
    /// Facts, and the last step.
    pub fn each(&self) -> impl Iterator<Item = &Obligation> {
        self.facts.iter().chain(&self.last)
    }
}

/// Where proofs are written down, if they are to be kept.
#[derive(Default)]
pub struct Ledger {
    /// The names of the inputs, by number; none if nothing is kept.
    names: Option<Vec<String>>,
    /// What the next facts are about, with what goes between that and their names.
    place: String,
    /// The facts so far by their formulas; the assumptions have none.
    numbers: FxHashMap<Formula, Option<usize>>,
    pub kept: Obligations,
}

impl Ledger {
    /// One that keeps what is proved of these inputs.
    pub fn keeping(inputs: Vec<Input>) -> Self {
        Ledger {
            names: Some(inputs.into_iter().map(|input| input.name).collect()),
            ..Ledger::default()
        }
    }

    /// What the facts from now on are about.
    pub fn enter(&mut self, place: fmt::Arguments<'_>) {
        if self.names.is_some() {
            self.place = format!("{place}: ");
        }
    }

    /// Takes an assumption, which is no fact.
    pub fn assume(&mut self, formula: Formula) {
        self.numbers.insert(formula, None);
    }

    /// Writes down that `fact` was proved from `premises`, whatever the numbers `free` are.
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

    /// Writes down that `whole` holds for no inputs, as was proved from `premises`.
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
            // Numbers that stand for any term are counted from the end.
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
            script: Script::of_all(&formulas, free, input, &about),
            name,
            from,
            derived,
            free: free.len(),
        })
    }
}
