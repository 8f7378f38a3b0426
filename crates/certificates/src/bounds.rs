//! Bounds of errors: a rule for each action.
//!
//! As long as nothing on the way overflowed: the value differs from the exact sum of its products, and of c, by at most
//! `error`; it is at most `most`; and 2^e is at most `reach` for the exponent e by which it is compared.

use crate::amounts::{Amount, Bound};
use crate::domain::{Domain, Row};
use crate::dyadic::{Dyadic, sum};
use crate::json::Object;
use crate::numbers::{FAR, Format};
use crate::steps::{Action, Factor, Mode, Round, Source, Step, Term, nth, pair};
use crate::{Fails, need};
use num_bigint::BigUint;
use serde_json::Value;

/// The fact, if it follows.
pub(crate) fn checked(
    domain: &Domain,
    step: &Step,
    takes: &[&Step],
    value: &Value,
) -> Fails<Bound> {
    let is_known = step.is_number && !domain.has_scales;
    let found = derived(domain, step, takes).filter(|_| is_known);
    let found = found.ok_or("nothing is known of an error")?;
    let object = Object::open(value, "bound")?;
    let mosts = found.magnitudes(domain);
    let read = |key: &str, known: &[Amount]| {
        let claimed = Amount::read(object.get(key)?, "an amount")?;
        let holds = known.iter().any(|one| one.is_at_most(&claimed));
        need(holds, || {
            let best = known.first().map_or("nothing".into(), Amount::to_string);
            format!("`{key}` of the bound does not follow: expected {best}, found {claimed}")
        })?;
        Ok::<_, String>(claimed)
    };
    let errors = vec![read("error", &found.errors)?];
    let mosts = vec![read("most", &mosts)?];
    let mut reaches = Vec::new();
    if step.form.is_none() && object.maybe("reach").is_some() {
        reaches.push(read("reach", &found.reaches)?);
    }
    let of = found.of;
    Ok(Bound {
        of,
        errors,
        mosts,
        reaches,
    })
}

/// What follows for the step, from the bounds of those that it takes.
fn derived(domain: &Domain, step: &Step, takes: &[&Step]) -> Option<Bound> {
    let of = takes.first();
    let same = || of?.bound.clone();
    match &step.action {
        Action::Operand { .. } if step.factor.is_some() => None,
        Action::Operand { .. } => Some(Bound::exact(domain, step.depends.clone())),
        Action::Constant { .. } => {
            let is_zero = step.sum.is_some();
            is_zero.then(|| Bound::exact(domain, BigUint::default()))
        }
        Action::Cap { .. } | Action::Replace => same(),
        Action::Flush => flush(same()?, step.form.as_ref()?),
        Action::Term { shift, .. } => {
            // A zero, or a subnormal number, may have a greater exponent than that of its leading one.
            let (bound, least) = (same()?, Dyadic::power(of?.form.as_ref()?.emin));
            let magnitudes = bound.magnitudes(domain).into_iter();
            let reaches = magnitudes.map(|one| one.at_least(least.clone()));
            let reaches = reaches
                .map(|one| one.times(&Dyadic::power(*shift)))
                .collect();
            Some(Bound { reaches, ..bound })
        }
        Action::Product => product(domain, nth(takes, 0).ok()?, nth(takes, 1).ok()?),
        Action::Sum { .. } => {
            let bound = Bound::sum(takes.iter().map(|of| of.bound.clone()))?;
            // Its exponent is 0.
            let reaches = vec![Amount::absolute(Dyadic::power(0))];
            Some(Bound { reaches, ..bound })
        }
        Action::Fuse { terms, least } => fuse(terms, takes, *least),
        Action::Cut { bits, by, least } => {
            let last = least.map(|least| least - bits + 1);
            let bound = same()?;
            let losses = losses_of(&bound.magnitudes(domain), *bits, last, *by);
            after(&bound, &losses, *by)
        }
        Action::Round(round) => rounding(domain, step.form.as_ref()?, round, step.sources(takes)),
        Action::Other => None,
    }
}

fn flush(bound: Bound, format: &Format) -> Option<Bound> {
    let lost = Amount::absolute(Dyadic::power(format.emin));
    let errors = vec![bound.errors.first()?.plus(&lost)];
    Some(Bound { errors, ..bound })
}

/// The exponent of a factor is that of its leading one, or, where it is subnormal or zero, that of its format.
fn product(domain: &Domain, x: &Step, y: &Step) -> Option<Bound> {
    let bound = of_factors(domain, x, y)?;
    let mut least = Dyadic::default();
    for (one, other) in [(x, y), (y, x)] {
        let factor = one.factor.as_ref()?;
        let emin = domain.format(factor.row)?.emin;
        let is_plain = matches!(one.action, Action::Term { shift: 0, .. });
        let Some(value) = one
            .value
            .as_ref()
            .filter(|_| is_plain && other.exponent != FAR)
        else {
            return Some(bound);
        };
        if (value.least < emin || !one.hides) && other.exponent != -FAR {
            least = least.max(Dyadic::power(emin + other.exponent));
        }
    }
    let reaches = vec![bound.mosts.first()?.at_least(least)];
    Some(Bound { reaches, ..bound })
}

/// The product of both factors of one place.
fn of_factors(domain: &Domain, x: &Step, y: &Step) -> Option<Bound> {
    let place = pair(x, y)?;
    // A factor may have become zero: |x y - x' y'| <= |x - x'| |y| + |x| |y - y'|.
    let most_of = |factor: &Factor| domain.most(factor.row, place);
    let (one, other) = (x.factor.as_ref()?, y.factor.as_ref()?);
    let lost = one
        .lost
        .times(&most_of(other))
        .plus(&most_of(one).times(&other.lost));
    Some(Bound {
        errors: vec![Amount::absolute(lost)],
        ..Bound::exact(domain, BigUint::from(1u8) << place)
    })
}

