//! The instances of [`Bv`] on which models run. For each instance, one function runs all
//! algorithms. It is compiled in this crate, so that callers do not compile the algorithms again.

use super::Algorithm;
use crate::machines::algorithms::{Conversion, DotAdd, Operands, Registers, Stages};
use mmasmt_numbers::bits::blast::SignalBits;
use mmasmt_numbers::bits::circuit::CircuitBits;
use mmasmt_numbers::bits::ranged::RangedBits;
use mmasmt_numbers::bits::term::Term;
use mmasmt_numbers::bits::{Big, Bv, DynamicBits, DynamicInstance, MixedBits, Shape, W64, W128};

/// A [`Bv`] on which models run.
pub trait Instance: Bv {
    /// The result register of `algorithm`; its stages are added to `stages`.
    fn run(algorithm: &Algorithm, operands: Operands<'_, Self>, stages: &mut Stages<Self>) -> Self;
}

macro_rules! instances {
    ($($instance:ty),*) => {$(
        impl Instance for $instance {
            #[inline(never)]
            fn run(algorithm: &Algorithm, operands: Operands<'_, Self>, stages: &mut Stages<Self>) -> Self {
                algorithm.dot_add(operands, stages)
            }
        }
    )*};
}

instances!(W64, W128, MixedBits, Term, RangedBits, DynamicBits);
#[cfg(feature = "z3")]
instances!(z3::ast::BV);

macro_rules! dynamic_instances {
    ($($instance:ty),*) => {$(
        impl Instance for $instance {
            fn run(algorithm: &Algorithm, operands: Operands<'_, Self>, stages: &mut Stages<Self>) -> Self {
                run_dynamically(algorithm, operands, stages)
            }
        }
    )*};
}

dynamic_instances!(Big, Shape, CircuitBits, SignalBits);

/// Runs `algorithm` on the instance [`DynamicBits`], and converts the result register and the stages to
/// `B`.
fn run_dynamically<B: DynamicInstance>(
    algorithm: &Algorithm,
    operands: Operands<'_, B>,
    stages: &mut Stages<B>,
) -> B {
    let row = |row: &[B]| row.iter().cloned().map(B::to_dynamic).collect();
    let registers = Registers {
        a: row(operands.a),
        b: row(operands.b),
        c: operands.c.clone().to_dynamic(),
        a_scales: row(operands.a_scales),
        b_scales: row(operands.b_scales),
    };
    let mut dynamic = stages.like();
    let d = B::dynamically(|| DynamicBits::run(algorithm, registers.operands(), &mut dynamic));
    let conversion = Conversion {
        word: B::of_dynamic,
        truth: B::of_dynamic_truth,
    };
    stages.append(dynamic, &conversion);
    B::of_dynamic(d)
}
