//! Inputs at the ends of a domain: great terms that cancel, and the least ones beside them.

use super::question::Question;
use crate::algorithms::Signature;
use crate::float::Format;
use crate::property::{Domain, Numbers};
use crate::vectors::Inputs;

/// What a factor or `c` is to be.
#[derive(Clone, Copy)]
enum End {
    Greatest { negative: bool },
    Least { negative: bool },
    Zero,
}

const GREAT: End = End::Greatest { negative: false };
const MINUS_GREAT: End = End::Greatest { negative: true };
const LEAST: End = End::Least { negative: false };
const MINUS_LEAST: End = End::Least { negative: true };

/// The first products, each by its `a` and `b`; the others are zero, or the last of these again where none
/// is named so.
const PRODUCTS: [&[[End; 2]]; 8] = [
    &[
        [GREAT, GREAT],
        [MINUS_GREAT, GREAT],
        [LEAST, LEAST],
        [End::Zero; 2],
    ],
    &[[GREAT, GREAT], [MINUS_LEAST, LEAST], [End::Zero; 2]],
    &[[GREAT, GREAT], [LEAST, LEAST], [End::Zero; 2]],
    &[[GREAT, GREAT], [MINUS_LEAST, LEAST]],
    &[[GREAT, GREAT]],
    &[[MINUS_GREAT, GREAT]],
    &[[LEAST, LEAST], [End::Zero; 2]],
    &[[GREAT, LEAST], [MINUS_LEAST, LEAST], [End::Zero; 2]],
];
const ADDENDS: [End; 5] = [End::Zero, GREAT, MINUS_GREAT, LEAST, MINUS_LEAST];

/// Some inputs of the question's domain, the same each time.
pub(super) fn ends(question: &Question) -> impl Iterator<Item = Inputs> {
    let (signature, domain) = (question.signature(), question.domain());
    let all = PRODUCTS
        .iter()
        .flat_map(|products| ADDENDS.map(|c| (*products, c)));
    all.filter_map(move |(products, c)| inputs(&signature, domain, products, c))
        .filter(move |inputs| domain.contains(inputs))
}

fn inputs(signature: &Signature, domain: &Domain, products: &[[End; 2]], c: End) -> Option<Inputs> {
    let count = signature.products as usize;
    let mut inputs = Inputs::zero(signature);
    let register = |operand: usize, format: &Format, end| {
        register(format, &domain.numbers(operand, format), end)
    };
    for k in 0..count {
        let [a, b] = *products.get(k).or(products.last())?;
        inputs.a[k] = register(k, &signature.a, a)?;
        inputs.b[k] = register(count + k, &signature.b, b)?;
    }
    inputs.c = register(2 * count, &signature.c, c)?;
    Some(domain.fixed_bits(&inputs))
}

/// The register of such a number; of another sign, or other than zero, where the domain wants that.
fn register(format: &Format, numbers: &Numbers, end: End) -> Option<u64> {
    let codes = numbers.finite_codes();
    let wanted = match end {
        End::Greatest { negative } | End::Least { negative } => negative,
        End::Zero => false,
    };
    let of_sign = codes.iter().find(|(negative, _)| *negative == wanted);
    let (negative, range) = of_sign.or(codes.first())?;
    let step = 1u64 << numbers.cleared_bits();
    let code = match end {
        End::Greatest { .. } => *range.end(),
        End::Least { .. } if *range.start() == 0 && format.has_zero() => step.min(*range.end()),
        End::Least { .. } | End::Zero => *range.start(),
    };
    Some(format.signed(*negative, code))
}
