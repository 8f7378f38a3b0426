//! Under-approximations, which are searched before all inputs: few products, exponents near 0, few
//! fraction bits.

use crate::claims::property::SymbolicInputs;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Concrete, W64};
use mmasmt_numbers::float::{Format, integer, with_field};

/// A subset of all inputs, given by a map of all inputs into the subset: operands of products that
/// are not `kept` become +0, and exponents are reduced to a window around 0.
#[derive(Clone, Debug)]
pub(super) struct Restriction {
    /// For each product, whether it may be other than zero.
    pub kept: Vec<bool>,
    /// The width in bits of the window of exponents of `a` and `b`; `None` for no window.
    pub window: Option<u32>,
    /// How many of the highest fraction bits may be set; `None` if all may be.
    pub fraction: Option<u32>,
}

/// How many bits wider the window of exponents of `c` is, as products spread further than factors.
const C_WINDOW: u32 = 2;

impl Restriction {
    /// No restriction: the subset is the set of all inputs.
    pub fn none(products: u32) -> Self {
        Restriction {
            kept: vec![true; products as usize],
            window: None,
            fraction: None,
        }
    }

    /// The restriction to `count` products, which are evenly spread; the other products are zero.
    pub fn spread(products: u32, count: u32, window: Option<u32>) -> Self {
        let mut kept = vec![false; products as usize];
        for index in 0..count.min(products) {
            kept[(index * products / count) as usize] = true;
        }
        Restriction {
            kept,
            window,
            fraction: None,
        }
    }

    /// The restriction to the products that are not zero in `inputs`, and to `fraction` fraction
    /// bits if it is given.
    pub fn on_products_of(inputs: &Inputs, fraction: Option<u32>) -> Self {
        let nonzero = |(k, a): (usize, &u64)| *a != 0 || inputs.b.get(k).is_some_and(|b| *b != 0);
        Restriction {
            kept: inputs.a.iter().enumerate().map(nonzero).collect(),
            window: None,
            fraction,
        }
    }

    /// The symbolic inputs mapped into the subset.
    pub fn apply(&self, inputs: &SymbolicInputs) -> SymbolicInputs {
        SymbolicInputs {
            signature: inputs.signature,
            registers: self.restricted(&inputs.signature, &inputs.registers),
        }
    }

    /// Concrete inputs mapped into the subset, as [`apply`](Self::apply) maps symbolic inputs.
    pub fn decode(&self, signature: &Signature, inputs: &Inputs) -> Inputs {
        let words = self.restricted(signature, &inputs.lifted::<W64>(signature));
        words.map(signature, |_, word| word.to_u64())
    }

    fn restricted<B: Instance>(
        &self,
        signature: &Signature,
        registers: &Registers<B>,
    ) -> Registers<B> {
        let Signature {
            a, b, c, scales, ..
        } = signature;
        // Where exponents have a window, all scales are 1.
        let scale = |register: &B| match (scales, self.window) {
            (Some(scales), Some(_)) => B::lit(register.width(), scales.format.one()),
            _ => register.clone(),
        };
        Registers {
            a: self.row(a, &registers.a),
            b: self.row(b, &registers.b),
            c: self.operand(c, self.c_window(), &registers.c),
            a_scales: registers.a_scales.iter().map(scale).collect(),
            b_scales: registers.b_scales.iter().map(scale).collect(),
        }
    }

    fn c_window(&self) -> Option<u32> {
        self.window
            .map(|bits| if bits == 0 { 0 } else { bits + C_WINDOW })
    }

    fn row<B: Instance>(&self, format: &Format, values: &[B]) -> Vec<B> {
        let operand = |(value, &kept): (&B, &bool)| {
            if kept {
                self.operand(format, self.window, value)
            } else {
                B::lit(format.width(), 0)
            }
        };
        values.iter().zip(&self.kept).map(operand).collect()
    }

    fn operand<B: Instance>(&self, format: &Format, window: Option<u32>, register: &B) -> B {
        if !format.has_fields() {
            return near_zero(format, window, register);
        }
        let register = near_bias(format, window, register);
        let low = format.bits_below_field();
        match self
            .fraction
            .map(|kept| low - kept.min(format.precision() - 1))
        {
            None | Some(0) => register,
            Some(cleared) => register
                .extract(format.width() - 1, cleared)
                .widen_low(cleared),
        }
    }
}

/// The integer reduced to its lowest bits, which are two more than the window of exponents has.
fn near_zero<B: Instance>(format: &Format, window: Option<u32>, register: &B) -> B {
    let width = format.width();
    match window.map(|bits| bits + 2).filter(|bits| *bits < width) {
        None => register.clone(),
        Some(bits) => integer(format, &register.extract(bits - 1, 0), width),
    }
}

/// The register with its exponent field reduced to a window of `2^bits` fields around the bias.
fn near_bias<B: Instance>(format: &Format, window: Option<u32>, register: &B) -> B {
    let Some(bits) = window else {
        return register.clone();
    };
    let bits = bits.min(format.field_width() - 1);
    let low = format.bits_below_field();
    let centre = B::lit(format.field_width(), format.field_of(0) as u64);
    let field = if bits == 0 {
        centre
    } else {
        let offset = register
            .extract(low + bits - 1, low)
            .zext(format.field_width());
        centre.add_const(-(1 << (bits - 1))).add(&offset)
    };
    with_field(format, register, &field)
}
