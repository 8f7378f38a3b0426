//! The tests of the rounding of additions, of conversions, and of the normalised result (Fasi et
//! al., §3.1.3, §3.1.4).

use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::fttn::Direction;
use crate::identify::probe::mode::Mode;
use crate::identify::probe::sums::{Place, Sum, Unfit, number, pow2, zero};
use crate::identify::probe::test::{Reading, ReadingRule, named};
use crate::identify::probe::unread::{Unread, undecided};
use mmasmt_core::numbers::float::{Dyadic, Format};

/// The reason that the rounding of a unit that keeps few bits is undecided.
const SHORT: &str =
    "sums keep fewer bits than the result has: what is lost is cut before it is rounded";

/// How a sum is rounded: asks for the sum of 2 and three quarters of an ulp, with both signs, and
/// for sums that show whether bits are cut before the sum is rounded.
pub(super) fn additions(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let sums = Direction::ask(asker)?;
    let bits = asker.fraction_bits();
    let (ids, quarters, scale) = asker.scaled(|asker, scale| {
        let mut pair = |count: i64| -> Result<[usize; 2], Unfit> {
            let mut ids = [0; 2];
            for (id, sign) in ids.iter_mut().zip([1, -1]) {
                *id = asker.add(&[
                    (Place::Product(0), number(2 * sign, scale)),
                    (Place::Product(1), number(count * sign, scale - bits - 1)),
                ])?;
            }
            Ok(ids)
        };
        Ok((pair(3)?, pair(1)?, scale))
    })?;
    Ok(Box::new(move |results| {
        if sums.is_short(results)? {
            return undecided(SHORT);
        }
        let low = pow2(scale + 1);
        let high = low.plus(&pow2(scale + 1 - bits));
        refuse_quarters(results, quarters, [&low, &high])?;
        direction(results, ids, [low, high], "a sum")?;
        let (name, shows) = match sums.read(results) {
            Ok(Mode::Zero) => ("RZ", "a sum is rounded toward zero"),
            Ok(Mode::Up) => ("RU", "a sum is rounded up"),
            Ok(Mode::Down) => ("RD", "a sum is rounded down"),
            Ok(Mode::Away | Mode::Odd) => {
                return undecided("a sum is rounded away from zero, or to odd");
            }
            Ok(_) => ("RN", "a sum is rounded to nearest"),
            Err(why) => return Err(why),
        };
        named(name, shows)
    }))
}

/// Checks that sums of `low` and a quarter of an ulp are not rounded away from zero; if they are,
/// the unit rounds away from zero or to odd, and the test is undecided. `ids` are the numbers of a
/// positive and of a negative sum, whose exact magnitudes lie just above `low`.
fn refuse_quarters(
    results: &TestResults<'_>,
    ids: [usize; 2],
    [low, high]: [&Dyadic; 2],
) -> Result<(), Unread> {
    let up = results.one_of(ids[0], &[low, high])? == 1;
    let away = results.one_of(ids[1], &[&low.negated(), &high.negated()])? == 1;
    if up && away {
        undecided("quarters of an ulp are rounded away too: away from zero, or to odd")
    } else {
        Ok(())
    }
}

/// The direction in which two sums are rounded, a positive and a negative one with the result
/// numbers `ids`. Their exact magnitudes lie between `low` and `high`, nearer to `high`.
fn direction(
    results: &TestResults<'_>,
    ids: [usize; 2],
    [low, high]: [Dyadic; 2],
    what: &str,
) -> Reading {
    let up = results.one_of(ids[0], &[&low, &high])? == 1;
    let away = results.one_of(ids[1], &[&low.negated(), &high.negated()])? == 1;
    let (name, shows) = match (up, away) {
        (false, false) => ("RZ", "is rounded toward zero"),
        (true, true) => ("RN", "is rounded to nearest"),
        (true, false) => ("RU", "is rounded up"),
        (false, true) => ("RD", "is rounded down"),
    };
    named(name, format!("{what} {shows}"))
}

/// How a sum is rounded when it is converted to a narrow result: asks for sums of two products that
/// are three quarters and one quarter of the least subnormal result, with both signs.
pub(super) fn conversion(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    asker.need_products(2)?;
    let signature = asker.signature;
    let tiny = i64::from(signature.d.min_exponent()) - asker.fraction_bits();
    if signature.d.precision() >= Format::F32.precision() {
        let d = &signature.d;
        return Err(Unfit(format!("sums are not converted to give {d}")));
    }
    let (mut ids, mut quarters) = ([0; 2], [0; 2]);
    for (at, sign) in [1, -1].into_iter().enumerate() {
        let x = number(sign, tiny);
        let sum = Sum::new(signature).factors(0, &x, &pow2(-1))?;
        ids[at] = asker.push(sum.factors(1, &x, &pow2(-2))?.inputs());
        let sum = Sum::new(signature).factors(0, &x, &pow2(-2))?;
        quarters[at] = asker.push(sum.inputs());
    }
    let whole = asker.push(
        Sum::new(signature)
            .factors(0, &number(1, tiny), &pow2(0))?
            .inputs(),
    );
    Ok(Box::new(move |results| {
        let values = [zero(), pow2(tiny)];
        if results.one_of(whole, &values.each_ref())? == 0 {
            return undecided("subnormal results become zero: nothing of them is rounded");
        }
        refuse_quarters(results, quarters, values.each_ref())?;
        direction(
            results,
            ids,
            values,
            "the conversion of the sum to the narrow result",
        )
    }))
}

/// How the normalised sum is rounded: asks for `1 + 1 + 1 + 1 + (1 + 3 ulp)`, whose last two bits
/// are below the ulp of the sum.
pub(super) fn normalised(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    asker.need_products(4)?;
    let bits = asker.fraction_bits();
    let mut pair = |ulps: i64| -> Result<[usize; 2], Unfit> {
        let mut ids = [0; 2];
        for (id, sign) in ids.iter_mut().zip([1, -1]) {
            let c = number(sign, 0).plus(&number(ulps * sign, -bits));
            let mut terms = vec![(Place::C, c)];
            terms.extend((0..4).map(|k| (Place::Product(k), number(sign, 0))));
            *id = asker.add(&terms)?;
        }
        Ok(ids)
    };
    let (ids, quarters) = (pair(3)?, pair(1)?);
    let sums = Direction::ask(asker)?;
    Ok(Box::new(move |results| {
        if sums.is_short(results)? {
            return undecided(SHORT);
        }
        let low = number(5, 0);
        let high = low.plus(&pow2(2 - bits));
        refuse_quarters(results, quarters, [&low, &high])?;
        direction(results, ids, [low, high], "the normalised sum")
    }))
}
