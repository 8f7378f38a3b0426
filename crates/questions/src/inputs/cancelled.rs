//! Inputs of one product and `c`, or of two products, whose sum is smaller in magnitude than the
//! least normal number. A unit that flushes results replaces this sum by a zero, which has the sign
//! of the sum or is always +0.

use super::draw::has_integers;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Dyadic, Format};

/// A product, and the term that nearly cancels it.
#[derive(Clone, Copy)]
struct Case {
    position: usize,
    /// If the other term is a product too, how many places it lies behind the first product; `None`
    /// if the other term is `c`.
    distance: Option<usize>,
    /// Whether the product is negative; the other term has the opposite sign.
    is_negative: bool,
    /// Whether the product is twice the least normal number of the result, in place of the least
    /// normal number.
    is_double: bool,
    /// Whether all other products are negative and too small to count; otherwise they are +0.
    are_small: bool,
}

impl Case {
    /// All cases for `count` products. The product comes first, or its distance from the end is a
    /// power of two, since steps of units begin at such places.
    fn all(count: usize) -> impl Iterator<Item = Case> {
        let powers = move || {
            let all = (0..usize::BITS).map(|power| 1usize << power);
            all.take_while(move |power| *power <= count)
        };
        let later = powers().filter(move |behind| *behind < count);
        let later = later.map(move |behind| count - behind);
        let beside_c = [0].into_iter().chain(later);
        let beside_c = beside_c.map(|position| (position, None));
        let beside_another = powers().flat_map(move |behind| {
            let distances = powers().take_while(move |distance| *distance < behind);
            distances.map(move |distance| (count - behind, Some(distance)))
        });
        let beside = beside_c.chain(beside_another);
        beside.flat_map(|(position, distance)| {
            (0..8).map(move |bits| Case {
                position,
                distance,
                is_negative: bits & 1 == 1,
                is_double: bits & 2 == 2,
                are_small: bits & 4 == 4,
            })
        })
    }
}

/// The inputs of all cases, always in the same order; none for integers and for formats with block
/// scales.
pub fn cancelled(signature: Signature) -> impl Iterator<Item = Inputs> {
    let (a, b, c) = (signature.a, signature.b, signature.c);
    let number = |format: &Format, significand: i64, exponent: i64, is_negative: bool| {
        let magnitude = Dyadic::new(significand.into(), exponent).register(format)?;
        Some(format.signed(is_negative, format.magnitude(magnitude)))
    };
    let least = i64::from(signature.d.min_exponent());
    let count = signature.products as usize;
    let inputs = move |case: Case| {
        let mut inputs = Inputs::zero(&signature);
        if case.are_small {
            let exponents = [a, b].map(|format| i64::from(format.min_exponent()));
            inputs.a.fill(number(&a, 1, exponents[0], true)?);
            inputs.b.fill(number(&b, 1, exponents[1], false)?);
        }
        let up = i64::from(case.is_double);
        let half = (least + up).div_euclid(2);
        *inputs.a.get_mut(case.position)? = number(&a, 1, half, case.is_negative)?;
        *inputs.b.get_mut(case.position)? = number(&b, 1, least + up - half, false)?;
        // Both terms are multiples of a quarter of the least normal number. The product is 4 such
        // quarters and the other term 5; with `is_double`, the product is 8 and the other term 6.
        let significand = 5 + up;
        if let Some(distance) = case.distance {
            let other = case.position + distance;
            *inputs.a.get_mut(other)? = number(&a, 1, half, !case.is_negative)?;
            *inputs.b.get_mut(other)? = number(&b, significand, least - 2 - half, false)?;
        } else {
            inputs.c = number(&c, significand, least - 2, !case.is_negative)?;
        }
        Some(inputs)
    };
    let is_plain = !has_integers(&signature) && signature.scales.is_none();
    let all = Case::all(count).filter(move |_| is_plain);
    all.filter_map(inputs)
}
