//! Single products at ties between the least numbers of the result format, or just beside such
//! ties. A unit that loses a bit before it rounds sees a tie where there is none. Few pairs of
//! factors have a product so close to a tie, so random samples rarely show this.

use super::draw::has_integers;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::numbers::float::{Dyadic, Format};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Ties are drawn below this multiple of the result format's least positive number.
const MOST_LEAST: u64 = 16;

/// At most `tries` inputs, drawn from `seed`; all their operands except `a[0]` and `b[0]` are zero.
/// There are none for integers and for signatures with block scales.
pub(super) fn products_beside_ties(
    signature: Signature,
    seed: u64,
    tries: u32,
) -> impl Iterator<Item = Inputs> {
    let is_plain = !has_integers(&signature) && signature.scales.is_none();
    let tries = if is_plain { tries } else { 0 };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..tries).filter_map(move |_| {
        let mut inputs = Inputs::zero(&signature);
        [inputs.a[0], inputs.b[0]] = factors(&signature, &mut rng)?;
        Some(inputs)
    })
}

/// Two factors whose product is a tie between two of the least numbers of the result format, or
/// lies above or below this tie, as close as the second factor permits. `None` if a factor is out
/// of the range of its format.
fn factors(signature: &Signature, rng: &mut impl Rng) -> Option<[u64; 2]> {
    let Signature { a, b, d, .. } = signature;
    // The tie in units of half the least number, of which it is an odd multiple.
    let tie = 2 * rng.random_range(0..MOST_LEAST) + 1;
    let left = 1u64 << a.fraction_bits | rng.random_range(0..1u64 << a.fraction_bits);
    let places = (b.precision() + left.ilog2()).checked_sub(tie.ilog2())?;
    let right = (u128::from(tie) << places) / u128::from(left) + rng.random_range(0..=1);
    let left_unit =
        rng.random_range(a.least_exponent()..=a.max_exponent() - a.fraction_bits as i32);
    let right_unit = d.least_exponent() - 1 - places as i32 - left_unit;
    let mut factor = |format: &Format, significand: u128, unit: i32| {
        let magnitude = Dyadic::new(significand.into(), unit.into());
        let register = magnitude.register(format)?;
        let negative = format.is_signed() && rng.random();
        Some(format.signed(negative, format.magnitude(register)))
    };
    Some([
        factor(a, left.into(), left_unit)?,
        factor(b, right, right_unit)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::property::Domain;
    use mmasmt_core::machines::model::Model;

    /// Draws `tries` inputs, sets the bits that the domain fixes, and keeps the inputs that are in
    /// the domain.
    fn inside(domain: &Domain, model: &Model, tries: u32) -> impl Iterator<Item = Inputs> {
        let drawn = products_beside_ties(model.signature(), 0, tries);
        let fixed = drawn.map(|inputs| domain.fixed_bits(&inputs));
        fixed.filter(|inputs| domain.contains(inputs))
    }

    /// The first model rounds the exact product; the second model has lost bits of the product.
    #[test]
    fn a_single_product_tells_two_roundings_of_subnormal_results_apart() {
        let models = [
            "exact:K=2,in=bf16,nan=any,repeat=8",
            "fdrda:in=bf16,chain=2",
        ];
        let models = models.map(|text| Model::parse(text).unwrap());
        let mut simulators = models.each_ref().map(Model::simulator);
        for domain in [
            "a[1..] zero, b[1..] zero, c = 0",
            "a[1..] zero, b[1..] zero, c = 0, zero-or-normal",
        ] {
            let domain = Domain::parse(domain, &models[0].signature()).unwrap();
            let differing = inside(&domain, &models[0], 200).find(|inputs| {
                let [left, right] = simulators.each_mut().map(|model| model.run(inputs));
                left != right
            });
            assert!(differing.is_some(), "{domain:?}");
        }
    }

    #[test]
    fn domains_without_such_products_have_none() {
        let [integers, scaled] = [
            "int:K=4,in=s8",
            "fda:K=32,F=25,in=e4m3,scale=ue8m0,emin=-133",
        ]
        .map(|text| Model::parse(text).unwrap());
        for model in [&integers, &scaled] {
            assert_eq!(products_beside_ties(model.signature(), 0, 100).count(), 0);
        }
        let model = Model::parse("fda:F=25,in=bf16").unwrap();
        let domain = Domain::parse("factors from 1..3", &model.signature()).unwrap();
        assert_eq!(inside(&domain, &model, 100).count(), 0);
    }
}
