//! The results that a property compares with the result of a model, for the text of a refutation.

use super::claim::Claim;
use super::closer::{TrueSum, f64_sum};
use super::exact::correctly_rounded;
use super::kind::Property;
use super::order::Permutation;
use super::{factors, invariance, monotone, order};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::{Big, Concrete};
use mmasmt_core::numbers::float::{Format, NanCode, Rounding, convert};

/// A result that a property compares with the result of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterpart {
    /// The evaluation that gives this result, in words.
    pub what: String,
    /// The register of the result.
    pub d: u64,
}

impl Claim {
    /// The results that the property compares with the model's result for `inputs`. Empty if the
    /// property is about a single result, or if `inputs` do not [fit](Inputs::fit) the signature of
    /// the model.
    pub fn counterparts(&self, inputs: &Inputs) -> Vec<Counterpart> {
        let (model, signature) = (&self.model, self.model.signature());
        if !inputs.fit(&signature) {
            return Vec::new();
        }
        let inputs: Registers<Big> = inputs.lifted(&signature);
        let counterpart = |what: &str, d: Big| Counterpart {
            what: what.into(),
            d: d.to_u64(),
        };
        let of = |what: &str, inputs: &Registers<Big>| counterpart(what, model.result(inputs));
        let of_model = |other: &Model| counterpart(&other.to_string(), other.result(&inputs));
        let exact = |what: &str, rounding| {
            counterpart(what, correctly_rounded(&signature, rounding, &inputs))
        };
        match &self.property {
            Property::Equal(other) => vec![of_model(other)],
            Property::CarryBits(models) => models.iter().map(of_model).collect(),
            Property::Rounds(rounding) => vec![exact("the exact sum, rounded so", *rounding)],
            Property::Faithful => vec![
                exact("the exact sum, rounded down", Rounding::Rd),
                exact("the exact sum, rounded up", Rounding::Ru),
            ],
            Property::Exact | Property::NoOverflow => Vec::new(),
            Property::ExactSums if signature.is_integer() => Vec::new(),
            Property::ExactSums | Property::AccumulatesIn(_) => {
                vec![exact("the exact sum", Rounding::Rne)]
            }
            Property::Error(_) | Property::RelativeError(_) => {
                vec![exact("the exact sum, to nearest", Rounding::Rne)]
            }
            Property::NoWorseThan(other, from) | Property::BetterThan(other, from) => {
                let mut beside = vec![of_model(other)];
                if let TrueSum::F64 = from {
                    let sum = f64_sum(&signature, &inputs);
                    let (nearest, nan) = (Rounding::Rne, NanCode::Quiet);
                    let sum = convert(&Format::F64, &signature.d, nearest, nan, &sum);
                    beside.push(counterpart("the sum in f64, to nearest", sum));
                }
                beside.push(exact("the exact sum, to nearest", Rounding::Rne));
                beside
            }
            Property::Recovers(format) => {
                let rounded = Signature {
                    d: *format,
                    ..signature
                };
                let sum = correctly_rounded(&rounded, Rounding::Rne, &inputs);
                let sum = convert(format, &signature.d, Rounding::Rz, NanCode::Quiet, &sum);
                let what = format!("the exact sum, to nearest in {format}");
                vec![counterpart(&what, sum)]
            }
            Property::RoundsPartialSums(other) => vec![of_model(other)],
            Property::OrderIndependent(orders) => {
                let result = model.result(&inputs);
                let changed =
                    |order: &&Permutation| order::is_changed(model, order, &inputs, &result);
                let named = |order: &Permutation| {
                    let what = order::describe(order);
                    counterpart(&what, model.result(&order::ordered(order, &inputs)))
                };
                orders.iter().find(changed).map(named).into_iter().collect()
            }
            Property::FactorIndependent => {
                let other = factors::written_out(&signature, &inputs);
                vec![of("with products times 1 as far as a holds them", &other)]
            }
            Property::MonotoneInC => {
                let step = monotone::raised_c(&signature, &self.domain, &inputs);
                let what = next_greater("c", &signature.c, &step.raised.c);
                vec![of(&what, &step.raised)]
            }
            Property::MonotoneInProducts => {
                let result = model.result(&inputs);
                let steps = monotone::raised_factors(&signature, &self.domain, &inputs);
                let falls = steps.filter_map(|(name, step)| {
                    let raised = model.result(&step.raised);
                    let falls = step.counts && step.is_fall(&signature, &result, &raised);
                    let what = next_greater(&name, &step.format, &step.number);
                    falls.then(|| counterpart(&what, raised))
                });
                falls.take(1).collect()
            }
            Property::SignSymmetric => {
                let opposite = invariance::opposite(&signature, &inputs);
                vec![of("with c and every a negated", &opposite)]
            }
            Property::ZeroPadding(shorter) => vec![
                of(
                    "with +0 behind",
                    &invariance::padded(&signature, shorter, &inputs),
                ),
                counterpart(
                    &shorter.to_string(),
                    shorter.result(&invariance::alone(shorter, &inputs)),
                ),
            ],
            Property::ExactProducts
            | Property::Aligns(_)
            | Property::SubnormalInputs
            | Property::SubnormalResults
            | Property::NoNegativeZero
            | Property::FiniteResults
            | Property::CanonicalNan => Vec::new(),
        }
    }
}

fn next_greater(name: &str, format: &Format, register: &Big) -> String {
    let digits = format.digits();
    format!("with {name} = 0x{:0digits$x}", register.to_u64())
}
