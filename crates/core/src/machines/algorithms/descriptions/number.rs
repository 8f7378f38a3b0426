//! Numbers that were not rounded, on bit-vectors, and the steps that make them of registers and of
//! each other.

use super::magnitude::rounded_at;
use super::program::{Extent, TermStep, Zeros};
use crate::machines::algorithms::Summand;
use mmasmt_numbers::bits::{Bv, Prop, mux};
use mmasmt_numbers::float::{
    Format, Rounding, SpecialTerm, integer, unpack, unpack_flushed, unsigned_width,
};

/// `(-1)^sign * significand * 2^(exponent + lowest - fraction)`, where the lowest exponent and the
/// fraction bits are those of an [`Extent`].
#[derive(Clone)]
pub(super) struct ExactNumber<B: Bv> {
    pub significand: B,
    /// The exponent less the lowest one, in [`exponent_width`] bits.
    pub exponent: B,
    /// Whether the number is zero, its sign, and whether it is an infinity or a NaN.
    pub zero: B::Bool,
    pub special: SpecialTerm<B>,
    /// Whether the number takes no part in the search for the greatest exponent.
    pub absent: B::Bool,
    pub signs: Signs<B>,
    /// The number in two's complement, if it was made so.
    pub complement: Option<B>,
    /// Whether less than the last place was lost below the significand.
    pub sticky: Option<B::Bool>,
}

/// The signs of the terms that a number was made of, which decide the sign of a zero.
#[derive(Clone)]
pub(super) struct Signs<B: Bv> {
    /// Whether all are negative.
    pub all: B::Bool,
    /// Whether one is negative.
    pub any: B::Bool,
    /// Whether all are negative zeros.
    pub zeros: B::Bool,
}

impl<B: Bv> Signs<B> {
    fn of(sign: &B::Bool, zero: &B::Bool) -> Signs<B> {
        Signs {
            all: sign.clone(),
            any: sign.clone(),
            zeros: sign.and(zero),
        }
    }
}

/// The width of exponents of this form.
#[inline(always)]
pub(super) fn exponent_width(extent: &Extent) -> u32 {
    unsigned_width((extent.highest - extent.lowest).max(0) as u64)
}

impl<B: Bv> ExactNumber<B> {
    /// The number of a register.
    #[inline(always)]
    pub fn of_register(
        format: &Format,
        bits: &B,
        term: &TermStep,
        extent: &Extent,
    ) -> ExactNumber<B> {
        let read = term.specials.of(format);
        let x = match term.flushed {
            true => unpack_flushed(&read, bits),
            false => unpack(&read, bits),
        };
        if term.fixed {
            // The least exponent has the field 1.
            let shift = x.exponent.add_const(-1);
            return ExactNumber {
                significand: x.significand.zext(extent.width).shl(&shift),
                exponent: B::lit(1, 0),
                special: SpecialTerm::summand(&x),
                signs: Signs::of(&x.sign, &x.zero),
                absent: x.zero.clone(),
                zero: x.zero,
                complement: None,
                sticky: None,
            };
        }
        let width = exponent_width(extent);
        // The field of the least exponent of the format is 1; that of an integer means 0.
        let base = match format.is_integer() {
            true => -1,
            false => i64::from(-format.bias()) + term.shift - extent.lowest,
        };
        let room = width.max(x.exponent.width()) + 1;
        let mut exponent = x.exponent.zext(room).add_const(base);
        if term.widen {
            let (_, zeros) = x.significand.normalise(room);
            exponent = mux(&x.zero.or(&x.nan), &exponent, &exponent.sub(&zeros));
        }
        let significand = match term.widen {
            true => x.significand.normalise(room).0,
            false => x.significand.clone(),
        };
        if let Zeros::At(zero) = term.zeros {
            let zero = B::lit(room, (zero + term.shift - extent.lowest) as u64);
            exponent = mux(&x.zero, &zero, &exponent);
        }
        let absent = match term.zeros {
            Zeros::None => x.zero.clone(),
            Zeros::Field | Zeros::At(_) => B::Bool::constant(false),
        };
        ExactNumber {
            significand: significand.widen_low(term.room),
            exponent: exponent.resize(width),
            special: SpecialTerm::summand(&x),
            signs: Signs::of(&x.sign, &x.zero),
            zero: x.zero,
            absent,
            // Sums of integers are those of two's complement, as a formula about them has them.
            complement: (format.is_integer() && term.room == 0)
                .then(|| integer(format, bits, format.width() + 1)),
            sticky: None,
        }
    }

    /// The number, compared by another exponent.
    #[inline(always)]
    pub fn compared(self, term: &TermStep, from: &Extent, to: &Extent) -> ExactNumber<B> {
        let width = exponent_width(to);
        // The exponents of both are the same but for the shift.
        let own = self.rebased(from.lowest + term.shift, to.lowest, width);
        let exponent = match term.zeros {
            Zeros::At(zero) => {
                let zero = B::lit(width, (zero + term.shift - to.lowest) as u64);
                mux(&self.zero, &zero, &own)
            }
            Zeros::None | Zeros::Field => own,
        };
        let absent = match term.zeros {
            Zeros::None => self.zero.clone(),
            Zeros::Field | Zeros::At(_) => B::Bool::constant(false),
        };
        ExactNumber {
            significand: self.significand.widen_low(term.room),
            exponent,
            absent,
            complement: None,
            ..self
        }
    }

