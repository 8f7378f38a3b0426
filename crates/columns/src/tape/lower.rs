//! Lowering of a graph to instructions. Every node gets the narrowest type that holds its range. If
//! only low bits of a node are needed, only these bits are computed.

use super::element::Type;
use super::instruction::{Code, Instruction, OPERATION, Value};
use super::powers::Powers;
use super::side::Side;
use super::where_zero::Origins;
use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::bits::ranged::{RangedGraph, RangedNode, RangedNodeId};
use mmasmt_numbers::bits::term::Bitwise;
use rustc_hash::FxHashMap;

/// A list of instructions in order, and the values that are its results.
#[derive(Clone, Debug)]
pub struct Tape {
    /// The instructions. Each comes after the instructions that make its operands.
    pub instructions: Vec<Instruction>,
    /// The values that are the results of the tape.
    pub results: Vec<Value>,
    /// The number of inputs.
    pub inputs: usize,
    /// Truth values, each of one side, that must hold in no lane: where one of them does, the
    /// results have no meaning.
    pub guards: Vec<Value>,
}

/// The purpose for which a tape is made.
#[derive(Clone, Copy, Debug)]
pub enum Purpose<'x> {
    /// The whole tape is computed for each lane.
    Whole,
    /// The tape is [split](Tape::split): values that depend on one side alone cost next to nothing.
    Split {
        /// The side of each input.
        sides: &'x [Side],
        /// Whether the tape may have guards, which makes it faster.
        has_guards: bool,
        /// Whether the tape is to be [links](super::LinkProgram): sums of few products are then
        /// computed as those of many are.
        for_links: bool,
    },
}

/// The fewest products of a sum in `f32`, and the fewest sums of a maximum of pairs, unless a tape is
/// to be links.
const LEAST_PRODUCTS: usize = 4;

/// The largest shift amount that matters: every larger amount gives the same result as this one.
const MOST_SHIFTED: u128 = 255;

pub(super) struct Lowering<'g> {
    pub(super) graph: &'g RangedGraph,
    instructions: Vec<Instruction>,
    known: FxHashMap<Instruction, Value>,
    made: FxHashMap<(RangedNodeId, Type), Value>,
    pub(super) truths: FxHashMap<RangedNodeId, Value>,
    pub(super) uses: Vec<u32>,
    /// The side that each node depends on, if the tape is to be split.
    pub(super) origins: Option<Origins>,
    pub(super) has_guards: bool,
    pub(super) guards: Vec<Value>,
    /// Whether the tape is to be links.
    pub(super) for_links: bool,
    /// The powers of two that align terms to an exponent.
    pub(super) powers: FxHashMap<RangedNodeId, Powers>,
}

impl Tape {
    /// The tape that computes these nodes, which are nonnegative integers. `None` if the graph has
    /// an operation that tapes lack.
    pub fn of(graph: &RangedGraph, results: &[RangedNodeId]) -> Option<Tape> {
        Self::made_for(Purpose::Whole, graph, results)
    }

    /// The same as [`of`](Self::of), for a given purpose.
    pub fn made_for(
        purpose: Purpose<'_>,
        graph: &RangedGraph,
        results: &[RangedNodeId],
    ) -> Option<Tape> {
        let mut uses = vec![0; graph.count()];
        results.iter().for_each(|id| uses[id.index()] += 2);
        for (id, node) in graph.nodes().rev() {
            if uses[id.index()] > 0 {
                node.operands(|operand| uses[operand.index()] += 1);
            }
        }
        let mut lowering = Lowering {
            graph,
            instructions: Vec::new(),
            known: FxHashMap::default(),
            made: FxHashMap::default(),
            truths: FxHashMap::default(),
            uses,
            origins: match purpose {
                Purpose::Whole => None,
                Purpose::Split { sides, .. } => Some(Origins::of(graph, sides)),
            },
            has_guards: matches!(
                purpose,
                Purpose::Split {
                    has_guards: true,
                    ..
                }
            ),
            guards: Vec::new(),
            for_links: matches!(
                purpose,
                Purpose::Split {
                    for_links: true,
                    ..
                }
            ),
            powers: FxHashMap::default(),
        };
        // The nodes are taken in the order in which the algorithm made them, so that values are
        // close to their operands.
        for (id, node) in graph.nodes() {
            if lowering.uses[id.index()] > 0 && !lowering.is_made_on_demand(id, node) {
                lowering.node(id)?;
            }
        }
        let results = results.iter().map(|id| lowering.node(*id));
        let results = results.collect::<Option<Vec<_>>>()?;
        let tape = Tape {
            instructions: lowering.instructions,
            results,
            inputs: graph.inputs(),
            guards: lowering.guards,
        };
        graph.is_exact().then(|| tape.without_dead())
    }

