//! The names that the text gives to the steps of an evaluation and to the terms of its sums.

use super::program::{Action, Fuse, Node, Program, Slot, Source};

/// The names of a step that an evaluation records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepNames {
    /// The name of the value, such as `t[0]`.
    pub value: String,
    /// The names of the terms if the step is a fused sum, such as `p[3]`.
    pub terms: Vec<String>,
}

impl Program {
    /// The names of the steps that [`run`](Self::run) records, in their order.
    pub fn step_names(&self) -> Vec<StepNames> {
        let nodes = self.nodes.iter().enumerate();
        let recorded = nodes.filter_map(|(slot, node)| match &node.action {
            Action::Fuse(step) => Some(self.of_sum(node, step)),
            Action::Round(step) if !self.is_sum_before(slot, &step.of) => Some(StepNames {
                value: label(node),
                terms: Vec::new(),
            }),
            _ => None,
        });
        recorded.collect()
    }

    /// Whether the number that step `slot` rounds is the fused sum of the step before it.
    pub(super) fn is_sum_before(&self, slot: usize, of: &Source) -> bool {
        let last = slot.wrapping_sub(1);
        matches!(of, Source::Number(of) if *of as usize == last)
            && matches!(self.nodes[last].action, Action::Fuse(_))
    }

    fn of_sum(&self, node: &Node, step: &Fuse) -> StepNames {
        let terms = step.terms.iter().zip(0_usize..);
        let name = |(term, number): (Slot, usize)| {
            let named = self.name(term, node);
            named.unwrap_or_else(|| format!("term {number}"))
        };
        StepNames {
            value: label(node),
            terms: terms
                .map(|(term, number)| name((term.of, number)))
                .collect(),
        }
    }

    /// The name of a value that a step of `user` takes: its own one, or that of what it is made of
    /// within the same expression.
    fn name(&self, slot: Slot, user: &Node) -> Option<String> {
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
            | Action::Normalise(of)
            | Action::Part { of, .. }
            | Action::Cap { of, .. }
            | Action::Drop { of, .. }
            | Action::Miscount { of, .. }
            | Action::Special { of, .. } => self.name(*of, user),
            Action::Cut(cut) => self.name(cut.of, user),
            Action::Zero
            | Action::Differ(_)
            | Action::Sum { .. }
            | Action::Fuse(_)
            | Action::Round(_) => None,
        }
    }
}

/// The name of a step's value, with its number among those of the name.
fn label(node: &Node) -> String {
    match node.index {
        Some(index) => format!("{}[{index}]", node.name),
        None => node.name.to_owned(),
    }
}
