//! `finite-results` on domains up to the exponents from which on results overflow, and beyond them.

use super::domain::{Clause, Domain, Predicate};
use super::draw::any;
use super::number::Held;
use super::sentence::{Judge, Sentence};
use crate::common::drawn::FAMILIES;
use crate::common::exact::{Datum, decode, greatest_code, register};
use crate::common::setting::{part_of, setting};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Basis, Ended, Options, prove};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::time::Duration;

/// The exponents of the normal numbers of a format.
fn exponents(format: &Format) -> [i64; 2] {
    let of = |code| match decode(format, register(format, false, code)) {
        Datum::Finite(x) => x.exponent,
        other => panic!("{format}: {other:?}"),
    };
    [of(1), of(greatest_code(format))]
}

/// The greatest number of a format whose exponent is at most `exponent`.
fn greatest(format: &Format, exponent: i64, negative: bool) -> u64 {
    let [_, highest] = exponents(format);
    let code = match exponent >= highest {
        true => greatest_code(format),
        false => {
            let all = (exponents(format)[0]..=exponent).count() as u64;
            (all << format.fraction_bits) + (1 << format.fraction_bits) - 1
        }
    };
    register(format, negative, code)
}

/// Factors up to one exponent, `c` up to another.
struct Up {
    factors: i64,
    c: i64,
}

impl Up {
    fn domain(&self, signature: &Signature) -> Domain {
        let Domain { mut clauses, .. } = Domain::finite();
        let rows = [
            ("a", signature.a, self.factors),
            ("b", signature.b, self.factors),
        ];
        for (row, format, highest) in rows.into_iter().chain([("c", signature.c, self.c)]) {
            let [lowest, own] = exponents(&format);
            clauses.push(Clause {
                row,
                range: None,
                predicate: Predicate::Exponent(lowest, highest.clamp(lowest, own)),
            });
        }
        Domain::of(clauses)
    }

    /// Inputs at the ends of the domain: the greatest numbers, of one sign or of drawn ones, and some
    /// that are a little less.
    fn ends(&self, rng: &mut ChaCha8Rng, signature: &Signature) -> Inputs {
        let are_alike = rng.random_ratio(1, 2);
        let sign = rng.random();
        let lower = [0, 0, 0, 1][rng.random_range(0..4)];
        let mut draw = |format: &Format, exponent: i64, sign: bool| {
            let lower = if lower > 0 { rng.random_range(0..2) } else { 0 };
            greatest(format, (exponent - lower).max(exponents(format)[0]), sign)
        };
        let mut inputs = Inputs::zero(signature);
        for k in 0..inputs.a.len() {
            let negative = if are_alike { sign } else { k % 2 == 0 };
            inputs.a[k] = draw(&signature.a, self.factors, negative);
            inputs.b[k] = draw(&signature.b, self.factors, false);
        }
        inputs.c = draw(&signature.c, self.c, sign);
        inputs
    }
}

