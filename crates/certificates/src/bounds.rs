//! Bounds of errors: a rule for each action.
//!
//! As long as nothing on the way overflowed: the value differs from the exact sum of its products, and of c, by at most
//! `error`; it is at most `most`; and 2^e is at most `reach` for the exponent e by which it is compared.

use crate::amounts::{Amount, Bound};
use crate::domain::Domain;
use crate::dyadic::{Dyadic, sum};
use crate::json::{CheckResult, Object, need};
use crate::numbers::{FAR, Format};
use crate::steps::{Action, Factor, Mode, Round, Source, Step, Term, is_nearest, nth, pair};
use num_bigint::BigUint;
use serde_json::Value;

/// The fact, if it follows.
pub(crate) fn checked(
    domain: &Domain,
    step: &Step,
    takes: &[&Step],
    value: &Value,
) -> CheckResult<Bound> {
    let is_known = step.is_number && !domain.has_scales;
    let found = if is_known {
        derived(domain, step, takes)?
    } else {
        Vec::new()
    };
    let first = found.first().ok_or("nothing is known of an error")?;
    let object = Object::open(value, "bound")?;
    let read = |key: &str, known: Vec<Amount>| {
        let claimed = Amount::read(object.get(key)?, "an amount")?;
        let holds = known.iter().any(|one| one.is_at_most(&claimed));
        need(holds, || {
            let known: Vec<String> = known.iter().map(Amount::to_string).collect();
            let known = known.join(" or ");
            format!("`{key}` of the bound does not follow: expected {known}, found {claimed}")
        })?;
        Ok::<_, String>(claimed)
    };
    let mosts = found.iter().flat_map(|one| one.magnitudes(domain));
    let has_reach = step.form.is_none() && object.maybe("reach").is_some();
    let reaches = found.iter().filter_map(|one| one.reach.clone());
    let reach = has_reach.then(|| read("reach", reaches.collect()));
    Ok(Bound {
        of: first.of.clone(),
        error: read("error", found.iter().map(|one| one.error.clone()).collect())?,
        most: read("most", mosts.collect())?,
        reach: reach.transpose()?,
    })
}

/// The bounds that follow from those of the steps that it takes: each of them holds.
fn derived(domain: &Domain, step: &Step, takes: &[&Step]) -> CheckResult<Vec<Bound>> {
    let same = || Ok::<_, String>(nth(takes, 0)?.bound.iter().cloned());
    let all = || takes.iter().map(|of| of.bound.clone()).collect::<Vec<_>>();
    Ok(match &step.action {
        Action::Operand { .. } => {
            let exact = Bound::exact(domain, step.depends.clone());
            Some(exact)
                .filter(|_| step.factor.is_none())
                .into_iter()
                .collect()
        }
        Action::Constant { .. } => {
            let is_zero = step.sum.is_some();
            let exact = is_zero.then(|| Bound::exact(domain, BigUint::default()));
            exact.into_iter().collect()
        }
        Action::Cap { .. } | Action::Replace => same()?.collect(),
        Action::Flush => {
            let lost = Amount::absolute(Dyadic::power(step.register()?.emin));
            same()?.map(|of| of.lose(&lost, false)).collect()
        }
        Action::Term { shift, .. } => {
            // A zero, or a subnormal number, may have a greater exponent than that of its leading one.
            let least = Dyadic::power(nth(takes, 0)?.register()?.emin);
            let reach = |one: Amount| one.at_least(least.clone()).times(&Dyadic::power(*shift));
            let each = same()?.flat_map(|of| {
                let magnitudes = of.magnitudes(domain).into_iter();
                magnitudes
                    .map(|one| of.reaching(reach(one)))
                    .collect::<Vec<_>>()
            });
            each.collect()
        }
        Action::Product => product(domain, nth(takes, 0)?, nth(takes, 1)?)
            .into_iter()
            .collect(),
        Action::Sum { .. } => {
            // Its exponent is 0.
            let reach = Amount::absolute(Dyadic::power(0));
            let sum = Bound::sum(&all()).into_iter();
            sum.map(|of| of.reaching(reach.clone())).collect()
        }
        Action::Fuse { terms, least } => fuse(terms, takes, *least).into_iter().collect(),
        Action::Cut { bits, by, least } => {
            let last = least.map(|least| least - bits + 1);
            let each = same()?.flat_map(|of| {
                let losses = losses_of(&of.magnitudes(domain), *bits, last, by);
                losses
                    .iter()
                    .map(|lost| of.lose(lost, *by != "rz"))
                    .collect::<Vec<_>>()
            });
            each.collect()
        }
        Action::Round(round) => rounding(domain, step.register()?, round, step.sources(takes)),
        Action::Other => Vec::new(),
    })
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
    Some(bound.reaching(bound.most.at_least(least)))
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
    let exact = Bound::exact(domain, BigUint::from(1u8) << place);
    Some(exact.lose(&Amount::absolute(lost), false))
}

