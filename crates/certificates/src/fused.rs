//! Fused sums: what alignment does to each term, and the sum where it cuts nothing, or something.

use crate::dyadic::{Dyadic, sum};
use crate::given::{FAR, Numbers};
use crate::json::{LIMIT, Object, integer, list, word};
use crate::steps::{Action, Mode, PLAIN_MODES, Step};
use crate::unit::Unit;
use crate::values::gather;
use crate::{Fails, need};
use serde_json::Value;

/// How a term is aligned.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) keep: i64,
    pub(crate) by: Mode,
    pub(crate) far: Option<i64>,
    pub(crate) again: Option<i64>,
    pub(crate) vanish: bool,
}

impl Term {
    /// The fraction bits that stay in the end.
    pub(crate) fn kept(&self) -> i64 {
        self.again.unwrap_or(self.keep)
    }

    fn read(thing: &Value) -> Fails<Term> {
        let object = Object::of(
            thing,
            &["of", "keep", "by", "far", "again", "vanish"],
            "a term",
        )?;
        let term = Term {
            keep: object.integer("keep", 0)?,
            by: object.word_or("by", PLAIN_MODES)?,
            far: object.maybe_integer("far", 0)?,
            again: object.maybe_integer("again", 0)?,
            vanish: object.maybe_integer("vanish", -LIMIT)?.is_some(),
        };
        need(term.kept() <= term.keep, || {
            "expected `again` of at most `keep`".into()
        })?;
        Ok(term)
    }
}

/// The losses and the growth of the terms of a fused sum by alignment.
#[derive(Clone, Debug)]
pub(crate) struct Aligned {
    pub(crate) terms: Vec<Term>,
    /// Whether each is known to be cut nowhere.
    pub(crate) whole: Vec<bool>,
    /// How much each may grow in magnitude, relative to 2^(exponent of the sum).
    pub(crate) grown: Vec<Dyadic>,
    /// Whether the sum fits its width, and no complement changes it.
    pub(crate) fits: bool,
}

/// Negative terms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Negate {
    Twos,
    Ones,
    AgainstLast,
}

const NEGATE: [(&str, Negate); 4] = [
    ("twos", Negate::Twos),
    ("ones", Negate::Ones),
    ("ones_of_nonzero", Negate::Ones),
    ("against_last", Negate::AgainstLast),
];

/// The options of a fused sum but for those of its terms.
pub(crate) fn read(object: &Object<'_>) -> Fails<Action> {
    need(!object.list("terms")?.is_empty(), || {
        "expected a term".into()
    })?;
    Ok(Action::Fuse {
        least: object.maybe_integer("least", -LIMIT)?,
        sticky: object.flag_or("sticky", false)?,
        against_last: object.word_or("negate", &NEGATE)? == Negate::AgainstLast,
    })
}

/// The width and the treatment of greater sums.
fn width(text: &Value) -> Fails<Option<i64>> {
    match text.get("width").filter(|width| !width.is_null()) {
        None => Ok(None),
        Some(width) => match list(width, "width")? {
            [bits, how] => {
                word(how, &[("wrap", ()), ("saturate", ())], "width")?;
                integer(bits, "width", 1).map(Some)
            }
            _ => Err("expected [bits, wrap or saturate] for width".into()),
        },
    }
}

/// The sizes of the terms, relative to the powers of two of their exponents; zeros have none.
fn sizes(of: &[&Step]) -> Option<Dyadic> {
    let sizes: Option<Vec<Dyadic>> = of
        .iter()
        .map(|of| {
            if of.is_zero() {
                Some(Dyadic::zero())
            } else {
                of.size.clone()
            }
        })
        .collect();
    sizes.map(|sizes| sum(&sizes))
}

