//! Two models that give different results.

use mmasmt_core::machines::algorithms::{Registers, Stages};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::{Format, unpack};

/// Unsatisfiable iff `left` and `right`, which have the same signature, give the same register for
/// all inputs. If one of the models does not say which code its NaNs have, all NaNs count as equal.
pub fn differ<B: Instance>(left: &Model, right: &Model, inputs: &Registers<B>) -> B::Bool {
    compared(left, right, inputs).differ
}

/// The results of two models for the same inputs.
pub struct ComparedModels<B: Instance> {
    /// True if the results differ, in the sense of [`differ`].
    pub differ: B::Bool,
    /// The results of the two models.
    pub results: [B; 2],
    /// The stages of the two models.
    pub stages: [Stages<B>; 2],
}

/// Evaluates both models and compares their results.
pub fn compared<B: Instance>(
    left: &Model,
    right: &Model,
    inputs: &Registers<B>,
) -> ComparedModels<B> {
    let any_nan = left.gives_any_nan() || right.gives_any_nan();
    let format = left.signature().d;
    let evaluated = |model: &Model| {
        if any_nan {
            model.evaluate_with_any_nan(inputs)
        } else {
            model.evaluate(inputs)
        }
    };
    let [(left, first), (right, second)] = [left, right].map(evaluated);
    ComparedModels {
        differ: registers_differ(&format, any_nan, &left, &right),
        results: [left, right],
        stages: [first, second],
    }
}

/// True if the registers differ; with `any_nan`, all NaNs count as equal.
pub(super) fn registers_differ<B: Instance>(
    format: &Format,
    any_nan: bool,
    left: &B,
    right: &B,
) -> B::Bool {
    let differ = left.equals(right).not();
    if !any_nan {
        return differ;
    }
    let both_nan = unpack(format, left).nan.and(&unpack(format, right).nan);
    differ.and(&both_nan.not())
}

/// True if the results of two models differ, in the sense of [`differ`].
pub fn results_differ(models: [&Model; 2], results: [u64; 2]) -> bool {
    let [left, right] = results;
    !models.iter().any(|model| model.accepts(left, right))
}
