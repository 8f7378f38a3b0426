//! Evaluation of formulas on big integers, which checks the models of other solvers. It shares no
//! code with the circuits.

use super::cone::{Cone, ConeStep, FormulaRef, NodeIndex};
use mmasmt_numbers::bits::term::{Bitwise, Connective, Node};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use rustc_hash::FxHashMap;

impl Cone {
    /// Whether all formulas hold where input number `i` is `input(i)`.
    pub fn holds(&self, input: impl Fn(u32) -> u64) -> bool {
        let mut values = NodeValues::default();
        for step in &self.steps {
            match step {
                ConeStep::Node(id, node, _) => {
                    let value = values.node(node, &input);
                    values.nodes.insert(*id, value);
                }
                ConeStep::Connective(index, connective) => {
                    let truth = values.connective(connective);
                    values.truths.insert(*index, truth);
                }
            }
        }
        self.roots.iter().all(|root| values.truth(*root))
    }
}

#[derive(Default)]
struct NodeValues {
    nodes: FxHashMap<NodeIndex, BigInt>,
    truths: FxHashMap<usize, bool>,
}

impl NodeValues {
    fn truth(&self, formula: FormulaRef) -> bool {
        self.truths[&formula.index] != formula.is_negated
    }

    fn connective(&self, connective: &Connective<NodeIndex, FormulaRef>) -> bool {
        match connective {
            Connective::True => true,
            Connective::And(parts) => parts.iter().all(|part| self.truth(*part)),
            Connective::Xor(a, b) => self.truth(*a) != self.truth(*b),
            Connective::Ite(cond, a, b) => self.truth(if self.truth(*cond) { *a } else { *b }),
            Connective::Eq(a, b) => self.nodes[a] == self.nodes[b],
            Connective::Lt(a, b) => self.nodes[a] < self.nodes[b],
            Connective::Bit(of, index) => self.nodes[of].bit(u64::from(*index)),
        }
    }

    fn node(&self, node: &Node<NodeIndex, FormulaRef>, input: &impl Fn(u32) -> u64) -> BigInt {
        let value = |id: &NodeIndex| &self.nodes[id];
        match node {
            Node::Const(value) => value.clone(),
            Node::Input { index, width } => {
                BigInt::from(input(*index)).mod_floor(&(BigInt::one() << *width))
            }
            Node::Bool(formula) => BigInt::from(u8::from(self.truth(*formula))),
            Node::Sum { terms, constant } => {
                terms.iter().fold(constant.clone(), |sum, (id, factor)| {
                    sum + value(id) * factor
                })
            }
            Node::Mul(a, b) => value(a) * value(b),
            Node::Ite(cond, a, b) => value(if self.truth(*cond) { a } else { b }).clone(),
            Node::NegIf(cond, of) if self.truth(*cond) => -value(of),
            Node::NegIf(_, of) => value(of).clone(),
            Node::Max(operands) => operands
                .iter()
                .map(value)
                .max()
                .cloned()
                .unwrap_or_default(),
            Node::Shl { of, amount, width } => match value(amount).to_u32() {
                Some(amount) if amount < *width => {
                    (value(of) << amount).mod_floor(&(BigInt::one() << *width))
                }
                _ => BigInt::zero(),
            },
            Node::Shr { of, amount } => shifted_right(value(of), value(amount)),
            Node::ShrConst { of, amount } => value(of) >> *amount,
            Node::Wrap { of, width, signed } => {
                let modulus = BigInt::one() << *width;
                let wrapped = value(of).mod_floor(&modulus);
                if *signed && wrapped.bit(u64::from(*width) - 1) {
                    wrapped - modulus
                } else {
                    wrapped
                }
            }
            Node::Concat {
                high,
                low,
                low_width,
            } => (value(high) << *low_width) + value(low),
            Node::Bitwise(op, a, b) => match op {
                Bitwise::And => value(a) & value(b),
                Bitwise::Or => value(a) | value(b),
                Bitwise::Xor => value(a) ^ value(b),
            },
        }
    }
}

/// `value / 2^amount`, rounded down.
fn shifted_right(value: &BigInt, amount: &BigInt) -> BigInt {
    match amount.to_u64() {
        Some(amount) if amount <= value.bits() => value >> amount,
        _ if value.is_negative() => BigInt::from(-1),
        _ => BigInt::zero(),
    }
}