    /// Whether the tape has the processor's own operations on `f32` or `f64`.
    pub fn uses_host(&self) -> bool {
        let mut codes = self.instructions.iter().map(|instruction| instruction.code);
        codes.any(|code| {
            matches!(
                code,
                Code::Host(_) | Code::Round { .. } | Code::RealPart | Code::ExactSum
            )
        })
    }

    /// True if the tape has sums of products that `f32` holds.
    pub fn has_sums_of_reals(&self) -> bool {
        let mut codes = self.instructions.iter().map(|instruction| instruction.code);
        codes.any(|code| code == Code::SumOfReals)
    }

    /// True if the tape has aligned sums of so few products that another purpose computes them in
    /// `f32`.
    pub fn has_short_sums(&self) -> bool {
        let mut codes = self.instructions.iter();
        codes.any(|one| {
            let products = one.shifts[1] as usize;
            one.code == Code::AlignedSum && (1..LEAST_PRODUCTS).contains(&products)
        })
    }

    /// The same tape without instructions that no result needs.
    pub(super) fn without_dead(mut self) -> Tape {
        let mut live = vec![false; self.instructions.len()];
        let kept = self.results.iter().chain(&self.guards);
        kept.for_each(|value| live[*value] = true);
        for value in (0..live.len()).rev() {
            if live[value] {
                let args = self.instructions[value].args.iter();
                args.for_each(|arg| live[*arg] = true);
            }
        }
        let mut renamed = vec![0; live.len()];
        let mut count = 0;
        for value in 0..live.len() {
            renamed[value] = count;
            count += usize::from(live[value]);
        }
        let mut live = live.into_iter();
        self.instructions.retain(|_| live.next() == Some(true));
        for instruction in &mut self.instructions {
            instruction
                .args
                .iter_mut()
                .for_each(|arg| *arg = renamed[*arg]);
        }
        let kept = self.results.iter_mut().chain(&mut self.guards);
        kept.for_each(|value| *value = renamed[*value]);
        self
    }
}

