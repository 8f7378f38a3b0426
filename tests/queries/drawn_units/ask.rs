//! What is asked of units, and what is wrong with an answer that no solver gave.

use super::group::Group;
use super::sentence::{Found, Judge, Sentence, Subject, Unit};
use crate::common::quiet::caught;
use crate::common::toy::Text;
use mmasmt_core::batch::Columns;
use mmasmt_core::machines::algorithms::{Inputs, Registers};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::Concrete;
use mmasmt_numbers::bits::term::{Substitution, Term, scope};
use mmasmt_numbers::float::{Dyadic, Format, Rounding};
use mmasmt_questions::claims::bounds::{ErrorUnit, Factors, error_bound, greatest_error};
use mmasmt_questions::claims::property::{Claim, Domain};
use mmasmt_questions::claims::query::{Basis, Ended, Options, Question, prove};
use mmasmt_questions::errors::tolerance::{Range, ToleranceBounds};
use mmasmt_questions::vectors::measure::{Measure, Quotient};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// A question about one unit, or about one and another.
#[derive(Clone, Debug)]
pub enum Ask {
    Property(String, Sentence),
    /// The same by all that `prove` has, a solver as well.
    Prove(String, Sentence),
    /// Equal for finite operands, or for all.
    Equal(Box<Text>, bool),
    /// The greatest error on the domain.
    Greatest(Unit),
    /// The bound of errors of normal factors, or of all finite ones.
    Bound(bool),
    /// The same where no sum is beyond the format of the result, as `worst` uses it.
    Worst,
    /// What `tolerance` proves of factors and a `c` of at most these magnitudes.
    Within(f64, f64),
    /// The same register by words, big integers, columns and formulas.
    Interpreters,
    /// A unit and its results for all inputs, without a panic.
    Runs,
}

/// An answer: what it rests on, and an input that shows it to be wrong.
pub struct Answer {
    pub basis: String,
    pub found: Option<Found>,
}

/// What can be asked of floating-point units: names with what they say.
pub fn properties(rng: &mut ChaCha8Rng, group: &Group) -> Vec<(String, Sentence)> {
    let mut all: Vec<(String, Sentence)> = Vec::new();
    let mut plain = |name: &str, sentence| all.push((name.to_owned(), sentence));
    plain("exact-sums", Sentence::ExactSums);
    plain("order-independent", Sentence::OrderIndependent);
    if group.signature.is_integer() {
        plain("exact", Sentence::Exact);
        plain("no-overflow", Sentence::NoOverflow);
        return all;
    }
    plain("finite-results", Sentence::FiniteResults);
    plain("faithful", Sentence::Faithful);
    plain("monotone-c", Sentence::MonotoneC);
    plain("monotone-products", Sentence::MonotoneProducts);
    plain("sign-symmetric", Sentence::SignSymmetric);
    plain("factor-independent", Sentence::FactorIndependent);
    plain("no-negative-zero", Sentence::NoNegativeZero);
    plain("canonical-nan", Sentence::CanonicalNan);
    plain("subnormal-inputs", Sentence::SubnormalInputs);
    plain("subnormal-results", Sentence::SubnormalResults);
    plain("exact-products", Sentence::Replayed);
    let modes = [
        ("rz", Rounding::Rz),
        ("rne", Rounding::Rne),
        ("rd", Rounding::Rd),
        ("ru", Rounding::Ru),
        ("ra", Rounding::Ra),
    ];
    for (mode, rounding) in modes {
        all.push((format!("rounds={mode}"), Sentence::Rounds(rounding)));
    }
    let (mode, rounding) = modes[rng.random_range(0..modes.len())];
    all.push((
        format!("rounds-partial-sums={mode}"),
        Sentence::RoundsPartialSums(rounding),
    ));
    let (mode, _) = modes[rng.random_range(0..modes.len())];
    all.push((format!("aligns={mode}"), Sentence::Replayed));
    for (unit, suffix) in [
        (Unit::Ulp, "ulp"),
        (Unit::Max, "max"),
        (Unit::One, ""),
        (Unit::Sum, "rel"),
        (Unit::Magnitudes, "sum"),
    ] {
        let exponent = match unit {
            Unit::Ulp => rng.random_range(-2..=1),
            _ => rng.random_range(-12..=2),
        };
        let text = format!("error=0x1p{exponent}{suffix}");
        all.push((text, Sentence::Error(2f64.powi(exponent), unit)));
    }
    let formats = [
        Format::E2M1,
        Format::E2M3,
        Format::E5M2,
        Format::F16,
        Format::F32,
    ];
    let format = formats[rng.random_range(0..formats.len())];
    all.push((
        format!("accumulates-in={format}"),
        Sentence::AccumulatesIn(format),
    ));
    let format = [Format::E5M2, Format::F16, Format::BF16][rng.random_range(0..3)];
    all.push((format!("recovers={format}"), Sentence::Recovers(format)));
    all
}

