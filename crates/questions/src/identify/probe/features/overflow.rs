//! Overflow (Xie et al. §III-F): of products, of intermediate sums, and of results; and sums with
//! infinities.

use super::mode::Mode;
use super::rounding::Direction;
use super::special::infinity;
use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{
    FormatMisfit, ProbeSum, SumPlace, normal_exponents, number, pow2,
};
use crate::identify::probe::test::{ProbeValue, ReadingRule, flag, named};
use crate::identify::probe::unread::undecided;
use mmasmt_numbers::float::{Dyadic, Format};

/// Returns a rule that reads whether the result number `id` is infinity or `value`.
fn infinite_or(
    id: usize,
    format: Format,
    value: Dyadic,
    what: [&'static str; 2],
) -> Result<ReadingRule, FormatMisfit> {
    let infinity = format.infinity();
    if !format.has_infinity() {
        return Err(FormatMisfit(format!("{format} has no infinity")));
    }
    Ok(Box::new(move |results| {
        match results.register(id)? == infinity {
            true => flag(true, what[0], what[1]),
            false if results.is(id, &value)? => flag(false, what[0], what[1]),
            false => Err(results.unexpected(id)),
        }
    }))
}

/// Asks if products overflow beyond the range of their factors, with `2 * 2^E - 2^E`, where E
/// is the greatest exponent of a factor.
pub(super) fn product_overflow(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    let (_, greatest) = normal_exponents(&signature.b);
    if greatest > normal_exponents(&signature.d).1 {
        let [b, d] = [signature.b, signature.d];
        return Err(FormatMisfit(format!("{d} has no number as great as {b}")));
    }
    let large = pow2(greatest);
    let asked = |place| {
        let sum = ProbeSum::new(signature).put(place, &large.negated())?;
        Ok::<_, FormatMisfit>(sum.factors(0, &pow2(1), &large)?.inputs())
    };
    let id = asker.push(asked(SumPlace::C)?);
    // The same sum, but with `-2^E` as another product in place of `c`. If it is not infinite, an
    // infinity in the first sum came from the sum of the products.
    let others = 1..asker.products();
    let others = others.filter_map(|k| Some(asker.push(asked(SumPlace::Product(k)).ok()?)));
    let others: Vec<usize> = others.collect();
    let what = [
        "a product beyond the greatest factor's binade is infinite",
        "a product may exceed the range of its factors",
    ];
    let infinity = signature.d.infinity();
    let read = infinite_or(id, signature.d, large, what)?;
    Ok(Box::new(move |results| {
        let found = read(results)?;
        for &id in &others {
            if found.value == ProbeValue::Flag(true) && results.register(id)? != infinity {
                let shows = "a product may exceed the range of its factors, the sum of the products may not";
                return flag(false, "", shows);
            }
        }
        Ok(found)
    }))
}

/// Asks if intermediate sums overflow, with `2^E + 2^E - 2^E`, where E is the greatest exponent
/// of a result.
pub(super) fn sum_overflow(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(2)?;
    let (_, greatest) = normal_exponents(&asker.signature.d);
    let large = pow2(greatest);
    let id = asker.add(&[
        (SumPlace::C, large.clone()),
        (SumPlace::Product(0), large.clone()),
        (SumPlace::Product(1), large.negated()),
    ])?;
    let what = [
        "c + #0 - #1 overflows on the way",
        "c + #0 - #1 does not overflow on the way",
    ];
    infinite_or(id, asker.signature.d, large, what)
}

/// How a sum beyond the greatest number is rounded: asks for the greatest number plus 0.75, 0.5 and
/// 0.25 of its ulp, with both signs. Similar sums near 1 show which of these bits are cut before
/// the sum is rounded.
pub(super) fn overflow_rule(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let format = asker.signature.d;
    if !format.has_infinity() || asker.signature.c != format {
        return Err(FormatMisfit(format!(
            "c is not {format}, or has no infinity"
        )));
    }
    let greatest = format.greatest();
    let (_, exponent) = normal_exponents(&format);
    let quarter = exponent - i64::from(format.precision()) - 1;
    let fraction = format.precision() - 1;
    let mut cases = Vec::new();
    for sign in [0, format.sign_mask()] {
        for quarters in [3i64, 2, 1] {
            let value = number(if sign == 0 { quarters } else { -quarters }, quarter);
            let sum = ProbeSum::new(asker.signature).c_register(greatest | sign);
            let inputs = sum.put(SumPlace::Product(0), &value)?.inputs();
            cases.push((asker.push(inputs), sign));
        }
    }
    let infinity = format.infinity();
    let sums = Direction::ask(asker)?;
    Ok(Box::new(move |results| {
        let mut overflows = Vec::new();
        for &(id, sign) in &cases {
            match results.register(id)? {
                register if register == infinity | sign => overflows.push(true),
                register if register == greatest | sign => overflows.push(false),
                // The result has the exponent of the greatest number, but not all of its fraction
                // bits.
                register if register >> fraction == (greatest | sign) >> fraction => {
                    return undecided("bits of the greatest number are cut beside a product");
                }
                _ => return Err(results.unexpected(id)),
            }
        }
        let mode = sums.read(results);
        let (rule, shows) = match overflows[..] {
            [false, false, false, false, false, false] => (
                Mode::Zero,
                "a sum less than an ulp beyond the greatest number is that number",
            ),
            [true, true, false, true, true, false] => (
                Mode::NearestEven,
                "a sum from half an ulp beyond the greatest number on is infinite",
            ),
            [true, true, true, false, false, false] => {
                (Mode::Up, "sums beyond the greatest number are rounded up")
            }
            [false, false, false, true, true, true] => (
                Mode::Down,
                "sums beyond the greatest number are rounded down",
            ),
            [true, true, true, true, true, true] => {
                (Mode::Away, "sums beyond the greatest number are infinite")
            }
            _ => {
                return undecided(match mode {
                    Ok(_) => {
                        "some bits beyond the greatest number are cut before the sum is rounded"
                    }
                    Err(_) => "the overflow follows no one rounding mode",
                });
            }
        };
        let is_of_mode = match mode? {
            // The last bit of the greatest number is 1, so rounding to odd keeps this number.
            Mode::Odd => rule == Mode::Zero,
            Mode::NearestAway | Mode::NearestUp | Mode::NearestOdd => rule == Mode::NearestEven,
            mode => rule == mode,
        };
        if !is_of_mode {
            return undecided(
                "bits beyond the greatest number are cut before the sum is rounded: another rule than that of the rounding may be seen",
            );
        }
        let name = match rule {
            Mode::Zero => "toward zero",
            Mode::NearestEven => "nearest",
            Mode::Up => "up",
            Mode::Down => "down",
            _ => "away",
        };
        named(name, shows)
    }))
}

/// The result of an infinite sum: asks for sums in which `c` is an infinity, and for sums with a
/// product of 1 and an infinity, with both signs.
pub(super) fn infinite_sum(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    let mut cases = Vec::new();
    if let Ok(plus) = infinity(&signature.c) {
        for sign in [0, signature.c.sign_mask()] {
            let sum = ProbeSum::new(signature).c_register(plus | sign);
            cases.push((asker.push(sum.inputs()), sign != 0));
        }
    }
    if let Ok(plus) = infinity(&signature.b) {
        for sign in [0, signature.b.sign_mask()] {
            let sum = ProbeSum::new(signature).registers(0, signature.a.one(), plus | sign)?;
            cases.push((asker.push(sum.inputs()), sign != 0));
        }
    }
    if cases.is_empty() {
        let (b, c) = (signature.b, signature.c);
        return Err(FormatMisfit(format!("{b} and {c} have no infinities")));
    }
    let d = signature.d;
    Ok(Box::new(move |results| {
        let mut kinds = Vec::new();
        for &(id, negative) in &cases {
            let sign = if negative { d.sign_mask() } else { 0 };
            kinds.push(match results.register(id)? {
                register if d.has_infinity() && register == d.infinity() | sign => "infinity",
                register if register == d.greatest() | sign => "greatest",
                register if d.is_nan(register) => "NaN",
                _ => return Err(results.unexpected(id)),
            });
        }
        match (kinds[0], kinds.iter().all(|kind| *kind == kinds[0])) {
            ("infinity", true) => named("infinity", "an infinite sum is infinite"),
            ("greatest", true) => named("saturated", "an infinite sum becomes the greatest number"),
            ("NaN", true) => named("NaN", "an infinite sum becomes NaN"),
            _ => named(
                "by operand",
                "what an infinite sum becomes depends on which operand is infinite",
            ),
        }
    }))
}
