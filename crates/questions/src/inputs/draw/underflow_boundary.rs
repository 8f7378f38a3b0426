//! Sums at the underflow boundary of the result; one small product brings each sum below the
//! boundary.

use super::encodings::{plain, power_of_two};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::Format;
use rand::{Rng, RngExt};

/// The range of the difference between the exponents of the largest term and of the small product.
/// It reaches beyond what units keep.
const REACH: std::ops::RangeInclusive<i32> = 4..=36;

/// Draws products whose sum is a power of two near the least number of the result, a small product
/// of the opposite sign, and a `c` of +0. If a unit truncates the small product, it gives the next
/// result of greater magnitude. If there are block scales, they bring the products to this
/// magnitude.
pub(super) fn draw(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    let Signature { a, b, d, .. } = signature;
    let mut inputs = plain(signature);
    let count = inputs.a.len();
    let parts = Parts::of(rng.random_range(1..=Parts::most(count)));
    let sum = d.least_exponent() + rng.random_range(0..3);
    let [least, greatest] = [Format::least_exponent, Format::max_exponent].map(|of| of(a) + of(b));
    let farthest = (greatest - least).clamp(*REACH.start(), *REACH.end());
    let reach = rng.random_range(*REACH.start()..=farthest);
    let mut exponent = sum - parts.halvings;
    if let Some(scales) = signature.scales {
        let unscaled = rng.random_range((least + reach).min(greatest)..=greatest);
        let scale = exponent - unscaled;
        let for_a = scale / 2;
        let power = |exponent| power_of_two(&scales.format, exponent);
        inputs.a_scales.fill(power(for_a));
        inputs.b_scales.fill(power(scale - for_a));
        exponent = unscaled;
    }
    let is_negative = rng.random_bool(0.5);
    let large = (0..parts.large).map(|_| (exponent, is_negative, true));
    let powers = parts.powers.iter();
    let powers = powers.map(|below| (exponent - below, is_negative, false));
    let last = (exponent - reach, !is_negative, false);
    let first = rng.random_range(0..count);
    for (number, (exponent, is_negative, is_large)) in large.chain(powers).chain([last]).enumerate()
    {
        let k = (first + number) % count;
        let for_a = factor_exponent(signature, rng, exponent);
        inputs.a[k] = factor(a, for_a, is_large);
        inputs.b[k] = factor(b, exponent - for_a, is_large);
        if is_negative && inputs.a[k] != 0 {
            inputs.a[k] |= a.sign_mask();
        }
    }
    inputs
}

/// The register of `2^exponent`. With `is_large`, the register of `1.5 * 2^exponent` if the format
/// has fraction bits.
fn factor(format: &Format, exponent: i32, is_large: bool) -> u64 {
    let power = power_of_two(format, exponent);
    if !is_large || format.precision() == 1 {
        return power;
    }
    power | 1 << (format.bits_below_field() - 1)
}

/// `2^halvings` as a sum of few products, which are `1.5 * 1.5` or powers of two up to 1.
struct Parts {
    halvings: i32,
    /// The number of terms `1.5 * 1.5`.
    large: usize,
    /// The other products are powers of two; these are their negated exponents.
    powers: Vec<i32>,
}

impl Parts {
    fn of(halvings: i32) -> Self {
        let quarters = 4usize << halvings;
        let large = quarters / 9;
        let rest = quarters % 9;
        let powers = match rest {
            8 => vec![0, 0],
            _ => (0..3)
                .filter(|below| rest >> (2 - below) & 1 == 1)
                .collect(),
        };
        Parts {
            halvings,
            large,
            powers,
        }
    }

    /// The most halvings for which `products` products suffice if one of them is the small product.
    /// The answer is at least 1.
    fn most(products: usize) -> i32 {
        let needed = |parts: Parts| parts.large + parts.powers.len() + 1;
        let enough = (1..16).take_while(|&halvings| needed(Parts::of(halvings)) <= products);
        enough.last().unwrap_or(1)
    }
}

/// Draws an exponent for the factor `a` of a product with the exponent `exponent`, such that the
/// factor `b` can have the remaining exponent. Both factors are normal if possible.
fn factor_exponent(signature: &Signature, rng: &mut impl Rng, exponent: i32) -> i32 {
    let Signature { a, b, .. } = signature;
    let range = |least_a: i32, least_b: i32| {
        let least = least_a.max(exponent - b.max_exponent());
        least..=a.max_exponent().min(exponent - least_b)
    };
    let normal = range(a.min_exponent(), b.min_exponent());
    let any = range(a.least_exponent(), b.least_exponent());
    let among = if normal.is_empty() { any } else { normal };
    if among.is_empty() {
        return exponent / 2;
    }
    rng.random_range(among)
}
