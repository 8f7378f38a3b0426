//! Units of integers: the codes of the factors, the sum of products, and overflow.

use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{FormatMisfit, ProbeSum, SumPlace, number, zero};
use crate::identify::probe::test::{ReadingRule, flag, named};
use mmasmt_numbers::float::{Dyadic, Format};
use num_bigint::BigInt;

/// One of the two factors of a product.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FactorSide {
    A,
    B,
}

/// Asks what a code of ones in a factor counts: -1, or the greatest number without a sign.
pub(super) fn factor(
    asker: &mut TestInputs<'_>,
    factor: FactorSide,
) -> Result<ReadingRule, FormatMisfit> {
    let (name, format) = match factor {
        FactorSide::A => ("a", asker.signature.a),
        FactorSide::B => ("b", asker.signature.b),
    };
    if format == Format::B1 {
        return Err(FormatMisfit("b1 has the codes 0 and 1 alone".into()));
    }
    let ones = u64::MAX >> (64 - format.width());
    let sum = ProbeSum::new(asker.signature);
    let sum = match factor {
        FactorSide::A => sum.registers(0, ones, 1)?,
        FactorSide::B => sum.registers(0, 1, ones)?,
    };
    let id = asker.push(sum.inputs());
    let greatest = number(ones as i64, 0);
    Ok(Box::new(move |results| {
        let signed = number(-1, 0);
        let (value, text) = match results.one_of(id, &[&signed, &greatest])? {
            0 => ("signed", "-1".to_owned()),
            _ => ("unsigned", ones.to_string()),
        };
        named(value, format!("a code of ones in {name} counts {text}"))
    }))
}

/// Asks what two factors of one bit add: their product (AND), or 1 where they differ (XOR).
pub(super) fn bits(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    if (signature.a, signature.b) != (Format::B1, Format::B1) {
        return Err(FormatMisfit("the factors have more than one bit".into()));
    }
    let mut ask = |a, b| {
        let sum = ProbeSum::new(signature).registers(0, a, b)?;
        Ok(asker.push(sum.inputs()))
    };
    let (both, one) = (ask(1, 1)?, ask(1, 0)?);
    Ok(Box::new(move |results| {
        let (none, bit) = (zero(), number(1, 0));
        let found = [both, one].map(|id| results.one_of(id, &[&none, &bit]));
        match found {
            [Ok(1), Ok(0)] => named("AND", "1 and 1 count 1, 1 and 0 count 0"),
            [Ok(0), Ok(1)] => named("XOR", "1 and 1 count 0, 1 and 0 count 1"),
            [Err(why), _] | [_, Err(why)] => Err(why),
            _ => Err(results.unexpected(both)),
        }
    }))
}

/// Asks for the largest products at once, as many as the result holds: a narrower sum inside the
/// unit overflows.
pub(super) fn sum_of_products(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(2)?;
    let signature = asker.signature;
    if signature.a == Format::B1 {
        return Err(FormatMisfit(
            "sums of bits are no wider than their number".into(),
        ));
    }
    let mut asked = Vec::new();
    for [negative_a, negative_b] in [[false, false], [true, false], [false, true]] {
        let extreme = [(signature.a, negative_a), (signature.b, negative_b)];
        if extreme
            .iter()
            .any(|(format, negative)| *negative && !format.is_signed())
        {
            continue;
        }
        let [a, b] = extreme.map(|(format, negative)| greatest(&format, negative));
        let (mut sum, mut exact) = (ProbeSum::new(signature), zero());
        for k in 0..asker.products() {
            let more = exact.plus(&a.times(&b));
            if more.register(&signature.d).is_none() {
                break;
            }
            sum = sum.factors(k, &a, &b)?;
            exact = more;
        }
        asked.push((asker.push(sum.inputs()), exact));
    }
    Ok(Box::new(move |results| {
        for (id, exact) in &asked {
            let found = results.value(*id)?;
            if found != *exact {
                let [found, exact] = [&found, exact].map(decimal);
                let shows =
                    format!("the largest products add up to {found}, where {exact} is exact");
                return named("inexact", shows);
            }
        }
        flag(
            true,
            "the largest products add up exactly, as many as the result holds",
            "",
        )
    }))
}

