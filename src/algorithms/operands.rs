//! Operands of a dot-add, borrowed or owned, and what a signature says of them.

use crate::float::Format;
use std::fmt;

/// What a dot-add takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Format of `a`.
    pub a: Format,
    /// Format of `b`.
    pub b: Format,
    /// Format of the accumulator in.
    pub c: Format,
    /// Format of the result.
    pub d: Format,
    /// Number of products.
    pub products: u32,
    /// Block scales of both factors.
    pub scales: Option<BlockScales>,
}

impl Signature {
    /// How many scale factors each side has.
    pub fn scale_count(&self) -> u32 {
        self.scales
            .map_or(0, |scales| self.products.div_ceil(scales.block))
    }
}

/// In words, for error messages.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signature {
            a,
            b,
            c,
            d,
            products,
            scales,
        } = self;
        write!(f, "{products} products {a} x {b}")?;
        if let Some(scales) = scales {
            write!(f, ", {} scales of {}", scales.format, scales.block)?;
        }
        write!(f, ", c {c}, result {d}")
    }
}

/// Scale factors that blocks of factors share: factor `k` has number `k / block` of its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockScales {
    /// Their format.
    pub format: Format,
    /// How many factors share one.
    pub block: u32,
}

/// Operands of a dot-add: as many `a` as `b`, and a `c`, in the widths of their formats.
#[derive(Debug)]
pub struct Operands<'x, B> {
    /// Left factors.
    pub a: &'x [B],
    /// Right factors.
    pub b: &'x [B],
    /// The accumulator in.
    pub c: &'x B,
    /// Scale factors of blocks of `a`; none where there are no scales.
    pub a_scales: &'x [B],
    /// Scale factors of blocks of `b`, as many.
    pub b_scales: &'x [B],
}

impl<B> Clone for Operands<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B> Copy for Operands<'_, B> {}

impl<'x, B> Operands<'x, B> {
    /// Operands without scales.
    pub fn plain(a: &'x [B], b: &'x [B], c: &'x B) -> Self {
        Operands {
            a,
            b,
            c,
            a_scales: &[],
            b_scales: &[],
        }
    }
}

/// Operands of one dot-add that own their registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Registers<B> {
    /// Left factors.
    pub a: Vec<B>,
    /// Right factors, as many.
    pub b: Vec<B>,
    /// The accumulator in.
    pub c: B,
    /// Scale factors of blocks of `a`; none where there are no scales.
    pub a_scales: Vec<B>,
    /// Scale factors of blocks of `b`, as many.
    pub b_scales: Vec<B>,
}

impl<B> Registers<B> {
    /// Operands without scales.
    pub fn new(a: Vec<B>, b: Vec<B>, c: B) -> Self {
        Registers {
            a,
            b,
            c,
            a_scales: Vec::new(),
            b_scales: Vec::new(),
        }
    }

    /// The operands as an algorithm takes them.
    pub fn operands(&self) -> Operands<'_, B> {
        Operands {
            a: &self.a,
            b: &self.b,
            c: &self.c,
            a_scales: &self.a_scales,
            b_scales: &self.b_scales,
        }
    }

    /// What `make` gives for each register and its format.
    pub fn map<T>(
        &self,
        signature: &Signature,
        mut make: impl FnMut(&Format, &B) -> T,
    ) -> Registers<T> {
        let scale = signature
            .scales
            .map_or(Format::UE8M0, |scales| scales.format);
        let mut row = |format: &Format, registers: &[B]| -> Vec<T> {
            registers.iter().map(|bits| make(format, bits)).collect()
        };
        let (a, b) = (row(&signature.a, &self.a), row(&signature.b, &self.b));
        let a_scales = row(&scale, &self.a_scales);
        let b_scales = row(&scale, &self.b_scales);
        Registers {
            a,
            b,
            c: make(&signature.c, &self.c),
            a_scales,
            b_scales,
        }
    }

    /// Every register with its format: `a`, `b`, `c`, the scales of `a`, the scales of `b`.
    pub fn each<'x>(
        &'x self,
        signature: &'x Signature,
    ) -> impl Iterator<Item = (Format, &'x B)> + Clone {
        let scale = signature
            .scales
            .map_or(Format::UE8M0, |scales| scales.format);
        let row = |format: Format, registers: &'x [B]| registers.iter().map(move |x| (format, x));
        row(signature.a, &self.a)
            .chain(row(signature.b, &self.b))
            .chain(row(signature.c, std::slice::from_ref(&self.c)))
            .chain(row(scale, &self.a_scales))
            .chain(row(scale, &self.b_scales))
    }
}
