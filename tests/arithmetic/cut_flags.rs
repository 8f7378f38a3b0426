//! Flags of units that align and cut, against integers: which terms lose a one, and what the result is.

use crate::common::exact::{Datum, decode};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;

const NX: u64 = 1;
const UF: u64 = 2;
const OF: u64 = 4;
/// Every number here is an integer times 2 to this power.
const UNIT: i64 = -64;
/// The least normal number of e3m4, as such an integer.
const LEAST_NORMAL: i128 = 1 << (-2 - UNIT);

/// A term: its value as an integer, and the exponent that it is aligned by; `None` for zero.
type Term = Option<(i128, i64)>;

fn term(format: &Format, register: u64) -> Term {
    let Datum::Finite(x) = decode(format, register) else {
        panic!("{register:x} is not finite");
    };
    let value = i128::from(x.significand) << (x.unit - UNIT);
    (value != 0).then_some((if x.negative { -value } else { value }, x.exponent))
}

fn product(x: Term, y: Term) -> Term {
    let ((x, e), (y, f)) = (x?, y?);
    Some(((x >> 32) * (y >> 32), e + f))
}

/// The flags that rounding `sum` to the finite or infinite `result` of e3m4 raises.
fn of_rounding(sum: i128, result: u64) -> u64 {
    if let Datum::Infinite { .. } = decode(&Format::E3M4, result) {
        return OF | NX;
    }
    let rounded = term(&Format::E3M4, result).map_or(0, |(value, _)| value);
    if rounded == sum {
        return 0;
    }
    // Rounded to five bits, however small they are.
    let magnitude = sum.unsigned_abs();
    let below = 123 - magnitude.leading_zeros();
    let [half, last] = [below - 1, below].map(|place| magnitude >> place & 1);
    let rest = magnitude & ((1 << (below - 1)) - 1);
    let up = half & (last | u128::from(rest != 0));
    let nearest = ((magnitude >> below) + up) << below;
    match nearest < LEAST_NORMAL.unsigned_abs() {
        true => NX | UF,
        false => NX,
    }
}

/// The sum of the terms, each cut to `kept` bits below the greatest exponent, and whether one loses a one.
fn aligned(terms: &[Term], kept: i64) -> (i128, bool) {
    let Some(greatest) = terms.iter().flatten().map(|(_, exponent)| *exponent).max() else {
        return (0, false);
    };
    let place: i128 = 1 << (greatest - kept - UNIT);
    let terms = || terms.iter().flatten().map(|(value, _)| value);
    let sum = terms().map(|value| value / place * place).sum();
    (sum, terms().any(|value| value % place != 0))
}

/// The sum cut to `bits` bits below its leading one, and whether that loses a one.
fn cut(sum: i128, bits: u32) -> (i128, bool) {
    let width = u128::BITS - sum.unsigned_abs().leading_zeros();
    let place: i128 = 1 << width.saturating_sub(bits);
    (sum / place * place, sum % place != 0)
}

/// The flags of a unit of `count` products of e2m1 and a `c` of e5m2; one in `step` of the inputs is tried.
fn are_those_of_integers(
    unit: &str,
    [count, step]: [usize; 2],
    sum_of: impl Fn(&[Term]) -> (i128, bool),
) {
    let model = Model::parse(unit).unwrap();
    let flags = ["", ", cuts=silent"].map(|cuts| format!("flags({unit}{cuts})"));
    let [flags, silent] = flags.map(|text| Model::parse(&text).unwrap());
    let mut simulators = [&model, &flags, &silent].map(|model| model.simulator());
    let (mut raised, mut differing) = (0, 0);
    for code in (0..1usize << (8 * count + 8)).step_by(step) {
        let digit = |place: usize| (code >> (8 + 4 * place) & 15) as u64;
        let c = (code & 255) as u64;
        let factors = |first: usize| (0..count).map(|k| digit(first + 2 * k)).collect();
        let inputs = Inputs::new(factors(0), factors(1), c);
        if !inputs.is_finite(&model.signature()) {
            continue;
        }
        let factor = |register: u64| term(&Format::E2M1, register);
        let pairs = inputs.a.iter().zip(&inputs.b);
        let products = pairs.map(|(a, b)| product(factor(*a), factor(*b)));
        let terms: Vec<Term> = products.chain([term(&Format::E5M2, c)]).collect();
        let (sum, is_lost) = sum_of(&terms);
        let [d, found, silent] = simulators
            .each_mut()
            .map(|simulator| simulator.run(&inputs));
        let own = of_rounding(sum, d);
        let expected = own | if is_lost { NX } else { 0 };
        let line = inputs.to_line(&model.signature());
        assert_eq!([found, silent], [expected, own], "{unit}: {line}");
        raised |= found;
        differing += usize::from(found != silent);
    }
    assert_eq!(raised, NX | UF | OF, "{unit}");
    assert!(differing > 100, "{unit}: {differing}");
}

#[test]
fn alignment_raises_nx_where_it_loses_a_one() {
    for (kept, step) in [(1, 1), (3, 1), (6, 3)] {
        let one = format!("fda:K=1,F={kept},in=e2m1,c=e5m2,out=e3m4");
        are_those_of_integers(&one, [1, step], |terms| aligned(terms, kept));
        let two = format!("fda:K=2,F={kept},in=e2m1,c=e5m2,out=e3m4");
        are_those_of_integers(&two, [2, 251 * step], |terms| aligned(terms, kept));
    }
}

#[test]
fn a_cut_raises_nx_where_it_loses_a_one() {
    for bits in [2, 4] {
        let unit = format!(
            "unit:{{unit u {{ a, b: e2m1[1] c: e5m2 d: e3m4 t = cut(sum(a * b, c)) bits {bits} by rz d = round(t) to e3m4 }}}}"
        );
        are_those_of_integers(&unit, [1, 1], |terms| {
            cut(terms.iter().flatten().map(|(value, _)| value).sum(), bits)
        });
    }
}

#[test]
fn sums_that_are_not_exact_for_other_reasons_have_no_flags() {
    for unit in [
        "fda:K=2,F=24,carry=1",
        "rdna:unit=rdna3,step=2,K=2",
        "rdna:unit=rdna4,step=2,K=2",
    ] {
        let error = Model::parse(&format!("flags({unit})")).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("expected steps whose flags are defined, found"),
            "{text}"
        );
    }
}
