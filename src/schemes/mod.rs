//! Schemes: products of numbers that are wider than what a unit multiplies, in parts. One file for each, which
//! reads like its source; `a` and `b` are f32, the unit sums in f32.

mod markidis;
mod parts;

pub use markidis::{Markidis, ProductOrder};

use crate::algorithms::{DotAdd, Operands, Signature, Stages, Unit};
use crate::bits::Bv;
use crate::float::Format;

/// The most products of parts that a scheme makes of one product.
pub(crate) const MOST_PRODUCTS_OF_PARTS: u64 = 64;

/// A scheme with its choices. To add one: a file beside this one, a line in each match here, and a table
/// of its keys in `model::keys::schemes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Markidis et al. 2018.
    Markidis(Markidis),
}

impl Scheme {
    /// The format of the parts, which the unit multiplies.
    fn part(&self) -> Format {
        match self {
            Scheme::Markidis(_) => Format::F16,
        }
    }

    /// Number of products.
    pub fn products(&self) -> u32 {
        match self {
            Scheme::Markidis(scheme) => scheme.products,
        }
    }

    /// Number of products, to be changed.
    pub(crate) fn products_mut(&mut self) -> &mut u32 {
        match self {
            Scheme::Markidis(scheme) => &mut scheme.products,
        }
    }

    /// What the scheme takes and gives, on such a unit.
    ///
    /// # Errors
    /// If the unit does not multiply its parts, or does not sum in f32.
    pub fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        let part = self.part();
        if (unit.a, unit.b, unit.d) != (part, part, Format::F32) || unit.scales.is_some() {
            let expected = format!("a unit that multiplies {part} by {part} and sums in f32");
            return Err(format!("{expected}, found {unit}"));
        }
        Ok(Signature {
            a: Format::F32,
            b: Format::F32,
            products: self.products(),
            ..*unit
        })
    }

    /// The result register, as every algorithm gives it.
    pub fn dot_add<A: DotAdd, B: Bv>(
        &self,
        unit: &Unit<A>,
        operands: Operands<'_, B>,
        stages: &mut Stages<B>,
    ) -> B {
        match self {
            Scheme::Markidis(scheme) => scheme.dot_add(unit, operands, stages),
        }
    }
}
