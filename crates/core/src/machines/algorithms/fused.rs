//! The fused sum that the algorithms share: terms are aligned to their largest exponent, cut,
//! summed exactly, and rounded once; infinities and NaNs then replace the result.

use super::align::{Align, align, loses};
use super::flushed::{FlushedResults, round_flushed};
use super::{Fused, Grid, SumOverflow, Summand};
use crate::numbers::bits::{Bv, HostRounding, Prop, mux};
use crate::numbers::float::{
    Format, NanCode, Overflow, Rounding, Unrounded, host_mode, round_sticky, special_or_finite,
};

/// The rules for the conversion of a sum to a result.
#[derive(Clone, Copy)]
pub(super) struct Rounded {
    pub format: Format,
    pub rounding: Rounding,
    pub overflow: Overflow,
    /// The results that become zeros of their sign. If there are such results, a result that is too
    /// large becomes infinity, whatever `overflow` says.
    pub flushed: FlushedResults,
    pub zero: ZeroSign,
    /// Code of a NaN result.
    pub nan: NanCode,
}

/// The sign of a result that is zero.
#[derive(Clone, Copy)]
pub(super) enum ZeroSign {
    /// A sum of zero is +0.
    Plus,
    /// The result is -0 where every term is -0, and otherwise +0.
    SharedByZeros,
    /// The rule of IEEE 754 §6.3 for two summands, applied to all terms: an exact zero has the sign
    /// that all terms share. If the terms have different signs, it is +0, or -0 in rounding down.
    Ieee,
}

/// The sum in the `width` bits that the unit has.
#[inline(always)]
pub(super) fn kept<B: Bv>(sum: &B, width: u32, overflow: SumOverflow) -> B {
    let low = sum.extract(width - 1, 0);
    match overflow {
        SumOverflow::Wrap => low,
        SumOverflow::Saturate => {
            let fits = low.sext(sum.width()).equals(sum);
            let least = B::lit(1, 1).widen_low(width - 1);
            let nearest = mux(&sum.msb(), &least, &least.not());
            mux(&fits, &low, &nearest)
        }
    }
}

impl<B: Bv> Fused<B> {
    /// Aligns the terms to the largest exponent, cuts them to the fraction bits of the grid, and
    /// sums them in `width` bits, which are enough for the exact sum.
    #[inline(always)]
    pub(super) fn add_up(&mut self, rule: Align, width: u32) {
        self.find_largest();
        // Each call has a constant rule, so that the compiler specialises its loop.
        match rule {
            Align::Trunc => self.align(Align::Trunc, width),
            Align::Floor => self.align(Align::Floor, width),
            Align::Sticky => self.align(Align::Sticky, width),
        }
        self.sum = B::sum(&self.aligned);
    }

    /// Records the sticky bit: whether alignment lost a one of any term.
    pub(super) fn keep_sticky(&mut self) {
        let (grid, count) = (&self.grid, self.terms.len());
        let terms = self.terms.iter().zip(&self.exponents).enumerate();
        let lost = terms.map(|(index, (term, exponent))| {
            let (_, fraction) = grid.term(index, count);
            let distance = self.max_exponent.sub(exponent);
            loses(&term.significand, &distance, (fraction, grid.fraction_bits))
        });
        self.sticky = Some(B::Bool::any(lost));
    }

    /// Finds the exponent that all terms are aligned to.
    #[inline(always)]
    pub(super) fn find_largest(&mut self) {
        self.max_exponent = B::umax(&self.exponents);
    }

