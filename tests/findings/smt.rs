//! Valpey et al., An SMT Formalization of Mixed-Precision Matrix Multiplication: what its
//! tables print, and what recorded rows say against its Algorithm 1.

use super::gives;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format, parse_value};
use mmasmt_questions::vectors::measure::{ExactSum, Measure};
use mmasmt_questions::vectors::{check_file, parse_line, recorded};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed};

type Rational = Ratio<BigInt>;

fn power(exponent: i32) -> Rational {
    let two = Rational::from(BigInt::from(2));
    two.pow(exponent)
}

/// `digits * 2^exponent`, the digits being those of a decimal number.
fn printed(digits: &str, exponent: i32) -> Rational {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let number: BigInt = format!("{whole}{fraction}").parse().unwrap();
    Rational::new(number, BigInt::from(10).pow(fraction.len() as u32)) * power(exponent)
}

/// The value of an f16 register.
fn f16(register: u64) -> Rational {
    let value = Dyadic::of(&Format::F16, register).unwrap();
    Rational::from(value.mantissa().clone()) * power(value.exponent() as i32)
}

/// What a subnormal f16 is if it is read as a normal number of exponent field 0.
fn misread(fraction: u64) -> Rational {
    (Rational::one() + Rational::from(BigInt::from(fraction)) / power(10)) * power(-15)
}

/// The factor and the result in f16 are subnormal numbers, printed as if they had a leading one and the exponent -15.
#[test]
fn table_1_prints_subnormal_numbers_as_normal_ones() {
    let (a, b) = (printed("1.2587890625", -15), printed("1.3681640625", -1));
    let exact = printed("1.4162635803222656", -17);
    let half = printed("1.1767578125", -15);
    // As printed, the product is another one.
    assert!((&a * &b - &exact).abs() > power(-17));
    assert_eq!([misread(265), misread(181)], [a, half.clone()]);
    let product = f16(265) * &b;
    // All digits that are printed.
    assert!((&product - &exact).abs() < power(-17) / BigInt::from(10u64.pow(16)));
    assert_eq!(
        product,
        Rational::from(BigInt::from(265 * 1401)) * power(-35)
    );
    // The f16 next to the product is 181 * 2^-24.
    assert!((product - f16(181)).abs() < power(-25));
    gives(
        "volta/HMMA.884.F32.F32",
        ("0x1.09p-16", "0x1.5e4p-1", "0"),
        "0x1.6a904p-17",
    );
    gives(
        "volta/HMMA.884.F16.F16",
        ("0x1.09p-16", "0x1.5e4p-1", "0"),
        "0x1.6ap-17",
    );
}

#[test]
fn table_3_is_as_printed() {
    gives("volta/HMMA.884.F32.F32", ("2", "1", "-0x1p-40"), "2");
    // Toward zero.
    gives(
        "exact:K=1,round=rz",
        ("2", "1", "-0x1p-40"),
        "0x1.fffffep+0",
    );
    gives("exact:K=1", ("2", "1", "-0x1p-40"), "2");
}

const A: &str = "0x1.004p-8,0x1.538p-14,0x1p-12,0x1p-12";
const B: &str = "0x1.ff8p+7,0x1.71cp-7,0x1p-12,0x1p-12";

fn inputs(b: &str) -> Inputs {
    let read = |text: &str| parse_value(&Format::F32, text).unwrap();
    let row = |text: &str| text.split(',').map(read).collect();
    Inputs::new(row(A), row(b), read("0x1p-24"))
}

