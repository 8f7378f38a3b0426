//! The names that the text gives to the terms of sums.

use super::program::{
    Action, Cut, Extent, Fuse, FusedTerm, Program, ProgramNode, RoundSource, Slot, ValueKind,
};
use mmasmt_numbers::float::Format;

impl Program {
    /// True if step `slot` rounds the fused sum that was recorded last, as it is or cut.
    pub(super) fn is_last_sum(&self, slot: usize, of: &RoundSource) -> bool {
        let RoundSource::Number(mut of) = *of else {
            return false;
        };
        while let Action::Cut(Cut { of: inner, .. }) | Action::Special { of: inner, .. } =
            self.nodes[of as usize].action
        {
            of = inner;
        }
        let is_recorded =
            |node: &ProgramNode| matches!(node.action, Action::Fuse(_) | Action::Round(_));
        let mut since = self.nodes[of as usize..slot].iter();
        since
            .next()
            .is_some_and(|node| matches!(node.action, Action::Fuse(_)))
            && !since.any(is_recorded)
    }

    /// Whether the step takes a register into a format that has all its numbers.
    pub(super) fn is_widened(&self, slot: usize, of: &RoundSource) -> bool {
        let RoundSource::Register(of) = *of else {
            return false;
        };
        let formats = [of, slot as Slot].map(|slot| self.format(slot));
        let [Some(from), Some(to)] = formats else {
            return false;
        };
        to.has_all_of(&from)
    }

    /// The format in which an evaluation records the product or the exact sum of a step, if that is an integer with a name
    /// and the format holds it.
    pub(super) fn integer_format(&self, slot: usize) -> Option<Format> {
        let node = &self.nodes[slot];
        let ProgramNode { action, kind, .. } = node;
        // Within an expression, the step behind it has the same name.
        let next = self.nodes.get(slot + 1);
        if next.is_some_and(|next| (next.name, next.index) == (node.name, node.index)) {
            return None;
        }
        let ValueKind::Number(Extent {
            width,
            fraction: 0,
            lowest: 0,
            highest: 0,
        }) = *kind
        else {
            return None;
        };
        let is_recorded = match action {
            Action::Product(factors) => factors.iter().all(|of| self.is_integer(*of)),
            Action::Sum { terms, .. } => terms.iter().all(|of| self.is_integer(*of)),
            _ => false,
        };
        let mut formats = [Format::S32, Format::S64].into_iter();
        formats.find(|format| is_recorded && width < format.width())
    }

    /// Whether the number is that of integer registers alone.
    fn is_integer(&self, slot: Slot) -> bool {
        match &self.nodes[slot as usize].action {
            Action::Term(term) => self
                .format(term.of)
                .is_some_and(|format| format.is_integer()),
            Action::Product(factors) => factors.iter().all(|of| self.is_integer(*of)),
            Action::Sum { terms, .. } => terms.iter().all(|of| self.is_integer(*of)),
            _ => false,
        }
    }

    /// The steps that an evaluation records, in their order.
    pub fn recorded(&self) -> impl Iterator<Item = &ProgramNode> {
        let nodes = self.nodes.iter().enumerate();
        let recorded = nodes.filter(|(slot, node)| match &node.action {
            Action::Fuse(_) => true,
            Action::Round(round) => {
                !self.is_last_sum(*slot, &round.of) && !self.is_widened(*slot, &round.of)
            }
            _ => self.integer_format(*slot).is_some(),
        });
        recorded.map(|(_, node)| node)
    }

    /// The names of the terms of a fused sum.
    pub(super) fn names_of_terms(&self, node: &ProgramNode, step: &Fuse) -> Vec<String> {
        let terms = step.terms.iter().zip(0_usize..);
        let name = |(term, number): (&FusedTerm, usize)| {
            let named = self.name(term.of, node);
            named.unwrap_or_else(|| format!("term {number}"))
        };
        terms.map(name).collect()
    }

    /// The name of a value that a step of `user` takes: its own one, or that of what it is made of
    /// within the same expression.
    fn name(&self, slot: Slot, user: &ProgramNode) -> Option<String> {
        let node = &self.nodes[slot as usize];
        let is_within = (node.name, node.index) == (user.name, user.index);
        match &node.action {
            Action::Operand(..) => Some(label(node)),
            _ if !is_within => Some(label(node)),
            Action::Term(term) => self.name(term.of, user),
            Action::Product([x, y]) => Some(format!(
                "{} * {}",
                self.name(*x, user)?,
                self.name(*y, user)?
            )),
            Action::Flush(of, _)
            | Action::Positive(of)
            | Action::Normalise(of)
            | Action::Part { of, .. }
            | Action::Cap { of, .. }
            | Action::Drop { of, .. }
            | Action::Miscount { of, .. }
            | Action::Inverse(of)
            | Action::Scaled { of, .. }
            | Action::Special { of, .. }
            | Action::Replace { of, .. } => self.name(*of, user),
            Action::Cut(cut) => self.name(cut.of, user),
            Action::Constant(_)
            | Action::Differ(_)
            | Action::Greatest(_)
            | Action::Sum { .. }
            | Action::Fuse(_)
            | Action::Round(_) => None,
        }
    }
}

/// The name of a step's value, with its number among those of the name.
fn label(node: &ProgramNode) -> String {
    match node.index {
        Some(index) => format!("{}[{index}]", node.name),
        None => node.name.to_owned(),
    }
}