    #[inline(always)]
    fn align(&mut self, rule: Align, width: u32) {
        let Grid {
            term_fraction,
            last_term,
            fraction_bits,
            ..
        } = self.grid;
        // A local variable, so that a loop that writes terms need not read the exponent again each
        // time.
        let largest = self.max_exponent.clone();
        let shifted = |term: &Summand<B>, exponent: &B, fraction| {
            let fractions = (fraction, fraction_bits);
            let (sign, distance) = (&term.special.sign, largest.sub(exponent));
            align(rule, sign, &term.significand, &distance, fractions, width)
        };
        let count = self.terms.len();
        // The vector gets its final length first, so that no term has to test its capacity.
        self.aligned.resize(count, B::lit(1, 0));
        let alike = count - usize::from(last_term.is_some());
        let terms = self.terms.iter().zip(&self.exponents);
        for (aligned, (term, exponent)) in self.aligned.iter_mut().zip(terms).take(alike) {
            *aligned = shifted(term, exponent, term_fraction);
        }
        if let Some((_, fraction)) = last_term {
            self.aligned[alike] = shifted(&self.terms[alike], &self.exponents[alike], fraction);
        }
    }

    /// Computes the result: the rounded sum, or the infinity or NaN that special terms give.
    #[inline(always)]
    pub(super) fn finish(&mut self, to: &Rounded) {
        let finite = self.round(to);
        let special = self.terms.iter().map(|term| &term.special);
        self.result = special_or_finite(special, &to.format, to.nan, &finite);
    }

    #[inline(always)]
    fn round(&self, to: &Rounded) -> B {
        if let Some(register) = self.rounded_on_host(to) {
            return register;
        }
        let negative = self.sum.msb();
        let significand = self.sum.neg_if(&negative);
        let sign = match to.zero {
            ZeroSign::Plus | ZeroSign::SharedByZeros => negative,
            ZeroSign::Ieee => {
                let zero_sign = self.shared_sign(to.rounding);
                mux(&significand.is_zero(), &zero_sign, &negative)
            }
        };
        let value = Unrounded {
            sign: &sign,
            exponent: &self.max_exponent,
            exponent_offset: self.grid.exponent_offset,
            significand: &significand,
            fraction_bits: self.grid.fraction_bits,
        };
        let sticky = self.sticky.as_ref();
        let magnitude = match to.flushed {
            FlushedResults::Kept => {
                round_sticky(&value, sticky, &to.format, to.rounding, to.overflow)
            }
            flushed => {
                let beyond = (flushed, to.overflow);
                round_flushed(&value, sticky, &to.format, to.rounding, beyond)
            }
        };
        let nonzero = || match to.flushed {
            FlushedResults::Kept => sign.and(&magnitude.is_zero().not()),
            // A result that is flushed to zero keeps its sign; a sum of zero has no sign.
            _ => sign.clone(),
        };
        let sign = match to.zero {
            ZeroSign::Plus => nonzero(),
            ZeroSign::SharedByZeros => {
                let zeros = self.terms.iter();
                let zeros = zeros.map(|term| term.zero.and(&term.special.sign));
                nonzero().or(&B::Bool::all(zeros))
            }
            ZeroSign::Ieee => sign,
        };
        to.format.assemble(&sign, &magnitude)
    }

    /// The rounded sum, if the instance leaves roundings like this one to the processor.
    #[inline(always)]
    fn rounded_on_host(&self, to: &Rounded) -> Option<B> {
        let is_plain = B::USES_HOST
            && (to.overflow, to.flushed) == (Overflow::Infinity, FlushedResults::Kept)
            && matches!(to.zero, ZeroSign::Plus)
            && self.sticky.is_none();
        if !is_plain {
            return None;
        }
        let rounding = HostRounding {
            exponent_offset: self.grid.exponent_offset - self.grid.fraction_bits as i32,
            cut: None,
            mode: host_mode(&to.format, to.rounding)?,
            keeps_sign_of_zero: false,
        };
        B::rounded_on_host(&self.sum, &self.max_exponent, &rounding)
    }

    fn shared_sign(&self, rounding: Rounding) -> B::Bool {
        let signs = self.terms.iter().map(|term| term.special.sign.clone());
        match rounding {
            Rounding::Rd => B::Bool::any(signs),
            _ => B::Bool::all(signs),
        }
    }
}