impl Lowering<'_> {
    /// The fewest products of a sum in `f32`, and the fewest sums of a maximum of pairs.
    pub(super) fn least_products(&self) -> usize {
        if self.for_links { 1 } else { LEAST_PRODUCTS }
    }

    /// Whether the node is made only when another node needs it. One instruction may compute the
    /// node together with the node that needs it, or fewer bits of the node may be enough.
    fn is_made_on_demand(&self, id: RangedNodeId, node: &RangedNode) -> bool {
        let is_lazy = match node {
            RangedNode::Const(_)
            | RangedNode::Select(..)
            | RangedNode::NegIf(..)
            | RangedNode::Mul(..) => true,
            RangedNode::Shr(..) | RangedNode::ShrConst(..) => true,
            RangedNode::Sum(terms, constant) => *constant == 0 && terms.len() <= 2,
            RangedNode::And(..) => self.uses[id.index()] == 1,
            _ => false,
        };
        is_lazy || self.graph.range(id).bits() > 64
    }

    pub(super) fn push(&mut self, instruction: Instruction) -> Value {
        work(OPERATION);
        if let Some(value) = self.known.get(&instruction) {
            return *value;
        }
        let value = self.instructions.len();
        self.known.insert(instruction.clone(), value);
        self.instructions.push(instruction);
        value
    }

    pub(super) fn type_of(&self, id: RangedNodeId) -> Type {
        Type::of(self.graph.range(id).bits())
    }

    pub(super) fn is_signed(&self, id: RangedNodeId) -> bool {
        self.graph.range(id).is_signed()
    }

    /// Whether only one other node uses this node.
    pub(super) fn is_single(&self, id: RangedNodeId) -> bool {
        self.uses[id.index()] == 1
    }

    pub(super) fn type_at(&self, value: Value) -> Type {
        self.instructions[value].to
    }

    pub(super) fn constant_of(&self, id: RangedNodeId) -> Option<i128> {
        match self.graph.node(id) {
            RangedNode::Const(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn constant(&mut self, value: i128, to: Type) -> Value {
        let low = value as u128 & to.mask();
        self.push(Instruction::new(Code::Constant, to, &[]).constant(low))
    }

    pub(super) fn converted(&mut self, value: Value, signed: bool, to: Type) -> Value {
        let from = self.type_at(value);
        if from == to {
            return value;
        }
        let code = if signed && to > from {
            Code::ConvertSigned
        } else {
            Code::Convert
        };
        self.push(Instruction::new(code, to, &[value]).from(from))
    }

    /// The value of the node in a type that holds all of its values.
    pub(super) fn node(&mut self, id: RangedNodeId) -> Option<Value> {
        match self.graph.node(id) {
            RangedNode::Eq(..)
            | RangedNode::Lt(..)
            | RangedNode::Bit(..)
            | RangedNode::Lost(..)
            | RangedNode::And(..) => self.truth(id),
            RangedNode::Xor(..) | RangedNode::Choose(..) => self.truth(id),
            _ => self.made_at(id, self.type_of(id)),
        }
    }

    /// The value of the node modulo 2^width, in the type `to` of that width.
    pub(super) fn at(&mut self, id: RangedNodeId, to: Type) -> Option<Value> {
        if let Some(value) = self.constant_of(id) {
            return Some(self.constant(value, to));
        }
        if to < self.type_of(id) && self.has_low_bits(id) {
            return self.made_at(id, to);
        }
        let value = self.node(id)?;
        Some(self.converted(value, self.is_signed(id), to))
    }

    /// Whether low bits of the node depend only on low bits of its operands, and the whole node is
    /// not already computed.
    fn has_low_bits(&self, id: RangedNodeId) -> bool {
        let has = matches!(
            self.graph.node(id),
            RangedNode::Sum(..)
                | RangedNode::Mul(..)
                | RangedNode::MulLow(..)
                | RangedNode::Select(..)
                | RangedNode::Ite(..)
                | RangedNode::NegIf(..)
                | RangedNode::Bitwise(..)
                | RangedNode::Shl(..)
                | RangedNode::ShrConst(..)
                | RangedNode::Wrap { .. }
        );
        has && !self.made.contains_key(&(id, self.type_of(id)))
    }

    fn made_at(&mut self, id: RangedNodeId, to: Type) -> Option<Value> {
        if let Some(value) = self.made.get(&(id, to)) {
            return Some(*value);
        }
        let value = self.make(id, to)?;
        self.made.insert((id, to), value);
        Some(value)
    }

    /// Makes the value of the node in the type `to`: the node's own type, or a narrower type if the
    /// low bits of the node depend only on low bits of its operands.
    fn make(&mut self, id: RangedNodeId, to: Type) -> Option<Value> {
        let new = |code, args: &[Value]| Instruction::new(code, to, args);
        let low = |value: i128| value as u128 & to.mask();
        let instruction = match self.graph.node(id).clone() {
            RangedNode::Const(value) => return Some(self.constant(value, to)),
            RangedNode::Input { index, .. } => new(Code::Input, &[]).constant(index.into()),
            RangedNode::Select(c, then, otherwise) => {
                let c = self.truth(c)?;
                new(Code::Select, &[c]).constants(low(then), low(otherwise))
            }
            RangedNode::Sum(terms, constant) => return self.sum(&terms, constant, to),
            RangedNode::Mul(a, b) => return self.product(a, b, 0, to),
            RangedNode::MulLow(a, b, width) => {
                let product = self.product(a, b, 0, to)?;
                return Some(self.cut(product, 0, width, to));
            }
            RangedNode::Ite(c, a, b) => {
                let c = self.truth(c)?;
                match (self.constant_of(a), self.constant_of(b)) {
                    (Some(value), _) => {
                        new(Code::ChooseThen, &[c, self.at(b, to)?]).constant(low(value))
                    }
                    (_, Some(value)) => {
                        new(Code::ChooseElse, &[c, self.at(a, to)?]).constant(low(value))
                    }
                    _ => new(Code::Choose, &[c, self.at(a, to)?, self.at(b, to)?]),
                }
            }
            RangedNode::NegIf(c, a) => {
                let c = self.truth(c)?;
                new(Code::NegateIf, &[c, self.at(a, to)?])
            }
            RangedNode::Max(all) => {
                if all.iter().any(|id| self.is_signed(*id)) {
                    return None;
                }
                if let Some(greatest) = self.maximum_of_pairs(&all, to)? {
                    return Some(greatest);
                }
                let values = all.iter().map(|id| self.at(*id, to));
                new(Code::Maximum, &values.collect::<Option<Vec<_>>>()?)
            }
            RangedNode::Host(operation, _, operands) => {
                let values = operands.iter().map(|id| self.at(*id, to));
                let values = values.collect::<Option<Vec<_>>>()?;
                new(Code::Host(operation), &values)
            }
            RangedNode::Round(sum, exponent, rounding) => {
                return self.rounded(sum, exponent, &rounding);
            }
            RangedNode::Shl(a, amount, width) => {
                let a = self.at(a, to)?;
                let amount = self.amount(amount, to)?;
                let by = self.type_at(amount);
                let mask = u128::MAX >> (128 - width.min(128));
                new(Code::ShiftLeft, &[a, amount])
                    .by(by)
                    .constant(mask & to.mask())
            }
            RangedNode::Shr(a, amount) => return self.shifted_right(a, amount, to),
            RangedNode::ShrConst(a, by) => {
                let value = self.node(a)?;
                return Some(self.extracted(value, self.is_signed(a), by, 128, to));
            }
            RangedNode::Wrap { of, width, signed } => return self.wrapped(of, width, signed, to),
            RangedNode::Bitwise(op, a, b) => {
                let code = match op {
                    Bitwise::And => Code::And,
                    Bitwise::Or => Code::Or,
                    Bitwise::Xor => Code::Xor,
                };
                new(code, &[self.at(a, to)?, self.at(b, to)?])
            }
            RangedNode::Zeros(a, width) => {
                let value = self.node(a)?;
                let from = self.type_at(value);
                let less = (from.bits() as u8).wrapping_sub(width as u8);
                let zeros = Instruction::new(Code::Zeros, Type::U8, &[value]);
                let zeros = self.push(zeros.from(from).constant(less.into()));
                return Some(self.converted(zeros, false, to));
            }
            _ => return None,
        };
        Some(self.push(instruction))
    }

    /// The product of `a` and `b`, shifted left by `by`. If neither factor has a sign, the factors
    /// are not widened to `to` first.
    pub(super) fn product(
        &mut self,
        a: RangedNodeId,
        b: RangedNodeId,
        by: u32,
        to: Type,
    ) -> Option<Value> {
        let signed = self.is_signed(a) || self.is_signed(b);
        let from = if signed {
            to
        } else {
            self.type_of(a).max(self.type_of(b)).min(to)
        };
        let args = [self.at(a, from)?, self.at(b, from)?];
        let product = Instruction::new(Code::Multiply, to, &args).from(from);
        Some(self.push(product.shifts(by, 0)))
    }

    /// `width` bits of a value from bit `by` on.
    fn cut(&mut self, value: Value, by: u32, width: u32, to: Type) -> Value {
        self.extracted(value, false, by, width, to)
    }

    fn extracted(&mut self, value: Value, signed: bool, by: u32, width: u32, to: Type) -> Value {
        let from = self.type_at(value);
        // If `to` is wider than the value, the conversion below adds copies of the sign, or zeros.
        let narrow = to.min(from);
        let mask = (u128::MAX >> (128 - width.min(128))) & narrow.mask();
        if by >= from.bits() && !signed {
            return self.constant(0, to);
        }
        let by = by.min(from.bits() - 1);
        let code = if signed {
            Code::ExtractSigned
        } else {
            Code::Extract
        };
        let cut = Instruction::new(code, narrow, &[value]).from(from);
        let cut = self.push(cut.shifts(by, 0).constant(mask));
        self.converted(cut, signed && width >= from.bits(), to)
    }

    fn wrapped(&mut self, of: RangedNodeId, width: u32, signed: bool, to: Type) -> Option<Value> {
        if width >= to.bits() {
            return self.at(of, to);
        }
        if signed {
            let value = self.at(of, to)?;
            let extended = Instruction::new(Code::SignExtend, to, &[value]);
            return Some(self.push(extended.shifts(to.bits() - width, 0)));
        }
        if let RangedNode::ShrConst(inner, by) = *self.graph.node(of) {
            let value = self.node(inner)?;
            let from = self.type_at(value);
            if by + width <= from.bits() {
                return Some(self.cut(value, by, width, to));
            }
        }
        // The cut of a number wider than `to` also narrows the number. A number narrower than `to`
        // is converted first, because its sign may have to be extended.
        let value = if self.has_low_bits(of) || self.type_of(of) < to {
            self.at(of, to)?
        } else {
            self.node(of)?
        };
        Some(self.cut(value, 0, width, to))
    }

    /// If the node is a difference of two nodes: these two nodes. `None` unless both are
    /// nonnegative and have at most 16 bits, the difference is nonnegative, and only one other node
    /// uses the difference.
    pub(super) fn difference(&self, id: RangedNodeId) -> Option<(RangedNodeId, RangedNodeId)> {
        let RangedNode::Sum(terms, constant) = self.graph.node(id) else {
            return None;
        };
        let (more, less) = match (&terms[..], self.graph.distance(terms, *constant)) {
            (_, Some(distance)) => distance,
            (&[(a, 1), (b, -1)], None) if *constant == 0 => (a, b),
            (&[(a, -1), (b, 1)], None) if *constant == 0 => (b, a),
            _ => return None,
        };
        let is_small = |id| self.type_of(id) <= Type::U16 && !self.is_signed(id);
        let whole = self.is_single(id) && !self.is_signed(id);
        (whole && is_small(more) && is_small(less)).then_some((more, less))
    }

    fn shifted_right(&mut self, a: RangedNodeId, amount: RangedNodeId, to: Type) -> Option<Value> {
        let value = self.node(a)?;
        let from = self.type_at(value);
        let signed = self.is_signed(a);
        let code = if signed {
            Code::ShiftRightSigned
        } else {
            Code::ShiftRight
        };
        let shifted = match self.difference(amount) {
            Some((more, less)) if self.type_of(more).max(self.type_of(less)) <= from => {
                let by = self.type_of(more).max(self.type_of(less));
                let args = [value, self.at(more, by)?, self.at(less, by)?];
                Instruction::new(code, from, &args).by(by)
            }
            _ => {
                let amount = self.amount(amount, from)?;
                let by = self.type_at(amount);
                Instruction::new(code, from, &[value, amount]).by(by)
            }
        };
        let shifted = self.push(shifted);
        Some(self.converted(shifted, signed, to))
    }

    /// The value of a shift amount in one or two bytes, and no wider than the shifted value. If the
    /// amount has a wider type, it is limited to [`MOST_SHIFTED`] and put into one byte.
    pub(super) fn amount(&mut self, id: RangedNodeId, shifted: Type) -> Option<Value> {
        let value = self.node(id)?;
        let from = self.type_at(value);
        if from <= shifted.min(Type::U16) {
            return Some(value);
        }
        let large = Instruction::new(Code::MoreConst, Type::U8, &[value]).from(from);
        let large = self.push(large.constant(MOST_SHIFTED));
        let limited = Instruction::new(Code::ChooseThen, from, &[large, value]);
        let limited = self.push(limited.constant(MOST_SHIFTED));
        Some(self.converted(limited, false, Type::U8))
    }
}
