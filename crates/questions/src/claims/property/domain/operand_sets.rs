//! The sets of registers of all operands. Operands of which the same is assumed share one.

use super::code_set::CodeSet;
use super::equalities::Equalities;
use super::predicate::Predicate;
use crate::inputs::OperandRange;
use mmasmt_numbers::float::Format;
use std::collections::HashMap;
use std::sync::OnceLock;

/// For each operand, in the order of [`Registers::each`], the set of its registers.
///
/// [`Registers::each`]: mmasmt_core::machines::algorithms::Registers::each
#[derive(Clone, Debug)]
pub(super) struct OperandSets {
    of_operand: Vec<usize>,
    sets: Vec<CodeSet>,
    /// For each set, its finite numbers, once they were asked for.
    ranges: Vec<OnceLock<OperandRange>>,
}

impl OperandSets {
    /// All registers of these formats.
    pub fn all(formats: &[Format]) -> OperandSets {
        OperandSets::of(formats.iter().map(CodeSet::all))
    }

    fn of(each: impl IntoIterator<Item = CodeSet>) -> OperandSets {
        let (mut numbers, mut sets) = (HashMap::new(), Vec::new());
        let number = |set: CodeSet| {
            *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() - 1
            })
        };
        let of_operand = each.into_iter().map(number).collect();
        OperandSets {
            of_operand,
            ranges: vec![OnceLock::new(); sets.len()],
            sets,
        }
    }

    /// The set of an operand.
    pub fn get(&self, operand: usize) -> &CodeSet {
        &self.sets[self.of_operand[operand]]
    }

    /// The finite numbers of an operand.
    pub fn range(&self, operand: usize) -> &OperandRange {
        let set = self.of_operand[operand];
        self.ranges[set].get_or_init(|| self.sets[set].range())
    }

    /// All sets, each once.
    pub fn each(&self) -> &[CodeSet] {
        &self.sets
    }

    /// The sets of all operands.
    pub fn operands(&self) -> impl Iterator<Item = &CodeSet> {
        self.of_operand.iter().map(|set| &self.sets[*set])
    }

    /// Keeps what satisfies the predicate that is assumed of an operand, if one is.
    pub fn keep<'p>(&mut self, assumed: impl Fn(usize) -> Option<&'p Predicate>) {
        // Operands of one set of which the same is assumed stay together.
        let mut kept: Vec<(usize, &Predicate, usize)> = Vec::new();
        for operand in 0..self.of_operand.len() {
            let Some(predicate) = assumed(operand) else {
                continue;
            };
            let set = self.of_operand[operand];
            let same = |(from, with, _): &&(usize, &Predicate, usize)| {
                *from == set && **with == *predicate
            };
            let to = match kept.iter().rev().find(same) {
                Some((.., to)) => *to,
                None => {
                    let mut fewer = self.sets[set].clone();
                    fewer.keep(predicate);
                    self.sets.push(fewer);
                    self.ranges.push(OnceLock::new());
                    kept.push((set, predicate, self.sets.len() - 1));
                    self.sets.len() - 1
                }
            };
            self.of_operand[operand] = to;
        }
        *self = OperandSets::of(self.operands().cloned().collect::<Vec<_>>());
    }

    /// Keeps of each operand what all operands that equal it admit.
    pub fn spread(&mut self, equalities: &Equalities) {
        if equalities.is_empty() {
            return;
        }
        let mut sets: Vec<CodeSet> = self.operands().cloned().collect();
        let sign = |set: &CodeSet, negated: bool| match negated {
            true => set.negated(),
            false => set.clone(),
        };
        for operand in 0..sets.len() {
            if let Some(equal) = equalities.source(operand) {
                let own = sign(&sets[operand], equal.negated);
                sets[equal.first].keep_common(&own);
            }
        }
        for operand in 0..sets.len() {
            if let Some(equal) = equalities.source(operand) {
                sets[operand] = sign(&sets[equal.first], equal.negated);
            }
        }
        *self = OperandSets::of(sets);
    }
}

/// What was asked for does not count.
impl PartialEq for OperandSets {
    fn eq(&self, other: &OperandSets) -> bool {
        self.of_operand == other.of_operand && self.sets == other.sets
    }
}

impl Eq for OperandSets {}
