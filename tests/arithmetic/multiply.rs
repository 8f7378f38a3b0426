//! IEEE multiplication and fused multiply-add against the host's own, `rustc_apfloat` and exact
//! arithmetic.

use crate::common::arithmetic::Target;
use crate::common::case::MODES;
use crate::common::exact::ones;
use crate::common::inputs::{boundary, near, opposite};
use crate::common::setting::part_of;
use mmasmt_numbers::bits::{Big, Bv, Concrete, W64, W128};
use mmasmt_numbers::float::{Arithmetic, Format, NanCode, Rounding, ieee_fma, ieee_multiply};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, Round};

const APFLOAT_MODES: [(Rounding, Round); 4] = [
    (Rounding::Rne, Round::NearestTiesToEven),
    (Rounding::Rz, Round::TowardZero),
    (Rounding::Rd, Round::TowardNegative),
    (Rounding::Ru, Round::TowardPositive),
];

/// Formats of factors, of an addend and of a result.
#[derive(Clone, Copy, Debug)]
struct Formats {
    factors: [Format; 2],
    addend: Format,
    result: Format,
}

impl Formats {
    fn all(format: Format) -> Formats {
        Formats {
            factors: [format; 2],
            addend: format,
            result: format,
        }
    }

    fn arithmetic(&self, rounding: Rounding) -> Arithmetic {
        Arithmetic {
            format: self.result,
            rounding,
            nan: NanCode::Quiet,
        }
    }

    fn fma<B: Concrete>(&self, rounding: Rounding, [a, b, c]: [u64; 3]) -> u64 {
        let [x, y] = &self.factors;
        let (a, b) = (B::lit(x.width(), a), B::lit(y.width(), b));
        let c = B::lit(self.addend.width(), c);
        let to = self.arithmetic(rounding);
        ieee_fma(&to, [x, y], &self.addend, &a, &b, &c).to_u64()
    }

    fn multiply<B: Concrete>(&self, rounding: Rounding, [a, b, _]: [u64; 3]) -> u64 {
        let [x, y] = &self.factors;
        let (a, b) = (B::lit(x.width(), a), B::lit(y.width(), b));
        ieee_multiply(&self.arithmetic(rounding), [x, y], &a, &b).to_u64()
    }

    /// Registers `a`, `b` and `c`: random bits, edges, products near the least and the greatest
    /// result, and a `c` that cancels the product or lies near it.
    fn draw(&self, rng: &mut ChaCha8Rng) -> [u64; 3] {
        let [x, y] = &self.factors;
        let formats = [x, y, &self.addend];
        let bits =
            |rng: &mut ChaCha8Rng, format: &Format| rng.random::<u64>() & ones(format.width());
        let kind = rng.random_range(0..8);
        if kind == 0 {
            return formats.map(|format| bits(rng, format));
        }
        if kind == 1 {
            return formats.map(|format| *boundary(format).choose(rng).unwrap());
        }
        let bias = i64::from(self.result.bias());
        let precision = i64::from(self.result.precision());
        let exponent = match kind {
            2 => rng.random_range(-bias - precision - 4..=-bias + 4),
            3 => rng.random_range(bias - 3..=bias + 3),
            _ => rng.random_range(-bias..=bias),
        };
        let (low, high) = (i64::from(x.min_exponent()), i64::from(x.bias()));
        let first = rng.random_range(low..=high);
        let (a, b) = (near(rng, x, first), near(rng, y, exponent - first));
        let distance = rng.random_range(-2 * precision - 6..=2 * precision + 6);
        let c = match kind {
            4 | 5 => opposite([x, y], [a, b], &self.addend)
                .map(|c| c ^ rng.random_range(0u64..4) << self.addend.dropped_bits),
            6 => Some(*boundary(&self.addend).choose(rng).unwrap()),
            _ => None,
        };
        [
            a,
            b,
            c.unwrap_or_else(|| near(rng, &self.addend, exponent + distance)),
        ]
    }

    /// Checks one sum and one product against exact arithmetic.
    fn check_exactly<B: Concrete>(&self, rounding: Rounding, inputs: [u64; 3]) {
        let [x, y] = &self.factors;
        let target = Target {
            format: self.result,
            rounding,
            nan: NanCode::Quiet,
        };
        let expected = target.fma([x, y], &self.addend, inputs);
        let found = self.fma::<B>(rounding, inputs);
        assert_eq!(
            found, expected,
            "{self:?}: fma of {inputs:x?}, {rounding:?}"
        );
        let expected = target.multiply([x, y], inputs[0], inputs[1]);
        let found = self.multiply::<B>(rounding, inputs);
        assert_eq!(
            found, expected,
            "{self:?}: product of {inputs:x?}, {rounding:?}"
        );
    }
}

/// Whether the registers hold the same; a NaN is as good as another.
fn same(format: &Format, x: u64, y: u64) -> bool {
    x == y || format.is_nan(x) && format.is_nan(y)
}

/// Checks sums and products in one format against `rustc_apfloat`, in all of its modes.
fn check_apfloat<F: Float>(format: Format, inputs: [u64; 3]) {
    let formats = Formats::all(format);
    let [a, b, c] = inputs.map(|bits| F::from_bits(bits.into()));
    for (rounding, round) in APFLOAT_MODES {
        let expected = a.mul_add_r(b, c, round).value.to_bits() as u64;
        let found = formats.fma::<W128>(rounding, inputs);
        assert!(
            same(&format, found, expected),
            "{format}: fma of {inputs:x?} {rounding:?}: {found:x}, expected {expected:x}"
        );
        let expected = a.mul_r(b, round).value.to_bits() as u64;
        let found = formats.multiply::<W128>(rounding, inputs);
        assert!(
            same(&format, found, expected),
            "{format}: product of {inputs:x?} {rounding:?}: {found:x}, expected {expected:x}"
        );
    }
}

