//! Truth values in a tape: bytes that are 0 for false or ff for true.

use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::lower::Lowering;
use mmasmt_numbers::bits::ranged::{RangedLiteral, RangedNode, RangedNodeId, SignedRange};

impl Lowering<'_> {
    /// The value of a condition as a byte, 0 or ff.
    pub(super) fn truth(&mut self, id: RangedNodeId) -> Option<Value> {
        if let Some(value) = self.truths.get(&id) {
            return Some(*value);
        }
        let value = self.condition(id)?;
        self.truths.insert(id, value);
        Some(value)
    }

    fn condition(&mut self, id: RangedNodeId) -> Option<Value> {
        let new = |code, args: &[Value]| Instruction::new(code, Type::U8, args);
        let instruction = match *self.graph.node(id) {
            RangedNode::Eq(a, b) => {
                for (constant, of) in [(a, b), (b, a)] {
                    if let Some(value) = self.constant_of(constant) {
                        return self.compared(Code::EqualConst, of, value);
                    }
                }
                let (from, args, _) = self.pair(a, b)?;
                new(Code::Equal, &args).from(from)
            }
            RangedNode::Lt(a, b) => {
                if let Some(limit) = self.constant_of(b) {
                    return self.compared(Code::LessConst, a, limit);
                }
                if let Some(limit) = self.constant_of(a) {
                    return self.compared(Code::MoreConst, b, limit);
                }
                let (from, args, signed) = self.pair(a, b)?;
                let code = if signed { Code::LessSigned } else { Code::Less };
                new(code, &args).from(from)
            }
            RangedNode::Bit(a, index) => {
                let value = self.node(a)?;
                let from = self.type_at(value);
                let index = match index < from.bits() {
                    true => index,
                    false if self.is_signed(a) => from.bits() - 1,
                    false => return Some(self.constant(0, Type::U8)),
                };
                new(Code::Bit, &[value]).from(from).constant(1 << index)
            }
            RangedNode::Lost(a, amount) => {
                let value = self.node(a)?;
                let args = [value, self.amount(amount, self.type_at(value))?];
                let [from, by] = args.map(|value| self.type_at(value));
                new(Code::Lost, &args).from(from).by(by)
            }
            RangedNode::And(..) => return self.conjunction(id),
            RangedNode::Xor(a, b) => new(Code::Xor, &[self.truth(a)?, self.truth(b)?]),
            RangedNode::Choose(c, a, b) => {
                let args = [self.truth(c)?, self.truth(a.node)?, self.truth(b.node)?];
                let negated = [false, a.negated, b.negated];
                new(Code::ChooseTruth, &args).constant(bytes(&negated))
            }
            _ => return None,
        };
        Some(self.push(instruction))
    }

    /// The value of a comparison of the node `of` with a constant. If the node's range decides the
    /// comparison, the value is a constant: the range may have become narrower since the comparison
    /// was made.
    fn compared(&mut self, code: Code, of: RangedNodeId, constant: i128) -> Option<Value> {
        let range = self.graph.range(of);
        let outcome = match code {
            Code::LessConst if range.hi < constant => Some(true),
            Code::LessConst if range.lo >= constant => Some(false),
            Code::MoreConst if range.lo > constant => Some(true),
            Code::MoreConst if range.hi <= constant => Some(false),
            Code::EqualConst if constant < range.lo || constant > range.hi => Some(false),
            _ => None,
        };
        if let Some(outcome) = outcome {
            return Some(self.constant(if outcome { 0xff } else { 0 }, Type::U8));
        }
        let code = match (code, range.is_signed()) {
            (Code::LessConst, true) => Code::LessConstSigned,
            (Code::MoreConst, true) => Code::MoreConstSigned,
            _ => code,
        };
        let value = self.node(of)?;
        let from = self.type_at(value);
        let compared = Instruction::new(code, Type::U8, &[value]).from(from);
        Some(self.push(compared.constant(constant as u128 & from.mask())))
    }

    /// The narrowest type that holds both operands, the operands in this type, and whether they are
    /// compared as signed numbers.
    fn pair(&mut self, a: RangedNodeId, b: RangedNodeId) -> Option<(Type, [Value; 2], bool)> {
        let (x, y) = (self.graph.range(a), self.graph.range(b));
        let signed = x.is_signed() || y.is_signed();
        let bits = |range: SignedRange| range.bits() + u32::from(signed && !range.is_signed());
        let from = Type::of(bits(x).max(bits(y)));
        Some((from, [self.at(a, from)?, self.at(b, from)?], signed))
    }

    /// The value of a conjunction, computed in groups of up to four operands. If an operand is
    /// itself a conjunction and nothing else needs it, its own operands are used in its place.
    fn conjunction(&mut self, id: RangedNodeId) -> Option<Value> {
        let mut open = vec![id];
        let mut literals = Vec::new();
        while let Some(id) = open.pop() {
            let RangedNode::And(a, b) = *self.graph.node(id) else {
                continue;
            };
            for literal in [a, b] {
                let RangedLiteral { node, negated } = literal;
                let is_part = matches!(self.graph.node(node), RangedNode::And(..))
                    && !self.is_of_fields(node);
                if is_part && !negated && self.is_single(node) && !self.truths.contains_key(&node) {
                    open.push(node);
                } else {
                    literals.push((self.truth(node)?, negated));
                }
            }
        }
        literals.sort_unstable();
        literals.dedup();
        while literals.len() > 1 {
            let mut next = Vec::new();
            for few in literals.chunks(4) {
                let (args, negated): (Vec<_>, Vec<_>) = few.iter().copied().unzip();
                match few {
                    [only] => next.push(*only),
                    _ => {
                        let all = Instruction::new(Code::All, Type::U8, &args);
                        next.push((self.push(all.constant(bytes(&negated))), false));
                    }
                }
            }
            literals = next;
        }
        let (value, negated) = *literals.first()?;
        debug_assert!(!negated);
        Some(value)
    }
}

impl Lowering<'_> {
    /// Whether the conjunction says that two fields have certain values, as for a zero: fusion makes
    /// one test of both where they are of one register.
    fn is_of_fields(&self, id: RangedNodeId) -> bool {
        let is_field = |literal: RangedLiteral| {
            let RangedNode::Eq(a, b) = *self.graph.node(literal.node) else {
                return false;
            };
            !literal.negated && [a, b].iter().any(|id| self.constant_of(*id).is_some())
        };
        matches!(*self.graph.node(id), RangedNode::And(a, b) if is_field(a) && is_field(b))
    }
}

/// A number whose byte `i` is ff if operand `i` is negated, and 0 otherwise.
fn bytes(negated: &[bool]) -> u128 {
    let byte = |(index, negated): (usize, &bool)| (u128::from(*negated) * 0xff) << (8 * index);
    negated.iter().enumerate().map(byte).sum()
}
