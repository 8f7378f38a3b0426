//! Certificates by steps: both checkers accept that of every published verdict by rules, and mutated ones are refused or
//! still true.

use mmasmt_certificates::check;
use mmasmt_core::machines::algorithms::descriptions::Program;
use mmasmt_core::machines::algorithms::descriptions::made::{MadeNumber, StepValue};
use mmasmt_core::machines::algorithms::{Inputs, Operand};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::claims::property::{Claim, ExpectedOutcome, published};
use mmasmt_questions::claims::query::Question;
use mmasmt_questions::claims::stepwise::certificates;
use mmasmt_questions::inputs::Sampler;
use num_bigint::BigInt;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::process::Command;

/// The certificate of the claim that the checker accepts; else why it accepts none.
fn certified(claim: &Claim) -> Result<String, String> {
    let texts = certificates(claim).map_err(|why| why.to_string())?;
    let mut why = String::new();
    for text in texts {
        match check(&text) {
            Ok(_) => return Ok(text),
            Err(rejected) => why = rejected.to_string(),
        }
    }
    Err(why)
}

/// Whether the checker in Python accepts the certificate; `None` where there is no Python.
fn is_accepted_by_python(text: &str) -> Option<bool> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.json");
    std::fs::write(&file, text).unwrap();
    let checker = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/certificates/check_certificate.py"
    );
    let run = Command::new("python3")
        .arg(checker)
        .arg(&file)
        .output()
        .ok()?;
    Some(run.status.success())
}

/// Claims that rules prove, beside the published ones.
const OTHERS: [(&str, &str, &str); 9] = [
    ("order-independent", "H100/HMMA.16816.F32", "finite"),
    ("rounds=rz", "fda:K=32,F=34,in=e4m3", "c = 0"),
    ("faithful", "fda:K=4,F=40", "factors exp -3..3, c exp -3..3"),
    ("exact", "int:K=4", "c from -1000..1000"),
    (
        "monotone-products",
        "promote(gps:K=8,G=4):every=2,K=64",
        "finite",
    ),
    (
        "monotone-c",
        "epilogue(fda:K=16,F=25):K=32,out=f16,beta=2,alpha=3",
        "finite",
    ),
    ("monotone-c", "gps:K=8,G=4", "finite"),
    (
        "finite-results",
        "promote(fda:K=16,F=25,in=e4m3):every=4,K=64",
        "c exp -20..20",
    ),
    (
        "exact-sums",
        "fda:K=4,F=24,chain=2",
        "factors exp 0..1, factors bits 4, c = 0",
    ),
];

/// Published verdicts by rules that have none: a sum that may overflow on the way is no number that a fact speaks of; and that
/// a register is at most the greatest number of its format is no fact.
const WITHOUT: [&str; 2] = [
    "equal=:subnormals=keep of cdna2/v_mfma_f32_16x16x16f16",
    "finite-results of fdrda:chain=2,in=f16",
];

fn claims_by_rules() -> Vec<Claim> {
    let published = published().unwrap().iter();
    let all = published.flat_map(|query| query.claims().unwrap());
    let proved = all.filter(|(_, expected)| *expected == ExpectedOutcome::Proved);
    let others = OTHERS.map(|(property, model, domain)| {
        Claim::new(property, &Model::parse(model).unwrap(), domain).unwrap()
    });
    proved
        .map(|(claim, _)| claim)
        .filter(|claim| Question::refuting(claim).known_at_once().is_some())
        .chain(others)
        .collect()
}

#[test]
fn both_checkers_accept_certificates_of_verdicts_by_rules() {
    let mut missing = Vec::new();
    for claim in claims_by_rules() {
        match certified(&claim) {
            Ok(text) => assert_ne!(is_accepted_by_python(&text), Some(false), "{claim}"),
            Err(why) => missing.push(format!("{claim}: {why}")),
        }
    }
    let without = |line: &String| !WITHOUT.iter().any(|known| line.starts_with(known));
    missing.retain(without);
    missing.iter().for_each(|line| println!("{line}"));
    assert!(missing.is_empty(), "{} have none", missing.len());
}

