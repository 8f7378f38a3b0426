//! One FP8 product and `c`: all pairs of factors and a grid of 4096 accumulators, against plain
//! integer arithmetic of the host.

use crate::common::exact::{Datum, Finite, decode};
use crate::common::setting::{one_in, part_of};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::Concrete;
use mmasmt_numbers::bits::term::{Term, scope};
use mmasmt_numbers::float::Format;

/// A unit of one product: `F`, and the fraction bits of its f32 result.
#[derive(Clone, Copy)]
struct Host {
    format: Format,
    fraction: u32,
    kept: u32,
}

const NAN: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;

impl Host {
    fn model(&self) -> Model {
        let Host {
            format,
            fraction,
            kept,
        } = self;
        Model::parse(&format!("fda:K=1,in={format},F={fraction},frac={kept}")).unwrap()
    }

    /// Steps 1 to 5 of Xie et al. §IV-C for two factors and an accumulator.
    fn evaluate(&self, a: Datum, b: Datum, c: Datum) -> u32 {
        let product = match (a, b) {
            (Datum::Finite(a), Datum::Finite(b)) => Datum::Finite(Finite {
                negative: a.negative != b.negative,
                significand: a.significand * b.significand,
                unit: a.unit + b.unit,
                exponent: a.exponent + b.exponent,
            }),
            (Datum::Infinite { negative }, Datum::Infinite { negative: other }) => {
                Datum::Infinite {
                    negative: negative != other,
                }
            }
            (Datum::Infinite { negative }, Datum::Finite(x))
            | (Datum::Finite(x), Datum::Infinite { negative })
                if !x.is_zero() =>
            {
                Datum::Infinite {
                    negative: negative != x.negative,
                }
            }
            _ => Datum::Nan,
        };
        match (product, c) {
            (Datum::Finite(product), Datum::Finite(c)) => self.sum(product, c),
            (Datum::Nan, _) | (_, Datum::Nan) => NAN,
            (Datum::Infinite { negative }, Datum::Infinite { negative: other })
                if negative != other =>
            {
                NAN
            }
            (Datum::Infinite { negative }, _) | (_, Datum::Infinite { negative }) => {
                INFINITY | u32::from(negative) << 31
            }
        }
    }

    fn sum(&self, product: Finite, c: Finite) -> u32 {
        let exponents = [product, c].map(|x| if x.is_zero() { i64::MIN } else { x.exponent });
        let largest = exponents[0].max(exponents[1]);
        if largest == i64::MIN {
            return 0;
        }
        let unit = largest - i64::from(self.fraction);
        let align = |x: Finite| {
            let cut = move_left(x.significand, x.unit - unit) as i64;
            if x.negative { -cut } else { cut }
        };
        let sum = align(product) + align(c);
        let code = self.truncate(sum.unsigned_abs(), unit);
        // There is no -0.
        if sum < 0 && code != 0 {
            code | 1 << 31
        } else {
            code
        }
    }

    /// The f32 code of `magnitude * 2^unit`, cut to the bits that are kept.
    fn truncate(&self, magnitude: u64, unit: i64) -> u32 {
        if magnitude == 0 {
            return 0;
        }
        let exponent = i64::from(magnitude.ilog2()) + unit;
        let place = exponent.max(-126) - i64::from(self.kept);
        let significand = move_left(magnitude, unit - place) as u32;
        // The leading one of a normal number counts one into the exponent field.
        let field = (exponent.max(-126) + 126) as u32;
        let code = (field << 23) + (significand << (23 - self.kept));
        code.min(INFINITY)
    }
}

/// `value * 2^places`, cut to a whole number.
fn move_left(value: u64, places: i64) -> u64 {
    match places {
        _ if value == 0 => 0,
        0.. => value << places,
        _ => value >> (-places).min(63),
    }
}

/// Every sign and exponent field of f32, each with eight fractions: zeros, infinities, NaNs,
/// powers of two and their neighbours, and bits at which alignment cuts.
fn accumulators() -> impl Iterator<Item = u32> {
    let fractions = [
        0, 1, 0x7f_ffff, 0x40_0000, 0x3f_ffff, 0x2a_5a5b, 0x00_0400, 0x5b_13ff,
    ];
    (0..512).flat_map(move |high| fractions.map(|fraction| high << 23 | fraction))
}

