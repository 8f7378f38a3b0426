//! Claims about integers: the sentence of each once more over `i128`, and answers that must come out so.

use crate::common::drawn::{Drawn, INTEGERS, Operation};
use crate::common::inputs;
use crate::common::integer_reference::{draw, ends, integer, register, sum, value};
use crate::common::parameters::{IntegerDot, Pairing};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::{Bv, Concrete, W128};
use mmasmt_questions::claims::property::{Claim, Domain, PROPERTIES};
use mmasmt_questions::claims::query::{Ended, Options, distinguish, prove};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

fn reversed(inputs: &Inputs) -> Inputs {
    let mut other = inputs.clone();
    other.a.rotate_right(1);
    other.b.rotate_right(1);
    other
}

/// Whether the inputs refute the claim of that name about one operation.
fn refutes(name: &str, dot: &IntegerDot, inputs: &Inputs) -> bool {
    let exact = sum(dot, inputs);
    let [least, greatest] = ends(&dot.accumulator);
    let held = (least..=greatest).contains(&exact);
    let result = value(&dot.accumulator, integer(dot, inputs));
    match name {
        "exact" => result != exact,
        "no-overflow" => !held,
        "exact-sums" => held && result != exact,
        _ => integer(dot, &reversed(inputs)) != integer(dot, inputs),
    }
}

#[test]
fn claims_say_what_they_say_over_integers() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let mut seen = [0; 2];
    for _ in 0..60 {
        let drawn = INTEGERS.1(&mut rng);
        let Drawn::Chain(Operation::Integer(dot), 1) = drawn else {
            continue;
        };
        let model = drawn.model();
        for name in ["exact", "no-overflow", "exact-sums", "order-independent"] {
            let claim = Claim::new(name, &model, "");
            if dot.pairing == Pairing::Xor && name != "order-independent" {
                assert!(claim.is_err(), "{name} of {model}");
                continue;
            }
            let claim = claim.unwrap();
            for _ in 0..100 {
                let inputs = inputs::draw(&mut rng, &model.signature());
                let expected = refutes(name, &dot, &inputs);
                let line = inputs.to_line(&model.signature());
                assert_eq!(
                    claim.is_refuted_by(&inputs),
                    expected,
                    "{name} of {model}: {line}"
                );
                assert_eq!(
                    claim.is_refuted_on_big(&inputs),
                    expected,
                    "{name} of {model}: {line}"
                );
                seen[usize::from(expected)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 500), "{seen:?}");
}

#[test]
fn domains_hold_the_integers_between_their_limits() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    for _ in 0..300 {
        let model = INTEGERS.1(&mut rng).model();
        let signature = model.signature();
        let reach = |bits: u32, rng: &mut ChaCha8Rng| {
            let limit = 1i64 << bits.min(40);
            let mut both = [
                rng.random_range(-limit..=limit),
                rng.random_range(-limit..=limit),
            ];
            both.sort_unstable();
            both
        };
        let (factor, addend) = (
            reach(signature.a.width(), &mut rng),
            reach(signature.c.width(), &mut rng),
        );
        let text = format!(
            "a from {}..{}, c from {}..{}",
            factor[0], factor[1], addend[0], addend[1]
        );
        let domain = Domain::parse(&text, &signature).unwrap();
        let is_in = |inputs: &Inputs| {
            let a = inputs.a.iter().map(|x| value(&signature.a, *x));
            let between = |[low, high]: [i64; 2], x: i128| (low.into()..=high.into()).contains(&x);
            a.into_iter().all(|x| between(factor, x))
                && between(addend, value(&signature.c, inputs.c))
        };
        for _ in 0..30 {
            let inputs = inputs::draw(&mut rng, &signature);
            let inside = is_in(&inputs);
            assert_eq!(domain.contains(&inputs), inside, "{text} of {model}");
            // What is brought into the domain is in it, and what is in it stays.
            let words = inputs.map(&signature, |format, bits| W128::lit(format.width(), *bits));
            let fixed = domain.fixed(&words);
            let fixed = fixed.map(&signature, |_, word| word.to_u64());
            if inside {
                assert_eq!(fixed, inputs, "{text} of {model}");
            }
            match domain.place(inputs, &mut rng) {
                Ok(placed) => assert!(is_in(&placed), "{text} of {model}"),
                Err(_) => {
                    let empty = |format, [low, high]: [i64; 2]| {
                        let [least, greatest] = ends(format);
                        i128::from(high) < least || i128::from(low) > greatest
                    };
                    assert!(
                        empty(&signature.a, factor) || empty(&signature.c, addend),
                        "{text} of {model}"
                    );
                }
            }
        }
    }
}

