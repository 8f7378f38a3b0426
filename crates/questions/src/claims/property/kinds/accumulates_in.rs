//! `accumulates-in=FORMAT`: sums are as precise as those in registers of a format.

use crate::claims::property::exact::{HeldSum, loses_exact_sums};
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::{Inputs, Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Big, Prop};
use mmasmt_numbers::float::{Format, Rounding};

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "accumulates-in=FORMAT",
    "where c and every sum of it with the first products is a number of FORMAT and the last is one of the result's format, it is the result",
).of_sums();

/// The model accumulates as precisely as registers of this format (Valpey et al., Property 1): if
/// `c` and each partial sum `c + p0 + ... + pk` are numbers of the format, and the format of the
/// result has the whole sum, then the result is the whole sum.
#[derive(Clone, Debug)]
pub struct AccumulationPrecision(Format);

impl Meaning for AccumulationPrecision {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        let format = Format::known_as(text.value).filter(Format::has_zero);
        Ok(AccumulationPrecision(format.ok_or_else(|| text.unknown())?))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let (signature, inputs) = (by.signature(), by.inputs);
        let mut step = Signature {
            d: self.0,
            products: 1,
            ..signature
        };
        let mut fits = Vec::with_capacity(inputs.a.len() + 1);
        let mut partial = inputs.c.clone();
        let nothing = Inputs::zero(&step).lifted(&step);
        let products = (0..inputs.a.len()).map(|k| product(&signature, inputs, k));
        for mut operands in std::iter::once(nothing).chain(products) {
            operands.c = partial;
            let sum = HeldSum::of(&step, &operands);
            fits.push(sum.held);
            partial = sum.register;
            step.c = self.0;
        }
        B::Bool::all(fits).and(&loses_exact_sums(by.model, inputs))
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        vec![by.exact_sum("the exact sum", Rounding::Rne)]
    }
}

/// The operands of a dot-add of one product: product number `k` with its scales, and the same `c`.
fn product<B: Instance>(signature: &Signature, inputs: &Registers<B>, k: usize) -> Registers<B> {
    let block = signature.scales.map(|scales| k / scales.block as usize);
    let scale = |row: &[B]| block.and_then(|block| row.get(block)).cloned();
    Registers {
        a: inputs.a.get(k).cloned().into_iter().collect(),
        b: inputs.b.get(k).cloned().into_iter().collect(),
        c: inputs.c.clone(),
        a_scales: scale(&inputs.a_scales).into_iter().collect(),
        b_scales: scale(&inputs.b_scales).into_iter().collect(),
    }
}
