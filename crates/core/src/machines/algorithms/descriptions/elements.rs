//! Elements: terms of sums that are made of one or two registers alone. On machine words an element is
//! made in one go, and elements that are made alike are made in one loop.

use super::number::ExactNumber;
use super::program::{Action, Extent, Program, Slot, TermStep, ValueKind};
use crate::machines::algorithms::Operand;
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::Format;

/// The place of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// An operand.
    Operand(Operand, usize),
    /// The value of an earlier step.
    Value(Slot),
}

/// A change of a number, without the slots.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    action: Action,
    from: Extent,
    to: Extent,
}

/// A number that is made of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ElementFactor {
    pub register: Format,
    term: TermStep,
    own: Extent,
    then: Vec<Change>,
    pub to: Extent,
}

/// How an element is made: a number, or a product of two, and how it is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SumElement {
    pub left: ElementFactor,
    pub right: Option<(ElementFactor, Extent)>,
    then: Vec<Change>,
}

impl Change {
    #[inline(always)]
    fn applied<B: Bv>(&self, number: ExactNumber<B>) -> ExactNumber<B> {
        let Change { action, from, to } = self;
        match action {
            Action::Term(term) => number.compared(term, from, to),
            Action::Part { low, bits, by, .. } => number.part(*low, *bits, *by, to.width),
            Action::Normalise(_) => number.normalised(from, to),
            Action::Cap { exponent, .. } => number.capped(from, *exponent),
            Action::Drop { exponent, .. } => number.dropped(from, *exponent),
            Action::Miscount { bits, .. } => number.miscounted(*bits, to.width),
            _ => number,
        }
    }
}

impl ElementFactor {
    /// The format of the register, if it is an integer that is read as it is.
    fn integer(&self) -> Option<&Format> {
        let plain = TermStep::plain(self.term.of);
        let is_plain = self.term == plain && self.then.is_empty();
        (self.register.is_integer() && is_plain).then_some(&self.register)
    }

    /// The number of the register.
    #[inline(always)]
    pub fn number<B: Bv>(&self, register: &B) -> ExactNumber<B> {
        let mut number = ExactNumber::of_register(&self.register, register, &self.term, &self.own);
        for change in &self.then {
            number = change.applied(number);
        }
        number
    }
}

impl SumElement {
    /// The formats of its registers, if it is an integer, or the product of two.
    pub(super) fn integers(&self) -> Option<(Format, Option<Format>)> {
        let right = match &self.right {
            None => None,
            Some((factor, _)) => Some(*factor.integer()?),
        };
        let left = self.left.integer().filter(|_| self.then.is_empty());
        Some((*left?, right))
    }

    /// The element of these factors; `right` makes the second one.
    #[inline(always)]
    pub(super) fn number<B: Bv>(
        &self,
        left: ExactNumber<B>,
        right: impl FnOnce(&ElementFactor) -> ExactNumber<B>,
    ) -> ExactNumber<B> {
        let mut number = left;
        if let Some((factor, extent)) = &self.right {
            let other = right(factor);
            number = number.product(&other, [&self.left.to, &factor.to], extent);
        }
        for change in &self.then {
            number = change.applied(number);
        }
        number
    }
}

impl Program {
    /// How the number is made, if it is made of one or two registers alone, and these registers.
    pub(super) fn element(&self, slot: Slot) -> Option<(SumElement, [Leaf; 2])> {
        let (then, base) = self.changes(slot);
        let Action::Product(factors) = self.nodes[base as usize].action else {
            let (left, leaf) = self.factor(slot)?;
            let element = SumElement {
                left,
                right: None,
                then: Vec::new(),
            };
            return Some((element, [leaf; 2]));
        };
        let [left, right] = factors.map(|slot| self.factor(slot));
        let ((left, x), (right, y)) = (left?, right?);
        let element = SumElement {
            left,
            right: Some((right, self.extent(base))),
            then,
        };
        Some((element, [x, y]))
    }

    /// How the number is made, if it is made of one register alone, and the register.
    fn factor(&self, slot: Slot) -> Option<(ElementFactor, Leaf)> {
        let (then, base) = self.changes(slot);
        let Action::Term(term) = self.nodes[base as usize].action else {
            return None;
        };
        let leaf = match self.nodes[term.of as usize].action {
            Action::Operand(row, index) => Leaf::Operand(row, index),
            _ => Leaf::Value(term.of),
        };
        let factor = ElementFactor {
            register: self.format(term.of)?,
            term: TermStep { of: 0, ..term },
            own: self.extent(base),
            then,
            to: self.extent(slot),
        };
        Some((factor, leaf))
    }

    /// The changes of a number that end in this one, first to last, and the number.
    fn changes(&self, mut slot: Slot) -> (Vec<Change>, Slot) {
        let mut all = Vec::new();
        loop {
            let node = &self.nodes[slot as usize];
            let of = match &node.action {
                Action::Term(term) if matches!(self.kind(term.of), ValueKind::Number(_)) => term.of,
                Action::Normalise(of) => *of,
                Action::Part { of, .. } | Action::Cap { of, .. } => *of,
                Action::Drop { of, .. } | Action::Miscount { of, .. } => *of,
                _ => break,
            };
            let mut action = node.action.clone();
            action.each_slot_mut(|slot| *slot = 0);
            all.push(Change {
                action,
                from: self.extent(of),
                to: self.extent(slot),
            });
            slot = of;
        }
        all.reverse();
        (all, slot)
    }
}