/// Integers of 8 bits on x86 before VNNI.
const INT8: &str = "x86/vpmaddubsw.vpmaddwd.vpaddd";

/// Claims about descriptions with registers for parts of a sum, over `i128`: of those no register may
/// overflow either.
#[test]
fn claims_about_sums_of_pairs_say_what_they_say_over_integers() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let model = Model::parse(INT8).unwrap();
    let signature = model.signature();
    let mut seen = [0; 6];
    for _ in 0..4000 {
        let inputs = draw(&mut rng, &signature);
        let products = inputs.a.iter().zip(&inputs.b);
        let products: Vec<i128> = products
            .map(|(x, y)| value(&signature.a, *x) * value(&signature.b, *y))
            .collect();
        let pairs = products.chunks(2).map(|pair| pair.iter().sum::<i128>());
        let [least, greatest] = ends(&signature.d);
        let c = value(&signature.c, inputs.c);
        let exact = c + products.iter().sum::<i128>();
        let is_held = (least..=greatest).contains(&exact);
        let saturates = pairs.clone().any(|sum| !(-32768..=32767).contains(&sum));
        let sum = c + pairs.map(|sum| sum.clamp(-32768, 32767)).sum::<i128>();
        let result = value(&signature.d, register(&signature.d, sum));
        let is_beyond = saturates || !is_held || !(least..=greatest).contains(&sum);
        for (place, (name, expected)) in [
            ("exact", result != exact),
            ("no-overflow", is_beyond),
            ("exact-sums", is_held && result != exact),
        ]
        .into_iter()
        .enumerate()
        {
            let claim = Claim::new(name, &model, "").unwrap();
            let line = inputs.to_line(&signature);
            assert_eq!(claim.is_refuted_by(&inputs), expected, "{name}: {line}");
            assert_eq!(claim.is_refuted_on_big(&inputs), expected, "{name}: {line}");
            seen[2 * place + usize::from(expected)] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}

/// 255 by 127, twice: what was reported.
#[test]
fn weights_of_eight_bits_overflow_where_it_was_reported() {
    for (spec, count) in [("x86/vpmaddubsw", 2), (INT8, 4)] {
        let model = Model::parse(spec).unwrap();
        let inputs = Inputs::new(vec![255; count], vec![127; count], 0);
        for name in ["exact", "no-overflow"] {
            let claim = Claim::new(name, &model, "finite").unwrap();
            assert!(claim.is_refuted_by(&inputs), "{name} of {spec}");
        }
    }
}

fn limits() -> Limits {
    Limits::default().within(Duration::from_secs(60))
}

/// Whether the claim is proved; none if it is refuted.
#[track_caller]
fn is_proved(claim: &str, spec: &str, domain: &str) -> bool {
    let model = Model::parse(spec).unwrap();
    let claim = Claim::new(claim, &model, domain).unwrap();
    let options = Options::default();
    let answer = prove(&claim, &options, &limits()).unwrap();
    match answer.ended {
        Ended::NoMore { .. } => true,
        Ended::Enough => false,
        other => panic!("{spec}: {other:?}"),
    }
}

#[test]
fn claims_hold_and_their_twins_do_not() {
    for (claim, spec, domain, holds) in [
        ("exact", "int:K=64,in=s8", "c from -1000..1000", true),
        ("exact", "int:K=64,in=s8", "finite", false),
        // 8 * 100^2 and 2^31 - 80,001 are 2^31 - 1.
        (
            "no-overflow",
            "int:K=8,in=s8",
            "factors from 0..100, c from 0..2147403647",
            true,
        ),
        (
            "no-overflow",
            "int:K=8,in=s8",
            "factors from 0..100, c from 0..2147403648",
            false,
        ),
        (
            "equal=:overflow=wrap",
            "int:K=32,in=u8,overflow=saturate",
            "c from -5..2000000000",
            true,
        ),
        (
            "equal=:overflow=wrap",
            "int:K=32,in=u8,overflow=saturate",
            "finite",
            false,
        ),
        (
            "exact-sums",
            "int:K=2,in=s8,overflow=saturate",
            "finite",
            true,
        ),
        (
            "exact-sums",
            "int:K=1,chain=2,in=s8,overflow=saturate",
            "finite",
            false,
        ),
        ("order-independent", "int:K=4,chain=8,in=s8", "finite", true),
        (
            "order-independent",
            "int:K=1,chain=2,in=s8,overflow=saturate",
            "finite",
            false,
        ),
        (
            "zero-padding=2",
            "int:K=4,in=s4,overflow=saturate",
            "finite",
            true,
        ),
        // Before VNNI: weights of 7 bits with a sign, or operands of 7 bits.
        ("no-overflow", "x86/vpmaddubsw", "b from -64..63", true),
        ("no-overflow", "x86/vpmaddubsw", "a from 0..127", true),
        ("no-overflow", "x86/vpmaddubsw", "finite", false),
        ("exact", "x86/vpmaddubsw", "b from -64..64", true),
        ("exact", "x86/vpmaddubsw", "b from -65..63", false),
        ("exact", "x86/vpmaddubsw", "a from 0..128", true),
        ("exact", "x86/vpmaddubsw", "a from 0..129", false),
        (
            "no-overflow",
            INT8,
            "b from -64..63, c from -2147400000..2147400000",
            true,
        ),
        (
            "no-overflow",
            INT8,
            "a from 0..127, c from -2147400000..2147400000",
            true,
        ),
        ("no-overflow", INT8, "c = 0", false),
        ("exact", INT8, "a from 0..127, c = 0", true),
        ("exact", INT8, "c = 0", false),
        ("equal=x86/vpdpbusd", INT8, "b from -64..63", true),
        ("equal=x86/vpdpbusd", INT8, "b from 0..127", false),
        ("equal=x86/vpdpwssd", "x86/vpmaddwd.vpaddd", "finite", true),
        ("exact-sums", "x86/vpmaddubsw", "finite", true),
        ("exact-sums", "x86/vpmaddubsw.vpaddsw", "finite", false),
        // A sum that saturates before a negative `c` is added differs from one that saturates afterwards.
        (
            "equal=int:K=2,a=u8,b=s8,acc=s16,overflow=saturate",
            "x86/vpmaddubsw.vpaddsw",
            "b from 0..127",
            false,
        ),
        (
            "equal=int:K=2,a=u8,b=s8,acc=s16,overflow=saturate",
            "x86/vpmaddubsw.vpaddsw",
            "b from 0..127, c from 0..32767",
            true,
        ),
    ] {
        assert_eq!(
            is_proved(claim, spec, domain),
            holds,
            "{claim} of {spec}, {domain}"
        );
    }
}

/// Saturated once or after each part, as PTX leaves open: -2^31 with -1 and 1 is -2^31 or one more.
#[test]
fn one_input_tells_one_saturation_from_two() {
    let once = Model::parse("ampere/mma.m16n8k32.satfinite.s32.s8.s8.s32").unwrap();
    let twice = once.with("K=16,chain=2").unwrap();
    let options = Options::default();
    let answer = distinguish(&once, &twice, &options, &limits()).unwrap();
    assert!(!answer.witnesses.is_empty());
    let mut inputs = Inputs::new(vec![0; 32], vec![0; 32], 0x8000_0000);
    (inputs.a[0], inputs.b[0]) = (0xff, 1);
    (inputs.a[16], inputs.b[16]) = (1, 1);
    let results = [&once, &twice].map(|model| model.evaluate_big(&inputs).unwrap());
    assert_eq!(results, [0x8000_0000, 0x8000_0001]);
    let wraps = [
        Model::parse("int:K=32,in=s8").unwrap(),
        Model::parse("int:K=16,chain=2,in=s8").unwrap(),
    ];
    let answer = distinguish(&wraps[0], &wraps[1], &options, &limits()).unwrap();
    assert!(matches!(answer.ended, Ended::NoMore { .. }));
}

#[test]
fn an_error_names_the_properties_of_integers() {
    let model = Model::parse("int:K=4,in=s8").unwrap();
    let error = Claim::new("rounds=rne", &model, "")
        .unwrap_err()
        .to_string();
    let (_, all) = error.split_once("of integers there are ").unwrap();
    for doc in PROPERTIES {
        let is_named = all.split(", ").any(|name| name == doc.word());
        assert_eq!(is_named, doc.is_of_integers, "{}", doc.name);
    }
}