#[test]
fn claims_that_are_false_have_no_certificate() {
    for (property, model, domain) in [
        ("order-independent", "ieee:K=4,in=f16", "finite"),
        ("order-independent", "fda:K=4,chain=2", "finite"),
        ("monotone-c", "fda:K=8,F=24", "finite"),
        ("monotone-products", "fda:K=8,F=22", "finite"),
        ("rounds=rne", "fda:K=4,F=24", "finite"),
        ("exact-sums", "fda:K=4,F=24", "finite"),
        ("exact", "int:K=4", "finite"),
        ("finite-results", "fda:K=4,out=f16", "finite"),
        ("equal=fda:F=25", "fda:F=24", "finite"),
        ("sign-symmetric", "fdrda:K=4", "finite"),
    ] {
        let claim = Claim::new(property, &Model::parse(model).unwrap(), domain).unwrap();
        assert!(certified(&claim).is_err(), "{claim}");
    }
}

/// The places of the numbers that a certificate says are known.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                let skipped = [
                    "formats",
                    "operands",
                    "given",
                    "kind",
                    "name",
                    "claim",
                    "certificate",
                ];
                if !skipped.contains(&key.as_str()) {
                    places(inner, &format!("{at}/{key}"), all);
                }
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                places(inner, &format!("{at}/{index}"), all);
            }
        }
        _ if at.contains("/facts/") || at.starts_with("/proves") => all.push(at.to_owned()),
        _ => {}
    }
}

/// Another value of the same kind.
fn changed(value: &Value, rng: &mut ChaCha8Rng) -> Value {
    let by = [-3, -2, -1, 1, 2, 3][rng.random_range(0..6usize)];
    match value {
        Value::Bool(yes) => Value::Bool(!yes),
        Value::Number(number) => Value::from(number.as_i64().unwrap_or(0) + by),
        Value::String(text) => match text.parse::<BigInt>() {
            Ok(number) => Value::from((number + by).to_string()),
            Err(_) => Value::from(
                ["any", "rne", "rz", "none", "p0", "p1", "c"][rng.random_range(0..7usize)],
            ),
        },
        _ => Value::from(by),
    }
}

/// What a step's value is worth for some inputs.
fn exact(made: &StepValue, format: Option<Format>) -> Option<Dyadic> {
    match made {
        StepValue::Register(bits) => Dyadic::of(&format?, *bits),
        StepValue::Number(
            MadeNumber { is_nan: true, .. }
            | MadeNumber {
                is_infinite: true, ..
            },
        ) => None,
        StepValue::Number(number) => {
            let significand = BigInt::from(number.significand);
            let signed = if number.negative {
                -significand
            } else {
                significand
            };
            Some(Dyadic::new(signed, number.place))
        }
    }
}

/// A fact of values that the inputs refute.
fn refuted(certificate: &Value, program: &Program, inputs: &Inputs) -> Option<String> {
    let made = program.made(inputs);
    let steps = certificate["units"][0]["steps"].as_array()?;
    let worth = |slot: usize| exact(&made[slot], program.format(slot as u32));
    for (slot, step) in steps.iter().enumerate() {
        let facts = &step["facts"];
        if let Some(value) = facts.get("value") {
            let Some(number) = worth(slot) else {
                return Some(format!("step {slot} is not finite"));
            };
            if !is_admitted(value, &number) {
                return Some(format!("step {slot}: {value} and {number:?}"));
            }
        }
        if let (Some(exponent), StepValue::Number(number)) = (facts.get("exponent"), &made[slot]) {
            let most = exponent.as_i64().unwrap_or(i64::MIN);
            if !number.is_absent && number.exponent > most {
                return Some(format!("step {slot}: the exponent {}", number.exponent));
            }
        }
        if let Some(atoms) = facts.get("sum").and_then(Value::as_array) {
            let sum = sum_of(atoms, program, inputs, &worth)?;
            if worth(slot).is_none_or(|number| number != sum) {
                return Some(format!("step {slot}: another sum"));
            }
        }
    }
    None
}

