//! Numbers and shares as the answers of `tolerance` write them.

use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::errors::tolerance::OutsideCounts;
use mmasmt_questions::vectors::measure::Quotient;

/// A tolerance: a decimal that is not below what is proved.
pub(super) fn decimal(x: &Dyadic) -> f64 {
    let about = Quotient::new(x, &Dyadic::new(1.into(), 0)).approximate();
    if about == 0.0 && x.leading_exponent().is_none() {
        return 0.0;
    }
    // Cut to 53 bits; two places more are above, whatever the decimal is rounded to.
    let above = about.next_up().next_up();
    let text = format!("{above:.3e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: u64 = digits.replace('.', "").parse().unwrap_or(0);
    let number = |digits: u64| format!("{digits}e{}", exponent.parse::<i32>().unwrap_or(0) - 3);
    let value = |digits: u64| number(digits).parse().unwrap_or(f64::INFINITY);
    match value(digits) >= above {
        true => value(digits),
        false => value(digits + 1),
    }
}

/// Whether every product has at most 53 bits, so that a product of matrices in f64 rounds sums alone.
pub(super) fn in_f64(signature: &Signature) -> bool {
    signature.a.precision() + signature.b.precision() <= Format::F64.precision()
}

/// A number as Python reads it.
pub(super) fn python(x: f64) -> String {
    match x {
        0.0 => "0".into(),
        x => format!("{x:e}"),
    }
}

/// A number in few letters.
pub(super) fn short(x: f64) -> String {
    match x {
        1e-4..1e6 => x.to_string(),
        _ => format!("{x:e}"),
    }
}

/// The chance that a test of that many results fails.
pub(super) fn fails(share: f64, elements: u64) -> f64 {
    0.0 - ((-share).ln_1p() * elements as f64).exp_m1()
}

/// How many results of a kernel are outside of each tolerance, in the order of the columns.
pub(super) fn counts(of: &OutsideCounts) -> [Option<u64>; 5] {
    [
        of.proved,
        of.within,
        of.own,
        Some(of.largest),
        Some(of.bits),
    ]
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        0.0 => "0 %".into(),
        100.0 => "100 %".into(),
        x if x < 0.1 => format!("{x:.0e} %"),
        x if x > 99.9 => ">99.9 %".into(),
        x => format!("{x:.1} %"),
    }
}

/// A number in f64, with its sign.
pub(super) fn about(x: &Dyadic) -> f64 {
    let size = Quotient::new(x, &Dyadic::new(1.into(), 0)).approximate();
    match x.is_negative() {
        true => -size,
        false => size,
    }
}

/// A number in f64 that is not below this one, which is not negative.
pub(super) fn above(x: &Dyadic) -> f64 {
    match x.leading_exponent() {
        None => 0.0,
        Some(_) => about(x).next_up().next_up(),
    }
}