/// Units as in the wgmma of Hopper and in the mma of RTX Blackwell.
fn hosts(format: Format) -> [Host; 2] {
    [(13, 13), (25, 23)].map(|(fraction, kept)| Host {
        format,
        fraction,
        kept,
    })
}

/// All pairs of factors, with every `step`th accumulator.
fn check_words(host: &Host, step: usize) {
    let model = host.model();
    let mut simulator = model.simulator();
    let mut inputs = Inputs::new(vec![0], vec![0], 0);
    let factors: Vec<_> = (0..256).map(|bits| decode(&host.format, bits)).collect();
    for register in accumulators().step_by(step) {
        let c = decode(&Format::F32, register.into());
        inputs.c = register.into();
        for (a, &x) in factors.iter().enumerate() {
            inputs.a[0] = a as u64;
            for (b, &y) in factors.iter().enumerate() {
                inputs.b[0] = b as u64;
                let (found, expected) =
                    (simulator.evaluate(&inputs).unwrap(), host.evaluate(x, y, c));
                assert_eq!(
                    found,
                    u64::from(expected),
                    "{model} on {register:08x} {a:02x} {b:02x}"
                );
            }
        }
    }
}

/// All pairs of factors, each with `count` accumulators, which are others for the next pair; on big
/// integers and terms, for which the whole grid would take hours.
fn check_references(host: &Host, count: usize) {
    let model = host.model();
    let factors: Vec<_> = (0..256).map(|bits| decode(&host.format, bits)).collect();
    // An odd step, so that every accumulator has its turn.
    let grid: Vec<_> = accumulators().collect();
    let mut turns = (0..).map(|turn| grid[turn * 1021 % grid.len()]);
    for (a, b) in (0..256).flat_map(|a| (0..256).map(move |b| (a, b))) {
        for register in turns.by_ref().take(count) {
            let c = decode(&Format::F32, register.into());
            let expected = u64::from(host.evaluate(factors[a], factors[b], c));
            let inputs = Inputs::new(vec![a as u64], vec![b as u64], register.into());
            let line = inputs.to_line(&model.signature());
            assert_eq!(
                model.evaluate_big(&inputs).unwrap(),
                expected,
                "{model} on {line}: BigUint"
            );
            scope(|| {
                let term = model.stages::<Term>(&inputs).unwrap().0;
                let found = term.as_constant().map(Concrete::to_u64);
                assert_eq!(found, Some(expected), "{model} on {line}: term");
            })
        }
    }
}

#[test]
fn words_agree_with_the_host_on_every_pair_of_e4m3_factors() {
    hosts(Format::E4M3)
        .iter()
        .for_each(|host| check_words(host, 127));
}

#[test]
fn words_agree_with_the_host_on_every_pair_of_e5m2_factors() {
    hosts(Format::E5M2)
        .iter()
        .for_each(|host| check_words(host, 127));
}

#[test]
fn references_agree_with_the_host_on_every_pair_of_factors() {
    check_references(&hosts(Format::E4M3)[0], 1);
    check_references(&hosts(Format::E5M2)[1], 1);
}

#[test]
#[ignore = "two minutes in release: 537 million inputs"]
fn words_agree_with_the_host_on_e4m3_factors_and_the_whole_grid() {
    hosts(Format::E4M3)
        .iter()
        .for_each(|host| check_words(host, one_in()));
}

#[test]
#[ignore = "two minutes in release: 537 million inputs"]
fn words_agree_with_the_host_on_e5m2_factors_and_the_whole_grid() {
    hosts(Format::E5M2)
        .iter()
        .for_each(|host| check_words(host, one_in()));
}

#[test]
#[ignore = "a minute in release: big integers and terms allocate"]
fn references_agree_with_the_host_on_sixteen_accumulators_for_each_pair() {
    for host in [Format::E4M3, Format::E5M2].into_iter().flat_map(hosts) {
        check_references(&host, part_of(16));
    }
}
