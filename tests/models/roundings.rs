//! Every rounding that a model can have: Table II of MMA-Sim, and all inputs of small units against
//! exact rounding by search among the codes.

use crate::common::exact::{self, Datum, decode, locate};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, Overflow, Rounding};
use num_bigint::BigInt;

/// The results of `1 + 0.5u`, `1 + 1.5u`, `-1 - 0.5u` and `-1 - 1.5u` in each rounding to nearest, in units of u from 1 or from
/// -1, outwards: Table II of Xie et al. [arXiv:2511.10909].
const TABLE_II: [(&str, [u64; 4]); 6] = [
    ("rnu", [1, 2, 0, 1]),
    ("rnd", [0, 1, 1, 2]),
    ("rnz", [0, 1, 0, 1]),
    ("rna", [1, 2, 1, 2]),
    ("rne", [0, 2, 0, 2]),
    ("rno", [1, 1, 1, 1]),
];

#[test]
fn every_rounding_of_table_ii_of_mma_sim_can_be_said() {
    for (name, expected) in TABLE_II {
        let unit = format!(
            "unit:{{unit u {{ a, b: f32[1]; c, d: f32; d = round(sum(a * b, c)) to f32 by {name} }}}}"
        );
        for spec in [
            unit,
            format!("exact:K=1,in=f32,round={name}"),
            format!("fda:K=1,in=f32,F=26,round={name}"),
        ] {
            let model = Model::parse(&spec).unwrap();
            let inputs = [(false, 1), (false, 3), (true, 1), (true, 3)];
            for ((negative, halves), steps) in inputs.into_iter().zip(expected) {
                // u is 2^-23: the product is `halves * 2^-24`, and c is 1.
                let sign = u64::from(negative) << 31;
                let half = [0, 0x3f80_0000, 0, 0x4040_0000][halves] | sign;
                let inputs = Inputs::new(vec![half], vec![0x3380_0000], 0x3f80_0000 | sign);
                let found = model.simulator().run(&inputs);
                assert_eq!(
                    found,
                    (0x3f80_0000 | sign) + steps,
                    "{spec}: {halves} halves"
                );
            }
        }
    }
}

const NAMES: [&str; 15] = [
    "rz", "rne", "rd", "ru", "ra", "odd", "rna", "rnz", "rnu", "rnd", "rno", "sr1+0x1", "sr3+0x5",
    "sr4+0x0", "sr4+0xf",
];

/// A finite number as a whole number of `2^-40`.
fn whole(format: &Format, register: u64) -> Option<BigInt> {
    match decode(format, register) {
        Datum::Finite(x) => {
            let magnitude = BigInt::from(x.significand) << (x.unit + 40);
            Some(if x.negative { -magnitude } else { magnitude })
        }
        _ => None,
    }
}

/// The words of a description for a rounding.
fn by(name: &str) -> String {
    let Some((bits, random)) = name
        .strip_prefix("sr")
        .and_then(|rest| rest.split_once("+0x"))
    else {
        return name.into();
    };
    format!(
        "sr bits {bits} random {}",
        u64::from_str_radix(random, 16).unwrap()
    )
}

/// `c + a * b`, `a * b` and the conversion of `a`, in one result each: sources of a rounding that are operations of IEEE 754,
/// except that a stochastic one needs the exact number.
#[test]
fn sums_products_and_conversions_are_rounded_so_on_all_inputs() {
    let [a, c, d] = [Format::E2M3, Format::E3M2, Format::E3M2];
    for name in NAMES {
        let rounding: Rounding = name.parse().unwrap();
        let unit = |source: &str| {
            let by = by(name);
            let text = format!(
                "unit:{{unit u {{ a, b: e2m3[1]; c, d: e3m2; d = round({source}) to e3m2 by {by} }}}}"
            );
            Model::parse(&text).unwrap()
        };
        let models = [
            unit("sum(a[0] * b[0], c)"),
            unit("a[0] * b[0]"),
            unit("a[0]"),
        ];
        let mut simulators = models.each_ref().map(|model| model.simulator());
        for (x, y, z) in (0..64u64).flat_map(|x| {
            (0..64u64)
                .step_by(3)
                .map(move |y| (x, y, (x * 5 + y * 7) % 64))
        }) {
            let inputs = Inputs::new(vec![x], vec![y], z);
            let [x, y, z] = [whole(&a, x), whole(&a, y), whole(&c, z)].map(Option::unwrap);
            let product = (&x * &y) >> 40u32;
            let exact = [&product + z, product, x];
            for (simulator, exact) in simulators.iter_mut().zip(exact) {
                let found = simulator.run(&inputs);
                let negative = exact < BigInt::from(0);
                let position = locate(&d, exact.magnitude(), -40);
                let code = position.round(&d, negative, rounding, Overflow::Ieee);
                let expected = exact::register(&d, negative, code);
                // The sign of a zero is another rule.
                let same = found == expected || code == 0 && found & 31 == 0;
                assert!(
                    same,
                    "{name}: {inputs:x?} gives {found:x}, not {expected:x}"
                );
            }
        }
    }
}

