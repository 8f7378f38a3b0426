//! Links that add `c` late: the sum of products, which are aligned without it, is shifted right to be
//! aligned with it, and both are cut down.

use super::element::Type;
use super::find_links::{FIELDS_APART, Finder};
use super::instruction::{Code, Value};
use super::link::Link;
use super::link_results::SIGN;
use super::link_rule::{BIAS, GreatestExponent, LEAST_FIELD, LateShift, PowerFields};

/// The constants of [`Code::ExtractAdd`] that give the significand of a number of binary32.
const SIGNIFICAND: [u128; 2] = [0x7f_ffff | 0x7f80_0000 << 64, 0xff80_0000 | 0x80_0000 << 64];
/// The significand of a number with the exponent field one is the number times two to this power.
const LEAST_PLACE: i64 = BIAS + f32::MANTISSA_DIGITS as i64 - 2;

/// A number that is shifted right by how far its exponent is below the greatest one.
struct ShiftedNumber {
    /// The number, how far it is shifted left before, and how far after.
    of: Value,
    left: i64,
    after: i64,
    /// Its exponent.
    exponent: Value,
}

impl Finder<'_> {
    /// A link that adds `c` late.
    pub(super) fn late_link(&self, round: Value, register: Value) -> Option<Link> {
        let last = self.at(round);
        let &[exponent, sum] = &last.args[..] else {
            return None;
        };
        let (value, offset) = self.shifted(exponent);
        let top = self.top(value, register)?;
        let sum = self.at(sum);
        let (Code::Add, &[one, other]) = (sum.code, &sum.args[..]) else {
            return None;
        };
        let [one, other] = [
            self.shifted_right(one, sum.shifts[0], &top)?,
            self.shifted_right(other, sum.shifts[1], &top)?,
        ];
        let is_sum = |one: &ShiftedNumber| self.at(one.of).code == Code::SumOfReals;
        let (products, own) = if is_sum(&one) {
            (one, other)
        } else {
            (other, one)
        };
        let sum_of_reals = self.at(products.of);
        let power = self.at(*sum_of_reals.args.first()?);
        let is_pairs = |value: Value| self.shifted(value) == (top.pairs, 0);
        let is_own = self.is_significand(own.of, register)
            && self.exponent(own.exponent, register)?.0 == top.offset;
        let is_alike = sum_of_reals.code == Code::SumOfReals
            && power.code == Code::Power
            && is_pairs(power.args[0])
            && is_pairs(products.exponent)
            && products.after == 0;
        let is_nearest = last.shifts[1] & 1 == 0 && last.constants[0] as u64 == u64::MAX;
        if !is_own || !is_alike || !is_nearest || sum.constants[0] != 0 {
            return None;
        }
        let pairs = self.at(top.pairs);
        let fields = PowerFields {
            power: power.constants[0] as i64 - top.offset,
            own_power: BIAS + LEAST_PLACE + 1 + own.left,
            scale: i64::from(last.shifts[0]) - FIELDS_APART + offset + top.offset,
            least: LEAST_FIELD,
        };
        let cut = last.constants[1];
        let shift = LateShift {
            left: [products.left, own.after],
            dropped: cut as u32,
            is_floor: cut >> 64 != 0,
        };
        Some(Link {
            of: pairs.to,
            exponents: self.pairs(&pairs.args)?,
            products: vec![self.pairs(&sum_of_reals.args[1..])?],
            signs: Vec::new(),
            rule: fields.rule(&top, pairs, last, Some(&shift))?,
        })
    }

    /// The number that the value is, shifted left at the end, if it is shifted right from its own
    /// exponent to the greatest one.
    fn shifted_right(
        &self,
        value: Value,
        after: u32,
        top: &GreatestExponent,
    ) -> Option<ShiftedNumber> {
        let right = self.at(value);
        if right.code == Code::ConvertSigned {
            return self.shifted_right(right.args[0], after, top);
        }
        let (Code::ShiftRightSigned, &[left, greatest, exponent]) = (right.code, &right.args[..])
        else {
            return None;
        };
        let scaled = self.at(left);
        let is_alike = self.shifted(greatest) == (top.value, 0)
            && scaled.code == Code::Scale
            && scaled.constants[0] == 0;
        let of = self.at(scaled.args[0]);
        is_alike.then(|| ShiftedNumber {
            of: match of.code {
                Code::ConvertSigned if of.to == Type::U64 => of.args[0],
                _ => scaled.args[0],
            },
            left: scaled.shifts[0].into(),
            after: after.into(),
            exponent,
        })
    }

    /// True if the value is the significand of a register with the register's sign.
    fn is_significand(&self, value: Value, register: Value) -> bool {
        let negated = self.at(value);
        let (Code::NegateIf, &[sign, of]) = (negated.code, &negated.args[..]) else {
            return false;
        };
        let [sign, of] = [sign, of].map(|value| self.at(value));
        let is_sign = sign.code == Code::Bit && sign.constants[0] == SIGN;
        let is_number = of.code == Code::ExtractAdd && of.constants == SIGNIFICAND;
        is_sign && is_number && self.is(sign.args[0], register) && self.is(of.args[0], register)
    }
}
