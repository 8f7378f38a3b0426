//! The carry bits above the largest summand (Fasi et al., §3.1.4).

use super::near_one::QuarterUlp;
use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, ProbeSum, SumPlace, number, pow2};
use crate::identify::probe::test::{ProbeValue, ReadingRule, found};
use crate::identify::probe::unread::{ReadingFailure, undecided};
use mmasmt_numbers::float::Dyadic;

/// How many carry bits sums have: asks for sums with two, three and (beyond the paper) four
/// carries.
pub(super) fn carry_bits(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(4)?;
    let signature = asker.signature;
    let bits = asker.fraction_bits();
    // Two carries: `c` is 1 + 3 ulp, and the products are 1, 1, 1 and ulp in some order. Without
    // carry bits, the ulps are lost and the result is 4.
    let mut two = Vec::new();
    for small in 0..4 {
        let mut terms = vec![(SumPlace::C, pow2(0).plus(&number(3, -bits)))];
        terms.extend((0..4).map(|k| {
            let value = if k == small { pow2(-bits) } else { pow2(0) };
            (SumPlace::Product(k), value)
        }));
        two.push(asker.add(&terms)?);
    }
    // Three carries: summands below 2 whose sum is 8.
    let eighths = [8, 12, 14, 15].map(|eighths| number(eighths, -3));
    let mut terms = vec![(SumPlace::C, number(15, -3))];
    terms.extend(
        eighths
            .into_iter()
            .enumerate()
            .map(|(k, value)| (SumPlace::Product(k), value)),
    );
    let three = asker.add(&terms)?;
    // Four carries: products below 4 whose sum with c is 16.
    let top = |precision: u32| pow2(1).minus(&pow2(1 - i64::from(precision)));
    let [x, y, c] = [signature.a, signature.b, signature.c].map(|format| top(format.precision()));
    let precise = signature.a.precision().min(signature.b.precision()) > 3;
    let four = if precise {
        let mut sum = ProbeSum::new(signature).put(SumPlace::C, &c)?;
        for k in 0..4 {
            sum = sum.factors(k, &x, &y)?;
        }
        let exact = (0..4).fold(c, |sum, _| sum.plus(&x.times(&y)));
        Some((asker.push(sum.inputs()), exact))
    } else {
        None
    };
    let late = sum_of_two(asker)?;
    let quarter = QuarterUlp::ask(asker)?;
    let halves = halves_beside_parts(asker);
    Ok(Box::new(move |results| {
        let exact = pow2(2).plus(&pow2(2 - bits));
        let lost = pow2(2);
        for &id in &two {
            match results.one_of(id, &[&exact, &lost]) {
                Ok(0) => {}
                Ok(_) => {
                    let shows = "sums are normalised: their low bits are lost";
                    return found(ProbeValue::Exactly(0), shows);
                }
                Err(_) => {
                    let why = "sums are rounded up one by one";
                    return Err(results.near(id, &exact, &number(5, 2 - bits), why));
                }
            }
        }
        quarter.refuse_moved(results)?;
        let mut fused = late.is_fused(results)?;
        for &id in &halves {
            fused &= results.value(id)? != pow2(0);
        }
        if !fused {
            return undecided("each sum is normalised: there is nothing to carry into");
        }
        let sum = results.value(three)?;
        if sum != pow2(3) && is_about(&sum, &pow2(3), bits) {
            return found(
                ProbeValue::Exactly(2),
                "five summands below 2 that make 8 give the greatest sum below it",
            );
        }
        let eight = results.one_of(three, &[&pow2(3), &pow2(3).negated(), &number(0, 0)])?;
        if eight > 0 {
            return found(
                ProbeValue::Exactly(2),
                "five summands below 2 that make 8 wrap around",
            );
        }
        let Some((four, exact)) = &four else {
            return found(
                ProbeValue::AtLeast(3),
                "five summands below 2 that make 8 add up",
            );
        };
        let value = results.value(*four)?;
        if value.magnitude_exceeds(&number(18, 0)) {
            return Err(results.unexpected(*four));
        }
        // If a sum cannot reach a power of two but is rounded up, the result may be that power of
        // two.
        if is_about(&value, exact, bits) {
            let shows = "four products below 4 and c add up: four bits above the largest summand's";
            found(ProbeValue::AtLeast(4), shows)
        } else if is_about(&value, &pow2(4), bits) {
            let shows = "four products below 4 and c give the greatest sum below 16";
            found(ProbeValue::Exactly(3), shows)
        } else if is_about(&value, &pow2(3), bits) {
            let shows = "four products below 4 and c give the greatest sum below 8";
            found(ProbeValue::Exactly(2), shows)
        } else {
            found(
                ProbeValue::Exactly(3),
                "four products below 4 and c wrap around",
            )
        }
    }))
}

/// True if `value`, which is below 32, differs from `other` by no more than an error of rounding to
/// `bits` fraction bits.
fn is_about(value: &Dyadic, other: &Dyadic, bits: i64) -> bool {
    let tolerance = pow2((5 - bits).max(-5));
    !value.minus(other).magnitude_exceeds(&tolerance)
}

/// Adds inputs with two products whose sum is 1, a product of half an ulp, and a `c` of half an
/// ulp; one input for each choice of the products' places among the first four. Sequential sums
/// lose the halves beside 1. Returns the numbers of the results; there are none if the formats do
/// not allow these inputs.
fn halves_beside_parts(asker: &mut TestInputs<'_>) -> Vec<usize> {
    let bits = asker.fraction_bits();
    let precision = asker
        .signature
        .a
        .precision()
        .min(asker.signature.b.precision());
    let part = pow2(-i64::from(precision));
    let half = pow2(-bits - 1);
    let mut ids = Vec::new();
    for first in 0..4 {
        for second in (0..4).filter(|k| *k != first) {
            for small in (0..4).filter(|k| ![first, second].contains(k)) {
                let terms = [
                    (SumPlace::Product(first), pow2(0).minus(&part)),
                    (SumPlace::Product(second), part.clone()),
                    (SumPlace::Product(small), half.clone()),
                    (SumPlace::C, half.clone()),
                ];
                ids.extend(asker.add(&terms).ok());
            }
        }
    }
    ids
}

/// Inputs with four halves of an ulp beside 1 - ulp/2. All halves survive if one operation sums all
/// terms.
struct LateHalves {
    id: usize,
    fraction_bits: i64,
}

fn sum_of_two(asker: &mut TestInputs<'_>) -> Result<LateHalves, FormatMisfit> {
    let fraction_bits = asker.fraction_bits();
    // The terms are 1 - ulp/2 and four times ulp/2. All halves survive only if the sum is not
    // normalised when it carries.
    let half = pow2(-fraction_bits - 1);
    let mut terms = vec![(SumPlace::C, pow2(0).minus(&half))];
    terms.extend((0..4).map(|k| (SumPlace::Product(k), half.clone())));
    let id = asker.add(&terms)?;
    Ok(LateHalves { id, fraction_bits })
}

impl LateHalves {
    fn is_fused(&self, results: &TestResults<'_>) -> Result<bool, ReadingFailure> {
        let one = pow2(0);
        let ulps = |count| one.plus(&number(count, -self.fraction_bits));
        Ok(results.one_of(self.id, &[&one, &ulps(1), &ulps(2)])? > 0)
    }
}
