//! The result falls where an operand rises.
//!
//! Both points lie in the domain: an operand steps from one number that the domain admits for it to
//! the next greater one. A domain is a product of what it admits for each operand, and these are in
//! a total order, so that such steps connect any two of its points that differ in one operand.

use super::domain::{Domain, Next};
use super::values::is_greater;
use crate::algorithms::{Registers, Signature};
use crate::bits::{Bv, Prop, mux};
use crate::float::{Format, unpack};
use crate::model::Model;

/// Unsatisfiable iff the result for no `c` of the domain is greater than that for the next greater
/// one, -0 being below +0: between any two of them the result never falls, as long as it is no NaN
/// on the way.
pub fn falls_in_c<B: Bv>(model: &Model, domain: &Domain, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let step = raised_c(&signature, domain, inputs);
    let [before, after] = [inputs, &step.raised].map(|inputs| model.result(inputs));
    is_greater(&signature.d, &before, &after).and(&step.counts)
}

/// Unsatisfiable iff no factor makes the result fall that steps to the next greater number of the
/// domain where the other factor of its product is positive, or makes it rise where that is
/// negative: the result never falls while a product rises through one of its factors.
pub fn falls_in_products<B: Bv>(model: &Model, domain: &Domain, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let before = model.result(inputs);
    let falls = raised_factors(&signature, domain, inputs).map(|(_, step)| {
        let after = model.result(&step.raised);
        step.is_fall(&signature, &before, &after).and(&step.counts)
    });
    B::Bool::any(falls.collect::<Vec<_>>())
}

/// Satisfiable iff the domain has two points that differ in `c`.
pub(super) fn has_next_c<B: Bv>(model: &Model, domain: &Domain, inputs: &Registers<B>) -> B::Bool {
    raised_c(&model.signature(), domain, inputs).counts
}

/// Satisfiable iff the domain has two points of which one has a greater product.
pub(super) fn has_next_product<B: Bv>(
    model: &Model,
    domain: &Domain,
    inputs: &Registers<B>,
) -> B::Bool {
    let signature = model.signature();
    let steps = raised_factors(&signature, domain, inputs);
    B::Bool::any(steps.map(|(_, step)| step.counts).collect::<Vec<_>>())
}

/// A step from operands in a domain to others in it.
pub(super) struct Raised<B: Bv> {
    /// The other operands: one of them is the next greater number.
    pub raised: Registers<B>,
    /// The number that it steps to.
    pub number: B,
    /// Its format.
    pub format: Format,
    /// Whether there is such a step, and it moves what is spoken of.
    pub counts: B::Bool,
    /// Whether what is spoken of falls by it.
    falls: B::Bool,
}

impl<B: Bv> Raised<B> {
    /// Whether the result moves the other way.
    pub fn is_fall(&self, signature: &Signature, before: &B, after: &B) -> B::Bool {
        mux(
            &self.falls,
            &is_greater(&signature.d, after, before),
            &is_greater(&signature.d, before, after),
        )
    }
}

/// With the next greater `c`.
pub(super) fn raised_c<B: Bv>(
    signature: &Signature,
    domain: &Domain,
    inputs: &Registers<B>,
) -> Raised<B> {
    let numbers = domain.numbers(2 * inputs.a.len(), &signature.c);
    let Next { register, exists } = numbers.next(&inputs.c);
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

/// With the next greater factor in the place of each, and its name.
pub(super) fn raised_factors<B: Bv>(
    signature: &Signature,
    domain: &Domain,
    inputs: &Registers<B>,
) -> impl Iterator<Item = (String, Raised<B>)> {
    let count = inputs.a.len();
    let factors = [&inputs.a, &inputs.b];
    let formats = [signature.a, signature.b];
    (0..count).flat_map(move |k| {
        [0, 1].map(|row| {
            let numbers = domain.numbers(row * count + k, &formats[row]);
            let Next { register, exists } = numbers.next(&factors[row][k]);
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

#[cfg(test)]
mod tests {
    use super::raised_factors;
    use crate::bits::{Concrete, W128};
    use crate::model::Model;
    use crate::property::Domain;
    use crate::vectors::Inputs;

    /// Each factor moves on within what the domain says of it, and of no other one.
    #[test]
    fn a_factor_is_raised_in_its_own_domain() {
        let signature = Model::parse("fda:K=2,in=e4m3").unwrap().signature();
        // 0x38 is 1; the bits that are kept make the next number 1.125, 1.25, 1.5 or 2.
        let domain = "a[0] bits 4, a[1] bits 3, b[0] bits 2, b[1] bits 1";
        let domain = Domain::parse(domain, &signature).unwrap();
        let inputs = Inputs::new(vec![0x38; 2], vec![0x38; 2], 0);
        let inputs = inputs.lifted::<W128>(&signature);
        let found = raised_factors(&signature, &domain, &inputs)
            .map(|(name, raised)| (name, raised.number.to_u64()))
            .collect::<Vec<_>>();
        let expected = [
            ("a[0]", 0x39),
            ("b[0]", 0x3c),
            ("a[1]", 0x3a),
            ("b[1]", 0x40),
        ];
        assert_eq!(found, expected.map(|(name, next)| (name.to_owned(), next)));
    }
}
