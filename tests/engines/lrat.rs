//! Proofs with hints: they are accepted by their definition, by our checker and by those of others;
//! what is no proof is accepted by none.

use super::drat::{is_satisfiable, proved, without_demand};
use crate::common::proofs::{is_lrat, is_rup};
use mmasmt_questions::solver::proof::{
    DimacsClauses, HintedProof, HintedSteps, ProofSteps, check, check_hints,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Two bits that are equal and are not.
const CNF: &str = "p cnf 3 5\n1 2 0\n1 -2 0\n-1 3 0\n-1 -3 2 0\n-3 -2 0\n";
const PROOF: &str = "6 1 0 1 2 0\n6 d 1 2 0\n7 2 0 6 3 4 0\n8 0 6 3 5 7 0\n";

/// The LRAT proof that a DRAT proof becomes.
fn hinted(cnf: &str, drat: &str) -> String {
    let formula = DimacsClauses::read(cnf.as_bytes()).unwrap();
    let steps = ProofSteps::read(drat.as_bytes(), formula.variables);
    let proof = HintedProof::of(&formula, steps).unwrap();
    let mut text = Vec::new();
    let lemmas = proof.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let written = text.lines().filter(|line| !line.contains(" d "));
    assert_eq!(written.count(), lemmas);
    text
}

fn verdict(cnf: &str, proof: &str) -> Result<usize, String> {
    let formula = DimacsClauses::read(cnf.as_bytes()).unwrap();
    let steps = HintedSteps::read(proof.as_bytes(), formula.variables);
    let checked = check_hints(&formula, steps).map_err(|rejected| rejected.to_string());
    checked.map(|checked| checked.lemmas)
}

fn assert_rejected(proof: &str, why: &str) {
    let found = verdict(CNF, proof).expect_err("a rejection");
    assert!(found.contains(why), "{found}");
    assert!(!is_lrat(CNF, proof), "{proof}");
}

#[test]
fn a_proof_with_hints_is_accepted() {
    assert_eq!(verdict(CNF, PROOF), Ok(3));
    assert!(is_lrat(CNF, PROOF));
    // The hints that we find, to lemmas that somebody else chose.
    let found = hinted(CNF, "1 0\nd 1 2 0\n2 0\n0\n");
    assert!(
        verdict(CNF, &found).is_ok() && is_lrat(CNF, &found),
        "{found}"
    );
}

#[test]
fn hints_that_do_not_fit_are_rejected() {
    assert_rejected("6 1 0 1 0\n", "line 1: the hints of `1` end before");
    assert_rejected("6 1 0 0\n", "line 1: the hints of `1` end before");
    assert_rejected("6 1 0 4 0\n", "more than one of its literals");
    assert_rejected("6 1 0 1 1 0\n", "it is true already");
    assert_rejected(
        "6 1 0 1 9 0\n",
        "hint 9 of `1` does not fit: there is no clause",
    );
    assert_rejected("6 1 0 -1 2 0\n", "it is negative, as of a RAT lemma");
    assert_rejected(
        "5 1 0 1 2 0\n",
        "expected the number of a lemma above 5, found 5",
    );
    assert_rejected("6 d 1 0\n7 1 0 1 2 0\n", "line 2: hint 1 of `1`");
    assert_rejected("6 d 9 0\n", "line 1: it deletes `9`, which is not there");
    assert_rejected("6 1 0 1 2 0\n", "before it has derived the empty clause");
    assert_rejected("6 1 0 1 2\n", "line 1: expected hints, then 0");
    assert_rejected(
        "6 1 2\n",
        "line 1: expected literals of known variables, then 0",
    );
    assert_rejected(
        "6 4 0 1 2 0\n",
        "line 1: expected literals of known variables",
    );
    assert_rejected("x 1 0 1 2 0\n", "line 1: expected the number of a clause");
    assert_rejected(
        "6 d 1\n",
        "line 1: expected numbers of clauses to delete, then 0",
    );
}

/// Lemmas that are true already, that hold always, that come twice, and contradictions of the
/// formula itself.
#[test]
fn lemmas_of_every_kind_get_their_hints() {
    let cases = [
        ("p cnf 1 2\n1 0\n-1 0\n", "0\n"),
        (
            "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n",
            "1 0\n1 0\n0\n",
        ),
        (
            "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n",
            "2 -2 0\n1 2 0\n1 0\n2 0\n0\n",
        ),
        ("p cnf 3 4\n1 0\n-1 2 0\n-2 3 0\n-3 -1 0\n", "3 0\n0\n"),
        (
            "p cnf 3 4\n1 0\n-1 2 0\n-2 3 0\n-3 -1 0\n",
            "-1 3 0\n-3 -2 0\nd 1 0\n0\n",
        ),
        (
            "p cnf 2 5\n1 2 0\n2 1 0\n1 -2 0\n-1 2 0\n-1 -2 0\n",
            "d 1 2 0\n1 1 0\n0\n",
        ),
    ];
    for (cnf, drat) in cases {
        let lrat = hinted(cnf, drat);
        assert!(is_lrat(cnf, &lrat), "{cnf}{lrat}");
        assert!(verdict(cnf, &lrat).is_ok(), "{cnf}{lrat}");
    }
}

#[test]
fn proofs_of_the_engine_get_hints_and_lose_what_is_not_needed() {
    let (cnf, drat) = proved(6);
    let lrat = hinted(&cnf, &drat);
    let lemmas = verdict(&cnf, &lrat).unwrap();
    assert!(lemmas > 100, "{lemmas}");
    assert!(is_lrat(&cnf, &lrat));
    assert!(!is_lrat(&without_demand(&cnf), &lrat));
    assert!(verdict(&without_demand(&cnf), &lrat).is_err());
}

/// One change at random: a line dropped, doubled or moved; a number dropped, doubled, negated,
/// moved or replaced by another one; the end cut off.
fn mutated(rng: &mut impl RngExt, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let index = rng.random_range(0..lines.len());
    match rng.random_range(0..9) {
        0 => drop(lines.remove(index)),
        1 => lines.insert(index, lines[index].clone()),
        2 => {
            let other = rng.random_range(0..lines.len());
            lines.swap(index, other);
        }
        3 => lines.truncate(index),
        kind => {
            let mut words: Vec<String> = lines[index].split(' ').map(str::to_owned).collect();
            let [at, other] = [0, 1].map(|_| rng.random_range(0..words.len()));
            match kind {
                4 => drop(words.remove(at)),
                5 => words.insert(at, words[other].clone()),
                // `-0` is a number to some readers only.
                6 if words[at] != "0" => words[at] = format!("-{}", words[at]).replace("--", ""),
                6 | 7 => words.swap(at, other),
                _ => {
                    if let Ok(number) = words[at].parse::<i64>() {
                        words[at] = (number + rng.random_range(-2..=2)).to_string();
                    }
                }
            }
            lines[index] = words.join(" ");
        }
    }
    lines.join("\n") + "\n"
}

/// Of 500 changed proofs of each kind, those are accepted that are still proofs by definition; no
/// change makes a proof of clauses that have a solution.
#[test]
fn mutated_proofs_are_accepted_only_if_they_are_proofs() {
    let (cnf, drat) = proved(3);
    let lrat = hinted(&cnf, &drat);
    let weaker = without_demand(&cnf);
    assert!(is_satisfiable(&weaker) && is_rup(&cnf, &drat) && is_lrat(&cnf, &lrat));
    let in_drat = |cnf: &str, proof: &str| {
        let formula = DimacsClauses::read(cnf.as_bytes()).unwrap();
        check(
            &formula,
            ProofSteps::read(proof.as_bytes(), formula.variables),
        )
        .is_ok()
    };
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut accepted = [0; 2];
    for _ in 0..500 {
        let changed = mutated(&mut rng, &lrat);
        let is_proof = is_lrat(&cnf, &changed);
        let said = verdict(&cnf, &changed);
        assert_eq!(said.is_ok(), is_proof, "{said:?}: {changed}");
        assert!(verdict(&weaker, &changed).is_err(), "{changed}");
        accepted[0] += usize::from(is_proof);
        let changed = mutated(&mut rng, &drat);
        let is_accepted = in_drat(&cnf, &changed);
        assert!(!is_accepted || is_rup(&cnf, &changed), "{changed}");
        assert!(!in_drat(&weaker, &changed), "{changed}");
        accepted[1] += usize::from(is_accepted);
    }
    println!("of 500 and 500, {accepted:?} are still proofs");
    assert!(accepted.iter().all(|&count| count < 250), "{accepted:?}");
}

/// A checker of others on this machine, by the command that asks it for two files.
struct Checker {
    name: &'static str,
    accepted: &'static str,
    ask: fn(&Path, &Path) -> Option<Command>,
}

const CHECKERS: [Checker; 3] = [
    // By who defined LRAT.
    Checker {
        name: "lrat-check",
        accepted: "c VERIFIED",
        ask: |cnf, proof| Some(of_files("lrat-check", cnf, proof)),
    },
    // Verified in HOL4, down to its machine code.
    Checker {
        name: "cake_lpr",
        accepted: "s VERIFIED UNSAT",
        ask: |cnf, proof| Some(of_files("cake_lpr", cnf, proof)),
    },
    // Verified in ACL2.
    Checker {
        name: "acl2 with its books",
        accepted: "s VERIFIED",
        ask: |cnf, proof| {
            let book = "projects/sat/lrat/stobj-based/run";
            let script = format!(
                "(include-book \"{book}\" :dir :system)\n(lrat::lrat-check {cnf:?} {proof:?})\n"
            );
            let input = proof.with_extension("lisp");
            fs::write(&input, script).unwrap();
            let there = fs::read_dir("/usr/share").ok()?;
            let books = there.flatten().map(|entry| entry.path().join("books"));
            let mut books = books.map(|books| books.join(book).with_extension("cert"));
            let is_there = books.any(|book| book.exists());
            let mut command = Command::new("acl2");
            command.stdin(fs::File::open(&input).unwrap());
            is_there.then_some(command)
        },
    },
];

fn of_files(program: &str, cnf: &Path, proof: &Path) -> Command {
    let mut command = Command::new(program);
    command.args([cnf, proof]).stdin(Stdio::null());
    command
}

#[test]
fn checkers_of_others_agree() {
    let (cnf, drat) = proved(6);
    let lrat = hinted(&cnf, &drat);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let weaker = without_demand(&cnf);
    for checker in CHECKERS {
        for (kind, clauses, accepted) in [("whole", &cnf, true), ("weaker", &weaker, false)] {
            let file = |end: &str| folder.join(format!("lrat-{kind}.{end}"));
            fs::write(file("cnf"), clauses).unwrap();
            fs::write(file("lrat"), &lrat).unwrap();
            let output = (checker.ask)(&file("cnf"), &file("lrat"))
                .and_then(|mut command| command.output().ok());
            let Some(output) = output else {
                println!("skipped: no {} on this machine", checker.name);
                break;
            };
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(
                said.contains(checker.accepted),
                accepted,
                "{}: {said}",
                checker.name
            );
            println!("{}: as expected", checker.name);
        }
    }
}
