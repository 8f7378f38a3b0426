//! Single products at ties between the least numbers of the result format, or just beside such
//! ties. A unit that loses a bit before it rounds sees a tie where there is none. Few pairs of
//! factors have a product so close to a tie, so random samples rarely show this.

use super::draw::has_integers;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Dyadic, Format};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Ties are drawn below this multiple of the result format's least positive number.
const MOST_LEAST: u64 = 16;

/// At most `tries` inputs, drawn from `seed`; all their operands except `a[0]` and `b[0]` are zero.
/// There are none for integers and for signatures with block scales.
pub fn products_beside_ties(
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
