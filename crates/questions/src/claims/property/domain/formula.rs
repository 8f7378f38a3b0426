//! A set of registers as a formula: whether a register is a member, to which member it is moved, and
//! which number comes next.

use super::code_set::CodeSet;
use super::members::ones;
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Prop, mux};
use mmasmt_numbers::float::{integer, unpack, with_field};
use std::ops::RangeInclusive;

/// A width in bits in which every integer and every limit fits in two's complement.
const WIDTH: u32 = 66;

/// The successor of a number: the next greater number that the domain admits.
pub struct Successor<B: Instance> {
    /// The register of the successor.
    pub register: B,
    /// Whether there is a successor.
    pub exists: B::Bool,
}

impl CodeSet {
    /// Whether the register is in the set.
    pub fn holds<B: Instance>(&self, register: &B) -> B::Bool {
        if self.is_everything() {
            return B::Bool::constant(true);
        }
        let format = &self.format;
        if format.is_integer() {
            let ranges = self.integers();
            return B::Bool::any(
                ranges
                    .iter()
                    .map(|range| self.is_between(register, range))
                    .collect::<Vec<_>>(),
            );
        }
        let code = format.code_of(register);
        // Finiteness is asked as models ask for it, so that solvers see one term.
        let finite = CodeSet::all(format).finite();
        let is_finite = self.finite().ranges == self.ranges;
        let open = |sign: usize| -> Vec<RangeInclusive<u64>> {
            let all = finite.ranges[sign].first().filter(|_| is_finite);
            let ranges = self.ranges[sign].iter();
            let opened = ranges.map(|range| match all {
                Some(all) if all == range => 0..=ones(code.width()),
                Some(all) if all.end() == range.end() => *range.start()..=ones(code.width()),
                _ => range.clone(),
            });
            opened.collect()
        };
        let (positive, negative) = (open(0), open(1));
        let of_positive = in_ranges(&code, &positive);
        let in_range = if positive == negative || format.sign_mask() == 0 {
            of_positive
        } else {
            let sign = register.msb();
            let of_negative = sign.and(&in_ranges(&code, &negative));
            of_negative.or(&sign.not().and(&of_positive))
        };
        let mut parts = vec![in_range];
        if positive != self.ranges[0] || negative != self.ranges[1] {
            parts.push(unpack(format, register).finite());
        }
        if self.cleared > 0 {
            parts.push(has_zeros(&code, self.cleared));
        }
        parts.extend(self.has_low_zeros(&code));
        let unread = self.unread;
        if unread.mask != 0 {
            let width = format.width();
            let read = register.and(&B::lit(width, unread.mask));
            parts.push(read.equals(&B::lit(width, unread.bits)));
        }
        B::Bool::all(parts)
    }

    /// The integers as ranges.
    fn integers(&self) -> Vec<RangeInclusive<i128>> {
        let signed = |code: &u64, negative: bool| match negative {
            true => -i128::from(*code),
            false => i128::from(*code),
        };
        let [positive, negative] = &self.ranges;
        let negative = negative
            .iter()
            .rev()
            .map(|range| signed(range.end(), true)..=signed(range.start(), true));
        let positive = positive
            .iter()
            .map(|range| signed(range.start(), false)..=signed(range.end(), false));
        let mut all: Vec<RangeInclusive<i128>> = Vec::new();
        for range in negative.chain(positive) {
            match all.last_mut() {
                Some(last) if *last.end() + 1 == *range.start() => {
                    *last = *last.start()..=*range.end()
                }
                _ => all.push(range),
            }
        }
        all
    }

    /// Whether an integer is in a range; the ends of the format are no limits.
    fn is_between<B: Instance>(&self, register: &B, range: &RangeInclusive<i128>) -> B::Bool {
        let format = &self.format;
        let x = integer(format, register, WIDTH);
        let limit = |value: i128| B::lit(64, value as u64).sext(WIDTH);
        let (low, high) = (*range.start(), *range.end());
        if low == high {
            return register.equals(&B::lit(format.width(), low as u64 & ones(format.width())));
        }
        let mut parts = Vec::new();
        match low {
            0 if format.is_signed() => parts.push(register.msb().not()),
            0 => {}
            _ if low == least_integer(self) => {}
            _ => parts.push(x.slt(&limit(low)).not()),
        }
        match high {
            -1 => parts.push(register.msb()),
            _ if high == format.max_finite().into() => {}
            _ => parts.push(limit(high).slt(&x).not()),
        }
        B::Bool::all(parts)
    }

