//! IEEE addition against `rustc_apfloat`, exact sums and the host's own.

use crate::common::exact::{Datum, Finite, decode, locate, register};
use crate::common::inputs::{boundary, finite, near};
use crate::common::setting::one_in;
use mmasmt_numbers::bits::term::Term;
use mmasmt_numbers::bits::{Big, Bv, Concrete, W64, W128};
use mmasmt_numbers::float::{Arithmetic, Format, NanCode, Overflow, Rounding, ieee_add, ieee_fma};
use num_bigint::{BigInt, Sign};
use num_traits::Zero;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_apfloat::ieee::{Half, Single};
use rustc_apfloat::{Float, Round};

const MODES: [(Rounding, Round); 4] = [
    (Rounding::Rne, Round::NearestTiesToEven),
    (Rounding::Rz, Round::TowardZero),
    (Rounding::Rd, Round::TowardNegative),
    (Rounding::Ru, Round::TowardPositive),
];

fn add<B: Concrete>(format: &Format, rounding: Rounding, x: u64, y: u64) -> u64 {
    let width = format.width();
    ieee_add(
        format,
        rounding,
        NanCode::Ones,
        &B::lit(width, x),
        &B::lit(width, y),
    )
    .to_u64()
}

/// What `rustc_apfloat` gives; the NaN is that of the crate.
fn apfloat<F: Float>(format: &Format, round: Round, x: u64, y: u64) -> u64 {
    let sum = F::from_bits(x.into())
        .add_r(F::from_bits(y.into()), round)
        .value;
    if sum.is_nan() {
        format.nan(NanCode::Ones)
    } else {
        sum.to_bits() as u64
    }
}

fn check<F: Float>(format: &Format, x: u64, y: u64) {
    for (rounding, round) in MODES {
        let found = add::<W64>(format, rounding, x, y);
        let expected = apfloat::<F>(format, round, x, y);
        assert_eq!(found, expected, "{format} {x:x} + {y:x}, {rounding:?}");
    }
}

/// Pairs of registers: random bits, close exponents, one next to the negative of the other,
/// subnormal numbers, and edges.
fn pair(rng: &mut ChaCha8Rng, format: &Format, edges: &[u64]) -> (u64, u64) {
    let bits = |rng: &mut ChaCha8Rng| rng.random::<u64>() & (u64::MAX >> (64 - format.width()));
    let sign = 1 << (format.width() - 1);
    let x = finite(rng, format);
    match rng.random_range(0..6) {
        0 => (bits(rng), bits(rng)),
        1 => (x, edges[rng.random_range(0..edges.len())]),
        2 => (x, x ^ sign ^ rng.random_range(0..4)),
        3 => (near(rng, format, -200), near(rng, format, -200)),
        _ => {
            let field = format.magnitude(x) >> format.fraction_bits;
            let distance = rng.random_range(-30..=30);
            (
                x,
                near(
                    rng,
                    format,
                    field as i64 - i64::from(format.bias()) + distance,
                ),
            )
        }
    }
}

