//! The violation of `monotone-c` and `monotone-products`: the result decreases when an operand
//! increases.
//!
//! Each step replaces one operand by the next greater number that the domain admits for it, so that
//! both inputs lie in the domain. Apart from operands that are assumed to equal others, which do not
//! step alone, a domain is the Cartesian product of totally ordered sets, one for each operand: any
//! two inputs in the domain that differ in one operand are connected by steps.

use super::domain::{Domain, Next};
use super::values::is_greater;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::{Prop, mux};
use mmasmt_core::numbers::float::{Format, unpack};

/// Unsatisfiable iff no step from a `c` in the domain to the next greater `c` decreases the result,
/// where -0 is below +0. The result then never decreases when `c` increases, except across NaNs.
pub fn falls_in_c<B: Instance>(model: &Model, domain: &Domain, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let step = raised_c(&signature, domain, inputs);
    let [before, after] = [inputs, &step.raised].map(|inputs| model.result(inputs));
    is_greater(&signature.d, &before, &after).and(&step.counts)
}

/// Unsatisfiable iff no step of a factor decreases the result where the other factor is positive,
/// or increases it where the other factor is negative.
pub fn falls_in_products<B: Instance>(
    model: &Model,
    domain: &Domain,
    inputs: &Registers<B>,
) -> B::Bool {
    let signature = model.signature();
    let before = model.result(inputs);
    let falls = raised_factors(&signature, domain, inputs).map(|(_, step)| {
        let after = model.result(&step.raised);
        step.is_fall(&signature, &before, &after).and(&step.counts)
    });
    B::Bool::any(falls.collect::<Vec<_>>())
}

/// Satisfiable iff the domain contains two inputs that differ in `c`.
pub(super) fn has_next_c<B: Instance>(
    model: &Model,
    domain: &Domain,
    inputs: &Registers<B>,
) -> B::Bool {
    raised_c(&model.signature(), domain, inputs).counts
}

/// Satisfiable iff the domain contains two inputs that differ in one product.
pub(super) fn has_next_product<B: Instance>(
    model: &Model,
    domain: &Domain,
    inputs: &Registers<B>,
) -> B::Bool {
    let signature = model.signature();
    let steps = raised_factors(&signature, domain, inputs);
    B::Bool::any(steps.map(|(_, step)| step.counts).collect::<Vec<_>>())
}

/// A step from operands in a domain to other operands in the domain, which increases one operand.
pub struct Raised<B: Instance> {
    /// The operands after the step.
    pub raised: Registers<B>,
    /// The new register of the operand that increases.
    pub number: B,
    /// The format of the operand that increases.
    pub format: Format,
    /// Whether the step exists and changes `c` or the value of the product.
    pub counts: B::Bool,
    /// Whether the step decreases the product.
    falls: B::Bool,
}

impl<B: Instance> Raised<B> {
    /// Whether the result moves in the opposite direction to the product or to `c`.
    pub fn is_fall(&self, signature: &Signature, before: &B, after: &B) -> B::Bool {
        mux(
            &self.falls,
            &is_greater(&signature.d, after, before),
            &is_greater(&signature.d, before, after),
        )
    }
}

/// The step of `c` to the next greater number that the domain admits.
pub(super) fn raised_c<B: Instance>(
    signature: &Signature,
    domain: &Domain,
    inputs: &Registers<B>,
) -> Raised<B> {
    let Next { register, exists } = next(domain, 2 * inputs.a.len(), &signature.c, &inputs.c);
    Raised {
        raised: Registers {
            c: register.clone(),
            ..inputs.clone()
        },
        number: register,
        format: signature.c,
        counts: exists,
        falls: B::Bool::constant(false),
    }
}

/// The step of each factor to the next greater number that the domain admits, with the factor's
/// name.
pub fn raised_factors<B: Instance>(
    signature: &Signature,
    domain: &Domain,
    inputs: &Registers<B>,
) -> impl Iterator<Item = (String, Raised<B>)> {
    let count = inputs.a.len();
    let factors = [&inputs.a, &inputs.b];
    let formats = [signature.a, signature.b];
    (0..count).flat_map(move |k| {
        [0, 1].map(|row| {
            let operand = row * count + k;
            let Next { register, exists } = next(domain, operand, &formats[row], &factors[row][k]);
            let other = unpack(&formats[1 - row], &factors[1 - row][k]);
            let mut raised = inputs.clone();
            match row {
                0 => raised.a[k] = register.clone(),
                _ => raised.b[k] = register.clone(),
            }
            let step = Raised {
                raised,
                number: register,
                format: formats[row],
                counts: exists.and(&other.zero.or(&other.nan).not()),
                falls: other.sign,
            };
            (format!("{}[{k}]", ["a", "b"][row]), step)
        })
    })
}

/// The next greater number for an operand; none if the operand equals another one.
fn next<B: Instance>(domain: &Domain, operand: usize, format: &Format, register: &B) -> Next<B> {
    let next = domain.numbers(operand, format).next(register);
    match domain.is_bound(operand) {
        false => next,
        true => Next {
            exists: B::Bool::constant(false),
            ..next
        },
    }
}
