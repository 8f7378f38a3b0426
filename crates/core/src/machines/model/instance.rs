//! The instances of [`Bv`] on which models run. One function runs all algorithms on an instance,
//! and is compiled in this crate: callers do not compile the algorithms again.

use super::Algorithm;
use crate::machines::algorithms::{DotAdd, Operands, Stages};
use crate::numbers::bits::blast::Blasted;
use crate::numbers::bits::circuit::Recorded;
use crate::numbers::bits::ranged::Ranged;
use crate::numbers::bits::term::Term;
use crate::numbers::bits::{Big, Bv, Mixed, Shape, W64, W128};

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

instances!(
    W64, W128, Mixed, Big, Shape, Term, Ranged, Recorded, Blasted
);
#[cfg(feature = "z3")]
instances!(z3::ast::BV);
