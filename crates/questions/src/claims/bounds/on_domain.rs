//! The factors of a domain.

use super::factors::{Factors, Underflow};
use crate::claims::exactness::OperandSizes;
use crate::claims::property::Domain;
use mmasmt_core::machines::algorithms::Signature;

/// The factors that a domain has: those that are normal numbers or zeros, and all finite ones; those of the formats, if
/// nothing is known of the domain.
pub fn factors_within(signature: &Signature, domain: &Domain) -> [Factors; 2] {
    let Some(sizes) = OperandSizes::of(signature, domain) else {
        return [Factors::normal(signature), Factors::finite(signature)];
    };
    let [a, b] = sizes.factors;
    let finite = Factors {
        a,
        b,
        underflow: Underflow::Absolute,
        scales_below: sizes.scales_below,
    };
    [finite.as_normal([signature.a, signature.b]), finite]
}
