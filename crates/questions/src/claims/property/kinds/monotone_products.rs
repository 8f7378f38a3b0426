//! `monotone-products`: the result never decreases when a product increases.

use crate::claims::monotone::MovingOperands;
use crate::claims::property::monotone::{NO_STEP, expect_no_gaps, next_greater, raised_factors};
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::{Big, Prop};

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "monotone-products",
    "the result never falls where a factor steps to the next number in the domain and its product rises: upwards where the other factor is positive, downwards where it is negative; -0 is below +0",
);

/// The result never decreases when a product increases: no step of a factor decreases the result
/// where the other factor is positive, or increases it where the other factor is negative.
#[derive(Clone, Debug)]
pub struct MonotoneInProducts;

impl Meaning for MonotoneInProducts {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        expect_no_gaps(text)?;
        Ok(MonotoneInProducts)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let before = by.result();
        let falls = raised_factors(&signature, by.domain, by.inputs).map(|(_, step)| {
            let after = by.model.result(&step.raised);
            step.is_fall(&signature, &before, &after).and(&step.counts)
        });
        B::Bool::any(falls.collect::<Vec<_>>())
    }

    fn compares<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let steps = raised_factors(&signature, by.domain, by.inputs);
        B::Bool::any(steps.map(|(_, step)| step.counts).collect::<Vec<_>>())
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        let signature = by.signature();
        let result = by.result();
        let steps = raised_factors(&signature, by.domain, by.inputs);
        let falls = steps.filter_map(|(name, step)| {
            let raised = by.model.result(&step.raised);
            let falls = step.counts && step.is_fall(&signature, &result, &raised);
            let what = next_greater(&name, &step.format, &step.number);
            falls.then(|| Counterpart::new(what, &raised))
        });
        falls.take(1).collect()
    }

    fn moving(&self) -> Option<MovingOperands> {
        Some(MovingOperands::Products)
    }

    fn evaluations(&self, model: &Model) -> u32 {
        1 + 2 * model.signature().products
    }

    fn nothing_compared(&self, _model: &Model) -> Option<&'static str> {
        Some(NO_STEP)
    }
}
