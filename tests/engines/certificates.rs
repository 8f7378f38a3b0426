//! Clauses of questions say what is asked, and proofs of them are accepted by who did not make them.

use crate::common::clauses;
use crate::common::setting::by_day;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Question, Simplification};
use mmasmt_questions::inputs::Sampler;
use mmasmt_questions::solver::proof::{Cnf, DimacsClauses};
use std::collections::HashMap;

/// The lines `c … bit … is variable …` of a CNF, as label, bit and variable.
fn variables(cnf: &str) -> Vec<(String, u32, i32)> {
    let lines = cnf.lines().filter_map(|line| line.strip_prefix("c "));
    let parsed = lines.filter_map(|line| {
        let (left, variable) = line.split_once(" is variable ")?;
        let (label, bit) = left.split_once(" bit ")?;
        Some((label.to_owned(), bit.parse().ok()?, variable.parse().ok()?))
    });
    parsed.collect()
}

fn text(cnf: &Cnf) -> String {
    let mut bytes = Vec::new();
    cnf.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Whether the clauses have a solution with these inputs, by the embedded solver.
fn holds(cnf: &str, inputs: &Inputs) -> bool {
    let clauses = DimacsClauses::read(cnf.as_bytes()).unwrap();
    let clauses = clauses.clauses.iter().map(Vec::as_slice);
    let mut clauses = clauses::Clauses::new(clauses);
    let mut registers: HashMap<String, u64> = HashMap::new();
    for (k, (a, b)) in inputs.a.iter().zip(&inputs.b).enumerate() {
        registers.insert(format!("a[{k}]"), *a);
        registers.insert(format!("b[{k}]"), *b);
    }
    registers.insert("c".into(), inputs.c);
    for (k, (a, b)) in inputs.a_scales.iter().zip(&inputs.b_scales).enumerate() {
        registers.insert(format!("sa[{k}]"), *a);
        registers.insert(format!("sb[{k}]"), *b);
    }
    let literals = variables(cnf).into_iter().map(|(label, bit, variable)| {
        let set = registers[&label] >> bit & 1 == 1;
        if set { variable } else { -variable }
    });
    clauses.hold_with(literals)
}

/// Clauses with inputs put in have a solution iff the inputs are a witness.
fn assert_means(question: &Question, is_witness: impl Fn(&Inputs) -> bool) {
    let signature = question.signature();
    for simplify in [Simplification::UnlessSettled, Simplification::Nothing] {
        let cnf = text(&question.cnf(simplify));
        let mut sampler = Sampler::new(signature, 3);
        let mut seen = [0; 2];
        for _ in 0..4000 {
            let inputs = sampler.sample();
            let expected = is_witness(&inputs);
            // All of few kinds would tell little.
            if seen[usize::from(expected)] < 8 {
                seen[usize::from(expected)] += 1;
                assert_eq!(
                    holds(&cnf, &inputs),
                    expected,
                    "{inputs:?} of {}",
                    question.about()
                );
            }
        }
        assert!(
            seen[0] > 0 && seen[1] > 0,
            "{seen:?} of {}",
            question.about()
        );
    }
}

fn claim(property: &str, model: &str, domain: &str) -> Claim {
    Claim::new(property, &Model::parse(model).unwrap(), domain).unwrap()
}

#[test]
fn clauses_hold_for_witnesses_only() {
    let cases = [
        ("monotone-c", "fda:in=e4m3,K=3,F=4", ""),
        (
            "faithful",
            "fda:in=e4m3,F=6,K=2",
            "finite, a[1] positive, b[0] bits 2",
        ),
        ("equal=:F=20", "gdfs:K=32", ""),
    ];
    for (property, model, domain) in by_day(cases, 2) {
        let claim = claim(property, model, domain);
        assert_means(&Question::refuting(&claim), |inputs| {
            claim.is_refuted_by(inputs)
        });
    }
    let models = ["fda:F=23", "fda:F=24"].map(|spec| Model::parse(spec).unwrap());
    let question = Question::difference(&models[0], &models[1], None).unwrap();
    assert_means(&question, |inputs| {
        inputs.is_finite(&models[0].signature())
            && models[0].evaluate_big(inputs).unwrap() != models[1].evaluate_big(inputs).unwrap()
    });
}

/// A question that construction settles has clauses that say all of it.
#[test]
fn what_is_settled_by_construction_has_its_clauses() {
    let settled = claim(
        "equal=:carry=full",
        "fda:in=e2m1,c=f16,out=f16,F=4,K=2,carry=4",
        "finite",
    );
    let question = Question::refuting(&settled);
    let cnf = question.cnf(Simplification::UnlessSettled);
    assert!(cnf.clauses() > 1000, "{}", cnf.clauses());
    let text = text(&cnf);
    assert!(text.starts_with("c mmasmt "), "{text:.200}");
    let of_c = variables(&text)
        .into_iter()
        .filter(|(label, ..)| label == "c");
    assert_eq!(of_c.count(), 16);
}
