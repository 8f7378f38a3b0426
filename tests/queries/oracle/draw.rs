//! Claims at random: a model, a domain, and a property with its parameter.

use super::domain::{self, Domain};
use super::equal;
use super::number::value;
use super::sentence::{MOST_ORDERED, Sentence, Unit};
use crate::common::drawn::FAMILIES;
use crate::common::exact::bias;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, Rounding};
use mmasmt_questions::claims::property::Claim;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// A claim, and what the oracle makes of it.
pub struct Drawn {
    pub claim: Claim,
    pub sentence: Sentence,
    pub domain: Domain,
}

/// Of each property one as likely as any other.
pub const PROPERTIES: [&str; 27] = [
    "equal",
    "same-as",
    "no-worse-than",
    "no-worse-than-f64",
    "better-than",
    "better-than-f64",
    "recovers",
    "exact-products",
    "exact-sums",
    "finite-results",
    "rounds",
    "faithful",
    "error",
    "accumulates-in",
    "aligns",
    "rounds-partial-sums",
    "carry-bits",
    "subnormal-inputs",
    "subnormal-results",
    "order-independent",
    "factor-independent",
    "monotone-c",
    "monotone-products",
    "sign-symmetric",
    "no-negative-zero",
    "canonical-nan",
    "zero-padding",
];

pub const MODES: [(&str, Rounding); 5] = [
    ("rz", Rounding::Rz),
    ("rne", Rounding::Rne),
    ("rd", Rounding::Rd),
    ("ru", Rounding::Ru),
    ("ra", Rounding::Ra),
];

pub const SMALL: [Format; 7] = [
    Format::E2M1,
    Format::E2M3,
    Format::E3M2,
    Format::E4M3,
    Format::E5M2,
    Format::E4M3FNUZ,
    Format::E5M2FNUZ,
];

pub fn any<T: Clone>(rng: &mut ChaCha8Rng, values: &[T]) -> T {
    values.choose(rng).unwrap().clone()
}

/// Mostly a small format.
fn format(rng: &mut ChaCha8Rng) -> Format {
    match rng.random_ratio(3, 4) {
        true => any(rng, &SMALL),
        false => any(rng, &Format::ALL),
    }
}

/// A model of few products, mostly of small formats, or one of those that others are drawn of.
pub fn model(rng: &mut ChaCha8Rng) -> Model {
    loop {
        let spec = match rng.random_range(0..8) {
            0..3 => exact(rng),
            3..6 => fda(rng),
            _ => any(rng, &FAMILIES).1(rng).spec(),
        };
        if let Ok(model) = Model::parse(&spec)
            && model.signature().products <= 8
        {
            return model;
        }
    }
}

/// A model with block scales: products scaled one by one, or groups of 16.
pub fn scaled(rng: &mut ChaCha8Rng) -> Model {
    let factors = any(rng, &["e2m1", "e3m2", "e4m3"]);
    // Many keep all that exponents near each other need.
    let bits = match rng.random() {
        true => 64,
        false => rng.random_range(1..=40),
    };
    let spec = match rng.random_ratio(1, 3) {
        true => {
            let (scale, factors) = any(rng, &[("ue4m3", "e2m1"), ("ue8m0", "e2m3")]);
            format!("gdfs:K=16,F={bits},in={factors},scale={scale},block=16")
        }
        false => {
            let (products, block) = any(rng, &[(1, 1), (2, 1), (2, 2), (4, 2)]);
            let (mode, _) = any(rng, &MODES);
            format!("fda:K={products},F={bits},in={factors},scale=ue8m0,block={block},round={mode}")
        }
    };
    Model::parse(&spec).unwrap()
}

fn exact(rng: &mut ChaCha8Rng) -> String {
    let [a, b, c, out] = [(); 4].map(|()| format(rng));
    let (mode, _) = any(rng, &MODES);
    let products = any(rng, &[1, 1, 1, 2, 3]);
    format!("exact:K={products},a={a},b={b},c={c},out={out},round={mode}")
}

