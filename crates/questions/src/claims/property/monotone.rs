//! Steps of operands for `monotone-c` and `monotone-products`.
//!
//! Each step replaces one operand by the next greater number that the domain admits for it, so that
//! both inputs lie in the domain. Apart from operands that are assumed to equal others, which do not
//! step alone, a domain is the Cartesian product of totally ordered sets, one for each operand: any
//! two inputs in the domain that differ in one operand are connected by steps.

use super::domain::{Domain, Successor};
use super::error::ClaimError;
use super::text::PropertyText;
use super::values::is_greater;
use crate::claims::monotone::MovingOperands;
use mmasmt_core::machines::algorithms::{Inputs, Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Big, Bv, Concrete, Prop, W128, mux};
use mmasmt_numbers::float::{Format, unpack};

/// The reason why no results are compared.
pub(super) const NO_STEP: &str = "no operands are as assumed, or no two of them follow each other";

/// Checks that the domain of a claim has a next number for each.
pub(super) fn expect_no_gaps(text: &PropertyText) -> Result<(), ClaimError> {
    match text.domain.has_gaps() {
        true => Err(text.unfit(
            "the next number is not modelled where some are left out (`in FORMAT`, `from LOW..HIGH`, `zero-or-normal`)",
        )),
        false => Ok(()),
    }
}

/// A step from operands in a domain to other operands in the domain, which increases one operand.
pub struct RaisedOperand<B: Instance> {
    /// The operands after the step.
    pub raised: Registers<B>,
    /// The new register of the operand that increases.
    pub number: B,
    /// The format of the operand that increases.
    pub format: Format,
    /// True if the step exists and changes `c` or the value of the product.
    pub counts: B::Bool,
    /// True if the step decreases the product.
    falls: B::Bool,
}

impl<B: Instance> RaisedOperand<B> {
    /// True if the result moves in the opposite direction to the product or to `c`.
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
) -> RaisedOperand<B> {
    let Successor { register, exists } = next(domain, 2 * inputs.a.len(), &inputs.c);
    RaisedOperand {
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
) -> impl Iterator<Item = (String, RaisedOperand<B>)> {
    let count = inputs.a.len();
    let factors = [&inputs.a, &inputs.b];
    let formats = [signature.a, signature.b];
    (0..count).flat_map(move |k| {
        [0, 1].map(|row| {
            let operand = row * count + k;
            let Successor { register, exists } = next(domain, operand, &factors[row][k]);
            let other = unpack(&formats[1 - row], &factors[1 - row][k]);
            let mut raised = inputs.clone();
            match row {
                0 => raised.a[k] = register.clone(),
                _ => raised.b[k] = register.clone(),
            }
            let step = RaisedOperand {
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

/// The factors of a sum whose steps are tried, of either side.
const MOST_STEPPED: usize = 8;

/// The steps up from these operands, each with the name of the operand, the operands after it, and true if the product
/// falls. Of many factors, the first ones step.
pub fn steps_up(
    signature: &Signature,
    domain: &Domain,
    inputs: &Inputs,
    moving: MovingOperands,
) -> Vec<(String, Inputs, bool)> {
    let words = inputs.map(signature, |format, bits| W128::lit(format.width(), *bits));
    let stepped = |name: String, step: RaisedOperand<W128>| {
        let after = step.raised.map(signature, |_, bits| bits.to_u64());
        step.counts.then_some((name, after, step.falls))
    };
    match moving {
        MovingOperands::C => {
            let step = raised_c(signature, domain, &words);
            stepped("c".into(), step).into_iter().collect()
        }
        MovingOperands::Products => raised_factors(signature, domain, &words)
            .take(2 * MOST_STEPPED)
            .filter_map(|(name, step)| stepped(name, step))
            .collect(),
    }
}

/// The step of an operand to a register, in words.
pub(super) fn next_greater(name: &str, format: &Format, register: &Big) -> String {
    let digits = format.digits();
    format!("with {name} = 0x{:0digits$x}", register.to_u64())
}

/// The next greater number for an operand; none if the operand equals another one.
fn next<B: Instance>(domain: &Domain, operand: usize, register: &B) -> Successor<B> {
    let next = domain.codes(operand).next(register);
    match domain.is_bound(operand) {
        false => next,
        true => Successor {
            exists: B::Bool::constant(false),
            ..next
        },
    }
}
