//! The accumulation precision (Xie et al. §III-D): the least power of two that counts beside large
//! terms.
//!
//! The paper halves epsilon until it is lost, and concludes that `1 - log2(epsilon)` fraction bits
//! are kept. But the last power of two that counted was `2 * epsilon`, so the number of bits is
//! `-1 - log2(epsilon)`.

use crate::identify::probe::asker::{ExponentSweep, PlacedTerm, TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, SumPlace, normal_exponents, number, pow2, zero};
use crate::identify::probe::test::{ProbeValue, ReadingRule, found, named};
use crate::identify::probe::unread::ReadingFailure;
use mmasmt_numbers::float::Dyadic;

/// The most fraction bits that are tested.
pub(super) const MOST: i64 = 64;

/// Inputs for the sum of epsilon and of terms whose own sum is known, where epsilon is one of
/// smaller and smaller powers of two.
pub(super) struct Precision {
    sweep: ExponentSweep,
    /// The sum of the other terms.
    beside: Dyadic,
}

/// The number of fraction bits that are kept: the least power of two that counts beside 1 is 2 to
/// minus this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeptBits {
    Bits(i64),
    AtLeast(i64),
}

impl Precision {
    /// Adds the inputs for `-1 + 1 + epsilon` as the terms of one fused sum, with -1 and 1 in the
    /// places `large` and epsilon in `place`. They show how many bits alignment keeps.
    pub(super) fn aligned(
        asker: &mut TestInputs<'_>,
        large: [SumPlace; 2],
        place: SumPlace,
    ) -> Result<Self, FormatMisfit> {
        Ok(Precision {
            sweep: sweep_beside(asker, large, place, pow2)?,
            beside: zero(),
        })
    }

    /// Adds the inputs for `1 + epsilon`, which show how many bits an addition keeps, including its
    /// rounding.
    pub(super) fn added(asker: &mut TestInputs<'_>) -> Result<Self, FormatMisfit> {
        let bits = asker.fraction_bits();
        let sweep = asker.sweep(1..=bits + 1, |scale, depth| {
            let one = (SumPlace::C, pow2(scale));
            Ok(vec![one, (SumPlace::Product(0), pow2(scale - depth))])
        })?;
        let beside = pow2(sweep.scale);
        Ok(Precision { sweep, beside })
    }

    /// The number of bits that are kept, down to the least power of two that counts.
    pub(super) fn read(&self, results: &TestResults<'_>) -> Result<KeptBits, ReadingFailure> {
        Ok(self.counted(results)?.0)
    }

    /// True if a power of two below the least one that counts changes the result. It does so if it
    /// is rounded, not cut.
    pub(super) fn rounds(&self, results: &TestResults<'_>) -> Result<bool, ReadingFailure> {
        Ok(self.counted(results)?.1)
    }

    /// A power of two that does not count changes nothing or, if it is rounded instead of cut, as
    /// much as the least power that counts.
    fn counted(&self, results: &TestResults<'_>) -> Result<(KeptBits, bool), ReadingFailure> {
        let (mut last, mut rounds) = (self.sweep.scale, false);
        let reach = self.sweep.reach(|depth, id| {
            let exponent = self.sweep.scale - depth;
            let [exact, rounded] = [exponent, last].map(|power| self.beside.plus(&pow2(power)));
            let at = results.one_of(id, &[&self.beside, &exact, &rounded])?;
            match at {
                1 => last = exponent,
                2 => rounds = true,
                _ => {}
            }
            Ok(at == 1)
        })?;
        let kept = match reach {
            None => KeptBits::Bits(0),
            Some((bits, false)) => KeptBits::Bits(bits),
            Some((bits, true)) => KeptBits::AtLeast(bits),
        };
        Ok((kept, rounds))
    }
}

impl KeptBits {
    fn value(self) -> ProbeValue {
        match self {
            KeptBits::Bits(bits) => ProbeValue::Exactly(bits),
            KeptBits::AtLeast(bits) => ProbeValue::AtLeast(bits),
        }
    }
}

/// Inputs for `-1 + 1 + epsilon`, where epsilon is three quarters of one of the same powers of two.
/// A result above the exact sum shows that a sum is rounded, not cut.
pub(super) struct ThreeQuarters {
    sweep: ExponentSweep,
}

