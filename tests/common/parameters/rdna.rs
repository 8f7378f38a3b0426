//! DOT2 and WMMA of RDNA3 and RDNA4, as AMD characterised them on silicon (ROCm/rocm-systems,
//! rocjitsu: `gfx11_dot2.h`, `gfx12_dot.h`).

use mmasmt_numbers::float::Format;

/// The generation of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generation {
    /// RDNA3: a step has two products; terms are negated by complement without an increment, and
    /// subnormal numbers are flushed.
    Rdna3,
    /// RDNA4: terms are rounded down in two's complement, and products are cut in pairs.
    Rdna4,
}

/// The order in which the steps take their products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepOrder {
    /// The steps take the products in the order of k.
    Straight,
    /// Steps over the first half of the products alternate with steps over the second half (WMMA in
    /// wave32, in the order in which the lanes hold k).
    Halves,
}

/// A dot instruction of RDNA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rdna {
    /// The generation of the unit.
    pub generation: Generation,
    /// Format of the left factors: f16 or bf16.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Format of `c` and of the result of every step: f32, f16 (rounded from the sum itself), or
    /// bf16 (the f32 result, cut).
    pub out: Format,
    /// Number of products, a multiple of `step`.
    pub products: u32,
    /// Products of one step: 2, on RDNA4 also 4.
    pub step: u32,
    /// Order of the steps.
    pub order: StepOrder,
}

impl Rdna {
    /// The index of the first product of each step, in the order of the steps.
    pub fn starts(&self) -> Vec<usize> {
        let step = self.step as usize;
        let all: Vec<usize> = (0..self.products as usize).step_by(step).collect();
        match self.order {
            StepOrder::Straight => all,
            StepOrder::Halves => {
                let (low, high) = all.split_at(all.len() / 2);
                let pairs = low.iter().zip(high);
                pairs.flat_map(|(low, high)| [*low, *high]).collect()
            }
        }
    }
}
