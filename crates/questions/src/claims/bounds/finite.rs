//! Results that are finite: nothing on the way exceeds the greatest number of its format.
//!
//! Each step of a walk knows a bound of its magnitude, from that of `c` and the sum of the magnitudes
//! of the products. In the order of the steps: as long as none overflowed, the bounds hold, and the next
//! one stays within its format if its bound does. What is cut toward zero does not grow, so that a unit
//! that cuts may add any `c` of its format to small products.
//!
//! Between units, a partial sum is at most the sum of all magnitudes plus the bound of the whole error,
//! as bounds of errors never fall along the way; and it is a finite register of its format, as nothing
//! overflowed before. A promoted sum may begin at any `c` of its format, as partial sums begin at zero:
//! where they are less than half of the last place of the greatest number, a sum that is rounded to
//! nearest stays at that number.

use super::bound::rounded_up;
use super::composed::{of_algorithm, of_operation};
use super::factors::{Factors, Underflow};
use super::units::{UnitBounds, finite_below};
use crate::claims::exactness::OperandSizes;
use crate::claims::property::Domain;
use crate::vectors::measure::LinearMap;
use mmasmt_core::machines::algorithms::{DotAdd, Operation};
use mmasmt_core::machines::compositions::{Composition, CompositionKind, Promotion};
use mmasmt_core::machines::model::{Algorithm, Model};
use mmasmt_numbers::float::{Dyadic, Format};

/// Whether the bounds of magnitudes show that every result for finite operands in `domain` is finite.
pub fn gives_finite_results(model: &Model, domain: &Domain) -> bool {
    let Some(sizes) = OperandSizes::of(&model.signature(), domain) else {
        return false;
    };
    // The partial sums below are those of the terms themselves.
    if LinearMap::of_scaled(model.algorithm()).is_some() {
        return false;
    }
    let [a, b] = sizes.factors;
    let (c, products) = (&sizes.greatest_c, &sizes.greatest);
    let all = sum(products).plus(c);
    let mut ways = [Underflow::Absolute, Underflow::Relative].into_iter();
    ways.any(|underflow| {
        let factors = Factors {
            a,
            b,
            underflow,
            // The certificates of this claim have no rule for products of scales.
            scales_below: None,
        };
        let bound = of_algorithm(model.algorithm(), factors);
        let on = Magnitudes {
            factors,
            all: sum(products),
            sums: bound.map(|bound| all.plus(&bound.at(&all))),
        };
        let promoted = || is_promoted_within(model.algorithm(), factors, c, products);
        on.of_model(model.algorithm(), c, products).is_some() || promoted() == Some(true)
    })
}

/// Whether the results of an algorithm that promotes partial sums are finite for a `c` of at most this
/// magnitude and these products.
fn is_promoted_within(
    algorithm: &Algorithm,
    factors: Factors,
    c: &Dyadic,
    products: &[Dyadic],
) -> Option<bool> {
    let Algorithm::Composition(composition) = algorithm else {
        return None;
    };
    let CompositionKind::Promote(promote) = composition.kind() else {
        return None;
    };
    let (unit, signature) = (composition.unit(), composition.signature());
    if promote.promotion != Promotion::Plain || signature.c != signature.d {
        return None;
    }
    // A partial sum is that of a run of the unit that begins at +0.
    let step = u64::from(unit.signature().products);
    let runs = u64::from(signature.products).div_ceil(step);
    let every = u64::from(promote.every?).min(runs);
    let part = usize::try_from(every * step).ok()?.max(1);
    let all =
        products
            .chunks(part)
            .map(sum)
            .reduce(|most, one| match one.magnitude_exceeds(&most) {
                true => one,
                false => most,
            })?;
    let error = of_algorithm(unit, factors)?.repeated(every);
    let partial = all.plus(&error.at(&all));
    let on = Magnitudes {
        factors,
        all,
        sums: Some(partial.clone()),
    };
    on.of_any(unit, &on.partial(&unit.signature().c, None)?)?;
    // The sum so far is a finite register, be it c.
    let greatest = Dyadic::of(&signature.d, signature.d.greatest())?;
    let limit = finite_below(&signature.d, promote.rounding)?;
    let is_less = limit.magnitude_exceeds(&greatest.plus(&partial));
    Some(is_less && !c.magnitude_exceeds(&greatest))
}