impl ThreeQuarters {
    /// Adds the inputs, with -1 and 1 in the places `large` and epsilon in `place`.
    pub(super) fn ask(
        asker: &mut TestInputs<'_>,
        large: [SumPlace; 2],
        place: SumPlace,
    ) -> Result<Self, FormatMisfit> {
        let sweep = sweep_beside(asker, large, place, three_quarters)?;
        Ok(ThreeQuarters { sweep })
    }

    /// True if one of the results is greater than the exact sum.
    pub(super) fn round_up(&self, results: &TestResults<'_>) -> Result<bool, ReadingFailure> {
        for (&depth, &id) in self.sweep.depths.iter().zip(&self.sweep.ids) {
            let exact = three_quarters(self.sweep.scale - depth);
            if exact.minus(&results.value(id)?).is_negative() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Three quarters of `2^exponent`.
fn three_quarters(exponent: i64) -> Dyadic {
    number(3, exponent - 2)
}

/// Adds inputs with -1 and 1 in the places `large`. In `place`, each of the inputs has the number
/// `small(e)` for an exponent e below the exponent of the 1, as long as results are normal numbers.
fn sweep_beside(
    asker: &mut TestInputs<'_>,
    large: [SumPlace; 2],
    place: SumPlace,
    small: impl Fn(i64) -> Dyadic,
) -> Result<ExponentSweep, FormatMisfit> {
    let (least, greatest) = normal_exponents(&asker.signature.d);
    asker.sweep(1..=MOST, |scale, depth| {
        let small = small(scale - depth);
        let exponent = small.leading_exponent();
        if exponent.is_none_or(|exponent| exponent < least) || scale > greatest {
            return Err(FormatMisfit(
                "the result would not be a normal number".into(),
            ));
        }
        Ok(beside(large, scale, (place, small)))
    })
}

/// `-2^scale` and `2^scale` in the places `large`, and a small term.
pub(super) fn beside(large: [SumPlace; 2], scale: i64, small: PlacedTerm) -> Vec<PlacedTerm> {
    let [minus, plus] = large;
    vec![(minus, pow2(scale).negated()), (plus, pow2(scale)), small]
}

/// The precision of an addition of a product to `c`.
pub(super) fn addition(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let addition = Precision::added(asker)?;
    Ok(Box::new(move |results| {
        let kept = addition.read(results)?;
        let shows = match kept {
            KeptBits::Bits(0) => "1 + 1/2 is not exact".into(),
            KeptBits::Bits(bits) => {
                format!(
                    "c = 1 and a product of 2^-{bits} add up exactly, the next smaller one does not"
                )
            }
            KeptBits::AtLeast(bits) => {
                format!("c = 1 and a product of 2^-{bits}, the least there is, add up exactly")
            }
        };
        found(kept.value(), shows)
    }))
}

/// The precision of each product except the first: asks for the product beside `c` = -1 and a first
/// product of 1.
pub(super) fn products(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(2)?;
    let places: Vec<usize> = (1..asker.products()).collect();
    let alignments = places.iter().map(|&k| {
        let large = [SumPlace::C, SumPlace::Product(0)];
        Precision::aligned(asker, large, SumPlace::Product(k))
    });
    let alignments = alignments.collect::<Result<Vec<_>, FormatMisfit>>()?;
    Ok(Box::new(move |results| {
        let mut runs: Vec<(KeptBits, usize, usize)> = Vec::new();
        for (alignment, &k) in alignments.iter().zip(&places) {
            let kept = alignment.read(results)?;
            match runs.last_mut() {
                Some((last, _, to)) if *last == kept => *to = k,
                _ => runs.push((kept, k, k)),
            }
        }
        let texts = runs.iter().map(|(kept, from, to)| {
            if from == to {
                format!("{} (#{from})", kept.value())
            } else {
                format!("{} (#{from}..#{to})", kept.value())
            }
        });
        let text = texts.collect::<Vec<_>>().join(", ");
        let shows = "fraction bits of a product that count beside c = -1 and product #0 = 1";
        match runs[..] {
            [(kept, ..)] => found(kept.value(), shows),
            _ => named(text, shows),
        }
    }))
}

/// The precision of the term in `place` beside products of -1 and 1.
pub(super) fn beside_products(
    asker: &mut TestInputs<'_>,
    place: SumPlace,
    shows: &'static str,
) -> Result<ReadingRule, FormatMisfit> {
    let large = [SumPlace::Product(0), SumPlace::Product(1)];
    let alignment = Precision::aligned(asker, large, place)?;
    Ok(Box::new(move |results| {
        found(alignment.read(results)?.value(), shows)
    }))
}
