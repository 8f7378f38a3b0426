//! The accuracy of products (Fasi et al., §3.1.2) and their rounding (FTTN §III-A).

use super::mode::{Mode, ModeCase, QUARTERS, QuarterCases};
use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{FormatMisfit, ProbeSum, SumPlace, number, pow2};
use crate::identify::probe::test::{ReadingRule, flag, named};
use crate::identify::probe::unread::undecided;

/// Asks if products are exact, with the sum of four products `x * x`, where `x` is 1 - 2^-p and
/// p is the precision of the factors. The result represents this sum exactly.
pub(super) fn exact(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(4)?;
    let signature = asker.signature;
    let precision = i64::from(signature.a.precision().min(signature.b.precision()));
    if 2 * precision > i64::from(signature.d.precision()) {
        return Err(FormatMisfit(format!(
            "{} does not hold such products",
            signature.d
        )));
    }
    let x = pow2(0).minus(&pow2(-precision));
    // In terms of e = 2^-precision: (1 - e)^2 = 1 - 2e + e^2.
    let square = |tail: bool| {
        let sum = pow2(0).minus(&pow2(1 - precision));
        if tail {
            sum.plus(&pow2(-2 * precision))
        } else {
            sum
        }
    };
    let mut sum = ProbeSum::new(signature);
    for k in 0..4 {
        sum = sum.factors(k, &x, &x)?;
    }
    let id = asker.push(sum.inputs());
    // If the square is rounded to the precision of the factors, it is 1 - 2e or 1 - e.
    let values = [square(true), square(false), x].map(|value| value.shifted(2));
    Ok(Box::new(move |results| {
        let [exact, cut, rounded] = &values;
        let is_exact = results.one_of(id, &[exact, cut, rounded])? == 0;
        flag(
            is_exact,
            "products are exact",
            "products are rounded to the precision of their factors",
        )
    }))
}

/// Asks if products are exact if the result has the precision of the factors, with
/// `(1 - e)^2 + (1 - e) * e`. The result represents this sum, although it cannot represent the
/// products.
pub(super) fn exact_narrow(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(2)?;
    let signature = asker.signature;
    let precision = i64::from(signature.a.precision());
    if signature.a != signature.b || signature.a.precision() != signature.d.precision() {
        return Err(FormatMisfit(
            "the result has another precision than the factors".into(),
        ));
    }
    let x = pow2(0).minus(&pow2(-precision));
    let sum = ProbeSum::new(signature).factors(0, &x, &x)?;
    let id = asker.push(sum.factors(1, &x, &pow2(-precision))?.inputs());
    let half = asker.add(&[(SumPlace::Product(0), pow2(-1))])?;
    let less = x.minus(&pow2(-precision));
    Ok(Box::new(move |results| {
        results.one_of(half, &[&pow2(-1)])?;
        let is_exact = results.one_of(id, &[&x, &less])? == 0;
        flag(
            is_exact,
            "products are exact before they are summed, or round to nearest with errors that cancel",
            "products are cut before they are summed",
        )
    }))
}

/// How a product is rounded: asks for `(1 + k ulp) * (1 + 2^-2)`, which is `1 + 2^-2` plus 5k
/// quarters of an ulp. For k = 2 and k = 6 this is a tie: half an ulp above 2 ulp and above 7 ulp.
pub(super) fn rounding(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    let bits = asker.fraction_bits();
    let (a, b) = (&signature.a, &signature.b);
    if a.precision() + b.precision() <= signature.d.precision() {
        let d = &signature.d;
        return Err(FormatMisfit(format!("products {a} x {b} fit {d} exactly")));
    }
    if i64::from(a.precision()) <= bits {
        return Err(FormatMisfit(format!("{a} has fewer bits than the result")));
    }
    let mut cases = Vec::new();
    for quarters in QUARTERS {
        let x = number(quarters.signum(), 0).plus(&number(quarters, -bits));
        let id = asker.multiply(&x, &number(5, -2))?;
        let low = number(5, -2).plus(&number(5 * quarters.abs() / 4, -bits));
        cases.push(ModeCase::new(id, low, -bits, quarters < 0));
    }
    let eight = QuarterCases::of(cases);
    Ok(Box::new(move |results| {
        let mode = eight.read(results)?;
        // If the last bit of a product is cut before it is rounded, other modes give the same
        // results as these modes.
        if let Mode::NearestUp
        | Mode::NearestDown
        | Mode::NearestZero
        | Mode::NearestAway
        | Mode::NearestOdd = mode
        {
            return undecided(
                "ties are not rounded to even: the last bit of a product may be cut before it is rounded",
            );
        }
        named(mode.fttn_name(), format!("a product {}", mode.shows()))
    }))
}
