//! Operands that are compared: exponents that a format has.

use mmasmt_core::machines::model::Model;
use mmasmt_explain::operands::of_exponents;
use mmasmt_numbers::float::Exponents;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::errors::compare::{OperandDraw, usual_exponents};
use mmasmt_questions::vectors::measure::Measure;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn operands(range: &str) -> OperandDraw {
    OperandDraw {
        exponents: Exponents::parse(range).unwrap(),
        measure: Measure::Ulp,
        samples: 1,
        seed: 0,
    }
}

#[test]
fn drawn_operands_are_in_the_domain_and_reach_its_ends() {
    for (text, range) in [
        ("fda:K=8,in=e4m3", "-6..8"),
        ("fda:K=8", "-14..15"),
        ("fda:K=8,a=e5m2,b=e4m3", "-2..0"),
        ("ieee:K=1,in=f32", "-15..14"),
    ] {
        let (model, operands) = (Model::parse(text).unwrap(), operands(range));
        let exponents = operands.exponents;
        let signature = model.signature();
        operands.fit(&signature).unwrap();
        let domain = Domain::parse(&operands.domain(), &signature).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut seen = (i32::MAX, i32::MIN);
        for _ in 0..1000 {
            let inputs = of_exponents(&signature, exponents, &mut rng);
            assert!(domain.contains(&inputs), "{text} {range}");
            let number = signature.a.number(inputs.a[0]).unwrap();
            let exponent = number.exponent as i32 + number.mantissa.ilog2() as i32;
            seen = (seen.0.min(exponent), seen.1.max(exponent));
        }
        let Exponents { lowest, highest } = exponents;
        assert_eq!(seen, (lowest, highest), "{text}");
    }
}

/// For every row of the tables without integers and block scales: operands of the usual
/// exponents can be drawn, and no result is infinite.
#[test]
fn usual_exponents_fit_and_nothing_overflows() {
    for row in mmasmt_core::machines::model::architectures()
        .unwrap()
        .iter()
        .flat_map(|of| {
            let name =
                |row: &mmasmt_core::machines::model::Row| format!("{}/{}", of.name, row.name);
            of.rows.iter().map(name).collect::<Vec<_>>()
        })
    {
        let model = Model::parse(&row).unwrap();
        let signature = model.signature();
        if signature.is_integer() || signature.scales.is_some() {
            continue;
        }
        let exponents = usual_exponents([signature]).unwrap();
        let operands = OperandDraw {
            exponents,
            ..operands("0..0")
        };
        operands.fit(&signature).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        for _ in 0..5 {
            let inputs = of_exponents(&signature, exponents, &mut rng);
            assert!(
                signature.d.is_finite(model.simulator().run(&inputs)),
                "{row}: {exponents}"
            );
        }
    }
}

#[test]
fn a_range_that_a_format_lacks_is_an_error() {
    let signature = Model::parse("fda:in=e4m3").unwrap().signature();
    for range in ["-7..0", "0..9", "-15..14"] {
        assert!(operands(range).fit(&signature).is_err(), "{range}");
    }
}
