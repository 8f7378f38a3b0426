//! Clauses and proofs: what is written says what is meant, and what is no proof is not taken for
//! one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

use mmasmt::bits::Bv;
use mmasmt::bits::blast::{Blasted, Netlist};
use mmasmt::engine::{EngineError, Limits, Prover, Verdict};
use mmasmt::model::Model;
use mmasmt::proof::{Checked, Clauses, Cnf, Rejected, Steps, check, encode};
use mmasmt::property::Claim;
use mmasmt::query::{Goal, Simplify};
use mmasmt::vectors::{Inputs, Sampler};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Two bits that are equal and are not: no solution, and the lemma that one of them is set.
const CNF: &str = "c a comment\np cnf 3 5\n1 2 0\n1 -2 0\n-1 3 0\n-1 -3 2 0\n-3 -2 0\n";
const PROOF: &str = "1 0\nd 1 2 0\n2 0\n0\n";

fn verdict(cnf: &str, proof: &str) -> Result<Checked, String> {
    let formula = Clauses::read(cnf.as_bytes()).map_err(|error| error.to_string())?;
    let steps = Steps::read(proof.as_bytes(), formula.variables);
    check(&formula, steps).map_err(|rejected: Rejected| rejected.to_string())
}

fn assert_rejected(cnf: &str, proof: &str, why: &str) {
    let found = verdict(cnf, proof).expect_err("a rejection");
    assert!(found.contains(why), "{found}");
}

#[test]
fn a_proof_is_accepted() {
    let checked = verdict(CNF, PROOF).unwrap();
    assert_eq!((checked.lemmas, checked.deletions), (3, 1));
}

#[test]
fn lemmas_that_do_not_follow_are_rejected() {
    assert_rejected(CNF, "-2 3 0\n0\n", "line 1: `-2 3` does not follow");
    assert_rejected("p cnf 2 2\n1 2 0\n-1 -2 0\n", "0\n", "line 1: ``");
    // It keeps satisfiability, but does not follow.
    assert_rejected("p cnf 2 1\n1 2 0\n", "-1 0\n", "does not follow");
}

#[test]
fn what_is_deleted_is_no_longer_there() {
    let cnf = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n";
    assert!(verdict(cnf, "1 0\n0\n").is_ok());
    assert_rejected(cnf, "d 1 2 0\n1 0\n0\n", "line 2: `1` does not follow");
    assert_rejected(cnf, "d 1 2 0\nd 1 2 0\n", "line 2: it deletes `1 2`");
    // The other copy is still there.
    let twice = "p cnf 2 5\n1 2 0\n2 1 0\n1 -2 0\n-1 2 0\n-1 -2 0\n";
    assert!(verdict(twice, "d 1 2 0\n1 0\n0\n").is_ok());
}

#[test]
fn a_proof_that_does_not_end_is_none() {
    for proof in ["", "1 0\n", "1 0\n2 0\n"] {
        assert_rejected(CNF, proof, "before it has derived the empty clause");
    }
    // Contradictory from the start, but nobody says so.
    assert_rejected("p cnf 1 2\n1 0\n-1 0\n", "", "empty clause");
    assert!(verdict("p cnf 1 2\n1 0\n-1 0\n", "0\n").is_ok());
}

#[test]
fn files_that_are_cut_short_or_garbled_are_not_read() {
    assert_rejected(CNF, "1 0\n2", "line 2: expected literals of known variables");
    assert_rejected(CNF, "1 0\n2 x 0\n", "line 2");
    assert_rejected(CNF, "1 0\n4 0\n", "line 2");
    assert_rejected(CNF, "1 0 2 0\n", "line 1");
    let short = CNF.rsplit_once("-3").unwrap().0;
    assert_rejected(short, PROOF, "expected 5 clauses, as the first line says, found 4");
    assert_rejected("1 0\n", PROOF, "line 1: expected `p cnf VARIABLES CLAUSES`");
    assert_rejected("p cnf 1\n", PROOF, "line 1");
    assert_rejected("", PROOF, "line 1");
    assert_rejected("p cnf 1 1\n1\n", PROOF, "line 2");
}

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
    let clauses = Clauses::read(cnf.as_bytes()).unwrap();
    let mut solver: cadical::Solver = cadical::Solver::new();
    clauses.clauses.iter().for_each(|clause| solver.add_clause(clause.iter().copied()));
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
    solver.solve_with(literals).unwrap()
}