    /// The conditions that bits below the digits and below the unit are 0. Greater numbers have more of the first,
    /// lesser ones more of the second.
    fn has_low_zeros<B: Instance>(&self, code: &B) -> Vec<B::Bool> {
        let mut parts = Vec::new();
        if !self.has_limits() {
            return parts;
        }
        let at_least = |limit: u64| in_range(code, &(limit..=ones(code.width())));
        let binades = self.binades();
        let mut least = self.cleared;
        for (index, start) in binades.iter().enumerate() {
            let zeros = self.below_digits(*start);
            if zeros > least {
                least = zeros;
                let zero = has_zeros(code, zeros);
                parts.push(if index == 0 {
                    zero
                } else {
                    at_least(*start).not().or(&zero)
                });
            }
        }
        let mut least = self.cleared;
        for (index, start) in binades.iter().enumerate().rev() {
            let zeros = self.below_unit(*start).unwrap_or(0);
            if zeros > least {
                least = zeros;
                let zero = has_zeros(code, zeros);
                let next = binades.get(index + 1);
                parts.push(next.map_or(zero.clone(), |next| at_least(*next).or(&zero)));
            }
        }
        // No number beside zero is less than the unit.
        let is_zero = match self.format.has_zero() {
            true => code.is_zero(),
            false => B::Bool::constant(false),
        };
        parts.push(match binades.first() {
            Some(first) => is_zero.or(&at_least(*first)),
            None => is_zero,
        });
        parts
    }

    /// The register moved towards the set: a member does not change. The exponent field is clamped, which keeps
    /// formulas narrow; then [`Self::shaped`].
    pub fn moved<B: Instance>(&self, register: &B) -> B {
        let ends = self.ends();
        let least = ends.iter().map(|(_, codes)| *codes.start()).min();
        let (Some(least), Some(most)) = (least, ends.iter().map(|(_, codes)| *codes.end()).max())
        else {
            return register.clone();
        };
        let format = &self.format;
        if format.is_integer() {
            return self.shaped(&self.clamped_integer(register));
        }
        if format.is_complement() {
            return self.shaped(register);
        }
        let field = |code: u64| code >> format.fraction_bits;
        let (low, high) = (field(least), field(most));
        let is_whole = low == 0 && high >= format.max_exponent_field();
        let clamped = match is_whole {
            true => register.clone(),
            false => self.clamped(register, low, high),
        };
        self.shaped(&clamped)
    }

    /// The register with all that the set fixes: a sign, a code, low bits, bits that nothing reads.
    pub fn shaped<B: Instance>(&self, register: &B) -> B {
        let format = &self.format;
        let width = format.width();
        let ends = self.ends();
        let Some((negative, first)) = ends.first() else {
            return register.clone();
        };
        let has_sign = format.sign_mask() != 0;
        let is_one = ends
            .iter()
            .all(|(_, codes)| codes.start() == codes.end() && codes == first);
        if is_one && (ends.len() == 1 || !has_sign) && self.fixes_unread() {
            return B::lit(width, self.register(*negative, *first.start()));
        }
        // The limits of an integer, its sign among them, are kept by the clamp.
        if format.is_integer() {
            return register.clone();
        }
        let sign = match ends {
            [(negative, _)] if has_sign => Some(*negative),
            _ => None,
        };
        let is_one = is_one && has_sign && format.has_fields();
        let register = match (sign, self.common_zeros(), is_one) {
            (None, 0, false) => register.clone(),
            (sign, zeros, is_one) => {
                let (below, low) = (width - u32::from(has_sign), format.unread_bits());
                let code = register.extract(below - 1, low);
                let code = match zeros {
                    _ if is_one => B::lit(below - low, *first.start()),
                    0 => code,
                    zeros if zeros >= below - low => B::lit(below - low, 0),
                    zeros => code.extract(below - low - 1, zeros).widen_low(zeros),
                };
                let rest = match low {
                    0 => code,
                    _ => code.concat(&register.extract(low - 1, 0)),
                };
                match sign {
                    _ if !has_sign => rest,
                    Some(negative) => B::from_prop(1, &B::Bool::constant(negative)).concat(&rest),
                    None => register.extract(width - 1, width - 1).concat(&rest),
                }
            }
        };
        let kept = ones(width) & !self.unread.mask;
        match self.unread.mask {
            0 => register,
            _ => register
                .and(&B::lit(width, kept))
                .or(&B::lit(width, self.unread.bits)),
        }
    }

    /// Whether all bits that nothing reads are fixed.
    fn fixes_unread(&self) -> bool {
        let read = self.format.magnitude_bits()
            + u32::from(self.format.sign_mask() != 0 && !self.format.is_complement());
        self.unread.mask.count_ones() + read >= self.format.width()
    }

    /// The register with its exponent field clamped to `low..=high`.
    fn clamped<B: Instance>(&self, register: &B, low: u64, high: u64) -> B {
        let format = &self.format;
        let bits = format.field_width();
        let below = format.bits_below_field();
        let top = ones(bits);
        let at_least = |field: B, limit: u64| match limit {
            0 => field,
            _ => B::umax(&[field, B::lit(bits, limit)]),
        };
        let field = register.extract(below + bits - 1, below);
        let at_most = match high.min(top) {
            high if high == top => field,
            high => at_least(field.not(), top - high).not(),
        };
        with_field(format, register, &at_least(at_most, low))
    }

