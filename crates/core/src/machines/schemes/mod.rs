//! Schemes multiply numbers that are wider than the factors of a unit, by splitting them into
//! parts. Each scheme has one file, which reads like its source; `a` and `b` are f32, and the unit
//! sums in f32.

mod cutlass;
mod cutlass_bf16;
mod equation24;
mod markidis;
mod ootomo_yokota;
mod parts;
mod plain;
mod triton;
mod words;
mod xla;
mod xla_fp8;

pub use cutlass::CutlassTf32;
pub use cutlass_bf16::{CutlassBf16, ScaledAccumulator};
pub use equation24::Equation24;
pub use markidis::{Markidis, ProductOrder};
pub use ootomo_yokota::{OotomoYokota, SmallProducts, SumPlacement};
pub use plain::PlainProduct;
pub use triton::{InputPrecision, NanRule, Triton};
pub use words::Words;
pub use xla::{AddendRule, DotAlgorithm, Xla};
pub use xla_fp8::XlaFp8;

use crate::machines::algorithms::{DotAdd, Signature};
use crate::machines::sums::{PartRounding, RegisterSums, Sums};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::Format;
use parts::Processor;

/// The most products of parts that a scheme computes for one product.
pub const MOST_PRODUCTS_OF_PARTS: u64 = 64;

/// A scheme for a number of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// Number of products.
    pub products: u32,
    /// The method of the scheme.
    pub method: Method,
}

/// A method with its choices. To add a method, write a file beside this one, a line in each match
/// here, and a table of its keys in `model::keys::schemes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Markidis et al. 2018.
    Markidis(Markidis),
    /// The library of Ootomo and Yokota 2022.
    OotomoYokota(OotomoYokota),
    /// The formula of Ootomo and Yokota 2022.
    Equation24(Equation24),
    /// 3xTF32 of CUTLASS.
    CutlassTf32(CutlassTf32),
    /// 9xBF16 of CUTLASS.
    CutlassBf16(CutlassBf16),
    /// Triton.
    Triton(Triton),
    /// XLA.
    Xla(Xla),
    /// XLA with parts in FP8.
    XlaFp8(XlaFp8),
    /// Fasi et al. 2023.
    Words(Words),
    /// No splitting: operands are rounded, and there is one product.
    PlainProduct(PlainProduct),
}

/// The formats that parts can have.
enum Parts {
    /// One of these formats.
    Of(&'static [Format]),
    /// This format alone.
    One(Format),
    /// Any format that f32 can be rounded to by this rounding, if f32 holds the numbers of the
    /// format.
    Rounded(PartRounding),
}

impl Method {
    fn parts(&self) -> Parts {
        match self {
            Method::Markidis(_) | Method::Equation24(_) => Parts::One(Format::F16),
            Method::OotomoYokota(_) => Parts::Of(&[Format::F16, Format::TF32]),
            Method::CutlassTf32(_) => Parts::One(Format::TF32),
            Method::CutlassBf16(_) => Parts::One(Format::BF16),
            Method::XlaFp8(_) => Parts::One(Format::E4M3),
            Method::Triton(triton) => Parts::One(triton.part()),
            Method::Xla(xla) => Parts::One(xla.part()),
            Method::Words(_) => Parts::Rounded(PartRounding::Rne),
            Method::PlainProduct(plain) => Parts::Rounded(plain.round),
        }
    }