/// Clauses with inputs put in have a solution iff the inputs are a witness.
fn assert_means(goal: &Goal<'_>, is_witness: impl Fn(&Inputs) -> bool) {
    let signature = goal.signature();
    for simplify in [Simplify::UnlessSettled, Simplify::Nothing] {
        let cnf = text(&goal.cnf(simplify));
        let mut sampler = Sampler::new(signature, 3);
        let mut seen = [0; 2];
        for _ in 0..400 {
            let inputs = sampler.sample();
            let expected = is_witness(&inputs);
            // All of few kinds would tell little.
            if seen[usize::from(expected)] < 8 {
                seen[usize::from(expected)] += 1;
                assert_eq!(holds(&cnf, &inputs), expected, "{inputs:?} of {}", goal.about());
            }
        }
        assert!(seen[0] > 0 && seen[1] > 0, "{seen:?} of {}", goal.about());
    }
}

fn claim(property: &str, model: &str, domain: &str) -> Claim {
    Claim::new(property, &Model::parse(model).unwrap(), domain).unwrap()
}

#[test]
fn clauses_hold_for_witnesses_only() {
    let cases = [
        ("monotone-c", "fda:in=e4m3,K=3", ""),
        ("faithful", "fda:in=e4m3,F=6,K=2", "finite, a[1] positive, b[0] bits 2"),
        ("sign-symmetric", "gfdrda:K=4,in=bf16", "c exp -3..5"),
        ("equal=:F=20", "gdfs:K=16,in=e2m1", ""),
    ];
    for (property, model, domain) in cases {
        let claim = claim(property, model, domain);
        assert_means(&Goal::Violation(&claim), |inputs| claim.is_refuted_by(inputs));
    }
    let models = ["fda:F=23", "fda:F=24"].map(|spec| Model::parse(spec).unwrap());
    let goal = Goal::Difference {
        models: [&models[0], &models[1]],
        specials: false,
    };
    assert_means(&goal, |inputs| {
        inputs.is_finite(&models[0].signature())
            && models[0].evaluate_big(inputs) != models[1].evaluate_big(inputs)
    });
}

/// Gates that are evaluated satisfy their clauses, and no other values do.
#[test]
fn gates_are_their_clauses() {
    let (netlist, root) = Netlist::of(|| {
        let [a, b] = [0, 1].map(|index| Blasted::input(index, 4));
        let sum = a.mul(&b).add(&a.shl(&b));
        sum.ult(&a).xor(&b.sub(&a).slt(&sum))
    });
    let mut cnf = Cnf::default();
    let variables = encode(&netlist, root, &mut cnf);
    // The last clause demands the root.
    let definitions: Vec<Vec<i32>> = cnf.iter().map(<[i32]>::to_vec).collect();
    let (demand, definitions) = definitions.split_last().unwrap();
    assert_eq!(demand[..], [variables.literal(root)]);
    for inputs in 0..256 {
        let values = netlist.values(|input, bit| inputs >> (4 * input + bit) & 1 == 1);
        let mut solver: cadical::Solver = cadical::Solver::new();
        definitions.iter().for_each(|clause| solver.add_clause(clause.iter().copied()));
        let mut assumed = Vec::new();
        for (index, gate) in netlist.gates().iter().enumerate() {
            let literal = variables.variable(index);
            if literal != 0 && gate.operands().count() == 0 {
                assumed.push(if values[index] { literal } else { -literal });
            }
        }
        assert_eq!(solver.solve_with(assumed.iter().copied()), Some(true));
        for (index, value) in values.iter().enumerate() {
            let literal = variables.variable(index);
            if literal != 0 {
                assert_eq!(solver.value(literal), Some(*value), "gate {index}");
                let flipped = if *value { -literal } else { literal };
                let all = assumed.iter().copied().chain([flipped]);
                assert_eq!(solver.solve_with(all), Some(false), "gate {index}");
                assert_eq!(solver.solve_with(assumed.iter().copied()), Some(true));
            }
        }
    }
}

/// A question that construction settles has clauses that say all of it.
#[test]
fn what_is_settled_by_construction_has_its_clauses() {
    let settled = claim("equal=:carry=full", "fda:in=e2m1,c=f16,out=f16,F=4,K=2,carry=4", "finite");
    let goal = Goal::Violation(&settled);
    let cnf = goal.cnf(Simplify::UnlessSettled);
    assert!(cnf.clauses() > 1000, "{}", cnf.clauses());
    let text = text(&cnf);
    assert!(text.starts_with("c mmasmt "), "{text:.200}");
    let of_c = variables(&text).into_iter().filter(|(label, ..)| label == "c");
    assert_eq!(of_c.count(), 16);
}