    /// The integer clamped to the least and the greatest one of the set. The clamp tells the term layer the
    /// range of the integer.
    fn clamped_integer<B: Instance>(&self, register: &B) -> B {
        let integers = self.integers();
        let (Some(first), Some(last)) = (integers.first(), integers.last()) else {
            return register.clone();
        };
        let width = self.format.width();
        let origin = least_integer(self);
        let greatest = i128::from(ones(width));
        // The limits, counted from the least integer of the format.
        let (low, high) = (*first.start() - origin, *last.end() - origin);
        let least = B::lit(width, -origin as u64);
        let at_least = |x: B, limit: i128| B::umax(&[x, B::lit(width, limit as u64)]);
        if low == 0 && high == greatest {
            return register.clone();
        }
        let counted = register.add(&least);
        let at_most = at_least(counted.not(), greatest - high).not();
        at_least(at_most, low).sub(&least)
    }

    /// Whether some number and the next one differ by another step than others: the next one is then no
    /// [`next`](Self::next).
    pub fn has_gaps(&self) -> bool {
        self.numbers().step_bits().is_none()
    }

    /// The numbers and infinities of the set.
    fn numbers(&self) -> CodeSet {
        let format = &self.format;
        let mut set = self.finite();
        if format.has_infinity() {
            set = self.with_codes(0..=format.beyond_finite());
        }
        set
    }

    /// The next greater member after `register`, which is a member or a NaN; -0 is below +0. There is
    /// no next number after the greatest number or after a NaN.
    pub fn next<B: Instance>(&self, register: &B) -> Successor<B> {
        let format = &self.format;
        let set = self.numbers();
        let x = unpack(format, register);
        let bits = format.magnitude_bits();
        let code = format.code_of(register);
        let code_of = |code: &u64| B::lit(bits, *code);
        let step = code_of(&(1 << set.step_bits().unwrap_or(0)));
        let signed = |negative: bool, code: &B| format.assemble(&B::Bool::constant(negative), code);
        let up = signed(false, &code.add(&step));
        let down = || signed(true, &code.sub(&step));
        let ends = set.ends();
        let of_sign = |wanted: bool| {
            let mut ends = ends.iter();
            ends.find_map(|(negative, codes)| (*negative == wanted).then_some(codes))
        };
        let before_greatest = |codes: &RangeInclusive<u64>| code.ult(&code_of(codes.end()));
        let is_last = |codes: &RangeInclusive<u64>| code.equals(&code_of(codes.start()));
        let (register, exists) = match (of_sign(false), of_sign(true)) {
            (None, None) => (up, B::Bool::constant(false)),
            (Some(positive), None) => (up, before_greatest(positive)),
            (None, Some(negative)) => (down(), is_last(negative).not()),
            (Some(positive), Some(negative)) => {
                let least = signed(false, &code_of(positive.start()));
                let rising = mux(&is_last(negative), &least, &down());
                (
                    mux(&x.sign, &rising, &up),
                    x.sign.or(&before_greatest(positive)),
                )
            }
        };
        Successor {
            register,
            exists: exists.and(&x.nan.not()),
        }
    }
}

/// The least integer of a format of integers.
fn least_integer(set: &CodeSet) -> i128 {
    match set.format.is_signed() {
        true => -i128::from(set.format.max_finite_of(true)),
        false => 0,
    }
}

fn has_zeros<B: Instance>(code: &B, zeros: u32) -> B::Bool {
    code.extract(zeros - 1, 0).is_zero()
}

fn in_ranges<B: Instance>(code: &B, ranges: &[RangeInclusive<u64>]) -> B::Bool {
    B::Bool::any(
        ranges
            .iter()
            .map(|range| in_range(code, range))
            .collect::<Vec<_>>(),
    )
}

/// Whether a code is in a range. Low bits that decide nothing are not compared.
fn in_range<B: Instance>(code: &B, range: &RangeInclusive<u64>) -> B::Bool {
    let width = code.width();
    let (low, high) = (*range.start(), (*range.end()).min(ones(width)));
    if low == high {
        return code.equals(&B::lit(width, low));
    }
    let high_bits = |limit: u64| {
        let dropped = limit.trailing_zeros();
        (code.extract(width - 1, dropped), limit >> dropped)
    };
    let mut parts = Vec::new();
    if low > 0 {
        let (high_bits, limit) = high_bits(low);
        parts.push(match limit {
            1 => high_bits.is_zero().not(),
            _ => B::lit(high_bits.width(), limit).ule(&high_bits),
        });
    }
    if high < ones(width) {
        let (high_bits, limit) = high_bits(high + 1);
        parts.push(match limit {
            1 => high_bits.is_zero(),
            _ if limit == ones(high_bits.width()) => {
                high_bits.equals(&B::lit(high_bits.width(), limit)).not()
            }
            _ => high_bits.ult(&B::lit(high_bits.width(), limit)),
        });
    }
    B::Bool::all(parts)
}