/// What a proof rests on, in few words.
pub fn named(basis: Basis) -> String {
    let json = basis.as_json();
    let word = |key: &str| json.get(key).and_then(|value| value.as_str()).unwrap_or("");
    format!("{} {}", word("by"), word("conclusion"))
        .trim()
        .to_owned()
}

/// The answer of a rule, if one gives any, held against every input; a panic is a wrong answer. The other unit of a pair may be
/// there with its results.
pub fn ask(
    question: &Ask,
    group: &Group,
    subject: &Subject,
    other: Option<&Subject>,
) -> Option<Answer> {
    match caught(|| answered(question, group, subject, other)) {
        Ok(answer) => answer,
        Err(place) => Some(Answer {
            basis: format!("a panic at {place}"),
            found: Some(Found {
                input: 0,
                shown: "a panic".into(),
            }),
        }),
    }
}

fn answered(
    ask: &Ask,
    group: &Group,
    subject: &Subject,
    other: Option<&Subject>,
) -> Option<Answer> {
    let judge = Judge::new(group, subject);
    judge.inputs().next()?;
    match ask {
        Ask::Property(text, sentence) => {
            let claim = Claim::new(text, &subject.model, &group.domain).ok()?;
            let basis = Question::refuting(&claim).known_at_once()?;
            Some(Answer {
                basis: named(basis),
                found: refuted(&judge, &claim, sentence),
            })
        }
        Ask::Prove(text, sentence) => proved(&judge, text, sentence),
        Ask::Equal(text, is_finite) => match other {
            Some(other) => equal(&judge, other, *is_finite),
            None => {
                let other = Subject::new(Text::clone(text), group).ok()??;
                equal(&judge, &other, *is_finite)
            }
        },
        Ask::Greatest(unit) => greatest(&judge, *unit),
        Ask::Bound(is_normal) => bound(&judge, *is_normal),
        Ask::Worst => of_worst(&judge),
        Ask::Within(factors, c) => within(&judge, *factors, *c),
        Ask::Interpreters => interpreters(&judge),
        Ask::Runs => None,
    }
}

/// By the sentence; by the claim's replay where no sentence is written out, or where integers meet floats.
fn refuted(judge: &Judge<'_>, claim: &Claim, sentence: &Sentence) -> Option<Found> {
    let found = judge.violation(sentence);
    if found.is_some() || !matches!(sentence, Sentence::Replayed | Sentence::NoOverflow) {
        return found;
    }
    let step = judge.group.inputs.len().div_ceil(200);
    let mut some = judge.inputs().step_by(step);
    some.find(|input| claim.is_refuted_by(&judge.group.inputs[*input]))
        .map(|input| Found {
            input,
            shown: "by the claim's replay".into(),
        })
}

fn proved(judge: &Judge<'_>, text: &str, sentence: &Sentence) -> Option<Answer> {
    let claim = Claim::new(text, &judge.subject.model, &judge.group.domain).ok()?;
    let limits = Limits::default().within(Duration::from_millis(500));
    let options = Options::default().minimise(None);
    let answer = prove(&claim, &options, &limits).ok()?;
    match answer.ended {
        Ended::NoMore { by } => Some(Answer {
            basis: format!("prove {}", named(by)),
            found: refuted(judge, &claim, sentence),
        }),
        Ended::Enough => {
            let inputs = &answer.witness()?.inputs;
            let input = judge.group.inputs.iter().position(|known| known == inputs);
            let is_shown = claim.is_refuted_on_big(inputs) && claim.is_refuted_by(inputs);
            let found = (!is_shown).then(|| Found {
                input: input.unwrap_or(0),
                shown: "a witness that refutes nothing".into(),
            });
            Some(Answer {
                basis: "prove refuted".into(),
                found,
            })
        }
        Ended::Vacuous => Some(Answer {
            basis: "prove vacuous".into(),
            found: judge
                .inputs()
                .next()
                .filter(|_| !is_about_pairs(sentence))
                .map(|input| Found {
                    input,
                    shown: "there is an input".into(),
                }),
        }),
        _ => None,
    }
}

fn is_about_pairs(sentence: &Sentence) -> bool {
    matches!(
        sentence,
        Sentence::MonotoneC | Sentence::MonotoneProducts | Sentence::OrderIndependent
    )
}

