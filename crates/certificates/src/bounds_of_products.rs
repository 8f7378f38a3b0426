//! Bounds of errors: products of factors, and their scales.

use crate::amounts::{Amount, Bound};
use crate::atoms::Scaled;
use crate::atoms::Side;
use crate::dyadic::Dyadic;
use crate::given::FAR;
use crate::places::Places;
use crate::steps::Step;
use crate::unit::Unit;

pub(crate) fn product(unit: &Unit<'_>, x: &Step, y: &Step) -> Option<Bound> {
    if x.factor.is_some() && y.factor.is_some() {
        return of_factors(unit, x, y, true);
    }
    let (of, scale) = if x.bound.is_some() { (x, y) } else { (y, x) };
    scaled(unit, of, scale)
}

/// The product of both factors of one place.
pub(crate) fn of_factors(unit: &Unit<'_>, x: &Step, y: &Step, is_number: bool) -> Option<Bound> {
    let (one, other) = (x.factor.as_ref()?, y.factor.as_ref()?);
    let is_pair = one.row.is_factor()
        && other.row.is_factor()
        && one.row != other.row
        && one.index == other.index;
    if !is_pair {
        return None;
    }
    // A factor may have become zero: |x y - x' y'| <= |x - x'| |y| + |x| |y - y'|.
    let domain = unit.domain;
    let [left, right] = [one, other].map(|factor| domain.most_of(factor.row, factor.index));
    let error = Amount::absolute(one.lost.times(&right).plus(&left.times(&other.lost)));
    Some(Bound {
        has_c: false,
        products: Places::one(one.index),
        scaled: if domain.has_scales {
            Scaled::No
        } else {
            Scaled::Yes
        },
        errors: vec![error],
        mosts: vec![Amount::size(false, true)],
        reaches: if is_number {
            reach_of_factors(x, y)
        } else {
            Vec::new()
        },
        sticky: false,
    })
}

/// The exponent of a factor is that of its leading one, or, where it is subnormal, that of its format: this is 2^excess times
/// its magnitude. A zero may have an exponent, too.
fn reach_of_factors(x: &Step, y: &Step) -> Vec<Amount> {
    let (mut excess, mut of_zero, mut of_subnormal) = (Some(0), Dyadic::zero(), Dyadic::zero());
    for (one, other) in [(x, y), (y, x)] {
        let (Some(lowest), true, true) = (one.lowest, one.value.is_some(), other.exponent != FAR)
        else {
            return Vec::new();
        };
        let at = |exponent: i64| match other.exponent {
            e if e == -FAR => Dyadic::zero(),
            e => Dyadic::power(exponent + e),
        };
        let floor = one.floor();
        if floor < lowest {
            excess = excess
                .filter(|_| floor != -FAR)
                .map(|excess| excess + lowest - floor);
            of_subnormal = of_subnormal.max(at(lowest));
        }
        if !one.hides {
            of_zero = of_zero.max(at(one.of_zero));
        }
    }
    let whole = Amount::size(false, true).at_least(of_subnormal.max(of_zero.clone()));
    let relative = excess.map(|excess| Amount {
        products: Dyadic::power(excess),
        ..Amount::absolute(of_zero)
    });
    [whole].into_iter().chain(relative).collect()
}

/// A sum of products of one block, times their scale.
fn scaled(unit: &Unit<'_>, of: &Step, scale: &Step) -> Option<Bound> {
    let (bound, factor) = (of.bound.as_ref()?, scale.factor.as_ref()?);
    let after = match (bound.scaled, factor.row.side()) {
        (Scaled::No, Side::A) => Scaled::A,
        (Scaled::No, Side::B) => Scaled::B,
        (Scaled::B, Side::A) | (Scaled::A, Side::B) => Scaled::Yes,
        _ => return None,
    };
    let block = Places::range(
        factor.index.checked_mul(unit.domain.block)?,
        unit.domain.block,
    );
    let (error, most) = bound.first().ok()?;
    let has_c = bound.has_c || !error.c.is_zero() || !most.c.is_zero();
    if !factor.row.is_scale()
        || has_c
        || !bound.products.is_within(&block)
        || !factor.lost.is_zero()
    {
        return None;
    }
    let greatest = unit.domain.most_of(factor.row, factor.index);
    let grow = |one: &Amount, by: &Dyadic| Amount {
        absolute: one.absolute.times(by),
        ..one.clone()
    };
    let mut reaches = Vec::new();
    if let (Some(lowest), true) = (
        scale.lowest,
        scale.hides && scale.value.is_some() && scale.exponent != FAR && scale.floor() != -FAR,
    ) {
        // 2^e of a scale is at most its magnitude, or more by the distance from the least normal number.
        let excess = Dyadic::power((lowest - scale.floor()).max(0));
        let absolute = if scale.exponent == -FAR {
            Dyadic::zero()
        } else {
            Dyadic::power(scale.exponent)
        };
        let without_c = bound.reaches.iter().filter(|one| one.c.is_zero());
        reaches = without_c
            .map(|one| Amount {
                products: one.products.times(&excess),
                ..grow(one, &absolute)
            })
            .collect();
    }
    Some(Bound {
        scaled: after,
        errors: vec![grow(error, &greatest)],
        mosts: vec![grow(most, &greatest)],
        reaches,
        sticky: bound.sticky || of.sticky,
        ..bound.clone()
    })
}
