//! Signatures: the formats and the numbers of the operands of a dot-add.

use crate::numbers::float::Format;
use std::fmt;

/// The formats and numbers of the operands of a dot-add, and the format of its result.
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

    /// The number of scale factors of `a`; `b` has as many.
    pub fn scale_count(&self) -> u32 {
        self.scales
            .map_or(0, |scales| self.products.div_ceil(scales.block))
    }
}

/// Writes the signature as `16 products f16 x f16, c f32, result f32`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signature { a, b, c, d, .. } = self;
        write!(f, "{} products {a} x {b}", self.products)?;
        if let Some(scales) = self.scales {
            write!(f, ", {} scales of {}", scales.format, scales.block)?;
        }
        write!(f, ", c {c}, result {d}")
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
