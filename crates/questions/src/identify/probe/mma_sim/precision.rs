//! The tests of the accumulation precision (Xie et al. §III-D): they find the least power of two
//! that counts beside large terms.
//!
//! The paper halves epsilon until it is lost, and concludes that `1 - log2(epsilon)` fraction bits
//! are kept. But the last power of two that counted was `2 * epsilon`, so the number of bits is
//! `-1 - log2(epsilon)`.

use crate::identify::probe::asker::{ExponentSweep, TestInputs, TestResults};
use crate::identify::probe::sums::{Place, Unfit, normal_exponents, number, pow2, zero};
use crate::identify::probe::test::{Reading, ReadingRule, Value, found, named};
use crate::identify::probe::unread::Unread;
use mmasmt_core::numbers::float::Dyadic;

/// The most fraction bits that are tested.
const MOST: i64 = 64;

/// Inputs for `-1 + 1 + epsilon`, as the terms of one fused sum, where epsilon is one of smaller
/// and smaller powers of two. They show the least power of two that counts.
pub(in crate::identify::probe) struct Alignment {
    sweep: ExponentSweep,
}

/// Inputs for `-1 + 1 + epsilon`, where epsilon is three quarters of one of the same powers of two.
/// A result above the exact sum shows that a sum is rounded, not cut.
pub(in crate::identify::probe) struct ThreeQuarters {
    sweep: ExponentSweep,
}

impl ThreeQuarters {
    /// Adds the inputs, with -1 and 1 in the places `large` and epsilon in `place`.
    pub(in crate::identify::probe) fn ask(
        asker: &mut TestInputs<'_>,
        large: [Place; 2],
        place: Place,
    ) -> Result<Self, Unfit> {
        let sweep = sweep_beside(asker, large, place, three_quarters)?;
        Ok(ThreeQuarters { sweep })
    }