/// A fused sum in which nothing is cut, and the exact one, with keys of algorithms.
#[test]
fn keys_of_algorithms_round_so() {
    for name in NAMES.into_iter().filter(|name| *name != "odd") {
        let rounding: Rounding = name.parse().unwrap();
        let keys = format!("K=2,in=e2m1,c=e2m1,out=e5m2,round={name}");
        for spec in [format!("exact:{keys}"), format!("fda:F=40,{keys}")] {
            let model = Model::parse(&spec).unwrap();
            let canonical = model.canonical().to_string();
            let again = Model::parse(&canonical).unwrap();
            assert_eq!(again.canonical().to_string(), canonical);
            let described = crate::descriptions::described(&model).unwrap();
            let (mut simulator, mut other) = (model.simulator(), described.simulator());
            let d = model.signature().d;
            for number in (0..1u64 << 20).step_by(97) {
                let operand = |index: u32| number >> (4 * index) & 15;
                let inputs = Inputs::new(
                    vec![operand(0), operand(1)],
                    vec![operand(2), operand(3)],
                    operand(4),
                );
                let of = |register: u64| whole(&Format::E2M1, register).unwrap();
                let products = inputs
                    .a
                    .iter()
                    .zip(&inputs.b)
                    .map(|(x, y)| (of(*x) * of(*y)) >> 40u32);
                let exact = products.sum::<BigInt>() + of(inputs.c);
                let negative = exact < BigInt::from(0);
                let position = locate(&d, exact.magnitude(), -40);
                let code = position.round(&d, negative, rounding, Overflow::Infinity);
                let found = simulator.run(&inputs);
                let expected = exact::register(&d, negative, code);
                assert!(
                    found == expected || code == 0 && found & 127 == 0,
                    "{spec}: {inputs:x?}: {found:x}, not {expected:x}"
                );
                assert_eq!(other.run(&inputs), found, "{spec}: {inputs:x?}");
            }
        }
    }
}

#[test]
fn random_bits_are_parameters_of_descriptions() {
    let unit = "unit:{unit u(R = 3 in 0..15) { a, b: e2m1[1]; c, d: e2m1; d = round(sum(a * b, c)) to e2m1 by sr bits 4 random R }}";
    // 0.5 * 0.5 is half of the way from 0 to 0.5: eight of sixteen.
    let inputs = Inputs::new(vec![1], vec![1], 0);
    let results = (0..16).map(|random| {
        let model = Model::parse(unit)
            .unwrap()
            .with(&format!("R={random}"))
            .unwrap();
        model.simulator().run(&inputs)
    });
    assert_eq!(results.sum::<u64>(), 8);
}

#[test]
fn stochastic_roundings_have_bits() {
    for (by, expected) in [
        ("sr", "expected the option `bits`"),
        ("sr bits 4", "expected the option `random`"),
        (
            "sr bits 0 random 0",
            "expected a whole number from 1 to 32, found 0",
        ),
        (
            "sr bits 33 random 0",
            "expected a whole number from 1 to 32, found 33",
        ),
        (
            "sr bits 4 random 16",
            "expected a whole number from 0 to 15, found 16",
        ),
        (
            "rne bits 4",
            "expected `by sr` where `bits` and `random` are given",
        ),
        (
            "rx",
            "expected `by` rne or rz or rd or ru or ra or odd or rna or rnz or rnu or rnd or rno or sr, found `rx`",
        ),
    ] {
        let unit = format!(
            "unit:{{unit u {{ a, b: f16[1]; c, d: f32; d = round(sum(a * b, c)) to f32 by {by} }}}}"
        );
        let error = Model::parse(&unit).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// What is told of all random bits is what each of them gives, for a rounding anywhere in a model.
#[test]
fn results_over_all_random_bits_are_those_of_each() {
    let within = "unit:{unit u(R = 3 in 0..31) { a, b: e2m3[1]; c, d: e3m2; p = round(a * b) to e3m2 by sr bits 5 random R; d = round(sum(p[0], c)) to e3m2 by rne }}";
    let mut both = 0;
    for (spec, key, bits) in [
        (
            "exact:K=1,in=e2m3,c=e2m3,out=e5m2,round=sr5+7",
            "round=sr5+",
            5,
        ),
        (
            "fda:K=1,in=e2m3,c=e2m3,out=e5m2,F=20,round=sr3+7",
            "round=sr3+",
            3,
        ),
        (
            "fda:K=1,in=e2m3,c=e2m3,out=e5m2,F=20,round=sr8+7,results=after",
            "round=sr8+",
            8,
        ),
        (within, "R=", 5),
    ] {
        let model = Model::parse(spec).unwrap();
        let any = model.any_bits().unwrap();
        assert_eq!(any.bits(), bits);
        let each: Vec<Model> = (0..1u64 << bits)
            .map(|random| model.with(&format!("{key}{random}")).unwrap())
            .collect();
        for number in (0..1u64 << 18).step_by(997) {
            let inputs = Inputs::new(vec![number & 63], vec![number >> 6 & 63], number >> 12);
            let found = any.results(&inputs).unwrap();
            let results: Vec<u64> = each
                .iter()
                .map(|model| model.simulator().run(&inputs))
                .collect();
            let above = results.iter().filter(|d| **d != results[0]).count() as u64;
            assert!(
                results
                    .iter()
                    .all(|d| [found.below, found.above].contains(d)),
                "{spec}"
            );
            assert_eq!((found.below, found.count), (results[0], above), "{spec}");
            assert_eq!(found.above, *results.last().unwrap(), "{spec}");
            both += u64::from(above > 0);
        }
    }
    assert!(both > 100, "{both}");
    for (spec, expected) in [
        ("fda:K=1", "found none"),
        ("fda:K=1,chain=2,round=sr2+0", "found 2 such roundings"),
        (
            "epilogue(fda:K=1,round=sr2+0):K=1",
            "found operations around a unit",
        ),
        (
            "unit:{unit u { a, b: f16[2]; c, d: f32; p = round(a * b) to f32 by sr bits 2 random 1; d = round(sum(p, c)) to f32 by rne }}",
            "found 2 such roundings",
        ),
    ] {
        let error = Model::parse(spec).unwrap().any_bits().unwrap_err();
        assert!(error.to_string().ends_with(expected), "{error}");
    }
}
