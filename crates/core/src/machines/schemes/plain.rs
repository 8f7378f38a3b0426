//! No scheme: f32 is rounded to the unit's format, and there is one product.

use super::parts::Processor;
use crate::machines::sums::{PartRounding, Splitting, Sums};

/// The product of rounded operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainProduct {
    /// How f32 is rounded to the unit's format.
    pub round: PartRounding,
}

impl PlainProduct {
    pub(super) fn sum<S: Sums>(&self, mut on: Processor<'_, S>) -> Result<S::Sum, S::Stop> {
        let splitting = Splitting {
            format: on.unit.a,
            parts: &[("rounded", self.round)],
            scale: 0,
        };
        let [a, b] = on.split(&splitting)?;
        let (all, c) = (0..on.count(), on.c()?);
        on.chained(("sum", None), [&a[0], &b[0]], all, c)
    }
}