    /// Whether one of the results is greater than the exact sum.
    pub(in crate::identify::probe) fn round_up(
        &self,
        results: &TestResults<'_>,
    ) -> Result<bool, Unread> {
        for (&depth, &id) in self.sweep.depths.iter().zip(&self.sweep.ids) {
            let exact = three_quarters(self.sweep.scale - depth);
            if exact.minus(&results.value(id)?).is_negative() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The number of fraction bits that are kept: the least power of two that counts beside 1 is 2 to
/// minus this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::identify::probe) enum Kept {
    Bits(i64),
    AtLeast(i64),
}

/// Adds inputs with -1 and 1 in the places `large`. In `place`, each of the inputs has the number
/// `small(e)` for an exponent e below the exponent of the 1, as long as results are normal numbers.
fn sweep_beside(
    asker: &mut TestInputs<'_>,
    large: [Place; 2],
    place: Place,
    small: impl Fn(i64) -> Dyadic,
) -> Result<ExponentSweep, Unfit> {
    let (least, greatest) = normal_exponents(&asker.signature.d);
    asker.sweep(1..=MOST, |scale, depth| {
        let small = small(scale - depth);
        if small
            .leading_exponent()
            .is_none_or(|exponent| exponent < least)
            || scale > greatest
        {
            return Err(Unfit("the result would not be a normal number".into()));
        }
        Ok(vec![
            (large[0], pow2(scale).negated()),
            (large[1], pow2(scale)),
            (place, small),
        ])
    })
}

/// Three quarters of `2^exponent`.
fn three_quarters(exponent: i64) -> Dyadic {
    number(3, exponent - 2)
}

impl Alignment {
    /// Adds the inputs, with -1 and 1 in the places `large` and epsilon in `place`.
    pub(in crate::identify::probe) fn ask(
        asker: &mut TestInputs<'_>,
        large: [Place; 2],
        place: Place,
    ) -> Result<Self, Unfit> {
        let sweep = sweep_beside(asker, large, place, pow2)?;
        Ok(Alignment { sweep })
    }

    /// The number of bits that are kept, down to the least power of two that counts. A smaller
    /// power gives zero or, if it is rounded instead of cut, the least power that counts.
    pub(in crate::identify::probe) fn read(
        &self,
        results: &TestResults<'_>,
    ) -> Result<Kept, Unread> {
        let ExponentSweep { scale, .. } = self.sweep;
        let mut last = scale;
        let reach = self.sweep.reach(|depth, id| {
            let epsilon = pow2(scale - depth);
            let kept = results.one_of(id, &[&zero(), &epsilon, &pow2(last)])? == 1;
            if kept {
                last = scale - depth;
            }
            Ok(kept)
        })?;
        Ok(Kept::of(reach))
    }
}

impl Alignment {
    /// Whether a power of two below the least one that counts changes the result. It does so if it
    /// is rounded, not cut.
    pub(in crate::identify::probe) fn rounds(
        &self,
        results: &TestResults<'_>,
    ) -> Result<bool, Unread> {
        let ExponentSweep { scale, .. } = self.sweep;
        let (mut last, mut rounds) = (scale, false);
        self.sweep.reach(|depth, id| {
            let epsilon = pow2(scale - depth);
            let found = results.one_of(id, &[&zero(), &epsilon, &pow2(last)])?;
            match found {
                1 => last = scale - depth,
                2 => rounds = true,
                _ => {}
            }
            Ok(found == 1)
        })?;
        Ok(rounds)
    }
}

impl Kept {
    /// Converts the answer of [`ExponentSweep::reach`]: the last depth that counts, and whether it
    /// is the last depth tested.
    fn of(reach: Option<(i64, bool)>) -> Self {
        match reach {
            None => Kept::Bits(0),
            Some((bits, false)) => Kept::Bits(bits),
            Some((bits, true)) => Kept::AtLeast(bits),
        }
    }

    fn value(self) -> Value {
        match self {
            Kept::Bits(bits) => Value::Exactly(bits),
            Kept::AtLeast(bits) => Value::AtLeast(bits),
        }
    }
}

/// Inputs for `1 + epsilon`, which show how many bits an addition keeps, including its rounding.
pub(super) struct Addition {
    sweep: ExponentSweep,
}

impl Addition {
    pub(super) fn ask(asker: &mut TestInputs<'_>) -> Result<Self, Unfit> {
        let bits = asker.fraction_bits();
        let sweep = asker.sweep(1..=bits + 1, |scale, depth| {
            let one = (Place::C, pow2(scale));
            Ok(vec![one, (Place::Product(0), pow2(scale - depth))])
        })?;
        Ok(Addition { sweep })
    }

    /// The number of fraction bits in a sum of 1 and a small number.
    pub(super) fn read(&self, results: &TestResults<'_>) -> Result<Kept, Unread> {
        let one = pow2(self.sweep.scale);
        let mut last = one.clone();
        let reach = self.sweep.reach(|depth, id| {
            let epsilon = pow2(self.sweep.scale - depth);
            let sum = one.plus(&epsilon);
            let rounded = one.plus(&last);
            let kept = results.one_of(id, &[&one, &sum, &rounded])? == 1;
            if kept {
                last = epsilon;
            }
            Ok(kept)
        })?;
        Ok(Kept::of(reach))
    }
}

pub(super) fn addition(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let addition = Addition::ask(asker)?;
    Ok(Box::new(move |results| {
        let kept = addition.read(results)?;
        let shows = match kept {
            Kept::Bits(0) => "1 + 1/2 is not exact".into(),
            Kept::Bits(bits) => {
                format!(
                    "c = 1 and a product of 2^-{bits} add up exactly, the next smaller one does not"
                )
            }
            Kept::AtLeast(bits) => {
                format!("c = 1 and a product of 2^-{bits}, the least there is, add up exactly")
            }
        };
        found(kept.value(), shows)
    }))
}

/// The precision of each product except the first: asks for the product beside `c` = -1 and a first
/// product of 1.
pub(super) fn products(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    asker.need_products(2)?;
    let places: Vec<usize> = (1..asker.products()).collect();
    let alignments = places.iter().map(|&k| {
        let large = [Place::C, Place::Product(0)];
        Alignment::ask(asker, large, Place::Product(k))
    });
    let alignments = alignments.collect::<Result<Vec<_>, Unfit>>()?;
    Ok(Box::new(move |results| {
        let mut runs: Vec<(Kept, usize, usize)> = Vec::new();
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

/// The precision of a product beside two others: asks for a product beside products of -1 and 1.
pub(super) fn three_products(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let large = [Place::Product(0), Place::Product(1)];
    one(
        asker,
        large,
        Place::Product(2),
        "fraction bits of a product that count beside products of -1 and 1",
    )
}

/// The precision of `c` beside two products: asks for `c` beside products of -1 and 1.
pub(super) fn accumulator(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let large = [Place::Product(0), Place::Product(1)];
    one(
        asker,
        large,
        Place::C,
        "fraction bits of c that count beside products of -1 and 1",
    )
}

fn one(
    asker: &mut TestInputs<'_>,
    large: [Place; 2],
    place: Place,
    shows: &'static str,
) -> Result<ReadingRule, Unfit> {
    let alignment = Alignment::ask(asker, large, place)?;
    Ok(Box::new(move |results| -> Reading {
        found(alignment.read(results)?.value(), shows)
    }))
}