/// The digits of an integer.
fn decimal(value: &Dyadic) -> BigInt {
    value.mantissa() << value.exponent()
}

/// The integer with the greatest magnitude of this sign.
fn greatest(format: &Format, negative: bool) -> Dyadic {
    let magnitude = number(format.max_finite_of(negative) as i64, 0);
    if negative {
        magnitude.negated()
    } else {
        magnitude
    }
}

/// Asks for products whose sum is beyond the result beside the least integer as `c`: the sum with `c`
/// is within it, and is exact unless the products are clamped before `c` is added.
pub(super) fn clamp_before_c(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    let [least, most] = ends(&signature.d);
    let [a, b] = [signature.a, signature.b].map(|format| greatest(&format, false));
    let (mut sum, mut products) = (ProbeSum::new(signature), zero());
    for k in 0..asker.products() {
        if most.minus(&products).is_negative() {
            break;
        }
        sum = sum.factors(k, &a, &b)?;
        products = products.plus(&a.times(&b));
    }
    let exact = products.plus(&least);
    if !most.minus(&products).is_negative() || most.minus(&exact).is_negative() {
        return Err(FormatMisfit(
            "no sum of the products alone is beyond the result, and within it with c".into(),
        ));
    }
    let id = asker.push(sum.put(SumPlace::C, &least)?.inputs());
    let clamped = most.plus(&least);
    Ok(Box::new(move |results| {
        let [products, least] = [&products, &least].map(decimal);
        let shows = format!("products add up to {products} beside c = {least}");
        flag(
            results.one_of(id, &[&exact, &clamped])? == 1,
            &format!("{shows}: they are clamped before c is added"),
            &format!("{shows}, and the result is exact"),
        )
    }))
}

/// Asks what a sum beyond the largest and below the least integer of the result becomes.
pub(super) fn overflow(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    let [least, most] = ends(&signature.d);
    // Two factors of one bit count 1 as 1 and 1, or as 1 and 0.
    let mut ask = |c: &Dyadic, a: i64, b: i64| {
        let sum = ProbeSum::new(signature).factors(0, &number(a, 0), &number(b, 0))?;
        let sum = sum.put(SumPlace::C, c)?;
        Ok::<_, FormatMisfit>(asker.push(sum.inputs()))
    };
    let above = vec![ask(&most, 1, 1)?, ask(&most, 1, 0)?];
    let below = match [signature.a, signature.b].map(|format| format.is_signed()) {
        [true, _] => vec![ask(&least, -1, 1)?],
        [_, true] => vec![ask(&least, 1, -1)?],
        _ => Vec::new(),
    };
    Ok(Box::new(move |results| {
        let mut wraps = Vec::new();
        for (ids, end, other) in [(&above, &most, &least), (&below, &least, &most)] {
            if ids.is_empty() {
                continue;
            }
            let found = ids.iter().map(|id| results.one_of(*id, &[end, other]));
            let found = found.collect::<Result<Vec<_>, _>>()?;
            wraps.push(found.contains(&1));
        }
        let shows = format!(
            "the integers of the result are {} to {}",
            decimal(&least),
            decimal(&most)
        );
        match wraps[..] {
            [true] | [true, true] => {
                named("wraps", format!("{shows}; a sum beyond keeps its low bits"))
            }
            [false] | [false, false] => named(
                "saturates",
                format!("{shows}; a sum beyond becomes the nearest of them"),
            ),
            [true, _] => named("wraps above, saturates below", shows),
            _ => named("saturates above, wraps below", shows),
        }
    }))
}

/// The least and the greatest integer of a format.
pub(super) fn ends(format: &Format) -> [Dyadic; 2] {
    let least = if format.is_signed() {
        greatest(format, true)
    } else {
        zero()
    };
    [least, greatest(format, false)]
}
