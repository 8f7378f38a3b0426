//! `monotone-c`: the result never decreases when `c` increases.

use crate::claims::monotone::MovingOperands;
use crate::claims::property::monotone::{NO_STEP, expect_no_gaps, next_greater, raised_c};
use crate::claims::property::values::is_greater;
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::{Big, Prop};

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "monotone-c",
    "the result never falls from one c in the domain to the next greater one in it, so that it never falls while c rises unless it is a NaN in between; -0 is below +0",
);

/// The result never decreases when `c` increases, by steps from a `c` in the domain to the next
/// greater `c`, where -0 is below +0. Across NaNs it may.
#[derive(Clone, Debug)]
pub struct MonotoneInC;

impl Meaning for MonotoneInC {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        expect_no_gaps(text)?;
        Ok(MonotoneInC)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let step = raised_c(&signature, by.domain, by.inputs);
        let [before, after] = [by.inputs, &step.raised].map(|inputs| by.model.result(inputs));
        is_greater(&signature.d, &before, &after).and(&step.counts)
    }

    fn compares<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        raised_c(&by.signature(), by.domain, by.inputs).counts
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        let signature = by.signature();
        let step = raised_c(&signature, by.domain, by.inputs);
        let what = next_greater("c", &signature.c, &step.raised.c);
        vec![by.other_operands(what, &step.raised)]
    }

    fn moving(&self) -> Option<MovingOperands> {
        Some(MovingOperands::C)
    }

    fn nothing_compared(&self, _model: &Model) -> Option<&'static str> {
        Some(NO_STEP)
    }
}
