//! Infinities and NaNs of a sum (Xie et al. §IV-C step 1).

use super::{Format, NanCode, UnpackedRegister};
use crate::bits::{Bv, Prop, mux};

/// The properties of a term that decide whether a sum is an infinity or a NaN.
#[derive(Clone, Debug)]
pub struct SpecialTerm<B: Bv> {
    /// Whether the term is a NaN.
    pub nan: B::Bool,
    /// Whether the term is an infinity; unspecified for a NaN.
    pub infinite: B::Bool,
    /// Whether the term is negative.
    pub sign: B::Bool,
}

impl<B: Bv> SpecialTerm<B> {
    /// The term for the product of `a` and `b`: NaN if a factor is NaN, or for zero times infinity.
    #[inline(always)]
    pub fn product(a: &UnpackedRegister<B>, b: &UnpackedRegister<B>) -> Self {
        let invalid = a.infinite.and(&b.zero).or(&a.zero.and(&b.infinite));
        SpecialTerm {
            nan: a.nan.or(&b.nan).or(&invalid),
            infinite: a.infinite.or(&b.infinite),
            sign: a.sign.xor(&b.sign),
        }
    }

    /// The term for the summand `x`.
    #[inline(always)]
    pub fn summand(x: &UnpackedRegister<B>) -> Self {
        SpecialTerm {
            nan: x.nan.clone(),
            infinite: x.infinite.clone(),
            sign: x.sign.clone(),
        }
    }
}

/// The register of `format` for the sum of `terms`: NaN if a term is NaN or there are infinities of
/// both signs, infinity if there are infinities of one sign, else `finite` (Xie et al. §IV-C step
/// 1).
#[inline(always)]
pub fn special_or_finite<'t, B: Bv + 't>(
    terms: impl Iterator<Item = &'t SpecialTerm<B>> + Clone,
    format: &Format,
    nan_code: NanCode,
    finite: &B,
) -> B {
    let beyond = format.beyond_finite();
    special_beyond(terms, format, (nan_code, beyond), finite)
}

/// Like [`special_or_finite`], with the code `beyond` in place of an infinity.
#[inline(always)]
pub fn special_beyond<'t, B: Bv + 't>(
    terms: impl Iterator<Item = &'t SpecialTerm<B>> + Clone,
    format: &Format,
    (nan_code, beyond): (NanCode, u64),
    finite: &B,
) -> B {
    let nan = B::Bool::any(terms.clone().map(|term| term.nan.clone()));
    let positive = B::Bool::any(
        terms
            .clone()
            .map(|term| term.infinite.and(&term.sign.not())),
    );
    let negative = B::Bool::any(terms.map(|term| term.infinite.and(&term.sign)));

    let nan = nan.or(&positive.and(&negative));
    let infinite = positive.or(&negative);
    // In two's complement the least number is one further from zero than the greatest.
    let below = beyond + u64::from(format.is_complement());
    let [below, beyond] = [below, beyond].map(|end| B::lit(format.code_bits(), end));
    let infinity = format.assemble(&negative, &mux(&negative, &below, &beyond));
    let nan_register = B::lit(format.width(), format.nan(nan_code));
    mux(&nan, &nan_register, &mux(&infinite, &infinity, finite))
}