/// Claims about drawn models, each up to exponents near those from which on its sums overflow.
fn judge(claims: u64, seed: u64) -> BTreeMap<&'static str, u64> {
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..claims {
        let mut rng = ChaCha8Rng::seed_from_u64(seed + number);
        let model = loop {
            let spec = any(&mut rng, &FAMILIES).1(&mut rng).spec();
            let model = Model::parse(&spec);
            if let Ok(model) = model
                && model.signature().scales.is_none()
                && !model.signature().is_integer()
            {
                break model;
            }
        };
        let signature = model.signature();
        let [_, highest] = exponents(&signature.d);
        let room = i64::from(signature.products.ilog2());
        let up = Up {
            factors: (highest - room) / 2 - 1 + rng.random_range(-2..=2),
            c: highest + rng.random_range(-3..=0),
        };
        let domain = up.domain(&signature);
        let claim = Claim::new("finite-results", &model, &domain.to_string()).unwrap();
        let options = Options::default().seed(number).turns(1).minimise(None);
        let limits = Limits::default().within(Duration::from_millis(400));
        let answer = prove(&claim, &options, &limits).unwrap();
        let judge = Judge::new(&model, &domain);
        let sentence = Sentence::FiniteResults;
        let outcome = match answer.ended {
            Ended::Enough => {
                let inputs = &answer.witnesses[0].inputs;
                assert!(domain.contains(&signature, inputs), "{claim}");
                assert!(judge.is_violated(&sentence, inputs), "{claim}");
                "refuted"
            }
            Ended::NoMore { by } => {
                for _ in 0..200 {
                    let inputs = up.ends(&mut rng, &signature);
                    assert!(domain.contains(&signature, &inputs), "{claim}");
                    let line = || inputs.to_line(&signature);
                    assert!(
                        !judge.is_violated(&sentence, &inputs),
                        "{claim}: {}",
                        line()
                    );
                }
                match by {
                    Basis::Limits => "limits",
                    _ => "proved",
                }
            }
            Ended::Vacuous => panic!("{claim}: vacuous"),
            Ended::Unknown(_) => "unknown",
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{outcomes:?}");
    outcomes
}

fn assert_judged(claims: u64, seed: u64) {
    let outcomes = judge(claims, seed);
    for (outcome, least) in [("limits", 5), ("refuted", 20)] {
        let count = outcomes.get(outcome).copied().unwrap_or(0);
        assert!(count * least > claims, "{outcomes:?}");
    }
}

#[test]
fn some_results_are_finite_as_far_as_it_is_said() {
    assert_judged(30, 1);
}

/// `OVERFLOWS` and `OVERFLOWS_SEED` say how many, and from which seed on.
#[test]
#[ignore = "minutes"]
fn results_are_finite_as_far_as_it_is_said() {
    let claims = setting("OVERFLOWS", part_of(4000) as u64);
    assert_judged(claims, setting("OVERFLOWS_SEED", 1000));
}

/// The greatest exponent of the factors for which sums of f16 are finite, from the definition.
#[test]
fn sums_in_f16_are_finite_up_to_one_exponent() {
    let model = Model::parse("H100/HMMA.16816.F16").unwrap();
    // 16 products below 2^12 are below 2^16, and their least sum beyond it is that of 16 times 2^12.
    for (exponent, holds) in [(5, true), (6, false)] {
        let domain = format!("factors exp -14..{exponent}, c = 0");
        let claim = Claim::new("finite-results", &model, &domain).unwrap();
        let limits = Limits::default().within(Duration::from_secs(100));
        let ended = prove(&claim, &Options::default(), &limits).unwrap().ended;
        let is_proved = matches!(ended, Ended::NoMore { by: Basis::Limits });
        assert_eq!(is_proved, holds, "{claim}: {ended:?}");
        assert_eq!(ended == Ended::Enough, !holds, "{claim}: {ended:?}");
    }
    let signature = model.signature();
    let greatest = greatest(&signature.a, 5, false);
    let mut inputs = Inputs::zero(&signature);
    inputs.a.fill(greatest);
    inputs.b.fill(greatest);
    let result = super::number::held(&signature.d, model.simulator().run(&inputs));
    assert!(matches!(result, Held::Number { .. }), "{result:?}");
}

/// A promoted sum may begin at any `c`, as long as a partial sum is below half of the last place of the greatest number: 16 in
/// f16. All factors are tried beside the greatest `c`.
#[test]
fn promoted_sums_are_finite_as_far_as_partial_sums_are_small() {
    let small = "factors exp 0..1";
    for (every, rounding, domain, holds) in [
        (1, "rne", small, true),
        (2, "rne", small, false),
        (1, "rne", "finite", false),
        (3, "rz", small, true),
        (4, "rz", small, false),
        (1, "ru", small, false),
    ] {
        let model = format!(
            "promote(fda:K=1,in=e2m1,c=f16,out=f16,F=20, every={every}):K=4,round={rounding}"
        );
        let model = Model::parse(&model).unwrap();
        let claim = Claim::new("finite-results", &model, &format!("all finite, {domain}")).unwrap();
        let limits = Limits::default().within(Duration::from_secs(20));
        let ended = prove(&claim, &Options::default(), &limits).unwrap().ended;
        let is_proved = matches!(ended, Ended::NoMore { by: Basis::Limits });
        assert_eq!(is_proved, holds, "{claim}: {ended:?}");
        let mut simulator = model.simulator();
        let mut overflows = false;
        for number in (0..1u64 << 16).step_by(7) {
            let factor = |index: u64| number >> (4 * index) & 15;
            for c in [0x7bff, 0xfbff, 0x7bfe] {
                let row = |index| {
                    vec![
                        factor(index),
                        factor(index + 1),
                        factor(index),
                        factor(index + 1),
                    ]
                };
                let inputs = Inputs::new(row(0), row(2), c);
                if claim.domain.contains(&inputs) {
                    let result = super::number::held(&model.signature().d, simulator.run(&inputs));
                    overflows |= !matches!(result, Held::Number { .. });
                }
            }
        }
        // Rounded toward zero, nothing overflows: what is not proved there is only not known.
        assert_eq!(overflows, !holds && rounding != "rz", "{claim}");
        assert!(ended != Ended::Enough || overflows, "{claim}");
    }
}
