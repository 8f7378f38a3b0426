//! Aligned numbers of binary32: the accumulator of a sum. Its register is a number of `f32`
//! already, which one multiplication and a conversion to an integer align and cut.

use super::columns::{ColumnType, LANES, Memory, ends};
use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::lower::{Lowering, Tape};
use super::powers::Powers;
use super::step::{TapeStep, VectorOperation};
use super::sums::SignedNumber;
use super::vectors::FloatVector;
use super::where_zero::ZeroBits;
use mmasmt_numbers::bits::ranged::{LinearForm, RangedNode, RangedNodeId};
use std::marker::PhantomData;

const FRACTION_BITS: u32 = f32::MANTISSA_DIGITS - 1;
const BIAS: i32 = f32::MAX_EXP - 1;
/// The greatest exponent of a power of two by which a number is multiplied at once.
const MOST_POWER: i32 = 126;
/// The greatest power of two between two scales of aligned numbers for which neither leaves the
/// range of `f32`.
const MOST_APART: i128 = 90;

/// The bits of the exponent field.
const FIELD: u128 = 0xff << FRACTION_BITS;

/// A number of binary32 times `2^(power - top)`, where `top` is the exponent that it is aligned to, cut
/// to an integer.
struct AlignedNumber {
    register: RangedNodeId,
    power: i32,
    /// Whether a subnormal number counts as zero.
    is_flushed: bool,
}

impl Lowering<'_> {
    /// The term as a signed integer, if it is a number of binary32 that is aligned and cut. The
    /// inner `None` says that it is not.
    pub(super) fn real_part(
        &mut self,
        top: Option<RangedNodeId>,
        term: &SignedNumber,
        to: Type,
    ) -> Option<Option<Value>> {
        let (Some(top), Type::U32) = (top, to) else {
            return Some(None);
        };
        let Some(aligned) = self.aligned_binary32(term) else {
            return Some(None);
        };
        let (power, register) = (aligned.power, self.node(aligned.register)?);
        let register = if aligned.is_flushed {
            self.without_subnormal(register)
        } else {
            register
        };
        let args = [register, self.node(top)?];
        let by = self.type_at(args[1]);
        if by > Type::U16 || self.is_signed(top) {
            return Some(None);
        }
        // A column of powers that is there already, where it is near enough.
        let near = |powers: &Powers| (i128::from(power) - powers.exponent).abs() <= MOST_APART;
        let part = match self.powers.get(&top).copied().filter(near) {
            None => Instruction::new(Code::RealPart, to, &args).constant(power as u128),
            Some(powers) => {
                let [least, most] = powers.limits.map(|limit| limit as u128);
                let more = (i128::from(power) - powers.exponent) as u128;
                let args = [args[0], args[1], powers.value];
                let part = Instruction::new(Code::RealPart, to, &args);
                part.constants(power as u128, least | most << 32 | more << 64)
            }
        };
        Some(Some(self.push(part.by(by))))
    }

    /// The register, or zero in place of a subnormal number.
    fn without_subnormal(&mut self, register: Value) -> Value {
        let is_small = Instruction::new(Code::FieldEqual, Type::U8, &[register]).from(Type::U32);
        let is_small = self.push(is_small.constant(FIELD));
        self.push(Instruction::new(
            Code::ChooseThen,
            Type::U32,
            &[is_small, register],
        ))
    }

    /// The number that the term is, if it is one of binary32 that is aligned and cut.
    fn aligned_binary32(&self, term: &SignedNumber) -> Option<AlignedNumber> {
        let RangedNode::Bit(register, 31) = *self.graph.node(term.condition) else {
            return None;
        };
        let number = self.graph.binary32(register)?;
        let (of, cut) = match *self.graph.node(term.of) {
            RangedNode::ShrConst(of, cut) => (of, cut as i32),
            _ => (term.of, 0),
        };
        let (exponent, holds) = self.chosen(term.exponent?);
        if holds.is_some_and(|holds| !self.is_zero_unless(holds, [of, of])) {
            return None;
        }
        let (own, offset) = self.graph.linear(exponent);
        let (field, field_offset) = self.graph.linear(number.exponent);
        let normal = self.normal_significand(of, register, number.significand);
        let raised = match normal {
            Some(raised) => raised,
            None => self.power_between(&self.graph.linear(number.significand), of)?,
        };
        let offset = i32::try_from(offset - field_offset).ok()?;
        // The number is its significand times `2^(field - BIAS - FRACTION_BITS)`.
        let power = BIAS + FRACTION_BITS as i32 + raised - cut + offset;
        (own == field).then_some(AlignedNumber {
            register,
            power,
            is_flushed: normal.is_some(),
        })
    }

    /// `k`, if the node is zero where the register has no exponent field, and else its significand
    /// times `2^k`.
    fn normal_significand(
        &self,
        of: RangedNodeId,
        register: RangedNodeId,
        significand: RangedNodeId,
    ) -> Option<i32> {
        let (terms, 0) = self.graph.linear(of) else {
            return None;
        };
        let &[(choice, factor)] = &terms[..] else {
            return None;
        };
        let RangedNode::Ite(is_small, zero, normal) = *self.graph.node(choice) else {
            return None;
        };
        let is_test = matches!(self.graph.node(is_small), RangedNode::Eq(..))
            && ZeroBits::implied(self.graph, is_small)?.are(register, FIELD);
        if !self.for_links || !is_test || self.constant_of(zero) != Some(0) {
            return None;
        }
        // The significand of a normal number has its hidden bit.
        let (terms, mut offset) = self.graph.linear(significand);
        let mut rest = Vec::new();
        for (id, times) in terms {
            match *self.graph.node(id) {
                RangedNode::Select(c, _, bit) if c == is_small => offset += bit * times,
                _ => rest.push((id, times)),
            }
        }
        let is_power = factor > 0 && factor.count_ones() == 1;
        let raised = self.power_between(&(rest, offset), normal)?;
        is_power.then_some(raised + factor.trailing_zeros() as i32)
    }

    /// `k`, if the node is the linear form times `2^k`.
    fn power_between(&self, form: &LinearForm, other: RangedNodeId) -> Option<i32> {
        let (one, offset) = form;
        let (other, other_offset) = self.graph.linear(other);
        let (first, scaled) = (one.first()?.1, other.first()?.1);
        let factor = scaled.checked_div(first)?;
        let is_like = |[(x, a), (y, b)]: [&(RangedNodeId, i128); 2]| x == y && a * factor == *b;
        let alike = one.iter().zip(&other).all(|(x, y)| is_like([x, y]));
        let is_power = factor > 0 && factor.count_ones() == 1;
        let whole = one.len() == other.len() && offset * factor == other_offset;
        (alike && whole && is_power).then(|| factor.trailing_zeros() as i32)
    }
}