    /// The number 0 or 1 of one bit.
    pub fn of_bit(bit: &B) -> ExactNumber<B> {
        let no = B::Bool::constant(false);
        let zero = bit.is_zero();
        ExactNumber {
            significand: bit.clone(),
            exponent: B::lit(1, 0),
            special: SpecialTerm {
                nan: no.clone(),
                infinite: no.clone(),
                sign: no.clone(),
            },
            signs: Signs::of(&no, &zero),
            absent: zero.clone(),
            zero,
            complement: None,
            sticky: None,
        }
    }

    /// The exact product.
    #[inline(always)]
    pub fn product(
        &self,
        other: &ExactNumber<B>,
        [x, y]: [&Extent; 2],
        extent: &Extent,
    ) -> ExactNumber<B> {
        let zero = self.zero.or(&other.zero);
        let sign = self.special.sign.xor(&other.special.sign);
        let invalid =
            (self.special.infinite.and(&other.zero)).or(&self.zero.and(&other.special.infinite));
        let left = self.rebased(x.lowest, x.lowest, exponent_width(extent));
        let right = other.rebased(y.lowest, y.lowest, exponent_width(extent));
        let factors = self.complement.as_ref().zip(other.complement.as_ref());
        let complement = factors.map(|(x, y)| {
            let width = x.width() + y.width() - 1;
            x.sext(width).mul(&y.sext(width))
        });
        let significand = match &complement {
            Some(product) => product.neg_if(&sign).resize(extent.width),
            None => self.significand.mul_wide(&other.significand),
        };
        ExactNumber {
            significand,
            exponent: left.add(&right),
            special: SpecialTerm {
                nan: B::Bool::any([self.special.nan.clone(), other.special.nan.clone(), invalid]),
                infinite: self.special.infinite.or(&other.special.infinite),
                sign: sign.clone(),
            },
            signs: Signs::of(&sign, &zero),
            zero,
            absent: self.absent.or(&other.absent),
            complement,
            sticky: None,
        }
    }

    /// The same number whose highest bit is the leading one; a significand of zero and a NaN keep their
    /// exponent.
    pub fn normalised(self, from: &Extent, to: &Extent) -> ExactNumber<B> {
        let width = exponent_width(to).max(unsigned_width(from.width.into())) + 1;
        let (significand, zeros) = self.significand.normalise(width);
        let exponent = self.rebased(from.lowest, to.lowest, width);
        let top = from.integer_bits() - 1;
        let normal = exponent.add_const(top).sub(&zeros);
        let empty = self.significand.is_zero().or(&self.special.nan);
        ExactNumber {
            significand,
            exponent: mux(&empty, &exponent, &normal).resize(exponent_width(to)),
            complement: None,
            ..self
        }
    }

    /// Some bits of the significand, in `width` bits; what lies below them is rounded.
    #[inline(always)]
    pub fn part(self, low: u32, bits: u32, by: Rounding, width: u32) -> ExactNumber<B> {
        let part = self.significand.extract(low + bits - 1, low).zext(width);
        let significand = match low {
            0 => part,
            low => {
                let below = self.significand.extract(low - 1, 0);
                rounded_at(by, &self.special.sign, &part, &below)
            }
        };
        ExactNumber {
            significand,
            complement: None,
            ..self
        }
    }

    /// Infinite from `2^exponent` on.
    pub fn capped(self, extent: &Extent, exponent: i64) -> ExactNumber<B> {
        let width = extent.width;
        let greatest = (extent.highest - extent.lowest).max(0);
        // A number is that large if a bit of its significand is, with the exponent.
        let beyond = (0..width).filter_map(|bit| {
            let place = i64::from(bit) - extent.fraction;
            let least = exponent - place - extent.lowest;
            // The next lower bit alone says as much where it needs no exponent either.
            let is_said = bit > 0 && least < 0;
            if least > greatest || is_said {
                return None;
            }
            let bits = self.significand.extract(width - 1, bit).is_zero().not();
            Some(match least {
                ..=0 => bits,
                _ => bits.and(&B::lit(exponent_width(extent), least as u64).ule(&self.exponent)),
            })
        });
        let beyond = B::Bool::any(beyond);
        let mut capped = self;
        capped.special.infinite = capped.special.infinite.or(&beyond);
        capped
    }