fn sum(numbers: &[Dyadic]) -> Dyadic {
    let none = Dyadic::new(0.into(), 0);
    numbers.iter().fold(none, |sum, one| sum.plus(one))
}

/// The magnitudes that meet in units.
struct Magnitudes {
    factors: Factors,
    /// The sum of the magnitudes of all products.
    all: Dyadic,
    /// A bound of all partial sums, if no overflow changes them.
    sums: Option<Dyadic>,
}

impl Magnitudes {
    /// `Some` if nothing overflows, for a `c` of at most this magnitude and these products.
    fn of_model(&self, algorithm: &Algorithm, c: &Dyadic, products: &[Dyadic]) -> Option<()> {
        let Algorithm::Chain(chain) = algorithm else {
            return self.of_any(algorithm, c);
        };
        let step = chain.first().signature().products as usize;
        let units = [chain.first(), chain.rest()].map(|unit| of_operation(unit, self.factors));
        let mut c = c.clone();
        for (link, part) in products.chunks(step).enumerate() {
            let unit = units[link.min(1)].as_ref()?;
            let terms = [&c, &sum(part)];
            fits(unit, terms)?;
            c = self.partial(&chain.rest().signature().c, Some(unit.most.at(terms)))?;
            c = rounded_up(&c);
        }
        Some(())
    }

    /// `Some` if nothing overflows, for a `c` of at most this magnitude and any of the products.
    fn of_any(&self, algorithm: &Algorithm, c: &Dyadic) -> Option<()> {
        let unit = |operation: &Operation, c: &Dyadic| {
            fits(&of_operation(operation, self.factors)?, [c, &self.all])
        };
        let partial = |format: &Format| self.partial(format, None);
        match algorithm {
            Algorithm::Operation(operation) => unit(operation, c),
            Algorithm::Chain(chain) => {
                unit(chain.first(), c)?;
                unit(chain.rest(), &partial(&chain.rest().signature().c)?)
            }
            Algorithm::Composition(composition) => {
                for format in formats_beside(composition)? {
                    let greatest = Dyadic::of(&format, format.greatest())?;
                    let sums = self.sums.as_ref()?;
                    (!sums.magnitude_exceeds(&greatest)).then_some(())?;
                }
                let unit = composition.unit();
                self.of_any(unit, &partial(&unit.signature().c)?)
            }
            Algorithm::Design(_) => None,
        }
    }

    /// A bound of a partial sum that is a register of this format, and at most `most`.
    fn partial(&self, format: &Format, most: Option<Dyadic>) -> Option<Dyadic> {
        let greatest = Dyadic::of(format, format.greatest())?;
        let known = [most, self.sums.clone()].into_iter().flatten();
        Some(
            known.fold(greatest, |least, one| match least.magnitude_exceeds(&one) {
                true => one,
                false => least,
            }),
        )
    }
}

fn fits(unit: &UnitBounds, terms: [&Dyadic; 2]) -> Option<()> {
    let peaks = unit.peaks.as_ref()?;
    peaks.iter().all(|peak| peak.fits(terms)).then_some(())
}

/// The formats of the sums beside the unit; `None` where sums are no partial sums of the terms.
fn formats_beside(composition: &Composition<Algorithm>) -> Option<Vec<Format>> {
    let format = composition.signature().d;
    Some(match composition.kind() {
        CompositionKind::Promote(_) => vec![format],
        CompositionKind::Split(split) => {
            let stored = [split.part_format, split.sum_format];
            stored.into_iter().flatten().chain([format]).collect()
        }
        CompositionKind::Epilogue(epilogue) => vec![Format::F32, epilogue.out],
        CompositionKind::Scheme(_) | CompositionKind::Adapt(_) | CompositionKind::Recipe(_) => {
            return None;
        }
    })
}
