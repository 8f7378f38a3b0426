//! The operations of a dot instruction: each result is rounded and flushed, and a NaN follows the
//! rule of the processor.

use crate::machines::algorithms::flushed::{FlushedResults, operation_flushed};
use crate::machines::algorithms::{Exact, Operands, Stages};
use crate::numbers::bits::{Bv, Prop, mux};
use crate::numbers::float::{
    Arithmetic, FlushedTo, Format, NanCode, Rounding, first_nan, flush, ieee_add, ieee_fma,
    ieee_multiply, unpack,
};

const F32: Format = Format::F32;

/// The subnormal operands that count as zeros of the same sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlushedOperands {
    /// No operands are flushed.
    Neither,
    /// Only `c` is flushed; subnormal factors keep their value.
    Addend,
    /// Factors and `c` are flushed.
    All,
}

impl FlushedOperands {
    pub(super) fn factor<B: Bv>(self, format: &Format, bits: &B) -> B {
        match self {
            FlushedOperands::Neither | FlushedOperands::Addend => bits.clone(),
            FlushedOperands::All => flush(format, FlushedTo::SameSign, bits),
        }
    }

    pub(super) fn addend<B: Bv>(self, bits: &B) -> B {
        match self {
            FlushedOperands::Neither => bits.clone(),
            FlushedOperands::Addend | FlushedOperands::All => {
                flush(&F32, FlushedTo::SameSign, bits)
            }
        }
    }
}

/// The rule for the NaN result of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NanRule {
    /// `7fc00000` (Arm with default NaNs, RISC-V).
    Default,
    /// The first NaN among the operands, made quiet, with its sign and payload; `ffc00000` if no
    /// operand is a NaN. Factors come before the sum of the earlier products, and `c` comes before
    /// the sum of products.
    X86,
    /// The first NaN among the operands, made quiet, with its sign and payload; `7fc00000` if no
    /// operand is a NaN. The left factors come first, in their order; then come the right factors
    /// in reverse order, as in `fma(a0, b0, a1 * b1)`, whose addend comes before the right factor
    /// `b0`. The sum of products comes before `c`.
    Power,
}

/// The operations of a dot instruction.
pub(super) struct Steps {
    pub factors: [Format; 2],
    pub rounding: Rounding,
    pub results: FlushedResults,
    pub nan: NanRule,
}

impl Steps {
    /// `a * b + c`.
    pub fn fma<B: Bv>(&self, a: &B, b: &B, c: &B) -> B {
        let [x, y] = &self.factors;
        let d = self.rounded(|to| ieee_fma(to, [x, y], &F32, a, b, c));
        self.with_nan([(x, a), (y, b), (&F32, c)], &d)
    }

    /// `a * b`.
    pub fn multiply<B: Bv>(&self, a: &B, b: &B) -> B {
        let [x, y] = &self.factors;
        let d = self.rounded(|to| ieee_multiply(to, [x, y], a, b));
        self.with_nan([(x, a), (y, b)], &d)
    }

    /// `c + sum`.
    pub fn add_to_c<B: Bv>(&self, c: &B, sum: &B) -> B {
        match self.nan {
            NanRule::Power => self.add(sum, c),
            NanRule::Default | NanRule::X86 => self.add(c, sum),
        }
    }

    /// `x + y`.
    pub fn add<B: Bv>(&self, x: &B, y: &B) -> B {
        // If the result has another format than the operands, the sum is computed as `x * 1 + y`,
        // by a fused multiply-add.
        let one = B::lit(F32.width(), F32.one());
        let d = self.rounded(|to| {
            if to.format == F32 {
                ieee_add(&F32, to.rounding, to.nan, x, y)
            } else {
                ieee_fma(to, [&F32, &F32], &F32, x, &one, y)
            }
        });
        self.with_nan([(&F32, x), (&F32, y)], &d)
    }

    /// The exact sum of the products, rounded once.
    pub fn exact_sum<B: Bv>(&self, a: &[B], b: &[B]) -> B {
        let [x, y] = &self.factors;
        // The addend must change nothing. -0 keeps even a sum of -0; in rounding down, +0 does the
        // same.
        let nothing = match self.rounding {
            Rounding::Rd => 0,
            _ => F32.sign_mask(),
        };
        let nothing = B::lit(F32.width(), nothing);
        let d = self.rounded(|to| {
            let exact = Exact {
                a: *x,
                b: *y,
                c: F32,
                out: to.format,
                products: a.len() as u32,
                scales: None,
                rounding: to.rounding,
                nan: to.nan,
            };
            let stage = exact.sum(Operands::plain(a, b, &nothing), &mut Stages::new());
            stage.result.clone()
        });
        let pairs = a.iter().zip(b);
        let invalid: Vec<B> = pairs.map(|(a, b)| self.invalid_product(a, b)).collect();
        let left = a.iter().map(|bits| (x, bits));
        // The right factor of a product is followed by the NaN that the product itself gives.
        let right = b.iter().zip(&invalid).rev();
        let right = right.flat_map(|(bits, invalid)| [(y, bits), (&F32, invalid)]);
        self.with_nan(left.chain(right), &d)
    }

    /// The NaN that the product of zero and infinity gives; +0 for other products.
    fn invalid_product<B: Bv>(&self, a: &B, b: &B) -> B {
        let [x, y] = &self.factors;
        let (a, b) = (unpack(x, a), unpack(y, b));
        let invalid = a.zero.and(&b.infinite).or(&a.infinite.and(&b.zero));
        let nothing = B::lit(F32.width(), 0);
        mux(&invalid, &B::lit(F32.width(), self.invalid()), &nothing)
    }

    /// The NaN of an invalid operation on numbers and infinities.
    fn invalid(&self) -> u64 {
        let quiet = F32.nan(NanCode::Quiet);
        match self.nan {
            NanRule::X86 => quiet | F32.sign_mask(),
            NanRule::Default | NanRule::Power => quiet,
        }
    }

    /// The result of `operation`, which gets the format and the rounding to use. Tiny results are
    /// flushed as `results` says.
    fn rounded<B: Bv>(&self, operation: impl Fn(&Arithmetic) -> B) -> B {
        operation_flushed(&F32, self.rounding, NanCode::Quiet, self.results, operation)
    }

    /// `result`; if an operand or the result is a NaN, the NaN that the rule of the processor
    /// chooses.
    fn with_nan<'x, B: Bv + 'x>(
        &self,
        operands: impl IntoIterator<Item = (&'x Format, &'x B)>,
        result: &B,
    ) -> B {
        if self.nan == NanRule::Default {
            return result.clone();
        }
        let invalid = B::lit(F32.width(), self.invalid());
        let result = mux(&unpack(&F32, result).nan, &invalid, result);
        first_nan(&F32, operands, &result)
    }
}