/// The greatest exponent is that of a term, or `least`. A term loses less than its last place there, and nothing where it
/// sets the exponent itself; what the others lose where it does is in proportion to it, and counts as an error of its own.
fn fuse(terms: &[Term], takes: &[&Step], least: Option<i64>) -> Option<Bound> {
    let losses: Vec<Dyadic> = terms.iter().map(|term| Dyadic::power(-term.keep)).collect();
    let total = sum(&losses);
    let grows = terms.iter().any(|term| term.by != "rz");
    let floor = Amount::absolute(least.map_or(Dyadic::default(), Dyadic::power));
    let (mut absolute, mut greatest) = (floor.times(&total), floor);
    let mut lossy = Vec::new();
    for ((term, of), loss) in terms.iter().zip(takes).zip(&losses) {
        let bound = of.bound.as_ref()?;
        let reach = bound.reach.as_ref()?;
        let is_whole = of.fraction <= term.keep;
        let mut lost = reach.times(&if is_whole {
            total.minus(loss)
        } else {
            total.clone()
        });
        absolute = absolute.at_least(std::mem::take(&mut lost.absolute));
        greatest = greatest.max(reach);
        lossy.push(Some(bound.lose(&lost, grows)));
    }
    let all = Bound::sum(&lossy)?.lose(&absolute, grows);
    Some(all.reaching(greatest))
}

/// The losses of such magnitudes that are rounded to so many bits, of which the last is at least 2^last.
fn losses_of(magnitudes: &[Amount], bits: i64, last: Option<i64>, by: Mode) -> Vec<Amount> {
    let half = i64::from(is_nearest(by));
    let relative = Dyadic::power(1 - bits - half);
    let floor = last.map_or(Dyadic::default(), |last| Dyadic::power(last - half));
    let each = magnitudes.iter().map(|one| one.times(&relative));
    each.map(|one| one.at_least(floor.clone())).collect()
}

fn rounding(domain: &Domain, format: &Format, round: &Round, of: &[&Step]) -> Vec<Bound> {
    let mut bounds: Vec<Option<Bound>> = of.iter().map(|one| one.bound.clone()).collect();
    if let ([x, y, ..], true) = (of, round.source.is_product()) {
        bounds.splice(..2, [of_factors(domain, x, y)]);
    }
    let Some(bound) = Bound::sum(&bounds).filter(|_| format.is_float) else {
        return Vec::new();
    };
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
    let losses = losses_of(&magnitudes, bits, last, round.by).into_iter();
    let least = match round.keeps_tiny {
        true => Dyadic::default(),
        false => Dyadic::power(format.emin),
    };
    let losses = losses.map(|one| one.at_least(least.clone()));
    losses
        .map(|lost| bound.lose(&lost, round.by != "rz"))
        .collect()
}

/// A bound of the magnitude of a value for the operands as given, as long as nothing overflowed.
pub(crate) fn greatest(domain: &Domain, step: &Step) -> Option<Dyadic> {
    if let Action::Operand { row, index } = step.action {
        return Some(domain.most(row, index));
    }
    let of_value = step.value.iter().map(|value| value.most.clone());
    let of_bound = step.bound.iter().map(|bound| bound.most.most(domain));
    of_value.chain(of_bound).min()
}
