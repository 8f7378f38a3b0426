//! Proofs by their definition, for small formulas: sets of literals, and no code of the product.

use std::collections::{BTreeMap, BTreeSet};

type Clause = BTreeSet<i32>;

fn numbers(words: &str) -> Option<Vec<i64>> {
    words
        .split_whitespace()
        .map(|word| word.parse().ok())
        .collect()
}

/// The clause of a line that ends in its only 0, over variables up to `most`.
fn clause(words: &[i64], most: i64) -> Option<Clause> {
    let (last, literals) = words.split_last()?;
    let known = |literal: &i64| *literal != 0 && literal.abs() <= most;
    (*last == 0 && literals.iter().all(known))
        .then(|| literals.iter().map(|&literal| literal as i32).collect())
}

/// The number of variables and the clauses of a DIMACS text that is well formed.
fn formula(cnf: &str) -> (i64, Vec<Clause>) {
    let mut lines = cnf.lines().filter(|line| !line.starts_with('c'));
    let header = lines.next().unwrap().replace("p cnf", "");
    let most = numbers(&header).unwrap()[0];
    let clauses = lines.map(|line| clause(&numbers(line).unwrap(), most).unwrap());
    (most, clauses.collect())
}

/// The literals of the clause that can be true where those of `negated` are false.
fn open(clause: &Clause, negated: &Clause) -> Vec<i32> {
    clause.difference(negated).copied().collect()
}

/// Whether the text is an LRAT proof without RAT steps: each lemma has a number above those before
/// it; its hints, in their order, are clauses with one literal that is not false, which is not true
/// yet and becomes true, up to one that has none; and the last lemma is the empty clause.
pub fn is_lrat(cnf: &str, proof: &str) -> bool {
    let (most, clauses) = formula(cnf);
    let mut known: BTreeMap<i64, Clause> = (1..).zip(clauses).collect();
    let mut last = known.len() as i64;
    for line in proof.lines().filter(|line| !line.is_empty()) {
        let Some((number, rest)) = line.split_once(' ') else {
            return false;
        };
        let Ok(number) = number.parse::<u32>().map(i64::from) else {
            return false;
        };
        if let Some(deleted) = rest.strip_prefix("d ") {
            let Some((0, deleted)) = numbers(deleted)
                .as_deref()
                .and_then(<[i64]>::split_last)
                .map(|(last, rest)| (*last, rest.to_vec()))
            else {
                return false;
            };
            if deleted.iter().any(|number| known.remove(number).is_none()) {
                return false;
            }
            continue;
        }
        let Some(words) = numbers(rest) else {
            return false;
        };
        let end = words.iter().position(|&word| word == 0).unwrap_or(0);
        let (literals, hints) = words.split_at((end + 1).min(words.len()));
        let Some(lemma) = clause(literals, most) else {
            return false;
        };
        let Some((0, hints)) = hints.split_last().map(|(last, rest)| (*last, rest)) else {
            return false;
        };
        if number <= last || hints.contains(&0) || !follows(&lemma, hints, &known) {
            return false;
        }
        if lemma.is_empty() {
            return true;
        }
        last = number;
        known.insert(number, lemma);
    }
    false
}

fn follows(lemma: &Clause, hints: &[i64], known: &BTreeMap<i64, Clause>) -> bool {
    let mut negated = lemma.clone();
    if lemma.iter().any(|literal| lemma.contains(&-literal)) {
        return true;
    }
    for hint in hints {
        match known.get(hint).map(|clause| open(clause, &negated)) {
            Some(none) if none.is_empty() => return true,
            Some(one) if one.len() == 1 && !negated.contains(&-one[0]) => negated.insert(-one[0]),
            _ => return false,
        };
    }
    false
}

/// Whether each lemma of a DRAT text, up to an empty one, follows by unit propagation from all
/// clauses before it. Deletions are passed over: what is deleted still holds.
pub fn is_rup(cnf: &str, proof: &str) -> bool {
    let (most, mut known) = formula(cnf);
    for line in proof.lines().filter(|line| !line.is_empty()) {
        if line.starts_with('d') {
            continue;
        }
        let Some(lemma) = numbers(line).and_then(|words| clause(&words, most)) else {
            return false;
        };
        if !propagates(&lemma, &known) {
            return false;
        }
        if lemma.is_empty() {
            return true;
        }
        known.push(lemma);
    }
    false
}

fn propagates(lemma: &Clause, known: &[Clause]) -> bool {
    let mut negated = lemma.clone();
    loop {
        let before = negated.len();
        for clause in known {
            if clause.iter().any(|literal| negated.contains(&-literal)) {
                continue;
            }
            match open(clause, &negated)[..] {
                [] => return true,
                [one] => drop(negated.insert(-one)),
                _ => {}
            }
        }
        if negated.iter().any(|literal| negated.contains(&-literal)) {
            return true;
        }
        if negated.len() == before {
            return false;
        }
    }
}
