//! `aligns=MODE`: aligned terms are rounded in this way.

use crate::claims::property::products::{aligns_products, shown};
use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::{FusedStages, Step};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Prop, mux};
use mmasmt_numbers::float::Rounding;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "aligns=MODE",
    "aligned terms are rounded to the last place of the sum: rz (cut), rne, rd, ru or ra",
);

/// Every term (a product or `c`) that a fused sum aligns is rounded in this way to the last place of
/// that sum. To cut a magnitude is to round towards zero. Only for models that
/// [align their products](aligns_products).
#[derive(Clone, Debug)]
pub struct AlignmentRounding(Rounding);

impl Meaning for AlignmentRounding {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        match aligns_products(text.model) {
            true => Ok(AlignmentRounding(text.rounding()?)),
            false => Err(text.unfit("it shows no alignment of products on its way")),
        }
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let (_, stages) = by.model.evaluate(by.inputs);
        let mut wrong = Vec::new();
        for (step, products) in shown(by.model, stages.steps()) {
            if let Step::Fused(fused) = step
                && !products.is_empty()
            {
                let terms = 0..fused.terms.len();
                wrong.extend(terms.map(|index| is_cut_otherwise(fused, index, self.0)));
            }
        }
        B::Bool::any(wrong)
    }
}

fn is_cut_otherwise<B: Instance>(
    fused: &FusedStages<B>,
    index: usize,
    rounding: Rounding,
) -> B::Bool {
    let (term, aligned) = (&fused.terms[index], &fused.aligned[index]);
    let fraction = fused.grid.term_fraction;
    // Rounding needs at least one place below the last place kept, where the half is.
    let places = (fused.grid.fraction_bits + 1).max(fraction);
    let below = places - fused.grid.fraction_bits;
    let distance = fused.max_exponent.sub(&fused.exponents[index]);
    let placed = term.significand.widen_low(places - fraction);
    let (shifted, lost) = placed.zext(placed.width() + below).lshr_sticky(&distance);
    let width = shifted.width();
    let kept = shifted.extract(width - 1, below);
    let half = shifted.bit(below - 1);
    let rest = match below {
        1 => lost,
        _ => shifted.extract(below - 2, 0).is_zero().not().or(&lost),
    };
    let sign = &term.special.sign;
    let up = rounding.increments::<B>(sign, &kept.bit(0), (&half, &rest));
    let width = aligned.width().max(kept.width()) + 1;
    let rounded = kept.zext(width).add(&B::from_prop(width, &up));
    let right = rounded.neg_if(sign).equals(&aligned.sext(width));
    let none = B::Bool::constant(true);
    mux(&term.zero, &none, &right).not()
}
