//! Signatures: the formats and the numbers of the operands of a dot-add, or of a conversion.

use mmasmt_numbers::float::Format;
use std::fmt;

/// The formats and numbers of the operands of a dot-add, and the format of its result. A conversion takes
/// numbers and no products: its `b` is [`Format::NONE`], and its `c` may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Format of `a`.
    pub a: Format,
    /// Format of `b`.
    pub b: Format,
    /// Format of the accumulator operand `c`.
    pub c: Format,
    /// Format of the result.
    pub d: Format,
    /// Number of products.
    pub products: u32,
    /// Block scales of both factors.
    pub scales: Option<BlockScales>,
}

impl Signature {
    /// Whether factors are integers. If so, `c` and the result are integers too.
    pub fn is_integer(&self) -> bool {
        self.a.is_integer()
    }

    /// True if there is one row of numbers and no row of factors beside it.
    #[inline(always)]
    pub fn is_conversion(&self) -> bool {
        self.b == Format::NONE
    }

    /// True if there is an operand `c`.
    #[inline(always)]
    pub fn has_c(&self) -> bool {
        self.c != Format::NONE
    }

    /// The number of scale factors of `a`; `b` has as many.
    pub fn scale_count(&self) -> u32 {
        self.scales
            .map_or(0, |scales| self.products.div_ceil(scales.block))
    }
}

/// Writes the signature as `16 products f16 x f16, c f32, result f32`, or `1 number f32, result bf16`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signature { a, b, c, d, .. } = self;
        match (self.is_conversion(), self.products) {
            (false, products) => write!(f, "{products} products {a} x {b}")?,
            (true, 1) => write!(f, "1 number {a}")?,
            (true, numbers) => write!(f, "{numbers} numbers {a}")?,
        }
        if let Some(scales) = self.scales {
            write!(f, ", {} scales of {}", scales.format, scales.block)?;
        }
        if self.has_c() {
            write!(f, ", c {c}")?;
        }
        write!(f, ", result {d}")
    }
}

/// Scale factors that blocks of factors share: factor `k` has scale number `k / block` of its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockScales {
    /// The format of the scale factors.
    pub format: Format,
    /// The number of factors that share one scale factor.
    pub block: u32,
}