fn fda(rng: &mut ChaCha8Rng) -> String {
    let [a, b, c] = [(); 3].map(|()| format(rng));
    let out = any(rng, &["e5m2", "f16", "bf16", "f32", "f32"]);
    let (mode, _) = any(rng, &MODES);
    let (products, bits) = (any(rng, &[1, 1, 2, 2, 3, 4]), rng.random_range(1..=26));
    let mut spec = format!("fda:K={products},F={bits},a={a},b={b},c={c},out={out},round={mode}");
    for (key, values) in [
        ("products", &["exact", "normalised"][..]),
        ("align", &["trunc", "floor"]),
        ("zero", &["skip", "raw", "min"]),
        ("carry", &["full", "0", "1", "2"]),
        ("negzero", &["plus", "minus"]),
        ("nan", &["ones", "quiet", "any"]),
        ("csub", &["own", "f32"]),
        ("chain", &["1", "2"]),
    ] {
        if rng.random_ratio(1, 4) {
            spec += &format!(",{key}={}", any(rng, values));
        }
    }
    spec
}

/// Properties of models with block scales, where the exact sum is one of scaled products.
pub const OF_SCALED: [&str; 13] = [
    "exact-products",
    "exact-sums",
    "finite-results",
    "rounds",
    "faithful",
    "error",
    "no-worse-than",
    "no-worse-than-f64",
    "better-than",
    "recovers",
    "accumulates-in",
    "subnormal-inputs",
    "subnormal-results",
];

/// A claim about a model of its own.
pub fn claim(rng: &mut ChaCha8Rng) -> Drawn {
    let property = any(rng, &PROPERTIES);
    claim_of(rng, property, model, domain::draw)
}

/// A claim about a model where some operands equal others.
pub fn claim_of_equal(rng: &mut ChaCha8Rng) -> Drawn {
    let property = any(rng, &PROPERTIES);
    let draw = |rng: &mut ChaCha8Rng, signature: &Signature| {
        let clauses = domain::draw(rng, signature).clauses;
        let equalities = equal::draw(rng, signature);
        Domain {
            clauses,
            equalities,
        }
    };
    claim_of(rng, property, model, draw)
}

/// A claim about a model with a rounding that no GPU is known to have: to nearest with other ties, or stochastic.
pub fn claim_of_other_roundings(rng: &mut ChaCha8Rng) -> Drawn {
    let property = any(rng, &PROPERTIES);
    let model = |rng: &mut ChaCha8Rng| {
        let spec = match rng.random() {
            true => exact(rng),
            false => fda(rng),
        };
        let (bits, random) = (rng.random_range(1..=8), rng.random::<u64>());
        let stochastic = format!("sr{bits}+{}", random % (1 << bits));
        let other = any(
            rng,
            &["rna", "rnz", "rnu", "rnd", "rno", &stochastic, &stochastic],
        );
        Some(
            Model::parse(&spec)
                .ok()?
                .with(&format!("round={other}"))
                .unwrap(),
        )
    };
    let model = |rng: &mut ChaCha8Rng| {
        std::iter::repeat_with(|| model(rng))
            .flatten()
            .next()
            .unwrap()
    };
    claim_of(rng, property, model, domain::draw)
}

/// A claim about a model with block scales.
pub fn claim_of_scaled(rng: &mut ChaCha8Rng) -> Drawn {
    let property = any(rng, &OF_SCALED);
    claim_of(rng, property, scaled, domain::draw)
}

fn claim_of(
    rng: &mut ChaCha8Rng,
    property: &str,
    model: impl Fn(&mut ChaCha8Rng) -> Model,
    domain: impl Fn(&mut ChaCha8Rng, &Signature) -> Domain,
) -> Drawn {
    loop {
        let model = model(rng);
        let domain = domain(rng, &model.signature());
        let Some((text, sentence)) = sentence(rng, property, &model) else {
            continue;
        };
        // What a property says nothing of is refused.
        let Ok(claim) = Claim::new(&text, &model, &domain.to_string()) else {
            continue;
        };
        return Drawn {
            claim,
            sentence,
            domain,
        };
    }
}