/// Checks f64 and f32 against the host, in the mode that it has.
fn check_host(formats: &Formats, inputs: [u64; 3]) {
    let (sum, product) = if formats.result == Format::F64 {
        let [a, b, c] = inputs.map(f64::from_bits);
        (a.mul_add(b, c).to_bits(), (a * b).to_bits())
    } else {
        let [a, b, c] = inputs.map(|bits| f32::from_bits(bits as u32));
        (a.mul_add(b, c).to_bits().into(), (a * b).to_bits().into())
    };
    let found = formats.fma::<W128>(Rounding::Rne, inputs);
    assert!(
        same(&formats.result, found, sum),
        "{formats:?}: {inputs:x?}"
    );
    let found = formats.multiply::<W128>(Rounding::Rne, inputs);
    assert!(
        same(&formats.result, found, product),
        "{formats:?}: {inputs:x?}"
    );
}

fn check_against_others(seed: u64, count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..count {
        let mut draw = |format| Formats::all(format).draw(&mut rng);
        check_apfloat::<Half>(Format::F16, draw(Format::F16));
        check_apfloat::<BFloat>(Format::BF16, draw(Format::BF16));
        for format in [Format::F32, Format::F64] {
            let inputs = draw(format);
            check_host(&Formats::all(format), inputs);
            if format == Format::F32 {
                check_apfloat::<Single>(format, inputs);
            } else {
                check_apfloat::<Double>(format, inputs);
            }
        }
    }
}

fn check_mixed(seed: u64, count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let with_infinity: Vec<_> = Format::ALL
        .into_iter()
        .filter(Format::has_infinity)
        .collect();
    for number in 0..count {
        let pick = |rng: &mut ChaCha8Rng| *Format::ALL.choose(rng).unwrap();
        let formats = match number % 4 {
            0 => Formats::all(*with_infinity.choose(&mut rng).unwrap()),
            1 => Formats {
                factors: [pick(&mut rng), pick(&mut rng)],
                addend: pick(&mut rng),
                result: *with_infinity.choose(&mut rng).unwrap(),
            },
            _ => Formats {
                factors: [*[Format::F16, Format::BF16, Format::E4M3]
                    .choose(&mut rng)
                    .unwrap(); 2],
                ..Formats::all(Format::F32)
            },
        };
        let inputs = formats.draw(&mut rng);
        let rounding = *MODES.choose(&mut rng).unwrap();
        match (number % 5, number % 4) {
            (0, _) => formats.check_exactly::<Big>(rounding, inputs),
            (1, 2) => formats.check_exactly::<W64>(rounding, inputs),
            _ => formats.check_exactly::<W128>(rounding, inputs),
        }
    }
}

// (1 + u) (1 - u) - 1 is -u^2, and 0 if the product is rounded.
#[test]
fn the_host_rounds_a_fused_multiply_add_once() {
    let u = f64::EPSILON;
    assert_eq!((1.0 + u).mul_add(1.0 - u, -1.0), -u * u);
    let u = f32::EPSILON;
    assert_eq!((1.0 + u).mul_add(1.0 - u, -1.0), -u * u);
}

#[test]
fn sums_and_products_are_those_of_the_host_and_of_rustc_apfloat() {
    check_against_others(1, 40_000);
}

#[test]
#[ignore = "half a minute in release: two million inputs for each of four formats"]
fn millions_of_sums_and_products_are_those_of_the_host_and_of_rustc_apfloat() {
    check_against_others(2, part_of(2_000_000));
}

#[test]
fn sums_and_products_of_mixed_formats_are_exact_and_rounded_once() {
    check_mixed(3, 80_000);
}

#[test]
#[ignore = "some seconds in release: two million inputs"]
fn millions_of_sums_and_products_of_mixed_formats_are_exact_and_rounded_once() {
    check_mixed(4, part_of(2_000_000));
}

#[test]
fn all_edges_of_f16_are_multiplied_and_added_right() {
    let (edges, formats) = (boundary(&Format::F16), Formats::all(Format::F16));
    for (&a, &b) in edges.iter().flat_map(|a| edges.iter().map(move |b| (a, b))) {
        for &c in &edges {
            let rounding = MODES[(a + b + c) as usize % MODES.len()];
            formats.check_exactly::<W64>(rounding, [a, b, c]);
        }
    }
}

#[test]
fn every_code_of_a_nan_is_the_one_asked_for() {
    let (infinity, zero, one) = (0x7c00, 0x0000, 0x3c00);
    for (code, expected) in [
        (NanCode::Ones, 0x7fff),
        (NanCode::Quiet, 0x7e00),
        (NanCode::Any, 0x7e00),
    ] {
        let to = Arithmetic {
            nan: code,
            ..Formats::all(Format::F16).arithmetic(Rounding::Rne)
        };
        let f16 = &Format::F16;
        let fma = |inputs: [u64; 3]| {
            let [a, b, c] = inputs.map(|bits| W64::lit(16, bits));
            ieee_fma(&to, [f16, f16], f16, &a, &b, &c).to_u64()
        };
        assert_eq!(fma([infinity, zero, one]), expected);
        assert_eq!(fma([infinity, one, infinity | 0x8000]), expected);
        assert_eq!(fma([one, one, 0xfc01]), expected);
    }
}
