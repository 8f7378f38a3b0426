//! Exception flags against `rustc_apfloat`: multiply-adds and conversions in four roundings.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::{Draw, Kind};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

const DRAWN: usize = 3000;
const ROUNDINGS: [(&str, Round); 5] = [
    ("rne", Round::NearestTiesToEven),
    ("rz", Round::TowardZero),
    ("rd", Round::TowardNegative),
    ("ru", Round::TowardPositive),
    ("rna", Round::NearestTiesToAway),
];

/// The flags in the order of `fflags`, and those that the library has by other rules than MXCSR: it raises no overflow
/// where the greatest number is the result, and no underflow where the least normal one is.
fn flags<F: Float>(status: Status, value: F) -> [u64; 2] {
    let flag = |status_flag: Status, bit: u64| u64::from(status.contains(status_flag)) * bit;
    let inexact = flag(Status::INEXACT, 1);
    let underflow = flag(Status::UNDERFLOW, 2) * inexact;
    let all = inexact + underflow + flag(Status::OVERFLOW, 4) + flag(Status::INVALID_OP, 16);
    let magnitude = value.abs();
    let open = u64::from(magnitude == F::smallest_normalized()) * 2
        + u64::from(magnitude == F::largest()) * 4;
    [all, open]
}

/// Inputs of every kind for the unit.
fn inputs(unit: &Model) -> Vec<Inputs> {
    let kinds = [
        Kind::Random,
        Kind::Finite,
        Kind::Cancel,
        Kind::Edge,
        Kind::Feature,
        Kind::Rare,
    ];
    let draws = kinds.map(|kind| Draw::new(unit.signature(), kind, 3));
    let each = draws.into_iter().flat_map(|mut draw| {
        let one = move |_| draw.draw();
        (0..DRAWN / kinds.len()).map(one)
    });
    each.collect()
}

/// Whether a value is a NaN, and whether that one signals: two libraries differ on undefined products with a quiet NaN.
fn has_nan<F: Float>(values: &[F]) -> bool {
    values.iter().any(|value| value.is_nan())
}

fn multiply_adds<F: Float>(format: &str) {
    for (word, round) in ROUNDINGS {
        let text = format!(
            "unit:{{unit u {{ a, b: {format}[1]  c, d: {format}  d = round(sum(a[0] * b[0], c)) to {format} by {word} }}}}"
        );
        let unit = Model::parse(&text).unwrap();
        let raised = Model::parse(&format!("flags({text})")).unwrap();
        let mut simulator = raised.simulator();
        for inputs in inputs(&unit) {
            let [a, b, c] =
                [inputs.a[0], inputs.b[0], inputs.c].map(|bits| F::from_bits(bits.into()));
            // What a signalling NaN raises the library says of no operand.
            if has_nan(&[a, b, c]) {
                continue;
            }
            let made = a.mul_add_r(b, c, round);
            let [expected, open] = flags(made.status, made.value);
            let found = simulator.run(&inputs);
            assert_eq!(
                found & !open,
                expected & !open,
                "{format} by {word}: {a} * {b} + {c} is {}: {expected:05b}, not {found:05b}",
                made.value
            );
        }
    }
}

#[test]
fn multiply_adds_raise_the_flags_of_apfloat() {
    multiply_adds::<Half>("f16");
    multiply_adds::<BFloat>("bf16");
    multiply_adds::<Single>("f32");
    multiply_adds::<Double>("f64");
}

fn conversions<F: Float + FloatConvert<T>, T: Float>(from: &str, to: &str) {
    for (word, round) in ROUNDINGS {
        let text = format!("{from} -> {to} by {word}");
        let unit = Model::parse(&text).unwrap();
        let raised = Model::parse(&format!("flags({text})")).unwrap();
        let mut simulator = raised.simulator();
        for inputs in inputs(&unit) {
            let number = F::from_bits(inputs.a[0].into());
            if number.is_nan() {
                continue;
            }
            let made: rustc_apfloat::StatusAnd<T> = number.convert_r(round, &mut false);
            let [expected, open] = flags(made.status, made.value);
            let found = simulator.run(&inputs);
            assert_eq!(
                found & !open,
                expected & !open,
                "{text}: {number} is {}: {expected:05b}, not {found:05b}",
                made.value
            );
        }
    }
}

#[test]
fn conversions_raise_the_flags_of_apfloat() {
    conversions::<Single, Half>("f32", "f16");
    conversions::<Single, BFloat>("f32", "bf16");
    conversions::<Double, Single>("f64", "f32");
    conversions::<Double, BFloat>("f64", "bf16");
    conversions::<Half, Single>("f16", "f32");
}
