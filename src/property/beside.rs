//! What the result that refutes a claim is to be read beside: the other result that it is compared
//! with.

use super::claim::Claim;
use super::exact::correctly_rounded;
use super::kind::Property;
use super::values::is_greater;
use super::{monotone, order, padding, symmetry};
use crate::algorithms::Registers;
use crate::bits::{Big, Concrete};
use crate::float::Rounding;
use crate::vectors::Inputs;

/// Another result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// What it is the result of.
    pub what: String,
    /// Its register.
    pub d: u64,
}

impl Claim {
    /// The results that the property compares that of `inputs` with; none where it says something
    /// of one result alone, or `inputs` do not [fit](Inputs::fit) the signature of the model.
    pub fn beside(&self, inputs: &Inputs) -> Vec<Beside> {
        let (model, signature) = (&self.model, self.model.signature());
        if !inputs.fit(&signature) {
            return Vec::new();
        }
        let inputs: Registers<Big> = inputs.lifted(&signature);
        let beside = |what: &str, d: Big| Beside {
            what: what.into(),
            d: d.to_u64(),
        };
        let of = |what: &str, inputs: &Registers<Big>| beside(what, model.result(inputs));
        let exact =
            |what: &str, rounding| beside(what, correctly_rounded(&signature, rounding, &inputs));
        match &self.property {
            Property::Equal(other) => vec![beside(&other.to_string(), other.result(&inputs))],
            Property::CarryBits(models) => models
                .iter()
                .map(|model| beside(&model.to_string(), model.result(&inputs)))
                .collect(),
            Property::Rounds(rounding) => vec![exact("the exact sum, rounded so", *rounding)],
            Property::Faithful => vec![
                exact("the exact sum, rounded down", Rounding::Rd),
                exact("the exact sum, rounded up", Rounding::Ru),
            ],
            Property::ExactSums | Property::AccumulatesIn(_) => {
                vec![exact("the exact sum", Rounding::Rne)]
            }
            Property::Error(_) => vec![exact("the exact sum, to nearest", Rounding::Rne)],
            Property::OrderIndependent => vec![
                of(
                    "the first two products exchanged",
                    &order::exchanged(&inputs),
                ),
                of("all products moved on by one", &order::moved(&inputs)),
            ],
            Property::MonotoneInC => {
                vec![of(
                    "with the next greater c",
                    &monotone::raised_c(&signature, &inputs),
                )]
            }
            Property::MonotoneInProducts => {
                let result = model.result(&inputs);
                let each = (0..inputs.a.len()).filter_map(|k| {
                    let raised = model.result(&monotone::raised_a(&signature, k, &inputs));
                    let falls = is_greater(&signature.d, &result, &raised);
                    falls.then(|| beside(&format!("with the next greater a[{k}]"), raised))
                });
                each.take(1).collect()
            }
            Property::SignSymmetric => {
                let opposite = symmetry::opposite(&signature, &inputs);
                vec![of("with c and all products negated", &opposite)]
            }
            Property::ZeroPadding(shorter) => vec![
                of(
                    "with +0 behind",
                    &padding::padded(&signature, shorter, &inputs),
                ),
                beside(
                    &shorter.to_string(),
                    shorter.result(&padding::alone(shorter, &inputs)),
                ),
            ],
            Property::ExactProducts
            | Property::Aligns(_)
            | Property::SubnormalInputs
            | Property::SubnormalResults
            | Property::NoNegativeZero
            | Property::CanonicalNan => Vec::new(),
        }
    }
}