pub fn sentence(rng: &mut ChaCha8Rng, property: &str, model: &Model) -> Option<(String, Sentence)> {
    let (mode, rounding) = any(rng, &MODES);
    let signature = model.signature();
    let plain = |sentence| Some((property.to_owned(), sentence));
    let with_mode = |sentence| Some((format!("{property}={mode}"), sentence));
    match property {
        "no-worse-than" | "no-worse-than-f64" | "better-than" | "better-than-f64" => {
            let change = any(
                rng,
                &["round=rz", "round=rne", "F=8", "F=24", "align=floor"],
            );
            let other = model.with(change).ok()?;
            let mut models = [model.clone(), other];
            if property.starts_with("better") {
                models.reverse();
            }
            let sentence = Sentence::Farther(Box::new(models), property.ends_with("f64"));
            Some((format!("{property}=:{change}"), sentence))
        }
        "recovers" => {
            let format = any(rng, &Format::ALL);
            let text = format!("{property}={format}");
            Some((text, Sentence::Recovers(format)))
        }
        "equal" | "same-as" => {
            let changes = [
                "round=rz",
                "round=rne",
                "F=8",
                "F=24",
                "align=floor",
                "zero=raw",
                "zero=skip",
                "products=normalised",
                "negzero=minus",
                "nan=quiet",
                "carry=full",
                "csub=f32",
            ];
            let change = any(rng, &changes);
            let other = model.with(change).ok()?;
            Some((format!("{property}=:{change}"), Sentence::Equal(other)))
        }
        "exact-products" => plain(Sentence::ExactProducts),
        "exact-sums" => plain(Sentence::ExactSums),
        "finite-results" => plain(Sentence::FiniteResults),
        "rounds" => with_mode(Sentence::Rounds(rounding)),
        "faithful" => plain(Sentence::Faithful),
        "error" => error(rng, &signature.d),
        "accumulates-in" => {
            let format = any(rng, &Format::ALL);
            let text = format!("{property}={format}");
            Some((text, Sentence::AccumulatesIn(format)))
        }
        "aligns" => with_mode(Sentence::Aligns(rounding)),
        "rounds-partial-sums" => with_mode(Sentence::RoundsPartialSums(rounding)),
        "carry-bits" => {
            let bits = rng.random_range(0..=5);
            let models = [format!("carry={bits}"), "carry=full".into()];
            let models = models.map(|change| model.with(&change).ok());
            let [Some(few), Some(all)] = models else {
                return None;
            };
            Some((
                format!("{property}={bits}"),
                Sentence::CarryBits(Box::new([few, all])),
            ))
        }
        "subnormal-inputs" => plain(Sentence::SubnormalInputs),
        "subnormal-results" => plain(Sentence::SubnormalResults),
        "order-independent" if signature.products as usize > MOST_ORDERED => None,
        "order-independent" => plain(Sentence::OrderIndependent),
        "factor-independent" => plain(Sentence::FactorIndependent),
        "monotone-c" => plain(Sentence::MonotoneC),
        "monotone-products" => plain(Sentence::MonotoneProducts),
        "sign-symmetric" => plain(Sentence::SignSymmetric),
        "no-negative-zero" => plain(Sentence::NoNegativeZero),
        "canonical-nan" => plain(Sentence::CanonicalNan),
        "zero-padding" => {
            let count = rng.random_range(1..=4);
            let shorter = model.with(&format!("K={count},chain=1")).ok()?;
            Some((
                format!("{property}={count}"),
                Sentence::ZeroPadding(shorter),
            ))
        }
        _ => panic!("{property}"),
    }
}

/// A bound near those that units meet.
fn error(rng: &mut ChaCha8Rng, d: &Format) -> Option<(String, Sentence)> {
    let (unit, suffix) = any(
        rng,
        &[
            (Unit::Ulp, "ulp"),
            (Unit::Max, "max"),
            (Unit::One, ""),
            (Unit::Sum, "rel"),
            (Unit::Magnitudes, "sum"),
        ],
    );
    let exponent = match unit {
        Unit::Ulp => rng.random_range(-3..=3),
        Unit::Max | Unit::Sum | Unit::Magnitudes => rng.random_range(-26..=4),
        Unit::One => rng.random_range(-bias(d) - 12..=6),
    };
    let bound = format!("0x1.{}p{exponent:+}", any(rng, &["0", "8", "1"]));
    let register = mmasmt_numbers::float::parse_value(&Format::F64, &bound).ok()?;
    let number = value(&Format::F64, register)?;
    Some((
        format!("error={bound}{suffix}"),
        Sentence::Error(number, unit),
    ))
}