fn equal(judge: &Judge<'_>, other: &Subject, is_finite: bool) -> Option<Answer> {
    let Judge { group, subject, .. } = judge;
    let pair = [&subject.model, &other.model];
    let domain = Domain::parse(&group.domain, &group.signature).ok()?;
    let question = match is_finite {
        true => Question::difference(pair[0], pair[1], Some(&domain)).ok()?,
        false => Question::refuting(&Claim::equal(pair[0], pair[1], domain)),
    };
    let basis = question.known_at_once()?;
    let reads_c = pair.iter().any(|model| model.reads_c());
    let mut inputs = (0..group.inputs.len()).filter(|input| reads_c || group.inputs[*input].c == 0);
    let found = inputs.find(|input| {
        let results = [subject.results[*input], other.results[*input]];
        let is_asked = !is_finite || group.is_finite[*input];
        is_asked
            && pair
                .iter()
                .all(|model| !model.accepts(results[0], results[1]))
    });
    let found = found.map(|input| Found {
        input,
        shown: format!("the other unit gives {:x}", other.results[input]),
    });
    Some(Answer {
        basis: named(basis),
        found,
    })
}

fn measure(unit: Unit) -> ErrorUnit {
    match unit {
        Unit::Ulp => ErrorUnit::Measured(Measure::Ulp),
        Unit::Max => ErrorUnit::LargestExponent,
        Unit::One => ErrorUnit::Measured(Measure::Absolute),
        Unit::Sum => ErrorUnit::Measured(Measure::Relative),
        Unit::Magnitudes => ErrorUnit::Measured(Measure::RelativeToSum),
    }
}

/// A bound with room for the errors of numbers of the host.
fn beyond(error: f64, bound: f64) -> bool {
    error > bound * (1.0 + 1e-9)
}

fn first_beyond(
    judge: &Judge<'_>,
    unit: Unit,
    bound: impl Fn(usize) -> Option<f64>,
) -> Option<Found> {
    let mut inputs = judge.inputs();
    inputs.find_map(|input| {
        let (error, unit) = judge.error(unit, input)?;
        let bound = bound(input)?;
        let is_beyond = beyond(error, bound * unit);
        is_beyond.then(|| Found {
            input,
            shown: format!(
                "an error of {error} where at most {} is proved",
                bound * unit
            ),
        })
    })
}

fn greatest(judge: &Judge<'_>, unit: Unit) -> Option<Answer> {
    if judge.group.signature.is_integer() {
        return None;
    }
    let model = &judge.subject.model;
    let domain = Domain::of(&judge.group.domain, model).ok()?;
    let most = greatest_error(model, &domain, measure(unit))?.approximate();
    let found = first_beyond(judge, unit, |_| Some(most));
    Some(Answer {
        basis: "greatest error".into(),
        found,
    })
}

fn host(x: &Dyadic) -> f64 {
    Quotient::new(x, &Dyadic::new(1.into(), 0)).approximate()
}

/// Whether no factor is subnormal.
fn has_normal_factors(group: &Group, input: usize) -> bool {
    let inputs = &group.inputs[input];
    let is_normal = |format: &Format, row: &[u64]| {
        row.iter()
            .all(|bits| match super::fixed::datum(format, *bits) {
                crate::common::exact::Datum::Finite(x) => {
                    x.significand == 0
                        || format.exponent_bits == 0
                        || x.significand >> format.fraction_bits == 1
                }
                _ => false,
            })
    };
    is_normal(&group.signature.a, &inputs.a) && is_normal(&group.signature.b, &inputs.b)
}

/// The sum of magnitudes at an input, if it is below two to the power of `limit`.
fn magnitudes_below(judge: &Judge<'_>, limit: i64, input: usize) -> Option<f64> {
    let magnitudes = super::fixed::approximate(judge.group.exact[input]?.magnitudes);
    (magnitudes < 2f64.powi(limit.min(1000) as i32)).then_some(magnitudes)
}

fn bound(judge: &Judge<'_>, is_normal: bool) -> Option<Answer> {
    let signature = &judge.group.signature;
    if signature.is_integer() {
        return None;
    }
    let factors = match is_normal {
        true => Factors::normal(signature),
        false => Factors::finite(signature),
    };
    let bound = error_bound(&judge.subject.model, factors)?;
    let (relative, absolute) = (host(&bound.relative()), host(&bound.absolute));
    let formats = judge.subject.text.rounded_to();
    let limits = formats.iter().filter_map(|name| Format::named(name));
    let limit = limits
        .map(|format| i64::from(format.max_exponent()))
        .min()?;
    let found = first_beyond(judge, Unit::One, |input| {
        let magnitudes = magnitudes_below(judge, limit, input)?;
        let is_asked = !is_normal || has_normal_factors(judge.group, input);
        is_asked.then_some(relative * magnitudes + absolute)
    });
    Some(Answer {
        basis: "error bound".into(),
        found,
    })
}

