//! The matrix engine (MME) of Gaudi 2 and Gaudi 3, modelled on the functions with which the vendor
//! verifies its hardware (HabanaAI/Intel_Gaudi3_Software, `fs_fma.cpp` of each generation; MACHINES
//! §3.6).

use mmasmt_numbers::float::Format;

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
