//! Proofs over plain clauses that two models are equal: the checker accepts them, whatever the answer
//! itself rests on.

use crate::common::clauses::Clauses;
use crate::common::setting::by_day;
use crate::common::text::Text;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::certificates::{Certificate, certify};
use mmasmt_questions::claims::query::Question;
use mmasmt_questions::solver::proof::{
    CheckedProof, DimacsClauses, ProofRejection, ProofSteps, check,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// Without the clause that demands that the models differ, clauses have a solution for any values of the inputs: those that
/// stand beside the question define gates and demand nothing.
fn is_of_definitions(cnf: &str, clauses: &DimacsClauses) {
    let comments = || cnf.lines().filter_map(|line| line.strip_prefix("c "));
    let numbers = |text: &str| text.split(' ').find_map(|word| word.parse::<usize>().ok());
    let count = comments().find(|line| line.contains("clauses are the question"));
    let demand = numbers(count.unwrap()).unwrap() - 1;
    assert_eq!(clauses.clauses[demand].len(), 1);
    let inputs = comments().filter_map(|line| line.split_once(" is variable "));
    let inputs: Vec<i32> = inputs
        .map(|(_, variable)| variable.parse().unwrap())
        .collect();
    let others = clauses.clauses.iter().enumerate();
    let others = others.filter(|(index, _)| *index != demand);
    let mut others = Clauses::new(others.map(|(_, clause)| &clause[..]));
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..20 {
        let values = inputs.iter().map(|&variable| match rng.random() {
            true => variable,
            false => -variable,
        });
        assert!(others.hold_with(values.collect::<Vec<_>>()));
    }
}

/// What became of a proof that two models are equal, and what the checker says of it.
fn certified(
    left: &str,
    right: &str,
    seconds: u64,
) -> (Certificate, Result<CheckedProof, ProofRejection>) {
    let models = [left, right].map(|text| Model::parse(text).unwrap());
    let question = Question::difference(&models[0], &models[1], None).unwrap();
    let limits = Limits::default().within(Duration::from_secs(seconds));
    let proof = Text::default();
    let certificate = certify(&question, 0, &limits, proof.clone()).unwrap();
    let mut cnf = Vec::new();
    certificate.cnf.write(&mut cnf).unwrap();
    let clauses = DimacsClauses::read(&cnf[..]).unwrap();
    is_of_definitions(std::str::from_utf8(&cnf).unwrap(), &clauses);
    let proof = proof.0.take();
    let checked = check(&clauses, ProofSteps::read(&proof[..], clauses.variables));
    (certificate, checked)
}

fn is_certified(base: &str, change: &str) {
    let (certificate, checked) = certified(base, &format!("{base},{change}"), 600);
    let Certificate {
        lemmas, missing, ..
    } = certificate;
    assert_eq!(missing, [""; 0], "{base} and {change}");
    assert_eq!(checked.unwrap().lemmas, lemmas.unwrap());
}

#[test]
fn sums_that_are_aligned_apart_have_a_proof() {
    is_certified("fda:K=2,F=12,in=e4m3,out=f16", "emin=-12");
}

#[test]
#[ignore = "a minute"]
fn sums_of_wider_registers_have_a_proof() {
    is_certified("fda:K=2,F=24,in=e5m2,out=f16", "emin=-25");
    is_certified("fda:K=2,F=13,in=e4m3,out=f16", "csub=f32");
    is_certified("fda:K=2,F=25", "emin=-125");
}

#[test]
fn chains_and_rounded_stages_have_a_proof() {
    is_certified("fda:K=1,F=12,in=e2m1,out=f16,chain=2", "nan=quiet");
    is_certified("fda:K=2,F=8,in=e4m3,out=f16,chain=2", "nan=quiet");
}

/// Steps are right also where the proof is not found, or there is none.
#[test]
fn every_step_follows() {
    let bases = [
        "fda:K=2,F=5,in=e2m1,out=f16",
        "fda:K=1,F=4,in=e4m3,out=f16",
        "fda:K=1,F=6,in=e2m3,out=f16,chain=2",
    ];
    let changes = [
        "emin=-4",
        "emin=0",
        "zero=min",
        "zero=raw",
        "round=rne",
        "carry=3",
        "csub=f32",
    ];
    let mut found = [0; 3];
    for (at, base) in bases.into_iter().enumerate() {
        // Another third of the changes for each.
        for change in by_day(changes.into_iter().skip(at), 3) {
            let (certificate, checked) = certified(base, &format!("{base},{change}"), 1);
            let kind = match (certificate.lemmas, checked) {
                (Ok(lemmas), Ok(checked)) => {
                    assert_eq!(checked.lemmas, lemmas);
                    0
                }
                (Err(_), Err(ProofRejection::Unfinished)) => 1,
                (lemmas, checked) => panic!("{base} and {change}: {lemmas:?}, {checked:?}"),
            };
            found[kind] += 1;
        }
    }
    println!("{found:?}");
    assert!(found[0] > 0 && found[1] > 0, "{found:?}");
}

/// All that `tests/queries/stagewise.rs` says are equal: in this order, those whose number is in
/// `MMASMT_CERTIFIED` (`3,5`), or all.
#[test]
#[ignore = "an hour: some minutes each"]
fn what_is_equal_by_facts_has_a_proof() {
    let equal = [
        ("fda:F=24,K=16,out=f16", "zero=min"),
        ("fda:F=25,K=16", "emin=-125"),
        ("fda:F=25,K=16", "emin=-124"),
        ("fda:F=24,out=f16", "emin=-24"),
        ("fda:K=16,F=13,in=e5m2,out=f16", "emin=-26"),
        ("fda:K=16,F=13,in=e4m3,out=f16", "csub=f32"),
        ("fda:K=32,F=25,in=e5m2,out=f16", "emin=-27"),
        ("fda:F=25,K=16,chain=2", "nan=quiet"),
        ("sfma:K=2,fmt=f32", "nan=ones"),
        ("gps:K=4,G=2,in=bf16", "nan=ones"),
        ("gps:G=4", "products=fma"),
        ("gps:K=8,G=4", "products=fma"),
        ("gps:G=2,in=bf16", "products=fma"),
        ("fda:K=2,F=25,in=e2m1,scale=ue8m0,block=2", "emin=-130"),
        ("hmma8:F=25,in=e4m3", "emin=-125"),
        ("hmma8:F=25,in=e4m3", "zero=min"),
        ("hmma8:F=25,in=e4m3", "emin=-18"),
        ("hmma8:K=4,F=25,in=e4m3", "emin=-17"),
        ("fda:K=16,F=25,out=f16", "emin=-23"),
        ("hmma8:K=4,F=25,in=e4m3", "emin=7"),
        ("hmma8:K=4,F=25,in=e4m3", "zero=raw"),
        ("fda:K=32,F=25,in=e2m1,scale=ue8m0", "emin=-136"),
    ];
    let chosen = std::env::var("MMASMT_CERTIFIED").ok();
    let chosen: Option<Vec<usize>> =
        chosen.map(|list| list.split(',').map(|n| n.parse().unwrap()).collect());
    let mut without = Vec::new();
    for (number, (base, change)) in (1..).zip(equal) {
        if chosen
            .as_ref()
            .is_some_and(|chosen| !chosen.contains(&number))
        {
            continue;
        }
        let start = Instant::now();
        let (certificate, checked) = certified(base, &format!("{base},{change}"), 600);
        let (lemmas, missing) = (certificate.lemmas, certificate.missing);
        println!(
            "{number} {base} with {change}: {lemmas:?} over {} clauses, {checked:?}, {:.0?} {missing:?}",
            certificate.cnf.clauses(),
            start.elapsed(),
        );
        if checked.is_err() {
            without.push(number);
        }
    }
    assert!(without.is_empty(), "without a proof: {without:?}");
}