#[test]
fn table_5_has_a_wrong_sign_in_one_exponent() {
    let a = [printed("1.0009765625", -8), printed("1.326171875", -14)];
    let b = [printed("1.998046875", 7), printed("1.4443359375", -7)];
    let [large, small] = [&a[0] * &b[0], &a[1] * &b[1]];
    // Step 3: 1 - 2^-24, once the second product is cut at the last of 24 places below 2^0.
    let cut = (&small * power(24)).floor() * power(-24);
    assert_eq!(&large + &cut, Rational::one() - power(-24));
    assert!(cut != small);
    let sum = large + small + power(-24) * BigInt::from(3);
    let sums = Model::parse("exact:in=f32,K=4").unwrap();
    let exact = ExactSum::of(&sums, &inputs(B)).unwrap();
    let mantissa = Rational::from(exact.value.mantissa().clone());
    assert_eq!(mantissa * power(exact.value.exponent() as i32), sum);
    // With the printed exponent of b[0].
    let printed = ExactSum::of(&sums, &inputs(&B.replace("p+7", "p-7"))).unwrap();
    assert_eq!(printed.value.leading_exponent(), Some(-14));

    let errors = ["markidis", "eq24", "ootomo-yokota"].map(|scheme| {
        let text = format!("{scheme}(volta/HMMA.884.F32.F32)");
        let model = Model::parse(&text).unwrap();
        let d = model.simulator().evaluate(&inputs(B)).unwrap();
        let error = Measure::Absolute.error(&Format::F32, d, &exact).unwrap();
        (d, error.to_string())
    });
    let [close, far] = [
        (0x3f80_0001, "0x1.4b44p-26"),
        (0x3f80_0000, "0x1.29688p-23"),
    ];
    let expected = [close, far, far].map(|(d, error)| (d, error.to_owned()));
    assert_eq!(errors, expected);
}

/// The sections of single instructions, by card and the start of the instruction's name.
fn sections(card: &str, start: &str) -> Vec<(String, Model)> {
    let all = recorded().unwrap().into_iter();
    let of_card = all.filter(|section| section.card == card);
    let with_model = of_card.filter_map(|section| {
        let (_, name) = section.model.split_once('/')?;
        if !name.starts_with(start) {
            return None;
        }
        let model = Model::parse(&section.model).unwrap();
        // A sequence of instructions has no keys.
        let is_one = !model.canonical().contains('(');
        is_one.then_some((section.lines, model))
    });
    with_model.collect()
}

/// Rows of these instructions that their models with these changes pass and fail.
fn checked(card: &str, start: &str, changes: &str) -> [u64; 2] {
    let mut counts = [0, 0];
    for (lines, model) in sections(card, start) {
        let model = model.with(changes).unwrap();
        let checked = check_file(&model, lines.as_bytes(), 0).unwrap();
        counts[0] += checked.passed as u64;
        counts[1] += checked.failed as u64;
    }
    counts
}

/// Algorithm 1 aligns products as numbers of f32, which are normalised.
#[test]
fn recorded_rows_refute_normalised_products() {
    let of = |card: &str| {
        checked(
            card,
            "wmma.m16n16k16.f32.f16.f16.f32",
            "products=normalised",
        )
    };
    assert_eq!([of("V100"), of("A100")], [[675, 125], [700, 100]]);
}

/// The rows of an RTX 4060: every NaN is 0x7fffffff, and zeros do not take part in the alignment.
#[test]
fn recorded_rows_refute_the_nan_and_the_exponent_of_zeros() {
    let (card, start) = ("RTX 4060", "mma.");
    assert_eq!(checked(card, start, "nan=ones"), [11822, 0]);
    assert_eq!(checked(card, start, "nan=quiet")[1], 65);
    assert_eq!(checked(card, start, "zero=raw")[1], 845);
    let mut nans = Vec::new();
    for (lines, model) in sections(card, start) {
        let signature = model.signature();
        for (number, line) in (1..).zip(lines.lines()) {
            let vector = parse_line(line, number, &signature).unwrap();
            nans.extend(signature.d.is_nan(vector.d).then_some(vector.d));
        }
    }
    assert_eq!(nans, [0x7fff_ffff; 65]);
}

/// FTTN Table II adds 1 to the last bit for every tie; to even that is so where the bit is 1.
#[test]
fn a_tie_goes_to_the_even_number() {
    for (c, expected) in [("1", "1"), ("0x1.000002p+0", "0x1.000004p+0")] {
        gives("ieee:K=1", ("0x1p-12", "0x1p-12", c), expected);
    }
    // A unit that cuts 1.75 to one fraction bit leaves 1.5, and not 1.
    gives("fda:F=1,K=1,out=f32", ("1", "1.75", "0"), "1.5");
}