/// The greatest exponent is that of a term, or `least`. A term loses less than its last place there, and nothing where it
/// sets the exponent itself; what the others lose where it does is in proportion to it, and counts as an error of its own.
fn fuse(terms: &[Term], takes: &[&Step], least: Option<i64>) -> Option<Bound> {
    let losses: Vec<Dyadic> = terms.iter().map(|term| Dyadic::power(-term.keep)).collect();
    let total = sum(&losses);
    let grows = terms.iter().any(|term| term.by != Mode::Rz);
    let floor = Amount::absolute(least.map_or(Dyadic::default(), Dyadic::power));
    let (mut absolute, mut greatest) = (floor.times(&total), floor);
    let mut all = Vec::new();
    for ((term, of), loss) in terms.iter().zip(takes).zip(&losses) {
        let bound = of.bound.clone()?;
        let reach = bound.reaches.first()?;
        let is_whole = of.fraction <= term.keep;
        let mut lost = reach.times(&if is_whole {
            total.minus(loss)
        } else {
            total.clone()
        });
        absolute = absolute.at_least(std::mem::take(&mut lost.absolute));
        greatest = greatest.max(reach);
        all.push(Some(lose(&bound, &lost, grows)?));
    }
    let all = lose(&Bound::sum(all.into_iter())?, &absolute, grows)?;
    let reaches = vec![greatest];
    Some(Bound { reaches, ..all })
}

/// The bound of a value that loses at most this, and may grow by it.
fn lose(bound: &Bound, lost: &Amount, grows: bool) -> Option<Bound> {
    let (error, most) = bound.first()?;
    Some(Bound {
        of: bound.of.clone(),
        errors: vec![error.plus(lost)],
        mosts: vec![if grows { most.plus(lost) } else { most.clone() }],
        reaches: Vec::new(),
    })
}

/// The bound after a rounding that loses at most each of these.
fn after(bound: &Bound, losses: &[Amount], by: Mode) -> Option<Bound> {
    let each = losses.iter().map(|loss| lose(bound, loss, by != Mode::Rz));
    let each = each.collect::<Option<Vec<Bound>>>()?;
    Some(Bound {
        of: bound.of.clone(),
        errors: each.iter().flat_map(|one| one.errors.clone()).collect(),
        mosts: each.iter().flat_map(|one| one.mosts.clone()).collect(),
        reaches: Vec::new(),
    })
}

/// What is lost of such magnitudes that are rounded to so many bits, of which the last is at least 2^last.
fn losses_of(magnitudes: &[Amount], bits: i64, last: Option<i64>, by: Mode) -> Vec<Amount> {
    let half = i64::from(by.is_nearest());
    let relative = Dyadic::power(1 - bits - half);
    let floor = last.map_or(Dyadic::default(), |last| Dyadic::power(last - half));
    let each = magnitudes.iter().map(|one| one.times(&relative));
    each.map(|one| one.at_least(floor.clone())).collect()
}

fn rounding(domain: &Domain, format: &Format, round: &Round, of: &[&Step]) -> Option<Bound> {
    let bound_of =
        |of: &[&Step]| -> Vec<Option<Bound>> { of.iter().map(|one| one.bound.clone()).collect() };
    let all = match of {
        [x, y, rest @ ..] if round.source.is_product() => {
            [vec![of_factors(domain, x, y)], bound_of(rest)].concat()
        }
        _ => bound_of(of),
    };
    let bound = Bound::sum(all.into_iter()).filter(|_| format.is_float)?;
    let (bits, last) = (round.fraction + 1, format.emin - round.fraction);
    let forms: Vec<&Format> = of.iter().filter_map(|one| one.form.as_ref()).collect();
    // A sum of multiples of the last place of the least numbers is one.
    let is_multiple = |one: &&Format| one.is_float && one.emin - one.precision + 1 >= last;
    let is_sum = matches!(round.source, Source::Register | Source::Add);
    let last = Some(last).filter(|_| !is_sum || !forms.iter().all(is_multiple));
    let is_short = matches!(round.source, Source::Register | Source::Multiply)
        && forms.iter().map(|one| one.precision).sum::<i64>() <= bits;
    let magnitudes = match is_short {
        true => vec![Amount::default()],
        false => bound.magnitudes(domain),
    };
    let mut losses = losses_of(&magnitudes, bits, last, round.by);
    if !round.keeps_tiny {
        let least = |one: &Amount| one.at_least(Dyadic::power(format.emin));
        losses = losses.iter().map(least).collect();
    }
    after(&bound, &losses, round.by)
}

/// A bound of the magnitude of a value for the operands as given, as long as nothing overflowed.
pub(crate) fn greatest(domain: &Domain, step: &Step) -> Option<Dyadic> {
    if let Action::Operand { row, index } = step.action {
        return Some(domain.most(row, index));
    }
    let of_value = step.value.iter().map(|value| value.most.clone());
    let of_bound = step.bound.iter().flat_map(|bound| &bound.mosts);
    of_value.chain(of_bound.map(|most| most.most(domain))).min()
}

/// Fails unless all rows of operands, and the result, have signs.
pub(crate) fn need_signs(domain: &Domain) -> Fails<()> {
    let formats = [
        domain.format(Row::A),
        domain.format(Row::C),
        Some(&domain.result),
    ];
    let has_signs = |format: &Format| format.is_float && format.signed && format.negative_zero;
    let have_signs = formats.iter().all(|format| format.is_some_and(has_signs));
    need(have_signs, || "a format has no signs".into())
}