    /// Zero where the exponent is less than `exponent`.
    pub fn dropped(self, extent: &Extent, exponent: i64) -> ExactNumber<B> {
        let width = exponent_width(extent);
        let is_low = match exponent - extent.lowest {
            ..=0 => B::Bool::constant(false),
            _ if exponent > extent.highest => B::Bool::constant(true),
            least => self.exponent.ult(&B::lit(width, least as u64)),
        };
        let none = B::lit(self.significand.width(), 0);
        let sticky = self.sticky.as_ref();
        ExactNumber {
            significand: mux(&is_low, &none, &self.significand),
            zero: self.zero.or(&is_low),
            sticky: sticky.map(|sticky| sticky.and(&is_low.not())),
            complement: None,
            ..self
        }
    }

    /// Minus one in the last place becomes `-2^bits` there, in `width` bits.
    pub fn miscounted(self, bits: u32, width: u32) -> ExactNumber<B> {
        let own = self.significand.zext(width);
        let is_one = own.equals(&B::lit(width, 1)).and(&self.special.sign);
        ExactNumber {
            significand: mux(&is_one, &B::lit(width, 1 << bits), &own),
            complement: None,
            ..self
        }
    }

    /// The number with infinities and NaNs of others, which come before its own.
    pub fn with_special(&self, others: &[&ExactNumber<B>]) -> ExactNumber<B> {
        let terms = others.iter().map(|one| &one.special);
        let before = terms.fold(TermSpecials::none(), |all, term| all.with(term));
        let before = before.of_sum(&B::Bool::constant(false));
        let any = before.nan.or(&before.infinite);
        let own = &self.special;
        ExactNumber {
            special: SpecialTerm {
                nan: mux(&any, &before.nan, &own.nan),
                infinite: mux(&any, &before.infinite, &own.infinite),
                sign: mux(&before.infinite, &before.sign, &own.sign),
            },
            ..self.clone()
        }
    }

    /// The exponent less `to`, where this one is less `from`, in `width` bits, which have room for
    /// it.
    #[inline(always)]
    pub fn rebased(&self, from: i64, to: i64, width: u32) -> B {
        let wide = self.exponent.zext(width.max(self.exponent.width()));
        wide.add_const(from - to).resize(width)
    }

    /// The number as a term of the stages, its significand on a common grid.
    pub fn summand(&self, room: u32) -> Summand<B> {
        Summand {
            significand: self.significand.widen_low(room),
            zero: self.zero.clone(),
            special: self.special.clone(),
        }
    }
}

/// The infinities and NaNs of terms.
#[derive(Clone)]
pub(super) struct TermSpecials<B: Bv> {
    pub nan: B::Bool,
    /// Whether a term is the positive infinity, and whether one is the negative one.
    pub up: B::Bool,
    pub down: B::Bool,
}

impl<B: Bv> TermSpecials<B> {
    /// Those of no term.
    pub fn none() -> Self {
        let no = B::Bool::constant(false);
        TermSpecials {
            nan: no.clone(),
            up: no.clone(),
            down: no,
        }
    }

    /// With those of one more term.
    #[inline(always)]
    pub fn with(&self, term: &SpecialTerm<B>) -> Self {
        TermSpecials {
            nan: self.nan.or(&term.nan),
            up: self.up.or(&term.infinite.and(&term.sign.not())),
            down: self.down.or(&term.infinite.and(&term.sign)),
        }
    }

    /// The infinity or NaN of the sum: NaN if a term is, or if there are infinities of both signs. A sum
    /// that is neither has the sign `finite`.
    pub fn of_sum(&self, finite: &B::Bool) -> SpecialTerm<B> {
        let either = self.up.or(&self.down);
        SpecialTerm {
            nan: self.nan.or(&self.up.and(&self.down)),
            sign: mux(&either, &self.down, finite),
            infinite: either,
        }
    }
}

/// What a sum keeps of its terms besides their values.
#[derive(Clone)]
pub(super) struct TermSummary<B: Bv> {
    pub specials: TermSpecials<B>,
    pub signs: Signs<B>,
    /// True if no term takes part in the search for the greatest exponent.
    pub absent: B::Bool,
}

impl<B: Bv> TermSummary<B> {
    /// That of no term.
    pub fn none() -> Self {
        let [yes, no] = [true, false].map(B::Bool::constant);
        TermSummary {
            specials: TermSpecials::none(),
            signs: Signs {
                all: yes.clone(),
                any: no,
                zeros: yes.clone(),
            },
            absent: yes,
        }
    }

    /// Adds an integer, which is no infinity and no NaN.
    #[inline(always)]
    pub fn add_integer(&mut self, sign: &B::Bool, zero: &B::Bool) {
        self.signs = Signs {
            all: self.signs.all.and(sign),
            any: self.signs.any.or(sign),
            zeros: self.signs.zeros.and(&sign.and(zero)),
        };
        self.absent = self.absent.and(zero);
    }

    /// With one more term.
    #[inline(always)]
    pub fn with(&self, term: &ExactNumber<B>) -> Self {
        TermSummary {
            specials: self.specials.with(&term.special),
            signs: Signs {
                all: self.signs.all.and(&term.signs.all),
                any: self.signs.any.or(&term.signs.any),
                zeros: self.signs.zeros.and(&term.signs.zeros),
            },
            absent: self.absent.and(&term.absent),
        }
    }
}