    /// The sum; `None` for the scheme whose parts depend on whole rows.
    fn sum<S: Sums>(&self, on: Processor<'_, S>) -> Result<Option<S::Sum>, S::Stop> {
        match self {
            Method::Markidis(markidis) => markidis.sum(on),
            Method::OotomoYokota(ootomo_yokota) => ootomo_yokota.sum(on),
            Method::Equation24(equation) => equation.sum(on),
            Method::CutlassTf32(cutlass) => cutlass.sum(on),
            Method::CutlassBf16(cutlass) => cutlass.sum(on),
            Method::Triton(triton) => triton.sum(on),
            Method::Xla(xla) => xla.sum(on),
            Method::XlaFp8(_) => return Ok(None),
            Method::Words(words) => words.sum(on),
            Method::PlainProduct(plain) => plain.sum(on),
        }
        .map(Some)
    }
}

impl Parts {
    fn has(&self, format: &Format) -> bool {
        match self {
            Parts::Of(formats) => formats.contains(format),
            Parts::One(one) => one == format,
            // f32 has to hold every part, so that the remainder can be computed.
            Parts::Rounded(rounding) => {
                rounding.is_known(format)
                    && format.has_nan()
                    && format.exponent_bits <= Format::F32.exponent_bits
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Parts::One(format) => format!("{format} by {format}"),
            Parts::Of(formats) => {
                let names: Vec<_> = formats.iter().map(|f| format!("{f} by {f}")).collect();
                names.join(" or ")
            }
            Parts::Rounded(_) => "a format by itself that f32 rounds to so".into(),
        }
    }
}

impl Scheme {
    /// The signature of the scheme over a unit with the signature `unit`.
    ///
    /// # Errors
    /// If the unit does not multiply the parts of the scheme, or does not sum in f32.
    pub fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        let parts = self.method.parts();
        let sums = unit.d == Format::F32 && unit.scales.is_none();
        if !(parts.has(&unit.a) && unit.a == unit.b && sums) {
            let parts = parts.text();
            return Err(format!(
                "a unit that multiplies {parts} and sums in f32, found {unit}"
            ));
        }
        Ok(Signature {
            a: Format::F32,
            b: Format::F32,
            products: self.products,
            ..*unit
        })
    }

    /// The most products of one run of the unit; `None` where some run continues from the result of
    /// the previous run.
    pub fn most_of_a_run(&self) -> Option<u32> {
        let are_apart = match &self.method {
            Method::PlainProduct(_) | Method::Xla(_) | Method::XlaFp8(_) => true,
            Method::Words(words) => words.words == 1 || words.sum == SumPlacement::Outside,
            Method::Markidis(_) | Method::OotomoYokota(_) | Method::Equation24(_) => false,
            Method::CutlassTf32(_) | Method::CutlassBf16(_) | Method::Triton(_) => false,
        };
        are_apart.then_some(self.products)
    }

    /// Whether the result of the scheme depends on `c`; `unit_does` says whether the result of the
    /// unit depends on its accumulator.
    pub fn reads_c(&self, unit_does: bool) -> bool {
        match &self.method {
            Method::PlainProduct(_) | Method::Markidis(_) | Method::CutlassTf32(_) => unit_does,
            Method::Words(words) => words.sum == SumPlacement::Outside || unit_does,
            Method::OotomoYokota(scheme) => scheme.main == SumPlacement::Outside || unit_does,
            Method::Triton(triton) => triton.addend == SumPlacement::Outside || unit_does,
            Method::Equation24(_) => true,
            Method::CutlassBf16(scheme) => scheme.addend == AddendRule::Outside,
            Method::Xla(xla) => xla.addend == AddendRule::Outside,
            Method::XlaFp8(xla) => xla.addend == AddendRule::Outside,
        }
    }

    /// Whether the parts of a number depend on the other numbers of its row.
    pub fn depends_on_rows(&self) -> bool {
        matches!(self.method, Method::XlaFp8(_))
    }

    /// The sum that the scheme makes of its products; `None` where parts depend on whole rows, and
    /// [`on_registers`](Self::on_registers) is the only way.
    pub fn sum<S: Sums>(&self, unit: &Signature, on: &mut S) -> Result<Option<S::Sum>, S::Stop> {
        self.method.sum(Processor { on, unit: *unit })
    }

    /// The result register of a scheme whose parts depend on whole rows.
    pub fn on_registers<A: DotAdd, B: Bv>(&self, on: &mut RegisterSums<'_, A, B>) -> Option<B> {
        match &self.method {
            Method::XlaFp8(xla) => Some(xla.dot_add(on)),
            _ => None,
        }
    }
}