fn align(
    of: &[&Step],
    terms: Vec<Term>,
    least: Option<i64>,
    text: &Value,
) -> Fails<(Aligned, i64, bool)> {
    // A term that takes part nowhere is zero, and cut nowhere.
    let mut exponents: Vec<i64> = of
        .iter()
        .map(|of| of.exponent)
        .chain([least.unwrap_or(-FAR)])
        .collect();
    exponents.sort_unstable_by(|x, y| y.cmp(x));
    let (first, second) = (
        exponents.first().copied().unwrap_or(FAR),
        exponents.get(1).copied().unwrap_or(FAR),
    );
    let (mut whole, mut grown) = (Vec::new(), Vec::new());
    for (term, of) in terms.iter().zip(of) {
        let place = of.value.as_ref().map_or(-FAR, Numbers::place);
        let others = if of.exponent == first { second } else { first };
        let is_own = of.fraction <= term.kept() || place >= of.exponent - term.kept();
        let is_whole = is_own && place >= others - term.kept() || of.is_zero();
        let growth = match is_whole || term.by == Mode::Rz {
            true => Dyadic::zero(),
            false => sum(&[Some(term.keep), term.again]
                .into_iter()
                .flatten()
                .map(|keep| Dyadic::power(-keep))
                .collect::<Vec<_>>()),
        };
        whole.push(is_whole);
        grown.push(growth);
    }
    let negate = text
        .get("negate")
        .map_or(Ok(Negate::Twos), |value| word(value, &NEGATE, "negate"))?;
    let never_minus = || {
        of.iter()
            .all(|of| of.value.as_ref().is_some_and(|value| !value.minus))
    };
    let is_plain = negate == Negate::Twos || never_minus();
    let mut fits = is_plain;
    if let Some(bits) = width(text)? {
        let finest = terms.iter().map(|term| term.keep).max().unwrap_or(0);
        let room = Dyadic::power(bits - 1)
            .minus(&Dyadic::power(0))
            .shifted(-finest);
        fits &= sizes(of).is_some_and(|sizes| sizes.plus(&sum(&grown)) <= room);
    }
    Ok((
        Aligned {
            terms,
            whole,
            grown,
            fits,
        },
        first,
        is_plain,
    ))
}

pub(crate) fn derive(
    unit: &Unit<'_>,
    step: &mut Step,
    text: &Value,
    least: Option<i64>,
    sticky: bool,
) -> Fails<()> {
    let of = unit.taken(step);
    let terms = text
        .get("terms")
        .map_or(Ok(&[][..]), |terms| list(terms, "terms"))?;
    let terms = terms.iter().map(Term::read).collect::<Fails<Vec<Term>>>()?;
    let (aligned, exponent, is_plain) = align(&of, terms, least, text)?;
    let is_whole = aligned.whole.iter().all(|whole| *whole);
    let kept = aligned.terms.iter().map(Term::kept).max().unwrap_or(0);
    step.is_odd = !is_plain;
    step.fraction = if aligned.fits { kept } else { FAR };
    step.exponent = exponent;
    let some = of.iter().filter(|of| !of.is_zero()).count();
    step.hides = some == 1 && is_whole && least.is_none() && of.iter().all(|of| of.hides);
    step.sticky = sticky && !is_whole;
    if aligned.fits {
        let growth = sum(&aligned.grown);
        step.size = sizes(&of).map(|sizes| sizes.plus(&growth));
        if is_whole {
            let sets: Vec<Option<&Numbers>> = of.iter().map(|of| of.value.as_ref()).collect();
            step.value = Numbers::sum(&sets);
            gather(step, &of);
        } else if growth.is_zero() || exponent != FAR {
            step.value = cut_sum(&of, &aligned, exponent);
        }
    }
    step.aligned = Some(aligned);
    Ok(())
}

/// A multiple of 2^u that is rounded to a multiple of another power of two is still one of 2^u.
fn cut_sum(of: &[&Step], aligned: &Aligned, exponent: i64) -> Option<Numbers> {
    let cut = of.iter().zip(&aligned.grown).map(|(of, growth)| {
        let value = of.value.clone()?;
        let most = value.most.map(|most| {
            if growth.is_zero() {
                most
            } else {
                most.plus(&growth.shifted(exponent))
            }
        });
        Some(Numbers {
            most,
            least: None,
            bits: None,
            zero: true,
            ..value
        })
    });
    let cut: Vec<Option<Numbers>> = cut.collect();
    let sets: Vec<Option<&Numbers>> = cut.iter().map(Option::as_ref).collect();
    Numbers::sum(&sets)
}
