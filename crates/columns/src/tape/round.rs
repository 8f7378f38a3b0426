//! Lowering of a rounding to binary32, and the constants that its operation reads.

use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::lower::Lowering;
use mmasmt_numbers::bits::ranged::{RangedNode, RangedNodeId};
use mmasmt_numbers::bits::{HostMode, HostRounding};

/// The bias of binary64.
const BIAS: i32 = 1023;
/// The fraction bits of binary64, and how many of them binary32 lacks.
const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const DROPPED_BITS: u32 = f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS;
/// The least exponent of a normal number of binary32.
const LEAST_NORMAL: i128 = f32::MIN_EXP as i128 - 1;

/// The most columns whose sum one operation rounds.
const MOST_PARTS: usize = 2;

impl Lowering<'_> {
    /// The register of binary32 that the sum gives with the exponent.
    pub(super) fn rounded(
        &mut self,
        sum: RangedNodeId,
        exponent: RangedNodeId,
        rounding: &HostRounding,
    ) -> Option<Value> {
        let parts = match self.parts_of_sum(sum)? {
            Some(parts) => parts,
            None => {
                let least = self.type_of(sum).max(Type::U32);
                vec![self.at(sum, least)?]
            }
        };
        let least = self.graph.range(exponent).lo + i128::from(rounding.exponent_offset);
        let power = self.node(exponent)?;
        let power = match self.type_at(power) {
            Type::U8 | Type::U16 => power,
            _ => self.converted(power, false, Type::U16),
        };
        let code = Code::Round {
            is_cut: rounding.cut.is_some(),
            may_be_subnormal: least < LEAST_NORMAL,
        };
        let args = [&[power], &parts[..]].concat();
        let instruction = Instruction::new(code, Type::U32, &args)
            .from(self.type_at(parts[0]))
            .by(self.type_at(power));
        let bias = (rounding.exponent_offset + BIAS) as u32;
        Some(
            self.push(instruction.shifts(bias, flags(rounding)).constants(
                masks(rounding),
                rounding.cut.map_or(0, |cut| {
                    let dropped = u128::from(FRACTION_BITS + 1 - cut.bits);
                    dropped | u128::from(cut.floor) << 64
                }),
            )),
        )
    }

    /// If the node is a sum of signed numbers that a few columns of 32 bits add up to: these
    /// columns. The inner `None` says that it is no such sum.
    fn parts_of_sum(&mut self, sum: RangedNodeId) -> Option<Option<Vec<Value>>> {
        let RangedNode::Sum(terms, 0) = self.graph.node(sum) else {
            return Some(None);
        };
        if self.type_of(sum) != Type::U64 {
            return Some(None);
        }
        let signed = terms
            .iter()
            .map(|(id, factor)| match *self.graph.node(*id) {
                RangedNode::NegIf(condition, of) if *factor == 1 => Some((condition, of)),
                _ => None,
            });
        let Some(signed) = signed.collect::<Option<Vec<_>>>() else {
            return Some(None);
        };
        let parts = self.signed_parts(&signed, Type::U64)?;
        let is_small = |value: &Value| self.type_at(*value) == Type::U32;
        let whole = parts.len() <= MOST_PARTS && parts.iter().all(is_small);
        Some(whole.then_some(parts))
    }
}

/// Ones in the lowest `bits` bits.
fn below(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// The low half: the bits of binary64 that are kept before the conversion to binary32. The high
/// half: the bits of binary32 that are kept after it.
fn masks(rounding: &HostRounding) -> u128 {
    let [before, after] = match rounding.mode {
        HostMode::Nearest => [0, 0],
        HostMode::TowardZero(kept) => {
            let dropped = f32::MANTISSA_DIGITS - 1 - kept;
            [below(DROPPED_BITS + dropped), below(dropped)]
        }
    };
    u128::from(!before) | u128::from(!after) << 64
}

/// Bit 0: a result that rounding moved away from zero is taken back by one. Bit 1: -0 becomes +0.
fn flags(rounding: &HostRounding) -> u32 {
    u32::from(rounding.mode != HostMode::Nearest) | u32::from(!rounding.keeps_sign_of_zero) << 1
}