fn of_worst(judge: &Judge<'_>) -> Option<Answer> {
    let signature = &judge.group.signature;
    if signature.is_integer() {
        return None;
    }
    let bounds = [Factors::normal(signature), Factors::finite(signature)]
        .map(|factors| error_bound(&judge.subject.model, factors));
    bounds.iter().flatten().next()?;
    // What a narrower register on the way makes of greater sums is not judged.
    let formats = judge.subject.text.rounded_to();
    let limits = formats.iter().filter_map(|name| Format::named(name));
    let limits = limits.map(|format| i64::from(format.max_exponent()));
    let limit = limits
        .chain([i64::from(signature.d.max_exponent())])
        .min()?;
    let found = first_beyond(judge, Unit::One, |input| {
        let magnitudes = magnitudes_below(judge, limit, input)?;
        let bound = bounds[usize::from(!has_normal_factors(judge.group, input))].as_ref()?;
        Some(host(&bound.relative()) * magnitudes + host(&bound.absolute))
    });
    Some(Answer {
        basis: "worst".into(),
        found,
    })
}

fn within(judge: &Judge<'_>, factors: f64, c: f64) -> Option<Answer> {
    let group = judge.group;
    if group.signature.is_integer() || group.signature.scales.is_some() {
        return None;
    }
    let proved = ToleranceBounds::of(&judge.subject.model, Some(Range::new(factors, c)))?;
    let most = host(proved.within.as_ref()?);
    let signature = &group.signature;
    let is_within = |format: &Format, row: &[u64], most: f64| {
        row.iter().all(|bits| {
            let number = super::fixed::number(format, *bits);
            number.is_some_and(|number| super::fixed::approximate(number).abs() <= most)
        })
    };
    let found = first_beyond(judge, Unit::One, |input| {
        let inputs = &group.inputs[input];
        let is_asked = is_within(&signature.a, &inputs.a, factors)
            && is_within(&signature.b, &inputs.b, factors)
            && is_within(&signature.c, &[inputs.c], c);
        is_asked.then_some(most)
    });
    Some(Answer {
        basis: "tolerance".into(),
        found,
    })
}

/// The registers of inputs on another instance, one after the other.
fn by_formula(model: &Model, inputs: &[&Inputs]) -> Vec<Option<u64>> {
    scope(|| {
        let signature = model.signature();
        let mut index = 0;
        let zero = Inputs::zero(&signature);
        let symbols: Registers<Term> = zero.map(&signature, |format, _| {
            index += 1;
            Term::input(index - 1, format.width())
        });
        let result = model.result::<Term>(&symbols);
        inputs
            .iter()
            .map(|inputs| {
                let mut constants = Substitution::new();
                let lifted: Registers<Term> = inputs.lifted(&signature);
                let pairs = symbols.each(&signature).zip(lifted.each(&signature));
                for ((_, symbol), (_, constant)) in pairs {
                    constants.put(symbol, constant);
                }
                let at = constants.term(&result).unwrap_or_else(|| result.clone());
                at.as_constant().map(Concrete::to_u64)
            })
            .collect()
    })
}

fn interpreters(judge: &Judge<'_>) -> Option<Answer> {
    let Judge { group, subject, .. } = judge;
    let model = &subject.model;
    let all: Vec<usize> = (0..group.inputs.len()).collect();
    let chosen: Vec<usize> = all
        .iter()
        .copied()
        .step_by(all.len().div_ceil(40))
        .collect();
    let differs = |name: &str, input: usize, other: Option<u64>| {
        let other = other?;
        (other != subject.results[input]).then(|| Found {
            input,
            shown: format!("{name} give {other:x}"),
        })
    };
    let of_big = chosen.iter().find_map(|input| {
        differs(
            "big integers",
            *input,
            model.evaluate_big(&group.inputs[*input]).ok(),
        )
    });
    let of_columns = || {
        let mut columns = Columns::new(&group.signature);
        group
            .inputs
            .iter()
            .for_each(|inputs| columns.push_row(inputs));
        let mut batch = model.batch();
        batch.prepare();
        let results = batch.evaluate(&columns).ok()?;
        all.iter()
            .find_map(|input| differs("columns", *input, Some(results[*input])))
    };
    let of_formula = || {
        let some: Vec<usize> = chosen.iter().copied().step_by(5).collect();
        let inputs: Vec<&Inputs> = some.iter().map(|input| &group.inputs[*input]).collect();
        let results = by_formula(model, &inputs);
        some.iter()
            .zip(results)
            .find_map(|(input, result)| differs("formulas", *input, result))
    };
    let found = of_big.or_else(of_columns).or_else(of_formula);
    Some(Answer {
        basis: "interpreters".into(),
        found,
    })
}
