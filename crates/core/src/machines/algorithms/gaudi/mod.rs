//! The matrix engine (MME) of Gaudi 2 and Gaudi 3, modelled on the functions with which the vendor
//! verifies its hardware (HabanaAI/Intel_Gaudi3_Software, `fs_fma.cpp` of each generation; MACHINES
//! §3.6).

mod factors;
mod gaudi2;
mod gaudi3;

use super::{DotAdd, Operands, Signature, Stages};
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, NanCode};
use factors::{F32, NAN};

/// The generation of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GaudiGeneration {
    /// The sum of aligned products is exact, `c` is added to it, and the total is rounded once to
    /// nearest even; subnormal numbers are flushed.
    Gaudi2,
    /// Every product is split into partial products. The partial products and `c` are cut on one
    /// grid, and their sum is rounded toward zero.
    Gaudi3,
}

/// A step of the engine: a number of products are added to `c`. `c` and the result are f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaudi {
    /// The generation of the engine.
    pub generation: GaudiGeneration,
    /// Format of the left factors: f16 or TF32; on Gaudi 2 also bf16, on Gaudi 3 also f32.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Number of products of the step.
    pub products: u32,
}

impl Gaudi {
    /// The internal formats of the factors.
    pub fn inner_formats(&self) -> [Format; 2] {
        [factors::inner(&self.a), factors::inner(&self.b)]
    }

    /// Fraction bits of aligned terms.
    pub fn fraction_bits(&self) -> u32 {
        match self.generation {
            GaudiGeneration::Gaudi2 => gaudi2::FRACTION_BITS,
            GaudiGeneration::Gaudi3 => gaudi3::FRACTION_BITS,
        }
    }

    /// The least exponent that terms are aligned to, if there is one.
    pub fn min_exponent(&self) -> Option<i32> {
        match self.generation {
            GaudiGeneration::Gaudi2 => None,
            GaudiGeneration::Gaudi3 => Some(gaudi3::MIN_EXPONENT),
        }
    }
}

impl DotAdd for Gaudi {
    fn signature(&self) -> Signature {
        Signature {
            a: self.a,
            b: self.b,
            c: F32,
            d: F32,
            products: self.products,
            scales: None,
        }
    }

    fn nan(&self) -> NanCode {
        NAN
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let formats = [&self.a, &self.b];
        match self.generation {
            GaudiGeneration::Gaudi2 => gaudi2::step(formats, operands, stages),
            GaudiGeneration::Gaudi3 => gaudi3::step(formats, operands, stages),
        }
    }
}