#[test]
fn f16_sums_of_all_edges_and_random_pairs_are_those_of_rustc_apfloat() {
    let format = Format::F16;
    let edges = boundary(&format);
    for (&x, &y) in edges.iter().flat_map(|x| edges.iter().map(move |y| (x, y))) {
        check::<Half>(&format, x, y);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..300_000 {
        let (x, y) = pair(&mut rng, &format, &edges);
        check::<Half>(&format, x, y);
    }
}

/// A formula has no adder where a summand is known to be zero, or both factors are: `float` has code of its own for such sums.
#[test]
fn f16_sums_with_zeros_that_formulas_know_are_those_of_rustc_apfloat() {
    let format = Format::F16;
    let others = (0..=0xffff).step_by(3).chain(boundary(&format));
    for (x, zero) in others.flat_map(|x| [(x, 0), (x, 0x8000)]) {
        for (rounding, round) in MODES {
            let expected = apfloat::<Half>(&format, round, x, zero);
            let to = Arithmetic {
                format,
                rounding,
                nan: NanCode::Ones,
            };
            let [x, zero, factor] = [x, zero, 0].map(|bits| Term::lit(format.width(), bits));
            let sums = [
                ieee_add(&format, rounding, to.nan, &x, &zero),
                ieee_add(&format, rounding, to.nan, &zero, &x),
                ieee_fma(&to, [&format; 2], &format, &zero, &factor, &x),
            ];
            for sum in sums {
                let found = sum.as_constant().map(Big::to_u64);
                assert_eq!(found, Some(expected), "{x:?} + {zero:?}, {rounding:?}");
            }
        }
    }
}

#[test]
fn a_million_f32_sums_are_those_of_rustc_apfloat_and_the_host() {
    let format = Format::F32;
    let edges = boundary(&format);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..1_000_000 {
        let (x, y) = pair(&mut rng, &format, &edges);
        check::<Single>(&format, x, y);
        let host = f32::from_bits(x as u32) + f32::from_bits(y as u32);
        let found = f32::from_bits(add::<W64>(&format, Rounding::Rne, x, y) as u32);
        assert!(found.to_bits() == host.to_bits() || found.is_nan() && host.is_nan());
    }
}

#[test]
#[ignore = "three minutes in release: two thousand million pairs, each in one mode"]
fn all_f16_sums_are_those_of_rustc_apfloat() {
    let format = Format::F16;
    for (x, y) in (0..1 << 16).flat_map(|x| (x..1 << 16).step_by(one_in()).map(move |y| (x, y))) {
        let (rounding, round) = MODES[(x + y) as usize % MODES.len()];
        let found = add::<W64>(&format, rounding, x, y);
        assert_eq!(
            found,
            apfloat::<Half>(&format, round, x, y),
            "{x:x} + {y:x}, {rounding:?}"
        );
    }
}

/// The sum of two numbers, rounded once.
fn exact_sum(format: &Format, rounding: Rounding, x: &Finite, y: &Finite) -> u64 {
    let unit = x.unit.min(y.unit);
    let [x, y] = [x, y].map(|x| {
        let magnitude = BigInt::from(x.significand) << (x.unit - unit);
        if x.negative { -magnitude } else { magnitude }
    });
    let negative = (&x + &y).sign() == Sign::Minus;
    let position = locate(format, (x + y).magnitude(), unit);
    register(
        format,
        negative,
        position.round(format, negative, rounding, Overflow::Ieee),
    )
}

// The mode that `rustc_apfloat` lacks, and the formats and instances that the others leave out.
#[test]
fn sums_are_exact_sums_rounded_once_in_every_format_and_mode() {
    let modes = MODES.map(|(rounding, _)| rounding);
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for format in Format::ALL.into_iter().filter(Format::has_infinity) {
        let edges = boundary(&format);
        for number in 0..4000 {
            let (x, y) = pair(&mut rng, &format, &edges);
            let (Datum::Finite(a), Datum::Finite(b)) = (decode(&format, x), decode(&format, y))
            else {
                continue;
            };
            let rounding = *modes.get(number % 8).unwrap_or(&Rounding::Ra);
            let found = add::<W128>(&format, rounding, x, y);
            assert_eq!(
                found,
                add::<Big>(&format, rounding, x, y),
                "{format} {x:x} + {y:x}"
            );
            let expected = exact_sum(&format, rounding, &a, &b);
            let both_zero = BigInt::from(format.magnitude(found)).is_zero();
            let found = if both_zero {
                found & !(1 << (format.width() - 1))
            } else {
                found
            };
            assert_eq!(found, expected, "{format} {x:x} + {y:x}, {rounding:?}");
        }
    }
}

#[test]
fn a_zero_sum_has_the_sign_of_its_zeros_or_of_the_rounding() {
    let (plus, minus, one) = (0, 0x8000, 0x3c00);
    for rounding in MODES
        .map(|(rounding, _)| rounding)
        .into_iter()
        .chain([Rounding::Ra])
    {
        let sum = |x, y| add::<W64>(&Format::F16, rounding, x, y);
        let cancelled = if rounding == Rounding::Rd {
            minus
        } else {
            plus
        };
        assert_eq!(sum(plus, plus), plus, "{rounding:?}");
        assert_eq!(sum(minus, minus), minus, "{rounding:?}");
        assert_eq!(sum(plus, minus), cancelled, "{rounding:?}");
        assert_eq!(sum(minus, plus), cancelled, "{rounding:?}");
        assert_eq!(sum(one, one | minus), cancelled, "{rounding:?}");
        assert_eq!(sum(one | minus, one), cancelled, "{rounding:?}");
    }
}

#[test]
fn every_nan_sum_has_the_canonical_code() {
    let infinity = [0x7c00, 0xfc00];
    let nans = [0x7c01, 0x7e00, 0x7fff, 0xfc01, 0xffff];
    let with_nan = boundary(&Format::F16)
        .into_iter()
        .flat_map(|x| nans.map(|nan| (x, nan)));
    let opposite = [(infinity[0], infinity[1])];
    for (x, y) in with_nan.chain(opposite).flat_map(|(x, y)| [(x, y), (y, x)]) {
        for (code, expected) in [(NanCode::Ones, 0x7fff), (NanCode::Quiet, 0x7e00)] {
            let (x, y) = (W64::lit(16, x), W64::lit(16, y));
            let found = ieee_add(&Format::F16, Rounding::Rne, code, &x, &y).to_u64();
            assert_eq!(found, expected, "{x:?} + {y:?}");
        }
    }
}