impl Tape {
    /// The same tape, in which aligned numbers of binary32 read no powers that are there already: a
    /// text makes them from the exponent.
    pub fn without_shared_powers(mut self) -> Tape {
        for instruction in &mut self.instructions {
            if instruction.code == Code::RealPart {
                instruction.args.truncate(2);
            }
        }
        self.without_dead()
    }
}

/// `x * 2^(k - y)`, cut to an integer, where `x` is a number of `f32`. With `SHARED`, there is a
/// column of powers `2^(k - l - y)` for all `y` between two limits: the second constant has the
/// limits in its lowest words of 32 bits, and `l` above them.
pub(super) struct RealPart<N, const SHARED: bool>(PhantomData<N>);
impl<N: ColumnType, const SHARED: bool> VectorOperation for RealPart<N, SHARED> {
    #[inline(always)]
    fn run<V: FloatVector>(memory: &mut Memory, step: &TapeStep) {
        let k = step.constants[0] as i32;
        let (to, columns) = memory.open::<u32>();
        let register = columns.get::<u32>(step.args[0]);
        let top = columns.get::<N>(step.args[1]);
        let [least, most] = ends(top).map(|top| top.number() as i32);
        let limits = [0, 32].map(|by| (step.constants[1] >> by) as i32);
        to.fill(0);
        if SHARED && least >= limits[0] && most <= limits[1] {
            let more = register_of_power((step.constants[1] >> 64) as i32);
            let more = V::same(f32::from_bits(more));
            let powers = columns.get::<u32>(step.args[2]);
            for start in (0..LANES).step_by(V::WIDTH) {
                let scaled = V::load(register, start).times(V::load(powers, start));
                V::add_to(scaled.times(more).truncated(), to, start);
            }
        } else if k - least <= MOST_POWER {
            let mut powers = [0; LANES];
            for (power, top) in powers.iter_mut().zip(top) {
                *power = register_of_power(k - top.number() as i32);
            }
            for start in (0..LANES).step_by(V::WIDTH) {
                let scaled = V::load(register, start).times(V::load(&powers, start));
                V::add_to(scaled.truncated(), to, start);
            }
        } else {
            // A power of two that is too great for `f32` is applied in two parts.
            let (mut powers, mut rests) = ([0; LANES], [0; LANES]);
            for ((power, rest), top) in powers.iter_mut().zip(&mut rests).zip(top) {
                let exponent = k - top.number() as i32;
                *power = register_of_power(exponent.min(MOST_POWER));
                *rest = register_of_power(exponent.max(MOST_POWER) - MOST_POWER);
            }
            for start in (0..LANES).step_by(V::WIDTH) {
                let scaled = V::load(register, start).times(V::load(&powers, start));
                let scaled = scaled.times(V::load(&rests, start));
                V::add_to(scaled.truncated(), to, start);
            }
        }
        memory.close::<u32>(step.to);
    }
}

/// The register of `2^exponent`, or of zero if every number of `f32` times it is below one.
#[inline(always)]
fn register_of_power(exponent: i32) -> u32 {
    let field = exponent + BIAS;
    if field > 0 {
        (field as u32) << FRACTION_BITS
    } else if field == 0 {
        1 << (FRACTION_BITS - 1)
    } else {
        0
    }
}
