//! The checker of proofs: what is a proof is accepted, and what is none is not, however it was
//! corrupted.

use crate::common::clauses;
use crate::common::text::Text;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::blast::{Netlist, SignalBits};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_questions::solver::engine::{CadicalVerdict, refute};
use mmasmt_questions::solver::proof::{
    CheckedProof, Cnf, DimacsClauses, ProofRejection, ProofSteps, check, encode,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Two bits that are equal and are not: no solution, and the lemma that one of them is set.
const CNF: &str = "c a comment\np cnf 3 5\n1 2 0\n1 -2 0\n-1 3 0\n-1 -3 2 0\n-3 -2 0\n";
const PROOF: &str = "1 0\nd 1 2 0\n2 0\n0\n";

fn verdict(cnf: &str, proof: &str) -> Result<CheckedProof, String> {
    let formula = DimacsClauses::read(cnf.as_bytes()).map_err(|error| error.to_string())?;
    let steps = ProofSteps::read(proof.as_bytes(), formula.variables);
    check(&formula, steps).map_err(|rejected: ProofRejection| rejected.to_string())
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
    let satisfiable = "p cnf 2 2\n1 2 0\n1 -2 0\n";
    assert_rejected(satisfiable, "1 0\n2 0\n0\n", "line 2: `2` does not follow");
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
    assert_rejected(
        CNF,
        "1 0\n2",
        "line 2: expected literals of known variables",
    );
    assert_rejected(CNF, "1 0\n2 x 0\n", "line 2");
    assert_rejected(CNF, "1 0\n4 0\n", "line 2");
    assert_rejected(CNF, "1 0 2 0\n", "line 1");
    let short = CNF.rsplit_once("-3").unwrap().0;
    assert_rejected(
        short,
        PROOF,
        "expected 5 clauses, as the first line says, found 4",
    );
    assert_rejected("1 0\n", PROOF, "line 1: expected `p cnf VARIABLES CLAUSES`");
    assert_rejected("p cnf 1\n", PROOF, "line 1");
    assert_rejected("", PROOF, "line 1");
    assert_rejected("p cnf 1 1\n1\n", PROOF, "line 2");
}

/// Memory goes by what is read: variables may have any numbers, and a line that no clause is ends it.
#[test]
fn what_a_header_says_takes_no_memory() {
    let huge = "p cnf 2147483646 2\n2147483646 0\n-2147483646 0\n";
    assert!(verdict(huge, "0\n").is_ok());
    assert_rejected(huge, "5 0\n0 0\n", "line 2");
    assert_rejected(
        "p cnf 2147483646 0\n",
        "1 0\n",
        "line 1: `1` does not follow",
    );
    assert_rejected("p cnf 2147483646 0\n", "", "empty clause");
    let endless = std::io::BufReader::new(std::io::repeat(b'1'));
    let error = DimacsClauses::read(endless).unwrap_err().to_string();
    assert!(
        error.starts_with("line 1: expected at most 16777216 bytes"),
        "{error}"
    );
    let steps = ProofSteps::read(std::io::BufReader::new(std::io::repeat(b'1')), 1);
    let formula = DimacsClauses::read("p cnf 1 1\n1 0\n".as_bytes()).unwrap();
    let error = check(&formula, steps).unwrap_err().to_string();
    assert!(
        error.starts_with("line 1: expected at most 16777216 bytes"),
        "{error}"
    );
}

/// Gates that are evaluated satisfy their clauses, and no other values do.
#[test]
fn gates_are_their_clauses() {
    let (netlist, root) = Netlist::of(|| {
        let [a, b] = [0, 1].map(|index| SignalBits::input(index, 4));
        let sum = a.mul(&b).add(&a.shl(&b));
        sum.ult(&a).xor(&b.sub(&a).slt(&sum)).wire()
    });
    let mut cnf = Cnf::default();
    let variables = encode(&netlist, root, &mut cnf);
    // The last clause demands the root.
    let definitions: Vec<Vec<i32>> = cnf.iter().map(<[i32]>::to_vec).collect();
    let (demand, definitions) = definitions.split_last().unwrap();
    assert_eq!(demand[..], [variables.literal(root)]);
    for inputs in 0..256 {
        let values = netlist.values(|input, bit| inputs >> (4 * input + bit) & 1 == 1);
        let mut clauses = clauses::Clauses::new(definitions.iter().map(Vec::as_slice));
        let mut assumed = Vec::new();
        for (index, gate) in netlist.gates().iter().enumerate() {
            let literal = variables.variable(index);
            if literal != 0 && gate.operands().count() == 0 {
                assumed.push(if values[index] { literal } else { -literal });
            }
        }
        assert!(clauses.hold_with(assumed.iter().copied()));
        for (index, value) in values.iter().enumerate() {
            let literal = variables.variable(index);
            if literal != 0 {
                assert_eq!(clauses.holds(literal), *value, "gate {index}");
                let flipped = if *value { -literal } else { literal };
                let all = assumed.iter().copied().chain([flipped]);
                assert!(!clauses.hold_with(all), "gate {index}");
                assert!(clauses.hold_with(assumed.iter().copied()));
            }
        }
    }
}

/// Clauses of which random corruptions are made, and a proof for them: long multiplication of so many
/// bits commutes, which takes some thousand lemmas for 6.
pub fn proved(bits: u32) -> (String, String) {
    let (netlist, root) = Netlist::of(|| {
        let [a, b] = [0, 1].map(|index| SignalBits::input(index, bits));
        a.mul(&b).equals(&b.mul(&a)).not().wire()
    });
    let mut cnf = Cnf::default();
    encode(&netlist, root, &mut cnf);
    let mut text = Vec::new();
    cnf.write(&mut text).unwrap();
    let proof = Text::default();
    let (verdict, _) = refute(&cnf, proof.clone(), &Limits::default()).unwrap();
    assert_eq!(verdict, CadicalVerdict::Unsat);
    let proof = proof.0.take();
    (
        String::from_utf8(text).unwrap(),
        String::from_utf8(proof).unwrap(),
    )
}

pub fn is_satisfiable(cnf: &str) -> bool {
    let clauses = DimacsClauses::read(cnf.as_bytes()).unwrap().clauses;
    clauses::Clauses::new(clauses.iter().map(Vec::as_slice)).hold_with([])
}

/// One change at random: a line dropped, doubled, exchanged with the next one, without a literal,
/// or with one negated.
fn corrupted(rng: &mut impl RngExt, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let index = rng.random_range(0..lines.len());
    match rng.random_range(0..5) {
        0 => drop(lines.remove(index)),
        1 => lines.insert(index, lines[index].clone()),
        2 => lines.swap(index, (index + 1) % text.lines().count()),
        3 => {
            lines[index] = lines[index]
                .split_once(' ')
                .map_or("0", |(_, rest)| rest)
                .into()
        }
        _ => {
            let line = &lines[index];
            let negated = line
                .strip_prefix('-')
                .map_or(format!("-{line}"), str::to_owned);
            lines[index] = negated;
        }
    }
    lines.join("\n") + "\n"
}

/// The clauses without the last one, which demands the root.
pub fn without_demand(cnf: &str) -> String {
    let lines: Vec<&str> = cnf.lines().collect();
    let (_, clauses) = lines.split_last().unwrap();
    let (header, clauses) = clauses.split_first().unwrap();
    let variables = header.split(' ').nth(2).unwrap();
    let header = format!("p cnf {variables} {}", clauses.len());
    [&[&*header], clauses].concat().join("\n") + "\n"
}

#[test]
fn proofs_are_accepted_and_are_none_of_weaker_clauses() {
    let (cnf, proof) = proved(6);
    let checked = verdict(&cnf, &proof).unwrap();
    assert!(
        checked.lemmas > 500 && checked.deletions > 100,
        "{checked:?}"
    );
    let weaker = without_demand(&cnf);
    assert!(is_satisfiable(&weaker));
    assert!(verdict(&weaker, &proof).is_err());
    // Nothing whatever is a proof of these.
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..100 {
        assert!(verdict(&weaker, &corrupted(&mut rng, &proof)).is_err());
    }
}

#[test]
fn corrupted_clauses_are_accepted_only_if_they_have_no_solution() {
    let (cnf, proof) = proved(6);
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut rejected = 0;
    for _ in 0..150 {
        let corrupted = corrupted(&mut rng, &cnf);
        match verdict(&corrupted, &proof) {
            Ok(_) => assert!(!is_satisfiable(&corrupted)),
            Err(_) => rejected += 1,
        }
    }
    assert!(rejected > 50, "{rejected}");
}

#[test]
fn every_cut_of_a_proof_is_rejected() {
    let (cnf, proof) = proved(6);
    let end = proof.trim_end().len();
    for part in 0..20 {
        let cut = end * part / 20;
        assert!(verdict(&cnf, &proof[..cut]).is_err(), "{cut} of {end}");
    }
    assert!(verdict(&cnf, &proof[..end - 1]).is_err());
}

/// The crate `rate` is a checker that others wrote.
#[test]
fn another_checker_agrees() {
    let (cnf, proof) = proved(6);
    let weaker = without_demand(&cnf);
    for (clauses, accepted) in [(&cnf, true), (&weaker, false)] {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let files = ["rated.cnf", "rated.drat"].map(|name| folder.join(name));
        fs::write(&files[0], clauses).unwrap();
        fs::write(&files[1], &proof).unwrap();
        let Ok(output) = Command::new("rate").args(&files).output() else {
            println!("skipped: no rate on PATH");
            return;
        };
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(said.contains("s VERIFIED"), accepted, "{said}");
        assert_eq!(verdict(clauses, &proof).is_ok(), accepted);
    }
}