fn sum_of(
    atoms: &[Value],
    program: &Program,
    inputs: &Inputs,
    worth: &impl Fn(usize) -> Option<Dyadic>,
) -> Option<Dyadic> {
    let signature = &program.signature;
    let mut sum = Dyadic::default();
    for atom in atoms {
        let atom = atom.as_str()?;
        let place = || atom[1..].parse::<usize>().ok();
        let one = match atom.as_bytes()[0] {
            b'p' => {
                let a = Dyadic::of(&signature.a, inputs.row(Operand::A)[place()?])?;
                let b = Dyadic::of(&signature.b, inputs.row(Operand::B)[place()?])?;
                a.times(&b)
            }
            b'c' => Dyadic::of(&signature.c, inputs.row(Operand::C)[0])?,
            _ => worth(place()?)?,
        };
        sum = sum.plus(&one);
    }
    Some(sum)
}

fn is_admitted(value: &Value, number: &Dyadic) -> bool {
    let magnitude = number.mantissa().magnitude();
    if magnitude.bits() == 0 {
        // What is at most 0 is zero.
        return value["most"] == "0" || value["zero"].as_bool().unwrap_or(true);
    }
    let unit = value["multiple"].as_i64().unwrap();
    let most: num_bigint::BigUint = value["most"].as_str().unwrap().parse().unwrap();
    let leading = number.exponent() + magnitude.bits() as i64 - 1;
    number.exponent() >= unit
        && magnitude << (number.exponent() - unit) <= most
        && value["least"].as_i64().is_none_or(|least| leading >= least)
        && value["bits"]
            .as_u64()
            .is_none_or(|bits| magnitude.bits() <= bits)
        && (!number.is_negative() || value["negative"].as_bool().unwrap_or(true))
}

#[test]
fn mutated_certificates_are_refused_or_still_true() {
    let few = 400;
    let count = std::env::var("MMASMT_MUTATED")
        .ok()
        .and_then(|text| text.parse().ok());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut tried, mut accepted) = (0, 0);
    let claims = [
        (
            "rounds=rz",
            "fda:K=4,F=46,in=e4m3",
            "c exp -3..3, factors normal",
        ),
        (
            "exact-sums",
            "fda:K=4,F=24",
            "factors exp -2..2, factors bits 3, c exp 0..2, c bits 4",
        ),
        (
            "exact-sums",
            "ieee:K=2,in=bf16",
            "factors exp 0..1, factors bits 3, c = 0",
        ),
        ("exact", "int:K=4", "c from -1000..1000"),
        (
            "exact-sums",
            "gps:K=4,G=2",
            "factors exp 0..1, factors bits 3, c = 0",
        ),
    ];
    for (property, model, domain) in claims {
        let model = Model::parse(model).unwrap();
        let claim = Claim::new(property, &model, domain).unwrap();
        let text = certified(&claim).unwrap();
        let program = model.algorithm().steps().unwrap();
        let mut sampler = Sampler::new(program.signature, 2);
        let placed = (0..200).filter_map(|_| claim.domain.place(sampler.sample(), &mut rng).ok());
        let inputs: Vec<Inputs> = placed.collect();
        let whole: Value = serde_json::from_str(&text).unwrap();
        assert!(
            inputs
                .iter()
                .all(|inputs| refuted(&whole, &program, inputs).is_none()),
            "{claim}"
        );
        let mut all = Vec::new();
        places(&whole, "", &mut all);
        for _ in 0..count.unwrap_or(few) {
            let mut mutated = whole.clone();
            let at = &all[rng.random_range(0..all.len())];
            let value = mutated.pointer_mut(at).unwrap();
            let other = changed(value, &mut rng);
            let line = format!("{claim}: {at}: {value} becomes {other}");
            *value = other;
            tried += 1;
            if check(&mutated.to_string()).is_err() {
                continue;
            }
            accepted += 1;
            let found = inputs
                .iter()
                .find_map(|inputs| refuted(&mutated, &program, inputs));
            assert_eq!(found, None, "{line}");
        }
    }
    println!("{accepted} of {tried} mutated certificates are accepted");
    assert!(accepted < tried / 2);
}
